#!/bin/sh
# octavo site export: a published site becomes a folder of HTML files, which opens from the folder and from
# any web server. Needs OCTAVO_BUILD.
set -u
. tests/http/expect.sh
server=
finish() {
	[ -z "$server" ] || kill "$server" 2>/dev/null
	rm -rf "$tmp"
	ended_early
}
at_exit finish

export OCTAVO_URL=http://docs.test:8099
d=$tmp/data
"$octavo" init --dir "$d" --email a@example.com --name A --org Docs >/dev/null || exit 1
# api METHOD PATH [BODY]: the answer of the API
api() { "$octavo" call "$1" "$2" --dir "$d" --user a@example.com ${3:+--body "$3"}; }
# import FOLDER: a space of it; prints its id
import() { "$octavo" import "$1" --from markdown --dir "$d" --org Docs --json | jq -r .result.space; }
O=/orgs/$(api GET /orgs | jq -r '.items[0].id')

# ---- the site: two sections, the second with two variants ----

mkdir -p "$tmp/ref/parts" "$tmp/old" "$tmp/guide/more" "$tmp/guide/img"
printf '# Reference\n\nAll **parts**.\n\n## Zebra stripes\n\nZebras & "horses" <graze>.\n' >"$tmp/ref/README.md"
printf '# Bolt\n\nA bolt. [Nut](nut.md)\n' >"$tmp/ref/parts/bolt.md"
printf '# Nut\n\nA nut, a café and 日本語.\n' >"$tmp/ref/parts/nut.md"
printf '# Reference of old\n\nOld zebra.\n' >"$tmp/old/README.md"
R=$(import "$tmp/ref") V=$(import "$tmp/old")
# A picture of 7 by 5 pixels, and a file of a kind that browsers save.
printf 'GIF89a\007\000\005\000\000\000\000;' >"$tmp/guide/img/a b.gif"
printf 'PK' >"$tmp/guide/img/data.zip"
printf '# Guide\n\n![Pic](<img/a b.gif>) [All](img/data.zip)\n\n[Deep](more/deep.md#two)\n\n[Elsewhere](https://example.org/x?a=1&b=2) [Secret](cellar.md) [Site](%s%s/handbook/more/deep) [App](%s/app)\n' \
	"$OCTAVO_URL" "/sites/${O#/orgs/}" "$OCTAVO_URL" >"$tmp/guide/README.md"
