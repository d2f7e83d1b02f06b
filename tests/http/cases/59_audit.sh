# The audit record of each change. aadm (admin) owns AORG; ared (read) and agst (guest) are in it.
for who in aadm ared agst aout; do user_new $who '' ''; done
t 'an organization for the audit log is created' POST /v1/orgs aadm '{"title":"Record"}' 201 ''
AORG=$(jq -r .id "$out")
AO=/v1/orgs/$AORG

# recorded NAME ACTION LABEL EXPRESSION: checks the newest event, the name of its target, and its payload
recorded() {
	t "$1: the newest event names action and target" GET "$AO/audit-events?limit=1" aadm '' 200 ".items[0].action == \"$2\" and .items[0].target.label == $3"
	t "$1: the newest event has the values before and after" GET "$AO/audit-events/$(jq -r '.items[0].id' "$out")" aadm '' 200 ".payload | $4"
}
# changed NAME METHOD PATH BODY STATUS ACTION LABEL EXPRESSION: a change by aadm, and its record
changed() {
	t "$1" "$2" "$3" aadm "$4" "$5" ''
	recorded "$1" "$6" "$7" "$8"
}
# quiet NAME METHOD PATH BODY STATUS: a request that changes nothing leaves no record
quiet() {
	get "$AO/audit-events?limit=0" aadm
	q_count=$(jq .count "$out")
	t "$1" "$2" "$3" aadm "$4" "$5" ''
	t "$1: no event is written" GET "$AO/audit-events?limit=0" aadm '' 200 ".count == $q_count"
}

recorded 'an organization is created' organization.created '"Record"' '.after.title == "Record" and .after.inviteLinks == true and (has("before") | not)'
changed 'settings are changed' PATCH $AO '{"title":"Records","defaultRole":"read","ai":true}' 200 organization.updated '"Records"' \
	'.before == {title: "Record", defaultRole: null, ai: false} and .after == {title: "Records", defaultRole: "read", ai: true} and (.from.token | length) > 0'
quiet 'the same settings are set again' PATCH $AO '{"title":"Records","defaultRole":"read"}' 200
doc() { printf '{"instructions":{"object":"document","data":{"schemaVersion":1},"nodes":[{"object":"block","type":"paragraph","isVoid":false,'\
'"data":{},"nodes":[{"object":"text","leaves":[{"object":"leaf","text":"%s","marks":[]}]}]}]}}' "$1"; }
changed 'instructions are set' PUT $AO/agent-instructions "$(doc one)" 200 agent-instructions.updated '"Records"' \
	'(has("before") | not) and .after.instructions.object == "document"'
changed 'instructions are changed' PUT $AO/agent-instructions "$(doc two)" 200 agent-instructions.updated '"Records"' \
	'[.before, .after | .instructions.nodes[0].nodes[0].leaves[0].text] == ["one", "two"]'
quiet 'the same instructions are set again' PUT $AO/agent-instructions "$(doc two)" 200

# People.
changed 'a known address is invited' POST $AO/invites '{"emails":["ared@example.com"]}' 200 member.added '"ared"' \
	'.after == {role: "read", disabled: false, sso: false}'
changed 'an unknown address is invited' POST $AO/invites '{"emails":["fresh@example.net"],"role":null,"sso":true}' 200 member.added '"fresh"' \
	'.after == {role: null, disabled: false, sso: true}'
t 'the user of an unknown address is recorded' GET "$AO/audit-events?action=user.created" aadm '' 200 '.count == 1 and .items[0].target.label == "fresh"'
quiet 'a member is invited again' POST $AO/invites '{"emails":["ared@example.com"],"role":"edit"}' 200
changed 'a role is changed' PATCH $AO/members/$U_ared '{"role":"edit"}' 200 member.updated '"ared"' '.before == {role: "read"} and .after == {role: "edit"}'
quiet 'the same role is set again' PATCH $AO/members/$U_ared '{"role":"edit"}' 200
changed 'a role is removed' PATCH $AO/members/$U_ared '{"role":null}' 200 member.updated '"ared"' '.before == {role: "edit"} and .after == {role: null}'
changed 'SSO is allowed' POST $AO/members/$U_ared/sso '' 200 member.updated '"ared"' '.before == {sso: false} and .after == {sso: true}'
quiet 'SSO is allowed again' POST $AO/members/$U_ared/sso '' 200
"$octavo" member add --dir "$dir" --org "$AORG" --user agst@example.com --role guest >/dev/null
recorded 'a guest is added by the command' member.added '"agst"' '.from == {} and .after.role == null'
"$octavo" member add --dir "$dir" --org "$AORG" --user agst@example.com --role read >/dev/null
recorded 'a role is changed by the command' member.updated '"agst"' '.before == {role: null} and .after == {role: "read"}'
"$octavo" member disable --dir "$dir" --org "$AORG" --user agst@example.com >/dev/null
recorded 'a member is disabled by the command' member.disabled '"agst"' '.before == {disabled: false} and .after == {disabled: true}'
"$octavo" member add --dir "$dir" --org "$AORG" --user agst@example.com --role guest >/dev/null
recorded 'a member is enabled by the command' member.updated '"agst"' '.before == {role: "read", disabled: true} and .after == {role: null, disabled: false}'
t 'events of the command name script and system' GET "$AO/audit-events?limit=1" aadm '' 200 \
	'.items[0] | .source == "script" and .actor == {type: "system", id: "system"}'
