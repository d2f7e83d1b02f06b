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
t 'one is left' GET $W/redirects admin '' 200 '[.items[].source] == ["/b"]'
for bad in '[]' '[{"source":"/a"}]' '[{"source":"a","destination":null}]' '[{"source":"/a/*","destination":null}]' '[{"source":"/a","destination":null,"intent":"draft"}]' '[{"source":"/a","destination":{"kind":"path","spaceId":"x","path":"y"}}]'; do
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
t 'of no other site' GET $SO/sites/noSuchThing00000000000/mcp-servers/$server admin '' 404 ''
t 'gone' DELETE $M/$server admin '' 204 ''
t 'gone already' DELETE $M/$server admin '' 204 ''
t 'not there' GET $M/$server admin '' 404 '.error.message == "no MCP server '$server'"'
t 'nor to change' PATCH $M/$server admin '{}' 404 ''

t 'who manages it' GET $W/permissions/aggregate admin '' 200 '.count == (.items | length) and .count >= 2 and (all(.items[]; (.permission == "admin" or .permission == "create")
	and .origin == {type: "organization", organization: "'$ORG'"})) and ([.items[].user.id] | index("'$U_create'") != null and index("'$U_read'") == null)'
t 'page by page' GET "$W/permissions/aggregate?limit=1" create '' 200 '(.items | length) == 1 and .count >= 2'
t 'of which readers are told nothing' GET $W/permissions/aggregate read '' 404 ''
t 'the site goes' DELETE $W admin '' 204 ''
same 'and its servers' 0 "$(sql 'SELECT count(*) FROM site_mcp_server')"
send DELETE /v1/spaces/$one admin ''
