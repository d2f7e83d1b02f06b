# Members, teams, invites, joining: in an organization of its own, PORG, with
# padm (admin), pcre (create), pred (read), pgst (guest); pout is nobody there.
for who in padm pcre pred pgst pout; do user_new $who '' ''; done
t 'an organization for people' POST /v1/orgs padm '{"title":"People"}' 201 ''
PORG=$(jq -r .id "$out")
PO=/v1/orgs/$PORG
t 'invite people who are known' POST $PO/invites padm '{"role":"read","emails":["PRED@example.com",
	{"email":"pcre@example.com","role":"create"},{"email":"pgst@example.com","role":null}]}' 200 \
	'.invited == 3 and (.users | length) == 3 and .failedSSOEmails == []'
t 'again' POST $PO/invites padm '{"emails":["pred@example.com"],"role":"admin"}' 200 '.invited == 0 and .users == []'
t 'the role stays' GET $PO/members/$U_pred padm '' 200 '.role == "read"'
t 'an unknown address' POST $PO/invites padm '{"emails":["new.person@example.net"],"sso":true}' 200 '.invited == 1 and .failedSSOEmails == []'
U_new=$(jq -r '.users[0]' "$out")
t 'is a guest with a name' GET $PO/members/$U_new padm '' 200 '.role == null and .user.displayName == "new.person" and .sso'
t 'no address' POST $PO/invites padm '{"emails":["ok@example.net","nobody"]}' 400 '.fields[0].path == "/emails/1"'
for mail in a@b@c '@b.example' a@ 'a b@c.example' 'a@b.example\n' '<a@b.example>' a@.example a@b..c a@example. 'a\u0001@b.example' '\"a\"@b.example'; do
	t "\"$mail\" is none either" POST $PO/invites padm '{"emails":["'"$mail"'"]}' 400 '.fields[0].path == "/emails/0"'
done
t 'nobody was added' GET "$PO/members?search=ok@" padm '' 200 '.count == 0'
t 'an item without a role' POST $PO/invites padm '{"emails":[{"email":"ok@example.net"}]}' 400 '.fields[0].path == "/emails/0/role"'
t 'SSO of those who are elsewhere' POST $PO/invites padm '{"emails":["other@example.com"],"sso":true}' 200 '.failedSSOEmails == ["other@example.com"]'
t 'out again' DELETE $PO/members/$U_other padm '' 204 ''
t 'invite without being admin' POST $PO/invites pcre '{"emails":["pout@example.com"]}' 403 ''
t 'invite from elsewhere' POST $PO/invites pout '{"emails":["pout@example.com"]}' 404 ''

# Members.
t 'members' GET $PO/members padm '' 200 '.count == 5 and [.items[].object] == ["member", "member", "member", "member", "member"]'
t 'newest first' GET "$PO/members?limit=1&order=asc" padm '' 200 '.items[0].id == "'$U_padm'" and .items[0].role == "admin" and .items[0].disabled == false'
t 'the rest' GET "$PO/members?limit=4&order=asc&page=$(jq -r .next.page "$out")" padm '' 200 '(.items | length) == 4 and (has("next") | not) and ([.items[].id] | index("'$U_padm'")) == null'
get "$PO/members?limit=1&order=asc&search=example" padm
token=$(jq -r .next.page "$out")
t 'a page token, parameters in another order' GET "$PO/members?page=$token&search=example&order=asc&limit=2" padm '' 200 '(.items | length) == 2'
for query in order=asc 'order=desc&search=example' 'order=asc&search=example&sort=lastSeenAt' 'order=asc&search=example&role=read'; do
	t "a page token of another list: $query" GET "$PO/members?$query&page=$token" padm '' 400 '.fields[0].path == "/page"'
