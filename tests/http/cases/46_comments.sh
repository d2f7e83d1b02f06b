# Comments, replies and reactions, in both scopes.
send POST /v1/spaces/$SPACE/duplicate admin ''
TS=$(jq -r .id "$out") S=/v1/spaces/$(jq -r .id "$out")
sql "UPDATE access_grant SET account = '$U_other' WHERE space = '$TS'"
send POST $S/change-requests edit '{"subject":"A table"}'
N=$(jq -r .number "$out")
send POST "$S/change-requests/$N/content?compat=false" edit \
	'{"changes":[{"operation":"insert_page","title":"Grid","document":{"markdown":"| H | K |\n| --- | --- |\n| a | b |\n"}}]}'
GRID=$(jq -r '.changes[0].page.id' "$out")
send POST $S/change-requests/$N/merge review ''
TREV=$(jq -r .revision "$out")
get $S/content/page/$GRID
table=$(jq -r '.document.nodes[0].key' "$out") row=$(jq -r '.document.nodes[0].data.records | keys[0]' "$out")
column=$(jq -r '.document.nodes[0].data.definition | keys[1]' "$out")
send POST $S/change-requests edit '{"subject":"Talk"}'
TR=$(jq -r .id "$out") RREV=$(jq -r .revision "$out") C=$S/change-requests/$(jq -r .id "$out")
get $S/content/page/$PAGE
key=$(jq -r '[.document.nodes[] | select(.type == "paragraph").key][0]' "$out")
group=$(get $S/content/pages; jq -r '[.. | objects | select(.type? == "group").id][0]' "$out")
paragraph() { printf '{"object":"document","data":{},"nodes":[{"object":"block","type":"paragraph","data":{},"nodes":[%s]}]}' "$1"; }
leaf() { printf '{"object":"text","leaves":[{"object":"leaf","text":"%s","marks":[]}]}' "$1"; }
say() { send POST $1/comments $2 "{\"body\":{\"markdown\":\"$3\"}}"; jq -r .id "$out"; }

