# Published sites as their readers see them: pages, search, forms for machines, files, what
# is not there. octavo-site serves them, and over CGI there is none beside the API.
if [ $TRANSPORT = http ]; then

t 'reader: a site' POST /v1/orgs/$ORG/sites admin '{"title":"Reader & <b>","spaces":["'$SPACE'"]}' 201 ''
R=$(jq -r .id "$out") at=/sites/$ORG/$(jq -r .basename "$out")
read_at $at/
same 'not published' 404 "$code"
t 'reader: published' POST /v1/orgs/$ORG/sites/$R/publish admin '' 200 ''
read_at $at/
same 'home: status' 200 "$code"
same 'home: type' 'text/html; charset=utf-8' "$(header content-type)"
case $(header content-security-policy) in *"default-src 'none'"*"require-trusted-types-for 'script'"*) pass ;; *) fail 'policy' "$(header content-security-policy)" ;; esac
case $(header content-security-policy) in *unsafe*) fail 'policy' 'unsafe' ;; *) pass ;; esac
same 'no cookie' '' "$(header set-cookie)"
holds 'its title' '<h1>Welcome</h1>'
holds 'the site, escaped' 'Reader &amp; &lt;b&gt;'
holds 'a link to another page' "<a href=\"$below$at/guide\">the guide</a>"
holds 'an image with its size' 'alt="" width="7" height="5"'
holds 'next' 'rel="next"'
# Once more: from the second time on the web server may send it, with a tag of its own.
read_at $at/
tag=$(header etag)
read_at $at/ -H "If-None-Match: $tag"
same 'not modified' 304 "$code"
same 'not modified: varies' Accept "$(header vary | cut -d , -f 1)"
read_at $at/guide
same 'a page: status' 200 "$code"
holds 'contents put in' 'Take care.'
holds 'breadcrumbs' '<ol><li>Learn</li></ol>'
holds 'what is below it' 'aria-current="page" class="open"'
holds 'breadcrumbs for machines' '"itemListElement":[{"@type":"ListItem","position":1,"name":"Reader \u0026 \u003cb\u003e","item":"'"$base$at/"'"},{"@type":"ListItem","position":2,"name":"Guide"}]'
holds 'canonical' "<link rel=\"canonical\" href=\"$base$at/guide\">"
read_at $at/guide/set-up
holds 'code in colours' '<span class="k">int</span> x;'
read_at $at/guide.md
same 'Markdown: status' 200 "$code"
same 'Markdown: type' 'text/markdown; charset=utf-8' "$(header content-type)"
holds 'Markdown' '# Guide'
read_at $at/guide -H 'Accept: text/markdown'
holds 'Markdown by Accept' '# Guide'
same 'Markdown: varies' Accept "$(header vary | cut -d , -f 1)"
read_at $at/no/such-guide
same 'missing: status' 404 "$code"
holds 'missing: it searches' 'value="no such guide"'
holds 'missing: it finds' "<a href=\"$below$at/guide\">Guide</a>"
read_at "$at/~search?q=%3Cscript%3E+guide"
same 'search: status' 200 "$code"
lacks 'search: the query is text' '<script> guide'
read_at "$at/~search?q=guide"
holds 'search: a hit' '<mark>Guide</mark>'
read_at "$at/~search.json?q=guide"
same 'search as JSON' "$below$at/guide" "$(jq -r '.[0].href' "$out")"
read_at "$at/~search.json?q=set-up"
same 'search as JSON: where a page is' 'Learn › Guide' "$(jq -r '.[0].path' "$out")"
read_at $at/sitemap.xml
holds 'sitemap' "<loc>$base$at/guide</loc>"
read_at $at/~about
holds 'the page about the reader names its build' 'Served by Octavo, build '
holds 'it has the notice of KaTeX' 'Khan Academy'
holds 'it has the notice of cmark-gfm' 'John MacFarlane'
read_at $at/robots.txt
holds 'robots.txt' "Sitemap: $base$at/sitemap.xml"
read_at $at/llms.txt
holds 'llms.txt' "- [Guide]($base$at/guide.md)"
read_at $at/llms-full.txt
holds 'llms-full.txt' 'New text.'
read_at $at/llms-full.txt -H "If-None-Match: $(header etag)"
same 'llms-full.txt: not modified' 304 "$code"
read_at $at/
css=$(sed -n 's/.*<link rel="stylesheet" href="\([^"]*\)".*/\1/p' "$out") css=${css#"$below"}
img=$(sed -n 's/.*<img src="\([^"]*\)".*/\1/p' "$out") img=${img#"$below"}
read_at "$css"
same 'style sheet: status' 200 "$code"
case $(header cache-control) in *immutable*) pass ;; *) fail 'style sheet: caching' "$(header cache-control)" ;; esac
# Pages of another release, which are still open or kept somewhere, are not left without one.
read_at "$(echo "$css" | sed 's/[.][0-9a-f]\{16\}[.]/.0123456789abcdef./')"
same 'style sheet of another release: status' 200 "$code"
same 'style sheet of another release: caching' no-cache "$(header cache-control)"
read_at "$img"
same 'file: status' 200 "$code"
cmp -s "$out" "$tmp/repo/.gitbook/assets/dot.png" && pass || fail 'file' 'other bytes'
read_at "$(echo "$img" | sed 's,/[0-9a-f]\{16\}/,/0000000000000000/,')"
same 'file: other bytes' 404 "$code"
read_at "$at/~asset/../../../octavo.key"
same 'an asset from elsewhere' 404 "$code"

