# Published sites for their readers: pages, search, machine-readable forms, files, missing pages.
# Served by octavo-site; over CGI there is only the API.
if [ $TRANSPORT = http ]; then

t 'reader: a site is created' POST /v1/orgs/$ORG/sites admin '{"title":"Reader & <b>","spaces":["'$SPACE'"]}' 201 ''
R=$(jq -r .id "$out") at=/sites/$ORG_NAME/$(jq -r .basename "$out")
read_at $at/
same 'a site that is not published answers 404' 404 "$code"
t 'reader: the site is published' POST /v1/orgs/$ORG/sites/$R/publish admin '' 200 ''
read_at $at/
same 'the home page is served' 200 "$code"
same 'the home page is HTML in UTF-8' 'text/html; charset=utf-8' "$(header content-type)"
case $(header content-security-policy) in *"default-src 'none'"*"require-trusted-types-for 'script'"*) pass ;; *) fail \
	'the policy forbids all and wants trusted types' "$(header content-security-policy)" ;; esac
case $(header content-security-policy) in *unsafe*) fail 'the policy has no unsafe source' 'unsafe' ;; *) pass ;; esac
same 'a page sets no cookie' '' "$(header set-cookie)"
holds 'the home page has its title' '<h1>Welcome</h1>'
holds 'the title of the site is escaped' 'Reader &amp; &lt;b&gt;'
holds 'the home page links to another page' "<a href=\"$below$at/guide\">the guide</a>"
holds 'an image has its size' 'alt="" width="7" height="5"'
holds 'the home page links to the next page' 'rel="next"'
# Again: from the second time on the web server may send it from a file, with another ETag.
read_at $at/
tag=$(header etag)
read_at $at/ -H "If-None-Match: $tag"
same 'a page with its ETag answers 304' 304 "$code"
same 'a 304 varies by Accept' Accept "$(header vary | cut -d , -f 1)"
read_at $at/guide
same 'a second page is served' 200 "$code"
holds 'reusable content is shown in a page' 'Take care.'
holds 'a page has breadcrumbs' '<ol><li>Learn</li></ol>'
holds 'the page is marked in the table of contents' 'aria-current="page" class="open"'
holds 'a page has breadcrumbs as JSON-LD' \
	'"itemListElement":[{"@type":"ListItem","position":1,"name":"Reader \u0026 \u003cb\u003e","item":"'"$base$at/"'"},{"@type":"ListItem","position":2,'\
