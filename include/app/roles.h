/*
 * Access rules as SQL, for statements about many places or many people. access.c computes the role
 * of one caller on one place, and documents the rules. tests/unit/test_access_model.c checks that
 * both give the same results.
 */
#ifndef OCTAVO_ROLES_H
#define OCTAVO_ROLES_H

#include "base/role.h"

/*
 * True if the organization's `sso` excludes this member. It then admits only members whom one of
 * its own providers signed in, its admins, and tokens (unless its `tokens` is `stop`). org, user,
 * session: SQL expressions; session is 1 for a session that no organization's provider made, 0 for
 * a token.
 */
#define IS_CLOSED(org, user, session) \
	"EXISTS (SELECT 1 FROM org closed JOIN member outside ON outside.org = closed.id AND outside.account = " user " " \
	"WHERE closed.id = " org " AND closed.sso = 1 AND (" session " = 1 OR closed.tokens = 'stop') " \
	"AND COALESCE(outside.role, 0) < " SQL_ROLE_ADMIN ")"

/*
 * True if the caller's sign-in gives access to the organization `org` (an SQL expression). Bind the
 * statement by bind_sign_in() (api/access.h).
 */
#define OPENS(org) \
	"CASE WHEN CAST(:only_org AS TEXT) IS NOT NULL THEN " org " = :only_org " \
	"ELSE NOT " IS_CLOSED(org, ":user", ":by_session") " END"

/*
 * The level that space or collection t itself sets for :user: a grant to the user, otherwise the
 * strongest grant to one of the user's teams, otherwise its defaultLevel (0: no access). NULL: it
 * inherits. Grants are read first and their teams checked afterwards, because a user may be in
 * hundreds of teams, most of which have no grant here.
 */
#define OWN_LEVEL(what, t) OWN_LEVEL_OF(what, t, ":user")

/* The same for a user that is given by an SQL expression. */
#define OWN_LEVEL_OF(what, t, user) \
	"COALESCE((SELECT g.role FROM access_grant g WHERE g." what " = " t ".id AND g.account = " user "), " \
	"(SELECT max(g.role) FROM access_grant g WHERE g." what " = " t ".id AND g.team IS NOT NULL " \
	"AND EXISTS (SELECT 1 FROM team_member tm WHERE tm.team = g.team AND tm.account = " user ")), " \
	"NULLIF(" t ".default_level, " SQL_LEVEL_INHERIT "))"

/*
 * The role of a user on site t. user and org_role are expressions; org_role is the user's role in
 * the organization, 0 for a guest. A site inherits from the organization only, and of the
 * organization's roles only create and admin give a role on sites.
 */
#define SITE_ROLE(user, org_role) \
	"CASE WHEN " org_role " = " SQL_ROLE_ADMIN " THEN " SQL_ROLE_ADMIN " ELSE COALESCE(" OWN_LEVEL_OF("site", "t", user) \
	", CASE WHEN " org_role " >= " SQL_ROLE_CREATE " THEN " org_role " ELSE 0 END) END"

/*
 * Defines a table `name` of all collections of :org, from the root down. Column role is the role
 * that a user has on the collection: `own` is an expression for the level that collection c itself
 * sets for the user, and `top` is used if no level is set on the way up. Column base is the level
 * for users without a grant: the level of the nearest ancestor that sets one, or LEVEL_INHERIT if
 * none does and the role in the organization decides.
 */
#define PLACES_OF(name, own, top) \
	name " (id, role, base) AS (" \
	"SELECT c.id, COALESCE(" own ", " top "), c.default_level " \
	"FROM collection c WHERE c.org = :org AND c.parent IS NULL AND c.deleted_at IS NULL " \
	"UNION ALL SELECT c.id, COALESCE(" own ", " name ".role), " \
	"CASE WHEN c.default_level = " SQL_LEVEL_INHERIT " THEN " name ".base ELSE c.default_level END " \
	"FROM " name " JOIN collection c ON c.parent = " name ".id WHERE c.deleted_at IS NULL) "

/*
 * The table `place` for the caller: begin a statement with this macro, and join place on the column
 * parent. :org_role is the caller's role in the organization, 0 for a guest. For an admin the
 * levels are not read: the role is admin everywhere.
 */
#define WITH_PLACES \
	"WITH RECURSIVE " PLACES_OF("place", \
	"CASE WHEN :org_role = " SQL_ROLE_ADMIN " THEN " SQL_ROLE_ADMIN " ELSE " OWN_LEVEL("collection", "c") " END", ":org_role")

/* The caller's role on space s, in a statement that begins with WITH_PLACES and joins place p on s.parent. */
#define LISTED_ROLE \
	"CASE WHEN :org_role = " SQL_ROLE_ADMIN " THEN " SQL_ROLE_ADMIN " ELSE COALESCE(" OWN_LEVEL("space", "s") ", p.role, :org_role) END"

/*
 * The role of member m (its account: user) on the space or collection with the id `start`: looks at
 * this place and its ancestors until one sets a level. Use it for one place or for many people.
 * WITH_PLACES is for one caller and many places.
 */
#define ROLE_FROM(what, start, user) \
	"CASE WHEN m.role = " SQL_ROLE_ADMIN " THEN " SQL_ROLE_ADMIN " ELSE COALESCE((" \
	"WITH RECURSIVE up (parent, here) AS (" \
	"SELECT x.parent, " OWN_LEVEL_OF(what, "x", user) " FROM " what " x WHERE x.id = " start " " \
	"UNION ALL SELECT y.parent, " OWN_LEVEL_OF("collection", "y", user) " FROM up " \
	"JOIN collection y ON y.id = up.parent WHERE up.here IS NULL) " \
	"SELECT here FROM up WHERE here IS NOT NULL), m.role, 0) END"

