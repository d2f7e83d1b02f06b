# The pages below /app: what goes for all of them, forms of others, and the first sign-in.
. tests/http/browse.sh
user_new pgeve "$ORG" read
# ---- every page ----
pg GET /app
pg_to 'the first page takes a session' "$below/app/sign-in?to=%2Fapp"
pg GET '/app/account?x=1'
pg_to 'sign-in comes back to the page with its query' "$below/app/sign-in?to=%2Fapp%2Faccount%3Fx%3D1"
: >"$pg_jar"
pg GET /app/sign-in
pg_is 'the sign-in page is there for everybody' 200
# Sign-in itself has the script of passkeys where these are possible.
: >"$pg_jar"
pg GET /app/reset
same 'pages have a policy that allows no script' \
	"default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'" \
	"$(header content-security-policy)"
same 'pages are stored nowhere' no-store "$(header cache-control)"
same 'pages are not for search engines' noindex "$(header x-robots-tag)"
same 'pages have the type that they say' nosniff "$(header x-content-type-options)"
same 'pages tell other origins no address' same-origin "$(header referrer-policy)"
same 'a page is not framed, by the older header' DENY "$(header x-frame-options)"
case $(tr -d '\r' <"$head" | sed -n 's/^set-cookie: //Ip') in
octavo_form=ocf_*"; Path=${below:-/}; HttpOnly; SameSite=Lax") pass ;;
*) fail 'the cookie of a form is for this place, out of reach of scripts and other sites' "$(header set-cookie)" ;;
esac
lacks 'a page has no script' '<script'
pg GET /app/reset
same 'a browser keeps the cookie of its forms' '' "$(header set-cookie)"
pg GET /app/sign-in '' 'Accept-Language: xx, de-AT;q=0.8, fr;q=0.9;x, ar;q=0.1'
holds 'a page is in the language that the browser wants most' 'lang="fr"'
pg GET /app/sign-in '' 'Accept-Language: de'
holds 'a page is in German' '>Anmelden<'
pg GET /app/sign-in '' 'Accept-Language: ar'
holds 'a page in Arabic is written from right to left' 'lang="ar" dir="rtl"'
pg GET /app/
pg_to 'a slash at the end of /app is the first page' "$below/app/sign-in?to=%2Fapp"
pg GET /app/nothing
pg_is 'an unknown page answers 404' 404
case $(header content-type) in 'text/html; charset=utf-8') pass ;; *) fail 'an unknown page is HTML' "$(header content-type)" ;; esac
pg GET '/app/account/passkeys?x=1'
pg_to 'the address of a form leads to its page' "$below/app/account?x=1"
pg PUT /app/sign-out
pg_is 'PUT of a form answers 405' 405
same 'a form names its method' POST "$(header allow)"
pg PUT /app/sign-in
pg_is 'PUT of a page answers 405' 405
same 'a page with a form names its methods' 'GET, HEAD, POST' "$(header allow)"
pg HEAD /app/sign-in
pg_is 'HEAD of a page answers 200' 200
same 'HEAD of a page has no body' 0 "$(wc -c <"$out" | tr -d ' ')"
[ $TRANSPORT = cgi ] || {
	pg GET /app/sign-in
	pg_style=$(sed -n 's/.*rel="stylesheet" href="\([^"]*\)".*/\1/p' "$out")
	pg GET "${pg_style#"$below"}"
	same 'the style sheet stays for ever under its name' 'public, max-age=31536000, immutable' "$(header cache-control)"
	same 'the style sheet has its type' 'text/css; charset=utf-8' "$(header content-type)"
	pg GET /app/app.0123456789abcdef.css
	same 'the style sheet of another release is not kept' no-cache "$(header cache-control)"
}

