/* Three versions of one node become one, field by field; for request.c and its tests. */
#ifndef OCTAVO_THREE_WAY_H
#define OCTAVO_THREE_WAY_H

#include "merge/request.h"

struct three {
	struct db         *db;
	struct arena      *arena;
	const struct node *base, *ours, *theirs;   /* NULL: absent (ours may also be NODE_GONE) */
	/* Ours is no row: its front, and the bytes behind its hashes. NULL: it is one. */
	const struct loose {
		struct str front, body, refs;
	} *loose;
	struct node        merged;                 /* front, body and refs included; ours where they clash */
	struct str         body, refs;             /* bytes that the merge made; p NULL: the hashes are known */
	struct packed      stored[2];              /* the same, ready to be stored: three_pack() */
	bool               present;                /* false: the result is that it does not exist */
	bool               by_field;               /* merged holds what merges beside the clashes */
	struct clash      *clash;                  /* all that both changed differently; NULL: clean */
	struct clash     **last;
};

/* Decides; reads alone. */
void three_way(struct three *t);

/* Stores the bytes that the merge made, before the row that names them; in a write transaction. */
void three_store(const struct three *t);
/* Ahead of that: what three_store() then writes. */
void three_pack(struct three *t);

/* Gives n the place of another version: parent, order and path. */
void order_as(struct node *n, const struct node *other);

/* Equal in all that a reader, a merge or an export can see, the bytes before the body left out. */
bool node_same(const struct node *x, const struct node *y);
/* The same for two stored rows, those bytes included. */
bool row_same(struct db *db, struct arena *a, const struct node *x, const struct node *y);

#endif
