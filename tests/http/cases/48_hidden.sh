# Content hidden by conditions is in no output: all hidden content contains "quokka", all visible
# content "numbat", and both "marsupial".
if [ $TRANSPORT = http ]; then
HD=$tmp/veiled
mkdir -p "$HD/.gitbook/assets" "$HD/.gitbook/includes"
png() { cp "$tmp/repo/.gitbook/assets/dot.png" "$HD/.gitbook/assets/$1.png"; printf "$1" >>"$HD/.gitbook/assets/$1.png"; }
png quokkablock; png quokkapage; png quokkashared; png both; png numbat
printf '* [Home](README.md)\n* [Veil](veil.md)\n  * [Below](veil-child.md)\n* [Last](last.md)\n\n## Part\n\n* [News](news.md)\n' >"$HD/SUMMARY.md"
cat >"$HD/README.md" <<'END'
# Home numbat

Words of a marsupial: [there](veil.md), [below it](veil-child.md#place), ![](.gitbook/assets/numbat.png)
and <code class="expression">visitor.claims.name ?? "numbat"</code>.

{% content-ref url="veil.md" %}
[veil.md](veil.md)
{% endcontent-ref %}

{% if visitor.claims.plan == "pro" %}
## Heading of a quokka

A quokka is a marsupial. ![](.gitbook/assets/quokkablock.png) ![](.gitbook/assets/both.png)

{% hint style="info" %}
Quokka hint.
{% endhint %}

{% include ".gitbook/includes/quokka-shared.md" %}
{% endif %}

{% tabs %}
{% tab title="Numbat tab" %}
{% if visitor.claims.plan == "pro" && "q" in visitor.claims.tags %}
Never a quokka.
{% endif %}
{% if visitor.claims.plan == "pro" %}
Tab of a quokka.
{% endif %}
{% endtab %}
{% endtabs %}

| a |
| - |
| <code class="expression">visitor.claims.plan == "pro" ? "quo" + "kka cell" : "numbat cell"</code> |
END
printf -- \
	'---\nif: visitor.claims.plan == "pro"\ndescription: About a quokka\n---\n\n# Title of the quokka\n\n'\
'A quokka, a marsupial. ![](.gitbook/assets/quokkapage.png)\n' >"$HD/veil.md"
printf '# Child of the quokka\n\n## Place of the quokka {#place}\n\nYoung marsupial quokka.\n' >"$HD/veil-child.md"
printf '# Last numbat\n\nThe last marsupial. ![](.gitbook/assets/both.png)\n\n{%% include ".gitbook/includes/numbat-open.md" %%}\n' >"$HD/last.md"
cat >"$HD/news.md" <<'END'
# News of the numbat

{% updates format="full" %}
{% update date="2026-01-02" %}
## Numbat day

A marsupial.
{% endupdate %}
{% if visitor.claims.plan == "pro" %}
{% update date="2026-01-03" %}
## Quokka day

A marsupial quokka.
{% endupdate %}
{% endif %}
{% endupdates %}
END
printf 'Reusable quokka marsupial. ![](.gitbook/assets/quokkashared.png)\n' | sed 's,(,(../../,' >"$HD/.gitbook/includes/quokka-shared.md"
# A visible page with a hidden part.
printf 'Open marsupial numbat.\n\n{%% if visitor.claims.plan == "pro" %%}\n{%% include "quokka-shared.md" %%}\n{%% endif %%}\n' \
	>"$HD/.gitbook/includes/numbat-open.md"
git_in "$HD" init -q -b main
git_in "$HD" add -A
git_in "$HD" commit -q -m one
veiled=$(octavo_json .result.space import --org "$ORG" --title 'Numbat guide' --url "$HD")
variant=$(space_empty 'Quokka variant') section=$(space_empty 'Quokka section')
for s in $variant $section; do space_write $s '{"changes":[{"operation":"insert_page","title":"Start","document":{"markdown":"A marsupial quokka."}}]}'; done
t 'veiled: a site is created' POST /v1/orgs/$ORG/sites admin '{"title":"Veiled","spaces":["'$veiled'"]}' 201 ''
V=/v1/orgs/$ORG/sites/$(jq -r .id "$out")
t 'veiled: a first section is created' POST $V/sections admin '{"title":"Open","spaceId":"'$veiled'"}' 201 ''
t 'veiled: the first section has the first variant' GET $V/sections admin '' 200 ''
first=$(jq -r '.items[0].id' "$out")
t 'veiled: a second section is created' POST $V/sections admin '{"title":"Quokka section","spaceId":"'$section'"}' 201 ''
second=$(jq -r .id "$out")
t 'veiled: the second section gets a condition' PATCH $V/sections/$second admin \
	'{"condition":"visitor.claims.plan == \"pro\"","path":"other","description":"Quokka description"}' 200 ''
t 'veiled: a variant is added' POST $V/site-spaces admin '{"spaceId":"'$variant'","sectionId":"'$first'"}' 201 ''
third=$(jq -r .id "$out")
t 'veiled: the variant gets a condition' PATCH $V/site-spaces/$third admin '{"path":"variant","condition":"visitor.claims.plan == \"pro\""}' 200 ''
t 'veiled: the second section comes into a group' POST $V/section-groups admin '{"title":"Group of the quokka","icon":"cube","sections":["'$second'"]}' 201 ''
t 'veiled: links get conditions' PUT $V/customization admin '{"header":{"preset":"default","links":[{"title":"To a quokka","to":{"kind":"url",
	"url":"https://example.com/quokka"},"links":[],"condition":"visitor.claims.plan == \"pro\""},{"title":"To a numbat","to":{"kind":"space",
	"space":"'$variant'"},"links":[]}]}}' 200 ''
