#!/bin/sh
# Files of two nodes, which are two data directories over one PostgreSQL server: on a folder that both share, and in
# an object store. Needs OCTAVO_BUILD.
set -u
cd "$(dirname "$0")/../.." || exit 2
[ -n "${OCTAVO_TEST_DB:-}" ] || exec sh tests/postgres/server.sh sh "$0"
. tests/http/expect.sh
one=$tmp/one two=$tmp/two
finish() {
	for d in "$one" "$two"; do "$octavo" down --dir "$d" >/dev/null 2>&1; done
	[ -z "${store:-}" ] || kill "$store" 2>/dev/null
	rm -rf "$tmp"
	ended_early
}
at_exit finish
OCTAVO_DB=$OCTAVO_TEST_DB OCTAVO_EXPERIMENTAL_POSTGRES=1
export OCTAVO_DB OCTAVO_EXPERIMENTAL_POSTGRES
unset OCTAVO_ENGINE OCTAVO_TEST_DB WORKERS

# up FOLDER: prints the address
up() {
	"$octavo" up --dir "$1" --port 0 --workers 1 >"$tmp/up" 2>&1 || fail up "$(cat "$tmp/up")"
	"$octavo" status --dir "$1" --json | jq -r .url
}
api() {
	a_method=$1 a_url=$2
	shift 2
	curl -s -m 60 -X "$a_method" -o "$tmp/body" -w '%{http_code}' -H "Authorization: Bearer $token" -H 'Content-Type: application/json' "$@" "$a_url"
}
# upload URL TEXT: prints the status; $tmp/id is the file's id
upload() {
	api POST "$1/v1/spaces/$space/change-requests/1/content?compat=false" \
		-d '{"changes":[{"operation":"insert_files","files":[{"name":"a.txt","base64":"'"$(printf '%s' "$2" | base64 -w0)"'"}]}]}'
	jq -r '.insertedFiles[0].id // ""' "$tmp/body" >"$tmp/id"
}
# bytes URL: of the file, at the address that this node gives
bytes() {
	api GET "$1/v1/spaces/$space/change-requests/1/content/files/$(cat "$tmp/id")" >/dev/null
	curl -s -m 60 "$(jq -r .downloadURL "$tmp/body")"
}

"$octavo" init --dir "$one" --email a@example.com --name A --org Docs --json >"$tmp/init" || exit 1
token=$(jq -r .token "$tmp/init") org=$(jq -r .organization "$tmp/init")
mkdir "$two"
chmod 710 "$two"
cp -p "$one/octavo.key" "$two/"
ln -s "$one/blobs" "$two/blobs"

at_one=$(up "$one") at_two=$(up "$two")
same 'a space' 201 "$(api POST "$at_one/v1/orgs/$org/spaces" -d '{"title":"Files"}')"
space=$(jq -r .id "$tmp/body")
same 'a change request' 201 "$(api POST "$at_two/v1/spaces/$space/change-requests" -d '{"subject":"x"}')"
for n in 1 2 3; do
	same "the first node stores ($n)" 200 "$(upload "$at_one" "file $n")"
	same "the second sends ($n)" "file $n" "$(bytes "$at_two")"
	same "the second stores ($n)" 200 "$(upload "$at_two" "other $n")"
	same "the first sends ($n)" "other $n" "$(bytes "$at_one")"
	# The same bytes, by both at once.
	upload "$at_one" "same $n" >"$tmp/code" &
	both=$!
	same "both store the same ($n)" 200 "$(upload "$at_two" "same $n")"
	wait $both
	same "and the other ($n)" 200 "$(cat "$tmp/code")"
done
expect 'no file is lost' 0 '^ok' "$octavo" check --deep --dir "$two"
for d in "$one" "$two"; do "$octavo" down --dir "$d" >/dev/null; done

# In an object store, each with its own copies. The files from before are moved.
rm "$two/blobs"
node tests/objects/store.mjs "$tmp/port" &
store=$!
until_true 20 test -s "$tmp/port" || fail 'the store starts' 'it does not'
OCTAVO_BLOBS=s3://octavo/files OCTAVO_BLOBS_ENDPOINT=http://127.0.0.1:$(cat "$tmp/port") OCTAVO_BLOBS_REGION=eu-test OCTAVO_BLOBS_KEY=tester OCTAVO_BLOBS_SECRET=sec/ret+1
export OCTAVO_BLOBS OCTAVO_BLOBS_ENDPOINT OCTAVO_BLOBS_REGION OCTAVO_BLOBS_KEY OCTAVO_BLOBS_SECRET
expect 'files are moved' 0 '^9 files were moved' "$octavo" blobs push --dir "$one"
at_one=$(up "$one") at_two=$(up "$two")
same 'the first node stores an object' 200 "$(upload "$at_one" 'object 1')"
same 'the second sends it' 'object 1' "$(bytes "$at_two")"
same 'the second stores one' 200 "$(upload "$at_two" 'object 2')"
same 'the first sends it' 'object 2' "$(bytes "$at_one")"
expect 'no object is lost' 0 '^ok' "$octavo" check --deep --dir "$two"
summary
