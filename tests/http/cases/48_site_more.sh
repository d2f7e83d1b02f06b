# More of sites: many redirects at once, MCP servers, and managers of a site.
SO=/v1/orgs/$ORG
one=$(space_empty One)
t 'more: a site is created' POST $SO/sites admin '{"title":"More","spaces":["'$one'"]}' 201 ''
W=$SO/sites/$(jq -r .id "$out")
get $W/site-spaces admin
a=$(jq -r '.items[0].id' "$out")
out_to='{"kind":"external","url":"https://example.org/"}'

t 'redirects are created, updated and deleted in one request' PUT $W/redirects admin \
	'{"redirects":[{"source":"/a","destination":'$out_to'},{"source":"/b","intent":"live","destination":{"kind":"site-space","siteSpaceId":"'$a'"}},
	{"source":"/c","destination":{"kind":"site-section","siteSectionId":"noSuchThing00000000000"}},{"source":"/b","destination":'$out_to'},
		{"source":"/nowhere","destination":null}]}' 200 \
	'[.results[] | [.status, .source, .draft]] == [["created", "/a", false], ["created", "/b", false], ["error", "/c", false], ["updated", "/b",
		false], ["deleted", "/nowhere", false]]
	and .results[1].id == .results[3].id and .results[2].error == "no section noSuchThing00000000000"'
t 'redirects of one request are listed' GET $W/redirects admin '' 200 '[.items[] | [.source, .destination.kind]] == [["/a", "external"], ["/b", "external"]]'
t 'a redirect is deleted by an empty destination' PUT $W/redirects admin '{"redirects":[{"source":"/a","destination":null}]}' 200 \
	'.results == [{status: "deleted", source: "/a", draft: false}]'
t 'redirects with another ETag answer 412' PUT $W/redirects admin '{"redirects":[{"source":"/b","destination":null}]}' 412 '' 'If-Match: "stale"'
t 'the other redirect is left' GET $W/redirects admin '' 200 '[.items[].source] == ["/b"]'
for bad in '[]' '[{"source":"/a"}]' '[{"source":"a","destination":null}]' '[{"source":"/a*b","destination":null}]'; do
	t "a faulty redirect is refused: $bad" PUT $W/redirects admin '{"redirects":'"$bad"'}' 400 ''
done
t 'more than 500 redirects are refused' PUT $W/redirects admin \
	"{\"redirects\":[$(seq 501 | sed "s|.*|{\"source\":\"/&\",\"destination\":null}|" | paste -sd ,)]}" 400 '.fields[0].path == "/redirects"'
t 'a reader gets 404 for redirects' PUT $W/redirects read '{"redirects":[{"source":"/b","destination":null}]}' 404 ''
t 'a read token may not change redirects' PUT $W/redirects readonly '{"redirects":[{"source":"/b","destination":null}]}' 403 ''
t 'refused changes left the redirects' GET $W/redirects admin '' 200 '.count == 1'

M=$W/mcp-servers
t 'a site has no MCP servers at first' GET $M admin '' 200 '.items == [] and .count == 0'
t 'an MCP server is created with its headers' POST $M admin '{"name":"Tickets","url":"https://mcp.example.com/",
	"headers":{"Authorization":"Bearer Quillfeather"}}' 201 \
	'.object == "site-mcp-server" and .name == "Tickets" and .headers == {Authorization: "Bearer Quillfeather"} and .urls.location == "'$base$M'/" + .id'
server=$(jq -r .id "$out")
t 'a second MCP server is created without headers' POST $M create '{"name":"Docs","url":"https://docs.example.com/mcp","headers":{}}' 201 '.headers == {}'
t 'MCP servers are listed by pages' GET "$M?limit=1" admin '' 200 '[.items[].name] == ["Tickets"] and .count == 2 and has("next")'
t 'the last page of MCP servers has no next' GET "$M?limit=1&page=$(jq -r .next.page "$out")" admin '' 200 \
	'[.items[].name] == ["Docs"] and (has("next") | not)'
