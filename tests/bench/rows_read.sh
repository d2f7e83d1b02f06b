# Rows of reading. Each function prints its rows; names: run.sh.

path_of() { api GET "$1/v1/spaces/$2/content/path/$3" "$4" | jq -r .id; }

row_space() {
	against_constant 'GET space, 16 clients, 2 workers' 0.80 "$main_dir" "$main_base" "$main_admin" "/v1/spaces/$main_space"
}

row_page() {
	p_at=/v1/spaces/$main_space/content/page/$(path_of "$main_base" "$main_space" ten "$main_admin")
	p_size=$(api GET "$main_base$p_at" "$main_admin" | wc -c)
	against_constant "GET page as document ($((p_size / 100 * 100)) bytes)" 0.70 "$main_dir" "$main_base" "$main_admin" "$p_at"
	against_constant 'GET page as Markdown' 0.70 "$main_dir" "$main_base" "$main_admin" "$p_at?format=markdown"
}

row_conditional() {
	c_at=/v1/spaces/$main_space/content
	c_tag=$(curl -sI -H "Authorization: Bearer $main_admin" "$main_base$c_at" | tr -d '\r' | sed -n 's/^ETag: //Ip')
	against_constant 'conditional GET of a revision (304)' 0.80 "$main_dir" "$main_base" "$main_admin" "$c_at" "$c_tag"
}

# begin_session: sets n_cookie and n_csrf, headers of a session of the admin.
begin_session() {
	n_link=$(json "$main_dir" .link user reset --user admin@example.com)
	curl -sS --fail-with-body -H 'Content-Type: application/json' \
		-d "{\"link\":\"${n_link#*link=}\",\"password\":\"correct horse battery\"}" "$main_base/v1/sign-in/link" >"$tmp/session" ||
		give_up "a session: $(cat "$tmp/session")"
	n_cookie=$(jq -r '"Cookie: \(.cookie)=\(.secret)"' "$tmp/session") n_csrf=$(jq -r '"X-CSRF-Token: \(.csrf)"' "$tmp/session")
}

# Views below /app against the page as JSON, and a change request of 200 pages.
row_app() {
	begin_session
	v_page=$(path_of "$main_base" "$main_space" ten "$main_admin")
	for v_view in "home view:/app" "page view:/app/spaces/$main_space/pages/$v_page"; do
		: >"$tmp/measure"
		v_n=0
		while [ $v_n -lt "$rounds" ]; do
			echo "$(load 16 "$main_base${v_view#*:}" none '' "$n_cookie") $(load 16 "$main_base/v1/spaces/$main_space/content/page/$v_page" "$main_admin")" \
				>>"$tmp/measure"
			v_n=$((v_n + 1))
		done
		row "${v_view%%:*} : GET page as document" '/s' ge 0.4 "$tmp/measure"
	done
	v_at=/v1/spaces/$main_space/change-requests
	v_id=$(api POST "$main_base$v_at" "$main_admin" '{"subject":"Two hundred pages"}' | jq -r .id)
	for v_n in 1 2 3 4; do
		api POST "$main_base$v_at/$v_id/content" "$main_admin" "$(jq -nc --arg n $v_n '{changes: [range(50) | {operation: "insert_page",
			title: "App \($n) \(.)", document: {markdown: ("Some words that say little.\n\n" * 8)}}]}')" >/dev/null
	done
	: >"$tmp/measure"
	v_n=0
	while [ $v_n -lt "$rounds" ]; do
		curl -sS -f -o /dev/null -w '%{time_total}\n' -H "$n_cookie" "$main_base/app/spaces/$main_space/requests/$v_id" >"$tmp/time" ||
			give_up 'a change request of 200 pages'
		awk '{ print $1 * 1000, 300 }' "$tmp/time" >>"$tmp/measure"
		v_n=$((v_n + 1))
	done
	row 'a change request of 200 pages : 300 ms' ms le 1 "$tmp/measure"
	api PATCH "$main_base$v_at/$v_id" "$main_admin" '{"status":"archived"}' >/dev/null
}

