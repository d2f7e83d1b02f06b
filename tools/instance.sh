#!/bin/sh
# The web servers' files of one of several installations, into /etc/octavo/NAME: copies of those of the
# single one, with the sockets and folders of octavo-api@NAME and octavo-site@NAME.
#
#   sh @PREFIX@/share/octavo/instance.sh NAME [PORT]
#
# PORT: of the server that only this machine reaches (beside.conf), one of its own for each; default 8471.
# Run it again after an upgrade. ETC: another folder than /etc/octavo.
set -eu
name=${1:-} port=${2:-8471} share=@PREFIX@/share/octavo
share=${SHARE:-$share}
case $name in
'' | *[!A-Za-z0-9_-]*) echo 'Usage: instance.sh NAME [PORT]    (NAME: letters, digits, - and _)' >&2; exit 2 ;;
esac
case $port in
'' | *[!0-9]* | ??????*) port=0 ;;
esac
[ "$port" -ge 1 ] && [ "$port" -le 65535 ] || { echo 'instance.sh: PORT is a number from 1 to 65535' >&2; exit 2; }
to=${ETC:-/etc/octavo}/$name

copy() {
	mkdir -p "$to/${1%/*}"
	sed -e "s|@RUN@/|@RUN@-$name/|g" -e "s|@STATE@/|@STATE@-$name/|g" -e "s|$share/nginx/|$to/nginx/|g" -e "s|$share/apache/|$to/apache/|g" \
		-e "s#|fcgi://octavo-#|fcgi://octavo-$name-#g" -e "s|127\.0\.0\.1:8470|127.0.0.1:$port|g" -e "s|/etc/octavo/octavo\.env|/etc/octavo/$name.env|g" \
		"$share/$1" >"$to/$1"
}
for file in nginx/api.conf nginx/beside.conf nginx/locations.conf apache/octavo.conf apache/beside.conf; do copy "$file"; done
echo "$to/nginx and $to/apache are the web servers' files of $name"
