# Compares flags with what they promise. $what "look": reads every object with `permissions`, as
# every caller who may. $what "try": for each flag in these responses ($told: an array of { who,
# kind, flags }) calls the operations that it names: they must succeed if it is true, and answer 403
# if it is false.
include "operations";
include "access";

# ---- the objects: the operation that reads each, and ids other than those of `main`; item: that of
# {userId} in a list ----

def objects: {
	organization: { get: "getOrganizationById", schema: "OrganizationPermissions" },
	space: { get: "getSpaceById", schema: "SpacePermissions" },
	"locked space": { get: "getSpaceById", schema: "SpacePermissions", ids: { spaceId: "{lockedSpaceId}", changeRequestId: "{lockedRequestId}" } },
	"deleted space": { get: "getSpaceById", schema: "SpacePermissions", ids: { spaceId: "{deletedSpaceId}" } },
	collection: { get: "getCollectionById", schema: "CollectionPermissions" },
	site: { get: "getSiteById", schema: "SitePermissions" },
	team: { get: "getTeamInOrganizationById", schema: "TeamPermissions" },
	"team member": { get: "listTeamMembersInOrganizationById", item: true, schema: "TeamMemberPermissions" },
	"OpenAPI specification": { get: "getOpenAPISpecBySlug", schema: "OpenAPISpecPermissions" },
	font: { get: "getCustomFont", schema: "FontPermissions" },
	translation: { get: "getTranslation", schema: "TranslationPermissions" },
	comment: { get: "getCommentInSpace", schema: "CommentPermissions" },
	reply: { get: "getCommentReplyInSpace", schema: "CommentPermissions" },
	"comment in a request": { get: "getCommentInChangeRequest", schema: "CommentPermissions" },
	"reply in a request": { get: "getCommentReplyInChangeRequest", schema: "CommentPermissions" } };

# ---- operations of access.jq that each flag names, with the name of a variant other than the first ----

def remark_deeds($in): { view: ["getComment\($in)"], edit: ["updateComment\($in)"], delete: ["deleteComment\($in)"],
	reply: ["postCommentReply\($in | sub("^Reply"; ""))"] };
def space_deeds: {
	view: ["getSpaceById"], access: ["getCurrentRevision", "listPages", "listCommentsInSpace"],
	admin: ["updateSpaceById", "inviteToSpace", "listPermissionsAggregateInSpace", "deleteSpaceById"],
	viewInviteLinks: ["listOrganizationInviteLinks (of a space)", "createOrganizationInvite (to a space)"],
	edit: ["updateChangeRequestContent", "createChangeRequest"], triggerGitSync: ["importGitRepository"],
	comment: ["postCommentInSpace", "postCommentInChangeRequest"], merge: ["mergeChangeRequest"],
	review: ["submitChangeRequestReview"], installIntegration: [] };
