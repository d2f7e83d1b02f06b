# Spaces.
t 'space' GET /v1/spaces/$SPACE admin '' 200 '.object == "space" and .id == "'$SPACE'" and .title == "Manual" and .emoji == ""
	and .organization == "'$ORG'" and .visibility == "private" and .editMode == "live" and .revision == "'$REV'"
	and .urls.location == "'$base'/v1/spaces/'$SPACE'" and .mergeRules == {type: "inherit"} and (has("deletedAt") | not)'
t 'a share key of no site is ignored' GET "/v1/spaces/$SPACE?shareKey=abc" admin '' 200 '.urls | has("published") | not'
t 'space of others' GET /v1/spaces/$SPACE_B admin '' 404 ''
hidden=$(sed "s/$SPACE_B/ID/" "$out")
t 'unknown space' GET /v1/spaces/xxxxxxxxxxxxxxxxxxxxxx admin '' 404 ''
same 'unknown and hidden space look alike' "$hidden" "$(sed s/xxxxxxxxxxxxxxxxxxxxxx/ID/ "$out")"

# Flags by role; in a locked space nobody edits, merges or imports.
flags() { t "flags of $1 on $2" GET /v1/spaces/$(eval echo \$$2) $1 '' 200 '.permissions | [.view, .access, .comment, .edit,
	.review, .merge, .triggerGitSync, .admin, .viewInviteLinks, .installIntegration] == '"$3"; }
flags admin SPACE '[true, true, true, true, true, true, true, true, true, false]'
flags create SPACE '[true, true, true, true, true, true, true, true, true, false]'
flags review SPACE '[true, true, true, true, true, true, true, false, false, false]'
flags edit SPACE '[true, true, true, true, false, false, false, false, false, false]'
flags comment SPACE '[true, true, true, false, false, false, false, false, false, false]'
flags read SPACE '[true, true, false, false, false, false, false, false, false, false]'
flags readonly SPACE '[true, true, false, false, false, false, false, false, false, false]'
flags admin LOCKED '[true, true, true, false, true, false, false, true, true, false]'
flags admin PRIVATE '[true, true, true, true, true, true, true, true, true, false]'
flags guest PRIVATE '[true, true, false, false, false, false, false, false, false, false]'

t 'guest without a grant' GET /v1/spaces/$SPACE guest '' 404 ''
t 'private to members' GET /v1/spaces/$PRIVATE create '' 404 ''
t 'private: content too' GET /v1/spaces/$PRIVATE/content create '' 404 ''
t 'disabled member' GET /v1/spaces/$SPACE disabled '' 404 ''

# PATCH.
P=/v1/spaces/$EMPTY
t 'edit the title' PATCH $P create '{"title":"New"}' 200 '.title == "New"'
t 'other members are kept' PATCH $P create '{"emoji":"1f600","language":"de"}' 200 '.title == "New" and .emoji == "1f600" and .language == "de"'
t 'edit twice is no conflict' PATCH $P create '{"title":"New"}' 200 ''
t 'emoji away' PATCH $P create '{"emoji":null}' 200 '.emoji == ""'
t 'icon' PATCH $P create '{"icon":"https://example.com/i.png"}' 200 '.emoji == "" and .urls.icon == "https://example.com/i.png"'
t 'emoji instead of it' PATCH $P create '{"emoji":"1f600"}' 200 '.emoji == "1f600" and (.urls | has("icon") | not)'
t 'an emoji as its character' PATCH $P create '{"emoji":"👩‍💻"}' 200 '.emoji == "👩‍💻"'
t 'a word for an emoji' PATCH $P create '{"emoji":"hello"}' 400 '.fields[0].path == "/emoji" and (.fields[0].message | contains("1f44d"))'
t 'two emoji' PATCH $P create '{"emoji":"👍👍"}' 400 '.fields[0].path == "/emoji"'
t 'no emoji, as it is read' PATCH $P create '{"emoji":""}' 200 '.emoji == ""'
t 'both' PATCH $P create '{"emoji":"1f600","icon":"https://example.com/i.png"}' 400 '.fields[0].path == "/icon"'
t 'icon that runs' PATCH $P create '{"icon":"javascript:alert(1)"}' 400 '.fields[0].path == "/icon"'
t 'merge rules' PATCH $P create '{"mergeRules":{"type":"none"}}' 200 '.mergeRules == {type: "none"}'
t 'merge rules of no form' PATCH $P create '{"mergeRules":{"type":"x"}}' 400 '.fields[0].path == "/mergeRules/type"'
t 'merge rules with a stranger' PATCH $P create '{"mergeRules":{"type":"none","x":1}}' 400 '.fields[0].path == "/mergeRules/x"'
t 'merge rules inherited' PATCH $P create '{"mergeRules":{"type":"inherit"}}' 200 ''
t 'title of 50 wide characters' PATCH $P create "{\"title\":\"$(head -c 50 /dev/zero | sed 's/\x00/😀/g')\"}" 200 '.title | length == 50'
t 'title of 51' PATCH $P create "{\"title\":\"$(head -c 51 /dev/zero | sed 's/\x00/a/g')\"}" 400 '.fields[0].message | contains("50")'
t 'unknown language' PATCH $P create '{"language":"xx"}' 400 ''
t 'unknown level' PATCH $P create '{"defaultLevel":"owner"}' 400 '.fields[0].path == "/defaultLevel"'
t 'title null' PATCH $P create '{"title":null}' 400 ''
t 'lock' PATCH $P create '{"editMode":"locked"}' 200 '.editMode == "locked" and (.permissions.edit | not)'
t 'settings still work' PATCH $P create '{"title":"Empty","emoji":null}' 200 '.title == "Empty"'
t 'unlock' PATCH $P create '{"editMode":"live"}' 200 '.permissions.edit'
t 'level for members' PATCH $P create '{"defaultLevel":"comment"}' 200 '.permissions.admin | not'
t 'a level goes for who set it too' PATCH $P create '{"title":"x"}' 403 ''
t 'readers comment now' GET $P read '' 200 '.permissions.comment'
t 'no access for members' PATCH $P admin '{"defaultLevel":null}' 200 '.defaultLevel == null'
t 'no access' GET $P create '' 404 ''
t 'admins keep theirs' PATCH $P admin '{"defaultLevel":"inherit"}' 200 '.defaultLevel == "inherit"'
for who in review edit comment read readonly; do
	t "PATCH by $who" PATCH $P $who '{"title":"x"}' 403 ''
