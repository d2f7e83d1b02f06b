#!/bin/sh
# Slow git servers delay only those who use them: jobs without remote servers have reserved places,
# other organizations keep a place for their remote ones, and a transfer below the minimum rate is
# ended with an error that says so. Needs OCTAVO_BUILD.
set -u
. tests/http/expect.sh

data=$tmp/data
server=''
finish() {
	[ -z "$server" ] || kill "$server" 2>/dev/null
	[ ! -f "$data/octavo.db" ] || "$octavo" down --dir "$data" >/dev/null 2>&1
	rm -rf "$tmp"
	ended_early
}
at_exit finish

cat >"$tmp/drip.js" <<'END'
require('net').createServer((s) => {
	s.on('error', () => {});
	const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/x-git-upload-pack-advertisement\r\n\r\n';
	s.write(head + '001e# service=git-upload-pack\n0000fff0');
	const t = setInterval(() => s.write('0'), 200);
	s.on('close', () => clearInterval(t));
}).listen(0, '127.0.0.1', function () { console.log(this.address().port); });
END
node "$tmp/drip.js" >"$tmp/port" &
server=$!
until_true 10 test -s "$tmp/port"
drip=http://127.0.0.1:$(cat "$tmp/port")
mkdir "$tmp/repo"
printf '# Home\n\nText.\n' >"$tmp/repo/README.md"
repository "$tmp/repo"

export OCTAVO_GIT_PRIVATE=1 OCTAVO_GIT_ROOT="$tmp" OCTAVO_PATIENCE=4 OCTAVO_FETCH_PRIVATE=1
o() { "$octavo" "$@" --dir "$data"; }
o init --email a@example.com --name A --org Docs --json >"$tmp/init"
org=$(jq -r .organization "$tmp/init")
o user create --email b@example.com --name B >/dev/null
o org create --title Other --user b@example.com >"$tmp/org" 2>&1
other=$(o org list --json | jq -r '.[] | select(.title == "Other").id')
o up --port 0 --workers 1 >/dev/null || exit 1

call() { "$octavo" call "$1" "$2" --user "$3@example.com" ${4:+--body "$4"} --dir "$data" 2>&1; }
space() { call POST "/orgs/$2/spaces" "$1" '{"title":"Space"}' | jq -r .id; }
state() { call GET "/spaces/$1/git/info" "$2" '' | jq -r .operation.state; }
is_state() { [ "$(state "$1" "$2")" = "$3" ]; }
error() { o jobs --json | jq -r ".[] | select(.space == \"$1\").error // empty"; }

mine=$(space a "$org")
# A job runner that fails at every start is given up, and its message is shown.
"$octavo" init --dir "$tmp/other" --email a@example.com --name A --org Docs >/dev/null
expect 'a runner that cannot start is given up' 1 'octavo-jobs failed 3 times' env OCTAVO_JOB_PROCESSES=x timeout 30 \
	"$octavo" import --org Docs --title T --url "$tmp/repo" --dir "$tmp/other"
expect 'a page to print is imported' 0 '' "$octavo" import --org "$org" --space "$mine" --url "$tmp/repo" --dir "$data"
# More of them than there are places.
for i in 1 2 3 4 5 6; do
	s=$(space a "$org")
	[ $i -gt 1 ] || first=$s
	call POST "/spaces/$s/git/import" a "{\"url\":\"$drip/docs.git\",\"ref\":\"refs/heads/main\"}" >/dev/null
done
until_true 10 is_state "$first" a running && pass || fail 'a dripping server is asked' "$(o jobs)"
theirs=$(space b "$other")
begin=$(date +%s%N)
call GET "/spaces/$mine/pdf" a '' >/dev/null
call POST "/spaces/$theirs/git/import" b "{\"url\":\"file://$tmp/repo\",\"ref\":\"refs/heads/main\"}" >/dev/null
until_true 10 is_state "$theirs" b success && pass || fail 'an import of another organization ends' "$(o jobs)"
printed() { [ "$(o jobs --json | jq -r '.[] | select(.kind == "pdf").state')" = done ]; }
until_true 10 printed && pass || fail 'a PDF of the same person is printed' "$(o jobs)"
ms=$((($(date +%s%N) - begin) / 1000000))
[ $ms -lt 6000 ] && pass || fail 'other jobs are done within seconds' "$ms ms"
same 'the dripping import still runs' running "$(state "$first" a)"
[ "$(o jobs --json | jq '[.[] | select(.state == "running")] | length')" -le 2 ] && pass || fail 'one organization has at most two places' "$(o jobs)"
ended() { [ -n "$(error "$first")" ]; }
until_true 20 ended
case $(error "$first") in *'less than 1024 bytes a second'*) pass ;; *) fail 'the drip is ended with its reason' "$(o jobs)" ;; esac
summary
