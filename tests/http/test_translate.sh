#!/bin/sh
# Translations from one end to the other, with engines of the test's own: a command that
# puts everything into capitals and writes down what it was asked, commands that fail, a
# service that speaks as LibreTranslate does; and Apertium, where it is installed.
set -u
TRANSPORT=http
. tests/http/lib.sh
service_js=''
stop() { [ -z "$service_js" ] || kill "$service_js" 2>/dev/null; finish; }
at_exit stop

# ---- engines ----
mkdir "$tmp/bin"
cat >"$tmp/bin/capitals" <<END
#!/bin/sh
tee -a "$tmp/asked" | sed 's/\(.*\)/\U\1/'
END
cat >"$tmp/bin/broken" <<END
#!/bin/sh
[ -e "$tmp/mended" ] || exit 3
exec "$tmp/bin/capitals"
END
cat >"$tmp/bin/garbage" <<'END'
#!/bin/sh
cat >/dev/null
END
cat >"$tmp/bin/marks" <<'END'
#!/bin/sh
sed '/^./s/$/ {% hint %} [x](y)/'
END
cat >"$tmp/bin/noise" <<'END'
#!/bin/sh
tr '[:alpha:]' '\003'
END
# One text is too much for it, until it is mended.
cat >"$tmp/bin/choosy" <<END
#!/bin/sh
tee -a "$tmp/chosen" | if [ -e "$tmp/mended" ]; then cat; else sed 's/^one item.*/\x03/'; fi | sed 's/\(.*\)/\U\1/'
END
chmod +x "$tmp/bin/noise" "$tmp/bin/choosy" "$tmp/bin/capitals" "$tmp/bin/broken" "$tmp/bin/garbage" "$tmp/bin/marks"
cat >"$tmp/service.js" <<'END'
const fs = require('fs');
const server = require('http').createServer((q, s) => {
	let body = '';
	q.on('data', (d) => { body += d; }).on('end', () => {
		const { q: texts, source, target, api_key, instructions } = JSON.parse(body);
		fs.appendFileSync(process.argv[2], JSON.stringify({ url: q.url, n: texts.length, source, target, api_key, instructions }) + '\n');
		if (q.url.startsWith('/away')) { s.writeHead(307, { location: `http://127.0.0.1:${server.address().port}/translate` }); s.end(); return; }
		s.setHeader('content-type', 'application/json');
		s.end(JSON.stringify({ translatedText: texts.map((t) => `<${t}>`) }));
	});
}).listen(0, '127.0.0.1', () => console.log(server.address().port));
END
node "$tmp/service.js" "$tmp/service.log" >"$tmp/service.port" &
service_js=$!
left=50
while [ ! -s "$tmp/service.port" ] && [ $left -gt 0 ]; do left=$((left - 1)); sleep 0.1; done
service=http://127.0.0.1:$(cat "$tmp/service.port")

# ---- a repository to translate ----
fixture_people
repo=$tmp/manual
mkdir -p "$repo/guide"
git init -q -b main "$repo"
cat >"$repo/SUMMARY.md" <<'END'
# Table of contents

* [Manual](README.md)

## Guides

* [First steps](guide/steps.md)
* [Second steps](guide/second.md)
END
cat >"$repo/README.md" <<'END'
---
description: How to install the server
icon: book
---

# Manual