for base_of in "$S" "$C"; do
	M=$base_of/comments
	case $base_of in $S) here='(.target | has("changeRequest") | not)' rev=$TREV ;; *) here='.target.changeRequest == "'$TR'"' rev=$RREV ;; esac
	open_count() { t "the space or request counts $1 open comments" GET $base_of read '' 200 '.comments == '$1; }

	t 'a new space or request has no comments' GET $M read '' 200 '.items == [] and .count == 0'
	t 'a commenter posts a comment' POST $M comment '{"body":{"markdown":"Hello *there*"}}' 200 '.object == "comment" and .body == {markdown: "Hello *there*"}
		and .status == "open" and .postedBy.id == "'$U_comment'" and .replies == 0 and .repliers == [] and .reactions == []
		and .target.space == "'$TS'" and .target.revision == "'$rev'" and (.target | has("page") or has("node") or has("review") | not)
		and .permissions == {view: true, edit: true, reply: true, delete: true} and (has("editedAt") or has("resolvedAt") | not)
		and .urls.location == "'$base$M'/" + .id and '"$here"
	one=$(jq -r .id "$out")
	t 'a reader may not post a comment' POST $M read '{"body":{"markdown":"x"}}' 403 ''
	t 'an empty comment is refused' POST $M comment '{"body":{"markdown":""}}' 400 '.fields[0].path == "/body"'
	t 'a comment of blanks is refused' POST $M comment '{"body":{"markdown":" \n\t "}}' 400 '.fields[0].path == "/body"'
	# Refused if the document shows nothing: only invisible characters, and no other visible content.
	for unseen in '&nbsp;' '&#8203;' '\u200b' '<!-- x -->' '[a]: b' '> ' '#' '<br>'; do
		t "a comment that shows nothing is refused: $unseen" POST $M comment '{"body":{"markdown":"'"$unseen"'"}}' 400 \
			'.fields[0] == {path: "/body", message: "is empty: say something"}'
	done
	t 'a document that shows nothing is refused as a comment' POST $M comment "{\"body\":{\"document\":$(paragraph "$(leaf '\u200b')")}}" 400 \
		'.fields[0] == {path: "/body", message: "is empty: say something"}'
	t 'a document without nodes is refused as a comment' POST $M comment '{"body":{"document":{"object":"document","data":{},"nodes":[]}}}' 400 \
		'.fields[0].path == "/body"'
	t 'a comment cannot be changed to blanks' PUT $M/$one comment '{"body":{"markdown":" "}}' 400 '.fields[0].path == "/body"'
	t 'a comment cannot be changed to what shows nothing' PUT $M/$one comment '{"body":{"markdown":"&nbsp;"}}' 400 \
		'.fields[0].message == "is empty: say something"'
	t 'an empty reply is refused' POST $M/$one/replies comment '{"body":{"markdown":""}}' 400 '.fields[0].path == "/body"'
	t 'a reply that shows nothing is refused' POST $M/$one/replies comment '{"body":{"markdown":"<!-- x -->"}}' 400 \
		'.fields[0].message == "is empty: say something"'
	t 'a comment may be on a page' POST $M edit '{"body":{"markdown":"p"},"page":"'$PAGE'"}' 200 '.target.page.id == "'$PAGE'" and (.target | has("node") | not)'
	two=$(jq -r .id "$out")
	t 'a comment may be on a block' POST $M edit '{"body":{"markdown":"b"},"page":"'$PAGE'","node":"'$key'"}' 200 '.target.node.id == "'$key'"'
	three=$(jq -r .id "$out")
	t 'a comment may be on a cell of a table' POST $M edit '{"body":{"markdown":"c"},"page":"'$GRID'","node":"'$table'",
		"tableCell":{"record":"'$row'","definition":"'$column'"}}' 200 \
		'.target.tableCell == {record: "'$row'", definition: "'$column'"} and .target.node.id == "'$table'"'
	four=$(jq -r .id "$out")
	t 'a comment may be posted and read as a document' POST "$M?format=document" review "{\"body\":{\"document\":$(paragraph "$(leaf 'Two *stars*')")}}" 200 \
		'.body.document.nodes[0].nodes[0].leaves[0].text == "Two *stars*" and (.body | has("markdown") | not)'
	five=$(jq -r .id "$out")
	t 'a comment posted as a document is readable as Markdown' GET $M/$five read '' 200 '.body.markdown == "Two \\*stars\\*"'
	t 'a comment posted as Markdown is readable as a document' GET "$M/$one?format=document" read '' 200 \
		'[.body.document.nodes[0].nodes[0].leaves[].text] == ["Hello ", "there"]'
	open_count 5

	# Links keep their targets by id.
	link='{"object":"inline","type":"link","data":{"ref":{"kind":"page","page":"'$PAGE'"}},"nodes":['$(leaf guide)']}'
	t 'a link to a page in a comment is spelled by the id of the page' POST $M edit \
		"{\"body\":{\"document\":$(paragraph "$(leaf 'See '),$link,$(leaf .)")}}" 200 '.body.markdown == "See [guide](/pages/'$PAGE')."'
	six=$(jq -r .id "$out")
	t 'a link in a comment is read back as its target' GET "$M/$six?format=document" read '' 200 \
		'[.. | objects | select(.type? == "link").data.ref] == [{kind: "page", page: "'$PAGE'"}]'
	many=$(for i in $(seq 700); do printf '[x](/pages/%s#%s) ' "$PAGE" "$i"; done)
	t 'the answer to a comment resolves 500 of its links' POST "$M?format=document" comment "{\"body\":{\"markdown\":\"$many\"}}" 200 \
		'[.. | objects | select(.type? == "link").data.ref.kind] | map(select(. == "anchor")) | length == 500'
	lots=$(jq -r .id "$out")
	t 'a reader gets all links of a comment resolved' GET "$M/$lots?format=document" read '' 200 \
		'[.. | objects | select(.type? == "link").data.ref.kind] | map(select(. == "anchor")) | length == 700'
	send DELETE $M/$lots comment ''
	t 'a link in a comment may be spelled as a path' PUT "$M/$six?format=document" edit \
		'{"body":{"markdown":"[x](guide/README.md), [y](/users/'$U_read')"}}' 200 \
		'[.. | objects | select(.type? == "link").data.ref] == [{kind: "page", page: "'$PAGE'"}, {kind: "user", user: "'$U_read'"}]'
	t 'an author deletes their own comment' DELETE $M/$six edit '' 204 ''
	open_count 5

	# Invalid bodies.
	t 'a comment without a body is refused' POST $M edit '{}' 400 '.fields[0].path == "/body"'
	t 'a comment with two bodies is refused' POST $M edit "{\"body\":{\"markdown\":\"x\",\"document\":$(paragraph "$(leaf x)")}}" 400 '.fields[0].path == "/body"'
	t 'a comment with an unknown block is refused' POST $M edit '{"body":{"document":{"object":"document","data":{},"nodes":[{"object":"block",
		"type":"nonsense"}]}}}' 400 \
		'.fields[0].path | startswith("/body/document/nodes/0")'
	t 'the deletion of a comment that was refused answers 204' DELETE $M/$(jq -r .id "$out") edit '' 204 ''
	t 'a comment on an unknown page answers 404' POST $M edit '{"body":{"markdown":"x"},"page":"nothing"}' 404 ''
	t 'a comment on a file answers 404' POST $M edit '{"body":{"markdown":"x"},"page":"'$FILE'"}' 404 ''
	t 'a comment on an unknown block answers 404' POST $M edit '{"body":{"markdown":"x"},"page":"'$PAGE'","node":"nothing"}' 404 ''
	t 'a comment on a block with quotes in its id answers 404' POST $M edit '{"body":{"markdown":"x"},"page":"'$PAGE'","node":"\",\"type\":\"paragraph"}' 404 ''
	t 'a comment on a block of a group answers 404' POST $M edit '{"body":{"markdown":"x"},"page":"'$group'","node":"'$key'"}' 404 ''
	t 'a comment may be on a group' POST $M edit '{"body":{"markdown":"x"},"page":"'$group'"}' 200 '.target.page.id == "'$group'"'
	t 'the comment on the group is deleted' DELETE $M/$(jq -r .id "$out") edit '' 204 ''
	t 'a comment on a block without its page is refused' POST $M edit '{"body":{"markdown":"x"},"node":"'$key'"}' 400 '.fields[0].path == "/node"'
	t 'a comment on a cell without its table is refused' POST $M edit '{"body":{"markdown":"x"},"page":"'$PAGE'","tableCell":{"record":"r",
		"definition":"d"}}' 400 '.fields[0].path == "/tableCell"'
	t 'a comment on a cell of an unknown row answers 404' POST $M edit '{"body":{"markdown":"x"},"page":"'$GRID'","node":"'$table'",
		"tableCell":{"record":"r","definition":"'$column'"}}' 404 ''
	t 'a comment on a cell of an unknown column answers 404' POST $M edit '{"body":{"markdown":"x"},"page":"'$GRID'","node":"'$table'",
		"tableCell":{"record":"'$row'","definition":"d"}}' 404 ''
	t 'a comment on a cell of a paragraph answers 404' POST $M edit '{"body":{"markdown":"x"},"page":"'$PAGE'","node":"'$key'",
		"tableCell":{"record":"'$row'","definition":"'$column'"}}' 404 ''
	t 'a comment on a cell without a column is refused' POST $M edit '{"body":{"markdown":"x"},"tableCell":{"record":"r"}}' 400 \
		'.fields[0].path == "/tableCell/definition"'
	t 'comments in an unknown format are refused' GET "$M?format=html" edit '' 400 '.fields[0].path == "/format"'
	t 'a comment over 64 KiB is refused' POST $M edit "{\"body\":{\"markdown\":\"$(head -c 65537 /dev/zero | tr '\0' a)\"}}" 400 \
		'.fields[0].path == "/body/markdown"'
	printf '{"body":{"document":%s}}' "$(paragraph "$(leaf "$(head -c 65537 /dev/zero | tr '\0' a)")")" >"$tmp/long"
	t 'a document over 64 KiB is refused as a comment' POST $M edit @$tmp/long 400 '.fields[0].path == "/body"'
	open_count 5

	# Lists and their filters.
	t 'comments are listed newest first' GET $M read '' 200 '[.items[].id] == ["'$five'", "'$four'", "'$three'", "'$two'", "'$one'"] and .count == 5'
	t 'comments are listed oldest first' GET "$M?order=asc&limit=2" read '' 200 '[.items[].id] == ["'$one'", "'$two'"] and .count == 5'
	next=$(jq -r .next.page "$out")
	t 'the next page of comments is the last' GET "$M?order=asc&limit=3&page=$next" read '' 200 \
		'[.items[].id] == ["'$three'", "'$four'", "'$five'"] and (has("next") | not)'
	t 'comments are listed by page' GET "$M?targetPage=$PAGE" read '' 200 '[.items[].id] == ["'$three'", "'$two'"] and .count == 2'
	t 'comments are listed by author' GET "$M?authors=$U_comment" read '' 200 '[.items[].id] == ["'$one'"] and .count == 1'
	t 'comments are listed by two authors' GET "$M?authors=$U_comment&authors=$U_review" read '' 200 '[.items[].id] == ["'$five'", "'$one'"] and .count == 2'
	t 'a part of an id finds no author' GET "$M?authors=$(echo $U_comment | cut -c2-)" read '' 200 '.count == 0'
	t 'an empty author finds nothing' GET "$M?authors=" read '' 200 '.count == 0'
	t 'comments are listed as documents' GET "$M?format=document" read '' 200 'all(.items[]; .body.document.object == "document")'
	t 'comments of an unknown status are refused' GET "$M?status=closed" read '' 400 ''
	t 'comments in an unknown order are refused' GET "$M?order=up" read '' 400 ''
	t 'a page token that is none is refused' GET "$M?page=nonsense" read '' 400 '.fields[0].path == "/page"'

	# Resolving: all who may comment.
	t 'a reader resolves no comment' PUT $M/$two read '{"resolved":true}' 403 ''
	t 'a commenter resolves a comment' PUT $M/$two comment '{"resolved":true}' 200 \
		'.status == "resolved" and .resolvedBy.id == "'$U_comment'" and .resolvedAt != null and (has("editedAt") | not)'
	at=$(jq -r .resolvedAt "$out")
	open_count 4
	t 'a resolved comment keeps who resolved it first' PUT $M/$two edit '{"resolved":true}' 200 '.resolvedAt == "'$at'" and .resolvedBy.id == "'$U_comment'"'
	open_count 4
	t 'resolved comments are listed alone' GET "$M?status=resolved" read '' 200 '[.items[].id] == ["'$two'"] and .count == 1'
	t 'open comments are listed alone' GET "$M?status=open" read '' 200 '.count == 4'
	t 'comments of any status are listed' GET "$M?status=all" read '' 200 '.count == 5'
	t 'a resolved comment is opened again' PUT $M/$two comment '{"resolved":false}' 200 '.status == "open" and (has("resolvedAt") or has("resolvedBy") | not)'
	open_count 5
	t 'an open comment may be opened again' PUT $M/$two comment '{"resolved":false}' 200 ''
	open_count 5

	# Editing and deleting: the author, or an admin of the space.
	t 'an author edits their own comment' PUT $M/$one comment '{"body":{"markdown":"Hello *you*"}}' 200 '.body.markdown == "Hello *you*" and .editedAt != null'
	t 'a reviewer may not edit the comment of another' PUT $M/$one review '{"body":{"markdown":"x"}}' 403 ''
	t 'a reviewer sees that they may reply but not edit' GET $M/$one review '' 200 '.permissions == {view: true, edit: false, reply: true, delete: false}'
	t 'an admin of the space edits a comment' PUT $M/$one create '{"body":{"markdown":"Hello"}}' 200 \
		'.body.markdown == "Hello" and .postedBy.id == "'$U_comment'"'
	t 'a reader sees that they may not reply' GET $M/$one read '' 200 '.permissions == {view: true, edit: false, reply: false, delete: false}'
	t 'a read token sees that it may not reply' GET $M/$one readonly '' 200 '.permissions == {view: true, edit: false, reply: false, delete: false}'
	t 'a reviewer may not delete the comment of another' DELETE $M/$one review '' 403 ''
	t 'body, status and reactions change in one request' PUT $M/$one comment '{"body":{"markdown":"Done"},"resolved":true,"addedReactions":["1f44d"]}' 200 \
		'.body.markdown == "Done" and .status == "resolved" and .reactions[0].count == 1'
	t 'a change that is forbidden in part changes nothing' PUT $M/$one edit '{"body":{"markdown":"Not mine"},"resolved":false}' 403 ''
	t 'the refused change left the comment' GET $M/$one edit '' 200 '.body.markdown == "Done" and .status == "resolved"'
	t 'an unknown member of a comment is refused' PUT $M/$one comment '{"status":"open"}' 400 '.fields[0].path == "/status"'
	get $M/$one comment; tag=$(header etag)
	t 'a comment with another ETag answers 412' PUT $M/$one comment '{"resolved":false}' 412 '' 'If-Match: "stale"'
	t 'a comment with the current ETag is changed' PUT $M/$one comment '{"resolved":false}' 200 '' "If-Match: $tag"
	t 'an unknown comment answers 404' GET $M/nothing read '' 404 ''
	t 'a change of an unknown comment answers 404' PUT $M/nothing comment '{"resolved":true}' 404 ''
	t 'the deletion of an unknown comment answers 204' DELETE $M/nothing read '' 204 ''

	# Reactions: one of each kind per user.
	t 'reactions are read as they were sent' PUT $M/$two comment '{"addedReactions":["1f44d","❤"]}' 200 \
		'[.reactions[] | [.emoji, .count]] == [["1f44d", 1], ["❤", 1]]'
	t 'a second reaction of the same user and kind is not counted' PUT $M/$two comment '{"addedReactions":["1f44d"]}' 200 \
		'[.reactions[] | [.emoji, .count]] == [["1f44d", 1], ["❤", 1]]'
	t 'the same reaction of another user is counted' PUT $M/$two edit '{"addedReactions":["1f44d"]}' 200 '.reactions[0].count == 2
		and ([.reactions[0].users[].user.id] | sort) == (["'$U_comment'", "'$U_edit'"] | sort) and .reactions[0].users[0].reactedAt != null'
	# Listed in the order of reacting, whatever the ids are.
	t 'users of a reaction are listed in the order of reacting' PUT $M/$two create '{"addedReactions":["1f44d"]}' 200 \
		'[.reactions[0].users[].reactedAt] == ([.reactions[0].users[].reactedAt] | sort) and .reactions[0].users[0].user.id == "'$U_comment'"'
	t 'a reaction is taken back' PUT $M/$two create '{"removedReactions":["1f44d"]}' 200 '.reactions[0].count == 2'
	t 'the first user takes their reaction back' PUT $M/$two comment '{"removedReactions":["1f44d"]}' 200 ''
	t 'a user who reacts again is listed last' PUT $M/$two comment '{"addedReactions":["1f44d"]}' 200 \
		'[.reactions[0].users[].user.id] == ["'$U_edit'", "'$U_comment'"]'
	t 'reactions are added and removed in one request' PUT $M/$two comment '{"removedReactions":["1f44d","1f600"],"addedReactions":["1f389"]}' 200 \
		'[.reactions[] | [.emoji, .count]] == [["1f389", 1], ["1f44d", 1], ["❤", 1]]'
	t 'a user cannot remove the reactions of others' PUT $M/$two review '{"removedReactions":["❤"]}' 200 '.reactions | length == 3'
	t 'a reader may not react' PUT $M/$two read '{"addedReactions":["❤"]}' 403 ''
	t 'spellings of one emoji are one reaction' PUT $M/$two comment '{"addedReactions":["👍","1F44D","2764-fe0f","❤️"]}' 200 \
		'[.reactions[] | [.emoji, .count]] == [["1f389", 1], ["1f44d", 2], ["❤", 1]]'
	t 'a reaction is taken back in another spelling' PUT $M/$two comment '{"removedReactions":["👍"]}' 200 '[.reactions[].count] == [1, 1, 1]'
	t 'a word is refused as a reaction' PUT $M/$two comment '{"addedReactions":["hello"]}' 400 '.fields[0].path == "/addedReactions/0"'
	t 'an empty reaction is refused' PUT $M/$two comment '{"addedReactions":[""]}' 400 '.fields[0].path == "/addedReactions/0"'
	t 'a number is refused as a reaction' PUT $M/$two comment '{"addedReactions":[1]}' 400 ''

	# Replies.
	Y=$M/$two/replies
	t 'a comment has no replies at first' GET $Y read '' 200 '.items == [] and .count == 0'
	t 'a commenter replies' POST $Y comment '{"body":{"markdown":"Yes"}}' 200 \
		'.object == "comment-reply" and .body.markdown == "Yes" and .postedBy.id == "'$U_comment'"
		and .reactions == [] and .permissions == {view: true, edit: true, reply: true, delete: true} and .urls.location == "'$base$Y'/" + .id'
	y1=$(jq -r .id "$out")
	t 'a commenter replies twice' POST $Y comment '{"body":{"markdown":"Really"}}' 200 ''
	y2=$(jq -r .id "$out")
	t 'a reply may be posted as a document' POST "$Y?format=document" edit "{\"body\":{\"document\":$(paragraph "$(leaf No)")}}" 200 \
		'.body.document.nodes[0].nodes[0].leaves[0].text == "No"'
	y3=$(jq -r .id "$out")
	t 'a reader may not reply' POST $Y read '{"body":{"markdown":"x"}}' 403 ''
	t 'a reply cannot be changed to what shows nothing' PUT $Y/$y1 comment '{"body":{"markdown":"&#8203;"}}' 400 \
		'.fields[0] == {path: "/body", message: "is empty: say something"}'
	t 'a reply without a body is refused' POST $Y comment '{}' 400 '.fields[0].path == "/body"'
	t 'replies are listed oldest first' GET $Y read '' 200 '[.items[].id] == ["'$y1'", "'$y2'", "'$y3'"] and .count == 3'
	t 'replies are listed by pages' GET "$Y?limit=2" read '' 200 '[.items[].id] == ["'$y1'", "'$y2'"] and .count == 3'
	t 'the last page of replies has no next' GET "$Y?limit=2&page=$(jq -r .next.page "$out")" read '' 200 '[.items[].id] == ["'$y3'"] and (has("next") | not)'
	t 'a comment counts replies by user' GET $M/$two read '' 200 '.replies == 3 and ([.repliers[] | {(.user.id): .count}]
		| add) == {"'$U_comment'": 2, "'$U_edit'": 1}
		and ([.repliers[].updatedAt] | . == (sort | reverse))'
	t 'a reply is readable as a document' GET "$Y/$y1?format=document" review '' 200 \
		'.body.document.object == "document" and .permissions == {view: true, edit: false, reply: true, delete: false}'
	t 'a reply cannot be changed to blanks' PUT $Y/$y1 comment '{"body":{"markdown":"\n"}}' 400 '.fields[0].path == "/body"'
	t 'an author edits their own reply' PUT $Y/$y1 comment '{"body":{"markdown":"Yes!"},"addedReactions":["1f44d"]}' 200 \
		'.body.markdown == "Yes!" and .editedAt != null and .reactions[0].count == 1'
	t 'a reaction to a reply is none to its comment' GET $M/$two read '' 200 '[.reactions[].count] == [1, 1, 1]'
	t 'a reviewer reacts to the reply of another' PUT $Y/$y1 review '{"addedReactions":["1f44d"]}' 200 '.reactions[0].count == 2'
	t 'a reviewer may not edit the reply of another' PUT $Y/$y1 review '{"body":{"markdown":"x"}}' 403 ''
	t 'a reviewer may not delete the reply of another' DELETE $Y/$y1 review '' 403 ''
	t 'a reply with another ETag answers 412' PUT $Y/$y1 comment '{"body":{"markdown":"x"}}' 412 '' 'If-Match: "stale"'
	case $base_of in
	$S) t 'a reply in a space cannot be resolved' PUT $Y/$y1 comment '{"resolved":true}' 400 '.fields[0].path == "/resolved"' ;;
	*)
		t 'resolving a reply in a request is accepted' PUT $Y/$y1 comment '{"resolved":true}' 200 '.object == "comment-reply"'
		t 'resolving a reply resolves its comment' GET $M/$two read '' 200 '.status == "resolved" and .resolvedBy.id == "'$U_comment'"'
		t 'opening the reply opens its comment' PUT $Y/$y1 comment '{"resolved":false}' 200 ''
		open_count 5 ;;
	esac
	t 'a reply answers 404 under another comment' GET $M/$one/replies/$y1 read '' 404 ''
	t 'a reply to an unknown comment answers 404' POST $M/nothing/replies comment '{"body":{"markdown":"x"}}' 404 ''
	t 'the replies of an unknown comment answer 404' GET $M/nothing/replies comment '' 404 ''
	t 'an unknown reply answers 404' GET $Y/nothing read '' 404 ''
	t 'a change of an unknown reply answers 404' PUT $Y/nothing comment '{"body":{"markdown":"x"}}' 404 ''
	t 'the deletion of an unknown reply answers 204' DELETE $Y/nothing comment '' 204 ''
	t 'an author deletes their own reply' DELETE $Y/$y2 comment '' 204 ''
	t 'a deleted reply may be deleted again' DELETE $Y/$y2 comment '' 204 ''
	t 'an admin deletes the reply of another' DELETE $Y/$y3 create '' 204 ''
	t 'deleted replies are not counted' GET $M/$two read '' 200 '.replies == 1 and [.repliers[].user.id] == ["'$U_comment'"]'

	t 'commenters are listed with those who replied' GET $base_of/commenters read '' 200 \
		'([.items[].id] | sort) == (["'$U_comment'", "'$U_edit'", "'$U_review'"] | sort) and .count == 3
		and all(.items[]; .object == "member" and .user.object == "user")'
	t 'commenters are listed by pages' GET "$base_of/commenters?limit=2" read '' 200 '(.items | length) == 2 and .next.page != null'

	t 'a comment is deleted with its replies' DELETE $M/$two edit '' 204 ''
	t 'an admin deletes the comment of another' DELETE $M/$four admin '' 204 ''
	t 'a deleted comment may be deleted again' DELETE $M/$four admin '' 204 ''
	open_count 3
	same 'replies and reactions of a deleted comment are deleted' "0 0" \
		"$(sql "SELECT (SELECT count(*) FROM comment_reply WHERE comment = '$two') || ' ' || (SELECT count(*) FROM reaction WHERE comment = '$two')")"
	eval "left_$(echo $base_of | grep -q change-requests && echo C || echo S)=$one"
