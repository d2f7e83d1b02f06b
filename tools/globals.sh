#!/bin/sh
# Writable objects that outlive a request: those of the sections .data and .bss, as the linker sees
# them. ARCHITECTURE.md names exactly the files that have some, with the reason, and
# tools/global.txt each object; the programs' slots of prepared statements (SQL() of
# include/db/db.h) are one row for all.
#
#   sh tools/globals.sh OBJECTS [TREE]          prints FILE: MESSAGE for each error of the list; exits with 1
#   sh tools/globals.sh --list OBJECTS [TREE]   prints FILE OBJECT for all of them
set -u
list=''
[ "$1" != --list ] || { list=yes; shift; }
objects=$1
cd "${2:-$(dirname "$0")/..}" || exit 2

# The object of a deleted source stays in the folder until the folder is cleaned.
state() {
	find src cgi command -name '*.c' | sort | while read -r source; do
		[ ! -f "$objects/${source%.c}.o" ] || echo "$objects/${source%.c}.o"
	done | xargs objdump -t | awk -v objects="$objects/" '
		/^[^ ].*file format/ {
			sub(/:.*/, "")
			file = substr($0, length(objects) + 1)
			sub(/\.o$/, ".c", file)
		}
		/ O (\.t?(bss|data)(\.[A-Za-z_.0-9]+)?|\*COM\*)[ \t]/ && !/ \.data\.rel\.ro/ && $NF !~ /_slot$/ {
			# Static objects of functions have a number appended.
			sub(/\.[0-9]+$/, "", $NF)
			print file, $NF
		}' | sort -u
}

[ -z "$list" ] || { state; exit; }
status=0
# Lines of the list: FILE OBJECT REASON.
state | awk '
	BEGIN { list = "tools/global.txt" }
	FILENAME == list {
		if (/^(#|$)/)
			next
		if (NF < 3 || ($1, $2) in row) {
			print list ":" FNR ": " (NF < 3 ? "has no reason" : "is there twice")
			bad = 1
		}
		row[$1, $2] = FNR
		next
	}
	!(($1, $2) in row) {
		print $1 ":1: " $2 " is mutable and outlives its function: give it to the struct of the program or " \
		    "of the connection, or say in " list " why it stays"
		bad = 1
	}
	{ found[$1, $2] }
	END {
		for (pair in row)
			if (!(pair in found)) {
				print list ":" row[pair] ": there is no such object any more"
				bad = 1
			}
		exit bad
	}' tools/global.txt - || status=1
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
	}' ARCHITECTURE.md - || status=1
exit $status
