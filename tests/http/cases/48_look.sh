# Customization and frontmatter that change the look of a site: parts of the frame that are shown or
# not, the picture above the text, and the style sheet.
if [ $TRANSPORT = http ]; then

mkdir -p "$tmp/looks/.gitbook/assets"
cp "$tmp/repo/.gitbook/assets/dot.png" "$tmp/looks/.gitbook/assets/dot.png"
printf -- '---\nicon: rocket-launch\n---\n\n# Home\n\nWords.\n' >"$tmp/looks/README.md"
printf -- \
	'---\nicon: no-such\ndescription: A few words\ncover: .gitbook/assets/dot.png\nlayout:\n  width: wide\n%s---\n\n# Laid out\n\n## One\n\n'\
'Text <i class="fa-bell">:bell:</i> here.\n\n## Two\n\nText.\n' \
	"$(for part in title description tableOfContents outline pagination metadata; do printf '  %s:\n    visible: false\n' $part; done)
" >"$tmp/looks/laid.md"
printf -- \
	'---\nicon: robot-of-tomorrow\ndescription: A few words\ncover: .gitbook/assets/dot.png\nlayout:\n  cover:\n    visible: false\n---\n\n# Whole\n\n'\
'## One\n\nText.\n\n## Two\n\nText.\n' >"$tmp/looks/whole.md"
printf '# Table of contents\n\n* [Home](README.md)\n* [Laid out](laid.md)\n* [Whole](whole.md)\n* [Coded](coded.md)\n' >"$tmp/looks/SUMMARY.md"
# More code than a reader waits for: 40 blocks take more than half a second.
{ echo '# Coded'; for n in $(seq 40); do printf '\n```js\nconst first%s = { a: [%s] }\n```\n' $n $n; done; } >"$tmp/looks/coded.md"
git_in "$tmp/looks" init -q -b main
git_in "$tmp/looks" add -A
git_in "$tmp/looks" commit -q -m first
looks=$(octavo_json '.result.space // .space' import --org "$ORG" --title Looks --url "$tmp/looks")
t 'look: a site is created' POST /v1/orgs/$ORG/sites admin '{"title":"Looks","spaces":["'$looks'"]}' 201 ''
R=/v1/orgs/$ORG/sites/$(jq -r .id "$out") at=/sites/$ORG_NAME/looks
t 'look: the site is published' POST $R/publish admin '' 200 ''
jobs_once
for n in $(seq 200); do
	[ "$(find "$dir/cache/typeset" -type f 2>/dev/null | grep -c .)" -ge 40 ] && break
	sleep 0.1
done
read_at $at/coded
for n in $(seq 200); do
	[ "$(sql "SELECT count(*) FROM job WHERE kind = 'typeset' AND space = '$looks' AND state IN ('queued', 'running')")" = 0 ] && break
	sleep 0.1
done
# A job of this space, as the schedule queues it. Prints its state, and how many pages it has set.
lo_set() {
	sql "INSERT INTO job (id, kind, space, args, run_at, created_at, cancel) SELECT '$1', kind, space, args, 0, 0, $2 FROM schedule
		WHERE id = 'typeset:$looks'"
	for n in $(seq 200); do
		jobs_once
		[ "$(sql "SELECT count(*) FROM job WHERE id = '$1' AND state IN ('queued', 'running')")" = 0 ] && break
		sleep 0.1
	done
	echo "$(sql "SELECT state FROM job WHERE id = '$1'") $(sql "SELECT result FROM job WHERE id = '$1'" | jq -r '.pages // ""')"
}
same 'what is set is not set again' 'done 0' "$(lo_set lo-again 0)"
rm -rf "$dir/cache/typeset"
same 'a job that is cancelled sets nothing' 'cancelled ' "$(lo_set lo-cancelled 1)"
same 'a cache that was deleted is filled again' 'done 4' "$(lo_set lo-gone 0)"
same 'and then is full' 'done 0' "$(lo_set lo-full 0)"
same 'the first reader gets all code in colours' 40 "$(grep -o '<span class="k">const</span>' "$out" | grep -c .)"

