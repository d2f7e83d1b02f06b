/* Converts HTML to Markdown. Contract: html.h. */
#include <ctype.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/map.h"
#include "base/utf8.h"
#include "blocks.h"
#include "html.h"

/*
 * DEPTH_MOST: maximum nesting of elements that are written. NESTING_MOST: of elements that are
 * parsed, since the time grows with nesting times length. BLOCK_MOST: bytes of a block as HTML.
 * TREE_MOST: memory of a tree.
 */
enum { DEPTH_MOST = 200, NESTING_MOST = 2000, TITLE_MOST = 1000, BLOCK_MOST = 64 << 20 };
#define TREE_MOST ((size_t)512 << 20)

static void put_node(struct html *h, const GumboNode *n);

/* ---- look-up in the tree ---- */

struct parsing {
	struct arena *arena;
	size_t        left;     /* bytes that the tree may still take */
	jmp_buf       over;
};

/* All memory of gumbo is in the arena, so it can be left at any time. */
static void *
parse_alloc(void *parsing, size_t n)
{
	struct parsing *p = parsing;

	if (n > p->left)
		longjmp(p->over, 1);
	p->left -= n;
	return arena_bytes(p->arena, n);
}

static void
parse_free(void *parsing, void *memory)
{
	(void)parsing;
	(void)memory;
}

const GumboNode *
html_tree(struct arrival *t, struct arena *a, struct str s, struct str file)
{
	struct parsing *p = arena_alloc(a, sizeof(*p));
	const char *why = doc_html_fault(s, NESTING_MOST);
	GumboOptions o = kGumboDefaultOptions;

	p->arena = a;
	p->left = TREE_MOST;
	o.allocator = parse_alloc;
	o.deallocator = parse_free;
	o.userdata = p;
	o.max_errors = 0;
	if (why == NULL && setjmp(p->over) == 0)
		return gumbo_parse_with_options(&o, s.p != NULL ? s.p : "", s.n)->root;
	arrival_warn(t, file, 0, "the page %s; its text is left out", why != NULL ? why : "takes too much memory");
	return NULL;
}

const char *
html_attribute(const GumboNode *n, const char *name)
{
	const GumboAttribute *x = n->type == GUMBO_NODE_ELEMENT ? gumbo_get_attribute(&n->v.element.attributes, name) : NULL;

	return x == NULL ? NULL : x->value;
}

bool
html_tag_is(const GumboNode *n, GumboTag tag)
{
	return n->type == GUMBO_NODE_ELEMENT && n->v.element.tag == tag;
}

bool
html_has_class(const GumboNode *n, const char *name)
{
	const char *all = html_attribute(n, "class"), *at;
	size_t k = strlen(name);

	for (at = all; at != NULL && (at = strstr(at, name)) != NULL; at += k)
		if ((at == all || isspace((unsigned char)at[-1])) && (at[k] == '\0' || isspace((unsigned char)at[k])))
			return true;
	return false;
}

static bool
is_match(const GumboNode *n, const char *class, const char *id, GumboTag tag)
{
	if (n->type != GUMBO_NODE_ELEMENT)
		return false;
	if (class != NULL)
		return html_has_class(n, class);
	if (id != NULL)
		return html_attribute(n, "id") != NULL && strcmp(html_attribute(n, "id"), id) == 0;
	return n->v.element.tag == tag;
}

static const GumboNode *
find_element(const GumboNode *n, const char *class, const char *id, GumboTag tag, unsigned depth)
{
	const GumboVector *list;
	const GumboNode *found;
	unsigned i;

	if (n == NULL || depth > DEPTH_MOST)
		return NULL;
	if (is_match(n, class, id, tag))
		return n;
	if (n->type != GUMBO_NODE_ELEMENT && n->type != GUMBO_NODE_DOCUMENT)
		return NULL;
	list = n->type == GUMBO_NODE_DOCUMENT ? &n->v.document.children : &n->v.element.children;
	for (i = 0; i < list->length; i++)
		if ((found = find_element(list->data[i], class, id, tag, depth + 1)) != NULL)
			return found;
	return NULL;
}

