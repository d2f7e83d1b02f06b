/* Revisions that are written in many transactions. Model and contract: stage.h. */
#include <time.h>

#include "base/secret.h"
#include "store/blob.h"
#include "store/stage.h"

SQL(q_staged, "SELECT staged, head, COALESCE(staged_until, 0) FROM branch WHERE id = :branch");
SQL(q_reserve, "UPDATE branch SET staged = :seq, staged_until = :until WHERE id = :branch");
SQL(q_free, "UPDATE branch SET staged = NULL, staged_until = NULL WHERE id = :branch AND staged = :seq");
SQL(q_left,
    "SELECT min(id) FROM branch WHERE space = :space AND staged IS NOT NULL AND COALESCE(staged_until, 0) <= :now");
/*
 * True if a job of the branch's space is running: it may stage on the branch, and may rely on what
 * it staged.
 */
SQL(q_job_running,
    "SELECT EXISTS (SELECT 1 FROM branch b JOIN job j ON j.queue = b.space AND j.state = 'running' WHERE b.id = :branch)");
/*
 * Rows that begin or end at the number: everything that the stage has written. Not a UNION, which would
 * hold all ids in the memory of the database.
 */
SQL(q_ids,
    "SELECT id FROM node WHERE branch = :b AND since = :seq "
    "UNION ALL SELECT n.id FROM node n WHERE n.branch = :b AND n.until = :seq "
    "AND NOT EXISTS (SELECT 1 FROM node c WHERE c.branch = n.branch AND c.id = n.id AND c.since = :seq)");
/*
 * Makes a row that the stage has ended alive again. A row that began at the number itself was
 * written by the stage, so it is not meant.
 */
SQL(q_revive,
    "UPDATE node SET until = " SQL_FOREVER " WHERE branch = :b AND id = :id AND +until = :seq "
    "AND since < :seq");
SQL(q_at, "SELECT 1 FROM node WHERE branch = :b AND id = :id AND since = :seq");
/* A branch that has no revision was created for the stage only. */
SQL(q_unused, "DELETE FROM branch WHERE id = :branch AND head < 0");

/* Frees the recorded rows; the map of ids stays. */
static void
drop_ops(struct stage *s)
{
	s->first = NULL;
	s->last = &s->first;
	if (s->ops != NULL)
		arena_reset(s->ops);
}

void
stage_init(struct stage *s, struct db *db, struct arena *a, int64_t branch)
{
	*s = (struct stage){ .db = db, .arena = a, .branch = branch, .seq = -1 };
	stage_pass(s);
}

void
stage_pass(struct stage *s)
{
	s->touched = map_new(s->arena);
	drop_ops(s);
	s->noted = 0;
}

/* The reserved number of a branch. */
struct reservation {
	bool    branch_exists;
	int64_t seq;      /* -1: no number is reserved */
	int64_t head;
	int64_t until;    /* set by a request; 0: reserved by a job */
};

static struct reservation
read_reservation(struct db *db, int64_t branch)
{
	struct reservation r = { .branch_exists = false };
	struct stmt *q = db_use(db, &q_staged);

	bind_int(q, ":branch", branch);
	if (stmt_step(q))
		r = (struct reservation){ true, col_null(q, 0) ? -1 : col_int(q, 0), col_int(q, 1), col_int(q, 2) };
	return r;
}

/* until 0: a job reserves the number. */
static void
reserve_number(struct stage *s, int64_t until)
{
	struct stmt *q = db_use(s->db, &q_reserve);

	bind_int(q, ":seq", s->seq);
	if (until != 0)
		bind_int(q, ":until", until);
	bind_int(q, ":branch", s->branch);
	stmt_run(q);
	s->until = until;
}

/* Begins a write transaction when no request is staging on the branch, or after `most` ms in any case. */
static struct reservation
begin_alone(struct stage *s, int64_t most)
{
	const struct timespec some = { 0, 20 * 1000000 };
	int64_t start = time_now();
	struct reservation r;

	for (;;) {
		db_begin(s->db, true);
		r = read_reservation(s->db, s->branch);
		if (r.until <= time_now() || time_now() - start > most)
			return r;
		db_rollback(s->db);
		nanosleep(&some, NULL);
	}
}

/*
 * If a number is reserved already, an earlier stage was not finished. This stage continues with its
 * number: it overwrites its rows, or stage_remove_stale() removes them. ahead: how many numbers are
 * left free for revisions of other writers, each of which takes the next number. A request that is
 * staging finishes by itself, or was killed.
 */
void
stage_reserve(struct stage *s, int64_t ahead)
{
	struct reservation r = begin_alone(s, INT64_MAX);

	if (r.branch_exists) {
		s->seq = r.seq < 0 ? r.head + 1 + ahead : r.seq;
		reserve_number(s, 0);
	}
	db_commit(s->db);
}

/* ---- by a request ---- */

