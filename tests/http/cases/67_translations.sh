# Translations, their glossary, and files fetched into change requests, as far as the API decides by
# itself. The jobs are tested by test_translate.sh and test_openapi.sh.
KO=$(octavo_json .organization org create --title Tongues --user admin@example.com)
K=/v1/orgs/$KO
t 'a creator is invited' POST $K/invites admin '{"emails":["create@example.com"],"role":"create"}' 200 ''
t 'a reader is invited' POST $K/invites admin '{"emails":["read@example.com"],"role":"read"}' 200 ''
t 'a space is created' POST $K/spaces create '{"title":"Tongues"}' 201 ''
KS=$(jq -r .id "$out")
translation_of() { printf '{"source":{"space":"%s","language":"en"},"language":"%s"}' "$KS" "$1"; }

t 'an organization has no translations at first' GET $K/translations read '' 200 '.count == 0 and .items == []'
t 'another organization gets 404 for translations' GET $K/translations other '' 404 ''
t 'a translation is created as pending' POST $K/translations create "$(translation_of ja)" 201 \
	'.status == "pending" and .language == "ja" and .stats == {runs: 0, totalWords: 0, totalPages: 0, totalDuration: 0, latestRunDuration: 0,
	latestPages: 0, latestWords: 0}'
KT=$K/translations/$(jq -r .id "$out")
t 'a second translation into a language is refused' POST $K/translations create "$(translation_of ja)" 409 '.error.message | contains("ja")'
t 'a reader creates no translation' POST $K/translations read "$(translation_of es)" 403 ''
t 'a translation into the source language is refused' POST $K/translations create "$(translation_of en)" 400 '.fields[0].path == "/language"'
t 'a translation of a space of others answers 404' POST $K/translations create '{"source":{"space":"'$SPACE_B'","language":"en"},"language":"es"}' 404 ''
t 'a reader reads a translation' GET $KT read '' 200 '.permissions == {view: true, edit: false} and .source.space == "'$KS'"'
t 'an unknown translation answers 404' GET $K/translations/nothing read '' 404 ''
t 'a reader changes no translation' PUT $KT read '{"automatic":false}' 403 ''
t 'a change that names nothing is refused' PUT $KT create '{}' 400 ''
t 'a translation is made manual' PUT $KT create '{"automatic":false}' 200 '.automatic == false'
t 'a change of an unknown translation answers 404' PUT $K/translations/nothing create '{"automatic":false}' 404 ''
t 'the source is hidden from members' PATCH /v1/spaces/$KS admin '{"defaultLevel":null}' 200 ''
t 'a translation of a hidden space answers 404' GET $KT read '' 404 ''
t 'a translation of a hidden space is not listed' GET $K/translations read '' 200 '.count == 0'
t 'the source is opened to members' PATCH /v1/spaces/$KS admin '{"defaultLevel":"inherit"}' 200 ''
t 'a collection is created' POST $K/collections admin '{"title":"Closed"}' 201 ''
closed=$(jq -r .id "$out")
t 'the collection is hidden from members' PATCH /v1/collections/$closed admin '{"defaultLevel":null}' 200 ''
t 'a space in the hidden collection is created' POST $K/spaces admin '{"title":"Inside","parent":"'$closed'"}' 201 ''
t 'a translation of that space is created' POST $K/translations admin '{"source":{"space":"'$(jq -r .id "$out")'","language":"en"},"language":"fr"}' 201 ''
inside=$K/translations/$(jq -r .id "$out")
t 'a translation of a space in a hidden collection answers 404' GET $inside read '' 404 ''
t 'the hidden collection is deleted' DELETE /v1/collections/$closed admin '' 204 ''
t 'a translation of a deleted space answers 404 to readers' GET $inside read '' 404 ''
t 'an admin deletes the translation of a deleted space' DELETE $inside admin '' 204 ''
t 'a reader runs no translation' POST $KT/run read '' 403 ''
t 'a run of an unknown translation answers 404' POST $K/translations/nothing/run create '' 404 ''
t 'a translation is run' POST $KT/run create '' 204 ''
jobs_rest
t 'a translation without an engine says which setting is missing' GET $KT create '' 200 \
	'.status == "pending" and (.error | contains("OCTAVO_TRANSLATE_EN_JA")) and (has("result") | not)'
