# Spaces and change requests below /app: two people from a proposal to the merge.
. tests/http/browse.sh
user_new spada "$ORG" edit
user_new spbob "$ORG" review
user_new spcyd "$ORG" read
sp_s=$(space_empty 'Written together')
space_write "$sp_s" '{"changes":[
	{"operation":"insert_page","title":"Start","document":{"markdown":"# Start\n\n## First steps\n\nOne red house.\n\n## Then\n\nMore.\n"}},
	{"operation":"insert_page","title":"<b>End</b>","document":{"markdown":"The [gone](gone.md) end.\n"}}]}' >/dev/null
get /v1/spaces/$sp_s/content/pages
sp_p=$(jq -r '.pages[0].id' "$out")
get /v1/spaces/$sp_s
sp_old=$(jq -r .revision "$out")
get /v1/orgs/$ORG
sp_org=$(jq -r '.title | @html' "$out")
pg_join spada spbob spcyd
pg_jar=$tmp/spada

# ---- reading ----
send POST /v1/orgs/$ORG/collections admin '{"title":"Kitchen & garden"}'
sp_c=$(jq -r .id "$out")
send POST /v1/spaces/$sp_s/move admin '{"parent":"'$sp_c'"}'
pg GET /app
holds 'the first page leads to the organization' "/app/orgs/$ORG"
holds 'and shows its spaces by collection' '<h3>Kitchen &amp; garden</h3>'
holds 'with a link to each' "/app/spaces/$sp_s\">Written together"
holds 'and what changed lately' 'id="lately"'
lacks 'but nothing of another organization' "/app/spaces/$SPACE_B\""
pg GET /app/orgs/$ORG
pg_is 'an organization is shown' 200
holds 'an organization shows its spaces' 'Written together'
pg GET /app/spaces/$sp_s
pg_is 'a space shows its first page' 200
holds 'the text of the page is shown' 'One red house.'
holds 'above it is the organization, by its name' "/app/orgs/$ORG\">$sp_org</a>"
holds 'the page has an outline' 'href="#first-steps"'
holds 'a title is text in the tree' '&lt;b&gt;End&lt;/b&gt;'
lacks 'a title is no markup' '<b>End</b>'
pg_jar=$tmp/spcyd
pg GET /app/spaces/$sp_s
lacks 'for who may only read a space has no script' '<script'
same 'pages of spaces show pictures of our own address' \
	"default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'" \
	"$(header content-security-policy)"
pg_jar=$tmp/spada
pg GET /app/spaces/$sp_s/links
holds 'broken links are listed as they are written' 'gone.md'
pg GET /app/spaces/$sp_s/files
pg_is 'a space without files says so' 200
pg GET "/app/spaces/$sp_s/search?q=house"
holds 'search finds the page' '>Start<'
holds 'with its path, since others may have its title' '>Start</a><small>start</small>'
holds 'a section is marked as one' '<p>§ <a href="pages/'
pg GET /app
holds 'the first page searches in all spaces of an organization' "action=\"$below/app/orgs/$ORG/search\""
pg GET "/app/orgs/$ORG/search?q=house"
pg_is 'the spaces of an organization are searched' 200
holds 'and what is found leads to its page' "href=\"$below/app/spaces/$sp_s/pages/$sp_p\">Start</a>"
pg GET "/app/orgs/$ORG/search?q=qqzzqq"
holds 'a search without results says so' 'Nothing found.'
pg GET "/app/orgs/$ORG_B/search?q=house"
pg_is 'an organization of others is not searched' 404
pg GET "/app/spaces/$sp_s/search?q=%3Cscript%3E"
lacks 'what was searched for is no markup' '<script'
pg GET /app/spaces/$sp_s/pages/nothing
pg_is 'a page that is not there answers 404' 404
pg GET /app/spaces/nothing
pg_is 'a space that is not there answers 404' 404
pg GET /app/spaces/$SPACE_B
pg_is 'a space of others answers 404' 404
pg GET /app/spaces/..%2Fuser/history
pg_is 'an id is one segment of the address' 404

# ---- proposing ----
pg GET /app/spaces/$sp_s/requests
holds 'who may edit can open a change request' 'method="post" action="requests"'
pg POST /app/spaces/$sp_s/requests 'subject=Paint%20%3Ci%3Eit'
pg_is 'a change request is opened' 303
sp_at=$(header location) sp_r=${sp_at##*/}
sp_at=${sp_at#"$below"}
pg GET "$sp_at"
holds 'a subject is text' 'Paint &lt;i&gt;it'
holds 'a request without changes says so' 'Nothing has changed.'
pg POST "$sp_at/about" 'subject=Paint+%3Ci%3Eit&description=It+was+%3Cb%3Ered.%0D%0A%0D%0A%0D%0AToo+red.'
pg_to 'subject and description are changed' "$below$sp_at?done=saved"
pg GET "$sp_at"
holds 'the description is text in paragraphs' '<p>It was &lt;b&gt;red.</p>'
holds 'all of them' '<p>Too red.</p>'
pg GET "$sp_at?about=1"
holds 'and what the form has' 'It was &lt;b&gt;red.

Too red.</textarea>'
pg POST "$sp_at/about" "about=&subject=$(printf '%0101d' 0)&description=Typed"
pg_is 'a subject that is too long is refused' 400
holds 'and what was typed is still there' 'Typed</textarea>'
pg POST "$sp_at/about" 'subject=Paint+%3Ci%3Eit&description='
pg_is 'a description is taken away' 303
t 'and then it is empty' GET "/v1/spaces/$sp_s/change-requests/$sp_r" admin '' 200 '.description.nodes // [] | length == 0'
t 'a description that is more than paragraphs' PATCH "/v1/spaces/$sp_s/change-requests/$sp_r" admin '{"description":{"object":"document","data":{},"nodes":[
	{"object":"block","type":"heading-1","data":{},"nodes":[{"object":"text","leaves":[{"object":"leaf","text":"Why","marks":[]}]}]}]}}' 200 ''
pg GET "$sp_at?about=1"
holds 'is shown' 'Why'
lacks 'but not offered as text' 'id="description"'
t 'the request is written to' POST "/v1/spaces/$sp_s/change-requests/$sp_r/content" admin \
	'{"changes":[{"operation":"update_page","page":"'$sp_p'","document":
	{"markdown":"# Start\n\n## First steps\n\nOne blue house.\n\n## Then\n\nMore.\n"}}]}' 200 ''
pg GET "$sp_at"
holds 'what changed is shown as source' '-One red house.'
pg GET "$sp_at/pages/$sp_p"
holds 'what changed is marked in the page' '<del>red</del><ins>blue</ins>'
pg GET "$sp_at/pages/$sp_p?plain=1"
lacks 'the page is also shown without marks' '<ins>'
pg POST "$sp_at/reviewers" 'email=nobody@example.com'
pg_is 'who is no member cannot be asked' 404
holds 'what is wrong is said' 'role="alert"'
pg POST "$sp_at/reviewers" 'email=spbob@example.com'
pg_to 'a review is asked for by address' "$below$sp_at?done=asked#main"
pg POST "$sp_at/state" 'status=open'
pg_is 'a draft becomes open' 303

