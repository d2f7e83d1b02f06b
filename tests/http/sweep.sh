# The sweep: requests with every kind of wrong input, made from the description by sweep.jq. For
# test_access.sh, after lib.sh, requests.sh and access.sh, whose ids it uses.

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
