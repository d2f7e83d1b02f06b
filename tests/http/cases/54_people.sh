# Members, teams, invites, joining: in a separate organization, PORG, with padm (admin), pcre
# (create), pred (read), pgst (guest); pout is no member.
for who in padm pcre pred pgst pout; do user_new $who '' ''; done
t 'an organization for people is created' POST /v1/orgs padm '{"title":"People"}' 201 ''
PORG=$(jq -r .id "$out")
PO=/v1/orgs/$PORG
t 'users are invited by their address' POST $PO/invites padm '{"role":"read","emails":["PRED@example.com",
	{"email":"pcre@example.com","role":"create"},{"email":"pgst@example.com","role":null}]}' 200 \
	'.invited == 3 and (.users | length) == 3 and .failedSSOEmails == []'
t 'a user who is a member is not invited again' POST $PO/invites padm '{"emails":["pred@example.com"],"role":"admin"}' 200 '.invited == 0 and .users == []'
t 'a second invitation does not change the role' GET $PO/members/$U_pred padm '' 200 '.role == "read"'
t 'an unknown address is invited' POST $PO/invites padm '{"emails":["new.person@example.net"],"sso":true}' 200 '.invited == 1 and .failedSSOEmails == []'
U_new=$(jq -r '.users[0]' "$out")
t 'an invited address becomes a guest named like it' GET $PO/members/$U_new padm '' 200 '.role == null and .user.displayName == "new.person" and .sso'
t 'a text that is no address is refused' POST $PO/invites padm '{"emails":["ok@example.net","nobody"]}' 400 '.fields[0].path == "/emails/1"'
for mail in a@b@c '@b.example' a@ 'a b@c.example' 'a@b.example\n' '<a@b.example>' a@.example a@b..c a@example. 'a\u0001@b.example' '\"a\"@b.example'; do
	t "the address $mail is refused" POST $PO/invites padm '{"emails":["'"$mail"'"]}' 400 '.fields[0].path == "/emails/0"'
done
t 'a refused invitation adds nobody' GET "$PO/members?search=ok@" padm '' 200 '.count == 0'
t 'an invitation without a role is refused' POST $PO/invites padm '{"emails":[{"email":"ok@example.net"}]}' 400 '.fields[0].path == "/emails/0/role"'
t 'SSO of a user of another organization is reported as failed' POST $PO/invites padm '{"emails":["other@example.com"],"sso":true}' 200 \
	'.failedSSOEmails == ["other@example.com"]'
t 'the user of another organization is removed' DELETE $PO/members/$U_other padm '' 204 ''
t 'a creator invites nobody' POST $PO/invites pcre '{"emails":["pout@example.com"]}' 403 ''
t 'a stranger invites nobody' POST $PO/invites pout '{"emails":["pout@example.com"]}' 404 ''

# Members.
t 'members are listed' GET $PO/members padm '' 200 '.count == 5 and [.items[].object] == ["member", "member", "member", "member", "member"]'
t 'members are listed oldest first' GET "$PO/members?limit=1&order=asc" padm '' 200 \
	'.items[0].id == "'$U_padm'" and .items[0].role == "admin" and .items[0].disabled == false'
t 'the next page of members is the last' GET "$PO/members?limit=4&order=asc&page=$(jq -r .next.page "$out")" padm '' 200 \
	'(.items | length) == 4 and (has("next") | not) and ([.items[].id] | index("'$U_padm'")) == null'
get "$PO/members?limit=1&order=asc&search=example" padm
token=$(jq -r .next.page "$out")
t 'a page token takes the same parameters in another order' GET "$PO/members?page=$token&search=example&order=asc&limit=2" padm '' 200 '(.items | length) == 2'
for query in order=asc 'order=desc&search=example' 'order=asc&search=example&sort=lastSeenAt' 'order=asc&search=example&role=read'; do
	t "a page token of another list is refused: $query" GET "$PO/members?$query&page=$token" padm '' 400 '.fields[0].path == "/page"'
done
t 'guests are listed alone' GET "$PO/members?role=guest" pred '' 200 '[.items[].id] | sort == (["'$U_pgst'", "'$U_new'"] | sort)'
t 'members are listed by role' GET "$PO/members?role=create" pred '' 200 '[.items[].id] == ["'$U_pcre'"] and .count == 1'
t 'an unknown role is refused' GET "$PO/members?role=boss" pred '' 400 ''
t 'members are found by name in any case' GET "$PO/members?search=PCRE" pred '' 200 '[.items[].id] == ["'$U_pcre'"]'
t 'a member takes another name' PATCH /v1/users/$U_pred pred '{"displayName":"Édith"}' 200 ''
t 'a member is found by the new name' GET "$PO/members?search=edith" pred '' 200 '[.items[].id] == ["'$U_pred'"]'
t 'the member takes the first name again' PATCH /v1/users/$U_pred pred '{"displayName":"pred"}' 200 ''
t 'members are found by address' GET "$PO/members?search=n%40example.net" pred '' 200 '[.items[].id] == ["'$U_new'"]'
t 'wildcards in a search are letters' GET "$PO/members?search=p_re" pred '' 200 '.items == []'
t 'a guest may not list members' GET $PO/members pgst '' 403 ''
t 'a guest reads their own membership' GET $PO/members/$U_pgst pgst '' 200 '.role == null'
t 'a guest may not read another membership' GET $PO/members/$U_pred pgst '' 403 ''
t 'a user of another organization is no member' GET $PO/members/$U_pout padm '' 404 ''
t 'members who were never seen are not listed by that time' GET "$PO/members?sort=lastSeenAt" padm '' 200 '.count == 0'
t 'a ping gives the claims of a member' POST $PO/ping pgst '' 200 '.serviceVisitorClaims == .gitbookVisitorClaims'
claims=$(jq -r '.serviceVisitorClaims | split(".") | .[1] | gsub("-"; "+") | gsub("_"; "/") | @base64d' "$out")
same 'the claims of a ping name user and organization for two hours at most' true \
	"$(printf %s "$claims" | jq '.sub == "'$U_pgst'" and .organization == "'$PORG'" and .exp > now and .exp < now + 7200')"
