#!/bin/sh
# Eight clients open change requests, write, update, merge and comment in one space at once, while
# workers are killed with SIGKILL. Afterwards every acknowledged write is in the history: each page
# that an acknowledged write put into a request is in the revision that the response named or a
# later one; each acknowledged merge is in main; counters and invariants are right.
set -u
TRANSPORT=http WORKERS=4
. tests/http/lib.sh
. tests/http/load.sh
fixture_start --rate 0
ROUNDS=${ROUNDS:-4}
send POST "/v1/orgs/$ORG/spaces" admin '{"title":"Storm"}'
S=/v1/spaces/$(jq -r .id "$out") C=$S/change-requests

# ask METHOD PATH BODY: one call of a client, with its own files; sets $a_code and $mine/body
ask() {
	a_code=$(curl -sg -m 60 -o "$mine/body" -w '%{http_code}' -X "$1" -H "Authorization: Bearer $(token_of admin)" \
		-H 'Content-Type: application/json' "$base$2" -d "$3")
}

client() {
	mine=$tmp/client$1 k=0
	mkdir "$mine"
	while [ $k -lt "$ROUNDS" ]; do
		k=$((k + 1)) name="c$1r$k"
		ask POST "$C" "{\"subject\":\"$name\"}"
		[ "$a_code" = 201 ] || { echo "open $a_code" >>"$mine/other"; continue; }
		N=$(jq -r .number "$mine/body")
		ask POST "$C/$N/content?compat=false" "{\"changes\":[{\"operation\":\"insert_page\",\"title\":\"$name\",\"document\":{\"markdown\":\"words of $name\"}}]}"
		[ "$a_code" = 200 ] || { echo "write $a_code" >>"$mine/other"; continue; }
		echo "$N $(jq -r '.changes[0].page.id' "$mine/body") $(jq -r .changeRequest.revision "$mine/body")" >>"$mine/written"
		ask POST "$C/$N/comments" "{\"body\":{\"markdown\":\"about $name\"}}"
		[ "$a_code" != 200 ] || echo "$N" >>"$mine/commented"
		ask POST "$C/$N/update" ''
		[ "$a_code" = 200 ] || echo "update $a_code" >>"$mine/other"
		ask POST "$C/$N/merge" ''
		[ "$a_code" != 200 ] || echo "$N $(jq -r .result "$mine/body") $name" >>"$mine/merged"
		[ "$a_code" = 200 ] || echo "merge $a_code" >>"$mine/other"
	done
	touch "$mine/done"
}

pids=''
for i in 1 2 3 4 5 6 7 8; do
	client $i &
	pids="$pids $!"
done
seed=${OCTAVO_SEED:-7} kills=0
until [ -e "$tmp/client1/done" ] || [ $kills -ge 12 ]; do
	roll 4
	victim=$(worker_pids | sed -n "$((rolled + 1))p")
	[ -z "$victim" ] || kill -KILL "$victim" 2>/dev/null
	kills=$((kills + 1))
	sleep 0.3
done
# shellcheck disable=SC2086
wait $pids
until_true 20 answers || give_up 'after the kills' 'the service does not answer'

# All other responses were interrupted connections or dead workers, never a wrong status.
cat "$tmp"/client*/other 2>/dev/null | sort | uniq -c >"$tmp/others"
yes 'other answers are broken connections alone' test -z "$(grep -vE ' (000|502|503|504)$' "$tmp/others")"
cat "$tmp"/client*/written >"$tmp/written"
yes 'more than four writes a round are made' test "$(wc -l <"$tmp/written")" -gt $((ROUNDS * 4))
while read -r N page revision; do
	get "$S/revisions/$revision/page/$page?format=markdown"
	[ "$code" = 200 ] && pass || fail "a page is in the revision of its request: $N" "$code in its revision"
done <"$tmp/written"
get "$S/content/pages"
jq -r '.pages[].title' "$out" | sort >"$tmp/main"
cat "$tmp"/client*/merged >"$tmp/merged"
yes 'more than three merges a round are made' test "$(grep -c ' merge ' "$tmp/merged")" -gt $((ROUNDS * 3))
same 'no merge has conflicts' '' "$(grep ' conflicts ' "$tmp/merged")"
grep ' merge ' "$tmp/merged" | cut -d' ' -f3 | sort >"$tmp/expected"
same 'no merged page is lost' '' "$(comm -23 "$tmp/expected" "$tmp/main")"
same 'no page is there twice' '' "$(uniq -d "$tmp/main")"
get "$C?limit=1000"
same 'requests are counted' "$(jq -r .count "$out")" "$(get "$S"; jq -r .changeRequests "$out")"
get "$C?limit=1000&status=draft"
same 'drafts are counted' "$(jq -r .count "$out")" "$(get "$S"; jq -r .changeRequestsDraft "$out")"
for N in $(cat "$tmp"/client*/commented); do
	get "$C/$N/comments?limit=0"
	n=$(jq -r .count "$out")
	get "$C/$N"
	same "comments are counted: $N" "$n" "$(jq -r .comments "$out")"
done
check_clean 'after the storm'
summary
