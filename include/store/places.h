/*
 * Cache invalidation for resolved links. Each look-up of a link reports the keys on which its
 * result depends, and each change of content has keys, too. A result at one revision is still valid
 * at a later revision of the same branch if no change between them has one of its keys.
 *
 * A key is a letter and a name:
 *   i:ID    a node that a link names by id, or that is its target
 *   g:PATH  the file at a path of the repository
 *   p:PATH  the page at a path
 *   s:PATH  everything below the page at a path, when the page itself moves
 *   b:ID    whether a page has child pages, and which is the first ("": of the space)
 *
 * Objects that belong to no revision (spaces, users, collections, API descriptions) have no key:
 * cached results are not updated when these change. A look-up that uses a redirect has the key of
 * the page to which it leads, and the keys of the path that is searched below that page.
 */
#ifndef OCTAVO_PLACES_H
#define OCTAVO_PLACES_H

#include "store/content.h"

/*
 * From now on each() gets the keys of every look-up with r, which resolver_at() has initialised.
 * NULL: no longer.
 */
void resolver_watch(struct resolver *r, void (*each)(void *, const char *), void *ctx);

/* Reports the keys of a look-up of a page by its path. */
void places_of_path(struct arena *a, const char *path, void (*each)(void *, const char *), void *ctx);

/*
 * Reports the keys of all nodes whose place changed between two points, some of them twice. False:
 * the keys are not known, because the points are not of one branch over the same base, or the root
 * of all links changed.
 */
bool places_changed(struct db *db, struct arena *a, const struct point *from, const struct point *to,
    void (*each)(void *, const char *), void *ctx);
/* The same for one node. */
bool place_changed(struct db *db, struct arena *a, const struct point *from, const struct point *to, const char *id,
    void (*each)(void *, const char *), void *ctx);

#endif