# ---- reviewing ----
pg_jar=$tmp/spbob
pg GET /app
holds 'the first page shows what waits for a review' "$sp_r"
pg GET "$sp_at"
holds 'who may review can approve' 'value="approved"'
pg POST "$sp_at/comments" "page=$sp_p&text=Why+**blue**%3F+%3Cscript%3E"
pg_is 'a comment is posted' 303
pg GET "$sp_at/pages/$sp_p"
holds 'a comment is Markdown' '<strong>blue</strong>'
lacks 'a comment is no markup' '<script>'
sp_c=$(sed -n 's/.*id="comment-\([A-Za-z0-9]*\)".*/\1/p' "$out" | head -n 1)
pg POST "$sp_at/reply" "comment=$sp_c&text=Because."
pg_is 'a comment is replied to' 303
pg POST "$sp_at/reply" "resolve=$sp_c"
pg_is 'a comment is resolved' 303
pg GET "$sp_at"
holds 'a reply is shown' 'Because.'
holds 'a resolved comment says so' 'Open again'
pg POST "$sp_at/comments" 'text='
pg_is 'an empty comment is refused' 400
pg POST "$sp_at/review" 'status=approved&comment=Good.'
pg_to 'a request is approved' "$below$sp_at?done=reviewed#main"
pg_jar=$tmp/spcyd
pg GET "$sp_at"
lacks 'who may only read cannot archive' 'value="archived"'
lacks 'who may only read cannot merge' "$sp_at/merge"
lacks 'who may only read cannot comment' 'id="new-comment"'
lacks 'who may only read cannot review' 'value="approved"'
pg POST "$sp_at/state" 'status=archived'
pg_is 'what the API refuses is refused here' 403
holds 'and the reason is said' 'role="alert"'
pg_jar=$tmp/spbob
pg POST "$sp_at/merge" "csrf=x"
pg_is 'a form of another page is refused' 403
pg GET "$sp_at"
pg POST "$sp_at/merge" '' 'Origin: https://evil.example'
pg_is 'a form from another site is refused' 403
pg GET "$sp_at"
pg POST "$sp_at/merge"
pg_to 'a request is merged' "$below$sp_at?done=merged"
pg GET "$sp_at"
lacks 'a merged request cannot be merged again' "$sp_at/merge"

# ---- history ----
pg GET /app/spaces/$sp_s/history
holds 'the history names the change request' 'Paint &lt;i&gt;it'
pg GET "/app/spaces/$sp_s/history?pageId=$sp_p"
pg_is 'a page has a history' 200
pg GET /app/spaces/$sp_s/revisions/$sp_old/pages/$sp_p
holds 'an earlier state is shown' 'One red house.'
pg GET /app/spaces/$sp_s/revisions/$sp_old
pg_is 'a revision is shown' 200
pg_jar=$tmp/spada
pg GET /app/spaces/$sp_s/revisions/$sp_old/pages/$sp_p
holds 'who may edit can restore it' '/restore"'
sp_when=$(sed -n 's/.*>Restore the state of \([0-9][^<]*\) UTC by a change request<.*/\1/p' "$out")
case $sp_when in ????-??-??\ ??:??) pass ;; *) fail 'the button says which state it restores' "$sp_when" ;; esac
holds 'it names the author of the state' '</bdi> · <time'
pg POST /app/spaces/$sp_s/revisions/$sp_old/pages/$sp_p/restore
pg_is 'an earlier state comes back by a change request' 303
sp_back=$(header location)
pg GET "${sp_back#"$below"}"
holds 'the change request says that it was made' 'role="status">This change request has been made.'
holds 'the change request has the text of then' '+One red house.'

pg GET "$sp_at"
holds 'a merged request can be undone' '/undo"'
sp_undo=$(sed -n 's/.*action="[^"]*\(revisions\/[^"]*\/undo\)".*/\1/p' "$out")
pg POST "/app/spaces/$sp_s/$sp_undo" 'once=undo-of-paint'
pg_is 'by a change request of its own' 303
sp_back=$(header location)
sp_undoes=$(basename "${sp_back%'?done=undone'}")
sp_number=$(sql "SELECT number FROM change_request WHERE id = '$sp_undoes'")
pg POST "/app/spaces/$sp_s/$sp_undo" 'once=undo-of-paint'
pg_to 'the same form again leads to the same request' "${sp_back%undone}there"
t 'which is still a draft' GET "/v1/spaces/$sp_s/change-requests/$sp_undoes" admin '' 200 '.status == "draft"'
pg POST "/app/spaces/$sp_s/$sp_undo" 'once=second-undo-of-paint'
pg_to 'so does another form: one request undoes it' "${sp_back%undone}there"
pg GET "/app/spaces/$sp_s/requests/$sp_undoes?done=there"
holds 'which says so' 'role="status">No further change request was opened: this one undoes the revision already.'
sp_revision=${sp_undo#revisions/} sp_revision=${sp_revision%/undo}
t 'the API lists it, too' GET "/v1/spaces/$sp_s/change-requests?undoes=$sp_revision" spada '' 200 \
	"[.count, (.items | map(.id))] == [1, [\"$sp_undoes\"]]"
t 'other revisions have no such request' GET "/v1/spaces/$sp_s/change-requests?undoes=$sp_old" spada '' 200 '[.count, .items] == [0, []]'
t 'filters of both kinds are refused together' GET "/v1/spaces/$sp_s/change-requests?undoes=$sp_revision&changesPage=$sp_p" spada '' 400 ''
t 'they have an order of their own' GET "/v1/spaces/$sp_s/change-requests?undoes=$sp_revision&orderBy=updatedAt" spada '' 400 ''
t 'both of them' GET "/v1/spaces/$sp_s/change-requests?changesPage=$sp_p&orderBy=updatedAt" spada '' 400 ''
t 'which can be named' GET "/v1/spaces/$sp_s/change-requests?undoes=$sp_revision&orderBy=createdAt" spada '' 200 '.count == 1'
pg GET "$sp_at"
holds 'the request that is undone leads to it' "requests/$sp_undoes\">#$sp_number Undo #2 Paint &lt;i&gt;it"
pg GET "/app/spaces/$sp_s/revisions/$sp_revision"
holds 'so does its revision' "requests/$sp_undoes\">#$sp_number Undo"
holds 'and to the request that was merged' '>Change request #2 Paint &lt;i&gt;it'
pg GET "${sp_back#"$below"}"
holds 'which it says' 'role="status">This change request has been made.'
holds 'which leaves files as they are' 'Files and reusable contents stay as they are.'
holds 'whose subject says so' "<h1>#$sp_number Undo #2 Paint &lt;i&gt;it"
holds 'with the opposite difference' '+One red house.'

# The undo is taken back in its request: another one can be made. Archived ones do not hide it.
t 'the page becomes what it is' POST "/v1/spaces/$sp_s/change-requests/$sp_undoes/content" spada \
	'{"changes":[{"operation":"revert_page","page":"'$sp_p'","revision":"'$sp_revision'"}]}' 200 ''
pg GET "$sp_at"
pg POST "/app/spaces/$sp_s/$sp_undo" 'once=undo-after-undo'
sp_again=$(basename "$(header location)")
case $sp_again in "$sp_undoes"*) fail 'a request that undoes nothing any more is not led to' "$sp_again" ;; *'?done=undone') pass ;;
*) fail 'a request that undoes nothing any more is not led to' "$sp_again" ;; esac
sp_again=${sp_again%'?done=undone'}
for i in $(seq 20); do
	send POST "/v1/spaces/$sp_s/change-requests" spada '{"subject":"Gone"}'
	sp_gone=$(jq -r .id "$out")
	send POST "/v1/spaces/$sp_s/change-requests/$sp_gone/undo" spada '{"revision":"'$sp_revision'"}'
	send PATCH "/v1/spaces/$sp_s/change-requests/$sp_gone" spada '{"status":"archived"}'
