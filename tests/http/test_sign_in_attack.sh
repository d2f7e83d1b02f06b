#!/bin/sh
# S15.5 (docs/design/security.md): strangers try 1,000 wrong passwords of one account, forty at a time from
# four networks, on two workers. The right person signs in meanwhile, and reads of others go on.
set -u
. tests/http/expect.sh

data=$tmp/data
finish() {
	[ -f "$data/octavo.db" ] && "$octavo" down --dir "$data" >/dev/null 2>&1
	rm -rf "$tmp"
	ended_early
}
at_exit finish

"$octavo" init --dir "$data" --email ada@example.com --name Ada --org Docs --json >"$tmp/init"
OCTAVO_WORK=0 OCTAVO_PROXIES='127.0.0.1 ::1' "$octavo" up --dir "$data" --port 0 --workers 2 --rate 0 >"$tmp/up" 2>&1
url=$("$octavo" status --dir "$data" --json | jq -r .url)
link=$(OCTAVO_URL=$url "$octavo" user reset --dir "$data" --user ada@example.com --json | jq -r .link)
curl -s -X POST -H 'Content-Type: application/json' -d '{"link":"'"${link#*link=}"'","password":"five tired horses"}' \
	"$url/v1/sign-in/link" >"$tmp/session"
node tests/http/attack.mjs "$url" ada@example.com 'five tired horses' "$(jq -r .proof "$tmp/session")" "$(jq -r .token "$tmp/init")" \
	>"$tmp/counts" || fail 'the strangers try' 'attack.mjs fails'
n() { jq "$@" "$tmp/counts"; }

same '1,000 passwords are tried' 1000 "$(n '.strangers["401"] + .strangers["429"]')"
same 'none signs in, and no try fails' '["401","429","503"]' "$(jq -c '(.strangers + { "503": 0 }) | keys' "$tmp/counts")"
# From each network; the others cost no hash.
same 'a stranger is stopped after ten tries' 40 "$(n '.strangers["401"]')"
same 'a person in a browser that is known signs in at once, even from the network of a stranger' '{"201":1}' "$(n -c .known)"
[ "$(n .meanwhile)" -lt 1000 ] && pass || fail 'the strangers were not done by then' "$(cat "$tmp/counts")"
same 'a person in another browser signs in as well' '["201","503"]' "$(n -c '(.unknown + { "503": 0 }) | keys')"
same 'every read is answered' '["200"]' "$(n -c '.reads | keys')"
# One of the two workers computes a hash most of the time. Were the other one waiting for it too, a read would take
# longer than a hash.
[ "$(n .beside)" -ge 20 ] && pass || fail 'reads go on beside 40 hashes' "$(cat "$tmp/counts")"
summary
