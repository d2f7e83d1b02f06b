#!/bin/sh
# The cases of test_api.sh, with octavo-api as a plain CGI program.
set -u
TRANSPORT=cgi
. tests/http/lib.sh
fixture_start
for cases in tests/http/cases/*.sh; do
	. "$cases"
done
log_check
summary