done
t 'by role' GET "$PO/members?role=guest" pred '' 200 '[.items[].id] | sort == (["'$U_pgst'", "'$U_new'"] | sort)'
t 'by a role' GET "$PO/members?role=create" pred '' 200 '[.items[].id] == ["'$U_pcre'"] and .count == 1'
t 'no such role' GET "$PO/members?role=boss" pred '' 400 ''
t 'by name, in any case' GET "$PO/members?search=PCRE" pred '' 200 '[.items[].id] == ["'$U_pcre'"]'
t 'by address' GET "$PO/members?search=n%40example.net" pred '' 200 '[.items[].id] == ["'$U_new'"]'
t 'wildcards are letters' GET "$PO/members?search=p_re" pred '' 200 '.items == []'
t 'members, to a guest' GET $PO/members pgst '' 403 ''
t 'a guest sees itself' GET $PO/members/$U_pgst pgst '' 200 '.role == null'
t 'and nobody else' GET $PO/members/$U_pred pgst '' 403 ''
t 'a member of elsewhere' GET $PO/members/$U_pout padm '' 404 ''
t 'nobody was here' GET "$PO/members?sort=lastSeenAt" padm '' 200 '.count == 0'
t 'ping' POST $PO/ping pgst '' 200 '.serviceVisitorClaims == .gitbookVisitorClaims'
claims=$(jq -r '.serviceVisitorClaims | split(".") | .[1] | gsub("-"; "+") | gsub("_"; "/") | @base64d' "$out")
same 'ping: claims' true "$(printf %s "$claims" | jq '.sub == "'$U_pgst'" and .organization == "'$PORG'" and .exp > now and .exp < now + 7200')"
t 'now somebody was' GET "$PO/members?sort=lastSeenAt&order=asc" padm '' 200 '.count == 1 and .items[0].id == "'$U_pgst'" and (.items[0].lastSeenAt | length) > 0'
t 'ping from elsewhere' POST $PO/ping pout '' 404 ''
t 'a new role' PATCH $PO/members/$U_pred padm '{"role":"comment"}' 200 '.role == "comment"'
t 'at once' GET $PO pred '' 200 '.permissions.view'
t 'null is a guest' PATCH $PO/members/$U_pred padm '{"role":null}' 200 '.role == null'
t 'at once a guest' GET $PO/members pred '' 403 ''
t 'back' PATCH $PO/members/$U_pred padm '{"role":"read"}' 200 ''
t 'without a role nothing changes' PATCH $PO/members/$U_pred padm '{}' 200 '.role == "read"'
t 'not by others' PATCH $PO/members/$U_pred pcre '{"role":"admin"}' 403 ''
t 'not by oneself' PATCH $PO/members/$U_pcre pcre '{"role":"admin"}' 403 ''
t 'no member' PATCH $PO/members/$U_pout padm '{"role":"read"}' 404 ''
t 'the last admin stays one' PATCH $PO/members/$U_padm padm '{"role":"create"}' 409 ''
t 'and stays' DELETE $PO/members/$U_padm padm '' 409 ''
t 'with another admin' PATCH $PO/members/$U_pcre padm '{"role":"admin"}' 200 ''
t 'it may go down' PATCH $PO/members/$U_padm padm '{"role":"create"}' 200 ''
t 'and up again' PATCH $PO/members/$U_padm pcre '{"role":"admin"}' 200 ''
t 'back to create' PATCH $PO/members/$U_pcre padm '{"role":"create"}' 200 ''
t 'SSO member' POST $PO/members/$U_pred/sso padm '' 200 '.sso'
t 'SSO of nobody' POST $PO/members/$U_pout/sso padm '' 404 ''

