#!/bin/sh
# Random sessions of two people who write one page in two browsers, over a network that is slow and fails: no letter
# that was saved may be lost, and `octavo check` must find nothing afterwards. Not a part of the check:
#
#   make sessions                       an hour
#   make sessions MINUTES=10 SEED=2     other times, and another course of events
#
# The last line says what happened. Exits with 1 if a letter is lost, or the check finds something.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../node.sh"

packages
data
service
OCTAVO_TEST_octavo=$octavo OCTAVO_TEST_dir=$dir OCTAVO_TEST_URL=$url OCTAVO_TEST_TOKEN=$token OCTAVO_TEST_ORG=$org
export OCTAVO_TEST_octavo OCTAVO_TEST_dir OCTAVO_TEST_URL OCTAVO_TEST_TOKEN OCTAVO_TEST_ORG
status=0
MINUTES=${MINUTES:-60} SEED=${SEED:-1} node "$here/sessions.mjs" || status=1
"$octavo" check --dir "$dir" || status=1
exit $status
