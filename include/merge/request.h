/*
 * Change requests as content: a branch that overlays main, three-way merge over
 * the rows that it changed, and the check that the tree stays a tree. The model
 * and its reasons: content.h; where it could go wrong: the two remarks below.
 *
 * For each own row of the request: base is the version of main named by its
 * origin, theirs is main's version now, ours is the row. A conflict is thus a
 * query over the rows and not a state that could go stale.
 *
 *  - Rows that merge one by one can still make a tree with a cycle, a page below
 *    a deleted parent, or two pages at one path: the pages that were touched are
 *    checked as a whole after the rows.
 *  - `update` never hides a change of main. Where fields or lines of a page clash,
 *    it takes in the rest of what main did to the page; where pages or the tree
 *    clash, it puts back what the request showed before. Either way the row keeps
 *    the origin that it had, so that the clashes stay found until the page is
 *    written, deleted or reverted afterwards, which sets the origin to what main
 *    holds now. Every clash is named, all of them in one page too: what is
 *    neither taken in nor named would be lost with that write.
 *  - A row that update wrote only to keep the tree whole says nothing against main:
 *    a page that main deleted, shown for what the request has below it, and a
 *    page of main that is hidden for want of a parent. The clash is with what makes
 *    them necessary; when that has gone, request_settle() lets them go as well.
 *  - A page that the request moved goes with all that is below it. Where main deleted
 *    it, update makes the pages below, which main deleted with it, pages of the
 *    request: they stay or go with the page above, and are in no clash themselves.
 *
 * Everything costs what the request changed, not the size of the space.
 */
#ifndef OCTAVO_REQUEST_H
#define OCTAVO_REQUEST_H

#include "store/content.h"
#include "store/overlay.h"
#include "propagate/large_bodies.h"

/*
 * One thing that both sides changed; a page can have many clashes. The texts are NULL if a side has
 * none. text: lines; title, properties: the values, properties as JSON; path, added: slugs;
 * position: ids of parents, or no texts if the order among the siblings differs; deleted: titles of
 * the remaining version.
 */
struct clash {
	struct clash *next;
	const char   *page;      /* id of the page, file or reusable content */
	const char   *title;
	/*
	 * text, title, path, position, properties, file: both sides changed it; deleted: one side
	 * deleted what the other edited; added: both added it; parent: its parent is deleted;
	 * cycle; depth.
	 */
	const char   *kind;
	const char   *base, *ours, *theirs;
	/*
	 * path: the other page with this path; parent: the deleted parent; deleted: the page's
	 * parent, if the same side deleted it too. NULL: none.
	 */
	const char   *other;
};

struct merge_outcome {
	struct clash *clashes;   /* NULL: none */
	const char   *revision;  /* the newest revision of main (merge) or of the request (update) */
	bool          changed;   /* a revision was written */
	bool          waits;     /* large bodies must be read first: nothing was decided */
	int64_t       seq;       /* its sequence number */
};

/*
 * Merges a request into main; inside a write transaction. If there are clashes, nothing is changed.
 * Every page whose path changes leaves a redirect (store/redirect.h). author: user id for the new
 * revision. large: where large bodies are noted, for a caller that can run the transaction twice
 * (propagate/large_bodies.h) and rolls back if out->waits is set; or NULL.
 */
void request_merge(struct db *db, struct arena *a, const struct point *request, const char *author,
    struct large *large, struct merge_outcome *out);

/* Takes main's changes into a request; inside a write transaction. */
void request_update(struct db *db, struct arena *a, const struct point *request, const char *author,
    struct merge_outcome *out);

/* The clashes of a merge now; it is tried and rolled back, so it needs a write transaction. */
struct clash *request_clashes(struct db *db, struct arena *a, const struct point *request);

/*
 * The same for one that is long: what has to be read and decided, and thousands of rows, would keep
 * all others from writing for half a second. So it is done ahead: decided in read transactions, the
 * rows staged in short ones (store/stage.h), of main for a merge, of the request for an update, and
 * search, links and comments prepared. The transaction that the caller has looked at everything in
 * adds the revision, where both heads are still those that were read. Atomic as ever: until then
 * nobody sees any of it; a worker that is killed leaves what the next one, or the purge, takes away.
 * A row that clashes is only looked at, so that conflicts write nothing, as long as no other row
 * becomes something else in main than the request shows.
 */
struct request_ahead;

/* True if the merge or update is long. Only reads. */
bool request_is_long(struct db *db, struct arena *a, const struct point *request, bool update);

/* Everything is allocated from a, which must live as long; scope: the id of the request. */
struct request_ahead *request_ahead_new(struct arena *a, int64_t branch, const char *scope, const char *author, bool update);

/*
 * Does the work, or does it again after a head moved; outside any transaction. False: another
 * writer (an import) has the branch for long, and nothing was done.
 */
bool request_ahead(struct db *db, struct request_ahead *x);

/* Publishes it; inside a write transaction. False: a head moved, and nothing was done. */
bool request_turn(struct db *db, struct request_ahead *x, struct merge_outcome *out);

/* Removes work that was not published; outside any transaction. */
void request_ahead_leave(struct request_ahead *x);

/* Cleans up after the publication, for which no client has to wait; outside any transaction. */
void request_ahead_settle(struct db *db, struct request_ahead *x);

/*
 * Writes a version of a page in a request at seq, with main's version at the request's base point
 * as its origin.
 */
void request_put(struct db *db, struct arena *a, const struct point *request, int64_t seq,
    struct node *n);
/* Deletes one node (not the pages below it) in a request. */
void request_drop(struct db *db, struct arena *a, const struct point *request, int64_t seq,
    const char *id);
/*
 * Called after the writes of a revision, before its tree is checked: pages that an update restored
 * or hid get main's place, deletion or presence if the tree stays valid. A page that main deleted
 * becomes the request's own if a page below it was written in this revision, because the author
 * wants it there. before: the point before the revision; now: the revision.
 */
void request_settle(struct db *db, struct arena *a, const struct point *before, const struct point *now);

#endif
