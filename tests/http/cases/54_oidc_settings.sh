# OpenID providers of organizations: their settings. Signing in at them: tests/oidc.
user_new oiad '' ''
t 'an organization for OpenID is created' POST /v1/orgs oiad '{"title":"Identified"}' 201 ''
OO=/v1/orgs/$(jq -r .id "$out")
user_new oire "${OO#/v1/orgs/}" read
t 'a team for new people' PUT $OO/teams oiad '{"title":"New people"}' 201 ''
OI_TEAM=$(jq -r .id "$out")
t 'an OpenID provider is created as pending' POST $OO/oidc oiad '{"label":"Login","defaultTeam":"'$OI_TEAM'","defaultRole":"read"}' 201 \
	'.status == "pending" and .issuer == "" and .clientID == "" and .secretSetAt == null and .defaultTeam.id == "'$OI_TEAM'" and .defaultRole == "read"'
OI=$(jq -r .id "$out")
same 'it is named in Location' "$base$OO/oidc/$OI" "$(header location)"
t 'it has the addresses that the provider asks for' GET $OO/oidc/$OI oiad '' 200 \
	'.service == { redirectURI: "'$base'/app/sso/'$OI'/return", startURL: "'$base'/app/sso/'$OI'" }'
t 'a pending one is not offered' GET $OO/sso oire '' 200 '.items == []'
t 'nor shown to those who would sign in' GET /v1/sign-in/sso/$OI - '' 404 ''
t 'no sign-in begins at it' POST /v1/sign-in/sso/$OI - '{}' 404 ''
t 'no sign-in ends at it' POST /v1/sign-in/sso/$OI/return - '{"flow":"x","state":"x"}' 404 ''
for oi_bad in http://id.example.com https://127.0.0.1 https://10.1.2.3/x https://[::1]/ 'https://id.example.com?x' https://id.example.com/#x \
	https://ada:word@id.example.com ftp://id.example.com id.example.com; do
	t "an issuer is refused: $oi_bad" PATCH $OO/oidc/$OI oiad '{"issuer":"'"$oi_bad"'"}' 400 '.fields[0].path == "/issuer"'
	t "a new provider with it is refused: $oi_bad" POST $OO/oidc oiad '{"label":"X","issuer":"'"$oi_bad"'"}' 400 '.fields[0].path == "/issuer"'
done
t 'refused providers are not kept' GET $OO/oidc oiad '' 200 '.count == 1 and .items[0].issuer == ""'
t 'with issuer and client it is active' PATCH $OO/oidc/$OI oiad '{"issuer":"https://id.example.com","clientID":"octavo","clientSecret":"Quillwraith"}' 200 \
	'.status == "active" and .secretSetAt != null and (tojson | contains("Quillwraith") | not)'
t 'the secret is not in the record' GET "$OO/audit-events?target=$OI" oiad '' 200 '.count == 2 and (tojson | contains("Quillwraith") | not)'
same 'nor in the database' 0 "$(sql "SELECT count(*) FROM oidc_provider WHERE id = '$OI' AND instr(secret, CAST('Quillwraith' AS BLOB)) > 0")"
t 'an active one is offered' GET $OO/sso oire '' 200 '.items == [{ id: "'$OI'", label: "Login", startURL: "'$base'/app/sso/'$OI'" }]'
t 'and shown to those who sign in' GET /v1/sign-in/sso/$OI - '' 200 '.label == "Login" and .organization == "'${OO#/v1/orgs/}'"'
t 'a label changes nothing else' PATCH $OO/oidc/$OI oiad '{"label":"Entry"}' 200 '.secretSetAt != null and .issuer == "https://id.example.com"'
t 'another issuer does not get the secret' PATCH $OO/oidc/$OI oiad '{"issuer":"https://other.example.com"}' 200 '.secretSetAt == null'
t 'a token links no account' POST $OO/sso/$OI/link oire '' 403 '.error.message | contains("token")'
t 'a stranger links none' POST $OO/sso/$OI/link stranger '' 404 ''
t 'a provider answers 404 below another organization' GET /v1/orgs/$ORG/oidc/$OI admin '' 404 ''
t 'and is not changed there' PATCH /v1/orgs/$ORG/oidc/$OI admin '{"label":"Mine"}' 404 ''
t 'and not deleted there' DELETE /v1/orgs/$ORG/oidc/$OI admin '' 204 ''
t 'a team of another organization is refused as default' PATCH $OO/oidc/$OI oiad '{"defaultTeam":"'$TEAM_B'"}' 404 ''
t 'a reader may not list providers' GET $OO/oidc oire '' 403 ''
t 'a reader may not read one' GET $OO/oidc/$OI oire '' 403 ''
t 'a reader may not create one' POST $OO/oidc oire '{"label":"Mine"}' 403 ''
t 'the default team is deleted' DELETE $OO/teams/$OI_TEAM oiad '' 204 ''
t 'the provider is without it' GET $OO/oidc/$OI oiad '' 200 'has("defaultTeam") | not'
t 'the provider is deleted' DELETE $OO/oidc/$OI oiad '' 204 ''
t 'deleting it again changes nothing' DELETE $OO/oidc/$OI oiad '' 204 ''
t 'it is gone' GET $OO/oidc/$OI oiad '' 404 ''
