/*
 * Parses HTML by gumbo, and reads the elements: names, attributes, colours. Also finds the
 * visible text of HTML that the document tree cannot represent (html_visible()).
 */
#include <ctype.h>
#include <strings.h>

#include "../doc_cost.h"
#include "../doc_parse.h"
#include "doc_scan.h"
#include "markdown/document.h"

/* This also limits the recursion of functions that walk gumbo's tree. */
enum { MAX_NESTING = 400 };

/* Allocates for gumbo; the memory is freed with the arena. */
static void *
gumbo_alloc(void *arena, size_t n)
{
	/* The memory is not zeroed, because malloc(), which gumbo uses by default, does not zero it either. */
	void *p = arena_bytes(arena, n);

	limit_memory(arena);
	return p;
}

/* gumbo's free(): does nothing. */
static void
gumbo_keep(void *arena, void *p)
{
	(void)arena, (void)p;
}

/*
 * True if elements nest too deeply: gumbo's time grows with depth times length. Unclosed elements
 * count as nested.
 */
static bool
too_deep(struct str s, unsigned most)
{
	static const char voids[] = "br,img,hr,source,input,wbr,col,link,meta";
	const char *p = s.p, *end = s.p + s.n;
	unsigned depth = 0;
	char name[16];
	size_t n;

	while (p < end && (p = memchr(p, '<', (size_t)(end - p))) != NULL) {
		p++;
		/*
		 * An upper bound is enough: tags in comments or attributes may count, and an end
		 * tag without a start does not go below zero.
		 */
		if (p < end && *p == '/')
			depth -= depth > 0;
		for (n = 0; n < sizeof(name) - 1 && p + n < end && isalpha((unsigned char)p[n]); n++)
			name[n] = (char)tolower((unsigned char)p[n]);
		name[n] = '\0';
		if (n > 0 && !doc_in_set(voids, name) && ++depth > most)
			return true;
	}
	return false;
}

const char *
doc_html_fault(struct str html, unsigned nesting)
{
	const char *why = cost_of_html(html);

	return why != NULL ? why : too_deep(html, nesting) ? "nests HTML too deeply" : NULL;
}

/*
 * NULL if the text is nested too deeply or takes too long. In a parse with limits, a text that
 * takes too long ends the parse instead.
 */
GumboNode *
html_parse(struct arena *a, struct str html)
{
	GumboOptions o = kGumboDefaultOptions;
	const char *why = cost_of_html(html);

	if (why != NULL)
		limit_abort(why);
	if (why != NULL || too_deep(html, MAX_NESTING))
		return NULL;
	o.allocator = gumbo_alloc;
	o.deallocator = gumbo_keep;
	o.userdata = a;
	o.max_errors = 0;
	/* Parse as content of <body>: gumbo then adds no <html> and <head>. */
	o.fragment_context = GUMBO_TAG_BODY;
	/* Copy: nodes point into the source, which may not live as long. */
	html = html_mend(a, html);
	return gumbo_parse_with_options(&o, arena_strndup(a, html.p, html.n), html.n)->root;
}

const GumboNode *
html_open(struct conv *c, struct str html)
{
	const GumboNode *n;

	if (c->scratch == NULL)
		/*
		 * One arena for all elements of the document, which is reset when the last one is
		 * closed. They nest, since an element may contain Markdown that contains HTML.
		 */
		c->scratch = arena_within(c->a, (size_t)4 << 30);
	n = html_parse(c->scratch, html);
	if (n != NULL)
		c->opened++;
	return n;
}

void
html_close(struct conv *c)
{
	if (--c->opened == 0)
		arena_reset(c->scratch);
}

/* NULL if there is no such attribute. Entities are decoded. Valid until html_close(). */
const char *
html_attr(const GumboNode *n, const char *name)
{
	GumboAttribute *x;

	if (n->type != GUMBO_NODE_ELEMENT)
		return NULL;
	x = gumbo_get_attribute(&n->v.element.attributes, name);
	return x == NULL ? NULL : x->value;
}

/* Name of an element; if gumbo does not know it, as it is spelled in the source. */
struct str
html_name(const GumboNode *n)
{
	GumboStringPiece s;

	if (n->v.element.tag != GUMBO_TAG_UNKNOWN)
		return str_of(gumbo_normalized_tagname(n->v.element.tag));
	s = n->v.element.original_tag;
	if (s.data == NULL)
		return STR("");
	/* Shortens "<name attr>" to the name. */
	gumbo_tag_from_original_text(&s);
	return (struct str){ s.data, s.length };
}

/*
 * The end tag as typed; empty if the element has none, for which gumbo stores the end tag of an
 * outer element.
 */
