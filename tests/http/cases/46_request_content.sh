# The content of change requests: editing, comparing, merging, conflicts and their resolution.
t 'a space for writing is created' POST /v1/orgs/$ORG/spaces create '{"title":"Writing"}' 201 ''
S=/v1/spaces/$(jq -r .id "$out") C=$S/change-requests
open_request() { send POST $C edit "{\"subject\":\"$1\"}"; N=$(jq -r .number "$out"); }
write() { w_name=$1 w_body=$2 w_code=$3 w_expr=$4; shift 4; t "$w_name" POST "$C/$N/content?compat=false" edit "$w_body" "$w_code" "$w_expr" "$@"; }
page_id() { get "$C/$N/content/path/$1"; jq -r .id "$out"; }

# Three pages that link to one another in any order; a file.
open_request first
write 'pages and files are inserted in one batch' '{"changes":[
	{"operation":"insert_page","ref":"a","title":"Alpha","icon":"rocket","document":{"markdown":"See [B](./b.md), [C](c.md#part) and ![dot](./dot.txt)."}},
	{"operation":"insert_page","ref":"b","document":{"markdown":"---\ndescription: Second\n---\n\n# Beta\n\nBack to [A](./a.md).\n"}},
	{"operation":"insert_page","ref":"c","title":"Gamma","at":0,"document":{"document":{"object":"document","data":{},"nodes":[{"object":"block",
		"type":"paragraph","nodes":[{"object":"text","leaves":[{"object":"leaf","text":"Plain.","marks":[]}]}]}]}}},
	{"operation":"insert_files","files":[{"ref":"dot.txt","name":"dot.txt","contentType":"text/plain","base64":"ZG90Cg=="}]}]}' 200 \
	'[.changes[] | [.object, .ref]] == [["created_page", "a"], ["created_page", "b"], ["created_page", "c"]]
	and .insertedFiles[0].name == "dot.txt" and .insertedFiles[0].size == 4 and .changeRequest.number == '$N
A=$(jq -r '.changes[0].page.id' "$out") B=$(jq -r '.changes[1].page.id' "$out") G=$(jq -r '.changes[2].page.id' "$out")
F=$(jq -r '.insertedFiles[0].id' "$out") R=$(jq -r .changeRequest.revision "$out") Q=$(jq -r .changeRequest.id "$out")
t 'a page is inserted at its position' GET $C/$N/content/pages read '' 200 '[.pages[].title] == ["Gamma", "Alpha", "Beta"]'
t 'frontmatter and heading become title and description' GET $C/$N/content/page/$B read '' 200 \
	'.title == "Beta" and .description == "Second" and .path == "beta"'
t 'links between inserted pages become ids' GET $C/$N/content/page/$A read '' 200 \
	'[.document | .. | objects | select(.type? == "link" or .type? == "image" or .type? == "inline-image").data.ref]
	| . == [{"kind":"page","page":"'$B'"},{"kind":"anchor","anchor":"part","page":"'$G'"},{"kind":"file","file":"'$F'"}]'
t 'an inserted document becomes Markdown' GET "$C/$N/content/page/$G?format=markdown" read '' 200 '.markdown == "# Gamma\n\nPlain.\n"'
t 'an inserted page has its icon' GET $C/$N/content/path/alpha read '' 200 '.icon == "rocket"'
t 'an inserted file has its type' GET $C/$N/content/files/$F read '' 200 '.contentType == "text/plain"'
t 'an inserted file is listed' GET $C/$N/content/files read '' 200 '.count == 1'
t 'inserted pages are not in main before the merge' GET $S/content/pages read '' 200 '.pages == []'
t 'a page of a request links to the request in the app' GET $C/$N/content/page/$A read '' 200 '.urls.app | endswith("/requests/'$Q'/pages/'$A'")'
t 'the revision of a request has its pages' GET $C/$N/content read '' 200 '.id == "'$R'" and (.pages | length) == 3'
t 'the revision of a request is readable by id' GET $S/revisions/$R read '' 200 '.id == "'$R'"'

# All or nothing, with errors that name the place.
write 'a batch with an unknown page answers 404' '{"changes":[{"operation":"update_page","page":"'$A'","title":"Changed"},
	{"operation":"delete_page","page":"nope"}]}' 404 ''
t 'a refused batch changed nothing' GET $C/$N/content/page/$A read '' 200 '.title == "Alpha"'
write 'an unknown operation is refused with those there are' '{"changes":[{"operation":"explode"}]}' 400 \
	'.fields[0] == {path: "/changes/0/operation", message: "must be one of insert_page,update_page,delete_page,revert_page,insert_files,update_file,delete_file"}'
write 'a change without an operation is refused' '{"changes":[{"page":"x"}]}' 400 \
	'.fields[0].path == "/changes/0/operation" and (.fields[0].message | startswith("is required"))'
write 'an empty batch is refused' '{"changes":[]}' 400 ''
write 'a page cannot be moved into itself' '{"changes":[{"operation":"update_page","page":"'$A'","into":"'$A'"}]}' 400 '.error.message | test("itself")'
write 'a slug that is taken is refused' '{"changes":[{"operation":"update_page","page":"'$A'","slug":"beta"}]}' 400 '.error.message | test("path")'
write 'a slug of other characters is refused' '{"changes":[{"operation":"update_page","page":"'$A'","slug":"Böse"}]}' 400 \
	'.fields[0].path == "/changes/0/slug"'
write 'a ref that is there twice is refused' '{"changes":[{"operation":"insert_page","ref":"x","document":{}},{"operation":"insert_page","ref":"x",
	"document":{}}]}' 400 ''
file() { printf '{"changes":[{"operation":"insert_page","document":{}},{"operation":"insert_files","files":[{"name":"ok","contentType":"text/plain",'\
'"base64":""},{%s}]}]}' "$1"; }
write 'a file without content is refused' "$(file '"name":"a"')" 400 '.fields[0] == {path: "/changes/1/files/1/base64", message: "is required"}'
write 'a file with two sources is refused' "$(file '"name":"a","contentType":"text/plain","url":"https://example.com/a","base64":"aGk="')" 400 \
	'.fields[0].path == "/changes/1/files/1"'
