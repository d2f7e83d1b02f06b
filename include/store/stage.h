/*
 * A revision that is written in many short transactions and becomes visible in one.
 * An import of thousands of pages in a single transaction would block all other
 * writers for seconds.
 *
 *  1 reserve   A revision number STAGE_GAP above the head is stored in
 *              branch.staged. Other revisions of the branch (merges) get the
 *              numbers below it meanwhile.
 *  2 write     Rows begin (since) and end (until) at the reserved number. Readers
 *              read at existing revisions, all of which are lower: staged rows do
 *              not exist for them yet, and rows that the stage ends are alive. Other
 *              writers end an alive row at their own number, whatever its until is
 *              (write.c), so they can write the same node meanwhile.
 *  3 check     If the branch's head changed since the rows were planned, another
 *              pass plans again and writes the differences; stage_settle() removes
 *              the rows that only earlier passes wrote.
 *  4 publish   revision_add() with the reserved number adds the revision and moves
 *              the head: two rows.
 *
 * A writer that is killed leaves rows that nobody reads. The next stage of the branch
 * continues with them and their number, as if an earlier pass of its own had written
 * them; otherwise stage_drop() removes them. Both find the rows by the number alone.
 *
 * A branch has at most one stage. Jobs of one space run one after another (app/queue.h).
 * A request that has much to write stages as well, in a fraction of a second: it takes the branch
 * for STAGE_MS at a time (branch.staged_until), while no job of the space runs, and none begins
 * before that time has passed. In each of its transactions it asks whether the branch is still its
 * own, and goes on for STAGE_MS more: one that was held up for longer has lost what it staged.
 */
#ifndef OCTAVO_STAGE_H
#define OCTAVO_STAGE_H

#include "base/map.h"
#include "store/content.h"

/* Revisions that others may make on the branch while one is staged. */
#define STAGE_GAP INT64_C(1048576)
/* For so long a request has a branch since it was last heard of. */
enum { STAGE_MS = 10000 };

/*
 * A callback of long work: called between its transactions, outside any. It returns
 * whether to continue; alive may be NULL. total 0: not known.
 */
struct stage_watch {
	bool (*alive)(void *ctx, const char *stage, size_t done, size_t total);
	void *ctx;
};
static inline bool
stage_alive(const struct stage_watch *w, const char *stage, size_t done, size_t total)
{
	return w == NULL || w->alive == NULL || w->alive(w->ctx, stage, done, total);
}

/* A row to be written. */
struct stage_op {
	struct stage_op *next;
	struct node      node;
	struct str       body, refs;  /* bytes that are stored with it; p NULL: they are there already */
	bool             end;         /* the node of this id ends instead */
};

struct stage {
	struct db         *db;
	struct arena      *arena;
	int64_t            branch, seq;    /* seq -1: nothing is reserved yet */
	struct blob_batch *files;          /* files that get their rows with the nodes that name them; or NULL */
	struct map        *touched;        /* ids that this pass writes */
	bool               track;          /* note what is really changed from now on: */
	const char       **written;        /* its ids, some of them twice; the caller may empty it */
	size_t             written_n, written_room;
	struct stage_op   *first, **last;  /* not written yet */
	bool               lacks_file;     /* a file of the batch is not there any more */
	size_t              noted;         /* rows of this pass */
	const struct stage_watch *watch;   /* or NULL */
	bool                stopped;       /* the watch returned false, or somebody else has the branch */
	int64_t             until;         /* of a request: what it has put into staged_until; 0: a job's */
};

void stage_init(struct stage *s, struct db *db, struct arena *a, int64_t branch);

/* Forgets what was touched: a new pass begins. */
void stage_pass(struct stage *s);

/*
 * Reserves a number `ahead` revisions above the one after the head, or continues
 * with the one that is reserved already; in a transaction of its own.
 */
void stage_reserve(struct stage *s, int64_t ahead);

/*
 * For a request: takes the branch, and what a killed request left there away; waits a while for another request. False:
 * that, or a job, is at it, or a killed job left something. Outside any transaction.
 */
bool stage_take(struct stage *s);
/* In a write transaction: is it still its own? stage_hold() keeps it for longer: not where the transaction is rolled back. */
bool stage_owned(struct stage *s);
bool stage_hold(struct stage *s);
/* db_breathe() where it is due; false: somebody else has the branch now. */
bool stage_breathe(struct stage *s);
/* Takes all back, where it still has the branch; outside any transaction. */
void stage_leave(struct stage *s);

/* Notes a row to be put (origin, kind, … from n) or ended; stage_flush() writes. n is copied, its texts are not. */
void stage_put(struct stage *s, const struct node *n, struct str body, struct str refs);
void stage_end(struct stage *s, const char *id);

/*
 * Writes what was noted, in short transactions. A row that is staged with the same
 * content already is left alone. False: a file is missing (lacks_file), or nobody
 * wants it any more (stopped).
 */
bool stage_flush(struct stage *s);

/* Adds an id to those that were written. */
void stage_note(struct stage *s, const char *id);

/* Ids of all that is staged, by this pass or an earlier one. Reads alone. */
const char **stage_ids(struct stage *s, size_t *count);

/* Removes staged rows that this pass did not touch; in short transactions. */
void stage_settle(struct stage *s);

/* Removes all staged rows of a branch and its reservation; likewise. */
void stage_drop(struct db *db, struct arena *a, int64_t branch);

/* A branch of the space on which something is staged; 0: there is none. */
int64_t stage_left(struct db *db, const char *space);

#endif
