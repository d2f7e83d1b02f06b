# Files of sites: uploads by a signed address, fonts that are made of them, and customizations that name
# them; the pages that use them, and what the daily sweep removes.
sf_files=/v1/orgs/$ORG/storage/upload
# sf_ask NAME KIND SIZE: asks for an address; $sf_put is its path and query, $sf_key the storage key, $sf_at the file's address
sf_ask() {
	t "site files: an address for $1 is answered" POST $sf_files create '{"kind":"'"$2"'","file":{"name":"'"$1"'","type":"x/y","size":'"$3"'}}' 201 \
		'.object == "storage-signed-url" and (. as $a | .address | contains("/~stored/" + $a.key + "/"))'
	sf_put=$(jq -r '.url | sub(".*/v1/"; "/v1/")' "$out") sf_key=$(jq -r .key "$out") sf_at=$(jq -r .address "$out")
}
# sf_upload NAME KIND FILE
sf_upload() {
	sf_ask "$1" "$2" "$(wc -c <"$3" | tr -d ' ')"
	t "site files: $1 is uploaded without a token" PUT "$sf_put" - "@$3" 204 '' 'Content-Type: x/y'
}
printf '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>1</script></svg>' >"$tmp/sf.svg"
# sf_font MAGIC FILE: 64 bytes that have a font's signature, length and number of tables
sf_font() { printf "$1"'\0\1\0\0\0\0\0\100\0\1\0\0%048d' 0 >"$2"; }
sf_font wOF2 "$tmp/sf.woff2"
sf_font wOFF "$tmp/sf.woff"

# ---- the address ----
sf_refuse() { t "site files: $1" POST $sf_files create "$2" 400 "$3"; }
sf_refuse 'a font is no picture' '{"kind":"organization_file","file":{"name":"a.woff2","type":"","size":1}}' '.fields[0].path == "/file/name"'
sf_refuse 'a picture is no font' '{"kind":"customization_font","file":{"name":"a.svg","type":"","size":1}}' '.fields[0].path == "/file/name"'
sf_refuse 'a page is neither' '{"kind":"organization_file","file":{"name":"a.html","type":"","size":1}}' '.fields[0].path == "/file/name"'
sf_refuse 'a name is no path' '{"kind":"organization_file","file":{"name":"a/b.png","type":"","size":1}}' '.fields[0].path == "/file/name"'
sf_refuse 'files have 8 MB at most' '{"kind":"organization_file","file":{"name":"a.png","type":"","size":8388609}}' '.fields[0].path == "/file/size"'
sf_refuse 'there are no other kinds' '{"kind":"any_file","file":{"name":"a.png","type":"","size":1}}' '.fields[0].path == "/kind"'
t 'site files: a reader uploads nothing' POST $sf_files read '{"kind":"organization_file","file":{"name":"a.png","type":"","size":1}}' 403 ''

# ---- the bytes ----
sf_upload sf.svg organization_file "$tmp/sf.svg"
sf_logo=$sf_at sf_logo_key=$sf_key
t 'site files: the same bytes once more change nothing' PUT "$sf_put" - "@$tmp/sf.svg" 204 ''
sed 's/2000/1000/' "$tmp/sf.svg" >"$tmp/sf2.svg"
t 'site files: other bytes for the same address answer 409' PUT "$sf_put" - "@$tmp/sf2.svg" 409 ''
t 'site files: a spoilt signature answers 403' PUT "${sf_put}x" - "@$tmp/sf.svg" 403 ''
t 'site files: an address of the past answers 403' PUT "$(echo "$sf_put" | sed 's/expires=[0-9]*/expires=1/')" - "@$tmp/sf.svg" 403 ''
t 'site files: a signature is for one file' PUT "$(echo "$sf_put" | sed "s,storage/[^?]*,storage/other,")" - "@$tmp/sf.svg" 403 ''
sf_ask two.png organization_file 85
t 'site files: other bytes than those of the name answer 400' PUT "$sf_put" - "@$tmp/sf.svg" 400 '.error.message | test("bytes")'
sf_ask three.svg organization_file 85
t 'site files: fewer bytes than announced answer 400' PUT "$sf_put" - '<svg/>' 400 '.error.message | test("announced")'
t 'site files: no bytes answer 400' PUT "$sf_put" - '' 400 ''
sf_ask four.woff2 customization_font 64
t 'site files: the other format of fonts answers 400' PUT "$sf_put" - "@$tmp/sf.woff" 400 ''
t 'site files: an address is asked for with an idempotency key' POST $sf_files create \
	'{"kind":"organization_file","file":{"name":"k.svg","type":"","size":1}}' 201 '' 'Idempotency-Key: site-files'
