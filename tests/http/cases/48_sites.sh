# Sites: settings, publishing, content and its order.
SO=/v1/orgs/$ORG
one=$(space_empty 'Guide') two=$(space_empty 'Guide') three=$(space_empty 'Reference') four=$(space_empty 'Old one')
nothing=noSuchThing00000000000

t 'an organization has no sites at first' GET $SO/sites admin '' 200 '.items == [] and .count == 0'
t 'a site has its defaults' POST $SO/sites admin '{}' 201 '.object == "site" and .type == "basic" and .title == "Untitled" and .basename == "untitled"
	and .visibility == "public" and .published == false and .siteSpaces == 0 and .adaptiveContent == {enabled: false} and .agentsContext == "included"
	and .ads == {status: "disabled", topic: "webdev", zoneId: ""} and .features == [] and (has("proxy") | not) and (.urls | has("published") | not)
	and .urls.location == "'$base$SO'/sites/" + .id'
empty=$(jq -r .id "$out")
t 'a site of two spaces is created' POST $SO/sites admin '{"title":"Handbook","visibility":"unlisted","type":"premium","spaces":["'$one'","'$two'"]}' 201 \
	'.siteSpaces == 2 and .basename == "handbook"'
site=$(jq -r .id "$out") W=$SO/sites/$(jq -r .id "$out")
t 'a site whose title is taken gets another basename' POST $SO/sites create '{"title":"Handbook"}' 201 '.basename == "handbook-2"'
other=$(jq -r .id "$out")
t 'a space that is there twice is refused' POST $SO/sites admin '{"spaces":["'$one'","'$one'"]}' 409 ''
t 'a site of an unknown space answers 404' POST $SO/sites admin '{"spaces":["'$nothing'"]}' 404 ''
t 'refused sites are not created' GET $SO/sites admin '' 200 '.count == 3 and ([.items[].title] == ["Handbook", "Handbook", "Untitled"])'
t 'a reader may not list sites' GET $SO/sites read '' 403 ''
t 'a reader gets 404 for a site' GET $W read '' 404 '.error.message == "no site '$site'"'
t 'a reader deletes no site' DELETE $W read '' 204 ''
t 'another organization gets 404 for the deletion' DELETE $W other '' 404 ''
t 'refused deletions left the site' GET $W create '' 200 '.id == "'$site'"'
t 'sites are filtered by space' GET "$SO/sites?space=$two" admin '' 200 '[.items[].id] == ["'$site'"] and .count == 1'
t 'sites of an unknown space answer 404' GET "$SO/sites?space=$nothing" admin '' 404 ''
t 'sites are filtered by title' GET "$SO/sites?title=HAND" admin '' 200 '.count == 2'
t 'sites are filtered by type' GET "$SO/sites?type=premium" admin '' 200 '.count == 1'
t 'published sites are listed alone' GET "$SO/sites?published=true" admin '' 200 '.count == 0'
t 'unpublished sites are listed alone' GET "$SO/sites?published=false&limit=1" admin '' 200 '.count == 3 and (.items | length) == 1 and has("next")'

# Settings.
t 'settings of a site are changed' PATCH $W admin '{"title":"Manual","visibility":"public","basename":"manual","adaptiveContent":{"enabled":true},
	"agentsContext":"excluded","proxy":"example.com/docs"}' 200 \
	'.title == "Manual" and .visibility == "public" and .basename == "manual" and .adaptiveContent.enabled and .agentsContext == "excluded"
	and .proxy.origin == "example.com/docs" and (.proxy.target | endswith("/manual/"))'
t 'a site is found by its new title' GET "$SO/sites?title=MANUAL" admin '' 200 '[.items[].id] == ["'$site'"]'
t 'a change keeps settings that it does not name' PATCH $W admin '{"proxy":null}' 200 \
	'.title == "Manual" and .adaptiveContent.enabled and (has("proxy") | not)'
t 'a basename that is taken is refused' PATCH $W admin '{"basename":"handbook-2"}' 409 ''
t 'the own basename may be set again' PATCH $W admin '{"basename":"manual"}' 200 ''
for bad in '"basename":"a/b"' '"basename":".."' '"proxy":"example.com"' '"title":"x"' '"visibility":"all"'; do
	t "a faulty setting is refused: $bad" PATCH $W admin "{$bad}" 400 ''
