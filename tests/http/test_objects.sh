#!/bin/sh
# Files in an object store: uploads, downloads with ranges, copies, failures of the store, orphans of killed
# processes, moves, checks and backups. Against tests/objects/store.mjs, which checks signatures and fails on
# request, and against s3rver from npm, which checks no signatures of version 4. Needs OCTAVO_BUILD.
set -u
. tests/http/expect.sh

finish() {
	"$octavo" down --dir "$d" >/dev/null 2>&1
	for p in ${store:-} ${other:-}; do kill "$p" 2>/dev/null; done
	rm -rf "$tmp"
	rm -f "${env_file:-}"
	ended_early
}
at_exit finish

d=$tmp/data
# ---- the store ----
node tests/objects/store.mjs "$tmp/port" >"$tmp/store.log" 2>&1 &
store=$!
until_true 20 test -s "$tmp/port" || { fail 'the store starts' "$(cat "$tmp/store.log")"; summary; }
OCTAVO_BLOBS_ENDPOINT=http://127.0.0.1:$(cat "$tmp/port")
printf 'sec/ret+1\n' >"$tmp/secret"
chmod 600 "$tmp/secret"
OCTAVO_BLOBS=s3://octavo/files/one OCTAVO_BLOBS_REGION=eu-test OCTAVO_BLOBS_KEY=tester OCTAVO_BLOBS_SECRET_FILE=$tmp/secret OCTAVO_BLOBS_CACHE=1
export OCTAVO_BLOBS OCTAVO_BLOBS_ENDPOINT OCTAVO_BLOBS_REGION OCTAVO_BLOBS_KEY OCTAVO_BLOBS_SECRET_FILE OCTAVO_BLOBS_CACHE
store() { curl -s "$OCTAVO_BLOBS_ENDPOINT/-/$1"; }
keys() { store keys | grep -v octavo-installation; }
# After a failure, programs leave the store alone for two seconds.
works() { store 'mode?is='; sleep 2.1; }

# ---- the service ----
# Its port stays, and with it the addresses that it has given out.
port=$(node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })')
folder="env -u OCTAVO_BLOBS"
up() {
	"$octavo" up --dir "$d" --port "$port" --workers 2 >"$tmp/up" 2>&1 || fail up "$(cat "$tmp/up")"
	url=$("$octavo" status --dir "$d" --json | jq -r .url)
}
down() { "$octavo" down --dir "$d" >/dev/null; }
api() {
	a_method=$1 a_path=$2
	shift 2
	curl -s -m 60 -X "$a_method" -D "$tmp/head" -o "$tmp/body" -w '%{http_code}' -H "Authorization: Bearer $token" -H 'Content-Type: application/json' "$@" "$url$a_path"
}
get() { curl -s -m 60 -D "$tmp/head" -o "$tmp/got" -w '%{http_code}' "$@"; }
# upload NAME FILE: prints the status; $tmp/id is the file's id
upload() {
	printf '{"changes":[{"operation":"insert_files","files":[{"name":"%s","base64":"%s"}]}]}' "$1" "$(base64 -w0 "$2")" >"$tmp/change"
	api POST "/v1/spaces/$space/change-requests/1/content?compat=false" -d "@$tmp/change"
	jq -r '.insertedFiles[0].id // ""' "$tmp/body" >"$tmp/id"
}
address() {
	api GET "/v1/spaces/$space/change-requests/1/content/files/$(cat "$tmp/id")" >/dev/null
	jq -r .downloadURL "$tmp/body"
}
revision() { api GET "/v1/spaces/$space/change-requests/1" >/dev/null; jq -r .revision "$tmp/body"; }
# Runs the daily sweep.
sweep() { down; rm -f "$d/blobs/.swept"; OCTAVO_DIR=$d OCTAVO_URL=$url "$OCTAVO_BUILD/octavo-jobs" --once 2>"$tmp/jobs.log" || fail jobs "$(cat "$tmp/jobs.log")"; up; }
forget() { rm -rf "$d/blobs/cached"; }

