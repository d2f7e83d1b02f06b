/*
 * Writes inlines as Markdown or HTML.
 *
 * Of the marks that begin at the same place, the longest is opened first; the innermost is closed
 * first. Markdown's delimiters are used where CommonMark's rules for emphasis read them as
 * intended; elsewhere marks are HTML elements. Text gets as few escapes as are safe before any
 * inline that may follow.
 */
#include <ctype.h>
#include <stdio.h>

#include <cmark-gfm/utf8.h>

#include "doc_write.h"
#include "base/utf8.h"

enum edge { SPACE, PUNCT, LETTER, CJK_PUNCT, CJK_LETTER };
/*
 * MAX_RUN limits the lookahead, so that a mark over thousands of items stays linear; MAX_OPEN is
 * more than the seven marks that exist. COLOR_BITS: MARK_COLOR, and the numbers of both colours.
 */
enum { MAX_RUN = 512, MAX_OPEN = 10, ITEM_MARKS = 0xFFFF & ~MARK_CODE, PLAIN_MARKS = MARK_COLOR - 1, COLOR_BITS = 0xFFFF & ~PLAIN_MARKS };

static bool
is_punct(char c)
{
	return ispunct((unsigned char)c) != 0;
}

static bool
is_alnum(char c)
{
	return isalnum((unsigned char)c) != 0;
}

/* True if the parser would read an entity at s[i]. */
static bool
begins_entity(struct str s, size_t i)
{
	size_t k = i + 1;

	while (k < s.n && (is_alnum(s.p[k]) || s.p[k] == '#'))
		k++;
	return k < s.n && s.p[k] == ';' && k > i + 1;
}

static bool
begins_shortcode(struct writer *w, struct str s, size_t i, char tail)
{
	size_t k = i + 1;

	while (k < s.n && (is_alnum(s.p[k]) || strchr("_+-", s.p[k]) != NULL))
		k++;
	return (k < s.n ? s.p[k] : tail) == ':' && k > i + 1 && emoji_code(w->a, str_slice(s, i + 1, k)) != NULL;
}

/* True if the rest of the line has only characters of dividers, heading underlines and table delimiters. */
static bool
is_rule_line(struct str s, size_t i)
{
	for (; i < s.n && s.p[i] != '\n'; i++)
		if (strchr("-=:|+ \t", s.p[i]) == NULL)
			return false;
	return true;
}

/* True if s[i], at the beginning of a line, begins a block. number_at() handles digits. */
static bool
opens_block(struct str s, size_t i)
{
	char next = i + 1 < s.n ? s.p[i + 1] : ' ';
	size_t k = i;

	switch (s.p[i]) {
	case '>':
		return true;
	case '#':
		while (k < s.n && s.p[k] == '#')
			k++;
		return k - i <= 6 && (k == s.n || isspace((unsigned char)s.p[k]));
	case '-': case '+':
		return isspace((unsigned char)next) || is_rule_line(s, i);
	case '=': case ':': case '|':
		return is_rule_line(s, i);
	default:
		return false;
	}
}

/* Returns the length of the digits at i if they would number a list item, else 0. */
static size_t
number_at(struct str s, size_t i)
{
	size_t k = i;

	while (k < s.n && k - i < 10 && isdigit((unsigned char)s.p[k]))
		k++;
	if (k == i || k - i > 9 || k == s.n || (s.p[k] != '.' && s.p[k] != ')'))
		return 0;
	return k + 1 == s.n || isspace((unsigned char)s.p[k + 1]) ? k - i : 0;
}

/*
 * True if this byte must be escaped at any position in a line. tail is what follows the text: 0 for
 * nothing, '[' '$' ':' for a link, a formula, an emoji, '*' for anything else.
 */
