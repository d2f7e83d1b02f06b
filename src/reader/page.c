/* Pages as HTML and as Markdown, and the page that suggests others on a 404. */
#include "base/url.h"
#include "computed/computed.h"
#include "reader_parts.h"

enum {
	PAGE_MAX = 256 << 20,
	SUGGESTIONS = 5
};

/* A page without text lists its children. */
static void
write_children(struct view *s, struct buf *out, const struct page *p)
{
	struct html h;
	/* Open the list with its first entry: HTML allows no empty lists. */
	bool some = false;

	h_init(&h, out);
	for (p = p->first; p != NULL; p = p->next) {
		if (visit_page_hidden(p) || p->node.kind != NODE_DOCUMENT)
			continue;
		if (!some)
			h_el(&h, "ul", "class", "cards", NULL);
		some = true;
		h_open(&h, "li");
		h_el(&h, "div", "class", "cells", NULL);
		h_open(&h, "a");
		h_url(&h, "href", view_page_href(s, p));
		h_text(&h, page_label(s, p));
		h_close(&h);
		if (page_about(p) != NULL)
			h_leaf(&h, "div", NULL, page_about(p));
		h_close(&h);
		h_close(&h);
	}
	h_close_to(&h, 0);
}

/* A page with damaged text shows its title and says so; search engines get 503. */
static void
send_page(struct view *s, struct body *b)
{
	if (s->damaged) {
		b->status = 503;
		b->index = false;
	}
	send_and_keep(s, b);
}

void
serve_page(struct view *s)
{
	struct page *p;
	struct rendering made = { 0 };
	struct frame f = { .made = &made };
	struct render_env env;
	struct buf content, out;
	struct str json;
	struct body b = { .type = "text/html; charset=utf-8", .page = true,
		.index = s->v.site.indexed && visit_page_indexed(&s->v.page) };

	view_tags(s, arena_printf(s->arena, "page %s", source_state(s)), &b);
	if (send_kept(s, &b))
		return;
	/* Use the page of the tree, which has its children; a hidden page may be missing there. */
	p = view_page(s, s->v.page.node.id);
	if (p == NULL)
		p = &s->v.page;
	json = page_document(s, &s->v.page, s->v.computed);
	view_env(s, &env);
	buf_init(&content, s->arena, PAGE_MAX);
	/* A group or a page without a body has no document. */
	if (json.p != NULL)
		render_document(s->arena, &content, cJSON_ParseWithLength(json.p, json.n), &env, &made);
	if (content.n == 0)
		write_children(s, &content, p);
	f.page = p;
	f.title = page_title(s, p);
	f.about = page_about(p);
	f.content = buf_view(&content);
	frame_layout(s, p, &f);
	/* Without a canonical address the frame says noindex, as the header does (b.index). */
	f.canonical = s->v.site.indexed && visit_page_indexed(p) ? s->v.canonical : NULL;
	buf_init(&out, s->arena, PAGE_MAX);
	frame_write(s, &out, &f);
	b.bytes = buf_view(&out);
	send_page(s, &b);
}

bool
serve_schema(struct view *s, const char *rest)
{
	char *spec = arena_strdup(s->arena, url_unescape(s->arena, str_of(rest)).p), *name = strchr(spec, '/');
	struct rendering made = { 0 };
	struct frame f = { .made = &made, .plain = true };
	struct body b = { .type = "text/html; charset=utf-8", .page = true };
	struct render_env env;
	struct buf content, out;
	struct str json;

	if (name == NULL || s->v.space == NULL)
		return false;
	*name++ = '\0';
	/*
	 * Visitors who may not see the specification must not learn that it or its schemas exist.
	 */
	if (!visit_sees_spec(&s->v, spec))
		return false;
	json = computed_model(s->w->db, s->arena, &s->v.space->point, spec, name);
	if (json.p == NULL)
		return false;
	/*
	 * The canonical address is that of the home page, so the tag must contain the name of the
	 * schema.
	 */
	view_tags(s, arena_printf(s->arena, "schema %s/%s", spec, name), &b);
	if (send_kept(s, &b))
		return true;
	view_env(s, &env);
	buf_init(&content, s->arena, PAGE_MAX);
	render_document(s->arena, &content, cJSON_ParseWithLength(json.p, json.n), &env, &made);
	f.title = name;
	f.content = buf_view(&content);
	buf_init(&out, s->arena, PAGE_MAX);
	frame_write(s, &out, &f);
	b.bytes = buf_view(&out);
	send_page(s, &b);
	return true;
}

