/*
 * Blocks from HTML elements, in HTML blocks of a page and in table cells.
 */
#include <stdlib.h>

#include "doc_parse.h"

/* Elements that are inline content of a paragraph. */
static bool
is_inline(const GumboNode *n)
{
	static const char *const names[] = { "a", "b", "strong", "i", "em", "code", "kbd", "mark", "sub", "sup",
		"br", "del", "s", "button" };

	if (n->type != GUMBO_NODE_ELEMENT)
		return true;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (html_is(n, names[i]))
			return true;
	if (html_is(n, "span"))
		return html_attr(n, "data-gb-custom-inline") != NULL;
	return html_is(n, "img") && html_attr(n, "data-size") != NULL;
}

/* Block images. A <figure> without an image is refused by html_convertible(). */
static bool
is_image(const GumboNode *n)
{
	return html_is(n, "figure") || html_is(n, "picture") ||
	    (html_is(n, "img") && html_attr(n, "data-size") == NULL && html_attr(n, "src") != NULL);
}

/* 1 to 6; 0: no heading. */
static int
heading_level(const GumboNode *n)
{
	struct str s;

	if (n->type != GUMBO_NODE_ELEMENT)
		return 0;
	s = html_name(n);
	return s.n == 2 && (s.p[0] == 'h' || s.p[0] == 'H') && s.p[1] >= '1' && s.p[1] <= '6' ? s.p[1] - '0' : 0;
}

/* A wrapper that holds images and nothing else. */
static bool
is_gallery(const GumboNode *n)
{
	const GumboVector *v = &n->v.element.children;
	bool some = false;

	if (!html_is(n, "div"))
		return false;
	for (unsigned i = 0; i < v->length; i++) {
		/* A caption or a word beside the images would be lost in a gallery. */
		if (!html_blank(v->data[i]) && !is_image(v->data[i]))
			return false;
		some = some || is_image(v->data[i]);
	}
	return some;
}

/* The form of hints where tags cannot stand (design/import.md 3.1, retired forms). */
static bool
is_hint(const GumboNode *n)
{
	const char *tag = html_is(n, "div") ? html_attr(n, "data-tag") : NULL;

	return tag != NULL && strcmp(tag, "hint") == 0;
}

/* Only what is on the web: an <iframe> of a script or of a data: address stays raw source. */
static bool
is_embed(const GumboNode *n)
{
	const char *src = html_is(n, "iframe") ? html_attr(n, "src") : NULL;

	return src != NULL && (strncmp(src, "https://", 8) == 0 || strncmp(src, "http://", 7) == 0);
}