done

t 'a comment of the space answers 404 in a request' GET $C/comments/$left_S read '' 404 ''
t 'a comment of a request answers 404 in the space' GET $S/comments/$left_C read '' 404 ''
t 'the deletion of a comment by the wrong path answers 204' DELETE $S/comments/$left_C admin '' 204 ''
t 'the deletion by the wrong path deleted nothing' GET $C/comments/$left_C read '' 200 ''
t 'comments of an unknown request answer 404' GET $S/change-requests/99/comments read '' 404 ''
t 'the deletion below an unknown request answers 204' DELETE $S/change-requests/99/comments/$left_C admin '' 204 ''
t 'comments of a space of others answer 404' GET /v1/spaces/$SPACE_B/comments admin '' 404 ''
t 'commenters of a space of others answer 404' GET /v1/spaces/$SPACE_B/commenters admin '' 404 ''
# An emoji with any number of code points is stored and returned like any other text.
long=$(printf '1f600-%.0s' $(seq 1200))
t 'a comment with an emoji of 1,200 code points is posted' POST /v1/spaces/$SPACE/comments comment \
	'{"body":{"markdown":"a [<span data-tag=\"emoji\" data-code=\"'$long'\">x</span>](https://example.com) <span data-tag=\"emoji\" '\
'data-code=\"'$long'\">x</span>"}}' 200 ''
long=$(jq -r .id "$out")
t 'an emoji of 1,200 code points is read back' GET "/v1/spaces/$SPACE/comments/$long?format=markdown" comment '' 200 '.body.markdown | contains("1f600-1f600")'
t 'the comment with the long emoji is deleted' DELETE /v1/spaces/$SPACE/comments/$long comment '' 204 ''
t 'a locked space takes comments' POST /v1/spaces/$LOCKED/comments comment '{"body":{"markdown":"Why locked?"}}' 200 ''
t 'a comment in a locked space is deleted' DELETE /v1/spaces/$LOCKED/comments/$(jq -r .id "$out") comment '' 204 ''

