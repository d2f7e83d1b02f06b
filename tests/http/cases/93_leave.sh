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
t 'its redirect' POST /v1/orgs/$ORG/sites/$lv_site/redirects admin \
	'{"source":"/leaving/old","destination":{"kind":"external","url":"https://example.org/new"}}' 201 ''
t 'a conversation' POST /v1/orgs/$ORG/conversations admin \
	'[{"id":"leaving","metadata":{"url":"https://example.org/talk","attributes":{},"createdAt":"2025-01-01T00:00:00.000Z"},
	"parts":[{"type":"message","role":"user","body":"How do I leave with all my pages?"}]}]' 204 ''
t 'it is published' POST /v1/orgs/$ORG/sites/$lv_site/publish admin '' 200 ''
t 'an invite link' POST /v1/orgs/$ORG/link-invites admin '{"role":"read"}' 201 ''
t 'a comment' POST /v1/spaces/$SPACE/comments edit '{"body":{"markdown":"Before we leave"}}' 200 ''
lv_comment=$(jq -r .id "$out")
t 'a reply' POST /v1/spaces/$SPACE/comments/$lv_comment/replies admin '{"body":{"markdown":"Yes"}}' 200 ''
t 'a change request' POST /v1/spaces/$SPACE/change-requests edit '{"subject":"Not yet merged"}' 201 ''
lv_number=$(jq -r .number "$out")
t 'its content' POST "/v1/spaces/$SPACE/change-requests/$lv_number/content" edit \
	'{"changes":[{"operation":"insert_page","title":"Farewell","document":{"markdown":"See [guide](./guide/README.md)."}}]}' 200 ''
t 'a request that is merged' POST /v1/spaces/$SPACE/change-requests edit '{"subject":"Two pages"}' 201 ''
lv_merged=$(jq -r .number "$out")
for lv_page in '"title":"Goal","document":{"markdown":"Here."}' '"title":"Way","document":{"markdown":"To the [goal](goal.md)."}'; do
	t 'has two pages' POST "/v1/spaces/$SPACE/change-requests/$lv_merged/content" edit "{\"changes\":[{\"operation\":\"insert_page\",$lv_page}]}" 200 ''
done
t 'and is' POST "/v1/spaces/$SPACE/change-requests/$lv_merged/merge" admin '' 200 ''
t 'a page of it' GET "/v1/spaces/$SPACE/content/path/goal" admin '' 200 ''
lv_goal=$(jq -r .id "$out")
t 'another request' POST /v1/spaces/$SPACE/change-requests edit '{"subject":"Elsewhere"}' 201 ''
lv_moves=$(jq -r .number "$out")
t 'moves it' POST "/v1/spaces/$SPACE/change-requests/$lv_moves/content" edit \
	'{"changes":[{"operation":"update_page","page":"'$lv_goal'","slug":"target"}]}' 200 ''
# A job whose space is gone belongs to no organization.
sql "INSERT INTO job (id, kind, queue, state, run_at, created_at, ended_at) VALUES ('leavingJob', 'import', 'leaving', 'done', 1, 1, 1)" \
	"INSERT INTO job_warning (job, n, file, line, message) VALUES ('leavingJob', 0, 'a.md', 1, 'A warning')"
jobs_rest

lv_run() { "$octavo" "$@" >"$lv/cli" 2>&1; echo $?; }
lv_sql() { lv_to=$1; shift; "$OCTAVO_BUILD/tests/sql" "$lv/$lv_to/octavo.db" "$@" || fail 'a statement' "$*"; }
lv_left() { find "$1" -mindepth 1 2>/dev/null | head -n 3; }
same 'an export with secrets needs a passphrase' 2 "$(lv_run export "$lv/none" --dir "$dir" --with-secrets)"
same 'an export is written' 0 "$(lv_run export "$lv/out.tar" --dir "$dir" --with-secrets --passphrase-file "$lv/pass")"
same 'an export replaces nothing' 1 "$(lv_run export "$lv/out.tar" --dir "$dir")"
mkdir "$lv/full" "$lv/empty"
echo mine >"$lv/full/note"
ln -s empty "$lv/link"
ln -s nowhere.tar "$lv/link.tar"
for lv_to in full link link.tar nowhere/there; do
	same "nor goes into $lv_to" 1 "$(lv_run export "$lv/$lv_to" --dir "$dir")"