'"name":"Guide"}]'
holds 'a page names its canonical address' "<link rel=\"canonical\" href=\"$base$at/guide\">"
read_at $at/guide/set-up
holds 'code is highlighted' '<span class="k">int</span> x;'
# The address with the organization's id, which was that of all sites before organizations got names.
same 'an organization has a name made of its title' acme "$ORG_NAME"
by_id=/sites/$ORG/${at##*/}
for form in '' / /guide '/guide?x=1&y=%20' /no/such-page; do
	read_at "$by_id$form"
	same "the address with the id leads to the one with the name: $form" "302 $below$at$form" "$code $(header location)"
done
read_at $by_id/guide.md
same 'and so does its Markdown' "302 $below$at/guide.md" "$code $(header location)"
read_at $at/guide.md
same 'a page is served as Markdown' 200 "$code"
same 'Markdown has its type' 'text/markdown; charset=utf-8' "$(header content-type)"
holds 'Markdown begins with the title' '# Guide'
read_at $at/guide -H 'Accept: text/markdown'
holds 'Markdown is served by Accept' '# Guide'
same 'Markdown varies by Accept' Accept "$(header vary | cut -d , -f 1)"
read_at $at/no/such-guide
same 'a missing page answers 404' 404 "$code"
holds 'a missing page offers a search of its words' 'value="no such guide"'
holds 'a missing page lists what the search finds' "<a href=\"$below$at/guide\">Guide</a>"
read_at "$at/~search?q=%3Cscript%3E+guide"
same 'the search page is served' 200 "$code"
lacks 'the search page escapes the query' '<script> guide'
read_at "$at/~search?q=guide"
holds 'the search page marks the hit' '<mark>Guide</mark>'
read_at "$at/~search.json?q=guide"
same 'the search as JSON has the address of the page' "$below$at/guide" "$(jq -r '.[0].href' "$out")"
read_at "$at/~search.json?q=set-up"
same 'the search as JSON has the place of the page' 'Learn › Guide' "$(jq -r '.[0].path' "$out")"
read_at $at/sitemap.xml
holds 'the sitemap has the page' "<loc>$base$at/guide</loc>"
read_at $at/~about
holds 'the page about the reader names its build' 'Served by Octavo, build '
holds 'the page about the reader has the notice of KaTeX' 'Khan Academy'
holds 'the page about the reader has the notice of cmark-gfm' 'John MacFarlane'
read_at $at/robots.txt
holds 'robots.txt names the sitemap' "Sitemap: $base$at/sitemap.xml"
read_at $at/llms.txt
holds 'llms.txt lists the page as Markdown' "- [Guide]($base$at/guide.md)"
read_at $at/llms-full.txt
holds 'llms-full.txt has the text of the page' 'New text.'
read_at $at/llms-full.txt -H "If-None-Match: $(header etag)"
same 'llms-full.txt with its ETag answers 304' 304 "$code"
read_at $at/
css=$(sed -n 's/.*<link rel="stylesheet" href="\([^"]*\)".*/\1/p' "$out") css=${css#"$below"}
img=$(sed -n 's/.*<img src="\([^"]*\)".*/\1/p' "$out") img=${img#"$below"}
read_at "$css"
same 'the style sheet is served' 200 "$code"
case $(header cache-control) in *immutable*) pass ;; *) fail 'the style sheet is cached for good' "$(header cache-control)" ;; esac
# Pages of another release, which are open or cached somewhere, still get a style sheet.
read_at "$(echo "$css" | sed 's/[.][0-9a-f]\{16\}[.]/.0123456789abcdef./')"
same 'the style sheet of another release is served' 200 "$code"
same 'the style sheet of another release is not cached' no-cache "$(header cache-control)"
read_at "$img"
same 'a file is served' 200 "$code"
cmp -s "$out" "$tmp/repo/.gitbook/assets/dot.png" && pass || fail 'a file has its bytes' 'other bytes'
read_at "$(echo "$img" | sed 's,/[0-9a-f]\{16\}/,/0000000000000000/,')"
same 'a file by another hash answers 404' 404 "$code"
read_at "$at/~asset/../../../octavo.key"
same 'an asset outside its folder answers 404' 404 "$code"

# The preview picture of a page: a PNG with the size that the page names, and with a name that
# changes with its content.
og() { sed -n 's/.*<meta property="og:image'"$1"'" content="\([^"]*\)".*/\1/p' "$out"; }
read_at $at/guide
picture=$(og '') same_size=$(og :width)x$(og :height)
case $picture in "$base$at/~picture/"*"/guide.png") pass ;; *) fail 'the picture of a page has its address' "$picture" ;; esac
same 'the picture of a page has the title as its alternative' Guide "$(og :alt)"
read_at "${picture#"$base"}"
same 'the picture is PNG' '200 image/png' "$code $(header content-type)"
case $(header cache-control) in *public*immutable*) pass ;; *) fail 'the picture is cached for good' "$(header cache-control)" ;; esac
same 'the picture has the size that the page names' $same_size "$(od -An -tu1 -j16 -N8 "$out" | awk '{ print $3 * 256 + $4 "x" $7 * 256 + $8 }')"
same 'the picture begins as PNG does' 89504e470d0a1a0a "$(od -An -tx1 -N8 "$out" | tr -d ' ')"
first=$(cksum <"$out")
read_at "${picture#"$base"}"
same 'the picture is the same the second time' "$first" "$(cksum <"$out")"
yes 'the picture is cached once' test "$(find "$dir/cache/pictures" -type f | wc -l)" -eq 1
read_at "$at/~picture/0000000000000000/guide.png"
same 'the picture by an old hash is the current one and not cached' "200 public, no-cache $first" "$code $(header cache-control) $(cksum <"$out")"
for path in no/such.png guide.jpg ../../octavo.key.png; do
	read_at "$at/~picture/0000000000000000/$path"
	same "a picture of no page answers 404: $path" 404 "$code"
done
read_at "$at/~picture/0000000000000000/guide.png" -d x
same 'a picture refuses POST' 405 "$code"
read_at $at/
home=$(og '')
read_at "${home#"$base"}"
same 'the home page has a picture' '200 image/png' "$code $(header content-type)"
t 'picture: the site gets a preview picture of its own' PUT /v1/orgs/$ORG/sites/$R/customization admin \
	'{"socialPreview":{"url":"https://example.com/own.png"}}' 200 ''
