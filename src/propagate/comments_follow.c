/* Comments stay on their blocks, and on their cells, while pages are written. */
#include "markdown/blocks.h"
#include "store/changes.h"
#include "base/map.h"
#include "propagate/comments.h"
#include "propagate/large_bodies.h"
#include "text/merge_text.h"

/* Asked first: in most spaces nobody comments on blocks, and then nothing else is read. */
SQL(q_any,
    "SELECT 1 FROM comment WHERE scope = :scope AND page IS NOT NULL AND node IS NOT NULL LIMIT 1");
SQL(q_pages,
    "SELECT DISTINCT page FROM comment WHERE scope = :scope AND page IS NOT NULL AND node IS NOT NULL");
/* By scope, so that a comment in a change request does not move when primary content is written. */
SQL(q_on_blocks,
    "SELECT id, node, record, definition FROM comment "
    "WHERE scope = :scope AND page = :page AND node IS NOT NULL");
SQL(q_move,
    "UPDATE comment SET node = :node, record = :record, definition = :definition, "
    "revision = :revision WHERE id = :id");

/*
 * Where a comment is: node NULL, on the page as a whole; record and definition NULL, on the
 * block as a whole.
 */
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
		/* The order does not matter: each comment moves by itself. */
		first = one;
	}
	return first;
}

static bool
same_or_null(const char *x, const char *y)
{
	return x == y || (x != NULL && y != NULL && strcmp(x, y) == 0);
}

/* The new key of a block, or of a part of it (a row or column of a table); NULL: it is gone. */
static const char *
moved_key(const struct block_move *moves, size_t n, const char *block, const char *part)
{
	const struct block_move *m = block_move_of(moves, n, block, part);

	return m == NULL ? NULL : m->to;
}

/* Where a comment is now. A cell is gone with its row or its column, a comment on it stays on the table. */
static struct placed
moved_place(const struct placed *c, const struct block_move *moves, size_t n)
{
	struct placed to = *c;

	to.node = moved_key(moves, n, c->node, "");
	to.record = to.node == NULL || c->record == NULL ? NULL : moved_key(moves, n, c->node, c->record);
	/* A cell needs both: with one of them gone the comment is on the table. */
	to.definition = to.record == NULL ? NULL : moved_key(moves, n, c->node, c->definition);
	if (to.definition == NULL)
		to.record = NULL;
	return to;
}

/* The revision goes along: node, record and definition are keys of its documents, and of no other. */
static void
write_place(struct db *db, const struct placed *c, const char *revision)
{
	struct stmt *q = db_use(db, &q_move);

	bind_text(q, ":node", c->node);
	bind_text(q, ":record", c->record);
	bind_text(q, ":definition", c->definition);
	bind_text(q, ":revision", revision);
	bind_text(q, ":id", c->id);
	stmt_run(q);
}

/* Where the blocks of a page went. */
struct followed {
	const struct block_move *moves;   /* NULL: its body is as it was */
	size_t                   n;
};

/* Compares the two bodies. False: one of them cannot be read, and comments stay as they are. */
static bool
align_bodies(struct db *db, struct arena *a, const struct node *was, const struct node *is,
    struct followed *out)
{
	struct str before, after;

	if (!blob_get(db, a, was->body, &before) || !blob_get(db, a, is->body, &after))
		return false;
	out->moves = block_moves(a, before, after, &out->n);
	return true;
}

/* Writes only what differs: most blocks of a page keep their keys. */
static void
move_comments(struct db *db, struct placed *one, const struct followed *f, const char *revision)
{
	const struct block_move *moves = f->moves;
	size_t n = f->n;
	struct placed to;

	for (; one != NULL; one = one->next) {
		/* What is not in the page itself, but in what it includes, is not moved by writing it. */
		if (block_move_of(moves, n, one->node, "") == NULL)
			continue;
		to = moved_place(one, moves, n);
		if (!same_or_null(to.node, one->node) || !same_or_null(to.record, one->record) ||
		    !same_or_null(to.definition, one->definition))
			write_place(db, &to, revision);
	}
}