t 'site files: the same key for another file answers 409' POST $sf_files create \
	'{"kind":"organization_file","file":{"name":"k.svg","type":"","size":2}}' 409 '' 'Idempotency-Key: site-files'
sf_late=$sf_put sf_none=$sf_key
sql "DELETE FROM stored_file WHERE id = '$sf_none'"
t 'site files: a file that is no longer expected answers 404' PUT "$sf_late" - "@$tmp/sf.woff2" 404 ''
sf_upload sf.woff2 customization_font "$tmp/sf.woff2"
sf_regular=$sf_key
sf_upload sf.woff customization_font "$tmp/sf.woff"
sf_bold=$sf_key
sf_recorded="FROM audit_event WHERE action = 'site-file.uploaded' AND actor = '$U_create' AND org = '$ORG'"
same 'site files: each upload is in the record' 3 "$(sql "SELECT count(*) $sf_recorded")"
# Whoever has lost the role stores nothing with an address from before.
t 'site files: a second manager' POST $sf_files admin '{"kind":"organization_file","file":{"name":"a.svg","type":"","size":85}}' 201 ''
sf_put=$(jq -r '.url | sub(".*/v1/"; "/v1/")' "$out")
sql "UPDATE member SET role = 1 WHERE org = '$ORG' AND account = '$U_admin'"
t 'site files: an address of somebody who lost the role answers 403' PUT "$sf_put" - "@$tmp/sf.svg" 403 ''
sql "UPDATE member SET role = 6 WHERE org = '$ORG' AND account = '$U_admin'"
user_new sflost "$ORG" admin
t 'site files: a third manager' POST $sf_files sflost '{"kind":"organization_file","file":{"name":"a.svg","type":"","size":85}}' 201 ''
sf_put=$(jq -r '.url | sub(".*/v1/"; "/v1/")' "$out")
sql "UPDATE account SET disabled = 1 WHERE id = '$U_sflost'"
t 'site files: an address of a disabled account answers 403' PUT "$sf_put" - "@$tmp/sf.svg" 403 ''
sql "UPDATE account SET disabled = 0 WHERE id = '$U_sflost'"
t 'site files: it is stored once the account is enabled' PUT "$sf_put" - "@$tmp/sf.svg" 204 ''

# ---- fonts ----
sf_fonts=/v1/orgs/$ORG/fonts
sf_made() { t "fonts: $1" PUT $sf_fonts create "$2" "$3" "$4"; }
sf_made 'one needs the weight 400' '{"fontFamily":"House","fontFaces":[{"weight":700,"storageKey":"'$sf_bold'"}]}' 412 ''
sf_made 'a picture is none' '{"fontFamily":"House","fontFaces":[{"weight":400,"storageKey":"'$sf_logo_key'"}]}' 412 ''
sf_made 'an unknown key is none' '{"fontFamily":"House","fontFaces":[{"weight":400,"storageKey":"none"}]}' 412 ''
sf_made 'a weight has one file' '{"fontFamily":"House","fontFaces":[{"weight":400,"storageKey":"'$sf_bold'"},{"weight":400,"storageKey":"'$sf_bold'"}]}' 412 ''
t 'fonts: a file of another organization is none' PUT /v1/orgs/$ORG_B/fonts other \
	'{"fontFamily":"House","fontFaces":[{"weight":400,"storageKey":"'$sf_regular'"}]}' 412 ''
t 'fonts: nothing of that is kept' GET $sf_fonts read '' 200 '.items == [] and .count == 0'
sf_made 'one is made' '{"fontFamily":"House Sans","fontFaces":[{"weight":400,"storageKey":"'$sf_regular'"}]}' 201 \
	'.custom and .fontFaces[0].sources[0].format == "woff2" and .permissions.edit'
cp "$out" "$tmp/sf.font"
sf_font_id=$(jq -r .id "$out")
t 'fonts: a reader may not change it' GET $sf_fonts/$sf_font_id read '' 200 '.permissions.edit == false'
t 'fonts: it is in the list' GET $sf_fonts read '' 200 '.items[0].id == "'$sf_font_id'" and .count == 1'
t 'fonts: a weight is added' POST $sf_fonts/$sf_font_id create '{"fontFaces":[{"weight":700,"storageKey":"'$sf_bold'"}]}' 201 \
	'[.fontFaces[].weight] == [400,700] and .fontFaces[1].sources[0].format == "woff"'
