# Audiences of a published site: share links, signed claims, previews; redirects, schema and search for them.
SO=/v1/orgs/$ORG
one=$(space_empty One) two=$(space_empty Two)
space_write $one \
	'{"changes":[{"operation":"insert_page","ref":"a","title":"Start","document":{"markdown":"Hello reader.\n\n'\
'{% if visitor.claims.plan == \"pro\" %}\nThe pro words.\n{% endif %}\n\nPlan: <code class=\"expression\">visitor.claims.plan ?? \"none\"</code>."}},
	{"operation":"insert_page","ref":"b","document":{"markdown":"---\nif: visitor.claims.plan == \"pro\"\n---\n\n# Pro page\n\nReader of pro.\n"}}]}'
start=$(jq -r '.changes[0].page.id' "$tmp/written") pro=$(jq -r '.changes[1].page.id' "$tmp/written")
space_write $two '{"changes":[{"operation":"insert_page","ref":"a","title":"Start","slug":"start","document":{"markdown":"Second reader."}}]}'
t 'a site by share links is created' POST $SO/sites admin '{"title":"Audience","spaces":["'$one'","'$two'"],"visibility":"share-link"}' 201 ''
site=$(jq -r .id "$out") W=$SO/sites/$(jq -r .id "$out")

# Share links.
t 'a site has no share links at first' GET $W/share-links admin '' 200 '.items == [] and .count == 0'
t 'a share link is created before the site is published' POST $W/share-links admin '{"name":"Partners"}' 201 \
	'.object == "share-link" and .name == "Partners" and .active and .urls == {}'
link=$(jq -r .id "$out")
t 'the site is published' POST $W/publish admin '' 200 ''
at=$(jq -r .urls.published "$out")
t 'a share link of a published site has an address' GET $W/share-links admin '' 200 '.count == 1 and (.items[0].urls.published | startswith("'$at'"))'
shared=$(jq -r '.items[0].urls.published' "$out") key=$(jq -r '.items[0].urls.published | split("/")[-2]' "$out")
t 'a reader may not list share links' GET $W/share-links read '' 404 ''
t 'a site by share links answers 404 without a key' POST /v1/urls/published read '{"url":"'$at'start"}' 404 \
	'.error.message == "no published content at this address"'
t 'another key answers 404' POST /v1/urls/published read '{"url":"'$at'x'$key'/"}' 404 ''
t 'the key opens the site' POST /v1/urls/published read '{"url":"'$shared'two/"}' 200 \
	'.shareKey == "'$key'" and .space == "'$two'" and (.siteBasePath | endswith("/'$key'/")) and (.canonicalUrl == "'$shared'two/")'
site_resolve $shared
cp "$tmp/tokens/site" "$tmp/tokens/shared"
t 'addresses of the site have the key' GET $W/published shared '' 200 '[.structure.structure[].urls.published] == ["'$shared'", "'$shared'two/"]'
t 'the key of the token may be named' GET "$W/published?shareKey=$key" shared '' 200 '.site.urls.published == "'$shared'"'
t 'another key beside that of the token is ignored' GET "$W/published?shareKey=wrong" shared '' 200 '.site.urls.published == "'$shared'"'
t 'a space has the address with the key' GET "/v1/spaces/$two?shareKey=$key" shared '' 200 '.urls.published == "'$shared'two/"'
t 'another key of a space beside that of the token is ignored' GET "/v1/spaces/$two?shareKey=wrong" shared '' 200 '.urls.published == "'$shared'two/"'
t 'a user who names the key gets addresses with it' GET "/v1/spaces/$two?shareKey=$key" admin '' 200 '.urls.published == "'$shared'two/"'
t 'a user who names no key gets addresses without it' GET /v1/spaces/$two admin '' 200 '.urls.published == "'$at'two/"'
rev=$(jq -r .revision "$out")
t 'a revision has the address of its space' GET /v1/spaces/$two/revisions/$rev admin '' 200 '.urls.published == "'$at'two/" and (.urls | has("public") | not)'
tag=$(header ETag)
t 'the site is made unlisted' PATCH $W admin '{"visibility":"unlisted"}' 200 ''
t 'a change of visibility changes the ETag of a revision' GET /v1/spaces/$two/revisions/$rev admin '' 200 '.urls.public == "'$at'two/"' "If-None-Match: $tag"
t 'the site is opened by share links again' PATCH $W admin '{"visibility":"share-link"}' 200 ''
send POST /v1/spaces/$two/change-requests admin '{"subject":"x"}'
t 'the content of a change request has no published address' GET /v1/spaces/$two/change-requests/$(jq -r .number "$out")/content admin '' 200 \
	'.urls | has("published") | not'
