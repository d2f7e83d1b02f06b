# Rows of what one user's legal requests cost another: the 99th percentile of others' requests beside
# somebody who sends large documents (of common words, or of words that are all different), duplicates a
# space of 2,000 pages, or reads it with names in the query that mean nothing, as fast as they are
# answered, against the same requests alone. Unlike in other rows the workers limit the work of a
# user (OCTAVO_WORK). Names: run.sh.

# large_document PROGRAM: nine megabytes; PROGRAM prints the ith piece with say()
large_document() {
	awk 'BEGIN { printf "{\"changes\":[{\"operation\":\"insert_page\",\"title\":\"Large\",\"document\":{\"markdown\":\""
		for (i = 0; n < 9000000; i++)
			n += length(say(piece(i)))
		printf "\"}}]}" }
		function say(s) { printf "%s", s; return s }
		'"$1"
}

common_words() {
	large_document 'function piece(i) {
		return sprintf(i % 20 == 19 ? "\\n\\nA [link](https://example.com/%x/%x). " :
			"Some words like a%x or like b%x and more of them. ", i * 7919 % 10007, i * 104729 % 15013) }'
}

different_words() {
	large_document 'function piece(i) { return sprintf("%x%s", i * 40503 % 4294967296, i % 20 == 19 ? "\\n\\n" : " ") }'
}

# Attackers: each sends its request again and again until $tmp/attack is gone, and merges what it has written.
attack_documents() { attack_content "$1"; }
attack_words() { attack_content "$1"; }

attack_content() {
	while [ -e "$tmp/attack" ]; do
		x_n=$(curl -s -X POST -H "Authorization: Bearer $b_attacker" -H 'Content-Type: application/json' \
			-d '{"subject":"Large"}' "$b_at/$b_theirs/change-requests" | jq -r '.number // empty' 2>/dev/null)
		[ -z "$x_n" ] || for x_what in content merge; do
			curl -s -o "$tmp/attack.out.$1" -w '%{http_code}\n' -X POST -H "Authorization: Bearer $b_attacker" \
				-H 'Content-Type: application/json' --data-binary "@$tmp/$x_what.json" \
				"$b_at/$b_theirs/change-requests/$x_n/$x_what" >>"$tmp/attack.log"
		done
		sleep 0.05
	done
}

attack_duplicates() {
	while [ -e "$tmp/attack" ]; do
		curl -s -o "$tmp/attack.out.$1" -w '%{http_code}\n' -X POST -H "Authorization: Bearer $b_attacker" \
			"$b_at/$b_many/duplicate" >>"$tmp/attack.log"
		sleep 0.05
	done
}

# Each attacker sends a hundred at once.
attack_queries() {
	while [ -e "$tmp/attack" ]; do
		x_n=$((${x_n:-0} + 1))
		curl -s -o /dev/null -w '%{http_code}\n' -H "Authorization: Bearer $b_attacker" \
			"$b_at/$b_many/content/pages?x=$1-$x_n-[1-100]" >>"$tmp/attack.log"
	done
}

# others_p99: milliseconds of all but one percent of a hundred and fifty requests, a third of which write
others_p99() {
	for o_i in $(seq 50); do
		printf 'GET %s\nGET %s\nPOST %s {"body":{"markdown":"One."}}\n' "$b_at/$b_ours/content/pages?o=$o_i" \
			"$b_at/$b_ours" "$b_at/$b_ours/comments"
	done | batch "$b_token" | cut -d ' ' -f 1 | sort -g | awk '{ v[NR] = $1 } END { print v[int(NR * 0.99)] }'
}

# beside ATTACK: three attackers while others_p99 runs. Their clients, which would be other machines,
# take processor time only when the server and the measured client leave some.
beside() {
	: >"$tmp/attack"
	for o_i in 1 2 3; do
		"attack_$1" "$o_i" &
		eval "o_pid$o_i=$!"
		renice -n 19 -p "$!" >/dev/null
	done
	sleep 1
	others_p99
	rm "$tmp/attack"
	wait "$o_pid1" "$o_pid2" "$o_pid3"
}

row_beside() {
	dir=$tmp/beside
	json "$dir" . init --email admin@example.com --name Admin --org Bench >/dev/null
	org=$(jq -r .organization "$tmp/json") b_token=$(jq -r .token "$tmp/json")
	OCTAVO_WORK=50 service "$dir"
	b_at=$base/v1/spaces
	pages_import 2000
	b_many=$space
	pages_import 20
	b_ours=$space
	x_user=$(json "$dir" .user user create --email attacker@example.com --name Attacker)
	b_attacker=$(json "$dir" .token token create --user "$x_user")
	sql "$dir" "INSERT INTO member (org, account, role, joined_at) VALUES ('$org', '$x_user', 6, 0)"
	b_theirs=$(api POST "$base/v1/orgs/$org/spaces" "$b_token" '{"title":"Theirs"}' | jq -r .id)
	common_words >"$tmp/documents.json"
	different_words >"$tmp/words.json"
	echo '{}' >"$tmp/merge.json"
	others_p99 >/dev/null
	for b_attack in documents words duplicates queries; do
		[ ! -e "$tmp/$b_attack.json" ] || ln -f "$tmp/$b_attack.json" "$tmp/content.json"
		: >"$tmp/attack.log"
		b_n=0
		while [ $b_n -lt 3 ]; do
			b_alone=$(others_p99)
			echo "$(beside $b_attack) $b_alone"
			b_n=$((b_n + 1))
		done >"$tmp/measure"
		row "others' p99 beside $b_attack : alone" ms le 5 "$tmp/measure"
		note 'requests of the attacker, against those refused (429)' "$(wc -l <"$tmp/attack.log")" \
			"$(grep -c 429 "$tmp/attack.log")"
	done
	"$octavo" down --dir "$dir" >/dev/null
	rm -rf "$dir" "$tmp/content.json" "$tmp/documents.json" "$tmp/words.json"
}