static bool
needs_escape(struct writer *w, struct str s, size_t i, char tail)
{
	char c = s.p[i], prev = i > 0 ? s.p[i - 1] : 'x', next = i + 1 < s.n ? s.p[i + 1] : tail;
	bool last = i + 1 == s.n;

	switch (c) {
	case '\\':
		return is_punct(next) || next == '\n';
	case '`': case '[':
		return true;
	case '~':
		/* A single "~" is text; but the text before or after this leaf may add another. */
		return i == 0 || last || prev == '~' || next == '~';
	case ']':
		return w->in_link;
	case '*':
		return !(i > 0 && !last && isspace((unsigned char)prev) && isspace((unsigned char)next) && prev != '\n');
	case '_':
		return !(i > 0 && !last && is_alnum(prev) && is_alnum(next));
	case '<':
		return is_alnum(next) || (next != '\0' && strchr("/!?", next) != NULL);
	case ':':
		return begins_shortcode(w, s, i, tail);
	case '$':
		return next == '$' || (i > 0 && prev == '$');
	case '{':
		return next == '%';
	case '!':
		return next == '[' && last;
	default:
		return false;
	}
}

static void
put_break(struct writer *w, bool last)
{
	w_str(w, w->html || w->one_line || last ? "<br>" : "\\\n");
}

/*
 * Writes text as Markdown. first: the text begins its block; tail is what follows, see
 * needs_escape(). Only blanks and tabs within a line are read back; other white space becomes entities.
 */
static void
write_markdown_text(struct writer *w, struct str s, bool first, char tail)
{
	size_t i, n;
	bool start = !w->one_line && (first || w->bol);

	for (i = 0; i < s.n; i++) {
		char c = s.p[i];
		bool end = i + 1 == s.n ? tail == '\0' : s.p[i + 1] == '\n';
		if (c == '\n') {
			put_break(w, i + 1 == s.n);
			start = !w->one_line && i + 1 < s.n;
			continue;
		}
		if (isspace((unsigned char)c) && (c != ' ' || start || end) && (c != '\t' || start || end))
			w_printf(w, "&#x%X;", (unsigned)(unsigned char)c);
		else if (c == '&' && begins_entity(s, i))
			w_str(w, "&#x26;");
		else if (start && (n = number_at(s, i)) > 0) {
			w_put(w, str_slice(s, i, i + n));
			w_str(w, "\\");
			i += n - 1;
		} else {
			if (needs_escape(w, s, i, tail) || (start && opens_block(s, i)) || (c == '#' && w->one_line && end))
				w_str(w, "\\");
			w_put(w, str_slice(s, i, i + 1));
		}
		start = false;
	}
}

void
w_html_text(struct writer *w, struct str s)
{
	size_t i, from = 0;
	const char *with;

	for (i = 0; i < s.n; i++) {
		switch (s.p[i]) {
		case '&':  with = "&#x26;"; break;
		case '<':  with = "&#x3C;"; break;
		/* Escape it at the end too: the next leaf may begin with the "%" of a tag. */
		case '{':  with = i + 1 == s.n || s.p[i + 1] == '%' ? "&#x7B;" : NULL; break;
		case '\n': with = "<br>"; break;
		default:   with = NULL;
		}
		if (with == NULL)
			continue;
		w_put(w, str_slice(s, from, i));
		w_str(w, with);
		from = i + 1;
	}
	w_put(w, str_slice(s, from, s.n));
}

void
w_text(struct writer *w, const char *s)
{
	if (w->html)
		w_html_text(w, str_of(s));
	else
		write_markdown_text(w, str_of(s), false, '*');
}

static void
write_code_span(struct writer *w, struct str s)
{
	size_t run = 0, most = 0, i;
	bool pad;

	if (w->html) {
		w_str(w, "<code>");
		w_html_text(w, s);
		w_str(w, "</code>");
		return;
	}
	for (i = 0; i < s.n; i++) {
		run = s.p[i] == '`' ? run + 1 : 0;
		most = run > most ? run : most;
	}
	/* CommonMark 6.1 strips one blank from each end where both ends have one; leaves are never empty. */
	pad = s.p[0] == '`' || s.p[s.n - 1] == '`' ||
	    (s.p[0] == ' ' && s.p[s.n - 1] == ' ' && str_trim(s).n > 0);
	for (i = 0; i <= most; i++)
		w_str(w, "`");
	w_str(w, pad ? " " : "");
	for (i = 0; i < s.n; i++)
		w_put(w, s.p[i] == '\n' || s.p[i] == '\r' ? STR(" ") : str_slice(s, i, i + 1));
	w_str(w, pad ? " " : "");
	for (i = 0; i <= most; i++)
		w_str(w, "`");
}

