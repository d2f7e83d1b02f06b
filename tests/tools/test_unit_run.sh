#!/bin/sh
# tests/unit/run.sh counts the results that its programs print, but a bad exit status counts more.
# Last line: N passed, N failed, N skipped.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/at_exit.sh
tmp=$(mktemp -d)
leave() { rm -rf "$tmp"; }
at_exit leave
passed=0 failed=0

# program NAME STATUS LINE...: a test program that prints the lines
program() {
	{
		echo '#!/bin/sh'
		printf "echo '%s'\n" "$@" | sed 1,2d
		echo "exit $2"
	} >"$tmp/$1"
	chmod +x "$tmp/$1"
}

# says WHAT WANT PROGRAM...: the runner's last line, and its exit
says() {
	what=$1 want=$2
	shift 2
	got=$(cd "$tmp" && sh "$OLDPWD/tests/unit/run.sh" "$@" | tail -n 1; )
	case $got in
	"unit: $want") passed=$((passed + 1)) ;;
	*) failed=$((failed + 1)) && echo "FAIL $what: $got" ;;
	esac
}

program good 0 '[       OK ] a' '[       OK ] b' '[  SKIPPED ] c' '[  PASSED  ] 2 test(s).'
program bad 2 '[       OK ] a' '[  FAILED  ] b' '[  FAILED  ] c' '[  FAILED  ] 2 test(s), listed below:'
program named 1 '[       OK ] a' '[  FAILED  ] b' '[  FAILED  ] tests: 1 test(s), listed below:'
program dead 139 '[       OK ] a'
program torn 1 '[  FAILED  ] a'
says 'a good program is counted' '2 passed, 0 failed, 1 skipped' ./good
says 'failures of a group without a name are counted' '1 passed, 2 failed, 0 skipped' ./bad
says 'failures of a named group are counted' '1 passed, 1 failed, 0 skipped' ./named
says 'a crash counts as a failure' '1 passed, 1 failed, 0 skipped' ./dead
says 'a program that was cut off counts as a failure' '0 passed, 1 failed, 0 skipped' ./torn
says 'several programs are added up' '4 passed, 3 failed, 1 skipped' ./good ./bad ./dead
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
