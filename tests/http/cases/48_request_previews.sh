# Previews of sites with the content of a change request.
rp_s=$(space_empty 'Previewed') rp_o=$(space_empty 'Beside') RP=/v1/spaces/$rp_s/change-requests
# A picture of one dot.
rp_dot=iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==
t 'there is an API description' POST /v1/orgs/$ORG/openapi create '{"slug":"rp-pets",
	"source":{"text":"openapi: 3.0.3\ninfo: {title: Pets, version: \"1\"}\npaths: {}\ncomponents: {schemas: {Pet: {type: object}}}\n"}}' 201 ''
jobs_once >/dev/null 2>&1
space_write "$rp_s" '{"changes":[
	{"operation":"insert_page","title":"First","document":{"markdown":"Published words.\n"}},
	{"operation":"insert_page","title":"Moved","document":{"markdown":"Of a page that moves.\n"}},
	{"operation":"insert_page","title":"Gone","document":{"markdown":"Of a page that goes.\n"}},
	{"operation":"insert_page","title":"Api","document":{"markdown":
	"{% openapi-schemas spec=\"rp-pets\" schemas=\"Pet\" %}\n{% endopenapi-schemas %}\n"}}]}' >/dev/null
space_write "$rp_o" '{"changes":[{"operation":"insert_page","title":"Beside","document":{"markdown":"Words of the other space.\n"}}]}' >/dev/null
get /v1/spaces/$rp_s/content/pages
rp_first=$(jq -r '.pages[0].id' "$out") rp_moved=$(jq -r '.pages[1].id' "$out") rp_gone=$(jq -r '.pages[2].id' "$out") rp_api=$(jq -r '.pages[3].id' "$out")
send POST $RP edit '{"subject":"Draft <of> words"}'; rp_r=$RP/$(jq -r .id "$out") rp_id=$(jq -r .id "$out") rp_n=$(jq -r .number "$out")
t 'a space without a site has no preview' GET $rp_r/previews read '' 200 '.items == [] and .count == 0'
t 'a site for the request is created' POST /v1/orgs/$ORG/sites admin '{"title":"Previewed","visibility":"public","spaces":["'$rp_s'","'$rp_o'"]}' 201 ''
rp_site=$(jq -r .id "$out") rp_at=/sites/$ORG_NAME/$(jq -r .basename "$out")
t 'a member without a role on a site that is not published has no preview of it' GET $rp_r/previews edit '' 200 '.count == 0'
t 'who manages the site has one' GET $rp_r/previews admin '' 200 '[.items[].id] == ["'$rp_site'"] and .count == 1'
rp_url=$(jq -r '.items[0].url' "$out")
t 'the site is published' POST /v1/orgs/$ORG/sites/$rp_site/publish admin '' 200 ''
t 'the request changes pages and adds a picture' POST "$rp_r/content?compat=false" edit '{"changes":[
	{"operation":"insert_files","files":[{"ref":"dot","name":"branch dot.png","base64":"'$rp_dot'"}]},
	{"operation":"update_page","page":"'$rp_first'","document":{"markdown":"Words of the branch.\n\n![](./dot)\n\n[moved](/pages/'$rp_moved')\n"}},
	{"operation":"insert_page","title":"Added","document":{"markdown":"Only in the branch: platypus.\n"}},
	{"operation":"update_page","page":"'$rp_moved'","title":"Renamed","slug":"renamed"},
	{"operation":"delete_page","page":"'$rp_gone'"}]}' 200 ''
t 'a member has a preview of the published site' GET $rp_r/previews edit '' 200 \
	'.count == 1 and (.items[0] | .title == "Previewed" and (.url | contains("'$rp_at'/?jwt_token=")))'
rp_jwt=$(jq -r '.items[0].url | split("jwt_token=")[1]' "$out")
t 'the token names no claims, and works for an hour' GET $rp_r/previews edit '' 200 \
	'.items[0].url | split("jwt_token=")[1] | split(".")[1] | gsub("-"; "+") | gsub("_"; "/") | . + "==="[:(4 - length % 4) % 4] |
	@base64d | fromjson | .request == "'$rp_id'" and .sub == "'$U_edit'" and
	.site == "'$rp_site'" and (has("claims") | not) and .exp <= now + 3600 and .exp > now + 3500'
