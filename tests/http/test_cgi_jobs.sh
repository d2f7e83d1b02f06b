#!/bin/sh
# A plain CGI program that starts the job runner itself (OCTAVO_JOBS): the request does not wait for
# the runner, the runner inherits nothing of the request, and its messages are kept. Called over
# HTTP, the runner refuses. Needs OCTAVO_BUILD.
set -u
. tests/http/expect.sh

finish() {
	[ ! -f "$tmp/runner" ] || kill "$(cat "$tmp/runner")" 2>/dev/null
	rm -rf "$tmp"
	ended_early
}
at_exit finish

d=$tmp/data
"$octavo" init --dir "$d" --email a@example.com --name A --org Docs --json >"$tmp/init" || exit 1
token=$(jq -r .token "$tmp/init") org=$(jq -r .organization "$tmp/init")
mkdir "$tmp/repo"
printf '# Home\n\nText.\n' >"$tmp/repo/README.md"
repository "$tmp/repo"

# request METHOD PATH BODY [NAME=VALUE...]: starts the program as mod_cgi does, which reads its
# output until all copies of the descriptor are closed; the status is in $code, the body in
# $tmp/body.
request() {
	r_method=$1 r_path=$2
	printf %s "$3" >"$tmp/stdin"
	shift 3
	env "$@" GATEWAY_INTERFACE=CGI/1.1 REQUEST_METHOD="$r_method" REQUEST_URI="$r_path" \
		CONTENT_LENGTH="$(wc -c <"$tmp/stdin")" CONTENT_TYPE=application/json \
		HTTP_AUTHORIZATION="Bearer $token" HTTP_PROXY=http://127.0.0.1:1 OCTAVO_DIR="$d" \
		OCTAVO_GIT_ROOT="$tmp" "$OCTAVO_BUILD/octavo-api" <"$tmp/stdin" 2>&1 | cat >"$tmp/answer"
	sed '1,/^\r$/d' "$tmp/answer" >"$tmp/body"
	code=$(sed -n 's/^Status: \([0-9]*\).*/\1/p' "$tmp/answer")
}

