# The content of change requests: writing, comparing, merging, conflicts and how they are resolved.
t 'space for writing' POST /v1/orgs/$ORG/spaces create '{"title":"Writing"}' 201 ''
S=/v1/spaces/$(jq -r .id "$out") C=$S/change-requests
open_request() { send POST $C edit "{\"subject\":\"$1\"}"; N=$(jq -r .number "$out"); }
write() { w_name=$1 w_body=$2 w_code=$3 w_expr=$4; shift 4; t "$w_name" POST "$C/$N/content?compat=false" edit "$w_body" "$w_code" "$w_expr" "$@"; }
page_id() { get "$C/$N/content/path/$1"; jq -r .id "$out"; }

# Three pages that link to one another, whatever their order; a file.
open_request first
write 'insert pages' '{"changes":[
	{"operation":"insert_page","ref":"a","title":"Alpha","icon":"rocket","document":{"markdown":"See [B](./b.md), [C](c.md#part) and ![dot](./dot.txt)."}},
	{"operation":"insert_page","ref":"b","document":{"markdown":"---\ndescription: Second\n---\n\n# Beta\n\nBack to [A](./a.md).\n"}},
	{"operation":"insert_page","ref":"c","title":"Gamma","at":0,"document":{"document":{"object":"document","data":{},"nodes":[{"object":"block","type":"paragraph","nodes":[{"object":"text","leaves":[{"object":"leaf","text":"Plain.","marks":[]}]}]}]}}},
	{"operation":"insert_files","files":[{"ref":"dot.txt","name":"dot.txt","contentType":"text/plain","base64":"ZG90Cg=="}]}]}' 200 \
	'[.changes[] | [.object, .ref]] == [["created_page", "a"], ["created_page", "b"], ["created_page", "c"]]
	and .insertedFiles[0].name == "dot.txt" and .insertedFiles[0].size == 4 and .changeRequest.number == '$N
A=$(jq -r '.changes[0].page.id' "$out") B=$(jq -r '.changes[1].page.id' "$out") G=$(jq -r '.changes[2].page.id' "$out")
F=$(jq -r '.insertedFiles[0].id' "$out") R=$(jq -r .changeRequest.revision "$out") Q=$(jq -r .changeRequest.id "$out")
t 'order' GET $C/$N/content/pages read '' 200 '[.pages[].title] == ["Gamma", "Alpha", "Beta"]'
t 'frontmatter and heading' GET $C/$N/content/page/$B read '' 200 '.title == "Beta" and .description == "Second" and .path == "beta"'
t 'links became ids' GET $C/$N/content/page/$A read '' 200 '[.document | .. | objects | select(.type? == "link" or .type? == "image" or .type? == "inline-image").data.ref]
	| . == [{"kind":"page","page":"'$B'"},{"kind":"anchor","anchor":"part","page":"'$G'"},{"kind":"file","file":"'$F'"}]'
t 'a document became Markdown' GET "$C/$N/content/page/$G?format=markdown" read '' 200 '.markdown == "# Gamma\n\nPlain.\n"'
t 'icon' GET $C/$N/content/path/alpha read '' 200 '.icon == "rocket"'
t 'file' GET $C/$N/content/files/$F read '' 200 '.contentType == "text/plain"'
t 'files' GET $C/$N/content/files read '' 200 '.count == 1'
t 'main has nothing of it' GET $S/content/pages read '' 200 '.pages == []'
t 'where a page is read' GET $C/$N/content/page/$A read '' 200 '.urls.app | endswith("/change-requests/'$Q'/content/page/'$A'")'
t 'revision of a request' GET $C/$N/content read '' 200 '.id == "'$R'" and (.pages | length) == 3'
t 'by its id too' GET $S/revisions/$R read '' 200 '.id == "'$R'"'

