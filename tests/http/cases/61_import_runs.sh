# Imports from other programs through the API: archives that are uploaded in parts, runs, and their reports.
ir=/v1/org/$ORG/imports
ir_files=/v1/orgs/$ORG/storage/upload
# ir_ask NAME SIZE: announces an archive; $ir_put is its path and query, $ir_key its storage key
ir_ask() {
	t "imports: $1 is announced" POST $ir_files create '{"kind":"import_file","file":{"name":"'"$1"'","type":"","size":'"$2"'}}' 201 \
		'.partBytes >= 1048576 and (has("address") | not)'
	ir_put=$(jq -r '.url | sub(".*/v1/"; "/v1/")' "$out") ir_key=$(jq -r .key "$out")
}
# ir_upload NAME FILE: uploads an archive at once
ir_upload() {
	ir_ask "$1" "$(wc -c <"$2" | tr -d ' ')"
	t "imports: $1 is uploaded without a token" PUT "$ir_put" - "@$2" 204 ''
}
# ir_start NAME TYPE SPACE STATUS FILTER: starts a run with the file $ir_key; $ir_id is its id
ir_start() {
	t "imports: $1" POST $ir create '{"source":{"type":"'"$2"'","files":["'$ir_key'"]},"target":{"space":"'"$3"'"}}' "$4" "$5"
	ir_id=$(jq -r .id "$out")
}

# ---- an archive of 2.5 MB in three parts ----
ir_from=$tmp/ir-docs
mkdir -p "$ir_from/docs/img"
printf 'site_name: Archive\nnav:\n  - index.md\n  - guide.md\n' >"$ir_from/mkdocs.yml"
printf '# Archive\n\nSee the [guide](guide.md).\n\n![big](img/big.png)\n' >"$ir_from/docs/index.md"
printf '# Guide\n\n!!! note\n    Read this.\n\n[lost](lost.md)\n' >"$ir_from/docs/guide.md"
{ printf '\211PNG\r\n\032\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\10\2\0\0\0'; head -c 2500000 /dev/urandom; } >"$ir_from/docs/img/big.png"
(cd "$ir_from" && zip -0qr "$tmp/ir.zip" .)
ir_size=$(wc -c <"$tmp/ir.zip" | tr -d ' ')
split -b 1048576 -d -a 1 "$tmp/ir.zip" "$tmp/ir-part."
ir_ask ir.zip "$ir_size"
t 'imports: nothing has arrived yet' GET "$ir_put" - '' 200 '.object == "storage-file" and .name == "ir.zip" and .received == 0 and .size == '"$ir_size"
t 'imports: a part begins where the last one ended' PUT "$ir_put&offset=1048576" - "@$tmp/ir-part.1" 409 '.error.message | test("offset=0")'
t 'imports: the first part arrives' PUT "$ir_put&offset=0" - "@$tmp/ir-part.0" 204 ''
t 'imports: the same part is not taken twice' PUT "$ir_put&offset=0" - "@$tmp/ir-part.0" 409 '.error.message | test("offset=1048576")'
t 'imports: how much has arrived is known' GET "$ir_put" - '' 200 '.received == 1048576'
t 'imports: parts are not small' PUT "$ir_put&offset=1048576" - "@$tmp/ir-part.2" 400 '.error.message | test("at least")'
ir_start 'an archive has to be there as a whole' file $EMPTY 400 '.fields[0].path == "/source/files/0"'
t 'imports: the second part arrives' PUT "$ir_put&offset=1048576" - "@$tmp/ir-part.1" 204 ''
t 'imports: no part goes beyond the end' PUT "$ir_put&offset=2097152" - "@$tmp/ir-part.0" 400 '.error.message | test("of a file of")'
t 'imports: the last part may be small' PUT "$ir_put&offset=2097152" - "@$tmp/ir-part.2" 204 ''
t 'imports: a spoilt signature answers 403' PUT "${ir_put}x" - "@$tmp/ir-part.2" 403 ''
t 'imports: nor does it tell what has arrived' GET "$(echo "$ir_put" | sed "s,storage/[^?]*,storage/other,")" - '' 403 ''
same 'imports: nothing is left beside the parts' 3 "$(ls "$dir/uploads/$ir_key" | wc -l | tr -d ' ')"

