#!/bin/sh
# Prints the scripts that octavo-typeset runs, one after the other, each after a line "//@ NAME": sh
# tools/typeset_js.sh PRISM-FOLDER KATEX-FILE OWN-FOLDER
#
# NAME begins with + if the script is loaded at the start, - if it is loaded with the first code in
# a language that is not loaded yet, = if it is loaded with the first formula.
#
# Languages come after those that they extend. Debian's files are read where the packages put them;
# none is committed.
set -eu
prism=$1 katex=$2 own=$3
languages='markup css clike javascript c cpp csharp java kotlin go rust python ruby bash sql json yaml toml docker
http typescript diff ini nginx'
others='markup-templating scala groovy swift php lua r julia powershell batch json5 properties apacheconf makefile
cmake git graphql protobuf jsx tsx coffeescript latex haskell elixir erlang clojure lisp ocaml fsharp dart
objectivec solidity hcl regex vim csv handlebars django liquid scss sass less stylus awk matlab nix zig wasm mermaid
puppet pascal fortran cobol ada crystal elm basic vbnet visual-basic log editorconfig systemd arduino arff asciidoc
autohotkey bicep cypher dot ejs gherkin haml jq kusto monkey nasm promql prolog purescript q rest rego scheme racket
smali smalltalk turtle sparql splunk-spl tcl textile twig uri verilog vhdl xquery'
one() {
	echo "//@ $1"
	cat "$2"
	echo
}
one +before "$own/before.js"
one +prism "$prism/components/prism-core.js"
for name in $languages; do
	one "+$name" "$prism/components/prism-$name.js"
done
one +glue "$own/glue.js"
for name in $others; do
	[ ! -f "$prism/components/prism-$name.js" ] || one "-$name" "$prism/components/prism-$name.js"
done
one -own "$own/languages.js"
one =katex "$katex"
