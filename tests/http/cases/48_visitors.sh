# Published sites as renderers and visitors get them: addresses, tokens, the profile, conditions.
SO=/v1/orgs/$ORG
one=$(space_empty One) two=$(space_empty Two)
space_write $one '{"changes":[{"operation":"insert_page","ref":"a","title":"Start","document":{"markdown":"Hello."}},
	{"operation":"insert_page","ref":"b","document":{"markdown":"---\nif: visitor.claims.unsigned.beta\n---\n\n# Beta\n\nSecret ![](./pic.txt).\n"}},
	{"operation":"insert_page","ref":"c","title":"Third","document":{"markdown":"Third."}},
	{"operation":"insert_files","files":[{"ref":"pic.txt","name":"pic.txt","contentType":"text/plain","base64":"ZG90Cg=="}]}]}'
start=$(jq -r '.changes[0].page.id' "$tmp/written") beta=$(jq -r '.changes[1].page.id' "$tmp/written") picture=$(jq -r '.insertedFiles[0].id' "$tmp/written")
space_write $two '{"changes":[{"operation":"insert_page","ref":"a","title":"Welcome","document":{"markdown":"Welcome."}}]}'
t 'a site' POST $SO/sites admin '{"title":"Book","spaces":["'$one'","'$two'"]}' 201 ''
site=$(jq -r .id "$out") W=$SO/sites/$(jq -r .id "$out")
t 'no profile before it is published' GET $W/published admin '' 404 ''
t 'nor an address' POST /v1/urls/published read '{"url":"'$base'/sites/'$ORG'/book"}' 404 ''
t 'published' POST $W/publish admin '' 200 ''
at=$(jq -r .urls.published "$out")

# Addresses. A port is no part of what is compared.
t 'home' POST /v1/urls/published read '{"url":"'$at'","cacheBust":"x","visitor":{"type":"human","unsignedClaims":{}}}' 200 '.site == "'$site'" and .space == "'$one'" and .organization == "'$ORG'"
	and .pathname == "" and .canonicalUrl == "'$at'" and (.apiToken | length < 120) and (.apiToken | split(".") | length) == 3
	and (.apiToken | split(".")[1] | @base64d | fromjson | .exp > now + 3000) and (has("siteSection") or has("shareKey") | not)'
token=$(jq -r .apiToken "$out")
t 'the same token' POST /v1/urls/published read '{"url":"'$at'start"}' 200 '.apiToken == "'$token'" and .complete'
t 'a page' POST /v1/urls/published read '{"url":"'$at'third/"}' 200 '.pathname == "third" and .canonicalUrl == "'$at'third" and (.basePath | endswith("/book/")) and .siteBasePath == .basePath'
t 'a variant' POST /v1/urls/published read '{"url":"'$at'two/nothing?x=1"}' 200 '.space == "'$two'" and .pathname == "nothing" and (.basePath | endswith("/book/two/")) and (.siteBasePath | endswith("/book/")) and .complete'
t 'changes are cut off' POST /v1/urls/published read '{"url":"'$at'two/~/changes/1/x"}' 200 '.space == "'$two'" and .pathname == ""'
t 'another host' POST /v1/urls/published read '{"url":"https://other.example/sites/'$ORG'/book/"}' 404 ''
t 'no site' POST /v1/urls/published read '{"url":"'$base'/sites/'$ORG'/nothing"}' 404 '.error.message == "no published content at this address"'
t 'no address' POST /v1/urls/published read '{"url":"nothing"}' 400 ''
t 'no token' POST /v1/urls/published - '{"url":"'$at'"}' 401 ''
t 'content by its address' GET "/v1/urls/content?url=${at}third" admin '' 200 '.space.id == "'$one'" and .page.title == "Third"'
t 'content by an address of the API' GET "/v1/urls/content?url=$base/v1/spaces/$one/content/page/$start" admin '' 200 '.space.id == "'$one'" and .page.id == "'$start'"'
t 'who may not read it' GET "/v1/urls/content?url=${at}third" other '' 404 ''

# What the token reads.
site_resolve $at
t 'the profile' GET $W/published site '' 200 '.object == "published-content-site" and .site.id == "'$site'" and .structure.type == "siteSpaces"
	and [.structure.structure[] | .space.id, .default, .urls.published] == ["'$one'", true, "'$at'", "'$two'", false, "'$at'two/"]
	and .customizations.site.styling.theme == "clean" and .customizations.siteSpaces == {} and .scripts == []
	and .structure.structure[0].space.defaultLevel == null'