done
same 'what was there stays' "mine $(lv_left "$lv/empty")" "$(cat "$lv/full/note") "
same 'an organization that does not exist has no export' 1 "$(lv_run export "$lv/nobody" --dir "$dir" --org org_nobody)"
yes 'which is said' grep -q 'org_nobody' "$lv/cli"
same 'and leaves nothing' no "$([ -e "$lv/nobody" ] && echo yes || echo no)"
chmod 777 "$lv/empty"
same 'an export without secrets is written' 0 "$(lv_run export "$lv/open" --dir "$dir")"
same 'into an empty folder as well, which is closed to others' '0 700' "$(lv_run export "$lv/empty" --dir "$dir" --org "$ORG_B") $(stat -c %a "$lv/empty")"
same 'its files are its own' '' "$(find "$lv/open/files" -type f -links +1 | head -n 3)"
lv_objects() { jq -r "$2" "$lv/open/objects/$1.jsonl" 2>&1 | grep -c .; }
same 'redirects of sites are among the objects' 1 "$(lv_objects listSiteRedirects 'select(.object.source == "/leaving/old").of')"
same 'a conversation has its parts' 1 "$(lv_objects getConversationById 'select(.object.conversation.id == "leaving") | .object.parts[]?.body // empty')"
yes 'and the audit events are' [ "$(lv_objects listOrganizationAuditEvents .object.id)" -gt 20 ]
same 'what opens something is not in it' '' \
	"$(grep -rlaE 'leaving-secret|oct_[A-Za-z0-9_-]{30}|jwt_token=[A-Za-z0-9]' "$lv/open" --exclude=openapi.json | head -n 3)"
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
same 'a request that moves a page spells the links to it, and changes nothing else' 'SUMMARY.md goal.md target.md way.md To the [goal](target.md).' \
	"$(cd "$lv/open/spaces/$SPACE.git" && git diff --name-only --no-renames main "change-requests/$lv_moves" | sort | tr '\n' ' '
		git show "change-requests/$lv_moves:way.md" | tail -n 1)"
same 'a merged request has its own pages, on what was there' 'goal.md way.md ' \
	"$(git -C "$lv/open/spaces/$SPACE.git" diff --name-only "$(git -C "$lv/open/spaces/$SPACE.git" merge-base main "change-requests/$lv_merged")" \
		"change-requests/$lv_merged" | sort | tr '\n' ' ')"
same 'a file has its bytes' "$(md5sum <"$tmp/repo/.gitbook/assets/dot.png")" \
	"$(git -C "$lv/open/spaces/$SPACE.git" show main:.gitbook/assets/dot.png | md5sum)"

same 'another passphrase opens nothing' 1 "$(lv_run import "$lv/out.tar" --dir "$lv/wrong.d" --passphrase-file "$lv/wrong")"
yes 'and says so' grep -q 'the passphrase is another one' "$lv/cli"
same 'nothing is there then' no "$([ -e "$lv/wrong.d" ] && echo yes || echo no)"
tar -xf "$lv/out.tar" -C "$(mkdir "$lv/cut" "$lv/cut.d" && echo "$lv/cut")"
same 'an archive has the repositories whole, empty ones too' '' "$(for lv_r in "$lv"/cut/spaces/*.git; do
	git clone -q "$lv_r" "$lv/clone" 2>&1 | grep -v '^warning'; rm -rf "$lv/clone"; done)"
