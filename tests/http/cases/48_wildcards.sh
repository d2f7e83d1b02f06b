# Redirects of the newest client: for all paths with a prefix, with the rest of the path appended, and permanent ones.
site_of_redirects=$(space_empty Redirected)
space_write $site_of_redirects \
	'{"changes":[{"operation":"insert_page","title":"Start","document":{"markdown":"Here."}},{"operation":"insert_page","title":"Guide",'\
'"document":{"markdown":"There."}}]}'
t 'a site is created' POST /v1/orgs/$ORG/sites admin '{"title":"Redirected","visibility":"public","spaces":["'$site_of_redirects'"]}' 201 ''
XS=/v1/orgs/$ORG/sites/$(jq -r .id "$out")
t 'the site is published' POST $XS/publish admin '' 200 ''
x_at=$(jq -r .urls.published "$out")
get $XS/site-spaces admin
x_item=$(jq -r '.items[0].id' "$out")
x_to() { printf '{"source":"%s","destination":{"kind":"external","url":"%s"}%s}' "$1" "$2" "${3:-}"; }
t 'a redirect of one path has its defaults' POST $XS/redirects admin "$(x_to /old/exact https://exact.example/)" 201 \
	'.draft == false and .permanent == false and .captureWildcard == false and (.createdAt | startswith("20")) and (has("updatedAt") | not)'
x_id=$(jq -r .id "$out")
t 'a redirect of all paths below is created' POST $XS/redirects admin \
	"$(x_to '/old/*' 'https://whole.example/new/?a=b#c' ',"captureWildcard":true,"permanent":true')" 201 '.permanent and .captureWildcard'
t 'a redirect of a prefix is created' POST $XS/redirects admin "$(x_to '/old/v*' https://part.example ',"captureWildcard":true')" 201 ''
t 'a redirect that drops what follows is created' POST $XS/redirects admin "$(x_to '/gone*' https://gone.example/)" 201 ''
t 'a redirect to a variant is created' POST $XS/redirects admin '{"source":"/docs/*","captureWildcard":true,"destination":{"kind":"site-space",
	"siteSpaceId":"'$x_item'"}}' 201 ''
for x_bad in '/*' '*' '/a*b' '/a/*/b' '/a**' '/a//b'; do t "the source $x_bad is refused" POST $XS/redirects admin \
	"$(x_to "$x_bad" https://x.example/)" 400 '.fields[0].path == "/source"'; done
# A draft does not redirect; an active redirect of the same source may exist beside it.
t 'a draft is created' POST $XS/redirects admin "$(x_to /draft https://draft.example/ ',"draft":true,"permanent":true')" 201 '.draft and .permanent'
x_draft=$(jq -r .id "$out")
t 'a second draft of the source is refused' POST $XS/redirects admin "$(x_to /draft https://x.example/ ',"draft":true')" 409 ''
t 'a live redirect beside its draft is created' POST $XS/redirects admin "$(x_to /draft https://live.example/)" 201 '.draft == false'
x_live=$(jq -r .id "$out")
t 'a draft of a wildcard is created' POST $XS/redirects admin "$(x_to '/draft/*' https://x.example/ ',"draft":true')" 201 ''
t 'drafts are listed alone' GET "$XS/redirects?draft=true" admin '' 200 '[.items[].source] == ["/draft", "/draft/*"] and .count == 2 and all(.items[]; .draft)'
t 'redirects are listed without drafts' GET $XS/redirects admin '' 200 'all(.items[]; .draft == false) and ([.items[].source] | contains(["/draft"]))'
t 'a second redirect of a wildcard is refused' POST $XS/redirects admin "$(x_to '/old/*' https://x.example/)" 409 ''
# x_leads PATH TO: the renderer's look-up, and the reader's response
x_leads() {
	t "the API resolves the redirect of $1" GET "$XS/redirect?source=$(printf %s "$1" | jq -Rr @uri)" read '' "${3:-200}" \
		".target == $([ -n "$2" ] && jq -n --arg to "$2" '$to' || echo null)"
}
x_leads /draft https://live.example/
x_leads /draft/x '' 404
x_leads /old/exact https://exact.example/
x_leads /old/a/b%20c 'https://whole.example/new/a/b%20c?a=b#c'
x_leads /old/v1 https://part.example/1
x_leads /old/v.evil.example https://part.example/.evil.example
x_leads /gone-for-good https://gone.example/
x_leads /docs/guide ${x_at}guide
x_leads /older '' 404
x_leads /old '' 404
t 'a resolved redirect names its source' GET "$XS/redirect?source=%2Fold%2Fx" read '' 200 '.redirect.source == "/old/*" and .redirect.permanent'
t 'a source with a star cannot be resolved' GET "$XS/redirect?source=%2Fold%2F*" read '' 400 ''
t 'a redirect is made permanent' PATCH $XS/redirects/$x_id admin '{"permanent":true}' 200 \
	'.permanent and .source == "/old/exact" and (.updatedAt | startswith("20"))'
t 'redirects are changed in bulk' PUT $XS/redirects admin '{"redirects":[{"source":"/bulk/*","captureWildcard":true,
	"destination":{"kind":"external","url":"https://bulk.example"}},{"source":"/gone*","destination":null},{"source":"/d","draft":true,
	"destination":{"kind":"external","url":"https://x.example/"}}]}' 200 '[.results[] | [.status, .draft]] == [["created", false], ["deleted",
	false], ["created", true]]'