t 'a ping is seen in the list' GET "$PO/members?sort=lastSeenAt&order=asc" padm '' 200 \
	'.count == 1 and .items[0].id == "'$U_pgst'" and (.items[0].lastSeenAt | length) > 0'
t 'a stranger gets 404 for a ping' POST $PO/ping pout '' 404 ''
t 'a member gets another role' PATCH $PO/members/$U_pred padm '{"role":"comment"}' 200 '.role == "comment"'
t 'a member with another role reads the organization' GET $PO pred '' 200 '.permissions.view'
t 'the role null makes a guest' PATCH $PO/members/$U_pred padm '{"role":null}' 200 '.role == null'
t 'a new guest may not list members' GET $PO/members pred '' 403 ''
t 'the guest gets a role again' PATCH $PO/members/$U_pred padm '{"role":"read"}' 200 ''
t 'a change without a role changes nothing' PATCH $PO/members/$U_pred padm '{}' 200 '.role == "read"'
t 'a creator changes no role of others' PATCH $PO/members/$U_pred pcre '{"role":"admin"}' 403 ''
t 'a creator does not raise their own role' PATCH $PO/members/$U_pcre pcre '{"role":"admin"}' 403 ''
t 'the role of a stranger answers 404' PATCH $PO/members/$U_pout padm '{"role":"read"}' 404 ''
t 'the last admin cannot be demoted' PATCH $PO/members/$U_padm padm '{"role":"create"}' 409 ''
t 'the last admin cannot be removed' DELETE $PO/members/$U_padm padm '' 409 ''
t 'a second admin is made' PATCH $PO/members/$U_pcre padm '{"role":"admin"}' 200 ''
t 'one of two admins may step down' PATCH $PO/members/$U_padm padm '{"role":"create"}' 200 ''
t 'the other admin raises them again' PATCH $PO/members/$U_padm pcre '{"role":"admin"}' 200 ''
t 'the second admin becomes a creator again' PATCH $PO/members/$U_pcre padm '{"role":"create"}' 200 ''
t 'a member is set to SSO' POST $PO/members/$U_pred/sso padm '' 200 '.sso'
t 'a stranger cannot be set to SSO' POST $PO/members/$U_pout/sso padm '' 404 ''

# Teams.
t 'a team is created with its members' PUT $PO/teams padm '{"title":"Writers","members":["'$U_pcre'","'$U_pgst'"]}' 201 \
	'.title == "Writers" and .members == 2 and .spaces == 0 and .permissions == {admin: true, view: true}'
TEAM_P=$(jq -r .id "$out")
same 'a created team is named in Location' "$base$PO/teams/$TEAM_P" "$(header location)"
t 'a team has the members that were named' GET $PO/teams/$TEAM_P/members padm '' 200 \
	'.count == 2 and ([.items[].organization.id] | index("'$U_padm'")) == null and all(.items[]; .team.role == "member" and .permissions.view)'
t 'a team with a stranger answers 404' PUT $PO/teams padm '{"title":"X","members":["'$U_pout'"]}' 404 ''
t 'a refused team is not created' GET "$PO/teams?title=x" padm '' 200 '.count == 0'
t 'a team title of 65 characters is refused' PUT $PO/teams padm '{"title":"12345678901234567890123456789012345678901234567890123456789012345"}' \
	400 '.fields[0].path == "/title"'
t 'a creator creates no team' PUT $PO/teams pcre '{"title":"X"}' 403 ''
t 'a second team is created' PUT $PO/teams padm '{"title":"Editors"}' 201 ''
TEAM_Q=$(jq -r .id "$out")
t 'a member lists teams by title' GET $PO/teams pred '' 200 '[.items[].title] == ["Editors", "Writers"] and .count == 2
	and .items[0].permissions == {admin: false, view: true}'
