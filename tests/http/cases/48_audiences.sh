# Who may see a published site: share links, signed claims, previews; what redirects, schema and search tell them.
SO=/v1/orgs/$ORG
one=$(space_empty One) two=$(space_empty Two)
space_write $one '{"changes":[{"operation":"insert_page","ref":"a","title":"Start","document":{"markdown":"Hello reader.\n\n{% if visitor.claims.plan == \"pro\" %}\nThe pro words.\n{% endif %}\n\nPlan: <code class=\"expression\">visitor.claims.plan ?? \"none\"</code>."}},
	{"operation":"insert_page","ref":"b","document":{"markdown":"---\nif: visitor.claims.plan == \"pro\"\n---\n\n# Pro page\n\nReader of pro.\n"}}]}'
start=$(jq -r '.changes[0].page.id' "$tmp/written") pro=$(jq -r '.changes[1].page.id' "$tmp/written")
space_write $two '{"changes":[{"operation":"insert_page","ref":"a","title":"Start","slug":"start","document":{"markdown":"Second reader."}}]}'
t 'a site' POST $SO/sites admin '{"title":"Audience","spaces":["'$one'","'$two'"],"visibility":"share-link"}' 201 ''
site=$(jq -r .id "$out") W=$SO/sites/$(jq -r .id "$out")

# Share links.
t 'no link' GET $W/share-links admin '' 200 '.items == [] and .count == 0'
t 'a link before it is published' POST $W/share-links admin '{"name":"Partners"}' 201 '.object == "share-link" and .name == "Partners" and .active and .urls == {}'
link=$(jq -r .id "$out")
t 'published' POST $W/publish admin '' 200 ''
at=$(jq -r .urls.published "$out")
t 'its address' GET $W/share-links admin '' 200 '.count == 1 and (.items[0].urls.published | startswith("'$at'"))'
shared=$(jq -r '.items[0].urls.published' "$out") key=$(jq -r '.items[0].urls.published | split("/")[-2]' "$out")
t 'readers know none' GET $W/share-links read '' 404 ''
t 'without the key nothing is there' POST /v1/urls/published read '{"url":"'$at'start"}' 404 '.error.message == "no published content at this address"'
t 'nor with another' POST /v1/urls/published read '{"url":"'$at'x'$key'/"}' 404 ''
t 'with it' POST /v1/urls/published read '{"url":"'$shared'two/"}' 200 '.shareKey == "'$key'" and .space == "'$two'" and (.siteBasePath | endswith("/'$key'/")) and (.canonicalUrl == "'$shared'two/")'
site_resolve $shared
cp "$tmp/tokens/site" "$tmp/tokens/shared"
t 'its addresses have the key' GET $W/published shared '' 200 '[.structure.structure[].urls.published] == ["'$shared'", "'$shared'two/"]'
t 'with the key that it came by' GET "$W/published?shareKey=$key" shared '' 200 '.site.urls.published == "'$shared'"'
t 'another is ignored' GET "$W/published?shareKey=wrong" shared '' 200 '.site.urls.published == "'$shared'"'
t 'the space, by its token' GET "/v1/spaces/$two?shareKey=$key" shared '' 200 '.urls.published == "'$shared'two/"'
t 'with another key' GET "/v1/spaces/$two?shareKey=wrong" shared '' 200 '.urls.published == "'$shared'two/"'
t 'to a user, the address with the key' GET "/v1/spaces/$two?shareKey=$key" admin '' 200 '.urls.published == "'$shared'two/"'
t 'without a key, that without it' GET /v1/spaces/$two admin '' 200 '.urls.published == "'$at'two/"'
rev=$(jq -r .revision "$out")
t 'its revision, too' GET /v1/spaces/$two/revisions/$rev admin '' 200 '.urls.published == "'$at'two/" and (.urls | has("public") | not)'
tag=$(header ETag)
t 'unlisted' PATCH $W admin '{"visibility":"unlisted"}' 200 ''
t 'for everybody' GET /v1/spaces/$two/revisions/$rev admin '' 200 '.urls.public == "'$at'two/"' "If-None-Match: $tag"
t 'by share links' PATCH $W admin '{"visibility":"share-link"}' 200 ''
send POST /v1/spaces/$two/change-requests admin '{"subject":"x"}'
t 'that of a change request is nowhere' GET /v1/spaces/$two/change-requests/$(jq -r .number "$out")/content admin '' 200 '.urls | has("published") | not'
t 'a wrong key is ignored where the space may be read' GET "/v1/spaces/$two?shareKey=wrong" admin '' 200 '.urls.published == "'$at'two/"'
t 'nor for a space that the site does not show' GET "/v1/spaces/$SPACE?shareKey=$key" admin '' 200 '.urls | has("published") | not'
t 'a key gives no role' GET "/v1/spaces/$two?shareKey=$key" other '' 200 '.urls.published == "'$shared'two/" and ([.permissions[]] | any | not)'
t 'nor what is in it' GET "/v1/spaces/$two/content?shareKey=$key" other '' 404 ''
t 'site spaces with the key' GET "$W/site-spaces?shareKey=$key" admin '' 200 '[.items[].urls.published] == ["'$shared'", "'$shared'two/"]'
t 'site spaces with a wrong one' GET "$W/site-spaces?shareKey=wrong" admin '' 200 '[.items[].urls.published] == ["'$at'", "'$at'two/"]'
t 'sections with the key' GET "$W/sections?shareKey=$key" admin '' 200 '.items == []'
t 'sections with a wrong one' GET "$W/sections?shareKey=wrong" admin '' 200 '.items == []'
t 'for users, too' GET "$W/published?shareKey=$key" admin '' 200 '.structure.structure[0].urls.published == "'$shared'"'
t 'a wrong one' GET "$W/published?shareKey=wrong" admin '' 200 '.structure.structure[0].urls.published == "'$at'"'

