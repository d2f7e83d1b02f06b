# Writing pages below /app, as a browser without scripts does it: by two people, who save at the same time.
. tests/http/browse.sh
user_new edada "$ORG" edit
user_new edbob "$ORG" edit
user_new edcyd "$ORG" read
ed_s=$(space_empty 'Edited')
space_write "$ed_s" '{"changes":[
	{"operation":"insert_page","title":"Start","document":{"markdown":"# Start\n\nOne red house, see [the end](end.md).\n\n* a\n* b\n"}},
	{"operation":"insert_page","title":"End","slug":"end","document":{"markdown":"The end.\n"}}]}' >/dev/null
get /v1/spaces/$ed_s/content/pages
ed_p=$(jq -r '.pages[0].id' "$out") ed_end=$(jq -r '.pages[1].id' "$out")
pg_join edada edbob edcyd

# The hash of what the form was made from; the text of its first field, as it is after browsers' reading.
ed_base() { sed -n 's/.*name="base" value="\([^"]*\)".*/\1/p' "$out"; }
ed_field() { tr '\n' '\001' <"$out" | sed -n "s/.*<textarea id=\"$1\"[^>]*>.\([^<]*\)<.*/\1/p" | tr '\001' '\n'; }
ed_typed() { printf '%s' "$1" | jq -sRr @uri; }

# ---- the first text makes a change request ----
pg_jar=$tmp/edcyd
pg GET /app/spaces/$ed_s/pages/$ed_p/edit
pg_is 'a reader has no form to edit' 403
pg_jar=$tmp/edada
pg GET /app/spaces/$ed_s/pages/$ed_p
holds 'a page leads to its form' "/app/spaces/$ed_s/pages/$ed_p/edit"
pg GET /app/spaces/$ed_s/pages/$ed_p/edit
pg_is 'a page is opened for editing' 200
same 'the form has the Markdown of the page' '# Start

One red house, see [the end](end.md).

* a
* b' "$(ed_field text)"
ed_at=$(ed_base)
ed_new='# Start

One <blue> house & more, see [the end](end.md).

* a
* b
'
pg POST /app/spaces/$ed_s/pages/$ed_p/edit "step=preview&base=$ed_at&text=$(ed_typed "$ed_new")"
pg_is 'a preview is shown' 200
holds 'the preview has the text' 'One &lt;blue&gt; house &amp; more'
same 'the form keeps what was typed' "$(printf '%s' "$ed_new" | sed 's/&/\&amp;/; s/</\&lt;/; s/>/\&gt;/')" "$(ed_field text)"
t 'a preview makes no change request' GET "/v1/spaces/$ed_s/change-requests?creator=$U_edada" admin '' 200 '.count == 0'
pg POST /app/spaces/$ed_s/pages/$ed_p/edit "step=save&base=$ed_at&subject=Paint%20it&text=$(ed_typed "$ed_new" | sed 's/%0A/%0D%0A/g')"
pg_is 'the text is saved' 303
ed_to=$(header location)
case $ed_to in *"/app/spaces/$ed_s/requests/"*"/pages/$ed_p?done=saved") pass ;; *) fail 'saving leads to the page of the change request' "$ed_to" ;; esac
pg GET "${ed_to#"$below"}"
holds 'the page says in which request the text is, and that readers do not see it' 'Saved in the change request “Paint it”. Readers see it once'
ed_r=$(echo "$ed_to" | sed 's,.*/requests/\([^/]*\)/.*,\1,')
t 'the change request has the name that was typed' GET /v1/spaces/$ed_s/change-requests/$ed_r admin '' 200 '.subject == "Paint it" and .status == "draft"'
t 'the text has the newlines of the file' GET "/v1/spaces/$ed_s/change-requests/$ed_r/content/page/$ed_p?format=markdown" admin '' 200 \
	'.markdown == "# Start\n\nOne <blue> house & more, see [the end](end.md).\n\n* a\n* b\n"'
pg GET "${ed_to#"$below"}"
holds 'the page shows what changed' '<ins>'
holds 'the page says that the text is saved' 'class="notice good"'
holds 'the page deletes the text that the browser has kept' '<script src='
pg GET /app/spaces/$ed_s/pages/$ed_p/edit
holds 'who edits again is led to the change request' "/app/spaces/$ed_s/requests/$ed_r/pages/$ed_p/edit"

# ---- two people in one page ----
pg GET /app/spaces/$ed_s/requests/$ed_r/pages/$ed_p/edit
ed_at=$(ed_base)
pg_jar=$tmp/edbob
pg GET /app/spaces/$ed_s/requests/$ed_r/pages/$ed_end/edit
ed_other=$(ed_base)
pg POST /app/spaces/$ed_s/requests/$ed_r/pages/$ed_end/edit "step=save&base=$ed_other&text=$(ed_typed '# End

