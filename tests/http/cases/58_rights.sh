# Rights end with those who gave them: invite links end with their makers, tokens with the token
# that made them; and which organizations learn of changes of users' own accounts. rown founds RORG;
# radm is its other admin; rcom joins, rinv is invited.
for who in rown radm rcom rinv; do user_new $who '' ''; done
t 'an organization of rights is created' POST /v1/orgs rown '{"title":"Rights"}' 201 ''
RORG=$(jq -r .id "$out")
RO=/v1/orgs/$RORG
radm_is() { t "radm is made $1" PATCH $RO/members/$U_radm rown '{"role":'"$2"'}' 200 ''; }
t 'a second admin is invited' POST $RO/invites rown '{"emails":["radm@example.com"],"role":"admin"}' 200 '.invited == 1'
t 'a space is created' POST $RO/spaces rown '{"title":"Rights"}' 201 ''
RS=$(jq -r .id "$out")

# A link never gives more than its maker may give at the time of joining.
t 'the second admin creates an invite link' POST $RO/link-invites radm '{"role":"admin"}' 201 '.active and .redundant'
LINK=$(jq -r .id "$out")
t 'the second admin creates a link to the space' POST $RO/link-invites radm '{"level":"admin","space":"'$RS'"}' 201 '.active'
LEVEL=$(jq -r .id "$out")
radm_is demoted '"create"'
t 'a demoted admin does not come back by their own link' POST $RO/invites/$LINK radm '' 404 '.error.message == "no invite '$LINK'"'
t 'the link of a demoted admin lets nobody join' POST $RO/invites/$LINK rcom '' 404 ''
t 'the link of a demoted admin is hidden from strangers' GET $RO/link-invites/$LINK rcom '' 404 ''
t 'a member sees that the link of a demoted admin is not active' GET $RO/link-invites/$LINK radm '' 200 '.active == false and .role == "admin"'
t 'a list shows that the link is not active' GET $RO/link-invites rown '' 200 '.count == 1 and (.items | map(.active)) == [false]'
t 'a link to a space is worth the role of its maker there' GET $RO/link-invites/$LEVEL rown '' 200 '.active and .level == "create"'
t 'a stranger joins by the lowered link' POST $RO/invites/$LEVEL rcom '' 200 ''
t 'who joins by a lowered link gets the lowered role' GET $RO/members/$U_rcom/spaces rown '' 200 '.items[0].permission == "create"'
t 'the stranger is removed' DELETE $RO/members/$U_rcom rown '' 204 ''
radm_is 'a reader' '"read"'
t 'the link of a reader lets nobody join' POST $RO/invites/$LEVEL rcom '' 404 ''
t 'an admin takes the link over' PATCH $RO/link-invites/$LEVEL rown '{"level":"comment"}' 200 '.active and .level == "comment"'
t 'a link that was taken over works again' POST $RO/invites/$LEVEL rcom '' 200 ''
t 'the stranger is removed again' DELETE $RO/members/$U_rcom rown '' 204 ''
radm_is 'an admin again' '"admin"'
t 'the link of a promoted admin is active again' GET $RO/link-invites/$LINK rcom '' 200 '.active'
"$octavo" member disable --dir "$dir" --org "$RORG" --user radm@example.com >/dev/null
t 'the link of a disabled admin lets nobody join' POST $RO/invites/$LINK rcom '' 404 ''
"$octavo" member add --dir "$dir" --org "$RORG" --user radm@example.com --role admin >/dev/null
t 'the second admin is removed' DELETE $RO/members/$U_radm rown '' 204 ''
t 'a removed admin does not come back by their own link' POST $RO/invites/$LINK radm '' 404 ''
t 'links of a removed admin are deleted' GET $RO/link-invites rown '' 200 '.count == 0'
t 'the removed admin is invited again' POST $RO/invites rown '{"emails":["radm@example.com"],"role":"admin"}' 200 ''
t 'a deleted link does not come back with its maker' POST $RO/invites/$LINK rcom '' 404 ''
t 'links that others took over stay' GET "$RO/link-invites?space=$RS" rown '' 200 '.count == 1 and .items[0].id == "'$LEVEL'"'