quiet_cli=$("$octavo" member add --dir "$dir" --org "$AORG" --user aadm@example.com --role read --json 2>/dev/null | jq -r .error.message)
same 'the command keeps the last admin' "aadm@example.com is the last admin of $AORG" "$quiet_cli"
t 'the last admin is still one' GET $AO/members/$U_aadm aadm '' 200 '.role == "admin"'

# Teams: the members before and after, as far as they were changed.
changed 'a team is created' PUT $AO/teams '{"title":"T","members":["'$U_ared'"]}' 201 team.created '"T"' \
	'.after == {title: "T", members: {"'$U_ared'": "member"}}'
get "$AO/teams" aadm
TEAM_A=$(jq -r '.items[0].id' "$out")
changed 'a team is renamed' PATCH $AO/teams/$TEAM_A '{"title":"Team"}' 200 team.updated '"Team"' '.before == {title: "T"} and .after == {title: "Team"}'
quiet 'a team gets the same name' PATCH $AO/teams/$TEAM_A '{"title":"Team"}' 200
changed 'members of a team are changed in one request' PUT $AO/teams/$TEAM_A/members \
	'{"add":["agst@example.com","'$U_aadm'"],"remove":["'$U_ared'","ared@example.com"],"memberships":{"'$U_aadm'":{"role":"owner"}}}' 204 \
	team.members.updated '"Team"' '.before == {members: {"'$U_ared'": "member"}} and .after == {members: {"'$U_agst'": "member", "'$U_aadm'": "owner"}}'
quiet 'a member of a team is added and removed in one request' PUT $AO/teams/$TEAM_A/members \
	'{"add":["'$U_ared'","'$U_agst'"],"remove":["'$U_ared'","nobody@example.com"]}' 204
changed 'an owner of a team is made' PUT $AO/teams/$TEAM_A/members/$U_agst '{"role":"owner"}' 204 team.members.updated '"Team"' \
	'.before == {members: {"'$U_agst'": "member"}} and .after == {members: {"'$U_agst'": "owner"}}'
quiet 'an owner of a team is made again' PUT $AO/teams/$TEAM_A/members/$U_agst '{}' 204
changed 'a member leaves a team' DELETE $AO/teams/$TEAM_A/members/$U_agst '' 204 team.members.updated '"Team"' \
	'.before == {members: {"'$U_agst'": "owner"}} and .after == {members: {}}'
quiet 'a member leaves a team again' DELETE $AO/teams/$TEAM_A/members/$U_agst '' 204

# Spaces and collections, and permissions on them.
changed 'a collection is created' POST $AO/collections '{"title":"C"}' 201 collection.created '"C"' \
	'.after == {title: "C", description: null, parent: null, defaultLevel: "inherit"}'
get $AO/collections aadm
COLL_A=$(jq -r '.items[0].id' "$out")
changed 'a space is created' POST $AO/spaces '{"title":"S","parent":"'$COLL_A'"}' 201 space.created '"S"' \
	'.after.title == "S" and .after.parent == "'$COLL_A'"'
get $AO/spaces aadm
SPACE_A=$(jq -r '.items[0].id' "$out")
changed 'the default level of a space is changed' PATCH /v1/spaces/$SPACE_A '{"defaultLevel":null}' 200 space.updated '"S"' \
	'.before == {defaultLevel: "inherit"} and .after == {defaultLevel: null}'
changed 'the default level of a collection is changed' PATCH /v1/collections/$COLL_A '{"defaultLevel":"comment"}' 200 collection.updated '"C"' \
	'.before == {defaultLevel: "inherit"} and .after == {defaultLevel: "comment"}'
