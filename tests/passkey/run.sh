#!/bin/sh
# Passkeys in Debian's Chromium, whose virtual authenticator (DevTools) is the device. Browsers use passkeys only at
# hosts with a name, such as the localhost that octavo up prints. Needs npm and its registry, and Node 18 or later.
# OCTAVO_BUILD is the folder with the programs (default: build). Last line: N passed, N failed, N skipped.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../node.sh"

command -v chromium >/dev/null || give_up "chromium is missing"
packages
data
OCTAVO_SELFCHECK=1
export OCTAVO_SELFCHECK
service
OCTAVO_TEST_COMMAND=$octavo OCTAVO_TEST_DIR=$dir OCTAVO_TEST_URL=$url OCTAVO_TEST_TOKEN=$token OCTAVO_TEST_ORG=$org
export OCTAVO_TEST_COMMAND OCTAVO_TEST_DIR OCTAVO_TEST_URL OCTAVO_TEST_TOKEN OCTAVO_TEST_ORG
cd "$here" || exit 2
node_tests "$@" passkey.test.mjs
