/* Moves comments along with their blocks and cells when pages change. */
#include "markdown/blocks.h"
#include "store/changes.h"
#include "base/map.h"
#include "propagate/comments.h"
#include "propagate/large_bodies.h"
#include "text/merge_text.h"

/* This query runs first. Most spaces have no comments on blocks; then nothing else is read. */
SQL(q_any,
    "SELECT 1 FROM comment WHERE scope = :scope AND page IS NOT NULL AND node IS NOT NULL LIMIT 1");
SQL(q_pages,
    "SELECT DISTINCT page FROM comment WHERE scope = :scope AND page IS NOT NULL AND node IS NOT NULL");
/* Selects by scope, so that a revision of primary content does not move comments of a change request. */
SQL(q_on_blocks,
    "SELECT id, node, record, definition FROM comment "
    "WHERE scope = :scope AND page = :page AND node IS NOT NULL");
SQL(q_move,
    "UPDATE comment SET node = :node, record = :record, definition = :definition, "
    "revision = :revision, "
    "lost = CASE WHEN :lost = 1 THEN 1 ELSE lost END WHERE id = :id");

/*
 * Position of a comment: node NULL: on the page as a whole; record and definition NULL: on the
 * block as a whole.
 */
struct comment_place {
	struct comment_place *next;
	const char    *id, *node, *record, *definition;
	bool           lost;     /* the block or cell that it was on was deleted */
};

static bool
any_on_blocks(struct db *db, const char *scope)
{
	struct stmt *q = db_use(db, &q_any);

	bind_text(q, ":scope", scope);
	return stmt_int(q, 0) == 1;
}

/*
 * All comments on blocks of the page, read before the first is moved, because blocks may exchange
 * their keys.
 */
static struct comment_place *
comments_on_blocks(struct db *db, struct arena *a, const char *scope, const char *page)
{
	struct stmt *q = db_use(db, &q_on_blocks);
	struct comment_place *first = NULL, *one;

	bind_text(q, ":scope", scope);
	bind_text(q, ":page", page);
	while (stmt_step(q)) {
		one = arena_alloc(a, sizeof(*one));
		*one = (struct comment_place){ first, col_dup(q, 0, a), col_dup(q, 1, a),
			col_null(q, 2) ? NULL : col_dup(q, 2, a), col_null(q, 3) ? NULL : col_dup(q, 3, a), false };
		/* The order does not matter: comments move independently. */
		first = one;
	}
	return first;
}

static bool
same_or_null(const char *x, const char *y)
{
	return x == y || (x != NULL && y != NULL && strcmp(x, y) == 0);
}

/* The new key of a block, or of a row or column of a table; NULL: deleted. */
static const char *
moved_key(const struct block_move *moves, size_t n, const char *block, const char *part)
{
	const struct block_move *m = block_move_of(moves, n, block, part);

	return m == NULL ? NULL : m->to;
}

/*
 * The new key of the code block that contains a line; NULL: the block is not a line, or its code
 * block was deleted, too.
 */
static const char *
moved_code(const struct block_move *moves, size_t n, const char *line)
{
	const struct block_move *m = block_move_of(moves, n, line, "");

	return m == NULL || m->code == NULL ? NULL : moved_key(moves, n, m->code, "");
}

/*
 * The new position of a comment. A comment on a deleted cell, row or column moves to the table; one
 * on a deleted line of code moves to its code block.
 */
static struct comment_place
moved_place(const struct comment_place *c, const struct block_move *moves, size_t n)
{
	struct comment_place to = *c;

	to.node = moved_key(moves, n, c->node, "");
	to.record = to.node == NULL || c->record == NULL ? NULL : moved_key(moves, n, c->node, c->record);
	/* A cell needs both keys; without one of them the comment moves to the table. */
	to.definition = to.record == NULL ? NULL : moved_key(moves, n, c->node, c->definition);
	if (to.definition == NULL)
		to.record = NULL;
	to.lost = to.node == NULL || (c->record != NULL && to.record == NULL);
	if (to.node == NULL)
		to.node = moved_code(moves, n, c->node);
	return to;
}

/*
 * Writes the place with its revision, because node, record and definition are keys only in that
 * revision's documents.
 */
static void
write_place(struct db *db, const struct comment_place *c, const char *revision)
{
	struct stmt *q = db_use(db, &q_move);

	bind_text(q, ":node", c->node);
	bind_text(q, ":record", c->record);
	bind_text(q, ":definition", c->definition);
	bind_text(q, ":revision", revision);
	bind_int(q, ":lost", c->lost);
	bind_text(q, ":id", c->id);
	stmt_run(q);
}

/* The block moves of a page. */
struct page_moves {
	const struct block_move *moves;   /* NULL: the body did not change */
	size_t                   n;
};

