/*
 * Moved paragraphs: lines between blank ones that stand once in the base and once in
 * what the one side made of it. Items of a list and rows of a table are paragraphs of
 * their own here. Whether they, or what is around them, were moved is a matter of how
 * one looks at it, so that is not asked. The contract: merge_moves.h.
 */
#include "base/buf.h"
#include "base/map.h"
#include "base/sort.h"
#include "text/diff.h"
#include "merge_items.h"
#include "merge_moves.h"

/* Lines [from, to) of a text, and what comes in their place. */
struct edit {
	size_t     from, to;
	struct str text;
	bool       twice;   /* there are more such paragraphs in the text */
};

struct edits {
	struct edit *list;
	size_t       n, room;
};

struct version {
	struct diff_text    text;
	const bool         *code;      /* by line: fenced code is open there */
	struct diff_change *changes;   /* from the base */
	size_t              count;
	struct map         *paragraphs;/* bytes -> struct edit, without its text */
	struct edits        edits;
	size_t              passed;    /* changes wholly before the paragraph that was asked for last */
	ptrdiff_t           shift;     /* lines by which these made the text longer */
};

/* Ranges of one list do not overlap: each is a paragraph. They need no order before with_edits(). */
static void
note_edit(struct arena *a, struct edits *e, size_t from, size_t to, struct str text)
{
	e->list = arena_grow(a, e->list, e->n, &e->room, sizeof(*e->list));
	e->list[e->n++] = (struct edit){ .from = from, .to = to, .text = text };
}

static enum merge_line
kind_at(const struct diff_text *t, size_t i)
{
	return merge_line_of(diff_lines(t, i, i + 1));
}

/* Lines that begin a paragraph of their own also without a blank line before them. */
static bool
begins_paragraph(const struct diff_text *t, size_t i)
{
	enum merge_line kind = kind_at(t, i);

	return kind == LINE_ITEM || kind == LINE_ROW;
}

/* The next paragraph from line *at on, which goes behind it; false: there is none. Fenced code is not cut. */
static bool
next_paragraph(const struct diff_text *t, const bool *code, size_t *at, size_t *from)
{
	bool row;

	while (*at < t->n && merge_is_blank(t, *at))
		++*at;
	*from = *at;
	if (*at == t->n)
		return false;
	/* A row is one line; what is below an item belongs to it. */
	row = kind_at(t, (*at)++) == LINE_ROW;
	while (*at < t->n && !row && (code[*at] || (!merge_is_blank(t, *at) && !begins_paragraph(t, *at))))
		++*at;
	return true;
}

/* What it is known by: all but the end of its last line, which the last line of a text may lack. */
static struct str
key_of(struct str text)
{
	size_t n = text.n;

	if (n > 0 && text.p[n - 1] == '\n')
		n--;
	if (n > 0 && text.p[n - 1] == '\r')
		n--;
	return str_slice(text, 0, n);
}

static struct map *
index_paragraphs(struct arena *a, const struct diff_text *t, const bool *code)
{
	struct map *m = map_new(a);
	size_t at = 0, from;
	struct edit *e, **slot;

	while (next_paragraph(t, code, &at, &from)) {
		slot = (struct edit **)map_at(m, key_of(diff_lines(t, from, at)));
		e = *slot;
		if (e == NULL)
			*slot = e = arena_alloc(a, sizeof(*e));
		/*
		 * e->to is 0 in a new entry alone: arena memory is zeroed, and a paragraph ends
		 * behind line 0.
		 */
		*e = (struct edit){ .from = from, .to = at, .twice = e->to > 0 };
	}
	return m;
}

static size_t
count_bars(struct str row)
{
	size_t n = 0, i;

	for (i = 0; i < row.n; i++)
		n += row.p[i] == '|' && (i == 0 || row.p[i - 1] != '\\');
	return n;
}

static bool
is_once(struct map *paragraphs, struct str text)
{
	const struct edit *e = map_get(paragraphs, key_of(text));

	return e != NULL && !e->twice;
}

/*
 * Passes the changes wholly before line `from`, those that only insert right before it
 * included. Asked for lines that rise: each change is passed once.
 */
static void
pass_changes(struct version *v, size_t from)
{
	const struct diff_change *c = v->changes + v->passed;

	for (; v->passed < v->count && c->x + c->xn <= from && (c->x < from || c->xn == 0); v->passed++, c++)
		v->shift += (ptrdiff_t)c->yn - (ptrdiff_t)c->xn;
}

/* Have these lines of the side no blank one, but in code? */
static bool
is_one_paragraph(const struct version *v, size_t from, size_t to)
{
	while (from < to && (v->code[from] || !merge_is_blank(&v->text, from)))
		from++;
	return from == to;
}

