# The audit record: what each change leaves in it. aadm (admin) owns AORG; ared
# (read) and agst (guest) are in it.
for who in aadm ared agst aout; do user_new $who '' ''; done
t 'an organization to record' POST /v1/orgs aadm '{"title":"Record"}' 201 ''
AORG=$(jq -r .id "$out")
AO=/v1/orgs/$AORG

# recorded NAME ACTION LABEL EXPRESSION: the newest event, its target's name, and a truth of its payload
recorded() {
	t "$1: recorded" GET "$AO/audit-events?limit=1" aadm '' 200 ".items[0].action == \"$2\" and .items[0].target.label == $3"
	t "$1: as it was and is" GET "$AO/audit-events/$(jq -r '.items[0].id' "$out")" aadm '' 200 ".payload | $4"
}
# changed NAME METHOD PATH BODY STATUS ACTION LABEL EXPRESSION: a change by aadm and its record
changed() {
	t "$1" "$2" "$3" aadm "$4" "$5" ''
	recorded "$1" "$6" "$7" "$8"
}
# quiet NAME METHOD PATH BODY STATUS: a request that changes nothing leaves no record
quiet() {
	get "$AO/audit-events?limit=0" aadm
	q_count=$(jq .count "$out")
	t "$1" "$2" "$3" aadm "$4" "$5" ''
	t "$1: not recorded" GET "$AO/audit-events?limit=0" aadm '' 200 ".count == $q_count"
}

recorded 'an organization' organization.created '"Record"' '.after.title == "Record" and .after.inviteLinks == true and (has("before") | not)'
changed 'settings' PATCH $AO '{"title":"Records","defaultRole":"read","sso":true}' 200 organization.updated '"Records"' \
	'.before == {title: "Record", defaultRole: null, sso: false} and .after == {title: "Records", defaultRole: "read", sso: true} and (.from.token | length) > 0'
quiet 'the same settings' PATCH $AO '{"title":"Records","defaultRole":"read"}' 200
doc() { printf '{"instructions":{"object":"document","data":{"schemaVersion":1},"nodes":[{"object":"block","type":"paragraph","isVoid":false,"data":{},"nodes":[{"object":"text","leaves":[{"object":"leaf","text":"%s","marks":[]}]}]}]}}' "$1"; }
changed 'instructions' PUT $AO/agent-instructions "$(doc one)" 200 agent-instructions.updated '"Records"' '(has("before") | not) and .after.instructions.object == "document"'
changed 'other instructions' PUT $AO/agent-instructions "$(doc two)" 200 agent-instructions.updated '"Records"' \
	'[.before, .after | .instructions.nodes[0].nodes[0].leaves[0].text] == ["one", "two"]'
quiet 'the same instructions' PUT $AO/agent-instructions "$(doc two)" 200

# People.
changed 'a known address' POST $AO/invites '{"emails":["ared@example.com"]}' 200 member.added '"ared"' '.after == {role: "read", disabled: false, sso: false}'
changed 'an unknown one' POST $AO/invites '{"emails":["fresh@example.net"],"role":null,"sso":true}' 200 member.added '"fresh"' '.after == {role: null, disabled: false, sso: true}'
t 'and its user' GET "$AO/audit-events?action=user.created" aadm '' 200 '.count == 1 and .items[0].target.label == "fresh"'
quiet 'a member already' POST $AO/invites '{"emails":["ared@example.com"],"role":"edit"}' 200
changed 'a role' PATCH $AO/members/$U_ared '{"role":"edit"}' 200 member.updated '"ared"' '.before == {role: "read"} and .after == {role: "edit"}'
quiet 'the same role' PATCH $AO/members/$U_ared '{"role":"edit"}' 200
changed 'no role' PATCH $AO/members/$U_ared '{"role":null}' 200 member.updated '"ared"' '.before == {role: "edit"} and .after == {role: null}'
changed 'sign-in allowed' POST $AO/members/$U_ared/sso '' 200 member.updated '"ared"' '.before == {sso: false} and .after == {sso: true}'
quiet 'allowed already' POST $AO/members/$U_ared/sso '' 200
"$octavo" member add --dir "$dir" --org "$AORG" --user agst@example.com --role guest >/dev/null
recorded 'by the command' member.added '"agst"' '.from == {} and .after.role == null'
"$octavo" member add --dir "$dir" --org "$AORG" --user agst@example.com --role read >/dev/null
recorded 'a role by the command' member.updated '"agst"' '.before == {role: null} and .after == {role: "read"}'
"$octavo" member disable --dir "$dir" --org "$AORG" --user agst@example.com >/dev/null
recorded 'disabled' member.disabled '"agst"' '.before == {disabled: false} and .after == {disabled: true}'
"$octavo" member add --dir "$dir" --org "$AORG" --user agst@example.com --role guest >/dev/null
recorded 'let in again' member.updated '"agst"' '.before == {role: "read", disabled: true} and .after == {role: null, disabled: false}'
t 'by whom' GET "$AO/audit-events?limit=1" aadm '' 200 '.items[0] | .source == "script" and .actor == {type: "system", id: "system"}'
quiet_cli=$("$octavo" member add --dir "$dir" --org "$AORG" --user aadm@example.com --role read --json 2>/dev/null | jq -r .error.message)
same 'the command keeps the last admin' "aadm@example.com is the last admin of $AORG" "$quiet_cli"
t 'still admin' GET $AO/members/$U_aadm aadm '' 200 '.role == "admin"'

