# Roles on a site: grants to users and teams, and the level of the site.
GO=/v1/orgs/$ORG
grant_space=$(space_empty 'Granted')
t 'a site for grants is created' POST $GO/sites admin '{"title":"Granted","spaces":["'$grant_space'"]}' 201 \
	'.defaultLevel == "inherit" and .appliedType == .type and .urls.preview == .urls.location + "/publishing/preview"
	and .permissions == {view: true, access: true, edit: true, create: true, admin: true, installIntegration: false,
	viewAdaptiveSchema: true, editAdaptiveSchema: true}'
grant_site=$(jq -r .id "$out") G=$GO/sites/$(jq -r .id "$out")
t 'a team for grants is made' PUT $GO/teams admin '{"title":"Site team","members":["'$U_comment'"]}' 201 ''
grant_team=$(jq -r .id "$out")
grants_of() { t "$1" GET $G/permissions/$2 admin '' 200 "$3"; }

grants_of 'a site has no grants at first' users '.items == [] and .count == 0'
t 'without a grant a member finds no site' GET $G read '' 404 ''
t 'a grant gives a user a role' POST $G/permissions admin '{"role":"read","users":["'$U_read'"]}' 204 ''
grants_of 'the grant is listed' users '[.items[] | [.user.id, .permission]] == [["'$U_read'", "read"]]'
t 'who has read sees the site with its settings' GET $G read '' 200 \
	'.permissions.view and .permissions.access and (.permissions.admin | not) and .published == false'
t 'who has read sees the customization' GET $G/customization read '' 200 ''
t 'who has read sees no space that they may not read' GET $G/site-spaces read '' 200 '.count == 1'
t 'who has read lists the sites with a role' GET $GO/sites read '' 200 '[.items[].id] == ["'$grant_site'"] and .count == 1'
t 'who has read changes nothing' PATCH $G read '{"title":"Mine"}' 403 '.error.message | contains("site")'
t 'who has read does not see who has a role' GET $G/permissions/aggregate read '' 403 ''
t 'who has read sees no grants' GET $G/permissions/users read '' 403 ''
t 'a role is replaced' PATCH $G/permissions/users/$U_read admin '{"role":"create"}' 204 ''
t 'who has create changes the site' PATCH $G read '{"title":"Theirs"}' 200 '.title == "Theirs" and .permissions.admin'
t 'nobody gives more than their own role' POST $G/permissions read '{"role":"admin","users":["'$U_edit'"]}' 403 ''
t 'nobody sets a level above their own role' PATCH $G read '{"defaultLevel":"admin"}' 403 ''
t 'who has create gives roles' POST $G/permissions read '{"role":"edit","teams":["'$grant_team'"]}' 204 ''
grants_of 'the grant of the team is listed' teams '[.items[] | [.team.id, .permission]] == [["'$grant_team'", "edit"]]'
t 'a member of the team sees the site' GET $G comment '' 200 '.permissions.access and (.permissions.create | not)'
t 'a guest of the organization may be granted' POST $G/permissions admin '{"role":"read","users":["'$U_guest'"]}' 204 ''
t 'a guest sees the site' GET $G guest '' 200 ''
grants_of 'the aggregate tells where each role is from' aggregate '[.items[] | select(.user.id == "'$U_read'")][0] as $r |
	[.items[] | select(.user.id == "'$U_comment'")][0] as $c | [.items[] | select(.user.id == "'$U_admin'")][0] as $a |
	$r.permission == "create" and $r.origin == {type: "site", site: "'$grant_site'", reason: "member"} and $c.permission == "edit"
	and $c.origin.reason == "team" and $c.origin.team == "'$grant_team'" and $a.origin == {type: "organization", organization: "'$ORG'"}
	and all(.items[]; .disabled == false)'
grants_of 'the aggregate is filtered by role' 'aggregate?role=create' 'all(.items[]; .permission == "create") and .count == (.items | length)'
t 'a member tells on how many sites they have a role' GET $GO/members/$U_read admin '' 200 '.sites == 1'
t 'the level of the site gives a role to everybody' PATCH $G admin '{"defaultLevel":"comment"}' 200 '.defaultLevel == "comment"'
t 'everybody sees the site' GET $G edit '' 200 '.permissions.access'
grants_of 'the aggregate names the level' aggregate '[.items[] | select(.user.id == "'$U_edit'")][0].origin.reason == "default"'
t 'the level goes before the role in the organization' PATCH $G create '{"title":"No"}' 403 ''
t 'a level of null shuts those without a grant out' PATCH $G admin '{"defaultLevel":null}' 200 '.defaultLevel == null'
t 'who has create in the organization finds no site then' GET $G create '' 404 ''
t 'nor lists it' GET $GO/sites create '' 200 'all(.items[]; .id != "'$grant_site'")'
t 'an admin of the organization stays admin' GET $G admin '' 200 '.permissions.admin'
t 'the level inherits again' PATCH $G admin '{"defaultLevel":"inherit"}' 200 ''
t 'a grant of an unknown user is refused' POST $G/permissions admin '{"role":"read","users":["noSuchThing00000000000"]}' 404 ''
t 'a grant of a stranger is refused' POST $G/permissions admin '{"role":"read","users":["'$U_stranger'"]}' 404 ''
t 'a grant to nobody is refused' POST $G/permissions admin '{"role":"read"}' 400 ''
t 'a role that does not exist is refused' POST $G/permissions admin '{"role":"boss","users":["'$U_read'"]}' 400 ''
t 'an unknown grant is not changed' PATCH $G/permissions/users/$U_edit admin '{"role":"read"}' 404 ''
t 'a grant ends' DELETE $G/permissions/users/$U_read admin '' 204 ''
t 'a grant that has ended answers 204' DELETE $G/permissions/users/$U_read admin '' 204 ''
t 'who had the grant finds no site' GET $G read '' 404 ''
t 'who had the grant lists no sites' GET $GO/sites read '' 403 ''
t 'a role of null ends the grant of a team' PATCH $G/permissions/teams/$grant_team admin '{"role":null}' 204 ''
grants_of 'no grant of a team is left' teams '.items == []'
t 'a grant of a team ends twice' DELETE $G/permissions/teams/$grant_team admin '' 204 ''
t 'grants are recorded' GET "$GO/audit-events?action=site.permission.updated" admin '' 200 '.items | length >= 5'
t 'the site goes with its grants' DELETE $G admin '' 204 ''
t 'the team for grants goes' DELETE $GO/teams/$grant_team admin '' 204 ''
