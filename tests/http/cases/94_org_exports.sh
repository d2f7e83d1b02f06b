# Exports of an organization by the API: a job, and a file at a signed address.
E=/v1/orgs/$ORG/exports
# Other files may have asked for an export too.
jobs_rest
oe_before=$(ls "$dir/exports" 2>/dev/null)
t 'an export needs an admin' POST $E create '' 403 ''
t 'and a member' POST $E other '' 404 ''
sql "INSERT INTO job (id, kind, org, run_at, created_at) VALUES ('oe-waits', 'leave', '$ORG', 9000000000000, 0)"
t 'one waits: another has to, too' POST $E admin '' 409 '.error.message | test("waits or runs already")'
t 'one of another organization hinders nobody' POST /v1/orgs/$ORG_B/exports other '' 201 '.state == "queued"'
t 'a waiting export has no file' GET $E/oe-waits/download admin '' 409 ''
t 'it is cancelled' DELETE $E/oe-waits admin '' 204 ''
t 'and says so' GET $E/oe-waits admin '' 200 '.state == "cancelled" and (has("keptUntil") | not) and .endedAt != null'
t 'an export is asked for' POST $E admin '' 201 '.object == "organization-export" and (.id as $i | .urls.location | endswith($i))'
oe_id=$(jq -r .id "$out")
jobs_rest
t 'it is done' GET $E/$oe_id admin '' 200 '.state == "done" and .keptUntil > .endedAt'
t 'it is listed' GET $E admin '' 200 '[.items[].id] | index("'$oe_id'") as $i | $i != null and $i < index("oe-waits")'
t 'it is in the record' GET "/v1/orgs/$ORG/audit-events?limit=100" admin '' 200 \
	'[.items[] | select(.action == "organization.exported").target.id][0] == "'$oe_id'"'
t 'others do not see it' GET $E/$oe_id create '' 403 ''
t 'nor an address of it' GET $E/$oe_id/download create '' 403 ''
t 'nor at another organization' GET /v1/orgs/$ORG_B/exports/$oe_id other '' 404 ''
user_new oeadmin "$ORG" admin
t 'an admin gets its address' GET $E/$oe_id/download oeadmin '' 200 '.url | test("/~exports/'$oe_id'/")'
oe_url=$(jq -r .url "$out")
oe_get() { curl -s -m 60 -o "$tmp/oe.tar" -w '%{http_code}' "$1"; }
if [ "$TRANSPORT" = http ]; then
	same 'the file is served without a token' 200 "$(oe_get "$oe_url")"
	tar -xf "$tmp/oe.tar" -C "$(mkdir "$tmp/oe" && echo "$tmp/oe")"
	same 'it is an export of this organization' "$ORG false" "$(jq -r '"\(.organization) \(.secrets)"' "$tmp/oe/octavo-export.json")"
	same 'with its history' 1 "$(git -C "$tmp/oe/spaces/$SPACE.git" show main:guide/added.md | grep -c Fresh)"
	same 'and nothing of another' '' "$(grep -rlE "$ORG_B\"|$SPACE_B\"" "$tmp/oe" --include=*.jsonl | head -n 3)"
	same 'nor keys that open anything' no "$([ -e "$tmp/oe/secrets.sealed" ] || [ -e "$tmp/oe/octavo.key" ] && echo yes || echo no)"
	same 'another signature opens nothing' 404 "$(oe_get "$(echo "$oe_url" | sed 's|/[^/]*/octavo-export.tar|/AAAAAAAAAAAAAAAAAAAAAA/octavo-export.tar|')")"
	same 'nor another export' 404 "$(oe_get "$(echo "$oe_url" | sed "s|/$oe_id/|/oe-waits/|")")"
	sql "UPDATE account SET disabled = 1 WHERE id = '$U_oeadmin'"
	same 'nor does it open for a disabled account' 404 "$(oe_get "$oe_url")"
	sql "UPDATE account SET disabled = 0 WHERE id = '$U_oeadmin'"
	same 'it opens again with the account' 200 "$(oe_get "$oe_url")"
	"$octavo" member disable --dir "$dir" --org "$ORG" --user oeadmin@example.com >/dev/null
	same 'the address ends with the membership' 404 "$(oe_get "$oe_url")"
fi
same 'nothing is left beside the file' "$oe_id.tar" "$(ls "$dir/exports" | grep -vxF "$oe_before" |
	grep -vF "$(sql "SELECT id FROM job WHERE kind = 'leave' AND org = '$ORG_B'")")"
t 'its file is deleted' DELETE $E/$oe_id admin '' 204 ''
same 'and nothing of it stays' '' "$(ls "$dir/exports" | grep "$oe_id")"
t 'and has no address any more' GET $E/$oe_id/download admin '' 409 ''
rm -rf "$tmp/oe" "$tmp/oe.tar"
