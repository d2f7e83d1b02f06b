# What items of a site have beside their title: texts by language, whether lists show them, new spaces.
TO=/v1/orgs/$ORG
text_one=$(space_empty 'Text one') text_two=$(space_empty 'Text two')
for text_space in $text_one $text_two; do
	space_write $text_space '{"changes":[{"operation":"insert_page","ref":"a","title":"Start","document":{"markdown":"Words."}}]}'
done
t 'a space is made from a template' POST $TO/spaces create '{"title":"Made","template":{"id":"changelog"}}' 201 '.title == "Made"'
text_made=$(jq -r .id "$out")
t 'the space has the pages of the template' GET /v1/spaces/$text_made/content/pages create '' 200 '.pages | length > 0'
t 'a space of an unknown template is not made' POST $TO/spaces create '{"title":"Not made","template":{"id":"nothing"}}' 404 ''
t 'a site for texts is created' POST $TO/sites admin '{"title":"Texts","visibility":"unlisted","spaces":["'$text_one'","'$text_two'"]}' 201 ''
X=$TO/sites/$(jq -r .id "$out")
t 'the site for texts is published' POST $X/publish admin '' 200 ''
text_at=$(jq -r .urls.published "$out")
t 'the site for texts has variants' GET $X/site-spaces admin '' 200 '[.items[].hidden] == [false, false]'
text_second=$(jq -r '.items[1].id' "$out")
[ "$TRANSPORT" = cgi ] || yes 'pages list the other variant' sh -c 'curl -s "'$text_at'" | grep -q "Text two"'
t 'a variant is hidden' PATCH $X/site-spaces/$text_second admin '{"hidden":true}' 200 '.hidden == true'
yes 'pages list no hidden variant' sh -c '! curl -s "'$text_at'" | grep -q "Text two"'
t 'a hidden variant has its address' POST /v1/urls/published read '{"url":"'$text_at'text-two/"}' 200 '.siteSpace == "'$text_second'"'
t 'a new space is made for a site' POST $X/site-spaces admin '{"spaceId":null,"title":"New one"}' 201 '.title == "New one" and .space.title == "New one"'
t 'a new space begins with a template' POST $X/site-spaces admin '{"spaceId":null,"title":"From it","template":{"id":"changelog"},"draft":true}' 201 \
	'.draft'
text_new=$(jq -r .space.id "$out")
t 'it has the pages of the template' GET /v1/spaces/$text_new/content/pages admin '' 200 '.pages | length > 0'
t 'a template is for a new space' POST $X/site-spaces admin '{"spaceId":"'$text_made'","template":{"id":"changelog"}}' 400 ''
t 'a section gets a new space' POST $X/sections admin '{"spaceId":null,"title":"Section"}' 201 \
	'.title == "Section" and any(.siteSpaces[]; .space.title == "Section")'
text_section=$(jq -r .id "$out")
t 'a section has texts by language' PATCH $X/sections/$text_section admin \
	'{"localizedTitle":{"es":"Sección"},"localizedDescription":{"es":"Texto"}}' 200 '.localizedTitle.es == "Sección" and .localizedDescription.es == "Texto"'
t 'texts that are not named stay' PATCH $X/sections/$text_section admin '{"icon":"book"}' 200 '.localizedTitle.es == "Sección"'
t 'null ends texts by language' PATCH $X/sections/$text_section admin '{"localizedTitle":null}' 200 \
	'(has("localizedTitle") | not) and has("localizedDescription")'
t 'a group for texts is added' POST $X/section-groups admin '{"title":"Group"}' 201 ''
t 'a group has titles by language' PATCH $X/section-groups/$(jq -r .id "$out") admin '{"localizedTitle":{"es":"Grupo"}}' 200 '.localizedTitle.es == "Grupo"'
for text_bad in '"localizedTitle":"x"' '"localizedTitle":{"es":7}'; do
	t "faulty texts are refused: $text_bad" PATCH $X/sections/$text_section admin "{$text_bad}" 400 ''
done
t 'a server is for some visitors' POST $X/mcp-servers admin \
	'{"name":"S","url":"https://mcp.example.com/","headers":{},"condition":"visitor.claims.beta"}' 201 \
	'.condition == "visitor.claims.beta" and .transport == "sse"'
text_server=$(jq -r .id "$out")
t 'a server is for everybody again' PATCH $X/mcp-servers/$text_server admin '{"condition":null,"transport":"http"}' 200 \
	'(has("condition") | not) and .transport == "http"'
t 'a faulty condition of a server is refused' PATCH $X/mcp-servers/$text_server admin '{"condition":"=="}' 400 ''
t 'the site for texts goes' DELETE $X admin '' 204 ''
