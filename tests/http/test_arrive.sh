#!/bin/sh
# octavo import FROM: documentation of other programs becomes a space. Needs OCTAVO_BUILD.
set -u
. tests/http/expect.sh
finish() {
	rm -rf "$tmp"
	ended_early
}
at_exit finish

d=$tmp/data
"$octavo" init --dir "$d" --email a@example.com --name A --org Docs >/dev/null || exit 1
# The fixtures are copied, since tests change them, and get times of their own.
cp -r tests/fixtures/arrive "$tmp/from"
find "$tmp/from" -type f -exec touch -d 2020-02-03T04:05:06Z {} +

# import FROM [OPTIONS]: the answer as JSON in $tmp/got, the space in $S.
import() {
	i_from=$1
	shift
	"$octavo" import --dir "$d" --org Docs "$i_from" --json "$@" >"$tmp/got" 2>"$tmp/err" || { fail "import of $i_from" "$(cat "$tmp/err")"; return 1; }
	S=$(jq -r .result.space "$tmp/got")
}
get() { "$octavo" call GET "/spaces/$S$1" --dir "$d" --user a@example.com; }
tree() { get /content | jq -r 'def w(d): .[]? | (d + .type + " " + .title + " [" + (.path // "-") + "]" + (if .hidden then " hidden" else "" end) + (if .linkTitle then " = " + .linkTitle else "" end)), (.pages | w(d + " ")); .pages | w("")'; }
page() { get "/content/path/$1?format=markdown" | jq -r .markdown; }
# warned FILE LINE PATTERN: a line of the report.
warned() {
	jq -e --arg f "$1" --argjson l "$2" --arg m "$3" '[.warnings[] | select(.file == $f and .line == $l and (.message | test($m)))] | length > 0' \
		"$tmp/got" >/dev/null && pass || fail "a line of the report: $1:$2: $3" "$(jq -c '.warnings[]' "$tmp/got")"
}
# has NAME TEXT: the page in $tmp/page has this text.
has() { if grep -qF -- "$2" "$tmp/page"; then pass; else fail "$1" "no \"$2\" in: $(cat "$tmp/page")"; fi; }
# change PAGE MARKDOWN: edits the page here, by a merged change request.
change() {
	c_id=$(get "/content/path/$1" | jq -r .id)
	c_n=$("$octavo" call POST "/spaces/$S/change-requests" --dir "$d" --user a@example.com --body '{"subject":"x"}' | jq -r .id)
	"$octavo" call POST "/spaces/$S/change-requests/$c_n/content" --dir "$d" --user a@example.com --body \
		"$(jq -n --arg p "$c_id" --arg m "$2" '{changes:[{operation:"update_page",page:$p,document:{markdown:$m}}]}')" >/dev/null
	"$octavo" call POST "/spaces/$S/change-requests/$c_n/merge" --dir "$d" --user a@example.com --body '{}' >/dev/null
}

# ---- arguments ----

expect 'FROM or --url is needed' 2 'either FROM' "$octavo" import --dir "$d" --org Docs
expect 'FROM and --url exclude each other' 2 'either FROM' "$octavo" import --dir "$d" --org Docs "$tmp/from/mkdocs" --url "$tmp"
expect '--from belongs to FROM' 2 'belongs to FROM' "$octavo" import --dir "$d" --org Docs --title T --url "$tmp" --from mkdocs
expect 'a source that is not there is refused' 2 'No such file' "$octavo" import --dir "$d" --org Docs "$tmp/nowhere"
expect 'an unknown kind names the known ones' 1 'no reader "wordstar"; there are: .*mkdocs' "$octavo" import --dir "$d" --org Docs "$tmp/from/mkdocs" --from wordstar
mkdir "$tmp/empty"
expect 'a folder without pages is refused' 1 'no pages of a kind that is known' "$octavo" import --dir "$d" --org Docs "$tmp/empty"
same 'refused imports make no space' '[]' "$("$octavo" space list --dir "$d" --json)"

# ---- MkDocs ----

import "$tmp/from/mkdocs"
same 'the space has the title of the source' 'My Project' "$(get '' | jq -r .title)"
same 'the nav is the tree, with its titles and order' 'document Welcome to it [readme] = Home
document Guide front [guide] = Guide
 document First Steps! [guide/first] = First steps
 document Deep [guide/deep]
  document Deep [guide/sub/deep]
