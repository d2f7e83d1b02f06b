# Content: revisions, trees, pages, files, reusable contents.
S=/v1/spaces/$SPACE
t 'revision' GET $S/content read '' 200 '.object == "revision" and .id == "'$REV'" and .parents == ["'$REV_OLD'"] and .type == "edits"
	and (.git.message | startswith("second")) and ([.pages[].title] == ["Welcome", "Learn"]) and (.files | length) == 3
	and (.reusableContents | length) == 1 and .variables == {} and .tags == []'
t 'paths' GET $S/content/pages read '' 200 '[.. | objects | .path? // empty] | contains(["readme", "learn", "guide", "guide/set-up", "guide/unicode"])'
t 'kinds' GET $S/content/pages read '' 200 '[.. | objects | .type? // empty] | unique == ["document", "group", "link"]'
t 'a tree has no bodies' GET $S/content/pages read '' 200 '[.. | objects | select(has("document") or has("markdown"))] == []'
t 'without git metadata' GET "$S/content?metadata=false" read '' 200 '[.. | objects | select(has("git"))] == []'
t 'with git metadata' GET "$S/content?metadata=true" read '' 200 '[.. | objects | select(has("git"))] | length > 8'
t 'computed is accepted' GET "$S/content?computed=false" read '' 200 '.id == "'$REV'"'
t 'by its id' GET $S/revisions/$REV read '' 200 '.id == "'$REV'"'
t 'tree by revision' GET $S/revisions/$REV/pages read '' 200 '.pages | length == 2'

# The revision before stays as it was.
t 'old revision' GET $S/revisions/$REV_OLD read '' 200 '.id == "'$REV_OLD'" and (.git.message | startswith("first"))
	and ([.. | objects | .title? // empty] | index("Gone later") != null and index("Added") == null)'
t 'old tree' GET $S/revisions/$REV_OLD/pages read '' 200 '[.. | objects | .path? // empty] | index("guide/gone") != null'
GONE=$(jq -r '[.. | objects | select(.path? == "guide/gone")][0].id' "$out")
t 'old page as it was' GET "$S/revisions/$REV_OLD/page/$PAGE?format=markdown" read '' 200 '.markdown | contains("Old text")'
t 'page now' GET "$S/content/page/$PAGE?format=markdown" read '' 200 '.markdown | contains("New text") and (contains("Old text") | not)'
t 'what is gone' GET $S/content/page/$GONE read '' 404 ''
t 'what is gone, by path' GET $S/content/path/guide/gone read '' 404 ''
t 'what is gone was there' GET $S/revisions/$REV_OLD/page/$GONE read '' 200 '.title == "Gone later"'
t 'and at its path' GET $S/revisions/$REV_OLD/path/guide/gone read '' 200 '.id == "'$GONE'"'
t 'what came later was not' GET $S/revisions/$REV_OLD/path/guide/added read '' 404 ''

# Pages.
t 'page' GET $S/content/page/$PAGE read '' 200 '.id == "'$PAGE'" and .title == "Guide" and .path == "guide" and .type == "document"
	and (.document | .object == "document" and (.nodes | length > 0)) and (has("markdown") | not)'
t 'page as document' GET "$S/content/page/$PAGE?format=document" read '' 200 'has("document") and (has("markdown") | not)'
t 'page as Markdown' GET "$S/content/page/$PAGE?format=markdown" read '' 200 '(.markdown | startswith("# Guide\n")) and (has("document") | not)'
t 'evaluated is accepted' GET "$S/content/page/$PAGE?evaluated=true" read '' 200 'has("document")'
t 'evaluated as documented' GET "$S/content/page/$PAGE?evaluated=deterministic-only" read '' 200 ''
t 'evaluated otherwise' GET "$S/content/page/$PAGE?evaluated=2" read '' 400 '.fields[0].path == "/evaluated"'
t 'stable links' GET "$S/content/path/readme?format=markdown&format.markdown.refs=stable" read '' 200 '.markdown | contains("/pages/'$PAGE'") and contains("/files/'$FILE'")'
t 'relative links' GET "$S/content/path/readme?format=markdown&format.markdown.refs=relative" read '' 200 '.markdown | contains("(guide/README.md)")'
t 'page without metadata' GET "$S/content/page/$PAGE?metadata=false" read '' 200 'has("git") | not'
t 'by path' GET $S/content/path/guide read '' 200 '.id == "'$PAGE'" and has("document")'
t 'by path of two segments' GET $S/content/path/guide/set-up read '' 200 '.title == "Set-up"'
t 'by path with %2F' GET $S/content/path/guide%2Fset-up read '' 200 '.title == "Set-up"'
t 'path in any case' GET $S/content/path/Guide/SET-UP read '' 200 '.title == "Set-up"'
t 'group by path' GET $S/content/path/learn read '' 200 '.type == "group" and (has("document") | not) and (.pages | length) == 2'
t 'unknown path' GET $S/content/path/guide/nope read '' 404 ''
t 'empty path' GET $S/content/path read '' 404 ''
t 'empty path with a slash' GET $S/content/path/ read '' 404 ''
t 'path that climbs' GET $S/content/path/guide/../guide read '' 400 ''
t 'path that climbs, encoded' GET $S/content/path/guide%2F..%2Fguide read '' 404 ''
t 'by path in a revision' GET $S/revisions/$REV/path/guide read '' 200 '.id == "'$PAGE'"'
t 'link page' GET $S/content/pages read '' 200 '[.. | objects | select(.type? == "link")][0] | .title == "Elsewhere" and .href == "https://example.org/docs"'
t 'group by id' GET $S/content/page/$(get $S/content/pages; jq -r '.pages[1].id' "$out") read '' 200 '.type == "group"'
t 'document alone' GET $S/revisions/$REV/page/$PAGE/document read '' 200 '.object == "document" and (.nodes | length > 0)'
case $(header cache-control) in *immutable*) pass ;; *) fail 'a document of a revision is immutable' "$(header cache-control)" ;; esac
t 'document with reusable contents' GET "$S/revisions/$REV/page/$PAGE/document?dereferenced=reusable-contents" read '' 200 '.object == "document"'
t 'dereferenced twice' GET "$S/revisions/$REV/page/$PAGE/document?dereferenced=reusable-contents&dereferenced=reusable-contents" read '' 200 ''
t 'dereferenced otherwise' GET "$S/revisions/$REV/page/$PAGE/document?dereferenced=all" read '' 400 '.fields[0].path == "/dereferenced/0"'
t 'old document' GET $S/revisions/$REV_OLD/page/$PAGE/document read '' 200 'tostring | contains("Old text")'
t 'meta links' GET $S/revisions/$REV/page/$PAGE/meta-links read '' 200 '.alternates == []'

