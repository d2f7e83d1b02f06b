/*
 * Places: where a page stands among its siblings.
 *
 * An order key is text over the digits 0-9A-Za-z that compares bytewise as
 * numbers in (0, 1) do, so that there is always one between two others and
 * placing a page writes one row. No key ends in '0', or nothing would fit before
 * it. Siblings of one key (two requests inserted at one place) stand by their ids.
 *
 * Inserting at one place again and again makes keys longer, a digit in six, and
 * nothing but new keys for siblings can help. So where a key gets longer than
 * ORDER_KEY_LONG, some siblings are dealt new, short ones, in the transaction of the
 * write. That is no change that anybody made, and must not look like one:
 *
 *  - In a request it would make rows of its own out of main's pages: a request
 *    that inserted one page would seem to move the others, clash with who deletes
 *    them, and overrule who moves them. So a request deals new keys only to pages
 *    whose place is its own work (added, or moved there): they have rows already,
 *    and what these say against main stays the same. All others are fixed; their
 *    keys are as short as main keeps them, so the room between them will do.
 *  - In main all siblings are one side's, and any of them may get a new key, as
 *    part of the merge or import that brought the long one. A setting, "order:" and
 *    the id of the parent (the mark), gets a new version with it: the version that
 *    stands at a point is the *era* of the keys below that parent.
 *  - Keys of one era can be compared, those of two cannot. An overlay's keys are
 *    of the era at its base point. When it meets a later one (it is merged, or its
 *    base moves), the places that it gave are carried over: siblings that both
 *    know and that stand in the same order give the frame, and what stood behind
 *    one of them stands right behind it again. Places that it did not give follow
 *    main's row, as they always do: the merge takes the key of the side that moved
 *    the page, and new keys are not a move.
 *  - The mark names the pages that its own revision placed: the new key of any other
 *    is no move. So the versions of a page tell whether somebody moved it, which
 *    makes a clash with who moved or deleted it elsewhere, and a line in the list of
 *    changes. For that a request leaves marks, too, where it deals or carries keys;
 *    they are no part of what it changes, and are not merged.
 *
 * A row that update put back in a conflict keeps the key that its origin had, or
 * it could not be told from one that was moved. It may stand among siblings of a
 * later era until it is written; it then gets the place that main's page has.
 */
#ifndef OCTAVO_PLACE_H
#define OCTAVO_PLACE_H

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
 * page that has one, by its id. now: the request's revision that takes them, which
 * is marked; NULL for a merge.
 */
struct map *order_carry(struct db *db, struct arena *a, const struct point *request,
    const struct point *main, const struct point *now, struct node *own, size_t n);

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