static void
write_link_end(struct writer *w, const char *target, const char *title)
{
	w_str(w, "](");
	struct buf b;
	buf_init(&b, w->a, (size_t)1 << 24);
	doc_quote(&b, str_of(target), PLACE_BARE);
	if (*target != '\0' || title != NULL)
		w_put(w, buf_view(&b));
	if (title != NULL) {
		w_str(w, " \"");
		for (struct str s = str_of(title); s.n > 0; s = str_slice(s, 1, s.n)) {
			if (s.p[0] == '"' || s.p[0] == '\\')
				w_str(w, "\\");
			if (s.p[0] == '&' && begins_entity(s, 0))
				w_str(w, "&#x26;");
			else
				w_put(w, s.p[0] == '\n' ? STR(" ") : str_slice(s, 0, 1));
		}
		w_str(w, "\"");
	}
	w_str(w, ")");
}

static void
write_plain_link(struct writer *w, const char *label, const char *target, const char *title)
{
	bool in_link = w->in_link;

	w_str(w, "[");
	w->in_link = true;
	write_markdown_text(w, str_of(label), false, '*');
	w->in_link = in_link;
	write_link_end(w, target, title);
}

static void
write_mention(struct writer *w, const struct doc_node *n)
{
	const char *target = w_target_of(w, n, "ref", USE_LINK);

	if (!w->html) {
		write_plain_link(w, w_label(w, target), target, "mention");
		return;
	}
	w_str(w, "<a data-mention");
	w_attr(w, "href", target);
	w_str(w, ">");
	w_html_text(w, str_of(w_label(w, target)));
	w_str(w, "</a>");
}

static void
write_inline_image(struct writer *w, const struct doc_node *n)
{
	const char *src = w_target_of(w, n, "ref", USE_FILE), *alt = doc_attr_str(n, "alt");
	const char *caption = doc_attr_str(n, "caption"), *size = doc_attr_str(n, "size");
	bool dark = doc_attr(n, "refDark") != NULL, in_link = w->in_link;

	if (!w->html && !dark && size == NULL) {
		w_str(w, "![");
		w->in_link = true;
		write_markdown_text(w, str_of(alt == NULL ? "" : alt), false, '*');
		w->in_link = in_link;
		write_link_end(w, src, caption);
		return;
	}
	if (dark) {
		w_str(w, "<picture><source");
		w_attr(w, "srcset", w_target_of(w, n, "refDark", USE_FILE));
		w_str(w, " media=\"(prefers-color-scheme: dark)\">");
	}
	w_str(w, "<img");
	w_attr(w, "src", src);
	w_attr(w, "alt", alt == NULL ? "" : alt);
	if (caption != NULL)
		w_attr(w, "title", caption);
	if (size != NULL)
		w_attr(w, "data-size", size);
	w_str(w, dark ? "></picture>" : ">");
}

static void
write_button(struct writer *w, const struct doc_node *n)
{
	const char *action = doc_attr_str(n, "action");
	const char *href = action == NULL ? w_target_of(w, n, "ref", USE_LINK) : NULL;
	static const char *const more[][2] = { { "action", "data-action" }, { "query", "data-query" },
		{ "slug", "data-slug" }, { "size", "data-size" }, { "icon", "data-icon" } };

	w_str(w, action != NULL ? "<button type=\"button\"" : "<a");
	if (href != NULL && *href != '\0')
		w_attr(w, "href", href);
	w_printf(w, " class=\"button %s\"", doc_attr_str(n, "kind"));
	for (size_t i = 0; i < sizeof(more) / sizeof(*more); i++)
		if (doc_attr_str(n, more[i][0]) != NULL)
			w_attr(w, more[i][1], doc_attr_str(n, more[i][0]));
	w_str(w, ">");
	w_text(w, doc_attr_str(n, "label"));
	w_str(w, action != NULL ? "</button>" : "</a>");
}