"$octavo" init --dir "$d" --email a@example.com --name A --org Docs --json >"$tmp/init" || exit 1
token=$(jq -r .token "$tmp/init") org=$(jq -r .organization "$tmp/init")
up
same 'a space' 201 "$(api POST "/v1/orgs/$org/spaces" -d '{"title":"Files"}')"
space=$(jq -r .id "$tmp/body")
same 'a change request' 201 "$(api POST "/v1/spaces/$space/change-requests" -d '{"subject":"x"}')"

# ---- upload and download ----
printf 'hello object store\n' >"$tmp/hello.txt"
same 'a file is stored' 200 "$(upload hello.txt "$tmp/hello.txt")"
hello=$(address)
key=$(keys)
case $key in files/one/??/??????????????????????????????????????????????????????????????) pass ;; *) fail 'it is an object' "$key" ;; esac
same 'it is not in the folder' '' "$(find "$d/blobs" -type f ! -path '*/cached/*' ! -name '.s*')"
same 'it is sent' 200 "$(get "$hello")"
cmp -s "$tmp/got" "$tmp/hello.txt" && pass || fail 'with its bytes' "$(cat "$tmp/got")"
store requests >/dev/null
forget
same 'it is fetched' 200 "$(get "$hello")"
cmp -s "$tmp/got" "$tmp/hello.txt" && pass || fail 'with its bytes, fetched' "$(cat "$tmp/got")"
same 'and then there is a copy' 200 "$(get "$hello")"
same 'which needs no further request' '{"GET":1}' "$(store requests)"
forget
same 'a range of a file without a copy' 206 "$(get -r 6-11 "$hello")"
same 'has these bytes' object "$(cat "$tmp/got")"
tag=$(grep -i '^etag:' "$tmp/head" | tr -d '\r' | cut -d ' ' -f 2)
same 'a condition' 304 "$(get -H "If-None-Match: $tag" "$hello")"
same 'the status names the store' s3://octavo/files/one "$("$octavo" status --dir "$d" --json | jq -r .blobs)"
expect 'the doctor knows it' 0 'ok .*s3://octavo/files/one.* 1 objects' sh -c "'$octavo' doctor --dir '$d' --url '$url' | grep s3:"

# ---- the store fails ----
before=$(revision)
printf 'another\n' >"$tmp/another.txt"
for mode in 503 deny; do
	store "mode?is=$mode"
	forget
	same "an upload is refused ($mode)" 503 "$(upload another.txt "$tmp/another.txt")"
	grep -qi '^retry-after:' "$tmp/head" && pass || fail "with Retry-After ($mode)" "$(cat "$tmp/head")"
	same "a download is refused ($mode)" 503 "$(get "$hello")"
	grep -qi '^retry-after:' "$tmp/head" && pass || fail "with Retry-After, too ($mode)" "$(cat "$tmp/head")"
	works
	same "nothing changed ($mode)" "$before $key" "$(revision) $(keys)"
	same "afterwards it is sent again ($mode)" 200 "$(get "$hello")"
done
grep -q 'object store http://127.0.0.1:.*PUT files/one/.*status 503 .*SlowDown' "$d/log/api.log" && pass || fail 'the log has the words of the store' "$(tail -n 3 "$d/log/api.log")"
same 'no temporary file stays' '' "$(find "$d/blobs" -name '*.*' ! -name '.s*')"
store 'mode?is=hang'
forget
begun=$(date +%s)
same 'a store that does not answer' 503 "$(get "$hello")"
[ $(($(date +%s) - begun)) -le 25 ] && pass || fail 'is not waited for any longer' "$(($(date +%s) - begun)) seconds"
printf 'late\n' >"$tmp/late.txt"
begun=$(date +%s%3N)
same 'nor is it for a write' 503 "$(upload late.txt "$tmp/late.txt")"
[ $(($(date +%s%3N) - begun)) -le 8000 ] && pass || fail 'a write waits for seconds, since others wait for it' "$(($(date +%s%3N) - begun)) ms"
works
store 'mode?is=truncate'
forget
same 'half an object is not sent' 503 "$(get "$hello")"
works
same 'the whole one is' 200 "$(get "$hello")"
cmp -s "$tmp/got" "$tmp/hello.txt" && pass || fail 'with its bytes, after half of it' "$(cat "$tmp/got")"