# ---- who may ----
t 'imports: who may create spaces may list' GET $ir create '' 200 '.count == 0 and .items == []'
t 'imports: others may not' GET $ir review '' 403 ''
t 'imports: nor start' POST $ir review '{"source":{"type":"file","files":["'$ir_key'"]},"target":{"space":"'$SPACE'"}}' 403 ''
ir_start 'a space that one may not see is none' file $PRIVATE 404 ''
ir_start 'a space of another organization is none' file $SPACE_B 404 ''
ir_start 'nothing is imported into a locked space' file $LOCKED 403 '.error.message | test("locked")'
ir_start 'an unknown program is refused' wordperfect $SPACE 400 '.fields[0].path == "/source/type"'
ir_whole=$ir_key ir_key=none
ir_start 'a file has to be uploaded before' file $SPACE 404 ''
ir_key=../../octavo.key
ir_start 'a path is no file' file $SPACE 404 ''
ir_key=$ir_whole
t 'imports: a file is named once' POST $ir create '{"source":{"type":"file","files":["'$ir_key'","'$ir_key'"]},"target":{"space":"'$SPACE'"}}' 400 \
	'.fields[0].path == "/source/files/1"'
t 'imports: of another organization it is not there' POST /v1/org/$ORG_B/imports other \
	'{"source":{"type":"file","files":["'$ir_key'"]},"target":{"space":"'$SPACE_B'"}}' 404 '.error.message | test("uploaded file")'
t 'imports: a path in a body is refused' POST $ir create '{"source":{"type":"file","files":["'$ir_key'"],"path":"/etc"},"target":{"space":"'$SPACE'"}}' 400 ''

# ---- a run ----
IR_SPACE=$(space_empty 'Imports')
# The runner, by its lock: it waits until the file was tried while its run is under way.
ir_runner() { awk -v i=":$(stat -c %i "$dir/run/jobs.lock")$" '$2 == "FLOCK" && $6 ~ i { print $5 }' /proc/locks; }
if [ "$TRANSPORT" = http ]; then yes 'imports: the runner waits' kill -STOP $(ir_runner); fi
ir_start 'a run is started' file $IR_SPACE 201 '.object == "import-run" and .status == "pending" and .source == {"type":"file","files":["'$ir_key'"]}
	and .target == {"space":"'$IR_SPACE'"} and .createdBy == "'$U_create'" and (.id as $i | .urls.location | endswith("/imports/" + $i))'
ir_first=$ir_id
ir_start 'a file is in one run at a time' mkdocs $SPACE 409 '.error.message | test("imported already")'
ir_id=$ir_first
t 'imports: no part arrives meanwhile' PUT "$ir_put&offset=2621440" - "@$tmp/ir-part.2" 409 ''
if [ "$TRANSPORT" = http ]; then yes 'imports: the runner goes on' kill -CONT $(ir_runner); fi
jobs_rest
t 'imports: it is completed' GET $ir/$ir_id create '' 200 '.status == "completed" and .revision != null and .warnings > 0 and .completedAt >= .createdAt
	and (has("reason") or has("changeRequest") | not)'
t 'imports: its report names file and line' GET $ir/$ir_id/report create '' 200 '[.items[] | select(.file == "docs/guide.md" and .line == 6)] | length == 1'
t 'imports: its report is a list' GET "$ir/$ir_id/report?limit=1" create '' 200 '(.items | length) == 1 and .count >= 1'
t 'imports: its pages are there' GET /v1/spaces/$IR_SPACE/content/path/guide?format=markdown create '' 200 '.markdown | test("Read this")'
same 'imports: its file has left' '0 no' \
	"$(sql "SELECT count(*) FROM import_file WHERE id = '$ir_key'") $([ -e "$dir/uploads/$ir_key" ] && echo yes || echo no)"