static void
write_icon(struct writer *w, const struct doc_node *n)
{
	const char *name = doc_attr_str(n, "icon"), *color = doc_attr_str(n, "color");

	w_str(w, "<i");
	w_attr(w, "class", arena_printf(w->a, "fa-%s", name));
	if (color != NULL)
		w_attr(w, "style", arena_printf(w->a, "color:%s;", color));
	w_str(w, ">:");
	w_text(w, name);
	w_str(w, ":</i>");
}

static void
write_emoji(struct writer *w, const struct doc_node *n)
{
	const char *code = doc_attr_str(n, "code"), *name = emoji_shortcode(w->a, code);
	struct buf b;

	if (name != NULL) {
		w_printf(w, ":%s:", name);
		return;
	}
	buf_init(&b, w->a, (code == NULL ? 0 : strlen(code)) * 4 + 1);
	emoji_utf8(&b, code);
	w_str(w, "<span data-gb-custom-inline data-tag=\"emoji\"");
	w_attr(w, "data-code", code);
	w_str(w, ">");
	w_put(w, buf_view(&b));
	w_str(w, "</span>");
}

/* A blank separates a "$" of the formula from the "$$"; it is not part of the formula. */
static void
write_inline_math(struct writer *w, const char *formula)
{
	struct str s = str_of(formula);

	w_str(w, str_starts(s, "$") ? "$$ " : "$$");
	if (w->html)
		w_html_text(w, s);
	else
		w_str(w, formula);
	w_str(w, s.n > 0 && s.p[s.n - 1] == '$' ? " $$" : "$$");
}

static void
write_void_inline(struct writer *w, const struct doc_node *n)
{
	switch (n->type) {
	case DOC_MENTION:
		write_mention(w, n);
		break;
	case DOC_INLINE_IMAGE:
		write_inline_image(w, n);
		break;
	case DOC_BUTTON:
		write_button(w, n);
		break;
	case DOC_ICON:
		write_icon(w, n);
		break;
	case DOC_EMOJI:
		write_emoji(w, n);
		break;
	case DOC_INLINE_MATH:
		write_inline_math(w, doc_attr_str(n, "formula"));
		break;
	case DOC_EXPRESSION:
		w_str(w, "<code class=\"expression\">");
		w_text(w, doc_attr_str(n, "expression"));
		w_str(w, "</code>");
		break;
	default:
		break;
	}
}

/* An inline of a block, with the marks that are opened and closed around it. */
struct item {
	const struct doc_node *n;
	uint32_t               marks;
};

/* An open mark: its bits, and the text that closes it. */
struct open {
	uint32_t    mark;
	const char *close;
};

struct run {
	struct writer *w;
	struct item   *items;
	size_t         count;
	struct open    open[MAX_OPEN];
	unsigned       depth;
	uint32_t       base;      /* marks already open around these inlines */
	bool           edge;      /* these are all inlines of the block */
};

/* Compares text and background colour together, as one mark. */
static bool
has_mark(uint32_t marks, uint32_t mark)
{
	if ((mark & MARK_COLOR) != 0)
		return (marks & COLOR_BITS) == mark;
	return (marks & mark) != 0;
}

/* Returns the marks that all text of a link or annotation has. */
static uint32_t
common_marks(const struct doc_node *n)
{
	uint32_t m = ITEM_MARKS;
	const struct doc_node *c;

	for (c = n->child; c != NULL; c = c->next) {
		if (c->type != DOC_LEAF || c->raw.p != NULL)
			continue;
		if ((m & COLOR_BITS) != (c->marks & COLOR_BITS))
			m &= PLAIN_MARKS;
		m &= c->marks | COLOR_BITS;
	}
	return n->child == NULL || m == ITEM_MARKS ? 0 : m;
}