t 'a guest may not list teams' GET $PO/teams pgst '' 403 ''
t 'a guest owns no team at first' GET "$PO/teams?owner=$U_pgst" padm '' 200 '.count == 0'
t 'an admin manages all teams' GET "$PO/teams?owner=$U_padm" padm '' 200 '.count == 2'
t 'a member becomes the owner of a team' PUT $PO/teams/$TEAM_P/members/$U_pred padm '{"role":"owner"}' 204 ''
t 'teams are listed by owner' GET "$PO/teams?owner=$U_pred" padm '' 200 '[.items[].id] == ["'$TEAM_P'"]'
t 'an owner has the permission ownTeam' GET $PO pred '' 200 '.permissions.ownTeam'
t 'an owner administers the team' GET $PO/teams/$TEAM_P pred '' 200 '.permissions.admin and .members == 3'
t 'an owner renames the team' PATCH $PO/teams/$TEAM_P pred '{"title":"Authors"}' 200 '.title == "Authors"'
t 'an owner does not rename another team' PATCH $PO/teams/$TEAM_Q pred '{"title":"Mine"}' 403 ''
t 'members of a team are added, removed and changed in one request' PUT $PO/teams/$TEAM_P/members pred \
	'{"add":["padm@example.com","'$U_new'"],"remove":["'$U_new'","'$U_pcre'"],"memberships":{"'$U_padm'":{"role":"owner"}}}' 204 ''
t 'who is both added and removed is removed' GET $PO/teams/$TEAM_P/members padm '' 200 \
	'[.items[] | [.organization.id, .team.role]] | sort == ([["'$U_padm'", "owner"], ["'$U_pred'", "owner"], ["'$U_pgst'", "member"]] | sort)'
t 'an owner adds no user who is no member' PUT $PO/teams/$TEAM_P/members pred '{"add":["pout@example.com"]}' 404 ''
t 'a role of somebody outside the team is refused' PUT $PO/teams/$TEAM_P/members padm '{"memberships":{"'$U_pcre'":{"role":"owner"}}}' 400 ''
t 'an admin adds an unknown address to a team' PUT $PO/teams/$TEAM_P/members padm '{"add":["by.team@example.net"]}' 204 ''
t 'an address added to a team becomes a guest' GET "$PO/members?search=by.team" padm '' 200 '.count == 1 and .items[0].role == null and .items[0].teams == 1'
t 'unknown addresses are removed without an error' PUT $PO/teams/$TEAM_P/members padm '{"remove":["nobody@example.net","x"]}' 204 ''
t 'a stranger cannot be added to a team' PUT $PO/teams/$TEAM_P/members/$U_pout padm '{}' 404 ''
t 'teams of a member are listed with the role' GET $PO/members/$U_pred/teams pcre '' 200 \
	'.count == 1 and .items[0].team.id == "'$TEAM_P'" and .items[0].member == {role: "owner"}'
t 'teams of a member are filtered by title' GET "$PO/members/$U_pred/teams?title=zz" pcre '' 200 '.count == 0'
t 'a team gets a title beyond ASCII' PATCH $PO/teams/$TEAM_P padm '{"title":"Équipe ΣΟΦΊΑΣ"}' 200 ''
for text in %C3%A9quipe EQUIPE %CF%83%CE%BF%CF%86%CE%AF%CE%B1%CF%82 %CF%83%CE%BF%CF%86%CE%B9%CE%B1%CF%83; do
	t "teams are found by $text" GET "$PO/teams?title=$text" padm '' 200 '[.items[].id] == ["'$TEAM_P'"] and .count == 1'
	t "teams of a member are found by $text" GET "$PO/members/$U_pred/teams?title=$text" pcre '' 200 '.count == 1'
done
t 'the team gets its title again' PATCH $PO/teams/$TEAM_P padm '{"title":"Authors"}' 200 ''
# By case-folded title in code points, equal ones by id, independent of accents and language.
order=
for title in bravo Charlie ALPHA alpha Zulu Éclair éclair ßa ssb Ω '[x'; do
	t "a team is created: $title" PUT $PO/teams padm '{"title":"'"$title"'"}' 201 ''
	order="$order $(jq -r .id "$out")"
done
t 'teams are listed by case-folded title' GET "$PO/teams?limit=1000" padm '' 200 '[.items[].title | select(. != "Authors" and . != "Editors")]
	| (.[1:3] | sort) == ["ALPHA", "alpha"] and (.[8:10] | sort) == ["Éclair", "éclair"] and [.[0, 3, 4, 5, 6, 7, 10]] == ["[x", "bravo",
		"Charlie", "ßa", "ssb", "Zulu", "Ω"]'
same 'teams of one title are listed by id' true "$(jq '[.items[] | select(.title | ascii_downcase == "alpha").id] | . == sort' "$out")"
whole=$(jq -r '.items[].id' "$out") pages= next=
while :; do
	get "$PO/teams?limit=2${next:+&page=$next}" padm
	pages="$pages $(jq -r '.items[].id' "$out")" next=$(jq -r '.next.page // empty' "$out")
	[ -n "$next" ] || break
