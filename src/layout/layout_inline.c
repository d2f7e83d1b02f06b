/*
 * Reads one line of Markdown as plain text and its first link, with cmark-gfm. Also: lines of a
 * text; the emoji at the beginning of a title.
 */
#include <cmark-gfm.h>
#include <cmark-gfm-core-extensions.h>
#include <ctype.h>
#include <string.h>
#include <utf8proc.h>

#include "markdown/document_tree.h"
#include "layout_parts.h"
#include "base/utf8.h"

/* ---- lines ---------------------------------------------------------------- */

bool
layout_line_at(struct str text, size_t at, struct layout_line *out)
{
	size_t i = at;

	if (at >= text.n)
		return false;
	while (i < text.n && text.p[i] != '\n' && text.p[i] != '\r')
		i++;
	out->start = at;
	out->end = i;
	if (i < text.n)
		i += text.p[i] == '\r' && i + 1 < text.n && text.p[i + 1] == '\n' ? 2 : 1;
	out->next = i;
	return true;
}

size_t
layout_bom(struct str text)
{
	return str_starts(text, "\xEF\xBB\xBF") ? 3 : 0;
}

/* Unlike isspace(), does not depend on the locale. */
static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
}

/* Slice of s without blanks and line ends at both ends. */
struct str
layout_trim(struct str s)
{
	size_t from = 0, to = s.n;

	while (from < to && is_blank(s.p[from]))
		from++;
	while (to > from && is_blank(s.p[to - 1]))
		to--;
	return str_slice(s, from, to);
}

/* ---- plain text ----------------------------------------------------------- */

/*
 * Replaces the backslash of "\:" and "\{" while cmark parses: cmark removes escapes, but an escaped
 * colon or brace must not begin a shortcode or an id.
 */
enum { ESCAPED = 1 };

/* Collapses blanks and drops control characters; escapes: keeps ESCAPED. */
static const char *
tidy_keeping_escapes(struct arena *a, struct str s, bool escapes)
{
	struct buf b;
	bool gap = false;
	size_t i;

	s = layout_trim(s);
	buf_init(&b, a, s.n);
	for (i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];

		if (is_blank((char)c)) {
			gap = true;
			continue;
		}
		if ((c < 0x20 || c == 0x7F) && !(escapes && c == ESCAPED))
			continue;
		if (gap && b.n > 0)
			buf_char(&b, ' ');
		gap = false;
		buf_char(&b, (char)c);
	}
	return b.p;
}

static const char *
tidy_text(struct arena *a, struct str s)
{
	return tidy_keeping_escapes(a, s, false);
}

/* State of a walk over cmark's nodes, with the text collected so far. */
struct walk {
	struct arena         *arena;
	struct layout_inline *out;
	struct buf            all, link;
	cmark_node           *first;   /* the first link */
	bool                  inside;  /* in the first link */
	struct buf            other;   /* text of the other link that is open */
	struct layout_further *open, **last;   /* that link; where the next one is appended */
	bool                  begun;   /* the "!" that parse_line() adds has been skipped */
};

/* Append to the whole text, and to the link's text while the first link is open. */
static void
add_text(struct walk *w, const char *s)
{
	/* Skip the "!" that parse_line() put in front; it may be the whole first text. */
	s += !w->begun && *s == '!';
	w->begun = true;
	buf_str(&w->all, s);
	if (w->open != NULL)
		buf_str(&w->other, s);
	if (w->inside)
		buf_str(&w->link, s);
	else if (strspn(s, " \t\r\n") != strlen(s))
		w->out->outside = true;
}

static bool
word_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '+' || c == '-';
}

size_t
layout_shortcode(struct arena *a, const char *s, size_t at, const char **code)
{
	size_t n = 1;

	/* The colon is within a word, the second of two, or escaped by a backslash. */
	if (at > 0 && (isalnum((unsigned char)s[at - 1]) || s[at - 1] == ':' || s[at - 1] == ESCAPED))
		return 0;
	/* A longer word is no shortcode. The limit also keeps a line of colons linear. */
	while (n < 50 && word_char(s[at + n]))
		n++;
	if (n == 1 || s[at + n] != ':' || isalnum((unsigned char)s[at + n + 1]) || s[at + n + 1] == ':')
		return 0;
	*code = emoji_code(a, (struct str){ s + at + 1, n - 1 });
	return *code == NULL ? 0 : n + 1;
}

