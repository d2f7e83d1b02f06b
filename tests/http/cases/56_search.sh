# Search in a space and in an organization: what is found, and for which callers.
S=/v1/spaces/$SPACE
t 'a page is found by its title with rank and place' GET "$S/search?query=guide" read '' 200 \
	'.items[0].id == "'$PAGE'" and .items[0].title == "Guide" and .items[0].path == "guide"
	and .items[0].rank == 1 and .items[0].ancestors == [{"title":"Learn"}] and (.items[0].urls.app | endswith("/pages/'$PAGE'"))'
t 'a page is found by its body with an excerpt' GET "$S/search?query=fresh" read '' 200 \
	'.count == 1 and .items[0].title == "Added" and .items[0].sections[0].body == "Fresh."
	and (has("next") | not)'
t 'the text of the current revision is found' GET "$S/search?query=new+text" read '' 200 '.items[0].id == "'$PAGE'"'
t 'the text of an older revision is not found' GET "$S/search?query=short-lived" read '' 200 '.count == 0 and .items == []'
t 'letters with accents are found without them' GET "$S/search?query=unicode+omega" read '' 200 '.items[0].title | startswith("Ünïcode")'
t 'the beginning of a word finds it' GET "$S/search?query=wel" read '' 200 '.items[0].title == "Welcome"'
t 'a word with one letter wrong finds it' GET "$S/search?query=wellcome" read '' 200 '.items[0].title == "Welcome"'
t 'a question finds the page of its words' GET "$S/search?query=where+is+the+guide%3F" read '' 200 '.items[0].title == "Guide"'
t 'signs without words find nothing' GET "$S/search?query=%22%27*()%3A%5E-" read '' 200 '.count == 0'
t 'an empty query finds nothing' GET "$S/search?query=" read '' 200 '.count == 0'
t 'a search without a query is refused' GET $S/search read '' 400 '.fields[0].path == "/query"'
t 'a query of 512 characters is accepted' GET "$S/search?query=$(printf '%0512d' 0)" read '' 200 '.count == 0'
t 'a query of 513 characters is refused' GET "$S/search?query=$(printf '%0513d' 0)" read '' 400 '.fields[0].path == "/query"'
t 'a limit of 0 counts results alone' GET "$S/search?query=guide&limit=0" read '' 200 '.items == [] and .count >= 2 and (has("next") | not)'
all=$(jq .count "$out")
t 'limit cuts the results' GET "$S/search?query=guide&limit=1" read '' 200 '.items | length == 1'
n=1
while page=$(jq -er .next.page "$out"); do
	n=$((n + 1))
	t "page $n has the result of that rank" GET "$S/search?query=guide&limit=1&page=$page" read '' 200 '.items[0].rank == '$n' and .count == '$all
done
same 'the pages together are the whole list' "$all" "$n"
t 'a page token of another list is refused' GET "$S/search?query=guide&page=x" read '' 400 '.fields[0].path == "/page"'
t 'a private space cannot be searched' GET "/v1/spaces/$PRIVATE/search?query=guide" read '' 404 ''
t 'a guest searches a space with a grant' GET "/v1/spaces/$PRIVATE/search?query=guide" guest '' 200 '.count >= 1'
t 'a deleted space cannot be searched' GET "/v1/spaces/$DELETED/search?query=guide" admin '' 404 ''
t 'an empty space finds nothing' GET "/v1/spaces/$EMPTY/search?query=guide" read '' 200 '.count == 0'

O=/v1/orgs/$ORG
t 'an organization is searched space by space' GET "$O/search?query=guide" read '' 200 \
	'([.items[].id] | index("'$SPACE'") != null and index("'$LOCKED'") != null)
	and all(.items[]; .type == "space" and (.pages | length > 0)) and .count == (.items | length)'
t 'the search of an organization leaves out unreadable spaces' GET "$O/search?query=guide" read '' 200 \
	'[.items[].id] | index("'$PRIVATE'") == null and index("'$DELETED'") == null
	and index("'$SPACE_B'") == null'
t 'a guest finds pages of granted spaces alone' GET "$O/search?query=guide" guest '' 200 '[.items[].id] == ["'$PRIVATE'"] and .count == 1'
t 'an admin finds pages of every living space' GET "$O/search?query=guide" admin '' 200 \
	'[.items[].id] | index("'$PRIVATE'") != null and index("'$DELETED'") == null'
t 'a word of one space finds that one alone' GET "$O/search?query=fresh" read '' 200 \
	'any(.items[]; .id == "'$SPACE'" and .pages[0].title == "Added") and all(.items[]; .pages[0].title == "Added")'
t 'limit cuts the spaces of a search' GET "$O/search?query=guide&limit=1" read '' 200 '(.items | length == 1) and (.next.page | type == "string")'
first=$(jq -r '.items[0].id' "$out") page=$(jq -r .next.page "$out")
t 'the next page has another space' GET "$O/search?query=guide&limit=1&page=$page" read '' 200 '.items[0].id != "'$first'"'
t 'another organization gets 404 for the search' GET "$O/search?query=guide" other '' 404 ''