const GumboNode *
html_find_class(const GumboNode *n, const char *name)
{
	return find_element(n, name, NULL, GUMBO_TAG_UNKNOWN, 0);
}

const GumboNode *
html_find_id(const GumboNode *n, const char *id)
{
	return find_element(n, NULL, id, GUMBO_TAG_UNKNOWN, 0);
}

const GumboNode *
html_find_tag(const GumboNode *n, GumboTag tag)
{
	return find_element(n, NULL, NULL, tag, 0);
}

static void
add_words(struct buf *b, const GumboNode *n, unsigned depth, size_t most)
{
	unsigned i;

	if (b->n >= most)
		return;
	if (n->type == GUMBO_NODE_TEXT || n->type == GUMBO_NODE_WHITESPACE || n->type == GUMBO_NODE_CDATA)
		buf_add(b, n->v.text.text, strnlen(n->v.text.text, most - b->n));
	if (html_tag_is(n, GUMBO_TAG_BR))
		buf_char(b, '\n');
	if (n->type != GUMBO_NODE_ELEMENT || depth > DEPTH_MOST)
		return;
	for (i = 0; i < n->v.element.children.length; i++)
		add_words(b, n->v.element.children.data[i], depth + 1, most);
}

static struct str
collect_words(struct arena *a, const GumboNode *n, size_t most)
{
	struct buf b;

	buf_init(&b, a, most + 1);
	if (n != NULL)
		add_words(&b, n, 0, most);
	return b.n == 0 ? STR("") : buf_view(&b);
}

struct str
html_words(struct arena *a, const GumboNode *n)
{
	return collect_words(a, n, BLOCK_MOST);
}

struct str
html_short(struct arena *a, const GumboNode *n)
{
	struct str s = str_trim(collect_words(a, n, TITLE_MOST));

	/* The text may end with the first bytes of a character that was cut; these are removed. */
	while (s.n > 0 && !utf8_valid(s))
		s.n--;
	return (struct str){ arena_strndup(a, s.p, s.n), s.n };
}

static void
note_fragment(struct map *m, struct arena *a, struct str name)
{
	if (!map_has(m, name))
		map_add(m, (struct str){ arena_strndup(a, name.p, name.n), name.n }, m);
}

void
html_note_fragments(struct map *m, struct arena *a, struct str s)
{
	const char *at, *end = s.p + s.n, *p;

	/* Reads "…#name" in quotes, also if JSON escapes the quotes. */
	for (at = s.p; at != NULL && at < end && (at = memchr(at, '#', (size_t)(end - at))) != NULL; at = p) {
		for (p = at + 1; p < end && (isalnum((unsigned char)*p) || strchr("-_.:%", *p) != NULL || (unsigned char)*p >= 0x80); p++)
			;
		if (p < end && p > at + 1 && (*p == '"' || *p == '\'' || *p == '\\'))
			note_fragment(m, a, (struct str){ at + 1, (size_t)(p - at - 1) });
	}
}

/* ---- writing ---- */

/*
 * True if the block has room for so many bytes of text. False, with a warning: it has not. Each
 * element adds a few bytes more, for which the buffer has twice the room.
 */
static bool
has_room(struct html *h, size_t n)
{
	if (h->out.n < BLOCK_MOST && n <= (BLOCK_MOST - h->out.n) / 6)
		return true;
	arrival_warn_once(h->rules->t, h->rules->file, 0, "a block has more than %d bytes as HTML; the rest of it is left out", BLOCK_MOST);
	return false;
}

/* Adds a line to the report about an element. */
static void
report_loss(struct html *h, const GumboNode *n, const char *what)
{
	arrival_warn_once(h->rules->t, h->rules->file, h->numbered ? n->v.element.start_pos.line : 0, "the element <%s> %s",
	    gumbo_normalized_tagname(n->v.element.tag), what);
}