done

# Variants: without sections.
t 'a site without sections lists its variants' GET $W/site-spaces admin '' 200 \
	'[.items[].path] == ["guide", "guide-2"] and [.items[].default] == [true, false] and .count == 2
	and [.items[].space.id] == ["'$one'", "'$two'"] and all(.items[]; .urls == {} and .title == "Guide" and (has("section") | not))'
a=$(jq -r '.items[0].id' "$out") b=$(jq -r '.items[1].id' "$out")
t 'a site without sections has its variants as structure' GET $W/structure admin '' 200 '.type == "siteSpaces" and [.structure[].id] == ["'$a'", "'$b'"]'
t 'default variants are listed alone' GET "$W/site-spaces?default=true" admin '' 200 '[.items[].id] == ["'$a'"] and .count == 1'
t 'other variants are listed alone' GET "$W/site-spaces?default=false" admin '' 200 '[.items[].id] == ["'$b'"]'
t 'a variant is added' POST $W/site-spaces admin '{"spaceId":"'$three'"}' 201 '.path == "reference" and .default == false'
c=$(jq -r .id "$out")
t 'a space that the site shows already is refused' POST $W/site-spaces admin '{"spaceId":"'$three'"}' 409 ''
t 'the default variant is changed' PATCH $W admin '{"defaultSiteSpace":"'$b'"}' 200 ''
t 'a site has one default variant' GET "$W/site-spaces?default=true" admin '' 200 '[.items[].id] == ["'$b'"]'
t 'an unknown default variant answers 404' PATCH $W admin '{"defaultSiteSpace":"'$nothing'"}' 404 ''
t 'the default variant is removed' DELETE $W/site-spaces/$b admin '' 204 ''
t 'the variant after a removed default is the default' GET "$W/site-spaces?default=true" admin '' 200 '[.items[].id] == ["'$c'"]'
t 'a removed variant may be removed again' DELETE $W/site-spaces/$b admin '' 204 ''
t 'a variant gets a path and a condition' PATCH $W/site-spaces/$c admin '{"path":"api","condition":"visitor.claims.beta"}' 200 \
	'.path == "api" and .condition == "visitor.claims.beta"'
t 'a variant loses its condition' PATCH $W/site-spaces/$c admin '{"condition":null}' 200 '.path == "api" and (has("condition") | not)'
t 'a path of another variant is refused' PATCH $W/site-spaces/$c admin '{"path":"guide"}' 409 ''
t 'a space of another variant is refused' PATCH $W/site-spaces/$c admin '{"spaceId":"'$one'"}' 409 ''
t 'a variant shows another space' PATCH $W/site-spaces/$c admin '{"spaceId":"'$two'"}' 200 '.space.id == "'$two'" and .path == "api"'
t 'a removed variant answers 404' PATCH $W/site-spaces/$b admin '{"path":"x"}' 404 ''
t 'a variant answers 404 under another site' PATCH $SO/sites/$other/site-spaces/$c admin '{"path":"x"}' 404 ''

# Publishing, and the visibility of spaces.
t 'a space of an unpublished site is private' GET /v1/spaces/$one read '' 200 '.visibility == "private" and (.urls | has("published") | not)'
t 'a site is published at its address' POST $W/publish admin '' 200 '.published and (.urls.published | endswith("/manual/"))'
at=$(jq -r .urls.published "$out")
t 'a published site may be published again' POST $W/publish admin '' 200 '.urls.published == "'$at'"'
t 'variants of a published site have addresses' GET $W/site-spaces admin '' 200 \
	'[.items[].urls.published] == ["'$at'guide/", "'$at'"] and [.items[].space.visibility] == ["public", "public"]'
t 'a space of a public site is public' GET /v1/spaces/$one read '' 200 '.visibility == "public" and .urls.published == "'$at'guide/"
	and .urls.public == .urls.published'