# A comment stays on a block that is edited, and on the page when its block is deleted.
body() { printf '{"changes":[{"operation":"update_page","page":"%s","document":{"markdown":"%s"}}]}' "$PAGE" "$1"; }
t 'a page of three paragraphs is written' POST $C/content edit \
	"$(body 'First words of the page.\n\nSecond words of the page.\n\nThird words of the page.\n')" 200 ''
get $C/content/page/$PAGE
first=$(jq -r '.document.nodes[0].key' "$out") second=$(jq -r '.document.nodes[1].key' "$out") third=$(jq -r '.document.nodes[2].key' "$out")
on() { send POST $C/comments comment '{"body":{"markdown":"about"},"page":"'$PAGE'","node":"'$1'"}'; jq -r .id "$out"; }
c1=$(on $first) c2=$(on $second) c3=$(on $third)
t 'one paragraph is edited and one is deleted' POST $C/content edit "$(body 'First words of the page.\n\nSecond words of this page, mended.\n')" 200 ''
get $C/content
revision=$(jq -r .id "$out")
get $C/content/page/$PAGE
moved=$(jq -r '.document.nodes[1].key' "$out")
t 'a comment stays on a block that nobody touched' GET $C/comments/$c1 read '' 200 '.target.node.id == "'$first'"'
t 'a comment follows its edited block' GET $C/comments/$c2 read '' 200 '.target.node.id == "'$moved'" and .target.revision == "'$revision'"
	and "'$moved'" != "'$second'"'
