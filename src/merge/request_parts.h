/* Between request.c (rows of a request, merging), request_update.c (taking main's changes in) and request_ahead.c (both in many transactions). */
#ifndef OCTAVO_REQUEST_PARTS_H
#define OCTAVO_REQUEST_PARTS_H

#include "base/map.h"
#include "merge/request.h"
#include "store/order.h"
#include "store/stage.h"
#include "three_way.h"

/* Ids in an arena; what a merge touches. */
struct ids {
	struct arena *arena;
	const char  **list;
	size_t        n, cap;
};

void ids_add(struct ids *s, const char *id);

/* A request that meets main's head. */
struct rows {
	struct db          *db;
	struct arena       *arena;
	const struct point *request;
	struct point        main;
	struct node        *own;       /* its rows, with the keys of main's era */
	struct three       *three;     /* and what becomes of each */
	size_t              n;
	struct order_parents below;    /* where keys were carried to that era */
	bool                clean;     /* each row becomes main's as it is, or not at all for a clash */
	struct stage       *stage;     /* what is written is staged: the transaction may be cut; NULL: it may not */
	struct clash       *clashes, **last;
	struct map  *misplaced;   /* pages that a clash about their place names already */
	struct map  *carried;     /* new keys of the request's pages in main's era, by id */
	struct ids          touched;
	struct ids          crowded;     /* parents below which a key got long */
	struct ids          rescued;     /* pages that the request moved and main deleted */
};

void rows_init(struct rows *w, struct db *db, struct arena *a, const struct point *request);

/* base, ours, theirs of one own row, and what becomes of them. Reads alone. */
void rows_decide(struct rows *w, const struct node *own, struct three *t);

/* The same of all: sets own, three, below and carried. Reads alone. */
void rows_decide_all(struct rows *w);

/*
 * Between two rows that are written: others may write now, where that is possible. False: they are
 * written for nothing, since somebody else has the stage.
 */
bool rows_breathe(struct rows *w);

/* ---- merging, in its steps ---- */

/* For the look at main's tree: a row that clashes counts as if it were resolved in favour of the request. Names the clashes. */
void rows_judge(struct rows *w);
/* Main as it would be with rows that are clean: read without a row being written. */
struct point rows_view(const struct rows *w);
/* Writes what is judged to main. */
void rows_apply(struct rows *w, int64_t seq);
/* Checks the pages that are touched, at a point where they are as they will be; names what is wrong. Reads alone. */
void rows_check(struct rows *w, const struct point *p);
/* What is written once nothing clashes: redirects, and shorter keys. staged: the transaction is cut. */
struct redirects;
struct redirects *rows_redirects(struct rows *w, int64_t seq);
void rows_finish(struct rows *w, const struct redirects *list, int64_t seq);

/* ---- updating, in its steps ---- */

/* Is there nothing that an update would do? Reads alone. */
bool rows_up_to_date(struct rows *w);
/* Writes the request's rows under main's head: now. Then pages are placed, where the tree is not whole. */
void rows_refresh(struct rows *w, const struct point *now);
bool rows_tree_is_whole(struct rows *w, const struct point *now);
void rows_mend_tree(struct rows *w, const struct point *now);

#endif
