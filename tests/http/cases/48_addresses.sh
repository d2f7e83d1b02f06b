# URLs of published sites: redirects of .gitbook.yaml, pages next to segments, spellings, share links.
if [ $TRANSPORT = http ]; then

SO=/v1/orgs/$ORG
# files_at DIRECTORY NAME TEXT...: makes a repository of these files. imported_as TITLE DIRECTORY:
# imports it into a new space
files_at() {
	fa_dir=$tmp/$1
	shift
	while [ $# -gt 0 ]; do
		mkdir -p "$(dirname "$fa_dir/$1")"
		printf '%b' "$2" >"$fa_dir/$1"
		shift 2
	done
	git_in "$fa_dir" init -q -b main
	git_in "$fa_dir" add -A
	git_in "$fa_dir" commit -q -m first
}
imported_as() { octavo_json '.result.space // .space' import --org "$ORG" --title "$1" --url "$tmp/$2"; }
# site_of TITLE SPACES [MEMBERS]: makes a published site; sets W, at, and the token of its renderer
site_of() {
	t "a site is created: $1" POST $SO/sites admin '{"title":"'"$1"'","spaces":['"$2"']'"${3:-}"'}' 201 ''
	W=$SO/sites/$(jq -r .id "$out")
	t "a site is published: $1" POST $W/publish admin '' 200 ''
	at=$(jq -r .urls.published "$out" | sed "s,^$base,,")
}
# goes NAME PATH STATUS LOCATION: the response of the reader
goes() {
	read_at "$2"
	same "$1" "$3 $4" "$code $(header location)"
}
# found NAME PATH EXPRESSION: the response to a renderer's look-up
found() { t "$1" POST /v1/urls/published read '{"url":"'"$base$2"'"}' 200 "$3"; }
# asks NAME SPACE PATH STATUS EXPRESSION: reads a page by its path, with the token of the last found()
asks() {
	jq -r '.apiToken // empty' "$out" >"$tmp/tokens/found"
	if [ -s "$tmp/tokens/found" ]; then mv "$tmp/tokens/found" "$tmp/tokens/renderer"; else rm "$tmp/tokens/found"; fi
	send GET /v1/spaces/$2 renderer ''
	t "$1" GET /v1/spaces/$2/revisions/$(jq -r .revision "$out")/path/$3 renderer '' $4 "$5"
}

# ---- redirects of .gitbook.yaml ----

files_at redirects .gitbook.yaml \
	'redirects:\n  old/page: ./new/page.md\n  old2: new/page.md\n  "Old With Blanks": new/page.md\n  /leading/: new/page.md\n'\
'  old/file.md: new/page.md#part\n  away: https://example.org/there\n  pic: .gitbook/assets/dot.png\n  gone: gone.md\n  secret: secret.md\n'\
'  new/page: README.md\n  home: README.md\n  "caf\\u00e9": new/page.md\n' \
	SUMMARY.md '* [Home](README.md)\n* [Page](new/page.md)\n* [Secret](secret.md)\n' README.md '# Home\n' new/page.md '# Page\n\n## Part\n' \
	secret.md '---\nif: visitor.claims.team\n---\n\n# Secret\n' .gitbook/assets/dot.png 'x'
redirects=$(imported_as Redirects redirects)
site_of 'Redirects' '"'$redirects'"'
goes 'a redirect leads to the page that moved' ${at}old/page 302 $at'new/page'
goes 'a second source leads to the same page' ${at}old2 302 $at'new/page'
goes 'a redirect ignores case and a last slash' ${at}Old2/ 302 $at'new/page'
goes 'a source with blanks is found' ${at}old%20with%20blanks 302 $at'new/page'
goes 'a source that is encoded twice is found' ${at}old%2520with%2520blanks 302 $at'new/page'
goes 'a source that was written with slashes is found' ${at}leading 302 $at'new/page'
goes 'a redirect leads to a heading of a page' ${at}old/file 302 $at'new/page#part'
goes 'a redirect leads to another site' ${at}away 302 https://example.org/there
goes 'a redirect leads to the first page' ${at}home 302 $at
goes 'a source outside ASCII is found' ${at}caf%C3%A9 302 $at'new/page'
goes 'a redirect to a missing page answers 404' ${at}gone 404 ''
goes 'a redirect to a hidden page answers 404' ${at}secret 404 ''
goes 'a page wins over a redirect of its path' ${at}new/page 200 ''
read_at ${at}pic
same 'a redirect leads to a file' 302 "$code"
read_at ${at}old/page.md
same 'a redirect of a Markdown address answers the page' 200 "$code"
holds 'a redirect of a Markdown address answers Markdown' '# Page'
found 'a renderer gets the canonical URL of a redirect' ${at}old/page '.pathname == "old/page" and .canonicalUrl == "'$base$at'new/page"'
found 'a renderer gets the canonical URL without the heading' ${at}old/file '.canonicalUrl == "'$base$at'new/page"'
jq -r .apiToken "$out" >"$tmp/tokens/renderer"
t 'a redirect of the space is none of the site' GET "$W/redirect?source=%2Fold%2Fpage" renderer '' 404 ''
asks 'a renderer finds the page by a redirected path' $redirects old%2Fpage 200 '.path == "new/page"'
asks 'a renderer finds the page by a source that is encoded twice' $redirects old%2520with%2520blanks 200 '.path == "new/page"'
asks 'a renderer finds no hidden page' $redirects secret 404 ''
t 'a redirect of the site is created' POST $W/redirects admin '{"source":"/Old%20Way","destination":{"kind":"external",
	"url":"https://example.org/way"}}' 201 ''