t 'the space' GET /v1/spaces/$one site '' 200 '.id == "'$one'" and .urls.published == "'$at'" and .permissions.view and (.permissions.edit | not)'
rev=$(jq -r .revision "$out")
t 'its revision' GET "/v1/spaces/$one/revisions/$rev?metadata=true" site '' 200 '[.pages[].title] == ["Start", "Third"] and .files == [] and .urls.published == "'$at'"'
t 'a page' GET /v1/spaces/$one/revisions/$rev/page/$start site '' 200 '.title == "Start"'
t 'its document' GET "/v1/spaces/$one/revisions/$rev/page/$start/document?evaluated=deterministic-only&dereferenced=reusable-contents" site '' 200 '.object == "document"'
t 'its Markdown' GET "/v1/spaces/$one/revisions/$rev/page/$start?format=markdown&format.markdown.refs=stable" site '' 200 '.markdown | startswith("# Start")'
t 'by its path' GET /v1/spaces/$one/revisions/$rev/path/third site '' 200 '.title == "Third"'
t 'a hidden page' GET /v1/spaces/$one/revisions/$rev/page/$beta site '' 404 ''
t 'nor its document' GET /v1/spaces/$one/revisions/$rev/page/$beta/document site '' 404 ''
t 'nor by its path' GET /v1/spaces/$one/revisions/$rev/path/beta site '' 404 ''
t 'nor its file' GET /v1/spaces/$one/revisions/$rev/files/$picture site '' 404 ''
t 'nor in the list of files' GET /v1/spaces/$one/revisions/$rev/files site '' 200 '.items == [] and .count == 0'
t 'nor where the list is cut' GET "/v1/spaces/$one/revisions/$rev/files?limit=1" site '' 200 '.items == [] and (has("next") | not)'
t 'a user' GET /v1/users/$U_admin site '' 200 '.displayName == "admin" and (has("email") | not)'
t 'a user of others' GET /v1/users/$U_other site '' 404 ''
t 'another space' GET /v1/spaces/$SPACE site '' 404 ''
t 'an old revision' GET /v1/spaces/$one/revisions/$REV_OLD site '' 404 ''
t 'the head' GET /v1/spaces/$one/content site '' 404 ''
t 'the site itself' GET $W site '' 404 ''
t 'nothing is written' POST $W/unpublish site '' 404 ''
t 'who it is' GET /v1/user site '' 404 ''
t 'the lookup' POST /v1/urls/published site '{"url":"'$at'"}' 200 '.site == "'$site'"'
# Another letter, and not the last one, of which not all bits count.
sed 's/\(.\)\(.....\)$/_\1\2/; s/_[x]\(.....\)$/y\1/; s/_.\(.....\)$/x\1/' "$tmp/tokens/site" >"$tmp/tokens/forged"
t 'a forged one' GET $W/published forged '' 401 ''

# Claims that nobody signed, where the site is adaptive.
site_resolve $at '{"unsignedClaims":{"beta":true}}'
t 'not adaptive: no claims' GET /v1/spaces/$one/revisions/$rev/pages site '' 200 '.pages | length == 2'
t 'adaptive' PATCH $W admin '{"adaptiveContent":{"enabled":true}}' 200 ''
t 'and still hidden for the old token' GET /v1/spaces/$one/revisions/$rev/pages site '' 200 '.pages | length == 2'
site_resolve $at '{"unsignedClaims":{"beta":true}}'
t 'shown with claims' GET /v1/spaces/$one/revisions/$rev site '' 200 '[.pages[].title] == ["Start", "Beta", "Third"] and [.files[].name] == ["pic.txt"] and ([.. | objects | select(has("condition"))] == [])'
t 'the file' GET /v1/spaces/$one/revisions/$rev/files/$picture site '' 200 '.name == "pic.txt"'
file=$(jq -r .downloadURL "$out")
cp "$tmp/tokens/site" "$tmp/tokens/beta"
t 'the list of files' GET /v1/spaces/$one/revisions/$rev/files site '' 200 '[.items[].name] == ["pic.txt"] and .count == 1'
# Bytes come from octavo-site, and over CGI there is none beside the API: FILE NAME STATUS.
fetched() { [ $TRANSPORT != http ] || same "$2" "$3" "$(curl -sg -m 30 -o /dev/null -w '%{http_code}' "$1")"; }
fetched "$file" 'its bytes' 200
fetched "$(echo "$file" | sed "s|~[0-9a-f]\{64\}~[^/]*/|/|")" 'for nobody in particular' 404
t 'not adaptive any more' PATCH $W admin '{"adaptiveContent":{"enabled":false}}' 200 ''
fetched "$file" 'hidden with its page' 404
t 'adaptive again' PATCH $W admin '{"adaptiveContent":{"enabled":true}}' 200 ''
fetched "$file" 'seen again' 200
site_resolve $at '{"unsignedClaims":{"beta":false}}'
t 'other claims, another token' GET /v1/spaces/$one/revisions/$rev/pages site '' 200 '.pages | length == 2'
t 'a condition that is none' PATCH $W/site-spaces/$(send GET $W/site-spaces admin ''; jq -r '.items[1].id' "$out") admin '{"condition":"visitor.claims.("}' 400 '.fields[0] == {path: "/condition", message: "is no expression: unexpected end at character 17"}'
variant=$(send GET $W/site-spaces admin ''; jq -r '.items[1].id' "$out")
send POST /v1/spaces/$one/change-requests admin '{"subject":"x"}'
changes="/v1/spaces/$one/change-requests/$(jq -r .number "$out")/content?compat=false"
t 'of a page' POST "$changes" admin '{"changes":[{"operation":"update_page","page":"'$start'","condition":"visitor.claims.("}]}' 400 '.fields[0] == {path: "/changes/0/condition", message: "is no expression: unexpected end at character 17"}'
for bad in 'visitor.claims.(' '[a]' "$(printf 'a%.0s' $(seq 1025))"; do
	t "in frontmatter: $(echo "$bad" | cut -c1-20)" POST "$changes" admin '{"changes":[{"operation":"insert_page","document":{"markdown":"---\nif: '"$bad"'\n---\n\n# New\n"}}]}' 400 '.fields[0].path == "/changes/0/document" and (.fields[0].message | contains("no expression"))'
