/* Shared by the files of the links room. */
#ifndef OCTAVO_LINK_PARTS_H
#define OCTAVO_LINK_PARTS_H

#include "links/links.h"

enum { LINK_SOURCES = NODE_DOCUMENT | NODE_LINK | NODE_REUSABLE | NODE_COMPUTED };

/* One link of a source; its target has no status yet. */
struct parsed_link {
	struct link_target target;
	int64_t            line;
	const char        *spelling;
	bool               resolved_now;  /* the page's map has no target for it: it was resolved at the point */
};

/*
 * A cache for look-ups at one point: the places in pages, because many links lead to one page and
 * reading its places means reading it all, and the targets of paths. It is emptied when it exceeds
 * some megabytes.
 */
struct page_places {
	struct arena  *arena;      /* its own */
	struct map    *pages;      /* id -> struct place_names (link_read.c) */
	struct lookup_cache answers;
};

/* All links of a node that is alive at the point, in order: body, cover, target. */
struct parsed_link *link_read(struct db *db, struct arena *a, const struct point *p, struct page_places *places,
    const struct node *n, size_t *count);

/* An empty cache, freed with the arena. */
struct page_places page_places_new(struct arena *a);

/* The status of a target at the point. */
enum link_status link_judge(struct db *db, struct arena *a, const struct point *p, struct page_places *places,
    const struct link_target *t);

/* Adds an empty edition of a branch's links and returns its number. shown: it is the one that readers use. Inside a write transaction. */
int64_t link_edition_add(struct db *db, int64_t branch, bool shown);

/*
 * Updates an edition that nobody reads yet to the point, for these changed nodes; in short
 * transactions.
 */
void link_edition_update(struct db *db, struct arena *a, const struct point *p, int64_t edition,
    const char *const *ids, size_t n);

/* True if the spelling has a target now. */
bool link_resolves(struct db *db, struct arena *a, const struct point *p, struct page_places *places,
    const struct node *from, struct str spelling);

#endif
