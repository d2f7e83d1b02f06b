/*
 * Large bodies read ahead of the write transaction that needs them.
 *
 * A merge or an edit has to read bodies: to index them, to find their links, to
 * follow their blocks with comments. What one small page costs is microseconds;
 * a body of megabytes takes seconds, in which nobody else could write. So the
 * transaction is run twice where there are large ones:
 *
 *   first    propagate_changed() and comments_follow() note here what they would have
 *            to read, and leave it out; nothing is wrong yet, since
 *   then     the caller rolls back where large_waits() says so, and calls
 *            large_read() outside any transaction,
 *   again    and runs the whole transaction anew, which finds what was read.
 *
 * What is read is found by the hashes of bodies: where somebody wrote in between, what
 * differs is read in the transaction after all. Nothing is noted a second time.
 */
#ifndef OCTAVO_LARGE_BODIES_H
#define OCTAVO_LARGE_BODIES_H

#include "markdown/blocks.h"
#include "search/search.h"

/* Bytes of bodies that are read in a write transaction (a few milliseconds). */
enum { LARGE_MIN = 32 << 10 };

/* Two versions of a page's body, and where the blocks went from one to the other. */
struct large_pair {
	struct large_pair *next;
	struct str         before, after;               /* hashes */
	struct str         before_bytes, after_bytes;
	struct block_move *moves;                       /* NULL until large_read() */
	size_t             n;
};

struct large {
	struct arena         *arena;
	const char           *space;
	bool                  read;       /* large_read() was here */
	struct search_source *pages;      /* versions that the index, or the facts of bodies, lack */
	size_t                page_count;
	struct large_pair    *pairs;
};

struct large *large_new(struct arena *a, const char *space);

/* Was anything noted that has to be read before the transaction can be run? */
bool large_waits(const struct large *l);

/* Reads what was noted; outside any transaction, in short ones of its own. */
void large_read(struct db *db, struct large *l);

/* ---- for those who note ---- */

/*
 * Notes the documents among the changes of a revision where their bodies are large or
 * many, and not read yet. False: there is nothing to wait for. In the transaction that
 * wrote them. l may be NULL.
 */
bool large_note_pages(struct db *db, struct large *l, const struct point *now);

/*
 * Where the blocks of a page's body went. True, with *moves NULL: not known, it was noted.
 * False: the caller finds out by itself. l may be NULL.
 */
bool large_moves(struct db *db, struct large *l, const struct node *was, const struct node *is,
    const struct block_move **moves, size_t *n);

#endif