# Teams: who was in them and who is, of those in question.
changed 'a team' PUT $AO/teams '{"title":"T","members":["'$U_ared'"]}' 201 team.created '"T"' '.after == {title: "T", members: {"'$U_ared'": "member"}}'
get "$AO/teams" aadm
TEAM_A=$(jq -r '.items[0].id' "$out")
changed 'its name' PATCH $AO/teams/$TEAM_A '{"title":"Team"}' 200 team.updated '"Team"' '.before == {title: "T"} and .after == {title: "Team"}'
quiet 'the same name' PATCH $AO/teams/$TEAM_A '{"title":"Team"}' 200
changed 'in and out' PUT $AO/teams/$TEAM_A/members '{"add":["agst@example.com","'$U_aadm'"],"remove":["'$U_ared'","ared@example.com"],"memberships":{"'$U_aadm'":{"role":"owner"}}}' 204 \
	team.members.updated '"Team"' '.before == {members: {"'$U_ared'": "member"}} and .after == {members: {"'$U_agst'": "member", "'$U_aadm'": "owner"}}'
quiet 'in and out at once' PUT $AO/teams/$TEAM_A/members '{"add":["'$U_ared'","'$U_agst'"],"remove":["'$U_ared'","nobody@example.com"]}' 204
changed 'an owner' PUT $AO/teams/$TEAM_A/members/$U_agst '{"role":"owner"}' 204 team.members.updated '"Team"' '.before == {members: {"'$U_agst'": "member"}} and .after == {members: {"'$U_agst'": "owner"}}'
quiet 'an owner already' PUT $AO/teams/$TEAM_A/members/$U_agst '{}' 204
changed 'out' DELETE $AO/teams/$TEAM_A/members/$U_agst '' 204 team.members.updated '"Team"' '.before == {members: {"'$U_agst'": "owner"}} and .after == {members: {}}'
quiet 'out already' DELETE $AO/teams/$TEAM_A/members/$U_agst '' 204

