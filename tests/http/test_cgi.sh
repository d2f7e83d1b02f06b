#!/bin/sh
# Every third file of cases, with octavo-api as a plain CGI program: its code is that of test_api.sh,
# but each request is a process. `make hosts HOSTS=cgid` runs all of them so, behind Apache.
set -u
TRANSPORT=cgi
. tests/http/lib.sh
fixture_start
for cases in $(ls tests/http/cases/*.sh | awk 'NR % 3 == 0'); do
	. "$cases"
done
log_check
summary
