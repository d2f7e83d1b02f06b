# What a change request shows below /app besides comments: each kind of change, verdicts, an update, its end; and where
# people find it: home and search. And what admins see of tokens.
. tests/http/browse.sh
user_new rvada "$ORG" edit
user_new rvbob "$ORG" review
user_new rvcyd "$ORG" admin
rv_s=$(space_empty 'Kinds of changes')
space_write "$rv_s" '{"changes":[{"operation":"insert_page","title":"Kept","document":{"markdown":"Turquoise words here.\n"}},
	{"operation":"insert_page","title":"Moved","document":{"markdown":"Move me.\n"}},
	{"operation":"insert_page","title":"Doomed","document":{"markdown":"Away.\n"}},
	{"operation":"insert_page","title":"Other","document":{"markdown":"Other.\n"}}]}' >/dev/null
get /v1/spaces/$rv_s/content/pages
rv_kept=$(jq -r '.pages[0].id' "$out") rv_moved=$(jq -r '.pages[1].id' "$out")
rv_doomed=$(jq -r '.pages[2].id' "$out") rv_other=$(jq -r '.pages[3].id' "$out")
pg_join rvada rvbob rvcyd
pg_jar=$tmp/rvada
pg GET '/app/spaces/'$rv_s'/requests?status=draft'
holds 'an empty list says that it is empty' 'There are no change requests here.'
pg POST /app/spaces/$rv_s/requests 'subject=Kinds'
rv_at=$(header location) rv_at=${rv_at#"$below"} rv_r=${rv_at##*/}
pg GET $rv_at
holds 'a request without changes leads to a page to edit' "/pages/$rv_kept\">Edit a page</a>"
pg GET $rv_at/pages/$rv_kept
holds 'a page in a request names the request' '>Change request #2 Kinds</a>'
pg GET $rv_at/pages/$rv_kept/edit
holds 'and so does its form' '>Change request #2 Kinds</a>'
t 'each kind of change is made' POST /v1/spaces/$rv_s/change-requests/$rv_r/content rvada "$(jq -nc --arg k $rv_kept --arg m $rv_moved --arg d $rv_doomed '
	{changes: [{operation: "insert_page", title: "Fresh", document: {markdown: "New.\n"}},
	{operation: "update_page", page: $k, document: {markdown: "Turquoise letters here.\n"}},
	{operation: "update_page", page: $m, into: $k}, {operation: "delete_page", page: $d}]}')" 200 ''
pg GET $rv_at
rv_rows=$(tr -d '\n' <"$out" | grep -o '<span class="tag[^>]*>[a-z]*</span> <[^>]*>[A-Z][a-z]*<' | sed 's/<[^>]*>//g; s/<$//' | sort -u)
same 'a request says of each page what happens to it' 'added Fresh
changed Kept
deleted Doomed
moved Moved' "$rv_rows"
lacks 'a request with changes has its own links' '>Edit a page</a>'
holds 'what somebody else approves, the author cannot merge' 'Members with the role review'
pg GET /app
rv_drafts=$(tr -d '\n' <"$out" | sed 's/.*id="drafts"//; s/<\/section>.*//')
case $rv_drafts in *"$rv_at\">Kinds"*'<small>Kinds of changes</small><small>#'*) pass ;;
*) fail 'the first page shows drafts, with their space' "$(echo "$rv_drafts" | head -c 300)" ;; esac
pg GET "/app/spaces/$rv_s/search?q=turquoise"
holds 'search shows the words around what it found' 'Turquoise words here.'


# ---- other requests that change a page ----
send POST /v1/spaces/$rv_s/change-requests rvcyd '{"subject":"Beside"}'
rv_beside=$(jq -r .id "$out") rv_beside_n=$(jq -r .number "$out")
t 'a request without changes changes no page' GET "/v1/spaces/$rv_s/change-requests?changesPage=$rv_other" rvada '' 200 '[.count, .items] == [0, []]'
send POST "/v1/spaces/$rv_s/change-requests/$rv_beside/content" rvcyd "$(jq -nc --arg o $rv_other --arg d $rv_doomed '{changes: [
	{operation: "update_page", page: $o, document: {markdown: "Other, beside.\n"}}, {operation: "delete_page", page: $d}]}')"
