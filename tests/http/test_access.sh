#!/bin/sh
# Access rules and the sweep of wrong input, both over every operation of the HTTP API, through
# nginx and four workers.
set -u
TRANSPORT=http
. tests/http/lib.sh
. tests/http/requests.sh
. tests/http/access.sh
. tests/http/sweep.sh
. tests/http/coverage.sh
fixture_start
access
sweep
seen_keep access
log_check
yes 'octavo check finds nothing' "$octavo" check --dir "$dir" >"$tmp/check"
summary
