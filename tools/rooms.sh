#!/bin/sh
# Checks dependencies between rooms, as the sources include and as the linker sees them.
#
#   sh tools/rooms.sh [TREE]           includes of the sources
#   sh tools/rooms.sh TREE OBJECTS     also symbols of the objects in that folder of the tree
#
# A file of room R may use R and the rooms that include/R/room.h names under "Uses:", and those
# lists have no circle. A folder F of a room may use fewer if room.h has "Folder F uses:". Folders
# of a room are independent: none includes a header of another. With objects: each use of a symbol
# must be declared, each declared use must exist (by a symbol or a header), and no more than five
# files of a room may depend on each other in a circle. Prints FILE:LINE: MESSAGE; exits with 1 if a
# dependency is not allowed.
set -u
cd "${1:-$(dirname "$0")/..}" || exit 2
objects=${2:-}
status=0

uses() {
	sed -n 's/^ \* Uses: //p' "include/$1/room.h" | sed 's/^nothing$//'
}

# What a file of the folder may use; "": the list of the whole room.
folder_uses() {
	sed -n "s/^ \* Folder $2 uses: //p" "include/$1/room.h"
}

for dir in src/*/; do
	room=$(basename "$dir")
	if [ ! -f "include/$room/room.h" ]; then
		echo "$dir:1: include/$room/room.h is missing: what the room is, and what it uses"
		status=1
		continue
	fi
	for file in "$dir"*.[ch] "$dir"*/*.[ch] include/"$room"/*.h; do
		[ -f "$file" ] || continue
		folder=$(basename "$(dirname "$file")") list=
		[ "$folder" = "$room" ] || list=$(folder_uses "$room" "$folder")
		awk -v file="$file" -v allowed=" $room ${list:-$(uses "$room")} " '
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
[ -n "$objects" ] || exit $status

# ---- symbols ----

# Prints "use ROOM USED", "include ROOM USED", then the symbols.
{
	for dir in src/*/; do
		room=$(basename "$dir")
		for used in $(uses "$room"); do echo "use $room $used"; done
		grep -rhoE '^#include "[a-z]+/' "$dir" "include/$room" | sed "s/.*\"/include $room /; s,/\$,,"
	done
	# The object of a deleted source stays in the folder until the folder is cleaned.
	find src -name '*.c' | sed 's/c$/o/' | while read -r object; do
		[ ! -f "$objects/$object" ] || echo "$object"
	done | (cd "$objects" && xargs nm -A -g)
} | awk '
	function room(object,    part) { split(object, part, "/"); return part[2] }
	function name(object) { sub(/\.o$/, ".c", object); return object }
	function complain(text) { print text; bad = 1 }
	# Files of a room that can be reached from one of them.
	function reach(from, to, seen,    i, n, list) {
		if (to in seen)
			return
		seen[to]
		n = split(near[to], list, " ")
		for (i = 1; i <= n; i++)
			reach(from, list[i], seen)
	}
	$1 == "use" { declared[$2, $3] = 1; next }
	$1 == "include" { used[$2, $3] = 1; next }
	{
		object = $1
		sub(/:.*/, "", object)
		objects[object]
		if ($(NF - 1) == "U")
			needs[object] = needs[object] " " $NF
		else
			defines[$NF] = object
	}
	END {
		for (object in needs) {
			n = split(needs[object], symbol, " ")
			for (i = 1; i <= n; i++) {
				if (!(symbol[i] in defines) || (other = defines[symbol[i]]) == object)
					continue
				if (room(other) == room(object)) {
					if (!((object, other) in told))
						near[object] = near[object] " " other
					told[object, other]
					continue
				}
				used[room(object), room(other)] = 1
				if (!((room(object), room(other)) in declared) && !((object, room(other)) in told))
					complain(name(object) ":1: uses " symbol[i] "() of the room " room(other) ", which include/" \
					    room(object) "/room.h does not name")
				told[object, room(other)]
			}
		}
		for (pair in declared) {
			split(pair, p, SUBSEP)
			if (!(pair in used))
				complain("include/" p[1] "/room.h:1: names the room " p[2] ", which nothing there uses")
		}
		for (object in objects) {
			split("", seen)
			reach(object, object, seen)
			for (other in seen)
				back[object, other]
		}
		for (object in objects) {
			n = 0
			circle = ""
			for (other in objects)
				if (((object, other) in back) && ((other, object) in back)) {
					n++
					circle = circle " " other
				}
			if (n > 5 && !(circle in shown))
				complain(name(object) ":1: needs, and is needed by, more than four other files:" circle)
			shown[circle]
		}
		exit bad
	}' || status=1
exit $status
