# The rules of access, stated a second time for the tests, from the documentation alone
# (docs/people/roles.md): each kind of caller, which callers an operation is for, and what its body
# needs. Nothing here reads the server's answers.
include "operations";

# ---- callers: tokens of access.sh and lib.sh ----
#
# org, space, collection: the role in AORG, on the `main` space and on its collection; two: the role
# in ATWO. -1: not a member; 0: a guest, or no access. cap: role limit of a token's scope. dead: an
# invalid token. shown: the role on the site of AORG, which create and admin of the organization have.

def caller($who; $org; $space; $collection): { who: $who, org: $org, space: $space, collection: $collection, two: -1, cap: 6,
	shown: (if $org >= 5 then $org else 0 end) };
def callers:
	(("-", "unknown", "revoked", "expired") | caller(.; -1; -1; -1) + { dead: true }),
	# Credentials that open a site to visitors are no API tokens.
	(("visitor", "share_key") | caller(.; -1; -1; -1) + { dead: true }),
	# The token of a site, for its renderer: valid for that site only, which shows none of the spaces in the ids.
	(caller("renderer"; -1; -1; -1) + { site: true }),
	(("other", "stranger", "disabled") | caller(.; -1; -1; -1)),
	caller("guest"; 0; 0; 0),
	caller("read"; 1; 1; 1),
	caller("comment"; 2; 2; 2),
	caller("edit"; 3; 3; 3),
	caller("review"; 4; 4; 4),
	(caller("create"; 5; 5; 5) | .two = 1),
	(caller("admin"; 6; 6; 6) | .two = 6),
	# A session of an admin here and in other organizations that the provider of AORG made.
	(caller("bound"; 6; 6; 6) | .bound = true),
	# Tokens of the admin with the scopes read and write.
	(caller("readonly"; 6; 6; 6) | .two = 6 | .cap = 1 | .reads = true),
	(caller("writeonly"; 6; 6; 6) | .two = 6 | .cap = 5),
	# Guests with a grant on the space, members through a team's grant, and both on the collection.
	caller("guest_edit"; 0; 3; 0),
	caller("guest_create"; 0; 5; 0),
	caller("team_review"; 1; 4; 1),
	caller("team_admin"; 1; 6; 1),
	caller("coll_edit"; 0; 3; 3),
	(caller("coll_team"; 1; 5; 5) | .two = 5),
	# Grants on the site, to a guest, and to a member by a team.
	(caller("site_create"; 0; 0; 0) | .shown = 5),
	(caller("site_read"; 1; 1; 1) | .shown = 1),
	# A grant that lowers the role: the more specific grant wins, not the stronger one.
	caller("narrowed"; 5; 2; 2),
	# The owner of the team and the author of the objects in the ids; and their tokens with the scope read.
	((caller("owner"; 1; 1; 1), caller("guest_owner"; 0; 1; 1)) | .owner = true),
	(caller("owner_reads"; 1; 1; 1) | .owner = true | .cap = 1 | .reads = true),
	(caller("author"; 1; 1; 1) | .author = true),
	(caller("author_reads"; 1; 1; 1) | .author = true | .cap = 1 | .reads = true);

# True if the role, limited by the token's scope, is at least $least.
def has_role($on; $least): [.[$on], .cap] | min >= $least;
def sees($on): if $on == "org" or $on == "two" then .[$on] >= 0 else .[$on] >= 1 end;

# ---- rules of routes: null if allowed, otherwise the status of the refusal ----

# DELETE of an object that the caller may not know of succeeds: nothing is left to do.
def unseen($o): if $o.method == "DELETE" and ($o.vars | length) == 1 and ($o.template | endswith("}")) then 204 else 404 end;
def gate($o; $on; $least): if sees($on) | not then unseen($o) elif has_role($on; $least) then null else 403 end;

def gates: {
	ORG_VIEW: ["org", 0], ORG_LINK: ["org", 0], ORG_READ: ["org", 1], ORG_CREATE: ["org", 5], ORG_ADMIN: ["org", 6],
	SPACE_SEE: ["space", 1], SPACE_READ: ["space", 1], SPACE_COMMENT: ["space", 2], SPACE_EDIT: ["space", 3],
	SPACE_REVIEW: ["space", 4], SPACE_WRITE: ["space", 3], SPACE_CREATE: ["space", 5],
	COLLECTION_READ: ["collection", 1], COLLECTION_CREATE: ["collection", 5],
	# Further requirements depend on the body, the query or the link: `needs` of the variants.
	PARENT_CREATE: ["org", 0], INVITE_MANAGE: ["org", 0] };