# ---- other bytes ----
expect 'check' 0 '^ok' "$octavo" check --deep --dir "$d"
store "spoil?key=$key"
forget
same 'an object with other bytes is not sent' 503 "$(get "$hello")"
same 'and no copy of it is kept' '' "$(find "$d/blobs/cached" -type f)"
expect 'check --deep finds it' 1 'a file is missing, or of the wrong size or bytes' "$octavo" check --deep --dir "$d"
store "spoil?key=$key"
same 'the right bytes are sent' 200 "$(get "$hello")"

# ---- killed between upload and COMMIT ----
store 'mode?is=swallow'
upload another.txt "$tmp/another.txt" >"$tmp/swallowed" &
uploading=$!
until_true 10 sh -c "[ \$(curl -s '$OCTAVO_BLOBS_ENDPOINT/-/keys' | grep -vc octavo-installation) = 2 ]" && pass || fail 'the object is put' "$(keys)"
for p in $("$octavo" status --dir "$d" --json | jq -r '.processes[] | select(.name == "api").workers[]'); do kill -9 "$p"; done
wait $uploading
works
until_true 20 sh -c "curl -s -m 5 -o /dev/null -f '$url/v1/healthz'"
same 'the change is not made' "$before" "$(revision)"
sweep
same 'a young object stays' 2 "$(keys | wc -l)"
orphan=$(keys | grep -v "$key")
store "age?key=$orphan"
store "age?key=$key"
store 'put?key=files/one/of/others'
expect 'check counts the orphan' 0 '0 rows and 1 files' "$octavo" check --dir "$d"
sweep
same 'the sweep deletes it, and nothing else' "$key files/one/of/others" "$(keys | tr '\n' ' ' | sed 's/ $//')"
store 'drop?key=files/one/of/others'
same 'its bytes can be stored again' 200 "$(upload another.txt "$tmp/another.txt")"

# ---- many objects, and the limit of copies ----
store 'page?size=2'
n=0
while [ $n -lt 5 ]; do
	n=$((n + 1))
	head -c 400000 /dev/urandom >"$tmp/large.$n"
	same "file $n" 200 "$(upload "large.$n" "$tmp/large.$n")"
	find "$d/blobs/cached" -type f -exec touch -d '2 minutes ago' {} +
done
[ "$(du -sb "$d/blobs/cached" | cut -f 1)" -le 1300000 ] && pass || fail 'copies are limited' "$(du -sb "$d/blobs/cached")"
same 'all files are objects' 7 "$(keys | wc -l)"
expect 'the list is read in pages' 0 '^ok' "$octavo" check --deep --dir "$d"
store 'page?size=1000'

