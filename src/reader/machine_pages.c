/*
 * Serves a site to machines: sitemap, robots.txt, llms.txt, all pages as Markdown, and a feed of
 * updates. Omits hidden pages, and pages whose author opted out.
 */
#include <stdio.h>

#include "app/assets.h"
#include "base/build.h"
#include "base/json.h"
#include "base/url.h"
#include "reader_parts.h"

enum {
	TEXT_MAX = 256 << 20,
	FULL_MAX = 16 << 20,     /* bytes of llms-full.txt; the page that exceeds it is the last */
	FEED_ITEMS = 50
};

/* XML has five named entities, which the HTML writer also uses. */
static void
xml_leaf(struct html *h, const char *name, const char *text)
{
	h_leaf(h, name, NULL, text);
}

/* Call fn for each page that search engines or machines may see. */
static void
each_page(struct view *s, const struct visit_item *item, struct page *list,
    void (*fn)(struct view *s, const struct visit_item *item, const struct page *p, void *ctx), void *ctx)
{
	for (; list != NULL; list = list->next) {
		/* Pages below a hidden page are hidden too. */
		if (visit_page_hidden(list))
			continue;
		if (list->node.kind == NODE_DOCUMENT && visit_page_indexed(list))
			fn(s, item, list, ctx);
		each_page(s, item, list->first, fn, ctx);
	}
}

/* each_page() for all site spaces that the visitor sees. */
static void
each_space_page(struct view *s, void (*fn)(struct view *s, const struct visit_item *item, const struct page *p, void *ctx),
    void *ctx)
{
	const struct visit_item *it = NULL;

	while ((it = visit_next_space(&s->v, it)) != NULL)
		/* The tree of the present space is read at most once per request. */
		each_page(s, it, it == s->v.space ? view_tree(s) : visit_tree(&s->v, it), fn, ctx);
}

/* Absolute address of a page. The first document of a space has the space's own address. */
static const char *
page_address(struct view *s, const struct visit_item *item, const struct page *p)
{
	return visit_page_address(&s->v, item, p);
}

/* ---- sitemap.xml (sitemaps.org 0.9), robots.txt (RFC 9309) ---- */

/* Write one <url>; sitemaps.org requires absolute addresses. */
static void
sitemap_entry(struct view *s, const struct visit_item *item, const struct page *p, void *ctx)
{
	struct html *h = ctx;
	char when[25];

	h_open(h, "url");
	xml_leaf(h, "loc", page_address(s, item, p));
	if (p->node.at > 0) {
		time_format(p->node.at, when);
		xml_leaf(h, "lastmod", when);
	}
	h_close(h);
}

