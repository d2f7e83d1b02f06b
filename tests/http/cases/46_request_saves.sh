# Saves of one sitting, which amend one revision: `amend` of POST CR/content.
sv_s=$(space_empty 'Saved often')
space_write "$sv_s" '{"changes":[{"operation":"insert_page","title":"Start","document":{"markdown":"Zero.\n"}},
	{"operation":"insert_page","title":"Other","document":{"markdown":"Other.\n"}}]}' >/dev/null
get /v1/spaces/$sv_s/content/pages
sv_p=$(jq -r '.pages[0].id' "$out") sv_o=$(jq -r '.pages[1].id' "$out")
send POST /v1/spaces/$sv_s/change-requests edit '{"subject":"Sitting"}'
sv_r=$(jq -r .id "$out") sv_c=/v1/spaces/$sv_s/change-requests/$sv_r
# sv_save TEXT [AMEND [TOKEN]]: $sv_at: the revision that it made
sv_save() {
	send POST $sv_c/content "${3-edit}" "$(jq -nc --arg p $sv_p --arg text "$1" --arg amend "${2-}" \
		'{changes: [{operation: "update_page", page: $p, document: {markdown: $text}}]} + if $amend == "" then {} else {amend: $amend} end')"
	sv_at=$(jq -r .revision "$out")
}
sv_rows() {
	sql "SELECT (SELECT count(*) FROM revision WHERE branch = c.branch), (SELECT count(*) FROM node WHERE branch = c.branch),
		(SELECT count(*) FROM node n JOIN blob b ON b.hash = n.body WHERE n.branch = c.branch) FROM change_request c WHERE c.id = '$sv_r'"
}
sv_blobs() { sql 'SELECT count(*) FROM blob'; }

sv_save 'First.
'
sv_first=$sv_at
sv_save 'Second.
' "$sv_first"
sv_second=$sv_at
t 'a save that amends makes a revision with an id of its own' GET /v1/spaces/$sv_s/revisions/$sv_second edit '' 200 '.type == "edits"'
t 'the revision that it replaced is gone' GET /v1/spaces/$sv_s/revisions/$sv_first edit '' 404 ''
t 'the text is that of the last save' GET "$sv_c/content/page/$sv_p?format=markdown" edit '' 200 '.markdown | endswith("Second.\n")'
t 'a sitting is one change' GET "$sv_c/changes?diff=true" edit '' 200 \
	'[.changes[] | .type] == ["page_edited"] and (.changes[0].diff | contains("First") | not)'
sv_had=$(sv_rows) sv_had_blobs=$(sv_blobs)
for sv_i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	sv_save "Save $sv_i." "$sv_at"
done
same 'twenty saves add no rows' "$sv_had" "$(sv_rows)"
same 'twenty saves add no texts' "$sv_had_blobs" "$(sv_blobs)"

# ---- what begins a new revision ----
sv_kept() { # sv_kept NAME: the revision $sv_was was not replaced
	yes "$1: there is a newer one" test "$sv_at" != "$sv_was" -a "$sv_at" != null
	t "$1" GET "/v1/spaces/$sv_s/revisions/$sv_was/page/$sv_p?format=markdown" edit '' 200 '.markdown | contains("'"$2"'")'
}
sv_was=$sv_at
sv_save 'No amend.'
sv_kept 'a save that does not ask for it amends nothing' 'Save 20'
sv_was=$sv_at
sv_save 'Older named.' "$sv_second"
sv_kept 'a save that names a revision that is gone amends nothing' 'No amend'
sv_was=$sv_at
sv_save 'By another.' "$sv_at" admin
sv_kept 'a save of somebody else amends nothing' 'Older named'
sv_save 'Late.'
sv_was=$sv_at
sql "UPDATE revision SET created_at = created_at - 600001 WHERE id = '$sv_was'"
sv_save 'Next sitting.' "$sv_was"
sv_kept 'a save after ten minutes begins a new sitting' 'Late'
sv_was=$sv_at
send POST $sv_c/comments admin '{"body":{"markdown":"Why?"},"page":"'$sv_p'"}'
sv_comment=$(jq -r .id "$out")
sv_save 'Commented.' "$sv_was"
sv_kept 'a revision that somebody commented on stays' 'Next sitting'
same 'the comment names a revision that is there' "$sv_was" "$(sql "SELECT revision FROM comment WHERE id = '$sv_comment'")"
sv_was=$sv_at
send POST $sv_c/reviews admin '{"status":"approved"}'
sv_save 'Reviewed.' "$sv_was"
sv_kept 'a revision that somebody reviewed stays' 'Commented'
sv_was=$sv_at
send POST $sv_c/requested-reviewers edit '{"users":["'$U_admin'"]}'
sv_save 'Asked.' "$sv_was"
sv_kept 'a revision that a review was asked for stays' 'Reviewed'

# ---- older revisions read as before ----
sv_was=$sv_at
send POST $sv_c/content edit '{"changes":[{"operation":"insert_page","ref":"n","title":"New","document":{"markdown":"New.\n"}},
	{"operation":"delete_page","page":"'$sv_o'"}]}'
sv_at=$(jq -r .revision "$out")
get $sv_c/content/pages
sv_n=$(jq -r '.pages[] | select(.title == "New") | .id' "$out")
send POST $sv_c/content edit '{"amend":"'$sv_at'","changes":[{"operation":"delete_page","page":"'$sv_n'"},
	{"operation":"revert_page","page":"'$sv_o'"}]}'
sv_at=$(jq -r .revision "$out")
t 'what a sitting adds and deletes again leaves nothing' GET $sv_c/content/pages edit '' 200 '[.pages[].title] == ["Start", "Other"]'
t 'and is no change of its revision' GET /v1/spaces/$sv_s/revisions/$sv_at/changes edit '' 200 '.changes == []'
same 'a page that a sitting added and deleted has no rows' 0 "$(sql "SELECT count(*) FROM node WHERE id = '$sv_n'")"
sv_kept 'older revisions read as before' 'Asked'

# ---- a comment on a block moves along through a sitting ----
sv_save '# Start

One line.

A second line here.
'
sv_was=$sv_at
get "$sv_c/content/page/$sv_p"
sv_block=$(jq -r '.document.nodes[-1].key' "$out")
send POST $sv_c/comments admin '{"body":{"markdown":"Here."},"page":"'$sv_p'","node":"'$sv_block'"}'
sv_comment=$(jq -r .id "$out")
sv_save '# Start

One line.

A second line here, longer.
' "$sv_was"
sv_moved=$sv_at
sv_save '# Start

One line.

A second line here, longer still.
' "$sv_moved"
t 'a comment that only moved along keeps no revision' GET /v1/spaces/$sv_s/revisions/$sv_moved edit '' 404 ''
get "$sv_c/content/page/$sv_p"
sv_block=$(jq -r '.document.nodes[-1].key' "$out")
same 'the comment is on its block' "$sv_block $sv_at" "$(sql "SELECT node || ' ' || revision FROM comment WHERE id = '$sv_comment'")"
t 'the sitting is merged' POST $sv_c/merge admin '' 200 '.result == "merge"'
t 'a merged request is not written' POST $sv_c/content edit '{"amend":"'$sv_at'","changes":[{"operation":"delete_page","page":"'$sv_p'"}]}' 409 ''
t 'an amend of another kind is refused' POST $sv_c/content edit '{"amend":1,"changes":[{"operation":"delete_page","page":"'$sv_p'"}]}' 400 ''
yes 'octavo check finds nothing after sittings' "$octavo" check --dir "$dir"
