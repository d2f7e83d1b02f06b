# Files below /app: where each is used, and the form that renames, describes and deletes one (tests/browser/pages.test.mjs replaces one).
. tests/http/browse.sh
user_new filada "$ORG" edit
user_new filcyd "$ORG" read
fv_s=$(space_empty 'Files of people')
space_write "$fv_s" '{"changes":[{"operation":"insert_files","files":[{"ref":"map","name":"map.png","base64":"iVBORw0KGgo="}]},
	{"operation":"insert_page","title":"Ways","document":{"markdown":"![](./map)\n"}}]}' >/dev/null
get /v1/spaces/$fv_s/content
fv_f=$(jq -r '.files[0].id' "$out")
pg_join filada filcyd
pg GET /app/spaces/$fv_s/files/$fv_f
pg_is 'a reader sees where a file is used' 200
holds 'the page that uses it' '>Ways<'
lacks 'but no form' 'name="description"'
pg POST /app/spaces/$fv_s/files/$fv_f 'was-name=map.png&name=x.png&subject=x'
pg_is 'a reader changes nothing' 403

space_write "$fv_s" '{"changes":[{"operation":"insert_page","title":"Covered","document":{"markdown":"x\n"},
	"cover":{"ref":{"kind":"file","file":"'$fv_f'"}}}]}' >/dev/null
pg GET /app/spaces/$fv_s/files/$fv_f
holds 'a page with the file as its cover uses it' '>Covered<'
send POST /v1/spaces/$fv_s/change-requests admin '{"subject":"Cover"}'
fv_r=$(jq -r .id "$out")
pg GET /app/spaces/$fv_s/requests/$fv_r/files/$fv_f
holds 'in a change request, too' '>Covered<'

pg_jar=$tmp/filada
pg GET /app/spaces/$fv_s/files
holds 'the list leads to the file' "<a href=\"files/$fv_f\">map.png</a>"
pg GET /app/spaces/$fv_s/files/$fv_f
holds 'the form has the name' 'name="name" type="text" value="map.png"'
pg POST /app/spaces/$fv_s/files/$fv_f 'was-name=map.png&name=a%2Fb.png&was-description=&description=A+map&subject=Map'
pg_is 'a name with a slash is refused' 400
holds 'the message is at the field' 'Holds a slash'
holds 'what was typed stays' 'value="A map"'
t 'the refused change left no open request' GET "/v1/spaces/$fv_s/change-requests?creator=$U_filada" admin '' 200 '[.items[].status] == ["archived"]'
pg POST /app/spaces/$fv_s/files/$fv_f 'was-name=map.png&name=map.png&was-description=&description=A+map&subject=Map'
pg_is 'a file is described' 303
fv_to=$(header location)
fv_r=$(echo "$fv_to" | sed 's,.*/requests/\([^/]*\)/.*,\1,')
case $fv_to in *"/app/spaces/$fv_s/requests/$fv_r/files/$fv_f?done=file") pass ;; *) fail 'it leads to the file of the request' "$fv_to" ;; esac
t 'the request has the description and the name' GET /v1/spaces/$fv_s/change-requests/$fv_r/content/files/$fv_f admin '' 200 \
	'.description == "A map" and .name == "map.png"'
pg GET "${fv_to#"$below"}"
holds 'it says in which request it is' 'Saved in the change request “Map”. Readers see it once that is merged.'
pg GET /app/spaces/$fv_s/requests/$fv_r/files
holds 'the list of the request has the description' 'A map'
holds 'and leads to its file' "href=\"files/$fv_f\""
pg GET /app/spaces/$fv_s/requests/$fv_r
holds 'the request leads to its files' "href=\"$fv_r/files\""
pg POST /app/spaces/$fv_s/requests/$fv_r/files/$fv_f 'was-name=map.png&name=other.png&step=delete'
pg_is 'a file is deleted' 303
t 'the request has it no longer' GET /v1/spaces/$fv_s/change-requests/$fv_r/content/files/$fv_f admin '' 404 ''
pg GET /app/spaces/$fv_s/requests/$fv_r/files/$fv_f
pg_is 'its page is gone' 404

# Forms with a field that is far too long are refused, or saved where the API has no limit, and end no worker.
fv_long() {
	{ printf 'csrf=%s&%s=' "$pg_csrf" "$3"; head -c "$4" /dev/zero | tr '\0' x; printf '&%s' "$5"; } >"$tmp/fv_form"
	pg_raw POST "$2" "@$tmp/fv_form" "Origin: $pg_origin"
	case $code in 303 | 400 | 404 | 413 | 414) pass ;; *) fail "too long: $1" "$code" ;; esac
}
pg GET /app/spaces/$fv_s/files/$fv_f
fv_long 'the description of a file' /app/spaces/$fv_s/files/$fv_f description 300000 'was-description=&subject=x'
fv_long 'the subject of a request' /app/spaces/$fv_s/requests subject 300000 ''
send POST /v1/spaces/$fv_s/change-requests filada '{"subject":"Long"}'
fv_r=$(jq -r .id "$out")
fv_long 'the description of a request' /app/spaces/$fv_s/requests/$fv_r/about description 3000000 'subject=x'
pg GET /app/spaces/$fv_s/requests/$fv_r
pg_is 'a long description is shown' 200
fv_long 'the address of a reviewer' /app/spaces/$fv_s/requests/$fv_r/reviewers email 300000 ''
fv_long 'the id of a comment' /app/spaces/$fv_s/requests/$fv_r/reply comment 300000 'text=x'
get /v1/spaces/$fv_s/content/pages
fv_long 'the title of a page' "/app/spaces/$fv_s/requests/$fv_r/pages/$(jq -r '.pages[0].id' "$out")/place" title 300000 'was-title=Ways'
fv_long 'the page of a comment' /app/spaces/$fv_s/requests/$fv_r/reply page 70000 'text=x'

# Nor do addresses with long or wrong members, which links and cookies of the page would repeat.
fv_odd() {
	pg_raw GET "$2" ''
	case $code in 200 | 303 | 414) pass ;; *) fail "an odd address: $1" "$code" ;; esac
	[ "$(wc -c <"$out")" -lt 200000 ] && pass || fail "a page of an odd address: $1" "$(wc -c <"$out") bytes"
}
fv_many() { head -c "$1" /dev/zero | tr '\0' "$2"; }
fv_odd 'a file whose name is not encoded' "/app/spaces/$fv_s/choices?kind=file&q=/~files/a/b/%25"
fv_odd 'a group that is no id' "/app/spaces/$fv_s?show=$(fv_many 5500 '(')"
fv_odd 'members without a meaning' "/app/spaces/$fv_s?$(fv_many 7000 a | sed 's/a/a\&/g')"
lacks 'its links repeat none of them' 'a&amp;a&amp;a'
pg_jar=$tmp/fv_nobody
: >"$pg_jar"
fv_odd 'one of a person who is not signed in' "/app/spaces/$fv_s?q=$(fv_many 5300 '(')"
