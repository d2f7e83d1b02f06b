# Collections, moves, transfers, permissions: qadm owns QORG and QTWO; qcre
# (create), qred (read) and qgst (guest) are in QORG.
for who in qadm qcre qred qgst; do user_new $who '' ''; done
t 'an organization of places' POST /v1/orgs qadm '{"title":"Places"}' 201 ''
QORG=$(jq -r .id "$out")
QO=/v1/orgs/$QORG
t 'a second one' POST /v1/orgs qadm '{"title":"Two"}' 201 ''
QTWO=$(jq -r .id "$out")
t 'people' POST $QO/invites qadm '{"emails":[{"email":"qcre@example.com","role":"create"},{"email":"qred@example.com","role":"read"},{"email":"qgst@example.com","role":null}]}' 200 ''
# made NAME PATH BODY: creates as qadm; the id in $ID
made() { t "make $1" POST "$2" qadm "$3" 201 ''; ID=$(jq -r .id "$out"); }
order_of() { sql "SELECT group_concat(id, ' ') FROM (SELECT id FROM (SELECT id, ord FROM space WHERE org = '$QORG' AND parent $1 AND deleted_at IS NULL
	UNION ALL SELECT id, ord FROM collection WHERE org = '$QORG' AND parent $1 AND deleted_at IS NULL) ORDER BY ord, id)"; }

made A $QO/collections '{"title":"A"}'; A=$ID
made B $QO/collections '{"title":"B","parent":"'$A'"}'; B=$ID
made C $QO/collections '{}'; C=$ID
t 'as it was made' GET /v1/collections/$C qadm '' 200 '. == {object: "collection", id: "'$C'", title: "Untitled", organization: "'$QORG'", defaultLevel: "inherit",
	urls: {location: "'$base'/v1/collections/'$C'", app: "'$base'/v1/collections/'$C'"}, permissions: {view: true, admin: true, viewInviteLinks: true, create: true}}'
