#!/bin/sh
# OpenAPI descriptions from end to end: fetched from a web server on loopback, processed, shown as
# pages of a space, fetched again; then large public ones from npm packages, which are kept in
# $OCTAVO_BUILD/specs for the next run.
set -u
TRANSPORT=http
. tests/http/lib.sh
PATH=$PATH:/usr/sbin:/sbin
web=''
stop() { [ -z "$web" ] || kill "$web" 2>/dev/null; finish; }
at_exit stop

# ---- a web server for this test ----
mkdir -p "$tmp/www/sub"
web_port=$(node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close() })')
cat >"$tmp/web.conf" <<END
daemon off; master_process off; pid $tmp/web.pid; error_log $tmp/web.err;
events { }
http { access_log $tmp/web.log; client_body_temp_path $tmp/w1; proxy_temp_path $tmp/w2; fastcgi_temp_path $tmp/w3;
 uwsgi_temp_path $tmp/w4; scgi_temp_path $tmp/w5;
 server { listen 127.0.0.1:$web_port; root $tmp/www;
  location /moved { return 302 /api.yaml; }
  location /away { return 302 http://169.254.169.254/latest; }
  location /file { return 302 file:///etc/passwd; }
  location /secret { return 302 http://me:hunter2@127.0.0.1/api.yaml?key=hunter2; }
  location = / { return 302 /api.yaml; }
  location /slow/ { limit_rate 200; }
  location /echo { return 200 "\$request_method|\$http_authorization|\$http_cookie|\$http_x_forwarded_for|\$http_user_agent|\$http_x_key|\$content_length"; }
  location /cookie { add_header Set-Cookie a=b; return 204; }
 } }
END
nginx -p "$tmp" -c "$tmp/web.conf" 2>/dev/null &
web=$!
www=http://127.0.0.1:$web_port

# api_write TAG DESCRIPTION: writes api.yaml with this tag and this description of its operation
api_write() {
	cat >"$tmp/www/api.yaml" <<-END
		openapi: 3.0.3
		info: {title: Pet store, version: "1", description: "Buy and sell **pets**."}
		servers: [{url: "https://pets.example.com/v1"}]
		tags: [{name: $1, description: All about them}]
		paths:
		  /pets/{petId}:
		    get:
		      operationId: getPet
		      summary: Get one pet
		      description: $2
		      tags: [$1]
		      parameters: [{name: petId, in: path, required: true, schema: {type: string}, description: "<img src=x onerror=alert(1)>"}]
		      responses: {"200": {description: The pet, content: {application/json: {schema: {\$ref: "sub/pet.yaml#/Pet"}}}}}
		components: {schemas: {Owner: {type: object, description: "<script>alert(1)</script>", properties: {name: {type: string}}},
		  Collar: {type: object, properties: {leather: {type: boolean}}}}}
	END
}
api_write Pets 'Finds a pet'
printf 'Pet: {type: object, properties: {owner: {$ref: "../api.yaml#/components/schemas/Owner"}}}\n' >"$tmp/www/sub/pet.yaml"

fixture_people
repository_make "$tmp/repo"
cat >>"$tmp/repo/SUMMARY.md" <<'END'

## Reference

* ```yaml
  type: builtin:openapi
  props:
    models: true
  dependencies:
    spec:
      ref:
        kind: openapi
        spec: pets
  ```

## Other

* ```yaml
  type: builtin:translation
  props:
    language: de
  ```
END
printf '\nAnd [a pet](reference/pets.md#getpet), [no operation](reference/pets.md#nothing), [all](reference/overview.md), [none](reference/none.md).\n' >>"$tmp/repo/README.md"
git_in "$tmp/repo" commit -qam computed
OCTAVO_DIR=$dir OCTAVO_SELFCHECK=1 OCTAVO_ACCESS_LOG=$dir/log/requests.log OCTAVO_FETCH_PRIVATE=1 OCTAVO_FETCH_SECONDS=10 OCTAVO_GIT_ROOT=$tmp
export OCTAVO_GIT_ROOT OCTAVO_DIR OCTAVO_SELFCHECK OCTAVO_ACCESS_LOG OCTAVO_FETCH_PRIVATE OCTAVO_FETCH_SECONDS
service_start
SPACE=$(space_new "$ORG" Manual)
S=/v1/orgs/$ORG/openapi C=/v1/spaces/$SPACE/content
by_url() { t "$1" PUT $S/$2 create '{"source":{"url":"'"$3"'"}}' 200 '.sourceURL == "'"$3"'"'; openapi_done $ORG "$2" create; }
pages='[.pages[] | select(.title == "Reference") | .pages[]]'

# linked NAME SPELLINGS: the broken links to the reference must be these
linked() { t "linked: $1" GET "/v1/spaces/$SPACE/links?status=broken" read '' 200 '[.items[].locationReferences[0].spelling | select(startswith("reference/"))] | sort == '"$2"; }
linked 'before: the computed page is called Pets' '["reference/none.md", "reference/overview.md"]'
t 'a computed page has no pages before its specification' GET $C/pages read '' 200 "$pages"' == []'
t 'a computed page is there before its specification' GET "$C/pages?computed=false" read '' 200 "$pages"' | map(.type) == ["computed"]'
get $C read
before=$(jq -r .id "$out")
by_url 'by address' pets "$www/moved"
t 'a fetched specification is processed' GET $S/pets read '' 200 '.lastProcessedErrorCount == 0 and (has("lastProcessErrorCode") | not)'
t 'an address with a secret' PUT $S/guarded create '{"source":{"url":"'"$www"'/api.yaml?token=hunter3t"}}' 200 '.sourceURL | contains("hunter3") | not'
openapi_done $ORG guarded create
yes 'it is fetched whole' grep -q 'api.yaml?token=hunter3t' "$tmp/web.log"
t 'a description is fetched without errors' GET $S/guarded read '' 200 '.lastProcessedErrorCount == 0'
"$octavo" backup "$tmp/keyless" --dir "$dir" --without-key >/dev/null 2>&1 || fail 'a backup'
for at in "$dir/octavo.db" "$dir/octavo.db-wal" "$tmp/keyless/octavo.db"; do
	grep -qaF hunter3 "$at" && fail 'no secret in clear' "$at" || pass
done
t 'away with it' DELETE $S/guarded create '' 204 ''
t 'a specification of two documents is fetched' GET $S/pets/versions/latest/content read '' 200 '[.filesystem[].isEntrypoint] == [true, false] and .urls.source == "'"$www/moved"'"'
t 'a new version makes a revision' GET $C read '' 200 '.type == "computed" and .parents == ["'"$before"'"]'
t 'pages stand in place of the computed page' GET $C/pages read '' 200 "$pages"' | map([.title, .path, .type]) == [["Pet store", "reference/overview", "document"], ["Pets", "reference/pets", "document"], ["Models", "reference/models", "document"]] and .[1].computed.props == {doc: "operations", page: "Pets"}'
PETS=$(jq -r "$pages"'[1].id' "$out")
t 'a translation as specification is left computed' GET "$C/pages?computed=false" read '' 200 '[.pages[] | select(.title == "Other").pages[] | [.type, .computed.type]] == [["computed", "builtin:translation"]]'
t 'computed=false gives the computed page' GET "$C/pages?computed=false" read '' 200 "$pages"' | map(.type) == ["computed"]'
t 'a computed page of another type is left out' GET $C/pages read '' 200 'all(.pages[] | select(.title == "Other"); .pages == [])'
t 'the revision before has no pages' GET /v1/spaces/$SPACE/revisions/$before/pages read '' 200 "$pages"' == []'
linked 'to its pages' '["reference/none.md", "reference/pets.md#nothing"]'
t 'links lead to pages of the specification' GET $C/path/readme read '' 200 '[.document | .. | objects | select(.type == "link").data.ref | select(.kind != "url")] | map(.page) | [.[-3], .[-2]] == ["'$PETS'", "'$PETS'"]'
block='.document.nodes[] | select(.type == "openapi-operation") | .data'
t 'a page of the specification is found by its path' GET $C/path/reference/pets read '' 200 '.id == "'$PETS'" and ('"$block"' | .path == "/pets/{petId}" and .method == "get" and .ref == {kind: "openapi", spec: "pets"} and (.operation | .servers[0].url == "https://pets.example.com/v1" and .parameters[0].name == "petId" and (.responses["200"].content["application/json"].example == {owner: {name: "text"}}) and ([.samples[].lang] == ["bash", "javascript", "python", "go", "php", "java", "csharp", "http"])))'
t 'a page of the specification is read by its id' GET $C/page/$PETS read '' 200 '.path == "reference/pets" and (.document.data.openapi.schemas | keys) == ["Owner"]'
t 'a page of the specification is not there with computed=false' GET "$C/page/$PETS?computed=false" read '' 404 ''
t 'an operation is written as Markdown' GET "$C/page/$PETS?format=markdown" read '' 200 '.markdown | contains("openapi-operation spec=\"pets\" path=\"/pets/{petId}\" method=\"get\"") and startswith("# Pets\n\nAll about them")'
t 'models are written as Markdown' GET "$C/path/reference/models?format=markdown" read '' 200 '.markdown | contains("{% openapi-schemas spec=\"pets\" schemas=\"Owner,Collar\" grouped=\"true\" %}")'
t 'the overview has the description' GET $C/path/reference/overview read '' 200 '.document | tostring | contains("Buy and sell ")'
t 'the models are listed' GET $C/path/reference/models read '' 200 '.document.nodes[] | select(.type == "openapi-schemas") | .data.schemas == ["Owner","Collar"]'
found() { t "found: $1" GET "/v1/spaces/$SPACE/search?query=$2" read '' 200 "$3"; }
found 'an operation' 'get%20one%20pet' '.items[0] | .id == "'$PETS'" and .path == "reference/pets" and .title == "Pets" and any(.sections[]; .title == "Get one pet" and (.path | endswith("#getpet")))'
found 'the description' 'sell' '.items[0].path == "reference/overview" and .items[0].ancestors == [{title: "Reference"}]'
t 'an unknown page of the specification answers 404' GET $C/path/reference/nothing read '' 404 ''
t 'a guest gets 404 for a page of the specification' GET $C/page/$PETS guest '' 404 ''

# Fetched again: unchanged content does nothing, new content makes a version and a revision; ids stay.
t 'a change request is opened' POST /v1/spaces/$SPACE/change-requests edit '{"subject":"Open"}' 201 '.outdated == false'
REQUEST=$(jq -r .id "$out")
t 'a page of the specification cannot be deleted' POST /v1/spaces/$SPACE/change-requests/$REQUEST/content edit '{"changes":[{"operation":"delete_page","page":"'$PETS'"}]}' 404 ''
t 'a page of the specification cannot be changed' POST /v1/spaces/$SPACE/change-requests/$REQUEST/content edit '{"changes":[{"operation":"update_page","page":"'$PETS'","document":{"markdown":"Mine"}}]}' 404 ''
t 'the space is locked' PATCH /v1/spaces/$SPACE admin '{"editMode":"locked"}' 200 ''
by_url 'the same again' pets "$www/moved"
t 'the same text makes no version' GET $S/pets/versions read '' 200 '.count == 1'
grep -q '"GET /api.yaml HTTP/1.1" 304' "$tmp/web.log"
same 'an unchanged document is not fetched again' 0 $?
sleep 1
api_write Animals 'Looks an animal up'
by_url 'changed' pets "$www/moved"
t 'a changed document makes a version' GET $S/pets/versions read '' 200 '.count == 2'
t 'a locked space follows its specification' GET $C/pages read '' 200 "$pages"' | map(.title) == ["Pet store", "Animals", "Models"]'
linked 'to one that is called otherwise' '["reference/none.md", "reference/pets.md#getpet", "reference/pets.md#nothing"]'
t 'a new version makes no request outdated' GET /v1/spaces/$SPACE/change-requests/$REQUEST read '' 200 '.outdated == false'
api_write Pets 'Finds a pet again'
sleep 1
by_url 'as it was called' pets "$www/moved"
linked 'to the old name again' '["reference/none.md", "reference/pets.md#nothing"]'
found 'what is new' 'again' '.items[0].id == "'$PETS'"'
found 'what is gone' 'animals' '.items == []'
t 'a page keeps its id in a new version' GET $C/path/reference/pets read '' 200 '.id == "'$PETS'" and ('"$block"' | .operation.description == "Finds a pet again")'

# Descriptions that cannot be fetched.
failed() { by_url "$1" "$2" "$3"; t "$1: why" GET $S/$2 read '' 200 '.lastProcessErrorCode == "'"$4"'" and .lastProcessedErrors[0].code == "'"$5"'" and .processingState == "complete"'; }
failed 'not there' gone "$www/nothing.yaml" FETCH_ERROR FETCH
failed 'a redirect to a file' gone "$www/file" FETCH_ERROR REFUSED
failed 'a redirect to credentials' gone "$www/secret" FETCH_ERROR REFUSED
t 'an error does not show credentials' GET $S/gone read '' 200 '.lastProcessedErrors[0].message | contains("hunter2") | not'
printf '{"openapi":"3.0.0","info":{"title":"T","version":"1"},"paths":{},"components":{"schemas":{"A":{"$ref":"file:///etc/passwd"}}}}' >"$tmp/www/evil.json"
by_url 'a reference to a file' gone "$www/evil.json"
t 'a reference to a file is a fault of the version' GET $S/gone read '' 200 '(.lastVersion | length) > 0 and (has("lastProcessErrorCode") | not) and .lastProcessedErrors[0].code == "REFERENCE"'
by_url 'not changed' gone "$www/evil.json"
t 'a document that did not change keeps its faults' GET $S/gone read '' 200 '.lastProcessedErrorCount == 1 and .lastProcessedErrors[0].code == "REFERENCE"'
printf '{"openapi":"3.0.0","info":{"title":"T","version":"2"},"paths":{},"components":{"schemas":{"A":{"$ref":"nothing.yaml"}}}}' >"$tmp/www/part.json"
oa_whole=$(get $S/gone read; jq -r .lastVersion "$out")
failed 'a part that cannot be fetched' gone "$www/part.json" FETCH_ERROR REFERENCE
same 'a version is not replaced by one that lacks a document' "$oa_whole" "$(get $S/gone read; jq -r .lastVersion "$out")"
by_url 'failed, then' pets "$www/nothing.yaml"
t 'a failed fetch keeps the newest version' GET $S/pets read '' 200 '.lastProcessErrorCode == "FETCH_ERROR" and (.lastVersion | length) > 0'

# With a query, on a bare host: URLs of files, not of repositories.
fetched() { by_url "$1" address "$2"; t "$1: fetched" GET $S/address read '' 200 '.lastProcessedErrorCount == 0 and (.lastVersion | length) > 0'; }
fetched 'with a query' "$www/api.yaml?x=1&y=a@b"
fetched 'of a host alone' "$www"

# Slow servers: one below the minimum rate fails the job, and a cancelled job sends no further requests.
mkdir "$tmp/www/slow"
for n in 1 2 3 4 5; do
	{ printf 'P: {type: object}\n'; head -c 8000 /dev/zero | tr '\0' '#'; } >"$tmp/www/slow/$n.yaml"
done
jq -nc '{openapi: "3.0.0", info: {title: "T", version: "1"}, paths: {}, components: {schemas: ([range(1; 6) | {key: "S\(.)", value: {"$ref": "slow/\(.).yaml#/P"}}] | from_entries)}}' >"$tmp/www/slow.json"
failed 'slow documents' slow "$www/slow.json" FETCH_TIMEOUT FETCH
same 'a slow document ends the job before the next' 1 "$(grep -c '"GET /slow/' "$tmp/web.log")"
t 'a slow document is reported with the least rate' GET $S/slow read '' 200 '.lastProcessedErrors[0].message | contains("less than 1024 bytes a second for 5 seconds")'
slow_id=$(jq -r .id "$out") slow_job="kind = 'openapi' AND queue = '$(jq -r .id "$out")'"
# slow_now: starts another run, which is in the middle of a slow document
slow_now() {
	t "$1" PUT $S/slow create '{"source":{"url":"'"$www"'/slow.json"}}' 200 ''
	left=150
	until [ "$(sql "SELECT count(*) FROM job WHERE $slow_job AND state = 'running' AND stage = 'fetching' AND done > 0")" = 1 ] || [ $left -eq 0 ]; do
		left=$((left - 1))
		sleep 0.1
	done
}
# slow_ended NAME: the previous run ended early, as cancelled
slow_ended() {
	left=150
	while [ "$(sql "SELECT count(*) FROM job WHERE $slow_job AND state IN ('queued', 'running')")" != 0 ] && [ $left -gt 0 ]; do
		left=$((left - 1))
		sleep 0.1
	done
	same "the job is cancelled: $1" cancelled "$(sql "SELECT state FROM job WHERE $slow_job AND state <> 'done'")"
	same "the job is cancelled before its time: $1" 1 "$(sql "SELECT count(*) FROM job WHERE $slow_job AND state = 'cancelled' AND ended_at - started_at < 9000")"
	sql "DELETE FROM job WHERE $slow_job"
}
slow_now 'slow again'
t 'another source replaces the slow one' PUT $S/slow create '{"source":{"text":"openapi: 3.0.0\ninfo: {title: Quick, version: \"1\"}\npaths: {}\n"}}' 200 ''
slow_ended 'replaced'
t 'the replaced source is processed' GET $S/slow read '' 200 '.processingState == "complete" and .lastProcessedErrorCount == 0 and (has("sourceURL") | not) and (.lastVersion | length) > 0'
slow_now 'slow once more'
t 'the slow specification is deleted' DELETE $S/slow create '' 204 ''
slow_ended 'deleted'
same 'a deleted specification is not scheduled' 0 "$(sql "SELECT count(*) FROM schedule WHERE id = 'openapi:$slow_id'")"

# Blocks written by authors show the operation itself, and follow a new version.
t 'the space is unlocked' PATCH /v1/spaces/$SPACE admin '{"editMode":"live"}' 200 ''
t 'a change request is opened for a block' POST /v1/spaces/$SPACE/change-requests edit '{"subject":"Block"}' 201 ''
CR=/v1/spaces/$SPACE/change-requests/$(jq -r .id "$out")
block_md='{% openapi-operation spec=\"pets\" path=\"/pets/{petId}\" method=\"GET\" %}\n[OpenAPI pets]()\n{% endopenapi-operation %}\n\n{% openapi-operation spec=\"none\" path=\"/x\" method=\"get\" %}\n[OpenAPI none]()\n{% endopenapi-operation %}\n'
t 'a block of an operation is written' POST $CR/content edit '{"changes":[{"operation":"insert_page","title":"By hand","document":{"markdown":"'"$block_md"'"}}]}' 200 ''
t 'a block of an unknown operation is a broken link' GET "$CR/links?status=broken" edit '' 200 '[.items[] | select(.relation == "dependsOn") | .locationReferences[0].spelling] == ["openapi:none"]'
t 'the block is merged' POST $CR/merge admin '' 200 '.result == "merge"'
t 'a block has its operation' GET $C/path/by-hand read '' 200 '[.document.nodes[] | select(.type == "openapi-operation") | .data | [.ref.spec, .operation.description]] == [["pets", "Finds a pet again"], ["none", null]] and .document.data.openapi.spec == "pets" and (.document.data.openapi.schemas | keys) == ["Owner"]'
HAND=$(jq -r .id "$out")
# on_paper NAME QUERY: prints a PDF; its words are in $words
on_paper() {
	t "a PDF is asked for: $1" GET "/v1/spaces/$SPACE/pdf$2" read '' 200 ''
	pdf=$(jq -r .url "$out") left=300
	until [ "$(curl -s -o "$tmp/pdf" -w '%{http_code}' "$pdf")" = 200 ] || [ $left -eq 0 ]; do
		left=$((left - 1))
		sleep 0.1
	done
	words=$(pdftotext "$tmp/pdf" - | tr -s '\n\f ' ' ')
}
on_paper 'by hand' "?page=$HAND&only=true"
case $words in *'GET /pets/{petId}'*'Finds a pet again'*'petId string, in path, required'*) pass ;; *) fail 'a PDF has the operation of a block' "$words" ;; esac
on_paper 'the space' ''
case $words in *'Pet store'*'Buy and sell pets.'*'All about them'*'Get one pet'*'Finds a pet again'*Owner*'name string'*) pass ;; *) fail 'the reference on paper' "$words" ;; esac
same 'a PDF has a bookmark for each page' 'Reference: Pet store, Pets, Models' \
	"$(qpdf --json=1 "$tmp/pdf" | jq -r '.outlines[] | .. | objects | select(.title? == "Reference") | "Reference: " + ([.kids[].title] | join(", "))')"

