/*
 * Three-way merge of texts by lines. It walks the changes of both sides against the base together:
 * a change of one side is taken, and changes that overlap or touch form one place, where both sides
 * must agree.
 */
#include "text/diff.h"
#include "text/merge_text.h"
#include "merge_items.h"
#include "merge_moves.h"
#include "merge_pieces.h"
#include "merge_twice.h"

/* One side and its changes. */
struct side {
	struct diff_text    text;
	struct diff_change *changes;
	size_t              count, i;
	const bool         *left_out; /* by change, see merge_twice.h */
	ptrdiff_t           shift;    /* lines of this side minus lines of the base, so far */
};

struct merge {
	struct arena         *a;
	struct diff_text      base;
	struct side           ours, theirs;
	struct buf            out;
	size_t                copied;     /* lines of ours that were copied to out */
	const bool           *code;       /* by line of the base, and after the last: a code fence is open there */
	struct text_conflict *conflicts, **end;
};

/* True if the side has a change left; next_change() requires it. */
static bool
has_more(const struct side *s)
{
	return s->i < s->count;
}

static const struct diff_change *
next_change(const struct side *s)
{
	return &s->changes[s->i];
}

static size_t
end_of_next_change(const struct side *s)
{
	return next_change(s)->x + next_change(s)->xn;
}

/* Passes the next change. After it, shift added to a line number of the base gives the line number of this side. */
static void
pass_change(struct side *s)
{
	s->shift += (ptrdiff_t)next_change(s)->yn - (ptrdiff_t)next_change(s)->xn;
	s->i++;
}

/* True if the next change of s ends at least one line before the one of t begins. */
static bool
next_is_before(const struct side *s, const struct side *t)
{
	/* Changes that touch are a conflict, as in git merge-file: their order would be a guess. */
	return has_more(s) && (!has_more(t) || end_of_next_change(s) < next_change(t)->x);
}

/* Write `both` in place of our lines. */
static void
take_place(struct merge *m, struct str both, size_t ours_from, size_t ours_to)
{
	buf_put(&m->out, diff_lines(&m->ours.text, m->copied, ours_from));
	buf_put(&m->out, both);
	m->copied = ours_to;
}

/* Take a change of theirs alone: write their lines instead of the base's. */
static void
take_theirs(struct merge *m)
{
	const struct diff_change *c = next_change(&m->theirs);
	size_t at = c->x + (size_t)m->ours.shift;

	/* Copy ours up to the change. */
	buf_put(&m->out, diff_lines(&m->ours.text, m->copied, at));
	if (!m->theirs.left_out[m->theirs.i])
		buf_put(&m->out, diff_lines(&m->theirs.text, c->y, c->y + c->yn));
	m->copied = at + c->xn;
	pass_change(&m->theirs);
}

/* A change of ours alone needs no work: ours is copied anyway. */
static void
take_ours(struct merge *m)
{
	const struct diff_change *c = next_change(&m->ours);

	if (m->ours.left_out[m->ours.i])
		take_place(m, STR(""), c->y, c->y + c->yn);
	pass_change(&m->ours);
}

/* ofrom: index of the first of our lines in the conflict; the text gets our lines. */
static void
add_conflict(struct merge *m, struct str base, struct str ours, struct str theirs, size_t ofrom)
{
	struct text_conflict *c = arena_alloc(m->a, sizeof(*c));

	buf_put(&m->out, diff_lines(&m->ours.text, m->copied, ofrom));
	m->copied = ofrom;
	*c = (struct text_conflict){ .base = base, .ours = ours, .theirs = theirs, .line = ofrom + 1, .at = m->out.n };
	*m->end = c;
	m->end = &c->next;
}

/* Take the changes of s that begin at or before *to; true if there were any. */
static bool
extend_place(struct side *s, size_t *to)
{
	bool some = false;

	while (has_more(s) && next_change(s)->x <= *to) {
		if (end_of_next_change(s) > *to)
			*to = end_of_next_change(s);
		pass_change(s);
		some = true;
	}
	return some;
}

/* Both sides added items of a list or rows of a table: writes theirs, then ours. */
static void
take_both(struct merge *m, struct str theirs, size_t ours_from)
{
	buf_put(&m->out, diff_lines(&m->ours.text, m->copied, ours_from));
	buf_put(&m->out, theirs);
	m->copied = ours_from;
}