# ---- readers sent to the store ----
down
OCTAVO_BLOBS_SEND=store
export OCTAVO_BLOBS_SEND
up
same 'a reader is sent to the store' 302 "$(get "$hello")"
same 'and gets the file there' 200 "$(get -L "$hello")"
cmp -s "$tmp/got" "$tmp/hello.txt" && pass || fail 'with its bytes, from the store' "$(cat "$tmp/got")"
grep -qi '^content-disposition: inline; filename="hello.txt"' "$tmp/head" && pass || fail 'with its name' "$(cat "$tmp/head")"
grep -qi '^content-type: text/plain; charset=utf-8' "$tmp/head" && pass || fail 'with its type' "$(cat "$tmp/head")"
same 'a range comes from there, too' 200 "$(get -L -I "$hello")"
location=$(get "$hello" >/dev/null; grep -i '^location:' "$tmp/head" | tr -d '\r' | cut -d ' ' -f 2)
same 'the address is signed' 403 "$(get "$(echo "$location" | sed 's|Signature=|Signature=0|')")"
same 'for this object' 403 "$(get "$(echo "$location" | sed "s|$key|$orphan|")")"
curl -s -o /dev/null -D "$tmp/head" "$url/app/sign-in"
grep -qi "^content-security-policy: .*img-src 'self' data: $OCTAVO_BLOBS_ENDPOINT;" "$tmp/head" && pass || fail 'pages below /app may show pictures from there' "$(cat "$tmp/head")"
down
unset OCTAVO_BLOBS_SEND
# As plain CGI: a process for each request.
forget
OCTAVO_DIR=$d OCTAVO_URL=$url REQUEST_METHOD=GET REQUEST_URI=${hello#"$url"} SERVER_PROTOCOL=HTTP/1.1 GATEWAY_INTERFACE=CGI/1.1 HTTP_RANGE=bytes=6-11 \
	"$OCTAVO_BUILD/octavo-site" >"$tmp/got" </dev/null
same 'a program of one request sends it, too' 'Status: 206 Partial Content object' "$(sed -n '1p;$p' "$tmp/got" | tr -d '\r' | tr '\n' ' ' | sed 's/ $//')"

# ---- backups ----
expect 'a backup' 0 'backed up: .* 7 files' "$octavo" backup "$tmp/backup" --dir "$d"
expect 'is whole' 0 'whole' $folder "$octavo" backup "$tmp/backup" --verify
expect 'a backup in one file' 0 'backed up: .* 7 files' "$octavo" backup "$tmp/backup.tar" --dir "$d"
forget
store 'mode?is=503'
expect 'no backup without the store' 1 'cannot be reached' "$octavo" backup "$tmp/backup.tar" --dir "$d"
expect 'the old one is whole' 0 'whole' $folder "$octavo" backup "$tmp/backup.tar" --verify
expect 'no check without the store' 1 'object store cannot be read' "$octavo" check --dir "$d"
works
forget
expect 'an export of all' 0 '.' "$octavo" export "$tmp/all" --dir "$d"
same 'has the files' 7 "$(find "$tmp/all/files" -type f | wc -l)"
forget
store requests >/dev/null
expect 'the second backup copies nothing' 0 '"copied": *0' "$octavo" backup "$tmp/backup" --dir "$d" --json
same 'and fetches nothing' 0 "$(store requests | jq '.GET // 0')"
if [ "$(id -u)" = 0 ]; then
	forget
	rm -rf "$d/blobs/cached"
	chown nobody "$d"
	expect 'a backup by root of the data of a user' 0 'backed up: .* 7 files' "$octavo" backup "$tmp/of_user" --dir "$d"
	same 'leaves only files of that user' '0 of 7' "$(find "$d/blobs/cached" ! -user nobody | wc -l) of $(find "$d/blobs/cached" -type f | wc -l)"
	chown -R root "$d"
else
	skip 'a backup by root' 'this is not root'
fi
for from in backup backup.tar; do
	rm -rf "$tmp/restored"
	expect "a restore of $from" 0 'blobs push moves them' "$octavo" restore "$tmp/$from" --dir "$tmp/restored"
	expect "its data, with its files in the folder ($from)" 0 '^ok' $folder "$octavo" check --deep --dir "$tmp/restored"
done
# ---- a restored copy with the settings of the installation ----
sweep_copy() { rm -f "$tmp/restored/blobs/.swept"; OCTAVO_DIR=$tmp/restored OCTAVO_URL=$url "$OCTAVO_BUILD/octavo-jobs" --once 2>"$tmp/jobs.log" || fail jobs "$(cat "$tmp/jobs.log")"; }
printf 'newer than the backup\n' >"$tmp/newer.txt"
up
same 'a file after the backup' 200 "$(upload newer.txt "$tmp/newer.txt")"
down
for k in $(keys); do store "age?key=$k"; done
sweep_copy
same 'a restored copy deletes no objects' 8 "$(keys | wc -l)"
grep -q 'another installation may use them' "$tmp/jobs.log" && pass || fail 'and says why' "$(cat "$tmp/jobs.log")"
"$octavo" doctor --dir "$tmp/restored" >"$tmp/doctor" 2>&1
grep -q 'octavo blobs adopt' "$tmp/doctor" && pass || fail 'so does the doctor' "$(cat "$tmp/doctor")"
expect 'it takes over' 0 'from here now' "$octavo" blobs adopt --dir "$tmp/restored"
sweep_copy
same 'and then it deletes what it does not know' 7 "$(keys | wc -l)"
expect 'the first one takes them back' 0 'from here now' "$octavo" blobs adopt --dir "$d"

# ---- settings in the file of the units only ----
if [ "$(id -u)" = 0 ]; then
	named=$tmp/octavo-objects$$
	cp -a "$tmp/restored" "$named"
	rm -rf "$named/blobs"
	mkdir -p /etc/octavo
	env_file=/etc/octavo/objects$$.env
	env | grep '^OCTAVO_BLOBS' >"$env_file"
	bare='env -u OCTAVO_BLOBS -u OCTAVO_BLOBS_ENDPOINT -u OCTAVO_BLOBS_REGION -u OCTAVO_BLOBS_KEY -u OCTAVO_BLOBS_SECRET_FILE -u OCTAVO_BLOBS_CACHE'
	expect 'a backup reads the settings of the units' 0 'backed up: .* 7 files' $bare "$octavo" backup "$tmp/named" --dir "$named"
	rm -rf "$named/blobs"
	expect 'an export does, too' 0 . $bare "$octavo" export "$tmp/named-all" --dir "$named"
	same 'and has the files' 7 "$(find "$tmp/named-all/files" -type f | wc -l)"
	rm -f "$env_file"
fi
OCTAVO_BLOBS=s3://octavo/second
expect 'files are moved to a store' 0 '^7 files were moved' "$octavo" blobs push --dir "$tmp/restored"
same 'none is left' '' "$(find "$tmp/restored/blobs" -type f ! -path '*/cached/*' ! -name '.s*')"
rm -rf "$tmp/restored/blobs/cached"
expect 'all are in the store' 0 '^ok' "$octavo" check --deep --dir "$tmp/restored"
expect 'and back' 0 '^7 files were copied' "$octavo" blobs pull --dir "$tmp/restored"
expect 'all are in the folder' 0 '^ok' $folder "$octavo" check --deep --dir "$tmp/restored"
OCTAVO_BLOBS=s3://octavo/files/one

# ---- an object is missing; wrong settings ----
store "drop?key=$key"
expect 'a missing object is found' 1 'a file is missing' "$octavo" check --dir "$d"
up
forget
same 'its address is one of nothing' 404 "$(get "$hello")"
down
printf 'wrong\n' >"$tmp/wrong"
expect 'a wrong secret' 1 'SignatureDoesNotMatch' env OCTAVO_BLOBS_SECRET_FILE="$tmp/wrong" "$octavo" blobs pull --dir "$d"
expect 'another bucket' 1 'NoSuchBucket' env OCTAVO_BLOBS=s3://other "$octavo" check --dir "$d"
expect 'no secret' 1 'OCTAVO_BLOBS_SECRET' env -u OCTAVO_BLOBS_SECRET_FILE "$octavo" up --dir "$d" --port 0
expect 'http to another machine' 1 'does not begin with https' env OCTAVO_BLOBS_ENDPOINT=http://store.example "$octavo" blobs push --dir "$d"
expect 'no address of a store' 1 'does not begin with s3://' env OCTAVO_BLOBS=/srv/blobs "$octavo" blobs push --dir "$d"
expect 'no store' 1 'names no object store' $folder "$octavo" blobs push --dir "$d"
expect 'salvage needs a folder' 1 'octavo blobs pull' "$octavo" salvage "$tmp/salvaged" --dir "$d"

# ---- imports and jobs ----
mkdir "$tmp/repo"
printf '# Home\n\n![](dot.png) [text](words.txt)\n' >"$tmp/repo/README.md"
base64 -d >"$tmp/repo/dot.png" <<-END
	iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==
END
printf 'words\n' >"$tmp/repo/words.txt"
repository "$tmp/repo"
OCTAVO_BLOBS=s3://octavo/third
expect 'an import puts its files there' 0 '.' "$octavo" import --dir "$d" --org "$org" --title T --url "$tmp/repo"
same 'as objects' 2 "$(keys | grep -c '^third/')"
store 'mode?is=503'
printf '# Home\n\n![](dot.png) [text](words.txt) [more](more.txt)\n' >"$tmp/repo/README.md"
printf 'more\n' >"$tmp/repo/more.txt"
git -C "$tmp/repo" add -A && git -C "$tmp/repo" -c user.name=T -c user.email=t@example.com commit -q -m two
expect 'an import without the store fails' 1 'object store' "$octavo" import --dir "$d" --org "$org" --title U --url "$tmp/repo"
works
same 'and leaves nothing there' 2 "$(keys | grep -c '^third/')"
# What the store cannot confirm when rows are written is not written.
store 'mode?is=nohead'
"$octavo" import --dir "$d" --org "$org" --title V --url "$tmp/repo" >"$tmp/imported" 2>&1 &
importing=$!
put_off() { [ "$("$OCTAVO_BUILD/tests/sql" "$d/octavo.db" "SELECT count(*) FROM job WHERE kind = '$1' AND attempts > 0 AND error LIKE '%before it was done%'")" = 1 ]; }
until_true 20 put_off import && pass || fail 'an import is put off' "$(cat "$tmp/imported")"
same 'and has no file yet' 0 "$("$OCTAVO_BUILD/tests/sql" "$d/octavo.db" "SELECT count(*) FROM node n JOIN branch b ON b.id = n.branch JOIN space s ON s.id = b.space WHERE s.title = 'V' AND n.kind = 'file'")"
works
wait $importing && pass || fail 'it is done later' "$(cat "$tmp/imported")"
same 'with its files' 3 "$(keys | grep -c '^third/')"
git init -q --bare -b main "$tmp/bare.git"
imported=$("$octavo" jobs --dir "$d" --json | jq -r '[.[] | select(.kind == "import" and .state == "done").space][0]')
OCTAVO_GIT_ROOT=$tmp
export OCTAVO_GIT_ROOT
up
store 'mode?is=503'
forget
"$octavo" space export --dir "$d" --space "$imported" --url "file://$tmp/bare.git" --ref refs/heads/main --commitMessage x >"$tmp/given" 2>&1
until_true 20 put_off export && pass ||
	fail 'an export that cannot read a file is put off' "$("$octavo" jobs --dir "$d")"
same 'no commit lacks the file' 0 "$(git -C "$tmp/bare.git" rev-list --all --count)"
works
timeout 60 "$octavo" jobs --wait --dir "$d" >"$tmp/given" 2>&1
down
same 'it is made later, with the file' words "$(git -C "$tmp/bare.git" grep -h words main -- '*words.txt')"

# ---- the server of others ----
if (cd tests/objects && { cmp -s package.json node_modules/.installed-from ||
	{ npm install --no-audit --no-fund --no-package-lock --loglevel=error && cp package.json node_modules/.installed-from; }; }) >"$tmp/npm" 2>&1; then
	mkdir "$tmp/s3"
	node tests/objects/s3rver.mjs "$tmp/s3" "$tmp/s3.port" >"$tmp/s3.log" 2>&1 &
	other=$!
	until_true 20 test -s "$tmp/s3.port" || fail 's3rver starts' "$(cat "$tmp/s3.log")"
	OCTAVO_BLOBS_ENDPOINT=http://127.0.0.1:$(cat "$tmp/s3.port") OCTAVO_BLOBS=s3://octavo/files OCTAVO_BLOBS_KEY=S3RVER OCTAVO_BLOBS_REGION=us-east-1
	OCTAVO_BLOBS_SECRET=S3RVER OCTAVO_BLOBS_SECRET_FILE=
	export OCTAVO_BLOBS_SECRET
	rm -rf "$tmp/restored"
	$folder "$octavo" restore "$tmp/backup" --dir "$tmp/restored" >/dev/null 2>&1
	expect 's3rver takes files' 0 '^7 files were moved' "$octavo" blobs push --dir "$tmp/restored"
	rm -rf "$tmp/restored/blobs/cached"
	expect 's3rver has them' 0 '^ok' "$octavo" check --deep --dir "$tmp/restored"
	expect 's3rver refuses an unknown key' 1 'InvalidAccessKeyId' env OCTAVO_BLOBS_KEY=x "$octavo" blobs pull --dir "$tmp/restored"
	d=$tmp/restored OCTAVO_BLOBS_SEND=store
	export OCTAVO_BLOBS_SEND
	up
	same 's3rver sends them to readers' 200 "$(get -L "$hello")"
	cmp -s "$tmp/got" "$tmp/hello.txt" && pass || fail 's3rver: with their bytes' "$(head -c 300 "$tmp/got")"
	down
else
	fail 's3rver' "npm cannot install it: $(tail -n 3 "$tmp/npm")"
fi
summary
