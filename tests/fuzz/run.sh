#!/bin/sh
# Runs every fuzzer for some seconds (default 5) on its seeds, one per processor at a time:
#
#   sh tests/fuzz/run.sh [play] [SECONDS [NAME...]]
#
# The programs are build-fuzz/fuzz_NAME (make fuzzers; libFuzzer), or with play build-san/play_NAME
# (make players; play.c). Each begins with the random seed OCTAVO_SEED (default 1, so that two checks do
# the same); finds are written to the folder finds beside them. Last line: N passed, N failed, N skipped.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/at_exit.sh
how=search
[ "${1-}" != play ] || { how=play; shift; }
seconds=${1:-5}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- markdown summary front config request body page query search hook mcp archive message expr pdf document yaml json html \
	address image merge objects order openapi js csv source token saml
passed=0 failed=0
work=$(mktemp -d)
export work seconds how
leave() {
	# xargs does not pass signals on.
	cat "$work"/*.pid 2>/dev/null | xargs -r kill 2>/dev/null
	rm -rf "$work"
}
at_exit leave
mkdir -p build-fuzz/finds build-san/finds

# As many at a time as there are processors: a fuzzer has one thread and measures elapsed time.
# -malloc_limit_mb finds runaway memory, -timeout an endless loop; seeds are read, not written.
printf '%s\n' "$@" | xargs -P "$(nproc)" -I{} sh -c '
	seeds=tests/fuzz/seeds/$0 seed=${OCTAVO_SEED:-1} log=$work/$0.log
	mkdir "$work/$0"
	if [ $how = play ]; then
		set -- "build-san/play_$0" "build-san/finds/$0" "$seed" "$seconds" "$seeds"
	else
		set -- "build-fuzz/fuzz_$0" -seed="$seed" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=4096 \
			-print_final_stats=1 -artifact_prefix=build-fuzz/finds/ "$work/$0" "$seeds"
	fi
	ASAN_OPTIONS=detect_leaks=0 sh -c "echo \$\$ >\"\$0\"; exec \"\$@\"" "$work/$0.pid" "$@" >"$log" 2>&1
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