t 'fonts: the regular weight stays' POST $sf_fonts/$sf_font_id create '{"fontFaces":[{"weight":400,"storageKey":null}]}' 412 ''
t 'fonts: a weight ends' POST $sf_fonts/$sf_font_id create '{"fontFamily":"House","fontFaces":[{"weight":700,"storageKey":null}]}' 201 \
	'[.fontFaces[].weight] == [400] and .fontFamily == "House"'
t 'fonts: an unknown one answers 404' POST $sf_fonts/none create '{}' 404 ''
t 'fonts: deleting an unknown one answers 204' DELETE $sf_fonts/none create '' 204 ''

# ---- the customization ----
t 'site files: a site is created' POST /v1/orgs/$ORG/sites admin '{"title":"Filed","spaces":["'$SPACE'"]}' 201 ''
sf_site=/v1/orgs/$ORG/sites/$(jq -r .id "$out")
t 'site files: the site is published' POST $sf_site/publish admin '' 200 ''
sf_other=https://example.org/~stored/none/a.png
sf_look='{"styling":{"font":'$(cat "$tmp/sf.font")',"headingFont":'$(cat "$tmp/sf.font")'},'
sf_look=$sf_look'"header":{"logo":{"light":"'$sf_logo'","dark":"'$sf_logo'"}},"favicon":{"icon":{"light":"'$sf_logo'","dark":"'$sf_other'"}},'
sf_look=$sf_look'"socialPreview":{"url":"https://docs.example.org/x/~stored/'$sf_logo_key'/other.svg"}}'
t 'site files: a customization names them' PUT $sf_site/customization admin "$sf_look" 200 \
	'.header.logo.light == "'$sf_logo'" and .socialPreview.url == "'$sf_logo'" and .favicon.icon.dark == "'$sf_other'" and
	.styling.font.fontFamily == "House" and (.styling.font.fontFaces[0].sources[0].url | endswith("/sf.woff2"))'
cp "$out" "$tmp/sf.look"
t 'site files: what is answered can be sent' PUT $sf_site/customization admin "@$tmp/sf.look" 200 '.header.logo.light == "'$sf_logo'"'
t 'site files: the site is told with its icon' GET $sf_site admin '' 200 '.icon.icon.light == "'$sf_logo'"'
t 'site files: an unknown file of ours answers 400' PUT $sf_site/customization admin \
	'{"header":{"logo":{"light":"'"$(echo "$sf_logo" | sed s/$sf_logo_key/none/)"'","dark":"'$sf_logo'"}}}' 400 '.fields[0].path == "/header/logo/light"'
t 'site files: a font file is no picture' PUT $sf_site/customization admin \
	'{"socialPreview":{"url":"'"$(echo "$sf_logo" | sed s/$sf_logo_key/$sf_regular/)"'"}}' 400 '.fields[0].path == "/socialPreview/url"'
t 'fonts: one that a site uses is not deleted' DELETE $sf_fonts/$sf_font_id create '' 409 '.error.message | test("Filed")'

if [ $TRANSPORT = http ]; then
	sf_read=/sites/$ORG_NAME/filed
	read_at $sf_read
	holds 'site files: a page shows the logo from its own address' "src=\"$below$sf_read/~stored/$sf_logo_key/sf.svg\""
	holds 'site files: a page has the icon' "rel=\"icon\" href=\"$below$sf_read/~stored/$sf_logo_key/sf.svg\""
	holds 'site files: a page has another icon for dark' 'media="(prefers-color-scheme:dark)" href="https://example.org/~stored/none/a.png"'
	holds 'site files: links to a page have the picture' "og:image\" content=\"$base$sf_read/~stored/$sf_logo_key/sf.svg\""
	holds 'site files: the font is loaded early' "as=\"font\" crossorigin=\"\" href=\"$below$sf_read/~stored/$sf_regular/sf.woff2\""
	case $(header content-security-policy) in *"font-src 'self'"*) pass ;; *)
		fail 'site files: the policy allows fonts of the site alone' "$(header content-security-policy)" ;; esac
	sf_css=$(sed -n 's/.*href="\([^"]*~look[^"]*\)".*/\1/p' "$out")
	read_at "${sf_css#"$below"}"
	holds 'site files: the style sheet has the font' "src:url('$below$sf_read/~stored/$sf_regular/sf.woff2') format('woff2')"
	holds 'site files: text is set in it' ":root{font-family:'o-$sf_font_id',"
	holds 'site files: headings are set in it' "h6,.home{font-family:'o-$sf_font_id',"
	t 'fonts: a weight of a used one is added' POST $sf_fonts/$sf_font_id create '{"fontFaces":[{"weight":700,"storageKey":"'$sf_bold'"}]}' 201 ''
	read_at $sf_read
	sf_css=$(sed -n 's/.*href="\([^"]*~look[^"]*\)".*/\1/p' "$out")
	read_at "${sf_css#"$below"}"
	holds 'fonts: a page shows the change at once' "/sf.woff') format('woff')"
	for sf_place in $sf_read/ /; do
		read_at "$sf_place~stored/$sf_logo_key/any-name.svg"
		same "site files: a picture is below $sf_place" 200 "$code"
		cmp -s "$out" "$tmp/sf.svg" && pass || fail 'site files: a picture has its bytes' 'other bytes'
		same 'site files: a picture has its type' image/svg+xml "$(header content-type)"
		case $(header cache-control) in *public*immutable*) pass ;; *) fail 'site files: a picture is cached for good' "$(header cache-control)" ;; esac
		case $(header content-security-policy),$(header content-disposition) in *sandbox*,attachment*) pass ;; *)
			fail 'site files: an SVG runs no script' "$(cat "$head")" ;; esac
	done
	read_at $sf_read/~stored/$sf_none/sf.woff2
	same 'site files: an unknown file answers 404' 404 "$code"
