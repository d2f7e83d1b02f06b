#!/bin/sh
# Runs the unit test programs named on the command line, as many at a time as
# there are processors; shows what failed. Last line: N passed, N failed, N skipped.
set -u
passed=0 failed=0 skipped=0
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
trap 'exit 130' INT TERM
# The slow ones first: jobs and git wait for other processes.
for t in "$@"; do
	case $t in *test_jobs* | *test_git* | *test_diff | *corpus*) echo "0 $t" ;; *) echo "1 $t" ;; esac
done | sort | cut -d' ' -f2 |
	xargs -P "$(nproc)" -I{} sh -c \
		'CMOCKA_MESSAGE_OUTPUT=stdout "$1" >"$2/${1##*/}" 2>&1 || echo $? >"$2/${1##*/}.status"' - {} "$logs"
for t in "$@"; do
	log=$logs/${t##*/}
	p=$(grep -c '\[       OK \]' "$log") || true
	# Of a group with a name and of one without.
	f=$(sed -n 's/^\[  FAILED  \] \([a-z_]*: \)\{0,1\}\([0-9][0-9]*\) test.*/\2/p' "$log" | tail -1)
	s=$(grep -c '\[  SKIPPED \] [a-z_0-9]*$' "$log") || true
	if [ -e "$log.status" ]; then
		echo "FAILED: $t"
		cat "$log"
		# Whatever it says of itself, what did not end well has failed.
		[ "${f:-0}" -gt 0 ] || f=1
	fi
	passed=$((passed + p)) failed=$((failed + ${f:-0})) skipped=$((skipped + s))
done
echo "unit: $passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