t 'a wrong key is ignored where the space is readable' GET "/v1/spaces/$two?shareKey=wrong" admin '' 200 '.urls.published == "'$at'two/"'
t 'a space that the site does not show has no address' GET "/v1/spaces/$SPACE?shareKey=$key" admin '' 200 '.urls | has("published") | not'
t 'a key gives no role' GET "/v1/spaces/$two?shareKey=$key" other '' 200 '.urls.published == "'$shared'two/" and ([.permissions[]] | any | not)'
t 'a key does not open the content of a space' GET "/v1/spaces/$two/content?shareKey=$key" other '' 404 ''
t 'variants are listed with the key' GET "$W/site-spaces?shareKey=$key" admin '' 200 '[.items[].urls.published] == ["'$shared'", "'$shared'two/"]'
t 'variants are listed without a wrong key' GET "$W/site-spaces?shareKey=wrong" admin '' 200 '[.items[].urls.published] == ["'$at'", "'$at'two/"]'
t 'sections are listed with the key' GET "$W/sections?shareKey=$key" admin '' 200 '.items == []'
t 'sections are listed without a wrong key' GET "$W/sections?shareKey=wrong" admin '' 200 '.items == []'
t 'a user gets the structure with the key' GET "$W/published?shareKey=$key" admin '' 200 '.structure.structure[0].urls.published == "'$shared'"'
t 'a user gets the structure without a wrong key' GET "$W/published?shareKey=wrong" admin '' 200 '.structure.structure[0].urls.published == "'$at'"'

# A key opens content that the caller may not read otherwise, in each operation that takes one, as
# for any holder of the link.
k_closed=$(space_empty 'Keyed, hidden')
get $W/site-spaces admin
t 'a redirect to the second space is created' POST $W/redirects admin '{"source":"/old","destination":{"kind":"site-space",
	"siteSpaceId":"'$(jq -r '.items[1].id' "$out")'"}}' 201 ''
k_redirect=$(jq -r .id "$out")
t 'the second space is hidden from members' PATCH /v1/spaces/$two admin '{"defaultLevel":null}' 200 ''
t 'a hidden space comes to the site' POST $W/site-spaces admin '{"spaceId":"'$k_closed'"}' 201 ''
t 'the hidden space has a condition' PATCH $W/site-spaces/$(jq -r .id "$out") admin '{"condition":"visitor.claims.staff"}' 200 ''
t 'another site by share links is created' POST $SO/sites admin '{"title":"Keyed otherwise","spaces":["'$one'"],"visibility":"share-link"}' 201 ''
k_site=$(jq -r .id "$out")
t 'a share link of the other site is created' POST $SO/sites/$k_site/share-links admin '{"name":"Others"}' 201 ''
t 'the other site is published' POST $SO/sites/$k_site/publish admin '' 200 ''
t 'the key of the other site is read' GET $SO/sites/$k_site/share-links admin '' 200 ''
k_other=$(jq -r '.items[0].urls.published | split("/")[-2]' "$out") k_shared=$(jq -r '.items[0].urls.published' "$out")
site_resolve $k_shared
cp "$tmp/tokens/site" "$tmp/tokens/k_site"
get /v1/openapi.json
k_ops=$(jq -r '[.paths | to_entries[] | select(any(.value.get.parameters[]?; .name == "shareKey")) | .key] | sort[]' "$out")
# by_key NAME WHO STATUS KEY: calls each of these operations and checks what it shows
by_key() {
	for bk_op in $k_ops; do
		bk_path=/v1$(echo "$bk_op" | sed "s/{organizationId}/$ORG/; s/{siteId}/$site/; s/{spaceId}/$two/") bk_more=
		case $bk_op in
		*/redirect) bk_more='&source=/old' bk_see='(.target | contains("'$key'"))' ;;
		*/site-spaces) bk_see='.count == 2 and [.items[].urls.published] == ["'$shared'", "'$shared'two/"] and ([.items[].condition] == [null, null])' ;;
		*/sections) bk_see='.count == 0 and .items == []' ;;
		*/structure) bk_see='[.structure[].urls.published] == ["'$shared'", "'$shared'two/"]' ;;
		*/published) bk_see='.site.siteSpaces == 2 and .site.urls.published == "'$shared'" and [.structure.structure[].urls.published] == ["'$shared'", '\