# A runner that records its arguments, environment and descriptors, and keeps running: a request
# whose descriptors it inherits would never end.
cat >"$tmp/slow" <<-END
	#!/bin/sh
	echo \$\$ >"$tmp/runner"
	echo said >&2
	env >"$tmp/seen"
	for fd in /proc/\$\$/fd/*; do readlink "\$fd"; done >"$tmp/descriptors"
	exec sleep 60
END
chmod +x "$tmp/slow"
request POST "/v1/orgs/$org/spaces" '{"title":"T"}'
same 'a space is created' 201 "$code"
space=$(jq -r .id "$tmp/body")
request POST "/v1/spaces/$space/git/import" '{"url":"file://'"$tmp"'/repo","ref":"refs/heads/main"}' OCTAVO_JOBS="$tmp/slow"
same 'an import is queued' 204 "$code"
until_true 30 test -s "$tmp/descriptors" && pass || fail 'the request starts a runner' 'it was not started'
kill -0 "$(cat "$tmp/runner")" 2>/dev/null && pass || fail 'the request does not wait for the runner' 'it waited for the runner'
same 'the runner has no descriptor of the server' '' "$(grep -v -e '^/dev/null$' -e "^$d/log/jobs.log\$" -e "^$tmp/slow\$" \
	-e "^$tmp/descriptors\$" "$tmp/descriptors")"
same 'the runner has no variable of the request' '' "$(grep -E '^(HTTP_|REQUEST_|GATEWAY_|CONTENT_)' "$tmp/seen")"
same 'the runner has its settings' "$tmp" "$(sed -n 's/^OCTAVO_GIT_ROOT=//p' "$tmp/seen")"
same 'messages of the runner are logged' said "$(cat "$d/log/jobs.log")"
kill "$(cat "$tmp/runner")"

# The real runner does the work.
request POST "/v1/spaces/$space/git/import" '{"url":"file://'"$tmp"'/repo","ref":"refs/heads/main","force":true}' OCTAVO_JOBS="$OCTAVO_BUILD/octavo-jobs"
same 'a second import is queued' 204 "$code"
imported() {
	request GET "/v1/spaces/$space/content/path/readme?format=markdown" ''
	[ "$code" = 200 ] || { request GET "/v1/spaces/$space/content/pages" '' && jq -e '.pages | length > 0' "$tmp/body"; }
}
until_true 60 imported && pass || fail 'the runner imports the repository' "$(cat "$d/log/jobs.log" "$tmp/body")"

# A job queued after the last look of a runner that is ending, and still holds the lock, must be
# run: the request starts another runner, which finds the lock taken. No program knows this kind of
# job, so it is postponed.
sql() { "$OCTAVO_BUILD/tests/sql" "$d/octavo.db" "$@"; }
cat >"$tmp/late" <<-END
	#!/bin/sh
	"$OCTAVO_BUILD/tests/sql" "$d/octavo.db" "INSERT INTO job (id, kind, args, run_at, created_at) VALUES ('late', 'none', '{}', 1, 1)"
	"$OCTAVO_BUILD/octavo-jobs" --once
END
chmod +x "$tmp/late"
# The runner from above may still hold the lock after its work; and LeakSanitizer exits with 1 if it is traced.
flock -w 60 "$d/run/jobs.lock" true && pass || fail 'the runner releases its lock' 'it does not end'
OCTAVO_DIR=$d ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0 "$OCTAVO_BUILD/tests/stop_leaving" "$tmp/late" "$OCTAVO_BUILD/octavo-jobs" --once 2>"$tmp/said"
ended=$?
if [ $ended -eq 77 ]; then
	skip 'a job that comes while a runner ends' 'nothing may be traced here'
else
	same 'a runner that ends succeeds' 0 "$ended"
	same 'a late job is queued' 1 "$(sql "SELECT count(*) FROM job WHERE id = 'late'")"
	same 'a late job is taken' 0 "$(sql "SELECT count(*) FROM job WHERE id = 'late' AND run_at = 1")"
fi
sql "DELETE FROM job WHERE id = 'late'"

# In the folder of a web server, called by its URL.
for how in GATEWAY_INTERFACE=CGI/1.1 REQUEST_METHOD=GET; do
	OCTAVO_DIR=$d env $how "$OCTAVO_BUILD/octavo-jobs" >"$tmp/answer" 2>"$tmp/said" && fail "the runner refuses to run as CGI: $how" 'it ran'
	grep -q '^Status: 404' "$tmp/answer" && pass || fail "the runner as CGI answers 404: $how" "$(cat "$tmp/answer")"
	grep -q 'started as a CGI program' "$tmp/said" && pass || fail "the runner as CGI says why: $how" "$(cat "$tmp/said")"
done

# Below the path of the program itself, as from /cgi-bin; mod_cgi with a rewrite rule passes the
# token in REDIRECT_HTTP_AUTHORIZATION.
below() {
	env -u HTTP_AUTHORIZATION "$1=Bearer $token" GATEWAY_INTERFACE=CGI/1.1 REQUEST_METHOD=GET \
		SCRIPT_NAME=/cgi-bin/octavo-api PATH_INFO=/v1/user REQUEST_URI=/cgi-bin/octavo-api/v1/user \
		OCTAVO_URL=http://example.com/cgi-bin/octavo-api OCTAVO_DIR="$d" "$OCTAVO_BUILD/octavo-api" \
		</dev/null >"$tmp/answer" 2>&1
	sed -n 's/^Status: \([0-9]*\).*/\1/p' "$tmp/answer"
}
same 'a program below /cgi-bin answers' 200 "$(below HTTP_AUTHORIZATION)"
same 'addresses begin as OCTAVO_URL says' 1 "$(grep -c 'http://example.com/cgi-bin/octavo-api/v1/users/' "$tmp/answer")"
same 'a redirected token is read' 200 "$(below REDIRECT_HTTP_AUTHORIZATION)"
same 'a request without a token answers 401' 401 "$(below NOT_A_TOKEN)"

# The audit record names the client behind trusted proxies, and ignores a header that the client wrote.
address_of() {
	request POST "/v1/orgs/$org/spaces" '{"title":"Seen"}' REMOTE_ADDR=10.1.2.3 "HTTP_X_FORWARDED_FOR=$1" OCTAVO_PROXIES="$2"
	"$octavo" audit --dir "$d" --target "$(jq -r .id "$tmp/body")" --action space.created --json | jq -r '.[0].from'
}
same 'without a proxy the peer is recorded' 10.1.2.3 "$(address_of 203.0.113.9 '')"
same 'behind a proxy the client is recorded' 203.0.113.9 "$(address_of '198.51.100.1, 203.0.113.9' '127.0.0.1 10.0.0.0/8')"
request GET /v1/user '' OCTAVO_PROXIES=nginx
same 'a faulty setting of proxies answers 503' 503 "$code"
grep -q 'OCTAVO_PROXIES: .*nginx.* is neither an address' "$tmp/body" && pass || fail 'a faulty setting of proxies is named' "$(cat "$tmp/body")"

# The bare URL, for people who open it first.
front() {
	env GATEWAY_INTERFACE=CGI/1.1 REQUEST_METHOD="$2" REQUEST_URI="$1" OCTAVO_URL='https://example.com/docs&co' \
		OCTAVO_DIR="$d" "$OCTAVO_BUILD/octavo-site" </dev/null 2>&1
}
for path in / '/?x=y' '/docs&co' '/docs&co/'; do
	same "the front page names the API at $path" 2 "$(front "$path" GET | grep -c -e '^Status: 200' -e 'https://example.com/docs&#38;co/v1/openapi.json</a>')"
done
same 'HEAD of the front page has no body' 0 "$(front / HEAD | grep -c '<')"
same 'another address answers 404' 1 "$(front /docs GET | grep -c '^Status: 404')"

summary