# A key opens what the caller may not read otherwise, in each operation that takes one: as whoever has the link sees it.
k_closed=$(space_empty 'Keyed, hidden')
get $W/site-spaces admin
t 'a redirect' POST $W/redirects admin '{"source":"/old","destination":{"kind":"site-space","siteSpaceId":"'$(jq -r '.items[1].id' "$out")'"}}' 201 ''
k_redirect=$(jq -r .id "$out")
t 'a space by default for nobody' PATCH /v1/spaces/$two admin '{"defaultLevel":null}' 200 ''
t 'a site space' POST $W/site-spaces admin '{"spaceId":"'$k_closed'"}' 201 ''
t 'that visitors do not see' PATCH $W/site-spaces/$(jq -r .id "$out") admin '{"condition":"visitor.claims.staff"}' 200 ''
t 'another site' POST $SO/sites admin '{"title":"Keyed otherwise","spaces":["'$one'"],"visibility":"share-link"}' 201 ''
k_site=$(jq -r .id "$out")
t 'its link' POST $SO/sites/$k_site/share-links admin '{"name":"Others"}' 201 ''
t 'published, too' POST $SO/sites/$k_site/publish admin '' 200 ''
t 'its key' GET $SO/sites/$k_site/share-links admin '' 200 ''
k_other=$(jq -r '.items[0].urls.published | split("/")[-2]' "$out") k_shared=$(jq -r '.items[0].urls.published' "$out")
site_resolve $k_shared
cp "$tmp/tokens/site" "$tmp/tokens/k_site"
get /v1/openapi.json
k_ops=$(jq -r '[.paths | to_entries[] | select(any(.value.get.parameters[]?; .name == "shareKey")) | .key] | sort[]' "$out")
# Each of them, and what it has to say of what visitors see: by_key NAME WHO STATUS KEY
by_key() {
	for bk_op in $k_ops; do
		bk_path=/v1$(echo "$bk_op" | sed "s/{organizationId}/$ORG/; s/{siteId}/$site/; s/{spaceId}/$two/") bk_more=
		case $bk_op in
		*/redirect) bk_more='&source=/old' bk_see='(.target | contains("'$key'"))' ;;
		*/site-spaces) bk_see='.count == 2 and [.items[].urls.published] == ["'$shared'", "'$shared'two/"] and ([.items[].condition] == [null, null])' ;;
		*/sections) bk_see='.count == 0 and .items == []' ;;
		*/structure) bk_see='[.structure[].urls.published] == ["'$shared'", "'$shared'two/"]' ;;
		*/published) bk_see='.site.siteSpaces == 2 and .site.urls.published == "'$shared'" and [.structure.structure[].urls.published] == ["'$shared'", "'$shared'two/"]' ;;
		/spaces/{spaceId}) bk_see='.urls.published == "'$shared'two/" and ([.permissions[]] | any) == '$([ $2 = k_site ] && echo true || echo false) ;;
		*) bk_see='false' ;;
		esac
		[ "$3" = 200 ] || bk_see='.error.message | test("key") | not'
		# To a site's token some of them are not there.
		[ "$2" = k_site ] && case $bk_op in */site-spaces | */sections | */structure) continue ;; esac
		t "$1: $bk_op" GET "$bk_path?shareKey=$4$bk_more" $2 '' $3 "$bk_see"
	done
}
same 'operations that take a key' 6 "$(echo "$k_ops" | wc -l)"
by_key 'the key, with no role here' read 200 $key
by_key 'the key, to a guest' guest 200 $key
by_key 'the key, to a member of another organization' other 200 $key
by_key 'the key, to the token of another site' k_site 200 $key
for k_who in read guest other k_site; do by_key "a wrong one, $k_who" $k_who 404 no; done
by_key 'the key of another site' other 404 $k_other
by_key 'one that is too long' other 404 $(printf %600s x | tr ' ' x)
by_key 'one in a broken query' other 404 '%zz'
t 'without a token it opens nothing' GET "$W/published?shareKey=$key" '' '' 401 ''
t 'nor what visitors do not see' GET "/v1/spaces/$k_closed?shareKey=$key" other '' 404 ''
t 'nor another space' GET "/v1/spaces/$SPACE?shareKey=$key" other '' 404 ''
t 'nor another site' GET "$SO/sites/$k_site/published?shareKey=$key" other '' 404 ''
t 'nor in the name of another organization' GET "/v1/orgs/$ORG_B/sites/$site/published?shareKey=$key" other '' 404 ''
t 'nor a page' GET "/v1/spaces/$two/content?shareKey=$key" other '' 404 ''
t 'nor a change' PATCH "/v1/spaces/$two?shareKey=$key" other '{"title":"x"}' 404 ''
t 'nor its deletion' DELETE "/v1/spaces/$two?shareKey=$key" other '' 204 ''
t 'it is there' GET /v1/spaces/$two admin '' 200 '.title == "Two"'
t 'who may read it reads as they do without' GET "/v1/spaces/$one?shareKey=$key" read '' 200 '.permissions.view'
t 'and sees what they see' GET "$W/site-spaces?shareKey=$key" admin '' 200 '.count == 3'
t 'public, to readers' PATCH $W admin '{"visibility":"public"}' 200 ''
t 'counts are of what they see' GET $W read '' 200 '.siteSpaces == 2'
t 'to who manages it, of all' GET $W admin '' 200 '.siteSpaces == 3'
by_key 'the site is open by another way' other 404 $key
t 'by links again' PATCH $W admin '{"visibility":"share-link"}' 200 ''
t 'closed' PATCH $W/share-links/$link admin '{"active":false}' 200 ''
by_key 'a key that was closed' other 404 $key
by_key 'a key that was closed, to a reader' read 404 $key
t 'and opened' PATCH $W/share-links/$link admin '{"active":true}' 200 ''
by_key 'a key that was opened' other 200 $key
t 'the other site goes' DELETE $SO/sites/$k_site admin '' 204 ''
t 'without the redirect' DELETE $W/redirects/$k_redirect admin '' 204 ''
t 'and what was hidden' DELETE /v1/spaces/$k_closed admin '' 204 ''
t 'to everybody again' PATCH /v1/spaces/$two admin '{"defaultLevel":"inherit"}' 200 ''
t 'another name' PATCH $W/share-links/$link admin '{"name":"Friends"}' 200 '.name == "Friends" and .active'
t 'still open' GET $W/published shared '' 200 ''
t 'revoked' PATCH $W/share-links/$link admin '{"active":false}' 200 '.active == false'
t 'closed at once' GET $W/published shared '' 401 ''
t 'its key counts no more' GET "/v1/spaces/$two?shareKey=$key" admin '' 200 '.urls.published == "'$at'two/"'
t 'nor in lists' GET "$W/site-spaces?shareKey=$key" admin '' 200 '[.items[].urls.published] == ["'$at'", "'$at'two/"]'
t 'the address, too' POST /v1/urls/published read '{"url":"'$shared'"}' 404 ''
t 'open again' PATCH $W/share-links/$link admin '{"active":true}' 200 ''
t 'it is' GET $W/published shared '' 200 ''
t 'narrower' PATCH $W admin '{"visibility":"visitor-auth"}' 200 ''
t 'a link opens it no more' GET $W/published shared '' 401 ''
t 'deleted' DELETE $W/share-links/$link admin '' 204 ''
t 'gone already' DELETE $W/share-links/$link admin '' 204 ''
t 'no such link' PATCH $W/share-links/$link admin '{"name":"x"}' 404 ''

