# Rights end with those who gave them: invite links and their makers, tokens and
# what was made with them; and who is told what users do to their own accounts.
# rown founds RORG; radm is its other admin; rcom joins, rinv is invited.
for who in rown radm rcom rinv; do user_new $who '' ''; done
t 'an organization of rights' POST /v1/orgs rown '{"title":"Rights"}' 201 ''
RORG=$(jq -r .id "$out")
RO=/v1/orgs/$RORG
radm_is() { t "radm is $1" PATCH $RO/members/$U_radm rown '{"role":'"$2"'}' 200 ''; }
t 'another admin' POST $RO/invites rown '{"emails":["radm@example.com"],"role":"admin"}' 200 '.invited == 1'
t 'a space' POST $RO/spaces rown '{"title":"Rights"}' 201 ''
RS=$(jq -r .id "$out")

# A link never gives more than its maker may give now.
t 'a link of the other admin' POST $RO/link-invites radm '{"role":"admin"}' 201 '.active and .redundant'
LINK=$(jq -r .id "$out")
t 'and one to the space' POST $RO/link-invites radm '{"level":"admin","space":"'$RS'"}' 201 '.active'
LEVEL=$(jq -r .id "$out")
radm_is demoted '"create"'
t 'the demoted do not come back' POST $RO/invites/$LINK radm '' 404 '.error.message == "no invite '$LINK'"'
t 'nor bring others' POST $RO/invites/$LINK rcom '' 404 ''
t 'nor do strangers see it' GET $RO/link-invites/$LINK rcom '' 404 ''
t 'members see what has become of it' GET $RO/link-invites/$LINK radm '' 200 '.active == false and .role == "admin"'
t 'so does the list' GET $RO/link-invites rown '' 200 '.count == 1 and (.items | map(.active)) == [false]'
t 'a link to content gives what its maker has there' GET $RO/link-invites/$LEVEL rown '' 200 '.active and .level == "create"'
t 'and no more' POST $RO/invites/$LEVEL rcom '' 200 ''
t 'not even by what it said once' GET $RO/members/$U_rcom/spaces rown '' 200 '.items[0].permission == "create"'
t 'she leaves again' DELETE $RO/members/$U_rcom rown '' 204 ''
radm_is 'a reader' '"read"'
t 'who may not give it any more gives nothing' POST $RO/invites/$LEVEL rcom '' 404 ''
t 'an admin takes it over' PATCH $RO/link-invites/$LEVEL rown '{"level":"comment"}' 200 '.active and .level == "comment"'
t 'and it works again' POST $RO/invites/$LEVEL rcom '' 200 ''
t 'she leaves once more' DELETE $RO/members/$U_rcom rown '' 204 ''
radm_is 'an admin again' '"admin"'
t 'what was made as an admin works as that' GET $RO/link-invites/$LINK rcom '' 200 '.active'
"$octavo" member disable --dir "$dir" --org "$RORG" --user radm@example.com >/dev/null
t 'not while its maker is disabled' POST $RO/invites/$LINK rcom '' 404 ''
"$octavo" member add --dir "$dir" --org "$RORG" --user radm@example.com --role admin >/dev/null
t 'removed' DELETE $RO/members/$U_radm rown '' 204 ''
t 'the removed do not come back' POST $RO/invites/$LINK radm '' 404 ''
t 'their links are gone' GET $RO/link-invites rown '' 200 '.count == 0'
t 'added again' POST $RO/invites rown '{"emails":["radm@example.com"],"role":"admin"}' 200 ''
t 'which brings no link back' POST $RO/invites/$LINK rcom '' 404 ''
t 'links of others stay' GET "$RO/link-invites?space=$RS" rown '' 200 '.count == 1 and .items[0].id == "'$LEVEL'"'