link Elsewhere [-]
document Orphan [orphan] hidden' "$(tree)"
warned mkdocs.yml 10 '"nope.md", which does not exist'
warned docs/orphan.md 0 'hidden page'
warned docs/index.md 30 'nothing is at "nowhere.md"'
warned docs/guide/index.md 5 'icon "material/book" has no equal'
warned '' 0 '1 files that no page names are left out'
page readme >"$tmp/page"
has 'an admonition is a hint' '{% hint style="warning" %}'
has 'its title stays' '**Careful**'
has 'code in it has its title and numbers' '{% code title="x.py" lineNumbers="true" %}'
has 'tabs are tabs' '{% tab title="Mac" %}'
has 'a folded admonition is an expandable' '<summary>Note</summary>'
has 'an admonition in a list stays in it' '    {% hint style="success" %}'
has 'a link by the address finds its page' '[deep](guide/sub/deep.md)'
has 'a picture with a blank in its name is found' '![pic](<img/a b.png> "T")'
has 'a button is a button' '<a href="guide/first.md" class="button primary">Go</a>'
has 'keys are keys' '<kbd>Ctrl</kbd>+<kbd>C</kbd>'
page guide >"$tmp/page"
has 'a snippet is included' 'Included [first](first.md)'
page guide/first >"$tmp/page"
has 'an id of a heading stays' '## The end {#the-end}'
same 'the picture is a file of the space' 'a b.png' "$(get /content/files | jq -r '.items[].name')"
same 'a page has the time of its file' 2020-02-03T04:05:06.000Z "$(get /content/path/guide/first | jq -r .updatedAt)"
same 'a date of the front matter counts more' 2021-03-04T00:00:00.000Z "$(get /content/path/guide | jq -r .updatedAt)"
same 'description and tags are kept' '["What it is",["alpha","beta-two"]]' "$(get /content/path/guide | jq -c '[.description, ([.tags[]?.tag.tag] | sort)]')"
same 'the old address leads to the page' guide/first "$(get /content/path/old/page | jq -r .path)"

# ---- Docusaurus ----

import "$tmp/from/docusaurus"
same 'title and language come from the settings' '["Docs of D","fr"]' "$(get '' | jq -c '[.title,.language]')"
same 'the sidebar is the tree, with generated parts in the order of positions' 'document Intro [readme] = Short
document Start here [start] = Getting '"'in'"'
 document More [more]
document All [all] = Generated
 document Early [guides/zeta]
 document Deep things [guides/deep]
  document First of deep [guides/deep/first]
  document Page [guides/deep/page]
link Site [-]
document Secret [secret] hidden' "$(tree)"
warned sidebars.js 12 'programs, which an import does not run'
warned sidebars.js 7 'no page with the id "missing-one"'
warned sidebars.js 11 'type "html"'
warned docs/start.mdx 13 'program \(export\)'
warned docs/start.mdx 39 'component <Fancy> has no block'
warned docs/secret.md 0 'no visitor sees'
warned blog 0 'import the folder by itself'
page readme >"$tmp/page"
has 'a container is a hint' '{% hint style="success" %}'
has 'links by file, address and id are resolved' '[start](start.md), [by address](start.md#part), [deep](guides/deep/page.md#an-id)'
has 'a link to another part of the site leads there' '[blog](https://d.example.com/blog/first)'
has 'a picture of static/ and an attribute of JSX' '![static](static/img/a.png) <img src="static/img/a.png" class="wide">'
page start >"$tmp/page"
has 'tabs have the labels of their values' '{% tab title="Linux!" %}'
has 'an imported text is put in, its links too' 'From the part: [intro](README.md).'
has 'what is in an unknown component stays' 'kept **text**'
has 'a remark is a comment' '<!-- a remark -->'
has 'text that looks like a tag stays' 'a < b and List<String>'
same 'tabs are tabs for readers' '["Linux!","Mac"]' "$(get '/content/path/start?format=document' | jq -c '[.. | objects | select(.type? == "tabs-item") | .data.title]')"
same 'an address of the site leads to its page' start "$(get /content/path/manual/start | jq -r .path)"
same 'a redirect of the settings, too' start "$(get /content/path/older | jq -r .path)"