made s1 $QO/spaces '{"title":"s1"}'; S1=$ID
made s2 $QO/spaces '{"title":"s2","parent":"'$B'"}'; S2=$ID
made s3 $QO/spaces '{"title":"s3","parent":"'$B'"}'; S3=$ID
t 'collections' GET $QO/collections qred '' 200 '.count == 3 and ([.items[].id] | sort) == (["'$A'", "'$B'", "'$C'"] | sort) and all(.items[]; .permissions == {view: true, admin: false, viewInviteLinks: false, create: false})'
t 'at the top alone' GET "$QO/collections?nested=false" qred '' 200 '[.items[].id] == ["'$A'", "'$C'"] and .count == 2'
t 'by pages' GET "$QO/collections?limit=1" qred '' 200 '(.items | length) == 1 and .count == 3'
t 'to a guest' GET $QO/collections qgst '' 200 '.count == 0'
t 'to others' GET $QO/collections other '' 404 ''
t 'spaces inside' GET /v1/collections/$B/spaces qred '' 200 '[.items[].id] == ["'$S2'", "'$S3'"] and .items[0].visibility == "in-collection"'
t 'none directly in A' GET /v1/collections/$A/spaces qred '' 200 '.count == 0'
t 'one more, by who may' POST $QO/collections qcre '{"title":"mine","parent":"'$C'"}' 201 '.permissions.admin'
MINE=$(jq -r .id "$out")
same 'Location' "$base/v1/collections/$MINE" "$(header location)"
t 'by who may not' POST $QO/collections qred '{}' 403 ''
t 'below one of others' POST $QO/collections qadm '{"parent":"'$COLLECTION_B'"}' 404 ''
t 'title of 51' POST $QO/collections qadm '{"title":"123456789012345678901234567890123456789012345678901"}' 400 ''
t 'edit' PATCH /v1/collections/$A qcre '{"title":"Alpha","description":"first"}' 200 '.title == "Alpha" and .description == "first"'
t 'description of 101' PATCH /v1/collections/$A qcre "{\"description\":\"$(head -c 101 /dev/zero | tr '\0' x)\"}" 400 '.fields[0].path == "/description"'
t 'edit by who may not' PATCH /v1/collections/$A qred '{"title":"X"}' 403 ''
t 'nobody gives above their own' PATCH /v1/collections/$A qcre '{"defaultLevel":"admin"}' 403 ''
t 'nor in spaces' PATCH /v1/spaces/$S1 qcre '{"defaultLevel":"admin"}' 403 ''
t 'a level for all in it' PATCH /v1/collections/$A qadm '{"defaultLevel":"comment"}' 200 '.defaultLevel == "comment"'
t 'for guests too' GET /v1/spaces/$S2 qgst '' 200 '.permissions | [.view, .comment, .edit] == [true, true, false]'
t 'it takes away as well' GET /v1/spaces/$S2 qcre '' 200 '.permissions | [.comment, .edit, .admin] == [true, false, false]'
t 'a level nearer by' PATCH /v1/collections/$B qadm '{"defaultLevel":null}' 200 '.defaultLevel == null'
t 'no access' GET /v1/spaces/$S2 qcre '' 404 ''
t 'nor to the collection' GET /v1/collections/$B qcre '' 404 ''
t 'nor in lists' GET "$QO/collections" qcre '' 200 '[.items[].id] | index("'$B'") == null'
t 'nor in counts' GET /v1/orgs/$QORG/spaces qcre '' 200 '.count == 1'
t 'counts of others count what I see' GET $QO/members/$U_qadm qcre '' 200 '.spaces == 1'
t 'an admin sees all, whatever the token' POST /v1/user/tokens qadm '{"scope":"write"}' 201 ''
jq -r .token "$out" >"$tmp/tokens/qwrite"
t 'list of a lesser token' GET /v1/orgs/$QORG/spaces qwrite '' 200 '.count == 3'
t 'collections of a lesser token' GET $QO/collections qwrite '' 200 '.count == 4 and all(.items[]; .permissions.admin)'
t 'inside, too' GET /v1/collections/$B/spaces qwrite '' 200 '.count == 2'
rm "$tmp/tokens/qwrite"
t 'inherit again' PATCH /v1/collections/$B qadm '{"defaultLevel":"inherit"}' 200 ''
t 'and A' PATCH /v1/collections/$A qadm '{"defaultLevel":"inherit"}' 200 ''

# Permissions.
t 'team for grants' PUT $QO/teams qadm '{"title":"T","members":["'$U_qred'"]}' 201 ''
TEAM_T=$(jq -r .id "$out")
SP=/v1/spaces/$S2/permissions
t 'grants' POST $SP qadm '{"role":"edit","users":["'$U_qgst'"],"teams":["'$TEAM_T'"]}' 204 ''
t 'the guest is in' GET /v1/spaces/$S2 qgst '' 200 '.permissions.edit'
t 'by the team' GET /v1/spaces/$S2 qred '' 200 '.permissions.edit'
t 'users' GET $SP/users qcre '' 200 '.count == 1 and .items[0].permission == "edit" and .items[0].user.id == "'$U_qgst'"'
t 'teams' GET $SP/teams qcre '' 200 '.count == 1 and .items[0].permission == "edit" and .items[0].team.id == "'$TEAM_T'" and .items[0].team.spaces == 1'
t 'all together' GET $SP/aggregate qcre '' 200 '.count == 4 and ([.items[] | {(.user.id): .permission}] | add) == {"'$U_qadm'": "admin", "'$U_qcre'": "create", "'$U_qred'": "edit", "'$U_qgst'": "edit"}'
t 'of one role' GET "$SP/aggregate?role=edit" qcre '' 200 '.count == 2'
t 'to who may not' GET $SP/users qred '' 403 ''
t 'not above one'"'"'s own' POST $SP qcre '{"role":"admin","users":["'$U_qred'"]}' 403 ''
t 'not to strangers' POST $SP qadm '{"role":"read","users":["'$U_other'"]}' 404 ''
t 'not to teams of others' POST $SP qadm '{"role":"read","teams":["'$TEAM_B'"]}' 404 ''
t 'to nobody' POST $SP qadm '{"role":"read"}' 400 ''
t 'less for the team' PATCH $SP/teams/$TEAM_T qcre '{"role":"comment"}' 204 ''
t 'at once' GET /v1/spaces/$S2 qred '' 200 '.permissions | [.comment, .edit] == [true, false]'
t 'before the team' POST $SP qadm '{"role":"read","users":["'$U_qred'"]}' 204 ''
t 'the user counts' GET /v1/spaces/$S2 qred '' 200 '.permissions | [.view, .comment] == [true, false]'
t 'no grant to change' PATCH $SP/users/$U_qcre qadm '{"role":"read"}' 404 ''
t 'null ends' PATCH $SP/users/$U_qred qadm '{"role":null}' 204 ''
t 'end' DELETE $SP/users/$U_qgst qcre '' 204 ''
t 'end twice' DELETE $SP/users/$U_qgst qcre '' 204 ''
t 'out at once' GET /v1/spaces/$S2 qgst '' 404 ''
CP=/v1/collections/$A/permissions
for at in $SP $CP; do
	t 'a grant under a key' POST $at qadm '{"role":"read","users":["'$U_qadm'"]}' 204 '' 'Idempotency-Key: places'
	t 'not with another body' POST $at qadm '{"role":"edit","users":["'$U_qadm'"]}' 409 '' 'Idempotency-Key: places'
	t 'end it' DELETE $at/users/$U_qadm qadm '' 204 ''