write 'a file with a line break in its type is refused' "$(file '"name":"a","contentType":"text/plain\r\nX-A: b","base64":"aGk="')" 400 \
	'.fields[0].path == "/changes/1/files/1/contentType"'
write 'a file name with a slash is refused' "$(file '"name":"a/b","contentType":"text/plain","base64":"aGk="')" 400 \
	'.fields[0].path == "/changes/1/files/1/name"'
write 'a file name with a line break is refused' "$(file '"name":"a\nb","contentType":"text/plain","base64":"aGk="')" 400 \
	'.fields[0].path == "/changes/1/files/1/name"'
write 'a page with two bodies is refused' '{"changes":[{"operation":"insert_page","document":{"markdown":"x","document":{"object":"document",
	"data":{},"nodes":[]}}}]}' 400 '.fields[0].path == "/changes/0/document"'
write 'a document without an object is refused' '{"changes":[{"operation":"insert_page","document":{"document":{}}}]}' 400 \
	'.fields[0] == {path: "/changes/0/document/document", message: "is no document: object must be \"document\""}'
write 'a slug that the batch takes itself is refused' '{"changes":[{"operation":"insert_page","title":"Fine","document":{}},
	{"operation":"update_page","page":"'$A'","slug":"fine"}]}' 400 '.fields[0].path == "/changes/0"'
write 'a file by URL is refused with the operation that fetches' '{"changes":[{"operation":"insert_files","files":[{"name":"x.png",
	"url":"https://example.com/x.png"}]}]}' 400 '.fields[0].message | contains("/files, or send base64")'
write 'damaged base64 is refused' '{"changes":[{"operation":"insert_files","files":[{"name":"x.png","contentType":"image/png","base64":"%%"}]}]}' 400 ''
write 'an unknown block type is refused' '{"changes":[{"operation":"insert_page","document":{"document":{"object":"document","data":{},
	"nodes":[{"object":"block","type":"nonsense"}]}}}]}' 400 '.fields[0].path == "/changes/0/document/document/nodes/0"'
write 'a batch with another ETag answers 412' '{"changes":[{"operation":"update_page","page":"'$A'","title":"Late"}]}' 412 '' 'If-Match: "xxx"'
write 'a batch with the current ETag is written' '{"changes":[{"operation":"update_page","page":"'$A'","title":"Alpha one"}]}' 200 \
	'.changes[0].object == "updated_page"' "If-Match: W/\"$R\""
t 'a reader writes no content' POST $C/$N/content read '{"changes":[{"operation":"delete_page","page":"'$A'"}]}' 403 ''
write 'a file needs no type' '{"changes":[{"operation":"insert_files","files":[{"name":"typeless.png","base64":"aGk="},{"name":"typeless",
	"base64":"aGk="}]}]}' 200 '[.insertedFiles[].size] == [2, 2]'
write 'a type of a file may have parameters' '{"changes":[{"operation":"insert_files","files":[{"name":"a.txt",
	"contentType":"text/plain; charset=utf-8","base64":"aGk="}]}]}' 200 '.insertedFiles[0].size == 2'
t 'with compat a batch answers the request' POST $C/$N/content edit '{"changes":[{"operation":"update_page","page":"'$A'","title":"Alpha"}]}' 200 \
	'.object == "change-request"'

# An edited page keeps the bytes of unchanged blocks.
write 'unusual Markdown is written' '{"changes":[{"operation":"update_page","page":"'$B'","document":{"markdown":"One\n\n-   odd bullet\n\nTwo\n"}}]}' 200 ''
write 'one block of unusual Markdown is edited' '{"changes":[{"operation":"update_page","page":"'$B'",
	"document":{"markdown":"One\n\n* odd bullet\n\nTwo and more\n"}}]}' 200 ''
t 'an edit keeps the bytes of the other blocks' GET "$C/$N/content/page/$B?format=markdown" read '' 200 \
	'.markdown == "# Beta\n\nOne\n\n-   odd bullet\n\nTwo and more\n"'

# Moves; children; the list of changes.
write 'a page is moved below another' '{"changes":[{"operation":"update_page","page":"'$B'","into":"'$A'","at":0}]}' 200 ''
t 'a moved page is found by its new path' GET $C/$N/content/path/alpha/beta read '' 200 '.id == "'$B'"'
t 'the changes of a request are listed with diffs' GET "$C/$N/changes?diff=true" read '' 200 \
	'([.changes[].type] | sort) == ["file_created", "file_created", "file_created", "file_created", "page_created", "page_created", "page_created"]
	and (.changes[0].diff | startswith("--- /dev/null"))'
t 'a limited list of changes says how many more there are' GET "$C/$N/changes?limit=1" read '' 200 '(.changes | length) == 1 and .more == 6'
t 'a later part of them begins after an offset' GET "$C/$N/changes?limit=2&offset=1" read '' 200 '(.changes | length) == 2 and .more == 4'
t 'the last part has no more after it' GET "$C/$N/changes?limit=2&offset=5" read '' 200 '(.changes | length) == 2 and (has("more") | not)'
get "$C/$N/changes" && jq -c '.changes[] | [.type, .page.id, .file.id]' "$out" >"$tmp/changes_whole"
for rc_at in 0 3 6; do get "$C/$N/changes?limit=3&offset=$rc_at" && jq -c '.changes[] | [.type, .page.id, .file.id]' "$out"; done >"$tmp/changes_parts"
same 'the parts are the whole list' "$(cat "$tmp/changes_whole")" "$(cat "$tmp/changes_parts")"
t 'after the last change there are none' GET "$C/$N/changes?offset=100" read '' 200 '. == {changes: []}'
t 'an editor may not merge' POST $C/$N/merge edit '' 403 ''
t 'a reviewer merges the request' POST $C/$N/merge review '' 200 '.result == "merge"'
M=$(jq -r .revision "$out")
t 'main has the merged pages' GET $S/content read '' 200 '.id == "'$M'" and [.. | .path? // empty] == ["gamma", "alpha", "alpha/beta"]'
t 'a merged request names its revision' GET $C/$N read '' 200 '.status == "merged" and .revisionMerged == "'$M'" and .outdated == false'
t 'a merged request is not merged again' POST $C/$N/merge review '' 409 ''
write 'a merged request takes no writes' '{"changes":[{"operation":"delete_page","page":"'$A'"}]}' 409 ''
t 'a merged revision lists its changes and the request' GET $S/revisions/$M/changes read '' 200 \
	'([.changes[].type] | contains(["page_created"])) and .mergedFrom.number == '$N
