# Sign-in: sessions, passwords, links that set one, and codes for programs. sivy is invited, and signs in; sadm
# is the admin of her organization; siot is somebody else.
for who in sadm sivy siot; do user_new $who '' ''; done
t 'the organization of sign-in is created' POST /v1/orgs sadm '{"title":"Signing"}' 201 ''
SORG=$(jq -r .id "$out")
SI_PASS='five tired horses'
# si_link KIND: the secret of a new link of sivy, into $si_link
si_link() { si_link=$(OCTAVO_URL=$base "$octavo" user "$1" --dir "$dir" $2 sivy@example.com --json | jq -r .link | sed 's/.*link=//'); }
# si_keep WHO: the session of the last answer is that of the caller WHO
si_keep() { jq -r '"\(.secret) \(.csrf)"' "$out" >"$tmp/tokens/$1"; }
si_password() { printf '{"email":"%s@example.com","password":"%s"}' "$1" "$2"; }
# si_cookie WHO: header with the cookie alone; si_csrf WHO: with the other part
si_cookie() { printf 'Cookie: octavo_session=%s' "$(sed 's/ .*//' "$tmp/tokens/$1")"; }
si_csrf() { printf 'X-CSRF-Token: %s' "$(sed 's/.* //' "$tmp/tokens/$1")"; }

t 'everybody may list the ways to sign in' GET /v1/sign-in - '' 200 '[.ways[].way] - ["passkey"] == ["password"] and .mail == false'

# Links.
si_link invite --email
t 'a link shows whom it is for' POST /v1/sign-in/link/show - '{"link":"'$si_link'"}' 200 '.email == "sivy@example.com" and .kind == "invite"'
t 'an unknown link is not found' POST /v1/sign-in/link/show - '{"link":"ocl_unknown"}' 404 ''
si_use() { printf '{"link":"%s","password":"%s"}' "$si_link" "$1"; }
t 'a short password is refused' POST /v1/sign-in/link - "$(si_use 'too short')" 400 '.fields[0].path == "/password"'
t 'a common password is refused' POST /v1/sign-in/link - "$(si_use 'Password123')" 400 '.fields[0].path == "/password"'
t 'a monotonous password is refused' POST /v1/sign-in/link - "$(si_use 'abcabcabcabc')" 400 '.fields[0].path == "/password"'
t 'the own address is refused as a password' POST /v1/sign-in/link - "$(si_use 'sivy@example.com1')" 400 '.fields[0].path == "/password"'
t 'a refused password leaves the link usable' POST /v1/sign-in/link - "$(si_use "$SI_PASS")" \
	201 '.way == "link" and .user == "'$U_sivy'" and .cookie == "octavo_session"'
si_keep sivy_s
t 'a link works once' POST /v1/sign-in/link - "$(si_use 'another long one')" 404 ''
si_link reset --user
si_old=$si_link
si_link reset --user
si_new=$si_link si_link=$si_old
t 'a newer link replaces an older one' POST /v1/sign-in/link - "$(si_use "$SI_PASS")" 404 ''
si_link=$si_new
sql "UPDATE sign_in_link SET ends_at = 1"
t 'a link that is too old is not valid' POST /v1/sign-in/link - "$(si_use "$SI_PASS")" 404 ''
t 'without sendmail nobody gets a link by mail' POST /v1/sign-in/reset - '{"email":"sivy@example.com"}' 409 ''