t 'the API lists those that change a page' GET "/v1/spaces/$rv_s/change-requests?changesPage=$rv_other" rvada '' 200 \
	"[.count, .items[].id] == [1, \"$rv_beside\"]"
t 'and those that delete it' GET "/v1/spaces/$rv_s/change-requests?changesPage=$rv_doomed" rvada '' 200 \
	"[.count, .items[].id] == [2, \"$rv_beside\", \"$rv_r\"]"
t 'other filters hold as well' GET "/v1/spaces/$rv_s/change-requests?changesPage=$rv_doomed&status=open" rvada '' 200 '[.count, .items] == [0, []]'
rv_also="requests/$rv_beside\">#$rv_beside_n Beside also changes this page</a>"
pg GET /app/spaces/$rv_s/pages/$rv_other/edit
holds 'the editor of a page names another request that changes it' "$rv_also"
pg GET $rv_at/pages/$rv_other/edit
holds 'in a request, too' "$rv_also"
pg GET /app/spaces/$rv_s/requests/$rv_beside/pages/$rv_other/edit
lacks 'but not the request itself' 'also changes this page'
pg GET /app/spaces/$rv_s/pages/$rv_other
holds 'so does the page' "$rv_also"
pg GET /app/spaces/$rv_s/pages/$rv_moved
lacks 'a page that no other one changes has no such line' 'Beside also changes'
user_new rveve "$ORG" comment
pg_join rveve
pg GET /app/spaces/$rv_s/pages/$rv_other
pg_is 'who may not write reads the page' 200
lacks 'without that line' 'also changes this page'
pg_jar=$tmp/rvada
send PATCH /v1/spaces/$rv_s/change-requests/$rv_beside rvcyd '{"status":"archived"}'
t 'an archived request changes nothing' GET "/v1/spaces/$rv_s/change-requests?changesPage=$rv_other" rvada '' 200 '.count == 0'

# ---- where a page is ----
space_write "$rv_s" "$(jq -nc --arg o $rv_other '{changes: [{operation: "insert_page", title: "Below other", into: $o,
	document: {markdown: "Deep.\n"}}]}')" >/dev/null
get "/v1/spaces/$rv_s/content/pages"
rv_deep=$(jq -r '[.. | objects | select(.title? == "Below other") | .id][0]' "$out")
pg GET /app/spaces/$rv_s/pages/$rv_deep
holds 'a page names the pages above it' '<p class="up">Other</p><h1>Below other</h1>'
pg GET "/app/spaces/$rv_s/history?pageId=$rv_deep"
holds 'so does its history' '<p class="up">Other</p><h1>History of'
pg GET /app/spaces/$rv_s/pages/$rv_other
lacks 'a page at the top has nothing above it' '<p class="up">'

# ---- verdicts and an update ----
pg POST $rv_at/state 'status=open'
pg_to 'a request becomes open' "$below$rv_at?done=opened"
pg GET "$rv_at?done=opened"
holds 'and says so' 'role="status">The change request is open: it can be reviewed now.'
pg_jar=$tmp/rvbob
pg GET $rv_at
pg POST $rv_at/review 'status=changes-requested&comment=Say+**more**.'
pg_to 'changes are asked for' "$below$rv_at?done=reviewed#main"
pg GET $rv_at
holds 'which the request says' 'changes wanted</span>'
holds 'beside the button that merges' '>Merge</button></form><span class="step">Changes wanted by rvbob</span>'
holds 'which is not the first choice then' '<button type="submit" class="btn small">Merge</button>'
pg GET /app/spaces/$rv_s/requests
holds 'a list of requests says it' '<span class="tag gone">changes wanted</span><span class="tag open">open</span>'
t 'so does the API' GET "/v1/spaces/$rv_s/change-requests/$rv_r" rvada '' 200 '.review == "changes-requested"'
pg_jar=$tmp/rvada
pg GET /app
holds 'and the first page of its author' '<span class="tag gone">changes wanted</span>'
pg_jar=$tmp/rvbob
space_write "$rv_s" "$(jq -nc --arg p $rv_other '{changes: [{operation: "update_page", page: $p, document: {markdown: "Other, newer.\n"}}]}')" >/dev/null
pg_jar=$tmp/rvada
pg GET $rv_at
holds 'a request that the space is ahead of can be updated' "action=\"$rv_r/update\""
pg POST $rv_at/update
pg_to 'it takes in what is new' "$below$rv_at?done=updated"
pg GET "$rv_at?done=updated"
holds 'and says so' 'class="notice good"'
lacks 'and is up to date' "action=\"$rv_r/update\""
holds 'a review of what was before says so' 'changes wanted</span><small>before later changes</small>'