# Places and who may do what there.
changed 'a collection' POST $AO/collections '{"title":"C"}' 201 collection.created '"C"' '.after == {title: "C", description: null, parent: null, defaultLevel: "inherit"}'
get $AO/collections aadm
COLL_A=$(jq -r '.items[0].id' "$out")
changed 'a space' POST $AO/spaces '{"title":"S","parent":"'$COLL_A'"}' 201 space.created '"S"' '.after.title == "S" and .after.parent == "'$COLL_A'"'
get $AO/spaces aadm
SPACE_A=$(jq -r '.items[0].id' "$out")
changed 'its level' PATCH /v1/spaces/$SPACE_A '{"defaultLevel":null}' 200 space.updated '"S"' '.before == {defaultLevel: "inherit"} and .after == {defaultLevel: null}'
changed 'a level' PATCH /v1/collections/$COLL_A '{"defaultLevel":"comment"}' 200 collection.updated '"C"' '.before == {defaultLevel: "inherit"} and .after == {defaultLevel: "comment"}'
for place in space:$SPACE_A:S collection:$COLL_A:C; do
	kind=${place%%:*} name=${place##*:} at=${place#*:} at=${at%:*}
	changed "a grant on a $kind" POST /v1/${kind}s/$at/permissions '{"role":"edit","users":["'$U_agst'"]}' 204 $kind.permission.updated "\"$name\"" '.after == {user: "'$U_agst'", role: "edit"} and (has("before") | not)'
	quiet "the same on a $kind" POST /v1/${kind}s/$at/permissions '{"role":"edit","users":["'$U_agst'"]}' 204
	changed "less on a $kind" PATCH /v1/${kind}s/$at/permissions/users/$U_agst '{"role":"read"}' 204 $kind.permission.updated "\"$name\"" '[.before.role, .after.role] == ["edit", "read"]'
	changed "none on a $kind" DELETE /v1/${kind}s/$at/permissions/users/$U_agst '' 204 $kind.permission.updated "\"$name\"" '.before == {user: "'$U_agst'", role: "read"} and (has("after") | not)'
done
changed 'to the top' POST /v1/spaces/$SPACE_A/move '{"parent":null}' 200 space.moved '"S"' '.before.parent == "'$COLL_A'" and .after == {organization: "'$AORG'", parent: null}'
changed 'beside' POST /v1/spaces/$SPACE_A/move '{"position":{"before":{"type":"collection","collection":"'$COLL_A'"}}}' 200 space.moved '"S"' '.after.position == {before: {type: "collection", collection: "'$COLL_A'"}}'
changed 'a copy' POST /v1/spaces/$SPACE_A/duplicate '' 201 space.duplicated '"S (copy)"' '.after.of == "'$SPACE_A'" and .after.title == "S (copy)"'
changed 'back' POST /v1/spaces/$SPACE_A/move '{"parent":"'$COLL_A'"}' 200 space.moved '"S"' '.after.parent == "'$COLL_A'"'

# Links: never their id.
changed 'a link' POST $AO/link-invites '{"level":"edit","space":"'$SPACE_A'"}' 201 invite.created null '.after == {space: "'$SPACE_A'", level: "edit"}'
get "$AO/link-invites?space=$SPACE_A" aadm
LINK_A=$(jq -r '.items[0].id' "$out")
changed 'a weaker link' PATCH $AO/link-invites/$LINK_A '{"level":"read"}' 200 invite.updated null '.before == {level: "edit"} and .after == {level: "read"}'
quiet 'the same link' PATCH $AO/link-invites/$LINK_A '{"level":"read"}' 200
t 'join by it' POST $AO/invites/$LINK_A aout '' 200 ''
recorded 'the link' invite.used null '.after == {space: "'$SPACE_A'", level: "read"}'
get "$AO/audit-events?limit=2&actor=$U_aout&action=space.permission.updated" aadm
same 'what it gave' "$SPACE_A" "$(jq -r '.items[0].target.id' "$out")"
t 'join twice' POST $AO/invites/$LINK_A aout '' 200 ''
t 'once is enough' GET "$AO/audit-events?actor=$U_aout" aadm '' 200 '[.items[].action] | sort == ["invite.used", "member.joined", "space.permission.updated"]'
changed 'the end of the link' DELETE $AO/link-invites/$LINK_A '' 204 invite.deleted null '.before == {space: "'$SPACE_A'", level: "read"} and (has("after") | not)'
t 'no id of a link' GET "$AO/audit-events?limit=100" aadm '' 200 '[tostring | contains("'$LINK_A'")] == [false]'

# Sign-in, tokens, names.
changed 'a provider' POST $AO/saml '{"label":"Okta","defaultRole":"edit"}' 201 saml-provider.created '"Okta"' '.after.defaultRole == "edit"'
get $AO/saml aadm
SAML_A=$(jq -r '.items[0].id' "$out")
changed 'its label' PATCH $AO/saml/$SAML_A '{"label":"Idp"}' 200 saml-provider.updated '"Idp"' '.before == {label: "Okta"} and .after == {label: "Idp"}'
changed 'its end' DELETE $AO/saml/$SAML_A '' 204 saml-provider.deleted '"Idp"' '.before.label == "Idp"'
quiet 'its end, again' DELETE $AO/saml/$SAML_A '' 204
changed 'a name' PATCH /v1/users/$U_aadm '{"displayName":"Ada"}' 200 user.updated '"Ada"' '.before == {displayName: "aadm"} and .after == {displayName: "Ada"}'
quiet 'the same name' PATCH /v1/users/$U_aadm '{"displayName":"Ada"}' 200
changed 'a token' POST /v1/user/tokens '{"label":"bot","scope":"read","expiresAt":"2099-01-01T00:00:00Z"}' 201 token.created '"bot"' '.after == {user: "'$U_aadm'", email: "aadm@example.com", label: "bot", scope: "read", expiresAt: "2099-01-01T00:00:00.000Z"}'
get /v1/user/tokens aadm
TOKEN_A=$(jq -r '.items[0].id' "$out")
"$octavo" token revoke --dir "$dir" "$TOKEN_A" >/dev/null
recorded 'revoked by the command' token.revoked '"bot"' '.before.scope == "read" and .from == {}'

# Remarks: whose and where, not what.
t 'a comment' POST /v1/spaces/$SPACE_A/comments aout '{"body":{"markdown":"hush"}}' 403 ''
t 'a comment by who may' POST /v1/spaces/$SPACE_A/comments aadm '{"body":{"markdown":"hush"}}' 200 ''
remark=$(jq -r .id "$out")
t 'a reply' POST /v1/spaces/$SPACE_A/comments/$remark/replies aadm '{"body":{"markdown":"hush"}}' 200 ''
reply=$(jq -r .id "$out")
changed 'the reply' DELETE /v1/spaces/$SPACE_A/comments/$remark/replies/$reply '' 204 comment-reply.deleted null '.before | .comment == "'$remark'" and .postedBy == "'$U_aadm'" and .space == "'$SPACE_A'" and (tostring | test("hush") | not)'
quiet 'no reply' DELETE /v1/spaces/$SPACE_A/comments/$remark/replies/$reply '' 204
changed 'the comment' DELETE /v1/spaces/$SPACE_A/comments/$remark '' 204 comment.deleted null '.before | .postedBy == "'$U_aadm'" and .scope == "'$SPACE_A'" and (tostring | test("hush") | not)'
quiet 'no comment' DELETE /v1/spaces/$SPACE_A/comments/$remark '' 204

# Ends take along what is inside, and each of it has its record.
changed 'the team' DELETE $AO/teams/$TEAM_A '' 204 team.deleted '"Team"' '.before == {title: "Team", members: {"'$U_aadm'": "owner"}}'
changed 'a member' DELETE $AO/members/$U_ared '' 204 member.removed '"ared"' '.before == {role: null, disabled: false, sso: true}'
t 'the collection' DELETE /v1/collections/$COLL_A aadm '' 204 ''
t 'itself' GET "$AO/audit-events?action=collection.deleted&target=$COLL_A" aadm '' 200 '.count == 1 and .items[0].target.label == "C"'
t 'the space in it' GET "$AO/audit-events?action=space.deleted&target=$SPACE_A" aadm '' 200 '.count == 1'
changed 'the space is back' POST /v1/spaces/$SPACE_A/restore '' 200 space.restored '"S"' '(has("before") or has("after")) | not'
changed 'and gone' DELETE /v1/spaces/$SPACE_A '' 204 space.deleted '"S"' '(has("before") or has("after")) | not'
quiet 'once more' DELETE /v1/spaces/$SPACE_A '' 204

# The command's record: imports, and users who are in no organization.
imported=$(octavo_json .result.space import --org "$AORG" --title Imported --url "$tmp/repo")
recorded 'an import' space.imported '"Imported"' '.after.url | endswith("/repo")'
t 'and the space' GET "$AO/audit-events?action=space.created&target=$imported" aadm '' 200 '.count == 1 and .items[0].actor.type == "system"'
user_new anew '' ''
"$octavo" audit --dir "$dir" --target "$U_anew" --json >"$tmp/cli"
same 'a user of no organization' 'user.created script' "$(jq -r '.[] | "\(.action) \(.from)"' "$tmp/cli")"
"$octavo" audit --dir "$dir" --action token.created --limit 1 --json >"$tmp/cli"
same 'and a token' anew@example.com "$(jq -r '.[0].after.email' "$tmp/cli")"
"$octavo" audit --dir "$dir" --org nowhere >"$tmp/cli" 2>&1
same 'the record of no organization' '1 octavo audit: there is no organization nowhere; octavo org list shows them' "$? $(head -n 1 "$tmp/cli")"
same 'who is disabled is told so' true "$(octavo_json .disabled member disable --org "$AORG" --user agst@example.com)"
for label in "$(head -c 101 /dev/zero | tr '\0' x)" "$(printf '\377')"; do
	"$octavo" token create --dir "$dir" --user "$U_anew" --label "$label" >/dev/null 2>&1
	same 'a label that the API could not give' 2 $?
done
yes 'one that it could' "$octavo" token create --dir "$dir" --user "$U_anew" --label "$(head -c 100 /dev/zero | sed 's/\x00/é/g')" >/dev/null
