#!/bin/sh
# tools/run.sh for a new user: first run, interruption, second run. It builds into build/, so it is
# skipped for programs of another build.
set -u
checkout=$(cd "$(dirname "$0")/../.." && pwd)
. "$checkout/tests/at_exit.sh"
octavo=$checkout/build/octavo
if [ "$OCTAVO_BUILD" != "$checkout/build" ]; then
	echo '0 passed, 0 failed, 1 skipped'
	exit 0
fi
tmp=$(mktemp -d)
dir=$tmp/data
# root runs the programs as another, existing user, since tests leave nothing behind.
chmod 711 "$tmp"
OCTAVO_USER=daemon
export OCTAVO_USER
passed=0 failed=0 run=''

pass() { passed=$((passed + 1)); }
fail() { failed=$((failed + 1)); echo "FAIL $1: $2"; }
same() {
	if [ "$2" = "$3" ]; then pass; else fail "$1" "\"$3\" instead of \"$2\""; fi
}

finish() {
	[ -f "$dir/octavo.db" ] && "$octavo" down --dir "$dir" >/dev/null 2>&1
	rm -rf "$tmp"
}
at_exit finish

# Starts the script and waits until it has printed everything or ended.
start() {
	: >"$tmp/out"   # here, not in the child, which may be slower than the first check
	sh "$checkout/tools/run.sh" --dir "$dir" --port 0 >"$tmp/out" 2>&1 &
	run=$!
	n=1200
	until grep -q 'Ctrl-C stops it' "$tmp/out" || ! kill -0 $run 2>/dev/null || [ $n -eq 0 ]; do
		sleep 0.1
		n=$((n - 1))
	done
	grep -q 'Ctrl-C stops it' "$tmp/out" || fail "$1" "$(cat "$tmp/out")"
}

# TERM, since background processes of a shell ignore Ctrl-C.
stop() {
	kill -TERM $run
	wait $run
	same "$1: the script ends with 143" 143 $?
	run=''
	"$octavo" status --dir "$dir" >/dev/null 2>&1
	same "$1: the service is stopped" 1 $?
}

value() { sed -n "s/^  $1 *//p" "$tmp/out"; }
get() { curl -s -m 30 -o /dev/null -w '%{http_code}' -H "Authorization: Bearer $(value Token)" "$@"; }

start 'first run'
token=$(value Token)
[ -n "$token" ] && pass || fail 'the first run prints a token' 'it prints no token'
same 'the token file is readable to its owner alone' 600 "$(stat -c %a "$dir/admin-token")"
same 'the token works' 200 "$(get "$(value URL)/v1/user")"
if [ "$(id -u)" -eq 0 ]; then
	same 'the data belong to another user than root' daemon "$(stat -c %U "$dir/octavo.db")"
	same 'no program runs as root' '' "$(pgrep -u root -f "octavo-(api|site|jobs).*|nginx.*$dir" | while read -r p; do tr '\0' '\n' <"/proc/$p/environ" 2>/dev/null | grep -qx "OCTAVO_DIR=$dir" && echo "$p"; done)"
fi
site() { curl -s -m 30 "$(value 'The manual as a site')" | grep -c '<h1'; }
same 'the manual is a published site' 1 "$(site)"
same 'the link to sign in opens a page' 200 "$(curl -s -m 30 -o /dev/null -w '%{http_code}' "$(sed -n 's,^  \(http.*/app/welcome.*\),\1,p' "$tmp/out")")"
# Design documents are for readers of the code, not part of the manual.
for page in design design/security design/security.md; do
	same "$page is no page of the manual" 404 "$(get "$(value 'The manual as a site')$page")"
done
for list in pages files; do
	same "the manual has no $list of docs/design" 0 "$(curl -s -m 30 -H "Authorization: Bearer $token" "$(value URL)/v1/spaces/$(value Space)/content/$list" | tee "$tmp/list" | grep -cE 'design|libraries')"
	grep -q '"id"\|"items"' "$tmp/list" && pass || fail "the $list of the manual" "$(cat "$tmp/list")"
done
# The three commands to try work as described.
grep '^  curl ' "$tmp/out" >"$tmp/lines"
same 'three lines worth trying are printed' 3 "$(wc -l <"$tmp/lines" | tr -d ' ')"
while read -r line; do
	same "the printed line works: $line" 0 "$(sh -c "$line --fail -s -o /dev/null"; echo $?)"
done <"$tmp/lines"
sh "$checkout/tools/run.sh" --dir "$dir" --port 0 >"$tmp/second" 2>&1
same 'a run beside another ends with 0' 0 $?
grep -q 'already runs' "$tmp/second" && pass || fail 'a run beside another says so' "$(cat "$tmp/second")"
same 'a run beside another leaves it running' 200 "$(get "$(value URL)/v1/user")"
stop 'first run'

# Existing programs are not built again, which makes the second run quick.
made() { stat -c '%n %Y' "$checkout/build/octavo" "$checkout"/build/octavo-*; }
made >"$tmp/made"
org=$(value Organization)
for n in 1 2 3; do "$octavo" org create --dir "$dir" --title "Other $n" --user admin@example.com >/dev/null; done
start 'second run'
same 'a second run has the organization of the first' "$org" "$(value Organization)"
same 'a second run has the same programs' "$(cat "$tmp/made")" "$(made)"
same 'a second run has the site once' 1 "$(site)"
same 'a second run has the token of the first' "$token" "$(value Token)"
same 'a second run has the data of the first' 200 "$(get "$(value URL)/v1/user")"
stop 'second run'

sh "$checkout/tools/run.sh" --wrong >/dev/null 2>&1
same 'an unknown option ends with 2' 2 $?
for port in 70000 x 8o8o -1; do
	sh "$checkout/tools/run.sh" --dir "$tmp/other" --port "$port" >"$tmp/out" 2>&1
	same "port $port is refused before anything is built" '2 no' "$? $([ -e "$tmp/other" ] && echo yes || echo no)"
done
# If the data's user cannot reach the checkout, in root's own folder, the programs are copied to DIR/bin.
if [ "$(id -u)" -eq 0 ]; then
	mkdir -m 700 "$tmp/closed"
	ln -s "$checkout" "$tmp/closed/octavo"
	open=$checkout checkout=$tmp/closed/octavo dir=$tmp/own octavo=$tmp/own/bin/octavo
	start 'checkout in a closed folder'
	same 'checkout in a closed folder: the token works' 200 "$(get "$(value URL)/v1/user")"
	same 'checkout in a closed folder: the manual is a site' 1 "$(site)"
	same 'the folder of the data is told' "$dir" "$(value Data)"
	same 'a line tells how to import' 1 "$(grep -c "^  $octavo import --dir $dir --org $(value Organization) " "$tmp/out")"
	stop 'checkout in a closed folder'
	checkout=$open dir=$tmp/data octavo=$open/build/octavo
fi

"$octavo" up --dir "$dir" --port 0 >/dev/null
port=$("$octavo" status --dir "$dir" --json | sed -n 's/.*"port":\([0-9]*\).*/\1/p')
sh "$checkout/tools/run.sh" --dir "$tmp/other" --port "$port" >"$tmp/out" 2>&1
same 'a taken port ends with 1' 1 $?
grep -q "port $port is taken" "$tmp/out" && pass || fail 'a taken port is named' "$(cat "$tmp/out")"

echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
