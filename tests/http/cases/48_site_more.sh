# What else a site keeps: many redirects at once, servers of assistants, and who manages it.
SO=/v1/orgs/$ORG
one=$(space_empty One)
t 'more: a site' POST $SO/sites admin '{"title":"More","spaces":["'$one'"]}' 201 ''
W=$SO/sites/$(jq -r .id "$out")
get $W/site-spaces admin
a=$(jq -r '.items[0].id' "$out")
out_to='{"kind":"external","url":"https://example.org/"}'

t 'redirects at once' PUT $W/redirects admin '{"redirects":[{"source":"/a","destination":'$out_to'},{"source":"/b","intent":"live","destination":{"kind":"site-space","siteSpaceId":"'$a'"}},
	{"source":"/c","destination":{"kind":"site-section","siteSectionId":"noSuchThing00000000000"}},{"source":"/b","destination":'$out_to'},{"source":"/nowhere","destination":null}]}' 200 \
	'[.results[] | [.status, .source, .draft]] == [["created", "/a", false], ["created", "/b", false], ["error", "/c", false], ["updated", "/b", false], ["deleted", "/nowhere", false]]
	and .results[1].id == .results[3].id and .results[2].error == "no section noSuchThing00000000000"'
t 'what there is then' GET $W/redirects admin '' 200 '[.items[] | [.source, .destination.kind]] == [["/a", "external"], ["/b", "external"]]'
t 'and taken away' PUT $W/redirects admin '{"redirects":[{"source":"/a","destination":null}]}' 200 '.results == [{status: "deleted", source: "/a", draft: false}]'
t 'the list is another one by now' PUT $W/redirects admin '{"redirects":[{"source":"/b","destination":null}]}' 412 '' 'If-Match: "stale"'
t 'one is left' GET $W/redirects admin '' 200 '[.items[].source] == ["/b"]'
for bad in '[]' '[{"source":"/a"}]' '[{"source":"a","destination":null}]' '[{"source":"/a*b","destination":null}]'; do
	t "refused: $bad" PUT $W/redirects admin '{"redirects":'"$bad"'}' 400 ''
done
t 'more than 500' PUT $W/redirects admin "{\"redirects\":[$(seq 501 | sed "s|.*|{\"source\":\"/&\",\"destination\":null}|" | paste -sd ,)]}" 400 '.fields[0].path == "/redirects"'
t 'by readers' PUT $W/redirects read '{"redirects":[{"source":"/b","destination":null}]}' 404 ''
t 'by a token that only reads' PUT $W/redirects readonly '{"redirects":[{"source":"/b","destination":null}]}' 403 ''
t 'still there' GET $W/redirects admin '' 200 '.count == 1'

M=$W/mcp-servers
t 'no servers' GET $M admin '' 200 '.items == [] and .count == 0'
t 'a server' POST $M admin '{"name":"Tickets","url":"https://mcp.example.com/","headers":{"Authorization":"Bearer Quillfeather"}}' 201 \
	'.object == "site-mcp-server" and .name == "Tickets" and .headers == {Authorization: "Bearer Quillfeather"} and .urls.location == "'$base$M'/" + .id'
server=$(jq -r .id "$out")
t 'another' POST $M create '{"name":"Docs","url":"https://docs.example.com/mcp","headers":{}}' 201 '.headers == {}'
t 'both' GET "$M?limit=1" admin '' 200 '[.items[].name] == ["Tickets"] and .count == 2 and has("next")'
t 'the next' GET "$M?limit=1&page=$(jq -r .next.page "$out")" admin '' 200 '[.items[].name] == ["Docs"] and (has("next") | not)'
t 'one' GET $M/$server admin '' 200 '.name == "Tickets"'
t 'renamed' PATCH $M/$server admin '{"name":"Issues"}' 200 '.name == "Issues" and .url == "https://mcp.example.com/" and .headers.Authorization == "Bearer Quillfeather"'
same 'sealed' 0 "$(cat "$dir"/octavo.db "$dir"/octavo.db-wal 2>/dev/null | grep -c Quillfeather)"
t 'other headers' PATCH $M/$server admin '{"headers":{"X-Key":"k"}}' 200 '.headers == {"X-Key": "k"} and .name == "Issues"'
for bad in '{"X Key":"k"}' '{"":"k"}' '{"X-Key":"a\r\nHost: b"}' '{"X-Key":""}' '{"X-Key":5}' '{"X-Key":null}'; do
	t "refused: $bad" PATCH $M/$server admin '{"headers":'"$bad"'}' 400 ''
