#!/bin/sh
# The style check finds every breach of its rules, and nothing else. Each case is a separate file:
# breach PATH PATTERN TEXT must be reported, clean PATH TEXT must not.
set -u
rules=$(cd "$(dirname "$0")/../../tools" && pwd)/style.awk
. "$(dirname "$0")/../at_exit.sh"
tmp=$(mktemp -d)
leave() { rm -rf "$tmp"; }
at_exit leave
passed=0 failed=0

check() {
	mkdir -p "$tmp/$(dirname "$1")"
	printf '%b\n' "$2" >"$tmp/$1"
	(cd "$tmp" && LC_ALL=C awk -f "$rules" "$1")
}

breach() {
	out=$(check "$1" "$3")
	status=$?
	if [ $status -eq 1 ] && printf '%s\n' "$out" | grep -qE "$2"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL not seen: $3 (status $status, output: $out)"
	fi
}

clean() {
	if out=$(check "$1" "$2"); then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL not a breach: $2 ($out)"
	fi
}

# A function of N lines, a file of N lines.
function_of() { awk -v n="$1" 'BEGIN { printf "int\\nf(void)\\n{\\n"; while (n-- > 0) printf "\\tg();\\n"; printf "}" }'; }
lines() { awk -v n="$1" 'BEGIN { while (--n > 0) printf "int a;\\n"; printf "int a;" }'; }

breach src/base/a.c ':1: strcpy\(\) is banned' '\tstrcpy(a, b);'
breach src/base/a.c ':2: sprintf\(\) is banned' '\tint n;\n\tn = sprintf (a, "x");'
breach src/base/a.c 'atoi\(\) is banned' '\treturn atoi(s) + 1;'
breach src/base/a.c 'gmtime\(\) is banned' 'x = gmtime(&t);'
breach src/base/a.c 'qsort\(\) is banned: use sort_list' '\tqsort(a, n, 1, f);'
breach src/base/a.c 'malloc\(\) is banned' '\tp = malloc(3);'
breach src/base/a.c 'typedef' 'typedef int number;'
clean src/base/arena.c '\tp = malloc(3);'
clean src/base/a.c '\tmy_strcpy(a, b);\n\tx->malloc(3);\n\tgmtime_r(&t, &tm);'
clean src/base/a.c '/* strcpy(a, b) */\n// malloc(3)\nconst char *s = "strcpy(a, b) \\"malloc(";'
clean src/base/a.c '/*\n * malloc(3)\n */\nint a;'
clean src/base/a.c '\tp = malloc(3);   /* style: the library frees it */'
breach src/base/a.c ':1: this excuse is not needed' '\tp = 0;   /* style: the library frees it */'
breach tests/unit/a.c 'strtok\(\) is banned' '\tstrtok(a, b);'
clean tests/unit/a.c '\tsystem("true");\n\tsrand(1);\n\tp = malloc(3);'
breach tools/a.c 'system\(\) is banned' '\tsystem("true");'

breach src/api/a.c 'sqlite3_\* belongs' '\tsqlite3_step(q);'
clean src/db/sqlite/db_x.c '\tsqlite3_step(q);'
breach src/base/a.c 'FCGX_\* belongs' '\tFCGX_Init();'
clean cgi/a.c '\tFCGX_Init();'
breach src/base/a.c 'libgit2 belongs' '#include <git2.h>'
breach src/base/a.c 'libgit2 belongs' '#include <git2/sys/repository.h>'
clean src/git/git_x.c '#include <git2.h>'
clean src/jobs/a.c '\tgit_fetch(&q);'

breach src/api/a.c 'IS NULL' 'SQL(q, "SELECT a FROM b WHERE :x IS NULL OR a = :x");'
breach src/api/a.c 'NOT DISTINCT' 'SQL(q, "SELECT a FROM b WHERE a IS :x");'
breach src/api/a.c 'LIMIT -1' 'SQL(q, "SELECT a FROM b LIMIT -1");'
breach src/api/a.c 'JSON is read in C' "SQL(q, \"SELECT a ->> '\$.b' FROM b\");"
breach src/api/a.c 'two arguments' 'SQL(q, "SELECT max(:now, COALESCE(a, 0)) FROM b");'
clean src/api/a.c 'SQL(q, "SELECT max(a), b FROM b");'
breach src/api/a.c 'reserved' 'SQL(q, "SELECT a FROM user WHERE b");'
breach src/api/a.c 'only SQLite' 'SQL(q, "SELECT rowid FROM b");'
clean src/search/a.c 'SQL(q, "SELECT rowid FROM b WHERE b MATCH :q");'
clean src/api/a.c 'SQL(q, "SELECT a FROM b WHERE CAST(:x AS TEXT) IS NULL OR a = :x");'

