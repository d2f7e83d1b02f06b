# Eight clients at once: what relies on one writer at a time holds (ARCHITECTURE.md, "One writer at a time"). Over HTTP only.

# crowd: sends the requests of $tmp/crowd (lines "WHO METHOD PATH BODY") from eight clients; their statuses and bodies
# are $tmp/crowd.N.code and $tmp/crowd.N.out
crowd() {
	rm -f "$tmp"/crowd.*.code
	cr_n=0
	while read -r cr_who cr_method cr_path cr_body; do
		cr_n=$((cr_n + 1))
		printf '%s\n' "$cr_n" "$cr_method" "$base$cr_path" "$tmp/tokens/$cr_who" "$cr_body"
	done <"$tmp/crowd" | tr '\n' '\0' | tmp=$tmp xargs -0 -n 5 -P 8 sh -c '
		curl -sg -m 120 -o "$tmp/crowd.$0.out" -w "%{http_code}\n" -X "$1" -H "Authorization: Bearer $(cat "$3")" \
			-H "Content-Type: application/json" ${4:+--data-binary "$4"} "$2" >"$tmp/crowd.$0.code"'
	crowd_codes=$(cat "$tmp"/crowd.*.code | sort | uniq -c | awk '{ print $1 "x" $2 }' | paste -sd ' ')
}

crowds() {
	for n in 1 2 3 4 5 6 7 8; do user_new crowd$n '' ''; done
	send POST /v1/orgs crowd1 '{"title":"Crowd"}'
	CO=/v1/orgs/$(jq -r .id "$out") CORG=$(jq -r .id "$out")
	for n in 2 3 4 5 6 7 8; do "$octavo" member add --dir "$dir" --org "$CORG" --user crowd$n@example.com --role admin >/dev/null; done

	# The last admin.
	for n in 1 2 3 4 5 6 7 8; do
		eval "echo crowd$n PATCH $CO/members/\$U_crowd$n '{\"role\":\"read\"}'"
	done >"$tmp/crowd"
	crowd
	sql "SELECT count(*) FROM member WHERE org = '$CORG' AND role = 6" >"$tmp/left"
	same 'of eight admins who step down one is left' 1 "$(cat "$tmp/left")"
	"$octavo" member add --dir "$dir" --org "$CORG" --user crowd1@example.com --role admin >/dev/null
	"$octavo" member add --dir "$dir" --org "$CORG" --user crowd2@example.com --role read >/dev/null

	# Numbers of change requests.
	send POST $CO/spaces crowd1 '{"title":"Crowd"}'
	CS=/v1/spaces/$(jq -r .id "$out")
	for n in $(seq 24); do echo crowd1 POST $CS/change-requests '{"subject":"'$n'"}'; done >"$tmp/crowd"
	crowd
	same 'change requests are opened by eight at once' 24x201 "$crowd_codes"
	same 'their numbers have no gap and no double' "$(seq -s ' ' 24)" "$(cat "$tmp"/crowd.*.out | jq -s -r '[.[].number] | sort | join(" ")')"

	# Heads: of one request, then of main.
	for n in $(seq 24); do
		echo crowd1 POST "$CS/change-requests/1/content?compat=false" \
			'{"changes":[{"operation":"insert_page","title":"P'$n'","document":{"markdown":"Text '$n'."}}]}'
	done >"$tmp/crowd"
	crowd
	same 'one request is written by eight at once' 24x200 "$crowd_codes"
	t 'each page is there' GET $CS/change-requests/1/content/pages crowd1 '' 200 '[.pages[].title] | sort == ([range(1; 25) | "P\(.)"] | sort)'
	for n in $(seq 2 17); do
		send POST "$CS/change-requests/$n/content?compat=false" crowd1 \
			'{"changes":[{"operation":"insert_page","title":"M'$n'","document":{"markdown":"Main '$n'."}}]}'
		echo crowd1 POST $CS/change-requests/$n/merge '{}'
	done >"$tmp/crowd"
	crowd
	same 'sixteen requests are merged by eight at once' 16x200 "$crowd_codes"
	t 'main has the page of each' GET $CS/content/pages crowd1 '' 200 '[.pages[].title] | sort == ([range(2; 18) | "M\(.)"] | sort)'
	t 'the counts of requests are right' GET $CS crowd1 '' 200 '[.changeRequests, .changeRequestsOpen, .changeRequestsDraft] == [24, 0, 8]'

	# Who may see a space (access_version): a right that ended is not remembered by any worker.
	for n in $(seq 24); do
		[ $((n % 2)) = 0 ] && cr_role=null || cr_role='"read"'
		echo crowd1 PATCH $CS '{"defaultLevel":'$cr_role'}'
	done >"$tmp/crowd"
	crowd
	for n in 1 2 3 4 5 6 7 8; do
		t "a space that is open to members is read, $n" PATCH $CS crowd1 '{"defaultLevel":"read"}' 200 ''
		t "by each worker, $n" GET $CS crowd2 '' 200 ''
		t "a space is closed, $n" PATCH $CS crowd1 '{"defaultLevel":null}' 200 ''
		echo "crowd2 GET $CS" | awk '{ for (i = 0; i < 8; i++) print }' >"$tmp/crowd"
		crowd
		same "and closed for all workers, $n" 8x404 "$crowd_codes"
	done
	"$octavo" check --dir "$dir" >"$tmp/checked" 2>&1 && pass || fail 'the data is whole' "$(tail -n 5 "$tmp/checked")"
}
[ "$TRANSPORT" != http ] || crowds