read_at $at/guide
same 'a preview picture of the site replaces that of pages' 'https://example.com/own.png ' "$(og '') $(og :width)"
t 'picture: the site gets another colour instead' PUT /v1/orgs/$ORG/sites/$R/customization admin \
	'{"styling":{"primaryColor":{"light":"#aa0000","dark":"#ff9999"}}}' 200 ''
read_at $at/guide
case $(og '') in "$picture" | '') fail 'another colour gives the picture another address' "$(og '')" ;; *) pass ;; esac
t 'picture: the customization is removed' PUT /v1/orgs/$ORG/sites/$R/customization admin '{}' 200 ''

# The script has its English texts itself; a page in English does not repeat them.
read_at $at/guide
lacks 'a page in English has no texts of its script' data-copied
read_at "$(sed -n 's/.*src="\([^"]*site\.[^"]*\.js\)".*/\1/p' "$out" | head -n 1 | sed "s,^$below,,")"
for script_text in COPY COPIED KEYS CLOSE RESULTS NO_RESULTS SEARCHING OFFLINE OPEN_BRANCH; do
	holds "the script has the text $script_text" "'$(sed -n "s/^TEXT($script_text, \"\([^\"]*\)\".*/\1/p" include/render/texts.def)'"
done

# A missing address is answered with the pages nearest to it.
read_at "$at/guid"
same 'a missing page answers 404' 404 "$code"
holds 'a misspelled address finds its page' "<a href=\"${at#"$base"}/guide\">"
read_at "$at/guide/no/such/page"
holds 'an address below a page finds that page' "<a href=\"${at#"$base"}/guide\">"
# 3,500 segments: looking for each, above each, would take minutes.
read_at "$at/$(printf '%03500d' 0 | sed 's,0,a/,g')x" -m 5
same 'an address of very many segments answers at once' 404 "$code"
read_at "$at/xxxxxxxxxxxxxxxxxx"
lacks 'a strange address is near no page' "<a href=\"${at#"$base"}/guide\">"

# What readers do is counted, without anything of them.
t 'count: the site asks for ratings' PUT /v1/orgs/$ORG/sites/$R/customization admin '{"feedback":{"enabled":true}}' 200 ''
read_at $at/guide
holds 'count: a page asks whether it was helpful' 'Was this page helpful?'
count_page=$(sed -n 's/.*data-page="\([^"]*\)".*/\1/p' "$out" | head -n 1) count_space=$(sed -n 's/.*data-space="\([^"]*\)".*/\1/p' "$out" | head -n 1)
# counted ARGUMENTS: posts an event of the page; prints the status
counted() { read_at "$at/~count" -d "space=$count_space&page=$count_page" "$@"; echo "$code"; }
same 'count: a view is counted' 204 "$(counted -d event=page_view)"
same 'count: a rating is counted' 204 "$(counted -d 'event=page_post_feedback&rating=good')"
same 'count: no cookie is set' '' "$(header set-cookie)"
counted -d 'event=page_post_feedback&rating=bad&form=1' >/dev/null
same 'count: a form without script leads back to its page' "303 ${at#"$base"}/guide#~thanks" "$code $(header location)"
for bad in event=login 'event=page_post_feedback&rating=best' event=page_post_feedback 'event=page_view&page=nope'; do
	same "count: refused is $bad" 400 "$(read_at "$at/~count" -d "space=$count_space&$bad" && echo "$code")"
done
same 'count: a site space of nobody is refused' 400 "$(read_at "$at/~count" -d "space=nope&page=$count_page&event=page_view" && echo "$code")"
same 'count: what another site sends is refused' 400 "$(counted -d event=page_view -H 'Sec-Fetch-Site: cross-site')"
read_at "$at/~count"
same 'count: it is for POST alone' '405 POST' "$code $(header allow)"
t 'count: the numbers are reported' POST /v1/orgs/$ORG/sites/$R/insights/events/aggregate admin \
	'{"range":"last7Days","groupBy":[{"column":"eventType"},{"column":"eventPageFeedbackRating"},{"column":"page"}]}' 200 \
	'[.. | strings] as $s | ["page_view", "good", "bad", "'"$count_page"'"] - $s == []'
