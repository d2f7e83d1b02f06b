#!/bin/sh
# Which files the check counts as reports of a sanitizer: of processes that leak, that have an
# error, and that were killed. Last line: N passed, N failed, N skipped.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/at_exit.sh
tmp=$(mktemp -d)
leave() { rm -rf "$tmp"; }
at_exit leave
passed=0 failed=0
mkdir "$tmp/none" "$tmp/killed" "$tmp/leak" "$tmp/error" "$tmp/both"

# says NAME STATUS PATTERN FOLDER
says() {
	out=$(sh tests/san_reports.sh "$tmp/$4")
	got=$?
	if [ $got -eq "$2" ] && printf '%s\n' "$out" | grep -qE "$3"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL $1: status $got: $out"
	fi
}

cat >"$tmp/prog.c" <<-'END'
	#include <stdlib.h>
	#include <string.h>
	static void *volatile kept;
	int main(int argc, char **argv)
	{
		(void)argv;
		kept = malloc(16);
		if (argc > 1)
			memset(kept, 0, (size_t)argc + 15);
		kept = NULL;
		return 0;
	}
END
"${CC:-cc}" -g -O0 -fsanitize=address -o "$tmp/prog" "$tmp/prog.c" || exit 2
ASAN_OPTIONS=log_path=$tmp/leak/report:detect_leaks=1 "$tmp/prog"
ASAN_OPTIONS=log_path=$tmp/error/report:detect_leaks=0 "$tmp/prog" more
: >"$tmp/killed/report.1"
echo '==20583==Unable to get registers from thread 20569.' >"$tmp/killed/report.2"
# With log_exe_name=1, as the check sets it.
echo '==octavo-api==20960==Unable to get registers from thread 17375.' >"$tmp/killed/report.3"
cp "$tmp/killed/"* "$tmp/both"
cat "$tmp/killed/report.2" "$tmp"/leak/report.* >"$tmp/both/report.4"

says 'a good run reports nothing' 0 '^$' none
says 'a killed run reports nothing' 0 '^$' killed
says 'a leak is reported' 1 'detected memory leaks' leak
says 'a write behind memory is reported' 1 'heap-buffer-overflow' error
says 'a leak beside a killed run is reported' 1 'detected memory leaks' both
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