t 'a merged page is found by search' GET "$S/search?query=odd+bullet" read '' 200 '.items[0].id == "'$B'"'

# Old paths redirect, also below a moved section.
open_request moves
write 'a section gets another slug' '{"changes":[{"operation":"update_page","page":"'$A'","title":"Omega","slug":"omega"}]}' 200 ''
t 'the renamed section is merged' POST $C/$N/merge review '' 200 '.result == "merge"'
t 'a renamed section is found by its new path' GET $S/content/path/omega read '' 200 '.id == "'$A'"'
t 'a renamed section is found by its old path' GET $S/content/path/alpha read '' 200 '.id == "'$A'"'
t 'a page below a renamed section is found by its old path' GET $S/content/path/alpha/beta read '' 200 '.id == "'$B'" and .path == "omega/beta"'
t 'a page that links to a renamed section is readable' GET "$S/content/page/$B?format=markdown" read '' 200 ''

# A conflict: both changed one line.
open_request left; L=$N
open_request right; Q=$N
N=$L write 'a request edits a line' '{"changes":[{"operation":"update_page","page":"'$G'","document":{"markdown":"Left."}}]}' 200 ''
N=$Q write 'another request edits the same line and a title' '{"changes":[{"operation":"update_page","page":"'$G'",
	"document":{"markdown":"Right."}},{"operation":"update_page","page":"'$B'","title":"Beta two"}]}' 200 ''
t 'the first edit of the line merges' POST $C/$L/merge review '' 200 '.result == "merge"'
M=$(jq -r .revision "$out")
t 'a merge makes the other request outdated' GET $C/$Q read '' 200 '.outdated'
t 'two edits of one line conflict with base, ours and theirs' POST $C/$Q/merge review '' 200 '.result == "conflicts" and .revision == "'$M'" and
	.conflicts == [{"page":"'$G'","title":"Gamma","kind":"text","base":"Plain.\n","ours":"Right.","theirs":"Left."}]'
t 'a merge with conflicts changes nothing in main' GET $S/content/page/$B read '' 200 '.title == "Beta"'
t 'an update reports the conflict' POST $C/$Q/update edit '' 200 '.result == "conflicts" and (.conflicts | length) == 1'
t 'an updated request is based on main' GET $C/$Q read '' 200 '.outdated == false and .revisionMergedAncestor == "'$M'"'
t 'an update alone does not resolve a conflict' POST $C/$Q/merge review '' 200 '.result == "conflicts"'
N=$Q write 'an edit resolves the conflict' '{"changes":[{"operation":"update_page","page":"'$G'","document":{"markdown":"Left and right."}}]}' 200 ''
t 'a resolved conflict merges' POST $C/$Q/merge review '' 200 '.result == "merge"'
t 'main has the text that resolved the conflict' GET "$S/content/page/$G?format=markdown" read '' 200 '.markdown | contains("Left and right.")'
t 'the change beside the conflict is merged too' GET $S/content/page/$B read '' 200 '.title == "Beta two"'

# Both edit one page at different places: no conflict.
open_request top; L=$N
open_request bottom; Q=$N
N=$L write 'a request edits the top of a page' '{"changes":[{"operation":"update_page","page":"'$B'",
	"document":{"markdown":"Zero\n\n-   odd bullet\n\nTwo and more\n"}}]}' 200 ''
N=$Q write 'another request edits the bottom of the page' '{"changes":[{"operation":"update_page","page":"'$B'",
	"document":{"markdown":"One\n\n-   odd bullet\n\nThree\n"}}]}' 200 ''
t 'the edit of the top merges' POST $C/$L/merge review '' 200 '.result == "merge"'
t 'the edit of the bottom merges' POST $C/$Q/merge review '' 200 '.result == "merge"'
t 'edits of different blocks are both in main' GET "$S/content/page/$B?format=markdown" read '' 200 \
	'.markdown == "# Beta two\n\nZero\n\n-   odd bullet\n\nThree\n"'

# Delete against edit; two pages at one path.
open_request deletes; L=$N
open_request edits; Q=$N
N=$L write 'a request deletes a page and inserts another' '{"changes":[{"operation":"delete_page","page":"'$G'"},{"operation":"insert_page",
	"title":"Same","document":{"markdown":"from the left"}}]}' 200 '.changes[0] == {"object":"deleted_page","page":"'$G'"}'
N=$Q write 'another request edits the page and inserts at the same path' \
	'{"changes":[{"operation":"update_page","page":"'$G'","title":"Gamma two"},{"operation":"insert_page","title":"Same",
	"document":{"markdown":"from the right"}}]}' 200 ''
t 'the deletion merges' POST $C/$L/merge review '' 200 '.result == "merge"'
t 'an edit of a deleted page and a taken path conflict' POST $C/$Q/merge review '' 200 \
	'.result == "conflicts" and ([.conflicts[].kind] | sort) == ["deleted", "path"]'
t 'an update takes the conflicts in' POST $C/$Q/update edit '' 200 '.result == "conflicts"'
t 'of two pages at one path one gets another slug' GET $C/$Q/content/pages read '' 200 '[.. | .path? // empty] | contains(["same", "same-1"])'
N=$Q write 'the edit of the deleted page is reverted' '{"changes":[{"operation":"revert_page","page":"'$G'"}]}' 200 ''
t 'a reverted page that main deleted answers 404' GET $C/$Q/content/page/$G read '' 404 ''
D=$(N=$Q page_id same-1)
N=$Q write 'the page with the other slug is kept' '{"changes":[{"operation":"update_page","page":"'$D'","title":"Same on the left"}]}' 200 ''
t 'the request with both conflicts resolved merges' POST $C/$Q/merge review '' 200 '.result == "merge"'
t 'main has both pages and not the deleted one' GET $S/content/pages read '' 200 \
	'[.. | .path? // empty] | contains(["same", "same-1"]) and (contains(["gamma"]) | not)'