# With a sendmail, in a program of its own: the answer is the same for everybody, the mail is not.
cat >"$tmp/si_sendmail" <<END
#!/bin/sh
cat >>"$tmp/si_mails"
END
chmod 755 "$tmp/si_sendmail"
# si_ask ADDRESS [NETWORK-ADDRESS]: asks for a link by mail; the answer is in $out
si_ask() {
	printf '{"email":"%s"}' "$1" >"$tmp/si_asked"
	OCTAVO_DIR=$dir OCTAVO_URL=$base OCTAVO_SENDMAIL=$tmp/si_sendmail GATEWAY_INTERFACE=CGI/1.1 REQUEST_METHOD=POST \
		REMOTE_ADDR=${2-} REQUEST_URI=/v1/sign-in/reset CONTENT_TYPE=application/json CONTENT_LENGTH=$(wc -c <"$tmp/si_asked") \
		"$OCTAVO_BUILD/octavo-api" <"$tmp/si_asked" | sed '/^X-Request-Id/d' >"$out"
}
: >"$tmp/si_mails"
si_ask nobody@example.com
cp "$out" "$tmp/si_answer"
si_ask sivy@example.com
same 'the answer does not tell which addresses have accounts' "$(cat "$tmp/si_answer")" "$(cat "$out")"
same 'it is 204' 'Status: 204 No Content' "$(head -n 1 "$out" | tr -d '\r')"
# It is sent after the answer.
si_n=0
until [ -s "$tmp/si_mails" ] || [ $((si_n += 1)) -gt 100 ]; do sleep 0.1; done
same 'the mail goes to the address of the account' 'To: sivy@example.com' "$(sed -n 1p "$tmp/si_mails")"
si_link=$(sed '1,/^$/d' "$tmp/si_mails" | base64 -d | sed -n 's/.*link=//p')
same 'nobody gets a mail for an unknown address' 1 "$(grep -c '^To: ' "$tmp/si_mails")"
same 'the record has the link that was asked for' sign-in-link.mailed \
	"$(sql "SELECT action FROM audit_event WHERE target = '$U_sivy' AND action LIKE '%mailed'")"
t 'the mail has a link that works' POST /v1/sign-in/link/show - '{"link":"'$si_link'"}' 200 '.kind == "reset" and .email == "sivy@example.com"'

# The command mails as well.
: >"$tmp/si_mails"
si_sent=$(OCTAVO_URL=$base OCTAVO_SENDMAIL=$tmp/si_sendmail "$octavo" user invite --dir "$dir" --email sivy@example.com --json)
same 'the command tells whom it mailed' sivy@example.com "$(echo "$si_sent" | jq -r .mailed)"
same 'the mail of the command has its link' "$(echo "$si_sent" | jq -r .link)" "$(sed '1,/^$/d' "$tmp/si_mails" | base64 -d | grep link=)"
si_sent=$(OCTAVO_URL=$base OCTAVO_SENDMAIL=/bin/false "$octavo" user reset --dir "$dir" --user sivy@example.com --json 2>/dev/null)
same 'a mail that is not sent is told' 'failed, see above: pass the link on' "$(echo "$si_sent" | jq -r .mailed)"

# Passwords.
t 'a wrong password is refused' POST /v1/sign-in - "$(si_password sivy 'some other words')" 401 '.error.message == "the address or the password is wrong"'
t 'an unknown address gets the same answer' POST /v1/sign-in - "$(si_password nobody "$SI_PASS")" \
	401 '.error.message == "the address or the password is wrong"'
t 'a person without a password gets the same answer' POST /v1/sign-in - "$(si_password siot "$SI_PASS")" \
	401 '.error.message == "the address or the password is wrong"'
t 'a text that is no address is refused' POST /v1/sign-in - '{"email":"sivy","password":"x"}' 400 '.fields[0].path == "/email"'
t 'the right password signs in' POST /v1/sign-in - "$(si_password SIVY "$SI_PASS")" 201 '.way == "password" and (.secret | startswith("ocs_"))'
si_keep sivy_two
SI_PROOF=$(jq -r .proof "$out")

