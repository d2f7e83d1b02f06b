/*
 * Organizations. Tables org, member. The creator of an organization becomes its admin. It never
 * loses its last admin (`octavo check` verifies this).
 */
#include <cjson/cJSON.h>
#include <strings.h>

#include "api/access.h"
#include "api/audit_events.h"
#include "api/document_shapes.h"
#include "api/examples.h"
#include "api/invites.h"
#include "api/known_roles.h"
#include "api/lists.h"
#include "api/merge_rule_settings.h"
#include "api/meta.h"
#include "api/orgs.h"
#include "api/refusals.h"
#include "app/audit.h"
#include "app/people.h"
#include "app/roles.h"
#include "http/req.h"

static const struct shape OrgUrls = { "OrganizationUrls", (const struct field[]){
	{ "location", T_TEXT, F_REQ, .url = "/v1/orgs/{id}", .doc = "Address in this API",
	  .example = EXAMPLE_URL "/orgs/" EXAMPLE_ORG },
	{ "app", T_TEXT, F_REQ, .url = "/v1/orgs/{id}", .app = "/app/orgs/{id}", .doc = "Page of the application; the address in this API where OCTAVO_APP=0",
	  .example = EXAMPLE_APP "/orgs/" EXAMPLE_ORG },
	{ "logo", T_TEXT, .doc = "Address of its logo", .example = "https://example.com/logo.png" },
	{ 0 } } };
static const struct shape OrgTrial = { "OrganizationTrial", (const struct field[]){
	{ "status", T_TEXT, F_REQ, .doc = "State of the trial; always notapplicable here",
	  .example = "notapplicable" },
	{ "count", T_INT, F_REQ, .doc = "Trials so far", .example = "0" },
	{ 0 } } };

static const struct shape OrgPermissions = { "OrganizationPermissions", (const struct field[]){
	{ "view", T_BOOL, F_REQ, .doc = "You may see it" },
	{ "access", T_BOOL, F_REQ, .doc = "You may read content that is shared with you" },
	{ "admin", T_BOOL, F_REQ, .doc = "You may change its settings and members" },
	{ "ownTeam", T_BOOL, F_REQ, .doc = "You own a team" },
	{ "createContent", T_BOOL, F_REQ, .doc = "You may make spaces and collections" },
	{ "createOpenAPISpec", T_BOOL, F_REQ, .doc = "You may add OpenAPI specifications" },
	{ "ingestConversations", T_BOOL, F_REQ, .doc = "You may send conversations" },
	{ "viewBilling", T_BOOL, F_REQ, .doc = "You may see billing" },
	{ "listMembers", T_BOOL, F_REQ, .doc = "You may list its members" },
	{ "listTeams", T_BOOL, F_REQ, .doc = "You may list its teams" },
	{ "listIntegrations", T_BOOL, F_REQ, .doc = "You may list integrations" },
	{ "listInstallations", T_BOOL, F_REQ, .doc = "You may list installations" },
	{ "installIntegration", T_BOOL, F_REQ, .doc = "You may install integrations" },
	{ 0 } } };

/* Octavo has no trials, but clients require the member (docs/design/requests.md, "Defaults"). */
static void
emit_trial(struct json *j, const struct field *f, const struct row *w)
{
	(void)w;
	json_kobj(j, f->name);
	json_kstr(j, "status", "notapplicable");
	json_kint(j, "count", 0);
	json_end(j);
}

/*
 * Writes what the caller may do. The row's role is ROLE_STRANGER if the caller is not a member. The
 * permissions for integrations are false, since Octavo has none.
 */
static void
emit_permissions(struct json *j, const struct field *f, const struct row *w)
{
	enum role role = cap_role(w->r, row_int(w, "role"));
	/*
	 * An owner of a team may manage it only with a token whose cap is at least create, as in
	 * team_access() (access_rules.c).
	 */
	bool own = row_int(w, "owns_team") != 0 && w->r->who.cap >= ROLE_CREATE;

	json_kobj(j, f->name);
	json_kbool(j, "view", role >= ROLE_NONE);
	json_kbool(j, "access", role >= ROLE_NONE);
	json_kbool(j, "admin", role >= ROLE_ADMIN);
	json_kbool(j, "ownTeam", own);
	json_kbool(j, "createContent", role >= ROLE_CREATE);
	json_kbool(j, "createOpenAPISpec", role >= ROLE_CREATE);
	json_kbool(j, "ingestConversations", role >= ROLE_CREATE);
	json_kbool(j, "viewBilling", role >= ROLE_ADMIN);
	json_kbool(j, "listMembers", role >= ROLE_READ);
	json_kbool(j, "listTeams", role >= ROLE_READ);
	json_kbool(j, "listIntegrations", false);
	json_kbool(j, "listInstallations", false);
	json_kbool(j, "installIntegration", false);
	json_end(j);
}

