# What is refused, or written over at once, leaves nothing behind.
leftovers() { "$octavo" check --dir "$dir" --json | jq -c .leftovers; }
blob_files() { find "$dir/blobs" -type f ! -name .swept | sort; }
# A file of a batch, and something after it
file_and() {
	printf '{"changes":[{"operation":"insert_files","files":[{"name":"%s","contentType":"text/plain","base64":"%s"}]},%s]}' \
		"$1" "$(printf '%s' "$1" | base64)" "$2"
}
t 'space for leftovers' POST /v1/orgs/$ORG/spaces admin '{"title":"Leftovers"}' 201 ''
S=/v1/spaces/$(jq -r .id "$out") C=$S/change-requests
send POST $C admin '{}'
C=$C/$(jq -r .number "$out")/content
before=$(leftovers) files=$(blob_files)

t 'file before a mistake' POST $C admin "$(file_and lost.txt '{"operation":"delete_page","page":"nope"}')" 404 ''
t 'file before a taken name' POST $C admin "$(file_and 'a/b' '{"operation":"delete_page","page":"nope"}')" 400 ''
same 'files of refused batches' "$files" "$(blob_files)"
t 'file before a fault of the tree' POST $C admin "$(file_and lost.txt '{"operation":"insert_page","title":"A","slug":"a","document":{}},
	{"operation":"insert_page","title":"B","slug":"a","document":{}}')" 400 ''
same 'files of a refused tree' "$files" "$(blob_files)"

# Where no file can be written it is not the client's mistake.
n=0
while
	name=disk$n.txt hash=$(printf %s "disk$n.txt" | b2sum -l 256)
	[ -e "$dir/blobs/$(printf %.2s "$hash")" ]
do n=$((n + 1)); done
: >"$dir/blobs/$(printf %.2s "$hash")"
t 'a disk that takes no file' POST $C admin "$(file_and $name '{"operation":"insert_page","title":"A","document":{}}')" 503 \
	'.error.message | test("blobs") | not'
rm "$dir/blobs/$(printf %.2s "$hash")"
t 'and one that does' POST $C admin "$(file_and $name '{"operation":"insert_page","title":"A","document":{}}')" 200 ''
same 'one file more' "$(printf '%s\n' "$files" | grep -c .)" "$(($(blob_files | grep -c .) - 1))"

t 'a page' POST "$C?compat=false" admin '{"changes":[{"operation":"insert_page","title":"P","document":{"markdown":"First words of it."}}]}' 200 ''
P=$(jq -r '.changes[0].page.id' "$out")
t 'twice in one batch' POST $C admin '{"changes":[
	{"operation":"update_page","page":"'$P'","document":{"markdown":"Written over at once, with [a link](/pages/'$P')."}},
	{"operation":"update_page","page":"'$P'","document":{"markdown":"What stays."}}]}' 200 ''
t 'the last one counts' GET "$C/page/$P?format=markdown" admin '' 200 '.markdown == "# P\n\nWhat stays."'
t 'written and deleted in one batch' POST $C admin '{"changes":[{"operation":"update_page","page":"'$P'","document":{"markdown":"Never seen either."}},
	{"operation":"delete_page","page":"'$P'"}]}' 200 ''
same 'rows that nothing names' "$before" "$(leftovers)"
t 'delete' DELETE $S admin '' 204 ''