# A picture for links to the page: a PNG of the size that the page says, by a name that changes with what is on it.
og() { sed -n 's/.*<meta property="og:image'"$1"'" content="\([^"]*\)".*/\1/p' "$out"; }
read_at $at/guide
picture=$(og '') same_size=$(og :width)x$(og :height)
case $picture in "$base$at/~picture/"*"/guide.png") pass ;; *) fail 'picture: address' "$picture" ;; esac
same 'picture: alternative' Guide "$(og :alt)"
read_at "${picture#"$base"}"
same 'picture: status' '200 image/png' "$code $(header content-type)"
case $(header cache-control) in *public*immutable*) pass ;; *) fail 'picture: caching' "$(header cache-control)" ;; esac
same 'picture: size' $same_size "$(od -An -tu1 -j16 -N8 "$out" | awk '{ print $3 * 256 + $4 "x" $7 * 256 + $8 }')"
same 'picture: a PNG' 89504e470d0a1a0a "$(od -An -tx1 -N8 "$out" | tr -d ' ')"
first=$(cksum <"$out")
read_at "${picture#"$base"}"
same 'picture: the same again' "$first" "$(cksum <"$out")"
yes 'picture: it is kept' test "$(find "$dir/cache/pictures" -type f | wc -l)" -eq 1
read_at "$at/~picture/0000000000000000/guide.png"
same 'picture: by an old name, as it is now' "200 public, no-cache $first" "$code $(header cache-control) $(cksum <"$out")"
for path in no/such.png guide.jpg ../../octavo.key.png; do
	read_at "$at/~picture/0000000000000000/$path"
	same "picture: none: $path" 404 "$code"
done
read_at "$at/~picture/0000000000000000/guide.png" -d x
same 'picture: takes no POST' 405 "$code"
read_at $at/
home=$(og '')
read_at "${home#"$base"}"
same 'picture: of the home page' '200 image/png' "$code $(header content-type)"
t 'picture: one of its own' PUT /v1/orgs/$ORG/sites/$R/customization admin '{"socialPreview":{"url":"https://example.com/own.png"}}' 200 ''
read_at $at/guide
same 'picture: its own wins' 'https://example.com/own.png ' "$(og '') $(og :width)"
t 'picture: none of its own' PUT /v1/orgs/$ORG/sites/$R/customization admin '{"styling":{"primaryColor":{"light":"#aa0000","dark":"#ff9999"}}}' 200 ''
read_at $at/guide
case $(og '') in "$picture" | '') fail 'picture: another name for another look' "$(og '')" ;; *) pass ;; esac
t 'picture: as it was' PUT /v1/orgs/$ORG/sites/$R/customization admin '{}' 200 ''