# Pages of other sites try no passwords.
si_evil='Origin: https://evil.example'
t 'another site signs nobody in' POST /v1/sign-in - "$(si_password sivy "$SI_PASS")" 403 '' "$si_evil"
t 'another site uses no link' POST /v1/sign-in/link - '{"link":"ocl_x","password":"five tired horses"}' 403 '' "$si_evil"
t 'another site asks for no mail' POST /v1/sign-in/reset - '{"email":"sivy@example.com"}' 403 '' "$si_evil"
t 'another site begins no sign-in at the provider' POST /v1/sign-in/provider - '' 403 '' "$si_evil"
t 'another site ends no sign-in at the provider' POST /v1/sign-in/provider/return - '{"flow":"x","state":"x"}' 403 '' "$si_evil"
t 'another site learns nothing of a link' POST /v1/sign-in/link/show - '{"link":"ocl_x"}' 403 '' "$si_evil"
t 'an opaque origin is another site' POST /v1/sign-in - "$(si_password sivy "$SI_PASS")" 403 '' 'Origin: null'
# Nor do they read an answer: not after a preflight, of a wrong method, of what is public, or without a session's cookie.
si_cors() {
	t "$1 is answered to another site" "$2" "$3" - "$4" "$5" '' "$si_evil"
	same "$1 has no CORS headers" '' "$(header access-control-allow-origin)$(header access-control-allow-methods)"
}
get /v1/openapi.json -
si_own='.paths | to_entries[] | select([.value[] | objects | .["x-octavo-access"]? == "OWN_PAGES"] | any) | .key'
for si_path in $(jq -r "$si_own" "$out"); do
	si_cors "a preflight of $si_path" OPTIONS "/v1$si_path" '' 204
	si_cors "a foreign POST of $si_path" POST "/v1$si_path" '{}' 403
	si_cors "a DELETE of $si_path" DELETE "/v1$si_path" '' 405
	si_paths="${si_paths:-}$si_path "
done
same 'these are the operations of signing in' \
	'/sign-in /link /link/show /passkey /passkey/return /provider /provider/return /reset '\
'/sso/{ssoProviderId} /sso/{ssoProviderId}/response /sso/{ssoProviderId}/return' \
	"$(echo $si_paths | sed 's| /sign-in/| /|g')"
si_cors 'the list of ways to sign in' GET /v1/sign-in '' 200

# A session is a caller like a token, and only together with what other sites cannot send.
t 'a session reads' GET /v1/user sivy_s '' 200 '.id == "'$U_sivy'"'
t 'a session writes' PATCH /v1/users/$U_sivy sivy_s '{"displayName":"Ivy"}' 200 '.displayName == "Ivy"'
t 'a cookie alone reads nothing' GET /v1/user - '' 403 '' "$(si_cookie sivy_s)"
t 'a cookie with another token reads nothing' GET /v1/user - '' 403 '' "$(si_cookie sivy_s)" "$(si_csrf sivy_two)"
t 'a read needs no origin' GET /v1/user - '' 200 '' "$(si_cookie sivy_s)" "$(si_csrf sivy_s)"
t 'a read from another origin is refused' GET /v1/user - '' 403 '' "$(si_cookie sivy_s)" "$(si_csrf sivy_s)" 'Origin: https://evil.example'
t 'a write needs an origin' PATCH /v1/users/$U_sivy - '{"displayName":"No"}' 403 '' "$(si_cookie sivy_s)" "$(si_csrf sivy_s)"
t 'a write from another origin is refused' PATCH /v1/users/$U_sivy - '{"displayName":"No"}' \
	403 '' "$(si_cookie sivy_s)" "$(si_csrf sivy_s)" 'Origin: https://evil.example'
t 'a write from an opaque origin is refused' PATCH /v1/users/$U_sivy - '{"displayName":"No"}' 403 '' "$(si_cookie sivy_s)" "$(si_csrf sivy_s)" 'Origin: null'
t 'a write from a longer host is refused' PATCH /v1/users/$U_sivy - '{"displayName":"No"}' \
	403 '' "$(si_cookie sivy_s)" "$(si_csrf sivy_s)" "Origin: $base.evil.example"
