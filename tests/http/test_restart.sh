#!/bin/sh
# Workers are stopped and started fifty times as systemd does it: the process that holds the socket
# stays, multiwatch gets TERM and must end its workers. Three clients get only correct responses,
# and acknowledged writes are there. Needs OCTAVO_BUILD.
set -u
. tests/http/expect.sh
PATH=$PATH:/usr/sbin

d=$tmp/data
finish() {
	touch "$tmp/stop"
	rm -f "$tmp/on"
	[ -z "${hold:-}" ] || kill "$hold" 2>/dev/null
	[ ! -s "$tmp/pool" ] || kill "$(cat "$tmp/pool")" 2>/dev/null
	[ -z "${nginx:-}" ] || kill "$nginx" 2>/dev/null
	wait
	rm -rf "$tmp"
	ended_early
}
at_exit finish

"$octavo" init --dir "$d" --email a@example.com --name A --org Docs --json >"$tmp/init" || exit 1
token=$(jq -r .token "$tmp/init") org=$(jq -r .organization "$tmp/init")
# The holder of the socket, and the unit, whose standard input is the socket as in the real units.
cat >"$tmp/hold" <<-END
	exec 3<&0
	while [ -e $tmp/on ]; do
		OCTAVO_DIR=$d multiwatch -f 3 -r 2147483647 -t 1 -s TERM -- $OCTAVO_BUILD/octavo-api <&3 3<&- >>$tmp/log 2>&1 &
		echo \$! >$tmp/pool.new
		mv $tmp/pool.new $tmp/pool
		wait \$!
		rm -f $tmp/pool
	done
END
touch "$tmp/on"
spawn-fcgi -n -s "$tmp/api.sock" -M 0600 -b 4096 -- /bin/sh "$tmp/hold" &
hold=$!
cat >"$tmp/nginx.conf" <<-END
	$([ "$(id -u)" -ne 0 ] || echo 'user root;')
	daemon off; pid $tmp/nginx.pid; error_log $tmp/nginx.log;
	events { worker_connections 256; }
	http {
		access_log off; client_body_temp_path $tmp/t1; fastcgi_temp_path $tmp/t2; proxy_temp_path $tmp/t3;
		uwsgi_temp_path $tmp/t4; scgi_temp_path $tmp/t5;
		server {
			listen unix:$tmp/web.sock;
			fastcgi_param REQUEST_METHOD \$request_method;
			fastcgi_param REQUEST_URI \$request_uri;
			fastcgi_param QUERY_STRING \$query_string;
			fastcgi_param CONTENT_TYPE \$content_type;
			fastcgi_param CONTENT_LENGTH \$content_length;
			location / { fastcgi_pass unix:$tmp/api.sock; }
		}
	}
END
nginx -e "$tmp/nginx.log" -c "$tmp/nginx.conf" 2>>"$tmp/nginx.log" &
nginx=$!
ask() {
	a_path=$1
	shift
	curl -s -m 20 --unix-socket "$tmp/web.sock" -H "Authorization: Bearer $token" -H 'Content-Type: application/json' "$@" "http://localhost/v1/$a_path"
}
until_true 5 ask user -f || { fail 'the pool answers' "does not answer: $(cat "$tmp/log" "$tmp/nginx.log")"; summary; }

writer() {
	n=0
	while [ ! -e "$tmp/stop" ]; do
		n=$((n + 1))
		echo "$(ask "orgs/$org/spaces" -o /dev/null -w '%{http_code}' -d '{"title":"W'"$1-$n"'"}') W$1-$n"
	done
}
reader() {
	while [ ! -e "$tmp/stop" ]; do
		echo "$(ask "orgs/$org/spaces?limit=1000" -o /dev/null -w '%{http_code}') spaces"
	done
}
writer 1 >"$tmp/codes.1" & clients=$!
writer 2 >"$tmp/codes.2" & clients="$clients $!"
reader >"$tmp/codes.3" & clients="$clients $!"

restarts=0
while [ $restarts -lt 50 ]; do
	until_true 30 test -s "$tmp/pool" || break
	pool=$(cat "$tmp/pool")
	# Workers have begun to respond before they are stopped.
	asked=$(cat "$tmp"/codes.? | wc -l)
	n=100
	while [ "$(cat "$tmp"/codes.? | wc -l)" -lt $((asked + 5)) ] && [ $n -gt 0 ]; do sleep 0.03; n=$((n - 1)); done
	kill "$pool"
	until_true 30 sh -c "! kill -0 $pool" || fail 'multiwatch ends' 'multiwatch does not end'
	restarts=$((restarts + 1))
done
touch "$tmp/stop"
wait $clients
same 'the pool is stopped and started 50 times' 50 $restarts
same 'clients see no other answer than 200 and 201' '' "$(cat "$tmp"/codes.? | grep -vE '^20[01] ' | sort | uniq -c | sort -rn | head -n 5)"
[ "$(cat "$tmp"/codes.? | grep -c '^201')" -ge 50 ] && pass || fail 'clients write at least 50 times' 'there was none'
sed -n 's/^201 //p' "$tmp"/codes.? | sort >"$tmp/acknowledged"
"$OCTAVO_BUILD/tests/sql" "$d/octavo.db" "SELECT title FROM space" | sort >"$tmp/there"
same 'no acknowledged write is lost' '' "$(comm -23 "$tmp/acknowledged" "$tmp/there" | head -n 5)"

summary
