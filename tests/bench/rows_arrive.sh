# Rows of imports from other programs and of exports of everything. Names: run.sh.
#
# The figures are pages and revisions of a second of the processor, of the whole command with the programs that it
# starts, beside those that are promised.

# cpu_ms_of COMMAND...: milliseconds of the processor
cpu_ms_of() {
	sh -c '"$@" >/dev/null; times' sh "$@" | awk 'NR == 2 {
		for (i = 1; i <= 2; i++) { split($i, t, /[ms]/); sum += t[1] * 60 + t[2] }
		printf "%d\n", sum * 1000 + 1 }'
}

# arrive_rate PAGES FROM KIND: imports into a new space; prints the pages of each second
arrive_rate() {
	a_ms=$(cpu_ms_of "$octavo" import "$2" --dir "$a_dir" --from "$3" --title Arrived --json)
	a_got=$(sql "$a_dir" "SELECT json_extract(result, '\$.pages') FROM job WHERE kind = 'arrive' AND state = 'done' ORDER BY created_at DESC, id LIMIT 1")
	[ "${a_got:-0}" -ge "$1" ] || give_up "of $1 pages of $3, ${a_got:-none} arrived"
	awk -v n="$a_got" -v ms="$a_ms" 'BEGIN { print n * 1000 / ms }'
}

row_arrive() {
	a_dir=$tmp/arrive
	json "$a_dir" . init --email admin@example.com --name Admin --org Bench >/dev/null
	mkdir -p "$tmp/arrive_md" "$tmp/arrive_html"
	pages_repository arrive -f "$here/words.awk" -f "$here/pages.awk" -v pages=2000
	git -C "$tmp/arrive.git" archive main | tar -x -C "$tmp/arrive_md"
	awk -f "$here/words.awk" -f "$here/pages_html.awk" -v pages=500 -v folder="$tmp/arrive_html"
	rm -f "$tmp/arrive_rates" "$tmp/arrive_rates_html"
	for a_round in $(seq "$rounds"); do
		echo "$(arrive_rate 2000 "$tmp/arrive_md" markdown) 500" >>"$tmp/arrive_rates"
		echo "$(arrive_rate 500 "$tmp/arrive_html" confluence) 150" >>"$tmp/arrive_rates_html"
	done
	row 'import of 2,000 pages of Markdown : promised' '/s' ge 1 "$tmp/arrive_rates"
	row 'import of 500 pages of Confluence : promised' '/s' ge 1 "$tmp/arrive_rates_html"
}

row_leave() {
	[ -d "$tmp/revisions" ] || revisions_make
	rm -f "$tmp/leave_rates"
	for l_round in $(seq "$rounds"); do
		rm -rf "$tmp/leave"
		l_ms=$(cpu_ms_of "$octavo" export "$tmp/leave" --dir "$tmp/revisions" --json)
		l_n=$(git -C "$(ls -d "$tmp"/leave/spaces/*.git)" rev-list --all --count)
		echo "$(awk -v n="$l_n" -v ms="$l_ms" 'BEGIN { print n * 1000 / ms }') 1000" >>"$tmp/leave_rates"
	done
	row 'export of 1,000 revisions : promised' '/s' ge 1 "$tmp/leave_rates"
}