done
t 'too much of it' PATCH $M/$server admin "{\"headers\":{$(seq 20 | sed "s|.*|\"X-&\":\"$(printf 'a%.0s' $(seq 500))\"|" | paste -sd ,)}}" 400 '.fields[0].path == "/headers"'
t 'no address' PATCH $M/$server admin '{"url":"ftp://mcp.example.com/"}' 400 ''
t 'nothing was changed' GET $M/$server admin '' 200 '.headers == {"X-Key": "k"}'
t 'not for tokens that only read' GET $M readonly '' 403 ''
t 'nor for readers' GET $M read '' 404 ''
# An address with a secret is told to those who manage the site, and lies in the database only sealed.
t 'an address with a token' PATCH $M/$server admin '{"url":"https://mcp.example.com/?token=h1dd3n"}' 200 '.url == "https://mcp.example.com/?token=h1dd3n"'
same 'is kept under seal' 'https://mcp.example.com/?token=*** 1' "$(sql "SELECT url || ' ' || (length(url_sealed) > 40) FROM site_mcp_server WHERE id = '$server'")"
t 'another member leaves it' PATCH $M/$server admin '{"name":"Hidden"}' 200 '.url == "https://mcp.example.com/?token=h1dd3n"'
t 'as it was shown, it stays' PATCH $M/$server admin '{"url":"https://mcp.example.com/?token=***"}' 200 '.url == "https://mcp.example.com/?token=h1dd3n"'
t 'without a token' PATCH $M/$server admin '{"url":"https://mcp.example.com/"}' 200 '.url == "https://mcp.example.com/"'
same 'nothing is sealed' 1 "$(sql "SELECT url_sealed IS NULL FROM site_mcp_server WHERE id = '$server'")"
t 'of no other site' GET $SO/sites/noSuchThing00000000000/mcp-servers/$server admin '' 404 ''
t 'gone' DELETE $M/$server admin '' 204 ''
t 'gone already' DELETE $M/$server admin '' 204 ''
t 'not there' GET $M/$server admin '' 404 '.error.message == "no MCP server '$server'"'
t 'nor to change' PATCH $M/$server admin '{}' 404 ''

t 'who manages it' GET $W/permissions/aggregate admin '' 200 '.count == (.items | length) and .count >= 2 and (all(.items[]; (.permission == "admin" or .permission == "create")
	and .origin == {type: "organization", organization: "'$ORG'"})) and ([.items[].user.id] | index("'$U_create'") != null and index("'$U_read'") == null)'
t 'page by page' GET "$W/permissions/aggregate?limit=1" create '' 200 '(.items | length) == 1 and .count >= 2'
t 'of which readers are told nothing' GET $W/permissions/aggregate read '' 404 ''
# The icon is that of the customization.
t 'no icon' GET $W admin '' 200 'has("icon") | not'
t 'an emoji' PUT $W/customization admin '{"favicon":{"emoji":"1f4d8"}}' 200 ''
t 'is the icon' GET $W admin '' 200 '.icon == {emoji: "1f4d8"}'
t 'a picture' PUT $W/customization admin '{"favicon":{"icon":{"light":"https://example.com/a.png","dark":"https://example.com/b.png"}}}' 200 ''
t 'is the icon, in lists too' GET "$SO/sites?space=$one" admin '' 200 '.items[0].icon == {icon: {light: "https://example.com/a.png", dark: "https://example.com/b.png"}}'

# Sending back the space that is shown takes no more than managing the site.
t 'a role that is less' POST /v1/spaces/$one/permissions admin '{"role":"read","users":["'$U_create'"]}' 204 ''
t 'the same space again' PATCH $W/site-spaces/$a create '{"spaceId":"'$one'","path":"again"}' 200 '.path == "again" and .space.id == "'$one'"'
t 'adding it takes more' POST $W/sections create '{"spaceId":"'$one'"}' 403 ''
t 'the role ends' DELETE /v1/spaces/$one/permissions/users/$U_create admin '' 204 ''