/* Append text, with its shortcodes as emoji. */
static void
add_emoji_text(struct walk *w, const char *s)
{
	const char *code;
	struct buf b;
	size_t i = 0, n;

	if (strchr(s, ':') == NULL) {
		add_text(w, s);
		return;
	}
	/* The shortest shortcode, ":x:", becomes at most two characters of four bytes with their joiners. */
	buf_init(&b, w->arena, strlen(s) * 16);
	while (s[i] != '\0') {
		n = s[i] == ':' ? layout_shortcode(w->arena, s, i, &code) : 0;
		if (n > 0)
			emoji_utf8(&b, code);
		else
			buf_char(&b, s[i]);
		i += n > 0 ? n : 1;
	}
	add_text(w, b.p);
}

/* Restores the backslashes in a code span, where they are no escapes. */
static const char *
with_backslashes(struct arena *a, const char *s)
{
	char *copy = arena_strdup(a, s), *p;

	for (p = copy; (p = strchr(p, ESCAPED)) != NULL; )
		*p = '\\';
	return copy;
}

/* Value of a tag's attribute as written; NULL if absent. */
static const char *
tag_attribute(struct arena *a, const char *tag, const char *name)
{
	const char *p = strcasestr(tag, name), *end;
	char quote;

	if (p == NULL)
		return NULL;
	p += strlen(name);
	quote = *p == '"' || *p == '\'' ? *p++ : '\0';
	end = quote != '\0' ? strchr(p, quote) : p + strcspn(p, " >");
	if (end == NULL || end == p)
		return NULL;
	return arena_strndup(a, p, (size_t)(end - p));
}

/* Reads <a href="#slug" id="slug">, or the older <a id="slug">. */
static void
read_anchor(struct walk *w, const char *tag)
{
	const char *id;

	if (w->out->anchor != NULL || strncasecmp(tag, "<a ", 3) != 0)
		return;
	id = tag_attribute(w->arena, tag, " id=");
	if (id == NULL)
		id = tag_attribute(w->arena, tag, " href=");
	if (id != NULL && *id == '#')
		id++;
	w->out->anchor = id == NULL || *id == '\0' ? NULL : id;
}

static const char *
remove_escape_marks(struct arena *a, const char *s)
{
	char *copy = arena_strdup(a, s), *to = copy;

	for (; *s != '\0'; s++)
		if (*s != ESCAPED)
			*to++ = *s;
	*to = '\0';
	return copy;
}

static void
begin_further(struct walk *w, cmark_node *n)
{
	struct layout_further *f = arena_alloc(w->arena, sizeof(*f));

	f->url = remove_escape_marks(w->arena, cmark_node_get_url(n));
	*w->last = f;
	w->last = &f->next;
	w->open = f;
	buf_cut(&w->other, w->other.n);
}

static void
end_further(struct walk *w)
{
	if (w->open != NULL)
		w->open->text = tidy_text(w->arena, buf_view(&w->other));
	w->open = NULL;
}

/* Counts the links, and stores the first one as that of the line. */
static void
enter_link(struct walk *w, cmark_node *n)
{
	const char *title = cmark_node_get_title(n);

	w->out->links++;
	if (w->first != NULL) {
		begin_further(w, n);
		return;
	}
	w->first = n;
	w->inside = true;
	/* Copy it: the node is freed before the caller reads it. */
	w->out->url = remove_escape_marks(w->arena, cmark_node_get_url(n));
	if (title != NULL && *title != '\0')
		w->out->link_title = tidy_text(w->arena, str_of(title));
}

/*
 * Leaves are visited once, on enter. Emphasis and strikethrough need no case: only their text
 * counts.
 */
static void
visit_node(struct walk *w, cmark_node *n, bool enter)
{
	cmark_node_type type = cmark_node_get_type(n);

	if (type == CMARK_NODE_LINK && enter)
		enter_link(w, n);
	else if (type == CMARK_NODE_LINK && n == w->first)
		w->inside = false;
	else if (type == CMARK_NODE_LINK)
		end_further(w);
	else if (type == CMARK_NODE_TEXT)
		add_emoji_text(w, cmark_node_get_literal(n));
	else if (type == CMARK_NODE_CODE)
		add_text(w, with_backslashes(w->arena, cmark_node_get_literal(n)));
	else if (type == CMARK_NODE_SOFTBREAK || type == CMARK_NODE_LINEBREAK)
		add_text(w, " ");
	else if (type == CMARK_NODE_HTML_INLINE)
		read_anchor(w, cmark_node_get_literal(n));
}