truncate -s -9 "$lv/cut/secrets.sealed"
same 'cut secrets are refused' 1 "$(lv_run import "$lv/cut" --dir "$lv/cut.d" --passphrase-file "$lv/pass")"
yes 'by file and line' grep -q 'secrets.sealed, line [0-9]*: .*copy the export again' "$lv/cli"
rm "$lv/cut/secrets.sealed"
same 'missing ones too' 1 "$(lv_run import "$lv/cut" --dir "$lv/cut.d" --passphrase-file "$lv/pass")"
same 'the folder is as before' '' "$(lv_left "$lv/cut.d")"
tar -xf "$lv/out.tar" -C "$lv/cut" secrets.sealed
same 'and can be imported into again' 0 "$(lv_run import "$lv/cut" --dir "$lv/cut.d" --passphrase-file "$lv/pass")"
rm -rf "$lv/cut" "$lv/cut.d"
same 'the import is made' 0 "$(lv_run import "$lv/out.tar" --dir "$lv/new" --passphrase-file "$lv/pass")"
same 'its database is right' 0 "$(lv_run check --dir "$lv/new" --deep)"
same 'an import goes into no data' 1 "$(lv_run import "$lv/out.tar" --dir "$lv/new" --passphrase-file "$lv/pass")"
same 'its jobs are done' 0 "$(OCTAVO_URL=$base lv_run jobs --wait --dir "$lv/new")"
cp -r "$lv/open" "$lv/bent"
sed -i '1s/"title":"/"title":"x","titel":"/' "$lv/bent/records/space.jsonl"
same 'a line with another member is refused' 1 "$(lv_run import "$lv/bent" --dir "$lv/bent.d")"
yes 'by file and line' grep -q 'records/space.jsonl, line 1: no such member: titel' "$lv/cli"
same 'which leaves nothing' no "$([ -e "$lv/bent.d" ] && echo yes || echo no)"
cp "$lv/open/records/space.jsonl" "$lv/bent/records/"
sed -i '2{p;}' "$lv/bent/records/space.jsonl"
same 'a row that is there twice is refused' 1 "$(lv_run import "$lv/bent" --dir "$lv/bent.d")"
yes 'by file and line as well' grep -q 'records/space.jsonl, line 3: UNIQUE' "$lv/cli"
sed -i '1d' "$lv/bent/records/space.jsonl"
sed -i '1d' "$lv/bent/records/space.jsonl"
same 'a row that is missing is refused' 1 "$(lv_run import "$lv/bent" --dir "$lv/bent.d")"
yes 'by what names it' grep -qE 'records/[a-z_]*.jsonl: [a-z_]+ of .* names a row that records/space.jsonl does not have' "$lv/cli"
cp "$lv/open/records/space.jsonl" "$lv/bent/records/"
# The import waits for the pipe, so that the signal finds it in the middle.
mv "$lv/bent/records/team.jsonl" "$lv/team"
mkfifo "$lv/bent/records/team.jsonl"
"$octavo" import "$lv/bent" --dir "$lv/ended.d" >"$lv/cli" 2>&1 &
lv_pid=$!
for lv_n in $(seq 200); do
	[ -e "$lv/ended.d/octavo.import/octavo.db.new" ] && break
	sleep 0.05
done
yes 'an import is under way' [ -e "$lv/ended.d/octavo.import/octavo.db.new" ]
kill -TERM $lv_pid
wait $lv_pid
same 'a signal ends an import' 143 $?
same 'which leaves nothing' no "$([ -e "$lv/ended.d" ] && echo yes || echo no)"
mv "$lv/team" "$lv/bent/records/team.jsonl"
find "$lv/bent/files" -type f -size +1c | head -n 1 | xargs truncate -s 1
same 'other bytes of a file are refused' 1 "$(lv_run import "$lv/bent" --dir "$lv/bent.d")"

