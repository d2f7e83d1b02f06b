/*
 * Removes the rows that an update wrote to keep the tree valid, when they are no longer needed.
 * Contract: request.h.
 */
#include "request_parts.h"

/*
 * Rows that updates wrote and whose origin is not main's version at the base point (:q is its
 * revision). Tombstones count, too.
 */
SQL(q_repairs,
    "SELECT n.id FROM revision r JOIN node n ON n.branch = r.branch AND n.since = r.seq "
    "WHERE r.branch = :b AND r.kind = 'update' AND n.until > :at "
    "AND (n.origin IS NOT NULL OR n.kind = 'gone') AND NOT EXISTS (SELECT 1 FROM node m "
    "WHERE m.branch = :base AND m.id = n.id AND m.since = n.origin AND m.until > :q)");
SQL(q_written, "SELECT id FROM node WHERE branch = :b AND since = :q AND kind <> 'gone'");

/* The revision of a request that is being made. */
struct repair_removal {
	struct db          *db;
	struct arena       *arena;
	const struct point *before, *now;
	struct point        base;
};

static struct ids
repair_ids(struct repair_removal *s)
{
	struct stmt *q = db_use(s->db, &q_repairs);
	struct ids ids = { .arena = s->arena };

	bind_int(q, ":b", s->now->branch);
	bind_int(q, ":base", s->base.branch);
	bind_int(q, ":q", s->base.seq);
	bind_int(q, ":at", s->now->seq);
	while (stmt_step(q))
		ids_add(&ids, col_dup(q, 0, s->arena));
	return ids;
}

/*
 * True if the row only keeps the tree valid: it is a tombstone for a page of main, or it differs from
 * main only in its place, which is that of its origin.
 */
static bool
keeps_tree(struct repair_removal *s, const struct node *own)
{
	struct node origin, main, n = *own;
	/*
	 * had_origin: the row was made from a version that main has or had. in_main: main has that page at
	 * the request's base point.
	 */
	bool had_origin = overlay_origin(s->db, s->arena, s->now, own, &origin);
	bool in_main = node_get(s->db, s->arena, &s->base, own->id, &main);

	if (own->kind == NODE_GONE)
		/* A tombstone with an origin is the deletion by a user, and stays. */
		return !had_origin && in_main;
	if (!had_origin)
		return false;
	if (!in_main)
		/* Main deleted the page. The row is a repair if it still equals its origin; an edit would differ. */
		return row_same(s->db, s->arena, own, &origin);
	copy_place(&n, &origin);
	/* The place differs from that of its origin: a user moved the page. */
	if (!node_same(own, &n))
		return false;
	copy_place(&n, &main);
	return node_same(&n, &main) &&
	    str_eq(node_front(s->db, s->arena, own), node_front(s->db, s->arena, &main));
}

/* A page that main deleted becomes the request's own if a page below it was written in this revision. */
static void
adopt_parents(struct repair_removal *s, const char *id)
{
	struct node n, origin;
	int depth;

	/*
	 * The number of steps is limited, because the tree is checked only later, and the writes
	 * may have made a cycle.
	 */
	for (depth = 0; depth < PAGE_DEPTH * 2 && node_get(s->db, s->arena, s->now, id, &n); depth++) {
		if (depth > 0 && n.branch == s->now->branch && !node_get(s->db, s->arena, &s->base, id, &origin) &&
		    overlay_origin(s->db, s->arena, s->now, &n, &origin) && keeps_tree(s, &n)) {
			n.front = node_front(s->db, s->arena, &n);
			/*
			 * Writes the row again. Main has no version at the base point, so the row
			 * gets no origin: the page is the request's own.
			 */
			request_put(s->db, s->arena, s->before, s->now->seq, &n);
		}
		id = n.parent;
	}
}

/* Reads all ids before the first write: adopt_parents() changes the rows that the statement reads. */
static void
adopt_parents_of_written(struct repair_removal *s)
{
	struct stmt *q = db_use(s->db, &q_written);
	struct ids ids = { .arena = s->arena };
	size_t i;

	bind_int(q, ":b", s->now->branch);
	bind_int(q, ":q", s->now->seq);
	while (stmt_step(q))
		ids_add(&ids, col_dup(q, 0, s->arena));
	for (i = 0; i < ids.n; i++)
		adopt_parents(s, ids.list[i]);
}

/* True if, without the row, the page has a valid place, or is deleted and nothing is below it. */
static bool
is_valid_without(struct repair_removal *s, const char *id)
{
	const char *other;
	struct node n;
	size_t below;

	if (!node_get(s->db, s->arena, s->now, id, &n)) {
		node_children(s->db, s->arena, s->now, id, &below);
		return below == 0;
	}
	return !(n.kind & NODE_PAGES) ||
	    tree_fault(s->db, s->arena, s->before, s->now, &n, &other) == NULL;
}

/* Ends the row. False: it is no repair row, was written in this revision, or is still needed. */
static bool
remove_repair(struct repair_removal *s, const char *id)
{
	struct point own_rows = { .branch = s->now->branch, .seq = s->now->seq };
	struct node own;

	if (!node_at(s->db, s->arena, &own_rows, id, &own) || own.since == s->now->seq ||
	    !keeps_tree(s, &own))
		return false;
	db_mark(s->db);
	/* The removal is tried after a savepoint, because the tree can be checked only without the row. */
	node_end(s->db, s->now->branch, id, s->now->seq);
	if (!is_valid_without(s, id)) {
		db_undo(s->db);
		return false;
	}
	db_keep(s->db);
	return true;
}

void
request_remove_repairs(struct db *db, struct arena *a, const struct point *before, const struct point *now)
{
	struct repair_removal s = { db, a, before, now, overlay_base(now) };
	struct ids ids = repair_ids(&s);
	bool again = ids.n > 0;
	size_t i;

	if (again)
		adopt_parents_of_written(&s);
	/*
	 * Ending one row may make another one unnecessary: its parent may be empty now, or have its
	 * place back.
	 */
	while (again)
		/* The loop ends: each round but the last ends at least one row, and no row comes back. */
		for (again = false, i = 0; i < ids.n; i++)
			again |= remove_repair(&s, ids.list[i]);
}
