/*
 * The head of a page: what browsers load, and metadata for search engines, feed readers and link
 * previews.
 */
#include <stdio.h>

#include "base/json.h"
#include "base/url.h"
#include "reader_parts.h"
#include "reader/preview_picture.h"

enum { DESCRIPTION = 160 };   /* characters that search engines show */

static void
write_meta(struct html *h, const char *kind, const char *name, const char *content)
{
	if (content != NULL && *content != '\0')
		h_one(h, "meta", kind, name, "content", content, NULL);
}

/* Shortens a text to at most n characters, at a blank. */
static const char *
shorten_text(struct arena *a, const char *text, size_t n)
{
	size_t len = strlen(text), at = n;

	if (len <= n)
		return text;
	while (at > n / 2 && text[at] != ' ')
		at--;
	/* One long word: cut between two characters. */
	if (text[at] != ' ')
		for (at = n; at > 0 && ((unsigned char)text[at] & 0xc0) == 0x80; at--)
			;
	return arena_printf(a, "%.*s…", (int)at, text);
}

const char *
frame_about(struct view *s, const struct frame *f)
{
	/* The author's description, otherwise the first paragraph, as search engines would choose. */
	const char *text = f->about != NULL ? f->about : f->made != NULL ? f->made->first : NULL;

	return text == NULL ? NULL : shorten_text(s->arena, text, DESCRIPTION);
}

/* Icon for the browser's tab: the site's, an emoji, or the first letter of its name. */
static const char *
icon_address(struct view *s)
{
	const char *sign = render_emoji(s->arena, s->look->favicon_emoji), *title = view_title(s);
	size_t n = 1;

	if (s->look->favicon.light != NULL && h_url_safe(s->look->favicon.light))
		return view_local(s, s->look->favicon.light);
	if (sign != NULL)
		return arena_printf(s->arena, "data:image/svg+xml,%s", url_segment(s->arena, str_of(arena_printf(s->arena,
		    "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'><text y='26' font-size='26'>%s</text></svg>",
		    sign))));
	/*
	 * These would be markup in the SVG. Test the end first, so that nothing after an empty
	 * title is read.
	 */
	if (*title == '<' || *title == '&' || *title == '\0')
		title = "O";
	while (((unsigned char)title[n] & 0xc0) == 0x80)
		n++;
	return arena_printf(s->arena, "data:image/svg+xml,%s", url_segment(s->arena, str_of(arena_printf(s->arena,
	    "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'><rect width='32' height='32' rx='8' fill='%s'/>"
	    "<text x='16' y='23' font-size='20' font-family='sans-serif' fill='#fff' text-anchor='middle'>%.*s</text></svg>",
	    s->look->primary.light != NULL ? s->look->primary.light : "#346ddb", (int)n, title))));
}

/*
 * Write an icon's address without h_url(), which refuses data: addresses. The address was made
 * here, or was checked.
 */
static void
icon_link(struct view *s, struct html *h)
{
	const struct look_pair *l = &s->look->favicon;

	h_one(h, "link", "rel", "icon", "href", icon_address(s), NULL);
	if (l->light != NULL && l->dark != NULL && strcmp(l->light, l->dark) != 0 && h_url_safe(l->dark))
		h_one(h, "link", "rel", "icon", "media", "(prefers-color-scheme:dark)", "href", view_local(s, l->dark), NULL);
}

/* Write an entry of the breadcrumbs; address NULL for the page itself, which needs none. */
static void
write_crumb(struct json *j, int at, const char *name, const char *address)
{
	json_obj(j);
	json_kstr(j, "@type", "ListItem");
	json_kint(j, "position", at);
	json_kstr(j, "name", name);
	if (address != NULL)
		json_kstr(j, "item", address);
	json_end(j);
}

/*
 * Breadcrumbs for search engines (schema.org BreadcrumbList): space, parent pages, page. Groups are
 * left out, since every entry but the last needs an address.
 */
