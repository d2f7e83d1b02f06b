#!/bin/sh
# Tests over PostgreSQL 15: unit tests beside one server; HTTP case files, each beside a server of its own; moves
# to a server and back, backups, jobs of two runners, files of two nodes, and two machines behind a load balancer.
#
#   sh tests/postgres/run.sh [short]
#
# short: what the check runs, about half a minute. OCTAVO_BUILD is the folder with the programs.
# Last line: N passed, N failed, N skipped.
set -u
cd "$(dirname "$0")/../.." || exit 2
OCTAVO_BUILD=${OCTAVO_BUILD:-build}
# Eight workers, so that each case with eight clients has eight connections.
OCTAVO_ENGINE=postgres WORKERS=8
export OCTAVO_BUILD OCTAVO_ENGINE WORKERS
if [ "${1:-}" = short ]; then
	units='test_lost test_ahead test_engines test_fulltext test_served'
	cases=tests/http/cases/63_crowd.sh
	parts='move backup jobs nodes'
else
	units=
	parts='move backup jobs nodes machines'
	# Imports of an export make new files, to which no server belongs.
	cases=$(ls tests/http/cases/*.sh | grep -v 93_leave)
fi
log=$(mktemp)
trap 'rm -f "$log" "$log.part"' EXIT
status=0
# shellcheck disable=SC2086
sh tests/postgres/units.sh $units >"$log" 2>&1 || status=1
# shellcheck disable=SC2086
sh tests/http/run.sh $cases >>"$log" 2>&1 || status=1
for part in $parts; do
	sh "tests/postgres/test_$part.sh" "${1:-}" >"$log.part" 2>&1 || status=1
	sed "\$s/^/$part: /" "$log.part" >>"$log"
done
cat "$log"
awk '/^(unit|http|move|backup|jobs|nodes|machines): [0-9]+ passed, [0-9]+ failed, [0-9]+ skipped/ { p += $2; f += $4; s += $6; n++ }
	END { if (n < 6) f++; printf "postgres: %d passed, %d failed, %d skipped\n", p, f, s }' "$log"
exit $status
