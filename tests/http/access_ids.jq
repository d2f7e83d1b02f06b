# S1, "two ids, one checked": each id in a path, a query or a body, replaced by
# one that is nothing to it: of another organization, of another space, of what
# the caller may not know of, of nothing at all. All of them are told the same
# as for an id that never was, but for the id itself (.group, .given).
#
# As the admin of one organization and, where two ids are of different ones, as
# `both`, who is admin of both and may know each of them.
include "operations";
include "access";

def unknown: "noSuchThing00000000000";
def odd: "%22%27%3B--%20%00"[0:11];
# Not ids, or ids that mean something anywhere (of a public specification, say).
# Whoever knows the address of a hook needs its secret as well: that answers 403.
def no_ids: ["gitHookId", "pagePath", "emailDomain", "subdomain", "specSlug", "openAPISpecId"];
def roots: ["organizationId", "spaceId", "collectionId", "siteId"];
def inside: ["siteSpaceId", "siteSectionId", "siteSectionGroupId", "revisionId", "pageId", "fileId", "reusableContentId", "changeRequestId", "commentId", "commentReplyId", "reviewId"];

# ---- ids in bodies: [operation, what it names, body, status if not 404] ----

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
# All or nothing: one that may be given goes before one that may not.
def body_ids:
	(("moveSpace", "moveCollection") as $o | beside | [$o] + .),
	(("inviteToSpace", "inviteToCollection") as $o
		| [$o, "userId", { role: "read", teams: ["{teamId}"], users: ["{userId}", "{id}"] }],
		  [$o, "teamId", { role: "read", teams: ["{teamId}", "{id}"], users: ["{userId}"] }]),
	(("transferSpace", "transferCollection") | [., "organizationId", { organization: "{id}" }]),
	(("createSpace", "createCollection") | [., "collectionId", { parent: "{id}" }]),
	(("updateOrganizationById", "updateSpaceById") | [., "userId", rules]),
	["updateOrganizationById", "siteId", { defaultContent: { type: "site", site: "{id}" } }],
	(("createOrganizationSAMLProvider", "updateOrganizationSAMLProvider") | [., "teamId", { label: "New", defaultTeam: "{id}" }]),
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
	["createSite", "spaceId", { spaces: ["{spaceId}", "{id}"] }],
	["updateSiteById", "siteSpaceId", { defaultSiteSpace: "{id}" }],
	["updateSiteById", "siteSectionId", { defaultSiteSection: "{id}" }],
	(("addSpaceToSite", "addSectionToSite", "updateSiteSpaceById") | [., "spaceId", { spaceId: "{id}" }]),
	["addSpaceToSite", "siteSectionId", { spaceId: "{spaceId}", sectionId: "{id}" }],
	["updateSiteSectionById", "siteSpaceId", { defaultSiteSpace: "{id}" }],
	["addSectionGroupToSite", "siteSectionId", { title: "New", sections: ["{nextSectionId}", "{id}"] }],
	["addSectionGroupToSite", "siteSectionGroupId", { title: "New", parent: "{id}" }],
	["addSectionToGroup", "siteSectionId", { sectionId: "{id}" }],
	["moveSiteSpace", "siteSpaceId", { position: { before: { type: "site-space", siteSpace: "{id}" } } }],
	["moveSiteSection", "siteSectionId", { position: { before: { type: "site-section", siteSection: "{id}" } } }],
	["moveSiteSectionGroup", "siteSectionGroupId", { position: { after: { type: "site-section-group", id: "{id}" } } }],
	["sortSiteStructure", "siteSectionId", { item: { type: "site-section", id: "{id}" }, position: { after: { type: "site-section", id: "{nextSectionId}" } } }],
	["sortSiteStructure", "siteSectionGroupId", { item: { type: "site-section", id: "{siteSectionId}" }, position: { after: { type: "site-section-group", id: "{id}" } } }],
	(("createSiteRedirect", "updateSiteRedirectById") as $o
		| [$o, "siteSpaceId", { source: "/else", destination: { kind: "site-space", siteSpaceId: "{id}" } }],
		  [$o, "spaceId", { source: "/else", destination: { kind: "path", spaceId: "{id}", path: "x" } }],
		  [$o, "siteSectionId", { source: "/else", destination: { kind: "site-section", siteSectionId: "{id}" } }]),
	# Told in its place, beside those that are done.
	(["siteSpaceId", "site-space"], ["siteSectionId", "site-section"] | . as [$kind, $to] | ["bulkUpsertSiteRedirects", $kind,
		{ redirects: [{ source: "/else", destination: { kind: $to, ($kind): "{id}" } }] }, 200]),
	["bulkUpsertSiteRedirects", "spaceId", { redirects: [{ source: "/else", destination: { kind: "path", spaceId: "{id}", path: "x" } }] }, 200],
	["trackEventsInSiteById", "siteSpaceId", { events: [{ type: "page_view", location: { url: "https://docs.example/", siteSpace: "{id}" } }] }],
	["aggregateSiteEvents", "siteSpaceId", { range: "lastYear", where: [{ column: "siteSpace", values: ["{id}"] }] }, 200],
	["aggregateSiteEvents", "pageId", { range: "lastYear", where: [{ column: "page", values: [{ page: "{id}", space: "{spaceId}" }] }] }, 200],
	["aggregateSiteEvents", "spaceId", { range: "lastYear", where: [{ column: "page", values: [{ page: "{pageId}", space: "{id}" }] }] }, 200],
	["searchSiteContent", "siteSpaceId", { query: "x", mode: "current", siteSpaceId: "{id}" }, 200],
	["searchSiteContent", "siteSpaceId", { query: "x", mode: "specific", siteSpaceIds: ["{id}"] }, 200],
	(page_changes | change(.));