# ---- forms of others ----
pg GET /app/sign-in
pg POST /app/sign-in "email=a@example.com&csrf=x"
pg_is 'a form with another csrf is refused' 403
pg POST /app/sign-in "email=a@example.com" "Origin: https://evil.example"
pg_is 'a form of another origin is refused' 403
holds 'a form of another origin is told where ours is' "$base"
pg POST /app/sign-in "email=a@example.com" "Origin: $pg_origin.evil.example"
pg_is 'a form of an origin that begins like ours is refused' 403
pg POST /app/sign-in "email=a@example.com" no-origin
pg_is 'a form without an origin is refused' 403
pg POST /app/sign-in "email=a@example.com" 'Origin: null'
pg_is 'a form of a hidden origin is refused' 403
pg POST /app/sign-in "email=a@example.com" 'Origin: null' 'Sec-Fetch-Site: same-site'
pg_is 'a form of a neighbour is refused' 403
pg POST /app/sign-in "email=a@example.com" 'Origin: null' 'Sec-Fetch-Site: same-origin'
pg_is 'a form of a hidden origin that the browser calls ours is taken' 200
pg POST /app/sign-in "email=a@example.com" 'Content-Type: text/plain'
pg_is 'a form of another type is refused' 415
pg POST /app/sign-in "x=$(head -c 70000 /dev/zero | tr '\0' a)"
pg_is 'a form of 70,000 bytes is refused' 413
cp "$pg_jar" "$tmp/pg_kept"
: >"$pg_jar"
pg POST /app/sign-in "email=a@example.com"
pg_is 'a form from a browser without cookies is refused' 403
same 'a refused form sets no cookie' '' "$(header set-cookie)"
mv "$tmp/pg_kept" "$pg_jar"

pg GET '/app/provider/return?code=x&state=y'
pg_is 'an answer of a provider counts in the browser that asked' 400
holds 'another browser is told to begin again' 'Open the page again and repeat the step.'

# ---- a link, a password ----
pg GET /app/welcome
pg_is 'a welcome without a link answers 404' 404
pg GET '/app/welcome?link=ocl_%3Cscript%3E'
pg_is 'a link that there is not answers 404' 404
lacks 'a link that there is not is not repeated' '<script'
pg_secret=$(pg_link invite --email pgeve@example.com)
pg GET "/app/welcome?link=$pg_secret"
pg_is 'a link is shown' 200
holds 'a link names the person' 'Welcome, pgeve'
holds 'a link names the address' 'pgeve@example.com'
pg POST /app/welcome "link=$pg_secret&password=short"
pg_is 'a short password answers 400' 400
holds 'what is wrong with a password stands at its field' 'id="password-about" class="fault" lang="en">Must have at least 10 characters.'
pg_before=$(sed -n 's/^octavo_form=//p' "$pg_jar")
echo 'octavo_session=ocs_chosenBySomebodyElse' >>"$pg_jar"
pg GET "/app/welcome?link=$pg_secret"
pg POST /app/welcome "link=$pg_secret&password=$pg_password"
pg_to 'a link signs in' "$below/app?done=password"
case $(pg_session) in ocs_chosen* | '') fail 'a sign-in makes a session of its own' "$(pg_session)" ;; *) pass ;; esac
case $(grep octavo_session "$tmp/pg_set") in
octavo_session=ocs_*"; Path=${below:-/}; HttpOnly; SameSite=Lax; Max-Age="[0-9]*) pass ;;
*) fail 'the cookie of the session is out of reach of scripts, and ends' "$(cat "$tmp/pg_set")" ;;
esac
case $(grep octavo_device "$tmp/pg_set") in
octavo_device=*"; HttpOnly; SameSite=Lax; Max-Age=31536000") pass ;;
*) fail 'a browser is known for a year' "$(cat "$tmp/pg_set")" ;;
esac
cp "$pg_jar" "$tmp/pg_one"
pg GET /app
holds 'the first page names who one is' 'Signed in as pgeve@example.com'
holds 'the first page lists the organizations' '>Acme</a>'
pg GET "/app/welcome?link=$pg_secret"
pg_is 'a link works once' 404
pg POST /app/sign-out "csrf=$pg_before"
pg_is 'the csrf from before the sign-in is not that of the session' 403
pg GET /app/account
pg POST /app/sign-out x=y "Origin: https://evil.example"
pg_is 'another origin signs nobody out' 403
pg GET '/app/sign-in?to=/app/account'
pg_to 'whoever is signed in goes on' "$below/app/account"
for pg_bad in https://evil.example //evil.example /app//evil.example '/app/%5C..%5Cx' \
	/app/../v1/user /app/%2E%2E/v1 /appx '/app%0D%0AX:y' javascript:1 /v1/user; do
	pg GET "/app/sign-in?to=$pg_bad"
	pg_to "an address to come back to does not lead away: $pg_bad" "$below/app"
done
