/*
 * Reads a branch that overlays main (a change request, or the content of a git repository): its own
 * rows, the point of main that it overlays, and the version of main from which each of its rows was
 * made. store/content.h describes the model.
 */
#ifndef OCTAVO_OVERLAY_H
#define OCTAVO_OVERLAY_H

#include "store/content.h"

/* The point of main that a branch's point overlays. */
struct point overlay_base(const struct point *overlay);

/*
 * Own rows at the head of a branch, sorted by id: everything in which it differs from its base.
 * Marks (order.h) are left out.
 */
struct node *overlay_rows(struct db *db, struct arena *a, int64_t branch, size_t *count);
/* The same at one revision number, which may be a staged one. */
struct node *overlay_rows_at(struct db *db, struct arena *a, int64_t branch, int64_t seq, size_t *count);

/* The version of main that an own row was made from; false: the origin is unset. */
bool overlay_origin(struct db *db, struct arena *a, const struct point *overlay,
    const struct node *own, struct node *out);

/*
 * True if the branch, or main up to the overlaid point, ever had a page with this id, even if it is
 * deleted now.
 */
bool overlay_ever_had(struct db *db, const struct point *overlay, const char *id);

#endif
