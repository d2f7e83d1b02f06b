# The sweep: requests with every kind of wrong input, made from the description by sweep.jq; then
# the coverage of operations, read from the access log. For test_api.sh, after lib.sh, requests.sh
# and access.sh, whose ids it uses.

sweep_make() {
	command jq -L tests/http --arg what "$1" --argjson ids "$(cat "$tmp/world/main")" -f tests/http/sweep.jq \
		"$tmp/openapi" >"$tmp/requests" || give_up sweep 'sweep.jq failed'
}

sweep() {
	sweep_make refusals
	requests_check sweep 1500
	sweep_keys
}

# An Idempotency-Key that was used is refused with another body.
sweep_keys() {
	sweep_make keys
	requests_send
	sort -n "$tmp/answers" | cut -f 2 | paste - - >"$tmp/pairs"
	while read -r sw_first sw_second; do
		case $sw_first$sw_second in
		2??409) pass ;;
		2*) fail 'a key with another body answers 409' "$sw_first, then $sw_second instead of 409" ;;
		esac
	done <"$tmp/pairs"
}

# Statuses of each operation, declared and observed. coverage.txt lists exceptions with a reason.
# 304 counts as 200, without its body.
coverage() {
	jq -r '.paths[][] | .operationId as $o | .responses | keys[] | "\($o) \(.)"' "$tmp/openapi" | sort >"$tmp/declared"
	awk '{ print $4, $5 }' "$dir/log/requests.log" | grep -v '^- ' | sort -u >"$tmp/seen"
	sed -n 's/^\([A-Za-z*]* [0-9][0-9][0-9]\) .*/\1/p' tests/http/coverage.txt >"$tmp/excused"
	comm -23 "$tmp/declared" "$tmp/seen" | grep -v ' 304$' | while read -r co_op co_status; do
		grep -qxF -e "$co_op $co_status" -e "* $co_status" "$tmp/excused" || echo "$co_op never answered $co_status"
	done >"$tmp/uncovered"
	comm -13 "$tmp/declared" "$tmp/seen" | grep -v ' 304$' | while read -r co_op co_status; do
		grep -qxF -e "$co_op $co_status" -e "* $co_status" "$tmp/excused" || echo "$co_op answered $co_status, which it does not declare"
	done >>"$tmp/uncovered"
	while read -r co_line; do fail coverage "$co_line"; done <"$tmp/uncovered"
	passed=$((passed + $(wc -l <"$tmp/declared") - $(grep -c never "$tmp/uncovered")))
}