done
same 'pages of teams are in the order of the list' "$(echo $whole)" "$(echo $pages)"
for id in $order; do send DELETE $PO/teams/$id padm ''; done
t 'teams of a stranger answer 404' GET $PO/members/$U_pout/teams pcre '' 404 ''
t 'a guest becomes the owner of a team' PUT $PO/teams/$TEAM_P/members/$U_pgst padm '{"role":"owner"}' 204 ''
t 'a guest reads a team that they own' GET $PO/teams/$TEAM_P pgst '' 200 '.permissions == {admin: true, view: true}'
t 'a guest who owns a team reads its members' GET $PO/teams/$TEAM_P/members pgst '' 200 'all(.items[]; .permissions.view)'
t 'a guest may not read another team' GET $PO/teams/$TEAM_Q pgst '' 403 ''
t 'a guest who owns a team may not list teams' GET $PO/teams pgst '' 403 ''
t 'a guest who owns a team has the permission ownTeam' GET $PO pgst '' 200 '.permissions | [.ownTeam, .listTeams] == [true, false]'
t 'a read token of the guest is created' POST /v1/user/tokens pgst '{"scope":"read"}' 201 ''
jq -r .token "$out" >"$tmp/tokens/preads"
t 'a read token has no permission ownTeam' GET $PO preads '' 200 '.permissions.ownTeam == false'
t 'a read token has no admin permission on a team' GET $PO/teams/$TEAM_P preads '' 200 '.permissions == {admin: false, view: true}'
t 'a read token does not rename a team' PATCH $PO/teams/$TEAM_P preads '{"title":"X"}' 403 ''
rm "$tmp/tokens/preads"
t 'an owner removes a member of the team' DELETE $PO/teams/$TEAM_P/members/$U_pgst pred '' 204 ''
t 'a removed member of a team may be removed again' DELETE $PO/teams/$TEAM_P/members/$U_pgst pred '' 204 ''
t 'the removal from an unknown team answers 204' DELETE $PO/teams/nope/members/$U_pgst pred '' 204 ''
t 'a team of another organization answers 404' GET /v1/orgs/$ORG/teams/$TEAM_P admin '' 404 ''

# Links.
t 'an invite link is created' POST $PO/link-invites padm '{"role":"comment"}' 201 '.object == "invite" and .role == "comment" and .redundant'
LINK=$(jq -r .id "$out")
t 'an invite link is created with an idempotency key' POST $PO/link-invites padm '{"role":"read"}' 201 '' 'Idempotency-Key: people'
LINK_KEY=$(jq -r .id "$out")
t 'the same idempotency key gives the same link' POST $PO/link-invites padm '{"role":"read"}' 201 '.id == "'$LINK_KEY'"' 'Idempotency-Key: people'
t 'an idempotency key with another body is refused' POST $PO/link-invites padm '{"role":"edit"}' 409 '' 'Idempotency-Key: people'
t 'the link with the key is deleted' DELETE $PO/link-invites/$LINK_KEY padm '' 204 ''
t 'a stranger who knows a link reads it' GET $PO/link-invites/$LINK pout '' 200 '.redundant == false'
t 'a link answers 404 under another organization' GET /v1/orgs/$ORG/link-invites/$LINK pout '' 404 ''
# A copy of the database does not reveal how to join: it contains a fingerprint, which is in the audit record as well.
finger=$(printf %s "$LINK" | b2sum -l 256 | cut -c1-24)
same 'a link is stored by its fingerprint and sealed' "1 0" \
	"$(sql "SELECT count(*) FILTER (WHERE id = '$finger') || ' ' || count(*) FILTER (WHERE id = '$LINK' OR instr(sealed, '$LINK') > 0) FROM link_invite")"
t 'the fingerprint of a link answers 404' GET $PO/link-invites/$finger pout '' 404 ''
t 'the fingerprint of a link lets nobody join' POST $PO/invites/$finger pout '' 404 ''
t 'an admin changes a link by its fingerprint' PATCH $PO/link-invites/$finger padm '{"role":"comment"}' 200 '.id == "'$LINK'" and .role == "comment"'
t 'an unknown link answers 404' POST $PO/invites/nope pout '' 404 ''
t 'a stranger joins by a link' POST $PO/invites/$LINK pout '' 200 '. == {}'
t 'who joined has the role of the link' GET $PO/members/$U_pout padm '' 200 '.role == "comment"'
t 'a member follows a link of a higher role' POST $PO/invites/$LINK pred '' 200 ''
t 'a link raises the role of a member' GET $PO/members/$U_pred padm '' 200 '.role == "comment"'
t 'an admin follows a link of a lower role' POST $PO/invites/$LINK padm '' 200 ''
t 'a link never lowers a role' GET $PO/members/$U_padm padm '' 200 '.role == "admin"'
t 'a link to a space with the level admin is created' POST /v1/orgs/$ORG/link-invites admin '{"space":"'$SPACE'","level":"admin"}' 201 ''
more=$(jq -r .id "$out")
t 'a link above the own level is not listed' GET "/v1/orgs/$ORG/link-invites?space=$SPACE" create '' 200 '.items == [] and .count == 0'
t 'a link within the own level is listed' GET "/v1/orgs/$ORG/link-invites?space=$SPACE" admin '' 200 '[.items[].id] == ["'$more'"]'
t 'the link to the space is deleted' DELETE /v1/orgs/$ORG/link-invites/$more admin '' 204 ''
t 'an admin lists links' GET $PO/link-invites padm '' 200 '.count == 1 and .items[0].id == "'$LINK'"'
t 'a creator may not list links' GET $PO/link-invites pcre '' 403 ''
t 'the role of a link is changed' PATCH $PO/link-invites/$LINK padm '{"role":null}' 200 '.role == null'
t 'a link to the organization has no level' PATCH $PO/link-invites/$LINK padm '{"level":"read"}' 400 '.fields[0].path == "/level"'
t 'role and level of a link together are refused' PATCH $PO/link-invites/$LINK padm '{"role":"read","level":"read"}' 400 '.fields[0].path == "/level"'
t 'a level without a space or collection is refused' POST $PO/link-invites padm '{"level":"read"}' 400 \
	'.fields[0].path == "/level" and (.error.message | test("space or a collection"))'
