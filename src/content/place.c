/* Places of pages in the database; the reasons and the contract: place.h. */
#include <stdlib.h>

#include "layout_map.h"
#include "place.h"
#include "request.h"

static const char *
mark_id(struct arena *a, const char *parent)
{
	return arena_printf(a, "order:%s", parent);
}

int64_t
place_era(struct db *db, struct arena *a, const struct point *p, const char *parent)
{
	struct point main = *p;
	struct node mark;

	/* Only main has marks: what overlays it is of the era at its base point. */
	if (p->base != 0)
		main = (struct point){ .branch = p->base, .seq = p->base_seq };
	return node_get(db, a, &main, mark_id(a, parent), &mark) ? mark.since : -1;
}

static void
put_mark(struct db *db, struct arena *a, const struct point *main, const char *parent)
{
	struct node mark = { .id = mark_id(a, parent), .kind = NODE_SETTING, .origin = -1, .parent = "",
		.ord = "", .slug = "", .title = "", .props = "{}", .at = time_now(), .made = time_now() };

	node_put(db, main->branch, main->seq, &mark);
}

/* Did the request place it? Else it stands where main has it. was: main's key for it then, or NULL. */
static bool
placed_by(struct db *db, struct arena *a, const struct point *request, const struct node *n,
    const char **was)
{
	struct node base;

	*was = NULL;
	if (n->branch != request->branch || (n->kind & NODE_PAGES) == 0)
		return false;
	if (!origin_of(db, a, request, n, &base))
		return true;
	*was = base.ord;
	return strcmp(base.parent, n->parent) != 0 || strcmp(base.ord, n->ord) != 0;
}

static struct ord_item *
items_of(struct arena *a, const struct node *list, size_t n)
{
	struct ord_item *items = arena_array(a, n, sizeof(*items));
	size_t k;

	for (k = 0; k < n; k++)
		items[k] = (struct ord_item){ .id = list[k].id, .ord = list[k].ord };
	return items;
}

/* The children of parent as a request shows them: those that it did not place are fixed. */
static struct ord_item *
items_of_request(struct db *db, struct arena *a, const struct point *request,
    const struct node *list, size_t n)
{
	struct ord_item *items = items_of(a, list, n);
	size_t k;

	for (k = 0; k < n; k++)
		items[k].fixed = !placed_by(db, a, request, &list[k], &items[k].avoid);
	return items;
}

/* Writes the rows of those that were dealt a new key; nothing else of them changes. */
static void
put_dealt(struct db *db, struct arena *a, const struct point *now, const struct node *list,
    const struct ord_item *items, size_t n)
{
	struct node moved;
	size_t k;

	for (k = 0; k < n; k++) {
		if (!items[k].dealt)
			continue;
		moved = list[k];
		moved.ord = items[k].ord;
		moved.front = node_front(db, a, &list[k]);
		node_put(db, now->branch, now->seq, &moved);
	}
}

/* ---- in a request ---- */

/* Where in the list index `at` is: behind as many, and behind all of the same key as the last of them. */
static size_t
place_of(const struct node *list, size_t n, int at)
{
	size_t k = at < 0 || (size_t)at > n ? n : (size_t)at;

	while (k > 0 && k < n && strcmp(list[k].ord, list[k - 1].ord) == 0)
		k++;
	return k;
}

/* The long key, or a shorter one where siblings could make room. */
static const char *
make_room(struct db *db, struct arena *a, const struct point *request, const struct point *now,
    struct node *list, size_t n, size_t k, const char *key)
{
	struct ord_item *items;

	/* One more, for the page that is being placed. */
	memmove(list + k + 1, list + k, (n - k) * sizeof(*list));
	list[k] = (struct node){ .id = "", .ord = key, .branch = now->branch, .origin = -1,
		.kind = NODE_DOCUMENT };
	items = items_of_request(db, a, request, list, n + 1);
	if (!ord_deal(a, items, n + 1, k))
		return key;
	items[k].dealt = false;
	put_dealt(db, a, now, list, items, n + 1);
	return items[k].ord;
}

