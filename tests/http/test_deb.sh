#!/bin/sh
# The Debian package: reproducible, without complaints of lintian, its scripts, and the package
# installed in a bare root, and there under a booted systemd. That needs root and a folder
# (OCTAVO_BAREROOT), otherwise it is skipped:
#
#   debootstrap --variant=minbase --include=systemd-sysv,dbus,ca-certificates,nginx-light,curl,multiwatch,adduser bookworm DIR
#
# Needs OCTAVO_BUILD.
set -u
. tests/http/expect.sh

root='' nspawn='' provider=''
finish() {
	[ -z "$provider" ] || kill "$provider" 2>/dev/null
	[ -z "$nspawn" ] || kill "$nspawn" 2>/dev/null
	[ -z "$nspawn" ] || wait "$nspawn"
	[ -z "$root" ] || umount "$root/proc" 2>/dev/null
	rm -rf "$tmp"
	ended_early
}
at_exit finish

case $OCTAVO_BUILD in *-san) skip 'the package' 'not with sanitized programs'; summary ;; esac
if ! command -v dpkg-shlibdeps >/dev/null; then
	skip 'the package' 'needs dpkg-dev'
	summary
fi
package() {
	make -s install B="$OCTAVO_BUILD" DESTDIR="$tmp/root" PREFIX=/usr >"$tmp/out" 2>&1 &&
		sh tools/deb.sh "$tmp/root" "$1" >>"$tmp/out" 2>&1 || fail "the package is built: $1" "$(cat "$tmp/out")"
	rm -rf "$tmp/root"
}
# Packages the programs of the next release (tests/http/test_upgrade.sh), with a higher version: apt would take the
# older package for the same one, and not install it.
next_package() {
	make -s next B="$OCTAVO_BUILD" && make -s install B="$OCTAVO_BUILD" DESTDIR="$tmp/root" PREFIX=/usr >"$tmp/out" 2>&1 &&
		install -m 755 "$OCTAVO_BUILD"/next/octavo "$tmp/root/usr/bin/" && install -m 755 "$OCTAVO_BUILD"/next/octavo-* "$tmp/root/usr/lib/octavo/" &&
		VERSION=9.9 sh tools/deb.sh "$tmp/root" "$1" >>"$tmp/out" 2>&1 || fail 'the next package is built' "$(cat "$tmp/out")"
	rm -rf "$tmp/root"
}
# Without the tool that finds library dependencies no package is made, since it would not be
# installable; and no unfinished file remains.
mkdir "$tmp/without"
printf '#!/bin/sh\nexit 127\n' >"$tmp/without/dpkg-shlibdeps"
chmod 755 "$tmp/without/dpkg-shlibdeps"
make -s install B="$OCTAVO_BUILD" DESTDIR="$tmp/root" PREFIX=/usr >"$tmp/out" 2>&1 || fail 'the programs are installed' "$(cat "$tmp/out")"
expect 'a package without libraries is refused' 1 'no libraries were found; .*dpkg-dev' env PATH="$tmp/without:$PATH" sh -c "sh tools/deb.sh '$tmp/root' '$tmp/none.deb' 2>&1"
mkdir -p "$tmp/root/left.d"
expect 'make clean works where a build failed' 0 '' sh -c "make -n B='$tmp/root' clean 2>&1"
rm -rf "$tmp/root"
deb=$tmp/octavo.deb
package "$deb"
sleep 1.1
package "$tmp/again.deb"
cmp -s "$deb" "$tmp/again.deb" && pass || fail 'two builds give the same bytes' 'they differ'
if command -v lintian >/dev/null; then
	same 'lintian has nothing to say' '' "$(lintian --no-cfg "$deb" 2>/dev/null)"
else
	skip lintian 'needs lintian'
fi
same 'the package names its libraries' 1 "$(dpkg-deb -f "$deb" Depends | grep -c 'libc6 (>= .*libgit2')"
same 'settings are files of the admin, and an upgrade asks nothing about those that everybody changes' '/etc/logrotate.d/octavo' "$(dpkg-deb -I "$deb" conffiles | sort | tr '\n' ' ' | sed 's/ $//')"
same 'the package has the notices of KaTeX' 1 "$(dpkg-deb --fsys-tarfile "$deb" | tar -xOf - ./usr/share/doc/octavo/copyright | grep -c '^ ======== libjs-katex ')"
dpkg-deb -e "$deb" "$tmp/scripts"
for script in postinst prerm postrm; do
	sh -n "$tmp/scripts/$script" && [ -x "$tmp/scripts/$script" ] && pass || fail "a script of the package is a shell script: $script" 'no shell script'
