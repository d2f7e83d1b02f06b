# Many requests at once, for sweep.sh and access.sh. $tmp/requests is an array of
#
#   { name, method, path, who, body?, type?, headers?, want: [statuses], at?, copy? }
#
# requests_send sends them: those with `copy` one by one to octavo-api on a fresh
# copy of the database each, so that none sees what another did; the rest in
# their order with one curl over nginx. $tmp/answers then has a line each:
#
#   NUMBER \t STATUS \t HEADERS, without those of the moment \t BODY
#
# requests_judge holds them against `want`: $tmp/wrong has a line for each that
# is not as it should be. `at`: one of the answer's fields must begin with it.

tab=$(printf '\t')

# Everything in the database but what a refused request may leave there.
database_dump() {
	sql "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND sql NOT LIKE '%VIRTUAL%'
		AND name NOT IN ('derived', 'idempotency') ORDER BY name" >"$tmp/tables"
	set --
	while read -r db_table; do set -- "$@" "SELECT '$db_table', * FROM \"$db_table\""; done <"$tmp/tables"
	sql "$@"
}

# Bodies as files, for some are long; tokens as a JSON object.
requests_files() {
	rm -rf "$tmp/bodies"
	mkdir "$tmp/bodies"
	command jq -r 'to_entries[] | select(.value.body != null) | "\(.key)\t\(.value.body)"' "$tmp/requests" |
		(cd "$tmp/bodies" && awk -F '\t' '{ printf "%s", substr($0, length($1) + 2) > $1; close($1) }')
	for rf_who in "$tmp"/tokens/*; do printf '{"%s":"%s"}\n' "${rf_who##*/}" "$(cat "$rf_who")"; done |
		command jq -s add >"$tmp/token-map"
}

# Answers as they came, each with its headers and ended by "#NUMBER STATUS", as lines of $tmp/answers.
answer_lines() {
	awk -v OFS='\t' '
		{ sub(/\r$/, "") }
		/^#[0-9]+ [0-9]+$/ { print substr($1, 2), ($2 > 0 ? $2 : status + 0), head, body; head = body = status = ""; inside = 0; next }
		inside { body = body $0; next }
		$0 == "" && head != "" { inside = 1; next }
		/^Status: / { status = $2; head = head "|"; next }
		/^HTTP\// { head = head "|"; next }
		tolower($0) !~ /^(date|server|connection|transfer-encoding|content-length|x-request-id|content-encoding|vary):/ { head = head $0 "|" }'
}

requests_live() {
	command jq -r --arg base "$base" --arg at "$tmp/bodies" --slurpfile tokens "$tmp/token-map" '
		[to_entries[] | .key as $n | .value | select(.copy | not) | [
			"silent", "globoff", "path-as-is", "include", "max-time = 30", "request = \(.method)",
			"url = \($base + .path | tojson)", "write-out = \"\\n#\($n) %{http_code}\\n\"",
			(if .who != "-" then "header = \"Authorization: Bearer \($tokens[0][.who])\"" else empty end),
			(.headers[]? | "header = \(tojson)"),
			(if .body != null then "header = \"Content-Type: \(.type // "application/json")\"",
				"header = \"Expect:\"", "data-binary = \"@\($at)/\($n)\"" else empty end)
		] | join("\n")] | join("\nnext\n")' "$tmp/requests" >"$tmp/curl"
	: >"$tmp/raw"
	[ ! -s "$tmp/curl" ] || curl -K "$tmp/curl" >"$tmp/raw" 2>"$tmp/curl.err" || fail requests "curl: $(cat "$tmp/curl.err")"
	answer_lines <"$tmp/raw" >"$tmp/answers"
}

# The database as it is now is what the copies are made of.
copy_take() {
	rm -rf "$tmp/copy"
	mkdir -p "$tmp/copy/blobs"
	sql "VACUUM INTO '$tmp/copy/base'"
	cp "$dir/octavo.key" "$tmp/copy/"
}

