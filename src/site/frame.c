/*
 * The frame of every page: head, header, table of contents, outline, footer. It reads and
 * works without script. What is opened on a phone (the table of contents, the outline) is
 * opened by a link to its id: the style sheet shows what is the target of the address.
 *
 * Ids of the frame begin with "~", which anchors of headings never do.
 */
#include <stdio.h>

#include "base/json.h"
#include "base/url.h"
#include "parts.h"
#include "site/picture.h"

enum { DESCRIPTION = 160 };   /* characters of a description that search engines show */

static void
meta(struct html *h, const char *kind, const char *name, const char *content)
{
	if (content != NULL && *content != '\0')
		h_one(h, "meta", kind, name, "content", content, NULL);
}

/* The customization may give the site another name than its title. */
static const char *
site_title(const struct view *s)
{
	return s->look != NULL && s->look->title != NULL ? s->look->title : s->v.site.title;
}

/* At most n characters, cut at a blank. */
static const char *
shortened(struct arena *a, const char *text, size_t n)
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
	/*
	 * The author's own description; else the first paragraph, which search engines would
	 * take as well.
	 */
	const char *text = f->about != NULL ? f->about : f->made != NULL ? f->made->first : NULL;

	return text == NULL ? NULL : shortened(s->arena, text, DESCRIPTION);
}

/* ---- head ---- */

/* A picture for the tab: that of the site, an emoji, or the first letter of its name. */
static const char *
icon(struct view *s)
{
	const char *sign = render_emoji(s->arena, s->look->favicon_emoji), *title = site_title(s);
	size_t n = 1;

	if (s->look->favicon.light != NULL && h_url_safe(s->look->favicon.light))
		return view_local(s, s->look->favicon.light);
	if (sign != NULL)
		return arena_printf(s->arena, "data:image/svg+xml,%s", url_segment(s->arena, str_of(arena_printf(s->arena,
		    "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'><text y='26' font-size='26'>%s</text></svg>",
		    sign))));
	while (((unsigned char)title[n] & 0xc0) == 0x80)
		n++;
	/* They would be markup of the SVG. */
	if (*title == '<' || *title == '&' || *title == '\0')
		title = "O";
	return arena_printf(s->arena, "data:image/svg+xml,%s", url_segment(s->arena, str_of(arena_printf(s->arena,
	    "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'><rect width='32' height='32' rx='8' fill='%s'/>"
	    "<text x='16' y='23' font-size='20' font-family='sans-serif' fill='#fff' text-anchor='middle'>%.*s</text></svg>",
	    s->look->primary.light != NULL ? s->look->primary.light : "#346ddb", (int)n, title))));
}

/* An icon by its address: data: is not for h_url(), and this one is made here or was checked. */
static void
icon_link(struct view *s, struct html *h)
{
	h_one(h, "link", "rel", "icon", "href", icon(s), NULL);
}

/* Breadcrumbs for search engines (schema.org BreadcrumbList). No "<" of it may end the element. */
static void
structured(struct view *s, struct html *h, const struct frame *f)
{
	const struct page *up[24], *p = f->page;
	struct buf b, safe;
	struct json j;
	int n = 0, at = 1;

	/* Deeper breadcrumbs help nobody. */
	while (n < 24 && p != NULL) {
		up[n++] = p;
		p = *p->node.parent != '\0' ? view_page(s, p->node.parent) : NULL;
	}
	if (n < 2)
		return;
	buf_init(&b, s->arena, 1 << 20);
	json_init(&j, &b);
	json_obj(&j);
	json_kstr(&j, "@context", "https://schema.org");
	json_kstr(&j, "@type", "BreadcrumbList");
	json_karr(&j, "itemListElement");
	while (n-- > 0) {
		json_obj(&j);
		json_kstr(&j, "@type", "ListItem");
		json_kint(&j, "position", at++);
		json_kstr(&j, "name", page_label(s, up[n]));
		json_end(&j);
	}
	json_end(&j);
	json_end(&j);
	buf_init(&safe, s->arena, 8 << 20);
	for (size_t i = 0; i < b.n; i++)
		/*
		 * JSON may spell any character by its number; "</script>" in a title would end
		 * the element (WHATWG HTML, section 4.12.1.3).
		 */
		if (b.p[i] == '<' || b.p[i] == '>' || b.p[i] == '&')
			buf_printf(&safe, "\\u%04x", (unsigned)b.p[i]);
		else
			buf_char(&safe, b.p[i]);
	h_el(h, "script", "type", "application/ld+json", NULL);
	h_raw(h, buf_view(&safe));
	h_close(h);
}