# Added, changed and deleted content is found, changed and gone with its revision.
t 'a space for search is created' POST /v1/orgs/$ORG/spaces create '{"title":"Ibises"}' 201 ''
IBIS=$(jq -r .id "$out") S=/v1/spaces/$(jq -r .id "$out")
written() { # written CHANGES: opens a change request with these changes
	send POST $S/change-requests edit '{"subject":"ibis"}'
	N=$(jq -r .number "$out")
	t 'a change is written' POST "$S/change-requests/$N/content?compat=false" edit "{\"changes\":$1}" 200 ''
	P=$(jq -r '.changes[0].page | objects.id' "$out")
}
merged() { t 'the change is merged' POST $S/change-requests/$N/merge review '' 200 '.result == "merge"'; }
written '[{"operation":"insert_page","title":"Scarlet ibis","document":{"markdown":"It wades."}}]'
t 'an unmerged page is not found' GET "$S/search?query=ibis" read '' 200 '.count == 0'
t 'an unmerged page is not found in the organization' GET "/v1/orgs/$ORG/search?query=scarlet+ibis+wades" read '' 200 'all(.items[]; .id != "'$IBIS'")'
merged
t 'a merged page is found' GET "$S/search?query=wades" read '' 200 '[.items[].title] == ["Scarlet ibis"]'
IBIS_PAGE=$P
written '[{"operation":"update_page","page":"'$IBIS_PAGE'","title":"Glossy crane"}]'
t 'an unmerged title does not replace the old one' GET "$S/search?query=ibis" read '' 200 '.count == 1'
merged
t 'the old title is not found after the merge' GET "$S/search?query=ibis" read '' 200 '.count == 0'
t 'the new title is found after the merge' GET "$S/search?query=glossy" read '' 200 \
	'.items[0].title == "Glossy crane" and .items[0].sections[0].body == "It wades."'
t 'the space is renamed' PATCH $S create '{"title":"Cranes"}' 200 ''
t 'a search has the current title of the space' GET "/v1/orgs/$ORG/search?query=glossy" read '' 200 '[.items[] | [.id, .title]] == [["'$IBIS'", "Cranes"]]'
t 'a collection is created' POST /v1/orgs/$ORG/collections create '{"title":"Birds"}' 201 ''
BIRDS=$(jq -r .id "$out")
t 'the space moves into the collection' POST $S/move create '{"parent":"'$BIRDS'"}' 200 ''
t 'a space in a collection is found' GET "/v1/orgs/$ORG/search?query=glossy" read '' 200 '.items[0].id == "'$IBIS'"'
t 'the collection is closed' PATCH /v1/collections/$BIRDS admin '{"defaultLevel":null}' 200 ''
t 'pages of a closed collection are not found' GET "/v1/orgs/$ORG/search?query=glossy" read '' 200 '.count == 0 and .items == []'
t 'a space in a closed collection cannot be searched' GET "$S/search?query=glossy" read '' 404 ''
t 'the collection is opened' PATCH /v1/collections/$BIRDS admin '{"defaultLevel":"inherit"}' 200 ''
t 'the space is duplicated' POST $S/duplicate create '' 201 ''
COPY=$(jq -r .id "$out")
t 'pages of a duplicate are found' GET "/v1/orgs/$ORG/search?query=glossy" read '' 200 '[.items[].id] | sort == (["'$IBIS'", "'$COPY'"] | sort)'
t 'the duplicate is closed' PATCH /v1/spaces/$COPY admin '{"defaultLevel":null}' 200 ''
t 'pages of a closed duplicate are not found' GET "/v1/orgs/$ORG/search?query=glossy" read '' 200 '[.items[].id] == ["'$IBIS'"]'
t 'the duplicate is opened' PATCH /v1/spaces/$COPY admin '{"defaultLevel":"inherit"}' 200 ''
written '[{"operation":"update_page","page":"'$IBIS_PAGE'","title":"Glossy heron"}]'
merged
t 'a change is found in the space where it was made' GET "/v1/orgs/$ORG/search?query=heron" read '' 200 \
	'[.items[] | [.id, .pages[].title]] == [["'$IBIS'", "Glossy heron"]]'
t 'a change is not found in the duplicate' GET "/v1/spaces/$COPY/search?query=heron" read '' 200 '.count == 0'
t 'the old title is found in the duplicate' GET "/v1/orgs/$ORG/search?query=crane" read '' 200 \
	'[.items[] | [.id, .pages[].title]] == [["'$COPY'", "Glossy crane"]]'
