/* The frame of a space's views. Contract: space_parts.h. */
#include <stdarg.h>

#include "base/json.h"
#include "base/url.h"
#include "render/render.h"
#include "space_parts.h"

/*
 * TREE_DEPTH: maximum depth of the tree of pages, as in a space (store/content.h). PATH_MOST:
 * maximum length of an address. A part of it may be an "id" that a form sent, each byte of it
 * encoded as three. ABOVE_MOST: most pages that are named above a heading; of more, the middle is left out.
 */
enum { TREE_DEPTH = 100, PATH_MOST = 128 << 20, ABOVE_MOST = 6 };

char *
path_of_ids(struct view *v, const char *format, ...)
{
	const char *p;
	struct buf b;
	va_list ap;

	buf_init(&b, v->arena, PATH_MOST);
	va_start(ap, format);
	for (p = format; *p != '\0'; p++) {
		if (p[0] != '%' || p[1] != 's') {
			buf_char(&b, *p);
			continue;
		}
		buf_str(&b, url_segment(v->arena, str_of(va_arg(ap, const char *))));
		p++;
	}
	va_end(ap);
	buf_char(&b, '\0');
	return b.p;
}

bool
open_space(struct view *v, struct shown_space *s, const char *open, const char *at, const char *below)
{
	struct call c = ask_api(v, "GET", path_of_ids(v, "/spaces/%s", v->ids[0]), NULL);

	if (!call_succeeded(v, &c))
		return false;
	*s = (struct shown_space){ .id = v->ids[0], .space = c.answer, .title = json_text_or_empty(c.answer, "title"),
		.at = at != NULL ? at : "/content", .below = below != NULL ? below : path_of_ids(v, "/spaces/%s", v->ids[0]) };
	if (*s->title == '\0')
		s->title = view_say(v, SAY_UNTITLED);
	if (open == NULL)
		return true;
	c = ask_api(v, "GET", arena_printf(v->arena, "%s%s/pages?brief=true%s%s", path_of_ids(v, "/spaces/%s", s->id), s->at,
	    strcmp(open, "*") == 0 ? "" : "&open=", strcmp(open, "*") == 0 ? "" : url_segment(v->arena, str_of(*open != '\0' ? open : "-"))), NULL);
	if (!call_succeeded(v, &c))
		return false;
	s->pages = json_member(c.answer, "pages");
	return true;
}

bool
may(const struct shown_space *s, const char *permission)
{
	return json_flag_of(json_member(s->space, "permissions"), permission);
}

/* ---- the tree ---- */

const char *
page_type(const cJSON *page)
{
	const char *type = json_text_or_empty(page, "type");

	return strcmp(type, "entry") == 0 ? json_text_or_empty(page, "kind") : type;
}

static const cJSON *
first_page_below(const cJSON *pages, unsigned depth)
{
	const cJSON *page, *found;

	if (depth > TREE_DEPTH)
		return NULL;
	cJSON_ArrayForEach(page, pages) {
		if (strcmp(page_type(page), "document") == 0)
			return page;
		if ((found = first_page_below(json_member(page, "pages"), depth + 1)) != NULL)
			return found;
	}
	return NULL;
}

const cJSON *
first_page(const cJSON *pages)
{
	return first_page_below(pages, 0);
}

static const cJSON *
find_page_below(const cJSON *pages, const char *id, unsigned depth)
{
	const cJSON *page, *found;

	if (depth > TREE_DEPTH)
		return NULL;
	cJSON_ArrayForEach(page, pages) {
		if (strcmp(json_text_or_empty(page, "id"), id) == 0)
			return page;
		if ((found = find_page_below(json_member(page, "pages"), id, depth + 1)) != NULL)
			return found;
	}
	return NULL;
}

const cJSON *
find_page(const cJSON *pages, const char *id)
{
	return find_page_below(pages, id, 0);
}

/* ---- the frame ---- */

static void
write_tab(struct view *v, const char *below, enum say label, bool current, int64_t count)
{
	h_el(&v->h, "a", "href", near_path(v, below), "aria-current", current ? "page" : NULL, NULL);
	h_text(&v->h, view_say(v, label));
	if (count > 0)
		h_leaf(&v->h, "small", NULL, arena_printf(v->arena, " %lld", (long long)count));
	h_close(&v->h);
}

/* A link to the organization. A guest of the space may not read it, so there is none. */
static void
write_crumb(struct view *v, const struct shown_space *s)
{
	const char *org = path_of_ids(v, "/orgs/%s", json_text_or_empty(s->space, "organization"));
	struct call c = ask_api(v, "GET", org, NULL);

	if (is_success(&c))
		write_link(v, "crumb", org, json_text_or_empty(c.answer, "title"));
}

