# Smaller versions of pictures (include/store/variants.h): made by a job, named by pages, and served in the
# place of the picture alone.
if [ $TRANSPORT = http ]; then

mkdir -p "$tmp/pictured/.gitbook/assets"
# photo.png: 1300 x 500 pixels of noise with a colour gradient; huge.png says that it has 60000 x 60000.
node -e '
const z = require("zlib"), fs = require("fs")
const chunk = (type, data) => {
	const b = Buffer.concat([Buffer.from(type), data]), n = Buffer.alloc(4), c = Buffer.alloc(4)
	n.writeUInt32BE(data.length)
	let k = ~0
	for (const x of b) { k ^= x; for (let i = 0; i < 8; i++) k = k >>> 1 ^ (k & 1 ? 0xedb88320 : 0) }
	c.writeUInt32BE(~k >>> 0)
	return Buffer.concat([n, b, c])
}
const png = (w, h, said, rows) => {
	const head = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0])
	head.writeUInt32BE(said ?? w); head.writeUInt32BE(said ?? h, 4)
	return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), chunk("IHDR", head), chunk("IDAT", z.deflateSync(rows)), chunk("IEND", Buffer.alloc(0))])
}
const noise = (w, h) => {
	const b = Buffer.alloc(h * (w * 3 + 1))
	let s = 5
	for (let i = 0; i < b.length; i++) { s = s * 1664525 + 1013904223 >>> 0; b[i] = i % (w * 3 + 1) ? (s >>> 26) + i % (w * 3 + 1) / w * 40 : 0 }
	return b
}
const to = process.argv[1]
fs.writeFileSync(to + "/photo.png", png(1300, 500, undefined, noise(1300, 500)))
fs.writeFileSync(to + "/huge.png", png(700, 300, 60000, noise(700, 300)))
fs.writeFileSync(to + "/small.png", png(60, 40, undefined, noise(60, 40)))
' "$tmp/pictured/.gitbook/assets"
printf -- '---\ncover: .gitbook/assets/photo.png\n---\n\n# Pictures\n\n![A photo](.gitbook/assets/photo.png)\n\n'\
'<figure><img src=".gitbook/assets/photo.png" alt="Half" width="375"></figure>\n\n![Huge](.gitbook/assets/huge.png)\n\n'\
'![Small](.gitbook/assets/small.png)\n' >"$tmp/pictured/README.md"
git_in "$tmp/pictured" init -q -b main
git_in "$tmp/pictured" add -A
git_in "$tmp/pictured" commit -q -m first
pictured=$(octavo_json '.result.space // .space' import --org "$ORG" --title Pictured --url "$tmp/pictured")
t 'pictures: a site is created' POST /v1/orgs/$ORG/sites admin '{"title":"Pictured","spaces":["'$pictured'"]}' 201 ''
R=/v1/orgs/$ORG/sites/$(jq -r .id "$out") at=/sites/$ORG_NAME/pictured/

# Prints the results of the jobs for pictures of the space, once they have ended. If they have not after
# two minutes (a busy runner starts jobs late), prints what all jobs that have not ended do.
pi_made() {
	for n in $(seq 1200); do
		jobs_once
		[ "$(sql "SELECT count(*) FROM job WHERE space = '$pictured' AND state IN ('queued', 'running')")" = 0 ] &&
			[ "$(sql "SELECT count(*) FROM job WHERE kind = 'variants' AND space = '$pictured'")" != 0 ] && break
		sleep 0.1
	done
	sql "SELECT state || ' ' || coalesce(result, error, '') FROM job WHERE kind = 'variants' AND space = '$pictured'
		UNION ALL SELECT kind || ' ' || state || ' ' || attempts || coalesce(error, '') FROM job WHERE state IN ('queued', 'running')
		AND NOT EXISTS (SELECT 1 FROM job WHERE kind = 'variants' AND space = '$pictured' AND state = 'done')"
}
same 'pictures of a space that is not published need no variants' 0 "$(sql "SELECT count(*) FROM job WHERE kind = 'variants' AND space = '$pictured'")"
t 'pictures: the site is published' POST $R/publish admin '' 200 ''
same 'a job makes variants, and notes which pictures need none' 'done {"pictures":1,"failed":0}' "$(pi_made)"
read_at $at
same 'three pictures offer variants: two in the text and the cover' 3 "$(grep -o '<source type="image/webp"' "$out" | grep -c .)"
holds 'the original stays the picture, with its size' 'photo.png" alt="A photo" width="1300" height="500"'
holds 'a picture of the text says how wide it is shown' 'sizes="(max-width: 55rem) 100vw, 61rem"><img src='
holds 'and one that loads later by its own width' 'sizes="auto, (max-width: 375px) 100vw, 375px"'
holds 'a cover fills the page' 'sizes="(max-width: 55rem) 100vw, 70rem"'
holds 'a picture without variants is as before' 'small.png" alt="Small" width="60" height="40"'
photo=$(sed -n 's/.*<img src="\([^"]*photo.png\)".*/\1/p' "$out" | sed "s,^$below,,")
for w in 480 800 1300; do
	holds "there is a variant of $w" "photo.png?w=$w ${w}w"
	read_at "$photo?w=$w"
	same "variant $w has its type" 'image/webp' "$(header Content-Type)"
	same "variant $w is a WebP" WEBP "$(dd if="$out" bs=1 skip=8 count=4 2>/dev/null)"
	same "variant $w may be cached for ever" 'public, max-age=31536000, immutable' "$(header Cache-Control)"
	same "variant $w is no page" nosniff "$(header X-Content-Type-Options)"
	yes "variant $w is smaller than the picture" [ "$(wc -c <"$out")" -lt "$(wc -c <"$tmp/pictured/.gitbook/assets/photo.png")" ]
	read_at $at
done
read_at "$photo"
same 'the picture itself is unchanged' "$(cksum <"$tmp/pictured/.gitbook/assets/photo.png")" "$(cksum <"$out")"
for w in 481 0 -1 99999999999999999999 800x ''; do
	read_at "$photo?w=$w"
	same "for a width that there is not, the picture is sent: $w" 'image/png public, no-cache' "$(header Content-Type) $(header Cache-Control)"
done

# A cache that was deleted: pages that browsers have keep working, and the daily job makes it again.
rm -rf "$dir/cache/variants"
read_at "$photo?w=800"
same 'without variants the picture is sent in their place' 'image/png public, no-cache' "$(header Content-Type) $(header Cache-Control)"
sql "DELETE FROM job WHERE kind = 'variants' AND space = '$pictured'"
sql "INSERT INTO job (id, kind, space, args, run_at, created_at) SELECT 'pi-again', kind, space, args, 0, 0 FROM schedule
	WHERE id = 'typeset:$pictured'"
same 'a cache that was deleted is filled again' 'done {"pictures":1,"failed":0}' "$(pi_made)"
read_at "$photo?w=800"
same 'then variants are sent again' image/webp "$(header Content-Type)"
yes 'the hostile picture costs nothing' [ "$(find "$dir/cache/variants" -type f -size -2 | grep -c .)" -ge 1 ]

t 'pictures: the site is not published any more' POST $R/unpublish admin '' 200 ''
read_at "$photo?w=800"
same 'variants of a hidden site are hidden' 404 "$code"
t 'pictures: the site is deleted' DELETE $R admin '' 204 ''
fi
