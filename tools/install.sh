#!/bin/sh
# The part of `make install` without programs: systemd units and the web servers' files, with the
# words between @ signs replaced.
#
#   DESTDIR= PREFIX= STATE= RUN= sh tools/install.sh install|uninstall
set -eu
: "${PREFIX:=/usr/local}" "${STATE:=/var/lib/octavo}" "${RUN:=/run/octavo}"
to=${DESTDIR:-}$PREFIX
units=$to/lib/systemd/system

fill() {
	mkdir -p "$(dirname "$2")"
	# Rates: requests per second of a token and of an address, and their bursts.
	sed -e "s|@PREFIX@|$PREFIX|g" -e "s|@STATE@|$STATE|g" -e "s|@DIR@|$STATE|g" \
		-e "s|@RUN@|$RUN|g" -e "s|@API@|$RUN/api.sock|g" -e "s|@SITE@|$RUN/site.sock|g" \
		-e 's|@MAX_BODY@|10485760|g' -e 's|@RATE@|20|g' -e 's|@RATE_ADDRESS@|100|g' \
		-e 's|@BURST@|60|g' -e 's|@BURST_ADDRESS@|300|g' "$1" >"$2"
	chmod 644 "$2"
}

# A unit for one of several installations: octavo-api@NAME has @STATE@-NAME, @RUN@-NAME and
# /etc/octavo/NAME.env. Made from the unit of the single installation, so that both stay equal.
template() {
	unit=${1#systemd/}
	name=${unit%%.*} kind=${unit#*.}
	sed -e "s|^# After an update: .*|# One of several installations: systemctl enable --now $name@NAME|" \
		-e 's|^\(Description=.*\)|\1 (%i)|' -e 's|\(octavo-[a-z]*\)\.socket|\1@%i.socket|g' \
		-e 's|@STATE@|@STATE@-%i|g' -e 's|@RUN@|@RUN@-%i|g' -e 's|^StateDirectory=octavo$|StateDirectory=octavo-%i|' \
		-e 's|/etc/octavo/octavo.env|/etc/octavo/%i.env|' "$1" >"$units.template"
	fill "$units.template" "$units/$name@.$kind"
	rm "$units.template"
}

# Apache needs its error bodies as files: the same ones that nginx sends.
error_bodies() {
	mkdir -p "$to/share/octavo/errors"
	sed -n "s/^.*return \([0-9]*\) '\({.*}\)\\\\n';/\1 \2/p" "$to/share/octavo/nginx/locations.conf" |
		while read -r code body; do
			printf '%s\n' "$body" >"$to/share/octavo/errors/$code.json"
			chmod 644 "$to/share/octavo/errors/$code.json"
		done
}

case ${1:-} in
install)
	for u in systemd/*.service systemd/*.socket; do
		fill "$u" "$units/${u#systemd/}"
		template "$u"
	done
	fill systemd/octavo.logrotate "$to/share/octavo/logrotate"
	fill nginx/container.conf "$to/share/octavo/nginx/container.conf"
	fill tools/container.sh "$to/share/octavo/container.sh"
	chmod 755 "$to/share/octavo/container.sh"
	fill nginx/http.conf "$to/share/octavo/nginx/http.conf"
	fill nginx/beside.conf "$to/share/octavo/nginx/beside.conf"
	fill systemd/octavo.sysusers "$to/lib/sysusers.d/octavo.conf"
	fill systemd/octavo.env "$to/share/octavo/octavo.env"
	fill nginx/api.conf "$to/share/octavo/nginx/api.conf"
	fill nginx/locations.conf "$to/share/octavo/nginx/locations.conf"
	fill nginx/apache.conf "$to/share/octavo/apache/octavo.conf"
	fill nginx/apache-beside.conf "$to/share/octavo/apache/beside.conf"
	error_bodies
	# Last, because it copies files that are filled in.
	fill tools/instance.sh "$to/share/octavo/instance.sh"
	chmod 755 "$to/share/octavo/instance.sh" ;;
uninstall)
	for u in systemd/*.service systemd/*.socket; do
		unit=${u#systemd/}
		rm -f "$units/$unit" "$units/${unit%%.*}@.${unit#*.}"
	done
	rm -f "$to/lib/sysusers.d/octavo.conf"
	rm -rf "$to/share/octavo" ;;
*)
	echo 'Usage: sh tools/install.sh install|uninstall' >&2
	exit 2 ;;
esac