# True if the operation is about the account itself, which a session for one organization does not act for.
def of_account($o): ($o.vars | index("organizationId") | not) and ($o.rule | IN("USER", "SELF")) and ($o.callers | index("bound") | not);

# $o: an operation; $v: a variant of it (below); the caller is the input.
def route_status($o; $v):
	if $o.rule == "ANYONE" or $o.rule == "OWN_PAGES" then null
	elif .dead then 401
	# A kind of caller that the route does not accept gets 404.
	elif .site then (if ($o.callers | index("site")) == null or ($o.vars | index("spaceId") or index("specSlug")) then 404 else null end)
	elif $o.callers | index("user") == null then 404
	# It is valid for AORG alone, and does not act for the account itself.
	elif .bound and of_account($o) then 403
	# POSTs that only read are allowed with the scope read.
	elif .reads and $o.method != "GET" and $o.writes then 403
	elif $o.rule == "USER" or $o.rule == "INVITE_SECRET" then null
	# Other users are hidden from callers who may not know of them.
	elif $o.rule == "SELF" then (if $v.self then null elif .org >= 0 then 403 else 404 end)
	elif gates[$o.rule] then gates[$o.rule] as [$on, $least] | gate($o; $on; $least)
	elif $o.rule == "SITE_LIST" then gate($o; "org"; 0) // (if .shown >= 1 then null else 403 end)
	# Without a role on it a site is hidden; a token of lesser scope of a user with a role sees it.
	elif $o.rule == "SITE_SEE" or $o.rule == "SITE_CREATE" then gate($o; "org"; 0)
		// (if .shown < 1 then (if $o.method == "DELETE" and ($o.vars | length) == 2 then 204 else 404 end)
			elif $o.rule == "SITE_CREATE" and (has_role("shown"; 5) | not) then 403 else null end)
	# In the fixture everyone may read what the site publishes.
	elif $o.rule == "SITE_READ" then gate($o; "org"; 0)
	elif $o.rule == "MEMBER_VIEW" then gate($o; "org"; if $v.self then 0 else 1 end)
	elif $o.rule == "TEAM_VIEW" then gate($o; "org"; 0) // (if .owner then null else gate($o; "org"; 1) end)
	elif $o.rule == "TEAM_ADMIN" then gate($o; "org"; 0) // (if .owner and .cap >= 5 then null else gate($o; "org"; 6) end)
	elif $o.rule == "REQUEST_OWN" then gate($o; "space"; 1) // (if .author then null else gate($o; "space"; 3) end)
	# At the top of the organization; hidden from callers who could not restore it.
	elif $o.rule == "SPACE_DELETED" then (if has_role("org"; 5) then null else 404 end)
	else error("access.jq does not know the rule \($o.rule)") end;

# ---- requirements of bodies ----
#
# A variant of an operation: { name?, body?, query?, ids?: other ids of the path, self?: {userId} is
# the caller, needs?: [[where, least, but?]], says?: a name in `sayings`, for requirements that are
# no role; always?: the status for every caller, who lacks a secret or a session; tokens?: sent with tokens alone }.
# Needs are checked in order: 404 if the place is hidden, 403 if the role is too low; but
# "author": the author of the object needs no role; but "known": 403 even if the place is hidden.

def admin_here: [["org", 6]];
def create_here: [["org", 5]];
def create_inside: [["collection", 5]];
def create_on: [["space", 5]];
def asked: { seed: "seed", source: { type: "builtin:openapi", props: ., dependencies: { spec: { ref: { kind: "openapi", spec: "{openAPISpecId}" } } } } };
def remark: [
	{ name: "body", body: { body: { markdown: "Other words" } }, needs: [["space", 5, "author"]] },
	{ name: "resolve", body: { resolved: true }, needs: [["space", 2]] },
	{ name: "react", body: { addedReactions: ["1f44d"] }, needs: [["space", 2]] } ];