# Signed claims.
t 'nobody sends them anywhere' POST /v1/urls/published read '{"url":"'$at'start"}' 404 ''
t 'the key' GET $W/publishing/auth admin '' 200 '.object == "publishing-auth" and .backend == "custom" and (.privateKey | length > 30) and (has("fallbackURL") | not)'
secret=$(jq -r .privateKey "$out")
t 'it stays' GET $W/publishing/auth admin '' 200 '.privateKey == "'$secret'"'
t 'readers know none' GET $W/publishing/auth read '' 404 ''
t 'where to get claims' PATCH $W/publishing/auth admin '{"fallbackURL":"https://sign.example/in?x=1"}' 200 '.fallbackURL == "https://sign.example/in?x=1" and .privateKey == "'$secret'"'
t 'visitors are sent there' POST /v1/urls/published read '{"url":"'$at'two/a%20b"}' 200 '. == {target: "external", redirect: "https://sign.example/in?x=1&location=two%2Fa%20b"}'
[ $TRANSPORT != http ] || same 'by octavo-site, too' "https://sign.example/in?x=1&location=two%2Fa%20b" \
	"$(curl -sg -m 30 -o /dev/null -w '%{redirect_url}' "${at}two/a%20b")"
t 'adaptive' PATCH $W admin '{"adaptiveContent":{"enabled":true}}' 200 ''
now=$(date +%s)
good='{"plan":"pro","exp":'$((now + 600))',"unsigned":{"beta":true}}'
for bad in "$(jwt_make wrong "$good")" "$(jwt_make $secret '{"plan":"pro"}')" "$(jwt_make $secret '{"plan":"pro","exp":'$((now - 5))'}')" \
	"$(jwt_make $secret '{"exp":'$((now + 600))',"nbf":'$((now + 60))'}')" "$(jwt_make $secret '{"exp":'$((now + 600))',"nbf":"1"}')" \
	"$(jwt_make $secret '{"exp":1,"exp":'$((now + 600))'}')" "$(jwt_make $secret '{"exp":'$((now + 600))',"plan":"free","plan":"pro"}')" \
	"$(jwt_make $secret '{"exp":'$((now + 600))',"a":[{"b":1,"b":2}]}')" "$(jwt_make $secret "$good" '{"alg":"HS256","crit":["exp"]}')" \
	"$(jwt_make $secret "$good" '{"alg":"HS256","crit":[]}')" "$(jwt_make $secret "$good" '{"alg":"none","alg":"HS256"}')" \
	"$(jwt_make $secret "$good" '{"kid":"\"alg\":\"HS256\""}')" "$(jwt_make $secret "$good" '{"alg":"hs256"}')" "$(jwt_make $secret "$good" '["alg","HS256"]')" \
	"$(jwt_make $secret "$good" '{"alg":"none"}')" "$(jwt_make $secret "$good" '{"alg":"HS512"}')" "$(jwt_make $secret "$good" | sed 's/[^.]*$//')" 'a.b.c' ''; do
	t "refused: $(echo "$bad" | cut -c1-12)" POST /v1/urls/published read '{"url":"'$at'","visitor":{"jwtToken":"'$bad'"}}' 200 '.target == "external"'
