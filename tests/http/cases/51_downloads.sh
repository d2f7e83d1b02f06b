# Downloads by a signed URL, without a token. Served by octavo-site; over CGI there is only the API.
if [ $TRANSPORT = http ]; then
download() {
	d_url=$1
	shift
	code=$(curl -sg -m 30 --path-as-is -o "$out" -D "$head" -w '%{http_code}' "$@" "$d_url")
}
address() { get /v1/spaces/$SPACE/content/files; jq -r '.items[] | select(.name == "'"$1"'").downloadURL' "$out"; }
png=$(address dot.png) svg=$(address act.svg) txt=$(address 'a b&c.txt')
same 'a file has the same address all day' "$png" "$(address dot.png)"
download "$png"
same 'an image is served' 200 "$code"
same 'an image has its type' image/png "$(header content-type)"
same 'an image forbids content sniffing' nosniff "$(header x-content-type-options)"
cmp -s "$out" "$tmp/repo/.gitbook/assets/dot.png" && pass || fail 'an image has its bytes' 'other bytes'
case $(header cache-control) in *immutable*) pass ;; *) fail 'an image is cached for good' "$(header cache-control)" ;; esac
tag=$(header etag)
download "$png" -H "If-None-Match: $tag"
same 'an image with its ETag answers 304' 304 "$code"
download "$txt"
same 'a text is served' 200 "$code"
same 'a text has its bytes' 'plain words' "$(cat "$out")"
download "$svg"
same 'an SVG is served' 200 "$code"
case $(header content-disposition) in attachment*) pass ;; *) fail 'an SVG is a download' "$(header content-disposition)" ;; esac
case $(header content-security-policy) in *sandbox*) pass ;; *) fail 'an SVG is sandboxed' "$(header content-security-policy)" ;; esac
# Files that a browser could run as a page are sent with a type that runs nothing, whatever type the uploader named.
t 'scripts: a change request is opened' POST /v1/spaces/$SPACE/change-requests admin '{"subject":"Scripts"}' 201 ''
scripts=/v1/spaces/$SPACE/change-requests/$(jq -r .id "$out")
t 'scripts: files of many types are uploaded' POST "$scripts/content?compat=false" admin '{"changes":[{"operation":"insert_files","files":['"$(
	for name in a.js A.MJS a.css a.wasm a.html a.xhtml a.xml a.php a.svg; do printf '{"name":"%s","base64":"YWxlcnQoMSk="},' $name; done | sed 's/,'\
'$//')"']}]}' 200 ''
t 'scripts: the files are listed' GET "$scripts/content/files?limit=100" admin '' 200 ''
cp "$out" "$tmp/scripts"
for name in a.js A.MJS a.css a.wasm a.html a.xhtml a.xml a.php a.svg; do
	download "$(jq -r --arg n $name '.items[] | select(.name == $n).downloadURL' "$tmp/scripts")"
	case $(header content-disposition) in attachment*) pass ;; *) fail "$name is a download" "$(header content-disposition)" ;; esac
	case $name.$(header content-type) in
	*.js.application/octet-stream | *.MJS.application/octet-stream | *.css.application/octet-stream | *.wasm.application/octet-stream) pass ;;
	*javascript* | *css* | *.js.* | *.MJS.* | *wasm*) fail "$name is not sent as a script" "$(header content-type)" ;;
	*) same "$name forbids content sniffing" nosniff "$(header x-content-type-options)" ;;
	esac
done
t 'scripts: the change request is archived' PATCH $scripts admin '{"status":"archived"}' 200 ''
download "$txt" -r 0-4
same 'a range answers 206' 206 "$code"
same 'a range has its bytes' plain "$(cat "$out")"
same 'a range names its bytes and the size' 'bytes 0-4/12' "$(header content-range)"
download "$txt" -r 100-200
same 'a range beyond the end answers 416' 416 "$code"
download "$png" -I
same 'HEAD of a file answers 200' 200 "$code"
same 'HEAD of a file has its length' 29 "$(header content-length)"
download "$txt" -H 'If-Match: "x"'
same 'If-Match with another ETag answers 412' 412 "$code"
same 'a 412 of a file has a JSON error' 412 "$(jq .error.code "$out")"
download "$txt" -H 'Origin: https://a.example'
same 'scripts of other origins may read a file' '*' "$(header access-control-allow-origin)"
# The signature covers each part of the URL.
spoil() { download "$(printf %s "$png" | sed "$1")"; same "a forged address answers 404: $2" 404 "$code"; }
spoil 's/dot.png$/dot.svg/' 'another name'
spoil "s/$SPACE/$SPACE_B/" 'another space'
spoil 's|/\([0-9]*\)/\([^/]*\)/dot.png|/99999/\2/dot.png|' 'another day'
spoil 's|/\([0-9]*\)/\([^/]*\)/dot.png|/1/\2/dot.png|' 'long ago'
spoil 's|/[^/]*/dot.png|/AAAAAAAAAAAAAAAAAAAAAA/dot.png|' 'another signature'
spoil 's|/[^/]*/dot.png|//dot.png|' 'no signature'
spoil 's|~files/\([^/]*\)/..|~files/\1/00|' 'another file'
spoil 's|/dot.png|/..%2F..%2Foctavo.key|' 'a path for a name'
fi
