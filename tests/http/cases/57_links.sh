# Links and backlinks, at the head and in a change request.
S=/v1/spaces/$SPACE
t 'links of a space are counted by state and kind' GET $S/links read '' 200 '.stats == {"total":4,"broken":{"total":0,"changeRequest":0}} and .count == 4
	and ([.items[] | .targetReference.kind] | sort == ["file","page","reusable-content","url"])'
t 'a link has target, place and revision' GET $S/links read '' 200 '.items[] | select(.targetReference.kind == "page") | .status == "ok"
	and .relation == "reference"
	and .targetReference.page.id == "'$PAGE'" and (.targetReference.page | has("document") | not)
	and .targetReference.organization.id == "'$ORG'" and .targetReference.space.id == "'$SPACE'"
	and (.locationReferences | length == 1) and .locationReferences[0].page.path == "readme" and .locationReferences[0].line == 3
	and .locationReferences[0].versionContext.type == "revision" and .locationReferences[0].versionContext.revision.id == "'$REV'"
	and .locationReferences[0].versionContext.revision.pages == [] and .locationReferences[0].versionContext.revision.files == []'
t 'files and reusable content are dependencies' GET $S/links read '' 200 \
	'[.items[] | select(.relation == "dependsOn") | .targetReference.kind] | sort == ["file","reusable-content"]'
t 'no link of the space is broken' GET "$S/links?status=broken" read '' 200 '.count == 0 and .items == [] and .stats.total == 4'
t 'links are filtered by status' GET "$S/links?status=ok&limit=2" read '' 200 '(.items | length == 2) and .count == 4'
page=$(jq -r .next.page "$out")
t 'the next page of links is the last' GET "$S/links?status=ok&limit=2&page=$page" read '' 200 '(.items | length == 2) and (has("next") | not)'
t 'a limit of 0 counts links alone' GET "$S/links?limit=0" read '' 200 '.items == [] and .count == 4 and .stats.total == 4'
t 'an unknown status is refused' GET "$S/links?status=fine" read '' 400 '.fields[0].path == "/status"'
t 'a broken link has its spelling and place' GET "/v1/spaces/$LOCKED/links?status=broken" read '' 200 '.count == 1 and .items[0].status == "broken"
	and .items[0].targetReference == {"kind":"url","url":"nowhere.md"} and .items[0].locationReferences[0].line == 5
	and .items[0].locationReferences[0].page.git.path == "guide/README.md"'
t 'links of a private space answer 404' GET /v1/spaces/$PRIVATE/links read '' 404 ''
t 'an empty space has no links' GET /v1/spaces/$EMPTY/links read '' 200 '.count == 0 and .stats.total == 0'

t 'links of a page are listed' GET $S/content/page/$PAGE/links read '' 200 \
	'.count == 1 and .items[0].targetReference.kind == "reusable-content" and .stats.total == 1'
t 'links of a file answer 404' GET $S/content/page/$FILE/links read '' 404 ''
t 'backlinks of a page are listed' GET $S/content/page/$PAGE/backlinks read '' 200 \
	'.count == 1 and .items[0].kind == "page" and .items[0].page.title == "Welcome"'
t 'backlinks of a file are listed' GET $S/content/files/$FILE/backlinks read '' 200 '.count == 1 and .items[0].page.title == "Welcome" and .items[0].line == 3'
t 'backlinks of a page as a file answer 404' GET $S/content/files/$PAGE/backlinks read '' 404 ''
t 'a page without backlinks has an empty list' GET $S/content/page/$(get $S/content/path/readme; jq -r .id "$out")/backlinks read '' 200 \
	'.count == 0 and .items == []'

send POST $S/change-requests edit '{"subject":"Links"}'
C=$S/change-requests/$(jq -r .id "$out")
t 'links of a new request are those of the space' GET $C/links read '' 200 '.stats.total == 4 and .stats.broken.total == 0'
t 'a page with broken links is written in the request' POST $C/content edit \
	'{"changes":[{"operation":"insert_page","title":"Linking","document":{"markdown":"[g](/pages/'$PAGE'#none) [n](no.md)"}}]}' 200 ''