goes 'a redirect of the site keeps the case of its source' ${at}Old%20Way 302 https://example.org/way
t 'a redirect of the site is created for a source of the space' POST $W/redirects admin \
	'{"source":"/old2","destination":{"kind":"external","url":"https://example.org/site"}}' 201 ''
goes 'a redirect of the site wins over one of the space' ${at}OLD2 302 https://example.org/site
t 'the site with redirects is deleted' DELETE $W admin '' 204 ''

# ---- conditions without claims ----

files_at claims SUMMARY.md '* [Home](README.md)\n* [P](p.md)\n* [Q](q.md)\n' \
	README.md \
		'# Home\n\n{% if visitor.claims.unsigned.a %}\nWITH\n{% endif %}\n\n{% if !visitor.claims.unsigned.a %}\nWITHOUT\n{% endif %}\n\n'\
'{% if "x" !== visitor.claims.unsigned["b"] && visitor.claims.c !== 1 %}\nOTHERS\n{% endif %}\n\n{% if visitor.claims.unsigned.a.b %}\nDEEP\n'\
'{% endif %}\n\nSay <code class="expression">visitor.claims.unsigned.name ?? "friend"</code>.\n' \
	p.md '---\nif: visitor.claims.unsigned.product !== "OM4"\n---\n\n# P\n\nText.\n' \
	q.md '---\nif: visitor.claims.unsigned.product === "OM4"\n---\n\n# Q\n\nText.\n'
claims=$(imported_as Claims claims)
site_of 'Claims' '"'$claims'"'
for adaptive in false true; do
	t "adaptive content is switched: $adaptive" PATCH $W admin '{"adaptiveContent":{"enabled":'$adaptive'}}' 200 ''
	read_at $at
	holds "a condition that no claim meets hides its text: $adaptive" WITHOUT
	holds "an unequal claim is met by its absence: $adaptive" OTHERS
	holds "an expression has its fallback: $adaptive" 'Say friend.'
	lacks "a condition on a missing claim is not met: $adaptive" '>WITH<'
	lacks "a claim below a missing one is not met: $adaptive" DEEP
	goes "a page for visitors without the claim is shown: $adaptive" ${at}p 200 ''
	goes "a page for visitors with the claim is hidden: $adaptive" ${at}q 404 ''
	t "what hides from every visitor is reported: $adaptive" GET /v1/spaces/$claims/content/expression-faults admin '' 200 \
		'([.items[] | select(.message | startswith("it hides from every visitor")) | .page.title] | unique) == (if '$adaptive' then [] else ["Home", "Q"] end)'
done
t 'unsigned claims give the visitor a context' POST /v1/urls/published read \
	'{"url":"'$base${at}q'","visitor":{"unsignedClaims":{"product":"OM4"}}}' 200 '.contextId and .canonicalUrl'
asks 'a visitor with the claim sees the page' $claims q 200 ''
asks 'a visitor with the claim does not see the other page' $claims p 404 ''
found 'a visitor without claims has no context' $at '(has("contextId") | not)'
t 'the site with claims is deleted' DELETE $W admin '' 204 ''

