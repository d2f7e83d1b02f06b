# Rows of PostgreSQL against SQLite, with the same data. Names: run.sh. The server syncs its log, as the file does.

postgres_stop() {
	[ -n "${postgres:-}" ] || return 0
	for q_at in "$tmp/pg_file" "$tmp/pg_server"; do
		[ ! -d "$q_at" ] || "$octavo" down --dir "$q_at" >/dev/null 2>&1
	done
	kill "$postgres"
	wait "$postgres" 2>/dev/null
	postgres=''
}

# service_on DATABASE DIR WORKERS: starts it; DATABASE is empty, or an address
service_on() {
	OCTAVO_EXPERIMENTAL_POSTGRES=1 OCTAVO_DB=$1 OCTAVO_WORK=0 "$octavo" up --dir "$2" --port 0 --workers "$3" --rate 0 >"$tmp/up" 2>&1 ||
		give_up "octavo up: $(cat "$tmp/up")"
	base=$(OCTAVO_EXPERIMENTAL_POSTGRES=1 OCTAVO_DB=$1 "$octavo" status --dir "$2" --json | jq -r .url)
}

# Two copies of the same data: in a file, and on a server. Sets pg_url, pg_file_base, pg_server_base.
postgres_start() {
	at=postgres
	if [ ! -e "$data/postgres/ready" ]; then
		data_new postgres
		pages_new 660
		touch "$data/postgres/ready"
	fi
	. "$data/postgres/facts"
	cp -a "$data/postgres" "$tmp/pg_file"
	cp -a "$data/postgres" "$tmp/pg_server"
	POSTGRES_SYNC=1 sh "$top/tests/postgres/server.sh" sh -c 'echo "$POSTGRES_LOG" >"$1"; echo "$OCTAVO_TEST_DB" >"$0"; exec sleep 100000' "$tmp/pg_url" "$tmp/pg_log" >"$tmp/pg.log" 2>&1 &
	postgres=$!
	q_n=0
	until [ -s "$tmp/pg_url" ]; do
		q_n=$((q_n + 1))
		[ $q_n -lt 300 ] || give_up "PostgreSQL: $(cat "$tmp/pg.log")"
		sleep 0.1
	done
	pg_url=$(cat "$tmp/pg_url")
	OCTAVO_EXPERIMENTAL_POSTGRES=1 "$octavo" migrate --dir "$tmp/pg_server" --to "$pg_url" >"$tmp/migrate" 2>&1 || give_up "$(cat "$tmp/migrate")"
	service_on "$pg_url" "$tmp/pg_server" 2
	pg_server_base=$base
	OCTAVO_EXPERIMENTAL_POSTGRES=1 OCTAVO_DB=$pg_url "$octavo" jobs --wait --dir "$tmp/pg_server" >"$tmp/wait" 2>&1 || give_up "$(cat "$tmp/wait")"
	psql -q -d "$pg_url" -c 'ANALYZE'
	service_on '' "$tmp/pg_file" 2
	pg_file_base=$base
}

# requests_new BASE: the numbers of 16 change requests, for a Lua table
requests_new() {
	for e_n in $(seq 16); do request_new "$1" "$postgres_admin" "$postgres_space"; done | paste -sd ,
}

# postgres_writes BASE FILE: a script of wrk that makes pages; each client writes in a change request of its own
postgres_writes() {
	cat >"$2" <<-LUA
		local n, requests = 0, { $(requests_new "$1") }
		request = function()
			n = n + 1
			return wrk.format("POST", "/v1/spaces/$postgres_space/change-requests/" .. requests[n % 16 + 1] .. "/content", { ["Content-Type"] = "application/json",
				["Authorization"] = "Bearer $postgres_admin" },
				'{"changes":[{"operation":"insert_page","title":"Page ' .. n .. '","document":{"markdown":"A few words."}}]}')
		end
	LUA
}

# tag_of BASE PATH
tag_of() { curl -sI -H "Authorization: Bearer $postgres_admin" "$1$2" | tr -d '\r' | sed -n 's/^ETag: //Ip'; }

# scripted CLIENTS BASE SCRIPT: requests per second that succeeded; others met one another too often, which is no error here
scripted() {
	wrk -t 1 -c "$1" -d "${seconds}s" -s "$3" "$2" >"$tmp/wrk" 2>&1 || give_up "wrk: $(cat "$tmp/wrk")"
	awk '/requests in/ { n = $1 } /Non-2xx/ { bad = $NF } /^Requests.sec/ { r = $2 } END { print r * (n - bad) / n }' "$tmp/wrk"
}

