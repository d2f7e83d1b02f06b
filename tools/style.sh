#!/bin/sh
# The house rules that a machine can check: banned functions, which files may use which library,
# lengths of functions and files, portable SQL. Prints FILE:LINE: MESSAGE; exits with 1 if a rule is
# broken. Checks the given files, or all C files and test cases of the project.
set -u
cd "$(dirname "$0")/.." || exit 2
status=0
if [ $# -eq 0 ]; then
	set --
	for f in include/*/*.h cgi/*.c src/*/*.[ch] src/*/*/*.[ch] command/*.[ch] command/*/*.[ch] tools/build/*.c tests/*/*.c tests/*/cases/*; do
		[ -f "$f" ] && set -- "$@" "$f"
	done
fi
LC_ALL=C awk -f tools/style.awk "$@" || status=1

# A header guarded by another header's name would be silently empty.
grep -H '^#ifndef OCTAVO_.*_H$' include/*/*.h | sort -t: -k2 | awk -F: '
	$2 == last { print $1 ":1: has the same guard as another header"; bad = 1 }
	{ last = $2 }
	END { exit bad }' || status=1
# Each source file begins with a comment on its purpose.
awk 'FNR == 1 && !/^\/\*/ { print FILENAME ":1: does not open with a comment that says what the file is for"; bad = 1 }
	END { exit bad }' cgi/*.c command/*.c command/*/*.c src/*/*.c src/*/*/*.c || status=1
# Databases count their migrations: the Nth file is step N, so a duplicate or missing number would
# shift all steps after it.
ls schema/*.sql | awk '{ split($0, part, "[/_]"); if (part[2] + 0 != NR) { print $0 ":1: is step " NR; exit 1 } }' || status=1
# Lines that begin alike are two versions of one line: merges keep both.
awk '/^- / { k = substr($0, 1, 60); if (k in seen) { print FILENAME ":" NR ": begins like line " seen[k]; bad = 1 } seen[k] = NR }
	END { exit bad }' CHANGELOG.md || status=1
sh tools/rooms.sh || status=1
sh tools/documents.sh || status=1
sh tools/citations.sh || status=1
[ $status -ne 0 ] || echo "style: $# files, nothing to say"
exit $status
