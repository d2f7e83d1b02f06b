#!/bin/sh
# Every third file of cases, with octavo-api as a plain CGI program: its code is that of test_api.sh,
# but each request is a process. `make hosts HOSTS=cgid` runs all of them so, behind Apache.
set -u
TRANSPORT=cgi
. tests/http/lib.sh
fixture_start
n=0
for cases in tests/http/cases/*.sh; do
	n=$((n + 1))
	[ $((n % 3)) -ne 0 ] || . "$cases"
done
log_check
summary