done
t 'many requests are archived' GET "/v1/spaces/$sp_s/change-requests?undoes=$sp_revision&status=archived" spada '' 200 '.count == 20'
pg GET "$sp_at"
holds 'they hide no draft' "requests/$sp_again\">"
pg POST "/app/spaces/$sp_s/$sp_undo" 'once=undo-after-archived'
pg_to 'which the undo leads to' "$below/app/spaces/$sp_s/requests/$sp_again?done=there"
pg_jar=$tmp/spcyd
pg GET "$sp_at"
lacks 'who may not write cannot undo' '/undo"'
pg_jar=$tmp/spada

# ---- two states of the whole space ----
get "/v1/spaces/$sp_s/content"
sp_new=$(jq -r .id "$out")
pg GET /app/spaces/$sp_s/history
holds 'two states of a space can be compared' "<option value=\"$sp_old\""
pg GET "/app/spaces/$sp_s/history?from=$sp_old&to=$sp_new"
pg_to 'they are compared at the newer one' "$below/app/spaces/$sp_s/revisions/$sp_new?since=$sp_old"
pg GET "/app/spaces/$sp_s/revisions/$sp_new?since=$sp_old"
holds 'the comparison shows what differs' '-One red house.'
holds 'pages lead to their comparison' "href=\"$sp_new/pages/$sp_p?since=$sp_old\""
holds 'both states are named' "href=\"$below/app/spaces/$sp_s/revisions/$sp_old\""
pg GET "/app/spaces/$sp_s/revisions/$sp_old"
pg GET "/app/spaces/$sp_s/revisions/$sp_new/pages/$sp_p?since=$sp_old"
sp_facts=$(tr -d '\n' <"$out" | sed 's/.*<dl class="facts">//; s/<\/dl>.*//')
case $sp_facts in *'<dt>From</dt>'*"revisions/$sp_old\""*'</bdi> · <time'*'<dt>To</dt>'*"revisions/$sp_new\""*'</bdi> · <time'*) pass ;;
*) fail 'a compared page names both states, with author and time' "$sp_facts" ;; esac
case $sp_facts in *"$sp_old/pages/$sp_p/restore\""*) pass ;; *) fail 'the older one can be restored' "$sp_facts" ;; esac
case $sp_facts in *"$sp_new/pages/$sp_p/restore\""*) fail 'the page of today is not restored' "$sp_facts" ;; *) pass ;; esac
pg GET "/app/spaces/$sp_s/revisions/$sp_new/pages/$sp_p"
lacks 'what is as it is today is not restored' '/restore"'
get "/v1/spaces/$sp_s/change-requests" && sp_had=$(jq .count "$out")
pg POST "/app/spaces/$sp_s/revisions/$sp_new/pages/$sp_p/restore"
pg_is 'a form that does it is refused' 409
holds 'with the reason' 'The page is in this state already'
t 'and leaves no request' GET "/v1/spaces/$sp_s/change-requests" admin '' 200 ".count == $sp_had"
pg GET "/app/spaces/$sp_s/revisions/$sp_old"
holds 'a revision leads to the choice of another one' "/app/spaces/$sp_s/history?from=$sp_old\""
pg GET "/app/spaces/$sp_s/history?from=$sp_old"
holds 'where it is chosen already' "<option value=\"$sp_old\" selected"
pg GET "/app/spaces/$sp_s/revisions/$sp_new?since=nothing"
pg_is 'a state that is not there cannot be compared with' 404

# ---- pictures that changed ----
mkdir -p "$tmp/sp_repo/.gitbook/assets"
printf '# Drawn\n\n![](.gitbook/assets/dot.png)\n' >"$tmp/sp_repo/README.md"
printf '\211PNG\r\n\032\n one' >"$tmp/sp_repo/.gitbook/assets/dot.png"
git_in "$tmp/sp_repo" init -q -b main; git_in "$tmp/sp_repo" add -A; git_in "$tmp/sp_repo" commit -q -m first
sp_d=$(octavo_json .result.space import --org "$ORG" --title Drawn --url "$tmp/sp_repo")
printf '\211PNG\r\n\032\n two' >"$tmp/sp_repo/.gitbook/assets/dot.png"
git_in "$tmp/sp_repo" commit -qam second
sp_to=$(import --space "$sp_d" --url "$tmp/sp_repo")
t 'a file that was edited has its address of before' GET "/v1/spaces/$sp_d/revisions/$sp_to/changes" admin '' 200 '.changes | length == 1 and
	(.[0] | .type == "file_edited" and .fileBefore.name == "dot.png" and .fileBefore.downloadURL != .file.downloadURL)'
sp_then=$(jq -r '.changes[0].fileBefore.downloadURL' "$out") sp_now=$(jq -r '.changes[0].file.downloadURL' "$out")
[ $TRANSPORT = cgi ] || {
	read_at "${sp_then#"$base"}"
	same 'which has the bytes of before' "$(printf '\211PNG\r\n\032\n one' | cksum)" "$(cksum <"$out")"
}
pg GET "/app/spaces/$sp_d/revisions/$sp_to"
holds 'the picture of before is shown' "<figcaption>before</figcaption><img src=\"$sp_then\""
holds 'beside the picture of now' "<figcaption>after</figcaption><img src=\"$sp_now\""

# ---- files ----
get /v1/spaces/$sp_d/content/files
sp_file=$(jq -r '.items[0].id' "$out")
pg GET "/app/spaces/$sp_d/files"
holds 'files are listed' '>dot.png</a>'
holds 'with a link to where they are used' "<a href=\"files/$sp_file\">dot.png</a>"
pg GET "/app/spaces/$sp_d/files/$sp_file"
pg_is 'the pages that use a file are shown' 200
holds 'each with its title' '>Drawn</a>'
pg GET "/app/spaces/$sp_d/files/nothing"
pg_is 'a file that is not there answers 404' 404

# ---- nobody ----
: >"$tmp/spnobody"
pg_jar=$tmp/spnobody
pg GET "$sp_at?x=1"
pg_to 'a page of a space takes a session' "$below/app/sign-in?to=%2Fapp%2Fspaces%2F$sp_s%2Frequests%2F$sp_r%3Fx%3D1"

# ---- comments at blocks ----
sb_s=$(space_empty 'Talked about')
space_write "$sb_s" '{"changes":[{"operation":"insert_page","title":"Talk",
	"document":{"markdown":"One.\n\nTwo here.\n\n| A | B |\n| --- | --- |\n| x | y |\n"}}]}' >/dev/null