done

# ---- in a bare root ----

if [ -z "${OCTAVO_BAREROOT:-}" ] || [ "$(id -u)" -ne 0 ]; then
	skip 'the package in a bare root' 'needs root, and OCTAVO_BAREROOT'
	summary
fi
root=$tmp/bare
cp -a "$OCTAVO_BAREROOT" "$root"
mount -t proc proc "$root/proc"
cp "$deb" "$root/tmp/octavo.deb"
inside=$tmp/inside
printf '#!/bin/sh\nexec chroot "%s" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive "$@"\n' "$root" >"$inside"
chmod 755 "$inside"
expect 'the package is installed' 0 'next, set OCTAVO_URL' "$inside" sh -c 'apt-get install -y --no-install-recommends /tmp/octavo.deb 2>&1'
same 'the folder of the data is of octavo' 'octavo octavo 710' "$("$inside" stat -c '%U %G %a' /var/lib/octavo)"
same 'the settings are of root' 'root root 600' "$("$inside" stat -c '%U %G %a' /etc/octavo/octavo.env)"
same 'the programs start at boot' 5 "$(find "$root/etc/systemd/system" -name 'octavo-*' | wc -l)"
echo '#OCTAVO_CORS=mine' >>"$root/etc/octavo/octavo.env"
sed -i 's|^OCTAVO_URL=.*|OCTAVO_URL=https://mine.example.com|' "$root/etc/octavo/octavo.env"
expect 'init works in the bare root' 0 'octavo' "$inside" octavo init --dir /var/lib/octavo --email a@example.com --name A --org Docs
same 'the data belong to their owner' octavo "$("$inside" stat -c %U /var/lib/octavo/octavo.db)"
expect 'commands name addresses by the settings, which root alone may read' 0 '"location":"https://mine.example.com/v1/orgs/' "$inside" octavo site create --org Docs --title Ours --json
expect 'octavo check finds nothing in the bare root' 0 '^ok' "$inside" octavo check --dir /var/lib/octavo
expect 'the programs start as octavo' 0 '"status":"ok"' "$inside" env GATEWAY_INTERFACE=CGI/1.1 REQUEST_METHOD=GET REQUEST_URI=/v1/healthz QUERY_STRING= OCTAVO_DIR=/var/lib/octavo \
	setpriv --reuid octavo --regid octavo --clear-groups /usr/lib/octavo/octavo-api
expect 'the runner starts as octavo' 0 '' "$inside" env OCTAVO_DIR=/var/lib/octavo setpriv --reuid octavo --regid octavo --clear-groups /usr/lib/octavo/octavo-jobs --once
expect 'a backup is made' 0 'backed up' "$inside" octavo backup /root/octavo.tar --dir /var/lib/octavo

