# What a customization and the frontmatter of a page say of how a site looks: parts of the frame
# that are shown or not, the picture above the text, and the style sheet of the site.
if [ $TRANSPORT = http ]; then

mkdir -p "$tmp/looks/.gitbook/assets"
cp "$tmp/repo/.gitbook/assets/dot.png" "$tmp/looks/.gitbook/assets/dot.png"
printf -- '---\nicon: rocket-launch\n---\n\n# Home\n\nWords.\n' >"$tmp/looks/README.md"
printf -- '---\nicon: no-such\ndescription: A few words\ncover: .gitbook/assets/dot.png\nlayout:\n  width: wide\n%s---\n\n# Laid out\n\n## One\n\nText <i class="fa-bell">:bell:</i> here.\n\n## Two\n\nText.\n' \
	"$(for part in title description tableOfContents outline pagination metadata; do printf '  %s:\n    visible: false\n' $part; done)
" >"$tmp/looks/laid.md"
printf -- '---\nicon: robot-of-tomorrow\ndescription: A few words\ncover: .gitbook/assets/dot.png\nlayout:\n  cover:\n    visible: false\n---\n\n# Whole\n\n## One\n\nText.\n\n## Two\n\nText.\n' >"$tmp/looks/whole.md"
printf '# Table of contents\n\n* [Home](README.md)\n* [Laid out](laid.md)\n* [Whole](whole.md)\n' >"$tmp/looks/SUMMARY.md"
git_in "$tmp/looks" init -q -b main
git_in "$tmp/looks" add -A
git_in "$tmp/looks" commit -q -m first
looks=$(octavo_json '.result.space // .space' import --org "$ORG" --title Looks --url "$tmp/looks")
t 'look: a site' POST /v1/orgs/$ORG/sites admin '{"title":"Looks","spaces":["'$looks'"]}' 201 ''
R=/v1/orgs/$ORG/sites/$(jq -r .id "$out") at=/sites/$ORG/looks
t 'look: published' POST $R/publish admin '' 200 ''

read_at $at/laid
same 'laid out: status' 200 "$code"
holds 'a cover' '<img src="'
holds 'a cover has its class' 'class="cover"'
holds 'an icon in text' '<svg class="i" viewBox="0 0 16 16" aria-hidden="true"><path d="'
holds 'wide' '<article class="broad">'
holds 'a title for those who hear it' '<h1 class="sr">Laid out</h1>'
lacks 'no description' 'class="lead"'
lacks 'no contents' 'id="~toc"'
lacks 'nor a link to them' 'href="#~toc"'
lacks 'no outline' 'id="~outline"'
lacks 'no way on' 'rel="next"'
lacks 'no facts' 'class="end"'
read_at "$(sed -n 's/.*<img src="\([^"]*\)".*/\1/p' "$out" | sed "s,^$below,,")"
same 'the cover is served' 200 "$code"
read_at $at/whole
lacks 'a cover that is off' 'class="cover"'
holds 'its title' '</svg>Whole</h1>'
for part in 'class="lead"' 'id="~toc"' 'id="~outline"' 'rel="prev"' 'class="end"'; do holds "whole: $part" "$part"; done

# Icons: of pages and sections in one picture, by the nearest name that is known; in text as they are.
read_at $at/whole
use=$(sed -n 's/.*<use href="\([^"]*~icons\/[0-9a-f]*[.]svg\)#.*/\1/p' "$out")
holds 'an icon of the contents' "<use href=\"$use#rocket-launch\"></use></svg>Home"
holds 'by the nearest name' "<use href=\"$use#robot\"></use></svg>Whole"
lacks 'a name that is none' 'no-such'
same 'icons that the page has: two and the title' 3 "$(grep -o '<use ' "$out" | grep -c .)"
read_at "${use#"$below"}"
same 'icons: status' 200 "$code"
same 'icons: type' image/svg+xml "$(header content-type)"
case $(header cache-control) in *immutable*) pass ;; *) fail 'icons: caching' "$(header cache-control)" ;; esac
same 'icons: those of the site alone' 2 "$(grep -o '<symbol ' "$out" | grep -c .)"
cp "$out" "$tmp/regular"
read_at "$(echo "${use#"$below"}" | sed 's/[0-9a-f]*[.]svg$/0123456789abcdef.svg/')"
same 'icons of another time: status' 200 "$code"
same 'icons of another time: not for good' '' "$(header cache-control | grep -o immutable)"
t 'look: solid icons' PUT $R/customization admin '{"styling":{"icons":"solid"}}' 200 ''
read_at $at/whole
lacks 'other icons, another name' "$use"
use=$(sed -n 's/.*<use href="\([^"]*~icons\/[0-9a-f]*[.]svg\)#.*/\1/p' "$out")
read_at "${use#"$below"}"
cmp -s "$out" "$tmp/regular" && fail 'solid icons' 'as before' || pass

# sheet BODY: the style sheet of the site once this is its customization
sheet() {
	t 'look: customized' PUT $R/customization admin "$1" 200 ''
	read_at $at/
	sheet_at=$(sed -n 's/.*<link rel="stylesheet" href="\([^"]*~look[^"]*\)".*/\1/p' "$out")
	[ -z "$sheet_at" ] || read_at "${sheet_at#"$below"}"
}
sheet '{"styling":{"font":"RobotoSlab","monospaceFont":"JetBrainsMono","links":"accent","depth":"flat","background":"match",
	"codeTheme":{"default":{"light":"monochrome-light","dark":"nord"},"openapi":{"light":"nord","dark":"nord"}}}}'
