#!/bin/sh
# After the retention time of a deleted space, nothing of it is left anywhere except the audit
# record, whatever it contained. Blobs that other spaces share stay.
set -u
TRANSPORT=cgi
. tests/http/lib.sh
fixture_start
purge() { "$OCTAVO_BUILD/octavo-jobs" --once 2>"$tmp/jobs.err" || give_up purge "$(cat "$tmp/jobs.err")"; }
id_of() { jq -r "${1:-.id}" "$out"; }
# ok NAME METHOD PATH WHO BODY: creates an object, with any 2xx status
ok() {
	send "$2" "$3" "$4" "$5"
	case $code in 2??) pass ;; *) give_up "$1" "$2 $3: $code $(cat "$out")" ;; esac
}

# ---- a space with content of every kind ----

# Imported from the same repository as the others, so that most blobs are shared; some are not.
cp -r "$tmp/repo" "$tmp/own"
printf '# Set-up\n\nQuixotic words, ![](../.gitbook/assets/own.txt), [nowhere](gone/for/ever.md).\n' >"$tmp/own/guide/set-up.md"
printf 'bytes of its own\n' >"$tmp/own/.gitbook/assets/own.txt"
git_in "$tmp/own" add -A
git_in "$tmp/own" commit -q -m own
GONE=$(octavo_json .result.space import --org "$ORG" --title Gone --url "$tmp/own")
S=/v1/spaces/$GONE C=$S/change-requests
get $S/content/path/guide/set-up
OWN=$(id_of) key=$(id_of '[.document.nodes[] | select(.type == "paragraph").key][0]')

ok 'comment' POST $S/comments comment '{"body":{"markdown":"Well."},"page":"'$OWN'","node":"'$key'"}'
comment=$(id_of)
ok 'reply' POST $S/comments/$comment/replies edit '{"body":{"markdown":"Indeed."}}'
ok 'reaction' PUT $S/comments/$comment comment '{"addedReactions":["1f44d"]}'
ok 'request' POST $C edit '{"subject":"First"}'
ok 'pages, a move, a file' POST $C/1/content edit '{"changes":[
	{"operation":"update_page","page":"'$OWN'","slug":"moved","document":{"markdown":"Quixotic and *moved*, [here](./new.md).\n\nMore."}},
	{"operation":"insert_page","ref":"new","title":"New","document":{"markdown":"Entirely sesquipedalian."}},
	{"operation":"insert_files","files":[{"name":"extra.txt","contentType":"text/plain","base64":"ZXh0cmE="}]}]}'
ok 'comment on the request' POST $C/1/comments comment '{"body":{"markdown":"Hm."},"page":"'$OWN'"}'
ok 'reply' POST $C/1/comments/$(id_of)/replies edit '{"body":{"markdown":"Ha."}}'
ok 'open' PATCH $C/1 edit '{"status":"open"}'
ok 'asked for a review' POST $C/1/requested-reviewers edit '{"users":["'$U_review'","'$U_create'"]}'
ok 'review' POST $C/1/reviews review '{"status":"approved","comment":{"markdown":"Fine."}}'
ok 'merge' POST $C/1/merge review ''
t 'a moved page is found at its old path' GET $S/content/path/guide/set-up read '' 200 '.id == "'$OWN'"'
for n in 2 3; do
	ok "request $n" POST $C edit '{"subject":"More"}'
	ok "words of request $n" POST $C/$n/content edit '{"changes":[{"operation":"update_page","page":"'$OWN'","document":{"markdown":"Never merged '$n'."}}]}'
done
ok 'archive' PATCH $C/3 edit '{"status":"archived"}'
ok 'permissions' POST $S/permissions admin '{"role":"edit","users":["'$U_guest'"],"teams":["'$TEAM'"]}'
ok 'invite' POST /v1/orgs/$ORG/link-invites admin '{"space":"'$GONE'","level":"read"}'
ok 'document' GET "$S/content/page/$OWN" read ''
ok 'found' GET "$S/search?query=sesquipedalian" read ''
same 'the page is found by search' 1 "$(jq '.items | length' "$out")"
yes 'octavo check finds nothing before the purge' "$octavo" check --dir "$dir"

# ---- rows and files that refer to it ----

own_branches="SELECT id FROM branch WHERE space = '$GONE'"
sql "SELECT id FROM change_request WHERE space = '$GONE' UNION SELECT id FROM comment WHERE space = '$GONE'
	UNION SELECT y.id FROM comment_reply y JOIN comment c ON c.id = y.comment WHERE c.space = '$GONE'
	UNION SELECT v.id FROM review v JOIN change_request c ON c.id = v.request WHERE c.space = '$GONE'
	UNION SELECT id FROM revision WHERE branch IN ($own_branches) UNION SELECT id FROM job WHERE space = '$GONE'
	UNION SELECT id FROM access_grant WHERE space = '$GONE' UNION SELECT id FROM link_invite WHERE space = '$GONE'
	UNION SELECT id FROM node WHERE branch IN ($own_branches) AND kind <> 'setting' AND id NOT IN
	(SELECT id FROM node WHERE branch NOT IN ($own_branches)) UNION SELECT '$GONE'" >"$tmp/ids"
