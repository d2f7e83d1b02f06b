# Members who may read the spaces of a site see it as its visitors do; only managers of sites see more.
r_open=$(space_empty Opened) r_closed=$(space_empty Closed) r_only=$(space_empty Only)
for r_space in $r_open $r_closed $r_only; do space_write $r_space \
	'{"changes":[{"operation":"insert_page","title":"Page","document":{"markdown":"A quoll."}}]}'; done
t 'a space is hidden from members' PATCH /v1/spaces/$r_closed admin '{"defaultLevel":null}' 200 ''
t 'another space is hidden from members' PATCH /v1/spaces/$r_only admin '{"defaultLevel":null}' 200 ''
t 'a site with an open and a hidden space is created' POST /v1/orgs/$ORG/sites admin \
	'{"title":"For readers","visibility":"public","spaces":["'$r_open'","'$r_closed'"]}' 201 ''
RS=/v1/orgs/$ORG/sites/$(jq -r .id "$out")
get $RS/site-spaces admin
r_item=$(jq -r '.items[] | select(.space.id == "'$r_open'").id' "$out")
# reader_asks NAME STATUS WHO: sends each request of a renderer with a member's token
reader_asks() {
	for ra_way in '' /site-spaces /sections /published /structure; do t "$1: ${ra_way:-the site}" GET $RS$ra_way $3 '' $2 ''; done
	t "$1: search" POST $RS/search $3 '{"query":"quoll","mode":"all"}' $2 ''
}
reader_asks 'a reader gets 404 for a site that is not published' 404 read
t 'the site is published' POST $RS/publish admin '' 200 ''
for r_who in read comment review guest; do reader_asks "$r_who reads a public site" 200 $r_who; done
reader_asks 'another organization gets 404 for a public site' 404 other
t 'a reviewer gets 404 for the customization' GET $RS/customization review '' 404 ''
t 'a reviewer gets 404 for the redirects' GET $RS/redirects review '' 404 ''
t 'a reader may not list sites' GET /v1/orgs/$ORG/sites read '' 403 ''
t 'a reader may not change a site' PATCH $RS read '{"title":"Mine"}' 404 ''
# The profile contains the flags of the caller.
profile() { t "$1" GET $RS/published $2 '' 200 '[.structure.structure[].space | [.id, .permissions.view, .permissions.edit, .permissions.admin]] == '"$3"; }
profile 'the site profile has the permissions of a reader' read '[["'$r_open'",true,false,false],["'$r_closed'",false,false,false]]'
profile 'the site profile has the permissions of an editor' edit '[["'$r_open'",true,true,false],["'$r_closed'",false,false,false]]'
profile 'the site profile has the permissions of an admin' admin '[["'$r_open'",true,true,true],["'$r_closed'",true,true,true]]'
t 'the site profile has the default level' GET $RS/published admin '' 200 '[.structure.structure[].space.defaultLevel] | .[0] != null'
get /v1/spaces/$r_open admin
t 'the site profile has the default level and permissions of the space' GET $RS/published admin '' 200 \
	'.structure.structure[0].space | .defaultLevel == '"$(jq -c .defaultLevel "$out")"' and .permissions == '"$(jq -c .permissions "$out")"
# Content hidden from visitors is hidden from members too.
t 'a variant gets a condition' PATCH $RS/site-spaces/$r_item admin '{"condition":"visitor.claims.beta"}' 200 ''
t 'a reader does not see a variant with a condition' GET $RS/site-spaces read '' 200 \
	'[.items[].path] == ["closed"] and .count == 1 and (.items[0] | has("condition") | not)'
t 'an admin sees a variant with its condition' GET $RS/site-spaces admin '' 200 '.count == 2 and any(.items[]; .condition == "visitor.claims.beta")'
t 'a reader does not see it in the structure' GET $RS/structure read '' 200 '[.structure[].path] == ["closed"]'
t 'the variant loses its condition' PATCH $RS/site-spaces/$r_item admin '{"condition":null}' 200 ''
# Sites for share links or signed claims: visible to members who may read all of their spaces.
for r_kind in share-link visitor-auth; do
	t "the site is opened by $r_kind" PATCH $RS admin '{"visibility":"'$r_kind'"}' 200 ''
	reader_asks "$r_kind: a member who may not read every space gets 404" 404 read
	t 'the member gets access to the other space' POST /v1/spaces/$r_closed/permissions admin '{"role":"read","users":["'$U_read'"]}' 204 ''
	reader_asks "$r_kind: a member who may read every space reads the site" 200 read
	reader_asks "$r_kind: another member gets 404" 404 comment
	t 'a wrong share key is ignored' GET "$RS/published?shareKey=wrong" read '' 200 '.structure.structure | length == 2'
	t 'the member loses access to the other space' DELETE /v1/spaces/$r_closed/permissions/users/$U_read admin '' 204 ''
done
# Sections are listed as visitors see them.
t 'a site with sections is created' POST /v1/orgs/$ORG/sites admin '{"title":"In sections","visibility":"public","spaces":["'$r_open'"]}' 201 ''
r_parts=/v1/orgs/$ORG/sites/$(jq -r .id "$out")
t 'a first section is created' POST $r_parts/sections admin '{"spaceId":"'$r_open'","title":"First"}' 201 ''
t 'a second section is created' POST $r_parts/sections admin '{"spaceId":"'$r_closed'","title":"Second"}' 201 ''
r_second=$(jq -r .id "$out")
t 'the site with sections is published' POST $r_parts/publish admin '' 200 ''
t 'a reader lists both sections' GET $r_parts/sections read '' 200 '[.items[].title] == ["First", "Second"] and .count == 2
	and .items[1].siteSpaces[0].space.title == "Closed"'
t 'sections are listed by pages' GET "$r_parts/sections?limit=1" review '' 200 '[.items[].title] == ["First"] and .count == 2 and (.next.page | length > 0)'
t 'a section gets a condition' PATCH $r_parts/sections/$r_second admin '{"condition":"visitor.claims.beta"}' 200 ''
t 'a guest does not see a section with a condition' GET $r_parts/sections guest '' 200 '[.items[].title] == ["First"] and .count == 1'
t 'an admin sees a section with its condition' GET $r_parts/sections admin '' 200 '.count == 2 and .items[1].condition == "visitor.claims.beta"'
t 'another organization gets 404 for sections' GET $r_parts/sections other '' 404 ''
t 'the site with sections is deleted' DELETE $r_parts admin '' 204 ''
# A site without any space left is known to its managers only.
for r_space in $r_open $r_closed; do t 'a space of the site is deleted' DELETE /v1/spaces/$r_space admin '' 204 ''; done
reader_asks 'a site that shows nothing answers 404' 404 read
for r_space in $r_open $r_closed; do t 'a space of the site is restored' POST /v1/spaces/$r_space/restore admin '' 200 ''; done
t 'the site is deleted' DELETE $RS admin '' 204 ''
for r_space in $r_open $r_closed $r_only; do t 'the spaces are deleted' DELETE /v1/spaces/$r_space admin '' 204 ''; done
