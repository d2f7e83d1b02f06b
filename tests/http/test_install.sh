#!/bin/sh
# The files of `make install`: units, also for several installations; manual page and completion;
# nginx and Apache with another site beside Octavo, and two installations on one nginx. Needs
# OCTAVO_BUILD.
set -u
. tests/http/expect.sh
# Directly in /tmp, whatever TMPDIR is, because paths of sockets must be short.
rm -rf "$tmp"
tmp=$(mktemp -d /tmp/oi-XXXXXX)
chmod 755 "$tmp"
PATH=$PATH:/usr/sbin

pids=''
finish() {
	for p in $pids "$tmp"/*.pid "$tmp"/run*/*.pid; do
		[ ! -s "$p" ] || p=$(cat "$p")
		case $p in *[!0-9]*) ;; *) kill "$p" 2>/dev/null ;; esac
	done
	sleep 0.2
	rm -rf "$tmp"
	ended_early
}
at_exit finish

to=$tmp/root
state=$tmp/data run=$tmp/run
flags=$(stat -c %i.%y "$OCTAVO_BUILD/flags")
make -s install B="$OCTAVO_BUILD" DESTDIR="$to" PREFIX=/usr STATE="$state" RUN="$run" >"$tmp/install" 2>&1 || fail 'make install works' "$(cat "$tmp/install")"
same 'make install compiles nothing with other flags' "$flags" "$(stat -c %i.%y "$OCTAVO_BUILD/flags")"
share=$to/usr/share units=$to/usr/lib/systemd/system
same 'no placeholder is left in a file' '' "$(grep -rlE '@[A-Z_]+@' "$share" "$units")"

# ---- manual page and completion ----

"$octavo" help | sed -n 's/^  \([a-z][a-z ]*[a-z]\)  .*/\1/p' >"$tmp/names"
[ "$(wc -l <"$tmp/names")" -gt 30 ] && pass || fail 'there are more than 30 commands' "$(cat "$tmp/names")"
zcat "$share/man/man1/octavo.1.gz" >"$tmp/octavo.1"
same 'every command is in the manual page' '' "$(while read -r name; do grep -q "^\.SS octavo $name" "$tmp/octavo.1" || echo "$name"; done <"$tmp/names")"
if command -v groff >/dev/null; then
	same 'the manual page is well-formed' '' "$(groff -Kutf8 -ww -man -Tutf8 "$tmp/octavo.1" 2>&1 >/dev/null)"
else
	skip 'the manual page is well-formed' 'needs groff'
fi
if command -v bash >/dev/null; then
	complete() {
		bash -c '. "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _octavo; printf "%s " "${COMPREPLY[@]}"' "$share/bash-completion/completions/octavo" octavo "$@"
	}
	same 'the first word is completed' 'salvage ' "$(complete sal)"
	same 'values of an option are completed' 'read write admin ' "$(complete token create --scope '')"
	same 'values of an action are completed' 'token.created token.revoked token.rotated token.updated ' "$(complete audit --action token.)"
	same 'the second word is completed' 'add disable list export remove ' "$(complete member '')"
	same 'options are completed' '--email ' "$(complete user create --em)"
	same 'options are completed after another option' '--verify ' "$(complete --json backup --ver)"
	same 'the argument of help is completed' 'restore ' "$(complete help rest)"
	# Completion of names from the data, through the command itself.
	printf '#!/bin/sh\n[ "$*" = "user list --dir /data" ] && printf "id  email  name\\nx1  ada@example.com  Ada B\\n"\n' >"$tmp/octavo"
	chmod 755 "$tmp/octavo"
	same 'users of the data are completed' 'ada@example.com ' "$(bash -c '. "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _octavo; printf "%s " "${COMPREPLY[@]}"' "$share/bash-completion/completions/octavo" "$tmp/octavo" user disable --dir /data --user a)"
	same 'paths are completed' "$tmp/root " "$(complete backup --dir "$tmp/roo")"
