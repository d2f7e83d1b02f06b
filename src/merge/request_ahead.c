/* Does long merges and updates before the transaction that publishes them. Contract: merge/request.h. */
#include "propagate/propagate.h"
#include "store/space.h"
#include "request_parts.h"

SQL(q_many_own,
    "SELECT count(*) FROM (SELECT 1 FROM node WHERE branch = :b AND +since <= :q AND until > :q LIMIT :most) AS found");
SQL(q_many_changed,
    "SELECT count(*) FROM (SELECT 1 FROM node WHERE branch = :b AND since > :from LIMIT :most) AS found");

/*
 * With up to so many rows (of the request; of main since the last update) a merge takes some
 * milliseconds, and is not prepared.
 */
enum { MANY = 50, MANY_CHANGED = 200 };
#define SCRATCH ((size_t)1 << 30)

struct request_ahead {
	struct arena         *arena;
	const char           *scope, *author;
	bool                  update;
	int64_t               branch;     /* the request's */
	struct point          request;    /* the heads of the request and (rows.main) of main for which this was prepared */
	struct rows           rows;
	struct stage          stage;
	struct point          now;        /* the staged revision */
	struct propagation    propagation;
	struct followed_pages *comments;
	struct merge_outcome  out;
	bool                  done;       /* request_publish() may publish it */
	bool                  prepared;   /* propagation has data that must be removed if this is not published */
};

struct request_ahead *
request_ahead_new(struct arena *a, int64_t branch, const char *scope, const char *author, bool update)
{
	struct request_ahead *x = arena_alloc(a, sizeof(*x));

	*x = (struct request_ahead){ .arena = a, .branch = branch, .scope = scope, .author = author, .update = update };
	return x;
}

bool
request_is_long(struct db *db, struct arena *a, const struct point *request, bool update)
{
	struct stmt *q = db_use(db, &q_many_own);
	struct node *own, theirs;
	struct point main;
	size_t n, i, bytes = 0;

	bind_int(q, ":b", request->branch);
	bind_int(q, ":q", request->seq);
	bind_int(q, ":most", MANY + 1);
	if (stmt_int(q, 0) > MANY)
		return true;
	q = db_use(db, &q_many_changed);
	bind_int(q, ":b", request->base);
	bind_int(q, ":from", request->base_seq);
	bind_int(q, ":most", MANY_CHANGED + 1);
	if (update && stmt_int(q, 0) > MANY_CHANGED)
		return true;
	own = overlay_rows_at(db, a, request->branch, request->seq, &n);
	if (!point_head(db, a, request->base, &main))
		return false;
	/* Counts what is removed from search as well: that takes as long as adding. */
	for (i = 0; i < n; i++) {
		bytes += own[i].kind == NODE_FILE ? 0 : blob_size(db, own[i].body);
		if (node_get(db, a, &main, own[i].id, &theirs) && theirs.kind == NODE_DOCUMENT)
			bytes += blob_size(db, theirs.body);
	}
	return bytes >= LARGE_MIN;
}

/* ---- the steps ---- */

/*
 * Begins a write transaction and extends the reservation of the branch. False, and no transaction
 * is open: another writer has the branch.
 */
static bool
write_begin(struct stage *s)
{
	db_begin(s->db, true);
	if (stage_hold(s))
		return true;
	db_rollback(s->db);
	return false;
}

static bool
write_end(struct stage *s)
{
	db_commit(s->db);
	return !s->stopped;
}

/* Compresses the texts that the merge produced, so that the write transaction need not do it. */
static void
pack_all(struct rows *w)
{
	size_t i;

	for (i = 0; i < w->n; i++)
		three_way_pack(&w->three[i]);
}

/*
 * Decides the rows of the request. If they are clean, checks main's tree as well. Inside a read
 * transaction, which it ends.
 */
static void
decide_rows(struct rows *w)
{
	struct point view = rows_view(w);
	size_t i;

	rows_decide_all(w);
	rows_record_clashes(w);
	pack_all(w);
	for (i = 0; w->clean && i < w->n; i++)
		ids_add(&w->touched, w->own[i].id);
	if (w->clean)
		rows_check(w, &view);
	db_rollback(w->db);
}

