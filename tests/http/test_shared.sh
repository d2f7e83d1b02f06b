#!/bin/sh
# A shared host: Apache with only a .htaccess file, and the archive unpacked beside its folder, as
# the chapter "Shared hosting" of the manual describes. With mod_cgi, mod_cgid and mod_fcgid, at the
# root and below a path; with a pool that keeps running, killed, with changed settings, with new
# programs. Needs OCTAVO_BUILD.
set -u
. tests/http/expect.sh
# Directly in /tmp, whatever TMPDIR is, because paths of sockets must be short.
rm -rf "$tmp"
tmp=$(mktemp -d /tmp/os-XXXXXX)
PATH=$PATH:/usr/sbin
modules=/usr/lib/apache2/modules
chapter=docs/operate/shared-hosting.md

# Processes of this test: Apache's, and pools started by requests.
of_test() { grep -lzs "^OCTAVO_DIR=$tmp/" /proc/[0-9]*/environ | sed 's|/proc/||; s|/environ||'; }

stop_apache() {
	[ -s "$tmp/httpd.pid" ] || return 0
	sa_pid=$(cat "$tmp/httpd.pid")
	kill -TERM "$sa_pid" 2>/dev/null
	n=100
	while kill -0 "$sa_pid" 2>/dev/null && [ $n -gt 0 ]; do sleep 0.1; n=$((n - 1)); done
	rm -f "$tmp/httpd.pid"
}

finish() {
	stop_apache
	for p in $(of_test); do kill "$p" 2>/dev/null; done
	rm -rf "$tmp"
	ended_early
}
at_exit finish

if ! command -v apache2 >/dev/null || [ ! -e $modules/mod_fcgid.so ]; then
	skip 'Octavo on shared hosting' 'needs apache2 and libapache2-mod-fcgid'
	summary
fi
# A sanitizer's runtime reads its threads below /proc, which this user may not.
case $OCTAVO_BUILD in *-san)
	skip 'Octavo on shared hosting' 'not with sanitized programs'
	summary
	;;
esac
archive=$tmp/octavo.tar.gz
. tests/http/archive.sh
archive_make "$archive" || { fail archive 'not made'; summary; }
sh tools/tarball.sh "$OCTAVO_BUILD" "$tmp/again.tar.gz"
tar -xzOf "$archive" octavo/LICENCES.txt >"$tmp/licences"
same 'the archive has the notices of its libraries' 'libc6 libcmark-gfm-dev libcurl4 libgit2-1.5 libgnutls30 libjs-katex node-prismjs' \
	"$(grep -oE '^======== (libc6|libcmark-gfm-dev|libcurl4|libgit2-1.5|libgnutls30|libjs-katex|node-prismjs) ' "$tmp/licences" | cut -d ' ' -f 2 | tr '\n' ' ' | sed 's/ $//')"
same 'no library of the archive lacks its notice' '' "$(grep -E '^There is no ' "$tmp/licences")"
cmp -s "$archive" "$tmp/again.tar.gz" && pass || fail 'two builds of the archive give the same bytes' 'they differ'
user=$(id -un)
[ "$(id -u)" -ne 0 ] || user=nobody
port=$(node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })')
chmod 711 "$tmp" "$(dirname "$tmp")"

# host NAME MPM MODULES FOLDER: a home folder with files as the chapter describes, and a running Apache.
host() {
	h=$tmp/$1 at=http://127.0.0.1:$port${4:+/$4} www=$tmp/$1/public_html${4:+/$4}
	mkdir -p "$h/logs" "$www"
	tar -C "$h" -xzf "$archive"
	mv "$h/octavo/www/.htaccess" "$h/octavo/www/"* "$www/"
	sed -i "s|^SetEnv OCTAVO_URL .*|SetEnv OCTAVO_URL $at|; s|^SetEnv OCTAVO_POOL .*|${pool:+SetEnv OCTAVO_POOL $pool}|" "$www/.htaccess"
	sed -n '/^   ```$/,/^   ```$/{/```/d;s/^   //p}' $chapter >"$h/octavo/data/setup"
	# Tests import from a path on this machine.
	echo "SetEnv OCTAVO_GIT_ROOT $tmp" >>"$www/.htaccess"
	[ "$(id -u)" -ne 0 ] || chown -R nobody "$h"
	{
		printf 'ServerRoot %s\nServerName localhost\nListen 127.0.0.1:%s\nPidFile %s\n' "$h" "$port" "$tmp/httpd.pid"
		for m in "mpm_$2" authz_core authz_host alias dir env headers mime rewrite unixd $3; do
			[ ! -e $modules/mod_$m.so ] || printf 'LoadModule %s_module %s/mod_%s.so\n' "$m" $modules "$m"
		done
		[ "$(id -u)" -ne 0 ] || printf 'User nobody\nGroup nogroup\n'
		printf 'TypesConfig /dev/null\n'
		printf 'ErrorLog %s/logs/error.log\nDocumentRoot %s/public_html\n' "$h" "$h"
		printf '<Directory />\nRequire all denied\n</Directory>\n'
		printf '<Directory %s/public_html>\nAllowOverride All\nRequire all granted\n</Directory>\n' "$h"
		printf '<IfModule mod_cgid.c>\nScriptSock %s/logs/cgid.sock\n</IfModule>\n' "$h"
		printf '<IfModule mod_fcgid.c>\nFcgidIPCDir %s/logs/fcgid\nFcgidProcessTableFile %s/logs/fcgid.shm\nFcgidMaxRequestLen 10485760\n</IfModule>\n' "$h" "$h"
	} >"$h/httpd.conf"
	apache2 -f "$h/httpd.conf" -k start >"$h/logs/start" 2>&1 ||
		{ fail "$1: Apache starts" "$(cat "$h/logs/start" "$h/logs/error.log")"; summary; }
}