/* defaultContent can only be a site: the published API has no other form of it. */
static const struct shape SitePointer = { "SitePointer", (const struct field[]){
	{ "type", T_CONST, F_REQ, .set = "site", .doc = "Kind of object" },
	{ "site", T_TEXT, F_REQ, .max = 100, .doc = "Id of the site", .example = "n6KtV3wHxRq9LmZc8TfB" },
	{ 0 } } };
const struct shape Organization = { "Organization", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "organization", .doc = "Kind of object" },
	{ "id", T_TEXT, F_REQ, .doc = "Unique id", .example = EXAMPLE_ORG },
	{ "title", T_TEXT, F_REQ, .doc = "Title", .example = "Acme" },
	{ "createdAt", T_TIME, F_REQ, .col = "created_at", .doc = "When it was created" },
	{ "emailDomains", T_LIST, F_REQ, .item = &(const struct field){ "", T_TEXT },
	  .col = "email_domains",
	  .doc = "Domains whose verified users may join", .example = "[\"example.com\"]" },
	{ "hostname", T_TEXT, .doc = "Prefix of its public addresses", .example = "acme-docs" },
	{ "type", T_TEXT, F_REQ, .doc = "Kind of organization", .example = "business" },
	{ "useCase", T_TEXT, .col = "use_case", .doc = "What it is used for", .example = "productDocs" },
	{ "communityType", T_TEXT, .col = "community_type", .doc = "Kind of community",
	  .example = "openSource" },
	{ "defaultRole", T_ROLE, F_NULL, .col = "default_role",
	  .doc = "Role of new members; null: a guest" },
	{ "defaultContent", T_OBJECT, .of = &SitePointer, .col = "default_content",
	  .doc = "Content that its address shows first; absent: none" },
	{ "sso", T_BOOL, .doc = "true: members have access only with a sign-in at one of the organization's providers; admins with any "
	  "sign-in" },
	{ "tokens", T_ENUM, F_REQ, .set = "keep,stop", .doc = "With `sso`: keep: API tokens of members who are not admins still give "
	  "access; stop: they do not" },
	{ "ai", T_BOOL, .doc = "true: AI features are wanted" },
	{ "inviteLinks", T_BOOL, F_REQ, .col = "invite_links", .doc = "true: invite links can be used" },
	{ "plan", T_TEXT, F_REQ, .doc = "Always community_2024: nothing is behind a paywall",
	  .example = "community_2024" },
	{ "mergeRules", T_OBJECT, F_REQ, .of = &MergeRulesOrganization, .col = "merge_rules",
	  .doc = "Rules that a change request must meet before it is merged" },
	{ "urls", T_OBJECT, F_REQ, .of = &OrgUrls, .join = "", .doc = "Its addresses" },
	{ "trial", T_OBJECT, F_REQ, .of = &OrgTrial, .emit = emit_trial,
	  .doc = "Exists only for clients: Octavo has no trials" },
	{ "permissions", T_OBJECT, F_REQ, .of = &OrgPermissions, .emit = emit_permissions,
	  .doc = "What you may do with it" },
	{ 0 } } };
LIST_SHAPE(OrganizationList, Organization);

#define LABEL "[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?"
/* 253 octets: the longest name of RFC 1035 section 2.3.4, written with dots. */
static const struct field email_domain = { "", T_TEXT, .min = 1, .max = 253,
	.pattern = "^" LABEL "([.]" LABEL ")*$", .want = "a domain, such as example.com" };
const struct shape OrganizationCreate = { "CreateOrganization", (const struct field[]){
	{ "title", T_TEXT, F_REQ, .min = 2, .max = 255, .doc = "Title", .example = "Acme" },
	{ "emailDomains", T_LIST, .max = 100, .item = &email_domain,
	  .doc = "Domains whose verified users may join", .example = "[\"example.com\"]" },
	{ "type", T_ENUM, .set = "business,community", .preset = "\"business\"",
	  .doc = "Kind of organization" },
	{ "useCase", T_ENUM, .set = "internalDocs,docsSite,audienceControlledSite,productDocs,"
	  "teamKnowledgeBase,designSystem,openSourceDocs,notes,other", .doc = "What it is used for" },
	{ "communityType", T_ENUM, .set = "nonProfit,openSource,education", .doc = "Kind of community" },
	{ "onboardingPreferences", T_OBJECT, .of = &AnyObject, .doc = "Ignored" },
	{ 0 } } };

