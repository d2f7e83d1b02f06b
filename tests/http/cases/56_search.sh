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

# Content that comes, changes and goes is found, changed and gone with its revision.
t 'space for search' POST /v1/orgs/$ORG/spaces create '{"title":"Ibises"}' 201 ''
IBIS=$(jq -r .id "$out") S=/v1/spaces/$(jq -r .id "$out")
written() { # written CHANGES: a change request with these changes, not merged yet
	send POST $S/change-requests edit '{"subject":"ibis"}'
	N=$(jq -r .number "$out")
	t 'written' POST "$S/change-requests/$N/content?compat=false" edit "{\"changes\":$1}" 200 ''
	P=$(jq -r '.changes[0].page | objects.id' "$out")
}
merged() { t 'merged' POST $S/change-requests/$N/merge review '' 200 '.result == "merge"'; }
written '[{"operation":"insert_page","title":"Scarlet ibis","document":{"markdown":"It wades."}}]'
t 'not before the merge' GET "$S/search?query=ibis" read '' 200 '.count == 0'
t 'nor in the organization' GET "/v1/orgs/$ORG/search?query=scarlet+ibis+wades" read '' 200 'all(.items[]; .id != "'$IBIS'")'
merged
t 'with the merge' GET "$S/search?query=wades" read '' 200 '[.items[].title] == ["Scarlet ibis"]'
IBIS_PAGE=$P
written '[{"operation":"update_page","page":"'$IBIS_PAGE'","title":"Glossy crane"}]'
t 'the old title as long as it shows' GET "$S/search?query=ibis" read '' 200 '.count == 1'
merged
t 'then no more' GET "$S/search?query=ibis" read '' 200 '.count == 0'
t 'but the new one' GET "$S/search?query=glossy" read '' 200 '.items[0].title == "Glossy crane" and .items[0].sections[0].body == "It wades."'
t 'a name of its own' PATCH $S create '{"title":"Cranes"}' 200 ''
t 'under which it is found' GET "/v1/orgs/$ORG/search?query=glossy" read '' 200 '[.items[] | [.id, .title]] == [["'$IBIS'", "Cranes"]]'
t 'a collection' POST /v1/orgs/$ORG/collections create '{"title":"Birds"}' 201 ''
BIRDS=$(jq -r .id "$out")
t 'moved into it' POST $S/move create '{"parent":"'$BIRDS'"}' 200 ''
t 'moved, found' GET "/v1/orgs/$ORG/search?query=glossy" read '' 200 '.items[0].id == "'$IBIS'"'
t 'the collection closed' PATCH /v1/collections/$BIRDS admin '{"defaultLevel":null}' 200 ''
t 'out of reach, out of sight' GET "/v1/orgs/$ORG/search?query=glossy" read '' 200 '.count == 0 and .items == []'
t 'in no space either' GET "$S/search?query=glossy" read '' 404 ''
t 'open again' PATCH /v1/collections/$BIRDS admin '{"defaultLevel":"inherit"}' 200 ''
t 'a copy' POST $S/duplicate create '' 201 ''
COPY=$(jq -r .id "$out")
t 'of which is found as much' GET "/v1/orgs/$ORG/search?query=glossy" read '' 200 '[.items[].id] | sort == (["'$IBIS'", "'$COPY'"] | sort)'
t 'the copy closed' PATCH /v1/spaces/$COPY admin '{"defaultLevel":null}' 200 ''
t 'found where it may be read' GET "/v1/orgs/$ORG/search?query=glossy" read '' 200 '[.items[].id] == ["'$IBIS'"]'
t 'the copy open' PATCH /v1/spaces/$COPY admin '{"defaultLevel":"inherit"}' 200 ''
written '[{"operation":"update_page","page":"'$IBIS_PAGE'","title":"Glossy heron"}]'
merged
t 'what one of them says now' GET "/v1/orgs/$ORG/search?query=heron" read '' 200 '[.items[] | [.id, .pages[].title]] == [["'$IBIS'", "Glossy heron"]]'
t 'the copy does not' GET "/v1/spaces/$COPY/search?query=heron" read '' 200 '.count == 0'
t 'but what both said' GET "/v1/orgs/$ORG/search?query=crane" read '' 200 '[.items[] | [.id, .pages[].title]] == [["'$COPY'", "Glossy crane"]]'
t 'deleted' DELETE $S create '' 204 ''
t 'deleted, not found' GET "/v1/orgs/$ORG/search?query=glossy" read '' 200 '[.items[].id] == ["'$COPY'"]'
t 'restored' POST $S/restore create '' 200 ''
t 'restored, found' GET "/v1/orgs/$ORG/search?query=glossy" read '' 200 '[.items[].id] | index("'$IBIS'") != null'
written '[{"operation":"delete_page","page":"'$IBIS_PAGE'"}]'
t 'as long as it is there' GET "$S/search?query=glossy" read '' 200 '.count == 1'
merged
t 'a page that is gone' GET "$S/search?query=glossy" read '' 200 '.count == 0 and .items == []'
t 'stays in the copy' GET "/v1/orgs/$ORG/search?query=glossy" read '' 200 '[.items[].id] == ["'$COPY'"]'
t 'another organization' POST /v1/orgs admin '{"title":"Aviary"}' 201 ''
AVIARY=$(jq -r .id "$out")
t 'the copy goes there' POST /v1/spaces/$COPY/transfer admin '{"organization":"'$AVIARY'"}' 200 ''
t 'found there' GET "/v1/orgs/$AVIARY/search?query=glossy" admin '' 200 '[.items[].id] == ["'$COPY'"]'
t 'no longer here' GET "/v1/orgs/$ORG/search?query=glossy" admin '' 200 '.count == 0'

