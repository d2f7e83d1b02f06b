# Statuses of each operation, declared and observed. test_api.sh, test_api_even.sh and test_access.sh run
# side by side, each with its own fixture, and keep what they saw in $logs, the folder of run.sh,
# which compares the sum with the declaration after all three.

# seen_keep NAME: keeps the declaration and the statuses of the requests so far, for coverage(). Run
# without run.sh, a test sees only its own part, and keeps nothing.
seen_keep() {
	[ -n "${logs:-}" ] || return 0
	get /v1/openapi.json
	jq -r '.paths[][] | .operationId as $o | .responses | keys[] | "\($o) \(.)"' "$out" | sort >"$logs/declared"
	awk '{ print $4, $5 }' "$dir/log/requests.log" | grep -v '^- ' | sort -u >"$logs/seen.$1"
}

# excused OPERATION STATUS: whether coverage.txt lists them, with a reason
excused() { grep -qxF -e "$1 $2" -e "* $2" "$logs/excused"; }

# Prints a line for each status that was declared and never seen, or seen and not declared, and then
# the counts. 304 counts as 200, without its body.
coverage() {
	sed -n 's/^\([A-Za-z*]* [0-9][0-9][0-9]\) .*/\1/p' tests/http/coverage.txt >"$logs/excused"
	sort -u "$logs/seen.api" "$logs/seen.even" "$logs/seen.access" >"$logs/seen"
	comm -23 "$logs/declared" "$logs/seen" | grep -v ' 304$' | while read -r co_op co_status; do
		excused "$co_op" "$co_status" || echo "FAIL coverage: $co_op never answered $co_status"
	done >"$logs/never"
	comm -13 "$logs/declared" "$logs/seen" | grep -v ' 304$' | while read -r co_op co_status; do
		excused "$co_op" "$co_status" || echo "FAIL coverage: $co_op answered $co_status, which it does not declare"
	done >"$logs/undeclared"
	cat "$logs/never" "$logs/undeclared"
	echo "$(($(wc -l <"$logs/declared") - $(wc -l <"$logs/never"))) passed, $(cat "$logs/never" "$logs/undeclared" | wc -l) failed, 0 skipped"
}
