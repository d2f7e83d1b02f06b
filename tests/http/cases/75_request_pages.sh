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

# ---- verdicts and an update ----
pg POST $rv_at/state 'status=open'
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

# ---- another review is asked for ----
pg POST $rv_at/reviewers 'email=rvbob@example.com'
pg_to 'the answer is where the notice is' "$below$rv_at?done=asked#main"
pg_jar=$tmp/rvbob
pg GET $rv_at
holds 'until it comes, merging is not the first choice' \
	'<button type="submit" class="btn small">Merge</button></form><span class="step">review asked for</span>'
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