else
	skip completion 'needs bash'
fi

# ---- units ----

if command -v systemd-analyze >/dev/null; then
	mkdir -p "$to/usr/bin" "$to/etc"
	mkdir "$to/bin"
	for program in usr/bin/multiwatch bin/rm; do install /bin/true "$to/$program"; done
	verify() { SYSTEMD_LOG_LEVEL=warning systemd-analyze verify --root="$to" --recursive-errors=no "$@" 2>&1; }
	for unit in octavo-api.service octavo-site.service octavo-jobs.service octavo-api.socket octavo-api@x.service octavo-api@x.socket \
		octavo-site@x.service octavo-jobs@x.service; do
		same "systemd verifies $unit" '' "$(verify "$unit" | grep -v 'multi-user.target\|sysinit.target\|basic.target\|man page')"
	done
	for unit in octavo-api octavo-site octavo-jobs; do
		same "$unit.service is exposed by 2.0 of 10 at most" '' "$(systemd-analyze security --offline=true --root="$to" --no-pager \
			--threshold=20 "$unit.service" >"$tmp/exposed" 2>&1 || tail -n 1 "$tmp/exposed")"
	done
else
	skip 'systemd verifies the units' 'needs systemd'
fi
# The units of an instance use nothing of the single installation.
for unit in api@.service site@.service jobs@.service api@.socket site@.socket; do
	same "octavo-$unit is a template of its unit" '' "$(grep -vE '^#|^Exec|^User=|^Group=|^SocketUser=|^Description=' "$units/octavo-$unit" | grep -E 'octavo|/data|/run' | grep -v '%i')"
done
same 'a template has its own socket' "ListenStream=$run-%i/api.sock" "$(grep ListenStream "$units/octavo-api@.socket")"
same 'a template has its own data' "Environment=OCTAVO_DIR=$state-%i OCTAVO_WORKERS=4" "$(grep ^Environment= "$units/octavo-api@.service")"

# ---- beside another site ----

# instance NAME URL: data and pools at the paths that the units use
instance() {
	i_dir=$state$1 i_run=$run$1
	"$octavo" init --dir "$i_dir" --email a@example.com --name A --org "Docs$1" --json >"$tmp/init$1" || fail "the installation is initialised: $1" "$(cat "$tmp/init$1")"
	mkdir -p "$i_run"
	chmod -R a+rX "$i_dir"
	for i_program in api site; do
		OCTAVO_DIR=$i_dir OCTAVO_URL=$2 spawn-fcgi -s "$i_run/$i_program.sock" -M 0666 -P "$i_run/$i_program.pid" -- \
			"$OCTAVO_BUILD/octavo-$i_program" >/dev/null 2>"$tmp/spawn$1" || fail "the pool is started: $1" "$(cat "$tmp/spawn$1")"
	done
}
token_of() { jq -r .token "$tmp/init$1"; }
org_of() { jq -r .organization "$tmp/init$1"; }
# An unused port, below those that the system assigns to connections (ip_local_port_range).
port() {
	while :; do
		p_port=$(shuf -i 20000-32000 -n 1)
		curl -s -o /dev/null "http://127.0.0.1:$p_port/"
		[ $? -ne 7 ] || break
	done
	echo "$p_port"
}
ask() { curl -s -m 30 -o "$tmp/body" -w '%{http_code}' "$@"; }