# Teams.
t 'team' PUT $PO/teams padm '{"title":"Writers","members":["'$U_pcre'","'$U_pgst'"]}' 201 '.title == "Writers" and .members == 2 and .spaces == 0 and .permissions == {admin: true, view: true}'
TEAM_P=$(jq -r .id "$out")
same 'team: Location' "$base$PO/teams/$TEAM_P" "$(header location)"
t 'exactly its members' GET $PO/teams/$TEAM_P/members padm '' 200 '.count == 2 and ([.items[].organization.id] | index("'$U_padm'")) == null and all(.items[]; .team.role == "member" and .permissions.view)'
t 'team with a stranger' PUT $PO/teams padm '{"title":"X","members":["'$U_pout'"]}' 404 ''
t 'no team was made' GET "$PO/teams?title=x" padm '' 200 '.count == 0'
t 'title of 65' PUT $PO/teams padm '{"title":"12345678901234567890123456789012345678901234567890123456789012345"}' 400 '.fields[0].path == "/title"'
t 'team by who may not' PUT $PO/teams pcre '{"title":"X"}' 403 ''
t 'another team' PUT $PO/teams padm '{"title":"Editors"}' 201 ''
TEAM_Q=$(jq -r .id "$out")
t 'by title' GET $PO/teams pred '' 200 '[.items[].title] == ["Editors", "Writers"] and .count == 2 and .items[0].permissions == {admin: false, view: true}'
t 'teams to a guest' GET $PO/teams pgst '' 403 ''
t 'no owner yet' GET "$PO/teams?owner=$U_pgst" padm '' 200 '.count == 0'
t 'an admin manages all' GET "$PO/teams?owner=$U_padm" padm '' 200 '.count == 2'
t 'add an owner' PUT $PO/teams/$TEAM_P/members/$U_pred padm '{"role":"owner"}' 204 ''
t 'what it owns' GET "$PO/teams?owner=$U_pred" padm '' 200 '[.items[].id] == ["'$TEAM_P'"]'
t 'its flag' GET $PO pred '' 200 '.permissions.ownTeam'
t 'the team says so' GET $PO/teams/$TEAM_P pred '' 200 '.permissions.admin and .members == 3'
t 'an owner renames' PATCH $PO/teams/$TEAM_P pred '{"title":"Authors"}' 200 '.title == "Authors"'
t 'but not the other team' PATCH $PO/teams/$TEAM_Q pred '{"title":"Mine"}' 403 ''
t 'members in bulk' PUT $PO/teams/$TEAM_P/members pred '{"add":["padm@example.com","'$U_new'"],"remove":["'$U_new'","'$U_pcre'"],"memberships":{"'$U_padm'":{"role":"owner"}}}' 204 ''
t 'both is removed' GET $PO/teams/$TEAM_P/members padm '' 200 '[.items[] | [.organization.id, .team.role]] | sort == ([["'$U_padm'", "owner"], ["'$U_pred'", "owner"], ["'$U_pgst'", "member"]] | sort)'
t 'an owner makes no members of the organization' PUT $PO/teams/$TEAM_P/members pred '{"add":["pout@example.com"]}' 404 ''
t 'role of nobody in it' PUT $PO/teams/$TEAM_P/members padm '{"memberships":{"'$U_pcre'":{"role":"owner"}}}' 400 ''
t 'an admin does' PUT $PO/teams/$TEAM_P/members padm '{"add":["by.team@example.net"]}' 204 ''
t 'as a guest' GET "$PO/members?search=by.team" padm '' 200 '.count == 1 and .items[0].role == null and .items[0].teams == 1'
t 'unknown to remove' PUT $PO/teams/$TEAM_P/members padm '{"remove":["nobody@example.net","x"]}' 204 ''
t 'add a stranger' PUT $PO/teams/$TEAM_P/members/$U_pout padm '{}' 404 ''
t 'teams of a member' GET $PO/members/$U_pred/teams pcre '' 200 '.count == 1 and .items[0].team.id == "'$TEAM_P'" and .items[0].member == {role: "owner"}'
t 'by title, none' GET "$PO/members/$U_pred/teams?title=zz" pcre '' 200 '.count == 0'
t 'a title beyond ASCII' PATCH $PO/teams/$TEAM_P padm '{"title":"Équipe ΣΟΦΊΑΣ"}' 200 ''
for text in %C3%A9quipe EQUIPE %CF%83%CE%BF%CF%86%CE%AF%CE%B1%CF%82 %CF%83%CE%BF%CF%86%CE%B9%CE%B1%CF%83; do
	t "teams by $text" GET "$PO/teams?title=$text" padm '' 200 '[.items[].id] == ["'$TEAM_P'"] and .count == 1'
	t "of a member by $text" GET "$PO/members/$U_pred/teams?title=$text" pcre '' 200 '.count == 1'
done
t 'and back' PATCH $PO/teams/$TEAM_P padm '{"title":"Authors"}' 200 ''
# By case-folded title in code points, equal ones by id: no accent and no language has a say.
order=
for title in bravo Charlie ALPHA alpha Zulu Éclair éclair ßa ssb Ω '[x'; do
	t "team $title" PUT $PO/teams padm '{"title":"'"$title"'"}' 201 ''
	order="$order $(jq -r .id "$out")"
done
t 'teams by case-folded title' GET "$PO/teams?limit=1000" padm '' 200 '[.items[].title | select(. != "Authors" and . != "Editors")]
	| (.[1:3] | sort) == ["ALPHA", "alpha"] and (.[8:10] | sort) == ["Éclair", "éclair"] and [.[0, 3, 4, 5, 6, 7, 10]] == ["[x", "bravo", "Charlie", "ßa", "ssb", "Zulu", "Ω"]'
same 'equal ones by id' true "$(jq '[.items[] | select(.title | ascii_downcase == "alpha").id] | . == sort' "$out")"
whole=$(jq -r '.items[].id' "$out") pages= next=
while :; do
	get "$PO/teams?limit=2${next:+&page=$next}" padm
	pages="$pages $(jq -r '.items[].id' "$out")" next=$(jq -r '.next.page // empty' "$out")
	[ -n "$next" ] || break
