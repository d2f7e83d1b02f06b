/*
 * Ways through a site: table of contents, breadcrumbs, previous and next, sections and
 * variants. All of them are links that work without script.
 *
 * The table of contents shows what a reader may want from here, not the whole tree: the
 * top, what is directly below its groups, and the branch of the current page with its
 * siblings and children. So a page stays small in a space of a thousand pages.
 */
#include "parts.h"

/* Is the page itself, or something below it, the current one? */
static bool
holds(const struct page *p, const struct page *current)
{
	const struct page *c;

	if (current == NULL)
		return false;
	if (strcmp(p->node.id, current->node.id) == 0)
		return true;
	for (c = p->first; c != NULL; c = c->next)
		if (holds(c, current))
			return true;
	return false;
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
entry(struct view *s, struct html *h, const struct page *p, const struct page *current, bool open)
{
	bool external = false, here = current != NULL && strcmp(current->node.id, p->node.id) == 0;
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
	h_text(h, page_label(s, p));
	h_close(h);
}

/* A list of siblings, with what is shown below each (see above). */
static void
branch(struct view *s, struct html *h, const struct page *p, const struct page *current, int depth)
{
	bool some = false;

	/* No empty lists; and HTML_DEPTH bounds how deep elements may nest. */
	if (!has_seen(p) || depth > 20)
		return;
	for (; p != NULL; p = p->next) {
		/* Only the branch of the current page is unfolded below pages. */
		bool on_way = holds(p, current);
		if (visit_page_hidden(p))
			continue;
		if (!some)
			h_open(h, "ul");
		some = true;
		h_open(h, "li");
		/* Groups have no page to open them from, so what is in them is always shown. */
		if (p->node.kind == NODE_GROUP) {
			h_leaf(h, "span", "group", page_label(s, p));
			branch(s, h, p->first, current, depth + 1);
		} else {
			entry(s, h, p, current, on_way);
			if (on_way)
				branch(s, h, p->first, current, depth + 1);
		}
		h_close(h);
	}
	if (some)
		h_close(h);
}

void
nav_contents(struct view *s, struct html *h, const struct page *current)
{
	branch(s, h, view_tree(s), current, 0);
}

void
nav_crumbs(struct view *s, struct html *h, const struct page *current)
{
	const struct page *up[24];
	const struct page *p = current;
	int n = 0;

	if (current == NULL)
		return;
	/* Collected from the page up, written from the top down. */
	while (n < 24 && *p->node.parent != '\0' && (p = view_page(s, p->node.parent)) != NULL)
		up[n++] = p;
	if (n == 0)
		return;
	h_el(h, "nav", "class", "crumbs", "aria-label", say_in(s, TEXT_BREADCRUMBS), NULL);
	h_open(h, "ol");
	while (n-- > 0) {
		h_open(h, "li");
		/* Groups have no page of their own. */
		if (up[n]->node.kind == NODE_DOCUMENT) {
			h_open(h, "a");
			h_url(h, "href", view_page_href(s, up[n]));
		}
		h_text(h, page_label(s, up[n]));
		if (up[n]->node.kind == NODE_DOCUMENT)
			h_close(h);
		h_close(h);
	}
	h_close(h);
	h_close(h);
}

/* A link to the page before or after, told to browsers by rel as well. */
static void
neighbour(struct view *s, struct html *h, const struct page *p, const char *rel, enum text label)
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
		if (strcmp(s->pages->order[i]->node.id, current->node.id) == 0) {
			before = i > 0 ? s->pages->order[i - 1] : NULL;
			after = i + 1 < s->pages->count ? s->pages->order[i + 1] : NULL;
		}
	if (before == NULL && after == NULL)
		return;
	h_el(h, "nav", "class", "around", "aria-label",
	    arena_printf(s->arena, "%s, %s", say_in(s, TEXT_PREVIOUS), say_in(s, TEXT_NEXT)), NULL);
	if (before != NULL)
		neighbour(s, h, before, "prev", TEXT_PREVIOUS);
	if (after != NULL)
		neighbour(s, h, after, "next", TEXT_NEXT);
	h_close(h);
}

/* ---- sections and variants ---- */

/* Is the current section this one, or somewhere in this group? */
static bool
within(const struct visit_item *item, const struct visit_item *current)
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
	h_attr(h, "aria-current", within(it, s->v.section) ? "true" : NULL);
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
			h_leaf(h, "summary", within(list, s->v.section) ? "here" : NULL, list->title);
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
