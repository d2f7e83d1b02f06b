# External links in the navigation of a site; spaces that are copied or made from a template for it.
LO=/v1/orgs/$ORG
link_space=$(space_empty 'Linked')
space_write $link_space '{"changes":[{"operation":"insert_page","ref":"a","title":"Start","document":{"markdown":"Words."}}]}'
t 'a site for links is created' POST $LO/sites admin '{"title":"Linked","visibility":"unlisted","spaces":["'$link_space'"]}' 201 ''
L=$LO/sites/$(jq -r .id "$out")
t 'the site for links is published' POST $L/publish admin '' 200 ''
link_at=$(jq -r .urls.published "$out")
link_new='"title":"Status","url":"https://status.example.com/"'
t 'a site without sections takes no link' POST $L/external-links admin "{$link_new}" 400 '.error.message | contains("section")'

# Copies.
t 'a variant is copied beside its source' POST $L/site-spaces/$(get $L/site-spaces admin; jq -r '.items[0].id' "$out")/duplicate admin '' 201 \
	'.title == "Linked (copy)" and .draft == false and (has("section") | not)'
link_copy=$(jq -r .id "$out") link_copied=$(jq -r .space.id "$out")
t 'the copy has the content of its source' GET /v1/spaces/$link_copied/content/pages admin '' 200 '[.pages[].title] == ["Start"]'
t 'the site shows both' GET $L/site-spaces admin '' 200 '.count == 2'
t 'the copy is taken off again' DELETE $L/site-spaces/$link_copy admin '' 204 ''
t 'a section takes the only variant' POST $L/sections admin '{"spaceId":"'$link_space'","title":"First"}' 201 ''
link_section=$(jq -r .id "$out") link_variant=$(jq -r '.siteSpaces[0].id' "$out")
t 'the only variant of a section is copied into a section beside it' POST $L/site-spaces/$link_variant/duplicate admin '{"draft":true}' 201 \
	'.section != "'$link_section'" and .section != null'
link_other=$(jq -r .section "$out")
t 'the section of the copy is a draft' GET $L/structure admin '' 200 \
	'[.structure[] | [.id, .draft]] == [["'$link_section'", false], ["'$link_other'", true]]'
t 'a copy of nothing answers 404' POST $L/site-spaces/noSuchThing00000000000/duplicate admin '' 404 ''
t 'who may not read the space copies nothing' PATCH /v1/spaces/$link_space admin '{"defaultLevel":null}' 200 ''
t 'the space is not there for them' POST $L/site-spaces/$link_variant/duplicate create '' 404 ''
t 'who reads the space alone copies nothing' PATCH /v1/spaces/$link_space admin '{"defaultLevel":"read"}' 200 ''
t 'copying takes create on the space' POST $L/site-spaces/$link_variant/duplicate create '' 403 ''
t 'the space is open again' PATCH /v1/spaces/$link_space admin '{"defaultLevel":"inherit"}' 200 ''

# Links.
t 'a link is added at the end' POST $L/external-links create "{$link_new,\"description\":\"How things are\",\"icon\":\"signal\",
	\"localizedTitle\":{\"es\":\"Estado\"}}" 201 '.object == "site-external-link" and .draft == false and .localizedTitle.es == "Estado"
	and (has("sectionGroup") | not)'
link=$(jq -r .id "$out")
t 'the structure has the link at its end' GET $L/structure admin '' 200 \
	'.structure[-1].id == "'$link'" and .structure[-1].url == "https://status.example.com/"'
t 'readers see the link' GET $L/structure read '' 200 '[.structure[].object] == ["site-section", "site-external-link"]'
[ "$TRANSPORT" = cgi ] || yes 'the pages of the site have the link' sh -c 'curl -s "'$link_at'" | grep -q "https://status.example.com/"'
t 'the profile for renderers has no link, since they take it for a group' GET $L/published admin '' 200 \
	'[.structure.structure[].object] == ["site-section"]'