done
same 'page by page likewise' "$(echo $whole)" "$(echo $pages)"
for id in $order; do send DELETE $PO/teams/$id padm ''; done
t 'teams of a stranger' GET $PO/members/$U_pout/teams pcre '' 404 ''
t 'a guest may own' PUT $PO/teams/$TEAM_P/members/$U_pgst padm '{"role":"owner"}' 204 ''
t 'and sees what it owns' GET $PO/teams/$TEAM_P pgst '' 200 '.permissions == {admin: true, view: true}'
t 'with who is in it' GET $PO/teams/$TEAM_P/members pgst '' 200 'all(.items[]; .permissions.view)'
t 'not the other team' GET $PO/teams/$TEAM_Q pgst '' 403 ''
t 'nor the list' GET $PO/teams pgst '' 403 ''
t 'its flag as well' GET $PO pgst '' 200 '.permissions | [.ownTeam, .listTeams] == [true, false]'
t 'reading is no owning' POST /v1/user/tokens pgst '{"scope":"read"}' 201 ''
jq -r .token "$out" >"$tmp/tokens/preads"
t 'says the flag' GET $PO preads '' 200 '.permissions.ownTeam == false'
t 'and the team' GET $PO/teams/$TEAM_P preads '' 200 '.permissions == {admin: false, view: true}'
t 'so it is' PATCH $PO/teams/$TEAM_P preads '{"title":"X"}' 403 ''
rm "$tmp/tokens/preads"
t 'leave a team' DELETE $PO/teams/$TEAM_P/members/$U_pgst pred '' 204 ''
t 'twice' DELETE $PO/teams/$TEAM_P/members/$U_pgst pred '' 204 ''
t 'in a team that is not' DELETE $PO/teams/nope/members/$U_pgst pred '' 204 ''
t 'member of another organization' GET /v1/orgs/$ORG/teams/$TEAM_P admin '' 404 ''

# Links.
t 'link' POST $PO/link-invites padm '{"role":"comment"}' 201 '.object == "invite" and .role == "comment" and .redundant'
LINK=$(jq -r .id "$out")
t 'link, under a key' POST $PO/link-invites padm '{"role":"read"}' 201 '' 'Idempotency-Key: people'
LINK_KEY=$(jq -r .id "$out")
t 'the same link again' POST $PO/link-invites padm '{"role":"read"}' 201 '.id == "'$LINK_KEY'"' 'Idempotency-Key: people'
t 'not with another body' POST $PO/link-invites padm '{"role":"edit"}' 409 '' 'Idempotency-Key: people'
t 'ended at once' DELETE $PO/link-invites/$LINK_KEY padm '' 204 ''
t 'whoever knows it' GET $PO/link-invites/$LINK pout '' 200 '.redundant == false'
t 'of this organization alone' GET /v1/orgs/$ORG/link-invites/$LINK pout '' 404 ''
# A copy of the database tells nobody how to join: it holds the fingerprint, which is in the audit record as well.
finger=$(printf %s "$LINK" | b2sum -l 256 | cut -c1-24)
same 'kept by its fingerprint' "1 0" "$(sql "SELECT count(*) FILTER (WHERE id = '$finger') || ' ' || count(*) FILTER (WHERE id = '$LINK' OR instr(sealed, '$LINK') > 0) FROM link_invite")"
t 'which opens nothing' GET $PO/link-invites/$finger pout '' 404 ''
t 'and lets nobody join' POST $PO/invites/$finger pout '' 404 ''
t 'but names the link to who manages it' PATCH $PO/link-invites/$finger padm '{"role":"comment"}' 200 '.id == "'$LINK'" and .role == "comment"'
t 'one that is not' POST $PO/invites/nope pout '' 404 ''
t 'join' POST $PO/invites/$LINK pout '' 200 '. == {}'
t 'joined' GET $PO/members/$U_pout padm '' 200 '.role == "comment"'
t 'a link raises' POST $PO/invites/$LINK pred '' 200 ''
t 'raised' GET $PO/members/$U_pred padm '' 200 '.role == "comment"'
t 'and never lowers' POST $PO/invites/$LINK padm '' 200 ''
t 'not lowered' GET $PO/members/$U_padm padm '' 200 '.role == "admin"'
t 'a link that gives more than whoever creates may give' POST /v1/orgs/$ORG/link-invites admin '{"space":"'$SPACE'","level":"admin"}' 201 ''
more=$(jq -r .id "$out")
t 'is not told' GET "/v1/orgs/$ORG/link-invites?space=$SPACE" create '' 200 '.items == [] and .count == 0'
t 'but to those who may' GET "/v1/orgs/$ORG/link-invites?space=$SPACE" admin '' 200 '[.items[].id] == ["'$more'"]'
t 'and ended' DELETE /v1/orgs/$ORG/link-invites/$more admin '' 204 ''
t 'links' GET $PO/link-invites padm '' 200 '.count == 1 and .items[0].id == "'$LINK'"'
t 'links to others' GET $PO/link-invites pcre '' 403 ''
t 'another role' PATCH $PO/link-invites/$LINK padm '{"role":null}' 200 '.role == null'
t 'level of this kind' PATCH $PO/link-invites/$LINK padm '{"level":"read"}' 400 '.fields[0].path == "/level"'
t 'role and level' PATCH $PO/link-invites/$LINK padm '{"role":"read","level":"read"}' 400 '.fields[0].path == "/level"'
t 'level of nothing' POST $PO/link-invites padm '{"level":"read"}' 400 '.fields[0].path == "/level" and (.error.message | test("space or a collection"))'
t 'link without a role' POST $PO/link-invites padm '{}' 400 '.fields[0].path == "/role"'
t 'link by who may not' POST $PO/link-invites pcre '{"role":"read"}' 403 ''
t 'links off' PATCH $PO padm '{"inviteLinks":false}' 200 '.inviteLinks == false'
t 'none are listed or counted' GET "$PO/link-invites?limit=5" padm '' 200 '.items == [] and .count == 0'
t 'no new ones' POST $PO/link-invites padm '{"role":"read"}' 403 ''
t 'the old ones rest' POST $PO/invites/$LINK stranger '' 404 ''
t 'links on' PATCH $PO padm '{"inviteLinks":true}' 200 ''
"$octavo" member disable --dir "$dir" --org "$PORG" --user pout@example.com >/dev/null
t 'no way round being disabled' POST $PO/invites/$LINK pout '' 404 ''
t 'end a link' DELETE $PO/link-invites/$LINK padm '' 204 ''
t 'end it twice' DELETE $PO/link-invites/$LINK padm '' 204 ''
t 'ended' POST $PO/invites/$LINK stranger '' 404 ''