# An export writes only the computed page, as it was imported.
git init -q --bare "$tmp/out.git"
t 'an export is queued' POST /v1/spaces/$SPACE/git/export admin '{"url":"file://'"$tmp"'/out.git","ref":"refs/heads/main","commitMessage":"out"}' 204 ''
left=300
until git -C "$tmp/out.git" rev-parse -q --verify main >/dev/null || [ $left -eq 0 ]; do
	left=$((left - 1))
	sleep 0.1
done
git -C "$tmp/out.git" show main:SUMMARY.md >"$tmp/summary"
yes 'the export has the computed page' grep -q 'type: builtin:openapi' "$tmp/summary"
same 'the export has no page of the specification' '' "$(git -C "$tmp/out.git" ls-tree -r --name-only main | grep '^reference')$(grep -i 'pet store' "$tmp/summary")"
yes 'the export has links to pages of the specification' eval 'git -C "$tmp/out.git" show main:README.md | grep -q "(reference/pets.md#getpet)"'
t 'a link to a renamed operation is broken' GET "$C/page/$HAND/links" read '' 200 '[.items[] | [.status, .relation, .locationReferences[0].spelling]] == [["broken", "dependsOn", "openapi:none"], ["ok", "dependsOn", "openapi:pets"]]'
api_write Pets 'Finds a pet at last'
sleep 1
by_url 'another version' pets "$www/moved"
t 'a block follows a new version' GET $C/page/$HAND read '' 200 '[.document.nodes[] | select(.type == "openapi-operation") | .data.operation.description] == ["Finds a pet at last", null]'