'"'$shared'two/"]' ;;
		/spaces/{spaceId}) bk_see='.urls.published == "'$shared'two/" and ([.permissions[]] | any) == '$([ $2 = k_site ] && echo true || echo false) ;;
		*) bk_see='false' ;;
		esac
		[ "$3" = 200 ] || bk_see='.error.message | test("key") | not'
		# Some of them do not accept the token of a site.
		[ "$2" = k_site ] && case $bk_op in */site-spaces | */sections | */structure) continue ;; esac
		t "$1: $bk_op" GET "$bk_path?shareKey=$4$bk_more" $2 '' $3 "$bk_see"
	done
}
same 'six operations take a key' 6 "$(echo "$k_ops" | wc -l)"
by_key 'a reader opens the site by the key' read 200 $key
by_key 'a guest opens the site by the key' guest 200 $key
by_key 'a member of another organization opens the site by the key' other 200 $key
by_key 'the token of another site opens this one by the key' k_site 200 $key
for k_who in read guest other k_site; do by_key "a wrong key answers 404 to $k_who" $k_who 404 no; done
by_key 'the key of another site answers 404' other 404 $k_other
by_key 'a key that is too long answers 404' other 404 $(printf %600s x | tr ' ' x)
by_key 'a key in a broken query answers 404' other 404 '%zz'
t 'a key without a token answers 401' GET "$W/published?shareKey=$key" '' '' 401 ''
t 'a key does not open what visitors do not see' GET "/v1/spaces/$k_closed?shareKey=$key" other '' 404 ''
t 'a key does not open another space' GET "/v1/spaces/$SPACE?shareKey=$key" other '' 404 ''
t 'a key does not open another site' GET "$SO/sites/$k_site/published?shareKey=$key" other '' 404 ''
t 'a key does not open the site by another organization' GET "/v1/orgs/$ORG_B/sites/$site/published?shareKey=$key" other '' 404 ''
t 'a key opens no page' GET "/v1/spaces/$two/content?shareKey=$key" other '' 404 ''
t 'a key changes nothing' PATCH "/v1/spaces/$two?shareKey=$key" other '{"title":"x"}' 404 ''
t 'a key deletes nothing' DELETE "/v1/spaces/$two?shareKey=$key" other '' 204 ''
t 'the space is as it was' GET /v1/spaces/$two admin '' 200 '.title == "Two"'
t 'a key takes nothing from who may read the space' GET "/v1/spaces/$one?shareKey=$key" read '' 200 '.permissions.view'
t 'an admin with a key sees every variant' GET "$W/site-spaces?shareKey=$key" admin '' 200 '.count == 3'
t 'the site is made public' PATCH $W admin '{"visibility":"public"}' 200 ''
t 'a reader counts the variants that visitors see' GET $W read '' 200 '.siteSpaces == 2'
t 'an admin counts every variant' GET $W admin '' 200 '.siteSpaces == 3'
by_key 'the key of a public site answers 404' other 404 $key
t 'the site is opened by share links again' PATCH $W admin '{"visibility":"share-link"}' 200 ''
t 'the share link is revoked' PATCH $W/share-links/$link admin '{"active":false}' 200 ''
by_key 'a revoked key answers 404' other 404 $key
by_key 'a revoked key answers 404 to a reader' read 404 $key
t 'the share link is activated' PATCH $W/share-links/$link admin '{"active":true}' 200 ''
by_key 'an activated key opens the site' other 200 $key
t 'the other site is deleted' DELETE $SO/sites/$k_site admin '' 204 ''
t 'the redirect is deleted' DELETE $W/redirects/$k_redirect admin '' 204 ''
t 'the hidden space is deleted' DELETE /v1/spaces/$k_closed admin '' 204 ''
t 'the second space is opened to members' PATCH /v1/spaces/$two admin '{"defaultLevel":"inherit"}' 200 ''
t 'a share link is renamed' PATCH $W/share-links/$link admin '{"name":"Friends"}' 200 '.name == "Friends" and .active'
t 'a renamed share link opens the site' GET $W/published shared '' 200 ''
t 'a share link is revoked' PATCH $W/share-links/$link admin '{"active":false}' 200 '.active == false'
t 'a token by a revoked link answers 401' GET $W/published shared '' 401 ''
t 'a revoked key is not in addresses' GET "/v1/spaces/$two?shareKey=$key" admin '' 200 '.urls.published == "'$at'two/"'
t 'a revoked key is not in lists' GET "$W/site-spaces?shareKey=$key" admin '' 200 '[.items[].urls.published] == ["'$at'", "'$at'two/"]'
t 'the address of a revoked link answers 404' POST /v1/urls/published read '{"url":"'$shared'"}' 404 ''
t 'a revoked share link is activated' PATCH $W/share-links/$link admin '{"active":true}' 200 ''
t 'an activated share link opens the site' GET $W/published shared '' 200 ''
t 'the site is narrowed to signed visitors' PATCH $W admin '{"visibility":"visitor-auth"}' 200 ''
t 'a share link does not open a site for signed visitors' GET $W/published shared '' 401 ''
t 'a share link is deleted' DELETE $W/share-links/$link admin '' 204 ''
t 'a deleted share link may be deleted again' DELETE $W/share-links/$link admin '' 204 ''
t 'a deleted share link cannot be changed' PATCH $W/share-links/$link admin '{"name":"x"}' 404 ''

