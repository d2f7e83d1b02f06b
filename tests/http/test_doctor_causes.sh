#!/bin/sh
# octavo doctor: each row breaks one thing on purpose; doctor must name the cause and the command
# that repairs it, the test runs that command, and doctor then finds nothing. Needs OCTAVO_BUILD.
# Rows about users and groups need root, and a private /etc (unshare -m), which ends with the test.
set -u
here=$(readlink /proc/self/ns/mnt)
if [ -z "${DOCTOR_OUTSIDE:-}" ] && [ "$(id -u)" -eq 0 ] && unshare -m true 2>/dev/null; then
	export DOCTOR_OUTSIDE="$here"
	exec unshare -m sh "$0" "$@"
fi
. tests/http/expect.sh
unset OCTAVO_URL

finish() {
	for pid in ${nginx:-} ${server:-}; do kill "$pid" 2>/dev/null; done
	[ -z "${supervisor:-}" ] || kill -CONT "$supervisor" 2>/dev/null
	"$octavo" down --dir "$d" >/dev/null 2>&1
	rm -rf "$tmp"
	ended_early
}
at_exit finish
d=$tmp/data

# A copy of /etc and an empty /run, visible to this test's processes only.
own_etc() {
	[ -n "${DOCTOR_OUTSIDE:-}" ] && [ "$here" != "$DOCTOR_OUTSIDE" ] || return 1
	mkdir "$tmp/etc" && cp -a /etc/. "$tmp/etc/" && mount --bind "$tmp/etc" /etc && mount -t tmpfs none /run || return 1
	rm -rf /etc/octavo /etc/nginx /etc/apache2
	mkdir /etc/octavo /etc/nginx
	chmod 711 "$tmp"
}

# broken NAME FINDING CURE: doctor must report this finding, with the cure on the next line; with
# $cured=yes the test runs that line, and the finding must be gone.
broken() {
	"$octavo" doctor --dir "$d" ${url:+--url "$url"} >"$tmp/said" 2>&1
	same "$1" 1 $?
	if grep -A 1 -E -- "^BAD +$2" "$tmp/said" | sed -n 2p >"$tmp/cure" && grep -qE -- "^ +$3" "$tmp/cure"; then
		pass
	else
		fail "$1" "no \"$2\" with \"$3\" in: $(cat "$tmp/said")"
	fi
	[ "${cured:-}" = yes ] || return 0
	sh -e "$tmp/cure" >"$tmp/typed" 2>&1 || fail "$1" "the line $(cat "$tmp/cure") fails: $(cat "$tmp/typed")"
	"$octavo" doctor --dir "$d" ${url:+--url "$url"} >"$tmp/said" 2>&1
	if grep -qE -- "^BAD +$2" "$tmp/said"; then fail "$1" "not cured: $(cat "$tmp/said")"; else pass; fi
}
typed() { cured=yes broken "$@"; }
well() {
	"$octavo" doctor --dir "$d" ${url:+--url "$url"} >"$tmp/said" 2>&1
	same "$1: $(cat "$tmp/said")" 0 $?
}

mkdir -p "$tmp/repo/.gitbook/assets"
printf '# One\n\n![](.gitbook/assets/a.png)\n![](.gitbook/assets/b.png)\n' >"$tmp/repo/README.md"
printf a >"$tmp/repo/.gitbook/assets/a.png"
printf b >"$tmp/repo/.gitbook/assets/b.png"
repository "$tmp/repo"
"$octavo" init --dir "$d" --email a@example.com --name A --org Docs --json >/dev/null || exit 1
"$octavo" import --dir "$d" --org Docs --title T --url "$tmp/repo" >/dev/null 2>&1 || exit 1
sql() { "$OCTAVO_BUILD/tests/sql" "$d/octavo.db" "$@"; }
"$octavo" up --dir "$d" --port 0 >/dev/null || fail up 'not up'
url=$("$octavo" status --dir "$d" --json | jq -r .url)
well 'all is well'

