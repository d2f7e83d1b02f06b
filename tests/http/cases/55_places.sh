# Collections, moves, transfers, permissions: qadm owns QORG and QTWO; qcre
# (create), qred (read) and qgst (guest) are in QORG.
for who in qadm qcre qred qgst; do user_new $who '' ''; done
t 'an organization of places is created' POST /v1/orgs qadm '{"title":"Places"}' 201 ''
QORG=$(jq -r .id "$out")
QO=/v1/orgs/$QORG
t 'a second organization is created' POST /v1/orgs qadm '{"title":"Two"}' 201 ''
QTWO=$(jq -r .id "$out")
t 'users are invited with their roles' POST $QO/invites qadm '{"emails":[{"email":"qcre@example.com","role":"create"},{"email":"qred@example.com",
	"role":"read"},{"email":"qgst@example.com","role":null}]}' 200 ''
# made NAME PATH BODY: creates an object as qadm; sets $ID
made() { t "$1 is created" POST "$2" qadm "$3" 201 ''; ID=$(jq -r .id "$out"); }
order_of() { sql "SELECT group_concat(id, ' ') FROM (SELECT id FROM (SELECT id, ord FROM space WHERE org = '$QORG' AND parent $1 AND deleted_at IS NULL
	UNION ALL SELECT id, ord FROM collection WHERE org = '$QORG' AND parent $1 AND deleted_at IS NULL) AS placed ORDER BY ord, id) AS sorted"; }

made A $QO/collections '{"title":"A"}'; A=$ID
made B $QO/collections '{"title":"B","parent":"'$A'"}'; B=$ID
made C $QO/collections '{}'; C=$ID
t 'a collection without a title has its defaults' GET /v1/collections/$C qadm '' 200 \
	'. == {object: "collection", id: "'$C'", title: "Untitled", organization: "'$QORG'", defaultLevel: "inherit",
	urls: {location: "'$base'/v1/collections/'$C'", app: "'$base'/app/orgs/'$QORG'#c-'$C'"}, permissions: {view: true, admin: true,
		viewInviteLinks: true, create: true}}'
made s1 $QO/spaces '{"title":"s1"}'; S1=$ID
made s2 $QO/spaces '{"title":"s2","parent":"'$B'"}'; S2=$ID
made s3 $QO/spaces '{"title":"s3","parent":"'$B'"}'; S3=$ID
t 'a reader lists all collections without admin rights' GET $QO/collections qred '' 200 \
	'.count == 3 and ([.items[].id] | sort) == (["'$A'", "'$B'", "'$C'"] | sort) and all(.items[]; .permissions == {view: true, admin: false,
	viewInviteLinks: false, create: false})'
t 'collections at the top are listed alone' GET "$QO/collections?nested=false" qred '' 200 '[.items[].id] == ["'$A'", "'$C'"] and .count == 2'
t 'collections are listed by pages' GET "$QO/collections?limit=1" qred '' 200 '(.items | length) == 1 and .count == 3'
t 'a guest lists no collection' GET $QO/collections qgst '' 200 '.count == 0'
t 'another organization gets 404 for collections' GET $QO/collections other '' 404 ''
t 'spaces of a collection are listed' GET /v1/collections/$B/spaces qred '' 200 \
	'[.items[].id] == ["'$S2'", "'$S3'"] and .items[0].visibility == "in-collection"'