Another end.
')"
pg_is 'another page of the request is saved' 303
pg_jar=$tmp/edada
pg GET /app
pg POST /app/spaces/$ed_s/requests/$ed_r/pages/$ed_p/edit "step=save&base=$ed_at&about=All&text=$(ed_typed '# Start

Mine.
')"
pg_is 'a change of another page is no hindrance' 303
t 'description and text are saved' GET "/v1/spaces/$ed_s/change-requests/$ed_r/content/page/$ed_p?format=markdown" admin '' 200 \
	'.markdown == "# Start\n\nMine.\n" and .description == "All"'
pg GET /app/spaces/$ed_s/requests/$ed_r/pages/$ed_p/edit
ed_at=$(ed_base)
pg_jar=$tmp/edbob
pg GET /app/spaces/$ed_s/requests/$ed_r/pages/$ed_p/edit
pg POST /app/spaces/$ed_s/requests/$ed_r/pages/$ed_p/edit "step=save&base=$(ed_base)&about=All&text=$(ed_typed '# Start

Theirs.
')"
pg_is 'the second person saves first' 303
pg_jar=$tmp/edada
pg GET /app
pg POST /app/spaces/$ed_s/requests/$ed_r/pages/$ed_p/edit "step=save&base=$ed_at&about=All&text=$(ed_typed '# Start

Mine again.
')"
pg_is 'a text that was written meanwhile is not overwritten' 409
same 'the other text is shown' '# Start

Theirs.' "$(ed_field theirs)"
same 'the own text is still in the form' '# Start

Mine again.' "$(ed_field text)"
ed_at=$(ed_base)
t 'nothing was written' GET "/v1/spaces/$ed_s/change-requests/$ed_r/content/page/$ed_p?format=markdown" admin '' 200 '.markdown | contains("Theirs")'
pg POST /app/spaces/$ed_s/requests/$ed_r/pages/$ed_p/edit "step=save&base=$ed_at&about=All&text=$(ed_typed '# Start

Both.
')"
pg_is 'who has seen the other text may save' 303
pg POST /app/spaces/$ed_s/requests/$ed_r/pages/$ed_p/edit "step=save&base=$ed_at&about=All&text=$(ed_typed '# Start

Both.
')"
pg_is 'a text that was sent twice is no conflict with itself' 303

# ---- saves while somebody types, as the script of the form sends them ----
ed_keep() { # ed_keep TEXT [FIELDS]: $ed_at, $ed_amend: what the answer has for the next save
	pg POST /app/spaces/$ed_s/requests/$ed_r/pages/$ed_p/edit "step=keep&base=$ed_at&about=All&text=$(ed_typed "$1")${2-}"
	ed_at=$(sed -n 's/.*data-base="\([^"]*\)".*/\1/p' "$out") ed_amend=$(sed -n 's/.*data-amend="\([^"]*\)".*/\1/p' "$out")
}
pg GET /app/spaces/$ed_s/requests/$ed_r/pages/$ed_p/edit
ed_at=$(ed_base)
ed_keep '# Start

Typed.
'
pg_is 'a text is saved while somebody types' 200
holds 'the answer names the address of the draft' "data-at=\"$below/app/spaces/$ed_s/requests/$ed_r/pages/$ed_p/edit\""
holds 'and says where the text is' 'Readers see it once that is merged.'
holds 'and that leaving undoes nothing' 'Closing this page does not undo'
lacks 'a request of before is not discarded by the form' 'id="discard"'
ed_kept=$ed_amend
ed_keep '# Start

Typed on.
' "&amend=$ed_amend"
pg_is 'the next save goes on from it' 200
t 'the revision of the first save is replaced' GET /v1/spaces/$ed_s/revisions/$ed_kept admin '' 404 ''
ed_was=$ed_at
ed_keep '# Start

Typed by another tab.
'
ed_at=$ed_was
ed_keep '# Start

Typed in this one.
'
pg_is 'a save over another text is refused' 409
same 'and answered with that text' '# Start

Typed by another tab.' "$(ed_field theirs)"
ed_at=$ed_was
ed_keep '# Start

Typed on after a lost answer.
' "&tried=$(ed_typed '# Start

Typed by another tab.
')"
pg_is 'a text of our own whose answer was lost is no other text' 200
t 'the last text is saved' GET "/v1/spaces/$ed_s/change-requests/$ed_r/content/page/$ed_p?format=markdown" admin '' 200 \
	'.markdown == "# Start\n\nTyped on after a lost answer.\n"'
pg GET /app/spaces/$ed_s/requests/$ed_r/pages/$ed_p/edit
pg POST /app/spaces/$ed_s/requests/$ed_r/pages/$ed_p/edit "step=save&base=$(ed_base)&about=All&text=$(ed_typed '# Start