t 'a link without a role is refused' POST $PO/link-invites padm '{}' 400 '.fields[0].path == "/role"'
t 'a creator creates no link to the organization' POST $PO/link-invites pcre '{"role":"read"}' 403 ''
t 'links are switched off' PATCH $PO padm '{"inviteLinks":false}' 200 '.inviteLinks == false'
t 'links that are switched off are not listed' GET "$PO/link-invites?limit=5" padm '' 200 '.items == [] and .count == 0'
t 'no link is created while they are switched off' POST $PO/link-invites padm '{"role":"read"}' 403 ''
t 'a link answers 404 while they are switched off' POST $PO/invites/$LINK stranger '' 404 ''
t 'links are switched on' PATCH $PO padm '{"inviteLinks":true}' 200 ''
"$octavo" member disable --dir "$dir" --org "$PORG" --user pout@example.com >/dev/null
t 'a disabled member does not join by a link' POST $PO/invites/$LINK pout '' 404 ''
t 'a link is deleted' DELETE $PO/link-invites/$LINK padm '' 204 ''
t 'a deleted link may be deleted again' DELETE $PO/link-invites/$LINK padm '' 204 ''
t 'a deleted link answers 404' POST $PO/invites/$LINK stranger '' 404 ''

# Domains, hostnames, settings.
t 'settings of an organization are changed' PATCH $PO padm '{"title":"Folk","emailDomains":["Example.COM","example.com","b.example"],
	"hostname":"folk-docs","defaultRole":"comment","ai":true,"logo":"https://example.com/l.png"}' 200 \
	'.title == "Folk" and .emailDomains == ["example.com", "b.example"] and .hostname == "folk-docs" and .defaultRole == "comment" and .ai
		and .urls.logo == "https://example.com/l.png"'
t 'a creator changes no settings' PATCH $PO pcre '{"title":"Mine"}' 403 ''
t 'a hostname that is taken is refused' PATCH /v1/orgs/$ORG admin '{"hostname":"folk-docs"}' 409 ''
t 'a hostname with a hyphen at its start is refused' PATCH $PO padm '{"hostname":"-folk"}' 400 \
	'.fields == [{path: "/hostname", message: "must be of small letters, digits and, not at an end, hyphens"}]'
t 'the own hostname may be set again' PATCH $PO padm '{"hostname":"folk-docs"}' 200 ''
t 'a guest reads the subdomain of their organization' GET /v1/subdomains/folk-docs pgst '' 200 \
	'. == {object: "subdomain", subdomain: "folk-docs", target: {type: "organization", organization: "'$PORG'"}, isActive: true}'
t 'the subdomain of another organization answers 404' GET /v1/subdomains/folk-docs other '' 404 ''
t 'merge rules of an organization are set' PATCH $PO padm '{"mergeRules":{"type":"rules","rules":[{"rule":"require_specific_reviewers",
	"users":["'$U_pcre'"]},{"rule":"require_at_least_one_review"}]}}' 200 '.mergeRules.rules | length == 2'
t 'merge rules that name a stranger answer 404' PATCH $PO padm '{"mergeRules":{"type":"rules","rules":[{"rule":"allow_bypass",
	"users":["'$U_other'"]}]}}' 404 ''
t 'a custom rule that does not parse is refused' PATCH $PO padm '{"mergeRules":{"type":"rules","rules":[{"rule":"custom",
	"expression":"reviews.length >"}]}}' 400 '.fields == [{path: "/mergeRules/rules/0/expression",
	message: "is no expression: unexpected end at character 17"}]'
t 'a custom rule is set' PATCH $PO padm '{"mergeRules":{"type":"rules","rules":[{"rule":"custom","expression":"reviews.length > 0"}]}}' 200 \
	'.mergeRules.rules == [{rule: "custom", expression: "reviews.length > 0"}]'
t 'an unknown site as default content answers 404' PATCH $PO padm '{"defaultContent":{"type":"site","site":"nope"}}' 404 ''
t 'default content is removed' PATCH $PO padm '{"defaultContent":null}' 200 'has("defaultContent") | not'
t 'merge rules are removed' PATCH $PO padm '{"mergeRules":{"type":"none"}}' 200 '.mergeRules == {type: "none"}'
t 'an organization cannot inherit merge rules' PATCH $PO padm '{"mergeRules":{"type":"inherit"}}' 400 ''
for path in o orgs; do
	t "a user finds the organization of their domain: $path" GET /v1/email-domains/EXAMPLE.com/$path stranger '' 200 \
		'[.organizations[] | select(.id == "'$PORG'").permissions.view] == [false]'
	t "a domain without a token answers 401: $path" GET /v1/email-domains/example.com/$path - '' 401 ''
	t "a domain of others finds no organization: $path" GET /v1/email-domains/b.example/$path stranger '' 200 '.organizations == []'
