# Texts that pages include, and pictures, from any folder of the repository.
inc="$tmp/includes"
mkdir -p "$inc/docs/a" "$inc/docs/.gitbook/includes" "$inc/docs/other/.gitbook/includes" "$inc/shared" "$inc/img"
printf 'root: docs\n' >"$inc/.gitbook.yaml"
: >"$inc/docs/other/.gitbook.yaml"
printf '* [Home](README.md)\n* [B](b.md)\n* [Deep](a/page.md)\n* [Some](some.md)\n' >"$inc/docs/SUMMARY.md"
cat >"$inc/docs/README.md" <<-'END'
	# Home

	{% include "shared/s.txt" %}

	{% include "./a/part.md" %}

	{% include "./b.md" %}

	{% include "git+https://example.com/x.git/a.md" %}

	{% include "README.md" %}

	{% include "none.md" %}

	{% include "img/dot.png" %}

	![up](../img/dot.png) ![rooted](/img/dot.png) [no link](../shared/s.txt)

	{% include "some.md" %}
END
printf '# B\n\nBWORD\n\n![](../img/dot.png)\n\n{%% include a/part.md %%}\n' >"$inc/docs/b.md"
printf '# Deep\n\n{%% include ".gitbook/includes/n.md" %%}\n\n{%% include "../other/.gitbook/includes/o.md" %%}\n' >"$inc/docs/a/page.md"
printf 'PARTWORD\n' >"$inc/docs/a/part.md"
printf -- '---\nif: visitor.claims.x\n---\n# Some\n\nSECRETWORD\n' >"$inc/docs/some.md"
printf -- '---\ntitle: Named\n---\n\nNWORD see [b.md](../../b.md "mention") for more\n' >"$inc/docs/.gitbook/includes/n.md"
printf 'OWORD\n' >"$inc/docs/other/.gitbook/includes/o.md"
printf 'SHAREDWORD\n' >"$inc/shared/s.txt"
cp "$tmp/repo/.gitbook/assets/dot.png" "$inc/img/dot.png"
git_in "$inc" init -q -b main
git_in "$inc" add -A
git_in "$inc" commit -q -m one
INC=$(octavo_json .result.space import --org "$ORG" --title Includes --url "$inc")
cp "$tmp/cli" "$tmp/inc.json"
inc_warns() { yes "the import warns: $*" jq -e --arg file "$1" --argjson line "$2" --arg text "$3" \
	'any(.warnings[]; .file == $file and .line == $line and (.message | contains($text)))' "$tmp/inc.json" >/dev/null; }
inc_warns docs/README.md 9 '"git+https://example.com/x.git/a.md" is not included: it is an address'
inc_warns docs/README.md 11 '"README.md" is not included: it includes what includes it'
inc_warns docs/README.md 13 '"none.md" is not included: there is no such file'
inc_warns docs/README.md 15 '"img/dot.png" is not included: it is no Markdown, HTML or plain text'
inc_warns docs/README.md 17 'nothing is at "../shared/s.txt"'
inc_warns docs/README.md 19 '"some.md" is not included: the page has a condition'
same 'the import gives no other warnings' 6 "$(jq '.warnings | length' "$tmp/inc.json")"
t 'included files become reusable content and linked files are stored' GET /v1/spaces/$INC/content admin '' 200 \
	'([.reusableContents[].title] | sort) == ["Named", "O", "Part", "S.txt"] and ([.files[].name] == ["dot.png"])'
INC_REV=$(jq -r .id "$out")
HOME_PAGE=$(jq -r '.pages[] | select(.path == "readme") | .id' "$out")
B_PAGE=$(jq -r '.pages[] | select(.path == "b") | .id' "$out")
DEEP=$(jq -r '.pages[] | select(.path == "a/page") | .id' "$out")
SOME=$(jq -r '.pages[] | select(.path == "some") | .id' "$out")
words='[.. | .text? | strings | scan("[A-Z]+WORD")]'
t 'a page has the text of all that it includes' GET "/v1/spaces/$INC/revisions/$INC_REV/page/$HOME_PAGE/document?dereferenced=reusable-contents" admin '' 200 \
	"$words == [\"SHAREDWORD\", \"PARTWORD\", \"BWORD\", \"PARTWORD\"]"
t 'two ways to write a picture are one file' GET "/v1/spaces/$INC/revisions/$INC_REV/page/$HOME_PAGE/document" admin '' 200 \
	'[.. | objects | select(.kind? == "file").file] | length == 2 and .[0] == .[1]'