get /v1/spaces/$sb_s/content/pages
sb_p=$(jq -r '.pages[0].id' "$out")
pg_jar=$tmp/spada
pg GET /app/spaces/$sb_s/pages/$sb_p
lacks 'a page has no link at each block' 'class="say"'
holds 'but one to those, where no script adds them' 'href="?comment="'
pg GET "/app/spaces/$sb_s/pages/$sb_p?comment="
holds 'each block of a page leads to a comment on it' 'class="say" href="?comment='
get "/v1/spaces/$sb_s/content/page/$sb_p/html?blocks=true"
sb_two=$(jq -r '.blocks[1].key' "$out") sb_table=$(jq -r '.blocks[2].key' "$out") sb_cell=$(jq -r '.blocks[2] | "\(.records[0])/\(.columns[1].id)"' "$out")
pg GET "/app/spaces/$sb_s/pages/$sb_p?comment=$sb_two"
holds 'the form is at the block' 'name="node" value="'$sb_two'"'
pg GET "/app/spaces/$sb_s/pages/$sb_p?comment=$sb_table"
holds 'a table offers its cells' "value=\"$sb_cell\""
pg POST /app/spaces/$sb_s/comments "page=$sb_p&node=$sb_two&text=On+two+%3Cb%3E"
pg_is 'a block of a space is commented on' 303
sb_c=${location-}; sb_c=$(header location); sb_c=${sb_c#*#comment-}
pg POST /app/spaces/$sb_s/comments "page=$sb_p&node=$sb_table&cell=$sb_cell&text=On+a+cell"
pg_is 'a cell is commented on' 303
pg POST /app/spaces/$sb_s/comments "page=$sb_p&text=On+the+page"
pg_is 'a page is commented on' 303
pg POST /app/spaces/$sb_s/comments "page=$sb_p&node=nothing&text=Lost"
pg_is 'a block that is not there is not commented on' 404
t 'a comment of a cell has its cell' GET "/v1/spaces/$sb_s/comments" admin '' 200 '[.items[].target.tableCell // empty] | length == 1'
sb_at() { tr -d '\n' <"$out" | sed "s/.*id=\"b-$1\"//; s/class=\"b\".*//"; }
pg GET /app/spaces/$sb_s/pages/$sb_p
case $(sb_at $sb_two) in *'On two'*) pass ;; *) fail 'a comment is shown at its block' "$(sb_at $sb_two | head -c 300)" ;; esac
holds 'comments lead from one to the next' 'Next comment'
holds 'and back' 'Previous comment'
lacks 'the text of a comment is no markup' 'On two <b>'
pg POST /app/spaces/$sb_s/reply "page=$sb_p&react=%2B1f44d+$sb_c"
pg_to 'a comment is reacted to' "$below/app/spaces/$sb_s/pages/$sb_p#comment-$sb_c"
pg GET /app/spaces/$sb_s/pages/$sb_p
holds 'a reaction is shown with its number' '👍 1</button>'
pg POST /app/spaces/$sb_s/reply "page=$sb_p&react=-1f44d+$sb_c"
pg GET /app/spaces/$sb_s/pages/$sb_p
lacks 'and taken back' 'aria-pressed="true"'
pg POST /app/spaces/$sb_s/reply "page=$sb_p&comment=$sb_c&text=An+answer"
pg_is 'a comment of a space is replied to' 303
space_write "$sb_s" "$(jq -nc --arg p $sb_p '{changes: [{operation: "update_page", page: $p,
	document: {markdown: "New first.\n\nOne.\n\nTwo here, edited.\n\n| A | B |\n| --- | --- |\n| x | y |\n"}}]}')" >/dev/null
get "/v1/spaces/$sb_s/content/page/$sb_p/html?blocks=true"
sb_two=$(jq -r '.blocks[2].key' "$out")
pg GET /app/spaces/$sb_s/pages/$sb_p
case $(sb_at $sb_two) in *'On two'*) pass ;; *) fail 'a comment stays at its block while it is edited' "$(sb_at $sb_two | head -c 300)" ;; esac
sb_said=$(printf 'For [x](/users/%s "mention"), see [there](/pages/%s)' "$U_spada" "$sb_p" | jq -sRr @uri)
pg POST /app/spaces/$sb_s/comments "page=$sb_p&node=$sb_two&text=$sb_said"
pg GET /app/spaces/$sb_s/pages/$sb_p
case $(sb_at $sb_two) in
*"For <span class=\"mention\">spada</span>, see <a href=\"$below/app/spaces/$sb_s/pages/$sb_p\">there</a>"*) pass ;;
*) fail 'a comment has the names of people, and links to pages' "$(sb_at $sb_two | tail -c 3000)" ;;
esac
pg POST /app/spaces/$sb_s/reply "page=$sb_p&resolve=$sb_c"
pg_is 'a comment of a space is resolved' 303
pg_jar=$tmp/spcyd
pg GET "/app/spaces/$sb_s/pages/$sb_p?comment=$sb_two"
lacks 'who may only read is offered no comment' 'class="say"'
lacks 'nor a form' 'name="node"'
pg POST /app/spaces/$sb_s/comments "page=$sb_p&node=$sb_two&text=No"
pg_is 'and cannot send one' 403

# ---- a change request of many pages ----
pg_jar=$tmp/spada
sm_s=$(space_empty 'Many')
send POST /v1/spaces/$sm_s/change-requests admin '{"subject":"Many"}'
sm_r=$(jq -r .id "$out") sm_at=/app/spaces/$sm_s/requests/$sm_r
sm_page='{operation: "insert_page", title: ("Page <\(.)>"), document: {markdown: (if . == 2 then "Long line.\n\n" * 300 else "Short \(.).\n" end)}}'
send POST /v1/spaces/$sm_s/change-requests/$sm_r/content admin "$(jq -nc "{changes: [range(1; 5) | $sm_page]}")"
pg GET $sm_at
holds 'the changes of a request are listed first, with links' '<a href="#change-3">Page &lt;3&gt;</a><small> +3 −0</small>'
holds 'which lead to them' 'class="change" id="change-3"'
holds 'a short difference is on the page' '+Short 3.'
lacks 'a long one is not' '+Long line.'
holds 'but a link opens it' 'href="?full=2#change-2"'
pg GET "$sm_at?full=2"
holds 'the difference that was opened is shown' '+Long line.'
holds 'with the others' '+Short 3.'
pg GET "$sm_at?full=x"
pg_is 'a number that is none opens nothing' 200
lacks 'and no difference' '+Long line.'


# ---- more changes than a page shows ----
send POST /v1/spaces/$sm_s/change-requests admin '{"subject":"Still more"}'
sn_r=$(jq -r .id "$out") sn_at=/app/spaces/$sm_s/requests/$sn_r
for sn_n in 100 140 180; do
	t 'pages are written' POST /v1/spaces/$sm_s/change-requests/$sn_r/content admin "$(jq -nc --argjson n $sn_n '{changes: [range($n; $n + 40) |
		{operation: "insert_page", title: "Page \(.)", document: {markdown: (if . == 160 then "Long line.\n\n" * 300 else "Short \(.).\n" end)}}]}')" 200 ''
done
pg GET $sn_at
holds 'the first part says which changes it has' '1–50 / 120'
holds 'and how many come after them' '70 more changes are not shown.'
holds 'with a link to them' '<a class="btn" href="?after=50">Next</a>'
lacks 'there are none before' '>Previous</a>'
pg GET "$sn_at?after=50"
holds 'the next part goes on' 'id="change-51"'
lacks 'after the first' 'id="change-50"'
holds 'a long difference of it is opened there' "href=\"?after=50&amp;full=61#change-61\""
holds 'a comment on a line, too' 'href="?after=50&amp;lines='
pg GET "$sn_at?after=50&full=61"
holds 'it is shown whole' '+Long line.'
pg GET "$sn_at?after=100"
holds 'the last part has the last one' '>Page 219<'
holds 'and leads back' '<a class="btn" href="?after=50">Previous</a>'
lacks 'but not further' '>Next</a>'
pg GET "$sn_at?after=1000"
holds 'behind the last one' '>Previous</a>'
pg POST $sn_at/state 'status=open'
send POST /v1/spaces/$sm_s/change-requests/$sn_r/merge admin ''
get "/v1/spaces/$sm_s/revisions?limit=1"
sn_v=$(jq -r '.items[0].id' "$out")
pg GET "/app/spaces/$sm_s/revisions/$sn_v"
holds 'a revision has parts, too' 'href="?after=50">Next</a>'
pg GET "/app/spaces/$sm_s/revisions/$sn_v?after=50"
holds 'its whole differences are at its own address' 'href="?after=50&amp;full=61#change-61"'
pg GET "/app/spaces/$sm_s/revisions/$sn_v?after=50&full=61"
holds 'where they are shown' '+Long line.'

