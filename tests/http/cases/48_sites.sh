# Sites: settings, publishing, what they show and in which order.
SO=/v1/orgs/$ORG
one=$(space_empty 'Guide') two=$(space_empty 'Guide') three=$(space_empty 'Reference') four=$(space_empty 'Old one')
nothing=noSuchThing00000000000

t 'no sites' GET $SO/sites admin '' 200 '.items == [] and .count == 0'
t 'what there is by default' POST $SO/sites admin '{}' 201 '.object == "site" and .type == "basic" and .title == "Untitled" and .basename == "untitled"
	and .visibility == "public" and .published == false and .siteSpaces == 0 and .adaptiveContent == {enabled: false} and .agentsContext == "included"
	and .ads == {status: "disabled", topic: "webdev", zoneId: ""} and .features == [] and (has("proxy") | not) and (.urls | has("published") | not)
	and .urls.location == "'$base$SO'/sites/" + .id'
empty=$(jq -r .id "$out")
t 'two spaces of one title' POST $SO/sites admin '{"title":"Handbook","visibility":"unlisted","type":"premium","spaces":["'$one'","'$two'"]}' 201 \
	'.siteSpaces == 2 and .basename == "handbook"'
site=$(jq -r .id "$out") W=$SO/sites/$(jq -r .id "$out")
t 'a basename of its own' POST $SO/sites create '{"title":"Handbook"}' 201 '.basename == "handbook-2"'
other=$(jq -r .id "$out")
t 'a space twice' POST $SO/sites admin '{"spaces":["'$one'","'$one'"]}' 409 ''
t 'no such space' POST $SO/sites admin '{"spaces":["'$nothing'"]}' 404 ''
t 'nothing is half made' GET $SO/sites admin '' 200 '.count == 3 and ([.items[].title] == ["Handbook", "Handbook", "Untitled"])'
t 'readers do not list' GET $SO/sites read '' 403 ''
t 'readers know none' GET $W read '' 404 '.error.message == "no site '$site'"'
t 'readers delete nothing' DELETE $W read '' 204 ''
t 'strangers find no organization' DELETE $W other '' 404 ''
t 'still there' GET $W create '' 200 '.id == "'$site'"'
t 'filter: space' GET "$SO/sites?space=$two" admin '' 200 '[.items[].id] == ["'$site'"] and .count == 1'
t 'filter: a space that is not there' GET "$SO/sites?space=$nothing" admin '' 404 ''
t 'filter: title' GET "$SO/sites?title=HAND" admin '' 200 '.count == 2'
t 'filter: type' GET "$SO/sites?type=premium" admin '' 200 '.count == 1'
t 'filter: published' GET "$SO/sites?published=true" admin '' 200 '.count == 0'
t 'filter: not published' GET "$SO/sites?published=false&limit=1" admin '' 200 '.count == 3 and (.items | length) == 1 and has("next")'

# Settings.
t 'settings' PATCH $W admin '{"title":"Manual","visibility":"public","basename":"manual","adaptiveContent":{"enabled":true},"agentsContext":"excluded","proxy":"example.com/docs"}' 200 \
	'.title == "Manual" and .visibility == "public" and .basename == "manual" and .adaptiveContent.enabled and .agentsContext == "excluded"
	and .proxy.origin == "example.com/docs" and (.proxy.target | endswith("/manual/"))'
t 'what is absent stays' PATCH $W admin '{"proxy":null}' 200 '.title == "Manual" and .adaptiveContent.enabled and (has("proxy") | not)'
t 'a basename that is taken' PATCH $W admin '{"basename":"handbook-2"}' 409 ''
t 'its own basename' PATCH $W admin '{"basename":"manual"}' 200 ''
for bad in '"basename":"a/b"' '"basename":".."' '"proxy":"example.com"' '"title":"x"' '"visibility":"all"'; do
	t "refused: $bad" PATCH $W admin "{$bad}" 400 ''
done

# Variants: without sections.
t 'variants' GET $W/site-spaces admin '' 200 '[.items[].path] == ["guide", "guide-2"] and [.items[].default] == [true, false] and .count == 2
	and [.items[].space.id] == ["'$one'", "'$two'"] and all(.items[]; .urls == {} and .title == "Guide" and (has("section") | not))'