const struct shape OrganizationEdit = { "UpdateOrganization", (const struct field[]){
	{ "title", T_TEXT, .min = 2, .max = 255, .doc = "Title", .example = "Acme" },
	{ "emailDomains", T_LIST, .max = 100, .item = &email_domain,
	  .doc = "Domains whose verified users may join", .example = "[\"example.com\"]" },
	{ "hostname", T_TEXT, .min = 3, .max = 32, .pattern = "^[a-z0-9][a-z0-9-]{1,30}[a-z0-9]$",
	  .want = "of small letters, digits and, not at an end, hyphens",
	  .doc = "Prefix of its public addresses", .example = "acme-docs" },
	{ "defaultRole", T_ROLE, F_NULL, .doc = "Role of new members; null: a guest" },
	{ "defaultContent", T_OBJECT, F_NULL, .of = &SitePointer,
	  .doc = "Content that its address shows first; null: none" },
	{ "logo", T_URI, F_NULL, .max = 2048, .doc = "Address of its logo; null: none",
	  .example = "https://example.com/logo.png" },
	{ "sso", T_BOOL, .doc = "true: members have access only with a sign-in at one of the organization's providers; admins with any "
	  "sign-in. Only a session from such a sign-in can turn it on" },
	{ "tokens", T_ENUM, .set = "keep,stop", .doc = "With `sso`: keep: API tokens of members who are not admins still give access; "
	  "stop: they do not" },
	{ "ai", T_BOOL, .doc = "true: AI features are wanted" },
	{ "inviteLinks", T_BOOL, .doc = "true: invite links can be used" },
	{ "mergeRules", T_OBJECT, .of = &MergeRulesOrganization,
	  .doc = "Rules that a change request must meet before it is merged" },
	{ 0 } } };
const struct shape DomainOrganizations = { "EmailDomainOrganizations", (const struct field[]){
	{ "organizations", T_LIST, F_REQ, .of = &Organization, .doc = "Organizations that you may join" },
	{ 0 } } };

static const struct shape InstructionUrls = { "AgentInstructionsUrls", (const struct field[]){
	{ "location", T_TEXT, F_REQ, .url = "/v1/orgs/{:org}/agent-instructions", .doc = "Address in this API",
	  .example = EXAMPLE_URL "/orgs/" EXAMPLE_ORG "/agent-instructions" },
	{ 0 } } };

const struct shape AgentInstructions = { "OrganizationAgentInstructions", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "agent-instructions", .doc = "Kind of object" },
	{ "instructions", T_OBJECT, F_REQ, .of = &JSONDocument, .col = "document",
	  .doc = "Instructions for agents" },
	{ "updatedAt", T_TIME, F_REQ, .col = "updated_at", .doc = "When it was last changed" },
	{ "updatedBy", T_TEXT, F_REQ, .col = "updated_by", .doc = "Id of the user who wrote the instructions",
	  .example = EXAMPLE_USER },
	{ "urls", T_OBJECT, F_REQ, .of = &InstructionUrls, .join = "",
	  .doc = "Its addresses" },
	{ 0 } } };
const struct shape AgentInstructionsEdit = { "UpdateAgentInstructions", (const struct field[]){
	{ "instructions", T_OBJECT, F_REQ, .of = &JSONDocument, .doc = "Instructions for agents" },
	{ 0 } } };

/*
 * m is the caller's membership; its columns are NULL if the caller has none. plan:
 * docs/design/requests.md, "Defaults".
 */
#define ORG_COLS \
	"o.id, o.title, o.created_at, o.email_domains, o.hostname, o.type, o.use_case, " \
	"o.community_type, COALESCE(o.default_role, 0) AS default_role, o.default_content, o.sso, o.tokens, o.ai, " \
	"o.invite_links, " \
	"'community_2024' AS plan, o.merge_rules, o.logo, " \
	"CASE WHEN m.account IS NULL THEN " SQL_ROLE_STRANGER " ELSE COALESCE(m.role, 0) END AS role, " \
	"EXISTS (SELECT 1 FROM team_member tm JOIN team t ON t.id = tm.team " \
	"WHERE tm.account = :user AND tm.role = 'owner' AND t.org = o.id) AS owns_team"

