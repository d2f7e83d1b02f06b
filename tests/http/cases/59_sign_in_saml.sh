# Signing in at SAML providers of organizations, whose responses xmlsec1 signs here. What makes a response invalid is in
# tests/unit/test_saml.c; here is who signs in, for what, and that each response counts once and in its own browser.
. tests/http/browse.sh
for who in smadm smben smeve; do user_new $who '' ''; done
t 'the organization of the provider is created' POST /v1/orgs smadm '{"title":"By SAML"}' 201 ''
SM=$(jq -r .id "$out")
t 'another organization is created' POST /v1/orgs smeve '{"title":"Another by SAML"}' 201 ''
SM2=$(jq -r .id "$out")
t 'a team for new people' PUT /v1/orgs/$SM/teams smadm '{"title":"Newcomers"}' 201 ''
sm_team=$(jq -r .id "$out")
sm_keys=tests/fixtures/saml
sm_pem() { for sm_name in "$@"; do cat $sm_keys/"$sm_name".pem; done | jq -Rs .; }

# ---- settings ----
t 'a provider is created with its label alone' POST /v1/orgs/$SM/saml smadm '{"label":"Acme login"}' 201 '.status == "pending"'
SP=$(jq -r .id "$out")
t 'it has the addresses that the provider asks for' GET /v1/orgs/$SM/saml/$SP smadm '' 200 \
	'.service == { acsURL: "'$base'/app/sso/'$SP'/acs", startURL: "'$base'/app/sso/'$SP'", entityID: "'$base'/app/sso/'$SP'/metadata" }'
t 'its metadata can be read before it is complete' GET /v1/sign-in/sso/$SP/metadata - '' 200 \
	'.metadata | contains("entityID=\"'$base'/app/sso/'$SP'/metadata\"") and contains("Location=\"'$base'/app/sso/'$SP'/acs\"")'
t 'a provider that is none has no metadata' GET /v1/sign-in/sso/nothing/metadata - '' 404 ''
pg GET /app/sso/$SP/metadata
pg_is 'the page of the metadata is XML' 200
same 'its type' application/samlmetadata+xml "$(header content-type)"
holds 'it is the metadata' '<SPSSODescriptor'
t 'no sign-in begins at a pending provider' POST /v1/sign-in/sso/$SP - '{}' 404 ''
sm_bad() {
	t "a certificate is refused: $1" PATCH /v1/orgs/$SM/saml/$SP smadm '{"certificate":'"$2"'}' 400 '.fields[0].message | contains("'"$3"'")'
}
sm_bad 'elliptic curve' "$(sm_pem ec)" 'no RSA key of 2048 bits'
sm_bad '1024 bits' "$(sm_pem short)" 'no RSA key of 2048 bits'
sm_bad 'three of them' "$(sm_pem idp next stranger)" 'more than two'
sm_bad 'the second is none' "$(sm_pem idp ec)" 'no RSA key'

sm_bad expired "$(sm_pem old)" 'has expired'
t 'an address that is no web address is refused' PATCH /v1/orgs/$SM/saml/$SP smadm '{"ssoURL":"javascript:alert(1)"}' 400 '.fields[0].path == "/ssoURL"'
t 'with the other three fields it is active' PATCH /v1/orgs/$SM/saml/$SP smadm '{"entityID":"https://idp.example.com",
	"ssoURL":"https://idp.example.com/sso?x=y","certificate":'"$(sm_pem idp)"',"defaultRole":"comment","defaultTeam":"'$sm_team'"}' 200 '.status == "active"'
t 'members find it' GET /v1/orgs/$SM/sso smadm '' 200 '.items == [{ id: "'$SP'", label: "Acme login", startURL: "'$base'/app/sso/'$SP'" }]'
t 'who signs in sees its label' GET /v1/sign-in/sso/$SP - '' 200 '.label == "Acme login" and .organization == "'$SM'"'
t 'another organization has the same provider' POST /v1/orgs/$SM2/saml smeve '{"label":"Other","entityID":"https://idp.example.com",
	"ssoURL":"https://idp.example.com/sso","certificate":'"$(sm_pem idp)"'}' 201 '.status == "active"'
SP2=$(jq -r .id "$out")