const char *
place_key(struct db *db, struct arena *a, const struct point *request, const struct point *now,
    const char *parent, int at, const char *self)
{
	size_t count, n = 0, k;
	struct node *all = node_children(db, a, now, parent, &count);
	struct node *list = arena_array(a, count + 1, sizeof(*list));
	const char *key;

	for (k = 0; k < count; k++)
		if (self == NULL || strcmp(all[k].id, self) != 0)
			list[n++] = all[k];
	k = place_of(list, n, at);
	key = ord_between(a, k == 0 ? "" : list[k - 1].ord, k == n ? "" : list[k].ord);
	return strlen(key) <= ORD_LONG ? key : make_room(db, a, request, now, list, n, k, key);
}

void
place_again(struct db *db, struct arena *a, const struct point *from, const struct point *now,
    struct node *n)
{
	struct ord_item *list, *to;
	size_t count, m, k;
	struct node *then, *here;

	if (place_era(db, a, from, n->parent) == place_era(db, a, now, n->parent))
		return;
	then = node_children(db, a, from, n->parent, &count);
	here = node_children(db, a, now, n->parent, &m);
	list = items_of(a, then, count);
	to = items_of(a, here, m);
	for (k = 0; k < count; k++)
		list[k].fixed = strcmp(list[k].id, n->id) != 0;
	ord_carry(a, list, count, to, m);
	for (k = 0; k < count; k++)
		if (!list[k].fixed)
			n->ord = list[k].ord;
}

/* ---- in main ---- */

void
place_spread(struct db *db, struct arena *a, const struct point *main, const char *parent)
{
	size_t n, k;
	struct node *list = node_children(db, a, main, parent, &n);
	struct ord_item *items = items_of(a, list, n);
	bool dealt = false;

	for (k = 0; k < n; k++)
		if (strlen(items[k].ord) > ORD_LONG)
			dealt |= ord_deal(a, items, n, k);
	if (!dealt)
		return;
	put_dealt(db, a, main, list, items, n);
	put_mark(db, a, main, parent);
}

bool
place_moved(struct db *db, struct arena *a, const struct point *from, const struct point *to,
    const char *parent, const char *id)
{
	size_t m, n, k;
	struct node *then = node_children(db, a, from, parent, &m);
	struct node *now = node_children(db, a, to, parent, &n);
	struct ord_item *list = items_of(a, now, n);

	ord_compare(a, items_of(a, then, m), m, list, n);
	for (k = 0; k < n; k++)
		if (strcmp(list[k].id, id) == 0)
			return list[k].moved;
	return true;
}

/* ---- from one to the other ---- */

/* Notes the keys of the children of parent in main's era, those that the request placed. */
static void
carry_below(struct db *db, struct arena *a, const struct point *request, const struct point *main,
    const char *parent, struct layout_map *keys)
{
	size_t n, m, k;
	struct node *mine = node_children(db, a, request, parent, &n);
	struct node *theirs = node_children(db, a, main, parent, &m);
	struct ord_item *list = items_of_request(db, a, request, mine, n);

	ord_carry(a, list, n, items_of(a, theirs, m), m);
	for (k = 0; k < n; k++)
		if (!list[k].fixed)
			layout_map_add(keys, str_of(list[k].id), arena_strdup(a, list[k].ord));
}

void
place_carry(struct db *db, struct arena *a, const struct point *request, const struct point *main,
    struct node *own, size_t n, bool *carried)
{
	struct layout_map *done = layout_map_new(a), *keys = layout_map_new(a);
	const char *was, *key;
	size_t k;

	for (k = 0; k < n; k++) {
		carried[k] = false;
		if (!placed_by(db, a, request, &own[k], &was))
			continue;
		if (layout_map_add(done, str_of(own[k].parent), done) &&
		    place_era(db, a, request, own[k].parent) != place_era(db, a, main, own[k].parent))
			carry_below(db, a, request, main, own[k].parent, keys);
		if ((key = layout_map_get(keys, str_of(own[k].id))) == NULL)
			continue;
		carried[k] = strcmp(key, own[k].ord) != 0;
		own[k].ord = key;
	}
}