get() { g_path=$1; shift; code=$(curl -s -m 60 --path-as-is -o "$tmp/body" -w '%{http_code}' "$@" "$at$g_path"); }
bearer() { get "$1" -H "Authorization: Bearer $TOKEN"; }

# Runs the commands of the chapter's "Try it", with this host's URL.
typed() {
	sed -n '/^## Try it/,/^## How/{/^curl/p}' $chapter | sed "s|https://example.com|$at|" >"$tmp/typed"
	same "$1: the chapter has three lines" 3 "$(wc -l <"$tmp/typed")"
	while read -r line; do
		expect "$1: the line of the chapter works: $line" 0 '"(status|items|id)":' env TOKEN="$TOKEN" sh -c "$line -sS --fail-with-body"
	done <"$tmp/typed"
}

# used NAME: from the first request to an import, all over HTTP.
used() {
	get /v1/
	same "$1: the first request answers 200" 200 "$code"
	[ "$code" = 200 ] || { cat "$tmp/body" "$h/logs/error.log"; summary; }
	[ ! -e "$h/octavo/data/setup" ] && pass || fail "$1: the setup file is removed" 'it is still there'
	same "$1: the token file is readable to its owner alone" 600 "$(stat -c %a "$h/octavo/data/admin-token")"
	same "$1: the file of the link is readable to its owner alone" 600 "$(stat -c %a "$h/octavo/data/admin-link")"
	walk "$1" sh tests/http/walk.sh "$at" "$(cat "$h/octavo/data/admin-link")" you@example.com Docs env OCTAVO_URL="$at" OCTAVO_DIR="$h/octavo/data" "$h/octavo/bin/octavo"
	TOKEN=$(cat "$h/octavo/data/admin-token")
	typed "$1"
	get /
	same "$1: the front page is served" 200 "$code"
	grep -q "$at/v1/openapi.json" "$tmp/body" && pass || fail "$1: the front page names the API" "$(cat "$tmp/body")"
	get /v1/user
	same "$1: a request without a token answers 401" 401 "$code"
	bearer /v1/orgs
	org=$(jq -r '.items[0].id' "$tmp/body")
	get "/v1/orgs/$org/spaces" -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '{"title":"T"}'
	same "$1: a space is created" 201 "$code"
	space=$(jq -r .id "$tmp/body")
	jq -r .urls.location "$tmp/body" | grep -q "^$at/v1/" && pass || fail "$1: addresses have the path" "$(cat "$tmp/body")"
	head -c 200000 /dev/zero | tr '\0' x >"$tmp/large"
	printf '{"title":"%s"}' "$(cat "$tmp/large")" >"$tmp/large.json"
	get "/v1/orgs/$org/spaces" -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' --data-binary "@$tmp/large.json"
	same "$1: a large body arrives whole" 400 "$code"
	get "/v1/spaces/$space/git/import" -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \
		-d '{"url":"file://'"$tmp"'/repo","ref":"refs/heads/main"}'
	same "$1: an import is queued" 204 "$code"
	imported() { bearer "/v1/spaces/$space/content/path/readme?format=markdown" && [ "$code" = 200 ]; }
	until_true 60 imported && pass || fail "$1: the import ends" "$(cat "$tmp/body" "$h"/octavo/data/log/*)"
	env -i "$h/octavo/bin/octavo-typeset" </dev/null >/dev/null 2>"$tmp/typeset" && pass || fail "$1: octavo-typeset starts" "$(cat "$tmp/typeset")"
	env -i GATEWAY_INTERFACE=CGI/1.1 "$h/octavo/bin/octavo-picture" </dev/null 2>&1 | grep -q '^Status:' &&
		fail "$1: octavo-picture answers as itself" 'it answers as octavo.cgi' || pass
	printf '{"do":"begin","dir":"","issuer":"http://127.0.0.1:1","client":"x","secret":""}' |
		env -i "$h/octavo/bin/octavo-oidc" 2>&1 | grep -q '"failure":"down"' && pass || fail "$1: octavo-oidc starts" 'it does not answer'
	for path in /octavo.home /.htaccess; do
		get "$path"
		case $code in 403 | 404) pass ;; *) fail "$1: the file is not served: $path" "$code" ;; esac
	done
}