# Tools for language models.
tool() { read_at "$at/~mcp" -H 'Content-Type: application/json' -d "$1"; }
tool '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}'
same 'MCP: version' 2025-03-26 "$(jq -r .result.protocolVersion "$out")"
tool '{"jsonrpc":"2.0","method":"notifications/initialized"}'
same 'MCP: a notification' 202 "$code"
tool '{"jsonrpc":"2.0","id":"a","method":"tools/list"}'
same 'MCP: tools' 'a search page' "$(jq -r '.id + " " + (.result.tools | map(.name) | join(" "))' "$out")"
tool '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"search","arguments":{"query":"guide"}}}'
same 'MCP: search' "$base$at/guide" "$(jq -r '.result.content[0].text | split("\n")[1]' "$out")"
tool '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"page","arguments":{"address":"'"$base$at/guide"'"}}}'
same 'MCP: a page' true "$(jq '.result.content[0].text | contains("New text.")' "$out")"
tool '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"page","arguments":{"address":"/etc/passwd"}}}'
same 'MCP: no page' true "$(jq .result.isError "$out")"
tool '{"jsonrpc":"2.0","id":4,"method":"none"}'
same 'MCP: no method' -32601 "$(jq .error.code "$out")"
tool 'x'
same 'MCP: no JSON' '400 -32700' "$code $(jq .error.code "$out")"
read_at "$at/guide" -X PUT
same 'pages: methods' 'GET, HEAD' "$(header allow)"
read_at "$at/~mcp" -X DELETE
same 'MCP: another method' 'POST' "$(header allow)"
read_at "$at/~mcp"
same 'MCP: its method' 'POST' "$(header allow)"
same 'MCP: GET' 405 "$code"
read_at "$at/guide" -d x
same 'a page takes no POST' 405 "$code"

# A token that opens nothing is taken out of the address and kept nowhere; a raw backslash leads nowhere.
read_at "$at/guide?jwt_token=x.y.z"
same 'a token that opens nothing' "303 $below$at/guide " "$code $(header location) $(header set-cookie)"
for path in "$at\\guide" "/\\example.com/" "$at/\\example.com?jwt_token=x" "$at/a\\..\\guide"; do
	read_at "$path"
	same "a raw backslash: $path" 400 "$code"
done

# What is kept of a page: the same bytes again; the next request after a change has the new page.
read_at $at/guide
first=$(cksum <"$out")
read_at "$at/guide?utm_source=x"
same 'the same again' "$first" "$(cksum <"$out")"
yes 'it is kept' test "$(find "$dir/cache/pages" -type f | wc -l)" -gt 0
t 'another title' PATCH /v1/orgs/$ORG/sites/$R admin '{"title":"Renamed"}' 200 ''
# Whoever previews it comes first, and leaves nothing of it to others.
t 'a preview' GET /v1/orgs/$ORG/sites/$R/publishing/preview admin '' 200 ''
jwt=$(jq -r .url "$out" | sed 's/.*jwt_token=//')
read_at $at/guide -H "Cookie: octavo_visitor=$jwt"
holds 'preview: not for search engines' '<meta name="robots" content="noindex">'
case $(header cache-control) in private*) pass ;; *) fail 'preview: caching' "$(header cache-control)" ;; esac
read_at $at/guide
holds 'after a change: the new page' '<title>Guide · Renamed</title>'
lacks 'after a preview: for search engines' noindex

# A feed of the updates of a page, newest as the page has them; each with its own anchor and its text, escaped.
t 'changes: a space' POST /v1/orgs/$ORG/spaces admin '{"title":"Changes"}' 201 ''
CHANGES=$(jq -r .id "$out")
t 'changes: a site' POST /v1/orgs/$ORG/sites admin '{"title":"Changes","spaces":["'$CHANGES'"]}' 201 ''
feeds=$(jq -r .id "$out") news_at=/sites/$ORG/$(jq -r .basename "$out")
t 'changes: published' POST /v1/orgs/$ORG/sites/$feeds/publish admin '' 200 ''
t 'changes: a change request' POST /v1/spaces/$CHANGES/change-requests admin '{"subject":"Updates"}' 201 ''
number=$(jq -r .id "$out")
t 'changes: a page' POST "/v1/spaces/$CHANGES/change-requests/$number/content?compat=false" admin '{"changes":[{"operation":"insert_page",
	"title":"News & <b>","document":{"markdown":"{% updates %}\n{% update date=\"2026-02-28\" %}\n## Two <i> & more\n\nIt *reads* [this](#two-and-more).\n{% endupdate %}\n\n{% update date=\"2026-01-31\" %}\nNo title.\n{% endupdate %}\n{% endupdates %}"}}]}' 200 ''
