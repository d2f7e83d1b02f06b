/* Copies a space's content to a new space. Contract: propagate/copy_space.h. */
#include "links/links.h"
#include "propagate/copy_space.h"
#include "propagate/propagate.h"
#include "search/search.h"

/* Rows copied in one transaction: some ten milliseconds, with search and links. */
enum { FEW = 100 };

/* Number of the copy's revision; the first one of each space is empty. */
#define COPY_SEQ INT64_C(1)

SQL(q_reserve, "UPDATE branch SET staged = :seq WHERE id = :branch");

bool
copy_is_long(struct db *db, struct arena *a, int64_t branch)
{
	struct point head;

	return point_head(db, a, branch, &head) && node_are_many(db, &head, FEW);
}

/* Makes the space's row first: after a kill, the purge finds the space by it. */
static void
begin_copy(struct db *db, struct arena *a, struct copy *c, int64_t branch, const struct space_new *n)
{
	struct space_new hidden = *n;
	struct stmt *q;

	hidden.unfinished = true;
	point_head(db, a, branch, &c->from);
	c->space = space_make(db, a, &hidden, &c->branch);
	q = db_use(db, &q_reserve);
	bind_int(q, ":seq", COPY_SEQ);
	bind_int(q, ":branch", c->branch);
	stmt_run(q);
}

void
copy_ahead(struct db *db, struct arena *a, struct copy *c, int64_t branch, const struct space_new *n)
{
	struct point to;

	db_begin(db, true);
	begin_copy(db, a, c, branch, n);
	node_copy_all(db, a, &c->from, c->branch, COPY_SEQ, true);
	c->found = search_copy(db, a, c->from.space, c->space, true);
	db_commit(db);
	to = (struct point){ .space = c->space, .branch = c->branch, .seq = COPY_SEQ };
	links_ahead(db, a, &to, &c->edition, NULL, 0, NULL);
}

/*
 * True if the source is unchanged since it was read and search has all of it: otherwise the copy
 * may lack what an index job adds.
 */
static bool
is_source_current(struct db *db, struct arena *a, const struct copy *c)
{
	struct point now;

	return c->found && point_head(db, a, c->from.branch, &now) && now.seq == c->from.seq &&
	    !search_is_behind(db, c->from.space);
}

bool
copy_show(struct db *db, struct arena *a, struct copy *c, int64_t branch, const struct space_new *n)
{
	/* The author is the user who copies, not those who wrote the source. */
	struct revision_info info = { .kind = "edits", .author = n->author, .staged = COPY_SEQ };
	struct point now;
	bool small = c->space == NULL;
	char *revision;

	if (small)
		begin_copy(db, a, c, branch, n);
	if (!space_show(db, a, c->space, n))
		return false;
	revision_add(db, a, c->branch, &info, &revision);
	if (small) {
		node_copy_all(db, a, &c->from, c->branch, COPY_SEQ, false);
		search_copy(db, a, c->from.space, c->space, false);
		point_head(db, a, c->branch, &now);
		/*
		 * A new space has no comments, bindings or translations: only search and links
		 * follow.
		 */
		propagate_changed(db, a, &now, NULL);
		return true;
	}
	links_show(db, c->branch, c->edition);
	if (!is_source_current(db, a, c))
		search_queue(db, a, c->space);
	return true;
}