a=$(jq -r '.items[0].id' "$out") b=$(jq -r '.items[1].id' "$out")
t 'as structure' GET $W/structure admin '' 200 '.type == "siteSpaces" and [.structure[].id] == ["'$a'", "'$b'"]'
t 'defaults alone' GET "$W/site-spaces?default=true" admin '' 200 '[.items[].id] == ["'$a'"] and .count == 1'
t 'others alone' GET "$W/site-spaces?default=false" admin '' 200 '[.items[].id] == ["'$b'"]'
t 'one more' POST $W/site-spaces admin '{"spaceId":"'$three'"}' 201 '.path == "reference" and .default == false'
c=$(jq -r .id "$out")
t 'shown already' POST $W/site-spaces admin '{"spaceId":"'$three'"}' 409 ''
t 'another default' PATCH $W admin '{"defaultSiteSpace":"'$b'"}' 200 ''
t 'only one' GET "$W/site-spaces?default=true" admin '' 200 '[.items[].id] == ["'$b'"]'
t 'no such default' PATCH $W admin '{"defaultSiteSpace":"'$nothing'"}' 404 ''
t 'the next is the default' DELETE $W/site-spaces/$b admin '' 204 ''
t 'and not the first' GET "$W/site-spaces?default=true" admin '' 200 '[.items[].id] == ["'$c'"]'
t 'gone already' DELETE $W/site-spaces/$b admin '' 204 ''
t 'a path and a condition' PATCH $W/site-spaces/$c admin '{"path":"api","condition":"visitor.claims.beta"}' 200 '.path == "api" and .condition == "visitor.claims.beta"'
t 'no condition' PATCH $W/site-spaces/$c admin '{"condition":null}' 200 '.path == "api" and (has("condition") | not)'
t 'a path that is taken' PATCH $W/site-spaces/$c admin '{"path":"guide"}' 409 ''
t 'a space that is shown' PATCH $W/site-spaces/$c admin '{"spaceId":"'$one'"}' 409 ''
t 'another space' PATCH $W/site-spaces/$c admin '{"spaceId":"'$two'"}' 200 '.space.id == "'$two'" and .path == "api"'
t 'no such site space' PATCH $W/site-spaces/$b admin '{"path":"x"}' 404 ''
t 'of another site' PATCH $SO/sites/$other/site-spaces/$c admin '{"path":"x"}' 404 ''

# Publishing, and what spaces tell of it.
t 'not yet' GET /v1/spaces/$one read '' 200 '.visibility == "private" and (.urls | has("published") | not)'
t 'published' POST $W/publish admin '' 200 '.published and (.urls.published | endswith("/manual/"))'
at=$(jq -r .urls.published "$out")
t 'twice' POST $W/publish admin '' 200 '.urls.published == "'$at'"'
t 'its spaces' GET $W/site-spaces admin '' 200 '[.items[].urls.published] == ["'$at'guide/", "'$at'"] and [.items[].space.visibility] == ["public", "public"]'
t 'a space tells' GET /v1/spaces/$one read '' 200 '.visibility == "public" and .urls.published == "'$at'guide/" and .urls.public == .urls.published'
t 'narrower' PATCH $W admin '{"visibility":"share-link"}' 200 ''
t 'it follows' GET /v1/spaces/$one read '' 200 '.visibility == "share-link" and (.urls | has("public") | not)'
t 'another site, too' POST $SO/sites/$other/site-spaces admin '{"spaceId":"'$one'"}' 201 ''
t 'unlisted' PATCH $SO/sites/$other admin '{"visibility":"unlisted"}' 200 ''
t 'and published' POST $SO/sites/$other/publish admin '' 200 ''
t 'the widest counts' GET /v1/spaces/$one read '' 200 '.visibility == "unlisted" and (.urls.public | endswith("/handbook-2/"))'
t 'unpublished' POST $SO/sites/$other/unpublish admin '' 200 '.published == false and (.urls | has("published") | not)'
t 'twice' POST $SO/sites/$other/unpublish admin '' 200 '.published == false'
t 'it counts no more' GET /v1/spaces/$one read '' 200 '.visibility == "share-link"'
t 'another organization' POST /v1/orgs admin '{"title":"Elsewhere"}' 201 ''
elsewhere=$(jq -r .id "$out")
t 'what a site shows does not leave' POST /v1/spaces/$one/transfer admin '{"organization":"'$elsewhere'"}' 412 '.error.message | contains("site shows")'
t 'a deleted space' DELETE /v1/spaces/$two admin '' 204 ''
t 'is hidden' GET $W/site-spaces admin '' 200 '[.items[].id] == ["'$a'"] and .count == 1 and .items[0].default and .items[0].urls.published == "'$at'"'
t 'and not counted' GET $W admin '' 200 '.siteSpaces == 1'
t 'nor changed' PATCH $W/site-spaces/$c admin '{"path":"y"}' 404 ''
t 'its path stays taken' PATCH $W/site-spaces/$a admin '{"path":"api"}' 409 ''
t 'it comes back' POST /v1/spaces/$two/restore admin '' 200 ''
t 'as the default' GET $W/site-spaces admin '' 200 '[.items[].default] == [false, true]'

