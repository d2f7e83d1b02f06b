# Redirects as the newest client has them: for all that begins alike, with what follows, and for good.
site_of_redirects=$(space_empty Redirected)
space_write $site_of_redirects '{"changes":[{"operation":"insert_page","title":"Start","document":{"markdown":"Here."}},{"operation":"insert_page","title":"Guide","document":{"markdown":"There."}}]}'
t 'a site' POST /v1/orgs/$ORG/sites admin '{"title":"Redirected","visibility":"public","spaces":["'$site_of_redirects'"]}' 201 ''
XS=/v1/orgs/$ORG/sites/$(jq -r .id "$out")
t 'published' POST $XS/publish admin '' 200 ''
x_at=$(jq -r .urls.published "$out")
get $XS/site-spaces admin
x_item=$(jq -r '.items[0].id' "$out")
x_to() { printf '{"source":"%s","destination":{"kind":"external","url":"%s"}%s}' "$1" "$2" "${3:-}"; }
t 'one of just this path' POST $XS/redirects admin "$(x_to /old/exact https://exact.example/)" 201 '.draft == false and .permanent == false and .captureWildcard == false and (.createdAt | startswith("20")) and (has("updatedAt") | not)'
x_id=$(jq -r .id "$out")
t 'all below' POST $XS/redirects admin "$(x_to '/old/*' 'https://whole.example/new/?a=b#c' ',"captureWildcard":true,"permanent":true')" 201 '.permanent and .captureWildcard'
t 'all that begins so' POST $XS/redirects admin "$(x_to '/old/v*' https://part.example ',"captureWildcard":true')" 201 ''
t 'without what follows' POST $XS/redirects admin "$(x_to '/gone*' https://gone.example/)" 201 ''
t 'to the site itself' POST $XS/redirects admin '{"source":"/docs/*","captureWildcard":true,"destination":{"kind":"site-space","siteSpaceId":"'$x_item'"}}' 201 ''
for x_bad in '/*' '*' '/a*b' '/a/*/b' '/a**' '/a//b'; do t "no source: $x_bad" POST $XS/redirects admin "$(x_to "$x_bad" https://x.example/)" 400 '.fields[0].path == "/source"'; done
# A draft leads nowhere; the one that counts may stand beside it.
t 'a draft' POST $XS/redirects admin "$(x_to /draft https://draft.example/ ',"draft":true,"permanent":true')" 201 '.draft and .permanent'
x_draft=$(jq -r .id "$out")
t 'not another' POST $XS/redirects admin "$(x_to /draft https://x.example/ ',"draft":true')" 409 ''
t 'its source' POST $XS/redirects admin "$(x_to /draft https://live.example/)" 201 '.draft == false'
x_live=$(jq -r .id "$out")
t 'a draft of wildcards' POST $XS/redirects admin "$(x_to '/draft/*' https://x.example/ ',"draft":true')" 201 ''
t 'drafts alone' GET "$XS/redirects?draft=true" admin '' 200 '[.items[].source] == ["/draft", "/draft/*"] and .count == 2 and all(.items[]; .draft)'
t 'without drafts' GET $XS/redirects admin '' 200 'all(.items[]; .draft == false) and ([.items[].source] | contains(["/draft"]))'
t 'not twice' POST $XS/redirects admin "$(x_to '/old/*' https://x.example/)" 409 ''
# x_leads PATH TO: the renderer's question, and the reader's answer
x_leads() {
	t "asked: $1" GET "$XS/redirect?source=$(printf %s "$1" | jq -Rr @uri)" read '' "${3:-200}" ".target == $([ -n "$2" ] && jq -n --arg to "$2" '$to' || echo null)"
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
t 'with the redirect' GET "$XS/redirect?source=%2Fold%2Fx" read '' 200 '.redirect.source == "/old/*" and .redirect.permanent'
t 'asked for with a star' GET "$XS/redirect?source=%2Fold%2F*" read '' 400 ''
t 'changed' PATCH $XS/redirects/$x_id admin '{"permanent":true}' 200 '.permanent and .source == "/old/exact" and (.updatedAt | startswith("20"))'
t 'in bulk' PUT $XS/redirects admin '{"redirects":[{"source":"/bulk/*","captureWildcard":true,"destination":{"kind":"external","url":"https://bulk.example"}},{"source":"/gone*","destination":null},{"source":"/d","draft":true,"destination":{"kind":"external","url":"https://x.example/"}}]}' 200 '[.results[] | [.status, .draft]] == [["created", false], ["deleted", false], ["created", true]]'
t 'published in bulk' PUT $XS/redirects admin '{"redirects":[{"source":"/draft","intent":"publish"},{"source":"/d","intent":"publish"},{"source":"/none","intent":"publish"},{"source":"/draft/*","intent":"draft","destination":null},{"source":"/e","intent":"draft","destination":{"kind":"external","url":"https://e.example/"}}]}' 200 \
	'[.results[] | [.status, .draft]] == [["published", false], ["published", false], ["error", false], ["deleted", true], ["created", true]] and .results[0].id == "'$x_live'"'
x_leads /draft https://draft.example/
x_leads /d https://x.example/
x_leads /e '' 404
t 'its draft is gone' DELETE $XS/redirects/$x_draft admin '' 204 ''
t 'what it was' GET "$XS/redirects?search=draft" admin '' 200 '.count == 1 and .items[0].permanent and .items[0].id == "'$x_live'"'
t 'drafts that are left' GET "$XS/redirects?draft=true" admin '' 200 '[.items[].source] == ["/e"]'
x_e=$(jq -r '.items[0].id' "$out")
t 'of a source that counts' PATCH $XS/redirects/$x_e admin '{"source":"/d","draft":false}' 409 ''
t 'a draft of it' PATCH $XS/redirects/$x_e admin '{"source":"/d"}' 200 '.draft'
t 'made to count' PATCH $XS/redirects/$x_e admin '{"source":"/e","draft":false}' 200 '.draft == false'
x_leads /e https://e.example/
for x_bad in '{"source":"/f"}' '{"source":"/f","intent":"draft"}' '{"source":"/f","intent":"publish","destination":null}'; do
	t "no destination, or one too many: $x_bad" PUT $XS/redirects admin '{"redirects":[{"source":"/f1","destination":{"kind":"external","url":"https://f.example/"}},'"$x_bad"']}' 400 '.fields[0].path == "/redirects/1/destination"'
done
x_leads /f1 '' 404
# By the path of a page, which is kept as the page.
x_path() { printf '{"source":"%s","destination":{"kind":"path","spaceId":"%s","path":"%s"}}' "$1" "$2" "$3"; }
t 'to a path' POST $XS/redirects admin "$(x_path /by-path $site_of_redirects guide)" 201 '.destination.kind == "site-page" and .destination.siteSpaceId == "'$x_item'"'
x_leads /by-path ${x_at}guide
t 'in other spellings' PUT $XS/redirects admin '{"redirects":['"$(x_path /p1 $site_of_redirects /Guide/),$(x_path /p2 $site_of_redirects nowhere),$(x_path /p3 $EMPTY guide)"']}' 200 '[.results[].status] == ["created", "error", "error"]'
t 'to no page' POST $XS/redirects admin "$(x_path /p4 $site_of_redirects nowhere)" 404 ''
t 'to a space that the site does not show' POST $XS/redirects admin "$(x_path /p5 $EMPTY x)" 404 ''
t 'edited to a path' PATCH $XS/redirects/$x_e admin "$(x_path /e $site_of_redirects guide)" 200 '.destination.kind == "site-page"'
# In what order.
t 'by source' GET "$XS/redirects?orderBy=source" admin '' 200 '([.items[].source] | . == sort)'
t 'by creation' GET "$XS/redirects?orderBy=createdAt" admin '' 200 '([.items[].createdAt] | . == (sort | reverse)) and .items[0].source == "/p1"'
t 'by change' GET "$XS/redirects?orderBy=updatedAt" admin '' 200 '([.items[] | .updatedAt // .createdAt] | . == (sort | reverse)) and .items[0].source == "/e"'
t 'a page of it' GET "$XS/redirects?orderBy=updatedAt&limit=2" admin '' 200 '(.items | length) == 2'
t 'the next one' GET "$XS/redirects?orderBy=updatedAt&limit=1000&page=$(jq -r .next.page "$out")" admin '' 200 '(.items | length) == .count - 2 and all(.items[]; .source != "/e")'
t 'no such order' GET "$XS/redirects?orderBy=target" admin '' 400 ''
x_leads /bulk/x https://bulk.example/x
if [ "$TRANSPORT" = http ]; then
	x_goes() { same "the reader: $1" "$2" "$(curl -sg -o /dev/null -w '%{http_code} %{redirect_url}' "$x_at$1")"; }
	x_goes old/exact '308 https://exact.example/'
	x_goes old/a/b '308 https://whole.example/new/a/b?a=b#c'
	x_goes old/v2 '302 https://part.example/2'
	x_goes guide '200 '
	t 'not for everybody' PATCH $XS admin '{"visibility":"unlisted"}' 200 ''
	x_goes old/exact '302 https://exact.example/'
fi
t 'without the site' DELETE $XS admin '' 204 ''
t 'without the space' DELETE /v1/spaces/$site_of_redirects admin '' 204 ''
