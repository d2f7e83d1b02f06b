# A visitor sees a file or reusable content only if content that they see uses it. Names of visible
# ones contain "numbat", names of hidden ones "wombat".
if [ $TRANSPORT = http ]; then
UN=$tmp/unused
mkdir -p "$UN/.gitbook/assets" "$UN/.gitbook/includes"
unused_png() { for up in "$@"; do cp "$tmp/repo/.gitbook/assets/dot.png" "$UN/.gitbook/assets/$up.png"; printf "$up" >>"$UN/.gitbook/assets/$up.png"; done; }
unused_png numbat-page numbat-html numbat-shared numbat-nested numbat-cover numbat-dark numbat-card numbat-unlisted numbat-tree numbat-redirect numbat-header \
	wombat-nowhere wombat-comment wombat-content wombat-loop wombat-if wombat-page wombat-below wombat-cover wombat-shared wombat-draft \
		wombat-deleted wombat-before
printf '* [Home](README.md)\n* [Shown](shown.md)\n* [Tree](.gitbook/assets/numbat-tree.png)\n* [Veil](veil.md)\n  * [Below](below.md)\n'\
'* [Gone](gone.md)\n' >"$UN/SUMMARY.md"
printf 'redirects:\n  manual: .gitbook/assets/numbat-redirect.png\n  start: shown.md\n' >"$UN/.gitbook.yaml"
cat >"$UN/README.md" <<'EOF'
---
cover: .gitbook/assets/numbat-cover.png
coverDark: .gitbook/assets/numbat-dark.png
---

# Home

![](.gitbook/assets/numbat-page.png) <img src=".gitbook/assets/numbat-html.png" alt=""> ![](.gitbook/assets/wombat-before.png)

<!-- ![](.gitbook/assets/wombat-comment.png) -->

{% include ".gitbook/includes/numbat-open.md" %}

{% if visitor.claims.plan == "pro" %}
![](.gitbook/assets/wombat-if.png)

{% include ".gitbook/includes/wombat-if.md" %}
{% endif %}
EOF
cat >"$UN/shown.md" <<'EOF'
# Shown

<table data-view="cards"><thead><tr><th></th><th data-hidden data-card-cover data-type="files"></th></tr></thead>
<tbody><tr><td>One</td><td><a href=".gitbook/assets/numbat-card.png">card</a></td></tr></tbody></table>

[Not listed](unlisted.md)
EOF
printf -- '---\nhidden: true\n---\n\n# Not listed\n\n![](.gitbook/assets/numbat-unlisted.png)\n' >"$UN/unlisted.md"
sed -i '/Shown/a * [Not listed](unlisted.md)' "$UN/SUMMARY.md"
printf -- \
	'---\nif: visitor.claims.plan == "pro"\ncover: .gitbook/assets/wombat-cover.png\n---\n\n# Veil\n\n![](.gitbook/assets/wombat-page.png)\n\n'\
'{%% include ".gitbook/includes/wombat-veiled.md" %%}\n' >"$UN/veil.md"
printf '# Below\n\n![](.gitbook/assets/wombat-below.png)\n' >"$UN/below.md"
printf '# Gone\n\n![](.gitbook/assets/wombat-deleted.png)\n\n{%% include ".gitbook/includes/wombat-gone.md" %%}\n' >"$UN/gone.md"
unused_content() { printf "$2" >"$UN/.gitbook/includes/$1.md"; }
unused_content numbat-open \
	'![](../assets/numbat-shared.png)\n\n{%% include "numbat-nested.md" %%}\n\n{%% if visitor.claims.plan == "pro" %%}\n'\