# Reverting.
open_request reverts
write 'a request edits a page and inserts another' '{"changes":[{"operation":"update_page","page":"'$B'",
	"document":{"markdown":"Zero changed\n\n-   odd bullet\n\nThree changed\n"}},{"operation":"insert_page","title":"Extra",
	"document":{"markdown":"x"}}]}' 200 ''
E=$(page_id extra)
get $C/$N/content/page/$B
K=$(jq -r '.document.nodes[0].key' "$out")
write 'one block is reverted' '{"changes":[{"operation":"revert_page","page":"'$B'","block":["'$K'"]}]}' 200 ''
t 'a revert of a block keeps the other edits' GET "$C/$N/content/page/$B?format=markdown" read '' 200 \
	'.markdown == "# Beta two\n\nZero\n\n-   odd bullet\n\nThree changed\n"'
get $S/content/page/$B
K3=$(jq -r '.document.nodes[2].key' "$out")
write 'a block is reverted by its key in main' '{"changes":[{"operation":"revert_page","page":"'$B'","block":["'$K3'"]}]}' 200 ''
t 'a reverted block is back in its place' GET "$C/$N/content/page/$B?format=markdown" read '' 200 \
	'.markdown == "# Beta two\n\nZero\n\n-   odd bullet\n\nThree\n"'
write 'a page of one paragraph is inserted' '{"changes":[{"operation":"insert_page","title":"Pair","document":{"markdown":"First."}}]}' 200 ''
P=$(page_id pair) R1=$(get $C/$N; jq -r .revision "$out")
write 'the page gets two other paragraphs' '{"changes":[{"operation":"update_page","page":"'$P'","document":{"markdown":"Third.\n\nFourth.\n"}}]}' 200 ''
get $C/$N/content/page/$P
K=$(jq -r '.document.nodes[1].key' "$out")
write 'a block of an older revision is restored' '{"changes":[{"operation":"revert_page","page":"'$P'","revision":"'$R1'",
	"block":["'$(get $S/revisions/$R1/page/$P; jq -r '.document.nodes[0].key' "$out")'"]}]}' 200 ''
t 'a restored block is a block of its own' GET $C/$N/content/page/$P read '' 200 \
	'[.document.nodes[].nodes[0].leaves[0].text] | sort == ["First.", "Fourth.", "Third."]'
write 'the page is deleted' '{"changes":[{"operation":"delete_page","page":"'$P'"}]}' 200 ''
write 'a revert of an unknown block is refused' '{"changes":[{"operation":"revert_page","page":"'$B'","block":["nope"]}]}' 400 ''
write 'an edited and an inserted page are reverted' '{"changes":[{"operation":"revert_page","page":"'$B'"},{"operation":"revert_page","page":"'$E'"}]}' 200 ''
t 'a request with everything reverted has no changes' GET $C/$N/changes read '' 200 '.changes == []'
t 'a request without changes merges' POST $C/$N/merge review '' 200 '.result == "merge"'
open_request 'back to an old revision'
write 'a page is reverted to an older revision' '{"changes":[{"operation":"revert_page","page":"'$B'","revision":"'$R'"}]}' 200 ''
t 'a page reverted to a revision has its text' GET "$C/$N/content/page/$B?format=markdown" read '' 200 '.markdown | contains("Back to [A]")'

# Locked, archived.
t 'a request is archived' PATCH $C/$N edit '{"status":"archived"}' 200 ''
write 'an archived request takes no writes' '{"changes":[{"operation":"delete_page","page":"'$B'"}]}' 409 ''
t 'an archived request does not merge' POST $C/$N/merge review '' 409 ''
t 'an archived request is not updated' POST $C/$N/update edit '' 409 ''
open_request locked
t 'the space is locked' PATCH $S create '{"editMode":"locked"}' 200 ''
write 'a request of a locked space takes no writes' '{"changes":[{"operation":"delete_page","page":"'$B'"}]}' 403 '.error.message | test("locked")'
t 'a request of a locked space does not merge' POST $C/$N/merge review '' 403 ''
t 'the space is unlocked' PATCH $S create '{"editMode":"live"}' 200 ''

# A batch that moves pages below themselves, and continues there.
open_request circles
write 'an upper page is inserted' '{"changes":[{"operation":"insert_page","title":"Upper","document":{"markdown":"x"}}]}' 200 ''
U=$(page_id upper)
write 'a page below it is inserted' '{"changes":[{"operation":"insert_page","title":"Lower","into":"'$U'","document":{"markdown":"x"}}]}' 200 ''
L=$(page_id upper/lower)
write 'a batch that makes a circle of pages is refused' '{"changes":[{"operation":"update_page","page":"'$U'","into":"'$L'"},
	{"operation":"insert_page","title":"In it","into":"'$L'","document":{"markdown":"x"}}]}' 400 '.error.message | contains("below itself")'
write 'a batch that moves a page into itself is refused' '{"changes":[{"operation":"update_page","page":"'$U'","into":"'$U'"},
	{"operation":"insert_page","title":"In it","into":"'$U'","document":{"markdown":"x"}}]}' 400 '.error.message | contains("below itself")'

# At most a hundred levels of pages, added one by one or moved together.
deep=$L level=2 above=$U
while [ $level -lt 100 ]; do
	send POST "$C/$N/content?compat=false" edit '{"changes":[{"operation":"insert_page","title":"P","into":"'$deep'","document":{"markdown":"x"}}]}'
	above=$deep deep=$(jq -r '.changes[0].page.id' "$out") level=$((level + 1))
done
write 'a page on level 101 is refused' '{"changes":[{"operation":"insert_page","title":"P","into":"'$deep'","document":{"markdown":"x"}}]}' 400 \
	'.error.message | contains("100 levels")'
write 'a page to be moved is inserted' '{"changes":[{"operation":"insert_page","title":"Tail","document":{"markdown":"x"}}]}' 200 ''
D=$(page_id tail)
write 'a page below it is inserted' '{"changes":[{"operation":"insert_page","title":"Tip","into":"'$D'","document":{"markdown":"x"}}]}' 200 ''
write 'a move that reaches level 101 is refused' '{"changes":[{"operation":"update_page","page":"'$D'","into":"'$above'"}]}' 400 \
	'.error.message | contains("100 levels")'
