#!/bin/sh
# Prints the table of emoji shortcodes as C, sorted by name: sh tools/embed_emoji.sh FILE LIST
#
# FILE is github.go of Debian's golang-github-yuin-goldmark-emoji-dev, in which an emoji is
#
#   NewEmoji("NAME", []int32{CODE POINT, ...}, "SHORTCODE")
#
# LIST (src/markdown/emoji.txt) contains emoji that FILE lacks or has under another code point, and
# takes precedence. The third member of a row is 1 for an additional name of an emoji.
set -eu
file=$1 list=$2
{
	sed -n 's/.*NewEmoji("[^"]*", *\[\]int32{\([0-9, ]*\)}, *"\([^"]*\)").*/package \2 \1/p' "$file" | tr -d ','
	sed -e '/^#/d' -e '/^$/d' -e 's/^/list /' "$list"
} | awk '
	$1 == "package" {
		code = ""
		for (i = 3; i <= NF; i++)
			code = code (i > 3 ? "-" : "") sprintf("%x", $i)
		codes[$2] = code
		from_package++
	}
	$1 == "list" && $3 != "=" { codes[$2] = $3; delete other[$2] }
	$1 == "list" && $3 == "=" { other[$2] = $4 }
	END {
		# Inside a pipe nothing else would stop the build.
		if (from_package < 1000)
			print "#error \"this is no list of emoji\""
		for (name in other) {
			if (!(other[name] in codes))
				print "#error \"no emoji " other[name] "\""
			printf "{ \"%s\", \"%s\", 1 },\n", name, codes[other[name]]
		}
		for (name in codes)
			if (!(name in other))
				printf "{ \"%s\", \"%s\", 0 },\n", name, codes[name]
	}' | LC_ALL=C sort -t '"' -k 2,2