done
t 'signed just now, with more in its header' POST /v1/urls/published read '{"url":"'$at'","visitor":{"jwtToken":"'$(jwt_make $secret '{"exp":'$((now + 600))',"nbf":'$now'}' '{ "typ": "JWT", "alg" : "HS256", "kid": "1" }')'"}}' 200 '.apiToken | length > 0'
if [ $TRANSPORT = http ]; then
	audience_path=${at#"$base"}
	read_at "${audience_path}?jwt_token=$(jwt_make $secret "$good")"
	case $code.$(header set-cookie) in 303.octavo_visitor=*) pass ;; *) fail 'claims become a cookie' "$code $(header set-cookie)" ;; esac
	read_at "${audience_path}?jwt_token=$(jwt_make wrong "$good")"
	same 'what opens nothing becomes none' ' ' "$(header set-cookie) "
fi
site_resolve $at '{"jwtToken":"'$(jwt_make $secret "$good")'"}'
cp "$tmp/tokens/site" "$tmp/tokens/pro"
t 'let in' GET /v1/spaces/$one pro '' 200 ''
rev=$(jq -r .revision "$out")
t 'with claims' GET /v1/spaces/$one/revisions/$rev/pages pro '' 200 '[.pages[].title] == ["Start", "Pro page"]'
t 'what they open' GET /v1/spaces/$one/revisions/$rev/page/$start/document pro '' 200 '[.. | objects | .text? // empty] | index("The pro words.") and (join("") | contains("Plan: pro."))'
t 'in Markdown' GET "/v1/spaces/$one/revisions/$rev/page/$start?format=markdown" pro '' 200 '.markdown | contains("The pro words.") and contains("Plan: pro.") and (contains("{%") | not)'
site_resolve $at '{"jwtToken":"'$(jwt_make $secret '{"plan":"free","exp":'$((now + 600))'}')'","unsignedClaims":{"plan":"pro"}}'
cp "$tmp/tokens/site" "$tmp/tokens/free"
t 'other claims; what nobody signed opens nothing' GET /v1/spaces/$one/revisions/$rev/pages free '' 200 '[.pages[].title] == ["Start"]'
t 'nor a part of a page' GET /v1/spaces/$one/revisions/$rev/page/$start/document free '' 200 '[.. | objects | .text? // empty] | (index("The pro words.") | not) and (join("") | contains("Plan: free."))'
t 'nor in Markdown' GET "/v1/spaces/$one/revisions/$rev/page/$start?format=markdown" free '' 200 '.markdown | contains("Hello") and (contains("pro") | not)'
t 'search' POST $W/search free '{"query":"reader","mode":"all"}' 200 '[.items[].pages[].title] == ["Start", "Start"] and ([.. | objects | .body? // empty] | join("") | contains("pro") | not)'
t 'search shows what they see' POST $W/search free '{"query":"hello"}' 200 '[.. | objects | .body? // empty] == ["Hello reader."]'
t 'words that a condition hides find nothing' POST $W/search free '{"query":"words"}' 200 '.items == []'
t 'but for whom it holds' POST $W/search pro '{"query":"words"}' 200 '[.items[].pages[] | .title, .sections[].body] == ["Start", "The pro words."]'
t 'who writes them finds them' GET "/v1/spaces/$one/search?query=words" admin '' 200 '.items | length == 1'
t 'search of pro' POST $W/search pro '{"query":"reader","mode":"current","siteSpaceId":"'$(send GET $W/site-spaces admin ''; jq -r '.items[0].id' "$out")'"}' 200 '[.items[].pages[].title] | sort == ["Pro page", "Start"]'
t 'search as newer clients ask' POST $W/search pro '{"query":"second","scope":{"mode":"default","restrictTo":[]}}' 200 '.items == []'
t 'other pages at this path' GET /v1/spaces/$two pro '' 200 ''
t 'meta links' GET /v1/spaces/$one/revisions/$rev/page/$start/meta-links pro '' 200 '[.alternates[].space] == ["'$two'"] and (has("canonical") | not)'
t 'a new key' POST $W/publishing/auth/regenerate admin '' 200 '.privateKey != "'$secret'"'
t 'closes at once' GET /v1/spaces/$one pro '' 401 ''
t 'members come by their ping' POST $SO/ping read '' 200 ''
ping=$(jq -r .serviceVisitorClaims "$out")
site_resolve $at '{"jwtToken":"'$ping'"}'
cp "$tmp/tokens/site" "$tmp/tokens/member"
t 'a member' GET /v1/spaces/$one member '' 200 ''
t 'a guest asks' POST $SO/ping guest '' 200 ''
t 'a guest sees nothing' POST /v1/urls/published read '{"url":"'$at'","visitor":{"jwtToken":"'$(jq -r .serviceVisitorClaims "$out")'"}}' 404 ''
t 'somebody of another organization' POST /v1/orgs/$ORG_B/ping other '' 200 ''
t 'is sent away' POST /v1/urls/published read '{"url":"'$at'","visitor":{"jwtToken":"'$(jq -r .serviceVisitorClaims "$out")'"}}' 200 '.target == "external"'

