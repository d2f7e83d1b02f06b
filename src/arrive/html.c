/* Converts HTML to Markdown. Contract: html.h. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "blocks.h"
#include "html.h"

enum { DEPTH_MOST = 200, BLOCK_MOST = 64 << 20 };

static void put_node(struct html *h, const GumboNode *n);

/* ---- look-up in the tree ---- */

static void *
arena_malloc(void *a, size_t n)
{
	return arena_bytes(a, n);
}

static void
arena_no_free(void *a, void *p)
{
	(void)a;
	(void)p;
}

GumboOutput *
html_tree(struct arena *a, struct str s)
{
	GumboOptions o = kGumboDefaultOptions;

	o.allocator = arena_malloc;
	o.deallocator = arena_no_free;
	o.userdata = a;
	/* Documents refuse deeper trees in any case. */
	return gumbo_parse_with_options(&o, s.p != NULL ? s.p : "", s.n);
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
matches(const GumboNode *n, const char *class, const char *id, GumboTag tag)
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
find(const GumboNode *n, const char *class, const char *id, GumboTag tag, unsigned depth)
{
	const GumboVector *list;
	const GumboNode *found;
	unsigned i;

	if (n == NULL || depth > DEPTH_MOST)
		return NULL;
	if (matches(n, class, id, tag))
		return n;
	if (n->type != GUMBO_NODE_ELEMENT && n->type != GUMBO_NODE_DOCUMENT)
		return NULL;
	list = n->type == GUMBO_NODE_DOCUMENT ? &n->v.document.children : &n->v.element.children;
	for (i = 0; i < list->length; i++)
		if ((found = find(list->data[i], class, id, tag, depth + 1)) != NULL)
			return found;
	return NULL;
}

const GumboNode *
html_find_class(const GumboNode *n, const char *name)
{
	return find(n, name, NULL, GUMBO_TAG_UNKNOWN, 0);
}

const GumboNode *
html_find_id(const GumboNode *n, const char *id)
{
	return find(n, NULL, id, GUMBO_TAG_UNKNOWN, 0);
}

const GumboNode *
html_find_tag(const GumboNode *n, GumboTag tag)
{
	return find(n, NULL, NULL, tag, 0);
}

static void
add_words(struct buf *b, const GumboNode *n, unsigned depth)
{
	unsigned i;

	if (n->type == GUMBO_NODE_TEXT || n->type == GUMBO_NODE_WHITESPACE || n->type == GUMBO_NODE_CDATA)
		buf_str(b, n->v.text.text);
	if (html_tag_is(n, GUMBO_TAG_BR))
		buf_char(b, '\n');
	if (n->type != GUMBO_NODE_ELEMENT || depth > DEPTH_MOST)
		return;
	for (i = 0; i < n->v.element.children.length; i++)
		add_words(b, n->v.element.children.data[i], depth + 1);
}

struct str
html_words(struct arena *a, const GumboNode *n)
{
	struct buf b;

	buf_init(&b, a, BLOCK_MOST);
	buf_str(&b, "");
	if (n != NULL)
		add_words(&b, n, 0);
	return b.p == NULL ? STR("") : buf_view(&b);
}

void
html_note_fragments(struct map *m, struct str s)
{
	const char *at, *end = s.p + s.n, *p;

	/* Reads "…#name" in quotes, also if JSON escapes the quotes. */
	for (at = s.p; at != NULL && at < end && (at = memchr(at, '#', (size_t)(end - at))) != NULL; at = p) {
		for (p = at + 1; p < end && (isalnum((unsigned char)*p) || strchr("-_.:%", *p) != NULL || (unsigned char)*p >= 0x80); p++)
			;
		if (p < end && p > at + 1 && (*p == '"' || *p == '\'' || *p == '\\'))
			map_add(m, (struct str){ at + 1, (size_t)(p - at - 1) }, m);
	}
}

/* ---- writing ---- */

void
html_put_text(struct html *h, struct str s)
{
	size_t i;

	for (i = 0; i < s.n; i++)
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
	html_put_children(h, content);
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
target_of(struct html *h, const char *spelling)
{
	struct str s = str_trim(str_of(spelling));

	return h->rules->target != NULL ? h->rules->target(h->rules->ctx, h, s) : s;
}

static void
put_picture(struct html *h, const GumboNode *n)
{
	const char *src = html_attribute(n, "src"), *alt = html_attribute(n, "alt"), *width = html_attribute(n, "width");

	if (src == NULL)
		return;
	buf_str(&h->out, "<img");
	put_attribute(h, "src", target_of(h, src));
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

static void
put_cell(struct html *h, const GumboNode *n)
{
	static const char *const names[] = { "colspan", "rowspan" };
	const char *tag = html_tag_is(n, GUMBO_TAG_TH) ? "th" : "td", *value;
	size_t i;

	buf_printf(&h->out, "<%s", tag);
	for (i = 0; i < 2; i++)
		if ((value = html_attribute(n, names[i])) != NULL && strcmp(value, "1") != 0)
			put_attribute(h, names[i], str_of(value));
	buf_char(&h->out, '>');
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
	put_attribute(h, "href", target_of(h, href));
	buf_char(&h->out, '>');
	html_put_children(h, n);
	buf_str(&h->out, "</a>");
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
	} else if (!is_dropped(tag)) {
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
	if (n->type != GUMBO_NODE_ELEMENT || h->depth >= DEPTH_MOST)
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
	struct buf b;
	struct text t;
	size_t i;

	if (h->out.n == 0 || text_blank(buf_view(&h->out))) {
		buf_cut(&h->out, h->out.n);
		return;
	}
	buf_init(&b, h->arena, BLOCK_MOST);
	buf_str(&b, "");
	doc_markdown(&b, doc_parse(h->arena, buf_view(&h->out), NULL, NULL, NULL), NULL);
	text_gap(out, at);
	text_read(&t, h->arena, buf_view(&b), at, true);
	for (i = 0; i < t.n; i++)
		text_add(out, t.v[i].s, at);
	buf_init(&h->out, h->arena, BLOCK_MOST);
}

static void
convert_children(struct html *h, struct text *out, const GumboNode *n, size_t fixed)
{
	const GumboVector *list = n->type == GUMBO_NODE_DOCUMENT ? &n->v.document.children : &n->v.element.children;
	size_t at = fixed, begun = fixed;
	unsigned i;

	h->depth++;
	for (i = 0; i < list->length && h->depth < DEPTH_MOST; i++) {
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
	struct html h = { .arena = out->arena, .rules = rules };

	buf_init(&h.out, h.arena, BLOCK_MOST);
	if (n != NULL && (n->type == GUMBO_NODE_ELEMENT || n->type == GUMBO_NODE_DOCUMENT))
		convert_children(&h, out, n, at);
}

void
html_text_convert(struct text *out, struct str html, const struct html_rules *rules, size_t at)
{
	const GumboOutput *o = html_tree(out->arena, html);

	html_convert(out, html_find_tag(o->root, GUMBO_TAG_BODY), rules, at);
}
