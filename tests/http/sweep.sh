# The sweep: requests made out of the description by sweep.jq, sent by one curl,
# judged by one jq; then what was exercised, read from the access log. For
# test_api.sh, after lib.sh.

# Everything in the database but what a refused request may leave there.
database_dump() {
	sql "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND sql NOT LIKE '%VIRTUAL%'
		AND name NOT IN ('derived', 'idempotency') ORDER BY name" |
		while read -r db_table; do sql "SELECT '$db_table', * FROM \"$db_table\""; done
}

# A comment with a reply at an address: $said and $replied.
say_there() {
	send POST "$1/comments" admin '{"body":{"markdown":"Sweep"}}'
	said=$(jq -r '.id // empty' "$out")
	send POST "$1/comments/$said/replies" admin '{"body":{"markdown":"Sweep"}}'
	replied=$(jq -r '.id // empty' "$out")
}

# What people say on the fixture's space and change request; those of the latter have names of their own.
sweep_talk() {
	send POST /v1/spaces/$SPACE/change-requests/$REQUEST/reviews admin '{"status":"approved"}'
	talk_review=$(jq -r '.id // empty' "$out")
	say_there /v1/spaces/$SPACE/change-requests/$REQUEST
	talk_said=$said talk_replied=$replied
	say_there /v1/spaces/$SPACE
	jq -n --arg review "$talk_review" --arg comment "$said" --arg reply "$replied" --arg inside "$talk_said" \
		--arg below "$talk_replied" '{ reviewId: $review, commentId: $comment, commentReplyId: $reply,
		requestCommentId: $inside, requestCommentReplyId: $below }'
}

# id_of ADDRESS BODY: what it makes
id_of() {
	send POST "$1" admin "$2"
	jq -r '.id // empty' "$out"
}

# Ways into the organization.
sweep_doors() {
	send PATCH /v1/orgs/$ORG admin '{"hostname":"sweep-docs"}'
	jq -n --arg invite "$(id_of /v1/orgs/$ORG/link-invites '{"role":"read"}')" \
		--arg saml "$(id_of /v1/orgs/$ORG/saml '{"label":"Sweep"}')" \
		--arg token "$(id_of /v1/user/tokens '{"label":"Sweep"}')" \
		'{ inviteId: $invite, samlProviderId: $saml, tokenId: $token, subdomain: "sweep-docs" }'
}

# Ids for the path parameters of the description: of the fixture, and of the other organization.
sweep_ids() {
	sweep_talk >"$tmp/talk"
	sweep_doors >"$tmp/doors"
	jq -n --slurpfile talk "$tmp/talk" --slurpfile doors "$tmp/doors" --arg org "$ORG" --arg space "$SPACE" --arg rev "$REV" --arg page "$PAGE" --arg file "$FILE" \
		--arg reusable "$REUSABLE" --arg user "$U_read" --arg collection "$COLLECTION" --arg deleted "$DELETED" \
		--arg request "$REQUEST" --arg event "$EVENT" --arg team "$TEAM" '{ teamId: $team, organizationId: $org, spaceId: $space, revisionId: $rev,
		pageId: $page, fileId: $file, reusableContentId: $reusable, pagePath: "guide", userId: $user,
		collectionId: $collection, deletedSpaceId: $deleted, changeRequestId: $request, auditEventId: $event } + $talk[0] + $doors[0]
		| with_entries(select(.value != ""))' >"$tmp/ids"
	jq -n --arg org "$ORG_B" --arg space "$SPACE_B" --arg rev "$REV_B" --arg page "$PAGE_B" --arg file "$FILE_B" \
		--arg user "$U_other" --arg collection "$COLLECTION_B" --arg team "$TEAM_B" '{ teamId: $team, organizationId: $org, spaceId: $space,
		revisionId: $rev, pageId: $page, fileId: $file, userId: $user, collectionId: $collection }' >"$tmp/foreign"
}

sweep_make() {
	jq --arg what "$1" --argjson ids "$(cat "$tmp/ids")" --argjson foreign "$(cat "$tmp/foreign")" \
		-f tests/http/sweep.jq "$tmp/openapi" >"$tmp/requests" || give_up sweep 'sweep.jq failed'
}

