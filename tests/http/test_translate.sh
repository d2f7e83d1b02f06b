#!/bin/sh
# Translations from end to end, with test engines: a command that writes everything in capitals and
# logs its input, commands that fail, a service with LibreTranslate's interface; and Apertium, if it
# is installed.
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
# Fails for one text, until it is repaired.
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

OCTAVO_DIR=$dir OCTAVO_SELFCHECK=1 OCTAVO_ACCESS_LOG=$dir/log/requests.log OCTAVO_TRANSLATE_SECONDS=10 OCTAVO_TRANSLATE_KEY=sesame
OCTAVO_TRANSLATE_EN_FR=$tmp/bin/capitals OCTAVO_TRANSLATE_EN_IT=$tmp/bin/broken OCTAVO_TRANSLATE_EN_DE=$tmp/bin/garbage
OCTAVO_TRANSLATE_EN_PT_BR=$service OCTAVO_TRANSLATE_EN_NL=$service/away OCTAVO_TRANSLATE_EN_SV=$tmp/bin/marks
OCTAVO_TRANSLATE_EN_PL=$tmp/bin/noise OCTAVO_TRANSLATE_EN_DA=$tmp/bin/choosy OCTAVO_TRANSLATE_EN_UK='sleep 60; cat'
export OCTAVO_DIR OCTAVO_SELFCHECK OCTAVO_ACCESS_LOG OCTAVO_TRANSLATE_SECONDS OCTAVO_TRANSLATE_KEY OCTAVO_TRANSLATE_EN_FR \
	OCTAVO_TRANSLATE_EN_IT OCTAVO_TRANSLATE_EN_DE OCTAVO_TRANSLATE_EN_PT_BR OCTAVO_TRANSLATE_EN_NL OCTAVO_TRANSLATE_EN_SV OCTAVO_TRANSLATE_EN_PL \
	OCTAVO_TRANSLATE_EN_DA OCTAVO_TRANSLATE_EN_UK
service_start
T=/v1/orgs/$ORG/translations

# ---- created and shown ----
new() { printf '{"source":{"space":"%s","language":"en"},"language":"%s"}' "${2:-$SPACE}" "$1"; }
t 'an organization has no translations at first' GET $T read '' 200 '.count == 0 and .items == []'
t 'a translation is created' POST $T create "$(new fr)" 201 '.status == "pending" and .stats.runs == 0 and .automatic and (has("result") | not) and .instructions.object == "document"'
FR=$T/$(jq -r .id "$out")
t 'a second translation into the language is refused' POST $T create "$(new fr)" 409 ''
t 'a translation into the source language is refused' POST $T create "$(new en)" 400 '.fields[0].path == "/language"'
t 'an unknown language is refused' POST $T create "$(new xx)" 400 '.fields[0].path == "/language"'
t 'an unknown space answers 404' POST $T create "$(new it nothing)" 404 ''
t 'a reader creates no translation' POST $T read "$(new it)" 403 ''
t 'a new translation is pending' GET $FR read '' 200 '.status == "pending" and .permissions == {view: true, edit: false}'
t 'another organization gets 404 for a translation' GET $FR other '' 404 ''
t 'a reader runs no translation' POST $FR/run read '' 403 ''
t 'an unknown translation answers 404' POST $T/nothing/run create '' 404 ''

# settle PATH: waits until the translation is not running
settle() {
	left=600
	while get "$1" create && [ "$(jq -r .status "$out")" = running ] && [ $left -gt 0 ]; do
		left=$((left - 1))
		sleep 0.1
	done
}
run() { t "the translation is run: ${1##*/}" POST "$1/run" create '' 204 ''; settle "$1"; }