fi

# ---- the sweep ----
t 'site files: the customization names none any more' PUT $sf_site/customization admin '{}' 200 '.styling.font == "Inter"'
t 'fonts: a font is deleted' DELETE $sf_fonts/$sf_font_id create '' 205 ''
same 'fonts: what was done is in the record' 'font.created font.updated font.updated' \
	"$(sql "SELECT action FROM audit_event WHERE target = '$sf_font_id' ORDER BY seq LIMIT 3" | tr '\n' ' ' | sed 's/ $//')"
t 'site files: the site is deleted' DELETE $sf_site admin '' 204 ''

# ---- texts in other languages ----
t 'site texts: a site is created' POST /v1/orgs/$ORG/sites admin '{"title":"Tongues","spaces":["'$SPACE'"]}' 201 ''
sf_site=/v1/orgs/$ORG/sites/$(jq -r .id "$out")
t 'site texts: the site is published' POST $sf_site/publish admin '' 200 ''
sf_to='"to":{"kind":"url","url":"https://example.org/"}'
sf_look='{"title":"Guide","localizedTitle":{"fr":"Le guide"},"internationalization":{"locale":"fr"},"ai":{"instructions":"Be brief.","greeting":"Hello"},'
sf_look=$sf_look'"header":{"links":[{"title":"Help","localizedTitle":{"fr":"Aide","de":"Hilfe"},"links":[],'$sf_to'}]},'
sf_look=$sf_look'"footer":{"groups":[{"title":"More","localizedTitle":{"de":"Mehr"},"links":['
sf_look=$sf_look'{"title":"Terms","localizedTitle":{"fr":"Mentions"},'$sf_to'}]}]},'
sf_look=$sf_look'"announcement":{"enabled":true,"message":"News here","localizedMessage":{"fr":"Du nouveau"},"style":"info"}}'
t 'site texts: a customization has them' PUT $sf_site/customization admin "$sf_look" 200 \
	'.localizedTitle.fr == "Le guide" and .header.links[0].localizedTitle.de == "Hilfe" and .ai.instructions == "Be brief."'
t 'site texts: one is 64 characters at most' PUT $sf_site/customization admin \
	'{"header":{"links":[{"title":"x","to":null,"links":[],"localizedTitle":{"fr":"'"$(printf %065d 0)"'"}}]}}' 400 ''
t 'site texts: visitors are not told what an assistant is' GET $sf_site/published admin '' 200 '.customizations.site.ai == {"mode":"none","greeting":"Hello"}'
if [ $TRANSPORT = http ]; then
	read_at /sites/$ORG_NAME/tongues
	for sf_text in 'Le guide' Aide More Mentions 'Du nouveau'; do holds "site texts: a page has its language: $sf_text" "$sf_text"; done
	for sf_text in Help Hilfe Mehr Terms 'News here'; do lacks "site texts: a page has no other: $sf_text" ">$sf_text<"; done
fi
t 'site texts: the site is deleted' DELETE $sf_site admin '' 204 ''

# ---- change requests of a space in the list of the organization ----
t 'change requests: those of a space' GET "/v1/orgs/$ORG/change-requests?space=$SPACE&limit=1000" read '' 200 \
	'(.items | length) > 0 and .count == (.items | length)'
t 'change requests: those of an unknown space' GET "/v1/orgs/$ORG/change-requests?space=none" read '' 404 ''
t 'change requests: those of a space of another organization' GET "/v1/orgs/$ORG/change-requests?space=$SPACE_B" read '' 404 ''