t 'veiled: adaptive content is switched on' PATCH $V admin '{"adaptiveContent":{"enabled":true}}' 200 ''
t 'veiled: a redirect to the hidden variant is created' POST $V/redirects admin \
	'{"source":"/old","destination":{"kind":"site-space","siteSpaceId":"'$third'"}}' 201 ''
t 'veiled: the site has a signing key' GET $V/publishing/auth admin '' 200 ''
jwt=$(jwt_make "$(jq -r .privateKey "$out")" '{"plan":"pro","tags":{},"exp":'$(($(date +%s) + 3000))'}')
t 'veiled: the site is published' POST $V/publish admin '' 200 ''
at=$(jq -r .urls.published "$out")
t 'veiled: the content of the space is read' GET /v1/spaces/$veiled/content admin '' 200 ''
jq -r '[.pages | .. | objects | select(.type? == "document") | [.id, .path]] | unique[] | @tsv' "$out" >"$tmp/veiled.pages"
same 'veiled: the space has its five pages' 'last news readme veil veil-child' "$(cut -f 2 "$tmp/veiled.pages" | sort | paste -sd ' ')"
jq -r '.files[] | [.id, .name] | @tsv' "$out" >"$tmp/veiled.files"
jq -r '.reusableContents[].id' "$out" >"$tmp/veiled.reusable"
jq -r '.files[] | select(.name | test("quokka")) | .id' "$out" >"$tmp/veiled.quokkas"