void
html_put_text(struct html *h, struct str s)
{
	size_t i;

	for (i = has_room(h, s.n) ? 0 : s.n; i < s.n; i++)
		switch (s.p[i]) {
		case '&':
			buf_str(&h->out, "&amp;");
			break;
		case '<':
			buf_str(&h->out, "&lt;");
			break;
		case '>':
			buf_str(&h->out, "&gt;");
			break;
		case '"':
			buf_str(&h->out, "&quot;");
			break;
		case '{':
			/* Escapes text of a source that looks like a tag of our dialect. */
			buf_str(&h->out, "&#123;");
			break;
		case '\n':
		case '\r':
			buf_str(&h->out, h->verbatim ? (s.p[i] == '\n' ? "&#10;" : "") : " ");
			break;
		default:
			buf_char(&h->out, s.p[i]);
		}
}

static void
put_attribute(struct html *h, const char *name, struct str value)
{
	buf_printf(&h->out, " %s=\"", name);
	html_put_text(h, value);
	buf_char(&h->out, '"');
}

void
html_put_children(struct html *h, const GumboNode *n)
{
	unsigned i;

	for (i = 0; n != NULL && n->type == GUMBO_NODE_ELEMENT && i < n->v.element.children.length; i++)
		put_node(h, n->v.element.children.data[i]);
}

void
html_put_hint(struct html *h, const char *style, const char *title, const GumboNode *content)
{
	buf_printf(&h->out, "<div data-gb-custom-block data-tag=\"hint\" data-style=\"%s\" class=\"hint hint-%s\">", style, style);
	if (title != NULL) {
		buf_str(&h->out, "<p><strong>");
		html_put_text(h, str_of(title));
		buf_str(&h->out, "</strong></p>");
	}
	if (content == NULL)
		return;
	html_put_children(h, content);
	html_end_hint(h);
}

void
html_end_hint(struct html *h)
{
	buf_str(&h->out, "</div>");
}

void
html_put_code(struct html *h, const char *language, const char *title, struct str code)
{
	bool was = h->verbatim;

	buf_str(&h->out, "<pre");
	if (title != NULL && *title != '\0')
		put_attribute(h, "data-title", str_of(title));
	buf_str(&h->out, "><code");
	if (language != NULL && *language != '\0')
		put_attribute(h, "class", str_of(arena_printf(h->arena, "language-%s", language)));
	buf_char(&h->out, '>');
	h->verbatim = true;
	html_put_text(h, code);
	h->verbatim = was;
	buf_str(&h->out, "</code></pre>");
}

void
html_put_details(struct html *h, struct str title, const GumboNode *content)
{
	buf_str(&h->out, "<details><summary>");
	html_put_text(h, str_trim(title));
	buf_str(&h->out, "</summary>");
	html_put_children(h, content);
	buf_str(&h->out, "</details>");
}

/* Elements that are copied without their attributes. */
static bool
is_kept(GumboTag tag)
{
	static const GumboTag tags[] = { GUMBO_TAG_P, GUMBO_TAG_UL, GUMBO_TAG_LI, GUMBO_TAG_BLOCKQUOTE, GUMBO_TAG_TABLE, GUMBO_TAG_THEAD,
		GUMBO_TAG_TBODY, GUMBO_TAG_TR, GUMBO_TAG_STRONG, GUMBO_TAG_B, GUMBO_TAG_EM, GUMBO_TAG_I, GUMBO_TAG_CODE, GUMBO_TAG_DEL,
		GUMBO_TAG_S, GUMBO_TAG_SUB, GUMBO_TAG_SUP, GUMBO_TAG_KBD, GUMBO_TAG_DETAILS, GUMBO_TAG_SUMMARY, GUMBO_TAG_FIGURE,
		GUMBO_TAG_FIGCAPTION, GUMBO_TAG_DL, GUMBO_TAG_DT, GUMBO_TAG_DD };
	size_t i;

	for (i = 0; i < sizeof(tags) / sizeof(tags[0]); i++)
		if (tags[i] == tag)
			return true;
	return false;
}

