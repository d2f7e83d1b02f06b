# OpenAPI descriptions: uploaded as text, processed, read, versions, published, deleted. Fetching,
# and the pages made from them, are tested by test_openapi.sh.
S=/v1/orgs/$ORG/openapi
spec_text() { jq -nc --arg slug "$1" --arg text "$2" '{source: {text: $text}} + if $slug == "" then {} else {slug: $slug} end'; }
PETS='openapi: 3.0.3
info: {title: Pets, version: "1"}
paths:
  /pets:
    get:
      operationId: listPets
      tags: [pets]
      responses: {"200": {description: All of them}}
'
for who in review edit comment read readonly; do
	t "$who may not create a specification" POST $S $who "$(spec_text no "$PETS")" 403 ''
done
t 'a guest may not create a specification' POST $S guest "$(spec_text no "$PETS")" 403 ''
t 'another organization gets 404 for a specification' POST $S other "$(spec_text no "$PETS")" 404 ''
# Secrets in a URL are masked, and kept if the masked URL is sent back.
t 'the token in the URL of a specification is masked' POST $S create '{"slug":"hidden","source":{"url":"https://spec.invalid/a?token=abc&v=2"}}' \
	201 '.sourceURL == "https://spec.invalid/a?token=***&v=2"'
t 'a masked URL that is sent back is accepted' PUT $S/hidden create '{"source":{"url":"https://spec.invalid/a?token=***&v=2"}}' 200 \
	'.sourceURL == "https://spec.invalid/a?token=***&v=2"'
same 'a masked URL that is sent back keeps the token under seal' 'https://spec.invalid/a?token=***&v=2 1' \
	"$(sql "SELECT url || ' ' || CASE WHEN length(url_sealed) > 40 THEN 1 END FROM openapi_spec WHERE slug = 'hidden'")"
t 'the audit log does not show the token' GET "/v1/orgs/$ORG/audit-events?limit=5" admin '' 200 'tostring | contains("token=abc") | not'
t 'a masked URL of another address is refused' PUT $S/hidden create '{"source":{"url":"https://spec.invalid/b?token=***"}}' 400 \
	'.fields[0].path == "/source/url" and (.fields[0].message | contains("send the secret itself, or the address exactly as it is shown"))'
t 'a masked URL of a new specification is refused' PUT $S/hidden2 create '{"source":{"url":"https://spec.invalid/?key=***"}}' 400 \
	'.fields[0].message | endswith("send the secret itself")'
! on_sqlite 'an address of any length is shown' ||
	same 'an address of any length is shown' 1000010 "$(sql "SELECT length(octavo_shown_url('https://x/' || hex(zeroblob(500000))))")"
t 'the specification with a token is deleted' DELETE $S/hidden create '' 204 ''
t 'a creator creates a specification as pending' POST $S create "$(spec_text Pets-1 "$PETS")" 201 \
	'.object == "openapi-spec" and .slug == "Pets-1" and .processingState == "pending" and .visibility == "private" and .permissions == {view: true,
	edit: true} and (has("sourceURL") | not) and (.urls | has("published") | not)'
same 'a created specification is named in Location' "$base$S/Pets-1" "$(header location)"
t 'a slug that is taken is refused' POST $S create "$(spec_text Pets-1 "$PETS")" 409 ''
t 'a slug in another case answers 404' GET $S/pets-1 create '' 404 ''
waiting_texts() { sql "SELECT count(*) FROM openapi_given g JOIN openapi_spec s ON s.id = g.spec WHERE s.org = '$ORG'"; }
openapi_done $ORG Pets-1 create
same 'the text of a processed specification is not kept' 0 "$(waiting_texts)"
t 'a processed specification has a version and no errors' GET $S/Pets-1 read '' 200 \
	'.processingState == "complete" and (.lastVersion | length) >= 20 and .lastProcessedErrorCount == 0 and (has("lastProcessErrorCode") | not)
	and .permissions == {view: true, edit: false}'