# ---- the first run ----
run $FR
t 'a run translates every page' GET $FR read '' 200 '.status == "completed" and (has("error") | not) and .warnings == [] and .stats.runs == 1 and .stats.totalPages == 4 and .stats.latestPages == 4 and .stats.latestWords > 30'
RESULT=$(jq -r .result.space "$out") REVISION=$(jq -r .result.revision "$out")
t 'the result is a space in the language' GET /v1/spaces/$RESULT read '' 200 '.title == "Manual (fr)" and .language == "fr" and .revision == "'$REVISION'"'
C=/v1/spaces/$RESULT/content
get /v1/spaces/$SPACE/content/pages read
jq -c '[.. | objects | select(has("slug")) | [.id, .type, .slug, .path]]' "$out" >"$tmp/shape"
README=$(jq -r .pages[0].id "$out")
STEPS=$(jq -r '[.. | objects | select(.slug? == "steps")][0].id' "$out")
t 'the result has the tree of its source' GET $C/pages read '' 200 '[.. | objects | select(has("slug")) | [.id, .type, .slug, .path]] == '"$(cat "$tmp/shape")"' and ([.. | objects | select(has("slug")) | .title] == ["MANUAL", "GUIDES", "FIRST STEPS", "SECOND STEPS"])'
t 'a translated page has its properties' GET "$C/page/$README?format=markdown" read '' 200 '.description == "HOW TO INSTALL THE SERVER" and .icon == "book"'
jq -r .markdown "$out" >"$tmp/page"
for line in 'READ THE [FIRST STEPS](guide/steps.md#install-it) **BEFORE** YOU RUN `make install`.' '{% hint style="info" %}' 'KEEP A BACKUP.' \
	'make install # keep this' '<summary>MORE</summary>' 'HIDDEN WORDS FOR {{user}} AT https://example.com/a.'; do
	yes "the page has the translated line: $line" grep -qxF "$line" "$tmp/page"
done
yes 'cells are translated' grep -q '| PORT *| THE NUMBER *|' "$tmp/page"
t 'links keep their targets' GET "/v1/spaces/$RESULT/links?status=broken" read '' 200 '[.items[].locationReferences[].spelling] == ["../.gitbook/assets/x.png"]'
same 'no text is asked twice' "$(grep -c . "$tmp/asked")" "$(grep . "$tmp/asked" | sort -u | wc -l)"

# ---- nothing changed ----
: >"$tmp/asked"
run $FR
t 'a second run makes no revision' GET $FR read '' 200 '.result.revision == "'$REVISION'" and .stats.runs == 2 and .stats.latestPages == 0 and .stats.latestWords == 0'
yes 'a second run asks nothing' test ! -s "$tmp/asked"

# ---- corrected here, changed in the source ----
#
# edit SPACE PAGE MARKDOWN: by a change request, which is merged
edit() {
	send POST "/v1/spaces/$1/change-requests" edit '{"subject":"Edit"}'
	e_cr=/v1/spaces/$1/change-requests/$(jq -r .id "$out")
	jq -n --arg page "$2" --arg text "$3" '{changes: [{operation: "update_page", page: $page, document: {markdown: $text}}]}' >"$tmp/edit"
	send POST "$e_cr/content" edit "@$tmp/edit"
	same "the source is edited: $1" 200 "$code"
	t 'the edit is merged' POST $e_cr/merge admin '' 200 '.result == "merge"'
}
page_text() { get "/v1/spaces/$1/content/page/$2?format=markdown" read; jq -r .markdown "$out" | sed 1,2d; }
page_text $RESULT $STEPS >"$tmp/page"
edit $RESULT $STEPS "$(sed 's/FIRST PARAGRAPH/Le premier paragraphe/; s/LAST PARAGRAPH/Le dernier paragraphe/' "$tmp/page")"
page_text $SPACE $STEPS >"$tmp/page"
edit $SPACE $STEPS "$(sed 's/Second paragraph/Changed paragraph/; s/Last paragraph/Final paragraph/' "$tmp/page")"
settle $FR
t 'a change of the source runs the translation' GET $FR read '' 200 '.stats.runs == 3 and .stats.latestPages == 1 and .result.revision != "'$REVISION'" and (.warnings | length) == 1 and .warnings[0].page == "'$STEPS'" and (.warnings[0].message | contains("Le dernier paragraphe"))'
page_text $RESULT $STEPS >"$tmp/page"
yes 'a correction of the result stays' grep -qx 'Le premier paragraphe.' "$tmp/page"
yes 'a correction stays though its source changed' grep -qx 'Le dernier paragraphe.' "$tmp/page"
yes 'a changed paragraph is translated' grep -qx 'CHANGED PARAGRAPH, WITH A RED HOUSE.' "$tmp/page"
same 'only changed texts are asked' 2 "$(grep -c . "$tmp/asked")"
run $FR
t 'the warning of a correction stays' GET $FR read '' 200 '.stats.runs == 4 and (.warnings | length) == 1'
"$octavo" translations run --dir "$dir" "${FR##*/}" >"$tmp/cli" 2>&1
yes 'the command shows the warning' grep -q 'a correction is kept; its source has changed' "$tmp/cli"