t 'spaces of inner collections are not listed with the outer one' GET /v1/collections/$A/spaces qred '' 200 '.count == 0'
t 'a creator creates a collection' POST $QO/collections qcre '{"title":"mine","parent":"'$C'"}' 201 '.permissions.admin'
MINE=$(jq -r .id "$out")
same 'a created collection is named in Location' "$base/v1/collections/$MINE" "$(header location)"
t 'a reader creates no collection' POST $QO/collections qred '{}' 403 ''
t 'a parent of another organization answers 404' POST $QO/collections qadm '{"parent":"'$COLLECTION_B'"}' 404 ''
t 'a collection title of 51 characters is refused' POST $QO/collections qadm '{"title":"123456789012345678901234567890123456789012345678901"}' 400 ''
t 'a creator edits a collection' PATCH /v1/collections/$A qcre '{"title":"Alpha","description":"first"}' 200 '.title == "Alpha" and .description == "first"'
t 'a description of 101 characters is refused' PATCH /v1/collections/$A qcre "{\"description\":\"$(head -c 101 /dev/zero | tr '\0' x)\"}" 400 \
	'.fields[0].path == "/description"'
t 'a reader edits no collection' PATCH /v1/collections/$A qred '{"title":"X"}' 403 ''
t 'a creator does not set the default level admin on a collection' PATCH /v1/collections/$A qcre '{"defaultLevel":"admin"}' 403 ''
t 'a creator does not set the default level admin on a space' PATCH /v1/spaces/$S1 qcre '{"defaultLevel":"admin"}' 403 ''
t 'the default level of a collection is set' PATCH /v1/collections/$A qadm '{"defaultLevel":"comment"}' 200 '.defaultLevel == "comment"'
t 'a default level of a collection opens its spaces to guests' GET /v1/spaces/$S2 qgst '' 200 '.permissions | [.view, .comment, .edit] == [true, true, false]'
t 'a default level of a collection lowers the role of creators' GET /v1/spaces/$S2 qcre '' 200 \
	'.permissions | [.comment, .edit, .admin] == [true, false, false]'
t 'an inner collection is closed' PATCH /v1/collections/$B qadm '{"defaultLevel":null}' 200 '.defaultLevel == null'
t 'a space in a closed collection answers 404' GET /v1/spaces/$S2 qcre '' 404 ''
t 'a closed collection answers 404' GET /v1/collections/$B qcre '' 404 ''
t 'a closed collection is not listed' GET "$QO/collections" qcre '' 200 '[.items[].id] | index("'$B'") == null'
t 'spaces of a closed collection are not counted' GET /v1/orgs/$QORG/spaces qcre '' 200 '.count == 1'
t 'a member counts only spaces that they see' GET $QO/members/$U_qadm qcre '' 200 '.spaces == 1'
t 'a write token of an admin is created' POST /v1/user/tokens qadm '{"scope":"write"}' 201 ''
jq -r .token "$out" >"$tmp/tokens/qwrite"
t 'a write token of an admin lists all spaces' GET /v1/orgs/$QORG/spaces qwrite '' 200 '.count == 3'
t 'a write token of an admin lists all collections' GET $QO/collections qwrite '' 200 '.count == 4 and all(.items[]; .permissions.admin)'
t 'a write token of an admin lists spaces of a closed collection' GET /v1/collections/$B/spaces qwrite '' 200 '.count == 2'
rm "$tmp/tokens/qwrite"
t 'the inner collection inherits again' PATCH /v1/collections/$B qadm '{"defaultLevel":"inherit"}' 200 ''
t 'the outer collection inherits again' PATCH /v1/collections/$A qadm '{"defaultLevel":"inherit"}' 200 ''

# Permissions.
t 'a team for grants is created' PUT $QO/teams qadm '{"title":"T","members":["'$U_qred'"]}' 201 ''
TEAM_T=$(jq -r .id "$out")
SP=/v1/spaces/$S2/permissions
t 'a user and a team get a role on a space' POST $SP qadm '{"role":"edit","users":["'$U_qgst'"],"teams":["'$TEAM_T'"]}' 204 ''
t 'a guest with a grant edits the space' GET /v1/spaces/$S2 qgst '' 200 '.permissions.edit'
t 'a member of a team with a grant edits the space' GET /v1/spaces/$S2 qred '' 200 '.permissions.edit'
t 'grants of users are listed' GET $SP/users qcre '' 200 '.count == 1 and .items[0].permission == "edit" and .items[0].user.id == "'$U_qgst'"'
t 'grants of teams are listed' GET $SP/teams qcre '' 200 '.count == 1 and .items[0].permission == "edit" and .items[0].team.id == "'$TEAM_T'"
	and .items[0].team.spaces == 1'