static struct str
make_crumbs(struct view *s, const struct page *page)
{
	const struct page *up[24], *p = page;
	struct buf b;
	struct json j;
	int n = 0, at = 1;

	/* The bound keeps the list readable. */
	while (n < 24 && *p->node.parent != '\0' && (p = view_page(s, p->node.parent)) != NULL)
		if (p->node.kind == NODE_DOCUMENT)
			up[n++] = p;
	buf_init(&b, s->arena, 1 << 20);
	json_init(&j, &b);
	json_obj(&j);
	json_kstr(&j, "@context", "https://schema.org");
	json_kstr(&j, "@type", "BreadcrumbList");
	json_karr(&j, "itemListElement");
	write_crumb(&j, at++, s->v.site.first != NULL && s->v.site.first->next != NULL ? s->v.space->title : view_title(s),
	    s->v.space->address);
	while (n-- > 0)
		write_crumb(&j, at++, page_label(s, up[n]), visit_page_address(&s->v, s->v.space, up[n]));
	write_crumb(&j, at, page_label(s, page), NULL);
	json_end(&j);
	json_end(&j);
	return buf_view(&b);
}

/* Write the structured data. */
static void
write_structured(struct view *s, struct html *h, const struct frame *f)
{
	/* The home page has no parents. */
	if (f->page == NULL || f->canonical == NULL || s->w->copy || strcmp(f->canonical, s->v.space->address) == 0)
		return;
	h_el(h, "script", "type", "application/ld+json", NULL);
	h_json(h, make_crumbs(s, f->page));
	h_close(h);
}

static void
write_alternates(struct view *s, struct html *h, const struct frame *f)
{
	const struct visit_item *it = s->v.section != NULL ? s->v.section->first : s->v.site.sections ? NULL :
	    s->v.site.first;
	const char *address;

	/* Only variants of the same section are translations of each other. */
	if (f->page == NULL || it == NULL || it->next == NULL || s->w->copy)
		return;
	for (; it != NULL; it = it->next) {
		if (it->language == NULL)
			continue;
		address = it == s->v.space ? visit_page_address(&s->v, it, f->page) : nav_same_page(s, it, f->page);
		if (address == NULL)
			continue;
		h_one(h, "link", "rel", "alternate", "hreflang", it->language, "href", address, NULL);
		/* x-default: the page for readers of other languages. */
		if (it->is_default)
			h_one(h, "link", "rel", "alternate", "hreflang", "x-default", "href", address, NULL);
	}
}

static void
open_graph(struct view *s, struct html *h, const struct frame *f)
{
	const char *own = s->look->social_image, *image;

	/* The author's picture must be absolute: other services fetch it. */
	if (own != NULL && strncmp(own, "~stored/", 8) == 0)
		own = arena_printf(s->arena, "%s%s", s->v.site.address, own);
	own = own != NULL && strstr(own, "://") != NULL && h_url_safe(own) ? own : NULL;
	/* The address of a copy is unknown. */
	image = s->w->copy ? NULL : own != NULL ? own : picture_href(s, f->page, frame_about(s, f));
	write_meta(h, "property", "og:title", f->title);
	write_meta(h, "property", "og:description", frame_about(s, f));
	write_meta(h, "property", "og:type", "article");
	write_meta(h, "property", "og:site_name", view_title(s));
	write_meta(h, "property", "og:url", s->w->copy ? NULL : f->canonical);
	write_meta(h, "property", "og:image", image);
	/* If the size is given, other services can show the picture before they have loaded it. */
	if (image != NULL && own == NULL) {
		write_meta(h, "property", "og:image:width", arena_printf(s->arena, "%d", PICTURE_WIDTH));
		write_meta(h, "property", "og:image:height", arena_printf(s->arena, "%d", PICTURE_HEIGHT));
	}
	if (image != NULL) {
		write_meta(h, "property", "og:image:alt", own == NULL ? f->title : view_title(s));
		write_meta(h, "name", "twitter:card", "summary_large_image");
	}
}

/* A text of the script; NULL if it is English, which site.js has itself: each page is smaller so. */
static const char *
script_text(struct view *s, enum text t)
{
	return s->language == LANG_EN && !s->w->copy ? NULL : say_in(s, t);
}