# All or nothing, and errors that name their place.
write 'second change fails' '{"changes":[{"operation":"update_page","page":"'$A'","title":"Changed"},{"operation":"delete_page","page":"nope"}]}' 404 ''
t 'so nothing changed' GET $C/$N/content/page/$A read '' 200 '.title == "Alpha"'
write 'unknown operation' '{"changes":[{"operation":"explode"}]}' 400 '.fields[0] == {path: "/changes/0/operation", message: "must be one of insert_page,update_page,delete_page,revert_page,insert_files"}'
write 'no operation' '{"changes":[{"page":"x"}]}' 400 '.fields[0].path == "/changes/0/operation" and (.fields[0].message | startswith("is required"))'
write 'no changes' '{"changes":[]}' 400 ''
write 'into itself' '{"changes":[{"operation":"update_page","page":"'$A'","into":"'$A'"}]}' 400 '.error.message | test("itself")'
write 'a taken slug' '{"changes":[{"operation":"update_page","page":"'$A'","slug":"beta"}]}' 400 '.error.message | test("path")'
write 'a slug that is none' '{"changes":[{"operation":"update_page","page":"'$A'","slug":"Böse"}]}' 400 '.fields[0].path == "/changes/0/slug"'
write 'ref twice' '{"changes":[{"operation":"insert_page","ref":"x","document":{}},{"operation":"insert_page","ref":"x","document":{}}]}' 400 ''
file() { printf '{"changes":[{"operation":"insert_page","document":{}},{"operation":"insert_files","files":[{"name":"ok","contentType":"text/plain","base64":""},{%s}]}]}' "$1"; }
write 'a file from nowhere' "$(file '"name":"a"')" 400 '.fields[0] == {path: "/changes/1/files/1/base64", message: "is required"}'
write 'a file from two places' "$(file '"name":"a","contentType":"text/plain","url":"https://example.com/a","base64":"aGk="')" 400 '.fields[0].path == "/changes/1/files/1"'
write 'a file with a type that is none' "$(file '"name":"a","contentType":"text/plain\r\nX-A: b","base64":"aGk="')" 400 '.fields[0].path == "/changes/1/files/1/contentType"'
write 'a file in a folder' "$(file '"name":"a/b","contentType":"text/plain","base64":"aGk="')" 400 '.fields[0].path == "/changes/1/files/1/name"'
write 'a file with a broken name' "$(file '"name":"a\nb","contentType":"text/plain","base64":"aGk="')" 400 '.fields[0].path == "/changes/1/files/1/name"'
write 'both bodies' '{"changes":[{"operation":"insert_page","document":{"markdown":"x","document":{"object":"document","data":{},"nodes":[]}}}]}' 400 '.fields[0].path == "/changes/0/document"'
write 'a document that is none' '{"changes":[{"operation":"insert_page","document":{"document":{}}}]}' 400 '.fields[0] == {path: "/changes/0/document/document", message: "is no document: object must be \"document\""}'
write 'the change that is at fault' '{"changes":[{"operation":"insert_page","title":"Fine","document":{}},{"operation":"update_page","page":"'$A'","slug":"fine"}]}' 400 '.fields[0].path == "/changes/0"'
write 'file by url' '{"changes":[{"operation":"insert_files","files":[{"name":"x.png","url":"https://example.com/x.png"}]}]}' 400 '.fields[0].message | contains("/files fetches it")'
write 'damaged base64' '{"changes":[{"operation":"insert_files","files":[{"name":"x.png","contentType":"image/png","base64":"%%"}]}]}' 400 ''
write 'unknown node type' '{"changes":[{"operation":"insert_page","document":{"document":{"object":"document","data":{},"nodes":[{"object":"block","type":"nonsense"}]}}}]}' 400 '.fields[0].path == "/changes/0/document/document/nodes/0"'
write 'stale If-Match' '{"changes":[{"operation":"update_page","page":"'$A'","title":"Late"}]}' 412 '' 'If-Match: "xxx"'
write 'If-Match' '{"changes":[{"operation":"update_page","page":"'$A'","title":"Alpha one"}]}' 200 '.changes[0].object == "updated_page"' "If-Match: W/\"$R\""
t 'readers may not write' POST $C/$N/content read '{"changes":[{"operation":"delete_page","page":"'$A'"}]}' 403 ''
write 'a file without a type' '{"changes":[{"operation":"insert_files","files":[{"name":"typeless.png","base64":"aGk="},{"name":"typeless","base64":"aGk="}]}]}' 200 '[.insertedFiles[].size] == [2, 2]'
write 'a file with parameters' '{"changes":[{"operation":"insert_files","files":[{"name":"a.txt","contentType":"text/plain; charset=utf-8","base64":"aGk="}]}]}' 200 '.insertedFiles[0].size == 2'
t 'compat' POST $C/$N/content edit '{"changes":[{"operation":"update_page","page":"'$A'","title":"Alpha"}]}' 200 '.object == "change-request"'

# An edited page keeps the bytes of the blocks that were not touched.
write 'odd Markdown' '{"changes":[{"operation":"update_page","page":"'$B'","document":{"markdown":"One\n\n-   odd bullet\n\nTwo\n"}}]}' 200 ''
write 'one block changes' '{"changes":[{"operation":"update_page","page":"'$B'","document":{"markdown":"One\n\n* odd bullet\n\nTwo and more\n"}}]}' 200 ''
t 'the other bytes stay' GET "$C/$N/content/page/$B?format=markdown" read '' 200 '.markdown == "# Beta\n\nOne\n\n-   odd bullet\n\nTwo and more\n"'

# Moves; children; changes as they are told.
write 'move' '{"changes":[{"operation":"update_page","page":"'$B'","into":"'$A'","at":0}]}' 200 ''
t 'moved' GET $C/$N/content/path/alpha/beta read '' 200 '.id == "'$B'"'
t 'changes' GET "$C/$N/changes?diff=true" read '' 200 '([.changes[].type] | sort) == ["file_created", "file_created", "file_created", "file_created", "page_created", "page_created", "page_created"]
	and (.changes[0].diff | startswith("--- /dev/null"))'