t 'the site is opened by share links' PATCH $W admin '{"visibility":"share-link"}' 200 ''
t 'a space follows the visibility of its site' GET /v1/spaces/$one read '' 200 '.visibility == "share-link" and (.urls | has("public") | not)'
t 'the space comes to a second site' POST $SO/sites/$other/site-spaces admin '{"spaceId":"'$one'"}' 201 ''
t 'the second site is made unlisted' PATCH $SO/sites/$other admin '{"visibility":"unlisted"}' 200 ''
t 'the second site is published' POST $SO/sites/$other/publish admin '' 200 ''
t 'a space has the widest visibility of its sites' GET /v1/spaces/$one read '' 200 '.visibility == "unlisted" and (.urls.public | endswith("/handbook-2/"))'
t 'the second site is unpublished' POST $SO/sites/$other/unpublish admin '' 200 '.published == false and (.urls | has("published") | not)'
t 'an unpublished site may be unpublished again' POST $SO/sites/$other/unpublish admin '' 200 '.published == false'
t 'an unpublished site does not count for a space' GET /v1/spaces/$one read '' 200 '.visibility == "share-link"'
t 'another organization is created' POST /v1/orgs admin '{"title":"Elsewhere"}' 201 ''
elsewhere=$(jq -r .id "$out")
t 'a space that a site shows is not transferred' POST /v1/spaces/$one/transfer admin '{"organization":"'$elsewhere'"}' 412 \
	'.error.message | contains("site shows")'
t 'a space of the site is deleted' DELETE /v1/spaces/$two admin '' 204 ''
t 'a deleted space is not listed among variants' GET $W/site-spaces admin '' 200 \
	'[.items[].id] == ["'$a'"] and .count == 1 and .items[0].default and .items[0].urls.published == "'$at'"'
t 'a deleted space is not counted' GET $W admin '' 200 '.siteSpaces == 1'
t 'the variant of a deleted space cannot be changed' PATCH $W/site-spaces/$c admin '{"path":"y"}' 404 ''
t 'the path of a deleted space stays taken' PATCH $W/site-spaces/$a admin '{"path":"api"}' 409 ''
t 'the space is restored' POST /v1/spaces/$two/restore admin '' 200 ''
t 'a restored space is the default variant again' GET $W/site-spaces admin '' 200 '[.items[].default] == [false, true]'

# Members who may not read a space see its segment only.
t 'a space is hidden from members' PATCH /v1/spaces/$two admin '{"title":"Closed","defaultLevel":null}' 200 ''
t 'a variant of a hidden space shows its path alone' GET $W/site-spaces create '' 200 \
	'[.items[] | select(.id == "'$c'") | has("space"), .title] == [false, "api"]'
t 'the structure shows the path of a hidden space alone' GET $W/structure create '' 200 \
	'[.structure[] | select(.id == "'$c'") | has("space"), .title] == [false, "api"]'
t 'an admin sees the variant of a hidden space' GET $W/site-spaces admin '' 200 '[.items[] | select(.id == "'$c'").title] == ["Closed"]'
t 'a hidden space cannot be added to a site' POST $SO/sites/$other/site-spaces create '{"spaceId":"'$two'"}' 404 ''
t 'a hidden space cannot become a section' POST $W/sections create '{"spaceId":"'$two'"}' 404 ''
t 'the space becomes readable' PATCH /v1/spaces/$two admin '{"defaultLevel":"review"}' 200 ''
t 'a space needs more than reading to be added' POST $SO/sites/$other/site-spaces create '{"spaceId":"'$two'"}' 403 ''

# Sections: the first one takes over the site's content.
t 'a site has no sections at first' GET $W/sections admin '' 200 '.items == [] and .count == 0'
t 'the first section takes over all variants' POST $W/sections admin '{"spaceId":"'$three'","title":"Guides","icon":"book"}' 201 \
	'.object == "site-section" and .path == "guides" and .default
	and .icon == "book" and [.siteSpaces[].id][0:2] == ["'$a'", "'$c'"] and (.siteSpaces | length) == 3 and .urls.published == "'$at'"'