mkdir "$tmp/repo"
printf '# Home\n\nText.\n' >"$tmp/repo/README.md"
repository "$tmp/repo"
[ "$(id -u)" -ne 0 ] || chown -R nobody "$tmp/repo"

# Plain CGI, one process per request.
pool=''
host cgi prefork 'cgi' ''
used cgi
same 'cgi: no process stays' '' "$(of_test)"
# Backed up, destroyed and restored by copying files, as the chapter describes.
mv "$www/.htaccess" "$tmp/htaccess"
cp -a "$h/octavo/data" "$tmp/copy"
rm -rf "$h/octavo/data"
mv "$tmp/htaccess" "$www/.htaccess"
get /v1/user
same 'a destroyed database answers 503' '503 Octavo is not ready: octavo.db is not t' "$code $(jq -r .error.message "$tmp/body" | cut -c 1-39)"
rm -rf "$h/octavo/data"
cp -a "$tmp/copy" "$h/octavo/data"
bearer "/v1/spaces/$space/content/path/readme?format=markdown"
same 'a restored backup is served' '200 # Home' "$code $(jq -r .markdown "$tmp/body" | head -n 1)"
stop_apache

# A pool that keeps running, below a path.
pool=2
host cgid event 'cgid' docs
used cgid
pools() { of_test | while read -r p; do tr '\0' ' ' <"/proc/$p/cmdline"; echo; done | grep -c -- "--pool octavo-api"; }
workers() { of_test | while read -r p; do [ "$(cat "/proc/$p/comm")" = octavo-api ] && echo "$p"; done | sort; }
two() { [ "$(workers | wc -l)" -eq 2 ]; }
until_true 20 two && pass || fail 'two pools run' "$(of_test | wc -l) processes"
same 'one pool serves the API' 1 "$(pools)"
# Words of a query become arguments of a CGI program: they must not start a pool.
get '/v1/healthz?--pool+octavo-site'
same 'a query that looks like arguments is a query' 200 "$code"
before=$(workers)
for i in 1 2 3 4 5 6 7 8; do curl -s -o /dev/null -w '%{http_code}\n' -H "Authorization: Bearer $TOKEN" "$at/v1/user" & done >"$tmp/codes"
wait
same 'eight simultaneous requests are served' '8 200' "$(sort "$tmp/codes" | uniq -c | tr -s ' ' | sed 's/^ //')"
same 'the workers stay' "$before" "$(workers)"
# The host kills all processes without warning: no request fails, and a new pool starts.
for p in $(of_test); do kill -9 "$p"; done
bearer /v1/user
same 'a request after a kill answers 200' 200 "$code"
until_true 20 two && pass || fail 'the pools are started again after a kill' 'it does not come again'
# After a change of settings the next request uses them, and the old pool ends.
sed -i 's|^SetEnv OCTAVO_POOL.*|SetEnv OCTAVO_POOL 2\nSetEnv OCTAVO_CORS https://example.org|' "$www/.htaccess"
seen() { curl -s -o /dev/null -D - -H 'Origin: https://example.org' "$at/v1/" | grep -qi '^access-control-allow-origin: https://example.org'; }
seen && pass || fail 'a changed setting is used' 'it is not seen'
one() { [ "$(pools)" = 1 ] && two; }
until_true 20 one && pass || fail 'the older pool ends' "$(pools) pools"
# After an update the pool's workers are replaced.
before=$(workers)
cp "$h/octavo/lib/octavo-api" "$tmp/api"
cp "$tmp/api" "$h/octavo/lib/octavo-api.new"
mv "$h/octavo/lib/octavo-api.new" "$h/octavo/lib/octavo-api"
replaced() { two && [ "$(workers)" != "$before" ]; }
until_true 30 replaced && pass || fail 'a replaced program is started' "$before and $(workers)"
bearer /v1/user
same 'a request after the update answers 200' 200 "$code"
# Without the data the pools end.
mv "$h/octavo/data/octavo.db" "$tmp/octavo.db"
none() { [ -z "$(of_test)" ]; }
until_true 20 none && pass || fail 'pools without data end' "$(of_test)"
get /v1/user
same 'a request without data says why' '503 Octavo is not ready: octavo.db is missi' "$code $(jq -r .error.message "$tmp/body" | cut -c 1-39)"
stop_apache
for p in $(of_test); do kill "$p" 2>/dev/null; done

# FastCGI processes started by Apache.
host fcgid event 'fcgid' ''
used fcgid
stop_apache

summary
