# An installation is exported with its secrets, and imported elsewhere: its API answers as before. All that
# other cases have left in the fixture goes with it.
lv="$tmp/leave"
mkdir "$lv"
echo 'a passphrase of some length' >"$lv/pass"
echo 'another passphrase of some length' >"$lv/wrong"

t 'a site to take along' POST /v1/orgs/$ORG/sites admin '{"title":"Leaving","visibility":"share-link"}' 201 ''
lv_site=$(jq -r .id "$out")
t 'its space' POST /v1/orgs/$ORG/sites/$lv_site/site-spaces admin "{\"spaceId\":\"$SPACE\"}" 201 ''
t 'its share link' POST /v1/orgs/$ORG/sites/$lv_site/share-links admin '{"name":"Friends"}' 201 ''
t 'its server' POST /v1/orgs/$ORG/sites/$lv_site/mcp-servers admin \
	'{"name":"Tools","url":"https://mcp.example/sse","headers":{"X-Key":"leaving-secret"}}' 201 ''
t 'it is published' POST /v1/orgs/$ORG/sites/$lv_site/publish admin '' 200 ''
t 'an invite link' POST /v1/orgs/$ORG/link-invites admin '{"role":"read"}' 201 ''
t 'a comment' POST /v1/spaces/$SPACE/comments edit '{"body":{"markdown":"Before we leave"}}' 200 ''
lv_comment=$(jq -r .id "$out")
t 'a reply' POST /v1/spaces/$SPACE/comments/$lv_comment/replies admin '{"body":{"markdown":"Yes"}}' 200 ''
t 'a change request' POST /v1/spaces/$SPACE/change-requests edit '{"subject":"Not yet merged"}' 201 ''
lv_number=$(jq -r .number "$out")
t 'its content' POST "/v1/spaces/$SPACE/change-requests/$lv_number/content" edit \
	'{"changes":[{"operation":"insert_page","title":"Farewell","document":{"markdown":"See [guide](./guide/README.md)."}}]}' 200 ''
jobs_rest

lv_run() { "$octavo" "$@" >"$lv/cli" 2>&1; echo $?; }
same 'an export with secrets needs a passphrase' 2 "$(lv_run export "$lv/none" --dir "$dir" --with-secrets)"
same 'an export is written' 0 "$(lv_run export "$lv/out.tar" --dir "$dir" --with-secrets --passphrase-file "$lv/pass")"
same 'an export replaces nothing' 1 "$(lv_run export "$lv/out.tar" --dir "$dir")"
same 'an export without secrets is written' 0 "$(lv_run export "$lv/open" --dir "$dir")"
same 'what opens something is not in it' '' "$(grep -rlaE 'leaving-secret|oct_[A-Za-z0-9_-]{30}' "$lv/open" --exclude=openapi.json | head -n 3)"
for lv_who in admin edit; do
	same "nor the hash of a token of $lv_who" '' "$(grep -rl "$("$OCTAVO_BUILD/tests/sql" "$dir/octavo.db" \
		"SELECT lower(hex(hash)) FROM token WHERE account = '$(eval echo "\$U_$lv_who")' LIMIT 1")" "$lv/open" | head -n 3)"
done
same 'each line is an object of its schema' '' "$(cd "$lv/open/records" && for lv_f in *.jsonl; do
	jq -r --argjson s "$(jq -c ".\"\$defs\".${lv_f%.jsonl}" schema.json)" 'select((keys - ($s.properties | keys)) + ($s.required - keys) != []) |
		input_filename' "$lv_f" 2>&1 | head -n 1; done)"
same 'each repository is whole' '' "$(for lv_r in "$lv"/open/spaces/*.git; do git -C "$lv_r" fsck --no-dangling 2>&1 | grep -v '^notice' |
	sed "s|^|$lv_r |"; done | head -n 3)"
same 'a repository has the pages' 1 "$(git -C "$lv/open/spaces/$SPACE.git" show main:guide/added.md | grep -c Fresh)"
same 'a change request is a branch' 1 "$(git -C "$lv/open/spaces/$SPACE.git" show "change-requests/$lv_number:farewell.md" | grep -c '(./guide/README.md)')"
same 'a file has its bytes' "$(md5sum <"$tmp/repo/.gitbook/assets/dot.png")" \
	"$(git -C "$lv/open/spaces/$SPACE.git" show main:.gitbook/assets/dot.png | md5sum)"