# What users do to their own accounts is told organizations that they chose.
told() { t "$1" GET "$RO/audit-events?action=$2&actor=$3" rown '' 200 '.count == '"$4"; }
t 'rinv is invited' POST $RO/invites rown '{"emails":["rinv@example.com"],"role":"read"}' 200 ''
t 'and makes a token' POST /v1/user/tokens rinv '{"label":"for my doctor"}' 201 ''
RINV=$(jq -r .id "$out")
t 'takes another name' PATCH /v1/users/$U_rinv rinv '{"displayName":"Private"}' 200 ''
t 'ends the token' DELETE /v1/user/tokens/$RINV rinv '' 204 ''
told 'the inviter sees no token' token.created "$U_rinv" 0
told 'nor its end' token.revoked "$U_rinv" 0
told 'nor the name' user.updated "$U_rinv" 0
"$octavo" audit --dir "$dir" --target "$RINV" --json >"$tmp/cli"
same 'whoever runs the server does' 'token.created token.revoked' "$(jq -r '[.[].action] | sort | join(" ")' "$tmp/cli")"
same 'in no organization' 2 "$(sql "SELECT count(*) FROM audit_event WHERE target = '$RINV' AND org IS NULL")"
t 'rinv chooses it' POST $RO/invites/$(send POST $RO/link-invites rown '{"role":"read"}'; jq -r .id "$out") rinv '' 200 ''
t 'and makes another token' POST /v1/user/tokens rinv '{"label":"ci"}' 201 ''
told 'which it is told' token.created "$U_rinv" 1
told 'of its founder as well' token.created "$U_rown" 0
t 'a token of the founder' POST /v1/user/tokens rown '{"label":"own"}' 201 ''
told 'it is told' token.created "$U_rown" 1
t 'addresses of a domain are let in' PATCH $RO rown '{"emailDomains":["example.com"],"defaultRole":"read"}' 200 ''
t 'rcom joins by hers' POST $RO/join rcom '' 204 ''
t 'makes a token' POST /v1/user/tokens rcom '{"label":"joined"}' 201 ''
t 'and takes another name' PATCH /v1/users/$U_rcom rcom '{"displayName":"Joined"}' 200 ''
told 'who joined by a domain is told of' token.created "$U_rcom" 1
told 'with the name' user.updated "$U_rcom" 1

# Tokens live no longer than the one that they were made with, and end with it.
# token WHO BODY NAME [MAKER]: a new token; $id is its id, $tmp/tokens/NAME its text
token() {
	t "token $3" POST /v1/user/tokens "$1" "$2" 201 "${4:-true}"
	id=$(jq -r .id "$out")
	jq -r .token "$out" >"$tmp/tokens/$3"
}
token rown '{"label":"short","expiresAt":"2099-01-01T00:00:00Z"}' rshort
SHORT=$id
token rshort '{"label":"below"}' rbelow '.madeBy == "'$SHORT'" and .expiresAt == "2099-01-01T00:00:00.000Z"'
BELOW=$id
token rbelow '{"label":"below it","expiresAt":"2098-01-01T00:00:00Z"}' rthird '.madeBy == "'$BELOW'" and .expiresAt == "2098-01-01T00:00:00.000Z"'
THIRD=$id
t 'a token makes none that lives longer' POST /v1/user/tokens rshort '{"expiresAt":"2099-01-01T00:00:00.001Z"}' 403 '.error.message | contains("2099-01-01")'
t 'one that never ends makes one that does not' GET /v1/user/tokens/$SHORT rown '' 200 '.madeBy and .label == "short"'
# Replaced: another text and id, the same family.
t 'rotate what is below' POST /v1/user/tokens/$BELOW/rotate rshort '' 201 '.id != "'$BELOW'" and .label == "below" and .scope == "admin"
	and .madeBy == "'$SHORT'" and .expiresAt == "2099-01-01T00:00:00.000Z" and (.token | startswith("oct_"))'