def texts: ["source", "query", "message", "commitMessage", "jwtToken", "basename", "proxy", "path", "title", "description", "text", "emailDomains", "hostname", "expression", "certificate", "entityID", "label", "emoji", "icon",
	"subject", "markdown", "record", "definition", "addedReactions", "removedReactions", "base64", "condition", "contentType",
	"name", "ref", "slug", "block", "repoCacheID", "repoCommitURL", "repoProjectDirectory", "repoTreeURL", "url", "displayName", "ssoURL", "photoURL", "commitEmail", "token"];

# Names of the texts in a body, and "*" for the keys of a map.
# What documents refer to is shown as links are: access_links tries them.
def leaves($d; $depth): select(.["$ref"] // "" | endswith("/DocumentBlock") | not) | bare | resolve($d) | select($depth < 7 and (.enum | not))
	| if .oneOf then .oneOf[] | leaves($d; $depth + 1)
	elif kind == "object" then (.properties // {} | to_entries[] | .key as $k | .value | bare | resolve($d)
			| if kind == "array" then .items | select(.["$ref"] // "" | endswith("/DocumentBlock") | not) | resolve($d) else . end
			| if kind == "string" and (.enum or .format | not) then $k else leaves($d; $depth + 1) end),
		(if .additionalProperties | type == "object" then "*" else empty end)
	else empty end;
def named($body): $body | [paths | select(.[-1] == "{id}") | "*"] + [paths(. == "{id}") | map(strings)[-1]];
# A text in a body is an id that is tried here, or one of `texts`.
# Ids of conversations are texts of the caller's own; templates are known by their
# names to everybody, and none asks for content (contentRefs).
# Keys of a term are languages. What a customization refers to is shown as links are; the page of a redirect is
# looked for when somebody follows it, and that of an event is counted whether it is there or not. Headers have names.
def of_templates($o; $leaf): ($o | test("SiteCustomization|SiteSpaceCustomization")) or ($o | test("SiteRedirect")) and $leaf == "pageId" or ($o == "updateGlossaryEntries" and $leaf == "*") or ($o | test("SiteMcpServer")) and $leaf == "*" or ($o == "trackEventsInSiteById" and $leaf == "page") or ($o == "applyTemplateToSpace" or $o == "createChangeRequest") and ($leaf == "id" or $leaf == "*");
def all_told($d): [$d | operations | select(.schema and .id != "ingestConversation") | .id as $o | [.schema | leaves($d; 0)] | unique[]
	| . as $leaf | select(texts | index($leaf) == null) | select(of_templates($o; $leaf) | not) | select([body_ids | select(.[0] == $o) | named(.[2])[]] | index($leaf) == null)
	| "\($o) \($leaf)"] | if . == [] then empty else error("access_ids.jq: ids in bodies that are not tried: \(join(", "))") end;

# ---- ids in queries: [name, what it names, status] ----

def query_ids: ["space", "spaceId", 404], ["collection", "collectionId", 404],
	(("owner", "creator", "contributor", "requestedReviewer", "actor", "target", "authors") | [., "userId", 200]),
	["cluster", "clusterId", 200], ["conversation", "conversationId", 200], ["conversationsIssuesCluster", "clusterId", 200],
	["targetPage", "pageId", 200], ["target", "spaceId", 200];

# ---- requests ----

# The ids to put there: [whose, id, callers].
def others($o; $kind): ["unknown", unknown, ["admin", "create"]],
	($foreign[0] as $p | $o | own_ids($p)[$kind] | values | ["foreign", ., ["admin"]]),
	# The glossary is the whole organization's.
	(if $kind == "organizationId" or $kind == "glossaryEntryId" then empty
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
	# Roles of ORG_ADMIN and the like are asked for before the id that comes after.
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