# Signed claims.
t 'a site for signed visitors without a sign-in URL answers 404' POST /v1/urls/published read '{"url":"'$at'start"}' 404 ''
t 'a site has a signing key' GET $W/publishing/auth admin '' 200 '.object == "publishing-auth" and .backend == "custom" and (.privateKey
	| length > 30) and (has("fallbackURL") | not)'
secret=$(jq -r .privateKey "$out")
t 'the signing key stays' GET $W/publishing/auth admin '' 200 '.privateKey == "'$secret'"'
t 'a reader may not read the signing key' GET $W/publishing/auth read '' 404 ''
t 'a sign-in URL is set' PATCH $W/publishing/auth admin '{"fallbackURL":"https://sign.example/in?x=1"}' 200 \
	'.fallbackURL == "https://sign.example/in?x=1" and .privateKey == "'$secret'"'
t 'a visitor is sent to the sign-in URL with the location' POST /v1/urls/published read '{"url":"'$at'two/a%20b"}' 200 \
	'.target == "external" and .redirect == "https://sign.example/in?x=1&location=two%2Fa%20b"'
[ $TRANSPORT != http ] || same 'octavo-site sends a visitor to the sign-in URL' "https://sign.example/in?x=1&location=two%2Fa%20b" \
	"$(curl -sg -m 30 -o /dev/null -w '%{redirect_url}' "${at}two/a%20b")"
t 'adaptive content is switched on' PATCH $W admin '{"adaptiveContent":{"enabled":true}}' 200 ''
now=$(date +%s)
good='{"plan":"pro","exp":'$((now + 600))',"unsigned":{"beta":true}}'
for bad in "$(jwt_make wrong "$good")" "$(jwt_make $secret '{"plan":"pro"}')" "$(jwt_make $secret '{"plan":"pro","exp":'$((now - 5))'}')" \
	"$(jwt_make $secret '{"exp":'$((now + 600))',"nbf":'$((now + 60))'}')" "$(jwt_make $secret '{"exp":'$((now + 600))',"nbf":"1"}')" \
	"$(jwt_make $secret '{"exp":1,"exp":'$((now + 600))'}')" "$(jwt_make $secret '{"exp":'$((now + 600))',"plan":"free","plan":"pro"}')" \
	"$(jwt_make $secret '{"exp":'$((now + 600))',"a":[{"b":1,"b":2}]}')" "$(jwt_make $secret "$good" '{"alg":"HS256","crit":["exp"]}')" \
	"$(jwt_make $secret "$good" '{"alg":"HS256","crit":[]}')" "$(jwt_make $secret "$good" '{"alg":"none","alg":"HS256"}')" \
	"$(jwt_make $secret "$good" '{"kid":"\"alg\":\"HS256\""}')" "$(jwt_make $secret "$good" '{"alg":"hs256"}')" "$(jwt_make $secret "$good" '["alg","HS256"]')" \
	"$(jwt_make $secret "$good" '{"alg":"none"}')" "$(jwt_make $secret "$good" '{"alg":"HS512"}')" "$(jwt_make $secret "$good" | sed 's/[^.]*$//')" 'a.b.c' ''; do
	t "a token that is not signed well is refused: $(echo "$bad" | cut -c1-12)" POST /v1/urls/published read \
		'{"url":"'$at'","visitor":{"jwtToken":"'$bad'"}}' 200 '.target == "external"'
