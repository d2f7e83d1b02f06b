/*
 * Makes blocks from gumbo's HTML elements, for the HTML blocks of a page and for table cells. The
 * content of an element is divided into runs (struct run): elements that are blocks become nodes,
 * and the inlines between them become paragraphs.
 */
#include <stdlib.h>

#include "../doc_parse.h"

/* Distance within which words beside a picture are searched. */
enum { NEAR = 32 };

/* True if the element contains a block or a box at any depth. */
static bool
holds_block(const GumboNode *n, unsigned depth)
{
	const GumboVector *v = &n->v.element.children;
	const GumboNode *x;

	for (unsigned i = 0; n->type == GUMBO_NODE_ELEMENT && i < v->length && depth < DOC_DEPTH; i++) {
		x = v->data[i];
		if (x->type == GUMBO_NODE_ELEMENT && ((html_parts_text(html_class(html_name(x))) && !html_is(x, "picture")) ||
		    html_is(x, "hr") || holds_block(x, depth + 1)))
			return true;
	}
	return false;
}

/* HTML says left and right, the schema start and end. */
static const char *
align_from_html(struct str s)
{
	static const char *const names[][2] = { { "left", "start" }, { "start", "start" }, { "center", "center" },
		{ "middle", "center" }, { "right", "end" }, { "end", "end" } };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (str_is_nocase(s, names[i][0]))
			return names[i][1];
	return NULL;
}

const char *
html_align(const GumboNode *n)
{
	const char *align = html_attr(n, "align"), *style = html_attr(n, "style");

	if (align != NULL)
		return align_from_html(str_trim(str_of(align)));
	style = style == NULL ? NULL : strstr(style, "text-align:");
	if (style != NULL)
		return align_from_html(str_trim((struct str){ style + 11, strcspn(style + 11, ";!") }));
	return html_is(n, "center") ? "center" : NULL;
}

/* Sets the element's own alignment, or that of the box around it. */
static void
set_align(struct conv *c, struct doc_node *n, const GumboNode *e)
{
	const char *align = html_align(e);

	doc_set_str(c->a, n, "align", align != NULL ? align : c->align);
}

/* Node with the children of e as inlines; its child is NULL if they show nothing. */
static struct doc_node *
inline_block(struct conv *c, const GumboNode *e, enum doc_type type)
{
	struct doc_node *n = doc_node(c->a, type);
	struct inl in;

	inline_begin(&in, c, n);
	for (unsigned i = 0; i < e->v.element.children.length; i++)
		inline_element(&in, e->v.element.children.data[i]);
	inline_end(&in);
	inline_trim(n);
	return n;
}

/* Reads a length: "375" is a number, and "50%" keeps its unit. */
static const char *
read_length(struct arena *a, const char *s)
{
	char *end;
	double v = s == NULL ? 0 : strtod(s, &end);

	if (s == NULL || end == s || !(v > 0 && v < 1e6))
		return NULL;
	return *end == '%' ? arena_printf(a, "{\"value\":%.15g,\"unit\":\"%%\"}", v) : arena_printf(a, "%.15g", v);
}

static struct doc_node *caption_of(struct conv *c, const GumboNode *e);

/* Image of a figure, picture or img; NULL if there is none. */
static struct doc_node *
read_image(struct conv *c, const GumboNode *e)
{
	const GumboNode *img = html_is(e, "img") ? e : html_child(e, "img");
	const GumboNode *dark = html_is(e, "img") ? NULL : html_child(e, "source");
	const GumboNode *caption = html_is(e, "img") ? NULL : html_child(e, "figcaption");
	struct doc_node *n, *text;

	if (img == NULL || html_attr(img, "src") == NULL)
		return NULL;
	n = doc_node(c->a, DOC_IMAGE);
	/*
	 * The tree has a member for a source for dark mode only; other sources are sizes of the
	 * same picture, and are left out.
	 */
	if (dark != NULL && html_attr(dark, "srcset") != NULL && html_attr(dark, "media") != NULL &&
	    strstr(html_attr(dark, "media"), "dark") != NULL)
		doc_set_ref(c->a, n, "refDark", conv_file(c, str_of(html_attr(dark, "srcset"))));
	doc_set_ref(c->a, n, "ref", conv_file(c, str_of(html_attr(img, "src"))));
	doc_set_json(c->a, n, "width", read_length(c->a, html_attr(img, "width")));
	doc_set_json(c->a, n, "height", read_length(c->a, html_attr(img, "height")));
	if (html_attr(img, "alt") != NULL && *html_attr(img, "alt") != '\0')
		doc_set_str(c->a, n, "alt", html_attr(img, "alt"));
	if (caption != NULL) {
		text = caption_of(c, caption);
		if (text->child != NULL)
			doc_append(doc_fragment(c->a, n, "caption"), text);
	}
	return n;
}

