/*
 * Shared by request.c (rows of a request, merging), request_update.c (takes main's changes in) and
 * request_ahead.c (does both in many transactions).
 */
#ifndef OCTAVO_REQUEST_PARTS_H
#define OCTAVO_REQUEST_PARTS_H

#include "base/map.h"
#include "merge/request.h"
#include "store/order.h"
#include "store/stage.h"
#include "three_way.h"

/* Ids in an arena, of the pages that a merge touches. */
struct ids {
	struct arena *arena;
	const char  **list;
	size_t        n, cap;
};

void ids_add(struct ids *s, const char *id);

/* A merge or update under way: the rows of a request, merged with main's head, and the result. */
struct rows {
	struct db          *db;
	struct arena       *arena;
	const struct point *request;
	struct point        main;
	struct node        *own;       /* the request's rows, with keys of main's era */
	struct three_way   *three;     /* three[i]: the merge of own[i] */
	size_t              n;
	struct order_parents below;    /* parents below which keys were carried over to main's era */
	bool                clean;     /* each row either becomes main's version unchanged, or clashes */
	struct stage       *stage;     /* rows are staged, so the transaction may be divided; NULL: it may not */
	struct clash       *clashes, **last;
	struct map         *misplaced; /* pages whose place (parent, path) is in conflict */
	struct map         *carried;   /* new order keys of the request's pages, by id, after main has renumbered siblings (order.h, "era") */
	struct ids          touched;   /* pages whose place must be checked after the rows were written */
	struct ids          crowded;   /* parents with a key that became too long */
	struct ids          rescued;   /* pages that the request moved although main deleted them */
};

void rows_init(struct rows *w, struct db *db, struct arena *a, const struct point *request);

/* Finds base, ours and theirs of one of the request's rows, and merges them. Only reads. */
void rows_decide(struct rows *w, const struct node *own, struct three_way *t);

/* The same for all rows: sets own, three, below and carried. Only reads. */
void rows_decide_all(struct rows *w);

/*
 * Called between two rows: if the work is staged, lets other writers in. False: another writer has
 * the branch, so the staged rows are lost.
 */
bool rows_breathe(struct rows *w);

/* ---- the steps of a merge ---- */

/*
 * Records the clashes. For the check of main's tree, a row that clashes counts as resolved in
 * favour of the request.
 */
void rows_record_clashes(struct rows *w);
/* Main as it would be after a merge of clean rows, for reading: no row is written. */
struct point rows_view(const struct rows *w);
/* Writes the decided rows to main, in the revision of this number. */
void rows_apply(struct rows *w, int64_t seq);
/*
 * Checks the touched pages, and records the faults. p: a point at which the pages are as they will
 * be. Only reads.
 */
void rows_check(struct rows *w, const struct point *p);
/*
 * Both are called after rows_apply(), if there are no clashes; seq: as there. rows_redirects() lists the
 * former addresses of moved pages, and only reads. rows_finish() writes these redirects, and gives siblings
 * shorter keys.
 */
struct redirects;
struct redirects *rows_redirects(struct rows *w, int64_t seq);
void rows_finish(struct rows *w, const struct redirects *list, int64_t seq);

/* ---- the steps of an update ---- */

/* True if an update would change nothing. Only reads. */
bool rows_up_to_date(struct rows *w);
/*
 * Writes the request's rows for main's new head (now). If the tree is then invalid, pages are
 * restored or hidden.
 */
void rows_refresh(struct rows *w, const struct point *now);
bool rows_tree_is_valid(struct rows *w, const struct point *now);
void rows_mend_tree(struct rows *w, const struct point *now);

#endif
