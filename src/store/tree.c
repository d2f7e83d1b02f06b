/*
 * The tree of pages, built in one pass over the nodes, with children grouped by parent and sorted
 * by order.
 */
#include <stdlib.h>

#include "store/content.h"
#include "base/sort.h"

/*
 * Compares pages by parent, then by order key, so that one sort puts all children of a page side by
 * side, in reading order.
 */
static int
compare_parents(const void *x, const void *y)
{
	const struct page *a = *(struct page *const *)x, *b = *(struct page *const *)y;
	int c = strcmp(a->node.parent, b->node.parent);

	if (c == 0)
		c = strcmp(a->node.ord, b->node.ord);
	return c != 0 ? c : strcmp(a->node.id, b->node.id);
}

/*
 * The path of a node. above: the path of its parent, "" for the root. A path of the node's own does
 * not depend on it.
 */
static const char *
join_path(struct arena *a, const char *above, const struct node *n)
{
	if (n->path != NULL)
		return n->path;
	return *above == '\0' ? n->slug : arena_printf(a, "%s/%s", above, n->slug);
}

/* Index of the first of the sorted pages with this parent; `count` if there is none. */
static size_t
first_child_index(struct page *const *sorted, size_t count, const char *parent)
{
	size_t lo = 0, hi = count;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		if (strcmp(sorted[mid]->node.parent, parent) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/*
 * Builds the tree of the pages below this id. Pages deeper than PAGE_DEPTH (`octavo check` reports
 * them) are left out, because no answer could contain them.
 */
static struct page *
build_level(struct arena *a, struct page *const *sorted, size_t count, const char *parent,
    const char *above, int depth)
{
	struct page *first = NULL, **last = &first;
	size_t i;

	if (depth == PAGE_DEPTH)
		return NULL;
	for (i = first_child_index(sorted, count, parent);
	    i < count && strcmp(sorted[i]->node.parent, parent) == 0; i++) {
		struct page *p = sorted[i];
		p->path = join_path(a, above, &p->node);
		p->first = build_level(a, sorted, count, p->node.id, p->path, depth + 1);
		*last = p;
		last = &p->next;
	}
	return first;
}

struct page *
page_tree_of(struct arena *a, const struct node *list, size_t count)
{
	struct page *pages = arena_array(a, count, sizeof(*pages));
	struct page **sorted = arena_array(a, count, sizeof(*sorted));
	size_t i;

	for (i = 0; i < count; i++) {
		pages[i].node = list[i];
		sorted[i] = &pages[i];
	}
	sort_list(sorted, count, sizeof(*sorted), compare_parents);
	return build_level(a, sorted, count, "", "", 0);
}

struct page *
page_tree(struct db *db, struct arena *a, const struct point *p, size_t *count)
{
	struct node *list = node_list(db, a, p, NODE_PAGES, count);

	return page_tree_of(a, list, *count);
}

/* Runs one query for each page: for one section of a large space that is less work than reading all pages. */
static struct page *
read_subtree(struct db *db, struct arena *a, const struct point *p, const struct node *n,
    const char *path, int depth)
{
	struct page *page = arena_alloc(a, sizeof(*page)), **last = &page->first;
	struct node *below;
	size_t count, i;

	page->node = *n;
	page->path = path;
	below = depth >= PAGE_DEPTH - 1 ? NULL : node_children(db, a, p, n->id, &count);
	for (i = 0; below != NULL && i < count; i++) {
		*last = read_subtree(db, a, p, &below[i], join_path(a, path, &below[i]), depth + 1);
		last = &(*last)->next;
	}
	return page;
}

struct page *
page_subtree(struct db *db, struct arena *a, const struct point *p, const struct node *n)
{
	return read_subtree(db, a, p, n, page_path(db, a, p, n), 0);
}

/* ---- checking a tree ---- */

/* Follows the parents up to the root. False: *fault says what is wrong on the way. */
static bool
check_ancestors(struct db *db, struct arena *a, const struct point *p, const struct node *n, int *levels,
    const char **fault, const char **other)
{
	const char *id = n->parent;
	struct node up;

	for (*levels = 0; *id != '\0'; ++*levels) {
		/* A cycle above n that does not contain n is found only by the number of levels. */
		if (strcmp(id, n->id) == 0 || *levels > PAGE_DEPTH * 2) {
			*fault = "cycle";
			return false;
		}
		if (!node_get(db, a, p, id, &up) || !(up.kind & NODE_PAGES)) {
			/* Further up, the fault belongs to the page there: false without a fault of this one. */
			*fault = *levels == 0 ? "parent" : NULL;
			*other = *levels == 0 ? id : NULL;
			return false;
		}
		id = up.parent;
	}
	return true;
}

/* True if there are more than `levels` levels below the page. */
static bool
has_more_levels_than(struct db *db, struct arena *a, const struct point *p, const char *id, int levels)
{
	size_t n, i;
	struct node *list = node_children(db, a, p, id, &n);

	for (i = 0; i < n; i++)
		if (levels <= 0 || has_more_levels_than(db, a, p, list[i].id, levels - 1))
			return true;
	return false;
}

/* True if parent, slug and own path are equal, and so the address, unless that of an ancestor changed. */
static bool
same_path(const struct node *x, const struct node *y)
{
	return strcmp(x->parent, y->parent) == 0 && strcmp(x->slug, y->slug) == 0 &&
	    (x->path == y->path || (x->path != NULL && y->path != NULL && strcmp(x->path, y->path) == 0));
}

const char *
tree_fault(struct db *db, struct arena *a, const struct point *was, const struct point *p,
    const struct node *n, const char **other)
{
	const char *fault = NULL;
	struct node before, taken;
	bool existed_before = was != NULL && node_get(db, a, was, n->id, &before);
	int levels;

	*other = NULL;
	if (!check_ancestors(db, a, p, n, &levels, &fault, other))
		return fault;
	/*
	 * Pages below are checked only if the page has a new parent: otherwise their depth is
	 * unchanged.
	 */
	if (levels >= PAGE_DEPTH || (existed_before && strcmp(before.parent, n->parent) != 0 &&
	    has_more_levels_than(db, a, p, n->id, PAGE_DEPTH - 1 - levels)))
		return "depth";
	/* The address of a link is elsewhere, so it occupies no path. */
	if (n->kind == NODE_LINK)
		return NULL;
	/* Addresses below it are checked only if its own address may have changed; a new page has nothing below it. */
	if (!page_taken(db, a, p, n, &taken) &&
	    (!existed_before || same_path(&before, n) || !page_taken_below(db, a, p, n, &taken)))
		return NULL;
	*other = taken.id;
	return "path";
}