t 'imports: the address of the file is over' GET "$ir_put" - '' 404 ''
t 'imports: what has ended cannot be cancelled' POST $ir/$ir_id/cancel create '' 200 '.status == "completed"'
t 'imports: it is in the record' GET "/v1/orgs/$ORG/audit-events?limit=20" admin '' 200 \
	'[.items[] | select(.action == "space.imported" and .target.id == "'$IR_SPACE'")] | length == 1'

# Once more, with an edit here and another one there.
t 'imports: a page is edited here' POST /v1/spaces/$IR_SPACE/change-requests admin '{"subject":"Edit"}' 201 ''
ir_request=$(jq -r .id "$out")
get /v1/spaces/$IR_SPACE/content/path/guide
send POST /v1/spaces/$IR_SPACE/change-requests/$ir_request/content admin \
	'{"changes":[{"operation":"update_page","page":"'"$(jq -r .id "$out")"'","document":{"markdown":"Ours."}}]}'
send POST /v1/spaces/$IR_SPACE/change-requests/$ir_request/merge admin ''
printf '# Guide\n\nTheirs.\n' >"$ir_from/docs/guide.md"
printf '# Archive\n\nNews.\n' >"$ir_from/docs/index.md"
(cd "$ir_from" && rm -r docs/img && rm -f "$tmp/ir.zip" && zip -qr "$tmp/ir.zip" .)
ir_upload again.zip "$tmp/ir.zip"
ir_start 'a second run names its program' mkdocs $IR_SPACE 201 '.source.type == "mkdocs"'
jobs_rest
t 'imports: what clashes waits in a change request' GET $ir/$ir_id create '' 200 '.status == "completed" and .changeRequest != null'
ir_clash=$(jq -r .changeRequest "$out")
t 'imports: the edit stays' GET /v1/spaces/$IR_SPACE/content/path/guide?format=markdown create '' 200 '.markdown | test("Ours")'

# ---- failures and cancelling ----
printf 'no archive' >"$tmp/ir.txt"
ir_upload no.zip "$tmp/ir.txt"
ir_start 'a run of what is no archive' file $IR_SPACE 201 ''
jobs_rest
t 'imports: it fails, and says why' GET $ir/$ir_id create '' 200 \
	'.status == "failed" and (.reason | test("no.zip cannot be unpacked: it is neither zip nor tar"))'
same 'imports: its file stays for another run' 1 "$(sql "SELECT count(*) FROM import_file WHERE id = '$ir_key'")"
if [ "$TRANSPORT" = http ]; then
	sql "INSERT INTO job (id, kind, queue, space, run_at, created_at, args, state)
		VALUES ('irblocks', 'unstage', '$IR_SPACE', '$IR_SPACE', 0, 0, '{}', 'running')"
	ir_start 'a run that has to wait' file $IR_SPACE 201 '.status == "pending"'
	t 'imports: a reader of the space cancels nothing' POST $ir/$ir_id/cancel review '' 403 ''
	t 'imports: it is cancelled' POST $ir/$ir_id/cancel create '' 200 '.status == "cancelled"'
	t 'imports: twice is once' POST $ir/$ir_id/cancel create '' 200 '.status == "cancelled"'
	sql "DELETE FROM job WHERE id = 'irblocks'"
fi
# Two archives of one export, one of them damaged.
(cd "$ir_from" && rm -f "$tmp/ir.zip" && zip -qr "$tmp/ir.zip" mkdocs.yml docs/index.md && zip -qr "$tmp/ir2.zip" docs/guide.md)
ir_upload one.zip "$tmp/ir.zip"
ir_one=$ir_key
ir_upload two.zip "$tmp/ir2.zip"
ir_two=$ir_key
ir_upload three.zip "$tmp/ir.txt"
IR_PARTS=$(space_empty 'Imports of parts')
t 'imports: a run of several archives' POST $ir create \
	'{"source":{"type":"mkdocs","files":["'$ir_one'","'$ir_two'","'$ir_key'"]},"target":{"space":"'$IR_PARTS'"},"enhance":false}' 201 \
	'.source.files | length == 3'
