# A request moves a page that main deletes with the page below it; pages are reverted after main
# deleted them: how each is resolved, for either side. A mention of a deleted page keeps its label.
t 'a space for moves is created' POST /v1/orgs/$ORG/spaces create '{"title":"Moves"}' 201 ''
S=/v1/spaces/$(jq -r .id "$out") C=$S/change-requests
open_request() { send POST $C edit "{\"subject\":\"$1\"}"; N=$(jq -r .number "$out"); }
write() { w_name=$1 w_body=$2 w_code=$3 w_expr=$4; shift 4; t "$w_name" POST "$C/$N/content?compat=false" edit "$w_body" "$w_code" "$w_expr" "$@"; }
paths() { t "$1" GET $2/content/pages read '' 200 '[.. | .path? // empty] == '"$3"; }

# The request has shelf/box(dot); main has neither box nor dot any more.
moved_and_deleted() { # NAME of the box
	open_request pages
	write "a page and one below it are inserted: $1" \
		'{"changes":[{"operation":"insert_page","ref":"box","slug":"'$1'","title":"Box","document":{"markdown":"the box"}},
		{"operation":"insert_page","into":"box","title":"Dot","document":{"markdown":"the dot"}}]}' 200 ''
	B=$(jq -r '.changes[0].page.id' "$out") D=$(jq -r '.changes[1].page.id' "$out")
	t "the pages are merged: $1" POST $C/$N/merge review '' 200 '.result == "merge"'
	open_request moves; Q=$N
	write "a request moves the upper page: $1" '{"changes":[{"operation":"update_page","page":"'$B'","into":"'$H'"}]}' 200 ''
	open_request deletes
	write "another request deletes the upper page: $1" '{"changes":[{"operation":"delete_page","page":"'$B'"}]}' 200 ''
	t "the deletion merges: $1" POST $C/$N/merge review '' 200 '.result == "merge"'
	N=$Q clash='.result == "conflicts" and .conflicts == [{"page":"'$B'","title":"Box","kind":"deleted","base":"Box","ours":"Box"}]'
	t "a merge names the conflict: $1" POST $C/$N/merge review '' 200 "$clash"
	t "an update names the conflict: $1" POST $C/$N/update edit '' 200 "$clash"
	paths "an update keeps the moved pages in the request: $1" $C/$N '["shelf", "shelf/'$1'", "shelf/'$1'/dot"]'
	t "the page below keeps its text: $1" GET "$C/$N/content/page/$D?format=markdown" read '' 200 '.markdown == "# Dot\n\nthe dot"'
}
open_request shelf
write 'the page to move to is inserted' '{"changes":[{"operation":"insert_page","title":"Shelf","document":{"markdown":"x"}}]}' 200 ''
H=$(jq -r '.changes[0].page.id' "$out")
t 'the page to move to is merged' POST $C/$N/merge review '' 200 '.result == "merge"'

moved_and_deleted none
write 'the conflict is resolved by deleting both pages' '{"changes":[{"operation":"delete_page","page":"'$B'"}]}' 200 \
	'[.changes[].page] | sort == (["'$B'", "'$D'"] | sort)'
t 'the deletion of both pages merges' POST $C/$N/merge review '' 200 '.result == "merge"'
paths 'main has neither of the deleted pages' $S '["shelf"]'
moved_and_deleted neither
write 'a revert of the upper page alone is refused' '{"changes":[{"operation":"revert_page","page":"'$B'"}]}' 400 '.error.message | contains("\"Dot\" ('$D')")'
write 'the conflict is resolved by reverting both pages' '{"changes":[{"operation":"revert_page","page":"'$B'"},{"operation":"revert_page",
	"page":"'$D'"}]}' 200 '[.changes[].object] == ["deleted_page", "deleted_page"]'
t 'the revert of both pages merges' POST $C/$N/merge review '' 200 '.result == "merge"'
paths 'main has neither of the reverted pages' $S '["shelf"]'
moved_and_deleted both
write 'the conflict is resolved by keeping the moved page' '{"changes":[{"operation":"update_page","page":"'$B'"}]}' 200 ''
t 'the moved page merges' POST $C/$N/merge review '' 200 '.result == "merge"'
paths 'main has the moved page with the page below' $S '["shelf", "shelf/both", "shelf/both/dot"]'
t 'the page below has its text in main' GET "$S/content/page/$D?format=markdown" read '' 200 '.markdown == "# Dot\n\nthe dot"'

# The request adds a page below a deleted one, moves it away, and reverts the parent in a later call.
open_request adds; Q=$N
write 'a request inserts a page below another' '{"changes":[{"operation":"insert_page","title":"Mine","into":"'$B'","document":{"markdown":"mine"}}]}' 200 ''
M=$(jq -r '.changes[0].page.id' "$out")
open_request deletes
write 'another request deletes the upper page' '{"changes":[{"operation":"delete_page","page":"'$B'"}]}' 200 ''
t 'the deletion of the upper page merges' POST $C/$N/merge review '' 200 '.result == "merge"'
N=$Q
t 'an update names the missing parent' POST $C/$N/update edit '' 200 '.conflicts == [{"page":"'$M'","title":"Mine","kind":"parent","other":"'$B'"}]'
write 'the inserted page is moved away' '{"changes":[{"operation":"update_page","page":"'$M'","into":"'$H'"}]}' 200 ''
t 'the deleted upper page answers 404 in the request' GET $C/$N/content/page/$B read '' 404 ''
write 'a revert of the deleted upper page changes nothing' '{"changes":[{"operation":"revert_page","page":"'$B'"}]}' 200 \
	'.changes == [{"object":"deleted_page","page":"'$B'"}]'
write 'a revert of an unknown page answers 404' '{"changes":[{"operation":"revert_page","page":"'$Q$B'"}]}' 404 ''
write 'a page that main deleted cannot be deleted' '{"changes":[{"operation":"delete_page","page":"'$B'"}]}' 404 ''
t 'the request with the moved page merges' POST $C/$N/merge review '' 200 '.result == "merge"'
paths 'main has the page that was moved away' $S '["shelf", "shelf/mine"]'

# A mention of a deleted page: its label is in the document, and comes back from document and Markdown.
open_request mentions
write 'a broken mention is written' '{"changes":[{"operation":"insert_page","title":"Names",
	"document":{"markdown":"See [Old guide](/broken/pages/x1 \"mention\").\n\nMore.\n"}}]}' 200 ''
P=$(jq -r '.changes[0].page.id' "$out")
same_bytes='.markdown == "# Names\n\nSee [Old guide](/broken/pages/x1 \"mention\").\n\nMore.\n"'
t 'a broken mention is read as a link with its label' GET $C/$N/content/page/$P read '' 200 \
	'[.document | .. | objects | select(.type? == "link") | .data.title, .nodes[0].leaves[0].text] == ["mention", "Old guide"]'
t 'a broken mention keeps its source' GET "$C/$N/content/page/$P?format=markdown" read '' 200 "$same_bytes"
get $C/$N/content/page/$P
jq -c '{changes: [{operation: "insert_page", title: "Names", document: {document}}]}' "$out" >"$tmp/names_again"
t 'another page is written from the document' POST $C/$N/content edit @$tmp/names_again 200 ''
t 'a page written from the document has the same source' GET "$C/$N/content/path/names-1?format=markdown" read '' 200 "$same_bytes"
