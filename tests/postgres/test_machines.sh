#!/bin/sh
# Two machines with one database, as docs/operate/several-machines.md says: its commands and configurations are
# taken from there, with other paths and addresses. pgbouncer is skipped if it is not installed. Needs OCTAVO_BUILD.
set -u
cd "$(dirname "$0")/../.." || exit 2
[ -n "${OCTAVO_TEST_DB:-}" ] || exec sh tests/postgres/server.sh sh "$0"
. tests/http/expect.sh
bouncer='' balancer=''
finish() {
	touch "$tmp/stop"
	for f_dir in "$tmp/a" "$tmp/b"; do "$octavo" down --dir "$f_dir" >/dev/null 2>&1; done
	for f_pid in $bouncer $balancer; do kill "$f_pid" 2>/dev/null; done
	wait
	rm -rf "$tmp"
	ended_early
}
at_exit finish
chapter=docs/operate/several-machines.md a=$tmp/a b=$tmp/b srv=$tmp/srv
host=$(printf %s "$OCTAVO_TEST_DB" | sed 's/.*host=\([^&]*\).*/\1/')
psql() { command psql -q -A -t -d "$direct" "$@"; }
direct=$OCTAVO_TEST_DB
unset OCTAVO_DB OCTAVO_ENGINE OCTAVO_TEST_DB WORKERS
export OCTAVO_EXPERIMENTAL_POSTGRES=1
free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
# block LANGUAGE N: the Nth block of that language of the chapter
block() { awk -v want="$1" -v n="$2" '/^```/ { inside = 0; if ($0 == "```" want && ++k == n) { inside = 1; next } } inside' "$chapter"; }
# run_block N MACHINE: runs the Nth block of commands
run_block() {
	block sh "$1" | sed "s#scp first:/var/lib/octavo#cp $a#; s#/var/lib/octavo#$2#g; s#/srv/octavo#$srv#g; s#/backup/#$tmp/backup/#g
		s#postgresql://octavo@[^ ]*#'$database'#; s#^octavo #\"$octavo\" #" >"$tmp/block"
	sh -eu "$tmp/block" >"$tmp/said" 2>&1
}

# ---- the database, behind pgbouncer ----
block sql 1 | psql -v ON_ERROR_STOP=1 >"$tmp/made" 2>&1 && pass || fail database "$(cat "$tmp/made")"
database="postgresql:///octavo?host=$host&user=octavo"
if [ -x /usr/sbin/pgbouncer ]; then
	port=$(free_port)
	mkdir "$tmp/bouncer"
	chmod 711 "$tmp"
	echo '"octavo" ""' >"$tmp/bouncer/users"
	block ini 1 | sed "s#host=10.0.0.10 port=5432#host=$host#; s#10.0.0.10#127.0.0.1#; s#6432#$port#; s#scram-sha-256#trust#; s#/etc/pgbouncer/userlist.txt#$tmp/bouncer/users#" >"$tmp/bouncer/ini"
	echo "unix_socket_dir =" >>"$tmp/bouncer/ini"
	chown -R nobody "$tmp/bouncer"
	if [ "$(id -u)" -eq 0 ]; then as='setpriv --reuid nobody --regid nogroup --clear-groups'; else as=; fi
	$as /usr/sbin/pgbouncer "$tmp/bouncer/ini" >"$tmp/bouncer.log" 2>&1 & bouncer=$!
	database="postgresql://octavo@127.0.0.1:$port/octavo"
	until_true 10 command psql -q -d "$database" -c 'SELECT 1' && pass || fail pgbouncer "$(cat "$tmp/bouncer.log")"
else
	skip pgbouncer 'it is not installed'
fi

# ---- the machines ----
"$octavo" init --dir "$a" --email a@example.com --name Ada --org Acme --json >"$tmp/init" || exit 1
org=$(jq -r .organization "$tmp/init") token=$(jq -r .token "$tmp/init")
mkdir "$srv" "$tmp/backup"
run_block 1 "$a" && pass || fail 'the first machine' "$(cat "$tmp/said")"
run_block 2 "$b" && pass || fail 'a further machine' "$(cat "$tmp/said")"
front=$(free_port)
export OCTAVO_DB="$database" OCTAVO_URL="http://127.0.0.1:$front"
start() { "$octavo" up --dir "$1" --port "$2" --workers 2 --rate 0 >"$tmp/up" 2>&1 || fail "up $1" "$(cat "$tmp/up")"; }
pa=$(free_port) pb=$(free_port)
start "$a" "$pa"
start "$b" "$pb"
at_a=http://127.0.0.1:$pa at_b=http://127.0.0.1:$pb
mkdir "$tmp/nginx"
{
	echo "daemon off; pid $tmp/nginx/pid; error_log $tmp/nginx/log; events { } http { access_log off;"
	for name in client_body proxy fastcgi uwsgi scgi; do echo "${name}_temp_path $tmp/nginx/$name;"; done
	block nginx 1 | sed "s#10.0.0.11:8080#127.0.0.1:$pa#; s#10.0.0.12:8080#127.0.0.1:$pb#; s#10.0.0.1:80#127.0.0.1:$front#"
	echo '}'
} >"$tmp/nginx.conf"
nginx -c "$tmp/nginx.conf" -e "$tmp/nginx/log" >"$tmp/nginx.out" 2>&1 & balancer=$!
code() { curl -s -m 20 -o "$tmp/body" -w '%{http_code}' -H "Authorization: Bearer $token" "$@"; }
until_true 10 [ "$(code "$OCTAVO_URL/v1/healthz")" = 200 ]
for at in "$OCTAVO_URL" "$at_a" "$at_b"; do same "$at is well" 200 "$(code "$at/v1/healthz")"; done