t 'count: the customization is removed' PUT /v1/orgs/$ORG/sites/$R/customization admin '{}' 200 ''
same 'count: a site that does not ask takes no rating' 400 "$(counted -d 'event=page_post_feedback&rating=good')"

# Tools for language models (MCP).
tool() { read_at "$at/~mcp" -H 'Content-Type: application/json' -d "$1"; }
tool '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}'
same 'MCP: the server answers the version of the client' 2025-03-26 "$(jq -r .result.protocolVersion "$out")"
tool '{"jsonrpc":"2.0","method":"notifications/initialized"}'
same 'MCP: a notification answers 202' 202 "$code"
tool '{"jsonrpc":"2.0","id":"a","method":"tools/list"}'
same 'MCP: search and page are listed as tools' 'a search page' "$(jq -r '.id + " " + (.result.tools | map(.name) | join(" "))' "$out")"
tool '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"search","arguments":{"query":"guide"}}}'
same 'MCP: the search finds a page' "$base$at/guide" "$(jq -r '.result.content[0].text | split("\n")[1]' "$out")"
tool '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"page","arguments":{"address":"'"$base$at/guide"'"}}}'
same 'MCP: the text of a page is read' true "$(jq '.result.content[0].text | contains("New text.")' "$out")"
tool '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"page","arguments":{"address":"/etc/passwd"}}}'
same 'MCP: an address outside the site is an error' true "$(jq .result.isError "$out")"
tool '{"jsonrpc":"2.0","id":4,"method":"none"}'
same 'MCP: an unknown method is an error' -32601 "$(jq .error.code "$out")"
tool 'x'
same 'MCP: text that is no JSON answers 400' '400 -32700' "$code $(jq .error.code "$out")"
read_at "$at/guide" -X PUT
same 'PUT of a page answers the allowed methods' 'GET, HEAD' "$(header allow)"
read_at "$at/~mcp" -X DELETE
same 'MCP: DELETE answers the allowed method' 'POST' "$(header allow)"
read_at "$at/~mcp"
same 'MCP: GET answers the allowed method' 'POST' "$(header allow)"
same 'MCP: GET answers 405' 405 "$code"
read_at "$at/guide" -d x
same 'a page refuses POST' 405 "$code"

# An invalid token is removed from the URL and stored nowhere; a raw backslash never redirects to another host.
read_at "$at/guide?jwt_token=x.y.z"
same 'a token that opens nothing is removed by a redirect' "303 $below$at/guide " "$code $(header location) $(header set-cookie)"
for path in "$at\\guide" "/\\example.com/" "$at/\\example.com?jwt_token=x" "$at/a\\..\\guide"; do
	read_at "$path"
	same "a raw backslash in a path answers 400: $path" 400 "$code"
done

# A cached page has the same bytes; after a change the next request gets the new page.
read_at $at/guide
first=$(cksum <"$out")
read_at "$at/guide?utm_source=x"
same 'a page with campaign parameters has the same bytes' "$first" "$(cksum <"$out")"
yes 'pages are cached' test "$(find "$dir/cache/pages" -type f | wc -l)" -gt 0
t 'the site gets another title' PATCH /v1/orgs/$ORG/sites/$R admin '{"title":"Renamed"}' 200 ''
# A preview is opened first, and must not influence what others get.
t 'a preview of the site is made' GET /v1/orgs/$ORG/sites/$R/publishing/preview admin '' 200 ''
jwt=$(jq -r .url "$out" | sed 's/.*jwt_token=//')
read_at $at/guide -H "Cookie: octavo_visitor=$jwt"
holds 'a preview is not indexed' '<meta name="robots" content="noindex">'
case $(header cache-control) in private*) pass ;; *) fail 'a preview is not cached by others' "$(header cache-control)" ;; esac
read_at $at/guide
holds 'a changed site is shown at once' '<title>Guide · Renamed</title>'
lacks 'a preview is not cached for others' noindex