/* An item without marks (a formula, an emoji) gets those of both neighbours, so that marks span it. */
static void
spread_marks(struct item *items, size_t count)
{
	size_t i, k;
	uint32_t left = 0, m;

	for (i = 0; i < count; i++) {
		if (items[i].marks != UINT32_MAX) {
			left = items[i].marks;
			continue;
		}
		for (k = i; k < count && items[k].marks == UINT32_MAX; )
			k++;
		m = k == count ? 0 : items[k].marks & left & PLAIN_MARKS;
		if (k < count && (items[k].marks & COLOR_BITS) == (left & COLOR_BITS))
			m |= left & COLOR_BITS;
		for (; i < k; i++)
			items[i].marks = m;
		i--;
		left = m;
	}
}

static void
collect_items(struct run *r, const struct doc_node *n)
{
	const struct doc_node *c;
	size_t i = 0;

	for (c = n->child; c != NULL; c = c->next)
		r->count++;
	r->items = arena_array(r->w->a, r->count + 1, sizeof(*r->items));
	for (c = n->child; c != NULL; c = c->next, i++) {
		r->items[i].n = c;
		if (c->type == DOC_LEAF && c->raw.p == NULL)
			r->items[i].marks = c->marks & ITEM_MARKS;
		else
			r->items[i].marks = c->type == DOC_LINK || c->type == DOC_ANNOTATION ? common_marks(c) : UINT32_MAX;
	}
	spread_marks(r->items, r->count);
	for (i = 0; i < r->count; i++)
		if ((r->items[i].marks & MARK_COLOR) == 0)
			r->items[i].marks &= PLAIN_MARKS;
}

/* The class of the last character of the text (end), or of the first; of an empty text: SPACE. */
static enum edge
classify_edge(struct str s, bool end)
{
	int32_t cp = ' ';
	size_t at = 0;

	if (s.n == 0)
		return SPACE;
	for (at = end ? s.n - 1 : 0; end && at > 0 && ((unsigned char)s.p[at] & 0xC0) == 0x80; )
		at--;
	if (cmark_utf8proc_iterate((const uint8_t *)s.p + at, (bufsize_t)(s.n - at), &cp) <= 0)
		return LETTER;
	if (cmark_utf8proc_is_space(cp))
		return SPACE;
	if (char_is_cjk((uint32_t)cp))
		return cmark_utf8proc_is_punctuation(cp) ? CJK_PUNCT : CJK_LETTER;
	return cmark_utf8proc_is_punctuation(cp) ? PUNCT : LETTER;
}

/* True if a run of asterisks is a delimiter between characters of these classes (CommonMark 6.2, and doc_cjk.c). */
static bool
can_flank(enum edge inside, enum edge outside)
{
	if (inside == CJK_PUNCT || outside == CJK_LETTER)
		return true;
	return inside != PUNCT || outside != LETTER;
}

/* Returns the class of an item's first or last character in the output, ignoring marks. */
static enum edge
item_edge(const struct run *r, size_t i, bool end)
{
	const struct doc_node *n = r->items[i].n;
	enum edge e;

	if (n->type != DOC_LEAF || n->raw.p != NULL || (n->marks & MARK_CODE) != 0)
		return PUNCT;
	e = classify_edge(n->text, end);
	/*
	 * White space at the beginning of the block is written as an entity, which ends in a
	 * punctuation character.
	 */
	return e == SPACE && r->edge && !end && i == 0 ? PUNCT : e;
}

/* Returns the index where a mark opened at i ends; 0 when it spans MAX_RUN items or more. */
static size_t
run_end(const struct run *r, size_t i, uint32_t mark)
{
	size_t k = i;

	while (k < r->count && k - i < MAX_RUN && has_mark(r->items[k].marks, mark))
		k++;
	return k - i == MAX_RUN ? 0 : k;
}