# Who may not read a space sees its segment and nothing else.
t 'closed' PATCH /v1/spaces/$two admin '{"title":"Closed","defaultLevel":null}' 200 ''
t 'a segment' GET $W/site-spaces create '' 200 '[.items[] | select(.id == "'$c'") | has("space"), .title] == [false, "api"]'
t 'in the structure, too' GET $W/structure create '' 200 '[.structure[] | select(.id == "'$c'") | has("space"), .title] == [false, "api"]'
t 'the admin reads' GET $W/site-spaces admin '' 200 '[.items[] | select(.id == "'$c'").title] == ["Closed"]'
t 'not shown by who may not read' POST $SO/sites/$other/site-spaces create '{"spaceId":"'$two'"}' 404 ''
t 'nor as a section' POST $W/sections create '{"spaceId":"'$two'"}' 404 ''
t 'only read' PATCH /v1/spaces/$two admin '{"defaultLevel":"review"}' 200 ''
t 'is not enough' POST $SO/sites/$other/site-spaces create '{"spaceId":"'$two'"}' 403 ''

# Sections: the first takes over what the site shows.
t 'no sections' GET $W/sections admin '' 200 '.items == [] and .count == 0'
t 'the first' POST $W/sections admin '{"spaceId":"'$three'","title":"Guides","icon":"book"}' 201 '.object == "site-section" and .path == "guides" and .default
	and .icon == "book" and [.siteSpaces[].id][0:2] == ["'$a'", "'$c'"] and (.siteSpaces | length) == 3 and .urls.published == "'$at'"'
s1=$(jq -r .id "$out")
t 'with its default' GET "$W/site-spaces?default=true" admin '' 200 '[.items[] | .id, .section] == ["'$c'", "'$s1'"]'
t 'the second' POST $W/sections admin '{"spaceId":"'$four'"}' 201 '.title == "Old one" and .path == "old-one" and .default == false
	and .urls.published == "'$at'old-one/" and .siteSpaces[0].urls.published == "'$at'old-one/" and .siteSpaces[0].default'
s2=$(jq -r .id "$out") d=$(jq -r '.siteSpaces[0].id' "$out")
t 'its own space at once' POST $W/sections admin '{"spaceId":"'$four'","title":null}' 201 '.path == "old-one-2" and (.siteSpaces | length) == 1'
s3=$(jq -r .id "$out")
t 'nothing to show' POST $W/sections admin '{"spaceId":"'$nothing'"}' 404 ''
t 'three' GET "$W/sections?limit=2" admin '' 200 '.count == 3 and [.items[].id] == ["'$s1'", "'$s2'"]'
t 'and the last' GET "$W/sections?limit=2&page=$(jq -r .next.page "$out")" admin '' 200 '[.items[].id] == ["'$s3'"] and (has("next") | not)'
t 'to the default section' POST $W/site-spaces admin '{"spaceId":"'$four'"}' 201 '.section == "'$s1'"'
e=$(jq -r .id "$out")
t 'to a section' POST $W/site-spaces admin '{"spaceId":"'$one'","sectionId":"'$s2'"}' 201 '.section == "'$s2'" and .urls.published == "'$at'old-one/guide/"'
t 'to none' POST $W/site-spaces admin '{"spaceId":"'$one'","sectionId":"'$nothing'"}' 404 ''
t 'a section' PATCH $W/sections/$s2 admin '{"title":"Old","path":"old","condition":"true","description":"What was","icon":null}' 200 \
	'.title == "Old" and .path == "old" and .condition == "true" and .description == "What was"'