# veiled_all WHO [CURL OPTION...]: writes all outputs into $tmp/veiled.WHO/, one file each; the
# token of API calls is $tmp/tokens/site
veiled_all() {
	va_at=$tmp/veiled.$1 va_n=0
	mkdir -p "$va_at"
	shift
	for va_path in '' last last.md readme.md news news.md news/rss.xml sitemap.xml robots.txt llms.txt llms-full.txt '~search?q=marsupial' \
		'~search.json?q=marsupial' none \
		part veil veil.md veil/veil-child open open/last other other/start variant variant/start open/variant old; do
		va_n=$((va_n + 1))
		curl -sgL -m 30 "$@" -o "$va_at/$va_n.site" "$at$va_path"
		sed -i "s,$at$va_path,ASKED,g; s,${at#"$base"}$va_path\\([\"?#]\\),ASKED\\1,g" "$va_at/$va_n.site"
		echo "$va_n.site $va_path" >>"$va_at.names"
	done
	for va_call in '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' \
		'{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"search","arguments":{"query":"marsupial"}}}' \
		'{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"page","arguments":{"address":"'"$at"'"}}}'; do
		va_n=$((va_n + 1))
		curl -sgL -m 30 "$@" -o "$va_at/$va_n.mcp" -H 'Content-Type: application/json' -d "$va_call" "$at~mcp"
		echo "$va_n.mcp $va_call" >>"$va_at.names"
	done
	R=/v1/spaces/$veiled/revisions/$(sql "SELECT r.id FROM space s JOIN branch b ON b.id = s.branch JOIN revision r ON r.branch = b.id AND r.seq = \
b.head WHERE s.id = '$veiled'")
	for va_path in $V/published /v1/spaces/$veiled $R $R/pages $R/files "$V/redirect?source=%2Fold" $R/changes \
	 \
			$(while read -r id path; do echo "$R/page/$id $R/page/$id?format=markdown $R/page/$id/document?dereferenced=reusable-contents \
$R/page/$id/meta-links $R/path/$(echo $path | sed 's,/,%2F,g')"; done <"$tmp/veiled.pages") \
		$(while read -r id name; do echo "$R/files/$id"; done <"$tmp/veiled.files") \
		$(while read -r id; do echo "$R/reusable-contents/$id $R/reusable-contents/$id/document"; done <"$tmp/veiled.reusable") /v1/spaces/$variant \
			/v1/spaces/$section; do
		va_n=$((va_n + 1))
		send GET "$va_path" site ''
		sed "s,${va_path#/v1},ASKED,g; s,no page at \"[^\"]*,no page at \"," "$out" >"$va_at/$va_n.api"
		echo "$va_n.api $va_path" >>"$va_at.names"
	done
	va_n=$((va_n + 1))
	send POST $V/search site '{"query":"marsupial"}'
	cp "$out" "$va_at/$va_n.api"
	echo "$va_n.api search" >>"$va_at.names"
}
site_resolve $at
veiled_all anybody
site_resolve $at '{"unsignedClaims":{"plan":"pro"}}'
veiled_all liar -b visitor.plan=pro
site_resolve $at '{"jwtToken":"'$jwt'"}'
veiled_all pro -b "octavo_visitor=$jwt"
for who in anybody liar; do
	while read -r file what; do
		if grep -qi quokka "$tmp/veiled.$who/$file"; then fail "$who reads nothing hidden: $what" \
			"$(grep -io '.\{60\}quokka.\{40\}' "$tmp/veiled.$who/$file" | head -n 2)"; else pass; fi
	done <"$tmp/veiled.$who.names"
done
# By URL as by name: a hidden file's bytes are sent only to visitors who see a page that uses it.
yes 'three files are only on hidden pages or in hidden blocks' test "$(wc -l <"$tmp/veiled.quokkas")" -eq 3
for who in anybody liar; do
	while read -r id; do
		file=$(grep "/files/$id\$" "$tmp/veiled.$who.names" | cut -d' ' -f1)
		yes "$who gets 404 for the hidden file $id" grep -q '"code":404' "$tmp/veiled.$who/$file"
	done <"$tmp/veiled.quokkas"
	file=$(grep " $R\$" "$tmp/veiled.$who.names" | cut -d' ' -f1)
	same "$who sees the files and reusable content in use alone" 'Numbat open both.png numbat.png' \
		"$(jq -r '[.files[].name, .reusableContents[].title] | sort | join(" ")' "$tmp/veiled.$who/$file")"
