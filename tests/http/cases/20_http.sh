# Paths and methods. nginx sends paths outside of /v1 to the sites.
[ $TRANSPORT = http ] || t 'an address outside /v1 answers 404' GET /v1x/user admin '' 404 ''
t 'an unknown address answers 404' GET /v1/nothing admin '' 404 ''
t 'an unknown address without a token answers 404' GET /v1/nothing - '' 404 ''
t 'an address with one segment too many answers 404' GET /v1/user/x admin '' 404 ''
t 'a slash at the end answers 404' GET /v1/user/ admin '' 404 ''
t 'a doubled slash answers 404' GET /v1//user admin '' 404 ''
t 'an address in another case answers 404' GET /v1/User admin '' 404 ''
t 'a dot segment answers 400' GET /v1/./user admin '' 400 ''
t 'a double dot segment answers 400' GET /v1/orgs/../user admin '' 400 ''
t 'an encoded double dot segment answers 400' GET /v1/orgs/%2e%2E/spaces admin '' 400 ''
t 'a double dot in an encoded segment is read as an id' GET /v1/orgs/..%2Fx admin '' 404 ''
t 'a NUL in an address answers 400' GET /v1/orgs/a%00b admin '' 400 ''
for path in '/v1/orgs\x' '/v1\user' '/v1/\user' '/v1/user\' '/v1/orgs/x\..\y'; do
	[ $TRANSPORT.$path != 'http./v1\user' ] || continue
	t "a raw backslash in an address answers 400: $path" GET "$path" admin '' 400 ''
done
t 'an encoded backslash is read as part of an id' GET '/v1/orgs/a%5Cb' admin '' 404 ''
t 'a backslash in the query is read as a value' GET '/v1/user?x=\' admin '' 200 ''
t 'an escape of one digit answers 400' GET /v1/orgs/%4 admin '' 400 ''
t 'an escape of no hexadecimal digits answers 400' GET /v1/orgs/%4x/spaces admin '' 400 ''
t 'a byte that is no UTF-8 answers 400' GET /v1/orgs/%ff admin '' 400 ''
t 'an encoded surrogate answers 400' GET /v1/orgs/%ED%A0%80 admin '' 400 ''
t 'overlong UTF-8 answers 400' GET /v1/orgs/%C0%AF admin '' 400 ''
t 'escaped letters are read as letters' GET /v1/%75ser admin '' 200 '.object == "user"'
t 'escaped slash stays in its id' GET /v1/spaces/$SPACE%2Fcontent admin '' 404 ''
t 'a blank in an id answers 404' GET /v1/orgs/a%20b admin '' 404 ''
t 'quotes in an id answer 404' GET "/v1/orgs/'%20OR%201=1--" admin '' 404 ''
t 'an id of 8,000 characters answers 404' GET /v1/orgs/$(head -c 8000 /dev/zero | tr '\0' a) admin '' 404 ''
t 'an address of 8,200 characters answers 414' GET /v1/orgs/$(head -c 8200 /dev/zero | tr '\0' a) admin '' 414 ''
t 'an address of too many segments answers 414' GET /v1/$(head -c 120 /dev/zero | sed 's/\x00/a\//g')b admin '' 414 ''
t 'an encoded fragment answers 404' GET '/v1/user%23x' admin '' 404 ''

for m in POST PUT PATCH DELETE; do
	t "$m where there is only GET answers 405" $m /v1/urls/content admin '' 405 ''
	same "the answer to $m names the allowed methods" 'GET, HEAD, OPTIONS' "$(header allow)"
done
t 'an unknown method answers 405' BREW /v1/urls/content admin '' 405 ''
t 'a wrong method answers 405 before the token is read' PUT /v1/orgs - '' 405 ''
same 'a list allows GET and POST' 'GET, HEAD, POST, OPTIONS' "$(header allow)"
t 'PUT of a space answers 405' PUT /v1/spaces/$SPACE admin '{}' 405 ''
same 'a space allows GET, PATCH and DELETE' 'GET, HEAD, PATCH, DELETE, OPTIONS' "$(header allow)"
t 'GET of an action answers 405' GET /v1/spaces/$SPACE/duplicate admin '' 405 ''
same 'an action allows POST alone' 'POST, OPTIONS' "$(header allow)"