t 'broken links of a request are counted apart' GET "$C/links?status=broken" read '' 200 \
	'.count == 2 and .stats == {"total":6,"broken":{"total":2,"changeRequest":2}}
	and all(.items[].locationReferences[]; .page.title == "Linking" and .versionContext.type == "changeRequest")'
t 'links that the space breaks are listed alone' GET "$C/links?status=broken&brokenContext=space" read '' 200 '.count == 0'
t 'links that the request breaks are listed alone' GET "$C/links?status=broken&brokenContext=change-request" read '' 200 '.count == 2'
t 'backlinks of a page count those of the request' GET $C/content/page/$PAGE/backlinks read '' 200 '.count == 2'
t 'backlinks of a file are listed in a request' GET $C/content/files/$FILE/backlinks read '' 200 '.count == 1'
t 'links of a page are listed in a request' GET $C/content/page/$PAGE/links read '' 200 '.count == 1'
t 'links of the space are unchanged' GET $S/links read '' 200 '.stats.total == 4'
t 'pages of the request are not found in the space' GET "$S/search?query=linking" read '' 200 '.count == 0'
t 'the request is archived' PATCH $C edit '{"status":"archived"}' 200 ''

# A target with many uses is continued over several responses, each of bounded size.
# places PATH: sizes of all responses, targets in order, and the number of places, each listed once.
places() {
	pl_next='' : >"$tmp/places" && : >"$tmp/sizes"
	while :; do
		get "$1?limit=2$pl_next" edit
		[ "$code" = 200 ] || { fail "each page of links is answered: $1" "$code: $(head -c 200 "$out")"; return; }
		wc -c <"$out" >>"$tmp/sizes"
		jq -r '.items[] | (.targetReference | .page.id // .url) as $t | .locationReferences[] | "\($t) \(.page.id) \(.line)"' "$out" >>"$tmp/places"
		pl_token=$(jq -r '.next.page // empty' "$out")
		[ -n "$pl_token" ] || break
		pl_next="&page=$pl_token"
	done
}
send POST /v1/orgs/$ORG/spaces create '{"title":"Many links"}'
M=/v1/spaces/$(jq -r .id "$out")
send POST $M/change-requests create '{"subject":"Many"}'
C=$M/change-requests/$(jq -r .id "$out")
jq -nc \
	'{changes: [{operation: "insert_page", title: "Many", document: {markdown: ([range(1500) | "[x](https://example.com/often)\n\n'\
'"] + ["[x](https://example.com/once)"] | add)}},
	{operation: "insert_page", title: "Few", document: {markdown: "[x](https://example.com/often) [y](https://example.com/zzz)"}}]}' >"$tmp/many"
t 'a page of 1,501 links is written' POST $C/content create "$(cat "$tmp/many")" 200 ''
MANY=$(get $C/content/path/many create; jq -r .id "$out")
many_places() {
	places "$1"
	same "all pages of links have every place: $1" "$2" "$(wc -l <"$tmp/places" | tr -d ' ')"
	same "all pages of links have each place once: $1" "$2" "$(sort -u "$tmp/places" | wc -l | tr -d ' ')"
	same "all pages of links have one target after the other: $1" "$3" "$(cut -d ' ' -f 1 "$tmp/places" | uniq | wc -l | tr -d ' ')"
	yes "no page of links is over 4.3 MB: $1" test "$(sort -n "$tmp/sizes" | tail -n 1)" -lt 4300000
	yes "links come in more than one page: $1" test "$(wc -l <"$tmp/sizes")" -gt 1
}
many_places $C/links 1503 3
many_places $C/content/page/$MANY/links 1501 2
t 'the page of 1,501 links is merged' POST $C/merge admin '' 200 ''
many_places $M/links 1503 3
many_places $M/content/page/$MANY/links 1501 2

# Headings of tables hold links as any text does: listed, judged, changed by themselves, shown.
send POST /v1/orgs/$ORG/spaces create '{"title":"Headings"}'
H=/v1/spaces/$(jq -r .id "$out")
send POST $H/change-requests create '{"subject":"Headings"}'
HC=$H/change-requests/$(jq -r .id "$out")
head_table() {
	printf '| [H](%s) | **b** |\n| - | - |\n| 1 | 2 |\n\n<table><thead><tr><th><a href="%s">I</a></th></tr></thead>' "$1" "$1"
	printf '<tbody><tr><td>z</td></tr></tbody></table>\n'
}
head_body() { jq -nc --arg text "$(head_table "$1")" --arg page "${HEADS:-}" "{changes: [$2]}"; }
t 'pages with links in headings are written' POST $HC/content create "$(head_body to.md \
	'{operation: "insert_page", title: "To", document: {markdown: "t"}}, {operation: "insert_page", title: "Heads", document: {markdown: $text}}')" 200 ''