t 'drafts are published and deleted in bulk' PUT $XS/redirects admin '{"redirects":[{"source":"/draft","intent":"publish"},{"source":"/d",
	"intent":"publish"},{"source":"/none","intent":"publish"},{"source":"/draft/*","intent":"draft","destination":null},{"source":"/e",
	"intent":"draft","destination":{"kind":"external","url":"https://e.example/"}}]}' 200 \
	'[.results[] | [.status, .draft]] == [["published", false], ["published", false], ["error", false], ["deleted", true], ["created", true]]
		and .results[0].id == "'$x_live'"'
x_leads /draft https://draft.example/
x_leads /d https://x.example/
x_leads /e '' 404
t 'a published draft may be deleted' DELETE $XS/redirects/$x_draft admin '' 204 ''
t 'a published draft replaces the live redirect' GET "$XS/redirects?search=draft" admin '' 200 \
	'.count == 1 and .items[0].permanent and .items[0].id == "'$x_live'"'
t 'the draft that is left is listed' GET "$XS/redirects?draft=true" admin '' 200 '[.items[].source] == ["/e"]'
x_e=$(jq -r '.items[0].id' "$out")
t 'a live source that is taken is refused' PATCH $XS/redirects/$x_e admin '{"source":"/d","draft":false}' 409 ''
t 'a draft may have the source of a live redirect' PATCH $XS/redirects/$x_e admin '{"source":"/d"}' 200 '.draft'
t 'a draft is made live' PATCH $XS/redirects/$x_e admin '{"source":"/e","draft":false}' 200 '.draft == false'
x_leads /e https://e.example/
for x_bad in '{"source":"/f"}' '{"source":"/f","intent":"draft"}' '{"source":"/f","intent":"publish","destination":null}'; do
	t "a redirect without one destination is refused: $x_bad" PUT $XS/redirects admin \
		'{"redirects":[{"source":"/f1","destination":{"kind":"external","url":"https://f.example/"}},'"$x_bad"']}' 400 \
		'.fields[0].path == "/redirects/1/destination"'
done
x_leads /f1 '' 404
# By the path of a page, which is stored as the page.
x_path() { printf '{"source":"%s","destination":{"kind":"path","spaceId":"%s","path":"%s"}}' "$1" "$2" "$3"; }
t 'a destination by path is kept as its page' POST $XS/redirects admin "$(x_path /by-path $site_of_redirects guide)" 201 \
	'.destination.kind == "site-page" and .destination.siteSpaceId == "'$x_item'"'
x_leads /by-path ${x_at}guide
t 'paths of a destination are read in any spelling' PUT $XS/redirects admin \
	'{"redirects":['"$(x_path /p1 $site_of_redirects /Guide/),$(x_path /p2 $site_of_redirects nowhere),$(x_path /p3 $EMPTY guide)"']}' 200 \
	'[.results[].status] == ["created", "error", "error"]'
t 'a path of no page is refused' POST $XS/redirects admin "$(x_path /p4 $site_of_redirects nowhere)" 404 ''
t 'a path in a space that the site does not show is refused' POST $XS/redirects admin "$(x_path /p5 $EMPTY x)" 404 ''
t 'a redirect is changed to a path' PATCH $XS/redirects/$x_e admin "$(x_path /e $site_of_redirects guide)" 200 '.destination.kind == "site-page"'
# Orders of the list.
t 'redirects are ordered by source' GET "$XS/redirects?orderBy=source" admin '' 200 '([.items[].source] | . == sort)'
t 'redirects are ordered by creation' GET "$XS/redirects?orderBy=createdAt" admin '' 200 \
	'([.items[].createdAt] | . == (sort | reverse)) and .items[0].source == "/p1"'
t 'redirects are ordered by change' GET "$XS/redirects?orderBy=updatedAt" admin '' 200 \
	'([.items[] | .updatedAt // .createdAt] | . == (sort | reverse)) and .items[0].source == "/e"'
t 'ordered redirects are cut by limit' GET "$XS/redirects?orderBy=updatedAt&limit=2" admin '' 200 '(.items | length) == 2'
t 'the next page of ordered redirects goes on' GET "$XS/redirects?orderBy=updatedAt&limit=1000&page=$(jq -r .next.page "$out")" admin '' 200 \
	'(.items | length) == .count - 2 and all(.items[]; .source != "/e")'
t 'an unknown order is refused' GET "$XS/redirects?orderBy=target" admin '' 400 ''
x_leads /bulk/x https://bulk.example/x
if [ "$TRANSPORT" = http ]; then
	x_goes() { same "the reader answers the redirect of $1" "$2" "$(curl -sg -o /dev/null -w '%{http_code} %{redirect_url}' "$x_at$1")"; }
	x_goes old/exact '308 https://exact.example/'
	x_goes old/a/b '308 https://whole.example/new/a/b?a=b#c'
	x_goes old/v2 '302 https://part.example/2'
	x_goes guide '200 '
	t 'the site is made unlisted' PATCH $XS admin '{"visibility":"unlisted"}' 200 ''
	x_goes old/exact '302 https://exact.example/'
fi
t 'the site is deleted' DELETE $XS admin '' 204 ''
t 'the space is deleted' DELETE /v1/spaces/$site_of_redirects admin '' 204 ''