s1=$(jq -r .id "$out")
t 'the first section keeps the default variant' GET "$W/site-spaces?default=true" admin '' 200 '[.items[] | .id, .section] == ["'$c'", "'$s1'"]'
t 'a second section has its own variant and address' POST $W/sections admin '{"spaceId":"'$four'"}' 201 \
	'.title == "Old one" and .path == "old-one" and .default == false
	and .urls.published == "'$at'old-one/" and .siteSpaces[0].urls.published == "'$at'old-one/" and .siteSpaces[0].default'
s2=$(jq -r .id "$out") d=$(jq -r '.siteSpaces[0].id' "$out")
t 'a third section gets a free path' POST $W/sections admin '{"spaceId":"'$four'","title":null}' 201 '.path == "old-one-2" and (.siteSpaces | length) == 1'
s3=$(jq -r .id "$out")
t 'a section of an unknown space answers 404' POST $W/sections admin '{"spaceId":"'$nothing'"}' 404 ''
t 'sections are listed by pages' GET "$W/sections?limit=2" admin '' 200 '.count == 3 and [.items[].id] == ["'$s1'", "'$s2'"]'
t 'the last page of sections has no next' GET "$W/sections?limit=2&page=$(jq -r .next.page "$out")" admin '' 200 \
	'[.items[].id] == ["'$s3'"] and (has("next") | not)'
t 'a variant without a section comes into the default section' POST $W/site-spaces admin '{"spaceId":"'$four'"}' 201 '.section == "'$s1'"'
e=$(jq -r .id "$out")
t 'a variant comes into the section that is named' POST $W/site-spaces admin '{"spaceId":"'$one'","sectionId":"'$s2'"}' 201 \
	'.section == "'$s2'" and .urls.published == "'$at'old-one/guide/"'
t 'a variant in an unknown section answers 404' POST $W/site-spaces admin '{"spaceId":"'$one'","sectionId":"'$nothing'"}' 404 ''
t 'settings of a section are changed' PATCH $W/sections/$s2 admin '{"title":"Old","path":"old","condition":"true","description":"What was","icon":null}' 200 \
	'.title == "Old" and .path == "old" and .condition == "true" and .description == "What was"'
t 'settings of a section are cleared' PATCH $W/sections/$s2 admin '{"condition":null,"description":null,"icon":"x"}' 200 \
	'.icon == "x" and (has("condition") or has("description") | not)'
t 'a path of another section is refused' PATCH $W/sections/$s2 admin '{"path":"guides"}' 409 ''
t 'an unknown section answers 404' PATCH $W/sections/$nothing admin '{"title":"xx"}' 404 ''
t 'a default variant of another section is refused' PATCH $W/sections/$s1 admin '{"defaultSiteSpace":"'$d'"}' 400 ''
t 'an unknown default variant of a section answers 404' PATCH $W/sections/$s1 admin '{"defaultSiteSpace":"'$nothing'"}' 404 ''
t 'the default variant of a section is changed' PATCH $W/sections/$s1 admin '{"defaultSiteSpace":"'$e'"}' 200 \
	'[.siteSpaces[] | select(.default).id] == ["'$e'"]'
t 'a default variant outside the default section is refused' PATCH $W admin '{"defaultSiteSpace":"'$d'"}' 400 ''
t 'default section and variant are changed together' PATCH $W admin '{"defaultSiteSection":"'$s2'","defaultSiteSpace":"'$d'"}' 200 ''
t 'a site has one default section' GET $W/sections admin '' 200 '[.items[].default] == [false, true, false]'
t 'the last variant of a section cannot be removed' DELETE $W/site-spaces/$(get $W/sections; jq -r '.items[2].siteSpaces[0].id' "$out") admin '' 409 ''

# Groups.
t 'a group of sections is created' POST $W/section-groups admin '{"title":"Products","icon":"cube","sections":["'$s2'","'$s1'"]}' 201 \
	'.object == "site-section-group"
	and [.sections[].id] == ["'$s2'", "'$s1'"] and [.children[].id] == ["'$s2'", "'$s1'"] and .icon == "cube" and (has("sectionGroup") | not)
	and ([.sections[].sectionGroup] | unique) == [.id]'