t 'an MCP server is read by id' GET $M/$server admin '' 200 '.name == "Tickets"'
t 'a renamed MCP server keeps address and headers' PATCH $M/$server admin '{"name":"Issues"}' 200 \
	'.name == "Issues" and .url == "https://mcp.example.com/" and .headers.Authorization == "Bearer Quillfeather"'
same 'headers of an MCP server are sealed in the database' 0 "$(cat "$dir"/octavo.db "$dir"/octavo.db-wal 2>/dev/null | grep -c Quillfeather)"
t 'headers of an MCP server are replaced' PATCH $M/$server admin '{"headers":{"X-Key":"k"}}' 200 '.headers == {"X-Key": "k"} and .name == "Issues"'
for bad in '{"X Key":"k"}' '{"":"k"}' '{"X-Key":"a\r\nHost: b"}' '{"X-Key":""}' '{"X-Key":5}' '{"X-Key":null}'; do
	t "a faulty header is refused: $bad" PATCH $M/$server admin '{"headers":'"$bad"'}' 400 ''
done
t 'headers of more than 8 KiB are refused' PATCH $M/$server admin \
	"{\"headers\":{$(seq 20 | sed "s|.*|\"X-&\":\"$(printf 'a%.0s' $(seq 500))\"|" | paste -sd ,)}}" 400 '.fields[0].path == "/headers"'
t 'an MCP server of another scheme is refused' PATCH $M/$server admin '{"url":"ftp://mcp.example.com/"}' 400 ''
t 'refused changes left the MCP server' GET $M/$server admin '' 200 '.headers == {"X-Key": "k"}'
t 'a read token may not list MCP servers' GET $M readonly '' 403 ''
t 'a reader gets 404 for MCP servers' GET $M read '' 404 ''
# Managers of the site read a URL with its secret; the database stores it sealed.
t 'an MCP server has an address with a token' PATCH $M/$server admin '{"url":"https://mcp.example.com/?token=h1dd3n"}' 200 \
	'.url == "https://mcp.example.com/?token=h1dd3n"'
same 'the address is sealed in the database' 'https://mcp.example.com/?token=*** 1' \
	"$(sql "SELECT url || ' ' || CASE WHEN length(url_sealed) > 40 THEN 1 END FROM site_mcp_server WHERE id = '$server'")"
t 'a new name keeps the sealed address' PATCH $M/$server admin '{"name":"Hidden"}' 200 '.url == "https://mcp.example.com/?token=h1dd3n"'
t 'a masked address that is sent back keeps the token' PATCH $M/$server admin '{"url":"https://mcp.example.com/?token=***"}' 200 \
	'.url == "https://mcp.example.com/?token=h1dd3n"'
t 'a masked address of another server is refused' PATCH $M/$server admin '{"url":"https://mcp.example.com/x?token=***"}' 400 \
	'.fields[0].path == "/url"'
t 'a masked address of a new server is refused' POST $M admin '{"name":"Masked","headers":{},"url":"https://***@mcp.example.com/"}' 400 \
	'.fields[0].path == "/url"'
t 'a port above 65535 is refused' PATCH $M/$server admin '{"url":"https://mcp.example.com:65536/"}' 400 '.fields[0].message | contains("65535")'
t 'the MCP server gets an address without a token' PATCH $M/$server admin '{"url":"https://mcp.example.com/"}' 200 '.url == "https://mcp.example.com/"'
same 'an address without a token is not sealed' 1 "$(sql "SELECT url_sealed IS NULL FROM site_mcp_server WHERE id = '$server'")"
t 'an MCP server answers 404 under another site' GET $SO/sites/noSuchThing00000000000/mcp-servers/$server admin '' 404 ''
t 'an MCP server is deleted' DELETE $M/$server admin '' 204 ''
t 'a deleted MCP server may be deleted again' DELETE $M/$server admin '' 204 ''
t 'a deleted MCP server answers 404' GET $M/$server admin '' 404 '.error.message == "no MCP server '$server'"'
t 'a deleted MCP server cannot be changed' PATCH $M/$server admin '{}' 404 ''