# What a space tells of its sites.
t 'signed claims' PATCH $W admin '{"visibility":"visitor-auth"}' 200 ''
t 'not yet' GET /v1/spaces/$one admin '' 200 '.visibility == "private" and (has("visitorAuth") | not)'
t 'published' POST $W/publish admin '' 200 ''
t 'who signs' GET /v1/spaces/$one read '' 200 '.visibility == "visitor-auth" and .visitorAuth == {backend: "custom"} and (.urls | has("public") | not)'
t 'another signer' PATCH $W/publishing/auth admin '{"backend":"integration"}' 200 ''
t 'who signs then' GET $SO/spaces admin '' 200 '[.items[] | select(.id == "'$one'") | .visitorAuth] == [{backend: "integration", integration: ""}]'
t 'a wider site' POST $SO/sites admin '{"title":"Wider","spaces":["'$one'"]}' 201 ''
wide=$SO/sites/$(jq -r .id "$out")
t 'that is published' POST $wide/publish admin '' 200 ''
public=$(jq -r .urls.published "$out")
t 'leaves none' GET /v1/spaces/$one admin '' 200 '.visibility == "public" and (has("visitorAuth") | not) and .urls.public == "'$public'"'
t 'a link' POST $W/share-links admin '{"name":"Friends"}' 201 ''
link=$(jq -r .id "$out") key=$(jq -r '.urls.published | split("/")[-2]' "$out")
t 'for the link' PATCH $W admin '{"visibility":"share-link"}' 200 ''
t 'the public address has no key' GET "/v1/spaces/$one?shareKey=$key" admin '' 200 '(.urls.published | endswith("/'$key'/")) and .urls.public == "'$public'"'
t 'a renderer of the link' POST /v1/urls/published admin '{"url":"'$base'/sites/'$ORG'/more/'$key'/"}' 200 ''
jq -r .apiToken "$out" >"$tmp/tokens/keyed"
t 'is told of no public address' GET /v1/spaces/$one keyed '' 200 '(.urls.published | endswith("/'$key'/")) and (.urls | has("public") | not) and (has("visitorAuth") | not)'
t 'nor of the revision' GET /v1/spaces/$one/revisions/$(jq -r .revision "$out") keyed '' 200 '(.urls.published | endswith("/'$key'/")) and (.urls | has("public") | not)'
t 'the wider one goes' DELETE $wide admin '' 204 ''

# Addresses are read from their beginning.
t 'content: a space' GET "/v1/urls/content?url=$base/v1/spaces/$one" admin '' 200 '.space.id == "'$one'" and (has("collection") or has("page") | not)'
t 'content: not what stands in a query' GET "/v1/urls/content?url=$base/v1/spaces/$one%3Fx=/collections/y/page/z" admin '' 200 '.space.id == "'$one'" and (has("page") | not)'
t 'content: nor further down' GET "/v1/urls/content?url=$base/v1/orgs/$ORG/spaces/$one" admin '' 404 ''
t 'content: nor behind a name that ends so' GET "/v1/urls/content?url=$base/v1/myspaces/$one" admin '' 404 ''

# The search of a site: however many pages the visitor may not see stand before those that they may.
changes=
for i in $(seq 40); do changes=$changes'{"operation":"insert_page","document":{"markdown":"---\nif: visitor.claims.beta\n---\n\n# Quagga quagga quagga\n\nquagga\n"}},'; done
space_write $one '{"changes":['"${changes%,}"']}'
space_write $one '{"changes":['"$changes"'{"operation":"insert_page","document":{"markdown":"---\nhidden: true\n---\n\n# Quagga unlisted\n\nx\n"}},{"operation":"insert_page","title":"Plain","document":{"markdown":"Much about other animals, and one word of a quagga among many others here."}}]}'
jobs_rest
t 'for all' PATCH $W admin '{"visibility":"public"}' 200 ''
t 'search behind hidden pages' POST $W/search admin '{"query":"quagga"}' 200 '[.items[].pages[].title] == ["Plain"]'
t 'the site goes' DELETE $W admin '' 204 ''
same 'and its servers' 0 "$(sql 'SELECT count(*) FROM site_mcp_server')"
send DELETE /v1/spaces/$one admin ''

