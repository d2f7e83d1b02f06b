#!/bin/sh
# Every second file of the cases of the HTTP API, from the first on, through nginx and four workers;
# test_api_even.sh runs the others beside it. Access rules and wrong input are in test_access.sh;
# run.sh compares the statuses that the three saw with the declared ones.
set -u
TRANSPORT=http
. tests/http/lib.sh
. tests/http/coverage.sh
fixture_start
for cases in $(ls tests/http/cases/*.sh | awk 'NR % 2 == 1'); do
	. "$cases"
done
get /v1/openapi.json
sh tools/roles.sh <"$out" >"$tmp/operations.md"
yes 'docs/people/operations.md is what tools/roles.sh makes' cmp -s docs/people/operations.md "$tmp/operations.md"
seen_keep api
log_check
yes 'octavo check finds nothing' "$octavo" check --dir "$dir" >"$tmp/check"
summary