t 'who manages a site is listed with the reason' GET $W/permissions/aggregate admin '' 200 \
	'.count == (.items | length) and .count >= 2 and (all(.items[]; (.permission == "admin" or .permission == "create")
	and .origin == {type: "organization", organization: "'$ORG'"})) and ([.items[].user.id] | index("'$U_create'") != null and index("'$U_read'") == null)'
t 'who manages a site is listed by pages' GET "$W/permissions/aggregate?limit=1" create '' 200 '(.items | length) == 1 and .count >= 2'
t 'a reader gets 404 for who manages a site' GET $W/permissions/aggregate read '' 404 ''
# The icon is that of the customization.
t 'a site has no icon at first' GET $W admin '' 200 'has("icon") | not'
t 'the favicon becomes an emoji' PUT $W/customization admin '{"favicon":{"emoji":"1f4d8"}}' 200 ''
t 'the emoji is the icon of the site' GET $W admin '' 200 '.icon == {emoji: "1f4d8"}'
t 'the favicon becomes a picture' PUT $W/customization admin '{"favicon":{"icon":{"light":"https://example.com/a.png",
	"dark":"https://example.com/b.png"}}}' 200 ''
t 'the picture is the icon of the site in lists' GET "$SO/sites?space=$one" admin '' 200 \
	'.items[0].icon == {icon: {light: "https://example.com/a.png", dark: "https://example.com/b.png"}}'

# Sending the current space back unchanged needs no role besides managing the site.
t 'a manager of sites becomes a reader of the space' POST /v1/spaces/$one/permissions admin '{"role":"read","users":["'$U_create'"]}' 204 ''
t 'the path of a variant changes though its space is only readable' PATCH $W/site-spaces/$a create '{"spaceId":"'$one'","path":"again"}' 200 \
	'.path == "again" and .space.id == "'$one'"'
t 'a section of a space that is only readable is refused' POST $W/sections create '{"spaceId":"'$one'"}' 403 ''
t 'the manager gets their role back' DELETE /v1/spaces/$one/permissions/users/$U_create admin '' 204 ''

# The sites that a space shows.
t 'the site is opened to signed visitors' PATCH $W admin '{"visibility":"visitor-auth"}' 200 ''
t 'a space of an unpublished site is private' GET /v1/spaces/$one admin '' 200 '.visibility == "private" and (has("visitorAuth") | not)'
t 'the site is published' POST $W/publish admin '' 200 ''
t 'a space names who signs for visitors' GET /v1/spaces/$one read '' 200 \
	'.visibility == "visitor-auth" and .visitorAuth == {backend: "custom"} and (.urls | has("public") | not)'
t 'the signer becomes an integration' PATCH $W/publishing/auth admin '{"backend":"integration"}' 200 ''
t 'a list of spaces names the integration that signs' GET $SO/spaces admin '' 200 \
	'[.items[] | select(.id == "'$one'") | .visitorAuth] == [{backend: "integration", integration: ""}]'
t 'a second site of the space is created' POST $SO/sites admin '{"title":"Wider","spaces":["'$one'"]}' 201 ''
wide=$SO/sites/$(jq -r .id "$out")
t 'the second site is published' POST $wide/publish admin '' 200 ''
public=$(jq -r .urls.published "$out")
t 'a space of a public site needs no signer' GET /v1/spaces/$one admin '' 200 \
	'.visibility == "public" and (has("visitorAuth") | not) and .urls.public == "'$public'"'
t 'a share link is created' POST $W/share-links admin '{"name":"Friends"}' 201 ''
link=$(jq -r .id "$out") key=$(jq -r '.urls.published | split("/")[-2]' "$out")
t 'the first site is opened by share links' PATCH $W admin '{"visibility":"share-link"}' 200 ''
t 'the public address of a space has no key' GET "/v1/spaces/$one?shareKey=$key" admin '' 200 \
	'(.urls.published | endswith("/'$key'/")) and .urls.public == "'$public'"'
