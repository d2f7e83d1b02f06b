/* Three versions of one node become one, field by field; for request.c and its tests. */
#ifndef OCTAVO_THREE_WAY_H
#define OCTAVO_THREE_WAY_H

#include "request.h"

struct three {
	struct db         *db;
	struct arena      *arena;
	const struct node *base, *ours, *theirs;   /* NULL: absent (ours may also be NODE_GONE) */
	struct node        merged;                 /* front, body and refs included */
	bool               present;                /* false: the result is that it does not exist */
	struct clash      *clash;                  /* first field that both changed; NULL: clean */
};

/* Decides. New bodies and link maps are stored as blobs, so it needs a write transaction when store is set. */
void three_way(struct three *t, bool store);

/* Equal in all that a reader, a merge or an export can see, the bytes before the body left out. */
bool node_same(const struct node *x, const struct node *y);
/* The same for two stored rows, those bytes included. */
bool row_same(struct db *db, struct arena *a, const struct node *x, const struct node *y);

#endif
