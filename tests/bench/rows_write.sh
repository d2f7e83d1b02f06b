# Rows of writing: imports, edits, merges, comments. Names: run.sh.

# ---- git over smart HTTP on loopback ----

# A copy of the repository with a new name for each round, so that no earlier fetch helps.
git_server_start() {
	g_root=$tmp/git g_port=$(free_port)
	mkdir -p "$g_root/run"
	cat >"$g_root/nginx.conf" <<-CONF
		daemon off; pid "$g_root/run/nginx.pid"; error_log "$g_root/nginx.log" warn; $(user_line)
		events { }
		http {
			access_log off; client_body_temp_path "$g_root/run/body"; fastcgi_temp_path "$g_root/run/fastcgi";
			proxy_temp_path "$g_root/run/proxy"; uwsgi_temp_path "$g_root/run/uwsgi"; scgi_temp_path "$g_root/run/scgi";
			server {
				listen 127.0.0.1:$g_port;
				location / {
					fastcgi_param SCRIPT_FILENAME "$(git --exec-path)/git-http-backend";
					fastcgi_param GIT_PROJECT_ROOT "$g_root/repos"; fastcgi_param GIT_HTTP_EXPORT_ALL 1;
					fastcgi_param PATH_INFO \$uri; fastcgi_param QUERY_STRING \$query_string;
					fastcgi_param REQUEST_METHOD \$request_method; fastcgi_param CONTENT_TYPE \$content_type;
					fastcgi_param CONTENT_LENGTH \$content_length; fastcgi_param HTTP_CONTENT_ENCODING \$http_content_encoding;
					fastcgi_param HTTP_GIT_PROTOCOL \$http_git_protocol;
					fastcgi_pass "unix:$g_root/run/cgi.sock";
				}
			}
		}
	CONF
	# One process: with more, fcgiwrap is a parent whose children stay when it is ended.
	fcgiwrap -c 1 -s "unix:$g_root/run/cgi.sock" >"$g_root/fcgiwrap.log" 2>&1 &
	git_cgi=$!
	nginx -e "$g_root/nginx.log" -c "$g_root/nginx.conf" >"$g_root/nginx.out" 2>&1 &
	git_nginx=$!
	git_base=http://127.0.0.1:$g_port
	sleep 0.5
}

user_line() { [ "$(id -u)" -ne 0 ] || echo 'user root;'; }

git_server_stop() {
	[ -n "${git_cgi:-}" ] || return 0
	kill "$git_nginx" "$git_cgi" 2>/dev/null
	wait "$git_nginx" "$git_cgi" 2>/dev/null
	git_cgi=''
}

# import_round NAME URL OPTIONS: milliseconds of the import and of the clone
import_round() {
	i_start=$(now_ms)
	"$octavo" import --dir "$main_dir" --org "$main_org" --title "$1" --url "$2" $3 >"$tmp/imported" 2>&1 ||
		give_up "octavo import: $(cat "$tmp/imported")"
	i_middle=$(now_ms)
	git clone -q "$2" "$tmp/clone" || give_up "git clone $2"
	i_end=$(now_ms)
	rm -rf "$tmp/clone"
	echo "$((i_middle - i_start)) $((i_end - i_middle))"
}

row_import() {
	[ -n "${git_cgi:-}" ] || git_server_start
	for name in fluentd gl-sdk; do
		if [ ! -r "$corpus/$name.bundle" ]; then
			row_skip "import of $name : git clone" 'no corpus'
			continue
		fi
		i_n=0
		while [ $i_n -lt 3 ]; do
			mkdir -p "$g_root/repos/$i_n"
			git clone -q --bare "$corpus/$name.bundle" "$g_root/repos/$i_n/$name.git"
			import_round "$name $i_n" "$git_base/$i_n/$name.git" "$(project_of $name)"
			i_n=$((i_n + 1))
		done >"$tmp/measure"
		row "import of $name : git clone" ms le 2 "$tmp/measure"
	done
}

# ---- change requests ----

# request_new BASE TOKEN SPACE: opens a change request, prints its number
request_new() { api POST "$1/v1/spaces/$3/change-requests" "$2" '{"subject":"Bench"}' | jq -r .number; }

