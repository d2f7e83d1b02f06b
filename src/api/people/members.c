/*
 * Members of organizations. Tables member, account. A member has a role; a guest's role is NULL,
 * and a guest sees only what grants open. An organization always has an admin who is not disabled.
 * A removed member also loses teams and grants of the organization. Lists and counts of a member's
 * spaces contain only spaces that the caller may read as well.
 *
 * A member's flag `sso` restricts nothing: it allows sign-in to match this user by the address that
 * a provider of the organization asserts. The session is then valid only for that organization. A
 * user of several organizations does not get the flag, since an admin of one organization must not
 * decide about such an account.
 */
#include "api/access.h"
#include "api/audit_events.h"
#include "api/examples.h"
#include "api/lists.h"
#include "api/members.h"
#include "api/space_shape.h"
#include "api/users.h"
#include "app/audit.h"
#include "app/people.h"
#include "app/roles.h"
#include "base/exact.h"
#include "base/secret.h"
#include "base/utf8.h"
#include "http/req.h"
#include "store/content.h"

const struct shape Member = { "OrganizationMember", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "member", .doc = "Kind of object" },
	{ "id", T_TEXT, F_REQ, .doc = "Id of the user", .example = EXAMPLE_USER },
	{ "role", T_ROLE, F_REQ | F_NULL, .doc = "Role in the organization; null: a guest" },
	{ "user", T_OBJECT, F_REQ, .of = &User, .join = "u_", .doc = "The user" },
	{ "disabled", T_BOOL, F_REQ, .doc = "true: the member is disabled and has no access" },
	{ "joinedAt", T_TIME, F_REQ, .col = "joined_at", .doc = "When the user became a member" },
	{ "lastSeenAt", T_TIME, .col = "seen_at", .doc = "Time of the last visit" },
	{ "sso", T_BOOL, F_REQ, .doc = "true: the member signs in with SSO" },
	{ "spaces", T_INT, F_REQ, .doc = "Number of spaces that the member can read", .example = "4" },
	{ "teams", T_INT, F_REQ, .doc = "Number of teams of the member", .example = "1" },
	{ "sites", T_INT, F_REQ, .doc = "Number of sites on which the member has a role, of those that you may see", .example = "1" },
	{ 0 } } };
LIST_SHAPE(MemberList, Member);

static const struct shape MemberSpace = { "MemberContentPermission", (const struct field[]){
	{ "permission", T_ROLE, F_REQ, .doc = "Role on the space" },
	{ "space", T_OBJECT, F_REQ, .of = &Space, .join = "", .doc = "The space" },
	{ 0 } } };
LIST_SHAPE(MemberSpaceList, MemberSpace);

#define ORDER \
	{ "order", T_ENUM, .set = "asc,desc", .preset = "\"desc\"", .doc = "desc: newest first; asc: oldest first" }
const struct shape MembersQuery = { "MembersQuery", (const struct field[]){
	PAGING,
	ORDER,
	{ "role", T_ENUM, .set = "admin,create,edit,review,comment,read,guest",
	  .doc = "Only members with this role" },
	{ "search", T_TEXT, .max = 256, .doc = "Only members with this text in the display name or the email", .example = "grace" },
	{ "sort", T_ENUM, .set = "joinedAt,lastSeenAt", .preset = "\"joinedAt\"",
	  .doc = "lastSeenAt: sorts by the last visit; leaves out disabled members, and members without a visit" },
	{ 0 } } };
const struct shape MemberSpacesQuery = { "MemberSpacesQuery", (const struct field[]){
	PAGING, ORDER,
	{ 0 } } };
const struct shape MemberEdit = { "UpdateMember", (const struct field[]){
	{ "role", T_ROLE, F_NULL, .doc = "Role in the organization; null: a guest" },
	{ 0 } } };
