/*
 * Merging, comparing and aligning texts: the part of changes, merges and
 * comments that is a pure function of bytes. Nothing here touches the
 * database; everything is allocated in the caller's arena.
 *
 * A line is its bytes up to and including the "\n" (a "\r" before it is part
 * of it); the last one may lack the "\n". Two lines are equal when their bytes
 * are, so a missing final newline is a difference.
 */
#ifndef OCTAVO_MERGE_TEXT_H
#define OCTAVO_MERGE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "arena.h"
#include "buf.h"
#include "document.h"
#include "str.h"

/*
 * Lines of two texts aligned by Myers' O(ND) algorithm in linear space (An
 * O(ND) Difference Algorithm and Its Variations, 1986, section 4b), with a cost
 * cap: what is left when it is reached counts as replaced, so that hostile
 * input stays near-linear.
 */

/* A place where both sides changed the same lines of the base in different ways. */
struct text_conflict {
	struct text_conflict *next;
	struct str            base, ours, theirs;  /* whole lines; any may be empty */
	size_t                line;                /* 1-based, in ours: the first line of the place */
};

/*
 * Three-way merge by lines, as `git merge-file` does it (diff3): adjacent
 * changes conflict, equal changes of both sides are taken once. True: *out is
 * the merged text, *conflicts NULL. False: *conflicts lists the clashing places
 * in order, and *out is the text with `ours` in each of them. *out may be one
 * of the arguments itself.
 */
bool merge_text(struct arena *a, struct str base, struct str ours, struct str theirs,
    struct str *out, struct text_conflict **conflicts);

/*
 * Three-way merge of JSON objects, member by member; members are compared as
 * values (order of members and spelling of numbers do not count) and an absent
 * member is a value of its own. True: *out is the merged object. False: *field
 * is the name of the first member that clashes, *out the object with `ours` in
 * every clashing member. An argument that is NULL or no JSON object counts as {}.
 */
bool merge_json(struct arena *a, const char *base, const char *ours, const char *theirs,
    const char **out, const char **field);

/*
 * Unified diff in the form of POSIX `diff -u` with context lines around each
 * change, without time stamps; a last line without its newline is followed by
 * "\ No newline at end of file". Nothing is written when the texts are equal.
 * The ceiling of out should be high: hunks of one-byte lines have headings of up
 * to 50 bytes. 50 times both texts and the names are always enough.
 */
void diff_unified(struct buf *out, struct arena *a, const char *from_name, const char *to_name,
    struct str from, struct str to, unsigned context);

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

/*
 * The body to store when a client sends new Markdown for a page. Blocks that
 * mean what they meant (their doc_markdown is equal) keep their exact old
 * bytes, the others are taken as sent; blank lines between two blocks are the
 * old ones where both neighbours are kept. The result means what sent means:
 * what would change that is not kept. Bodies of more than 10,000 blocks are
 * returned as sent. What links of either body lead to is asked from their refs,
 * which write each target in one way, so that links are compared by it; those
 * of sent read the result as well. NULL: links are compared as spelled.
 */
struct str body_keep(struct arena *a, struct str old_body, const struct doc_refs *old_refs,
    struct str sent, const struct doc_refs *sent_refs);

#endif
