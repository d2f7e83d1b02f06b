# Members who may read what a site publishes see it as its visitors do; only those who manage sites see more.
r_open=$(space_empty Opened) r_closed=$(space_empty Closed) r_only=$(space_empty Only)
for r_space in $r_open $r_closed $r_only; do space_write $r_space '{"changes":[{"operation":"insert_page","title":"Page","document":{"markdown":"A quoll."}}]}'; done
t 'nobody reads it by default' PATCH /v1/spaces/$r_closed admin '{"defaultLevel":null}' 200 ''
t 'nor that' PATCH /v1/spaces/$r_only admin '{"defaultLevel":null}' 200 ''
t 'a site' POST /v1/orgs/$ORG/sites admin '{"title":"For readers","visibility":"public","spaces":["'$r_open'","'$r_closed'"]}' 201 ''
RS=/v1/orgs/$ORG/sites/$(jq -r .id "$out")
get $RS/site-spaces admin
r_item=$(jq -r '.items[] | select(.space.id == "'$r_open'").id' "$out")
# reader_asks NAME STATUS WHO: each of what a renderer asks with a member's token
reader_asks() {
	for ra_way in '' /site-spaces /sections /published /structure; do t "$1: ${ra_way:-itself}" GET $RS$ra_way $3 '' $2 ''; done
	t "$1: search" POST $RS/search $3 '{"query":"quoll","mode":"all"}' $2 ''
}
reader_asks 'not published: it is not there' 404 read
t 'published' POST $RS/publish admin '' 200 ''
for r_who in read comment review guest; do reader_asks "public: $r_who" 200 $r_who; done
reader_asks 'of others it is none' 404 other
t 'settings stay with those who manage it' GET $RS/customization review '' 404 ''
t 'redirects' GET $RS/redirects review '' 404 ''
t 'no list of sites' GET /v1/orgs/$ORG/sites read '' 403 ''
t 'no change' PATCH $RS read '{"title":"Mine"}' 404 ''
# The profile has the flags of who asks.
profile() { t "$1" GET $RS/published $2 '' 200 '[.structure.structure[].space | [.id, .permissions.view, .permissions.edit, .permissions.admin]] == '"$3"; }
profile 'flags of a reader' read '[["'$r_open'",true,false,false],["'$r_closed'",false,false,false]]'
profile 'flags of an editor' edit '[["'$r_open'",true,true,false],["'$r_closed'",false,false,false]]'
profile 'flags of an admin' admin '[["'$r_open'",true,true,true],["'$r_closed'",true,true,true]]'
t 'the default level, too' GET $RS/published admin '' 200 '[.structure.structure[].space.defaultLevel] | .[0] != null'
get /v1/spaces/$r_open admin
t 'is that of the space' GET $RS/published admin '' 200 '.structure.structure[0].space | .defaultLevel == '"$(jq -c .defaultLevel "$out")"' and .permissions == '"$(jq -c .permissions "$out")"
# What visitors do not see these do not see either.
t 'a condition' PATCH $RS/site-spaces/$r_item admin '{"condition":"visitor.claims.beta"}' 200 ''
t 'hides it from readers' GET $RS/site-spaces read '' 200 '[.items[].path] == ["closed"] and .count == 1 and (.items[0] | has("condition") | not)'
t 'not from those who manage it' GET $RS/site-spaces admin '' 200 '.count == 2 and any(.items[]; .condition == "visitor.claims.beta")'
t 'everywhere' GET $RS/structure read '' 200 '[.structure[].path] == ["closed"]'
t 'for all again' PATCH $RS/site-spaces/$r_item admin '{"condition":null}' 200 ''
# By share link or for signed claims: for members who may read all of it.
for r_kind in share-link visitor-auth; do
	t "$r_kind" PATCH $RS admin '{"visibility":"'$r_kind'"}' 200 ''
	reader_asks "$r_kind, one space is none of theirs" 404 read
	t 'they may' POST /v1/spaces/$r_closed/permissions admin '{"role":"read","users":["'$U_read'"]}' 204 ''
	reader_asks "$r_kind, all is theirs" 200 read
	reader_asks "$r_kind, not another's" 404 comment
	t 'a wrong key is ignored' GET "$RS/published?shareKey=wrong" read '' 200 '.structure.structure | length == 2'
	t 'no more' DELETE /v1/spaces/$r_closed/permissions/users/$U_read admin '' 204 ''
done
# Sections are listed as visitors see them.
t 'a site of sections' POST /v1/orgs/$ORG/sites admin '{"title":"In sections","visibility":"public","spaces":["'$r_open'"]}' 201 ''
r_parts=/v1/orgs/$ORG/sites/$(jq -r .id "$out")
t 'the first section' POST $r_parts/sections admin '{"spaceId":"'$r_open'","title":"First"}' 201 ''
t 'a second one' POST $r_parts/sections admin '{"spaceId":"'$r_closed'","title":"Second"}' 201 ''
r_second=$(jq -r .id "$out")
t 'published, too' POST $r_parts/publish admin '' 200 ''
t 'both sections' GET $r_parts/sections read '' 200 '[.items[].title] == ["First", "Second"] and .count == 2 and .items[1].siteSpaces[0].space.title == "Closed"'
t 'page by page' GET "$r_parts/sections?limit=1" review '' 200 '[.items[].title] == ["First"] and .count == 2 and (.next.page | length > 0)'
t 'one is hidden' PATCH $r_parts/sections/$r_second admin '{"condition":"visitor.claims.beta"}' 200 ''
t 'from readers' GET $r_parts/sections guest '' 200 '[.items[].title] == ["First"] and .count == 1'
t 'not from an admin' GET $r_parts/sections admin '' 200 '.count == 2 and .items[1].condition == "visitor.claims.beta"'
t 'of others they are none' GET $r_parts/sections other '' 404 ''
t 'without it' DELETE $r_parts admin '' 204 ''
# Nothing that it shows is left: who manages it alone knows it.
for r_space in $r_open $r_closed; do t 'a space goes' DELETE /v1/spaces/$r_space admin '' 204 ''; done
reader_asks 'a site that shows nothing' 404 read
for r_space in $r_open $r_closed; do t 'and comes back' POST /v1/spaces/$r_space/restore admin '' 200 ''; done
t 'without the site' DELETE $RS admin '' 204 ''
for r_space in $r_open $r_closed $r_only; do t 'without the space' DELETE /v1/spaces/$r_space admin '' 204 ''; done