def deeds: {
	organization: {
		view: ["getOrganizationById"], access: ["listSpacesInOrganizationById", "searchOrganizationContent"],
		admin: ["updateOrganizationById", "inviteUsersToOrganization", "createOrganizationTeam", "listSAMLProvidersInOrganizationById", "listOrganizationOIDCProviders",
			"listOrganizationAuditEvents"],
		ownTeam: ["updateTeamInOrganizationById"], createContent: ["createSpace", "createCollection"],
		createOpenAPISpec: ["createOpenAPISpec"], ingestConversations: ["ingestConversation"], viewBilling: [],
		listMembers: ["listMembersInOrganizationById"], listTeams: ["listTeamsInOrganizationById"],
		listIntegrations: [], listInstallations: [], installIntegration: [] },
	space: space_deeds,
	# An empty change request changes no content.
	"locked space": (space_deeds | .edit |= .[0:1]),
	"deleted space": space_deeds,
	collection: {
		view: ["getCollectionById", "listSpacesInCollectionById"],
		admin: ["updateCollectionById", "inviteToCollection", "listUserPermissionsInCollection", "deleteCollectionById"],
		viewInviteLinks: ["listOrganizationInviteLinks (of a collection)", "createOrganizationInvite (to a collection)"],
		create: ["createSpace (inside)", "createCollection (inside)"] },
	site: {
		view: ["getSiteById"], access: ["getSiteCustomizationById"], edit: ["addSectionGroupToSite"], create: ["publishSite"],
		admin: ["updateSiteById", "inviteToSite"], installIntegration: [], viewAdaptiveSchema: ["getSiteAdaptiveSchema"],
		editAdaptiveSchema: ["updateSiteAdaptiveSchema"] },
	team: {
		view: ["getTeamInOrganizationById", "listTeamMembersInOrganizationById"],
		admin: ["updateTeamInOrganizationById", "updateMembersInOrganizationTeam", "addMemberToOrganizationTeamById",
			"deleteMemberFromOrganizationTeamById", "removeTeamFromOrganizationById"] },
	# For a member of the team only: a guest who owns it sees nobody as a member of the organization.
	"team member": { view: ["listTeamMembersInOrganizationById"] },
	"OpenAPI specification": { view: ["getOpenAPISpecBySlug", "listOpenAPISpecVersions"],
		edit: ["createOrUpdateOpenAPISpecBySlug", "updateOpenAPISpecBySlug"] },
	font: { edit: ["updateCustomFont"] },
	translation: { view: ["getTranslation"], edit: ["updateTranslation"] },
	comment: remark_deeds("InSpace"), reply: remark_deeds("ReplyInSpace"),
	"comment in a request": remark_deeds("InChangeRequest"), "reply in a request": remark_deeds("ReplyInChangeRequest") };

# Every flag of every object must be listed here; `permissions` of a customization are a setting.
def all_flags($d): [$d.components.schemas | to_entries[] | .value.properties.permissions["$ref"] // empty | ltrimstr("#/components/schemas/")]
	| unique[] | select(. != "AnyObject") | . as $name | ([objects | to_entries[] | select(.value.schema == $name) | .key]) as $kinds
	| if $kinds == [] then error("access_flags.jq has no object with \($name)") else $kinds[] end | . as $kind
	| ($d.components.schemas[$name].properties | keys) - (deeds[$kind] | keys)
	| if . == [] then empty else error("access_flags.jq has no deed for \(join(", ")) of \($kind)") end;

def look($d): [$d | operations] as $all | objects | to_entries[] | .key as $kind | .value as $object
	| first($all[] | select(.id == $object.get)) as $o | { ids: ($object.ids // {}) } as $v
	| callers | select(.org >= 0)
	| call($d; $main[0]; $o; $v) | .name = "\($kind) to \(.who)" | .kind = $kind | .item = ($object.item // false) | .want = [200, 403, 404];

# An exception: admins manage every team, but own only those that they own.
def unsaid($kind; $flag; $told): $kind == "organization" and $flag == "ownTeam" and $told.flags.admin;

# The operation and its variant; nothing if the operation does not exist yet. $all: the operations.
def deed($all): (split(" (")[0]) as $op | (split(" (")[1] // "" | rtrimstr(")")) as $name
	| first($all[] | select(.id == $op)) as $o
	| { o: $o, v: first(variants_of($o)[] | select($name == "" or .name == $name)) };

def attempt($d): [$d | operations] as $all | $told[0][] as $t | $t.kind as $kind
	| $t.flags | to_entries[] | .key as $flag | .value as $says | select(unsaid($kind; $flag; $t) | not)
	| deeds[$kind][$flag] as $deeds
	| if $deeds == [] and $says and $flag != "viewBilling" then { name: "\($kind) to \($t.who): \($flag) names nothing", method: "GET", path: "/v1/", who: "-", want: [0] }
	else $deeds[] | deed($all) as { $o, $v }
		| first(callers | select(.who == $t.who)) | . as $c | call($d; $main[0]; $o; $v + { ids: (objects[$kind].ids // {}) })
		| .name = "\($kind) to \($t.who): \($flag) is \($says), \($o.id)"
		| answering($o; if $says then null elif $kind == "deleted space" then unseen($o)
			# Who reads a site as its visitors do has no role on it, and finds nothing else of it.
			elif $kind == "site" and $c.shown < 1 and ($c.reads != true or $o.method == "GET") then 404 else 403 end)
	end;

. as $d | [all_flags($d), if $what == "look" then look($d) else attempt($d) end]