# ---- the glossary ----
G=/v1/orgs/$ORG/translations-glossary
t 'a glossary is empty at first' GET $G read '' 200 '.count == 0'
t 'a term is inserted' PUT $G create '{"operations":[{"type":"insert","translations":{"en":"red house","fr":"maison rouge"}}]}' 204 ''
t 'a term in an unknown language is refused' PUT $G create '{"operations":[{"type":"insert","translations":{"xx":"a"}}]}' 400 '.fields[0].path == "/operations/0/translations/xx"'
t 'operations with an unknown term answer 404' PUT $G create '{"operations":[{"type":"insert","translations":{"en":"a"}},{"type":"update","id":"nothing","translations":{"en":"b"}}]}' 404 ''
t 'a reader changes no term' PUT $G read '{"operations":[]}' 403 ''
t 'a term is listed' GET $G read '' 200 '.count == 1 and .items[0].translations == {en: "red house", fr: "maison rouge"}'
t 'a term is read by its id' GET "$G/$(jq -r .items[0].id "$out")" read '' 200 '.object == "glossary-entry"'
t 'an unknown term answers 404' GET $G/nothing read '' 404 ''
run $FR
page_text $RESULT $STEPS >"$tmp/page"
yes 'a term is used in the translation' grep -qx 'CHANGED PARAGRAPH, WITH A maison rouge.' "$tmp/page"

# ---- manual runs ----
t 'a translation is made manual' PUT $FR create '{"automatic":false}' 200 '.automatic == false'
t 'a change that names nothing is refused' PUT $FR create '{}' 400 ''
page_text $SPACE $STEPS >"$tmp/page"
edit $SPACE $STEPS "$(sed 's/another item/one more item/' "$tmp/page")"
t 'a manual translation does not run by itself' GET $FR read '' 200 '.status == "completed" and .stats.runs == 6'

# ---- by the command ----
same 'the command lists translations' "${FR##*/} en to fr completed null" "$("$octavo" translations list --dir "$dir" --org "$ORG" --json |
	jq -r '.[] | "\(.id) \(.languages) \(.status) \(.automatic)"')"
