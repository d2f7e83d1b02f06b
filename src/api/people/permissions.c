/*
 * Permissions on one space, collection or site: grants to users and teams, and the resulting roles
 * (those on sites: site_people.c). Table access_grant.
 *
 * A grant is for a member of the organization or for one of its teams. Nobody can grant a higher
 * role than their own on the same place. Granting the role null deletes a grant, as DELETE does.
 * Spaces, collections and sites have the same operations; struct place contains the one of the
 * request.
 */
#include <cjson/cJSON.h>

#include "api/access.h"
#include "api/audit_events.h"
#include "api/known_roles.h"
#include "api/lists.h"
#include "api/members.h"
#include "api/permissions.h"
#include "api/teams.h"
#include "api/users.h"
#include "app/audit.h"
#include "app/roles.h"
#include "base/exact.h"
#include "base/secret.h"
#include "http/req.h"

static const struct shape UserPermission = { "UserContentPermission", (const struct field[]){
	{ "permission", T_ROLE, F_REQ, .doc = "Role here" },
	{ "user", T_OBJECT, F_REQ, .of = &User, .join = "u_", .doc = "The user" },
	{ 0 } } };
LIST_SHAPE(UserPermissionList, UserPermission);
static const struct shape TeamPermission = { "TeamContentPermission", (const struct field[]){
	{ "permission", T_ROLE, F_REQ, .doc = "Role here" },
	{ "team", T_OBJECT, F_REQ, .of = &Team, .join = "", .doc = "The team" },
	{ 0 } } };
LIST_SHAPE(TeamPermissionList, TeamPermission);

const struct shape AggregateQuery = { "AggregateQuery", (const struct field[]){
	PAGING,
	{ "role", T_ROLE, .doc = "Only members with this role" },
	{ 0 } } };
/* At most 1,000 users and 1,000 teams, since each takes a look-up, a write and an audit record in one transaction. */
const struct shape PermissionInvite = { "InviteUsersAndTeams", (const struct field[]){
	{ "role", T_ROLE, F_REQ | F_NULL, .doc = "Role to give; null: none" },
	{ "teams", T_LIST, .min = 1, .max = 1000, .item = &(const struct field){ "", T_TEXT, .max = 100 },
	  .doc = "Ids of teams", .example = "[\"t9CdF4gHrPz2KsVb8NwQ\"]" },
	{ "users", T_LIST, .min = 1, .max = 1000, .item = &(const struct field){ "", T_TEXT, .max = 100 },
	  .doc = "Ids or addresses of users", .example = "[\"u3JpZ8nYqLk5WvTf6MxA\"]" },
	{ 0 } } };
const struct shape PermissionEdit = { "UpdatePermission", (const struct field[]){
	{ "role", T_ROLE, F_NULL, .doc = "New role; null: removes the grant" },
	{ 0 } } };

/* Indexes of the arrays grant_sql and list_sql: first the kind of place, then the kind of grantee. */
enum who { WHO_USER, WHO_TEAM };
enum kind { KIND_SPACE, KIND_COLLECTION, KIND_SITE };

/*
 * ON CONFLICT repeats the WHERE of the partial unique index grant_PLACE_WHO, so that this index is
 * used. Columns cannot be bound, so each pair of place and grantee has its own statements.
 */
