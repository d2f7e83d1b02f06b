# Idempotency-Key: the first 2xx answer again, and nothing done twice.
O=/v1/orgs/$ORG/spaces
count_spaces() { get "$O?limit=0"; jq .count "$out"; }
n=$(count_spaces)
t 'first' POST $O create '{"title":"Once"}' 201 '' 'Idempotency-Key: k1'
cp "$out" "$tmp/first" ; at=$(header location)
t 'again' POST $O create '{"title":"Once"}' 201 '' 'Idempotency-Key: k1'
yes 'the same answer' cmp -s "$tmp/first" "$out"
same 'the same Location' "$at" "$(header location)"
same 'one space' $((n + 1)) "$(count_spaces)"
t 'another body' POST $O create '{"title":"Other"}' 409 '' 'Idempotency-Key: k1'
t 'the same body, spelled differently' POST $O create '{ "title": "Once" }' 409 '' 'Idempotency-Key: k1'
C=/v1/spaces/$SPACE/comments
t 'under a query' POST "$C?format=document" comment '{"body":{"markdown":"Once"}}' 200 '.body | has("document")' 'Idempotency-Key: q1'
comment=$(jq -r .id "$out")
t 'the same query' POST "$C?unknown=1&format=document" comment '{"body":{"markdown":"Once"}}' 200 '.id == "'$comment'" and (.body | has("document"))' 'Idempotency-Key: q1'
t 'another query' POST "$C?format=markdown" comment '{"body":{"markdown":"Once"}}' 409 '.error.message | contains("query")' 'Idempotency-Key: q1'
t 'none' POST "$C" comment '{"body":{"markdown":"Once"}}' 409 '' 'Idempotency-Key: q1'
send DELETE $C/$comment comment ''
t 'another key' POST $O create '{"title":"Once"}' 201 '' 'Idempotency-Key: k2'
other=$(jq -r .id "$out")
t 'another token' POST $O admin '{"title":"Once"}' 201 '' 'Idempotency-Key: k1'
third=$(jq -r .id "$out")
[ "$third" != "$(jq -r .id "$tmp/first")" ] && pass || fail 'another token' 'it got the answer of somebody else'
t 'another path' POST /v1/spaces/$other/duplicate create '' 201 '.title == "Once (copy)"' 'Idempotency-Key: k1'
fourth=$(jq -r .id "$out")
t 'another path again' POST /v1/spaces/$other/duplicate create '' 201 '.id == "'$fourth'"' 'Idempotency-Key: k1'
t 'no content' POST /v1/spaces/$EMPTY/git/import review '{"url":"https://example.invalid/y.git","ref":"refs/heads/main"}' 204 '' 'Idempotency-Key: k3'
jobs=$(sql "SELECT count(*) FROM job WHERE space = '$EMPTY'")
t 'no content again' POST /v1/spaces/$EMPTY/git/import review '{"url":"https://example.invalid/y.git","ref":"refs/heads/main"}' 204 '' 'Idempotency-Key: k3'
t 'no content, another body' POST /v1/spaces/$EMPTY/git/import review '{"url":"https://example.invalid/z.git","ref":"refs/heads/main"}' 409 '' 'Idempotency-Key: k3'
same 'one job' "$jobs" "$(sql "SELECT count(*) FROM job WHERE space = '$EMPTY'")"
sql "UPDATE job SET cancel = 1 WHERE space = '$EMPTY' AND state IN ('queued', 'running')"
t 'failures are not kept' POST $O create '{"title":1}' 400 '' 'Idempotency-Key: k4'
t 'after a failure' POST $O create '{"title":"Fine"}' 201 '' 'Idempotency-Key: k4'
fifth=$(jq -r .id "$out")
t 'a key of 255' POST $O create '{"title":1}' 400 '.fields[0].path == "/title"' "Idempotency-Key: $(head -c 255 /dev/zero | tr '\0' k)"
t 'a key of 256' POST $O create '{"title":"x"}' 400 '.error.message | contains("Idempotency-Key")' "Idempotency-Key: $(head -c 256 /dev/zero | tr '\0' k)"
t 'a key with quotes' POST $O create '{"title":"Quoted"}' 201 '' "Idempotency-Key: a'b\"c"
sixth=$(jq -r .id "$out")
t 'PATCH does not mind' PATCH /v1/spaces/$fifth create '{"title":"A"}' 200 '.title == "A"' 'Idempotency-Key: k5'
t 'PATCH with the same key' PATCH /v1/spaces/$fifth create '{"title":"B"}' 200 '.title == "B"' 'Idempotency-Key: k5'
# Who lost the right to do it does not get the answer either.
t 'a right taken away' PATCH /v1/spaces/$other admin '{"defaultLevel":null}' 200 ''
t 'no answer without it' POST /v1/spaces/$other/duplicate create '' 404 '' 'Idempotency-Key: k1'
# After a day the key is free.
sql "UPDATE idempotency SET created_at = created_at - 86400001 WHERE key = 'k2'"
t 'a day later' POST $O create '{"title":"Different"}' 201 '.id != "'$other'"' 'Idempotency-Key: k2'
seventh=$(jq -r .id "$out")
# A kept answer cannot be read without the token.
same 'kept answers are sealed' 0 "$(sql "SELECT count(*) FROM idempotency WHERE instr(answer, CAST('Once' AS BLOB)) > 0")"
for id in $(jq -r .id "$tmp/first") $other $third $fourth $fifth $sixth $seventh; do
	send DELETE /v1/spaces/$id admin ''
done