# ---- what one writes the other reads ----
same 'a space is made on one machine' 201 "$(code -H 'Content-Type: application/json' -d '{"title":"Both"}' "$at_a/v1/orgs/$org/spaces")"
space=$(jq -r .id "$tmp/body")
same 'and read on the other' 200 "$(code "$at_b/v1/spaces/$space")"
mkdir "$tmp/repo"
printf '# Home\n\nHerons. ![](a.png)\n' >"$tmp/repo/README.md"
head -c 30000 /dev/urandom >"$tmp/repo/a.png"
repository "$tmp/repo"
"$octavo" import --dir "$a" --org "$org" --title T --url "$tmp/repo" --json >"$tmp/import" 2>&1 || fail import "$(cat "$tmp/import")"
space=$(jq -r .result.space "$tmp/import")
site=$("$octavo" site create --dir "$a" --org "$org" --title Site --spaces "$space" --json | jq -r .id)
shown=$("$octavo" site publish --dir "$a" --site "$site" --json | jq -r .urls.published)
path=/${shown#*://*/}
for n in 1 2 3; do same 'a site is shown on the other machine' 200 "$(code -H 'Authorization:' "$at_b$path")"; done
file=$(grep -o 'src="[^"]*a\.png[^"]*"' "$tmp/body" | head -n 1 | sed 's/^src="//; s/"$//; s/&amp;/\&/g; s#^https*://[^/]*##')
same 'with its files' 200 "$(code "$at_b$file")"
"$octavo" site unpublish --dir "$a" --site "$site" --json >/dev/null
same 'and closed there at once' 404 "$(code -H 'Authorization:' "$at_b$path")"

# ---- a machine dies, and machines are replaced, while others read and write ----
load() {
	n=0
	while [ ! -e "$tmp/stop" ]; do
		n=$((n + 1))
		echo "read $(curl -s -m 20 -o /dev/null -w '%{http_code}' -H "Authorization: Bearer $token" "$OCTAVO_URL/v1/spaces/$space")"
		echo "write $(curl -s -m 20 -o /dev/null -w '%{http_code}' -H "Authorization: Bearer $token" -H 'Content-Type: application/json' \
			-d "{\"title\":\"Load $n\"}" "$OCTAVO_URL/v1/orgs/$org/spaces")"
	done >"$tmp/codes"
}
load & loading=$!
sleep 2
for pid in $("$octavo" status --dir "$a" --json | jq -r '.processes[] | .pid, (.workers // [])[]'); do kill -9 "$pid"; done 2>/dev/null
sleep 3
"$octavo" down --dir "$a" >/dev/null 2>&1
start "$a" "$pa"
for n in a b; do
	eval "dir=\$$n port=\$p$n"
	sleep 1
	"$octavo" down --dir "$dir" >/dev/null 2>&1 || fail "down $n" no
	start "$dir" "$port"
	until_true 20 [ "$(code "http://127.0.0.1:$port/v1/healthz")" = 200 ]
	# The load balancer tries the machine again after five seconds.
	sleep 6
done
touch "$tmp/stop"
wait "$loading"
same 'no read fails' '' "$(grep read "$tmp/codes" | grep -v 'read 200' | sort | uniq -c)"
failed_writes=$(grep write "$tmp/codes" | grep -vc 'write 201')
[ "$failed_writes" -le 1 ] && pass || fail 'a write fails at most where its machine was killed' "$(grep write "$tmp/codes" | sort | uniq -c)"
same 'each acknowledged write is there' "$(grep -c 'write 201' "$tmp/codes")" \
	"$(psql -d "postgresql:///octavo?host=$host&user=octavo" -c "SELECT count(*) FROM space WHERE title LIKE 'Load %'")"

# ---- backup, check ----
run_block 3 "$b" && pass || fail backup "$(cat "$tmp/said")"
expect 'and it is whole' 0 whole "$octavo" backup "$tmp/backup/octavo" --verify
expect 'a machine checks the data' 0 '^ok' "$octavo" check --deep --dir "$b"
summary