# Every GET of every object, at both. Signatures and the times of their end differ, and so do jobs of the
# import, and scores: earlier texts count until they are swept out of the index. So hits are compared
# without their order.
lv_search() {
	jq -c 'del(.next) | .items |= (map(del(.rank, .score) | .sections |= (map(del(.rank, .score)) | sort_by(.id))) | sort_by(.id))' "$1"
}
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
	awk -v base="$1" -v to="$lv/$2" '{ printf "url = \"%s/v1%s\"\noutput = \"%s/%06d\"\n", base, $0, to, NR }' "$lv/${3:-addresses}" >"$lv/curl"
	curl -s -Z --parallel-max 4 -m 120 -H "Authorization: Bearer $bearer" -K "$lv/curl" >"$lv/curl.out" 2>&1
	grep -rl '"rank":' "$lv/$2" | while read -r lv_n; do
		lv_search "$lv_n" >"$lv/answer" && mv "$lv/answer" "$lv_n"
	done
	find "$lv/$2" -type f -print0 | xargs -0 sed -i \
		"s|$1|BASE|g; s|$base|BASE|g; s/[?&][A-Za-z-]*[Ss]ignature=[^\"]*//g; s/?token=[^\"]*//g; s/\"score\":[0-9.]*//g"
}
# Replaces words by the list of ids in the file: new ids by old ones, or with "new" the reverse.
cat >"$lv/ids.py" <<'PY'
import json, re, sys
old = sys.argv[2] == "old"
ids = dict(line.split("\t")[1:][:: -1 if old else 1] for line in open(sys.argv[1]).read().splitlines()[1:])
word = re.compile("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9A-Za-z]+")
def change(text):
    return word.sub(lambda m: ids.get(m[0], m[0]), text)
# Differs: what is secret, signatures, the name of the organization, hashes of texts with ids. Order follows ids, so that
# the first part of a long list has others.
def plain(v):
    if isinstance(v, dict) and v.get("next"):
        v = {**v, "items": len(v["items"]), "next": True}
    if isinstance(v, dict) and v.get("more"):
        v = {**v, "changes": len(v["changes"])}
    if isinstance(v, str) and re.fullmatch("[A-Za-z0-9_-]{43}", v):
        return "HASH"
    if isinstance(v, list):
        return sorted((plain(x) for x in v), key=str)
    if isinstance(v, dict):
        return {k: plain(v[k]) for k in sorted(v) if k not in ("hostname", "headers")}
    return re.sub(r"(/~files/[^/]+/[^/]+/)[0-9]+/[^/]+", r"\1", v.replace("BASE/sites/acme/", "BASE/sites/ORG/")) if isinstance(v, str) else v
if len(sys.argv) == 3:
    sys.stdout.write(change(sys.stdin.read()))
for name in sys.argv[3:]:
    text = open(name).read()
    try:
        text = json.dumps(plain(json.loads(change(text) if old else text)), indent=1)
    except ValueError:
        pass
    open(name, "w").write(re.sub("BASE/sites/[0-9A-Za-z]{22}/", "BASE/sites/ORG/", text))
PY
# The addresses whose answers differ, and how the first does.
lv_differ() {
	diff -rq "$lv/before" "$lv/after" | sed -n 's,^Files .*/\([0-9]*\) and .*,\1,p' >"$lv/differ"
	while read -r lv_n; do sed -n "$((1$lv_n - 1000000)){p;}" "$lv/addresses"; done <"$lv/differ" | head -n 20 | tr '\n' ' '
	lv_n=$(head -n 1 "$lv/differ")
	[ -z "$lv_n" ] || diff "$lv/before/$lv_n" "$lv/after/$lv_n" | head -c 3000 | tr '\n' ' '
}
if [ "$TRANSPORT" = http ]; then
	lv_addresses >"$lv/addresses"
	yes 'there are many addresses to ask' [ "$(wc -l <"$lv/addresses")" -gt 100 ]
	"$octavo" up --dir "$lv/new" --port 0 --workers 2 >"$lv/up" 2>&1 || fail 'the import can be served' "$(cat "$lv/up")"
	lv_base=$("$octavo" status --dir "$lv/new" --json | jq -r .url)
	lv_ask "$base" before
	lv_ask "$lv_base" after
	same 'the API answers as before' '' "$(lv_differ)"
	same 'to each address' "$(wc -l <"$lv/addresses")" "$(find "$lv/after" -type f | wc -l)"

	# The same once more, beside itself: the same answers with other ids. Links that are secrets do not come along, and
	# the audit record has one line more.
	same 'an export comes in beside its own data' 0 "$(lv_run import "$lv/open" --dir "$lv/new" --beside --match-users --ids "$lv/ids.tsv")"
	yes 'which says where the ids are' grep -q "$lv/ids.tsv has the old and the new ids" "$lv/cli"
	same 'the list of ids is replaced by none' 1 "$(lv_run import "$lv/open" --dir "$lv/new" --beside --ids "$lv/ids.tsv")"
	same 'the database is right' 0 "$(lv_run check --dir "$lv/new" --deep)"
	same 'and its jobs are done' 0 "$(OCTAVO_URL=$lv_base lv_run jobs --wait --dir "$lv/new")"
	grep -vE '/(link-invites|share-links|audit-events.*)$' "$lv/addresses" >"$lv/shown" && mv "$lv/shown" "$lv/addresses"
	python3 "$lv/ids.py" "$lv/ids.tsv" new <"$lv/addresses" >"$lv/addresses.new"
	rm -rf "$lv/before" "$lv/after"
	lv_ask "$base" before
	lv_ask "$lv_base" after addresses.new
	find "$lv/before" -type f -print0 | xargs -0 python3 "$lv/ids.py" /dev/null new
	find "$lv/after" -type f -print0 | xargs -0 python3 "$lv/ids.py" "$lv/ids.tsv" old
	same 'the API answers as before, with other ids' '' "$(lv_differ)"
	"$octavo" down --dir "$lv/new" >/dev/null
