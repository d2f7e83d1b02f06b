/*
 * Navigation: table of contents, breadcrumbs, previous and next, sections and variants. All of it
 * is links that work without script.
 *
 * The table of contents is not the whole tree: it shows the top, the level below its groups, and
 * the branch of the current page with its siblings and children. So a page stays small in a space
 * of a thousand pages.
 */
#include "reader_parts.h"

enum {
	LINES = 60,       /* number of entries that readers can scan, about two screens */
	VARIANTS = 60     /* maximum number of variants in which the page is looked up */
};

/* Ancestors of the current page in the tree. */
struct crumb_path {
	const struct page *current, *up[PAGE_DEPTH];
	size_t             n;
};

/* The ancestors of the current page, nearest first; a page without a parent has none. */
static struct crumb_path
find_ancestors(struct view *s, const struct page *current)
{
	struct crumb_path w = { .current = current };
	const struct page *p = current;

	while (p != NULL && *p->node.parent != '\0' && w.n < PAGE_DEPTH && (p = view_page(s, p->node.parent)) != NULL)
		w.up[w.n++] = p;
	return w;
}

static bool
is_current(const struct crumb_path *w, const struct page *p)
{
	/* Compare ids: a hidden or computed page may be another object than the one in the tree. */
	return p == w->current || (w->current != NULL && strcmp(p->node.id, w->current->node.id) == 0);
}

/* True if the page is the current one or its ancestor. */
static bool
is_on_path(const struct crumb_path *w, const struct page *p)
{
	for (size_t i = 0; i < w->n; i++)
		if (w->up[i] == p)
			return true;
	return is_current(w, p);
}

/* True if one of the siblings is not hidden. */
static bool
any_shown(const struct page *p)
{
	for (; p != NULL; p = p->next)
		if (!visit_page_hidden(p))
			return true;
	return false;
}

/* Emoji of a page as UTF-8; NULL: none. */
static const char *
page_emoji(struct view *s, const struct page *p)
{
	const cJSON *v;

	/*
	 * Test the text first: parsing the properties of every page of a large tree would dominate
	 * the time.
	 */
	if (p->node.props == NULL || strstr(p->node.props, "\"emoji\"") == NULL)
		return NULL;
	v = cJSON_GetObjectItemCaseSensitive(page_props(p), "emoji");
	return cJSON_IsString(v) ? render_emoji(s->arena, v->valuestring) : NULL;
}

/* Target of a link page; NULL: none. */
static const char *
link_href(struct view *s, const struct page *p, bool *external)
{
	struct render_env env;
	struct render_link to = { .bytes = -1 };

	view_env(s, &env);
	*external = false;
	/* Use the function for links in text, so that both give the same address. */
	if (!env.link(s, cJSON_GetObjectItemCaseSensitive(page_props(p), "target"), &to) || !h_url_safe(to.href))
		return NULL;
	*external = to.external;
	return to.href;
}

/*
 * Writes the HTTP method of an operation before its title, as a word: colours alone are not
 * accessible.
 */
static void
write_method(struct view *s, struct html *h, const char *method)
{
	/* DELETE becomes DEL: the methods form a narrow column before the titles. */
	size_t n = strlen(method) > 5 ? 3 : strlen(method), i;
	char upper[6];

	for (i = 0; i < n; i++)
		upper[i] = (char)(method[i] >= 'a' && method[i] <= 'z' ? method[i] - 32 : method[i]);
	upper[i] = '\0';
	h_leaf(h, "span", arena_printf(s->arena, "verb %s", method), upper);
}

/*
 * Writes an entry of the table of contents: a link, or only text for a link page whose target the
 * visitor does not see.
 */
static void
write_entry(struct view *s, struct html *h, const struct page *p, const struct crumb_path *way, bool open)
{
	bool external = false, here = is_current(way, p);
	const char *href = p->node.kind == NODE_LINK ? link_href(s, p, &external) : view_page_href(s, p);
	const char *emoji = page_emoji(s, p);

	if (href == NULL) {
		h_leaf(h, "span", NULL, page_label(s, p));
		return;
	}
	h_open(h, "a");
	h_url(h, "href", href);
	h_attr(h, "aria-current", here ? "page" : NULL);
	h_attr(h, "class", p->node.kind != NODE_LINK && any_shown(p->first) ? open ? "open" : "more" : external ? "out" : NULL);
	if (page_method(p) != NULL)
		write_method(s, h, page_method(p));
	else if (emoji != NULL)
		h_text(h, arena_printf(s->arena, "%s ", emoji));
	else
		icon_shown(s, h, page_icon(p));
	h_text(h, page_label(s, p));
	h_close(h);
}

/* State while the table of contents is written. */
struct contents {
	struct view       *s;
	struct html       *h;
	const struct crumb_path  *way;       /* path to the current page */
	bool               fold;      /* groups can be opened one by one */
};