t 'cleared' PATCH $W/sections/$s2 admin '{"condition":null,"description":null,"icon":"x"}' 200 '.icon == "x" and (has("condition") or has("description") | not)'
t 'a path that is taken' PATCH $W/sections/$s2 admin '{"path":"guides"}' 409 ''
t 'no such section' PATCH $W/sections/$nothing admin '{"title":"xx"}' 404 ''
t 'a default of another section' PATCH $W/sections/$s1 admin '{"defaultSiteSpace":"'$d'"}' 400 ''
t 'no default' PATCH $W/sections/$s1 admin '{"defaultSiteSpace":"'$nothing'"}' 404 ''
t 'a default' PATCH $W/sections/$s1 admin '{"defaultSiteSpace":"'$e'"}' 200 '[.siteSpaces[] | select(.default).id] == ["'$e'"]'
t 'of the default section' PATCH $W admin '{"defaultSiteSpace":"'$d'"}' 400 ''
t 'both at once' PATCH $W admin '{"defaultSiteSection":"'$s2'","defaultSiteSpace":"'$d'"}' 200 ''
t 'another default section' GET $W/sections admin '' 200 '[.items[].default] == [false, true, false]'
t 'the last one stays' DELETE $W/site-spaces/$(get $W/sections; jq -r '.items[2].siteSpaces[0].id' "$out") admin '' 409 ''

# Groups.
t 'a group' POST $W/section-groups admin '{"title":"Products","icon":"cube","sections":["'$s2'","'$s1'"]}' 201 '.object == "site-section-group"
	and [.sections[].id] == ["'$s2'", "'$s1'"] and [.children[].id] == ["'$s2'", "'$s1'"] and .icon == "cube" and (has("sectionGroup") | not)
	and ([.sections[].sectionGroup] | unique) == [.id]'
g=$(jq -r .id "$out")
t 'in it' POST $W/section-groups admin '{"title":"Inner","parent":"'$g'"}' 201 '.sectionGroup == "'$g'" and .children == []'
h=$(jq -r .id "$out")
t 'no such parent' POST $W/section-groups admin '{"title":"x","parent":"'$nothing'"}' 404 ''
t 'no such section' POST $W/section-groups admin '{"title":"x","sections":["'$nothing'"]}' 404 ''
t 'into the inner one' POST $W/section-groups/$h/sections admin '{"sectionId":"'$s1'"}' 201 '[.children[].id] == ["'$s1'"]'
t 'it is in it' POST $W/section-groups/$h/sections admin '{"sectionId":"'$s1'"}' 409 ''
t 'no such group' POST $W/section-groups/$nothing/sections admin '{"sectionId":"'$s1'"}' 404 ''
t 'groups' GET $W/section-groups admin '' 200 '.count == 2 and ([.items[].id] | sort) == (["'$g'", "'$h'"] | sort)'
t 'none of them' GET "$W/section-groups?limit=0" admin '' 200 '.count == 2 and .items == [] and (has("next") | not)'
t 'one by one' GET "$W/section-groups?limit=1" admin '' 200 '(.items | length) == 1 and has("next")'
t 'the other' GET "$W/section-groups?limit=1&page=$(jq -r .next.page "$out")" admin '' 200 '(.items | length) == 1 and (has("next") | not)'
t 'the tree' GET $W/structure admin '' 200 '.type == "sections" and [.structure[].id] == ["'$s3'", "'$g'"] and [.structure[1].children[].id] == ["'$s2'", "'$h'"]
	and .structure[1].children[1].children[0].id == "'$s1'"'
