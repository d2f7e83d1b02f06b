#!/bin/sh
# Every test: installs missing packages, builds, runs the style check, the unit, HTTP, client and
# browser tests, and a fifth of the unit and HTTP tests under AddressSanitizer and UBSan: another
# fifth each day, or that of FIFTH=0 to 4 (make sanitized: all). Last line: N passed, N failed,
# N skipped; exits with 1 if any failed.
#
# Ports are random and data is in temporary folders, so that two checkouts can be tested at a time.
# OCTAVO_CHECK names parts to run: "style unit http client browser san fuzz" (default: all).
set -u
cd "$(dirname "$0")/.." || exit 2
parts=${OCTAVO_CHECK:-style unit http client browser san fuzz}
# Not a setting of Octavo: `octavo doctor` reports unknown ones.
unset OCTAVO_CHECK
passed=0 failed=0 skipped=0 started=0 running=''
# In memory if there is enough, since half of the tests' time would be spent in fsync().
room() { df -Pk "$1" 2>/dev/null | awk 'NR == 2 { print int($4 / 1048576) }'; }
free=$(awk '/^MemAvailable:/ { print int($2 / 1048576) }' /proc/meminfo)
if [ -z "${TMPDIR:-}" ] && [ -w /dev/shm ] && [ "$(room /dev/shm)" -ge 8 ] && [ "${free:-0}" -ge 8 ]; then
	tmp=$(mktemp -d /dev/shm/octavo-check.XXXXXX)
	# A file system mounted noexec cannot be used.
	cp /bin/true "$tmp/true" && "$tmp/true" 2>/dev/null || { rm -rf "$tmp"; tmp=''; }
fi
[ -n "${tmp:-}" ] || tmp=$(mktemp -d)
# Others may pass through, because a test runs the service as another user.
chmod 711 "$tmp"
# Files that a test fails to delete are deleted with this folder.
TMPDIR=$tmp
export TMPDIR

leave() {
	trap '' INT TERM HUP
	if [ -n "$running" ]; then
		# shellcheck disable=SC2086
		kill $running 2>/dev/null
		parts_end 143
		echo "interrupted: $passed passed, $failed failed, $skipped skipped"
	fi
	rm -rf "$tmp"
}
trap leave EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

total() {
	echo "$passed passed, $failed failed, $skipped skipped"
	[ "$failed" -eq 0 ]
	exit
}

# part_count NAME BEGIN LOG STATUS: counts the results of the part that wrote the log; a part ended
# by a limit or a signal has logged that itself.
part_count() {
	name=$1 begin=$2 log=$3 status=$4
	counts=$(grep -E '[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped' "$log" | tail -n 1 |
		sed 's/.*[^0-9]\([0-9]* passed\)/\1/' | tr -dc '0-9 ')
	# shellcheck disable=SC2086
	set -- $counts
	if [ $# -ne 3 ]; then
		set -- 0 1 0
		[ "$status" -ne 0 ] || echo "$name said no result"
	fi
	[ "$status" -eq 0 ] || [ "$2" -gt 0 ] || set -- "$1" 1 "$3"
	[ "$2" -eq 0 ] || cat "$log"
	passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))
	echo "$name: $1 passed, $2 failed, $3 skipped, $(($(date +%s) - begin)) s"
}

# part_start NAME CPU COMMAND...: its last line "N passed, N failed, N skipped" is counted. It may
# use CPU seconds of processor time, several times its usual amount, and is ended after five minutes
# without activity: on a busy machine this ends only programs that hang.
part_start() {
	name=$1 cpu=$2
	shift 2
	echo "== $name"
	started=$((started + 1))
	sh tests/bounded.sh "$cpu" 300 "$@" >"$tmp/log.$started" 2>&1 &
	running="$running $!"
	printf '%s\n' "$name" "$(date +%s)" "$tmp/log.$started" >"$tmp/part.$!"
}

# part_end PID [STATUS]: waits for a started part and counts it; STATUS is that of one ended by a signal.
part_end() {
	wait "$1"
	status=${2:-$?}
	{ read -r name; read -r begin; read -r log; } <"$tmp/part.$1"
	part_count "$name" "$begin" "$log" "$status"
	running=$(echo " $running " | sed "s/ $1 / /; s/^ *//; s/ *$//")
}

# parts_end [STATUS]: all started parts
parts_end() {
	for pid in $running; do
		part_end "$pid" "$@"
	done
}

# Others that were started go on meanwhile.
run() {
	part_start "$@"
	part_end $!
}

# Without a complete build nothing else makes sense.
build() {
	echo "== build $*"
	nice make -s -j"$(nproc)" "$@" >"$tmp/log" 2>&1 && return
	cat "$tmp/log"
	parts_end
	failed=$((failed + 1))
	echo 'The build failed.'
	total
}

