/*
 * What differs between two points, thing by thing, in the size of the change:
 * only ids whose rows began or ended in between are looked at.
 */
#ifndef OCTAVO_CHANGES_H
#define OCTAVO_CHANGES_H

#include "store/content.h"

struct change {
	const struct node *before, *after;   /* NULL: it was not, is not there */
	bool               moved;            /* a page that stands elsewhere, not only under another key */
};

/*
 * Between a revision and the one before it, or (request head) between a
 * request and the base point that it overlays. from and to are the points to
 * read each side at. Sorted: pages by path, then files and the rest by name.
 */
struct change *changes_of_revision(struct db *db, struct arena *a, const struct point *to,
    struct point *from, size_t *count);
struct change *changes_of_request(struct db *db, struct arena *a, const struct point *head,
    struct point *from, size_t *count);

#endif