# On a site, as pages and as complete Markdown.
t 'a site is created' POST /v1/orgs/$ORG/sites admin '{"title":"Pets","spaces":["'$SPACE'"]}' 201 ''
SITE=/v1/orgs/$ORG/sites/$(jq -r .id "$out")
t 'the site is published' POST $SITE/publish admin '' 200 ''
AT=$(jq -r .urls.published "$out")
# on_site PATH WORDS...: the page contains these words
on_site() {
	os_path=$1
	shift
	same "a page of the specification is served: $os_path" 200 "$(curl -s -m 60 -o "$out" -w '%{http_code}' "$AT$os_path")"
	for os_word; do
		yes "a page of the specification has its words: $os_path: $os_word" grep -qF -- "$os_word" "$out"
	done
}
on_site reference/pets 'Finds a pet at last' 'id="getpet"' '<strong class="verb get">GET</strong> <code>https://pets.example.com/v1/pets/{petId}</code>' '<code class="name">name</code>'
on_site '' 'reference/pets#getpet"' 'reference/overview"'
on_site by-hand 'Finds a pet at last' '<code class="name">name</code>'
on_site reference/pets.md '# Pets' 'All about them' '## Get one pet' '`GET https://pets.example.com/v1/pets/{petId}`' \
	'Finds a pet at last' '- `petId` (path, required) `{"type":"string"}`' '### 200 The pet' '"$ref": "#/components/schemas/Owner"' \
	'curl ' '## Schemas' '### Owner'
