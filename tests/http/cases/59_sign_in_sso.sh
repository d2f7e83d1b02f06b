# `sso` of an organization: its members come in by its providers alone, its admins by any sign-in. soadm is the admin,
# somem a member there and admin of another organization, soadd was added and has never been here.
for who in soadm somem soadd soout; do user_new $who '' ''; done
t 'sso: an organization is created' POST /v1/orgs soadm '{"title":"Closed house"}' 201 '.sso == false and .tokens == "keep"'
SO=$(jq -r .id "$out")
t 'sso: a link is made' POST /v1/orgs/$SO/link-invites soadm '{"role":"edit"}' 201 ''
t 'sso: a member joins' POST /v1/orgs/$SO/invites/$(jq -r .id "$out") somem '' 200 ''
t 'sso: another one is added' POST /v1/orgs/$SO/invites soadm '{"emails":["soadd@example.com"],"role":"read"}' 200 ''
t 'sso: the member has an organization of their own' POST /v1/orgs somem '{"title":"Open house"}' 201 ''
SOX=$(jq -r .id "$out")
t 'sso: a collection' POST /v1/orgs/$SO/collections soadm '{"title":"Shelf"}' 201 ''
so_collection=$(jq -r .id "$out")
so_space=$(octavo_json .result.space import --org "$SO" --title Closed --url "$tmp/repo")
t 'sso: a space of admins alone' POST /v1/orgs/$SO/spaces soadm '{"title":"Secret"}' 201 ''
so_secret=$(jq -r .id "$out")
t 'sso: nobody else reads it' PATCH /v1/spaces/$so_secret soadm '{"defaultLevel":null}' 200 ''
t 'sso: a site for signed visitors' POST /v1/orgs/$SO/sites soadm '{"title":"Halls","spaces":["'$so_space'"]}' 201 ''
so_site=$(jq -r .id "$out")
send PATCH /v1/orgs/$SO/sites/$so_site soadm '{"visibility":"visitor-auth"}'
t 'sso: the site is published' POST /v1/orgs/$SO/sites/$so_site/publish soadm '' 200 ''
so_path=/sites/$(sql "SELECT hostname FROM org WHERE id = '$SO'")/halls/guide

# so_session WHO NAME: a session of the person in $tmp/tokens/NAME, and its id in so_id
so_session() {
	so_link=$(OCTAVO_URL=$base "$octavo" user reset --dir "$dir" --user $1@example.com --json | jq -r .link | sed 's/.*link=//')
	t "sso: $1 signs in" POST /v1/sign-in/link - '{"link":"'$so_link'","password":"five tired horses"}' 201 ''
	jq -r '"\(.secret) \(.csrf)"' "$out" >"$tmp/tokens/$2"
	so_id=$(jq -r .id "$out")
}
so_again() {
	t "sso: $1 signs in again" POST /v1/sign-in - '{"email":"'$1'@example.com","password":"five tired horses"}' 201 ''
	jq -r '"\(.secret) \(.csrf)"' "$out" >"$tmp/tokens/$2"
	so_id=$(jq -r .id "$out")
}
so_session soadm soadm_s
so_admin_id=$so_id
so_session somem somem_s
so_member_id=$so_id
t 'sso: a link to the space' POST /v1/orgs/$SO/link-invites soadm '{"space":"'$so_space'","level":"read"}' 201 ''
so_link_read=$(jq -r .id "$out")
so_again somem somem_p

# Turning it on.
t 'sso: there must be a provider' PATCH /v1/orgs/$SO soadm '{"sso":true}' 403 '.error.message | contains("add one first")'
t 'sso: a provider' POST /v1/orgs/$SO/oidc soadm '{"label":"House login","issuer":"https://id.invalid","clientID":"octavo"}' 201 ''
so_provider=$(jq -r .id "$out")
so_start=$base/app/sso/$so_provider
t 'sso: a token does not turn it on' PATCH /v1/orgs/$SO soadm '{"sso":true}' 403 '.error.message | endswith("sign in at '$so_start'")'
t 'sso: another sign-in does not turn it on' PATCH /v1/orgs/$SO soadm_s '{"sso":true}' 403 ''
t 'sso: a member does not turn it on' PATCH /v1/orgs/$SO somem '{"sso":true}' 403 ''
t 'sso: what else was in that body is not changed' PATCH /v1/orgs/$SO soadm '{"sso":true,"title":"Other"}' 403 ''
t 'sso: nothing has changed' GET /v1/orgs/$SO soadm '' 200 '.sso == false and .title == "Closed house"'
t 'sso: an unknown fate of tokens is refused' PATCH /v1/orgs/$SO soadm '{"tokens":"burn"}' 400 '.fields[0].path == "/tokens"'
t 'sso: the tokens of members are listed' GET /v1/orgs/$SO/tokens soadm '' 200 \
	'([.items[] | [.user.id, .admin]] | sort) == ([["'$U_soadm'", true], ["'$U_somem'", false]] | sort)
	and .count == 2 and (.items | all(has("label") and has("scope") and (has("token") | not)))'