Both.
')"
pg_is 'a press of save ends the sitting' 303

# ---- a conflict on the way to a merge ----
user_new edmay "$ORG" admin
pg_join edmay
pg_jar=$tmp/edmay
ed_into=$(space_empty 'Merged at once')
space_write "$ed_into" '{"changes":[{"operation":"insert_page","title":"Line","document":{"markdown":"A line.\n"}}]}' >/dev/null
get /v1/spaces/$ed_into/content/pages
ed_line=$(jq -r '.pages[0].id' "$out")
ed_from() { sed -n 's/.*name="from" value="\([^"]*\)".*/\1/p' "$out"; }
pg GET /app/spaces/$ed_into/pages/$ed_line/edit
ed_then="base=$(ed_base)&from=$(ed_from)"
space_write "$ed_into" '{"changes":[{"operation":"update_page","page":"'$ed_line'","document":{"markdown":"# Line\n\nTheir line.\n"}}]}' >/dev/null
ed_mine="step=merge&subject=Mine&$ed_then&text=$(ed_typed '# Line

My line.
')"
pg POST /app/spaces/$ed_into/pages/$ed_line/edit "$(printf %s "$ed_mine" | sed 's/step=merge/step=preview/')"
holds 'a form that is shown again says what its text was made from' 'name="since" value="# Line

A line.'
pg POST /app/spaces/$ed_into/pages/$ed_line/edit "$ed_mine"
pg_is 'the same line of two people is no merge' 409
same 'the button of the places merges, as the one that was pressed' 2 "$(grep -o 'name="step" value="merge"' "$out" | wc -l | tr -d ' ')"
ed_take=$(sed -n 's/.*name="\(take-[^"]*\)" value="mine".*/\1/p' "$out")
ed_look=$(printf %s "$ed_mine" | sed 's/step=merge/step=preview/')"&decide=merge&sinceAbout=&since=$(ed_typed '# Line

A line.
')"
pg POST /app/spaces/$ed_into/pages/$ed_line/edit "$ed_look"
pg_is 'a preview beside places is shown' 200
holds 'and the places are still there' "name=\"$ed_take\" value=\"theirs\">"
holds 'without choices, the preview has the text of the form' '<p>My line.</p>'
pg POST /app/spaces/$ed_into/pages/$ed_line/edit "$ed_look&$ed_take=theirs"
holds 'a preview keeps the choices that are made' "name=\"$ed_take\" value=\"theirs\" checked"
holds 'shows what they make of the text' '<p>Their line.</p>'
holds 'and leaves the text in the form as it was' 'My line.
</textarea>'
same 'the button of the places still merges' 2 "$(grep -o 'name="step" value="merge"' "$out" | wc -l | tr -d ' ')"
pg POST /app/spaces/$ed_into/pages/$ed_line/edit "$ed_mine&$ed_take=mine"
pg_to 'what was decided is merged' "$below/app/spaces/$ed_into/pages/$ed_line?done=saved"
t 'and the page has it' GET "/v1/spaces/$ed_into/content/page/$ed_line?format=markdown" admin '' 200 '.markdown == "# Line\n\nMy line.\n"'
pg_jar=$tmp/edada

# ---- files in a text ----
# ed_send ADDRESS STEP NAME BYTES-FILE: sends the form with a file, as browsers do. The file's name has csrf=, for pg.
ed_part() { printf -- '--ed\r\nContent-Disposition: form-data; name="%s"\r\n\r\n%s\r\n' "$1" "$2"; }
ed_send() {
	{
		ed_part csrf "$pg_csrf"; ed_part step "$2"; ed_part base "$ed_at"; ed_part about All; ed_part subject Pictures
		ed_part text '# Start

Both.'
		printf -- '--ed\r\nContent-Disposition: form-data; name="file"; filename="%s"\r\nContent-Type: image/png\r\n\r\n' "$3"
		cat "$4"
		printf -- '\r\n--ed--\r\n'
	} >"$tmp/ed_file_csrf="
	pg_type='multipart/form-data; boundary=ed'
	pg POST "$1" "@$tmp/ed_file_csrf="
	unset pg_type
}
printf '\211PNG\r\n\032\n\0\r\n--no\r\n' >"$tmp/ed_picture"
ed_form=/app/spaces/$ed_s/requests/$ed_r/pages/$ed_p/edit
pg GET $ed_form
holds 'the form says how large files may be' 'At most 5 MB each'
ed_at=$(ed_base)
ed_send $ed_form file 'A [red] %22house%22.png' "$tmp/ed_picture"
pg_is 'a picture is added without a script' 200
get "/v1/spaces/$ed_s/change-requests/$ed_r/content/files"
ed_file=$(jq -r '.items[] | select(.name == "A [red] \"house\".png") | .id' "$out") ed_url=$(jq -r '.items[0].downloadURL' "$out")
if [ "$TRANSPORT" = http ]; then
	curl -s "$ed_url" >"$tmp/ed_again"
	yes 'the picture has its bytes' cmp -s "$tmp/ed_picture" "$tmp/ed_again"
