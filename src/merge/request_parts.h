/* Between request.c (rows of a request, merging) and request_update.c (taking main's changes in). */
#ifndef OCTAVO_REQUEST_PARTS_H
#define OCTAVO_REQUEST_PARTS_H

#include "base/map.h"
#include "merge/request.h"
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
	struct clash       *clashes, **last;
	struct map  *misplaced;   /* pages that a clash about their place names already */
	struct map  *carried;     /* new keys of the request's pages in main's era, by id */
	struct ids          touched;
	struct ids          crowded;     /* parents below which a key got long */
	struct ids          rescued;     /* pages that the request moved and main deleted */
};

void rows_init(struct rows *w, struct db *db, struct arena *a, const struct point *request);

/* base, ours, theirs of one own row, and what becomes of them. */
void rows_decide(struct rows *w, const struct node *own, struct three *t, bool store);

#endif