done
t 'one that is' POST "$changes" admin '{"changes":[{"operation":"update_page","page":"'$start'","condition":"visitor.claims.a == 1"},{"operation":"update_page","page":"'$start'","condition":null}]}' 200 ''
t 'a condition' PATCH $W/site-spaces/$variant admin '{"condition":"visitor.claims.unsigned.beta == true"}' 200 ''
t 'the structure follows' GET $W/published site '' 200 '.structure.structure | length == 1'
t 'and the address' POST /v1/urls/published read '{"url":"'$at'two/"}' 200 '.space == "'$one'"'
t 'and for others' GET $W/published beta '' 200 '.structure.structure | length == 2 and ([.[] | has("condition")] == [false, false])'

# Looks.
t 'by default' GET $W/customization admin '' 200 '.styling.theme == "clean" and .themes.toggeable and (has("title") | not)'
t 'set' PUT $W/customization admin '{"title":"The book","styling":{"theme":"bold","font":"Lato"},"header":{"links":[{"title":"Out","to":{"kind":"url","url":"https://example.org/"},"links":[],"condition":"visitor.claims.unsigned.beta"}]}}' 200 \
	'.title == "The book" and .styling.theme == "bold" and .styling.font == "Lato" and .styling.corners == "rounded" and (.header.links | length == 1)'
t 'a theme that is none' PUT $W/customization admin '{"styling":{"theme":"loud"}}' 400 ''
t 'a colour that is none' PUT $W/customization admin '{"styling":{"primaryColor":{"light":"red","dark":"#000"}}}' 400 ''
t 'a condition of a link that is none' PUT $W/customization admin '{"header":{"links":[{"title":"x","to":null,"links":[],"condition":"("}]}}' 400 '.fields[0].path == "/header/links/0/condition"'
t 'of a site space' PATCH $W/site-spaces/$variant/customization admin '{"styling":{"corners":"circular","theme":null},"favicon":{"emoji":"📘"}}' 200 '.styling.corners == "circular" and .styling.theme == "bold" and .hasOverrides'
t 'changed' PATCH $W/site-spaces/$variant/customization admin '{"favicon":null}' 200 '.styling.corners == "circular" and .favicon == {}'
t 'read' GET $W/site-spaces/$variant/customization admin '' 200 '.styling.corners == "circular"'
t 'in the profile' GET $W/published beta '' 200 '.customizations.site.title == "The book" and .customizations.siteSpaces["'$variant'"].styling.corners == "circular"
	and ([.customizations.site, .customizations.siteSpaces[] | .header.links[] | .title, has("condition")] == ["Out", false, "Out", false])'
t 'links that a condition hides' GET $W/published site '' 200 '[.customizations.site, .customizations.siteSpaces[] | .header.links] | unique == [[]]'
t 'to who manages it, with what hides them' GET $W/customization admin '' 200 '.header.links[0].condition == "visitor.claims.unsigned.beta"'
t 'taken back' DELETE $W/site-spaces/$variant/customization admin '' 204 ''
t 'as the site' GET $W/site-spaces/$variant/customization admin '' 200 '.styling.corners == "rounded"'
t 'readers know none' GET $W/customization read '' 404 ''
site_resolve $at
t 'and a change gives another token' GET $W/published site '' 200 ''
yes 'another one' test "$(cat "$tmp/tokens/site")" != "$token"

# The end: closed at the next request.
t 'unpublished' POST $W/unpublish admin '' 200 ''
t 'closed' GET $W/published site '' 401 ''
fetched "$file" 'and its files' 404
t 'and its space' GET /v1/spaces/$one beta '' 401 ''
t 'gone' DELETE $W admin '' 204 ''
for gone in $one $two; do send DELETE /v1/spaces/$gone admin ''; done
