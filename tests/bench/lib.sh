# Shared by the rows of `make bench`: services, measurements, the table.
#
# A measurement is a file of lines "A B", one per round: Octavo's figure and the one that it is
# compared with, measured directly after each other. The table shows the medians of both and the
# median of A/B, so that a busy moment of the machine, which affects both figures of a round or one
# round of many, does not decide a row.

octavo=$build/octavo
rounds=${BENCH_ROUNDS:-5}
seconds=${BENCH_SECONDS:-1}
missed=0

# Works inside a pipe or substitution too, where exit alone would end only that.
give_up() {
	echo "bench: $*" >&2
	kill -TERM $$
	exit 1
}

say() { echo "… $*" >&2; }

now_ms() { date +%s%3N; }

# ---- the table ----

table_line() { printf '%-50s %13s %13s %8s  %-9s %s\n' "$@"; }

table_head() {
	table_line row octavo against ratio target ''
	table_line '' '' '' '' '' '' | tr ' ' '-'
}

# row NAME UNIT RELATION TARGET FILE [VERDICT]: RELATION is ge or le; a VERDICT other than ok also fails the row
row() {
	awk -v unit="$2" -v relation="$3" -v target="$4" -v more="${6:-ok}" '
		function median(v, n,   i, j, x) {
			for (i = 2; i <= n; i++)
				for (j = i; j > 1 && v[j - 1] > v[j]; j--) { x = v[j]; v[j] = v[j - 1]; v[j - 1] = x }
			return n % 2 ? v[(n + 1) / 2] : (v[n / 2] + v[n / 2 + 1]) / 2
		}
		function figure(x) { return sprintf(x < 10 ? "%.2f" : x < 100 ? "%.1f" : "%.0f", x) " " unit }
		NF == 2 && $2 > 0 { n++; a[n] = $1; b[n] = $2; q[n] = $1 / $2 }
		END {
			if (n == 0) exit 1
			x = median(q, n)
			ok = (relation == "ge" ? x >= target : x <= target) && more == "ok"
			printf "%s\n%s\n%.2f\n%s %s\n%s\n", figure(median(a, n)), figure(median(b, n)), x,
				relation == "ge" ? ">=" : "<=", target, ok ? "ok" : more == "ok" ? "MISSED" : "MISSED: " more
		}' "$5" >"$tmp/row" || give_up "$1: nothing was measured"
	{ read -r r_a; read -r r_b; read -r r_ratio; read -r r_target; read -r r_verdict; } <"$tmp/row"
	row_print "$1" "$r_a" "$r_b" "$r_ratio" "$r_target" "$r_verdict"
}

row_print() {
	table_line "$@" | sed 's/ *$//'
	case $6 in MISSED*) missed=$((missed + 1)) ;; esac
}

# note NAME FIGURE FIGURE: a line below a row, without a target
note() { table_line "  $1" "$2" "$3" "$(awk -v a="$2" -v b="$3" 'BEGIN { printf "%.1f", a / b }')" '' '' | sed 's/ *$//'; }

row_skip() { table_line "$1" - - - - "skipped: $2"; }

