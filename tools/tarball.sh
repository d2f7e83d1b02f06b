#!/bin/sh
# The archive for hosts that accept files and nothing else: programs with their libraries and
# loader, so that an older system runs them; octavo-launch, which is static, starts them. Two runs
# on one checkout give the same bytes.
#
#   sh tools/tarball.sh BUILD OUT.tar.gz
set -eu
[ $# -eq 2 ] || { echo 'Usage: sh tools/tarball.sh BUILD OUT.tar.gz' >&2; exit 2; }
build=$1 out=$2
when=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 0)}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' INT TERM HUP
umask 022
to=$tmp/octavo
mkdir -p "$to/bin" "$to/lib" "$to/data" "$to/www"

# Programs that a web server starts for each request are linked for short starts.
make -s B="$build" fixed >&2
program() { if [ -e "$build/fixed/$1" ]; then echo "$build/fixed/$1"; else echo "$build/$1"; fi; }
for p in octavo octavo-api octavo-site octavo-jobs octavo-fetch octavo-pdf octavo-typeset octavo-picture octavo-oidc octavo-unpack octavo-leave; do
	strip -o "$to/lib/$p" "$(program "$p")"
	chmod 755 "$to/lib/$p"
	ldd "$build/$p"
done | sed -n 's/^.* => \(\/[^ ]*\) .*/\1/p; s/^[[:space:]]*\(\/[^ ]*ld-linux[^ ]*\) .*/\1/p' | sort -u >"$tmp/libraries"
while read -r library; do
	case $library in
	*/ld-linux*) cp -L "$library" "$to/lib/ld.so" ;;
	*) cp -L "$library" "$to/lib/" ;;
	esac
done <"$tmp/libraries"
[ -x "$to/lib/ld.so" ] || { echo 'tarball: the loader was not found' >&2; exit 1; }

strip -o "$tmp/launch" "$build/octavo-launch"
for p in bin/octavo bin/octavo-jobs bin/octavo-fetch bin/octavo-pdf bin/octavo-typeset bin/octavo-picture bin/octavo-oidc bin/octavo-unpack bin/octavo-leave www/octavo.cgi www/api.fcgi www/site.fcgi; do
	cp "$tmp/launch" "$to/$p"
	chmod 755 "$to/$p"
done
cp nginx/htaccess "$to/www/.htaccess"
# If it is unpacked into the web server's folder by mistake, no file of it is served.
printf 'Require all denied\n' | tee "$to/.htaccess" >"$to/data/.htaccess"
printf 'email = you@example.com\nname = Your Name\norganization = Docs\n' >"$to/data/setup.example"
chmod 700 "$to/data"
cp docs/operate/shared-hosting.md "$to/README.md"
cp LICENSE "$to/"
# The notices of its parts: static parts, libraries, the C library.
xargs sh tools/licences.sh files <"$tmp/libraries" >"$to/LICENCES.txt"
tar -C "$tmp" --sort=name --mtime="@$when" --owner=0 --group=0 --numeric-owner --format=gnu -cf - octavo |
	gzip -n6 >"$out.new"
mv "$out.new" "$out"