t 'who has which role on a space is listed' GET $SP/aggregate qcre '' 200 \
	'.count == 4 and ([.items[] | {(.user.id): .permission}] | add) == {"'$U_qadm'": "admin", "'$U_qcre'": "create", "'$U_qred'": "edit",
	"'$U_qgst'": "edit"}'
t 'who has one role is listed' GET "$SP/aggregate?role=edit" qcre '' 200 '.count == 2'
t 'a reader may not list grants' GET $SP/users qred '' 403 ''
t 'a grant above the own role is refused'"'"'s own' POST $SP qcre '{"role":"admin","users":["'$U_qred'"]}' 403 ''
t 'a grant to a stranger answers 404' POST $SP qadm '{"role":"read","users":["'$U_other'"]}' 404 ''
t 'a grant to a team of others answers 404' POST $SP qadm '{"role":"read","teams":["'$TEAM_B'"]}' 404 ''
t 'a grant to nobody is refused' POST $SP qadm '{"role":"read"}' 400 ''
t 'the grant of a team is lowered' PATCH $SP/teams/$TEAM_T qcre '{"role":"comment"}' 204 ''
t 'a lowered grant binds the members of the team' GET /v1/spaces/$S2 qred '' 200 '.permissions | [.comment, .edit] == [true, false]'
t 'a member of the team gets a grant of their own' POST $SP qadm '{"role":"read","users":["'$U_qred'"]}' 204 ''
t 'the grant of a user goes before that of their team' GET /v1/spaces/$S2 qred '' 200 '.permissions | [.view, .comment] == [true, false]'
t 'a grant that is not there cannot be changed' PATCH $SP/users/$U_qcre qadm '{"role":"read"}' 404 ''
t 'the role null ends a grant' PATCH $SP/users/$U_qred qadm '{"role":null}' 204 ''
t 'a grant of a user is ended' DELETE $SP/users/$U_qgst qcre '' 204 ''
t 'an ended grant may be ended again' DELETE $SP/users/$U_qgst qcre '' 204 ''
t 'a guest without a grant gets 404' GET /v1/spaces/$S2 qgst '' 404 ''
CP=/v1/collections/$A/permissions
for at in $SP $CP; do
	t 'a grant is made with an idempotency key' POST $at qadm '{"role":"read","users":["'$U_qadm'"]}' 204 '' 'Idempotency-Key: places'
	t 'an idempotency key with another body is refused' POST $at qadm '{"role":"edit","users":["'$U_qadm'"]}' 409 '' 'Idempotency-Key: places'
	t 'the grant with the key is ended' DELETE $at/users/$U_qadm qadm '' 204 ''
done
t 'a user and a team get a role on a collection' POST $CP qadm '{"role":"review","users":["'$U_qgst'"],"teams":["'$TEAM_T'"]}' 204 ''
t 'a grant on a collection opens its spaces' GET /v1/spaces/$S3 qgst '' 200 '.permissions | [.review, .admin] == [true, false]'
t 'a grant on the space goes before a higher one on the collection' GET /v1/spaces/$S2 qred '' 200 '.permissions | [.comment, .review] == [true, false]'
t 'grants of users on a collection are listed' GET $CP/users qadm '' 200 '.count == 1'
t 'a team counts the spaces of its collection' GET $CP/teams qadm '' 200 '.items[0].team.spaces == 2'
t 'who has one role on a collection is listed' GET "$CP/aggregate?role=review" qadm '' 200 '.count == 2'
t 'spaces of a member are listed with the role' GET $QO/members/$U_qgst/spaces qadm '' 200 \
	'.count == 2 and all(.items[]; .permission == "review") and ([.items[].space.id] | sort) == (["'$S2'", "'$S3'"] | sort)'
