# Events on a site: counted by day, page and kind, and nothing else of them kept.
SO=/v1/orgs/$ORG
one=$(space_empty One) two=$(space_empty Two)
space_write $one '{"changes":[{"operation":"insert_page","title":"A","document":{"markdown":"A."}},{"operation":"insert_page","title":"B","document":{"markdown":"B."}}]}'
p1=$(jq -r '[.changes[].page.id] | sort[0]' "$tmp/written") p2=$(jq -r '[.changes[].page.id] | sort[1]' "$tmp/written")
space_write $two '{"changes":[{"operation":"insert_page","title":"C","document":{"markdown":"C."}}]}'
p3=$(jq -r '.changes[0].page.id' "$tmp/written")
t 'insights: a site' POST $SO/sites admin '{"title":"Counted","spaces":["'$one'"]}' 201 ''
W=$SO/sites/$(jq -r .id "$out") site=$(jq -r .id "$out")
E=$W/insights/events
get $W/site-spaces admin
a=$(jq -r '.items[0].id' "$out")
# what KIND SITE_SPACE PAGE MORE: an event, as the published client sends it
what() {
	printf '{"type":"%s","session":{"visitorId":"Quillwraith","sessionId":"s","cookies":{"k":"Quillwraith"},"ip":"192.0.2.7","userAgent":"Quillwraith","language":"en","referrer":"https://quillwraith.example/"},"location":{"url":"https://docs.example/Quillwraith","displayContext":"site","siteSection":null,"siteSpace":%s,"siteShareKey":null,"space":null,"revision":null,"page":%s}%s}' "$1" "$2" "$3" "${4-}"
}
t 'not published' POST $E admin "{\"events\":[$(what page_view null null)]}" 404 ''
t 'published' POST $W/publish admin '' 200 ''
t 'accepted' POST $E admin "{\"events\":[$(what page_view '"'$a'"' '"'$p1'"'),$(what page_view '"'$a'"' '"'$p1'"'),$(what page_view '"'$a'"' '"'$p2'"'),$(what search_type_query '"'$a'"' null ',"query":"Quillwraith"')]}" 204 ''
t 'none' POST $E admin '{"events":[]}' 204 ''
t 'with a rating' POST $E admin "{\"events\":[$(what page_post_feedback '"'$a'"' '"'$p2'"' ',"feedback":{"rating":"bad"}'),$(what page_view null '"'$p1'"')]}" 204 ''
t 'a kind that is none' POST $E admin "{\"events\":[$(what page_lick null null)]}" 400 '.fields[0].path == "/events/0/type"'
t 'no place' POST $E admin '{"events":[{"type":"page_view"}]}' 400 '.fields[0].path == "/events/0/location"'
t 'long ago' POST $E admin "{\"events\":[$(what page_view null null),$(what page_view null null ',"timestamp":"2020-01-31T09:30:00.000Z"')]}" 400 '.fields[0].path == "/events/1/timestamp"'
t 'just now' POST $E admin "{\"events\":[$(what search_open null null ',"timestamp":"'$(date -u +%FT%TZ)'"')]}" 204 ''
t 'a site space of nowhere' POST $E admin "{\"events\":[$(what page_view null null),$(what page_view '"noSuchThing00000000000"' null)]}" 404 ''
t 'readers find no site' POST $E read "{\"events\":[]}" 404 ''
same 'one row for each day, page and kind' "|||page_view||1 |||search_open||1 $one|$a||search_type_query||1 $one|$a|$p1|page_view||2 $one|$a|$p2|page_post_feedback|bad|1 $one|$a|$p2|page_view||1" \
	"$(sql "SELECT space, site_space, page, event, rating, n FROM site_event WHERE site = '$site'" | LC_ALL=C sort | tr '\n\t' ' |' | sed 's/ $//')"
for kept in Quillwraith 192.0.2.7; do
	same "nothing of who it was: $kept" 0 "$(cat "$dir"/octavo.db "$dir"/octavo.db-wal 2>/dev/null | grep -c "$kept")"
done

A=$E/aggregate
t 'in all' POST $A admin '{"range":"last24Hours"}' 200 '.columns == [{column: "eventsCount", values: [7]}]'
t 'pages' POST $A admin '{"range":"last30Days","where":[{"column":"eventType","values":["page_view"]}],"groupBy":[{"column":"page"}]}' 200 \
	'.columns == [{column: "page", values: [{page: "'$p1'", space: "'$one'"}, null, {page: "'$p2'", space: "'$one'"}]}, {column: "eventsCount", values: [2, 1, 1]}]'
t 'in the order that is asked for' POST $A admin '{"range":"lastYear","select":[{"column":"eventsCount"},{"column":"eventType"}],"order":{"by":{"column":"eventType"},"direction":"desc"},"limit":2}' 200 \
	'.columns == [{column: "eventsCount", values: [1, 1]}, {column: "eventType", values: ["search_type_query", "search_open"]}]'
t 'by site space and section' POST $A admin '{"range":"last7Days","groupBy":[{"column":"siteSpace"},{"column":"siteSection"}]}' 200 \
	'[.columns[] | .values] == [[null, null], ["'$a'", null], [5, 2]]'
t 'ratings' POST $A admin '{"range":"last3Months","groupBy":[{"column":"eventPageFeedbackRating"},{"column":"page"}],"where":[{"column":"eventPageFeedbackRating","values":[null],"operator":"notIn"}]}' 200 \
	'[.columns[].values] == [[{page: "'$p2'", space: "'$one'"}], ["bad"], [1]]'