const struct shape Ping = { "Ping", (const struct field[]){
	{ "serviceVisitorClaims", T_TEXT, F_REQ, .doc = "A JWT to attach to the user",
	  .example = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ1In0.c2ln" },
	{ "gitbookVisitorClaims", T_TEXT, F_REQ, .doc = "The same as serviceVisitorClaims, under the name that the published client uses",
	  .example = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ1In0.c2ln" },
	{ 0 } } };

/*
 * Lists of members in the order of column `at`, for which there is an index that also serves the
 * filter. dir: ASC or DESC.
 */
#define KEY(at, user, op, first) \
	"(" at ", " user ") " op " (COALESCE(CAST(:k1 AS BIGINT), " first "), COALESCE(:k2, '')) "
/*
 * The CTE `them` contains only the members of this page of the list, so that AND_GAINED computes
 * the readable spaces of no others.
 */
#define PAGE_OF(filter, at, dir, op, first) \
	WITH_PLACES AND_SEEN ", them (org, account, at) AS MATERIALIZED (SELECT m.org, m.account, " at " FROM member m " \
	"WHERE m.org = :org AND " filter KEY(at, "m.account", op, first) \
	"ORDER BY " at " " dir ", m.account " dir " LIMIT :limit)" AND_GAINED \
	"SELECT " MEMBER_COLS ", x.at AS k1, x.account AS k2 FROM " MEMBER_FROM \
	"ORDER BY x.at " dir ", x.account " dir " /*scan*/"
/*
 * As PAGE_OF, for filters without an index: all matches are found once, for both the page and the
 * count. An empty page has one row, with the count and without a member.
 */
#define FOUND_OF(filter, at, dir, op, first) \
	WITH_PLACES AND_SEEN ", found (account, at) AS MATERIALIZED (SELECT m.account, " at " FROM member m " \
	"JOIN account w ON w.id = m.account WHERE m.org = :org AND " filter \
	"(CAST(:role AS BIGINT) IS NULL OR COALESCE(m.role, 0) = :role) AND (CAST(:search AS TEXT) IS NULL " \
	"OR w.name_folded LIKE :search ESCAPE '\\' OR w.address_folded LIKE :search ESCAPE '\\') " \
	"ORDER BY " at " " dir ", m.account " dir "), " \
	"them (org, account, at) AS MATERIALIZED (SELECT :org, account, at FROM found WHERE " KEY("at", "account", op, first) \
	"ORDER BY at " dir ", account " dir " LIMIT :limit)" AND_GAINED \
	"SELECT total.n AS total, " MEMBER_COLS ", x.at AS k1, x.account AS k2 " \
	"FROM (SELECT count(*) AS n FROM found) AS total LEFT JOIN (" MEMBER_FROM ") ON 1 = 1 " \
	"ORDER BY x.at " dir ", x.account " dir " /*scan*/"
/* A direction cannot be bound, so each list has two statements. */
#define BOTH(name, page, filter, at) \
	SQL(q_##name##_asc, page(filter, at, "ASC", ">", "-1")); \
	SQL(q_##name##_desc, page(filter, at, "DESC", "<", SQL_EXACT_MAX))
/* The indexes of the lists cover the filters, so that no table row is read. */
#define COUNT(filter) "SELECT count(*) FROM member m WHERE " filter "m.org = :org"
/* A guest's role is NULL. */
#define OF_ROLE "m.role IS NOT DISTINCT FROM :role AND "
/* The planner uses the partial index member_seen only if a statement contains its condition. */
#define ACTIVE "m.seen_at IS NOT NULL AND m.disabled = 0 AND "
BOTH(joined, PAGE_OF, "", "m.joined_at");
BOTH(seen, PAGE_OF, ACTIVE, "m.seen_at");
BOTH(role, PAGE_OF, OF_ROLE, "m.joined_at");
BOTH(found, FOUND_OF, "", "m.joined_at");
BOTH(found_seen, FOUND_OF, ACTIVE, "m.seen_at");
SQL(q_joined_count, COUNT(""));
SQL(q_seen_count, COUNT(ACTIVE));
SQL(q_role_count, COUNT(OF_ROLE));

/* The statements of a list. count NULL: the rows themselves contain the count (FOUND_OF). */
struct list_queries {
	const struct sql *asc, *desc, *count;
};
static const struct list_queries joined = { &q_joined_asc, &q_joined_desc, &q_joined_count },
    seen = { &q_seen_asc, &q_seen_desc, &q_seen_count },
    of_role = { &q_role_asc, &q_role_desc, &q_role_count },
    found = { &q_found_asc, &q_found_desc, NULL },
    found_seen = { &q_found_seen_asc, &q_found_seen_desc, NULL };

/* `them` contains the one member, so that the columns are the same as in the lists. */
SQL(q_one,
    WITH_PLACES AND_SEEN ", them (org, account, at) AS (SELECT m.org, m.account, 0 FROM member m WHERE m.org = :org "
    "AND m.account = :member)" AND_GAINED "SELECT " MEMBER_COLS " FROM " MEMBER_FROM "/*scan*/");

SQL(q_set_role, "UPDATE member SET role = :role WHERE org = :org AND account = :user");
/*
 * Disabled memberships count, too: an admin of this organization must not decide about an account
 * that another one has.
 */
SQL(q_elsewhere, "SELECT 1 FROM member WHERE account = :user AND org <> :org LIMIT 1");
/* No statement removes the mark; it ends with the membership. */
SQL(q_set_sso, "UPDATE member SET sso = 1 WHERE org = :org AND account = :user");
SQL(q_seen_now, "UPDATE member SET seen_at = :now WHERE org = :org AND account = :user");
SQL(q_default_role, "SELECT COALESCE(default_role, 0) FROM org WHERE id = :org");
/* Always returns a row, since :user is the caller. */
SQL(q_claims, "SELECT COALESCE(address, email) AS email, name FROM account WHERE id = :user");

/* The spaces that both the caller and :member may read, with both roles, in one query. */
#define SPACES_OF_MEMBER(dir, op, first) \
	WITH_PLACES ", " PLACES_OF("theirs", OWN_LEVEL_OF("collection", "c", ":member"), "NULL") AND_SEEN \
	", shared (id, at, role, permission) AS MATERIALIZED (SELECT v.id, s.created_at, v.role, " \
	"CASE WHEN m.role = " SQL_ROLE_ADMIN " THEN " SQL_ROLE_ADMIN " ELSE COALESCE(" OWN_LEVEL_OF("space", "s", ":member") \
	", h.role, m.role, 0) END FROM seen v JOIN space s ON s.id = v.id " \
	"LEFT JOIN theirs h ON h.id = s.parent " \
	"JOIN member m ON m.org = :org AND m.account = :member AND m.disabled = 0), " \
	"page (id, at, role, permission) AS MATERIALIZED (SELECT id, at, role, permission FROM shared " \
	"WHERE permission >= 1 AND " KEY("at", "id", op, first) \
	"ORDER BY at " dir ", id " dir " LIMIT :limit) " \
	"SELECT total.n AS total, " SPACE_COLS ", page.role, page.permission, page.at AS k1, page.id AS k2 " \
	"FROM (SELECT count(*) AS n FROM shared WHERE permission >= 1) AS total LEFT JOIN (" SPACE_FROM \
	" JOIN page ON page.id = s.id) ON 1 = 1 ORDER BY page.at " dir ", page.id " dir " /*scan*/"
SQL(q_spaces_asc, SPACES_OF_MEMBER("ASC", ">", "-1"));
SQL(q_spaces_desc, SPACES_OF_MEMBER("DESC", "<", SQL_EXACT_MAX));

/* WITH_PLACES takes the role without the token's cap (org.full). */
void
bind_caller(struct stmt *q, struct req *r)
{
	bind_text(q, ":org", r->org.id);
	bind_text(q, ":user", r->who.user);
	bind_int(q, ":org_role", r->org.full);
}

void
bind_folded(struct stmt *q, const char *name, struct arena *a, const char *text)
{
	bind_text(q, name, text == NULL ? NULL : utf8_fold(a, str_of(text)));
}

/* The text is folded like the column. The wildcards of LIKE are escaped: otherwise "%" would match everybody. */
char *
like_pattern(struct arena *a, const char *text)
{
	struct buf b;

	if (text == NULL)
		return NULL;
	buf_init(&b, a, 64 << 10);
	buf_char(&b, '%');
	for (text = utf8_fold(a, str_of(text)); *text != '\0'; text++) {
		if (strchr("\\%_", *text) != NULL)
			buf_char(&b, '\\');
		buf_char(&b, *text);
	}
	buf_char(&b, '%');
	return arena_strndup(a, b.p, b.n);
}

/* defaultRole is nullable, and NULL means guest (docs/design/requests.md, "Unset members"). */
enum role
default_role(struct req *r, const char *org)
{
	struct stmt *q = db_use(r->db, &q_default_role);

	bind_text(q, ":org", org);
	return (enum role)stmt_int(q, ROLE_NONE);
}

/* Callers call it after the change, since it reads the changed membership. */
void
member_changed(struct req *r, const char *org, const char *user, char *before, enum audit_action added)
{
	audit_change(r, &(struct audit_event){ .action = before != NULL ? AUDIT_MEMBER_UPDATE : added,
	    .org = org, .type = "member", .target = user }, before,
	    member_snapshot(r->db, r->arena, org, user));
}

void
member_add(struct req *r, const char *org, const char *user, enum role role, enum audit_action action)
{
	char *before = member_snapshot(r->db, r->arena, org, user);

	member_set(r->db, org, user, role);
	member_changed(r, org, user, before, action);
}

/* The caller has checked in this write transaction that no account has the address. */
char *
invited_user(struct req *r, const char *org, const char *mail)
{
	char *user = user_invite(r->db, r->arena, mail);

	audit(r, &(struct audit_event){ .action = AUDIT_USER_CREATE, .org = org, .type = "user",
	    .target = user, .after = user_snapshot(r->db, r->arena, user) });
	return user;
}

/*
 * user_find() takes an id or an address. An address that is not valid is looked up as an id, and
 * not found.
 */
const char *
member_or_fail(struct req *r, const char *org, const char *key)
{
	char *mail = email_normal(r->arena, key), *user = user_find(r->db, r->arena, key);

	if (user != NULL && is_member(r, org, user))
		return user;
	/* Do not reveal whether the address has an account elsewhere. */
	if (mail == NULL || org_role(r, org) < ROLE_ADMIN) {
		fail(r, E_NOT_FOUND, "no member %s", key);
		return NULL;
	}
	if (user == NULL)
		user = invited_user(r, org, mail);
	member_add(r, org, user, default_role(r, org), AUDIT_MEMBER_ADD);
	return user;
}

static bool
query_is(struct req *r, const char *name, const char *value)
{
	const char *text = query_text(r, name);

	return text != NULL && strcmp(text, value) == 0;
}

/* The list that the query selects. */
static const struct list_queries *
choose_order(struct req *r)
{
	bool by_seen = query_is(r, "sort", "lastSeenAt"), role = query_text(r, "role") != NULL;

	/* found and found_seen filter by role themselves, if the query has one. */
	if (query_text(r, "search") != NULL || (role && by_seen))
		return by_seen ? &found_seen : &found;
	return by_seen ? &seen : role ? &of_role : &joined;
}

/*
 * The list `found`, which has no statement for a count, compares the role with the parameter, also
 * ROLE_NONE for guests. In the list of_role guests have the role NULL, and the parameter stays unbound.
 */
static void
bind_filter(struct stmt *q, struct req *r, const struct list_queries *o)
{
	enum role role = role_number(query_text(r, "role"));

	if (o->count == NULL)
		bind_text(q, ":search", like_pattern(r->arena, query_text(r, "search")));
	if ((o == &of_role && role > ROLE_NONE) || (o->count == NULL && query_text(r, "role") != NULL))
		bind_int(q, ":role", role);
}

/* Counts the members of all pages, with the filter of the list. */
static int64_t
count_members(struct req *r, const struct list_queries *o)
{
	struct stmt *q;

	if (o->count == NULL)
		return COUNT_IN_ROWS;
	q = db_use(r->db, o->count);
	bind_text(q, ":org", r->org.id);
	bind_filter(q, r, o);
	return stmt_int(q, 0);
}

/* GET /orgs/{organizationId}/members */
HANDLER(listMembersInOrganizationById)
{
	const struct list_queries *o = choose_order(r);
	struct stmt *q;
	struct list l;
	int64_t count;

	if (list_open(r, &l, 2) != 0)
		return -1;
	count = count_members(r, o);
	q = db_use(r->db, query_is(r, "order", "asc") ? o->asc : o->desc);
	bind_caller(q, r);
	bind_filter(q, r, o);
	list_bind(q, &l);
	return list_reply(r, &l, q, &Member, count);
}

/* Replies with the member of the path, with the same counts as in the list. */
static int
reply_member(struct req *r)
{
	struct stmt *q = db_use(r->db, &q_one);

	bind_caller(q, r);
	bind_text(q, ":member", path_id(r, "userId"));
	if (!stmt_step(q))
		return fail(r, E_NOT_FOUND, "no member %s", path_id(r, "userId"));
	return reply_current(r, q, &Member);
}

/* GET /orgs/{organizationId}/members/{userId} */
HANDLER(getMemberInOrganizationById)
{
	return reply_member(r);
}

/* Prepares a statement about the member of the path, and does not step it. */
static struct stmt *
bind_target(struct req *r, const struct sql *sql)
{
	struct stmt *q = db_use(r->db, sql);

	bind_text(q, ":org", r->org.id);
	bind_text(q, ":user", path_id(r, "userId"));
	return q;
}

static char *
path_snapshot(struct req *r)
{
	return member_snapshot(r->db, r->arena, r->org.id, path_id(r, "userId"));
}

static int
fail_last_admin(struct req *r)
{
	return fail(r, E_CONFLICT, "%s is the last admin of the organization", path_id(r, "userId"));
}

/* PATCH /orgs/{organizationId}/members/{userId} */
HANDLER(updateMemberInOrganizationById)
{
	const char *user = path_id(r, "userId");
	enum role role = role_number(body_text(r, "role"));
	char *before = path_snapshot(r);
	struct stmt *q;

	if (before == NULL || !body_has(r, "role"))
		return reply_member(r);
	/*
	 * The last admin stays (docs/design/permissions.md, "Last admin"): checked in the write
	 * transaction, so that two admins cannot demote each other at once.
	 */
	if (role < ROLE_ADMIN && member_last_admin(r->db, r->org.id, user))
		return fail_last_admin(r);
	if (grant_or_fail(r, r->org.role, role) != 0)
		return -1;
	q = bind_target(r, &q_set_role);
	/* ROLE_NONE leaves :role NULL: a guest. */
	if (role > ROLE_NONE)
		bind_int(q, ":role", role);
	stmt_run(q);
	member_changed(r, r->org.id, user, before, AUDIT_MEMBER_UPDATE);
	return reply_member(r);
}

/* DELETE /orgs/{organizationId}/members/{userId} */
HANDLER(removeMemberFromOrganizationById)
{
	struct audit_event e = { .action = AUDIT_MEMBER_REMOVE, .org = r->org.id, .type = "member",
		.target = path_id(r, "userId"), .before = path_snapshot(r) };
	bool last;

	/* Deletes teams, grants and invite links, too. */
	if (member_remove(r->db, r->org.id, path_id(r, "userId"), &last))
		audit(r, &e);
	return last ? fail_last_admin(r) : reply_empty(r);
}

bool
is_elsewhere(struct req *r, const char *org, const char *user)
{
	struct stmt *q = db_use(r->db, &q_elsewhere);

	bind_text(q, ":user", user);
	bind_text(q, ":org", org);
	return stmt_int(q, 0) == 1;
}

/* POST /orgs/{organizationId}/members/{userId}/sso */
HANDLER(setUserAsSSOMemberForOrganization)
{
	char *before = path_snapshot(r);

	if (before != NULL && is_elsewhere(r, r->org.id, path_id(r, "userId")))
		return fail(r, E_CONFLICT, "this user is a member of another organization, too, and links the provider to the account "
		    "by a sign-in to it");
	/* stmt_run() returns the number of rows changed: 0 if there is no such member. */
	if (stmt_run(bind_target(r, &q_set_sso)) == 1)
		member_changed(r, r->org.id, path_id(r, "userId"), before, AUDIT_MEMBER_UPDATE);
	return reply_member(r);
}

/* GET /orgs/{organizationId}/members/{userId}/spaces: newest first. */
HANDLER(listSpacesForOrganizationMember)
{
	const char *user = path_id(r, "userId");
	struct stmt *q;
	struct list l;

	if (list_open(r, &l, 2) != 0)
		return -1;
	/* Otherwise a non-member would have an empty list, like a member without spaces. */
	if (!is_member(r, r->org.id, user))
		return fail(r, E_NOT_FOUND, "no member %s", user);
	q = db_use(r->db, query_is(r, "order", "asc") ? &q_spaces_asc : &q_spaces_desc);
	bind_caller(q, r);
	bind_text(q, ":member", user);
	list_bind(q, &l);
	return list_reply(r, &l, q, &MemberSpace, COUNT_IN_ROWS);
}

/* Claims of the token that member_jwt() makes; valid for an hour. */
static struct str
make_claims(struct req *r, const char *org)
{
	struct stmt *q = db_use(r->db, &q_claims);
	struct buf b;
	struct json j;

	bind_text(q, ":user", r->who.user);
	stmt_step(q);
	buf_init(&b, r->arena, 64 << 10);
	json_init(&j, &b);
	json_obj(&j);
	json_kstr(&j, "iss", r->set->url);
	json_kstr(&j, "sub", r->who.user);
	json_kstr(&j, "organization", org);
	if (r->who.session && r->who.only_org == NULL)
		json_kstr(&j, "by", "session");
	json_kstr(&j, "email", col_text(q, 0));
	json_kstr(&j, "name", col_text(q, 1));
	json_kint(&j, "iat", time_now() / 1000);
	/* Short, so that a copied token is of little use; clients ping again. */
	json_kint(&j, "exp", time_now() / 1000 + 3600);
	json_end(&j);
	return buf_view(&b);
}

const char *
member_jwt(struct req *r, const char *org)
{
	return secret_jwt(r->arena, SECRET_JWT, make_claims(r, org));
}

/* POST /orgs/{organizationId}/ping */
HANDLER(updateOrganizationMemberLastSeenAt)
{
	struct stmt *q = db_use(r->db, &q_seen_now);
	const char *jwt;

	bind_int(q, ":now", time_now());
	bind_text(q, ":org", r->org.id);
	bind_text(q, ":user", r->who.user);
	stmt_run(q);
	jwt = member_jwt(r, r->org.id);
	json_obj(&r->json);
	json_kstr(&r->json, "serviceVisitorClaims", jwt);
	json_kstr(&r->json, "gitbookVisitorClaims", jwt);
	json_end(&r->json);
	return 0;
}
