/*
 * HTML blocks. cmark ends most of them at a blank line, so that one element
 * may be spread over several siblings, or one block may hold more than HTML:
 *
 *   <details>, <summary>  open and close frames, like tags
 *   block tags            in an HTML block's lines are tags all the same
 *   <table> and others    without their end are continued with what follows
 *   comments              are raw
 *   the rest              is read by gumbo and converted (doc_element.c), or
 *                         kept raw where that would lose something
 */
#include <ctype.h>
#include <strings.h>

#include "doc_cost.h"
#include "doc_parse.h"
#include "base/sort.h"

/*
 * MAX_FAILURES: searches for an end that is not in the rest of the text, each linear in it.
 * MAX_NESTING also bounds the recursion of what goes through gumbo's tree.
 */
enum { MAX_FAILURES = 16, MAX_NESTING = 400 };

/* What gumbo allocates goes to the arena, and is never released singly. */
static void *
gumbo_alloc(void *arena, size_t n)
{
	/* Without zeros, as malloc(), which is gumbo's own allocator. */
	void *p = arena_bytes(arena, n);

	limit_memory(arena);
	return p;
}

/* gumbo's free. */
static void
gumbo_keep(void *arena, void *p)
{
	(void)arena, (void)p;
}

/*
 * How deep elements nest in the source, at most: gumbo's time grows with depth
 * times length. Elements that are left open count as nested.
 */
static bool
too_deep(struct str s)
{
	static const char voids[] = "br,img,hr,source,input,wbr,col,link,meta";
	const char *p = s.p, *end = s.p + s.n;
	unsigned depth = 0;
	char name[16];
	size_t n;

	while (p < end && (p = memchr(p, '<', (size_t)(end - p))) != NULL) {
		p++;
		/*
		 * Unmatched end tags do not count below zero. An upper bound is enough: what
		 * stands in comments or attributes may count as well.
		 */
		if (p < end && *p == '/')
			depth -= depth > 0;
		for (n = 0; n < sizeof(name) - 1 && p + n < end && isalpha((unsigned char)p[n]); n++)
			name[n] = (char)tolower((unsigned char)p[n]);
		name[n] = '\0';
		if (n > 0 && !doc_in_set(voids, name) && ++depth > MAX_NESTING)
			return true;
	}
	return false;
}

/* NULL: too costly or too deep. Within a parse with limits, what is too costly does not return. */
GumboNode *
html_parse(struct arena *a, struct str html)
{
	GumboOptions o = kGumboDefaultOptions;
	const char *why = cost_of_html(html);

	if (why != NULL)
		limit_leave(why);
	if (why != NULL || too_deep(html))
		return NULL;
	o.allocator = gumbo_alloc;
	o.deallocator = gumbo_keep;
	o.userdata = a;
	o.max_errors = 0;
	/* As the content of <body>: gumbo makes no <html> and <head> around it. */
	o.fragment_context = GUMBO_TAG_BODY;
	/* A copy, because nodes point into the source, and the caller's text may be shorter-lived. */
	return gumbo_parse_with_options(&o, arena_strndup(a, html.p, html.n), html.n)->root;
}

const GumboNode *
html_open(struct conv *c, struct str html)
{
	const GumboNode *n;

	if (c->scratch == NULL)
		/*
		 * One arena for all elements of the document, emptied when the last of them is
		 * closed: they nest, since what stands in an element may be read as Markdown
		 * with HTML in it.
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

/* NULL: no element, or no such attribute. Entities are undone. Lives until html_close(). */
const char *
html_attr(const GumboNode *n, const char *name)
{
	GumboAttribute *x;

	if (n->type != GUMBO_NODE_ELEMENT)
		return NULL;
	x = gumbo_get_attribute(&n->v.element.attributes, name);
	return x == NULL ? NULL : x->value;
}

/* An element's name: as in the source where gumbo does not know it. */
struct str
html_name(const GumboNode *n)
{
	GumboStringPiece s;

	if (n->v.element.tag != GUMBO_TAG_UNKNOWN)
		return str_of(gumbo_normalized_tagname(n->v.element.tag));
	s = n->v.element.original_tag;
	if (s.data == NULL)
		return STR("");
	/* Cuts "<name attr>" down to the name. */
	gumbo_tag_from_original_text(&s);
	return (struct str){ s.data, s.length };
}

/* The end tag as typed; empty where the element has none: gumbo then names the one of an element around it. */
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
	/* Names that gumbo knows are in lower case, as those are that are asked for. */
	return n->type == GUMBO_NODE_ELEMENT && (n->v.element.tag != GUMBO_TAG_UNKNOWN
	    ? strcmp(gumbo_normalized_tagname(n->v.element.tag), name) == 0 : str_is_nocase(html_name(n), name));
}