'![](../assets/wombat-shared.png)\n{%% endif %%}\n'
unused_content numbat-nested '![](../assets/numbat-nested.png)\n'
unused_content wombat-if 'Words.\n'
unused_content wombat-veiled 'Words.\n'
unused_content wombat-gone 'Words.\n'
unused_content wombat-nobody '![](../assets/wombat-content.png)\n'
# Two that use each other, and that nothing else uses.
unused_content wombat-one '{%% include "wombat-two.md" %%}\n'
unused_content wombat-two '![](../assets/wombat-loop.png)\n\n{%% include "wombat-one.md" %%}\n'
git_in "$UN" init -q -b main
git_in "$UN" add -A
git_in "$UN" commit -q -m one
unused=$(octavo_json .result.space import --org "$ORG" --title 'Uses' --url "$UN")
other_unused=$(space_empty 'Variant of uses')
unused_id() { jq -r --arg name "$1" '.files[] | select(.name == $name) | .id' "$tmp/unused.all"; }
get /v1/spaces/$unused/content admin
cp "$out" "$tmp/unused.all"
same 'unused: all files are imported' 23 "$(jq '.files | length' "$tmp/unused.all")"
unused_page() { jq -r --arg path "$1" '[.pages | .. | objects | select(.path? == $path and .type? == "document")][0].id' "$tmp/unused.all"; }
space_write $other_unused '{"changes":[{"operation":"insert_page","title":"Start","document":{"markdown":"Words."}}]}'
t 'unused: a site is created' POST /v1/orgs/$ORG/sites admin '{"title":"Uses","spaces":["'$unused'"]}' 201 ''
US=/v1/orgs/$ORG/sites/$(jq -r .id "$out")
t 'unused: the header links to a file' PUT $US/customization admin '{"header":{"preset":"default","links":[{"title":"Sheet","to":{"kind":"file",
	"file":"'$(unused_id numbat-header.png)'"},"links":[]},{"title":"Pro","to":{"kind":"file","file":"'$(unused_id wombat-nowhere.png)'"},"links":[],
	"condition":"visitor.claims.plan == \"pro\""}]}}' 200 ''
t 'unused: adaptive content is switched on' PATCH $US admin '{"adaptiveContent":{"enabled":true}}' 200 ''
t 'unused: the site is published' POST $US/publish admin '' 200 ''
unused_at=$(jq -r .urls.published "$out")
# Used by proposed content only, by a deleted page, and by an earlier version of a page.
unused_head=$(jq -r .id "$tmp/unused.all")
site_resolve $unused_at
cp "$tmp/tokens/site" "$tmp/tokens/site_unused"
t 'unused: a change request is opened' POST /v1/spaces/$unused/change-requests admin '{}' 201 ''
t 'unused: the request shows a file' POST "/v1/spaces/$unused/change-requests/$(jq -r .id "$out")/content?compat=false" admin \
	'{"changes":[{"operation":"update_page","page":"'$(unused_page shown)'","document":{"markdown":"![](/files/'$(unused_id wombat-draft.png)')"}}]}' 200 ''
space_write $unused '{"changes":[{"operation":"delete_page","page":"'$(unused_page gone)'"}]}'
get "/v1/spaces/$unused/content/page/$(unused_page readme)?format=markdown" admin
unused_text=$(jq '.markdown | sub("!\\[[^\\]]*\\]\\([^)]*wombat-before.png\\)"; "") | sub("^# Home\n+"; "")' "$out")
space_write $unused '{"changes":[{"operation":"update_page","page":"'$(unused_page readme)'","document":{"markdown":'"$unused_text"'}}]}'
get /v1/spaces/$unused admin
unused_now=$(jq -r .revision "$out")
unused_is() { same "$1" "$2" "$(jq -r '[(.files[].name, .reusableContents[].title) | select(test("wombat"; "i"))] | sort | join(" ")' "$out")"; }
# unused_list CALLER REVISION: the same in the list, one by one, and in the revision
unused_list() {
	get "/v1/spaces/$unused/revisions/$2/files?limit=1000" $1
	jq -r '.items[].name' "$out" | sort >"$tmp/unused.list"
	same "$1: the count of files is that of the list" "$(wc -l <"$tmp/unused.list")" "$(jq .count "$out")"
	get /v1/spaces/$unused/revisions/$2 $1
	same "$1: the revision has the files of the list" "$(cat "$tmp/unused.list")" "$(jq -r '.files[].name' "$out" | sort)"
	jq -r '.files[] | [.id, .name] | @tsv' "$tmp/unused.all" | while read -r id name; do
		grep -qx "$name" "$tmp/unused.list" && want=200 || want=404
		get /v1/spaces/$unused/revisions/$2/files/$id $1
		[ "$code" = $want ] || echo "$name $code"
	done >"$tmp/unused.wrong"
	same "$1: a file answers 200 only where it is in the list" '' "$(cat "$tmp/unused.wrong")"
}
site_resolve $unused_at
unused_list site $unused_now
get /v1/spaces/$unused/revisions/$unused_now site
unused_is 'a visitor sees no file that nothing shown uses' ''
same 'a visitor sees every file that something shown uses' \
	'numbat-card.png numbat-cover.png numbat-dark.png numbat-header.png numbat-html.png numbat-nested.png numbat-page.png numbat-redirect.png '\
