/* Lists what differs between two points of a space. Contract: store/changes.h. */
#include <stdlib.h>

#include "store/changes.h"
#include "store/order.h"
#include "store/overlay.h"
#include "base/sort.h"

/* Ids of rows of a branch that began or ended after one revision, up to and including another. */
SQL(q_between,
    "SELECT DISTINCT id FROM (SELECT id FROM node WHERE branch = :b AND since > :from AND since <= :to "
    "UNION ALL SELECT id FROM node WHERE branch = :b AND until > :from AND until <= :to) AS c");
/*
 * The previous revision by number, which is not always one less: the numbers of a branch may have
 * gaps (content.h).
 */
SQL(q_before,
    "SELECT p.id, p.seq, p.base_seq FROM revision r JOIN revision p ON p.branch = r.branch "
    "AND p.seq = (SELECT max(o.seq) FROM revision o WHERE o.branch = r.branch AND o.seq < r.seq) "
    "WHERE r.id = :id");

SQL(q_at, "SELECT id FROM revision WHERE branch = :branch AND seq = :seq");

/* Ids that may differ, some of them twice. Comparing both points decides which of them do. */
struct changed_ids {
	struct db    *db;
	struct arena *arena;
	const char  **ids;
	size_t        n, cap;
};

static void
add_id(struct changed_ids *f, const char *id)
{
	f->ids = arena_grow(f->arena, f->ids, f->n, &f->cap, sizeof(*f->ids));
	f->ids[f->n++] = id;
}

/* Includes rows that ended: a deletion begins no row, it only ends one. */
static void
add_changed(struct changed_ids *f, int64_t branch, int64_t from, int64_t to)
{
	struct stmt *q = db_use(f->db, &q_between);

	bind_int(q, ":b", branch);
	bind_int(q, ":from", from);
	bind_int(q, ":to", to);
	while (stmt_step(q))
		add_id(f, col_dup(q, 0, f->arena));
}

static int
compare_ids(const void *x, const void *y)
{
	return strcmp(*(const char *const *)x, *(const char *const *)y);
}

static const struct node *
read_node_at(struct changed_ids *f, const struct point *p, const char *id)
{
	struct node *n = arena_alloc(f->arena, sizeof(*n));

	return node_get(f->db, f->arena, p, id, n) ? n : NULL;
}

/* Compares bodies by their hashes. Places are compared by order_differs(). */
static bool
nodes_equal(struct changed_ids *f, const struct node *x, const struct node *y)
{
	return strcmp(x->title, y->title) == 0 && strcmp(x->slug, y->slug) == 0 &&
	    strcmp(x->props, y->props) == 0 && str_eq(x->body, y->body) && x->kind == y->kind &&
	    str_eq(node_front(f->db, f->arena, x), node_front(f->db, f->arena, y));
}

/* Pages first, then files, reusable contents and settings. */
static int
kind_rank(const struct change *c)
{
	const struct node *n = c->after != NULL ? c->after : c->before;

	switch (n->kind) {
	case NODE_FILE:     return 1;
	case NODE_REUSABLE: return 2;
	case NODE_SETTING:  return 3;
	default:            return 0;
	}
}

/* Equal titles are compared by id, so that the order of the list is always the same. */
static int
compare_changes(const void *x, const void *y)
{
	const struct change *a = x, *b = y;
	const struct node *n = a->after != NULL ? a->after : a->before;
	const struct node *m = b->after != NULL ? b->after : b->before;
	int c = kind_rank(a) - kind_rank(b);

	if (c == 0)
		c = strcmp(n->title, m->title);
	return c != 0 ? c : strcmp(n->id, m->id);
}

/*
 * Sorting puts duplicate ids side by side. An id that exists at neither point was created and
 * deleted in between.
 */
