#!/bin/sh
# octavo migrate --to: from octavo.db to a PostgreSQL server and back, row by row; refusals and
# interruptions. Needs OCTAVO_BUILD.
set -u
cd "$(dirname "$0")/../.." || exit 2
[ -n "${OCTAVO_TEST_DB:-}" ] || exec sh tests/postgres/server.sh sh "$0"
. tests/http/expect.sh
. tests/http/tables.sh
. tests/postgres/dump.sh
blocker=''
finish() {
	[ -z "$blocker" ] || kill "$blocker" 2>/dev/null
	rm -rf "$tmp"
	ended_early
}
at_exit finish

d=$tmp/data server=$OCTAVO_TEST_DB away='postgresql:///x?host=/nowhere'
unset OCTAVO_DB OCTAVO_ENGINE OCTAVO_TEST_DB WORKERS
sql() { "$OCTAVO_BUILD/tests/sql" "$d/octavo.db" "$@"; }
on_server() { OCTAVO_DB=$server "$@"; }
jobs() { OCTAVO_DIR=$d OCTAVO_URL=http://localhost "$OCTAVO_BUILD/octavo-jobs" --once; }
# blocked COMMAND...: runs it beside a transaction of the server that lets it come to its end, but not commit
blocked() {
	psql -q -d "$server" -c 'BEGIN' -c 'CREATE TABLE octavo_schema (version bigint)' -c "SELECT 'held'" \
		-c 'SELECT pg_sleep(60)' >"$tmp/blocker" 2>&1 &
	blocker=$!
	until_true 10 grep -q held "$tmp/blocker" || fail blocked 'the server blocks nothing'
	"$@" >"$tmp/blocked" 2>&1 &
	moving=$!
	until_true 20 psql -q -A -t -d "$server" -v ON_ERROR_STOP=1 \
		-c "SELECT 1 / count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'" || fail blocked "$(cat "$tmp/blocked")"
}
unblock() {
	kill -9 "$blocker"
	wait "$blocker" 2>/dev/null
	blocker=''
	psql -q -d "$server" -c "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()" >/dev/null
}

"$octavo" init --dir "$d" --email a@example.com --name "O'Ada" --org Acme --json >"$tmp/init" || exit 1
mkdir "$tmp/repo"
printf '# Home\n\nWombats, %s, \\x5c\\n "quoted" :name $1 \360\237\246\220.\n' "it's" >"$tmp/repo/README.md"
for n in $(seq 60); do printf '# Page %s\n\nText %s of herons, and [a link](README.md).\n' "$n" "$n" >"$tmp/repo/page-$n.md"; done
head -c 300000 /dev/urandom >"$tmp/repo/random.bin"
repository "$tmp/repo"
org=$(jq -r .organization "$tmp/init")
"$octavo" import --dir "$d" --org "$org" --title T --url "$tmp/repo" >/dev/null || fail import 'it failed'
sql "UPDATE org SET created_at = -9223372036854775807"
# More rows than a server sends, or a statement writes, at once.
sql "INSERT INTO audit_event (id, org, at, action, source, actor, target_type, target, before) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL
	SELECT i + 1 FROM n WHERE i < 5000) SELECT 'event' || i, '$org', i, 'x', 'script', 'system', 'org', '$org', '{}' FROM n" || fail rows 'none'
dump >"$tmp/before"
[ "$(wc -l <"$tmp/before")" -gt 200 ] || fail rows 'there are few to move'

# ---- refusals ----
expect 'an experiment is refused unless it is permitted' 1 'OCTAVO_EXPERIMENTAL_POSTGRES=1 permits it' \
	"$octavo" migrate --dir "$d" --to "$server"
export OCTAVO_EXPERIMENTAL_POSTGRES=1
expect 'another folder is refused' 2 'or the data directory' "$octavo" migrate --dir "$d" --to "$tmp"
expect 'there is no server to move from' 1 'names no server' "$octavo" migrate --dir "$d" --to "$d"
expect 'a server that is away is named' 1 'Nothing was moved|No such file|connect' "$octavo" migrate --dir "$d" --to "$away"
"$OCTAVO_BUILD/tests/sql" "$d/octavo.db" --hold 60000 >"$tmp/held" &
blocker=$!
until_true 10 test -s "$tmp/held"
expect 'programs that run are named' 1 "process $blocker has the database open" "$octavo" migrate --dir "$d" --to "$server"
kill "$blocker"
wait "$blocker" 2>/dev/null
blocker=''
psql -q -d "$server" -c 'CREATE TABLE space (id text)'
expect 'tables of others are not touched' 1 'space: ERROR|already exists' "$octavo" migrate --dir "$d" --to "$server"
psql -q -d "$server" -c 'DROP TABLE space'
psql -q -d "$server" -v ON_ERROR_STOP=1 <<'SQL' || fail spoil 'it is not prepared'
CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.title := NEW.title || ' '; RETURN NEW; END $$;
CREATE FUNCTION spoil_table() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
	IF EXISTS (SELECT 1 FROM pg_event_trigger_ddl_commands() WHERE command_tag = 'CREATE TABLE' AND object_identity = 'public.org') THEN
		CREATE TRIGGER spoil BEFORE INSERT ON org FOR EACH ROW EXECUTE FUNCTION spoil();
	END IF; END $$;