'numbat-shared.png numbat-tree.png numbat-unlisted.png' \
	"$(jq -r '[.files[].name] | sort | join(" ")' "$out")"
same 'a visitor sees the reusable content that is shown' 2 "$(jq '.reusableContents | length' "$out")"
jq -r '.reusableContents[] | [.id, .title] | @tsv' "$tmp/unused.all" | while read -r id title; do
	case $title in [Ww]ombat*) want=404 ;; *) want=200 ;; esac
	for way in "$id" "$id/document"; do
		get /v1/spaces/$unused/revisions/$unused_now/reusable-contents/$way site
		[ "$code" = $want ] || echo "$title $way $code"
	done
done >"$tmp/unused.wrong"
same 'reusable content answers 404 where it is not shown' '' "$(cat "$tmp/unused.wrong")"
# A visitor who came before reads the content of that time by its revision, which is in no table of links.
unused_list site_unused $unused_head
get /v1/spaces/$unused/revisions/$unused_head site_unused
unused_is 'a visitor of the older revision sees what it used' 'Wombat gone wombat-before.png wombat-deleted.png'
# A URL given at that time stays valid: it was made for that visitor, and a later revision only stops using the file.
unused_url=$(jq -r '.files[] | select(.name == "wombat-before.png") | .downloadURL' "$out")
same 'the address of a file stays valid after the file is used no more' 200 "$(curl -sg -o /dev/null -w '%{http_code}' "$unused_url")"
# On the site, by the URLs in pages, while pages show the file.
unused_site() { curl -sgL "$unused_at" | grep -o 'src="[^"]*'$1'.png' | head -n 1 | cut -d'"' -f2 | sed 's,^.*/~,~,'; }
unused_shown=$(unused_site numbat-page)
same 'the bytes of a file that a page shows are served' 200 "$(curl -sg -o /dev/null -w '%{http_code}' "$unused_at$unused_shown")"
same 'a redirect leads to a file' 302,200 \
	"$(curl -sg -o /dev/null -w '%{http_code}' "${unused_at}manual"),$(curl -sgL -o /dev/null -w '%{http_code}' "${unused_at}manual")"
same 'a file that the table of contents links to is served' 200 \
	"$(curl -sg -o /dev/null -w '%{http_code}' "$unused_at$(curl -sgL "$unused_at" | grep -o 'href="[^"]*numbat-tree.png' |
		head -n 1 | cut -d'"' -f2 | sed 's,^.*/~,~,')")"
unused_forged=$(printf '%s' "$unused_shown" | sed "s,/$(unused_id numbat-page.png)/[^/]*/,/$(unused_id wombat-nowhere.png)/$(sql "SELECT \
lower(substr(hex(body), 1, 16)) FROM node WHERE id = '$(unused_id wombat-nowhere.png)'")/,")
same 'the bytes of a file that nothing shows answer 404' 404 "$(curl -sg -o /dev/null -w '%{http_code}' "$unused_at$unused_forged")"
# With claims the other used ones are visible.
get $US/publishing/auth admin
unused_jwt=$(jwt_make "$(jq -r .privateKey "$out")" '{"plan":"pro","exp":'$(($(date +%s) + 3000))'}')
site_resolve $unused_at '{"jwtToken":"'$unused_jwt'"}'
get /v1/spaces/$unused/revisions/$unused_now site
unused_is 'a visitor with the claim sees what hidden pages use' \
	'Wombat if Wombat veiled wombat-below.png wombat-cover.png wombat-if.png wombat-nowhere.png wombat-page.png wombat-shared.png'
# A link to a file of another space of the site.
t 'unused: a second variant is added' POST $US/site-spaces admin '{"spaceId":"'$other_unused'"}' 201 ''
t 'unused: the variant links to a file of the first' PATCH $US/site-spaces/$(jq -r .id "$out")/customization admin \
	'{"header":{"preset":"default","links":[{"title":"Sheet","to":{"kind":"file","file":"'$(unused_id wombat-content.png)'","space":"'$unused'"},
	"links":[]}]}}' 200 ''
site_resolve $unused_at
get /v1/spaces/$unused/revisions/$unused_now site
same 'a file that the header of another variant links to is seen' 'wombat-content.png' "$(jq -r '[.files[].name | select(test("wombat"))] | join(" ")' "$out")"
# Members see all files, used or not.
get /v1/spaces/$unused/content read
same 'a member sees all files' 23 "$(jq '.files | length' "$out")"
t 'unused: the site is deleted' DELETE $US admin '' 204 ''
fi