t 'HEAD answers 200 without a body' HEAD /v1/user admin '' 200 ''
length=$(header content-length) tag=$(header etag)
t 'GET after HEAD answers 200' GET /v1/user admin '' 200 ''
same 'HEAD has the length of GET' "$(wc -c <"$out" | tr -d ' ')" "$length"
same 'HEAD has the ETag of GET' "$(header etag)" "$tag"
t 'HEAD of an unknown organization answers 404' HEAD /v1/orgs/nope admin '' 404 ''
t 'HEAD without a token answers 401' HEAD /v1/user - '' 401 ''
t 'HEAD with a matching If-None-Match answers 304' HEAD /v1/user admin '' 304 '' "If-None-Match: $tag"

t 'OPTIONS answers 204 without a token' OPTIONS /v1/spaces/$SPACE - '' 204 ''
same 'OPTIONS names the allowed methods' 'GET, HEAD, PATCH, DELETE, OPTIONS' "$(header allow)"
t 'OPTIONS of an unknown address answers 404' OPTIONS /v1/nothing - '' 404 ''
t 'a preflight request answers 204' OPTIONS /v1/orgs - '' 204 '' 'Origin: https://a.example' 'Access-Control-Request-Method: POST' \
	'Access-Control-Request-Headers: authorization'
same 'a preflight request allows every origin' '*' "$(header access-control-allow-origin)"
same 'a preflight request allows the methods of its address' 'GET, HEAD, POST, OPTIONS' "$(header access-control-allow-methods)"
case $(header access-control-allow-headers) in
*Authorization*Content-Type*If-Match*If-None-Match*Idempotency-Key*) pass ;;
*) fail 'a preflight request allows our headers' "$(header access-control-allow-headers)" ;;
esac
t 'a cross-origin GET answers 200' GET /v1/user admin '' 200 '' 'Origin: https://a.example'
same 'a cross-origin answer allows every origin' '*' "$(header access-control-allow-origin)"
case $(header access-control-expose-headers) in
*ETag*Location*) pass ;;
*) fail 'a cross-origin answer exposes ETag and Location' "$(header access-control-expose-headers)" ;;
esac
t 'a cross-origin error answers 401' GET /v1/user - '' 401 '' 'Origin: https://a.example'
same 'a cross-origin error allows every origin' '*' "$(header access-control-allow-origin)"
same 'an answer forbids content sniffing' nosniff "$(header x-content-type-options)"

# URLs use the configured host, not the Host header (docs/design/security.md, "S8").
t 'links ignore the Host header' GET /v1/user admin '' 200 '.urls.location | startswith("'$base'/v1/")' 'Host: evil.example' \
	'X-Forwarded-Host: evil.example' 'X-Forwarded-Proto: https'

# Queries.
t 'unknown parameters are ignored' GET '/v1/user?x=1&y&=&&z=%41' admin '' 200 ''
t 'an escape of one digit in a query answers 400' GET '/v1/orgs?limit=%4' admin '' 400 ''
t 'a broken escape in an unknown parameter answers 400' GET '/v1/orgs?x=%zz' admin '' 400 ''
t 'a plus sign in an escape answers 400' GET '/v1/orgs?x=%+1' admin '' 400 ''
t 'a blank in an escape answers 400' GET '/v1/orgs?x=%%201' admin '' 400 ''
t 'a minus sign in an escape answers 400' GET '/v1/orgs?x=%-1' admin '' 400 ''
t 'a NUL in a query answers 400' GET '/v1/orgs?page=a%00b' admin '' 400 ''
t 'bytes that are no UTF-8 in a query answer 400' GET '/v1/orgs?page=%ff' admin '' 400 ''
t 'a raw byte in a query answers 400' GET "/v1/orgs?page=$(printf '\377')" admin '' 400 ''
t 'of a parameter given twice the last one counts' GET '/v1/orgs?limit=x&limit=1' admin '' 200 ''
t 'a boolean parameter of another word is refused' GET "/v1/spaces/$SPACE/content?metadata=maybe" admin '' 400 '.fields[0].path == "/metadata"'
t 'a boolean parameter may be a digit' GET "/v1/spaces/$SPACE/content?metadata=0" admin '' 200 'has("git") | not'
t 'an enum parameter of another value is refused by what it may be' GET "/v1/spaces/$SPACE/content/page/$PAGE?format=pdf" admin '' 400 \
	'.fields[0].path == "/format" and (.error.message | contains("markdown"))'
t 'access is checked before input' GET "/v1/spaces/$SPACE/content?metadata=maybe" other '' 404 ''
