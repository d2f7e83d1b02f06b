/*
 * Ways through a site: table of contents, breadcrumbs, previous and next, sections and
 * variants. All of them are links that work without script.
 *
 * The table of contents shows what a reader may want from here, not the whole tree: the
 * top, what is directly below its groups, and the branch of the current page with its
 * siblings and children. So a page stays small in a space of a thousand pages.
 */
#include "reader_parts.h"

enum { LINES = 60 };   /* that readers still look over at once: some two screens */

/* The pages above the current one, as they stand in the tree. */
struct way {
	const struct page *current, *up[PAGE_DEPTH];
	size_t             n;
};

static struct way
way_to(struct view *s, const struct page *current)
{
	struct way w = { .current = current };
	const struct page *p = current;

	while (p != NULL && *p->node.parent != '\0' && w.n < PAGE_DEPTH && (p = view_page(s, p->node.parent)) != NULL)
		w.up[w.n++] = p;
	return w;
}

static bool
is_current(const struct way *w, const struct page *p)
{
	/* By its id: a page that is hidden or computed may be another one than that of the tree. */
	return p == w->current || (w->current != NULL && strcmp(p->node.id, w->current->node.id) == 0);
}

/* Is the page itself, or something below it, the current one? */
static bool
is_on_way(const struct way *w, const struct page *p)
{
	for (size_t i = 0; i < w->n; i++)
		if (w->up[i] == p)
			return true;
	return is_current(w, p);
}

/* Is one of these siblings not hidden? */
static bool
has_seen(const struct page *p)
{
	for (; p != NULL; p = p->next)
		if (!visit_page_hidden(p))
			return true;
	return false;
}

/* The emoji of a page as UTF-8; NULL: it has none. */
static const char *
emoji_of(struct view *s, const struct page *p)
{
	const cJSON *v;

	/* Parsing the properties of each page of a large tree would cost more than all else of the page. */
	if (p->node.props == NULL || strstr(p->node.props, "\"emoji\"") == NULL)
		return NULL;
	v = cJSON_GetObjectItemCaseSensitive(page_props(p), "emoji");
	return cJSON_IsString(v) ? render_emoji(s->arena, v->valuestring) : NULL;
}

/* Where a page that is a link leads; NULL: nowhere. */
static const char *
link_href(struct view *s, const struct page *p, bool *external)
{
	struct render_env env;
	struct render_link to = { .bytes = -1 };

	view_env(s, &env);
	*external = false;
	/* By the same function as links in text, so that both lead to the same place. */
	if (!env.link(s, cJSON_GetObjectItemCaseSensitive(page_props(p), "target"), &to) || !h_url_safe(to.href))
		return NULL;
	*external = to.external;
	return to.href;
}

/* One line of the table of contents. A link page without a target that the visitor sees is text. */
static void
write_entry(struct view *s, struct html *h, const struct page *p, const struct way *way, bool open)
{
	bool external = false, here = is_current(way, p);
	const char *href = p->node.kind == NODE_LINK ? link_href(s, p, &external) : view_page_href(s, p);
	const char *emoji = emoji_of(s, p);

	if (href == NULL) {
		h_leaf(h, "span", NULL, page_label(s, p));
		return;
	}
	h_open(h, "a");
	h_url(h, "href", href);
	h_attr(h, "aria-current", here ? "page" : NULL);
	h_attr(h, "class", p->node.kind != NODE_LINK && has_seen(p->first) ? open ? "open" : "more" : external ? "out" : NULL);
	if (emoji != NULL)
		h_text(h, arena_printf(s->arena, "%s ", emoji));
	else
		icon_shown(s, h, page_icon(p));
	h_text(h, page_label(s, p));
	h_close(h);
}

/* The contents that are being written. */
struct contents {
	struct view       *s;
	struct html       *h;
	const struct way  *way;       /* to the current page */
	bool               fold;      /* groups open one by one */
};

/* What stands there whatever the current page is: the top, and what is directly below its groups. */
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
 * A group has no page to open it from: what is in it is always there, in a long table of contents
 * below its name, which opens it without script.
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

