/*
 * Links of pages: their targets, the status of each target, and backlinks.
 *
 * Three kinds of data:
 *
 *   spellings   how a body writes the targets of its links. They depend only on the bytes of the
 *               body (struct body_facts), so they are stored once per distinct body
 *   targets     a page's link map (node.refs) has the target of each spelling
 *   status      computed for a point. A page must be alive and, if the link has a fragment, must have
 *               that place; a file or reusable content must exist
 *
 *   ok       the target exists, or is an address on another server
 *   broken   the target never existed, was removed, or lacks the place
 *   in-app   an address of an object of the organization, with its id, on any host
 *
 * For the head of a main branch the result is in tables, so the cost of a list depends on what it
 * shows. propagate_revision() updates them; they are made with a space's first content, or by a job
 * "index". At other points (change requests) links_list() reads the facts of every page.
 *
 * One version of these tables' content for a branch is an *edition*. A small change is made in the
 * edition that is shown. A large one (an import, a job "index") makes another edition in short
 * transactions, which then replaces the shown one.
 *
 * Sources of links are documents, reusable contents, pages of kind link, computed pages, and blocks
 * that show an operation; the last two link to an API specification. Such a target (kind other, key
 * openapi:SLUG) is broken if the specification does not exist or was deleted. Its status is computed
 * again with each revision, since deleting a specification changes nothing in the space. Images in
 * data: addresses are no links. A fragment names a place by a heading's anchor, by an explicit id, or
 * by one of the three rules of layout 4 for headings, ignoring case.
 *
 * Invariants, all for the shown edition: link_target.links is the number of its rows of link;
 * link_count has the sums of link_target by status; each row of link belongs to the present version
 * of its source.
 */
#ifndef OCTAVO_LINKS_H
#define OCTAVO_LINKS_H

#include "store/content.h"
#include "store/stage.h"

/* ---- facts of a body ---- */

/*
 * Prefix of the slug of a specification that a block shows: in a spelling, and in the key of a
 * target.
 */
#define LINK_SPEC "openapi:"

struct fact_link {
	enum doc_use use;
	size_t       line;        /* in the body, from 1; 0: not known */
	struct str   spelling;
};
struct body_facts {
	struct fact_link *links;
	size_t            count;
	struct str        anchors;    /* doc_places(), and the ids of raw HTML */
	bool              kept;       /* read from the stored facts, not made now */
};

/* doc_places() of a body, and the ids in its raw HTML; d is its document, or NULL. */
struct str body_places(struct arena *a, struct str body, const struct doc *d);
/* Makes the facts from the bytes; d is their document, links the result of doc_links(), or NULL. */
void body_facts_make(struct arena *a, struct str body, const struct doc *d, const struct doc_link *links,
    struct body_facts *out);
/* Reads the facts of a stored body; makes them if they are not stored. An empty hash has none. */
void body_facts_of(struct db *db, struct arena *a, struct str body_hash, struct body_facts *out);
/* Reads only the anchors of a stored body, without its links. */
struct str body_anchors_of(struct db *db, struct arena *a, struct str body_hash);
/* True if the facts are stored. body_facts_of() then does not read the body. */
bool body_facts_known(struct db *db, struct str body_hash);
/* Stores the facts; inside a write transaction. */
void body_facts_keep(struct db *db, struct arena *a, struct str body_hash, const struct body_facts *f);

/* ---- keeping the tables ---- */

/*
 * Updates the links of a main branch to its revision seq, from the changes in that revision, in the
 * transaction that wrote it. False if this would change more than LINKS_ROWS rows, or if more than
 * LINKS_MISSING missing targets would have to be resolved. Then a job "index" must do it. Until
 * then some pages have their old links, and links_complete() returns 0.
 */
enum { LINKS_ROWS = 2000 };
bool links_changed(struct db *db, struct arena *a, const char *space, int64_t branch, int64_t seq);

/*
 * The largest staged revision whose links links_changed() updates in the publishing transaction:
 * number of links that change, and number of missing targets, each of which may exist after the
 * revision.
 */
enum { LINKS_INLINE = 300, LINKS_MISSING = 1000 };

/* True if the changed nodes are below both limits. p: the staged point. */
bool links_are_few(struct db *db, struct arena *a, const struct point *p, const char *const *ids,
    size_t n);

/*
 * Makes a new edition of the links of a main branch, at a point whose revision does not exist yet,
 * or at its head. Nobody reads the edition before links_show(). *edition 0: makes a complete
 * edition; otherwise updates that edition for the changed nodes. Outside any transaction: it runs
 * short ones of its own, and calls watch between them. False if watch stopped the work; then there
 * is no edition.
 */