/*
 * Parses one paragraph. An escaped "!" is put in front, so that cmark does not read "1.
 * Introduction" or "# x" as a block. As it is punctuation, emphasis after it is read as at the
 * beginning of a line.
 */
static cmark_node *
parse_line(struct arena *a, struct str s)
{
	cmark_syntax_extension *strike;
	cmark_parser *parser;
	cmark_node *doc;
	char *line = arena_strndup(a, s.p, s.n);
	size_t i;

	for (i = 0; i < s.n; i++)
		/* A "===" in the next line would make the text a heading. */
		if (line[i] == '\n' || line[i] == '\r' || line[i] == ESCAPED)
			line[i] = ' ';
		else if (line[i] == '\\' && i + 1 < s.n && strchr(":{", line[i + 1]) != NULL)
			line[i] = ESCAPED;
		else if (line[i] == '\\' && i + 1 < s.n)
			/* The second of two backslashes is text. */
			i++;
	cmark_gfm_core_extensions_ensure_registered();
	parser = cmark_parser_new(CMARK_OPT_VALIDATE_UTF8 | CMARK_OPT_STRIKETHROUGH_DOUBLE_TILDE);
	/* Strikethrough is read as in page bodies: "~~old~~" in a title loses its marks. */
	strike = cmark_find_syntax_extension("strikethrough");
	if (strike != NULL)
		cmark_parser_attach_syntax_extension(parser, strike);
	cmark_parser_feed(parser, "\\!", 2);
	cmark_parser_feed(parser, line, s.n);
	doc = cmark_parser_finish(parser);
	cmark_parser_free(parser);
	return doc;
}

/* Position of `what` at or after `from`; s.n if absent. */
static size_t
find_text(struct str s, size_t from, const char *what)
{
	const char *p = from >= s.n ? NULL : memmem(s.p + from, s.n - from, what, strlen(what));

	return p == NULL ? s.n : (size_t)(p - s.p);
}

/* The title after a destination: all of the text, without its outer quotes. */
static const char *
loose_title(struct arena *a, struct str s)
{
	s = layout_trim(s);
	if (s.n >= 2 && strchr("\"'(", s.p[0]) != NULL)
		s = str_slice(s, 1, s.n - 1);
	return s.n == 0 ? NULL : tidy_text(a, s);
}

/* End of the destination, before the first blank that a quote follows; s.n if there is no title. */
static size_t
loose_gap(struct str s)
{
	size_t i;

	for (i = 1; i + 1 < s.n; i++)
		if (is_blank(s.p[i]) && (s.p[i + 1] == '"' || s.p[i + 1] == '\''))
			return i;
	return s.n;
}

/*
 * Reads links that people write although CommonMark does not accept them, such as [a](b c.md) and
 * [a](b.md "say "x""): takes what is between the first "](" and the last ")".
 */
static void
read_loose_link(struct arena *a, struct str s, struct layout_inline *out)
{
	size_t middle = find_text(s, 0, "]("), end = s.n, gap;
	struct layout_inline label;
	struct str in;

	/* Take the last ")", so that parentheses within the path stay part of it. */
	while (end > 0 && s.p[end - 1] != ')')
		end--;
	s = layout_trim(s);
	if (middle == s.n || s.n == 0 || s.p[0] != '[' || end < middle + 3)
		return;
	in = layout_trim(str_slice(s, middle + 2, end - 1));
	gap = loose_gap(in);
	layout_inline_parse(a, str_slice(s, 1, middle), &label);
	out->links = 1;
	out->text = out->link_text = label.text;
	out->url = arena_strndup(a, in.p, gap);
	out->link_title = loose_title(a, str_slice(in, gap, in.n));
	out->outside = layout_trim(str_slice(s, end, s.n)).n > 0;
}