on_site reference/models.md '# Models' '## Owner' '"name":'
for path in reference/pets reference/models by-hand; do
	curl -s -m 60 -o "$out" "$AT$path"
	same "hostile text is no element: $path" '' "$(grep -o -i '<script>alert\|<img src=x' "$out")"
	yes "hostile text is shown: $path" grep -q 'alert(1)' "$out"
done
on_site llms-full.txt 'Finds a pet at last' '## Owner'

# A schema alone, as it is made on demand; nobody learns of one that no page shows.
on_site '~schema/pets/Owner' 'class="schema"' '<code class="name">name</code>' 'noindex'
on_site '~schema/pets/Collar' 'class="schema"' '<code class="name">leather</code>' 'noindex'
on_site '~schema/pets/Owner' '<code class="name">name</code>'
schema_status() { same "a schema of $1 answers $3" "$3" "$(curl -s -m 60 -o "$out" -w '%{http_code}' "$AT~schema/$2")"; }
schema_status 'an unknown name' pets/None 404
schema_status 'an unknown specification' none/Owner 404
schema_status 'no name' pets 404
printf '{"openapi":"3.0.0","info":{"title":"T","version":"1"},"paths":{},"components":{"schemas":{"Hidden":{"type":"object"}}}}' >"$tmp/www/unshown.json"
by_url 'that no page shows' unshown "$www/unshown.json"
schema_status 'a specification that no page shows' unshown/Hidden 404

