# Two requests at once: the later one sees the effect of the earlier one. Over HTTP only, which has several workers.

# both METHOD PATH WHO BODY METHOD PATH WHO BODY: sends both at once; sets $both to their sorted statuses
both() {
	for b_n in 1 2; do
		[ -z "$4" ] || printf %s "$4" >"$tmp/both.$b_n.in"
		curl -sg -m 60 -o "$tmp/both.$b_n" -w '%{http_code}\n' -X "$1" -H "Authorization: Bearer $(token_of "$3")" \
			${4:+-H 'Content-Type: application/json' --data-binary "@$tmp/both.$b_n.in"} "$base$2" >"$tmp/both.$b_n.code" &
		shift 4
	done
	wait
	both=$(sort "$tmp/both.1.code" "$tmp/both.2.code" | paste -sd ' ')
}

races() {
	for who in xadm xtwo xnew; do user_new $who '' ''; done
	send POST /v1/orgs xadm '{"title":"Races"}'
	RORG=$(jq -r .id "$out")
	RO=/v1/orgs/$RORG
	for n in 1 2 3 4 5 6; do
		# Two admins remove each other: one of them stays.
		send POST $RO/invites xadm '{"emails":["xtwo@example.com"],"role":"admin"}'
		both DELETE $RO/members/$U_xtwo xadm '' DELETE $RO/members/$U_xadm xtwo ''
		same "of two admins who remove each other one succeeds, $n" '204 404' "$both"
		sql "SELECT count(*) FROM member WHERE org = '$RORG' AND role = 6" >"$tmp/admins"
		same "one of two admins is left, $n" 1 "$(cat "$tmp/admins")"
		"$octavo" member add --dir "$dir" --org "$RORG" --user xadm@example.com --role admin >/dev/null
		"$octavo" member add --dir "$dir" --org "$RORG" --user xtwo@example.com --role admin >/dev/null
		both PATCH $RO/members/$U_xadm xadm '{"role":"read"}' PATCH $RO/members/$U_xtwo xtwo '{"role":"read"}'
		same "of two admins who step down one succeeds, $n" '200 409' "$both"
		"$octavo" member add --dir "$dir" --org "$RORG" --user xadm@example.com --role admin >/dev/null
		send DELETE $RO/members/$U_xtwo xadm ''

		# Two moves that would make a cycle.
		send POST $RO/collections xadm '{"title":"a"}'
		A=$(jq -r .id "$out")
		send POST $RO/collections xadm '{"title":"b"}'
		B=$(jq -r .id "$out")
		both POST /v1/collections/$A/move xadm '{"parent":"'$B'"}' POST /v1/collections/$B/move xadm '{"parent":"'$A'"}'
		same "of two moves that make a circle one succeeds, $n" '200 400' "$both"

		# One person joins twice by one link; one hostname for two organizations; one address invited twice.
		send POST $RO/link-invites xadm '{"role":"read"}'
		LINK=$(jq -r .id "$out")
		both POST $RO/invites/$LINK xnew '' POST $RO/invites/$LINK xnew ''
		same "two concurrent joins both answer 200, $n" '200 200' "$both"
		t "two concurrent joins are recorded as one, $n" GET "$RO/audit-events?action=member.joined&target=$U_xnew" xadm '' 200 '.count == '$n
		send DELETE $RO/members/$U_xnew xadm ''
		both POST $RO/invites xadm '{"emails":["same.'$n'@example.net"]}' POST $RO/invites xadm '{"emails":["same.'$n'@example.net"]}'
		same "two concurrent invitations invite once, $n" '0 1' "$(jq .invited "$tmp/both.1" "$tmp/both.2" | sort | paste -sd ' ')"
		send POST /v1/orgs xadm '{"title":"Other"}'
		other=$(jq -r .id "$out")
		both PATCH /v1/orgs/$other xadm '{"hostname":"race-'$n'"}' PATCH $RO xadm '{"hostname":"race-'$n'"}'
		same "of two organizations one gets a hostname, $n" '200 409' "$both"

		# Nothing can be added to a deleted object, and a grant needs a member.
		send POST $RO/collections xadm '{"title":"c"}'
		C=$(jq -r .id "$out")
		both DELETE /v1/collections/$C xadm '' POST $RO/spaces xadm '{"parent":"'$C'"}'
		case $both in '201 204' | '204 404') pass ;; *) fail "a deleted collection takes no space, $n" "$both" ;; esac
		send POST $RO/invites xadm '{"emails":["xnew@example.com"]}'
		send POST $RO/spaces xadm '{}'
		S=$(jq -r .id "$out")
		both POST /v1/spaces/$S/permissions xadm '{"role":"edit","users":["'$U_xnew'"]}' DELETE $RO/members/$U_xnew xadm ''
		t "a removed member has no grant, $n" GET /v1/spaces/$S/permissions/users xadm '' 200 '.count == 0'
	done
	sql "SELECT count(*) FROM space s JOIN collection c ON c.id = s.parent WHERE s.org = '$RORG'
		AND s.deleted_at IS NULL AND c.deleted_at IS NOT NULL" >"$tmp/lost"
	same 'no living space is in a deleted collection' 0 "$(cat "$tmp/lost")"
}
[ "$TRANSPORT" != http ] || races