bool
html_blank(const GumboNode *n)
{
	return n->type == GUMBO_NODE_WHITESPACE ||
	    (n->type == GUMBO_NODE_TEXT && str_trim(str_of(n->v.text.text)).n == 0);
}

/* The first element of that name below n, however deep. */
const GumboNode *
html_child(const GumboNode *n, const char *name)
{
	const GumboVector *v = &n->v.element.children;
	const GumboNode *x;

	for (unsigned i = 0; i < v->length; i++) {
		x = v->data[i];
		if (html_is(x, name))
			return x;
		/* Tables within a table are none of the outer one's business. */
		if (x->type == GUMBO_NODE_ELEMENT && !html_is(x, "table") && (x = html_child(x, name)) != NULL)
			return x;
	}
	return NULL;
}

/* "fa-solid fa-github" -> "github": the last class that is no style of the font. */
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

static int
by_name(const void *name, const void *word)
{
	const struct str *s = name;
	const char *w = *(const char *const *)word;
	int order = strncasecmp(s->p, w, s->n);

	return order != 0 ? order : w[s->n] == '\0' ? 0 : -1;
}

/* Is it one of n words in the order of letters? In any case; no name is none of them. */
static bool
among(struct str name, const char *const *words, size_t n)
{
	return name.n > 0 && find_sorted(&name, words, n, sizeof(*words), by_name) != NULL;
}

/* Elements that show nothing of themselves. */
static bool
is_plain(struct str name)
{
	static const char *const names[] = { "a", "abbr", "article", "aside", "b", "bdo", "big",
		"blockquote", "br", "button", "center", "cite", "code", "dd", "del", "details", "dfn", "div",
		"dl", "dt", "em", "figcaption", "figure", "font", "footer", "h1", "h2", "h3", "h4", "h5", "h6",
		"header", "hr", "i", "img", "ins", "kbd", "label", "li", "main", "mark", "nav", "ol", "p",
		"picture", "pre", "q", "s", "samp", "section", "small", "source", "span", "strike", "strong",
		"sub", "summary", "sup", "table", "tbody", "td", "tfoot", "th", "thead", "time", "tr", "tt",
		"u", "ul", "var", "wbr" };

	return among(name, names, sizeof(names) / sizeof(*names));
}

/* Appends the text content; false when something in it is not plain. */
static bool
visible(struct buf *out, const GumboNode *n, unsigned depth)
{
	const GumboVector *v;

	if (n->type == GUMBO_NODE_TEXT || n->type == GUMBO_NODE_WHITESPACE) {
		buf_str(out, n->v.text.text);
		return true;
	}
	if (n->type != GUMBO_NODE_ELEMENT)
		return true;
	if (depth > DOC_DEPTH || !is_plain(html_name(n)))
		return false;
	v = &n->v.element.children;
	for (unsigned i = 0; i < v->length; i++)
		if (!visible(out, v->data[i], depth + 1))
			return false;
	return true;
}

/* What an element shows, when it is one of those whose elements have no meaning of their own; raw: it is not. */
static struct str
visible_of(struct arena *a, struct str raw, const GumboNode *root)
{
	const GumboVector *v = &root->v.element.children;
	bool plain = true;
	struct buf out;

	buf_init(&out, a, raw.n * 3 + 64);
	for (unsigned i = 0; i < v->length && plain; i++)
		plain = visible(&out, v->data[i], 0);
	return plain ? str_trim(buf_view(&out)) : raw;
}