struct str
html_end_tag(const GumboNode *n)
{
	const GumboStringPiece *s = &n->v.element.original_end_tag;
	struct str name = html_name(n);

	if (s->length < name.n + 3 || strncasecmp(s->data + 2, name.p, name.n) != 0)
		return (struct str){ NULL, 0 };
	return (struct str){ s->data, s->length };
}

bool
html_is(const GumboNode *n, const char *name)
{
	/* Names that gumbo knows are lower case, like those compared with. */
	return n->type == GUMBO_NODE_ELEMENT && (n->v.element.tag != GUMBO_TAG_UNKNOWN
	    ? strcmp(gumbo_normalized_tagname(n->v.element.tag), name) == 0 : str_is_nocase(html_name(n), name));
}

bool
html_blank(const GumboNode *n)
{
	return n->type == GUMBO_NODE_WHITESPACE ||
	    (n->type == GUMBO_NODE_TEXT && str_trim(str_of(n->v.text.text)).n == 0);
}

/* The first element of that name below n, at any depth, but not in tables inside of it. */
const GumboNode *
html_child(const GumboNode *n, const char *name)
{
	const GumboVector *v = &n->v.element.children;
	const GumboNode *x;

	for (unsigned i = 0; i < v->length; i++) {
		x = v->data[i];
		if (html_is(x, name))
			return x;
		/* Do not descend into nested tables. */
		if (x->type == GUMBO_NODE_ELEMENT && !html_is(x, "table") && (x = html_child(x, name)) != NULL)
			return x;
	}
	return NULL;
}

/* "fa-solid fa-github" -> "github": the last class that is not a font style. */
const char *
html_icon(struct arena *a, const char *class)
{
	static const char styles[] = "fa-solid,fa-regular,fa-light,fa-thin,fa-brands,fa-duotone,fa-fw,fa-sharp";
	struct doc_list *l = class == NULL ? NULL : doc_list_split(a, class, ' ');
	const char *name = NULL;

	for (; l != NULL; l = l->next)
		if (strncmp(l->s, "fa-", 3) == 0 && l->s[3] != '\0' && !doc_in_set(styles, l->s))
			name = l->s + 3;
	return name != NULL && strlen(name) <= DOC_ICON_MAX ? name : NULL;
}

/* The index of the colour in doc_colors, from 1; 0: none. */
uint32_t
html_color(const char *style, const char *property)
{
	size_t n = strlen(property);
	struct str v;
	const char *p = style;

	while (p != NULL && *p != '\0') {
		while (*p == ' ' || *p == ';')
			p++;
		if (strncmp(p, property, n) == 0 && p[n] == ':') {
			v = str_trim((struct str){ p + n + 1, strcspn(p + n + 1, ";") });
			for (uint32_t i = 1; i < 16; i++)
				if (str_is(v, doc_colors[i]))
					return i;
			return 0;
		}
		p = strchr(p, ';');
	}
	return 0;
}

/*
 * True for elements of which readers see only the content. Other elements without a node, such as
 * media, are shown as source.
 */
static bool
is_plain(struct str name)
{
	enum html_class class = html_class(name);

	return (class == HTML_INLINE || class == HTML_VOID || html_parts_text(class)) && !str_is_nocase(name, "iframe") &&
	    !str_is_nocase(name, "video") && !str_is_nocase(name, "audio");
}

static void
separate_words(struct buf *out)
{
	if (out->n > 0 && !isspace((unsigned char)out->p[out->n - 1]))
		buf_char(out, ' ');
}

/* Appends the visible text; false if there is an element that is shown as source. */
static bool
write_visible(struct buf *out, const GumboNode *n, unsigned depth)
{
	const GumboVector *v;
	bool parts;

	if (n->type == GUMBO_NODE_TEXT || n->type == GUMBO_NODE_WHITESPACE) {
		buf_str(out, n->v.text.text);
		return true;
	}
	if (n->type != GUMBO_NODE_ELEMENT)
		return true;
	if (depth > DOC_DEPTH || !is_plain(html_name(n)))
		return false;
	/* <rp> contains brackets for browsers that do not know <rt>. */
	if (html_is(n, "rp"))
		return true;
	v = &n->v.element.children;
	parts = html_parts_text(html_class(html_name(n)));
	if (parts)
		separate_words(out);
	buf_str(out, html_is(n, "rt") ? "(" : "");
	for (unsigned i = 0; i < v->length; i++)
		if (!write_visible(out, v->data[i], depth + 1))
			return false;
	buf_str(out, html_is(n, "rt") ? ")" : "");
	if (parts)
		separate_words(out);
	return true;
}

/* The visible text of raw; raw itself if there is an element that is shown as source. */
static struct str
visible_text(struct arena *a, struct str raw, const GumboNode *root)
{
	const GumboVector *v = &root->v.element.children;
	bool plain = true;
	struct buf out;

	buf_init(&out, a, raw.n * 3 + 64);
	for (unsigned i = 0; i < v->length && plain; i++)
		plain = write_visible(&out, v->data[i], 0);
	return plain ? str_trim(buf_view(&out)) : raw;
}