rv_first=$(sql "SELECT revision FROM review WHERE request = '$rv_r'") rv_last=$(sql "SELECT r.id FROM revision r JOIN change_request c ON c.branch = r.branch
	WHERE c.id = '$rv_r' ORDER BY r.seq DESC LIMIT 1")
holds 'it leads to what has changed since' "revisions/$rv_last?since=$rv_first\">Changes since this review</a>"
holds 'and its reviewer can be asked again' 'Ask again<span class="sr"> rvbob</span>'
rv_again=$(sed -n 's/.*name="user" value="\([^"]*\)".*/\1/p' "$out" | head -n 1)
t 'the two states can be compared' GET "/v1/spaces/$rv_s/revisions/$rv_last/changes?since=$rv_first" rvada '' 200 ''
pg GET "/app/spaces/$rv_s/revisions/$rv_last?since=$rv_first"
pg_is 'and are on a page' 200
holds 'with what the update brought' '+Other, newer.'
pg GET $rv_at

# ---- another review is asked for ----
rv_offered=$(tr -d '\n' <"$out" | sed 's/.*<datalist id="reviewers">//; s/<\/datalist>.*//')
case $rv_offered in *'<option value="rvbob@example.com">rvbob</option>'*) pass ;; *) fail 'members who may review are offered' "$rv_offered" ;; esac
case $rv_offered in *rvada@* | *rveve@*) fail 'the author and who may not review are not' "$rv_offered" ;; *) pass ;; esac
for rv_n in 1 2 3 4 5 6; do user_new rvmore$rv_n "$ORG" review; done
pg GET $rv_at
same 'a few are offered at first' 4 "$(grep -o '<option value="rv[a-z0-9]*@' "$out" | wc -l)"
holds 'and a link to all' "href=\"$below$rv_at?reviewers=all#reviews\">Offer all who may review</a>"
pg GET "$rv_at?reviewers=all"
holds 'which has them' '<option value="rvbob@example.com">'
lacks 'and no further link' 'Offer all who may review'
t 'the API lists them for people who may edit' GET "/v1/spaces/$rv_s/reviewers" rvada '' 200 \
	'[.items[].user.email] | contains(["rvbob@example.com", "rvcyd@example.com"]) and (contains(["rvada@example.com"]) | not)'
t 'not for others' GET "/v1/spaces/$rv_s/reviewers" rveve '' 403 ''
user_new rvgus "$ORG" guest
send POST /v1/spaces/$rv_s/permissions admin "$(jq -nc --arg u $U_rvgus '{role: "edit", users: [$u]}')"
t 'a guest, who sees no members, gets an empty list' GET "/v1/spaces/$rv_s/reviewers" rvgus '' 200 '[.count, .items] == [0, []]'
pg POST $rv_at/reviewers 'email=rvnobody@example.com'
pg_is 'an unknown address is refused' 404
holds 'and stays in the field' 'value="rvnobody@example.com"'
pg POST $rv_at/reviewers "user=$rv_again"
pg_to 'a reviewer is asked again by a button' "$below$rv_at?done=asked#main"
t 'and is asked' GET "/v1/spaces/$rv_s/change-requests/$rv_r/requested-reviewers" rvada '' 200 '[.items[].user.email] == ["rvbob@example.com"]'
pg GET $rv_at
lacks 'then the button is gone' 'Ask again'
pg POST $rv_at/reviewers 'email=rvbob@example.com'
pg_to 'the answer is where the notice is' "$below$rv_at?done=asked#main"
pg_jar=$tmp/rvbob
pg GET $rv_at
holds 'until it comes, merging is not the first choice' \
	'<button type="submit" class="btn small">Merge</button></form><span class="step">review requested</span>'
