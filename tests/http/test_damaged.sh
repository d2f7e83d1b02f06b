#!/bin/sh
# Pages whose text is damaged in the database: they answer with their title and an error, nothing
# else fails, and no replacement text is stored or exported anywhere. The commands that find them,
# and the repair. Needs OCTAVO_BUILD.
set -u
. tests/http/expect.sh

finish() {
	"$octavo" down --dir "$d" >/dev/null 2>&1
	rm -rf "$tmp"
	ended_early
}
at_exit finish

d=$tmp/data
"$octavo" init --dir "$d" --email a@example.com --name A --org Docs --json >"$tmp/init" || exit 1
token=$(jq -r .token "$tmp/init") org=$(jq -r .organization "$tmp/init")
mkdir -p "$tmp/repo/.gitbook/includes"
long() { for i in $(seq 40); do echo "Line $i of $1 says what it says about wombats."; done; }
printf '# Home\n\nWelcome.\n\n{%% include ".gitbook/includes/shared.md" %%}\n\n[to packed](packed.md#part)\n' >"$tmp/repo/README.md"
printf '# Packed page\n\n## Part\n\n%s\n' "$(long packed)" >"$tmp/repo/packed.md"
printf '# Short page\n\nShort text.\n' >"$tmp/repo/short.md"
printf '# Gone page\n\n%s\n' "$(long gone)" >"$tmp/repo/gone.md"
printf '# Whole page\n\n%s\n' "$(long whole)" >"$tmp/repo/whole.md"
printf -- '---\ntitle: Shared\n---\n\n%s\n' "$(long shared)" >"$tmp/repo/.gitbook/includes/shared.md"
repository "$tmp/repo"
"$octavo" import --dir "$d" --org "$org" --title T --url "$tmp/repo" --json >"$tmp/import" || fail import 'it failed'
space=$(jq -r .result.space "$tmp/import")
sql() { "$OCTAVO_BUILD/tests/sql" "$d/octavo.db" "$@"; }
cp -r "$d" "$tmp/well"
row() { echo "(SELECT b.no FROM node n JOIN blob b ON b.hash = n.body WHERE n.slug = '$1')"; }
# Damages one bit of a compressed text, of an uncompressed one, and of a reusable content; and deletes one row.
sql "UPDATE blob_data SET data = CAST(substr(data, 1, 60) || x'00ff' || substr(data, 63) AS BLOB) WHERE no = $(row packed)" \
	"UPDATE blob_data SET data = CAST(replace(CAST(data AS TEXT), 'Short text', 'Short texu') AS BLOB) WHERE no = $(row short)" \
	"DELETE FROM blob_data WHERE no = $(row gone)" \
	"UPDATE blob_data SET data = CAST(substr(data, 1, 60) || x'00ff' || substr(data, 63) AS BLOB) WHERE no IN (SELECT b.no FROM node n JOIN blob b ON b.hash = n.body WHERE n.kind = 'reusable')" \
	'DELETE FROM derived' >/dev/null
same 'four texts are damaged' 4 "$(sql "SELECT count(DISTINCT n.id) FROM node n JOIN blob b ON b.hash = n.body LEFT JOIN blob_data d ON d.no = b.no WHERE n.kind IN ('document', 'reusable') AND (d.no IS NULL OR octavo_unpack(d.data, d.size) IS NULL OR CAST(d.data AS TEXT) LIKE '%texu%')")"

OCTAVO_GIT_ROOT=$tmp "$octavo" up --dir "$d" --port 0 --workers 1 >"$tmp/up" 2>&1 || fail up "$(cat "$tmp/up")"
url=$("$octavo" status --dir "$d" --json | jq -r .url)
call() { curl -s -m 30 -o "$tmp/body" -w '%{http_code}' -H "Authorization: Bearer $token" -H 'Content-Type: application/json' "$@"; }
api=$url/v1/spaces/$space
same 'the table of contents is served' '200 5' "$(call "$api/content") $(jq '.pages | length' "$tmp/body")"
for page in packed short gone; do
	for how in '' '?format=markdown' '?format=document'; do
		same "a damaged page answers 503: $page$how" 503 "$(call "$api/content/path/$page$how")"
		jq -e --arg t "${page}" '.error.code == 503 and (.error.message | test("the text of .(Packed|Short|Gone) page. .* is damaged"))' "$tmp/body" >/dev/null &&
			pass || fail "a damaged page is named: $page$how" "$(cat "$tmp/body")"
	done
done
same 'a whole page is served' 200 "$(call "$api/content/path/whole")"
same 'a page that links to a damaged one is served' 200 "$(call "$api/content/path/readme")"
same 'search is served' 200 "$(call "$api/search?query=wombats")"

