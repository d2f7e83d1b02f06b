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

for gone in $redirects $claims; do send DELETE /v1/spaces/$gone admin ''; done
fi