t 'a preview begins with the page of the query' GET "$rp_r/previews?pageId=$rp_moved" edit '' 200 '.items[0].url | contains("'$rp_at'/renamed?jwt_token=")'
t 'or with the first one if the branch lacks it' GET "$rp_r/previews?pageId=$rp_gone" edit '' 200 '.items[0].url | contains("'$rp_at'/?jwt_token=")'
t 'or if there is none' GET "$rp_r/previews?pageId=nope" edit '' 200 '.items[0].url | contains("'$rp_at'/?jwt_token=")'
t 'the number of previews alone' GET "$rp_r/previews?limit=0" edit '' 200 '.items == [] and .count == 1'
t 'a stranger gets no preview' GET $rp_r/previews stranger '' 404 ''
t 'a guest without a grant gets none' GET $rp_r/previews guest '' 404 ''
t 'a request of another space has none' GET /v1/spaces/$rp_o/change-requests/$rp_id/previews admin '' 404 ''
t 'the token opens nothing for renderers' POST /v1/urls/published read \
	'{"url":"'$base$rp_at'/added","visitor":{"jwtToken":"'$rp_jwt'"}}' 200 'has("preview") | not'
t 'a page token that no answer had is refused' GET "$rp_r/previews?page=x" edit '' 400 ''

if [ $TRANSPORT = http ]; then
previewed() { read_at "$rp_at$1" -H "Cookie: octavo_visitor=$rp_jwt"; }
published() { read_at "$rp_at$1"; }
# The web server and the program store these pages.
for rp_try in 1 2; do published /; published /moved; published /gone; done

read_at "$rp_at/?jwt_token=$rp_jwt"
same 'the token goes into a cookie' "303 $below$rp_at/" "$code $(header location)"
case $(header set-cookie) in "octavo_visitor=$rp_jwt; Path=$below$rp_at/; HttpOnly; SameSite=Lax"*) pass ;;
	*) fail 'the cookie is of the site' "$(header set-cookie)" ;; esac
previewed /
same 'the preview is shown' 200 "$code"
holds 'the preview has the words of the branch' 'Words of the branch.'
lacks 'the preview lacks the published words' 'Published words.'
same 'the preview is stored nowhere' 'no-store ' "$(header cache-control) $(header etag)"
holds 'the preview is not indexed' '<meta name="robots" content="noindex">'
holds 'a bar names the request, escaped' "/app/spaces/$rp_s/requests/$rp_n\">#$rp_n Draft &lt;of&gt; words</a>"
holds 'the bar says what search finds' 'Search finds what is published.'
env OCTAVO_DIR="$dir" OCTAVO_URL="$base" OCTAVO_APP=0 GATEWAY_INTERFACE=CGI/1.1 REQUEST_METHOD=GET REQUEST_URI="$rp_at/" \
	HTTP_COOKIE="octavo_visitor=$rp_jwt" "$OCTAVO_BUILD/octavo-site" >"$out"
holds 'without the application the bar has no link' "<bdi>#$rp_n Draft &lt;of&gt; words</bdi>"
holds 'the navigation has the page of the branch' "<a href=\"$below$rp_at/added\">Added</a>"
lacks 'the navigation lacks the page that the branch deleted' "$rp_at/gone"
holds 'a link leads to the new address' "<a href=\"$below$rp_at/renamed\">moved</a>"
rp_file=$(grep -o "[^\"]*~file/[^\"]*branch%20dot.png" "$out" | head -n 1)
previewed "${rp_file#"$below$rp_at"}"
same 'a picture of the branch is sent' '200 image/png no-store' "$code $(header content-type) $(header cache-control)"
same 'its bytes are right' "$(printf %s $rp_dot | base64 -d | cksum)" "$(cksum <"$out")"
published "${rp_file#"$below$rp_at"}"
same 'others do not get the picture' 404 "$code"
previewed /added
same 'a page that only the branch has is shown' 200 "$code"
holds 'with its words' platypus
previewed /renamed
same 'a renamed page is at its new address' 200 "$code"
previewed /moved
same 'and redirects from its former one' "302 $below$rp_at/renamed" "$code $(header location)"
previewed /gone
same 'a page that the branch deleted is missing' '404 no-store' "$code $(header cache-control)"
previewed /added.md
holds 'the preview has Markdown' platypus
same 'which is not stored either' no-store "$(header cache-control)"
previewed '/~search?q=platypus'
lacks 'search does not find the words of the branch' 'Only in the branch'
previewed '/~search?q=published'
lacks 'nor links to words that the branch deleted' "$rp_at/gone"
previewed /sitemap.xml
same 'the sitemap of a preview is not stored' no-store "$(header cache-control)"
previewed /beside/
holds 'the other space of the site is as published' 'Words of the other space.'
previewed / -H 'If-None-Match: *'
same 'a preview has no 304' 200 "$code"