void
serve_sitemap(struct view *s)
{
	struct body sent = { .type = "application/xml; charset=utf-8" };
	struct html h;
	struct buf b;

	/* A sitemap of a site that must not be listed would list its pages. */
	if (!s->v.site.indexed) {
		write_refusal(s->w, 404, "Not Found");
		return;
	}
	/* A sitemap reads all trees of the site, so cache it until the site changes. */
	view_tags(s, "sitemap", &sent);
	if (send_kept(s, &sent))
		return;
	buf_init(&b, s->arena, TEXT_MAX);
	buf_str(&b, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	h_init(&h, &b);
	h_el(&h, "urlset", "xmlns", "http://www.sitemaps.org/schemas/sitemap/0.9", NULL);
	each_space_page(s, sitemap_entry, &h);
	h_close(&h);
	sent.bytes = buf_view(&b);
	send_and_keep(s, &sent);
}

/* The answer is not cached, because making it is faster than a lookup. */
void
serve_robots(struct view *s)
{
	struct buf b;

	buf_init(&b, s->arena, 64 << 10);
	buf_printf(&b, "User-agent: *\n%s\n", s->v.site.indexed ? "Allow: /" : "Disallow: /");
	if (s->v.site.indexed)
		/* Use the address without a share key: robots.txt is public. */
		buf_printf(&b, "\nSitemap: %ssitemap.xml\n", s->v.site.published);
	send_body(s, &(struct body){ .type = "text/plain; charset=utf-8", .bytes = buf_view(&b) });
}

/* Serves the build, the licence, and the notices of third-party work. */
void
serve_about(struct view *s)
{
	struct str notices = asset_bytes(asset_find("about/licences.txt"));
	struct buf b;

	buf_init(&b, s->arena, notices.n + 4096);
	buf_printf(&b, "Served by Octavo, build %s.\n\n", octavo_build);
	buf_put(&b, notices);
	send_body(s, &(struct body){ .type = "text/plain; charset=utf-8", .bytes = buf_view(&b) });
}

/* ---- llms.txt (llmstxt.org), llms-full.txt ---- */

/* Write text as one line of Markdown, with brackets escaped. */
static void
write_line(struct buf *b, const char *text)
{
	for (; *text != '\0'; text++) {
		/* A bracket would end the link. */
		if (*text == '[' || *text == ']' || *text == '\\')
			buf_char(b, '\\');
		buf_char(b, *text == '\n' ? ' ' : *text);
	}
}

/* Write a line of llms.txt, "- [title](address): description", with the address of the Markdown. */
static void
llms_entry(struct view *s, const struct visit_item *item, const struct page *p, void *ctx)
{
	struct buf *b = ctx;
	const char *about = page_about(p);

	buf_str(b, "- [");
	write_line(b, page_title(s, p));
	buf_printf(b, "](%s)", view_markdown_href(s, item, p));
	if (about != NULL) {
		buf_str(b, ": ");
		write_line(b, about);
	}
	buf_char(b, '\n');
}

void
serve_llms(struct view *s)
{
	struct body sent = { .type = "text/plain; charset=utf-8" };
	const struct visit_item *it = NULL;
	struct buf b;

	view_tags(s, "llms", &sent);
	if (send_kept(s, &sent))
		return;
	buf_init(&b, s->arena, TEXT_MAX);
	buf_str(&b, "# ");
	write_line(&b, s->v.site.title);
	buf_char(&b, '\n');
	while ((it = visit_next_space(&s->v, it)) != NULL) {
		buf_str(&b, "\n## ");
		/* A section with one space usually has the same title. */
		if (it->up != NULL && strcmp(it->up->title, it->title) != 0) {
			write_line(&b, it->up->title);
			buf_str(&b, ": ");
		}
		write_line(&b, it->title);
		buf_str(&b, "\n\n");
		each_page(s, it, it == s->v.space ? view_tree(s) : visit_tree(&s->v, it), llms_entry, &b);
	}
	sent.bytes = buf_view(&b);
	send_and_keep(s, &sent);
}

static void
full_entry(struct view *s, const struct visit_item *item, const struct page *p, void *ctx)
{
	const struct visit_item *before = s->v.space;
	struct computed_page *c = NULL;
	struct buf *b = ctx;
	struct page own;

	/* visit_page() also returns the computed page, which the tree lacks. */
	if (b->n > FULL_MAX || !visit_page(&s->v, item, p->node.id, &own, &c))
		return;
	/* page_markdown() reads at s->v.space: set it, and restore it at once. */
	s->v.space = (struct visit_item *)(uintptr_t)item;
	buf_put(b, page_markdown(s, &own, c));
	s->v.space = (struct visit_item *)(uintptr_t)before;
	buf_str(b, "\n\n---\n\n");
}

void
serve_llms_full(struct view *s)
{
	struct body sent = { .type = "text/plain; charset=utf-8" };
	struct buf b;

	view_tags(s, "llms-full", &sent);
	if (send_kept(s, &sent))
		return;
	/* Room for FULL_MAX and one more page of any size. */
	buf_init(&b, s->arena, 2 * TEXT_MAX);
	each_space_page(s, full_entry, &b);
	/* Say that the file is incomplete. */
	if (b.n > FULL_MAX)
		buf_printf(&b, "More pages follow, which are too much for one file: %sllms.txt has the address of each.\n",
		    s->v.site.address);
	sent.bytes = buf_view(&b);
	send_and_keep(s, &sent);
}

/* ---- a feed of the updates of a page (RSS 2.0) ---- */

/* Format a date as RFC 822 for RSS 2.0, from the day that an update has; NULL if it is no date. */
static const char *
rfc822_date(struct arena *a, const char *iso)
{
	static const char *const months[] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct",
		"Nov", "Dec" };
	int y, m, d;

	/* Authors write the dates: an update whose date cannot be parsed gets no pubDate. */
	if (iso == NULL || sscanf(iso, "%4d-%2d-%2d", &y, &m, &d) != 3 || m < 1 || m > 12)
		return NULL;
	return arena_printf(a, "%02d %s %04d 00:00:00 GMT", d, months[m - 1], y);
}