t 'an answer to a session has no CORS headers' GET /v1/user sivy_s '' 200 ''
same 'no page of another site reads the answer to a session' '' "$(header access-control-allow-origin)"
t 'an answer to a token has CORS headers' GET /v1/user sivy '' 200 ''
same 'pages of other sites use tokens' '*' "$(header access-control-allow-origin)"
t 'credentials are never allowed' OPTIONS /v1/user - '' 204 '' 'Origin: https://evil.example'
same 'no answer allows credentials' '' "$(header access-control-allow-credentials)"
t 'the secret of a session is no token' GET /v1/user - '' 401 '' "Authorization: Bearer $(sed 's/ .*//' "$tmp/tokens/sivy_s")"
t 'a token is no session' GET /v1/user - '' 403 '' "Cookie: octavo_session=$(token_of sivy)" "$(si_csrf sivy_s)"
t 'a token beside a cookie counts' GET /v1/user sivy '' 200 '' "$(si_cookie sivy_s)"
t 'a space is created by a token' POST /v1/orgs/$SORG/spaces sadm '{"title":"Kept"}' 201 ''
SI_SPACE=$(jq -r .id "$out")
"$octavo" member add --dir "$dir" --org "$SORG" --user sivy@example.com --role edit >/dev/null
for si_n in 1 2 3; do t "a kept answer is read again, $si_n" GET /v1/spaces/$SI_SPACE sivy_s '' 200 '.id == "'$SI_SPACE'"'; done
t 'a kept answer is not for a cookie alone' GET /v1/spaces/$SI_SPACE - '' 403 '' "$(si_cookie sivy_s)"
t 'a kept answer is not for another origin' GET /v1/spaces/$SI_SPACE - '' 403 '' "$(si_cookie sivy_s)" "$(si_csrf sivy_s)" 'Origin: https://evil.example'
t 'a request is repeated by its key' POST /v1/user/tokens sivy_s '{"label":"once"}' 201 '' 'Idempotency-Key: sign-in-1'
SI_ONCE=$(jq -r .id "$out")
t 'a repeated request of a session has the same answer' POST /v1/user/tokens sivy_s '{"label":"once"}' 201 '.id == "'$SI_ONCE'"' 'Idempotency-Key: sign-in-1'
t 'a token that a session made ends after a year, whatever the session does' GET /v1/user/tokens/$SI_ONCE sivy_s '' \
	200 '.madeBy == null and (.expiresAt | sub("\\.[0-9]*"; "") | fromdate) > now + 364 * 86400'

# Sessions are listed and ended.
t 'a person lists their sessions' GET /v1/user/sessions sivy_s '' 200 '.count == 2 and ([.items[] | select(.current)] | length == 1 and .[0].way == "link")'
t 'others have none of them' GET /v1/user/sessions siot '' 200 '.count == 0'
t 'nobody ends a session of others' DELETE /v1/user/sessions/$(jq -r '.items[0].id // "none"' "$out") siot '' 204 ''
t 'a token of the scope write ends no session' DELETE /v1/user/sessions writeonly '' 403 '.error.message | contains("admin")'
t 'nor one by its id' DELETE /v1/user/sessions/x writeonly '' 403 ''
t 'the sessions of others go on' GET /v1/user sivy_two '' 200 ''
t 'the other sessions are ended' DELETE '/v1/user/sessions?others=true' sivy_s '' 204 ''
t 'an ended session is refused at the next request' GET /v1/user sivy_two '' 401 '.error.message == "the session has ended: sign in again"'
t 'the session that ended the others goes on' GET /v1/user sivy_s '' 200 ''
t 'signing out ends the session' DELETE /v1/user/sessions/current sivy_s '' 204 ''
t 'a session that was signed out is refused' GET /v1/user sivy_s '' 401 ''
t 'signing in again takes the password' POST /v1/sign-in - "$(si_password sivy "$SI_PASS")" 201 ''
si_keep sivy_s
sql "UPDATE session SET used_at = used_at - 169 * 3600000, created_at = created_at - 169 * 3600000"
t 'a session that was not used for a week has ended' GET /v1/user sivy_s '' 401 ''
t 'another session is made' POST /v1/sign-in - "$(si_password sivy "$SI_PASS")" 201 ''
si_keep sivy_s
t 'a session that has ended for want of use is not listed' GET /v1/user/sessions sivy_s '' 200 '.count == 1 and (.items | length) == 1'
sql "UPDATE session SET ends_at = 1"
t 'a session ends in the end' GET /v1/user sivy_s '' 401 ''
t 'one more session is made' POST /v1/sign-in - "$(si_password sivy "$SI_PASS")" 201 ''
si_keep sivy_s
same 'sessions that have ended are deleted' 0 "$(sql "SELECT count(*) FROM session WHERE ends_at = 1")"
sql "UPDATE session SET used_at = used_at - 1900000"
t 'a session is used' GET /v1/user sivy_s '' 200 ''
same 'the last use is noted' 1 "$(sql "SELECT count(*) FROM session WHERE account = '$U_sivy' AND used_at > created_at - 1000")"
# Half an hour after the last use that was noted is in 0.3 seconds.
sql "UPDATE session SET used_at = $(date +%s%3N) - 1800000 + 300 WHERE account = '$U_sivy'"
t 'an answer is kept for a session' GET /v1/spaces/$SI_SPACE sivy_s '' 200 ''
si_used=$(sql "SELECT used_at FROM session WHERE account = '$U_sivy'")
sleep 0.4
t 'a kept answer is read after half an hour' GET /v1/spaces/$SI_SPACE sivy_s '' 200 ''
same 'a session that reads kept answers is in use' 1 "$(sql "SELECT count(*) FROM session WHERE account = '$U_sivy' AND used_at > $si_used")"

