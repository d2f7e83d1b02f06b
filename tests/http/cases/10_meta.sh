# The description of the API, users, and operations without a token.
t 'the root describes version and build' GET /v1/ - '' 200 '.version == "1" and (.build | type == "string")'
t 'the root answers without the slash' GET /v1 - '' 200 '.version == "1"'
t 'the root ignores a bad token' GET /v1/ unknown '' 200 ''
t 'the health check answers ok' GET /v1/healthz - '' 200 '.status == "ok"'
same 'the health check is never cached' no-store "$(header cache-control)"
t 'the description is OpenAPI 3.1.0' GET /v1/openapi.json - '' 200 '.openapi == "3.1.0" and (.paths | length > 20)'
t 'the description names each operation once' GET /v1/openapi.json - '' 200 \
	'[.paths[][].operationId] | length == (unique | length)'
t 'the description has every part that it refers to' GET /v1/openapi.json - '' 200 \
	'. as $d | [.. | objects | .["$ref"]? // empty | ltrimstr("#/") | split("/")] | unique
	| length > 200 and all(. as $p | $d | getpath($p) != null)'
t 'the description says what needs no token' GET /v1/openapi.json - '' 200 \
	'[.paths | to_entries[] | select(.value.get.security == []) | .key] == ["/", "/healthz", "/openapi.json", "/published/openapi/{openAPISpecId}", "/sign-in",
		"/sign-in/sso/{ssoProviderId}", "/sign-in/sso/{ssoProviderId}/metadata", "/storage/{storageKey}"]'

t 'the caller reads who they are' GET /v1/user admin '' 200 '.object == "user" and .id == "'$U_admin'" and .email == "admin@example.com"'
t 'a guest reads who they are' GET /v1/user guest '' 200 '.id == "'$U_guest'"'
t 'a disabled member reads who they are' GET /v1/user disabled '' 200 '.id == "'$U_disabled'"'
t 'a read token reads who its owner is' GET /v1/user readonly '' 200 '.id == "'$U_admin'"'
t 'a member reads another member' GET /v1/users/$U_read admin '' 200 '.id == "'$U_read'" and .displayName == "read"
	and .urls.location == "'$base'/v1/users/'$U_read'"'
t 'guests know each other' GET /v1/users/$U_read guest '' 200 ''
t 'a user without an organization reads themselves' GET /v1/users/$U_stranger stranger '' 200 '.id == "'$U_stranger'"'
t 'a user of another organization is hidden' GET /v1/users/$U_other admin '' 404 ''
hidden=$(jq -r .error.message "$out" | sed "s/$U_other/ID/")
t 'an unknown user answers 404' GET /v1/users/nobodyAtAll admin '' 404 ''
same 'unknown and hidden users look alike' "$hidden" "$(jq -r .error.message "$out" | sed s/nobodyAtAll/ID/)"
t 'a disabled member knows nobody' GET /v1/users/$U_admin disabled '' 404 ''
t 'a user id of strange characters answers 404' GET /v1/users/%20%22x%22%2F.. admin '' 404 ''

# Tokens.
t 'a list without a token answers 401' GET /v1/orgs - '' 401 ''
t 'an unknown token answers 401' GET /v1/orgs unknown '' 401 ''
t 'a revoked token answers 401' GET /v1/orgs revoked '' 401 ''
t 'an expired token answers 401' GET /v1/orgs expired '' 401 ''
t 'basic authentication answers 401' GET /v1/orgs - '' 401 '' 'Authorization: Basic YWRtaW46eA=='
t 'a token without the word Bearer answers 401' GET /v1/orgs - '' 401 '' "Authorization: $(token_of admin)"
t 'an empty token answers 401' GET /v1/orgs - '' 401 '' 'Authorization: Bearer '
t 'the word Bearer is read in any case' GET /v1/user - '' 200 '' "Authorization: bEARER $(token_of admin)"
t 'a token followed by another word answers 401' GET /v1/orgs - '' 401 '' "Authorization: Bearer $(token_of admin) x"
t 'a token as a query parameter answers 401' GET "/v1/user?access_token=$(token_of admin)" - '' 401 ''
t 'a token of 8,000 characters answers 401' GET /v1/user - '' 401 '' "Authorization: Bearer $(head -c 8000 /dev/zero | tr '\0' x)"