/*
 * Skip highlighting and formulas: only the first words are needed, if the author gave no
 * description.
 */
void
serve_page_picture(struct view *s, const char *hash)
{
	struct page *p = view_page(s, s->v.page.node.id);
	struct rendering made = { 0 };
	struct frame f = { .made = &made };
	struct render_env env;
	struct buf content;
	struct str json;

	f.page = p != NULL ? p : &s->v.page;
	f.about = page_about(f.page);
	json = f.about != NULL ? (struct str){ NULL, 0 } : page_document(s, &s->v.page, s->v.computed);
	view_env(s, &env);
	env.code = NULL;
	env.math = NULL;
	buf_init(&content, s->arena, PAGE_MAX);
	if (json.p != NULL)
		render_document(s->arena, &content, cJSON_ParseWithLength(json.p, json.n), &env, &made);
	serve_picture(s, hash, &f);
}

void
serve_markdown(struct view *s)
{
	struct body b = { .type = "text/markdown; charset=utf-8" };

	view_tags(s, "markdown", &b);
	if (send_kept(s, &b))
		return;
	/* The answer is not for the index of search engines, which should list the HTML page instead. */
	b.bytes = page_markdown(s, &s->v.page, s->v.computed);
	send_page(s, &b);
}

/* Search words from an unknown address: "guides/first-steps" gives "guides first steps". */
static const char *
words_of_address(struct view *s)
{
	char *q = arena_strdup(s->arena, s->v.rest != NULL ? s->v.rest : ""), *p;

	for (p = q; *p != '\0'; p++)
		if (*p == '/' || *p == '-' || *p == '_' || *p == '.')
			*p = ' ';
	/* Long addresses come from robots. */
	return strlen(q) > 200 ? "" : q;
}

static void
write_suggestion(struct view *s, struct html *h, const char *href, const struct page *p)
{
	h_open(h, "li");
	h_open(h, "a");
	h_url(h, "href", href);
	h_text(h, page_title(s, p));
	h_close(h);
	h_close(h);
}

/* True for a hit in another version or language than that of the address. */
static bool
is_elsewhere(struct view *s, const struct hit *hit)
{
	return s->v.space != NULL && hit->space != s->v.space && hit->space->up == s->v.space->up;
}

static bool
is_suggested(struct view *s, const struct page *const *found, size_t n, const char *href)
{
	while (n > 0)
		if (strcmp(view_page_href(s, found[--n]), href) == 0)
			return true;
	return false;
}

void
serve_missing(struct view *s)
{
	struct frame f = { .title = say_in(s, TEXT_NOT_FOUND), .plain = true };
	/* In a copy, one page answers all unknown addresses. */
	const char *query = s->w->copy ? "" : words_of_address(s);
	size_t count = 0;
	/*
	 * The page has often been moved, or its address misspelled: show pages with a similar
	 * address, and search for its words.
	 */
	struct hit *hits = *query != '\0' ? view_search(s, query, SUGGESTIONS, &count) : NULL;
	const struct page *found[SUGGESTIONS];
	struct buf content, out;
	struct html h;
	size_t near;

	near = s->w->copy ? 0 : nearest_pages(s, s->v.rest, found, SUGGESTIONS);
	f.query = query;
	buf_init(&content, s->arena, 1 << 20);
	h_init(&h, &content);
	h_leaf(&h, "p", NULL, say_in(s, near + count > 0 ? TEXT_NOT_FOUND_HELP : TEXT_NOT_FOUND_SEARCH));
	h_open(&h, "ul");
	for (size_t i = 0; i < near; i++)
		write_suggestion(s, &h, view_page_href(s, found[i]), found[i]);
	for (size_t i = 0, left = SUGGESTIONS - near; i < count && left > 0; i++)
		if (!is_elsewhere(s, &hits[i]) && !is_suggested(s, found, near, hits[i].href)) {
			write_suggestion(s, &h, hits[i].href, &hits[i].page);
			left--;
		}
	h_open(&h, "li");
	h_open(&h, "a");
	h_url(&h, "href", s->v.site.base_path);
	h_text(&h, say_in(s, TEXT_START));
	h_close_to(&h, 0);
	f.content = buf_view(&content);
	buf_init(&out, s->arena, 4 << 20);
	frame_write(s, &out, &f);
	/* Always 404, so that robots do not take the suggestions for the page. */
	send_body(s, &(struct body){ .status = 404, .type = "text/html; charset=utf-8", .bytes = buf_view(&out) });
}
