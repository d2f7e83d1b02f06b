# The stories of the manual, typed as they stand: what each block prints is in the block after it.
#
# story FILE: its sh blocks, as one shell, each followed by a mark; its text blocks are what comes between.
story() {
	awk '/^```/ { fence = !fence; kind = fence ? substr($0, 4) : ""; if (!fence && was == "sh") print "echo \"--mark--\"" }
		{ was = kind } fence && kind == "sh" && !/^```/' "$1" >"$tmp/story.sh"
	awk '/^```/ { fence = !fence; kind = fence ? substr($0, 4) : ""; if (fence && kind == "sh") print "--mark--"; next }
		fence && kind == "text"' "$1" | sed 1d >"$tmp/story.want"
	echo '--mark--' >>"$tmp/story.want"
	(cd "$tmp" && . ./story.sh) >"$tmp/story.got" 2>&1
	if diff "$tmp/story.want" "$tmp/story.got" >"$tmp/story.diff"; then pass; else
		fail "the story of $1" "$(cat "$tmp/story.diff")"
	fi
}

if [ "$TRANSPORT" = http ]; then
	t 'space for stories' POST /v1/orgs/$ORG/spaces create '{"title":"Stories"}' 201 ''
	OCTAVO=$base/v1 SPACE_OF_FIXTURE=$SPACE SPACE=$(jq -r .id "$out") TOKEN=$(token_of edit)
	REVIEWER=$U_review REVIEWER_TOKEN=$(token_of review)
	story docs/content/change-requests.md
	get /v1/spaces/$SPACE/content/path/backup
	PAGE=$(jq -r .id "$out")
	send POST /v1/spaces/$SPACE/change-requests edit '{}'
	CR=/spaces/$SPACE/change-requests/$(jq -r .number "$out")
	story docs/content/comments.md
	SPACE=$SPACE_OF_FIXTURE
fi