static bool
is_dropped(GumboTag tag)
{
	return tag == GUMBO_TAG_SCRIPT || tag == GUMBO_TAG_STYLE || tag == GUMBO_TAG_HEAD || tag == GUMBO_TAG_TITLE || tag == GUMBO_TAG_META ||
	    tag == GUMBO_TAG_LINK || tag == GUMBO_TAG_COLGROUP || tag == GUMBO_TAG_COL || tag == GUMBO_TAG_TEMPLATE;
}

static struct str
respell_target(struct html *h, const char *spelling)
{
	struct str s = str_trim(str_of(spelling));

	return h->rules->target != NULL ? h->rules->target(h->rules->ctx, h, s) : s;
}

static void
put_picture(struct html *h, const GumboNode *n)
{
	const char *src = html_attribute(n, "src"), *alt = html_attribute(n, "alt"), *width = html_attribute(n, "width");

	if (src == NULL) {
		report_loss(h, n, "names no picture; left out");
		return;
	}
	buf_str(&h->out, "<img");
	put_attribute(h, "src", respell_target(h, src));
	put_attribute(h, "alt", str_of(alt != NULL ? alt : ""));
	if (width != NULL && strspn(width, "0123456789") == strlen(width) && *width != '\0')
		put_attribute(h, "width", str_of(width));
	buf_char(&h->out, '>');
}

static void
put_heading(struct html *h, const GumboNode *n)
{
	const char *id = html_attribute(n, "id");
	int level = 1 + (int)(n->v.element.tag - GUMBO_TAG_H1);

	buf_printf(&h->out, "<h%d", level);
	if (id != NULL && h->rules->id != NULL && h->rules->id(h->rules->ctx, str_of(id)))
		put_attribute(h, "id", str_of(id));
	buf_char(&h->out, '>');
	html_put_children(h, n);
	buf_printf(&h->out, "</h%d>", level);
}

static void
put_pre(struct html *h, const GumboNode *n)
{
	const GumboNode *code = html_find_tag(n, GUMBO_TAG_CODE);
	const char *class = code != NULL ? html_attribute(code, "class") : html_attribute(n, "class"), *at;
	char *language = NULL;

	if (class != NULL && ((at = strstr(class, "language-")) != NULL || (at = strstr(class, "lang-")) != NULL)) {
		at = strchr(at, '-') + 1;
		language = arena_strndup(h->arena, at, strcspn(at, " "));
	}
	html_put_code(h, language, NULL, html_words(h->arena, n));
}

struct first_row {
	const GumboNode *table, *row;   /* row NULL: the table has none */
};

/* The first row of a table. It is searched once for each table, since many cells may follow many elements without a row. */
static const GumboNode *
find_first_row(struct html *h, const GumboNode *table)
{
	struct first_row *found;

	if (h->first_rows == NULL)
		h->first_rows = map_new(h->arena);
	found = map_get(h->first_rows, (struct str){ (const char *)&table, sizeof(table) });
	if (found == NULL) {
		found = arena_alloc(h->arena, sizeof(*found));
		*found = (struct first_row){ table, html_find_tag(table, GUMBO_TAG_TR) };
		map_add(h->first_rows, (struct str){ (const char *)&found->table, sizeof(found->table) }, found);
	}
	return found->row;
}

/* True if the cell, whose parent is a row, is in the first row of its table. */
static bool
is_in_first_row(struct html *h, const GumboNode *cell)
{
	const GumboNode *table = cell->parent;

	while (table->parent != NULL && !html_tag_is(table, GUMBO_TAG_TABLE))
		table = table->parent;
	return find_first_row(h, table) == cell->parent;
}