t 'spaces of a member are listed oldest first' GET "$QO/members/$U_qgst/spaces?order=asc&limit=1" qadm '' 200 '.items[0].space.id == "'$S2'" and .count == 2'
t 'spaces of a stranger answer 404' GET $QO/members/$U_other/spaces qadm '' 404 ''
t 'the grant of a user on a collection is changed' PATCH $CP/users/$U_qgst qadm '{"role":"read"}' 204 ''
t 'the grant of a team on a collection is changed' PATCH $CP/teams/$TEAM_T qadm '{"role":"read"}' 204 ''
t 'the grant of a user on a collection is ended' DELETE $CP/users/$U_qgst qadm '' 204 ''
t 'the grant of a team on a collection is ended' DELETE $CP/teams/$TEAM_T qadm '' 204 ''
t 'the end of a grant on an unknown collection answers 404' DELETE /v1/collections/nope/permissions/users/$U_qgst qadm '' 404 ''
t 'the end of a grant on an unknown space answers 404' DELETE /v1/spaces/nope/permissions/users/$U_qgst qadm '' 404 ''
t 'the grant of the team on the space is ended' DELETE $SP/teams/$TEAM_T qadm '' 204 ''

# Links to content.
t 'a creator creates a link to a space' POST $QO/link-invites qcre '{"level":"edit","space":"'$S2'"}' 201 \
	'.level == "edit" and .redundant and .space.id == "'$S2'"'
LINK=$(jq -r .id "$out")
t 'a stranger reads the title of the space of a link' GET $QO/link-invites/$LINK stranger '' 200 \
	'.redundant == false and .space.title == "s2" and .space.permissions.view == false'
t 'a stranger joins by a link to a space' POST $QO/invites/$LINK stranger '' 200 ''
t 'who joined by a link has its level on the space' GET /v1/spaces/$S2 stranger '' 200 '.permissions.edit'
t 'who joined by a link sees no other space' GET /v1/orgs/$QORG/spaces stranger '' 200 '.count == 1'
t 'links of a space are listed' GET "$QO/link-invites?space=$S2" qcre '' 200 '[.items[].id] == ["'$LINK'"]'
t 'a link to a space is not among those of the organization' GET $QO/link-invites qadm '' 200 '.count == 0'
t 'a level above the own role is refused for a link' PATCH $QO/link-invites/$LINK qcre '{"level":"admin"}' 403 ''
t 'the level of a link is lowered' PATCH $QO/link-invites/$LINK qcre '{"level":"read"}' 200 '.level == "read"'
t 'a reader deletes no link' DELETE $QO/link-invites/$LINK qred '' 403 ''
t 'a link to a collection is created' POST $QO/link-invites qadm '{"level":"read","collection":"'$A'"}' 201 '.collection.id == "'$A'"'
t 'links of a collection are listed' GET "$QO/link-invites?collection=$A" qadm '' 200 '.count == 1'
t 'a link to a space of others answers 404' POST $QO/link-invites qadm '{"level":"read","space":"'$SPACE_B'"}' 404 ''
t 'a link to a space and a collection is refused' POST $QO/link-invites qadm '{"level":"read","space":"'$S1'","collection":"'$A'"}' 400 ''
t 'who joined by the link is removed' DELETE $QO/members/$U_stranger qadm '' 204 ''
t 'grants of a removed member are ended' GET $SP/users qadm '' 200 '.count == 0'