# postgres_row NAME PATH [HEADER_SERVER HEADER_FILE]: 16 clients
postgres_row() {
	: >"$tmp/measure"
	q_n=0
	while [ $q_n -lt "$rounds" ]; do
		echo "$(load 16 "$pg_server_base$2" "$postgres_admin" '' "${3:-}") $(load 16 "$pg_file_base$2" "$postgres_admin" '' "${4:-}")" >>"$tmp/measure"
		q_n=$((q_n + 1))
	done
	row "$1, PostgreSQL : SQLite" '/s' ge 0.4 "$tmp/measure"
}

# postgres_create CLIENTS
postgres_create() {
	: >"$tmp/measure"
	q_n=0
	while [ $q_n -lt "$rounds" ]; do
		echo "$(scripted "$1" "$pg_server_base" "$tmp/server.lua") $(scripted "$1" "$pg_file_base" "$tmp/file.lua")" >>"$tmp/measure"
		q_n=$((q_n + 1))
	done
	row "create page, clients: $1, PostgreSQL : SQLite" '/s' ge 0.4 "$tmp/measure"
}

# trips NAME METHOD PATH [BODY] [HEADER]: statements that the server runs for one request in the steady state: where the
# answer was kept, and where another connection has committed since. Each is a round trip, unless db_ahead() sent it.
trips() {
	q_name=$1 q_method=$2 q_path=$3 q_body=$4 q_header=${5:-}
	set --
	for q_anew in '' 1; do
		q_before=0
		# The first requests prepare statements, in each of two workers.
		for q_n in $(seq 36); do
			[ "$q_n" != 17 ] || q_before=$(trips_logged)
			[ -z "$q_anew" ] || psql -q -d "$pg_url" -c "UPDATE bench SET n = n + 1"
			curl -sS -g -o /dev/null -X "$q_method" -H "Authorization: Bearer $postgres_admin" ${q_header:+-H} ${q_header:+"$q_header"} \
				${q_body:+-H} ${q_body:+'Content-Type: application/json'} ${q_body:+-d} ${q_body:+"$q_body"} "$pg_server_base$q_path"
		done
		set -- "$@" "$(awk -v a="$(trips_logged)" -v b="$q_before" 'BEGIN { printf "%.1f", (a - b) / 20 }')"
	done
	table_line "  statements: $q_name" "$1" "$2" '' '' '' | sed 's/ *$//'
}

# Without those of psql.
trips_logged() { grep -cE '^\[unknown\]:LOG:  (statement|execute)' "$(cat "$tmp/pg_log")"; }

postgres_trips() {
	service_on "$pg_url" "$tmp/pg_server" 2
	pg_server_base=$base
	psql -q -d "$pg_url" -c 'CREATE TABLE bench (n bigint)' -c 'INSERT INTO bench VALUES (0)' -c "ALTER SYSTEM SET log_statement = 'all'" \
		-c "ALTER SYSTEM SET log_line_prefix = '%a:'" -c 'SELECT pg_reload_conf()' >/dev/null
	sleep 1
	q_request=$(request_new "$pg_server_base" "$postgres_admin" "$postgres_space")
	q_tag=$(tag_of "$pg_server_base" "$q_content")
	table_line 'statements of PostgreSQL for one request' 'kept' 'made anew' '' '' '' | sed 's/ *$//'
	trips 'GET space' GET "/v1/spaces/$postgres_space" ''
	trips 'GET page as document' GET "$q_page" ''
	trips 'conditional GET of a revision (304)' GET "$q_content" '' "If-None-Match: $q_tag"
	trips 'search of two words' GET "$q_search" ''
	trips 'create page' POST "/v1/spaces/$postgres_space/change-requests/$q_request/content" \
		'{"changes":[{"operation":"insert_page","title":"Trip","document":{"markdown":"A few words."}}]}'
	trips 'comment' POST "/v1/spaces/$postgres_space/comments" '{"body":{"markdown":"A few words."}}'
}

# ---- more workers ----