# Where the search of a site looks: two sections with two variants each.
word='{"changes":[{"operation":"insert_page","title":"Wombat","document":{"markdown":"A wombat."}}]}'
for name in va vb vc vd; do
	eval "$name=\$(space_empty $name)"
	eval "space_write \$$name '$word'"
done
jobs_rest
t 'where: a site' POST $SO/sites admin '{"title":"Where","spaces":["'$va'","'$vb'"]}' 201 ''
W=$SO/sites/$(jq -r .id "$out") where=$(jq -r .id "$out")
t 'where: the first section takes them over' POST $W/sections admin '{"title":"Animals","spaceId":"'$vc'"}' 201 ''
t 'where: another section' POST $W/sections admin '{"title":"Birds","spaceId":"'$vd'"}' 201 ''
t 'where: published' POST $W/publish admin '' 200 ''
send GET $W/site-spaces admin ''
for name in va vb vc vd; do eval "p$name=$(jq -r --arg s "$(eval "echo \$$name")" '.items[] | select(.space.id == $s).id' "$out")"; done
# found NAME BODY SPACE…: in which spaces something is found
found() {
	f_name=$1 f_body=$2
	shift 2
	send POST $W/search admin '{"query":"wombat"'"$f_body"'}'
	same "where: $f_name" "$(printf '%s\n' "$@" | sort)" "$(jq -r '.items[].id' "$out" | sort)"
}
found everywhere '' $va $vb $vc $vd
found all ',"scope":{"mode":"all"}' $va $vb $vc $vd
found defaults ',"scope":{"mode":"default"}' $va $vd
found 'what is read and other defaults' ',"scope":{"mode":"default","currentSiteSpace":"'$pvb'"}' $vb $vd
found 'the same in the older form' ',"mode":"current","siteSpaceId":"'$pvb'"' $vb $vd
found 'one that is nowhere' ',"mode":"current","siteSpaceId":"noSuchThing00000000000"' $va $vd
found some ',"scope":{"mode":"specific","siteSpaceIds":["'$pvc'","'$pvd'"]}' $vc $vd
found 'the same, older' ',"mode":"specific","siteSpaceIds":["'$pvc'","'$pvd'"]' $vc $vd
found 'and without a mode' ',"siteSpaceIds":["'$pvc'"]' $vc
found 'limited' ',"scope":{"mode":"default","restrictTo":["'$pvc'"]}' $vc

t 'of two types' GET "$SO/sites?type=premium&type=basic&title=where" admin '' 200 '[.items[].id] == ["'$where'"] and .count == 1'
t 'of other types' GET "$SO/sites?type=premium&type=legacy-basic&title=where" admin '' 200 '.count == 0'
t 'of no type' GET "$SO/sites?type=basic&type=x" admin '' 400 ''
t 'for who has a link' PATCH $W admin '{"visibility":"share-link"}' 200 ''
t 'a link there' POST $W/share-links admin '{"name":"Friends"}' 201 ''
key=$(jq -r '.urls.published | split("/")[-2]' "$out")
t 'the structure with its addresses' GET "$W/structure?shareKey=$key" admin '' 200 '.structure[0].urls.published | endswith("/'$key'/")'
t 'a wrong key is ignored' GET "$W/structure?shareKey=no" admin '' 200 '.structure[0].urls.published | endswith("/'$key'/") | not'
t 'where: the site goes' DELETE $W admin '' 204 ''
for gone in $va $vb $vc $vd; do send DELETE /v1/spaces/$gone admin ''; done

