/*
 * The rows of a branch that overlays main, and the versions that they were made from. Contract:
 * store/overlay.h.
 */
#include "store/order.h"
#include "store/overlay.h"

/* Rows that are alive at the number. A stage (stage.h) may already have ended some and begun others. */
SQL(q_own_rows,
    "SELECT id FROM node WHERE branch = :b AND +since <= :q AND until > :q ORDER BY id");
SQL(q_branch_head, "SELECT head FROM branch WHERE id = :b");

SQL(q_held,
    "SELECT EXISTS (SELECT 1 FROM node WHERE branch = :b AND id = :id AND since <= :q "
    "AND kind IN ('document', 'group', 'link', 'computed'))");

struct point
overlay_base(const struct point *request)
{
	return (struct point){ .space = request->space, .branch = request->base,
		.seq = request->base_seq };
}

struct node *
overlay_rows_at(struct db *db, struct arena *a, int64_t branch, int64_t seq, size_t *count)
{
	struct point p = { .branch = branch, .seq = seq };
	struct stmt *q = db_use(db, &q_own_rows);
	const char **ids = NULL;
	size_t n = 0, room = 0, i;
	struct node *rows;

	bind_int(q, ":b", branch);
	bind_int(q, ":q", seq);
	while (stmt_step(q)) {
		const char *id = col_dup(q, 0, a);

		if (order_is_mark(id))
			continue;
		ids = arena_grow(a, ids, n, &room, sizeof(*ids));
		ids[n++] = id;
	}
	rows = arena_array(a, n, sizeof(*rows));
	for (i = 0, *count = 0; i < n; i++)
		if (node_at(db, a, &p, ids[i], &rows[*count]))
			(*count)++;
	return rows;
}

struct node *
overlay_rows(struct db *db, struct arena *a, int64_t branch, size_t *count)
{
	struct stmt *q = db_use(db, &q_branch_head);

	bind_int(q, ":b", branch);
	return overlay_rows_at(db, a, branch, stmt_int(q, -1), count);
}

bool
overlay_origin(struct db *db, struct arena *a, const struct point *request, const struct node *own,
    struct node *out)
{
	struct point p = overlay_base(request);

	p.seq = own->origin;
	return own->origin >= 0 && node_get(db, a, &p, own->id, out) && out->since == own->origin;
}

static bool
had_page_until(struct db *db, int64_t branch, int64_t seq, const char *id)
{
	struct stmt *q = db_use(db, &q_held);

	bind_int(q, ":b", branch);
	bind_text(q, ":id", id);
	bind_int(q, ":q", seq);
	return stmt_int(q, 0) != 0;
}

bool
overlay_ever_had(struct db *db, const struct point *overlay, const char *id)
{
	return had_page_until(db, overlay->branch, overlay->seq, id) ||
	    had_page_until(db, overlay->base, overlay->base_seq, id);
}
