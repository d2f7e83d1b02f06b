#!/bin/sh
# Interrupted tests leave nothing in the temporary folder, and print their results so far.
# OCTAVO_BUILD: folder of the programs (default: build). Last line: N passed, N failed, N skipped.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/at_exit.sh
OCTAVO_BUILD=$(cd "${OCTAVO_BUILD:-build}" && pwd) || exit 2
# Directly in /tmp, whatever TMPDIR is: unit tests set a TMPDIR that is too long for sockets (temp_dir.h).
tmp=$(mktemp -d /tmp/oi-XXXXXX)
leave() { rm -rf "$tmp"; }
at_exit leave
passed=0 failed=0
export OCTAVO_BUILD TMPDIR="$tmp/in"
mkdir "$TMPDIR"
# The service of the HTTP tests may run as another user.
chmod 711 "$tmp" "$TMPDIR"

# until_true COMMAND...: repeats the command; for a minute on an idle machine, longer on a busy one
until_true() {
	ut_n=600
	until "$@" >/dev/null 2>&1; do
		[ $ut_n -gt 0 ] || return 1
		sleep 0.1
		ut_n=$((ut_n - 1))
	done
}

something() { [ -n "$(find "$TMPDIR" -path "$1" 2>/dev/null)" ]; }
nothing() { [ -z "$(ls -A "$TMPDIR")" ]; }
ended() { ! kill -0 "$1"; }

# interrupt SIGNAL PATH COMMAND...: signals the command once a file matches PATH.
interrupt() {
	signal=$1 path=$2
	shift 2
	# Background processes of a shell ignore INT, those of nohup ignore HUP, and so do their children.
	env --default-signal=INT,HUP,TERM "$@" >"$tmp/out" 2>&1 &
	pid=$!
	until_true something "$TMPDIR/$path" || echo "nothing of $path: $(cat "$tmp/out")"
	kill "-$signal" "$pid"
	wait "$pid"
	status=$?
	# A process that outlives a unit test removes its directories.
	if [ $status -ne 0 ] && until_true nothing; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL $* ended by $signal: status $status, left: $(find "$TMPDIR" | head -n 5)"
		rm -rf "$TMPDIR"
		mkdir "$TMPDIR"
	fi
}

# says PATTERN: the last line of the interrupted test must match
says() {
	if tail -n 1 "$tmp/out" | grep -qE "$1"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL no /$1/ at the end of: $(tail -n 3 "$tmp/out")"
	fi
}

counts='[0-9]+ passed, [1-9][0-9]* failed, [0-9]+ skipped$'
for s in INT TERM HUP; do
	interrupt $s 'octavo-*/*/octavo.db' "$OCTAVO_BUILD/tests/test_access_model"
	interrupt $s '*/octavo-*/*/octavo.db' sh tests/unit/run.sh "$OCTAVO_BUILD/tests/test_access_model" \
		"$OCTAVO_BUILD/tests/test_order_key" "$OCTAVO_BUILD/tests/test_slug"
	says "^unit: $counts"
	interrupt $s '*/data/octavo.db' sh tests/http/test_load.sh
	says "^$counts"
done
# Even after SIGKILL.
interrupt KILL 'octavo-*/*/octavo.db' "$OCTAVO_BUILD/tests/test_access_model"
interrupt TERM '*/*/data/octavo.db' sh tests/http/run.sh tests/http/cases/50_content.sh tests/http/test_up.sh
says "^http: $counts"
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
