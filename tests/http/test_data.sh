#!/bin/sh
# Data that becomes unusable while a service runs: moved, damaged, unreadable. Each program reports
# that to clients and in its log, and serves again when the data is back. The files that `down`
# leaves. Needs OCTAVO_BUILD.
set -u
. tests/http/expect.sh

finish() {
	"$octavo" down --dir "$d" >/dev/null 2>&1
	[ -z "${runner:-}" ] || kill "$runner" 2>/dev/null
	rm -rf "$tmp"
	ended_early
}
at_exit finish

d=$tmp/data
"$octavo" init --dir "$d" --email a@example.com --name A --org Docs --json >"$tmp/init" || exit 1
token=$(jq -r .token "$tmp/init") org=$(jq -r .organization "$tmp/init")
up() {
	"$octavo" up --dir "$d" --port 0 --workers 2 >"$tmp/up" 2>&1 || fail up "$(cat "$tmp/up")"
	url=$("$octavo" status --dir "$d" --json | jq -r .url)
}
status_of() { curl -s -m 30 -o "$tmp/body" -w '%{http_code}' -H "Authorization: Bearer $token" "$@"; }
gives() { [ "$(status_of "$2")" = "$1" ]; }
make_space() { status_of -H 'Content-Type: application/json' -d '{"title":"'"$1"'"}' "$url/v1/orgs/$org/spaces"; }

# After `down` the database file alone is complete, however the supervisor was ended.
up
same 'a space is created' 201 "$(make_space Alone)"
expect down 0 'is down' "$octavo" down --dir "$d"
same 'down leaves no log' no "$([ -s "$d/octavo.db-wal" ] && echo yes || echo no)"
mkdir "$tmp/alone"
cp "$d/octavo.db" "$tmp/alone/"
same 'the database file alone has the space' 1 "$("$OCTAVO_BUILD/tests/sql" "$tmp/alone/octavo.db" "SELECT count(*) FROM space WHERE title = 'Alone'")"
up
same 'a second space is created' 201 "$(make_space Killed)"
kill -9 "$("$octavo" status --dir "$d" --json | jq .pid)"
until_true 20 sh -c "! '$octavo' status --dir '$d'"
"$octavo" down --dir "$d" >/dev/null
cp "$d/octavo.db" "$tmp/alone/"
same 'the database file alone has it after a kill' 1 "$("$OCTAVO_BUILD/tests/sql" "$tmp/alone/octavo.db" "SELECT count(*) FROM space WHERE title = 'Killed'")"

# The health check reads the file, not a worker's cache.
up
until_true 10 gives 200 "$url/v1/healthz" && pass || fail 'the health check answers 200' "$(cat "$tmp/body")"
mkdir "$tmp/away"
mv "$d"/octavo.db* "$tmp/away/"
until_true 20 gives 503 "$url/v1/healthz" && pass || fail 'the health check answers 503 without a database' "$(cat "$tmp/body")"
until_true 20 gives 503 "$url/v1/user" && pass || fail 'a request answers 503 without a database' "$(cat "$tmp/body")"
says() { status_of "$url/v1/user" >"$tmp/code"; grep -q 'not ready: octavo.db is missing, and the key' "$tmp/body"; }
until_true 20 says && pass || fail 'a client is told what is missing' "$(cat "$tmp/body")"
grep -q "$d" "$tmp/body" && fail 'a client is not told the folder' "the folder: $(cat "$tmp/body")" || pass
until_true 20 grep -q "^20[0-9-]*T[0-9:.]*Z - octavo-api: not ready: $d/octavo.db" "$d/log/api.log" && pass || fail 'the log names the folder' "$(tail -n 3 "$d/log/api.log")"
mv "$tmp"/away/octavo.db* "$d/"
until_true 30 gives 200 "$url/v1/user" && pass || fail 'requests work when the database is back' "$(cat "$tmp/body")"

# Another file at the path: writes to the old one would be lost, so no program writes to it.
until_true 10 gives 200 "$url/v1/healthz"
cp "$d/octavo.db" "$tmp/copy"
mv "$tmp/copy" "$d/octavo.db"
rm -f "$d"/octavo.db-*
codes=''
for i in 1 2 3 4 5 6 7 8; do codes="$codes $(make_space "After$i")"; done
same 'no write goes to the replaced file' "$(echo "$codes" | tr ' ' '\n' | grep -c 201)" \
	"$("$OCTAVO_BUILD/tests/sql" "$d/octavo.db" "SELECT count(*) FROM space WHERE title LIKE 'After%'")"
case $codes in *201) pass ;; *) fail 'a replaced database is written in the end' "$codes" ;; esac
"$octavo" down --dir "$d" >/dev/null

# The first page of the file is damaged under running programs.
up
cp "$d/octavo.db" "$tmp/kept"
until_true 10 gives 200 "$url/v1/healthz"
spoil() { head -c 8192 /dev/zero | dd of="$d/octavo.db" conv=notrunc status=none; }
"$OCTAVO_BUILD/tests/sql" "$d/octavo.db" 'PRAGMA wal_checkpoint(TRUNCATE)' >/dev/null
spoil
until_true 20 gives 503 "$url/v1/healthz" && pass || fail 'the health check answers 503 for a damaged database' "$(cat "$tmp/body")"
until_true 20 gives 503 "$url/v1/user" && pass || fail 'a request answers 503 for a damaged database' "$(cat "$tmp/body")"
rm -f "$d"/octavo.db-*
cp "$tmp/kept" "$d/octavo.new"
mv "$d/octavo.new" "$d/octavo.db"
until_true 30 gives 200 "$url/v1/user" && pass || fail 'requests work when the database is repaired' "$(cat "$tmp/body")"
"$octavo" down --dir "$d" >/dev/null

# The job runner waits until its key is readable, and ends on a signal.
mv "$d/octavo.key" "$tmp/key"
OCTAVO_DIR=$d "$OCTAVO_BUILD/octavo-jobs" 2>"$tmp/jobs" &
runner=$!
until_true 20 grep -q ' - octavo-jobs: waits, since it cannot open its data: .*octavo.key: No such file' "$tmp/jobs" &&
	pass || fail 'the runner waits for a missing key' "$(cat "$tmp/jobs")"
mv "$tmp/key" "$d/octavo.key"
locked() { ! flock -n "$d/run/jobs.lock" true; }
working() { ls -l "/proc/$runner/fd" | grep -q octavo.db; }
until_true 20 working && pass || fail 'the runner goes on when the key is back' 'it did not go on when the key was back'
locked && pass || fail 'the runner has its lock' 'it has no lock'
# Housekeeping begins with the runner, and a killed one leaves its log: wait until it is over. The
# 11th of these numbers counts the children that ended. The processes that run programs for the others
# stay, and have no database open (include/app/outside.h).
alone() {
	# shellcheck disable=SC2046
	set -- $(cat "/proc/$runner/stat")
	[ "${11}" -gt 0 ] || return 1
	for child in $(cat "/proc/$runner/task/$runner/children" 2>/dev/null); do
		! ls -l "/proc/$child/fd" 2>/dev/null | grep -q octavo.db || return 1
	done
}
until_true 20 alone && pass || fail 'the housekeeping of the runner ends' 'its housekeeping does not end'
kill "$runner"
wait "$runner"
same 'the runner ends in order' 0 $?
same 'the runner leaves no log' no "$([ -e "$d/octavo.db-wal" ] && echo yes || echo no)"
runner=''
expect check 0 '^ok' "$octavo" check --dir "$d"

summary