t 'a comment on a deleted block stays on the page' GET $C/comments/$c3 read '' 200 '(.target | has("node") | not) and .target.page.id == "'$PAGE'"'

# The same for a nested block, a cell, and a block that was moved, whoever edits the page.
blocks() { get $1/content/page/$P; }
block() { jq -r "[.. | objects | select(.type? == \"$1\" and ([.. | .text? // empty] | join(\"\")) == \"$2\").key][0]" "$out"; }
about() { # SCOPE NODE [RECORD DEFINITION]: makes a comment there, prints its id
	send POST $1/comments comment '{"body":{"markdown":"x"},"page":"'$P'","node":"'$2'"'"${3:+,\"tableCell\":{\"record\":\"$3\",\"definition\":\"$4\"\}}"'}'
	jq -r .id "$out"
}
send POST $S/change-requests edit '{"subject":"Nests"}'
N=$S/change-requests/$(jq -r .number "$out")
send POST "$N/content?compat=false" edit \
	'{"changes":[{"operation":"insert_page","title":"Nests","document":{"markdown":"To move.\n\n* one item\n* another item\n\n| H | K |\n| - | - |\n'\
'| a | b |\n\nLast.\n"}}]}'
P=$(jq -r '.changes[0].page.id' "$out")
t 'a page with a list and a table is merged' POST $N/merge review '' 200 '.result == "merge"'
send POST $S/change-requests edit '{"subject":"Nests, edited"}'
N=$S/change-requests/$(jq -r .number "$out")
send POST $S/change-requests edit '{"subject":"Nests, looked at"}'
L=$S/change-requests/$(jq -r .number "$out")
for scope in $S $N $L; do
	blocks $scope
	item=$(block list-item 'another item') grid=$(block table ab) away=$(block paragraph 'To move.')
	eval "c$(echo ${scope##*/} | tr -dc a-zA-Z0-9)='$(about $scope $item) $(about $scope $grid r1 c2) $(about $scope $away)'"
