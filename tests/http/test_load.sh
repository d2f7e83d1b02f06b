#!/bin/sh
# Eight writers and eight readers at a time: no update is lost, no request fails, and restarting the
# workers in between loses no request.
set -u
TRANSPORT=http
. tests/http/lib.sh
. tests/http/load.sh
fixture_start

# Readers: whole revisions, pages, lists, old revisions, until they are stopped.
reader() {
	while [ ! -e "$tmp/stop" ]; do
		for path in content content/page/$PAGE "content/page/$PAGE?format=markdown" content/files \
			revisions/$REV_OLD/pages git/info; do
			echo "r GET /v1/spaces/$SPACE/$path read"
		done | batch "$tmp/read.$1"
		cat "$tmp/read.$1" >>"$tmp/reads.$1"
		printf '%s\n' "l GET /v1/orgs/$ORG/spaces?limit=20 review" 'u GET /v1/user edit' | batch "$tmp/read.$1"
		cat "$tmp/read.$1" >>"$tmp/reads.$1"
	done
}

# A counter in a title, incremented by optimistic locking.
counter() {
	n=0
	while [ $n -lt 6 ]; do
		curl -s -m 60 -D "$tmp/c$1.head" -o "$tmp/c$1.body" -H "Authorization: Bearer $(token_of create)" \
			"$base/v1/spaces/$counted"
		tag=$(tr -d '\r' <"$tmp/c$1.head" | sed -n 's/^etag: //Ip')
		now=$(jq -r .title "$tmp/c$1.body")
		status=$(curl -s -m 60 -o /dev/null -w '%{http_code}' -X PATCH -H "Authorization: Bearer $(token_of create)" \
			-H 'Content-Type: application/json' -H "If-Match: $tag" -d "{\"title\":\"$((now + 1))\"}" \
			"$base/v1/spaces/$counted")
		echo "$status" >>"$tmp/counts.$1"
		[ "$status" != 200 ] || n=$((n + 1))
	done
}

send POST /v1/orgs/$ORG/spaces create '{"title":"0"}'
counted=$(jq -r .id "$out")
send POST /v1/orgs/$ORG/spaces create '{"title":"fields"}'
fields=$(jq -r .id "$out")

readers=''
for i in 1 2 3 4 5 6 7 8; do reader $i & readers="$readers $!"; done

writers=''
for i in 1 2 3 4 5 6 7 8; do
	{
		seq 15 | sed "s|.*|w$i-& POST /v1/orgs/$ORG/spaces create {\"title\":\"w$i-&\"}|"
		seq 3 | sed "s|.*|d POST /v1/spaces/$SPACE/duplicate create|"
	} | batch "$tmp/write.$i" &
	writers="$writers $!"
done
wait $writers
writers=''
for i in 1 2 3 4 5 6 7 8; do counter $i & writers="$writers $!"; done
wait $writers
# Each writer changes another member of the same space: whatever the order, no write undoes another's.
writers=''
for member in title language emoji rules; do
	case $member in
	title) seq 30 | sed "s|.*|f PATCH /v1/spaces/$fields create {\"title\":\"t&\"}|" ;;
	language) seq 30 | sed "s|.*|f PATCH /v1/spaces/$fields create {\"language\":\"de\"}|" ;;
	# Faces from 1f601 on.
	emoji) seq -w 30 | sed "s|.*|f PATCH /v1/spaces/$fields create {\"emoji\":\"1f6&\"}|" ;;
	*) seq 30 | sed "s|.*|f PATCH /v1/spaces/$fields create {\"mergeRules\":{\"type\":\"none\"}}|" ;;
	esac | batch "$tmp/field.$member" &
	writers="$writers $!"
done
wait $writers

