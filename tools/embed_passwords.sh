#!/bin/sh
# Prints the common passwords that are long enough to be chosen, as C, sorted: sh tools/embed_passwords.sh FILE LEAST
#
# FILE is frequency_lists.py of Debian's python3-zxcvbn: a line "passwords": "MOST COMMON,NEXT,...", in small
# letters. LEAST: shorter ones are refused for their length (include/signin/password.h).
set -eu
sed -n 's/^ *"passwords": "\([^"]*\)".*/\1/p' "$1" | tr ',' '\n' | awk -v least="$2" '
	{ n++ }
	length($0) >= least { print }
	# In the middle of a pipe nothing else would stop the build.
	END { if (n < 10000) print "~error" }' | LC_ALL=C sort -u | sed -e 's/[\\]/\\&/g' \
	-e 's/^~error$/#error "this is no list of 10,000 passwords"/' -e '/^#error/!s/.*/"&",/'
