/*
 * Moves sections, groups and links of a site into groups, and limits how deep groups nest. Tables
 * site_section, site_section_group, site_external_link. Contract: site.h.
 */
#include "base/str.h"
#include "http/req.h"
#include "site.h"

/*
 * True if :group is the given group or one of its ancestors. UNION drops rows that are already
 * there, so that the recursion would end even in a cycle.
 */
SQL(q_inside,
    "WITH RECURSIVE up (id, parent) AS (SELECT id, parent FROM site_section_group WHERE id = :id "
    "UNION SELECT g.id, g.parent FROM up JOIN site_section_group g ON g.id = up.parent) "
    "SELECT 1 FROM up WHERE id = :group");
/*
 * Levels of groups in a subtree, its root included. In a cycle UNION would not end the recursion,
 * since n differs in each row; the limit of 100 does.
 */
SQL(q_height,
    "WITH RECURSIVE down (id, n) AS (SELECT CAST(:id AS TEXT), 1 UNION ALL SELECT g.id, down.n + 1 "
    "FROM down JOIN site_section_group g ON g.parent = down.id WHERE down.n < 100) SELECT max(n) FROM down");
/*
 * Nesting level of a group. No code writes a cycle of parents; if there were one, the limit of 100
 * would end the recursion.
 */
SQL(q_depth,
    "WITH RECURSIVE up (id, parent, n) AS (SELECT id, parent, 1 FROM site_section_group WHERE id = :id "
    "UNION ALL SELECT g.id, g.parent, up.n + 1 FROM up JOIN site_section_group g ON g.id = up.parent "
    "WHERE up.n < 100) SELECT max(n) FROM up");
/* These set parent and order key together, since a key is only valid among the siblings for which it was made. */
SQL(q_put_section, "UPDATE site_section SET section_group = :parent, ord = :ord WHERE id = :id");
SQL(q_put_link, "UPDATE site_external_link SET section_group = :parent, ord = :ord WHERE id = :id");
SQL(q_put_group, "UPDATE site_section_group SET parent = :parent, ord = :ord WHERE id = :id");

int
site_group_depth(struct req *r, const char *id)
{
	struct stmt *q = db_use(r->db, &q_depth);

	if (id == NULL)
		return 0;
	bind_text(q, ":id", id);
	return (int)stmt_int(q, 0);
}

void
site_put(struct req *r, const struct site_item *it, const char *parent, const char *ord)
{
	struct stmt *q = db_use(r->db, it->kind == SITE_SECTION ? &q_put_section : it->kind == SITE_LINK ? &q_put_link : &q_put_group);

	bind_text(q, ":parent", parent);
	bind_text(q, ":ord", ord);
	bind_text(q, ":id", it->id);
	stmt_run(q);
}

/*
 * Refuses a group inside itself or nested too deeply: a group moved into one of its own descendants
 * would be disconnected from the tree with its contents. member: of the body. 0 or fail().
 */
int
site_nests_or_fail(struct req *r, const struct site_item *it, const char *parent, const char *member)
{
	struct stmt *q;

	if (it->kind != SITE_GROUP)
		return 0;
	q = db_use(r->db, &q_inside);
	bind_text(q, ":id", parent);
	bind_text(q, ":group", it->id);
	if (stmt_int(q, 0) == 1)
		return fail_field(r, member, "is an invalid position: it is inside the group itself");
	q = db_use(r->db, &q_height);
	bind_text(q, ":id", it->id);
	if (site_group_depth(r, parent) + stmt_int(q, 0) > SITE_GROUP_DEPTH)
		return fail_field(r, member, "is too deep: groups nest %d levels at most", SITE_GROUP_DEPTH);
	return 0;
}

int
site_into_or_fail(struct req *r, const struct site_item *it, const char *group)
{
	struct site_item in;

	if (same_text(it->parent, group))
		return 0;
	if ((group != NULL && site_item_or_fail(r, SITE_GROUP, group, &in) != 0) ||
	    site_nests_or_fail(r, it, group, "/parentSectionGroupId") != 0)
		return -1;
	site_put(r, it, group, site_place(r, false, group));
	return 0;
}
