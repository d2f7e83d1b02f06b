/*
 * Lists the tags in HTML source without parsing it: where each begins and ends, and
 * which end tag matches which start tag. doc_stream.c uses the list to divide a block
 * of HTML: gumbo parses complete elements, and each other tag becomes a block of its
 * own. Linear: each byte is read once, and an end tag is compared with a bounded
 * number of open elements.
 */
#include <ctype.h>
#include <strings.h>

#include "doc_scan.h"

/* NEAR: open elements that an end tag is compared with; deeper ones are left to gumbo. */
enum { NAME_MAX_BYTES = 16, NEAR = 64 };

static const struct { const char *name; enum html_class class; } names[] = {
	{ "a", HTML_INLINE }, { "abbr", HTML_INLINE }, { "acronym", HTML_INLINE }, { "address", HTML_BOX },
	{ "article", HTML_BOX }, { "aside", HTML_BOX }, { "audio", HTML_BLOCK }, { "b", HTML_INLINE },
	{ "bdi", HTML_INLINE }, { "bdo", HTML_INLINE }, { "big", HTML_INLINE }, { "blockquote", HTML_BLOCK },
	{ "body", HTML_BOX }, { "br", HTML_VOID }, { "button", HTML_INLINE }, { "caption", HTML_PART },
	{ "center", HTML_BOX }, { "cite", HTML_INLINE }, { "code", HTML_INLINE }, { "col", HTML_PART },
	{ "colgroup", HTML_PART }, { "data", HTML_INLINE }, { "dd", HTML_BOX }, { "del", HTML_INLINE },
	{ "details", HTML_FRAME }, { "dfn", HTML_INLINE }, { "dialog", HTML_BOX }, { "dir", HTML_BOX },
	{ "div", HTML_BOX }, { "dl", HTML_BOX }, { "dt", HTML_BOX }, { "em", HTML_INLINE },
	{ "fieldset", HTML_BOX }, { "figcaption", HTML_BOX }, { "figure", HTML_BLOCK }, { "font", HTML_INLINE },
	{ "footer", HTML_BOX }, { "form", HTML_BOX }, { "h1", HTML_BLOCK }, { "h2", HTML_BLOCK },
	{ "h3", HTML_BLOCK }, { "h4", HTML_BLOCK }, { "h5", HTML_BLOCK }, { "h6", HTML_BLOCK },
	{ "header", HTML_BOX }, { "hgroup", HTML_BOX }, { "hr", HTML_VOID }, { "html", HTML_BOX },
	{ "i", HTML_INLINE }, { "iframe", HTML_BLOCK }, { "img", HTML_VOID }, { "input", HTML_VOID },
	{ "ins", HTML_INLINE }, { "kbd", HTML_INLINE }, { "label", HTML_INLINE }, { "legend", HTML_BOX },
	{ "li", HTML_PART }, { "main", HTML_BOX }, { "mark", HTML_INLINE }, { "menu", HTML_BOX },
	{ "nav", HTML_BOX }, { "nobr", HTML_INLINE }, { "noscript", HTML_BOX }, { "object", HTML_OPAQUE },
	{ "ol", HTML_BLOCK }, { "p", HTML_BLOCK }, { "picture", HTML_BLOCK }, { "pre", HTML_BLOCK },
	{ "q", HTML_INLINE }, { "rb", HTML_INLINE }, { "rp", HTML_INLINE }, { "rt", HTML_INLINE },
	{ "rtc", HTML_INLINE }, { "ruby", HTML_INLINE }, { "s", HTML_INLINE }, { "samp", HTML_INLINE },
	{ "script", HTML_OPAQUE }, { "search", HTML_BOX }, { "section", HTML_BOX }, { "small", HTML_INLINE },
	{ "source", HTML_VOID }, { "span", HTML_INLINE }, { "strike", HTML_INLINE }, { "strong", HTML_INLINE },
	{ "style", HTML_OPAQUE }, { "sub", HTML_INLINE }, { "summary", HTML_FRAME }, { "sup", HTML_INLINE },
	{ "svg", HTML_OPAQUE }, { "table", HTML_BLOCK }, { "tbody", HTML_PART }, { "td", HTML_PART },
	{ "template", HTML_OPAQUE }, { "textarea", HTML_OPAQUE }, { "tfoot", HTML_PART }, { "th", HTML_PART },
	{ "thead", HTML_PART }, { "time", HTML_INLINE }, { "title", HTML_OPAQUE }, { "tr", HTML_PART },
	{ "track", HTML_VOID }, { "tt", HTML_INLINE }, { "u", HTML_INLINE }, { "ul", HTML_BLOCK },
	{ "var", HTML_INLINE }, { "video", HTML_BLOCK }, { "wbr", HTML_VOID } };