# ---- VitePress, Starlight, mdBook, Hugo, Obsidian ----

import "$tmp/from/vitepress"
same 'VitePress: sidebar and first page' 'document Home [readme]
group Guide [guide]
 document Starting [guide/start] = Start
 link Out [-]' "$(tree)"
page guide/start >"$tmp/page"
has 'a group of code is tabs' '{% tab title="yarn" %}'
has 'details is an expandable' '<summary>Click</summary>'
has 'code of a file is put in' 'const a = 1'
has 'a link of VitePress finds its page' '[home](../README.md)'
same 'its picture of public/ is there' 'p.png' "$(get /content/files | jq -r '.items[].name')"
import "$tmp/from/starlight"
same 'Starlight: sidebar, and the order of what is generated' 'group Guides [guides]
 document Example Guide [guides/example] = Example
 document Other [guides/other]
group Reference [reference]
 document Early [reference/z]
 document Late [reference/a]' "$(tree)"
page guides/example >"$tmp/page"
has 'an aside is a hint' '**Watch**'
has 'a card keeps what it says' '**Boxed**'
has 'links and pictures of Starlight' '[other](other.md) ![h](../src/assets/h.png)'
import "$tmp/from/mdbook"
same 'mdBook: parts, prefix and suffix chapters' 'document Introduction [intro] = Intro
group Part one [part-one]
 document First [part/first]
  document Nested [part/nested]
 document Draft [draft]
document The End [end] = End' "$(tree)"
warned src/SUMMARY.md 9 'draft without a file'
page intro >"$tmp/page"
has 'a link to the built page finds its page, text around an include stays' '[first](part/first.md)'
has 'lines of a file are put in' 'b'
page part/first >"$tmp/page"
has 'a part of a file by its name' 'fn main() {}'
same 'an address of the book leads to its page' part/first "$(get /content/path/part/first.html | jq -r .path)"
printf '# Vault\n\n[[b note]]\n' >"$tmp/empty/a.md"
printf '# B\n\n[[a]] and ![x](y.png)\n' >"$tmp/empty/b note.md"
import "$tmp/empty"
same 'a vault without settings is recognised by its links' '["obsidian",1]' "$(jq -c '[.result.source,.result.unresolvedLinks]' "$tmp/got")"
import "$tmp/from/hugo"
same 'Hugo: order by weight' 'document Home [readme]
document Docs [docs]
 document Cee [docs/c]
 document Bee [docs/b]' "$(tree)"
warned content/docs/_index.md 15 'shortcode "odd" has no block'
page docs >"$tmp/page"
has 'a notice is a hint' '{% hint style="warning" %}'
has 'ref and relref are links' '[b](docs/b.md) [c](docs/c.md#part)'
has 'a figure is a figure' '<img src="static/img/x.png" alt=""><figcaption>Cap</figcaption>'
has 'what is in an unknown shortcode stays' 'kept'
same 'front matter of TOML is read' 'All docs' "$(get /content/path/docs | jq -r .description)"
same 'an alias is a redirect' docs/b "$(get /content/path/old/bee | jq -r .path)"
import "$tmp/from/obsidian"
same 'Obsidian: folders are the tree, names the titles' 'group Folder [folder]
 document Deep note [folder/deep-note]
document Start [start]' "$(tree)"
warned Start.md 1 'nothing is at \[\[Missing\]\]'
page start >"$tmp/page"
has 'a link by name finds its note' '[the deep](<Folder/Deep note.md#a-head>)'
has 'of headings below each other the last is meant' '[below](<Folder/Deep note.md#below-x>)'
has 'a link to a block' '[block](<Folder/Deep note.md#block-1>)'
same 'finds its place' 0 "$(jq '[.warnings[] | select(.message | test("no heading"))] | length' "$tmp/got")"
has 'a picture by name has its width' '<img src="Files/shot.png" alt="" width="200">'
has 'a note that is shown is a card' '{% content-ref url="Folder/Deep note.md" %}'
has 'a callout is a hint, a folded one in it an expandable' '<summary>Fold</summary>'
has 'a remark is a comment, code is code' '<!-- secret remark --> <mark style="color:default;background-color:yellow;">marked</mark> `[[code]]`'

