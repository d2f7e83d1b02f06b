/*
 * Trees of pages that a program keeps from request to request: a revision never changes, and
 * reading its tree is most of what a page of a site costs. Contract: visit/visit.h.
 *
 * A request gets a copy of the tree whose texts are those that are kept. Nothing is given up
 * while a request may use it: only visit_trees_end() does that.
 */
#include "parts.h"

/*
 * At most TREES trees of TREE_BYTES stay in a process; BUILD_BYTES bounds what one may take
 * while it is read.
 */
enum { TREES = 8, TREE_BYTES = 4 << 20, BUILD_BYTES = 1 << 30 };

struct kept_tree {
	struct arena *arena;      /* NULL: this place is free */
	const char   *revision;   /* NULL: not read to its end */
	struct page  *tree;
	uint64_t      used;
};

static struct kept_tree trees[TREES];
static bool keeping;
/* Counts uses; the smallest `used` is the least recently used tree. */
static uint64_t clock_of_use;

void
visit_trees_begin(void)
{
	keeping = true;
}

static void
give_up(struct kept_tree *t)
{
	arena_free(t->arena);
	*t = (struct kept_tree){ 0 };
}

/* What is too large or was not read to its end goes, and one of the others where no place is free. */
void
visit_trees_end(void)
{
	struct kept_tree *t, *oldest = NULL;
	bool room = false;

	for (t = trees; t < trees + TREES; t++) {
		if (t->arena != NULL && (t->revision == NULL || arena_used(t->arena) > TREE_BYTES))
			give_up(t);
		room = room || t->arena == NULL;
		if (oldest == NULL || t->used < oldest->used)
			oldest = t;
	}
	if (!room)
		give_up(oldest);
	keeping = false;
}

/* Pages are copied, since visit_prune() changes the tree; their texts are shared. */
static struct page *
copied(struct arena *a, const struct page *p)
{
	struct page *first = NULL, **last = &first;

	for (; p != NULL; p = p->next) {
		*last = arena_alloc(a, sizeof(**last));
		**last = *p;
		(*last)->first = copied(a, p->first);
		last = &(*last)->next;
	}
	*last = NULL;
	return first;
}

struct page *
tree_at(const struct visit *v, const struct point *at)
{
	struct kept_tree *t, *place = NULL;
	size_t count;

	for (t = trees; keeping && t < trees + TREES; t++) {
		if (t->revision != NULL && strcmp(t->revision, at->revision) == 0) {
			t->used = ++clock_of_use;
			return copied(v->arena, t->tree);
		}
		place = t->arena == NULL ? t : place;
	}
	if (place == NULL)
		return page_tree(v->db, v->arena, at, &count);
	place->arena = arena_new(BUILD_BYTES);
	place->tree = page_tree(v->db, place->arena, at, &count);
	/*
	 * Set last: a tree whose reading was cut short is not taken for whole, and goes in
	 * visit_trees_end().
	 */
	place->revision = arena_strdup(place->arena, at->revision);
	place->used = ++clock_of_use;
	return copied(v->arena, place->tree);
}