#define GRANT_SQL(place, who, column) \
	SQL(q_get_##place##_##who, \
	    "SELECT role FROM access_grant WHERE " #place " = :place AND " #column " = :who"); \
	SQL(q_end_##place##_##who, \
	    "DELETE FROM access_grant WHERE " #place " = :place AND " #column " = :who"); \
	SQL(q_put_##place##_##who, \
	    "INSERT INTO access_grant (id, " #place ", " #column ", role, created_at) " \
	    "VALUES (:id, :place, :who, :role, :now) ON CONFLICT (" #place ", " #column ") " \
	    "WHERE " #place " IS NOT NULL AND " #column " IS NOT NULL DO UPDATE SET role = excluded.role")
GRANT_SQL(space, user, account);
GRANT_SQL(space, team, team);
GRANT_SQL(collection, user, account);
GRANT_SQL(collection, team, team);
GRANT_SQL(site, user, account);
GRANT_SQL(site, team, team);

static const struct { const struct sql *get, *end, *put; } grant_sql[3][2] = {
	{ { &q_get_space_user, &q_end_space_user, &q_put_space_user },
	  { &q_get_space_team, &q_end_space_team, &q_put_space_team } },
	{ { &q_get_collection_user, &q_end_collection_user, &q_put_collection_user },
	  { &q_get_collection_team, &q_end_collection_team, &q_put_collection_team } },
	{ { &q_get_site_user, &q_end_site_user, &q_put_site_user },
	  { &q_get_site_team, &q_end_site_team, &q_put_site_team } } };

/* The rows after the cursor, newest first. */
#define BEFORE_KEY \
	"AND (g.created_at, g.id) < (COALESCE(CAST(:k1 AS BIGINT), " SQL_EXACT_MAX "), COALESCE(:k2, '')) " \
	"ORDER BY g.created_at DESC, g.id DESC LIMIT :limit /*scan*/"
/*
 * Direct grants to users. Roles that are inherited or come from teams are only in the aggregate
 * (list_aggregate()).
 */
#define USERS_OF(place) \
	"SELECT g.role AS permission, " USER_COLS("u", "u_") ", g.created_at AS k1, g.id AS k2 " \
	"FROM access_grant g JOIN account u ON u.id = g.account " \
	"WHERE g." place " = :place AND g.account IS NOT NULL " BEFORE_KEY
/*
 * TEAM_COLS counts the spaces of a team that the caller may read: this takes WITH_PLACES and
 * AND_SEEN.
 */
#define TEAMS_OF(place) \
	WITH_PLACES AND_SEEN "SELECT g.role AS permission, " TEAM_COLS ", g.created_at AS k1, g.id AS k2 " \
	"FROM access_grant g JOIN team t ON t.id = g.team " \
	"WHERE g." place " = :place AND g.team IS NOT NULL " BEFORE_KEY
#define COUNT_OF(place, who) \
	"SELECT count(*) FROM access_grant g WHERE g." place " = :place AND g." who " IS NOT NULL"
SQL(q_space_users, USERS_OF("space"));
SQL(q_space_users_count, COUNT_OF("space", "account"));
SQL(q_space_teams, TEAMS_OF("space"));
SQL(q_space_teams_count, COUNT_OF("space", "team"));
SQL(q_collection_users, USERS_OF("collection"));
SQL(q_collection_users_count, COUNT_OF("collection", "account"));
SQL(q_collection_teams, TEAMS_OF("collection"));
SQL(q_collection_teams_count, COUNT_OF("collection", "team"));
SQL(q_site_users, USERS_OF("site"));
SQL(q_site_users_count, COUNT_OF("site", "account"));
SQL(q_site_teams, TEAMS_OF("site"));
SQL(q_site_teams_count, COUNT_OF("site", "team"));

static const struct { const struct sql *list, *count; } list_sql[3][2] = {
	{ { &q_space_users, &q_space_users_count }, { &q_space_teams, &q_space_teams_count } },
	{ { &q_collection_users, &q_collection_users_count },
	  { &q_collection_teams, &q_collection_teams_count } },
	{ { &q_site_users, &q_site_users_count },
	  { &q_site_teams, &q_site_teams_count } } };

/* Action and type of the audit record, by the kind of place of the grant. */
static const struct { enum audit_action action; const char *type; } recorded[] = {
	[KIND_SPACE]      = { AUDIT_SPACE_PERMISSION, "space" },
	[KIND_COLLECTION] = { AUDIT_COLLECTION_PERMISSION, "collection" },
	[KIND_SITE]       = { AUDIT_SITE_PERMISSION, "site" }
};

/*
 * Lists every member with at least the role :least on the place, with the effective role, newest first. `up` contains
 * the place and its parents, up to the first that sets a level; it is computed once for all
 * members. Of the grants on these places, each user's nearest one counts, and at the same place the
 * user's own before those of teams. One query returns the page and the count.
 */
#define UP_FROM(start) \
	"WITH RECURSIVE up (n, space, collection, parent, level) AS (" start \
	"UNION ALL SELECT up.n + 1, NULL, c.id, c.parent, c.default_level FROM up " \
	"JOIN collection c ON c.id = up.parent WHERE up.level = " SQL_LEVEL_INHERIT "), "
#define FROM_SPACE "SELECT 0, s.id, NULL, s.parent, s.default_level FROM space s WHERE s.id = :place "
#define FROM_COLLECTION \
	"SELECT 0, NULL, c.id, c.parent, c.default_level FROM collection c WHERE c.id = :place "
#define GRANTED(place) \
	"SELECT g.account, g.role, up.n, 0 AS by_team FROM up JOIN access_grant g ON g." place " = up." place \
	" AND g.account IS NOT NULL UNION ALL SELECT tm.account, g.role, up.n, 1 FROM up " \
	"JOIN access_grant g ON g." place " = up." place " AND g.team IS NOT NULL " \
	"JOIN team_member tm ON tm.team = g.team "
#define AGGREGATE(start) \
	UP_FROM(start) "given (account, role, rank) AS (SELECT w.account, w.role, row_number() OVER (" \
	"PARTITION BY w.account ORDER BY w.n, w.by_team, w.role DESC) FROM (" \
	GRANTED("space") "UNION ALL " GRANTED("collection") ") AS w), " \
	"nearest (account, role) AS MATERIALIZED (SELECT account, role FROM given WHERE rank = 1), " \
	"found (account, at, role) AS MATERIALIZED (SELECT e.account, e.at, e.role FROM (SELECT m.account, " \
	"m.joined_at AS at, CASE WHEN m.role = " SQL_ROLE_ADMIN " THEN " SQL_ROLE_ADMIN " ELSE COALESCE(x.role, " \
	"(SELECT level FROM up WHERE level <> " SQL_LEVEL_INHERIT "), m.role, 0) END AS role " \
	"FROM member m LEFT JOIN nearest x ON x.account = m.account WHERE m.org = :org AND m.disabled = 0) AS e " \
	"WHERE e.role >= :least AND (CAST(:role AS BIGINT) IS NULL OR e.role = :role) " \
	"ORDER BY e.at DESC, e.account DESC), " \
	"page (account, at, role) AS (SELECT account, at, role FROM found WHERE (at, account) < " \
	"(COALESCE(CAST(:k1 AS BIGINT), " SQL_EXACT_MAX "), COALESCE(:k2, '')) " \
	"ORDER BY at DESC, account DESC LIMIT :limit) " \
	"SELECT total.n AS total, page.role AS permission, " USER_COLS("u", "u_") ", page.at AS k1, " \
	"page.account AS k2 FROM (SELECT count(*) AS n FROM found) AS total LEFT JOIN page ON 1 = 1 " \
	"LEFT JOIN account u ON u.id = page.account ORDER BY page.at DESC, page.account DESC /*scan*/"
SQL(q_space_all, AGGREGATE(FROM_SPACE));
SQL(q_collection_all, AGGREGATE(FROM_COLLECTION));
/*
 * The organization of a place, for grants that these routes do not make: to the creator of a place,
 * and through an invite link.
 */
SQL(q_space_org, "SELECT org FROM space WHERE id = :id");
SQL(q_collection_org, "SELECT org FROM collection WHERE id = :id");
SQL(q_team, "SELECT 1 FROM team WHERE id = :id AND org = :org");

/* The space, collection or site of the grants. */
struct place {
	enum kind   kind;
	const char *id, *org;
	enum role   role;     /* the caller's */
};

/*
 * The space, collection or site of the route. Also sets r->org, which these routes do not have in
 * their path.
 */
static struct place
find_place(struct req *r)
{
	struct place p = { KIND_SPACE, r->space.id, r->space.org, r->space.role };

	if (r->site.id != NULL)
		p = (struct place){ KIND_SITE, r->site.id, r->org.id, r->site.role };
	else if (r->space.id == NULL)
		p = (struct place){ KIND_COLLECTION, r->collection.id, r->collection.org, r->collection.role };
	r->org.id = p.org;
	r->org.full = org_role_full(r, p.org);
	r->org.role = cap_role(r, r->org.full);
	return p;
}

/* True if the organization has this team (docs/design/security.md, "S1"). */
static bool
is_team(struct req *r, const char *org, const char *id)
{
	struct stmt *q = db_use(r->db, &q_team);

	bind_text(q, ":id", id);
	bind_text(q, ":org", org);
	return stmt_int(q, 0) == 1;
}

/* Prepares a statement about one grant, and does not step it. */
static struct stmt *
bind_grant(struct req *r, const struct sql *sql, const struct place *p, const char *id)
{
	struct stmt *q = db_use(r->db, sql);

	bind_text(q, ":place", p->id);
	bind_text(q, ":who", id);
	return q;
}

/* Returns a grant as JSON for the audit record; NULL if there is none. Ids and role names need no escaping. */
static char *
grant_json(struct req *r, enum who who, const char *id, int64_t role)
{
	return role == ROLE_NONE ? NULL : arena_printf(r->arena, "{\"%s\":\"%s\",\"role\":\"%s\"}",
	    who == WHO_USER ? "user" : "team", id, role_name(role));
}

/*
 * Sets a grant; ROLE_NONE deletes it. The caller has checked that id belongs to the organization,
 * or already has a grant.
 */
static void
put_grant(struct req *r, const struct place *p, enum who who, const char *id, enum role role)
{
	int64_t before = stmt_int(bind_grant(r, grant_sql[p->kind][who].get, p, id), 0);
	struct stmt *q;

	if (before == role)
		return;
	q = bind_grant(r, role == ROLE_NONE ? grant_sql[p->kind][who].end : grant_sql[p->kind][who].put, p, id);
	if (role != ROLE_NONE) {
		/* An existing grant keeps its id, and so its position in the list. */
		bind_text(q, ":id", secret_id(r->arena));
		bind_int(q, ":role", role);
		bind_int(q, ":now", time_now());
	}
	stmt_run(q);
	audit(r, &(struct audit_event){ .action = recorded[p->kind].action, .org = p->org, .target = p->id,
	    .type = recorded[p->kind].type,
	    .before = grant_json(r, who, id, before), .after = grant_json(r, who, id, role) });
}

/* The caller has checked that the user is a member and that the role may be given. */
void
grant_set(struct req *r, const char *space, const char *collection, const char *user, enum role role)
{
	struct place p = { space != NULL ? KIND_SPACE : KIND_COLLECTION,
		space != NULL ? space : collection, NULL, 0 };
	struct stmt *q = db_use(r->db, space != NULL ? &q_space_org : &q_collection_org);

	bind_text(q, ":id", p.id);
	stmt_step(q);
	p.org = col_dup(q, 0, r->arena);
	put_grant(r, &p, WHO_USER, user, role);
}

/*
 * Checks each user or team before setting its grant. A user who is no member is refused, since a
 * grant creates no membership. 0 or fail().
 */
static int
put_all(struct req *r, const struct place *p, enum who who, enum role role)
{
	const char *name = who == WHO_USER ? "users" : "teams";
	const cJSON *one;

	cJSON_ArrayForEach(one, body_get(r, name)) {
		const char *id = one->valuestring;
		if (!(who == WHO_USER ? is_member(r, p->org, id) : is_team(r, p->org, id)))
			return fail(r, E_NOT_FOUND, "no %s %s", who == WHO_USER ? "member" : "team", id);
		put_grant(r, p, who, id, role);
	}
	return 0;
}

/* POST …/permissions */
static int
invite_grantees(struct req *r)
{
	struct place p = find_place(r);
	enum role role = role_number(body_text(r, "role"));

	if (!body_has(r, "users") && !body_has(r, "teams"))
		return fail_field(r, "/users", "is required, unless there are teams");
	/*
	 * p.role is limited by the cap of the token: a token can give no more than it has
	 * (docs/design/security.md, "S4").
	 */
	if (grant_or_fail(r, p.role, role) != 0 || put_all(r, &p, WHO_TEAM, role) != 0 ||
	    put_all(r, &p, WHO_USER, role) != 0)
		return -1;
	return reply_empty(r);
}

/* PATCH …/permissions/users/{userId} and …/teams/{teamId} */
static int
update_grant(struct req *r, enum who who)
{
	const char *id = path_id(r, who == WHO_USER ? "userId" : "teamId");
	struct place p = find_place(r);
	enum role role = role_number(body_text(r, "role"));

	if (stmt_int(bind_grant(r, grant_sql[p.kind][who].get, &p, id), 0) == 0)
		return fail(r, E_NOT_FOUND, "no permission of %s here", id);
	if (!body_has(r, "role"))
		return reply_empty(r);
	if (grant_or_fail(r, p.role, role) != 0)
		return -1;
	put_grant(r, &p, who, id, role);
	return reply_empty(r);
}

/* DELETE …/permissions/users/{userId} and …/teams/{teamId} */
static int
delete_grant(struct req *r, enum who who)
{
	struct place p = find_place(r);

	put_grant(r, &p, who, path_id(r, who == WHO_USER ? "userId" : "teamId"), 0);
	return reply_empty(r);
}

/* GET …/permissions/users and …/teams */
static int
list_grants(struct req *r, enum who who)
{
	struct place p = find_place(r);
	struct stmt *q;
	struct list l;
	int64_t count;

	if (list_open(r, &l, 2) != 0)
		return -1;
	q = db_use(r->db, list_sql[p.kind][who].count);
	bind_text(q, ":place", p.id);
	count = stmt_int(q, 0);
	q = db_use(r->db, list_sql[p.kind][who].list);
	bind_text(q, ":place", p.id);
	if (who == WHO_TEAM)
		bind_caller(q, r);
	list_bind(q, &l);
	return list_reply(r, &l, q, who == WHO_USER ? &UserPermission : &TeamPermission, count);
}

/* GET …/permissions/aggregate */
static int
list_aggregate(struct req *r)
{
	struct place p = find_place(r);
	struct stmt *q;
	struct list l;

	if (list_open(r, &l, 2) != 0)
		return -1;
	q = db_use(r->db, p.kind == KIND_SPACE ? &q_space_all : &q_collection_all);
	bind_text(q, ":place", p.id);
	bind_text(q, ":org", p.org);
	bind_int(q, ":least", ROLE_READ);
	if (query_text(r, "role") != NULL)
		bind_int(q, ":role", role_number(query_text(r, "role")));
	list_bind(q, &l);
	return list_reply(r, &l, q, &UserPermission, COUNT_IN_ROWS);
}

/*
 * GET /spaces/{spaceId}/reviewers. Guests of the organization may not list its members, so their list is empty: no
 * member has a role above ROLE_ADMIN.
 */
HANDLER(listReviewersInSpace)
{
	struct place p = find_place(r);
	struct stmt *q;
	struct list l;

	if (list_open(r, &l, 2) != 0)
		return -1;
	q = db_use(r->db, &q_space_all);
	bind_text(q, ":place", p.id);
	bind_text(q, ":org", p.org);
	bind_int(q, ":least", r->org.full >= ROLE_READ ? ROLE_REVIEW : ROLE_ADMIN + 1);
	list_bind(q, &l);
	return list_reply(r, &l, q, &UserPermission, COUNT_IN_ROWS);
}

/*
 * The access rules COLLECTION_CREATE, SPACE_CREATE and SITE_CREATE set r->collection, r->space or
 * r->site, which find_place() reads.
 */
HANDLER(inviteToCollection) { return invite_grantees(r); }
HANDLER(listPermissionsAggregateInCollection) { return list_aggregate(r); }
HANDLER(listTeamPermissionsInCollection) { return list_grants(r, WHO_TEAM); }
HANDLER(updateTeamPermissionInCollection) { return update_grant(r, WHO_TEAM); }
HANDLER(removeTeamFromCollection) { return delete_grant(r, WHO_TEAM); }
HANDLER(listUserPermissionsInCollection) { return list_grants(r, WHO_USER); }
HANDLER(updateUserPermissionInCollection) { return update_grant(r, WHO_USER); }
HANDLER(removeUserFromCollection) { return delete_grant(r, WHO_USER); }

HANDLER(inviteToSpace) { return invite_grantees(r); }
HANDLER(listPermissionsAggregateInSpace) { return list_aggregate(r); }
HANDLER(listTeamPermissionsInSpace) { return list_grants(r, WHO_TEAM); }
HANDLER(updateTeamPermissionInSpace) { return update_grant(r, WHO_TEAM); }
HANDLER(removeTeamFromSpace) { return delete_grant(r, WHO_TEAM); }
HANDLER(listUserPermissionsInSpace) { return list_grants(r, WHO_USER); }
HANDLER(updateUserPermissionInSpace) { return update_grant(r, WHO_USER); }
HANDLER(removeUserFromSpace) { return delete_grant(r, WHO_USER); }

HANDLER(inviteToSite) { return invite_grantees(r); }
HANDLER(listTeamPermissionsInSite) { return list_grants(r, WHO_TEAM); }
HANDLER(updateTeamPermissionInSite) { return update_grant(r, WHO_TEAM); }
HANDLER(removeTeamFromSite) { return delete_grant(r, WHO_TEAM); }
HANDLER(listUserPermissionsInSite) { return list_grants(r, WHO_USER); }
HANDLER(updateUserPermissionInSite) { return update_grant(r, WHO_USER); }
HANDLER(removeUserFromSite) { return delete_grant(r, WHO_USER); }