# What takes a sign-in within ten minutes.
sql "UPDATE session SET created_at = created_at - 601000"
t 'an old session makes no token' POST /v1/user/tokens sivy_s '{}' 403 '.error.message | contains("sign in again")'
t 'an old session changes no password' PUT /v1/user/password sivy_s '{"password":"other tired horses"}' 403 ''
t 'an old session confirms no program' POST /v1/user/codes sivy_s '{"client":"c","scope":"read","challenge":"E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"}' \
	403 ''
t 'an old session removes no account' DELETE /v1/user sivy_s '{"email":"sivy@example.com"}' 403 ''
t 'a token changes no password' PUT /v1/user/password sivy '{"password":"other tired horses"}' 403 ''
t 'a token confirms no program' POST /v1/user/codes sivy '{"client":"c","scope":"read","challenge":"E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"}' 403 ''
t 'a token removes no account' DELETE /v1/user sivy '{"email":"sivy@example.com"}' 403 ''
t 'the person signs in again' POST /v1/sign-in - "$(si_password sivy "$SI_PASS")" 201 ''
si_keep sivy_s

# Programs sign in through the browser. Challenge and verifier are those of RFC 7636, appendix B.
si_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM
si_confirm() {
	t "$1" POST /v1/user/codes sivy_s '{"client":"Editor","scope":"read","challenge":"'$si_challenge'"}' 200 '.object == "sign-in-code"'
	si_code=$(jq -r .code "$out")
}
si_change() { printf '{"code":"%s","verifier":"%s"}' "$si_code" "$1"; }
si_verifier=dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk
t 'a challenge must be the hash of something' POST /v1/user/codes sivy_s \
	'{"client":"Editor","scope":"read","challenge":"E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw+cM"}' \
	400 '.fields[0].path == "/challenge"'
si_confirm 'a person confirms a program'
t 'the program exchanges the code' POST /v1/sso/token - "$(si_change $si_verifier)" \
	201 '.label == "Editor" and .scope == "read" and (.token | startswith("oct_"))'
