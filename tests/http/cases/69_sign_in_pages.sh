# The pages below /app: the account, ends of sessions, programs, joining and leaving.
. tests/http/browse.sh
user_new pgada "$ORG" read
pg_secret=$(pg_link invite --email pgada@example.com)
pg GET "/app/welcome?link=$pg_secret"
pg POST /app/welcome "link=$pg_secret&password=$pg_password"
pg_to 'the person of these cases is signed in' "$below/app?done=password"
cp "$pg_jar" "$tmp/pg_one"

# ---- the account ----
pg GET /app/account
pg_is 'the account is shown' 200
holds 'the account lists this session' 'This browser'
for pg_list in sessions tokens; do
	pg GET "/app/account?$pg_list=made-up"
	pg_is "a page of a list that there is not is refused: $pg_list" 400
	holds "what is wrong with a page of a list is told: $pg_list" 'class="notice bad" role="alert"'
done
pg POST /app/account 'name=%3Cb%3EAda%22%27%26&picture='
pg_to 'a name is changed' "$below/app/account?done=saved#profile"
pg GET /app/account?done=saved
holds 'a name is shown as text' '&lt;b&gt;Ada&quot;&#39;&amp;'
lacks 'a name is no markup' '<b>Ada'
holds 'what was done is told' 'Saved.'
pg POST /app/account "name=Ada&picture=javascript:alert(1)"
pg_is 'a picture is an address or refused' 400
holds 'what is wrong with a picture stands at its field' 'id="picture-about" class="fault"'
holds 'what was typed stays' 'value="javascript:alert(1)"'
pg POST /app/account/tokens 'label=%3Ci%3Escript&scope=read&days=30'
pg_is 'a token is made' 200
pg_token=$(sed -n 's/.*\(oct_[A-Za-z0-9_-]*\).*/\1/p' "$out" | head -n 1)
printf '%s' "$pg_token" >"$tmp/tokens/pgtoken"
echo >>"$tmp/tokens/pgtoken"
t 'a token of the page works' GET /v1/user pgtoken '' 200 '.email == "pgada@example.com"'
t 'a token of the page has its scope and end' GET /v1/user/tokens pgtoken '' 200 \
	'.items[0].label == "<i>script" and .items[0].scope == "read" and (.items[0].expiresAt | length) > 0'
pg GET /app/account
lacks 'a token is shown once' "$pg_token"
holds 'the label of a token is text' '&lt;i&gt;script'
pg POST /app/account/tokens 'label=x&scope=read&days=never'
pg_is 'a token with no end that can be read is refused' 400
pg POST /app/account/tokens 'label=x&scope=read&days=99999999999999'
pg_is 'a token that would outlast all dates is refused' 400
holds 'what is wrong with no field of the page is told above it' 'class="notice bad" role="alert"'
pg POST /app/account/tokens 'label=x&scope=root&days=30'
pg_is 'a token of a scope that there is not is refused' 400
pg_id=$(sql "SELECT id FROM token WHERE label = '<i>script'")
pg POST /app/account/revoke "token=$pg_id"
pg_to 'a token is revoked' "$below/app/account?done=revoked#tokens"
t 'a revoked token does not work' GET /v1/user pgtoken '' 401 ''

# ---- people of the provider ----
pg GET /app/account
lacks 'nothing is said of a provider to those who never signed in there' 'id="identities"'
sql "INSERT INTO identity (issuer, subject, id, account, made_at) VALUES ('https://id.example.com', '<i>7', 'pg-identity', '$U_pgada', 1000)"
pg GET /app/account
holds 'a person of the provider is shown as text' '&lt;i&gt;7 ·'
pg POST /app/account/identities 'identity=pg-identity&linked=false'
pg_to 'a person of the provider is unlinked' "$below/app/account?done=unlinked#identities"
pg GET '/app/account?done=unlinked'
holds 'it is told that the other sessions have ended' 'Unlinked. All other sessions have ended.'
holds 'whoever is unlinked can be linked again' 'name="linked" value="true"'
pg POST /app/account/identities 'identity=pg-identity&linked=true'
pg_to 'a person of the provider is linked again' "$below/app/account?done=linked#identities"
pg_hash=$(sql "SELECT hash FROM password WHERE account = '$U_pgada'")
sql "DELETE FROM password WHERE account = '$U_pgada'"
pg POST /app/account/identities 'identity=pg-identity&linked=false'
pg_is 'the only way in is not unlinked by the page' 409
holds 'the page says what to do first' 'set a password first'
sql "INSERT INTO password (account, hash, set_at) VALUES ('$U_pgada', '$pg_hash', 1)"
: >"$pg_jar"
pg_enter pgada
cp "$pg_jar" "$tmp/pg_one"
pg GET /app/account
pg POST /app/account/identities 'identity=no-such&linked=false'
pg_is 'a person of the provider who is not there is refused' 404

