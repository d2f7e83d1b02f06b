/*
 * Links: what every page leads to, whether it is there, and what leads to a
 * page or file.
 *
 * What a body spells is a fact of its bytes (struct body_facts), kept per distinct
 * body. Where a spelling leads is the page's own map (node.refs). Whether the
 * target is there is decided at a point: a page that is alive and, where the
 * link names a place in it, has that place; a file, a reusable content.
 *
 *   ok       the target is there, or is an address elsewhere
 *   broken   it is not: never was, was removed, or lacks the heading
 *   in-app   an address of something in the organization, by its id, under whatever host
 *
 * For the head of a main branch all of it is in tables that propagate_revision()
 * brings along: a list costs what it shows. They are made with a space's first
 * content, or by a job "index". At other points (change requests) links_list()
 * reads the facts of every page there.
 *
 * What the tables hold at one time is an *edition*. A small change is made in the
 * one that is shown; a large one (an import, a job "index") makes another beside
 * it, in short transactions, which is then shown in its place.
 *
 * Sources are documents, reusable contents, pages that are links, and computed pages,
 * which lead to the specification that they show; so do blocks of documents that show an
 * operation. Such a target (kind other, key openapi:SLUG) is broken where there is no such
 * specification, or it was deleted; it is judged anew with each revision, since nothing
 * in the space changes when a specification goes. Images in
 * data: addresses are no links. A place is named by a heading's anchor, an
 * explicit id, or what the three rules of layout 4 make of the heading,
 * in any case.
 *
 * Invariants: link_target.links counts the rows of link; link_count sums
 * link_target by status; each row of link is of the source's present version: all
 * of the edition that is shown.
 */
#ifndef OCTAVO_LINKS_H
#define OCTAVO_LINKS_H

#include "store/content.h"
#include "store/stage.h"

/* ---- facts of a body ---- */

/* Before the slug of a specification that a block shows: as a spelling, and as the key of a target. */
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
	bool              kept;
};

/* doc_places() of a body, and the ids in its raw HTML; d is its document, or NULL. */
struct str body_places(struct arena *a, struct str body, const struct doc *d);
/* From the bytes; d is their document, links are what doc_links() finds, or NULL. */
void body_facts_make(struct arena *a, struct str body, const struct doc *d, const struct doc_link *links,
    struct body_facts *out);
/* Of a stored body; made where they are not kept. An empty hash has none. */
void body_facts_of(struct db *db, struct arena *a, struct str body_hash, struct body_facts *out);
/* Its anchors alone: the links need not be read for them. */
struct str body_anchors_of(struct db *db, struct arena *a, struct str body_hash);
/* Are they kept? Then body_facts_of() reads no body. */
bool body_facts_known(struct db *db, struct str body_hash);
/* Keeps them; in a write transaction. */
void body_facts_keep(struct db *db, struct arena *a, struct str body_hash, const struct body_facts *f);

/* ---- keeping the tables ---- */

/*
 * Brings the links of a main branch to its revision seq, from what changed in it; in the
 * transaction that wrote it. False: that would be more than LINKS_ROWS rows, or more than
 * LINKS_MISSING links that lead nowhere would have to be looked up. Then a job "index" has to
 * make them; until it has, some pages are told as they were before, and links_settled() is 0.
 */
enum { LINKS_ROWS = 2000 };
bool links_changed(struct db *db, struct arena *a, const char *space, int64_t branch, int64_t seq);

/*
 * How many links may change with a revision that is staged, and how many may lead
 * nowhere (each of which may be healed by it), for links_changed() in the
 * transaction that publishes it to be short.
 */
enum { LINKS_INLINE = 300, LINKS_MISSING = 1000 };

/* Are they as few as that, where these nodes change? p: the point that is staged. */
bool links_are_few(struct db *db, struct arena *a, const struct point *p, const char *const *ids,
    size_t n);

/*
 * Another edition of the links of a main branch, at a point whose revision is not
 * there yet (or at its head), that nobody reads before links_show(). *edition 0:
 * makes it, whole; else brings it along, where these nodes changed since. Outside
 * any transaction, in short ones of its own. watch is asked between those that make it;
 * false: it said no, there is no edition.
 */