/* Cuts "{#id}" off the end of a title, and stores the id in *id unless it is set already. */
static const char *
cut_heading_id(struct arena *a, const char *text, const char **id)
{
	struct str s = str_of(text);
	size_t i = heading_id(s);

	/* A title that consists of an id only, or whose brace was escaped, stays as it is. */
	if (i == s.n || i == 0 || text[i - 1] == ESCAPED)
		return text;
	if (*id == NULL)
		*id = arena_strndup(a, s.p + i + 2, s.n - i - 3);
	s = layout_trim(str_slice(s, 0, i));
	return arena_strndup(a, s.p, s.n);
}

/* The collected text as a title, without an unescaped id. */
static const char *
title_of(struct walk *w, struct str s)
{
	return tidy_text(w->arena, str_of(cut_heading_id(w->arena, tidy_keeping_escapes(w->arena, s, true), &w->out->anchor)));
}

/* Position after the bracket that closes the one at the start of s; 0 if unclosed. */
static size_t
label_end(struct str s)
{
	size_t i, depth = 0;

	for (i = 0; i < s.n; i++) {
		if (s.p[i] == '\\')
			i++;
		else if (s.p[i] == '[')
			depth++;
		else if (s.p[i] == ']' && --depth == 0)
			return i + 1;
	}
	return 0;
}

/* cmark allocates its nodes on the heap: free them before anything else is made. */
static void
parse_flat(struct arena *a, struct str s, struct layout_inline *out)
{
	struct walk w = { .arena = a, .out = out };
	cmark_event_type event;
	cmark_iter *it;
	cmark_node *doc;

	*out = (struct layout_inline){ .text = "", .link_text = "" };
	s = layout_trim(s);
	w.last = &out->further;
	/* Most titles are short: the room that a buffer begins with is more than all that is kept of one. */
	buf_init(&w.other, a, s.n * 16 + 16);
	buf_fit(&w.other);
	/*
	 * Upper bounds: an entity is longer than its text; U+FFFD takes three bytes for one bad
	 * byte, an emoji more.
	 */
	buf_init(&w.all, a, s.n * 16 + 16);
	buf_fit(&w.all);
	buf_init(&w.link, a, s.n * 16 + 16);
	buf_fit(&w.link);
	doc = parse_line(a, s);
	it = cmark_iter_new(doc);
	while ((event = cmark_iter_next(it)) != CMARK_EVENT_DONE)
		visit_node(&w, cmark_iter_get_node(it), event == CMARK_EVENT_ENTER);
	cmark_iter_free(it);
	cmark_node_free(doc);
	out->text = title_of(&w, buf_view(&w.all));
	out->link_text = title_of(&w, buf_view(&w.link));
	if (out->links == 0 && s.n > 0 && s.p[0] == '[')
		read_loose_link(a, s, out);
}

/*
 * Reads [a [b](c.md) d](e.md) as a link to e.md, which its author meant; in CommonMark only the
 * inner link is one. Only one level is read, so that a line of brackets stays linear. False if s
 * does not have this form.
 */
static bool
read_nested_link(struct arena *a, struct str s, struct layout_inline *out)
{
	struct layout_inline label;
	struct layout_further *f;
	size_t end = s.n > 0 && s.p[0] == '[' ? label_end(s) : 0;

	if (end == 0 || end >= s.n || s.p[end] != '(' || find_text(str_slice(s, 0, end), 0, "](") >= end)
		return false;
	parse_flat(a, str_slice(s, 1, end - 1), &label);
	if (label.links == 0)
		return false;
	parse_flat(a, str_of(arena_printf(a, "[x]%.*s", (int)(s.n - end), s.p + end)), out);
	if (out->url == NULL)
		return false;
	f = arena_alloc(a, sizeof(*f));
	*f = (struct layout_further){ label.further, label.link_text, label.url };
	out->text = out->link_text = label.text;
	out->further = f;
	out->links += label.links;
	return true;
}

void
layout_inline_parse(struct arena *a, struct str s, struct layout_inline *out)
{
	if (!read_nested_link(a, layout_trim(s), out))
		parse_flat(a, s, out);
}

/* ---- emoji ---------------------------------------------------------------- */