# The requests as a configuration file of curl; bodies are files, for some are long.
sweep_send() {
	rm -rf "$tmp/sweep"
	mkdir "$tmp/sweep"
	jq -r 'to_entries[] | select(.value.body != null) | "\(.key)\t\(.value.body)"' "$tmp/requests" |
		(cd "$tmp/sweep" && awk -F '\t' '{ printf "%s", substr($0, length($1) + 2) > ($1 ".in"); close($1 ".in") }')
	for sw_who in "$tmp"/tokens/*; do printf '{"%s":"%s"}\n' "${sw_who##*/}" "$(cat "$sw_who")"; done |
		jq -s add >"$tmp/token-map"
	jq -r --arg base "$base" --arg at "$tmp/sweep" --slurpfile tokens "$tmp/token-map" '
		[to_entries[] | .key as $n | .value | [
			"silent", "globoff", "path-as-is", "max-time = 30", "request = \(.method)",
			"url = \($base + .path | tojson)", "output = \"\($at)/\($n).out\"",
			"write-out = \"\($n) %{http_code}\\n\"",
			(if .who != "-" then "header = \"Authorization: Bearer \($tokens[0][.who])\"" else empty end),
			(.headers[]? | "header = \(tojson)"),
			(if .body != null then "header = \"Content-Type: \(.type // "application/json")\"",
				"header = \"Expect:\"", "data-binary = \"@\($at)/\($n).in\"" else empty end)
		] | join("\n")] | join("\nnext\n")' "$tmp/requests" >"$tmp/curl"
	curl -K "$tmp/curl" >"$tmp/codes" 2>"$tmp/curl.err" || fail sweep "curl: $(cat "$tmp/curl.err")"
}

# One line a request that was not answered as it should be.
sweep_judge() {
	for sw_n in $(awk '{ print $1 }' "$tmp/codes"); do
		printf '%s\t' "$sw_n"
		tr -d '\n' <"$tmp/sweep/$sw_n.out"
		echo
	done >"$tmp/bodies"
	jq -nr --slurpfile requests "$tmp/requests" --rawfile codes "$tmp/codes" --rawfile bodies "$tmp/bodies" '
		($codes | rtrimstr("\n") | split("\n") | map(split(" ") | { (.[0]): (.[1] | tonumber) }) | add) as $code
		| ($bodies | rtrimstr("\n") | split("\n") | map(index("\t") as $i | { (.[0:$i]): .[$i + 1:] }) | add) as $body
		| $requests[0] | to_entries[] | .key as $k | .value as $r | ($k | tostring) as $n | $code[$n] as $c | $body[$n] as $b
		| if $r.want | index($c) == null then "\($r.name): \($r.method) \($r.path[0:120]): \($c) instead of \($r.want | join(" or ")): \($b[0:200])"
		elif $c < 400 then empty
		elif try ($b | fromjson | .error.code != $c or (.error.message | length) == 0) catch true
		then "\($r.name): \($c) without the error body: \($b[0:200])"
		elif $r.at != null and ($b | fromjson | [.fields[]?.path | startswith($r.at)] | any | not)
		then "\($r.name): no field \($r.at): \($b[0:300])"
		else empty end' >"$tmp/wrong"
}

sweep() {
	get /v1/openapi.json
	cp "$out" "$tmp/openapi"
	sweep_ids
	sweep_make refusals
	database_dump >"$tmp/before"
	sweep_send
	sweep_judge
	while read -r sw_line; do fail sweep "$sw_line"; done <"$tmp/wrong"
	sw_all=$(jq length "$tmp/requests")
	[ "$sw_all" -gt 500 ] || fail sweep "only $sw_all requests"
	passed=$((passed + sw_all - $(wc -l <"$tmp/wrong")))
	database_dump >"$tmp/after"
	yes 'the sweep changed nothing' cmp -s "$tmp/before" "$tmp/after"
	sweep_keys
}

# What was done once under a key is not done again with another body.
sweep_keys() {
	sweep_make keys
	sweep_send
	sort -n "$tmp/codes" | awk '{ print $2 }' | paste - - >"$tmp/pairs"
	while read -r sw_first sw_second; do
		case $sw_first$sw_second in
		2??409) pass ;;
		# Restored, a space is no longer one that can be restored.
		2??404) ;;
		2*) fail 'sweep of keys' "$sw_first, then $sw_second instead of 409" ;;
		esac
	done <"$tmp/pairs"
}

# Statuses of each operation, declared and seen. coverage.txt excuses with a reason.
coverage() {
	jq -r '.paths[][] | .operationId as $o | .responses | keys[] | "\($o) \(.)"' "$tmp/openapi" | sort >"$tmp/declared"
	awk '{ print $4, $5 }' "$dir/log/requests.log" | grep -v '^- ' | sort -u >"$tmp/seen"
	sed -n 's/^\([A-Za-z*]* [0-9][0-9][0-9]\) .*/\1/p' tests/http/coverage.txt >"$tmp/excused"
	comm -23 "$tmp/declared" "$tmp/seen" | while read -r co_op co_status; do
		grep -qxF -e "$co_op $co_status" -e "* $co_status" "$tmp/excused" || echo "$co_op never answered $co_status"
	done >"$tmp/uncovered"
	# 304 is the same answer as 200, without its body.
	comm -13 "$tmp/declared" "$tmp/seen" | grep -v ' 304$' | while read -r co_op co_status; do
		grep -qxF -e "* $co_status" "$tmp/excused" || echo "$co_op answered $co_status, which it does not declare"
	done >>"$tmp/uncovered"
	while read -r co_line; do fail coverage "$co_line"; done <"$tmp/uncovered"
	passed=$((passed + $(wc -l <"$tmp/declared") - $(grep -c never "$tmp/uncovered")))
}
