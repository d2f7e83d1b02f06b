# Runs the commands of a chapter of the manual: the output of each block is in the block after it.
#
# story FILE NAME=VALUE...: runs its sh blocks in one shell with these variables, with a mark after
# each; the output between the marks must equal its text blocks.
story() {
	awk '/^```/ { fence = !fence; kind = fence ? substr($0, 4) : ""; if (!fence && was == "sh") print "echo \"--mark--\"" }
		{ was = kind } fence && kind == "sh" && !/^```/' "$1" >"$tmp/story.sh"
	awk '/^```/ { fence = !fence; kind = fence ? substr($0, 4) : ""; if (fence && kind == "sh") print "--mark--"; next }
		fence && kind == "text"' "$1" | sed 1d >"$tmp/story.want"
	echo '--mark--' >>"$tmp/story.want"
	story_file=$1
	shift
	(cd "$tmp" && env OCTAVO="$base/v1" TOKEN="$(token_of edit)" "$@" timeout 300 sh ./story.sh) >"$tmp/story.got" 2>&1
	if diff "$tmp/story.want" "$tmp/story.got" >"$tmp/story.diff"; then pass; else
		fail "the story of $story_file prints what the manual says" "$(cat "$tmp/story.diff")"
	fi
}