Read the [first steps](guide/steps.md#install-it) **before** you run `make install`.

{% hint style="info" %}
Keep a backup.
{% endhint %}

```sh
make install # keep this
```

| Name | Meaning |
| ---- | ------- |
| port | the number |

<details>

<summary>More</summary>

Hidden words for {{user}} at https://example.com/a.

</details>
END
cat >"$repo/guide/steps.md" <<'END'
# First steps

First paragraph.

## Install it

Second paragraph, with a red house.

* one item
* another item

Last paragraph.
END
printf '# Second steps\n\nFirst paragraph.\n\n![A picture](../.gitbook/assets/x.png)\n' >"$repo/guide/second.md"
git -C "$repo" add -A
git -C "$repo" -c user.name=t -c user.email=t@example.com commit -qm manual
SPACE=$(octavo_json .result.space import --org "$ORG" --title Manual --url "$repo")

OCTAVO_DIR=$dir OCTAVO_SELFCHECK=1 OCTAVO_ACCESS_LOG=$dir/log/requests.log OCTAVO_TRANSLATE_SECONDS=30 OCTAVO_TRANSLATE_KEY=sesame
OCTAVO_TRANSLATE_EN_FR=$tmp/bin/capitals OCTAVO_TRANSLATE_EN_IT=$tmp/bin/broken OCTAVO_TRANSLATE_EN_DE=$tmp/bin/garbage
OCTAVO_TRANSLATE_EN_PT_BR=$service OCTAVO_TRANSLATE_EN_NL=$service/away OCTAVO_TRANSLATE_EN_SV=$tmp/bin/marks
OCTAVO_TRANSLATE_EN_PL=$tmp/bin/noise OCTAVO_TRANSLATE_EN_DA=$tmp/bin/choosy OCTAVO_TRANSLATE_EN_UK='sleep 60; cat'
export OCTAVO_DIR OCTAVO_SELFCHECK OCTAVO_ACCESS_LOG OCTAVO_TRANSLATE_SECONDS OCTAVO_TRANSLATE_KEY OCTAVO_TRANSLATE_EN_FR \
	OCTAVO_TRANSLATE_EN_IT OCTAVO_TRANSLATE_EN_DE OCTAVO_TRANSLATE_EN_PT_BR OCTAVO_TRANSLATE_EN_NL OCTAVO_TRANSLATE_EN_SV OCTAVO_TRANSLATE_EN_PL \
	OCTAVO_TRANSLATE_EN_DA OCTAVO_TRANSLATE_EN_UK
service_start
T=/v1/orgs/$ORG/translations

# ---- made, seen ----
new() { printf '{"source":{"space":"%s","language":"en"},"language":"%s"}' "${2:-$SPACE}" "$1"; }
t 'none yet' GET $T read '' 200 '.count == 0 and .items == []'
t 'one' POST $T create "$(new fr)" 201 '.status == "pending" and .stats.runs == 0 and .automatic and (has("result") | not) and .instructions.object == "document"'
FR=$T/$(jq -r .id "$out")
t 'once only' POST $T create "$(new fr)" 409 ''
t 'into its own language' POST $T create "$(new en)" 400 '.fields[0].path == "/language"'
t 'no such language' POST $T create "$(new xx)" 400 '.fields[0].path == "/language"'
t 'no such space' POST $T create "$(new it nothing)" 404 ''
t 'not by readers' POST $T read "$(new it)" 403 ''
t 'nothing ran' GET $FR read '' 200 '.status == "pending" and .permissions == {view: true, edit: false}'
t 'of nobody else' GET $FR other '' 404 ''
t 'readers run nothing' POST $FR/run read '' 403 ''
t 'no such translation' POST $T/nothing/run create '' 404 ''

# settle PATH: waits until it does not run
settle() {
	left=600
	while get "$1" create && [ "$(jq -r .status "$out")" = running ] && [ $left -gt 0 ]; do
		left=$((left - 1))
		sleep 0.1
	done
}
run() { t "run ${1##*/}" POST "$1/run" create '' 204 ''; settle "$1"; }

# ---- the first run ----
run $FR
t 'complete' GET $FR read '' 200 '.status == "completed" and (has("error") | not) and .warnings == [] and .stats.runs == 1 and .stats.totalPages == 4 and .stats.latestPages == 4 and .stats.latestWords > 30'
RESULT=$(jq -r .result.space "$out") REVISION=$(jq -r .result.revision "$out")
t 'the result' GET /v1/spaces/$RESULT read '' 200 '.title == "Manual (fr)" and .language == "fr" and .revision == "'$REVISION'"'
C=/v1/spaces/$RESULT/content
get /v1/spaces/$SPACE/content/pages read
jq -c '[.. | objects | select(has("slug")) | [.id, .type, .slug, .path]]' "$out" >"$tmp/shape"
README=$(jq -r .pages[0].id "$out")
STEPS=$(jq -r '[.. | objects | select(.slug? == "steps")][0].id' "$out")
t 'the tree' GET $C/pages read '' 200 '[.. | objects | select(has("slug")) | [.id, .type, .slug, .path]] == '"$(cat "$tmp/shape")"' and ([.. | objects | select(has("slug")) | .title] == ["MANUAL", "GUIDES", "FIRST STEPS", "SECOND STEPS"])'
t 'a page' GET "$C/page/$README?format=markdown" read '' 200 '.description == "HOW TO INSTALL THE SERVER" and .icon == "book"'
jq -r .markdown "$out" >"$tmp/page"
for line in 'READ THE [FIRST STEPS](guide/steps.md#install-it) **BEFORE** YOU RUN `make install`.' '{% hint style="info" %}' 'KEEP A BACKUP.' \
	'make install # keep this' '<summary>MORE</summary>' 'HIDDEN WORDS FOR {{user}} AT https://example.com/a.'; do
	yes "line: $line" grep -qxF "$line" "$tmp/page"
done
yes 'cells' grep -q '| PORT *| THE NUMBER *|' "$tmp/page"
t 'links lead to what they led to' GET "/v1/spaces/$RESULT/links?status=broken" read '' 200 '[.items[].locationReferences[].spelling] == ["../.gitbook/assets/x.png"]'
same 'no text is asked twice' "$(grep -c . "$tmp/asked")" "$(grep . "$tmp/asked" | sort -u | wc -l)"

# ---- nothing changed ----
: >"$tmp/asked"
run $FR
t 'the same revision' GET $FR read '' 200 '.result.revision == "'$REVISION'" and .stats.runs == 2 and .stats.latestPages == 0 and .stats.latestWords == 0'
yes 'nothing asked' test ! -s "$tmp/asked"

# ---- corrected here, changed there ----
# edit SPACE PAGE MARKDOWN: by a change request, merged
edit() {
	send POST "/v1/spaces/$1/change-requests" edit '{"subject":"Edit"}'
	e_cr=/v1/spaces/$1/change-requests/$(jq -r .id "$out")
	jq -n --arg page "$2" --arg text "$3" '{changes: [{operation: "update_page", page: $page, document: {markdown: $text}}]}' >"$tmp/edit"
	send POST "$e_cr/content" edit "@$tmp/edit"
	same "edit $1" 200 "$code"
	t 'merged' POST $e_cr/merge admin '' 200 '.result == "merge"'
}
page_text() { get "/v1/spaces/$1/content/page/$2?format=markdown" read; jq -r .markdown "$out" | sed 1,2d; }
page_text $RESULT $STEPS >"$tmp/page"
edit $RESULT $STEPS "$(sed 's/FIRST PARAGRAPH/Le premier paragraphe/; s/LAST PARAGRAPH/Le dernier paragraphe/' "$tmp/page")"
page_text $SPACE $STEPS >"$tmp/page"
edit $SPACE $STEPS "$(sed 's/Second paragraph/Changed paragraph/; s/Last paragraph/Final paragraph/' "$tmp/page")"
settle $FR
t 'ran by itself' GET $FR read '' 200 '.stats.runs == 3 and .stats.latestPages == 1 and .result.revision != "'$REVISION'" and (.warnings | length) == 1 and .warnings[0].page == "'$STEPS'" and (.warnings[0].message | contains("Le dernier paragraphe"))'
page_text $RESULT $STEPS >"$tmp/page"
yes 'the correction stands' grep -qx 'Le premier paragraphe.' "$tmp/page"
yes 'also where the source has changed' grep -qx 'Le dernier paragraphe.' "$tmp/page"
yes 'the change is there' grep -qx 'CHANGED PARAGRAPH, WITH A RED HOUSE.' "$tmp/page"
same 'only that was asked' 2 "$(grep -c . "$tmp/asked")"
run $FR
t 'and stays' GET $FR read '' 200 '.stats.runs == 4 and (.warnings | length) == 1'
"$octavo" translations run --dir "$dir" "${FR##*/}" >"$tmp/cli" 2>&1
yes 'what to look at' grep -q 'a correction is kept; its source has changed' "$tmp/cli"

# ---- the glossary ----
G=/v1/orgs/$ORG/translations-glossary
t 'no terms' GET $G read '' 200 '.count == 0'
t 'a term' PUT $G create '{"operations":[{"type":"insert","translations":{"en":"red house","fr":"maison rouge"}}]}' 204 ''
t 'no such language' PUT $G create '{"operations":[{"type":"insert","translations":{"xx":"a"}}]}' 400 '.fields[0].path == "/operations/0/translations/xx"'
t 'no such entry, and nothing else' PUT $G create '{"operations":[{"type":"insert","translations":{"en":"a"}},{"type":"update","id":"nothing","translations":{"en":"b"}}]}' 404 ''
t 'not by readers' PUT $G read '{"operations":[]}' 403 ''
t 'it is there' GET $G read '' 200 '.count == 1 and .items[0].translations == {en: "red house", fr: "maison rouge"}'
t 'alone' GET "$G/$(jq -r .items[0].id "$out")" read '' 200 '.object == "glossary-entry"'
t 'none' GET $G/nothing read '' 404 ''
run $FR
page_text $RESULT $STEPS >"$tmp/page"
yes 'the term' grep -qx 'CHANGED PARAGRAPH, WITH A maison rouge.' "$tmp/page"

# ---- when asked alone ----
t 'when asked alone' PUT $FR create '{"automatic":false}' 200 '.automatic == false'
t 'nothing' PUT $FR create '{}' 400 ''
page_text $SPACE $STEPS >"$tmp/page"
edit $SPACE $STEPS "$(sed 's/another item/one more item/' "$tmp/page")"
t 'does not run by itself' GET $FR read '' 200 '.status == "completed" and .stats.runs == 6'

# ---- by the command ----
same 'in the list' "${FR##*/} en to fr completed null" "$("$octavo" translations list --dir "$dir" --org "$ORG" --json |
	jq -r '.[] | "\(.id) \(.languages) \(.status) \(.automatic)"')"