bool
stage_take(struct stage *s)
{
	struct reservation r = begin_alone(s, STAGE_MS / 2);
	struct stmt *q;
	bool mine;

	q = db_use(s->db, &q_job_running);
	bind_int(q, ":branch", s->branch);
	/* Rows that a killed job has staged are removed only by a job (upstream_sweep()). */
	mine = stmt_int(q, 0) == 0 && r.branch_exists && (r.seq < 0 || (r.until != 0 && r.until <= time_now()));
	if (mine) {
		s->seq = r.seq < 0 ? r.head + 1 + STAGE_GAP : r.seq;
		reserve_number(s, time_now() + STAGE_MS);
	}
	db_commit(s->db);
	/* Removes the rows of a killed request: this pass has written none of them. */
	if (mine && r.seq >= 0)
		stage_remove_stale(s);
	return mine && !s->stopped;
}

bool
stage_owned(struct stage *s)
{
	struct reservation r = read_reservation(s->db, s->branch);

	return r.seq == s->seq && r.until == s->until && (s->until == 0 || s->until > time_now());
}

bool
stage_hold(struct stage *s)
{
	if (s->until == 0)
		return true;
	if (s->stopped || !stage_owned(s)) {
		s->stopped = true;
		return false;
	}
	if (s->until < time_now() + STAGE_MS / 2)
		reserve_number(s, time_now() + STAGE_MS);
	return true;
}

bool
stage_breathe(struct stage *s)
{
	if (!db_due(s->db))
		return !s->stopped;
	db_breathe(s->db);
	return stage_hold(s);
}

static void
release_number(struct stage *s)
{
	struct stmt *q = db_use(s->db, &q_free);

	bind_int(q, ":branch", s->branch);
	bind_int(q, ":seq", s->seq);
	stmt_run(q);
}

void
stage_leave(struct stage *s)
{
	if (s->until == 0)
		return;
	stage_pass(s);
	stage_remove_stale(s);
	db_begin(s->db, true);
	if (stage_hold(s))
		release_number(s);
	db_commit(s->db);
	s->until = 0;
}

/* Records the change; stage_flush() writes it. */
static struct stage_op *
note_op(struct stage *s, const char *id)
{
	struct stage_op *op;

	if (s->ops == NULL)
		s->ops = arena_on_disk(s->arena, (size_t)1 << 31, NULL);
	op = arena_alloc(s->ops, sizeof(*op));
	s->noted++;
	map_add(s->touched, str_of(id), s);
	*s->last = op;
	s->last = &op->next;
	return op;
}

void
stage_put(struct stage *s, const struct node *n, struct str body, struct str refs)
{
	struct stage_op *op = note_op(s, n->id);

	op->node = *n;
	op->body = body;
	op->refs = refs;
}

void
stage_end(struct stage *s, const char *id)
{
	struct stage_op *op = note_op(s, id);

	op->node.id = id;
	op->end = true;
}

void
stage_note(struct stage *s, const char *id)
{
	s->written = arena_grow(s->arena, s->written, s->written_n, &s->written_room, sizeof(*s->written));
	s->written[s->written_n++] = arena_strdup(s->arena, id);
}

/* ---- writing ---- */

/* Compares all columns except the times. */
static bool
same_row(struct stage *s, const struct node *a, const struct node *b)
{
	return a->kind == b->kind && a->origin == b->origin && str_eq(a->body, b->body) &&
	    str_eq(a->refs, b->refs) && same_text(a->parent, b->parent) && same_text(a->ord, b->ord) &&
	    same_text(a->slug, b->slug) && same_text(a->path, b->path) &&
	    same_text(a->title, b->title) && same_text(a->props, b->props) &&
	    same_text(a->git_path, b->git_path) && same_text(a->git_oid, b->git_oid) &&
	    str_eq(node_front(s->db, s->ops, a), b->front);
}

static void
record_written(struct stage *s, const char *id)
{
	if (s->track)
		stage_note(s, id);
}

/* Prepares a statement about a node in the transaction of the caller. */
static struct stmt *
use_id(struct stage *s, const struct sql *sql, const char *id)
{
	struct stmt *q = db_use(s->db, sql);

	bind_int(q, ":b", s->branch);
	bind_text(q, ":id", id);
	bind_int(q, ":seq", s->seq);
	return q;
}

/*
 * True if the row is staged with this content already. The caller must then only end a row that
 * another writer has added since.
 */
static bool
is_staged(struct stage *s, const struct node *n)
{
	struct point p = { .branch = s->branch, .seq = s->seq };
	struct node staged;

	return stmt_int(use_id(s, &q_at, n->id), 0) != 0 &&
	    node_at(s->db, s->ops, &p, n->id, &staged) && staged.since == s->seq &&
	    same_row(s, &staged, n);
}

/* True if the bytes of body and link map are stored, come with the row, or do not exist. Those of files are in its batch. */
static bool
has_bytes(struct db *db, const struct stage_op *op)
{
	return op->node.kind == NODE_FILE ||
	    ((op->body.p != NULL || op->node.body.n == 0 || blob_known(db, op->node.body)) &&
	    (op->refs.p != NULL || op->node.refs.n == 0 || blob_known(db, op->node.refs)));
}

/*
 * Writes one row, after the bytes that it names, in the transaction of the caller. False: a file or
 * text of the batch no longer exists.
 */