V1=$(jq -r .lastVersion "$out")
t 'a specification is listed' GET $S read '' 200 '[.items[] | select(.slug == "Pets-1")] | length == 1'
t 'versions are listed' GET $S/Pets-1/versions read '' 200 '.count == 1 and .items[0].id == "'$V1'" and .items[0].object == "openapi-spec-version"'
t 'the latest version is read' GET $S/Pets-1/versions/latest read '' 200 '.id == "'$V1'" and (.url | endswith("/content/raw"))'
t 'a version is read by its id' GET $S/Pets-1/versions/$V1 read '' 200 '.id == "'$V1'"'
t 'the operations of the latest version are listed' GET $S/Pets-1/versions/latest/operations read '' 200 \
	'.items == [{method: "get", path: "/pets", title: .items[0].title}] and .count == 1'
t 'operations are found by a part of their path' GET "$S/Pets-1/versions/latest/operations?find=GET%20/PE" read '' 200 '.count == 1'
t 'and not by another' GET "$S/Pets-1/versions/latest/operations?find=/p_ts" read '' 200 '.count == 0 and .items == []'
t 'a specification that is not there has none' GET $S/nothing/versions/latest/operations read '' 404 ''
t 'an unknown version answers 404' GET $S/Pets-1/versions/nothing read '' 404 ''
t 'the content of a version has its paths' GET $S/Pets-1/versions/latest/content read '' 200 \
	'(.filesystem | length) == 1 and .filesystem[0].isEntrypoint and .filesystem[0].specification.paths["/pets"].get.operationId == "listPets"
	and .urls.public == null and (.urls.source | startswith("http"))'
get $S/Pets-1/versions/$V1/content/raw read
printf %s "$PETS" >"$tmp/pets.yaml"
yes 'the raw content has the bytes that were sent' cmp -s "$out" "$tmp/pets.yaml"
same 'the raw content has its type' application/yaml "$(header content-type)"
t 'the content of a version is read' GET $S/Pets-1/versions/$V1/content read '' 200 ''
t 'the content of a version with its ETag answers 304' GET $S/Pets-1/versions/$V1/content read '' 304 '' "If-None-Match: $(header etag)"

# The URL of a version and the names of its parts are shown without anything that looks like a secret.
sql "UPDATE openapi_version SET url = 'https://spec.invalid/v?token=abcdef' WHERE id = '$V1'"
oa_name=$(sql "SELECT name FROM openapi_file WHERE version = '$V1' AND no = 0")
sql "UPDATE openapi_file SET name = 'https://spec.invalid/f?token=abcdef' WHERE version = '$V1' AND no = 0"
for oa_way in versions versions/latest versions/$V1 versions/latest/content; do
	t "a token in the URL of a version is masked: $oa_way" GET $S/Pets-1/$oa_way read '' 200 'tostring | contains("abcdef") | not'
done
sql "UPDATE openapi_version SET url = NULL WHERE id = '$V1'"
sql "UPDATE openapi_file SET name = '$oa_name' WHERE version = '$V1' AND no = 0"

# An id in place of the slug must be that of an existing description of this organization.
t 'a specification is found by its id' GET $S/$(get $S/Pets-1 read; jq -r .id "$out") read '' 200 '.slug == "Pets-1"'
t 'a specification of another organization may have the same slug' POST /v1/orgs/$ORG_B/openapi other "$(spec_text Pets-1 "$PETS")" 201 ''
oa_other=$(jq -r .id "$out")
t 'the id of a specification of another organization answers 404' GET $S/$oa_other read '' 404 ''
t 'the other specification is deleted' DELETE /v1/orgs/$ORG_B/openapi/$oa_other other '' 204 ''
t 'a specification is created to be deleted' POST $S create "$(spec_text again "$PETS")" 201 ''
oa_gone=$(jq -r .id "$out")
t 'the specification is deleted' DELETE $S/again create '' 204 ''
t 'a second specification gets its slug' POST $S create "$(spec_text again "$PETS")" 201 ''
t 'the id of a deleted specification answers 404' GET $S/$oa_gone read '' 404 ''
t 'the second specification is deleted' DELETE $S/again create '' 204 ''

# An incomplete version, orphaned by a killed run, is hidden; the next run deletes it.
sql "INSERT INTO openapi_version (id, spec, no, created_at, shown) SELECT 'halfway', id, 99, 0, 0 FROM openapi_spec WHERE org = \
'$ORG' AND slug = 'Pets-1'"
t 'a version that is being written is not listed' GET $S/Pets-1/versions read '' 200 '.count == 1 and (.items | map(.id)) == ["'$V1'"]'
t 'a version that is being written answers 404' GET $S/Pets-1/versions/halfway read '' 404 ''
t 'the content of a version that is being written answers 404' GET $S/Pets-1/versions/halfway/content/raw read '' 404 ''

