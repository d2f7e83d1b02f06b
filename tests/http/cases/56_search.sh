# Search in a space and in an organization: what is found, and by whom.
S=/v1/spaces/$SPACE
t 'title' GET "$S/search?query=guide" read '' 200 '.items[0].id == "'$PAGE'" and .items[0].title == "Guide" and .items[0].path == "guide"
	and .items[0].rank == 1 and .items[0].ancestors == [{"title":"Learn"}] and (.items[0].urls.app | endswith("/content/page/'$PAGE'"))'
t 'body, with its excerpt' GET "$S/search?query=fresh" read '' 200 '.count == 1 and .items[0].title == "Added" and .items[0].sections[0].body == "Fresh."
	and (has("next") | not)'
t 'of the revision that is shown' GET "$S/search?query=new+text" read '' 200 '.items[0].id == "'$PAGE'"'
t 'not of the one before' GET "$S/search?query=short-lived" read '' 200 '.count == 0 and .items == []'
t 'without diacritics' GET "$S/search?query=unicode+omega" read '' 200 '.items[0].title | startswith("Ünïcode")'
t 'a word that has just begun' GET "$S/search?query=wel" read '' 200 '.items[0].title == "Welcome"'
t 'a letter wrong' GET "$S/search?query=wellcome" read '' 200 '.items[0].title == "Welcome"'
t 'a question' GET "$S/search?query=where+is+the+guide%3F" read '' 200 '.items[0].title == "Guide"'
t 'signs alone' GET "$S/search?query=%22%27*()%3A%5E-" read '' 200 '.count == 0'
t 'an empty query' GET "$S/search?query=" read '' 200 '.count == 0'
t 'no query' GET $S/search read '' 400 '.fields[0].path == "/query"'
t 'a query of 512' GET "$S/search?query=$(printf '%0512d' 0)" read '' 200 '.count == 0'
t 'a query of 513' GET "$S/search?query=$(printf '%0513d' 0)" read '' 400 '.fields[0].path == "/query"'
t 'the count alone' GET "$S/search?query=guide&limit=0" read '' 200 '.items == [] and .count >= 2 and (has("next") | not)'
all=$(jq .count "$out")
t 'one at a time' GET "$S/search?query=guide&limit=1" read '' 200 '.items | length == 1'
n=1
while page=$(jq -er .next.page "$out"); do
	n=$((n + 1))
	t "page $n" GET "$S/search?query=guide&limit=1&page=$page" read '' 200 '.items[0].rank == '$n' and .count == '$all
done
same 'pages are the whole list' "$all" "$n"
t 'a foreign page token' GET "$S/search?query=guide&page=x" read '' 400 '.fields[0].path == "/page"'
t 'a private space' GET "/v1/spaces/$PRIVATE/search?query=guide" read '' 404 ''
t 'with a grant' GET "/v1/spaces/$PRIVATE/search?query=guide" guest '' 200 '.count >= 1'
t 'a deleted space' GET "/v1/spaces/$DELETED/search?query=guide" admin '' 404 ''
t 'an empty space' GET "/v1/spaces/$EMPTY/search?query=guide" read '' 200 '.count == 0'

O=/v1/orgs/$ORG
t 'by space' GET "$O/search?query=guide" read '' 200 '([.items[].id] | index("'$SPACE'") != null and index("'$LOCKED'") != null)
	and all(.items[]; .type == "space" and (.pages | length > 0)) and .count == (.items | length)'
t 'never what one may not read' GET "$O/search?query=guide" read '' 200 '[.items[].id] | index("'$PRIVATE'") == null and index("'$DELETED'") == null
	and index("'$SPACE_B'") == null'
t 'what one was given' GET "$O/search?query=guide" guest '' 200 '[.items[].id] == ["'$PRIVATE'"] and .count == 1'
t 'an admin sees all that lives' GET "$O/search?query=guide" admin '' 200 '[.items[].id] | index("'$PRIVATE'") != null and index("'$DELETED'") == null'
t 'what is only in one' GET "$O/search?query=fresh" read '' 200 'any(.items[]; .id == "'$SPACE'" and .pages[0].title == "Added") and all(.items[]; .pages[0].title == "Added")'
t 'one space at a time' GET "$O/search?query=guide&limit=1" read '' 200 '(.items | length == 1) and (.next.page | type == "string")'
first=$(jq -r '.items[0].id' "$out") page=$(jq -r .next.page "$out")
t 'and the next' GET "$O/search?query=guide&limit=1&page=$page" read '' 200 '.items[0].id != "'$first'"'
t 'an organization of others' GET "$O/search?query=guide" other '' 404 ''