# The same page for the same person, with a session and with a token: where the answer was kept, and where
# it is made anew. Instructions, which do not depend on the machine's load.
row_session() {
	begin_session
	n_at=/v1/spaces/$main_space/content/page/$(path_of "$main_base" "$main_space" ten "$main_admin")
	for ANEW in '' 1; do
		instructions "$main_dir" "$n_at" "$n_cookie" "$n_csrf" "$build/octavo-api" >"$tmp/with" || exit
		echo "$(cat "$tmp/with") $(instructions "$main_dir" "$n_at" "$main_admin" '' "$build/octavo-api")" >"$tmp/measure"
		row "GET page with a session : a token${ANEW:+, made anew}" '' le 1.1 "$tmp/measure"
	done
	ANEW=''
}

# search_figures DIR TITLE WORDS: lines "OCTAVO BARE" in milliseconds
search_figures() {
	i=0
	while [ $i -lt "$rounds" ]; do
		"$build/tests/search_judge" "$1/octavo.db" --bench "$2" "$3" >"$tmp/judge" || give_up "search in $2"
		sed 's/.*bare \([0-9.]*\) ms, search with excerpts \([0-9.]*\) ms.*/\2 \1/' "$tmp/judge"
		i=$((i + 1))
	done
}

row_search() {
	if [ -z "${main_glsdk:-}" ]; then
		row_skip 'search with excerpts, gl-sdk' 'no corpus'
		return
	fi
	# The share of the bare statement in the total time: larger is better.
	search_figures "$main_dir" gl-sdk 'api key' | awk '{ print 1 / $1, 1 / $2 }' >"$tmp/measure"
	row 'search of 2 words with excerpts, gl-sdk : FTS5' '/ms' ge 0.25 "$tmp/measure"
}

row_search_large() {
	search_figures "$big_dir" 'pages 10000' 'lantern harbour' | cut -d ' ' -f 1 >"$tmp/large"
	search_figures "$main_dir" 'pages 660' 'lantern harbour' | cut -d ' ' -f 1 >"$tmp/few"
	paste -d ' ' "$tmp/large" "$tmp/few" | awk '{ print 1 / $1, 1 / $2 }' >"$tmp/measure"
	row 'the same in 10,000 pages : in 660' '/ms' ge 0.7 "$tmp/measure"
}

row_judged() {
	j_line=$(OCTAVO_CORPUS=$corpus sh "$top/tests/search/run" "$build" 2>"$tmp/err" | tail -n 1)
	case $j_line in
	nDCG*)
		j_figure=$(echo "$j_line" | cut -d ' ' -f 2)
		row_print "nDCG@10${j_line#*"$j_figure"}" "$j_figure" - - '>= 0.80' \
			"$(awk -v x="$j_figure" 'BEGIN { print (x >= 0.8 ? "ok" : "MISSED") }')" ;;
	*) row_skip 'nDCG@10' "${j_line:-$(tail -n 1 "$tmp/err")}" ;;
	esac
}

# With the tarball's program, which is linked for short starts.
row_cgi() {
	make -s B="$build" fixed || give_up 'plain CGI'
	answer_of "$main_dir" "$main_base" "$main_admin" "/v1/spaces/$main_space" >"$tmp/answer"
	OCTAVO_DIR=$main_dir HTTP_AUTHORIZATION="Bearer $main_admin" REQUEST_URI="/v1/spaces/$main_space" QUERY_STRING='' \
		GATEWAY_INTERFACE=CGI/1.1 REQUEST_METHOD=GET \
		"$build/tests/bench_spawn" $((rounds * 2)) 100 "$build/fixed/octavo-api" -- "$build/tests/bench_constant" "$tmp/answer" \
		>"$tmp/measure" || give_up 'plain CGI'
	row 'GET space as plain CGI, whole process' 'us' le 4 "$tmp/measure"
	row_cgi_pool
}

