/*
 * Order of pages: where a page stands among its siblings.
 *
 * Each page has an order key, a fractional index: text over the digits 0-9A-Za-z,
 * compared bytewise, that stands for a number in (0, 1). There is always a key
 * between two others, so placing a page writes one row. No key ends in '0', since
 * nothing would fit before it. Siblings with equal keys (two requests inserted at
 * one place) are ordered by id.
 *
 * Repeated inserts at one place make keys longer, by one digit in about six
 * inserts. When a key gets longer than ORDER_KEY_LONG, some siblings get new, short
 * keys in the same transaction. Nobody moved those siblings, so changes, merges and
 * conflicts must not show them as moved:
 *
 *  - In a request, new keys go only to pages that the request added or moved. They
 *    have rows of its own already. A new key for any other page would add a row: the
 *    request would seem to have moved that page, and would conflict with whoever
 *    deletes or moves it in main. The keys of those other pages are as short as main
 *    keeps them, so there is room between them.
 *  - In main any sibling may get a new key, within the merge or import that wrote the
 *    long one. A setting node with the id "order:" + parent (the mark) gets a new
 *    version at the same time. The version of the mark at a point is the *era* of the
 *    keys below that parent.
 *  - Keys of the same era can be compared; keys of different eras cannot. The keys of
 *    an overlay belong to the era at its base point. When it is merged into a later
 *    era, or its base moves to one, order_carry() computes new keys for the pages that
 *    it placed: siblings that both sides have, in the same relative order, are the
 *    frame, and each placed page goes right behind the sibling that it stood behind.
 *    Pages that the overlay did not place keep following main's row.
 *  - A mark lists the pages that its revision placed. A new key of any other page is
 *    not a move. So order_moved() can tell from two versions whether somebody moved
 *    the page, which decides conflicts and the list of changes. Requests write marks
 *    for the same purpose; those are no part of what the request changes, and are not
 *    merged.
 *
 * A row that update restored in a conflict keeps the key of its origin; with another
 * key it would look moved. Until it is written again it may stand among siblings of a
 * later era; order_follow_main() then gives it the place of main's page.
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
	const char *avoid;      /* a key that it must not get, or NULL: that of its origin */
	bool        fixed;      /* see each function */
	bool        dealt;      /* out: it has a new key */
};

/* Sorts as siblings are sorted: by key, then by id. */
void order_key_sort(struct order_item *list, size_t n);

/*
 * Assigns new keys to list[at] and to as few items around it as possible, but neither to fixed
 * items nor beyond them. The list is sorted and contains list[at] with the key that is too long.
 * False, and nothing is changed, if the fixed items leave too little room to shorten it by
 * ORDER_KEY_LONG / 2: that is not worth the rows. So no key becomes longer than the longest fixed
 * one by more than ORDER_KEY_LONG.
 */
bool order_key_deal(struct arena *a, struct order_item *list, size_t n, size_t at);

/*
 * Assigns to the items of a sorted list keys that fit into another sorted list. Fixed items that
 * the other list has in the same order get their keys from there; all others get new keys right
 * after the item that they followed.
 */
void order_key_carry(struct arena *a, struct order_item *list, size_t n, struct order_item *to, size_t m);

/* Marks in keep[] a longest subsequence of rising keys; NULL keys are left out. */
void order_key_rising(struct arena *a, const char *const *keys, size_t n, bool *keep);

/* ---- places in content ---- */

/*
 * A key for index `at` (-1: the end) among the children of parent in a request, not counting the
 * page itself (NULL: it does not exist yet). request: the point before the revision that is being
 * made; now: that revision, in which other pages of the request may get new keys.
 */
const char *order_key(struct db *db, struct arena *a, const struct point *request,
    const struct point *now, const char *parent, int at, const char *self);

/* Renumbers the children of parent if a key is too long; main: the revision that is being made. */
void order_spread(struct db *db, struct arena *a, const struct point *main, const char *parent);

/*
 * The era of the keys below parent in a point's own rows. Eras can only be compared for equality.
 */
int64_t order_era(struct db *db, struct arena *a, const struct point *p, const char *parent);

/*
 * True if the page was moved between two versions of it; both are rows of one branch, the older one
 * first. A new key alone is no move.
 */
bool order_moved(struct db *db, struct arena *a, const struct node *from, const struct node *to);

/* The same between the rows that two points of a space show of a page, whatever their branches. */
bool order_differs(struct db *db, struct arena *a, const struct point *from,
    const struct node *before, const struct point *to, const struct node *after);

/* True if the row is a mark. */
bool order_is_mark(const char *id);

/*
 * Computes the keys in main's era at that point for the places that a request assigned; sets ord in
 * its own rows, which are those at its head. The map holds the new key of each such page by its id;
 * below: the parents of these pages. Only reads. If a revision of the request (now) stores the
 * keys, order_carried() writes its marks.
 */
struct order_parents {
	const char **ids;
	size_t       n;
};
struct map *order_carry(struct db *db, struct arena *a, const struct point *request,
    const struct point *main, struct node *own, size_t n, struct order_parents *below);
void order_carried(struct db *db, struct arena *a, const struct point *now, const struct order_parents *below);

/*
 * Called when a page of main is written in a request that had it in a conflict and did not move it:
 * if its key is of an earlier era than main's version at the base point, the page gets the key of
 * that version. seq: number of the revision that is being made.
 */
void order_follow_main(struct db *db, struct arena *a, const struct point *request, int64_t seq,
    const struct node *base, struct node *n);

/* Carries the place of one page from one point over to another. */
void order_again(struct db *db, struct arena *a, const struct point *from, const struct point *now,
    struct node *n);

#endif
