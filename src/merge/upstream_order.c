/*
 * Order keys of the pages of upstream (the repository or other source that is imported). Since the
 * last import, main may have renumbered siblings, which begins a new era of keys (store/order.h),
 * and keys of two eras cannot be compared. This file computes keys of main's era for upstream's
 * pages.
 */
#include <stdlib.h>

#include "upstream_parts.h"
#include "base/sort.h"
#include "store/order.h"

static int
by_id(const void *x, const void *y)
{
	return strcmp(((const struct node *)x)->id, ((const struct node *)y)->id);
}

/*
 * Sorts by parent and then in reading order, so that siblings follow each other: sides_carry()
 * handles them as groups. The id decides between equal keys.
 */
static int
by_place(const void *x, const void *y)
{
	const struct node *a = &(*(struct wanted *const *)x)->node, *b = &(*(struct wanted *const *)y)->node;
	int c = strcmp(a->parent, b->parent);

	if (c == 0)
		c = strcmp(a->ord, b->ord);
	return c != 0 ? c : strcmp(a->id, b->id);
}

/*
 * Gives the n pages that upstream has below one parent keys of main's era, in the same order. Pages
 * that upstream has not moved since the last import (`old`, sorted by id) are fixed; the moved ones
 * are placed between them. The node in `old` gets the new key, too, so that the page does not look
 * moved. old NULL: all pages are fixed.
 */
static void
carry_siblings(struct sides *s, struct wanted **list, size_t n, const struct point *main,
    struct node *old, size_t old_n)
{
	struct order_item *items = arena_array(s->arena, n, sizeof(*items)), *main_items;
	struct node **old_nodes = arena_array(s->arena, n, sizeof(*old_nodes)), *main_pages;
	size_t m, k;

	for (k = 0; k < n; k++) {
		items[k] = (struct order_item){ .id = list[k]->node.id, .ord = list[k]->node.ord,
			.fixed = old == NULL };
		old_nodes[k] = find_sorted(&list[k]->node, old, old_n, sizeof(*old), by_id);
		if (old_nodes[k] != NULL)
			items[k].fixed = same_text(old_nodes[k]->parent, list[k]->node.parent) &&
			    same_text(old_nodes[k]->ord, list[k]->node.ord);
	}
	/* A page that is not fixed goes after the page that it follows in upstream. */
	main_pages = node_children(s->db, s->arena, main, list[0]->node.parent, &m);
	main_items = arena_array(s->arena, m, sizeof(*main_items));
	for (k = 0; k < m; k++)
		main_items[k] = (struct order_item){ .id = main_pages[k].id, .ord = main_pages[k].ord };
	order_key_carry(s->arena, items, n, main_items, m);
	s->carried = true;
	for (k = 0; k < n; k++) {
		list[k]->node.ord = items[k].ord;
		/*
		 * A page that upstream has not moved must stay equal to its last version: otherwise
		 * take_node() of upstream.c would take the new key for a move.
		 */
		if (old_nodes[k] != NULL && items[k].fixed)
			old_nodes[k]->ord = items[k].ord;
		sides_compare_later(s, items[k].id);
	}
}

/* Calls carry_siblings() for each parent whose era differs between the two points. */
void
sides_carry(struct sides *s, const struct point *from, const struct point *main, struct node *old,
    size_t old_n)
{
	struct wanted **pages = arena_array(s->arena, s->n, sizeof(*pages));
	size_t n = 0, k, end;

	/*
	 * Usually main is the same at both points, so the eras are the same. A point of an overlay
	 * shows main at its base.
	 */
	if ((from->base != 0 ? from->base_seq : from->seq) == main->seq)
		return;
	for (k = 0; k < s->n; k++)
		if (s->sorted[k].wanted->node.kind & NODE_PAGES)
			pages[n++] = s->sorted[k].wanted;
	sort_list(pages, n, sizeof(*pages), by_place);
	for (k = 0; k < n; k = end) {
		const char *parent = pages[k]->node.parent;
		for (end = k; end < n && strcmp(pages[end]->node.parent, parent) == 0; end++)
			;
		/* Keys of the same era can be compared as they are (store/order.h). */
		if (order_era(s->db, s->arena, from, parent) != order_era(s->db, s->arena, main, parent))
			carry_siblings(s, pages + k, end - k, main, old, old_n);
	}
}

/*
 * Renumbers main's siblings below one parent: a few rows, in the staged revision itself. False:
 * another writer changed main.
 */
static bool
renumber_siblings(struct sides *s, const struct point *after, const char *parent)
{
	struct point now;
	bool same_head;

	db_begin(s->db, true);
	/*
	 * The head is compared inside the write transaction, so that no merge can change main
	 * between the check and the new keys.
	 */
	same_head = sides_main(s->db, s->arena, s->main.space, &now) && now.seq == s->main.seq;
	if (same_head)
		order_renumber(s->db, s->arena, after, parent);
	db_commit(s->db);
	return same_head;
}

/* Gives main's siblings new, short keys if one became too long, and upstream's pages keys of that era. */
bool
sides_make_room(struct sides *s)
{
	struct map *done = map_new(s->arena);
	struct point after = sides_after(s);
	bool any = false;
	size_t k;

	for (k = 0; k < s->n; k++) {
		const char *parent = s->sorted[k].wanted->node.parent;
		/* Each parent is handled once, since all pages below it are renumbered together. */
		if (!map_has(s->crowded, str_of(parent)) || !map_add(done, str_of(parent), s))
			continue;
		if (!renumber_siblings(s, &after, parent))
			return false;
		any = true;
	}
	if (!any)
		return true;
	/*
	 * renumber_siblings() has begun a new era for main's siblings. Upstream's keys get new
	 * values in it: otherwise the next import would take each of them for a move.
	 */
	if (!sides_begin(s))
		return false;
	sides_carry(s, &s->main, &after, NULL, 0);
	db_rollback(s->db);
	return true;
}