# Domains, hostnames, settings.
t 'settings' PATCH $PO padm '{"title":"Folk","emailDomains":["Example.COM","example.com","b.example"],"hostname":"folk-docs","defaultRole":"comment","ai":true,"logo":"https://example.com/l.png"}' 200 \
	'.title == "Folk" and .emailDomains == ["example.com", "b.example"] and .hostname == "folk-docs" and .defaultRole == "comment" and .ai and .urls.logo == "https://example.com/l.png"'
t 'settings by who may not' PATCH $PO pcre '{"title":"Mine"}' 403 ''
t 'hostname taken' PATCH /v1/orgs/$ORG admin '{"hostname":"folk-docs"}' 409 ''
t 'no hostname' PATCH $PO padm '{"hostname":"-folk"}' 400 '.fields == [{path: "/hostname", message: "must be of small letters, digits and, not at an end, hyphens"}]'
t 'one of its own is no conflict' PATCH $PO padm '{"hostname":"folk-docs"}' 200 ''
t 'subdomain' GET /v1/subdomains/folk-docs pgst '' 200 '. == {object: "subdomain", subdomain: "folk-docs", target: {type: "organization", organization: "'$PORG'"}, isActive: true}'
t 'subdomain to others' GET /v1/subdomains/folk-docs other '' 404 ''
t 'merge rules' PATCH $PO padm '{"mergeRules":{"type":"rules","rules":[{"rule":"require_specific_reviewers","users":["'$U_pcre'"]},{"rule":"require_at_least_one_review"}]}}' 200 '.mergeRules.rules | length == 2'
t 'rules with a stranger' PATCH $PO padm '{"mergeRules":{"type":"rules","rules":[{"rule":"allow_bypass","users":["'$U_other'"]}]}}' 404 ''
t 'custom rules' PATCH $PO padm '{"mergeRules":{"type":"rules","rules":[{"rule":"custom","expression":"reviews.length >"}]}}' 400 '.fields == [{path: "/mergeRules/rules/0/expression", message: "is no expression: unexpected end at character 17"}]'
t 'a custom rule' PATCH $PO padm '{"mergeRules":{"type":"rules","rules":[{"rule":"custom","expression":"reviews.length > 0"}]}}' 200 '.mergeRules.rules == [{rule: "custom", expression: "reviews.length > 0"}]'
t 'a site that is not' PATCH $PO padm '{"defaultContent":{"type":"site","site":"nope"}}' 404 ''
t 'no default content' PATCH $PO padm '{"defaultContent":null}' 200 'has("defaultContent") | not'
t 'no rules' PATCH $PO padm '{"mergeRules":{"type":"none"}}' 200 '.mergeRules == {type: "none"}'
t 'no inheriting at the top' PATCH $PO padm '{"mergeRules":{"type":"inherit"}}' 400 ''
for path in o orgs; do
	t "domain, $path" GET /v1/email-domains/EXAMPLE.com/$path stranger '' 200 '[.organizations[] | select(.id == "'$PORG'").permissions.view] == [false]'
	t "domain without a token, $path" GET /v1/email-domains/example.com/$path - '' 401 ''
	t "somebody else's domain, $path" GET /v1/email-domains/b.example/$path stranger '' 200 '.organizations == []'