# ---- archives ----

# zip KIND: an archive of the fixture, with its times.
zip() { (cd "$tmp/from/$1" && python3 -m zipfile -c "$tmp/$1.zip" *); }

zip notion
(cd "$tmp" && python3 -m zipfile -c part.zip notion.zip && rm notion.zip)
import "$tmp/part.zip"
same 'Notion: order by the texts, no ids in titles and addresses' 'document Wiki [wiki]
 document Zebra [wiki/zebra]
 document Apple pie [wiki/apple]
 document Tasks [wiki/tasks]
  document First task [wiki/tasks/first-task]' "$(tree)"
same 'what is not in the export is named' '"Wiki/Zebra 1123456789abcdef0123456789abcdef.md:5"' "$(jq -c '.warnings[] | "\(.file):\(.line)"' "$tmp/got")"
page wiki >"$tmp/page"
has 'links of Notion are resolved by id' '[Zebra](wiki/zebra.md)'
has 'a link to a database leads to its page' '[Tasks](wiki/tasks.md)'
has 'an address of the service, too' '[in the service](wiki/apple.md)'
has 'an aside is a hint' '{% hint style="info" %}'
has 'a picture is there' '![pic](<Wiki/pic 1.png>)'
page wiki/tasks >"$tmp/page"
has 'a database is a table whose rows lead to their pages' '| [First task](tasks/first-task.md) | Done | a, "b"<br>c \| d |'
page wiki/tasks/first-task >"$tmp/page"
has 'properties of a row are a list' '* **Owner**: Ada'

zip bookstack
import "$tmp/bookstack.zip"
same 'BookStack: chapters and pages in their order' 'document The Book [readme]
document First page [first-page]
document In Markdown [in-markdown]
document Second chapter [second-chapter]
 document In chapter [second-chapter/in-chapter]' "$(tree)"
warned 'First page' 0 '"Lost" \(lost.bin\) is not in the archive'
warned 'In chapter' 0 'bsexport:page:99'
page first-page >"$tmp/page"
has 'HTML is Markdown' '| a   | b<br>c |'
has 'code has its language' '```php'
has 'an id that a link names stays' '## A head <a href="#bkmrk-head" id="bkmrk-head"></a>'
has 'a picture has its width, and its name' '<img src="files/A picture.png" alt="al" width="300">'
has 'an attachment is found by its id' '[the file](<files/A file.bin>)'
has 'attachments follow the text' '* [A file](<files/A file.bin>)'
page second-chapter/in-chapter >"$tmp/page"
has 'references are links' 'See [the page](../first-page.md#bkmrk-head), [book](../README.md)'
has 'a callout is a hint, and text is text' 'Mind **this** \{% hint %}'
same 'tags are kept' '["team-docs"]' "$(get /content/path/readme | jq -c '[.tags[]?.tag.tag]')"

zip outline
import "$tmp/outline.zip"
same 'Outline: documents below documents' 'group Handbook [handbook]
 document Start [handbook/start]
  document Deeper [handbook/start/deeper]' "$(tree)"
page handbook/start >"$tmp/page"
has 'links by file and by address of the application' '[child](Start/Deeper.md) [app](Start/Deeper.md)'
has 'a size is a width' 'alt="shot" width="300">'
same 'nothing is missing' 0 "$(jq .result.warnings "$tmp/got")"

zip confluence
import "$tmp/confluence.zip"
same 'Confluence: the tree of the index' 'document Team Space [team-space]
 document Zeta & more [team-space/zeta-and-more]
  document Below [team-space/zeta-and-more/below]
 document Alpha [team-space/alpha]
  document It'\''s here [team-space/alpha/its-here]
