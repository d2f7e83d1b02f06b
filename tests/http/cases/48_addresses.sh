# Addresses of published sites: redirects of .gitbook.yaml, pages beside segments, spellings, share links.
if [ $TRANSPORT = http ]; then

SO=/v1/orgs/$ORG
# files_at DIRECTORY NAME TEXT...: a repository of these files; imported_as TITLE DIRECTORY: its space
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
# site_of TITLE SPACES [MEMBERS]: a published site; W, at, and the token of its renderer
site_of() {
	t "$1: a site" POST $SO/sites admin '{"title":"'"$1"'","spaces":['"$2"']'"${3:-}"'}' 201 ''
	W=$SO/sites/$(jq -r .id "$out")
	t "$1: published" POST $W/publish admin '' 200 ''
	at=$(jq -r .urls.published "$out" | sed "s,^$base,,")
}
# goes NAME PATH STATUS LOCATION: what the reader answers
goes() {
	read_at "$2"
	same "$1" "$3 $4" "$code $(header location)"
}
# found NAME PATH EXPRESSION: what a renderer is told of it
found() { t "$1" POST /v1/urls/published read '{"url":"'"$base$2"'"}' 200 "$3"; }
# asks NAME SPACE PATH STATUS EXPRESSION: for a page by its path, with the token of the last found()
asks() {
	jq -r '.apiToken // empty' "$out" >"$tmp/tokens/found"
	if [ -s "$tmp/tokens/found" ]; then mv "$tmp/tokens/found" "$tmp/tokens/renderer"; else rm "$tmp/tokens/found"; fi
	send GET /v1/spaces/$2 renderer ''
	t "$1" GET /v1/spaces/$2/revisions/$(jq -r .revision "$out")/path/$3 renderer '' $4 "$5"
}

# ---- redirects of .gitbook.yaml ----

files_at redirects .gitbook.yaml 'redirects:\n  old/page: ./new/page.md\n  old2: new/page.md\n  "Old With Blanks": new/page.md\n  /leading/: new/page.md\n  old/file.md: new/page.md#part\n  away: https://example.org/there\n  pic: .gitbook/assets/dot.png\n  gone: gone.md\n  secret: secret.md\n  new/page: README.md\n  home: README.md\n  "caf\\u00e9": new/page.md\n' \
	SUMMARY.md '* [Home](README.md)\n* [Page](new/page.md)\n* [Secret](secret.md)\n' README.md '# Home\n' new/page.md '# Page\n\n## Part\n' \
	secret.md '---\nif: visitor.claims.team\n---\n\n# Secret\n' .gitbook/assets/dot.png 'x'
redirects=$(imported_as Redirects redirects)
site_of 'Redirects' '"'$redirects'"'
goes 'a page that moved' ${at}old/page 302 $at'new/page'
goes 'another' ${at}old2 302 $at'new/page'
goes 'in another case, with a slash' ${at}Old2/ 302 $at'new/page'
goes 'with blanks' ${at}old%20with%20blanks 302 $at'new/page'
goes 'encoded twice' ${at}old%2520with%2520blanks 302 $at'new/page'
goes 'typed with slashes' ${at}leading 302 $at'new/page'
goes 'a place in a page' ${at}old/file 302 $at'new/page#part'
goes 'another site' ${at}away 302 https://example.org/there
goes 'the first page' ${at}home 302 $at
goes 'not in ASCII' ${at}caf%C3%A9 302 $at'new/page'
goes 'what is not there' ${at}gone 404 ''
goes 'what is hidden' ${at}secret 404 ''
goes 'a page wins' ${at}new/page 200 ''
read_at ${at}pic
same 'a file' 302 "$code"
read_at ${at}old/page.md
same 'as Markdown' 200 "$code"
holds 'as Markdown' '# Page'
found 'what a renderer is told' ${at}old/page '.pathname == "old/page" and .canonicalUrl == "'$base$at'new/page"'
found 'what a renderer is told of a place' ${at}old/file '.canonicalUrl == "'$base$at'new/page"'
jq -r .apiToken "$out" >"$tmp/tokens/renderer"
t 'the renderer asks the site' GET "$W/redirect?source=%2Fold%2Fpage" renderer '' 404 ''
asks 'then the space' $redirects old%2Fpage 200 '.path == "new/page"'
asks 'also where it is encoded twice' $redirects old%2520with%2520blanks 200 '.path == "new/page"'
asks 'not of what is hidden' $redirects secret 404 ''
t 'a redirect of the site' POST $W/redirects admin '{"source":"/Old%20Way","destination":{"kind":"external","url":"https://example.org/way"}}' 201 ''
goes 'in the case that it was typed in' ${at}Old%20Way 302 https://example.org/way
t 'one in lower case' POST $W/redirects admin '{"source":"/old2","destination":{"kind":"external","url":"https://example.org/site"}}' 201 ''
goes 'that of the site wins' ${at}OLD2 302 https://example.org/site
t 'redirects: gone' DELETE $W admin '' 204 ''

