/*
 * Reusable texts: files of includes folders, and any other file of the repository that a page
 * includes, which is read when the first page names it. Contract: import_plan.h.
 */
#include <string.h>

#include "base/mapped.h"
#include "import_plan.h"
#include "base/secret.h"
#include "store/include.h"

void
include_take(struct item *i)
{
	i->wanted->node.title = i->include->title;
	i->wanted->node.front = i->include->front;
	i->wanted->body = i->include->body.p != NULL ? i->include->body : STR("");
	i->body_line = i->include->body_line;
}

const char *
include_read(struct plan *p, struct item *i)
{
	const char *why;

	if (i->include->body.p != NULL)
		return NULL;
	if ((why = layout_include_read(p->layout, i->include)) == NULL)
		include_take(i);
	return why;
}

/* True if neither the page nor an ancestor has a visibility condition. */
static bool
is_unconditional(const struct layout_page *page)
{
	for (; page != NULL; page = page->parent)
		if (strstr(page->props, "\"condition\"") != NULL)
			return false;
	return true;
}

/* The item that a spelling includes; NULL: none, and the reason is set. */
static struct item *
find_included(struct plan *p, const struct item *i, struct str spelling, const char **why)
{
	struct layout_target t;
	struct layout_found hit = plan_look_up(p, p->batch, i, spelling, USE_INCLUDE, &t);
	struct item *item;

	*why = NULL;
	if (hit.page != NULL && !is_unconditional(hit.page)) {
		*why = "the page has a condition, and others would see it";
		return NULL;
	}
	if (hit.page != NULL)
		return hit.page->own;
	if (hit.include != NULL) {
		item = hit.include->own;
		return (*why = include_read(p, item)) == NULL ? item : NULL;
	}
	*why = t.kind == TARGET_URL || t.kind == TARGET_SPACE ? "it is an address; only files of the repository are" :
	    hit.file == NULL ? "there is no such file in the repository" :
	    "it is no Markdown, HTML or plain text, or the table of contents";
	return NULL;
}

void
includes_report(struct plan *p, struct item *i, const struct doc_link *links)
{
	struct include_link **last = &i->includes;
	const struct doc_link *l;
	struct item *target;
	const char *why;
	size_t line;

	for (l = links; l != NULL; l = l->next) {
		if (l->use != USE_INCLUDE)
			continue;
		line = l->line == 0 ? 0 : i->body_line + l->line - 1;
		if ((target = find_included(p, i, l->spelling, &why)) == NULL) {
			if (p->not_included != NULL)
				p->not_included(p->ctx, i->wanted->node.git_path, line, l->spelling, why);
			continue;
		}
		*last = arena_alloc(p->arena, sizeof(**last));
		**last = (struct include_link){ NULL, target,
			{ arena_strndup(p->arena, l->spelling.p, l->spelling.n), l->spelling.n }, line };
		last = &(*last)->next;
	}
}

/* ---- for the index ---- */

struct insertion {
	struct plan  *plan;
	struct arena *arena;
};

/* Like content_to_include(), which works on the rows. */
static bool
get_item(void *ctx, const char *id, bool bytes, struct include_text *out)
{
	struct plan *p = ((struct insertion *)ctx)->plan;
	struct arena *a = ((struct insertion *)ctx)->arena;
	struct item *i = map_get(p->by_id, str_of(id));
	struct str refs = STR("");

	*out = (struct include_text){ .body = STR("") };
	if (i == NULL || (i->page != NULL && !is_unconditional(i->page)))
		return false;
	out->body = plan_body(p, a, i);
	/* An empty body has no blob. */
	out->hash = out->body.n == 0 ? STR("") : hash_of(a, out->body);
	if (i->wanted->node.refs.n > 0)
		p->stored(p->ctx, a, i->wanted->node.refs, &refs);
	out->map = link_map_read(a, refs);
	(void)bytes;
	return true;
}

static void
index_ids(struct plan *p)
{
	size_t k;

	if (p->by_id != NULL)
		return;
	p->by_id = map_new(p->arena);
	for (k = 0; k < p->count; k++, mapped_trim())
		if (p->items[k].used && (p->items[k].wanted->node.kind & (NODE_DOCUMENT | NODE_REUSABLE)))
			map_add(p->by_id, str_of(p->items[k].wanted->node.id), &p->items[k]);
}

void
includes_insert(struct plan *p, struct arena *a, const struct item *i, struct search_source *out)
{
	struct insertion into = { p, a };
	struct include_source s = { .get = get_item, .ctx = &into };
	struct str refs = STR("");
	struct link_map map;

	index_ids(p);
	p->stored(p->ctx, a, i->wanted->node.refs, &refs);
	map = link_map_read(a, refs);
	*out = (struct search_source){ .node = &i->wanted->node };
	out->body = include_body(a, &s, i->wanted->node.id, plan_body(p, a, i), &map);
	out->included = include_key(a, &s, i->wanted->node.id, &map);
}

/* ---- cycles and depth ---- */

/*
 * LEVELS: nesting that is shown (src/store/dereference.c), counting the page. LOOKED_INTO: depth at
 * which the search for cycles stops.
 */
enum { LEVELS = 8, LOOKED_INTO = 200 };

static void
refuse_include(struct plan *p, const struct item *i, const struct include_link *n, const char *why)
{
	if (p->not_included != NULL)
		p->not_included(p->ctx, i->wanted->node.git_path, n->line, n->spelling, why);
}

/* Levels of nested includes below an item, counting the item. */
static int
count_levels(struct plan *p, struct item *i, int depth)
{
	const struct include_link *n;
	int below, most = 0;

	if (i->levels != 0 || depth > LOOKED_INTO)
		return i->levels != 0 ? i->levels : LOOKED_INTO;
	i->open = true;
	for (n = i->includes; n != NULL; n = n->next) {
		if (n->item->open) {
			refuse_include(p, i, n, "it includes what includes it");
			continue;
		}
		below = count_levels(p, n->item, depth + 1);
		most = below > most ? below : most;
		if (below == LEVELS)
			refuse_include(p, i, n, "it includes others over more than 8 levels");
	}
	i->open = false;
	return i->levels = most + 1;
}

void
includes_report_nested(struct plan *p)
{
	size_t k;

	for (k = 0; k < p->count; k++, mapped_trim())
		if (p->items[k].includes != NULL)
			count_levels(p, &p->items[k], 0);
}