# The same with the tarball's octavo.cgi, which passes the request to running workers (cgi/launch.h).
row_cgi_pool() {
	sh tools/tarball.sh "$build" "$tmp/octavo.tar.gz" && tar -C "$tmp" -xzf "$tmp/octavo.tar.gz" || give_up tarball
	cgi() {
		OCTAVO_DIR=$main_dir OCTAVO_POOL=2 HTTP_AUTHORIZATION="Bearer $main_admin" GATEWAY_INTERFACE=CGI/1.1 \
			REQUEST_METHOD=GET REQUEST_URI="/v1/spaces/$main_space" QUERY_STRING='' "$@"
	}
	# The first request starts the workers, which end when the data is deleted.
	cgi "$tmp/octavo/www/octavo.cgi" >/dev/null
	sleep 2
	cgi "$build/tests/bench_spawn" $((rounds * 2)) 100 "$tmp/octavo/www/octavo.cgi" -- "$build/tests/bench_constant" "$tmp/answer" \
		>"$tmp/measure" || give_up 'CGI by workers that stay'
	row 'GET space as CGI by workers that stay' 'us' le 2 "$tmp/measure"
}

# ask DIR TOKEN PATH DIR TOKEN PATH: in this process; $cold: --cold or nothing
ask() { "$build/tests/bench_ask" ${cold:-} $((rounds * 2)) "${runs:-200}" "$@" >"$tmp/measure" || give_up "ask $*"; }

row_growth() {
	for path in c0/p6 c0/p6?format=markdown; do
		ask "$big_dir" "$big_admin" "/v1/spaces/$big_space/content/path/$path" \
			"$small_dir" "$small_admin" "/v1/spaces/$small_space/content/path/$path"
		row "GET $path, 10,000 pages : 100 pages" us le 1.2 "$tmp/measure"
	done
}

# A space of BENCH_SHARED_PAGES (20,000) pages with 24 duplicates, compared with the space alone:
# searching all of them, which share an index, and showing the hits of one, or of all; and the cost
# of a duplicate's page.
row_shared() {
	dir=$tmp/alone
	json "$dir" . init --email admin@example.com --name Admin --org Bench >/dev/null
	org=$(jq -r .organization "$tmp/json") token=$(jq -r .token "$tmp/json")
	pages_import "${BENCH_SHARED_PAGES:-20000}"
	cp -r "$dir" "$tmp/shared"
	h_start=$(database_bytes "$tmp/shared")
	service "$tmp/shared"
	for i in $(seq 24); do echo "POST $base/v1/spaces/$space/duplicate"; done | batch "$token" >/dev/null
	j_data=$tmp/shared
	jobs_quiet
	"$octavo" down --dir "$tmp/shared" >/dev/null
	for path in 'lantern+harbour&limit=1' 'page&limit=1'; do
		runs=20 ask "$tmp/shared" "$token" "/v1/orgs/$org/search?query=$path" "$dir" "$token" "/v1/orgs/$org/search?query=$path"
		row "search $path in 25 spaces that share it : in one" us le 1.5 "$tmp/measure"
	done
	runs=20 ask "$tmp/shared" "$token" "/v1/orgs/$org/search?query=lantern" "$dir" "$token" "/v1/orgs/$org/search?query=lantern"
	note 'with twenty hits of each of the 25 spaces told, us' "$(median_of 1 "$tmp/measure")" "$(median_of 2 "$tmp/measure")"
	h_pages=$(sql "$dir" 'SELECT pages FROM search_space')
	echo "$((($(database_bytes "$tmp/shared") - h_start) / 24)) $((h_pages * 1000))" >"$tmp/measure"
	row 'bytes of a duplicate : 1,000 a page' B le 1 "$tmp/measure"
	rm -rf "$dir" "$tmp/shared"
}

# Pages of four: with both numbers of spaces there is a next page, even for the guest who sees half.
row_lists() {
	for what in spaces collections change-requests; do
		for who in admin half; do list_row $who "$what" "$what?limit=4"; done
	done
	list_row half search 'search?query=lantern+harbour&limit=4'
}