done
t 'a token that is valid from now with more in its header is accepted' POST /v1/urls/published read \
	'{"url":"'$at'",
	"visitor":{"jwtToken":"'$(jwt_make $secret '{"exp":'$((now + 600))',"nbf":'$now'}' '{ "typ": "JWT", "alg" : "HS256", "kid": "1" }')'"}}' 200 \
	'.apiToken | length > 0'
if [ $TRANSPORT = http ]; then
	audience_path=${at#"$base"}
	read_at "${audience_path}?jwt_token=$(jwt_make $secret "$good")"
	case $code.$(header set-cookie) in 303.octavo_visitor=*) pass ;; *) fail 'claims of a visitor become a cookie' "$code $(header set-cookie)" ;; esac
	read_at "${audience_path}?jwt_token=$(jwt_make wrong "$good")"
	same 'a badly signed token sets no cookie' ' ' "$(header set-cookie) "
fi
site_resolve $at '{"jwtToken":"'$(jwt_make $secret "$good")'"}'
cp "$tmp/tokens/site" "$tmp/tokens/pro"
t 'a visitor with claims reads the space' GET /v1/spaces/$one pro '' 200 ''
rev=$(jq -r .revision "$out")
t 'a visitor with the claim sees the page for it' GET /v1/spaces/$one/revisions/$rev/pages pro '' 200 '[.pages[].title] == ["Start", "Pro page"]'
t 'a visitor with the claim sees the text for it' GET /v1/spaces/$one/revisions/$rev/page/$start/document pro '' 200 \
	'[.. | objects | .text? // empty] | index("The pro words.") and (join("") | contains("Plan: pro."))'
t 'Markdown for a visitor is without conditions' GET "/v1/spaces/$one/revisions/$rev/page/$start?format=markdown" pro '' 200 \
	'.markdown | contains("The pro words.") and contains("Plan: pro.") and (contains("{%") | not)'
site_resolve $at '{"jwtToken":"'$(jwt_make $secret '{"plan":"free","exp":'$((now + 600))'}')'","unsignedClaims":{"plan":"pro"}}'
cp "$tmp/tokens/site" "$tmp/tokens/free"
t 'unsigned claims open no page for signed ones' GET /v1/spaces/$one/revisions/$rev/pages free '' 200 '[.pages[].title] == ["Start"]'
t 'unsigned claims open no text for signed ones' GET /v1/spaces/$one/revisions/$rev/page/$start/document free '' 200 \
	'[.. | objects | .text? // empty] | (index("The pro words.") | not) and (join("") | contains("Plan: free."))'
t 'Markdown is without the text for other claims' GET "/v1/spaces/$one/revisions/$rev/page/$start?format=markdown" free '' 200 \
	'.markdown | contains("Hello") and (contains("pro") | not)'
t 'search finds the pages that a visitor sees' POST $W/search free '{"query":"reader","mode":"all"}' 200 \
	'[.items[].pages[].title] == ["Start", "Start"] and ([.. | objects | .body? // empty] | join("") | contains("pro") | not)'