# ---- signing in, and the ends of sessions ----
: >"$pg_jar"
pg GET /app/sign-in?to=/app/account
pg POST /app/sign-in "to=/app/account&email=%22%3E%3Cscript%3Ealert(1)%3C/script%3E"
pg_is 'the second step asks for the password' 200
lacks 'an address is no markup' '<script'
pg POST /app/sign-in "to=/app/account&email=pgada@example.com"
holds 'the second step keeps the address' 'value="pgada@example.com"'
pg POST /app/sign-in "to=/app/account&email=pgada@example.com&password=wrong+password"
pg_is 'a wrong password answers 401' 401
holds 'a wrong password is told at its field' 'The address or the password is wrong.'
cp "$out" "$tmp/pg_wrong"
pg POST /app/sign-in "to=/app/account&email=pgada@example.net&password=wrong+password"
same 'an unknown address is answered as a wrong password is' "$(sed 's/csrf" value="[^"]*"//; s/example\.com/example.net/g' "$tmp/pg_wrong")" \
	"$(sed 's/csrf" value="[^"]*"//' "$out")"
pg POST /app/sign-in "email=nobody&password=wrong+password"
pg_is 'what is no address answers 400' 400
pg POST /app/sign-in "to=/app/visit%3Fto%3Dx&email=pgada@example.com&password=$pg_password"
pg_is 'a sign-in leads on to a site by a page, since redirects of a form are held to form-action' 200
holds 'the page leads on at once' "http-equiv=\"refresh\" content=\"0;url=$below/app/visit?to=x\""
: >"$pg_jar"
pg GET /app/sign-in
sql "DELETE FROM session WHERE id = (SELECT id FROM session WHERE account = '$U_pgada' ORDER BY created_at DESC LIMIT 1)"
pg POST /app/sign-in "to=//evil.example&email=pgada@example.com&password=$pg_password"
pg_to 'a sign-in does not lead away' "$below/app"
pg GET /app/account
pg_two=$(pg_session)
cp "$pg_jar" "$tmp/pg_two"
same 'a person has a session for each browser' 2 "$(sql "SELECT count(*) FROM session WHERE account = '$U_pgada'")"
pg_other=$(grep -o 'name="session" value="[A-Za-z0-9_-]*"' "$out" | sed 's/.*value="//; s/"//' | grep -v -e current -e others -e all)
pg POST /app/account/sessions "session=$pg_other"
pg_to 'a session is ended' "$below/app/account?done=ended#sessions"
cp "$tmp/pg_one" "$pg_jar"
pg GET /app
pg_to 'an ended session leads to sign-in' "$below/app/sign-in?to=%2Fapp"
cp "$tmp/pg_two" "$pg_jar"
pg GET /app
pg_is 'the other session goes on' 200
sql "UPDATE session SET created_at = created_at - 700000 WHERE account = '$U_pgada'"
for pg_act in 'identities identity=pg-identity&linked=false' 'tokens label=x&scope=read&days=30' "password new-password=$pg_password" \
	'remove confirm=pgada@example.com'; do
	pg POST "/app/account/${pg_act%% *}" "${pg_act#* }"
	pg_to "an old sign-in is not enough: ${pg_act%% *}" "$below/app/sign-in?again=1&to=%2Fapp%2Faccount%23${pg_act%% *}"
done
pg GET '/app/sign-in?again=1&to=%2Fapp%2Faccount%23tokens'
pg_is 'signing in again is possible while one is signed in' 200
holds 'signing in again says why' 'This takes a recent sign-in'
pg POST /app/sign-in "to=/app/account%23tokens&email=pgada@example.com&password=$pg_password"
pg_to 'signing in again comes back to the form' "$below/app/account#tokens"
same 'the older session of the browser ends' 1 "$(sql "SELECT count(*) FROM session WHERE account = '$U_pgada'")"
[ "$(pg_session)" != "$pg_two" ] && pass || fail 'a new sign-in has a new secret' same
cp "$pg_jar" "$tmp/pg_two"
: >"$pg_jar"
pg_enter pgada
cp "$pg_jar" "$tmp/pg_one"
pg GET /app/account
pg POST /app/account/sessions session=others
pg_to 'all other sessions are ended' "$below/app/account?done=others#sessions"
cp "$tmp/pg_two" "$pg_jar"
pg GET /app
pg_is 'the other sessions have ended' 303
pg_enter pgada
cp "$pg_jar" "$tmp/pg_two"
cp "$tmp/pg_one" "$pg_jar"
pg GET /app/account
pg POST /app/account/password new-password=short
pg_is 'a short new password answers 400' 400
holds 'what is wrong with a new password stands at its field' 'id="new-password-about" class="fault"'
pg POST /app/account/password "new-password=other+horse+battery"
pg_to 'a password is changed' "$below/app/account?done=password#password"
pg GET /app/account
pg_is 'the browser that changed the password is signed in' 200
cp "$pg_jar" "$tmp/pg_one"
cp "$tmp/pg_two" "$pg_jar"
pg GET /app
pg_is 'a new password ends the other sessions' 303
cp "$tmp/pg_one" "$pg_jar"
pg GET /app
pg POST /app/sign-out
pg_to 'signing out leads to sign-in' "$below/app/sign-in?done=out"
same 'signing out takes the cookie away' '' "$(pg_session)"
pg GET '/app/sign-in?done=out'
holds 'after signing out, a script deletes texts that were kept' '/app/edit.'
pg GET '/app/sign-in?done=out'
lacks 'an address alone deletes no texts' '/app/edit.'
cp "$tmp/pg_one" "$pg_jar"
pg GET /app
pg_is 'after signing out the cookie is of no use' 303
pg_password=other+horse+battery
: >"$pg_jar"
pg_enter pgada
pg GET /app/account
pg POST /app/account/sessions session=all
pg_to 'ending all sessions signs out' "$below/app/sign-in?done=out"
same 'no session is left' 0 "$(sql "SELECT count(*) FROM session WHERE account = '$U_pgada'")"