/* Reads <img class="gitbook-drawing">, which becomes a drawing block; NULL: this is no drawing. */
static struct doc_node *
read_drawing(struct conv *c, const GumboNode *e)
{
	const GumboNode *img = html_is(e, "img") ? e : html_child(e, "img");
	const char *class = img == NULL ? NULL : html_attr(img, "class");
	struct doc_target *t;
	struct doc_node *n;

	if (class == NULL || strstr(class, "gitbook-drawing") == NULL || html_attr(img, "src") == NULL)
		return NULL;
	t = conv_file(c, str_of(html_attr(img, "src")));
	n = doc_node(c->a, DOC_DRAWING);
	/* The reference can only name a file; any other address is kept as a separate attribute. */
	if (t->ref.kind == REF_FILE)
		doc_set_ref(c->a, n, "ref", t);
	else
		doc_set_str(c->a, n, "url", t->ref.url);
	if (html_attr(img, "alt") != NULL && *html_attr(img, "alt") != '\0')
		doc_set_str(c->a, n, "alt", html_attr(img, "alt"));
	return n;
}

/* Reads an element that contains only images. NULL: none of them has a source. */
static struct doc_node *
read_gallery(struct conv *c, const GumboNode *div)
{
	struct doc_node *images = doc_node(c->a, DOC_IMAGES), *n;
	const GumboVector *v = &div->v.element.children;
	const char *align = html_align(div);

	if (align != NULL)
		doc_set_str(c->a, images, "align", strcmp(align, "start") == 0 ? "left" : strcmp(align, "end") == 0 ? "right" : align);
	if (html_attr(div, "data-full-width") != NULL)
		doc_set_bool(c->a, images, "fullWidth", strcmp(html_attr(div, "data-full-width"), "false") != 0);
	if (html_attr(div, "data-with-frame") != NULL)
		doc_set_bool(c->a, images, "withFrame", strcmp(html_attr(div, "data-with-frame"), "false") != 0);
	for (unsigned i = 0; i < v->length; i++)
		if (!html_blank(v->data[i]) && (n = read_image(c, v->data[i])) != NULL)
			doc_append(images, n);
	return images->child == NULL ? NULL : images;
}

/* Add a list item; one that is empty in HTML gets an empty paragraph, as the schema requires. */
static struct doc_node *
add_item(struct conv *c, struct doc_node *l)
{
	struct doc_node *item = doc_node(c->a, DOC_LIST_ITEM);

	doc_append(l, item);
	return item;
}

/* Add content beside the items: a list goes into the item before, anything else becomes an item. */
static void
add_stray(struct conv *c, struct doc_node *l, const GumboNode *e, unsigned level)
{
	bool inner = l->last != NULL && (html_is(e, "ul") || html_is(e, "ol"));
	void *one = (void *)(uintptr_t)e;
	GumboVector v = { .data = &one, .length = 1, .capacity = 1 };
	struct doc_node *item = inner ? l->last : doc_node(c->a, DOC_LIST_ITEM);

	html_blocks(c, &v, item, level + 2);
	if (!inner && item->child != NULL)
		doc_append(l, item);
}

