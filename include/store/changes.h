/*
 * Lists what differs between two points. The cost depends only on the number of changes: only nodes
 * with rows that began or ended between the points are compared.
 */
#ifndef OCTAVO_CHANGES_H
#define OCTAVO_CHANGES_H

#include "store/content.h"

struct change {
	const struct node *before, *after;   /* NULL: it did not exist before, or does not exist after */
	bool               moved;            /* the page was moved; a new key alone is no move */
};

/*
 * The point before a revision: the previous revision of its branch; for the first revision of a
 * request, the point that it overlays. Branch 0: there was nothing before.
 */
struct point point_before(struct db *db, struct arena *a, const struct point *p);

/*
 * Compares any two points of a space, also of different branches. If the branch of `from` is 0,
 * nothing existed there. The result is sorted as that of changes_of_revision().
 */
struct change *changes_between(struct db *db, struct arena *a, const struct point *from, const struct point *to,
    size_t *count);

/*
 * Compares a revision with the previous one, or the head of a request with the base point that it
 * overlays. *from and *to are the points at which to read each side. Sorted: pages by path, then
 * all others by name.
 */
struct change *changes_of_revision(struct db *db, struct arena *a, const struct point *to,
    struct point *from, size_t *count);
struct change *changes_of_request(struct db *db, struct arena *a, const struct point *head,
    struct point *from, size_t *count);

#endif
