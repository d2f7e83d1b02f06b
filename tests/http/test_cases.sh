#!/bin/sh
# Runs case files and parts of test_access.sh alone, with a separate fixture:
#
#   sh tests/http/run.sh tests/http/cases/56_search.sh access
#
# NAME is the path of a case file, or cases (all of them), access, sweep or one of the functions of
# access.sh (access_matrix, access_ids, access_grants, access_leaks, access_flags).
# With OCTAVO_ENGINE=postgres: over a PostgreSQL server of their own.
set -u
if [ "${OCTAVO_ENGINE:-}" = postgres ]; then
	[ -n "${OCTAVO_TEST_DB:-}" ] || exec sh tests/postgres/server.sh sh "$0" "$@"
	OCTAVO_DB=$OCTAVO_TEST_DB OCTAVO_EXPERIMENTAL_POSTGRES=1 OCTAVO_MACHINES=1
	export OCTAVO_DB OCTAVO_EXPERIMENTAL_POSTGRES OCTAVO_MACHINES
	unset OCTAVO_ENGINE
fi
TRANSPORT=${TRANSPORT:-http}
. tests/http/lib.sh
. tests/http/requests.sh
. tests/http/access.sh
. tests/http/sweep.sh
fixture_start
for part in "$@"; do
	case $part in
	*.sh) . "$part" ;;
	cases) for cases in tests/http/cases/*.sh; do . "$cases"; done ;;
	access) access ;;
	access_matrix | access_leaks | access_links | access_ids | access_grants | access_flags | sweep)
		[ -d "$tmp/world" ] || access_world
		$part ;;
	*) give_up "$part" 'neither a case file nor a part of access.sh or sweep.sh' ;;
	esac
done
log_check
summary
