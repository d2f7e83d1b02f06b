/*
 * Merges a place that both sides changed piece by piece: rows, cells, items. Compared by lines, the
 * changes of two adjacent table rows touch, which would be a conflict. Contract: merge_pieces.h.
 */
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "text/diff.h"
#include "merge_items.h"
#include "merge_pieces.h"

/*
 * PIECES_MAX bounds the work on one place, where additions are compared pairwise. SHIFT_MAX: lines
 * by which a comparison may place a block too far down (its closing tag and blank lines).
 */
enum { PIECES_MAX = 2000, SHIFT_MAX = 6 };

enum piece_kind { PIECE_NONE, PIECE_ROW, PIECE_ITEM, PIECE_HTML, PIECE_CELL, PIECE_HTML_CELL };

struct pieces {
	struct str *list;
	size_t      n;
};

/* ---- dividing ---- */

static struct str
first_line(struct str s)
{
	const char *nl = memchr(s.p, '\n', s.n);

	return nl == NULL ? s : str_slice(s, 0, (size_t)(nl - s.p) + 1);
}

/* True if a piece begins at i, and so the last one ends there. */
static bool
begins_piece(enum piece_kind kind, struct str s, size_t i)
{
	struct str rest = str_slice(s, i, s.n);

	switch (kind) {
	case PIECE_CELL:
		/* An escaped bar is text of its cell (GFM, tables). */
		return s.p[i] == '|' && (i == 0 || s.p[i - 1] != '\\');
	case PIECE_HTML:
		/*
		 * Several HTML rows may share a line, so test every byte; text between two rows is
		 * a piece of its own.
		 */
		return (rest.n > 3 && strncasecmp(rest.p, "<tr", 3) == 0) ||
		    (i >= 5 && strncasecmp(s.p + i - 5, "</tr>", 5) == 0);
	case PIECE_HTML_CELL:
		return (rest.n > 3 && (strncasecmp(rest.p, "<td", 3) == 0 || strncasecmp(rest.p, "<th", 3) == 0)) ||
		    (i >= 5 && (strncasecmp(s.p + i - 5, "</td>", 5) == 0 || strncasecmp(s.p + i - 5, "</th>", 5) == 0));
	/* An item includes the lines that belong to it. */
	case PIECE_ITEM:
		return (i == 0 || s.p[i - 1] == '\n') && merge_line_of(first_line(rest)) == LINE_ITEM;
	default:
		return i == 0 || s.p[i - 1] == '\n';
	}
}

/* Text before the first piece and after the last is a piece as well. */
static bool
divide_place(struct arena *a, enum piece_kind kind, struct str s, struct pieces *out)
{
	size_t room = 0, from = 0, i;

	*out = (struct pieces){ NULL, 0 };
	for (i = 1; i <= s.n; i++) {
		if (i < s.n && !begins_piece(kind, s, i))
			continue;
		/* There are too many pieces to compare, so the place stays a conflict. */
		if (out->n == PIECES_MAX)
			return false;
		out->list = arena_grow(a, out->list, out->n, &room, sizeof(*out->list));
		out->list[out->n++] = str_slice(s, from, i);
		from = i;
	}
	return true;
}

static bool
has_html_rows(struct str s)
{
	return memmem(s.p, s.n, "<tr", 3) != NULL && memmem(s.p, s.n, "<td", 3) != NULL;
}

/* True for a row of a table; or for an item, or a line that belongs to the item above it. first: there is no line above. */
static bool
is_line_of_kind(enum merge_line kind, struct str line, bool first)
{
	struct str words = str_trim(line);
	enum merge_line k;

	if (kind == LINE_ROW)
		return words.n > 0 && words.p[0] == '|';
	k = merge_line_of(line);
	return k == LINE_ITEM || (!first && (k == LINE_BLANK || k == LINE_INDENTED));
}

/* True if every line is of that kind (LINE_ROW or LINE_ITEM) or belongs to such a line above it. */
static bool
consists_of_kind(enum merge_line kind, struct str s)
{
	struct str line;
	bool first = true;

	for (; s.n > 0; s = str_slice(s, line.n, s.n), first = false) {
		line = first_line(s);
		if (!is_line_of_kind(kind, line, first))
			return false;
	}
	return true;
}

/*
 * Kind of the place on all three sides; PIECE_NONE if they differ, or if the base is empty
 * (merge_items() handles that).
 */
