# The relay of "Try it": off by default, to named hosts only, never inside. Requests that are sent are tested by test_openapi.sh.
if [ $TRANSPORT = http ]; then

rl_spec='openapi: 3.0.3
info: {title: Relayed, version: "1"}
servers: [{url: "https://api.example.com/v1"}]
paths: {/pets: {get: {operationId: listPets, responses: {"200": {description: All}}}}}
'
RS=/v1/orgs/$ORG/openapi/relayed
t 'relay: a specification is made' PUT $RS create "$(jq -nc --arg text "$rl_spec" '{source: {text: $text}}')" 200 '.relay == {hosts: []}'
openapi_done $ORG relayed create
for who in create review read; do
	t "relay: $who may not turn it on" PATCH $RS $who '{"relay":{"hosts":["api.example.com"]}}' 403 ''
done
rl_own=${base#http://} rl_host=${rl_own%%:*}
for rl_bad in localhost localhost:80 x.localhost 127.0.0.1 0x7f.1 2130706433 '[::1]' '[::ffff:10.0.0.1]' 10.1.2.3 169.254.169.254 "$rl_own" "$rl_host:1" \
	https://api.example.com api.example.com/v1 user@api.example.com 'a b' api.example.com. api.example.com:0; do
	t "relay: a host is refused: $rl_bad" PATCH $RS admin '{"relay":{"hosts":["ok.example.com","'"$rl_bad"'"]}}' 400 '.fields[0].path == "/relay/hosts/1"'
done
t 'relay: more than twenty hosts are refused' PATCH $RS admin "$(jq -nc '{relay: {hosts: [range(21) | "h\(.).example.com"]}}')" 400 ''
t 'relay: an empty change is refused' PATCH $RS admin '{}' 400 ''
t 'relay: it is off until now' GET $RS read '' 200 '.relay == {hosts: []} and .visibility == "private"'

rl_space=$(space_empty Relayed)
space_write $rl_space '{"changes":[{"operation":"insert_page","title":"Pets",
	"document":{"markdown":"{% openapi-operation spec=\"relayed\" path=\"/pets\" method=\"get\" %}\n{% endopenapi-operation %}\n"}}]}'
