# Flags against deeds. $what "look": every object with `permissions`, as every
# caller who may get it. $what "try": each flag of each answer to that ($told: an
# array of { who, kind, flags }), against the operations that it names: true is one
# that succeeds, false one that answers 403.
include "operations";
include "access";

# ---- the objects: how to get them, and ids other than those of `main`; item: that of {userId} in a list ----

def objects: {
	organization: { get: "getOrganizationById", schema: "OrganizationPermissions" },
	space: { get: "getSpaceById", schema: "SpacePermissions" },
	"locked space": { get: "getSpaceById", schema: "SpacePermissions", ids: { spaceId: "{lockedSpaceId}", changeRequestId: "{lockedRequestId}" } },
	"deleted space": { get: "getSpaceById", schema: "SpacePermissions", ids: { spaceId: "{deletedSpaceId}" } },
	collection: { get: "getCollectionById", schema: "CollectionPermissions" },
	team: { get: "getTeamInOrganizationById", schema: "TeamPermissions" },
	"team member": { get: "listTeamMembersInOrganizationById", item: true, schema: "TeamMemberPermissions" },
	comment: { get: "getCommentInSpace", schema: "CommentPermissions" },
	reply: { get: "getCommentReplyInSpace", schema: "CommentPermissions" },
	"comment in a request": { get: "getCommentInChangeRequest", schema: "CommentPermissions" },
	"reply in a request": { get: "getCommentReplyInChangeRequest", schema: "CommentPermissions" } };

# ---- what each flag names: [operation, body?, query?] ----

def words: { body: { markdown: "Words" } };
def page: { changes: [{ operation: "insert_page", title: "New", document: { markdown: "New" } }] };
def repository: { url: "https://git.example.com/docs.git", ref: "refs/heads/main" };
def grant: { role: "read", users: ["{user_read}"] };
def remark_deeds($in): {
	view: [["getComment\($in)"]], edit: [["updateComment\($in)", words]], delete: [["deleteComment\($in)"]],
	reply: [["postCommentReply\($in | sub("^Reply"; ""))", words]] };
def space_deeds: {
	view: [["getSpaceById"]], access: [["getCurrentRevision"], ["listPages"], ["listCommentsInSpace"]],
	admin: [["updateSpaceById", { title: "New" }], ["inviteToSpace", grant], ["listPermissionsAggregateInSpace"], ["deleteSpaceById"]],
	viewInviteLinks: [["listOrganizationInviteLinks", null, "space={spaceId}"]],
	edit: [["updateChangeRequestContent", page], ["createChangeRequest", {}]], triggerGitSync: [["importGitRepository", repository]],
	comment: [["postCommentInSpace", words], ["postCommentInChangeRequest", words]], merge: [["mergeChangeRequest"]],
	review: [["submitChangeRequestReview", { status: "approved" }]], installIntegration: [] };
def deeds: {
	organization: {
		view: [["getOrganizationById"]], access: [["listSpacesInOrganizationById"], ["searchOrganizationContent"]],
		admin: [["updateOrganizationById", { title: "New" }], ["inviteUsersToOrganization", { emails: ["new@example.net"] }],
			["createOrganizationTeam", { title: "New" }], ["listSAMLProvidersInOrganizationById"], ["listOrganizationAuditEvents"]],
		ownTeam: [["updateTeamInOrganizationById", { title: "New" }]],
		createContent: [["createSpace", {}], ["createCollection", {}]],
		createOpenAPISpec: [["createOpenAPISpec"]], ingestConversations: [["ingestConversation"]], viewBilling: [],
		listMembers: [["listMembersInOrganizationById"]], listTeams: [["listTeamsInOrganizationById"]],
		listIntegrations: [], listInstallations: [], installIntegration: [] },
	space: space_deeds,
	# An empty change request changes no content.
	"locked space": (space_deeds | .edit |= .[0:1]),
	"deleted space": space_deeds,
	collection: {
		view: [["getCollectionById"], ["listSpacesInCollectionById"]],
		admin: [["updateCollectionById", { title: "New" }], ["inviteToCollection", grant], ["listUserPermissionsInCollection"], ["deleteCollectionById"]],
		viewInviteLinks: [["listOrganizationInviteLinks", null, "collection={collectionId}"]],
		create: [["createSpace", { parent: "{collectionId}" }], ["createCollection", { parent: "{collectionId}" }]] },
	team: {
		view: [["getTeamInOrganizationById"], ["listTeamMembersInOrganizationById"]],
		admin: [["updateTeamInOrganizationById", { title: "New" }], ["updateMembersInOrganizationTeam", { add: ["{user_read}"] }],
			["addMemberToOrganizationTeamById", {}], ["removeTeamFromOrganizationById"]] },
	# As one of the team: a guest who owns it sees nobody as a member of the organization.
	"team member": { view: [["listTeamMembersInOrganizationById"]] },
	comment: remark_deeds("InSpace"), reply: remark_deeds("ReplyInSpace"),
	"comment in a request": remark_deeds("InChangeRequest"), "reply in a request": remark_deeds("ReplyInChangeRequest") };

# Every flag that any object can have names something here.
def all_flags($d): [$d.components.schemas | to_entries[] | .value.properties.permissions["$ref"] // empty | ltrimstr("#/components/schemas/")]
	| unique[] | . as $name | ([objects | to_entries[] | select(.value.schema == $name) | .key]) as $kinds
	| if $kinds == [] then error("access_flags.jq has no object with \($name)") else $kinds[] end | . as $kind
	| ($d.components.schemas[$name].properties | keys) - (deeds[$kind] | keys)
	| if . == [] then empty else error("access_flags.jq has no deed for \(join(", ")) of \($kind)") end;

def look($d): [$d | operations] as $all | objects | to_entries[] | .key as $kind | .value as $object
	| first($all[] | select(.id == $object.get)) as $o | { ids: ($object.ids // {}) } as $v
	| callers | select(.org >= 0)
	| call($d; $main[0]; $o; $v) | .name = "\($kind) to \(.who)" | .kind = $kind | .item = ($object.item // false) | .want = [200, 403, 404];

# Admins manage every team, and own those that they own.
def unsaid($kind; $flag; $told): $kind == "organization" and $flag == "ownTeam" and $told.flags.admin;

def attempt($d): [$d | operations] as $all | $told[0][] as $t | $t.kind as $kind
	| $t.flags | to_entries[] | .key as $flag | .value as $says | select(unsaid($kind; $flag; $t) | not)
	| deeds[$kind][$flag] as $deeds
	| if $deeds == [] and $says and $flag != "viewBilling" then { name: "\($kind) to \($t.who): \($flag) names nothing", method: "GET", path: "/v1/", who: "-", want: [0] }
	else $deeds[] as [$op, $body, $query]
		| first($all[] | select(.id == $op)) as $o
		| { body: $body, query: $query, ids: (objects[$kind].ids // {}) } as $v
		| first(callers | select(.who == $t.who)) | call($d; $main[0]; $o; $v)
		| .name = "\($kind) to \($t.who): \($flag) is \($says), \($op)" | answering($o; if $says then null elif $kind == "deleted space" then unseen($o) else 403 end)
	end;

. as $d | [all_flags($d), if $what == "look" then look($d) else attempt($d) end]