document Lost [lost_65604] hidden' "$(tree)"
same 'its title is that of the space' 'Team Space' "$(get '' | jq -r .title)"
warned index.html 8 'names "gone_1.html"'
warned Team-Space_65600.html 6 'nothing is at "Nowhere_9.html"'
page team-space >"$tmp/page"
has 'links by file and by id of the page' '[Zeta](team-space/zeta-and-more.md#ZetaHead) [cloud](team-space/alpha.md) [old](team-space/zeta-and-more/below.md)'
page team-space/alpha >"$tmp/page"
has 'a link to an anchor finds it' '[to the spot](#Spot)'
has 'which stays' 'A <a id="Spot"></a>spot'
has 'links to the service and to the space lead there' '[Ann](https://team.example/wiki/people/42) [home](../team-space.md)'
same 'a folder is an empty page' '' "$(page team-space/alpha/its-here | sed '/^#/d' | grep .)"
page team-space/zeta-and-more >"$tmp/page"
has 'a code macro is code with its title' '{% code title="a.java" %}'
has 'a note is a hint' '**Heads up**'
has 'expand is an expandable' '<summary>More of it</summary>'
has 'tasks are tasks' '* [x] done'
has 'a picture is shown' '![](../attachments/65601/2.png)'
has 'an attachment that only the list names is there, by its name' '* [Plan.pdf](<../attachments/Plan.pdf>)'
has 'pictures of emoji are characters' '😀 ✅ ❌'
same 'time and author are kept' '["2021-03-04T00:00:00.000Z","zeta-and-more"]' "$(get /content/path/65601.html | jq -c '[.updatedAt,.slug]')"

# Hostile names one by one; the rest goes on.
python3 - "$tmp" <<'PY'
import sys, io, zipfile, tarfile
d = sys.argv[1]
z = zipfile.ZipFile(d + '/bad.zip', 'w', zipfile.ZIP_DEFLATED)
for n in ['../up.md', '/root.md', 'a/../../up.md', 'C:/x.md', 'tab\there.md', 'ok/page.md', 'win\\page.md', '__MACOSX/ok/page.md']:
    z.writestr(n, '# Page\n')
link = zipfile.ZipInfo('ok/link.md'); link.create_system = 3; link.external_attr = 0o120777 << 16
z.writestr(link, '/etc/passwd')
with z.open('ok/large.bin', 'w', force_zip64=True) as f:
    f.write(bytes(1 << 20) + b'x')
z.close()
t = tarfile.open(d + '/bad.tar.gz', 'w:gz')
def add(name, text=None, type=None, to=''):
    i = tarfile.TarInfo(name)
    if type: i.type, i.linkname = type, to
    b = (text or '').encode(); i.size = len(b); i.mtime = 1600000000
    t.addfile(i, io.BytesIO(b))
add('top/README.md', '# First\n')
add('top/s.md', type=tarfile.SYMTYPE, to='/etc/passwd'); add('top/h.md', type=tarfile.LNKTYPE, to='top/README.md')
add('top/f', type=tarfile.FIFOTYPE)
t.close()
b = zipfile.ZipFile(d + '/bomb.zip', 'w', zipfile.ZIP_DEFLATED)
for i in range(3): b.writestr('b%d.bin' % i, bytes(90 << 20))
b.writestr('page.md', '# Here\n')
b.close()
open(d + '/none.zip', 'wb').write(b'PK\3\4 nothing')
p = zipfile.ZipFile(d + '/parts.zip', 'w')
n = io.BytesIO()
with zipfile.ZipFile(n, 'w') as z:
    z.writestr('node_modules/x.md', '# No\n'); z.writestr('a/.git/x.md', '# No\n')
    z.writestr('my_node_modules/page.md', '# Mine\n')
p.writestr('part.zip', n.getvalue()); p.writestr('broken.zip', b'PK\3\4 nothing'); p.writestr('../up.md', '# Up\n')
p.close()
with tarfile.open(d + '/plain.tar', 'w') as t:
    for i in range(10010): t.addfile(tarfile.TarInfo('../%d' % i))
    add('page.md', '# Page\n')
import base64
open(d + '/coded.tar', 'wb').write(b'begin-base64 644 x\n' + base64.encodebytes(open(d + '/plain.tar', 'rb').read()) + b'====\n')
PY
OCTAVO_IMPORT_FILE_BYTES=1048576 import "$tmp/bad.zip"
same 'what is good of a hostile archive arrives' 2 "$(jq .result.pages "$tmp/got")"
warned ../up.md 0 'leads out of the archive'
warned /root.md 0 'its path is absolute'
warned a/../../up.md 0 'leads out of the archive'
warned C:/x.md 0 'its path is absolute'
warned 'tab?here.md' 0 'control character'
warned ok/link.md 0 'links are not followed'
warned ok/large.bin 0 'larger than an import takes'
import "$tmp/bad.tar.gz"
warned top/s.md 0 'links are not followed'
warned top/h.md 0 'links are not followed'
warned top/f 0 'neither a file nor a folder'
same 'an archive of one folder begins in it, and has its name' '["Top","2020-09-13T12:26:40.000Z"]' \
	"$(echo "[$(get '' | jq .title),$(get /content/path/readme | jq .updatedAt)]")"