t 'changes, limited' GET "$C/$N/changes?limit=1" read '' 200 '(.changes | length) == 1 and .more == 6'
t 'merge by an editor' POST $C/$N/merge edit '' 403 ''
t 'merge' POST $C/$N/merge review '' 200 '.result == "merge"'
M=$(jq -r .revision "$out")
t 'main shows it' GET $S/content read '' 200 '.id == "'$M'" and [.. | .path? // empty] == ["gamma", "alpha", "alpha/beta"]'
t 'merged' GET $C/$N read '' 200 '.status == "merged" and .revisionMerged == "'$M'" and .outdated == false'
t 'merged is final' POST $C/$N/merge review '' 409 ''
write 'and takes no writes' '{"changes":[{"operation":"delete_page","page":"'$A'"}]}' 409 ''
t 'what the revision changed' GET $S/revisions/$M/changes read '' 200 '([.changes[].type] | contains(["page_created"])) and .mergedFrom.number == '$N
t 'found by search' GET "$S/search?query=odd+bullet" read '' 200 '.items[0].id == "'$B'"'

# Old addresses live on, also below a moved section.
open_request moves
write 'rename a section' '{"changes":[{"operation":"update_page","page":"'$A'","title":"Omega","slug":"omega"}]}' 200 ''
t 'merge of it' POST $C/$N/merge review '' 200 '.result == "merge"'
t 'new address' GET $S/content/path/omega read '' 200 '.id == "'$A'"'
t 'old address' GET $S/content/path/alpha read '' 200 '.id == "'$A'"'
t 'old address below it' GET $S/content/path/alpha/beta read '' 200 '.id == "'$B'" and .path == "omega/beta"'
t 'links still lead there' GET "$S/content/page/$B?format=markdown" read '' 200 ''

# A conflict: both changed one line.
open_request left; L=$N
open_request right; Q=$N
N=$L write 'left' '{"changes":[{"operation":"update_page","page":"'$G'","document":{"markdown":"Left."}}]}' 200 ''
N=$Q write 'right' '{"changes":[{"operation":"update_page","page":"'$G'","document":{"markdown":"Right."}},{"operation":"update_page","page":"'$B'","title":"Beta two"}]}' 200 ''
t 'left merges' POST $C/$L/merge review '' 200 '.result == "merge"'
M=$(jq -r .revision "$out")
t 'right is outdated' GET $C/$Q read '' 200 '.outdated'
t 'right clashes' POST $C/$Q/merge review '' 200 '.result == "conflicts" and .revision == "'$M'" and
	.conflicts == [{"page":"'$G'","title":"Gamma","kind":"text","base":"Plain.\n","ours":"Right.","theirs":"Left."}]'
t 'nothing of it in main' GET $S/content/page/$B read '' 200 '.title == "Beta"'
t 'update keeps the clash' POST $C/$Q/update edit '' 200 '.result == "conflicts" and (.conflicts | length) == 1'
t 'not outdated any more' GET $C/$Q read '' 200 '.outdated == false and .revisionMergedAncestor == "'$M'"'
t 'merge still clashes' POST $C/$Q/merge review '' 200 '.result == "conflicts"'
N=$Q write 'resolve' '{"changes":[{"operation":"update_page","page":"'$G'","document":{"markdown":"Left and right."}}]}' 200 ''
t 'resolved' POST $C/$Q/merge review '' 200 '.result == "merge"'
t 'both are there' GET "$S/content/page/$G?format=markdown" read '' 200 '.markdown | contains("Left and right.")'
t 'the other change too' GET $S/content/page/$B read '' 200 '.title == "Beta two"'

# Both edit one page in different places: no conflict.
open_request top; L=$N
open_request bottom; Q=$N
N=$L write 'top' '{"changes":[{"operation":"update_page","page":"'$B'","document":{"markdown":"Zero\n\n-   odd bullet\n\nTwo and more\n"}}]}' 200 ''
N=$Q write 'bottom' '{"changes":[{"operation":"update_page","page":"'$B'","document":{"markdown":"One\n\n-   odd bullet\n\nThree\n"}}]}' 200 ''
t 'top merges' POST $C/$L/merge review '' 200 '.result == "merge"'
t 'bottom merges' POST $C/$Q/merge review '' 200 '.result == "merge"'
t 'with both' GET "$S/content/page/$B?format=markdown" read '' 200 '.markdown == "# Beta two\n\nZero\n\n-   odd bullet\n\nThree\n"'

# Delete against edit; two pages at one path.
open_request deletes; L=$N
open_request edits; Q=$N
N=$L write 'delete' '{"changes":[{"operation":"delete_page","page":"'$G'"},{"operation":"insert_page","title":"Same","document":{"markdown":"from the left"}}]}' 200 '.changes[0] == {"object":"deleted_page","page":"'$G'"}'
N=$Q write 'edit and add' '{"changes":[{"operation":"update_page","page":"'$G'","title":"Gamma two"},{"operation":"insert_page","title":"Same","document":{"markdown":"from the right"}}]}' 200 ''
t 'deleted first' POST $C/$L/merge review '' 200 '.result == "merge"'
t 'both clashes are named' POST $C/$Q/merge review '' 200 '.result == "conflicts" and ([.conflicts[].kind] | sort) == ["deleted", "path"]'
t 'taken in' POST $C/$Q/update edit '' 200 '.result == "conflicts"'
t 'both pages are there' GET $C/$Q/content/pages read '' 200 '[.. | .path? // empty] | contains(["same", "same-1"])'
N=$Q write 'revert the edit' '{"changes":[{"operation":"revert_page","page":"'$G'"}]}' 200 ''
t 'gone in the request as well' GET $C/$Q/content/page/$G read '' 404 ''
D=$(N=$Q page_id same-1)
N=$Q write 'keep the other page under its new slug' '{"changes":[{"operation":"update_page","page":"'$D'","title":"Same on the left"}]}' 200 ''
t 'now it merges' POST $C/$Q/merge review '' 200 '.result == "merge"'
t 'as it was shown' GET $S/content/pages read '' 200 '[.. | .path? // empty] | contains(["same", "same-1"]) and (contains(["gamma"]) | not)'

