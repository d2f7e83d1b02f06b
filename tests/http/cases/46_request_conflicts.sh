# Conflicts of a change request: listed, and resolved place by place.
cf_s=$(space_empty 'In conflict') CF=/v1/spaces/$cf_s/change-requests
space_write "$cf_s" '{"changes":[
	{"operation":"insert_page","title":"Two places","document":{"markdown":"First line.\n\nKept.\n\nLast line.\n"}},
	{"operation":"insert_page","title":"Named","description":"About it","document":{"markdown":"Text.\n"}},
	{"operation":"insert_page","title":"Gone","document":{"markdown":"Old.\n"}},
	{"operation":"insert_page","title":"Group","document":{"markdown":"Of pages.\n"}}]}' >/dev/null
get /v1/spaces/$cf_s/content/pages
cf_two=$(jq -r '.pages[0].id' "$out") cf_named=$(jq -r '.pages[1].id' "$out") cf_gone=$(jq -r '.pages[2].id' "$out") cf_group=$(jq -r '.pages[3].id' "$out")
cf_open() { send POST $CF edit '{"subject":"'"$1"'"}'; cf_r=$CF/$(jq -r .id "$out"); }
cf_write() { send POST $cf_r/content edit "$1"; }
cf_take() { jq -nc --arg r "$cf_rev" --argjson c "$1" '{revision: $r, choices: $c}'; }
# Another request changes the same in the primary content.
cf_other() {
	cf_mine=$cf_r
	cf_open other; cf_write "$1"; send POST $cf_r/merge admin ''
	cf_r=$cf_mine
}
cf_update() { send POST $cf_r/update edit ''; cf_rev=$(jq -r .revision "$out"); }
cf_body() { jq -nc --arg p "$1" --arg m "$2" '{changes: [{operation: "update_page", page: $p, document: {markdown: $m}}]}'; }

cf_open text
t 'a request without conflicts has none' GET $cf_r/conflicts read '' 200 '.conflicts == [] and (.outdated | not)'
cf_write "$(cf_body $cf_two 'My first line.

Kept.

My last line.
')"
cf_other "$(cf_body $cf_two 'Their first line.

Kept and more.

Their last line.
')"
t 'conflicts are listed before the update' GET $cf_r/conflicts read '' 200 '.outdated and [.conflicts[] | [.kind, .base, .ours, .theirs]] == [
	["text", "First line.\n", "My first line.\n", "Their first line.\n"], ["text", "Last line.\n", "My last line.\n", "Their last line.\n"]]'
get $cf_r/conflicts; cf_rev=$(jq -r .revision "$out")
t 'a request that lacks changes cannot be resolved' POST $cf_r/conflicts edit "$(cf_take '[{"page":"'$cf_two'","kind":"text","take":"ours"}]')" 409 \
	'.error.message | test("update")'
cf_update
t 'a choice for one of two places is too few' POST $cf_r/conflicts edit "$(cf_take '[{"page":"'$cf_two'","kind":"text","take":"ours"}]')" 400 \
	'.fields[0].path == "/choices/0/page"'
t 'a choice too many is refused' POST $cf_r/conflicts edit "$(cf_take '[{"page":"'$cf_two'","kind":"text","take":"ours"},
	{"page":"'$cf_two'","kind":"text","take":"ours"},{"page":"'$cf_two'","kind":"text","take":"ours"}]')" 400 '.fields[0].path == "/choices/2/page"'
t 'a choice for a page without conflicts is refused' POST $cf_r/conflicts edit "$(cf_take '[{"page":"'$cf_named'","kind":"text","take":"ours"}]')" 400 ''
t 'a choice of another kind is refused' POST $cf_r/conflicts edit "$(cf_take '[{"page":"'$cf_two'","kind":"title","take":"ours"},
	{"page":"'$cf_two'","kind":"text","take":"ours"}]')" 400 '.fields[0].path == "/choices/0/kind"'
t 'a typed choice needs its text' POST $cf_r/conflicts edit "$(cf_take '[{"page":"'$cf_two'","kind":"text","take":"text"},
	{"page":"'$cf_two'","kind":"text","take":"ours"}]')" 400 '.fields[0].path == "/choices/0/take"'
t 'choices for another revision are refused' POST $cf_r/conflicts edit '{"revision":"old","choices":[{"page":"'$cf_two'","kind":"text","take":"ours"}]}' 409 \
	'.error.message | test("since")'
t 'who may only review cannot resolve' POST $cf_r/conflicts comment "$(cf_take '[{"page":"'$cf_two'","kind":"text","take":"ours"}]')" 403 ''
t 'refused choices changed nothing' GET "$cf_r/content/page/$cf_two?format=markdown" read '' 200 '.markdown | test("My first") and test("Kept and more")'
t 'each place is resolved in its own way' POST $cf_r/conflicts edit "$(cf_take '[{"page":"'$cf_two'","kind":"text","take":"both"},
	{"page":"'$cf_two'","kind":"text","take":"text","text":"Typed **line**."}]')" 200 '.result == "update" and (.conflicts == null)'
t 'the page has what was chosen' GET "$cf_r/content/page/$cf_two?format=markdown" read '' 200 \
	'.markdown | endswith("Their first line.\n\nMy first line.\n\nKept and more.\n\nTyped **line**.")'
t 'resolved conflicts are listed no more' GET $cf_r/conflicts read '' 200 '.conflicts == []'
t 'a resolved request merges' POST $cf_r/merge admin '' 200 '.result == "merge"'
t 'a merged request has no conflicts' GET $cf_r/conflicts read '' 409 ''
t 'and cannot be resolved' POST $cf_r/conflicts edit '{"revision":"x","choices":[{"page":"'$cf_two'","kind":"text","take":"ours"}]}' 409 ''

