# Expressions in bodies: refused by the API if they cannot be parsed, kept by imports; evaluated for users on request.
mkdir -p "$tmp/said/.gitbook"
printf '* [Home](README.md)\n* [Odd](odd.md)\n' >"$tmp/said/SUMMARY.md"
printf 'version: "2.4"\n' >"$tmp/said/.gitbook/vars.yaml"
printf -- \
	'---\nvars:\n  tier: gold\n---\n\n# Home\n\nNow <code class="expression">space.vars.version + page.vars.tier</code>.\n\n'\
'{%% if page.vars.tier == "gold" %%}\nGold words.\n{%% endif %%}\n\n{%% if space.vars.version == "1" %%}\nOld words.\n{%% endif %%}\n\n'\
'{%% if visitor.claims.plan %%}\nPlan words.\n{%% endif %%}\n\n{%% if !visitor.claims.plan %%}\nFree words.\n{%% endif %%}\n' >"$tmp/said/README.md"
printf '# Odd\n\nFirst.\n\n{%% if plan == %%}\nHidden words.\n{%% endif %%}\n\nSo <code class="expression">1 +</code>.\n' >"$tmp/said/odd.md"
git_in "$tmp/said" init -q -b main
git_in "$tmp/said" add -A
git_in "$tmp/said" commit -q -m one
SAID=$(octavo_json .result.space import --org "$ORG" --title Said --url "$tmp/said")
said_warns() { jq -e '[.warnings[] | select(.message | contains("is no expression")) | [.file, .line]] == [["odd.md", 5], ["odd.md", 9]]
	and any(.warnings[]; .message == "the text of {% if %} is no expression, which hides it: \"plan ==\": unexpected end at character 8")' "$tmp/cli" \
		>/dev/null; }
yes 'the import warns about each expression that does not parse' said_warns
E=/v1/spaces/$SAID
t 'a page has its expressions' GET $E/content/path/readme read '' 200 '[.. | .expression? // empty] == ["space.vars.version + page.vars.tier",
	"page.vars.tier == \"gold\"", "space.vars.version == \"1\"", "visitor.claims.plan", "!visitor.claims.plan"]'