# ---- the provider ----
sm_ask() { t "a sign-in begins: $1" POST "/v1/sign-in/sso/$2" - '{}' 200 '.url | startswith("https://idp.example.com/sso?")'; sm_begun; }
sm_begun() {
	sm_flow=$(jq -r .flow "$out")
	jq -r .url "$out" | sed 's/.*SAMLRequest=\([^&]*\).*/\1/; s/%2B/+/g; s/%2F/\//g; s/%3D/=/g' | base64 -d >"$tmp/sm_raw"
	sm_relay=$(jq -r .url "$out" | sed 's/.*RelayState=\([^&]*\).*/\1/')
	sm_request=$({ printf '\037\213\010\0\0\0\0\0\0\0'; cat "$tmp/sm_raw"; } | gzip -dc 2>/dev/null | sed 's/.* ID="\([^"]*\)".*/\1/')
}
sm_at() { date -u -d "$1" +%Y-%m-%dT%H:%M:%SZ; }
# The response about a person to the last request, for the provider; sm_key, sm_email, sm_ends and sm_answers change it.
sm_count=0
sm_sign() {
	sm_count=$((sm_count + 1))
	[ "${sm_answers-}" = none ] && sm_in='' || sm_in=" InResponseTo=\"$sm_request\""
	sed "s|@COUNT@|$sm_count|g; s|@NOW@|$(sm_at now)|g; s|@ENDS@|$(sm_at "${sm_ends-5 minutes}")|; s|@TO@|$base/app/sso/$1|g; s|@IN@|$sm_in|g
		s|@EMAIL@|${sm_email-$2@elsewhere.example}|; s|@PERSON@|$2|g" $sm_keys/response.xml >"$tmp/sm.xml"
	xmlsec1 --sign --privkey-pem $sm_keys/${sm_key-idp}.key --id-attr:ID urn:oasis:names:tc:SAML:2.0:assertion:Assertion \
		--output "$tmp/sm_signed.xml" "$tmp/sm.xml" 2>"$tmp/sm_err" || fail 'the provider signs' "$(cat "$tmp/sm_err")"
	sm_response=$(base64 -w0 "$tmp/sm_signed.xml")
}
sm_give() { t "$1" POST "/v1/sign-in/sso/$2/response" - '{"response":"'"$sm_response"'"}' "$3" "$4"; [ "$3" != 200 ] || sm_code=$(jq -r .code "$out"); }
sm_back() { t "$1" POST "/v1/sign-in/sso/$2/return" - '{"flow":"'"$sm_flow"'","state":"'"$sm_relay"'","code":"'"$sm_code"'"}' "$3" "$4"; }
# sm_in WHAT PROVIDER PERSON STATUS JQ
sm_in() {
	sm_ask "$1" "$2"
	sm_sign "$2" "$3"
	sm_give "$1: the response is taken" "$2" 200 '.code | startswith("oca_")'
	sm_back "$1" "$2" "$4" "$5"
}
sm_keep() { jq -r '"\(.secret) \(.csrf)"' "$out" >"$tmp/tokens/$1"; }

# ---- in, out, again ----
sm_in 'a colleague who is new' $SP ida 201 '.way == "provider" and .organization == "'$SM'" and .proof == ""'
sm_user=$(jq -r .user "$out")
sm_keep smida_s
t 'the account has the name and address' GET /v1/user smida_s '' 200 \
	'.email == "ida@elsewhere.example" and .displayName == "Person ida" and .organization == "'$SM'"'
t 'a member with the role and team' GET /v1/orgs/$SM/members/$sm_user smadm '' 200 \
	'.role == "comment" and .teams == 1 and .sso == false and .disabled == false'
t 'and of nothing else' GET /v1/orgs smida_s '' 200 '[.items[].id] == ["'$SM'"]'
t 'the session makes no token' POST /v1/user/tokens smida_s '{"scope":"read"}' 403 ''
t 'the joining is recorded' GET "/v1/orgs/$SM/audit-events?action=member.joined" smadm '' 200 'any(.items[]; tojson | contains("'"$sm_user"'"))'
t 'out' DELETE /v1/user/sessions/current smida_s '' 204 ''
t 'out' GET /v1/user smida_s '' 401 ''
sm_in 'again' $SP ida 201 '.user == "'"$sm_user"'"'
sm_keep smida_s
sm_email=ida@new.example
sm_in 'with another address' $SP ida 201 '.user == "'"$sm_user"'"'
unset sm_email
t 'the account has no identity without its organization' GET /v1/user/identities smida_s '' 403 ''