/* Writes the content of a heading cell, which has one line: a blank is before further paragraphs and items. */
static void
put_flat(struct html *h, const GumboNode *n, bool *some)
{
	static const GumboTag blocks[] = { GUMBO_TAG_P, GUMBO_TAG_LI, GUMBO_TAG_UL, GUMBO_TAG_OL, GUMBO_TAG_DIV };
	enum html_way way;
	unsigned i;
	size_t k;

	for (i = 0; i < n->v.element.children.length; i++) {
		const GumboNode *c = n->v.element.children.data[i];

		for (k = 0; k < sizeof(blocks) / sizeof(blocks[0]) && !html_tag_is(c, blocks[k]); k++)
			;
		if (k < 2 && *some)
			buf_char(&h->out, ' ');
		if (k < sizeof(blocks) / sizeof(blocks[0])) {
			way = h->rules->element != NULL ? h->rules->element(h->rules->ctx, h, c) : HTML_PLAIN;
			if (way == HTML_PLAIN || way == HTML_INSIDE)
				put_flat(h, c, some);
			continue;
		}
		*some |= c->type != GUMBO_NODE_WHITESPACE;
		put_node(h, c);
	}
}

static void
put_cell(struct html *h, const GumboNode *n)
{
	static const char *const names[] = { "colspan", "rowspan" };
	const char *tag = html_tag_is(n, GUMBO_TAG_TH) ? "th" : "td", *value;
	bool some = false;
	size_t i;

	buf_printf(&h->out, "<%s", tag);
	for (i = 0; i < 2; i++)
		if ((value = html_attribute(n, names[i])) != NULL && strcmp(value, "1") != 0)
			put_attribute(h, names[i], str_of(value));
	buf_char(&h->out, '>');
	if (html_tag_is(n, GUMBO_TAG_TH) && is_in_first_row(h, n))
		put_flat(h, n, &some);
	else
		html_put_children(h, n);
	buf_printf(&h->out, "</%s>", tag);
}

static void
put_link(struct html *h, const GumboNode *n)
{
	const char *href = html_attribute(n, "href");

	if (href == NULL) {
		html_put_children(h, n);
		return;
	}
	buf_str(&h->out, "<a");
	put_attribute(h, "href", respell_target(h, href));
	buf_char(&h->out, '>');
	html_put_children(h, n);
	buf_str(&h->out, "</a>");
}

/* Writes an element that shows a file as a link to it. */
static bool
put_shown(struct html *h, const GumboNode *n)
{
	static const GumboTag tags[] = { GUMBO_TAG_VIDEO, GUMBO_TAG_AUDIO, GUMBO_TAG_SOURCE, GUMBO_TAG_EMBED, GUMBO_TAG_OBJECT };
	const char *from = html_attribute(n, n->v.element.tag == GUMBO_TAG_OBJECT ? "data" : "src");
	size_t i;

	for (i = 0; i < sizeof(tags) / sizeof(tags[0]) && tags[i] != n->v.element.tag; i++)
		;
	if (i == sizeof(tags) / sizeof(tags[0]) || from == NULL)
		return false;
	report_loss(h, n, "has no block here; it is a link to what it shows");
	buf_str(&h->out, "<a");
	put_attribute(h, "href", respell_target(h, from));
	buf_char(&h->out, '>');
	html_put_text(h, path_name(text_until(str_of(from), "?#")));
	buf_str(&h->out, "</a> ");
	html_put_children(h, n);
	return true;
}

/* True for elements that no block corresponds to: only their text is imported. */
static bool
is_lost(GumboTag tag)
{
	static const GumboTag tags[] = { GUMBO_TAG_VIDEO, GUMBO_TAG_AUDIO, GUMBO_TAG_EMBED, GUMBO_TAG_OBJECT, GUMBO_TAG_APPLET,
		GUMBO_TAG_SVG, GUMBO_TAG_MATH, GUMBO_TAG_CANVAS, GUMBO_TAG_IFRAME, GUMBO_TAG_FRAME, GUMBO_TAG_MAP, GUMBO_TAG_INPUT,
		GUMBO_TAG_SELECT, GUMBO_TAG_TEXTAREA };
	size_t i;

	for (i = 0; i < sizeof(tags) / sizeof(tags[0]); i++)
		if (tags[i] == tag)
			return true;
	return false;
}