bool links_ahead(struct db *db, struct arena *a, const struct point *p, int64_t *edition,
    const char *const *ids, size_t n, const struct stage_watch *watch);

/* Shows the edition instead of the one before; in the write transaction that makes its point the head. */
void links_show(struct db *db, int64_t branch, int64_t edition);

/* The edition that is shown; 0: there is none yet. */
int64_t links_shown(struct db *db, int64_t branch);

/*
 * The edition that tells all of a point: shown, of the head of a main branch, and no job has to make it anew. 0: none
 * does, and who must not miss a link reads the pages.
 */
int64_t links_settled(struct db *db, const struct point *p);

/* A job has to make the links of the branch anew, though links_changed() was not asked. In a write transaction. */
void links_late(struct db *db, int64_t branch);

/* Drops the editions of a branch that are not shown; of a space, all. In short transactions of their own. */
void links_tidy(struct db *db, int64_t branch);
void links_drop(struct db *db, const char *space);

/* ---- asking ---- */

enum link_status { LINK_OK, LINK_BROKEN, LINK_IN_APP, LINK_STATUSES };
extern const char *const link_statuses[LINK_STATUSES];

struct link_target {
	const char      *key;
	const char      *kind;      /* page, file, reusable, space, url, other, missing */
	const char      *node, *anchor, *url;
	enum link_status status;
	int64_t          id;        /* row; 0: not from the tables */
};

struct link_place {
	const char *source;         /* page or reusable content */
	int64_t     line;
	const char *spelling;
	int64_t     n;              /* its number in the source */
};

struct link_item {
	struct link_target target;
	struct link_place *places;  /* by source and number there */
	size_t             count;   /* at least 1 */
	bool               cut;     /* there are more places than these; it is the last item then */
};

struct link_query {
	const struct point *point;
	const char         *source;     /* links of this node alone; NULL: of all */
	int                 status;     /* enum link_status; -1: any */
	int                 context;    /* of the broken: 1 those broken over the base, -1 those broken
	                                   in it already, 0 all */
	const char         *after;      /* key; NULL: from the start */
	const char         *place;      /* source of a place of the target `after`, which goes on behind
	                                   that place; NULL: behind the whole target */
	int64_t             place_n;    /* number of that place in its source */
	size_t              want;       /* items */
	size_t              places;     /* of all items together, at least 1 */
};

struct link_list {
	struct link_item *items;        /* by key */
	size_t            count;        /* at most `want`; fewer where `places` are used up */
	bool              more;         /* items after these, or places of the last one */
	int64_t           targets;      /* distinct, under the status */
	int64_t           total, broken;/* links under no status */
	int64_t           broken_here;  /* of the broken: those whose target is not so in the point's base */
};
/*
 * One page of the list. A target with many places may take several pages: the
 * last item of one is cut, and is the first item of the next, with the places
 * that follow. A target that lost those places meanwhile is left out there.
 */
void links_list(struct db *db, struct arena *a, const struct link_query *q, struct link_list *out);

/* What leads to a node from elsewhere: one place a source (its first), by id of the source. */
struct backlinks {
	struct link_place *places;
	size_t             count;
	bool               more;
	int64_t            total;
};
void links_back(struct db *db, struct arena *a, const struct point *p, const char *node,
    const char *after, size_t want, struct backlinks *out);
/*
 * The first of these sources behind `after` ("": of all), by the tables of an edition; NULL: there is none. Counts
 * nothing: costs the same however many lead there.
 */
char *links_next(struct db *db, struct arena *a, int64_t edition, const char *node, const char *after);

/*
 * The same for a file or reusable content at a point that no edition tells of: who shows it, by their maps, covers and
 * targets. All of the point is read for the first question, and kept for the next ones.
 */
char *links_next_user(struct db *db, struct arena *a, const struct point *p, const char *id, const char *after);

/*
 * Is this page put into another page or a reusable content of the point? Such a page is a reusable content there as
 * well.
 */
bool links_included(struct db *db, struct arena *a, const struct point *p, const char *id);

#endif