done
t 'PATCH by a guest' PATCH $P guest '{"title":"x"}' 404 ''
t 'PATCH by another organization' PATCH $P other '{"title":"x"}' 404 ''
t 'PATCH with a write token' PATCH $P writeonly '{"title":"Empty"}' 200 ''
t 'nothing came through' GET $P admin '' 200 '.title == "Empty"'

# Create.
t 'create a space' POST /v1/orgs/$ORG/spaces create '{"title":"Fresh","emoji":"1f4d8","language":"fr"}' 201 '.title == "Fresh"
	and .emoji == "1f4d8" and .language == "fr" and .permissions.admin'
fresh=$(jq -r .id "$out")
same 'create a space: Location' "$base/v1/spaces/$fresh" "$(header location)"
t 'it has a revision' GET /v1/spaces/$fresh/content create '' 200 '.pages == [] and .files == [] and .parents == [] and .type == "edits"'
t 'untitled' POST /v1/orgs/$ORG/spaces create '' 201 '.title == "Untitled" and .editMode == "live"'
untitled=$(jq -r .id "$out")
t 'locked from the start' POST /v1/orgs/$ORG/spaces create '{"editMode":"locked"}' 201 '.editMode == "locked"'
locked2=$(jq -r .id "$out")
t 'unknown parent' POST /v1/orgs/$ORG/spaces create '{"parent":"nope"}' 404 ''
for who in review edit comment read guest; do
	t "create by $who" POST /v1/orgs/$ORG/spaces $who '{}' 403 ''
done
t 'create in another organization' POST /v1/orgs/$ORG_B/spaces admin '{}' 404 ''
t 'create with a read token' POST /v1/orgs/$ORG/spaces readonly '{}' 403 ''

# Collections have no operations yet: made in the database.
sql "INSERT INTO collection (id, org, title, ord, created_at, updated_at) VALUES ('shelf', '$ORG', 'Shelf', 'C', 0, 0)" \
	"INSERT INTO collection (id, org, parent, title, ord, default_level, created_at, updated_at)
	 VALUES ('box', '$ORG', 'shelf', 'Box', 'C', 2, 0, 0)" \
	"INSERT INTO collection (id, org, title, ord, created_at, updated_at) VALUES ('theirs', '$ORG_B', 'T', 'C', 0, 0)" \
	"INSERT INTO access_grant (id, collection, account, role, created_at) VALUES ('g1', 'shelf', '$U_guest', 5, 0)"
