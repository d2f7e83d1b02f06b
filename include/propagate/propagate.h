/*
 * Updates what depends on the primary content of a space, after each revision of its main branch:
 *
 *   comments      those on changed blocks move along (propagate/comments.h)
 *   search        the index shows the new versions; pages of `computed` nodes too (search/search.h)
 *   links         the tables of links and backlinks (links/links.h); if the change is large, a job
 *                 "index" updates search and links instead
 *   translations  runs of translations that follow the space are queued (start_translations.h)
 *   export        a space bound to a git branch is exported soon: its binding's schedule is due now
 *
 * A transaction that writes a revision calls propagate_revision() (store/content.h) or
 * propagate_changed(). For a staged revision (store/stage.h), propagate_ahead() prepares search,
 * links and comments in short transactions, propagate_publish() switches to them in the transaction
 * that publishes the revision, and propagate_clean_up() removes what is replaced.
 *
 * Not here: redirects from former paths are part of the revision (merge/request.c); files of pages
 * that the web server sends by itself are dropped at each commit that changes what a site shows
 * (src/db/db_shown.c); the status of a merged change request is set by its handler
 * (src/api/requests/request_content.c).
 */
#ifndef OCTAVO_PROPAGATE_H
#define OCTAVO_PROPAGATE_H

#include "propagate/comments.h"
#include "propagate/large_bodies.h"
#include "store/content.h"
#include "store/stage.h"

struct propagation {
	struct point     head;      /* main when the changes were planned */
	struct point     staged;    /* main with the changes; the caller sets revision before propagate_publish() */
	int64_t          edition;   /* edition of links; 0: few links change, propagate_publish() updates them */
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
 * Replaces search, links and comments by the prepared ones. In the write transaction that made the
 * revision and moved the head.
 */
void propagate_publish(struct db *db, struct arena *a, const struct propagation *p);

/*
 * Removes entries of search and editions of links that were replaced, or were prepared and not
 * published; outside any transaction. A job that publishes calls it at its end. No other process may
 * be preparing a revision of the branch.
 */
void propagate_clean_up(struct db *db, struct arena *a, const char *space, int64_t branch);

/* Removes the links that were prepared and will not be published; outside any transaction. */
void propagate_forget(struct db *db, struct arena *a, const struct propagation *p);

/* The same while others may be preparing a revision of the branch: it keeps editions that were never shown. */
void propagate_clean_up_shared(struct db *db, struct arena *a, const char *space, int64_t branch);

#endif