/* A list of siblings, with what is shown below each (see above). */
static void
write_branch(struct contents *c, const struct page *p, int depth)
{
	struct html *h = c->h;
	bool some = false;

	/* No empty lists; and HTML_DEPTH bounds how deep elements may nest. */
	if (!has_seen(p) || depth > 20)
		return;
	for (; p != NULL; p = p->next) {
		/* Only the branch of the current page is unfolded below pages. */
		bool on_way = is_on_way(c->way, p);
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
	const struct way way = way_to(s, current);
	struct contents c = { .s = s, .h = h, .way = &way, .fold = count_lines(tree) > LINES };

	write_branch(&c, tree, 0);
}

void
nav_crumbs(struct view *s, struct html *h, const struct page *current)
{
	const struct way way = way_to(s, current);
	const struct page *up;

	if (way.n == 0)
		return;
	h_el(h, "nav", "class", "crumbs", "aria-label", say_in(s, TEXT_BREADCRUMBS), NULL);
	h_open(h, "ol");
	/* Collected from the page up, written from the top down. */
	for (size_t i = way.n; i > 0; i--) {
		up = way.up[i - 1];
		h_open(h, "li");
		/* Groups have no page of their own. */
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

/* A link to the page before or after, told to browsers by rel as well. */
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

	/* Fills s->pages. */
	view_tree(s);
	for (size_t i = 0; current != NULL && i < s->pages->count; i++)
		/* The page itself: one that is hidden is in no order. */
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

/* Is the current section this one, or somewhere in this group? */
static bool
is_within(const struct visit_item *item, const struct visit_item *current)
{
	for (; current != NULL; current = current->up)
		if (current == item)
			return true;
	return false;
}

/* A link to the default site space of a section. */
static void
section_link(struct view *s, struct html *h, const struct visit_item *it)
{
	h_open(h, "a");
	h_url(h, "href", view_local(s, it->address));
	h_attr(h, "aria-current", is_within(it, s->v.section) ? "true" : NULL);
	icon_shown(s, h, it->icon);
	h_text(h, it->title);
	h_close(h);
}

/* Groups open by <details>, without script. */
static void
section_list(struct view *s, struct html *h, const struct visit_item *list, int depth)
{
	h_open(h, "ul");
	for (; list != NULL; list = list->next) {
		h_open(h, "li");
		if (list->kind == VISIT_SECTION) {
			section_link(s, h, list);
		/* Groups nest as deep as people like; elements do not (HTML_DEPTH). */
		} else if (list->kind == VISIT_GROUP && depth < 10) {
			h_open(h, "details");
			h_el(h, "summary", "class", is_within(list, s->v.section) ? "here" : NULL, NULL);
			icon_shown(s, h, list->icon);
			h_text(h, list->title);
			h_close(h);
			section_list(s, h, list->first, depth + 1);
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
	section_list(s, h, first, 0);
	h_close(h);
}

/* The other site spaces of this section (versions, languages), where there are several. */
void
nav_variants(struct view *s, struct html *h)
{
	const struct visit_item *it = s->v.section != NULL ? s->v.section->first : s->v.site.sections ? NULL :
	    s->v.site.first;

	if (it == NULL || it->next == NULL || s->v.space == NULL)
		return;
	h_el(h, "details", "class", "variants", NULL);
	h_open(h, "summary");
	h_leaf(h, "span", "sr", arena_printf(s->arena, "%s: ", say_in(s, TEXT_VARIANTS)));
	h_text(h, s->v.space->title);
	h_close(h);
	h_open(h, "ul");
	for (; it != NULL; it = it->next) {
		h_open(h, "li");
		h_open(h, "a");
		h_url(h, "href", view_local(s, it->address));
		/* The title of a translation is in its own language (WCAG 3.1.2). */
		h_attr(h, "lang", it->language);
		h_attr(h, "aria-current", it == s->v.space ? "true" : NULL);
		h_text(h, it->title);
		h_close(h);
		h_close(h);
	}
	h_close(h);
	h_close(h);
}