# Reverting.
open_request reverts
write 'change and add' '{"changes":[{"operation":"update_page","page":"'$B'","document":{"markdown":"Zero changed\n\n-   odd bullet\n\nThree changed\n"}},{"operation":"insert_page","title":"Extra","document":{"markdown":"x"}}]}' 200 ''
E=$(page_id extra)
get $C/$N/content/page/$B
K=$(jq -r '.document.nodes[0].key' "$out")
write 'revert one block' '{"changes":[{"operation":"revert_page","page":"'$B'","block":["'$K'"]}]}' 200 ''
t 'the other stays changed' GET "$C/$N/content/page/$B?format=markdown" read '' 200 '.markdown == "# Beta two\n\nZero\n\n-   odd bullet\n\nThree changed\n"'
get $S/content/page/$B
K3=$(jq -r '.document.nodes[2].key' "$out")
write 'by the key that it had' '{"changes":[{"operation":"revert_page","page":"'$B'","block":["'$K3'"]}]}' 200 ''
t 'it comes back in its place' GET "$C/$N/content/page/$B?format=markdown" read '' 200 '.markdown == "# Beta two\n\nZero\n\n-   odd bullet\n\nThree\n"'
write 'two paragraphs' '{"changes":[{"operation":"insert_page","title":"Pair","document":{"markdown":"First."}}]}' 200 ''
P=$(page_id pair) R1=$(get $C/$N; jq -r .revision "$out")
write 'a third' '{"changes":[{"operation":"update_page","page":"'$P'","document":{"markdown":"Third.\n\nFourth.\n"}}]}' 200 ''
get $C/$N/content/page/$P
K=$(jq -r '.document.nodes[1].key' "$out")
write 'a block that comes back is a block' '{"changes":[{"operation":"revert_page","page":"'$P'","revision":"'$R1'","block":["'$(get $S/revisions/$R1/page/$P; jq -r '.document.nodes[0].key' "$out")'"]}]}' 200 ''
t 'apart from the others' GET $C/$N/content/page/$P read '' 200 '[.document.nodes[].nodes[0].leaves[0].text] | sort == ["First.", "Fourth.", "Third."]'
write 'and goes again' '{"changes":[{"operation":"delete_page","page":"'$P'"}]}' 200 ''
write 'no such block' '{"changes":[{"operation":"revert_page","page":"'$B'","block":["nope"]}]}' 400 ''
write 'revert all' '{"changes":[{"operation":"revert_page","page":"'$B'"},{"operation":"revert_page","page":"'$E'"}]}' 200 ''
t 'nothing is changed' GET $C/$N/changes read '' 200 '.changes == []'
t 'merge of nothing' POST $C/$N/merge review '' 200 '.result == "merge"'
open_request 'back to an old revision'
write 'to a revision' '{"changes":[{"operation":"revert_page","page":"'$B'","revision":"'$R'"}]}' 200 ''
t 'as it was' GET "$C/$N/content/page/$B?format=markdown" read '' 200 '.markdown | contains("Back to [A]")'

# Locked, archived.
t 'archive' PATCH $C/$N edit '{"status":"archived"}' 200 ''
write 'archived takes no writes' '{"changes":[{"operation":"delete_page","page":"'$B'"}]}' 409 ''
t 'archived merges not' POST $C/$N/merge review '' 409 ''
t 'archived updates not' POST $C/$N/update edit '' 409 ''
open_request locked
t 'lock' PATCH $S create '{"editMode":"locked"}' 200 ''
write 'locked' '{"changes":[{"operation":"delete_page","page":"'$B'"}]}' 403 '.error.message | test("locked")'
t 'locked merges not' POST $C/$N/merge review '' 403 ''
t 'unlock' PATCH $S create '{"editMode":"live"}' 200 ''

# A batch that puts pages below themselves, and goes on there.
open_request circles
write 'two levels' '{"changes":[{"operation":"insert_page","title":"Upper","document":{"markdown":"x"}}]}' 200 ''
U=$(page_id upper)
write 'a page below' '{"changes":[{"operation":"insert_page","title":"Lower","into":"'$U'","document":{"markdown":"x"}}]}' 200 ''
L=$(page_id upper/lower)
write 'a circle, and a page in it' '{"changes":[{"operation":"update_page","page":"'$U'","into":"'$L'"},{"operation":"insert_page","title":"In it","into":"'$L'","document":{"markdown":"x"}}]}' 400 '.error.message | contains("below itself")'
write 'below itself, and a page there' '{"changes":[{"operation":"update_page","page":"'$U'","into":"'$U'"},{"operation":"insert_page","title":"In it","into":"'$U'","document":{"markdown":"x"}}]}' 400 '.error.message | contains("below itself")'