done
t 'join by domain' POST $PO/join stranger '' 204 ''
t 'joined with the default role' GET $PO/members/$U_stranger padm '' 200 '.role == "comment"'
t 'join twice' POST $PO/join stranger '' 204 ''
t 'still disabled' POST $PO/join pout '' 404 ''
t 'join where the domain is not' POST /v1/orgs/$ORG/join stranger '' 404 ''
t 'join nothing' POST /v1/orgs/nope/join stranger '' 404 ''
t 'remove' DELETE $PO/members/$U_stranger padm '' 204 ''
t 'gone at once' GET $PO stranger '' 404 ''
t 'remove nobody' DELETE $PO/members/$U_stranger padm '' 204 ''
t 'remove elsewhere' DELETE /v1/orgs/nope/members/$U_stranger padm '' 404 ''
t 'nobody waits at the door' PATCH $PO padm '{"emailDomains":[]}' 200 '.emailDomains == []'
t 'closed' POST $PO/join stranger '' 404 ''

# Instructions.
t 'instructions before the first' GET $PO/agent-instructions pred '' 200 '.object == "agent-instructions" and .instructions.nodes == [] and .updatedBy == "'$U_padm'"'
t 'instructions' PUT $PO/agent-instructions padm '{"instructions":{"object":"document","data":{"schemaVersion":1},"nodes":[{"object":"block","type":"paragraph","nodes":[]}]}}' 200 '.instructions.nodes[0].type == "paragraph"'
t 'instructions by who may not' PUT $PO/agent-instructions pcre '{"instructions":{"object":"document","data":{},"nodes":[]}}' 403 ''
t 'instructions to guests' GET $PO/agent-instructions pgst '' 403 ''

# Oneself.
t 'a name' PATCH /v1/users/$U_pgst pgst '{"displayName":"Gästin","photoURL":"https://example.com/g.png"}' 200 '.displayName == "Gästin" and .photoURL == "https://example.com/g.png" and .email == "pgst@example.com"'
t 'of any script' PATCH /v1/users/$U_pcre pcre '{"displayName":"Łucja ÜBER Ωmega Жук"}' 200 ''
for text in g%C3%A4stin G%C3%84STIN gastin; do
	t "found by $text" GET "$PO/members?search=$text" padm '' 200 '[.items[].id] == ["'$U_pgst'"] and .count == 1'
done
for text in %C3%BCber uber %CF%89MEGA %CE%A9mega %D0%B6%D1%83%D0%BA %D0%96%D0%A3%D0%9A %C5%82ucja lucja %EF%BC%AC%EF%BD%95%EF%BD%83%EF%BD%8A%EF%BD%81; do
	t "found by $text" GET "$PO/members?search=$text" padm '' 200 '[.items[].id] == ["'$U_pcre'"] and .count == 1'
done
t 'the address stays' PATCH /v1/users/$U_pgst pgst '{"email":"x@example.com"}' 400 ''
t 'no picture' PATCH /v1/users/$U_pgst pgst '{"photoURL":""}' 200 'has("photoURL") | not'
t 'an address in commits' PATCH /v1/users/$U_pgst pgst '{"commitEmail":"Pgst@example.com"}' 200 '.commitEmail == "pgst@example.com"'
t 'it is told to oneself' GET /v1/user pgst '' 200 '.commitEmail == "pgst@example.com"'
t 'and to nobody else' GET /v1/users/$U_pgst padm '' 200 'has("commitEmail") | not'
t 'never the address of somebody else' PATCH /v1/users/$U_pgst pgst '{"commitEmail":"admin@example.com"}' 400 '.fields[0].path == "/commitEmail"'
t 'nor one of nobody' PATCH /v1/users/$U_pgst pgst '{"commitEmail":"nobody"}' 400 '.fields[0].path == "/commitEmail"'
t 'none again' PATCH /v1/users/$U_pgst pgst '{"commitEmail":""}' 200 'has("commitEmail") | not'
t 'no address of one' PATCH /v1/users/$U_pgst pgst '{"photoURL":"javascript:alert(1)"}' 400 '.fields[0].path == "/photoURL"'
t 'nothing' PATCH /v1/users/$U_pgst pgst '{}' 400 ''
t 'of others' PATCH /v1/users/$U_padm pgst '{"displayName":"X"}' 403 ''
t 'of strangers' PATCH /v1/users/$U_other pgst '{"displayName":"X"}' 404 ''

