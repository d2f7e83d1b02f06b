/*
 * What depends on the primary content of a space: search, links, and the blocks that
 * comments are on. A revision that is written in one transaction calls
 * propagate_revision() (store/content.h) or propagate_changed() in it. For a staged one
 * (store/stage.h) propagate_ahead() prepares the three in short transactions, and
 * propagate_turn() switches to what was prepared when the revision is published.
 */
#ifndef OCTAVO_PROPAGATE_H
#define OCTAVO_PROPAGATE_H

#include "propagate/comments.h"
#include "propagate/large_bodies.h"
#include "store/content.h"
#include "store/stage.h"

struct propagation {
	struct point     head;      /* main, as the rows were planned for */
	struct point     staged;    /* main with them; revision is set by the caller before propagate_turn() */
	int64_t          edition;   /* of links; 0: few enough change to be brought along in the end */
	struct followed_pages *comments;
	bool             exports;   /* a repository that the space is bound to gets it soon */
	const struct stage_watch *watch;    /* asked while links are made; or NULL */
};

/*
 * propagate_revision() for who can run the transaction twice: false where large bodies
 * have to be read first (propagate/large_bodies.h); then the caller rolls back.
 */
bool propagate_changed(struct db *db, struct arena *a, const struct point *now, struct large *large);

/*
 * Prepares search, links and comments for a staged point; outside any transaction.
 * ids: all nodes that differ there from the head. changed: those written since the
 * last call for this stage; p keeps the edition of links between two calls. False:
 * the watch returned false.
 */
bool propagate_ahead(struct db *db, struct arena *a, struct propagation *p, const char *const *ids, size_t n,
    const char *const *changed, size_t m);

/* In the write transaction that made the revision and moved the head. */
void propagate_turn(struct db *db, struct arena *a, const struct propagation *p);

/* Removes what is not shown any more or was prepared in vain; outside any transaction. A job that publishes sweeps at its end (search.h). */
void propagate_settle(struct db *db, struct arena *a, const char *space, int64_t branch);

#endif
