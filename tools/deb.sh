#!/bin/sh
# Makes a package for Debian 12 from the files of `make install`. Two runs on one checkout give the
# same bytes. Run by make:
#
#   sh tools/deb.sh ROOT OUT.deb      ROOT: of make install DESTDIR=ROOT PREFIX=/usr
#
# MAINTAINER='Name <address>' and VERSION in the environment, if the package is published.
#
# Data is never deleted by the package, not even when it is purged.
set -eu
[ $# -eq 2 ] || { echo 'Usage: sh tools/deb.sh ROOT OUT.deb' >&2; exit 2; }
root=$1 out=$2
when=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 0)}
release=$(sed -n 's/^#define OCTAVO_VERSION "\(.*\)"/\1/p' include/command/cli.h)
# Versions before a release are distinguished by the time of their sources.
version=${VERSION:-$release~$(date -u -d "@$when" +%Y%m%d%H%M%S)}
maintainer=${MAINTAINER:-Octavo <octavo@localhost>}
architecture=$(dpkg --print-architecture)
umask 022

# Only used in the tarball for shared hosts: it is static, so that it starts anywhere.
rm -f "$root/usr/lib/octavo/octavo-launch"
strip --remove-section=.comment --remove-section=.note "$root/usr/bin/octavo" "$root"/usr/lib/octavo/*

# The places where Debian 12 has these.
mkdir -p "$root/lib/systemd" "$root/etc/logrotate.d"
mv "$root/usr/lib/systemd/system" "$root/lib/systemd/"
rmdir "$root/usr/lib/systemd"
mv "$root/usr/share/octavo/logrotate" "$root/etc/logrotate.d/octavo"

doc=$root/usr/share/doc/octavo
rm -f "$doc/LICENSE"
{
	printf 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: octavo\n\nFiles: *\n'
	printf 'Copyright: the authors of Octavo\nLicense: %s\n' "$(sed -n '1s/ .*//p' LICENSE)"
	sed 's/^$/./; s/^/ /' LICENSE
	printf '\nComment:\n The programs hold parts of other packages, linked statically or embedded. Their notices:\n .\n'
	LICENCES_TEXTS=no sh tools/licences.sh built | sed 's/^[[:space:]]*$/./; s/^/ /'
} >"$doc/copyright"
rm -f "$doc/licences.txt"
printf 'octavo (%s) unstable; urgency=medium\n\n  * See CHANGELOG.md of the source.\n\n -- %s  %s\n' \
	"$version" "$maintainer" "$(date -uR -d "@$when")" | gzip -9n >"$doc/changelog.gz"

# Dependencies: the libraries of the programs, and what the units start.
mkdir -p "$root/debian" "$root/DEBIAN"
printf 'Source: octavo\n\nPackage: octavo\nArchitecture: any\n' >"$root/debian/control"
libraries=$(cd "$root" && dpkg-shlibdeps -O --ignore-missing-info usr/bin/octavo usr/lib/octavo/* 2>/dev/null | sed 's/^shlibs:Depends=//')
rm -r "$root/debian"
# The status of a pipe is that of its last program: earlier failures show by missing output.
[ -n "$libraries" ] || { echo 'deb: no libraries were found; dpkg-shlibdeps (package dpkg-dev) names them' >&2; exit 1; }
cat >"$root/DEBIAN/control" <<END
Package: octavo
Version: $version
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $(du -sk --apparent-size --exclude=DEBIAN "$root" | cut -f 1)
Depends: $libraries, multiwatch, adduser, init-system-helpers (>= 1.54), ca-certificates
Recommends: nginx-light | nginx | apache2, curl, fonts-dejavu-core
Suggests: spawn-fcgi, bash-completion, apertium, pandoc, libpq5
Section: web
Priority: optional
Description: documentation platform behind your own web server
 Octavo serves documentation over an HTTP API and as published sites, out of
 one SQLite file and a folder of files, by small programs behind nginx or
 Apache. It imports and exports git repositories, keeps every revision, and
 has change requests, comments, search and PDFs.
END
# octavo.env is none of these (postinst copies it once): every admin writes into it, so dpkg would stop
# each upgrade whose example differs, to ask, or fail where nobody answers.
printf '/etc/logrotate.d/octavo\n' >"$root/DEBIAN/conffiles"
for script in preinst postinst prerm postrm; do
	[ ! -e "debian/$script" ] || install -m 755 "debian/$script" "$root/DEBIAN/$script"
done
install -D -m 644 debian/lintian-overrides "$root/usr/share/lintian/overrides/octavo"
(cd "$root" && find . -type f ! -path './DEBIAN/*' -printf '%P\0' | LC_ALL=C sort -z | xargs -0 md5sum >DEBIAN/md5sums)
find "$root" -depth -exec touch -h -d "@$when" {} +
SOURCE_DATE_EPOCH=$when dpkg-deb --root-owner-group -Zgzip -z6 --build "$root" "$out" >/dev/null