CREATE EVENT TRIGGER spoil ON ddl_command_end EXECUTE FUNCTION spoil_table();
SQL
expect 'a row that differs is noticed' 1 'org: the copy differs.*Nothing was moved' "$octavo" migrate --dir "$d" --to "$server"
psql -q -d "$server" -c 'DROP EVENT TRIGGER spoil' -c 'DROP FUNCTION spoil_table, spoil'
sql "UPDATE org SET title = 'A' || char(0) || 'B'"
expect 'a text that the server cannot store is named' 1 'org: a text has a NUL byte.*Nothing was moved' "$octavo" migrate --dir "$d" --to "$server"
sql "UPDATE org SET title = 'Acme'"
dump >"$tmp/again"
# The test itself has changed the title, which is counted.
same 'refusals change nothing' '' "$(diff -a "$tmp/before" "$tmp/again" | grep -av 'site_change' | grep -a '^[<>]' | head -n 5)"
mv "$tmp/again" "$tmp/before"

# ---- interrupted ----
blocked "$octavo" migrate --dir "$d" --to "$server"
expect 'others read meanwhile' 0 . "$OCTAVO_BUILD/tests/sql" "$d/octavo.db" 'SELECT count(*) FROM org'
expect 'and do not write' 1 'locked' "$OCTAVO_BUILD/tests/sql" "$d/octavo.db" "UPDATE org SET title = 'Late'"
kill -9 "$moving"
wait "$moving" 2>/dev/null
unblock
same 'an interrupted move leaves nothing on the server' 0 \
	"$(psql -q -A -t -d "$server" -c "SELECT count(*) FROM information_schema.tables WHERE table_schema = 'public'")"
expect 'nor changes the file' 0 '^ok' "$octavo" check --dir "$d"

# killed N COMMAND...: it is killed at its Nth rename(). Those of the folder of ready-made pages come first.
killed() {
	head -c 16 /dev/zero >"$tmp/fault"
	FAULT_CALL=rename FAULT_AT=$1
	shift
	env LD_PRELOAD="$OCTAVO_BUILD/tests/fault.so" FAULT_CALL=$FAULT_CALL FAULT_AT="$FAULT_AT" FAULT_STATE="$tmp/fault" FAULT_KILLS=1 \
		"$@" >"$tmp/killed" 2>&1
	same "it is killed at rename $FAULT_AT" 137 $?
}
version() { psql -q -A -t -d "$server" -c 'SELECT version < 0 FROM octavo_schema'; }

# ---- killed between two steps: first after the rows were committed, before octavo.db is renamed ----
killed 2 "$octavo" migrate --dir "$d" --to "$server"
same 'what is on the server is not opened yet' t "$(version)"
on_server expect 'by any program' 1 'octavo migrate --to' "$octavo" check --dir "$d"
expect 'the file is still in use' 0 '^ok' "$octavo" check --dir "$d"
sql "UPDATE org SET title = 'Acme, later'"
dump >"$tmp/before"
# As if an earlier version had begun the move.
psql -q -d "$server" -c 'SET client_min_messages = warning' -c 'DROP TABLE audit_event CASCADE' -c 'DROP FUNCTION octavo_site_changed CASCADE'
killed 3 "$octavo" migrate --dir "$d" --to "$server"
same 'then octavo.db is renamed, and nothing opened' 't octavo.db.moved' "$(version) $(ls "$d" | grep -x -e octavo.db -e octavo.db.moved)"
expect 'a server that is away says nothing about the kept file' 1 'Do not delete' "$octavo" migrate --dir "$d" --to "$away"
case $out in *'from an earlier move'*) fail advice "$out" ;; *) pass ;; esac
cp "$d/octavo.db.moved" "$tmp/other"
mv "$d/octavo.db.moved" "$tmp/moved"
cp "$tmp/other" "$d/octavo.db.moved"
expect 'another file does not end the move' 1 'octavo.db.moved exists' "$octavo" migrate --dir "$d" --to "$server"
mv "$tmp/moved" "$d/octavo.db.moved"

