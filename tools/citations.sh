#!/bin/sh
# Checks that documents cited in comments exist. A word that ends in ".md" in a comment of a source,
# script, schema or configuration is the path of a file: from the root of the tree, from include/,
# or relative to the citing file. A heading in quotes after it (docs/design/requests.md, "Lists") is
# a heading of that file, or the beginning of one up to a word ("S1" matches "S1: two ids").
#
# No citations, but examples of authors' texts: a name in quotes, in a link or after ./ and ../, a
# name with a *, the files that each repository has (README.md, SUMMARY.md, index.md, _index.md),
# names of one letter or of capitals only (x.md, NAME.md). Prints FILE:LINE: MESSAGE; exits with 1
# if a document or heading is missing.
#
#   sh tools/citations.sh [TREE]
set -u
cd "${1:-$(dirname "$0")/..}" || exit 2
list=$(mktemp)
for dir in src include cgi command tools tests schema nginx systemd debian assets/site .ci; do
	[ ! -d "$dir" ] || find "$dir" -type f ! -path 'tests/fixtures/*' ! -path '*/node_modules/*' \( -name '*.[ch]' \
		-o -name '*.def' -o -name '*.inc' -o -name '*.js' -o -name '*.mjs' -o -name '*.css' -o -name '*.sh' \
		-o -name '*.awk' -o -name '*.jq' -o -name '*.sql' -o -name '*.conf' -o -name '*.service' -o -name '*.env' \
		-o -name htaccess \)
done | sort >"$list"
for file in Makefile Dockerfile; do [ ! -f $file ] || echo $file; done >>"$list"
LC_ALL=C xargs awk '
	function exists(path,    line, got) {
		if (!(path in there)) {
			got = (getline line <path) >= 0
			close(path)
			there[path] = got
		}
		return there[path]
	}
	# The path of the cited file from the root; "": there is none.
	function resolved(path,    beside) {
		if (exists(path))
			return path
		if (exists("include/" path))
			return "include/" path
		beside = file
		sub(/[^\/]*$/, path, beside)
		return exists(beside) ? beside : ""
	}
	function has_heading(path, heading,    line, rest, found) {
		while (!found && (getline line <path) > 0)
			if (line ~ /^#+ /) {
				sub(/^#+ +/, "", line)
				rest = substr(line, length(heading) + 1)
				found = index(line, heading) == 1 && rest !~ /^[A-Za-z0-9_]/
			}
		close(path)
		return found
	}
	function is_example(path,    name) {
		name = path
		sub(/.*\//, "", name)
		sub(/\.md$/, "", name)
		return path ~ /[*]/ || path ~ /^\.\.?\// || name ~ /^(README|SUMMARY|index|_index|[A-Za-z]?|[A-Z]+)$/
	}
	function complain(line, message) {
		printf "%s:%d: %s\n", file, line, message
		bad = 1
	}
	# Checks the words of one comment: word[1..words], each on the line at[i].
	function check(    i, k, path, before, after, doc, heading) {
		for (i = 1; i <= words; i++) {
			if (!match(word[i], /[A-Za-z0-9_.*\/-]*\.md/))
				continue
			path = substr(word[i], RSTART, RLENGTH)
			before = substr(word[i], 1, RSTART - 1)
			after = substr(word[i], RSTART + RLENGTH)
			if (after ~ /^[A-Za-z0-9_"`\047#>-]/ || before ~ /(["`\047<>]|\]\()$/)
				continue
			doc = resolved(path)
			if (doc == "") {
				if (!is_example(path))
					complain(at[i], "cites " path ", which is not in the repository (an example is put in quotes)")
				continue
			}
			k = i + 1
			if (after !~ /^,?$/)
				continue
			while (word[k] ~ /^"/ || (word[k] == "and" && word[k + 1] ~ /^"/)) {
				if (word[k] == "and")
					k++
				heading = word[k]
				while (heading !~ /^".*"[).,;:]*$/ && k < words)
					heading = heading " " word[++k]
				if (heading !~ /^".*"[).,;:]*$/)
					break
				sub(/"[).,;:]*$/, "", heading)
				if (!has_heading(doc, substr(heading, 2)))
					complain(at[i], doc " has no heading \"" substr(heading, 2) "\"")
				if (word[k] ~ /[).,;:]$/)
					break
				k++
			}
		}
		words = 0
	}
	function add(text, line,    n, part, i) {
		n = split(text, part, /[ \t]+/)
		for (i = 1; i <= n; i++)
			if (part[i] != "" && part[i] != "*" && part[i] != "#" && part[i] != "--" && part[i] != "//") {
				word[++words] = part[i]
				at[words] = line
			}
	}
	# The comment part of a line of C, JavaScript or CSS; whole: the rest of an open block.
	function c_comment(s,    out, i, c, n) {
		out = ""
		n = length(s)
		for (i = 1; i <= n; i++) {
			c = substr(s, i, 1)
			if (in_comment) {
				if (substr(s, i, 2) == "*/") {
					in_comment = 0
					ended = 1
					i++
					out = out " "
				} else
					out = out c
			} else if (substr(s, i, 2) == "/*") {
				in_comment = 1
				i++
			} else if (substr(s, i, 2) == "//" && file !~ /\.css$/)
				return out " " substr(s, i + 2)
			else if (c == "\"" || c == "\047")
				for (i++; i <= n && substr(s, i, 1) != c; i++)
					if (substr(s, i, 1) == "\\")
						i++
		}
		return out
	}
	FNR == 1 {
		check()
		file = FILENAME
		in_comment = ended = 0
		c_like = file ~ /\.(c|h|def|inc|js|mjs|css)$/
	}
	c_like {
		if (!in_comment && index($0, "/*") == 0 && index($0, "//") == 0) {
			check()
			next
		}
		add(c_comment($0), FNR)
		if (ended && !in_comment)
			check()
		ended = 0
		next
	}
	file ~ /\.sql$/ && match($0, /--/) { add(substr($0, RSTART + 2), FNR); next }
	file !~ /\.sql$/ && /^[ \t]*#/ { add(substr($0, index($0, "#") + 1), FNR); next }
	{ check() }
	END {
		check()
		exit bad
	}' <"$list"
status=$?
rm -f "$list"
[ $status -eq 0 ] || exit 1