# ---- once, and in its own browser ----
sm_give 'a response counts once' $SP 401 '.error.message | contains("was used before")'
sm_back 'a code counts once' $SP 400 '.error.message | contains("used before")'
sm_ask 'in the browser of the victim' $SP
sm_kept="$sm_flow $sm_relay"
sm_ask 'in the browser of the attacker' $SP
sm_sign $SP eve
sm_give 'the response of the attacker' $SP 200 ''
sm_flow=${sm_kept% *}
sm_back 'the RelayState of another sign-in is refused' $SP 400 '.error.message | contains("another sign-in")'
sm_relay=${sm_kept#* }
sm_back 'the response to another request is refused' $SP 401 '.error.message | contains("another sign-in")'
sm_code=made-up
sm_ask 'with a code that is made up' $SP
sm_back 'a code that is made up is refused' $SP 401 ''
sm_ask 'which nobody asked for' $SP
sm_answers=none
sm_sign $SP eve
unset sm_answers
sm_give 'a sign-in that the provider began is refused' $SP 401 '.error.message | contains("began at the provider, which is not accepted: begin it here")'
sm_ends='-10 minutes'
sm_sign $SP eve
unset sm_ends
sm_give 'an old response is refused' $SP 401 '.error.message | contains("has expired")'
sm_key=stranger
sm_sign $SP eve
unset sm_key
sm_give 'a response by another key is refused' $SP 401 '.error.message | contains("does not fit the certificate")'
sm_response=bm8=
sm_give 'what is no response is refused' $SP 401 '.error.message | contains("no XML")'
t 'nothing was kept of them' GET /v1/orgs/$SM/members smadm '' 200 '[.items[].user.displayName] | all(. != "Person eve")'
t 'a response at an OpenID provider is refused' POST /v1/sign-in/sso/none/response - '{"response":"bm8="}' 404 ''

# ---- other organizations ----
sm_ask 'at the provider of the other organization' $SP2
sm_sign $SP2 ida
sm_give 'a response for another organization is refused' $SP 401 '.error.message | contains("is for another address")'
sm_give 'at its own it counts' $SP2 200 ''
sm_back 'its code and flow do not count here' $SP 400 '.error.message | contains("another provider")'
sm_back 'the same person is somebody else there' $SP2 201 '.user != "'"$sm_user"'" and .organization == "'$SM2'"'
sm_email=smben@example.com
sm_in 'whose address has an account' $SP ben 201 '.user != "'$U_smben'"'
t 'a member with sso' POST /v1/orgs/$SM/invites smadm '{"emails":["smivo@example.com"],"role":"edit","sso":true}' 200 ''
t 'a member with sso is found' GET "/v1/orgs/$SM/members?search=smivo" smadm '' 200 ''
sm_ivo=$(jq -r '.items[0].id' "$out")
sm_email=smivo@example.com
sm_in 'a member with sso is known by the address' $SP ivo 201 '.user == "'"$sm_ivo"'"'
same 'whose address no provider of an organization verifies' 0 "$(sql "SELECT verified FROM account WHERE id = '$sm_ivo'")"
t 'and keeps the role' GET /v1/orgs/$SM/members/$sm_ivo smadm '' 200 '.role == "edit"'
unset sm_email
"$octavo" member disable --dir "$dir" --org $SM --user "$sm_user" >/dev/null
sm_in 'a member who is disabled is refused' $SP ida 403 '.error.message | contains("you are disabled in this organization")'
t 'and stays so' GET /v1/orgs/$SM/members/$sm_user smadm '' 200 .disabled
user_new smoff "$SM" edit
"$octavo" member disable --dir "$dir" --org $SM --user smoff@example.com >/dev/null
sm_email=smoff@example.com
sm_in 'who is disabled does not come in as somebody else' $SP off 403 '.error.message | contains("you are disabled in this organization")'
t 'nor is anybody added' GET "/v1/orgs/$SM/members?search=smoff" smadm '' 200 '[.items[].user.id] == ["'$U_smoff'"]'
"$octavo" member remove --dir "$dir" --org $SM --member smoff@example.com >/dev/null
sm_in 'somebody else with the address of one who was removed' $SP off 201 '.user != "'$U_smoff'"'
unset sm_email

# ---- rotation, changes ----
sm_key=next
sm_ask 'with the next key' $SP
sm_sign $SP ivo
sm_give 'the next key does not count yet' $SP 401 ''
t 'both certificates are set' PATCH /v1/orgs/$SM/saml/$SP smadm '{"certificate":'"$(sm_pem idp next)"'}' 200 '.status == "active"'
sm_in 'the next key counts' $SP ivo 201 ''
unset sm_key
sm_in 'the former key counts' $SP ivo 201 ''
sm_keep smivo_s
t 'the former certificate is removed' PATCH /v1/orgs/$SM/saml/$SP smadm '{"certificate":'"$(sm_pem next)"'}' 200 ''
t 'a session goes on' GET /v1/user smivo_s '' 200 ''
sm_ask 'with the former key' $SP
sm_sign $SP ivo
sm_give 'the former key counts no more' $SP 401 ''
t 'the first certificate is back' PATCH /v1/orgs/$SM/saml/$SP smadm '{"certificate":'"$(sm_pem idp)"'}' 200 ''

# ---- the pages ----
: >"$pg_jar"
pg GET "/app/sso/$SP?to=/app/account"
pg_is 'the page where it begins' 200
holds 'it names the provider' 'Continue with Acme login'
pg POST /app/sso/$SP 'to=%2Fapp%2Faccount&link='
pg_is 'the browser is sent to the provider' 200
sm_url=$(sed -n 's/.*href="\(https:\/\/idp.example.com[^"]*\)".*/\1/p' "$out" | head -n 1 | sed 's/&amp;/\&/g')
jq -n --arg url "$sm_url" '{ url: $url, flow: "" }' >"$out"
sm_begun
sm_sign $SP ivo
cp "$pg_jar" "$tmp/sm_jar"
: >"$pg_jar"
sm_form=$(jq -rn --arg r "$sm_response" --arg s "$sm_relay" '"SAMLResponse=\($r | @uri)&RelayState=\($s | @uri)"')
pg_raw POST /app/sso/$SP/acs "$sm_form" 'Origin: https://idp.example.com' 'Sec-Fetch-Site: cross-site'
pg_is 'the form of the provider is taken, without a cookie' 303
sm_where=$(header location)
case $sm_where in "$below/app/sso/$SP/return?code=oca_"*"&state=$sm_relay") pass ;; *) fail 'the browser goes on here' "$sm_where" ;; esac
pg_raw POST /app/sso/$SP/acs "$sm_form" 'Origin: https://idp.example.com'
pg_is 'the form sent again is refused' 401
holds 'why it is refused' 'was used before'
pg GET "${sm_where#"$below"}"
pg_is 'another browser does not go on with it' 400
cp "$tmp/sm_jar" "$pg_jar"
pg GET "${sm_where#"$below"}"
pg_to 'the browser in which it began is signed in' "$below/app/account"
pg GET /app/account
pg_is 'it is signed in' 200
holds 'for that organization alone' 'valid for that organization alone'
pg POST /app/sign-out ''
pg GET /app/sign-in
holds 'this browser knows the provider' 'Continue with Acme login'
: >"$pg_jar"
pg GET /app/sign-in
lacks 'others do not' 'Acme login'
sm_ask 'with a RelayState that leads away' $SP
sm_sign $SP ivo
sm_relay=https://evil.example/
sm_form=$(jq -rn --arg r "$sm_response" --arg s "$sm_relay" '"SAMLResponse=\($r | @uri)&RelayState=\($s | @uri)"')
pg_raw POST /app/sso/$SP/acs "$sm_form" 'Origin: https://idp.example.com'
sm_where=$(header location)
case $sm_where in "$below/app/sso/$SP/return?"*'&state=https%3A%2F%2Fevil.example%2F') pass ;; *) fail 'a RelayState leads nowhere' "$sm_where" ;; esac
pg_raw POST /app/sso/$SP/acs 'SAMLResponse=bm8%3D' 'Origin: https://idp.example.com'
pg_is 'what is no response is refused on a page' 401
pg_raw POST /app/sso/$SP 'to=x&link=' 'Origin: https://idp.example.com'
pg_is 'no other form of another site is taken' 403

# ---- ends ----
sm_in 'before the end' $SP ivo 201 ''
sm_keep smivo_s
t 'another provider takes its place' PATCH /v1/orgs/$SM/saml/$SP smadm '{"entityID":"https://other.example.com"}' 200 ''
t 'its sessions end' GET /v1/user smivo_s '' 401 ''
sm_sign $SP ivo
sm_give 'the former provider counts no more' $SP 401 '.error.message | contains("is of the provider \"https://idp.example.com\"")'
t 'the provider is deleted' DELETE /v1/orgs/$SM/saml/$SP smadm '' 204 ''
sm_give 'its responses lead nowhere' $SP 404 ''
for sm_table in identity saml_answer; do
	same "nothing is left of it: $sm_table" 0 "$(sql "SELECT count(*) FROM $sm_table WHERE provider = '$SP'")"
done