/* Number of entries that every page shows: the top, and the level below its groups. */
static size_t
count_lines(const struct page *p)
{
	size_t n = 0;

	for (; p != NULL; p = p->next)
		if (!visit_page_hidden(p))
			n += p->node.kind == NODE_GROUP ? 1 + count_lines(p->first) : 1;
	return n;
}

static void write_branch(struct contents *c, const struct page *p, int depth);

/*
 * A group has no page, so its content is always in the table; in a long table it is folded below
 * the name, which opens it without script.
 */
static void
write_group(struct contents *c, const struct page *p, bool on_way, int depth)
{
	struct html *h = c->h;

	if (c->fold) {
		h_open(h, "details");
		if (on_way)
			h_flag(h, "open");
	}
	h_el(h, c->fold ? "summary" : "span", "class", "group", NULL);
	icon_shown(c->s, h, page_icon(p));
	h_text(h, page_label(c->s, p));
	h_close(h);
	write_branch(c, p->first, depth + 1);
	if (c->fold)
		h_close(h);
}

/*
 * Writes a list of siblings with the children that are shown: those of groups, and those of pages
 * on the path to the current page.
 */
static void
write_branch(struct contents *c, const struct page *p, int depth)
{
	struct html *h = c->h;
	bool some = false;

	/* Write no empty lists; HTML_DEPTH bounds the nesting of elements. */
	if (!any_shown(p) || depth > 20)
		return;
	for (; p != NULL; p = p->next) {
		/* Below pages, only the branch of the current page is shown. */
		bool on_way = is_on_path(c->way, p);
		if (visit_page_hidden(p))
			continue;
		if (!some)
			h_open(h, "ul");
		some = true;
		h_open(h, "li");
		if (p->node.kind == NODE_GROUP) {
			write_group(c, p, on_way, depth);
		} else {
			write_entry(c->s, h, p, c->way, on_way);
			if (on_way)
				write_branch(c, p->first, depth + 1);
		}
		h_close(h);
	}
	if (some)
		h_close(h);
}

void
nav_contents(struct view *s, struct html *h, const struct page *current)
{
	const struct page *tree = view_tree(s);
	const struct crumb_path way = find_ancestors(s, current);
	struct contents c = { .s = s, .h = h, .way = &way, .fold = count_lines(tree) > LINES };

	write_branch(&c, tree, 0);
}

void
nav_crumbs(struct view *s, struct html *h, const struct page *current)
{
	const struct crumb_path way = find_ancestors(s, current);
	const struct page *up;

	if (way.n == 0)
		return;
	h_el(h, "nav", "class", "crumbs", "aria-label", say_in(s, TEXT_BREADCRUMBS), NULL);
	h_open(h, "ol");
	/* `up` lists the nearest ancestor first; readers expect the top first. */
	for (size_t i = way.n; i > 0; i--) {
		up = way.up[i - 1];
		h_open(h, "li");
		/* A group has no page to link to. */
		if (up->node.kind == NODE_DOCUMENT) {
			h_open(h, "a");
			h_url(h, "href", view_page_href(s, up));
		}
		h_text(h, page_label(s, up));
		if (up->node.kind == NODE_DOCUMENT)
			h_close(h);
		h_close(h);
	}
	h_close(h);
	h_close(h);
}

/* Writes a link to the previous or next page, with its rel for browsers. */
static void
write_neighbour(struct view *s, struct html *h, const struct page *p, const char *rel, enum text label)
{
	h_open(h, "a");
	h_attr(h, "rel", rel);
	h_url(h, "href", view_page_href(s, p));
	h_leaf(h, "span", NULL, say_in(s, label));
	h_leaf(h, "strong", NULL, page_label(s, p));
	h_close(h);
}

void
nav_around(struct view *s, struct html *h, const struct page *current)
{
	const struct page *before = NULL, *after = NULL;

	/* Sets s->pages. */
	view_tree(s);
	for (size_t i = 0; current != NULL && i < s->pages->count; i++)
		/* A hidden page is not in the order. */
		if (s->pages->order[i] == current) {
			before = i > 0 ? s->pages->order[i - 1] : NULL;
			after = i + 1 < s->pages->count ? s->pages->order[i + 1] : NULL;
		}
	if (before == NULL && after == NULL)
		return;
	h_el(h, "nav", "class", "around", "aria-label",
	    arena_printf(s->arena, "%s, %s", say_in(s, TEXT_PREVIOUS), say_in(s, TEXT_NEXT)), NULL);
	if (before != NULL)
		write_neighbour(s, h, before, "prev", TEXT_PREVIOUS);
	if (after != NULL)
		write_neighbour(s, h, after, "next", TEXT_NEXT);
	h_close(h);
}

/* ---- sections and variants ---- */

/* True if the current section is this one, or is in this group. */
static bool
is_within(const struct visit_item *item, const struct visit_item *current)
{
	for (; current != NULL; current = current->up)
		if (current == item)
			return true;
	return false;
}

/* Writes a link to the default site space of a section. */
static void
write_section_link(struct view *s, struct html *h, const struct visit_item *it)
{
	h_open(h, "a");
	h_url(h, "href", view_local(s, it->address));
	h_attr(h, "aria-current", is_within(it, s->v.section) ? "true" : NULL);
	icon_shown(s, h, it->icon);
	h_text(h, it->title);
	h_close(h);
}