/* Pass the script its texts and the site's address. */
static void
write_script(struct view *s, struct html *h, const struct frame *f)
{
	/* Count views, except those of people who look at their own drafts. */
	bool counted = f->page != NULL && !s->v.preview && !s->w->copy;

	h_el(h, "script", "src", view_asset(s, "site.js"), "data-base", s->v.site.base_path,
	    "data-copy", script_text(s, TEXT_COPY), "data-copied", script_text(s, TEXT_COPIED),
	    "data-theme", s->look->theme_toggle ? say_in(s, TEXT_THEME) : NULL,
	    "data-keys", script_text(s, TEXT_KEYS), "data-close", script_text(s, TEXT_CLOSE),
	    "data-results", script_text(s, TEXT_RESULTS), "data-none", script_text(s, TEXT_NO_RESULTS),
	    "data-wait", script_text(s, TEXT_SEARCHING), "data-offline", script_text(s, TEXT_OFFLINE), "data-news", news_hash(s),
	    "data-branch", script_text(s, TEXT_OPEN_BRANCH),
	    "data-index", s->w->copy ? view_own(s, "~search/index.js") : NULL,
	    "data-others", s->w->copy ? say_in(s, TEXT_OTHERS) : NULL,
	    "data-page", counted ? f->page->node.id : NULL, "data-space", counted ? s->v.space->id : NULL, NULL);
	h_close(h);
	if (s->w->copy) {
		h_el(h, "script", "src", view_asset(s, "copy.js"), NULL);
		h_flag(h, "defer");
		h_close(h);
	}
	if (f->made == NULL || !f->made->tries)
		return;
	h_el(h, "script", "src", view_asset(s, "try.js"), "data-base", s->w->copy ? NULL : s->v.site.base_path,
	    "data-space", s->v.space != NULL ? s->v.space->id : NULL, "data-relayed", say_in(s, TEXT_RELAYED),
	    "data-try", say_in(s, TEXT_TRY), "data-send", say_in(s, TEXT_SEND),
	    "data-servers", say_in(s, TEXT_SERVERS), "data-keys", say_in(s, TEXT_AUTHORIZATION), "data-stays", say_in(s, TEXT_STAYS),
	    "data-parameters", say_in(s, TEXT_PARAMETERS), "data-body", say_in(s, TEXT_BODY), "data-required", say_in(s, TEXT_REQUIRED),
	    "data-headers", say_in(s, TEXT_HEADERS), "data-failed", say_in(s, TEXT_SEND_FAILED), "data-download", say_in(s, TEXT_DOWNLOAD), NULL);
	h_flag(h, "defer");
	h_close(h);
}

void
head_write(struct view *s, struct html *h, const struct frame *f)
{
	/*
	 * Versions and translations often have pages with the same title, so add the title of the
	 * space.
	 */
	const char *name = view_title(s), *other = s->v.space == NULL || s->v.space->is_default ? "" :
	    arena_printf(s->arena, " · %s", s->v.space->title);

	h_open(h, "head");
	h_one(h, "meta", "charset", "utf-8", NULL);
	h_one(h, "meta", "name", "viewport", "content", "width=device-width,initial-scale=1", NULL);
	h_leaf(h, "title", NULL, strcmp(f->title, name) != 0 ? arena_printf(s->arena, "%s%s · %s", f->title, other, name) :
	    arena_printf(s->arena, "%s%s", name, other));
	/* What the browser must load comes first, so that it starts loading before it has read the rest. */
	h_one(h, "link", "rel", "stylesheet", "href", view_asset(s, "site.css"), NULL);
	if (*look_css(s) != '\0')
		h_one(h, "link", "rel", "stylesheet", "href", look_href(s), NULL);
	if (look_font_early(s) != NULL)
		h_one(h, "link", "rel", "preload", "as", "font", "crossorigin", "", "href", look_font_early(s), NULL);
	write_script(s, h, f);
	write_meta(h, "name", "description", frame_about(s, f));
	if (f->canonical == NULL)
		write_meta(h, "name", "robots", "noindex");
	else if (!s->w->copy)
		h_one(h, "link", "rel", "canonical", "href", f->canonical, NULL);
	if (f->page != NULL && s->v.site.agents && !s->w->copy)
		h_one(h, "link", "rel", "alternate", "type", "text/markdown", "href",
		    view_local(s, view_markdown_href(s, s->v.space, f->page)), NULL);
	if (f->page != NULL && f->made != NULL && f->made->updates && !s->w->copy)
		h_one(h, "link", "rel", "alternate", "type", "application/rss+xml", "title", f->title, "href",
		    view_local(s, arena_printf(s->arena, "%s/rss.xml", visit_below(&s->v, s->v.space, f->page->path))), NULL);
	write_alternates(s, h, f);
	open_graph(s, h, f);
	icon_link(s, h);
	write_structured(s, h, f);
	h_close(h);
}
