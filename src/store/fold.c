/*
 * Removes a revision in favour of the next one ("folds" it). Contract: revision_fold() in
 * store/content.h.
 */
#include <assert.h>

#include "store/content.h"

/* Lists row versions that only this revision has: the head ended or replaced them. */
SQL(q_only_there,
    "SELECT body, refs FROM node WHERE branch = :b AND since = :seq AND until = :head");
SQL(q_drop, "DELETE FROM node WHERE branch = :b AND since = :seq AND until = :head");
SQL(q_begin_later, "UPDATE node SET since = :head WHERE branch = :b AND since = :seq");
SQL(q_end_later, "UPDATE node SET until = :head WHERE branch = :b AND until = :seq");
SQL(q_forget, "DELETE FROM revision WHERE branch = :b AND seq = :seq");

static struct stmt *
use_seq(struct db *db, const struct sql *sql, int64_t branch, int64_t seq)
{
	struct stmt *q = db_use(db, sql);

	bind_int(q, ":b", branch);
	bind_int(q, ":seq", seq);
	return q;
}

static struct stmt *
use_both(struct db *db, const struct sql *sql, const struct point *head, int64_t seq)
{
	struct stmt *q = use_seq(db, sql, head->branch, seq);

	bind_int(q, ":head", head->seq);
	return q;
}

/* Blobs of removed rows. They are released after all rows are in place. */
struct dropped_blobs {
	struct str *hashes;
	size_t      n, room;
};

static void
note_blob(struct arena *a, struct dropped_blobs *d, struct str hash)
{
	if (hash.n == 0)
		return;
	d->hashes = arena_grow(a, d->hashes, d->n, &d->room, sizeof(*d->hashes));
	d->hashes[d->n++] = (struct str){ arena_strndup(a, hash.p, hash.n), hash.n };
}

void
revision_fold(struct db *db, struct arena *a, const struct point *head, int64_t seq)
{
	struct dropped_blobs dropped = { 0 };
	struct stmt *q;

	assert(head->base != 0 && seq > 0 && seq < head->seq);
	q = use_both(db, &q_only_there, head, seq);
	while (stmt_step(q)) {
		note_blob(a, &dropped, col_bytes(q, 0));
		note_blob(a, &dropped, col_bytes(q, 1));
	}
	stmt_run(use_both(db, &q_drop, head, seq));
	stmt_run(use_both(db, &q_begin_later, head, seq));
	stmt_run(use_both(db, &q_end_later, head, seq));
	stmt_run(use_seq(db, &q_forget, head->branch, seq));
	for (size_t i = 0; i < dropped.n; i++)
		blob_release(db, dropped.hashes[i]);
}