# Changes of a user's own account are recorded in organizations that the user chose.
told() { t "the organization sees as many events as it may: $1" GET "$RO/audit-events?action=$2&actor=$3" rown '' 200 '.count == '"$4"; }
t 'a user is invited' POST $RO/invites rown '{"emails":["rinv@example.com"],"role":"read"}' 200 ''
t 'an invited user creates a token' POST /v1/user/tokens rinv '{"label":"for my doctor"}' 201 ''
RINV=$(jq -r .id "$out")
t 'an invited user changes their name' PATCH /v1/users/$U_rinv rinv '{"displayName":"Private"}' 200 ''
t 'an invited user revokes the token' DELETE /v1/user/tokens/$RINV rinv '' 204 ''
told 'no token of an invited user' token.created "$U_rinv" 0
told 'no revoked token of an invited user' token.revoked "$U_rinv" 0
told 'no name of an invited user' user.updated "$U_rinv" 0
"$octavo" audit --dir "$dir" --target "$RINV" --json >"$tmp/cli"
same 'the command shows the events of an invited user' 'token.created token.revoked' "$(jq -r '[.[].action] | sort | join(" ")' "$tmp/cli")"
same 'the events of an invited user belong to no organization' 2 "$(sql "SELECT count(*) FROM audit_event WHERE target = '$RINV' AND org IS NULL")"
t 'an invited user follows a link' POST $RO/invites/$(send POST $RO/link-invites rown '{"role":"read"}'; jq -r .id "$out") rinv '' 200 ''
t 'the user creates another token' POST /v1/user/tokens rinv '{"label":"ci"}' 201 ''
told 'the token of a user who followed a link' token.created "$U_rinv" 1
told 'no token of its founder from before' token.created "$U_rown" 0
t 'the founder creates a token' POST /v1/user/tokens rown '{"label":"own"}' 201 ''
told 'the token of its founder' token.created "$U_rown" 1
t 'addresses of a domain may join' PATCH $RO rown '{"emailDomains":["example.com"],"defaultRole":"read"}' 200 ''
t 'a user joins by their domain' POST $RO/join rcom '' 204 ''
t 'the user creates a token' POST /v1/user/tokens rcom '{"label":"joined"}' 201 ''
t 'the user changes their name' PATCH /v1/users/$U_rcom rcom '{"displayName":"Joined"}' 200 ''
told 'the token of a user who joined by a domain' token.created "$U_rcom" 1
told 'the name of a user who joined by a domain' user.updated "$U_rcom" 1

# A token expires no later than the one that made it, and ends with it.
# token WHO BODY NAME [MAKER]: makes a token; $id is its id, $tmp/tokens/NAME its text
token() {
	t "the token $3 is created" POST /v1/user/tokens "$1" "$2" 201 "${4:-true}"
	id=$(jq -r .id "$out")
	jq -r .token "$out" >"$tmp/tokens/$3"
}
token rown '{"label":"short","expiresAt":"2099-01-01T00:00:00Z"}' rshort
SHORT=$id
token rshort '{"label":"below"}' rbelow '.madeBy == "'$SHORT'" and .expiresAt == "2099-01-01T00:00:00.000Z"'
BELOW=$id
token rbelow '{"label":"below it","expiresAt":"2098-01-01T00:00:00Z"}' rthird '.madeBy == "'$BELOW'" and .expiresAt == "2098-01-01T00:00:00.000Z"'
THIRD=$id
t 'a token creates none that lives longer' POST /v1/user/tokens rshort '{"expiresAt":"2099-01-01T00:00:00.001Z"}' 403 '.error.message | contains("2099-01-01")'
t 'the first token is listed with what made it' GET /v1/user/tokens/$SHORT rown '' 200 '.madeBy and .label == "short"'
# Rotated: a new text and id, the same family of tokens.
t 'a token is rotated with its settings' POST /v1/user/tokens/$BELOW/rotate rshort '' 201 '.id != "'$BELOW'" and .label == "below" and .scope == "admin"
	and .madeBy == "'$SHORT'" and .expiresAt == "2099-01-01T00:00:00.000Z" and (.token | startswith("oct_"))'
NEXT=$(jq -r .id "$out")
jq -r .token "$out" >"$tmp/tokens/rnext"
t 'the text of a rotated token answers 401' GET /v1/user rbelow '' 401 ''
t 'the new text of a rotated token works' GET /v1/user rnext '' 200 '.id == "'$U_rown'"'
t 'a token made by a rotated one still works' GET /v1/user rthird '' 200 ''
t 'a token made by a rotated one belongs to the new one' GET /v1/user/tokens/$THIRD rown '' 200 '.madeBy == "'$NEXT'"'
t 'a rotation is recorded' GET "$RO/audit-events?action=token.rotated" rown '' 200 '.count == 1 and .items[0].target.id == "'$BELOW'"'
t 'the event of a rotation has both tokens' GET $RO/audit-events/$(jq -r '.items[0].id' "$out") rown '' 200 \
	'.payload | .before.label == "below" and .after.id == "'$NEXT'"'
t 'a token does not rotate the one that made it' POST /v1/user/tokens/$SHORT/rotate rnext '' 403 '.error.message | contains("only itself")'
t 'a user does not rotate tokens of others' POST /v1/user/tokens/$RINV/rotate rown '' 404 ''
t 'a rotated token cannot be rotated again' POST /v1/user/tokens/$BELOW/rotate rshort '' 404 ''
t 'a token rotates itself to an earlier end' POST /v1/user/tokens/$THIRD/rotate rthird '{"expiresAt":"2097-01-01T00:00:00Z"}' 201 \
	'.expiresAt == "2097-01-01T00:00:00.000Z" and .madeBy == "'$NEXT'"'