static void
put_plain(struct html *h, const GumboNode *n)
{
	GumboTag tag = n->v.element.tag;
	const char *value;

	if (tag >= GUMBO_TAG_H1 && tag <= GUMBO_TAG_H6)
		put_heading(h, n);
	else if (tag == GUMBO_TAG_BR || tag == GUMBO_TAG_HR)
		buf_str(&h->out, tag == GUMBO_TAG_BR ? "<br>" : "<hr>");
	else if (tag == GUMBO_TAG_IMG)
		put_picture(h, n);
	else if (tag == GUMBO_TAG_A)
		put_link(h, n);
	else if (tag == GUMBO_TAG_PRE)
		put_pre(h, n);
	else if (tag == GUMBO_TAG_TD || tag == GUMBO_TAG_TH)
		put_cell(h, n);
	else if (tag == GUMBO_TAG_IFRAME && (value = html_attribute(n, "src")) != NULL) {
		buf_str(&h->out, "<iframe");
		put_attribute(h, "src", str_of(value));
		buf_str(&h->out, "></iframe>");
	} else if (tag == GUMBO_TAG_INPUT && (value = html_attribute(n, "type")) != NULL && strcasecmp(value, "checkbox") == 0) {
		buf_printf(&h->out, "<input type=\"checkbox\"%s>", html_attribute(n, "checked") != NULL ? " checked" : "");
	} else if (tag == GUMBO_TAG_OL) {
		buf_str(&h->out, "<ol");
		if ((value = html_attribute(n, "start")) != NULL)
			put_attribute(h, "start", str_of(value));
		buf_char(&h->out, '>');
		html_put_children(h, n);
		buf_str(&h->out, "</ol>");
	} else if (is_kept(tag)) {
		buf_printf(&h->out, "<%s>", gumbo_normalized_tagname(tag));
		html_put_children(h, n);
		buf_printf(&h->out, "</%s>", gumbo_normalized_tagname(tag));
	} else if (!is_dropped(tag) && !put_shown(h, n)) {
		if (is_lost(tag))
			report_loss(h, n, "has no block here; of it, only the text stays");
		html_put_children(h, n);
	}
}

static void
put_node(struct html *h, const GumboNode *n)
{
	enum html_way way = HTML_PLAIN;

	if (n->type == GUMBO_NODE_TEXT || n->type == GUMBO_NODE_WHITESPACE || n->type == GUMBO_NODE_CDATA) {
		html_put_text(h, str_of(n->v.text.text));
		return;
	}
	if (n->type != GUMBO_NODE_ELEMENT)
		return;
	if (h->depth >= DEPTH_MOST) {
		report_loss(h, n, "is in too many others; left out");
		return;
	}
	if (!has_room(h, 0))
		return;
	h->depth++;
	if (h->rules->element != NULL)
		way = h->rules->element(h->rules->ctx, h, n);
	if (way == HTML_PLAIN)
		put_plain(h, n);
	else if (way == HTML_INSIDE)
		html_put_children(h, n);
	h->depth--;
}

/* ---- blocks ---- */

/* Elements that begin a new block. */
static bool
is_block(const GumboNode *n)
{
	static const GumboTag tags[] = { GUMBO_TAG_P, GUMBO_TAG_UL, GUMBO_TAG_OL, GUMBO_TAG_BLOCKQUOTE, GUMBO_TAG_TABLE, GUMBO_TAG_PRE,
		GUMBO_TAG_HR, GUMBO_TAG_DETAILS, GUMBO_TAG_FIGURE, GUMBO_TAG_DL, GUMBO_TAG_IFRAME };
	size_t i;

	if (n->type != GUMBO_NODE_ELEMENT)
		return false;
	for (i = 0; i < sizeof(tags) / sizeof(tags[0]); i++)
		if (tags[i] == n->v.element.tag)
			return true;
	return n->v.element.tag >= GUMBO_TAG_H1 && n->v.element.tag <= GUMBO_TAG_H6;
}

static bool
is_container(const GumboNode *n)
{
	static const GumboTag tags[] = { GUMBO_TAG_DIV, GUMBO_TAG_SECTION, GUMBO_TAG_ARTICLE, GUMBO_TAG_MAIN, GUMBO_TAG_BODY, GUMBO_TAG_HTML,
		GUMBO_TAG_ASIDE, GUMBO_TAG_HEADER, GUMBO_TAG_FOOTER, GUMBO_TAG_NAV };
	size_t i;

	if (n->type != GUMBO_NODE_ELEMENT)
		return false;
	for (i = 0; i < sizeof(tags) / sizeof(tags[0]); i++)
		if (tags[i] == n->v.element.tag)
			return true;
	return false;
}