# The feed of a page's updates, the newest as on the page; each with its own anchor and its escaped text.
t 'changes: a space is created' POST /v1/orgs/$ORG/spaces admin '{"title":"Changes"}' 201 ''
CHANGES=$(jq -r .id "$out")
t 'changes: a site is created' POST /v1/orgs/$ORG/sites admin '{"title":"Changes","spaces":["'$CHANGES'"]}' 201 ''
feeds=$(jq -r .id "$out") news_at=/sites/$ORG_NAME/$(jq -r .basename "$out")
t 'changes: the site is published' POST /v1/orgs/$ORG/sites/$feeds/publish admin '' 200 ''
t 'changes: a change request is opened' POST /v1/spaces/$CHANGES/change-requests admin '{"subject":"Updates"}' 201 ''
number=$(jq -r .id "$out")
t 'changes: a page with updates is written' POST "/v1/spaces/$CHANGES/change-requests/$number/content?compat=false" admin \
	'{"changes":[{"operation":"insert_page",
	"title":"News & <b>",
		"document":{"markdown":"{% updates %}\n{% update date=\"2026-02-28\" %}\n## Two <i> & more\n\nIt *reads* [this](#two-and-more).\n{% endupdate %}\n'\
'\n{% update date=\"2026-01-31\" %}\nNo title.\n{% endupdate %}\n{% endupdates %}"}}]}' 200 ''
t 'changes: the page is merged' POST /v1/spaces/$CHANGES/change-requests/$number/merge admin '' 200 ''
news=$(curl -s "$base$news_at/sitemap.xml" | sed -n 's/.*<loc>[^<]*\/\(news[^<]*\)<.*/\1/p')
read_at "$news_at/$news"
feed=$(sed -n 's/.*<link rel="alternate" type="application.rss+xml" title="News &amp; &lt;b&gt;" href="\([^"]*\)">.*/\1/p' "$out")
read_at "${feed#"$below"}"
same 'a page with updates links to its feed' '200 application/rss+xml; charset=utf-8' "$code $(header content-type)"
read_at "$news_at/$news/rss.xml"
same 'the feed is RSS' 'application/rss+xml; charset=utf-8' "$(header content-type)"
same 'the feed has an item for each update' 2 "$(grep -o '<item>' "$out" | wc -l)"
holds 'the feed escapes its title' 'News &amp; &lt;b&gt;'
holds 'the feed has the date of an update' '<pubDate>28 Feb 2026 00:00:00 GMT</pubDate>'
holds 'the feed has the text as escaped HTML' '&lt;em&gt;reads&lt;/em&gt;'
holds 'the feed has absolute links' '&lt;a href=&quot;http'
holds 'an update without a title has its date' '<title>2026-01-31</title>'
yes 'the feed is well-formed' node -e \
	'let d = 0; for (const m of require("fs").readFileSync(process.argv[1], "utf8").matchAll(/<(\/?)([a-z:A-Z]+)[^>]*?(\/?)>/g)) if (!m[3]) d += m[1] '\
'? -1 : 1; process.exit(d)' "$out"
tag=$(header etag)
holds 'the feed has absolute links to headings' "&lt;a href=&quot;$base$news_at/"
lacks 'the feed has no relative link' '&lt;a href=&quot;#'
read_at "$news_at/$news/rss.xml" -H "If-None-Match: $tag"
same 'the feed with its ETag answers 304' 304 "$code"
read_at $at/guide/rss.xml
same 'a page without updates has no feed' 404 "$code"
t 'changes: the site is deleted' DELETE /v1/orgs/$ORG/sites/$feeds admin '' 204 ''
t 'changes: the space is deleted' DELETE /v1/spaces/$CHANGES admin '' 204 ''

# If the first page is hidden, pages below it are neither the home page nor the next page, but have their own URLs.
t 'hidden first: a space is created' POST /v1/orgs/$ORG/spaces admin '{"title":"Behind"}' 201 ''
BEHIND=$(jq -r .id "$out")
space_write $BEHIND \
	'{"changes":[{"operation":"insert_page","ref":"h","document":{"markdown":"---\nhidden: true\n---\n\n# Cellar\n\n'\
'See [the shelf](cellar/shelf.md) and [the door](door.md).\n"}},
	{"operation":"insert_page","title":"Shelf","into":"h","document":{"markdown":"On the shelf."}},{"operation":"insert_page","title":"Door",'\
'"document":{"markdown":"At the door."}},
	{"operation":"insert_page","title":"Hall","document":{"markdown":"In the hall."}}]}'
