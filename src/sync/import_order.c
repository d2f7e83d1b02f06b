/* Assigns order keys to the pages of an import. Contract: import_plan.h. */
#include "base/mapped.h"
#include "import_plan.h"
#include "store/order.h"

/* Gives list[from] to list[to - 1] new keys between two existing keys. */
static void
order_between(struct arena *a, struct item **list, size_t from, size_t to, const char *lo, const char *hi)
{
	char **keys = order_key_fill(a, lo, hi, to - from);
	size_t k;

	for (k = from; k < to; k++)
		list[k]->wanted->node.ord = keys[k - from];
}

/*
 * Siblings keep their old keys where these are in order already: as many of them as possible. The
 * others get new keys in between.
 */
static void
order_siblings(struct arena *a, struct item **list, size_t n)
{
	const char **old = arena_array(a, n, sizeof(*old)), *lo = "";
	bool *keep = arena_array(a, n, sizeof(*keep));
	size_t k, from = 0;

	for (k = 0; k < n; k++)
		/* A node that was not in the page tree has no key to keep. */
		old[k] = list[k]->old == NULL || *list[k]->old->ord == '\0' ? NULL : list[k]->old->ord;
	order_key_rising(a, old, n, keep);
	for (k = 0; k < n; k++) {
		if (!keep[k])
			continue;
		list[k]->wanted->node.ord = list[k]->old->ord;
		order_between(a, list, from, k, lo, list[k]->old->ord);
		lo = list[k]->old->ord;
		from = k + 1;
	}
	order_between(a, list, from, n, lo, "");
}

void
plan_order(struct plan *p, struct item *parent)
{
	struct item **list, *i;
	size_t n = 0, k;

	if (parent != NULL) {
		for (i = parent->first; i != NULL; i = i->next, mapped_trim())
			n++;
	} else {
		for (k = 0; k < p->count; k++, mapped_trim())
			n += p->items[k].page != NULL && p->items[k].parent == NULL;
	}
	list = arena_array(p->arena, n, sizeof(*list));
	n = 0;
	if (parent != NULL) {
		for (i = parent->first; i != NULL; i = i->next, mapped_trim())
			list[n++] = i;
	} else {
		for (k = 0; k < p->count; k++, mapped_trim())
			if (p->items[k].page != NULL && p->items[k].parent == NULL)
				list[n++] = &p->items[k];
	}
	order_siblings(p->arena, list, n);
}