# The median of the nth column.
median_of() { cut -d ' ' -f "$1" "$2" | sort -g | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

# at_most NUMBER LIMIT UNIT: prints ok, or the excess
at_most() { awk -v x="$1" -v limit="$2" -v unit="$3" 'BEGIN { print x <= limit ? "ok" : x " " unit }'; }

# ---- services ----

# json DIR EXPRESSION ARGUMENTS...: runs octavo with --json and filters its output
json() {
	j_dir=$1 j_want=$2
	shift 2
	"$octavo" "$@" --dir "$j_dir" --json >"$tmp/json" 2>"$tmp/err" ||
		give_up "octavo $*: $(cat "$tmp/err" "$tmp/json")"
	jq -r "$j_want" "$tmp/json"
}

# service DIR: starts it with two workers and without a rate limit; $base is its URL. OCTAVO_WORK: limits of users
service() {
	say "starting $1"
	OCTAVO_GIT_PRIVATE=1 OCTAVO_FETCH_PRIVATE=1 OCTAVO_WORK=${OCTAVO_WORK:-0} "$octavo" up --dir "$1" --port 0 --workers 2 --rate 0 >"$tmp/up" 2>&1 ||
		give_up "octavo up: $(cat "$tmp/up")"
	base=$(json "$1" .url status)
}

sql() {
	s_dir=$1
	shift
	"$build/tests/sql" "$s_dir/octavo.db" "$@" || give_up "sql $*"
}

# api METHOD URL TOKEN [BODY]: prints the response; any other status than 2xx ends the run
api() {
	a_method=$1 a_url=$2 a_token=$3
	set -- -sS -g --fail-with-body -m 300 -X "$a_method" -H "Authorization: Bearer $a_token" "${4:+-d}" "${4:-}"
	[ -n "${10}" ] || set -- "$1" "$2" "$3" "$4" "$5" "$6" "$7" "$8" "$9"
	curl "$@" -H 'Content-Type: application/json' "$a_url" 2>&1 || give_up "$a_method $a_url"
}

# batch TOKEN: sends the requests given by lines "METHOD URL [BODY]" on standard input, one after
# another over one connection; prints a line "MILLISECONDS URL" for each
batch() {
	while read -r b_method b_url b_body; do
		printf '%s\n' silent show-error globoff 'max-time = 300' fail "request = $b_method" "url = \"$b_url\"" \
			"header = \"Authorization: Bearer $1\"" 'output = /dev/null' \
			'write-out = "%{time_total} %{http_code} %{url}\n"'
		[ -z "$b_body" ] || printf 'header = "Content-Type: application/json"\ndata-binary = "%s"\n' \
			"$(printf %s "$b_body" | sed 's/\\/\\\\/g; s/"/\\"/g')"
		echo next
	done | sed '$d' >"$tmp/batch"
	curl -K "$tmp/batch" | awk '
		$2 !~ /^2/ { print "bench: " $2 " from " $3 > "/dev/stderr"; exit 1 }
		{ printf "%.3f %s\n", $1 * 1000, $3 }' || give_up 'a request of a batch failed'
}

# ---- load ----

# load CONNECTIONS URL TOKEN [SCRIPT]: prints requests per second
load() {
	l_n=$1 l_url=$2 l_token=$3
	shift 3
	wrk -t 1 -c "$l_n" -d "${seconds}s" -H "Authorization: Bearer $l_token" ${1:+-s "$1"} ${2:+-H "$2"} \
		"$l_url" >"$tmp/wrk" 2>&1 || give_up "wrk: $(cat "$tmp/wrk")"
	! grep -E 'Non-2xx|Socket errors' "$tmp/wrk" >&2 || give_up "$l_url"
	sed -n 's/^Requests.sec: *//p' "$tmp/wrk"
}

# pool_start DIR COMMAND...: starts the nginx configuration of DIR on another port, in front of
# COMMAND; $pool_base is its URL
pool_start() {
	pool_stop
	o_from=$1 o_dir=$tmp/pool o_port=$(free_port)
	shift
	mkdir -p "$o_dir/run/nginx" "$o_dir/log"
	sed "s#$o_from/\(run\|log\)#$o_dir/\1#g; s#listen 127.0.0.1:[0-9]*#listen 127.0.0.1:$o_port#; /listen \[::1\]/d" \
		"$o_from/run/nginx.conf" >"$o_dir/run/nginx.conf"
	spawn-fcgi -n -s "$o_dir/run/api.sock" -M 0600 -b 4096 -- "$@" >"$tmp/pool.log" 2>&1 &
	pool=$!
	nginx -e "$o_dir/log/nginx.log" -c "$o_dir/run/nginx.conf" >"$tmp/nginx.log" 2>&1 &
	pool_nginx=$!
	pool_base=http://127.0.0.1:$o_port
	o_n=0
	until curl -s -o /dev/null -f "$pool_base/v1/"; do
		o_n=$((o_n + 1))
		[ $o_n -lt 300 ] || give_up "$1 does not answer: $(cat "$tmp/pool.log" "$tmp/nginx.log" "$o_dir/log/nginx.log")"
		sleep 0.1
	done
}

# pool_stop [SIGNAL]
pool_stop() {
	[ -n "${pool:-}" ] || return 0
	kill "$pool_nginx" 2>/dev/null
	kill "-${1:-TERM}" "$pool" 2>/dev/null
	wait "$pool_nginx" "$pool" 2>/dev/null
	pool=''
}

# constant_start DIR ANSWER: as many workers as Octavo has, with the same response each time
constant_start() {
	pool_start "$1" "$(command -v multiwatch)" -f 2 -r 2147483647 -t 1 -s TERM -- "$build/tests/bench_constant" "$2"
}

# header_of TOKEN: the header that sends it; a header stays what it is
header_of() {
	case $1 in *': '*) echo "$1" ;; *) echo "Authorization: Bearer $1" ;; esac
}