done
# stays SCOPE: its three comments are at the new places of their blocks
stays() {
	eval "set -- $1 \$c$(echo ${1##*/} | tr -dc a-zA-Z0-9)"
	blocks $1
	item=$(block list-item 'another item, mended') grid=$(block table nnab)
	t "a comment follows its edited list item: $1" GET $1/comments/$2 read '' 200 '.target.node.id == "'$item'"'
	t "a comment follows its cell to another row: $1" GET $1/comments/$3 read '' 200 \
		'.target.node.id == "'$grid'" and .target.tableCell == {record: "r2", definition: "c2"}'
	t "a comment follows a paragraph that moved: $1" GET $1/comments/$4 read '' 200 '.target.node.id == "'$away'"'
}
t 'item, row and paragraph are edited in one request' POST $N/content edit \
	'{"changes":[{"operation":"update_page","page":"'$P'",
	"document":{"markdown":"* one item\n* another item, mended\n\n| H | K |\n| - | - |\n| n | n |\n| a | b |\n\nTo move.\n\nLast.\n"}}]}' 200 ''
stays $N
t 'the edited blocks are merged' POST $N/merge review '' 200 '.result == "merge"'
stays $S
t 'another request is updated with the edited blocks' POST $L/update edit '' 200 '.result == "update"'
stays $L
t 'the list and a row are deleted' POST $L/content edit '{"changes":[{"operation":"update_page","page":"'$P'",
	"document":{"markdown":"| H | K |\n| - | - |\n| n | n |\n\nTo move.\n"}}]}' 200 ''
