#!/bin/sh
# Two job runners, as on two machines, take jobs from one database: each job is done once, schedules queue their
# jobs once, and what a runner that died had taken is done by the other. Needs OCTAVO_BUILD.
set -u
cd "$(dirname "$0")/../.." || exit 2
[ -n "${OCTAVO_TEST_DB:-}" ] || exec sh tests/postgres/server.sh sh "$0"
. tests/http/expect.sh
one='' two='' silent=''
finish() {
	for f_pid in $one $two $silent; do kill "$f_pid" 2>/dev/null; done
	wait
	rm -rf "$tmp"
	ended_early
}
at_exit finish

export OCTAVO_DB="$OCTAVO_TEST_DB" OCTAVO_EXPERIMENTAL_POSTGRES=1 OCTAVO_GIT_ROOT="$tmp" OCTAVO_GIT_PRIVATE=1 OCTAVO_URL=http://localhost
unset OCTAVO_ENGINE OCTAVO_TEST_DB WORKERS
query() { psql -q -A -t -d "$OCTAVO_DB" -c "$1"; }
is() { [ "$(query "$1")" = "$2" ]; }
runner() { exec env OCTAVO_DIR="$1" OCTAVO_JOB_REMOTE=3 "$OCTAVO_BUILD/octavo-jobs" >>"$tmp/log" 2>&1; }
# import SPACE URL: queues an import
import() {
	"$octavo" call POST "/spaces/$1/git/import" --user a@example.com --body "{\"url\":\"$2\",\"ref\":\"refs/heads/main\"}" --dir "$a" >"$tmp/call" 2>&1 ||
		fail "import $1" "$(cat "$tmp/call")"
}

# Two nodes share files and the key; locks and caches are their own.
a=$tmp/a b=$tmp/b
"$octavo" init --dir "$a" --email a@example.com --name Ada --org Acme --json >"$tmp/init" || exit 1
org=$(jq -r .organization "$tmp/init")
mkdir "$b"
cp "$a/octavo.key" "$b/"
mkdir -p "$a/blobs"
ln -s ../a/blobs "$b/blobs"
mkdir "$tmp/repo"
for n in $(seq 30); do printf '# Page %s\n\nText.\n' "$n" >"$tmp/repo/page-$n.md"; done
repository "$tmp/repo"
for n in $(seq 12); do "$octavo" space create --dir "$a" --org "$org" --title "S$n" --json | jq -r .id; done >"$tmp/spaces"
[ "$(grep -c . "$tmp/spaces")" = 12 ] || fail spaces "$(cat "$tmp/spaces")"
while read -r space; do import "$space" "file://$tmp/repo"; done <"$tmp/spaces"
is "SELECT count(*) FROM job WHERE kind = 'import' AND state = 'queued'" 12 && pass || fail jobs 'they are not queued'
# Each is due when the runners start, and every second after it.
for n in 1 2 3 4 5 6; do
	query "INSERT INTO schedule (id, kind, space, queue, args, every, next_at)
		SELECT 's$n', 'unstage', id, id, '{\"n\":$n}', 1000, 0 FROM space WHERE id = '$(sed -n "${n}p" "$tmp/spaces")'"
done

runner "$a" & one=$!
runner "$b" & two=$!
until_true 60 is "SELECT count(*) FROM job WHERE kind = 'import' AND state = 'done'" 12 && pass || fail 'all are done' "$(query "SELECT state, count(*) FROM job GROUP BY 1") $(tail "$tmp/log")"
same 'both runners have taken some' 2 "$(query "SELECT count(DISTINCT runner) FROM job WHERE kind = 'import'")"
same 'each job was taken once' '1 1' "$(query "SELECT max(claims) || ' ' || max(attempts) FROM job WHERE kind = 'import'")"
same 'each space has its pages' 12 "$(query "SELECT count(*) FROM (SELECT b.space FROM node n JOIN branch b ON b.id = n.branch
	WHERE n.title LIKE 'Page %' AND n.until = 9007199254740991 GROUP BY 1 HAVING count(*) = 30) x")"
sleep 2
query "UPDATE schedule SET every = 3600000, next_at = next_at + 3600000"
same 'a schedule queues one job at a time' 0 "$(query "SELECT count(*) FROM (SELECT created_at - lag(created_at) OVER (PARTITION BY args ORDER BY created_at) AS ms
	FROM job WHERE kind = 'unstage') x WHERE ms < 900")"
[ "$(query "SELECT count(*) FROM job WHERE kind = 'unstage'")" -ge 12 ] && pass || fail 'schedules run' "$(query "SELECT args, state, count(*) FROM job WHERE kind = 'unstage' GROUP BY 1, 2")"

