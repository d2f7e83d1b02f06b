#!/bin/sh
# octavo salvage: the command on data damaged in several ways, and serving the result. Single rows
# are tested in tests/unit/test_salvage.c. Needs OCTAVO_BUILD.
set -u
. tests/http/expect.sh

finish() {
	"$octavo" down --dir "$d" >/dev/null 2>&1
	"$octavo" down --dir "$tmp/served" >/dev/null 2>&1
	rm -rf "$tmp"
	ended_early
}
at_exit finish

d=$tmp/data
"$octavo" init --dir "$d" --email a@example.com --name A --org Docs --json >"$tmp/init" || exit 1
token=$(jq -r .token "$tmp/init") org=$(jq -r .organization "$tmp/init")
mkdir "$tmp/repo"
for i in $(seq 120); do
	printf '# Page %s\n\nText of page %s.\n\n%s\n' "$i" "$i" "$(head -c 700 /dev/urandom | base64)" >"$tmp/repo/p$i.md"
done
printf '# Home\n\n![](a.png)\n' >"$tmp/repo/README.md"
head -c 30000 /dev/urandom >"$tmp/repo/a.png"
repository "$tmp/repo"
"$octavo" import --dir "$d" --org "$org" --title T --url "$tmp/repo" --json >"$tmp/import" || exit 1
space=$(jq -r .result.space "$tmp/import")
sql() { "$OCTAVO_BUILD/tests/sql" "$@"; }
root() { sql "$d/octavo.db" "SELECT rootpage FROM sqlite_schema WHERE name = '$1'"; }

all=$(sql "$d/octavo.db" 'SELECT count(*) FROM node') bytes=$(sql "$d/octavo.db" 'SELECT count(*) FROM blob')
[ "$all" -gt 120 ] || fail import "$all"
# damage PAGE...: copies the data and overwrites these database pages with random bytes.
damage() {
	rm -rf "$tmp/bad" "$tmp/new"
	cp -r "$d" "$tmp/bad"
	for page in "$@"; do
		head -c 4096 /dev/urandom | dd of="$tmp/bad/octavo.db" bs=4096 seek=$((page - 1)) conv=notrunc status=none
	done
	md5sum <"$tmp/bad/octavo.db" >"$tmp/sum"
}
rows() { jq ".[] | select(.table == \"$1\") | .rows" "$tmp/told"; }
salvage() {
	"$octavo" salvage "$tmp/new" --dir "$tmp/bad" --json >"$tmp/told" 2>"$tmp/said" && pass || fail "$1" "$(cat "$tmp/said")"
	same "$1: the damaged file is untouched" "$(cat "$tmp/sum")" "$(md5sum <"$tmp/bad/octavo.db")"
	same "$1: the new folder has nothing else" 'blobs cache log octavo.db octavo.key run' "$(ls "$tmp/new" | tr '\n' ' ' | sed 's/ $//')"
}

expect 'salvage needs a folder' 2 'name a new folder' "$octavo" salvage --dir "$d"
expect 'salvage into the data is refused' 1 'does not exist yet' "$octavo" salvage "$d" --dir "$d"
expect 'salvage of no data fails' 1 'No such file' "$octavo" salvage "$tmp/new" --dir "$tmp/none"
same 'failed salvages make nothing' no "$([ -e "$tmp/new" ] && echo yes || echo no)"

damage
salvage 'whole data'
same 'salvage of whole data keeps every page' "$all" "$(rows node)"
expect 'octavo check finds nothing in salvaged whole data' 0 '^ok' "$octavo" check --dir "$tmp/new" --deep

damage 1
expect 'a database with a damaged first page cannot be opened' 1 '.' "$octavo" check --dir "$tmp/bad"
salvage 'the first page'
same 'salvage keeps every page without the first page' "$all" "$(rows node)"
expect 'octavo check finds nothing without the first page' 0 '^ok' "$octavo" check --dir "$tmp/new" --deep

damage "$(root node)" "$(root account)" "$(root blob)" "$(root revision)" "$(root org)"
salvage 'five roots'
[ "$(rows node)" -gt 90 ] && pass || fail 'salvage finds pages below a damaged root' "$(rows node)"
same 'salvaged bytes get their names again' "$bytes" "$(sql "$tmp/new/octavo.db" 'SELECT count(*) FROM blob')"
same 'a lost person gets a stand-in' 'Lost name' "$(sql "$tmp/new/octavo.db" 'SELECT name FROM account')"
expect 'octavo check finds nothing after five damaged roots' 0 '^ok' "$octavo" check --dir "$tmp/new" --deep

# The result can be served: the person's token, the pages, their file, search.
mv "$tmp/new" "$tmp/served"
"$octavo" up --dir "$tmp/served" --port 0 --workers 1 >"$tmp/up" 2>&1 || fail up "$(cat "$tmp/up")"
url=$("$octavo" status --dir "$tmp/served" --json | jq -r .url)
get() { curl -s -m 30 -H "Authorization: Bearer $token" "$url/v1/$1"; }
same 'salvaged pages are served' 200 "$(get "spaces/$space/content" -o /dev/null | jq 'if .pages | length > 80 then 200 else . end')"
expect 'jobs run in salvaged data' 0 '' "$octavo" jobs --wait --dir "$tmp/served"
page=$(sql "$tmp/served/octavo.db" "SELECT slug FROM node WHERE slug LIKE 'p%' LIMIT 1")
get "spaces/$space/search?query=page%20${page#p}" >"$tmp/found"
jq -e --arg title "Page ${page#p}" 'any(.items[]; .title == $title)' "$tmp/found" >/dev/null && pass || fail search "$page: $(cat "$tmp/found")"
expect 'salvage is refused while programs run' 1 'has the database open' "$octavo" salvage "$tmp/again" --dir "$tmp/served"

