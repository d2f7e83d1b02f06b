#!/bin/sh
# One call of the C library fails in each operation: a sample for the checks. `make anomaly` runs each
# call until none is left (tests/fault/anomaly.sh).
#
#   OCTAVO_SEED       another sample
#   OCTAVO_ANOMALIES  all operations with all calls; of more calls of one sort, a sample of so many
#   OCTAVO_KINDS, OCTAVO_CALLS  only these operations and calls
set -u
case $OCTAVO_BUILD in
*-san) echo '0 passed, 0 failed, 1 skipped'; exit 0 ;;
esac
OCTAVO_BUILD=$(cd "$OCTAVO_BUILD" && pwd)
export OCTAVO_BUILD
most=${OCTAVO_ANOMALIES:-0} kinds=${OCTAVO_KINDS:-} wanted=${OCTAVO_CALLS:-} seed=${OCTAVO_SEED:-1}
# `octavo doctor` reports unknown settings.
unset OCTAVO_ANOMALIES OCTAVO_KINDS OCTAVO_CALLS
TRANSPORT=cgi
. tests/http/lib.sh
. tests/http/load.sh
. tests/fault/anomaly.sh
fixture_small
fixture_others
fixture_rest

# Housekeeping needs a process, and has no job that could keep the reason.
head -c 16 /dev/zero >"$tmp/state"
FAULT_CALL=fork FAULT_AT=1 FAULT_STATE=$tmp/state LD_PRELOAD=$shim "$OCTAVO_BUILD/octavo-jobs" --once >"$tmp/said" 2>&1
cp "$tmp/said" "$out"
holds 'a runner says that housekeeping could not be started' 'housekeeping: no process could be started: '

# pick WORD...: sets $picked to one of them
pick() { roll $#; shift $rolled; picked=$1; }

for kind in ${kinds:-$ANOMALY_KINDS}; do
	if [ "$most" = 0 ]; then
		# shellcheck disable=SC2086
		pick ${wanted:-$ANOMALY_CALLS}
		anomalies "$kind" "$picked" 2
		continue
	fi
	for call in ${wanted:-$ANOMALY_CALLS}; do
		before=$passed
		anomalies "$kind" "$call" "$most"
		echo "$kind, $call: $((passed - before)) passed, of $as_total calls"
	done
done
summary
