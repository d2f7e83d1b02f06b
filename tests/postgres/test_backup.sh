#!/bin/sh
# octavo backup, restore and export of the database of a PostgreSQL server, while it is written; and what check,
# doctor, status and metrics say of it. Needs OCTAVO_BUILD.
set -u
cd "$(dirname "$0")/../.." || exit 2
[ -n "${OCTAVO_TEST_DB:-}" ] || exec sh tests/postgres/server.sh sh "$0"
. tests/http/expect.sh
. tests/http/tables.sh
. tests/postgres/dump.sh
finish() {
	touch "$tmp/stop"
	"$octavo" down --dir "$d" >/dev/null 2>&1
	wait
	rm -rf "$tmp"
	ended_early
}
at_exit finish

d=$tmp/data bk=$tmp/backup
psql -q -d "$OCTAVO_TEST_DB" -c "CREATE DATABASE other TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'"
other=$(printf %s "$OCTAVO_TEST_DB" | sed 's#/postgres?#/other?#')
export OCTAVO_DB="$OCTAVO_TEST_DB" OCTAVO_EXPERIMENTAL_POSTGRES=1
unset OCTAVO_ENGINE OCTAVO_TEST_DB WORKERS
sql_of=$d
sql() { "$OCTAVO_BUILD/tests/sql" "$sql_of/octavo.db" "$@"; }
in_file() { (unset OCTAVO_DB; "$@"); }

"$octavo" init --dir "$d" --email a@example.com --name "O'Ada" --org Acme --json >"$tmp/init" || exit 1
mkdir "$tmp/repo"
for n in $(seq 40); do printf '# Page %s\n\nText %s of herons, and [a link](README.md).\n' "$n" "$n" >"$tmp/repo/page-$n.md"; done
printf '# Home\n\nWombats. ![](a.png)\n' >"$tmp/repo/README.md"
head -c 300000 /dev/urandom >"$tmp/repo/a.png"
repository "$tmp/repo"
org=$(jq -r .organization "$tmp/init")
"$octavo" import --dir "$d" --org "$org" --title T --url "$tmp/repo" >/dev/null || fail import 'it failed'

# ---- while others write: two rows in each transaction ----
write() {
	n=0
	while [ ! -e "$tmp/stop" ]; do
		n=$((n + 1))
		echo "BEGIN; INSERT INTO audit_event (id, org, at, action, source, actor, target_type, target, before) VALUES
			('first$n', '$org', $n, 'x', 'script', 'system', 'org', '$org', '{}');
			INSERT INTO job (id, kind, state, run_at, created_at, ended_at) VALUES ('second$n', 'index', 'done', $n, $n, $n); COMMIT;"
	done | psql -q -d "$OCTAVO_DB" >"$tmp/written" 2>&1
}
write &
until_true 10 psql -q -A -t -d "$OCTAVO_DB" -v ON_ERROR_STOP=1 -c "SELECT 1 / (count(*) / 50) FROM audit_event WHERE action = 'x'"
expect 'a server is backed up while it is written' 0 'backed up: database of 20.* files, with the key' "$octavo" backup "$bk" --dir "$d"
after=$(psql -q -A -t -d "$OCTAVO_DB" -c "SELECT count(*) FROM audit_event WHERE action = 'x'")
touch "$tmp/stop"
wait
expect 'the backup is whole' 0 'whole' "$octavo" backup "$bk" --verify
pairs=$(in_file "$OCTAVO_BUILD/tests/sql" "$bk/octavo.db" "SELECT count(*), (SELECT count(*) FROM job WHERE id LIKE 'second%') FROM audit_event WHERE action = 'x'")
same 'it is of one moment' "${pairs%%[!0-9]*}" "${pairs##*[!0-9]}"
[ "${pairs%%[!0-9]*}" -lt "$after" ] && pass || fail 'writes went on meanwhile' "$pairs of $after"
expect 'it is made again, and only what is new is copied' 0 'takenAt' "$octavo" backup "$bk" --dir "$d" --json
same 'files that it has are not copied' 0 "$(printf '%s' "$out" | jq .copied)"
expect 'it is made in one file' 0 'backed up' "$octavo" backup "$bk.tar" --dir "$d"