t 'changes: merged' POST /v1/spaces/$CHANGES/change-requests/$number/merge admin '' 200 ''
news=$(curl -s "$base$news_at/sitemap.xml" | sed -n 's/.*<loc>[^<]*\/\(news[^<]*\)<.*/\1/p')
read_at "$news_at/$news"
feed=$(sed -n 's/.*<link rel="alternate" type="application.rss+xml" title="News &amp; &lt;b&gt;" href="\([^"]*\)">.*/\1/p' "$out")
read_at "${feed#"$below"}"
same 'feed: the page names it' '200 application/rss+xml; charset=utf-8' "$code $(header content-type)"
read_at "$news_at/$news/rss.xml"
same 'feed: type' 'application/rss+xml; charset=utf-8' "$(header content-type)"
same 'feed: two items' 2 "$(grep -o '<item>' "$out" | wc -l)"
holds 'feed: its title' 'News &amp; &lt;b&gt;'
holds 'feed: a date' '<pubDate>28 Feb 2026 00:00:00 GMT</pubDate>'
holds 'feed: text as HTML, escaped' '&lt;em&gt;reads&lt;/em&gt;'
holds 'feed: links lead there from anywhere' '&lt;a href=&quot;http'
holds 'feed: without a title the date' '<title>2026-01-31</title>'
yes 'feed: well-formed' node -e 'let d = 0; for (const m of require("fs").readFileSync(process.argv[1], "utf8").matchAll(/<(\/?)([a-z:A-Z]+)[^>]*?(\/?)>/g)) if (!m[3]) d += m[1] ? -1 : 1; process.exit(d)' "$out"
tag=$(header etag)
holds 'feed: headings lead there as well' "&lt;a href=&quot;$base$news_at/"
lacks 'feed: and nothing is relative' '&lt;a href=&quot;#'
read_at "$news_at/$news/rss.xml" -H "If-None-Match: $tag"
same 'feed: not modified' 304 "$code"
read_at $at/guide/rss.xml
same 'no updates, no feed' 404 "$code"
t 'changes: no site' DELETE /v1/orgs/$ORG/sites/$feeds admin '' 204 ''
t 'changes: no space' DELETE /v1/spaces/$CHANGES admin '' 204 ''

# The first page is hidden: what is below it is neither home nor next, and has its own address.
t 'hidden first: a space' POST /v1/orgs/$ORG/spaces admin '{"title":"Behind"}' 201 ''
BEHIND=$(jq -r .id "$out")
space_write $BEHIND '{"changes":[{"operation":"insert_page","ref":"h","document":{"markdown":"---\nhidden: true\n---\n\n# Cellar\n\nSee [the shelf](cellar/shelf.md) and [the door](door.md).\n"}},
	{"operation":"insert_page","title":"Shelf","into":"h","document":{"markdown":"On the shelf."}},{"operation":"insert_page","title":"Door","document":{"markdown":"At the door."}},
	{"operation":"insert_page","title":"Hall","document":{"markdown":"In the hall."}}]}'
t 'hidden first: a site' POST /v1/orgs/$ORG/sites admin '{"title":"Behind","spaces":["'$BEHIND'"]}' 201 ''
behind=/v1/orgs/$ORG/sites/$(jq -r .id "$out") behind_at=/sites/$ORG/behind
t 'hidden first: privacy' PUT $behind/customization admin '{"privacyPolicy":{"url":"https://example.com/privacy?a=1&b=2"}}' 200 ''
t 'hidden first: published' POST $behind/publish admin '' 200 ''
read_at $behind_at/
holds 'hidden first: home' '<h1>Door</h1>'
holds 'the privacy link' '<a href="https://example.com/privacy?a=1&amp;b=2">Privacy policy</a>'
read_at $behind_at/cellar
holds 'hidden first: the page below it' "href=\"$below$behind_at/cellar/shelf\""
read_at $behind_at/hall
lacks 'hidden first: not in the order' cellar
changes=
for i in $(seq 45); do changes=$changes'{"operation":"insert_page","document":{"markdown":"---\nhidden: true\n---\n\n# Quagga quagga\n\nquagga\n"}},'; done
space_write $BEHIND '{"changes":['"$changes"'{"operation":"insert_page","title":"Plain","document":{"markdown":"Much about other animals, and one word of a quagga among many others here."}}]}'
jobs_rest
read_at "$behind_at/~search?q=quagga"
holds 'a result behind many hidden pages' "href=\"$below$behind_at/plain\""
lacks 'and none of these' 'Quagga quagga'
t 'hidden first: no privacy' PUT $behind/customization admin '{"privacyPolicy":{"url":"javascript:alert(1)"}}' 400 ''
t 'hidden first: no site' DELETE $behind admin '' 204 ''
t 'hidden first: no space' DELETE /v1/spaces/$BEHIND admin '' 204 ''

