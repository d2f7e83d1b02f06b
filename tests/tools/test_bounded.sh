#!/bin/sh
# tests/bounded.sh ends programs that use too much time or do nothing, and no others. Last line: N
# passed, N failed, N skipped.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/at_exit.sh
tmp=$(mktemp -d)
leave() { rm -rf "$tmp"; }
at_exit leave
passed=0 failed=0

# ends NAME STATUS PATTERN CPU IDLE COMMAND...
ends() {
	name=$1 want=$2 pattern=$3
	shift 3
	sh tests/bounded.sh "$@" >"$tmp/out" 2>&1
	got=$?
	if [ $got -eq "$want" ] && grep -qE "$pattern" "$tmp/out"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL $name: status $got: $(cat "$tmp/out")"
	fi
}

ends 'a good program ends with 0' 0 '^words$' 10 100 echo words
ends 'the status of a program is passed on' 3 '^words$' 10 100 sh -c 'echo words; exit 3'
ends 'a sleeping program is ended' 124 'did nothing for 3' 10 3 sleep 600
ends 'a program with a sleeping child is ended' 124 'did nothing for 3' 10 3 sh -c 'sleep 600; :'
ends 'a program that sleeps for a while goes on' 0 '^awake$' 10 30 sh -c 'sleep 2; echo awake'
ends 'a busy program is ended' 124 'more than 1 seconds' 1 100 sh -c 'while :; do :; done'
ends 'a program with a busy child is ended' 124 'more than 1 seconds' 1 100 sh -c 'sh -c "while :; do :; done"; :'
ends 'time of ended children counts' 124 'more than 0 seconds' 0 100 \
	sh -c 'i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done; (i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done); sleep 600'
# Its children end as well.
ends 'the child of an ended program is ended' 124 'did nothing for 3' 10 3 sh -c 'sleep 600 & echo $! >"$0"; wait' "$tmp/child"
child=$(cat "$tmp/child")
# A zombie has ended; SIGKILL takes some time on a busy machine.
alive() { grep -s '^State:' "/proc/$child/status" | grep -qv Z; }
n=100
while alive && [ $n -gt 0 ]; do
	sleep 0.1
	n=$((n - 1))
done
if alive; then
	failed=$((failed + 1))
	echo 'FAIL a child of what was ended lives on'
	kill "$child"
else
	passed=$((passed + 1))
fi
ends 'an ended program says what it has' 124 '^counted$' 10 3 sh -c 'trap "echo counted; exit 1" TERM; sleep 600 & wait'
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