printf '# Deep\n\n## One\n\n```c\nint x; /* http://docs.test:8099/ */\n```\n\n## Two\n\n[Back](../README.md) $$x^2$$\n' >"$tmp/guide/more/deep.md"
printf -- '---\nhidden: true\n---\n\n# Cellar\n\nquagga\n' >"$tmp/guide/cellar.md"
printf -- '---\nicon: book\n---\n\n# Moving\n\ntext\n' >"$tmp/guide/moving.md"
G=$(import "$tmp/guide")
change() {
	c_n=$(api POST "/spaces/$G/change-requests" '{"subject":"x"}' | jq -r .id)
	api POST "/spaces/$G/change-requests/$c_n/content" "$1" >/dev/null && api POST "/spaces/$G/change-requests/$c_n/merge" '{}' >"$tmp/merged"
}
moving=$(api GET "/spaces/$G/content/path/moving" | jq -r .id)
change '{"changes":[{"operation":"update_page","page":"'"$moving"'","slug":"moved"},
	{"operation":"insert_page","document":{"markdown":"---\nif: visitor.claims.staff\n---\n\n# Staff only\n\nquokka\n"}},
	{"operation":"insert_page","document":{"markdown":"# Partly\n\nFor all {% if visitor.claims.staff %}quokka{% endif %}\n"}},
	{"operation":"insert_page","document":{"markdown":"# Across\n\n[Reference](/spaces/'"$R"') [Bolt]('"$OCTAVO_URL/sites/${O#/orgs/}"'/handbook/reference/parts/bolt)\n"}}]}'
S=$(api POST "$O/sites" '{"title":"Handbook","spaces":["'"$G"'"]}' | jq -r .id)
api POST "$O/sites/$S/sections" '{"title":"Guide","spaceId":"'"$G"'"}' >"$tmp/sections"
two=$(api POST "$O/sites/$S/sections" '{"title":"Reference","spaceId":"'"$R"'"}' | jq -r .id)
api POST "$O/sites/$S/site-spaces" '{"spaceId":"'"$V"'","sectionId":"'"$two"'"}' >"$tmp/variant"
api PATCH "$O/sites/$S" '{"adaptiveContent":{"enabled":true}}' >"$tmp/adaptive"
api PUT "$O/sites/$S/customization" '{"styling":{"primaryColor":{"light":"#aa0011","dark":"#ee5566"}},"feedback":{"enabled":true}}' >"$tmp/look"
# Redirects from names of files: the folder has one file of each name, and no folder of it.
long=$(printf '%0300d' 0)
for r in '"/old/way","destination":{"kind":"external","url":"https://example.org/site"}' '"/gone","destination":{"kind":"site-section","siteSectionId":"'"$two"'"}' \
	'"/many/*","destination":{"kind":"external","url":"https://example.org/"}' \
	'"/index.html","destination":{"kind":"external","url":"https://example.org/"}' \
	'"/404.html","destination":{"kind":"external","url":"https://example.org/"}' \
	'"/README.txt/x","destination":{"kind":"external","url":"https://example.org/"}' \
	'"/'"$long"'","destination":{"kind":"external","url":"https://example.org/"}' \
	'"/old.html","destination":{"kind":"external","url":"https://example.org/html"}'; do
	api POST "$O/sites/$S/redirects" "{\"source\":$r}" >/dev/null || echo "no redirect $r"
done

# ---- arguments ----

to=$tmp/copy
expect 'the command names what it needs' 2 'site export SITE FOLDER' "$octavo" site export --dir "$d"
expect 'a site that is not there is named' 1 'there is no site nowhere' "$octavo" site export nowhere "$to" --dir "$d"
expect 'a site that is not published is refused' 1 'not published.*Nothing was exported' "$octavo" site export "$S" "$to" --dir "$d"
same 'a refused export leaves nothing' '' "$(find "$tmp" -maxdepth 1 \( -name copy -o -name '.octavo-site*' \))"
api POST "$O/sites/$S/publish" >/dev/null
mkdir "$tmp/full" "$to" && touch "$tmp/full/x"
expect 'a folder with files is refused' 1 'exists already' "$octavo" site export "$S" "$tmp/full" --dir "$d"
expect 'a path is one' 2 'such as /docs/' "$octavo" site export "$S" "$to" --dir "$d" --path docs
expect 'the site is exported into an empty folder' 0 '^exported: 9 pages' "$octavo" site export Handbook "$to" --dir "$d"
printf '%s\n' "$out" >"$tmp/report"

# ---- what is in it ----

# Every address in the HTML: none of the host, and each relative one leads to a file.
cat >"$tmp/links.py" <<'PY'
import html.parser, os, sys, urllib.parse
root, wrong, count = sys.argv[1], [], 0
class Page(html.parser.HTMLParser):
	def handle_starttag(self, tag, attrs):
		for name, value in attrs:
			if name == 'content' and value and value.startswith('0; url='): name, value = 'href', value[7:]
			if value and 'docs.test' in value and name != 'content': wrong.append((self.at, name, value))
			if name in ('href', 'src', 'action', 'data-index', 'data-base') and value and value[0] != '#': self.link(name, value)
	def link(self, name, value):
		global count
		url = urllib.parse.urlsplit(value)
		if url.scheme in ('http', 'https', 'data', 'mailto', 'tel'): return
		count += 1
		folder = '' if self.base else os.path.dirname(self.at)
		to = os.path.normpath(os.path.join(root, folder, urllib.parse.unquote(url.path)))
		if tag_base(value): self.base = True
		elif url.scheme or url.netloc or url.path.startswith('/') or not (os.path.isdir(to) if name == 'data-base' else os.path.isfile(to)):
			wrong.append((self.at, name, value))
def tag_base(value): return value in ('/', '/docs/')
for folder, _, names in os.walk(root):
	for name in names:
		if not name.endswith('.html'): continue
		p = Page()
		p.at, p.base = os.path.relpath(os.path.join(folder, name), root), False
		p.feed(open(os.path.join(folder, name), encoding='utf-8').read())
print(wrong if wrong else 'good' if count > 100 else count)
PY
check_links() { python3 "$tmp/links.py" "$1"; }
# text FILE PATTERN: a file of the copy has this text
text() { if grep -qF -- "$3" "$to/$2"; then pass; else fail "$1" "no \"$3\" in $2: $(head -c 3000 "$to/$2")"; fi; }
same 'no link leads to the host or nowhere' good "$(check_links "$to")"
same 'each page, redirect, style sheet and script is a file' '404.html
README.txt
across/index.html
gone/index.html
index.html
more/deep/index.html
moved/index.html
moving/index.html
old.html
old/way/index.html
partly/index.html
reference/index.html
reference/old/index.html
reference/parts/bolt/index.html
reference/parts/nut/index.html
~search/index.html
~search/index.js' "$(cd "$to" && find . -type f ! -path './~asset/*' ! -path './~file/*' ! -path '*/~look/*' | sed 's|^\./||' | LC_ALL=C sort)"
same 'what is hidden or has a condition is nowhere' '' "$(grep -rlE 'quagga|quokka' "$to")"
text 'a link to a page of another section is relative' across/index.html 'href="../reference/parts/bolt/index.html"'
text 'a link to another section is relative' across/index.html 'href="../reference/index.html">Reference</a> <a'
text 'a fragment stays' index.html 'href="more/deep/index.html#two"'
text 'a full address with the organization'"'"'s id is relative' index.html '<a href="more/deep/index.html">Site</a>'
text 'an address elsewhere stays' index.html 'href="https://example.org/x?a=1&amp;b=2"'
text 'a link to a hidden page is text' index.html '<a>Secret</a>'
text 'formulas and code are set' more/deep/index.html '<span class="k">int</span>'
text 'icons are in the page' index.html '<svg class="i" viewBox='
text 'a page leads from its former address' moving/index.html 'content="0; url=../moved/index.html"'
text 'a redirect leads elsewhere' old/way/index.html 'content="0; url=https://example.org/site"'
text 'a redirect from a file is a file' old.html 'content="0; url=https://example.org/html"'
text 'a redirect leads to a section' gone/index.html '../reference/index.html'
text 'the page of missing addresses has a base' 404.html '<head><base href="/">'
same 'no page asks for ratings or counts' '' "$(grep -rlE '~count|class="rate"|data-page|rel="canonical"|application/ld\+json' "$to" --include=*.html)"
picture=$(sed -n 's/.*<img src="\([^"]*\)".*/\1/p' "$to/index.html" | sed 's/%20/ /g')
same 'a picture has its bytes' "$(cksum <"$tmp/guide/img/a b.gif")" "$(cksum <"$to/$picture")"
same 'others may read the files' 'drwxr-xr-x -rw-r--r--' "$(stat -c %A "$to" "$to/index.html" | paste -sd ' ')"
text 'the report is in the folder' README.txt 'the page "Cellar" (/cellar): it is hidden'
text 'a link without a target is in the report' README.txt 'index.html links to'
for line in 'the redirect from /index.html: another file' 'the redirect from /404.html: another file' 'redirect from /README.txt/x' 'redirect from /000000' \
	'the redirect from /many/\*' 'page "Staff only".*condition' 'claims: files are the same'; do
	if grep -q "left out: .*$line" "$tmp/report"; then pass; else fail "the report names $line" "$(cat "$tmp/report")"; fi
done

# ---- search ----

cat >"$tmp/search.mjs" <<'JS'
import { readFileSync, readdirSync } from 'node:fs'
const [folder, query, within] = process.argv.slice(2)
const listen = []
globalThis.window = globalThis
globalThis.location = { search: '' }
globalThis.document = {
	querySelector: () => ({ dataset: { index: '~search/index.js', base: './', others: 'others', none: 'none' } }),
	createElement: () => ({}), addEventListener: (_, f) => listen.push(f),
	head: { append: s => { (0, eval)(readFileSync(folder + '/' + s.src, 'utf8')); s.onload() } },
}
const name = readdirSync(folder + '/~asset').find(n => n.startsWith('copy.'))
;(0, eval)(readFileSync(folder + '/~asset/' + name, 'utf8'))
for (const h of await octavoSearch(query, within)) console.log(h.href, h.sections.map(s => '#' + s.anchor).join(' ') + (h.other ? ' ' + h.other : ''))
JS
found() { node "$tmp/search.mjs" "$to" "$@"; }
same 'search finds words in parts of pages' './reference/index.html #zebra-stripes
./reference/old/index.html #' "$(found zebra)"
ref=$(api GET "$O/sites/$S/site-spaces" | jq -r '.items[] | select(.space.id == "'"$R"'") | .id')
same 'variants of others come last, and are named' './reference/index.html #zebra-stripes
./reference/old/index.html # others' "$(found ZEBRA "$ref")"
same 'accents do not matter' './reference/parts/nut/index.html #' "$(found cafe)"
same 'scripts without blanks are searched within' './reference/parts/nut/index.html #' "$(found 本語)"
same 'all words must be there' '' "$(found 'zebra bolt')"
same 'a title is found' './reference/parts/bolt/index.html #' "$(found bolt | head -n 1)"
same 'what is hidden is not found' '' "$(found quagga)"

# ---- over HTTP, below a path, and other sites ----

rm -rf "$tmp/www" && mkdir "$tmp/www"
# As it is installed: the command in bin, other programs in lib/octavo.
mkdir -p "$tmp/usr/bin" "$tmp/usr/lib/octavo"
cp "$octavo" "$tmp/usr/bin" && cp "$OCTAVO_BUILD/octavo-typeset" "$tmp/usr/lib/octavo"
expect 'the folder may have a path' 0 '^exported: 9 pages' "$tmp/usr/bin/octavo" site export "$S" "$tmp/www/docs" --dir "$d" --path /docs
to=$tmp/www/docs
text 'an installed command sets code and formulas' more/deep/index.html '<span class="k">int</span>'
same 'the report names no page without them' '' "$(grep formulas "$to/README.txt")"
text 'the base is that path' 404.html '<base href="/docs/">'
same 'links stay relative' good "$(check_links "$to")"
python3 -u -m http.server 0 --bind 127.0.0.1 --directory "$tmp/www" >"$tmp/server.log" 2>&1 &
server=$!
until_true 10 grep -q port "$tmp/server.log"
port=$(sed -n 's/.* port \([0-9]*\) .*/\1/p' "$tmp/server.log")
fetch() { curl -s -L --path-as-is -o "$tmp/body" -w '%{http_code} %{content_type}' "http://127.0.0.1:$port/docs/$1"; }
same 'a page has its old address on a web server' '200 text/html' "$(fetch more/deep)"
same 'a style sheet is served' '200 text/css' "$(fetch "$(cd "$to" && ls -d ~asset/site.*.css '~asset'/site.*.css 2>/dev/null | tail -n 1)")"
same 'a picture is served' '200 image/gif' "$(fetch "$(sed -n 's/.*<img src="\([^"]*\)".*/\1/p' "$to/index.html")")"
kill $server
wait $server 2>/dev/null
server=

rm "$tmp/usr/lib/octavo/octavo-typeset"
for kind in share-link visitor-auth; do
	api PATCH "$O/sites/$S" '{"visibility":"'$kind'"}' >/dev/null
	expect "a site of $kind is exported, and the report says that files ask nobody" 0 'whoever has the files' "$tmp/usr/bin/octavo" site export "$S" "$tmp/$kind" --dir "$d"
	same "the folder of a site of $kind is its maker's" drwx------ "$(stat -c %A "$tmp/$kind")"
	same "the links of a site of $kind are relative" good "$(check_links "$tmp/$kind")"
	same "a site of $kind shows what visitors without claims see" '' "$(grep -rlE 'quagga|quokka' "$tmp/$kind")"
done
to=$tmp/share-link
text 'code that is not set is in the report' README.txt 'colours of code, or formulas, in more/deep/index.html: octavo-typeset is missing'
api POST "$O/sites/$S/unpublish" >/dev/null
expect 'a site that is no longer published is refused' 1 'is not published' "$octavo" site export "$S" "$tmp/closed" --dir "$d"
same 'no folder is left of what was refused' '' "$(find "$tmp" -maxdepth 1 \( -name closed -o -name '.octavo-site*' \))"
summary