/* Compares the two bodies. False: one of them cannot be read, and comments stay as they are. */
static bool
align_bodies(struct db *db, struct arena *a, const struct node *was, const struct node *is,
    struct page_moves *out)
{
	struct str before, after;

	if (!blob_get(db, a, was->body, &before) || !blob_get(db, a, is->body, &after))
		return false;
	out->moves = block_moves(a, before, after, &out->n);
	return true;
}

/* Writes only rows that change: most blocks of a page keep their keys. */
static void
move_comments(struct db *db, struct comment_place *one, const struct page_moves *f, const char *revision)
{
	const struct block_move *moves = f->moves;
	size_t n = f->n;
	struct comment_place to;

	for (; one != NULL; one = one->next) {
		/*
		 * The block is not in the page itself but in an included text, which this change
		 * does not move.
		 */
		if (block_move_of(moves, n, one->node, "") == NULL)
			continue;
		to = moved_place(one, moves, n);
		if (!same_or_null(to.node, one->node) || !same_or_null(to.record, one->record) ||
		    !same_or_null(to.definition, one->definition))
			write_place(db, &to, revision);
	}
}

/*
 * Moves the comments of one page. large_moves() handles a large page: it provides the moves, or notes the
 * page, and nothing moves in this run (moves is NULL). For other pages align_bodies() makes the moves.
 */
static void
follow_page(struct db *db, struct arena *a, const struct change *c, const char *scope,
    const char *revision, struct large *large)
{
	struct comment_place *one = comments_on_blocks(db, a, scope, c->after->id);
	struct page_moves f = { NULL, 0 };

	if (one != NULL && (large_moves(db, large, c->before, c->after, &f.moves, &f.n) ||
	    align_bodies(db, a, c->before, c->after, &f)) && f.moves != NULL)
		move_comments(db, one, &f, revision);
}

/* True if the body changed. A page that was only renamed or moved keeps the keys of its blocks. */
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
		/* A new page has no old blocks, and a deleted page no new ones. */
		if (list[i].before != NULL && list[i].after != NULL && body_changed(list[i].before, list[i].after))
			follow_page(db, a, &list[i], scope, now->revision, large);
}

SQL(q_readdress, "UPDATE comment SET revision = :to WHERE scope = :scope AND revision = :from");

void
comments_readdress(struct db *db, const char *scope, const char *from, const char *to)
{
	struct stmt *q = db_use(db, &q_readdress);

	bind_text(q, ":to", to);
	bind_text(q, ":scope", scope);
	bind_text(q, ":from", from);
	stmt_run(q);
}

/* ---- a staged revision ---- */

struct followed_pages {
	struct map *pages;   /* id -> struct page_moves, for all pages with comments on blocks */
};

/* A list, so that the statement is not open while comments are moved. */
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

/* Never returns NULL; moves is NULL if nothing moves. So the map has an entry for every page that was compared. */
static struct page_moves *
compare_page(struct db *db, struct arena *a, const struct point *head, const struct point *staged,
    const char *page)
{
	struct page_moves *f = arena_alloc(a, sizeof(*f));
	struct node was, is;

	if (node_get(db, a, head, page, &was) && node_get(db, a, staged, page, &is) && body_changed(&was, &is))
		align_bodies(db, a, &was, &is, f);
	return f;
}

struct followed_pages *
comments_prepare(struct db *db, struct arena *a, const struct point *head, const struct point *staged,
    const char *scope)
{
	struct followed_pages *out = arena_alloc(a, sizeof(*out));
	const char **pages;
	size_t n, i;

	out->pages = map_new(a);
	pages = pages_with_comments(db, a, scope, &n);
	for (i = 0; i < n; i++)
		map_add(out->pages, str_of(pages[i]), compare_page(db, a, head, staged, pages[i]));
	return out;
}

/*
 * In the publishing transaction. The comparisons of comments_prepare() are still valid, because the
 * head is the same.
 */
void
comments_publish(struct db *db, struct arena *a, const struct followed_pages *ahead,
    const struct point *head, const struct point *staged, const char *scope)
{
	const struct page_moves *f;
	const char **pages;
	size_t n, i;

	/* The pages are listed again, to include comments that were made since comments_prepare(). */
	pages = pages_with_comments(db, a, scope, &n);
	for (i = 0; i < n; i++) {
		/* The first comment on a page may have been made since comments_prepare(). */
		if ((f = map_get(ahead->pages, str_of(pages[i]))) == NULL)
			f = compare_page(db, a, head, staged, pages[i]);
		if (f->moves != NULL)
			move_comments(db, comments_on_blocks(db, a, scope, pages[i]), f, staged->revision);
	}
}
