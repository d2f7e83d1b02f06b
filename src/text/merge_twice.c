/*
 * Lines that both sides moved. They are found by a line of theirs that occurs once in each of the
 * three texts; from there all of them are compared, so each line is visited a fixed number of
 * times. Contract: merge_twice.h.
 */
#include "merge_items.h"
#include "merge_twice.h"

/* Where lines occur in a text, by id. */
struct places {
	size_t *times, *line;   /* number of occurrences; one of the places */
};

struct moved_side {
	struct twice_side *side;
	struct places      at;
	size_t            *added_by;   /* line -> the change that adds it, from 1; 0: none, or it meets a change of the other side */
	bool              *deleted;   /* line of the base -> deleted */
	size_t            *contained_in;  /* change -> the change of the other side that contains all its lines, from 1; 0: none */
};

struct twice {
	const struct diff_text *base;
	const bool             *code;   /* by line of the base */
	struct places           at;
};

static struct places
find_places(struct arena *a, const struct diff_text *t, size_t ids)
{
	struct places p = { arena_array(a, ids + 1, sizeof(size_t)), arena_array(a, ids + 1, sizeof(size_t)) };

	for (size_t i = 0; i < t->n; i++) {
		p.times[t->id[i]]++;
		p.line[t->id[i]] = i;
	}
	return p;
}

/*
 * Records the lines of the changes that do not touch a change of the other side, in the order in
 * which merge_text.c walks them.
 */
static void
note_changes(struct moved_side *m, const struct twice_side *other)
{
	const struct diff_change *c, *d = other->changes, *end = other->changes + other->count;
	size_t i, k;

	for (i = 0; i < m->side->count; i++) {
		c = &m->side->changes[i];
		for (k = c->x; k < c->x + c->xn; k++)
			m->deleted[k] = true;
		while (d < end && d->x + d->xn < c->x)
			d++;
		/* d is the first that does not end before c. */
		if (d < end && d->x <= c->x + c->xn)
			continue;
		for (k = c->y; k < c->y + c->yn; k++)
			m->added_by[k] = i + 1;
	}
}

static struct moved_side
new_moved_side(struct arena *a, struct twice_side *side, const struct twice_side *other, size_t lines, size_t ids)
{
	struct moved_side m = { side, find_places(a, side->text, ids), arena_array(a, side->text->n + 1, sizeof(size_t)),
		arena_array(a, lines + 1, sizeof(bool)), arena_array(a, side->count + 1, sizeof(size_t)) };

	side->left_out = arena_array(a, side->count + 1, sizeof(bool));
	note_changes(&m, other);
	return m;
}

/* True if the line occurs once in each text and has enough words to be recognised. */
static bool
is_recognisable(const struct twice *w, const struct moved_side *m, const struct moved_side *other, size_t i)
{
	uint32_t id = m->side->text->id[i];

	return m->at.times[id] == 1 && other->at.times[id] == 1 && w->at.times[id] == 1 &&
	    merge_has_words(diff_lines(m->side->text, i, i + 1));
}

/* True if text may begin with line i of the base once the text before it is removed. */
static bool
is_border(const struct twice *w, size_t i)
{
	enum merge_line kind;

	if (i == 0 || i == w->base->n)
		return true;
	kind = merge_line_of(diff_lines(w->base, i, i + 1));
	return kind == LINE_BLANK || kind == LINE_ITEM || kind == LINE_ROW || merge_is_blank(w->base, i - 1);
}

/*
 * True if the lines from b on are complete blocks. Equal lines, such as fences, may cut out part of
 * a block, and the other place may keep the rest of it.
 */
static bool
is_whole(const struct twice *w, size_t b, size_t n)
{
	return is_border(w, b) && is_border(w, b + n) && !w->code[b] && !w->code[b + n];
}

/*
 * True if lines [from, to) of m are those of the base at b, deleted there by both sides, and all in
 * one change of other, at o.
 */
static bool
moved_by_both(const struct twice *w, const struct moved_side *m, const struct moved_side *other, size_t from, size_t to,
    size_t b, size_t o)
{
	const struct diff_text *t = m->side->text, *u = other->side->text;
	size_t i, n = to - from;

	if (b + n > w->base->n || o + n > u->n || other->added_by[o] == 0 || !is_whole(w, b, n))
		return false;
	for (i = 0; i < n; i++)
		if (w->base->id[b + i] != t->id[from + i] || u->id[o + i] != t->id[from + i] ||
		    !m->deleted[b + i] || !other->deleted[b + i] || other->added_by[o + i] != other->added_by[o])
			return false;
	return true;
}

/*
 * The change of the other side that contains all lines of change c of m, counted from 1; 0: there
 * is none.
 */
static size_t
find_containing_change(const struct twice *w, const struct moved_side *m, const struct moved_side *other, const struct diff_change *c)
{
	size_t from = c->y, to = c->y + c->yn, key, up;
	uint32_t id;

	while (from < to && merge_is_blank(m->side->text, from))
		from++;
	while (to > from && merge_is_blank(m->side->text, to - 1))
		to--;
	for (key = from; key < to && !is_recognisable(w, m, other, key); key++)
		;
	if (key == to || m->added_by[key] == 0)
		return 0;
	id = m->side->text->id[key];
	up = key - from;
	if (w->at.line[id] < up || other->at.line[id] < up ||
	    !moved_by_both(w, m, other, from, to, w->at.line[id] - up, other->at.line[id] - up))
		return 0;
	return other->added_by[other->at.line[id]];
}

static void
find_containing_changes(const struct twice *w, struct moved_side *m, const struct moved_side *other)
{
	for (size_t i = 0; i < m->side->count; i++)
		m->contained_in[i] = find_containing_change(w, m, other, &m->side->changes[i]);
}

static void
drop_second_copies(const struct moved_side *m, const struct moved_side *other)
{
	size_t i, k;

	for (i = 0; i < m->side->count; i++) {
		if ((k = m->contained_in[i]) == 0)
			continue;
		/* Each contains the lines of the other: keep the first place. */
		m->side->left_out[i] = other->contained_in[k - 1] != i + 1 ||
		    m->side->changes[i].x > other->side->changes[k - 1].x;
	}
}

void
merge_twice(struct arena *scratch, const struct diff_table *t, const struct diff_text *base, const bool *code,
    struct twice_side *ours, struct twice_side *theirs)
{
	size_t ids = diff_table_count(t);
	struct twice w = { base, code, find_places(scratch, base, ids) };
	struct moved_side o = new_moved_side(scratch, ours, theirs, base->n, ids), h = new_moved_side(scratch, theirs, ours, base->n, ids);

	find_containing_changes(&w, &o, &h);
	find_containing_changes(&w, &h, &o);
	drop_second_copies(&o, &h);
	drop_second_copies(&h, &o);
}
