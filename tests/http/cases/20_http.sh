# Addresses and methods.
# nginx gives it to the sites.
[ $TRANSPORT = http ] || t 'outside /v1' GET /v1x/user admin '' 404 ''
t 'no such address' GET /v1/nothing admin '' 404 ''
t 'no such address without a token' GET /v1/nothing - '' 404 ''
t 'too deep' GET /v1/user/x admin '' 404 ''
t 'slash at the end' GET /v1/user/ admin '' 404 ''
t 'two slashes' GET /v1//user admin '' 404 ''
t 'case counts' GET /v1/User admin '' 404 ''
t 'dot segment' GET /v1/./user admin '' 400 ''
t 'double dot' GET /v1/orgs/../user admin '' 400 ''
t 'encoded double dot' GET /v1/orgs/%2e%2E/spaces admin '' 400 ''
t 'double dot in an encoded segment is an id' GET /v1/orgs/..%2Fx admin '' 404 ''
t 'NUL' GET /v1/orgs/a%00b admin '' 400 ''
for path in '/v1/orgs\x' '/v1\user' '/v1/\user' '/v1/user\' '/v1/orgs/x\..\y'; do
	[ $TRANSPORT.$path != 'http./v1\user' ] || continue
	t "a raw backslash: $path" GET "$path" admin '' 400 ''
done
t 'an encoded one is one of an id' GET '/v1/orgs/a%5Cb' admin '' 404 ''
t 'one in the query is a value' GET '/v1/user?x=\' admin '' 200 ''
t 'broken escape' GET /v1/orgs/%4 admin '' 400 ''
t 'broken escape in the middle' GET /v1/orgs/%4x/spaces admin '' 400 ''
t 'no UTF-8' GET /v1/orgs/%ff admin '' 400 ''
t 'half of a surrogate pair' GET /v1/orgs/%ED%A0%80 admin '' 400 ''
t 'overlong UTF-8' GET /v1/orgs/%C0%AF admin '' 400 ''
t 'escaped letters are letters' GET /v1/%75ser admin '' 200 '.object == "user"'
t 'escaped slash stays in its id' GET /v1/spaces/$SPACE%2Fcontent admin '' 404 ''
t 'blank in an id' GET /v1/orgs/a%20b admin '' 404 ''
t 'quotes in an id' GET "/v1/orgs/'%20OR%201=1--" admin '' 404 ''
t 'long id' GET /v1/orgs/$(head -c 8000 /dev/zero | tr '\0' a) admin '' 404 ''
t 'too long an address' GET /v1/orgs/$(head -c 8200 /dev/zero | tr '\0' a) admin '' 414 ''
t 'too many segments' GET /v1/$(head -c 120 /dev/zero | sed 's/\x00/a\//g')b admin '' 414 ''
t 'fragment-like' GET '/v1/user%23x' admin '' 404 ''

for m in POST PUT PATCH DELETE; do
	t "$m where there is only GET" $m /v1/user admin '' 405 ''
	same "$m: Allow" 'GET, HEAD, OPTIONS' "$(header allow)"
done
t 'unknown method' BREW /v1/user admin '' 405 ''
t '405 needs no token' PUT /v1/orgs - '' 405 ''
same 'Allow of a list' 'GET, HEAD, POST, OPTIONS' "$(header allow)"
t 'PUT of a space' PUT /v1/spaces/$SPACE admin '{}' 405 ''
same 'Allow of a space' 'GET, HEAD, PATCH, DELETE, OPTIONS' "$(header allow)"
t 'GET of an action' GET /v1/spaces/$SPACE/duplicate admin '' 405 ''
same 'Allow of an action' 'POST, OPTIONS' "$(header allow)"