# Try it is off unless the site turns it on; then the page may connect to the servers of its operations alone.
connects() { curl -s -m 60 -o "$out" -D "$head" "$AT$1"; grep -i '^content-security-policy' "$head" | sed "s/.*connect-src \([^;]*\);.*/\1/"; }
same 'nothing is sent from a page unless the site wants it' "'self' 0" "$(connects reference/pets) $(grep -c 'class="try"\|try[.a-z0-9]*js' "$out")"
t 'the site lets readers try' PUT $SITE/customization admin '{"tryIt":{"enabled":true}}' 200 '.tryIt == {enabled: true}'
for again in made kept; do
	same "a page connects to its servers, $again" "'self' https://pets.example.com 1 1" \
		"$(connects reference/pets) $(grep -c 'class="try" data-connect="https://pets.example.com"' "$out") $(grep -c '/~asset/try[.a-z0-9]*js' "$out")"
done
same 'a page without operations connects to the site alone' "'self' 0" "$(connects reference/models) $(grep -c 'class="try"' "$out")"
same 'what is tried is the operation' 'get /pets/{petId} petId true' "$(connects reference/pets >"$tmp/connects"
	sed -n 's/.*class="try"[^>]*>\([^<]*\)<.*/\1/p' "$out" | jq -r '"\(.method) \(.path) \(.parameters[0] | "\(.name) \(.required)")"' | head -n 1)"