# What the organization calls the same, besides the dictionary.
own_words() { "$octavo" search words --dir "$dir" --org "$ORG" --json "$@" >"$tmp/cli" 2>"$tmp/cli.err"; }
words_refused() { ! own_words "$@"; }
written '[{"operation":"insert_page","title":"Hatching","document":{"markdown":"The brood leaves the nest."}}]'
merged
t 'nobody says that' GET "$S/search?query=clutch" read '' 200 '.count == 0'
yes 'words' own_words Clutch 'the Brood'
same 'are listed as they are looked for' '[["clutch","the brood"]]' "$(cat "$tmp/cli")"
t 'from then on' GET "$S/search?query=clutch" read '' 200 '[.items[].title] == ["Hatching"]'
t 'in the organization, too' GET "/v1/orgs/$ORG/search?query=clutches" admin '' 200 '[.items[].pages[].title] | index("Hatching")'
t 'on record' GET "/v1/orgs/$ORG/audit-events?action=search.words.updated" admin '' 200 '.count == 1'
yes 'one word alone' words_refused clutch
yes 'no word' words_refused clutch '!'
yes 'the same twice' words_refused clutch CLUTCH
yes 'what is in no set' words_refused --remove brood
yes 'removed' own_words --remove clutch
same 'none is left' '[]' "$(cat "$tmp/cli")"
t 'nobody says that any more' GET "$S/search?query=clutch" read '' 200 '.count == 0'

# A page that is noIndex; those below it are found.
written '[{"operation":"insert_page","title":"Bittern secret","noIndex":true,"document":{"markdown":"A bittern."}}]'
merged
t 'is not found' GET "$S/search?query=bittern" read '' 200 '.count == 0'
HIDDEN=$P
written '[{"operation":"insert_page","title":"Below","into":"'$HIDDEN'","document":{"markdown":"A bittern."}}]'
merged
t 'those below it are' GET "$S/search?query=bittern" read '' 200 '[.items[].title] == ["Below"]'
written '[{"operation":"update_page","page":"'$HIDDEN'","noIndex":false}]'
merged
t 'it is found again' GET "$S/search?query=bittern" read '' 200 '.count == 2'
written '[{"operation":"update_page","page":"'$HIDDEN'","noIndex":true}]'
merged
t 'and left out again' GET "$S/search?query=bittern" read '' 200 '[.items[].title] == ["Below"]'

# More pages at once than are indexed within a transaction: found as soon as they show, all the same.
send POST $S/change-requests edit '{"subject":"many"}'
N=$(jq -r .number "$out")
i=0
while [ $i -lt 21 ]; do
	i=$((i + 1))
	jq -cn '{changes: [range(50) | {operation: "insert_page", title: "Bird \('$i' * 50 + .)", document: {markdown: "A hoopoe. [next](bird-1.md)"}}]}' >"$tmp/many"
	[ "$(send POST "$S/change-requests/$N/content?compat=false" edit @"$tmp/many"; echo $code)" = 200 ] || fail 'many pages' "$code"
done
t 'many, before' GET "$S/search?query=hoopoe&limit=0" read '' 200 '.count == 0'
merged
t 'many, after' GET "$S/search?query=hoopoe&limit=1" read '' 200 '.count == 1050'
t 'and their links' GET "$S/links?limit=0" read '' 200 '.stats.total == 1050'
t 'what they were is gone' DELETE $S create '' 204 ''
