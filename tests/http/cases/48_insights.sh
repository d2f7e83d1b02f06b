# Events on a site: counted by day, page and kind; nothing else of them is stored.
SO=/v1/orgs/$ORG
one=$(space_empty One) two=$(space_empty Two)
space_write $one \
	'{"changes":[{"operation":"insert_page","title":"A","document":{"markdown":"A."}},{"operation":"insert_page","title":"B","document":{"markdown":"B."}}]}'
p1=$(jq -r '[.changes[].page.id] | sort[0]' "$tmp/written") p2=$(jq -r '[.changes[].page.id] | sort[1]' "$tmp/written")
space_write $two '{"changes":[{"operation":"insert_page","title":"C","document":{"markdown":"C."}}]}'
p3=$(jq -r '.changes[0].page.id' "$tmp/written")
t 'insights: a site is created' POST $SO/sites admin '{"title":"Counted","spaces":["'$one'"]}' 201 ''
W=$SO/sites/$(jq -r .id "$out") site=$(jq -r .id "$out")
E=$W/insights/events
get $W/site-spaces admin
a=$(jq -r '.items[0].id' "$out")
# what KIND SITE_SPACE PAGE MORE: an event as the published client sends it
what() {
	printf '{"type":"%s","session":{"visitorId":"Quillwraith","sessionId":"s","cookies":{"k":"Quillwraith"},"ip":"192.0.2.7","userAgent":"Quillwraith",'\
'"language":"en","referrer":"https://quillwraith.example/"},"location":{"url":"https://docs.example/Quillwraith","displayContext":"site",'\
'"siteSection":null,"siteSpace":%s,"siteShareKey":null,"space":null,"revision":null,"page":%s}%s}' "$1" "$2" "$3" "${4-}"
}
t 'a site that is not published takes no events' POST $E admin "{\"events\":[$(what page_view null null)]}" 404 ''
t 'the site is published' POST $W/publish admin '' 200 ''
t 'events of pages and searches are accepted' POST $E admin \
	"{\"events\":[$(what page_view '"'$a'"' '"'$p1'"'),$(what page_view '"'$a'"' '"'$p1'"'),$(what page_view '"'$a'"' '"'$p2'"'),\
$(what search_type_query '"'$a'"' null ',"query":"Quillwraith"')]}" 204 ''
t 'an empty list of events is accepted' POST $E admin '{"events":[]}' 204 ''
t 'an event with a rating is accepted' POST $E admin \
	"{\"events\":[$(what page_post_feedback '"'$a'"' '"'$p2'"' ',"feedback":{"rating":"bad"}'),$(what page_view null '"'$p1'"')]}" 204 ''
t 'an event of an unknown kind is refused' POST $E admin "{\"events\":[$(what page_lick null null)]}" 400 '.fields[0].path == "/events/0/type"'
t 'an event without a location is refused' POST $E admin '{"events":[{"type":"page_view"}]}' 400 '.fields[0].path == "/events/0/location"'
t 'an event of years ago is refused' POST $E admin \
	"{\"events\":[$(what page_view null null),$(what page_view null null ',"timestamp":"2020-01-31T09:30:00.000Z"')]}" 400 \
	'.fields[0].path == "/events/1/timestamp"'
t 'an event of now is accepted' POST $E admin "{\"events\":[$(what search_open null null ',"timestamp":"'$(date -u +%FT%TZ)'"')]}" 204 ''
t 'an event of an unknown variant answers 404' POST $E admin \
	"{\"events\":[$(what page_view null null),$(what page_view '"noSuchThing00000000000"' null)]}" 404 ''
t 'a reader may not send events' POST $E read "{\"events\":[]}" 404 ''
same 'events are counted by day, page and kind' \
	"|||page_view||1 |||search_open||1 $one|$a||search_type_query||1 $one|$a|$p1|page_view||2 $one|$a|$p2|page_post_feedback|bad|1 $one|$a|$p2|page_view||1" \
	"$(sql "SELECT space, site_space, page, event, rating, n FROM site_event WHERE site = '$site'" | LC_ALL=C sort | tr '\n\t' ' |' | sed 's/ $//')"
