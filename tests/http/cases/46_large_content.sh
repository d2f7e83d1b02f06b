# Large documents, which are parsed before the write transaction, get the same responses as small ones.
t 'a space for large documents is created' POST /v1/orgs/$ORG/spaces create '{"title":"Large"}' 201 ''
S=/v1/spaces/$(jq -r .id "$out") C=$S/change-requests
send POST $C edit '{"subject":"large"}'
N=$(jq -r .number "$out")
many=$(awk 'BEGIN { for (i = 0; i < 800; i++) printf "*   Item %d with [a link](./b.md)\\n", i }')
t 'a large page and one that it links to are inserted' POST "$C/$N/content?compat=false" edit '{"changes":[
	{"operation":"insert_page","ref":"a","title":"Alpha","document":{"markdown":"'"$many"'"}},
	{"operation":"insert_page","ref":"b","title":"Beta","document":{"markdown":"b"}}]}' 200 '[.changes[].ref] == ["a", "b"]'
A=$(jq -r '.changes[0].page.id' "$out") B=$(jq -r '.changes[1].page.id' "$out")
t 'the links of a large page have their targets' GET $C/$N/content/page/$A read '' 200 \
	'[.document | .. | objects | select(.type? == "link").data.ref.page] == [range(800) | "'$B'"]'
t 'the text of a large page is as it was sent' GET "$C/$N/content/page/$A?format=markdown" read '' 200 '.markdown | test("\n[*]   Item 799 with [[]a link[]]")'
t 'a large page is replaced by a small one' POST "$C/$N/content" edit '{"changes":[{"operation":"update_page","page":"'$A'",
	"document":{"markdown":"* Item 0 with [a link](beta.md)\n* New\n"}}]}' 200 ''
t 'a replaced large page has its new text' GET "$C/$N/content/page/$A?format=markdown" read '' 200 '.markdown | contains("New")'
t 'a refused large document is named by its page' POST "$C/$N/content" edit '{"changes":[{"operation":"update_page","page":"'$A'","title":"x"},
	{"operation":"update_page","page":"nope","document":{"markdown":"'"$many"'"}}]}' 404 '.error.message | contains("nope")'
deep=$(awk 'BEGIN { for (i = 0; i < 9000; i++) printf "- "; for (i = 0; i < 9000; i++) printf "\\n" }')
t 'a document that nests too deep for its length is refused' POST "$C/$N/content" edit '{"changes":[{"operation":"update_page","page":"'$A'",
	"document":{"markdown":"x\n\n'"$deep"'"}}]}' 400 '.fields[0].path == "/changes/0/document" and (.fields[0].message | test("nests"))'

# Merged, commented on, edited, updated: comments stay on their blocks, and merged content is found at once.
many=$(printf %s "$many" | sed "s/b[.]md/beta.md/g")
send POST "$C/$N/content" edit '{"changes":[{"operation":"update_page","page":"'$A'","document":{"markdown":"'"$many"'\n\nA last paragraph.\n"}}]}'
t 'a large page is merged' POST $C/$N/merge review '' 200 '.result == "merge"'
t 'a merged large page is found by search' GET "$S/search?query=last+paragraph" read '' 200 '.items | length == 1'
t 'the links of a merged large page are backlinks' GET "$S/content/page/$B/backlinks" read '' 200 \
	'[.. | objects | select(.page? == "'$A'" or .id? == "'$A'")] | length > 0'
last_key() { get $1/content/page/$A; jq -r '.document.nodes[-1].key' "$out"; }
K=$(last_key $S)
t 'a block of a large page takes a comment' POST $S/comments comment '{"body":{"markdown":"Hm."},"page":"'$A'","node":"'$K'"}' 200 '.target.node.id == "'$K'"'
ON_MAIN=$(jq -r .id "$out")
t 'an unknown block of a large page answers 404' POST $S/comments comment '{"body":{"markdown":"Hm."},"page":"'$A'","node":"nope"}' 404 ''
send POST $C edit '{"subject":"large again"}'
N=$(jq -r .number "$out")
t 'a comment is posted in a request' POST $C/$N/comments comment '{"body":{"markdown":"Hm."},"page":"'$A'","node":"'$K'"}' 200 ''
ON_REQUEST=$(jq -r .id "$out")
t 'the commented block is edited in the request' POST "$C/$N/content" edit '{"changes":[{"operation":"update_page","page":"'$A'",
	"document":{"markdown":"'"$many"'\n\nA very last paragraph.\n"}}]}' 200 ''
same 'an edited block has another key' no "$([ "$(last_key $C/$N)" = "$K" ] && echo yes || echo no)"
t 'a comment in the request follows the edited block' GET $C/$N/comments/$ON_REQUEST comment '' 200 '.target.node.id == "'$(last_key $C/$N)'"'
t 'a comment in the space stays before the merge' GET $S/comments/$ON_MAIN comment '' 200 '.target.node.id == "'$K'"'
send POST $C edit '{"subject":"large elsewhere"}'
M=$(jq -r .number "$out")
t 'a comment is posted in another request' POST $C/$M/comments comment '{"body":{"markdown":"Hm."},"page":"'$A'","node":"'$K'"}' 200 ''
ON_OTHER=$(jq -r .id "$out")
t 'the edited large page is merged' POST $C/$N/merge review '' 200 '.result == "merge"'
t 'a comment in the space follows the block after the merge' GET $S/comments/$ON_MAIN comment '' 200 '.target.node.id == "'$(last_key $S)'"'
t 'another request is updated with the large page' POST $C/$M/update edit '' 200 '.result == "update"'
t 'a comment in an updated request follows the block' GET $C/$M/comments/$ON_OTHER comment '' 200 '.target.node.id == "'$(last_key $S)'"'

# Links are resolved before the transaction as well; a batch that moves a target of its own page is prepared again.
send POST $C edit '{"subject":"moves"}'
N=$(jq -r .number "$out")
t 'a batch moves the target of a large page that it writes' POST "$C/$N/content?compat=false" edit \
	'{"changes":[{"operation":"update_page","page":"'$B'","slug":"gamma"},
	{"operation":"update_page","page":"'$A'","document":{"markdown":"'"$many"'\n\nMoved.\n"}}]}' 200 '[.changes[].page.id] == ["'$B'", "'$A'"]'
t 'links to a page that the batch moves keep their target' GET $C/$N/content/page/$A read '' 200 \
	'[.document | .. | objects | select(.type? == "link").data.ref.page] == [range(800) | "'$B'"]'
several=$(awk 'BEGIN { for (i = 0; i < 2100; i++) printf "[l](beta.md?%d) [n](no/%d.md)\n", i, i }' | sed 's/$/\\n/' | tr -d '\n')
send POST $C edit '{"subject":"many links"}'
N=$(jq -r .number "$out")
t 'a page of 4,200 links is written' POST "$C/$N/content" edit '{"changes":[{"operation":"insert_page","title":"Links",
	"document":{"markdown":"'"$several"'"}}]}' 200 ''
t 'a page of 4,200 links is merged' POST $C/$N/merge review '' 200 '.result == "merge"'
jobs_rest
t 'the links of a page are recorded up to 5,000' GET "$S/links?limit=0" read '' 200 '.stats.total == 5000 and .stats.broken.total == 2100'
t 'the space of large documents is deleted' DELETE $S admin '' 204 ''
