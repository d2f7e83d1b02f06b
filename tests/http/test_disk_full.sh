#!/bin/sh
# A full disk: programs start, none dies, reads continue, and failing writes are 503 in the API's
# form. Then, in the middle of each kind of write: a disk that becomes full, one without inodes, and one
# that the kernel makes read-only after an error. Needs root, for small file systems in memory; skipped
# otherwise. `make disks ROUNDS=20` repeats the second part.
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
	umount "$disk" 2>/dev/null || umount -l "$disk" 2>/dev/null
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
"$octavo" down --dir "$data" >/dev/null
umount "$disk"

# ---- in the middle of writes ----

mkdir -p "$tmp/repo"
for n in 1 2 3 4 5 6 7 8; do printf '# Part %s\n\nWords.\n' $n >"$tmp/repo/part$n.md"; done
repository "$tmp/repo"

# A file system of its own in $disk, with an installation and its service.
begin_full() { mount -t tmpfs -o size=30m,mode=755 octavo-test "$disk" 2>/dev/null; }
begin_inodes() { mount -t tmpfs -o size=60m,nr_inodes=4000,mode=755 octavo-test "$disk" 2>/dev/null; }
begin_readonly() {
	rm -f "$tmp/image"
	truncate -s 80M "$tmp/image"
	mkfs.ext4 -q "$tmp/image" && mount -o loop,errors=remount-ro "$tmp/image" "$disk" 2>/dev/null || return
	on=/sys/fs/ext4/$(basename "$(findmnt -no SOURCE "$disk")")/trigger_fs_error
	[ -w "$on" ] || { umount "$disk"; return 1; }
}
come_full() { fill; }
come_inodes() { mkdir "$disk/eaten" && seq 5000 | (cd "$disk/eaten" && xargs touch 2>/dev/null); }
come_readonly() { echo test >"$on"; }
go_full() { rm "$disk/filled"; }
go_inodes() { rm -r "$disk/eaten"; }
# As a person does it: stop the service, check the file system, mount it again.
go_readonly() {
	expect 'down on a read-only disk' 0 'is down' "$octavo" down --dir "$data"
	until_true 20 umount "$disk" || { fail 'a read-only disk can be unmounted after octavo down' "$(fuser -vm "$disk" 2>&1)"; return; }
	e2fsck -fy "$tmp/image" >"$tmp/e2fsck" 2>&1
	[ $? -le 1 ] || fail 'the file system is repaired' "$(cat "$tmp/e2fsck")"
	mount -o loop,errors=remount-ro "$tmp/image" "$disk"
	expect 'up after a read-only disk' 0 'runs at' "$octavo" up --dir "$data" --port 0 --workers 2
	port_of
}

begin_service() {
	"$octavo" init --dir "$data" --email a@example.com --name A --org Docs --json >"$tmp/init"
	token=$(jq -r .token "$tmp/init") org=$(jq -r .organization "$tmp/init")
	OCTAVO_WORK=0 "$octavo" up --dir "$data" --port 0 --workers 2 >/dev/null
	port_of
	space=$(ask POST "/v1/orgs/$org/spaces" -d '{"title":"Disk"}' >/dev/null; jq -r .id "$tmp/body")
}

# send_as NAME METHOD PATH [BODY]: prints the status; the body is in $tmp/body.NAME
send_as() {
	curl -s -m 60 -o "$tmp/body.$1" -w '%{http_code}' -X "$2" -H "Authorization: Bearer $token" -H 'Content-Type: application/json' \
		${4:+-d "$4"} "$url/v1/$3"
}
# request_of NAME: opens a change request; prints its id, or nothing
request_of() {
	[ "$(send_as "$1" POST "spaces/$space/change-requests" '{"subject":"of '"$1"'"}')" = 201 ] && jq -r .id "$tmp/body.$1"
}

