#!/bin/sh
# Runs the unit test programs named on the command line, one and a half times as many at a time as
# there are processors; prints failures. Last line: N passed, N failed, N skipped, even if a signal
# ends the run: programs that have not ended by then have failed.
set -u
. "$(dirname "$0")/../at_exit.sh"
passed=0 failed=0 skipped=0
logs=$(mktemp -d)
# Files that a program fails to delete are deleted with the logs.
export logs TMPDIR="$logs"

# Counts the results of the programs so far, and prints failures.
count() {
	for t in "$@"; do
		log=$logs/${t##*/}
		[ -e "$log" ] || { failed=$((failed + 1)); echo "NOT RUN: $t"; continue; }
		p=$(grep -c '\[       OK \]' "$log") || true
		# For a group with a name and for one without.
		f=$(sed -n 's/^\[  FAILED  \] \([a-z_]*: \)\{0,1\}\([0-9][0-9]*\) test.*/\2/p' "$log" | tail -1)
		s=$(grep -c '\[  SKIPPED \] [a-z_0-9]*$' "$log") || true
		status=$(cat "$log.status" 2>/dev/null || echo unknown)
		if [ "$status" != 0 ]; then
			echo "FAILED: $t (status $status)"
			cat "$log"
			# A program with a bad exit status has failed, whatever it printed.
			[ "${f:-0}" -gt 0 ] || f=1
		fi
		passed=$((passed + p)) failed=$((failed + ${f:-0})) skipped=$((skipped + s))
	done
	echo "slowest: $(for t in "$@"; do echo "$(cat "$logs/${t##*/}.seconds" 2>/dev/null || echo 0) s ${t##*/}"; done |
		sort -rn | head -n 8 | paste -sd, | sed 's/,/, /g')"
	echo "unit: $passed passed, $failed failed, $skipped skipped"
}

leave() {
	# xargs does not pass signals on.
	cat "$logs"/*.pid 2>/dev/null | xargs -r kill 2>/dev/null
	[ -z "$at_exit_signal" ] || { echo "unit: ended by SIG$at_exit_signal"; count $programs; }
	rm -rf "$logs"
}
programs=$*
at_exit leave

# The slow ones come first: tests of jobs and git wait for other processes, while others use the processors.
for t in "$@"; do
	case $t in *test_jobs* | *test_git* | *test_request | *test_order* | *test_fault | *test_salvage | *test_migrate | *test_diff | *test_access_model | *corpus*) echo "0 $t" ;; *) echo "1 $t" ;; esac
done | sort | cut -d' ' -f2 | CMOCKA_MESSAGE_OUTPUT=stdout xargs -P $((($(nproc) * 3 + 1) / 2)) -I{} sh -c '
	log=$logs/${0##*/}
	begin=$(date +%s)
	sh -c "echo \$\$ >\"\$1.pid\"; exec \"\$0\"" "$0" "$log" >"$log" 2>&1
	echo $? >"$log.status"
	echo $(($(date +%s) - begin)) >"$log.seconds"
	rm -f "$log.pid"' {} &
wait $!
count "$@"
[ "$failed" -eq 0 ]
