# The API about itself, users, and what needs no token.
t 'information' GET /v1/ - '' 200 '.version == "1" and (.build | type == "string")'
t 'information without the slash' GET /v1 - '' 200 '.version == "1"'
t 'information ignores a bad token' GET /v1/ unknown '' 200 ''
t 'health' GET /v1/healthz - '' 200 '.status == "ok"'
same 'health is never cached' no-store "$(header cache-control)"
t 'description' GET /v1/openapi.json - '' 200 '.openapi == "3.1.0" and (.paths | length > 20)'
t 'description names each operation once' GET /v1/openapi.json - '' 200 \
	'[.paths[][].operationId] | length == (unique | length)'
t 'description has every part it refers to' GET /v1/openapi.json - '' 200 \
	'. as $d | [.. | objects | .["$ref"]? // empty | ltrimstr("#/") | split("/")] | unique
	| length > 200 and all(. as $p | $d | getpath($p) != null)'
t 'description says what needs no token' GET /v1/openapi.json - '' 200 \
	'[.paths | to_entries[] | select(.value.get.security == []) | .key] == ["/", "/healthz", "/openapi.json", "/published/openapi/{openAPISpecId}"]'

t 'self' GET /v1/user admin '' 200 '.object == "user" and .id == "'$U_admin'" and .email == "admin@example.com"'
t 'self of a guest' GET /v1/user guest '' 200 '.id == "'$U_guest'"'
t 'self of a disabled member' GET /v1/user disabled '' 200 '.id == "'$U_disabled'"'
t 'self with a read token' GET /v1/user readonly '' 200 '.id == "'$U_admin'"'
t 'user of the same organization' GET /v1/users/$U_read admin '' 200 '.id == "'$U_read'" and .displayName == "read"
	and .urls.location == "'$base'/v1/users/'$U_read'"'
t 'guests know each other' GET /v1/users/$U_read guest '' 200 ''
t 'oneself without any organization' GET /v1/users/$U_stranger stranger '' 200 '.id == "'$U_stranger'"'
t 'user of another organization' GET /v1/users/$U_other admin '' 404 ''
hidden=$(jq -r .error.message "$out" | sed "s/$U_other/ID/")
t 'unknown user' GET /v1/users/nobodyAtAll admin '' 404 ''
same 'unknown and hidden users look alike' "$hidden" "$(jq -r .error.message "$out" | sed s/nobodyAtAll/ID/)"
t 'a disabled member knows nobody' GET /v1/users/$U_admin disabled '' 404 ''
t 'a user id of any form' GET /v1/users/%20%22x%22%2F.. admin '' 404 ''

# Tokens.
t 'no token' GET /v1/orgs - '' 401 ''
t 'unknown token' GET /v1/orgs unknown '' 401 ''
t 'revoked token' GET /v1/orgs revoked '' 401 ''
t 'expired token' GET /v1/orgs expired '' 401 ''
t 'basic authentication' GET /v1/orgs - '' 401 '' 'Authorization: Basic YWRtaW46eA=='
t 'token without its word' GET /v1/orgs - '' 401 '' "Authorization: $(token_of admin)"
t 'empty token' GET /v1/orgs - '' 401 '' 'Authorization: Bearer '
t 'bearer in any case' GET /v1/user - '' 200 '' "Authorization: bEARER $(token_of admin)"
t 'two words' GET /v1/orgs - '' 401 '' "Authorization: Bearer $(token_of admin) x"
t 'token as a query parameter' GET "/v1/user?access_token=$(token_of admin)" - '' 401 ''
t 'a very long token' GET /v1/user - '' 401 '' "Authorization: Bearer $(head -c 8000 /dev/zero | tr '\0' x)"