holds 'and the former review is named as such' 'changes wanted</span><small>before another review was asked for</small>'
pg_jar=$tmp/rvada
pg GET $rv_at

# ---- its end ----
pg POST $rv_at/state 'status=archived'
pg_is 'a request is archived' 303
pg GET $rv_at
lacks 'an archived request cannot be merged' "$rv_r/merge"
holds 'but opened again' 'name="status" value="open"'
pg POST $rv_at/state 'status=open'
pg_is 'it is opened again' 303
pg_jar=$tmp/rvbob
pg GET $rv_at
pg POST $rv_at/review 'status=approved'
t 'the last verdict of each reviewer counts' GET "/v1/spaces/$rv_s/change-requests/$rv_r" rvada '' 200 '.review == "approved"'
pg GET $rv_at
holds 'the former review is replaced' 'changes wanted</span><small>replaced by a later review</small>'
lacks 'the last one is of what is there' 'approved</span><small>'
holds 'who approves may merge at once' '<button type="submit" class="btn primary small">Merge</button></form><a class="btn small" href="#reviews"'
pg POST $rv_at/merge
pg_to 'it is merged' "$below$rv_at?done=merged"
pg GET $rv_at
lacks 'its lines are not reviewed any more' 'data-viewed'
lacks 'nor commented one by one' 'Comment on a line'
holds 'a merged request shows its revision' '>Show the merged revision</a>'
rv_v=$(sed -n 's/.*href="[^"]*revisions\/\([^"]*\)">Show the merged.*/\1/p' "$out")
pg GET /app/spaces/$rv_s/revisions/$rv_v
holds 'which has the same changes' 'added</span>'

# ---- an undo that is not possible ----
space_write "$rv_s" "$(jq -nc --arg p $rv_kept '{changes: [{operation: "update_page", page: $p,
	document: {markdown: "Turquoise everything.\n"}}]}')" >/dev/null
get "/v1/spaces/$rv_s/change-requests" && rv_had=$(jq .count "$out")
pg_jar=$tmp/rvcyd
pg GET /app/spaces/$rv_s/revisions/$rv_v
pg POST /app/spaces/$rv_s/revisions/$rv_v/undo
pg_is 'an undo at the same place is refused' 409
holds 'on the page of the revision' '<h1>#2 Kinds</h1>'
holds 'with the title of the page' 'age &quot;Kept&quot; (kept) was changed at the same places since then'
lacks 'not with an id' "age $rv_kept"
t 'it leaves no request' GET "/v1/spaces/$rv_s/change-requests" admin '' 200 ".count == $rv_had"
pg_jar=$tmp/rvbob

# ---- tokens of members ----
rv_jar=$pg_jar pg_jar=$tmp/rvcyd
pg GET /app/orgs/$ORG/admin
rv_tokens=$(tr -d '\n' <"$out" | sed 's/.*id="sign-ins"//; s/<\/section>.*//')
case $rv_tokens in *'API tokens of members</h3><ul class="rows"><li>'*) pass ;;
*) fail 'admins see the tokens of members' "$(echo "$rv_tokens" | head -c 300)" ;; esac
pg_jar=$rv_jar
pg GET /app/orgs/$ORG/admin
lacks 'others do not' 'id="sign-ins"'

# A form that was refused is at its own address, where its links lead.
pg POST /app/spaces/$rv_s/requests/$rv_r/reply 'comment=none&text=x'
pg_is 'a reply to no comment is refused' 404
pg GET "/app/spaces/$rv_s/requests/$rv_r/reply?full=1"
pg_to 'a link of the page that follows finds the request' "$below/app/spaces/$rv_s/requests/$rv_r?full=1"

