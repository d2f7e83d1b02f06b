/*
 * The frame of every page: header, table of contents, outline, footer. It works without script: on
 * a phone, a link to the id of the table of contents or the outline opens it, since the style sheet
 * shows the target of the address.
 *
 * Ids of the frame begin with "~", which anchors of headings never do.
 */
#include "base/secret.h"
#include "base/url.h"
#include "reader_parts.h"

/* ---- header ---- */

/* Write a link of the customization, or text if the link has no target for this visitor. */
static void
look_link(struct view *s, struct html *h, const struct look_link *l)
{
	bool button = l->style != NULL && strncmp(l->style, "button", 6) == 0;

	if (l->href == NULL || !h_url_safe(l->href)) {
		h_leaf(h, "span", NULL, l->title);
		return;
	}
	h_open(h, "a");
	h_url(h, "href", view_local(s, l->href));
	h_attr(h, "class", button ? strcmp(l->style, "button-primary") == 0 ? "btn primary" : "btn" : NULL);
	h_text(h, l->title);
	h_close(h);
}

/* Write a list of links, each with those below it; depth bounds the nesting. */
static void
look_links(struct view *s, struct html *h, const struct look_link *l, int depth)
{
	/* HTML allows no empty lists. */
	if (l == NULL)
		return;
	h_open(h, "ul");
	for (; l != NULL; l = l->next) {
		h_open(h, "li");
		look_link(s, h, l);
		if (l->first != NULL && depth < 3)
			look_links(s, h, l->first, depth + 1);
		h_close(h);
	}
	h_close(h);
}

/*
 * Write a link of the header. A link with further links below it is a menu of <details>, which
 * opens without script; its own target is the first entry. All menus have the same name, so that
 * opening one closes the others.
 */
static void
header_menu(struct view *s, struct html *h, const struct look_link *l)
{
	struct look_link own = *l;

	own.first = NULL;
	own.style = NULL;
	own.next = l->first;
	h_el(h, "details", "class", "menu", "name", "menu", NULL);
	h_leaf(h, "summary", NULL, l->title);
	look_links(s, h, l->href != NULL ? &own : l->first, 0);
	h_close(h);
}

static void
header_links(struct view *s, struct html *h, const struct look_link *l)
{
	if (l == NULL)
		return;
	h_open(h, "ul");
	for (; l != NULL; l = l->next) {
		h_open(h, "li");
		if (l->first != NULL)
			header_menu(s, h, l);
		else
			look_link(s, h, l);
		h_close(h);
	}
	h_close(h);
}

/*
 * Links to accounts on other services, shown by the icons of their platforms, or by name if there
 * is no icon.
 */
static void
social_links(struct view *s, struct html *h, const struct look_link *l)
{
	struct str sign;

	if (l == NULL)
		return;
	h_el(h, "ul", "class", "social", NULL);
	for (; l != NULL; l = l->next) {
		sign = icon_drawn(s, l->icon);
		h_open(h, "li");
		h_open(h, "a");
		h_url(h, "href", l->href);
		h_attr(h, "rel", "me noopener");
		h_attr(h, "aria-label", sign.p != NULL ? l->title : NULL);
		h_attr(h, "title", sign.p != NULL ? l->title : NULL);
		if (sign.p != NULL)
			h_raw(h, sign);
		else
			h_text(h, l->title);
		h_close(h);
		h_close(h);
	}
	h_close(h);
}

/*
 * Write the pictures for the light and the dark theme; the style sheet shows one of them. False if
 * there are none.
 */
static bool
themed_picture(struct view *s, struct html *h, const struct look_pair *l, const char *alt, const char *class)
{
	bool two;

	if (l->light == NULL || !h_url_safe(l->light))
		return false;
	two = l->dark != NULL && h_url_safe(l->dark) && strcmp(l->dark, l->light) != 0;
	h_one(h, "img", "src", view_local(s, l->light), "alt", alt, "class",
	    two ? arena_printf(s->arena, "day %s", class) : *class != '\0' ? class : NULL, NULL);
	if (two)
		h_one(h, "img", "src", view_local(s, l->dark), "alt", alt, "class",
		    arena_printf(s->arena, "night %s", class), NULL);
	return true;
}

static void
write_logo(struct view *s, struct html *h)
{
	const struct look_pair *l = &s->look->logo;

	h_open(h, "a");
	h_attr(h, "class", "home");
	h_url(h, "href", s->look->home != NULL && h_url_safe(s->look->home) ? view_local(s, s->look->home) :
	    s->v.site.base_path);
	if (!themed_picture(s, h, l, view_title(s), ""))
		h_text(h, view_title(s));
	h_close(h);
}

