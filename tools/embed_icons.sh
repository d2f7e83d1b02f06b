#!/bin/sh
# Prints icons as C, sorted by name: sh tools/embed_icons.sh FOLDER LIST
#
# The folder has the SVG files of Debian's bootstrap-icons, of which none is committed; the list
# (src/reader/icons.txt) maps names to them. Uses the content of <svg> of each file; NAME-fill.svg,
# if it exists, is the solid form.
set -eu
folder=$1 list=$2
inner() { sed -e 's/<svg[^>]*>//' -e 's/<\/svg>//' -e 's/^ *//' "$folder/$1.svg" | tr -d '\n' | sed 's/"/\\"/g'; }
echo 'static const struct { const char *name, *plain, *solid; } icons[] = {'
grep -v '^#' "$list" | while read -r file names; do
	plain=$(inner "$file") solid=$plain
	# Inside a pipe nothing else would stop the build.
	[ -n "$plain" ] || echo "#error \"no icon $file\""
	[ ! -e "$folder/$file-fill.svg" ] || solid=$(inner "$file-fill")
	for name in $names; do
		printf '\t{ "%s", "%s", "%s" },\n' "$name" "$plain" "$solid"
	done
done | LC_ALL=C sort -t '"' -k 2,2 | awk -F '"' '$2 == last { exit 1 } { print; last = $2 }'
echo '};'