done
t 'on a collection' POST $CP qadm '{"role":"review","users":["'$U_qgst'"],"teams":["'$TEAM_T'"]}' 204 ''
t 'down to its spaces' GET /v1/spaces/$S3 qgst '' 200 '.permissions | [.review, .admin] == [true, false]'
t 'nearer before stronger' GET /v1/spaces/$S2 qred '' 200 '.permissions | [.comment, .review] == [true, false]'
t 'users there' GET $CP/users qadm '' 200 '.count == 1'
t 'teams there' GET $CP/teams qadm '' 200 '.items[0].team.spaces == 2'
t 'aggregate there' GET "$CP/aggregate?role=review" qadm '' 200 '.count == 2'
t 'spaces of a member' GET $QO/members/$U_qgst/spaces qadm '' 200 '.count == 2 and all(.items[]; .permission == "review") and ([.items[].space.id] | sort) == (["'$S2'", "'$S3'"] | sort)'
t 'in the other order' GET "$QO/members/$U_qgst/spaces?order=asc&limit=1" qadm '' 200 '.items[0].space.id == "'$S2'" and .count == 2'
t 'of a stranger' GET $QO/members/$U_other/spaces qadm '' 404 ''
t 'change there' PATCH $CP/users/$U_qgst qadm '{"role":"read"}' 204 ''
t 'change of the team there' PATCH $CP/teams/$TEAM_T qadm '{"role":"read"}' 204 ''
t 'end there' DELETE $CP/users/$U_qgst qadm '' 204 ''
t 'end of the team there' DELETE $CP/teams/$TEAM_T qadm '' 204 ''
t 'no such collection' DELETE /v1/collections/nope/permissions/users/$U_qgst qadm '' 404 ''
t 'no such space' DELETE /v1/spaces/nope/permissions/users/$U_qgst qadm '' 404 ''
t 'team on the space' DELETE $SP/teams/$TEAM_T qadm '' 204 ''