static void
search_form(struct view *s, struct html *h, const struct frame *f)
{
	/*
	 * A form, so that search works without script; the script shows hits while the reader
	 * types.
	 */
	h_el(h, "form", "role", "search", "action", view_own(s, "~search"), NULL);
	h_one(h, "input", "type", "search", "name", "q", "value", f->query, "placeholder", say_in(s, TEXT_SEARCH),
	    "aria-label", say_in(s, TEXT_SEARCH), "autocomplete", "off", "maxlength", "512", NULL);
	/* If there are variants, hits in the reader's own variant come first (search_page.c). */
	if (nav_has_variants(s))
		h_one(h, "input", "type", "hidden", "name", "in", "value", s->v.space->id, NULL);
	h_close(h);
}

static void
write_announcement(struct view *s, struct html *h)
{
	const struct look *l = s->look;

	if (l->announcement == NULL)
		return;
	h_el(h, "p", "class", arena_printf(s->arena, "news %s",
	    same_text(l->announcement_style, "warning") ? "warning" : same_text(l->announcement_style, "danger") ?
	    "danger" : same_text(l->announcement_style, "success") ? "success" : "info"), NULL);
	h_text(h, l->announcement);
	/* Check addresses of the customization like those of pages: people write both. */
	if (l->announcement_link != NULL && h_url_safe(l->announcement_link->href)) {
		h_text(h, " ");
		h_open(h, "a");
		h_url(h, "href", view_local(s, l->announcement_link->href));
		h_text(h, l->announcement_link->title);
		h_close(h);
	}
	h_close(h);
}

const char *
news_hash(struct view *s)
{
	const struct look *l = s->look;
	unsigned char tag[TAG_BYTES];

	if (l->announcement == NULL)
		return NULL;
	tag_bytes(str_of(arena_printf(s->arena, "%s\n%s", l->announcement,
	    l->announcement_link != NULL ? l->announcement_link->title : "")), tag);
	return arena_printf(s->arena, "%.8s", hex(s->arena, (struct str){ (const char *)tag, sizeof(tag) }));
}

/* A single heading needs no outline. */
static bool
has_outline(const struct frame *f)
{
	return f->made != NULL && f->made->outline_count > 1 && !f->plain && !(f->hides & HIDE_OUTLINE);
}

static void
write_header(struct view *s, struct html *h, const struct frame *f)
{
	h_el(h, "header", "class", "top", NULL);
	write_announcement(s, h);
	h_el(h, "div", "class", "row", NULL);
	write_logo(s, h);
	search_form(s, h, f);
	if (s->look->header != NULL || s->look->social_header != NULL) {
		h_el(h, "nav", "class", "links", "aria-label", view_title(s), NULL);
		header_links(s, h, s->look->header);
		social_links(s, h, s->look->social_header);
		h_close(h);
	}
	nav_variants(s, h, f->page);
	h_close(h);
	nav_sections(s, h);
	/*
	 * Leave out the bar if the page has neither a table of contents nor an outline, which the
	 * bar opens on a phone.
	 */
	if (!f->plain && (!(f->hides & HIDE_CONTENTS) || has_outline(f))) {
		h_el(h, "div", "class", "bar", NULL);
		/* The link that opens the table of contents on a phone (see the top of this file). */
		if (!(f->hides & HIDE_CONTENTS)) {
			h_el(h, "a", "href", "#~toc", NULL);
			h_text(h, say_in(s, TEXT_MENU));
			h_close(h);
		}
		if (has_outline(f)) {
			h_el(h, "a", "href", "#~outline", NULL);
			h_text(h, say_in(s, TEXT_OUTLINE));
			h_close(h);
		}
		h_close(h);
	}
	h_close(h);
}

/* ---- beside the text ---- */

/*
 * Write the link that closes the table of contents or outline. The style sheet shows it while the
 * address names the opened part. Its target "#~" is the id of no element, so following it closes
 * the part without script.
 */
static void
write_shut(struct view *s, struct html *h)
{
	h_el(h, "a", "class", "shut", "href", "#~", NULL);
	h_text(h, say_in(s, TEXT_CLOSE));
	h_close(h);
}

static void
write_contents(struct view *s, struct html *h, const struct frame *f)
{
	if (f->plain || (f->hides & HIDE_CONTENTS))
		return;
	h_el(h, "nav", "class", "toc", "id", "~toc", "aria-label", say_in(s, TEXT_MENU), NULL);
	write_shut(s, h);
	nav_contents(s, h, f->page);
	h_close(h);
}