# list_row WHO NAME PATH
list_row() {
	eval "l_big=\$big_$1 l_small=\$small_$1"
	runs=50 ask "$big_dir" "$l_big" "/v1/orgs/$big_org/$3" "$small_dir" "$l_small" "/v1/orgs/$small_org/$3"
	row "list of $2, $1, 1,000 : 10 spaces" us le 1.2 "$tmp/measure" \
		"$(at_most "$(median_of 1 "$tmp/measure" | awk '{ print $1 / 1000 }')" 5 ms)"
}

# The role is cached from the request before; then directly after a change of access, when it must be computed again.
row_check() {
	for cold in '' --cold; do
		ask "$big_dir" "$big_deep" "/v1/spaces/$big_deep_space" "$big_dir" "$big_admin" "/v1/spaces/$big_deep_space"
		if [ -z "$cold" ]; then
			row 'GET space, 200 teams, 10 collections : admin' us le 1.3 "$tmp/measure"
		else
			row 'the same, right after a change of access' us le 5 "$tmp/measure"
		fi
	done
	cold=''
}

# last_of LIST: the query for its last page of fifty; LIST has a query
last_of() {
	m_left=$(api GET "$big_base$1&limit=0" "$big_admin" | jq .count) m_next=''
	while [ "$m_left" -gt 50 ]; do
		m_take=$((m_left > 1050 ? 1000 : m_left - 50))
		m_next=$(api GET "$big_base$1&limit=$m_take$m_next" "$big_admin" | jq -r '"&page=" + .next.page')
		m_left=$((m_left - m_take))
	done
	echo "$1&limit=50$m_next"
}

# members_row NAME LIST
members_row() {
	m_last=$(last_of "$2")
	runs=10 ask "$big_dir" "$big_admin" "$m_last" "$big_dir" "$big_admin" "$2&limit=50"
	row "10,000 members, $1, last page : first" us le 1.3 "$tmp/measure"
}

row_members() {
	members_row all "/v1/orgs/$big_crowd/members?order=desc"
	members_row guests "/v1/orgs/$big_crowd/members?role=guest"
	members_row 'by last seen' "/v1/orgs/$big_crowd/members?sort=lastSeenAt"
	members_row search "/v1/orgs/$big_crowd/members?search=ber1"
	members_row 'who can read' "/v1/spaces/$big_crowd_space/permissions/aggregate?role=read"
}

# The largest worker's resident memory in kB.
worker_memory() {
	for pid in $(json "$main_dir" '.processes[] | select(.name == "api").workers[]' status); do
		sed -n 's/^VmRSS:[[:space:]]*\([0-9]*\).*/\1/p' "/proc/$pid/status"
	done | sort -n | tail -n 1
}

# mixed COUNT: sends at least COUNT requests of every kind, from eight clients
mixed() {
	x_done=0
	while [ $x_done -lt "$1" ]; do
		load 8 "$main_base" "$main_admin" "$tmp/mixed.lua" >/dev/null
		x_done=$((x_done + $(sed -n 's/^ *\([0-9]*\) requests in.*/\1/p' "$tmp/wrk")))
	done
}

