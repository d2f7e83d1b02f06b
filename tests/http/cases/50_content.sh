# Content: revisions, trees, pages, files, reusable contents.
S=/v1/spaces/$SPACE
t 'the current revision has pages, files and git metadata' GET $S/content read '' 200 \
	'.object == "revision" and .id == "'$REV'" and .parents == ["'$REV_OLD'"] and .type == "edits"
	and (.git.message | startswith("second")) and ([.pages[].title] == ["Welcome", "Learn"]) and (.files | length) == 3
	and (.reusableContents | length) == 1 and .variables == {} and .tags == []'
t 'pages have paths' GET $S/content/pages read '' 200 '[.. | objects | .path? // empty] | contains(["readme", "learn", "guide", "guide/set-up",
	"guide/unicode"])'
t 'pages are documents, groups and links' GET $S/content/pages read '' 200 '[.. | objects | .type? // empty] | unique == ["document", "group", "link"]'
t 'a tree has no bodies' GET $S/content/pages read '' 200 '[.. | objects | select(has("document") or has("markdown"))] == []'
t 'metadata=false leaves git out' GET "$S/content?metadata=false" read '' 200 '[.. | objects | select(has("git"))] == []'
t 'metadata=true has git' GET "$S/content?metadata=true" read '' 200 '[.. | objects | select(has("git"))] | length > 8'
t 'the parameter computed is accepted' GET "$S/content?computed=false" read '' 200 '.id == "'$REV'"'
t 'a revision is read by its id' GET $S/revisions/$REV read '' 200 '.id == "'$REV'"'
t 'the tree of a revision is read' GET $S/revisions/$REV/pages read '' 200 '.pages | length == 2'

# The previous revision stays as it was.
t 'an old revision keeps its pages' GET $S/revisions/$REV_OLD read '' 200 '.id == "'$REV_OLD'" and (.git.message | startswith("first"))
	and ([.. | objects | .title? // empty] | index("Gone later") != null and index("Added") == null)'
t 'an old tree keeps its paths' GET $S/revisions/$REV_OLD/pages read '' 200 '[.. | objects | .path? // empty] | index("guide/gone") != null'
GONE=$(jq -r '[.. | objects | select(.path? == "guide/gone")][0].id' "$out")
t 'an old page keeps its text' GET "$S/revisions/$REV_OLD/page/$PAGE?format=markdown" read '' 200 '.markdown | contains("Old text")'
t 'the current page has the new text' GET "$S/content/page/$PAGE?format=markdown" read '' 200 \
	'.markdown | contains("New text") and (contains("Old text") | not)'
t 'a deleted page answers 404' GET $S/content/page/$GONE read '' 404 ''
t 'a deleted page answers 404 by its path' GET $S/content/path/guide/gone read '' 404 ''
t 'a deleted page is in the old revision' GET $S/revisions/$REV_OLD/page/$GONE read '' 200 '.title == "Gone later"'
t 'a deleted page is at its path in the old revision' GET $S/revisions/$REV_OLD/path/guide/gone read '' 200 '.id == "'$GONE'"'
t 'a later page is not in the old revision' GET $S/revisions/$REV_OLD/path/guide/added read '' 404 ''

# Pages.
t 'a page has its document' GET $S/content/page/$PAGE read '' 200 '.id == "'$PAGE'" and .title == "Guide" and .path == "guide" and .type == "document"
	and (.document | .object == "document" and (.nodes | length > 0)) and (has("markdown") | not)'
t 'format=document gives the document alone' GET "$S/content/page/$PAGE?format=document" read '' 200 'has("document") and (has("markdown") | not)'
t 'format=markdown gives Markdown alone' GET "$S/content/page/$PAGE?format=markdown" read '' 200 \
	'(.markdown | startswith("# Guide\n")) and (has("document") | not)'
t 'evaluated=true is accepted' GET "$S/content/page/$PAGE?evaluated=true" read '' 200 'has("document")'
t 'evaluated=deterministic-only is accepted' GET "$S/content/page/$PAGE?evaluated=deterministic-only" read '' 200 ''
t 'another value of evaluated is refused' GET "$S/content/page/$PAGE?evaluated=2" read '' 400 '.fields[0].path == "/evaluated"'
t 'stable links are spelled by ids' GET "$S/content/path/readme?format=markdown&format.markdown.refs=stable" read '' 200 \
	'.markdown | contains("/pages/'$PAGE'") and contains("/files/'$FILE'")'
t 'relative links are spelled by paths' GET "$S/content/path/readme?format=markdown&format.markdown.refs=relative" read '' 200 \
	'.markdown | contains("(guide/README.md)")'
t 'a page without metadata has no git' GET "$S/content/page/$PAGE?metadata=false" read '' 200 'has("git") | not'
t 'a page is found by its path' GET $S/content/path/guide read '' 200 '.id == "'$PAGE'" and has("document")'
t 'a page is found by a path of two segments' GET $S/content/path/guide/set-up read '' 200 '.title == "Set-up"'
t 'a page is found by a path with %2F' GET $S/content/path/guide%2Fset-up read '' 200 '.title == "Set-up"'
t 'a page is found by a path in any case' GET $S/content/path/Guide/SET-UP read '' 200 '.title == "Set-up"'
t 'a group is found by its path' GET $S/content/path/learn read '' 200 '.type == "group" and (has("document") | not) and (.pages | length) == 2'
t 'an unknown path answers 404' GET $S/content/path/guide/nope read '' 404 ''
t 'an empty path answers 404' GET $S/content/path read '' 404 ''
t 'an empty path with a slash answers 404' GET $S/content/path/ read '' 404 ''
t 'a path with a double dot answers 400' GET $S/content/path/guide/../guide read '' 400 ''
t 'a path with an encoded double dot answers 404' GET $S/content/path/guide%2F..%2Fguide read '' 404 ''
t 'a page is found by its path in a revision' GET $S/revisions/$REV/path/guide read '' 200 '.id == "'$PAGE'"'
t 'a link in the tree has its address' GET $S/content/pages read '' 200 \
	'[.. | objects | select(.type? == "link")][0] | .title == "Elsewhere" and .href == "https://example.org/docs"'
t 'a group is read by its id' GET $S/content/page/$(get $S/content/pages; jq -r '.pages[1].id' "$out") read '' 200 '.type == "group"'
t 'a document is read alone' GET $S/revisions/$REV/page/$PAGE/document read '' 200 '.object == "document" and (.nodes | length > 0)'
case $(header cache-control) in *immutable*) pass ;; *) fail 'the document of a revision is cached for good' "$(header cache-control)" ;; esac
t 'a document is read with reusable content in it' GET "$S/revisions/$REV/page/$PAGE/document?dereferenced=reusable-contents" read '' 200 \
	'.object == "document"'