eval "set -- \$c$(echo ${L##*/} | tr -dc a-zA-Z0-9)"
blocks $L
grid=$(block table nn)
t 'a comment on a deleted list item stays on the page' GET $L/comments/$1 read '' 200 '.target.page.id == "'$P'" and (.target | has("node") | not)'
t 'a comment on a deleted row stays on the table' GET $L/comments/$2 read '' 200 '.target.node.id == "'$grid'" and (.target | has("tableCell") | not)'

# Many at once: counters agree with the comments.
if [ $TRANSPORT = http ]; then
	one=$(say $S comment race)
	for i in 1 2 3 4 5 6 7 8; do
		(
			a="Authorization: Bearer $(token_of edit)" j='Content-Type: application/json'
			for k in 1 2 3 4 5; do
				id=$(curl -s -X POST -H "$a" -H "$j" -d '{"body":{"markdown":"x"}}' "$base$S/comments" | jq -r .id)
				curl -s -o /dev/null -X POST -H "$a" -H "$j" -d '{"body":{"markdown":"y"}}' "$base$S/comments/$one/replies"
				curl -s -o /dev/null -X PUT -H "$a" -H "$j" -d "{\"resolved\":$([ $((k % 2)) = 0 ] && echo true || echo false)}" "$base$S/comments/$one"
				[ $k = 3 ] || curl -s -o /dev/null -X PUT -H "$a" -H "$j" -d '{"resolved":true}' "$base$S/comments/$id"
				[ $k != 5 ] || curl -s -o /dev/null -X DELETE -H "$a" "$base$S/comments/$id"
			done
		) &
	done
	wait
	get "$S/comments?status=open&limit=0"
	same 'the count of open comments is right after a race' "$(jq .count "$out")" "$(sql "SELECT comments FROM space WHERE id = '$TS'")"
	t 'the count of replies is right after a race' GET "$S/comments/$one" read '' 200 '.replies == 40 and .repliers[0].count == 40'
	# 40 were posted and 8 of them deleted, besides the six from above and the one of the race.
	t 'the count of comments is right after a race' GET "$S/comments?limit=0" read '' 200 '.count == 39'