static enum piece_kind
kind_of_place(struct str base, struct str ours, struct str theirs)
{
	if (base.n == 0)
		return PIECE_NONE;
	if (consists_of_kind(LINE_ROW, base) && consists_of_kind(LINE_ROW, ours) && consists_of_kind(LINE_ROW, theirs))
		return PIECE_ROW;
	if (consists_of_kind(LINE_ITEM, base) && consists_of_kind(LINE_ITEM, ours) && consists_of_kind(LINE_ITEM, theirs))
		return PIECE_ITEM;
	if (has_html_rows(base) && has_html_rows(ours) && has_html_rows(theirs))
		return PIECE_HTML;
	return PIECE_NONE;
}

/* ---- one side against the base ---- */

struct side {
	struct pieces p;
	ptrdiff_t    *became;   /* base piece -> piece of this side; -1: deleted */
	size_t       *added_end; /* base piece -> end of the pieces that were added before it */
};

/*
 * True if one may be an edit of the other: their common start and end make up more than half of it.
 */
static bool
are_alike(struct str x, struct str y)
{
	size_t n = x.n < y.n ? x.n : y.n, most = x.n > y.n ? x.n : y.n, from = 0, to = 0;

	while (from < n && x.p[from] == y.p[from])
		from++;
	/* The common end must not overlap the common beginning, so that no byte counts twice. */
	while (to < n - from && x.p[x.n - 1 - to] == y.p[y.n - 1 - to])
		to++;
	return (from + to) * 2 > most;
}

/*
 * Pair the pieces of a change: one by one if the counts agree, else those that are alike, in order.
 */
static void
pair_pieces(struct side *s, const struct pieces *base, const struct diff_change *c)
{
	size_t i, k = 0, m;

	for (i = 0; i < c->xn; i++) {
		s->became[c->x + i] = -1;
		if (c->xn == c->yn) {
			s->became[c->x + i] = (ptrdiff_t)(c->y + i);
			continue;
		}
		for (m = k; m < c->yn && !are_alike(base->list[c->x + i], s->p.list[c->y + m]); m++)
			;
		if (m == c->yn)
			continue;
		s->became[c->x + i] = (ptrdiff_t)(c->y + m);
		k = m + 1;
	}
}

/* Sets s->became. s->p must be divided already. */
static void
match_pieces(struct arena *a, struct diff_table *t, const struct pieces *base, struct side *s)
{
	uint32_t *x = arena_array(a, base->n + 1, sizeof(*x)), *y = arena_array(a, s->p.n + 1, sizeof(*y));
	struct diff_change *c;
	size_t i, k, count;

	for (i = 0; i < base->n; i++)
		x[i] = diff_table_id(t, base->list[i]);
	for (i = 0; i < s->p.n; i++)
		y[i] = diff_table_id(t, s->p.list[i]);
	/* Both sides share the table, so it contains the other side's pieces too. */
	c = diff_ids(a, x, base->n, y, s->p.n, diff_table_count(t), &count);
	s->became = arena_array(a, base->n + 1, sizeof(*s->became));
	for (i = k = 0; i < base->n; i++) {
		if (k < count && i >= c[k].x + c[k].xn)
			k++;
		if (k < count && i >= c[k].x)
			continue;
		/* Unchanged pieces keep their distance from the change before them. */
		s->became[i] = (ptrdiff_t)(k > 0 ? c[k - 1].y + c[k - 1].yn + (i - c[k - 1].x - c[k - 1].xn) : i);
	}
	for (k = 0; k < count; k++)
		pair_pieces(s, base, &c[k]);
}

/* ---- joining ---- */

struct piece_join {
	struct arena  *a;
	enum piece_kind kind;
	struct pieces  base;
	struct side    ours, theirs;
	struct buf     out;
	bool           added[2];   /* rows were added: [0] by ours, [1] by theirs */
};

/* This declaration is needed because of the recursion: rows are joined by joining their cells. */
static bool join_pieces(struct arena *a, enum piece_kind kind, struct str base, struct str ours, struct str theirs,
    struct str *out);