t 'a page in a folder has the text of all that it includes' GET \
	"/v1/spaces/$INC/revisions/$INC_REV/page/$DEEP/document?dereferenced=reusable-contents" admin '' 200 \
	"$words == [\"NWORD\", \"OWORD\"]"
t 'an included page is read as reusable content' GET "/v1/spaces/$INC/revisions/$INC_REV/reusable-contents/$B_PAGE" admin '' 200 '.title == "B"'
t 'an included page has its text as reusable content' GET "/v1/spaces/$INC/revisions/$INC_REV/reusable-contents/$B_PAGE/document" admin '' 200 \
	"$words == [\"BWORD\"]"
t 'a page that no other includes is no reusable content' GET "/v1/spaces/$INC/content/reusable-contents/$DEEP" admin '' 404 ''
t 'a page with a condition is no reusable content' GET "/v1/spaces/$INC/revisions/$INC_REV/reusable-contents/$SOME/document" admin '' 404 ''
t 'an include of a page is a dependency and not broken' GET "/v1/spaces/$INC/content/page/$HOME_PAGE/links" admin '' 200 \
	"any(.items[]; .targetReference.page.id? == \"$B_PAGE\" and .relation == \"dependsOn\" and .status == \"ok\")"
# The same for readers, machines and search.
t 'search finds the pages that include a word' GET "/v1/spaces/$INC/search?query=PARTWORD" admin '' 200 \
	'[.items[].path] | sort == ["b", "readme"]'
t 'the excerpt has the included word' GET "/v1/spaces/$INC/search?query=OWORD" admin '' 200 \
	'any(.items[] | select(.path == "a/page").sections[]; .body | contains("OWORD"))'
t 'the excerpt has the text of a mention' GET "/v1/spaces/$INC/search?query=NWORD" admin '' 200 \
	'any(.items[].sections[]; .body | contains("NWORD see b for more"))'
t 'search does not find what a condition hides by its includer' GET "/v1/spaces/$INC/search?query=SECRETWORD" admin '' 200 '[.items[].path] == ["some"]'
t 'a site is created' POST /v1/orgs/$ORG/sites admin "{\"title\":\"Included\",\"type\":\"basic\",\"visibility\":\"public\",\"spaces\":[\"$INC\"]}" 201 ''
SITE=$(jq -r .id "$out")
t 'the site is published' POST /v1/orgs/$ORG/sites/$SITE/publish admin '' 200 ''
ADDRESS=$(jq -r .urls.published "$out")
if [ "$TRANSPORT" = http ]; then
	curl -s -o "$tmp/inc.md" "${ADDRESS}readme.md"
	yes 'Markdown has the included text' grep -q '^SHAREDWORD$' "$tmp/inc.md"
	yes 'Markdown has the included page with what it includes' test "$(grep -c '^PARTWORD$' "$tmp/inc.md")" = 2
	PICTURE=$(sed -n 's/.*!\[up\](\([^)]*\)).*/\1/p' "$tmp/inc.md")
	same 'Markdown names pictures by addresses that work' 200 "$(curl -s -o "$tmp/inc.png" -w '%{http_code}' "$PICTURE")"
	yes 'a picture has the bytes of its file' cmp "$tmp/inc.png" "$inc/img/dot.png"
	curl -s -o "$tmp/inc.txt" "${ADDRESS}llms-full.txt"
	yes 'llms-full.txt has the included text' test "$(grep -c '^\(NWORD see.*\|OWORD\|SHAREDWORD\)$' "$tmp/inc.txt")" = 3
	same 'llms-full.txt has nothing that a condition hides' 0 "$(grep -c SECRETWORD "$tmp/inc.txt")"
fi
t 'the site is deleted' DELETE /v1/orgs/$ORG/sites/$SITE admin '' 204 ''
printf 'PARTWORD ANOTHERWORD\n' >"$inc/docs/a/part.md"
git_in "$inc" commit -qam two
octavo_json .result.space import --org "$ORG" --space "$INC" --url "$inc" >/dev/null
INC_REV=$(jq -r .result.revision "$tmp/cli")
t 'a change of an included file changes the pages that include it' GET \
	"/v1/spaces/$INC/revisions/$INC_REV/page/$HOME_PAGE/document?dereferenced=reusable-contents" admin '' 200 \
	"$words == [\"SHAREDWORD\", \"PARTWORD\", \"ANOTHERWORD\", \"BWORD\", \"PARTWORD\", \"ANOTHERWORD\"]"
t 'search finds a changed word in all pages that include it' GET "/v1/spaces/$INC/search?query=ANOTHERWORD" admin '' 200 \
	'[.items[].path] | sort == ["b", "readme"]'
t 'the space is deleted' DELETE /v1/spaces/$INC admin '' 204 ''