# words N: a page's Markdown of about a thousand bytes, in which one word contains N
words() {
	w_line='Some words that nobody reads, because they are here to be written and measured.'
	w_all=''
	for w_i in 1 2 3 4 5 6; do w_all="$w_all$w_line $w_line\\n\\n"; done
	printf '%s' "$w_all The number $1 is new.\\n"
}

edit() { printf '%s' "{\"changes\":[{\"operation\":\"update_page\",\"page\":\"$1\",\"document\":{\"markdown\":\"$(words "$2")\"}}]}"; }

# edit_ms SIDE N: milliseconds of one edit
edit_ms() {
	eval "e_base=\$$1_base e_token=\$$1_admin e_space=\$$1_space e_number=\$$1_number e_page=\$$1_page"
	printf '%s\n' "POST $e_base/v1/spaces/$e_space/change-requests/$e_number/content $(edit "$e_page" "$2")" |
		batch "$e_token" | cut -d ' ' -f 1
}

# wal_bytes SIDE N: bytes that ten edits write to the log. A single edit writes a dozen database
# pages, and half as many more when a page of a B-tree is full.
wal_bytes() {
	eval "e_dir=\$$1_dir"
	sql "$e_dir" 'PRAGMA wal_checkpoint(TRUNCATE)' >/dev/null
	for e_n in 1 2 3 4 5 6 7 8 9 10; do
		edit_ms "$1" "$2.$e_n" >/dev/null
	done
	stat -c %s "$e_dir/octavo.db-wal"
}

row_edit() {
	for side in big small; do
		eval "e_base=\$${side}_base e_token=\$${side}_admin e_space=\$${side}_space"
		eval "${side}_number=$(request_new "$e_base" "$e_token" "$e_space")"
		eval "${side}_page=$(path_of "$e_base" "$e_space" c0/p50 "$e_token")"
		edit_ms $side 0 >/dev/null
	done
	n=0
	while [ $n -lt $((rounds * 5)) ]; do
		n=$((n + 1))
		echo "$(edit_ms big "$n") $(edit_ms small "$n")"
	done >"$tmp/measure"
	row 'one-word edit in 10,000 pages : in 100' ms le 1.3 "$tmp/measure"
	n=0
	while [ $n -lt "$rounds" ]; do
		n=$((n + 1))
		echo "$(wal_bytes big "w$n") $(wal_bytes small "w$n")" | awk '{ print $1 / 10240, $2 / 10240 }'
	done >"$tmp/measure"
	row 'the same, written to the WAL' kB le 1.3 "$tmp/measure"
}