for kept in Quillwraith 192.0.2.7; do
	same "nothing of the visitor is stored: $kept" 0 "$(cat "$dir"/octavo.db "$dir"/octavo.db-wal 2>/dev/null | grep -c "$kept")"
done

A=$E/aggregate
t 'all events are counted' POST $A admin '{"range":"last24Hours"}' 200 '.columns == [{column: "eventsCount", values: [7]}]'
t 'views are counted by page' POST $A admin '{"range":"last30Days","where":[{"column":"eventType","values":["page_view"]}],
	"groupBy":[{"column":"page"}]}' 200 \
	'.columns == [{column: "page", values: [{page: "'$p1'", space: "'$one'"}, null, {page: "'$p2'", space: "'$one'"}]}, {column: "eventsCount",
		values: [2, 1, 1]}]'
t 'columns and order are as asked for' POST $A admin '{"range":"lastYear","select":[{"column":"eventsCount"},{"column":"eventType"}],
	"order":{"by":{"column":"eventType"},"direction":"desc"},"limit":2}' 200 \
	'.columns == [{column: "eventsCount", values: [1, 1]}, {column: "eventType", values: ["search_type_query", "search_open"]}]'
t 'events are counted by variant and section' POST $A admin '{"range":"last7Days","groupBy":[{"column":"siteSpace"},{"column":"siteSection"}]}' 200 \
	'[.columns[] | .values] == [[null, null], ["'$a'", null], [5, 2]]'
t 'ratings are counted by page' POST $A admin '{"range":"last3Months","groupBy":[{"column":"eventPageFeedbackRating"},{"column":"page"}],
	"where":[{"column":"eventPageFeedbackRating","values":[null],"operator":"notIn"}]}' 200 \
	'[.columns[].values] == [[{page: "'$p2'", space: "'$one'"}], ["bad"], [1]]'
t 'events of one page are counted' POST $A admin '{"range":"last7Days","where":[{"column":"page","values":[{"page":"'$p2'","space":"'$one'"}]}]}' \
	200 '.columns[0].values == [2]'
t 'the same page id in another space counts nothing' POST $A admin '{"range":"last7Days","where":[{"column":"page","values":[{"page":"'$p2'",
	"space":"'$two'"}]}]}' 200 '.columns[0].values == [0]'
t 'groups are filtered by their count' POST $A admin '{"range":"last7Days","groupBy":[{"column":"page"},{"column":"eventType"}],
	"where":[{"column":"eventsCount","values":[1],"operator":"greaterThan"}]}' 200 \
	'[.columns[].values] == [["page_view"], [{page: "'$p1'", space: "'$one'"}], [2]]'

# Events of past days cannot be sent: write rows.
for day in 10957:3 10958:4 10965:5 10988:6; do
	sql "INSERT INTO site_event VALUES ('$site', ${day%:*}, '', '', '', 'page_view', '', ${day#*:})" >/dev/null
done
past='"range":{"from":"2000-01-01T12:00:00Z","to":"2000-02-28T00:00:00Z"}'
t 'events are counted by day' POST $A admin '{'"$past"',"groupBy":[{"column":"datetime"}]}' 200 \
	'[.columns[].values] == [["2000-01-01T00:00:00.000Z", "2000-01-02T00:00:00.000Z", "2000-01-09T00:00:00.000Z", "2000-02-01T00:00:00.000Z"], [3, 4, 5, 6]]'
t 'events are counted by week' POST $A admin '{'"$past"',"groupBy":[{"column":"datetime","interval":"week"}]}' 200 \
	'[.columns[].values] == [["1999-12-27T00:00:00.000Z", "2000-01-03T00:00:00.000Z", "2000-01-31T00:00:00.000Z"], [7, 5, 6]]'