t 'hidden first: a site is created' POST /v1/orgs/$ORG/sites admin '{"title":"Behind","spaces":["'$BEHIND'"]}' 201 ''
behind=/v1/orgs/$ORG/sites/$(jq -r .id "$out") behind_at=/sites/$ORG_NAME/behind
t 'hidden first: a privacy policy is set' PUT $behind/customization admin '{"privacyPolicy":{"url":"https://example.com/privacy?a=1&b=2"}}' 200 ''
t 'hidden first: the site is published' POST $behind/publish admin '' 200 ''
read_at $behind_at/
holds 'the first page that is not hidden is the home page' '<h1>Door</h1>'
holds 'the privacy policy is linked' '<a href="https://example.com/privacy?a=1&amp;b=2">Privacy policy</a>'
read_at $behind_at/cellar
holds 'a page below a hidden page is found by its own address' "href=\"$below$behind_at/cellar/shelf\""
read_at $behind_at/hall
lacks 'a hidden page is neither next nor previous' cellar
changes=
for i in $(seq 45); do changes=$changes'{"operation":"insert_page","document":{"markdown":"---\nhidden: true\n---\n\n# Quagga quagga\n\nquagga\n"}},'; done
space_write $BEHIND '{"changes":['"$changes"'{"operation":"insert_page","title":"Plain",
	"document":{"markdown":"Much about other animals, and one word of a quagga among many others here."}}]}'
jobs_rest
read_at "$behind_at/~search?q=quagga"
holds 'search finds a page behind many hidden ones' "href=\"$below$behind_at/plain\""
lacks 'search finds no hidden page' 'Quagga quagga'
t 'a privacy policy of a javascript: address is refused' PUT $behind/customization admin '{"privacyPolicy":{"url":"javascript:alert(1)"}}' 400 ''
t 'hidden first: the site is deleted' DELETE $behind admin '' 204 ''
t 'hidden first: the space is deleted' DELETE /v1/spaces/$BEHIND admin '' 204 ''

# A page shows users of its tables by name: a new name appears at once, in all cached forms.
t 'names: a space is created' POST /v1/orgs/$ORG/spaces admin '{"title":"Names"}' 201 ''
NAMES=$(jq -r .id "$out")
old_name=$(t 'names: the name of a user is read' GET /v1/users/$U_read read '' 200 '' && jq -r .displayName "$out")
space_write $NAMES \
	'{"changes":[{"operation":"insert_page","title":"Team","document":{"markdown":"{% updates %}\n{% update date=\"2026-02-28\" %}\n'\
'<table><thead><tr><th>Part</th><th data-type=\"users\">Who</th></tr></thead><tbody><tr><td>Compiler</td><td>'$U_read'</td></tr></tbody></table>\n'\
'{% endupdate %}\n{% endupdates %}\n"}}]}'
t 'names: a site is created' POST /v1/orgs/$ORG/sites admin '{"title":"Names","spaces":["'$NAMES'"]}' 201 ''
names=/v1/orgs/$ORG/sites/$(jq -r .id "$out") names_at=/sites/$ORG_NAME/names
t 'names: the site is published' POST $names/publish admin '' 200 ''
for name in 'Grace Eins' 'Grace Zwei'; do
	t 'names: the user changes their name' PATCH /v1/users/$U_read read '{"displayName":"'"$name"'"}' 200 ''
	for again in made kept; do
		read_at $names_at/
		cp "$out" "$tmp/names_page"
		holds "a page shows the current name $name, $again" "$name"
		read_at $names_at/team/rss.xml
		holds "a feed shows the current name $name, $again" "$name"
	done
done
# A million views a day are counted, and no more.
view_attribute() { sed -n 's/.*data-'"$1"'="\([^"]*\)".*/\1/p' "$tmp/names_page" | head -n 1; }
view_page=$(view_attribute page) view_space=$(view_attribute space)
sql "INSERT INTO site_event (site, day, space, site_space, page, event, rating, n) VALUES
	('${names##*/}', $(($(date +%s) / 86400)), '', '', '', 'page_view', '', 1000000)"
read_at "$names_at/~count" -d "space=$view_space&page=$view_page&event=page_view"
same 'count: the view after a million is not counted' '204 1000000' "$code $(sql "SELECT sum(n) FROM site_event WHERE site = '${names##*/}'")"

