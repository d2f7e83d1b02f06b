#!/bin/sh
# Runs every fuzzer for some seconds (default 5) on its seeds, one per processor at a time:
#
#   sh tests/fuzz/run.sh [SECONDS [NAME...]]
#
# The programs are build-fuzz/fuzz_NAME (make fuzzers). Each begins with the random seed OCTAVO_SEED
# (default 1, so that two checks do the same); finds are written to build-fuzz/finds. Last line: N
# passed, N failed, N skipped.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/at_exit.sh
seconds=${1:-5}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- markdown summary front config request body page query search expr pdf
passed=0 failed=0
mkdir -p build-fuzz/finds
work=$(mktemp -d)
export work seconds
leave() {
	# xargs does not pass signals on.
	cat "$work"/*.pid 2>/dev/null | xargs -r kill 2>/dev/null
	rm -rf "$work"
}
at_exit leave

# As many at a time as there are processors: a fuzzer has one thread and measures elapsed time.
# -malloc_limit_mb finds runaway memory, -timeout an endless loop; seeds are read, not written.
printf '%s\n' "$@" | xargs -P "$(nproc)" -I{} sh -c '
	mkdir "$work/$0"
	ASAN_OPTIONS=detect_leaks=0 sh -c "echo \$\$ >\"\$work/\$0.pid\"; exec \"\$@\"" "$0" "build-fuzz/fuzz_$0" \
		-seed="${OCTAVO_SEED:-1}" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=4096 -print_final_stats=1 \
		-artifact_prefix=build-fuzz/finds/ "$work/$0" "tests/fuzz/seeds/$0" >"$work/$0.log" 2>&1
	echo $? >"$work/$0.status"
	rm -f "$work/$0.pid"' {} &
wait $!
for name in "$@"; do
	if [ "$(cat "$work/$name.status" 2>/dev/null)" = 0 ]; then
		passed=$((passed + 1))
		echo "$name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$work/$name.log") inputs"
	else
		failed=$((failed + 1))
		echo "FAIL $name"
		tail -n 40 "$work/$name.log"
	fi
done
echo "fuzz: $passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
