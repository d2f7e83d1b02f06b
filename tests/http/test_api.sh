#!/bin/sh
# The HTTP API through nginx and four workers: cases; access rules and the sweep of wrong input,
# both over every operation; and whether all operations were exercised.
set -u
TRANSPORT=http
. tests/http/lib.sh
. tests/http/requests.sh
. tests/http/access.sh
. tests/http/sweep.sh
fixture_start
for cases in tests/http/cases/*.sh; do
	. "$cases"
done
get /v1/openapi.json
sh tools/roles.sh <"$out" >"$tmp/operations.md"
yes 'docs/people/operations.md is what tools/roles.sh makes' cmp -s docs/people/operations.md "$tmp/operations.md"
access
sweep
coverage
log_check
yes 'octavo check finds nothing' "$octavo" check --dir "$dir" >"$tmp/check"
summary