t 'a code works once' POST /v1/sso/token - "$(si_change $si_verifier)" 400 ''
si_confirm 'a person confirms a program again'
t 'another program cannot exchange the code' POST /v1/sso/token - "$(si_change aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa)" 400 ''
t 'a wrong verifier uses the code up' POST /v1/sso/token - "$(si_change $si_verifier)" 400 ''
si_confirm 'a person confirms a slow program'
sql "UPDATE sign_in_code SET ends_at = 1"
t 'a code ends after a minute' POST /v1/sso/token - "$(si_change $si_verifier)" 400 ''
si_confirm 'a person confirms a program and signs out'
t 'the person signs out' DELETE /v1/user/sessions sivy_s '' 204 ''
t 'a code ends with the session' POST /v1/sso/token - "$(si_change $si_verifier)" 400 ''

# A person of the provider is unlinked from an account (with a provider: tests/oidc). silo has no password.
user_new silo '' ''
si_person() { sql "INSERT INTO identity (issuer, subject, id, account, made_at) VALUES ('https://id.example.com', '$1', 'identity-$1', '$2', $3)"; }
si_person 7 "$U_sivy" 1000
si_person 8 "$U_sivy" 2000
si_person 9 "$U_silo" 3000
t 'a person who will unlink signs in' POST /v1/sign-in - "$(si_password sivy "$SI_PASS")" 201 ''
si_keep sivy_two
t 'and elsewhere' POST /v1/sign-in - "$(si_password sivy "$SI_PASS")" 201 ''
si_keep sivy_s
t 'people of the provider are listed, newest first' GET /v1/user/identities sivy_s '' 200 \
	'.count == 2 and [.items[].subject] == ["8", "7"] and .items[0].issuer == "https://id.example.com" and .items[0].linked'
t 'the list has pages' GET '/v1/user/identities?limit=1' sivy_s '' 200 '(.items | length) == 1 and (.next.page | length) > 0'
t 'the next page goes on' GET "/v1/user/identities?limit=1&page=$(jq -r .next.page "$out")" sivy_s '' 200 '.items[0].subject == "7"'
t 'others do not see them' GET /v1/user/identities siot '' 200 '.count == 0'
t 'others unlink none of them' PATCH /v1/user/identities/identity-9 sivy_s '{"linked":false}' 404 ''
t 'a token unlinks nobody' PATCH /v1/user/identities/identity-7 sivy '{"linked":false}' 403 '.error.message | contains("token")'
sql "UPDATE session SET created_at = created_at - 601000"
t 'an old session unlinks nobody' PATCH /v1/user/identities/identity-7 sivy_s '{"linked":false}' 403 '.error.message | contains("sign in again")'
sql "UPDATE session SET created_at = created_at + 601000"
t 'what is linked stays so' PATCH /v1/user/identities/identity-7 sivy_s '{"linked":true}' 200 '.linked'
t 'the other session goes on then' GET /v1/user sivy_two '' 200 ''
t 'a person of the provider is unlinked' PATCH /v1/user/identities/identity-7 sivy_s '{"linked":false}' 200 '.linked == false and .id == "identity-7"'
t 'unlinking ends the other sessions' GET /v1/user sivy_two '' 401 ''
t 'unlinking keeps this session' GET /v1/user/identities sivy_s '' 200 '[.items[].linked] == [true, false]'
t 'unlinked is unlinked' PATCH /v1/user/identities/identity-7 sivy_s '{"linked":false}' 200 '.linked == false'
t 'a body says what to do' PATCH /v1/user/identities/identity-7 sivy_s '{}' 400 '.fields[0].path == "/linked"'
t 'a person of the provider is linked again' PATCH /v1/user/identities/identity-7 sivy_s '{"linked":true}' 200 '.linked'
same 'the record has each change once' 'identity.unlinked identity.linked' \
	"$("$octavo" audit --dir "$dir" --user "$U_sivy" --json | jq -r '[.[].action | select(startswith("identity."))] | join(" ")')"