read_at $at/laid
same 'a page with a layout is shown' 200 "$code"
holds 'a cover is shown' '<img src="'
holds 'a cover has its class' 'class="cover"'
holds 'an icon in text is drawn' '<svg class="i" viewBox="0 0 16 16" aria-hidden="true"><path d="'
holds 'a wide page has its class' '<article class="broad">'
holds 'a hidden title is there for screen readers' '<h1 class="sr">Laid out</h1>'
lacks 'a hidden description is not shown' 'class="lead"'
lacks 'a hidden table of contents is not shown' 'id="~toc"'
lacks 'a hidden table of contents has no link to it' 'href="#~toc"'
lacks 'a hidden outline is not shown' 'id="~outline"'
lacks 'hidden pagination is not shown' 'rel="next"'
lacks 'hidden metadata are not shown' 'class="end"'
read_at "$(sed -n 's/.*<img src="\([^"]*\)".*/\1/p' "$out" | sed "s,^$below,,")"
same 'the cover is served' 200 "$code"
read_at $at/whole
lacks 'a hidden cover is not shown' 'class="cover"'
holds 'a title is shown by default' '</svg>Whole</h1>'
for part in 'class="lead"' 'id="~toc"' 'id="~outline"' 'rel="prev"' 'class="end"'; do holds "a part is shown by default: $part" "$part"; done

# Icons: of pages and sections in one sprite, by the most similar known name; in text as they are.
read_at $at/whole
use=$(sed -n 's/.*<use href="\([^"]*~icons\/[0-9a-f]*[.]svg\)#.*/\1/p' "$out")
holds 'an icon of the contents refers to the icon sheet' "<use href=\"$use#rocket-launch\"></use></svg>Home"
holds 'an unknown icon is drawn by the nearest known name' "<use href=\"$use#robot\"></use></svg>Whole"
lacks 'an icon that is like none is left out' 'no-such'
same 'only the icons of the page are referred to' 3 "$(grep -o '<use ' "$out" | grep -c .)"
read_at "${use#"$below"}"
same 'the icon sheet is served' 200 "$code"
same 'the icon sheet is SVG' image/svg+xml "$(header content-type)"
case $(header cache-control) in *immutable*) pass ;; *) fail 'the icon sheet is cached for good' "$(header cache-control)" ;; esac
same 'the icon sheet has the icons of the site alone' 2 "$(grep -o '<symbol ' "$out" | grep -c .)"
cp "$out" "$tmp/regular"
read_at "$(echo "${use#"$below"}" | sed 's/[0-9a-f]*[.]svg$/0123456789abcdef.svg/')"
same 'an icon sheet of another time is served' 200 "$code"
same 'an icon sheet of another time is not cached for good' '' "$(header cache-control | grep -o immutable)"
t 'look: solid icons are chosen' PUT $R/customization admin '{"styling":{"icons":"solid"}}' 200 ''
read_at $at/whole
lacks 'other icons have another address' "$use"
use=$(sed -n 's/.*<use href="\([^"]*~icons\/[0-9a-f]*[.]svg\)#.*/\1/p' "$out")
read_at "${use#"$below"}"
cmp -s "$out" "$tmp/regular" && fail 'solid icons are other drawings' 'as before' || pass

# sheet BODY: the site's style sheet after its customization is set to BODY
sheet() {
	t 'look: the site is customized' PUT $R/customization admin "$1" 200 ''
	read_at $at/
	sheet_at=$(sed -n 's/.*<link rel="stylesheet" href="\([^"]*~look[^"]*\)".*/\1/p' "$out")
	[ -z "$sheet_at" ] || read_at "${sheet_at#"$below"}"
}
sheet '{"styling":{"font":"RobotoSlab","monospaceFont":"JetBrainsMono","links":"accent","depth":"flat","background":"match",
	"codeTheme":{"default":{"light":"monochrome-light","dark":"nord"},"openapi":{"light":"nord","dark":"nord"}}}}'
holds 'a known font has a fallback of its kind' ":root{font-family:'Roboto Slab',Rockwell"
holds 'the font of code is set' "code,kbd,pre,.type{font-family:'JetBrains Mono',"
holds 'the style of links is set' 'text-decoration-color:var(--accent)'
holds 'the depth is set' '--lift:none'
holds 'the background is set' '--bg:color-mix(in srgb,var(--accent) 3%,#fff)'
same 'the code theme of the day is monochrome alone' 1 "$(grep -c -- '--k:currentColor' "$out")"
lacks 'a style sheet fetches nothing' 'url('
sheet '{"styling":{"font":{"id":"own","custom":true,"fontFamily":"House Sans","fontFaces":[]}}}'
holds 'a font of its own is set by name' ":root{font-family:'House Sans',system-ui"
sheet '{"styling":{"font":{"id":"own","custom":true,"fontFamily":"x'"'"'}*{color:red","fontFaces":[]}}}'
lacks 'a font name that closes its string is left out' 'color:red'

