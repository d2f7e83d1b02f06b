/*
 * What follows from a revision that is staged (store/stage.h): search, links and
 * comments are made ready in short transactions, before it is published, and turn
 * with it. A revision that is written in one transaction takes publish_revision()
 * (store/content.h) instead.
 */
#ifndef OCTAVO_PUBLISH_H
#define OCTAVO_PUBLISH_H

#include "publish/comments.h"
#include "publish/large.h"
#include "store/content.h"
#include "store/stage.h"

struct publish {
	struct point     head;      /* main, as the rows were planned for */
	struct point     staged;    /* main with them; revision is set by the caller before publish_turn() */
	int64_t          edition;   /* of links; 0: few enough change to be brought along in the end */
	struct followed_pages *comments;
	const struct stage_watch *watch;    /* asked while links are made; or NULL */
};

/*
 * publish_revision() for who can run the transaction twice: false where large bodies
 * have to be read first (publish/large.h); then the caller rolls back.
 */
bool publish_changed(struct db *db, struct arena *a, const struct point *now, struct large *large);

/*
 * Makes ready what turns; outside any transaction. ids: all nodes that differ at
 * the staged point. changed: those written since the last call for this stage;
 * p keeps the edition between two calls. False: the watch said no.
 */
bool publish_ahead(struct db *db, struct arena *a, struct publish *p, const char *const *ids, size_t n,
    const char *const *changed, size_t m);

/* In the write transaction that made the revision and moved the head. */
void publish_turn(struct db *db, struct arena *a, const struct publish *p);

/* Takes away what is not shown any more, or never will be; outside any transaction. */
void publish_settle(struct db *db, struct arena *a, const char *space, int64_t branch);

#endif