/* The pieces that a side added before base piece i (before the end for i == n); moves *at. */
static struct pieces
added_pieces(const struct piece_join *j, const struct side *s, size_t i, size_t *at)
{
	struct pieces p = { s->p.n == 0 ? NULL : s->p.list + *at, 0 };
	size_t end = s->p.n, k;

	/*
	 * A deleted piece has no place in this side: the next remaining piece bounds the addition.
	 */
	for (k = i; k < j->base.n && s->became[k] < 0; k++)
		;
	if (k < j->base.n)
		end = (size_t)s->became[k];
	p.n = end - *at;
	*at = end;
	return p;
}

/* True if both added an equal piece, which the result would repeat. */
static bool
have_common_piece(const struct pieces *x, const struct pieces *y)
{
	size_t i, k;

	for (i = 0; i < x->n; i++)
		for (k = 0; k < y->n; k++)
			if (str_eq(str_trim(x->list[i]), str_trim(y->list[k])))
				return true;
	return false;
}

static void
put_all(struct buf *b, const struct pieces *p)
{
	for (size_t i = 0; i < p->n; i++)
		buf_put(b, p->list[i]);
}

/*
 * Write what was added before base piece i; false if both sides added and the result cannot hold
 * both.
 */
static bool
put_added(struct piece_join *j, struct pieces ours, struct pieces theirs)
{
	j->added[0] |= ours.n > 0;
	j->added[1] |= theirs.n > 0;
	/* Cells added by both belong to two columns, and each row might place them differently. */
	if (ours.n > 0 && theirs.n > 0 && (j->kind == PIECE_CELL || j->kind == PIECE_HTML_CELL || have_common_piece(&ours, &theirs)))
		return false;
	put_all(&j->out, &theirs);
	put_all(&j->out, &ours);
	return true;
}

static enum piece_kind
inner_kind(enum piece_kind kind)
{
	return kind == PIECE_ROW ? PIECE_CELL : kind == PIECE_HTML ? PIECE_HTML_CELL : PIECE_NONE;
}

static bool
put_piece(struct piece_join *j, size_t i)
{
	struct str b = j->base.list[i], none = { NULL, 0 }, both;
	struct str o = j->ours.became[i] < 0 ? none : j->ours.p.list[j->ours.became[i]];
	struct str t = j->theirs.became[i] < 0 ? none : j->theirs.p.list[j->theirs.became[i]];

	if (o.p != NULL && t.p != NULL && !str_eq(o, t) && !str_eq(o, b) && !str_eq(t, b)) {
		/* Both sides changed this piece: its own parts are merged, or the merge is given up. */
		if (!join_pieces(j->a, inner_kind(j->kind), b, o, t, &both))
			return false;
		buf_put(&j->out, both);
		return true;
	}
	/* One side deleted what the other changed. */
	if ((o.p == NULL && t.p != NULL && !str_eq(t, b)) || (t.p == NULL && o.p != NULL && !str_eq(o, b)))
		return false;
	buf_put(&j->out, o.p == NULL || t.p == NULL ? none : str_eq(o, b) ? t : o);
	return true;
}

/* True unless one side added rows, with the base's columns, and the other changed the columns. */
static bool
columns_fit(const struct piece_join *j)
{
	struct pieces b, s;
	size_t i, k;

	if (j->kind != PIECE_ROW)
		return true;
	for (k = 0; k < 2; k++)
		for (i = 0; i < j->base.n; i++) {
			const struct side *side = k == 0 ? &j->ours : &j->theirs;
			if (side->became[i] < 0 || !j->added[1 - k])
				continue;
			divide_place(j->a, PIECE_CELL, j->base.list[i], &b);
			divide_place(j->a, PIECE_CELL, side->p.list[side->became[i]], &s);
			if (b.n != s.n)
				return false;
		}
	return true;
}

static bool
join_pieces(struct arena *a, enum piece_kind kind, struct str base, struct str ours, struct str theirs, struct str *out)
{
	struct piece_join j = { .a = a, .kind = kind };
	struct diff_table *t = diff_table_new(a);
	size_t i, o = 0, h = 0;
	struct pieces mine;

	if (kind == PIECE_NONE || !divide_place(a, kind, base, &j.base) || !divide_place(a, kind, ours, &j.ours.p) ||
	    !divide_place(a, kind, theirs, &j.theirs.p))
		return false;
	match_pieces(a, t, &j.base, &j.ours);
	match_pieces(a, t, &j.base, &j.theirs);
	buf_init(&j.out, a, ours.n + theirs.n + base.n + 16);
	for (i = 0; i <= j.base.n; i++) {
		mine = added_pieces(&j, &j.ours, i, &o);
		if (!put_added(&j, mine, added_pieces(&j, &j.theirs, i, &h)) || (i < j.base.n && !put_piece(&j, i)))
			return false;
		/* Pass the piece that put_piece() has written. */
		o += i < j.base.n && j.ours.became[i] >= 0;
		h += i < j.base.n && j.theirs.became[i] >= 0;
	}
	*out = buf_view(&j.out);
	/* The columns are compared last, since only now it is known which side added rows. */
	return columns_fit(&j);
}