has() { case " $parts " in *" $1 "*) return 0 ;; esac; return 1; }

# Reports of sanitizers, including those of workers whose exit status nobody read.
san_reports() {
	sh tests/san_reports.sh "$tmp/san" && return
	failed=$((failed + 1))
	echo 'sanitizers: what they reported stands above'
}

# The house rules need no build, and only the packages for the tests of the tools.
needs=test
[ "$(echo $parts)" != style ] || needs=style
sh tools/deps.sh $needs || { echo '0 passed, 1 failed, 0 skipped'; exit 1; }

# During the compilation: these tests wait more than they compute.
if has style; then
	part_start style 60 sh -c 'sh tools/style.sh && echo "1 passed, 0 failed, 0 skipped"'
	part_start 'style rules' 60 sh tests/tools/test_style.sh
	part_start 'unit runner' 60 sh tests/tools/test_unit_run.sh
	part_start 'limits' 60 sh tests/tools/test_bounded.sh
	part_start 'mutants' 120 sh tests/tools/test_mutants.sh
	part_start 'compare' 60 sh tests/tools/test_compare.sh
	part_start 'reports' 60 sh tests/tools/test_san_reports.sh
fi
# Of a unit test, one of the two programs is enough. Those that test something else without sanitizers
# run both ways; so do random histories (seed_fixture.h), which are longer without them.
fifth=${FIFTH:-$(($(date +%s) / 86400 % 5))}
sanitized=''
if has san; then sanitized=$(ls tests/unit/test_*.c | awk -v fifth="$fifth" 'NR % 5 == fifth'); fi
unit=$(for t in tests/unit/test_*.c; do
	case $sanitized in *"$t"*) grep -lE '__SANITIZE_ADDRESS__|seed_fixture\.h' "$t" ;; *) echo "$t" ;; esac
done)
# programs BUILD SOURCE...: the programs of tests
programs() { build=$1; shift; printf '%s\n' "$@" | sed "s|.*/\(.*\)\.c|$build/tests/\1|"; }
# shellcheck disable=SC2086
unit=$(programs build $unit) sanitized=$(programs build-san $sanitized)
# tests/tools/test_interrupt.sh ends the last three.
# shellcheck disable=SC2046
[ $needs = style ] || build all benches helpers tarball \
	$(has unit && echo "$unit" build/tests/test_access_model build/tests/test_order_key build/tests/test_slug)
parts_end
# The built objects show which rooms use each other.
if has style && [ $needs != style ]; then
	part_start hardening 60 sh tests/tools/test_hardening.sh build
	run rooms 120 sh -c 'sh tools/rooms.sh . build && sh tools/globals.sh build && echo "1 passed, 0 failed, 0 skipped"'
fi
# Idle: beside the tests of the API and of browsers, which wait half of their time. (Tests of priorities begin with
# the usual one, so this is no nice value.)
# A fork copies the table of pages, also those of the memory that was freed and is kept to find its use.
if has san; then
	mkdir "$tmp/san"
	asan=log_path=$tmp/san/report:detect_leaks=1:log_exe_name=1
	ubsan=log_path=$tmp/san/report:print_stacktrace=1
	# shellcheck disable=SC2086
	part_start 'unit, sanitized' 9000 env ASAN_OPTIONS="$asan:quarantine_size_mb=32" UBSAN_OPTIONS="$ubsan" \
		chrt --idle 0 sh -c 'make -s -j"$(nproc)" SAN=1 all helpers "$@" && sh tests/unit/run.sh "$@"' sh $sanitized
fi
if has unit; then
	# shellcheck disable=SC2086
	run unit 3600 sh tests/unit/run.sh $unit
	run interruption 600 sh tests/tools/test_interrupt.sh
fi
if has http; then run http 3600 sh tests/http/run.sh; fi
if has http; then part_start postgres 600 sh tests/postgres/run.sh short; fi
# In parallel: each does one thing at a time.
if has client; then part_start client 3600 sh tests/client/run.sh; fi
if has client; then part_start oidc 600 sh tests/oidc/run.sh; fi
if has client; then part_start passkey 300 sh tests/passkey/run.sh; fi
if has browser; then part_start browser 1200 sh tests/browser/run.sh; fi
parts_end
if has san; then
	ASAN_OPTIONS=$asan UBSAN_OPTIONS=$ubsan OCTAVO_BUILD=build-san
	export ASAN_OPTIONS UBSAN_OPTIONS OCTAVO_BUILD
	echo "FIFTH=$fifth sanitizes the same fifth of the tests again."
	run 'http, sanitized' 9000 sh tests/http/sanitized.sh "$fifth"
	san_reports
fi
if has fuzz; then
	build players
	run fuzz 600 sh tests/fuzz/run.sh play 2
fi
total