# A hundred levels of pages, and no more: neither one by one nor by moving many at once.
deep=$L level=2 above=$U
while [ $level -lt 100 ]; do
	send POST "$C/$N/content?compat=false" edit '{"changes":[{"operation":"insert_page","title":"P","into":"'$deep'","document":{"markdown":"x"}}]}'
	above=$deep deep=$(jq -r '.changes[0].page.id' "$out") level=$((level + 1))
done
write 'level 101' '{"changes":[{"operation":"insert_page","title":"P","into":"'$deep'","document":{"markdown":"x"}}]}' 400 '.error.message | contains("100 levels")'
write 'two pages to move' '{"changes":[{"operation":"insert_page","title":"Tail","document":{"markdown":"x"}}]}' 200 ''
D=$(page_id tail)
write 'the second' '{"changes":[{"operation":"insert_page","title":"Tip","into":"'$D'","document":{"markdown":"x"}}]}' 200 ''
write 'they do not fit' '{"changes":[{"operation":"update_page","page":"'$D'","into":"'$above'"}]}' 400 '.error.message | contains("100 levels")'
t 'the tree is still read' GET $C/$N/content/pages read '' 200 ''
# jq takes no JSON of that depth.
same 'with all its pages' 98 "$(grep -o '"title":"P"' "$out" | wc -l)"
t 'and its first page' GET $C/$N/content/page/$U read '' 200 ''

# Two changes of one page: each brings links, all lead on after the merge.
open_request targets
write 'targets' '{"changes":[{"operation":"insert_page","title":"Target","document":{"markdown":"x"}}]}' 200 ''
T=$(page_id target)
write 'a page with a link' '{"changes":[{"operation":"insert_page","title":"Links","document":{"markdown":"top\n\nmiddle\n\nstill\n\nbottom [m](/pages/'$T')\n"}}]}' 200 ''
U=$(page_id links)
t 'merge of the targets' POST $C/$N/merge review '' 200 '.result == "merge"'
open_request upper; L=$N
open_request lower; Q=$N
N=$L write 'links above' '{"changes":[{"operation":"update_page","page":"'$U'","document":{"markdown":"top [a](/pages/'$T'#a)\n\nmiddle\n\nstill\n\nbottom [m](/pages/'$T')\n"}}]}' 200 ''
N=$Q write 'links below' '{"changes":[{"operation":"update_page","page":"'$U'","document":{"markdown":"top\n\nmiddle\n\nstill\n\nbottom [m](/pages/'$T') [z](/pages/'$T'#z)\n"}}]}' 200 ''
t 'above merges' POST $C/$L/merge review '' 200 '.result == "merge"'
t 'below merges' POST $C/$Q/merge review '' 200 '.result == "merge"'
t 'all links have targets' GET $S/content/page/$U read '' 200 '[.document | .. | objects | select(.type? == "link").data.ref.kind] == ["anchor", "page", "anchor"]'

# An update takes in what merges within a page as well, and names every place that does not.
open_request 'five lines'
write 'a page' '{"changes":[{"operation":"insert_page","title":"Lines","icon":"one","document":{"markdown":"1\n\n2\n\n3\n\n4\n\n5\n"}}]}' 200 ''
P=$(page_id lines)
t 'merge of the page' POST $C/$N/merge review '' 200 '.result == "merge"'
open_request theirs; L=$N
open_request ours; Q=$N
N=$L write 'theirs' '{"changes":[{"operation":"update_page","page":"'$P'","title":"Their lines","icon":"two","document":{"markdown":"1 theirs\n\n2\n\n3 theirs\n\n4\n\n5 theirs\n"}}]}' 200 ''
N=$Q write 'ours' '{"changes":[{"operation":"update_page","page":"'$P'","icon":"three","description":"Ours","document":{"markdown":"1 ours\n\n2\n\n3 ours\n\n4\n\n5\n"}}]}' 200 ''
t 'theirs merges' POST $C/$L/merge review '' 200 '.result == "merge"'
t 'each place is named' POST $C/$Q/merge review '' 200 '[.conflicts[] | [.kind, .base, .ours, .theirs]] == [
	["properties", "{\"icon\":\"one\"}", "{\"icon\":\"three\",\"description\":\"Ours\"}", "{\"icon\":\"two\"}"],
	["text", "1\n", "1 ours\n", "1 theirs\n"], ["text", "3\n", "3 ours\n", "3 theirs\n"]]'
t 'the update names them too' POST $C/$Q/update edit '' 200 '[.conflicts[].kind] == ["properties", "text", "text"]'
t 'and takes in the rest' GET "$C/$Q/content/page/$P?format=markdown" read '' 200 '.title == "Their lines" and .icon == "three" and .description == "Ours"
	and .markdown == "# Their lines\n\n1 ours\n\n2\n\n3 ours\n\n4\n\n5 theirs\n"'