THIRD=$(jq -r .id "$out")
jq -r .token "$out" >"$tmp/tokens/rthird"
t 'a token does not rotate itself to a later end' POST /v1/user/tokens/$THIRD/rotate rthird '{"expiresAt":"2097-01-02T00:00:00Z"}' 403 ''
t 'a rotation to an end in the past is refused' POST /v1/user/tokens/$THIRD/rotate rthird '{"expiresAt":"2020-01-01T00:00:00Z"}' 400 \
	'.fields[0].path == "/expiresAt"'
# Nor may a third token give one a later expiry than that of the token that made it.
t 'a rotation beyond the end of the maker is refused' POST /v1/user/tokens/$NEXT/rotate rown '{"expiresAt":"2099-01-01T00:00:00.001Z"}' 403 \
	'.error.message | contains("2099-01-01")'
token rown '{"label":"long"}' rlong
LONG=$id
token rlong '{"label":"below long"}' rlongbelow '.expiresAt == null'
BELOWLONG=$id
t 'a rotation shortens the life of a token' POST /v1/user/tokens/$LONG/rotate rown '{"expiresAt":"2096-01-01T00:00:00Z"}' 201 \
	'.expiresAt == "2096-01-01T00:00:00.000Z"'
LONG=$(jq -r .id "$out")
t 'tokens made by a shortened one end with it' GET /v1/user/tokens/$BELOWLONG rown '' 200 '.madeBy == "'$LONG'" and .expiresAt == "2096-01-01T00:00:00.000Z"'
t 'a shortened life is recorded' GET "$RO/audit-events?action=token.updated" rown '' 200 '[.items[].target.id] == ["'$BELOWLONG'"]'
t 'the event of a shortened life has both ends' GET $RO/audit-events/$(jq -r '.items[0].id' "$out") rown '' 200 \
	'.payload | .before == {expiresAt: null} and .after == {expiresAt: "2096-01-01T00:00:00.000Z"}'
t 'a token that ends earlier keeps its end' GET /v1/user/tokens/$THIRD rown '' 200 '.expiresAt == "2097-01-01T00:00:00.000Z"'
# Revoking tokens.
t 'a token is revoked without those it made' DELETE "/v1/user/tokens/$NEXT?descendants=keep" rown '' 204 ''
t 'the revoked token answers 401' GET /v1/user rnext '' 401 ''
t 'a token that a revoked one made still works' GET /v1/user rthird '' 200 ''
t 'another value of descendants is refused' DELETE "/v1/user/tokens/$NEXT?descendants=all" rown '' 400 '.fields[0].path == "/descendants"'
t 'the revocation of a token of others answers 204' DELETE /v1/user/tokens/$SHORT rinv '' 204 ''
t 'a token of others still works' GET /v1/user rthird '' 200 ''
# Just as it may not rotate it.
t 'a token does not revoke the one that made it' DELETE /v1/user/tokens/$SHORT rthird '' 403 '.error.message | contains("created with")'
t 'a token does not revoke the one that made it and keep the rest' DELETE "/v1/user/tokens/$SHORT?descendants=keep" rthird '' 403 ''
t 'the token that made it still works' GET /v1/user rshort '' 200 ''
t 'a token that was revoked before may be revoked again' DELETE "/v1/user/tokens/$NEXT?descendants=keep" rthird '' 204 ''
t 'a token is revoked with all that it made' DELETE /v1/user/tokens/$SHORT rown '' 204 ''
for who in rshort rnext rthird; do t "a token of a revoked family answers 401: $who" GET /v1/user $who '' 401 ''; done
t 'each revoked token of a family is recorded' GET "$RO/audit-events?action=token.revoked&target=$THIRD" rown '' 200 '.count == 1'
token rown '{"label":"for the command"}' rcli
CLI=$id
token rcli '{"label":"kept"}' rkept
KEPT=$id
token rkept '{"label":"below the kept"}' rdeep
"$octavo" token revoke --dir "$dir" --keep-descendants "$CLI" >/dev/null
t 'the command revokes a token and keeps what it made' GET /v1/user rkept '' 200 ''
"$octavo" token revoke --dir "$dir" "$KEPT" >/dev/null
t 'the command revokes a token with what it made' GET /v1/user rdeep '' 401 ''
for who in rshort rbelow rthird rnext rcli rkept rdeep; do rm "$tmp/tokens/$who"; done
t 'the space is deleted' DELETE /v1/spaces/$RS rown '' 204 ''