# ---- comments between the lines of a difference ----
sd_s=$(space_empty 'Between lines')
space_write "$sd_s" '{"changes":[{"operation":"insert_page","title":"Text","document":{"markdown":"One.\n\nTwo.\n\n- a\n- b\n"}}]}' >/dev/null
get /v1/spaces/$sd_s/content/pages
sd_p=$(jq -r '.pages[0].id' "$out")
send POST /v1/spaces/$sd_s/change-requests admin '{"subject":"Between"}'
sd_r=$(jq -r .id "$out") sd_api=/v1/spaces/$sd_s/change-requests/$sd_r sd_at=/app/spaces/$sd_s/requests/$sd_r
send POST $sd_api/content admin "$(jq -nc --arg p $sd_p '{changes: [{operation: "update_page", page: $p,
	document: {markdown: "One.\n\nTwo here,\nand there.\n\n- a\n- b"}}]}')"
get "$sd_api/content/page/$sd_p/html?blocks=true"
sd_two=$(jq -r '.blocks[1].key' "$out") sd_item=$(jq -r '.blocks[2].inside[-1]' "$out")
t 'changes without comments have no places of them' GET "$sd_api/changes?diff=true" admin '' 200 '.changes[0] | has("diff") and (has("commented") | not)'
for sd_node in $sd_two $sd_item; do
	send POST $sd_api/comments admin '{"page":"'$sd_p'","node":"'$sd_node'","body":{"markdown":"On '$sd_node'."}}'
done
t 'changes say in which lines the comments are' GET "$sd_api/changes?diff=true" admin '' 200 '
	[.changes[0].commented | sort_by(.first)[] | [.node, .first, .last]] == [["'$sd_two'", 5, 6], ["'$sd_item'", 8, 9]]'
t 'but only beside the difference' GET "$sd_api/changes" admin '' 200 '.changes[0] | has("commented") | not'
pg_jar=$tmp/spbob
pg GET $sd_at
tr -d '\n' <"$out" | grep -o '<details class="diff".*</details></li>' >"$tmp/sd_diff"
case $(cat "$tmp/sd_diff") in *'+and there.</span></pre><ul class="comments">'*"On $sd_two."*'</ul><pre '*"On $sd_item."*) pass ;;
*) fail 'a comment is shown after the last line of its block' "$(head -c 300 "$tmp/sd_diff")" ;; esac
lacks 'no lines are empty' 'tabindex="0"></pre>'
same 'and only there' 1 "$(grep -o "On $sd_two" "$out" | wc -l)"
same 'the buttons of all comments have one form' 1 "$(grep -o "action=\"$sd_r/reply\"" "$out" | wc -l)"
sd_c=$(sed -n 's/.*id="comment-\([A-Za-z0-9]*\)".*/\1/p' "$tmp/sd_diff" | head -n 1)
holds 'a comment leads to the form of a reply' "href=\"?reply=$sd_c\""
pg GET "$sd_at?reply=$sd_c"
tr -d '\n' <"$out" | grep -o '<details class="diff".*</details></li>' >"$tmp/sd_diff"
yes 'it can be replied to there' grep -q "name=\"comment\" value=\"$sd_c\"" "$tmp/sd_diff"
holds 'and reacted' "form=\"talk\" name=\"react\" value=\"+1f44d $sd_c\""
lacks 'how a file ends is of no interest' 'No newline'
holds 'a page with comments has keys' '/app/review.'
holds 'which can be read' "href=\"$sd_r?keys=1\""
lacks 'but are not on the page' '<dialog'
pg GET "$sd_at?keys=1"
holds 'each is explained' '<dt><kbd>n</kbd></dt><dd>Next comment</dd>'
pg_jar=$tmp/spada

# ---- a comment on a line of a difference ----
sx_s=$(space_empty 'On a line')
space_write "$sx_s" '{"changes":[{"operation":"insert_page","title":"Lines","document":{"markdown":"One.\n"}}]}' >/dev/null
get /v1/spaces/$sx_s/content/pages
sx_p=$(jq -r '.pages[0].id' "$out")
send POST /v1/spaces/$sx_s/change-requests admin '{"subject":"On a line"}'
sx_r=$(jq -r .id "$out") sx_api=/v1/spaces/$sx_s/change-requests/$sx_r sx_at=/app/spaces/$sx_s/requests/$sx_r
send POST $sx_api/content admin "$(jq -nc --arg p $sx_p '{changes: [{operation: "update_page", page: $p,
	document: {markdown: "One.\n\nTwo here,\nand there.\n\n```js\nlet a = 1;\n\n  let b = 2;\n```\n\n> Said."}}]}')"
get "$sx_api/content/page/$sx_p/html?blocks=true"
sx_two=$(jq -r '.blocks[1].key' "$out") sx_code=$(jq -r '.blocks[2].key' "$out")
sx_b=$(jq -r '.blocks[2].lines[2].key' "$out")
t 'changes say what a comment on a line is on' GET "$sx_api/changes?diff=true&lines=$sx_p" admin '' 200 '.changes[0].lines as $l |
	([$l[] | [.first, .last]] == [[3, 3], [5, 6], [9, 9], [11, 11], [14, 14]]) and $l[1].node == "'$sx_two'" and $l[3].node == "'$sx_b'" and
	all($l[]; .node != "'$sx_code'")'
t 'for the page that is asked for' GET "$sx_api/changes?diff=true&lines=$sd_p" admin '' 200 '.changes[0] | has("lines") | not'
pg_jar=$tmp/spbob
pg GET $sx_at
holds 'a difference leads to comments on its lines' "href=\"?lines=$sx_p#change-1\""
lacks 'whose links are not on the page before' 'class="say"'
lacks 'nothing is to be closed there' '>Close</a>'
pg GET "$sx_at?lines=$sx_p"
holds 'each line of the new text leads to a comment on it' "href=\"?lines=$sx_p&amp;comment=$sx_b\""
holds 'and they can be closed again' 'href="?#change-1">Close</a>'
same 'each but those without text, and those around code' 6 "$(grep -o 'class="say"' "$out" | wc -l)"
pg GET "$sx_at?lines=$sx_p&comment=$sx_b"
tr -d '\n' <"$out" >"$tmp/sx_page"
yes 'the form is after its line' grep -q '+  let b = 2;</span></pre><form' "$tmp/sx_page"
holds 'and names it' '<p class="hint">line 11</p>'
pg POST $sx_at/comments "on=$sx_p&node=$sx_b&text=Why+b"
pg_is 'a line of the difference is commented on' 303
sx_c=$(header location)
case $sx_c in "$below$sx_at#comment-"*) pass ;; *) fail 'which leads back to the request' "$sx_c" ;; esac
t 'the comment is on the line of code' GET "$sx_api/comments" admin '' 200 '.items[0].target | .page.id == "'$sx_p'" and .node.id == "'$sx_b'"'
pg GET $sx_at
tr -d '\n' <"$out" >"$tmp/sx_page"
yes 'it is shown after its line' grep -q '+  let b = 2;</span></pre><ul class="comments"' "$tmp/sx_page"
pg GET "$sx_at?lines=$sx_p&comment=$sx_two"
tr -d '\n' <"$out" >"$tmp/sx_page"
yes 'that of a paragraph is after its last line' grep -q '+and there.</span></pre><form' "$tmp/sx_page"
holds 'and names all of its lines' '5–6'
pg_jar=$tmp/spcyd
pg GET "$sx_at?lines=$sx_p&comment=$sx_two"
lacks 'who may only read comments on no line' 'name="node"'
lacks 'nor is led there' '?lines='
pg_jar=$tmp/spada