t 'create in a collection' POST /v1/orgs/$ORG/spaces create '{"title":"Inside","parent":"shelf"}' 201 '.parent == "shelf" and .visibility == "in-collection"'
inside=$(jq -r .id "$out")
t 'a guest with a grant there' POST /v1/orgs/$ORG/spaces guest '{"title":"By guest","parent":"shelf"}' 201 '.permissions.admin'
byguest=$(jq -r .id "$out")
t 'and sees what is in it' GET /v1/spaces/$inside guest '' 200 '.permissions.admin'
t 'a level below replaces the role' POST /v1/orgs/$ORG/spaces create '{"parent":"box"}' 403 ''
t 'collection of another organization' POST /v1/orgs/$ORG/spaces create '{"parent":"theirs"}' 404 ''
t 'collection of the other organization in its own path' POST /v1/orgs/$ORG_B/spaces other '{"parent":"shelf"}' 404 ''

# Duplicate.
t 'duplicate' POST /v1/spaces/$SPACE/duplicate create '' 201 '.title == "Manual (copy)" and .id != "'$SPACE'" and .organization == "'$ORG'"'
copy=$(jq -r .id "$out")
same 'duplicate: Location' "$base/v1/spaces/$copy" "$(header location)"
t 'an icon' PATCH /v1/spaces/$fresh create '{"icon":"https://example.com/i.png"}' 200 ''
t 'duplicate with {}' POST /v1/spaces/$fresh/duplicate create '{}' 201 '.urls.icon == "https://example.com/i.png"'
dup2=$(jq -r .id "$out")
get /v1/spaces/$SPACE/content; jq '[.. | objects | .id? // empty] - ["'$REV'"]' "$out" >"$tmp/ids"
t 'the copy has the same pages and files' GET /v1/spaces/$copy/content create '' 200 '([.. | objects | .id? // empty] - [.id]) == '"$(cat "$tmp/ids")"
t 'a page of the copy' GET /v1/spaces/$copy/content/page/$PAGE create '' 200 '.document.nodes | length > 0'
# A copy is for the same people as its source.
t 'duplicate of a space without a default level' POST /v1/spaces/$PRIVATE/duplicate admin '' 201 '.defaultLevel == null'
dup3=$(jq -r .id "$out")
for who in create read guest; do t "is hidden from $who" GET /v1/spaces/$dup3 $who '' 404 ''; done
t 'a level below that of members' PATCH /v1/spaces/$dup3 admin '{"defaultLevel":"comment"}' 200 ''
t 'is that of a copy' POST /v1/spaces/$dup3/duplicate admin '' 201 '.defaultLevel == "comment"'
t 'for all' GET /v1/spaces/$(jq -r .id "$out") create '' 200 '.permissions | .comment and (.edit | not)'
t 'delete that copy' DELETE /v1/spaces/$(get /v1/orgs/$ORG/spaces?limit=1000; jq -r '.items[] | select(.title == "Private (copy) (copy)").id' "$out") admin '' 204 ''
t 'a level above the own' PATCH /v1/spaces/$dup3 admin '{"defaultLevel":"admin"}' 200 ''
sql "INSERT INTO access_grant (id, space, account, role, created_at) VALUES ('grant-dup3', '$dup3', '$U_create', 5, 0)"
t 'is not given to a copy' POST /v1/spaces/$dup3/duplicate create '' 201 '.defaultLevel == "create"'
t 'delete it' DELETE /v1/spaces/$(jq -r .id "$out") create '' 204 ''
t 'delete the first copy' DELETE /v1/spaces/$dup3 admin '' 204 ''
t 'duplicate keeps the title within 50' PATCH /v1/spaces/$dup2 create "{\"title\":\"$(head -c 50 /dev/zero | sed 's/\x00/é/g')\"}" 200 ''
t 'duplicate of a long title' POST /v1/spaces/$dup2/duplicate create '' 201 '.title | length == 50 and endswith("é (copy)")'
dup3=$(jq -r .id "$out")
for who in review edit comment read; do
	t "duplicate by $who" POST /v1/spaces/$SPACE/duplicate $who '' 403 ''
done
t 'duplicate by another organization' POST /v1/spaces/$SPACE/duplicate other '' 404 ''
t 'duplicate of a locked space' POST /v1/spaces/$LOCKED/duplicate create '' 201 '.editMode == "live"'
dup4=$(jq -r .id "$out")
t 'duplicate in a collection stays there' POST /v1/spaces/$inside/duplicate create '' 201 '.parent == "shelf"'
dup5=$(jq -r .id "$out")
t 'duplicate stands after its source' GET "/v1/orgs/$ORG/spaces?limit=100" admin '' 200 \
	'[.items[].id] | index("'$copy'") == index("'$SPACE'") + 1'