published /
holds 'others see the published words' 'Published words.'
lacks 'others see no bar' 'class="preview"'
for rp_page in /added /renamed /added.md; do
	published $rp_page
	same "others find no page of the branch: $rp_page" 404 "$code"
done
published /gone
same 'others find the page that the branch deleted' 200 "$code"
same 'no file of the cache has words of the branch' '' "$(grep -rl 'Words of the branch\|platypus' "$dir/cache" 2>/dev/null)"
yes 'the published page was stored' grep -rqs 'Published words' "$dir/cache"

# The preview follows the branch.
t 'the request is written again' POST $rp_r/content edit \
	'{"changes":[{"operation":"update_page","page":"'$rp_first'","document":{"markdown":"Newer words.\n"}}]}' 200 ''
previewed /
holds 'the preview has the newest words' 'Newer words.'
space_write "$rp_s" '{"changes":[{"operation":"insert_page","title":"Later","document":{"markdown":"Later words.\n"}}]}' >/dev/null
previewed /later
same 'what the branch lacks is not in the preview' 404 "$code"
t 'the request is updated' POST $rp_r/update edit '' 200 ''
previewed /later
same 'after the update it is' 200 "$code"

# Tokens that must open nothing.
rp_sign=${rp_jwt##*.} rp_head=${rp_jwt%%.*}
rp_forged() { printf '%s.%s.%s' "$rp_head" "$(printf %s "$1" | jwt_base64)" "$rp_sign"; }
read_at $rp_at/added -H "Cookie: octavo_visitor=$(rp_forged '{"site":"'$rp_site'","exp":99999999999,"request":"'$rp_id'","sub":"'$U_admin'"}')"
same 'a token that was changed shows nothing of the branch' 404 "$code"
t 'a second site is created' POST /v1/orgs/$ORG/sites admin '{"title":"Second","visibility":"unlisted","spaces":["'$rp_s'"]}' 201 ''
rp_second=$(jq -r .id "$out") rp_there=/sites/$ORG_NAME/$(jq -r .basename "$out")
t 'the second site is published' POST /v1/orgs/$ORG/sites/$rp_second/publish admin '' 200 ''
read_at $rp_there/added -H "Cookie: octavo_visitor=$rp_jwt"
same 'a token of another site shows nothing' 404 "$code"
t 'both sites have previews' GET $rp_r/previews edit '' 200 '.count == 2 and ([.items[].id] | sort) == (["'$rp_site'", "'$rp_second'"] | sort)'
t 'in parts' GET "$rp_r/previews?limit=1" edit '' 200 '.count == 2 and (.items | length) == 1 and (.next.page | length) > 0'
t 'the second part' GET "$rp_r/previews?limit=1&page=$(jq -r .next.page "$out")" edit '' 200 '.count == 2 and (.items | length) == 1 and (has("next") | not)'
t 'the second site goes' DELETE /v1/orgs/$ORG/sites/$rp_second admin '' 204 ''
t 'a preview of the site without a request has no request' GET /v1/orgs/$ORG/sites/$rp_site/publishing/preview admin '' 200 ''
read_at $rp_at/added -H "Cookie: octavo_visitor=$(jq -r '.url | split("jwt_token=")[1]' "$out")"
same 'so it lacks the pages of the branch' 404 "$code"

# Who loses access to the space, or to the organization.
t 'the space is closed to the person' POST /v1/spaces/$rp_s/permissions admin '{"role":"read","users":["'$U_read'"]}' 204 ''
t 'the space has no level' PATCH /v1/spaces/$rp_s admin '{"defaultLevel":null}' 200 ''
previewed /added
same 'who may not read the space any more sees nothing of the branch' 404 "$code"
previewed /
holds 'but the published site' 'Published words.'
lacks 'without the bar' 'class="preview"'
t 'nor gets another preview' GET $rp_r/previews edit '' 404 ''
t 'who still may gets one' GET $rp_r/previews read '' 200 '.count == 1'
t 'the space is open again' PATCH /v1/spaces/$rp_s admin '{"defaultLevel":"inherit"}' 200 ''
previewed /added
same 'the preview is back' 200 "$code"
sql "UPDATE member SET disabled = 1 WHERE org = '$ORG' AND account = '$U_edit'" >/dev/null
previewed /added
same 'a disabled member sees nothing of the branch' 404 "$code"
sql "UPDATE member SET disabled = 0 WHERE org = '$ORG' AND account = '$U_edit'" >/dev/null

# Of a site that is not open to everybody, only spaces that the person may read are shown.
t 'the site wants visitors to sign in' PATCH /v1/orgs/$ORG/sites/$rp_site admin '{"visibility":"visitor-auth"}' 200 ''
previewed /beside/
holds 'a space that the person may read is shown' 'Words of the other space.'
t 'the other space is closed' PATCH /v1/spaces/$rp_o admin '{"defaultLevel":null}' 200 ''
previewed /
same 'a site that the person may not read is not previewed' 302 "$code"
t 'nor listed' GET $rp_r/previews edit '' 200 '.items == [] and .count == 0'
t 'the person gets a role on the site' POST /v1/orgs/$ORG/sites/$rp_site/permissions admin '{"role":"read","users":["'$U_edit'"]}' 204 ''
previewed /

holds 'a role on the site shows it' 'Newer words.'
lacks 'without a space that the person may not read' Beside
previewed /beside/
same 'which is missing' 404 "$code"
t 'and loses it' DELETE /v1/orgs/$ORG/sites/$rp_site/permissions/users/$U_edit admin '' 204 ''
published /beside/
same 'without the preview it takes a sign-in' 302 "$code"
t 'the site is open again' PATCH /v1/orgs/$ORG/sites/$rp_site admin '{"visibility":"unlisted"}' 200 ''
previewed /beside/
holds 'what everybody may see is in the preview' 'Words of the other space.'

# A site that is not published is previewed by those who have a role on it.
t 'the site is taken back' POST /v1/orgs/$ORG/sites/$rp_site/unpublish admin '' 200 ''
previewed /
same 'the preview of a member without a role on the site has ended' 404 "$code"
read_at "${rp_url#"$base"}"
same 'that of the admin, made before, goes on' 303 "$code"
rp_jwt=${rp_url#*jwt_token=}
previewed /added
holds 'with the pages of the branch' platypus
lacks 'and no link that ends it, since there is no site without it' 'jwt_token='
t 'the site is published again' POST /v1/orgs/$ORG/sites/$rp_site/publish admin '' 200 ''
previewed /
holds 'the bar has a link that ends the preview' "href=\"$below$rp_at/?jwt_token=\""
read_at "$rp_at/?jwt_token=" -H "Cookie: octavo_visitor=$rp_jwt"
same 'which removes the cookie' "303 $below$rp_at/ octavo_visitor=; Path=$below$rp_at/; Max-Age=0" "$code $(header location) $(header set-cookie)"
read_at "$rp_at/?jwt_token="
same 'without a preview there is nothing to remove' '' "$(header set-cookie)"

# Schemas of a description are shown below the site if a page of the branch shows the description.
previewed /~schema/rp-pets/Pet
same 'a schema that a page of the branch shows is there' 200 "$code"
t 'the branch loses that page' POST "$rp_r/content?compat=false" edit '{"changes":[{"operation":"delete_page","page":"'$rp_api'"}]}' 200 ''
previewed /~schema/rp-pets/Pet
same 'the schema is not there without it' 404 "$code"
published /~schema/rp-pets/Pet
same 'but still on the published site' 200 "$code"
t 'the space leaves the site' DELETE "/v1/orgs/$ORG/sites/$rp_site/site-spaces/$(
	sql "SELECT id FROM site_space WHERE site = '$rp_site' AND space = '$rp_s'")" admin '' 204 ''
previewed /
lacks 'a site without the space shows no preview of it' 'class="preview"'
t 'it comes back' POST /v1/orgs/$ORG/sites/$rp_site/site-spaces admin '{"spaceId":"'$rp_s'"}' 201 ''
t 'as the default' PATCH /v1/orgs/$ORG/sites/$rp_site admin '{"defaultSiteSpace":"'"$(jq -r .id "$out")"'"}' 200 ''

# The end of the request.
t 'the request is archived' PATCH $rp_r edit '{"status":"archived"}' 200 ''
previewed /added
same 'the preview of an archived request has ended' 404 "$code"
t 'an archived request has no previews' GET $rp_r/previews edit '' 409 '.error.message | contains("archived")'
t 'the request is opened again' PATCH $rp_r edit '{"status":"open"}' 200 ''
previewed /added
same 'and its preview is back' 200 "$code"
t 'the request is merged' POST $rp_r/merge admin '' 200 '.result == "merge"'
previewed /added
same 'after the merge the page is published' 200 "$code"
lacks 'and the bar is gone' 'class="preview"'
case $(header cache-control) in *no-store*) fail 'it is cached as usual' "$(header cache-control)" ;; *) pass ;; esac
t 'a merged request has no previews' GET $rp_r/previews edit '' 409 '.error.message | contains("merged")'
fi
t 'the previewed site goes' DELETE /v1/orgs/$ORG/sites/$rp_site admin '' 204 ''