g=$(jq -r .id "$out")
t 'a group in a group is created' POST $W/section-groups admin '{"title":"Inner","parent":"'$g'"}' 201 '.sectionGroup == "'$g'" and .children == []'
h=$(jq -r .id "$out")
t 'a group in an unknown group answers 404' POST $W/section-groups admin '{"title":"x","parent":"'$nothing'"}' 404 ''
t 'a group of an unknown section answers 404' POST $W/section-groups admin '{"title":"x","sections":["'$nothing'"]}' 404 ''
t 'a section is added to a group' POST $W/section-groups/$h/sections admin '{"sectionId":"'$s1'"}' 201 '[.children[].id] == ["'$s1'"]'
t 'a section that is in the group is refused' POST $W/section-groups/$h/sections admin '{"sectionId":"'$s1'"}' 409 ''
t 'an unknown group takes no section' POST $W/section-groups/$nothing/sections admin '{"sectionId":"'$s1'"}' 404 ''
t 'groups are listed' GET $W/section-groups admin '' 200 '.count == 2 and ([.items[].id] | sort) == (["'$g'", "'$h'"] | sort)'
t 'a limit of 0 counts groups alone' GET "$W/section-groups?limit=0" admin '' 200 '.count == 2 and .items == [] and (has("next") | not)'
t 'groups are listed by pages' GET "$W/section-groups?limit=1" admin '' 200 '(.items | length) == 1 and has("next")'
t 'the last page of groups has no next' GET "$W/section-groups?limit=1&page=$(jq -r .next.page "$out")" admin '' 200 \
	'(.items | length) == 1 and (has("next") | not)'
t 'the structure nests groups and sections' GET $W/structure admin '' 200 \
	'.type == "sections" and [.structure[].id] == ["'$s3'", "'$g'"] and [.structure[1].children[].id] == ["'$s2'", "'$h'"]
	and .structure[1].children[1].children[0].id == "'$s1'"'
t 'a group is renamed' PATCH $W/section-groups/$h admin '{"title":"Deep","icon":null}' 200 '.title == "Deep" and .sectionGroup == "'$g'"'
t 'an unknown group answers 404' PATCH $W/section-groups/$nothing admin '{"title":"x"}' 404 ''
at_group='{"position":{"after":{"type":"site-section","id":"'$s1'"}}}'
t 'a group cannot be moved into itself' POST $W/section-groups/$h/move admin "$at_group" 400 '.error.message | contains("inside")'
t 'a group cannot be moved into its own descendant' POST $W/section-groups/$g/move admin "$at_group" 400 ''
t 'a group is moved before a section' POST $W/section-groups/$h/move admin '{"position":{"before":{"type":"site-section","id":"'$s2'"}}}' 200 \
	'.sectionGroup == "'$g'"'
t 'a move to the same place is refused' POST $W/section-groups/$h/move admin '{"position":{"before":{"type":"site-section","id":"'$s2'"}}}' 409 ''
t 'an unknown group cannot be moved' POST $W/section-groups/$nothing/move admin "$at_group" 404 ''
sorted() { t "$1" PATCH $W/structure/sort admin '{"item":{"type":"'$2'","id":"'$3'"},"position":{"'$4'":{"type":"'$5'","id":"'$6'"}}}' $7 "$8"; }
sorted 'a group is sorted out of its group' site-section-group $h before site-section $s3 200 'has("sectionGroup") | not'
sorted 'a section is sorted into a group' site-section $s3 after site-section $s2 200 '.sectionGroup == "'$g'"'
sorted 'a section beside a variant is refused' site-section $s3 after site-space $d 400 ''
sorted 'a variant beside one of another section is refused' site-space $d after site-space $a 400 ''
sorted 'an unknown section cannot be sorted' site-section $nothing after site-section $s2 404 ''
sorted 'a section beside itself is refused' site-section $s2 after site-section $s2 400 ''
sorted 'before and after together are refused' site-section $s2 'before":{"type":"site-section","id":"'$s3'"},"after' site-section $s1 400 ''
sorted 'a variant is sorted' site-space $c before site-space $a 200 '.id == "'$c'"'
t 'sorted variants are in their new order' GET $W/structure admin '' 200 \
	'[.. | objects | select(.id? == "'$s1'").siteSpaces][0] | [.[].id][0:2] == ["'$c'", "'$a'"]'