/*
 * True if member m (its account: user) may read site t: everybody may, or m has a role on it, or may
 * read all spaces that it shows.
 */
#define MAY_READ_SITE(user) \
	"((t.published_at IS NOT NULL AND t.visibility IN ('public', 'unlisted')) OR " \
	SITE_ROLE(user, "COALESCE(m.role, 0)") " >= " SQL_ROLE_READ " OR (t.published_at IS NOT NULL AND NOT EXISTS (" \
	"SELECT 1 FROM site_space sx JOIN space ss ON ss.id = sx.space AND ss.deleted_at IS NULL " \
	"WHERE sx.site = t.id AND sx.shown > 0 AND " ROLE_FROM("space", "ss.id", user) " < " SQL_ROLE_READ ")))"

/*
 * To be used after WITH_PLACES. Defines the table seen: the spaces of :org that are not deleted and
 * that the caller may read, with the level that the space itself sets and the base of its
 * collection. When the caller sees how many spaces another person has, only these spaces are
 * counted. Three more tables have totals, so that counting does not need a row for each space:
 *   seen_all    n: all spaces; of_all: spaces whose base lets everybody in the organization read;
 *               of_members: spaces whose base lets members with a role read
 *   seen_in     the same for spaces that inherit from a collection; of_none: spaces whose base lets nobody read
 *   seen_site   the sites on which the caller has a role
 */
#define AND_SEEN \
	", seen (id, role, parent, level, base) AS MATERIALIZED (SELECT s.id, " LISTED_ROLE ", s.parent, " \
	"s.default_level, CASE WHEN s.default_level = " SQL_LEVEL_INHERIT " THEN COALESCE(p.base, " SQL_LEVEL_INHERIT ") ELSE s.default_level END " \
	"FROM space s LEFT JOIN place p ON p.id = s.parent " \
	"WHERE s.org = :org AND s.deleted_at IS NULL AND " LISTED_ROLE " >= 1), " \
	"seen_all (n, of_all, of_members) AS MATERIALIZED (SELECT count(*), " \
	"count(*) FILTER (WHERE base >= 1), count(*) FILTER (WHERE base = -1) FROM seen), " \
	"seen_in (parent, of_none, of_members) AS MATERIALIZED (SELECT parent, " \
	"count(*) FILTER (WHERE base = 0), count(*) FILTER (WHERE base = -1) FROM seen " \
	"WHERE level = " SQL_LEVEL_INHERIT " AND parent IS NOT NULL GROUP BY parent), " \
	"seen_site (id, default_level) AS MATERIALIZED (SELECT t.id, t.default_level FROM site t " \
	"WHERE t.org = :org AND " SITE_ROLE(":user", ":org_role") " >= " SQL_ROLE_READ ") "

/*
 * To be used after AND_SEEN, with a table `them` of members (org, user, at). Defines the table
 * gained: for each member, the number of spaces of seen that the member may read because of grants,
 * where base alone does not allow it. A grant gives at least read, on its place and on everything
 * below it until another level is set. So the cost for a member depends on the number of places
 * that the member's grants reach, not on the number of all places.
 */
#define AND_GAINED \
	", given (account, space, collection) AS MATERIALIZED (" \
	"SELECT t.account, g.space, g.collection FROM them t JOIN access_grant g ON g.account = t.account " \
	"UNION SELECT t.account, g.space, g.collection FROM them t JOIN team_member tm ON tm.account = t.account " \
	"JOIN access_grant g ON g.team = tm.team), " \
	"down (account, id) AS MATERIALIZED (SELECT account, collection FROM given WHERE collection IS NOT NULL " \
	"UNION SELECT down.account, c.id FROM down JOIN collection c ON c.parent = down.id " \
	"WHERE c.default_level = " SQL_LEVEL_INHERIT " AND c.deleted_at IS NULL), " \
	"gained (org, account, at, of_none, of_members) AS MATERIALIZED (" \
	"SELECT max(y.org), y.account, max(y.at), sum(y.of_none), sum(y.of_members) FROM (" \
	"SELECT org, account, at, 0 AS of_none, 0 AS of_members FROM them " \
	"UNION ALL SELECT NULL, d.account, NULL, i.of_none, i.of_members " \
	"FROM down d JOIN seen_in i ON i.parent = d.id " \
	"UNION ALL SELECT NULL, g.account, NULL, CASE WHEN v.base = 0 THEN 1 ELSE 0 END, " \
	"CASE WHEN v.base = -1 THEN 1 ELSE 0 END FROM given g JOIN seen v ON v.id = g.space " \
	"LEFT JOIN down d ON d.account = g.account AND d.id = v.parent AND v.level = " SQL_LEVEL_INHERIT " WHERE d.id IS NULL" \
	") AS y GROUP BY y.account) "

/* The number of spaces of seen that member m may read; x is the row of gained for m. */
#define MEMBER_SPACES \
	"CASE WHEN m.disabled = 1 THEN 0 WHEN m.role = " SQL_ROLE_ADMIN " THEN (SELECT n FROM seen_all) " \
	"WHEN m.role IS NULL THEN (SELECT of_all FROM seen_all) + x.of_none + x.of_members " \
	"ELSE (SELECT of_all + of_members FROM seen_all) + x.of_none END"

#endif