t 'a second update changes nothing' POST $C/$Q/update edit '' 200 '.result == "conflicts"'
N=$Q write 'one line is written' '{"changes":[{"operation":"update_page","page":"'$P'","document":{"markdown":"1 both\n\n2\n\n3 ours\n\n4\n\n5 theirs\n"}}]}' 200 ''
t 'resolved, nothing else is lost' POST $C/$Q/merge review '' 200 '.result == "merge"'
t 'so it stands in main' GET "$S/content/page/$P?format=markdown" read '' 200 '.markdown == "# Their lines\n\n1 both\n\n2\n\n3 ours\n\n4\n\n5 theirs\n" and .icon == "three"'

# Two orders of the same pages.
open_request front; L=$N
open_request back; Q=$N
N=$L write 'to the front' '{"changes":[{"operation":"update_page","page":"'$P'","at":0}]}' 200 ''
N=$Q write 'one place up' '{"changes":[{"operation":"update_page","page":"'$P'","at":1}]}' 200 ''
t 'front merges' POST $C/$L/merge review '' 200 '.result == "merge"'
t 'back clashes' POST $C/$Q/merge review '' 200 '.conflicts == [{"page":"'$P'","title":"Their lines","kind":"position"}]'

# Main adds a page below one that the request deletes: its children are named, with the page that is missing.
open_request shelf
write 'a shelf' '{"changes":[{"operation":"insert_page","title":"Shelf","document":{"markdown":"x"}}]}' 200 ''
P=$(page_id shelf)
t 'merge of the shelf' POST $C/$N/merge review '' 200 '.result == "merge"'
open_request 'onto the shelf'; L=$N
open_request 'no shelf'; Q=$N
N=$L write 'a book' '{"changes":[{"operation":"insert_page","title":"Book","into":"'$P'","document":{"markdown":"x"}}]}' 200 ''
B=$(N=$L page_id shelf/book)
N=$Q write 'away with it' '{"changes":[{"operation":"delete_page","page":"'$P'"}]}' 200 ''
t 'the book comes' POST $C/$L/merge review '' 200 '.result == "merge"'
t 'where it cannot stand' POST $C/$Q/merge review '' 200 '.conflicts == [{"page":"'$B'","title":"Book","kind":"parent","other":"'$P'"}]'
t 'the update hides it' POST $C/$Q/update edit '' 200 '.conflicts == [{"page":"'$B'","title":"Book","kind":"parent","other":"'$P'"}]'
N=$Q write 'what is deleted can be deleted again' '{"changes":[{"operation":"delete_page","page":"'$P'"}]}' 200 '[.changes[].page] | sort == (["'$P'", "'$B'"] | sort)'
t 'and both are gone' POST $C/$Q/merge review '' 200 '.result == "merge"'
t 'from main too' GET $S/content/page/$B read '' 404 ''

# The same for a page that is deleted here and was edited there.
open_request again
write 'a leaf' '{"changes":[{"operation":"insert_page","title":"Leaf","document":{"markdown":"x"}}]}' 200 ''
P=$(page_id leaf)
t 'merge of the leaf' POST $C/$N/merge review '' 200 '.result == "merge"'
open_request green; L=$N
open_request fallen; Q=$N
N=$L write 'edited there' '{"changes":[{"operation":"update_page","page":"'$P'","document":{"markdown":"green"}}]}' 200 ''
N=$Q write 'deleted here' '{"changes":[{"operation":"delete_page","page":"'$P'"}]}' 200 ''
t 'there merges' POST $C/$L/merge review '' 200 '.result == "merge"'
N=$Q write 'deleted again before the update' '{"changes":[{"operation":"delete_page","page":"'$P'"}]}' 200 ''
t 'does not count' POST $C/$Q/update edit '' 200 '.conflicts == [{"page":"'$P'","title":"Leaf","kind":"deleted","theirs":"Leaf"}]'
N=$Q write 'deleted again' '{"changes":[{"operation":"delete_page","page":"'$P'"}]}' 200 '.changes == [{"object":"deleted_page","page":"'$P'"}]'
t 'here merges' POST $C/$Q/merge review '' 200 '.result == "merge"'
t 'it is deleted' GET $S/content/page/$P read '' 404 ''
open_request nothing
write 'what nobody has cannot be deleted' '{"changes":[{"operation":"delete_page","page":"'$P'"}]}' 404 ''

# What an import changes of the variables.
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
t 'variables of a revision' GET /v1/spaces/$V/revisions/$R/changes read '' 200 '.changes == [{type: "variables_edited", variables: {
	one: {before: "a"}, two: {before: "b", after: "c"}, three: {after: "d"}}}] and (has("mergedFrom") | not)'
t 'ten changes are told' GET /v1/spaces/$SPACE/revisions/$REV_OLD/changes read '' 200 '(.changes | length) == 10 and .more > 0'
t 'or more' GET "/v1/spaces/$SPACE/revisions/$REV_OLD/changes?limit=100" read '' 200 '(.changes | length) > 10'