# ---- the tree beside a page ----
t 'a brief tree has what a table of contents shows' GET "/v1/spaces/$sm_s/change-requests/$sm_r/content/pages?brief=true" admin '' 200 '
	[.pages[] | keys] | unique == [["id", "kind", "pages", "title", "type"]]'
t 'with all kinds of pages in it' GET "/v1/spaces/$SPACE/content/pages?brief=true" admin '' 200 '
	[.. | objects | select(has("kind")).type] | unique == ["entry"]'
sm_ids() {
	get "/v1/spaces/$SPACE/content/pages?$1"
	jq -c '[.. | objects | select(has("type") and has("pages")) | [.id, if .type == "entry" then .kind else .type end, .title]]' "$out"
}
same 'and the same pages as the whole one' "$(sm_ids brief=false)" "$(sm_ids brief=true)"
t 'it is folded like the whole one' GET "/v1/spaces/$SPACE/content/pages?brief=true&open=none" admin '' 200 '[.. | objects | .folded? // empty] | length > 0'

# ---- a large tree ----
mkdir "$tmp/st_repo"
st_n=0
{
	echo '* [First](README.md)'
	for st_g in Alpha Beta '<i>Gamma'; do
		printf '\n## %s\n\n' "$st_g"
		for st_i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do
			st_n=$((st_n + 1))
			printf '# Leaf %s\n\nWords.\n' $st_n >"$tmp/st_repo/p$st_n.md"
			echo "* [Leaf $st_n](p$st_n.md)"
		done
	done
} >"$tmp/st_repo/SUMMARY.md"
printf '# First\n' >"$tmp/st_repo/README.md"
git_in "$tmp/st_repo" init -q -b main; git_in "$tmp/st_repo" add -A; git_in "$tmp/st_repo" commit -q -m first
st_s=$(octavo_json .result.space import --org "$ORG" --title 'Large tree' --url "$tmp/st_repo")
get "/v1/spaces/$st_s/content/pages"
st_alpha=$(jq -r '.pages[1].id' "$out") st_beta=$(jq -r '.pages[2].id' "$out") st_leaf=$(jq -r '.pages[1].pages[0].id' "$out")
pg_jar=$tmp/spcyd
pg GET /app/spaces/$st_s
lacks 'a large tree has no pages of groups that nobody opened' '>Leaf 1<'
holds 'the name of a group opens it' "href=\"?show=$st_alpha\">Alpha</a>"
lacks 'which is no markup' '<i>Gamma'
pg GET "/app/spaces/$st_s/pages/$st_leaf?show=$st_beta"
holds 'a group that was opened has its pages' '>Leaf 15<'
holds 'like that of the page' '>Leaf 2<'
lacks 'the others stay folded' '>Leaf 29<'
pg GET "/app/spaces/$st_s?x=%3Cb&done=saved"
holds 'an open group stays open on other pages' '>Leaf 15<'
lacks 'the group of a page that was left does not' '>Leaf 2<'
holds 'its name folds it, and the rest of the address stays' "href=\"?hide=$st_beta&amp;x=%3Cb\">Beta</a>"
pg GET "/app/spaces/$st_s?hide=$st_beta"
lacks 'it is folded' '>Leaf 15<'
pg GET "/app/spaces/$st_s"
lacks 'and stays folded' '>Leaf 15<'
pg_jar=$tmp/spada

# ---- comments on lines of code ----
pg_jar=$tmp/spada
sl_s=$(space_empty 'Lines')
sl_text() { jq -nc --arg p "$1" --arg m "$2" '{changes: [{operation: "update_page", page: $p, document: {markdown: $m}}]}'; }
space_write "$sl_s" '{"changes":[{"operation":"insert_page","title":"Code",
	"document":{"markdown":"```js\nlet a = 1;\nlet b = 2;\nlet b = 2;\n```\n"}}]}' >/dev/null