t 'a tree of 100 levels is readable' GET $C/$N/content/pages read '' 200 ''
# jq cannot parse JSON of that depth.
same 'a tree of 100 levels has all its pages' 98 "$(grep -o '"title":"P"' "$out" | wc -l)"
t 'the first page of a tree of 100 levels is readable' GET $C/$N/content/page/$U read '' 200 ''

# Two changes of one page, each with links: all of them resolve after the merge.
open_request targets
write 'a page to link to is inserted' '{"changes":[{"operation":"insert_page","title":"Target","document":{"markdown":"x"}}]}' 200 ''
T=$(page_id target)
write 'a page with a link is inserted' '{"changes":[{"operation":"insert_page","title":"Links",
	"document":{"markdown":"top\n\nmiddle\n\nstill\n\nbottom [m](/pages/'$T')\n"}}]}' 200 ''
U=$(page_id links)
t 'the pages are merged' POST $C/$N/merge review '' 200 '.result == "merge"'
open_request upper; L=$N
open_request lower; Q=$N
N=$L write 'a request adds a link at the top' '{"changes":[{"operation":"update_page","page":"'$U'",
	"document":{"markdown":"top [a](/pages/'$T'#a)\n\nmiddle\n\nstill\n\nbottom [m](/pages/'$T')\n"}}]}' 200 ''
N=$Q write 'another request adds a link at the bottom' '{"changes":[{"operation":"update_page","page":"'$U'",
	"document":{"markdown":"top\n\nmiddle\n\nstill\n\nbottom [m](/pages/'$T') [z](/pages/'$T'#z)\n"}}]}' 200 ''
t 'the link at the top merges' POST $C/$L/merge review '' 200 '.result == "merge"'
t 'the link at the bottom merges' POST $C/$Q/merge review '' 200 '.result == "merge"'
t 'links of both requests have their targets' GET $S/content/page/$U read '' 200 \
	'[.document | .. | objects | select(.type? == "link").data.ref.kind] == ["anchor", "page", "anchor"]'

# An update merges lines within a page as well, and names every conflict.
open_request 'five lines'
write 'a page of five lines is inserted' '{"changes":[{"operation":"insert_page","title":"Lines","icon":"one",
	"document":{"markdown":"1\n\n2\n\n3\n\n4\n\n5\n"}}]}' 200 ''
P=$(page_id lines)
t 'the page of five lines is merged' POST $C/$N/merge review '' 200 '.result == "merge"'
open_request theirs; L=$N
open_request ours; Q=$N
N=$L write 'a request edits three lines and the icon' '{"changes":[{"operation":"update_page","page":"'$P'","title":"Their lines","icon":"two",
	"document":{"markdown":"1 theirs\n\n2\n\n3 theirs\n\n4\n\n5 theirs\n"}}]}' 200 ''
N=$Q write 'another request edits two of them and the icon' '{"changes":[{"operation":"update_page","page":"'$P'","icon":"three",
	"description":"Ours","document":{"markdown":"1 ours\n\n2\n\n3 ours\n\n4\n\n5\n"}}]}' 200 ''
t 'the first of the requests merges' POST $C/$L/merge review '' 200 '.result == "merge"'
t 'a merge names each conflict within a page' POST $C/$Q/merge review '' 200 '[.conflicts[] | [.kind, .base, .ours, .theirs]] == [
	["properties", "{\"icon\":\"one\"}", "{\"icon\":\"three\",\"description\":\"Ours\"}", "{\"icon\":\"two\"}"],
	["text", "1\n", "1 ours\n", "1 theirs\n"], ["text", "3\n", "3 ours\n", "3 theirs\n"]]'
t 'an update names each conflict within a page' POST $C/$Q/update edit '' 200 '[.conflicts[].kind] == ["properties", "text", "text"]'
t 'an update takes in what does not conflict' GET "$C/$Q/content/page/$P?format=markdown" read '' 200 \
	'.title == "Their lines" and .icon == "three" and .description == "Ours"
	and .markdown == "# Their lines\n\n1 ours\n\n2\n\n3 ours\n\n4\n\n5 theirs\n"'
t 'a second update reports the same conflicts' POST $C/$Q/update edit '' 200 '.result == "conflicts"'
N=$Q write 'the text of the page is written by hand' '{"changes":[{"operation":"update_page","page":"'$P'",
	"document":{"markdown":"1 both\n\n2\n\n3 ours\n\n4\n\n5 theirs\n"}}]}' 200 ''
t 'a page that was written by hand merges' POST $C/$Q/merge review '' 200 '.result == "merge"'
t 'a resolved page loses nothing in main' GET "$S/content/page/$P?format=markdown" read '' 200 \
	'.markdown == "# Their lines\n\n1 both\n\n2\n\n3 ours\n\n4\n\n5 theirs\n" and .icon == "three"'

# Two orders of the same pages.
open_request front; L=$N
open_request back; Q=$N
N=$L write 'a request moves a page to the front' '{"changes":[{"operation":"update_page","page":"'$P'","at":0}]}' 200 ''
N=$Q write 'another request moves the page one place up' '{"changes":[{"operation":"update_page","page":"'$P'","at":1}]}' 200 ''
t 'the move to the front merges' POST $C/$L/merge review '' 200 '.result == "merge"'
t 'two moves of one page conflict in position' POST $C/$Q/merge review '' 200 '.conflicts == [{"page":"'$P'","title":"Their lines","kind":"position"}]'

# Main adds pages below one that the request deletes: they are named, with the missing page.
open_request shelf
write 'a page for others is inserted' '{"changes":[{"operation":"insert_page","title":"Shelf","document":{"markdown":"x"}}]}' 200 ''
P=$(page_id shelf)
t 'the page for others is merged' POST $C/$N/merge review '' 200 '.result == "merge"'
open_request 'onto the shelf'; L=$N
open_request 'no shelf'; Q=$N
N=$L write 'a request inserts a page below it' '{"changes":[{"operation":"insert_page","title":"Book","into":"'$P'","document":{"markdown":"x"}}]}' 200 ''
B=$(N=$L page_id shelf/book)
N=$Q write 'another request deletes the page for others' '{"changes":[{"operation":"delete_page","page":"'$P'"}]}' 200 ''
t 'the page below it merges' POST $C/$L/merge review '' 200 '.result == "merge"'
t 'deleting a page that main added below conflicts as parent' POST $C/$Q/merge review '' 200 \
	'.conflicts == [{"page":"'$B'","title":"Book","kind":"parent","other":"'$P'"}]'
