#!/bin/sh
# octavo migrate while programs run, and octavo check --repair after an incomplete upgrade. Needs OCTAVO_BUILD.
set -u
. tests/http/expect.sh

finish() {
	[ -z "${holder:-}" ] || kill "$holder" 2>/dev/null
	rm -rf "$tmp"
	ended_early
}
at_exit finish

sql() { "$OCTAVO_BUILD/tests/sql" "$d/octavo.db" "$@"; }
d=$tmp/data
"$octavo" init --dir "$d" --email a@example.com --name A --org Docs --json >"$tmp/init" || exit 1
latest=$(sql 'PRAGMA user_version') old=12
expect 'migrate has nothing to do' 0 "schema version $latest, 0 steps" "$octavo" migrate --dir "$d"

# A database of an older program.
rm "$d"/octavo.db*
: >"$d/octavo.db"
for f in schema/*.sql; do
	n=${f#schema/}
	[ "$(expr "${n%%_*}" + 0)" -gt $old ] || sql --script "$(cat "$f"); PRAGMA user_version = $(expr "${n%%_*}" + 0)"
done
expect 'migrate --dry-run says the next step' 0 "would take step $latest: " "$octavo" migrate --dir "$d" --dry-run
same 'migrate --dry-run lists every step' "$((latest - old))" "$("$octavo" migrate --dir "$d" --dry-run --json | jq '.steps | length')"
same 'migrate --dry-run does nothing' $old "$(sql 'PRAGMA user_version')"
"$OCTAVO_BUILD/tests/sql" "$d/octavo.db" --hold 60000 >"$tmp/held" &
holder=$!
n=100
until [ -s "$tmp/held" ] || [ $n -eq 0 ]; do sleep 0.1; n=$((n - 1)); done
expect 'migrate is refused while the database is in use' 1 "in use by sql \\($holder\\)\\. Install the new programs, then run octavo migrate --stop.*Nothing was changed" "$octavo" migrate --dir "$d"
expect 'migrate --stop does not stop other programs' 1 "in use by sql" "$octavo" migrate --dir "$d" --stop
expect 'migrate --dry-run says that the database is in use' 0 "not while the database is in use by sql" "$octavo" migrate --dir "$d" --dry-run
kill $holder
wait $holder 2>/dev/null
holder=''
same 'refused migrations do nothing' $old "$(sql 'PRAGMA user_version')"
sql "INSERT INTO org (id, title, created_at) VALUES ('o', 'Old', 1)" >/dev/null
expect 'init of an older database is refused' 1 'is initialised already' "$octavo" init --dir "$d" --email b@example.com --name B --org New
same 'init does not migrate' $old "$(sql 'PRAGMA user_version')"
expect 'migrate takes every step' 0 "schema version $latest, $((latest - old)) steps" "$octavo" migrate --dir "$d"
same 'migrate keeps the older database' $old "$("$OCTAVO_BUILD/tests/sql" "$d/octavo.db.schema-$old" 'PRAGMA user_version')"
same 'the older database is readable to its owner alone' 0 "$(($(stat -c %a "$d/octavo.db.schema-$old") % 10))"

# A job queued by the upgrade was taken by an old program that did not know its kind.
e=$tmp/other
"$octavo" init --dir "$e" --email a@example.com --name A --org Docs --json >"$tmp/init" || exit 1
d=$e
mkdir "$tmp/repo"
printf '# Home\n\nWombats and text.\n' >"$tmp/repo/README.md"
repository "$tmp/repo"
"$octavo" import --dir "$e" --org "$(jq -r .organization "$tmp/init")" --title T --url "$tmp/repo" >/dev/null || fail import 'it failed'
expect 'octavo check finds nothing before' 0 '^ok' "$octavo" check --dir "$e"
sql "INSERT INTO search_index (search_index) VALUES ('delete-all')" 'DELETE FROM search_text' \
	'DELETE FROM search_place' 'DELETE FROM search_page' 'DELETE FROM search_reads' 'DELETE FROM search_space'
expect 'octavo check finds a missing index' 1 'spaces are in the search index: space' "$octavo" check --dir "$e"
expect 'octavo check names the repair' 1 'search or links .*octavo check --repair .* made anew' "$octavo" check --dir "$e"
expect 'octavo check --repair queues jobs' 0 'breaches, all of data that is being made anew' "$octavo" check --dir "$e" --repair
expect 'the jobs make the index' 0 'index +.*done' "$octavo" jobs --dir "$e" --wait
expect 'octavo check finds nothing after the repair' 0 '^ok' "$octavo" check --dir "$e" --deep
same 'the search index has the space' 1 "$(sql "SELECT count(*) FROM search_page")"

# Unreadable tables do not hide other findings.
sql 'ALTER TABLE search_page RENAME TO search_gone' "UPDATE job SET secret = x'00'"
expect 'octavo check names what it cannot read' 1 'cannot be read: no such table' "$octavo" check --dir "$e"
expect 'octavo check goes on with the rest' 1 'ended jobs hold no secrets: job' "$octavo" check --dir "$e"

summary