ir_id=$(jq -r .id "$out")
jobs_rest
t 'imports: the damaged one is in the report' GET $ir/$ir_id/report create '' 200 '[.items[] | select(.file == "three.zip")] | length == 1'
t 'imports: pages of all archives are there' GET /v1/spaces/$IR_PARTS/content/path/guide?format=markdown create '' 200 '.markdown | test("Theirs")'

t 'imports: websites are not fetched, and the answer names what is' POST $ir create \
	'{"source":{"type":"website","url":"https://docs.example.com"},"target":{"space":"'$IR_PARTS'"}}' 400 \
	'.error.message + (.fields // [] | tostring) | test("mkdocs")'

# ---- the list ----
t 'imports: they are listed, newest first' GET $ir create '' 200 '.items[0].id == "'$ir_id'" and .items[-1].id == "'$ir_first'"'
t 'imports: those of a space' GET "$ir?space=$IR_PARTS" create '' 200 '.count == 1'
t 'imports: those that have failed' GET "$ir?status=failed" create '' 200 '.count == 1 and .items[0].status == "failed"'
t 'imports: those under way' GET "$ir?status=active" create '' 200 '.count == 0'
t 'imports: those of a change request' GET "$ir?changeRequest=$ir_clash" create '' 200 '.count == 1 and .items[0].changeRequest == "'$ir_clash'"'
send POST /v1/orgs/$ORG/sites admin '{"title":"Imports","spaces":["'$IR_PARTS'"]}'
ir_site=$(jq -r .id "$out")
t 'imports: those of a site' GET "$ir?site=$ir_site" create '' 200 '.count == 1 and .items[0].site == "'$ir_site'"'
t 'imports: none of an unknown site' GET "$ir?site=none" create '' 200 '.count == 0'
sql "UPDATE space SET default_level = 0 WHERE id = '$IR_PARTS'"
t 'imports: those of a hidden space are hidden' GET $ir create '' 200 '.items | any(.id == "'$ir_id'") | not'
t 'imports: nor are they found' GET $ir/$ir_id create '' 404 '.error.message | test("import")'
t 'imports: nor reported' GET $ir/$ir_id/report create '' 404 ''
t 'imports: nor at another organization' GET /v1/org/$ORG_B/imports/$ir_first other '' 404 ''
sql "UPDATE space SET default_level = -1 WHERE id = '$IR_PARTS'"
send DELETE /v1/orgs/$ORG/sites/$ir_site admin ''

# ---- the quota ----
t 'imports: an archive is smaller than the quota' POST $ir_files create '{"kind":"import_file","file":{"name":"a.zip","type":"","size":4294967297}}' 400 \
	'.fields[0].path == "/file/size" and (.fields[0].message | test("octavo import"))'
t 'imports: most of the quota is announced' POST $ir_files create '{"kind":"import_file","file":{"name":"a.zip","type":"","size":4294967200}}' 201 ''
t 'imports: what is over it is refused' POST $ir_files create '{"kind":"import_file","file":{"name":"b.zip","type":"","size":4711}}' 400 \
	'.fields[0].path == "/file/size" and (.fields[0].message | test("two days"))'
sql "UPDATE import_file SET run = 'gone' WHERE org = '$ORG'"
t 'imports: files of runs that have ended leave for it' POST $ir_files create '{"kind":"import_file","file":{"name":"b.zip","type":"","size":4711}}' 201 ''
same 'imports: and only the new one is there' 4711 "$(sql "SELECT sum(size) FROM import_file WHERE org = '$ORG'")"
sql "DELETE FROM import_file WHERE org = '$ORG'"
t 'imports: a name is no path' POST $ir_files create \
	'{"kind":"import_file","file":{"name":"a/b.zip","type":"","size":1}}' 400 '.fields[0].path == "/file/name"'
rm -rf "$ir_from" "$tmp"/ir.zip "$tmp"/ir2.zip "$tmp"/ir-part.* "$tmp/ir.txt"
