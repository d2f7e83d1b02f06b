#!/bin/sh
# Does README.md name what there is? Its list of rooms has each of them, none above a room
# that it uses; each package of tools/deps.sh is in a table with a reason; so is each
# setting that a program reads, and no other. Prints FILE:LINE: MESSAGE; ends with 1 if
# something is missing.
#
#   sh tools/readme.sh [TREE]
set -u
cd "${1:-$(dirname "$0")/..}" || exit 2
status=0
say() {
	echo "README.md:1: $1"
	status=1
}
names() { tr -c 'a-zA-Z0-9_.+-' '\n' | grep "$1" | sort -u; }

# Rooms: "NUMBER ROOM" for each row of the table.
ranks=$(sed -n '/^| room |/,/^$/s/^| \(`[^|]*\) |.*/\1/p' README.md | awk '{
	n = split($0, part, "`")
	for (i = 2; i <= n; i += 2) print NR, part[i] }')
rank() { echo "$ranks" | awk -v room="$1" '$2 == room { print $1; exit }'; }
for header in include/*/room.h; do
	room=${header#include/} room=${room%/room.h}
	at=$(rank "$room")
	[ -n "$at" ] || { say "the room $room is not in the list of rooms"; continue; }
	for used in $(sed -n 's/^ \* Uses: //p' "$header" | sed 's/^nothing$//'); do
		[ "$(rank "$used")" -le "$at" ] || say "the room $room stands above $used, which it uses"
	done
done
for room in $(echo "$ranks" | cut -d ' ' -f 2); do
	[ -f "include/$room/room.h" ] || say "there is no room $room"
done

# Packages.
for package in $(sed '/^#/d; /^case /,$d' tools/deps.sh | tr " '" '\n\n' | sed -n 's/^\([a-z][a-z0-9.+-]*\)=..*/\1/p'); do
	grep -q "^|.*\`$package\`.*|" README.md || say "no table says what the package $package is for (tools/deps.sh)"
done

# Settings. Those of one program for another are no settings.
for setting in $(grep -rhoE '"OCTAVO_[A-Z_]+"' src cgi command tools --include='*.c' | names '^OCTAVO_' |
	grep -vE '^OCTAVO_(LATE|LAUNCHER|TYPESET_CHECK)$'); do
	grep -q "^| .*\`$setting\`.* |.*|.*|" README.md || say "the setting $setting is not in the table of settings"
done
for setting in $(sed -n 's/^| \(`OCTAVO_[^|]*\) |.*/\1/p' README.md | names '^OCTAVO_'); do
	grep -rqE "${setting}([^A-Z_]|\$)" src cgi command tools nginx systemd --include='*.[ch]' --include='*.service' --include='*.conf' --include='htaccess' ||
		case $setting in OCTAVO_TRANSLATE_*) ;; *) say "nothing reads the setting $setting" ;; esac
done
exit $status
