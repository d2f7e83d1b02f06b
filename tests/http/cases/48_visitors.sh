# Published sites for renderers and visitors: URLs, tokens, the profile, conditions.
SO=/v1/orgs/$ORG
one=$(space_empty One) two=$(space_empty Two)
space_write $one '{"changes":[{"operation":"insert_page","ref":"a","title":"Start","document":{"markdown":"Hello."}},
	{"operation":"insert_page","ref":"b","document":{"markdown":"---\nif: visitor.claims.unsigned.beta\n---\n\n# Beta\n\nSecret ![](./pic.txt).\n"}},
	{"operation":"insert_page","ref":"c","title":"Third","document":{"markdown":"Third."}},
	{"operation":"insert_files","files":[{"ref":"pic.txt","name":"pic.txt","contentType":"text/plain","base64":"ZG90Cg=="}]}]}'
start=$(jq -r '.changes[0].page.id' "$tmp/written") beta=$(jq -r '.changes[1].page.id' "$tmp/written") picture=$(jq -r '.insertedFiles[0].id' "$tmp/written")
space_write $two '{"changes":[{"operation":"insert_page","ref":"a","title":"Welcome","document":{"markdown":"Welcome."}}]}'
t 'a site of two spaces is created' POST $SO/sites admin '{"title":"Book","spaces":["'$one'","'$two'"]}' 201 ''
site=$(jq -r .id "$out") W=$SO/sites/$(jq -r .id "$out")
t 'a site that is not published has no profile' GET $W/published admin '' 404 ''
t 'a site that is not published answers 404' POST /v1/urls/published read '{"url":"'$base'/sites/'$ORG'/book"}' 404 ''
t 'the site is published' POST $W/publish admin '' 200 ''
at=$(jq -r .urls.published "$out")

# URLs. The port is not compared.
t 'the address of a site gives the renderer a token' POST /v1/urls/published read \
	'{"url":"'$at'","cacheBust":"x","visitor":{"type":"human","unsignedClaims":{}}}' 200 \
	'.site == "'$site'" and .space == "'$one'" and .organization == "'$ORG'"
	and .pathname == "" and .canonicalUrl == "'$at'" and (.apiToken | length < 120) and (.apiToken | split(".") | length) == 3
	and (.apiToken | split(".")[1] | @base64d | fromjson | .exp > now + 3000) and (has("siteSection") or has("shareKey") | not)'
token=$(jq -r .apiToken "$out")
t 'the same visitor gets the same token' POST /v1/urls/published read '{"url":"'$at'start"}' 200 '.apiToken == "'$token'" and .complete'
t 'a page has path and canonical URL' POST /v1/urls/published read '{"url":"'$at'third/"}' 200 \
	'.pathname == "third" and .canonicalUrl == "'$at'third" and (.basePath | endswith("/book/")) and .siteBasePath == .basePath'
t 'a variant has its own base path' POST /v1/urls/published read '{"url":"'$at'two/nothing?x=1"}' 200 \
	'.space == "'$two'" and .pathname == "nothing" and (.basePath | endswith("/book/two/")) and (.siteBasePath | endswith("/book/")) and .complete'
t 'a path of changes is cut off' POST /v1/urls/published read '{"url":"'$at'two/~/changes/1/x"}' 200 '.space == "'$two'" and .pathname == ""'
t 'another host answers 404' POST /v1/urls/published read '{"url":"https://other.example/sites/'$ORG'/book/"}' 404 ''
t 'an unknown site answers 404' POST /v1/urls/published read '{"url":"'$base'/sites/'$ORG'/nothing"}' 404 \
	'.error.message == "no published content at this address"'
t 'a text that is no URL is refused' POST /v1/urls/published read '{"url":"nothing"}' 400 ''
t 'a lookup without a token answers 401' POST /v1/urls/published - '{"url":"'$at'"}' 401 ''
t 'content is found by its published URL' GET "/v1/urls/content?url=${at}third" admin '' 200 '.space.id == "'$one'" and .page.title == "Third"'
t 'content is found by its URL in the API' GET "/v1/urls/content?url=$base/v1/spaces/$one/content/page/$start" admin '' 200 \
	'.space.id == "'$one'" and .page.id == "'$start'"'
