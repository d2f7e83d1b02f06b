#!/bin/sh
# Runs the HTTP tests: every tests/http/test_*.sh, or those given as arguments, twice as many at a
# time as there are processors, since they wait half of their time (each has its own folder and
# port). A case file (tests/http/cases/*.sh) runs alone, with its own fixture; so do cases (all of
# them), access and sweep (test_cases.sh), or several of them in one argument: 'access sweep'.
#
#   OCTAVO_BUILD  the folder with the programs (default: build)
#   TRANSPORT     for case files: http (default), or cgi
#
# A test prints its failures and ends with the line "N passed, N failed, N skipped"; so does this
# script, even if a signal ends it: a test that has not ended has failed.
set -u
cd "$(dirname "$0")/../.." || exit 2
OCTAVO_BUILD=$(cd "${OCTAVO_BUILD:-build}" && pwd) || exit 2
export OCTAVO_BUILD
. tests/at_exit.sh
[ $# -gt 0 ] || set -- $(ls tests/http/test_*.sh | grep -v test_cases.sh)
passed=0 failed=0 skipped=0
logs=$(mktemp -d)
# Files that a test fails to delete are deleted with the logs; the service may run as another user.
chmod 711 "$logs"
export logs TMPDIR="$logs"

# Counts the results so far, and prints failures.
count() {
	n=0
	for t in "$@"; do
		n=$((n + 1))
		log=$logs/$n.log
		[ -e "$log" ] || { failed=$((failed + 1)); echo "NOT RUN: $t"; continue; }
		status=$(cat "$logs/$n.status" 2>/dev/null || echo 1)
		counts=$(tail -n 1 "$log" | sed -n \
			's/^\([^0-9]* \)\{0,1\}\([0-9]*\) passed, \([0-9]*\) failed, \([0-9]*\) skipped.*/\2 \3 \4/p')
		# A test without a last line has failed, whatever it printed.
		counts=${counts:-0 1 0}
		p=${counts%% *} s=${counts##* } f=${counts#* }
		f=${f% *}
		[ "$status" -eq 0 ] || [ "$f" -gt 0 ] || f=1
		# A function or a variable that is missing in a case file would otherwise make its case disappear
		# without a failure.
		! grep -E '^[^ ]*(sh|lib): [0-9]+: (.*: not found|([^ ]*: )?[a-z0-9_]+: (Permission denied|parameter not set))$' "$log" || f=$((f + 1))
		[ "$f" -eq 0 ] || grep -E '^FAIL' "$log" || tail -n 50 "$log"
		echo "$t: $p passed, $f failed, $s skipped$(cat "$logs/$n.seconds" 2>/dev/null)"
		passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
	done
	echo "http: $passed passed, $failed failed, $skipped skipped"
}

leave() {
	# xargs does not pass signals on: signal the tests directly, which then stop their processes and count.
	for p in "$logs"/*.pid; do
		[ -e "$p" ] || continue
		pid=$(cat "$p")
		kill "$pid" 2>/dev/null
		while kill -0 "$pid" 2>/dev/null; do sleep 0.1; done
	done
	[ -z "$at_exit_signal" ] || { echo "http: ended by SIG$at_exit_signal"; count $tests; }
	rm -rf "$logs"
}
tests=$*
at_exit leave

# Long tests come first, so that the last one does not run alone.
rank() {
	case $1 in
	*cases* | access | *test_api.sh | *test_api_even.sh | *test_access.sh | *test_translate.sh) echo 0 ;;
	sweep | access_* | *test_cgi.sh | *test_pages.sh | *test_openapi.sh) echo 1 ;;
	*test_hosts.sh* | *test_load.sh | *test_shared.sh | *test_deb.sh | *test_up.sh) echo 2 ;;
	*) echo 3 ;;
	esac
}

# N.log, N.pid, N.status and N.seconds belong to the Nth test.
n=0
for t in "$@"; do
	n=$((n + 1))
	case $t in
	tests/http/test_*.sh | */tests/http/test_*.sh | tests/http/test_hosts.sh\ *) echo "$(rank "$t") $n $t" ;;
	*) echo "$(rank "$t") $n tests/http/test_cases.sh $t" ;;
	esac
done | sort -n -k1,1 -k2,2 | cut -d ' ' -f 2- | xargs -P $(($(nproc) * 2)) -L 1 sh -c '
	begin=$(date +%s)
	sh -c "echo \$\$ >\"\$logs/\$0.pid\"; exec sh \"\$@\"" "$0" "$@" >"$logs/$0.log" 2>&1
	echo $? >"$logs/$0.status"
	echo ", $(($(date +%s) - begin)) s" >"$logs/$0.seconds"
	rm -f "$logs/$0.pid"' &
wait $!
if [ -e "$logs/seen.api" ] && [ -e "$logs/seen.even" ] && [ -e "$logs/seen.access" ]; then
	. tests/http/coverage.sh
	coverage >"$logs/$(($# + 1)).log"
	echo 0 >"$logs/$(($# + 1)).status"
	set -- "$@" coverage
fi
count "$@"
[ "$failed" -eq 0 ]
