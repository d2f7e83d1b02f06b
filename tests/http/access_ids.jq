# S1, "two ids, one checked": each id in a path, a query or a body is replaced by one that does not
# belong there: of another organization, of another space, of a hidden object, or unknown. All must
# get the same response as an unknown id, except for the id itself (.group, .given).
#
# Sent as the admin of one organization and, if two ids are of different organizations, as `both`,
# who is admin of both and may know each of them. `bound` is admin of both as well, but by a session that is
# valid for the first alone: the second is unknown.
include "operations";
include "access";

def unknown: "noSuchThing00000000000";
def odd: "%22%27%3B--%20%00"[0:11];
# Parameters that are no ids, or ids that are valid anywhere (of a public description, for example; where one signs in is public, too).
# A hook's address alone does not suffice without its secret, nor that of an upload without its signature: 403.
def no_ids: ["gitHookId", "storageKey", "pagePath", "emailDomain", "subdomain", "specSlug", "openAPISpecId", "ssoProviderId"];
def roots: ["organizationId", "spaceId", "collectionId", "siteId"];
def inside: ["siteSpaceId", "siteSectionId", "siteSectionGroupId", "revisionId", "pageId", "fileId", "reusableContentId", "changeRequestId", "commentId", "commentReplyId", "reviewId"];

# ---- ids in bodies: [operation, kind of id, body, status if not 404] ----

def beside: ["collectionId", { position: { before: { type: "collection", collection: "{id}" } } }],
	["spaceId", { position: { after: { type: "space", space: "{id}" } } }], ["collectionId", { parent: "{id}" }];
def change($change): ["updateChangeRequestContent", $change[0], { changes: [$change[1]] }];
def page_changes: ["pageId", { operation: "insert_page", title: "New", document: { markdown: "New" }, into: "{id}" }],
	["pageId", { operation: "update_page", page: "{id}", title: "New" }],
	["pageId", { operation: "update_page", page: "{pageId}", into: "{id}" }],
	["pageId", { operation: "delete_page", page: "{id}" }],
	["pageId", { operation: "revert_page", page: "{id}" }],
	["revisionId", { operation: "revert_page", page: "{pageId}", revision: "{id}" }];