/* The checkbox that an item begins with, alone or in its paragraph; NULL: none. */
static const GumboNode *
checkbox_of(const GumboNode *item)
{
	const GumboVector *v = &item->v.element.children;
	const char *type;

	for (unsigned i = 0; i < v->length; i++) {
		const GumboNode *n = v->data[i];

		if (html_blank(n) || n->type == GUMBO_NODE_COMMENT)
			continue;
		if (html_is(n, "p"))
			return checkbox_of(n);
		type = html_is(n, "input") ? html_attr(n, "type") : NULL;
		return type != NULL && strcasecmp(type, "checkbox") == 0 ? n : NULL;
	}
	return NULL;
}

/* Reads <ul> or <ol>; NULL: it has no items. */
static struct doc_node *
read_list(struct conv *c, const GumboNode *e, unsigned level)
{
	struct doc_node *l = doc_node(c->a, html_is(e, "ol") ? DOC_LIST_ORDERED : DOC_LIST_UNORDERED), *item;
	const GumboVector *v = &e->v.element.children;
	const char *start = html_attr(e, "start");
	const GumboNode *box;

	/*
	 * 1 is the default; a number of more than nine digits cannot be written as Markdown
	 * (CommonMark 5.2).
	 */
	if (l->type == DOC_LIST_ORDERED && start != NULL && strtol(start, NULL, 10) > 1 && strtol(start, NULL, 10) < 1000000000)
		doc_set_num(c->a, l, "start", (double)strtol(start, NULL, 10));
	for (unsigned i = 0; i < v->length; i++) {
		if (!html_is(v->data[i], "li")) {
			if (!html_blank(v->data[i]) && ((const GumboNode *)v->data[i])->type != GUMBO_NODE_COMMENT)
				add_stray(c, l, v->data[i], level);
			continue;
		}
		/* Two levels: list and item. */
		item = add_item(c, l);
		if (l->type != DOC_LIST_ORDERED && (box = checkbox_of(v->data[i])) != NULL) {
			l->type = DOC_LIST_TASKS;
			c->box = box;
			doc_set_bool(c->a, item, "checked", html_attr(box, "checked") != NULL);
		}
		html_inside(c, v->data[i], item, level + 2);
		if (item->child == NULL)
			doc_append(item, doc_node(c->a, DOC_PARAGRAPH));
	}
	return l->child == NULL ? NULL : l;
}

/* An unknown style becomes info. There is no warning, since programs write this form. */
static struct doc_node *
read_hint(struct conv *c, const GumboNode *e)
{
	struct doc_node *n = doc_node(c->a, DOC_HINT);
	const char *style = html_attr(e, "data-style");

	doc_set_str(c->a, n, "style", style != NULL && doc_in_set("info,warning,danger,success", style) ? style : "info");
	return n;
}

void
html_title(struct conv *c, const GumboNode *root, struct doc_node *title)
{
	const GumboVector *v = &root->v.element.children;
	const GumboNode *x;
	struct inl in;

	inline_begin(&in, c, title);
	for (unsigned i = 0; i < v->length; i++) {
		x = v->data[i];
		for (unsigned k = 0; html_is(x, "summary") && k < x->v.element.children.length; k++)
			inline_element(&in, x->v.element.children.data[k]);
	}
	inline_end(&in);
	inline_trim(title);
}

/* <details> within an element; among a page's blocks it is a frame (doc_stream.c). */
static struct doc_node *
read_expandable(struct conv *c, const GumboNode *e, unsigned level)
{
	struct doc_node *n = doc_node(c->a, DOC_EXPANDABLE), *title = doc_node(c->a, DOC_PARAGRAPH), *body;
	const GumboVector *v = &e->v.element.children;
	GumboVector rest = { .data = arena_array(c->a, v->length + 1, sizeof(void *)) };

	if (html_attr(e, "open") != NULL)
		doc_set_bool(c->a, n, "defaultExpanded", true);
	doc_append(doc_fragment(c->a, n, "expandable-title"), title);
	html_title(c, e, title);
	for (unsigned i = 0; i < v->length; i++)
		if (!html_is(v->data[i], "summary"))
			rest.data[rest.length++] = v->data[i];
	body = doc_fragment(c->a, n, "expandable-body");
	html_blocks(c, &rest, body, level + 2);
	if (body->child == NULL)
		doc_append(body, doc_node(c->a, DOC_PARAGRAPH));
	return n;
}

