#!/bin/sh
# `make compare` leaves out a generator that cannot be installed, whose build fails, or whose build is killed, and goes on
# with the next one.
set -u
here=$(cd "$(dirname "$0")/../bench" && pwd)
. "$(dirname "$0")/../at_exit.sh"
tmp=$(mktemp -d)
leave() { rm -rf "$tmp"; }
at_exit leave
passed=0 failed=0
. "$here/compare_others.sh"

# What compare.sh has from other files: npm has no package "missing", and no web server is started.
say() { echo "$*" >>"$tmp/said"; }
give_up() { say "gave up: $*"; }
node() { :; }
cp() { :; }
npm_packages() { [ "${1##*/}" != missing ] || { echo 'no such package' >"$tmp/npm"; return 1; }; }
file_server() { file_base=http://127.0.0.1:1; }

# built NAME BASE COMMAND...: the address that other_builds() sets
built() {
	b_name=$1 b_base=$2
	shift 2
	other_builds "$b_name" out "$@"
	eval "b_got=\$${b_name}_base"
	if [ "$b_got" = "$b_base" ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL $b_name: address '$b_got' instead of '$b_base'"
	fi
}

# says TEXT: it was printed
says() {
	if grep -qF "$1" "$tmp/said"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL not said: $1"
		cat "$tmp/said"
	fi
}

built missing '' true
says 'no missing: no such package'
built broken '' sh -c 'echo "module not found"; exit 3'
says 'no broken, whose build failed: module not found'
# The kernel kills the whole session when memory ends.
built killed '' sh -c 'kill -9 0'
says 'no killed, whose build failed'
built good http://127.0.0.1:1/ true
echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
