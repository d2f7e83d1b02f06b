/*
 * Sign-in at an organization's own providers, for its members and for the admin who turns `sso` on (app/roles.h,
 * IS_CLOSED). Tables org, member, token; view active_provider.
 */
#include "api/access.h"
#include "api/examples.h"
#include "api/lists.h"
#include "api/sso.h"
#include "api/users.h"
#include "app/roles.h"
#include "base/exact.h"
#include "http/req.h"

#define LOGIN_FIELDS(required) \
	{ "id", T_TEXT, required, .doc = "Id of the provider", .example = EXAMPLE_SAML }, \
	{ "label", T_TEXT, required, .doc = "Name that people see", .example = "Acme login" }, \
	{ "startURL", T_TEXT, required, .url = "/app/sso/{id}", .doc = "Address at which signing in starts", \
	  .example = "https://docs.example.com/app/sso/" EXAMPLE_SAML }
static const struct shape Login = { "SSOProviderLogin", (const struct field[]){ LOGIN_FIELDS(F_REQ), { 0 } } };
const struct shape LoginList = { "SSOProviderLogins", (const struct field[]){
	{ "items", T_LIST, F_REQ, .of = &Login, .doc = "Providers that are set up completely" },
	{ 0 } } };

static const struct shape ShutOrganization = { "ShutOrganization", (const struct field[]){
	{ "organization", T_TEXT, F_REQ, .col = "org", .doc = "Id of the organization", .example = EXAMPLE_ORG },
	{ "title", T_TEXT, F_REQ, .doc = "Its title", .example = "Acme" },
	{ "login", T_OBJECT, .of = &Login, .join = "login_", .doc = "Provider at which you can sign in to open the organization; absent: "
	  "none works" },
	{ 0 } } };
const struct shape ShutOrganizations = { "ShutOrganizations", (const struct field[]){
	{ "items", T_LIST, F_REQ, .of = &ShutOrganization, .doc = "Sorted by title; an organization with two providers is listed twice" },
	{ 0 } } };

static const struct shape OrganizationToken = { "OrganizationToken", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "organization-token", .doc = "Kind of object" },
	{ "id", T_TEXT, F_REQ, .doc = "Unique id, not the text", .example = EXAMPLE_TOKEN },
	{ "label", T_TEXT, .doc = "Purpose of the token; absent: the member was added, and did not join by themselves",
	  .example = "Nightly import" },
	{ "scope", T_ENUM, F_REQ, .set = "read,write,admin", .doc = "Scope of its permissions" },
	{ "createdAt", T_TIME, F_REQ, .col = "created_at", .doc = "When it was created" },
	{ "expiresAt", T_TIME, .col = "expires_at", .doc = "When it expires; absent: never" },
	{ "user", T_OBJECT, F_REQ, .of = &User, .join = "u_", .doc = "The member for whom it acts" },
	{ "admin", T_BOOL, F_REQ, .doc = "true: the member is an admin, whose tokens `sso` never stops" },
	{ 0 } } };
LIST_SHAPE(OrganizationTokenList, OrganizationToken);

/* Both lists are short, so they have no pages (docs/design/requests.md, "Lists"). */
SQL(q_logins, "SELECT id, label FROM active_provider WHERE org = :org ORDER BY created_at, id /*scan*/");
SQL(q_shut,
    "SELECT o.id AS org, o.title, p.id AS login_id, p.label AS login_label FROM member m JOIN org o ON o.id = m.org "
    "LEFT JOIN active_provider p ON p.org = o.id WHERE m.account = :user AND m.disabled = 0 "
    "AND CAST(:only_org AS TEXT) IS NULL AND " IS_CLOSED("m.org", ":user", ":by_session")
    " ORDER BY o.title, o.id, p.created_at, p.id /*scan*/");
/*
 * Accounts are global, and an admin can add any address as a member. So the list omits the tokens
 * of members who have never signed in here: they would show whether an address has an account. It
 * shows labels only for members who joined by their own choice, as the audit record does
 * (member_chose()).
 */
#define TOKENS_FROM \
	"FROM token t JOIN member m ON m.account = t.account AND m.org = :org AND m.disabled = 0 " \
	"AND (m.chosen = 1 OR m.seen_at IS NOT NULL) JOIN account u ON u.id = t.account " \
	"WHERE t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > :now) "
SQL(q_tokens,
    "SELECT t.id, CASE WHEN m.chosen = 1 THEN t.label END AS label, t.scope, t.created_at, t.expires_at, "
    USER_COLS("u", "u_") ", COALESCE(m.role, 0) >= " SQL_ROLE_ADMIN " AS admin, t.created_at AS k1, t.id AS k2 " TOKENS_FROM
    "AND (t.created_at, t.id) < (COALESCE(CAST(:k1 AS BIGINT), " SQL_EXACT_MAX "), COALESCE(:k2, '')) "
    "ORDER BY t.created_at DESC, t.id DESC LIMIT :limit /*scan*/");
SQL(q_token_count, "SELECT count(*) " TOKENS_FROM);

static int
reply_items(struct req *r, struct stmt *q, const struct shape *item)
{
	json_obj(&r->json);
	json_karr(&r->json, "items");
	while (stmt_step(q))
		shape_row(&r->json, item, r, q);
	json_end(&r->json);
	json_end(&r->json);
	return 0;
}

/* GET /orgs/{organizationId}/sso */
HANDLER(listSSOProviderLoginsInOrganization)
{
	struct stmt *q = db_use(r->db, &q_logins);

	bind_text(q, ":org", r->org.id);
	return reply_items(r, q, &Login);
}

/* GET /user/sso */
HANDLER(listUserShutOrganizations)
{
	struct stmt *q = db_use(r->db, &q_shut);

	bind_sign_in(q, r);
	return reply_items(r, q, &ShutOrganization);
}

static struct stmt *
bind_tokens(struct req *r, const struct sql *sql)
{
	struct stmt *q = db_use(r->db, sql);

	bind_text(q, ":org", r->org.id);
	bind_int(q, ":now", time_now());
	return q;
}

/* GET /orgs/{organizationId}/tokens: newest first. */
HANDLER(listOrganizationTokens)
{
	struct stmt *q;
	struct list l;
	int64_t count;

	if (list_open(r, &l, 2) != 0)
		return -1;
	count = stmt_int(bind_tokens(r, &q_token_count), 0);
	q = bind_tokens(r, &q_tokens);
	list_bind(q, &l);
	return list_reply(r, &l, q, &OrganizationToken, count);
}