/*
 * Reads a video, sound or frame as an embed or file block. An address without a scheme ("//host")
 * gets https:, which most sites have.
 */
static struct doc_node *
read_media(struct conv *c, const GumboNode *e)
{
	const char *src = html_media(e);
	struct doc_node *n;

	if (strncmp(src, "//", 2) == 0)
		src = arena_printf(c->a, "https:%s", src);
	if (!html_is(e, "iframe"))
		return file_block(c, src);
	n = doc_node(c->a, DOC_EMBED);
	doc_set_str(c->a, n, "url", src);
	return n;
}

static struct doc_node *
read_heading(struct conv *c, const GumboNode *e)
{
	int h = html_heading_level(e);
	struct doc_node *n = inline_block(c, e, h <= 2 ? DOC_HEADING_1 : h == 3 ? DOC_HEADING_2 : DOC_HEADING_3);

	/* A heading without text must show neither in the page nor in the outline. */
	if (!doc_shows(n))
		return NULL;
	/*
	 * The schema has no types for levels 5 and 6: they are a heading-3 with a level attribute
	 * (doc_low_heading()).
	 */
	if (h > 4)
		doc_set_num(c->a, n, "level", h);
	/* An <a id> in the heading takes precedence (begin_anchor_element() of doc_inline.c). */
	if (n->anchor == NULL)
		/* These attributes are the ones that write_aligned() of doc_write_table.c writes. */
		n->anchor = html_attr(e, "id") == NULL ? NULL : arena_strdup(c->a, html_attr(e, "id"));
	set_align(c, n, e);
	return n;
}

/* Fills a quote or a hint, which must not be empty. */
static struct doc_node *
fill_container(struct conv *c, struct doc_node *n, const GumboNode *e, unsigned level)
{
	html_inside(c, e, n, level + 1);
	if (n->child == NULL)
		doc_append(n, doc_node(c->a, DOC_PARAGRAPH));
	return n;
}

/* The block for an element; NULL: no block corresponds to it. */
static struct doc_node *
read_block(struct conv *c, const GumboNode *e, unsigned level)
{
	struct doc_node *n, *images;

	if (html_heading_level(e) > 0)
		return read_heading(c, e);
	if (html_is_gallery(e) && (n = read_gallery(c, e)) != NULL)
		return n;
	/* Drop a paragraph that shows nothing. */
	if (html_is(e, "p")) {
		n = inline_block(c, e, DOC_PARAGRAPH);
		set_align(c, n, e);
		return n->child == NULL ? NULL : n;
	}
	if (html_is(e, "table"))
		return grid_html(c, e, level);
	if (html_is(e, "ul") || html_is(e, "ol"))
		return read_list(c, e, level);
	if (html_is(e, "pre"))
		return html_code(c, e);
	if (html_is(e, "hr"))
		return doc_node(c->a, DOC_DIVIDER);
	if (html_is(e, "details"))
		return read_expandable(c, e, level);
	if (html_is_hint(e))
		return fill_container(c, read_hint(c, e), e, level);
	if (html_is_media(e))
		return read_media(c, e);
	if (html_is(e, "blockquote"))
		return fill_container(c, doc_node(c->a, DOC_BLOCKQUOTE), e, level);
	/* A drawing is a block of its own; an image goes into a block of images. */
	if ((n = read_drawing(c, e)) != NULL || (n = read_image(c, e)) == NULL)
		return n;
	images = doc_node(c->a, DOC_IMAGES);
	doc_append(images, n);
	return images;
}

