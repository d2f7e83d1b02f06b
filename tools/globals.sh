#!/bin/sh
# Objects that outlive a request and can be written: those of the sections .data and .bss, as the linker sees
# them. ARCHITECTURE.md names each file that has some, with the reason, and no other; the programs' slots of
# prepared statements (SQL() of include/db/db.h) are one row for all.
#
#   sh tools/globals.sh OBJECTS [TREE]          prints FILE: MESSAGE where the list is wrong; ends with 1
#   sh tools/globals.sh --list OBJECTS [TREE]   prints FILE OBJECT for all of them
set -u
list=''
[ "$1" != --list ] || { list=yes; shift; }
objects=$1
cd "${2:-$(dirname "$0")/..}" || exit 2

# An object whose source is gone stays in the folder until somebody empties it.
state() {
	find src cgi command -name '*.c' | sort | while read -r source; do
		[ ! -f "$objects/${source%.c}.o" ] || echo "$objects/${source%.c}.o"
	done | xargs objdump -t | awk -v objects="$objects/" '
		/^[^ ].*file format/ {
			sub(/:.*/, "")
			file = substr($0, length(objects) + 1)
			sub(/\.o$/, ".c", file)
		}
		/ O \.(bss|data)(\.[A-Za-z_.0-9]+)?[ \t]/ && !/ \.data\.rel\.ro/ && $NF !~ /_slot$/ { print file, $NF }'
}

[ -z "$list" ] || { state; exit; }
state | awk '
	BEGIN { document = "ARCHITECTURE.md" }
	# Rows: | `FILE` `FILE` | what | why |
	FILENAME == document {
		if (/^## /)
			on = /^## What is global/
		if (on && /^\| `/) {
			n = split($0, cell, "|")
			m = split(cell[2], part, "`")
			for (i = 2; i <= m; i += 2)
				row[part[i]] = FNR
		}
		next
	}
	{ objects[$1] = objects[$1] " " $2 }
	END {
		for (file in objects)
			if (!(file in row)) {
				print file ":1: keeps state that ARCHITECTURE.md (What is global) does not name:" objects[file]
				bad = 1
			}
		for (file in row)
			if (!(file in objects)) {
				print document ":" row[file] ": " file " keeps no state"
				bad = 1
			}
		exit bad
	}' ARCHITECTURE.md -