/*
 * No check of `disabled`: the access check has refused disabled members, and a new organization has
 * none.
 */
SQL(q_org,
    "SELECT " ORG_COLS " FROM org o JOIN member m ON m.org = o.id AND m.account = :user "
    "WHERE o.id = :org");
/* Does not set the domains: org_domains() writes the column as well as the table org_domain. */
SQL(q_org_edit,
    "UPDATE org SET "
    "title = CASE WHEN :has_title = 1 THEN :title ELSE title END, "
    "hostname = CASE WHEN :has_hostname = 1 THEN :hostname ELSE hostname END, "
    "default_role = CASE WHEN :has_defaultRole = 1 THEN :defaultRole ELSE default_role END, "
    "default_content = CASE WHEN :has_defaultContent = 1 THEN :defaultContent ELSE default_content END, "
    "logo = CASE WHEN :has_logo = 1 THEN :logo ELSE logo END, "
    "sso = CASE WHEN :has_sso = 1 THEN :sso ELSE sso END, "
    "tokens = CASE WHEN :has_tokens = 1 THEN :tokens ELSE tokens END, "
    "ai = CASE WHEN :has_ai = 1 THEN :ai ELSE ai END, "
    "invite_links = CASE WHEN :has_inviteLinks = 1 THEN :inviteLinks ELSE invite_links END, "
    "merge_rules = CASE WHEN :has_mergeRules = 1 THEN :mergeRules ELSE merge_rules END "
    "WHERE id = :org");
SQL(q_snapshot,
    "SELECT title, hostname, default_role AS \"role_defaultRole\", default_content AS "
    "\"json_defaultContent\", logo, sso AS bool_sso, tokens, ai AS bool_ai, invite_links AS "
    "\"bool_inviteLinks\", "
    "email_domains AS \"json_emailDomains\", merge_rules AS \"json_mergeRules\" "
    "FROM org WHERE id = :org");
/* The site need not be published: clients may set the pointer first. */
SQL(q_own_site, "SELECT 1 FROM site WHERE id = :id AND org = :org");
/*
 * Checked before the update, in its write transaction: violating the UNIQUE column would be a 500
 * instead of a clear 409.
 */
SQL(q_hostname_taken, "SELECT 1 FROM org WHERE hostname = :hostname AND id <> :org");
/*
 * There are few such organizations, so the list has no pages. A LEFT JOIN, since the caller need
 * not be a member of them; the role is then ROLE_STRANGER.
 */
SQL(q_orgs_of_domain,
    "SELECT " ORG_COLS " FROM org_domain d JOIN org o ON o.id = d.org "
    "LEFT JOIN member m ON m.org = o.id AND m.account = :user AND m.disabled = 0 AND " OPENS("o.id") " "
    "WHERE d.domain = :domain ORDER BY d.org");
/*
 * Until the first PUT the instructions are an empty document, last changed when the organization
 * was created (docs/design/requests.md, "Defaults"). If it is not known who created the
 * organization, its first admin is named as the author.
 */
SQL(q_instructions,
    "SELECT COALESCE(i.document, '{\"object\":\"document\",\"data\":{\"schemaVersion\":1},"
    "\"nodes\":[]}') AS document, COALESCE(i.updated_at, o.created_at) AS updated_at, "
    "COALESCE(i.updated_by, o.creator, (SELECT m.account FROM member m WHERE m.org = o.id AND m.role = " SQL_ROLE_ADMIN " "
    "ORDER BY m.joined_at, m.account LIMIT 1)) AS updated_by FROM org o "
    "LEFT JOIN agent_instructions i ON i.org = o.id WHERE o.id = :org");
/* Returns no row before the first PUT; the audit record then contains only the new state. */
SQL(q_instructions_snapshot,
    "SELECT document AS json_instructions FROM agent_instructions WHERE org = :org");
/* One row per organization, created by the first PUT. */
SQL(q_instructions_set,
    "INSERT INTO agent_instructions (org, document, updated_at, updated_by) "
    "VALUES (:org, :document, :now, :user) ON CONFLICT (org) DO UPDATE SET "
    "document = excluded.document, updated_at = excluded.updated_at, updated_by = excluded.updated_by");
