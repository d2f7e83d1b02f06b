/*
 * A site for machines: sitemap, robots.txt, llms.txt and all of it as Markdown, and a feed
 * of updates. Hidden pages are in none of them, nor are those that ask not to be.
 */
#include <stdio.h>

#include "app/assets.h"
#include "base/build.h"
#include "base/json.h"
#include "base/url.h"
#include "reader_parts.h"

enum {
	TEXT_MAX = 256 << 20,
	FULL_MAX = 16 << 20,     /* bytes of llms-full.txt; the page that passes it is the last one */
	FEED_ITEMS = 50
};

/* XML has five references; the writer of HTML knows the same. */
static void
xml_leaf(struct html *h, const char *name, const char *text)
{
	h_leaf(h, name, NULL, text);
}

/* Calls fn for each page that search engines or machines may know. */
static void
each_page(struct view *s, const struct visit_item *item, struct page *list,
    void (*fn)(struct view *s, const struct visit_item *item, const struct page *p, void *ctx), void *ctx)
{
	for (; list != NULL; list = list->next) {
		/* What is below a hidden page is left out with it. */
		if (visit_page_hidden(list))
			continue;
		if (list->node.kind == NODE_DOCUMENT && visit_page_indexed(list))
			fn(s, item, list, ctx);
		each_page(s, item, list->first, fn, ctx);
	}
}

/* The same for all site spaces that the visitor sees. */
static void
each_space_page(struct view *s, void (*fn)(struct view *s, const struct visit_item *item, const struct page *p, void *ctx),
    void *ctx)
{
	const struct visit_item *it = NULL;

	while ((it = visit_next_space(&s->v, it)) != NULL)
		/* The tree of this space is read at most once a request. */
		each_page(s, it, it == s->v.space ? view_tree(s) : visit_tree(&s->v, it), fn, ctx);
}

/* The absolute address of a page; home: the first document of the space is the space itself. */
static const char *
page_address(struct view *s, const struct visit_item *item, const struct page *p)
{
	return visit_page_address(&s->v, item, p);
}

/* ---- sitemap.xml (sitemaps.org 0.9), robots.txt (RFC 9309) ---- */

/* One <url>. Addresses are absolute, as sitemaps.org wants them. */
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

	/* A sitemap of a site that nobody may list would list it. */
	if (!s->v.site.indexed) {
		write_refusal(s->w, 404, "Not Found");
		return;
	}
	/* A sitemap reads every tree of the site, so it is made once for each state of it. */
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

/* Neither kept nor tagged: it is made faster than looked up. */
void
serve_robots(struct view *s)
{
	struct buf b;

	buf_init(&b, s->arena, 64 << 10);
	buf_printf(&b, "User-agent: *\n%s\n", s->v.site.indexed ? "Allow: /" : "Disallow: /");
	if (s->v.site.indexed)
		/* Without a share key: the address is public. */
		buf_printf(&b, "\nSitemap: %ssitemap.xml\n", s->v.site.published);
	send_body(s, &(struct body){ .type = "text/plain; charset=utf-8", .bytes = buf_view(&b) });
}

/* What the reader is made of: build, licence, and the notices of others' work in it. */
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

/* One line of Markdown text: no line breaks, brackets escaped. */
static void
write_line(struct buf *b, const char *text)
{
	for (; *text != '\0'; text++) {
		/* A bracket in a title would end the link. */
		if (*text == '[' || *text == ']' || *text == '\\')
			buf_char(b, '\\');
		buf_char(b, *text == '\n' ? ' ' : *text);
	}
}

/* A line of llms.txt: "- [title](address): description". The address is that of the Markdown. */
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
		/* A section with one space mostly has its title. */
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

	/* visit_page() gives the computed page as well, which the tree does not hold. */
	if (b->n > FULL_MAX || !visit_page(&s->v, item, p->node.id, &own, &c))
		return;
	/* page_markdown() reads at the point of s->v.space, which is put back at once. */
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
	/* FULL_MAX and one more page, which may be of any size that is stored. */
	buf_init(&b, s->arena, 2 * TEXT_MAX);
	each_space_page(s, full_entry, &b);
	/* Readers must know that this is not all. */
	if (b.n > FULL_MAX)
		buf_printf(&b, "More pages follow, which are too much for one file: %sllms.txt has the address of each.\n",
		    s->v.site.address);
	sent.bytes = buf_view(&b);
	send_and_keep(s, &sent);
}

/* ---- a feed of the updates of a page (RSS 2.0) ---- */

/* RSS 2.0 wants dates of RFC 822; the day is all that an update has. NULL: it is no date. */
static const char *
rfc822_date(struct arena *a, const char *iso)
{
	static const char *const months[] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct",
		"Nov", "Dec" };
	int y, m, d;

	/* Dates are what an author wrote: an update without a readable one has no pubDate. */
	if (iso == NULL || sscanf(iso, "%4d-%2d-%2d", &y, &m, &d) != 3 || m < 1 || m > 12)
		return NULL;
	return arena_printf(a, "%02d %s %04d 00:00:00 GMT", d, months[m - 1], y);
}

/* The first heading of an update; its anchor in *anchor. */
static const char *
update_title(struct view *s, const cJSON *update, const char **anchor)
{
	const cJSON *block, *id;
	const char *type;

	/* An update without a heading has no place in the page to lead to. */
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

/* One <item>. The guid is the address with the anchor: feed readers tell by it what they have shown. */
static void
feed_item(struct view *s, struct html *h, const cJSON *update)
{
	const char *anchor, *title = update_title(s, update, &anchor);
	const char *date = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(
	    cJSON_GetObjectItemCaseSensitive(update, "data"), "date"));
	/* The date makes the guid of an update without a heading different from others. */
	const char *at = anchor != NULL ? arena_printf(s->arena, "%s#%s", s->v.canonical, anchor) :
	    arena_printf(s->arena, "%s#%s", s->v.canonical, date != NULL ? date : "");
	struct rendering made;
	struct render_env env;
	struct buf content;
	cJSON *wrap = cJSON_CreateObject();

	view_env(s, &env);
	buf_init(&content, s->arena, 16 << 20);
	/* A reference, no copy: render_document() takes a document and only reads it. */
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
	/* HTML as text: RSS 2.0 wants it escaped. */
	h_textn(h, buf_view(&content));
	h_close(h);
	h_close(h);
}

/* Updates may stand inside other blocks (tabs, columns), so the document is walked. */
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