# ---- programs ----
pg_verifier=dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk pg_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM
pg_ask="client=Night%3Ci%3Ely&scope=read&challenge=$pg_challenge&state=a%26b&days=30"
pg_local=http%3A%2F%2F127.0.0.1%3A9%2Fback
pg GET "/app/authorize?$pg_ask&redirect=$pg_local"
pg_back=$(printf %s "$pg_ask&redirect=$pg_local" | sed 's/%/%25/g; s/=/%3D/g; s/&/%26/g')
pg_to 'a program waits until its user is signed in' "$below/app/sign-in?to=%2Fapp%2Fauthorize%3F$pg_back"
pg_enter pgada
pg GET "/app/authorize?$pg_ask&redirect=$pg_local"
pg_is 'a program is shown' 200
holds 'a program is named, as text' 'Night&lt;i&gt;ly'
holds 'the scope of a program is named' '<dd>Read</dd>'
holds 'the end of its token is named' "<dd>$(date -u -d '+30 days' +%Y-%m-)"
case $(header content-security-policy) in
*"form-action 'self' http://127.0.0.1:9;"*) pass ;;
*) fail 'the form may lead to the program' "$(header content-security-policy)" ;;
esac
pg POST /app/authorize "$pg_ask&redirect=$pg_local&answer=allow"
pg_is 'a confirmed program gets an answer' 303
pg_code=$(header location | sed -n 's|^http://127\.0\.0\.1:9/back?code=\(occ_[A-Za-z0-9_-]*\)&state=a%26b$|\1|p')
[ -n "$pg_code" ] && pass || fail 'a program gets the code and its state' "$(header location)"
t 'the code is exchanged for a token' POST /v1/sso/token - "{\"code\":\"$pg_code\",\"verifier\":\"$pg_verifier\"}" 201 \
	'.scope == "read" and .label == "Night<i>ly"'
for pg_away in https%3A%2F%2Fevil.example%2F http%3A%2F%2F127.0.0.1%3A9%40evil.example%2F \
	http%3A%2F%2F127.0.0.1.evil.example%3A9%2F http%3A%2F%2Flocalhost%2F javascript%3A1; do
	pg POST /app/authorize "$pg_ask&redirect=$pg_away&answer=allow"
	pg_is "a code is shown and not sent away: $pg_away" 200
	holds "the code is there to be copied: $pg_away" '>occ_'
done
pg POST /app/authorize "$pg_ask&redirect=$pg_local&answer=deny"
pg_to 'a program is told that it may not' 'http://127.0.0.1:9/back?error=access_denied&state=a%26b'
pg POST /app/authorize "$pg_ask&answer=deny"
pg_to 'a program that waits nowhere is not told' "$below/app?done=denied"
for pg_odd in "client=x&scope=root&challenge=$pg_challenge" "client=x&scope=read" "scope=read&challenge=$pg_challenge" \
	"client=x&scope=read&challenge=$pg_challenge&days=0" "client=x&scope=read&challenge=$pg_challenge&days=soon"; do
	pg GET "/app/authorize?$pg_odd"
	pg_is "what a program left out or made up is refused: $pg_odd" 400
done
pg GET "/app/authorize?$pg_ask"
pg POST /app/authorize "client=x&scope=read&challenge=tooShort&answer=allow"
pg_is 'what the API refuses is shown' 400
holds 'what the API refuses is told in its words' 'class="notice bad" role="alert"'
sql "UPDATE session SET created_at = created_at - 700000 WHERE account = '$U_pgada'"
pg POST /app/authorize "client=x&scope=read&challenge=$pg_challenge&answer=allow"
pg_to 'an old sign-in confirms no program' "$below/app/sign-in?again=1&to=%2Fapp%2Fauthorize%3Fclient%3Dx%26scope%3Dread%26challenge%3D$pg_challenge"

