# Pages as HTML, what differs between two versions, and the list of revisions.
ph_s=$(space_empty 'Shown as HTML')
space_write "$ph_s" '{"changes":[
	{"operation":"insert_page","title":"Start","document":
	{"markdown":"# Start\n\n## First steps\n\nOne red house. See [the end](end.md), <script>alert(1)</script> and [out](https://example.org/).\n"}},
	{"operation":"insert_page","title":"End","slug":"end","document":{"markdown":"The end.\n"}}]}' >/dev/null
get /v1/spaces/$ph_s/content/pages
ph_p=$(jq -r '.pages[0].id' "$out") ph_end=$(jq -r '.pages[1].id' "$out")
t 'a page is shown as HTML' GET "/v1/spaces/$ph_s/content/page/$ph_p/html" admin '' 200 \
	'.object == "rendered-page" and .title == "Start" and (.html | contains("<h2 id=\"first-steps\">")) and (has("changes") | not)'
t 'no text of a page becomes a script' GET "/v1/spaces/$ph_s/content/page/$ph_p/html" admin '' 200 '.html | contains("<script") | not'
t 'a page has its outline' GET "/v1/spaces/$ph_s/content/page/$ph_p/html" admin '' 200 \
	'.outline == [{"anchor":"first-steps","title":"First steps","level":1}]'
t 'a link of the HTML leads into the application' GET "/v1/spaces/$ph_s/content/page/$ph_p/html" admin '' 200 \
	".html | contains(\"/app/spaces/$ph_s/pages/$ph_end\\\"\")"
t 'a page that is not there has no HTML' GET "/v1/spaces/$ph_s/content/page/nothing/html" admin '' 404 ''
t 'a stranger gets no HTML' GET "/v1/spaces/$ph_s/content/page/$ph_p/html" stranger '' 404 ''
get /v1/spaces/$ph_s
ph_old=$(jq -r .revision "$out")
ph_r=$(send POST /v1/spaces/$ph_s/change-requests admin '{"subject":"Paint it"}'; jq -r .id "$out")
ph_text='# Start\n\n## First steps\n\nOne blue house. See [the end](end.md), <script>alert(1)</script> and [out](https://example.org/).\n'
t 'a request edits the page' POST "/v1/spaces/$ph_s/change-requests/$ph_r/content" admin \
	'{"changes":[{"operation":"update_page","page":"'$ph_p'","document":{"markdown":"'"$ph_text"'"}}]}' 200 ''
t 'what a request changes is marked' GET "/v1/spaces/$ph_s/change-requests/$ph_r/content/page/$ph_p/html?since=base" admin '' 200 \
	'.changes == 1 and (.html | contains("<del>red</del><ins>blue</ins>"))'
t 'a page of a request links to pages of the request' GET "/v1/spaces/$ph_s/change-requests/$ph_r/content/page/$ph_p/html" admin '' 200 \
	".html | contains(\"/app/spaces/$ph_s/requests/$ph_r/pages/$ph_end\\\"\")"
t 'an unchanged page has no changes' GET "/v1/spaces/$ph_s/change-requests/$ph_r/content/page/$ph_end/html?since=base" admin '' 200 \
	'.changes == 0 and (.html | contains("<ins>") | not)'
t 'base is for change requests' GET "/v1/spaces/$ph_s/content/page/$ph_p/html?since=base" admin '' 400 '.fields[0].path == "/since"'
t 'a revision of nowhere is refused' GET "/v1/spaces/$ph_s/content/page/$ph_p/html?since=nothing" admin '' 400 '.fields[0].path == "/since"'
t 'the request is merged' POST "/v1/spaces/$ph_s/change-requests/$ph_r/merge" admin '' 200 '.result == "merge"'
t 'what changed since a revision is marked' GET "/v1/spaces/$ph_s/content/page/$ph_p/html?since=$ph_old" admin '' 200 \
	'.changes == 1 and (.html | contains("<del>red</del><ins>blue</ins>"))'
t 'an older revision shows the older page' GET "/v1/spaces/$ph_s/revisions/$ph_old/page/$ph_p/html" admin '' 200 \
	".revision == \"$ph_old\" and (.html | contains(\"One red house\"))"
t 'revisions are listed, newest first' GET "/v1/spaces/$ph_s/revisions" admin '' 200 \
	'.items[0].type == "merge" and .items[0].mergedFrom.subject == "Paint it" and .items[0].createdBy.email == "admin@example.com"'
t 'a list of revisions goes on' GET "/v1/spaces/$ph_s/revisions?limit=1" admin '' 200 '.next.page | length > 0'
t 'the revisions of a page are those that changed it' GET "/v1/spaces/$ph_s/revisions?pageId=$ph_end" admin '' 200 '.count == 1'
t 'a page of nowhere has no revisions' GET "/v1/spaces/$ph_s/revisions?pageId=nothing" admin '' 200 '.count == 0'
t 'a stranger gets no list of revisions' GET "/v1/spaces/$ph_s/revisions" stranger '' 404 ''

# Block by block, with what comments need.
space_write "$ph_s" '{"changes":[{"operation":"insert_page","title":"In blocks","slug":"blocks","document":{"markdown":
	"First.\n\n* one\n* two\n\n| Name | Price |\n| --- | --- |\n| apple tree | 10 |\n| plum tree | 20 |\n\nWith a note[^1].\n\n[^1]: The note.\n"}}]}' >/dev/null