static void
alternates(struct view *s, struct html *h, const struct frame *f)
{
	const struct visit_item *it = s->v.section != NULL ? s->v.section->first : s->v.site.sections ? NULL :
	    s->v.site.first;
	struct computed_page *c;
	struct page p;
	int n = 0;

	/* Only variants of the same section are translations of each other. */
	if (f->page == NULL || it == NULL || it->next == NULL)
		return;
	for (; it != NULL && n < 40; it = it->next)
		if (it->language != NULL && visit_page_at(&s->v, it, f->page->path, &p, &c)) {
			h_one(h, "link", "rel", "alternate", "hreflang", it->language, "href",
			    visit_page_address(&s->v, it, &p), NULL);
			n++;
		}
}

static void
open_graph(struct view *s, struct html *h, const struct frame *f)
{
	const char *own = s->look->social_image, *image;

	/* The author's own; absolute alone: other services fetch it, without knowing this page's address. */
	own = own != NULL && strstr(own, "://") != NULL && h_url_safe(own) ? own : NULL;
	image = own != NULL ? own : picture_href(s, f->page, frame_about(s, f));
	meta(h, "property", "og:title", f->title);
	meta(h, "property", "og:description", frame_about(s, f));
	meta(h, "property", "og:type", "article");
	meta(h, "property", "og:site_name", site_title(s));
	meta(h, "property", "og:url", f->canonical);
	meta(h, "property", "og:image", image);
	/* Services show a picture as soon as they know its size, without fetching it first. */
	if (image != NULL && own == NULL) {
		meta(h, "property", "og:image:width", arena_printf(s->arena, "%d", PICTURE_WIDTH));
		meta(h, "property", "og:image:height", arena_printf(s->arena, "%d", PICTURE_HEIGHT));
	}
	if (image != NULL) {
		meta(h, "property", "og:image:alt", own == NULL ? f->title : site_title(s));
		meta(h, "name", "twitter:card", "summary_large_image");
	}
}

/* The script's words, and where it asks: it has none of its own. */
static void
script(struct view *s, struct html *h)
{
	h_el(h, "script", "src", view_asset(s, "site.js"), "data-base", s->v.site.base_path,
	    "data-copy", say_in(s, TEXT_COPY), "data-copied", say_in(s, TEXT_COPIED),
	    "data-theme", s->look->theme_toggle ? say_in(s, TEXT_THEME) : NULL,
	    "data-keys", say_in(s, TEXT_KEYS), "data-none", say_in(s, TEXT_NO_RESULTS), NULL);
	h_close(h);
}

static void
head(struct view *s, struct html *h, const struct frame *f)
{
	const char *name = site_title(s);

	h_open(h, "head");
	h_one(h, "meta", "charset", "utf-8", NULL);
	h_one(h, "meta", "name", "viewport", "content", "width=device-width,initial-scale=1", NULL);
	h_leaf(h, "title", NULL, strcmp(f->title, name) == 0 ? name :
	    arena_printf(s->arena, "%s · %s", f->title, name));
	/*
	 * First what the browser has to fetch, so that it begins before it has read the rest of
	 * the head.
	 */
	h_one(h, "link", "rel", "stylesheet", "href", view_asset(s, "site.css"), NULL);
	if (*look_css(s) != '\0')
		h_one(h, "link", "rel", "stylesheet", "href", look_href(s), NULL);
	script(s, h);
	meta(h, "name", "description", frame_about(s, f));
	if (f->canonical != NULL)
		h_one(h, "link", "rel", "canonical", "href", f->canonical, NULL);
	else
		meta(h, "name", "robots", "noindex");
	if (f->page != NULL && s->v.site.agents)
		h_one(h, "link", "rel", "alternate", "type", "text/markdown", "href",
		    view_local(s, view_markdown_href(s, s->v.space, f->page)), NULL);
	alternates(s, h, f);
	open_graph(s, h, f);
	icon_link(s, h);
	structured(s, h, f);
	h_close(h);
}

/* ---- header ---- */

/*
 * Links that lead nowhere for this visitor are headings over those below them. depth bounds what
 * an author nested.
 */