t 'a renderer resolves the share link' POST /v1/urls/published admin '{"url":"'$base'/sites/'$ORG'/more/'$key'/"}' 200 ''
jq -r .apiToken "$out" >"$tmp/tokens/keyed"
t 'a site token by a share link learns no public address of the space' GET /v1/spaces/$one keyed '' 200 \
	'(.urls.published | endswith("/'$key'/")) and (.urls | has("public") | not) and (has("visitorAuth") | not)'
t 'a site token by a share link learns no public address of the revision' GET /v1/spaces/$one/revisions/$(jq -r .revision "$out") keyed '' 200 \
	'(.urls.published | endswith("/'$key'/")) and (.urls | has("public") | not)'
t 'the second site is deleted' DELETE $wide admin '' 204 ''

# URLs are matched from their beginning.
t 'the URL of a space is resolved' GET "/v1/urls/content?url=$base/v1/spaces/$one" admin '' 200 \
	'.space.id == "'$one'" and (has("collection") or has("page") | not)'
t 'a path in the query of a URL is not resolved' GET "/v1/urls/content?url=$base/v1/spaces/$one%3Fx=/collections/y/page/z" admin '' 200 \
	'.space.id == "'$one'" and (has("page") | not)'
t 'a space further down the path of a URL answers 404' GET "/v1/urls/content?url=$base/v1/orgs/$ORG/spaces/$one" admin '' 404 ''
t 'a name that ends like spaces answers 404' GET "/v1/urls/content?url=$base/v1/myspaces/$one" admin '' 404 ''

# The search of a site finds visible pages, however many hidden pages rank above them.
changes=
for i in \
	$(seq 40); do changes=$changes'{"operation":"insert_page","document":{"markdown":"---\nif: visitor.claims.beta\n---\n\n# Quagga quagga quagga\n\n'\
'quagga\n"}},'; done
space_write $one '{"changes":['"${changes%,}"']}'
space_write $one '{"changes":['"$changes"'{"operation":"insert_page","document":{"markdown":"---\nhidden: true\n---\n\n# Quagga unlisted\n\nx\n"}},
	{"operation":"insert_page","title":"Plain","document":{"markdown":"Much about other animals, and one word of a quagga among many others here."}}]}'
jobs_rest
t 'the site is made public' PATCH $W admin '{"visibility":"public"}' 200 ''
t 'search finds a page behind many hidden ones' POST $W/search admin '{"query":"quagga"}' 200 '[.items[].pages[].title] == ["Plain"]'
t 'the site is deleted' DELETE $W admin '' 204 ''
same 'the MCP servers of a deleted site are deleted' 0 "$(sql 'SELECT count(*) FROM site_mcp_server')"
send DELETE /v1/spaces/$one admin ''

# The scope of a site's search: two sections with two variants each.
word='{"changes":[{"operation":"insert_page","title":"Wombat","document":{"markdown":"A wombat."}}]}'
for name in va vb vc vd; do
	eval "$name=\$(space_empty $name)"
	eval "space_write \$$name '$word'"