t 'sso: by pages' GET "/v1/orgs/$SO/tokens?limit=1" soadm '' 200 '(.items | length) == 1 and .count == 2 and .next.page'
t 'sso: to admins alone' GET /v1/orgs/$SO/tokens somem '' 403 ''
t 'sso: and not to strangers' GET /v1/orgs/$SO/tokens soout '' 404 ''
sql "UPDATE member SET seen_at = 1 WHERE org = '$SO' AND account = '$U_soadd'"
t 'sso: of those who were added and have been here, without labels' GET /v1/orgs/$SO/tokens soadm '' 200 \
	'[.items[] | select(.user.id == "'$U_soadd'")] | length == 1 and (.[0] | has("label") | not)'
sql "UPDATE session SET org = '$SO', provider = '$so_provider' WHERE id = '$so_admin_id'"
if [ $TRANSPORT = http ]; then
	t 'sso: a visit before' GET "/v1/urls/visit?url=$base$so_path" somem_s '' 200 ''
	so_visit=$(jq -r .location "$out")
	read_at "${so_visit#"$base"}"
	so_cookie=$(header set-cookie | sed 's/;.*//')
	read_at $so_path -H "Cookie: $so_cookie"
	same 'sso: the visit opens the page before' 200 "$code"
	t 'sso: a PDF before' GET /v1/spaces/$so_space/pdf somem_s '' 200 ''
	so_pdf=$(jq -r .url "$out")
	yes 'sso: it can be fetched before' test "$(curl -sg -o "$tmp/so_pdf" -w '%{http_code}' "$so_pdf")" != 404
fi
t 'sso: the session reads before' GET /v1/orgs/$SO somem_s '' 200 ''
so_tag=$(header etag)
t 'sso: an admin who came by the provider turns it on' PATCH /v1/orgs/$SO soadm_s '{"sso":true}' 200 '.sso and .tokens == "keep"'
get "/v1/orgs/$SO/audit-events?action=organization.updated&limit=1" soadm
t 'sso: it is recorded' GET /v1/orgs/$SO/audit-events/$(jq -r '.items[0].id' "$out") soadm '' 200 \
	'.payload.before == {sso: false} and .payload.after == {sso: true}'
t 'sso: once on, it can be sent along' PATCH /v1/orgs/$SO soadm '{"sso":true,"title":"Closed house"}' 200 '.sso'

# Sessions by another sign-in.
so_shut() { t "sso: $1" "$2" "$3" "${5-somem_s}" "$4" 403 '.error.message | contains("Closed house") and contains("'$so_start'")'; }
so_shut 'the organization says where to sign in' GET /v1/orgs/$SO ''
t 'sso: an answer of before is not taken for unchanged' GET /v1/orgs/$SO somem_s '' 403 '' "If-None-Match: $so_tag"
so_shut 'a space says so' GET /v1/spaces/$so_space ''
so_shut 'its content says so' GET /v1/spaces/$so_space/content ''
so_shut 'a collection says so' GET /v1/collections/$so_collection ''
so_shut 'nothing is changed there' PATCH /v1/spaces/$so_space '{"title":"Mine"}'
so_shut 'nothing is deleted there' DELETE /v1/spaces/$so_space ''
so_shut 'members are not listed' GET /v1/orgs/$SO/members ''
so_shut 'a site is not read' GET /v1/orgs/$SO/sites/$so_site ''
so_shut 'nothing is moved in' POST /v1/orgs/$SOX/spaces '{"title":"x","parent":"'$so_collection'"}'
so_shut 'nobody follows a link to content' POST /v1/orgs/$SO/invites/$so_link_read ''
t 'sso: nor loses a role by it' GET /v1/spaces/$so_space somem '' 200 '.permissions.edit'
t 'sso: what the member could not read stays unknown' GET /v1/spaces/$so_secret somem_s '' 404 ''
t 'sso: the organization is not listed' GET /v1/orgs somem_s '' 200 '[.items[].id] == ["'$SOX'"] and .count == 1'
t 'sso: it is listed among those that take another sign-in' GET /v1/user/sso somem_s '' 200 \
	'.items == [{organization: "'$SO'", title: "Closed house", login: {id: "'$so_provider'", label: "House login", startURL: "'$so_start'"}}]'
t 'sso: its people are unknown' GET /v1/users/$U_soadm somem_s '' 404 ''
t 'sso: the other organization stays open' GET /v1/orgs/$SOX somem_s '' 200 '.permissions.admin'
t 'sso: the account stays open' GET /v1/user/tokens somem_s '' 200 ''
t 'sso: addresses lead nowhere' GET "/v1/urls/content?url=$base/v1/spaces/$so_space" somem_s '' 404 ''
t 'sso: strangers learn nothing' GET /v1/orgs/$SO soout '' 404 ''
t 'sso: the hostname is no one else s business' GET /v1/subdomains/$(sql "SELECT hostname FROM org WHERE id = '$SO'") somem_s '' 404 ''
t 'sso: a member of it joins no second time by domain' GET /v1/email-domains/example.com/orgs somem_s '' 200 ''
t 'sso: an account is linked to the provider, which then opens it' POST /v1/orgs/$SO/sso/$so_provider/link somem_s '{}' \
	503 '.error.message | contains("provider")'