static void
look_links(struct view *s, struct html *h, const struct look_link *l, int depth)
{
	h_open(h, "ul");
	for (; l != NULL; l = l->next) {
		bool button = l->style != NULL && strncmp(l->style, "button", 6) == 0;
		h_open(h, "li");
		if (l->href != NULL && h_url_safe(l->href)) {
			h_open(h, "a");
			h_url(h, "href", view_local(s, l->href));
			h_attr(h, "class", button ? strcmp(l->style, "button-primary") == 0 ? "btn primary" : "btn" : NULL);
			h_text(h, l->title);
			h_close(h);
		} else {
			h_leaf(h, "span", NULL, l->title);
		}
		if (l->first != NULL && depth < 3)
			look_links(s, h, l->first, depth + 1);
		h_close(h);
	}
	h_close(h);
}

static void
logo(struct view *s, struct html *h)
{
	const struct look_pair *l = &s->look->logo;

	h_open(h, "a");
	h_attr(h, "class", "home");
	h_url(h, "href", s->v.site.base_path);
	/* Both pictures are in the page and the style sheet shows one, as for images of documents. */
	if (l->light != NULL && h_url_safe(l->light)) {
		bool two = l->dark != NULL && h_url_safe(l->dark) && strcmp(l->dark, l->light) != 0;
		h_one(h, "img", "src", view_local(s, l->light), "alt", site_title(s), "class", two ? "day" : NULL, NULL);
		if (two)
			h_one(h, "img", "src", view_local(s, l->dark), "alt", site_title(s), "class", "night", NULL);
	} else {
		h_text(h, site_title(s));
	}
	h_close(h);
}

static void
search_form(struct view *s, struct html *h, const struct frame *f)
{
	/* A form that works without script; the script shows hits while the reader types. */
	h_el(h, "form", "role", "search", "action", view_own(s, "~search"), NULL);
	h_one(h, "input", "type", "search", "name", "q", "value", f->query, "placeholder", say_in(s, TEXT_SEARCH),
	    "aria-label", say_in(s, TEXT_SEARCH), "autocomplete", "off", "maxlength", "512", NULL);
	h_close(h);
}

static void
announcement(struct view *s, struct html *h)
{
	const struct look *l = s->look;

	if (l->announcement == NULL)
		return;
	h_el(h, "p", "class", arena_printf(s->arena, "news %s",
	    same_text(l->announcement_style, "warning") ? "warning" : same_text(l->announcement_style, "danger") ?
	    "danger" : same_text(l->announcement_style, "success") ? "success" : "info"), NULL);
	h_text(h, l->announcement);
	/* Addresses of customization come from people, like those of pages. */
	if (l->announcement_link != NULL && h_url_safe(l->announcement_link->href)) {
		h_text(h, " ");
		h_open(h, "a");
		h_url(h, "href", view_local(s, l->announcement_link->href));
		h_text(h, l->announcement_link->title);
		h_close(h);
	}
	h_close(h);
}

/* One heading needs no outline. */
static bool
has_outline(const struct frame *f)
{
	return f->made != NULL && f->made->outline_count > 1 && !f->plain;
}

static void
header(struct view *s, struct html *h, const struct frame *f)
{
	h_el(h, "header", "class", "top", NULL);
	announcement(s, h);
	h_el(h, "div", "class", "row", NULL);
	logo(s, h);
	search_form(s, h, f);
	if (s->look->header != NULL) {
		h_el(h, "nav", "class", "links", "aria-label", site_title(s), NULL);
		look_links(s, h, s->look->header, 0);
		h_close(h);
	}
	h_close(h);
	nav_sections(s, h);
	if (!f->plain) {
		h_el(h, "div", "class", "bar", NULL);
		/* The link that opens the table of contents on a phone (see above). */
		h_el(h, "a", "href", "#~toc", NULL);
		h_text(h, say_in(s, TEXT_MENU));
		h_close(h);
		if (has_outline(f)) {
			h_el(h, "a", "href", "#~outline", NULL);
			h_text(h, say_in(s, TEXT_OUTLINE));
			h_close(h);
		}
		h_close(h);
	}
	h_close(h);
}

/* ---- around the text ---- */

static void
contents(struct view *s, struct html *h, const struct frame *f)
{
	if (f->plain)
		return;
	h_el(h, "nav", "class", "toc", "id", "~toc", "aria-label", say_in(s, TEXT_MENU), NULL);
	nav_variants(s, h);
	nav_contents(s, h, f->page);
	h_close(h);
}

