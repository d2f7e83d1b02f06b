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
t 'no drafts' POST $XS/redirects admin "$(x_to /draft https://x.example/ ',"draft":true')" 400 '.fields[0].path == "/draft"'
t 'not twice' POST $XS/redirects admin "$(x_to '/old/*' https://x.example/)" 409 ''
# x_leads PATH TO: the renderer's question, and the reader's answer
x_leads() {
	t "asked: $1" GET "$XS/redirect?source=$(printf %s "$1" | jq -Rr @uri)" read '' "${3:-200}" ".target == $([ -n "$2" ] && jq -n --arg to "$2" '$to' || echo null)"
}
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
t 'in bulk' PUT $XS/redirects admin '{"redirects":[{"source":"/bulk/*","captureWildcard":true,"destination":{"kind":"external","url":"https://bulk.example"}},{"source":"/gone*","destination":null},{"source":"/d","draft":true,"destination":{"kind":"external","url":"https://x.example/"}}]}' 200 '[.results[].status] == ["created", "deleted", "error"]'
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