get /v1/spaces/$ph_s/content/path/blocks
ph_b=$(jq -r .id "$out")
t 'a page comes block by block' GET "/v1/spaces/$ph_s/content/page/$ph_b/html?blocks=true" admin '' 200 \
	'.html == "" and (.blocks | map(.type)) == ["paragraph", "list-unordered", "table", "paragraph", "notes"] and .blocks[0].html == "<p>First.</p>"'
ph_blocks=$(jq -c .blocks "$out")
same 'each block but the notes has a key' '[true,true,true,true,false]' "$(printf %s "$ph_blocks" | jq -c '[.[] | has("key")]')"
same 'a list has the keys of what is in it' true "$(printf %s "$ph_blocks" | jq '.[1].inside | length >= 2')"
same 'a table has its columns and rows' '["Name","Price"] 2' \
	"$(printf %s "$ph_blocks" | jq -r '"\([.[2].columns[].title] | tojson) \(.[2].records | length)"')"
ph_whole=$(get "/v1/spaces/$ph_s/content/page/$ph_b/html"; jq -r .html "$out")
same 'the blocks together are the page' "$ph_whole" "$(printf %s "$ph_blocks" | jq -rj '[.[].html] | add')"

# ---- texts that are not saved ----
ph_preview() { t "$1" POST "$2" "$3" "$4" "$5" "$6"; }
ph_cr=/v1/spaces/$ph_s/change-requests/$ph_r/content/page/$ph_p
ph_preview 'an unsaved text is shown as the page would have it' $ph_cr/html admin \
	'{"markdown":"# Begin\n\nA **green** house, [the end](end.md), [no end](none.md), <script>alert(1)</script>.\n"}' 200 \
	'.title == "Begin" and .id == "'$ph_p'" and (.html | contains("<strong>green</strong>") and (contains("<script") | not)
	and contains("/app/spaces/'$ph_s'/requests/'$ph_r'/pages/'$ph_end'\""))'
t 'a preview changes nothing' GET $ph_cr/html admin '' 200 '.title == "Start" and (.html | contains("green") | not)'
ph_preview 'a page of the space has a preview, too' /v1/spaces/$ph_s/content/page/$ph_p/html admin \
	'{"markdown":"---\ndescription: x\n---\n\nNew *words*.\n"}' 200 \
	'.title == "Start" and (.html | contains("<em>words</em>") and (contains("description") | not))'
ph_preview 'an empty text is shown as nothing' $ph_cr/html admin '{"markdown":""}' 200 '.html == "" and .outline == []'
ph_preview 'a preview needs the text' $ph_cr/html admin '{}' 400 '.fields[0].path == "/markdown"'
ph_preview 'a reader has no preview' $ph_cr/html read '{"markdown":"x"}' 403 ''
ph_preview 'a stranger has no preview' $ph_cr/html stranger '{"markdown":"x"}' 404 ''
ph_preview 'a page that is not there has no preview' /v1/spaces/$ph_s/content/page/nothing/html admin '{"markdown":"x"}' 404 ''
ph_r=$(send POST /v1/spaces/$ph_s/change-requests admin '{"subject":"Prices"}'; jq -r .id "$out")
send POST "/v1/spaces/$ph_s/change-requests/$ph_r/content" admin "$(jq -nc --arg p $ph_b '{changes: [{operation: "update_page", page: $p,
	document: {markdown: "First.\n\n* one\n* two\n\n| Name | Price |\n| --- | --- |\n| apple tree | 30 |\n| cherry tree | 20 |\n\nWith a note."}}]}')"
ph_at="/v1/spaces/$ph_s/change-requests/$ph_r/content/page/$ph_b/html?blocks=true"
ph_rows=$(get "$ph_at"; jq -c '.blocks[2].records' "$out")
t 'rows of a compared table are those of now' GET "$ph_at&since=base" admin '' 200 \
	'[.blocks[] | select(.type == "table")][0].records | sort == ('"$ph_rows"' | sort)'
t 'what was removed has no key' GET "$ph_at&since=base" admin '' 200 \
	'[.blocks[] | select(.html | startswith("<del")) | has("key")] | any | not'

# ---- pages that are too large to be compared ----
jq -nc --arg page "$ph_p" '{changes: [{operation: "update_page", page: $page, document: {markdown: ("word\n\n" * 45000)}}]}' >"$tmp/ph_large"
ph_l=$(send POST /v1/spaces/$ph_s/change-requests admin '{"subject":"Too large"}'; jq -r .id "$out")
get /v1/spaces/$ph_s
ph_old=$(jq -r .revision "$out")
t 'a large page is written' POST "/v1/spaces/$ph_s/change-requests/$ph_l/content?compat=false" admin "@$tmp/ph_large" 200 ''
t 'a large page is not compared' GET "/v1/spaces/$ph_s/change-requests/$ph_l/content/page/$ph_p/html?since=base" admin '' 409 \
	'.error.message | test("too many")'
t 'the large page is merged' POST "/v1/spaces/$ph_s/change-requests/$ph_l/merge" admin '' 200 ''
get /v1/spaces/$ph_s
ph_new=$(jq -r .revision "$out")
t 'nor is it in the primary content' GET "/v1/spaces/$ph_s/content/page/$ph_p/html?since=$ph_old" admin '' 409 ''
t 'nor in a revision' GET "/v1/spaces/$ph_s/revisions/$ph_new/page/$ph_p/html?since=$ph_old" admin '' 409 ''
