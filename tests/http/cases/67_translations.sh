# Translations, their glossary, and files fetched into change requests: what the API itself decides. What the jobs make of them: test_translate.sh, test_openapi.sh.
KO=$(octavo_json .organization org create --title Tongues --user admin@example.com)
K=/v1/orgs/$KO
t 'a colleague' POST $K/invites admin '{"emails":["create@example.com"],"role":"create"}' 200 ''
t 'another, who only reads' POST $K/invites admin '{"emails":["read@example.com"],"role":"read"}' 200 ''
t 'a space' POST $K/spaces create '{"title":"Tongues"}' 201 ''
KS=$(jq -r .id "$out")
translation_of() { printf '{"source":{"space":"%s","language":"en"},"language":"%s"}' "$KS" "$1"; }

t 'none' GET $K/translations read '' 200 '.count == 0 and .items == []'
t 'not for strangers' GET $K/translations other '' 404 ''
t 'made, not run' POST $K/translations create "$(translation_of ja)" 201 '.status == "pending" and .language == "ja" and .stats == {runs: 0, totalWords: 0, totalPages: 0, totalDuration: 0, latestRunDuration: 0, latestPages: 0, latestWords: 0}'
KT=$K/translations/$(jq -r .id "$out")
t 'once' POST $K/translations create "$(translation_of ja)" 409 '.error.message | contains("ja")'
t 'readers make none' POST $K/translations read "$(translation_of es)" 403 ''
t 'into its own language' POST $K/translations create "$(translation_of en)" 400 '.fields[0].path == "/language"'
t 'a space of others' POST $K/translations create '{"source":{"space":"'$SPACE_B'","language":"en"},"language":"es"}' 404 ''
t 'readers see it' GET $KT read '' 200 '.permissions == {view: true, edit: false} and .source.space == "'$KS'"'
t 'no such translation' GET $K/translations/nothing read '' 404 ''
t 'readers change nothing' PUT $KT read '{"automatic":false}' 403 ''
t 'nothing to change' PUT $KT create '{}' 400 ''
t 'by hand' PUT $KT create '{"automatic":false}' 200 '.automatic == false'
t 'no such translation to change' PUT $K/translations/nothing create '{"automatic":false}' 404 ''
t 'who may not read the source' PATCH /v1/spaces/$KS admin '{"defaultLevel":null}' 200 ''
t 'does not know of it' GET $KT read '' 404 ''
t 'nor lists it' GET $K/translations read '' 200 '.count == 0'
t 'as before' PATCH /v1/spaces/$KS admin '{"defaultLevel":"inherit"}' 200 ''
t 'a collection that is closed' POST $K/collections admin '{"title":"Closed"}' 201 ''
closed=$(jq -r .id "$out")
t 'to members' PATCH /v1/collections/$closed admin '{"defaultLevel":null}' 200 ''
t 'with a space' POST $K/spaces admin '{"title":"Inside","parent":"'$closed'"}' 201 ''
t 'in another language' POST $K/translations admin '{"source":{"space":"'$(jq -r .id "$out")'","language":"en"},"language":"fr"}' 201 ''
inside=$K/translations/$(jq -r .id "$out")
t 'readers do not know of it' GET $inside read '' 404 ''
t 'the collection is deleted' DELETE /v1/collections/$closed admin '' 204 ''
t 'still they do not' GET $inside read '' 404 ''
t 'the admin ends it' DELETE $inside admin '' 204 ''
t 'readers run nothing' POST $KT/run read '' 403 ''
t 'no such translation to run' POST $K/translations/nothing/run create '' 404 ''
t 'run' POST $KT/run create '' 204 ''
jobs_rest
t 'nothing translates into Japanese here' GET $KT create '' 200 '.status == "pending" and (.error | contains("OCTAVO_TRANSLATE_EN_JA")) and (has("result") | not)'
t 'its source is deleted' DELETE /v1/spaces/$KS admin '' 204 ''
t 'it does not run any more' POST $KT/run create '' 404 ''
t 'readers delete nothing' DELETE $KT read '' 403 ''
t 'deleted' DELETE $KT create '' 204 ''
t 'again' DELETE $KT create '' 204 ''
t 'in no organization' DELETE /v1/orgs/nothing/translations/x create '' 404 ''

KG=$K/translations-glossary
t 'no terms' GET $KG read '' 200 '.count == 0'
t 'a term' PUT $KG create '{"operations":[{"type":"insert","translations":{"en":"space","es":"espacio"}}]}' 204 ''
t 'it' GET $KG read '' 200 '.items[0].translations.es == "espacio"'
KE=$(jq -r .items[0].id "$out")
t 'alone' GET $KG/$KE read '' 200 '.id == "'$KE'"'
t 'no such term' GET $KG/nothing read '' 404 ''
t 'changed' PUT $KG create '{"operations":[{"type":"update","id":"'$KE'","translations":{"en":"space","fr":"espace"}}]}' 204 ''
t 'a term that is none' PUT $KG create '{"operations":[{"type":"insert","translations":{}}]}' 400 '.fields[0].path == "/operations/0/translations"'
t 'a term of two lines' PUT $KG create '{"operations":[{"type":"insert","translations":{"en":"a","es":"b\n# c"}}]}' 400 '.fields[0].path == "/operations/0/translations/es"'
t 'all or nothing' PUT $KG create '{"operations":[{"type":"delete","id":"'$KE'"},{"type":"update","id":"nothing","translations":{"en":"x"}}]}' 404 ''
t 'nothing' GET $KG/$KE read '' 200 '.translations == {en: "space", fr: "espace"}'
t 'readers change no term' PUT $KG read '{"operations":[]}' 403 ''
sql "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 9999)
	INSERT INTO glossary_entry (id, org, translations, created_at, updated_at) SELECT 'term' || n, '$KO', '{\"en\":\"a\"}', 1, 1 FROM n"
t 'too many terms' PUT $KG create '{"operations":[{"type":"insert","translations":{"en":"one too many"}}]}' 400 '.fields[0].path == "/operations" and (.error.message | contains("10000"))'
t 'which were not added' GET "$KG?limit=1" read '' 200 '.count == 10000'
t 'one for another' PUT $KG create '{"operations":[{"type":"delete","id":"term1"},{"type":"insert","translations":{"en":"instead"}}]}' 204 ''
t 'deleted' PUT $KG create '{"operations":[{"type":"delete","id":"'$KE'"}]}' 204 ''

t 'a request' POST /v1/spaces/$SPACE/change-requests edit '{"subject":"File"}' 201 ''
KC=/v1/spaces/$SPACE/change-requests/$(jq -r .id "$out")
t 'a file of this machine' POST $KC/files edit '{"url":"http://127.0.0.1/x"}' 400 '.fields[0].path == "/url"'
t 'readers fetch nothing' POST $KC/files read '{"url":"https://files.invalid/x"}' 403 ''
t 'a file' POST $KC/files edit '{"url":"https://files.invalid/a%20b.png?c"}' 202 '.name == "a b.png" and .status == "pending"'
KU=$KC/files/$(jq -r .id "$out")
jobs_rest
t 'it' GET $KU read '' 200 '.status == "failed" and (has("file") | not)'
t 'no such upload' GET $KC/files/nothing read '' 404 ''
t 'archived' PATCH $KC edit '{"status":"archived"}' 200 ''
t 'takes no file' POST $KC/files edit '{"url":"https://files.invalid/x"}' 409 ''
