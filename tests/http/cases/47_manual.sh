# The stories of the manual, typed as they stand: what each block prints is in the block after it.
#
# story FILE NAME=VALUE...: its sh blocks, as one shell with these variables, each followed by a mark; its
# text blocks are what comes between.
story() {
	awk '/^```/ { fence = !fence; kind = fence ? substr($0, 4) : ""; if (!fence && was == "sh") print "echo \"--mark--\"" }
		{ was = kind } fence && kind == "sh" && !/^```/' "$1" >"$tmp/story.sh"
	awk '/^```/ { fence = !fence; kind = fence ? substr($0, 4) : ""; if (fence && kind == "sh") print "--mark--"; next }
		fence && kind == "text"' "$1" | sed 1d >"$tmp/story.want"
	echo '--mark--' >>"$tmp/story.want"
	story_file=$1
	shift
	(cd "$tmp" && env OCTAVO="$base/v1" TOKEN="$(token_of edit)" "$@" sh ./story.sh) >"$tmp/story.got" 2>&1
	if diff "$tmp/story.want" "$tmp/story.got" >"$tmp/story.diff"; then pass; else
		fail "the story of $story_file" "$(cat "$tmp/story.diff")"
	fi
}

if [ "$TRANSPORT" = http ]; then
	t 'space for stories' POST /v1/orgs/$ORG/spaces create '{"title":"Stories"}' 201 ''
	S=$(jq -r .id "$out")
	story docs/content/change-requests.md SPACE=$S REVIEWER=$U_review "REVIEWER_TOKEN=$(token_of review)"
	get /v1/spaces/$S/content/path/backup
	P=$(jq -r .id "$out")
	send POST /v1/spaces/$S/change-requests edit '{}'
	story docs/content/comments.md CR=/spaces/$S/change-requests/$(jq -r .number "$out") PAGE=$P
	story docs/content/audiences.md ORG=$ORG "TOKEN=$(token_of admin)"
	get /v1/orgs/$ORG/sites admin
	for id in $(jq -r '.items[].id' "$out"); do t 'what the story leaves' DELETE /v1/orgs/$ORG/sites/$id admin '' 204 ''; done
	user_new you '' ''
	story docs/people/organization.md "TOKEN=$(token_of you)"
fi