static void
write_tabs(struct view *v, const struct shown_space *s, enum space_tab tab)
{
	const char *space = path_of_ids(v, "/spaces/%s", s->id);
	struct html *h = &v->h;

	h_el(h, "nav", "class", "bar", "aria-label", s->title, NULL);
	h_el(h, "div", "class", "where", NULL);
	write_crumb(v, s);
	h_leaf(h, "strong", NULL, s->title);
	h_close(h);
	h_el(h, "div", "class", "row", NULL);
	write_tab(v, space, SAY_PAGES, tab == TAB_PAGES, 0);
	write_tab(v, arena_printf(v->arena, "%s/requests", space), SAY_REQUESTS, tab == TAB_REQUESTS,
	    (int64_t)json_number_of(s->space, "changeRequestsOpen", 0));
	write_tab(v, arena_printf(v->arena, "%s/history", space), SAY_HISTORY, tab == TAB_HISTORY, 0);
	write_tab(v, arena_printf(v->arena, "%s/files", space), SAY_FILES, tab == TAB_FILES, 0);
	write_tab(v, arena_printf(v->arena, "%s/links", space), SAY_BROKEN_LINKS, tab == TAB_LINKS, 0);
	if (tab == TAB_GIT || json_member(s->space, "gitSync") != NULL || may(s, "merge"))
		write_tab(v, arena_printf(v->arena, "%s/git", space), SAY_GIT, tab == TAB_GIT, 0);
	h_close(h);
	h_close(h);
}

void
write_search(struct view *v, const char *below, const char *where)
{
	const char *q = query_value(v, "q"), *label = arena_printf(v->arena, "%s: %s", view_say(v, SAY_SEARCH), where);
	struct html *h = &v->h;

	h_el(h, "form", "role", "search", "aria-label", label, "action", app_path(v, arena_printf(v->arena, "%s/search", below)), NULL);
	h_one(h, "input", "type", "search", "name", "q", "value", q != NULL ? q : "", "aria-label", label,
	    "placeholder", view_say(v, SAY_SEARCH), "dir", "auto", NULL);
	h_close(h);
}

void
space_begin(struct view *v, const struct shown_space *s, enum space_tab tab, const char *page, const char *title)
{
	struct html *h = &v->h;
	struct page_tree tree;

	open_tree(v, s, page, &tree);
	page_begin(v, FRAME_SPACE, arena_printf(v->arena, "%s · %s", title, s->title));
	write_tabs(v, s, tab);
	h_el(h, "div", "class", "columns", NULL);
	if (s->pages != NULL)
		write_page_tree(&tree);
	h_el(h, "main", "id", "main", NULL);
}

/*
 * Fills `titles` with the titles of the pages above the page, from the top. The number of them; -1: the page is not in the tree.
 * It allocates nothing, since most pages of the tree are visited.
 */
static int
find_path(const cJSON *pages, const char *id, const char *titles[TREE_DEPTH + 1], int depth)
{
	const cJSON *page;
	int n;

	if (depth > TREE_DEPTH)
		return -1;
	cJSON_ArrayForEach(page, pages) {
		if (strcmp(json_text_or_empty(page, "id"), id) == 0)
			return depth;
		titles[depth] = json_text_or_empty(page, "title");
		if ((n = find_path(json_member(page, "pages"), id, titles, depth + 1)) >= 0)
			return n;
	}
	return -1;
}

void
write_ancestors(struct view *v, const struct shown_space *s, const char *page)
{
	const char *titles[TREE_DEPTH + 1];
	int n = find_path(s->pages, page, titles, 0);

	if (n <= 0)
		return;
	h_el(&v->h, "p", "class", "up", NULL);
	for (int i = 0; i < n; i++) {
		if (i > 0)
			h_text(&v->h, " / ");
		if (n > ABOVE_MOST && i == ABOVE_MOST / 2) {
			h_text(&v->h, "… / ");
			i = n - ABOVE_MOST / 2;
		}
		h_text(&v->h, titles[i]);
	}
	h_close(&v->h);
}

void
write_site_links(struct view *v, const char *space)
{
	struct call c = ask_api(v, "GET", path_of_ids(v, "/spaces/%s/sites?limit=100", space), NULL);
	const cJSON *one;

	cJSON_ArrayForEach(one, json_member(c.answer, "items")) {
		h_el(&v->h, "a", "class", "btn small", NULL);
		h_url(&v->h, "href", json_text_or_empty(one, "url"));
		h_text(&v->h, view_say_with(v, SAY_TO_SITE, json_text_or_empty(one, "title")));
		h_close(&v->h);
	}
}

void
write_up(struct view *v, const char *below, enum say label)
{
	h_el(&v->h, "p", "class", "up", NULL);
	write_link(v, NULL, below, view_say(v, label));
	h_close(&v->h);
}

const char *
name_request(struct view *v, const cJSON *request)
{
	const char *subject = json_text_or_empty(request, "subject");

	return arena_printf(v->arena, "#%.0f %s", json_number_of(request, "number", 0), *subject != '\0' ? subject : view_say(v, SAY_UNTITLED));
}

void
write_request_up(struct view *v, const cJSON *request, const char *below)
{
	h_el(&v->h, "p", "class", "up", NULL);
	write_link(v, NULL, below, view_say_with(v, SAY_IN_REQUEST, name_request(v, request)));
	h_close(&v->h);
}

/* ---- parts ---- */

