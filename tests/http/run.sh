#!/bin/sh
# Runs the HTTP tests: every tests/http/test_*.sh, or those that are named, as
# many at a time as there are processors (each has its own folder and port).
# OCTAVO_BUILD is the folder with the programs (default: build). A test prints
# what fails and ends with the line "N passed, N failed, N skipped"; so does this.
set -u
cd "$(dirname "$0")/../.." || exit 2
OCTAVO_BUILD=$(cd "${OCTAVO_BUILD:-build}" && pwd) || exit 2
export OCTAVO_BUILD
[ $# -gt 0 ] || set -- tests/http/test_*.sh
passed=0 failed=0 skipped=0 all=''
logs=$(mktemp -d)
export logs

leave() {
	trap '' INT TERM HUP
	# xargs passes nothing on: the tests get the signal themselves, and stop what they started.
	if [ -n "$all" ]; then
		cat "$logs"/*.pid 2>/dev/null | xargs -r kill 2>/dev/null
		kill "$all" 2>/dev/null
		wait "$all" 2>/dev/null
	fi
	rm -rf "$logs"
}
trap leave EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# N.log, N.pid, N.status for the Nth test.
n=0
for t in "$@"; do
	n=$((n + 1))
	echo "$n $t"
done | xargs -P "$(nproc)" -L 1 sh -c '
	sh "$1" >"$logs/$0.log" 2>&1 &
	echo $! >"$logs/$0.pid"
	wait $!
	echo $? >"$logs/$0.status"
	rm -f "$logs/$0.pid"' &
all=$!
wait $all
all=''

n=0
for t in "$@"; do
	n=$((n + 1))
	log=$logs/$n.log
	status=$(cat "$logs/$n.status" 2>/dev/null || echo 1)
	counts=$(tail -n 1 "$log" | sed -n \
		's/^\([^0-9]* \)\{0,1\}\([0-9]*\) passed, \([0-9]*\) failed, \([0-9]*\) skipped.*/\2 \3 \4/p')
	# A test that does not come to its end has failed, whatever it says.
	counts=${counts:-0 1 0}
	p=${counts%% *} s=${counts##* } f=${counts#* }
	f=${f% *}
	[ "$status" -eq 0 ] || [ "$f" -gt 0 ] || f=1
	[ "$f" -eq 0 ] || grep -E '^FAIL' "$log" || tail -n 50 "$log"
	echo "$t: $p passed, $f failed, $s skipped"
	passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
done
echo "http: $passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