t 'dereferenced may be there twice' GET "$S/revisions/$REV/page/$PAGE/document?dereferenced=reusable-contents&dereferenced=reusable-contents" read '' 200 ''
t 'another value of dereferenced is refused' GET "$S/revisions/$REV/page/$PAGE/document?dereferenced=all" read '' 400 '.fields[0].path == "/dereferenced/0"'
t 'the old document has the old text' GET $S/revisions/$REV_OLD/page/$PAGE/document read '' 200 'tostring | contains("Old text")'
t 'meta links of a space without a site are empty' GET $S/revisions/$REV/page/$PAGE/meta-links read '' 200 '.alternates == []'

# Reusable contents.
get $S/content
re_title=$(jq -r '.reusableContents[0].title | @uri' "$out")
t 'reusable contents, pages and files are found by their names' GET "$S/content?find=$re_title" read '' 200 \
	'[.reusableContents[].id] == ["'$REUSABLE'"] and .files == []'
t 'no name has these words' GET "$S/content?find=no+such+name" read '' 200 '.pages == [] and .files == [] and .reusableContents == []'
t 'an empty text finds the first of them' GET "$S/content?find=" read '' 200 '(.reusableContents | length) == 1 and (.pages | length > 1 and length <= 50)'
t 'reusable content is read by its id' GET $S/content/reusable-contents/$REUSABLE read '' 200 '.id == "'$REUSABLE'" and (.title | length > 0)'
t 'reusable content without metadata has no git' GET "$S/content/reusable-contents/$REUSABLE?metadata=false" read '' 200 'has("git") | not'
t 'reusable content is read in a revision' GET $S/revisions/$REV/reusable-contents/$REUSABLE read '' 200 '.id == "'$REUSABLE'"'
t 'reusable content has its document' GET $S/revisions/$REV/reusable-contents/$REUSABLE/document read '' 200 'tostring | contains("Take care")'
t 'a page is no reusable content' GET $S/content/reusable-contents/$PAGE read '' 404 ''
t 'a page has no document of reusable content' GET $S/revisions/$REV/reusable-contents/$PAGE/document read '' 404 ''
t 'reusable content is no page' GET $S/content/page/$REUSABLE read '' 404 ''