fi
pg GET $ed_form
ed_send $ed_form attach two.png "$tmp/ed_picture"
pg_is 'a picture is added with the script' 200
holds 'the answer has its Markdown' 'data-added="![two](/files/'
ed_send $ed_form attach notes.pdf "$tmp/ed_picture"
holds 'a file that is no picture is a block' 'data-added="{% file src=&quot;/files/'
pg GET $ed_form
ed_send $ed_form file '' /dev/null
pg_is 'a form without a file is refused' 400
same 'its text is still there' '# Start

Both.' "$(ed_field text)"
head -c 5242881 /dev/zero >"$tmp/ed_large"
ed_send $ed_form file large.png "$tmp/ed_large"
pg_is 'a file of more than 5 MB is refused' 400
holds 'the refusal names the file' 'large.png is larger than 5 MB'
pg GET $ed_form
ed_send $ed_form attach 'a/b.png' "$tmp/ed_picture"
pg_is 'an impossible name is refused' 400
pg GET $ed_form
pg_type='multipart/form-data; boundary=ed'
ed_part text Cut >"$tmp/ed_cut_csrf="
pg POST $ed_form "@$tmp/ed_cut_csrf="
pg_is 'a form that is cut off is refused' 400
pg_type='multipart/form-data'
pg POST $ed_form "@$tmp/ed_file_csrf="
pg_is 'a form without a boundary is refused' 400
unset pg_type
pg GET /app/spaces/$ed_s/pages/$ed_p/edit
ed_at=$(ed_base)
get "/v1/spaces/$ed_s/change-requests?creator=$U_edada"
ed_had=$(jq .count "$out")
ed_send /app/spaces/$ed_s/pages/$ed_p/edit attach 'a/b.png' "$tmp/ed_picture"
pg_is 'a refused file of a page of the space' 400
t 'leaves no open draft' GET "/v1/spaces/$ed_s/change-requests?creator=$U_edada&status=draft" admin '' 200 '.count == '"$ed_had"
pg GET /app/spaces/$ed_s/pages/$ed_p/edit
ed_send /app/spaces/$ed_s/pages/$ed_p/edit file one.png "$tmp/ed_picture"
pg_is 'a file of a page of the space' 200
holds 'the form goes on in the draft' "action=\"$below/app/spaces/$ed_s/requests/"
lacks 'which cannot be cancelled any more' '>Cancel</a>'
holds 'but closed' '?done=saved">Close</a>'
holds 'or discarded' 'form="discard">Discard: archive the change request</button>'
t 'makes a draft' GET "/v1/spaces/$ed_s/change-requests?creator=$U_edada&status=draft" admin '' 200 '.count == '"$ed_had"' + 1'