# What a service lost is broken text; an address of this site is none of that, whatever it is like.
space_write $NAMES '{"changes":[{"operation":"insert_page","title":"Broken","document":{"markdown":"Yes."}},
	{"operation":"insert_page","title":"Links","document":{"markdown":"[lost one](/broken/pages/x1) [lost two](/broken/x2) '\
'[lost three](/broken/spaces/a/pages/b) [kept one](/broken/handbook/setup) [kept two]('$base$names_at'/broken) [kept three](/broken) '\
'[own id]('$base/sites/$ORG/names/broken')"}}]}'
read_at $names_at/links
holds 'links: an address with the id of the organization is one of this site' '<a href="'$names_at'/broken">own id</a>'
same 'links: what the service lost is no link' 0 "$(grep -c '<a [^>]*>lost' "$out")"
same 'links: other addresses are links' 3 "$(grep -o '<a [^>]*>kept' "$out" | wc -l)"

# A translation has the pages of its source, under addresses of its own: switch and alternates lead to the same page.
t 'same page: the space is copied' POST /v1/spaces/$NAMES/duplicate admin '' 201 ''
NAMEN=$(jq -r .id "$out")
t 'same page: the copy is German' PATCH /v1/spaces/$NAMEN admin '{"language":"de"}' 200 ''
t 'same page: the source is English' PATCH /v1/spaces/$NAMES admin '{"language":"en"}' 200 ''
t 'same page: the copy is a variant' POST $names/site-spaces admin '{"spaceId":"'$NAMEN'"}' 201 ''
get /v1/spaces/$NAMEN/content/path/links admin
space_write $NAMEN '{"changes":[{"operation":"update_page","page":"'"$(jq -r .id "$out")"'","slug":"verweise"}]}'
read_at $names_at/links
same 'same page: the alternate is the translation' verweise "$(sed -n 's/.*hreflang="de" href="[^"]*\/\([^"/]*\)".*/\1/p' "$out" | head -n 1)"
same 'same page: so is the choice of the switch' 1 "$(grep -c 'href="[^"]*/verweise" lang="de"' "$out")"
same 'same page: the page is its own alternate' "$base$names_at/links" \
	"$(sed -n 's/.*hreflang="en" href="\([^"]*\)".*/\1/p' "$out" | head -n 1)"

t 'names: the user takes the old name back' PATCH /v1/users/$U_read read '{"displayName":"'"$old_name"'"}' 200 ''
t 'names: the site is deleted' DELETE $names admin '' 204 ''
t 'names: the space is deleted' DELETE /v1/spaces/$NAMES admin '' 204 ''
t 'same page: the copy is deleted' DELETE /v1/spaces/$NAMEN admin '' 204 ''

# Restricted access applies at once.
t 'the site is made unlisted' PATCH /v1/orgs/$ORG/sites/$R admin '{"visibility":"unlisted"}' 200 ''
read_at $at/
same 'an unlisted site is served' 200 "$code"
holds 'an unlisted site is not indexed' '<meta name="robots" content="noindex">'
read_at $at/sitemap.xml
same 'an unlisted site has no sitemap' 404 "$code"
read_at $at/robots.txt
holds 'an unlisted site forbids crawlers' 'Disallow: /'
t 'the site is closed to language models' PATCH /v1/orgs/$ORG/sites/$R admin '{"agentsContext":"excluded"}' 200 ''
tool '{"jsonrpc":"2.0","id":1,"method":"ping"}'
same 'a site closed to language models refuses MCP' 405 "$code"
for form in llms.txt llms-full.txt guide.md; do
	read_at $at/$form
	same "a site closed to language models has no $form" 404 "$code"
done
t 'the site is opened by share links alone' PATCH /v1/orgs/$ORG/sites/$R admin '{"visibility":"share-link"}' 200 ''
for path in "" guide "${picture#"$base$at/"}" '~search?q=guide' '~search.json?q=guide' sitemap.xml robots.txt "${img#$at/}"; do
	read_at "$at/$path"
	same "a site by share links answers 404: $path" 404 "$code"
done
t 'a share link is created' POST /v1/orgs/$ORG/sites/$R/share-links admin '{"name":"Reader"}' 201 ''
L=$(jq -r .id "$out") key=$(jq -r '.urls.published | split("/")[-2]' "$out")
read_at $at/$key/guide
same 'a share link redirects' 303 "$code"
same 'a share link redirects to the address without the key' $below$at/guide "$(header location)"
case $(header set-cookie) in "octavo_share=$key; Path=$below$at/; HttpOnly; SameSite=Lax"*) pass ;; *) fail \
	'a share link sets a cookie for its site alone' "$(header set-cookie)" ;; esac
read_at $at/guide -H "Cookie: a=b; octavo_share=$key"
same 'the cookie of a share link opens a page' 200 "$code"
lacks 'a page does not contain the key' $key
holds 'links of a page are without the key' "<a href=\"$below$at/\""
case $(header cache-control) in private*) pass ;; *) fail 'a page by a share link is not cached by others' "$(header cache-control)" ;; esac
read_at "$at/~search.json?q=guide" -H "Cookie: octavo_share=$key"
same 'the cookie of a share link opens the search' $below$at/guide "$(jq -r '.[0].href' "$out")"
read_at $at/guide -H 'Cookie: octavo_share=another'
same 'a cookie of another key answers 404' 404 "$code"
# Nor in any other spelling of the URL, as typed or pasted. One letter of the key would distinguish it from others.
for path in "$at/$key." "$at/$key," "$at//$key/" "$at/$key%2Fguide" "$at/$key/gu%69de" "$at&shareKey=$key" "$(echo "$at" | tr / '\\\\')\\$key" \
	"$at/%$(printf '%x' "'$(echo "$key" | cut -c1)")$(echo "$key" | cut -c2-)/guide" "/v1/orgs/$ORG/%69nvites/$key" "/v1/user/oct_$key"; do
	read_at "$path"