/* Writes a link that the author added to the navigation; it may lead to another site. */
static void
write_external_link(struct view *s, struct html *h, const struct visit_item *it)
{
	h_open(h, "a");
	h_url(h, "href", it->address);
	h_attr(h, "title", it->description);
	icon_shown(s, h, it->icon);
	h_text(h, it->title);
	h_close(h);
}

/* Writes sections, links and groups as nested lists. A group is a <details>, which opens without script. */
static void
write_section_list(struct view *s, struct html *h, const struct visit_item *list, int depth)
{
	h_open(h, "ul");
	for (; list != NULL; list = list->next) {
		h_open(h, "li");
		if (list->kind == VISIT_SECTION) {
			write_section_link(s, h, list);
		} else if (list->kind == VISIT_LINK) {
			write_external_link(s, h, list);
		/* Groups nest without bound, but elements must not (HTML_DEPTH). */
		} else if (list->kind == VISIT_GROUP && depth < 10) {
			/* Only menus of one level exclude each other: a group within would close its parent. */
			h_el(h, "details", "class", "menu", "name", depth == 0 ? "menu" : NULL, NULL);
			h_el(h, "summary", "class", is_within(list, s->v.section) ? "here" : NULL, NULL);
			icon_shown(s, h, list->icon);
			h_text(h, list->title);
			h_close(h);
			write_section_list(s, h, list->first, depth + 1);
			h_close(h);
		}
		h_close(h);
	}
	h_close(h);
}

void
nav_sections(struct view *s, struct html *h)
{
	const struct visit_item *first = s->v.site.first;

	/* A single section is no choice. */
	if (!s->v.site.sections || first == NULL || (first->next == NULL && first->kind == VISIT_SECTION))
		return;
	h_el(h, "nav", "class", "sections", "aria-label", say_in(s, TEXT_SECTIONS), NULL);
	write_section_list(s, h, first, 0);
	h_close(h);
}

/* True if a variant besides the current one is shown. */
static bool
any_other_shown(const struct visit_item *it, const struct visit_item *current)
{
	for (; it != NULL; it = it->next)
		if (it != current && !it->hidden)
			return true;
	return false;
}

const char *
nav_same_page(struct view *s, const struct visit_item *it, const struct page *page)
{
	const char *address = NULL;
	struct computed_page *c;
	struct page p;

	if (s->twins == NULL)
		s->twins = map_new(s->arena);
	if (map_has(s->twins, str_of(it->id)))
		return map_get(s->twins, str_of(it->id));
	/*
	 * Each look-up costs some time, and that of a page of an API description, which must be
	 * expanded, costs more.
	 */
	s->twin_cost += computed_is_id(page->node.id) ? 5 : 1;
	if (s->twin_cost <= VARIANTS &&
	    (visit_page(&s->v, it, page->node.id, &p, &c) || visit_page_at(&s->v, it, page->path, &p, &c)))
		address = visit_page_address(&s->v, it, &p);
	map_add(s->twins, str_of(it->id), (void *)(uintptr_t)address);
	return address;
}

/* The address to which the switch leads for this variant. */
static const char *
variant_address(struct view *s, const struct visit_item *it, const struct page *page)
{
	const char *same = page == NULL || it == s->v.space ? NULL : nav_same_page(s, it, page);

	/* The page is in this variant, so no look-up is needed. */
	if (page != NULL && it == s->v.space)
		return visit_page_address(&s->v, it, page);
	return same != NULL ? same : it->address;
}

static const struct visit_item *
first_variant(const struct view *s)
{
	return s->v.section != NULL ? s->v.section->first : s->v.site.sections ? NULL : s->v.site.first;
}

bool
nav_has_variants(const struct view *s)
{
	return s->v.space != NULL && any_other_shown(first_variant(s), s->v.space);
}

void
nav_variants(struct view *s, struct html *h, const struct page *page)
{
	const struct visit_item *it = first_variant(s);

	if (!nav_has_variants(s))
		return;
	h_el(h, "nav", "class", "variants", "aria-label", say_in(s, TEXT_VARIANTS), NULL);
	h_el(h, "details", "class", "menu", "name", "menu", NULL);
	h_leaf(h, "summary", NULL, s->v.space->title);
	h_open(h, "ul");
	for (; it != NULL; it = it->next) {
		if (it->hidden && it != s->v.space)
			continue;
		h_open(h, "li");
		h_open(h, "a");
		h_url(h, "href", view_local(s, variant_address(s, it, page)));
		/* A translation's title is in its own language (WCAG 3.1.2). */
		h_attr(h, "lang", it->language);
		h_attr(h, "hreflang", it->language);
		h_attr(h, "aria-current", it == s->v.space ? "true" : NULL);
		h_text(h, it->title);
		h_close(h);
		h_close(h);
	}
	h_close_to(h, h->depth - 3);
}