/* What the side made of these lines where they stood; n 0: it took them out, or changed what is around as well. */
static struct str
edited_lines(struct version *v, size_t from, size_t to, bool formed)
{
	const struct diff_change *c;
	ptrdiff_t grown = 0;
	size_t i, y, end;

	pass_changes(v, from);
	for (i = v->passed; i < v->count && (c = &v->changes[i])->x < to; i++) {
		/*
		 * A change inside the paragraph is the edit that is looked for. One that reaches over
		 * its borders tells nothing, unless it is about lines that stand for themselves, each
		 * of which was edited in its place.
		 */
		if ((c->x < from || c->x + c->xn > to) && (!formed || c->xn != c->yn))
			return STR("");
		grown += (ptrdiff_t)c->yn - (ptrdiff_t)c->xn;
	}
	y = from + (size_t)v->shift;
	end = to + (size_t)(v->shift + grown);
	/* What became several paragraphs cannot be put in the place of one. */
	return is_one_paragraph(v, y, end) ? diff_lines(&v->text, y, end) : STR("");
}

/* Does what it became go where it went? A row with another column does not, nor what is no item any more. */
static bool
fits_place(struct str was, struct str now)
{
	enum merge_line kind = merge_line_of(was);

	return (kind != LINE_ROW && kind != LINE_ITEM) ||
	    (kind == merge_line_of(now) && (kind != LINE_ROW || count_bars(was) == count_bars(now)));
}

/* What `editor` made of a paragraph of the base that `mover` has as it was, wherever that is now; n 0: nothing. */
static struct str
edited_paragraph(const struct version *mover, struct version *editor, size_t from, size_t to, struct str text)
{
	enum merge_line kind = merge_line_of(text);
	struct str now;

	/* The mover has not got it in these words, or in more places than one; or the editor still has, elsewhere. */
	if (!is_once(mover->paragraphs, text) || map_has(editor->paragraphs, key_of(text)))
		return STR("");
	now = edited_lines(editor, from, to, kind == LINE_ITEM || kind == LINE_ROW);
	if (now.n == 0 || str_eq(now, text) || now.p[now.n - 1] != '\n' || !fits_place(text, now))
		return STR("");
	return now;
}

static void
note_move(struct arena *a, struct edits *base, struct version *mover, size_t from, size_t to, struct str text,
    struct str now)
{
	const struct edit *there = map_get(mover->paragraphs, key_of(text));

	note_edit(a, base, from, to, now);
	note_edit(a, &mover->edits, there->from, there->to, now);
}

static int
by_place(const void *x, const void *y)
{
	const struct edit *a = x, *b = y;

	return (a->from > b->from) - (a->from < b->from);
}

static struct str
with_edits(struct arena *a, const struct diff_text *t, struct edits *e)
{
	size_t done = 0, room = t->text.n;
	struct buf b;

	/* The edits of a mover are found in the order of the base, not in that of its own text. */
	sort_list(e->list, e->n, sizeof(*e->list), by_place);
	for (size_t i = 0; i < e->n; i++)
		room += e->list[i].text.n;
	buf_init(&b, a, room + 1);
	for (size_t i = 0; i < e->n; i++) {
		buf_put(&b, diff_lines(t, done, e->list[i].from));
		buf_put(&b, e->list[i].text);
		done = e->list[i].to;
	}
	buf_put(&b, diff_lines(t, done, t->n));
	return buf_view(&b);
}

static struct version
read_version(struct arena *a, struct diff_table *table, const struct diff_text *base, struct str text)
{
	struct version v = { .text = diff_text(a, table, text) };

	v.changes = diff_texts(a, table, base, &v.text, &v.count);
	v.code = merge_code(a, &v.text);
	v.paragraphs = index_paragraphs(a, &v.text, v.code);
	return v;
}

bool
merge_moves(struct arena *a, struct moved_texts *t)
{
	/* One table for the three texts: ids of lines are comparable only within one. */
	struct diff_table *table = diff_table_new(a);
	struct diff_text base = diff_text(a, table, t->base);
	struct version ours = read_version(a, table, &base, t->ours), theirs = read_version(a, table, &base, t->theirs);
	const bool *code = merge_code(a, &base);
	struct map *own = index_paragraphs(a, &base, code);
	struct edits edits = { NULL, 0, 0 };
	size_t at = 0, from;
	struct str text, by_ours, by_theirs;

	while (next_paragraph(&base, code, &at, &from)) {
		text = diff_lines(&base, from, at);
		if (!merge_has_words(text) || !is_once(own, text))
			continue;
		by_theirs = edited_paragraph(&ours, &theirs, from, at, text);
		by_ours = edited_paragraph(&theirs, &ours, from, at, text);
		/* Where both have it and something else in its place, who can say? */
		if (by_theirs.n > 0 && by_ours.n == 0)
			note_move(a, &edits, &ours, from, at, text, by_theirs);
		else if (by_ours.n > 0 && by_theirs.n == 0)
			note_move(a, &edits, &theirs, from, at, text, by_ours);
	}
	if (edits.n == 0)
		return false;
	t->base = with_edits(a, &base, &edits);
	t->ours = with_edits(a, &ours.text, &ours.edits);
	t->theirs = with_edits(a, &theirs.text, &theirs.edits);
	return true;
}