/* Merge overlapping or touching changes, with all changes that these touch in turn. */
static void
merge_clash(struct merge *m)
{
	struct side *o = &m->ours, *t = &m->theirs;
	size_t from = next_change(o)->x < next_change(t)->x ? next_change(o)->x : next_change(t)->x, to = from;
	size_t ofrom = from + (size_t)o->shift, tfrom = from + (size_t)t->shift;
	struct str ours, theirs, both;
	bool more, code;

	do {
		/*
		 * A change of one side may reach another of the other side: repeat until none
		 * begins within the place.
		 */
		more = extend_place(o, &to);
		more = extend_place(t, &to) || more;
	} while (more);
	ours = diff_lines(&o->text, ofrom, to + (size_t)o->shift);
	theirs = diff_lines(&t->text, tfrom, to + (size_t)t->shift);
	/*
	 * In code, a line that begins with "-" or "|" is no item or row, so do not put both sides'
	 * lines one after the other.
	 */
	code = m->code[from];
	/* Both sides insert lines at the same place (from == to). Items and whole blocks are no conflict: the merge keeps both. */
	if (from == to && !code && (merge_items(&m->base, from, ours, theirs) ||
	    merge_blocks(diff_lines(&m->base, 0, from), ours, theirs)))
		take_both(m, theirs, ofrom);
	else if (!code && merge_pieces(m->a, diff_lines(&m->base, from, to), ours, theirs, &both))
		take_place(m, both, ofrom, to + (size_t)o->shift);
	/* Equal changes are no conflict. A conflict keeps our lines in the text. */
	else if (!str_eq(ours, theirs))
		add_conflict(m, diff_lines(&m->base, from, to), ours, theirs, ofrom);
}

static void
walk_changes(struct merge *m)
{
	while (has_more(&m->ours) || has_more(&m->theirs))
		if (next_is_before(&m->ours, &m->theirs))
			take_ours(m);
		else if (next_is_before(&m->theirs, &m->ours))
			take_theirs(m);
		else
			merge_clash(m);
	buf_put(&m->out, diff_lines(&m->ours.text, m->copied, m->ours.text.n));
}

/* If both sides moved the same lines to different places, drops one of the copies. */
static void
drop_moved_twice(struct arena *scratch, struct merge *m, const struct diff_table *t)
{
	struct twice_side ours = { &m->ours.text, m->ours.changes, m->ours.count, NULL };
	struct twice_side theirs = { &m->theirs.text, m->theirs.changes, m->theirs.count, NULL };

	merge_twice(scratch, t, &m->base, m->code, &ours, &theirs);
	m->ours.left_out = ours.left_out;
	m->theirs.left_out = theirs.left_out;
}

/* Use one table for the three texts, so that equal lines have equal ids. */
static void
diff_sides(struct arena *scratch, struct merge *m, struct str base, struct str ours, struct str theirs)
{
	struct diff_table *t = diff_table_new(scratch);

	m->base = diff_text(scratch, t, base);
	m->ours.text = diff_text(scratch, t, ours);
	m->theirs.text = diff_text(scratch, t, theirs);
	m->ours.changes = diff_texts(scratch, t, &m->base, &m->ours.text, &m->ours.count);
	m->theirs.changes = diff_texts(scratch, t, &m->base, &m->theirs.text, &m->theirs.count);
	m->code = merge_code(scratch, &m->base);
	drop_moved_twice(scratch, m, t);
}

static struct text_conflict *
merge_lines(struct arena *a, struct str base, struct str ours, struct str theirs, struct str *out)
{
	struct merge m = { .a = a };
	struct arena *scratch;

	scratch = arena_new(SIZE_MAX / 2);
	m.end = &m.conflicts;
	/* Each line of the result comes from one side, and none twice. */
	buf_init(&m.out, a, ours.n + theirs.n);
	diff_sides(scratch, &m, base, ours, theirs);
	walk_changes(&m);
	arena_free(scratch);
	*out = buf_view(&m.out);
	return m.conflicts;
}

bool
merge_text(struct arena *a, struct str base, struct str ours, struct str theirs, struct str *out,
    struct text_conflict **conflicts)
{
	struct moved_texts t = { base, ours, theirs };
	struct str moved;

	*conflicts = NULL;
	/* Fast path without a comparison: only one side changed the text. */
	if (str_eq(base, theirs) || str_eq(ours, theirs) || str_eq(base, ours)) {
		*out = str_eq(base, ours) ? theirs : ours;
		return true;
	}
	*conflicts = merge_lines(a, base, ours, theirs, out);
	/*
	 * Conflicts name lines of the caller's texts: so use the moved texts only if they leave no
	 * conflict.
	 */
	if (*conflicts != NULL && merge_moves(a, &t) &&
	    merge_lines(a, t.base, t.ours, t.theirs, &moved) == NULL) {
		*out = moved;
		*conflicts = NULL;
	}
	return *conflicts == NULL;
}

static bool
ends_line(struct str s)
{
	return s.n == 0 || s.p[s.n - 1] == '\n';
}

/*
 * True if both begin like an item of a list or a row of a table: a blank line between them would
 * split the list or table.
 */
static bool
are_rows(struct str x, struct str y)
{
	return x.n > 0 && y.n > 0 && *x.p == *y.p && strchr("|-*+0123456789", *x.p) != NULL;
}

struct str
merge_both(struct arena *a, struct str first, struct str second)
{
	return str_of(arena_printf(a, "%.*s%s%s%.*s", (int)first.n, first.p, ends_line(first) ? "" : "\n",
	    first.n == 0 || second.n == 0 || are_rows(first, second) ? "" : "\n", (int)second.n, second.p));
}