# ---- restored ----
dump >"$tmp/server"
[ "$(wc -l <"$tmp/server")" -gt 200 ] || fail rows 'there are few'
mkdir "$tmp/empty"
expect 'it is not restored over data on a server' 1 'nothing was restored: the database that OCTAVO_DB names is not empty' \
	"$octavo" restore "$bk" --dir "$tmp/empty"
same 'which leaves nothing' '' "$(ls "$tmp/empty")"
in_file expect 'it is restored to SQLite' 0 'restored: database' "$octavo" restore "$bk" --dir "$tmp/file"
sql_of=$tmp/file
in_file dump >"$tmp/rows"
same 'with each row' '' "$(diff -a "$tmp/server" "$tmp/rows" | head -n 5)"
in_file env OCTAVO_DIR="$tmp/file" OCTAVO_URL=http://localhost "$OCTAVO_BUILD/octavo-jobs" --once
in_file expect 'and whole' 0 '^ok' "$octavo" check --deep --dir "$tmp/file"
in_file expect 'it is found there' 0 'Home' "$octavo" call GET "/orgs/$org/search?query=wombats" --user a@example.com --dir "$tmp/file"
on_other() { (OCTAVO_DB=$other; export OCTAVO_DB; "$@"); }
on_other expect 'and to another server' 0 'restored: database' "$octavo" restore "$bk.tar" --dir "$tmp/there"
same 'which keeps no file of the rows' '' "$(ls "$tmp/there" | grep octavo.db)"
on_other dump >"$tmp/rows"
same 'with each row there, too' '' "$(diff -a "$tmp/server" "$tmp/rows" | head -n 5)"
on_other env OCTAVO_DIR="$tmp/there" OCTAVO_URL=http://localhost "$OCTAVO_BUILD/octavo-jobs" --once
on_other expect 'and whole there' 0 '^ok' "$octavo" check --deep --dir "$tmp/there"
expect 'a backup of SQLite is made' 0 'backed up' env -u OCTAVO_DB "$octavo" backup "$bk.file" --dir "$tmp/file"
in_file dump >"$tmp/file.rows"
psql -q -d "$other" -c 'SET client_min_messages = warning' -c 'DROP SCHEMA public CASCADE' -c 'CREATE SCHEMA public'
on_other expect 'and goes to a server' 0 'restored: database' "$octavo" restore "$bk.file" --dir "$tmp/there2"
on_other dump >"$tmp/rows"
same 'with the same rows' '' "$(diff -a "$tmp/file.rows" "$tmp/rows" | head -n 5)"

# ---- export ----
expect 'a server is exported' 0 'exported: 1 spaces' "$octavo" export "$tmp/export" --dir "$d"
same 'with its pages and their order' 42 "$(git -C "$tmp/export/spaces"/*.git ls-tree -r --name-only HEAD 2>/dev/null | grep -c '\.md$')"

expect 'the export is not imported into a file beside a server' 1 'import without OCTAVO_DB' "$octavo" import "$tmp/export" --dir "$tmp/imported"
same 'which leaves nothing' '' "$(ls -A "$tmp/imported" 2>/dev/null)"
expect 'but without one' 0 . env -u OCTAVO_DB "$octavo" import "$tmp/export" --dir "$tmp/imported"

# ---- what the commands say ----
expect 'check knows a server' 0 '^ok' "$octavo" check --deep --dir "$d"
"$octavo" up --dir "$d" --port 0 --workers 2 >"$tmp/up" 2>&1 || fail up "$(cat "$tmp/up")"
expect 'status answers' 0 'http://' "$octavo" status --dir "$d"
url=$("$octavo" status --dir "$d" --json | jq -r .url)
expect 'the doctor names the server' 0 'on a PostgreSQL server' "$octavo" doctor --dir "$d"
token=$("$octavo" metrics token --dir "$d" --json | jq -r .token)
curl -s -m 30 -H "Authorization: Bearer $token" "$url/v1/metrics" >"$tmp/metrics"
size=$(awk '$1 == "octavo_database_bytes" { print $2 }' "$tmp/metrics")
[ "${size:-0}" -gt 1000000 ] && pass || fail 'metrics have the size of the database' "$size"
summary