# Links to content.
t 'link to a space' POST $QO/link-invites qcre '{"level":"edit","space":"'$S2'"}' 201 '.level == "edit" and .redundant and .space.id == "'$S2'"'
LINK=$(jq -r .id "$out")
t 'strangers see where it leads' GET $QO/link-invites/$LINK stranger '' 200 '.redundant == false and .space.title == "s2" and .space.permissions.view == false'
t 'join' POST $QO/invites/$LINK stranger '' 200 ''
t 'a guest with a grant' GET /v1/spaces/$S2 stranger '' 200 '.permissions.edit'
t 'and nothing else' GET /v1/orgs/$QORG/spaces stranger '' 200 '.count == 1'
t 'links of the space' GET "$QO/link-invites?space=$S2" qcre '' 200 '[.items[].id] == ["'$LINK'"]'
t 'not in the other list' GET $QO/link-invites qadm '' 200 '.count == 0'
t 'too much' PATCH $QO/link-invites/$LINK qcre '{"level":"admin"}' 403 ''
t 'less' PATCH $QO/link-invites/$LINK qcre '{"level":"read"}' 200 '.level == "read"'
t 'by who may not' DELETE $QO/link-invites/$LINK qred '' 403 ''
t 'link to a collection' POST $QO/link-invites qadm '{"level":"read","collection":"'$A'"}' 201 '.collection.id == "'$A'"'
t 'links of the collection' GET "$QO/link-invites?collection=$A" qadm '' 200 '.count == 1'
t 'to a space of others' POST $QO/link-invites qadm '{"level":"read","space":"'$SPACE_B'"}' 404 ''
t 'of both kinds' POST $QO/link-invites qadm '{"level":"read","space":"'$S1'","collection":"'$A'"}' 400 ''
t 'leave' DELETE $QO/members/$U_stranger qadm '' 204 ''
t 'grants left with it' GET $SP/users qadm '' 200 '.count == 0'

# Moves: the top is A C s1.
same 'order at the top' "$A $C $S1" "$(order_of 'IS NULL')"
t 'before' POST /v1/spaces/$S1/move qadm '{"position":{"before":{"type":"collection","collection":"'$A'"}}}' 200 '.id == "'$S1'"'
same 'moved before' "$S1 $A $C" "$(order_of 'IS NULL')"
t 'again' POST /v1/spaces/$S1/move qadm '{"position":{"before":{"type":"collection","collection":"'$A'"}}}' 409 ''
t 'after' POST /v1/collections/$C/move qadm '{"position":{"after":{"type":"space","space":"'$S1'"}}}' 200 ''
same 'moved after' "$S1 $C $A" "$(order_of 'IS NULL')"
t 'after, again' POST /v1/collections/$C/move qadm '{"position":{"after":{"type":"space","space":"'$S1'"}}}' 409 ''
t 'to the end' POST /v1/spaces/$S1/move qadm '{"parent":null}' 200 'has("parent") | not'
same 'moved to the end' "$C $A $S1" "$(order_of 'IS NULL')"
t 'at the end already' POST /v1/spaces/$S1/move qadm '{"parent":null}' 409 ''
t 'nothing said' POST /v1/spaces/$S1/move qadm '{}' 400 ''
t 'into' POST /v1/spaces/$S1/move qadm '{"parent":"'$B'","position":{"before":{"type":"space","space":"'$S3'"}}}' 200 '.parent == "'$B'" and .visibility == "in-collection"'
same 'order in B' "$S2 $S1 $S3" "$(order_of "= '$B'")"
t 'of another parent' POST /v1/spaces/$S1/move qadm '{"position":{"before":{"type":"collection","collection":"'$C'"}}}' 400 '.error.message | test("invalid position")'
t 'itself' POST /v1/spaces/$S1/move qadm '{"position":{"before":{"type":"space","space":"'$S1'"}}}' 400 ''
t 'both sides' POST /v1/spaces/$S1/move qadm '{"position":{"before":{"type":"space","space":"'$S2'"},"after":{"type":"space","space":"'$S3'"}}}' 400 ''
t 'a position that names nothing' POST /v1/spaces/$S1/move qadm '{"position":{}}' 400 '.fields[0].path == "/position"'
t 'nor of a collection' POST /v1/collections/$C/move qadm '{"parent":null,"position":{}}' 400 '.fields[0].path == "/position"'
t 'one of others' POST /v1/spaces/$S1/move qadm '{"position":{"before":{"type":"space","space":"'$SPACE_B'"}}}' 404 ''
t 'below one of others' POST /v1/spaces/$S1/move qadm '{"parent":"'$COLLECTION_B'"}' 404 ''
t 'into itself' POST /v1/collections/$A/move qadm '{"parent":"'$A'"}' 400 '.fields[0].path == "/parent"'
t 'into what it holds' POST /v1/collections/$A/move qadm '{"parent":"'$B'"}' 400 '.fields[0].path == "/parent"'
t 'by who may not' POST /v1/spaces/$S1/move qred '{"parent":null}' 403 ''
t 'where one may not' PATCH /v1/collections/$C qadm '{"defaultLevel":"read"}' 200 ''
t 'not there' POST /v1/spaces/$S1/move qcre '{"parent":"'$C'"}' 403 ''
t 'level back' PATCH /v1/collections/$C qadm '{"defaultLevel":"inherit"}' 200 ''
t 'repeated' POST /v1/spaces/$S1/move qadm '{"parent":null}' 200 ''
n=0
while [ $n -lt 24 ]; do
	send POST /v1/spaces/$S1/move qadm '{"position":{"before":{"type":"collection","collection":"'$A'"}}}'
	send POST /v1/collections/$C/move qadm '{"position":{"before":{"type":"collection","collection":"'$A'"}}}'
	n=$((n + 1))
