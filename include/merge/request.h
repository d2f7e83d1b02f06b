/*
 * Merges change requests. The content of a request is a branch that overlays main. A merge is a
 * three-way merge of the rows that the request changed, and a check that the result is a valid
 * tree. The model is in store/content.h.
 *
 * For each row of the request: base is the version of main that the row's origin names, theirs is
 * main's version now, ours is the row. A *clash* is one thing that both sides changed differently (a
 * field, lines, a place); the API calls the clashes of a page its conflicts. They are computed from
 * the rows whenever they are needed, so no stored state could become wrong.
 *
 *  - Rows that merge one by one can still give an invalid tree: a cycle, a page below a deleted
 *    parent, or two pages at one path. So the written pages are checked together, after the rows.
 *  - `update` never hides a change of main. If fields or lines of a page clash, it takes over main's
 *    other changes to the page. If pages or the tree clash, it restores what the request showed
 *    before. In both cases the row keeps its origin, so the clashes are found again until a person
 *    writes, deletes or reverts the page; that sets the origin to main's version at that time. So
 *    `update` reports all clashes of a page: a change of main that it neither takes over nor reports
 *    would be lost with that write.
 *  - Repair rows: `update` writes some rows only to keep the tree valid. They show a page that main
 *    deleted, because the request has pages below it, or hide a page of main whose parent is missing.
 *    They are no clashes themselves; the pages that make them necessary are. When those pages change,
 *    request_remove_repairs() removes the repair rows.
 *  - A page that the request moved keeps the pages below it. If main deleted all of them, `update`
 *    makes the pages below the request's own: they stay or are deleted with the moved page, and have
 *    no clashes of their own.
 *
 * The cost depends on what the request changed, not on the size of the space.
 */
#ifndef OCTAVO_REQUEST_H
#define OCTAVO_REQUEST_H

#include "store/content.h"
#include "store/overlay.h"
#include "propagate/large_bodies.h"

/*
 * One thing that both sides changed; a page can have many clashes. base, ours and theirs are NULL
 * if a side has no value. They are: lines for text; values for title and properties (as JSON);
 * slugs for path and added; ids of parents for position (none, if only the order among siblings
 * differs); titles of the remaining version for deleted.
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
	size_t        line;      /* of text: number of the first line of ours in the page's body, from 1 */
	/*
	 * path: the other page with this path; parent: the deleted parent; deleted: the parent of
	 * the page, if the same side deleted it as well. NULL: none.
	 */
	const char   *other;
};

struct merge_outcome {
	struct clash *clashes;   /* NULL: none */
	const char   *revision;  /* the newest revision of main (merge) or of the request (update) */
	bool          changed;   /* a revision was written */
	bool          waits;     /* roll back the transaction and repeat it: large bodies must be read before it */
	int64_t       seq;       /* sequence number of that revision */
};

/*
 * Merges a request into main; inside a write transaction. If there are clashes, nothing is changed.
 * Every page whose path changes leaves a redirect (store/redirect.h). author: id of the user, for
 * the new revision. large: records the large bodies that must be read, for a caller that can run
 * the transaction twice (propagate/large_bodies.h) and rolls back if out->waits is set; or NULL.
 */
void request_merge(struct db *db, struct arena *a, const struct point *request, const char *author,
    struct large *large, struct merge_outcome *out);

/* Takes main's changes into a request; inside a write transaction. */
void request_update(struct db *db, struct arena *a, const struct point *request, const char *author,
    struct merge_outcome *out);

/* The clashes of a merge now. The merge is tried and rolled back, so this needs a write transaction. */
struct clash *request_clashes(struct db *db, struct arena *a, const struct point *request);
/*
 * The same as request_clashes(), in a read transaction. If the request is not up to date with main,
 * the result may lack clashes of the tree after the merge; an update finds those.
 */
struct clash *request_clashes_read(struct db *db, struct arena *a, const struct point *request);

/*
 * Resolves a clash "properties" of a page in favour of main: sets *props and *front to the merged
 * properties and front matter, with main's value wherever both sides changed one. The request must
 * be up to date with main. False: a side has no such page, or the clash is about its kind.
 */
bool request_properties_of_main(struct db *db, struct arena *a, const struct point *request, const char *page,
    const char **props, struct str *front);

/*
 * A long merge or update. In one transaction its thousands of rows would block all other writers for
 * half a second. So most of the work is done before the publishing transaction:
 *
 *   request_ahead()           merges the rows in read transactions; stages the results in short ones
 *                             (store/stage.h), in main for a merge, in the request for an update;
 *                             prepares search, links and comments
 *   request_publish()            in the caller's write transaction, which also checks permissions and
 *                             merge rules: adds the revision if both heads are unchanged
 *   request_ahead_clean_up()  after the answer was sent
 *   request_ahead_leave()     instead of the last two, if the work is given up
 *
 * Nothing is visible before request_publish(). If a worker is killed, the next stage of the branch or
 * the purge removes what it staged. A merge with conflicts also reports those of the tree. If each
 * merged row equals the row of the request, the tree of the request shows them, and nothing is
 * written; otherwise the merged rows are staged, the tree is checked, and the rows are removed.
 */
struct request_ahead;

/* True if the merge or update is long. Only reads. */
bool request_is_long(struct db *db, struct arena *a, const struct point *request, bool update);

/* Everything is allocated from a, which must live as long; scope: the id of the request. */
struct request_ahead *request_ahead_new(struct arena *a, int64_t branch, const char *scope, const char *author, bool update);

/*
 * Prepares the merge or update, or prepares it again after a head has moved. Call it outside of any
 * transaction. False: another writer (an import) has the branch for a long time, and nothing was
 * done.
 */
bool request_ahead(struct db *db, struct request_ahead *x);

/* Publishes what was prepared; inside a write transaction. False: a head has moved, and nothing was done. */
bool request_publish(struct db *db, struct request_ahead *x, struct merge_outcome *out);

/* Removes staged rows and prepared data that were not published; outside any transaction. */
void request_ahead_leave(struct request_ahead *x);

/*
 * Removes what the publication replaced (propagate_clean_up_shared()); outside any transaction.
 * Call it after the answer was sent, so that no client waits for it.
 */
void request_ahead_clean_up(struct db *db, struct request_ahead *x);

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
 * Removes repair rows (see above) that the tree no longer needs. Call it after the writes of a
 * revision, before its tree is checked. A page that main deleted becomes the request's own if a page
 * below it was written in this revision, because the author wants to keep it. before: the point
 * before the revision; now: the revision.
 */
void request_remove_repairs(struct db *db, struct arena *a, const struct point *before, const struct point *now);

#endif