fi

# Every column of a secret has a value, and none of them is in an export in the clear.
lv_sql new --script "UPDATE job SET state = 'queued', secret = x'11223344556677889900aabbccddeeff' WHERE id = (SELECT min(id) FROM job);
	INSERT INTO password VALUES ('$U_admin', '\$argon2id\$v=19\$leaving-password', 0) ON CONFLICT DO NOTHING;
	INSERT INTO session (id, account, hash, way, created_at, used_at, ends_at) VALUES
		('lv', '$U_admin', x'a1b2c3d4e5f60718293a4b5c6d7e8f90', 'password', 0, 0, 9000000000000);
	INSERT INTO sign_in_link VALUES (x'b1b2c3d4e5f60718293a4b5c6d7e8f90', '$U_admin', 'reset', 9000000000000);
	INSERT INTO identity (issuer, subject, id, account, made_at) VALUES ('https://leaving-issuer.example', 'leaving-subject', 'lvid', '$U_admin', 0);
	INSERT INTO site_pass (hash, site, expires_at) VALUES (x'c1b2c3d4e5f60718293a4b5c6d7e8f90', '$lv_site', 9000000000000);
	INSERT INTO git_binding (space, id, url, ref, secret, message, every, hook, created_by, created_at) VALUES ('$SPACE', 'lvhook',
		'https://git.example/x', 'refs/heads/main', x'd1b2c3d4e5f60718293a4b5c6d7e8f90', '', 0, x'e1b2c3d4e5f60718293a4b5c6d7e8f90', '$U_admin', 0)
		ON CONFLICT DO UPDATE SET secret = excluded.secret, hook = excluded.hook;
	INSERT INTO oidc_provider (id, org, label, issuer, client, secret, created_at) VALUES
		('lvoidc', '$ORG', 'Leaving', 'https://id.invalid', 'octavo', x'71b2c3d4e5f60718293a4b5c6d7e8f90', 0);
	INSERT INTO openapi_spec (id, org, slug, url_sealed, created_at, updated_at) VALUES
		('lvspec', '$ORG', 'leaving', x'f1b2c3d4e5f60718293a4b5c6d7e8f90', 0, 0);
	UPDATE site SET visitor_key = x'01b2c3d4e5f60718293a4b5c6d7e8f91' WHERE id = '$lv_site';
	UPDATE site_mcp_server SET url_sealed = x'02b2c3d4e5f60718293a4b5c6d7e8f91' WHERE url_sealed IS NULL"
lv_kinds='token.hash password.hash identity.subject site_pass.hash oidc_provider.secret git_binding.secret git_binding.hook openapi_spec.url_sealed
	site.visitor_key
	site_mcp_server.headers site_mcp_server.url_sealed site_share_link.secret site_share_link.sealed link_invite.sealed'
