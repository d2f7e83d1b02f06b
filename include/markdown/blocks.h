/*
 * Blocks of two bodies aligned: which block of the new one continues which of the
 * old one. Comments follow their blocks by it, and a written page keeps the bytes
 * of what it did not change. Pure; everything is in the caller's arena.
 */
#ifndef OCTAVO_BLOCKS_H
#define OCTAVO_BLOCKS_H

#include <stddef.h>

#include "base/arena.h"
#include "base/str.h"
#include "markdown/document.h"

/*
 * For each of the m blocks of the new body the index of the old block that it
 * continues, or -1. Indexes that are not -1 rise. Blocks with equal keys come
 * first (longest common subsequence), then, between those anchors, blocks by
 * likeness of source (shared words) and type.
 */
ptrdiff_t *block_align(struct arena *a, const struct doc_block *old, size_t n,
    const struct doc_block *new_blocks, size_t m);
/* The same by likeness alone: for blocks that did not stand in one place. */
ptrdiff_t *block_align_like(struct arena *a, const struct doc_block *old, size_t n,
    const struct doc_block *new_blocks, size_t m);

/*
 * Where the blocks of a body went, at any depth, and the rows and columns of its
 * tables: one move for each, sorted. What went elsewhere among its neighbours is
 * found by likeness, what went into or out of another block by its key; rows and
 * columns that changed beyond likeness go by order where as many came as went.
 */
struct block_move {
	const char *block;   /* key of the block, or of the table */
	const char *part;    /* id of a row or column; "" for the block itself */
	const char *to;      /* its key or id now; NULL: it is gone */
};
struct block_move *block_moves(struct arena *a, struct str old_body, struct str new_body,
    size_t *count);
/* NULL where the old body had no such block, row or column. */
const struct block_move *block_move_of(const struct block_move *moves, size_t n, const char *block,
    const char *part);

#endif
