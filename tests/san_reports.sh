#!/bin/sh
# Prints what sanitizers have reported in the files of a folder: sh tests/san_reports.sh DIR. Ends with 1
# if that is anything.
#
# A process that a test kills with SIGKILL while LeakSanitizer looks at it, as it ends, leaves an empty file
# or the one line that its thread is gone. Nothing is wrong with it; any other line is a report.
found=0
for report in "${1:?}"/*; do
	[ -f "$report" ] || continue
	grep -qvE '^(==[0-9]+==Unable to get registers from thread [0-9]+\.)?$' "$report" || continue
	found=1
	head -n 60 "$report"
done
exit "$found"