# Moves: the top level is A C s1.
same 'the top has the order of creation' "$A $C $S1" "$(order_of 'IS NULL')"
t 'a space moves before a collection' POST /v1/spaces/$S1/move qadm '{"position":{"before":{"type":"collection","collection":"'$A'"}}}' 200 '.id == "'$S1'"'
same 'a moved space stands before the collection' "$S1 $A $C" "$(order_of 'IS NULL')"
t 'a move to the same place is refused' POST /v1/spaces/$S1/move qadm '{"position":{"before":{"type":"collection","collection":"'$A'"}}}' 409 ''
t 'a collection moves after a space' POST /v1/collections/$C/move qadm '{"position":{"after":{"type":"space","space":"'$S1'"}}}' 200 ''
same 'a moved collection stands after the space' "$S1 $C $A" "$(order_of 'IS NULL')"
t 'a move after the same space is refused' POST /v1/collections/$C/move qadm '{"position":{"after":{"type":"space","space":"'$S1'"}}}' 409 ''
t 'a move without a position goes to the end' POST /v1/spaces/$S1/move qadm '{"parent":null}' 200 'has("parent") | not'
same 'a space that moved to the end is last' "$C $A $S1" "$(order_of 'IS NULL')"
t 'a move to the end of what is last is refused' POST /v1/spaces/$S1/move qadm '{"parent":null}' 409 ''
t 'a move that says nothing is refused' POST /v1/spaces/$S1/move qadm '{}' 400 ''
t 'a space moves into a collection before another' POST /v1/spaces/$S1/move qadm \
	'{"parent":"'$B'","position":{"before":{"type":"space","space":"'$S3'"}}}' 200 '.parent == "'$B'" and .visibility == "in-collection"'
same 'a space that moved in stands before the other' "$S2 $S1 $S3" "$(order_of "= '$B'")"
t 'a position in another parent is refused' POST /v1/spaces/$S1/move qadm '{"position":{"before":{"type":"collection","collection":"'$C'"}}}' 400 \
	'.error.message | test("invalid position")'
t 'a position beside itself is refused' POST /v1/spaces/$S1/move qadm '{"position":{"before":{"type":"space","space":"'$S1'"}}}' 400 ''
t 'positions before and after together are refused' POST /v1/spaces/$S1/move qadm \
	'{"position":{"before":{"type":"space","space":"'$S2'"},"after":{"type":"space","space":"'$S3'"}}}' 400 ''
t 'an empty position of a space is refused' POST /v1/spaces/$S1/move qadm '{"position":{}}' 400 '.fields[0].path == "/position"'
t 'an empty position of a collection is refused' POST /v1/collections/$C/move qadm '{"parent":null,"position":{}}' 400 '.fields[0].path == "/position"'
t 'a position beside a space of others answers 404' POST /v1/spaces/$S1/move qadm '{"position":{"before":{"type":"space","space":"'$SPACE_B'"}}}' 404 ''
t 'a parent of another organization answers 404' POST /v1/spaces/$S1/move qadm '{"parent":"'$COLLECTION_B'"}' 404 ''
t 'a collection cannot be moved into itself' POST /v1/collections/$A/move qadm '{"parent":"'$A'"}' 400 '.fields[0].path == "/parent"'
t 'a collection cannot be moved into its own descendant' POST /v1/collections/$A/move qadm '{"parent":"'$B'"}' 400 '.fields[0].path == "/parent"'
t 'a reader moves no space' POST /v1/spaces/$S1/move qred '{"parent":null}' 403 ''
t 'the default level of a collection is lowered to read' PATCH /v1/collections/$C qadm '{"defaultLevel":"read"}' 200 ''
t 'a creator who may only read a collection moves nothing into it' POST /v1/spaces/$S1/move qcre '{"parent":"'$C'"}' 403 ''
t 'the collection inherits again' PATCH /v1/collections/$C qadm '{"defaultLevel":"inherit"}' 200 ''
t 'the space moves to the top' POST /v1/spaces/$S1/move qadm '{"parent":null}' 200 ''
n=0
while [ $n -lt 24 ]; do
	send POST /v1/spaces/$S1/move qadm '{"position":{"before":{"type":"collection","collection":"'$A'"}}}'
	send POST /v1/collections/$C/move qadm '{"position":{"before":{"type":"collection","collection":"'$A'"}}}'
	n=$((n + 1))