/* Parses the HTML of a block and writes it as Markdown, with the number of its line. */
static void
flush_block(struct html *h, struct text *out, size_t at)
{
	/* White space before an element would make indented code of it. */
	struct str html = str_trim(buf_view(&h->out));
	struct doc *block;
	struct buf b;
	struct text t;
	size_t i;

	if (html.n == 0) {
		buf_cut(&h->out, h->out.n);
		return;
	}
	buf_init(&b, h->arena, (size_t)BLOCK_MOST * 8);
	buf_str(&b, "");
	block = doc_parse(h->block, html, NULL, NULL, NULL);
	if (doc_fault(block) != NULL)
		arrival_warn_once(h->rules->t, h->rules->file, h->numbered ? at : 0, "a block %s; it stays as text", doc_fault(block));
	doc_markdown(&b, block, NULL);
	arena_reset(h->block);
	text_gap(out, at);
	text_read(&t, h->arena, buf_view(&b), at, true);
	for (i = 0; i < t.n; i++)
		text_add(out, t.v[i].s, at);
	buf_cut(&h->out, h->out.n);
}

static void
convert_children(struct html *h, struct text *out, const GumboNode *n, size_t fixed)
{
	const GumboVector *list = n->type == GUMBO_NODE_DOCUMENT ? &n->v.document.children : &n->v.element.children;
	size_t at = fixed, begun = fixed;
	unsigned i;

	if (h->depth >= DEPTH_MOST) {
		report_loss(h, n, "is in too many others; left out");
		return;
	}
	h->depth++;
	for (i = 0; i < list->length; i++) {
		const GumboNode *c = list->data[i];
		enum html_way way = HTML_PLAIN;

		if (fixed == 0 && c->type == GUMBO_NODE_ELEMENT)
			at = c->v.element.start_pos.line;
		if (h->out.n == 0)
			begun = at;
		if (is_block(c) || is_container(c)) {
			flush_block(h, out, begun);
			begun = at;
		}
		if (c->type == GUMBO_NODE_ELEMENT && h->rules->element != NULL)
			way = h->rules->element(h->rules->ctx, h, c);
		if (way == HTML_WRITTEN)
			flush_block(h, out, at);
		else if (way != HTML_NOTHING && c->type == GUMBO_NODE_ELEMENT && (way == HTML_INSIDE || is_container(c)))
			convert_children(h, out, c, fixed);
		else if (way == HTML_PLAIN && c->type == GUMBO_NODE_ELEMENT)
			put_plain(h, c);
		else if (way == HTML_PLAIN)
			put_node(h, c);
		if (is_block(c))
			flush_block(h, out, at);
	}
	flush_block(h, out, begun);
	h->depth--;
}

void
html_convert(struct text *out, const GumboNode *n, const struct html_rules *rules, size_t at)
{
	struct html h = { .arena = out->arena, .rules = rules, .block = arena_within(out->arena, (size_t)2 << 30), .numbered = at == 0 };

	buf_init(&h.out, h.arena, (size_t)BLOCK_MOST * 2);
	if (n != NULL && (n->type == GUMBO_NODE_ELEMENT || n->type == GUMBO_NODE_DOCUMENT))
		convert_children(&h, out, n, at);
}

void
html_text_convert(struct text *out, struct str html, const struct html_rules *rules, size_t at)
{
	struct arrival *t = rules->t;

	if ((int64_t)html.n > t->set->import_page_bytes)
		arrival_warn(t, rules->file, 0, "%zu bytes are more than a page may have (%lld); left out", html.n,
		    (long long)t->set->import_page_bytes);
	else
		html_convert(out, html_find_tag(html_tree(t, out->arena, html, rules->file), GUMBO_TAG_BODY), rules, at);
}