t 'an update reports the missing parent' POST $C/$Q/update edit '' 200 '.conflicts == [{"page":"'$B'","title":"Book","kind":"parent","other":"'$P'"}]'
N=$Q write 'a deleted page is deleted again with the page below' '{"changes":[{"operation":"delete_page","page":"'$P'"}]}' 200 \
	'[.changes[].page] | sort == (["'$P'", "'$B'"] | sort)'
t 'the deletion of both merges' POST $C/$Q/merge review '' 200 '.result == "merge"'
t 'main has the deleted page no more' GET $S/content/page/$B read '' 404 ''

# The same for a page deleted in the request and edited in main.
open_request again
write 'a page is inserted' '{"changes":[{"operation":"insert_page","title":"Leaf","document":{"markdown":"x"}}]}' 200 ''
P=$(page_id leaf)
t 'the page is merged' POST $C/$N/merge review '' 200 '.result == "merge"'
open_request green; L=$N
open_request fallen; Q=$N
N=$L write 'a request edits the page' '{"changes":[{"operation":"update_page","page":"'$P'","document":{"markdown":"green"}}]}' 200 ''
N=$Q write 'another request deletes the page' '{"changes":[{"operation":"delete_page","page":"'$P'"}]}' 200 ''
t 'the edit merges' POST $C/$L/merge review '' 200 '.result == "merge"'
N=$Q write 'the page is deleted again before the update' '{"changes":[{"operation":"delete_page","page":"'$P'"}]}' 200 ''
t 'a deletion before the update does not resolve the conflict' POST $C/$Q/update edit '' 200 \
	'.conflicts == [{"page":"'$P'","title":"Leaf","kind":"deleted","theirs":"Leaf"}]'
N=$Q write 'the page is deleted again after the update' '{"changes":[{"operation":"delete_page","page":"'$P'"}]}' 200 \
	'.changes == [{"object":"deleted_page","page":"'$P'"}]'
t 'a deletion after the update resolves the conflict' POST $C/$Q/merge review '' 200 '.result == "merge"'
t 'the page is deleted in main' GET $S/content/page/$P read '' 404 ''
open_request nothing
write 'an unknown page cannot be deleted' '{"changes":[{"operation":"delete_page","page":"'$P'"}]}' 404 ''

# Changes of variables by an import.
mkdir -p "$tmp/vars/.gitbook"
printf '# Vars\n' >"$tmp/vars/README.md"
printf 'one: a\ntwo: b\n' >"$tmp/vars/.gitbook/vars.yaml"
git_in "$tmp/vars" init -q -b main
git_in "$tmp/vars" add -A
git_in "$tmp/vars" commit -q -m first
V=$(octavo_json .result.space import --org "$ORG" --title Vars --url "$tmp/vars")
printf 'two: c\nthree: d\n' >"$tmp/vars/.gitbook/vars.yaml"
git_in "$tmp/vars" commit -q -a -m second
R=$(import --space "$V" --url "$tmp/vars")
t 'changed variables are listed with their values' GET /v1/spaces/$V/revisions/$R/changes read '' 200 '.changes == [{type: "variables_edited", variables: {
	one: {before: "a"}, two: {before: "b", after: "c"}, three: {after: "d"}}}] and (has("mergedFrom") | not)'
t 'ten changes of a revision are listed' GET /v1/spaces/$SPACE/revisions/$REV_OLD/changes read '' 200 '(.changes | length) == 10 and .more > 0'
t 'a revision is compared with any other one' GET "/v1/spaces/$SPACE/revisions/$REV/changes?since=$REV_OLD&limit=100" read '' 200 \
	'[.changes[] | select(.page) | "\(.type) \(.page.title)"] == ["page_created Added", "page_deleted Gone later", "page_edited Guide"]
	and (has("mergedFrom") | not)'
t 'also with a newer one' GET "/v1/spaces/$SPACE/revisions/$REV_OLD/changes?since=$REV&limit=100" read '' 200 \
	'[.changes[] | select(.page) | "\(.type) \(.page.title)"] == ["page_deleted Added", "page_created Gone later", "page_edited Guide"]'
t 'a revision does not differ from itself' GET "/v1/spaces/$SPACE/revisions/$REV/changes?since=$REV" read '' 200 '.changes == []'
t 'a revision of another space is none to compare with' GET "/v1/spaces/$SPACE/revisions/$REV/changes?since=$REV_B" read '' 400 '.fields[0].path == "/since"'
t 'limit lists more changes of a revision' GET "/v1/spaces/$SPACE/revisions/$REV_OLD/changes?limit=100" read '' 200 '(.changes | length) > 10'

# Every way to write a link to a page created here, whatever happens to the page later.
t 'a space for links is created' POST /v1/orgs/$ORG/spaces create '{"title":"Linking"}' 201 ''
S=/v1/spaces/$(jq -r .id "$out") C=$S/change-requests
open_request links
write 'pages to link to are inserted' '{"changes":[
	{"operation":"insert_page","title":"Home","document":{"markdown":"x"}},
	{"operation":"insert_page","title":"Part","ref":"part","document":{"markdown":"x"}},
	{"operation":"insert_page","title":"Other page","document":{"markdown":"x"}}]}' 200 ''
H=$(page_id home) P=$(page_id part) O=$(page_id other-page)
write 'links of every form are written' '{"changes":[{"operation":"insert_page","title":"One","into":"'$P'",
	"document":{"markdown":"[a](two.md) [b](./two.md#part) [c](./two) [d](/pages/part/two) [e](/pages/part/two.md) [f](/part/two) [g](../part/two.md) '\
'[h](README.md) [i](../part.md) [j](/pages/part/README.md) [k](../other-page.md) [l](/pages/other-page.md) [m](/pages/'$O') [n](../README.md) '\
'[o](/pages/README.md) [p](three.md) [q](../OTHER-PAGE.md) [r](https://example.com/two.md)"}},
	{"operation":"insert_page","title":"Two","into":"'$P'","document":{"markdown":"x\n\n## Part\n"}}]}' 200 ''