# Of twenty requests: sixteen documents, two searches, a comment, and a page in a request of the connection's own.
postgres_mixed() {
	q_pages=$(api GET "$pg_server_base/v1/spaces/$postgres_space/content/pages" "$postgres_admin" | jq -r '[.. | objects | select(.type? == "document") | .id] | .[0:50] | map("\"" + . + "\"") | join(",")')
	cat >"$tmp/mixed_pg.lua" <<-LUA
		local s, n, pages, requests = "/v1/spaces/$postgres_space", 0, { $q_pages }, { $q_requests }
		local head = { ["Content-Type"] = "application/json", ["Authorization"] = "Bearer $postgres_admin" }
		request = function()
			n = n + 1
			if n % 20 == 7 then
				return wrk.format("POST", s .. "/comments", head, '{"body":{"markdown":"A few words."},"page":"' .. pages[n % #pages + 1] .. '"}')
			elseif n % 20 == 13 then
				return wrk.format("POST", s .. "/change-requests/" .. requests[n % #requests + 1] .. "/content", head,
					'{"changes":[{"operation":"insert_page","title":"Page ' .. n .. '","document":{"markdown":"A few words."}}]}')
			elseif n % 10 == 1 then
				return wrk.format("GET", s .. "/search?query=lantern%20harbour", head)
			end
			return wrk.format("GET", s .. "/content/page/" .. pages[n * 7 % #pages + 1], head)
		end
	LUA
}

# Clock ticks that the workers have used.
ticks_of() {
	for k_pid in $(OCTAVO_EXPERIMENTAL_POSTGRES=1 OCTAVO_DB=$pg_url "$octavo" status --dir "$tmp/pg_server" --json |
		jq -r '.processes[] | select(.name == "api").workers[]'); do
		sed 's/.*) //' "/proc/$k_pid/stat"
	done | awk '{ n += $12 + $13 } END { print n }'
}

# cpu_with WORKERS: microseconds of the workers' processors for one request of the mixed load
cpu_with() {
	"$octavo" down --dir "$tmp/pg_server" >/dev/null 2>&1
	service_on "$pg_url" "$tmp/pg_server" "$1"
	scripted 8 "$base" "$tmp/mixed_pg.lua" >/dev/null
	k_log=$tmp/pg_server/log/requests.log k_lines=$(wc -l <"$tmp/pg_server/log/requests.log") k_before=$(ticks_of)
	scripted 8 "$base" "$tmp/mixed_pg.lua" >/dev/null
	k_used=$(($(ticks_of) - k_before)) k_requests=$(($(wc -l <"$k_log") - k_lines))
	[ "$1" = 1 ] || tail -n "$k_requests" "$k_log" >>"$tmp/mixed.log"
	awk -v t="$k_used" -v hz="$(getconf CLK_TCK)" -v n="$k_requests" 'BEGIN { print t / hz * 1e6 / n }'
}

postgres_cpu() {
	q_requests=$(requests_new "$pg_server_base")
	postgres_mixed
	: >"$tmp/mixed.log"
	: >"$tmp/measure"
	q_n=0
	while [ $q_n -lt "$rounds" ]; do
		echo "$(cpu_with 4) $(cpu_with 1)" >>"$tmp/measure"
		q_n=$((q_n + 1))
	done
	row 'mixed load on PostgreSQL, 4 workers : 1, processor' us le 1.1 "$tmp/measure"
	awk '{ n++ } / again=[0-9]+$/ { sub(/.*=/, ""); a += $0 } END { print a + 0, n }' "$tmp/mixed.log" >"$tmp/measure"
	row 'transactions run again : requests' '' le 0.01 "$tmp/measure"
}

row_postgres() {
	if [ ! -x /usr/lib/postgresql/15/bin/postgres ]; then
		row_skip 'PostgreSQL : SQLite' 'PostgreSQL 15 is not installed'
		return
	fi
	postgres_start
	q_page=/v1/spaces/$postgres_space/content/page/$(path_of "$pg_file_base" "$postgres_space" ten "$postgres_admin")
	q_content=/v1/spaces/$postgres_space/content
	q_search="/v1/spaces/$postgres_space/search?query=lantern%20harbour"
	q_tag=$(tag_of "$pg_server_base" "$q_content")
	postgres_row 'GET space' "/v1/spaces/$postgres_space"
	postgres_row 'GET page as document' "$q_page"
	postgres_row 'conditional GET of a revision (304)' "$q_content" "If-None-Match: $q_tag" \
		"If-None-Match: $(tag_of "$pg_file_base" "$q_content")"
	postgres_row 'search of two words' "$q_search"
	postgres_writes "$pg_server_base" "$tmp/server.lua"
	postgres_writes "$pg_file_base" "$tmp/file.lua"
	postgres_create 1
	postgres_create 4
	postgres_cpu
	postgres_trips
	postgres_stop
}
