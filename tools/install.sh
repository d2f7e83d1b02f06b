#!/bin/sh
# The part of `make install` that is not programs: units of systemd and the web
# servers' files, with the words between @ signs replaced.
#
#   DESTDIR= PREFIX= STATE= RUN= sh tools/install.sh install|uninstall
set -eu
: "${PREFIX:=/usr/local}" "${STATE:=/var/lib/octavo}" "${RUN:=/run/octavo}"
to=${DESTDIR:-}$PREFIX
units=$to/lib/systemd/system

fill() {
	mkdir -p "$(dirname "$2")"
	# Rates: requests a second of a token and of an address, and what may come at once.
	sed -e "s|@PREFIX@|$PREFIX|g" -e "s|@STATE@|$STATE|g" -e "s|@DIR@|$STATE|g" \
		-e "s|@RUN@|$RUN|g" -e "s|@API@|$RUN/api.sock|g" -e "s|@SITE@|$RUN/site.sock|g" \
		-e 's|@MAX_BODY@|10485760|g' -e 's|@RATE@|20|g' -e 's|@RATE_ADDRESS@|100|g' \
		-e 's|@BURST@|60|g' -e 's|@BURST_ADDRESS@|300|g' "$1" >"$2"
	chmod 644 "$2"
}

# Apache wants its error bodies as files: the ones that nginx answers with.
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
	for u in systemd/*.service systemd/*.socket; do fill "$u" "$units/${u#systemd/}"; done
	fill systemd/octavo.sysusers "$to/lib/sysusers.d/octavo.conf"
	fill systemd/octavo.env "$to/share/octavo/octavo.env"
	fill nginx/api.conf "$to/share/octavo/nginx/api.conf"
	fill nginx/locations.conf "$to/share/octavo/nginx/locations.conf"
	fill nginx/apache.conf "$to/share/octavo/apache/octavo.conf"
	error_bodies ;;
uninstall)
	for u in systemd/*.service systemd/*.socket; do rm -f "$units/${u#systemd/}"; done
	rm -f "$to/lib/sysusers.d/octavo.conf"
	rm -rf "$to/share/octavo" ;;
*)
	echo 'Usage: sh tools/install.sh install|uninstall' >&2
	exit 2 ;;
esac