done
# The bytes by a URL on the site, which only visitors who see the file get.
file=$(grep -ho 'src="[^"]*quokkablock.png' "$tmp/veiled.pro"/*.site | head -n 1 | cut -d'"' -f2 | sed "s,^.*/~,~,")
same 'a hidden file is served to a visitor with the claim' 200 "$(curl -sg -o /dev/null -w '%{http_code}' -b "octavo_visitor=$jwt" "$at$file")"
same 'a hidden file answers 404 to a visitor without it' 404 "$(curl -sg -o /dev/null -w '%{http_code}' "$at$file")"
# For an older revision the use of files is computed without the table of links; visitors who came
# at that time can still read it.
site_resolve $at '{"jwtToken":"'$jwt'"}'
cp "$tmp/tokens/site" "$tmp/tokens/site_pro"
site_resolve $at
space_write $veiled '{"changes":[{"operation":"insert_page","title":"More","document":{"markdown":"A numbat."}}]}'
t 'veiled: a visitor reads the revision before the newest' GET $R site '' 200 ''
same 'the revision before the newest hides the same' 'Numbat open both.png numbat.png' \
	"$(jq -r '[.files[].name, .reusableContents[].title] | sort | join(" ")' "$out")"
t 'veiled: a visitor with the claim reads the revision before the newest' GET $R site_pro '' 200 ''
same 'the revision before the newest shows all to that visitor' 7 "$(jq '[.files[], .reusableContents[]] | length' "$out")"
# Visitors with the claim see it, so that the cases above prove something.
yes 'a visitor with the claim reads most of what is hidden' test "$(grep -li quokka "$tmp/veiled.pro"/* | wc -l)" -gt 25
yes 'a visitor without it reads what is for all' test "$(grep -li numbat "$tmp/veiled.anybody"/* | wc -l)" -gt 15
yes 'what no visitor may see is in no answer' test "$(grep -li 'never a quokka' "$tmp/veiled.pro"/* | wc -l)" -eq 0
# A preview is that of one visitor: it shows changes, by revision and by change request, like everything else.
prose() { jq -Rs . <"$1"; }
cat >"$tmp/parts.md" <<'END'
Numbat words.

{% if visitor.claims.plan == "pro" %}
Words of a quokka.
{% endif %}
END
t 'veiled: a change request is opened' POST /v1/spaces/$veiled/change-requests admin '{}' 201 ''
proposed=/v1/spaces/$veiled/change-requests/$(jq -r .number "$out")
last=$(awk '$2 == "last" { print $1 }' "$tmp/veiled.pages") veil=$(awk '$2 == "veil" { print $1 }' "$tmp/veiled.pages")
t 'veiled: the request changes hidden and open pages' POST "$proposed/content?compat=false" admin '{"changes":[
	{"operation":"insert_page","title":"New quokka","condition":"visitor.claims.plan == \"pro\"","document":{"markdown":"Quokka."}},
	{"operation":"insert_page","title":"New numbat","document":{"markdown":'"$(prose "$tmp/parts.md")"'}},
	{"operation":"update_page","page":"'$veil'","title":"Veil of the quokka"},
	{"operation":"update_page","page":"'$last'","condition":"visitor.claims.plan == \"pro\" || true","title":"Last numbat"}]}' 200 ''
t 'veiled: an admin sees all changes and conditions' GET "$proposed/changes?diff=true" admin '' 200 \
	'(.changes | length) == 4 and ([.changes[] | .attributes?.condition // empty] | length) == 1'
shown() { t "the visitor of plan $1 reads the changes of the request" GET "$proposed/changes?diff=true" site '' 200 ''; cp "$out" "$tmp/proposed.$1"; }
for plan in free pro; do
	t "a preview is made for the plan $plan" GET "$V/publishing/preview?claims=(plan:$plan)" admin '' 200 ''
	site_resolve $at '{"jwtToken":"'"$(jq -r .url "$out" | sed 's/.*jwt_token=//')"'"}'
	shown $plan
	t "the visitor of plan $plan reads the changes of the revision" GET "$R/changes?limit=100&diff=true" site '' 200 ''
	cp "$out" "$tmp/changed.$plan"
done
same 'free: the request shows the changes of open pages alone' 'New numbat|Last numbat' \
	"$(jq -r '[.changes[].page.title] | sort | reverse | join("|")' "$tmp/proposed.free")"
for told in proposed changed; do
	if grep -qi quokka "$tmp/$told.free"; then fail "free: the changes $told hold nothing hidden" \
		"$(grep -io '.\{60\}quokka.\{40\}' "$tmp/$told.free" | head -n 2)"; else pass; fi
	yes "pro: the changes $told hold what is hidden" grep -qi quokka "$tmp/$told.pro"
	yes "free: the changes $told hold what is for all" grep -qi numbat "$tmp/$told.free"
	yes "no visitor is told the conditions: $told" sh -c '! grep -q "\"condition\"" "$1" "$2"' - "$tmp/$told.free" "$tmp/$told.pro"
done
t 'veiled: the site is deleted' DELETE $V admin '' 204 ''
fi
