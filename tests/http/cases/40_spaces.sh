# Spaces.
t 'an admin reads a space' GET /v1/spaces/$SPACE admin '' 200 '.object == "space" and .id == "'$SPACE'" and .title == "Manual" and .emoji == ""
	and .organization == "'$ORG'" and .visibility == "private" and .editMode == "live" and .revision == "'$REV'"
	and .urls.location == "'$base'/v1/spaces/'$SPACE'" and .mergeRules == {type: "inherit"} and (has("deletedAt") | not)'
t 'a share key of no site is ignored' GET "/v1/spaces/$SPACE?shareKey=abc" admin '' 200 '.urls | has("published") | not'
t 'a space of others answers 404' GET /v1/spaces/$SPACE_B admin '' 404 ''
hidden=$(sed "s/$SPACE_B/ID/" "$out")
t 'an unknown space answers 404' GET /v1/spaces/xxxxxxxxxxxxxxxxxxxxxx admin '' 404 ''
same 'unknown and hidden spaces look alike' "$hidden" "$(sed s/xxxxxxxxxxxxxxxxxxxxxx/ID/ "$out")"

# Flags by role; in a locked space they allow no edit, merge or import.
flags() { t "$1 has the permissions of the role on $2" GET /v1/spaces/$(eval echo \$$2) $1 '' 200 '.permissions | [.view, .access, .comment, .edit,
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

t 'a guest without a grant gets 404' GET /v1/spaces/$SPACE guest '' 404 ''
t 'a private space is hidden from members' GET /v1/spaces/$PRIVATE create '' 404 ''
t 'the content of a private space is hidden from members' GET /v1/spaces/$PRIVATE/content create '' 404 ''
t 'a disabled member gets 404 for a space' GET /v1/spaces/$SPACE disabled '' 404 ''

# PATCH.
P=/v1/spaces/$EMPTY
t 'a PATCH changes the title' PATCH $P create '{"title":"New"}' 200 '.title == "New"'
t 'a PATCH keeps the members that it does not name' PATCH $P create '{"emoji":"1f600","language":"de"}' 200 \
	'.title == "New" and .emoji == "1f600" and .language == "de"'
t 'the same PATCH twice is no conflict' PATCH $P create '{"title":"New"}' 200 ''
t 'null removes the emoji' PATCH $P create '{"emoji":null}' 200 '.emoji == ""'
t 'an icon is shown by its address' PATCH $P create '{"icon":"https://example.com/i.png"}' 200 '.emoji == "" and .urls.icon == "https://example.com/i.png"'
t 'an emoji replaces the icon' PATCH $P create '{"emoji":"1f600"}' 200 '.emoji == "1f600" and (.urls | has("icon") | not)'
t 'an emoji may be given as its character' PATCH $P create '{"emoji":"👩‍💻"}' 200 '.emoji == "👩‍💻"'
t 'a word for an emoji is refused with an example' PATCH $P create '{"emoji":"hello"}' 400 \
	'.fields[0].path == "/emoji" and (.fields[0].message | contains("1f44d"))'
t 'two emoji are refused' PATCH $P create '{"emoji":"👍👍"}' 400 '.fields[0].path == "/emoji"'
t 'an empty emoji is accepted as it is read' PATCH $P create '{"emoji":""}' 200 '.emoji == ""'
t 'emoji and icon together are refused' PATCH $P create '{"emoji":"1f600","icon":"https://example.com/i.png"}' 400 '.fields[0].path == "/icon"'
t 'an icon of a javascript: address is refused' PATCH $P create '{"icon":"javascript:alert(1)"}' 400 '.fields[0].path == "/icon"'
t 'merge rules of type none are kept' PATCH $P create '{"mergeRules":{"type":"none"}}' 200 '.mergeRules == {type: "none"}'
t 'merge rules of an unknown type are refused' PATCH $P create '{"mergeRules":{"type":"x"}}' 400 '.fields[0].path == "/mergeRules/type"'
t 'merge rules with an unknown member are refused' PATCH $P create '{"mergeRules":{"type":"none","x":1}}' 400 '.fields[0].path == "/mergeRules/x"'
t 'merge rules may be inherited' PATCH $P create '{"mergeRules":{"type":"inherit"}}' 200 ''
t 'a space title of 50 wide characters is kept' PATCH $P create "{\"title\":\"$(head -c 50 /dev/zero | sed 's/\x00/😀/g')\"}" 200 '.title | length == 50'
t 'a space title of 51 characters is refused' PATCH $P create "{\"title\":\"$(head -c 51 /dev/zero | sed 's/\x00/a/g')\"}" 400 \
	'.fields[0].message | contains("50")'
t 'an unknown language is refused' PATCH $P create '{"language":"xx"}' 400 ''
t 'an unknown default level is refused' PATCH $P create '{"defaultLevel":"owner"}' 400 '.fields[0].path == "/defaultLevel"'
t 'a space title of null is refused' PATCH $P create '{"title":null}' 400 ''
t 'a locked space is not editable' PATCH $P create '{"editMode":"locked"}' 200 '.editMode == "locked" and (.permissions.edit | not)'
t 'settings of a locked space are editable' PATCH $P create '{"title":"Empty","emoji":null}' 200 '.title == "Empty"'
t 'an unlocked space is editable' PATCH $P create '{"editMode":"live"}' 200 '.permissions.edit'
t 'a default level below the own role takes the admin right away' PATCH $P create '{"defaultLevel":"comment"}' 200 '.permissions.admin | not'
t 'a default level binds who set it' PATCH $P create '{"title":"x"}' 403 ''
t 'a default level lets readers comment' GET $P read '' 200 '.permissions.comment'
t 'an admin hides the space from members' PATCH $P admin '{"defaultLevel":null}' 200 '.defaultLevel == null'
t 'a member without access gets 404' GET $P create '' 404 ''
t 'admins keep their access to a hidden space' PATCH $P admin '{"defaultLevel":"inherit"}' 200 '.defaultLevel == "inherit"'
for who in review edit comment read readonly; do
	t "$who may not change a space" PATCH $P $who '{"title":"x"}' 403 ''
done
t 'a guest gets 404 for a change' PATCH $P guest '{"title":"x"}' 404 ''
t 'another organization gets 404 for a change' PATCH $P other '{"title":"x"}' 404 ''
t 'a write token changes a space' PATCH $P writeonly '{"title":"Empty"}' 200 ''
t 'refused changes left the title' GET $P admin '' 200 '.title == "Empty"'

# Create.
t 'a creator creates a space' POST /v1/orgs/$ORG/spaces create '{"title":"Fresh","emoji":"1f4d8","language":"fr"}' 201 '.title == "Fresh"
	and .emoji == "1f4d8" and .language == "fr" and .permissions.admin'
fresh=$(jq -r .id "$out")
same 'a created space is named in Location' "$base/v1/spaces/$fresh" "$(header location)"
t 'a created space has an empty first revision' GET /v1/spaces/$fresh/content create '' 200 \
	'.pages == [] and .files == [] and .parents == [] and .type == "edits"'
t 'a space without a title is called Untitled' POST /v1/orgs/$ORG/spaces create '' 201 '.title == "Untitled" and .editMode == "live"'
untitled=$(jq -r .id "$out")
t 'a space may be created locked' POST /v1/orgs/$ORG/spaces create '{"editMode":"locked"}' 201 '.editMode == "locked"'
locked2=$(jq -r .id "$out")
t 'a space below an unknown parent answers 404' POST /v1/orgs/$ORG/spaces create '{"parent":"nope"}' 404 ''
for who in review edit comment read guest; do
	t "$who may not create a space" POST /v1/orgs/$ORG/spaces $who '{}' 403 ''
done
t 'a space in another organization answers 404' POST /v1/orgs/$ORG_B/spaces admin '{}' 404 ''
t 'a read token creates no space' POST /v1/orgs/$ORG/spaces readonly '{}' 403 ''

# Collections written directly to the database.
sql "INSERT INTO collection (id, org, title, ord, created_at, updated_at) VALUES ('shelf', '$ORG', 'Shelf', 'C', 0, 0)" \
	"INSERT INTO collection (id, org, parent, title, ord, default_level, created_at, updated_at)
	 VALUES ('box', '$ORG', 'shelf', 'Box', 'C', 2, 0, 0)" \
	"INSERT INTO collection (id, org, title, ord, created_at, updated_at) VALUES ('theirs', '$ORG_B', 'T', 'C', 0, 0)" \
	"INSERT INTO access_grant (id, collection, account, role, created_at) VALUES ('g1', 'shelf', '$U_guest', 5, 0)"
t 'a space created in a collection stays in it' POST /v1/orgs/$ORG/spaces create '{"title":"Inside","parent":"shelf"}' 201 \
	'.parent == "shelf" and .visibility == "in-collection"'
inside=$(jq -r .id "$out")
t 'a guest with a grant on a collection creates a space there' POST /v1/orgs/$ORG/spaces guest '{"title":"By guest","parent":"shelf"}' 201 '.permissions.admin'
byguest=$(jq -r .id "$out")
t 'a grant on a collection opens the spaces in it' GET /v1/spaces/$inside guest '' 200 '.permissions.admin'
t 'the default level of an inner collection replaces the role' POST /v1/orgs/$ORG/spaces create '{"parent":"box"}' 403 ''
t 'a collection of another organization answers 404' POST /v1/orgs/$ORG/spaces create '{"parent":"theirs"}' 404 ''
t 'a collection is not reachable by the path of another organization' POST /v1/orgs/$ORG_B/spaces other '{"parent":"shelf"}' 404 ''

# Duplicate.
t 'a space is duplicated under a title of its own' POST /v1/spaces/$SPACE/duplicate create '' 201 \
	'.title == "Manual (copy)" and .id != "'$SPACE'" and .organization == "'$ORG'"'
copy=$(jq -r .id "$out")
same 'a duplicate is named in Location' "$base/v1/spaces/$copy" "$(header location)"
t 'a space gets an icon' PATCH /v1/spaces/$fresh create '{"icon":"https://example.com/i.png"}' 200 ''
t 'a duplicate made with {} keeps the icon' POST /v1/spaces/$fresh/duplicate create '{}' 201 '.urls.icon == "https://example.com/i.png"'
dup2=$(jq -r .id "$out")
get /v1/spaces/$SPACE/content; jq '[.. | objects | .id? // empty] - ["'$REV'"]' "$out" >"$tmp/ids"
t 'a duplicate has the pages and files of its source' GET /v1/spaces/$copy/content create '' 200 \
	'([.. | objects | .id? // empty] - [.id]) == '"$(cat "$tmp/ids")"
t 'a page of a duplicate has a document' GET /v1/spaces/$copy/content/page/$PAGE create '' 200 '.document.nodes | length > 0'
# A copy is visible to the same users as its source.
t 'a duplicate of a hidden space is hidden' POST /v1/spaces/$PRIVATE/duplicate admin '' 201 '.defaultLevel == null'
dup3=$(jq -r .id "$out")
for who in create read guest; do t "a duplicate of a hidden space answers 404 to $who" GET /v1/spaces/$dup3 $who '' 404 ''; done
t 'the default level is lowered to comment' PATCH /v1/spaces/$dup3 admin '{"defaultLevel":"comment"}' 200 ''
t 'a duplicate keeps the default level comment' POST /v1/spaces/$dup3/duplicate admin '' 201 '.defaultLevel == "comment"'
t 'the default level of a duplicate binds its members' GET /v1/spaces/$(jq -r .id "$out") create '' 200 '.permissions | .comment and (.edit | not)'
t 'the duplicate with the default level is deleted' DELETE \
	/v1/spaces/$(get /v1/orgs/$ORG/spaces?limit=1000; jq -r '.items[] | select(.title == "Private (copy) (copy)").id' "$out") admin '' 204 ''
t 'the default level is raised to admin' PATCH /v1/spaces/$dup3 admin '{"defaultLevel":"admin"}' 200 ''
sql "INSERT INTO access_grant (id, space, account, role, created_at) VALUES ('grant-dup3', '$dup3', '$U_create', 5, 0)"
t 'a duplicate gets no default level above the role of who makes it' POST /v1/spaces/$dup3/duplicate create '' 201 '.defaultLevel == "create"'
t 'the duplicate with the lowered level is deleted' DELETE /v1/spaces/$(jq -r .id "$out") create '' 204 ''
t 'the first duplicate of the hidden space is deleted' DELETE /v1/spaces/$dup3 admin '' 204 ''
t 'a source gets a title of 50 characters' PATCH /v1/spaces/$dup2 create "{\"title\":\"$(head -c 50 /dev/zero | sed 's/\x00/é/g')\"}" 200 ''
t 'the title of a duplicate is cut to 50 characters' POST /v1/spaces/$dup2/duplicate create '' 201 '.title | length == 50 and endswith("é (copy)")'
dup3=$(jq -r .id "$out")
for who in review edit comment read; do
	t "$who may not duplicate a space" POST /v1/spaces/$SPACE/duplicate $who '' 403 ''
done
t 'another organization gets 404 for a duplicate' POST /v1/spaces/$SPACE/duplicate other '' 404 ''
t 'a duplicate of a locked space is not locked' POST /v1/spaces/$LOCKED/duplicate create '' 201 '.editMode == "live"'
dup4=$(jq -r .id "$out")
t 'a duplicate of a space in a collection stays in it' POST /v1/spaces/$inside/duplicate create '' 201 '.parent == "shelf"'
dup5=$(jq -r .id "$out")
t 'a duplicate is listed after its source' GET "/v1/orgs/$ORG/spaces?limit=100" admin '' 200 \
	'[.items[].id] | index("'$copy'") == index("'$SPACE'") + 1'

# Delete and restore.
t 'a deleted space is readable to who may restore it' GET /v1/spaces/$DELETED create '' 200 'has("deletedAt")'
t 'a deleted space answers 404 to who may not restore it' GET /v1/spaces/$DELETED review '' 404 ''
for at in content content/pages content/files git/info content/page/$PAGE revisions/$REV; do
	t "$at of a deleted space answers 404" GET /v1/spaces/$DELETED/$at admin '' 404 ''
done
t 'a deleted space cannot be changed' PATCH /v1/spaces/$DELETED admin '{"title":"x"}' 404 ''
t 'a deleted space cannot be duplicated' POST /v1/spaces/$DELETED/duplicate admin '' 404 ''
t 'a deleted space cannot import' POST /v1/spaces/$DELETED/git/import admin '{"url":"https://example.com/x.git","ref":"refs/heads/main"}' 404 ''
t 'a deleted space may be deleted again' DELETE /v1/spaces/$DELETED admin '' 204 ''
t 'a deleted space is not listed' GET "/v1/orgs/$ORG/spaces?limit=1000" admin '' 200 '[.items[].id] | index("'$DELETED'") == null'
t 'a role below create gets 404 for a restore' POST /v1/spaces/$DELETED/restore review '' 404 ''
t 'another organization gets 404 for a restore' POST /v1/spaces/$DELETED/restore other '' 404 ''
t 'a creator restores a space' POST /v1/spaces/$DELETED/restore create '' 200 'has("deletedAt") | not'
t 'a restored space has its content' GET /v1/spaces/$DELETED/content read '' 200 '.pages | length > 0'
restored=$(sql "SELECT count(*) FROM audit_event WHERE action = 'space.restored'")
t 'a space that is not deleted is restored without a change' POST /v1/spaces/$DELETED/restore create '' 200 '.id == "'$DELETED'" and (has("deletedAt") | not)'
same 'a restore without a change is not recorded' "$restored" "$(sql "SELECT count(*) FROM audit_event WHERE action = 'space.restored'")"
t 'a restore of a living space needs the role' POST /v1/spaces/$DELETED/restore review '' 403 ''
for who in review edit comment read; do
	t "$who may not delete a space" DELETE /v1/spaces/$DELETED $who '' 403 ''
done
t 'a guest without access gets 204 and deletes nothing' DELETE /v1/spaces/$DELETED guest '' 204 ''
t 'another organization gets 204 and deletes nothing' DELETE /v1/spaces/$DELETED other '' 204 ''
t 'an unknown space is deleted with 204' DELETE /v1/spaces/never admin '' 204 ''
t 'a read token deletes no space' DELETE /v1/spaces/$DELETED readonly '' 403 ''
t 'a caller without a token deletes no space' DELETE /v1/spaces/$DELETED - '' 401 ''
t 'refused deletions left the space' GET /v1/spaces/$DELETED read '' 200 'has("deletedAt") | not'
t 'a creator deletes a space' DELETE /v1/spaces/$DELETED create '' 204 ''
same 'the answer to DELETE has no body' '' "$(cat "$out")"
sql "UPDATE space SET deleted_at = deleted_at - 7 * 86400000 - 1 WHERE id = '$DELETED'"
t 'a space deleted for more than 7 days is not restored' POST /v1/spaces/$DELETED/restore admin '' 404 ''
t 'a space deleted for more than 7 days answers 404' GET /v1/spaces/$DELETED admin '' 404 ''
sql "UPDATE space SET deleted_at = deleted_at + 7 * 86400000 WHERE id = '$DELETED'"

# From a deleted collection into the nearest living one above it.
t 'a space is created in an inner collection' POST /v1/orgs/$ORG/spaces admin '{"parent":"box"}' 201 ''
boxed=$(jq -r .id "$out")
t 'the space in the inner collection is deleted' DELETE /v1/spaces/$boxed admin '' 204 ''
sql "UPDATE collection SET deleted_at = 1 WHERE id = 'box'"
t 'a space is restored into the nearest living collection' POST /v1/spaces/$boxed/restore admin '' 200 '.parent == "shelf"'
t 'the restored space is deleted again' DELETE /v1/spaces/$boxed admin '' 204 ''
sql "UPDATE collection SET deleted_at = 1 WHERE id = 'shelf'" "UPDATE collection SET deleted_at = NULL WHERE id = 'box'"
t 'a space below a deleted collection answers 404' POST /v1/orgs/$ORG/spaces admin '{"parent":"shelf"}' 404 ''
sql "UPDATE collection SET deleted_at = 1 WHERE id = 'box'"
t 'a space is restored to the top where all collections are deleted' POST /v1/spaces/$boxed/restore admin '' 200 'has("parent") | not'
sql "UPDATE collection SET deleted_at = NULL WHERE id IN ('box', 'shelf')"

for id in $fresh $untitled $locked2 $inside $byguest $copy $dup2 $dup3 $dup4 $dup5 $boxed; do
	t 'the spaces of this file are deleted' DELETE /v1/spaces/$id admin '' 204 ''
done