t 'search shows the text that a visitor sees' POST $W/search free '{"query":"hello"}' 200 '[.. | objects | .body? // empty] == ["Hello reader."]'
t 'search does not find words that a condition hides' POST $W/search free '{"query":"words"}' 200 '.items == []'
t 'search finds words for the visitor who sees them' POST $W/search pro '{"query":"words"}' 200 \
	'[.items[].pages[] | .title, .sections[].body] == ["Start", "The pro words."]'
t 'a member finds words behind a condition' GET "/v1/spaces/$one/search?query=words" admin '' 200 '.items | length == 1'
t 'search in one variant finds the page for a claim' POST $W/search pro \
	'{"query":"reader","mode":"current","siteSpaceId":"'$(send GET $W/site-spaces admin ''; jq -r '.items[0].id' "$out")'"}' 200 \
	'[.items[].pages[].title] | sort == ["Pro page", "Start"]'
t 'search in the default scope finds nothing in other variants' POST $W/search pro '{"query":"second","scope":{"mode":"default","restrictTo":[]}}' \
	200 '.items == []'
t 'a visitor reads the other space of the site' GET /v1/spaces/$two pro '' 200 ''
t 'meta links name the page of the other variant' GET /v1/spaces/$one/revisions/$rev/page/$start/meta-links pro '' 200 \
	'[.alternates[].space] == ["'$two'"] and (has("canonical") | not)'
t 'the signing key is regenerated' POST $W/publishing/auth/regenerate admin '' 200 '.privateKey != "'$secret'"'
t 'a visitor with the old key gets 401' GET /v1/spaces/$one pro '' 401 ''
t 'a member asks for claims' POST $SO/ping read '' 200 ''
ping=$(jq -r .serviceVisitorClaims "$out")
site_resolve $at '{"jwtToken":"'$ping'"}'
cp "$tmp/tokens/site" "$tmp/tokens/member"
t 'a member with their claims reads the space' GET /v1/spaces/$one member '' 200 ''
t 'a guest asks for claims' POST $SO/ping guest '' 200 ''
t 'claims of a guest without access answer 404' POST /v1/urls/published read \
	'{"url":"'$at'","visitor":{"jwtToken":"'$(jq -r .serviceVisitorClaims "$out")'"}}' 404 ''
t 'a member of another organization asks for claims' POST /v1/orgs/$ORG_B/ping other '' 200 ''
t 'claims of another organization lead to the sign-in URL' POST /v1/urls/published read \
	'{"url":"'$at'","visitor":{"jwtToken":"'$(jq -r .serviceVisitorClaims "$out")'"}}' 200 '.target == "external"'

# Previews, also of unpublished sites.
t 'the site is unpublished' POST $W/unpublish admin '' 200 ''
t 'a member gets 401 for an unpublished site' GET /v1/spaces/$one member '' 401 ''
t 'an admin gets a preview of an unpublished site' GET "$W/publishing/preview?claims=(plan:pro,unsigned:(n:1,l:!(a,'b%20c'),t:!t))" admin '' 200 \
	'.url | startswith("'$at'?jwt_token=")'
token=$(jq -r '.url | split("jwt_token=")[1]' "$out")
t 'a preview has a token of at most one hour' POST /v1/urls/published read '{"url":"'$at'","visitor":{"jwtToken":"'$token'"}}' 200 \
	'.preview and (.apiToken | split(".")[1] | @base64d | fromjson | .exp <= now + 3600)'
jq -r .apiToken "$out" >"$tmp/tokens/preview"
t 'a preview shows the pages of its claims' GET /v1/spaces/$one/revisions/$rev/pages preview '' 200 '.pages | length == 2'
for bad in '(a' '(a:1,a:2)' '(a:1b:2)' '{"a":1}x' '!(1)'; do
	t "claims of a preview that do not parse are refused: $bad" GET "$W/publishing/preview?claims=$(printf %s "$bad" | jq -sRr @uri)" admin '' 400 \
		'.fields[0].path == "/claims"'
done
t 'claims of a preview may be JSON' GET "$W/publishing/preview?claims=%7B%22a%22:1,%22A%22:-2e3%7D" admin '' 200 ''
t 'a reader gets no preview' GET $W/publishing/preview read '' 404 ''
t 'the site is made public' PATCH $W admin '{"visibility":"public"}' 200 ''
t 'the site is published again' POST $W/publish admin '' 200 ''