done
same '48 moves between the same two keep the order' "$S1 $C $A" "$(order_of 'IS NULL')"
deep=$C n=1
while [ $n -lt 32 ]; do
	send POST $QO/collections qadm '{"parent":"'$deep'"}'
	deep=$(jq -r .id "$out") n=$((n + 1))
done
t 'a collection on level 34 is refused' POST $QO/collections qadm '{"parent":"'$deep'"}' 400 '.fields[0].path == "/parent"'
t 'a collection cannot be moved below the deepest level' POST /v1/collections/$A/move qadm '{"parent":"'$deep'"}' 400 '.fields[0].path == "/parent"'
t 'a space is created on the deepest level' POST $QO/spaces qadm '{"parent":"'$deep'"}' 201 ''
t 'a space on the deepest level is readable' GET /v1/spaces/$(jq -r .id "$out") qcre '' 200 '.permissions.admin'

# Deleting a collection deletes everything inside; a space is restored to the nearest living parent.
t 'a collection is deleted' DELETE /v1/collections/$B qcre '' 204 ''
t 'a deleted collection may be deleted again' DELETE /v1/collections/$B qcre '' 204 ''
t 'a deleted collection answers 404' GET /v1/collections/$B qadm '' 404 ''
t 'spaces of a deleted collection are deleted' GET /v1/spaces/$S2 qadm '' 200 'has("deletedAt")'
t 'a space of a deleted collection is restored into the living parent' POST /v1/spaces/$S2/restore qcre '' 200 '.parent == "'$A'" and (has("deletedAt") | not)'
# A restored space whose position is taken, or that gets another parent.
made four $QO/collections '{"title":"four"}'; FOUR=$ID
for n in one two three four; do made $n $QO/spaces '{"title":"'$n'","parent":"'$FOUR'"}'; eval "R_$n=$ID"; done
after_one='{"position":{"after":{"type":"space","space":"'$R_one'"}}}'
t 'the third space moves after the first' POST /v1/spaces/$R_three/move qadm "$after_one" 200 ''
t 'the third space is deleted' DELETE /v1/spaces/$R_three qadm '' 204 ''
t 'the fourth space moves to the place of the third' POST /v1/spaces/$R_four/move qadm "$after_one" 200 ''
t 'the third space is restored' POST /v1/spaces/$R_three/restore qadm '' 200 ''
t 'a restored space stands after what took its place' GET /v1/collections/$FOUR/spaces qadm '' 200 '[.items[].title] == ["one", "four", "three", "two"]'
t 'another space moves between the two' POST /v1/spaces/$R_two/move qadm '{"position":{"before":{"type":"space","space":"'$R_three'"}}}' 200 ''
t 'there is room between a restored space and its neighbour' GET /v1/collections/$FOUR/spaces qadm '' 200 '[.items[].title] == ["one", "four", "two", "three"]'
t 'the first space is deleted' DELETE /v1/spaces/$R_one qadm '' 204 ''
t 'the first space is restored' POST /v1/spaces/$R_one/restore qadm '' 200 ''
t 'a restored first space is the first again' GET /v1/collections/$FOUR/spaces qadm '' 200 '[.items[].title] == ["one", "four", "two", "three"]'
t 'the collection is deleted' DELETE /v1/collections/$FOUR qadm '' 204 ''
t 'a space of the deleted collection is restored to the top' POST /v1/spaces/$R_one/restore qadm '' 200 'has("parent") | not'
same 'a space restored to the top is the last there' "$R_one" "$(order_of 'IS NULL' | sed 's/.* //')"
t 'the restored space is deleted' DELETE /v1/spaces/$R_one qadm '' 204 ''