# A user may have at most a hundred queued jobs.
sql "WITH RECURSIVE k (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM k WHERE n < 100) INSERT INTO job (id, kind, account, args, run_at, created_at) \
SELECT 'waiting' || n, 'unstage', '$U_create', '{}', 9000000000000, 0 FROM k"
t 'a user with 100 waiting jobs gets 429' PUT $S/Pets-1 create "$(spec_text '' "$PETS")" 429 '.error.message | startswith("100 jobs")'
same 'a 429 names when to come again' 1 "$(header retry-after)"
t 'a new specification of a user with 100 waiting jobs gets 429' POST $S create "$(spec_text Pets-2 "$PETS")" 429 ''
sql "DELETE FROM job WHERE id LIKE 'waiting%'"

# The same text makes no new version, another one does; an invalid one makes none and gives the reason.
t 'the same text is accepted again' PUT $S/Pets-1 create "$(spec_text '' "$PETS")" 200 '.processingState == "pending" and .lastVersion == "'$V1'"'
openapi_done $ORG Pets-1 create
same 'the same text leaves no version in work' 0 "$(sql "SELECT count(*) FROM openapi_version WHERE shown = 0")"
t 'the same text makes no version' GET $S/Pets-1/versions read '' 200 '.count == 1'
t 'a faulty specification is accepted' PUT $S/Pets-1 create "$(spec_text '' 'openapi: 3.0.3
info: {title: Pets, version: 2}
paths: {/p: {get: {responses: {"200": {}}}}}')" 200 ''
openapi_done $ORG Pets-1 create
t 'a faulty specification makes a version and lists its faults' GET $S/Pets-1 read '' 200 \
	'(has("lastProcessErrorCode") | not) and .lastVersion != "'$V1'" and .lastProcessedErrorCount == 2
	and [.lastProcessedErrors[].pointer] == ["/info/version", "/paths/~1p/get/responses/200"] and all(.lastProcessedErrors[]; .code == "INVALID")'
oa_faulty=$(jq -r .lastVersion "$out")
t 'a text of which nothing can be shown is accepted' PUT $S/Pets-1 create "$(spec_text '' 'openapi: 3.0.3
info: {title: Pets, version: "2"}
paths: [none]')" 200 ''
openapi_done $ORG Pets-1 create
t 'a text of which nothing can be shown makes no version' GET $S/Pets-1 read '' 200 \
	'.lastProcessErrorCode == "PARSE_ERROR" and .lastVersion == "'$oa_faulty'" and .lastProcessedErrorCount == 1'
t 'a text that is no YAML is accepted' PUT $S/Pets-1 create "$(spec_text '' 'a: [')" 200 ''
openapi_done $ORG Pets-1 create
t 'a text that is no YAML is reported by its line' GET $S/Pets-1 read '' 200 \
	'.lastProcessErrorCode == "PARSE_ERROR" and (.lastProcessedErrors[0].message | startswith("line ")) and .lastProcessedErrors[0].code == "SYNTAX"'
t 'a specification of 5,001 tags is accepted' PUT $S/Pets-1 create \
	"$(spec_text '' "$(jq -cn '{openapi: "3.0.3", info: {title: "T", version: "1"}, paths: {"/p": {get: {tags: [range(5001) | "t\(.)"], responses: '\
'{"200": {description: "It"}}}}}}')")" 200 ''
openapi_done $ORG Pets-1 create
t 'a specification of too many pages is reported with the limit' GET $S/Pets-1 read '' 200 \
	'.lastProcessErrorCode == "PARSE_ERROR" and .lastProcessedErrors[0].code == "LIMIT" and (.lastProcessedErrors[0].message | contains("5000 pages"))'
t 'a specification with a broken reference is accepted' PUT $S/Pets-1 create \
	"$(spec_text '' '{"openapi":"3.0.0","info":{"title":"T","version":"1"},"paths":{},"components":{"schemas":{"A":{"$ref":"#/no"}}}}')" 200 ''
openapi_done $ORG Pets-1 create
t 'a broken reference is reported by its place' GET $S/Pets-1 read '' 200 \
	'.lastProcessedErrors[0] | .code == "REFERENCE" and .pointer == "/components/schemas/A/$ref"'