/*
 * Comments of one page. Where it is large, the moves come from large_moves(), or are noted and
 * nothing moves in this try.
 */
static void
follow_page(struct db *db, struct arena *a, const struct change *c, const char *scope,
    const char *revision, struct large *large)
{
	struct placed *one = on_blocks(db, a, scope, c->after->id);
	struct followed f = { NULL, 0 };

	if (one != NULL && (large_moves(db, large, c->before, c->after, &f.moves, &f.n) ||
	    align_bodies(db, a, c->before, c->after, &f)) && f.moves != NULL)
		move_comments(db, one, &f, revision);
}

/* Has the body changed? A page that was renamed or moved alone keeps the keys of its blocks. */
static bool
body_changed(const struct node *was, const struct node *is)
{
	return is->kind == NODE_DOCUMENT && !str_eq(was->body, is->body);
}

void
comments_follow(struct db *db, struct arena *a, const struct point *now, const char *scope,
    struct large *large)
{
	struct change *list;
	struct point before;
	size_t n, i;

	if (!any_on_blocks(db, scope))
		return;
	list = changes_of_revision(db, a, now, &before, &n);
	for (i = 0; i < n; i++)
		/* A page that came has no blocks to compare with, and one that went none to move to. */
		if (list[i].before != NULL && list[i].after != NULL && body_changed(list[i].before, list[i].after))
			follow_page(db, a, &list[i], scope, now->revision, large);
}

/* ---- a staged revision ---- */

struct followed_pages {
	struct map *pages;   /* by id: struct followed, of all pages that had comments on blocks */
};

/* A list: the statement is not held open while comments are moved. */
static const char **
pages_with_comments(struct db *db, struct arena *a, const char *scope, size_t *count)
{
	struct stmt *q = db_use(db, &q_pages);
	const char **list = NULL;
	size_t room = 0;

	bind_text(q, ":scope", scope);
	for (*count = 0; stmt_step(q); ++*count) {
		list = arena_grow(a, list, *count, &room, sizeof(*list));
		list[*count] = col_dup(q, 0, a);
	}
	return list;
}

/*
 * Always something to put into the map, with moves NULL where there is nothing to move: so a
 * page that was looked at is told from one that was not.
 */
static struct followed *
follow_one(struct db *db, struct arena *a, const struct point *head, const struct point *staged,
    const char *page)
{
	struct followed *f = arena_alloc(a, sizeof(*f));
	struct node was, is;

	if (node_get(db, a, head, page, &was) && node_get(db, a, staged, page, &is) && body_changed(&was, &is))
		align_bodies(db, a, &was, &is, f);
	return f;
}

struct followed_pages *
comments_ahead(struct db *db, struct arena *a, const struct point *head, const struct point *staged,
    const char *scope)
{
	struct followed_pages *out = arena_alloc(a, sizeof(*out));
	const char **pages;
	size_t n, i;

	out->pages = map_new(a);
	pages = pages_with_comments(db, a, scope, &n);
	for (i = 0; i < n; i++)
		map_add(out->pages, str_of(pages[i]), follow_one(db, a, head, staged, pages[i]));
	return out;
}

/*
 * In the transaction that publishes: what comments_ahead() compared is used as it is, since the
 * head is the same.
 */
void
comments_turn(struct db *db, struct arena *a, const struct followed_pages *ahead,
    const struct point *head, const struct point *staged, const char *scope)
{
	const struct followed *f;
	const char **pages;
	size_t n, i;

	/* Read again: who commented since comments_ahead() is found too. */
	pages = pages_with_comments(db, a, scope, &n);
	for (i = 0; i < n; i++) {
		/* The first comment on a page may be of this very moment. */
		if ((f = map_get(ahead->pages, str_of(pages[i]))) == NULL)
			f = follow_one(db, a, head, staged, pages[i]);
		if (f->moves != NULL)
			move_comments(db, on_blocks(db, a, scope, pages[i]), f, staged->revision);
	}
}
