/*
 * Both sides of a merge add items of a list or rows of a table at one place: the result holds both.
 * Only whole lines are compared; anything uncertain stays a conflict. Contract: merge_items.h.
 */
#include <ctype.h>
#include <string.h>

#include "text/diff.h"
#include "merge_items.h"

enum {
	ITEMS_MAX  = 200,   /* lines per side that are compared pairwise */
	LEAST      = 16,    /* bytes that make a paragraph recognisable */
	LEAST_LINE = 6      /* the same for an item, row or heading */
};

/* Length of the first line, with its newline. */
static size_t
line_end(struct str s)
{
	const char *nl = memchr(s.p, '\n', s.n);

	return nl == NULL ? s.n : (size_t)(nl - s.p) + 1;
}

/* True if the text has no other characters than those of the set. */
static bool
consists_of(struct str s, const char *set)
{
	for (size_t i = 0; i < s.n; i++)
		if (strchr(set, s.p[i]) == NULL || s.p[i] == '\0')
			return false;
	return true;
}

/*
 * Character that distinguishes lists: the bullet, or the sign after the number; 0 if the line is no
 * item.
 */
static char
item_marker(struct str s)
{
	size_t n = 0;

	/* CommonMark, list items: an ordered marker has at most nine digits. */
	while (n < s.n && n < 9 && isdigit((unsigned char)s.p[n]))
		n++;
	if (n + 1 >= s.n || strchr(n > 0 ? ".)" : "-*+", s.p[n]) == NULL || s.p[n + 1] != ' ')
		return '\0';
	return s.p[n];
}

enum merge_line
merge_line_of(struct str line)
{
	struct str s = str_trim(line);

	if (s.n == 0)
		return LINE_BLANK;
	/* Thematic breaks and delimiter rows of tables begin a block. */
	if (consists_of(s, "-*_ ") || consists_of(s, "|-: "))
		return LINE_OTHER;
	if (s.p[0] == '|')
		return LINE_ROW;
	if (item_marker(s) != '\0')
		return LINE_ITEM;
	/* At least two blanks continue an item ("- " is two wide). */
	return line.p[0] == '\t' || str_starts(line, "  ") ? LINE_INDENTED : LINE_OTHER;
}

bool
merge_has_words(struct str lines)
{
	struct str s = str_trim(lines);
	enum merge_line kind = merge_line_of(lines);
	bool formed = kind == LINE_ITEM || kind == LINE_ROW || str_starts(s, "#");

	return s.n >= (formed ? LEAST_LINE : LEAST);
}

/* The fence at the start of a line; n 0: none. Leading blanks count as indentation of an item. */
static struct str
fence_of(struct str line)
{
	size_t n = 0;

	while (n < line.n && (line.p[n] == '`' || line.p[n] == '~') && line.p[n] == line.p[0])
		n++;
	/* Backticks whose line contains another backtick are a code span (CommonMark 4.5). */
	if (n < 3 || (line.p[0] == '`' && memchr(line.p + n, '`', line.n - n) != NULL))
		return STR("");
	return str_slice(line, 0, n);
}

bool
merge_is_blank(const struct diff_text *t, size_t i)
{
	return str_trim(diff_lines(t, i, i + 1)).n == 0;
}

bool *
merge_code(struct arena *a, const struct diff_text *t)
{
	bool *code = arena_array(a, t->n + 1, sizeof(*code));
	struct str line, fence, open = STR("");
	size_t i;

	for (i = 0; i < t->n; i++) {
		line = str_trim(diff_lines(t, i, i + 1));
		fence = fence_of(line);
		if (open.n == 0)
			open = fence;
		/*
		 * A fence of the same character, at least as long and alone on its line, closes it.
		 */
		else if (fence.n == line.n && fence.n >= open.n && fence.p[0] == open.p[0])
			open = STR("");
		code[i + 1] = open.n > 0;
	}
	return code;
}

/* The kind of all lines: items with their continuation, or rows; LINE_OTHER if they differ. */
static enum merge_line
common_kind(struct str lines, char *marker)
{
	enum merge_line all = LINE_OTHER, kind;
	struct str rest = lines, line;

	while (rest.n > 0) {
		line = str_slice(rest, 0, line_end(rest));
		rest = str_slice(rest, line.n, rest.n);
		/*
		 * The first item or row sets the kind, and all lines after it must match it or
		 * belong to it. Indented lines before any item are no list.
		 */
		kind = merge_line_of(line);
		if (all == LINE_OTHER && (kind == LINE_ITEM || kind == LINE_ROW)) {
			all = kind;
			*marker = item_marker(str_trim(line));
		/* Indented lines belong to items only; a blank line ends a table, and not a list. */
		} else if (kind == LINE_OTHER || (kind == LINE_INDENTED && all != LINE_ITEM) ||
		    (kind == LINE_BLANK && all == LINE_ROW) ||
		    (kind != LINE_BLANK && kind != LINE_INDENTED && kind != all)) {
			return LINE_OTHER;
		}
	}
	return all;
}

static bool
has_line(struct str text, struct str line)
{
	struct str rest = text, other;
	size_t i;

	for (i = 0; rest.n > 0 && i < ITEMS_MAX; i++) {
		other = str_slice(rest, 0, line_end(rest));
		rest = str_slice(rest, other.n, rest.n);
		if (str_eq(str_trim(other), line))
			return true;
	}
	/*
	 * Lines that were not compared (ITEMS_MAX) may be equal: return true, so that the place
	 * stays a conflict.
	 */
	return rest.n > 0;
}

/*
 * True if both sides contain an equal line, which the result would repeat, or have too many lines
 * to compare.
 */
static bool
have_common_line(struct str x, struct str y)
{
	struct str rest = x, line;
	size_t i;

	for (i = 0; rest.n > 0 && i < ITEMS_MAX; i++) {
		line = str_slice(rest, 0, line_end(rest));
		rest = str_slice(rest, line.n, rest.n);
		if (str_trim(line).n > 0 && has_line(y, str_trim(line)))
			return true;
	}
	return rest.n > 0;
}

/* True if a list or table of this kind reaches up to line i of the text. */
static bool
continues_kind(const struct diff_text *t, size_t i, enum merge_line kind)
{
	enum merge_line above = LINE_BLANK;
	struct str line = { "", 0 };

	/*
	 * A blank line ends a table, so the line right above must be a row. The delimiter row
	 * counts, although merge_line_of() calls it LINE_OTHER.
	 */
	if (kind == LINE_ROW)
		return i > 0 && str_starts(str_trim(diff_lines(t, i - 1, i)), "|");
	while (i > 0 && above == LINE_BLANK) {
		line = diff_lines(t, i - 1, i);
		above = merge_line_of(line);
		i--;
	}
	return above == LINE_ITEM || above == LINE_INDENTED;
}

bool
merge_items(const struct diff_text *base, size_t at, struct str ours, struct str theirs)
{
	char marker[2] = { '\0', '\0' };
	enum merge_line kind = common_kind(ours, &marker[0]);

	/*
	 * Different bullets make two lists (CommonMark, lists). theirs comes first, so its last
	 * line must end with a newline.
	 */
	return kind != LINE_OTHER && kind == common_kind(theirs, &marker[1]) && marker[0] == marker[1] &&
	    theirs.p[theirs.n - 1] == '\n' && continues_kind(base, at, kind) && !have_common_line(ours, theirs);
}
