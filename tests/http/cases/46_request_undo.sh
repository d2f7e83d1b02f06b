# What a revision changed is taken back by a change request: what was written since stays.
uw_s=$(space_empty 'Taken back') uw=/v1/spaces/$uw_s
uw_write() {
	space_write "$uw_s" "$1" >/dev/null
	get $uw
	uw_revision=$(jq -r .revision "$out")
}
uw_text() { jq -nc --arg p "$1" --arg m "$2" '{operation: "update_page", page: $p, document: {markdown: $m}}'; }
uw_open() {
	send POST $uw/change-requests edit '{"subject":"Undo"}'
	uw_r=$uw/change-requests/$(jq -r .id "$out")
}
uw_markdown() {
	get "$uw_r/content/page/$1?format=markdown"
	jq -r .markdown "$out"
}
uw_write '{"changes":[{"operation":"insert_page","title":"Kept","document":{"markdown":"One.\n\nTwo.\n\nThree.\n"}},
	{"operation":"insert_page","title":"Gone","description":"About it","document":{"markdown":"Old.\n"}}]}'
uw_first=$uw_revision
get $uw/content/pages
uw_kept=$(jq -r '.pages[0].id' "$out") uw_gone=$(jq -r '.pages[1].id' "$out")
uw_write '{"changes":['"$(uw_text $uw_kept 'One.

Two, badly.

Three.')"',{"operation":"delete_page","page":"'$uw_gone'"},{"operation":"insert_page","title":"Added","document":{"markdown":"New.\n"}}]}'
uw_bad=$uw_revision
get $uw/content/pages
uw_added=$(jq -r '.pages[1].id' "$out")

t 'an undo is possible while nothing was written since' GET $uw/revisions/$uw_bad/undo edit '' 200 '. == {pages: 3}'
send GET /v1/spaces/$LOCKED edit ''
t 'in a locked space it is not' GET "/v1/spaces/$LOCKED/revisions/$(jq -r .revision "$out")/undo" edit '' 403 '.error.message | test("locked")'
t 'for readers there is no check' GET $uw/revisions/$uw_bad/undo read '' 403 ''
uw_open
t 'a reader takes nothing back' POST $uw_r/undo read '{"revision":"'$uw_bad'"}' 403 ''
t 'the revision must be known' POST $uw_r/undo edit '{"revision":"nothing"}' 404 '.error.message | test("no revision nothing")'
get $uw_r
t 'a revision of a change request is none of the primary content' POST $uw_r/undo edit '{"revision":"'$(jq -r .revision "$out")'"}' 404 ''
t 'a body without a revision is refused' POST $uw_r/undo edit '{}' 400 '.fields[0].path == "/revision"'
t 'a revision is taken back' POST $uw_r/undo edit '{"revision":"'$uw_bad'"}' 200 '.object == "change-request"'
t 'its changes are the opposite ones' GET "$uw_r/changes?diff=true" edit '' 200 '
	[.changes[] | [.type, .page.title]] | sort == [["page_created", "Gone"], ["page_deleted", "Added"], ["page_edited", "Kept"]]'
same 'the text is that of before' 'Two.' "$(uw_markdown $uw_kept | sed -n 5p)"
t 'a page that was deleted is the same page again' GET $uw_r/content/page/$uw_gone edit '' 200 '.title == "Gone" and .description == "About it"'
t 'taken back once more, nothing changes' POST $uw_r/undo edit '{"revision":"'$uw_bad'"}' 409 '.error.message | test("nothing of this revision")'

# What was written since stays.
uw_write '{"changes":['"$(uw_text $uw_kept 'One, better.

Two, badly.

Three.')"']}'
uw_open
t 'a page that was edited at another place is merged' POST $uw_r/undo edit '{"revision":"'$uw_bad'"}' 200 ''
same 'with what was written since' 'One, better. Two. Three.' "$(uw_markdown $uw_kept | sed -n '3,$p' | xargs)"
uw_write '{"changes":['"$(uw_text $uw_kept 'One, better.

Two, differently.

Three.')"']}'
uw_open
t 'a page that was edited at the same place is not' POST $uw_r/undo edit '{"revision":"'$uw_bad'"}' 409 '
	.error.message | test("page \"Kept\" \\(kept\\) was changed at the same places")'
t 'which a check says before' GET $uw/revisions/$uw_bad/undo edit '' 409 '.error.message | test("page \"Kept\"")'
t 'and nothing is written' GET $uw_r/changes edit '' 200 '.changes == []'
t 'what was added and edited since is not taken back' POST $uw_r/undo edit '{"revision":"'$uw_first'"}' 409 ''
t 'the request is archived' PATCH $uw_r edit '{"status":"archived"}' 200 ''
t 'an archived request takes nothing back' POST $uw_r/undo edit '{"revision":"'$uw_bad'"}' 409 ''
get "$uw/revisions?limit=100"
uw_empty=$(jq -r '.items[-1].id' "$out")
uw_open
t 'before the first revision there was nothing to go back to' POST $uw_r/undo edit '{"revision":"'$uw_empty'"}' 409 '
	.error.message | test("this is the first revision")'
t 'which the check says, too' GET $uw/revisions/$uw_empty/undo edit '' 409 '.error.message | test("this is the first revision")'