def own_remark: [{ needs: [["space", 5, "author"]] }];
def grants: [{ body: { role: "read", users: ["{userId}"], teams: ["{teamId}"] } }];
def links_of($on): { name: "of a \($on)", ids: { inviteId: "{\($on)InviteId}" }, body: { level: "comment" }, needs: [[$on, 5, "known"]] };
def said: { body: { markdown: "Words" } };

def variants: {
	getSpaceById: [{}, { name: "deleted", ids: { spaceId: "{deletedSpaceId}" }, says: "restorer" }],
	getMemberInOrganizationById: [{}, { name: "oneself", self: true }],
	listSpacesForOrganizationMember: [{}, { name: "oneself", self: true }],
	listTeamsForOrganizationMember: [{}, { name: "oneself", self: true }],
	getUserById: [{ says: "fellow" }, { name: "oneself", self: true }, { name: "unheard of", ids: { userId: "{ghostId}" }, says: "nobody" }],
	updateUserById: [{ ids: { userId: "{user_target}" }, body: { displayName: "New" } }, { name: "oneself", self: true, body: { displayName: "New" } }],
	getSubdomain: [{ says: "fellow" }],
	joinOrganization: [{ says: "fellow" }],
	joinOrganizationWithInvite: [{ says: "not disabled" }],
	revokeUserToken: [{ says: "one's own" }],
	# The admin's tokens of lesser scope did not create it.
	rotateUserToken: [{ tokens: true, says: "made with it" }],
	getUserToken: [{ says: "one's own to see" }],

	# The example is the address of no site.
	visitSiteAsMember: [{ always: 404 }],
	# Whoever signs in proves it by what the body holds.
	createSession: [{ body: { email: "nobody", password: "x" }, always: 400 }],
	useSignInLink: [{ always: 404 }],
	showSignInLink: [{ always: 404 }],
	askForPasswordLink: [{ always: 409 }],
	exchangeSignInCode: [{ always: 400 }],
	startProviderSignIn: [{ always: 409 }],
	finishProviderSignIn: [{ always: 409 }],
	startPasskeySignIn: [{ always: 200 }],
	finishPasskeySignIn: [{ always: 400 }],
	updateUserPasskey: [{ always: 404 }],
	# No token does what changes how its person signs in.
	createSignInCode: [{ tokens: true, always: 403 }],
	startUserPasskey: [{ tokens: true, always: 403 }],
	createUserPasskey: [{ tokens: true, always: 403 }],
	changeUserPassword: [{ tokens: true, always: 403 }],
	deleteUser: [{ tokens: true, always: 403 }],
	# The provider of the fixture is not complete.
	takeSAMLResponse: [{ always: 404 }],
	getOrganizationSignIn: [{ always: 404 }],
	startOrganizationSignIn: [{ always: 404 }],
	finishOrganizationSignIn: [{ always: 404 }],
	linkOrganizationProvider: [{ always: 404 }],
	# No caller has signed in at a provider.
	updateUserIdentity: [{ body: { linked: false }, always: 404 }],
	endUserSessions: [{ says: "whole scope" }], endUserSession: [{ says: "whole scope" }],

	createCollection: [{ body: {}, needs: create_here }, { name: "inside", body: { parent: "{collectionId}" }, needs: create_inside }],
	createSpace: [{ body: {}, needs: create_here }, { name: "inside", body: { parent: "{collectionId}" }, needs: create_inside }],
	updateCollectionById: [{ body: { title: "New" } }],
	updateSpaceById: [{ body: { title: "New" } }],
	# The copy is made beside the space, in a collection that the caller did not name.
	duplicateSpace: [{ says: "beside it" }],
	moveSpace: [{ name: "to the top", body: { parent: null }, needs: create_here },
		{ name: "into another", body: { parent: "{outerCollectionId}" }, needs: [["outer", 5]] }],
	moveCollection: [{ name: "to the top", body: { parent: null }, needs: create_here },
		{ name: "in its parent", body: { position: { after: { type: "collection", collection: "{asideCollectionId}" } } }, needs: [["outer", 5]] }],
	transferSpace: [{ body: { organization: "{twoId}" }, needs: [["two", 5]] }],
	transferCollection: [{ body: { organization: "{twoId}" }, needs: [["two", 5]] }],
	inviteToSpace: grants,
	inviteToCollection: grants,
	inviteToSite: grants,
	listPermissionsAggregateInSite: [{ says: "manager" }],
	# The grant of the team that no caller is in.
	updateTeamPermissionInSite: [{ ids: { teamId: "{quietTeamId}" }, body: { role: "comment" } }],

	listOrganizationInviteLinks: [{ needs: admin_here }, { name: "of a space", query: "space={spaceId}", needs: create_on },
		{ name: "of a collection", query: "collection={collectionId}", needs: create_inside }],
	createOrganizationInvite: [{ body: { role: "read" }, needs: admin_here },
		{ name: "to a space", body: { level: "read", space: "{spaceId}" }, needs: create_on },
		{ name: "to a collection", body: { level: "read", collection: "{collectionId}" }, needs: create_inside }],
	updateOrganizationInviteById: [{ body: { role: "comment" }, needs: admin_here }, links_of("space"), links_of("collection")],
	deleteOrganizationInviteById: [{ needs: admin_here }, (links_of("space", "collection") | del(.body))],
	inviteUsersToOrganization: [{ body: { emails: ["new@example.net"] } }],
	updateMemberInOrganizationById: [{ body: { role: "edit" } }],
	updateOrganizationById: [{ body: { title: "New" } }],
	updateOrganizationAgentInstructions: [{ body: { instructions: { object: "document", data: {}, nodes: [] } } }],
	createOpenAPISpec: [{ body: { slug: "new", source: { text: "openapi: 3.0.0" } } }],
	createOrUpdateOpenAPISpecBySlug: [{ body: { source: { text: "openapi: 3.0.0" } } }],
	updateOpenAPISpecBySlug: [{ body: { visibility: "public" } }],
	createTranslation: [{ body: { source: { space: "{spaceId}", language: "en" }, language: "fr" } }],
	updateTranslation: [{ body: { automatic: false } }],
	updateGlossaryEntries: [{ body: { operations: [] } }],
	uploadChangeRequestFile: [{ body: { url: "https://files.invalid/x" } }],
	createOrganizationTeam: [{ body: { title: "New", members: ["{userId}"] } }],
	updateMembersInOrganizationTeam: [{ body: { add: ["{userId}"] } }],

	# An empty list: ids of conversations belong to the token that sent them.
	ingestConversation: [{ body: [] }],
	applyTemplateToSpace: [{ body: { id: "blank" }, needs: [["space", 4]] },
		{ name: "into a request", body: { id: "blank", changeRequestId: "{changeRequestId}" } }],
	createSite: [{ body: {} }, { name: "with a space", body: { spaces: ["{spaceId}"] }, needs: create_on }],
	updateSiteById: [{ body: { title: "New" } }],
	addSpaceToSite: [{ body: { spaceId: "{spaceId}" }, needs: create_on }],
	updateSiteSpaceById: [{ body: { path: "new" } }, { name: "another space", body: { spaceId: "{spaceId}" }, needs: create_on }],
	moveSiteSpace: [{ body: { position: { after: { type: "site-space", siteSpace: "{nextSiteSpaceId}" } } } }],
	addSectionToSite: [{ body: { spaceId: "{spaceId}" }, needs: create_on }],
	updateSiteSectionById: [{ body: { title: "New" } }],
	moveSiteSection: [{ body: { position: { after: { type: "site-section", siteSection: "{nextSectionId}" } } } }],
	addSectionGroupToSite: [{ body: { title: "New", sections: ["{siteSectionId}"] } }],
	updateSiteSectionGroupById: [{ body: { title: "New" } }],
	addExternalLinkToSite: [{ body: { title: "New", url: "https://example.org/" } }],
	updateSiteExternalLinkById: [{ body: { title: "New" } }],
	duplicateSiteSpace: [{ says: "shower" }],
	# The style guide of the fixture's site is at the top of the organization.
	createSiteStyleguideById: [{ says: "shower" }],
	createSiteStyleguideRun: [{ body: { spaces: ["{shownSpaceId}"] }, says: "shower" }],
	applyTemplateToSite: [{ says: "filled" }],
	getComputedDocument: [{ body: ({ doc: "models" } | asked), says: "spec reader" }],
	getComputedRevision: [{ body: ({ models: true } | asked), says: "spec reader" }],
	addSectionToGroup: [{ body: { sectionId: "{nextSectionId}" } }],
	moveSiteSectionGroup: [{ body: { position: { after: { type: "site-section-group", id: "{nextGroupId}" } } } }],
	updateSiteAdaptiveSchema: [{ body: { jsonSchema: { type: "object", properties: {}, additionalProperties: false } } }],
	createSiteShareLink: [{ body: { name: "New" } }],
	trackEventsInSiteById: [{ body: { events: [{ type: "page_view", session: {}, location: { url: "https://docs.example/", siteSpace: "{siteSpaceId}", page: "{pageId}" } }] } }],
	aggregateSiteEvents: [{ body: { range: "last30Days" } }],
	createSiteRedirect: [{ body: { source: "/new", destination: { kind: "external", url: "https://example.org/" } } }],
	bulkUpsertSiteRedirects: [{ body: { redirects: [{ source: "/new", destination: { kind: "external", url: "https://example.org/" } }] } }],
	generateStorageUploadURL: [{ body: { kind: "organization_file", file: { name: "new.png", type: "image/png", size: 100 } } }],
	createCustomFont: [{ body: { fontFamily: "New", fontFaces: [{ weight: 400, storageKey: "{storageKey}" }] } }],
	updateCustomFont: [{ body: { fontFamily: "New" } }],
	# Whoever has the signed address may write, and nobody else.
	putStorageFile: [{ body: { bytes: true }, always: 403 }], getStorageFile: [{ always: 403 }],
	startImportRun: [{ body: { source: { type: "file", files: ["{importKey}"] }, target: { space: "{spaceId}" } }, needs: [["space", 4]] }],
	listImportRuns: [{}, { name: "of a space", query: "space={spaceId}", needs: [["space", 1]] }],
	cancelImportRun: [{ needs: [["space", 4]] }],
	createSiteMcpServer: [{ body: { name: "New", url: "https://mcp.example.com/", headers: {} } }],
	getSiteRedirectBySource: [{ query: "source=/old" }],
	searchSiteContent: [{ body: { query: "words" } }],
	resolvePublishedContentByUrl: [{ body: { url: "https://nobody.example/" }, says: "nobody" }],
	getEmbedByUrlInSpace: [{ query: "url=https://nobody.example/" }],
	getContentByUrl: [{ query: "url=https://nobody.example/", says: "nobody" }],
	getCustomHostname: [{ says: "publisher" }],
	dnsRevalidateCustomHostname: [{ says: "publisher" }],
	removeCustomHostname: [{ says: "publisher" }],
	sortSiteStructure: [{ body: { item: { type: "site-section", id: "{siteSectionId}" }, position: { after: { type: "site-section", id: "{nextSectionId}" } } } }],

	createChangeRequest: [{ body: { subject: "New" } }],
	updateChangeRequestById: [{ body: { subject: "New" } }],
	# A revision that the change request does not have any more.
	resolveChangeRequestConflicts: [{ always: 409, body: { revision: "old", choices: [{ page: "{pageId}", kind: "text", take: "ours" }] } }],
	undoInChangeRequest: [{ always: 404, body: { revision: "old" } }],
	updateChangeRequestContent: [{ body: { changes: [{ operation: "insert_page", title: "New", document: { markdown: "Text" } }] } }],
	requestReviewersForChangeRequest: [{ body: { users: ["{userId}"] } }],
	exportToGitRepository: [{ body: { url: "https://git.example.com/docs.git", ref: "refs/heads/main", commitMessage: "New" } }],
	receiveGitHook: [{ body: { ref: "refs/heads/main" }, says: "unsigned" }],
	putGitBinding: [{ body: { url: "https://git.example.com/docs.git", ref: "refs/heads/main" } }],
	importGitRepository: [{ body: { url: "https://git.example.com/docs.git", ref: "refs/heads/main" } }],
	postCommentInSpace: [{ body: said }], postCommentInChangeRequest: [{ body: said }],
	postCommentReplyInSpace: [{ body: said }], postCommentReplyInChangeRequest: [{ body: said }],
	updateCommentInSpace: remark, updateCommentInChangeRequest: remark,
	updateCommentReplyInSpace: (remark | map(select(.name != "resolve"))), updateCommentReplyInChangeRequest: remark,
	deleteCommentInSpace: own_remark, deleteCommentInChangeRequest: own_remark,
	deleteCommentReplyInSpace: own_remark, deleteCommentReplyInChangeRequest: own_remark };

