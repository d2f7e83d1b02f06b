/*
 * A branch that overlays main (a change request, content from outside): the rows
 * that it has of its own, the point of main below it, and main's version that
 * each own row was made from. The model: store/content.h.
 */
#ifndef OCTAVO_OVERLAY_H
#define OCTAVO_OVERLAY_H

#include "store/content.h"

/* The point of main that a branch's point overlays. */
struct point overlay_base(const struct point *overlay);

/* Own rows of a branch's head, in order of ids: what it changes against its base. Marks (order.h) are left out. */
struct node *overlay_rows(struct db *db, struct arena *a, int64_t branch, size_t *count);
/* The same at one of its numbers, which may be a staged one. */
struct node *overlay_rows_at(struct db *db, struct arena *a, int64_t branch, int64_t seq, size_t *count);

/* Main's version that an own row was made from; false where the origin is unset. */
bool overlay_origin(struct db *db, struct arena *a, const struct point *overlay,
    const struct node *own, struct node *out);

/* Has it, or main up to the point that it overlays, ever held a page of this id? Also one that is deleted now. */
bool overlay_held(struct db *db, const struct point *overlay, const char *id);

#endif