# ---- claims that nobody sends ----

files_at claims SUMMARY.md '* [Home](README.md)\n* [P](p.md)\n* [Q](q.md)\n' \
	README.md '# Home\n\n{% if visitor.claims.unsigned.a %}\nWITH\n{% endif %}\n\n{% if !visitor.claims.unsigned.a %}\nWITHOUT\n{% endif %}\n\n{% if "x" !== visitor.claims.unsigned["b"] && visitor.claims.c !== 1 %}\nOTHERS\n{% endif %}\n\n{% if visitor.claims.unsigned.a.b %}\nDEEP\n{% endif %}\n\nSay <code class="expression">visitor.claims.unsigned.name ?? "friend"</code>.\n' \
	p.md '---\nif: visitor.claims.unsigned.product !== "OM4"\n---\n\n# P\n\nText.\n' \
	q.md '---\nif: visitor.claims.unsigned.product === "OM4"\n---\n\n# Q\n\nText.\n'
claims=$(imported_as Claims claims)
site_of 'Claims' '"'$claims'"'
for adaptive in false true; do
	t "adaptive: $adaptive" PATCH $W admin '{"adaptiveContent":{"enabled":'$adaptive'}}' 200 ''
	read_at $at
	holds "without claims, $adaptive" WITHOUT
	holds "unequal, $adaptive" OTHERS
	holds "a value, $adaptive" 'Say friend.'
	lacks "with claims, $adaptive" '>WITH<'
	lacks "deeper than there is, $adaptive" DEEP
	goes "a page for all others, $adaptive" ${at}p 200 ''
	goes "a page for some, $adaptive" ${at}q 404 ''
	t "what hides from all, $adaptive" GET /v1/spaces/$claims/content/expression-faults admin '' 200 \
		'([.items[] | select(.message | startswith("it hides from every visitor")) | .page.title] | unique) == (if '$adaptive' then [] else ["Home", "Q"] end)'
done
t 'for those who claim it' POST /v1/urls/published read '{"url":"'$base${at}q'","visitor":{"unsignedClaims":{"product":"OM4"}}}' 200 '.contextId and .canonicalUrl'
asks 'sees the page' $claims q 200 ''
asks 'and not the other' $claims p 404 ''
found 'no context without claims' $at '(has("contextId") | not)'
t 'claims: gone' DELETE $W admin '' 204 ''

# ---- pages and segments of the same name ----