static struct change *
compare_points(struct changed_ids *f, const struct point *from, const struct point *to, size_t *count)
{
	struct change *list = arena_array(f->arena, f->n, sizeof(*list));
	size_t i;

	sort_list(f->ids, f->n, sizeof(*f->ids), compare_ids);
	for (i = 0, *count = 0; i < f->n; i++) {
		struct change c = { NULL, NULL, false };
		if (i > 0 && strcmp(f->ids[i], f->ids[i - 1]) == 0)
			continue;
		/* No branch has the number 0: it means the time before the first revision of a main branch. */
		c.before = from->branch == 0 ? NULL : read_node_at(f, from, f->ids[i]);
		c.after = read_node_at(f, to, f->ids[i]);
		if (c.before == NULL && c.after == NULL)
			continue;
		if (c.before != NULL && c.after != NULL) {
			/* Both points have the same row. */
			if (c.before->branch == c.after->branch && c.before->since == c.after->since)
				continue;
			c.moved = order_differs(f->db, f->arena, from, c.before, to, c.after);
			if (!c.moved && nodes_equal(f, c.before, c.after))
				continue;
		}
		list[(*count)++] = c;
	}
	sort_list(list, *count, sizeof(*list), compare_changes);
	return list;
}

/*
 * The point of main that a request overlays. As opposed to overlay_base(), it has the id of the
 * revision, which caches use as a key.
 */
static struct point
overlaid_point(struct db *db, struct arena *a, const struct point *p)
{
	struct stmt *q = db_use(db, &q_at);

	bind_int(q, ":branch", p->base);
	bind_int(q, ":seq", p->base_seq);
	return (struct point){ .space = p->space, .revision = stmt_dup(q, a), .branch = p->base, .seq = p->base_seq };
}

struct point
point_before(struct db *db, struct arena *a, const struct point *p)
{
	struct stmt *q = db_use(db, &q_before);
	struct point before = *p;

	bind_text(q, ":id", p->revision);
	if (stmt_step(q)) {
		before.revision = col_dup(q, 0, a);
		before.seq = col_int(q, 1);
		before.base_seq = col_int(q, 2);
	} else if (p->base != 0) {
		return overlaid_point(db, a, p);
	} else {
		before.branch = 0;
	}
	return before;
}

/* The revision up to which the point reads the branch; -1: it does not read it. */
static int64_t
seq_read_by(const struct point *p, int64_t branch)
{
	return p->branch == branch ? p->seq : p->base == branch ? p->base_seq : -1;
}

/*
 * Adds the rows of a branch that only one of the points reads, such as a change request's own: all
 * of them differ.
 */
static void
add_differing(struct changed_ids *f, int64_t branch, const struct point *from, const struct point *to)
{
	int64_t x = seq_read_by(from, branch), y = seq_read_by(to, branch);

	if (branch != 0 && x != y)
		add_changed(f, branch, x < y ? x : y, x < y ? y : x);
}

struct change *
changes_between(struct db *db, struct arena *a, const struct point *from, const struct point *to, size_t *count)
{
	struct changed_ids f = { .db = db, .arena = a };

	add_differing(&f, to->branch, from, to);
	/*
	 * A revision of a request may also move the base point: main's changes in between are then
	 * new in the request.
	 */
	add_differing(&f, to->base, from, to);
	if (from->branch != to->branch && from->branch != to->base)
		add_differing(&f, from->branch, from, to);
	return compare_points(&f, from, to, count);
}

struct change *
changes_of_revision(struct db *db, struct arena *a, const struct point *to, struct point *from,
    size_t *count)
{
	*from = point_before(db, a, to);
	return changes_between(db, a, from, to, count);
}

struct change *
changes_of_request(struct db *db, struct arena *a, const struct point *head, struct point *from,
    size_t *count)
{
	struct changed_ids f = { .db = db, .arena = a };
	struct node *own;
	size_t n, i;

	*from = overlaid_point(db, a, head);
	/* Everything that a request changes has a row in its branch, including tombstones. */
	own = overlay_rows(db, a, head->branch, &n);
	for (i = 0; i < n; i++)
		add_id(&f, own[i].id);
	return compare_points(&f, from, head, count);
}