printf '%s\n' Quixotic sesquipedalian 'Never merged' 'Indeed.' >>"$tmp/ids"
scope=$(sql "SELECT no FROM search_space WHERE space = '$GONE'")
branches=$(sql "$own_branches" | tr '\n' ' ')
same 'the space has five branches' 5 "$(echo $branches | wc -w)"
# Tables of user actions must have rows of it, otherwise the test proves nothing.
for table in change_request comment comment_reply reaction review requested_reviewer access_grant link_invite git_sync \
	job_warning link link_target search_page search_place search_reads search_text body_fact derived; do
	yes "the space has rows in $table" [ "$(sql "SELECT count(*) FROM $table")" -gt 0 ]
done
yes 'the space has redirects' [ "$(sql "SELECT count(*) FROM node WHERE id LIKE 'redirect:%' AND branch IN ($own_branches)")" -gt 0 ]
yes 'the space has search terms' [ "$(sql "SELECT count(*) FROM search_term WHERE term LIKE '$scope %'")" -gt 0 ]

# The audit record and idempotent responses (24 hours) do not belong to the space.
dump() {
	sql "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'search\_index%' ESCAPE '\\' AND name <> 'search_term'
		AND name NOT IN ('audit_event', 'idempotency') ORDER BY name" >"$tmp/tables"
	while read -r table; do
		case $table in
		blob_data) sql 'SELECT no, CAST(octavo_unpack(data, size) AS TEXT) FROM blob_data' ;;
		search_text) sql 'SELECT no, CAST(octavo_unpack(text, size) AS TEXT) FROM search_text' ;;
		body_fact) sql 'SELECT body, CAST(octavo_unpack(facts, size) AS TEXT) FROM body_fact' ;;
		*) sql "SELECT * FROM $table" ;;
		esac
	done <"$tmp/tables"
}
dump >"$tmp/before"
yes 'the dump shows every id of the space' [ -z "$(while read -r id; do grep -qaF -e "$id" "$tmp/before" || echo "$id"; done <"$tmp/ids")" ]

others() {
	for o_space in $SPACE $PRIVATE $LOCKED; do
		get /v1/spaces/$o_space/content/pages
		jq -S . "$out"
		for o_page in $(jq -r '.. | objects | select(.type? == "document").id' "$out"); do
			get "/v1/spaces/$o_space/content/page/$o_page?format=markdown"
			jq -S 'del(.. | .downloadURL?)' "$out"
		done
	done
}
others >"$tmp/others"
own_file=$(printf 'bytes of its own\n' | b2sum -l 256 | cut -c 1-64)
own_file=$dir/blobs/$(printf %.2s "$own_file")/$(echo "$own_file" | cut -c 3-)
yes 'the space has a file of its own' [ -s "$own_file" ]

# ---- after the purge ----

ok 'delete' DELETE $S admin ''
audit=$(sql "SELECT count(*) FROM audit_event WHERE target = '$GONE'")
yes 'the space has audit events' [ "$audit" -gt 0 ]
purge
t 'a deleted space is kept at first' GET $S admin '' 200 ''
days_ago() { sql "UPDATE space SET deleted_at = (CAST(strftime('%s') AS INTEGER) - 86400 * $1) * 1000 - $2 WHERE id = '$GONE'"; }
days_ago 7 -60000
purge
t 'a deleted space is kept to the last minute' GET $S admin '' 200 ''
days_ago 7 0
t 'a deleted space that is due is not restored' POST $S/restore admin '' 404 ''
purge
t 'a purged space answers 404' GET $S admin '' 404 ''
yes 'octavo check finds nothing after the purge' "$octavo" check --dir "$dir" --deep
same 'a purge leaves nothing over' '{"files":0,"rows":0}' "$("$octavo" check --dir "$dir" --json | jq -c .leftovers)"
dump >"$tmp/after"
same 'no row names the purged space' '' "$(grep -aoF -f "$tmp/ids" "$tmp/after" | sort | uniq -c)"
for branch in $branches; do
	same "a purged branch has no rows: $branch" '0 0 0 0' "$(sql "SELECT count(*) FROM node WHERE branch = $branch" \
		"SELECT count(*) FROM link_edition WHERE branch = $branch" \
		"SELECT count(*) FROM link WHERE edition NOT IN (SELECT no FROM link_edition)" \
		"SELECT count(*) FROM link_target WHERE edition NOT IN (SELECT no FROM link_edition)" | tr '\n' ' ' | sed 's/ $//')"
done
same 'a purge removes the search terms' 0 "$(sql "SELECT count(*) FROM search_term WHERE term LIKE '$scope %'")"
yes 'a purge removes the file' [ ! -e "$own_file" ]
same 'a purge keeps audit events' "$audit" "$(sql "SELECT count(*) FROM audit_event WHERE target = '$GONE'")"
others >"$tmp/others.after"
yes 'a purge keeps what others share' cmp -s "$tmp/others" "$tmp/others.after"
purge
yes 'octavo check finds nothing in the end' "$octavo" check --dir "$dir" --deep
summary
