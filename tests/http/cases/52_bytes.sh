# The same bytes as a page's body and as a file: both exist, whichever was first.
mkdir -p "$tmp/twice/.gitbook/assets"
printf '# Table of contents\n\n* [Home](README.md)\n* [Bare](bare.md)\n' >"$tmp/twice/SUMMARY.md"
printf '# Home\n\nTwice.\n' >"$tmp/twice/README.md"
printf '# Bare\n' >"$tmp/twice/bare.md"
: >"$tmp/twice/.gitbook/assets/empty.bin"
git_in "$tmp/twice" init -q -b main
git_in "$tmp/twice" add -A
git_in "$tmp/twice" commit -q -m one
BYTES=$(octavo_json .result.space import --org "$ORG" --title Bytes --url "$tmp/twice")
t 'a page as empty as a file has no blocks' GET "/v1/spaces/$BYTES/content/path/bare" admin '' 200 '.document.nodes == []'
t 'a space with an empty body and file is duplicated' POST /v1/spaces/$BYTES/duplicate admin '' 201 ''
t 'the duplicate is deleted' DELETE /v1/spaces/$(jq -r .id "$out") admin '' 204 ''
# Bytes that are a page's body already become a file.
printf 'Twice.\n' >"$tmp/twice/.gitbook/assets/twice.txt"
git_in "$tmp/twice" add -A
git_in "$tmp/twice" commit -q -m two
import --space "$BYTES" --url "$tmp/twice" >/dev/null
t 'a page keeps its body where a file has the same bytes' GET "/v1/spaces/$BYTES/content/path/readme?format=markdown" admin '' 200 \
	'.markdown == "# Home\n\nTwice.\n"'
t 'files with the bytes of pages are listed' GET /v1/spaces/$BYTES/content/files admin '' 200 \
	'[.items[] | [.name, .size]] == [["empty.bin", 0], ["twice.txt", 7]]'
if [ $TRANSPORT = http ]; then
	jq -r '.items[].downloadURL' "$out" >"$tmp/urls"
	while read -r url; do
		same "the file is served: ${url##*/}" 200 "$(curl -sg -o "$tmp/twice.got" -w '%{http_code}' "$url")"
		yes "the file has its bytes: ${url##*/}" cmp -s "$tmp/twice.got" "$tmp/twice/.gitbook/assets/${url##*/}"
	done <"$tmp/urls"
fi
t 'the space is deleted' DELETE /v1/spaces/$BYTES admin '' 204 ''
