/*
 * Lists who may read and manage a site. There are no grants on sites: managing takes the role
 * create in the organization (access.c, SITE_SEE), so that the list consists of its members.
 */
#include "base/exact.h"
#include "api/examples.h"
#include "api/lists.h"
#include "api/site_people.h"
#include "api/users.h"
#include "http/req.h"
#include "site.h"

static const struct shape SitePermissionOrigin = { "SitePermissionOrigin", (const struct field[]){
	{ "type", T_CONST, F_REQ, .set = "organization", .doc = "Kind of object" },
	{ "organization", T_TEXT, F_REQ, .doc = "Id of the organization", .example = EXAMPLE_ORG },
	{ 0 } } };

static void
emit_origin(struct json *j, const struct field *f, const struct row *w)
{
	json_kobj(j, f->name);
	json_kstr(j, "type", "organization");
	json_kstr(j, "organization", w->r->org.id);
	json_end(j);
}

static const struct shape UserSitePermission = { "UserSitePermission", (const struct field[]){
	{ "permission", T_ROLE, F_REQ, .doc = "Role: admin or create" },
	{ "user", T_OBJECT, F_REQ, .of = &User, .join = "u_", .doc = "The user" },
	{ "origin", T_OBJECT, F_REQ, .of = &SitePermissionOrigin, .emit = emit_origin, .doc = "Where the role is from" },
	{ 0 } } };
LIST_SHAPE(SitePermissionList, UserSitePermission);

/* The same condition as in site_access(). Newest first, as in other lists of members. */
#define MANAGES "m.org = :org AND m.role >= " SQL_ROLE_CREATE " AND m.disabled = 0"
SQL(q_people,
    "SELECT m.role AS permission, " USER_COLS("u", "u_") ", m.joined_at AS k1, m.account AS k2 "
    "FROM member m JOIN account u ON u.id = m.account WHERE " MANAGES " "
    "AND (m.joined_at, m.account) < (COALESCE(CAST(:k1 AS BIGINT), " SQL_EXACT_MAX "), COALESCE(:k2, '')) "
    "ORDER BY m.joined_at DESC, m.account DESC LIMIT :limit");
SQL(q_people_count, "SELECT count(*) FROM member m WHERE " MANAGES);

/* GET /orgs/{organizationId}/sites/{siteId}/permissions/aggregate */
HANDLER(listPermissionsAggregateInSite)
{
	struct stmt *q = db_use(r->db, &q_people_count);
	struct list l;
	int64_t count;

	bind_text(q, ":org", r->org.id);
	count = stmt_int(q, 0);
	if (list_open(r, &l, 2) != 0)
		return -1;
	q = db_use(r->db, &q_people);
	bind_text(q, ":org", r->org.id);
	list_bind(q, &l);
	return list_reply(r, &l, q, &UserSitePermission, count);
}