holds 'font: of its kind, where it is not there' ":root{font-family:'Roboto Slab',Rockwell"
holds 'font of code' "code,kbd,pre,.type{font-family:'JetBrains Mono',"
holds 'links' 'text-decoration-color:var(--accent)'
holds 'depth' '--lift:none'
holds 'ground' '--bg:color-mix(in srgb,var(--accent) 3%,#fff)'
same 'one colour of code by day alone' 1 "$(grep -c -- '--k:currentColor' "$out")"
lacks 'nothing is fetched' 'url('
sheet '{"styling":{"font":{"id":"own","custom":true,"fontFamily":"House Sans","fontFaces":[]}}}'
holds 'a font by its name' ":root{font-family:'House Sans',system-ui"
sheet '{"styling":{"font":{"id":"own","custom":true,"fontFamily":"x'"'"'}*{color:red","fontFaces":[]}}}'
lacks 'a name that is more than one' 'color:red'

t 'look: around' PUT $R/customization admin '{"trademark":{"enabled":true},"header":{"primaryLink":{"kind":"url","url":"https://acme.example/"}},
	"socialAccounts":[{"platform":"github","handle":"acme","display":{"header":true,"footer":false}},
	{"platform":"mastodon","handle":"@acme@social.example","display":{"header":false,"footer":true}},
	{"platform":"medium","handle":"\"><b>","display":{"header":true,"footer":true}}]}' 200 ''
read_at $at/
holds 'where the logo leads' '<a class="home" href="https://acme.example/">'
holds 'an account in the header' '<a href="https://github.com/acme">GitHub</a>'
holds 'one in the footer' '<a href="https://social.example/@acme">Mastodon</a>'
lacks 'a handle that is none' 'Medium'
holds 'what made the site' '<p>Octavo</p>'

# A long table of contents is folded by its groups, but for the one of the page.
lacks 'a short one is not' '<summary class="group">'
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
t 'long: a site' POST /v1/orgs/$ORG/sites admin '{"title":"Long","spaces":["'$long'"]}' 201 ''
long_site=/v1/orgs/$ORG/sites/$(jq -r .id "$out")
t 'long: published' POST $long_site/publish admin '' 200 ''
two=$(curl -s "$base/sites/$ORG/long/sitemap.xml" | sed -n 's,.*<loc>[^<]*/long/\([^<]*two-7\)</loc>.*,\1,p' | head -n 1)
read_at /sites/$ORG/long/$two
same 'long: a page of the second group' 200 "$code"
same 'long: its groups' 3 "$(grep -o '<summary class="group">' "$out" | grep -c .)"
holds 'long: its own is open' '<details open><summary class="group">Group two</summary>'
same 'long: the others are not' 1 "$(grep -o '<details open>' "$out" | grep -c .)"
holds 'long: they are there all the same' 'Page 25 of three</a>'
# Other cases count the sites of the organization.
t 'long: the site goes' DELETE $long_site admin '' 204 ''
t 'look: the site goes' DELETE $R admin '' 204 ''
for gone in $long $looks; do send DELETE /v1/spaces/$gone admin ''; done
fi