lv_values() { lv_sql "$1" "SELECT iif(typeof(${2#*.}) = 'blob', lower(hex(${2#*.})), ${2#*.}) FROM ${2%.*} WHERE length(${2#*.}) > 12 ORDER BY 1"; }
for lv_c in $lv_kinds session.hash sign_in_link.hash job.secret; do
	lv_values new "$lv_c" >"$lv/values"
	yes "there is a secret in $lv_c" [ -s "$lv/values" ]
	cat "$lv/values" >>"$lv/secrets"
done
head -c 64 "$lv/new/octavo.key" >>"$lv/secrets"
same 'an export that shall show no secret is written' 0 "$(lv_run export "$lv/shut" --dir "$lv/new")"
same 'nothing of them is in it' '' "$(grep -rlaiFf "$lv/secrets" "$lv/shut" | head -n 3)"
same 'nor what they open' '' "$(grep -rlaE 'leaving-secret|oct_[A-Za-z0-9_-]{30}|jwt_token=[A-Za-z0-9]' "$lv/shut" --exclude=openapi.json | head -n 3)"
same 'with secrets they are sealed' 0 "$(lv_run export "$lv/sealed" --dir "$lv/new" --with-secrets --passphrase-file "$lv/pass")"
same 'and not to be read' '' "$(grep -rlaiFf "$lv/secrets" "$lv/sealed" | head -n 3)"
same 'they come in again' 0 "$(lv_run import "$lv/sealed" --dir "$lv/again" --passphrase-file "$lv/pass")"
for lv_c in $lv_kinds; do
	same "$lv_c as it was" "$(lv_values new "$lv_c" | md5sum)" "$(lv_values again "$lv_c" | md5sum)"
done
same 'work that waited is not done elsewhere' 0 "$(lv_sql again "SELECT count(*) FROM job
	WHERE secret IS NOT NULL OR (state IN ('queued', 'running') AND kind <> 'index')")"

# What the export cannot show is said, or ends it.
lv_sql new "UPDATE member SET disabled = 1 WHERE org = '$ORG_B'"
lv_sql new "WITH RECURSIVE k (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM k WHERE n < 1100)
	INSERT INTO org (id, title, created_at) SELECT 'lvorg' || n, 'Many', 0 FROM k"
rm -rf "$lv/shut"
same 'an organization without an admin is exported' 0 "$(lv_run export "$lv/shut" --dir "$lv/new")"
yes 'and is named' grep -q "^- .$ORG_B.: " "$lv/shut/README.md"
same 'as are 1,100 of them' 1100 "$(grep -c '^- .lvorg[0-9]*.: Many' "$lv/shut/README.md")"
rm -rf "$lv/shut"
# In this build a broken answer ends the program, as a failure of the database does.
lv_sql new "UPDATE conversation SET parts = '[' WHERE id = 'leaving'"
same 'a failure in the middle ends the export' 70 "$(lv_run export "$lv/shut" --dir "$lv/new")"
same 'and an archive' 70 "$(lv_run export "$lv/shut.tar" --dir "$lv/new")"
same 'and nothing is left' '' "$(find "$lv" -maxdepth 1 -name '*shut*' -o -maxdepth 1 -name '.octavo*')"

same 'an import without secrets is made' 0 "$(lv_run import "$lv/open" --dir "$lv/plain")"
yes 'and names what is missing' grep -q 'Missing: passwords, tokens' "$lv/cli"
same 'no token opens it' 0 "$("$OCTAVO_BUILD/tests/sql" "$lv/plain/octavo.db" 'SELECT count(*) FROM token')"
same 'its database is right, too' 0 "$(lv_run check --dir "$lv/plain")"
same 'an export of one organization is written' 0 "$(lv_run export "$lv/one" --dir "$dir" --org "$ORG_B")"
same 'it has nothing of another' '' "$(grep -rlE "$ORG\"|$SPACE\"|$U_create" "$lv/one" --include=*.jsonl | head -n 3)"
same 'it can be imported' 0 "$(lv_run import "$lv/one" --dir "$lv/one.d")"
same 'its database is right as well' 0 "$(lv_run check --dir "$lv/one.d")"
rm -rf "$lv"
