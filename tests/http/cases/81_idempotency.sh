# Idempotency-Key: the same 2xx response again, and nothing is done twice.
O=/v1/orgs/$ORG/spaces
count_spaces() { get "$O?limit=0"; jq .count "$out"; }
n=$(count_spaces)
t 'a space is created with an idempotency key' POST $O create '{"title":"Once"}' 201 '' 'Idempotency-Key: k1'
cp "$out" "$tmp/first" ; at=$(header location)
t 'the request is sent again' POST $O create '{"title":"Once"}' 201 '' 'Idempotency-Key: k1'
yes 'a repeated request gets the first answer' cmp -s "$tmp/first" "$out"
same 'a repeated request gets the first Location' "$at" "$(header location)"
same 'a repeated request creates one space' $((n + 1)) "$(count_spaces)"
t 'the key with another body is refused' POST $O create '{"title":"Other"}' 409 '' 'Idempotency-Key: k1'
t 'the key with other spelling of the body is refused' POST $O create '{ "title": "Once" }' 409 '' 'Idempotency-Key: k1'
C=/v1/spaces/$SPACE/comments
t 'a comment is posted with a key and a query' POST "$C?format=document" comment '{"body":{"markdown":"Once"}}' 200 '.body | has("document")' \
	'Idempotency-Key: q1'
comment=$(jq -r .id "$out")
t 'a parameter that is not known does not change the request' POST "$C?unknown=1&format=document" comment '{"body":{"markdown":"Once"}}' 200 \
	'.id == "'$comment'" and (.body | has("document"))' 'Idempotency-Key: q1'
t 'the key with another query is refused' POST "$C?format=markdown" comment '{"body":{"markdown":"Once"}}' 409 \
	'.error.message | contains("query")' 'Idempotency-Key: q1'
t 'the key without the query is refused' POST "$C" comment '{"body":{"markdown":"Once"}}' 409 '' 'Idempotency-Key: q1'
send DELETE $C/$comment comment ''
t 'another key creates another space' POST $O create '{"title":"Once"}' 201 '' 'Idempotency-Key: k2'
other=$(jq -r .id "$out")
t 'the key of another token is another key' POST $O admin '{"title":"Once"}' 201 '' 'Idempotency-Key: k1'
third=$(jq -r .id "$out")
[ "$third" != "$(jq -r .id "$tmp/first")" ] && pass || fail 'a key does not give the answer of another user' 'it got the answer of somebody else'
t 'the key on another path is another key' POST /v1/spaces/$other/duplicate create '' 201 '.title == "Once (copy)"' 'Idempotency-Key: k1'
fourth=$(jq -r .id "$out")
t 'the key on that path gives its first answer' POST /v1/spaces/$other/duplicate create '' 201 '.id == "'$fourth'"' 'Idempotency-Key: k1'
t 'a request without content is accepted with a key' POST /v1/spaces/$EMPTY/git/import review \
	'{"url":"https://example.invalid/y.git","ref":"refs/heads/main"}' 204 '' 'Idempotency-Key: k3'
jobs=$(sql "SELECT count(*) FROM job WHERE space = '$EMPTY'")
t 'a request without content is accepted again' POST /v1/spaces/$EMPTY/git/import review \
	'{"url":"https://example.invalid/y.git","ref":"refs/heads/main"}' 204 '' 'Idempotency-Key: k3'
t 'a request without content is refused with another body' POST /v1/spaces/$EMPTY/git/import review \
	'{"url":"https://example.invalid/z.git","ref":"refs/heads/main"}' 409 '' 'Idempotency-Key: k3'
same 'a repeated request queues one job' "$jobs" "$(sql "SELECT count(*) FROM job WHERE space = '$EMPTY'")"
sql "UPDATE job SET cancel = 1 WHERE space = '$EMPTY' AND state IN ('queued', 'running')"
t 'a failed request is not kept' POST $O create '{"title":1}' 400 '' 'Idempotency-Key: k4'
t 'the key of a failed request may be used' POST $O create '{"title":"Fine"}' 201 '' 'Idempotency-Key: k4'
fifth=$(jq -r .id "$out")
t 'a key of 255 characters is accepted' POST $O create '{"title":1}' 400 '.fields[0].path == "/title"' "Idempotency-Key: $(head -c 255 /dev/zero | tr '\0' k)"
t 'a key of 256 characters is refused' POST $O create '{"title":"x"}' 400 '.error.message | contains("Idempotency-Key")' \
	"Idempotency-Key: $(head -c 256 /dev/zero | tr '\0' k)"
t 'a key may have quotes' POST $O create '{"title":"Quoted"}' 201 '' "Idempotency-Key: a'b\"c"
sixth=$(jq -r .id "$out")
t 'PATCH ignores the key' PATCH /v1/spaces/$fifth create '{"title":"A"}' 200 '.title == "A"' 'Idempotency-Key: k5'
t 'PATCH ignores the key of another PATCH' PATCH /v1/spaces/$fifth create '{"title":"B"}' 200 '.title == "B"' 'Idempotency-Key: k5'
# A caller who lost the right to do it does not get the stored response.
t 'the creator loses access to the space' PATCH /v1/spaces/$other admin '{"defaultLevel":null}' 200 ''
t 'who lost access does not get the kept answer' POST /v1/spaces/$other/duplicate create '' 404 '' 'Idempotency-Key: k1'
# After a day the key is free.
sql "UPDATE idempotency SET created_at = created_at - 86400001 WHERE key = 'k2'"
t 'a key is free after a day' POST $O create '{"title":"Different"}' 201 '.id != "'$other'"' 'Idempotency-Key: k2'
seventh=$(jq -r .id "$out")
# A stored response cannot be read without the token.
same 'kept answers are sealed in the database' 0 "$(sql "SELECT count(*) FROM idempotency WHERE instr(answer, CAST('Once' AS BLOB)) > 0")"
for id in $(jq -r .id "$tmp/first") $other $third $fourth $fifth $sixth $seventh; do
	send DELETE /v1/spaces/$id admin ''
done