# ---- there ----
expect 'the move is ended when it is repeated' 0 'it is complete now' "$octavo" migrate --dir "$d" --to "$server"
on_server dump >"$tmp/there"
same 'with each row, also one that was written after the first interruption' '' "$(diff -a "$tmp/before" "$tmp/there" | head -n 5)"
# As if it had not happened.
mv "$d/octavo.db.moved" "$d/octavo.db"
psql -q -d "$server" -c 'SET client_min_messages = warning' -c 'DROP SCHEMA public CASCADE' -c 'CREATE SCHEMA public'
expect 'it moves' 0 'rows of [0-9]+ tables were copied, and are equal' "$octavo" migrate --dir "$d" --to "$server"
on_server dump >"$tmp/there"
same 'each row is on the server' '' "$(diff -a "$tmp/before" "$tmp/there" | head -n 5)"
expect 'nothing opens the file any more' 1 'has moved its data to a PostgreSQL server' "$octavo" check --dir "$d"
same 'the log went with it' '' "$(ls "$d" | grep -E 'octavo.db-')"
on_server expect 'the data is not moved twice' 1 'on a PostgreSQL server already' "$octavo" migrate --dir "$d" --to "$server"
on_server jobs
on_server expect 'the data is whole' 0 '^ok' "$octavo" check --dir "$d"
on_server expect 'the doctor knows the settings' 0 'which is an experiment' "$octavo" doctor --dir "$d"
case $out in *BAD*OCTAVO_DB* | *BAD*quick_check*) fail doctor "$out" ;; *) pass ;; esac
on_server expect 'it is written there' 0 . "$octavo" user create --dir "$d" --email b@example.com --name B
on_server "$octavo" import --dir "$d" --org "$org" --title U --url "$tmp/repo" >/dev/null || fail 'rows get numbers after those that were moved' 'the import failed'
on_server expect 'and whole then' 0 '^ok' "$octavo" check --dir "$d"
on_server dump >"$tmp/there"

# ---- and back ----
echo 'left by an interrupted move' >"$d/octavo.db.moving"
# A writer that has begun, and comes to its first row after the move.
mkfifo "$tmp/late"
psql -q -A -t -d "$server" -v ON_ERROR_STOP=1 <"$tmp/late" >"$tmp/written" 2>&1 &
blocker=$!
exec 3>"$tmp/late"
echo "BEGIN ISOLATION LEVEL SERIALIZABLE; SELECT 'version', version FROM octavo_schema;" >&3
until_true 10 grep -q version "$tmp/written"
# Killed after the server's database was marked, before the file has its name.
export OCTAVO_DB="$server"
killed 3 "$octavo" migrate --dir "$d" --to "$d"
unset OCTAVO_DB
same 'neither is open then' 't 0' "$(version) $(ls "$d" | grep -cx octavo.db)"
on_server expect 'it is moved back when that is repeated' 0 'it is complete now' "$octavo" migrate --dir "$d" --to "$d"
dump >"$tmp/back"
echo "UPDATE org SET title = 'Late'; COMMIT; SELECT 'acknowledged';" >&3
exec 3>&-
wait "$blocker"
blocker=''
expect 'a writer that is too late is refused' 0 'could not serialize' cat "$tmp/written"
same 'and gets no answer that it was written' 0 "$(grep -c acknowledged "$tmp/written")"
same 'each row is in the file' '' "$(diff -a "$tmp/there" "$tmp/back" | head -n 5)"
on_server expect 'nothing opens what is on the server any more' 1 'has moved the data away' "$octavo" check --dir "$d"
jobs
expect 'the file is whole' 0 '^ok' "$octavo" check --dir "$d"
same 'its triggers are back' "$("$OCTAVO_BUILD/tests/sql" "$d/octavo.db.moved" "SELECT name FROM sqlite_schema WHERE type = 'trigger' ORDER BY 1")" \
	"$(sql "SELECT name FROM sqlite_schema WHERE type = 'trigger' ORDER BY 1")"
expect 'an older copy is not replaced' 1 'octavo.db.moved exists' "$octavo" migrate --dir "$d" --to "$server"
rm "$d"/octavo.db.moved*
expect 'nor what is on the server' 1 'is not empty' "$octavo" migrate --dir "$d" --to "$server"
summary
