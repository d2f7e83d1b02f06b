# Sends many requests at once, for sweep.sh and access.sh. $tmp/requests is an array of
#
#   { name, method, path, who, body?, type?, headers?, want: [statuses], at?, copy?, tokens? }
#
# requests_send sends them: each with `copy` to octavo-api on a fresh copy of the database, so that
# none sees the effect of another; the others in their order with one curl through nginx.
# $tmp/answers then has one line each:
#
#   NUMBER \t STATUS \t HEADERS, without those that change every time \t BODY
#
# A caller with a file in $tmp/sessions (an answer of POST /v1/sign-in/link) is a session in every second pair of requests,
# except in those with `tokens`. The callers `bound` and `walkin` are always their sessions.
#
# requests_judge compares them with `want`: $tmp/wrong has a line for each wrong response. `at`: the
# path of one of the response's fields must begin with it.

tab=$(printf '\t')

# Everything in the database, except tables that a refused request may write.
database_dump() {
	sql_tables | grep -vxE 'derived|idempotency' >"$tmp/tables"
	set --
	while read -r db_table; do set -- "$@" "SELECT '$db_table', * FROM \"$db_table\""; done <"$tmp/tables"
	sql "$@"
}

# Bodies are files, because some are long; tokens are a JSON object.
requests_files() {
	rm -rf "$tmp/bodies"
	mkdir "$tmp/bodies"
	command jq -r 'to_entries[] | select(.value.body != null) | "\(.key)\t\(.value.body)"' "$tmp/requests" |
		(cd "$tmp/bodies" && awk -F '\t' '{ printf "%s", substr($0, length($1) + 2) > $1; close($1) }')
	for rf_who in "$tmp"/tokens/*; do printf '{"%s":"%s"}\n' "${rf_who##*/}" "$(cat "$rf_who")"; done |
		command jq -s add >"$tmp/token-map"
	for rf_who in "$tmp"/sessions/*; do
		[ ! -e "$rf_who" ] || command jq -c --arg who "${rf_who##*/}" '{ ($who): { secret, csrf } }' "$rf_who"
	done | command jq -s 'add // {}' >"$tmp/session-map"
	# Every second pair of requests of a caller who has a session is made with it instead of the token.
	command jq --slurpfile sessions "$tmp/session-map" '[to_entries[] | .key as $n | .value
		| if (.who | IN("bound", "walkin")) or (($n / 2 | floor) % 2 == 1 and (.tokens | not)) then .session = $sessions[0][.who] else . end]' "$tmp/requests" >"$tmp/requests.new"
	mv "$tmp/requests.new" "$tmp/requests"
}

# The responses as received, each with its headers and ended by "#NUMBER STATUS", as lines of $tmp/answers.
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
			(if .session then "header = \"Cookie: octavo_session=\(.session.secret)\"",
				"header = \"X-CSRF-Token: \(.session.csrf)\"", "header = \"Origin: \($base)\""
			elif .who != "-" then "header = \"Authorization: Bearer \($tokens[0][.who])\"" else empty end),
			(.headers[]? | "header = \(tojson)"),
			(if .body != null then "header = \"Content-Type: \(.type // "application/json")\"",
				"header = \"Expect:\"", "data-binary = \"@\($at)/\($n)\"" else empty end)
		] | join("\n")] | join("\nnext\n")' "$tmp/requests" >"$tmp/curl"
	: >"$tmp/raw"
	[ ! -s "$tmp/curl" ] || curl -K "$tmp/curl" >"$tmp/raw" 2>"$tmp/curl.err" || fail requests "curl: $(cat "$tmp/curl.err")"
	answer_lines <"$tmp/raw" >"$tmp/answers"
}

# Takes the database as it is now as the source of the copies.
copy_take() {
	rm -rf "$tmp/copy"
	mkdir -p "$tmp/copy/blobs"
	sql "VACUUM INTO '$tmp/copy/base'"
	cp "$dir/octavo.key" "$tmp/copy/"
}

# Reads "NUMBER \t BYTES \t METHOD \t PATH \t SECRET \t CSRF \t TOKEN" ("-": it has none) and sends each to the worker itself, as a plain CGI program.
requests_on_copies() {
	export OCTAVO_DIR="$tmp/copy" OCTAVO_URL="$base" OCTAVO_SYNC=normal GATEWAY_INTERFACE=CGI/1.1 CONTENT_TYPE=application/json
	while IFS=$tab read -r rc_n rc_bytes rc_method rc_path rc_secret rc_csrf rc_token; do
		# A database that is closed in order leaves no log.
		[ ! -e "$tmp/copy/octavo.db-wal" ] || rm -f "$tmp"/copy/octavo.db-*
		cp "$tmp/copy/base" "$tmp/copy/octavo.db"
		rc_in=$tmp/bodies/$rc_n
		[ "$rc_bytes" -gt 0 ] || rc_in=/dev/null
		case $rc_path in *\?*) export QUERY_STRING="${rc_path#*\?}" ;; *) unset QUERY_STRING ;; esac
		if [ "$rc_secret" != - ]; then
			export HTTP_COOKIE="octavo_session=$rc_secret" HTTP_X_CSRF_TOKEN="$rc_csrf" HTTP_ORIGIN="$base" HTTP_AUTHORIZATION=
		else
			export HTTP_COOKIE= HTTP_X_CSRF_TOKEN= HTTP_ORIGIN= HTTP_AUTHORIZATION="Bearer $rc_token"
		fi
		REQUEST_METHOD=$rc_method REQUEST_URI=$rc_path \
			CONTENT_LENGTH=$rc_bytes "$OCTAVO_BUILD/octavo-api" <"$rc_in"
		printf '\n#%s 000\n' "$rc_n"
	done
}

requests_send() {
	requests_files
	requests_live
	command jq -r --slurpfile tokens "$tmp/token-map" 'to_entries[] | select(.value.copy)
		| "\(.key)\t\(.value.body // "" | utf8bytelength)\t\(.value.method)\t\(.value.path)\t\(.value.session.secret // "-")\t\(.value.session.csrf // "-")\t\($tokens[0][.value.who])"' "$tmp/requests" >"$tmp/copied"
	[ -s "$tmp/copied" ] || return 0
	copy_take
	(requests_on_copies) <"$tmp/copied" | answer_lines >>"$tmp/answers"
}

# The responses as a JSON object: number -> { code, head, body }
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

# requests_check NAME AT-LEAST: sends, compares and counts $tmp/requests. Refused requests (all
# except copies and allowed GETs) must leave the database unchanged.
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