# The files of pages.
file=$(find "$d"/blobs/?? -type f | head -n 1)
mv "$file" "$tmp/file"
broken 'a file is missing' '1 of [0-9]+ files are missing' 'octavo check names them'
: >"$file"
broken 'a file is cut short' '1 of [0-9]+ files are missing or cut short' 'octavo check names them'
mv "$tmp/file" "$file"
mv "$d/blobs" "$d/blobs.away"
broken 'no blobs' '.*/blobs: No such file' 'the files of pages are in it'
mkdir "$d/blobs"
broken "another installation's blobs" '.*/blobs has none of the [0-9]+ files' 'mount the disk that it is on'
rmdir "$d/blobs"
mv "$d/blobs.away" "$d/blobs"

# The database, and the findings of octavo check.
sql 'UPDATE space SET comments = comments + 1'
broken 'counts that do not hold' 'octavo check finds 1 breaches, the first is change requests and open comments' 'octavo check names'
sql 'UPDATE space SET comments = comments - 1'
sql 'UPDATE search_space SET pages = pages + 7'
broken 'search that is wrong' 'octavo check finds .*search' 'octavo check --repair'
"$octavo" check --dir "$d" --repair >/dev/null 2>&1
"$octavo" jobs --dir "$d" --wait >/dev/null 2>&1
well 'after the repair'