# Requirements that no role of the caller fulfils.
def sayings($o; $v):
	if $v.always then $v.always
	elif $v.says == "nobody" then 404
	elif $v.says == "whole scope" then (if .cap < 6 then 403 else null end)
	# Tokens are not used: the call has the signature of the hook, or none.
	elif $v.says == "unsigned" then 403
	elif $v.says == "fellow" then (if .org >= 0 or .site then null else 404 end)
	elif $v.says == "not disabled" then (if .who == "disabled" then 404 else null end)
	# Another user's token: as if it did not exist.
	elif $v.says == "one's own" then (if .who == "admin" or .who == "writeonly" then null else 204 end)
	elif $v.says == "one's own to see" then (if .who == "admin" or .who == "writeonly" or .who == "readonly" then null else 404 end)
	elif $v.says == "made with it" then (if .who == "admin" then null elif .who == "writeonly" then 403 else 404 end)
	elif $v.says == "restorer" then (if has_role("org"; 5) then null else 404 end)
	# The list of roles is for users who manage the site; the others see the site.
	elif $v.says == "manager" then (if .shown >= 5 then null else 403 end)
	# The space of the site space is in a collection that inherits from the organization.
	elif $v.says == "shower" then (if has_role("org"; 5) then null elif .org < 1 then 404 else 403 end)
	elif $v.says == "filled" then 409
	# Guests find no specification, and the one of the fixture has no models.
	elif $v.says == "spec reader" then (if $o.id == "getComputedDocument" or .org < 1 then 404 else null end)
	# Hostnames are visible to users who manage their site.
	elif $v.says == "publisher" then (if .shown >= 5 then null elif $o.method == "DELETE" then 204 else 404 end)
	elif $v.says == "beside it" then (if has_role("collection"; 5) then null else 403 end)
	else null end;