clean src/base/a.c "$(function_of 60)"
breach src/base/a.c ':3: the function has 61 lines' "$(function_of 61)"
clean src/base/a.c "$(lines 800)"
breach src/base/a.c 'the file has 801 lines' "$(lines 801)"
breach src/base/a.c ':1: white space' 'int a; '
breach src/base/a.c 'carriage return' 'int a;\r'
breach src/base/a.c 'has 161 bytes' "$(printf '%0161d' 0)"
breach tests/http/cases/a.sh ':2: the line has 160 bytes; lines of tests end before column 160' "a\n$(printf '%0160d' 0)"
breach tests/client/cases/a.mjs 'has 160 bytes' "$(printf '%0160d' 0)"
clean tests/http/cases/a.sh "$(printf '%0159d' 0)\n\tstrcpy(a, b);  "

# Dependencies between rooms: tools/rooms.sh on a tree of two.
arrows() {
	rm -rf "$tmp/tree"
	mkdir -p "$tmp/tree/src/low/part" "$tmp/tree/src/high" "$tmp/tree/include/low" "$tmp/tree/include/high"
	printf '/*\n * Room: low\n * Uses: %s\n */\n' "$1" >"$tmp/tree/include/low/room.h"
	printf '/*\n * Room: high\n * Uses: low\n */\n' >"$tmp/tree/include/high/room.h"
	printf '%s\n' "$2" | tee "$tmp/tree/src/low/part/a.c" >"$tmp/tree/src/low/a.c"
	printf '#include "low/a.h"\n' >"$tmp/tree/include/high/b.h"
	sh "$(dirname "$rules")/rooms.sh" "$tmp/tree" 2>&1
}

out=$(arrows nothing '#include "low/a.h"') && passed=$((passed + 1)) || { failed=$((failed + 1)); echo "FAIL arrow down: $out"; }
for case in 'nothing|#include "high/b.h"|may not use high' 'high|int a;|in a circle' \
	'nothing|#include "../other/b.h"|low/part/a.c:1: a folder of a room'; do
	out=$(arrows "${case%%|*}" "$(echo "$case" | cut -d'|' -f2)") && out='nothing said'
	case $out in
	*"${case##*|}"*) passed=$((passed + 1)) ;;
	*) failed=$((failed + 1)); echo "FAIL $case: $out" ;;
	esac
done

# The same by the linker: the sources of high and low, and the message about them.
linked() {
	arrows "$1" 'int low(void) { return 1; }' >/dev/null
	mkdir -p "$tmp/tree/o/src/low" "$tmp/tree/o/src/high"
	: >"$tmp/tree/src/low/part/a.c"
	rm "$tmp/tree/include/high/b.h"
	echo "$2" | tr '@' '\n' | while read -r file text; do
		echo "$text" >"$tmp/tree/src/$file.c"
		cc -w -c -o "$tmp/tree/o/src/$file.o" "$tmp/tree/src/$file.c" || exit 2
	done
	# An object left by a deleted source.
	echo 'int high(void); int gone(void) { return high(); }' | cc -w -x c -c -o "$tmp/tree/o/src/low/gone.o" -
	sh "$(dirname "$rules")/rooms.sh" "$tmp/tree" o 2>&1
}
circle='@low/a int b(void); int a(void) { return b(); }@low/b int c(void); int b(void) { return c(); }@low/c int d(void); int c(void) { return d(); }@low/d int e(void); int d(void) { return e(); }'
high='high/a int low(void); int high(void) { return low(); }@low/low int low(void) { return 1; }'
for case in "nothing|$high|-" "nothing|high/a int high;@low/a int low;|high/room.h:1: names the room low, which nothing" \
	"nothing|$high@low/up int high(void); int up(void) { return high(); }|low/up.c:1: uses high() of the room high" \
	"nothing|$high$circle@low/e int a(void); int e(void) { return a(); }|-" \
	"nothing|$high$circle@low/e int f(void); int e(void) { return f(); }@low/f int a(void); int f(void) { return a(); }|more than four other files:"; do
	out=$(linked "${case%%|*}" "$(echo "$case" | cut -d'|' -f2)") && out=-
	case $out in
	*"${case##*|}"*) passed=$((passed + 1)) ;;
	*) failed=$((failed + 1)); echo "FAIL $case: $out" ;;
	esac