t 'a user without access gets 404 for content' GET "/v1/urls/content?url=${at}third" other '' 404 ''

# Content that the token reads.
site_resolve $at
t 'a site token reads the profile of the site' GET $W/published site '' 200 \
	'.object == "published-content-site" and .site.id == "'$site'" and .structure.type == "siteSpaces"
	and [.structure.structure[] | .space.id, .default, .urls.published] == ["'$one'", true, "'$at'", "'$two'", false, "'$at'two/"]
	and .customizations.site.styling.theme == "clean" and .customizations.siteSpaces == {} and .scripts == []
	and .structure.structure[0].space.defaultLevel == null'
t 'a site token reads a space of the site' GET /v1/spaces/$one site '' 200 \
	'.id == "'$one'" and .urls.published == "'$at'" and .permissions.view and (.permissions.edit | not)'
rev=$(jq -r .revision "$out")
t 'a site token reads the revision without hidden pages' GET "/v1/spaces/$one/revisions/$rev?metadata=true" site '' 200 \
	'[.pages[].title] == ["Start", "Third"] and .files == [] and .urls.published == "'$at'"'
t 'a site token reads a page' GET /v1/spaces/$one/revisions/$rev/page/$start site '' 200 '.title == "Start"'
t 'a site token reads the document of a page' GET \
	"/v1/spaces/$one/revisions/$rev/page/$start/document?evaluated=deterministic-only&dereferenced=reusable-contents" site '' 200 '.object == "document"'
t 'a site token reads the Markdown of a page' GET "/v1/spaces/$one/revisions/$rev/page/$start?format=markdown&format.markdown.refs=stable" site '' \
	200 '.markdown | startswith("# Start")'
t 'a site token reads a page by its path' GET /v1/spaces/$one/revisions/$rev/path/third site '' 200 '.title == "Third"'
t 'a site token gets 404 for a hidden page' GET /v1/spaces/$one/revisions/$rev/page/$beta site '' 404 ''
t 'a site token gets 404 for the document of a hidden page' GET /v1/spaces/$one/revisions/$rev/page/$beta/document site '' 404 ''
t 'a site token gets 404 for the path of a hidden page' GET /v1/spaces/$one/revisions/$rev/path/beta site '' 404 ''
t 'a site token gets 404 for a file of a hidden page' GET /v1/spaces/$one/revisions/$rev/files/$picture site '' 404 ''
t 'a site token lists no file of a hidden page' GET /v1/spaces/$one/revisions/$rev/files site '' 200 '.items == [] and .count == 0'
t 'a limited list of files leaves hidden ones out' GET "/v1/spaces/$one/revisions/$rev/files?limit=1" site '' 200 '.items == [] and (has("next") | not)'
t 'a site token reads the name of a member and no address' GET /v1/users/$U_admin site '' 200 '.displayName == "admin" and (has("email") | not)'
t 'a site token gets 404 for a user of others' GET /v1/users/$U_other site '' 404 ''
t 'a site token gets 404 for another space' GET /v1/spaces/$SPACE site '' 404 ''
t 'a site token gets 404 for an older revision' GET /v1/spaces/$one/revisions/$REV_OLD site '' 404 ''
t 'a site token gets 404 for the content that changes' GET /v1/spaces/$one/content site '' 404 ''
t 'a site token gets 404 for the settings of the site' GET $W site '' 404 ''
t 'a site token changes nothing' POST $W/unpublish site '' 404 ''
t 'a site token is no user' GET /v1/user site '' 404 ''
t 'a site token looks up its site' POST /v1/urls/published site '{"url":"'$at'"}' 200 '.site == "'$site'"'
# Change a letter other than the last one, not all bits of which count.
sed 's/\(.\)\(.....\)$/_\1\2/; s/_[x]\(.....\)$/y\1/; s/_.\(.....\)$/x\1/' "$tmp/tokens/site" >"$tmp/tokens/forged"
t 'a forged site token answers 401' GET $W/published forged '' 401 ''

