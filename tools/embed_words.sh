#!/bin/sh
# Prints the commonest words of spoken English with their ranks as C: sh tools/embed_words.sh FILE
#
# FILE is frequency_lists.py of Debian's python3-zxcvbn, in which a list is one line,
#
#	    "us_tv_and_film": "WORD,WORD,...",
#
# the commonest word first. Rank 1000 is enough: rarer words all tell as much (src/conversations/analysis/prior.c).
set -eu
sed -n 's/^ *"us_tv_and_film": *"\([^"]*\)".*/\1/p' "$1" | tr ',' '\n' | LC_ALL=C awk '
	NR <= 1000 && /^[a-z\047]+$/ {
		gsub("\047", "")
		printf "{ \"%s\", %d },\n", $0, NR
	}
	END {
		# In the middle of a pipe nothing else would stop the build.
		if (NR < 1000)
			print "#error \"this is no list of words\""
	}'
