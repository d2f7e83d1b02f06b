#!/bin/sh
# A full disk: programs start, none dies, reads continue, and failing writes are 503 in the API's
# form. Needs root, for a small file system in memory; skipped otherwise.
#
# A start needs no free space: what it writes (counters of requests and charges, SQLite's index of
# its log, nginx.conf, the state) is reserved in run/spare. Each start uses a part of it and
# reserves it again before it reports success (base/spare.h). So the test fills the disk to the last
# block after each start, and starts still succeed, even if a slow reader prevents the log of writes
# from being truncated. Without the reserve a start reports what to delete, and works after that.
set -u
. tests/http/expect.sh

disk=$tmp/disk data=$tmp/disk/data
finish() {
	[ -f "$data/octavo.db" ] && "$octavo" down --dir "$data" >/dev/null 2>&1
	umount "$disk" 2>/dev/null
	rm -rf "$tmp"
	ended_early
}
at_exit finish

mkdir "$disk"
if ! mount -t tmpfs -o size=40m,mode=755 octavo-test "$disk" 2>/dev/null; then
	skip 'programs on a full disk' 'a file system in memory takes root'
	summary
fi

fill() { dd if=/dev/zero of="$disk/filled" bs=1k conv=notrunc oflag=append 2>/dev/null; }
# Processes that are to stay; those of the runner's jobs come and go.
workers() { "$octavo" status --dir "$data" --json | jq -c '[.processes[] | [.pid, (if .name == "jobs" then [] else .workers end)]]'; }
# ask METHOD PATH [CURL-OPTION...]: prints the status; the body is in $tmp/body
ask() {
	method=$1 path=$2
	shift 2
	curl -s -m 60 -o "$tmp/body" -w '%{http_code}' -X "$method" -H "Authorization: Bearer $token" \
		-H 'Content-Type: application/json' "$@" "$url$path"
}
port_of() { url=http://127.0.0.1:$("$octavo" status --dir "$data" --json | jq .port); }

"$octavo" init --dir "$data" --email a@example.com --name A --org Docs --json >"$tmp/init"
token=$(jq -r .token "$tmp/init") org=$(jq -r .organization "$tmp/init")
"$octavo" up --dir "$data" --port 0 --workers 2 >/dev/null
port_of
space=$(ask POST "/v1/orgs/$org/spaces" -d '{"title":"Disk"}' >/dev/null; jq -r .id "$tmp/body")
request=$(ask POST "/v1/spaces/$space/change-requests" -d '{"subject":"S"}' >/dev/null; jq -r .id "$tmp/body")
# A page whose document is larger than nginx's buffers in memory.
{
	printf '{"changes":[{"operation":"insert_page","title":"Long","document":{"markdown":"'
	seq -f 'Paragraph %.0f has **some** words in it.' -s '\n\n' 1 45000 | tr -d '\n'
	printf '"}}]}'
} >"$tmp/page.json"
same 'a large page is written' 200 "$(ask POST "/v1/spaces/$space/change-requests/$request/content" -d @"$tmp/page.json")"
page=$(ask GET "/v1/spaces/$space/change-requests/$request/content/pages" >/dev/null; jq -r '.pages[0].id' "$tmp/body")
document=/v1/spaces/$space/change-requests/$request/content/page/$page
same 'a large page is read' 200 "$(ask GET "$document")"
bytes=$(wc -c <"$tmp/body")
[ "$bytes" -gt 6000000 ] && pass || fail 'the large page is over 6 MB' "$bytes bytes"
cp "$tmp/body" "$tmp/document"
"$octavo" down --dir "$data" >/dev/null

# Sparse files of request counters, as older programs made them.
for f in "$data"/run/metrics-*; do
	size=$(wc -c <"$f")
	: >"$f"
	truncate -s "$size" "$f"
done
fill
same 'the disk is full' 0 "$(df --output=avail "$disk" | tail -1 | tr -d ' ')"
expect 'the service starts on a full disk' 0 'runs at' "$octavo" up --dir "$data" --port 0 --workers 2
fill
port_of
before=$(workers)
for path in /v1/ /v1/user "/v1/orgs/$org/spaces" "/v1/spaces/$space/content" /v1/healthz; do
	for n in 1 2 3 4 5; do
		same "GET $path answers 200 on a full disk, $n" "200" "$(ask GET "$path")"
	done
done
same 'a large answer is read whole on a full disk' 200 "$(ask GET "$document" --limit-rate 4M)"
same 'a large answer has its bytes on a full disk' '' "$(sed "s/localhost:[0-9]*//g" "$tmp/body" >"$tmp/body.now"; sed "s/localhost:[0-9]*//g" "$tmp/document" | cmp - "$tmp/body.now" 2>&1)"
same 'a large body answers 503 on a full disk' 503 "$(ask POST "/v1/spaces/$space/change-requests/$request/content" -d @"$tmp/page.json")"
same 'a large body is refused in the form of the API' 503 "$(jq .error.code "$tmp/body")"
# A write succeeds or answers 503: existing pages of the log are used again.
for n in $(seq 40); do
	code=$(ask POST "/v1/orgs/$org/spaces" -d '{"title":"More"}')
	case $code in
	201 | 503) pass ;;
	*) fail "a write answers 201 or 503 on a full disk, $n" "$code: $(cat "$tmp/body")" ;;
	esac
done
same 'writes are refused in the end' 503 "$code"
same 'no program dies on a full disk' "$before" "$(workers)"
same 'no program is killed on a full disk' '' "$(grep -i 'signal' "$data/log/octavo.log")"

expect 'the service stops on a full disk' 0 'is down' "$octavo" down --dir "$data"
for n in 1 2 3; do
	fill
	expect "up once more, time $n" 0 'runs at' "$octavo" up --dir "$data" --port 0 --workers 2
	fill
	port_of
	same "reads go on, time $n" 200 "$(ask GET "/v1/spaces/$space/content")"
	[ "$(stat -c %s "$data/run/spare")" -ge 262144 ] && pass || fail 'a spare is left' "$(stat -c %s "$data/run/spare") bytes"
	# A reader that stays prevents the log from being truncated.
	python3 -c 'import sqlite3, sys, time
db = sqlite3.connect(sys.argv[1]); db.execute("BEGIN"); db.execute("SELECT count(*) FROM org").fetchone()
open(sys.argv[2], "w").close(); time.sleep(60)' "$data/octavo.db" "$tmp/reads.$n" &
	reader=$!
	for i in $(seq 100); do [ -e "$tmp/reads.$n" ] && break; sleep 0.05; done
	"$octavo" down --dir "$data" >/dev/null
	kill "$reader"
	wait "$reader" 2>/dev/null
done
rm "$data/run/spare"
fill
expect 'up without a spare' 1 'The disk that holds .* is full: free 2 MiB there, and start again' "$octavo" up --dir "$data" --port 0 --workers 2
truncate -s -2M "$disk/filled"
expect 'with that room' 0 'runs at' "$octavo" up --dir "$data" --port 0 --workers 2
port_of
same 'reads work with a little room' 200 "$(ask GET "/v1/spaces/$space/content")"
rm "$disk/filled"
same 'writes work when there is room' 201 "$(ask POST "/v1/orgs/$org/spaces" -d '{"title":"Again"}')"
expect 'octavo check finds nothing after a full disk' 0 'ok|no ' "$octavo" check --dir "$data"
summary
