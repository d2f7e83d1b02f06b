# A session that an organization's provider made is valid for that organization alone. oadm is the admin of two
# organizations, and obob of the first; the session of oadm is marked here as the provider's does it.
for who in oadm obob osid; do user_new $who '' ''; done
t 'the organization of the provider is created' POST /v1/orgs oadm '{"title":"Provided"}' 201 ''
OA=$(jq -r .id "$out")
t 'another organization of the same admin is created' POST /v1/orgs oadm '{"title":"Kept apart"}' 201 ''
OB=$(jq -r .id "$out")
t 'the first has a second admin' POST /v1/orgs/$OA/invites oadm '{"emails":["obob@example.com"],"role":"admin"}' 200 ''
t 'the other has a guest' POST /v1/orgs/$OB/invites oadm '{"emails":["osid@example.com"],"role":"read"}' 200 ''
for oo_org in $OA $OB; do
	t 'a space is made' POST /v1/orgs/$oo_org/spaces oadm '{"title":"Of '$oo_org'"}' 201 ''
	[ $oo_org = $OA ] && OSA=$(jq -r .id "$out") || OSB=$(jq -r .id "$out")
done
oo_session() {
	oo_link=$(OCTAVO_URL=$base "$octavo" user reset --dir "$dir" --user $1@example.com --json | jq -r .link | sed 's/.*link=//')
	t "$1 signs in" POST /v1/sign-in/link - '{"link":"'$oo_link'","password":"five tired horses"}' 201 '.proof != "" and (has("organization") | not)'
	jq -r '"\(.secret) \(.csrf)"' "$out" >"$tmp/tokens/$1_s"
	OO_ID=$(jq -r .id "$out")
}
oo_session oadm
OO_WHOLE=$OO_ID
cp "$tmp/tokens/oadm_s" "$tmp/tokens/oadm_whole"
t 'a second sign-in of oadm' POST /v1/sign-in - '{"email":"oadm@example.com","password":"five tired horses"}' 201 ''
jq -r '"\(.secret) \(.csrf)"' "$out" >"$tmp/tokens/oadm_s"
OO_BOUND=$(jq -r .id "$out")
t 'a session of the account reads both' GET /v1/orgs oadm_s '' 200 '[.items[].id] | sort == (["'$OA'","'$OB'"] | sort)'
oo_tag=$(header etag)
# A worker that knows the roles of the account from its other callers must not use them for the session.
t 'a worker knows the role in the other space' GET /v1/spaces/$OSB oadm '' 200 ''
sql "UPDATE session SET org = '$OA' WHERE id = '$OO_BOUND'"

# What it reads and writes.
t 'the session says for which organization it is valid' GET /v1/user oadm_s '' 200 '.id == "'$U_oadm'" and .organization == "'$OA'"'
t 'a token says nothing like that' GET /v1/user oadm '' 200 'has("organization") | not'
t 'it lists that organization alone' GET /v1/orgs oadm_s '' 200 '[.items[].id] == ["'$OA'"] and .count == 1' "If-None-Match: $oo_tag"
t 'it reads it' GET /v1/orgs/$OA oadm_s '' 200 '.permissions.admin'
t 'it changes it' PATCH /v1/orgs/$OA oadm_s '{"title":"Provided too"}' 200 '.title == "Provided too"'
t 'it reads a space there' GET /v1/spaces/$OSA oadm_s '' 200 '.permissions.admin'
t 'the other organization is unknown' GET /v1/orgs/$OB oadm_s '' 404 ''
t 'it is not changed' PATCH /v1/orgs/$OB oadm_s '{"title":"Mine"}' 404 ''
t 'its space is unknown' GET /v1/spaces/$OSB oadm_s '' 404 ''
t 'its space is not changed' PATCH /v1/spaces/$OSB oadm_s '{"title":"Mine"}' 404 ''
t 'its spaces are not listed' GET /v1/orgs/$OB/spaces oadm_s '' 404 ''
t 'its members are not listed' GET /v1/orgs/$OB/members oadm_s '' 404 ''
t 'nothing is transferred to it' POST /v1/spaces/$OSA/transfer oadm_s '{"organization":"'$OB'"}' 404 ''
t 'nothing is transferred from it' POST /v1/spaces/$OSB/transfer oadm_s '{"organization":"'$OA'"}' 404 ''
t 'somebody of the other organization alone is unknown' GET /v1/users/$U_osid oadm_s '' 404 ''
t 'a session of the account knows them' GET /v1/users/$U_osid oadm_whole '' 200 ''
t 'a colleague is known' GET /v1/users/$U_obob oadm_s '' 200 ''
t 'an address of the other organization leads nowhere' GET "/v1/urls/content?url=$base/v1/spaces/$OSB" oadm_s '' 404 ''
t 'an address of its own leads there' GET "/v1/urls/content?url=$base/v1/spaces/$OSA" oadm_s '' 200 '.space.id == "'$OSA'"'