t 'relay: a site is made' POST /v1/orgs/$ORG/sites admin '{"title":"Relayed","spaces":["'$rl_space'"]}' 201 ''
rl_site=/v1/orgs/$ORG/sites/$(jq -r .id "$out") at=/sites/$ORG_NAME/relayed
t 'relay: it is published' POST $rl_site/publish admin '' 200 ''
get $rl_site/site-spaces admin
rl_in=$(jq -r '.items[0].id' "$out")
# rl_send URL [JSON OF MORE MEMBERS] [CURL OPTION...]: as the reader's script does
rl_send() {
	rl_url=$1 rl_more=${2-}
	[ $# -lt 2 ] || shift
	shift
	printf '{"space":"%s","spec":"relayed","url":"%s","method":"GET","headers":[]%s}\nbody' "$rl_in" "$rl_url" "$rl_more" >"$tmp/relayed"
	read_at $at/~relay -X POST -H 'Content-Type: application/vnd.octavo.request' --data-binary @"$tmp/relayed" "$@"
}
read_at "$at/~relay?space=$rl_in&spec=relayed"
same 'relay: a site without Try it has none' '200 {"hosts":[]}' "$code $(cat "$out")"
get $rl_site/customization admin
jq -c '.tryIt = {enabled: true}' "$out" >"$tmp/custom"
t 'relay: the site gets Try it' PUT $rl_site/customization admin "$(cat "$tmp/custom")" 200 ''
read_at "$at/~relay?space=$rl_in&spec=relayed"
same 'relay: Try it alone turns no relay on' '200 {"hosts":[]}' "$code $(cat "$out")"
rl_send https://api.example.com/v1/pets
same 'relay: nothing is sent while it is off' 404 "$code"
t 'relay: an admin turns it on' PATCH $RS admin '{"relay":{"hosts":["API.example.com","other.invalid:8443"]}}' 200 \
	'.relay == {hosts: ["api.example.com", "other.invalid:8443"]} and .visibility == "private"'
get "/v1/orgs/$ORG/audit-events?limit=1" admin
t 'relay: the audit record has it' GET "/v1/orgs/$ORG/audit-events/$(jq -r '.items[0].id' "$out")" admin '' 200 \
	'tostring | contains("api.example.com other.invalid:8443")'
t 'relay: another setting leaves it as it is' PATCH $RS create '{"visibility":"private"}' 200 '.relay.hosts | length == 2'
read_at "$at/~relay?space=$rl_in&spec=relayed"
same 'relay: the page learns its hosts' '200 {"hosts":["api.example.com","other.invalid:8443"]} no-store' "$code $(cat "$out") $(header cache-control)"
read_at "$at/~relay?space=$rl_in&spec=Pets-1"
same 'relay: a specification that the site does not show has none' '{"hosts":[]}' "$(cat "$out")"
for rl_url in http://127.0.0.1/ http://localhost/ http://10.0.0.1/ http://[::1]/ http://0x7f.1/ file:///etc/passwd gopher://api.example.com/ "$base/v1/user" \
	https://api.example.com:8443/ https://other.invalid/ https://api.example.com.evil.example/ https://api.example.com@evil.example/ \
	https://evil.example/#api.example.com 'https://evil.example/?https://api.example.com' 'https://api.example.com\\@evil.example/' \
	'https://api.example.com/a\nHost: evil' //api.example.com/; do
	rl_send "$rl_url"
	same "relay: an address is refused: $rl_url" 403 "$code"
done
rl_send https://api.example.com/ ',"method":"CONNECT"'
same 'relay: a member twice is refused' 400 "$code"
for rl_head in '["Bad name","x"]' '["X-A","x\r\nHost: evil"]' '["X-A"]' '["","x"]' '"X-A: x"'; do
	printf '{"space":"%s","spec":"relayed","url":"https://api.example.com/","method":"GET","headers":[%s]}\n' "$rl_in" "$rl_head" >"$tmp/relayed"
	read_at $at/~relay -X POST -H 'Content-Type: application/vnd.octavo.request' --data-binary @"$tmp/relayed"
	same "relay: a header is refused: $rl_head" 400 "$code"
done
for rl_method in CONNECT TRACE get ''; do
	printf '{"space":"%s","spec":"relayed","url":"https://api.example.com/","method":"%s","headers":[]}\n' "$rl_in" "$rl_method" >"$tmp/relayed"
	read_at $at/~relay -X POST -H 'Content-Type: application/vnd.octavo.request' --data-binary @"$tmp/relayed"
	same "relay: a method is refused: $rl_method" 400 "$code"
done
printf '{"space":"x","spec":"relayed","url":"https://api.example.com/","method":"GET","headers":[]}\n' >"$tmp/relayed"
read_at $at/~relay -X POST -H 'Content-Type: application/vnd.octavo.request' --data-binary @"$tmp/relayed"
same 'relay: an unknown site space answers 404' 404 "$code"
rl_send https://api.example.com/ '' -H 'Sec-Fetch-Site: cross-site'
same 'relay: a page of another site may not send' 403 "$code"
rl_send https://api.example.com/ '' -H 'Via: 1.1 octavo'
same 'relay: a request of a relay is refused' 403 "$code"
read_at $at/~relay -X POST -H 'Content-Type: text/plain' --data-binary @"$tmp/relayed"
same 'relay: a type that needs no question is refused' 403 "$code"
head -c 1200000 /dev/zero >"$tmp/relayed"
read_at $at/~relay -X POST -H 'Content-Type: application/vnd.octavo.request' --data-binary @"$tmp/relayed"
same 'relay: a large body is refused' 413 "$code"
# A name that does not exist: the request gets as far as octavo-fetch, so the limit counts it.
rl_slow=0
while [ $rl_slow -lt 40 ] && { rl_send https://other.invalid:8443/; [ "$code" = 502 ] || [ "$code" = 503 ]; }; do
	holds 'relay: why there is no answer' 'there is no host named other.invalid'
	rl_slow=$((rl_slow + 1))
done
same 'relay: one person may send thirty at once' 429 "$code"
yes 'relay: not fewer' [ $rl_slow -ge 30 ]
yes 'relay: the answer says when to go on' [ "$(header retry-after)" -ge 1 ]
t 'relay: it is turned off' PATCH $RS admin '{"relay":{"hosts":[]}}' 200 '.relay == {hosts: []}'
rl_send https://api.example.com/v1/pets
same 'relay: nothing is sent afterwards' 404 "$code"
t 'relay: the site goes' DELETE $rl_site admin '' 204 ''
t 'relay: the specification goes' DELETE $RS create '' 204 ''

fi
