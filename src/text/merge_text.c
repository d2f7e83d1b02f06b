/*
 * Three-way merge of texts by lines. The changes of either side against the
 * base are walked together; what only one side changed is taken, and changes
 * that overlap or touch make one place, which both sides must hold alike.
 */
#include "text/diff.h"
#include "text/merge_text.h"
#include "merge_items.h"
#include "merge_moves.h"
#include "merge_pieces.h"
#include "merge_twice.h"

/* The changes of one side. */
struct side {
	struct diff_text    text;
	struct diff_change *changes;
	size_t              count, i;
	const bool         *left_out; /* by change: merge_twice.h */
	ptrdiff_t           shift;    /* lines of this side less lines of the base, so far */
};

struct merge {
	struct arena         *a;
	struct diff_text      base;
	struct side           ours, theirs;
	struct buf            out;
	size_t                done;       /* lines of ours that are in out */
	const bool           *code;       /* by line of the base, and behind the last: fenced code is open there */
	struct text_conflict *conflicts, **end;
};

/* Has the side a change that was not walked yet? next_change() may be asked for only then. */
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
head_end(const struct side *s)
{
	return next_change(s)->x + next_change(s)->xn;
}

/* shift makes line numbers of the base into those of the side behind the change. */
static void
pass_change(struct side *s)
{
	s->shift += (ptrdiff_t)next_change(s)->yn - (ptrdiff_t)next_change(s)->xn;
	s->i++;
}

/* Does the next change of s end before the one of t begins, with a line between? */
static bool
is_apart(const struct side *s, const struct side *t)
{
	/*
	 * Strictly before: changes that only touch are a conflict, as in git merge-file, since
	 * their order would be a guess.
	 */
	return has_more(s) && (!has_more(t) || head_end(s) < next_change(t)->x);
}

/* What comes in place of our lines. */
static void
take_place(struct merge *m, struct str both, size_t ours_from, size_t ours_to)
{
	buf_put(&m->out, diff_lines(&m->ours.text, m->done, ours_from));
	buf_put(&m->out, both);
	m->done = ours_to;
}

/* A change that only they made: their lines in place of those of the base. */
static void
take_theirs(struct merge *m)
{
	const struct diff_change *c = next_change(&m->theirs);
	size_t at = c->x + (size_t)m->ours.shift;

	/* Ours is copied up to the change: what only they left as it was is in it. */
	buf_put(&m->out, diff_lines(&m->ours.text, m->done, at));
	if (!m->theirs.left_out[m->theirs.i])
		buf_put(&m->out, diff_lines(&m->theirs.text, c->y, c->y + c->yn));
	m->done = at + c->xn;
	pass_change(&m->theirs);
}

/* A change that only we made: ours is what is being copied anyway. */
static void
take_ours(struct merge *m)
{
	const struct diff_change *c = next_change(&m->ours);

	if (m->ours.left_out[m->ours.i])
		take_place(m, STR(""), c->y, c->y + c->yn);
	pass_change(&m->ours);
}

static void
add_conflict(struct merge *m, struct str base, struct str ours, struct str theirs, size_t line)
{
	struct text_conflict *c = arena_alloc(m->a, sizeof(*c));

	*c = (struct text_conflict){ .base = base, .ours = ours, .theirs = theirs, .line = line };
	*m->end = c;
	m->end = &c->next;
}

/* Takes the changes of s that begin at or before *to; true if there were any. */
static bool
extend_over(struct side *s, size_t *to)
{
	bool some = false;

	while (has_more(s) && next_change(s)->x <= *to) {
		if (head_end(s) > *to)
			*to = head_end(s);
		pass_change(s);
		some = true;
	}
	return some;
}

/* Both added items of a list or rows of a table there: theirs, then ours. */
static void
take_both(struct merge *m, struct str theirs, size_t ours_from)
{
	buf_put(&m->out, diff_lines(&m->ours.text, m->done, ours_from));
	buf_put(&m->out, theirs);
	m->done = ours_from;
}

/* Changes of both that overlap or touch, with all that these touch in turn. */
static void
take_clash(struct merge *m)
{
	struct side *o = &m->ours, *t = &m->theirs;
	size_t from = next_change(o)->x < next_change(t)->x ? next_change(o)->x : next_change(t)->x, to = from;
	size_t ofrom = from + (size_t)o->shift, tfrom = from + (size_t)t->shift;
	struct str ours, theirs, both;
	bool more, code;

	do {
		/*
		 * A change of one side can reach another of the other side, and so on: until
		 * none begins within the place.
		 */
		more = extend_over(o, &to);
		more = extend_over(t, &to) || more;
	} while (more);
	ours = diff_lines(&o->text, ofrom, to + (size_t)o->shift);
	theirs = diff_lines(&t->text, tfrom, to + (size_t)t->shift);
	/*
	 * In code a line that begins with "-" or "|" is no item and no row, so both sides' lines
	 * are not put side by side.
	 */
	code = m->code[from];
	if (from == to && !code && (merge_items(&m->base, from, ours, theirs) ||
	    merge_blocks(diff_lines(&m->base, 0, from), ours, theirs)))
		take_both(m, theirs, ofrom);
	else if (!code && merge_pieces(m->a, diff_lines(&m->base, from, to), ours, theirs, &both))
		take_place(m, both, ofrom, to + (size_t)o->shift);
	/*
	 * Equal changes of both are no conflict: ours is being copied. A conflict keeps ours in
	 * the text as well.
	 */
	else if (!str_eq(ours, theirs))
		add_conflict(m, diff_lines(&m->base, from, to), ours, theirs, ofrom + 1);
}

static void
walk_changes(struct merge *m)
{
	while (has_more(&m->ours) || has_more(&m->theirs))
		if (is_apart(&m->ours, &m->theirs))
			take_ours(m);
		else if (is_apart(&m->theirs, &m->ours))
			take_theirs(m);
		else
			take_clash(m);
	buf_put(&m->out, diff_lines(&m->ours.text, m->done, m->ours.text.n));
}

/* What both moved, to different places, stands at one of them. */
static void
leave_out(struct arena *scratch, struct merge *m, const struct diff_table *t)
{
	struct twice_side ours = { &m->ours.text, m->ours.changes, m->ours.count, NULL };
	struct twice_side theirs = { &m->theirs.text, m->theirs.changes, m->theirs.count, NULL };

	merge_twice(scratch, t, &m->base, m->code, &ours, &theirs);
	m->ours.left_out = ours.left_out;
	m->theirs.left_out = theirs.left_out;
}

/* One table for all three, so that equal lines have equal ids everywhere. */
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
	leave_out(scratch, m, t);
}

static struct text_conflict *
merge_lines(struct arena *a, struct str base, struct str ours, struct str theirs, struct str *out)
{
	struct merge m = { .a = a };
	struct arena *scratch;

	scratch = arena_new(SIZE_MAX / 2);
	m.end = &m.conflicts;
	/* Each line of the result comes from one of the two sides, and none twice. */
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
	/* The usual case, without a comparison: only one side changed the text. */
	if (str_eq(base, theirs) || str_eq(ours, theirs) || str_eq(base, ours)) {
		*out = str_eq(base, ours) ? theirs : ours;
		return true;
	}
	*conflicts = merge_lines(a, base, ours, theirs, out);
	/* Places of a conflict are told in what the caller gave: this is for all or for none. */
	if (*conflicts != NULL && merge_moves(a, &t) &&
	    merge_lines(a, t.base, t.ours, t.theirs, &moved) == NULL) {
		*out = moved;
		*conflicts = NULL;
	}
	return *conflicts == NULL;
}
