# Conversations: how well their issues are clustered (tests/conversations), and what one costs as
# their number grows. BENCH_CONVERSATIONS (100000) is their number.

# conversations_verdict EXPRESSION: ok if awk evaluates it as true
conversations_verdict() { awk "BEGIN { print (($1) ? \"ok\" : \"MISSED\") }"; }

# conversations_set NAME FILE GOAL-OF-SPREAD
conversations_set() {
	"$build/tests/conversations_measure" "$top/tests/conversations/$2" >"$tmp/measured" || give_up "$2 cannot be measured"
	cs_mean=$(sed -n 's/^ten orders: ARI mean \([0-9.]*\),.*/\1/p' "$tmp/measured")
	cs_spread=$(sed -n 's/^ten orders: .* from \([0-9.]*\) to \([0-9.]*\);.*/\2 \1/p' "$tmp/measured" | awk '{ print $1 - $2 }')
	cs_means=$(sed -n 's/^k-means.*ARI //p' "$tmp/measured")
	cs_purity=$(sed -n 's/.*purity \([0-9.]*\).*/\1/p' "$tmp/measured")
	cs_titles=$(sed -n 's/^titles .*: //p' "$tmp/measured")
	row_print "conversations, $1: ARI : that of k-means" "$cs_mean" "$cs_means" - '>= 0.6' \
		"$(conversations_verdict "$cs_mean >= 0.6 && $cs_mean > $cs_means")"
	row_print "  spread of the ARI over ten orders" "$cs_spread" - - "$3" \
		"$([ "$3" = - ] || conversations_verdict "$cs_spread <= 0.05")"
	row_print '  purity; titles that are a question or problem' "$cs_purity" "$cs_titles" - - ''
}

row_conversations() {
	conversations_set 'labelled set' set.txt '<= 0.05'
	conversations_set 'held-out set' held_out.txt -
	rc_many=${BENCH_CONVERSATIONS:-100000}
	TMPDIR=$tmp "$build/tests/bench_conversations" "$rc_many" >"$tmp/costs" || give_up 'conversations cannot be analysed'
	rc_few=$(awk 'NR == 1 { print $2 }' "$tmp/costs")
	awk -v few="$rc_few" 'END { print $2, few }' "$tmp/costs" >"$tmp/measure"
	row "conversation: at $rc_many : at 1,000" ms le 1.5 "$tmp/measure"
	while read -r rc_count rc_ms rc_clusters rc_memory; do
		row_print "  $rc_count conversations: a second; clusters" "$(awk -v ms="$rc_ms" 'BEGIN { printf "%.0f", 1000 / ms }')" \
			"$rc_clusters" - "$rc_memory MiB" ''
	done <"$tmp/costs"
}