static bool
write_op(struct stage *s, struct stage_op *op)
{
	if (op->end) {
		if (node_end(s->db, s->branch, op->node.id, s->seq))
			record_written(s, op->node.id);
		return true;
	}
	if (is_staged(s, &op->node)) {
		node_end_older(s->db, s->branch, op->node.id, s->seq);
		return true;
	}
	/* A sweep may have deleted a file that had no row yet: the caller then stores it again. */
	if (op->node.kind == NODE_FILE && s->files != NULL &&
	    !blob_batch_row(s->files, s->db, op->node.body)) {
		s->lacks_file = true;
		return false;
	}
	/*
	 * A text that was stored ahead may be gone, if everything else that referred to its bytes
	 * was removed meanwhile.
	 */
	if (s->files != NULL && !has_bytes(s->db, op)) {
		s->lacks_file = true;
		return false;
	}
	if (op->body.p != NULL)
		blob_put(s->db, s->ops, op->body);
	if (op->refs.n > 0)
		blob_put(s->db, s->ops, op->refs);
	node_put(s->db, s->branch, s->seq, &op->node);
	record_written(s, op->node.id);
	return true;
}

/*
 * If the transaction has lasted long enough, ends it, calls the callback and begins another one.
 * False: the callback has returned false, so the caller must stop.
 */
static bool
pause_between(struct stage *s, size_t done)
{
	if (!db_due(s->db))
		return true;
	db_commit(s->db);
	s->stopped = !stage_alive(s->watch, "writing", done, s->noted);
	if (!s->stopped)
		db_begin(s->db, true);
	return !s->stopped;
}

bool
stage_flush(struct stage *s)
{
	size_t done = 0;

	if (s->first == NULL)
		return true;
	db_begin(s->db, true);
	for (; s->first != NULL; s->first = s->first->next) {
		if (!write_op(s, s->first)) {
			db_rollback(s->db);
			return false;
		}
		if (!pause_between(s, ++done))
			return false;
	}
	db_commit(s->db);
	drop_ops(s);
	return true;
}

/* ---- removing staged rows ---- */

/*
 * Deletes the staged row before the row that it had ended becomes alive again, so that an id never
 * has two live rows.
 */
static void
remove_staged_row(struct stage *s, const char *id)
{
	if (stmt_int(use_id(s, &q_at, id), 0) != 0)
		node_end(s->db, s->branch, id, s->seq);
	stmt_run(use_id(s, &q_revive, id));
	record_written(s, id);
}

const char **
stage_ids(struct stage *s, struct arena *a, size_t *count)
{
	struct stmt *q = db_use(s->db, &q_ids);
	size_t room = 0;
	const char **ids = NULL;

	bind_int(q, ":b", s->branch);
	bind_int(q, ":seq", s->seq);
	for (*count = 0; stmt_step(q); ++*count) {
		ids = arena_grow(a, ids, *count, &room, sizeof(*ids));
		ids[*count] = col_dup(q, 0, a);
	}
	return ids;
}

/* Searches without the lock, and takes it only if there is something to remove, which is rare. */
void
stage_remove_stale(struct stage *s)
{
	struct arena *a = arena_on_disk(s->arena, (size_t)1 << 31, NULL);
	const char **ids;
	size_t n, i;
	bool open = false;

	db_begin(s->db, false);
	ids = stage_ids(s, a, &n);
	db_rollback(s->db);
	for (i = 0; i < n; i++) {
		if (map_has(s->touched, str_of(ids[i])))
			continue;
		if (!open)
			db_begin(s->db, open = true);
		/* Another writer has taken the branch over, so its rows must stay. */
		if (!stage_hold(s))
			break;
		remove_staged_row(s, ids[i]);
		db_breathe(s->db);
	}
	if (open)
		db_commit(s->db);
	arena_reset(a);
}

void
stage_drop(struct db *db, struct arena *a, int64_t branch)
{
	struct stage s;
	struct reservation r;
	struct stmt *q;

	stage_init(&s, db, a, branch);
	db_begin(db, false);
	r = read_reservation(db, branch);
	db_rollback(db);
	if (!r.branch_exists || r.seq < 0)
		return;
	db_begin(db, true);
	r = read_reservation(db, branch);
	/*
	 * While a request is running, its number stays reserved. A number that a killed request
	 * left counts as that of a job from here on, so that no request takes it.
	 */
	if (r.seq >= 0 && r.until <= time_now()) {
		s.seq = r.seq;
		reserve_number(&s, 0);
	}
	db_commit(db);
	if (s.seq < 0)
		return;
	/*
	 * Remove all rows first (this pass has written none): they can be found only while the
	 * number is reserved.
	 */
	stage_remove_stale(&s);
	db_begin(db, true);
	release_number(&s);
	q = db_use(db, &q_unused);
	bind_int(q, ":branch", branch);
	stmt_run(q);
	db_commit(db);
}

int64_t
stage_left(struct db *db, const char *space)
{
	struct stmt *q = db_use(db, &q_left);

	bind_text(q, ":space", space);
	bind_int(q, ":now", time_now());
	return stmt_int(q, 0);
}