done
same 'between the same two again and again' "$S1 $C $A" "$(order_of 'IS NULL')"
deep=$C n=1
while [ $n -lt 32 ]; do
	send POST $QO/collections qadm '{"parent":"'$deep'"}'
	deep=$(jq -r .id "$out") n=$((n + 1))
done
t 'deep enough' POST $QO/collections qadm '{"parent":"'$deep'"}' 400 '.fields[0].path == "/parent"'
t 'nor by a move' POST /v1/collections/$A/move qadm '{"parent":"'$deep'"}' 400 '.fields[0].path == "/parent"'
t 'a space fits' POST $QO/spaces qadm '{"parent":"'$deep'"}' 201 ''
t 'and is reached' GET /v1/spaces/$(jq -r .id "$out") qcre '' 200 '.permissions.admin'

# Deleting takes all that is inside; a space comes back to the nearest living parent.
t 'delete B' DELETE /v1/collections/$B qcre '' 204 ''
t 'delete it twice' DELETE /v1/collections/$B qcre '' 204 ''
t 'gone' GET /v1/collections/$B qadm '' 404 ''
t 'its spaces too' GET /v1/spaces/$S2 qadm '' 200 'has("deletedAt")'
t 'restore' POST /v1/spaces/$S2/restore qcre '' 200 '.parent == "'$A'" and (has("deletedAt") | not)'
# A space that comes back finds its place taken, or is in another parent.
made four $QO/collections '{"title":"four"}'; FOUR=$ID
for n in one two three four; do made $n $QO/spaces '{"title":"'$n'","parent":"'$FOUR'"}'; eval "R_$n=$ID"; done
after_one='{"position":{"after":{"type":"space","space":"'$R_one'"}}}'
t 'three after one' POST /v1/spaces/$R_three/move qadm "$after_one" 200 ''
t 'out' DELETE /v1/spaces/$R_three qadm '' 204 ''
t 'four takes its place' POST /v1/spaces/$R_four/move qadm "$after_one" 200 ''
t 'three is back' POST /v1/spaces/$R_three/restore qadm '' 200 ''
t 'right after it' GET /v1/collections/$FOUR/spaces qadm '' 200 '[.items[].title] == ["one", "four", "three", "two"]'
t 'between the two' POST /v1/spaces/$R_two/move qadm '{"position":{"before":{"type":"space","space":"'$R_three'"}}}' 200 ''
t 'there is room' GET /v1/collections/$FOUR/spaces qadm '' 200 '[.items[].title] == ["one", "four", "two", "three"]'
t 'out once more' DELETE /v1/spaces/$R_one qadm '' 204 ''
t 'back to its place' POST /v1/spaces/$R_one/restore qadm '' 200 ''
t 'at the beginning' GET /v1/collections/$FOUR/spaces qadm '' 200 '[.items[].title] == ["one", "four", "two", "three"]'
t 'all out' DELETE /v1/collections/$FOUR qadm '' 204 ''
t 'back, elsewhere' POST /v1/spaces/$R_one/restore qadm '' 200 'has("parent") | not'
same 'at the end' "$R_one" "$(order_of 'IS NULL' | sed 's/.* //')"
t 'and out' DELETE /v1/spaces/$R_one qadm '' 204 ''