# Tokens.
t 'token' POST /v1/user/tokens pgst '{"label":"ci","scope":"read"}' 201 '(.token | startswith("oct_")) and .scope == "read" and .label == "ci"'
jq -r .token "$out" >"$tmp/tokens/made"
TOKEN_MADE=$(jq -r .id "$out")
t 'it works' GET /v1/user made '' 200 '.id == "'$U_pgst'"'
t 'what its Location leads to' GET /v1/user/tokens/$TOKEN_MADE pgst '' 200 '.id == "'$TOKEN_MADE'" and .label == "ci" and (has("token") | not)'
t 'not for others' GET /v1/user/tokens/$TOKEN_MADE padm '' 404 ''
t 'it makes none' POST /v1/user/tokens made '{}' 403 ''
t 'tokens' GET /v1/user/tokens pgst '' 200 '.count == 3 and .items[0].id == "'$TOKEN_MADE'" and (.items[0] | has("token") | not)'
t 'of wider scope' POST /v1/user/tokens writeonly '{"scope":"admin"}' 403 ''
t 'in the past' POST /v1/user/tokens pgst '{"expiresAt":"2020-01-01T00:00:00Z"}' 400 '.fields[0].path == "/expiresAt"'
t "another's token" DELETE /v1/user/tokens/$TOKEN_MADE padm '' 204 ''
t 'is still there' GET /v1/user made '' 200 ''
t 'revoke' DELETE /v1/user/tokens/$TOKEN_MADE pgst '' 204 ''
t 'revoked' GET /v1/user made '' 401 ''
rm "$tmp/tokens/made"

# Sign-in settings.
t 'provider' POST $PO/saml padm '{"label":"Okta","defaultTeam":"'$TEAM_P'","defaultRole":"read"}' 201 '.status == "pending" and .ssoURL == "" and .entityID == "" and .certificate == "" and .defaultTeam.id == "'$TEAM_P'" and .defaultRole == "read" and (.service | keys) == ["acsURL", "entityID", "startURL"]'
SAML=$(jq -r .id "$out")
same 'provider: Location' "$base$PO/saml/$SAML" "$(header location)"
t 'pending is not offered' GET $PO/sso pgst '' 200 '.items == []'
# A certificate is one: PEM, or its base64 alone, as identity providers show it.
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -keyout "$tmp/idp.key" -out "$tmp/idp.pem" -days 9 -nodes -subj /CN=idp 2>/dev/null
pem=$(jq -Rs . "$tmp/idp.pem") bare=$(grep -v -- ----- "$tmp/idp.pem" | tr -d '\n')
for text in '"c"' '"-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----"' "$(jq -Rs . "$tmp/idp.key")" "$(cat "$tmp/idp.key" "$tmp/idp.pem" | jq -Rs .)" \
	"$(cat "$tmp/idp.pem" "$tmp/idp.pem" | jq -Rs .)" "$(head -n 4 "$tmp/idp.pem" | jq -Rs .)" "\"$(echo "$bare" | cut -c1-200)\"" \
	"$(openssl x509 -in "$tmp/idp.pem" -noout -pubkey | jq -Rs .)" "$(openssl x509 -in "$tmp/idp.pem" -noout -pubkey | sed 's/PUBLIC KEY/CERTIFICATE/' | jq -Rs .)" \
	"$(sed 's/M/%/' "$tmp/idp.pem" | jq -Rs .)" "\"$({ echo "$bare" | base64 -d; printf xyz; } | base64 -w0)\"" '"https://idp.example.com/cert.pem"' '"   "'; do
	t "no certificate: $(echo "$text" | cut -c1-40)" PATCH $PO/saml/$SAML padm '{"certificate":'"$text"'}' 400 '.fields[0].path == "/certificate"'
done
t 'no certificate of a new one' POST $PO/saml padm '{"label":"X","certificate":"c"}' 400 '.fields[0].path == "/certificate"'
t 'none was kept' GET $PO/saml padm '' 200 '.count == 1 and .items[0].certificate == ""'
t 'without its armour' PATCH $PO/saml/$SAML padm '{"certificate":"'"$bare"'"}' 200 '.certificate == "'"$bare"'"'
openssl req -x509 -newkey rsa:2048 -keyout "$tmp/idp.key" -out "$tmp/rsa.pem" -days 40000 -nodes -subj '/C=DE/O=Ä/CN=rsa' 2>/dev/null
t 'of another kind' PATCH $PO/saml/$SAML padm '{"certificate":'"$(jq -Rs . "$tmp/rsa.pem")"'}' 200 ''
t 'taken away' PATCH $PO/saml/$SAML padm '{"certificate":""}' 200 '.certificate == ""'
t 'two of three' PATCH $PO/saml/$SAML padm '{"entityID":"e","certificate":'"$pem"'}' 200 '.status == "pending"'
# Until sign-in is built, its addresses say so.
if [ $TRANSPORT = http ]; then
	get $PO/saml/$SAML padm
	for address in $(jq -r '.service[]' "$out"); do
		for method in GET POST; do
			code=$(curl -s -m 30 -X $method -d x=y -o "$tmp/saml" -w '%{http_code} %{content_type}' "$address")
			same "$method $address" '501 application/json 501' "$code $(jq .error.code "$tmp/saml")"
		done
	done
	read_at /saml/x/other
	same 'nothing else is there' 404 "$code"
