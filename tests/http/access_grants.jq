# S4: nobody can give a role above their own. Every way to give a role x the giver x the role given;
# the same for tokens, by scope.
include "operations";
include "access";

def roles: [null, "read", "comment", "edit", "review", "create", "admin"];
def givers: callers | select(.who | IN("review", "create", "admin", "writeonly", "guest_create", "team_admin", "coll_team", "narrowed", "owner"));

# [operation, where the giver's role counts, body with "{role}" in it, other requirements of the body, other ids]
def ways:
	(("space", "collection") as $on | { space: "Space", collection: "Collection" }[$on] as $name
		| ["inviteTo\($name)", $on, { role: "{role}", users: ["{user_read}"] }],
		  ["inviteTo\($name)", $on, { role: "{role}", teams: ["{quietTeamId}"] }],
		  ["updateUserPermissionIn\($name)", $on, { role: "{role}" }],
		  ["updateTeamPermissionIn\($name)", $on, { role: "{role}" }],
		  ["update\($name)ById", $on, { defaultLevel: "{role}" }],
		  ["createOrganizationInvite", $on, { level: "{role}", ($on): "{\($on)Id}" }, [[$on, 5]]],
		  ["updateOrganizationInviteById", $on, { level: "{role}" }, [[$on, 5, "known"]], { inviteId: "{\($on)InviteId}" }]),
	["createOrganizationInvite", "org", { role: "{role}" }, admin_here],
	["updateOrganizationInviteById", "org", { role: "{role}" }, admin_here],
	["inviteUsersToOrganization", "org", { emails: ["new@example.net"], role: "{role}" }],
	["inviteUsersToOrganization", "org", { emails: [{ email: "new@example.net", role: "{role}" }] }],
	["updateMemberInOrganizationById", "org", { role: "{role}" }],
	["updateOrganizationById", "org", { defaultRole: "{role}" }],
	["createOrganizationSAMLProvider", "org", { label: "New", defaultRole: "{role}" }],
	["createOrganizationOIDCProvider", "org", { label: "New", defaultRole: "{role}" }],
	["updateOrganizationOIDCProvider", "org", { defaultRole: "{role}" }],
	["updateOrganizationSAMLProvider", "org", { defaultRole: "{role}" }];

def given($body; $role): $body | walk(if . == "{role}" then $role else . end);

def role_gifts($d): [$d | operations] as $all | ways as [$op, $on, $body, $needs, $ids]
	| first($all[] | select(.id == $op)) as $o | range(7) as $n
	| { body: given($body; roles[$n]), needs: ($needs // []), ids: ($ids // {}) } as $v
	| givers | (expected($o; $v) // (if has_role($on; $n) then null else 403 end)) as $no
	| call($d; $main[0]; $o; $v) | .name += ": \($body | tojson) as \(roles[$n])" | answering($o; $no);

def token_gifts($d): first($d | operations | select(.id == "createUserToken")) as $o
	| ("read", "write", "admin") as $scope | { body: { scope: $scope } } as $v
	| callers | select(.who | IN("admin", "writeonly", "readonly", "guest"))
	| (expected($o; $v) // (if { read: 1, write: 5, admin: 6 }[$scope] <= .cap then null else 403 end)) as $no
	| call($d; $main[0]; $o; $v) | .name += ": \($scope)" | answering($o; $no);

. as $d | [role_gifts($d), token_gifts($d)]