HEADS=$(get $HC/content/path/heads create; jq -r .id "$out") TO=$(get $HC/content/path/to create; jq -r .id "$out")
t 'links in headings of tables lead to their page' GET $HC/content/page/$HEADS create '' 200 \
	'[.document | .. | objects | select(.ref?).ref.page] == ["'$TO'", "'$TO'"]'
t 'links in headings of tables are listed' GET "$HC/links?status=ok" create '' 200 '.items[0].locationReferences | length == 2'
t 'a page is renamed below a heading that links to it' POST $HC/content create \
	'{"changes":[{"operation":"update_page","page":"'$TO'","slug":"moved"}]}' 200 ''
t 'links in headings of tables follow a page that moves' GET "$HC/content/page/$HEADS?format=markdown" create '' 200 \
	'[.markdown | scan("moved.md")] | length == 2'
head_update='{operation: "update_page", page: $page, document: {markdown: $text}}'
t 'a link in a heading is changed alone' POST $HC/content create "$(head_body gone.md "$head_update")" 200 ''
t 'the changed link of a heading is stored' GET "$HC/content/page/$HEADS?format=markdown" create '' 200 '[.markdown | scan("gone.md")] | length == 2'
t 'broken links in headings of tables are listed' GET "$HC/links?status=broken" create '' 200 '.stats.broken.total == 2'
get $HC/content/page/$HEADS create
jq -c '{changes: [{operation: "update_page", page: "'$HEADS'",
	document: {document: (.document | (.. | objects | select(.text? == "2").text) = "3")}}]}' "$out" >"$tmp/heads"
t 'a document with headings that link is sent back' POST $HC/content create "$(cat "$tmp/heads")" 200 ''
t 'a client that changes a cell keeps the links of headings' GET "$HC/content/page/$HEADS?format=markdown" create '' 200 \
	'.markdown | contains("| [H](gone.md) | **b** |") and contains("| 1            | 3     |") and contains("<a href=\"gone.md\">I</a>")'
jq -c '(.. | objects | select(.title? == "H").title) = "New"' "$tmp/heads" >"$tmp/heads.new"
t 'a heading with another title is sent' POST $HC/content create "$(cat "$tmp/heads.new")" 200 ''
t 'a changed title counts' GET "$HC/content/page/$HEADS?format=markdown" create '' 200 '.markdown | contains("| New | **b** |")'
if [ $TRANSPORT = http ]; then
	head_lost='[up](../../moved.md) [x](gone.md) [top](/../moved) [dot](/a/%2e%2e/%2e%2E/moved) [host](/elsewhere)'
	send POST $HC/content create "$(head_body moved.md '{operation: "update_page", page: $page, document: {markdown: ($text + "\n\n'"$head_lost"'\n")}}')"
	t 'the headings are merged' POST $HC/merge admin '' 200 ''
	t 'headings: a site is created' POST /v1/orgs/$ORG/sites admin '{"title":"Headings","spaces":["'${H#/v1/spaces/}'"]}' 201 ''
	head_site=$(jq -r .id "$out") head_at=/sites/$ORG_NAME/$(jq -r .basename "$out")
	send POST /v1/orgs/$ORG/sites/$head_site/publish admin ''
	read_at $head_at/heads
	holds 'a site shows the links in headings of tables' "<th scope=\"col\"><a href=\"$below$head_at/\">H</a></th>"
	holds 'a site shows the marks in headings of tables' '<th scope="col"><strong>b</strong></th>'
	holds 'a site shows the links in headings of HTML tables' "<th scope=\"col\"><a href=\"$below$head_at/\">I</a></th>"
	same 'links to files that are not there have no address on a site' 4 \
		"$(grep -o '<span class="broken"[^>]*>[a-z]*</span>' "$out" | wc -l | tr -d ' ')"
	holds 'a link from the root of the host is kept' '<a href="/elsewhere">host</a>'
fi