# Ways out of the organization.
oo_denied() { t "a session for one organization $1" "$2" "$3" oadm_s "$4" 403 '.error.message | contains("that organization alone")'; }
oo_denied 'makes no token' POST /v1/user/tokens '{"scope":"read"}'
oo_denied 'lists no tokens' GET /v1/user/tokens ''
oo_denied 'sets no password' PUT /v1/user/password '{"password":"six tired horses"}'
oo_denied 'confirms no program' POST /v1/user/codes '{"client":"x","scope":"read","challenge":"E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"}'
oo_denied 'removes no account' DELETE /v1/user '{"email":"oadm@example.com"}'
oo_denied 'changes no account' PATCH /v1/users/$U_oadm '{"displayName":"Other"}'
oo_denied 'lists no identities' GET /v1/user/identities ''
oo_denied 'links no identity' PATCH /v1/user/identities/x '{"linked":true}'
oo_denied 'founds no organization' POST /v1/orgs '{"title":"Third"}'
oo_denied 'finds no organization by domain' GET /v1/email-domains/example.com/orgs ''
t 'the other organization makes an invite link' POST /v1/orgs/$OB/link-invites oadm '{"role":"admin"}' 201 ''
oo_invite=$(jq -r .id "$out")
t 'the session does not see an invite link elsewhere' GET /v1/orgs/$OB/link-invites/$oo_invite oadm_s '' 404 ''
t 'the session joins nothing by an invite link' POST /v1/orgs/$OB/invites/$oo_invite oadm_s '' 404 ''
t 'the session joins nothing by its domain' POST /v1/orgs/$OB/join oadm_s '' 404 ''

# Signed addresses name the session, whose rights are checked again when the file is fetched.
if [ $TRANSPORT = http ]; then
t 'a PDF is asked for' GET /v1/spaces/$OSB/pdf oadm_whole '' 200 ''
oo_pdf=$(jq -r .url "$out")
oo_fetch() { curl -sg -o "$tmp/oo_pdf" -w '%{http_code}' "$oo_pdf"; }
oo_code=$(oo_fetch)
yes 'the session fetches its PDF' test "$oo_code" != 404
sql "UPDATE session SET org = '$OA' WHERE id = '$OO_WHOLE'"
same 'it fetches none of another organization' 404 "$(oo_fetch)"
sql "UPDATE session SET org = NULL WHERE id = '$OO_WHOLE'"
fi

# Its own sessions.
t 'it lists the sessions for its organization' GET /v1/user/sessions oadm_s '' 200 \
	'[.items[] | [.id, .organization]] == [["'$OO_BOUND'", "'$OA'"]] and .count == 1'
t 'a session of the account lists all' GET /v1/user/sessions oadm_whole '' 200 '.count == 2'
t 'it does not end another session' DELETE /v1/user/sessions/$OO_WHOLE oadm_s '' 204 ''
t 'it does not end the others' DELETE '/v1/user/sessions?others=true' oadm_s '' 204 ''
t 'the session of the account goes on' GET /v1/user oadm_whole '' 200 ''

# The page Account shows what such a session may do.
if [ $TRANSPORT = http ]; then
oo_page() { curl -sg -H "Cookie: octavo_session=$(sed 's/ .*//' "$tmp/tokens/$1")" "$base/app/account"; }
same 'the page Account says what the session is valid for' 1 "$(oo_page oadm_s | grep -c 'valid for that organization alone')"
same 'and has no form for a token' 0 "$(oo_page oadm_s | grep -c 'account/tokens')"
same 'that of a session of the account has one' 1 "$(oo_page oadm_whole | grep -c 'account/tokens')"
fi

# It ends with the membership, and with the sign-out.
t 'the member is removed' DELETE /v1/orgs/$OA/members/$U_oadm obob '' 204 ''
t 'the session ends with the membership' GET /v1/user oadm_s '' 401 ''
t 'the other session goes on' GET /v1/orgs/$OB oadm_whole '' 200 ''

# `sso` of a member is no way in to an account that another organization knows, too.
t 'a user of one organization is set to SSO' POST /v1/orgs/$OA/members/$U_obob/sso obob '' 200 '.sso'
t 'obob joins the other organization' POST /v1/orgs/$OB/invites oadm '{"emails":["obob@example.com"],"role":"read"}' 200 ''
t 'a user of two organizations cannot be set to SSO' POST /v1/orgs/$OB/members/$U_obob/sso oadm '' 409 ''
t 'nothing was changed' GET /v1/orgs/$OB/members/$U_obob oadm '' 200 '.sso == false'