# Unsigned claims, if the site is adaptive.
site_resolve $at '{"unsignedClaims":{"beta":true}}'
t 'unsigned claims count for nothing without adaptive content' GET /v1/spaces/$one/revisions/$rev/pages site '' 200 '.pages | length == 2'
t 'adaptive content is switched on' PATCH $W admin '{"adaptiveContent":{"enabled":true}}' 200 ''
t 'a token from before has no claims' GET /v1/spaces/$one/revisions/$rev/pages site '' 200 '.pages | length == 2'
site_resolve $at '{"unsignedClaims":{"beta":true}}'
t 'a token with claims reads the page for them' GET /v1/spaces/$one/revisions/$rev site '' 200 \
	'[.pages[].title] == ["Start", "Beta", "Third"] and [.files[].name] == ["pic.txt"] and ([.. | objects | select(has("condition"))] == [])'
t 'a token with claims reads a file of that page' GET /v1/spaces/$one/revisions/$rev/files/$picture site '' 200 '.name == "pic.txt"'
file=$(jq -r .downloadURL "$out")
cp "$tmp/tokens/site" "$tmp/tokens/beta"
t 'a token with claims lists a file of that page' GET /v1/spaces/$one/revisions/$rev/files site '' 200 '[.items[].name] == ["pic.txt"] and .count == 1'
# fetched FILE NAME STATUS: octavo-site sends the bytes; over CGI there is only the API.
fetched() { [ $TRANSPORT != http ] || same "$2" "$3" "$(curl -sg -m 30 -o /dev/null -w '%{http_code}' "$1")"; }
fetched "$file" 'a file for claims is served by its address' 200
fetched "$(echo "$file" | sed "s|~[0-9a-f]\{64\}~[^/]*/|/|")" 'a file for claims without the claims in its address answers 404' 404
t 'adaptive content is switched off' PATCH $W admin '{"adaptiveContent":{"enabled":false}}' 200 ''
fetched "$file" 'a file for claims answers 404 without adaptive content' 404
t 'adaptive content is switched on again' PATCH $W admin '{"adaptiveContent":{"enabled":true}}' 200 ''
fetched "$file" 'a file for claims is served again' 200
site_resolve $at '{"unsignedClaims":{"beta":false}}'
t 'other claims hide the page' GET /v1/spaces/$one/revisions/$rev/pages site '' 200 '.pages | length == 2'
t 'a condition of a variant that does not parse is refused' PATCH $W/site-spaces/$(send GET $W/site-spaces admin ''; jq -r '.items[1].id' "$out") \
	admin '{"condition":"visitor.claims.("}' 400 '.fields[0] == {path: "/condition", message: "is no expression: unexpected end at character 17"}'
variant=$(send GET $W/site-spaces admin ''; jq -r '.items[1].id' "$out")
send POST /v1/spaces/$one/change-requests admin '{"subject":"x"}'
changes="/v1/spaces/$one/change-requests/$(jq -r .number "$out")/content?compat=false"
t 'a condition of a page that does not parse is refused' POST "$changes" admin \
	'{"changes":[{"operation":"update_page","page":"'$start'","condition":"visitor.claims.("}]}' 400 \
	'.fields[0] == {path: "/changes/0/condition", message: "is no expression: unexpected end at character 17"}'
for bad in 'visitor.claims.(' '[a]' "$(printf 'a%.0s' $(seq 1025))"; do
	t "a condition in frontmatter that does not parse is refused: $(echo "$bad" | cut -c1-20)" POST "$changes" admin \
		'{"changes":[{"operation":"insert_page","document":{"markdown":"---\nif: '"$bad"'\n---\n\n# New\n"}}]}' 400 \
		'.fields[0].path == "/changes/0/document" and (.fields[0].message | contains("no expression"))'
done
t 'a condition of a page may be set and removed' POST "$changes" admin '{"changes":[{"operation":"update_page","page":"'$start'",
	"condition":"visitor.claims.a == 1"},{"operation":"update_page","page":"'$start'","condition":null}]}' 200 ''
t 'a variant gets a condition' PATCH $W/site-spaces/$variant admin '{"condition":"visitor.claims.unsigned.beta == true"}' 200 ''
t 'the profile hides a variant by its condition' GET $W/published site '' 200 '.structure.structure | length == 1'
t 'a lookup does not find a hidden variant' POST /v1/urls/published read '{"url":"'$at'two/"}' 200 '.space == "'$one'"'
t 'a token with claims sees the variant without its condition' GET $W/published beta '' 200 \
	'.structure.structure | length == 2 and ([.[] | has("condition")] == [false, false])'

