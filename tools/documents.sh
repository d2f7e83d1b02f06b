#!/bin/sh
# Checks that README.md, ARCHITECTURE.md, CONTRIBUTING.md, docs/design and the manual refer to
# things that exist:
#
#   links          to files, and to headings if they have a fragment
#   `x.md`, "y"    a heading of that file, or its beginning
#   `src/x.c`      in code: a file; `make x`: a target; `sh tools/x.sh`: a script; `make test T=x`: a test;
#                  `name()`: a function
#   ```c FILE      a block of code whose lines are in FILE
#   README.md      is a first page: at most 6 kB, its picture at most 100 kB
#   rooms          ARCHITECTURE.md lists each, none above a room that it uses, with the first sentence of room.h
#   packages       docs/design/libraries.md describes each package of tools/deps.sh
#   settings       docs/operate/settings.md describes each setting that a program reads, and no other
#
# Prints FILE:LINE: MESSAGE; exits with 1 if something is missing.
#
#   sh tools/documents.sh [TREE]
#   sh tools/documents.sh --rooms      writes the rooms of ARCHITECTURE.md again
set -u
rewrite=''
[ "${1:-}" != --rooms ] || { rewrite=yes; shift; }
cd "${1:-$(dirname "$0")/..}" || exit 2
status=0
say() {
	echo "$1: $2"
	status=1
}
documents="README.md ARCHITECTURE.md CONTRIBUTING.md $(ls docs/*.md docs/*/*.md)"
libraries=docs/design/libraries.md settings=docs/operate/settings.md

# ---- sizes ----

size() { wc -c <"$1" | tr -d ' '; }
[ "$(size README.md)" -le 6144 ] || say README.md:1 "has $(size README.md) bytes; a first page has 6144 at most"
for picture in $(sed -n 's/^!\[[^]]*](\([^)]*\)).*/\1/p' README.md); do
	[ ! -f "$picture" ] || [ "$(size "$picture")" -le 102400 ] || say README.md:1 "$picture has $(size "$picture") bytes; 102400 at most"
done

# ---- references ----

