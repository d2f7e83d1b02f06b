/*
 * Reads SUMMARY.md (layout 3) as groups, dividers, items and computed items.
 *
 * It is read line by line instead of as CommonMark, because people indent tables of contents in any
 * way: by four blanks, by tabs, by two levels at once. The parent of an item is the nearest item
 * above it that is indented by at least two columns less. The text of each heading and item is read
 * as CommonMark.
 */
#include <string.h>

#include "layout_parts.h"
#include "base/mapped.h"

/* An open item and the column of its marker. */
struct level {
	size_t               column;
	struct summary_item *item;
};

/* State between two lines. */
struct reader {
	struct arena        *arena;
	struct str           text;
	struct summary      *out;
	struct summary_item *last;
	struct level        *levels;    /* open items, outermost first */
	size_t               depth, depth_limit;
	size_t               line;      /* number of the current line */
	bool                 comment;   /* an unclosed <!-- was seen */
	bool                 no_close;  /* no --> follows in the file */
	bool                 titled;    /* the heading of the file itself was read, or can no longer come */

	/*
	 * Text that may continue in the next line: that of an item, or of a paragraph if item is
	 * NULL.
	 */
	bool                 open;
	struct summary_item *item;
	struct buf           words;
	size_t               start, start_line;

	/* An open fence. */
	char                 mark;      /* ` or ~; 0: no fence */
	size_t               marks, column;
	struct summary_item *yaml;      /* the item of the fence; NULL: ignore its content */
	struct buf           code;
	size_t               fence_line;
};

static void
summary_warn(struct reader *r, size_t line, const char *message)
{
	if (r->out->warn != NULL)
		r->out->warn(r->out->ctx, line, message);
}

/* After any item, a heading is that of a group and not of the file. */
static struct summary_item *
append_item(struct reader *r, enum summary_kind kind, size_t line, struct str source)
{
	struct summary_item *i = arena_alloc(r->arena, sizeof(*i));

	i->kind = kind;
	i->line = line;
	i->source = source;
	i->text = (struct layout_inline){ .text = "", .link_text = "" };
	if (r->last == NULL)
		r->out->items = i;
	else
		r->last->next = i;
	r->last = i;
	r->out->count++;
	r->titled = true;
	return i;
}

/* ---- what a line is ------------------------------------------------------- */

/* Width of the indentation, tabs to multiples of four; *at is the first other byte. */
static size_t
indent_width(struct str s, size_t *at)
{
	size_t column = 0, i = 0;

	for (; i < s.n && (s.p[i] == ' ' || s.p[i] == '\t'); i++)
		/* CommonMark, "Tabs". */
		column += s.p[i] == ' ' ? 1 : 4 - column % 4;
	*at = i;
	return column;
}

/* Number of # that open an ATX heading; 0: s, which has no indentation, is not a heading. */
static size_t
heading_level(struct str s)
{
	size_t n = 0;

	while (n < s.n && s.p[n] == '#')
		n++;
	return n <= 6 && (n == s.n || s.p[n] == ' ' || s.p[n] == '\t') ? n : 0;
}

static bool
is_divider(struct str s)
{
	size_t i, marks = 0;

	for (i = 0; i < s.n; i++) {
		if (s.p[i] == s.p[0])
			marks++;
		else if (s.p[i] != ' ' && s.p[i] != '\t')
			return false;
	}
	return marks >= 3 && (s.p[0] == '*' || s.p[0] == '-' || s.p[0] == '_');
}

/* True for a line that consists of the character c (= or -) only, which underlines a heading. */
static bool
is_underline(struct str s, char c)
{
	size_t i;

	for (i = 0; i < s.n; i++)
		if (s.p[i] != c)
			return false;
	return s.n > 0;
}

/* Length of a list marker with the blanks after it; 0 if s begins with none. */
static size_t
marker_length(struct str s)
{
	size_t i = 0;

	if (s.n == 0)
		return 0;
	if (strchr("*+-", s.p[0]) != NULL) {
		i = 1;
	} else {
		/* CommonMark, "List items": nine digits at most. */
		while (i < s.n && i < 9 && s.p[i] >= '0' && s.p[i] <= '9')
			i++;
		if (i == 0 || i == s.n || (s.p[i] != '.' && s.p[i] != ')'))
			return 0;
		i++;
	}
	/* "*emphasis*" and "1.5" are no items. */
	if (i < s.n && s.p[i] != ' ' && s.p[i] != '\t')
		return 0;
	while (i < s.n && (s.p[i] == ' ' || s.p[i] == '\t'))
		i++;
	return i;
}