# ---- new pages, and pages that go ----
pg GET "/app/spaces/$ed_s/requests/$ed_r/new?into=$ed_p"
pg_is 'a new page has a form' 200
pg POST /app/spaces/$ed_s/requests/$ed_r/new "step=save&into=$ed_p&title=Inner&text=Words."
pg_is 'a page is added' 303
ed_inner=$(header location) ed_inner=${ed_inner%/edit} ed_inner=${ed_inner##*/}
t 'the new page is below the other' GET "/v1/spaces/$ed_s/change-requests/$ed_r/content/page/$ed_inner" admin '' 200 \
	'.title == "Inner" and .path == "start/inner"'
pg GET "/app/spaces/$ed_s/requests/$ed_r/pages/$ed_p"
holds 'a page can be the beginning of a new one' "/app/spaces/$ed_s/requests/$ed_r/new?like=$ed_p"
get "/v1/spaces/$ed_s/change-requests/$ed_r/content/pages"
ed_inner=$(jq -r '.pages[].pages[] | select(.title == "Inner").id' "$out" | head -n 1)
pg GET "/app/spaces/$ed_s/requests/$ed_r/new?like=$ed_inner"
holds 'its text is there' 'name="text" value="Words.'

holds 'the new page is beside it' "name=\"into\" value=\"$ed_p\""
pg GET "/app/spaces/$ed_s/requests/$ed_r/new?like=$ed_p"
lacks 'its heading is not' 'name="text" value="# '
pg GET "/app/spaces/$ed_s/requests/$ed_r/new?like=nope"
pg_is 'no page begins like a page that is not there' 404
pg GET /app/spaces/$ed_s/requests/$ed_r/new
pg POST /app/spaces/$ed_s/requests/$ed_r/new "step=save&into=&title=&text=Lost+words."
pg_is 'a page without a title is refused' 400
holds 'a refused text is still in the form' 'name="text" value="Lost words."'
pg GET /app/spaces/$ed_s/requests/$ed_r/pages/$ed_inner/delete
pg_is 'before a page is deleted, the form lists what links to it' 200
pg POST /app/spaces/$ed_s/requests/$ed_r/pages/$ed_inner/delete ''
pg_is 'a page is deleted' 303
t 'the deleted page is gone' GET "/v1/spaces/$ed_s/change-requests/$ed_r/content/page/$ed_inner" admin '' 404 ''

# ---- places ----
ed_place=/app/spaces/$ed_s/requests/$ed_r/pages/$ed_end/place
pg GET $ed_place
pg_is 'a page has a form for its place' 200
lacks 'a page is not offered as its own parent' "<option value=\"$ed_end\""
pg POST $ed_place "step=move&at=0"
pg_is 'a page is moved up' 303
t 'the page is the first' GET /v1/spaces/$ed_s/change-requests/$ed_r/content/pages admin '' 200 '[.pages[].id][0] == "'$ed_end'"'
pg GET $ed_place
pg POST $ed_place "from=&into=$ed_p&was-slug=end&slug=finish&was-hidden=&hidden=1&was-title=&title=&was-description=&description=Last"
pg_is 'a page is moved below another' 303
t 'what the form did not change stays' GET "/v1/spaces/$ed_s/change-requests/$ed_r/content/page/$ed_end" admin '' 200 '.title != "" and .description == "Last"'
t 'the page has its place, slug and state' GET "/v1/spaces/$ed_s/change-requests/$ed_r/content/page/$ed_end" admin '' 200 \
	'.path == "start/finish" and .hidden'
pg GET $ed_place
pg POST $ed_place "from=$ed_p&into=$ed_p&was-slug=finish&slug=no%2Fslug&was-condition=&condition=visitor.("
pg_is 'an impossible slug is refused' 400
holds 'the form says what is wrong' 'class="fault"'
holds 'what was refused is in the form again' 'value="no/slug"'
pg POST $ed_place "from=$ed_p&into=&was-slug=finish&slug=end&was-hidden=1&hidden="
pg_is 'a page is moved to the top' 303

# ---- where a file is used ----
space_write "$ed_s" '{"changes":[{"operation":"insert_files","files":[{"name":"dot.png","contentType":"image/png","base64":"iVBORw0KGgo="}]}]}' >/dev/null
get /v1/spaces/$ed_s/content/files
ed_file=$(jq -r '.items[0].id' "$out")
space_write "$ed_s" '{"changes":[{"operation":"insert_page","title":"With a picture","document":{"markdown":"![a](/files/'$ed_file')\n"}}]}' >/dev/null
pg GET /app/spaces/$ed_s/files
holds 'a file leads to what uses it' "<a href=\"files/$ed_file\">dot.png</a>"
pg GET $ed_place
holds 'the properties lead to all choices' '/place?all=1">List all pages and pictures here</a>'
holds 'the covers have their labels' '>Picture in the dark look</label>'
lacks 'pictures are offered on demand' '.png</option>'
lacks 'and pages far from the page' '>With a picture</option>'
pg GET "/app/spaces/$ed_s/pages/$ed_p/place?all=1"
holds 'then all pictures are offered' "<option value=\"$ed_file\">dot.png</option>"
holds 'and all pages' '>With a picture</option>'
pg POST $ed_place "from=&all=1&into=&was-slug=end&slug=no%2Fslug&was-cover=&cover=$ed_file"
pg_is 'a form with them is refused' 400
holds 'what was chosen stays' "<option value=\"$ed_file\" selected"
pg GET /app/spaces/$ed_s/files/$ed_file
holds 'the pages that use a file are listed' '>With a picture<'
pg GET /app/spaces/$ed_s/files/nothing
pg_is 'a file that is not there has no users' 404

# ---- two states of a page ----
space_write "$ed_s" '{"changes":[{"operation":"update_page","page":"'$ed_p'","document":{"markdown":"# Start\n\nOne green house.\n"}}]}' >/dev/null
pg GET "/app/spaces/$ed_s/history?pageId=$ed_p"
holds 'two states of a page can be chosen' 'name="from"'
get "/v1/spaces/$ed_s/revisions?pageId=$ed_p"
ed_newest=$(jq -r '.items[0].id' "$out") ed_oldest=$(jq -r '.items[-1].id' "$out")
pg GET "/app/spaces/$ed_s/history?pageId=$ed_p&from=$ed_oldest&to=$ed_newest"
pg_to 'a comparison leads to the page with what differs' "$below/app/spaces/$ed_s/revisions/$ed_newest/pages/$ed_p?since=$ed_oldest"
pg GET "/app/spaces/$ed_s/revisions/$ed_newest/pages/$ed_p?since=$ed_oldest"
holds 'the difference of two states is marked' '<ins'

# ---- nothing that was typed is lost ----
pg GET /app/spaces/$ed_s/requests/$ed_r/pages/$ed_end/edit
# The name of the file tells pg that the form has this field.
jq -nr --arg csrf "$pg_csrf" --arg at "$(ed_base)" '"csrf=\($csrf)&step=save&base=\($at)&text=\("# End\n\n" + "word " * 40000 | @uri)"' \
	>"$tmp/ed_csrf="
pg POST /app/spaces/$ed_s/requests/$ed_r/pages/$ed_end/edit "@$tmp/ed_csrf="
pg_is 'a text of 200 kB is saved' 303
pg GET /app/spaces/$ed_s/requests/$ed_r/pages/$ed_p/edit
ed_at=$(ed_base) ed_csrf=$pg_csrf
for ed_bad in 'text=Cut%00off' 'text=Cut%FFoff' 'text=%ED%A0%80' 'text=Cut%2' 'about=None'; do
	pg POST /app/spaces/$ed_s/requests/$ed_r/pages/$ed_p/edit "step=save&base=$ed_at&$ed_bad"
	pg_is "a form without a text that can be read is refused: $ed_bad" 400
done
jq -nr --arg csrf "$ed_csrf" '"csrf=\($csrf)&step=save&text=Many" + "&a=1" * 6000' >"$tmp/ed_many_csrf="
pg POST /app/spaces/$ed_s/requests/$ed_r/pages/$ed_p/edit "@$tmp/ed_many_csrf="
pg_is 'a form of too many fields is refused' 400
t 'none of these forms has emptied the page' GET "/v1/spaces/$ed_s/change-requests/$ed_r/content/page/$ed_p?format=markdown" \
	admin '' 200 '.markdown | contains("Both.")'
user_new edout "$ORG_B" read
ed_people() {
	jq -nc --arg id "$1" '{markdown: "<table><thead><tr><th data-type=\"users\">Who</th></tr></thead><tbody><tr><td>\($id)</td></tr></tbody></table>\n"}'
}
t 'a cell has the name of a member' POST "/v1/spaces/$ed_s/content/page/$ed_p/html" \
	admin "$(ed_people $U_edbob)" 200 '.html | contains("edbob")'
t 'and no name from another organization' POST "/v1/spaces/$ed_s/content/page/$ed_p/html" \
	admin "$(ed_people $U_edout)" 200 '.html | contains("edout") | not'
jq -nc '{markdown: ("[a](gone.md) " * 40000)}' >"$tmp/ed_links"
ed_began=$(date +%s)
t 'a text with one broken link many times is shown' POST "/v1/spaces/$ed_s/content/page/$ed_p/html" admin "@$tmp/ed_links" 200 '.html | length > 40000'
yes 'each spelling of a link is looked up once' test $(($(date +%s) - ed_began)) -lt 6
sql "DELETE FROM session WHERE account = '$U_edada'"
pg POST /app/spaces/$ed_s/requests/$ed_r/pages/$ed_p/edit "csrf=$ed_csrf&step=save&base=$ed_at&text=Typed+%3Cb%3Efor+long."
pg_is 'a session that has ended saves nothing' 401
holds 'its text is there to be sent again' 'Typed &lt;b&gt;for long.'

# ---- a button that is pressed twice ----
pg_jar=$tmp/edbob
ed_once() { sed -n 's/.*name="once" value="\([^"]*\)".*/\1/p' "$out" | head -n 1; }
ed_count() { get "/v1/spaces/$ed_s/change-requests?limit=1"; jq .count "$out"; }
pg GET /app/spaces/$ed_s/pages/$ed_end/edit
ed_form="step=save&base=$(ed_base)&once=$(ed_once)&subject=Twice&text=$(ed_typed '# End

Pressed twice.
')"
ed_before=$(ed_count)
pg GET /app/spaces/$ed_s/pages/$ed_end/edit
pg POST /app/spaces/$ed_s/pages/$ed_end/edit "$ed_form"
ed_first=$(header location)
pg POST /app/spaces/$ed_s/pages/$ed_end/edit "$ed_form"
pg_to 'a form that is sent twice leads to the same change request' "$ed_first"
same 'and makes one' $((ed_before + 1)) "$(ed_count)"
pg POST /app/spaces/$ed_s/pages/$ed_end/edit "$(echo "$ed_form" | sed 's/subject=Twice/subject=Else/')"
same 'with another subject it makes another' $((ed_before + 2)) "$(ed_count)"
pg GET /app/spaces/$ed_s/requests
ed_form="once=$(ed_once)&subject=Opened"
pg POST /app/spaces/$ed_s/requests "$ed_form"
ed_to=$(header location) ed_to=${ed_to#"$below"}
pg POST /app/spaces/$ed_s/requests "$ed_form"
pg_to 'a change request is opened once' "$below$ed_to"
pg GET "${ed_to#"$below"}"
ed_form="once=$(ed_once)&text=Said+once."
pg POST "$ed_to/comments" "$ed_form"
pg POST "$ed_to/comments" "$ed_form"
pg_is 'a comment that is sent twice is accepted' 303
t 'and posted once' GET "/v1/spaces/$ed_s/change-requests/${ed_to##*/}/comments" admin '' 200 '.count == 1'
pg POST "$ed_to/comments" "$ed_form+And+more."
t 'another text is another comment' GET "/v1/spaces/$ed_s/change-requests/${ed_to##*/}/comments" admin '' 200 '.count == 2'
pg GET "$ed_to/new"
ed_form="once=$(ed_once)&title=Added+once&text=New."
pg POST "$ed_to/new" "$ed_form"
pg POST "$ed_to/new" "$ed_form"
t 'a page is added once' GET "/v1/spaces/$ed_s/change-requests/${ed_to##*/}/changes" admin '' 200 '.changes | length == 1'

# ---- places in a large space ----
ed_deep=$(space_empty 'Deep')
ed_into=''
for ed_title in Above Between Deepest; do
	space_write "$ed_deep" '{"changes":[{"operation":"insert_page","title":"'$ed_title'"'"$ed_into"',"document":{"markdown":"x"}}]}'
	ed_into=",\"into\":$(jq '.changes[0].page.id' "$tmp/written")"
done
space_write "$ed_deep" '{"changes":[{"operation":"insert_page","title":"Moved","document":{"markdown":"x"}}]}'
get /v1/spaces/$ed_deep/content/pages
ed_id() { jq -r --arg t "$1" '[.. | objects | select(.title? == $t)][0].id' "$tmp/ed_deep"; }
cp "$out" "$tmp/ed_deep"
send POST /v1/spaces/$ed_deep/change-requests admin '{"subject":"Deep"}'
ed_place=/app/spaces/$ed_deep/requests/$(jq -r .id "$out")/pages
pg GET $ed_place/$(ed_id Moved)/place
holds 'the choice has the pages at the top' "<option value=\"$(ed_id Above)\""
lacks 'and none below them' "<option value=\"$(ed_id Between)\""
pg GET "$ed_place/$(ed_id Moved)/place?open=$(ed_id Above)"
holds 'the pages below one of them can be shown' "<option value=\"$(ed_id Between)\""
pg POST $ed_place/$(ed_id Moved)/place "from=&into=$(ed_id Between)&slug=moved&hidden="
pg GET $ed_place/$(ed_id Moved)/place
holds 'a page that was moved there is below it' "<option value=\"$(ed_id Between)\" selected"
pg GET "$ed_place/$(ed_id Moved)/place?open=$(ed_id Moved)"
holds 'and stays so whatever is unfolded' "<option value=\"$(ed_id Between)\" selected"

# ---- templates ----
pg_jar=$tmp/edbob
pg GET /app/spaces/$ed_s/requests
holds 'a change request can begin with a template' 'value="changelog"'
pg POST /app/spaces/$ed_s/requests 'subject=Log&template=changelog'
pg_is 'it is opened with one' 303
ed_log=$(header location)
t 'it has the pages of the template' GET "/v1/spaces/$ed_s/change-requests/${ed_log##*/}/content/pages" admin '' 200 \
	'[.pages[].title] | index("Changelog") != null'
pg POST /app/spaces/$ed_s/requests 'subject=Log&template=nope'
pg_is 'a template that is not there is refused' 404

# ---- lines that end with a carriage return ----
send POST /v1/spaces/$ed_s/change-requests admin '{"subject":"Returns"}'
ed_c=$(jq -r .id "$out")
send POST "/v1/spaces/$ed_s/change-requests/$ed_c/content?compat=false" admin \
	'{"changes":[{"operation":"insert_page","title":"Returns","document":{"markdown":"# Returns\r\n\r\nOne\r\ntwo\nthree\r\nfour\r\nend"}}]}'
ed_cp=$(jq -r '.changes[0].page.id' "$out")
ed_c=/spaces/$ed_s/requests/$ed_c/pages/$ed_cp
ed_raw() { t "$1" GET "/v1$(echo "$ed_c" | sed 's,/requests/,/change-requests/,; s,/pages/,/content/page/,')?format=markdown" admin '' 200 ".markdown == $2"; }
pg GET /app$ed_c/edit
ed_at=$(ed_base)
pg POST /app$ed_c/edit "step=save&base=$ed_at&text=$(ed_typed '# Returns

One
two
3
new
four
end
more' | sed 's/%0A/%0D%0A/g')"
pg_is 'a page with such lines is saved' 303
ed_raw 'each line that was left as it was keeps its end' '"# Returns\n\nOne\r\ntwo\n3\r\nnew\r\nfour\r\nend\r\nmore"'
pg POST /app$ed_c/edit "step=save&base=$ed_at&since=$(ed_typed '# Returns

One
two
three
four
end')&sinceAbout=&text=$(ed_typed '# Returns

Uno
two
three
four
end')"
pg_is 'a text of before is merged by lines' 303
ed_raw 'with the ends that the lines have' '"# Returns\n\nUno\r\ntwo\n3\r\nnew\r\nfour\r\nend\r\nmore"'

# ---- completion ----
pg GET "/app/spaces/$SPACE/choices?kind=include&q="
holds 'reusable contents are completed' "data-markdown=\"/reusable-contents/$REUSABLE\""
pg GET "/app/spaces/$SPACE/choices?kind=include&q=no+such+name"
lacks 'those that have the letters' 'data-markdown'
get /v1/spaces/$SPACE/content
ed_file=$(jq -r '.files[0].downloadURL' "$out") ed_id=$(jq -r '.files[0].id' "$out")
pg GET "/app/spaces/$SPACE/choices?kind=file&q=$(ed_typed "$ed_file")"
holds 'a file is found by its address' "data-markdown=\"/files/$ed_id\""
pg GET "/app/spaces/$ed_s/choices?kind=file&q=$(ed_typed "$ed_file")"
lacks 'but not in another space' 'data-markdown'
pg GET "/app/spaces/$SPACE/choices?kind=file&q=$(ed_typed "https://docs.example.com/~files/x")"
lacks 'an address that is cut off finds nothing' 'data-markdown'

# ---- saved and merged at once ----
ed_m=$(space_empty 'Merged at once')
space_write "$ed_m" '{"changes":[{"operation":"insert_page","title":"Live","document":{"markdown":"# Live\n\nOne.\n"}}]}' >/dev/null
get /v1/spaces/$ed_m/content/pages
ed_live=$(jq -r '.pages[0].id' "$out")
pg_jar=$tmp/edbob
pg GET /app/spaces/$ed_m/pages/$ed_live/edit
pg_is 'who may not merge edits, too' 200
lacks 'but has one button to save' 'name="step" value="merge"'
send POST /v1/spaces/$ed_m/change-requests admin '{"subject":"Mine"}'
pg GET /app/spaces/$ed_m/requests/$(jq -r .id "$out")
holds 'a change request says who merges it' 'Members with the role review, create or admin can merge it.'
pg GET /app
holds 'times of spaces say what they are' '<small>Changed 2'
user_new edeve "$ORG" create
pg_join edeve
pg GET /app/spaces/$ed_m/pages/$ed_live/edit
holds 'who may merge saves and merges with one button' 'name="step" value="merge"'
pg POST /app/spaces/$ed_m/pages/$ed_live/edit "step=merge&base=$(ed_base)&subject=Two&text=$(ed_typed '# Live

Two.
')"
pg_to 'it leads back to the page' "$below/app/spaces/$ed_m/pages/$ed_live?done=saved"
pg GET "/app/spaces/$ed_m/pages/$ed_live?done=saved"
holds 'which says that it is merged' 'The change request is merged.'
holds 'and loads the script that forgets the text' '<script'
t 'the text is in the space' GET "/v1/spaces/$ed_m/content/page/$ed_live?format=markdown" admin '' 200 '.markdown == "# Live\n\nTwo.\n"'
t 'rules are set' PATCH /v1/spaces/$ed_m admin '{"mergeRules":{"type":"rules","rules":[{"rule":"require_at_least_one_approved_review"}]}}' 200 ''
pg GET /app/spaces/$ed_m/pages/$ed_live/edit
pg POST /app/spaces/$ed_m/pages/$ed_live/edit "step=merge&base=$(ed_base)&subject=Three&text=$(ed_typed '# Live

Three.
')"
ed_to=$(header location) ed_to=${ed_to#"$below"}
case $ed_to in *"/app/spaces/$ed_m/requests/"*'?done=saved#rules') pass ;; *) fail 'a rule that is not met leads to the change request' "$ed_to" ;; esac
pg GET "${ed_to%#*}"
holds 'which says what is missing' 'Somebody has approved it'
t 'nothing is merged' GET "/v1/spaces/$ed_m/content/page/$ed_live?format=markdown" admin '' 200 '.markdown == "# Live\n\nTwo.\n"'
