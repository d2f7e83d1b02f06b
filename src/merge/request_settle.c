/* What update wrote to keep the tree whole goes when it is not needed any more. The contract: request.h. */
#include "request_parts.h"

/* Rows that updates wrote and that were made from another version than main's at the base point. */
SQL(q_put_back,
    "SELECT n.id FROM revision r JOIN node n ON n.branch = r.branch AND n.since = r.seq "
    "WHERE r.branch = :b AND r.kind = 'update' AND n.until > :at "
    "AND (n.origin IS NOT NULL OR n.kind = 'gone') AND NOT EXISTS (SELECT 1 FROM node m "
    "WHERE m.branch = :base AND m.id = n.id AND m.since = n.origin AND m.until > :q)");
SQL(q_written, "SELECT id FROM node WHERE branch = :b AND since = :q AND kind <> 'gone'");

/* A revision of a request that is being made. */
struct settling {
	struct db          *db;
	struct arena       *arena;
	const struct point *before, *now;
	struct point        base;
};

static struct ids
put_back_ids(struct settling *s)
{
	struct stmt *q = db_use(s->db, &q_put_back);
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
 * Does the row only keep the tree whole? Then it hides a page of main, or holds
 * one at the place of its origin, with all else as main has it.
 */
static bool
keeps_tree(struct settling *s, const struct node *own)
{
	struct node origin, main, n = *own;
	/*
	 * made: it is a version of a page that main has or had. there: main has that page at the
	 * request's base point.
	 */
	bool made = overlay_origin(s->db, s->arena, s->now, own, &origin);
	bool there = node_get(s->db, s->arena, &s->base, own->id, &main);

	if (own->kind == NODE_GONE)
		/* A tombstone with an origin is a deletion by a person, which stays. */
		return !made && there;
	if (!made)
		return false;
	if (!there)
		/* Main deleted it: the row is update's own only where nobody has edited it since. */
		return row_same(s->db, s->arena, own, &origin);
	order_as(&n, &origin);
	/* It stands elsewhere than its origin did: a person placed it. */
	if (!node_same(own, &n))
		return false;
	order_as(&n, &main);
	return node_same(&n, &main) &&
	    str_eq(node_front(s->db, s->arena, own), node_front(s->db, s->arena, &main));
}

/* Pages of main's past above what was written in this revision become the request's own. */
static void
keep_above(struct settling *s, const char *id)
{
	struct node n, origin;
	int depth;

	/* Bounded, since the tree is checked only after this: the writes may have made a circle. */
	for (depth = 0; depth < PAGE_DEPTH * 2 && node_get(s->db, s->arena, s->now, id, &n); depth++) {
		if (depth > 0 && n.branch == s->now->branch && !node_get(s->db, s->arena, &s->base, id, &origin) &&
		    overlay_origin(s->db, s->arena, s->now, &n, &origin) && keeps_tree(s, &n)) {
			n.front = node_front(s->db, s->arena, &n);
			/*
			 * Sets the origin to what main holds at the base point, which is
			 * nothing: so it is the request's own page.
			 */
			request_put(s->db, s->arena, s->before, s->now->seq, &n);
		}
		id = n.parent;
	}
}

/* The ids are read before the first write: keep_above() changes the rows that the statement walks. */
static void
keep_above_written(struct settling *s)
{
	struct stmt *q = db_use(s->db, &q_written);
	struct ids ids = { .arena = s->arena };
	size_t i;

	bind_int(q, ":b", s->now->branch);
	bind_int(q, ":q", s->now->seq);
	while (stmt_step(q))
		ids_add(&ids, col_dup(q, 0, s->arena));
	for (i = 0; i < ids.n; i++)
		keep_above(s, ids.list[i]);
}

/* Without the row: is the page well placed, or nothing below it where it is deleted? */
static bool
is_whole(struct settling *s, const char *id)
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

/* False where the row stays: it is no such row, was written just now, or is still needed. */
static bool
let_go(struct settling *s, const char *id)
{
	struct point own_rows = { .branch = s->now->branch, .seq = s->now->seq };
	struct node own;

	if (!node_at(s->db, s->arena, &own_rows, id, &own) || own.since == s->now->seq ||
	    !keeps_tree(s, &own))
		return false;
	db_mark(s->db);
	/*
	 * Tried under a mark, since whether the tree is whole can only be asked of the tree
	 * without the row.
	 */
	node_end(s->db, s->now->branch, id, s->now->seq);
	if (!is_whole(s, id)) {
		db_undo(s->db);
		return false;
	}
	db_keep(s->db);
	return true;
}

void
request_settle(struct db *db, struct arena *a, const struct point *before, const struct point *now)
{
	struct settling s = { db, a, before, now, overlay_base(now) };
	struct ids ids = put_back_ids(&s);
	bool again = ids.n > 0;
	size_t i;

	if (again)
		keep_above_written(&s);
	/* One that goes can make room for another: a parent that is empty then, a page that has its parent. */
	while (again)
		/* Ends: each round but the last lets at least one row go, and none comes back. */
		for (again = false, i = 0; i < ids.n; i++)
			again |= let_go(&s, ids.list[i]);
}
