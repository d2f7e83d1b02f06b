#!/bin/sh
# Losses of power at random moments of recorded writes: a sample for the checks. `make power` tries
# more, in runs of a thousand, each with its own writes: SEED names the first (tests/fault/power.py).
set -u
case $OCTAVO_BUILD in
*-san) echo '0 passed, 0 failed, 1 skipped'; exit 0 ;;
esac
crashes=${OCTAVO_CRASHES:-60} seed=${OCTAVO_SEED:-1}
unset OCTAVO_CRASHES OCTAVO_SEED
[ "$crashes" -gt 1000 ] || exec python3 tests/fault/power.py "$OCTAVO_BUILD" "$crashes" "$seed" 25
passed=0 failed=0
while [ "$crashes" -gt 0 ]; do
	out=$(python3 tests/fault/power.py "$OCTAVO_BUILD" 1000 "$seed" 60)
	echo "seed $seed: $out"
	# shellcheck disable=SC2046
	set -- $(printf '%s\n' "$out" | tail -n 1 | tr -dc '0-9 ')
	passed=$((passed + ${1:-0})) failed=$((failed + ${2:-1}))
	crashes=$((crashes - 1000)) seed=$((seed + 1))
done
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