# Delete and restore.
t 'deleted space' GET /v1/spaces/$DELETED create '' 200 'has("deletedAt")'
t 'deleted space to who may not restore it' GET /v1/spaces/$DELETED review '' 404 ''
for at in content content/pages content/files git/info content/page/$PAGE revisions/$REV; do
	t "deleted: $at" GET /v1/spaces/$DELETED/$at admin '' 404 ''
done
t 'deleted: PATCH' PATCH /v1/spaces/$DELETED admin '{"title":"x"}' 404 ''
t 'deleted: duplicate' POST /v1/spaces/$DELETED/duplicate admin '' 404 ''
t 'deleted: import' POST /v1/spaces/$DELETED/git/import admin '{"url":"https://example.com/x.git","ref":"refs/heads/main"}' 404 ''
t 'deleted: again' DELETE /v1/spaces/$DELETED admin '' 204 ''
t 'deleted: not in the list' GET "/v1/orgs/$ORG/spaces?limit=1000" admin '' 200 '[.items[].id] | index("'$DELETED'") == null'
t 'restore by who may not' POST /v1/spaces/$DELETED/restore review '' 404 ''
t 'restore by others' POST /v1/spaces/$DELETED/restore other '' 404 ''
t 'restore' POST /v1/spaces/$DELETED/restore create '' 200 'has("deletedAt") | not'
t 'restored: content' GET /v1/spaces/$DELETED/content read '' 200 '.pages | length > 0'
restored=$(sql "SELECT count(*) FROM audit_event WHERE action = 'space.restored'")
t 'restore of what is not deleted' POST /v1/spaces/$DELETED/restore create '' 200 '.id == "'$DELETED'" and (has("deletedAt") | not)'
same 'which records nothing' "$restored" "$(sql "SELECT count(*) FROM audit_event WHERE action = 'space.restored'")"
t 'restore of what is not deleted by who may not' POST /v1/spaces/$DELETED/restore review '' 403 ''
for who in review edit comment read; do
	t "DELETE by $who" DELETE /v1/spaces/$DELETED $who '' 403 ''
done
t 'DELETE by a guest who may not know of it' DELETE /v1/spaces/$DELETED guest '' 204 ''
t 'DELETE by another organization' DELETE /v1/spaces/$DELETED other '' 204 ''
t 'DELETE of what never was' DELETE /v1/spaces/never admin '' 204 ''
t 'DELETE with a read token' DELETE /v1/spaces/$DELETED readonly '' 403 ''
t 'DELETE without a token' DELETE /v1/spaces/$DELETED - '' 401 ''
t 'it is still there' GET /v1/spaces/$DELETED read '' 200 'has("deletedAt") | not'
t 'DELETE' DELETE /v1/spaces/$DELETED create '' 204 ''
same 'DELETE has no body' '' "$(cat "$out")"
sql "UPDATE space SET deleted_at = deleted_at - 7 * 86400000 - 1 WHERE id = '$DELETED'"
t 'restore after 7 days' POST /v1/spaces/$DELETED/restore admin '' 404 ''
t 'seen after 7 days' GET /v1/spaces/$DELETED admin '' 404 ''
sql "UPDATE space SET deleted_at = deleted_at + 7 * 86400000 WHERE id = '$DELETED'"

# Out of a collection that is gone, into the nearest that lives.
t 'delete what is in a box' POST /v1/orgs/$ORG/spaces admin '{"parent":"box"}' 201 ''
boxed=$(jq -r .id "$out")
t 'delete it' DELETE /v1/spaces/$boxed admin '' 204 ''
sql "UPDATE collection SET deleted_at = 1 WHERE id = 'box'"
t 'restore into the shelf' POST /v1/spaces/$boxed/restore admin '' 200 '.parent == "shelf"'
t 'delete it again' DELETE /v1/spaces/$boxed admin '' 204 ''
sql "UPDATE collection SET deleted_at = 1 WHERE id = 'shelf'" "UPDATE collection SET deleted_at = NULL WHERE id = 'box'"
t 'create in what is deleted' POST /v1/orgs/$ORG/spaces admin '{"parent":"shelf"}' 404 ''
sql "UPDATE collection SET deleted_at = 1 WHERE id = 'box'"
t 'restore at the top' POST /v1/spaces/$boxed/restore admin '' 200 'has("parent") | not'
sql "UPDATE collection SET deleted_at = NULL WHERE id IN ('box', 'shelf')"

for id in $fresh $untitled $locked2 $inside $byguest $copy $dup2 $dup3 $dup4 $dup5 $boxed; do
	t 'tidy up' DELETE /v1/spaces/$id admin '' 204 ''
done
