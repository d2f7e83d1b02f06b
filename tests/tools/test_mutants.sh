#!/bin/sh
# tests/mutants/run.sh, in a repository with one small file: which mutants it makes, that an
# expensive test does not prevent a cheap one from running, and that two runs do not disturb each
# other. Last line: N passed, N failed, N skipped.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/at_exit.sh
tmp=$(mktemp -d)
leave() { rm -rf "$tmp"; }
at_exit leave
passed=0 failed=0
for tool in gcov flock; do
	command -v $tool >/dev/null || { echo "no $tool"; echo '0 passed, 0 failed, 1 skipped'; exit 0; }
done

# same NAME WANTED GOT
same() {
	if [ "$2" = "$3" ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		printf 'FAIL %s: got\n%s\ninstead of\n%s\n' "$1" "$3" "$2"
	fi
}

# ---- constants ----

# changes LINE: the mutants of its constants
changes() {
	printf '%s\n' "$1" >"$tmp/line.c"
	awk -f tests/mutants/mutate.awk "$tmp/line.c" | cut -f5 | tr '\n' ' '
}
same 'a number is changed by one' '645 643 ' "$(changes '	x = 644;')"
same 'zero becomes one' '1 ' "$(changes '	x = 0;')"
same 'an octal number counts by eights' '0645 0643 ' "$(changes '	x = 0644;')"
same 'an octal number carries' '0700 0676 ' "$(changes '	x = 0677;')"
same 'an octal number borrows' '0701 0677 ' "$(changes '	x = 0700;')"
same 'other constants of C are not changed' '' "$(changes '	x = 0x1f + 08;' | grep -v '[-+*]')"
same 'numbers of SQL count by tens' '8 6 ' "$(changes 'SQL(q, "SELECT a LIMIT 07");')"

# ---- explained mutants ----

# An explanation whose line is no longer in the code, or in another file, explains nothing.
same 'every explained line is in the code' '' "$(awk -F'\t' '
	FILENAME != "tests/mutants/explained" { s = $0; sub(/^[ \t]+/, "", s); n = FILENAME; sub(/.*\//, "", n); lines[n, s]; next }
	!/^#/ && NF >= 4 && !(($1, $2) in lines) { print FNR ": " $1 ": " $2 }' \
	$(find src -name '*.c') tests/mutants/explained)"

# ---- a repository ----

repo=$tmp/repo
mkdir -p "$repo/src" "$repo/tests/unit" "$repo/tests/mutants"
cp tests/at_exit.sh "$repo/tests"
cp tests/mutants/run.sh tests/mutants/mutate.awk "$repo/tests/mutants"
: >"$repo/tests/mutants/explained"
: >"$repo/tests/mutants/cases"
echo '/build-*/' >"$repo/.gitignore"
git init -q "$repo"
cat >"$repo/Makefile" <<'END'
$(B)/src/%.o: src/%.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -c -o $@ $<
$(B)/tests/%: tests/unit/%.c $(B)/src/mode.o
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^
END
# Lines that are executed and cannot be changed: they determine the order of the tests.
{
	printf 'int fill(int x)\n{\n\tvolatile int v;\n'
	i=0
	while [ $i -lt 40 ]; do
		printf '\tv = x;\n'
		i=$((i + 1))
	done
	printf '\treturn v;\n}\nint mode(int x)\n{\n\tif (x)\n\t\treturn 0644;\n\treturn x;\n}\n'
} >"$repo/src/mode.c"
# program NAME BODY
program() { printf '#include <time.h>\n#include <unistd.h>\nint fill(int);\nint mode(int);\nint main(void) { %s }\n' "$2" >"$repo/tests/unit/test_$1.c"; }

# mutants NAME=VALUE...: makes all mutants of the file; $ended is the status
mutants() {
	(cd "$repo" && env FILES=src/mode.c SANITIZED=0 MAX_PERCENT=0 "$@" sh tests/mutants/run.sh) >"$tmp/out" 2>&1
	ended=$?
}
last() { tail -n 1 "$1"; }

# With a test that asserts nothing a mutant survives, and the line names the tests that ran.
program quick 'fill(1); mode(0); return mode(1) < 0;'
mutants
same 'survivors end with status 1' 1 "$ended"
same 'survivors are counted' '4 mutants of 4: 0 killed, 4 survived (100 %), 0 explained, 0 without effect, 0 not C' "$(last "$tmp/out")"
same 'survivors are shown' 'src/mode.c:49: return 0644;  ->  return 0645;  (survived test_quick)' "$(grep 0645 "$tmp/out")"

# A test beyond the budget is skipped; a cheaper one after it still runs.
program dear 'fill(1); mode(0); while (clock() < 3 * CLOCKS_PER_SEC / 2) ; return mode(1) < 0;'
program cheap 'return mode(1) != 0644;'
mutants BUDGET=1
same 'tests that are passed over end with status 1' 1 "$ended"
same 'tests that are passed over are named' 'src/mode.c:48: if (x)  ->  if (1 || x)  (survived test_quick test_cheap; beyond BUDGET: test_dear)' "$(grep survived "$tmp/out" | head -n 1)"
same 'tests behind a passed one kill' '4 mutants of 4: 3 killed, 1 survived (25 %), 0 explained, 0 without effect, 0 not C' "$(last "$tmp/out")"
mutants BUDGET=1 TESTS=test_dear SAMPLE=1
same 'one test runs in any case' 1 "$(grep -c '(survived test_dear)$' "$tmp/out")"
program exact 'return mode(1) != 0644 || mode(0) != 0;'
mutants TESTS=test_exact
same 'named tests alone run' '0 4 mutants of 4: 4 killed, 0 survived (0 %), 0 explained, 0 without effect, 0 not C' "$ended $(last "$tmp/out")"

# As make passes it, which has a variable with this name.
passes_on() { grep -o "TESTS='[^']*'"; }
same 'TESTS passes on what was given' "TESTS='test_tree'" "$(make -n mutants FILES=x TESTS=test_tree | passes_on)"
same 'without TESTS nothing is passed on' "TESTS=''" "$(make -n mutants FILES=x | passes_on)"

# Two runs at a time: the second one is refused, or uses another folder.
program slow 'usleep(300000); return mode(1) != 0644 || mode(0) != 0;'
(cd "$repo" && exec env FILES=src/mode.c SANITIZED=0 TESTS=test_slow sh tests/mutants/run.sh) >"$tmp/first" 2>&1 &
first=$!
n=100
until ls -d "$repo"/build-mutants/run.* >/dev/null 2>&1 || [ $n -eq 0 ]; do
	n=$((n - 1))
	sleep 0.1
done
mutants TESTS=test_exact
same 'a second run in the folder is refused' 2 "$ended"
same 'a refused run names WORK' 1 "$(grep -c 'another run is at work in .*WORK=' "$tmp/out")"
mutants TESTS=test_exact WORK=build-mutants-2
same 'a second run in its own folder works' '0 4 mutants of 4: 4 killed, 0 survived (0 %), 0 explained, 0 without effect, 0 not C' "$ended $(last "$tmp/out")"
wait $first
same 'the first run goes on' '0 4 mutants of 4: 4 killed, 0 survived (0 %), 0 explained, 0 without effect, 0 not C' "$? $(last "$tmp/first")"
mutants TESTS=test_exact
same 'a run that ended refuses nobody' 0 "$ended"
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
