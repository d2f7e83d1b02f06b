/*
 * Aligns the blocks of two bodies: finds for each block of the new body the block of the old one
 * that it continues. With this, comments follow their blocks, and an edited page keeps the bytes of
 * unchanged blocks. Pure functions; results are in the caller's arena.
 */
#ifndef OCTAVO_BLOCKS_H
#define OCTAVO_BLOCKS_H

#include <stddef.h>

#include "base/arena.h"
#include "base/str.h"
#include "markdown/document.h"

/*
 * For each of the m blocks of the new body: the index of the old block that it continues, or -1.
 * The indexes other than -1 rise. Blocks with equal sources are matched first (longest common
 * subsequence). Between these anchors, blocks are matched by the similarity of their sources
 * (shared words) and by type; the rest by position.
 */
ptrdiff_t *block_align(struct arena *a, const struct doc_block *old, size_t n,
    const struct doc_block *new_blocks, size_t m);
/* The same without matching by position: for blocks that were not neighbours. */
ptrdiff_t *block_align_like(struct arena *a, const struct doc_block *old, size_t n,
    const struct doc_block *new_blocks, size_t m);

/*
 * Lists where the blocks of a body at any depth, and the rows and columns of its tables, moved to:
 * sorted, with one entry for each; *count is their number. Reordered siblings are found by
 * similarity; blocks that moved into or out of another block, by their key. Rows and columns that
 * are no longer similar are matched in order, if as many appeared as disappeared.
 */
struct block_move {
	const char *block;   /* key of the block, or of the table */
	const char *part;    /* id of a row or column; "" for the block itself */
	const char *to;      /* its new key or id; NULL: deleted */
	const char *code;    /* of a line of code: key of its code block; NULL: anything else */
};
struct block_move *block_moves(struct arena *a, struct str old_body, struct str new_body,
    size_t *count);
/* Returns NULL if the old body had no such block, row or column. */
const struct block_move *block_move_of(const struct block_move *moves, size_t n, const char *block,
    const char *part);

#endif