/* Can it be told without gumbo? Then it is in *seen. */
static bool
visible_at_once(struct str raw, struct str *seen)
{
	size_t from = 1, to;

	*seen = raw;
	/* "[^label]: text" is a footnote definition that nothing refers to (doc_note.c). */
	if (raw.n < 3 || raw.p[0] != '<') {
		*seen = note_label(raw).n > 0 ? STR("") : raw;
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
	/* A tag alone shows nothing. */
	if (to + 1 < raw.n || raw.p[to] != '>')
		return false;
	*seen = STR("");
	return true;
}

/* The same as html_visible() of raw, of which root is what gumbo makes. */
static struct str
visible_in(struct arena *a, struct str raw, const GumboNode *root)
{
	struct str seen;

	return visible_at_once(raw, &seen) ? seen : visible_of(a, raw, root);
}

/* What a reader sees of raw source; a function of the source alone. */
struct str
html_visible(struct arena *a, struct str raw)
{
	struct arena *scratch;
	const GumboNode *root;
	struct str seen;

	if (visible_at_once(raw, &seen))
		return seen;
	/*
	 * Not the conversion's scratch memory: this is also asked where no conversion is under
	 * way (doc_read), and the answer may not depend on who asks.
	 */
	scratch = limit_arena();
	root = html_parse(scratch, raw);
	seen = root == NULL ? raw : visible_of(a, raw, root);
	limit_arena_free(scratch);
	return seen;
}

/* Source that would begin an HTML block of the kinds that interrupt a paragraph. */
bool
html_begins_block(struct str s)
{
	/* CommonMark 4.6, condition 6, with the names of conditions 1 (pre, script, style, textarea). */
	static const char *const names[] = {
		"address", "article", "aside", "base", "basefont", "blockquote", "body", "caption",
		"center", "col", "colgroup", "dd", "details", "dialog", "dir", "div", "dl", "dt",
		"fieldset", "figcaption", "figure", "footer", "form", "frame", "frameset", "h1", "h2",
		"h3", "h4", "h5", "h6", "head", "header", "hr", "html", "iframe", "legend", "li",
		"link", "main", "menu", "menuitem", "nav", "noframes", "ol", "optgroup", "option", "p",
		"param", "pre", "script", "search", "section", "source", "style", "summary", "table",
		"tbody", "td", "textarea", "tfoot", "th", "thead", "title", "tr", "track", "ul" };
	size_t from = 1, to;

	if (s.n < 3 || s.p[0] != '<')
		return false;
	if (s.p[1] == '!' || s.p[1] == '?')
		return true;
	from += s.p[1] == '/';
	for (to = from; to < s.n && isalnum((unsigned char)s.p[to]); )
		to++;
	return among(str_slice(s, from, to), names, sizeof(names) / sizeof(*names));
}

/* Does s begin with "<name" or "</name", as a whole word? */
static bool
tag_at(struct str s, const char *open, size_t *len)
{
	size_t n = strlen(open);
	const char *end;

	if (s.n <= n || strncasecmp(s.p, open, n) != 0 || isalnum((unsigned char)s.p[n]) || s.p[n] == '-')
		return false;
	end = memchr(s.p, '>', s.n);
	*len = end == NULL ? s.n : (size_t)(end - s.p) + 1;
	return true;
}

/* Where a word (in any case) ends, searched from i on; 0 if it is not there. */
static size_t
find_end(struct str s, size_t i, const char *word)
{
	const char *p = i < s.n ? s.p + i : NULL;
	size_t n = strlen(word);

	while (p != NULL && (p = memchr(p, word[0], s.n - (size_t)(p - s.p))) != NULL) {
		if (s.n - (size_t)(p - s.p) >= n && strncasecmp(p, word, n) == 0)
			return (size_t)(p - s.p) + n;
		p++;
	}
	return 0;
}

/* The last "%}", behind which no tag begins; NULL: there is none. */
static const char *
last_tag_end(struct str s)
{
	size_t i = s.n;

	while (i >= 2 && (s.p[i - 2] != '%' || s.p[i - 1] != '}'))
		i--;
	return i < 2 ? NULL : s.p + i - 2;
}

/*
 * How much of s is one piece: up to the next <details>, </details> or known
 * tag that is not inside a comment, <pre> or <table>. tags: where the last tag ends.
 */
static size_t
piece(struct str s, const char *tags)
{
	static const char *const skip[][2] = { { "<!--", "-->" }, { "<pre", "</pre>" }, { "<table", "</table>" },
		{ "<code", "</code>" } };
	struct str rest;
	struct tag t;
	size_t i, k, end, n;
	bool code = true;

	for (i = 0; i < s.n; i++) {
		rest = str_slice(s, i, s.n);
		if (s.p[i] == '{' && tags != NULL && rest.p < tags && (n = tag_scan(rest, &t)) > 0) {
			if (tag_known(&t))
				return i;
			/* As among inlines: the whole of it is one that means nothing here. */
			i += n - 1;
			continue;
		}
		if (s.p[i] != '<')
			continue;
		if (i > 0 && (tag_at(rest, "<details", &n) || tag_at(rest, "</details", &n) ||
		    tag_at(rest, "<summary", &n) || str_starts(rest, "<!--")))
			return i;
		for (k = 0; k < sizeof(skip) / sizeof(*skip) - !code; k++)
			if (rest.n > strlen(skip[k][0]) && strncasecmp(rest.p, skip[k][0], strlen(skip[k][0])) == 0) {
				end = find_end(s, i, skip[k][1]);
				/*
				 * Without its end an element takes the rest; <code> does not,
				 * since it is an inline.
				 */
				code = code && (k != 3 || end != 0);
				i = end == 0 ? (k == 3 ? i : s.n - 1) : end - 1;
				break;
			}
	}
	return s.n;
}

/* The body is the frame's node; the title is an empty paragraph until a <summary> fills it in. */
static void
open_details(struct stream *st, struct str tag, size_t line)
{
	struct doc_node *n = doc_node(st->c->a, DOC_EXPANDABLE), *body;
	struct doc_node *before = st->top->node->last, *owner = st->top->node;
	const GumboNode *root;
	const GumboVector *v;
	struct frame *f;

	if (st->top->level + 6 > DOC_DEPTH || (root = html_open(st->c, tag)) == NULL) {
		stream_raw(st, tag);
		return;
	}
	v = &root->v.element.children;
	/* The tag alone was parsed: gumbo makes an element without an end of it. */
	if (v->length > 0 && html_attr(v->data[0], "open") != NULL)
		doc_set_bool(st->c->a, n, "defaultExpanded", true);
	html_close(st->c);
	doc_append(doc_fragment(st->c->a, n, "expandable-title"), doc_node(st->c->a, DOC_PARAGRAPH));
	body = doc_fragment(st->c->a, n, "expandable-body");
	stream_add(st, n);
	f = frame_push(st, body, "details", line);
	f->owner = owner;
	f->before = before;
}

/* <summary>...</summary>: the title of the innermost <details>, its first one. */
static size_t
summary(struct stream *st, struct str s, size_t open)
{
	struct frame *f = frame_find(st, "details");
	struct doc_node *n = f == NULL ? NULL : f->owner->last, *title;
	const GumboNode *body;
	struct inl in;
	size_t end;

	if (n == NULL || n->type != DOC_EXPANDABLE || st->src->no_end >= MAX_FAILURES)
		return 0;
	title = n->frags->child;
	/* A second <summary> is kept as what it is. */
	if (title->child != NULL)
		return 0;
	if ((end = find_end(s, open, "</summary>")) == 0) {
		st->src->no_end++;
		return 0;
	}
	body = html_open(st->c, str_slice(s, 0, end));
	if (body == NULL)
		return 0;
	inline_begin(&in, st->c, title);
	for (unsigned i = 0; i < body->v.element.children.length; i++) {
		const GumboNode *x = body->v.element.children.data[i];
		for (unsigned k = 0; html_is(x, "summary") && k < x->v.element.children.length; k++)
			inline_element(&in, x->v.element.children.data[k]);
	}
	inline_end(&in);
	html_close(st->c);
	inline_trim(title);
	return end;
}

/* Elements that may hold blank lines, and whose end is looked for in what follows. */
static const char *
lacks_end(struct str s)
{
	static const char *const names[][2] = { { "<table", "</table>" }, { "<figure", "</figure>" },
		{ "<ul", "</ul>" }, { "<ol", "</ol>" }, { "<div data-gb-custom-block", "</div>" } };
	size_t n;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (tag_at(s, names[i][0], &n))
			return find_end(s, n, names[i][1]) == 0 ? names[i][1] : NULL;
	return NULL;
}

/* Would the element that s begins with, up to its end, become blocks? */
static bool
can_be_blocks(struct conv *c, struct str s, const char *word)
{
	const GumboNode *root;
	size_t n = piece(s, last_tag_end(s));
	bool can;

	/* A tag of the dialect within: its content is Markdown, which gumbo would take for text. */
	if (n < find_end(s, 0, word))
		return false;
	root = html_open(c, str_slice(s, 0, n));
	can = root != NULL && html_convertible(c, &root->v.element.children);
	if (root != NULL)
		html_close(c);
	return can;
}

/* Joins s with the siblings up to the one that holds the end; s itself if none does, or it would be of no use. */
static struct str
extend(struct stream *st, struct str s, const char *word)
{
	struct source *src = st->src;
	cmark_node *n = st->next, *next, *parent = n == NULL ? NULL : cmark_node_parent(n);
	size_t from, to, end, line;
	struct buf out;

	if (n == NULL || cmark_node_get_start_line(n) <= 0 || src->no_end >= MAX_FAILURES)
		return s;
	from = src->starts[cmark_node_get_start_line(n) - 1];
	line = parent == NULL ? 0 : (size_t)cmark_node_get_end_line(parent);
	/* Not beyond the container: an end tag behind a list belongs to something else. */
	to = line == 0 || line > src->lines || cmark_node_parent(parent) == NULL ? src->text.n : src->starts[line];
	end = find_end(str_slice(src->text, 0, to), from, word);
	if (end == 0) {
		src->no_end++;
		return s;
	}
	next = st->next;
	/* The sibling that holds the end is taken as a whole, with what stands behind the end. */
	while (n != NULL && (cmark_node_get_start_line(n) <= 0 ||
	    src->starts[cmark_node_get_start_line(n) - 1] < end))
		n = cmark_node_next(n);
	st->next = n;
	if (n != NULL)
		to = src->starts[cmark_node_get_start_line(n) - 1];
	buf_init(&out, st->c->a, s.n + (to - from) + 2);
	buf_put(&out, s);
	buf_char(&out, '\n');
	buf_put(&out, str_slice(src->text, from, to));
	if (can_be_blocks(st->c, buf_view(&out), word))
		return buf_view(&out);
	src->no_end++;
	/* Nothing is taken: the siblings are read as they are. */
	st->next = next;
	return s;
}

/* One piece that begins with an element. */
static void
element(struct stream *st, struct str s)
{
	struct doc_node *into = doc_node(st->c->a, DOC_FRAGMENT), *n, *next;
	const GumboNode *root = html_open(st->c, s);
	bool can = root != NULL && html_convertible(st->c, &root->v.element.children);
	struct str seen = str_trim(s);

	/*
	 * Everything or nothing: half of an element as blocks and half as raw source would not
	 * read back.
	 */
	if (can)
		html_blocks(st->c, &root->v.element.children, into, st->top->level + 1);
	else if (root != NULL)
		seen = visible_in(st->c->a, seen, root);
	if (root != NULL)
		html_close(st->c);
	if (!can)
		stream_raw_seen(st, s, seen);
	for (n = into->child; n != NULL; n = next) {
		next = n->next;
		stream_add(st, n);
	}
}

/* What s begins with; bytes used. */
static size_t
step(struct stream *st, struct str s, const char *tags, size_t line)
{
	struct frame *f;
	struct tag t;
	size_t n, used;

	if (str_starts(s, "<!--")) {
		n = find_end(s, 4, "-->");
		stream_raw(st, str_slice(s, 0, n == 0 ? s.n : n));
		return n == 0 ? s.n : n;
	}
	if (s.p[0] == '{' && tags != NULL && s.p < tags && (n = tag_scan(s, &t)) > 0 && tag_known(&t)) {
		stream_tag(st, &t, line);
		return n;
	}
	if (tag_at(s, "<details", &n)) {
		open_details(st, str_slice(s, 0, n), line);
		return n;
	}
	if (tag_at(s, "</details", &n) && (f = frame_find(st, "details")) != NULL) {
		frame_close(st, f);
		return n;
	}
	if (tag_at(s, "<summary", &n) && (used = summary(st, s, n)) > 0)
		return used;
	n = piece(s, tags);
	/*
	 * piece() sees a known tag at the beginning only where step() has taken it already; the
	 * rest must not loop.
	 */
	n = n == 0 ? s.n : n;
	if (s.p[0] == '<')
		element(st, str_slice(s, 0, n));
	else
		stream_markdown(st, str_slice(s, 0, n), line);
	return n;
}

/* line is that of the block: pieces in it have no lines of their own. */
void
stream_html(struct stream *st, struct str s, size_t line)
{
	const char *word = lacks_end(str_trim(s)), *tags;

	s = str_trim(s);
	if (word != NULL)
		s = extend(st, s, word);
	/* Tags and raw nodes point into it, and cmark's memory ends with the parse. */
	s.p = arena_strndup(st->c->a, s.p, s.n);
	/* Once for all pieces: each of them would look for it to the end. */
	tags = last_tag_end(s);
	while ((s = str_trim(s)).n > 0)
		s = str_slice(s, step(st, s, tags, line), s.n);
}