same 'every write answers 201' '' "$(cat "$tmp"/write.? | grep -v ' 201$')"
cat "$tmp"/write.? | sed -n 's/^\(w.*\) 201$/\1/p' | sort >"$tmp/acknowledged"
same '120 writes are acknowledged' 120 "$(wc -l <"$tmp/acknowledged" | tr -d ' ')"
titles >"$tmp/titles"
same 'every acknowledged write is there' '' "$(comm -23 "$tmp/acknowledged" "$tmp/titles")"
same 'no write is there twice' '' "$(grep '^w' "$tmp/titles" | uniq -d)"
same 'every duplicate is there' 24 "$(grep -c '^Manual (copy)$' "$tmp/titles")"
t 'a counter with If-Match has every step' GET /v1/spaces/$counted read '' 200 '.title == "48"'
same 'steps of the counter answer 200 or 412' '' "$(cat "$tmp"/counts.? | grep -vE '^(200|412)$')"
grep -q 412 "$tmp"/counts.? && pass || skip 'a step of the counter may be too late' 'nobody was ever too late'
same 'every PATCH answers 200' '' "$(cat "$tmp"/field.* | grep -h '^f' | grep -v ' 200$')"
t 'concurrent PATCHes of other members are all kept' GET /v1/spaces/$fields read '' 200 '.title == "t30" and .language == "de" and .emoji == "1f630" and .mergeRules == {type: "none"}'

# One key, eight senders at the same moment: one space, and the same response to all.
writers=''
for i in 1 2 3 4 5 6 7 8; do
	curl -s -m 60 -o "$tmp/key.$i" -X POST -H "Authorization: Bearer $(token_of create)" -H 'Idempotency-Key: race' \
		-H 'Content-Type: application/json' -d '{"title":"Raced"}' "$base/v1/orgs/$ORG/spaces" &
	writers="$writers $!"
done
wait $writers
same 'requests with one key get one answer' 1 "$(cat "$tmp"/key.? | jq -r .id | sort -u | wc -l | tr -d ' ')"
titles >"$tmp/titles"
same 'requests with one key create one space' 1 "$(grep -c '^Raced$' "$tmp/titles")"

# Workers are restarted one by one while eight clients write.
writers=''
for i in 1 2 3 4 5 6 7 8; do
	seq 40 | sed "s|.*|g$i-& POST /v1/orgs/$ORG/spaces create {\"title\":\"g$i-&\"}|" | batch "$tmp/graceful.$i" &
	writers="$writers $!"
done
for n in 1 2 3; do
	for pid in $(worker_pids); do
		kill -TERM "$pid" 2>/dev/null
		sleep 0.1
	done
done
wait $writers
touch "$tmp/stop"
wait $readers
same 'no request is lost when workers are replaced' '' "$(cat "$tmp"/graceful.? | grep -v ' 201$')"
cat "$tmp"/graceful.? | sed 's/ 201$//' | sort >"$tmp/acknowledged"
titles >"$tmp/titles"
same 'no write is lost when workers are replaced' '' "$(comm -23 "$tmp/acknowledged" "$tmp/titles")"

same 'every read answers 200 when workers are replaced' '' "$(cat "$tmp"/reads.? | grep -v ' 200$' | sort | uniq -c)"
[ "$(cat "$tmp"/reads.? | wc -l)" -gt 200 ] && pass || fail 'readers read more than 200 times' 'they hardly read'
same 'no request answers 500' '' "$(awk '$5 >= 500' "$dir/log/requests.log")"
check_clean load

# Workers run for days: memory of a request is freed (sanitizers keep freed memory).
resident() { for pid in $(worker_pids); do sed -n 's/^VmRSS: *\([0-9]*\) kB/\1/p' "/proc/$pid/status"; done | awk '{ n += $1 } END { print n }'; }
soak() {
	for i in $(seq "$1"); do
		echo "s GET /v1/spaces/$SPACE/content read"
		echo "s GET /v1/spaces/$SPACE/content/page/$PAGE?format=markdown read"
		echo "s PATCH /v1/spaces/$fields create {\"title\":\"soak $i\"}"
		echo "s PATCH /v1/spaces/$fields create {\"title\":$i}"
	done | batch "$tmp/soak"
}
if ldd "$OCTAVO_BUILD/octavo-api" | grep -q asan; then
	skip soak 'sanitized'
else
	soak 100
	first=$(resident)
	soak 300
	last=$(resident)
	[ $((last - first)) -lt 4096 ] && pass || fail soak "the workers grew from $first kB to $last kB"
fi
# Each connection needs a descriptor in nginx and in the client.
if [ "$(ulimit -n)" -ge 1200 ]; then
	same '1,000 simultaneous clients are served' '1000 200' "$(node tests/http/clients.mjs "$port" 1000)"
else
	skip '1,000 simultaneous clients are served' 'files are limited to fewer'
fi
log_check
summary
