# Refused or immediately replaced content leaves no blobs behind.
leftovers() { "$octavo" check --dir "$dir" --json | jq -c .leftovers; }
blob_files() { find "$dir/blobs" -type f ! -name .swept | sort; }
# file_and: a batch with a file, and another change after it
file_and() {
	printf '{"changes":[{"operation":"insert_files","files":[{"name":"%s","contentType":"text/plain","base64":"%s"}]},%s]}' \
		"$1" "$(printf '%s' "$1" | base64)" "$2"
}
t 'a space for leftovers is created' POST /v1/orgs/$ORG/spaces admin '{"title":"Leftovers"}' 201 ''
S=/v1/spaces/$(jq -r .id "$out") C=$S/change-requests
send POST $C admin '{}'
C=$C/$(jq -r .number "$out")/content
# Jobs of other cases may still write files: wait for them.
jobs_rest
before=$(leftovers) files=$(blob_files)

t 'a batch with a file and an unknown page answers 404' POST $C admin "$(file_and lost.txt '{"operation":"delete_page","page":"nope"}')" 404 ''
t 'a batch with a faulty file name is refused' POST $C admin "$(file_and 'a/b' '{"operation":"delete_page","page":"nope"}')" 400 ''
same 'a refused batch leaves no file' "$files" "$(blob_files)"
t 'a batch with a file and a doubled slug is refused' POST $C admin "$(file_and lost.txt '{"operation":"insert_page","title":"A","slug":"a","document":{}},
	{"operation":"insert_page","title":"B","slug":"a","document":{}}')" 400 ''
same 'a batch with a refused tree leaves no file' "$files" "$(blob_files)"

# Sets $name to a file name whose blob would go to a missing folder of blobs/, $folder
unwritten() {
	u_n=0
	while
		name=disk$u_n.txt folder=$dir/blobs/$(printf %s "disk$u_n.txt" | b2sum -l 256 | cut -c 1-2)
		[ -e "$folder" ]
	do u_n=$((u_n + 1)); done
}

# A folder that cannot be written is not the client's mistake.
unwritten
: >"$folder"
t 'a file that cannot be stored answers 503 without its path' POST $C admin "$(file_and $name '{"operation":"insert_page","title":"A","document":{}}')" 503 \
	'.error.message | test("blobs") | not'
rm "$folder"
t 'the same file is stored once there is a place' POST $C admin "$(file_and $name '{"operation":"insert_page","title":"A","document":{}}')" 200 ''
same 'a stored file is one file more' "$(printf '%s\n' "$files" | grep -c .)" "$(($(blob_files | grep -c .) - 1))"

# An import that fails to write a file has written others before.
files=$(blob_files)
unwritten
mkdir -p "$tmp/early/.gitbook/assets"
printf '* [A](README.md)\n' >"$tmp/early/SUMMARY.md"
printf '# A\n\n![](.gitbook/assets/1.txt) ![](.gitbook/assets/9.txt) ![](.gitbook/assets/5.txt)\n' >"$tmp/early/README.md"
for n in 1 9; do echo "early $n" >"$tmp/early/.gitbook/assets/$n.txt"; done
printf %s "$name" >"$tmp/early/.gitbook/assets/5.txt"
git_in "$tmp/early" init -q -b main
git_in "$tmp/early" add -A
git_in "$tmp/early" commit -q -m early
: >"$folder"
early() { "$octavo" import --dir "$dir" --org "$ORG" --title Early --url "$tmp/early" --json; }
early >"$tmp/early.out" 2>&1 && fail 'an import that cannot store a file fails' 'it was done' || pass
rm "$folder"
same 'a failed import leaves no file' "$files" "$(blob_files)"
early >"$tmp/early.out" 2>&1
EARLY=$(jq -r .result.space "$tmp/early.out")
t 'the same import works once there is a place' GET /v1/spaces/$EARLY/content/files admin '' 200 '.count == 3'
same 'an import stores its three files' 3 "$(($(blob_files | grep -c .) - $(printf '%s\n' "$files" | grep -c .)))"

# The failed import has stored texts before its files; the daily sweep deletes them.
before=$(leftovers)
t 'a page is written' POST "$C?compat=false" admin '{"changes":[{"operation":"insert_page","title":"P","document":{"markdown":"First words of it."}}]}' 200 ''
P=$(jq -r '.changes[0].page.id' "$out")
t 'a page is written twice in one batch' POST $C admin '{"changes":[
	{"operation":"update_page","page":"'$P'","document":{"markdown":"Written over at once, with [a link](/pages/'$P')."}},
	{"operation":"update_page","page":"'$P'","document":{"markdown":"What stays."}}]}' 200 ''
t 'the last body of a batch counts' GET "$C/page/$P?format=markdown" admin '' 200 '.markdown == "# P\n\nWhat stays."'
t 'a page is written and deleted in one batch' POST $C admin '{"changes":[{"operation":"update_page","page":"'$P'",
	"document":{"markdown":"Never seen either."}},
	{"operation":"delete_page","page":"'$P'"}]}' 200 ''
same 'bodies that a batch wrote over leave no row' "$before" "$(leftovers)"
t 'the space is deleted' DELETE $S admin '' 204 ''
t 'the imported space is deleted' DELETE /v1/spaces/$EARLY admin '' 204 ''
