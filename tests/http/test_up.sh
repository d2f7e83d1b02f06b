#!/bin/sh
# The octavo command in general, and up, down, status, reload as an admin uses them. Needs
# OCTAVO_BUILD, the folder with the programs.
set -u
. tests/http/expect.sh

# http_error WANT-STATUS NAME CURL-ARGUMENTS...: wants this status, and a JSON error body with it.
http_error() {
	want=$1 name=$2
	shift 2
	code=$(curl -s -m 30 -o "$tmp/body" -D "$tmp/headers" -w '%{http_code}' "$@")
	same "$name: the error has its status" "$want" "$code"
	same "$name: the error has its body" "$want" "$(jq -r .error.code "$tmp/body" 2>&1)"
	grep -qi '^content-type: application/json' "$tmp/headers" && pass ||
		fail "$name" "the type is not JSON"
}

# flood NAME URL[1-40] CURL OPTION...: sends them at once; at least one is refused, with JSON.
flood() {
	name=$1 urls=$2
	shift 2
	rm -f "$tmp"/flood.*
	curl -s -m 60 -i -Z --parallel-max 40 -o "$tmp/flood.#1" "$@" "$urls" 2>/dev/null
	# shellcheck disable=SC2046
	set -- $(grep -l '^HTTP/1.1 429' "$tmp"/flood.*)
	[ $# -gt 0 ] || { fail "$name" "none of $(ls "$tmp"/flood.* | wc -l) is refused"; return; }
	sed -n '1,/^\r$/p' "$1" >"$tmp/headers"
	same "$name: the refusal has its body" 429 "$(sed '1,/^\r$/d' "$1" | jq -r .error.code)"
	grep -qi '^content-type: application/json' "$tmp/headers" && pass || fail "$name" 'the type is not JSON'
}

part_pid() { "$octavo" status --dir "$1" --json | jq -r ".processes[] | select(.name == \"$2\").pid"; }
worker_pids() {
	"$octavo" status --dir "$1" --json | jq -r ".processes[] | select(.name == \"$2\").workers[]"
}

# Processes of a data directory: their command line or environment names it.
left_over() {
	for p in /proc/[0-9]*; do
		[ "${p#/proc/}" = $$ ] && continue
		if tr '\0' ' ' 2>/dev/null <"$p/cmdline" | grep -qF "$1" ||
			tr '\0' '\n' 2>/dev/null <"$p/environ" | grep -qxF "OCTAVO_DIR=$1"; then
			tr '\0' ' ' 2>/dev/null <"$p/cmdline"
			echo
		fi
	done
}

# until_true SECONDS COMMAND...
init() {
	"$octavo" init --dir "$1" --email admin@example.com --name Admin --org Docs --json >"$tmp/init" ||
		{ echo "FAIL init"; echo "$passed passed, $((failed + 1)) failed, $skipped skipped"; exit 1; }
}

finish() {
	for d in "$tmp"/*/octavo.db; do
		[ -f "$d" ] && "$octavo" down --dir "${d%/octavo.db}" >/dev/null 2>&1
	done
	rm -rf "$tmp"
	ended_early
}
at_exit finish

# The command in general.
expect '--help lists the commands' 0 '^  reload ' "$octavo" --help
expect 'octavo alone prints its commands' 0 '^  site publish ' "$octavo"
expect 'a word that is near to the first of two proposes it' 2 'the nearest is "user"' "$octavo" usr
expect 'the version names the build' 0 '^octavo [0-9.]+ \([^ ()]+\)$' "$octavo" --version
expect 'help explains a command' 0 '^Usage: octavo up' "$octavo" help up
expect 'help alone lists the commands' 0 '^  reload ' "$octavo" help
expect 'half a command lists its second words' 2 '^  member disable ' "$octavo" member
for line in '' nothing member 'init --dir' 'up --wokers 3' 'up --port x --dir /nowhere'; do
	# shellcheck disable=SC2086
	same "a faulty line is an error in JSON: octavo $line" 2 "$(env -u OCTAVO_DIR "$octavo" $line --json 2>/dev/null | jq .error.code)"
done
expect '--version names the version' 0 '^octavo [0-9]' "$octavo" --version
expect 'an unknown command is suggested' 2 'no command "stauts"; the nearest is "status"' "$octavo" stauts
expect 'an unknown second word lists those there are' 2 'no command "member list-all"; the commands are member add, member disable' \
	"$octavo" member list-all
expect 'a word that is near to nothing lists the commands' 2 'the commands are up, down, status, .*import, .*jobs, .*doctor, check' "$octavo" xyzzyxyzzy
expect 'an unknown option is suggested' 2 'no option --wokers; the nearest is --workers' \
	"$octavo" up --dir "$tmp" --wokers 3
expect 'an option without its value is refused' 2 '--port needs a value' "$octavo" up --dir "$tmp" --port
expect 'a number out of range is refused' 2 'from 0 to 65535, not "70000"' "$octavo" up --dir "$tmp" --port 70000
expect 'a text for a number is refused' 2 'not "8x"' "$octavo" up --dir "$tmp" --port 8x
expect 'an operand too many is refused' 2 'what to do with "now"' "$octavo" up now --dir "$tmp"
[ -e /var/lib/octavo ] || expect 'without --dir it looks where an installation is' 1 'no directory /var/lib/octavo' env -u OCTAVO_DIR "$octavo" status
"$octavo" --help | sed -n 's/^  \([a-z][a-z]*\( [a-z]\{2,\}\)\{0,1\}\)  .*/\1/p' >"$tmp/commands"
while read -r command; do
	# shellcheck disable=SC2086
	expect "octavo $command --help explains it" 0 '^Usage: octavo' "$octavo" $command --help
done <"$tmp/commands"
same 'a failure is an error in JSON' 1 "$("$octavo" --json status --dir "$tmp/none" 2>/dev/null | jq .error.code)"

# Without data.
expect 'up without a directory names init' 1 'octavo init' "$octavo" up --dir "$tmp/none"
mkdir "$tmp/empty"
expect 'up without data names init' 1 'octavo init' "$octavo" up --dir "$tmp/empty"
long=$tmp/$(printf '%0100d' 0)
expect 'a path too long for a socket is refused' 1 'too long' "$octavo" up --dir "$long"

# Up. With $(…) the pipe would stay open if a process kept standard output.
a=$tmp/a
init "$a"
cp "$tmp/init" "$tmp/init.a"
expect 'down before up succeeds' 0 'was not running' "$octavo" down --dir "$a"
expect 'up starts the service' 0 'runs at http://localhost:[0-9]+' "$octavo" --dir "$a" up --port 0 --workers 3
expect 'up of a running service succeeds' 0 'already runs at' "$octavo" up --dir "$a"
port=$("$octavo" status --dir "$a" --json | jq .port)
url=http://127.0.0.1:$port
same 'what up prints answers' 200 "$(curl -s -o /dev/null -w '%{http_code}' "$("$octavo" status --dir "$a" --json | jq -r .url)/v1/")"
if grep -q '^0*1 ' /proc/net/if_inet6 2>/dev/null; then
	same 'localhost answers by IPv6, too' 200 "$(curl -s -g -o /dev/null -w '%{http_code}' "http://[::1]:$port/v1/")"
fi
same 'the API answers' 200 "$(curl -s -o /dev/null -w '%{http_code}' "$url/v1/")"
same 'three workers run' 3 "$(worker_pids "$a" api | wc -l | tr -d ' ')"
expect 'status lists the programs' 0 '^api +[0-9]+ +runs' "$octavo" status --dir "$a"
same 'answers are compressed' gzip "$(curl -s -H 'Accept-Encoding: gzip' -o /dev/null -D - "$url/v1/openapi.json" |
	tr -d '\r' | sed -n 's/^[Cc]ontent-[Ee]ncoding: //p')"

# An error that prevents the workers from starting is printed at once, in their own words.
b=$tmp/b
init "$b"
mv "$b/octavo.key" "$b/kept"
expect 'up without the key fails with the reason' 1 'octavo-api does not work; it says: .*octavo\.key' "$octavo" up --dir "$b" --port 0
same 'a failed up leaves no process' '' "$(left_over "$b")"
mv "$b/kept" "$b/octavo.key"

# A port that is taken.
expect 'up on a taken port fails' 1 "port $port is taken" "$octavo" up --dir "$b" --port "$port"
same 'up on a taken port leaves no process' '' "$(left_over "$b")"
expect 'status of a failed up says so' 1 'not running' "$octavo" status --dir "$b"

# Responses made by nginx itself.
http_error 400 'bad escape' "$url/v1/%zz"
http_error 400 'above the root' --path-as-is "$url/../../x"
http_error 404 'internal folder' "$url/_blobs/ab/cd"
http_error 404 'internal error page' "$url/_error/500"
http_error 401 'out of the API and to it' "$url/v1/spaces/..%2F.."
http_error 405 'TRACE' -X TRACE "$url/v1/"
# An HTTP/2 request line on an HTTP/1 connection: curl does not accept the response, so it is read directly.
node -e 'const s = require("net").connect(process.argv[1], "127.0.0.1", () => s.write("GET /v1/ HTTP/2.0\r\nHost: x\r\n\r\n")); s.pipe(process.stdout)' \
	"$port" | tr -d '\r' >"$tmp/http2"
same 'HTTP/2.0 answers 505' 505 "$(sed -n '1s/^HTTP.1.1 \([0-9]*\) .*/\1/p' "$tmp/http2")"
same 'an HTTP/2.0 error has a JSON body' 505 "$(sed '1,/^$/d' "$tmp/http2" | jq -r .error.code 2>&1)"
same 'an HTTP/2.0 error has its type' 1 "$(grep -ci '^content-type: application/json$' "$tmp/http2")"
head -c 10485761 /dev/zero >"$tmp/large"
head -c 300000 /dev/zero >"$tmp/body.300k"
http_error 413 'large body' -X POST -H 'Expect:' --data-binary "@$tmp/large" "$url/v1/orgs"
for header in 'access-control-allow-origin: \*' 'cache-control: no-store'; do
	grep -qi "^$header" "$tmp/headers" && pass || fail "an error has the header for browsers: $header" "$header"
done
http_error 414 'long address' "$url/v1/$(head -c 20000 /dev/zero | tr '\0' a)"
http_error 431 'long header' -H "X-Long: $(head -c 20000 /dev/zero | tr '\0' a)" "$url/v1/"
http_error 501 'unknown transfer' -X POST -H 'Transfer-Encoding: foo' -d x "$url/v1/orgs"
mv "$a/run/api.sock" "$a/run/api.hidden"
http_error 502 'no worker' "$url/v1/"
mv "$a/run/api.hidden" "$a/run/api.sock"
# Pages: the program answers after a missing file, or directly.
http_error 413 'large body to a page' -X POST -H 'Expect:' --data-binary "@$tmp/large" "$url/sites/x/y/"
mv "$a/run/site.sock" "$a/run/site.hidden"
http_error 502 'no worker for a page' "$url/sites/x/y/"
http_error 502 'no worker for a visitor' -H 'Cookie: octavo_visitor=x' "$url/sites/x/y/"
http_error 502 'no worker for what is no page' -X PUT "$url/sites/x/y/"
mv "$a/run/site.hidden" "$a/run/site.sock"
mv "$a/run/nginx/body" "$a/run/nginx/hidden"
http_error 503 'no place for a body' -X POST -H 'Expect:' --data-binary "@$tmp/body.300k" "$url/v1/orgs"
mv "$a/run/nginx/hidden" "$a/run/nginx/body"

# Logs must not contain queries, signatures of downloads, or links that invite or open a site.
for path in '/v1/spaces/x?token=SECRET' '/~files/a/b/SECRET' '/~files/a/b/1/SECRET/x.png' \
	'/v1/orgs/x/link-invites/SECRET' '/v1/orgs/x/invites/SECRET?a=b' '/sites/x/y/SECRETSECRETSECRETSECR/page' \
	/SECRETSECRETSECRETSECR '/docs/SECRETSECRETSECRETSECR/v1/page?a' '/docs/sites/x/y/SECRETSECRETSECRETSECR/'; do
	curl -s -o /dev/null -H 'Authorization: Bearer SECRET' "$url$path"
done
same 'no secret is in a log' '' "$(grep -l SECRET "$a"/log/*)"
grep -q 'GET /v1/spaces/x 401' "$a/log/access.log" && pass || fail 'the access log has the request' 'a request is not there'
# One id for a request: in its response, in nginx's log and in the workers' log.
id=$(curl -s -o /dev/null -D - "$url/v1/" | tr -d '\r' | sed -n 's/^[Xx]-[Rr]equest-[Ii]d: //p')
in_both_logs() { grep -q " $id " "$a/log/access.log" && grep -q " $id " "$a/log/requests.log"; }
{ [ -n "$id" ] && until_true 5 in_both_logs; } && pass || fail 'a request has one id in both logs' "$id"

# Reload under load: four clients, and every response is counted.
load() {
	while [ ! -e "$tmp/stop" ]; do
		curl -s -m 30 -o /dev/null -w '%{http_code}\n' "$url/v1/" -o /dev/null "$url/v1/openapi.json"
	done >"$tmp/codes.$1"
}
before=$(worker_pids "$a" api | sort)
jobs_before=$(part_pid "$a" jobs)
for i in 1 2 3 4; do load $i & done
sleep 0.5
expect 'reload replaces the workers' 0 'Replaced [0-9]+ workers' "$octavo" reload --dir "$a"
expect 'reload works twice' 0 'Replaced [0-9]+ workers' "$octavo" reload --dir "$a"
touch "$tmp/stop"
wait
same 'reload loses no request' '' "$(sort "$tmp"/codes.* | grep -v '^200$' | uniq -c)"
[ "$(cat "$tmp"/codes.* | wc -l)" -gt 100 ] && pass || fail 'more than 100 requests are sent meanwhile' 'there was hardly any'
worker_pids "$a" api | sort >"$tmp/after"
same 'reload replaces every worker' 0 "$(printf '%s\n' "$before" | grep -cxFf "$tmp/after")"
[ "$jobs_before" != "$(part_pid "$a" jobs)" ] && pass || fail 'reload replaces the job runner' 'the job runner is the old one'

# Processes that die.
w=$(worker_pids "$a" api | head -n 1)
kill -9 "$w"
until_true 10 sh -c "[ \$('$octavo' status --dir '$a' --json | jq '.processes[0].workers | length') = 3 ]" &&
	pass || fail 'a killed worker is replaced' 'it did not come back'
j=$(part_pid "$a" jobs)
kill -9 "$j"
until_true 10 sh -c "p=\$('$octavo' status --dir '$a' --json | jq '.processes[] | select(.name == \"jobs\").pid')
	[ \"\$p\" != '$j' ] && [ \"\$p\" != 0 ]" && pass || fail 'a killed job runner is replaced' 'it did not come back'
kill -9 "$(part_pid "$a" api)"
until_true 15 sh -c "[ \"\$(curl -s -o /dev/null -w '%{http_code}' '$url/v1/')\" = 200 ]" && pass ||
	fail 'a killed worker pool is replaced' 'it did not come back'
kill -9 "$(part_pid "$a" nginx)"
until_true 15 sh -c "[ \"\$(curl -s -o /dev/null -w '%{http_code}' '$url/v1/')\" = 200 ]" && pass ||
	fail 'a killed nginx is replaced' 'it did not come back'
kill -9 "$("$octavo" status --dir "$a" --json | jq .pid)"
until_true 10 sh -c "! '$octavo' status --dir '$a'"
expect 'status after a killed supervisor says so' 1 'not running' "$octavo" status --dir "$a"
# nginx, which lost its supervisor, may still end.
until_true 10 sh -c "! curl -s -o /dev/null '$url/v1/'"
expect 'up after a killed supervisor works' 0 'runs at' "$octavo" up --dir "$a" --port "$port"
# Workers that lost their parent as well hold the sockets.
# shellcheck disable=SC2046
kill -9 $("$octavo" status --dir "$a" --json | jq -r '.pid, .processes[].pid')
expect 'up after a killed supervisor and pools works' 0 'runs at' "$octavo" up --dir "$a" --port "$port"
expect 'down stops the service' 0 'is down' "$octavo" down --dir "$a"
same 'down leaves no process' '' "$(left_over "$a")"

# Programs on the data that another user or tool started: status shows them, down and reload name who must act.
OCTAVO_DIR=$a spawn-fcgi -P "$tmp/other.pid" -s "$tmp/other.sock" -- "$OCTAVO_BUILD/octavo-api" >/dev/null
opened() { "$octavo" status --dir "$a" | grep -q "^octavo-api *$(cat "$tmp/other.pid")"; }
until_true 10 opened && pass || fail 'status names programs that others run' "$("$octavo" status --dir "$a")"
same 'status in JSON names programs that others run' "true $(cat "$tmp/other.pid")" "$("$octavo" status --dir "$a" --json | jq -r '"\(.running) \(.processes[0].pid)"')"
expect 'down does not stop what others run' 1 'did not start it; whoever did has to stop it' "$octavo" down --dir "$a"
expect 'reload does not restart what others run' 1 'did not start it; whoever did has to restart it' "$octavo" reload --dir "$a"
kill "$(cat "$tmp/other.pid")"
gone() { ! kill -0 "$(cat "$tmp/other.pid")"; }
until_true 10 gone

# reload by a command at another path checks and starts the running programs' path, not its own.
mkdir "$tmp/elsewhere" "$tmp/second"
cp "$octavo" "$OCTAVO_BUILD"/octavo-* "$tmp/elsewhere"
cp "$octavo" "$OCTAVO_BUILD"/octavo-* "$tmp/second"
expect 'up from another folder works' 0 'runs at' "$tmp/elsewhere/octavo" up --dir "$a" --port 0
rm "$tmp/elsewhere/octavo-api"
expect 'reload over missing programs replaces nothing' 1 'elsewhere/octavo-api does not work.*nothing was replaced' \
	"$tmp/second/octavo" reload --dir "$a"
expect 'the service goes on after a failed reload' 0 'Octavo runs at' "$tmp/second/octavo" status --dir "$a"
cp "$OCTAVO_BUILD/octavo-api" "$tmp/elsewhere"
# Another schema version: one line names it, the version of the programs, and what to do.
schema=$("$OCTAVO_BUILD/tests/sql" "$a/octavo.db" 'SELECT * FROM pragma_user_version')
for have in 1 $((schema - 1)) $((schema + 5)); do
	"$OCTAVO_BUILD/tests/sql" "$a/octavo.db" "PRAGMA user_version=$have"
	cure='run octavo migrate --stop'
	[ "$have" -lt "$schema" ] || cure='a newer Octavo wrote it\. Install the programs of that version, or restore a backup.*'
	expect "reload at schema $have names both schemas and the cure" 1 \
		"octavo-api does not work; it says: the database has schema version $have, this program knows $schema: $cure; nothing was replaced\$" \
		"$octavo" reload --dir "$a"
	same "reload at schema $have says one line" 1 "$("$octavo" reload --dir "$a" 2>&1 | wc -l)"
done
"$OCTAVO_BUILD/tests/sql" "$a/octavo.db" "PRAGMA user_version=$schema"
expect 'reload from another path works' 0 'Replaced' "$tmp/second/octavo" reload --dir "$a"
same 'reload uses the programs of up' "$tmp/elsewhere/octavo-api" "$(readlink "/proc/$(worker_pids "$a" api | head -n 1)/exe")"
expect 'down stops a service from another folder' 0 'is down' "$octavo" down --dir "$a"
same 'each line in our logs has its time and id' '' \
	"$(grep -hvE -e '^Child.* died, respawn' -e '^spawn-fcgi: ' -e '^[0-9-]{10}T[0-9:.]{12}Z [^ ]+ octavo[a-z-]*: ' "$a"/log/octavo.log "$a"/log/api.log "$a"/log/jobs.log)"

# A page whose text is lost says so, and the service continues.
repo=$tmp/repo
mkdir "$repo"
printf '# Home\n\nText.\n' >"$repo/README.md"
repository "$repo"
expect 'up before the damage works' 0 'runs at' "$octavo" up --dir "$a" --port 0
url=$("$octavo" status --dir "$a" --json | jq -r .url)
"$octavo" import --dir "$a" --org "$(jq -r .organization "$tmp/init.a")" --title T --url "$repo" --json >"$tmp/import"
page=$url/v1/spaces/$(jq -r .result.space "$tmp/import")/content/path/readme
token="Authorization: Bearer $(jq -r .token "$tmp/init.a")"
no=$("$OCTAVO_BUILD/tests/sql" "$a/octavo.db" 'SELECT no FROM blob WHERE size = 6')
spoil() { "$OCTAVO_BUILD/tests/sql" "$a/octavo.db" "UPDATE blob SET no = $1 WHERE size = 6"; }
spoil NULL
http_error 503 'a damaged page' -H "$token" "$page"
expect 'octavo check finds the damage' 1 'are in the database: node' "$octavo" check --dir "$a"
spoil "$no"
same 'the repaired service answers' 200 "$(curl -s -m 30 -o /dev/null -w '%{http_code}' -H "$token" "$page")"
expect 'octavo check finds nothing after the repair' 0 'ok:' "$octavo" check --dir "$a"
"$octavo" down --dir "$a" >/dev/null

# The schema changes under running programs. A worker that notices it ends and is replaced; the
# runner takes no job of an unknown schema.
sql() { "$OCTAVO_BUILD/tests/sql" "$a/octavo.db" "$1"; }
ended() { until_true 15 sh -c "! kill -0 $1 2>/dev/null"; }
tries_of() { sql "SELECT state || attempts FROM job WHERE id = '$1'"; }
expect 'up before the change of schema works' 0 'runs at' "$octavo" up --dir "$a" --port 0 --workers 1
page=$("$octavo" status --dir "$a" --json | jq -r .url)/v1/user
w=$(worker_pids "$a" api) j=$(part_pid "$a" jobs) version=$(sql 'PRAGMA user_version')
sql "PRAGMA user_version = $((version + 1))"
sql "INSERT INTO job (id, kind, args, run_at, created_at) VALUES ('newer', 'newer', '{}', 1, 1)"
http_error 503 'another schema' -H "$token" "$page"
grep -qi '^retry-after: [0-9]' "$tmp/headers" && pass || fail 'another schema answers Retry-After' 'no Retry-After'
ended "$w" && pass || fail 'another schema ends the worker' 'the worker goes on'
ended "$j" && pass || fail 'another schema ends the job runner' 'the job runner goes on'
same 'no job is taken under another schema' queued0 "$(tries_of newer)"
grep -q 'schema version' "$a/log/jobs.log" && pass || fail 'the runner logs the other schema' 'the runner does not say why it ended'
sql "PRAGMA user_version = $version"
until_true 15 curl -sf -o /dev/null -H "$token" "$page" && pass || fail 'the service goes on when the schema is back' 'nobody serves'
tried_once() { [ "$(tries_of newer)" = queued1 ]; }
until_true 15 tried_once && pass || fail 'a job of an unknown kind is tried once' "$(tries_of newer)"
"$octavo" down --dir "$a" >/dev/null

# In the foreground.
"$octavo" up --dir "$a" --port 0 --foreground >"$tmp/fg" 2>&1 &
fg=$!
until_true 20 grep -q 'runs at' "$tmp/fg" && pass || fail 'up --foreground starts the service' 'it does not come up'
kill -TERM $fg
wait $fg
same 'up --foreground ends with 0' 0 $?
same 'up --foreground leaves no process' '' "$(left_over "$a")"

# As a supervisor that was killed and has not ended yet, or a command that looks whether one runs.
flock "$a/run/lock" sleep 2 &
flock=$!
until_true 10 sh -c "! flock -n '$a/run/lock' true"
expect 'up waits for a lock that is held for a moment' 0 'runs at' "$octavo" up --dir "$a" --port 0
wait $flock
"$octavo" down --dir "$a" >/dev/null

# While a runner works that a command started, as an import does without the service.
flock "$a/run/jobs.lock" sh -c 'echo once >"$1"; sleep 3' sh "$a/run/jobs.lock" &
flock=$!
until_true 10 grep -q once "$a/run/jobs.lock"
expect 'up beside a runner of a command' 0 'runs at' "$octavo" up --dir "$a" --port 0
wait $flock
stays() { grep -q stays "$a/run/jobs.lock"; }
until_true 15 stays && pass || fail 'the runner of the service waits for that of a command' "$(cat "$a/log/jobs.log")"
"$octavo" down --dir "$a" >/dev/null

# Rate limit.
"$octavo" up --dir "$a" --port 0 --rate 1 >/dev/null
url=$("$octavo" status --dir "$a" --json | jq -r .url)
# The allowance grows while the requests are sent: which of them is refused depends on the machine's speed.
flood 'too many requests' "$url/v1/?[1-40]" -H 'Authorization: Bearer x'
grep -qi '^retry-after: [0-9]' "$tmp/headers" && pass || fail 'the rate limit answers Retry-After' 'no Retry-After'
same 'another token has its own rate limit' 200 \
	"$(curl -s -o /dev/null -w '%{http_code}' -H 'Authorization: Bearer y' "$url/v1/" | sed s/401/200/)"
# The token counts, not the spelling of its header: with a separate allowance for each spelling,
# none of so few would be refused.
spelled='' blanks=' '
for scheme in Bearer bearer BEARER bEARER Bearer bearer; do
	blanks="$blanks "
	spelled="$spelled $(curl -s -o /dev/null -w '%{http_code}' -H "Authorization: $scheme${blanks}z" "$url/v1/")"
done
case $spelled in *429*) pass ;; *) fail 'another spelling of a token shares its rate limit' "$spelled" ;; esac
# Requests for pages are counted by address, whichever program answers them.
for who in x octavo_visitor=x; do
	flood "too many pages of $who" "$url/sites/x/y/[1-40]" -H "Cookie: $who"
done
"$octavo" down --dir "$a" >/dev/null

# root becomes the owner of the data.
chmod 711 "$tmp"
if [ "$(id -u)" -eq 0 ] && setpriv --reuid 65534 --regid 65534 --clear-groups sh -c \
	"'$octavo' --version && cd '$tmp'" >/dev/null 2>&1; then
	chown -R 65534:65534 "$a"
	expect 'up for another owner works' 0 'runs at' "$octavo" up --dir "$a" --port 0
	same 'nginx runs as the owner' 65534 "$(stat -c %u "/proc/$(part_pid "$a" nginx)")"
	same 'workers run as the owner' 65534 "$(stat -c %u "/proc/$(worker_pids "$a" api | head -n 1)")"
	expect 'down for another owner works' 0 'is down' "$octavo" down --dir "$a"
else
	skip 'up for another owner' 'only root can try it, with programs that others may read'
fi

summary