# Title, properties and text of one page; each side wins once.
cf_open fields
cf_write '{"changes":[{"operation":"update_page","page":"'$cf_named'","title":"Mine","description":"My words",
	"document":{"markdown":"| a | b |\n| --- | --- |\n| 1 | my |\n"}}]}'
cf_other '{"changes":[{"operation":"update_page","page":"'$cf_named'","title":"Theirs","description":"Their words","icon":"book",
	"document":{"markdown":"| a | b |\n| --- | --- |\n| 1 | their |\n"}}]}'
cf_update
t 'all fields of a page that clash are listed' GET $cf_r/conflicts read '' 200 '[.conflicts[].kind] | index("title") and index("properties") and index("text")'
cf_kinds=$(jq -c '[.conflicts[] | {page, kind, take: {title: "theirs", properties: "theirs", text: "ours"}[.kind]}]' "$out")
t 'fields are taken from either side' POST $cf_r/conflicts edit "$(cf_take "$cf_kinds")" 200 '.conflicts == null'
t 'the page has the fields of the side that was chosen' GET "$cf_r/content/page/$cf_named?format=markdown" read '' 200 \
	'.title == "Theirs" and .description == "Their words" and .icon == "book" and (.markdown | test("my"))'
t 'and merges' POST $cf_r/merge admin '' 200 '.result == "merge"'

# A page that one side deleted; a page that both moved.
cf_open deleted
cf_write '{"changes":[{"operation":"delete_page","page":"'$cf_gone'"},{"operation":"update_page","page":"'$cf_two'","into":"'$cf_named'"}]}'
cf_other '{"changes":[{"operation":"update_page","page":"'$cf_gone'","title":"Still here"},
	{"operation":"update_page","page":"'$cf_two'","into":"'$cf_group'"}]}'
cf_update
t 'a deleted page and a moved one clash' GET $cf_r/conflicts read '' 200 '[.conflicts[].kind] | sort == ["deleted", "position"]'
cf_kinds=$(jq -c '[.conflicts[] | {page, kind, take: "theirs"}]' "$out")
t 'both of a page that one side deleted cannot be taken' POST $cf_r/conflicts edit "$(cf_take "$(printf %s "$cf_kinds" | jq -c 'map(.take = "both")')")" 400 ''
t 'one page is resolved alone' POST $cf_r/conflicts edit "$(cf_take "$(printf %s "$cf_kinds" | jq -c 'map(select(.kind == "deleted"))')")" 200 \
	'.result == "conflicts" and [.conflicts[].kind] == ["position"]'
cf_rev=$(jq -r .revision "$out")
t 'the deleted page is back' GET $cf_r/content/page/$cf_gone read '' 200 '.title == "Still here"'
t 'the other page follows' POST $cf_r/conflicts edit "$(cf_take "$(printf %s "$cf_kinds" | jq -c 'map(select(.kind == "position"))')")" 200 \
	'.conflicts == null'
t 'a moved page is where the other side put it' GET $cf_r/content/pages read '' 200 '[.pages[] | select(.id == "'$cf_group'").pages[].id] == ["'$cf_two'"]'
t 'nothing is left to merge but that' POST $cf_r/merge admin '' 200 '.result == "merge"'

# Deleted by the primary content; kept by the request, or deleted again.
cf_open kept
cf_write "$(cf_body $cf_gone 'Mine to keep.')"
cf_other '{"changes":[{"operation":"delete_page","page":"'$cf_gone'"}]}'
cf_update
t 'a page that the primary content deleted is kept' POST $cf_r/conflicts edit "$(cf_take '[{"page":"'$cf_gone'","kind":"deleted","take":"ours"}]')" 200 \
	'.conflicts == null'
t 'and merged' POST $cf_r/merge admin '' 200 '.result == "merge"'
t 'the primary content has it again' GET "/v1/spaces/$cf_s/content/page/$cf_gone?format=markdown" read '' 200 '.markdown | test("Mine to keep")'

# Properties that are in the frontmatter as well: two conflicts, about the same.
cf_front() { cf_body $cf_group "---
description: $1
icon: $2
---

# Group

Of pages."; }
cf_open frontmatter; cf_write "$(cf_front Before book)"; send POST $cf_r/merge admin ''
cf_open front; cf_write "$(cf_front Mine gear)"; cf_other "$(cf_front Theirs house)"; cf_update
t 'properties and frontmatter are in conflict' GET $cf_r/conflicts read '' 200 '[.conflicts[].kind] == ["properties", "properties"]'
cf_side() { cf_take '[{"page":"'$cf_group'","kind":"properties","take":"'$1'"},{"page":"'$cf_group'","kind":"properties","take":"'$2'"}]'; }
t 'the two cannot come from different sides' POST $cf_r/conflicts edit "$(cf_side ours theirs)" 400 \
	'.fields[0].path == "/choices/1/take" and (.fields[0].message | test("same"))'
t 'whichever is first' POST $cf_r/conflicts edit "$(cf_side theirs ours)" 400 '.fields[0].path == "/choices/1/take"'
t 'both can come from one' POST $cf_r/conflicts edit "$(cf_side theirs theirs)" 200 '.conflicts == null'
t 'and the page has all of them' GET "$cf_r/content/page/$cf_group?format=markdown" read '' 200 \
	'.description == "Theirs" and .icon == "house"'