fi
t 'three of three' PATCH $PO/saml/$SAML padm '{"ssoURL":"https://idp.example.com/sso","defaultRole":null}' 200 '.status == "active" and .defaultRole == null'
t 'offered' GET $PO/sso pgst '' 200 '[.items[] | [.id, .label]] == [["'$SAML'", "Okta"]] and (.items[0].startURL | startswith("'$base'/"))'
t 'no address any more' PATCH $PO/saml/$SAML padm '{"ssoURL":""}' 200 '.status == "pending" and .ssoURL == ""'
t 'not offered any more' GET $PO/sso pgst '' 200 '.items == []'
t 'no address' PATCH $PO/saml/$SAML padm '{"ssoURL":"idp.example.com"}' 400 '.fields[0].path == "/ssoURL"'
t 'providers' GET $PO/saml padm '' 200 '.count == 1 and .items[0].id == "'$SAML'"'
t 'one' GET $PO/saml/$SAML padm '' 200 '.label == "Okta"'
t 'elsewhere' GET /v1/orgs/$ORG/saml/$SAML admin '' 404 ''
t 'a team of elsewhere' PATCH $PO/saml/$SAML padm '{"defaultTeam":"'$TEAM_B'"}' 404 ''
t 'label of 31' POST $PO/saml padm '{"label":"1234567890123456789012345678901"}' 400 ''
t 'to who may not' GET $PO/saml pcre '' 403 ''
t 'a team ends' DELETE $PO/teams/$TEAM_P padm '' 204 ''
t 'no default any more' GET $PO/saml/$SAML padm '' 200 'has("defaultTeam") | not'
t 'its members are no owners' GET $PO pred '' 200 '.permissions.ownTeam == false'
t 'provider ends' DELETE $PO/saml/$SAML padm '' 204 ''
t 'provider ends twice' DELETE $PO/saml/$SAML padm '' 204 ''
t 'team ends twice' DELETE $PO/teams/$TEAM_P padm '' 204 ''
t 'team rest' DELETE $PO/teams/$TEAM_Q padm '' 204 ''

# The record of all that.
t 'actions' GET $PO/audit-event-actions padm '' 200 '.items | map(.id) | (index("member.added") != null and index("token.created") != null)'
t 'events' GET "$PO/audit-events?limit=5" padm '' 200 '(.items | length) == 5 and .count > 40 and .items[0].action == "team.deleted" and .items[0].actor == {type: "user", id: "'$U_padm'", label: "padm"} and .items[0].source == "api"'
t 'next page' GET "$PO/audit-events?limit=5&page=$(jq -r .next.page "$out")" padm '' 200 '(.items | length) == 5'
t 'not what the invited do to their own accounts' GET "$PO/audit-events?action=token.created" padm '' 200 '.count == 0'
t 'a token of the founder' POST /v1/user/tokens padm '{"label":"ci","scope":"read"}' 201 ''
TOKEN_OWN=$(jq -r .id "$out")
t 'by action' GET "$PO/audit-events?action=token.created" padm '' 200 '.count == 1 and .items[0].target.id == "'$TOKEN_OWN'" and .items[0].actor.id == "'$U_padm'"'
event=$(jq -r '.items[0].id' "$out")
t 'one event' GET $PO/audit-events/$event padm '' 200 '.schemaVersion == 1 and .payload.after == {user: "'$U_padm'", email: "padm@example.com", label: "ci", scope: "read", expiresAt: null} and (.executionId | length) > 0'
t 'of another organization' GET /v1/orgs/$ORG/audit-events/$event admin '' 404 ''
t 'by actor and target' GET "$PO/audit-events?actor=$U_pcre&target=$U_padm" padm '' 200 '.count == 1 and .items[0].action == "member.updated"'
t 'before and after' GET "$PO/audit-events/$(jq -r '.items[0].id' "$out")" padm '' 200 '.payload.before == {role: "create"} and .payload.after == {role: "admin"}'
t 'by time' GET "$PO/audit-events?to=2020-01-01T00:00:00Z" padm '' 200 '.count == 0'
t 'to who may not' GET $PO/audit-events pcre '' 403 ''
sql "SELECT count(*) FROM audit_event WHERE instr(COALESCE(before, '') || COALESCE(after, '') || target, '$LINK') > 0" >"$tmp/leak"
same 'no secret is recorded' 0 "$(cat "$tmp/leak")"
