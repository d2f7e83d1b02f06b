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
 * later era; order_settle() then gives it the place of main's page.
 */
#ifndef OCTAVO_ORDER_H
#define OCTAVO_ORDER_H

#include "store/content.h"
#include "base/map.h"

/* Bytes of a key above which siblings are dealt new ones. */
enum { ORDER_KEY_LONG = 200 };

/* ---- keys alone ---- */

struct order_item {
	const char *id, *ord;
	const char *avoid;      /* a key that dealing must not give it, or NULL: that of its origin */
	bool        fixed;      /* see each function */
	bool        dealt;      /* out: it has a new key */
};

/* In the order of siblings: by key, then by id. */
void order_key_sort(struct order_item *list, size_t n);

/*
 * Deals new keys to list[at] and to as few around it as will do; never to what is
 * fixed, nor past it. The list is in order and holds list[at] with the key that is
 * too long. False, and nothing changed, if the fixed ones leave too little room to
 * make it shorter by ORDER_KEY_LONG / 2: that is not worth the rows. So no key gets longer
 * than the longest fixed one by more than ORDER_KEY_LONG.
 */
bool order_key_deal(struct arena *a, struct order_item *list, size_t n, size_t at);

/*
 * Carries a list in order over to the keys of another, also in order. Fixed items
 * that stand there in the same order get the keys that they have there; all others
 * get new ones, right behind the item of those that they stood behind.
 */
void order_key_carry(struct arena *a, struct order_item *list, size_t n, struct order_item *to, size_t m);

/* Marks in keep[] a longest run of keys that rise; those that are NULL are left out. */
void order_key_rising(struct arena *a, const char *const *keys, size_t n, bool *keep);

/* ---- places in content ---- */

/*
 * A key for index `at` (-1: the end) among the children of parent in a request,
 * the page itself left out; NULL for a page that is not there yet. request: the
 * point before the revision that is being made; now: that revision, where other
 * pages of the request may get new keys.
 */
const char *order_key(struct db *db, struct arena *a, const struct point *request,
    const struct point *now, const char *parent, int at, const char *self);

/* Deals new keys below parent where one is too long; main: the revision that is being made. */
void order_spread(struct db *db, struct arena *a, const struct point *main, const char *parent);

/* The era of the keys below parent that a point's own rows are of. Equal or not is all that it says. */
int64_t order_era(struct db *db, struct arena *a, const struct point *p, const char *parent);

/*
 * Did somebody move the page between two versions of it, both rows of one branch,
 * the older one first? A new key alone is no move.
 */
bool order_moved(struct db *db, struct arena *a, const struct node *from, const struct node *to);

/* The same between what two points of a space show of it, rows of whatever branch. */
bool order_differs(struct db *db, struct arena *a, const struct point *from,
    const struct node *before, const struct point *to, const struct node *after);

/* Is the row a mark? */
bool order_is_mark(const char *id);

/*
 * Carries the places that a request gave over to main's era at that point: sets ord
 * in its own rows, which are those at its head. The map has the new key of each
 * page that has one, by its id; below: the parents of those. Reads alone. Where a
 * revision of the request takes the keys (now), order_carried() marks it.
 */
struct order_parents {
	const char **ids;
	size_t       n;
};
struct map *order_carry(struct db *db, struct arena *a, const struct point *request,
    const struct point *main, struct node *own, size_t n, struct order_parents *below);
void order_carried(struct db *db, struct arena *a, const struct point *now, const struct order_parents *below);

/*
 * A page of main is written in a request that has had it in a conflict, and not
 * moved: if its key is of an earlier era than base, main's version at the base
 * point, it gets the key of that. seq: of the revision that is being made.
 */
void order_settle(struct db *db, struct arena *a, const struct point *request, int64_t seq,
    const struct node *base, struct node *n);

/* Carries the place of one page, as it was at a point, over to another point. */
void order_again(struct db *db, struct arena *a, const struct point *from, const struct point *now,
    struct node *n);

#endif
