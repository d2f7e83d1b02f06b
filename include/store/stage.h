/*
 * A revision that is written in many short transactions and becomes visible in one. An import of
 * thousands of pages in a single transaction would block all other writers for seconds.
 *
 *   1 reserve   A revision number STAGE_GAP above the head is stored in branch.staged. Meanwhile
 *               other revisions of the branch (merges) get the numbers below it.
 *   2 write     Rows begin (since) and end (until) at the reserved number. All existing revisions
 *               have lower numbers: for their readers staged rows do not exist yet, and rows that
 *               the stage ends are alive. Other writers end a live row at their own number,
 *               whatever its until is (write.c), so they can write the same node meanwhile.
 *   3 check     If the head of the branch changed since the rows were planned, another pass plans
 *               again and writes the differences. stage_remove_stale() removes the rows that only
 *               earlier passes wrote.
 *   4 publish   revision_add() with the reserved number adds the revision and moves the head, which
 *               writes only two rows.
 *
 * If a writer is killed, its rows stay, but nobody reads them. The next stage of the branch
 * continues with them and their number, as if an earlier pass of its own had written them; or
 * stage_drop() removes them. Both find the rows by the number alone.
 *
 * A branch has at most one stage. Jobs of one space run one after another (app/queue.h). A request
 * with much to write stages, too, for a fraction of a second. It reserves the branch for STAGE_MS
 * (branch.staged_until), if no job of the space is running; no job starts before that time. Each of
 * its transactions checks that it still has the branch, and extends the reservation to STAGE_MS
 * from then. If the request pauses for longer, another writer may take the branch, and its staged
 * rows are lost.
 */
#ifndef OCTAVO_STAGE_H
#define OCTAVO_STAGE_H

#include "base/map.h"
#include "store/content.h"

/* How many revisions other writers may add to the branch while one is staged. */
#define STAGE_GAP INT64_C(1048576)
/* How long a request keeps a branch after its last transaction there. */
enum { STAGE_MS = 10000 };

/*
 * A callback that long work calls between its transactions. alive() returns whether to continue; it
 * may be NULL. total 0: the number of steps is not known.
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

/* A row that will be written. */
struct stage_op {
	struct stage_op *next;
	struct node      node;
	struct str       body, refs;  /* bytes to store with the row; p NULL: they are stored already */
	bool             end;         /* only end the node with this id */
};

struct stage {
	struct db         *db;
	struct arena      *arena;
	int64_t            branch, seq;    /* seq -1: no number is reserved yet */
	struct blob_batch *files;          /* files whose rows are added with the nodes that name them; or NULL */
	struct map        *touched;        /* ids that this pass has written */
	bool               track;          /* record the ids of rows that are written, in `written` */
	const char       **written;        /* ids, some maybe twice; the caller may empty the list */
	size_t             written_n, written_room;
	struct stage_op   *first, **last;  /* recorded by stage_put(), not written yet */
	struct arena      *ops;            /* of these, and of what writing them needs; NULL: none was recorded yet */
	bool               lacks_file;     /* a file of the batch no longer exists */
	size_t              noted;         /* number of rows of this pass */
	const struct stage_watch *watch;   /* callback, or NULL */
	bool                stopped;       /* the callback returned false, or another writer has the branch */
	int64_t             until;         /* the staged_until that a request wrote; 0: a job is staging */
};

void stage_init(struct stage *s, struct db *db, struct arena *a, int64_t branch);

/* Begins a new pass: no id counts as written. */
void stage_pass(struct stage *s);

/*
 * Reserves a number `ahead` revisions above the one after the head, or continues with the one that
 * is already reserved; in a transaction of its own.
 */
void stage_reserve(struct stage *s, int64_t ahead);

/*
 * For a request: takes the branch and removes what a killed request left there. Waits a while if
 * another request has the branch. False: another request or a job has it, or a killed job left
 * rows. Call it outside of any transaction.
 */
bool stage_take(struct stage *s);
/*
 * Inside a write transaction. stage_owned() returns whether the stage still has the branch;
 * stage_hold() also extends the reservation, unless the transaction is rolled back.
 */
bool stage_owned(struct stage *s);
bool stage_hold(struct stage *s);
/* Calls db_breathe() if it is due. False: another writer has the branch now. */
bool stage_breathe(struct stage *s);
/* Removes all staged rows, if the stage still has the branch. Call it outside of any transaction. */
void stage_leave(struct stage *s);

/*
 * Records a row to write (origin, kind and so on from n), or a node to end; stage_flush() writes
 * them. n is copied, its texts are not.
 */
void stage_put(struct stage *s, const struct node *n, struct str body, struct str refs);
void stage_end(struct stage *s, const char *id);

/*
 * Writes the recorded rows, in short transactions. A row that is staged already with the same
 * content is not written again. False: a file is missing (lacks_file), or the work was stopped
 * (stopped).
 */
bool stage_flush(struct stage *s);

/* Adds an id to the written ones. */
void stage_note(struct stage *s, const char *id);

/* Ids of all staged rows, of this pass or an earlier one; those of rows that only end come last. Only reads. */
const char **stage_ids(struct stage *s, struct arena *a, size_t *count);

/* Removes the staged rows that this pass did not write, in short transactions. */
void stage_remove_stale(struct stage *s);

/* Removes all staged rows of a branch and its reservation, in short transactions. */
void stage_drop(struct db *db, struct arena *a, int64_t branch);

/* A branch of the space with a reserved number; 0: there is none. */
int64_t stage_left(struct db *db, const char *space);

#endif
