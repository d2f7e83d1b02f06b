#!/bin/sh
# Unit tests over PostgreSQL: those that open a database, linked with wrap.c, beside one server.
#
#   sh tests/postgres/units.sh [TEST...]
#
# OCTAVO_BUILD is the folder with the programs. units.txt lists the tests that fail, and why: others
# that fail, and listed ones that pass, are failures here. Last line: N passed, N failed, N skipped.
set -u
cd "$(dirname "$0")/../.." || exit 2
build=${OCTAVO_BUILD:-build}
[ -n "${OCTAVO_TEST_DB:-}" ] || exec sh tests/postgres/server.sh sh "$0" "$@"
skipped=0
if [ $# -eq 0 ]; then
	skipped=$(grep -c '^test_' tests/postgres/units.txt)
	for file in tests/postgres/test_*.c $(grep -lE '_fixture\.h"|db_open\(' tests/unit/test_*.c); do
		name=$(basename "$file" .c)
		grep -q "^$name  *all " tests/postgres/units.txt || set -- "$@" "$name"
	done
fi
targets=
for name in "$@"; do targets="$targets $build/postgres/$name"; done
# shellcheck disable=SC2086
${MAKE:-make} -s -j"$(nproc)" $targets || exit 1
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
export logs
# The snapshot of a server, by which answers are kept, covers all of its databases: tests of that have a server of their own.
# shellcheck disable=SC2086
printf '%s\n' $targets | CMOCKA_MESSAGE_OUTPUT=stdout xargs -P "$(nproc)" -I{} sh -c '
	case $0 in */test_answers | */test_recall) set -- sh tests/postgres/server.sh ;; *) set -- ;; esac
	timeout 900 "$@" "$0" >"$logs/${0##*/}" 2>&1 || echo "ended with status $?" >>"$logs/${0##*/}"' {}
passed=0 failed=0
for name in "$@"; do
	known=$(sed -n "s/^$name  *\([a-z_0-9]*\) .*/\1/p" tests/postgres/units.txt)
	ok=$(sed -n 's/^.*\[       OK \] //p' "$logs/$name")
	# A program that ended early has neither passed nor failed the test that it was in.
	bad=$({ sed -n 's/^\[  FAILED  \] \([a-z_0-9]*\)$/\1/p' "$logs/$name"
		grep -q 'test(s) run\.$' "$logs/$name" || sed -n 's/^\[ RUN      \] //p' "$logs/$name" | tail -n 1; } | sort -u)
	passed=$((passed + $(printf '%s' "$ok" | grep -c .)))
	for test in $bad; do
		printf '%s\n' "$known" | grep -qx "$test" && continue
		failed=$((failed + 1))
		echo "FAILED: $name $test"
		grep -E 'panic:|ERROR|LINE|ended with' "$logs/$name" | head -n 8
	done
	for test in $ok; do
		printf '%s\n' "$known" | grep -qx "$test" || continue
		failed=$((failed + 1))
		echo "FAILED: $name $test passes: take it off tests/postgres/units.txt"
	done
	# Without the corpus, a program may have nothing to run.
	missing=$(sed -n 's/^\[  SKIPPED \] \([a-z_0-9]*\)$/\1/p' "$logs/$name" | sort -u | grep -c .)
	skipped=$((skipped + missing))
	[ -n "$ok$bad" ] || [ "$missing" -gt 0 ] || { failed=$((failed + 1)); echo "FAILED: $name"; tail -n 5 "$logs/$name"; }
done
echo "unit: $passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