/*
 * Stages the rows in main. If they are not clean, then checks main's tree with them; if they are,
 * decide_rows() has checked it. False: another writer has the branch.
 */
static bool
write_rows(struct rows *w, struct stage *s)
{
	struct point after = w->main;

	stage_init(s, w->db, w->arena, w->main.branch);
	if (!stage_take(s) || !write_begin(s))
		return false;
	w->stage = s;
	w->touched.n = 0;
	rows_apply(w, s->seq);
	if (!write_end(s))
		return false;
	if (w->clean)
		return true;
	after.seq = s->seq;
	db_begin(w->db, false);
	rows_check(w, &after);
	db_rollback(w->db);
	return true;
}

/* ---- merge ---- */

/* Extends the reservation during long work outside of transactions. */
static bool
keep_branch(void *stage, const char *what, size_t done, size_t total)
{
	(void)what;
	(void)done;
	(void)total;
	return write_begin(stage) && write_end(stage);
}

/* Prepares search, links and comments of the staged revision. False: another writer has the branch. */
static bool
prepare_derived(struct request_ahead *x, struct db *db)
{
	const struct stage_watch watch = { keep_branch, &x->stage };
	const char **ids;
	size_t n;
	bool held;   /* the branch was not lost to another writer */

	x->now = x->rows.main;
	x->now.seq = x->stage.seq;
	db_begin(db, false);
	ids = stage_ids(&x->stage, x->stage.arena, &n);
	db_rollback(db);
	x->propagation = (struct propagation){ .head = x->rows.main, .staged = x->now, .watch = &watch, .exports = true };
	x->prepared = true;
	held = propagate_ahead(db, x->arena, &x->propagation, ids, n, NULL, 0);
	x->propagation.watch = NULL;
	return held && keep_branch(&x->stage, NULL, 0, 0);
}

/*
 * Prepares a merge. Inside a read transaction; after the return it may still be open. False: another
 * writer has the branch.
 */
static bool
merge_ahead(struct request_ahead *x, struct db *db)
{
	const struct redirects *list;

	x->out = (struct merge_outcome){ .revision = x->rows.main.revision, .seq = x->rows.main.seq };
	decide_rows(&x->rows);
	/* Stage the rows to publish them; with clashes, only if the tree cannot be checked without them. */
	if (x->rows.n > 0 && (x->rows.clashes == NULL || !x->rows.clean) && !write_rows(&x->rows, &x->stage))
		return false;
	if ((x->out.clashes = x->rows.clashes) != NULL || x->rows.n == 0)
		return true;
	db_begin(db, false);
	list = rows_redirects(&x->rows, x->stage.seq);
	db_rollback(db);
	if (!write_begin(&x->stage))
		return false;
	rows_finish(&x->rows, list, x->stage.seq);
	if (!write_end(&x->stage))
		return false;
	x->out.changed = prepare_derived(x, db);
	return x->out.changed;
}

/* ---- update ---- */

/*
 * Sets x->out.clashes to those of a merge at a point of the request, which may be staged. Inside a read
 * transaction, which it ends. False: another writer has main.
 */
static bool
clashes_ahead(struct request_ahead *x, struct db *db, const struct point *request)
{
	struct stage s = { .until = 0 };
	struct rows w;
	bool held;

	rows_init(&w, db, x->arena, request);
	decide_rows(&w);
	/* Rows that are not clean are staged in main only to find the clashes, and removed again. */
	held = w.clean || write_rows(&w, &s);
	stage_leave(&s);
	x->out.clashes = w.clashes;
	return held;
}

/* Stages the updated rows in the request's branch. Outside of transactions. False: another writer has the branch. */
static bool
write_update(struct request_ahead *x, struct db *db)
{
	bool valid;

	stage_init(&x->stage, db, x->arena, x->branch);
	if (!stage_take(&x->stage) || !write_begin(&x->stage))
		return false;
	x->now = rows_view(&x->rows);
	x->now.seq = x->stage.seq;
	x->rows.stage = &x->stage;
	rows_refresh(&x->rows, &x->now);
	if (!write_end(&x->stage))
		return false;
	db_begin(db, false);
	valid = rows_tree_is_valid(&x->rows, &x->now);
	db_rollback(db);
	if (valid)
		return true;
	if (!write_begin(&x->stage))
		return false;
	rows_mend_tree(&x->rows, &x->now);
	return write_end(&x->stage);
}