t 'the source is deleted' DELETE /v1/spaces/$KS admin '' 204 ''
t 'a translation of a deleted space does not run' POST $KT/run create '' 404 ''
t 'a reader deletes no translation' DELETE $KT read '' 403 ''
t 'a translation is deleted' DELETE $KT create '' 204 ''
t 'a deleted translation may be deleted again' DELETE $KT create '' 204 ''
t 'a deletion in an unknown organization answers 404' DELETE /v1/orgs/nothing/translations/x create '' 404 ''

KG=$K/translations-glossary
t 'a glossary is empty at first' GET $KG read '' 200 '.count == 0'
t 'a term is inserted' PUT $KG create '{"operations":[{"type":"insert","translations":{"en":"space","es":"espacio"}}]}' 204 ''
t 'terms are listed' GET $KG read '' 200 '.items[0].translations.es == "espacio"'
KE=$(jq -r .items[0].id "$out")
t 'a term is read by its id' GET $KG/$KE read '' 200 '.id == "'$KE'"'
t 'an unknown term answers 404' GET $KG/nothing read '' 404 ''
t 'a term is updated' PUT $KG create '{"operations":[{"type":"update","id":"'$KE'","translations":{"en":"space","fr":"espace"}}]}' 204 ''
t 'a term without translations is refused' PUT $KG create '{"operations":[{"type":"insert","translations":{}}]}' 400 \
	'.fields[0].path == "/operations/0/translations"'
t 'a term of two lines is refused' PUT $KG create '{"operations":[{"type":"insert","translations":{"en":"a","es":"b\n# c"}}]}' 400 \
	'.fields[0].path == "/operations/0/translations/es"'
t 'operations with an unknown term answer 404' PUT $KG create '{"operations":[{"type":"delete","id":"'$KE'"},{"type":"update","id":"nothing",
	"translations":{"en":"x"}}]}' 404 ''
t 'refused operations change no term' GET $KG/$KE read '' 200 '.translations == {en: "space", fr: "espace"}'
t 'a reader changes no term' PUT $KG read '{"operations":[]}' 403 ''
sql "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 9999)
	INSERT INTO glossary_entry (id, org, translations, created_at, updated_at) SELECT 'term' || n, '$KO', '{\"en\":\"a\"}', 1, 1 FROM n"
t 'more than 10,000 terms are refused' PUT $KG create '{"operations":[{"type":"insert","translations":{"en":"one too many"}}]}' 400 \
	'.fields[0].path == "/operations" and (.error.message | contains("10000"))'
t 'refused terms are not added' GET "$KG?limit=1" read '' 200 '.count == 10000'
t 'one of 10,000 terms is replaced by another' PUT $KG create '{"operations":[{"type":"delete","id":"term1"},{"type":"insert",
	"translations":{"en":"instead"}}]}' 204 ''
t 'a term is deleted' PUT $KG create '{"operations":[{"type":"delete","id":"'$KE'"}]}' 204 ''

t 'a change request is opened' POST /v1/spaces/$SPACE/change-requests edit '{"subject":"File"}' 201 ''
KC=/v1/spaces/$SPACE/change-requests/$(jq -r .id "$out")
t 'a file of this machine is refused' POST $KC/files edit '{"url":"http://127.0.0.1/x"}' 400 '.fields[0].path == "/url"'
t 'a reader fetches no file' POST $KC/files read '{"url":"https://files.invalid/x"}' 403 ''
t 'a file is fetched as pending' POST $KC/files edit '{"url":"https://files.invalid/a%20b.png?c"}' 202 '.name == "a b.png" and .status == "pending"'
KU=$KC/files/$(jq -r .id "$out")
jobs_rest
t 'a file that cannot be fetched has failed' GET $KU read '' 200 '.status == "failed" and (has("file") | not)'
t 'an unknown upload answers 404' GET $KC/files/nothing read '' 404 ''
t 'the request is archived' PATCH $KC edit '{"status":"archived"}' 200 ''
t 'an archived request takes no file' POST $KC/files edit '{"url":"https://files.invalid/x"}' 409 ''