/* Newest membership first. */
SQL(q_orgs,
    "SELECT " ORG_COLS ", m.joined_at AS k1, m.org AS k2 FROM member m JOIN org o ON o.id = m.org "
    "WHERE m.account = :user AND m.disabled = 0 AND " OPENS("m.org") " "
    "AND (CAST(:k1 AS TEXT) IS NULL OR "
    "(m.joined_at, m.org) < (CAST(:k1 AS INTEGER), :k2)) "
    "ORDER BY m.joined_at DESC, m.org DESC LIMIT :limit /*scan*/");
/* Uses the index member_user. Disabled members do not see the organization. */
SQL(q_org_count,
    "SELECT count(*) FROM member WHERE account = :user AND disabled = 0 "
    "AND " OPENS("member.org"));

/* GET /orgs */
HANDLER(listOrganizationsForAuthenticatedUser)
{
	struct stmt *q;
	struct list l;
	int64_t count;

	if (list_open(r, &l, 2) != 0)
		return -1;
	q = db_use(r->db, &q_org_count);
	bind_sign_in(q, r);
	count = stmt_int(q, 0);
	q = db_use(r->db, &q_orgs);
	bind_sign_in(q, r);
	list_bind(q, &l);
	return list_reply(r, &l, q, &Organization, count);
}

/* The statement is not stepped yet: reply_row() does it. */
struct stmt *
org_row(struct req *r, const char *id)
{
	struct stmt *q = db_use(r->db, &q_org);

	bind_text(q, ":org", id);
	bind_text(q, ":user", r->who.user);
	return q;
}

static int
reply_org(struct req *r, const char *id)
{
	return reply_row(r, org_row(r, id), &Organization);
}

/* Returns the row as JSON for the audit log; NULL if there is none, as before the first PUT of the instructions. */
static char *
row_snapshot(struct req *r, const struct sql *sql, const char *org)
{
	struct stmt *q = db_use(r->db, sql);

	bind_text(q, ":org", org);
	return audit_snapshot(r->arena, q);
}

/* POST /orgs */
HANDLER(createOrganization)
{
	/*
	 * The body's onboardingPreferences are accepted and ignored (docs/design/permissions.md,
	 * "First objects").
	 */
	struct org_new o = { .title = body_text(r, "title"), .domains = body_json(r, "emailDomains"),
		.type = body_text(r, "type"), .use_case = body_text(r, "useCase"),
		.community_type = body_text(r, "communityType"), .creator = r->who.user };
	char *id = org_make(r->db, r->arena, &o);

	/* Done in the same transaction, so that no organization is ever without an admin. */
	member_set(r->db, id, r->who.user, ROLE_ADMIN);
	/*
	 * The creator chose this organization, so changes to their account are recorded in it
	 * (audit_everywhere()).
	 */
	member_chose(r->db, id, r->who.user);
	audit(r, &(struct audit_event){ .action = AUDIT_ORG_CREATE, .org = id, .type = "organization",
	    .target = id, .after = row_snapshot(r, &q_snapshot, id) });
	reply_created(r, arena_printf(r->arena, "/orgs/%s", id));
	return reply_org(r, id);
}

/* GET /orgs/{organizationId} */
HANDLER(getOrganizationById)
{
	return reply_org(r, r->org.id);
}

/*
 * Checks that no other organization has the body's hostname. An absent one is bound as NULL, which
 * equals no row. 0 or fail().
 */
static int
hostname_or_fail(struct req *r)
{
	struct stmt *q = db_use(r->db, &q_hostname_taken);

	bind_text(q, ":hostname", body_text(r, "hostname"));
	bind_text(q, ":org", r->org.id);
	if (stmt_int(q, 0) == 1)
		return fail(r, E_CONFLICT, "the hostname %s is taken", body_text(r, "hostname"));
	return 0;
}

/* Checks that defaultContent names a site of the organization, if the body has it. 0 or fail(). */
static int
default_content_or_fail(struct req *r)
{
	const cJSON *site = cJSON_GetObjectItemCaseSensitive(body_get(r, "defaultContent"), "site");

	struct stmt *q;

	if (site == NULL)
		return 0;
	q = db_use(r->db, &q_own_site);
	bind_text(q, ":id", site->valuestring);
	bind_text(q, ":org", r->org.id);
	return stmt_int(q, 0) == 1 ? 0 : fail(r, E_NOT_FOUND, "no site %s", site->valuestring);
}

