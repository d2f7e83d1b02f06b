/*
 * Trees of pages that a program keeps from request to request: a revision never changes, and
 * reading its tree is most of what a page of a site costs. Contract: visit/visit.h.
 *
 * Where no page has a condition and none is computed, everybody sees the same pages: then the tree
 * itself is what a request gets, with what it looks up in it. Else it gets a copy whose texts are
 * those that are kept. Nothing is given up while a request may use it: only visit_trees_end() does
 * that.
 */
#include "base/map.h"
#include "parts.h"

/*
 * At most TREES trees of TREE_BYTES stay in a process; BUILD_BYTES bounds what one may take
 * while it is read.
 */
enum { TREES = 8, TREE_BYTES = 4 << 20, BUILD_BYTES = 1 << 30 };

struct kept_tree {
	struct arena       *arena;      /* NULL: this place is free */
	const char         *revision;   /* NULL: not read to its end */
	struct page        *tree;
	struct visit_pages *pages;      /* of those whom nothing is hidden from; NULL: it depends on who asks */
	uint64_t            used;
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

/* ---- what is looked up in a tree ---- */

static void
note(struct arena *a, struct visit_pages *in, struct page *p, bool listed, size_t *room)
{
	for (; p != NULL; p = p->next) {
		/* What is below a hidden page is in no list either. */
		bool here = listed && !visit_page_hidden(p);
		map_add(in->by_id, str_of(p->node.id), p);
		if (here && p->node.kind == NODE_DOCUMENT) {
			in->order = arena_grow(a, in->order, in->count, room, sizeof(*in->order));
			in->order[in->count++] = p;
		}
		note(a, in, p->first, here, room);
	}
}

static struct visit_pages *
noted(struct arena *a, struct page *tree)
{
	struct visit_pages *in = arena_alloc(a, sizeof(*in));
	size_t room = 0;

	in->tree = tree;
	in->by_id = map_new(a);
	note(a, in, tree, true, &room);
	return in;
}

/* Nothing in it depends on who asks: visit_prune() and computed_expand() would leave it as it is. */
static bool
plain(const struct page *p)
{
	for (; p != NULL; p = p->next)
		if (p->node.kind == NODE_COMPUTED || visit_has_condition(&p->node) || !plain(p->first))
			return false;
	return true;
}

/* ---- by revision ---- */

/* NULL: not kept, and there is no place for one more. */
static struct kept_tree *
kept(const struct visit *v, const struct point *at)
{
	struct kept_tree *t, *place = NULL;
	size_t count;

	for (t = trees; keeping && t < trees + TREES; t++) {
		if (t->revision != NULL && strcmp(t->revision, at->revision) == 0) {
			t->used = ++clock_of_use;
			return t;
		}
		place = t->arena == NULL ? t : place;
	}
	if (place == NULL)
		return NULL;
	place->arena = arena_new(BUILD_BYTES);
	place->tree = page_tree(v->db, place->arena, at, &count);
	place->pages = plain(place->tree) ? noted(place->arena, place->tree) : NULL;
	/*
	 * Set last: a tree whose reading was cut short is not taken for whole, and goes in
	 * visit_trees_end().
	 */
	place->revision = arena_strdup(place->arena, at->revision);
	place->used = ++clock_of_use;
	return place;
}

const struct page *
tree_at(const struct visit *v, const struct point *at)
{
	const struct kept_tree *t = kept(v, at);
	size_t count;

	return t != NULL ? t->tree : page_tree(v->db, v->arena, at, &count);
}

static struct page *
tree_for(const struct visit *v, const struct point *at, const struct kept_tree *t)
{
	size_t count;
	struct page *tree = t != NULL ? copied(v->arena, t->tree) : page_tree(v->db, v->arena, at, &count);

	visit_prune(v, at, &tree);
	/* After the conditions: a computed page that is hidden is not expanded. */
	return computed_expand(v->db, v->arena, at, tree);
}

struct page *
visit_tree(const struct visit *v, const struct visit_item *space)
{
	const struct kept_tree *t = kept(v, &space->point);

	return t != NULL && t->pages != NULL ? t->tree : tree_for(v, &space->point, t);
}

const struct visit_pages *
visit_pages(const struct visit *v, const struct visit_item *space)
{
	const struct kept_tree *t = kept(v, &space->point);

	return t != NULL && t->pages != NULL ? t->pages : noted(v->arena, tree_for(v, &space->point, t));
}

const struct visit_pages *
pages_at_hand(const struct point *at)
{
	const struct kept_tree *t;

	for (t = trees; keeping && t < trees + TREES; t++)
		if (t->revision != NULL && strcmp(t->revision, at->revision) == 0)
			return t->pages;
	return NULL;
}