/* The first heading of an update, with its anchor in *anchor. */
static const char *
update_title(struct view *s, const cJSON *update, const char **anchor)
{
	const cJSON *block, *id;
	const char *type;

	/* Without a heading there is no anchor to link to. */
	*anchor = NULL;
	cJSON_ArrayForEach(block, cJSON_GetObjectItemCaseSensitive(update, "nodes")) {
		type = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(block, "type"));
		if (type == NULL || strncmp(type, "heading-", 8) != 0)
			continue;
		id = cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(block, "meta"), "id");
		*anchor = cJSON_GetStringValue(id);
		return render_plain(s->arena, block);
	}
	return NULL;
}

/* Write one <item>. Its guid is the address with the anchor, by which feed readers recognise it. */
static void
feed_item(struct view *s, struct html *h, const cJSON *update)
{
	const char *anchor, *title = update_title(s, update, &anchor);
	const char *date = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(
	    cJSON_GetObjectItemCaseSensitive(update, "data"), "date"));
	/* Without a heading, the date makes the guid unique. */
	const char *at = anchor != NULL ? arena_printf(s->arena, "%s#%s", s->v.canonical, anchor) :
	    arena_printf(s->arena, "%s#%s", s->v.canonical, date != NULL ? date : "");
	struct rendering made;
	struct render_env env;
	struct buf content;
	cJSON *wrap = cJSON_CreateObject();

	view_env(s, &env);
	buf_init(&content, s->arena, 16 << 20);
	/* The nodes are not copied, because render_document() only reads them. */
	cJSON_AddItemReferenceToObject(wrap, "nodes", cJSON_GetObjectItemCaseSensitive(update, "nodes"));
	render_document(s->arena, &content, wrap, &env, &made);
	h_open(h, "item");
	xml_leaf(h, "title", title != NULL ? title : date != NULL ? arena_strndup(s->arena, date, strnlen(date, 10)) : "");
	xml_leaf(h, "link", at);
	h_el(h, "guid", "isPermaLink", "false", NULL);
	h_text(h, at);
	h_close(h);
	if (rfc822_date(s->arena, date) != NULL)
		xml_leaf(h, "pubDate", rfc822_date(s->arena, date));
	h_open(h, "description");
	/* RSS 2.0 requires escaped HTML. */
	h_textn(h, buf_view(&content));
	h_close(h);
	h_close(h);
}

/* Walk the document, because updates may be nested in other blocks (tabs, columns). */
static void
feed_items(struct view *s, struct html *h, const cJSON *list, int *left)
{
	const cJSON *block, *update;
	const char *type;

	cJSON_ArrayForEach(block, list) {
		type = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(block, "type"));
		if (type == NULL || strcmp(type, "updates") != 0) {
			feed_items(s, h, cJSON_GetObjectItemCaseSensitive(block, "nodes"), left);
			continue;
		}
		cJSON_ArrayForEach(update, cJSON_GetObjectItemCaseSensitive(block, "nodes"))
			if ((*left)-- > 0)
				feed_item(s, h, update);
	}
}

void
serve_feed(struct view *s)
{
	struct str json = page_document(s, &s->v.page, s->v.computed);
	struct body sent = { .type = "application/rss+xml; charset=utf-8" };
	int left = FEED_ITEMS;
	const cJSON *document;
	struct html h;
	struct buf b;

	s->absolute = true;
	/* A page without updates has no feed. */
	if (json.p == NULL || memmem(json.p, json.n, "\"updates\"", 9) == NULL) {
		write_refusal(s->w, 404, "Not Found");
		return;
	}
	view_tags(s, "feed", &sent);
	if (send_kept(s, &sent))
		return;
	document = cJSON_ParseWithLength(json.p, json.n);
	buf_init(&b, s->arena, TEXT_MAX);
	buf_str(&b, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	h_init(&h, &b);
	h_el(&h, "rss", "version", "2.0", NULL);
	h_open(&h, "channel");
	xml_leaf(&h, "title", arena_printf(s->arena, "%s · %s", page_title(s, &s->v.page), s->v.site.title));
	xml_leaf(&h, "link", s->v.canonical);
	xml_leaf(&h, "description", page_about(&s->v.page) != NULL ? page_about(&s->v.page) : s->v.site.title);
	xml_leaf(&h, "language", s->tag);
	feed_items(s, &h, cJSON_GetObjectItemCaseSensitive(document, "nodes"), &left);
	h_close_to(&h, 0);
	sent.bytes = buf_view(&b);
	send_and_keep(s, &sent);
}