/* Where the blocks of an element are added, and the paragraph that collects inlines. */
struct run {
	struct conv     *c;
	struct doc_node *into, *p;  /* p: NULL between paragraphs */
	struct inl       in;
	unsigned         level;     /* nesting level of the blocks */
	bool             lines;     /* only paragraphs are made; other elements with blocks count as boxes around paragraphs */
};

static void
end_paragraph(struct run *r)
{
	if (r->p == NULL)
		return;
	inline_end(&r->in);
	inline_trim(r->p);
	if (r->p->child != NULL) {
		doc_set_str(r->c->a, r->p, "align", doc_is_invisible(r->p) ? NULL : r->c->align);
		doc_append(r->into, r->p);
	}
	r->p = NULL;
}

/*
 * Adds an inline to the current paragraph. The first inline after a block begins a paragraph, but
 * white space does not.
 */
static void
add_inline(struct run *r, const GumboNode *e)
{
	if (r->p == NULL) {
		if (html_blank(e))
			return;
		r->p = doc_node(r->c->a, DOC_PARAGRAPH);
		inline_begin(&r->in, r->c, r->p);
	}
	inline_element(&r->in, e);
}

/* True if the element ends the current paragraph. If only paragraphs are made (lines), other blocks do so, too. */
static bool
opens_block(const struct run *r, const GumboNode *e)
{
	return html_is_box(e) || (r->lines && (html_is(e, "p") || html_is(e, "ul") || html_is(e, "ol") || html_is(e, "li")));
}

/* True if, seen from a picture, the line of the source ends in text. */
static bool
ends_line(const GumboNode *n, int step)
{
	struct str s, trimmed;
	size_t before;

	if (n->type != GUMBO_NODE_TEXT && n->type != GUMBO_NODE_WHITESPACE)
		return false;
	s = str_of(n->v.text.text);
	trimmed = str_trim(s);
	before = (size_t)(trimmed.p - s.p);
	s = trimmed.n == 0 ? s : step > 0 ? str_slice(s, 0, before) : str_slice(s, before + trimmed.n, s.n);
	return s.n > 0 && memchr(s.p, '\n', s.n) != NULL;
}

/* True if there are words on the picture's own line, before (step -1) or after it. */
static bool
words_beside(const GumboVector *v, unsigned i, int step)
{
	const GumboNode *x;

	for (int n = 0; n < NEAR && (i += (unsigned)step) < v->length; n++) {
		x = v->data[i];
		/* The line ends here: at a <br>, at a line end of the source, or at a block. */
		if (html_is(x, "br") || ends_line(x, step) || (x->type == GUMBO_NODE_ELEMENT && html_parts_text(html_class(html_name(x)))))
			return false;
		if (!html_blank(x) && !html_is(x, "img") && x->type != GUMBO_NODE_COMMENT)
			return true;
	}
	return false;
}

/* True if the picture is an inline: it is among words, or in a link around blocks. */
static bool
is_inline_image(const struct run *r, const GumboVector *v, unsigned i)
{
	const GumboNode *e = v->data[i];

	if (!html_is(e, "img") && !html_is(e, "picture") && !html_is(e, "figure"))
		return false;
	for (unsigned k = 0; k < r->c->wrap_count; k++)
		if (html_is(r->c->wraps[k], "a"))
			return true;
	return !html_is(e, "figure") && (words_beside(v, i, -1) || words_beside(v, i, 1));
}

static void add_nodes(struct run *r, const GumboVector *v, unsigned level);

/*
 * Adds the tag of an unknown element around blocks as a raw block, unless the blocks will be written as
 * HTML, or the tag alone would not be read back as a raw block.
 */
static void
add_tag(struct run *r, const GumboNode *e, struct str tag)
{
	struct doc_node *p;

	if (html_class(html_name(e)) != HTML_OTHER || r->c->in_html || tag.n == 0 || !raw_round_trips(r->c, tag))
		return;
	p = doc_node(r->c->a, DOC_PARAGRAPH);
	doc_raw(r->c->a, p, tag, html_visible(r->c->a, tag));
	doc_append(r->into, p);
}

