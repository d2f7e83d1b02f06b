# Imports of unusual files, read through the API.
mkdir -p "$tmp/odd/.gitbook/assets"
printf '* [Home](README.md)\n* [Covers](covers.md)\n* [No cover](none.md)\n* [Bytes](bytes.md)\n* [Gone](nowhere.md)\n  * [Below](below.md)\n'\
'* [Deep](deep.md)\n* [Climb](climb.md)\n* [Outside](../covers.md)\n' >"$tmp/odd/SUMMARY.md"
printf '# Home\n' >"$tmp/odd/README.md"
printf -- '---\ncover: .gitbook/assets/dot.png\ncoverDark: https://example.com/d.png\ncoverY: -3.5\n---\n\n# Covers\n\n## V 2.0\n' >"$tmp/odd/covers.md"
printf -- '---\ndescription: text\ncover: missing.png\ncoverDark: README.md\n---\n\n# No cover\n' >"$tmp/odd/none.md"
printf '# Bytes\n\nNUL \0 and \377 here\n' >"$tmp/odd/bytes.md"
printf '# Below\n\n[aside](aside.md#x), [nobody](nobody.md)\n\n[v](covers.md#v-2.0), [t](covers.md#covers), [dead](covers.md#dead)\n' >"$tmp/odd/below.md"
printf '# Aside\n' >"$tmp/odd/aside.md"
printf '| [up](../covers.md) | [down](../../covers.md) | [top](/../covers.md) |\n| - | - | - |\n'\
'| [c](covers.md) | ![p](../../dot.png) | z |\n' >"$tmp/odd/climb.md"
awk 'BEGIN { print "# Deep\n"; for (i = 0; i < 9000; i++) printf "- "; for (i = 0; i < 9000; i++) print "" }' >"$tmp/odd/deep.md"
cp "$tmp/repo/.gitbook/assets/dot.png" "$tmp/odd/.gitbook/assets/dot.png"
printf '{"title": "Of the book", "language": "de-AT"}\n' >"$tmp/odd/book.json"
git_in "$tmp/odd" init -q -b main
git_in "$tmp/odd" add -A
git_in "$tmp/odd" commit -q -m one
ODD=$(octavo_json .result.space import --org "$ORG" --title Odd --url "$tmp/odd")
cp "$tmp/cli" "$tmp/odd.json"
odd_has() { jq -e --arg file "$1" --argjson line "$2" --arg text "$3" \
	'any(.warnings[]; .file == $file and .line == $line and (.message | contains($text)))' "$tmp/odd.json" >/dev/null; }
odd_warns() { yes "the import warns: $*" odd_has "$@"; }
odd_warns none.md 3 'nothing is at "missing.png"'
odd_warns none.md 4 'nothing is at "README.md"'
odd_warns below.md 3 '"aside.md#x" is a file of the repository, but no page: it is not in SUMMARY.md'
odd_warns below.md 3 'nothing is at "nobody.md"'
odd_warns below.md 5 'no heading or other place of the page is named by "covers.md#dead"'
same 'an import warns about missing headings once' 1 "$(jq '[.warnings[] | select(.message | startswith("no heading"))] | length' "$tmp/odd.json")"
odd_warns SUMMARY.md 5 'nowhere.md is not in the repository'
odd_warns SUMMARY.md 9 '../covers.md is not in the repository'
for path in ../covers.md ../../covers.md /../covers.md; do odd_warns climb.md 1 "nothing is at \"$path\""; done
odd_warns climb.md 3 'nothing is at "../../dot.png"'
odd_warns deep.md 3 'nests'
odd_warns deep.md 3 'the page is kept, and what is beyond the limit is shown as its source'
P=/v1/spaces/$ODD/content/path
t 'a link has the anchor of its heading' GET $P/below admin '' 200 '[.document | .. | objects | select(.kind? == "anchor") | .anchor] == ["v-2-0",
	"covers", "dead"]'
t 'links that climb above the root lead nowhere' GET $P/climb admin '' 200 '[.document | .. | objects | select(.ref?).ref |
	if .kind == "url" then .url else .kind end] == ["../covers.md", "../../covers.md", "/../covers.md", "page", "../../dot.png"]'
t 'covers are read from the frontmatter' GET $P/covers admin '' 200 '(.cover.ref.kind == "file") and .cover.refDark == {kind: "url",
	url: "https://example.com/d.png"} and .cover.yPos == -3.5'
t 'a cover that is not there is left out' GET $P/none admin '' 200 '.description == "text" and (has("cover") | not)'
t 'bytes that are no text become replacement characters' GET "$P/bytes?format=markdown" admin '' 200 '.markdown == "# Bytes\n\nNUL \ufffd and \ufffd here\n"'
t 'the document has the replacement characters' GET $P/bytes admin '' 200 '.document.nodes[0].nodes[0].leaves[0].text == "NUL \ufffd and \ufffd here"'
t 'a page without its file is there for the pages below' GET $P/gone admin '' 200 '(.pages | length) == 1 and (has("git") | not)'
t 'a page beyond the limits is shown as its source' GET $P/deep admin '' 200 '[.document | .. | objects | select(.object? == "block").type] == ["paragraph"]
	and (.document.nodes[0].nodes[0].leaves[0].text | startswith("- - - -"))'
t 'a page beyond the limits keeps its Markdown' GET "$P/deep?format=markdown" admin '' 200 '.markdown | startswith("# Deep\n\n- - - -") and length > 27000'
t 'a new space has the language of book.json and the title asked for' GET /v1/spaces/$ODD admin '' 200 '.language == "de" and .title == "Odd"'
t 'a space without a title is created' POST /v1/orgs/$ORG/spaces admin '{"language":"fr"}' 201 '.title == "Untitled"'
BOOK=$(jq -r .id "$out")
octavo_json .result.space import --org "$ORG" --space "$BOOK" --url "$tmp/odd" >/dev/null
t 'an import gives an untitled space the title of book.json' GET /v1/spaces/$BOOK admin '' 200 '.title == "Of the book" and .language == "fr"'
t 'the title of book.json is changed back' PATCH /v1/spaces/$BOOK admin '{"title":"Untitled"}' 200 ''
octavo_json .result.space import --org "$ORG" --space "$BOOK" --url "$tmp/odd" --force >/dev/null
t 'an import does not give the title of book.json twice' GET /v1/spaces/$BOOK admin '' 200 '.title == "Untitled"'
t 'the second space is deleted' DELETE /v1/spaces/$BOOK admin '' 204 ''
t 'the space is deleted' DELETE /v1/spaces/$ODD admin '' 204 ''
