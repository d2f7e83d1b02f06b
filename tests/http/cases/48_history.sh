# A visitor of a site sees current content, not its history: no route gives a site token content
# that was deleted, hidden or discussed before. All of that contains "wombat", and nothing visible
# does.
W=$(space_empty Burrow)
page_insert() { printf '{"changes":[{"operation":"insert_page","title":"%s","document":{"markdown":"%s"}}]}' "$1" "$2"; }
put_page() { printf '{"changes":[{"operation":"update_page","page":"%s",%s}]}' "$1" "$2"; }
# history_write BODY: merged by a request whose subject and description are secret
history_write() {
	send POST /v1/spaces/$W/change-requests admin '{"subject":"About the wombat","description":{"markdown":"A wombat."}}'
	hw=$(jq -r .id "$out")
	t 'a change is written in a request' POST "/v1/spaces/$W/change-requests/$hw/content?compat=false" admin "$1" 200 ''
	cp "$out" "$tmp/written"
	send POST /v1/spaces/$W/change-requests/$hw/merge admin ''
	get /v1/spaces/$W admin
	w_revisions="$w_revisions $(jq -r .revision "$out")"
	w_requests="$w_requests $hw"
}
w_revisions='' w_requests=''
history_write "$(page_insert Open 'A numbat.')"
w_open=$(jq -r '.changes[0].page.id' "$tmp/written")
history_write "$(page_insert 'Gone wombat' 'A wombat lived here.')"
w_gone=$(jq -r '.changes[0].page.id' "$tmp/written")
history_write "$(page_insert 'Veiled' 'A wombat hides here.')"
w_veiled=$(jq -r '.changes[0].page.id' "$tmp/written")
history_write "$(put_page $w_open '"document":{"markdown":"A numbat and a wombat."}')"
history_write "$(put_page $w_open '"document":{"markdown":"A numbat."}')"
history_write '{"changes":[{"operation":"delete_page","page":"'$w_gone'"}]}'
history_write "$(put_page $w_veiled '"condition":"visitor.claims.plan == \"pro\""')"
t 'a site is created before the space is on it' POST /v1/orgs/$ORG/sites admin '{"title":"Burrow","spaces":["'$EMPTY'"],"visibility":"public"}' 201 ''
WS=/v1/orgs/$ORG/sites/$(jq -r .id "$out")
t 'the site is published' POST $WS/publish admin '' 200 ''
w_at=$(jq -r .urls.published "$out")
site_resolve $w_at
cp "$tmp/tokens/site" "$tmp/tokens/site_early"
t 'the space is added to the site' POST $WS/site-spaces admin '{"spaceId":"'$W'"}' 201 ''
get $WS/site-spaces admin
w_at=$(jq -r '.items[] | select(.space.id == "'$W'").urls.published' "$out")
site_resolve $w_at
w_head=${w_revisions##* }
t 'a site token sees the newest revision without its history' GET /v1/spaces/$W/revisions/$w_head site '' 200 \
	'[.pages[].title] == ["Open"] and .parents == [] and (has("mergedFrom") | not) and .type == "edits"'
t 'a member sees parents and the merged request' GET /v1/spaces/$W/revisions/$w_head read '' 200 \
	'(.parents | length) == 1 and .mergedFrom.subject == "About the wombat" and .type == "merge"'
# All operations of the description below a space, for each revision, request and page.
get /v1/openapi.json
jq -r '.paths | to_entries[] | select(.key | startswith("/spaces/{spaceId}")) | select(.value.get) | .key' "$out" >"$tmp/ways"
# history_ask WHO: no response to any of these requests by WHO contains "wombat". All in one call of
# curl, over HTTP only.
history_ask() {
	rm -rf "$tmp/asked"
	mkdir "$tmp/asked"
	jq -rn --rawfile ways "$tmp/ways" --arg pages "$w_open $w_gone $w_veiled" --arg revisions "$w_revisions" --arg requests "${w_requests% *}" '
		def each($hole; $values): if contains($hole) then sub("\\{" + $hole[1:-1] + "\\}"; $values | split(" ")[] | select(. != "")) else . end;
		$ways | split("\n")[] | select(. != "") | "/v1" + . | sub("\\{spaceId\\}"; "'$W'") | sub("\\{pagePath\\}"; "veiled") |
		each("{revisionId}"; $revisions) | each("{changeRequestId}"; $requests) | each("{pageId}"; $pages) |
		sub("\\{[a-zA-Z]+Id\\}"; "'$w_open'") | if endswith("/embed") then . + "?url=https://x.example/" elif endswith("/search") then . + '\
'"?query=wombat" else . end' >"$tmp/asked.list"
	awk -v base="$base" -v to="$tmp/asked" '{ printf "url = \"%s%s\"\noutput = \"%s/%d\"\n", base, $0, to, NR }' "$tmp/asked.list" >"$tmp/asked.curl"
	curl -sg -H "Authorization: Bearer $(cat "$tmp/tokens/$1")" -w '%{http_code}\n' -K "$tmp/asked.curl" >"$tmp/asked.codes"
	same "$1 gets only 200, 403 or 404" 0 "$(grep -vc -e 200 -e 404 -e 403 "$tmp/asked.codes")"
	yes "$1 asks more than 100 addresses" [ "$(wc -l <"$tmp/asked.codes")" -gt 100 ]
	ha_seen=$(grep -c 200 "$tmp/asked.codes")
	if grep -rqi wombat "$tmp/asked"; then fail "$1 reads nothing that was deleted or hidden" \
		"$(sed -n "$(basename "$(grep -rli wombat "$tmp/asked" | head -n 1)")p" "$tmp/asked.list")"; else pass; fi
}
if [ "$TRANSPORT" = http ]; then
history_ask site
yes 'a site token reads what is shown' [ $ha_seen -gt 4 ]
history_ask site_early
fi
for w_revision in $w_revisions; do
	[ $w_revision = $w_head ] || t 'a site token gets 404 for an older revision' GET /v1/spaces/$W/revisions/$w_revision site '' 404 ''
done
t 'search finds nothing that was deleted or hidden' POST $WS/search site '{"query":"wombat","mode":"all"}' 200 '.items == []'
# Content that was visible, then deleted or hidden: a visitor who comes later does not see it in any way.
history_write "$(page_insert 'Shown' 'A bilby.')"
w_shown=$(jq -r '.changes[0].page.id' "$tmp/written") w_then=${w_revisions##* }
site_resolve $w_at
cp "$tmp/tokens/site" "$tmp/tokens/site_then"
t 'a site token reads a page of its revision' GET /v1/spaces/$W/revisions/$w_then/page/$w_shown site_then '' 200 '.title == "Shown"'
history_write "$(put_page $w_shown '"condition":"visitor.claims.plan == \"pro\""')"
site_resolve $w_at
t 'a new site token gets 404 for a page that is hidden now' GET /v1/spaces/$W/revisions/$w_then/page/$w_shown site '' 404 ''
t 'a new site token gets 404 for the older revision' GET /v1/spaces/$W/revisions/$w_then site '' 404 ''
t 'a site token goes on reading its own revision' GET /v1/spaces/$W/revisions/$w_then/page/$w_shown site_then '' 200 ''
t 'the site is changed' PATCH $WS admin '{"title":"Burrows"}' 200 ''
t 'a change of the site ends tokens of older revisions' GET /v1/spaces/$W/revisions/$w_then/page/$w_shown site_then '' 404 ''
t 'the site is deleted' DELETE $WS admin '' 204 ''
t 'the space is deleted' DELETE /v1/spaces/$W admin '' 204 ''
