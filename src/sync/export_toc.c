/* The table of contents: lists the old and the new entries; layout/write.h edits the text. */
#include <cjson/cJSON.h>
#include <string.h>

#include "export_parts.h"

/* The table of contents of one point, flat and in reading order; parent is an index into items. */
struct toc_list {
	struct export_ctx *x;
	const struct point *point;
	bool              after;
	struct toc_item  *items;
	const struct node **nodes;
	size_t            n;
	struct map       *at;       /* id -> &items[i] */
};

static const cJSON *
get_prop(const cJSON *props, const char *name)
{
	return cJSON_GetObjectItemCaseSensitive(props, name);
}

static enum layout_kind
layout_kind_of(enum node_kind k)
{
	return k == NODE_GROUP ? LAYOUT_GROUP : k == NODE_LINK ? LAYOUT_LINK :
	    k == NODE_COMPUTED ? LAYOUT_COMPUTED : LAYOUT_DOCUMENT;
}

/* The target of a link page, as the table of contents spells it. */
static const char *
link_target(struct export_ctx *x, const cJSON *target)
{
	const char *kind = cJSON_GetStringValue(get_prop(target, "kind")), *id, *path = NULL;
	const char *anchor = cJSON_GetStringValue(get_prop(target, "anchor"));
	const char *space = cJSON_GetStringValue(get_prop(target, "space"));
	struct node n;

	if (kind == NULL)
		return NULL;
	if (strcmp(kind, "url") == 0)
		return cJSON_GetStringValue(get_prop(target, "url"));
	if (space != NULL)
		/* Another space has no path in this repository, so its address is written. */
		return arena_printf(x->arena, "https://app.gitbook.com/s/%s", space);
	id = cJSON_GetStringValue(get_prop(target, strcmp(kind, "file") == 0 ? "file" : "page"));
	if (id != NULL && node_get(x->db, x->arena, &x->step->after, id, &n))
		path = export_path(x, &n);
	if (path == NULL)
		return id == NULL ? NULL : arena_printf(x->arena, "/broken/pages/%s", id);
	path = path_between(x->arena, x->summary, path);
	return anchor == NULL ? path : arena_printf(x->arena, "%s#%s", path, anchor);
}

static const char *
target_spelling(struct toc_list *l, const struct node *n, const cJSON *props)
{
	const char *path;

	if (n->kind == NODE_LINK)
		return link_target(l->x, get_prop(props, "target"));
	if (n->kind != NODE_DOCUMENT)
		return NULL;
	/*
	 * In the old list, use the page's path in the repository before this export. With its new
	 * path in both lists, the line of a moved page would seem unchanged.
	 */
	path = l->after ? export_path(l->x, n) : export_old_path(l->x, n);
	return path == NULL ? NULL : path_between(l->x->arena, l->x->summary, path);
}

/*
 * Adds a page and its descendants; the arrays have room for the whole tree. The recursion is as
 * deep as the tree, at most PAGE_DEPTH.
 */
static void
add_page(struct toc_list *l, const struct page *p, ptrdiff_t parent)
{
	const cJSON *props = cJSON_Parse(p->node.props), *computed = get_prop(props, "computed");
	const char *source = cJSON_GetStringValue(get_prop(props, "summary"));
	struct toc_item *i = &l->items[l->n];
	size_t at = l->n;

	*i = (struct toc_item){ .kind = layout_kind_of(p->node.kind), .title = export_title(l->x->arena, &p->node),
		.link_title = cJSON_GetStringValue(get_prop(props, "linkTitle")), .slug = p->node.slug, .parent = parent,
		.was = -1, .target = target_spelling(l, &p->node, props), .source = str_of(source),
		.json = computed == NULL ? NULL : cJSON_PrintUnformatted(computed) };
	l->nodes[l->n++] = &p->node;
	map_add(l->at, str_of(p->node.id), i);
	for (p = p->first; p != NULL; p = p->next)
		add_page(l, p, (ptrdiff_t)at);
}

static void
list_pages(struct toc_list *l, struct export_ctx *x, const struct point *point, bool after)
{
	struct page *p;
	size_t n;

	*l = (struct toc_list){ .x = x, .point = point, .after = after, .at = map_new(x->arena) };
	/* Without a point the list stays empty, because the repository contains nothing yet. */
	if (point->branch == 0)
		return;
	p = page_tree(x->db, x->arena, point, &n);
	l->items = arena_array(x->arena, n + 1, sizeof(*l->items));
	l->nodes = arena_array(x->arena, n + 1, sizeof(*l->nodes));
	for (; p != NULL; p = p->next)
		add_page(l, p, -1);
}

/* True if the entry's line does not change. */
static bool
same_line(const struct toc_list *held, const struct toc_list *want, size_t h, size_t w)
{
	const struct toc_item *x = &held->items[h], *y = &want->items[w];

	if (x->kind != y->kind || strcmp(x->title, y->title) != 0 || !same_text(x->link_title, y->link_title))
		return false;
	if (x->kind == LAYOUT_GROUP)
		return strcmp(x->slug, y->slug) == 0;
	if (x->kind == LAYOUT_LINK)
		/*
		 * Compare the stored reference as well as its spelling: two pages may have had the
		 * same path one after the other.
		 */
		return same_text(cJSON_PrintUnformatted(get_prop(cJSON_Parse(held->nodes[h]->props), "target")),
		    cJSON_PrintUnformatted(get_prop(cJSON_Parse(want->nodes[w]->props), "target"))) &&
		    same_text(x->target, y->target);
	return same_text(x->json, y->json) && same_text(x->target, y->target);
}

/*
 * Pairs old and new entries by id. Compares the two lists, not the list with the file: a line of the
 * file may lack properties that the import derived, and must then stay as it is.
 */
static void
match_items(struct toc_list *held, struct toc_list *want)
{
	size_t i, h;

	for (i = 0; i < want->n; i++) {
		const struct toc_item *hit = map_get(held->at, str_of(want->nodes[i]->id));
		if (hit == NULL)
			continue;
		h = (size_t)(hit - held->items);
		want->items[i].was = (ptrdiff_t)h;
		want->items[i].same = same_line(held, want, h, i);
	}
}

/*
 * Edits the text of the file: unchanged entries stay byte for byte, with the text that people wrote
 * between them.
 */
void
export_toc(struct export_ctx *x)
{
	struct point none = { 0 };
	struct toc_list held, want;
	struct str text;

	list_pages(&held, x, x->step->whole ? &none : &x->step->in_tree, false);
	list_pages(&want, x, &x->step->after, true);
	match_items(&held, &want);
	export_read_text(x, x->summary, &text);
	export_write_text(x, x->summary, x->summary, toc_write(x->arena, text, held.items, held.n, want.items, want.n));
}