# Settings.
for row in 'OCTAVO_MAXBODY=1|.*sets OCTAVO_MAXBODY, which is no setting|the nearest is OCTAVO_MAX_BODY' \
	'OCTAVO_MAX_BODY=10M|OCTAVO_MAX_BODY: "10M" is not a whole number|programs do not start with it' \
	'OCTAVO_SYNC=yes|OCTAVO_SYNC: "yes" is neither|programs do not start with it'; do
	export "${row%%|*}"
	rest=${row#*|}
	broken "the environment: ${row%%|*}" "${rest%%|*}" "${rest#*|}"
	unset "${row%%=*}"
done

# The job runner: ended with no job due; stopped.
pid_of() { "$octavo" status --dir "$d" --json | jq -r "$1"; }
supervisor=$(pid_of .pid)
runner=$(pid_of '.processes[] | select(.name == "jobs") | .pid')
kill -STOP "$supervisor"
kill "$runner"
until_true 20 sh -c "! kill -0 $runner || grep -q '^State:.Z' /proc/$runner/status"
broken 'no job runner' 'no job runner is at work, and nothing starts one' 'start it: systemctl enable --now octavo-jobs'
OCTAVO_DIR=$d "$OCTAVO_BUILD/octavo-jobs" --once >/dev/null 2>&1
well 'one that cron starts each minute'
touch -d '1 hour ago' "$d/run/jobs.lock"
broken 'cron stopped' 'no job runner is at work.*the last one started at 20' 'start it'
OCTAVO_JOBS=$OCTAVO_BUILD/octavo-jobs well 'one that the API starts'
kill -CONT "$supervisor"
supervisor=
new_runner() { runner=$(pid_of '.processes[] | select(.name == "jobs" and .running) | .pid') && [ -n "$runner" ] && pid_has_lock; }
pid_has_lock() { ! flock -n "$d/run/jobs.lock" true; }
until_true 20 new_runner || fail 'the supervisor starts a new runner' 'starts no new runner'
runner=$(pid_of '.processes[] | select(.name == "jobs") | .pid')
kill -STOP "$runner"
until_true 5 grep -q "^State:.T" "/proc/$runner/status"
typed 'a runner that is stopped' 'octavo-jobs \(process [0-9]+\) is stopped' 'kill -CONT'

# File modes.
for f in octavo.db octavo.key; do
	chmod g+r "$d/$f"
	typed "$f for the group" ".*$f may be read by the group .*, in which the web server is" "chmod 600 .*$f"
	chmod o+r "$d/$f"
	typed "$f for everybody" ".*$f may be read by everybody" "chmod 600 .*$f"
done
cp "$d/octavo.key" "$tmp/own.key"
tr 0-9a-f 1-9a-f0 <"$tmp/own.key" >"$d/octavo.key"
broken 'another key' 'octavo.key is the key of another installation' 'put the right one back'
cp "$tmp/own.key" "$d/octavo.key"

# TLS: a web server that accepts only TLS, and one that redirects to it.
port() { node -e 'const s = require("net").createServer(); s.listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); });'; }
tls() {
	p=$(port)
	openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=elsewhere.example -days 2 -keyout "$tmp/tls.key" -out "$tmp/tls.crt" 2>/dev/null
	cat >"$tmp/tls.conf" <<-END
		daemon off; master_process off; pid $tmp/tls.pid; error_log $tmp/tls.log;
		events { worker_connections 64; }
		http {
			access_log off; client_body_temp_path $tmp/t1; fastcgi_temp_path $tmp/t2; proxy_temp_path $tmp/t3;
			uwsgi_temp_path $tmp/t4; scgi_temp_path $tmp/t5;
			server {
				listen 127.0.0.1:$p ssl; ssl_certificate $tmp/tls.crt; ssl_certificate_key $tmp/tls.key;
				$1
				location / { return 200 ok; }
			}
		}
	END
	nginx -e "$tmp/tls.log" -c "$tmp/tls.conf" 2>/dev/null &
	nginx=$!
	until_true 20 curl -sk "https://127.0.0.1:$p/"
}
no_tls() {
	kill "$nginx"
	wait "$nginx" 2>/dev/null
	nginx=
}
own=$url
url="https${own#http}"
broken 'https for http' 'https://.* is served without TLS' 'give the web server a certificate'
tls ''
url=http://127.0.0.1:$p
broken 'http for https' 'http://.* gives 400, https://.* answers: OCTAVO_URL says http' "OCTAVO_URL=https://127.0.0.1:$p in "
url=https://127.0.0.1:$p
broken 'a certificate for another name' 'the certificate of https://.* is not one that clients take' 'get one for that name'
no_tls
tls 'error_page 497 =308 https://$http_host$request_uri;'
url=http://127.0.0.1:$p
broken 'sent to https' 'http://.* gives 308, https://.* answers: OCTAVO_URL says http' 'OCTAVO_URL=https://'
no_tls
tls 'error_page 497 =404 /none;'
url=http://127.0.0.1:$p
broken 'another site at both' 'http://.*/v1/healthz gives 404' 'another site answers there: is Octavo.s configuration enabled'
no_tls
url=http://no.such.name.invalid
broken 'a name without an address' 'the name in http://no.such.name.invalid is not known' 'give it an address'
url=$own

if ! own_etc; then
	skip 'users and groups of doctor' 'needs root and mount namespaces'
	summary
fi

# The settings file of the units, which the folder's name identifies.
"$octavo" down --dir "$d" >/dev/null
url=
mv "$d" "$tmp/octavo-doc"
d=$tmp/octavo-doc
printf 'OCTAVO_URL=%s\n' "$own" >/etc/octavo/doc.env
chmod 640 /etc/octavo/doc.env
typed 'settings for the group' '/etc/octavo/doc.env, which may hold secrets, may be read by the group root' 'chmod 600 /etc/octavo/doc.env'
chmod 644 /etc/octavo/doc.env
typed 'settings for everybody' '/etc/octavo/doc.env, .*may be read by everybody' 'chmod 600 /etc/octavo/doc.env'
printf '  OCTAVO_WORKER=3\nOCTAVO_PDF_PAPER="a5"\n' >>/etc/octavo/doc.env
broken 'an unknown setting of the units' '/etc/octavo/doc.env sets OCTAVO_WORKER, which is no setting' 'the nearest is OCTAVO_WORKERS'
broken 'a value that is none' 'OCTAVO_PDF_PAPER: "a5" is neither' 'programs do not start with it'
rm /etc/octavo/doc.env

# Owners: the programs' user counts, even if another user owns the folder.
"$octavo" up --dir "$d" --port 0 >/dev/null || fail 'the service starts again' 'not up again'
url=$("$octavo" status --dir "$d" --json | jq -r .url)
well 'up again'
chown 65521 "$d/blobs"
typed "another's blobs" '.*/blobs belongs to 65521, the programs run as root' 'chown -R root:root'
chown 65521 "$d"
typed "another's folder" '.*octavo-doc belongs to 65521, the programs run as root' 'chown -R root:root'
chown 65521 "$(find "$d"/blobs/?? -type f | head -n 1)"
typed 'a file that root restored, say' '1 files below .*blobs belong to 65521' 'chown -R root:root'
"$octavo" down --dir "$d" >/dev/null

# The web server's user and group: read from its configuration while it is not running.
url=
chown -R daemon:games "$d"
server_conf() {
	cat >/etc/nginx/nginx.conf <<-END
		user nobody nogroup; pid $tmp/web.pid; error_log $tmp/web.log;
		# include /nowhere;
		events { worker_connections 64; }
		http { include "conf.d/*.conf"; }
	END
	mkdir -p /etc/nginx/conf.d
	cat >/etc/nginx/conf.d/octavo.conf <<-END
		access_log off; client_body_temp_path $tmp/t1; fastcgi_temp_path $tmp/t2; proxy_temp_path $tmp/t3;
		uwsgi_temp_path $tmp/t4; scgi_temp_path $tmp/t5;
		server {
			listen unix:$tmp/web.sock;
			location / { fastcgi_pass "unix:/run/octavo-doc/api.sock"; }
			location /_blobs/ { alias "$d/blobs/"; }
		}
	END
}
start_web() {
	rm -f "$tmp/web.sock"
	nginx -e "$tmp/web.log" -c /etc/nginx/nginx.conf -g 'daemon off;' 2>>"$tmp/web.log" &
	nginx=$!
	until_true 20 pgrep -P "$nginx"
}
stop_web() {
	kill "$nginx"
	wait "$nginx" 2>/dev/null
	nginx=
}
sed -i '/^\(nobody\|nogroup\):/d' /etc/passwd /etc/group
printf 'nobody:x:65534:65534::/nonexistent:/usr/sbin/nologin\n' >>/etc/passwd
printf 'nogroup:x:65534:\n' >>/etc/group
server_conf
# listen PATH GROUP: a process listens on a socket of this group.
listen() {
	[ -z "${server:-}" ] || kill "$server"
	node -e 'require("net").createServer().listen(process.argv[1])' "$1" &
	server=$!
	until_true 20 test -S "$1"
	chgrp "$2" "$1"
	chmod 660 "$1"
}
mkdir -m 755 /run/octavo-doc
listen /run/octavo-doc/api.sock nogroup
not_in='nginx \(as nobody\) may not read .*/blobs: .*octavo-doc is for daemon and the group games'
broken 'not in the group, as the configuration says' "$not_in" 'usermod -aG games nobody && systemctl restart nginx'
start_web || fail 'the web server starts' "$(cat "$tmp/web.log")"
broken 'not in the group, as the process says' "$not_in" 'usermod -aG games nobody && systemctl restart nginx'
sed 's/&& systemctl.*//' "$tmp/cure" >"$tmp/usermod"
sh "$tmp/usermod" || fail usermod 'fails'
broken 'in the group, but started before' "$not_in" 'systemctl restart nginx: it runs since before nobody came into'
stop_web
start_web
well 'in the group and started again'
grep -q '^ok .*nginx (as nobody) may read the files that it sends, and use the sockets' "$tmp/said" && pass || fail 'the web server may read and use the sockets' "$(cat "$tmp/said")"
# A web server of a container runs on this machine too, and its configuration is another file of the same name.
if unshare --pid --fork true 2>/dev/null; then
	mkdir -p "$tmp/other/conf.d"
	sed -e 's/user nobody nogroup;/user sys sys;/' -e "s|$tmp/web.pid|$tmp/other.pid|" /etc/nginx/nginx.conf >"$tmp/other/nginx.conf"
	sed "s|$tmp/web.sock|$tmp/other.sock|" /etc/nginx/conf.d/octavo.conf >"$tmp/other/conf.d/octavo.conf"
	unshare --pid --fork --kill-child nginx -e "$tmp/web.log" -c "$tmp/other/nginx.conf" -g 'daemon off;' 2>>"$tmp/web.log" &
	contained=$!
	until_true 20 pgrep -u sys nginx
	well 'a web server in a container is not this one'
	kill -KILL "$contained"
	wait "$contained" 2>/dev/null
fi
chmod 700 "$d/blobs"
typed 'blobs for their user alone' 'nginx \(as nobody\) may not read .*blobs: .*/blobs is for' 'chmod -R g\+rX .*/blobs'
chmod 700 "$d"
typed 'a folder for its user alone' 'nginx \(as nobody\) may not read .*octavo-doc is for' 'chmod 710 '
chgrp -R 65522 "$d"
chgrp games "$d"
typed 'files of another group' 'nginx .* may not read .*/blobs is for daemon and the group 65522' 'chown -R daemon:games'
# The web server is in the programs' group, but not in the socket's.
stop_web
sed -i 's/^games:.*/games:x:60:/' /etc/group
chgrp -R nogroup "$d"
chgrp games /run/octavo-doc/api.sock
start_web
broken 'a socket of another group' 'nginx \(as nobody, group nogroup\) may not use the socket /run/octavo-doc/api.sock: it is for root and the group games' \
	'mkdir -p /etc/systemd/system/octavo-api@doc.socket.d && printf .*SocketGroup=nogroup.* systemctl restart octavo-api@doc.socket'
sed 's/&& systemctl.*//' "$tmp/cure" >"$tmp/drop"
sh "$tmp/drop"
same 'the advice writes a drop-in' '[Socket] SocketGroup=nogroup' "$(paste -sd ' ' /etc/systemd/system/octavo-api@doc.socket.d/group.conf)"
mkdir -m 755 "$tmp/s"
sed -i "s|/run/octavo-doc/|$tmp/s/|" /etc/nginx/conf.d/octavo.conf
broken 'a socket that is not there' "nginx sends requests to the socket $tmp/s/api.sock, which is not there" 'start what makes it'
listen "$tmp/s/api.sock" games
broken 'a socket of another group, made by hand' "nginx .* may not use the socket $tmp/s/api.sock: it is" "chgrp nogroup $tmp/s/api.sock && chmod g\+rw"
chmod 700 "$tmp/s"
typed 'a socket in a closed folder' "nginx .* may not use the socket .*: $tmp/s is for root" "chmod a\+x $tmp/s"
stop_web

# Apache, from its configuration alone.
rm -rf /etc/nginx
mkdir -p /etc/apache2/sites-enabled
printf 'User ${APACHE_RUN_USER}\nIncludeOptional sites-enabled/*.conf\n' >/etc/apache2/apache2.conf
printf 'export APACHE_RUN_USER=nobody\n' >/etc/apache2/envvars
printf 'Alias /_pages/ %s/cache/served/now/\n' "$d" >/etc/apache2/sites-enabled/octavo.conf
chgrp -R games "$d"
broken "Apache's user" 'apache2 \(as nobody\) may not read .*: .*octavo-doc is for daemon and the group games' 'usermod -aG games nobody && systemctl restart apache2'

summary