# Previews, of what is not published as well.
t 'unpublished' POST $W/unpublish admin '' 200 ''
t 'members are out' GET /v1/spaces/$one member '' 401 ''
t 'a preview' GET "$W/publishing/preview?claims=(plan:pro,unsigned:(n:1,l:!(a,'b%20c'),t:!t))" admin '' 200 '.url | startswith("'$at'?jwt_token=")'
token=$(jq -r '.url | split("jwt_token=")[1]' "$out")
t 'what it claims' POST /v1/urls/published read '{"url":"'$at'","visitor":{"jwtToken":"'$token'"}}' 200 '.preview and (.apiToken | split(".")[1] | @base64d | fromjson | .exp <= now + 3600)'
jq -r .apiToken "$out" >"$tmp/tokens/preview"
t 'as that visitor' GET /v1/spaces/$one/revisions/$rev/pages preview '' 200 '.pages | length == 2'
for bad in '(a' '(a:1,a:2)' '(a:1b:2)' '{"a":1}x' '!(1)'; do
	t "claims that are none: $bad" GET "$W/publishing/preview?claims=$(printf %s "$bad" | jq -sRr @uri)" admin '' 400 '.fields[0].path == "/claims"'
done
t 'claims in JSON, in other cases' GET "$W/publishing/preview?claims=%7B%22a%22:1,%22A%22:-2e3%7D" admin '' 200 ''
t 'readers make none' GET $W/publishing/preview read '' 404 ''
t 'public' PATCH $W admin '{"visibility":"public"}' 200 ''
t 'published again' POST $W/publish admin '' 200 ''

