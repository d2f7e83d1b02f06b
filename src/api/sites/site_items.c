/*
 * Finds and orders the items of a site's structure: site spaces, sections and groups. Contract:
 * site.h.
 */
#include "expr/expr.h"
#include "http/req.h"
#include "store/content.h"
#include "store/order.h"
#include "site.h"

/*
 * Each finds an item of the site: the id of another site's item is not found
 * (docs/design/security.md, "S1"). Nor is a site space of a deleted space, which keeps its row and
 * its order key.
 */
SQL(q_item_space,
    "SELECT x.id, x.ord, x.section FROM site_space x JOIN space s ON s.id = x.space "
    "WHERE x.id = :id AND x.site = :site AND s.deleted_at IS NULL");

SQL(q_item_section, "SELECT id, ord, section_group FROM site_section WHERE id = :id AND site = :site");

SQL(q_item_group, "SELECT id, ord, parent FROM site_section_group WHERE id = :id AND site = :site");

SQL(q_item_link, "SELECT id, ord, section_group FROM site_external_link WHERE id = :id AND site = :site");

/* kind: 1 sections, 2 groups and 3 external links of a group; 0 all site spaces of a section. */
#define IN_GROUP \
	"(SELECT id, ord, 1 AS kind FROM site_section WHERE site = :site " \
	"AND section_group IS NOT DISTINCT FROM :parent UNION ALL SELECT id, ord, 2 FROM site_section_group " \
	"WHERE site = :site AND parent IS NOT DISTINCT FROM :parent UNION ALL SELECT id, ord, 3 FROM site_external_link " \
	"WHERE site = :site AND section_group IS NOT DISTINCT FROM :parent) AS child "

#define IN_SECTION \
	"(SELECT id, ord, 0 AS kind FROM site_space WHERE site = :site " \
	"AND section IS NOT DISTINCT FROM :parent) AS child "

/* Ordered by key and then by id, so that the order is total even if two keys were equal. */
SQL(q_in_group, "SELECT id, ord, kind FROM " IN_GROUP "ORDER BY ord, id");

SQL(q_in_section, "SELECT id, ord, kind FROM " IN_SECTION "ORDER BY ord, id");

static const struct { const struct sql *get; const char *word; } kinds[] = {
	[SITE_SPACE]   = { &q_item_space, "site space" },
	[SITE_SECTION] = { &q_item_section, "section" },
	[SITE_GROUP]   = { &q_item_group, "section group" },
	[SITE_LINK]    = { &q_item_link, "external link" }
};

/* The strings of *out are copies, since callers run further statements. */
bool
site_item_get(struct req *r, enum site_kind kind, const char *id, struct site_item *out)
{
	struct stmt *q = db_use(r->db, kinds[kind].get);

	bind_text(q, ":id", id);
	bind_text(q, ":site", r->site.id);
	if (!stmt_step(q))
		return false;
	*out = (struct site_item){ kind, col_dup(q, 0, r->arena), col_dup(q, 1, r->arena),
		col_null(q, 2) ? NULL : col_dup(q, 2, r->arena) };
	return true;
}

int
site_item_or_fail(struct req *r, enum site_kind kind, const char *id, struct site_item *out)
{
	return site_item_get(r, kind, id, out) ? 0 : fail(r, E_NOT_FOUND, "no %s %s", kinds[kind].word, id);
}

/*
 * A DELETE of a missing item answers 204 (r->absent). It is set only for the item: an unknown site
 * stays 404 (docs/design/requests.md, "DELETE").
 */
int
site_item_to_delete(struct req *r, enum site_kind kind, const char *name, struct site_item *out)
{
	if (site_item_or_fail(r, kind, path_id(r, name), out) == 0)
		return 0;
	r->absent = true;
	return -1;
}

struct site_item *
site_siblings(struct req *r, bool spaces, const char *parent, size_t *n)
{
	struct site_item *list = NULL;
	struct stmt *q = db_use(r->db, spaces ? &q_in_section : &q_in_group);
	size_t room = 0;

	bind_text(q, ":site", r->site.id);
	bind_text(q, ":parent", parent);
	/*
	 * Includes site spaces of deleted spaces: otherwise two items could get the same key once
	 * such a space is restored.
	 */
	for (*n = 0;; (*n)++) {
		list = arena_grow(r->arena, list, *n, &room, sizeof(*list));
		list[*n] = (struct site_item){ .id = NULL };
		if (!stmt_step(q))
			return list;
		list[*n] = (struct site_item){ (enum site_kind)col_int(q, 2), col_dup(q, 0, r->arena),
			col_dup(q, 1, r->arena), parent };
	}
}

struct site_item *
site_children(struct req *r, const char *group)
{
	size_t n;

	/*
	 * group is copied, since it may be a column of the statement that this call reuses, and the
	 * items keep it as their parent.
	 */
	return site_siblings(r, false, group == NULL ? NULL : arena_strdup(r->arena, group), &n);
}

/* Two requests cannot get the same key, since each holds the write lock from BEGIN on. */
char *
site_place(struct req *r, bool spaces, const char *parent)
{
	size_t n;
	struct site_item *list = site_siblings(r, spaces, parent, &n);

	return order_key_between(r->arena, n == 0 ? "" : list[n - 1].ord, "");
}

const char *
site_next_ord(struct req *r, const struct site_item *it)
{
	size_t n, i;
	struct site_item *list = site_siblings(r, it->kind == SITE_SPACE, it->parent, &n);

	for (i = 0; i < n; i++)
		/*
		 * Finds the next greater key instead of the item at index + 1: keys might be equal,
		 * and order_key_between() needs a strictly greater key.
		 */
		if (strcmp(list[i].ord, it->ord) > 0)
			return list[i].ord;
	return "";
}

/*
 * A condition is checked when it is set, since one that cannot be evaluated later would hide its
 * item from everybody (audience/visit.h). "" is valid and removes the condition.
 */
int
condition_or_fail(struct req *r, const char *text, const char *path)
{
	const char *error;

	if (text == NULL || *text == '\0' || expr_parse(r->arena, str_of(text), &error) != NULL)
		return 0;
	return fail_field(r, path, "is no expression: %s", error);
}