# ---- joining, leaving ----
: >"$pg_jar"
t 'an organization of a domain is made' POST /v1/orgs admin '{"title":"Open <i>house","emailDomains":["pages.example"]}' 201 ''
PG_ORG=$(jq -r .id "$out")
pg_secret=$(pg_link invite --email pgcy@pages.example)
pg GET "/app/welcome?link=$pg_secret"
pg POST /app/welcome "link=$pg_secret&password=$pg_password"
pg GET /app
holds 'an organization that one can join is listed' '<strong>Open &lt;i&gt;house</strong>'
pg POST /app/join "org=$PG_ORG"
pg_to 'an organization is joined' "$below/app?done=joined"
pg GET /app
holds 'an organization that one has joined is listed' 'Open &lt;i&gt;house'
lacks 'an organization that one has joined is not to be joined again' "value=\"$PG_ORG\""
pg POST /app/join "org=$ORG"
pg_is 'an organization of another domain is not joined' 404
pg GET /app/account
pg POST /app/account/remove 'confirm=someone@pages.example'
pg_is 'an account is removed by its address alone' 400
holds 'what is wrong with the address stands at its field' 'id="confirm-about" class="fault"'
cp "$pg_jar" "$tmp/pg_one"
pg POST /app/account/remove 'confirm=pgcy@pages.example'
pg_to 'an account is removed' "$below/app/sign-in?done=removed"
cp "$tmp/pg_one" "$pg_jar"
pg GET /app
pg_is 'the sessions of a removed account have ended' 303
: >"$pg_jar"
pg_secret=$(pg_link invite --email pgdot@example.com)
pg GET "/app/welcome?link=$pg_secret"
pg POST /app/welcome "link=$pg_secret&password=$pg_password"
bearer_dot=$("$octavo" token create --dir "$dir" --user pgdot@example.com --json | jq -r .token)
echo "$bearer_dot" >"$tmp/tokens/pgdot"
t 'an organization of one admin is made' POST /v1/orgs pgdot '{"title":"Alone"}' 201 ''
pg GET /app/account
pg POST /app/account/remove 'confirm=pgdot@example.com'
pg_is 'the last admin of an organization stays' 409
holds 'the last admin is told what to do' 'make another one first'

# ---- a forgotten password ----
: >"$pg_jar"
pg GET /app/reset
holds 'without mail, an admin is asked for a link' 'This installation sends no mail.'
pg GET /app/sign-in
pg POST /app/reset email=pgada@example.com
pg_is 'without mail no link is sent' 409
pg_secret=$(pg_link reset --user pgada@example.com)
pg GET "/app/welcome?link=$pg_secret"
holds 'a link to reset asks for a new password' 'Choose a new password'
# With mail: the setting is that of the process, so as plain CGI alone.
if [ $TRANSPORT = cgi ] && [ -z "${th_pools-}" ]; then
	# As slow as some are.
	printf '#!/bin/sh\nsleep 2\ncat >"%s/pg_mail.new" && mv "%s/pg_mail.new" "%s/pg_mail"\n' "$tmp" "$tmp" "$tmp" >"$tmp/pg_sendmail"
	chmod +x "$tmp/pg_sendmail"
	export OCTAVO_SENDMAIL="$tmp/pg_sendmail"
	pg GET /app/reset
	holds 'with mail, one asks for a link' 'You get a mail with a link'
	pg_start=$(date +%s%N)
	pg POST /app/reset email=pgada@example.com
	pg_took=$((($(date +%s%N) - pg_start) / 1000000))
	pg_to 'a link is asked for' "$below/app/reset?sent=1"
	[ $pg_took -lt 1500 ] && pass || fail 'the answer does not wait for the mail, which would tell that there is one' "$pg_took ms"
	pg GET '/app/reset?sent=1'
	holds 'the page does not tell whether there is such an account' 'If there is an account with this address'
	pg_left=100
	until [ -s "$tmp/pg_mail" ] || [ $pg_left = 0 ]; do sleep 0.1; pg_left=$((pg_left - 1)); done
	pg_secret=$(sed '1,/^$/d' "$tmp/pg_mail" | base64 -d | sed -n 's/.*link=//p')
	pg GET "/app/welcome?link=$pg_secret"
	holds 'the link of the mail asks for a new password' 'Choose a new password'
	rm -f "$tmp/pg_mail"
	pg GET /app/reset
	pg POST /app/reset email=pgnobody@example.com
	pg_to 'a link for an unknown address is asked for likewise' "$below/app/reset?sent=1"
	unset OCTAVO_SENDMAIL
fi