static void
outline(struct view *s, struct html *h, const struct frame *f)
{
	if (!has_outline(f))
		return;
	h_el(h, "nav", "class", "outline", "id", "~outline", "aria-labelledby", "~on", NULL);
	h_el(h, "p", "id", "~on", NULL);
	h_text(h, say_in(s, TEXT_OUTLINE));
	h_close(h);
	h_open(h, "ul");
	for (size_t i = 0; i < f->made->outline_count; i++) {
		const struct render_heading *o = &f->made->outline[i];
		h_el(h, "li", "class", o->level > 1 ? "sub" : NULL, NULL);
		h_el(h, "a", "href", arena_printf(s->arena, "#%s", o->anchor), NULL);
		h_text(h, o->text);
		h_close(h);
		h_close(h);
	}
	h_close(h);
	h_close(h);
}

/* href NULL: there is no such link. */
static void
end_link(struct view *s, struct html *h, const char *href, enum text text)
{
	if (href == NULL || !h_url_safe(href))
		return;
	h_open(h, "a");
	h_url(h, "href", href);
	h_text(h, say_in(s, text));
	h_close(h);
}

static void
page_end(struct view *s, struct html *h, const struct frame *f)
{
	struct source at;
	char when[25];

	if (f->page == NULL)
		return;
	h_el(h, "div", "class", "end", NULL);
	if (f->page->node.at > 0) {
		time_format(f->page->node.at, when);
		/* The day alone: the hour would be that of UTC. */
		when[10] = '\0';
		h_el(h, "span", NULL);
		h_text(h, say_in(s, TEXT_UPDATED));
		h_text(h, " ");
		h_el(h, "time", "datetime", when, NULL);
		h_text(h, when);
		h_close(h);
		h_close(h);
	}
	source_of_page(s, f->page, &at);
	end_link(s, h, at.edit, TEXT_EDIT);
	end_link(s, h, at.report, TEXT_REPORT);
	if (s->v.site.agents && s->look->markdown_action)
		end_link(s, h, view_local(s, view_markdown_href(s, s->v.space, f->page)), TEXT_MARKDOWN);
	h_close(h);
	if (s->look->pagination)
		nav_around(s, h, f->page);
}

static void
footer(struct view *s, struct html *h)
{
	if (s->look->footer == NULL && s->look->copyright == NULL && s->look->privacy_url == NULL)
		return;
	h_el(h, "footer", "class", "foot", NULL);
	if (s->look->footer != NULL)
		look_links(s, h, s->look->footer, 0);
	if (s->look->copyright != NULL)
		h_leaf(h, "p", NULL, s->look->copyright);
	h_close(h);
}

static void
article(struct view *s, struct html *h, const struct frame *f)
{
	/* The target of the link that skips the header. */
	h_el(h, "main", "id", "~main", NULL);
	h_el(h, "article", "class", f->made != NULL && f->made->wide ? "broad" : NULL, NULL);
	nav_crumbs(s, h, f->page);
	h_leaf(h, "h1", NULL, f->title);
	if (f->about != NULL)
		h_leaf(h, "p", "lead", f->about);
	/* Written by the renderer or this room with html.h, so it is escaped already. */
	h_raw(h, f->content);
	h_close(h);
	page_end(s, h, f);
	h_close(h);
}

/* A site that nobody customized follows the reader's system. */
static const char *
theme(const struct view *s)
{
	const char *t = s->v.site.customization != NULL ? s->look->theme_default : NULL;

	return same_text(t, "dark") || same_text(t, "light") ? t : NULL;
}

void
frame_write(struct view *s, struct buf *out, const struct frame *f)
{
	struct html doc, *h = &doc;

	h_init(h, out);
	/* Without it browsers show the page in quirks mode. */
	buf_str(out, "<!doctype html>\n");
	h_el(h, "html", "lang", s->tag, "dir", s->rtl ? "rtl" : NULL, "data-theme", theme(s), NULL);
	head(s, h, f);
	h_el(h, "body", "class", f->plain ? "plain" : NULL, NULL);
	/* The first thing that has the focus: readers by keyboard skip the header (WCAG 2.4.1). */
	h_el(h, "a", "class", "skip", "href", "#~main", NULL);
	h_text(h, say_in(s, TEXT_SKIP));
	h_close(h);
	header(s, h, f);
	h_el(h, "div", "class", "page", NULL);
	/* Before the article in the source, as it is read; the style sheet puts it beside. */
	contents(s, h, f);
	article(s, h, f);
	outline(s, h, f);
	h_close(h);
	footer(s, h);
	h_close(h);
	h_close(h);
	buf_char(out, '\n');
}