# Redirects.
t 'no redirect' GET $W/redirects admin '' 200 '.items == []'
variant=$(send GET $W/site-spaces admin ''; jq -r '.items[1].id' "$out")
t 'one' POST $W/redirects admin '{"source":"/old/page","destination":{"kind":"site-page","siteSpaceId":"'$variant'","pageId":"nothing"}}' 201 '.object == "site-redirect" and .source == "/old/page"'
redirect=$(jq -r .id "$out")
t 'twice' POST $W/redirects admin '{"source":"/old/page","destination":{"kind":"external","url":"https://example.org/"}}' 409 ''
t 'no such site space' POST $W/redirects admin '{"source":"/x","destination":{"kind":"site-space","siteSpaceId":"nothing"}}' 404 ''
t 'a source that is none' POST $W/redirects admin '{"source":"old","destination":{"kind":"external","url":"https://example.org/"}}' 400 ''
site_resolve $at
t 'a page that is not there' GET "$W/redirect?source=%2Fold%2Fpage" site '' 404 ''
t 'changed' PATCH $W/redirects/$redirect admin '{"destination":{"kind":"site-space","siteSpaceId":"'$variant'"}}' 200 '.source == "/old/page" and .destination.kind == "site-space"'
t 'found' GET "$W/redirect?source=%2Fold%2Fpage" site '' 200 '.target == "'$at'two/" and .redirect.id == "'$redirect'"'
t 'found by a user' GET "$W/redirect?source=/old/page" admin '' 200 ''
t 'another' GET "$W/redirect?source=%2Fother" site '' 404 ''
t 'filtered' GET "$W/redirects?search=OLD" admin '' 200 '.count == 1'
t 'not found' GET "$W/redirects?search=new" admin '' 200 '.count == 0'
t 'deleted' DELETE $W/redirects/$redirect admin '' 204 ''
t 'gone already' DELETE $W/redirects/$redirect admin '' 204 ''
t 'no such redirect' PATCH $W/redirects/$redirect admin '{}' 404 ''

# What visitors may claim.
t 'no schema' GET $W/adaptive-schema admin '' 404 '.error.message == "no visitor attributes schema found"'
t 'no conditions' GET $W/adaptive-schema/template-conditions admin '' 200 '.items == []'
t 'a schema' PUT $W/adaptive-schema admin '{"jsonSchema":{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","additionalProperties":false,"properties":{
	"beta":{"type":"boolean","description":"New"},"plan":{"type":"string","description":"Plan","enum":["free","pro"]},
	"a b":{"type":"array","description":"Words","items":{"type":"string","description":"A word"}},
	"unsigned":{"type":"object","description":"Unsigned claims of the site visitor.","properties":{"dark":{"type":"boolean","description":"Dark"},"a-b":{"type":"number","description":"Of no identifier"}},"additionalProperties":false}}}}' 200 '.object == "site-adaptive-schema"'