t 'sso: strangers link none' POST /v1/orgs/$SO/sso/$so_provider/link soout '{}' 404 ''
if [ $TRANSPORT = http ]; then
	t 'sso: no visit of its sites begins' GET "/v1/urls/visit?url=$base$so_path" somem_s '' 403 '.error.message | contains("'$so_start'")'
	read_at $so_path -H "Cookie: $so_cookie"
	same 'sso: the visit of before has ended' 302 "$code"
	same 'sso: its PDF is not fetched' 404 "$(curl -sg -o "$tmp/so_pdf" -w '%{http_code}' "$so_pdf")"
fi
for so_way in password link provider passkey; do
	sql "UPDATE session SET way = '$so_way' WHERE id = '$so_member_id'"
	so_shut "a sign-in by $so_way does not open it" GET /v1/orgs/$SO ''
done

# Sign-ins that open it.
sql "UPDATE session SET org = '$SO', provider = '$so_provider' WHERE id = '$so_id'"
t 'sso: a session of the provider opens it' GET /v1/spaces/$so_space somem_p '' 200 ''
t 'sso: and lists it' GET /v1/orgs somem_p '' 200 '[.items[].id] == ["'$SO'"]'
t 'sso: nothing is closed to it' GET /v1/user/sso somem_p '' 200 '.items == []'
sql "UPDATE session SET org = '$SOX' WHERE id = '$so_id'"
t 'sso: a session of the provider of another organization does not' GET /v1/orgs/$SO somem_p '' 404 ''
sql "UPDATE session SET org = '$SO' WHERE id = '$so_id'"
so_again soadm soadm_p
t 'sso: an admin comes in by any sign-in' GET /v1/orgs/$SO soadm_p '' 200 '.permissions.admin'
t 'sso: an admin has nothing closed' GET /v1/user/sso soadm_p '' 200 '.items == []'
t 'sso: a token is no sign-in' GET /v1/spaces/$so_space somem '' 200 ''
same 'sso: the command keeps its way in' "$so_site" "$(octavo_json '[.. | .id? // empty] | map(select(. == "'$so_site'"))[0]' site list --org "$SO")"
yes 'sso: and makes another admin' "$octavo" member add --dir "$dir" --org "$SO" --user soadd@example.com --role admin
so_session soadd soadd_s
t 'sso: who comes in' GET /v1/orgs/$SO soadd_s '' 200 '.permissions.admin'

# Tokens stop.
t 'sso: tokens stop' PATCH /v1/orgs/$SO soadm '{"tokens":"stop"}' 200 '.tokens == "stop"'
t 'sso: a token of a member does not open it' GET /v1/spaces/$so_space somem '' 403 '.error.message | contains("not to tokens") and contains("'$so_start'")'
t 'sso: it is closed to the token' GET /v1/user/sso somem '' 200 '.items[0].organization == "'$SO'"'
t 'sso: the token opens others' GET /v1/orgs/$SOX somem '' 200 ''
t 'sso: that of an admin opens it' GET /v1/orgs/$SO soadm '' 200 ''
t 'sso: a session of the provider still opens it' GET /v1/orgs/$SO somem_p '' 200 ''
t 'sso: the member becomes an admin' PATCH /v1/orgs/$SO/members/$U_somem soadm '{"role":"admin"}' 200 ''
t 'sso: whose session opens it' GET /v1/orgs/$SO somem_s '' 200 ''
t 'sso: the admin becomes a guest' PATCH /v1/orgs/$SO/members/$U_somem soadm '{"role":null}' 200 ''
so_shut 'guests are members, too' GET /v1/orgs/$SO ''

# Two providers, none, and off again.
t 'sso: a second provider' POST /v1/orgs/$SO/oidc soadm '{"label":"Other login","issuer":"https://id2.invalid","clientID":"octavo"}' 201 ''
so_second=$(jq -r .id "$out")
t 'sso: both are named' GET /v1/orgs/$SO somem_s '' 403 '.error.message | contains("'$so_start' or '$base'/app/sso/'$so_second'")'
t 'sso: both are listed' GET /v1/user/sso somem_s '' 200 '[.items[].login.id] == ["'$so_provider'", "'$so_second'"]'
for so_one in $so_provider $so_second; do t 'sso: a provider goes' DELETE /v1/orgs/$SO/oidc/$so_one soadm '' 204 ''; done
t 'sso: without one it says whom to ask' GET /v1/orgs/$SO somem_s '' 403 '.error.message | contains("ask an admin")'
t 'sso: and lists no provider' GET /v1/user/sso somem_s '' 200 '.items == [{organization: "'$SO'", title: "Closed house"}]'
t 'sso: an admin turns it off by any sign-in' PATCH /v1/orgs/$SO soadm_p '{"sso":false}' 200 '.sso == false and .tokens == "stop"'
t 'sso: sessions open it again' GET /v1/orgs/$SO somem_s '' 200 ''
t 'sso: tokens do, too' GET /v1/orgs/$SO somem '' 200 ''
