/*
 * Moved paragraphs: lines between blank ones that stand once in the base and once in
 * what the one side made of it. Whether they, or what is around them, were moved is a
 * matter of how one looks at it, so that is not asked. The contract: merge_moves.h.
 */
#include "base/buf.h"
#include "base/map.h"
#include "base/sort.h"
#include "text/diff.h"
#include "merge_moves.h"

enum { LEAST = 16 };   /* bytes of a paragraph that is told from others by its words */

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
	struct diff_change *changes;   /* from the base */
	size_t              count;
	struct map         *paragraphs;/* bytes -> struct edit, without its text */
	struct edits        edits;
};

/* Ranges of one list do not overlap: each is a paragraph. They need no order before with_edits(). */
static void
note_edit(struct arena *a, struct edits *e, size_t from, size_t to, struct str text)
{
	e->list = arena_grow(a, e->list, e->n, &e->room, sizeof(*e->list));
	e->list[e->n++] = (struct edit){ from, to, text, false };
}

static bool
is_blank(const struct diff_text *t, size_t i)
{
	return str_trim(diff_lines(t, i, i + 1)).n == 0;
}

/* The next paragraph from line *at on, which goes behind it; false: there is none. */
static bool
paragraph(const struct diff_text *t, size_t *at, size_t *from)
{
	while (*at < t->n && is_blank(t, *at))
		++*at;
	*from = *at;
	while (*at < t->n && !is_blank(t, *at))
		++*at;
	return *from < *at;
}

static struct map *
paragraphs(struct arena *a, const struct diff_text *t)
{
	struct map *m = map_new(a);
	size_t at = 0, from;
	struct edit *e, **slot;

	while (paragraph(t, &at, &from)) {
		slot = (struct edit **)map_at(m, str_trim(diff_lines(t, from, at)));
		e = *slot;
		if (e == NULL)
			*slot = e = arena_alloc(a, sizeof(*e));
		/*
		 * e->to is 0 in a new entry alone: arena memory is zeroed, and a paragraph ends
		 * behind line 0.
		 */
		*e = (struct edit){ from, at, { NULL, 0 }, e->to > 0 };
	}
	return m;
}

/* What the side made of these lines where they stood; n 0: it took them out, or changed what is around as well. */
static struct str
edited(const struct version *v, size_t from, size_t to)
{
	ptrdiff_t shift = 0, grown = 0;
	size_t i, y, end;

	for (i = 0; i < v->count; i++) {
		const struct diff_change *c = &v->changes[i];
		if (c->x + c->xn <= from && (c->x < from || c->xn == 0))
			/*
			 * A change wholly before the paragraph, one that only inserts right
			 * before it included.
			 */
			shift += (ptrdiff_t)c->yn - (ptrdiff_t)c->xn;
		else if (c->x >= from && c->x + c->xn <= to && (c->xn > 0 || c->x < to))
			/* A change inside the paragraph: that is the edit that is looked for. */
			grown += (ptrdiff_t)c->yn - (ptrdiff_t)c->xn;
		else if (c->x < to)
			/* It reaches over the border: no words can be told to be the paragraph's. */
			return STR("");
	}
	y = from + (size_t)shift;
	end = to + (size_t)(shift + grown);
	for (i = y; i < end; i++)
		/* It became several paragraphs, which cannot be put in the place of one. */
		if (is_blank(&v->text, i))
			return STR("");
	return diff_lines(&v->text, y, end);
}

/* What `editor` made of a paragraph of the base that `mover` has as it was, wherever that is now; n 0: nothing. */
static struct str
changed(const struct version *mover, const struct version *editor, size_t from, size_t to, struct str text)
{
	const struct edit *there = map_get(mover->paragraphs, str_trim(text));
	struct str now;

	/* The mover has not got it in these words, or in more places than one. */
	if (there == NULL || there->twice)
		return STR("");
	now = edited(editor, from, to);
	return now.n == 0 || str_eq(now, text) || now.p[now.n - 1] != '\n' ? STR("") : now;
}

static void
note_move(struct arena *a, struct edits *base, struct version *mover, size_t from, size_t to, struct str text,
    struct str now)
{
	const struct edit *there = map_get(mover->paragraphs, str_trim(text));

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
version(struct arena *a, struct diff_table *table, const struct diff_text *base, struct str text)
{
	struct version v = { .text = diff_text(a, table, text) };

	v.changes = diff_texts(a, table, base, &v.text, &v.count);
	v.paragraphs = paragraphs(a, &v.text);
	return v;
}

bool
merge_moves(struct arena *a, struct moved_texts *t)
{
	/* One table for the three texts: ids of lines are comparable only within one. */
	struct diff_table *table = diff_table_new(a);
	struct diff_text base = diff_text(a, table, t->base);
	struct version ours = version(a, table, &base, t->ours), theirs = version(a, table, &base, t->theirs);
	struct map *own = paragraphs(a, &base);
	struct edits edits = { NULL, 0, 0 };
	size_t at = 0, from;
	struct str text, by_ours, by_theirs;

	while (paragraph(&base, &at, &from)) {
		text = diff_lines(&base, from, at);
		if (text.n < LEAST || ((const struct edit *)map_get(own, str_trim(text)))->twice)
			continue;
		by_theirs = changed(&ours, &theirs, from, at, text);
		by_ours = changed(&theirs, &ours, from, at, text);
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