# Transfers.
T=/v1/spaces/$S2/transfer
t 'a grant on the space is made' POST $SP qadm '{"role":"edit","users":["'$U_qgst'"]}' 204 ''
t 'a transfer into the same organization is refused' POST $T qadm '{"organization":"'$QORG'"}' 409 ''
t 'a transfer into an organization of others answers 404' POST $T qadm '{"organization":"'$ORG_B'"}' 404 ''
t 'a transfer by who is in one organization alone answers 404' POST $T qcre '{"organization":"'$QTWO'"}' 404 ''
t 'the creator becomes a reader of the second organization' POST /v1/orgs/$QTWO/invites qadm '{"emails":["qcre@example.com"],"role":"read"}' 200 ''
t 'a transfer needs more than reading there' POST $T qcre '{"organization":"'$QTWO'"}' 403 ''
t 'a transfer needs more than reading here' POST $T qred '{"organization":"'$QTWO'"}' 403 ''
sql "INSERT INTO job (id, kind, space, run_at, created_at) VALUES ('qjob', 'none', '$S2', 9000000000000000, 0)"
t 'a space with a queued job is not transferred' POST $T qadm '{"organization":"'$QTWO'"}' 412 ''
sql "UPDATE job SET state = 'cancelled' WHERE id = 'qjob'" "DELETE FROM job WHERE id = 'qjob'"
t 'a space is transferred' POST $T qadm '{"organization":"'$QTWO'"}' 200 '.organization == "'$QTWO'" and (has("parent") | not)'
t 'a grant does not survive a transfer' GET /v1/spaces/$S2 qgst '' 404 ''
t 'a transferred space follows the roles of its new organization' GET /v1/spaces/$S2 qcre '' 200 '.permissions | [.view, .comment] == [true, false]'
t 'a transferred space has no grants' GET $SP/users qadm '' 200 '.count == 0'
made D $QO/collections '{"title":"D","parent":"'$A'"}'; D=$ID
made s4 $QO/spaces '{"parent":"'$D'"}'; S4=$ID
made s5 $QO/spaces '{"parent":"'$D'"}'; S5=$ID
t 'a space in the collection is hidden' PATCH /v1/spaces/$S4 qadm '{"defaultLevel":null}' 200 ''
t 'the creator may create in the second organization' PATCH /v1/orgs/$QTWO/members/$U_qcre qadm '{"role":"create"}' 200 ''
t 'a collection with a hidden space is not transferred' POST /v1/collections/$A/transfer qcre '{"organization":"'$QTWO'"}' 412 ''
t 'a space in the collection is deleted' DELETE /v1/spaces/$S5 qadm '' 204 ''
t 'a collection is transferred' POST /v1/collections/$A/transfer qadm '{"organization":"'$QTWO'"}' 200 '.organization == "'$QTWO'"'
t 'inner collections are transferred with it' GET /v1/collections/$D qadm '' 200 '.organization == "'$QTWO'" and .parent == "'$A'"'
t 'spaces of inner collections are transferred with it' GET /v1/spaces/$S4 qadm '' 200 '.organization == "'$QTWO'" and .parent == "'$D'"'
t 'a deleted space is restored in its old organization' POST /v1/spaces/$S5/restore qadm '' 200 '.organization == "'$QORG'" and (has("parent") | not)'
t 'a transfer is recorded in the new organization' GET "/v1/orgs/$QTWO/audit-events?action=collection.transferred&target=$A" qadm '' 200 '.count == 1'
t 'a transfer is recorded in the old organization' GET "$QO/audit-events?action=collection.transferred&target=$A" qadm '' 200 '.count == 1'
t 'the transfer of a space in the collection is recorded' GET "/v1/orgs/$QTWO/audit-events?action=space.transferred&target=$S4" qadm '' 200 '.count == 1'
t 'the transfer of an inner collection is recorded' GET "$QO/audit-events?action=collection.transferred&target=$D" qadm '' 200 '.count == 1'
t 'a deleted space is not recorded as transferred' GET "$QO/audit-events?action=space.transferred&target=$S5" qadm '' 200 '.count == 0'
t 'a transfer into the same organization is refused for a collection' POST /v1/collections/$A/transfer qadm '{"organization":"'$QTWO'"}' 409 ''