page=$(jq -r .id "$out")
text='[.. | objects | select(.object? == "leaf") | .text] | join("|")'
t 'evaluated=false keeps the expressions' GET "$E/content/page/$page?evaluated=false" read '' 200 '[.. | .expression? // empty] | length == 5'
t 'evaluated=true replaces all expressions' GET "$E/content/page/$page?evaluated=true" read '' 200 \
	"($text"' | contains("Now |2.4gold|.") and contains("Gold words.") and contains("Free words.") and (contains("Old words")
	or contains("Plan words") | not)) and ([.. | .expression? // empty] == [])'
t 'a page by path is evaluated' GET "$E/content/path/readme?evaluated=true" read '' 200 '[.. | .expression? // empty] == []'
t 'deterministic-only keeps what depends on the visitor' GET "$E/content/page/$page?evaluated=deterministic-only" read '' 200 \
	"($text"' | contains("2.4gold") and contains("Gold words.") and (contains("Old words") | not)) and ([..
	| .expression? // empty] == ["visitor.claims.plan", "!visitor.claims.plan"])'
t 'Markdown is evaluated' GET "$E/content/page/$page?format=markdown&evaluated=true" read '' 200 \
	'.markdown | contains("Now 2.4gold.") and contains("Gold words.") and contains("Free words.") and (contains("{%") or contains("Plan words") | not)'
t 'Markdown is evaluated but for what depends on the visitor' GET "$E/content/page/$page?format=markdown&evaluated=deterministic-only" read '' 200 \
	'.markdown | contains("Now 2.4gold.") and contains("{% if visitor.claims.plan %}") and (contains("page.vars") | not)'
t 'Markdown keeps its expressions by default' GET "$E/content/page/$page?format=markdown" read '' 200 '.markdown | contains("{% if page.vars.tier")'
t 'the space has its revision' GET $E read '' 200 ''
rev=$(jq -r .revision "$out")
t 'the document of a revision is evaluated' GET "$E/revisions/$rev/page/$page/document?evaluated=true" read '' 200 \
	"($text"' | contains("2.4gold")) and ([.. | .expression? // empty] == [])'
t 'the document of a revision keeps its expressions by default' GET "$E/revisions/$rev/page/$page/document" read '' 200 \
	'[.. | .expression? // empty] | length == 5'
t 'a condition that does not parse hides its text' GET "$E/content/path/odd?evaluated=true" read '' 200 \
	"$text"' | contains("First.") and (contains("Hidden") | not)'
odd=$(jq -r .id "$out")

# Written over the API.
t 'a change request is opened' POST $E/change-requests edit '{}' 201 ''
Q=$E/change-requests/$(jq -r .number "$out")/content
refused() { t "an expression that does not parse is refused: $1" POST $Q edit '{"changes":['"$2"']}' 400 \
	'.fields[0] == {path: "/changes/0/document", message: '"$3"'}'; }
insert() { printf '{"operation":"insert_page","title":"New","document":{"markdown":%s}}' "$(printf '%b' "$1" | jq -Rs .)"; }
refused 'a condition' "$(insert 'Text.\n\n{% if visitor.claims. %}\nx\n{% endif %}\n')" \
	'"has {% if %} that cannot be read, \"visitor.claims.\" in line 3: unexpected end at character 16"'
refused 'no condition' "$(insert '{% if %}\nx\n{% endif %}\n')" '"has {% if %} that cannot be read, \"\" in line 1: unexpected end at character 1"'
refused 'a value' "$(insert 'Say <code class="expression">eval(1)</code>.')" \
	'"has an expression that cannot be read, \"eval(1)\" in line 1: \"eval\" is not known here at character 1"'
refused 'in a table' "$(insert '| a |\n| - |\n| <code class="expression">1 +</code> |\n')" '.fields[0].message | select(contains("1 +"))'
refused 'inside another' "$(insert '{% if true %}\n{% if ( %}\nx\n{% endif %}\n{% endif %}\n')" '.fields[0].message | select(contains("\"(\""))'
refused 'as document' '{"operation":"insert_page","title":"New","document":{"document":{"object":"document","data":{},"nodes":[{"object":"block",
	"type":"if","data":{"expression":"a b"},"nodes":[{"object":"block","type":"paragraph","data":{},"nodes":[{"object":"text",
	"leaves":[{"object":"leaf","text":"x","marks":[]}]}]}]}]}}}' '.fields[0].message | select(contains("a b"))'
refused 'too long a one' "$(insert "{% if $(printf %01025d 1) %}\nx\n{% endif %}\n")" \
	'.fields[0].message | select(contains("longer than 1024") and (length < 300))'
t 'refused pages are not written' GET $Q read '' 200 '[.pages[].title] == ["Home", "Odd"]'
t 'an expression in code is no expression' POST $Q edit '{"changes":['"$(insert '```\n{% if ( %}\n```\n\nand `<code class="expression">(</code>`')"']}' 200 ''
t 'an old faulty expression does not block an edit' POST $Q edit '{"changes":[{"operation":"update_page","page":"'$odd'",
	"document":{"markdown":"# Odd\n\nAnother first.\n\n{% if plan == %}\nHidden words.\n{% endif %}\n\nSo <code class=\"expression\">1 +</code>.\n"}}]}' 200 ''
refused 'a new one beside an old one' '{"operation":"update_page","page":"'$odd'",
	"document":{"markdown":"{% if plan == %}\nHidden words.\n{% endif %}\n\n{% if plan = 1 %}\nx\n{% endif %}\n"}}' \
	'.fields[0].message | select(contains("plan = 1"))'

