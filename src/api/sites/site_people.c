/*
 * Lists the users who have a role on a site, and where each role comes from: the organization, a
 * grant to the user or a team, or the level of the site (app/roles.h, SITE_ROLE). Grants:
 * people/permissions.c.
 */
#include "base/exact.h"
#include "api/examples.h"
#include "api/lists.h"
#include "api/refusals.h"
#include "api/site_people.h"
#include "api/users.h"
#include "app/roles.h"
#include "http/req.h"
#include "site.h"

static const struct shape FromOrganization = { "SitePermissionOfOrganization", (const struct field[]){
	{ "type", T_CONST, F_REQ, .set = "organization", .doc = "The role is from the organization" },
	{ "organization", T_TEXT, F_REQ, .doc = "Id of the organization", .example = EXAMPLE_ORG },
	{ 0 } } };
static const struct shape FromSite = { "SitePermissionOfSite", (const struct field[]){
	{ "type", T_CONST, F_REQ, .set = "site", .doc = "The role is from the site" },
	{ "site", T_TEXT, F_REQ, .doc = "Id of the site", .example = EXAMPLE_SITE },
	{ "reason", T_ENUM, F_REQ, .set = "member,team,default",
	  .doc = "A grant to the user, a grant to a team of the user, or the level of the site" },
	{ "team", T_TEXT, .doc = "Id of that team", .example = EXAMPLE_TEAM },
	{ 0 } } };
static const struct shape SitePermissionOrigin = { "SitePermissionOrigin", NULL,
	(const struct shape *const[]){ &FromOrganization, &FromSite, NULL } };

static void
emit_origin(struct json *j, const struct field *f, const struct row *w)
{
	bool site = !row_null(w, "reason");

	json_kobj(j, f->name);
	json_kstr(j, "type", site ? "site" : "organization");
	json_kstr(j, site ? "site" : "organization", site ? w->r->site.id : w->r->org.id);
	if (site)
		json_kstr(j, "reason", row_text(w, "reason"));
	if (!row_null(w, "team"))
		json_kstr(j, "team", row_text(w, "team"));
	json_end(j);
}

static const struct shape UserSitePermission = { "UserSitePermission", (const struct field[]){
	{ "permission", T_ROLE, F_REQ, .doc = "Role on the site" },
	{ "user", T_OBJECT, F_REQ, .of = &User, .join = "u_", .doc = "The user" },
	{ "origin", T_OBJECT, F_REQ, .of = &SitePermissionOrigin, .emit = emit_origin, .doc = "Origin of the role" },
	{ "disabled", T_BOOL, F_REQ, .doc = "Always false: disabled members have no role" },
	{ "lastSeenAt", T_TIME, .col = "seen_at", .doc = "Time of the last visit" },
	{ 0 } } };
LIST_SHAPE(SitePermissionList, UserSitePermission);

/*
 * `reason` tests the sources of a role in the order of SITE_ROLE, so that it is the source from
 * which the role comes. The list is newest first, as other lists of members are.
 */
#define MY_TEAMS \
	"FROM access_grant g JOIN team_member tm ON tm.team = g.team AND tm.account = m.account WHERE g.site = t.id"
#define FOUND \
	"WITH found (account, at, seen_at, role, reason) AS MATERIALIZED (" \
	"SELECT e.account, e.at, e.seen_at, e.role, e.reason FROM (SELECT m.account, m.joined_at AS at, m.seen_at, " \
	SITE_ROLE("m.account", "COALESCE(m.role, 0)") " AS role, CASE WHEN m.role = " SQL_ROLE_ADMIN " THEN NULL " \
	"WHEN EXISTS (SELECT 1 FROM access_grant g WHERE g.site = t.id AND g.account = m.account) THEN 'member' " \
	"WHEN EXISTS (SELECT 1 " MY_TEAMS ") THEN 'team' WHEN t.default_level <> " SQL_LEVEL_INHERIT " THEN 'default' END AS reason " \
	"FROM site t JOIN member m ON m.org = t.org AND m.disabled = 0 WHERE t.id = :site) AS e " \
	"WHERE e.role >= " SQL_ROLE_READ " AND (CAST(:role AS BIGINT) IS NULL OR e.role = :role)) "
SQL(q_people,
    FOUND "SELECT f.role AS permission, f.reason, 0 AS disabled, f.seen_at, CASE WHEN f.reason = 'team' THEN "
    "(SELECT g.team FROM access_grant g JOIN team_member tm ON tm.team = g.team AND tm.account = f.account "
    "WHERE g.site = :site ORDER BY g.role DESC, g.team LIMIT 1) END AS team, "
    USER_COLS("u", "u_") ", f.at AS k1, f.account AS k2 FROM found f JOIN account u ON u.id = f.account "
    "WHERE (f.at, f.account) < (COALESCE(CAST(:k1 AS BIGINT), " SQL_EXACT_MAX "), COALESCE(:k2, '')) "
    "ORDER BY f.at DESC, f.account DESC LIMIT :limit /*scan*/");
SQL(q_people_count, FOUND "SELECT count(*) FROM found /*scan*/");

/* GET /orgs/{organizationId}/sites/{siteId}/permissions/aggregate */
HANDLER(listPermissionsAggregateInSite)
{
	static const struct sql *const both[] = { &q_people_count, &q_people };
	struct stmt *q = NULL;
	struct list l;
	int64_t count = 0;
	int i;

	/*
	 * As with spaces, only users who manage the site get this list. The cap of the token does
	 * not matter, since nothing is changed.
	 */
	if (r->site.full < ROLE_CREATE)
		return forbidden(r, "site", r->site.full, ROLE_CREATE);
	if (list_open(r, &l, 2) != 0)
		return -1;
	for (i = 0; i < 2; i++) {
		q = db_use(r->db, both[i]);
		bind_text(q, ":site", r->site.id);
		if (query_text(r, "role") != NULL)
			bind_int(q, ":role", role_number(query_text(r, "role")));
		if (i == 0)
			count = stmt_int(q, 0);
	}
	list_bind(q, &l);
	return list_reply(r, &l, q, &UserSitePermission, count);
}