/* Boxes that only group what is in them; the tree has none, and their blocks stand where they do. */
static bool
is_box(const GumboNode *n)
{
	static const char *const names[] = { "div", "center", "section", "article", "aside", "header", "footer", "main" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (html_is(n, names[i]))
			return !is_gallery(n) && !is_hint(n);
	return false;
}

/* Each of these has a case in block(). */
static bool
is_block(const GumboNode *n)
{
	static const char *const names[] = { "table", "p", "ul", "ol", "pre", "blockquote", "hr" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (html_is(n, names[i]))
			return true;
	return is_image(n) || heading_level(n) > 0 || is_gallery(n) || is_hint(n) || is_embed(n);
}

/*
 * Can each of these be a node? An element that is never closed cannot: its
 * content is Markdown that follows. A box of a page stays source, with all that it says of its
 * look; in an element that is a node it could not be written again.
 */
bool
html_convertible(const struct conv *c, const GumboVector *v)
{
	const GumboNode *n;
	bool some = false;

	for (unsigned i = 0; i < v->length; i++) {
		n = v->data[i];
		some = some || !html_blank(n);
		/* A comment among the elements would be lost: the whole is kept raw. */
		if (n->type == GUMBO_NODE_COMMENT)
			return false;
		if (n->type != GUMBO_NODE_ELEMENT)
			continue;
		if (!is_block(n) && !is_inline(n) && (c->nested == 0 || !is_box(n)))
			return false;
		/* The parser made it up (a <tbody>, a <p> for a lone </p>): there is no such source. */
		if (n->v.element.original_tag.length == 0)
			return false;
		/* Void elements have no end tag (HTML 13.1.2). */
		if (n->v.element.original_end_tag.length == 0 && !html_is(n, "img") && !html_is(n, "br") &&
		    !html_is(n, "hr"))
			return false;
		/* An anchor without text is a place to link to, which the tree has for headings alone. */
		if (html_is(n, "a") && n->v.element.children.length == 0)
			return false;
		/* Lists need items, figures an image: without them they would be dropped. */
		if ((html_is(n, "ul") || html_is(n, "ol")) && html_child(n, "li") == NULL)
			return false;
		if ((html_is(n, "figure") || html_is(n, "picture")) && html_child(n, "img") == NULL)
			return false;
	}
	return some;
}

/* HTML says left and right, the schema start and end. */
static void
set_align(struct conv *c, struct doc_node *n, const GumboNode *e)
{
	const char *align = html_attr(e, "align");

	if (align == NULL)
		return;
	if (strcmp(align, "left") == 0)
		align = "start";
	if (strcmp(align, "right") == 0)
		align = "end";
	if (doc_in_set("start,center,end", align))
		doc_set_str(c->a, n, "align", align);
}

/* The children of e as inlines of a new node, whose child is NULL where they show nothing. */
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

/* A length: "375" is a number, "50%" has its unit. */
static const char *
length(struct arena *a, const char *s)
{
	char *end;
	double v = s == NULL ? 0 : strtod(s, &end);

	if (s == NULL || end == s || !(v > 0 && v < 1e6))
		return NULL;
	return *end == '%' ? arena_printf(a, "{\"value\":%.15g,\"unit\":\"%%\"}", v) : arena_printf(a, "%.15g", v);
}

static struct doc_node *caption_of(struct conv *c, const GumboNode *e);

/* The image of a figure, picture or img; NULL if there is none. */
static struct doc_node *
image(struct conv *c, const GumboNode *e)
{
	const GumboNode *img = html_is(e, "img") ? e : html_child(e, "img");
	const GumboNode *dark = html_is(e, "img") ? NULL : html_child(e, "source");
	const GumboNode *caption = html_is(e, "img") ? NULL : html_child(e, "figcaption");
	struct doc_node *n, *text;

	if (img == NULL || html_attr(img, "src") == NULL)
		return NULL;
	n = doc_node(c->a, DOC_IMAGE);
	/* Only a source for dark mode has a place in the tree; others are sizes of the same picture. */
	if (dark != NULL && html_attr(dark, "srcset") != NULL && html_attr(dark, "media") != NULL &&
	    strstr(html_attr(dark, "media"), "dark") != NULL)
		doc_set_ref(c->a, n, "refDark", conv_file(c, str_of(html_attr(dark, "srcset"))));
	doc_set_ref(c->a, n, "ref", conv_file(c, str_of(html_attr(img, "src"))));
	doc_set_json(c->a, n, "width", length(c->a, html_attr(img, "width")));
	doc_set_json(c->a, n, "height", length(c->a, html_attr(img, "height")));
	if (html_attr(img, "alt") != NULL && *html_attr(img, "alt") != '\0')
		doc_set_str(c->a, n, "alt", html_attr(img, "alt"));
	if (caption != NULL) {
		text = caption_of(c, caption);
		if (text->child != NULL)
			doc_append(doc_fragment(c->a, n, "caption"), text);
	}
	return n;
}

/* <img class="gitbook-drawing">: a block of its own when its file is known. */
static struct doc_node *
drawing(struct conv *c, const GumboNode *e)
{
	const GumboNode *img = html_is(e, "img") ? e : html_child(e, "img");
	const char *class = img == NULL ? NULL : html_attr(img, "class");
	struct doc_target *t;
	struct doc_node *n;

	if (class == NULL || strstr(class, "gitbook-drawing") == NULL || html_attr(img, "src") == NULL)
		return NULL;
	t = conv_file(c, str_of(html_attr(img, "src")));
	n = doc_node(c->a, DOC_DRAWING);
	/* Its reference may name a file alone; what is not there is kept beside it. */
	if (t->ref.kind == REF_FILE)
		doc_set_ref(c->a, n, "ref", t);
	else
		doc_set_str(c->a, n, "url", t->ref.url);
	if (html_attr(img, "alt") != NULL && *html_attr(img, "alt") != '\0')
		doc_set_str(c->a, n, "alt", html_attr(img, "alt"));
	return n;
}

/* NULL: no image in it has a source. */
static struct doc_node *
gallery(struct conv *c, const GumboNode *div)
{
	struct doc_node *images = doc_node(c->a, DOC_IMAGES), *n;
	const GumboVector *v = &div->v.element.children;
	const char *align = html_attr(div, "align");

	if (align != NULL && doc_in_set("left,center,right", align))
		doc_set_str(c->a, images, "align", align);
	if (html_attr(div, "data-full-width") != NULL)
		doc_set_bool(c->a, images, "fullWidth", strcmp(html_attr(div, "data-full-width"), "false") != 0);
	if (html_attr(div, "data-with-frame") != NULL)
		doc_set_bool(c->a, images, "withFrame", strcmp(html_attr(div, "data-with-frame"), "false") != 0);
	for (unsigned i = 0; i < v->length; i++)
		if (!html_blank(v->data[i]) && (n = image(c, v->data[i])) != NULL)
			doc_append(images, n);
	return images->child == NULL ? NULL : images;
}

/*
 * NULL: no item stands directly in it. What is not in an item is left out, as browsers allow it
 * and the schema does not.
 */
static struct doc_node *
list(struct conv *c, const GumboNode *e, unsigned level)
{
	struct doc_node *l = doc_node(c->a, html_is(e, "ol") ? DOC_LIST_ORDERED : DOC_LIST_UNORDERED), *item;
	const GumboVector *v = &e->v.element.children;
	const char *start = html_attr(e, "start");

	/*
	 * 1 is what a list begins with unsaid; beyond nine digits it could not be written as
	 * Markdown (CommonMark 5.2).
	 */
	if (l->type == DOC_LIST_ORDERED && start != NULL && strtol(start, NULL, 10) > 1 && strtol(start, NULL, 10) < 1000000000)
		doc_set_num(c->a, l, "start", (double)strtol(start, NULL, 10));
	for (unsigned i = 0; i < v->length; i++) {
		if (!html_is(v->data[i], "li"))
			continue;
		/* Two levels: the list and the item. */
		item = doc_node(c->a, DOC_LIST_ITEM);
		html_inside(c, v->data[i], item, level + 2);
		if (item->child == NULL)
			doc_append(item, doc_node(c->a, DOC_PARAGRAPH));
		doc_append(l, item);
	}
	return l->child == NULL ? NULL : l;
}

/* Lines of <pre>: text goes to the last line; <strong> marks lines. */
struct lines {
	struct conv     *c;
	struct doc_node *code, *line;
	unsigned         strong;
};

/*
 * A line feed begins a new line of code. The service ends a marked line with "\n</strong>", so
 * that the feed is within the mark but the line after it is not marked by it.
 */
static void
pre_text(struct lines *l, struct str s)
{
	size_t from, to;

	for (from = 0; from <= s.n; from = to + 1) {
		for (to = from; to < s.n && s.p[to] != '\n'; )
			to++;
		doc_text(l->c->a, l->line, str_slice(s, from, to), 0);
		if (l->strong > 0 && (to > from || to < s.n))
			doc_set_bool(l->c->a, l->line, "highlighted", true);
		if (to == s.n)
			break;
		l->line = doc_node(l->c->a, DOC_CODE_LINE);
		doc_append(l->code, l->line);
	}
}

/* What is no HTML element is code that looks like one: `<T>`, `<asm routine>`. */
static void
pre_tag(struct lines *l, const GumboNode *n, struct str tag)
{
	if (n->v.element.tag == GUMBO_TAG_UNKNOWN)
		pre_text(l, tag);
}

/* Marks other than <strong> are dropped: a line of code has text and the two kinds of inline below. */
static void
pre_node(struct lines *l, const GumboNode *n, unsigned depth)
{
	const char *class;
	struct inl in;

	if (n->type == GUMBO_NODE_TEXT || n->type == GUMBO_NODE_WHITESPACE) {
		pre_text(l, str_of(n->v.text.text));
		return;
	}
	if (n->type != GUMBO_NODE_ELEMENT || depth > DOC_DEPTH)
		return;
	class = html_attr(n, "class");
	/* Expressions and footnotes are the inlines that a line of code may hold. */
	if ((html_is(n, "code") && class != NULL && strcmp(class, "expression") == 0) ||
	    html_attr(n, "data-footnote-ref") != NULL) {
		inline_begin(&in, l->c, l->line);
		inline_element(&in, n);
		inline_end(&in);
		return;
	}
	if (html_is(n, "br"))
		pre_text(l, STR("\n"));
	pre_tag(l, n, (struct str){ n->v.element.original_tag.data, n->v.element.original_tag.length });
	l->strong += html_is(n, "strong");
	for (unsigned i = 0; i < n->v.element.children.length; i++)
		pre_node(l, n->v.element.children.data[i], depth + 1);
	l->strong -= html_is(n, "strong");
	pre_tag(l, n, html_end_tag(n));
}

/* "language-js", "lang-js" -> "js" */
static const char *
syntax(const GumboNode *e)
{
	const char *class = e == NULL ? NULL : html_attr(e, "class"), *p;

	if (class == NULL)
		return NULL;
	p = strstr(class, "language-");
	if (p != NULL)
		return p + 9;
	p = strstr(class, "lang-");
	return p == NULL ? NULL : p + 5;
}

/* Never NULL, and with one line at least. */
struct doc_node *
html_code(struct conv *c, const GumboNode *pre)
{
	static const char *const flags[][2] = { { "data-line-numbers", "lineNumbers" },
		{ "data-expandable", "expandable" }, { "data-full-width", "fullWidth" } };
	struct doc_node *code = doc_node(c->a, DOC_CODE);
	/*
	 * The first line is there from the beginning: text is added to the last line, and feeds
	 * begin further ones.
	 */
	struct lines l = { c, code, doc_node(c->a, DOC_CODE_LINE), 0 };
	const char *s = syntax(pre) != NULL ? syntax(pre) : syntax(html_child(pre, "code"));
	long count;

	if (s != NULL && *s != '\0')
		doc_set_str(c->a, code, "syntax", arena_strndup(c->a, s, strcspn(s, " \t\n")));
	doc_set_str(c->a, code, "title", html_attr(pre, "data-title"));
	s = html_attr(pre, "data-overflow");
	if (s != NULL && doc_in_set("scroll,wrap", s))
		doc_set_str(c->a, code, "overflow", s);
	for (size_t i = 0; i < 3; i++)
		if ((s = html_attr(pre, flags[i][0])) != NULL)
			doc_set_bool(c->a, code, flags[i][1], strcmp(s, "false") != 0);
	count = html_attr(pre, "data-collapsed-line-count") != NULL ?
	    strtol(html_attr(pre, "data-collapsed-line-count"), NULL, 10) : 0;
	/* The limits of the same option of the tag (fill() of doc_tags.c). */
	if (count >= 1 && count <= 1000000)
		doc_set_num(c->a, code, "collapsedLineCount", (double)count);
	doc_append(code, l.line);
	for (unsigned i = 0; i < pre->v.element.children.length; i++)
		pre_node(&l, pre->v.element.children.data[i], 0);
	/* The feed at the end of the last line is no empty line. */
	if (code->child != code->last && l.line->child == NULL) {
		struct doc_node *n = code->child;
		while (n->next != l.line)
			n = n->next;
		n->next = NULL;
		code->last = n;
	}
	return code;
}

/* Any other style is info, without a warning: the form is generated. */
static struct doc_node *
hint(struct conv *c, const GumboNode *e, unsigned level)
{
	struct doc_node *n = doc_node(c->a, DOC_HINT);
	const char *style = html_attr(e, "data-style");

	doc_set_str(c->a, n, "style", style != NULL && doc_in_set("info,warning,danger,success", style) ? style : "info");
	html_inside(c, e, n, level + 1);
	if (n->child == NULL)
		doc_append(n, doc_node(c->a, DOC_PARAGRAPH));
	return n;
}

/* The block that one element is; NULL if it is none after all. */
static struct doc_node *
block(struct conv *c, const GumboNode *e, unsigned level)
{
	struct doc_node *n, *images;
	int h = heading_level(e);

	if (h > 0) {
		n = inline_block(c, e, h <= 2 ? DOC_HEADING_1 : h == 3 ? DOC_HEADING_2 : DOC_HEADING_3);
		/* Levels that the schema lacks are a number beside heading-3 (doc_low_heading()). */
		if (h > 4)
			doc_set_num(c->a, n, "level", h);
		/* An <a id> in the heading comes first (begin_a() of doc_inline.c). */
		if (n->anchor == NULL)
			/* As aligned() of doc_write_table.c writes it. */
			n->anchor = html_attr(e, "id") == NULL ? NULL : arena_strdup(c->a, html_attr(e, "id"));
		set_align(c, n, e);
		return n;
	}
	/* A paragraph that shows nothing is none. */
	if (html_is(e, "p")) {
		n = inline_block(c, e, DOC_PARAGRAPH);
		set_align(c, n, e);
		return n->child == NULL ? NULL : n;
	}
	if (html_is(e, "table"))
		return grid_html(c, e, level);
	if (html_is(e, "ul") || html_is(e, "ol"))
		return list(c, e, level);
	if (html_is(e, "pre"))
		return html_code(c, e);
	if (html_is(e, "hr"))
		return doc_node(c->a, DOC_DIVIDER);
	if (is_hint(e))
		return hint(c, e, level);
	if (is_gallery(e))
		return gallery(c, e);
	if (is_embed(e)) {
		n = doc_node(c->a, DOC_EMBED);
		doc_set_str(c->a, n, "url", html_attr(e, "src"));
		return n;
	}
	if (html_is(e, "blockquote")) {
		n = doc_node(c->a, DOC_BLOCKQUOTE);
		html_inside(c, e, n, level + 1);
		if (n->child == NULL)
			doc_append(n, doc_node(c->a, DOC_PARAGRAPH));
		return n;
	}
	/* A drawing is a block of its own; an image stands in a block of images. */
	if ((n = drawing(c, e)) != NULL || (n = image(c, e)) == NULL)
		return n;
	images = doc_node(c->a, DOC_IMAGES);
	doc_append(images, n);
	return images;
}

/* Where the blocks of an element go, and the inlines that are no paragraph yet. */
struct run {
	struct conv     *c;
	struct doc_node *into, *p;  /* p: NULL between paragraphs */
	struct inl       in;
	unsigned         level;     /* of the blocks */
	bool             lines;     /* paragraphs alone: what else has blocks in it is a box of them */
};

static void
end_paragraph(struct run *r)
{
	if (r->p == NULL)
		return;
	inline_end(&r->in);
	inline_trim(r->p);
	if (r->p->child != NULL)
		doc_append(r->into, r->p);
	r->p = NULL;
}

/* The first inline after a block begins a paragraph; blanks alone leave none (inline_trim()). */
static void
add_inline(struct run *r, const GumboNode *e)
{
	if (r->p == NULL) {
		r->p = doc_node(r->c->a, DOC_PARAGRAPH);
		inline_begin(&r->in, r->c, r->p);
	}
	inline_element(&r->in, e);
}

static bool
opens(const struct run *r, const GumboNode *e)
{
	return is_box(e) || (r->lines && (html_is(e, "p") || html_is(e, "ul") || html_is(e, "ol") || html_is(e, "li")));
}

/*
 * Boxes count as levels, though their blocks stand where they do: too deep down everything is
 * inline, which ends the recursion and keeps the text.
 */
static void
add_nodes(struct run *r, const GumboVector *v, unsigned level)
{
	struct doc_node *n;
	const GumboNode *e;

	for (unsigned i = 0; i < v->length; i++) {
		e = v->data[i];
		if (level + 4 > DOC_DEPTH || (!opens(r, e) && (r->lines || !is_block(e)))) {
			add_inline(r, e);
			continue;
		}
		end_paragraph(r);
		if (opens(r, e))
			add_nodes(r, &e->v.element.children, level + 1);
		else if ((n = block(r->c, e, r->level)) != NULL)
			doc_append(r->into, n);
		end_paragraph(r);
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
 * The service writes a caption as one paragraph, and the renderer shows one; people put text,
 * several paragraphs or boxes there. Each of them is a line of the one.
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
			/* Leaves side by side with the same marks are one, as they are when the caption is read again. */
			if (n->type == DOC_LEAF && n->raw.p == NULL)
				doc_text(c->a, all, n->text, n->marks);
			else
				doc_append(all, n);
		}
	}
	return all;
}