for place in space:$SPACE_A:S collection:$COLL_A:C; do
	kind=${place%%:*} name=${place##*:} at=${place#*:} at=${at%:*}
	changed "a grant on a $kind is made" POST /v1/${kind}s/$at/permissions '{"role":"edit","users":["'$U_agst'"]}' 204 $kind.permission.updated \
		"\"$name\"" '.after == {user: "'$U_agst'", role: "edit"} and (has("before") | not)'
	quiet "the same grant on a $kind is made again" POST /v1/${kind}s/$at/permissions '{"role":"edit","users":["'$U_agst'"]}' 204
	changed "a grant on a $kind is lowered" PATCH /v1/${kind}s/$at/permissions/users/$U_agst '{"role":"read"}' 204 $kind.permission.updated \
		"\"$name\"" '[.before.role, .after.role] == ["edit", "read"]'
	changed "a grant on a $kind is ended" DELETE /v1/${kind}s/$at/permissions/users/$U_agst '' 204 $kind.permission.updated "\"$name\"" \
		'.before == {user: "'$U_agst'", role: "read"} and (has("after") | not)'
done
changed 'a space moves to the top' POST /v1/spaces/$SPACE_A/move '{"parent":null}' 200 space.moved '"S"' \
	'.before.parent == "'$COLL_A'" and .after == {organization: "'$AORG'", parent: null}'
changed 'a space moves before a collection' POST /v1/spaces/$SPACE_A/move '{"position":{"before":{"type":"collection","collection":"'$COLL_A'"}}}' \
	200 space.moved '"S"' '.after.position == {before: {type: "collection", collection: "'$COLL_A'"}}'
changed 'a space is duplicated' POST /v1/spaces/$SPACE_A/duplicate '' 201 space.duplicated '"S (copy)"' \
	'.after.of == "'$SPACE_A'" and .after.title == "S (copy)"'
changed 'a space moves into a collection' POST /v1/spaces/$SPACE_A/move '{"parent":"'$COLL_A'"}' 200 space.moved '"S"' '.after.parent == "'$COLL_A'"'

# Links are recorded without their id.
changed 'a link is created' POST $AO/link-invites '{"level":"edit","space":"'$SPACE_A'"}' 201 invite.created null \
	'.after == {space: "'$SPACE_A'", level: "edit"}'
get "$AO/link-invites?space=$SPACE_A" aadm
LINK_A=$(jq -r '.items[0].id' "$out")
changed 'a link is lowered' PATCH $AO/link-invites/$LINK_A '{"level":"read"}' 200 invite.updated null \
	'.before == {level: "edit"} and .after == {level: "read"}'
quiet 'a link gets the same level' PATCH $AO/link-invites/$LINK_A '{"level":"read"}' 200
t 'a user joins by the link' POST $AO/invites/$LINK_A aout '' 200 ''
recorded 'a link is used' invite.used null '.after == {space: "'$SPACE_A'", level: "read"}'
get "$AO/audit-events?limit=2&actor=$U_aout&action=space.permission.updated" aadm
same 'the grant that a link gave is recorded' "$SPACE_A" "$(jq -r '.items[0].target.id' "$out")"
t 'the user follows the link again' POST $AO/invites/$LINK_A aout '' 200 ''
t 'a link that is followed twice is recorded once' GET "$AO/audit-events?actor=$U_aout" aadm '' 200 \
	'[.items[].action] | sort == ["invite.used", "member.joined", "space.permission.updated"]'
changed 'a link is deleted' DELETE $AO/link-invites/$LINK_A '' 204 invite.deleted null \
	'.before == {space: "'$SPACE_A'", level: "read"} and (has("after") | not)'
t 'no event holds the id of a link' GET "$AO/audit-events?limit=100" aadm '' 200 '[tostring | contains("'$LINK_A'")] == [false]'

# Sign-in, tokens, names.
changed 'a SAML provider is created' POST $AO/saml '{"label":"Okta","defaultRole":"edit"}' 201 saml-provider.created '"Okta"' '.after.defaultRole == "edit"'
get $AO/saml aadm
SAML_A=$(jq -r '.items[0].id' "$out")
changed 'a SAML provider is renamed' PATCH $AO/saml/$SAML_A '{"label":"Idp"}' 200 saml-provider.updated '"Idp"' \
	'.before == {label: "Okta"} and .after == {label: "Idp"}'
changed 'a SAML provider is deleted' DELETE $AO/saml/$SAML_A '' 204 saml-provider.deleted '"Idp"' '.before.label == "Idp"'
quiet 'a SAML provider is deleted again' DELETE $AO/saml/$SAML_A '' 204
changed 'a user changes their name' PATCH /v1/users/$U_aadm '{"displayName":"Ada"}' 200 user.updated '"Ada"' \
	'.before == {displayName: "aadm"} and .after == {displayName: "Ada"}'
quiet 'a user sets the same name again' PATCH /v1/users/$U_aadm '{"displayName":"Ada"}' 200
changed 'a token is created' POST /v1/user/tokens '{"label":"bot","scope":"read","expiresAt":"2099-01-01T00:00:00Z"}' 201 token.created '"bot"' \
	'.after == {user: "'$U_aadm'", email: "aadm@example.com", label: "bot", scope: "read", expiresAt: "2099-01-01T00:00:00.000Z"}'
get /v1/user/tokens aadm
TOKEN_A=$(jq -r '.items[0].id' "$out")
"$octavo" token revoke --dir "$dir" "$TOKEN_A" >/dev/null
recorded 'a token is revoked by the command' token.revoked '"bot"' '.before.scope == "read" and .from == {}'

# Comments are recorded with author and place, without their text.
t 'a stranger may not comment' POST /v1/spaces/$SPACE_A/comments aout '{"body":{"markdown":"hush"}}' 403 ''
t 'an admin comments' POST /v1/spaces/$SPACE_A/comments aadm '{"body":{"markdown":"hush"}}' 200 ''
remark=$(jq -r .id "$out")
t 'an admin replies' POST /v1/spaces/$SPACE_A/comments/$remark/replies aadm '{"body":{"markdown":"hush"}}' 200 ''
reply=$(jq -r .id "$out")
changed 'a reply is deleted' DELETE /v1/spaces/$SPACE_A/comments/$remark/replies/$reply '' 204 comment-reply.deleted null \
	'.before | .comment == "'$remark'" and .postedBy == "'$U_aadm'" and .space == "'$SPACE_A'" and (tostring | test("hush") | not)'
quiet 'a reply is deleted again' DELETE /v1/spaces/$SPACE_A/comments/$remark/replies/$reply '' 204
changed 'a comment is deleted' DELETE /v1/spaces/$SPACE_A/comments/$remark '' 204 comment.deleted null \
	'.before | .postedBy == "'$U_aadm'" and .scope == "'$SPACE_A'" and (tostring | test("hush") | not)'
quiet 'a comment is deleted again' DELETE /v1/spaces/$SPACE_A/comments/$remark '' 204

# Deleting an object deletes its content, and each part has a record.
changed 'a team is deleted' DELETE $AO/teams/$TEAM_A '' 204 team.deleted '"Team"' '.before == {title: "Team", members: {"'$U_aadm'": "owner"}}'
changed 'a member is removed' DELETE $AO/members/$U_ared '' 204 member.removed '"ared"' '.before == {role: null, disabled: false, sso: true}'
t 'a collection is deleted' DELETE /v1/collections/$COLL_A aadm '' 204 ''
t 'the deletion of a collection is recorded' GET "$AO/audit-events?action=collection.deleted&target=$COLL_A" aadm '' 200 \
	'.count == 1 and .items[0].target.label == "C"'
t 'the deletion of the space in it is recorded' GET "$AO/audit-events?action=space.deleted&target=$SPACE_A" aadm '' 200 '.count == 1'
changed 'a space is restored' POST /v1/spaces/$SPACE_A/restore '' 200 space.restored '"S"' '(has("before") or has("after")) | not'
changed 'a space is deleted' DELETE /v1/spaces/$SPACE_A '' 204 space.deleted '"S"' '(has("before") or has("after")) | not'
quiet 'a space is deleted again' DELETE /v1/spaces/$SPACE_A '' 204

# Records of the octavo command: imports, and users outside of organizations.
imported=$(octavo_json .result.space import --org "$AORG" --title Imported --url "$tmp/repo")
recorded 'an import is recorded' space.imported '"Imported"' '.after.url | endswith("/repo")'
t 'the space of an import is recorded' GET "$AO/audit-events?action=space.created&target=$imported" aadm '' 200 \
	'.count == 1 and .items[0].actor.type == "system"'
user_new anew '' ''
"$octavo" audit --dir "$dir" --target "$U_anew" --json >"$tmp/cli"
same 'the command lists events of a user without organization' 'user.created script' "$(jq -r '.[] | "\(.action) \(.from)"' "$tmp/cli")"
"$octavo" audit --dir "$dir" --action token.created --limit 1 --json >"$tmp/cli"
same 'the command lists events of tokens' anew@example.com "$(jq -r '.[0].after.email' "$tmp/cli")"
"$octavo" audit --dir "$dir" --org nowhere >"$tmp/cli" 2>&1
same 'the command refuses an unknown organization' '1 octavo audit: there is no organization nowhere; octavo org list shows them' "$? $(head -n 1 "$tmp/cli")"
same 'the command says that a member is disabled' true "$(octavo_json .disabled member disable --org "$AORG" --user agst@example.com)"
for label in "$(head -c 101 /dev/zero | tr '\0' x)" "$(printf '\377')"; do
	"$octavo" token create --dir "$dir" --user "$U_anew" --label "$label" >/dev/null 2>&1
	same 'the command refuses a label that the API refuses' 2 $?
done
yes 'the command takes a label that the API takes' "$octavo" token create --dir "$dir" --user "$U_anew" --label \
	"$(head -c 100 /dev/zero | sed 's/\x00/é/g')" >/dev/null
