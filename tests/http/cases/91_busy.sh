# Reading while others write: another process holds the write lock for longer than any request waits. Readers of a
# site, and people who look at pages below /app, do not wait for it and do not get 503.
[ "$TRANSPORT" = http ] || return 0
. tests/http/views.sh

view_enter admin
view_world 'Busy words' 'A text.'
t 'busy: a site is created' POST /v1/orgs/$ORG/sites admin '{"title":"Busy","spaces":["'$vw_spaces'","'$SPACE'"]}' 201 ''
by_site=$(jq -r .id "$out") by_at=/sites/$ORG_NAME/$(jq -r .basename "$out")
t 'busy: it is published' POST /v1/orgs/$ORG/sites/$by_site/publish admin '' 200 ''
read_at $by_at/
by_page=$(sed -n 's/.*data-page="\([^"]*\)".*/\1/p' "$out" | head -n 1) by_space=$(sed -n 's/.*data-space="\([^"]*\)".*/\1/p' "$out" | head -n 1)
sql "UPDATE session SET used_at = used_at - 2000000"

# answers_at_once NAME STATUS SECONDS: the answer that was read last is no failure, and came soon
answers_at_once() {
	case $2 in
	5* | 000) fail "busy: $1" "$2 after $3 s" ;;
	*) awk -v s="$3" 'BEGIN { exit !(s < 3) }' && pass || fail "busy: $1 comes at once" "$3 s" ;;
	esac
}
# timed PATH ARGUMENTS: reads an address of the site
timed() {
	ti_path=$1
	shift
	code=$(curl -sg -m 30 -o "$out" -w '%{http_code} %{time_total}' "$@" "$base$ti_path")
	answers_at_once "$ti_path" $code
}
"$OCTAVO_BUILD/tests/sql" "$dir/octavo.db" --hold 100000 >"$tmp/hold" &
holder=$!
until [ -s "$tmp/hold" ]; do sleep 0.05; done
for by_path in '' busy-words busy-words.md busy-words/busy-words-below no-such-page '~search?q=text' sitemap.xml llms.txt llms-full.txt robots.txt \
	'~print/' '~picture/' manifest.webmanifest; do
	timed "$by_at/$by_path"
done
timed "$by_at/" -H "Cookie: octavo_share=none"
timed "$by_at/~mcp" -H 'Content-Type: application/json' -d \
	'{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"search","arguments":{"query":"text"}}}'
timed "$by_at/~count" -d "space=$by_space&page=$by_page&event=page_view"
same 'busy: a view of a page is accepted' 204 "${code% *}"
for by_view in $(views_of GET); do
	by_path=$(view_at "$by_view")
	case $by_path in '' | /app/provider/return | */return) continue ;; esac
	by_start=$(date +%s%N)
	pg GET "$by_path"
	answers_at_once "$by_path" "$code" "$(awk -v a="$by_start" -v b="$(date +%s%N)" 'BEGIN { print (b - a) / 1e9 }')"
done
kill $holder 2>/dev/null
wait $holder 2>/dev/null
# The view is counted with the next one that the same worker counts.
by_sent=1 by_counted=0
while [ "$by_counted" != "$by_sent" ] && [ $by_sent -lt 40 ]; do
	read_at "$by_at/~count" -d "space=$by_space&page=$by_page&event=page_view"
	by_sent=$((by_sent + 1)) by_counted=$(sql "SELECT coalesce(sum(n), 0) FROM site_event WHERE site = '$by_site' AND event = 'page_view'")
done
same 'busy: no view is lost' "$by_sent" "$by_counted"
t 'busy: the site is deleted' DELETE /v1/orgs/$ORG/sites/$by_site admin '' 204 ''
view_world_end