# ---- where the space is published ----
t 'a space that no site shows is nowhere' GET /v1/spaces/$rv_s/sites rvada '' 200 '[.count, .items] == [0, []]'
t 'a site shows it' POST /v1/orgs/$ORG/sites admin '{"title":"Kinds <of> sites","visibility":"public","spaces":["'$rv_s'"]}' 201 ''
rv_site=$(jq -r .id "$out") rv_public=$base/sites/$ORG_NAME/$(jq -r .basename "$out")/
t 'a site that is not published is none' GET /v1/spaces/$rv_s/sites rvada '' 200 '.count == 0'
t 'it is published' POST /v1/orgs/$ORG/sites/$rv_site/publish admin '' 200 ''
t 'then it is listed for who reads the space' GET /v1/spaces/$rv_s/sites rveve '' 200 \
	'[.count, .items] == [1, [{id: "'$rv_site'", title: "Kinds <of> sites", url: "'$rv_public'"}]]'
t 'not for others' GET /v1/spaces/$rv_s/sites stranger '' 404 ''
rv_hidden=$(space_empty 'For few') rv_link="href=\"$rv_public\">Published: Kinds &lt;of&gt; sites</a>"
send PATCH /v1/spaces/$rv_hidden admin '{"defaultLevel":null}'
t 'a closed site shows it, and a space that few read' POST /v1/orgs/$ORG/sites admin \
	'{"title":"Closed","visibility":"visitor-auth","spaces":["'$rv_s'","'$rv_hidden'"]}' 201 ''
rv_closed=$(jq -r .id "$out")
t 'it is published, too' POST /v1/orgs/$ORG/sites/$rv_closed/publish admin '' 200 ''
t 'who may not read it is not led to it' GET /v1/spaces/$rv_s/sites rvada '' 200 '[.items[].title] == ["Kinds <of> sites"]'
t 'who may is' GET /v1/spaces/$rv_s/sites rvcyd '' 200 '[.items[].title] | sort == ["Closed", "Kinds <of> sites"]'
t 'a site needs a key' PATCH /v1/orgs/$ORG/sites/$rv_site admin '{"visibility":"share-link"}' 200 ''
t 'its address without a key is not listed' GET /v1/spaces/$rv_s/sites rvcyd '' 200 '[.count, .items[].title] == [1, "Closed"]'
t 'it needs none' PATCH /v1/orgs/$ORG/sites/$rv_site admin '{"visibility":"public"}' 200 ''
pg_jar=$tmp/rvada
pg GET /app/spaces/$rv_s/pages/$rv_kept
holds 'a page leads to where its space is published' "$rv_link"
lacks 'not to a site that the person may not read' 'Closed'
pg GET $rv_at
holds 'so does a merged request' "$rv_link"
send POST /v1/spaces/$rv_s/change-requests rvada '{"subject":"Seen before"}'
rv_seen=$(jq -r .id "$out")
send POST "/v1/spaces/$rv_s/change-requests/$rv_seen/content" rvada "$(jq -nc --arg p $rv_moved '{changes: [{operation: "update_page", page: $p,
	document: {markdown: "Moved words.\n"}}]}')"
pg GET /app/spaces/$rv_s/requests/$rv_seen
holds 'a preview of the site begins with the first page that changes' "/preview?page=$rv_moved\""
holds 'the number at the tab is that of open requests' '>Change requests</a>'
send PATCH /v1/spaces/$rv_s/change-requests/$rv_seen rvada '{"status":"open"}'
pg GET /app/spaces/$rv_s/requests/$rv_seen
holds 'without drafts' '>Change requests<small> 1</small></a>'

# ---- who made a revision ----
t 'a revision names the author of its request' GET "/v1/spaces/$rv_s/revisions?revision=$rv_v" rvada '' 200 \
	'.items[0] | [.createdBy.email, .mergedFrom.createdBy.email] == ["rvbob@example.com", "rvada@example.com"]'
pg GET /app/spaces/$rv_s/history
holds 'history names both' '<bdi>rvada</bdi>'
holds 'the one who merged it as such' '<small>merged by rvbob</small>'
rv_option=$(tr -d '\n' <"$out" | grep -o '<option value="'$rv_v'"[^>]*>[^<]*<' | head -n 1)
case $rv_option in *'>#2 Kinds · '*) pass ;; *) fail 'a choice of revisions begins with their names' "$rv_option" ;; esac
pg GET /app/spaces/$rv_s/revisions/$rv_v
holds 'a revision leads to its request' "requests/$rv_r\">Change request #2 Kinds</a>"
holds 'and to the list' '/history">History</a>'