/* Number of marks that open a code fence, 0 if none; *info is the text after them. */
static size_t
fence_length(struct str s, struct str *info)
{
	size_t n = 0;

	if (s.n == 0 || (s.p[0] != '`' && s.p[0] != '~'))
		return 0;
	while (n < s.n && s.p[n] == s.p[0])
		n++;
	*info = layout_trim(str_slice(s, n, s.n));
	/*
	 * CommonMark, "Fenced code blocks": the info string after backticks contains no backtick,
	 * else this is a code span.
	 */
	return n < 3 || (s.p[0] == '`' && info->n > 0 && memchr(info->p, '`', info->n) != NULL) ? 0 : n;
}

/* Compares the beginning only: "yaml title=x" is YAML, too. */
static bool
is_yaml(struct str info)
{
	return (info.n >= 4 && strncasecmp(info.p, "yaml", 4) == 0)
	    || (info.n >= 3 && strncasecmp(info.p, "yml", 3) == 0);
}

/* ---- text over several lines ---------------------------------------------- */

/* Begins the text of an item, which following lines may continue. item NULL: a paragraph. */
static void
open_text(struct reader *r, struct summary_item *item, struct str words, const struct layout_line *l)
{
	r->open = true;
	r->item = item;
	r->start = l->start;
	r->start_line = r->line;
	buf_cut(&r->words, r->words.n);
	buf_put(&r->words, words);
}

/* A paragraph that consists of one link counts as an item; any other is a remark of the author. */
static void
close_paragraph(struct reader *r, struct str source)
{
	struct summary_item *i;
	struct layout_inline in;

	layout_inline_parse(r->arena, buf_view(&r->words), &in);
	if (in.links != 1 || in.outside) {
		if (*in.text != '\0')
			summary_warn(r, r->start_line, "this is no item, heading or divider; it is ignored");
		return;
	}
	summary_warn(r, r->start_line, "a link outside of the list; it is read as an item of the list");
	i = append_item(r, SUMMARY_ITEM, r->start_line, source);
	i->text = in;
}

/*
 * Ends the open text at byte `end`. Its words are parsed only now, since a link may continue in the
 * next line. The source includes line breaks, because the export writes these bytes back.
 */
static void
close_text(struct reader *r, size_t end)
{
	struct str source = str_slice(r->text, r->start, end);

	if (!r->open)
		return;
	r->open = false;
	if (r->item == NULL) {
		close_paragraph(r, source);
		return;
	}
	/* If the item had a fence of YAML, its kind and its source were set there. */
	if (r->item->kind != SUMMARY_ITEM)
		return;
	r->item->source = source;
	layout_inline_parse(r->arena, buf_view(&r->words), &r->item->text);
}

/* ---- blocks --------------------------------------------------------------- */

/* # at the end after a blank are not part of the title, as in page files. */
static void
add_group(struct reader *r, struct str title, struct str source, size_t line)
{
	struct summary_item *i = append_item(r, SUMMARY_GROUP, line, source);
	size_t end = title.n;

	while (end > 0 && title.p[end - 1] == '#')
		end--;
	if (end == 0 || (end < title.n && (title.p[end - 1] == ' ' || title.p[end - 1] == '\t')))
		title = str_slice(title, 0, end);
	layout_inline_parse(r->arena, title, &i->text);
	/* Items do not continue their nesting after a group. */
	r->depth = 0;
}

/* A heading of level 1 before all items is the title of the table itself; any other begins a group. */
static void
read_heading(struct reader *r, size_t level, struct str title, struct str source, size_t line)
{
	if (level == 1 && !r->titled)
		r->titled = true;
	else
		add_group(r, title, source, line);
}

/* The parent of a new item in this column. Closes the levels that end here. */
static struct summary_item *
find_parent(struct reader *r, size_t column)
{
	while (r->depth > 0 && r->levels[r->depth - 1].column + 2 > column)
		r->depth--;
	return r->depth == 0 ? NULL : r->levels[r->depth - 1].item;
}

static void
open_fence(struct reader *r, size_t marks, char mark, size_t column, struct summary_item *yaml)
{
	r->mark = mark;
	r->marks = marks;
	r->column = column;
	r->yaml = yaml;
	r->fence_line = r->line;
	buf_cut(&r->code, r->code.n);
}