done
t 'a user joins by their domain' POST $PO/join stranger '' 204 ''
t 'who joined by a domain has the default role' GET $PO/members/$U_stranger padm '' 200 '.role == "comment"'
t 'a member may join again' POST $PO/join stranger '' 204 ''
t 'a disabled member does not join by a domain' POST $PO/join pout '' 404 ''
t 'a user of another domain gets 404' POST /v1/orgs/$ORG/join stranger '' 404 ''
t 'an unknown organization cannot be joined' POST /v1/orgs/nope/join stranger '' 404 ''
t 'a member is removed' DELETE $PO/members/$U_stranger padm '' 204 ''
t 'a removed member gets 404' GET $PO stranger '' 404 ''
t 'a removed member may be removed again' DELETE $PO/members/$U_stranger padm '' 204 ''
t 'a removal from an unknown organization answers 404' DELETE /v1/orgs/nope/members/$U_stranger padm '' 404 ''
t 'the domains of the organization are removed' PATCH $PO padm '{"emailDomains":[]}' 200 '.emailDomains == []'
t 'without domains nobody joins' POST $PO/join stranger '' 404 ''

# Instructions.
t 'instructions are empty at first' GET $PO/agent-instructions pred '' 200 \
	'.object == "agent-instructions" and .instructions.nodes == [] and .updatedBy == "'$U_padm'"'
t 'an admin sets instructions' PUT $PO/agent-instructions padm '{"instructions":{"object":"document","data":{"schemaVersion":1},
	"nodes":[{"object":"block","type":"paragraph","nodes":[]}]}}' 200 '.instructions.nodes[0].type == "paragraph"'
t 'a creator sets no instructions' PUT $PO/agent-instructions pcre '{"instructions":{"object":"document","data":{},"nodes":[]}}' 403 ''
t 'a guest may not read instructions' GET $PO/agent-instructions pgst '' 403 ''

# The user's own account.
t 'a user changes name and picture' PATCH /v1/users/$U_pgst pgst '{"displayName":"Gästin","photoURL":"https://example.com/g.png"}' 200 \
	'.displayName == "Gästin" and .photoURL == "https://example.com/g.png" and .email == "pgst@example.com"'
t 'a name may have letters of any script' PATCH /v1/users/$U_pcre pcre '{"displayName":"Łucja ÜBER Ωmega Жук"}' 200 ''
for text in g%C3%A4stin G%C3%84STIN gastin; do
	t "a name is found without its accent: $text" GET "$PO/members?search=$text" padm '' 200 '[.items[].id] == ["'$U_pgst'"] and .count == 1'
done
for text in %C3%BCber uber %CF%89MEGA %CE%A9mega %D0%B6%D1%83%D0%BA %D0%96%D0%A3%D0%9A %C5%82ucja lucja %EF%BC%AC%EF%BD%95%EF%BD%83%EF%BD%8A%EF%BD%81; do
	t "a name is found in any case and width: $text" GET "$PO/members?search=$text" padm '' 200 '[.items[].id] == ["'$U_pcre'"] and .count == 1'
done
t 'a user does not change their address' PATCH /v1/users/$U_pgst pgst '{"email":"x@example.com"}' 400 ''
t 'a picture is removed' PATCH /v1/users/$U_pgst pgst '{"photoURL":""}' 200 'has("photoURL") | not'
t 'a user sets the address of their commits' PATCH /v1/users/$U_pgst pgst '{"commitEmail":"Pgst@example.com"}' 200 '.commitEmail == "pgst@example.com"'
t 'a user reads the address of their commits' GET /v1/user pgst '' 200 '.commitEmail == "pgst@example.com"'
t 'the address of commits is hidden from others' GET /v1/users/$U_pgst padm '' 200 'has("commitEmail") | not'
t 'the address of another user is refused for commits' PATCH /v1/users/$U_pgst pgst '{"commitEmail":"admin@example.com"}' 400 \
	'.fields[0].path == "/commitEmail"'
t 'a text that is no address is refused for commits' PATCH /v1/users/$U_pgst pgst '{"commitEmail":"nobody"}' 400 '.fields[0].path == "/commitEmail"'
t 'the address of commits is removed' PATCH /v1/users/$U_pgst pgst '{"commitEmail":""}' 200 'has("commitEmail") | not'
t 'a picture of a javascript: address is refused' PATCH /v1/users/$U_pgst pgst '{"photoURL":"javascript:alert(1)"}' 400 '.fields[0].path == "/photoURL"'
t 'a change that names nothing is refused' PATCH /v1/users/$U_pgst pgst '{}' 400 ''
t 'a user does not change another member' PATCH /v1/users/$U_padm pgst '{"displayName":"X"}' 403 ''
t 'a user gets 404 for a stranger' PATCH /v1/users/$U_other pgst '{"displayName":"X"}' 404 ''