/* Lower-case name; "" if it is longer than any HTML name. */
static const char *
lower_name(struct str name, char lower[NAME_MAX_BYTES])
{
	size_t n = name.n < NAME_MAX_BYTES ? name.n : 0;

	for (size_t i = 0; i < n; i++)
		lower[i] = (char)tolower((unsigned char)name.p[i]);
	lower[n] = '\0';
	return lower;
}

enum html_class
html_class(struct str name)
{
	size_t low = 0, high = sizeof(names) / sizeof(*names), mid;
	char lower[NAME_MAX_BYTES];
	int order;

	lower_name(name, lower);
	while (low < high) {
		mid = (low + high) / 2;
		if ((order = strcmp(lower, names[mid].name)) == 0)
			return names[mid].class;
		if (order < 0)
			high = mid;
		else
			low = mid + 1;
	}
	return HTML_OTHER;
}

bool
html_parts_text(enum html_class class)
{
	return class == HTML_BLOCK || class == HTML_BOX || class == HTML_PART || class == HTML_FRAME;
}

/* Searches a word from i on, ignoring case. Position after it; 0: not found. */
size_t
html_find_end(struct str s, size_t i, const char *word)
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

/*
 * Offset of the quote that closes the one at i; 0 if it is missing. In <a href="x>text <b id="y">
 * the next quote opens the value of another tag: a ">" comes before it, and a "=" directly before
 * it. If that quote were taken as the end of the value, the text in between would be lost.
 */
static size_t
value_end(struct str s, size_t i)
{
	const char *end = memchr(s.p + i + 1, s.p[i], s.n - i - 1);

	if (end == NULL || (end[-1] == '=' && memchr(s.p + i, '>', (size_t)(end - s.p) - i) != NULL))
		return 0;
	return (size_t)(end - s.p);
}

/*
 * End of the tag at i; quoted values may contain ">". A quote that is never closed counts as an
 * ordinary character, and its offset is stored in *open (0: none).
 */
static size_t
tag_end(struct str s, size_t i, size_t *open)
{
	size_t end;
	char before = ' ';

	for (*open = 0; i < s.n && s.p[i] != '>'; i++) {
		if ((s.p[i] == '"' || s.p[i] == '\'') && before == '=') {
			if ((end = value_end(s, i)) > 0)
				i = end;
			else
				*open = i;
		}
		before = isspace((unsigned char)s.p[i]) ? before : s.p[i];
	}
	return i < s.n ? i + 1 : s.n;
}

/* True if an HTML tag begins at i. */
static bool
tag_begins(struct str s, size_t i)
{
	i += i + 1 < s.n && s.p[i] == '<' && s.p[i + 1] == '/' ? 2 : 1;
	return i < s.n && isalpha((unsigned char)s.p[i]);
}

struct str
html_mend(struct arena *a, struct str s)
{
	struct buf b;
	size_t i = 0, done = 0, end, open, at;

	while ((i = html_find_end(s, i, "<")) > 0) {
		if (str_starts(str_slice(s, i, s.n), "!--"))
			i += html_find_end(str_slice(s, i, s.n), 3, "-->");
		if (!tag_begins(s, i - 1))
			continue;
		end = tag_end(s, i, &open);
		if (open > 0) {
			if (done == 0)
				buf_init(&b, a, 2 * s.n + 16);
			/* The missing quote is inserted before ">" or "/>". */
			at = end - (s.p[end - 1] == '>');
			at -= at > open + 1 && s.p[at - 1] == '/';
			buf_add(&b, s.p + done, at - done);
			buf_add(&b, s.p + open, 1);
			done = at;
		}
		i = end;
	}
	if (done == 0)
		return s;
	buf_add(&b, s.p + done, s.n - done);
	return buf_view(&b);
}

struct scan {
	struct arena    *a;
	struct str       s;
	struct html_tag *list;
	size_t           count, room;
	size_t          *open;       /* start tags without their end so far */
	size_t           depth, open_room;
	size_t           dialect_count;       /* dialect tags so far, without those in tables and code */
	const char      *dialect;    /* the last "%}"; NULL: none */
};

static struct html_tag *
push_tag(struct scan *x, size_t from, size_t to, enum html_class class)
{
	struct html_tag *t;

	x->list = arena_grow(x->a, x->list, x->count, &x->room, sizeof(*x->list));
	t = &x->list[x->count++];
	*t = (struct html_tag){ .from = from, .to = to, .class = class, .match = HTML_NO_MATCH, .dialect_before = x->dialect_count };
	return t;
}