done
jobs_rest
t 'where: a site of two spaces is created' POST $SO/sites admin '{"title":"Where","spaces":["'$va'","'$vb'"]}' 201 ''
W=$SO/sites/$(jq -r .id "$out") where=$(jq -r .id "$out")
t 'where: the first section takes the spaces over' POST $W/sections admin '{"title":"Animals","spaceId":"'$vc'"}' 201 ''
t 'where: a second section is created' POST $W/sections admin '{"title":"Birds","spaceId":"'$vd'"}' 201 ''
t 'where: the site is published' POST $W/publish admin '' 200 ''
send GET $W/site-spaces admin ''
for name in va vb vc vd; do eval "p$name=$(jq -r --arg s "$(eval "echo \$$name")" '.items[] | select(.space.id == $s).id' "$out")"; done
# found NAME BODY SPACE…: the search finds pages in these spaces
found() {
	f_name=$1 f_body=$2
	shift 2
	send POST $W/search admin '{"query":"wombat"'"$f_body"'}'
	same "search looks in the right spaces: $f_name" "$(printf '%s\n' "$@" | sort)" "$(jq -r '.items[].id' "$out" | sort)"
}
found everywhere '' $va $vb $vc $vd
found all ',"scope":{"mode":"all"}' $va $vb $vc $vd
found defaults ',"scope":{"mode":"default"}' $va $vd
found 'the current variant and defaults of other sections' ',"scope":{"mode":"default","currentSiteSpace":"'$pvb'"}' $vb $vd
found 'the same in the older form' ',"mode":"current","siteSpaceId":"'$pvb'"' $vb $vd
found 'one that is nowhere' ',"mode":"current","siteSpaceId":"noSuchThing00000000000"' $va $vd
found some ',"scope":{"mode":"specific","siteSpaceIds":["'$pvc'","'$pvd'"]}' $vc $vd
found 'the same, older' ',"mode":"specific","siteSpaceIds":["'$pvc'","'$pvd'"]' $vc $vd
found 'and without a mode' ',"siteSpaceIds":["'$pvc'"]' $vc
found 'limited' ',"scope":{"mode":"default","restrictTo":["'$pvc'"]}' $vc

t 'sites are filtered by two types' GET "$SO/sites?type=premium&type=basic&title=where" admin '' 200 '[.items[].id] == ["'$where'"] and .count == 1'
t 'sites of other types are not found' GET "$SO/sites?type=premium&type=legacy-basic&title=where" admin '' 200 '.count == 0'
t 'an unknown type of site is refused' GET "$SO/sites?type=basic&type=x" admin '' 400 ''
t 'the site is opened by share links' PATCH $W admin '{"visibility":"share-link"}' 200 ''
t 'a share link of the site is created' POST $W/share-links admin '{"name":"Friends"}' 201 ''
key=$(jq -r '.urls.published | split("/")[-2]' "$out")
t 'the structure has addresses with the key' GET "$W/structure?shareKey=$key" admin '' 200 '.structure[0].urls.published | endswith("/'$key'/")'
t 'the structure ignores a wrong key' GET "$W/structure?shareKey=no" admin '' 200 '.structure[0].urls.published | endswith("/'$key'/") | not'
t 'where: the site is deleted' DELETE $W admin '' 204 ''
for gone in $va $vb $vc $vd; do send DELETE /v1/spaces/$gone admin ''; done

# Faults of conditions, as shown to their authors.
three=$(space_empty Three) two=$(space_empty Two)
t 'conditions: a site is created' POST $SO/sites admin '{"title":"Told","spaces":["'$three'"]}' 201 ''
C=$SO/sites/$(jq -r .id "$out")
t 'conditions: adaptive content is switched on' PATCH $C admin '{"adaptiveContent":{"enabled":true}}' 200 ''
F=$C/expression-faults
t 'conditions: a section is created' POST $C/sections admin '{"title":"Guides","spaceId":"'$two'"}' 201 ''
section=$(jq -r .id "$out")
shown=$(jq -r '.siteSpaces[0].id' "$out")
t 'a site without conditions has no faults' GET $F admin '' 200 '. == {items: [], count: 0}'
t 'conditions: the section gets a condition on claims' PATCH $C/sections/$section admin \
	'{"condition":"visitor.claims.team.name == \"a\" && !visitor.claims.beta"}' 200 ''
t 'a condition on claims is no fault' GET $F admin '' 200 '.count == 0'
t 'conditions: adaptive content is switched off' PATCH $C admin '{"adaptiveContent":{"enabled":false}}' 200 ''
t 'a condition on claims is a fault where nobody can claim' GET $F admin '' 200 \
	'.count == 1 and (.items[0].message | startswith("it hides from every visitor, as none can claim"))'