# FILE:LINE KIND NAME for each link, path, target, script, test and function, and for lines of a
# ```c FILE block that FILE does not contain.
named() {
	awk '
		function put(kind, name) {
			if (!((kind, name) in seen) || kind == "link")
				printf "%s:%d\t%s\t%s\n", FILENAME, FNR, kind, name
			seen[kind, name]
		}
		function code(s,    n, part, i) {
			if (s ~ /^[a-z_0-9]+\(\)$/)
				put("function", substr(s, 1, length(s) - 2))
			n = split(s, part, /[ ;`]+/)
			for (i = 1; i <= n; i++) {
				if (part[i] ~ /^T=/) {
					if (part[i] ~ /\//)
						put("path", substr(part[i], 3))
					else
						put("test", substr(part[i], 3))
				} else if (part[i] ~ /^(src|include|tools|tests|docs|cgi|command|schema|nginx|systemd|debian|assets)\/[A-Za-z0-9_.\/-]*$/ && part[i] !~ /ROOM|NAME/)
					put("path", part[i])
				else if (part[i] ~ /^[A-Z]+=(src|include|tests)\//)
					put("path", substr(part[i], index(part[i], "=") + 1))
				else if (part[i] == "make" && part[i + 1] ~ /^[a-z]+$/ && i == 1)
					put("target", part[i + 1])
			}
		}
		FNR == 1 { block = quoted = "" }
		/^```/ {
			if (block == "") {
				block = "```"
				quoted = $2
				split("", lines)
				if (quoted != "") {
					put("path", quoted)
					while ((getline line <quoted) > 0)
						lines[line]
					close(quoted)
				}
			} else
				block = quoted = ""
			next
		}
		block != "" {
			if (quoted != "" && $0 != "" && !($0 in lines))
				put("line", quoted)
			else if (quoted == "" && $0 ~ /^(make|sh) /) {
				line = $0
				sub(/ *#.*/, "", line)
				code(line)
			}
			next
		}
		{
			line = $0
			n = split(line, part, "`")
			for (i = 2; i <= n; i += 2)
				code(part[i])
			while (match(line, /`[A-Za-z0-9_.\/-]+\.md`,? "[^"]+"/)) {
				split(substr(line, RSTART, RLENGTH), cited, /[`"]/)
				line = substr(line, 1, RSTART - 1) substr(line, RSTART + RLENGTH)
				to = cited[2]
				if (to !~ /\//) {
					to = FILENAME
					sub(/[^\/]*$/, cited[2], to)
				}
				put("heading", to "\t" cited[4])
			}
			gsub(/`[^`]*`/, "", line)
			while (match(line, /\]\([^)]*\)/)) {
				to = substr(line, RSTART + 2, RLENGTH - 3)
				line = substr(line, RSTART + RLENGTH)
				sub(/ ".*/, "", to)
				if (to !~ /^(https?:|mailto:)/)
					put("link", to)
			}
		}' $documents
}
# Headings as fragments: lower case, spaces become hyphens, punctuation is omitted.
has_anchor() {
	sed -n 's/^##* *//p' "$1" | tr 'A-Z' 'a-z' | sed 's/[^a-z0-9 _-]//g; s/ /-/g' | grep -qxF -- "$2"
}
tab=$(printf '\t')
found=$(named)
functions=$(grep -rhoE '\b[a-z_0-9]+\(' src include cgi command --include='*.[ch]' | sort -u)
check_named() {
	while IFS=$tab read -r at kind name heading; do
		case $kind in
		heading)
			sed -n 's/^##* *//p' "$name" 2>/dev/null | awk -v heading="$heading" '
				index($0, heading) == 1 && substr($0, length(heading) + 1) !~ /^[A-Za-z0-9_]/ { found = 1 }
				END { exit !found }' || echo "$at: $name has no heading \"$heading\"" ;;
		link)
			to=${name%%#*} base=./${at%:*}
			[ -n "$to" ] && to=${base%/*}/$to || to=$base
			if [ ! -e "$to" ]; then echo "$at: there is no ${to#./}"
			elif [ "$name" != "${name#*#}" ] && ! has_anchor "$to" "${name#*#}"; then echo "$at: $to has no heading #${name#*#}"; fi ;;
		path) [ -e "$name" ] || echo "$at: there is no $name" ;;
		target) grep -qE "^$name:" Makefile || echo "$at: the Makefile has no target $name" ;;
		test) [ -f "tests/unit/$name.c" ] || grep -qE "\b$name\b" tests/one.sh tests/http/access.sh || echo "$at: there is no test $name" ;;
		function) echo "$functions" | grep -qx "$name(" || echo "$at: there is no function $name()" ;;
		line) echo "$at: $name does not have this line" ;;
		esac
	done
}
faults=$(echo "$found" | check_named)
[ -z "$faults" ] || { echo "$faults"; status=1; }

# ---- rooms ----

# Compares the rows of ARCHITECTURE.md with include/*/room.h: their order, and the first sentence of each room.h.
rooms='
	function complain(text) { print "ARCHITECTURE.md:1: " text; bad = 1 }
	function finish() {
		if (room != "" && match(text, /\. /))
			text = substr(text, 1, RSTART)
		if (room != "")
			says[room] = text
		room = text = ""
		done = 0
	}
	FILENAME != "ARCHITECTURE.md" {
		if (FNR == 1) {
			finish()
			split(FILENAME, part, "/")
			room = part[2]
		}
		if (/^ \* Uses: /) {
			uses[room] = $0
			sub(/^ \* Uses: /, "", uses[room])
		}
		if (done || /^ \* (Room|Uses|Folder [a-z]+ uses):/)
			next
		if (/^ \* /) {
			sub(/^ \* +/, "")
			text = text (text == "" ? "" : " ") $0
		} else if (text != "")
			done = 1
		next
	}
	FNR == 1 { finish() }
	/^\| room \|/ { on = 1 }
	/^$/ { on = 0 }
	on && match($0, /^\| `[a-z]+`/) {
		name = substr($0, 4, RLENGTH - 4)
		rank[name] = FNR
		if (!(name in says))
			complain("there is no room " name)
		else if (rewrite)
			$0 = "| `" name "` | " says[name] " |"
		else if ($0 != "| `" name "` | " says[name] " |")
			complain("says something else of the room " name " than include/" name "/room.h (sh tools/documents.sh --rooms)")
	}
	rewrite { print }
	END {
		for (name in says) {
			if (!(name in rank)) {
				complain("the room " name " is not in the list of rooms")
				continue
			}
			n = split(uses[name] == "nothing" ? "" : uses[name], used, " ")
			for (i = 1; i <= n; i++)
				if ((used[i] in rank) && rank[used[i]] > rank[name])
					complain("the room " name " stands above " used[i] ", which it uses")
		}
		exit bad
	}'
if [ -n "$rewrite" ]; then
	awk -v rewrite=1 "$rooms" include/*/room.h ARCHITECTURE.md | grep -v '^ARCHITECTURE.md:1: ' >ARCHITECTURE.new &&
		mv ARCHITECTURE.new ARCHITECTURE.md
	exit
fi
awk "$rooms" include/*/room.h ARCHITECTURE.md || status=1

# ---- packages ----

sed '/^#/d; /^case /,$d' tools/deps.sh | tr " '" '\n\n' | sed -n 's/^\([a-z][a-z0-9.+-]*\)=..*/\1/p' |
	awk -v libraries=$libraries '
		BEGIN {
			while ((getline line <libraries) > 0)
				if (line ~ /^\|.*\|$/) {
					n = split(line, part, "`")
					for (i = 2; i <= n; i += 2)
						row[part[i]]
				}
		}
		!($1 in row) { print libraries ":1: no table says what the package " $1 " is for (tools/deps.sh)"; bad = 1 }
		END { exit bad }' || status=1

# ---- settings ----

# "read NAME" for each variable that a program reads, "word NAME" for each that occurs anywhere in
# its sources. Variables that one program sets for another are no settings.
{
	grep -rhoE '"OCTAVO_[A-Z_]+"' src cgi command tools --include='*.c' | tr -d '"' | sed 's/^/read /'
	grep -rhoE 'OCTAVO_[A-Z_]+' src cgi command tools nginx systemd --include='*.[ch]' --include='*.service' --include='*.conf' \
		--include=htaccess | sed 's/^/word /'
} | sort -u | awk -v settings=$settings '
	function complain(text) { print settings ":1: " text; bad = 1 }
	BEGIN {
		while ((getline line <settings) > 0)
			if (line ~ /^\| `OCTAVO_/) {
				n = split(line, cell, "|")
				m = split(cell[2], part, "`")
				for (i = 2; i <= m; i += 2)
					if (n >= 4)
						row[part[i]]
			}
	}
	$1 == "read" && $2 !~ /^OCTAVO_(LATE|LAUNCHER|TRIAL|TYPESET_CHECK)$/ && !($2 in row) {
		complain("the setting " $2 " is not in the table of settings")
	}
	{ word[$2] }
	END {
		for (name in row)
			if (!(name in word) && name !~ /^OCTAVO_TRANSLATE_/)
				complain("nothing reads the setting " name)
		exit bad
	}' || status=1
exit $status
