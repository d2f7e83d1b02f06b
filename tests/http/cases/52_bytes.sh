# The same bytes as the body of a page and as a file: each is there, whichever came first.
mkdir -p "$tmp/bytes/.gitbook/assets"
printf '# Table of contents\n\n* [Home](README.md)\n* [Bare](bare.md)\n' >"$tmp/bytes/SUMMARY.md"
printf '# Home\n\nTwice.\n' >"$tmp/bytes/README.md"
printf '# Bare\n' >"$tmp/bytes/bare.md"
: >"$tmp/bytes/.gitbook/assets/empty.bin"
git_in "$tmp/bytes" init -q -b main
git_in "$tmp/bytes" add -A
git_in "$tmp/bytes" commit -q -m one
BYTES=$(octavo_json .result.space import --org "$ORG" --title Bytes --url "$tmp/bytes")
t 'page as empty as a file' GET "/v1/spaces/$BYTES/content/path/bare" admin '' 200 '.document.nodes == []'
t 'it can be duplicated' POST /v1/spaces/$BYTES/duplicate admin '' 201 ''
t 'and deleted' DELETE /v1/spaces/$(jq -r .id "$out") admin '' 204 ''
# What the page's body already is becomes a file.
printf 'Twice.\n' >"$tmp/bytes/.gitbook/assets/twice.txt"
git_in "$tmp/bytes" add -A
git_in "$tmp/bytes" commit -q -m two
import --space "$BYTES" --url "$tmp/bytes" >/dev/null
t 'its page' GET "/v1/spaces/$BYTES/content/path/readme?format=markdown" admin '' 200 '.markdown == "# Home\n\nTwice.\n"'
t 'files as full as pages' GET /v1/spaces/$BYTES/content/files admin '' 200 '[.items[] | [.name, .size]] == [["empty.bin", 0], ["twice.txt", 7]]'
if [ $TRANSPORT = http ]; then
	jq -r '.items[].downloadURL' "$out" >"$tmp/urls"
	while read -r url; do
		same "download of ${url##*/}" 200 "$(curl -sg -o "$tmp/bytes.got" -w '%{http_code}' "$url")"
		yes "bytes of ${url##*/}" cmp -s "$tmp/bytes.got" "$tmp/bytes/.gitbook/assets/${url##*/}"
	done <"$tmp/urls"
fi
t 'delete' DELETE /v1/spaces/$BYTES admin '' 204 ''
