#!/bin/sh
# A stopped worker (SIGSTOP) is detected and replaced: by the supervisor, or without one by the next
# worker that gets a request.
set -u
. tests/http/expect.sh

data=$tmp/data
finish() {
	# A stopped supervisor could not end.
	[ -z "${supervisor:-}" ] || kill -CONT "$supervisor" 2>/dev/null
	[ -f "$data/octavo.db" ] && "$octavo" down --dir "$data" >/dev/null 2>&1
	rm -rf "$tmp"
	ended_early
}
at_exit finish

pids() { "$octavo" status --dir "$data" --json 2>/dev/null | jq -r ".processes[] | select(.name == \"$1\") | $2"; }
# A zombie whose parent is stopped counts as gone.
gone() { ! kill -0 "$1" 2>/dev/null || grep -q '^State:.[ZX]' "/proc/$1/status" 2>/dev/null; }
write() {
	curl -s -m 3 -o /dev/null -w '%{http_code}' -X POST -H "Authorization: Bearer $token" \
		-H 'Content-Type: application/json' -d '{"title":"Space"}' "$url/v1/orgs/$org/spaces"
}
writes_go_on() { [ "$(write)" = 201 ]; }
# Writes one request after the other until the file exists.
keep_writing() { while [ ! -e "$tmp/enough" ]; do write >/dev/null; done; }

"$octavo" init --dir "$data" --email a@example.com --name A --org Docs --json >"$tmp/init"
token=$(jq -r .token "$tmp/init") org=$(jq -r .organization "$tmp/init")
"$octavo" up --dir "$data" --port 0 --workers 2 >/dev/null
url=http://127.0.0.1:$("$octavo" status --dir "$data" --json | jq .port)
supervisor=$("$octavo" status --dir "$data" --json | jq .pid)

# Both workers are in the middle of writes: one holds the lock, or waits for it.
keep_writing & writer1=$!
keep_writing & writer2=$!
sleep 0.2
old=$(pids api '.workers[]') runner=$(pids jobs .pid) sites=$(pids site '.workers[]')
for p in $old $sites $runner; do kill -STOP "$p"; done
for p in $old $sites $runner; do
	until_true 20 gone "$p" && pass || fail 'a stopped process is ended' "$p lives on"
done
: >"$tmp/enough"
wait $writer1 $writer2
until_true 20 writes_go_on && pass || fail 'writes go on' "$(write)"
same 'ended workers are replaced' 2 "$(pids api '.workers[]' | wc -l)"
grep -q 'was stopped: it is killed' "$data/log/octavo.log" && pass || fail 'the log names the stopped process' "$(tail "$data/log/octavo.log")"

# As under systemd, without a supervisor. The job runner is stopped too, so that the other worker must do it.
kill -STOP "$supervisor"
old=$(pids api '.workers[]' | head -1) runner=$(pids jobs .pid)
kill -STOP "$old" "$runner"
noticed() {
	writes_go_on
	gone "$old" && gone "$runner"
}
until_true 30 noticed && pass || fail 'another worker ends a stopped one without a supervisor' 'the other worker does not notice'
kill -CONT "$supervisor"
until_true 10 writes_go_on && pass || fail 'writes go on without a supervisor' "$(write)"
summary