# ---- pages and segments with equal names ----

# leads NAME PATH TEXT: the reader shows the text there, or after one redirect
leads() {
	read_at "$2"
	case $code in 30?) to=$(header location) && read_at "${to#"$below"}" ;; esac
	same "$1" 200 "$code"
	holds "$1" "$3"
}
# renders NAME PATH ID: the page that a renderer finds by trying candidates: the longest one, or any that is complete
renders() {
	for candidate in $(echo "$2" | awk -F/ '{ at = "/"; print at; for (i = 2; i <= NF && i < 9; i++) if ($i != "") { at = at $i; print at; at = at "/" } }'); do
		send POST /v1/urls/published read '{"url":"'"$base$candidate"'"}'
		[ "$code" = 200 ] || continue
		if [ "$(jq -r .complete "$out")" = true ] || [ "$candidate" = "${2%/}" ]; then
			# The part missing in the candidate is appended to its path. The page is
			# found by base and path, whichever candidate was used.
			rest=${2#"$candidate"} rest=${rest#/}
			path=$(jq -r '.pathname' "$out")/$rest path=${path#/}
			same "$1: $candidate" "$3" "$(jq -r .siteSpace "$out") ${path%/}"
			goes "$1: $candidate, its address" "$(jq -r .basePath "$out")${path%/}" 200 ''
		fi
	done
}

files_at docs SUMMARY.md '* [Home](README.md)\n* [Docs home](docs/README.md)\n  * [X](docs/x.md)\n' README.md '# Home\n' docs/README.md \
	'# Docs home\n' docs/x.md '# X\n'
docs=$(imported_as Docs docs)
site_of 'Handbook' '"'$docs'"'
t 'a variant has its segment' GET $W/site-spaces admin '' 200 '.items[0].path == "docs"'
leads 'a page in a folder called like the segment is shown' ${at}docs/x '<h1>X</h1>'
leads 'the page of that folder is shown' ${at}docs '<h1>Docs home</h1>'
leads 'the page of that folder is shown with a slash' ${at}docs/ '<h1>Docs home</h1>'
leads 'the page is shown below the segment' ${at}docs/docs/x '<h1>X</h1>'
found 'a site of one space is complete' $at '.complete and .basePath == .siteBasePath'
found 'a folder called like the segment is part of the path' ${at}docs '.complete and .pathname == "docs"'
t 'the site of one space is deleted' DELETE $W admin '' 204 ''

# Variants: v1 has the name of a page, v2 that of a folder without a page, v3 neither.
files_at several SUMMARY.md '* [Home](README.md)\n* [About v1](v1.md)\n* [In v2](v2/in.md)\n* [Hundred](my%20100%25%20page.md)\n' README.md \
	'# Home\n' v1.md '# About v1\n' v2/in.md '# In v2\n' 'my 100% page.md' '# Hundred\n'
files_at other SUMMARY.md '* [Start](README.md)\n* [In another](in.md)\n' README.md '# Start\n' in.md '# In another\n'
several=$(imported_as Main several)
v1=$(imported_as v1 other) v2=$(imported_as v2 other) v3=$(imported_as v3 other)
site_of 'Several' '"'$several'","'$v1'","'$v2'","'$v3'"'
t 'the variants of a site are listed' GET $W/site-spaces admin '' 200 ''
jq -r '.items[] | "x_\(.path)=\(.id)"' "$out" >"$tmp/variants"
. "$tmp/variants"
t 'variants called like a page or a folder get an address with v' GET $W/site-spaces admin '' 200 \
	'[.items[].urls.published | ltrimstr("'$base$at'")] == ["", "v/v1/", "v/v2/", "v3/"]'
t 'a space has the address of its variant' GET /v1/spaces/$v1 admin '' 200 '.urls.published == "'$base$at'v/v1/"'
leads 'a page wins over a variant of its path' ${at}v1 '<h1>About v1</h1>'
leads 'the address with v shows the variant' ${at}v/v1 '<h1>Start</h1>'
leads 'a page of a variant is shown without v' ${at}v1/in '<h1>In another</h1>'
leads 'a page in a folder wins over a variant' ${at}v2/in '<h1>In v2</h1>'
leads 'a variant called like a folder without a page is shown' ${at}v2 '<h1>Start</h1>'
leads 'a page of that variant is shown' ${at}v/v2/in '<h1>In another</h1>'
leads 'a page of a variant with a free name is shown' ${at}v3/in '<h1>In another</h1>'
read_at $at
for variant in v/v1 v/v2 v3; do holds "the reader links to $variant" "$at$variant/"; done
found 'a site with variants is not complete' $at '.complete == false and .siteSpace == "'$x_main'"'
found 'a site without its last slash is not complete' ${at%/} '.complete == false'
found 'a page called like a variant is not complete' ${at}v1 '.complete == false and .pathname == "v1" and .siteSpace == "'$x_main'"'
found 'a variant with a free name is complete' ${at}v3 '.complete and .pathname == "" and .siteSpace == "'$x_v3'" and .basePath == "'$below${at}'v3/"'
found 'a variant with a slash is complete' ${at}v3/ '.complete and .siteSpace == "'$x_v3'"'
found 'a page of the default variant is complete' ${at}none/such '.complete and .siteSpace == "'$x_main'" and .pathname == "none/such"'
found 'the segment v alone is not complete' ${at}v '.complete == false'
renders 'a renderer finds a page of a variant' ${at}v3/in "$x_v3 in"
renders 'a renderer finds a page called like a variant' ${at}v1 "$x_main v1"
renders 'a renderer finds a page in a folder called like a variant' ${at}v2/in "$x_main v2/in"
renders 'a renderer finds a page of the variant called like the folder' ${at}v/v2/in "$x_v2 in"
renders 'a renderer finds a variant' ${at}v3 "$x_v3 "
# Old paths with the segment of the default variant.
leads 'the segment of the default variant leads to its pages' ${at}main/v1 '<h1>About v1</h1>'
# Spaces and percent signs, in any number of encodings.
goes 'a page of a file with blanks and percent signs has a slug' ${at}my-100-page 200 ''
goes 'the name of the file redirects to the slug' ${at}my%20100%25%20page 302 ${at}my-100-page
goes 'the name of the file encoded twice redirects to the slug' ${at}my%2520100%2525%2520page 302 ${at}my-100-page
found 'a renderer gets the slug as canonical URL' ${at}my%2520100%2525%2520page '.canonicalUrl == "'$base${at}'my-100-page"'
asks 'a renderer finds the page by the name encoded once' $several my%20100%25%20page 200 '.title == "Hundred"'
asks 'a renderer finds the page by the name encoded twice' $several my%2520100%2525%2520page 200 '.title == "Hundred"'
asks 'a renderer finds the page by the name encoded three times' $several my%252520100%252525%252520page 200 '.title == "Hundred"'
t 'a user finds the page by the name encoded twice' GET /v1/spaces/$several/content/path/my%2520100%2525%2520page read '' 200 '.title == "Hundred"'

# Sections: one has the name of a page, and a variant with the name of one of its own pages.
t 'the first section takes over the variants' POST $W/sections admin '{"title":"Base","spaceId":"'$v3'"}' 201 '(.siteSpaces | length) > 3'
t 'a second section is created' POST $W/sections admin '{"title":"v1","spaceId":"'$v3'"}' 201 '.path == "v1"'
section=$(jq -r .id "$out")
leads 'a page wins over a section of its path' ${at}v1 '<h1>About v1</h1>'
leads 'the address with s shows the section' ${at}s/v1 '<h1>Start</h1>'
leads 'a page in the section is shown without s' ${at}v1/in '<h1>In another</h1>'
leads 'a page of a variant of the first section is shown' ${at}v/v1/in '<h1>In another</h1>'
found 'a site with sections is not complete' $at '.complete == false and .siteSection'
found 'a section with one variant has its base path' ${at}s/v1 '.siteSection == "'$section'" and .basePath == "'$below${at}'s/v1/"
	and .siteBasePath == "'$below$at'"'
t 'sections have their addresses' GET $W/sections admin '' 200 '[.items[].urls.published | ltrimstr("'$base$at'")] == ["", "s/v1/"]
	and .items[1].siteSpaces[0].urls.published == "'$base$at's/v1/"'
t 'a variant is added to the section' POST $W/site-spaces admin '{"spaceId":"'$several'","sectionId":"'$section'"}' 201 ''
found 'a section with two variants is not complete' ${at}s/v1/ '.complete == false and .siteSection == "'$section'"'
found 'a page of the section is found in it' ${at}s/v1/in '.siteSection == "'$section'" and .pathname == "in"'
found 'a variant of the section is found in it' ${at}s/v1/main '.siteSection == "'$section'" and .pathname == "" and .space == "'$several'"'
t 'the site with variants is deleted' DELETE $W admin '' 204 ''

# ---- share links ----

site_of 'Shared' '"'$several'"' ',"visibility":"share-link"'
t 'a share link is created' POST $W/share-links admin '{"name":"Partners"}' 201 ''
shared=$(jq -r .urls.published "$out" | sed "s,^$base,,")
goes 'a share link with a slash redirects to the site' $shared 303 $at
goes 'a share link without a slash redirects to the site' ${shared%/} 303 $at
goes 'a share link with a page redirects to the page' ${shared}v1 303 ${at}v1
goes 'a share link with two slashes redirects to the page' ${shared%/}//v1 303 ${at}v1
goes 'a share link with a query redirects to the site' "${shared%/}?jwt_token=x" 303 $at
read_at ${shared%/}
read_at $at -H "Cookie: $(header set-cookie | sed 's/;.*//')"
same 'the cookie of a share link opens the site' 200 "$code"
goes 'a site by share links answers 404 without one' $at 404 ''
found 'a renderer finds the site by a share link without a slash' ${shared%/} \
	'.shareKey and .siteBasePath == "'$below$shared'" and .basePath == .siteBasePath and (.canonicalUrl | endswith("'$shared'"))'
t 'the site with a share link is deleted' DELETE $W admin '' 204 ''

# ---- a site with a hostname, by its path ----

site_of 'Named' '"'$several'"'
"$octavo" site hostname --dir "$dir" --site ${W##*/} named.octavo.test >/dev/null 2>&1
scheme=${base%%:*}
found 'a site with a hostname redirects there' ${at}v1 '. == {target: "content", redirect: "'$scheme'://named.octavo.test/v1"}'
found 'a redirect to the hostname drops doubled slashes' ${at%/}//v1/ '.target == "content" and .redirect == "'$scheme'://named.octavo.test/v1/"'
found 'the root of a site with a hostname redirects there' ${at%/} '.redirect == "'$scheme'://named.octavo.test/"'
t 'a site with a hostname has its base path there' POST /v1/urls/published read '{"url":"'$scheme'://Named.Octavo.TEST/v1"}' 200 \
	'.basePath == "/" and .siteBasePath == "/" and .canonicalUrl == "'$scheme'://named.octavo.test/v1" and .complete'
t 'a site gets a proxy' PATCH $W admin '{"proxy":"named.example.org/help"}' 200 ''
found 'a site behind a proxy has the base path of the proxy' ${at}v1 '.basePath == "/help/" and .siteBasePath == "/help/"
	and .canonicalUrl == "https://named.example.org/help/v1" and .pathname == "v1"'
t 'a site behind a proxy is found by the address of the proxy' POST /v1/urls/published read '{"url":"https://named.example.org/help/v1"}' 200 \
	'.basePath == "/help/" and .canonicalUrl == "https://named.example.org/help/v1"'
t 'the site with a hostname is deleted' DELETE $W admin '' 204 ''

# ---- hosts and prefixes belong to one organization ----

site_of 'Held' '"'$several'"'
held=$W
site_of 'Held too' '"'$several'"'
other_own=$W
t 'a site of another organization is created' POST /v1/orgs/$ORG_B/sites other '{"title":"Thief","spaces":[]}' 201 ''
thief=/v1/orgs/$ORG_B/sites/$(jq -r .id "$out")
t 'a proxy is kept in lower case' PATCH $held admin '{"proxy":"Held.Example.ORG/docs/book"}' 200 '.proxy.origin == "held.example.org/docs/book"'
t 'a proxy may be set again' PATCH $held admin '{"proxy":"held.example.org/docs/book"}' 200 ''
for claim in held.example.org/docs/book HELD.example.org/docs/book held.example.org/docs held.example.org/docs/book/more held.example.org/docs/book/a/b; do
	t "the proxy $claim of another organization is refused" PATCH $thief other '{"proxy":"'$claim'"}' 409 \
		'.error.message | contains("another organization") and (contains("'${held##*/}'") | not)'
done
t 'a refused proxy is not kept' GET $thief other '' 200 'has("proxy") | not'
t 'a proxy of another own site is refused with its id' PATCH $other_own admin '{"proxy":"held.example.org/docs/book"}' 409 \
	'.error.message | contains("'${held##*/}'")'
t 'a proxy within that of another own site is accepted' PATCH $other_own admin '{"proxy":"held.example.org/docs/book/more"}' 200 ''
for free in held.example.org/doc held.example.org/docs/books held.example.org/other x.held.example.org/docs/book; do
	t "the proxy $free beside that of others is accepted" PATCH $thief other '{"proxy":"'$free'"}' 200 '.proxy.origin == "'$free'"'
done
t 'the proxy is removed' PATCH $thief other '{"proxy":null}' 200 ''
# The longest match is served, and a renderer gets a note that there is more.
asked() { t "$1" POST /v1/urls/published read '{"url":"https://'$2'"}' 200 "$3"; }
asked 'the site of the outer proxy is found and not complete' held.example.org/docs/book/v1 \
	'.site == "'${held##*/}'" and .complete == false and .basePath == "/docs/book/"'
asked 'the site of the inner proxy is found' held.example.org/docs/book/more/v1 '.site == "'${other_own##*/}'" and .basePath == "/docs/book/more/"'
# Hostnames.
"$octavo" site hostname --dir "$dir" --site ${held##*/} held.octavo.test >/dev/null 2>&1
t 'a proxy on the hostname of another organization is refused' PATCH $thief other '{"proxy":"held.octavo.test/v2"}' 409 \
	'.error.message | contains("another organization")'
t 'a proxy within the own hostname is accepted' PATCH $other_own admin '{"proxy":"Held.octavo.test/inner"}' 200 ''
asked 'the hostname shows its site' held.octavo.test/v1 '.basePath == "/docs/book/"'
asked 'a proxy within a hostname shows its site' held.octavo.test/inner/v1 '.site == "'${other_own##*/}'" and .basePath == "/inner/"'
# The operator of the machine decides.
site_address() { "$octavo" site "$@" --dir "$dir" --json >"$tmp/addresses_said" 2>"$tmp/told"; }
yes 'a hostname within the proxy of another site is refused' test "$(site_address hostname --site ${thief##*/} held.octavo.test; echo $?)" = 1
yes 'a refused hostname names the site that has it' grep -q "${held##*/}.*--take" "$tmp/told" "$tmp/addresses_said"
yes 'a hostname around the proxy of another site is refused' test "$(site_address hostname --site ${thief##*/} held.example.org; echo $?)" = 1
yes 'a host without a path is no proxy' test "$(site_address proxy --site ${thief##*/} held.example.org; echo $?)" = 2
yes 'a path with an empty segment is no proxy' test "$(site_address proxy --site ${thief##*/} held.example.org//a; echo $?)" = 2
yes 'a proxy within the hostname of another site is refused' test "$(site_address proxy --site ${thief##*/} held.octavo.test/inner/deep; echo $?)" = 1
yes 'a proxy is taken over with --take' site_address proxy --site ${thief##*/} Held.octavo.test/inner/deep --take
t 'the site that took a proxy has it' GET $thief other '' 200 '.proxy.origin == "held.octavo.test/inner/deep"'
t 'the site that lost a proxy has none' GET $other_own admin '' 200 'has("proxy") | not'
t 'the hostname around a proxy that was taken is gone' GET /v1/custom-hostnames/held.octavo.test admin '' 404 ''
yes 'a proxy is removed by the command' site_address proxy --site ${thief##*/} --remove
yes 'a hostname is set by the command' site_address hostname --site ${held##*/} held.octavo.test
# Rows of older releases: the site that has the hostname is served.
sql "UPDATE site SET proxy_origin = 'held.octavo.test/old', published_at = 1 WHERE id = '${thief##*/}'"
sql "UPDATE site SET proxy_origin = NULL WHERE id = '${held##*/}'"
asked 'of older rows the site with the hostname is shown' held.octavo.test/old/v1 '.site == "'${held##*/}'"'
for gone in $held $other_own; do t 'the sites with proxies are deleted' DELETE $gone admin '' 204 ''; done
t 'the site of the other organization is deleted' DELETE $thief other '' 204 ''

for gone in $redirects $claims $docs $several $v1 $v2 $v3; do send DELETE /v1/spaces/$gone admin ''; done
fi