t 'the space is deleted' DELETE $S create '' 204 ''
t 'pages of a deleted space are not found' GET "/v1/orgs/$ORG/search?query=glossy" read '' 200 '[.items[].id] == ["'$COPY'"]'
t 'the space is restored' POST $S/restore create '' 200 ''
t 'pages of a restored space are found' GET "/v1/orgs/$ORG/search?query=glossy" read '' 200 '[.items[].id] | index("'$IBIS'") != null'
written '[{"operation":"delete_page","page":"'$IBIS_PAGE'"}]'
t 'a page is found until its deletion is merged' GET "$S/search?query=glossy" read '' 200 '.count == 1'
merged
t 'a deleted page is not found' GET "$S/search?query=glossy" read '' 200 '.count == 0 and .items == []'
t 'a page that was deleted in the source is found in the duplicate' GET "/v1/orgs/$ORG/search?query=glossy" read '' 200 '[.items[].id] == ["'$COPY'"]'
t 'another organization is created' POST /v1/orgs admin '{"title":"Aviary"}' 201 ''
AVIARY=$(jq -r .id "$out")
t 'the duplicate is transferred' POST /v1/spaces/$COPY/transfer admin '{"organization":"'$AVIARY'"}' 200 ''
t 'pages of a transferred space are found in the new organization' GET "/v1/orgs/$AVIARY/search?query=glossy" admin '' 200 '[.items[].id] == ["'$COPY'"]'
t 'pages of a transferred space are not found in the old organization' GET "/v1/orgs/$ORG/search?query=glossy" admin '' 200 '.count == 0'

# Synonyms of the organization, in addition to the dictionary.
own_words() { "$octavo" search words --dir "$dir" --org "$ORG" --json "$@" >"$tmp/cli" 2>"$tmp/cli.err"; }
words_refused() { ! own_words "$@"; }
written '[{"operation":"insert_page","title":"Hatching","document":{"markdown":"The brood leaves the nest."}}]'
merged
t 'a word without synonyms finds nothing' GET "$S/search?query=clutch" read '' 200 '.count == 0'
yes 'synonyms are added by the command' own_words Clutch 'the Brood'
same 'synonyms are kept without case and articles listed' '[["clutch","the brood"]]' "$(cat "$tmp/cli")"
t 'a synonym finds the page' GET "$S/search?query=clutch" read '' 200 '[.items[].title] == ["Hatching"]'
t 'a synonym finds the page in the organization' GET "/v1/orgs/$ORG/search?query=clutches" admin '' 200 '[.items[].pages[].title] | index("Hatching")'
t 'a change of synonyms is recorded' GET "/v1/orgs/$ORG/audit-events?action=search.words.updated" admin '' 200 '.count == 1'
yes 'one word alone is refused as a set of synonyms' words_refused clutch
yes 'a sign is refused as a synonym' words_refused clutch '!'
yes 'the same word twice is refused as a set of synonyms' words_refused clutch CLUTCH
yes 'a word of no set cannot be removed' words_refused --remove brood
yes 'a set of synonyms is removed' own_words --remove clutch
same 'no set of synonyms is left' '[]' "$(cat "$tmp/cli")"
t 'a removed synonym finds nothing' GET "$S/search?query=clutch" read '' 200 '.count == 0'

# A noIndex page is not found; pages below it are.
written '[{"operation":"insert_page","title":"Bittern secret","noIndex":true,"document":{"markdown":"A bittern."}}]'
merged
t 'a page with noIndex is not found' GET "$S/search?query=bittern" read '' 200 '.count == 0'
HIDDEN=$P
written '[{"operation":"insert_page","title":"Below","into":"'$HIDDEN'","document":{"markdown":"A bittern."}}]'
merged
t 'pages below a page with noIndex are found' GET "$S/search?query=bittern" read '' 200 '[.items[].title] == ["Below"]'
written '[{"operation":"update_page","page":"'$HIDDEN'","noIndex":false}]'
merged
t 'a page without noIndex is found again' GET "$S/search?query=bittern" read '' 200 '.count == 2'
written '[{"operation":"update_page","page":"'$HIDDEN'","noIndex":true}]'
merged
t 'a page that gets noIndex is not found' GET "$S/search?query=bittern" read '' 200 '[.items[].title] == ["Below"]'

# More pages at once than a transaction may index: they are still found as soon as they are visible.
send POST $S/change-requests edit '{"subject":"many"}'
N=$(jq -r .number "$out")
i=0
while [ $i -lt 21 ]; do
	i=$((i + 1))
	jq -cn '{changes: [range(50) | {operation: "insert_page", title: "Bird \('$i' * 50 + .)", document: {markdown: "A hoopoe. [next](bird-1.md)"}}]}' >"$tmp/many"
	[ "$(send POST "$S/change-requests/$N/content?compat=false" edit @"$tmp/many"; echo $code)" = 200 ] || fail 'a batch of 50 pages is written' "$code"
done
t '1,050 unmerged pages are not found' GET "$S/search?query=hoopoe&limit=0" read '' 200 '.count == 0'
merged
t '1,050 merged pages are found' GET "$S/search?query=hoopoe&limit=1" read '' 200 '.count == 1050'
t 'the links of 1,050 merged pages are known' GET "$S/links?limit=0" read '' 200 '.stats.total == 1050'
t 'the space is deleted at the end' DELETE $S create '' 204 ''