t 'the site ends it' PUT $SITE/customization admin '{}' 200 'has("tryIt") | not'
same 'and its pages send nothing' "'self' 0" "$(connects reference/pets) $(grep -c 'class="try"' "$out")"

# Operations of a large tag have a page each.
sql "UPDATE openapi_page SET weight = 100000 WHERE kind = 'operations' AND name = 'Pets'"
t 'a page lists the operations of a large tag' GET $C/path/reference/pets read '' 200 '[.document | .. | .ref? // empty | select(.kind == "page")] | length > 0'
t 'an operation of a large tag has a page' GET $C/path/reference/pets/get-one-pet read '' 200 '.title == "Get one pet" and ([.document.nodes[].type] == ["openapi-operation"])'
t 'its page is below that of the tag' GET $C/pages read '' 200 '[.. | objects | select(.path? == "reference/pets") | .pages[].path] | index("reference/pets/get-one-pet") != null'
sql "UPDATE site_change SET n = n + 1"
rm -rf "$dir/cache/served" "$dir/cache/pages"
on_site reference/pets 'reference/pets/get-one-pet"' '<code>GET /pets/{petId}</code>'
on_site reference/pets/get-one-pet '<h1>Get one pet</h1>' 'Finds a pet at last' '<span class="verb get">GET</span>'
on_site reference/pets.md '* [Get one pet](pets/get-one-pet.md) GET /pets/'
on_site reference/pets/get-one-pet.md '# Get one pet' 'Finds a pet at last'
sql "UPDATE openapi_page SET weight = 1 WHERE kind = 'operations' AND name = 'Pets'"

# Events name pages of descriptions like any others; an id that only has the right form names no page.
get $SITE/site-spaces admin
ON=$(jq -r '.items[0].id' "$out")
FALSE=${PETS%-*}-$(printf %s "${PETS##*-}" | tr '0-9a-zA-Z' '1-90b-zaB-ZA')
viewed() { printf '{"type":"page_view","location":{"url":"https://docs.example/","siteSpace":"%s","page":"%s"}}' "$ON" "$1"; }
t 'events on pages of the specification are accepted' POST $SITE/insights/events admin "{\"events\":[$(viewed "$PETS-$PETS"),$(viewed "$FALSE-x"),$(viewed "$FALSE"),$(viewed "$PETS"),$(viewed "$FALSE"),$(viewed "$PETS"),$(viewed "$HAND")]}" 204 ''
counted() { sql "SELECT coalesce(sum(n), 0) FROM site_event WHERE site = '${SITE##*/}' AND page = '$1'"; }
same 'events count for pages that are there' '2 1 4' "$(counted "$PETS") $(counted "$HAND") $(counted '')"

# Fetched again on schedule: OCTAVO_OPENAPI_HOURS after the last run.
hours=$(sql "SELECT (s.next_at - o.processed_at) / 3600000.0 FROM schedule s JOIN openapi_spec o ON s.id = 'openapi:' || o.id WHERE o.slug = 'pets' AND o.deleted_at IS NULL")
yes 'the next fetch is in six hours' awk "BEGIN { exit !($hours > 5.9 && $hours < 6.1) }"
api_write Pets 'Finds a pet by itself'
sleep 1
t 'a fetch before its time is not made' GET $S/pets/versions read '' 200 '.count == 4'
sql "UPDATE schedule SET next_at = 1 WHERE id LIKE 'openapi:%'"
left=150
while get $S/pets/versions read && [ "$(jq -r .count "$out")" = 4 ] && [ $left -gt 0 ]; do
	left=$((left - 1))
	sleep 0.2
