/*
 * Updates what depends on the primary content of a space: search, links, and the positions of
 * comments on blocks. A transaction that writes a revision calls propagate_revision()
 * (store/content.h) or propagate_changed(). For a staged revision (store/stage.h),
 * propagate_ahead() prepares the three in short transactions, and propagate_turn() switches to them
 * when the revision is published.
 */
#ifndef OCTAVO_PROPAGATE_H
#define OCTAVO_PROPAGATE_H

#include "propagate/comments.h"
#include "propagate/large_bodies.h"
#include "store/content.h"
#include "store/stage.h"

struct propagation {
	struct point     head;      /* main when the changes were planned */
	struct point     staged;    /* main with the changes; the caller sets revision before propagate_turn() */
	int64_t          edition;   /* edition of links; 0: few links change, propagate_turn() updates them */
	struct followed_pages *comments;
	bool             exports;   /* a binding of the space exports soon */
	const struct stage_watch *watch;    /* called while links are made; or NULL */
};

/*
 * Like propagate_revision(), for callers that can run the transaction twice. False: large bodies
 * have to be read first (propagate/large_bodies.h), and the caller rolls back.
 */
bool propagate_changed(struct db *db, struct arena *a, const struct point *now, struct large *large);

/*
 * Prepares search, links and comments for a staged point; outside any transaction. ids: all nodes
 * that differ from the head. changed: those written since the last call for this stage; p keeps the
 * edition of links between two calls. False: the watch returned false.
 */
bool propagate_ahead(struct db *db, struct arena *a, struct propagation *p, const char *const *ids, size_t n,
    const char *const *changed, size_t m);

/*
 * Switches to what was prepared; in the write transaction that made the revision and moved the
 * head.
 */
void propagate_turn(struct db *db, struct arena *a, const struct propagation *p);

/*
 * Removes rows that are not shown any more or were prepared in vain; outside any transaction. A job
 * that publishes calls it at its end (search.h).
 */
void propagate_settle(struct db *db, struct arena *a, const char *space, int64_t branch);

/* Removes the links that were prepared and will not be published; outside any transaction. */
void propagate_forget(struct db *db, struct arena *a, const struct propagation *p);

/* As propagate_settle(), but leaves alone what others prepare on the branch meanwhile. */
void propagate_settle_beside(struct db *db, struct arena *a, const char *space, int64_t branch);

#endif
