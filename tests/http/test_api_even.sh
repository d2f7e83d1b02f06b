#!/bin/sh
# The files of cases that test_api.sh leaves out, with a fixture of their own.
set -u
TRANSPORT=http
. tests/http/lib.sh
. tests/http/coverage.sh
fixture_start
for cases in $(ls tests/http/cases/*.sh | awk 'NR % 2 == 0'); do
	. "$cases"
done
seen_keep even
log_check
yes 'octavo check finds nothing' "$octavo" check --dir "$dir" >"$tmp/check"
summary