# A page shows users of its tables by their names: another name is there at once, in all forms that are kept.
t 'names: a space' POST /v1/orgs/$ORG/spaces admin '{"title":"Names"}' 201 ''
NAMES=$(jq -r .id "$out")
old_name=$(t 'names: before' GET /v1/users/$U_read read '' 200 '' && jq -r .displayName "$out")
space_write $NAMES '{"changes":[{"operation":"insert_page","title":"Team","document":{"markdown":"{% updates %}\n{% update date=\"2026-02-28\" %}\n<table><thead><tr><th>Part</th><th data-type=\"users\">Who</th></tr></thead><tbody><tr><td>Compiler</td><td>'$U_read'</td></tr></tbody></table>\n{% endupdate %}\n{% endupdates %}\n"}}]}'
t 'names: a site' POST /v1/orgs/$ORG/sites admin '{"title":"Names","spaces":["'$NAMES'"]}' 201 ''
names=/v1/orgs/$ORG/sites/$(jq -r .id "$out") names_at=/sites/$ORG/names
t 'names: published' POST $names/publish admin '' 200 ''
for name in 'Grace Eins' 'Grace Zwei'; do
	t 'names: a name' PATCH /v1/users/$U_read read '{"displayName":"'"$name"'"}' 200 ''
	for again in made kept; do
		read_at $names_at/
		holds "names: $name, $again" "$name"
		read_at $names_at/team/rss.xml
		holds "names: in the feed, $name, $again" "$name"
	done
done
t 'names: as before' PATCH /v1/users/$U_read read '{"displayName":"'"$old_name"'"}' 200 ''
t 'names: no site' DELETE $names admin '' 204 ''
t 'names: no space' DELETE /v1/spaces/$NAMES admin '' 204 ''

# Narrower: at once.
t 'unlisted' PATCH /v1/orgs/$ORG/sites/$R admin '{"visibility":"unlisted"}' 200 ''
read_at $at/
same 'unlisted: status' 200 "$code"
holds 'unlisted: not for search engines' '<meta name="robots" content="noindex">'
read_at $at/sitemap.xml
same 'unlisted: no sitemap' 404 "$code"
read_at $at/robots.txt
holds 'unlisted: robots.txt' 'Disallow: /'
t 'no machines' PATCH /v1/orgs/$ORG/sites/$R admin '{"agentsContext":"excluded"}' 200 ''
tool '{"jsonrpc":"2.0","id":1,"method":"ping"}'
same 'no machines: MCP' 405 "$code"
for form in llms.txt llms-full.txt guide.md; do
	read_at $at/$form
	same "no machines: $form" 404 "$code"
done
t 'share links alone' PATCH /v1/orgs/$ORG/sites/$R admin '{"visibility":"share-link"}' 200 ''
for path in "" guide "${picture#"$base$at/"}" '~search?q=guide' '~search.json?q=guide' sitemap.xml robots.txt "${img#$at/}"; do
	read_at "$at/$path"
	same "closed: $path" 404 "$code"