# Data that is still in the log is included.
curl -s -o /dev/null -H "Authorization: Bearer $token" -H 'Content-Type: application/json' -d '{"title":"Newest"}' "$url/v1/orgs/$org/spaces"
mkdir "$tmp/cut"
cp -r "$tmp/served/." "$tmp/cut"
[ -s "$tmp/cut/octavo.db-wal" ] && pass || fail 'a killed program leaves a log' 'there is none'
"$octavo" down --dir "$tmp/served" >/dev/null
expect 'salvage reads the log' 0 'account' "$octavo" salvage "$tmp/from_cut" --dir "$tmp/cut"
same 'salvage keeps the newest write' 1 "$(sql "$tmp/from_cut/octavo.db" "SELECT count(*) FROM space WHERE title = 'Newest'")"

# A page whose text is lost is not shown as an empty one.
damage
sql "$tmp/bad/octavo.db" "DELETE FROM blob_data WHERE no IN (SELECT b.no FROM node n JOIN blob b ON b.hash = n.body WHERE n.slug = 'p7')" "PRAGMA wal_checkpoint(TRUNCATE)" >/dev/null
expect 'salvage names a lost text' 0 '^The text of 1 page versions is lost; a note in each says so' "$octavo" salvage "$tmp/new" --dir "$tmp/bad"
text() { sql "$tmp/new/octavo.db" "SELECT CAST(octavo_unpack(d.data, d.size) AS TEXT) FROM node n JOIN blob b ON b.hash = n.body JOIN blob_data d ON d.no = b.no WHERE n.slug = '$1'"; }
same 'a page with a lost text says so' '*The text of this page is lost: it could not be read when the database was salvaged.*' "$(text p7)"
text p8 | grep -q 'Text of page 8' && pass || fail 'other pages keep their text' "$(text p8)"
expect 'octavo check finds nothing after a lost text' 0 '^ok' "$octavo" check --dir "$tmp/new" --deep

# Spaces of a lost organization belong to nobody.
damage "$(root space)"
salvage 'the root of spaces'
same 'salvage keeps the space' "$space" "$(sql "$tmp/new/octavo.db" 'SELECT id FROM space')"
same 'salvage makes an organization without members' 0 "$(sql "$tmp/new/octavo.db" 'SELECT count(*) FROM member WHERE org = (SELECT org FROM space)')"
expect 'octavo check names the organization without an admin' 1 'every organization has an admin' "$octavo" check --dir "$tmp/new"
"$octavo" salvage "$tmp/plain" --dir "$tmp/bad" >"$tmp/said" 2>&1
grep -q "then start the programs on $tmp/plain; or, if they must use $tmp/bad, move" "$tmp/said" && pass || fail 'salvage names the next steps' "$(cat "$tmp/said")"
told=$(sed -n 's/^ *octavo member add //p' "$tmp/said" | sed 's/EMAIL/a@example.com/')
expect 'the command that salvage names works' 0 '.' sh -c "'$octavo' member add $told"
expect 'octavo check finds nothing after that command' 0 '^ok' "$octavo" check --dir "$tmp/plain" --deep

# advises NAME SQL ADVICE: the repair that check prints is that of the breach found, and no other.
advises() {
	damage
	[ -z "$2" ] || sql "$tmp/bad/octavo.db" 'PRAGMA foreign_keys = OFF' "$2" 'PRAGMA wal_checkpoint(TRUNCATE)' >/dev/null
	[ -z "${4:-}" ] || (cd "$tmp/bad" && eval "$4")
	expect "$1: octavo check finds it" 1 "$3" "$octavo" check --dir "$tmp/bad" --deep
	same "$1: octavo check gives one advice" 1 "$(printf '%s\n' "$out" | grep -cE '^Where |^The organization .* has no admin|accept-key$')"
}
advises 'rows that contradict each other' "UPDATE space SET requests = 99" '^Where rows contradict.* octavo salvage NEW --dir .*/bad '
md5sum <"$tmp/bad/octavo.db" >"$tmp/sum"
salvage 'rows that contradict each other'
expect 'octavo check finds nothing after the advice' 0 '^ok' "$octavo" check --dir "$tmp/new" --deep
advises 'no admin' "UPDATE member SET role = 1" "^  octavo member add --dir .*/bad --org $org --user EMAIL --role admin"
advises 'a damaged text' "UPDATE blob_data SET data = randomblob(length(data)), size = length(data) WHERE no = (SELECT b.no FROM node n JOIN blob b ON b.hash = n.body WHERE n.slug = 'p7')" '^Where a page.s text is damaged: write it or import it anew'
advises 'a missing file' '' '^Where a file is missing.* from below blobs/ of a backup' 'rm "$(find blobs/?? -type f | head -n 1)"'
advises 'search' "DELETE FROM search_place" '^Where search or links do not fit: octavo check --repair'
advises 'references' "DELETE FROM org" '^Where the database itself is damaged: .* octavo restore'
advises 'the key' '' 'octavo check --accept-key' 'head -c 32 /dev/urandom | od -An -tx1 | tr -d " \n" >octavo.key'

head -c 3000 /dev/urandom >"$tmp/bad/octavo.db"
expect 'salvage of noise fails' 1 'no row of any table can be found' "$octavo" salvage "$tmp/noise" --dir "$tmp/bad"
: >"$tmp/bad/octavo.db"
expect 'salvage of an empty file fails' 1 'too short for a database' "$octavo" salvage "$tmp/empty" --dir "$tmp/bad"

summary