/* Prepares an update. Inside a read transaction, which it ends. False: another writer has the branch, or main. */
static bool
update_ahead(struct request_ahead *x, struct db *db)
{
	x->out = (struct merge_outcome){ .revision = x->request.revision, .seq = x->request.seq };
	if (rows_up_to_date(&x->rows))
		return clashes_ahead(x, db, &x->request);
	rows_decide_all(&x->rows);
	pack_all(&x->rows);
	db_rollback(db);
	if (!write_update(x, db))
		return false;
	db_begin(db, false);
	x->comments = comments_prepare(db, x->arena, &x->request, &x->now, x->scope);
	x->out.changed = true;
	return clashes_ahead(x, db, &x->now);
}

/* ---- both ---- */

void
request_ahead_leave(struct request_ahead *x)
{
	/* An arena of its own: deleting in many steps resets its arena after each. */
	struct arena *scratch = x->prepared ? arena_within(x->arena, SCRATCH) : NULL;

	/*
	 * Remove what was prepared, since it will not be published. If the branch is lost, its new
	 * writer removes it.
	 */
	if (x->prepared && keep_branch(&x->stage, NULL, 0, 0))
		propagate_forget(x->rows.db, scratch, &x->propagation);
	stage_leave(&x->stage);
	if (x->prepared)
		propagate_clean_up_shared(x->rows.db, scratch, x->request.space, x->rows.main.branch);
	x->done = x->prepared = false;
}

bool
request_ahead(struct db *db, struct request_ahead *x)
{
	request_ahead_leave(x);
	db_begin(db, false);
	if (!point_head(db, x->arena, x->branch, &x->request)) {
		db_rollback(db);
		return false;
	}
	rows_init(&x->rows, db, x->arena, &x->request);
	x->done = x->update ? update_ahead(x, db) : merge_ahead(x, db);
	/* Does nothing if they have ended the transaction. */
	db_rollback(db);
	/* Nothing to publish (clashes, no changes, or the branch is lost): remove the staged rows. */
	if (!x->done || !x->out.changed)
		stage_leave(&x->stage);
	return x->done;
}

/* True if both heads are unchanged and the staged rows still exist. */
static bool
is_still_valid(struct db *db, struct request_ahead *x)
{
	struct point request, main;

	return x->done && point_head(db, x->arena, x->branch, &request) && point_same(&request, &x->request) &&
	    point_head(db, x->arena, request.base, &main) && main.seq == x->rows.main.seq &&
	    (!x->out.changed || stage_owned(&x->stage));
}

bool
request_publish(struct db *db, struct request_ahead *x, struct merge_outcome *out)
{
	struct revision_info info = { .kind = x->update ? "update" : "merge", .author = x->author,
		.staged = x->stage.seq };
	char *revision;

	if (!is_still_valid(db, x))
		return false;
	*out = x->out;
	if (!out->changed)
		return true;
	/*
	 * merged names the revision that is taken in; base_seq moves the base point of a request to
	 * it.
	 */
	info.merged = x->update ? x->rows.main.revision : x->request.revision;
	info.base_seq = x->rows.main.seq;
	out->seq = revision_add(db, x->arena, x->stage.branch, &info, &revision);
	out->revision = x->now.revision = revision;
	if (x->update) {
		comments_publish(db, x->arena, x->comments, &x->request, &x->now, x->scope);
		return true;
	}
	space_touch(db, x->request.space);
	x->propagation.staged.revision = revision;
	propagate_publish(db, x->arena, &x->propagation);
	return true;
}

void
request_ahead_clean_up(struct db *db, struct request_ahead *x)
{
	if (!x->update && x->out.changed)
		propagate_clean_up_shared(db, arena_within(x->arena, SCRATCH), x->request.space, x->rows.main.branch);
}