t 'another specification is accepted' PUT $S/Pets-1 create \
	"$(spec_text '' "{\"openapi\":\"3.1.0\",\"info\":{\"title\":\"T\",\"version\":\"1\"},\"paths\":{}}")" 200 ''
openapi_done $ORG Pets-1 create
t 'another text makes a version' GET $S/Pets-1/versions read '' 200 '.count == 4 and .items[3].id == "'$V1'"'
t 'versions are listed by pages' GET "$S/Pets-1/versions?limit=1" read '' 200 '(.items | length) == 1 and has("next")'
t 'a good text removes the faults' GET $S/Pets-1 read '' 200 '.lastProcessedErrorCount == 0 and (has("lastProcessErrorCode") | not)
	and (has("lastProcessedErrors") | not)'
t 'two YAML documents are accepted' PUT $S/Pets-1 create "$(spec_text '' "$PETS---
$PETS")" 200 ''
openapi_done $ORG Pets-1 create
t 'a second YAML document is reported' GET $S/Pets-1 read '' 200 '.lastProcessErrorCode == "PARSE_ERROR" and (.lastProcessedErrors[0]
	| .code == "SYNTAX" and (.message | contains("second document")))'
t 'PUT creates a specification' PUT $S/made create "$(spec_text '' "$PETS")" 200 '.slug == "made"'

# Invalid sources and slugs.
bad_source() { t "a source is refused: $1" PUT $S/bad create '{"source":'"$1"'}' 400 '.fields[0].path | startswith("/source")'; }
for source in '{}' '{"url":"http://127.0.0.1/x"}' '{"url":"http://0x7f.1/"}' '{"url":"file:///etc/passwd"}' '{"url":"https://me:pw@example.com/x"}' \
	'{"url":"https://example.com/x","text":"x"}' '{"text":""}' '{"text":7}' '{"url":"nothing"}'; do
	bad_source "$source"
done
refused() { t "a URL is refused with its reason: $1" PUT $S/bad create '{"source":{"url":"'"$1"'"}}' 400 \
	'.fields[0] | .path == "/source/url" and (.message | startswith("is refused: ") and contains("'"$2"'") and (contains("repositor")
	or contains("pw") | not))'; }
refused 'http://127.0.0.1?x=1' 'this machine'
refused 'https://me:pw@example.com' 'leave them out'
t 'a port that is none is refused' PUT $S/bad create '{"source":{"url":"https://example.com:99999"}}' 400 \
	'.fields[0] | .path == "/source/url" and (.message | contains("port"))'
for slug in a_b a--b -a a- 'a%2Fb'; do t "the slug is refused: $slug" PUT $S/$slug create "$(spec_text '' "$PETS")" 400 ''; done
t 'a slug of 101 characters is refused' POST $S create "$(spec_text "$(printf '%0101d' 1)" "$PETS")" 400 ''
t 'refused specifications are not created' GET $S/bad create '' 404 ''

# Published.
P=/v1/published/openapi/$(jq -r .id "$tmp/body" 2>/dev/null)
get $S/Pets-1 create
P=/v1/published/openapi/$(jq -r .id "$out")
t 'a private specification answers 404 without a token' GET $P - '' 404 ''
t 'a private specification is not published to an admin' GET $P admin '' 404 ''
t 'a reader may not publish a specification' PATCH $S/Pets-1 read '{"visibility":"public"}' 403 ''
t 'a specification is published at its address' PATCH $S/Pets-1 create '{"visibility":"public"}' 200 \
	'.visibility == "public" and .urls.published == "'"$base$P"'"'