same 'the command runs a translation' "${FR##*/} done 1 null" "$("$octavo" translations run --dir "$dir" --json "${FR##*/}" 2>"$tmp/cli" | jq -r '.[] | "\(.id) \(.state) \(.pages | numbers) \(.warnings)"')"
t 'the run of the command counts' GET $FR read '' 200 '.stats.runs == 7 and .stats.latestPages == 1'
"$octavo" translations run --dir "$dir" nothing --json >"$tmp/cli" 2>&1 && fail 'the command refuses an unknown translation' "$(cat "$tmp/cli")"
yes 'the command names the unknown translation' grep -q 'there is no such translation' "$tmp/cli"

# ---- engines that fail ----
t 'a translation without an engine is created' POST $T create "$(new ja)" 201 ''
run $T/$(jq -r .id "$out")
t 'a translation without an engine names the setting' GET "$T?limit=1" read '' 200 '.items[0] | .status == "pending" and (has("result") | not) and (.error | contains("OCTAVO_TRANSLATE_EN_JA"))'
t 'a translation with a failing engine is created' POST $T create "$(new it)" 201 ''
IT=$T/$(jq -r .id "$out")
run $IT
t 'a failing engine is reported with its status' GET $IT read '' 200 '.status == "pending" and (.error | contains("status 3"))'
"$octavo" translations run --dir "$dir" --all --org "$ORG" >"$tmp/cli" 2>&1 && fail 'the command ends with 1 where an engine fails' 'ends with status 0'
yes 'the command names the failing engine' grep -q "^${IT##*/} *failed .*status 3" "$tmp/cli"
yes 'the command goes on with the others' grep -q "^${FR##*/} *done" "$tmp/cli"
touch "$tmp/mended"
run $IT
t 'a repaired engine translates' GET $IT read '' 200 '.status == "completed" and (has("error") | not) and .stats.runs == 1'
rm "$tmp/mended"
run $IT
t 'an unchanged source asks nothing' GET $IT read '' 200 '.stats.runs == 2 and (has("error") | not)'
t 'a translation by an engine that miscounts is created' POST $T create "$(new de)" 201 ''
DE=$T/$(jq -r .id "$out")
run $DE
t 'an engine that miscounts is given up' GET $DE read '' 200 '.status == "pending" and (.error | contains("other many texts"))'
t 'a translation by a noisy engine is created' POST $T create "$(new pl)" 201 ''
PL=$T/$(jq -r .id "$out")
run $PL
t 'a noisy engine translates nothing' GET $PL read '' 200 '.status == "pending" and (.error | contains("no usable answer to any of"))'
t 'a translation by an engine with one gap is created' POST $T create "$(new da)" 201 ''
DA=$T/$(jq -r .id "$out")
run $DA
t 'a text without an answer is warned about' GET $DA read '' 200 '.status == "completed" and [.warnings[].message] == ["not translated, the engine gave no usable answer: one item"]'
page_text "$(jq -r .result.space "$out")" $STEPS >"$tmp/page"
yes 'a text without an answer stays as it was' grep -q '^[*-] *one item$' "$tmp/page"
touch "$tmp/mended"
: >"$tmp/chosen"
run $DA
rm "$tmp/mended"
t 'a text without an answer is asked again' GET $DA read '' 200 '.warnings == [] and .stats.latestPages == 1'
same 'only that text is asked again' 'one item' "$(cat "$tmp/chosen")"
run $DA
t 'a translated text is not asked again' GET $DA read '' 200 '.warnings == [] and .stats.latestPages == 0 and .stats.runs == 3'
t 'a translation by an engine of marks is created' POST $T create "$(new sv)" 201 ''
SV=$T/$(jq -r .id "$out")
run $SV
get $SV read
t 'marks in an answer are text' GET "/v1/spaces/$(jq -r .result.space "$out")/links" read '' 200 '([.items[].locationReferences[].spelling] | index("y")) == null'

# ---- a cancelled run ----
t 'a translation by a slow engine is created' POST $T create "$(new uk)" 201 ''
UK=$T/$(jq -r .id "$out")
t 'the slow translation is run' POST $UK/run create '' 204 ''
slow=$("$octavo" jobs --dir "$dir" --json | jq -r '[.[] | select(.kind == "translate")][0].id')
job_state() { "$octavo" jobs --dir "$dir" --json | jq -r '.[] | select(.id == "'$slow'").state'; }
left=600
until [ "$(job_state)" != queued ] || [ $left = 0 ]; do left=$((left - 1)); sleep 0.05; done
"$octavo" jobs --dir "$dir" --cancel "$slow" >"$tmp/cli" 2>&1 || fail 'the slow translation is cancelled' "$(cat "$tmp/cli")"
settle $UK
t 'a cancelled translation is pending' GET $UK read '' 200 '.status == "pending" and .error == "cancelled" and (has("result") | not)'
same 'the job of a cancelled translation is cancelled' cancelled "$(job_state)"

# ---- a service ----
t 'a translation by a service is created' POST $T create '{"source":{"space":"'$SPACE'","language":"en"},"language":"pt-br","instructions":{"object":"document","data":{},"nodes":[{"object":"block","type":"paragraph","nodes":[{"object":"text","leaves":[{"object":"leaf","text":"Be formal.","marks":[]}]}]}]}}' 201 ''
PT=$T/$(jq -r .id "$out")
run $PT
t 'a service translates' GET $PT read '' 200 '.status == "completed" and (has("error") | not)'
t 'a service translates titles' GET "/v1/spaces/$(jq -r .result.space "$out")/content/page/$STEPS" read '' 200 '.title == "<First steps>"'
yes 'a service gets language, key and instructions' grep -q '"url":"/translate","n":[0-9]*,"source":"en","target":"pt-br","api_key":"sesame","instructions":"Be formal' "$tmp/service.log"
t 'a translation by a redirecting service is created' POST $T create "$(new nl)" 201 ''
NL=$T/$(jq -r .id "$out")
run $NL
t 'a redirect to this machine is not followed' GET $NL read '' 200 '.status == "pending" and (.error | contains("not a public one"))'

# ---- deletion ----
t 'the result is deleted' DELETE /v1/spaces/$RESULT admin '' 204 ''
run $FR
t 'a deleted result is reported' GET $FR read '' 200 '.status == "completed" and (.error | contains("is deleted"))'
t 'the result is restored' POST /v1/spaces/$RESULT/restore admin '' 200 ''
run $FR
t 'a translation goes on with a restored result' GET $FR read '' 200 '.status == "completed" and (has("error") | not) and .stats.runs == 9'

# ---- rules that require a review ----
revision_of() { get "/v1/spaces/$1" admin; jq -r .revision "$out"; }
waiting() { get "/v1/spaces/$RESULT/change-requests?status=open" admin; jq -r "$1" "$out"; }
rules() { t "the result takes the rules $1" PATCH "/v1/spaces/$RESULT" admin '{"mergeRules":'"$1"'}' 200 ''; }
rules '{"type":"rules","rules":[{"rule":"require_at_least_one_approved_review"}]}'
page_text $SPACE $STEPS >"$tmp/page"
edit $SPACE $STEPS "$(sed 's/one more item/a guarded item/' "$tmp/page")"
kept=$(revision_of $RESULT)
run $FR
t 'a run into a guarded result completes' GET $FR read '' 200 '.status == "completed" and (has("error") | not)'
same 'primary content stays as it was' "$kept" "$(revision_of $RESULT)"
same 'a guarded result gets one change request' '1 Translation into fr' "$(waiting '"\(.items | length) \(.items[0].subject)"')"
guarded=/v1/spaces/$RESULT/change-requests/$(waiting '.items[0].id')
t 'the change request holds the translation and the correction' GET "$guarded/content/page/$STEPS?format=markdown" admin '' 200 '.markdown | contains("GUARDED ITEM") and contains("Le premier paragraphe.")'
page_text $SPACE $STEPS >"$tmp/page"
edit $SPACE $STEPS "$(sed 's/a guarded item/an item again/' "$tmp/page")"
run $FR
t 'the next run names the open change request' GET $FR read '' 200 '.error | contains("change request ") and contains("waits for you")'
same 'the next run makes no second change request' 1 "$(waiting '.items | length')"
t 'the translation is automatic again' PUT $FR create '{"automatic":true}' 200 ''
settle $FR
rules '{"type":"none"}'
t 'the change request of a translation is merged' POST $guarded/merge admin '' 200 '.revision != null'
# At that revision: the translation that waited writes the next one soon.
get "/v1/spaces/$RESULT/revisions/$(jq -r .revision "$out")/page/$STEPS?format=markdown" read
jq -r .markdown "$out" | sed 1,2d >"$tmp/page"
yes 'a merged change request brings the translation' grep -q 'GUARDED ITEM' "$tmp/page"
yes 'a merged change request keeps the correction' grep -qx 'Le premier paragraphe.' "$tmp/page"
settle $FR
t 'a merge runs the automatic translation that waited for it' GET $FR read '' 200 '.status == "completed" and (has("error") | not)'
page_text $RESULT $STEPS >"$tmp/page"
yes 'without rules a run writes as before' grep -q 'AN ITEM AGAIN' "$tmp/page"
yes 'a run without rules keeps the correction' grep -qx 'Le premier paragraphe.' "$tmp/page"
rules '{"type":"rules","rules":[{"rule":"require_at_least_one_approved_review"}]}'
page_text $SPACE $STEPS >"$tmp/page"
edit $SPACE $STEPS "$(sed 's/an item again/a declined item/' "$tmp/page")"
settle $FR
guarded=/v1/spaces/$RESULT/change-requests/$(waiting '.items[0].id')
edit $SPACE $STEPS "$(sed 's/First paragraph/Fresh paragraph/' "$tmp/page")"
settle $FR
t 'a further run waits for the request' GET $FR read '' 200 '.error | contains("waits for you")'
t 'the request is archived' PATCH $guarded admin '{"status":"archived"}' 200 ''
settle $FR
t 'archiving runs the automatic translation that waited' GET $FR read '' 200 '.status == "completed" and (has("error") | not)'
rules '{"type":"none"}'
t 'a translation is deleted' DELETE $FR create '' 204 ''
t 'a deleted translation may be deleted again' DELETE $FR create '' 204 ''
t 'a deleted translation answers 404' GET $FR create '' 404 ''
t 'the result of a deleted translation stays' GET /v1/spaces/$RESULT read '' 200 ''

# ---- Apertium ----
if command -v apertium >/dev/null && [ -e /usr/share/apertium/modes/eng-spa.mode ]; then
	t 'a translation by Apertium is created' POST $T create "$(new es)" 201 ''
	ES=$T/$(jq -r .id "$out")
	run $ES
	t 'Apertium translates' GET $ES read '' 200 '.status == "completed" and (has("error") | not) and .warnings == []'
	page_text "$(jq -r .result.space "$out")" $STEPS >"$tmp/page"
	yes 'Apertium translates a sentence' grep -q 'una casa roja' "$tmp/page"
	yes 'Apertium keeps an anchor' grep -q '^## .*id="install-it"' "$tmp/page"
else
	skip 'Apertium translates' 'apertium-eng-spa is not installed'
fi
yes 'octavo check finds nothing' "$octavo" check --dir "$dir" >"$tmp/check"
summary