sql "DELETE FROM session WHERE account = '$U_sivy'"
# Nobody has verified the address of silo, until they use a link.
sql "UPDATE account SET verified = 0 WHERE id = '$U_silo'"
t 'the organization lets in a domain' PATCH /v1/orgs/$SORG sadm '{"emailDomains":["example.com"]}' 200 ''
t 'an address that nobody verified finds no organization' GET /v1/email-domains/example.com/orgs silo '' 200 '.organizations == []'
t 'an address that nobody verified joins by no domain' POST /v1/orgs/$SORG/join silo '' 404 ''
si_link=$(OCTAVO_URL=$base "$octavo" user reset --dir "$dir" --user silo@example.com --json | jq -r .link | sed 's/.*link=//')
t 'somebody signs in by a link' POST /v1/sign-in/link - "$(si_use "$SI_PASS")" 201 ''
si_keep silo_s
t 'an address that a link has verified joins by its domain' POST /v1/orgs/$SORG/join silo_s '' 204 ''
t 'the organization lets in no domain' PATCH /v1/orgs/$SORG sadm '{"emailDomains":[]}' 200 ''
sql "DELETE FROM password WHERE account = '$U_silo'"
t 'the only way in is not unlinked' PATCH /v1/user/identities/identity-9 silo_s '{"linked":false}' 409 '.error.message | contains("password")'
t 'a refusal unlinks nobody' GET /v1/user/identities silo_s '' 200 '.items[0].linked'

# Sessions end with the password, the membership and the account.
t 'the person is back' POST /v1/sign-in - "$(si_password sivy "$SI_PASS")" 201 ''
si_keep sivy_s
t 'a person signs in elsewhere' POST /v1/sign-in - "$(si_password sivy "$SI_PASS")" 201 ''
si_keep sivy_two
si_link reset --user
t 'the password is changed' PUT /v1/user/password sivy_s '{"password":"six tired horses"}' 200 '.way == "password"'
t 'a new password ends the session that set it' GET /v1/user sivy_s '' 401 ''
t 'a new password ends the other sessions' GET /v1/user sivy_two '' 401 ''
t 'a changed password ends the links that set one' POST /v1/sign-in/link/show - '{"link":"'$si_link'"}' 404 ''
t 'the old password signs nobody in' POST /v1/sign-in - "$(si_password sivy "$SI_PASS")" 401 ''
t 'the new password signs in' POST /v1/sign-in - "$(si_password sivy 'six tired horses')" 201 ''
si_keep sivy_s
"$octavo" member disable --dir "$dir" --org "$SORG" --user sivy@example.com >/dev/null
t 'a disabled member is signed out' GET /v1/user sivy_s '' 401 ''
"$octavo" member add --dir "$dir" --org "$SORG" --user sivy@example.com --role admin >/dev/null
t 'a member who is let in again signs in' POST /v1/sign-in - "$(si_password sivy 'six tired horses')" 201 ''
si_keep sivy_s
t 'the second admin leaves' DELETE /v1/orgs/$SORG/members/$U_sadm sivy_s '' 204 ''
t 'the last admin cannot remove their account' DELETE /v1/user sivy_s '{"email":"sivy@example.com"}' 409 ''
t 'a refused removal ends no session' GET /v1/user sivy_s '' 200 '.email == "sivy@example.com"'
t 'the address must be typed' DELETE /v1/user sivy_s '{"email":"siot@example.com"}' 400 '.fields[0].path == "/email"'
"$octavo" member add --dir "$dir" --org "$SORG" --user sadm@example.com --role admin >/dev/null
t 'an organization learns nothing of how an invited member signs in' GET "/v1/orgs/$SORG/audit-events?action=session.created" sadm '' 200 '.count == 0'
"$octavo" audit --dir "$dir" --user "$U_sivy" --json >"$tmp/cli"
si_record=$(jq -r '[.[].action] | map(select(test("session|password"))) | unique | join(" ")' "$tmp/cli")
same 'the record has sign-ins, ends and passwords' 'password.set session.created session.ended' "$si_record"
si_address=$(sql "SELECT DISTINCT address FROM audit_event WHERE action = 'session.created' AND actor = '$U_sivy'")
# Plain CGI is started here without the address of a client.
[ "$TRANSPORT" = cgi ] || same 'the record of a sign-in has the address' 127.0.0.1 "$(echo "$si_address" | sed 's/^::1$/127.0.0.1/')"
t 'a person removes their account' DELETE /v1/user sivy_s '{"email":"sivy@example.com"}' 204 ''
t 'a removed account has no session' GET /v1/user sivy_s '' 401 ''
t 'a removed account has no token' GET /v1/user sivy '' 401 ''
t 'a removed account signs in no more' POST /v1/sign-in - "$(si_password sivy 'six tired horses')" 401 ''
for si_table in session password sign_in_link identity; do
	same "nothing of a removed account stays in $si_table" 0 "$(sql "SELECT count(*) FROM $si_table WHERE account = '$U_sivy'")"