t 'conditions: adaptive content is switched on again' PATCH $C admin '{"adaptiveContent":{"enabled":true}}' 200 ''
t 'conditions: the section gets a condition that is never true' PATCH $C/sections/$section admin '{"condition":"visitor.claims.team && 1 > 2"}' 200 ''
t 'a condition that is never true is a fault' GET $F admin '' 200 '[.items[].message] == ["it hides from every visitor, whatever they claim"]'
t 'conditions: the section gets a condition of an unknown name' PATCH $C/sections/$section admin '{"condition":"plan == \"pro\""}' 200 ''
t 'conditions: the variant gets a condition of an unknown variable' PATCH $C/site-spaces/$shown admin \
	'{"condition":"visitor.claims.n > 1 || space.vars.version"}' 200 ''
link() { printf '{"title":"%s","to":{"kind":"url","url":"https://example.org/"},"links":[]%s}' "$1" "$2"; }
t 'conditions: links of the site get conditions' PUT $C/customization admin \
	'{"header":{"preset":"default",
	"links":['"$(link Home ''),$(link Help ',"condition":"1 in \"abc\""'),$(link Pro ',"condition":"visitor.claims.pro"')"']}}' 200 ''
t 'conditions: links of the variant get conditions' PATCH $C/site-spaces/$shown/customization admin \
	'{"header":{"preset":"default","links":['"$(link Own ',"condition":"page.vars.beta"'),$(link Any ',"condition":""')"']}}' 200 ''
t 'faults are listed with their place and message' GET $F create '' 200 \
	'.count == 4 and (has("next") | not) and ([.items[] | [.item.kind, .item.path, .place, .link, .title, .expression, .message]] | sort) == ([
	["site", null, "header-link", 1, "Help", "1 in \"abc\"", "\"in\" takes a list or an object on its right"],
	["site-section", "guides", "condition", null, null, "plan == \"pro\"", "\"plan\" is not known here"],
	["site-space", "three", "condition", null, null, "visitor.claims.n > 1 || space.vars.version", "space.vars has no \"version\""],
	["site-space", "three", "header-link", 0, "Own", "page.vars.beta", "page.vars has no \"beta\""]] | sort)
	and ([.items[].item.id] | unique) == (["'${C##*/}'", "'$section'", "'$shown'"] | unique)'
jq -c .items "$out" >"$tmp/all_faults"
: >"$tmp/told"
next=''
for n in 1 2 3 4; do
	t "faults are listed by pages: $n" GET "$F?limit=1$next" admin '' 200 '.count == 4 and (.items | length) == 1'
	jq -c '.items[0]' "$out" >>"$tmp/told"
	next=$(jq -r '"&page=" + (.next.page // "none")' "$out")
done
same 'the last page of faults has no next' '&page=none' "$next"
same 'faults by pages are those of the whole list' "$(cat "$tmp/all_faults")" "$(jq -sc . "$tmp/told")"
t 'a limit of 0 counts faults alone' GET "$F?limit=0" admin '' 200 '.count == 4 and .items == [] and (has("next") | not)'
t 'a page token that is none is refused' GET "$F?page=x" admin '' 400 '.fields[0].path == "/page"'
t 'a reader gets 404 for faults' GET $F read '' 404 ''
t 'faults of an unknown site answer 404' GET $SO/sites/noSuchThing00000000000/expression-faults admin '' 404 ''
# A condition accepted by an older version.
sql "UPDATE site_section SET condition = 'a b' WHERE id = '$section'"
t 'a stored condition that does not parse is a fault' GET $F admin '' 200 \
	'[.items[] | select(.item.id == "'$section'") | .message] == ["unexpected \"b\" at character 3"]'
t 'conditions: the section loses its condition' PATCH $C/sections/$section admin '{"condition":null}' 200 ''
t 'conditions: the links of the variant are removed' DELETE $C/site-spaces/$shown/customization admin '' 204 ''
t 'removed conditions are no faults' GET $F admin '' 200 '[.items[].item.kind] | sort == ["site", "site-space"]'
# Other cases count the sites of the organization.
t 'conditions: the site is deleted' DELETE $C admin '' 204 ''
for gone in $three $two; do send DELETE /v1/spaces/$gone admin ''; done