t 'a link is a draft' PATCH $L/external-links/$link admin '{"draft":true}' 200 '.draft == true and .title == "Status"'
t 'readers see no draft of a link' GET $L/structure read '' 200 '[.structure[].object] == ["site-section"]'
t 'a link has a condition' PATCH $L/external-links/$link admin '{"draft":false,"condition":"visitor.claims.beta"}' 200 \
	'.condition == "visitor.claims.beta"'
t 'a link whose condition does not hold is not there' GET $L/structure read '' 200 '[.structure[].object] == ["site-section"]'
t 'a faulty condition is refused' PATCH $L/external-links/$link admin '{"condition":"=="}' 400 ''
t 'null ends what may be absent' PATCH $L/external-links/$link admin '{"condition":null,"description":null,"icon":null,"localizedTitle":null}' 200 \
	'(has("condition") or has("description") or has("icon") or has("localizedTitle")) | not'
t 'a group for links is added' POST $L/section-groups admin '{"title":"More"}' 201 ''
link_group=$(jq -r .id "$out")
t 'a link moves into a group' PATCH $L/external-links/$link admin '{"parent":"'$link_group'"}' 200 '.sectionGroup == "'$link_group'"'
t 'the group has it among its children, not among its sections' GET $L/section-groups admin '' 200 \
	'[.items[0].children[].id] == ["'$link'"] and .items[0].sections == []'
t 'a group of a link alone is shown to readers' GET $L/structure read '' 200 '.structure[-1].children[0].id == "'$link'"'
t 'a link moves before a section' PATCH $L/structure/sort admin \
	'{"item":{"type":"site-external-link","id":"'$link'"},"position":{"before":{"type":"site-section","id":"'$link_section'"}}}' 200 '.id == "'$link'"'
t 'the structure has the link first' GET $L/structure admin '' 200 '.structure[0].id == "'$link'"'
t 'a section moves after a link' PATCH $L/structure/sort admin \
	'{"item":{"type":"site-section","id":"'$link_other'"},"position":{"after":{"type":"site-external-link","id":"'$link'"}}}' 200 '.id == "'$link_other'"'
t 'a deleted group leaves its links' PATCH $L/external-links/$link admin '{"parent":"'$link_group'"}' 200 ''
t 'the group for links is deleted' DELETE $L/section-groups/$link_group admin '' 204 ''
t 'its link moved up' GET $L/structure admin '' 200 '[.structure[].id] | index("'$link'") != null'
for link_bad in '"url":"javascript:alert(1)"' '"url":"/x"' '"title":"x"' '"parent":"noSuchThing00000000000"'; do
	link_want=400
	[ "${link_bad#*parent}" = "$link_bad" ] || link_want=404
	t "a faulty link is refused: $link_bad" PATCH $L/external-links/$link admin "{$link_bad}" $link_want ''
done
t 'a link needs an address' POST $L/external-links admin '{"title":"Status"}' 400 ''
t 'readers add no link' POST $L/external-links read "{$link_new}" 404 ''
t 'a link is deleted' DELETE $L/external-links/$link admin '' 204 ''
t 'a deleted link answers 404' PATCH $L/external-links/$link admin '{"title":"Gone"}' 404 ''
t 'a link is deleted twice' DELETE $L/external-links/$link admin '' 204 ''
t 'the site for links is deleted with a link' POST $L/external-links admin "{$link_new}" 201 ''
t 'the site for links goes' DELETE $L admin '' 204 ''

# The template.
t 'a site for a template is created' POST $LO/sites create '{"title":"Made"}' 201 ''
M=$LO/sites/$(jq -r .id "$out")
t 'a site is filled from the template' POST $M/template create '' 200 ''
t 'the site has a section for each space of the template' GET $M/structure create '' 200 \
	'[.structure[].title] == ["Documentation", "Changelog"] and all(.structure[]; .siteSpaces | length == 1)'
made_space=$(jq -r '.structure[0].siteSpaces[0].space.id' "$out")
t 'its spaces have pages' GET /v1/spaces/$made_space/content/pages create '' 200 '.pages | length > 1'
t 'a site is filled once' POST $M/template create '' 409 ''
t 'readers fill no site' POST $M/template read '' 404 ''
t 'the filled site goes' DELETE $M create '' 204 ''
t 'the site for links goes' DELETE $L admin '' 204 ''