same 'run by it' "${FR##*/} done 1 null" "$("$octavo" translations run --dir "$dir" --json "${FR##*/}" 2>"$tmp/cli" | jq -r '.[] | "\(.id) \(.state) \(.pages | numbers) \(.warnings)"')"
t 'has run' GET $FR read '' 200 '.stats.runs == 7 and .stats.latestPages == 1'
"$octavo" translations run --dir "$dir" nothing --json >"$tmp/cli" 2>&1 && fail 'no such translation to run' "$(cat "$tmp/cli")"
yes 'which is told' grep -q 'there is no such translation' "$tmp/cli"

# ---- engines that fail ----
t 'none for the pair' POST $T create "$(new ja)" 201 ''
run $T/$(jq -r .id "$out")
t 'says how to set one up' GET "$T?limit=1" read '' 200 '.items[0] | .status == "pending" and (has("result") | not) and (.error | contains("OCTAVO_TRANSLATE_EN_JA"))'
t 'one that fails' POST $T create "$(new it)" 201 ''
IT=$T/$(jq -r .id "$out")
run $IT
t 'says why' GET $IT read '' 200 '.status == "pending" and (.error | contains("status 3"))'
"$octavo" translations run --dir "$dir" --all --org "$ORG" >"$tmp/cli" 2>&1 && fail 'all of them' 'ends with status 0'
yes 'so does the command' grep -q "^${IT##*/} *failed .*status 3" "$tmp/cli"
yes 'and goes on with the others' grep -q "^${FR##*/} *done" "$tmp/cli"
touch "$tmp/mended"
run $IT
t 'mended' GET $IT read '' 200 '.status == "completed" and (has("error") | not) and .stats.runs == 1'
rm "$tmp/mended"
run $IT
t 'nothing to ask it' GET $IT read '' 200 '.stats.runs == 2 and (has("error") | not)'
t 'one that answers something else' POST $T create "$(new de)" 201 ''
DE=$T/$(jq -r .id "$out")
run $DE
t 'is given up' GET $DE read '' 200 '.status == "pending" and (.error | contains("other many texts"))'
t 'one that answers noise' POST $T create "$(new pl)" 201 ''
PL=$T/$(jq -r .id "$out")
run $PL
t 'has translated nothing' GET $PL read '' 200 '.status == "pending" and (.error | contains("no usable answer to any of"))'
t 'one that cannot do one text' POST $T create "$(new da)" 201 ''
DA=$T/$(jq -r .id "$out")
run $DA
t 'which is told' GET $DA read '' 200 '.status == "completed" and [.warnings[].message] == ["not translated, the engine gave no usable answer: one item"]'
page_text "$(jq -r .result.space "$out")" $STEPS >"$tmp/page"
yes 'and stays as it was' grep -q '^[*-] *one item$' "$tmp/page"
touch "$tmp/mended"
: >"$tmp/chosen"
run $DA
rm "$tmp/mended"
t 'is asked again' GET $DA read '' 200 '.warnings == [] and .stats.latestPages == 1'
same 'for that text alone' 'one item' "$(cat "$tmp/chosen")"
run $DA
t 'and then no more' GET $DA read '' 200 '.warnings == [] and .stats.latestPages == 0 and .stats.runs == 3'
t 'one that answers marks' POST $T create "$(new sv)" 201 ''
SV=$T/$(jq -r .id "$out")
run $SV
get $SV read
t 'its marks are text' GET "/v1/spaces/$(jq -r .result.space "$out")/links" read '' 200 '([.items[].locationReferences[].spelling] | index("y")) == null'

# ---- a run that somebody ends ----
t 'a slow one' POST $T create "$(new uk)" 201 ''
UK=$T/$(jq -r .id "$out")
t 'runs' POST $UK/run create '' 204 ''
slow=$("$octavo" jobs --dir "$dir" --json | jq -r '[.[] | select(.kind == "translate")][0].id')
job_state() { "$octavo" jobs --dir "$dir" --json | jq -r '.[] | select(.id == "'$slow'").state'; }
left=600
until [ "$(job_state)" != queued ] || [ $left = 0 ]; do left=$((left - 1)); sleep 0.05; done
"$octavo" jobs --dir "$dir" --cancel "$slow" >"$tmp/cli" 2>&1 || fail 'cancelled' "$(cat "$tmp/cli")"
settle $UK
t 'ended' GET $UK read '' 200 '.status == "pending" and .error == "cancelled" and (has("result") | not)'
same 'as its job says' cancelled "$(job_state)"

# ---- a service ----
t 'a service' POST $T create '{"source":{"space":"'$SPACE'","language":"en"},"language":"pt-br","instructions":{"object":"document","data":{},"nodes":[{"object":"block","type":"paragraph","nodes":[{"object":"text","leaves":[{"object":"leaf","text":"Be formal.","marks":[]}]}]}]}}' 201 ''
PT=$T/$(jq -r .id "$out")
run $PT
t 'translates' GET $PT read '' 200 '.status == "completed" and (has("error") | not)'
t 'its title' GET "/v1/spaces/$(jq -r .result.space "$out")/content/page/$STEPS" read '' 200 '.title == "<First steps>"'
yes 'what it got' grep -q '"url":"/translate","n":[0-9]*,"source":"en","target":"pt-br","api_key":"sesame","instructions":"Be formal' "$tmp/service.log"
t 'one that redirects to this machine' POST $T create "$(new nl)" 201 ''
NL=$T/$(jq -r .id "$out")
run $NL
t 'is not followed' GET $NL read '' 200 '.status == "pending" and (.error | contains("not a public one"))'

# ---- ends ----
t 'the result is deleted' DELETE /v1/spaces/$RESULT admin '' 204 ''
run $FR
t 'which is told' GET $FR read '' 200 '.status == "completed" and (.error | contains("is deleted"))'
t 'restored' POST /v1/spaces/$RESULT/restore admin '' 200 ''
run $FR
t 'it goes on' GET $FR read '' 200 '.status == "completed" and (has("error") | not) and .stats.runs == 9'

# ---- rules that ask for a review ----
revision_of() { get "/v1/spaces/$1" admin; jq -r .revision "$out"; }
waiting() { get "/v1/spaces/$RESULT/change-requests?status=open" admin; jq -r "$1" "$out"; }
rules() { t "rules: $1" PATCH "/v1/spaces/$RESULT" admin '{"mergeRules":'"$1"'}' 200 ''; }
rules '{"type":"rules","rules":[{"rule":"require_at_least_one_approved_review"}]}'
page_text $SPACE $STEPS >"$tmp/page"
edit $SPACE $STEPS "$(sed 's/one more item/a guarded item/' "$tmp/page")"
kept=$(revision_of $RESULT)
run $FR
t 'it ran' GET $FR read '' 200 '.status == "completed" and (has("error") | not)'
same 'primary content stays as it was' "$kept" "$(revision_of $RESULT)"
same 'what it made waits' '1 Translation into fr' "$(waiting '"\(.items | length) \(.items[0].subject)"')"
guarded=/v1/spaces/$RESULT/change-requests/$(waiting '.items[0].id')
t 'in a change request' GET "$guarded/content/page/$STEPS?format=markdown" admin '' 200 '.markdown | contains("GUARDED ITEM") and contains("Le premier paragraphe.")'
page_text $SPACE $STEPS >"$tmp/page"
edit $SPACE $STEPS "$(sed 's/a guarded item/an item again/' "$tmp/page")"
run $FR
t 'the next run names it' GET $FR read '' 200 '.error | contains("change request ") and contains("waits for you")'
same 'and makes no second' 1 "$(waiting '.items | length')"
rules '{"type":"none"}'
t 'it is merged' POST $guarded/merge admin '' 200 ''
page_text $RESULT $STEPS >"$tmp/page"
yes 'what waited is there' grep -q 'GUARDED ITEM' "$tmp/page"
yes 'with the correction' grep -qx 'Le premier paragraphe.' "$tmp/page"
run $FR
page_text $RESULT $STEPS >"$tmp/page"
yes 'without rules a run writes as before' grep -q 'AN ITEM AGAIN' "$tmp/page"
yes 'and keeps the correction' grep -qx 'Le premier paragraphe.' "$tmp/page"
t 'deleted' DELETE $FR create '' 204 ''
t 'again' DELETE $FR create '' 204 ''
t 'gone' GET $FR create '' 404 ''
t 'its result stays' GET /v1/spaces/$RESULT read '' 200 ''

# ---- Apertium ----
if command -v apertium >/dev/null && [ -e /usr/share/apertium/modes/eng-spa.mode ]; then
	t 'Apertium' POST $T create "$(new es)" 201 ''
	ES=$T/$(jq -r .id "$out")
	run $ES
	t 'translates' GET $ES read '' 200 '.status == "completed" and (has("error") | not) and .warnings == []'
	page_text "$(jq -r .result.space "$out")" $STEPS >"$tmp/page"
	yes 'a sentence' grep -q 'una casa roja' "$tmp/page"
	yes 'an anchor' grep -q '^## .*id="install-it"' "$tmp/page"
else
	skip 'Apertium' 'apertium-eng-spa is not installed'
fi
yes 'octavo check' "$octavo" check --dir "$dir" >"$tmp/check"
summary