# Customization.
t 'a site has a default customization' GET $W/customization admin '' 200 '.styling.theme == "clean" and .themes.toggeable and (has("title") | not)'
t 'what was read may be sent back: the theme still follows the system' PUT $W/customization admin "$(jq -c . "$out")" 200 \
	'.themes == {default: "light", unset: true, toggeable: true}'
t 'a theme is chosen, also beside the mark that none was' PUT $W/customization admin '{"themes":{"default":"dark","unset":true}}' 200 \
	'.themes == {default: "dark", toggeable: true}'
t 'a light theme is chosen' PUT $W/customization admin '{"themes":{"default":"light"}}' 200 '.themes == {default: "light", toggeable: true}'
t 'a customization keeps defaults for what it does not set' PUT $W/customization admin \
	'{"title":"The book","styling":{"theme":"bold","font":"Lato"},"header":{"links":[{"title":"Out","to":{"kind":"url","url":"https://example.org/"},
	"links":[],"condition":"visitor.claims.unsigned.beta"}]}}' 200 \
	'.title == "The book" and .styling.theme == "bold" and .styling.font == "Lato" and .styling.corners == "rounded" and (.header.links | length == 1)'
t 'an unknown theme is refused' PUT $W/customization admin '{"styling":{"theme":"loud"}}' 400 ''
t 'a colour that is no hexadecimal is refused' PUT $W/customization admin '{"styling":{"primaryColor":{"light":"red","dark":"#000"}}}' 400 ''
t 'a condition of a link that does not parse is refused' PUT $W/customization admin \
	'{"header":{"links":[{"title":"x","to":null,"links":[],"condition":"("}]}}' 400 '.fields[0].path == "/header/links/0/condition"'
t 'a variant customizes what it sets over its site' PATCH $W/site-spaces/$variant/customization admin \
	'{"styling":{"corners":"circular","theme":null},"favicon":{"emoji":"📘"}}' 200 \
	'.styling.corners == "circular" and .styling.theme == "bold" and .hasOverrides'
t 'a favicon of a variant is removed' PATCH $W/site-spaces/$variant/customization admin '{"favicon":null}' 200 \
	'.styling.corners == "circular" and .favicon == {}'
t 'the customization of a variant is read' GET $W/site-spaces/$variant/customization admin '' 200 '.styling.corners == "circular"'
t 'the profile has the customizations of site and variant without conditions' GET $W/published beta '' 200 \
	'.customizations.site.title == "The book" and .customizations.siteSpaces["'$variant'"].styling.corners == "circular"
	and ([.customizations.site, .customizations.siteSpaces[] | .header.links[] | .title, has("condition")] == ["Out", false, "Out", false])'
t 'the profile hides links by their condition' GET $W/published site '' 200 \
	'[.customizations.site, .customizations.siteSpaces[] | .header.links] | unique == [[]]'
t 'a manager reads the condition of a link' GET $W/customization admin '' 200 '.header.links[0].condition == "visitor.claims.unsigned.beta"'
t 'the customization of a variant is removed' DELETE $W/site-spaces/$variant/customization admin '' 204 ''
t 'a variant without customization looks like its site' GET $W/site-spaces/$variant/customization admin '' 200 '.styling.corners == "rounded"'
t 'a reader gets 404 for the customization' GET $W/customization read '' 404 ''
site_resolve $at
t 'a visitor reads the changed site' GET $W/published site '' 200 ''
yes 'a change of the site gives another token' test "$(cat "$tmp/tokens/site")" != "$token"

# Closed: from the next request on.
t 'the site is unpublished' POST $W/unpublish admin '' 200 ''
t 'a token of an unpublished site answers 401' GET $W/published site '' 401 ''
fetched "$file" 'a file of an unpublished site answers 404' 404
t 'a space of an unpublished site answers 401' GET /v1/spaces/$one beta '' 401 ''
t 'the site is deleted' DELETE $W admin '' 204 ''
for gone in $one $two; do send DELETE /v1/spaces/$gone admin ''; done