NEXT=$(jq -r .id "$out")
jq -r .token "$out" >"$tmp/tokens/rnext"
t 'the old text is worth nothing' GET /v1/user rbelow '' 401 ''
t 'the new one works' GET /v1/user rnext '' 200 '.id == "'$U_rown'"'
t 'what was made with it lives on' GET /v1/user rthird '' 200 ''
t 'below the new one' GET /v1/user/tokens/$THIRD rown '' 200 '.madeBy == "'$NEXT'"'
t 'and is told as replaced' GET "$RO/audit-events?action=token.rotated" rown '' 200 '.count == 1 and .items[0].target.id == "'$BELOW'"'
t 'with both' GET $RO/audit-events/$(jq -r '.items[0].id' "$out") rown '' 200 '.payload | .before.label == "below" and .after.id == "'$NEXT'"'
t 'no token replaces what it was made with' POST /v1/user/tokens/$SHORT/rotate rnext '' 403 '.error.message | contains("no other")'
t 'nor one beside it' POST /v1/user/tokens/$RINV/rotate rown '' 404 ''
t 'nor one that ended' POST /v1/user/tokens/$BELOW/rotate rshort '' 404 ''
t 'one replaces itself' POST /v1/user/tokens/$THIRD/rotate rthird '{"expiresAt":"2097-01-01T00:00:00Z"}' 201 '.expiresAt == "2097-01-01T00:00:00.000Z" and .madeBy == "'$NEXT'"'
THIRD=$(jq -r .id "$out")
jq -r .token "$out" >"$tmp/tokens/rthird"
t 'but not by one that lives longer' POST /v1/user/tokens/$THIRD/rotate rthird '{"expiresAt":"2097-01-02T00:00:00Z"}' 403 ''
t 'nor by one that ended before it began' POST /v1/user/tokens/$THIRD/rotate rthird '{"expiresAt":"2020-01-01T00:00:00Z"}' 400 '.fields[0].path == "/expiresAt"'
# Nor may a third token give one a longer life than the one has that it was made with.
t 'rotate below, longer' POST /v1/user/tokens/$NEXT/rotate rown '{"expiresAt":"2099-01-01T00:00:00.001Z"}' 403 '.error.message | contains("2099-01-01")'
token rown '{"label":"long"}' rlong
LONG=$id
token rlong '{"label":"below long"}' rlongbelow '.expiresAt == null'
BELOWLONG=$id
t 'rotate, shorter' POST /v1/user/tokens/$LONG/rotate rown '{"expiresAt":"2096-01-01T00:00:00Z"}' 201 '.expiresAt == "2096-01-01T00:00:00.000Z"'
LONG=$(jq -r .id "$out")
t 'what is below it ends with it' GET /v1/user/tokens/$BELOWLONG rown '' 200 '.madeBy == "'$LONG'" and .expiresAt == "2096-01-01T00:00:00.000Z"'
t 'that it does is told' GET "$RO/audit-events?action=token.updated" rown '' 200 '[.items[].target.id] == ["'$BELOWLONG'"]'
t 'with both ends' GET $RO/audit-events/$(jq -r '.items[0].id' "$out") rown '' 200 '.payload | .before == {expiresAt: null} and .after == {expiresAt: "2096-01-01T00:00:00.000Z"}'
t 'what ends earlier stays' GET /v1/user/tokens/$THIRD rown '' 200 '.expiresAt == "2097-01-01T00:00:00.000Z"'
# Ends.
t 'end one and keep what is below' DELETE "/v1/user/tokens/$NEXT?descendants=keep" rown '' 204 ''
t 'it has ended' GET /v1/user rnext '' 401 ''
t 'what was made with it has not' GET /v1/user rthird '' 200 ''
t 'another word' DELETE "/v1/user/tokens/$NEXT?descendants=all" rown '' 400 '.fields[0].path == "/descendants"'
t 'nobody ends those of others' DELETE /v1/user/tokens/$SHORT rinv '' 204 ''
t 'they live' GET /v1/user rthird '' 200 ''
# As it may not replace it.
t 'no token ends the one that it was made with' DELETE /v1/user/tokens/$SHORT rthird '' 403 '.error.message | contains("made with")'
t 'nor that alone' DELETE "/v1/user/tokens/$SHORT?descendants=keep" rthird '' 403 ''
t 'it lives' GET /v1/user rshort '' 200 ''
t 'an end that was before is no error' DELETE "/v1/user/tokens/$NEXT?descendants=keep" rthird '' 204 ''
t 'end the first of them' DELETE /v1/user/tokens/$SHORT rown '' 204 ''
for who in rshort rnext rthird; do t "$who has ended" GET /v1/user $who '' 401 ''; done
t 'each end is told' GET "$RO/audit-events?action=token.revoked&target=$THIRD" rown '' 200 '.count == 1'
token rown '{"label":"for the command"}' rcli
CLI=$id
token rcli '{"label":"kept"}' rkept
KEPT=$id
token rkept '{"label":"below the kept"}' rdeep
"$octavo" token revoke --dir "$dir" --keep-descendants "$CLI" >/dev/null
t 'the command keeps them' GET /v1/user rkept '' 200 ''
"$octavo" token revoke --dir "$dir" "$KEPT" >/dev/null
t 'or ends them' GET /v1/user rdeep '' 401 ''
for who in rshort rbelow rthird rnext rcli rkept rdeep; do rm "$tmp/tokens/$who"; done
t 'the space goes' DELETE /v1/spaces/$RS rown '' 204 ''