/*
 * Adds the content of a box, or of an inline element that contains blocks: then each block gets its
 * mark or link.
 */
static void
add_box_content(struct run *r, const GumboNode *e, unsigned level)
{
	const char *align = html_align(e), *was = r->c->align;
	/* The term of a definition list becomes bold. */
	bool wraps = (html_is(e, "dt") || html_class(html_name(e)) == HTML_INLINE) && r->c->wrap_count < MAX_WRAPS;

	end_paragraph(r);
	add_tag(r, e, (struct str){ e->v.element.original_tag.data, e->v.element.original_tag.length });
	if (align != NULL)
		r->c->align = align;
	if (wraps)
		r->c->wraps[r->c->wrap_count++] = e;
	add_nodes(r, &e->v.element.children, level + 1);
	end_paragraph(r);
	add_tag(r, e, html_end_tag(e));
	r->c->wrap_count -= wraps;
	r->c->align = was;
}

/* Add a table's captions as paragraphs: the schema has no place for them in it. */
static void
add_captions(struct run *r, const GumboNode *table, unsigned level)
{
	const GumboVector *v = &table->v.element.children;

	for (unsigned i = 0; i < v->length; i++)
		if (html_is(v->data[i], "caption"))
			add_box_content(r, v->data[i], level);
}

/*
 * Boxes count as levels, although their blocks stay at the same level. If that becomes too deep,
 * everything in them becomes inlines: this ends the recursion and keeps the text.
 */
static void
add_nodes(struct run *r, const GumboVector *v, unsigned level)
{
	struct doc_node *n;
	const GumboNode *e;

	for (unsigned i = 0; i < v->length; i++) {
		e = v->data[i];
		if (e->type != GUMBO_NODE_ELEMENT || level + 4 > DOC_DEPTH) {
			add_inline(r, e);
		} else if (opens_block(r, e) || (html_is(e, "p") && holds_block(e, 0))) {
			add_box_content(r, e, level);
		} else if (!r->lines && html_is_block(e) && !is_inline_image(r, v, i)) {
			end_paragraph(r);
			if (html_is(e, "table"))
				add_captions(r, e, level);
			if ((n = read_block(r->c, e, r->level)) != NULL)
				doc_append(r->into, n);
			/*
			 * Without an end tag, gumbo takes all that follows the video for its
			 * content: add it to the page instead.
			 */
			if (!html_is(e, "iframe") && html_is_media(e) && html_end_tag(e).n == 0)
				add_nodes(r, &e->v.element.children, level + 1);
		} else if (!r->lines && !html_is_block(e) && holds_block(e, 0)) {
			add_box_content(r, e, level);
		} else
			add_inline(r, e);
	}
}

/* Runs of inlines between blocks become paragraphs. */
bool
html_blocks(struct conv *c, const GumboVector *v, struct doc_node *into, unsigned level)
{
	struct run r = { .c = c, .into = into, .level = level };

	add_nodes(&r, v, level);
	end_paragraph(&r);
	return into->child != NULL;
}

/*
 * The published service writes a caption as one paragraph, and the renderer shows only one. People
 * also write text, several paragraphs or boxes: each becomes a line of the one paragraph.
 */
static struct doc_node *
caption_of(struct conv *c, const GumboNode *e)
{
	struct doc_node *all = doc_node(c->a, DOC_PARAGRAPH), *n, *next;
	struct run r = { .c = c, .into = doc_node(c->a, DOC_FRAGMENT), .lines = true };

	add_nodes(&r, &e->v.element.children, 0);
	end_paragraph(&r);
	for (struct doc_node *p = r.into->child; p != NULL; p = p->next) {
		if (all->child != NULL)
			doc_text(c->a, all, STR("\n"), 0);
		for (n = p->child; n != NULL; n = next) {
			next = n->next;
			/* Join neighbouring leaves with equal marks, as they are read back. */
			if (n->type == DOC_LEAF && n->raw.p == NULL)
				doc_text(c->a, all, n->text, n->marks);
			else
				doc_append(all, n);
		}
	}
	return all;
}