done
t 'a fetch at its time makes a version' GET $S/pets/versions read '' 200 '.count == 5'
t 'a block follows the scheduled fetch' GET $C/page/$HAND read '' 200 '.document.nodes[0].data.operation.description == "Finds a pet by itself"'

# A file by URL, into a change request.
printf 'bytes of a file' >"$tmp/www/sub/a file.txt"
t 'a change request is opened for a file' POST /v1/spaces/$SPACE/change-requests edit '{"subject":"File"}' 201 ''
CR=/v1/spaces/$SPACE/change-requests/$(jq -r .id "$out")
uploaded() {
	left=150
	while get "$1" edit && jq -e '.status == "pending" or .status == "running"' "$out" >/dev/null && [ $left -gt 0 ]; do
		left=$((left - 1))
		sleep 0.1
	done
}
t 'a file is fetched by its address' POST $CR/files edit '{"url":"'"$www"'/sub/a%20file.txt"}' 202 '.object == "file-upload" and .name == "a file.txt" and (has("file") | not)'
UP=$CR/files/$(jq -r .id "$out")
uploaded $UP
t 'a fetched file is there' GET $UP read '' 200 '.status == "completed" and (.file | length) > 0'
t 'a fetched file is in the request' GET "$CR/content/files/$(jq -r .file "$out")" read '' 200 '.name == "a file.txt" and .size == 15'
t 'an upload answers 404 under another request' GET "/v1/spaces/$SPACE/change-requests/1/files/${UP##*/}" read '' 404 ''
t 'an upload shows no secret of its address' POST $CR/files edit '{"url":"'"$www"'/sub/a%20file.txt?token=hunter4t","name":"b.txt"}' 202 '.url | endswith("?token=***")'
UP=$CR/files/$(jq -r .id "$out")
uploaded $UP
t 'an address with a secret is fetched' GET $UP read '' 200 '.status == "completed" and (.url | contains("hunter4") | not)'
yes 'the whole address is fetched' grep -q 'file.txt?token=hunter4t' "$tmp/web.log"
same 'no upload keeps the secret of its address' 0 "$(sql "SELECT count(*) FROM job WHERE args LIKE '%hunter4%' OR secret IS NOT NULL AND state = 'done'")"
t 'a file behind a redirect is asked for' POST $CR/files edit '{"url":"'"$www"'/away","name":"x.png"}' 202 '.name == "x.png"'
UP=$CR/files/$(jq -r .id "$out")
uploaded $UP
t 'a redirect into the network is not followed' GET $UP read '' 200 '.status == "failed" and (.error | length) > 0 and (has("file") | not)'
t 'an address with credentials is refused' POST $CR/files edit '{"url":"http://me:secret@127.0.0.1/x"}' 400 '.fields[0].path == "/url"'
t 'a file name with a slash is refused' POST $CR/files edit '{"url":"'"$www"'/x","name":"a/b"}' 400 '.fields[0].path == "/name"'
t 'a reader fetches no file' POST $CR/files read '{"url":"'"$www"'/x"}' 403 ''
t 'the request with the file is merged' POST $CR/merge admin '' 200 '.result == "merge"'
t 'a merged request takes no file' POST $CR/files edit '{"url":"'"$www"'/x"}' 409 ''