# instructions DIR URL TOKEN CONDITION COMMAND...: processor instructions of a worker for one
# request, including libfcgi, without the kernel. Both libfcgi and the worker call FCGX_Finish_r()
# once per request, so each request has two parts in the profile. Counts five requests, but not the
# last one, whose parts may not be written yet. ANEW: another process writes before each,
# so that no kept answer can be used. TOKEN may also be a header with its name, such as a cookie.
instructions() {
	i_dir=$1 i_path=$2 i_token=$3 i_condition=$4
	shift 4
	rm -f "$tmp"/callgrind.*
	OCTAVO_DIR=$i_dir OCTAVO_URL=$main_base OCTAVO_ACCESS_LOG=$tmp/pool/log/api.log pool_start "$i_dir" \
		"$(command -v valgrind)" --tool=callgrind --dump-before=FCGX_Finish_r --callgrind-out-file="$tmp/callgrind" "$@"
	for i_n in 1 2 3 4 5 6 7; do
		[ -z "${ANEW:-}" ] || sql "$i_dir" "INSERT INTO used_flow VALUES (randomblob(16), 0)"
		curl -sS -g -f -o /dev/null -H "$(header_of "$i_token")" ${i_condition:+-H} ${i_condition:+"$i_condition"} \
			"$pool_base$i_path" || give_up "$i_path under valgrind"
	done
	# The parts are written; the constant ignores TERM while it sleeps.
	pool_stop KILL
	i_last=$(ls "$tmp" | grep -c '^callgrind[.]')
	for i_n in 11 10 9 8 7 6 5 4 3 2; do
		cat "$tmp/callgrind.$((i_last - i_n))"
	done | awk '/^totals:/ { sum += $2 } END { print int(sum / 5) }'
}

# A port that is free now.
free_port() {
	while :; do
		f_port=$(shuf -i 20000-29999 -n 1)
		curl -s -o /dev/null "http://127.0.0.1:$f_port/" || [ $? -ne 7 ] || break
	done
	echo "$f_port"
}

# answer_of DIR BASE TOKEN PATH [NAME=VALUE]: the response of octavo-api as a plain CGI program.
# BASE is part of links and therefore of ETags.
answer_of() {
	case $4 in *\?*) n_query=${4#*\?} ;; *) n_query='' ;; esac
	env OCTAVO_DIR="$1" OCTAVO_URL="$2" HTTP_AUTHORIZATION="Bearer $3" REQUEST_URI="$4" QUERY_STRING="$n_query" \
		GATEWAY_INTERFACE=CGI/1.1 REQUEST_METHOD=GET ${5:+"$5"} "$build/octavo-api"
}

# against_constant NAME TARGET DIR BASE TOKEN PATH [ETAG]: 16 clients, Octavo and the constant in
# turn; then the instructions of both, which do not depend on the machine's load
against_constant() {
	g_condition=${7:+If-None-Match: $7}
	answer_of "$3" "$4" "$5" "$6" ${7:+"HTTP_IF_NONE_MATCH=$7"} >"$tmp/answer"
	grep -q "^Status: ${7:+304}" "$tmp/answer" || give_up "$6: $(head -n 1 "$tmp/answer")"
	constant_start "$3" "$tmp/answer"
	: >"$tmp/measure"
	g_n=0
	while [ $g_n -lt "$rounds" ]; do
		echo "$(load 16 "$4$6" "$5" '' "$g_condition") $(load 16 "$pool_base$6" "$5" '' "$g_condition")" >>"$tmp/measure"
		g_n=$((g_n + 1))
	done
	row "$1" '/s' ge "$2" "$tmp/measure"
	g_constant=$(instructions "$3" "$6" "$5" "$g_condition" "$build/tests/bench_constant" "$tmp/answer")
	note 'instructions of a worker for it' "$(instructions "$3" "$6" "$5" "$g_condition" "$build/octavo-api")" "$g_constant"
	note 'where it is made anew' "$(ANEW=1 instructions "$3" "$6" "$5" "$g_condition" "$build/octavo-api")" "$g_constant"
}

# ---- processes ----

# in_turns COMMAND COMMAND [TIMES]: each prints a figure; writes TIMES ($rounds) lines with both
in_turns() {
	t_n=0
	while [ $t_n -lt "${3:-$rounds}" ]; do
		echo "$($1) $($2)"
		t_n=$((t_n + 1))
	done >"$tmp/measure"
}