# Transfers.
T=/v1/spaces/$S2/transfer
t 'grant before' POST $SP qadm '{"role":"edit","users":["'$U_qgst'"]}' 204 ''
t 'nowhere new' POST $T qadm '{"organization":"'$QORG'"}' 409 ''
t 'to others' POST $T qadm '{"organization":"'$ORG_B'"}' 404 ''
t 'by who is not there' POST $T qcre '{"organization":"'$QTWO'"}' 404 ''
t 'where one may only read' POST /v1/orgs/$QTWO/invites qadm '{"emails":["qcre@example.com"],"role":"read"}' 200 ''
t 'not enough there' POST $T qcre '{"organization":"'$QTWO'"}' 403 ''
t 'not enough here' POST $T qred '{"organization":"'$QTWO'"}' 403 ''
sql "INSERT INTO job (id, kind, space, run_at, created_at) VALUES ('qjob', 'none', '$S2', 9000000000000000, 0)"
t 'while work is under way' POST $T qadm '{"organization":"'$QTWO'"}' 412 ''
sql "UPDATE job SET state = 'cancelled' WHERE id = 'qjob'" "DELETE FROM job WHERE id = 'qjob'"
t 'transfer' POST $T qadm '{"organization":"'$QTWO'"}' 200 '.organization == "'$QTWO'" and (has("parent") | not)'
t 'out of the old' GET /v1/spaces/$S2 qgst '' 404 ''
t 'into the new' GET /v1/spaces/$S2 qcre '' 200 '.permissions | [.view, .comment] == [true, false]'
t 'no grants' GET $SP/users qadm '' 200 '.count == 0'
made D $QO/collections '{"title":"D","parent":"'$A'"}'; D=$ID
made s4 $QO/spaces '{"parent":"'$D'"}'; S4=$ID
made s5 $QO/spaces '{"parent":"'$D'"}'; S5=$ID
t 'one is hidden' PATCH /v1/spaces/$S4 qadm '{"defaultLevel":null}' 200 ''
t 'create there' PATCH /v1/orgs/$QTWO/members/$U_qcre qadm '{"role":"create"}' 200 ''
t 'what one may not see does not go' POST /v1/collections/$A/transfer qcre '{"organization":"'$QTWO'"}' 412 ''
t 'deleted before' DELETE /v1/spaces/$S5 qadm '' 204 ''
t 'a collection goes' POST /v1/collections/$A/transfer qadm '{"organization":"'$QTWO'"}' 200 '.organization == "'$QTWO'"'
t 'with what is in it' GET /v1/collections/$D qadm '' 200 '.organization == "'$QTWO'" and .parent == "'$A'"'
t 'and in that' GET /v1/spaces/$S4 qadm '' 200 '.organization == "'$QTWO'" and .parent == "'$D'"'
t 'what was deleted stays' POST /v1/spaces/$S5/restore qadm '' 200 '.organization == "'$QORG'" and (has("parent") | not)'
t 'recorded on both sides' GET "/v1/orgs/$QTWO/audit-events?action=collection.transferred&target=$A" qadm '' 200 '.count == 1'
t 'recorded here' GET "$QO/audit-events?action=collection.transferred&target=$A" qadm '' 200 '.count == 1'
t 'for what is in it as well' GET "/v1/orgs/$QTWO/audit-events?action=space.transferred&target=$S4" qadm '' 200 '.count == 1'
t 'and collections' GET "$QO/audit-events?action=collection.transferred&target=$D" qadm '' 200 '.count == 1'
t 'not for what stays' GET "$QO/audit-events?action=space.transferred&target=$S5" qadm '' 200 '.count == 0'
t 'again' POST /v1/collections/$A/transfer qadm '{"organization":"'$QTWO'"}' 409 ''