/* True if Markdown's delimiter can be used around items i to k-1. alone: no further mark is opened inside it at i. */
static bool
delimiter_safe(const struct run *r, size_t i, size_t k, uint32_t mark, bool alone)
{
	enum edge before = classify_edge(buf_view(r->w->out), true), first, last, after;

	if (r->w->html || k == 0)
		return false;
	if (r->w->bol)
		before = SPACE;
	first = alone ? item_edge(r, i, false) : PUNCT;
	last = item_edge(r, k - 1, true);
	after = k == r->count ? (r->edge ? SPACE : PUNCT) : item_edge(r, k, false);
	if ((r->items[k - 1].marks & ~mark & ~(k < r->count ? r->items[k].marks : r->base)) != 0)
		last = last == SPACE ? SPACE : PUNCT;
	if (k < r->count && (r->items[k].marks & ~r->items[k - 1].marks) != 0)
		after = PUNCT;
	if (first == SPACE || last == SPACE)
		return false;
	if (mark != MARK_ITALIC)
		return can_flank(first, before) && can_flank(last, after);
	return before != LETTER && after != LETTER && before != CJK_LETTER && after != CJK_LETTER;
}

static void
write_color_tag(struct writer *w, uint32_t mark)
{
	uint32_t text = mark >> MARK_TEXT_SHIFT & 15, back = mark >> MARK_BACK_SHIFT & 15;

	w_str(w, "<mark style=\"");
	if (text > 0)
		w_printf(w, "color:%s;", doc_colors[text]);
	if (back > 0)
		w_printf(w, "background-color:%s;", doc_colors[back]);
	w_str(w, "\">");
}

static void
open_mark(struct run *r, size_t i, size_t k, uint32_t mark, bool alone)
{
	static const struct { uint32_t mark; const char *md, *open, *close; } forms[] = {
		{ MARK_BOLD, "**", "<strong>", "</strong>" }, { MARK_ITALIC, "_", "<em>", "</em>" },
		{ MARK_STRIKE, "~~", "<del>", "</del>" }, { MARK_SUPER, NULL, "<sup>", "</sup>" },
		{ MARK_SUB, NULL, "<sub>", "</sub>" }, { MARK_KEYBOARD, NULL, "<kbd>", "</kbd>" } };
	struct open *o = &r->open[r->depth++];

	o->mark = mark;
	if ((mark & MARK_COLOR) != 0) {
		write_color_tag(r->w, mark);
		o->close = "</mark>";
		return;
	}
	for (size_t f = 0; f < sizeof(forms) / sizeof(*forms); f++) {
		if (forms[f].mark != mark)
			continue;
		if (forms[f].md != NULL && delimiter_safe(r, i, k, mark, alone)) {
			w_str(r->w, forms[f].md);
			o->close = forms[f].md;
		} else {
			w_str(r->w, forms[f].open);
			o->close = forms[f].close;
		}
	}
}

/* Opens the marks that begin at item i, the longest first. */
static void
open_marks(struct run *r, size_t i)
{
	static const uint32_t order[] = { MARK_COLOR, MARK_BOLD, MARK_ITALIC, MARK_STRIKE, MARK_SUPER,
		MARK_SUB, MARK_KEYBOARD };
	uint32_t todo[7], t;
	size_t ends[7], n = 0, a, b, e;
	unsigned k;

	for (a = 0; a < 7; a++) {
		t = order[a] == MARK_COLOR ? r->items[i].marks & COLOR_BITS : order[a];
		if (t == 0 || !has_mark(r->items[i].marks, t) || has_mark(r->base, t))
			continue;
		for (k = 0; k < r->depth && r->open[k].mark != t; )
			k++;
		if (k < r->depth)
			continue;
		todo[n] = t;
		ends[n++] = run_end(r, i, t);
	}
	for (a = 1; a < n; a++)
		/* 0 (MAX_RUN items or more) wraps around, and so counts as the longest. */
		for (b = a; b > 0 && ends[b] - 1 > ends[b - 1] - 1; b--) {
			t = todo[b], todo[b] = todo[b - 1], todo[b - 1] = t;
			e = ends[b], ends[b] = ends[b - 1], ends[b - 1] = e;
		}
	for (a = 0; a < n; a++)
		open_mark(r, i, ends[a], todo[a], a + 1 == n);
}