# The upgrade migrates, and keeps a copy of the database.
steps=$(ls schema/*.sql | wc -l)
cp "$root/var/lib/octavo/octavo.db" "$tmp/kept.db"
next_package "$root/tmp/next.deb"
expect 'an upgrade migrates the data' 0 "schema version $((steps + 1)), 1 steps taken" "$inside" sh -c 'dpkg -i /tmp/next.deb 2>&1'
same 'an upgrade keeps the settings of the admin' 1 "$(grep -c '^#OCTAVO_CORS=mine' "$root/etc/octavo/octavo.env")"
same 'an upgrade keeps a copy' yes "$([ -e "$root/var/lib/octavo/octavo.db.schema-$steps" ] && echo yes || echo no)"
rm "$root"/var/lib/octavo/octavo.db*
cp "$tmp/kept.db" "$root/var/lib/octavo/octavo.db"
"$inside" chown octavo:octavo /var/lib/octavo/octavo.db
"$inside" dpkg -i /tmp/octavo.deb >/dev/null 2>&1
expect 'the data are whole after a downgrade' 0 '^ok' "$inside" octavo check --dir /var/lib/octavo

# ---- booted ----

# A separate network with loopback only, so that it does not use ports of this machine.
booted=$tmp/booted
boot() {
	command -v systemd-nspawn >/dev/null || return 1
	umount "$root/proc"
	systemd-nspawn -q --register=no --keep-unit --private-network -b --directory="$root" >"$tmp/boot" 2>&1 </dev/null &
	nspawn=$!
	for i in $(seq 60); do
		sleep 1
		leader=$(pgrep -P "$nspawn" | head -n 1)
		[ -n "$leader" ] || continue
		printf '#!/bin/sh\nexec nsenter -t %s -m -u -i -n -p -r -w env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive "$@"\n' "$leader" >"$booted"
		chmod 755 "$booted"
		"$booted" systemctl is-system-running 2>/dev/null | grep -qE 'running|degraded' && return 0
	done
	return 1
}
names='octavo-api octavo-site octavo-jobs'
# type_chapter HEADING [SED]: runs the commands of a chapter of the manual as written; each must succeed.
type_chapter() {
	awk -v heading="## $1" '/^## /{on = $0 == heading; next} on && /^```/{code = !code; next} on && code' docs/operate/install.md |
		sed "${2:-}" >"$root/root/typed"
	[ -s "$root/root/typed" ] && expect "the chapter of the manual works: $1" 0 '' "$booted" sh -ec '. /root/typed' || fail "$1" 'no such chapter'
}
active() { "$booted" systemctl is-active "$@" | sort -u | tr '\n' ' ' | sed 's/ $//'; }
if boot; then
	cp "$deb" "$root/root/octavo.deb"
	# An editor that writes the URL into the settings.
	cat >"$root/usr/bin/editor" <<-'END'
		#!/bin/sh
		case $1 in */team.env) sed -i 's|^OCTAVO_URL=.*|OCTAVO_URL=http://127.0.0.1/team|' "$1" ;; esac
	END
	chmod 755 "$root/usr/bin/editor"
	same 'the programs run after a boot' active "$(active $names)"
	expect 'octavo down names the sockets too' 1 'systemctl stop .*octavo-api.socket .*octavo-api.service' "$booted" octavo down
	# Follows the comment at the top of beside.conf.
	"$booted" sh -c 'sed -i "s|^OCTAVO_URL=.*|OCTAVO_URL=http://127.0.0.1/docs|" /etc/octavo/octavo.env
		usermod -aG octavo www-data
		cp /usr/share/octavo/nginx/http.conf /etc/nginx/conf.d/octavo.conf
		cp /usr/share/octavo/nginx/beside.conf /etc/nginx/sites-enabled/octavo-docs
		sed -n "/location ^~/,/^#        }/{s/^#//;p;}" /usr/share/octavo/nginx/beside.conf >/root/location
		sed -i "/^\tserver_name _;/r /root/location" /etc/nginx/sites-available/default
		systemctl restart octavo-api octavo-site octavo-jobs nginx' || fail booted 'not set up'
	expect 'Octavo answers beside the site of nginx' 0 '^ok +http://127.0.0.1/docs answers' "$booted" sh -c 'for i in 1 2 3 4 5 6 7 8 9 10; do octavo doctor --dir /var/lib/octavo && break; sleep 1; done'
	# As the chapter says, the first admin asks for a link, and a newcomer walks through the pages.
	cp tests/http/walk.sh "$root/root/walk.sh"
	first=$("$booted" octavo user invite --email a@example.com --json | jq -r .link)
	walk deb "$booted" sh /root/walk.sh http://127.0.0.1/docs "$first" a@example.com Docs octavo
	# The provider of tests/oidc in the network of this system, with the settings as the chapter has them. octavo-api
	# has no network: octavo-jobs asks the provider.
	if [ -e tests/oidc/node_modules/oidc-provider ]; then
		nsenter -t "$leader" -n node tests/oidc/provider.mjs >"$tmp/issuer" 2>"$tmp/provider.log" & provider=$!
		until_true 20 test -s "$tmp/issuer" || fail 'the provider starts' "$(cat "$tmp/provider.log")"
		"$booted" curl -s -o /dev/null -d '{"redirect":"http://127.0.0.1/docs/app/provider/return","secret":"the-secret"}' "$(cat "$tmp/issuer")/test/serve"
		sed -n '/^## What Octavo needs/,/^\* /p' docs/operate/openid.md | sed -n '/^OCTAVO_OIDC_/p' |
			sed "s|https://id.example.com|$(cat "$tmp/issuer")|; s|the secret\$|the-secret|" >>"$root/etc/octavo/octavo.env"
		"$booted" systemctl restart octavo-api octavo-site octavo-jobs
		expect 'octavo doctor finds the provider' 0 "^ok .*$(cat "$tmp/issuer")" "$booted" octavo doctor --dir /var/lib/octavo
		"$booted" octavo user invite --email sue@elsewhere.example --org Docs --role read >/dev/null
		walk 'deb with a provider' "$booted" sh /root/walk.sh --provider http://127.0.0.1/docs sue sue@elsewhere.example
		kill "$provider"
		wait "$provider" 2>/dev/null
		provider=''
		sed -i '/^OCTAVO_OIDC_/d' "$root/etc/octavo/octavo.env"
		"$booted" systemctl restart octavo-api octavo-site octavo-jobs
	else
		skip 'the provider' 'needs the packages of tests/oidc: make test T=tests/oidc'
	fi
	same 'the site of nginx is still served' 200 "$("$booted" curl -s -o /dev/null -w '%{http_code}' http://127.0.0.1/)"
	# A second installation, and an upgrade of both.
	type_chapter 'Several installations'
	same 'two installations run' active "$(active $names octavo-api@team octavo-site@team octavo-jobs@team)"
	"$booted" octavo token create --dir /var/lib/octavo-team --user you@example.com --json | jq -r .token >"$root/root/team-token"
	same 'the second installation serves its own users' 'You' "$("$booted" sh -c 'curl -s -H "Authorization: Bearer $(cat /root/team-token)" http://127.0.0.1:8471/team/v1/user' | jq -r .displayName)"
	# Upgrades to programs with one more schema step while three clients send requests; a copy
	# beside the data is another backup.
	cp -a "$root/var/lib/octavo" "$root/var/lib/octavo-copy"
	cp "$root/tmp/next.deb" "$root/root/next.deb"
	"$booted" octavo token create --dir /var/lib/octavo --user a@example.com --json | jq -r .token >"$root/root/token"
	"$booted" octavo org list --dir /var/lib/octavo --json | jq -r '.[0].id // .items[0].id' >"$root/root/org"
	cat >"$root/root/load" <<-'END'
		# load NAME [BODY]: four requests per second until /root/stop exists; writes a line
		# with the status of each
		while [ ! -e /root/stop ]; do
			for path in $2; do
				curl -s -m 60 -o /dev/null -w '%{http_code}\n' -H "Authorization: Bearer $(cat /root/token)" -H 'Content-Type: application/json' ${3:+-d "$3"} "http://127.0.0.1/docs$path"
				sleep 0.25
			done
		done >"/root/codes.$1"
	END
	"$booted" sh /root/load api '/v1/user /v1/healthz' & loads=$!
	"$booted" sh /root/load site '/no/such/page' & loads="$loads $!"
	"$booted" sh /root/load write "/v1/orgs/$(cat "$root/root/org")/spaces" '{"title":"During the upgrade"}' & loads="$loads $!"
	sleep 1
	expect 'an upgrade migrates both installations' 0 "schema version $((steps + 1)), 1 steps taken" "$booted" dpkg -i /root/next.deb
	sleep 2
	touch "$root/root/stop"
	wait $loads
	same 'clients see nothing of the upgrade' '200 201' "$(sort -u "$root"/root/codes.api "$root"/root/codes.write | tr '\n' ' ' | sed 's/ $//')"
	grep -qvE '^20[01]$' "$root/root/codes.api" "$root/root/codes.write" && tail -n 5 "$root/var/log/nginx/error.log"
	same 'readers of sites see nothing of the upgrade' 404 "$(sort -u "$root/root/codes.site")"
	same 'both installations run after the upgrade' active "$(active $names octavo-api@team octavo-site@team octavo-jobs@team)"
	same 'the upgrade migrates the data and no copy' "$((steps + 1)) $((steps + 1)) $steps" "$(for d in octavo octavo-team octavo-copy; do "$OCTAVO_BUILD/tests/sql" "$root/var/lib/$d/octavo.db" 'PRAGMA user_version'; done | tr '\n' ' ' | sed 's/ $//')"
	# Back to the previous programs and schema.
	type_chapter 'Back to the version before' 's|\./octavo-old.deb|/root/octavo.deb|'
	same 'the older programs serve the older schema' "$steps 200" "$("$OCTAVO_BUILD/tests/sql" "$root/var/lib/octavo/octavo.db" 'PRAGMA user_version') $("$booted" curl -s -o /dev/null -w '%{http_code}' http://127.0.0.1/docs/v1/healthz)"
	# A separate domain. There is no certificate authority here: a certificate is made where certbot would put it.
	mkdir -p "$root/var/www/html/.well-known/acme-challenge"
	echo answer >"$root/var/www/html/.well-known/acme-challenge/token"
	challenge() { "$booted" curl -s -H 'Host: docs.example.com' http://127.0.0.1/.well-known/acme-challenge/token; }
	openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=docs.example.com -keyout "$root/root/privkey.pem" -out "$root/root/fullchain.pem" 2>/dev/null
	printf '#!/bin/sh\nmkdir -p /etc/letsencrypt/live/docs.example.com && cp /root/*.pem /etc/letsencrypt/live/docs.example.com/\n' >"$root/usr/bin/certbot"
	chmod 755 "$root/usr/bin/certbot"
	same 'the certificate authority is answered before the site is there' answer "$(challenge)"
	type_chapter 'A domain of its own' '/^apt install/d; /^octavo doctor/d'
	same 'the certificate authority is answered for renewals' answer "$(challenge)"
	# A reload of nginx is complete when its old workers have exited.
	n=50
	until [ "$("$booted" curl -s -o /dev/null -w '%{http_code}' -H 'Host: docs.example.com' http://127.0.0.1/v1/)" = 308 ] || [ $n -eq 0 ]; do n=$((n - 1)); sleep 0.1; done
	same 'HTTP redirects to TLS' '308 https://docs.example.com/v1/' "$("$booted" curl -s -o /dev/null -w '%{http_code} %{redirect_url}' -H 'Host: docs.example.com' http://127.0.0.1/v1/)"
	expect 'TLS answers with HSTS' 0 'Strict-Transport-Security: max-age=31536000' "$booted" curl -sk --http1.1 -D - --resolve docs.example.com:443:127.0.0.1 https://docs.example.com/v1/healthz
	# A backup under load, then the data is destroyed and restored.
	expect 'a backup is made while it serves' 0 'backed up' "$booted" octavo backup /root/served.tar --dir /var/lib/octavo
	expect 'the data are destroyed' 0 '' "$booted" sh -c 'systemctl stop octavo-api octavo-site octavo-jobs && rm -rf /var/lib/octavo && install -d -o octavo -g octavo -m 710 /var/lib/octavo'
	expect 'the backup is restored' 0 'restored' "$booted" octavo restore /root/served.tar --dir /var/lib/octavo
	expect 'the restored data are served' 0 '"status":"ok"' "$booted" sh -c 'systemctl start octavo-api octavo-site octavo-jobs; for i in 1 2 3 4 5 6 7 8 9 10; do curl -fsS http://127.0.0.1/docs/v1/healthz && break; sleep 1; done'
	rm "$root/etc/nginx/sites-enabled/octavo-docs"
	type_chapter Remove '/^apt purge/d'
	expect 'nginx starts without the package' 0 '' "$booted" sh -c 'dpkg --remove octavo && nginx -t && systemctl restart nginx && dpkg -i /root/octavo.deb'
	# Apache instead of nginx. The packages are installed from outside, because the booted system has no network.
	printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
	chmod 755 "$root/usr/sbin/policy-rc.d"
	expect 'Apache is installed' 0 '' "$inside" apt-get install -y --no-install-recommends apache2
	rm "$root/usr/sbin/policy-rc.d"
	expect 'nginx gives its ports to Apache' 0 '' "$booted" sh -c 'systemctl disable --now nginx && systemctl daemon-reload && systemctl start apache2 octavo-api octavo-site octavo-jobs'
	rm -rf "$root/etc/letsencrypt"
	same 'Apache answers the certificate authority before the site is there' answer "$(challenge)"
	type_chapter 'A domain of its own, with Apache' '/^apt install/d; /^octavo doctor/d'
	same 'Apache answers the certificate authority for renewals' answer "$(challenge)"
	n=50
	until [ "$("$booted" curl -s -o /dev/null -w '%{http_code}' -H 'Host: docs.example.com' http://127.0.0.1/v1/)" = 308 ] || [ $n -eq 0 ]; do n=$((n - 1)); sleep 0.1; done
	same 'Apache redirects HTTP to TLS' '308 https://docs.example.com/v1/' "$("$booted" curl -s -o /dev/null -w '%{http_code} %{redirect_url}' -H 'Host: docs.example.com' http://127.0.0.1/v1/)"
	expect 'TLS of Apache answers with HSTS' 0 'Strict-Transport-Security: max-age=31536000' "$booted" curl -sk --http1.1 -D - --resolve docs.example.com:443:127.0.0.1 https://docs.example.com/docs/v1/healthz
	kill "$nspawn"
	wait "$nspawn"
	nspawn=''
	mount -t proc proc "$root/proc"
else
	[ -z "$nspawn" ] || kill "$nspawn" 2>/dev/null
	nspawn=''
	mountpoint -q "$root/proc" || mount -t proc proc "$root/proc"
	skip 'the package under systemd' "this machine boots none: $(tail -c 300 "$tmp/boot" 2>/dev/null)"
fi
# ---- the Dockerfile ----

# Without Docker: runs what its second stage runs, in this root; then its command, as its user, in a separate network.
cp "$deb" "$root/tmp/octavo.deb"
run=$(sed -n '/^FROM debian:12-slim$/,$p' Dockerfile | sed -n '/^RUN /,/[^\\]$/{s/^RUN //;p;}')
expect 'RUN of the Dockerfile works' 0 '' "$inside" sh -c "$run"
same 'the folder of the data in the image is of octavo' 'octavo 710' "$("$inside" stat -c '%U %a' /data)"
if command -v ip >/dev/null && unshare --net true 2>/dev/null; then
	cat >"$tmp/as" <<-END
		exec chroot --userspec=octavo:octavo "$root" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin OCTAVO_DIR=/data "\$@"
	END
	: >"$tmp/container"
	unshare --net sh -c 'ip link set lo up; exec sh "$@"' - "$tmp/as" $(sed -n 's/^CMD \["\(.*\)"\]$/\1/p' Dockerfile | sed 's/", "/ /g') >"$tmp/container" 2>&1 &
	contained=$!
	cat >"$tmp/healthy" <<-END
		for i in \$(seq 60); do
			nsenter -t $contained -n sh "$tmp/as" $(sed -n 's/^HEALTHCHECK CMD //p' Dockerfile) && exit
			kill -0 $contained || break
			sleep 1
		done
		exit 1
	END
	n=100
	until grep -q 'waiting for: octavo init' "$tmp/container" || [ $n = 0 ]; do sleep 0.1; n=$((n - 1)); done
	grep -q 'waiting for: octavo init' "$tmp/container" && pass || fail 'the container waits for data' "$(cat "$tmp/container")"
		# As if init were between its steps: the container does not migrate what is not there yet.
	(umask 077; : >"$root/data/octavo.begun"; : >"$root/data/octavo.db")
	chown "$("$inside" id -u octavo):$("$inside" id -g octavo)" "$root"/data/octavo.*
	sleep 2
	expect 'docker exec runs init' 0 '/data is ready' sh "$tmp/as" octavo init --dir /data --email c@example.com --name C --org Contained
	expect 'HEALTHCHECK succeeds' 0 '"status":"ok"' sh "$tmp/healthy"
	kill -0 $contained 2>/dev/null && pass || fail 'the container goes on' "$(cat "$tmp/container")"
	same 'the container migrates nothing of a new installation' 0 "$(grep -c 'schema version.* [1-9][0-9]* steps' "$tmp/container")"
	expect 'docker exec runs check' 0 '^ok' sh "$tmp/as" octavo check --dir /data
	kill $contained
	wait $contained
	same 'docker stop ends with status 0' 0 $?
	same 'no process is left of the container' '' "$(for p in $(pgrep -f ' /data|/usr/lib/octavo/'); do [ "$(readlink "/proc/$p/root")" != "$root" ] || echo "$p"; done)"
else
	skip 'CMD of the Dockerfile' 'needs a network namespace'
fi
expect 'the package is purged' 0 '' "$inside" sh -c 'apt-get purge -y octavo 2>&1'
same 'the data stay after a purge' yes "$([ -e "$root/var/lib/octavo/octavo.db" ] && echo yes || echo no)"
same 'the settings are removed by a purge' no "$([ -e "$root/etc/octavo/octavo.env" ] && echo yes || echo no)"
expect 'the backup is restored after all is lost' 0 'restored' sh -c "rm -rf '$root/var/lib/octavo' && '$octavo' restore '$root/root/octavo.tar' --dir '$tmp/restored'"

summary
