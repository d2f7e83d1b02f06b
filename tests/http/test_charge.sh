#!/bin/sh
# Long requests of one user leave a worker free for others: a second concurrent one gets 429 with
# Retry-After, consecutive ones are all served, and another user's never wait for them.
set -u
TRANSPORT=http
OCTAVO_WORK=50
WORKERS=2
export OCTAVO_WORK WORKERS
. tests/http/lib.sh
fixture_start

# A document of 6 MB takes seconds.
{
	printf '{"changes":[{"operation":"insert_page","title":"Long","document":{"markdown":"'
	seq -f 'Paragraph %.0f has **some** words, `code` and [a link](https://example.com/) in it.' -s '\n\n' 1 60000 | tr -d '\n'
	printf '"}}]}'
} >"$tmp/long.json"
send POST "/v1/spaces/$SPACE/change-requests" create '{"subject":"long"}'
content=/v1/spaces/$SPACE/change-requests/$(jq -r .id "$out")/content
# long N: writes it; the status and the Retry-After are in $tmp/long.N
long() {
	curl -s -m 60 -o /dev/null -w '%{http_code} %header{retry-after}\n' -X POST -H "Authorization: Bearer $(token_of create)" \
		-H 'Content-Type: application/json' -d @"$tmp/long.json" "$base$content" >"$tmp/long.$1"
}

for n in one two; do
	long "$n"
	read -r status wait <"$tmp/long.$n"
	[ "$status" != 429 ] && pass || fail "long requests one after the other are served: $n" "$status"
done
pids=''
for n in 1 2 3 4 5 6; do long $n & pids="$pids $!"; done
# Another user's requests meanwhile.
i=0
while [ $i -lt 40 ]; do
	t "another user is served meanwhile, $i" GET "/v1/spaces/$SPACE/content?limit=1" read '' 200 ''
	t "the same user may read meanwhile, $i" GET "/v1/user" create '' 200 ''
	i=$((i + 1))
done
wait $pids
refused=$(cat "$tmp"/long.[1-6] | grep -c '^429 [1-9]')
served=$(cat "$tmp"/long.[1-6] | grep -vc '^429 ')
yes 'some of six long requests are refused' [ "$refused" -ge 1 ]
yes 'some of six long requests are served' [ "$served" -ge 1 ]
same 'each of six long requests is refused or served' 6 $((refused + served))
summary
