# Rows of imports from other programs and of exports of everything. Names: run.sh.
#
# Rates are pages and revisions of a second of the processor, of the whole command with the programs that it starts,
# beside those that are promised.

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

# arrive_files PAGES: makes a source of so many pages with three files each; prints its folder
arrive_files() {
	f_to=$tmp/arrive_files_$1
	[ -d "$f_to" ] || { mkdir "$f_to" && awk -f "$here/words.awk" -f "$here/pages_files.awk" -v pages="$1" -v folder="$f_to"; }
	echo "$f_to"
}

# arrive_peak FROM: MB that the largest process of an import had in memory at once, as the kernel counts it
arrive_peak() {
	python3 - "$octavo" import "$1" --dir "$a_dir" --title Arrived --json <<-'PY'
		import resource, subprocess, sys
		subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
		print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024)
	PY
}

row_arrive() {
	a_dir=$tmp/arrive
	json "$a_dir" . init --email admin@example.com --name Admin --org Bench >/dev/null
	mkdir -p "$tmp/arrive_md" "$tmp/arrive_html"
	pages_repository arrive -f "$here/words.awk" -f "$here/pages.awk" -v pages=2000
	git -C "$tmp/arrive.git" archive main | tar -x -C "$tmp/arrive_md"
	awk -f "$here/words.awk" -f "$here/pages_html.awk" -v pages=500 -v folder="$tmp/arrive_html"
	rm -f "$tmp"/arrive_rates* "$tmp/arrive_peaks"
	for a_round in $(seq "$rounds"); do
		echo "$(arrive_rate 2000 "$tmp/arrive_md" markdown) 500" >>"$tmp/arrive_rates"
		echo "$(arrive_rate 500 "$tmp/arrive_html" confluence) 150" >>"$tmp/arrive_rates_html"
		echo "$(arrive_rate 2000 "$(arrive_files 2000)" markdown) 500" >>"$tmp/arrive_rates_files"
		echo "$(arrive_peak "$(arrive_files 5000)") $(arrive_peak "$(arrive_files 500)")" >>"$tmp/arrive_peaks"
	done
	row 'import of 2,000 pages of Markdown : promised' '/s' ge 1 "$tmp/arrive_rates"
	row 'import of 2,000 pages with 3 files each : promised' '/s' ge 1 "$tmp/arrive_rates_files"
	row 'memory of an import of 5,000 pages : of 500' MB le 1.5 "$tmp/arrive_peaks"
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