# The faults shown to their author.
F=$E/content/expression-faults
t 'faults of expressions are listed with their place' GET $F edit '' 200 \
	'.count == 3 and (has("next") | not) and (.items | map(select(.page.title == "Odd").page) | unique) == [{id: "'$odd'", kind: "page",
	title: "Odd", path: "odd", file: "odd.md"}]
	and ([.items[] | [.place, .line, .expression, .message]] | sort) == [["expression", 9, "1 +", "unexpected end at character 4"], ["if", 5,
		"plan ==", "unexpected end at character 8"],
	["if", 14, "space.vars.version == \"1\"", "it hides from every visitor, whatever they claim"]]'
jq -c '[.items[].place]' "$out" >"$tmp/places"
t 'a commenter may not list faults' GET $F comment '' 403 ''
t 'another organization gets 404 for faults' GET $F other '' 404 ''
t 'a limit of 0 counts faults alone' GET "$F?limit=0" edit '' 200 '.count == 3 and .items == [] and (has("next") | not)'
t 'faults are listed by pages' GET "$F?limit=1" edit '' 200 ".count == 3 and [.items[].place] == $(cat "$tmp/places")[0:1]"
t 'the next page of faults goes on' GET "$F?limit=1&page=$(jq -r .next.page "$out")" edit '' 200 "[.items[].place] == $(cat "$tmp/places")[1:2]"
t 'the last page of faults has no next' GET "$F?limit=1&page=$(jq -r .next.page "$out")" edit '' 200 \
	"[.items[].place] == $(cat "$tmp/places")[2:3] and (has(\"next\") | not)"
t 'a page with expressions that fail is written' POST $Q edit '{"changes":[{"operation":"insert_page","title":"Failing",
	"condition":"plan == \"pro\"",
	"document":{"markdown":'"$(printf 'Top.\n\n{%% if space.vars.versoin == "2.4" %%}\nx\n{%% endif %%}\n\n{%% if 1 in "abc" %%}\nx\n{%% endif %%}\n\n'\
'{%% if visitor.claims.team.name == "a" %%}\nx\n{%% endif %%}\n\n{%% if visitor.claims.roles.includes("a") && space.vars.version %%}\nx\n'\
'{%% endif %%}\n\nSay <code class="expression">page.vars.tier ?? "none"</code> and <code class="expression">page.vars.tier</code>.\n' | jq -Rs .)"'}}]}' 200 ''
F=${Q%/content}/content/expression-faults
t 'expressions that fail are listed as faults' GET $F edit '' 200 '[.items[] | select(.page.title == "Failing") | [.place, .line // 0,
	.expression, .message]] == [
	["condition", 0, "plan == \"pro\"", "\"plan\" is not known here"],
	["if", 3, "space.vars.versoin == \"2.4\"", "space.vars has no \"versoin\""],
	["if", 7, "1 in \"abc\"", "\"in\" takes a list or an object on its right"],
	["expression", 19, "page.vars.tier", "page.vars has no \"tier\""]] and .count == 7 and all(.items[]; .page.path)'
t 'faults of a request are not those of the space' GET $E/content/expression-faults edit '' 200 '.count == 3'
t 'a page with conditions that are never true is written' POST $Q edit '{"changes":[{"operation":"insert_page","title":"Closed",
	"condition":"visitor.claims.a && space.vars.version == \"0\"",
	"document":{"markdown":'"$(printf 'Top.\n\n{%% if false %%}\nx\n{%% endif %%}\n\n{%% if visitor.claims.unsigned.a.b !== "x" %%}\nx\n'\
'{%% endif %%}\n' | jq -Rs .)"'}}]}' 200 ''
t 'conditions that are never true are faults' GET $F edit '' 200 '[.items[] | select(.page.title == "Closed") | [.place, .line // 0, .message]] == [
	["condition", 0, "it hides from every visitor, whatever they claim"], ["if", 3, "it hides from every visitor, whatever they claim"]]'
t 'a page token of a request that is none is refused' GET "$F?page=x" edit '' 400 '.fields[0].path == "/page"'
t 'a page token that is none is refused' GET "$E/content/expression-faults?page=x" edit '' 400 '.fields[0].path == "/page"'
t 'faults of an unknown request answer 404' GET $E/change-requests/999999/content/expression-faults edit '' 404 ''