bool
merge_pieces(struct arena *a, struct str base, struct str ours, struct str theirs, struct str *out)
{
	/* Without its newline a last line would be joined with a line of the other side. */
	if ((ours.n > 0 && ours.p[ours.n - 1] != '\n') || (theirs.n > 0 && theirs.p[theirs.n - 1] != '\n') ||
	    (base.n > 0 && base.p[base.n - 1] != '\n'))
		return false;
	return join_pieces(a, kind_of_place(base, ours, theirs), base, ours, theirs, out);
}

/* ---- tag blocks that both add ---- */

/* Name in a line "{% name ... %}"; n 0: the line is something else. */
static struct str
tag_name(struct str line)
{
	struct str s = str_trim(line);
	size_t n = 0;

	if (!str_starts(s, "{%"))
		return STR("");
	s = str_trim(str_slice(s, 2, s.n));
	while (n < s.n && (s.p[n] == '-' || (s.p[n] >= 'a' && s.p[n] <= 'z')))
		n++;
	return str_slice(s, 0, n);
}

/*
 * Name of the tag if the text consists of whole blocks of one tag, with blank lines between; else n
 * 0.
 */
static struct str
block_tag(struct str s)
{
	struct str name = STR(""), line, tag;
	unsigned open = 0;

	for (; s.n > 0; s = str_slice(s, line.n, s.n)) {
		line = first_line(s);
		tag = tag_name(line);
		if (open == 0 && str_trim(line).n == 0)
			continue;
		/* Between blocks only another block of the same tag may begin. */
		if (open == 0 && (tag.n == 0 || str_starts(tag, "end") || (name.n > 0 && !str_eq(tag, name))))
			return STR("");
		if (open == 0)
			name = tag;
		/* Tags of this name nest; other tags inside are content. */
		if (str_eq(tag, name))
			open++;
		else if (tag.n == name.n + 3 && str_starts(tag, "end") && memcmp(tag.p + 3, name.p, name.n) == 0)
			open--;
	}
	return open == 0 ? name : STR("");
}

/* The last n lines of a text. */
static struct str
last_lines(struct str s, size_t n)
{
	size_t i = s.n;

	for (; n > 0 && i > 0; n--)
		for (i--; i > 0 && s.p[i - 1] != '\n'; i--)
			;
	return str_slice(s, i, s.n);
}

/* The added lines as if they had been added n lines further up; p NULL if the text would differ. */
static struct str
shift_lines(struct arena *a, struct str above, struct str lines, size_t n)
{
	struct str head = last_lines(above, n);

	if (n == 0)
		return lines;
	/* Lines can move up by n only if the text above ends with the same n lines as they do. */
	if (head.n == 0 || lines.n < head.n || !str_eq(str_slice(lines, lines.n - head.n, lines.n), head))
		return (struct str){ NULL, 0 };
	return str_of(arena_printf(a, "%.*s%.*s", (int)head.n, head.p, (int)(lines.n - head.n), lines.p));
}

bool
merge_blocks(struct str above, struct str ours, struct str theirs)
{
	/* Use an arena that is freed here: each attempt copies the added lines. */
	struct arena *a = arena_new(64 << 20);
	struct str o, t, name;
	bool both = false;
	size_t n;

	for (n = 0; n <= SHIFT_MAX && !both && ours.n > 0 && theirs.n > 0 && theirs.p[theirs.n - 1] == '\n'; n++) {
		o = shift_lines(a, above, ours, n);
		t = shift_lines(a, above, theirs, n);
		if (o.p == NULL || t.p == NULL)
			continue;
		name = block_tag(o);
		both = name.n > 0 && str_eq(name, block_tag(t));
	}
	arena_free(a);
	return both;
}