# Tokens.
t 'a token is created and shown once' POST /v1/user/tokens pgst '{"label":"ci","scope":"read"}' 201 \
	'(.token | startswith("oct_")) and .scope == "read" and .label == "ci"'
jq -r .token "$out" >"$tmp/tokens/made"
TOKEN_MADE=$(jq -r .id "$out")
t 'a created token works' GET /v1/user made '' 200 '.id == "'$U_pgst'"'
t 'a token is read without its text' GET /v1/user/tokens/$TOKEN_MADE pgst '' 200 '.id == "'$TOKEN_MADE'" and .label == "ci" and (has("token") | not)'
t 'the token of another user answers 404' GET /v1/user/tokens/$TOKEN_MADE padm '' 404 ''
t 'a read token creates no token' POST /v1/user/tokens made '{}' 403 ''
t 'tokens are listed without their text' GET /v1/user/tokens pgst '' 200 '.count == 3 and .items[0].id == "'$TOKEN_MADE'" and (.items[0] | has("token") | not)'
t 'a token of a wider scope is refused' POST /v1/user/tokens writeonly '{"scope":"admin"}' 403 ''
t 'an end in the past is refused' POST /v1/user/tokens pgst '{"expiresAt":"2020-01-01T00:00:00Z"}' 400 '.fields[0].path == "/expiresAt"'
t 'the deletion of the token of another user answers 204' DELETE /v1/user/tokens/$TOKEN_MADE padm '' 204 ''
t 'the token of another user still works' GET /v1/user made '' 200 ''
t 'a token is revoked' DELETE /v1/user/tokens/$TOKEN_MADE pgst '' 204 ''
t 'a revoked token answers 401' GET /v1/user made '' 401 ''
rm "$tmp/tokens/made"

# Sign-in settings.
t 'a SAML provider is created as pending' POST $PO/saml padm '{"label":"Okta","defaultTeam":"'$TEAM_P'","defaultRole":"read"}' 201 \
	'.status == "pending" and .ssoURL == "" and .entityID == "" and .certificate == "" and .defaultTeam.id == "'$TEAM_P'" and .defaultRole == "read"
	and (.service | keys) == ["acsURL", "entityID", "startURL"]'
SAML=$(jq -r .id "$out")
same 'a created provider is named in Location' "$base$PO/saml/$SAML" "$(header location)"
t 'a pending provider is not offered' GET $PO/sso pgst '' 200 '.items == []'
# A certificate must be valid: PEM, or its base64 alone, as identity providers show it.
openssl req -x509 -newkey rsa:2048 -keyout "$tmp/idp.key" -out "$tmp/idp.pem" -days 9 -nodes -subj /CN=idp 2>/dev/null
pem=$(jq -Rs . "$tmp/idp.pem") bare=$(grep -v -- ----- "$tmp/idp.pem" | tr -d '\n')
for text in '"c"' '"-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----"' "$(jq -Rs . "$tmp/idp.key")" \
	"$(cat "$tmp/idp.key" "$tmp/idp.pem" | jq -Rs .)" \
	"$(cat "$tmp/idp.pem" "$tmp/idp.pem" "$tmp/idp.pem" | jq -Rs .)" "$(head -n 4 "$tmp/idp.pem" | jq -Rs .)" "\"$(echo "$bare" | cut -c1-200)\"" \
	"$(openssl x509 -in "$tmp/idp.pem" -noout -pubkey | jq -Rs .)" \
		"$(openssl x509 -in "$tmp/idp.pem" -noout -pubkey | sed 's/PUBLIC KEY/CERTIFICATE/' | jq -Rs .)" \
	"$(sed 's/M/%/' "$tmp/idp.pem" | jq -Rs .)" "\"$({ echo "$bare" | base64 -d; printf xyz; } | base64 -w0)\"" '"https://idp.example.com/cert.pem"' '"   "'; do
	t "a text that is no certificate is refused: $(echo "$text" | cut -c1-40)" PATCH $PO/saml/$SAML padm \
		'{"certificate":'"$text"'}' 400 '.fields[0].path == "/certificate"'
done
t 'a new provider with a faulty certificate is refused' POST $PO/saml padm '{"label":"X","certificate":"c"}' 400 '.fields[0].path == "/certificate"'
t 'refused certificates are not kept' GET $PO/saml padm '' 200 '.count == 1 and .items[0].certificate == ""'
t 'a certificate is accepted as base64 alone' PATCH $PO/saml/$SAML padm '{"certificate":"'"$bare"'"}' 200 '.certificate == "'"$bare"'"'
openssl req -x509 -newkey rsa:2048 -keyout "$tmp/idp.key" -out "$tmp/rsa.pem" -days 40000 -nodes -subj '/C=DE/O=Ä/CN=rsa' 2>/dev/null
t 'a certificate of many years is accepted' PATCH $PO/saml/$SAML padm '{"certificate":'"$(jq -Rs . "$tmp/rsa.pem")"'}' 200 ''
t 'a certificate is removed' PATCH $PO/saml/$SAML padm '{"certificate":""}' 200 '.certificate == ""'
t 'a provider without its address is pending' PATCH $PO/saml/$SAML padm '{"entityID":"e","certificate":'"$pem"'}' 200 '.status == "pending"'
t 'a provider with all three settings is active' PATCH $PO/saml/$SAML padm '{"ssoURL":"https://idp.example.com/sso","defaultRole":null}' 200 \
	'.status == "active" and .defaultRole == null'