t 'a public specification is read without a token' GET $P - '' 200 '.openapi == "3.1.0"'
t 'the content names the public address' GET $S/Pets-1/versions/latest/content read '' 200 '.urls.public == "'"$base$P"'" and .url == .urls.public'
# For visitors of a site whose pages show it.
C=$S/Pets-1/versions/latest/content
block='{% openapi-operation spec=\"Pets-1\" path=\"/pets\" method=\"get\" %}\n[Pets](https://example.com/)\n{% endopenapi-operation %}\n'
api=$(space_empty API)
t 'a site is created' POST /v1/orgs/$ORG/sites admin '{"title":"API","spaces":["'$api'"],"visibility":"public"}' 201 ''
api_site=/v1/orgs/$ORG/sites/$(jq -r .id "$out")
t 'adaptive content is switched on' PATCH $api_site admin '{"adaptiveContent":{"enabled":true}}' 200 ''
t 'the site is published' POST $api_site/publish admin '' 200 ''
api_at=$(jq -r .urls.published "$out")
api_sees() {
	space_write $api "$2"
	site_resolve "$api_at" '{"unsignedClaims":{"dev":'$3'}}'
	t "a site token reads a specification where it is shown: $1" GET $C site '' $4 ''
}
api_page() { printf '%s' '{"changes":[{"operation":"'"$1"'","document":{"markdown":"'"$2"'"}}]}'; }
api_sees 'no page' "$(api_page insert_page 'Nothing.')" true 404
api_id=$(jq -r '.changes[0].page.id' "$tmp/written")
api_put() { printf '%s' '{"changes":[{"operation":"update_page","page":"'$api_id'","document":{"markdown":"'"$1"'"}}]}'; }
api_sees 'on a page' "$(api_put "$block")" false 200
t 'a site token does not see where a specification was fetched' GET $C site '' 200 '(.filesystem | length == 1) and (.urls.source | endswith("/content/raw"))'
t 'a site token gets 404 for the raw content' GET $C/raw site '' 404 ''
t 'a site token gets 404 for another specification' GET $S/Pets-2/versions/latest/content site '' 404 ''
api_sees 'in a part that they do not see' "$(api_put "{% if visitor.claims.unsigned.dev %}\n\n$block\n{% endif %}\n")" false 404
api_sees 'in a part that they see' "$(api_put "{% if visitor.claims.unsigned.dev %}\n\n$block\n{% endif %}\n")" true 200
api_sees 'on a page that they do not see' "$(api_put "---\nif: visitor.claims.unsigned.dev\n---\n\n$block")" false 404
t 'an embed is a link by host and path' GET "/v1/spaces/$api/embed?url=https%3A%2F%2Fme%40video.example%3A8443%2Fa%3Fb" site '' 200 \
	'. == {type: "link", title: "video.example:8443/a?b", site: "video.example:8443"}'
t 'an embed of a javascript: address is refused' GET "/v1/spaces/$api/embed?url=javascript%3Aalert(1)" site '' 400 ''
t 'an embed without an address is refused' GET "/v1/spaces/$api/embed" admin '' 400 ''
t 'an embed of another space answers 404' GET "/v1/spaces/$SPACE/embed?url=https%3A%2F%2Fvideo.example" site '' 404 ''
t 'the site is deleted' DELETE $api_site admin '' 204 ''
t 'the space of the site is deleted' DELETE /v1/spaces/$api admin '' 204 ''

t 'a specification is made private' PATCH $S/Pets-1 create '{"visibility":"private"}' 200 '.urls | has("published") | not'
t 'a specification that was made private answers 404' GET $P - '' 404 ''
t 'a specification without a version is created' PUT $S/empty create "$(spec_text '' 'a: [')" 200 ''
t 'a specification without a version has no public address' PATCH $S/empty create '{"visibility":"public"}' 200 \
	'.visibility == "public" and (.urls | has("published") | not)'
t 'an unknown visibility is refused' PATCH $S/Pets-1 create '{"visibility":"unlisted"}' 400 ''

sql "INSERT INTO openapi_given (spec, data) SELECT id, x'7b7d' FROM openapi_spec WHERE org = '$ORG' AND slug = 'made' ON CONFLICT DO NOTHING"
t 'a reader deletes no specification' DELETE $S/made read '' 403 ''
t 'a specification is deleted' DELETE $S/made create '' 204 ''
same 'the text of a deleted specification is deleted' 0 \
	"$(sql "SELECT count(*) FROM openapi_given g JOIN openapi_spec s ON s.id = g.spec WHERE s.org = '$ORG' AND s.slug = 'made'")"
t 'a deleted specification answers 404' GET $S/made create '' 404 ''
t 'a deleted specification may be deleted again' DELETE $S/made create '' 204 ''
t 'a version of a deleted specification answers 404' GET $S/made/versions/latest create '' 404 ''
t 'a new specification gets the slug' PUT $S/made create "$(spec_text '' "$PETS")" 200 'has("lastVersion") | not'
openapi_done $ORG made create
t 'a new specification has versions of its own' GET $S/made/versions read '' 200 '.count == 1'
