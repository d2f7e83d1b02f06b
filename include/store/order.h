/*
 * Order of pages: the place of a page among its siblings.
 *
 * Each page has an order key, a fractional index: a text of the digits 0-9A-Za-z, compared
 * bytewise, which stands for a number in (0, 1). Between two keys there is always another one, so
 * placing a page writes one row. No key ends in '0', since nothing would fit before it. Siblings
 * with equal keys (two requests inserted at the same place) are ordered by id.
 *
 * Repeated inserts at one place make keys longer, by one digit in about six inserts. When a key
 * becomes longer than ORDER_KEY_LONG, some siblings get new, short keys in the same transaction:
 * they are renumbered. Nobody moved those siblings, so changes, merges and conflicts must not show
 * them as moved:
 *
 * - In a request, only pages that the request added or moved are renumbered, since they have rows
 *   of its own already. For any other page a new key would add a row: the request would seem to
 *   have moved that page, which would be a conflict if the page is deleted or moved in main. The
 *   keys of those other pages are kept short by main, so there is room between them.
 * - In main any sibling may be renumbered, within the merge or import that wrote the long key. At
 *   the same time a setting node with the id "order:" + parent, the *mark*, gets a new version. The
 *   version of the mark at a point is the *era* of the keys below that parent.
 * - Keys of the same era can be compared; keys of different eras cannot. The keys of an overlay
 *   belong to the era at its base point. When the overlay is merged into main in a later era, or
 *   its base point moves to a later era, order_carry() computes new keys for the pages that it
 *   placed. The frame consists of the siblings that both sides have in the same relative order;
 *   each placed page comes right after the sibling that it followed before. For pages that the
 *   overlay did not place, main's row counts.
 * - A mark lists the pages that its revision placed; a new key of any other page is no move. With
 *   the mark order_moved() decides whether a page was moved between two versions, which matters for
 *   conflicts and for the list of changes. Requests write marks for the same purpose. These are no
 *   part of what the request changes, and are not merged.
 *
 * A row that an update restored in a conflict keeps the key of its origin, since with another key
 * it would look moved. Until it is written again, its key may be of an earlier era than its
 * siblings' keys; order_follow_main() then gives it the place of main's page.
 */
#ifndef OCTAVO_ORDER_H
#define OCTAVO_ORDER_H

#include "store/content.h"
#include "base/map.h"

/* Length of a key, in bytes, above which siblings are renumbered. */
enum { ORDER_KEY_LONG = 200 };

/* ---- keys alone ---- */

struct order_item {
	const char *id, *ord;
	const char *avoid;      /* a key that it must not get: that of its origin; or NULL */
	bool        fixed;      /* the item keeps its key, see each function */
	bool        renumbered; /* out: it has a new key */
};

/* Sorts as siblings are sorted: by key, then by id. */
void order_key_sort(struct order_item *list, size_t n);

/*
 * Renumbers list[at], whose key is too long, and as few items around it as possible; fixed items,
 * and items beyond these, keep their keys. The list is sorted. False, and nothing is changed, if
 * the fixed items leave so little room that keys would not become shorter by ORDER_KEY_LONG / 2:
 * that is not worth the rows. So no key becomes longer than the longest fixed one by more than
 * ORDER_KEY_LONG.
 */
bool order_key_renumber(struct arena *a, struct order_item *list, size_t n, size_t at);

/*
 * Assigns keys of another era to the items of a sorted list. The other list, also sorted, has keys
 * of that era. A fixed item that both lists have in the same order gets its key from there; any
 * other item gets a new key right after the item that it followed.
 */
void order_key_carry(struct arena *a, struct order_item *list, size_t n, struct order_item *to, size_t m);

/* Marks in keep[] a longest subsequence of rising keys; NULL keys are left out. */
void order_key_rising(struct arena *a, const char *const *keys, size_t n, bool *keep);

/* ---- places in content ---- */

/*
 * A key for the index `at` (-1: the end) among the children of parent in a request. The page itself
 * (NULL: it does not exist yet) does not count. request: the point before the revision that is
 * being made; now: that revision, in which other pages of the request may be renumbered.
 */
const char *order_key(struct db *db, struct arena *a, const struct point *request,
    const struct point *now, const char *parent, int at, const char *self);

/* Renumbers the children of parent if a key is too long; main: the revision that is being made. */
void order_renumber(struct db *db, struct arena *a, const struct point *main, const char *parent);

/*
 * The era of the keys below parent in a point's own rows. Two eras are either equal or different;
 * they have no order.
 */
int64_t order_era(struct db *db, struct arena *a, const struct point *p, const char *parent);

/*
 * True if the page was moved between two versions of it; both are rows of one branch, the older one
 * first. A new key alone is no move.
 */
bool order_moved(struct db *db, struct arena *a, const struct node *from, const struct node *to);

/* The same for the rows that two points of a space show of a page, whatever their branches are. */
bool order_differs(struct db *db, struct arena *a, const struct point *from,
    const struct node *before, const struct point *to, const struct node *after);

/* True if the row is a mark. */
bool order_is_mark(const char *id);

/*
 * Computes the keys in main's era, at the point `main`, for the places that a request assigned.
 * Sets ord in the request's own rows, which must be those at its head. Returns a map from the id of
 * each such page to its new key. *below: the parents of these pages. Only reads. If a revision of
 * the request (now) stores the keys, order_write_marks() writes its marks.
 */
struct order_parents {
	const char **ids;
	size_t       n;
};
struct map *order_carry(struct db *db, struct arena *a, const struct point *request,
    const struct point *main, struct node *own, size_t n, struct order_parents *below);
void order_write_marks(struct db *db, struct arena *a, const struct point *now, const struct order_parents *below);

/*
 * Called when a person writes a page in a request that had it in a conflict and did not move it. If
 * the key of the page is of an earlier era than main's version at the base point, the page gets the
 * key of that version. seq: number of the revision that is being made.
 */
void order_follow_main(struct db *db, struct arena *a, const struct point *request, int64_t seq,
    const struct node *base, struct node *n);

/*
 * For a page that is written again as it was at the point `from`: sets ord in n to a key of the era
 * at `now` that gives the page the place that it had.
 */
void order_restore_place(struct db *db, struct arena *a, const struct point *from, const struct point *now,
    struct node *n);

#endif