# On a site: the title and the error text, the first time and later.
site=$(curl -s -m 30 -H "Authorization: Bearer $token" -H 'Content-Type: application/json' -d '{"spaces":["'"$space"'"],"title":"Manual"}' "$url/v1/orgs/$org/sites" | jq -r .id)
public=$(curl -s -m 30 -X POST -H "Authorization: Bearer $token" "$url/v1/orgs/$org/sites/$site/publish" | jq -r .urls.published)
public=${public%/}
for page in packed short gone packed short gone; do
	same "a damaged page of a site answers 503: $page" 503 "$(curl -s -m 30 -D "$tmp/head" -o "$tmp/body" -w '%{http_code}' "$public/$page")"
	grep -q '<h1[^>]*>.*page' "$tmp/body" && grep -q 'The text of this page is damaged' "$tmp/body" && pass || fail "a damaged page of a site has its title: $page" "$(head -c 2000 "$tmp/body")"
	grep -qi '^etag' "$tmp/head" && fail "a damaged page of a site has no ETag: $page" "$(cat "$tmp/head")" || pass
	same "the Markdown of a damaged page answers 503: $page.md" 503 "$(curl -s -m 30 -o "$tmp/body" -w '%{http_code}' "$public/$page.md")"
	grep -q '^# .* page' "$tmp/body" && grep -q 'is damaged' "$tmp/body" && pass || fail "the Markdown of a damaged page has its title: $page.md" "$(cat "$tmp/body")"
done
same 'a whole page of a site is served' 200 "$(curl -s -m 30 -o "$tmp/body" -w '%{http_code}' "$public/whole")"
same 'a page that includes a damaged text is served' 200 "$(curl -s -m 30 -o "$tmp/body" -w '%{http_code}' "$public")"
grep -q 'Welcome' "$tmp/body" && grep -q 'is damaged' "$tmp/body" && pass || fail 'a page that includes a damaged text says so' "$(head -c 2000 "$tmp/body")"
same 'all pages as text are served' 200 "$(curl -s -m 30 -o "$tmp/body" -w '%{http_code}' "$public/llms-full.txt")"
grep -q 'about wombats' "$tmp/body" && grep -q '^# Packed page' "$tmp/body" && pass || fail 'all pages as text have the whole ones' "$(head -c 1000 "$tmp/body")"
same 'no stand-in text is cached' 0 "$(grep -rl 'is damaged' "$d/cache" 2>/dev/null | wc -l)"
same 'no worker ends' '' "$(grep -E 'panic|internal error' "$d/log/api.log" "$d/log/site.log" "$d/log/jobs.log" 2>/dev/null)"

# An export does not replace an intact file by an empty page.
git init -q --bare -b main "$tmp/out.git"
same 'an export is queued' 204 "$(call -d '{"url":"file://'"$tmp"'/out.git","ref":"refs/heads/main","commitMessage":"Out"}' "$api/git/export")"
failed_export() { "$octavo" jobs --dir "$d" --json | jq -e 'any(.[]; .kind == "export" and .state != "queued" and .state != "running")'; }
until_true 40 failed_export || fail 'the export of a damaged page ends' "$("$octavo" jobs --dir "$d")"
"$octavo" jobs --dir "$d" --json >"$tmp/jobs"
grep -q 'is damaged' "$tmp/jobs" "$d/log/jobs.log" && pass || fail 'the export says that a text is damaged' "$(cat "$tmp/jobs" "$d/log/jobs.log")"
same 'the export of a damaged page fails once' '1 failed' "$(sql "SELECT attempts || ' ' || state FROM job WHERE kind = 'export'")"
same 'the export pushes nothing' '' "$(git -C "$tmp/out.git" for-each-ref)"
"$octavo" down --dir "$d" >/dev/null

# Found by name, and before a backup is replaced.
"$octavo" check --dir "$d" --deep >"$tmp/check" 2>&1
for page in Packed Short; do
	grep -qE "^a text is damaged: page \"$page page\" \([A-Za-z0-9]+\) of space \"T\"" "$tmp/check" && pass || fail "octavo check names the damaged page: $page" "$(cat "$tmp/check")"
done
grep -q 'text is damaged: write it or import it anew, or take it from a backup' "$tmp/check" && pass || fail 'octavo check says what to do' "$(cat "$tmp/check")"
for to in backup backup.tar; do
	expect "a backup of whole data is made: $to" 0 'backed up' "$octavo" backup "$tmp/$to" --dir "$tmp/well"
	expect "a backup of damaged data is refused: $to" 1 'a text is damaged: page "Packed page"' "$octavo" backup "$tmp/$to" --dir "$d"
	expect "the older backup stays whole: $to" 0 'whole' "$octavo" backup "$tmp/$to" --verify
done
expect 'salvage names the damaged pages' 0 'The text is lost of page "Packed page" .*, space "T"' "$octavo" salvage "$tmp/saved" --dir "$d"
expect 'salvaged data have no damage' 0 '^ok' "$octavo" check --dir "$tmp/saved" --deep

summary
