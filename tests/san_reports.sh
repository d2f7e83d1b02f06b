#!/bin/sh
# Prints reports of sanitizers in the files of a folder: sh tests/san_reports.sh DIR. Exits with 1
# if there are any.
#
# A process that a test kills with SIGKILL while LeakSanitizer runs at its exit leaves an empty
# file, or one line saying that its thread is gone. That is no report; any other line is one.
found=0
for report in "${1:?}"/*; do
	[ -f "$report" ] || continue
	grep -qvE '^(==([a-z-]+==)?[0-9]+==Unable to get registers from thread [0-9]+\.)?$' "$report" || continue
	found=1
	head -n 60 "$report"
done
exit "$found"