/* Match end tag k to its start tag; elements opened in between stay open. */
static void
match_end_tag(struct scan *x, size_t k)
{
	struct html_tag *end = &x->list[k], *start;
	char lower[NAME_MAX_BYTES];
	size_t i, looked = 0;

	for (i = x->depth; i > 0 && looked < NEAR; i--, looked++) {
		start = &x->list[x->open[i - 1]];
		if (start->name.n == end->name.n && strncasecmp(start->name.p, end->name.p, end->name.n) == 0) {
			start->match = k;
			end->match = x->open[i - 1];
			x->depth = i - 1;
			/*
			 * Dialect tags inside tables and code do not divide these: they are read as
			 * HTML as a whole.
			 */
			if (doc_in_set("table,pre,code", lower_name(end->name, lower)))
				x->dialect_count = end->dialect_before = start->dialect_before;
			return;
		}
		/* An inline end tag, such as </b>, matches no start tag outside of the open block. */
		if (end->class == HTML_INLINE && start->class != HTML_INLINE && start->class != HTML_OTHER)
			return;
	}
}

/* Skip <script> and the like, whose content is no HTML. */
static void
skip_opaque(struct scan *x, struct html_tag *t)
{
	const char *word = arena_printf(x->a, "</%.*s>", (int)t->name.n, t->name.p);
	size_t end = t->to > 1 && x->s.p[t->to - 2] == '/' ? t->to : html_find_end(x->s, t->to, word);

	t->to = end == 0 ? x->s.n : end;
}

/* Add a start or end tag at i; returns where to continue. */
static size_t
add_tag(struct scan *x, size_t i)
{
	struct str s = x->s;
	bool end = s.p[i + 1] == '/';
	size_t from = i + 1 + end, to = from;
	struct html_tag *t;
	size_t open;

	while (to < s.n && (isalnum((unsigned char)s.p[to]) || s.p[to] == '-'))
		to++;
	t = push_tag(x, i, tag_end(s, to, &open), html_class(str_slice(s, from, to)));
	t->name = str_slice(s, from, to);
	t->end = end;
	t->empty = t->to > i + 1 && s.p[t->to - 2] == '/';
	if (end) {
		match_end_tag(x, x->count - 1);
		return t->to;
	}
	if (t->class == HTML_OPAQUE) {
		skip_opaque(x, t);
		return t->to;
	}
	if (t->class == HTML_VOID || str_is_nocase(t->name, "col") || (t->class == HTML_OTHER && t->empty))
		return t->to;
	x->open = arena_grow(x->a, x->open, x->depth, &x->open_room, sizeof(*x->open));
	x->open[x->depth++] = x->count - 1;
	return t->to;
}

/* Adds the comment or dialect tag at i. Returns where to continue; 0: there is neither. */
static size_t
add_comment_or_dialect_tag(struct scan *x, size_t i)
{
	struct str rest = str_slice(x->s, i, x->s.n);
	struct tag t;
	size_t n;

	if (str_starts(rest, "<!--")) {
		n = html_find_end(rest, 4, "-->");
		n = n == 0 ? rest.n : n;
		push_tag(x, i, i + n, HTML_COMMENT);
		return i + n;
	}
	if (rest.p[0] != '{' || x->dialect == NULL || rest.p >= x->dialect || (n = tag_scan(rest, &t)) == 0)
		return 0;
	if (tag_known(&t)) {
		x->dialect_count++;
		push_tag(x, i, i + n, HTML_DIALECT);
	}
	/* An unknown dialect tag is text: skip it, so that nothing in it is read as HTML. */
	return i + n;
}

/* The last "%}": no tag can begin after it; NULL: there is none. */
static const char *
last_tag_end(struct str s)
{
	size_t i = s.n;

	while (i >= 2 && (s.p[i - 2] != '%' || s.p[i - 1] != '}'))
		i--;
	return i < 2 ? NULL : s.p + i - 2;
}

struct html_tag *
html_scan(struct arena *a, struct str s, size_t *count)
{
	struct scan x = { .a = a, .s = s, .dialect = last_tag_end(s) };
	size_t i = 0, next;

	while (i < s.n) {
		if (s.p[i] != '<' && s.p[i] != '{')
			i++;
		else if ((next = add_comment_or_dialect_tag(&x, i)) > 0)
			i = next;
		else if (s.p[i] == '<' && tag_begins(s, i))
			i = add_tag(&x, i);
		else
			i++;
	}
	*count = x.count;
	return x.list;
}

bool
html_is_whole(const struct html_tag *list, size_t k)
{
	return list[k].match != HTML_NO_MATCH && !list[k].end && list[list[k].match].dialect_before == list[k].dialect_before;
}