done

# References of documents: tools/documents.sh on a copy with one changed line.
checkout=$(cd "$(dirname "$rules")/.." && pwd)
mkdir "$tmp/whole"
for part in LICENSE Makefile compose.yaml include src cgi command tools nginx systemd schema assets tests debian; do
	ln -s "$checkout/$part" "$tmp/whole/$part"
done
cp -r "$checkout"/*.md "$checkout/docs" "$tmp/whole"
mkdir "$tmp/as_is"
cp -r "$checkout"/*.md "$checkout/docs" "$tmp/as_is"
documents() {
	sed "$2" "$tmp/as_is/$1" >"$tmp/whole/$1"
	sh "$checkout/tools/documents.sh" "$tmp/whole" 2>&1
	documents_status=$?
	cp "$tmp/as_is/$1" "$tmp/whole/$1"
	return $documents_status
}
out=$(documents README.md '') && passed=$((passed + 1)) || { failed=$((failed + 1)); echo "FAIL documents: $out"; }
head -c 6000 /dev/zero | tr '\0' x >"$tmp/long"
for case in 'ARCHITECTURE.md|/^| `pdf` |/d|the room pdf is not in' \
	'ARCHITECTURE.md|/^| `sync` /{p;s/sync/nothing/;}|there is no room nothing' \
	'ARCHITECTURE.md|/^| `computed` |/{h;d;};/^| `reader` |/{p;x;}|the room links stands above computed' \
	'ARCHITECTURE.md|s/^| `render` | .*/| `render` | Draws. |/|something else of the room render' \
	'docs/design/libraries.md|s/`libyaml-dev`/libyaml/|what the package libyaml-dev is for' \
	'docs/operate/settings.md|/^| `OCTAVO_CORS`/d|the setting OCTAVO_CORS is not' \
	'docs/operate/settings.md|s/^| `OCTAVO_CORS`/| `OCTAVO_CROSS`/|nothing reads the setting OCTAVO_CROSS' \
	"README.md|1r $tmp/long|a first page has 6144 at most" 'README.md|s,docs/start/git.md,docs/start/got.md,|there is no docs/start/got.md' \
	'README.md|s/`make tarball`/`make tarballs`/|no target tarballs' 'README.md|s,tools/check.sh,tools/chick.sh,|there is no tools/chick.sh' \
	'CONTRIBUTING.md|s/T=test_search/T=test_serch/|there is no test test_serch' 'CONTRIBUTING.md|s/if (list_open/if (lists_open/|teams.c does not have this line' \
	'ARCHITECTURE.md|s/`sync_run()`/`sync_ran()`/|there is no function sync_ran()' 'docs/design/README.md|s/(search.md)/(search.md#x)/|no heading #x' \
	'docs/people/roles.md|s/(flags.md)/(flag.md)/|there is no docs/people/flag.md' \
	'docs/design/import.md|s/`security.md`, "S19"/`security.md`, "S29"/|docs/design/security.md has no heading "S29"'; do
	out=$(documents "${case%%|*}" "$(c=${case#*|}; printf '%s' "${c%|*}")") && out='nothing said'
	case $out in
	*"${case##*|}"*) passed=$((passed + 1)) ;;
	*) failed=$((failed + 1)); echo "FAIL $case: $out" ;;
	esac
done

# Global state: tools/globals.sh on three objects and a list of two.
mkdir -p "$tmp/state/tools" "$tmp/state/o/src/low" "$tmp/state/src/low" "$tmp/state/cgi" "$tmp/state/command"
globals() {
	printf '## What is global\n\n| files | what |\n| --- | --- |\n%b\n## Next\n' "$1" >"$tmp/state/ARCHITECTURE.md"
	printf '# FILE OBJECT REASON\n%b' "$2" >"$tmp/state/tools/global.txt"
	sh "$(dirname "$rules")/globals.sh" o "$tmp/state" 2>&1
}
for file in 'a static int n; int *f(void) { return \&n; }' 'b const int n = 1; static const char *const t[] = { "x" }; const char *g(void) { return t[n]; }' \
	'c static int q_x_slot; int *h(void) { return \&q_x_slot; }'; do
	echo "$file" | sed 's/^. //; s/\\//g' >"$tmp/state/src/low/${file%% *}.c"
	cc -w -fPIE -c -o "$tmp/state/o/src/low/${file%% *}.o" "$tmp/state/src/low/${file%% *}.c"
done
a='| `src/low/a.c` | n |\n' n='src/low/a.c n counts calls\n'
for case in "$a#$n#-" "#$n#a.c:1: keeps state that" "| \`src/low/a.c\` \`src/low/b.c\` | n |\n#$n#src/low/b.c keeps no state" \
	"$a##a.c:1: n is mutable" "$a#src/low/a.c n\n#has no reason" "$a#${n}src/low/a.c m it was there\n#no such object any more"; do
	out=$(globals "${case%%#*}" "$(printf '%s' "$case" | cut -d'#' -f2)\n") && out=-$out
	case $out in
	*"${case##*#}"*) passed=$((passed + 1)) ;;
	*) failed=$((failed + 1)); echo "FAIL $case: $out" ;;
	esac