fi

# ---- unread ----
send POST $S/change-requests edit '{"subject":"Read and unread"}'
LL=$S/change-requests/$(jq -r .id "$out") LLN=$(jq -r .id "$out")
first=$(say $LL edit First) own=$(say $LL comment Own)
unread() { t "$1" GET "$LL/comments?order=asc" $2 '' 200 "[.items[].unread] == $3"; }
unread 'comments of others are unread, own ones are not' comment '[true, false]'
send GET $LL/comments/$first comment ''
seen=$(jq -r .postedAt "$out")
t 'a person marks what they have read' PUT $LL/last-look comment '{"until":"'$seen'"}' 204 ''
unread 'a comment that was read is not unread' comment '[false, false]'
unread 'to others it is as before' read '[true, true]'
send POST $LL/comments/$own/replies edit '{"body":{"markdown":"A reply"}}'
unread 'a later reply makes its comment unread' comment '[false, true]'
unread 'to the author of the reply it is read' edit '[false, false]'
t 'an earlier time makes comments unread again' PUT $LL/last-look comment '{"until":"2020-01-01T00:00:00.000Z"}' 204 ''
unread 'as they were before' comment '[true, true]'
for do in '{"addedReactions":["1f44d"]}' '{"resolved":true}'; do
	at=$(say $LL edit Another)
	t "a reader answers by $do" PUT $LL/comments/$at comment "$do" 200 '.unread == false'
	t 'only this comment is read then' GET "$LL/comments?order=asc" comment '' 200 '[.items[].unread] | .[:2] == [true, true] and last == false'
	t 'to others it is unread' GET $LL/comments/$at read '' 200 .unread
done
send POST $LL/comments/$at/replies edit '{"body":{"markdown":"Once more"}}'
unread 'a reply after that is unread' comment '[true, true, false, true]'
t 'a time is needed' PUT $LL/last-look comment '{}' 400 '.fields[0].path == "/until"'
t 'and must be one' PUT $LL/last-look comment '{"until":"yesterday"}' 400 '.fields[0].path == "/until"'
t 'readers may mark comments as read' PUT $LL/last-look read '{"until":"2099-01-01T00:00:00.000Z"}' 204 ''
unread 'and have read all of them' read '[false, false, false, false]'
t 'a token that only reads may not' PUT $LL/last-look readonly '{"until":"2099-01-01T00:00:00.000Z"}' 403 ''
t 'the request of a stranger is not there' PUT $LL/last-look stranger '{"until":"2099-01-01T00:00:00.000Z"}' 404 ''
t 'comments of primary content have no such mark' GET $S/comments edit '' 200 '[.items[] | has("unread")] | any | not'
same 'each person has one row' 2 "$(sql "SELECT count(*) FROM last_look WHERE request = '$LLN'")"