static void
close_marks(struct run *r, uint32_t want)
{
	unsigned k = 0;

	while (k < r->depth && has_mark(want, r->open[k].mark))
		k++;
	while (r->depth > k)
		w_str(r->w, r->open[--r->depth].close);
}

static void write_inlines(struct writer *w, const struct doc_node *n, uint32_t base, bool edge);

static void
write_annotation(struct writer *w, const struct doc_node *n, uint32_t base)
{
	size_t number = w_note(w, n);

	if (w->html) {
		w_printf(w, "<a data-footnote-ref href=\"#user-content-fn-%zu\">", number);
		write_inlines(w, n, base, false);
		w_str(w, "</a>");
		return;
	}
	w_str(w, "[");
	w->in_link = true;
	write_inlines(w, n, base, false);
	w->in_link = false;
	w_printf(w, "](#user-content-fn-%zu)[^%zu]", number, number);
}

static void
write_link(struct writer *w, const struct doc_node *n, uint32_t base)
{
	const char *target = w_target_of(w, n, "ref", USE_LINK), *title = doc_attr_str(n, "title");

	if (w->html) {
		w_str(w, "<a");
		w_attr(w, "href", target);
		if (title != NULL)
			w_attr(w, "title", title);
		w_str(w, ">");
		write_inlines(w, n, base, false);
		w_str(w, "</a>");
		return;
	}
	w_str(w, "[");
	w->in_link = true;
	write_inlines(w, n, base, false);
	w->in_link = false;
	write_link_end(w, target, title);
}

/* Returns what follows item i, for needs_escape(). */
static char
following_char(const struct run *r, size_t i)
{
	if (i + 1 == r->count)
		return r->edge && r->depth == 0 ? '\0' : '*';
	switch (r->items[i + 1].n->type) {
	case DOC_LINK:
	case DOC_ANNOTATION:
	case DOC_MENTION:
		return '[';
	case DOC_INLINE_MATH:
		return '$';
	case DOC_EMOJI:
		return ':';
	default:
		return '*';
	}
}

static void
write_leaf(struct run *r, size_t i)
{
	const struct doc_node *n = r->items[i].n;
	struct writer *w = r->w;

	if (n->raw.p != NULL)
		w_put(w, n->raw);
	else if ((n->marks & MARK_CODE) != 0)
		write_code_span(w, n->text);
	else if (w->html)
		w_html_text(w, n->text);
	else
		write_markdown_text(w, n->text, r->edge && i == 0, following_char(r, i));
}

static void
write_inlines(struct writer *w, const struct doc_node *n, uint32_t base, bool edge)
{
	struct run r = { .w = w, .base = base, .edge = edge };
	const struct doc_node *c;
	size_t i;

	collect_items(&r, n);
	for (i = 0; i < r.count; i++) {
		close_marks(&r, r.items[i].marks);
		open_marks(&r, i);
		c = r.items[i].n;
		if (c->type == DOC_LEAF)
			write_leaf(&r, i);
		else if (c->type == DOC_LINK)
			write_link(w, c, base | r.items[i].marks);
		else if (c->type == DOC_ANNOTATION)
			write_annotation(w, c, base | r.items[i].marks);
		else
			write_void_inline(w, c);
	}
	close_marks(&r, 0);
}

void
w_inlines(struct writer *w, const struct doc_node *n)
{
	write_inlines(w, n, 0, true);
}

void
w_inlines_html(struct writer *w, const struct doc_node *n)
{
	bool html = w->html;

	w->html = true;
	write_inlines(w, n, 0, true);
	w->html = html;
}