done
yes 'no other spelling of the key is in a log' sh -c '! grep -rqF "$1" "$2"' - "$(echo "$key" | cut -c3-)" "$dir/log"
# Apache omits the whole path of a URL with a key; a shared host has its own logs.
[ ! -e "$dir/log/access.log" ] || yes 'the request is in the log without its path' grep -qE " ($below$at/)?- 303 " "$dir/log/access.log"
yes 'the key is in no log' sh -c '! grep -rqF "$1" "$2"' - "$key" "$dir/log"
t 'the share link is revoked' PATCH /v1/orgs/$ORG/sites/$R/share-links/$L admin '{"active":false}' 200 ''
read_at $at/guide -H "Cookie: octavo_share=$key"
same 'a revoked share link answers 404' 404 "$code"
t 'the site is made public' PATCH /v1/orgs/$ORG/sites/$R admin '{"visibility":"public"}' 200 ''
read_at $at/
same 'a public site is served' 200 "$code"
t 'the site is unpublished' POST /v1/orgs/$ORG/sites/$R/unpublish admin '' 200 ''
read_at $at/
same 'an unpublished site answers 404' 404 "$code"

# Parts of a page that are hidden from a visitor are in none of its forms.
mkdir "$tmp/hidden"
printf '# Home\n\nPublic zebra words.\n\n{%% if visitor.claims.beta === true %%}\nA secretquokka.\n{%% endif %%}\n' >"$tmp/hidden/README.md"
git_in "$tmp/hidden" init -q -b main
git_in "$tmp/hidden" add -A
git_in "$tmp/hidden" commit -q -m first
hidden=$(octavo_json '.result.space // .space' import --org "$ORG" --title Hidden --url "$tmp/hidden")
t 'conditions: a site is created' POST /v1/orgs/$ORG/sites admin '{"title":"Conditions","spaces":["'$hidden'"]}' 201 ''
H=$(jq -r .id "$out") at=/sites/$ORG_NAME/conditions
t 'conditions: the site is published' POST /v1/orgs/$ORG/sites/$H/publish admin '' 200 ''
for form in "" readme.md llms-full.txt '~search?q=zebra' '~search.json?q=zebra' '~search.json?q=secretquokka'; do
	read_at "$at/$form"
	same "conditions: the form is served: $form" 200 "$code"
	lacks "conditions: the form hides the text: $form" 'A secretquokka'
	case $form in *secret*) same 'search does not find hidden text' '[]' "$(cat "$out")" ;; *) holds "conditions: the form shows the rest: $form" Home ;; esac
done
read_at "$at/~mcp" -d '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"page","arguments":{"address":"'"$at/"'"}}}'
holds 'conditions: MCP reads what is shown' zebra
lacks 'conditions: MCP does not read hidden text' secretquokka
t 'conditions: the site is deleted' DELETE /v1/orgs/$ORG/sites/$H admin '' 204 ''
t 'reader: the site is deleted' DELETE /v1/orgs/$ORG/sites/$R admin '' 204 ''
fi