# Every way to write a link to a page that was written here, wherever it stands and whatever comes of it.
t 'space for links' POST /v1/orgs/$ORG/spaces create '{"title":"Linking"}' 201 ''
S=/v1/spaces/$(jq -r .id "$out") C=$S/change-requests
open_request links
write 'pages to link to' '{"changes":[
	{"operation":"insert_page","title":"Home","document":{"markdown":"x"}},
	{"operation":"insert_page","title":"Part","ref":"part","document":{"markdown":"x"}},
	{"operation":"insert_page","title":"Other page","document":{"markdown":"x"}}]}' 200 ''
H=$(page_id home) P=$(page_id part) O=$(page_id other-page)
write 'links in all forms' '{"changes":[{"operation":"insert_page","title":"One","into":"'$P'","document":{"markdown":"[a](two.md) [b](./two.md#part) [c](./two) [d](/pages/part/two) [e](/pages/part/two.md) [f](/part/two) [g](../part/two.md) [h](README.md) [i](../part.md) [j](/pages/part/README.md) [k](../other-page.md) [l](/pages/other-page.md) [m](/pages/'$O') [n](../README.md) [o](/pages/README.md) [p](three.md) [q](../OTHER-PAGE.md) [r](https://example.com/two.md)"}},
	{"operation":"insert_page","title":"Two","into":"'$P'","document":{"markdown":"x\n\n## Part\n"}}]}' 200 ''
I=$(page_id part/one) W=$(page_id part/two)
targets() { t "$1" GET "$2/content/page/$3" read '' 200 '[.document | .. | objects | select(.type? == "link").data.ref | .page // .url] == ['"$(printf '"%s",' $4 | sed 's/,$//')"']'; }
all="$W $W $W $W $W $W $W $P $P $P $O $O $O $H $H three.md $O https://example.com/two.md"
targets 'they lead where they should' $C/$N $I "$all"
t 'and are counted' GET "$C/$N/links?status=broken" read '' 200 '.stats == {total: 18, broken: {total: 1, changeRequest: 1}} and .items[0].locationReferences[0].spelling == "three.md"'
write 'a page above links down, in both ways, and one heals' '{"changes":[{"operation":"update_page","page":"'$P'","document":{"markdown":"[a](part/one.md) [b](one.md) [c](part.md) [d](README.md) [e](other-page.md)"}},
	{"operation":"insert_page","title":"Three","into":"'$P'","document":{"markdown":"x"}}]}' 200 ''
targets 'down they go' $C/$N $P "$I $I $P $P $O"
targets 'the missing page is there' $C/$N $I "$(echo $all | sed "s/three.md/$(page_id part/three)/")"
write 'pages move' '{"changes":[{"operation":"update_page","page":"'$W'","slug":"second"},{"operation":"update_page","page":"'$O'","into":"'$H'"}]}' 200 ''
targets 'links go along' $C/$N $I "$(echo $all | sed "s/three.md/$(page_id part/three)/")"
t 'and are spelled anew where they have to' GET "$C/$N/content/page/$I?format=markdown" read '' 200 '.markdown | contains("[a](second.md) [b](second.md#part)") and contains("[k](../home/other-page.md)") and contains("[h](README.md) [i](../part.md)")'
t 'links merge' POST $C/$N/merge review '' 200 '.result == "merge"'
t 'no link is broken in main' GET $S/links read '' 200 '.stats.broken.total == 0 and .stats.total == 23'

# A page that comes back keeps the bytes of its blocks with links too, as document and as Markdown, and its
# links lead where they led, wherever it or what they lead to has gone meanwhile.
open_request 'there and back'
write 'a page and two of one name' '{"changes":[
	{"operation":"insert_page","title":"Folder","ref":"folder","document":{"markdown":"x"}},
	{"operation":"insert_page","title":"Near","document":{"markdown":"x"}},
	{"operation":"insert_page","title":"Text","document":{"markdown":"-   odd [link](near.md)\n-   list\n\nSoft\nbreak [again](./near.md), [id](/pages/nope) and [file](files/none.pdf).\n\nLast.\n"}},
	{"operation":"insert_page","title":"Own","document":{"markdown":"-   To [a](#part-one), [b](own.md#part-one),\n    [c](own.md#Part-One)\n\n## Part one\n"}}]}' 200 ''
F=$(page_id folder) A=$(page_id near) X=$(page_id text) W=$(page_id own)
write 'the other' '{"changes":[{"operation":"insert_page","title":"Near","into":"'$F'","document":{"markdown":"x"}}]}' 200 ''
t 'merge of them' POST $C/$N/merge review '' 200 '.result == "merge"'
open_request 'and back'
back() { # NAME FORM: sends what it gets
	get "$C/$N/content/page/$X?format=$2"
	jq -c '{changes: [{operation: "update_page", page: "'$X'", document: {'$2'}}]}' "$out" >"$tmp/back"
	t "$1" POST $C/$N/content edit @$tmp/back 200 ''
}
back 'as document' document
back 'as Markdown' markdown
X=$W back 'a page that links to itself, as document' document
X=$W back 'a page that links to itself, as Markdown' markdown
t 'nothing has changed' GET $C/$N/changes read '' 200 '.changes == []'
write 'what it links to gets another address' '{"changes":[{"operation":"update_page","page":"'$A'","slug":"far"},
	{"operation":"update_page","page":"'$X'","document":{"markdown":"-   odd [link](near.md)\n-   list\n\nSoft\nbreak [again](./near.md), [id](/pages/nope) and [file](files/none.pdf).\n\nLast, edited.\n"}}]}' 200 ''