done
t 'a share link' POST /v1/orgs/$ORG/sites/$R/share-links admin '{"name":"Reader"}' 201 ''
L=$(jq -r .id "$out") key=$(jq -r '.urls.published | split("/")[-2]' "$out")
read_at $at/$key/guide
same 'share link: status' 303 "$code"
same 'share link: to the address without it' $below$at/guide "$(header location)"
case $(header set-cookie) in "octavo_share=$key; Path=$below$at/; HttpOnly; SameSite=Lax"*) pass ;; *) fail 'share link: cookie' "$(header set-cookie)" ;; esac
read_at $at/guide -H "Cookie: a=b; octavo_share=$key"
same 'with the cookie' 200 "$code"
lacks 'the key is in no page' $key
holds 'links go to the address' "<a href=\"$below$at/\""
case $(header cache-control) in private*) pass ;; *) fail 'with the cookie: caching' "$(header cache-control)" ;; esac
read_at "$at/~search.json?q=guide" -H "Cookie: octavo_share=$key"
same 'with the cookie: search' $below$at/guide "$(jq -r '.[0].href' "$out")"
read_at $at/guide -H 'Cookie: octavo_share=another'
same 'another key' 404 "$code"
# Nor however its address is spelled, by hand or by whoever pastes it. A letter of it is enough to be told from others.
for path in "$at/$key." "$at/$key," "$at//$key/" "$at/$key%2Fguide" "$at/$key/gu%69de" "$at&shareKey=$key" "$(echo "$at" | tr / '\\\\')\\$key" \
	"$at/%$(printf '%x' "'$(echo "$key" | cut -c1)")$(echo "$key" | cut -c2-)/guide" "/v1/orgs/$ORG/%69nvites/$key" "/v1/user/oct_$key"; do
	read_at "$path"
done
yes 'no other spelling of the key is in a log' sh -c '! grep -rqF "$1" "$2"' - "$(echo "$key" | cut -c3-)" "$dir/log"
# Apache leaves out the whole of an address that holds a key; a shared host has logs of its own.
[ ! -e "$dir/log/access.log" ] || yes 'the request is in the log' grep -qE " ($below$at/)?- 303 " "$dir/log/access.log"
yes 'the key is in no log' sh -c '! grep -rqF "$1" "$2"' - "$key" "$dir/log"
t 'revoke it' PATCH /v1/orgs/$ORG/sites/$R/share-links/$L admin '{"active":false}' 200 ''
read_at $at/guide -H "Cookie: octavo_share=$key"
same 'revoked' 404 "$code"
t 'open again' PATCH /v1/orgs/$ORG/sites/$R admin '{"visibility":"public"}' 200 ''
read_at $at/
same 'open again' 200 "$code"
t 'unpublished' POST /v1/orgs/$ORG/sites/$R/unpublish admin '' 200 ''
read_at $at/
same 'unpublished' 404 "$code"

# Parts of a page that are hidden from a visitor are in no form of it.
mkdir "$tmp/hidden"
printf '# Home\n\nPublic zebra words.\n\n{%% if visitor.claims.beta === true %%}\nA secretquokka.\n{%% endif %%}\n' >"$tmp/hidden/README.md"
git_in "$tmp/hidden" init -q -b main
git_in "$tmp/hidden" add -A
git_in "$tmp/hidden" commit -q -m first
hidden=$(octavo_json '.result.space // .space' import --org "$ORG" --title Hidden --url "$tmp/hidden")
t 'conditions: a site' POST /v1/orgs/$ORG/sites admin '{"title":"Conditions","spaces":["'$hidden'"]}' 201 ''
H=$(jq -r .id "$out") at=/sites/$ORG/conditions
t 'conditions: published' POST /v1/orgs/$ORG/sites/$H/publish admin '' 200 ''
for form in "" readme.md llms-full.txt '~search?q=zebra' '~search.json?q=zebra' '~search.json?q=secretquokka'; do
	read_at "$at/$form"
	same "conditions: $form" 200 "$code"
	lacks "conditions: $form" 'A secretquokka'
	case $form in *secret*) same 'not found by it' '[]' "$(cat "$out")" ;; *) holds "conditions: $form" Home ;; esac
done
read_at "$at/~mcp" -d '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"page","arguments":{"address":"'"$at/"'"}}}'
holds 'conditions: MCP' zebra
lacks 'conditions: MCP' secretquokka
t 'conditions: deleted' DELETE /v1/orgs/$ORG/sites/$H admin '' 204 ''
t 'reader: deleted' DELETE /v1/orgs/$ORG/sites/$R admin '' 204 ''
fi