I=$(page_id part/one) W=$(page_id part/two)
targets() { t "$1" GET "$2/content/page/$3" read '' 200 '[.document | .. | objects | select(.type? == "link").data.ref
	| .page // .url] == ['"$(printf '"%s",' $4 | sed 's/,$//')"']'; }
all="$W $W $W $W $W $W $W $P $P $P $O $O $O $H $H three.md $O https://example.com/two.md"
targets 'links of every form have their targets' $C/$N $I "$all"
t 'links and broken ones are counted' GET "$C/$N/links?status=broken" read '' 200 \
	'.stats == {total: 18, broken: {total: 1, changeRequest: 1}} and .items[0].locationReferences[0].spelling == "three.md"'
write 'a page above links down and a missing page is inserted' '{"changes":[{"operation":"update_page","page":"'$P'",
	"document":{"markdown":"[a](part/one.md) [b](one.md) [c](part.md) [d](README.md) [e](other-page.md)"}},
	{"operation":"insert_page","title":"Three","into":"'$P'","document":{"markdown":"x"}}]}' 200 ''
targets 'links from a page above have their targets' $C/$N $P "$I $I $P $P $O"
targets 'a link to a missing page gets its target' $C/$N $I "$(echo $all | sed "s/three.md/$(page_id part/three)/")"
write 'two targets move' '{"changes":[{"operation":"update_page","page":"'$W'","slug":"second"},{"operation":"update_page","page":"'$O'",
	"into":"'$H'"}]}' 200 ''
targets 'links follow targets that move' $C/$N $I "$(echo $all | sed "s/three.md/$(page_id part/three)/")"
t 'links are respelled only where they have to be' GET "$C/$N/content/page/$I?format=markdown" read '' 200 \
	'.markdown | contains("[a](second.md) [b](second.md#part)") and contains("[k](../home/other-page.md)") and contains("[h](README.md) [i](../part.md)")'
t 'the page with links is merged' POST $C/$N/merge review '' 200 '.result == "merge"'
t 'main has no broken link' GET $S/links read '' 200 '.stats.broken.total == 0 and .stats.total == 23'

# A page written back keeps the bytes of its blocks, including links, as document and as Markdown,
# and its links keep their targets, even if the page or a target has moved.
open_request 'there and back'
write 'two pages of one name and pages with links are inserted' '{"changes":[
	{"operation":"insert_page","title":"Folder","ref":"folder","document":{"markdown":"x"}},
	{"operation":"insert_page","title":"Near","document":{"markdown":"x"}},
	{"operation":"insert_page","title":"Text",
		"document":{"markdown":"-   odd [link](near.md)\n-   list\n\nSoft\nbreak [again](./near.md), [id](/pages/nope) and [file](files/none.pdf).\n\nLast.\n"}},
	{"operation":"insert_page","title":"Own",
		"document":{"markdown":"-   To [a](#part-one), [b](own.md#part-one),\n    [c](own.md#Part-One)\n\n## Part one\n"}}]}' 200 ''
F=$(page_id folder) A=$(page_id near) X=$(page_id text) W=$(page_id own)
write 'a page of the same name is inserted in a folder' '{"changes":[{"operation":"insert_page","title":"Near","into":"'$F'",
	"document":{"markdown":"x"}}]}' 200 ''
t 'the pages with links are merged' POST $C/$N/merge review '' 200 '.result == "merge"'
open_request 'and back'
back() { # NAME FORM: sends back what it reads
	get "$C/$N/content/page/$X?format=$2"
	jq -c '{changes: [{operation: "update_page", page: "'$X'", document: {'$2'}}]}' "$out" >"$tmp/back"
	t "$1" POST $C/$N/content edit @$tmp/back 200 ''
}
back 'a document that was read is accepted' document
back 'Markdown that was read is accepted' markdown
X=$W back 'the document of a page that links to itself is accepted' document
X=$W back 'the Markdown of a page that links to itself is accepted' markdown
t 'writing what was read changes nothing' GET $C/$N/changes read '' 200 '.changes == []'
write 'the target of a link gets another address' '{"changes":[{"operation":"update_page","page":"'$A'","slug":"far"},
	{"operation":"update_page","page":"'$X'",
		"document":{"markdown":"-   odd [link](near.md)\n-   list\n\nSoft\nbreak [again](./near.md), [id](/pages/nope) and [file](files/none.pdf).\n\n'\
'Last, edited.\n"}}]}' 200 ''
targets 'an old spelling keeps its target' $C/$N $X "$A $A /pages/nope files/none.pdf"
write 'the page moves to where another page has the name of its target' '{"changes":[{"operation":"update_page","page":"'$X'","into":"'$F'"}]}' 200 ''
targets 'a moved page keeps its targets' $C/$N $X "$A $A /pages/nope files/none.pdf"
back 'the document of a moved page is accepted' document
targets 'the document of a moved page keeps its targets' $C/$N $X "$A $A /pages/nope files/none.pdf"
back 'the Markdown of a moved page is accepted' markdown
targets 'the Markdown of a moved page keeps its targets' $C/$N $X "$A $A /pages/nope files/none.pdf"
write 'a new link by the same name is written' '{"changes":[{"operation":"update_page","page":"'$X'","document":{"markdown":"[link](near.md)\n"}}]}' 200 ''
t 'a new link leads to the page of that name nearby' GET $C/$N/content/page/$X read '' 200 \
	'[.document | .. | objects | select(.type? == "link").data.ref.page] != ["'$A'"]'

# Reference links that repeat a long definition: refused wherever Markdown is accepted, with the reason.
bomb="[a]: b$(printf '%030000d' 0)\\n\\n$(printf '%07500d' 0 | sed 's/0/[a] /g')"
told='any(.fields[]; .message | contains("reference links") and contains("100000 bytes"))'
open_request 'Too much'
write 'a page with reference links that repeat too much is refused' '{"changes":[{"operation":"insert_page","title":"Bomb",
	"document":{"markdown":"'"$bomb"'"}}]}' 400 \
	'.error.message | contains("reference links")'
write 'a page with a few reference links is accepted' '{"changes":[{"operation":"insert_page","title":"Links",
	"document":{"markdown":"[a]: b\n\n[a] [a] [a]"}}]}' 200 ''