t 'a variant is moved by the older operation' POST $W/site-spaces/$c/move admin '{"position":{"after":{"type":"site-space","siteSpace":"'$a'"}}}' 200 ''
t 'a move of a variant to the same place is refused' POST $W/site-spaces/$c/move admin '{"position":{"after":{"type":"site-space","siteSpace":"'$a'"}}}' 409 ''
t 'an unknown variant cannot be moved' POST $W/site-spaces/$nothing/move admin '{"position":{"after":{"type":"site-space","siteSpace":"'$a'"}}}' 404 ''
t 'a section is moved by the older operation' POST $W/sections/$s3/move admin '{"position":{"before":{"type":"site-section","siteSection":"'$s2'"}}}' 200 ''
t 'a move of a section to the same place is refused' POST $W/sections/$s3/move admin \
	'{"position":{"before":{"type":"site-section","siteSection":"'$s2'"}}}' 409 ''
t 'an unknown section cannot be moved' POST $W/sections/$nothing/move admin '{"position":{"before":{"type":"site-section","siteSection":"'$s2'"}}}' 404 ''
t 'a section is removed from its group' DELETE $W/section-groups/$g/sections/$s3 admin '' 204 ''
t 'a section that is not in the group may be removed' DELETE $W/section-groups/$g/sections/$s3 admin '' 204 ''
t 'a removed section stands after its group' GET $W/structure admin '' 200 \
	'[.structure[].id] == ["'$h'", "'$g'", "'$s3'"] and (.structure[2] | has("sectionGroup") | not)'
t 'a group is deleted' DELETE $W/section-groups/$h admin '' 204 ''
t 'sections of a deleted group take its place' GET $W/structure admin '' 200 '[.structure[].id] == ["'$s1'", "'$g'", "'$s3'"]'
in=$g
for depth in 2 3 4 5 6 7 8; do
	t "a group on level $depth is created" POST $W/section-groups admin '{"title":"x","parent":"'$in'"}' 201 ''
	in=$(jq -r .id "$out")
done
t 'a group on level 9 is refused' POST $W/section-groups admin '{"title":"x","parent":"'$in'"}' 400 ''
t 'another group is created' POST $W/section-groups admin '{"title":"y"}' 201 ''
sorted 'a group is sorted beside the deepest one' site-section-group $(jq -r .id "$out") before site-section-group $in 200 ''

# Deleting sections.
t 'the default section is deleted' DELETE $W/sections/$s2 admin '' 204 ''
t 'a deleted section may be deleted again' DELETE $W/sections/$s2 admin '' 204 ''
t 'another section becomes the default' GET $W/sections admin '' 200 '[.items[] | select(.default).id] | length == 1'
t 'a second section is deleted' DELETE $W/sections/$s3 admin '' 204 ''
t 'the last section is deleted' DELETE $W/sections/$s1 admin '' 204 ''
t 'variants of the last section belong to the site' GET $W/site-spaces admin '' 200 \
	'.count == 4 and all(.items[]; has("section") | not) and ([.items[] | select(.default).id] == ["'$e'"])'

# The organization's default content.
t 'a site becomes the default content of the organization' PATCH $SO admin '{"defaultContent":{"type":"site","site":"'$site'"}}' 200 \
	'.defaultContent.site == "'$site'"'
t 'the site is deleted' DELETE $W admin '' 204 ''
t 'a deleted site is not the default content' GET $SO admin '' 200 'has("defaultContent") | not'
t 'a deleted site may be deleted again' DELETE $W admin '' 204 ''
t 'a deleted site answers 404' GET $W admin '' 404 ''
t 'spaces of a deleted site are private' GET /v1/spaces/$one admin '' 200 '.visibility == "private"'
for gone in $empty $other; do t 'the other sites are deleted' DELETE $SO/sites/$gone admin '' 204 ''; done
t 'changes of a site are recorded' GET "$SO/audit-events?target=$site&limit=100" admin '' 200 '[.items[].action] | unique | map(select(startswith("site."))) ==
	["site.created", "site.deleted", "site.published", "site.structure.updated", "site.updated"]'
for gone in $one $two $three $four; do send DELETE /v1/spaces/$gone admin ''; done