done

# Citations in comments: tools/citations.sh on a tree with two documents.
mkdir -p "$tmp/cited/src/low" "$tmp/cited/docs/design" "$tmp/cited/include/low" "$tmp/cited/schema" "$tmp/cited/tests/http"
printf '# One\n\n## Order of lists\n\n## S1: two ids\n' >"$tmp/cited/docs/design/one.md"
printf '# Rules\n' >"$tmp/cited/include/low/rules.md"
cites() {
	rm -f "$tmp"/cited/src/low/* "$tmp"/cited/schema/* "$tmp"/cited/tests/http/*
	printf '%b\n' "$2" >"$tmp/cited/$1"
	sh "$(dirname "$rules")/citations.sh" "$tmp/cited" 2>&1
}
for case in 'src/low/a.c|/* docs/design/one.md, "Order of lists". */|-' 'src/low/a.c|/*\n * Newest first (docs/design/one.md, "Order\n * of lists").\n */|-' \
	'src/low/a.c|/* (docs/design/one.md, "S1" and "Order of lists"), see low/rules.md. */|-' \
	'src/low/a.c|/* x.md, NAME.md, a/README.md, "guide/b.md", [a](b.md "c"), ../c.md, all *.md */\nconst char *s = "d.md"; // http://e|-' \
	'src/low/a.c|/* gaps.md, "Lists" */|low/a.c:1: cites gaps.md,' 'src/low/a.c|int a;\n// As in security.md S1.|low/a.c:2: cites security.md,' \
	'src/low/a.c|/*\n * A rule\n * (design/one.md).\n */|low/a.c:3: cites design/one.md,' \
	'src/low/a.c|/* docs/design/one.md, "Order" "S" */|has no heading "S"' 'src/low/a.c|/* docs/design/one.md, "Order of\n * things" */|has no heading "Order of things"' \
	'src/low/a.h|int a; /* api.md */|low/a.h:1: cites' 'schema/0001_a.sql|a TEXT, -- see api.md|0001_a.sql:1: cites' \
	'tests/http/a.sh|# see\n# api.md\necho api.md|a.sh:2: cites' 'tests/http/a.mjs|// see api.md|a.mjs:1: cites' 'tests/http/a.sh|echo "# Home" >a/gaps.md|-'; do
	out=$(cites "${case%%|*}" "$(printf '%s\n' "$case" | cut -d'|' -f2)") && out=-$out
	case $out in
	*"${case##*|}"*) passed=$((passed + 1)) ;;
	*) failed=$((failed + 1)); echo "FAIL $case: $out" ;;
	esac
done
# The imported manual contains no page of docs/design, and its pages link to none.
design=$(cd "$(dirname "$rules")/.." && grep -nE '\]\([^)]*design/' docs/*.md docs/[!d]*/*.md)
if [ -z "$design" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL the manual links to docs/design: $design"; fi

# Not every machine resolves the name localhost; an address always works. Passkeys need a name, which Chromium resolves
# itself; so does curl, in shell scripts.
named=$(grep -rnE 'https?://localhost:(%d|\$)' tests --include=*.c --include=*.mjs | grep -v tests/passkey/)
if [ -z "$named" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL tests need localhost in /etc/hosts: $named"; fi
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
