/*
 * Reads large bodies before the write transaction that needs them.
 *
 * A merge or an edit has to read bodies: to index them, to find their links, to move comments with
 * their blocks. A small page takes microseconds; a body of megabytes takes seconds, which would block
 * all other writers. So with large bodies the transaction runs twice:
 *
 *   first    propagate_changed() and comments_follow() note the bodies here instead of reading them;
 *            the transaction is incomplete
 *   then     if large_waits(), the caller rolls back and calls large_read() outside any transaction,
 *   again    and runs the whole transaction again, which finds the results
 *
 * Results are found by the hashes of bodies: if a page was changed in between, the new body is
 * read in the transaction after all. The second run notes nothing.
 */
#ifndef OCTAVO_LARGE_BODIES_H
#define OCTAVO_LARGE_BODIES_H

#include "markdown/blocks.h"
#include "search/search.h"

/* Bodies of fewer bytes in total are read in the write transaction (a few milliseconds). */
enum { LARGE_MIN = 32 << 10 };

/* Two versions of a page's body, and the moves of blocks from one to the other. */
struct large_pair {
	struct large_pair *next;
	struct str         before, after;               /* hashes of the bodies */
	struct str         before_bytes, after_bytes;
	struct block_move *moves;                       /* NULL until large_read() */
	size_t             n;
};

struct large {
	struct arena         *arena;
	const char           *space;
	bool                  read;       /* large_read() has run */
	struct search_source *pages;      /* versions that are missing in the index or have no facts */
	size_t                page_count;
	struct large_pair    *pairs;
};

struct large *large_new(struct arena *a, const char *space);

/* True if bodies were noted that have to be read before the transaction runs again. */
bool large_waits(const struct large *l);

/* Reads the noted bodies; outside any transaction, in short ones of its own. */
void large_read(struct db *db, struct large *l);

/* ---- for callers that note bodies ---- */

/*
 * Notes the changed documents of a revision if their bodies are large or many, and not read yet.
 * False: nothing was noted. In the transaction that wrote the revision. l may be NULL.
 */
bool large_note_pages(struct db *db, struct large *l, const struct point *now);

/*
 * Sets *moves to the block moves between two versions of a page. True with *moves NULL: not known
 * yet, the page was noted. False: the caller compares the bodies itself. l may be NULL.
 */
bool large_moves(struct db *db, struct large *l, const struct node *was, const struct node *is,
    const struct block_move **moves, size_t *n);

#endif
