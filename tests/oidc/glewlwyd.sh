#!/bin/sh
# The manual's chapter about OpenID, docs/operate/openid.md, followed with Glewlwyd, a provider that Debian packages
# and nobody here wrote. It is not part of the check, since it downloads Glewlwyd's packages:
#
#   make test T=tests/oidc/glewlwyd.sh
#
# The packages are unpacked into a folder of this test and not installed; Glewlwyd serves on loopback. People sign
# in with its own pages, in Chromium (glewlwyd.test.mjs). Needs apt, sqlite3, npm and its registry, and Node 18 or
# later. OCTAVO_BUILD is the folder with the programs (default: build). Last line: N passed, N failed, N skipped.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../node.sh"
chapter=$PWD/docs/operate/openid.md

provider=''
stop_all() {
	[ -z "$provider" ] || kill "$provider" 2>/dev/null
	finish
}
at_exit stop_all

command -v chromium >/dev/null || give_up 'chromium is missing'
packages
free_port() { node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })'; }

# ---- the provider ----

root=$tmp/root
mkdir "$root" "$tmp/debs"
(cd "$tmp/debs" && apt-get download -q glewlwyd glewlwyd-common libconfig9 libmariadb3 liborcania2.3 libyder2.0 libhoel1.4 librhonabwy1.1 \
	libmicrohttpd12 libulfius2.7 libiddawc1.1 liboath0 libjs-jquery libjs-bootstrap4 libjs-popper.js fonts-fork-awesome >"$tmp/apt" 2>&1) ||
	give_up "Glewlwyd cannot be downloaded: $(cat "$tmp/apt")"
for deb in "$tmp"/debs/*.deb; do dpkg -x "$deb" "$root"; done
# It serves no links that lead out of its folder.
rm "$root/usr/share/glewlwyd/webapp/config.json"
cp "$root/usr/share/glewlwyd/templates/config.json" "$root/usr/share/glewlwyd/webapp/"
cp -rL "$root/usr/share/glewlwyd/webapp" "$tmp/webapp"
zcat -f "$root"/usr/share/doc/glewlwyd/database/init.sqlite3.sql* | sqlite3 "$tmp/glewlwyd.db"
port=$(free_port)
zcat -f "$root"/usr/share/doc/glewlwyd/glewlwyd.conf.sample* | sed -e "s|^port=.*|port=$port\nbind_address=\"127.0.0.1\"|" \
	-e "s|^external_url=.*|external_url=\"http://127.0.0.1:$port\"|" -e "s|^static_files_path=.*|static_files_path=\"$tmp/webapp/\"|" \
	-e "s|\"/usr/lib/glewlwyd|\"$root/usr/lib/glewlwyd|" -e "s|/var/cache/glewlwyd/glewlwyd.db|$tmp/glewlwyd.db|" \
	-e 's|^cookie_secure=1|cookie_secure=0|' -e '/^cookie_domain=/d' >"$tmp/glewlwyd.conf"
libraries=$(dirname "$(find "$root/usr/lib" -name 'libulfius.so.*' | head -n 1)")
LD_LIBRARY_PATH=$libraries "$root/usr/bin/glewlwyd" --config-file="$tmp/glewlwyd.conf" >"$tmp/glewlwyd.log" 2>&1 &
provider=$!
n=100
until curl -s -o /dev/null "http://127.0.0.1:$port/config"; do
	kill -0 "$provider" 2>/dev/null && [ $((n -= 1)) -gt 0 ] || give_up "Glewlwyd does not start: $(tail -n 5 "$tmp/glewlwyd.log")"
	sleep 0.1
done

# ---- the chapter ----

# Its lines of settings, with the values of this provider.
url=http://127.0.0.1:$(free_port) issuer=http://127.0.0.1:$port/api/oidc
sed -n '/^## What Octavo needs/,/^\* /p' "$chapter" | sed -n '/^OCTAVO_/p' |
	sed -e "s|https://docs.example.com|$url|" -e "s|https://id.example.com|$issuer|" -e 's|the secret$|the-secret-of-Octavo|' >"$tmp/octavo.env"
[ "$(grep -c '^OCTAVO_' "$tmp/octavo.env")" -eq 5 ] || give_up "the chapter has other settings than it had: $(cat "$tmp/octavo.env")"
while IFS='=' read -r name setting; do export "$name=$setting"; done <"$tmp/octavo.env"
data
OCTAVO_TEST_COMMAND=$octavo OCTAVO_TEST_DIR=$dir OCTAVO_TEST_ORG=$org OCTAVO_TEST_PROVIDER=$provider OCTAVO_TEST_CHAPTER=$chapter
export OCTAVO_TEST_COMMAND OCTAVO_TEST_DIR OCTAVO_TEST_ORG OCTAVO_TEST_PROVIDER OCTAVO_TEST_CHAPTER
cd "$here" || exit 2
node_tests glewlwyd.test.mjs
