#!/bin/sh
# Arrows between rooms: a file of room R may include headers of R and of the rooms
# that include/R/room.h names under "Uses:", and those lists have no circle. Folders of a
# room stand side by side: none includes a header of another. Prints
# FILE:LINE: MESSAGE; ends with 1 if an arrow is not allowed.
set -u
cd "${1:-$(dirname "$0")/..}" || exit 2
status=0

uses() {
	sed -n 's/^ \* Uses: //p' "include/$1/room.h" | sed 's/^nothing$//'
}

for dir in src/*/; do
	room=$(basename "$dir")
	if [ ! -f "include/$room/room.h" ]; then
		echo "$dir:1: include/$room/room.h is missing: what the room is, and what it uses"
		status=1
		continue
	fi
	allowed=" $room $(uses "$room") "
	for file in "$dir"*.[ch] "$dir"*/*.[ch] include/"$room"/*.h; do
		[ -f "$file" ] || continue
		awk -v file="$file" -v allowed="$allowed" '
			/^#include "\.\.\/[a-z]+\// {
				printf "%s:%d: a folder of a room includes what the room shares (../NAME.h), no other folder\n", file, FNR
				bad = 1
			}
			/^#include "[a-z]+\// {
				split($2, part, /["\/]/)
				if (index(allowed, " " part[2] " ") == 0) {
					printf "%s:%d: the room may not use %s (include/*/room.h)\n", file, FNR, part[2]
					bad = 1
				}
			}
			END { exit bad }' "$file" || status=1
	done
done
for dir in src/*/; do
	room=$(basename "$dir")
	for used in $(uses "$room"); do echo "$used $room"; done
done | tsort >/dev/null || { echo 'include: the rooms use each other in a circle'; status=1; }
exit $status
