# Links and backlinks, at the head and in a change request.
S=/v1/spaces/$SPACE
t 'links of a space' GET $S/links read '' 200 '.stats == {"total":4,"broken":{"total":0,"changeRequest":0}} and .count == 4
	and ([.items[] | .targetReference.kind] | sort == ["file","page","reusable-content","url"])'
t 'a reference' GET $S/links read '' 200 '.items[] | select(.targetReference.kind == "page") | .status == "ok" and .relation == "reference"
	and .targetReference.page.id == "'$PAGE'" and (.targetReference.page | has("document") | not)
	and .targetReference.organization.id == "'$ORG'" and .targetReference.space.id == "'$SPACE'"
	and (.locationReferences | length == 1) and .locationReferences[0].page.path == "readme" and .locationReferences[0].line == 3
	and .locationReferences[0].versionContext.type == "revision" and .locationReferences[0].versionContext.revision.id == "'$REV'"
	and .locationReferences[0].versionContext.revision.pages == [] and .locationReferences[0].versionContext.revision.files == []'
t 'what a page needs' GET $S/links read '' 200 '[.items[] | select(.relation == "dependsOn") | .targetReference.kind] | sort == ["file","reusable-content"]'
t 'none is broken' GET "$S/links?status=broken" read '' 200 '.count == 0 and .items == [] and .stats.total == 4'
t 'those that are well' GET "$S/links?status=ok&limit=2" read '' 200 '(.items | length == 2) and .count == 4'
page=$(jq -r .next.page "$out")
t 'and the rest' GET "$S/links?status=ok&limit=2&page=$page" read '' 200 '(.items | length == 2) and (has("next") | not)'
t 'the counts alone' GET "$S/links?limit=0" read '' 200 '.items == [] and .count == 4 and .stats.total == 4'
t 'another status' GET "$S/links?status=fine" read '' 400 '.fields[0].path == "/status"'
t 'one that is broken' GET "/v1/spaces/$LOCKED/links?status=broken" read '' 200 '.count == 1 and .items[0].status == "broken"
	and .items[0].targetReference == {"kind":"url","url":"nowhere.md"} and .items[0].locationReferences[0].line == 5
	and .items[0].locationReferences[0].page.git.path == "guide/README.md"'
t 'links of a private space' GET /v1/spaces/$PRIVATE/links read '' 404 ''
t 'links of an empty space' GET /v1/spaces/$EMPTY/links read '' 200 '.count == 0 and .stats.total == 0'

t 'links of a page' GET $S/content/page/$PAGE/links read '' 200 '.count == 1 and .items[0].targetReference.kind == "reusable-content" and .stats.total == 1'
t 'links of no page' GET $S/content/page/$FILE/links read '' 404 ''
t 'backlinks of a page' GET $S/content/page/$PAGE/backlinks read '' 200 '.count == 1 and .items[0].kind == "page" and .items[0].page.title == "Welcome"'
t 'backlinks of a file' GET $S/content/files/$FILE/backlinks read '' 200 '.count == 1 and .items[0].page.title == "Welcome" and .items[0].line == 3'
t 'backlinks of no file' GET $S/content/files/$PAGE/backlinks read '' 404 ''
t 'backlinks of a page that nothing leads to' GET $S/content/page/$(get $S/content/path/readme; jq -r .id "$out")/backlinks read '' 200 '.count == 0 and .items == []'

send POST $S/change-requests edit '{"subject":"Links"}'
C=$S/change-requests/$(jq -r .id "$out")
t 'links of a change request as of the space' GET $C/links read '' 200 '.stats.total == 4 and .stats.broken.total == 0'
t 'a page with links' POST $C/content edit '{"changes":[{"operation":"insert_page","title":"Linking","document":{"markdown":"[g](/pages/'$PAGE'#none) [n](no.md)"}}]}' 200 ''
t 'are broken by the request' GET "$C/links?status=broken" read '' 200 '.count == 2 and .stats == {"total":6,"broken":{"total":2,"changeRequest":2}}
	and all(.items[].locationReferences[]; .page.title == "Linking" and .versionContext.type == "changeRequest")'
t 'not by the space' GET "$C/links?status=broken&brokenContext=space" read '' 200 '.count == 0'
t 'but by the request' GET "$C/links?status=broken&brokenContext=change-request" read '' 200 '.count == 2'
t 'backlinks in the request' GET $C/content/page/$PAGE/backlinks read '' 200 '.count == 2'
t 'backlinks of a file in the request' GET $C/content/files/$FILE/backlinks read '' 200 '.count == 1'
t 'links of a page in the request' GET $C/content/page/$PAGE/links read '' 200 '.count == 1'
t 'the space is as it was' GET $S/links read '' 200 '.stats.total == 4'
t 'and nothing of it is found' GET "$S/search?query=linking" read '' 200 '.count == 0'
t 'archived, out of the way' PATCH $C edit '{"status":"archived"}' 200 ''

# A target that is used often goes on over several answers, each of bounded size.
# places PATH: sizes of all answers, targets in order, and how many places there are, each told once.
places() {
	pl_next='' : >"$tmp/places" && : >"$tmp/sizes"
	while :; do
		get "$1?limit=2$pl_next" edit
		[ "$code" = 200 ] || { fail "places $1" "$code: $(head -c 200 "$out")"; return; }
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
jq -nc '{changes: [{operation: "insert_page", title: "Many", document: {markdown: ([range(1500) | "[x](https://example.com/often)\n\n"] + ["[x](https://example.com/once)"] | add)}},
	{operation: "insert_page", title: "Few", document: {markdown: "[x](https://example.com/often) [y](https://example.com/zzz)"}}]}' >"$tmp/many"
t 'a target that is used often' POST $C/content create "$(cat "$tmp/many")" 200 ''
MANY=$(get $C/content/path/many create; jq -r .id "$out")
many_places() {
	places "$1"
	same "places of $1" "$2" "$(wc -l <"$tmp/places" | tr -d ' ')"
	same "each once in $1" "$2" "$(sort -u "$tmp/places" | wc -l | tr -d ' ')"
	same "one target after the other in $1" "$3" "$(cut -d ' ' -f 1 "$tmp/places" | uniq | wc -l | tr -d ' ')"
	yes "answers of $1 end in time" test "$(sort -n "$tmp/sizes" | tail -n 1)" -lt 4300000
	yes "and go on" test "$(wc -l <"$tmp/sizes")" -gt 1
}
many_places $C/links 1503 3
many_places $C/content/page/$MANY/links 1501 2
t 'into the space' POST $C/merge admin '' 200 ''
many_places $M/links 1503 3
many_places $M/content/page/$MANY/links 1501 2