t 'a title' PATCH $W/section-groups/$h admin '{"title":"Deep","icon":null}' 200 '.title == "Deep" and .sectionGroup == "'$g'"'
t 'no group' PATCH $W/section-groups/$nothing admin '{"title":"x"}' 404 ''
at_group='{"position":{"after":{"type":"site-section","id":"'$s1'"}}}'
t 'not into itself' POST $W/section-groups/$h/move admin "$at_group" 400 '.error.message | contains("inside")'
t 'nor around itself' POST $W/section-groups/$g/move admin "$at_group" 400 ''
t 'a group moves' POST $W/section-groups/$h/move admin '{"position":{"before":{"type":"site-section","id":"'$s2'"}}}' 200 '.sectionGroup == "'$g'"'
t 'to where it is' POST $W/section-groups/$h/move admin '{"position":{"before":{"type":"site-section","id":"'$s2'"}}}' 409 ''
t 'no group moves' POST $W/section-groups/$nothing/move admin "$at_group" 404 ''
sorted() { t "$1" PATCH $W/structure/sort admin '{"item":{"type":"'$2'","id":"'$3'"},"position":{"'$4'":{"type":"'$5'","id":"'$6'"}}}' $7 "$8"; }
sorted 'out of its group' site-section-group $h before site-section $s3 200 'has("sectionGroup") | not'
sorted 'a section into a group' site-section $s3 after site-section $s2 200 '.sectionGroup == "'$g'"'
sorted 'a site space is no sibling' site-section $s3 after site-space $d 400 ''
sorted 'nor of another section' site-space $d after site-space $a 400 ''
sorted 'of nothing' site-section $nothing after site-section $s2 404 ''
sorted 'beside itself' site-section $s2 after site-section $s2 400 ''
sorted 'before and after' site-section $s2 'before":{"type":"site-section","id":"'$s3'"},"after' site-section $s1 400 ''
sorted 'site spaces' site-space $c before site-space $a 200 '.id == "'$c'"'
t 'in their new order' GET $W/structure admin '' 200 '[.. | objects | select(.id? == "'$s1'").siteSpaces][0] | [.[].id][0:2] == ["'$c'", "'$a'"]'
t 'by the older move' POST $W/site-spaces/$c/move admin '{"position":{"after":{"type":"site-space","siteSpace":"'$a'"}}}' 200 ''
t 'there already' POST $W/site-spaces/$c/move admin '{"position":{"after":{"type":"site-space","siteSpace":"'$a'"}}}' 409 ''
t 'no site space' POST $W/site-spaces/$nothing/move admin '{"position":{"after":{"type":"site-space","siteSpace":"'$a'"}}}' 404 ''
t 'a section moves' POST $W/sections/$s3/move admin '{"position":{"before":{"type":"site-section","siteSection":"'$s2'"}}}' 200 ''
t 'to where it is' POST $W/sections/$s3/move admin '{"position":{"before":{"type":"site-section","siteSection":"'$s2'"}}}' 409 ''
t 'no section' POST $W/sections/$nothing/move admin '{"position":{"before":{"type":"site-section","siteSection":"'$s2'"}}}' 404 ''
t 'out of the group' DELETE $W/section-groups/$g/sections/$s3 admin '' 204 ''
t 'not in it' DELETE $W/section-groups/$g/sections/$s3 admin '' 204 ''
t 'right behind it' GET $W/structure admin '' 200 '[.structure[].id] == ["'$h'", "'$g'", "'$s3'"] and (.structure[2] | has("sectionGroup") | not)'
t 'a group goes' DELETE $W/section-groups/$h admin '' 204 ''
t 'what was in it stays' GET $W/structure admin '' 200 '[.structure[].id] == ["'$s1'", "'$g'", "'$s3'"]'
in=$g
for depth in 2 3 4 5 6 7 8; do
	t "depth $depth" POST $W/section-groups admin '{"title":"x","parent":"'$in'"}' 201 ''
	in=$(jq -r .id "$out")
done
t 'too deep' POST $W/section-groups admin '{"title":"x","parent":"'$in'"}' 400 ''
t 'a group to bring there' POST $W/section-groups admin '{"title":"y"}' 201 ''
sorted 'too deep to move' site-section-group $(jq -r .id "$out") before site-section-group $in 200 ''

# The end of sections.
t 'the default goes' DELETE $W/sections/$s2 admin '' 204 ''
t 'gone already' DELETE $W/sections/$s2 admin '' 204 ''
t 'the next is it' GET $W/sections admin '' 200 '[.items[] | select(.default).id] | length == 1'
t 'one more' DELETE $W/sections/$s3 admin '' 204 ''
t 'the last one' DELETE $W/sections/$s1 admin '' 204 ''
t 'what it showed is the own of the site' GET $W/site-spaces admin '' 200 '.count == 4 and all(.items[]; has("section") | not) and ([.items[] | select(.default).id] == ["'$e'"])'

# The organization's default content.
t 'the default content' PATCH $SO admin '{"defaultContent":{"type":"site","site":"'$site'"}}' 200 '.defaultContent.site == "'$site'"'
t 'the site goes' DELETE $W admin '' 204 ''
t 'and it with it' GET $SO admin '' 200 'has("defaultContent") | not'
t 'gone already' DELETE $W admin '' 204 ''
t 'not found' GET $W admin '' 404 ''
t 'its spaces stay' GET /v1/spaces/$one admin '' 200 '.visibility == "private"'
for gone in $empty $other; do t 'the others go' DELETE $SO/sites/$gone admin '' 204 ''; done
t 'all of it is recorded' GET "$SO/audit-events?target=$site&limit=100" admin '' 200 '[.items[].action] | unique | map(select(startswith("site."))) ==
	["site.created", "site.deleted", "site.published", "site.structure.updated", "site.updated"]'
for gone in $one $two $three $four; do send DELETE /v1/spaces/$gone admin ''; done