# mixed.lua: requests of every kind for wrk.
row_memory_lua() {
	s=/v1/spaces/$main_space
	page=$(path_of "$main_base" "$main_space" ten "$main_admin")
	cat >"$tmp/mixed.lua" <<-LUA
		local paths = { "/v1/user", "/v1/orgs", "/v1/orgs/$main_org/spaces", "/v1/orgs/$main_org/members",
			"$s", "$s/content/page/$page", "$s/content/page/$page?format=markdown", "$s/content/path/c0/p7",
			"$s/search?query=lantern+harbour", "$s/content/files", "$s/change-requests", "$s/comments",
			"$s/content/path/c1/p108", "/v1/orgs/$main_org/teams", "/v1/orgs/$main_org/audit-events" }
		local n = 0
		request = function()
			n = n + 1
			if n % 500 == 0 then return wrk.format("GET", "$s/content/pages") end
			if n % 20 == 0 then
				return wrk.format("POST", "$s/comments", { ["Content-Type"] = "application/json",
					["Authorization"] = "Bearer $main_admin" }, '{"body":{"markdown":"A few words."}}')
			end
			return wrk.format("GET", paths[n % #paths + 1])
		end
	LUA
}

row_memory() {
	row_memory_lua
	"$octavo" reload --dir "$main_dir" >/dev/null 2>&1
	mixed 25000
	half=$(worker_memory)
	mixed 25000
	whole=$(worker_memory)
	echo "$whole $half" | awk '{ print $1 / 1024, $2 / 1024 }' >"$tmp/measure"
	row 'memory of a worker, 50,000 requests : 25,000' MB le 1.05 "$tmp/measure" \
		"$(at_most "$(echo "$whole $half" | awk '{ printf "%.1f", ($1 > $2 ? $1 : $2) / 1024 }')" 12 MB)"
}

# A page of half a megabyte, and an equally large change of it, among the mixed requests.
large_page() {
	api POST "$main_base/v1/spaces/$main_space/change-requests" "$main_admin" '{"subject":"Large"}' >"$tmp/large.request"
	x_request=/v1/spaces/$main_space/change-requests/$(jq -r .number "$tmp/large.request")/content
	x_text=$(awk 'BEGIN { for (i = 0; i < 8000; i++) printf "Paragraph %d of *words* and a [link](https://example.com/%d).\\n\\n", i, i }')
	printf '{"changes":[{"operation":"insert_page","title":"Large","document":{"markdown":"%s"}}]}' "$x_text" >"$tmp/large.json"
	curl -sS --fail-with-body -o "$tmp/large.page" -H "Authorization: Bearer $main_admin" -H 'Content-Type: application/json' \
		--data-binary "@$tmp/large.json" "$main_base$x_request?compat=false" || give_up 'a large page'
	x_page=$(jq -r '.changes[0].page.id' "$tmp/large.page")
	printf '{"changes":[{"operation":"update_page","page":"%s","document":{"markdown":"%s"}}]}' "$x_page" "$x_text" >"$tmp/large.json"
}

# large_count: number of successful requests of large.lua so far
large_count() { grep -cE ' (updateChangeRequestContent|getPageInChangeRequestById) 200 ' "$main_dir/log/requests.log"; }

# One in 2,000 requests needs a worker's memory for a large page: the memory must be returned.
row_memory_large() {
	row_memory_lua
	large_page
	cat >"$tmp/large.lua" <<-LUA
		local many = request
		local file = io.open("$tmp/large.json")
		local body = file:read("*a")
		-- Each run is of a second: where it begins to count is left to chance.
		math.randomseed(tonumber(tostring({}):match("0x(%x+)"), 16))
		local k = math.random(4000)
		request = function()
			k = k + 1
			if k % 4000 == 0 then
				return wrk.format("POST", "$x_request", { ["Content-Type"] = "application/json",
					["Authorization"] = "Bearer $main_admin" }, body)
			end
			if k % 4000 == 2000 then return wrk.format("GET", "$x_request/page/$x_page") end
			return many()
		end
	LUA
	x_count=${BENCH_MIXED:-100000}
	"$octavo" reload --dir "$main_dir" >/dev/null 2>&1
	mixed "$x_count"
	x_without=$(worker_memory)
	cat "$tmp/large.lua" >>"$tmp/mixed.lua"
	"$octavo" reload --dir "$main_dir" >/dev/null 2>&1
	x_large=$(large_count)
	mixed "$x_count"
	x_large=$(($(large_count) - x_large))
	[ $x_large -ge $((x_count / 4000)) ] || give_up "$x_large large requests among $x_count"
	echo "$(worker_memory) $x_without" | awk '{ print $1 / 1024, $2 / 1024 }' >"$tmp/measure"
	row 'memory after 100,000 requests with large : without' MB le 1.5 "$tmp/measure"
}

# An API description of 13 MB, compared with parsing it by cJSON alone: processor time, peak memory.
# It comes from npm and stays in $build/specs.
row_openapi() {
	o_package=@octokit/openapi@23.0.2
	o_dir=$build/specs/$o_package
	[ -d "$o_dir/package" ] || { mkdir -p "$o_dir" && (cd "$o_dir" && npm pack --silent "$o_package" >/dev/null 2>&1 && tar xzf ./*.tgz && rm -f ./*.tgz); } ||
		rm -rf "$o_dir"
	o_file=$o_dir/package/generated/api.github.com.json
	[ -f "$o_file" ] || { row_skip 'API description of 13 MB' 'the registry of npm does not answer'; return; }
	: >"$tmp/openapi"
	i=0
	while [ $i -lt "$rounds" ]; do
		o_ours=$("$build/tests/bench_openapi" "$o_file" process) || give_up openapi "$o_ours"
		echo "$o_ours $("$build/tests/bench_openapi" "$o_file" cjson)" >>"$tmp/openapi"
		i=$((i + 1))
	done
	awk '{ print $1 / 1000, $3 / 1000 }' "$tmp/openapi" >"$tmp/measure"
	row 'API description of 13 MB : cJSON' ms le 4 "$tmp/measure"
	awk '{ print $2 / 1024, $4 / 1024 }' "$tmp/openapi" >"$tmp/measure"
	row 'API description of 13 MB : cJSON, memory' MiB le 3 "$tmp/measure"
}

# shows_repository FOLDER SPEC: makes a repository with a page that shows an API description
shows_repository() {
	git init -q -b main "$1"
	printf '# API\n' >"$1/README.md"
	printf '# Table of contents\n\n* [API](README.md)\n* ```yaml\n  type: builtin:openapi\n  props:\n    models: false\n  dependencies:\n    spec:\n      ref:\n        kind: openapi\n        spec: %s\n  ```\n' "$2" >"$1/SUMMARY.md"
	git -C "$1" add -A && git -C "$1" -c user.name=b -c user.email=b@example.com commit -qm tree
}

# A tree of a thousand operations, each on a separate page, compared with as many written pages.
row_computed() {
	dir=$main_dir org=$main_org
	c_repo=$tmp/computed.git
	seq 1000 | jq -cn '[inputs] | { openapi: "3.0.3", info: { title: "Overview", version: "1" }, tags: map({ name: "Tag \(.)" }),
		paths: (map({ ("/p\(.)"): { get: { operationId: "op\(.)", summary: "Operation \(.)", tags: ["Tag \(.)"],
		responses: { "200": { description: "It" } } } } }) | add) }' >"$tmp/thousand.json"
	jq -n --rawfile text "$tmp/thousand.json" '{ source: { text: $text } }' >"$tmp/body"
	curl -sSf -X PUT -H "Authorization: Bearer $main_admin" -H 'Content-Type: application/json' -d "@$tmp/body" \
		"$main_base/v1/orgs/$main_org/openapi/thousand" >/dev/null || give_up 'the description of 1,000 operations'
	c_left=300
	while [ "$(api GET "$main_base/v1/orgs/$main_org/openapi/thousand" "$main_admin" | jq -r .processingState)" != complete ]; do
		c_left=$((c_left - 1))
		[ $c_left -gt 0 ] || give_up 'the description is not processed'
		sleep 0.1
	done
	shows_repository "$c_repo" thousand
	c_space=$(json "$dir" .result.space import --org "$main_org" --title computed --url "$c_repo")
	pages_import 1001
	c_ours=$(api GET "$main_base/v1/spaces/$c_space/content/pages" "$main_admin" | jq '[.. | objects | select(.type? == "document")] | length')
	[ "$c_ours" -ge 1001 ] || give_up "1,000 operations make $c_ours pages"
	runs=5 ask "$main_dir" "$main_admin" "/v1/spaces/$c_space/content/pages" \
		"$main_dir" "$main_admin" "/v1/spaces/$space/content/pages"
	row 'GET pages, 1,000 operations : 1,001 pages' us le 1.5 "$tmp/measure"
}