# Redirects.
t 'a site has no redirects at first' GET $W/redirects admin '' 200 '.items == []'
variant=$(send GET $W/site-spaces admin ''; jq -r '.items[1].id' "$out")
t 'a redirect to a page is created' POST $W/redirects admin '{"source":"/old/page","destination":{"kind":"site-page","siteSpaceId":"'$variant'",
	"pageId":"nothing"}}' 201 '.object == "site-redirect" and .source == "/old/page"'
redirect=$(jq -r .id "$out")
t 'a second redirect of the same source is refused' POST $W/redirects admin \
	'{"source":"/old/page","destination":{"kind":"external","url":"https://example.org/"}}' 409 ''
t 'a redirect to an unknown variant answers 404' POST $W/redirects admin '{"source":"/x","destination":{"kind":"site-space","siteSpaceId":"nothing"}}' 404 ''
t 'a source without a slash is refused' POST $W/redirects admin '{"source":"old","destination":{"kind":"external","url":"https://example.org/"}}' 400 ''
site_resolve $at
t 'a redirect to a missing page answers 404' GET "$W/redirect?source=%2Fold%2Fpage" site '' 404 ''
t 'a redirect gets another destination' PATCH $W/redirects/$redirect admin '{"destination":{"kind":"site-space","siteSpaceId":"'$variant'"}}' 200 \
	'.source == "/old/page" and .destination.kind == "site-space"'
t 'a redirect resolves to its destination' GET "$W/redirect?source=%2Fold%2Fpage" site '' 200 '.target == "'$at'two/" and .redirect.id == "'$redirect'"'
t 'a user resolves a redirect' GET "$W/redirect?source=/old/page" admin '' 200 ''
t 'an unknown source answers 404' GET "$W/redirect?source=%2Fother" site '' 404 ''
t 'redirects are filtered by their source' GET "$W/redirects?search=OLD" admin '' 200 '.count == 1'
t 'the source of a redirect is changed' PATCH $W/redirects/$redirect admin '{"source":"/older/page"}' 200 ''
t 'a redirect is found by its new source' GET "$W/redirects?search=OLDER" admin '' 200 '.count == 1'
t 'a filter that nothing matches finds no redirect' GET "$W/redirects?search=new" admin '' 200 '.count == 0'
t 'a redirect is deleted' DELETE $W/redirects/$redirect admin '' 204 ''
t 'a deleted redirect may be deleted again' DELETE $W/redirects/$redirect admin '' 204 ''
t 'a deleted redirect cannot be changed' PATCH $W/redirects/$redirect admin '{}' 404 ''

# The schema of visitors' claims.
t 'a site has no schema of claims at first' GET $W/adaptive-schema admin '' 404 '.error.message == "no visitor attributes schema found"'
t 'without a schema there are no template conditions' GET $W/adaptive-schema/template-conditions admin '' 200 '.items == []'
t 'a schema of claims is set' PUT $W/adaptive-schema admin '{"jsonSchema":{"$schema":"http://json-schema.org/draft-07/schema#","type":"object",
	"additionalProperties":false,"properties":{
	"beta":{"type":"boolean","description":"New"},"plan":{"type":"string","description":"Plan","enum":["free","pro"]},
	"a b":{"type":"array","description":"Words","items":{"type":"string","description":"A word"}},
	"unsigned":{"type":"object","description":"Unsigned claims of the site visitor.","properties":{"dark":{"type":"boolean","description":"Dark"},
		"a-b":{"type":"number","description":"Of no identifier"}},"additionalProperties":false}}}}' 200 '.object == "site-adaptive-schema"'
t 'template conditions follow the schema' GET $W/adaptive-schema/template-conditions admin '' 200 \
	'[.items[].condition] == ["visitor.claims.beta == true", "visitor.claims.beta != true",
	"visitor.claims.plan == \"free\"", "visitor.claims.plan == \"pro\"", "!!visitor.claims[\"a b\"]", "visitor.claims.unsigned?.dark == true",
		"visitor.claims.unsigned?.dark != true", "!!visitor.claims.unsigned?.[\"a-b\"]"]'
t 'an unknown type in a schema is refused' PUT $W/adaptive-schema admin '{"jsonSchema":{"type":"object","properties":{"x":{"type":"date"}}}}' 400 \
	'.fields[0].path == "/jsonSchema/properties/x/type"'
