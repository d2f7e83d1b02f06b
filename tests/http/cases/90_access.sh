# Changes that take effect at the next request, in every worker (docs/design/security.md, "S6").
octavo_json .token token create --user read@example.com --label short >"$tmp/tokens/short"
for n in 1 2 3 4 5; do t 'a token works in every worker' GET /v1/user short '' 200 ''; done
"$octavo" token list --dir "$dir" --user read@example.com --json >"$tmp/cli"
"$octavo" token revoke --dir "$dir" "$(jq -r '.[] | select(.label == "short").id' "$tmp/cli")" >/dev/null
for n in 1 2 3 4 5; do t 'a revoked token answers 401 in every worker' GET /v1/user short '' 401 ''; done
"$octavo" member disable --dir "$dir" --org "$ORG" --user comment@example.com >/dev/null
for n in 1 2 3 4 5; do t 'a disabled member gets 404 in every worker' GET /v1/spaces/$SPACE comment '' 404 ''; done
"$octavo" member add --dir "$dir" --org "$ORG" --user comment@example.com --role comment >/dev/null
for n in 1 2 3 4 5; do t 'an enabled member reads in every worker' GET /v1/spaces/$SPACE comment '' 200 ''; done

# Precedence: a level on the space replaces the role; a grant replaces the level; the user's grant
# comes before the team's.
sql "INSERT INTO team (id, org, title, created_at) VALUES ('team1', '$ORG', 'One', 0), ('team2', '$ORG', 'Two', 0)" \
	"INSERT INTO team_member (team, account) VALUES ('team1', '$U_read'), ('team2', '$U_read'), ('team1', '$U_create')"
P=/v1/spaces/$EMPTY
# Several times, so that all workers must drop what they cached.
role_is() { for n in 1 2 3 4; do role_once "$@"; done; }
role_once() { t "$1" GET $P $2 '' 200 '.permissions | [.comment, .edit, .review, .admin] == '"$3"; }
role_is 'a member has the role of the organization' read '[false, false, false, false]'
sql "UPDATE space SET default_level = 3 WHERE id = '$EMPTY'"
role_is 'the default level replaces the role' read '[true, true, false, false]'
role_is 'the default level lowers the role of a creator' create '[true, true, false, false]'
role_is 'the default level does not lower an admin' admin '[true, true, true, true]'
sql "INSERT INTO access_grant (id, space, team, role, created_at) VALUES ('t1', '$EMPTY', 'team1', 2, 0)"
role_is 'the grant of a team replaces a higher default level' read '[true, false, false, false]'
sql "INSERT INTO access_grant (id, space, team, role, created_at) VALUES ('t2', '$EMPTY', 'team2', 4, 0)"
role_is 'of two teams the higher grant counts' read '[true, true, true, false]'
sql "INSERT INTO access_grant (id, space, account, role, created_at) VALUES ('u1', '$EMPTY', '$U_read', 1, 0)"
role_is 'a grant of the user replaces those of teams' read '[false, false, false, false]'
role_is 'a grant of a user does not bind others' create '[true, false, false, false]'
sql "UPDATE access_grant SET role = 5 WHERE id = 'u1'"
role_is 'a grant raises the role' read '[true, true, true, true]'
t 'a raised role changes the space' PATCH $P read '{"title":"Empty"}' 200 ''
sql "UPDATE space SET default_level = 0 WHERE id = '$EMPTY'"
role_is 'a grant opens a hidden space' read '[true, true, true, true]'
t 'a hidden space answers 404 to others' GET $P edit '' 404 ''
t 'a hidden space is not listed' GET "/v1/orgs/$ORG/spaces?limit=1000" edit '' 200 '[.items[].id] | index("'$EMPTY'") == null'
t 'the list has the permissions of a grant' GET "/v1/orgs/$ORG/spaces?limit=1000" read '' 200 \
	'[.items[] | select(.id == "'$EMPTY'").permissions.admin] == [true]'
sql "DELETE FROM access_grant WHERE id IN ('t1', 't2', 'u1')" "UPDATE space SET default_level = -1 WHERE id = '$EMPTY'"

# Inherited through collections.
sql "INSERT INTO collection (id, org, title, ord, default_level, created_at, updated_at) VALUES ('outer', '$ORG', 'O', 'D', 0, 0, 0)" \
	"INSERT INTO collection (id, org, parent, title, ord, created_at, updated_at) VALUES ('inner', '$ORG', 'outer', 'I', 'D', 0, 0)" \
	"UPDATE space SET parent = 'inner' WHERE id = '$EMPTY'"
t 'a space two levels below a closed collection answers 404' GET $P create '' 404 ''
role_is 'an admin reads it' admin '[true, true, true, true]'
sql "INSERT INTO access_grant (id, collection, team, role, created_at) VALUES ('c1', 'outer', 'team1', 3, 0)"
role_is 'a grant of a team two levels up opens the space' read '[true, true, false, false]'
sql "UPDATE collection SET default_level = 1 WHERE id = 'inner'"
role_is 'the default level of the nearer collection replaces it' read '[false, false, false, false]'
role_is 'a default level of a collection opens the space to guests' guest '[false, false, false, false]'
t 'a guest lists the space' GET "/v1/orgs/$ORG/spaces?limit=1000" guest '' 200 '[.items[].id] | index("'$EMPTY'") != null'
sql "UPDATE space SET parent = NULL WHERE id = '$EMPTY'" "DELETE FROM access_grant WHERE id = 'c1'" \
	"DELETE FROM collection WHERE id = 'inner'" "DELETE FROM collection WHERE id = 'outer'"

# Busy: another process holds the write lock for longer than any request waits.
"$OCTAVO_BUILD/tests/sql" "$dir/octavo.db" --hold 60000 >"$tmp/hold" &
holder=$!
until [ -s "$tmp/hold" ]; do sleep 0.05; done
t 'a read does not wait for the write lock' GET $P admin '' 200 ''
t 'a write that waits too long answers 503' PATCH $P admin '{"title":"Empty"}' 503 ''
t 'the health check answers while the database is busy' GET /v1/healthz - '' 200 ''
kill $holder 2>/dev/null
wait $holder 2>/dev/null
t 'a write works after the lock is released' PATCH $P admin '{"title":"Empty"}' 200 ''
