#!/bin/sh
# gcc -fanalyzer and cppcheck over every source of the programs: sh tools/analyze.sh BUILD
#
# A finding is fixed, or listed in tools/analyze.txt with the reason why it is no error. Exits with
# 1 for a finding that is not listed, and for a listed one that no longer occurs. BUILD contains the
# generated headers.
set -u
cd "$(dirname "$0")/.." || exit 2
build=${1:?}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
for program in gcc cppcheck; do
	command -v $program >/dev/null || { echo "analyze: needs $program (apt-get install $program)" >&2; exit 2; }
done
# Both know too little about NULL: arena_alloc() ends the program instead of returning it, a str
# with n > 0 has a pointer, and callers owe what header comments require. The sanitized tests and
# the fuzzers check that.
quiet='-Wno-analyzer-null-dereference -Wno-analyzer-null-argument'
pdf=$(pkg-config --cflags pangocairo librsvg-2.0 gdk-pixbuf-2.0 | sed 's/-I/-isystem /g')
# shellcheck disable=SC2086
for source in $(ls src/*/*.c src/*/*/*.c command/*.c command/*/*.c cgi/*.c); do
	gcc -fanalyzer $quiet -O1 -std=c11 -D_GNU_SOURCE -DOCTAVO_BUILD='""' -DOCTAVO_SCRIPTS="\"$build/gen/typeset.js\"" \
		-Iinclude -I"$build/gen" $pdf -c -o "$tmp/o" "$source" 2>>"$tmp/gcc" || { cat "$tmp/gcc"; exit 1; }
done
# Findings of cppcheck about threads do not apply to our programs.
cppcheck -q --std=c11 --library=posix,gnu -Iinclude -I. -D_GNU_SOURCE --include=tools/analyze.h --enable=warning \
	--suppress=missingInclude --suppress=nullPointer --suppress=nullPointerRedundantCheck \
	--suppress=ctunullpointer --template='{file}:{line}: {id}' src command cgi 2>"$tmp/cppcheck"
{
	sed -n 's/^\([^ :]*\):\([0-9]*\):[0-9]*: warning: .*\[-W\(analyzer-[a-z-]*\)\]$/\1:\2: \3/p' "$tmp/gcc"
	grep -E '^[^ :]+:[0-9]+: [a-zA-Z]+$' "$tmp/cppcheck"
} | sort -u >"$tmp/found"
# Without line numbers, which change.
sed 's/:[0-9]*:/:/' "$tmp/found" | sort -u >"$tmp/kinds"
sed 's/ *#.*//; /^$/d' tools/analyze.txt | sort -u >"$tmp/known"
comm -23 "$tmp/kinds" "$tmp/known" | sed 's/$/ (new; make analyze)/' >"$tmp/new"
comm -13 "$tmp/kinds" "$tmp/known" | sed 's/$/ (not found any more: take it off tools\/analyze.txt)/' >>"$tmp/new"
cat "$tmp/new"
while read -r where; do grep -F "${where%%:*}:" "$tmp/found" | grep -F ": ${where#*: }" ; done <<EOF
$(comm -23 "$tmp/kinds" "$tmp/known")
EOF
echo "analyze: $(wc -l <"$tmp/found") findings, $(wc -l <"$tmp/new") to look at"
[ ! -s "$tmp/new" ]