t 'one page' POST $A admin '{"range":"last7Days","where":[{"column":"page","values":[{"page":"'$p2'","space":"'$one'"}]}]}' 200 '.columns[0].values == [2]'
t 'the same page of another space' POST $A admin '{"range":"last7Days","where":[{"column":"page","values":[{"page":"'$p2'","space":"'$two'"}]}]}' 200 '.columns[0].values == [0]'
t 'only what is frequent' POST $A admin '{"range":"last7Days","groupBy":[{"column":"page"},{"column":"eventType"}],"where":[{"column":"eventsCount","values":[1],"operator":"greaterThan"}]}' 200 '[.columns[].values] == [["page_view"], [{page: "'$p1'", space: "'$one'"}], [2]]'

# Days of the past are not sent: rows of the table.
for day in 10957:3 10958:4 10965:5 10988:6; do
	sql "INSERT INTO site_event VALUES ('$site', ${day%:*}, '', '', '', 'page_view', '', ${day#*:})" >/dev/null
done
past='"range":{"from":"2000-01-01T12:00:00Z","to":"2000-02-28T00:00:00Z"}'
t 'by day' POST $A admin '{'"$past"',"groupBy":[{"column":"datetime"}]}' 200 \
	'[.columns[].values] == [["2000-01-01T00:00:00.000Z", "2000-01-02T00:00:00.000Z", "2000-01-09T00:00:00.000Z", "2000-02-01T00:00:00.000Z"], [3, 4, 5, 6]]'
t 'by week' POST $A admin '{'"$past"',"groupBy":[{"column":"datetime","interval":"week"}]}' 200 \
	'[.columns[].values] == [["1999-12-27T00:00:00.000Z", "2000-01-03T00:00:00.000Z", "2000-01-31T00:00:00.000Z"], [7, 5, 6]]'
t 'by month' POST $A admin '{'"$past"',"groupBy":[{"column":"datetime","interval":"month"}],"order":{"by":{"column":"eventsCount"},"direction":"asc"}}' 200 \
	'[.columns[].values] == [["2000-02-01T00:00:00.000Z", "2000-01-01T00:00:00.000Z"], [6, 12]]'
t 'from a day on' POST $A admin '{'"$past"',"where":[{"column":"datetime","values":["2000-01-09T00:00:00Z"],"operator":"greaterThanOrEqual"}]}' 200 '.columns[0].values == [11]'
t 'until before it' POST $A admin '{'"$past"',"where":[{"column":"datetime","values":["2000-01-09T00:00:00Z"],"operator":"lessThan"}]}' 200 '.columns[0].values == [7]'

t 'visitors are not counted' POST $A admin '{"range":"last7Days","select":[{"column":"visitorsCount"}]}' 400 '.fields[0].path == "/select/0/column"'
t 'no range' POST $A admin '{}' 400 '.fields[0].path == "/range"'
t 'backwards' POST $A admin '{"range":{"from":"2000-01-09T00:00:00Z","to":"2000-01-01T00:00:00Z"}}' 400 '.fields[0].path == "/range/from"'
t 'two intervals' POST $A admin '{"range":"last7Days","select":[{"column":"datetime","interval":"day"}],"groupBy":[{"column":"datetime","interval":"month"}]}' 400 '.fields[0].path == "/groupBy/0/interval"'
t 'an interval of pages' POST $A admin '{"range":"last7Days","select":[{"column":"page","interval":"day"}]}' 400 ''
t 'an order by what is not there' POST $A admin '{"range":"last7Days","order":{"by":{"column":"page"},"direction":"asc"}}' 400 '.fields[0].path == "/order/by/column"'
t 'a size of a text' POST $A admin '{"range":"last7Days","where":[{"column":"eventType","values":["page_view"],"operator":"lessThan"}]}' 400 '.fields[0].path == "/where/0/operator"'
t 'more than two values' POST $A admin '{"range":"last7Days","where":[{"column":"eventsCount","values":[1,2],"operator":"lessThan"}]}' 400 '.fields[0].path == "/where/0/values"'
t 'readers find no site, to read either' POST $A read '{"range":"last7Days"}' 404 ''
t 'a token that only reads' POST $A readonly '{"range":"last24Hours"}' 200 '.columns[0].values == [7]'

# What is no page of the space counts for its site space alone; one that is gone is still one.
space_write $one '{"changes":[{"operation":"delete_page","page":"'$p1'"}]}'
t 'pages that are none' POST $E admin "{\"events\":[$(what search_open '"'$a'"' '"'$p3'"'),$(what search_open '"'$a'"' '"no-such-page"'),$(what search_open '"'$a'"' '"'$p1'"')]}" 204 ''
same 'are not counted as pages' "|2 $p1|1" "$(sql "SELECT page, n FROM site_event WHERE site = '$site' AND event = 'search_open' AND site_space = '$a'" | LC_ALL=C sort | tr '\n\t' ' |' | sed 's/ $//')"
sql "DELETE FROM site_event WHERE site = '$site' AND event = 'search_open' AND site_space = '$a'" >/dev/null

# Events stay countable when their site space is gone, and go with the site.
t 'off the site' DELETE $W/site-spaces/$a admin '' 204 ''
t 'and still counted' POST $A admin '{"range":"last24Hours","groupBy":[{"column":"siteSpace"}]}' 200 '[.columns[].values] == [["'$a'", null], [5, 2]]'
t 'the site goes' DELETE $W admin '' 204 ''
same 'and its counts' 0 "$(sql "SELECT count(*) FROM site_event WHERE site = '$site'")"
for gone in $one $two; do send DELETE /v1/spaces/$gone admin ''; done
