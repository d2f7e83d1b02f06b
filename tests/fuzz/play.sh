#!/bin/sh
# Gives the seeds of each fuzzer, as they are and randomly damaged, to sanitized programs that gcc has
# built (make players), for some seconds (default 4), one per processor at a time:
#
#   sh tests/fuzz/play.sh [SECONDS]
#
# OCTAVO_SEED (default 1) chooses the damages. An input that ends a program stays in build-san/finds.
# Last line: N passed, N failed, N skipped. `make fuzz` searches with libFuzzer instead.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/at_exit.sh
seconds=${1:-4}
passed=0 failed=0
mkdir -p build-san/finds
work=$(mktemp -d)
export work seconds
leave() {
	# xargs does not pass signals on.
	cat "$work"/*.pid 2>/dev/null | xargs -r kill 2>/dev/null
	rm -rf "$work"
}
at_exit leave
ls tests/fuzz/seeds | xargs -P "$(nproc)" -I{} sh -c '
	ASAN_OPTIONS=detect_leaks=0 sh -c "echo \$\$ >\"\$work/\$0.pid\"; exec \"\$@\"" "$0" "build-san/play_$0" \
		"build-san/finds/$0" "${OCTAVO_SEED:-1}" "$seconds" "tests/fuzz/seeds/$0" >"$work/$0.log" 2>&1
	echo $? >"$work/$0.status"
	rm -f "$work/$0.pid"' {} &
wait $!
for name in $(ls tests/fuzz/seeds); do
	if [ "$(cat "$work/$name.status" 2>/dev/null)" = 0 ]; then
		passed=$((passed + 1))
		echo "$name: $(cat "$work/$name.log")"
	else
		failed=$((failed + 1))
		echo "FAIL $name: the input is build-san/finds/$name"
		tail -n 40 "$work/$name.log"
	fi
done
echo "fuzz: $passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