t 'HEAD' HEAD /v1/user admin '' 200 ''
length=$(header content-length) tag=$(header etag)
t 'GET after HEAD' GET /v1/user admin '' 200 ''
same 'HEAD tells the length' "$(wc -c <"$out" | tr -d ' ')" "$length"
same 'HEAD tells the tag' "$(header etag)" "$tag"
t 'HEAD of nothing' HEAD /v1/orgs/nope admin '' 404 ''
t 'HEAD without a token' HEAD /v1/user - '' 401 ''
t 'HEAD with a condition' HEAD /v1/user admin '' 304 '' "If-None-Match: $tag"

t 'OPTIONS' OPTIONS /v1/spaces/$SPACE - '' 204 ''
same 'OPTIONS: Allow' 'GET, HEAD, PATCH, DELETE, OPTIONS' "$(header allow)"
t 'OPTIONS of what is nowhere' OPTIONS /v1/nothing - '' 404 ''
t 'preflight' OPTIONS /v1/orgs - '' 204 '' 'Origin: https://a.example' 'Access-Control-Request-Method: POST' \
	'Access-Control-Request-Headers: authorization'
same 'preflight: origin' '*' "$(header access-control-allow-origin)"
same 'preflight: methods' 'GET, HEAD, POST, OPTIONS' "$(header access-control-allow-methods)"
case $(header access-control-allow-headers) in
*Authorization*Content-Type*If-Match*If-None-Match*Idempotency-Key*) pass ;;
*) fail 'preflight: headers' "$(header access-control-allow-headers)" ;;
esac
t 'cross-origin GET' GET /v1/user admin '' 200 '' 'Origin: https://a.example'
same 'cross-origin: origin' '*' "$(header access-control-allow-origin)"
case $(header access-control-expose-headers) in
*ETag*Location*) pass ;;
*) fail 'cross-origin: exposed' "$(header access-control-expose-headers)" ;;
esac
t 'cross-origin error is readable' GET /v1/user - '' 401 '' 'Origin: https://a.example'
same 'cross-origin error: origin' '*' "$(header access-control-allow-origin)"
same 'no sniffing' nosniff "$(header x-content-type-options)"

# Addresses come from the configuration, not from the Host header (docs/design/security.md, "S8").
t 'Host header' GET /v1/user admin '' 200 '.urls.location | startswith("'$base'/v1/")' 'Host: evil.example' \
	'X-Forwarded-Host: evil.example' 'X-Forwarded-Proto: https'

# Queries.
t 'unknown parameter' GET '/v1/user?x=1&y&=&&z=%41' admin '' 200 ''
t 'broken escape in a query' GET '/v1/orgs?limit=%4' admin '' 400 ''
t 'broken escape in an unknown parameter' GET '/v1/orgs?x=%zz' admin '' 400 ''
t 'sign in an escape' GET '/v1/orgs?x=%+1' admin '' 400 ''
t 'blank in an escape' GET '/v1/orgs?x=%%201' admin '' 400 ''
t 'minus in an escape' GET '/v1/orgs?x=%-1' admin '' 400 ''
t 'NUL in a query' GET '/v1/orgs?page=a%00b' admin '' 400 ''
t 'no UTF-8 in a query' GET '/v1/orgs?page=%ff' admin '' 400 ''
t 'raw byte in a query' GET "/v1/orgs?page=$(printf '\377')" admin '' 400 ''
t 'parameter given twice: the last' GET '/v1/orgs?limit=x&limit=1' admin '' 200 ''
t 'not a boolean' GET "/v1/spaces/$SPACE/content?metadata=maybe" admin '' 400 '.fields[0].path == "/metadata"'
t 'boolean as a digit' GET "/v1/spaces/$SPACE/content?metadata=0" admin '' 200 'has("git") | not'
t 'enum of a query' GET "/v1/spaces/$SPACE/content/page/$PAGE?format=pdf" admin '' 400 \
	'.fields[0].path == "/format" and (.error.message | contains("markdown"))'
t 'access before input' GET "/v1/spaces/$SPACE/content?metadata=maybe" other '' 404 ''