# Reads "NUMBER \t BYTES \t METHOD \t PATH \t TOKEN"; what answers is the worker itself, as a plain CGI.
requests_on_copies() {
	export OCTAVO_DIR="$tmp/copy" OCTAVO_URL="$base" OCTAVO_SYNC=normal GATEWAY_INTERFACE=CGI/1.1 CONTENT_TYPE=application/json
	while IFS=$tab read -r rc_n rc_bytes rc_method rc_path rc_token; do
		# Whoever closes a database in order leaves no log of it behind.
		[ ! -e "$tmp/copy/octavo.db-wal" ] || rm -f "$tmp"/copy/octavo.db-*
		cp "$tmp/copy/base" "$tmp/copy/octavo.db"
		rc_in=$tmp/bodies/$rc_n
		[ "$rc_bytes" -gt 0 ] || rc_in=/dev/null
		case $rc_path in *\?*) export QUERY_STRING="${rc_path#*\?}" ;; *) unset QUERY_STRING ;; esac
		REQUEST_METHOD=$rc_method REQUEST_URI=$rc_path HTTP_AUTHORIZATION="Bearer $rc_token" \
			CONTENT_LENGTH=$rc_bytes "$OCTAVO_BUILD/octavo-api" <"$rc_in"
		printf '\n#%s 000\n' "$rc_n"
	done
}

requests_send() {
	requests_files
	requests_live
	command jq -r --slurpfile tokens "$tmp/token-map" 'to_entries[] | select(.value.copy)
		| "\(.key)\t\(.value.body // "" | utf8bytelength)\t\(.value.method)\t\(.value.path)\t\($tokens[0][.value.who])"' "$tmp/requests" >"$tmp/copied"
	[ -s "$tmp/copied" ] || return 0
	copy_take
	(requests_on_copies) <"$tmp/copied" | answer_lines >>"$tmp/answers"
}

# answers as a JSON object: number -> { code, head, body }
requests_answers() {
	command jq -nR '[inputs | split("\t") | { (.[0]): { code: (.[1] | tonumber), head: .[2], body: (.[3:] | join("\t")) } }] | add // {}' "$tmp/answers"
}

requests_judge() {
	requests_answers >"$tmp/answers.json"
	command jq -nr --slurpfile requests "$tmp/requests" --slurpfile answers "$tmp/answers.json" '
		$answers[0] as $a | $requests[0] | to_entries[] | .value as $r | $a[.key | tostring] as $x | $x.code as $c | $x.body as $b
		| if $r.want | index($c) == null
		then "\($r.name): \($r.method) \($r.path[0:200]) \($r.body[0:200] // ""): \($c) instead of \($r.want | join(" or ")): \($b[0:200])"
		elif $c < 400 then empty
		elif try ($b | fromjson | .error.code != $c or (.error.message | length) == 0) catch true
		then "\($r.name): \($c) without the error body: \($b[0:200])"
		elif $r.at != null and ($b | fromjson | [.fields[]?.path | startswith($r.at)] | any | not)
		then "\($r.name): no field \($r.at): \($b[0:300])"
		else empty end' >"$tmp/wrong"
}

# requests_check NAME AT-LEAST: sends, judges and counts $tmp/requests; what is refused on the
# spot (all but copies and what was allowed to GET) leaves the database as it was.
requests_check() {
	jobs_rest
	database_dump >"$tmp/before"
	requests_send
	requests_judge
	while read -r rq_line; do fail "$1" "$rq_line"; done <"$tmp/wrong"
	rq_all=$(jq length "$tmp/requests")
	[ "$rq_all" -ge "$2" ] || fail "$1" "only $rq_all requests"
	passed=$((passed + rq_all - $(wc -l <"$tmp/wrong")))
	database_dump >"$tmp/after"
	same "$1: refused requests change nothing" '' "$(diff "$tmp/before" "$tmp/after" | head -n 5)"
}