get /v1/spaces/$sl_s/content/pages
sl_p=$(jq -r '.pages[0].id' "$out")
send POST /v1/spaces/$sl_s/change-requests admin '{"subject":"Lines"}'
sl_r=$(jq -r .id "$out") sl_api=/v1/spaces/$sl_s/change-requests/$sl_r sl_at=/app/spaces/$sl_s/requests/$sl_r
send POST $sl_api/content admin "$(sl_text $sl_p '```js
let a = 1;
let b = 3;
let c = 4;
```
')"
t 'lines of a compared page have keys, but not those that were removed' GET "$sl_api/content/page/$sl_p/html?blocks=true&since=base" admin '' 200 '
	[.blocks[0].lines[] | [.number, .text]] == [[1, "let a = 1;"], [2, "let b = 3;"], [3, "let c = 4;"]] and
	([.blocks[0].lines[].key] - .blocks[0].inside == []) and
	(.blocks[0] as $b |
	all($b.lines[]; .key as $k | $b.html | contains("id=\"line-\($k)\"")))'
sl_key=$(jq -r '.blocks[0].key' "$out") sl_two=$(jq -r '.blocks[0].lines[1].key' "$out")
pg GET "$sl_at/pages/$sl_p?comment=$sl_key"
holds 'code offers its lines' "<option value=\"$sl_two\">2 · let b = 3;"
pg POST $sl_at/comments "page=$sl_p&node=$sl_key&line=$sl_two&text=Why+three"
pg_is 'a line is commented on' 303
t 'the comment has its line' GET "$sl_api/comments" admin '' 200 '.items[0].target.node.id == "'$sl_two'" and (.items[0].target | has("lost") | not)'
pg GET $sl_at/pages/$sl_p
holds 'the comment names its line' "href=\"#line-$sl_two\">line 2</a> <code>let b = 3;</code>"
send POST $sl_api/content admin "$(sl_text $sl_p '```js
let first = 0;
let a = 1;
let b = 33;
let c = 4;
```
')"
pg GET $sl_at/pages/$sl_p
holds 'it stays on the line while the code is edited' '>line 3</a> <code>let b = 33;</code>'
send POST $sl_api/content admin "$(sl_text $sl_p '```js
let a = 1;
let c = 4;
```
')"
get "$sl_api/content/page/$sl_p/html?blocks=true"
sl_key=$(jq -r '.blocks[0].key' "$out")
t 'the comment of a deleted line is on its code' GET "$sl_api/comments" admin '' 200 '.items[0].target | .node.id == "'$sl_key'" and .lost'
pg GET $sl_at/pages/$sl_p
holds 'and says that its line was deleted' '<span class="tag gone">on a deleted part</span>'
send POST $sl_api/content admin "$(sl_text $sl_p 'Words.')"
t 'that of deleted code is on the page' GET "$sl_api/comments" admin '' 200 '.items[0].target | (has("node") | not) and .lost'
t 'a removed block has no key' GET "$sl_api/content/page/$sl_p/html?blocks=true&since=base" admin '' 200 '[.blocks[] | has("key")] | sort == [false, true]'

# ---- unread comments ----
pg_jar=$tmp/spada
send POST /v1/spaces/$sb_s/change-requests admin '{"subject":"Unread"}'
su_r=$(jq -r .id "$out") su_at=/app/spaces/$sb_s/requests/$su_r su_api=/v1/spaces/$sb_s/change-requests/$su_r
send POST $su_api/comments admin '{"body":{"markdown":"News."},"page":"'$sb_p'"}'
su_c=$(jq -r .id "$out")
pg_jar=$tmp/spbob
pg GET $su_at
holds 'a comment of somebody else is marked as unread' '<span class="tag unread">unread</span>'
holds 'and led to' "href=\"#comment-$su_c\">Unread comments: 1</a>"
su_until=$(sed -n 's/.*name="until" value="\([^"]*\)".*/\1/p' "$out")
pg GET $su_at/pages/$sb_p
holds 'on its page, too' '<span class="tag unread">unread</span>'
lacks 'where the rest of the request cannot be marked' 'name="until"'
send POST $su_api/comments/$su_c/replies admin '{"body":{"markdown":"More news."}}'
pg POST $su_at/read "until=$su_until"
pg_to 'comments are marked as read' "$below$su_at#comments"
pg GET $su_at
holds 'what came after the page was shown stays unread' '<span class="tag unread">unread</span>'
pg POST $su_at/read "until=$(sed -n 's/.*name="until" value="\([^"]*\)".*/\1/p' "$out")"
pg GET $su_at
lacks 'what was read is marked no more' 'tag unread'
send POST $su_api/comments admin '{"body":{"markdown":"Answer me."}}'
su_c=$(jq -r .id "$out")
pg POST $su_at/reply "comment=$su_c&text=I+do"
pg GET $su_at
lacks 'nor what was answered' 'tag unread'
pg POST $su_at/read 'until=soon'
pg_is 'a time that is none is refused' 400
pg_jar=$tmp/spada

# ---- rules ----
sr_s=$(space_empty 'By the rules')
t 'rules are set' PATCH /v1/spaces/$sr_s admin '{"mergeRules":{"type":"rules","rules":[{"rule":"require_at_least_one_approved_review"},
	{"rule":"require_specific_reviewers","users":["'$U_spbob'"]},{"rule":"require_change_request_subject"},{"rule":"custom","expression":"1 > 2"}]}}' 200 ''
send POST /v1/spaces/$sr_s/change-requests admin '{"subject":"Ruled"}'
sr_r=$(jq -r .id "$out") sr_at=/app/spaces/$sr_s/requests/$sr_r
t 'the rules say what they still want' GET /v1/spaces/$sr_s/change-requests/$sr_r/merge-rules admin '' 200 '.bypass == false and
	[.rules[] | [.rule, .met]] == [["require_at_least_one_approved_review", false], ["require_specific_reviewers", false],
	["require_change_request_subject", true], ["custom", false]]
	and [.rules[1].waitingFor[].id] == ["'$U_spbob'"] and (.rules[0].message | test("nobody has approved"))'
t 'rules of a stranger are not there' GET /v1/spaces/$sr_s/change-requests/$sr_r/merge-rules stranger '' 404 ''
pg_jar=$tmp/spbob
pg GET $sr_at
holds 'what is missing is shown before the merge' 'Somebody has approved it'
holds 'with who has not approved' '<bdi>spbob'
holds 'a rule of its own is quoted' 'custom is not met'
pg POST $sr_at/merge
pg_is 'a merge against the rules is refused' 412
holds 'with the reason' 'nobody has approved it'
pg POST $sr_at/review 'status=approved'
pg GET $sr_at
lacks 'a rule that is met waits for nobody' '<small><bdi>spbob'
t 'no rules are no obstacle' PATCH /v1/spaces/$sr_s admin '{"mergeRules":{"type":"none"}}' 200 ''
t 'and leave everything open' GET /v1/spaces/$sr_s/change-requests/$sr_r/merge-rules admin '' 200 '.bypass and .rules == []'

# ---- conflicts ----
pg_jar=$tmp/spada
sc_s=$(space_empty 'Both at once')
space_write "$sc_s" '{"changes":[{"operation":"insert_page","title":"Shared","document":{"markdown":"First.\n\nKept.\n\nLast.\n"}},
	{"operation":"insert_page","title":"Other","document":{"markdown":"Other.\n"}}]}' >/dev/null
sc_long=$(seq 9 | sed 's/^/More /')
get /v1/spaces/$sc_s/content/pages
sc_p=$(jq -r '.pages[0].id' "$out") sc_q=$(jq -r '.pages[1].id' "$out")
sc_body() { jq -nc --arg p "$sc_p" --arg q "$sc_q" --arg w "$1" --arg long "$sc_long" '{changes: [{operation: "update_page", page: $p,
	document: {markdown: "\($w) first <b>.\n\nKept.\n\n\($w) last.\n"}},
	{operation: "update_page", page: $q, document: {markdown: "\($w) other.\n\($long)\n"}}]}'; }
sc_open() {
	send POST /v1/spaces/$sc_s/change-requests admin '{"subject":"'$1'"}'; sc_r=$(jq -r .id "$out")
	send POST /v1/spaces/$sc_s/change-requests/$sc_r/content admin "$(sc_body $1)"
}
sc_open Mine; sc_mine=$sc_r; sc_at=/app/spaces/$sc_s/requests/$sc_mine
sc_open Theirs; send POST /v1/spaces/$sc_s/change-requests/$sc_r/merge admin ''
pg GET $sc_at
holds 'a conflict is announced before a merge' '<span>Both sides changed the same places</span>'
holds 'with a link to it' "$sc_at/conflicts\">Resolve conflicts</a>"
case $(tr -d '\n' <"$out") in *'<small><bdi>Shared</bdi>, <bdi>Other</bdi></small>'* | *'<small><bdi>Other</bdi>, <bdi>Shared</bdi></small>'*) pass ;;
*) fail 'and the pages that have it' "$(grep -o '<section.*id="rules".*' "$out" | head -c 400)" ;; esac
pg GET $sc_at/conflicts
holds 'conflicts say that the request must be updated first' 'action="update"'
lacks 'and cannot be resolved before' 'type="radio"'
pg POST $sc_at/update
pg_to 'an update with conflicts leads to them' "$below$sc_at/conflicts"
pg GET $sc_at/conflicts
holds 'the three texts of a conflict are shown' 'Mine first &lt;b&gt;.'
same 'each field has four lines, or place for all of a longer text' 'rows="11"
rows="4"
rows="4"' "$(grep -o 'name="text-[0-9]" rows="[0-9]*"' "$out" | cut -d' ' -f2 | sort)"
holds 'each conflict can be taken from either side' 'name="take-2" value="theirs"'
sc_form() {
	printf 'revision=%s&page-0=%s&kind-0=text&page-1=%s&kind-1=text&page-2=%s&kind-2=text' \
		"$(sed -n 's/.*name="revision" value="\([^"]*\)".*/\1/p' "$out")" $sc_p $sc_p $sc_q
}
pg POST $sc_at/conflicts "$(sc_form)&take-0=ours"
pg_is 'a page with an undecided place is not sent' 400
pg POST $sc_at/conflicts "$(sc_form)&take-0=text&text-0=Half+typed&take-2=theirs"
pg_is 'a page is resolved while another waits' 200
holds 'what was typed for the page that waits is kept' 'Half typed'
lacks 'the page that was decided is listed no more' 'Theirs other'
pg GET $sc_at/conflicts
sc_stale=$(sc_form)
pg POST $sc_at/conflicts "$(printf %s "$sc_stale" | sed 's/revision=[^&]*/revision=old/')&take-0=text&text-0=Typed+in+vain&take-1=ours"
pg_is 'choices for an older state are refused' 409
holds 'and what was typed comes back' 'Typed in vain'
awk -v csrf="$pg_csrf" 'BEGIN { printf "csrf=%s&revision=old", csrf
	for (i = 0; i < 1000; i++) printf "&page-%d=p%d&kind-%d=text&take-%d=text&text-%d=Place+%d.", i, i, i, i, i, i }' >"$tmp/sc_many_csrf="
sc_began=$(date +%s)
pg POST $sc_at/conflicts "@$tmp/sc_many_csrf="
pg_is 'a thousand choices for an older state are refused' 409
holds 'and the last of their texts comes back' 'Place 999.'
yes 'a thousand choices are read in a moment' test $(($(date +%s) - sc_began)) -lt 8
sc_jar=$pg_jar pg_jar=$tmp/spgone
cp "$sc_jar" "$pg_jar"; sed -i 's/^octavo_session=.*/octavo_session=ended/' "$pg_jar"
pg POST $sc_at/conflicts "$sc_stale&take-0=text&text-0=Before+the+end&take-1=ours"
pg_is 'after the end of a session nothing is written' 403
holds 'and what was typed is shown to be sent again' 'Before the end'
pg POST $sc_at/conflicts "$sc_stale&take-0=text&text-0=Before+the+end&take-1=ours"
pg_is 'without a session it must be signed in first' 401
holds 'and what was typed is still there' 'Before the end'
sc_again=$(sed -n 's/.*name="resend" value="\([^"]*\)".*/\1/p' "$out" | head -n 1)
pg_jar=$tmp/sc_in
{ grep ^octavo_session= "$sc_jar"; grep ^octavo_form= "$tmp/spgone"; } >"$pg_jar"
pg POST $sc_at/conflicts "csrf=old&$sc_stale&resend=$sc_again"
pg_is 'after the sign-in one press sends it again' 400
pg POST $sc_at/conflicts "csrf=old&$sc_stale&resend=${sc_again}x"
pg_is 'a form with another mark is refused' 403
pg POST $sc_at/conflicts "csrf=old&$sc_stale&resend=$sc_again" 'Origin: https://evil.example'
pg_is 'and one of another origin' 403
grep ^octavo_session= "$sc_jar" >"$pg_jar"
pg POST $sc_at/conflicts "csrf=old&$sc_stale&resend=$sc_again"
pg_is 'and one of another browser' 403
pg_jar=$sc_jar
pg POST $sc_at/conflicts "csrf=old&$sc_stale&take-0=text&text-0=Before+the+end&take-1=ours"
pg_is 'the form of an ended session is shown again' 403
holds 'with the protection of the new one' 'Before the end'
pg POST $sc_at/conflicts "$(printf %s "$sc_stale" | sed 's/&page-2.*//')&take-0=text&text-0=One%0D%0Aline.&take-1=both"
pg_to 'the last conflicts are resolved' "$below$sc_at?done=resolved"
pg GET "$sc_at?done=resolved"
holds 'which is said' 'The conflicts are resolved.'
lacks 'and not that the request can be merged' 'can be merged'
lacks 'the request has no conflict any more' 'Both sides changed'
t 'the page has what was chosen, with plain line breaks' GET "/v1/spaces/$sc_s/change-requests/$sc_mine/content/page/$sc_p?format=markdown" admin '' 200 \
	'.markdown == "# Shared\n\nOne\nline.\n\nKept.\n\nTheirs last.\n\nMine last.\n"'
pg GET $sc_at/conflicts
pg_is 'no conflicts are left' 200
pg_jar=$tmp/spbob
pg GET $sc_at
pg POST $sc_at/merge
pg_to 'the resolved request is merged' "$below$sc_at?done=merged"
sc_open Again; sc_at=/app/spaces/$sc_s/requests/$sc_r
sc_mine=$sc_r; sc_open Faster; send POST /v1/spaces/$sc_s/change-requests/$sc_r/merge admin ''
pg_jar=$tmp/spcyd
pg GET $sc_at/conflicts
holds 'who may only read sees the conflicts' 'Again other.'
lacks 'and cannot resolve them' 'type="radio"'
pg_jar=$tmp/spbob
pg GET $sc_at
pg POST $sc_at/merge
pg_to 'a merge with conflicts leads to them, after an update' "$below$sc_at/conflicts"
pg GET $sc_at/conflicts
# Either page may be the first of the list.
sc_a=0 sc_b=1 sc_c=2
case $(cat "$out") in *'name="page-0" value="'"$sc_q"'"'*) sc_a=1 sc_b=2 sc_c=0 ;; esac
sc_own() {
	printf 'revision=%s&page-%s=%s&kind-%s=text&page-%s=%s&kind-%s=text&page-%s=%s&kind-%s=text' \
		"$(sed -n 's/.*name="revision" value="\([^"]*\)".*/\1/p' "$out")" $sc_a $sc_p $sc_a $sc_b $sc_p $sc_b $sc_c $sc_q $sc_c
}
sc_held() { sed -n 's/.*name="held-'$1'" value="\([^"]*\)".*/\1/p' "$out"; }
sc_typed="take-$sc_a=ours&text-$sc_a=Typed%0D%0Abeside.&take-$sc_b=ours&text-$sc_b=Again+last.%0D%0A&held-$sc_b=$(sc_held $sc_b)"
sc_typed="$sc_typed&take-$sc_c=ours&text-$sc_c=Again+other.%0D%0A&held-$sc_c=$(sc_held $sc_c)"
sc_was=$(sc_held $sc_a)
pg POST $sc_at/conflicts "$(sc_own)&$sc_typed&held-$sc_a=$sc_was"
pg_is 'a text that was typed beside another choice is not dropped' 400
holds 'the form has it' 'Typed
beside.'
lacks 'and asks again' 'name="take-'$sc_a'" value="ours" checked'
holds 'about that place alone' 'name="take-'$sc_b'" value="ours" checked'
same 'who then chooses the same is believed' 1 "$(sc_held $sc_a | grep -vcF "$sc_was")"
pg POST $sc_at/conflicts "$(sc_own)&text-$sc_a=Typed+beside.&held-$sc_a=$sc_was&all=theirs"
pg_is 'nor is it by the choice for all' 400
holds 'which keeps it, too' 'Typed beside.'
sc_asked=$(sc_held $sc_a)
pg POST $sc_at/conflicts "$(sc_own | sed 's/revision=[^&]*/revision=old/')&text-$sc_a=Typed+without+a+choice.&held-$sc_a=$sc_was&take-$sc_b=ours"
pg_is 'a text that was typed without a choice is sent' 409
holds 'it counts as chosen' 'name="take-'$sc_a'" value="text" checked'
holds 'and is still there' 'Typed without a choice.'
pg POST $sc_at/conflicts "$(sc_own)&text-$sc_a=Typed+beside.&held-$sc_a=$sc_asked&all=theirs"
pg_to 'all are resolved at once' "$below$sc_at?done=resolved"