same 'another passphrase opens nothing' 1 "$(lv_run import "$lv/out.tar" --dir "$lv/wrong.d" --passphrase-file "$lv/wrong")"
yes 'and says so' grep -q 'the passphrase is another one' "$lv/cli"
same 'nothing is there then' no "$([ -e "$lv/wrong.d/octavo.db" ] && echo yes || echo no)"
same 'the import is made' 0 "$(lv_run import "$lv/out.tar" --dir "$lv/new" --passphrase-file "$lv/pass")"
same 'its database is right' 0 "$(lv_run check --dir "$lv/new" --deep)"
same 'an import goes into no data' 1 "$(lv_run import "$lv/out.tar" --dir "$lv/new" --passphrase-file "$lv/pass")"
same 'its jobs are done' 0 "$(OCTAVO_URL=$base lv_run jobs --wait --dir "$lv/new")"
cp -r "$lv/open" "$lv/bent"
sed -i '1s/"title":"/"title":"x","titel":"/' "$lv/bent/records/space.jsonl"
same 'a line with another member is refused' 1 "$(lv_run import "$lv/bent" --dir "$lv/bent.d")"
yes 'by file and line' grep -q 'records/space.jsonl, line 1: no such member: titel' "$lv/cli"
cp "$lv/open/records/space.jsonl" "$lv/bent/records/"
rm -rf "$lv/bent.d"
find "$lv/bent/files" -type f | head -n 1 | xargs truncate -s 1
same 'other bytes of a file are refused' 1 "$(lv_run import "$lv/bent" --dir "$lv/bent.d")"

# Every GET of every object, at both. Signatures and the times of their end differ, and so do jobs of the import.
lv_addresses() {
	jq -r '.of, (.object.urls.location? // empty | sub("^.*/v1/"; "/"))' "$lv"/open/objects/*.jsonl | grep -v '{' | sort -u
	jq -r 'select(.deleted_at == null).id' "$lv/open/records/space.jsonl" | while read -r lv_id; do
		printf '/spaces/%s/%s\n' "$lv_id" content "$lv_id" content/pages "$lv_id" content/files "$lv_id" 'search?query=guide' "$lv_id" links
	done
	jq -r '"/spaces/\(.id)"' "$lv/open/records/space.jsonl"
}
# Texts of the data may name the first server, in the audit record for example: its address is replaced too.
lv_ask() {
	bearer admin
	mkdir "$lv/$2"
	awk -v base="$1" -v to="$lv/$2" '{ printf "url = \"%s/v1%s\"\noutput = \"%s/%06d\"\n", base, $0, to, NR }' "$lv/addresses" >"$lv/curl"
	curl -s -Z --parallel-max 4 -m 120 -H "Authorization: Bearer $bearer" -K "$lv/curl" >"$lv/curl.out" 2>&1
	(cd "$lv/$2" && for lv_n in *; do
		sed "s|$1|BASE|g; s|$base|BASE|g; s/[?&][A-Za-z-]*[Ss]ignature=[^\"]*//g; s/?token=[^\"]*//g" "$lv_n"
		echo
	done) >"$lv/$2.text"
}
if [ "$TRANSPORT" = http ]; then
	lv_addresses >"$lv/addresses"
	yes 'there are many addresses to ask' [ "$(wc -l <"$lv/addresses")" -gt 100 ]
	"$octavo" up --dir "$lv/new" --port 0 --workers 2 >"$lv/up" 2>&1 || fail 'the import can be served' "$(cat "$lv/up")"
	lv_base=$("$octavo" status --dir "$lv/new" --json | jq -r .url)
	lv_ask "$base" before
	lv_ask "$lv_base" after
	same 'the API answers as before' '' "$(diff -q "$lv/before.text" "$lv/after.text" >"$lv/diff" || diff "$lv/before.text" "$lv/after.text" | head -c 1500)"
	same 'to each address' "$(wc -l <"$lv/addresses")" "$(find "$lv/after" -type f | wc -l)"
	"$octavo" down --dir "$lv/new" >/dev/null
fi

same 'an import without secrets is made' 0 "$(lv_run import "$lv/open" --dir "$lv/plain")"
yes 'and names what is missing' grep -q 'Missing: passwords, tokens' "$lv/cli"
same 'no token opens it' 0 "$("$OCTAVO_BUILD/tests/sql" "$lv/plain/octavo.db" 'SELECT count(*) FROM token')"
same 'its database is right, too' 0 "$(lv_run check --dir "$lv/plain")"
same 'an export of one organization is written' 0 "$(lv_run export "$lv/one" --dir "$dir" --org "$ORG_B")"
same 'it has nothing of another' '' "$(grep -rlE "$ORG\"|$SPACE\"|$U_create" "$lv/one" --include=*.jsonl | head -n 3)"
same 'it can be imported' 0 "$(lv_run import "$lv/one" --dir "$lv/one.d")"
same 'its database is right as well' 0 "$(lv_run check --dir "$lv/one.d")"
rm -rf "$lv"