t 'events are counted by month' POST $A admin '{'"$past"',"groupBy":[{"column":"datetime","interval":"month"}],
	"order":{"by":{"column":"eventsCount"},"direction":"asc"}}' 200 \
	'[.columns[].values] == [["2000-02-01T00:00:00.000Z", "2000-01-01T00:00:00.000Z"], [6, 12]]'
t 'events are counted from a day on' POST $A admin '{'"$past"',"where":[{"column":"datetime","values":["2000-01-09T00:00:00Z"],
	"operator":"greaterThanOrEqual"}]}' 200 '.columns[0].values == [11]'
t 'events are counted until before a day' POST $A admin '{'"$past"',"where":[{"column":"datetime","values":["2000-01-09T00:00:00Z"],
	"operator":"lessThan"}]}' 200 '.columns[0].values == [7]'

t 'visitors cannot be counted' POST $A admin '{"range":"last7Days","select":[{"column":"visitorsCount"}]}' 400 '.fields[0].path == "/select/0/column"'
t 'a count without a range is refused' POST $A admin '{}' 400 '.fields[0].path == "/range"'
t 'a range that ends before it begins is refused' POST $A admin '{"range":{"from":"2000-01-09T00:00:00Z","to":"2000-01-01T00:00:00Z"}}' 400 \
	'.fields[0].path == "/range/from"'
t 'two intervals are refused' POST $A admin '{"range":"last7Days","select":[{"column":"datetime","interval":"day"}],
	"groupBy":[{"column":"datetime","interval":"month"}]}' 400 '.fields[0].path == "/groupBy/0/interval"'
t 'an interval of pages is refused' POST $A admin '{"range":"last7Days","select":[{"column":"page","interval":"day"}]}' 400 ''
t 'an order by a column that is not selected is refused' POST $A admin '{"range":"last7Days","order":{"by":{"column":"page"},"direction":"asc"}}' \
	400 '.fields[0].path == "/order/by/column"'
t 'a text compared by size is refused' POST $A admin '{"range":"last7Days","where":[{"column":"eventType","values":["page_view"],
	"operator":"lessThan"}]}' 400 '.fields[0].path == "/where/0/operator"'
t 'a comparison with two values is refused' POST $A admin '{"range":"last7Days","where":[{"column":"eventsCount","values":[1,2],
	"operator":"lessThan"}]}' 400 '.fields[0].path == "/where/0/values"'
t 'a reader may not read counts' POST $A read '{"range":"last7Days"}' 404 ''
t 'a read token reads counts' POST $A readonly '{"range":"last24Hours"}' 200 '.columns[0].values == [7]'

# An id that is no page of the space counts for its site space only; a deleted page still counts as a page.
space_write $one '{"changes":[{"operation":"delete_page","page":"'$p1'"}]}'
t 'events of pages that the variant does not have are accepted' POST $E admin \
	"{\"events\":[$(what search_open '"'$a'"' '"'$p3'"'),$(what search_open '"'$a'"' '"no-such-page"'),$(what search_open '"'$a'"' '"'$p1'"')]}" 204 ''
same 'an event of a page that the variant never had counts for the variant alone' "|2 $p1|1" \
	"$(sql "SELECT page, n FROM site_event WHERE site = '$site' AND event = 'search_open' AND site_space = '$a'" | LC_ALL=C sort | tr '\n\t' ' |' | sed 's/ $//')"
sql "DELETE FROM site_event WHERE site = '$site' AND event = 'search_open' AND site_space = '$a'" >/dev/null

# Events still count after their site space is deleted, and are deleted with the site.
t 'a variant is removed from the site' DELETE $W/site-spaces/$a admin '' 204 ''
t 'events of a removed variant are still counted' POST $A admin '{"range":"last24Hours","groupBy":[{"column":"siteSpace"}]}' 200 \
	'[.columns[].values] == [["'$a'", null], [5, 2]]'
t 'the site is deleted' DELETE $W admin '' 204 ''
same 'the events of a deleted site are deleted' 0 "$(sql "SELECT count(*) FROM site_event WHERE site = '$site'")"
for gone in $one $two; do send DELETE /v1/spaces/$gone admin ''; done
