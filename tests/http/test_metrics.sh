#!/bin/sh
# GET /v1/metrics: who may read it, its form (OpenMetrics 1.0), and that it counts the responses of
# all workers. Needs OCTAVO_BUILD.
set -u
. tests/http/expect.sh

finish() {
	"$octavo" down --dir "$d" >/dev/null 2>&1
	rm -rf "$tmp"
	ended_early
}
at_exit finish

d=$tmp/data
"$octavo" init --dir "$d" --email a@example.com --name A --org Docs --json >"$tmp/init" || exit 1
admin=$(jq -r .token "$tmp/init") org=$(jq -r .organization "$tmp/init")
"$octavo" up --dir "$d" --port 0 --workers 3 >"$tmp/up" 2>&1 || fail up "$(cat "$tmp/up")"
url=$("$octavo" status --dir "$d" --json | jq -r .url)
status_of() { curl -s -m 30 -o "$tmp/body" -D "$tmp/head" -w '%{http_code}' "$@"; }
with() { status_of -H "Authorization: Bearer $1" "$2"; }
value() { awk -v name="$1" '$1 == name { print $2 }' "$tmp/body"; }

# Only with the metrics token.
same 'metrics without a token answer 401' 401 "$(status_of "$url/v1/metrics")"
same 'metrics answer 404 to an admin' 404 "$(with "$admin" "$url/v1/metrics")"
same 'a metrics token that is none answers 401' 401 "$(with octm_x "$url/v1/metrics")"
expect 'no token can be revoked' 1 'there is no token' "$octavo" metrics token --revoke --dir "$d"
token=$("$octavo" metrics token --dir "$d" --json | jq -r .token)
case $token in octm_*) pass ;; *) fail 'a metrics token begins with octm_' "$token" ;; esac
same 'the metrics token is kept as a hash' '' "$(grep -rl "$token" "$d")"
same 'the hash is readable to its owner alone' 600 "$(stat -c %a "$d/metrics.token")"
same 'the metrics token reads metrics' 200 "$(with "$token" "$url/v1/metrics")"
same 'another metrics token answers 401' 401 "$(with "${token}x" "$url/v1/metrics")"
same 'the metrics token opens nothing else' 404 "$(with "$token" "$url/v1/user")"
same 'the metrics token writes nothing' 404 "$(status_of -H "Authorization: Bearer $token" -H 'Content-Type: application/json' -d '{"title":"x"}' "$url/v1/orgs/$org/spaces")"
octavo_new=$("$octavo" metrics token --dir "$d" --json | jq -r .token)
same 'a new metrics token ends the old one' 401 "$(with "$token" "$url/v1/metrics")"
token=$octavo_new

# Counts 30 responses of three workers, 7 refusals, two pages.
with "$token" "$url/v1/metrics" >/dev/null
before=$(value 'octavo_requests_total{operation="getAuthenticatedUser",status="200"}')
for i in $(seq 30); do with "$admin" "$url/v1/user" >/dev/null; done
for i in $(seq 7); do with nobody "$url/v1/user" >/dev/null; done
status_of "$url/v1/nowhere" >/dev/null
for i in 1 2; do status_of "$url/" >/dev/null; done
same 'metrics are read again' 200 "$(with "$token" "$url/v1/metrics")"
same 'requests are counted by operation' $((${before:-0} + 30)) "$(value 'octavo_requests_total{operation="getAuthenticatedUser",status="200"}')"
[ "$(value 'octavo_requests_total{operation="getAuthenticatedUser",status="401"}')" -ge 7 ] && pass || fail refusals "$(cat "$tmp/body")"
[ "$(value 'octavo_requests_total{operation="none",status="404"}')" -ge 1 ] && pass || fail 'requests without an operation are counted' "$(cat "$tmp/body")"
same 'pages of sites are counted' 2 "$(value 'octavo_requests_total{operation="site",status="200"}')"
[ "$(value octavo_database_bytes)" -eq "$(stat -c %s "$d/octavo.db")" ] && pass || fail 'the size of the database is measured' "$(value octavo_database_bytes)"
same 'late jobs are counted' 0 "$(value octavo_jobs_late)"
grep -qi '^content-type: application/openmetrics-text; version=1.0.0' "$tmp/head" && pass || fail type "$(cat "$tmp/head")"

# The form: each family in one piece, with its type before its samples; histograms add up; "# EOF" ends it.
awk '
	$1 == "#" && $2 == "TYPE" { if ($3 in seen) bad = "twice: " $3; seen[$3] = 1; family = $3; next }
	$1 == "#" && $2 == "EOF" { ended = NR; next }
	$1 == "#" { if ($3 != family) bad = "outside its family: " $0; next }
	{ split($1, part, "{"); if (index(part[1], family) != 1) bad = "outside its family: " $0
	  if (NF != 2 || $2 !~ /^-?[0-9.]+$/) bad = "no sample: " $0
	  if (part[1] ~ /_bucket$/) { op = $1; sub(/.*operation="/, "", op); sub(/".*/, "", op)
	    if (op == last && $2 < n) bad = "a bucket below the one before: " $0; last = op; n = $2 }
	  if (part[1] ~ /_count$/ && $2 != n) bad = "the count is not the last bucket: " $0 }
	END { if (bad == "" && ended != NR) bad = "does not end with # EOF"; print bad; exit bad != "" }' "$tmp/body" >"$tmp/bad" &&
	pass || fail form "$(cat "$tmp/bad")"

# Counts outlive the workers; files of another build are deleted.
sum=$(awk '/^octavo_requests_total\{operation="getAuthenticatedUser"/ { n += $2 } END { print n }' "$tmp/body")
"$octavo" down --dir "$d" >/dev/null
"$octavo" up --dir "$d" --port 0 --workers 1 >"$tmp/up" 2>&1 || fail up "$(cat "$tmp/up")"
url=$("$octavo" status --dir "$d" --json | jq -r .url)
with "$token" "$url/v1/metrics" >/dev/null
same 'counters go on after a restart' "$sum" "$(awk '/^octavo_requests_total\{operation="getAuthenticatedUser"/ { n += $2 } END { print n }' "$tmp/body")"
"$octavo" down --dir "$d" >/dev/null
mv "$d"/run/metrics-api-* "$d/run/metrics-api-00000000"
GATEWAY_INTERFACE=CGI/1.1 REQUEST_METHOD=GET REQUEST_URI=/v1/nowhere QUERY_STRING='' OCTAVO_DIR=$d "$OCTAVO_BUILD/octavo-api" >/dev/null
same 'counters of another build are removed' no "$([ -e "$d/run/metrics-api-00000000" ] && echo yes || echo no)"
"$octavo" up --dir "$d" --port 0 --workers 1 >"$tmp/up" 2>&1 || fail up "$(cat "$tmp/up")"
url=$("$octavo" status --dir "$d" --json | jq -r .url)
expect revoke 0 '' "$octavo" metrics token --revoke --dir "$d"
same 'without a token there are no metrics' 401 "$(with "$token" "$url/v1/metrics")"

# The plain CGI program has counted as well.
token=$("$octavo" metrics token --dir "$d" --json | jq -r .token)
with "$token" "$url/v1/metrics" >/dev/null
[ "$(value 'octavo_requests_total{operation="none",status="404"}')" -eq 1 ] && pass || fail 'plain CGI counts its own request' "$(cat "$tmp/body")"

summary