/* Length of the comment or inline tag at the start of s; 0 if there is neither. */
static size_t
invisible_length(struct str s)
{
	struct str end = str_find(s, str_starts(s, "<!--") ? "-->" : ">");
	size_t from = s.n > 1 && s.p[1] == '/' ? 2 : 1, to = from;

	if (s.n < 3 || s.p[0] != '<' || end.p == NULL)
		return 0;
	if (str_starts(s, "<!--"))
		return (size_t)(end.p - s.p) + 3;
	while (to < s.n && isalnum((unsigned char)s.p[to]))
		to++;
	return html_class(str_slice(s, from, to)) == HTML_INLINE ? (size_t)(end.p - s.p) + 1 : 0;
}

/* True for one to six "#" followed only by comments and inline tags. */
static bool
is_empty_heading(struct str raw)
{
	size_t n = 0, k;

	while (n < raw.n && raw.p[n] == '#')
		n++;
	if (n == 0 || n > 6 || (n < raw.n && raw.p[n] != ' '))
		return false;
	for (raw = str_trim(str_slice(raw, n, raw.n)); raw.n > 0; raw = str_trim(str_slice(raw, k, raw.n)))
		if ((k = invisible_length(raw)) == 0)
			return false;
	return true;
}

/* Finds the visible text of simple sources without gumbo. True if *seen was set. */
static bool
visible_text_of_simple(struct str raw, struct str *seen)
{
	size_t from = 1, to;

	*seen = raw;
	/*
	 * "[^label]: text" is an unused footnote definition (doc_note.c), "##" a heading without
	 * text.
	 */
	if (raw.n < 3 || raw.p[0] != '<') {
		*seen = note_label(raw).n > 0 || is_empty_heading(raw) ? STR("") : raw;
		return true;
	}
	/*
	 * Comments, declarations and processing instructions show nothing; "<!" before anything
	 * else is text.
	 */
	if (raw.p[1] == '!' || raw.p[1] == '?') {
		*seen = str_starts(raw, "<!--") || raw.p[1] == '?' || isalpha((unsigned char)raw.p[2]) ||
		    raw.p[2] == '[' ? STR("") : raw;
		return true;
	}
	from += raw.p[1] == '/';
	for (to = from; to < raw.n && (isalnum((unsigned char)raw.p[to]) || raw.p[to] == '-'); )
		to++;
	if (!is_plain(str_slice(raw, from, to)))
		return true;
	/* A tag alone shows nothing, except for ruby text, where it has brackets. */
	if (to + 1 < raw.n || raw.p[to] != '>')
		return false;
	*seen = !str_is_nocase(str_slice(raw, from, to), "rt") ? STR("") : from == 1 ? STR("(") : STR(")");
	return true;
}

/* html_visible() of raw, whose gumbo tree is root. */
struct str
html_visible_in(struct arena *a, struct str raw, const GumboNode *root)
{
	struct str seen;

	return visible_text_of_simple(raw, &seen) ? seen : visible_text(a, raw, root);
}

/* What readers see of raw source. Depends on the source alone. */
struct str
html_visible(struct arena *a, struct str raw)
{
	struct arena *scratch;
	const GumboNode *root;
	struct str seen;

	if (visible_text_of_simple(raw, &seen))
		return seen;
	/*
	 * A scratch arena of its own is used instead of the conversion's, because doc_read calls
	 * this function outside of a conversion, and the result must not depend on the caller.
	 */
	scratch = limit_arena();
	root = html_parse(scratch, raw);
	seen = root == NULL ? raw : visible_text(a, raw, root);
	limit_arena_free(scratch);
	return seen;
}

/* True if there is an element that has a node, such as a block, a link or a picture. */
static bool
contains_known(const GumboNode *n, unsigned depth)
{
	const GumboVector *v = &n->v.element.children;
	const GumboNode *x;

	for (unsigned i = 0; i < v->length && depth < DOC_DEPTH; i++) {
		x = v->data[i];
		if (x->type != GUMBO_NODE_ELEMENT)
			continue;
		if (html_parts_text(html_class(html_name(x))) || html_is(x, "a") || html_is(x, "img") || contains_known(x, depth + 1))
			return true;
	}
	return false;
}

bool
html_is_source(const GumboNode *root)
{
	const GumboVector *v = &root->v.element.children;
	const GumboNode *first;
	unsigned i = 0;

	while (i < v->length && html_blank(v->data[i]))
		i++;
	if (i == v->length)
		return true;
	first = v->data[i];
	/* It begins with an element that is shown as source, and contains nothing that has a node. */
	return first->type == GUMBO_NODE_ELEMENT && !is_plain(html_name(first)) && !html_is_block(first) && !contains_known(root, 0);
}