t 'an active provider is offered' GET $PO/sso pgst '' 200 '[.items[] | [.id, .label]] == [["'$SAML'", "Okta"]] and (.items[0].startURL
	| startswith("'$base'/"))'
t 'a provider loses its address' PATCH $PO/saml/$SAML padm '{"ssoURL":""}' 200 '.status == "pending" and .ssoURL == ""'
t 'a provider without its address is not offered' GET $PO/sso pgst '' 200 '.items == []'
t 'an address without a scheme is refused' PATCH $PO/saml/$SAML padm '{"ssoURL":"idp.example.com"}' 400 '.fields[0].path == "/ssoURL"'
t 'an admin lists providers' GET $PO/saml padm '' 200 '.count == 1 and .items[0].id == "'$SAML'"'
t 'an admin reads a provider' GET $PO/saml/$SAML padm '' 200 '.label == "Okta"'
t 'a provider answers 404 under another organization' GET /v1/orgs/$ORG/saml/$SAML admin '' 404 ''
t 'a team of another organization is refused as default' PATCH $PO/saml/$SAML padm '{"defaultTeam":"'$TEAM_B'"}' 404 ''
t 'a label of 31 characters is refused' POST $PO/saml padm '{"label":"1234567890123456789012345678901"}' 400 ''
t 'a creator may not list providers' GET $PO/saml pcre '' 403 ''
t 'the default team is deleted' DELETE $PO/teams/$TEAM_P padm '' 204 ''
t 'a deleted team is no default team' GET $PO/saml/$SAML padm '' 200 'has("defaultTeam") | not'
t 'owners of a deleted team lose the permission ownTeam' GET $PO pred '' 200 '.permissions.ownTeam == false'
t 'a provider is deleted' DELETE $PO/saml/$SAML padm '' 204 ''
t 'a deleted provider may be deleted again' DELETE $PO/saml/$SAML padm '' 204 ''
t 'a deleted team may be deleted again' DELETE $PO/teams/$TEAM_P padm '' 204 ''
t 'the second team is deleted' DELETE $PO/teams/$TEAM_Q padm '' 204 ''

# The audit record of all that.
t 'the actions of the audit log are listed' GET $PO/audit-event-actions padm '' 200 \
	'.items | map(.id) | (index("member.added") != null and index("token.created") != null)'
t 'audit events are listed newest first' GET "$PO/audit-events?limit=5" padm '' 200 \
	'(.items | length) == 5 and .count > 40 and .items[0].action == "team.deleted" and .items[0].actor == {type: "user", id: "'$U_padm'",
	label: "padm"} and .items[0].source == "api"'
t 'the next page of audit events goes on' GET "$PO/audit-events?limit=5&page=$(jq -r .next.page "$out")" padm '' 200 '(.items | length) == 5'
t 'an organization does not see tokens of invited users' GET "$PO/audit-events?action=token.created" padm '' 200 '.count == 0'
t 'the founder creates a token' POST /v1/user/tokens padm '{"label":"ci","scope":"read"}' 201 ''
TOKEN_OWN=$(jq -r .id "$out")
t 'an organization sees tokens of its founder' GET "$PO/audit-events?action=token.created" padm '' 200 \
	'.count == 1 and .items[0].target.id == "'$TOKEN_OWN'" and .items[0].actor.id == "'$U_padm'"'
event=$(jq -r '.items[0].id' "$out")
t 'an audit event has its payload' GET $PO/audit-events/$event padm '' 200 \
	'.schemaVersion == 1 and .payload.after == {user: "'$U_padm'", email: "padm@example.com", label: "ci", scope: "read", expiresAt: null}
	and (.executionId | length) > 0'
t 'an audit event answers 404 under another organization' GET /v1/orgs/$ORG/audit-events/$event admin '' 404 ''
t 'audit events are filtered by actor and target' GET "$PO/audit-events?actor=$U_pcre&target=$U_padm" padm '' 200 \
	'.count == 1 and .items[0].action == "member.updated"'
t 'an audit event has the values before and after' GET "$PO/audit-events/$(jq -r '.items[0].id' "$out")" padm '' 200 \
	'.payload.before == {role: "create"} and .payload.after == {role: "admin"}'
t 'audit events are filtered by time' GET "$PO/audit-events?to=2020-01-01T00:00:00Z" padm '' 200 '.count == 0'
t 'a creator may not list audit events' GET $PO/audit-events pcre '' 403 ''
sql "SELECT count(*) FROM audit_event WHERE instr(COALESCE(before, '') || COALESCE(after, '') || target, '$LINK') > 0" >"$tmp/leak"
same 'no audit event holds the text of a link' 0 "$(cat "$tmp/leak")"
