#!/bin/sh
# make soak: 50,000 mixed requests (or OCTAVO_SOAK), reads and writes, through nginx and two
# workers. Memory and descriptors of the workers are measured after the first fifth and at the end:
# they must not grow by more than a tenth, and no response may be a 5xx. Needs wrk (tools/deps.sh
# bench).
set -u
cd "$(dirname "$0")/.." || exit 2
OCTAVO_BUILD=$(cd "${OCTAVO_BUILD:-build}" && pwd) || exit 2
TRANSPORT=http WORKERS=2 wanted=${OCTAVO_SOAK:-50000}
export OCTAVO_BUILD
. tests/http/lib.sh
fixture_start --rate 0

cat >"$tmp/mix.lua" <<-END
	local n = 0
	local auth = { ["Authorization"] = "Bearer $(token_of admin)", ["Content-Type"] = "application/json" }
	local gets = { "", "/content", "/content/pages", "/content/page/$PAGE", "/content/page/$PAGE?format=markdown",
		"/content/files", "/content/path/guide/set-up", "/search?query=guide", "/links", "/change-requests",
		"/comments", "/git/info", "/content/page/nope", "/revisions/$REV_OLD" }
	request = function()
		n = n + 1
		if n % 29 == 0 then
			return wrk.format("PATCH", "/v1/spaces/$SPACE", auth, '{"title":"Soak ' .. n .. '"}')
		elseif n % 97 == 0 then
			return wrk.format("POST", "/v1/spaces/$SPACE/comments", auth, '{"body":{"markdown":"soak"}}')
		elseif n % 31 == 0 then
			return wrk.format("GET", "/v1/orgs/$ORG/spaces", auth)
		end
		return wrk.format("GET", "/v1/spaces/$SPACE" .. gets[n % #gets + 1], auth)
	end
	response = function(status) if status >= 500 then bad = (bad or 0) + 1 end end
END

workers() { "$octavo" status --dir "$dir" --json | jq -r '.processes[] | select(.name == "api").workers[]'; }
memory() { for pid in $(workers); do sed -n 's/^VmRSS:[[:space:]]*\([0-9]*\).*/\1/p' "/proc/$pid/status"; done | sort -n | tail -n 1; }
descriptors() { for pid in $(workers); do find "/proc/$pid/fd" -mindepth 1 | wc -l; done | sort -n | tail -n 1; }

# run COUNT: sends at least this many requests
run() {
	done_now=0
	while [ $done_now -lt "$1" ]; do
		wrk -t 1 -c 8 -d 5 -s "$tmp/mix.lua" "$base" >"$tmp/wrk" || give_up wrk "$(cat "$tmp/wrk")"
		part=$(sed -n 's/^ *\([0-9]*\) requests in.*/\1/p' "$tmp/wrk")
		[ "${part:-0}" -gt 0 ] || give_up wrk "$(cat "$tmp/wrk")"
		done_now=$((done_now + part))
	done
	total=$((${total:-0} + done_now))
}

started=$(workers | tr '\n' ' ')
run $((wanted / 5))
m1=$(memory) d1=$(descriptors)
run $((wanted - wanted / 5))
m2=$(memory) d2=$(descriptors)
echo "soak: $total requests; largest worker $m1 kB, $d1 descriptors after a fifth; $m2 kB, $d2 descriptors at the end"
same 'the same workers' "$started" "$(workers | tr '\n' ' ')"
yes 'memory is flat' test "$m2" -le $((m1 + m1 / 10 + 256))
yes 'descriptors are flat' test "$d2" -le "$d1"
same 'no 5xx' 0 "$(awk '$5 >= 500' "$dir/log/requests.log" | wc -l)"
yes 'octavo check' "$octavo" check --dir "$dir"
summary