targets 'an old spelling leads on' $C/$N $X "$A $A /pages/nope files/none.pdf"
write 'it moves to where another page has that name' '{"changes":[{"operation":"update_page","page":"'$X'","into":"'$F'"}]}' 200 ''
targets 'and still' $C/$N $X "$A $A /pages/nope files/none.pdf"
back 'as document, from there' document
targets 'not to its neighbour' $C/$N $X "$A $A /pages/nope files/none.pdf"
back 'as Markdown, from there' markdown
targets 'nor by Markdown' $C/$N $X "$A $A /pages/nope files/none.pdf"
write 'but a new link leads to the neighbour' '{"changes":[{"operation":"update_page","page":"'$X'","document":{"markdown":"[link](near.md)\n"}}]}' 200 ''
t 'which is another page' GET $C/$N/content/page/$X read '' 200 '[.document | .. | objects | select(.type? == "link").data.ref.page] != ["'$A'"]'

# Reference links that repeat a long definition: refused wherever Markdown is written, and told why.
bomb="[a]: b$(printf '%030000d' 0)\\n\\n$(printf '%07500d' 0 | sed 's/0/[a] /g')"
told='any(.fields[]; .message | contains("reference links") and contains("100000 bytes"))'
open_request 'Too much'
write 'links of a page that repeat too much' '{"changes":[{"operation":"insert_page","title":"Bomb","document":{"markdown":"'"$bomb"'"}}]}' 400 \
	'.error.message | contains("reference links")'
write 'as many as may be' '{"changes":[{"operation":"insert_page","title":"Links","document":{"markdown":"[a]: b\n\n[a] [a] [a]"}}]}' 200 ''
t 'links of a comment that repeat too much' POST $S/comments edit '{"body":{"markdown":"'"$bomb"'"}}' 400 "$told"
t 'and of a review' POST $C/$N/reviews review '{"status":"approved","comment":{"markdown":"'"$bomb"'"}}' 400 "$told"
send POST $S/comments edit '{"body":{"markdown":"x"}}'
K=$(jq -r .id "$out")
t 'and of a reply' POST $S/comments/$K/replies edit '{"body":{"markdown":"'"$bomb"'"}}' 400 "$told"
t 'and where a comment is edited' PUT $S/comments/$K edit '{"body":{"markdown":"'"$bomb"'"}}' 400 ''

# A page may go below one that the batch inserts.
open_request refs
write 'a page' '{"changes":[{"operation":"insert_page","title":"Moves","document":{}}]}' 200 ''
P=$(jq -r '.changes[0].page.id' "$out")
write 'below a page of the batch' '{"changes":[{"operation":"insert_page","ref":"upper","title":"Upper","document":{}},{"operation":"update_page","page":"'$P'","into":"upper"}]}' 200 ''
t 'so it stands there' GET $C/$N/content/page/$P read '' 200 '.path == "upper/moves"'

# What is in no space is named by its id and comes back as what it is: users, spaces, collections of the organization.
refs() { printf '%s' '{"changes":[{"operation":"insert_page","title":"Named","document":{"document":{"object":"document","data":{},"nodes":[{"object":"block","type":"paragraph","nodes":['
	for at in "$@"; do printf '{"object":"inline","type":"mention","isVoid":true,"data":{"ref":{"kind":"%s","%s":"%s"}},"nodes":[]},' "${at%% *}" "${at%% *}" "${at#* }"; done
	printf '%s' '{"object":"text","leaves":[{"object":"leaf","text":"End.","marks":[]}]}]}]}}}]}'; }
mentioned='[.document | .. | objects | select(.type? == "mention").data.ref]'
write 'mentions' "$(refs "user $U_read" "space ${S##*/}")" 200 ''
P=$(jq -r '.changes[0].page.id' "$out")
t 'come back' GET $C/$N/content/page/$P read '' 200 "$mentioned"' == [{kind: "user", user: "'$U_read'"}, {kind: "space", space: "'${S##*/}'"}]'
t 'and lead nowhere wrong' GET $C/$N/content/page/$P/links read '' 200 '[.items[].status] == ["ok", "ok"]'
send POST /v1/orgs/$ORG/collections admin '{"title":"Named"}'
K=$(jq -r .id "$out")
write 'a link to a collection' '{"changes":[{"operation":"update_page","page":"'$P'","document":{"markdown":"[C](/collections/'$K'), [B](/users/'$U_stranger') and [N](/users/nobody)."}}]}' 200 ''
t 'is one' GET $C/$N/content/page/$P read '' 200 '[.document | .. | objects | select(.type? == "link").data.ref.kind] == ["collection", "url", "url"]'
