/*
 * Merges three versions of one node into one, field by field; for request.c, upstream.c and the
 * tests.
 */
#ifndef OCTAVO_THREE_WAY_H
#define OCTAVO_THREE_WAY_H

#include "merge/request.h"

/* The merge of one node: its three versions, and the result. The caller sets the first members, up to loose. */
struct three_way {
	struct db         *db;
	struct arena      *arena;
	const struct node *base, *ours, *theirs;   /* NULL: it does not exist; ours may also be NODE_GONE */
	/*
	 * Set if ours is not a stored row: its front matter, and the bytes for its hashes. NULL: it
	 * is a row.
	 */
	const struct loose {
		struct str front, body, refs;
	} *loose;
	struct node        merged;                 /* the result, with front, body and refs; a field that clashes is that of ours */
	struct str         body, refs;             /* bytes that the merge produced; p NULL: the hash in merged is that of stored bytes */
	struct packed      stored[2];              /* the same, compressed by three_way_pack() */
	bool               present;                /* false: the result is a deletion */
	bool               by_field;               /* merged by field: it contains the changes that do not clash */
	struct clash      *clash;                  /* all fields that both sides changed differently; NULL: none */
	struct clash     **last;
};

/* Merges base, ours and theirs. Only reads. */
void three_way(struct three_way *t);

/*
 * Stores the bytes that the merge produced. Call it before the row that names them is written,
 * inside a write transaction.
 */
void three_way_store(const struct three_way *t);
/* Compresses before the transaction what three_way_store() then writes. */
void three_way_pack(struct three_way *t);

/* Gives n the place of another version: parent, order and path. */
void copy_place(struct node *n, const struct node *other);

/* Compares everything that a reader, a merge or an export can see, except the front matter. */
bool node_same(const struct node *x, const struct node *y);
/* The same for two stored rows, including the front matter. */
bool row_same(struct db *db, struct arena *a, const struct node *x, const struct node *y);

#endif
