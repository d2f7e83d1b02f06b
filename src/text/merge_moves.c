/*
 * Paragraphs that one side left unchanged, possibly at another place, and the other side edited. A
 * paragraph is the lines between blank ones, an item of a list or a row of a table; it must occur
 * once in the base and once in the unchanged side's text. Contract: merge_moves.h.
 */
#include "base/buf.h"
#include "base/map.h"
#include "base/sort.h"
#include "text/diff.h"
#include "merge_items.h"
#include "merge_moves.h"

/* Lines [from, to) of a text, and their replacement. */
struct edit {
	size_t     from, to;
	struct str text;
	bool       repeated;   /* the text has more such paragraphs */
};

struct edits {
	struct edit *list;
	size_t       n, room;
};

struct version {
	struct diff_text    text;
	const bool         *code;      /* by line: a code fence is open there */
	struct diff_change *changes;   /* from the base */
	size_t              count;
	struct map         *paragraphs;/* bytes -> struct edit, without its text */
	struct edits        edits;
	size_t              passed_changes; /* changes that end before the last paragraph */
	ptrdiff_t           shift;     /* lines by which these changes lengthened the text */
};

/* The ranges of a list do not overlap, as each is a paragraph. apply_edits() sorts them. */
static void
note_edit(struct arena *a, struct edits *e, size_t from, size_t to, struct str text)
{
	e->list = arena_grow(a, e->list, e->n, &e->room, sizeof(*e->list));
	e->list[e->n++] = (struct edit){ .from = from, .to = to, .text = text };
}

static enum merge_line
line_kind(const struct diff_text *t, size_t i)
{
	return merge_line_of(diff_lines(t, i, i + 1));
}

/* True if the line begins a paragraph even without a blank line before it. */
static bool
begins_paragraph(const struct diff_text *t, size_t i)
{
	enum merge_line kind = line_kind(t, i);

	return kind == LINE_ITEM || kind == LINE_ROW;
}

/*
 * Next paragraph from line *at on; moves *at after it. False at the end. Fenced code is not
 * divided.
 */
static bool
next_paragraph(const struct diff_text *t, const bool *code, size_t *at, size_t *from)
{
	bool row;

	while (*at < t->n && merge_is_blank(t, *at))
		++*at;
	*from = *at;
	if (*at == t->n)
		return false;
	/* A row is one line; any other paragraph ends at a blank line or where the next one begins, but not in code. */
	row = line_kind(t, (*at)++) == LINE_ROW;
	while (*at < t->n && !row && (code[*at] || (!merge_is_blank(t, *at) && !begins_paragraph(t, *at))))
		++*at;
	return true;
}

/*
 * Map key of a paragraph: its text without the last newline, which the last line of a text may
 * lack.
 */
static struct str
paragraph_key(struct str text)
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
		slot = (struct edit **)map_at(m, paragraph_key(diff_lines(t, from, at)));
		e = *slot;
		if (e == NULL)
			*slot = e = arena_alloc(a, sizeof(*e));
		/*
		 * e->to is 0 only in a new entry: the arena is zeroed, and every paragraph ends
		 * after line 0.
		 */
		*e = (struct edit){ .from = from, .to = at, .repeated = e->to > 0 };
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
occurs_once(struct map *paragraphs, struct str text)
{
	const struct edit *e = map_get(paragraphs, paragraph_key(text));

	return e != NULL && !e->repeated;
}

/*
 * Pass the changes that end before line `from`, including an insertion right before it (xn is 0). Callers
 * go upwards, so each change is passed once. v->shift: the distance from a line of the base to the same
 * line of the version.
 */
static void
pass_changes(struct version *v, size_t from)
{
	const struct diff_change *c = v->changes + v->passed_changes;

	for (; v->passed_changes < v->count && c->x + c->xn <= from && (c->x < from || c->xn == 0); v->passed_changes++, c++)
		v->shift += (ptrdiff_t)c->yn - (ptrdiff_t)c->xn;
}

/* True if no line of the range is blank outside of code. */
static bool
is_one_paragraph(const struct version *v, size_t from, size_t to)
{
	while (from < to && (v->code[from] || !merge_is_blank(&v->text, from)))
		from++;
	return from == to;
}

/*
 * The lines that replace these base lines in the side's text; n 0: it deleted them, or changed the
 * lines around them, too.
 */
static struct str
edited_lines(struct version *v, size_t from, size_t to, bool formed)
{
	const struct diff_change *c;
	ptrdiff_t grown = 0;
	size_t i, y, end;

	pass_changes(v, from);
	for (i = v->passed_changes; i < v->count && (c = &v->changes[i])->x < to; i++) {
		/*
		 * A change inside the paragraph is its edit. A change across its border proves
		 * nothing, unless these lines are items or rows that were edited one by one in
		 * place.
		 */
		if ((c->x < from || c->x + c->xn > to) && (!formed || c->xn != c->yn))
			return STR("");
		grown += (ptrdiff_t)c->yn - (ptrdiff_t)c->xn;
	}
	y = from + (size_t)v->shift;
	end = to + (size_t)(v->shift + grown);
	/* Several paragraphs cannot replace one. */
	return is_one_paragraph(v, y, end) ? diff_lines(&v->text, y, end) : STR("");
}

/*
 * True if the edited paragraph can be placed where the original went: a row must keep its columns,
 * an item must stay an item.
 */
static bool
fits_place(struct str was, struct str now)
{
	enum merge_line kind = merge_line_of(was);

	return (kind != LINE_ROW && kind != LINE_ITEM) ||
	    (kind == merge_line_of(now) && (kind != LINE_ROW || count_bars(was) == count_bars(now)));
}

/*
 * The text to which `editor` changed a base paragraph that `mover` left unchanged, at any place; n
 * 0: there is none.
 */
static struct str
edited_paragraph(const struct version *mover, struct version *editor, size_t from, size_t to, struct str text)
{
	enum merge_line kind = merge_line_of(text);
	struct str now;

	/*
	 * The mover must have the paragraph unchanged and once; the editor must not have it
	 * anywhere.
	 */
	if (!occurs_once(mover->paragraphs, text) || map_has(editor->paragraphs, paragraph_key(text)))
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
	const struct edit *there = map_get(mover->paragraphs, paragraph_key(text));

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
apply_edits(struct arena *a, const struct diff_text *t, struct edits *e)
{
	size_t done = 0, room = t->text.n;
	struct buf b;

	/* The edits were found in base order, not in the order of the mover's own text. */
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
	/* Ids of lines can only be compared within one table. */
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
		if (!merge_has_words(text) || !occurs_once(own, text))
			continue;
		by_theirs = edited_paragraph(&ours, &theirs, from, at, text);
		by_ours = edited_paragraph(&theirs, &ours, from, at, text);
		/* If each side seems to have edited it, leave the conflict. */
		if (by_theirs.n > 0 && by_ours.n == 0)
			note_move(a, &edits, &ours, from, at, text, by_theirs);
		else if (by_ours.n > 0 && by_theirs.n == 0)
			note_move(a, &edits, &theirs, from, at, text, by_ours);
	}
	if (edits.n == 0)
		return false;
	t->base = apply_edits(a, &base, &edits);
	t->ours = apply_edits(a, &ours.text, &ours.edits);
	t->theirs = apply_edits(a, &theirs.text, &theirs.edits);
	return true;
}