def rules: { mergeRules: { type: "rules", rules: [{ rule: "allow_bypass", users: ["{userId}", "{id}"] }] } };
# All or nothing: a permitted id comes before a forbidden one.
def body_ids:
	(("moveSpace", "moveCollection") as $o | beside | [$o] + .),
	(("inviteToSpace", "inviteToCollection", "inviteToSite") as $o
		| [$o, "userId", { role: "read", teams: ["{teamId}"], users: ["{userId}", "{id}"] }],
		  [$o, "teamId", { role: "read", teams: ["{teamId}", "{id}"], users: ["{userId}"] }]),
	(("transferSpace", "transferCollection") | [., "organizationId", { organization: "{id}" }]),
	(("createSpace", "createCollection") | [., "collectionId", { parent: "{id}" }]),
	(("updateOrganizationById", "updateSpaceById") | [., "userId", rules]),
	["updateOrganizationById", "siteId", { defaultContent: { type: "site", site: "{id}" } }],
	(("createOrganizationSAMLProvider", "updateOrganizationSAMLProvider", "createOrganizationOIDCProvider",
		"updateOrganizationOIDCProvider") | [., "teamId", { label: "New", defaultTeam: "{id}" }]),
	["createOrganizationInvite", "spaceId", { level: "read", space: "{id}" }],
	["createOrganizationInvite", "collectionId", { level: "read", collection: "{id}" }],
	["applyTemplateToSpace", "changeRequestId", { id: "blank", changeRequestId: "{id}" }],
	["createChangeRequest", "clusterId", { conversationsIssuesCluster: "{id}" }],
	["createTranslation", "spaceId", { source: { space: "{id}", language: "en" }, language: "fr" }],
	["updateGlossaryEntries", "glossaryEntryId", { operations: [{ type: "update", id: "{id}", translations: { en: "New" } }] }],
	["createOrganizationTeam", "userId", { title: "New", members: ["{userId}", "{id}"] }],
	["updateMembersInOrganizationTeam", "userId", { add: ["{user_read}", "{id}"] }],
	["updateMembersInOrganizationTeam", "userId", { remove: ["{id}"] }, 204],
	["updateMembersInOrganizationTeam", "userId", { memberships: { "{id}": { role: "owner" } } }, 400],
	["requestReviewersForChangeRequest", "userId", { users: ["{userId}", "{id}"] }],
	(("postCommentInSpace", "postCommentInChangeRequest")
		| [., "pageId", { page: "{id}", body: { markdown: "New" } }],
		  [., "revisionId", { page: "{pageId}", node: "{id}", body: { markdown: "New" } }]),
	["resolveChangeRequestConflicts", "revisionId", { revision: "{id}", choices: [{ page: "{pageId}", kind: "text", take: "ours" }] }, 409],
	["resolveChangeRequestConflicts", "pageId", { revision: "old", choices: [{ page: "{id}", kind: "text", take: "ours" }] }, 409],
	["undoInChangeRequest", "revisionId", { revision: "{id}" }],
	["createSite", "spaceId", { spaces: ["{spaceId}", "{id}"] }],
	["updateSiteById", "siteSpaceId", { defaultSiteSpace: "{id}" }],
	["updateSiteById", "siteSectionId", { defaultSiteSection: "{id}" }],
	(("addSpaceToSite", "addSectionToSite", "updateSiteSpaceById") | [., "spaceId", { spaceId: "{id}" }]),
	["addSpaceToSite", "siteSectionId", { spaceId: "{spaceId}", sectionId: "{id}" }],
	["updateSiteSectionById", "siteSpaceId", { defaultSiteSpace: "{id}" }],
	["addSectionGroupToSite", "siteSectionId", { title: "New", sections: ["{nextSectionId}", "{id}"] }],
	["addSectionGroupToSite", "siteSectionGroupId", { title: "New", parent: "{id}" }],
	["addSectionToGroup", "siteSectionId", { sectionId: "{id}" }],
	["addExternalLinkToSite", "siteSectionGroupId", { title: "New", url: "https://example.org/", parent: "{id}" }],
	["updateSiteExternalLinkById", "siteSectionGroupId", { parent: "{id}" }],
	["addSectionToSite", "siteSectionGroupId", { spaceId: "{spaceId}", siteSectionGroupId: "{id}" }],
	["updateSiteSectionById", "siteSectionGroupId", { siteSectionGroupId: "{id}" }],
	["updateSiteSectionGroupById", "siteSectionGroupId", { parentSectionGroupId: "{id}" }],
	["moveSiteSpace", "siteSpaceId", { position: { before: { type: "site-space", siteSpace: "{id}" } } }],
	["moveSiteSection", "siteSectionId", { position: { before: { type: "site-section", siteSection: "{id}" } } }],
	["moveSiteSectionGroup", "siteSectionGroupId", { position: { after: { type: "site-section-group", id: "{id}" } } }],
	["sortSiteStructure", "siteSectionId", { item: { type: "site-section", id: "{id}" }, position: { after: { type: "site-section", id: "{nextSectionId}" } } }],
	["sortSiteStructure", "siteSectionGroupId", { item: { type: "site-section", id: "{siteSectionId}" }, position: { after: { type: "site-section-group", id: "{id}" } } }],
	(("createSiteRedirect", "updateSiteRedirectById") as $o
		| [$o, "siteSpaceId", { source: "/else", destination: { kind: "site-space", siteSpaceId: "{id}" } }],
		  [$o, "spaceId", { source: "/else", destination: { kind: "path", spaceId: "{id}", path: "x" } }],
		  [$o, "siteSectionId", { source: "/else", destination: { kind: "site-section", siteSectionId: "{id}" } }]),
	# Reported for that item, while the others are done.
	(["siteSpaceId", "site-space"], ["siteSectionId", "site-section"] | . as [$kind, $to] | ["bulkUpsertSiteRedirects", $kind,
		{ redirects: [{ source: "/else", destination: { kind: $to, ($kind): "{id}" } }] }, 200]),
	["bulkUpsertSiteRedirects", "spaceId", { redirects: [{ source: "/else", destination: { kind: "path", spaceId: "{id}", path: "x" } }] }, 200],
	["trackEventsInSiteById", "siteSpaceId", { events: [{ type: "page_view", location: { url: "https://docs.example/", siteSpace: "{id}" } }] }],
	["aggregateSiteEvents", "siteSpaceId", { range: "lastYear", where: [{ column: "siteSpace", values: ["{id}"] }] }, 200],
	["aggregateSiteEvents", "pageId", { range: "lastYear", where: [{ column: "page", values: [{ page: "{id}", space: "{spaceId}" }] }] }, 200],
	["aggregateSiteEvents", "spaceId", { range: "lastYear", where: [{ column: "page", values: [{ page: "{pageId}", space: "{id}" }] }] }, 200],
	["searchSiteContent", "siteSpaceId", { query: "x", mode: "current", siteSpaceId: "{id}" }, 200],
	["searchSiteContent", "siteSpaceId", { query: "x", mode: "specific", siteSpaceIds: ["{id}"] }, 200],
	["updateSiteById", "spaceId", { styleguide: "{id}" }],
	["createSiteStyleguideRun", "spaceId", { spaces: ["{shownSpaceId}", "{id}"] }],
	["getComputedDocument", "openAPISpecId", ({ doc: "models" } | asked | .source.dependencies.spec.ref.spec = "{id}")],
	["getComputedRevision", "openAPISpecId", ({ models: true } | asked | .source.dependencies.spec.ref.spec = "{id}")],
	["startImportRun", "spaceId", { source: { type: "file", files: ["{importKey}"] }, target: { space: "{id}" } }],
	["startImportRun", "importKey", { source: { type: "file", files: ["{id}"] }, target: { space: "{spaceId}" } }],
	["createCustomFont", "storageKey", { fontFamily: "New", fontFaces: [{ weight: 700, storageKey: "{storageKey}" }, { weight: 400, storageKey: "{id}" }] }, 412],
	["updateCustomFont", "storageKey", { fontFaces: [{ weight: 400, storageKey: "{id}" }] }, 412],
	["updateChangeRequestContent", "fileId", { changes: [{ operation: "update_page", page: "{pageId}", cover: { ref: { kind: "file", file: "{id}" } } }] }, 400],
	(page_changes | change(.));