front=$(port) inner=$(port) inner2=$(port)
base=http://127.0.0.1:$front
instance '' "$base/docs"
instance -two "$base/two"
mkdir "$tmp/html" "$tmp/nginx"
echo 'the other site' >"$tmp/html/index.html"
echo 'another v1' >"$tmp/html/v1"
user=''
[ "$(id -u)" -ne 0 ] || user='user root;'
# beside.conf, and a copy for the second installation, as its comment describes.
sed -e "s|127.0.0.1:8470|127.0.0.1:$inner|" -e "s|/usr/share|$share|" "$share/octavo/nginx/beside.conf" >"$tmp/beside.conf"
# The files of the second installation, made as the chapter describes; in this test's folder, so the
# paths of includes are changed.
same 'instance.sh refuses a name with a path' 2 "$(sh "$share/octavo/instance.sh" '../x' >/dev/null 2>&1; echo $?)"
cp -a "$share/octavo" "$tmp/share"
same 'instance.sh refuses a faulty port and writes nothing' '2 2 no' "$(for port in abc 70000; do SHARE=$tmp/share ETC=$tmp/wrong sh "$tmp/share/instance.sh" two "$port" >/dev/null 2>&1; printf '%s ' $?; done; [ -e "$tmp/wrong" ] && echo yes || echo no)"
sed -i "s|/usr/share/octavo|$tmp/share|" "$tmp/share"/nginx/*.conf "$tmp/share"/apache/*.conf
SHARE=$tmp/share ETC=$tmp/etc sh "$tmp/share/instance.sh" two "$inner2" >/dev/null || fail 'instance.sh writes the files of a second installation' 'it failed'
same 'the files of the second installation name nothing of the first' '' "$(grep -nE "$run/|$state/|$tmp/share/(nginx|apache)/|8470|fcgi://octavo-(api|site)" -r "$tmp/etc/two")"
sed -e 's|/docs|/two|g' "$tmp/etc/two/nginx/beside.conf" >"$tmp/beside-two.conf"
# The location in the comment, copied as a user would.
sed -n '/location ^~/,/^#        }/{s/^#//;p;}' "$share/octavo/nginx/beside.conf" | sed "s/8470/$inner/" >"$tmp/location"
sed -e 's|/docs/|/two/|' -e "s/$inner/$inner2/" "$tmp/location" >"$tmp/location-two"
cat >"$tmp/nginx.conf" <<END
$user
daemon on; pid $tmp/nginx.pid; error_log $tmp/nginx/error.log;
events { }
http {
	client_body_temp_path $tmp/nginx/b; fastcgi_temp_path $tmp/nginx/f; proxy_temp_path $tmp/nginx/p; uwsgi_temp_path $tmp/nginx/u; scgi_temp_path $tmp/nginx/s;
	access_log off;
	include $share/octavo/nginx/http.conf;
	include $tmp/beside.conf;
	include $tmp/beside-two.conf;
	server {
		listen 127.0.0.1:$front;
		root $tmp/html;
		location / { try_files \$uri \$uri/index.html =404; }
		location = /v1 { return 200 'a v1 of its own'; }
$(cat "$tmp/location" "$tmp/location-two")
	}
}
END
expect 'nginx accepts the files' 0 '' nginx -t -c "$tmp/nginx.conf"
nginx -c "$tmp/nginx.conf" 2>"$tmp/nginx/start" || fail nginx "$(cat "$tmp/nginx/start")"

# both NAME BASE: requests to the other site, and to Octavo below the path
both() {
	b_name=$1 b_base=$2
	until_true 10 curl -s -o /dev/null "$b_base/" || fail "$b_name: the server starts" 'does not start'
	same "$b_name: the other site is served" 200 "$(ask "$b_base/")"
	same "$b_name: the other site has its words" 'the other site' "$(cat "$tmp/body")"
	same "$b_name: the health check answers" 200 "$(ask "$b_base/docs/v1/healthz")"
	same "$b_name: a token is read" 200 "$(ask -H "Authorization: Bearer $(token_of '')" "$b_base/docs/v1/user")"
	same "$b_name: addresses have the path" "$base/docs/v1" "$(ask "$b_base/docs/v1/openapi.json" >/dev/null; jq -r '.servers[0].url' "$tmp/body")"
	same "$b_name: %2F reaches the programs" 404 "$(ask -H "Authorization: Bearer $(token_of '')" "$b_base/docs/v1/spaces/a%2Fb")"
	grep -q 'a/b' "$tmp/body" && pass || fail "$b_name: %2F is read as part of an id" "$(cat "$tmp/body")"
	same "$b_name: the front page is served" 200 "$(ask "$b_base/docs/")"
	grep -q "$base/docs/v1" "$tmp/body" && pass || fail "$b_name: the front page names the API" "$(head -c 500 "$tmp/body")"
	same "$b_name: a file is served" 200 "$(ask "$(file_address)")"
	same "$b_name: a file has its bytes" "$(md5sum <"$tmp/picture")" "$(md5sum <"$tmp/body")"
	same "$b_name: the folder of the data is not served" 404 "$(ask "$b_base/docs/_blobs/")"
}
# A file's signed URL, from the web server in the argument
file_address() {
	ask -H "Authorization: Bearer $(token_of '')" "$b_base/docs/v1/spaces/$space/content" >/dev/null
	jq -r '.files[0].downloadURL' "$tmp/body" | sed "s|^$base|$b_base|"
}
mkdir "$tmp/repo"
head -c 40000 /dev/urandom >"$tmp/repo/a.png"
cp "$tmp/repo/a.png" "$tmp/picture"
printf '# Home\n\n![](a.png)\n' >"$tmp/repo/README.md"
repository "$tmp/repo"
space=$("$octavo" import --dir "$state" --org "$(org_of '')" --title T --url "$tmp/repo" --json | jq -r .result.space)
chmod -R a+rX "$state"

both nginx "$base"
same 'nginx: a page of its own at v1 is served' 'a v1 of its own' "$(ask "$base/v1" >/dev/null; cat "$tmp/body")"
same 'the second installation serves its organization' 200 "$(ask -H "Authorization: Bearer $(token_of -two)" "$base/two/v1/orgs/$(org_of -two)")"
same 'the second installation refuses tokens of the first' 401 "$(ask -H "Authorization: Bearer $(token_of '')" "$base/two/v1/user")"

if command -v apache2 >/dev/null; then
	other=$(port) modules=/usr/lib/apache2/modules
	cat >"$tmp/apache.conf" <<END
ServerName localhost
ServerRoot $tmp
PidFile $tmp/apache.pid
ErrorLog $tmp/apache.log
Listen 127.0.0.1:$other
LoadModule mpm_event_module $modules/mod_mpm_event.so
LoadModule authz_core_module $modules/mod_authz_core.so
LoadModule alias_module $modules/mod_alias.so
LoadModule env_module $modules/mod_env.so
LoadModule dir_module $modules/mod_dir.so
LoadModule mime_module $modules/mod_mime.so
LoadModule proxy_module $modules/mod_proxy.so
LoadModule proxy_fcgi_module $modules/mod_proxy_fcgi.so
TypesConfig /dev/null
$([ "$(id -u)" -ne 0 ] || printf 'User nobody\nGroup nogroup\n')
<VirtualHost 127.0.0.1:$other>
	DocumentRoot $tmp/html
	DirectoryIndex index.html
	<Directory $tmp/html>
		Require all granted
	</Directory>
	Include $share/octavo/apache/beside.conf
</VirtualHost>
END
	apache2 -f "$tmp/apache.conf" -k start 2>"$tmp/start" || fail apache "$(cat "$tmp/start")"
	both Apache "http://127.0.0.1:$other"
else
	skip Apache 'needs apache2'
fi

# ---- uninstalling ----

make -s uninstall B="$OCTAVO_BUILD" DESTDIR="$to" PREFIX=/usr STATE="$state" RUN="$run" >"$tmp/install" 2>&1 || fail 'make uninstall works' "$(cat "$tmp/install")"
same 'make uninstall leaves no file' '' "$(find "$to" -type f | grep -v "/usr/bin/multiwatch$\|/bin/rm$")"

summary
