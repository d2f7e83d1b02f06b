#!/bin/sh
# The Debian package: the same bytes twice, nothing for lintian to say, its scripts, and the
# package at work in a bare root. That takes a folder that debootstrap made with nginx-light and
# multiwatch in it (OCTAVO_BAREROOT), which only root can enter; else it is skipped. Needs OCTAVO_BUILD.
set -u
. tests/http/expect.sh

root=''
finish() {
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
		sh tools/deb.sh "$tmp/root" "$1" >>"$tmp/out" 2>&1 || fail "$1" "$(cat "$tmp/out")"
	rm -rf "$tmp/root"
}
deb=$tmp/octavo.deb
package "$deb"
sleep 1.1
package "$tmp/again.deb"
cmp -s "$deb" "$tmp/again.deb" && pass || fail 'two packages' 'they differ'
if command -v lintian >/dev/null; then
	same 'lintian' '' "$(lintian --no-cfg "$deb" 2>/dev/null)"
else
	skip lintian 'needs lintian'
fi
same 'libraries are named' 1 "$(dpkg-deb -f "$deb" Depends | grep -c 'libc6 (>= .*libgit2')"
same 'settings are the admin'\''s' '/etc/logrotate.d/octavo /etc/octavo/octavo.env' "$(dpkg-deb -I "$deb" conffiles | sort | tr '\n' ' ' | sed 's/ $//')"
dpkg-deb -e "$deb" "$tmp/scripts"
for script in postinst prerm postrm; do
	sh -n "$tmp/scripts/$script" && [ -x "$tmp/scripts/$script" ] && pass || fail "$script" 'no shell script'
done

# ---- in a bare root ----

if [ -z "${OCTAVO_BAREROOT:-}" ] || [ "$(id -u)" -ne 0 ]; then
	skip 'in a bare root' 'needs root, and OCTAVO_BAREROOT'
	summary
fi
root=$tmp/bare
cp -a "$OCTAVO_BAREROOT" "$root"
mount -t proc proc "$root/proc"
cp "$deb" "$root/tmp/octavo.deb"
inside() { timeout 300 chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive "$@"; }
expect 'install' 0 'next, set OCTAVO_URL' inside sh -c 'apt-get install -y --no-install-recommends /tmp/octavo.deb 2>&1'
same 'the folder of the data' 'octavo octavo 750' "$(inside stat -c '%U %G %a' /var/lib/octavo)"
same 'settings' 'root octavo 640' "$(inside stat -c '%U %G %a' /etc/octavo/octavo.env)"
same 'a timely start' 5 "$(find "$root/etc/systemd/system" -name 'octavo-*' | wc -l)"
expect 'init' 0 'octavo' inside octavo init --dir /var/lib/octavo --email a@example.com --name A --org Docs
same 'as the owner of the data' octavo "$(inside stat -c %U /var/lib/octavo/octavo.db)"
expect 'check' 0 '^ok' inside octavo check --dir /var/lib/octavo
expect 'all programs start there' 0 '"status":"ok"' inside env GATEWAY_INTERFACE=CGI/1.1 REQUEST_METHOD=GET REQUEST_URI=/v1/healthz QUERY_STRING= OCTAVO_DIR=/var/lib/octavo \
	setpriv --reuid octavo --regid octavo --clear-groups /usr/lib/octavo/octavo-api
expect 'the runner too' 0 '' inside env OCTAVO_DIR=/var/lib/octavo setpriv --reuid octavo --regid octavo --clear-groups /usr/lib/octavo/octavo-jobs --once
expect 'a backup' 0 'backed up' inside octavo backup /root/octavo.tar --dir /var/lib/octavo

# The upgrade migrates, and keeps a copy.
steps=$(ls schema/*.sql | wc -l)
: >"$tmp/old.db"
"$OCTAVO_BUILD/tests/sql" "$tmp/old.db" --script "$(ls schema/*.sql | sed '$d' | xargs cat) PRAGMA user_version=$((steps - 1));" || fail 'an older database' 'not made'
cp "$root/var/lib/octavo/octavo.db" "$tmp/kept.db"
cp "$tmp/old.db" "$root/var/lib/octavo/octavo.db"
inside chown octavo:octavo /var/lib/octavo/octavo.db
expect 'upgrade' 0 "schema version $steps, 1 steps taken" inside sh -c 'apt-get install -y --reinstall /tmp/octavo.deb 2>&1'
same 'a copy is kept' yes "$([ -e "$root/var/lib/octavo/octavo.db.schema-$((steps - 1))" ] && echo yes || echo no)"
rm "$root"/var/lib/octavo/octavo.db*
cp "$tmp/kept.db" "$root/var/lib/octavo/octavo.db"
inside chown octavo:octavo /var/lib/octavo/octavo.db
expect 'the data is there' 0 '^ok' inside octavo check --dir /var/lib/octavo
expect 'remove' 0 '' inside sh -c 'apt-get purge -y octavo 2>&1'
same 'the data stay' yes "$([ -e "$root/var/lib/octavo/octavo.db" ] && echo yes || echo no)"
same 'the settings go' no "$([ -e "$root/etc/octavo" ] && echo yes || echo no)"
expect 'restored from the backup after all is lost' 0 'restored' sh -c "rm -rf '$root/var/lib/octavo' && '$octavo' restore '$root/root/octavo.tar' --dir '$tmp/restored'"

summary
