# Drafts in the structure of a site: those who manage it see them, visitors do not.
DO=/v1/orgs/$ORG
draft_a=$(space_empty 'Draft A') draft_b=$(space_empty 'Draft B') draft_c=$(space_empty 'Draft C')
t 'a site for drafts is created' POST $DO/sites admin '{"title":"Drafts","visibility":"unlisted","spaces":["'$draft_a'"]}' 201 ''
D=$DO/sites/$(jq -r .id "$out")
t 'the site with drafts is published' POST $D/publish admin '' 200 ''
draft_at=$(jq -r .urls.published "$out")
t 'a site space that is added is live' GET $D/site-spaces admin '' 200 '[.items[].draft] == [false]'
draft_first=$(jq -r '.items[0].id' "$out")
t 'a site space is added as a draft' POST $D/site-spaces admin '{"spaceId":"'$draft_b'","draft":true}' 201 '.draft == true and .urls == {}'
draft_second=$(jq -r .id "$out")
t 'a space whose only site space is a draft is private' GET /v1/spaces/$draft_b admin '' 200 '.visibility == "private" and (.urls | has("published") | not)'
t 'the structure for managers has the draft' GET $D/structure admin '' 200 '[.structure[].draft] == [false, true]'
t 'the structure for readers has no draft' GET $D/structure read '' 200 '[.structure[].id] == ["'$draft_first'"]'
t 'the count of site spaces for readers has no draft' GET $D read '' 200 '.siteSpaces == 1'
t 'the address of a draft leads nowhere' POST /v1/urls/published read '{"url":"'$draft_at'draft-b/"}' 200 '.siteSpace == "'$draft_first'"'
t 'a preview shows drafts' GET "$D/publishing/preview?siteSpace=$draft_second" admin '' 200 '.url | startswith("'$draft_at'draft-b/?jwt_token=")'
draft_jwt=$(jq -r '.url | split("jwt_token=")[1]' "$out")
t 'a visitor with a preview reads the draft' POST /v1/urls/published admin \
	'{"url":"'$draft_at'draft-b/","visitor":{"jwtToken":"'$draft_jwt'"}}' 200 '.siteSpace == "'$draft_second'"'
jq -r .apiToken "$out" >"$tmp/tokens/drafts"
t 'the token of a preview shows drafts' GET $D/published drafts '' 200 '[.structure.structure[].id] == ["'$draft_first'", "'$draft_second'"]'
t 'a preview without drafts shows none' GET "$D/publishing/preview?siteSpace=$draft_second&draft=false" admin '' 404 ''
t 'the only live site space becomes a draft' PATCH $D/site-spaces/$draft_first admin '{"draft":true}' 200 '.draft == true'
t 'the space of the draft is private' GET /v1/spaces/$draft_a admin '' 200 '.visibility == "private"'
t 'the draft goes live' PATCH $D/site-spaces/$draft_second admin '{"draft":false}' 200 \
	'.draft == false and .default == true and .urls.published == "'$draft_at'"'
t 'its space is as visible as the site' GET /v1/spaces/$draft_b admin '' 200 '.visibility == "unlisted" and .urls.published == "'$draft_at'"'
t 'a change without draft keeps it' PATCH $D/site-spaces/$draft_first admin '{"path":"first"}' 200 '.draft == true'
t 'the first draft goes live again' PATCH $D/site-spaces/$draft_first admin '{"draft":false}' 200 '.draft == false'

# Sections and groups.
t 'a section takes the site spaces' POST $D/sections admin '{"spaceId":"'$draft_a'","title":"First"}' 201 \
	'.draft == false and [.siteSpaces[].draft] == [false, false]'
draft_one=$(jq -r .id "$out")
t 'a section is added as a draft' POST $D/sections admin '{"spaceId":"'$draft_c'","title":"Second","draft":true}' 201 \
	'.draft == true and [.siteSpaces[].draft] == [false] and .urls == {} and .siteSpaces[0].urls == {}'
draft_two=$(jq -r .id "$out")
t 'what is in a draft is shown to nobody' GET /v1/spaces/$draft_c admin '' 200 '.visibility == "private"'
t 'readers see no draft among the sections' GET $D/sections read '' 200 '[.items[].id] == ["'$draft_one'"] and .count == 1'
t 'a draft section cannot be reached' POST /v1/urls/published read '{"url":"'$draft_at'second/"}' 200 '.siteSection == "'$draft_one'"'
t 'a draft that is marked as default leaves the default to what is live' PATCH $D admin '{"defaultSiteSection":"'$draft_two'"}' 200 ''
t 'the default for visitors is live' POST /v1/urls/published read '{"url":"'$draft_at'"}' 200 '.siteSection == "'$draft_one'"'
t 'the draft section goes live' PATCH $D/sections/$draft_two admin '{"draft":false}' 200 \
	'.draft == false and .default == true and .urls.published == "'$draft_at'"'
t 'a group is added as a draft' POST $D/section-groups admin '{"title":"Group","draft":true,"sections":["'$draft_two'"]}' 201 \
	'.draft == true and .children[0].draft == false'
draft_group=$(jq -r .id "$out")
t 'a section in a draft group is shown to nobody' GET /v1/spaces/$draft_c admin '' 200 '.visibility == "private"'
t 'readers see neither the group nor what is in it' GET $D/structure read '' 200 '[.structure[].id] == ["'$draft_one'"]'
t 'the group goes live with what is in it' PATCH $D/section-groups/$draft_group admin '{"draft":false}' 200 '.draft == false'
t 'a section in a live group is shown' GET /v1/spaces/$draft_c admin '' 200 '.visibility == "unlisted"'
t 'a draft group in a group is added' POST $D/section-groups admin '{"title":"Inner","draft":true,"parent":"'$draft_group'"}' 201 ''
draft_inner=$(jq -r .id "$out")
t 'a section moves into a draft group' PATCH $D/sections/$draft_two admin '{"siteSectionGroupId":"'$draft_inner'"}' 200 \
	'.sectionGroup == "'$draft_inner'" and .draft == false'
t 'a section that moved into a draft group is shown to nobody' GET /v1/spaces/$draft_c admin '' 200 '.visibility == "private"'
t 'a group does not move into what is in it' PATCH $D/section-groups/$draft_group admin '{"parentSectionGroupId":"'$draft_inner'"}' 400 ''
t 'a group moves to the top' PATCH $D/section-groups/$draft_inner admin '{"parentSectionGroupId":null,"draft":false}' 200 'has("sectionGroup") | not'
t 'a section whose groups are live is shown' GET /v1/spaces/$draft_c admin '' 200 '.visibility == "unlisted"'
t 'a section leaves its group' PATCH $D/sections/$draft_two admin '{"siteSectionGroupId":null}' 200 'has("sectionGroup") | not'
t 'a section is added to a group' POST $D/sections admin '{"spaceId":"'$draft_c'","title":"Third","siteSectionGroupId":"'$draft_inner'"}' 201 \
	'.sectionGroup == "'$draft_inner'"'
t 'a section of an unknown group answers 404' POST $D/sections admin '{"spaceId":"'$draft_c'","siteSectionGroupId":"noSuchThing00000000000"}' 404 ''
for draft_bad in '"draft":null' '"draft":"yes"' '"siteSectionGroupId":7'; do
	t "a faulty section is refused: $draft_bad" PATCH $D/sections/$draft_two admin "{$draft_bad}" 400 ''
done
t 'the site for drafts goes' DELETE $D admin '' 204 ''