# Reusable contents.
t 'reusable content' GET $S/content/reusable-contents/$REUSABLE read '' 200 '.id == "'$REUSABLE'" and (.title | length > 0)'
t 'without metadata' GET "$S/content/reusable-contents/$REUSABLE?metadata=false" read '' 200 'has("git") | not'
t 'in a revision' GET $S/revisions/$REV/reusable-contents/$REUSABLE read '' 200 '.id == "'$REUSABLE'"'
t 'its document' GET $S/revisions/$REV/reusable-contents/$REUSABLE/document read '' 200 'tostring | contains("Take care")'
t 'a page is none' GET $S/content/reusable-contents/$PAGE read '' 404 ''
t 'a page has no such document' GET $S/revisions/$REV/reusable-contents/$PAGE/document read '' 404 ''
t 'it is no page' GET $S/content/page/$REUSABLE read '' 404 ''

# Files.
t 'files' GET $S/content/files read '' 200 '.count == 3 and [.items[].name] == ["a b&c.txt", "act.svg", "dot.png"]'
t 'files without metadata' GET "$S/content/files?metadata=false" read '' 200 '[.items[] | select(has("git"))] == []'
t 'file' GET $S/content/files/$FILE read '' 200 '.id == "'$FILE'" and .name == "dot.png" and .contentType == "image/png" and .size == 29
	and .dimensions == {width: 7, height: 5} and (.downloadURL | startswith("'$base'/"))'
t 'files of a revision' GET $S/revisions/$REV_OLD/files read '' 200 '.count == 3'
t 'file of a revision' GET $S/revisions/$REV_OLD/files/$FILE read '' 200 '.id == "'$FILE'"'
t 'a page is no file' GET $S/content/files/$PAGE read '' 404 ''

# What is not there, below what is, and the other way round (docs/design/security.md, "S1"): one id each.
for at in content/page/nope content/files/nope content/reusable-contents/nope revisions/nope revisions/nope/pages \
	revisions/nope/files revisions/nope/files/$FILE revisions/nope/page/$PAGE revisions/nope/page/$PAGE/document \
	revisions/nope/page/$PAGE/meta-links revisions/nope/path/guide revisions/nope/reusable-contents/$REUSABLE \
	revisions/nope/reusable-contents/$REUSABLE/document revisions/$REV/page/nope revisions/$REV/page/nope/document \
	revisions/$REV/page/nope/meta-links revisions/$REV/files/nope revisions/$REV/reusable-contents/nope \
	revisions/$REV/reusable-contents/nope/document revisions/$REV/path/nope \
	revisions/$REV_B revisions/$REV_B/pages revisions/$REV_B/page/$PAGE_B content/page/$PAGE_B content/files/$FILE_B \
	revisions/$REV/page/$PAGE_B revisions/$REV/files/$FILE_B; do
	t "GET $at" GET $S/$at admin '' 404 ''
done
for at in content content/pages content/files content/page/$PAGE content/files/$FILE revisions/$REV revisions/$REV/page/$PAGE/document; do
	t "$at: guest" GET $S/$at guest '' 404 ''
	t "$at: other organization" GET $S/$at other '' 404 ''
	t "$at: their space, our ids" GET /v1/spaces/$SPACE_B/$at other '' $([ $at = content ] || [ $at = content/pages ] ||
		[ $at = content/files ] && echo 200 || echo 404) ''
done
t 'settings are no pages' GET $S/content/page/layout admin '' 404 ''
t 'settings are no files' GET $S/content/files/vars admin '' 404 ''

# What is described is refused alike where it is nonsense, also where it makes no difference.
for path in content content/pages content/files content/files/$FILE content/page/$PAGE revisions/$REV revisions/$REV/pages revisions/$REV/files; do
	for name in metadata computed; do
		t "$name of $path" GET "$S/$path?$name=false" read '' 200 ''
		t "$name of $path: nonsense" GET "$S/$path?$name=maybe" read '' 400 '.fields[0].path == "/'$name'"'
	done
done
t 'and described wherever a revision, its files or its pages are read' GET /v1/openapi.json - '' 200 '[.paths | to_entries[]
	| select(.key | test("^/spaces/[^/]+(/change-requests/[^/]+)?/(content|revisions/[^/]+)(/files|/files/[^/]+|/pages|/page/[^/]+|/path/[^/]+|/reusable-contents/[^/]+)?$"))
	| .value.get | select(. != null and ([.parameters[]? | select(."$ref" == null) | .name] | (index("metadata") == null or index("computed") == null))) | .operationId] == []'