done

# Tries are counted by account and network: strangers slow each other down, and lock nobody out.
si_link() { si_link=$(OCTAVO_URL=$base "$octavo" user reset --dir "$dir" --user siot@example.com --json | jq -r .link | sed 's/.*link=//'); }
si_link
t 'another person sets a password' POST /v1/sign-in/link - "$(si_use "$SI_PASS")" 201 ''
SI_PROOF=$(jq -r .proof "$out")
si_n=0
while send POST /v1/sign-in - "$(si_password siot 'guess after guess')" && [ "$code" = 401 ] && [ $si_n -lt 30 ]; do si_n=$((si_n + 1)); done
# One was made above.
same 'a stranger is stopped after ten tries' '429 9' "$code $si_n"
t 'even the right password is not tried then' POST /v1/sign-in - "$(si_password siot "$SI_PASS")" 429 ''
t 'a browser that signed in before is not stopped by strangers' POST /v1/sign-in - \
	'{"email":"siot@example.com","password":"'"$SI_PASS"'","device":"'$SI_PROOF'"}' 201 ''
si_keep siot_s
t 'a person who was stopped sets a new password' PUT /v1/user/password siot_s '{"password":"'"$SI_PASS"' two"}' 200 ''
si_keep siot_s
SI_PROOF2=$(jq -r .proof "$out")
t 'a proof from before the new password does not help' POST /v1/sign-in - \
	'{"email":"siot@example.com","password":"'"$SI_PASS"' two","device":"'$SI_PROOF'"}' 429 ''
t 'a person without an organization has a session' GET /v1/user siot_s '' 200 ''
si_link
"$octavo" user disable --dir "$dir" --user siot@example.com >/dev/null
t 'whoever is disabled everywhere has no session' GET /v1/user siot_s '' 401 ''
si_known='{"email":"siot@example.com","password":"'"$SI_PASS"' two","device":"'$SI_PROOF2'"}'
t 'the password of a disabled account signs nobody in' POST /v1/sign-in - "$si_known" \
	403 '.error.message | contains("disabled")'
OCTAVO_URL=$base "$octavo" user reset --dir "$dir" --user siot@example.com >"$tmp/si_reset" 2>&1
same 'a disabled account gets no link' 1 "$(grep -c 'is disabled' "$tmp/si_reset")"
t 'a link of a disabled account signs nobody in' POST /v1/sign-in/link - "$(si_use "$SI_PASS")" 403 ''
# From elsewhere: what was tried above counts for the address of this machine.
si_ask siot@example.com 192.0.2.77
same 'a disabled account gets the answer of all' 'Status: 204 No Content' "$(head -n 1 "$out" | tr -d '\r')"
same 'and no link by mail' 1 "$(sql "SELECT count(*) FROM sign_in_link WHERE account = '$U_siot'")"
"$octavo" member add --dir "$dir" --org "$SORG" --user siot@example.com --role read >/dev/null
t 'whoever is let in again signs in' POST /v1/sign-in - "$si_known" 201 ''
t 'the proof of another account does not help' POST /v1/sign-in - '{"email":"sadm@example.com","password":"x","device":"'$SI_PROOF'"}' 401 ''