# write_KIND TITLE: prints the status
write_space() { send_as space POST "orgs/$org/spaces" '{"title":"'"$1"'"}'; }
write_request() { send_as request POST "spaces/$space/change-requests" '{"subject":"'"$1"'"}'; }
write_page() {
	w_in=$(request_of page) || { echo 503; return; }
	send_as page POST "spaces/$space/change-requests/$w_in/content" \
		'{"changes":[{"operation":"insert_page","title":"'"$1"'","document":{"markdown":"Words, and `code`."}}]}'
}
write_file() {
	w_in=$(request_of file) || { echo 503; return; }
	w_text=$(seq "$n" $((n + 4000)) | base64 -w0)
	send_as file POST "spaces/$space/change-requests/$w_in/content" \
		'{"changes":[{"operation":"insert_files","files":[{"name":"'"$1"'","contentType":"text/plain","base64":"'"$w_text"'"}]}]}'
}
write_merge() {
	w_in=$(request_of merge) || { echo 503; return; }
	send_as merge PATCH "spaces/$space/change-requests/$w_in" '{"subject":"'"$1"'"}' >/dev/null
	send_as merge POST "spaces/$space/change-requests/$w_in/content" \
		'{"changes":[{"operation":"insert_page","title":"'"$1"'","document":{"markdown":"Words."}}]}' >/dev/null
	send_as merge POST "spaces/$space/change-requests/$w_in/merge"
}
write_import() {
	timeout 10 "$octavo" import --dir "$data" --org "$org" --title "$1" --url "$tmp/repo" >"$tmp/body.import" 2>&1
	case $? in
	0) echo 201 ;;
	# Its job is put off.
	124) echo 503 ;;
	*) [ -s "$tmp/body.import" ] && echo 503 || echo 'no-message' ;;
	esac
}

# writer KIND: one write after another; a line "STATUS TITLE" for each
writer() {
	n=0
	until [ -e "$tmp/enough" ]; do
		n=$((n + 1))
		status=$("write_$1" "$1-$n")
		case $status in
		2?? | 000 | 502) ;;
		*) [ "$1" = import ] || [ "$(jq .error.code "$tmp/body.$1" 2>/dev/null)" = "$status" ] || status="$status not-in-the-form-of-the-API" ;;
		esac
		echo "$status $1-$n" >>"$tmp/codes.$1"
		sleep 0.02
	done
}
works() { [ "$(ask POST "/v1/orgs/$org/spaces" -d '{"title":"Again"}')" = 201 ]; }

# trouble KIND ALLOWED: statuses that match this expression are right for a write
trouble() {
	if ! "begin_$1"; then
		skip "a disk in trouble: $1" 'this machine cannot make the file system'
		return
	fi
	begin_service
	rm -f "$tmp/enough" "$tmp"/codes.*
	writers=''
	for kind in space request page file merge import; do
		writer $kind &
		writers="$writers $!"
	done
	until_true 30 test -s "$tmp/codes.import" -a -s "$tmp/codes.merge" -a -s "$tmp/codes.file"
	sleep "0.$((seed % 10))"
	seed=$((seed + 7))
	"come_$1"
	sleep 1.5
	code=$(ask GET "/v1/spaces/$space/content")
	echo "$code" | grep -qE "^(200|$3)$" && pass || fail "reads go on: $1" "$code: $(head -c 300 "$tmp/body")"
	sleep 0.5
	touch "$tmp/enough"
	# shellcheck disable=SC2086
	wait $writers
	same "writes succeed or are refused: $1" '' "$(cat "$tmp"/codes.* | grep -vE "^(2[0-9]{2}|$2) " | sort | uniq -c | head -n 5)"
	for kind in space request page file merge import; do
		grep -q '^2' "$tmp/codes.$kind" && pass || fail "there are writes before: $1, $kind" "$(head -n 3 "$tmp/codes.$kind")"
	done
	cat "$tmp"/codes.* | grep -q '^503' && pass || fail "some writes are refused: $1" 'all succeeded'
	"go_$1"
	until_true 30 works && pass || fail "writes work again: $1" "$(cat "$tmp/body" "$data/log/octavo.log" | tail -n 5)"
	sed -n 's/^2.. //p' "$tmp"/codes.* | sort >"$tmp/acknowledged"
	"$OCTAVO_BUILD/tests/sql" "$data/octavo.db" 'SELECT title FROM space UNION SELECT title FROM node UNION SELECT subject FROM change_request' |
		sort >"$tmp/there"
	same "acknowledged writes are there: $1" '' "$(comm -23 "$tmp/acknowledged" "$tmp/there" | head -n 5)"
	"$octavo" jobs --dir "$data" --wait >/dev/null
	expect "octavo check finds nothing: $1" 0 '^ok' "$octavo" check --dir "$data" --deep
	echo "$1: $(wc -l <"$tmp/acknowledged") acknowledged, $(cat "$tmp"/codes.* | grep -vc '^2') refused"
	"$octavo" down --dir "$data" >/dev/null
	umount "$disk"
}

seed=${OCTAVO_SEED:-1}
for n in $(seq "${OCTAVO_ROUNDS:-1}"); do
	trouble full 503 503
	trouble inodes 503 503
	trouble readonly 503 503
done
summary