/* Below U+1F000 only these characters are shown as emoji without a variation selector. */
static bool
emoji_alone(uint32_t cp)
{
	static const uint16_t ranges[][2] = {
		{ 0x231A, 0x231B }, { 0x23E9, 0x23EC }, { 0x23F0, 0x23F0 }, { 0x23F3, 0x23F3 },
		{ 0x25FD, 0x25FE }, { 0x2614, 0x2615 }, { 0x2648, 0x2653 }, { 0x267F, 0x267F },
		{ 0x2693, 0x2693 }, { 0x26A1, 0x26A1 }, { 0x26AA, 0x26AB }, { 0x26BD, 0x26BE },
		{ 0x26C4, 0x26C5 }, { 0x26CE, 0x26CE }, { 0x26D4, 0x26D4 }, { 0x26EA, 0x26EA },
		{ 0x26F2, 0x26F3 }, { 0x26F5, 0x26F5 }, { 0x26FA, 0x26FA }, { 0x26FD, 0x26FD },
		{ 0x2705, 0x2705 }, { 0x270A, 0x270B }, { 0x2728, 0x2728 }, { 0x274C, 0x274C },
		{ 0x274E, 0x274E }, { 0x2753, 0x2755 }, { 0x2757, 0x2757 }, { 0x2795, 0x2797 },
		{ 0x27B0, 0x27B0 }, { 0x27BF, 0x27BF }, { 0x2B1B, 0x2B1C }, { 0x2B50, 0x2B50 },
		{ 0x2B55, 0x2B55 },
	};
	size_t i;

	for (i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++)
		if (cp >= ranges[i][0] && cp <= ranges[i][1])
			return true;
	return cp >= 0x1F000;
}

/*
 * A flag is two regional indicators. Where both forms exist, U+FE0F selects the emoji and U+FE0E
 * the text. Digits and # are emoji only as keycaps.
 */
static bool
begins_emoji(uint32_t first, uint32_t second)
{
	int class = utf8proc_get_property((utf8proc_int32_t)first)->boundclass;

	if (class == UTF8PROC_BOUNDCLASS_REGIONAL_INDICATOR)
		return utf8proc_get_property((utf8proc_int32_t)second)->boundclass
		    == UTF8PROC_BOUNDCLASS_REGIONAL_INDICATOR;
	if (class == UTF8PROC_BOUNDCLASS_EXTENDED_PICTOGRAPHIC)
		return second == 0xFE0F || (emoji_alone(first) && second != 0xFE0E);
	return second == 0xFE0F && (first == '#' || first == '*' || (first >= '0' && first <= '9'));
}

/* Length of the grapheme cluster at the start of s. */
static size_t
grapheme_length(struct str s)
{
	uint32_t last = 0, cp = 0;
	utf8proc_int32_t state = 0;
	size_t at = utf8_next(s, &last), n;

	while ((n = utf8_next(str_slice(s, at, s.n), &cp)) > 0) {
		if (utf8proc_grapheme_break_stateful((utf8proc_int32_t)last, (utf8proc_int32_t)cp, &state))
			break;
		last = cp;
		at += n;
	}
	return at;
}

/* Takes the whole grapheme cluster: an emoji includes its skin tone and joiners. */
const char *
layout_leading_emoji(struct arena *a, const char *title, const char **rest)
{
	struct str s = str_of(title), tail;
	uint32_t first = 0, second = 0;
	size_t n = utf8_next(s, &first);

	if (n == 0)
		return NULL;
	utf8_next(str_slice(s, n, s.n), &second);
	if (!begins_emoji(first, second))
		return NULL;
	n = grapheme_length(s);
	tail = layout_trim(str_slice(s, n, s.n));
	/*
	 * An emoji that is the whole title stays in it; one without a blank after it belongs to a
	 * word.
	 */
	if (n == s.n || s.p[n] != ' ' || tail.n == 0 || utf8_count(str_slice(s, 0, n)) > 50)
		return NULL;
	*rest = arena_strndup(a, tail.p, tail.n);
	return arena_strndup(a, s.p, n);
}

const char *
layout_clip(struct arena *a, const char *s, size_t n)
{
	struct str rest = str_of(s);
	size_t at = 0, step;
	uint32_t cp;

	while (n-- > 0 && (step = utf8_next(str_slice(rest, at, rest.n), &cp)) > 0)
		at += step;
	return s[at] == '\0' ? s : arena_strndup(a, s, at);
}