# A reader's request goes through the relay, as it was written and with nothing else.
t 'a site of the space' POST /v1/orgs/$ORG/sites admin '{"title":"Tried","spaces":["'$SPACE'"]}' 201 ''
site=/v1/orgs/$ORG/sites/$(jq -r .id "$out")
t 'the site is published' POST $site/publish admin '' 200 ''
at=$(jq -r .urls.published "$out")
at=${at#"$base"}
get $site/customization admin
jq -c '.tryIt = {enabled: true}' "$out" >"$tmp/custom"
t 'the site gets Try it' PUT $site/customization admin "$(cat "$tmp/custom")" 200 ''
get $site/site-spaces admin
in=$(jq -r '.items[0].id' "$out")
t 'the relay is turned on' PATCH $S/pets admin '{"relay":{"hosts":["127.0.0.1:'$web_port'"]}}' 200 ''
t 'not for this installation' PATCH $S/pets admin '{"relay":{"hosts":["'"${base#http://}"'"]}}' 400 ''
# relayed NAME PATH HEADERS ANSWER: what the server got, or what is sent back
relayed() {
	printf '{"space":"%s","spec":"pets","url":"http://127.0.0.1:%s%s","method":"POST","headers":[%s]}\nbody' "$in" "$web_port" "$2" "$3" >"$tmp/asked"
	read_at "${at}~relay" -X POST -H 'Content-Type: application/vnd.octavo.request' -H 'Cookie: secret=1' -H 'Authorization: Bearer mine' \
		-H 'X-Forwarded-For: 1.2.3.4' --data-binary @"$tmp/asked"
	same "relayed: $1" "200 $4" "$code $(tail -n +2 "$out")"
}
relayed 'nothing of the browser is sent' /echo '' 'POST||||octavo||4'
relayed 'what the reader typed is sent' /echo '["Authorization","Bearer typed"],["X-Key","k"]' 'POST|Bearer typed|||octavo|k|4'
relayed 'cookies, and headers about the way, are not' /echo '["Cookie","a=b"],["X-Forwarded-For","1.2.3.4"],["User-Agent","me"],["Content-Length","99"]' 'POST||||octavo||4'
relayed 'no cookie comes back' /cookie '' ''
same 'no cookie is in the answer' 0 "$(head -n 1 "$out" | grep -ci set-cookie)"
sed -i 's#/cookie"#/away"#' "$tmp/asked"
read_at "${at}~relay" -X POST -H 'Content-Type: application/vnd.octavo.request' --data-binary @"$tmp/asked"
same 'a redirect to the inside is shown, and not followed' '302 http://169.254.169.254/latest' "$(head -n 1 "$out" | jq -r '"\(.status) \(.headers[] | select(.[0] == "Location")[1])"')"
same 'the log of requests has no line of what was sent' 0 "$(cat "$dir"/log/* | grep -c 'typed')"
t 'the site goes' DELETE $site admin '' 204 ''

# Deleted: older revisions still show it.
get $C read
before=$(jq -r .id "$out")
t 'the specification is deleted' DELETE $S/pets create '' 204 ''
found 'nothing any more' 'pet%20store' '[.items[] | select(.path | startswith("reference"))] == []'
t 'links to a deleted specification are broken' GET "/v1/spaces/$SPACE/links?status=broken" read '' 200 '[.items[] | select(.relation == "dependsOn") | .locationReferences | map([.kind, .page.type]) | sort] == [[["page", "document"]], [["page", "computed"], ["page", "document"]]]'
t 'a deleted specification has no pages' GET $C/pages read '' 200 "$pages"' == []'
t 'an older revision keeps the pages' GET /v1/spaces/$SPACE/revisions/$before/pages read '' 200 "$pages"' | map(.title) == ["Pet store", "Pets", "Models"]'
t 'an older revision keeps the documents' GET /v1/spaces/$SPACE/revisions/$before/page/$PETS read '' 200 '.title == "Pets"'

# ---- large public specifications ----
specs=$OCTAVO_BUILD/specs
mkdir -p "$specs"
# package VERSION-AND-NAME: unpacks it below $specs
package() {
	[ -d "$specs/$1/package" ] || {
		mkdir -p "$specs/$1" && (cd "$specs/$1" && npm pack --silent "$1" >/dev/null && tar xzf ./*.tgz && rm -f ./*.tgz) ||
			{ rm -rf "${specs:?}/$1"; skip "$1 is installed from npm" 'the registry of npm does not answer'; return 1; }
	}
}
# public NAME FILE OPERATIONS: fetched by URL without an error, with at least so many pages
public() {
	ln -sf "$specs/$2" "$tmp/www/$1"
	by_url "public: $1" "$1" "$www/$1"
	t "$1 is processed without errors" GET $S/$1 read '' 200 '.lastProcessedErrorCount == 0 and (.lastVersion | length) > 0'
	same "$1 has its operations" "$3" "$(sql "SELECT count(*) FROM openapi_operation o JOIN openapi_spec s ON s.latest = o.version WHERE s.slug = '$1' AND s.deleted_at IS NULL")"
}
if package @octokit/openapi@23.0.2; then
	d=@octokit/openapi@23.0.2/package/generated
	public github $d/api.github.com.json 1223
	public github-cloud $d/ghec.json 1471
	public github-317 $d/ghes-3.17.json 966
	public github-318 $d/ghes-3.18.json 980
	public github-319 $d/ghes-3.19.json 1039
fi
if package @gitbook/api@0.146.0; then
	public gitbook-yaml @gitbook/api@0.146.0/package/spec/openapi.yaml 307
	public gitbook-json @gitbook/api@0.146.0/package/spec/openapi.json 307
fi
if package rclone-openapi@1.75.0; then
	public rclone-yaml rclone-openapi@1.75.0/package/openapi.yaml 101
	public rclone-json rclone-openapi@1.75.0/package/openapi.json 101
fi
if package @ideal-postcodes/openapi@4.21.0; then
	public postcodes-json @ideal-postcodes/openapi@4.21.0/package/dist/openapi.json 31
	public postcodes-yaml @ideal-postcodes/openapi@4.21.0/package/dist/openapi.yaml 31
fi
# Two descriptions that violate their own version of the specification, and the place.
if package @directus/specs@15.2.0; then
	ln -sf "$specs/@directus/specs@15.2.0/package/dist/openapi.json" "$tmp/www/directus"
	by_url 'public: directus' directus "$www/directus"
	t 'a schema of null is reported' GET $S/directus read '' 200 '[.lastProcessedErrors[].pointer] == ["/paths/~1items~1{collection}/post/requestBody/content/application~1json/schema"]'
fi
yes 'octavo check finds nothing' "$octavo" check --dir "$dir" >"$tmp/check"
summary
