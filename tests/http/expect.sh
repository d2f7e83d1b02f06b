# Shared by the tests of the octavo command: counts, and commands with their expected result. Source
# it from the checkout; OCTAVO_BUILD is the folder with the programs.
. tests/at_exit.sh
octavo=$OCTAVO_BUILD/octavo
tmp=$(mktemp -d)
passed=0 failed=0 skipped=0

pass() { passed=$((passed + 1)); }
fail() { failed=$((failed + 1)); echo "FAIL $1: $2"; }
skip() { skipped=$((skipped + 1)); echo "skipped $1: $2"; }

# expect NAME STATUS PATTERN COMMAND...: wants this exit status, and a line of output that matches.
expect() {
	name=$1 want=$2 pattern=$3
	shift 3
	out=$(timeout 120 "$@" 2>&1)
	got=$?
	if [ "$got" -ne "$want" ]; then fail "$name" "exit status $got instead of $want: $out"
	elif ! printf '%s\n' "$out" | grep -qE -- "$pattern"; then fail "$name" "no /$pattern/ in: $out"
	else pass; fi
}

# same NAME WANT GOT
same() {
	if [ "$2" = "$3" ]; then pass; else fail "$1" "\"$3\" instead of \"$2\""; fi
}

# until_true SECONDS COMMAND...: runs the command until it succeeds; fails after so many seconds of waiting.
until_true() {
	ut_n=$(($1 * 10))
	shift
	until "$@" >/dev/null 2>&1; do
		[ $ut_n -gt 0 ] || return 1
		ut_n=$((ut_n - 1))
		sleep 0.1
	done
}

# walk NAME COMMAND...: counts the steps that tests/http/walk.sh prints; COMMAND runs it.
walk() {
	w_name=$1
	shift
	"$@" >"$tmp/walk" 2>&1 || echo "not ok the walk ends: $(tail -n 1 "$tmp/walk")" >>"$tmp/walk"
	while IFS= read -r w_line; do
		case $w_line in
		'ok '*) pass ;;
		*) fail "$w_name" "$w_line" ;;
		esac
	done <"$tmp/walk"
}

# repository FOLDER: commits the folder's files to its branch main.
repository() {
	git -C "$1" init -q -b main && git -C "$1" add -A &&
		git -C "$1" -c user.name=T -c user.email=t@example.com -c commit.gpgsign=false commit -q -m one
}

# If a signal ended the test: print the counts until then, with the current case as failed.
ended_early() {
	[ -n "$at_exit_signal" ] || return 0
	echo "FAIL ended by SIG$at_exit_signal after \"${name:-}\""
	echo "$passed passed, $((failed + 1)) failed, $skipped skipped"
}

summary() {
	echo "$passed passed, $failed failed, $skipped skipped"
	[ "$failed" -eq 0 ]
	exit
}