fifty_pages() {
	f_n=$(request_new "$small_base" "$small_admin" "$small_space")
	f_body=$(words "$f_n")
	f_bytes=${#f_body}
	{
		printf 'POST %s {"changes":[' "$small_base/v1/spaces/$small_space/change-requests/$f_n/content"
		for f_i in $(seq 50); do
			[ "$f_i" -eq 1 ] || printf ,
			printf '{"operation":"insert_page","title":"Page %s of %s","document":{"markdown":"%s"}}' "$f_i" "$f_n" "$(words "$f_i")"
		done
		echo ']}'
	} | batch "$small_admin" | awk '{ print 50000 / $1 }'
}

fifty_rows() { "$build/tests/bench_bare" "$tmp/bare.db" rows 50 "$f_bytes" | awk '{ print 50000 / $1 }'; }

row_batch() {
	f_bytes=$(words 1 | wc -c)
	"$build/tests/bench_bare" "$tmp/bare.db" rows 1 10 >/dev/null
	in_turns fifty_pages fifty_rows
	row '50 pages in one batch : bare rows' '/s' ge 0.2 "$tmp/measure"
}

# merge_ms SIDE: milliseconds to merge a change of ten pages
merge_ms() {
	eval "e_base=\$$1_base e_token=\$$1_admin e_space=\$$1_space m_pages=\$$1_ten"
	m_n=$(request_new "$e_base" "$e_token" "$e_space")
	m_at=$e_base/v1/spaces/$e_space/change-requests/$m_n
	m_changes=''
	for m_page in $m_pages; do
		m_one=$(edit "$m_page" "merge $m_n")
		m_one=${m_one#*[}
		m_changes="$m_changes${m_changes:+,}${m_one%]*}"
	done
	printf 'POST %s {"changes":[%s]}\nPOST %s\n' "$m_at/content" "$m_changes" "$m_at/merge" |
		batch "$e_token" | tail -n 1 | cut -d ' ' -f 1
}
merge_big() { merge_ms big; }
merge_small() { merge_ms small; }

row_merge() {
	for side in big small; do
		eval "e_base=\$${side}_base e_token=\$${side}_admin e_space=\$${side}_space"
		m_pages=$(api GET "$e_base/v1/spaces/$e_space/content/pages" "$e_token" |
			jq -r '[.pages[].pages[]?][20:30][].id' | tr '\n' ' ')
		eval "${side}_ten=\$m_pages"
		merge_ms $side >/dev/null
	done
	# One merge takes a few milliseconds, and one in ten also merges the search index: many turns.
	in_turns merge_big merge_small $((rounds * 8))
	row 'merge of 10 pages into 10,000 : into 100' ms le 1.5 "$tmp/measure"
}

row_comments() {
	text='A comment of a sentence or two, as people write them when they read a page and something is not clear.'
	printf 'wrk.method = "POST"\nwrk.headers["Content-Type"] = "application/json"\nwrk.body = [[{"body":{"markdown":"%s"}}]]\n' \
		"$text" >"$tmp/comment.lua"
	posted() { load 8 "$small_base/v1/spaces/$small_space/comments" "$small_admin" "$tmp/comment.lua"; }
	committed() { "$build/tests/bench_bare" "$tmp/bare.db" commits $((seconds * 1000)) ${#text} 2; }
	in_turns posted committed
	row 'posting a comment, 8 clients : bare transactions' '/s' ge 0.5 "$tmp/measure"
}

# A thousand revisions of one space, by change requests that are merged; sets $v_grown, the bytes that they took.
revisions_make() {
	at=revisions dir=$tmp/revisions
	json "$dir" . init --email admin@example.com --name Admin --org Bench >/dev/null
	v_org=$(jq -r .organization "$tmp/json") v_token=$(jq -r .token "$tmp/json")
	service "$dir"
	v_space=$(api POST "$base/v1/orgs/$v_org/spaces" "$v_token" '{"title":"Much written"}' | jq -r .id)
	v_at=$base/v1/spaces/$v_space
	printf 'POST %s {"subject":"Pages"}\nPOST %s {"changes":[%s]}\nPOST %s\n' "$v_at/change-requests" \
		"$v_at/change-requests/1/content" "$(for i in $(seq 20); do
			echo "{\"operation\":\"insert_page\",\"title\":\"Page $i\",\"document\":{\"markdown\":\"Empty.\"}},"
		done | tr -d '\n' | sed 's/,$//')" "$v_at/change-requests/1/merge" | batch "$v_token" >/dev/null
	v_pages=$(api GET "$v_at/content/pages" "$v_token" | jq -r '.pages[].id')
	v_start=$(database_bytes "$dir")
	i=1
	while [ $i -lt 501 ]; do
		i=$((i + 1))
		v_page=$(echo "$v_pages" | sed -n "$((i % 20 + 1))p")
		printf 'POST %s {"subject":"Edit"}\n' "$v_at/change-requests"
		printf '%s\n' "POST $v_at/change-requests/$i/content $(edit "$v_page" "$i")"
		echo "POST $v_at/change-requests/$i/merge"
	done | batch "$v_token" >/dev/null
	v_grown=$(($(database_bytes "$dir") - v_start))
	"$octavo" down --dir "$dir" >/dev/null
}

row_revisions() {
	revisions_make
	v_body=$(words 100)
	echo "$v_grown $((500 * (${#v_body} - 13)))" | awk '{ print $1 / 1e6, $2 / 1e6 }' >"$tmp/measure"
	row '1,000 revisions: database : page bodies' MB le 3 "$tmp/measure"
}

database_bytes() {
	sql "$1" 'PRAGMA wal_checkpoint(TRUNCATE)' >/dev/null
	stat -c %s "$1/octavo.db"
}

# worst_row PROGRAM WORDS: the construct of Markdown that costs most per byte, compared with plain text
worst_row() {
	"$build/tests/$1" >"$tmp/worst" || give_up "$1"
	read -r w_name w_ms w_plain <"$tmp/worst"
	echo "$w_ms $w_plain" >"$tmp/measure"
	row "$2 ($w_name) : plain text" ms le 20 "$tmp/measure"
}

# The document alone; and writing such a page: prepared, written, merged, indexed, rendered.
row_worst() {
	worst_row bench_worst 'worst construct per byte'
	worst_row bench_worst_write 'worst construct per byte, written'
}

# ---- jobs ----

# pages_repository NAME AWK-ARGUMENTS...: a bare repository below $tmp
pages_repository() {
	j_repo=$tmp/$1.git
	shift
	git init -q --bare -b main "$j_repo"
	awk "$@" | git -C "$j_repo" fast-import --quiet
}

# job_import TITLE URL OPTIONS: by the runner of $j_data; prints the space
job_import() { json "$j_data" .result.space import --org "$j_org" --title "$1" --url "$2" $3; }

# jobs_up: starts a service whose job runner logs the duration of its transactions
jobs_up() {
	j_data=$tmp/jobs
	json "$j_data" . init --email admin@example.com --name Admin --org Bench >/dev/null
	j_org=$(jq -r .organization "$tmp/json") j_token=$(jq -r .token "$tmp/json")
	export OCTAVO_JOB_TIMES=1 OCTAVO_GIT_ROOT="$tmp"
	service "$j_data"
	unset OCTAVO_JOB_TIMES OCTAVO_GIT_ROOT
	j_base=$base
}

# jobs_quiet: waits until no job is left
jobs_quiet() {
	until [ "$(sql "$j_data" "SELECT count(*) FROM job WHERE state IN ('queued', 'running')")" = 0 ]; do sleep 0.2; done
}

# described VERSION: uploads a description of 40,000 operations under 80 tags, and waits for its jobs
described() {
	seq 40000 | jq -cn --arg version "$1" '[inputs] | { openapi: "3.0.3", info: { title: "Large", version: $version },
		paths: (map({ ("/p\(.)"): { get: { operationId: "op\(.)", summary: "Operation \(.)", tags: ["Tag \(. % 80)"],
		responses: { "200": { description: "It" } } } } }) | add) }' >"$tmp/large.json"
	jq -n --rawfile text "$tmp/large.json" '{ source: { text: $text } }' >"$tmp/body"
	curl -sSf -X PUT -H "Authorization: Bearer $j_token" -H 'Content-Type: application/json' -d "@$tmp/body" \
		"$j_base/v1/orgs/$j_org/openapi/large" >/dev/null || give_up 'the description of 40,000 operations'
	jobs_quiet
}

# Pages full of links to headings: imported, imported again with one more page, and exported.
headings_jobs() {
	pages_repository headings -f "$here/links.awk" -v pages=600 -v links=300 -v places=1
	h_space=$(job_import headings "$tmp/headings.git" '')
	rm -rf "$tmp/headings.git"
	pages_repository headings -f "$here/links.awk" -v pages=601 -v links=300 -v places=1
	json "$j_data" .result.space import --org "$j_org" --space "$h_space" --url "$tmp/headings.git" >/dev/null
	git init -q --bare "$tmp/exported.git"
	api POST "$j_base/v1/spaces/$h_space/git/export" "$j_token" \
		"{\"url\":\"file://$tmp/exported.git\",\"ref\":\"refs/heads/main\",\"commitMessage\":\"Bench\"}" >/dev/null
	jobs_quiet
}

# purge_jobs SPACE: purges the space while nothing else runs
purge_jobs() {
	sql "$j_data" "UPDATE space SET deleted_at = 1 WHERE id = '$1'" >/dev/null
	sql "$j_data" "UPDATE schedule SET next_at = 0 WHERE kind = 'purge'" >/dev/null
	OCTAVO_DIR=$j_data OCTAVO_JOB_TIMES=1 "$build/octavo-jobs" --once 2>>"$j_data/log/jobs.log"
}

# The longest time for which a job of each kind kept others from writing: importing a repository of
# the corpus, 1,000 (BENCH_LINK_PAGES) pages with 1,000 links each, and 600 pages with 300 links to
# headings each, imported twice and exported; copying the large space (kind index), two versions of
# a large API description, purging what was deleted, and all jobs that followed.
row_jobs() {
	jobs_up
	if [ -r "$corpus/gl-sdk.bundle" ]; then
		git clone -q --bare "$corpus/gl-sdk.bundle" "$tmp/gl-sdk.git"
		job_import gl-sdk "$tmp/gl-sdk.git" '--project-dir gitbook' >/dev/null
	fi
	headings_jobs
	pages_repository links -f "$here/links.awk" -v pages="${BENCH_LINK_PAGES:-1000}" -v links=1000
	j_space=$(job_import links "$tmp/links.git" '')
	api POST "$j_base/v1/spaces/$j_space/duplicate" "$j_token" >/dev/null
	shows_repository "$tmp/described" large
	job_import described "$tmp/described" '' >/dev/null
	described 1
	described 2
	"$octavo" down --dir "$j_data" >/dev/null
	purge_jobs "$j_space"
	sed -n 's/.*octavo-jobs: \([a-z]*\): longest write transaction \([0-9]*\) us, \([0-9]*\) us of.*/\1 \2 \3/p' "$j_data/log/jobs.log" |
		awk '$2 > most[$1] { most[$1] = $2 } $3 > work[$1] { work[$1] = $3 }
			END { for (k in most) print k, most[k] / 1000, work[k] / 1000 }' | sort >"$tmp/kinds"
	for j_kind in import index openapi export purge; do
		grep -q "^$j_kind " "$tmp/kinds" || give_up "no job of the kind $j_kind said how long it took"
	done
	# Next to it the most processor time of one transaction: what remains on an idle machine.
	while read -r j_kind j_ms j_work; do
		row_print "longest write transaction of a job: $j_kind" "$j_ms ms" "$j_work ms" - '<= 100 ms' \
			"$(awk -v x="$j_ms" 'BEGIN { print (x <= 100 ? "ok" : "MISSED") }')"
	done <"$tmp/kinds"
	rm -rf "$j_data" "$tmp/links.git" "$tmp/headings.git" "$tmp/exported.git" "$tmp/gl-sdk.git" "$tmp/described" "$tmp/large.json" "$tmp/body"
}

# The longest time for which large requests keep others from writing: merging and updating 2,000
# pages, also with a thousand conflicts, and a document of 9 MB, also of words that are all
# different. Next to it the processor time of that transaction: what remains on an idle machine.
row_locks() {
	"$build/tests/bench_locks" 2000 9 "$rounds" >"$tmp/locks" || give_up bench_locks
	while read -r k_name k_ms k_work k_whole; do
		row_print "longest write transaction of a request: $k_name" "$k_ms ms" "$k_work ms" - '<= 100 ms' \
			"$(awk -v x="$k_ms" 'BEGIN { print (x <= 100 ? "ok" : "MISSED") }')"
	done <"$tmp/locks"
}

# fifty_writes: milliseconds of each of fifty comments, one after another
fifty_writes() {
	for w_i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25; do
		printf 'POST %s {"body":{"markdown":"One."}}\nPOST %s {"body":{"markdown":"Two."}}\n' \
			"$j_base/v1/spaces/$j_space/comments" "$j_base/v1/spaces/$j_space/comments"
	done | batch "$j_token" | cut -d ' ' -f 1
}

# A large import, and its cost for others: fifty writes directly after it, compared with fifty before.
row_after_import() {
	jobs_up
	pages_repository few -f "$here/words.awk" -f "$here/pages.awk" -v pages=10
	j_space=$(job_import few "$tmp/few.git" '')
	fifty_writes >/dev/null
	fifty_writes >"$tmp/before"
	pages_repository many -f "$here/words.awk" -f "$here/pages.awk" -v pages="${BENCH_MANY_PAGES:-20000}"
	a_begin=$(date +%s%N)
	job_import many "$tmp/many.git" '' >/dev/null
	a_took=$((($(date +%s%N) - a_begin) / 1000000))
	fifty_writes >"$tmp/after"
	j_wal=$(stat -c %s "$j_data/octavo.db-wal")
	echo "$a_took 15000" >"$tmp/measure"
	row 'import of 20,000 pages : 15 s' ms le 1 "$tmp/measure"
	paste -d ' ' "$tmp/after" "$tmp/before" >"$tmp/measure"
	row 'fifty writes after an import of 20,000 pages : before' ms le 2 "$tmp/measure" \
		"$(at_most "$(sort -g "$tmp/after" | tail -n 1)" 20 'ms the slowest')"
	note 'WAL behind it, kB, against what is kept of it' $((j_wal / 1024)) 8192
	"$octavo" down --dir "$j_data" >/dev/null
	rm -rf "$j_data" "$tmp/few.git" "$tmp/many.git"
}