for open in '' ',"additionalProperties":true'; do
	t "a schema that is open to other claims is refused: $open" PUT $W/adaptive-schema admin \
		'{"jsonSchema":{"type":"object","properties":{}'"$open"'}}' 400 '.fields[0].path == "/jsonSchema/additionalProperties"'
done
sa_property() { t "a faulty property of a schema is refused: $1" PUT $W/adaptive-schema admin \
	'{"jsonSchema":{"type":"object","properties":{"x":'"$1"'},"additionalProperties":false}}' 400 \
	'.fields[0].path == "/jsonSchema/properties/x/'"$2"'"'; }
sa_property '{"type":"boolean"}' description
sa_property '{"type":"boolean","description":1}' description
sa_property '{"type":"integer","description":"n"}' type
sa_property '{"type":"string","description":"s","enum":[1]}' enum
sa_property '{"type":"array","description":"a"}' items
sa_property '{"type":"array","description":"a","items":{"type":"array"}}' items
sa_property '{"type":"array","description":"a","items":{"type":"string"}}' items/description
sa_property '{"type":"object","description":"o","properties":{}}' additionalProperties
t 'a refused schema leaves the old one' GET $W/adaptive-schema admin '' 200 '.jsonSchema.properties.beta.type == "boolean"'
# A hostname of a site, which the operator of the machine sets.
sa_hostname() { "$octavo" site hostname --dir "$dir" --json "$@" >"$tmp/cli" 2>"$tmp/cli.err"; }
yes 'a site gets a hostname' sa_hostname --site $site docs.audience.test
t 'a site with a hostname has its address there' GET $W admin '' 200 '.hostname == "docs.audience.test" and .urls.published == "http://docs.audience.test/"'
t 'variants of a site with a hostname have their addresses there' GET $W/site-spaces admin '' 200 \
	'.items[1].urls.published == "http://docs.audience.test/two/"'
t 'a site is found by its hostname' POST /v1/urls/published read '{"url":"https://docs.audience.test/two/"}' 200 \
	'.space == "'$two'" and .basePath == "/two/" and .siteBasePath == "/" and .canonicalUrl == "http://docs.audience.test/two/"'
t 'the address below the service redirects to the hostname' POST /v1/urls/published read '{"url":"'$at'two/"}' 200 \
	'. == {target: "content", redirect: "http://docs.audience.test/two/"}'
t 'a hostname names its site' GET /v1/custom-hostnames/docs.audience.test admin '' 200 '.target == {type: "site", site: "'$site'"} and .isActive'
t 'a hostname is read in any case' GET /v1/custom-hostnames/Docs.Audience.TEST admin '' 200 '.hostname == "docs.audience.test"'
t 'a reader may not read a hostname' GET /v1/custom-hostnames/docs.audience.test read '' 404 ''
t 'an unknown hostname answers 404' GET /v1/custom-hostnames/no.audience.test admin '' 404 ''
t 'a hostname may be checked again' PATCH /v1/custom-hostnames/docs.audience.test admin '' 204 ''
t 'an unknown hostname cannot be checked' PATCH /v1/custom-hostnames/no.audience.test admin '' 404 ''
for bad in "--site $site audience.test" "--site $site Docs.Audience.Test" "--site $site -a.b.c" "--site nothing docs.other.test" "--site $site"; do
	# shellcheck disable=SC2086
	if sa_hostname $bad; then fail "site hostname $bad" 'it was taken'; else pass; fi
done
t 'a reader deletes no hostname' DELETE /v1/custom-hostnames/docs.audience.test read '' 204 ''
t 'a hostname is deleted' DELETE /v1/custom-hostnames/docs.audience.test admin '' 204 ''
t 'a deleted hostname may be deleted again' DELETE /v1/custom-hostnames/docs.audience.test admin '' 204 ''
t 'a site without its hostname has the old address' GET $W admin '' 200 '.urls.published == "'$at'" and (has("hostname") | not)'
t 'the site is deleted' DELETE $W admin '' 204 ''
for gone in $one $two; do send DELETE /v1/spaces/$gone admin ''; done