t 'look: a link of the header needs a title alone' PUT $R/customization admin '{"header":{"links":[{"title":"Alone"}]}}' 200 \
	'.header.links == [{"title":"Alone","style":"link","to":null,"links":[]}]'
# The manual lists each member with its effect, and no other.
read_at /v1/openapi.json
jq -r -f tests/http/members.jq "$out" | sort >"$tmp/look_members"
sed -n 's/^| `\([^`]*\)` |.*/\1/p' docs/content/customization.md | sort >"$tmp/look_manual"
same 'the manual lists the members of the customization' '' "$(diff "$tmp/look_members" "$tmp/look_manual")"
t 'look: trademark, logo link and accounts are set' PUT $R/customization admin \
	'{"trademark":{"enabled":true},"header":{"primaryLink":{"kind":"url","url":"https://acme.example/"}},
	"socialAccounts":[{"platform":"github","handle":"acme","display":{"header":true,"footer":false}},
	{"platform":"mastodon","handle":"@acme@social.example","display":{"header":false,"footer":true}},
	{"platform":"medium","handle":"\"><b>","display":{"header":true,"footer":true}}]}' 200 ''
read_at $at/
holds 'the logo has its link' '<a class="home" href="https://acme.example/">'
holds 'an account is in the header' '<a href="https://github.com/acme" rel="me noopener" aria-label="GitHub"'
holds 'an account is in the footer' '<a href="https://social.example/@acme" rel="me noopener" aria-label="Mastodon"'
lacks 'an account of a strange handle is left out' 'Medium'
holds 'the trademark is shown' '<p>Octavo</p>'

# A long table of contents is collapsed by groups, except for the group of the current page.
lacks 'a short table of contents is not folded' '<summary class="group">'
mkdir "$tmp/long_contents"
printf '# Home\n\nWords.\n' >"$tmp/long_contents/README.md"
printf '# Table of contents\n\n* [Home](README.md)\n' >"$tmp/long_contents/SUMMARY.md"
for group in one two three; do
	printf '\n## Group %s\n\n' $group
	for page in $(seq 25); do
		printf '# Page %s of %s\n\nWords.\n' $page $group >"$tmp/long_contents/$group-$page.md"
		printf '* [Page %s of %s](%s-%s.md)\n' $page $group $group $page
	done
done >>"$tmp/long_contents/SUMMARY.md"
git_in "$tmp/long_contents" init -q -b main
git_in "$tmp/long_contents" add -A
git_in "$tmp/long_contents" commit -q -m first
long=$(octavo_json '.result.space // .space' import --org "$ORG" --title Long --url "$tmp/long_contents")
t 'long: a site is created' POST /v1/orgs/$ORG/sites admin '{"title":"Long","spaces":["'$long'"]}' 201 ''
long_site=/v1/orgs/$ORG/sites/$(jq -r .id "$out")
t 'long: the site is published' POST $long_site/publish admin '' 200 ''
two=$(curl -s "$base/sites/$ORG_NAME/long/sitemap.xml" | sed -n 's,.*<loc>[^<]*/long/\([^<]*two-7\)</loc>.*,\1,p' | head -n 1)
read_at /sites/$ORG_NAME/long/$two
same 'long: a page of the second group is shown' 200 "$code"
same 'long: a long table of contents is folded by groups' 3 "$(grep -o '<summary class="group">' "$out" | grep -c .)"
holds 'long: the group of the page is open' '<details open><summary class="group">Group two</summary>'
same 'long: the other groups are closed' 1 "$(grep -o '<details open>' "$out" | grep -c .)"
holds 'long: closed groups have their pages' 'Page 25 of three</a>'
# Other cases count the sites of the organization.
t 'long: the site is deleted' DELETE $long_site admin '' 204 ''
t 'look: the site is deleted' DELETE $R admin '' 204 ''
for gone in $long $looks; do send DELETE /v1/spaces/$gone admin ''; done
fi