bool links_ahead(struct db *db, struct arena *a, const struct point *p, int64_t *edition,
    const char *const *ids, size_t n, const struct stage_watch *watch);

/* Replaces the shown edition by this one; in the write transaction that makes the edition's point the head. */
void links_show(struct db *db, int64_t branch, int64_t edition);

/* The edition that is shown; 0: there is none yet. */
int64_t links_shown(struct db *db, int64_t branch);

/*
 * The shown edition, if it is complete for the point: the point is the head of a main branch, and
 * no job is queued to make the edition again. 0: there is none; a caller that must not miss a link
 * then reads the pages.
 */
int64_t links_complete(struct db *db, const struct point *p);

/*
 * Records that a job must make the links of the branch again, without a call of links_changed().
 * Inside a write transaction.
 */
void links_mark_outdated(struct db *db, int64_t branch);

/*
 * All of these delete rows in short transactions of their own. links_tidy(): the editions of a branch
 * that are not shown, when no other process can be making one. links_drop(): all editions of a space.
 */
void links_tidy(struct db *db, int64_t branch);
void links_drop(struct db *db, const char *space);
/*
 * The same while others may be making editions of the branch. links_tidy_former(): only editions that
 * were shown before. links_forget(): only this one, which the caller has made (0: none).
 */
void links_tidy_former(struct db *db, int64_t branch);
void links_forget(struct db *db, struct arena *a, int64_t edition);

/* ---- reading ---- */

enum link_status { LINK_OK, LINK_BROKEN, LINK_IN_APP, LINK_STATUSES };
extern const char *const link_statuses[LINK_STATUSES];

struct link_target {
	const char      *key;       /* kind and target (make_key()): links with equal keys share a row */
	const char      *kind;      /* page, file, reusable, space, url, other, missing */
	const char      *node;      /* id of the page, file or reusable content; NULL: none */
	const char      *anchor, *url; /* NULL: none */
	enum link_status status;
	int64_t          id;        /* row; 0: not from the tables */
};

struct link_place {
	const char *source;         /* page or reusable content */
	int64_t     line;           /* in its body, from 1; 0: not in the body, or not known */
	const char *spelling;
	int64_t     n;              /* its number in the source */
};

struct link_item {
	struct link_target target;
	struct link_place *places;  /* by source and number there */
	size_t             count;   /* at least 1 */
	bool               cut;     /* there are more places than these; it is then the last item */
};

struct link_query {
	const struct point *point;
	const char         *source;     /* only links of this node; NULL: of all */
	int                 status;     /* enum link_status; -1: any */
	int                 context;    /* of the broken links: 1 those that are not broken in the base, -1 those that are broken there too, 0 all */
	const char         *after;      /* key; NULL: from the start */
	const char         *place;      /* source of a place of the target `after`: continue after that place; NULL: after the whole target */
	int64_t             place_n;    /* number of that place in its source */
	size_t              want;       /* maximum number of items */
	size_t              places;     /* maximum number of places in all items together, at least 1 */
};

struct link_list {
	struct link_item *items;        /* by key */
	size_t            count;        /* at most `want`; fewer if `places` are used up */
	bool              more;         /* items after these, or places of the last one */
	int64_t           targets;      /* distinct targets with the status */
	int64_t           total, broken;/* links with any status */
	int64_t           broken_here;  /* broken links whose target is not broken in the point's base */
};
/*
 * One page of the list. A target with many places may take several pages: the last item of a page
 * is then cut, and the next page begins with the same item and its further places. If the target
 * has no further places when the next page is requested, it is left out there.
 */
void links_list(struct db *db, struct arena *a, const struct link_query *q, struct link_list *out);

/*
 * Links to a node from other nodes: one place for each source (the first), sorted by id of the
 * source.
 */
struct backlinks {
	struct link_place *places;
	size_t             count;
	bool               more;
	int64_t            total;
};
void links_back(struct db *db, struct arena *a, const struct point *p, const char *node,
    const char *after, size_t want, struct backlinks *out);
/*
 * The first of these sources after `after` ("": of all), from the tables of an edition; NULL: there
 * is none. Counts nothing, so the cost does not depend on the number of links.
 */
char *links_next(struct db *db, struct arena *a, int64_t edition, const char *node, const char *after);

/*
 * The same for a file or reusable content at a point without an edition: the nodes that show it,
 * from their maps, covers and targets. The first call reads all of the point, and the result is
 * cached for the next ones.
 */
char *links_next_user(struct db *db, struct arena *a, const struct point *p, const char *id, const char *after);

/*
 * True if the page is included in another page or reusable content of the point: it is then also a
 * reusable content there.
 */
bool links_included(struct db *db, struct arena *a, const struct point *p, const char *id);

#endif
