# Downloads: by a signed address, without a token. octavo-site serves them, and
# over CGI there is none beside the API.
if [ $TRANSPORT = http ]; then
download() {
	d_url=$1
	shift
	code=$(curl -sg -m 30 --path-as-is -o "$out" -D "$head" -w '%{http_code}' "$@" "$d_url")
}
address() { get /v1/spaces/$SPACE/content/files; jq -r '.items[] | select(.name == "'"$1"'").downloadURL' "$out"; }
png=$(address dot.png) svg=$(address act.svg) txt=$(address 'a b&c.txt')
same 'the same address all day' "$png" "$(address dot.png)"
download "$png"
same 'image: status' 200 "$code"
same 'image: type' image/png "$(header content-type)"
same 'image: nosniff' nosniff "$(header x-content-type-options)"
cmp -s "$out" "$tmp/repo/.gitbook/assets/dot.png" && pass || fail 'image' 'other bytes'
case $(header cache-control) in *immutable*) pass ;; *) fail 'image: caching' "$(header cache-control)" ;; esac
tag=$(header etag)
download "$png" -H "If-None-Match: $tag"
same 'image: not modified' 304 "$code"
download "$txt"
same 'text: status' 200 "$code"
same 'text' 'plain words' "$(cat "$out")"
download "$svg"
same 'SVG: status' 200 "$code"
case $(header content-disposition) in attachment*) pass ;; *) fail 'SVG runs in a browser' "$(header content-disposition)" ;; esac
case $(header content-security-policy) in *sandbox*) pass ;; *) fail 'SVG: policy' "$(header content-security-policy)" ;; esac
# What a page from here could run is sent as what nothing runs, whatever its uploader calls it.
t 'scripts: a request' POST /v1/spaces/$SPACE/change-requests admin '{"subject":"Scripts"}' 201 ''
scripts=/v1/spaces/$SPACE/change-requests/$(jq -r .id "$out")
t 'scripts: uploaded' POST "$scripts/content?compat=false" admin '{"changes":[{"operation":"insert_files","files":['"$(
	for name in a.js A.MJS a.css a.wasm a.html a.xhtml a.xml a.php a.svg; do printf '{"name":"%s","base64":"YWxlcnQoMSk="},' $name; done | sed 's/,$//')"']}]}' 200 ''
t 'scripts: listed' GET "$scripts/content/files?limit=100" admin '' 200 ''
cp "$out" "$tmp/scripts"
for name in a.js A.MJS a.css a.wasm a.html a.xhtml a.xml a.php a.svg; do
	download "$(jq -r --arg n $name '.items[] | select(.name == $n).downloadURL' "$tmp/scripts")"
	case $(header content-disposition) in attachment*) pass ;; *) fail "$name is no download" "$(header content-disposition)" ;; esac
	case $name.$(header content-type) in
	*.js.application/octet-stream | *.MJS.application/octet-stream | *.css.application/octet-stream | *.wasm.application/octet-stream) pass ;;
	*javascript* | *css* | *.js.* | *.MJS.* | *wasm*) fail "$name is sent as" "$(header content-type)" ;;
	*) same "$name: nosniff" nosniff "$(header x-content-type-options)" ;;
	esac
done
t 'scripts: away' PATCH $scripts admin '{"status":"archived"}' 200 ''
download "$txt" -r 0-4
same 'range: status' 206 "$code"
same 'range' plain "$(cat "$out")"
same 'range: header' 'bytes 0-4/12' "$(header content-range)"
download "$txt" -r 100-200
same 'range beyond the end' 416 "$code"
download "$png" -I
same 'HEAD' 200 "$code"
same 'HEAD: length' 29 "$(header content-length)"
download "$txt" -H 'If-Match: "x"'
same 'another file is wanted: status' 412 "$code"
same 'another file is wanted: body' 412 "$(jq .error.code "$out")"
download "$txt" -H 'Origin: https://a.example'
same 'scripts may read it' '*' "$(header access-control-allow-origin)"
# Each part of the address is under the signature.
spoil() { download "$(printf %s "$png" | sed "$1")"; same "download: $2" 404 "$code"; }
spoil 's/dot.png$/dot.svg/' 'another name'
spoil "s/$SPACE/$SPACE_B/" 'another space'
spoil 's|/\([0-9]*\)/\([^/]*\)/dot.png|/99999/\2/dot.png|' 'another day'
spoil 's|/\([0-9]*\)/\([^/]*\)/dot.png|/1/\2/dot.png|' 'long ago'
spoil 's|/[^/]*/dot.png|/AAAAAAAAAAAAAAAAAAAAAA/dot.png|' 'another signature'
spoil 's|/[^/]*/dot.png|//dot.png|' 'no signature'
spoil 's|~files/\([^/]*\)/..|~files/\1/00|' 'another file'
spoil 's|/dot.png|/..%2F..%2Foctavo.key|' 'a path for a name'
fi