def texts: ["source", "query", "message", "commitMessage", "jwtToken", "basename", "proxy", "path", "title", "description", "fontFamily", "text", "emailDomains", "hostname", "expression", "certificate", "entityID", "issuer", "clientID", "clientSecret", "label", "emoji", "icon",
	"subject", "markdown", "record", "definition", "addedReactions", "removedReactions", "base64", "condition", "contentType",
	"name", "ref", "slug", "hosts", "block", "repoCacheID", "repoCommitURL", "repoProjectDirectory", "repoTreeURL", "url", "displayName", "ssoURL", "photoURL", "email", "password", "device", "link", "code", "verifier", "challenge", "client", "flow", "response", "state", "iss", "error", "commitEmail", "token", "seed"];

# Names of the texts in a body, and "*" for the keys of a map. References inside documents are shown
# like links: access_links tests them.
def leaves($d; $depth): select(.["$ref"] // "" | endswith("/DocumentBlock") | not) | bare | resolve($d) | select($depth < 7 and (.enum | not))
	| if .oneOf then .oneOf[] | leaves($d; $depth + 1)
	elif kind == "object" then (.properties // {} | to_entries[] | .key as $k | .value | bare | resolve($d)
			| if kind == "array" then .items | select(.["$ref"] // "" | endswith("/DocumentBlock") | not) | resolve($d) else . end
			| if kind == "string" and (.enum or .format | not) then $k else leaves($d; $depth + 1) end),
		(if .additionalProperties | type == "object" then "*" else empty end)
	else empty end;
def named($body): $body | [paths | select(.[-1] == "{id}") | "*"] + [paths(. == "{id}") | map(strings)[-1]];
# Each text in a body is an id that is tested here, or listed in `texts`. Ids of conversations are
# texts of the caller; names of templates are public, and none requires content (contentRefs). Keys
# of a term are languages. References of a customization are shown like links; the page of a
# redirect is looked up when it is followed, and an event is counted whether its page exists or not.
# Headers have names. What a device answers is signed. The revision that a save amends is compared with the newest one; no other is read. A cover is a
# file or an address; references of other kinds are refused.
def of_templates($o; $leaf): ($o | test("SiteCustomization|SiteSpaceCustomization")) or ($o | test("SiteRedirect")) and $leaf == "pageId" or ($o == "updateGlossaryEntries" and $leaf == "*") or ($o | test("SiteMcpServer|ExternalLink|updateSiteSection")) and $leaf == "*" or ($o == "getComputedDocument" and $leaf == "page") or ($o == "createSiteStyleguideById" and $leaf == "template") or ($o == "generateStorageUploadURL" and $leaf == "type") or ($o == "updateChangeRequestContent" and ($leaf | IN("amend", "anchor", "collection", "reusableContent", "space", "spec", "tag", "user"))) or ($o == "trackEventsInSiteById" and $leaf == "page") or ($o | IN("createUserPasskey", "finishPasskeySignIn")) or ($o | IN("applyTemplateToSpace", "createChangeRequest", "createSpace", "addSpaceToSite", "addSectionToSite")) and ($leaf == "id" or $leaf == "*");
def all_told($d): [$d | operations | select(.schema and .id != "ingestConversation") | .id as $o | [.schema | leaves($d; 0)] | unique[]
	| . as $leaf | select(texts | index($leaf) == null) | select(of_templates($o; $leaf) | not) | select([body_ids | select(.[0] == $o) | named(.[2])[]] | index($leaf) == null)
	| "\($o) \($leaf)"] | if . == [] then empty else error("access_ids.jq: ids in bodies that are not tried: \(join(", "))") end;

# ---- ids in queries: [name, kind of id, status] ----

def query_ids: ["space", "spaceId", 404], ["collection", "collectionId", 404],
	(("owner", "creator", "contributor", "requestedReviewer", "actor", "target", "authors") | [., "userId", 200]),
	["cluster", "clusterId", 200], ["conversation", "conversationId", 200], ["conversationsIssuesCluster", "clusterId", 200], ["styleguideRun", "siteId", 200],
	["targetPage", "pageId", 200], ["target", "spaceId", 200];

# ---- requests ----

# Ids to use instead: [whose, id, callers].
def others($o; $kind): ["unknown", unknown, ["admin", "create"]],
	($foreign[0] as $p | $o | own_ids($p)[$kind] | values | ["foreign", ., ["admin", "bound"]]),
	# The glossary and what was uploaded for imports belong to the whole organization.
	(if $kind == "organizationId" or $kind == "glossaryEntryId" or $kind == "importKey" then empty
		else $hidden[0] as $p | $o | own_ids($p)[$kind] | values | ["hidden", ., ["create"]] end),
	(if inside | index($kind) then $sibling[0] as $p | $o | own_ids($p)[$kind] | values | ["sibling", ., ["admin"]] else empty end);

def base($o; $d): first(callers | select(.who == "admin")) | call($d; $main[0]; $o; variants_of($o)[0]);

def path_status($o; $i; $both): if $o.method != "DELETE" or ($o.id | IN("deleteGitBinding", "deleteLegacyGitInstallation")) then 404
	elif ($o.vars | index("siteId")) and $o.vars[-1] != "siteId" and $i < 2 then 404
	elif ($both | not) and $i + 1 < ($o.vars | length) and (roots | index($o.vars[$i])) then 404 else 204 end;

def with_id($o; $d; $v; $id): ($o | own_ids($main[0])) as $mine | base($o; $d) | .path = "/v1" + ($o.template | fill($mine + { ($v): $id }));

def in_paths($d): operations as $o | range($o.vars | length) as $i | $o.vars[$i] as $v | select(no_ids | index($v) == null)
	| ([$o.vars[] | select(. as $x | no_ids | index($x) == null)] | length) as $count
	| (others($o; $v), ["odd", odd, ["admin"]]) as [$whose, $id, $who]
	| (($who[] | { who: ., want: [path_status($o; $i; false)] }),
		(if $whose == "foreign" and $count > 1 then { who: "both", want: [path_status($o; $i; true)] } else empty end)) as $asked
	| with_id($o; $d; $v; $id) + $asked | .name = "\($o.id): \($whose) \($v) by \(.who)"
	| .group = "\($o.id) \($v) \(.who)" | .given = $id
	| if .who == "bound" and of_account($o) then .want = [403] else . end
	# Rules such as ORG_ADMIN are checked before the id that follows.
	| if .who == "create" and $whose != "hidden" then .want += [403] else . end;

def in_bodies($d): [operations] as $all | body_ids as [$op, $kind, $body, $status]
	| first($all[] | select(.id == $op)) as $o | ($o | own_ids($main[0])) as $mine
	| others($o; $kind) as [$whose, $id, $who]
	| (($who[] | { who: ., want: [$status // 404] }),
		(if $whose == "foreign" and $kind != "organizationId" then { who: "both", want: [$status // 404, 400] } else empty end)) as $asked
	| base($o; $d) + $asked | .body = ($body | tojson | fill($mine + { id: $id }))
	| .name = "\($o.id): \($whose) \($kind) in the body by \(.who)"
	| .group = "\($o.id) \($body) \(.who)" | .given = $id
	| if .who == "create" then .want += [403] else . end;

def in_queries($d): operations as $o | $o.query[].name as $name | query_ids | select(.[0] == $name) as [$n, $kind, $status]
	| others($o; $kind) as [$whose, $id, $who] | $who[] as $asker
	| base($o; $d) | .who = $asker | .want = [$status] | .path = (.path | split("?")[0]) + "?\($name)=\($id)"
	| .name = "\($o.id): \($whose) \($name) in the query by \(.who)"
	| .group = "\($o.id) \($name) \($kind) \(.who)" | .given = $id
	| if .who == "create" then .want += [403] else . end;

. as $d | [all_told($d), in_paths($d), in_bodies($d), in_queries($d)]