static void
read_item(struct reader *r, size_t column, size_t marker, struct str s, const struct layout_line *l)
{
	struct summary_item *parent = find_parent(r, column), *i;
	struct str info, rest = str_slice(s, marker, s.n);
	size_t marks;

	i = append_item(r, SUMMARY_ITEM, r->line, str_slice(r->text, l->start, l->next));
	/* The source is extended when the text or fence of the item ends. */
	i->parent = parent;
	i->depth = r->depth;
	/*
	 * levels[] has depth_limit elements, so no level is opened beyond the limit. The caller
	 * fails the import because of too_deep.
	 */
	if (r->depth >= r->depth_limit) {
		if (r->out->too_deep == 0)
			r->out->too_deep = r->line;
		return;
	}
	r->levels[r->depth++] = (struct level){ column, i };
	/* "* ```yaml": the fence begins right after the marker. */
	marks = fence_length(rest, &info);
	if (marks == 0) {
		open_text(r, i, rest, l);
		return;
	}
	if (is_yaml(info)) {
		i->kind = SUMMARY_YAML;
		open_fence(r, marks, rest.p[0], column + marker, i);
	} else {
		summary_warn(r, r->line, "a code block that is not yaml; the item is ignored");
		i->kind = SUMMARY_IGNORED;
		open_fence(r, marks, rest.p[0], column + marker, NULL);
	}
}

/* A fence on a line of its own is the content of an item without text; without such an item it is ignored. */
static void
read_fence_line(struct reader *r, size_t marks, char mark, size_t column, struct str info)
{
	struct summary_item *i = r->open && r->words.n == 0 ? r->item : NULL;

	if (i != NULL && column >= 2 && is_yaml(info)) {
		i->kind = SUMMARY_YAML;
		r->open = false;
	} else {
		i = NULL;
		summary_warn(r, r->line, "a code block that is no item; it is ignored");
	}
	open_fence(r, marks, mark, column, i);
}

/*
 * Store a line without the fence's indentation, and with spaces for tabs, which YAML does not
 * allow.
 */
static void
fence_content(struct reader *r, struct str s)
{
	size_t at, column = indent_width(s, &at);

	/*
	 * A line that is indented less than its fence loses only the indentation that it has, as in
	 * CommonMark.
	 */
	for (; column > r->column; column--)
		buf_char(&r->code, ' ');
	buf_put(&r->code, str_slice(s, at, s.n));
	buf_char(&r->code, '\n');
}

/* Ends a code fence. This is also called at the end of the text, for an unclosed fence. */
static void
close_fence(struct reader *r)
{
	r->mark = 0;
	if (r->yaml != NULL)
		r->yaml->yaml = str_of(arena_strndup(r->arena, r->code.p, r->code.n));
}

/* Reads a line while a fence is open. */
static void
read_line_of_fence(struct reader *r, struct str s, const struct layout_line *l)
{
	size_t at, n = 0;
	struct str t;

	indent_width(s, &at);
	t = layout_trim(str_slice(s, at, s.n));
	while (n < t.n && t.p[n] == r->mark)
		n++;
	/* The source grows with each line, so that an unclosed fence includes its lines. */
	if (r->yaml != NULL)
		r->yaml->source.n = (size_t)(r->text.p + l->next - r->yaml->source.p);
	/* An empty line has n 0, below any number of marks. */
	if (n == t.n && n >= r->marks)
		close_fence(r);
	else
		fence_content(r, s);
}

/* A fence in an item ends with the item: at an item or heading further left than the fence. */
static bool
ends_fenced_item(const struct reader *r, struct str s)
{
	size_t at, column = indent_width(s, &at);
	struct str t = layout_trim(str_slice(s, at, s.n));

	return column + 2 <= r->column && (marker_length(t) > 0 || heading_level(t) > 0);
}

static void
close_open_fence(struct reader *r)
{
	summary_warn(r, r->fence_line, "a code block that is not closed");
	close_fence(r);
}

/* ---- comments ------------------------------------------------------------- */

/* Position of `what` at or after `from`; s.n if absent. */
static size_t
find_text(struct str s, size_t from, const char *what)
{
	const char *p = from >= s.n ? NULL : memmem(s.p + from, s.n - from, what, strlen(what));

	return p == NULL ? s.n : (size_t)(p - s.p);
}

/* True if a comment that opens here is closed in the file. If not, warns once, and does not search again. */
static bool
is_closed(struct reader *r, size_t at)
{
	if (!r->no_close && find_text(r->text, at, "-->") == r->text.n) {
		r->no_close = true;
		summary_warn(r, r->line, "<!-- without -->; it is read as text");
	}
	return !r->no_close;
}