t 'its conditions' GET $W/adaptive-schema/template-conditions admin '' 200 '[.items[].condition] == ["visitor.claims.beta == true", "visitor.claims.beta != true",
	"visitor.claims.plan == \"free\"", "visitor.claims.plan == \"pro\"", "!!visitor.claims[\"a b\"]", "visitor.claims.unsigned?.dark == true", "visitor.claims.unsigned?.dark != true", "!!visitor.claims.unsigned?.[\"a-b\"]"]'
t 'a type that is none' PUT $W/adaptive-schema admin '{"jsonSchema":{"type":"object","properties":{"x":{"type":"date"}}}}' 400 '.fields[0].path == "/jsonSchema/properties/x/type"'
for open in '' ',"additionalProperties":true'; do
	t "open: $open" PUT $W/adaptive-schema admin '{"jsonSchema":{"type":"object","properties":{}'"$open"'}}' 400 '.fields[0].path == "/jsonSchema/additionalProperties"'
done
sa_property() { t "a property: $1" PUT $W/adaptive-schema admin '{"jsonSchema":{"type":"object","properties":{"x":'"$1"'},"additionalProperties":false}}' 400 '.fields[0].path == "/jsonSchema/properties/x/'"$2"'"'; }
sa_property '{"type":"boolean"}' description
sa_property '{"type":"boolean","description":1}' description
sa_property '{"type":"integer","description":"n"}' type
sa_property '{"type":"string","description":"s","enum":[1]}' enum
sa_property '{"type":"array","description":"a"}' items
sa_property '{"type":"array","description":"a","items":{"type":"array"}}' items
sa_property '{"type":"array","description":"a","items":{"type":"string"}}' items/description
sa_property '{"type":"object","description":"o","properties":{}}' additionalProperties
t 'it stays' GET $W/adaptive-schema admin '' 200 '.jsonSchema.properties.beta.type == "boolean"'
# A hostname of its own, which whoever runs the machine gives it.
sa_hostname() { "$octavo" site hostname --dir "$dir" --json "$@" >"$tmp/cli" 2>"$tmp/cli.err"; }
yes 'a hostname' sa_hostname --site $site docs.audience.test
t 'its address' GET $W admin '' 200 '.hostname == "docs.audience.test" and .urls.published == "http://docs.audience.test/"'
t 'of its spaces' GET $W/site-spaces admin '' 200 '.items[1].urls.published == "http://docs.audience.test/two/"'
t 'looked up' POST /v1/urls/published read '{"url":"https://docs.audience.test/two/"}' 200 '.space == "'$two'" and .basePath == "/two/" and .siteBasePath == "/" and .canonicalUrl == "http://docs.audience.test/two/"'
t 'and below this service, still' POST /v1/urls/published read '{"url":"'$at'two/"}' 200 '. == {target: "content", redirect: "http://docs.audience.test/two/"}'
t 'whose it is' GET /v1/custom-hostnames/docs.audience.test admin '' 200 '.target == {type: "site", site: "'$site'"} and .isActive'
t 'in any case' GET /v1/custom-hostnames/Docs.Audience.TEST admin '' 200 '.hostname == "docs.audience.test"'
t 'readers know none' GET /v1/custom-hostnames/docs.audience.test read '' 404 ''
t 'nobody has that' GET /v1/custom-hostnames/no.audience.test admin '' 404 ''
t 'again' PATCH /v1/custom-hostnames/docs.audience.test admin '' 204 ''
t 'nothing to look at' PATCH /v1/custom-hostnames/no.audience.test admin '' 404 ''
for bad in "--site $site audience.test" "--site $site Docs.Audience.Test" "--site $site -a.b.c" "--site nothing docs.other.test" "--site $site"; do
	# shellcheck disable=SC2086
	if sa_hostname $bad; then fail "site hostname $bad" 'it was taken'; else pass; fi
done
t 'readers delete nothing' DELETE /v1/custom-hostnames/docs.audience.test read '' 204 ''
t 'taken off' DELETE /v1/custom-hostnames/docs.audience.test admin '' 204 ''
t 'gone already' DELETE /v1/custom-hostnames/docs.audience.test admin '' 204 ''
t 'its address is the old one' GET $W admin '' 200 '.urls.published == "'$at'" and (has("hostname") | not)'
t 'gone' DELETE $W admin '' 204 ''
for gone in $one $two; do send DELETE /v1/spaces/$gone admin ''; done