static void
write_outline(struct view *s, struct html *h, const struct frame *f)
{
	int top = 2;

	if (!has_outline(f))
		return;
	h_el(h, "nav", "class", "outline", "id", "~outline", "aria-labelledby", "~on", NULL);
	write_shut(s, h);
	h_el(h, "p", "id", "~on", NULL);
	h_text(h, say_in(s, TEXT_OUTLINE));
	h_close(h);
	h_open(h, "ul");
	/* Indent relative to the highest level that occurs. */
	for (size_t i = 0; i < f->made->outline_count; i++)
		if (f->made->outline[i].level < top)
			top = f->made->outline[i].level;
	for (size_t i = 0; i < f->made->outline_count; i++) {
		const struct render_heading *o = &f->made->outline[i];
		h_el(h, "li", "class", o->level > top ? "sub" : NULL, NULL);
		h_el(h, "a", "href", arena_printf(s->arena, "#%s", o->anchor), NULL);
		h_text(h, o->text);
		h_close(h);
		h_close(h);
	}
	h_close(h);
	h_close(h);
}

/* Write a link of the page's end, unless href is NULL. */
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

/* Write when the page was last changed and its links to other forms. */
static void
page_facts(struct view *s, struct html *h, const struct frame *f)
{
	struct source at;
	char when[25];

	h_el(h, "div", "class", "end", NULL);
	if (f->page->node.at > 0) {
		time_format(f->page->node.at, when);
		/* Show only the day: the hour would be in UTC. */
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
	if (f->made != NULL && f->made->updates && !s->w->copy) {
		h_el(h, "a", "href", view_local(s, arena_printf(s->arena, "%s/rss.xml", visit_below(&s->v, s->v.space, f->page->path))), NULL);
		h_raw(h, icon_drawn(s, "rss"));
		h_text(h, " RSS");
		h_close(h);
	}
	h_close(h);
}

/* Writes a hidden field of a form. */
static void
hidden_field(struct html *h, const char *name, const char *value)
{
	h_one(h, "input", "type", "hidden", "name", name, "value", value, NULL);
}

/*
 * Writes the question whether the page was helpful (count.c). Without script, the answer redirects
 * back to the note of thanks.
 */
static void
rate_page(struct view *s, struct html *h, const struct frame *f)
{
	h_el(h, "form", "class", "rate", "method", "post", "action", view_own(s, "~count"), NULL);
	hidden_field(h, "form", "1");
	hidden_field(h, "event", "page_post_feedback");
	hidden_field(h, "space", s->v.space->id);
	hidden_field(h, "page", f->page->node.id);
	h_leaf(h, "span", NULL, say_in(s, TEXT_HELPFUL));
	h_el(h, "button", "name", "rating", "value", "good", NULL);
	h_text(h, say_in(s, TEXT_YES));
	h_close(h);
	h_el(h, "button", "name", "rating", "value", "bad", NULL);
	h_text(h, say_in(s, TEXT_NO));
	h_close(h);
	h_close(h);
	h_el(h, "p", "id", "~thanks", "class", "thanks", "role", "status", NULL);
	h_text(h, say_in(s, TEXT_THANKS));
	h_close(h);
}

static void
page_end(struct view *s, struct html *h, const struct frame *f)
{
	if (f->page == NULL)
		return;
	if (s->look->feedback && !s->w->copy && !(f->hides & HIDE_METADATA))
		rate_page(s, h, f);
	if (!(f->hides & HIDE_METADATA))
		page_facts(s, h, f);
	if (s->look->pagination && !(f->hides & HIDE_PAGINATION))
		nav_around(s, h, f->page);
}

static void
write_footer(struct view *s, struct html *h)
{
	const struct look_pair *sign = &s->look->footer_logo;

	if (s->look->footer == NULL && s->look->copyright == NULL && s->look->privacy_url == NULL && sign->light == NULL &&
	    s->look->social_footer == NULL && !s->look->trademark)
		return;
	h_el(h, "footer", "class", "foot", NULL);
	/* Decorative: the header names the site. */
	themed_picture(s, h, sign, "", "");
	if (s->look->footer != NULL)
		look_links(s, h, s->look->footer, 0);
	social_links(s, h, s->look->social_footer);
	if (s->look->copyright != NULL)
		h_leaf(h, "p", NULL, s->look->copyright);
	if (s->look->privacy_url != NULL && h_url_safe(s->look->privacy_url)) {
		h_open(h, "p");
		end_link(s, h, s->look->privacy_url, TEXT_PRIVACY);
		h_close(h);
	}
	/* A name is not translated. */
	if (s->look->trademark)
		h_leaf(h, "p", NULL, "Octavo");
	h_close(h);
}

/*
 * A decorative picture without alternative text. It is the largest element that is visible first,
 * so load it at once.
 */
static void
cover_picture(struct html *h, const char *src, const char *variants, const char *class)
{
	if (variants != NULL) {
		h_open(h, "picture");
		h_one(h, "source", "type", "image/webp", "srcset", variants, "sizes", "(max-width: 55rem) 100vw, 70rem", NULL);
	}
	h_one(h, "img", "src", src, "alt", "", "class", class, "fetchpriority", "high", NULL);
	if (variants != NULL)
		h_close(h);
}

static void
write_cover(struct view *s, struct html *h, const struct frame *f)
{
	const struct look_pair *c = &f->cover;
	bool two = c->light != NULL && c->dark != NULL && strcmp(c->dark, c->light) != 0;

	if (c->light == NULL)
		return;
	cover_picture(h, view_local(s, c->light), f->cover_variants.light, two ? "day cover" : "cover");
	if (two)
		cover_picture(h, view_local(s, c->dark), f->cover_variants.dark, "night cover");
}

static void
write_article(struct view *s, struct html *h, const struct frame *f)
{
	/* Target of the link that skips the header. */
	h_el(h, "main", "id", "~main", NULL);
	h_el(h, "article", "class", f->wide || (f->made != NULL && f->made->wide) ? "broad" : NULL, NULL);
	write_cover(s, h, f);
	nav_crumbs(s, h, f->page);
	page_actions(s, h, f);
	/* A hidden title stays in the page for screen readers (WCAG 2.4.2). */
	h_el(h, "h1", "class", f->hides & HIDE_TITLE ? "sr" : NULL, NULL);
	/* The sprite contains icons of listed pages only. */
	if (f->page != NULL && view_page(s, f->page->node.id) != NULL)
		icon_shown(s, h, page_icon(f->page));
	else if (f->page != NULL)
		h_raw(h, icon_drawn(s, page_icon(f->page)));
	h_text(h, f->title);
	h_close(h);
	if (f->about != NULL && !(f->hides & HIDE_DESCRIPTION))
		h_leaf(h, "p", "lead", f->about);
	/* The renderer, or this room by html.h, has escaped it. */
	h_raw(h, f->content);
	h_close(h);
	page_end(s, h, f);
	h_close(h);
}

/*
 * Writes the bar of a preview: which change request it shows, and what it does not show. The site has
 * no page without a preview unless it is published, so the link that ends the preview is omitted then.
 */
static void
write_preview_bar(struct view *s, struct html *h)
{
	const struct previewed_request *p = s->v.request;

	if (p == NULL)
		return;
	h_el(h, "aside", "class", "preview", "aria-label", say_in(s, TEXT_PREVIEW_OF), NULL);
	h_text(h, say_in(s, TEXT_PREVIEW_OF));
	h_text(h, " ");
	if (s->w->set->app)
		h_el(h, "a", "dir", "auto", "href", url_make(s->arena, s->w->set, "/app/spaces/%s/requests/%lld", p->space,
		    (long long)p->number), NULL);
	else
		h_el(h, "bdi", NULL);
	h_text(h, arena_printf(s->arena, "#%lld %s", (long long)p->number, p->subject));
	h_close(h);
	h_text(h, " · ");
	h_text(h, say_in(s, TEXT_PREVIEW_SEARCH));
	if (s->v.site.published_at != 0) {
		h_text(h, " ");
		h_el(h, "a", "href", view_own(s, "?jwt_token="), NULL);
		h_text(h, say_in(s, TEXT_END_PREVIEW));
		h_close(h);
	}
	h_close(h);
}

/* NULL for "system": then the style sheet follows the reader's system. */
static const char *
theme_class(const struct view *s)
{
	const char *t = s->look->theme_default;

	return same_text(t, "dark") || same_text(t, "light") ? t : NULL;
}

void
frame_write(struct view *s, struct buf *out, const struct frame *f)
{
	struct html doc, *h = &doc;

	h_init(h, out);
	/* Without a doctype browsers use quirks mode. */
	buf_str(out, "<!doctype html>\n");
	h_el(h, "html", "lang", s->tag, "dir", s->rtl ? "rtl" : NULL, "data-theme", theme_class(s), NULL);
	head_write(s, h, f);
	h_el(h, "body", "class", f->plain ? "plain" : NULL, NULL);
	/* This link is the first in the focus order, so that keyboard users can skip the header (WCAG 2.4.1). */
	h_el(h, "a", "class", "skip", "href", "#~main", NULL);
	h_text(h, say_in(s, TEXT_SKIP));
	h_close(h);
	write_header(s, h, f);
	h_el(h, "div", "class", "page", NULL);
	/*
	 * The contents precede the article in reading order; the style sheet puts them beside it.
	 */
	write_contents(s, h, f);
	write_article(s, h, f);
	write_outline(s, h, f);
	h_close(h);
	write_footer(s, h);
	write_preview_bar(s, h);
	h_close(h);
	h_close(h);
	buf_char(out, '\n');
}
