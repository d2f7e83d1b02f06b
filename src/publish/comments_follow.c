/* Comments stay on their blocks, and on their cells, while pages are written. */
#include "markdown/blocks.h"
#include "store/changes.h"
#include "publish/comments.h"
#include "text/merge_text.h"

SQL(q_any,
    "SELECT 1 FROM comment WHERE scope = :scope AND page IS NOT NULL AND node IS NOT NULL LIMIT 1");
SQL(q_on_blocks,
    "SELECT id, node, record, definition FROM comment "
    "WHERE scope = :scope AND page = :page AND node IS NOT NULL");
SQL(q_move,
    "UPDATE comment SET node = :node, record = :record, definition = :definition, "
    "revision = :revision WHERE id = :id");

struct placed {
	struct placed *next;
	const char    *id, *node, *record, *definition;
};

static bool
any_on_blocks(struct db *db, const char *scope)
{
	struct stmt *q = db_use(db, &q_any);

	bind_text(q, ":scope", scope);
	return stmt_int(q, 0) == 1;
}

/* All comments on blocks of the page: read before the first is moved, for keys may change places. */
static struct placed *
on_blocks(struct db *db, struct arena *a, const char *scope, const char *page)
{
	struct stmt *q = db_use(db, &q_on_blocks);
	struct placed *first = NULL, *one;

	bind_text(q, ":scope", scope);
	bind_text(q, ":page", page);
	while (stmt_step(q)) {
		one = arena_alloc(a, sizeof(*one));
		*one = (struct placed){ first, col_dup(q, 0, a), col_dup(q, 1, a),
			col_null(q, 2) ? NULL : col_dup(q, 2, a), col_null(q, 3) ? NULL : col_dup(q, 3, a) };
		first = one;
	}
	return first;
}

static bool
same(const char *x, const char *y)
{
	return x == y || (x != NULL && y != NULL && strcmp(x, y) == 0);
}

static const char *
target(const struct block_move *moves, size_t n, const char *block, const char *part)
{
	const struct block_move *m = block_move_of(moves, n, block, part);

	return m == NULL ? NULL : m->to;
}

/* Where a comment is now. A cell is gone with its row or its column, a comment on it stays on the table. */
static struct placed
moved(const struct placed *c, const struct block_move *moves, size_t n)
{
	struct placed to = *c;

	to.node = target(moves, n, c->node, "");
	to.record = to.node == NULL || c->record == NULL ? NULL : target(moves, n, c->node, c->record);
	to.definition = to.record == NULL ? NULL : target(moves, n, c->node, c->definition);
	if (to.definition == NULL)
		to.record = NULL;
	return to;
}

static void
put(struct db *db, const struct placed *c, const char *revision)
{
	struct stmt *q = db_use(db, &q_move);

	bind_text(q, ":node", c->node);
	bind_text(q, ":record", c->record);
	bind_text(q, ":definition", c->definition);
	bind_text(q, ":revision", revision);
	bind_text(q, ":id", c->id);
	stmt_run(q);
}

static void
follow_page(struct db *db, struct arena *a, const struct change *c, const char *scope,
    const char *revision)
{
	struct placed *one = on_blocks(db, a, scope, c->after->id), to;
	struct block_move *moves;
	struct str before, after;
	size_t n;

	if (one == NULL || !blob_get(db, a, c->before->body, &before) ||
	    !blob_get(db, a, c->after->body, &after))
		return;
	moves = block_moves(a, before, after, &n);
	for (; one != NULL; one = one->next) {
		/* What is not in the page itself, but in what it includes, is not moved by writing it. */
		if (block_move_of(moves, n, one->node, "") == NULL)
			continue;
		to = moved(one, moves, n);
		if (!same(to.node, one->node) || !same(to.record, one->record) ||
		    !same(to.definition, one->definition))
			put(db, &to, revision);
	}
}

void
comments_follow(struct db *db, struct arena *a, const struct point *now, const char *scope)
{
	struct change *list;
	struct point before;
	size_t n, i;

	if (!any_on_blocks(db, scope))
		return;
	list = changes_of_revision(db, a, now, &before, &n);
	for (i = 0; i < n; i++)
		if (list[i].before != NULL && list[i].after != NULL &&
		    list[i].after->kind == NODE_DOCUMENT && !str_eq(list[i].before->body, list[i].after->body))
			follow_page(db, a, &list[i], scope, now->revision);
}