t 'a comment with reference links that repeat too much is refused' POST $S/comments edit '{"body":{"markdown":"'"$bomb"'"}}' 400 "$told"
t 'a review with reference links that repeat too much is refused' POST $C/$N/reviews review \
	'{"status":"approved","comment":{"markdown":"'"$bomb"'"}}' 400 "$told"
send POST $S/comments edit '{"body":{"markdown":"x"}}'
K=$(jq -r .id "$out")
t 'a reply with reference links that repeat too much is refused' POST $S/comments/$K/replies edit '{"body":{"markdown":"'"$bomb"'"}}' 400 "$told"
t 'a comment cannot be changed to reference links that repeat too much' PUT $S/comments/$K edit '{"body":{"markdown":"'"$bomb"'"}}' 400 ''

# A page may be added below one that the same batch inserts.
open_request refs
write 'a page is inserted' '{"changes":[{"operation":"insert_page","title":"Moves","document":{}}]}' 200 ''
P=$(jq -r '.changes[0].page.id' "$out")
write 'the page is moved below a page of the same batch' '{"changes":[{"operation":"insert_page","ref":"upper","title":"Upper","document":{}},
	{"operation":"update_page","page":"'$P'","into":"upper"}]}' 200 ''
t 'a page is below the page that its batch inserted' GET $C/$N/content/page/$P read '' 200 '.path == "upper/moves"'

# Targets outside of spaces are named by id and come back with their kind: users, spaces,
# collections of the organization.
refs() { printf '%s' \
	'{"changes":[{"operation":"insert_page","title":"Named","document":{"document":{"object":"document","data":{},"nodes":[{"object":"block",'\
'"type":"paragraph","nodes":['
	for at in "$@"; do printf '{"object":"inline","type":"mention","isVoid":true,"data":{"ref":{"kind":"%s","%s":"%s"}},"nodes":[]},' "${at%% *}" \
		"${at%% *}" "${at#* }"; done
	printf '%s' '{"object":"text","leaves":[{"object":"leaf","text":"End.","marks":[]}]}]}]}}}]}'; }
mentioned='[.document | .. | objects | select(.type? == "mention").data.ref]'
write 'mentions of a user and a space are written' "$(refs "user $U_read" "space ${S##*/}")" 200 ''
P=$(jq -r '.changes[0].page.id' "$out")
t 'mentions of a user and a space are read as such' GET $C/$N/content/page/$P read '' 200 \
	"$mentioned"' == [{kind: "user", user: "'$U_read'"}, {kind: "space", space: "'${S##*/}'"}]'
t 'mentions of a user and a space are not broken' GET $C/$N/content/page/$P/links read '' 200 '[.items[].status] == ["ok", "ok"]'
send POST /v1/orgs/$ORG/collections admin '{"title":"Named"}'
K=$(jq -r .id "$out")
write 'links to a collection and to unknown users are written' '{"changes":[{"operation":"update_page","page":"'$P'",
	"document":{"markdown":"[C](/collections/'$K'), [B](/users/'$U_stranger') and [N](/users/nobody)."}}]}' 200 ''
t 'a link to a collection is read as such and to unknown users as URLs' GET $C/$N/content/page/$P read '' 200 \
	'[.document | .. | objects | select(.type? == "link").data.ref.kind] == ["collection", "url", "url"]'

# Covers.
open_request covers
write 'a page and a picture' '{"changes":[{"operation":"insert_page","title":"Covered","document":{"markdown":"One.\n"}},
	{"operation":"insert_files","files":[{"name":"day.png","base64":""}]}]}' 200 ''
A=$(jq -r '.changes[0].page.id' "$out") F=$(jq -r '.insertedFiles[0].id' "$out")
cover() { printf '{"changes":[{"operation":"update_page","page":"%s","cover":%s}]}' $A "$1"; }
write 'a page gets a cover' "$(cover '{"ref":{"kind":"file","file":"'$F'"},"refDark":{"kind":"url","url":"https://example.com/night.png"}}')" 200 ''
t 'the page has its cover' GET $C/$N/content/page/$A read '' 200 \
	'.cover == {"ref":{"kind":"file","file":"'$F'"},"refDark":{"kind":"url","url":"https://example.com/night.png"},"yPos":0}'
write 'a cover of a file of the same batch' '{"changes":[{"operation":"update_page","page":"'$A'","cover":{"ref":{"kind":"file","file":"new"},"height":200}},
	{"operation":"insert_files","files":[{"ref":"new","name":"new.txt","base64":""}]}]}' 200 '.insertedFiles[0].id as $id | $id != "new"'
t 'it has the id of the file' GET $C/$N/content/page/$A read '' 200 '.cover.ref.file == "'$(jq -r '.insertedFiles[0].id' "$out")'" and .cover.height == 200'
write 'a cover of a page is refused' "$(cover '{"ref":{"kind":"page","page":"'$A'"}}')" 400 '.fields[0].path == "/changes/0/cover/ref"'
write 'a cover of a missing file is refused' "$(cover '{"refDark":{"kind":"file","file":"nope"}}')" 400 \
	'.fields[0].path == "/changes/0/cover/refDark"'
write 'a cover of a page in place of a file is refused' "$(cover '{"ref":{"kind":"file","file":"'$A'"}}')" 400 \
	'.fields[0].path == "/changes/0/cover/ref"'
write 'a cover of a file of another space is refused' "$(cover '{"ref":{"kind":"file","file":"'$F'","space":"x"}}')" 400 \
	'.fields[0].path == "/changes/0/cover/ref"'
write 'a cover with a script as address is refused' "$(cover '{"ref":{"kind":"url","url":"javascript:alert(1)"}}')" 400 \
	'.fields[0].path == "/changes/0/cover/ref"'
write 'a cover without a picture is refused' "$(cover '{"height":200}')" 400 '.fields[0].path == "/changes/0/cover"'
write 'a height that no cover has is refused' "$(cover '{"ref":{"kind":"file","file":"'$F'"},"height":1}')" 400 ''
write 'a cover is removed' "$(cover null)" 200 ''
t 'the page has none' GET $C/$N/content/page/$A read '' 200 'has("cover") | not'