# What authors of its conditions are told.
three=$(space_empty Three) two=$(space_empty Two)
t 'conditions: a site' POST $SO/sites admin '{"title":"Told","spaces":["'$three'"]}' 201 ''
C=$SO/sites/$(jq -r .id "$out")
t 'whose visitors have claims' PATCH $C admin '{"adaptiveContent":{"enabled":true}}' 200 ''
F=$C/expression-faults
t 'a section' POST $C/sections admin '{"title":"Guides","spaceId":"'$two'"}' 201 ''
section=$(jq -r .id "$out")
shown=$(jq -r '.siteSpaces[0].id' "$out")
t 'nothing is wrong' GET $F admin '' 200 '. == {items: [], count: 0}'
t 'one that looks at claims' PATCH $C/sections/$section admin '{"condition":"visitor.claims.team.name == \"a\" && !visitor.claims.beta"}' 200 ''
t 'is in order' GET $F admin '' 200 '.count == 0'
t 'whose visitors have none any more' PATCH $C admin '{"adaptiveContent":{"enabled":false}}' 200 ''
t 'hides from all of them' GET $F admin '' 200 '.count == 1 and (.items[0].message | startswith("it hides from every visitor, as none can claim"))'
t 'and have claims again' PATCH $C admin '{"adaptiveContent":{"enabled":true}}' 200 ''
t 'one that nobody passes' PATCH $C/sections/$section admin '{"condition":"visitor.claims.team && 1 > 2"}' 200 ''
t 'hides from everybody' GET $F admin '' 200 '[.items[].message] == ["it hides from every visitor, whatever they claim"]'
t 'one that names nothing' PATCH $C/sections/$section admin '{"condition":"plan == \"pro\""}' 200 ''
t 'of a site space' PATCH $C/site-spaces/$shown admin '{"condition":"visitor.claims.n > 1 || space.vars.version"}' 200 ''
link() { printf '{"title":"%s","to":{"kind":"url","url":"https://example.org/"},"links":[]%s}' "$1" "$2"; }
t 'links' PUT $C/customization admin '{"header":{"preset":"default","links":['"$(link Home ''),$(link Help ',"condition":"1 in \"abc\""'),$(link Pro ',"condition":"visitor.claims.pro"')"']}}' 200 ''
t 'links of a site space' PATCH $C/site-spaces/$shown/customization admin '{"header":{"preset":"default","links":['"$(link Own ',"condition":"page.vars.beta"'),$(link Any ',"condition":""')"']}}' 200 ''
t 'all that fail' GET $F create '' 200 '.count == 4 and (has("next") | not) and ([.items[] | [.item.kind, .item.path, .place, .link, .title, .expression, .message]] | sort) == ([
	["site", null, "header-link", 1, "Help", "1 in \"abc\"", "\"in\" takes a list or an object on its right"],
	["site-section", "guides", "condition", null, null, "plan == \"pro\"", "\"plan\" is not known here"],
	["site-space", "three", "condition", null, null, "visitor.claims.n > 1 || space.vars.version", "space.vars has no \"version\""],
	["site-space", "three", "header-link", 0, "Own", "page.vars.beta", "page.vars has no \"beta\""]] | sort)
	and ([.items[].item.id] | unique) == (["'${C##*/}'", "'$section'", "'$shown'"] | unique)'
jq -c .items "$out" >"$tmp/all_faults"
: >"$tmp/told"
next=''
for n in 1 2 3 4; do
	t "one by one: $n" GET "$F?limit=1$next" admin '' 200 '.count == 4 and (.items | length) == 1'
	jq -c '.items[0]' "$out" >>"$tmp/told"
	next=$(jq -r '"&page=" + (.next.page // "none")' "$out")
done
same 'and no more' '&page=none' "$next"
same 'are the same' "$(cat "$tmp/all_faults")" "$(jq -sc . "$tmp/told")"
t 'the count alone' GET "$F?limit=0" admin '' 200 '.count == 4 and .items == [] and (has("next") | not)'
t 'no page of that list' GET "$F?page=x" admin '' 400 '.fields[0].path == "/page"'
t 'are not for readers' GET $F read '' 404 ''
t 'nor of another site' GET $SO/sites/noSuchThing00000000000/expression-faults admin '' 404 ''
# One that an older version took.
sql "UPDATE site_section SET condition = 'a b' WHERE id = '$section'"
t 'what cannot be read' GET $F admin '' 200 '[.items[] | select(.item.id == "'$section'") | .message] == ["unexpected \"b\" at character 3"]'
t 'mended' PATCH $C/sections/$section admin '{"condition":null}' 200 ''
t 'links as those of the site' DELETE $C/site-spaces/$shown/customization admin '' 204 ''
t 'are fewer' GET $F admin '' 200 '[.items[].item.kind] | sort == ["site", "site-space"]'
# Other cases count the sites of the organization.
t 'conditions: the site goes' DELETE $C admin '' 204 ''
for gone in $three $two; do send DELETE /v1/spaces/$gone admin ''; done