/* The line without its comments. */
static struct str
remove_comments(struct reader *r, const struct layout_line *l)
{
	struct str s = str_slice(r->text, l->start, l->end);
	size_t at = 0, to;
	struct buf b;

	/* Fast path: no comment, no copy. */
	if (!r->comment && find_text(s, 0, "<!--") == s.n)
		return s;
	buf_init(&b, r->arena, s.n);
	while (at < s.n) {
		if (r->comment) {
			/* A line may contain several comments, and a comment may span several lines. */
			to = find_text(s, at, "-->");
			r->comment = to == s.n;
			at = r->comment ? s.n : to + 3;
			continue;
		}
		to = find_text(s, at, "<!--");
		if (to < s.n && !is_closed(r, l->start + to + 4))
			to = s.n;
		buf_put(&b, str_slice(s, at, to));
		r->comment = to < s.n;
		at = to == s.n ? s.n : to + 4;
	}
	return buf_view(&b);
}

/* ---- the file ------------------------------------------------------------- */

/* Reads "Title" over === or --- as a heading. */
static bool
read_underline(struct reader *r, struct str s, size_t column, const struct layout_line *l)
{
	bool first = is_underline(s, '=');

	if (!r->open || r->item != NULL || column > 3 || (!first && !is_underline(s, '-')))
		return false;
	r->open = false;
	read_heading(r, first ? 1 : 2, str_of(arena_strndup(r->arena, r->words.p, r->words.n)),
	    str_slice(r->text, r->start, l->next), r->start_line);
	return true;
}

/* Any other line continues the text above it, or begins a paragraph. */
static void
text_line(struct reader *r, struct str s, const struct layout_line *l)
{
	/* A line that is only a link does not continue text that is complete, although CommonMark says so. */
	if (r->open && r->item != NULL && s.p[0] == '[' && s.p[s.n - 1] == ')' && r->words.n > 0
	    && r->words.p[r->words.n - 1] == ')')
		close_text(r, l->start);
	if (!r->open) {
		open_text(r, NULL, s, l);
		return;
	}
	if (r->words.n > 0)
		buf_char(&r->words, ' ');
	buf_put(&r->words, s);
}

/* Test in CommonMark's order: underline before divider, divider ("* * *") before item. */
static void
read_line(struct reader *r, const struct layout_line *l)
{
	struct str raw = remove_comments(r, l), s, info;
	size_t at, column = indent_width(raw, &at), n;

	s = layout_trim(raw);
	if (s.n == 0) {
		/*
		 * A blank line ends text. A marker without words stays open, since a fence or text
		 * may follow.
		 */
		if (r->open && r->words.n > 0)
			close_text(r, l->start);
	} else if (read_underline(r, s, column, l)) {
		return;
	} else if ((n = heading_level(s)) > 0 && column < 4) {
		close_text(r, l->start);
		read_heading(r, n, layout_trim(str_slice(s, n, s.n)), str_slice(r->text, l->start, l->next), r->line);
	} else if (is_divider(s) && column < 4) {
		close_text(r, l->start);
		append_item(r, SUMMARY_END, r->line, str_slice(r->text, l->start, l->next));
		r->depth = 0;
	} else if ((n = marker_length(s)) > 0) {
		close_text(r, l->start);
		read_item(r, column, n, s, l);
	} else if ((n = fence_length(s, &info)) > 0) {
		if (r->words.n > 0)
			close_text(r, l->start);
		read_fence_line(r, n, s.p[0], column, info);
	} else {
		text_line(r, s, l);
	}
}

/* Mark the items that have children. */
static void
mark_parents(struct summary *out)
{
	struct summary_item *i;

	for (i = out->items; i != NULL; i = i->next, mapped_trim())
		if (i->parent != NULL)
			i->parent->children = true;
}

/* One pass over the lines. Any bytes are accepted: other content is skipped with a warning. */
void
summary_parse(struct arena *a, struct str text, size_t depth_limit, struct summary *out)
{
	struct reader r = { .arena = a, .text = text, .out = out, .depth_limit = depth_limit };
	struct layout_line l;
	size_t at;

	r.levels = arena_array(a, depth_limit + 1, sizeof(*r.levels));
	buf_init(&r.words, a, text.n + 1);
	/* A tab becomes at most four blanks. */
	buf_init(&r.code, a, text.n * 4 + 2);
	for (at = layout_bom(text); layout_line_at(text, at, &l); at = l.next, mapped_trim()) {
		r.line++;
		if (r.mark != 0 && ends_fenced_item(&r, str_slice(text, l.start, l.end)))
			close_open_fence(&r);
		if (r.mark != 0)
			read_line_of_fence(&r, str_slice(text, l.start, l.end), &l);
		else
			read_line(&r, &l);
	}
	if (r.mark != 0)
		close_open_fence(&r);
	close_text(&r, text.n);
	mark_parents(out);
}