void
write_author(struct view *v, const cJSON *user, const char *time)
{
	struct html *h = &v->h;

	h_open(h, "small");
	if (user != NULL) {
		h_leaf(h, "bdi", NULL, json_text_or_empty(user, "displayName"));
		h_text(h, " · ");
	}
	h_el(h, "time", "datetime", time, NULL);
	h_text(h, show_minute(v, time));
	h_close(h);
	h_close(h);
}

void
write_left_out(struct view *v, const cJSON *answer)
{
	double left = json_number_of(answer, "count", 0) - cJSON_GetArraySize(json_member(answer, "items"));

	if (left > 0)
		h_leaf(&v->h, "p", "lead", view_say_with(v, SAY_LEFT_OUT, arena_printf(v->arena, "%.0f", left)));
}

void
write_text_area(struct view *v, const char *id, const char *name, enum say label, bool optional)
{
	struct html *h = &v->h;

	h_el(h, "div", "class", "field", NULL);
	h_el(h, "label", "for", id, NULL);
	h_text(h, view_say(v, label));
	h_close(h);
	h_el(h, "textarea", "id", id, "name", name, "rows", "3", "required", optional ? NULL : "", "dir", "auto", NULL);
	h_close(h);
	h_close(h);
}

void
write_more(struct view *v, const struct call *list, enum say label, const char *below, const char *query)
{
	const char *next = json_text_of(json_member(list->answer, "next"), "page");

	if (next == NULL)
		return;
	h_el(&v->h, "p", "class", "actions", NULL);
	write_link(v, "btn", arena_printf(v->arena, "%s?page=%s%s", below, url_segment(v->arena, str_of(next)), query), view_say(v, label));
	h_close(&v->h);
}

/* The name of a user whom the person may know. There is no page to lead to. */
static bool
link_user(struct view *v, const char *id, struct render_link *out)
{
	struct call c = ask_api(v, "GET", path_of_ids(v, "/users/%s", id), NULL);

	out->title = json_text_of(c.answer, "displayName");
	return false;
}

/* Targets of links in comments and descriptions: addresses, users, and pages, of the same space unless the link names another one. */
static bool
link_in_text(void *ctx, const struct cJSON *ref, struct render_link *out)
{
	const char *kind = json_text_or_empty(ref, "kind"), *url = json_text_of(ref, "url"), *page = json_text_of(ref, "page");
	const char *space = json_text_of(ref, "space"), *user = json_text_of(ref, "user");
	struct view *v = ctx;

	if (strcmp(kind, "user") == 0 && user != NULL)
		return link_user(v, user, out);
	if (page != NULL)
		out->href = out->title = app_path(v, path_of_ids(v, "/spaces/%s/pages/%s", space != NULL ? space : v->ids[0], page));
	else if (url != NULL && strcmp(kind, "url") == 0)
		out->href = out->title = url;
	out->external = page == NULL;
	return out->href != NULL;
}

void
write_rich_text(struct view *v, const cJSON *document)
{
	const struct render_env env = { .link = link_in_text, .ctx = v, .language = v->language, .frames = "" };
	struct rendering made;
	struct buf b;

	/* The limit is that of a whole page (PAGE_MOST in views.c). */
	buf_init(&b, v->arena, 512 << 20);
	buf_str(&b, "");
	render_document(v->arena, &b, document, &env, &made);
	h_el(&v->h, "div", "class", "prose", NULL);
	h_raw(&v->h, buf_view(&b));
	h_close(&v->h);
}

void
write_outline(struct view *v, const cJSON *outline)
{
	const cJSON *one;
	struct html *h = &v->h;

	if (cJSON_GetArraySize(outline) < 2)
		return;
	h_el(h, "nav", "class", "outline", "aria-label", text_in(v->language, TEXT_OUTLINE), NULL);
	h_leaf(h, "strong", NULL, text_in(v->language, TEXT_OUTLINE));
	h_open(h, "ul");
	cJSON_ArrayForEach(one, outline) {
		h_el(h, "li", "class", json_number_of(one, "level", 1) > 1 ? "sub" : NULL, NULL);
		h_el(h, "a", "href", arena_printf(v->arena, "#%s", url_segment(v->arena, str_of(json_text_or_empty(one, "anchor")))), NULL);
		h_text(h, json_text_or_empty(one, "title"));
		h_close(h);
		h_close(h);
	}
	h_close(h);
	h_close(h);
}

void
write_article(struct view *v, const cJSON *rendered)
{
	const char *html = json_text_or_empty(rendered, "html");
	struct html *h = &v->h;

	h_el(h, "article", "class", "prose", "dir", "auto", NULL);
	if (*html != '\0')
		/* The API's own rendering (GET …/html), escaped by construction like this page. */
		h_raw(h, str_of(html));
	else
		h_leaf(h, "p", "lead", view_say(v, SAY_NO_TEXT));
	h_close(h);
	write_outline(v, json_member(rendered, "outline"));
}

void
after_saving(struct view *v)
{
	const char *done = query_value(v, "done");

	v->script = done != NULL && strcmp(done, "saved") == 0;
}