import "$tmp/bomb.zip"
warned b2.bin 0 'far more than its own size'
same 'and what follows a bomb arrives' 1 "$(jq .result.pages "$tmp/got")"
import "$tmp/parts.zip"
same 'parts of an export arrive, but for what no import takes' '["Mine"]' "$(get /content | jq -c '[.. | objects | select(.type? == "document") | .title]')"
warned ../up.md 0 'leads out of the archive'
warned broken.zip 0 'no zip archive'
import "$tmp/plain.tar"
same 'the number of lines about what is left out is bounded' '[1,10001]' "$(jq -c '[.result.pages, .result.warnings]' "$tmp/got")"
expect 'other encodings than compressions are not read' 1 'cannot be unpacked' "$octavo" import --dir "$d" --org Docs "$tmp/coded.tar"
expect 'what is no archive is refused' 1 'cannot be unpacked: .*(zip|damaged|Truncated)' "$octavo" import --dir "$d" --org Docs "$tmp/none.zip"
same 'nothing is left of the scratch folders' '' "$(ls "$d/cache/arrive")"

# ---- again ----

import "$tmp/from/mkdocs"
import "$tmp/from/mkdocs" --space "$S"
same 'a second import of the same changes nothing' '[false,"unchanged"]' "$(jq -c '[.result.changed, .result.skipped]' "$tmp/got")"
id=$(get /content/path/guide/first | jq -r .id)
change guide/sub/deep 'Edited here.'
printf '# Orphan\n\nText from there.\n' >"$tmp/from/mkdocs/docs/orphan.md"
mv "$tmp/from/mkdocs/docs/guide/first.md" "$tmp/from/mkdocs/docs/guide/begin.md"
sed -i 's,guide/first.md,guide/begin.md,' "$tmp/from/mkdocs/mkdocs.yml"
import "$tmp/from/mkdocs" --space "$S"
page guide/sub/deep >"$tmp/page"
has 'what was edited here alone stays' 'Edited here.'
page orphan >"$tmp/page"
has 'what was edited there alone is taken' 'Text from there.'
same 'a page whose file moved keeps its id' "$id" "$(get /content/path/guide/begin | jq -r .id)"
same 'there is nothing to decide' null "$(jq -c .result.changeRequest "$tmp/got")"
change orphan 'Mine.'
printf '# Orphan\n\nTheirs.\n' >"$tmp/from/mkdocs/docs/orphan.md"
import "$tmp/from/mkdocs" --space "$S"
page orphan >"$tmp/page"
has 'where both edited, the version here stays' 'Mine.'
request=$(jq -r .result.changeRequest "$tmp/got")
same 'and theirs is a change request' 'Theirs.' \
	"$("$octavo" call GET "/spaces/$S/change-requests/$request/content/path/orphan?format=markdown" --dir "$d" --user a@example.com | jq -r .markdown | sed '/^$/d' | tail -1)"

# ---- a report is bounded, whatever a source names in each line ----
mkdir -p "$tmp/large/docs"
echo 'module.exports = {title: "Large"}' >"$tmp/large/docusaurus.config.js"
echo '# A' >"$tmp/large/docs/a.md"
awk 'BEGIN {
	x = sprintf("%100000s", ""); gsub(/ /, "x", x)
	printf "const a=\"%s\"; const t=[", x
	for (i = 0; i < 3000; i++) printf "a,`${a}`,"
	print "]; module.exports={docs:[{type:\"category\",label:\"L\",items:t},\"a\"]}" }' >"$tmp/large/sidebars.js"
import "$tmp/large"
same 'each missing page has a line, but of templates only the first ones' 3042 "$(jq '[.warnings[] | select(.file == "sidebars.js")] | length' "$tmp/got")"
same 'a long name is cut' true "$(jq '[.warnings[].message | length] | max < 1100' "$tmp/got")"

summary