SQL(q_sso, "SELECT sso FROM org WHERE id = :org");

/*
 * `sso` can only be turned on with a session of one of the organization's providers. That proves
 * that a provider works, so that members are not locked out. 0 or fail().
 */
static int
sso_or_fail(struct req *r)
{
	struct stmt *q = db_use(r->db, &q_sso);
	const char *ways;

	bind_text(q, ":org", r->org.id);
	if (!body_bool(r, "sso", false) || r->who.only_org != NULL || stmt_int(q, 0) == 1)
		return 0;
	ways = provider_addresses(r, r->org.id);
	return fail(r, E_FORBIDDEN, "only an admin who has signed in at a provider of the organization turns `sso` on: %s%s",
	    ways != NULL ? "sign in at " : "add one first", ways != NULL ? ways : "");
}

/* PATCH /orgs/{organizationId}: absent members keep their value. */
HANDLER(updateOrganizationById)
{
	static const char *const members[] = { "title", "hostname", "defaultRole", "defaultContent", "logo",
		"sso", "tokens", "ai", "inviteLinks", "mergeRules" };
	char *before = row_snapshot(r, &q_snapshot, r->org.id);
	struct stmt *q;
	size_t i;

	if (sso_or_fail(r) != 0 || hostname_or_fail(r) != 0 || default_content_or_fail(r) != 0 ||
	    merge_rules_or_fail(r, r->org.id, before) != 0)
		return -1;
	/* Prepared last, since the checks above run statements of their own. */
	q = db_use(r->db, &q_org_edit);
	for (i = 0; i < sizeof(members) / sizeof(members[0]); i++)
		bind_body(q, r, members[i]);
	bind_text(q, ":org", r->org.id);
	stmt_run(q);
	/*
	 * The domains are also stored in the table org_domain, by which an organization is found by
	 * the domain of an address.
	 */
	if (body_has(r, "emailDomains"))
		org_domains(r->db, r->arena, r->org.id, body_json(r, "emailDomains"));
	audit_change(r, &(struct audit_event){ .action = AUDIT_ORG_UPDATE, .org = r->org.id,
	    .type = "organization", .target = r->org.id }, before,
	    row_snapshot(r, &q_snapshot, r->org.id));
	return reply_org(r, r->org.id);
}

/* GET /email-domains/{emailDomain}/orgs and /o: only for callers with a verified address there. */
HANDLER(getOrganizationsForEmailDomain)
{
	const char *domain = path_id(r, "emailDomain"), *mine = own_domain(r);
	struct stmt *q;

	json_obj(&r->json);
	json_karr(&r->json, "organizations");
	/*
	 * Anybody else gets an empty list: otherwise the route would reveal which companies have an
	 * account here (docs/design/permissions.md, "Email domains").
	 */
	if (mine != NULL && strcasecmp(mine, domain) == 0) {
		q = db_use(r->db, &q_orgs_of_domain);
		bind_text(q, ":domain", mine);
		bind_sign_in(q, r);
		while (stmt_step(q))
			shape_row(&r->json, &Organization, r, q);
	}
	json_end(&r->json);
	json_end(&r->json);
	return 0;
}

/* GET /email-domains/{emailDomain}/o: the short spelling. */
HANDLER(getOrganizationsForEmailDomainShort)
{
	return getOrganizationsForEmailDomain(r);
}

/* GET /orgs/{organizationId}/agent-instructions */
HANDLER(getOrganizationAgentInstructions)
{
	struct stmt *q = db_use(r->db, &q_instructions);

	bind_text(q, ":org", r->org.id);
	return reply_row(r, q, &AgentInstructions);
}

/* PUT /orgs/{organizationId}/agent-instructions */
HANDLER(updateOrganizationAgentInstructions)
{
	char *before = row_snapshot(r, &q_instructions_snapshot, r->org.id);
	struct stmt *q = db_use(r->db, &q_instructions_set);

	bind_text(q, ":org", r->org.id);
	bind_text(q, ":document", body_json(r, "instructions"));
	bind_int(q, ":now", time_now());
	bind_text(q, ":user", r->who.user);
	stmt_run(q);
	audit_change(r, &(struct audit_event){ .action = AUDIT_AGENT_INSTRUCTIONS, .org = r->org.id,
	    .type = "organization", .target = r->org.id }, before,
	    row_snapshot(r, &q_instructions_snapshot, r->org.id));
	return getOrganizationAgentInstructions(r);
}
