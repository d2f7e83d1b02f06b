#!/bin/sh
# Signing in at an OpenID provider: oidc-provider from npm, and answers that no honest provider gives
# (provider.mjs); the pages in Debian's Chromium, with axe-core (pages.mjs). Needs npm and its registry, and
# Node 18 or later. OCTAVO_BUILD is the folder with the programs (default: build). Last line: N passed, N
# failed, N skipped.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../node.sh"

command -v chromium >/dev/null || give_up "chromium is missing"
packages
data
node "$here/provider.mjs" >"$tmp/issuer" 2>"$tmp/provider.log" &
provider=$!
for i in $(seq 200); do
	[ ! -s "$tmp/issuer" ] || break
	kill -0 "$provider" 2>/dev/null || give_up "the provider does not start: $(cat "$tmp/provider.log")"
	sleep 0.1
done
# A secret that ends with a slash and needs encoding; each test has a network address of its own.
OCTAVO_OIDC_ISSUER=$(cat "$tmp/issuer") OCTAVO_OIDC_CLIENT=octavo OCTAVO_OIDC_SECRET='s3cret+&=%:/'
# The issuer of an organization must be public, except where files may be private, too.
OCTAVO_PROXIES='127.0.0.1 ::1' OCTAVO_SELFCHECK=1 OCTAVO_FETCH_PRIVATE=1
export OCTAVO_OIDC_ISSUER OCTAVO_OIDC_CLIENT OCTAVO_OIDC_SECRET OCTAVO_PROXIES OCTAVO_SELFCHECK OCTAVO_FETCH_PRIVATE
service
OCTAVO_TEST_COMMAND=$octavo OCTAVO_TEST_DIR=$dir OCTAVO_TEST_URL=$url OCTAVO_TEST_TOKEN=$token OCTAVO_TEST_ORG=$org
export OCTAVO_TEST_COMMAND OCTAVO_TEST_DIR OCTAVO_TEST_URL OCTAVO_TEST_TOKEN OCTAVO_TEST_ORG

cd "$here" || exit 2
node_tests "$@" suite.test.mjs