# leads NAME PATH TEXT: the reader shows it there, or one redirect further
leads() {
	read_at "$2"
	case $code in 30?) to=$(header location) && read_at "${to#"$below"}" ;; esac
	same "$1" 200 "$code"
	holds "$1" "$3"
}
# renders NAME PATH ID: what a renderer makes of it, candidate by candidate: the longest, or any that is complete
renders() {
	for candidate in $(echo "$2" | awk -F/ '{ at = "/"; print at; for (i = 2; i <= NF && i < 9; i++) if ($i != "") { at = at $i; print at; at = at "/" } }'); do
		send POST /v1/urls/published read '{"url":"'"$base$candidate"'"}'
		[ "$code" = 200 ] || continue
		if [ "$(jq -r .complete "$out")" = true ] || [ "$candidate" = "${2%/}" ]; then
			# What the candidate lacks is put behind its path. The page is found by base and path, whoever won.
			rest=${2#"$candidate"} rest=${rest#/}
			path=$(jq -r '.pathname' "$out")/$rest path=${path#/}
			same "$1: $candidate" "$3" "$(jq -r .siteSpace "$out") ${path%/}"
			goes "$1: $candidate, its address" "$(jq -r .basePath "$out")${path%/}" 200 ''
		fi
	done
}

files_at docs SUMMARY.md '* [Home](README.md)\n* [Docs home](docs/README.md)\n  * [X](docs/x.md)\n' README.md '# Home\n' docs/README.md '# Docs home\n' docs/x.md '# X\n'
docs=$(imported_as Docs docs)
site_of 'Handbook' '"'$docs'"'
t 'its segment' GET $W/site-spaces admin '' 200 '.items[0].path == "docs"'
leads 'a page in a folder like the segment' ${at}docs/x '<h1>X</h1>'
leads 'the page of the folder' ${at}docs '<h1>Docs home</h1>'
leads 'with a slash' ${at}docs/ '<h1>Docs home</h1>'
leads 'by the segment, too' ${at}docs/docs/x '<h1>X</h1>'
found 'one space is all there is' $at '.complete and .basePath == .siteBasePath'
found 'and the folder is in it' ${at}docs '.complete and .pathname == "docs"'
t 'handbook: gone' DELETE $W admin '' 204 ''

# Variants: v1 is called like a page, v2 like a folder without one, v3 like none.
files_at several SUMMARY.md '* [Home](README.md)\n* [About v1](v1.md)\n* [In v2](v2/in.md)\n* [Hundred](my%20100%25%20page.md)\n' README.md '# Home\n' v1.md '# About v1\n' v2/in.md '# In v2\n' 'my 100% page.md' '# Hundred\n'
files_at other SUMMARY.md '* [Start](README.md)\n* [In another](in.md)\n' README.md '# Start\n' in.md '# In another\n'
several=$(imported_as Main several)
v1=$(imported_as v1 other) v2=$(imported_as v2 other) v3=$(imported_as v3 other)
site_of 'Several' '"'$several'","'$v1'","'$v2'","'$v3'"'
t 'its variants' GET $W/site-spaces admin '' 200 ''
jq -r '.items[] | "x_\(.path)=\(.id)"' "$out" >"$tmp/variants"
. "$tmp/variants"
t 'their addresses' GET $W/site-spaces admin '' 200 '[.items[].urls.published | ltrimstr("'$base$at'")] == ["", "v/v1/", "v/v2/", "v3/"]'
t 'of one of the spaces' GET /v1/spaces/$v1 admin '' 200 '.urls.published == "'$base$at'v/v1/"'
leads 'a page wins' ${at}v1 '<h1>About v1</h1>'
leads 'the variant of that name' ${at}v/v1 '<h1>Start</h1>'
leads 'a page of it' ${at}v1/in '<h1>In another</h1>'
leads 'a page in a folder wins' ${at}v2/in '<h1>In v2</h1>'
leads 'the variant called like the folder' ${at}v2 '<h1>Start</h1>'
leads 'its page' ${at}v/v2/in '<h1>In another</h1>'
leads 'a variant called like nothing' ${at}v3/in '<h1>In another</h1>'
read_at $at
for variant in v/v1 v/v2 v3; do holds "the reader leads to $variant" "$at$variant/"; done
found 'the site is not all of it' $at '.complete == false and .siteSpace == "'$x_main'"'
found 'without its last slash' ${at%/} '.complete == false'
found 'a page that is called like a variant' ${at}v1 '.complete == false and .pathname == "v1" and .siteSpace == "'$x_main'"'
found 'a variant' ${at}v3 '.complete and .pathname == "" and .siteSpace == "'$x_v3'" and .basePath == "'$below${at}'v3/"'
found 'with a slash' ${at}v3/ '.complete and .siteSpace == "'$x_v3'"'
found 'a page of the default' ${at}none/such '.complete and .siteSpace == "'$x_main'" and .pathname == "none/such"'
found 'the mark alone' ${at}v '.complete == false'
renders 'a page of a variant' ${at}v3/in "$x_v3 in"
renders 'a page called like a variant' ${at}v1 "$x_main v1"
renders 'a page in a folder called like one' ${at}v2/in "$x_main v2/in"
renders 'a page of the variant called like it' ${at}v/v2/in "$x_v2 in"
renders 'a variant' ${at}v3 "$x_v3 "
# Old addresses: with the segment of the default.
leads 'with the segment of the default' ${at}main/v1 '<h1>About v1</h1>'
# Blanks and percent signs, as often encoded as it may come.
goes 'a page of a file with blanks and percent signs' ${at}my-100-page 200 ''
goes 'by the name of its file' ${at}my%20100%25%20page 302 ${at}my-100-page
goes 'encoded twice' ${at}my%2520100%2525%2520page 302 ${at}my-100-page
found 'for a renderer' ${at}my%2520100%2525%2520page '.canonicalUrl == "'$base${at}'my-100-page"'
asks 'once' $several my%20100%25%20page 200 '.title == "Hundred"'
asks 'twice' $several my%2520100%2525%2520page 200 '.title == "Hundred"'
asks 'three times' $several my%252520100%252525%252520page 200 '.title == "Hundred"'
t 'for users' GET /v1/spaces/$several/content/path/my%2520100%2525%2520page read '' 200 '.title == "Hundred"'

# Sections: one is called like a page, and has a variant called like a page of its own.
t 'the first section takes the variants over' POST $W/sections admin '{"title":"Base","spaceId":"'$v3'"}' 201 '(.siteSpaces | length) > 3'
t 'another one' POST $W/sections admin '{"title":"v1","spaceId":"'$v3'"}' 201 '.path == "v1"'
section=$(jq -r .id "$out")
leads 'a page wins over a section' ${at}v1 '<h1>About v1</h1>'
leads 'the section' ${at}s/v1 '<h1>Start</h1>'
leads 'a page in the section' ${at}v1/in '<h1>In another</h1>'
leads 'a variant of the first' ${at}v/v1/in '<h1>In another</h1>'
found 'the site with sections' $at '.complete == false and .siteSection'
found 'the section with one variant' ${at}s/v1 '.siteSection == "'$section'" and .basePath == "'$below${at}'s/v1/" and .siteBasePath == "'$below$at'"'
t 'its address' GET $W/sections admin '' 200 '[.items[].urls.published | ltrimstr("'$base$at'")] == ["", "s/v1/"] and .items[1].siteSpaces[0].urls.published == "'$base$at's/v1/"'
t 'a variant in it' POST $W/site-spaces admin '{"spaceId":"'$several'","sectionId":"'$section'"}' 201 ''
found 'the section with two' ${at}s/v1/ '.complete == false and .siteSection == "'$section'"'
found 'a page of it' ${at}s/v1/in '.siteSection == "'$section'" and .pathname == "in"'
found 'a variant of it' ${at}s/v1/main '.siteSection == "'$section'" and .pathname == "" and .space == "'$several'"'
t 'several: gone' DELETE $W admin '' 204 ''

# ---- share links ----

site_of 'Shared' '"'$several'"' ',"visibility":"share-link"'
t 'a share link' POST $W/share-links admin '{"name":"Partners"}' 201 ''
shared=$(jq -r .urls.published "$out" | sed "s,^$base,,")
goes 'with a slash' $shared 303 $at
goes 'without one' ${shared%/} 303 $at
goes 'with a page' ${shared}v1 303 ${at}v1
goes 'with two slashes' ${shared%/}//v1 303 ${at}v1
goes 'with a query' "${shared%/}?jwt_token=x" 303 $at
read_at ${shared%/}
read_at $at -H "Cookie: $(header set-cookie | sed 's/;.*//')"
same 'the cookie opens the site' 200 "$code"
goes 'nothing else does' $at 404 ''
found 'for a renderer, without a slash' ${shared%/} '.shareKey and .siteBasePath == "'$below$shared'" and .basePath == .siteBasePath and (.canonicalUrl | endswith("'$shared'"))'
t 'shared: gone' DELETE $W admin '' 204 ''

# ---- a site that has a hostname, by its path ----

site_of 'Named' '"'$several'"'
"$octavo" site hostname --dir "$dir" --site ${W##*/} named.octavo.test >/dev/null 2>&1
scheme=${base%%:*}
found 'has another address' ${at}v1 '. == {target: "content", redirect: "'$scheme'://named.octavo.test/v1"}'
found 'with slashes' ${at%/}//v1/ '.target == "content" and .redirect == "'$scheme'://named.octavo.test/v1/"'
found 'of the site' ${at%/} '.redirect == "'$scheme'://named.octavo.test/"'
t 'where base and address agree' POST /v1/urls/published read '{"url":"'$scheme'://Named.Octavo.TEST/v1"}' 200 '.basePath == "/" and .siteBasePath == "/" and .canonicalUrl == "'$scheme'://named.octavo.test/v1" and .complete'
t 'behind a proxy' PATCH $W admin '{"proxy":"named.example.org/help"}' 200 ''
found 'they agree by any address' ${at}v1 '.basePath == "/help/" and .siteBasePath == "/help/" and .canonicalUrl == "https://named.example.org/help/v1" and .pathname == "v1"'
t 'and by its own' POST /v1/urls/published read '{"url":"https://named.example.org/help/v1"}' 200 '.basePath == "/help/" and .canonicalUrl == "https://named.example.org/help/v1"'
t 'named: gone' DELETE $W admin '' 204 ''

# ---- hosts and prefixes belong to one organization ----

site_of 'Held' '"'$several'"'
held=$W
site_of 'Held too' '"'$several'"'
other_own=$W
t 'held: of another organization' POST /v1/orgs/$ORG_B/sites other '{"title":"Thief","spaces":[]}' 201 ''
thief=/v1/orgs/$ORG_B/sites/$(jq -r .id "$out")
t 'a proxy' PATCH $held admin '{"proxy":"Held.Example.ORG/docs/book"}' 200 '.proxy.origin == "held.example.org/docs/book"'
t 'it stays where it is' PATCH $held admin '{"proxy":"held.example.org/docs/book"}' 200 ''
for claim in held.example.org/docs/book HELD.example.org/docs/book held.example.org/docs held.example.org/docs/book/more held.example.org/docs/book/a/b; do
	t "not $claim of another" PATCH $thief other '{"proxy":"'$claim'"}' 409 '.error.message | contains("another organization") and (contains("'${held##*/}'") | not)'
done
t 'nothing was taken' GET $thief other '' 200 'has("proxy") | not'
t 'the same one of their own' PATCH $other_own admin '{"proxy":"held.example.org/docs/book"}' 409 '.error.message | contains("'${held##*/}'")'
t 'one of their own within it' PATCH $other_own admin '{"proxy":"held.example.org/docs/book/more"}' 200 ''
for free in held.example.org/doc held.example.org/docs/books held.example.org/other x.held.example.org/docs/book; do
	t "but $free" PATCH $thief other '{"proxy":"'$free'"}' 200 '.proxy.origin == "'$free'"'
done
t 'none any more' PATCH $thief other '{"proxy":null}' 200 ''
# The longest one is served, and a renderer is told that there is more.
asked() { t "$1" POST /v1/urls/published read '{"url":"https://'$2'"}' 200 "$3"; }
asked 'the outer one' held.example.org/docs/book/v1 '.site == "'${held##*/}'" and .complete == false and .basePath == "/docs/book/"'
asked 'the inner one' held.example.org/docs/book/more/v1 '.site == "'${other_own##*/}'" and .basePath == "/docs/book/more/"'
# Hostnames.
"$octavo" site hostname --dir "$dir" --site ${held##*/} held.octavo.test >/dev/null 2>&1
t 'not within the hostname of another' PATCH $thief other '{"proxy":"held.octavo.test/v2"}' 409 '.error.message | contains("another organization")'
t 'within their own' PATCH $other_own admin '{"proxy":"Held.octavo.test/inner"}' 200 ''
asked 'the site of the hostname' held.octavo.test/v1 '.basePath == "/docs/book/"'
asked 'the one within' held.octavo.test/inner/v1 '.site == "'${other_own##*/}'" and .basePath == "/inner/"'
# Who runs the machine decides.
site_address() { "$octavo" site "$@" --dir "$dir" --json >"$tmp/addresses_said" 2>"$tmp/told"; }
yes 'a hostname of another is refused' test "$(site_address hostname --site ${thief##*/} held.octavo.test; echo $?)" = 1
yes 'and it is said whose it is' grep -q "${held##*/}.*--take" "$tmp/told" "$tmp/addresses_said"
yes 'and so is one around a proxy' test "$(site_address hostname --site ${thief##*/} held.example.org; echo $?)" = 1
yes 'no host' test "$(site_address proxy --site ${thief##*/} held.example.org; echo $?)" = 2
yes 'no path' test "$(site_address proxy --site ${thief##*/} held.example.org//a; echo $?)" = 2
yes 'a proxy within a hostname' test "$(site_address proxy --site ${thief##*/} held.octavo.test/inner/deep; echo $?)" = 1
yes 'is taken' site_address proxy --site ${thief##*/} Held.octavo.test/inner/deep --take
t 'by the new one' GET $thief other '' 200 '.proxy.origin == "held.octavo.test/inner/deep"'
t 'from the old one' GET $other_own admin '' 200 'has("proxy") | not'
t 'of the hostname, too' GET /v1/custom-hostnames/held.octavo.test admin '' 404 ''
yes 'and given back' site_address proxy --site ${thief##*/} --remove
yes 'a hostname is given' site_address hostname --site ${held##*/} held.octavo.test
# Rows of older releases: who has the hostname is served.
sql "UPDATE site SET proxy_origin = 'held.octavo.test/old', published_at = 1 WHERE id = '${thief##*/}'"
sql "UPDATE site SET proxy_origin = NULL WHERE id = '${held##*/}'"
asked 'not the one within' held.octavo.test/old/v1 '.site == "'${held##*/}'"'
for gone in $held $other_own; do t 'held: gone' DELETE $gone admin '' 204 ''; done
t 'held: the other one' DELETE $thief other '' 204 ''

for gone in $redirects $claims $docs $several $v1 $v2 $v3; do send DELETE /v1/spaces/$gone admin ''; done
fi