# Files.
t 'files are listed by name' GET $S/content/files read '' 200 '.count == 3 and [.items[].name] == ["a b&c.txt", "act.svg", "dot.png"]'
t 'files without metadata have no git' GET "$S/content/files?metadata=false" read '' 200 '[.items[] | select(has("git"))] == []'
t 'a file has type, size and address' GET $S/content/files/$FILE read '' 200 \
	'.id == "'$FILE'" and .name == "dot.png" and .contentType == "image/png" and .size == 29
	and .dimensions == {width: 7, height: 5} and (.downloadURL | startswith("'$base'/"))'
t 'files of a revision are listed' GET $S/revisions/$REV_OLD/files read '' 200 '.count == 3'
t 'a file is read in a revision' GET $S/revisions/$REV_OLD/files/$FILE read '' 200 '.id == "'$FILE'"'
t 'a page is no file' GET $S/content/files/$PAGE read '' 404 ''

# Unknown ids in each place of a path (docs/design/security.md, "S1"), one at a time.
for at in content/page/nope content/files/nope content/reusable-contents/nope revisions/nope revisions/nope/pages \
	revisions/nope/files revisions/nope/files/$FILE revisions/nope/page/$PAGE revisions/nope/page/$PAGE/document \
	revisions/nope/page/$PAGE/meta-links revisions/nope/path/guide revisions/nope/reusable-contents/$REUSABLE \
	revisions/nope/reusable-contents/$REUSABLE/document revisions/$REV/page/nope revisions/$REV/page/nope/document \
	revisions/$REV/page/nope/meta-links revisions/$REV/files/nope revisions/$REV/reusable-contents/nope \
	revisions/$REV/reusable-contents/nope/document revisions/$REV/path/nope \
	revisions/$REV_B revisions/$REV_B/pages revisions/$REV_B/page/$PAGE_B content/page/$PAGE_B content/files/$FILE_B \
	revisions/$REV/page/$PAGE_B revisions/$REV/files/$FILE_B; do
	t "an id that is not there answers 404: $at" GET $S/$at admin '' 404 ''
done
for at in content content/pages content/files content/page/$PAGE content/files/$FILE revisions/$REV revisions/$REV/page/$PAGE/document; do
	t "a guest gets 404: $at" GET $S/$at guest '' 404 ''
	t "another organization gets 404: $at" GET $S/$at other '' 404 ''
	t "another space does not have our ids: $at" GET /v1/spaces/$SPACE_B/$at other '' $([ $at = content ] || [ $at = content/pages ] ||
		[ $at = content/files ] && echo 200 || echo 404) ''
done
t 'a setting is no page' GET $S/content/page/layout admin '' 404 ''
t 'a setting is no file' GET $S/content/files/vars admin '' 404 ''

# Invalid values of declared parameters are refused, even where the parameter has no effect.
for path in content content/pages content/files content/files/$FILE content/page/$PAGE revisions/$REV revisions/$REV/pages revisions/$REV/files; do
	for name in metadata computed; do
		t "the parameter $name is accepted: $path" GET "$S/$path?$name=false" read '' 200 ''
		t "another value of $name is refused: $path" GET "$S/$path?$name=maybe" read '' 400 '.fields[0].path == "/'$name'"'
	done
done
t 'metadata and computed are described for every revision, file and page' GET /v1/openapi.json - '' 200 '[.paths | to_entries[]
	| select(.key
		| test("^/spaces/[^/]+(/change-requests/[^/]+)?/(content|revisions/[^/]+)(/files|/files/[^/]+|/pages|/page/[^/]+|/path/[^/]+|/reusable-contents/[^/]+)?$"))
	| .value.get | select(. != null and ([.parameters[]? | select(."$ref" == null) | .name] | (index("metadata") == null
		or index("computed") == null))) | .operationId] == []'