# The collection around the main one has no grants: the role in the organization counts.
def place($on): if $on == "outer" then "org" else $on end;
def need_status($need): $need as [$on, $least, $but]
	| if (sees(place($on)) | not) or ($on == "outer" and .org < 1) then (if $but == "known" then 403 else 404 end)
	elif ($but == "author" and .author) or has_role(place($on); $least) then null
	else 403 end;
def body_status($o; $v): . as $c | sayings($o; $v) // reduce ($v.needs // [])[] as $n (null; . // ($c | need_status($n)));

# null: it succeeds.
def expected($o; $v): . as $c | route_status($o; $v) // ($c | body_status($o; $v));

# ---- requests ----

def variants_of($o): variants[$o.id] // [{}];

# The request of a variant by a caller. $ids: ids of the place.
def call($d; $ids; $o; $v): . as $c
	| ($o | own_ids($ids)) as $here
	| ($here + (if $v.self then { userId: $ids["user_" + $c.who] } else {} end)
		+ ($v.ids // {} | map_values(fill($here)))) as $mine
	# Required parameters of the query, and those of the variant.
	| ([$o.query[] | select(.required) | "\(.name)=\(.schema | fitting($d))"] + [$v.query // empty | fill($mine)] | join("&")) as $query
	| { name: "\($o.id)\(if $v.name then " (\($v.name))" else "" end) by \($c.who)", method: $o.method, who: $c.who, tokens: $v.tokens,
	    path: ("/v1" + ($o.template | fill($mine)) + (if $query != "" then "?" + $query else "" end)),
	    body: (if $v.body then $v.body | tojson | fill($mine) elif $o.schema then $o.schema | fitting($d) | tojson else null end) };

# The expected status: $no, or success if null. A successful call that changes something runs on a
# copy; so does a request for a PDF, which queues a job.
def answering($o; $no): .want = (if $no then [$no] else $o.done end) | .copy = ($no == null and ($o.method != "GET" or ($o.id | endswith("PDF"))));
