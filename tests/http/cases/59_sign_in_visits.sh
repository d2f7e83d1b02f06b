# Members of an organization open its sites for signed visitors by signing in: svin is a member, svout is not.
for who in svin svout svadm; do user_new $who '' ''; done
t 'visits: an organization is created' POST /v1/orgs svadm '{"title":"Visited"}' 201 ''
SVORG=$(jq -r .id "$out")
"$octavo" member add --dir "$dir" --org "$SVORG" --user svin@example.com --role read >/dev/null
sv_space=$(octavo_json .result.space import --org "$SVORG" --title Visited --url "$tmp/repo")
t 'visits: a site is created' POST /v1/orgs/$SVORG/sites svadm '{"title":"Visited","spaces":["'$sv_space'"]}' 201 ''
SVSITE=$(jq -r .id "$out")
t 'visits: the site is for signed visitors' PATCH /v1/orgs/$SVORG/sites/$SVSITE svadm '{"visibility":"visitor-auth"}' 200 ''
t 'visits: the site is published' POST /v1/orgs/$SVORG/sites/$SVSITE/publish svadm '' 200 ''
sv_path=/sites/$(sql "SELECT hostname FROM org WHERE id = '$SVORG'")/visited/guide
# sv_sign_in WHO: a session of the caller, in $tmp/tokens/WHO_s
sv_sign_in() {
	sv_link=$(OCTAVO_URL=$base "$octavo" user reset --dir "$dir" --user "$1@example.com" --json | jq -r .link | sed 's/.*link=//')
	t "visits: $1 signs in" POST /v1/sign-in/link - '{"link":"'"$sv_link"'","password":"five tired horses"}' 201 ''
	jq -r '"\(.secret) \(.csrf)"' "$out" >"$tmp/tokens/$1_s"
}
sv_cookie() { printf 'Cookie: octavo_session=%s' "$(sed 's/ .*//' "$tmp/tokens/$1_s")"; }
sv_sign_in svin
sv_sign_in svout

# Pages need a web server.
if [ "$TRANSPORT" = http ]; then
	read_at $sv_path
	same 'a site for signed visitors sends strangers to sign in' 302 "$code"
	sv_to=$(header location)
	same 'they come back to the page' "$base/app/visit?to=$(jq -rn --arg u "$base$sv_path" '$u | @uri')" "$sv_to"
	sv_app=${sv_to#"$base"}
	read_at "$sv_app"
	same 'a stranger signs in first' 303 "$code"
	same 'sign-in leads back to the visit' "/app/sign-in?to=$(jq -rn --arg u "$sv_app" '$u | @uri')" "$(header location | sed "s|^$base||")"
	read_at "$sv_app" -H "$(sv_cookie svin)"
	same 'a member of the organization goes on to the page' 303 "$code"
	sv_back=$(header location)
	case $sv_back in "$base$sv_path?jwt_token="*) pass ;; *) fail 'the address of the page has a token' "$sv_back" ;; esac
	read_at "${sv_back#"$base"}"
	same 'the token becomes a cookie of the site' 303 "$code"
	sv_visitor=$(header set-cookie | sed 's/;.*//')
	read_at $sv_path -H "Cookie: $sv_visitor"
	same 'the page opens' 200 "$code"
	read_at $sv_path -H "$(sv_cookie svin)"
	same 'a session is no visit: the site asks' 302 "$code"
	read_at "$sv_path?jwt_token=wrong"
	same 'a token that opens nothing is refused, not asked for again' 401 "$code"
	read_at "$sv_app" -H "$(sv_cookie svout)"
	same 'a stranger to the organization learns nothing' 404 "$code"
	for sv_evil in https://evil.example/ "$base.evil.example$sv_path" "//evil.example$sv_path" 'javascript:alert(1)' "$base/sites/nobody/here" ''; do
		read_at "/app/visit?to=$(jq -rn --arg u "$sv_evil" '$u | @uri')" -H "$(sv_cookie svin)"
		same "a visit leads nowhere else: $sv_evil" 404 "$code"
	done
fi
t 'visits: a member gets the address' GET "/v1/urls/visit?url=$base$sv_path" svin '' \
	200 '.title == "Visited" and (.location | startswith("'"$base$sv_path"'?jwt_token="))'
t 'visits: others do not' GET "/v1/urls/visit?url=$base$sv_path" svout '' 404 ''
"$octavo" member disable --dir "$dir" --org "$SVORG" --user svin@example.com >/dev/null
t 'visits: a disabled member gets none' GET "/v1/urls/visit?url=$base$sv_path" svin '' 404 ''
if [ "$TRANSPORT" = http ]; then
	read_at $sv_path -H "Cookie: $sv_visitor"
	same 'the visit of a disabled member ends' 302 "$code"
fi
t 'visits: a site has its own address for sign-in' PATCH /v1/orgs/$SVORG/sites/$SVSITE/publishing/auth svadm '{"fallbackURL":"https://login.example.com/"}' \
	200 ''
if [ "$TRANSPORT" = http ]; then
	read_at $sv_path
	same 'its own address counts' 'https://login.example.com/' "$(header location | sed 's/?.*//')"
fi
t 'visits: the site is public' PATCH /v1/orgs/$SVORG/sites/$SVSITE svadm '{"visibility":"public"}' 200 ''
t 'visits: a public page opens as it is' GET "/v1/urls/visit?url=$base$sv_path" svout '' 200 '.location == "'"$base$sv_path"'"'