# ---- statements and commits of a job fail because they met another transaction: it does its steps again ----
# of SPACE: what an import leaves, but for ids and times
of() {
	query "SELECT n.kind, n.title, n.slug, n.git_path, encode(n.body, 'hex') FROM node n JOIN branch b ON b.id = n.branch WHERE b.space = '$1' ORDER BY 1, 2, 3, 4, 5"
	query "SELECT (SELECT count(*) FROM revision r JOIN branch b ON b.id = r.branch WHERE b.space = '$1'),
		(SELECT count(*) FROM audit_event WHERE target = '$1'), (SELECT count(*) FROM branch WHERE space = '$1'),
		(SELECT string_agg(kind || ' ' || state || ' ' || attempts, ',' ORDER BY kind) FROM job WHERE space = '$1' AND kind <> 'unstage'),
		(SELECT count(*) FROM job_warning w JOIN job j ON j.id = w.job WHERE j.space = '$1'),
		(SELECT count(*) FROM search_page WHERE page IN (SELECT n.id FROM node n JOIN branch b ON b.id = n.branch WHERE b.space = '$1'))"
}
until_true 60 is "SELECT count(*) FROM job WHERE state IN ('queued', 'running')" 0 || fail rest "$(query "SELECT kind, state FROM job WHERE state IN ('queued', 'running')")"
met=$("$octavo" space create --dir "$a" --org "$org" --title Met --json | jq -r .id)
calm=$("$octavo" space create --dir "$a" --org "$org" --title Calm --json | jq -r .id)
import "$calm" "file://$tmp/repo"
until_true 60 is "SELECT count(*) FROM job WHERE state IN ('queued', 'running')" 0 || fail calm 'its jobs do not end'
psql -q -d "$OCTAVO_DB" -v ON_ERROR_STOP=1 <<'SQL' || fail meet 'it is not prepared'
CREATE SEQUENCE meetings;
-- A sequence counts on where a transaction is rolled back; setval(), because lastval() is the number of a row.
CREATE FUNCTION meet() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE n bigint; BEGIN
	SELECT last_value INTO n FROM meetings;
	IF setval('meetings', n + 1) IN (2, 5, 9, 16, 30, 57, 110, 200, 390) THEN RAISE EXCEPTION 'met' USING ERRCODE = 'serialization_failure'; END IF;
	RETURN NULL; END $$;
DO $$ DECLARE t text; BEGIN FOREACH t IN ARRAY ARRAY['node', 'revision', 'branch', 'job', 'job_warning', 'search_text', 'blob'] LOOP
	EXECUTE format('CREATE TRIGGER meet AFTER INSERT OR UPDATE OR DELETE ON %I FOR EACH STATEMENT EXECUTE FUNCTION meet()', t); END LOOP; END $$;
CREATE CONSTRAINT TRIGGER meet_late AFTER INSERT OR UPDATE ON branch DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION meet();
SQL
import "$met" "file://$tmp/repo"
until_true 60 is "SELECT count(*) FROM job WHERE state IN ('queued', 'running')" 0 || fail met "its jobs do not end: $(query "SELECT kind, state, error FROM job WHERE space = '$met'")"
failures=$(query "SELECT (SELECT last_value FROM meetings) > 30")
psql -q -d "$OCTAVO_DB" -c 'SET client_min_messages = warning' -c 'DROP FUNCTION meet() CASCADE'
same 'it met others at many statements' t "$failures"
of "$calm" >"$tmp/calm"
of "$met" >"$tmp/met"
[ "$(wc -l <"$tmp/calm")" -ge 31 ] && pass || fail 'an import leaves pages' "$(cat "$tmp/calm")"
same 'nothing is done twice, and nothing is missing' '' "$(diff "$tmp/calm" "$tmp/met" | head -n 5)"
[ "${1:-}" != short ] || summary

# ---- a runner dies: its job waits for a server that never answers ----
until_true 30 is "SELECT count(*) FROM job WHERE state IN ('queued', 'running')" 0
kill "$two"
wait "$two" 2>/dev/null
two=''
python3 -c 'import socket, sys, time
s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen(9); print(s.getsockname()[1], flush=True); time.sleep(600)' >"$tmp/port" & silent=$!
until_true 10 test -s "$tmp/port"
space=$(head -n 1 "$tmp/spaces")
import "$space" "http://127.0.0.1:$(cat "$tmp/port")/repo.git"
hangs="kind = 'import' AND state = 'running'"
until_true 20 is "SELECT count(*) FROM job WHERE $hangs" 1 && pass || fail 'a job runs' "$(tail "$tmp/log")"
until_true 20 is "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND classid = 6715260" 1 && pass || fail 'its process holds it' no
runner "$b" & two=$!
sleep 17
same 'a job that a process holds is not taken' 1 "$(query "SELECT claims FROM job WHERE $hangs")"
kill -9 "$one"
wait "$one" 2>/dev/null
one=''
until_true 30 is "SELECT claims FROM job WHERE $hangs" 2 && pass || fail 'a job whose runner died is taken again' "$(query "SELECT state, claims, error FROM job WHERE kind = 'import' ORDER BY created_at DESC LIMIT 1")"

# ---- a process whose connection is lost commits nothing more ----
query "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND classid = 6715260" >/dev/null
until_true 30 is "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND classid = 6715260" 0 && pass || fail lost 'it is held again'
until_true 60 is "SELECT claims FROM job WHERE $hangs" 3 && pass || fail 'it is taken again when its connection is lost' "$(query "SELECT state, claims, error FROM job WHERE kind = 'import' ORDER BY created_at DESC LIMIT 1")"
summary
