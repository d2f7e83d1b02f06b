/*
 * The place of a change is often ambiguous: of two equal paragraphs in a row either may be the new
 * one. Both sides of a merge must choose the same place, or one edit looks like two. So each run of
 * changed items moves up as far as equal items allow, joining runs that it meets, and then down as
 * far as it can. If it passed a run of the other text on the way, it moves back to the last one, so
 * that a replacement is shown as one.
 */
#include "text/diff.h"

/* A run of changed items, possibly empty, between unchanged ones. */
struct run {
	size_t from, to;
};

/* The run before the first unchanged item; empty in most texts. */
static struct run
first_run(const struct diff_seq *s)
{
	struct run r = { 0, 0 };

	while (s->changed[r.to])
		r.to++;
	return r;
}

/* The run after the next unchanged item. */
static bool
next_run(const struct diff_seq *s, struct run *r)
{
	if (r->to == s->n)
		return false;
	r->from = ++r->to;
	while (s->changed[r->to])
		r->to++;
	return true;
}

/*
 * The previous run. It exists: x and y have the same number of runs, empty ones included, and every
 * step in x is repeated in y.
 */
static void
previous_run(const struct diff_seq *s, struct run *r)
{
	r->to = --r->from;
	while (s->changed[(ptrdiff_t)r->from - 1])
		r->from--;
}

/*
 * Move the run up by one item, and join a run that it then touches. False if the item above differs
 * from the run's last one: the text would change.
 */
static bool
slide_up(struct diff_seq *s, struct run *r)
{
	if (r->from == 0 || s->id[r->from - 1] != s->id[r->to - 1])
		return false;
	s->changed[--r->from] = true;
	s->changed[--r->to] = false;
	while (s->changed[(ptrdiff_t)r->from - 1])
		r->from--;
	return true;
}

/* slide_up(), downwards: the item below must equal the run's first one. */
static bool
slide_down(struct diff_seq *s, struct run *r)
{
	if (r->to == s->n || s->id[r->from] != s->id[r->to])
		return false;
	s->changed[r->from++] = false;
	s->changed[r->to++] = true;
	while (s->changed[r->to])
		r->to++;
	return true;
}

/*
 * Move up and down until the run no longer grows. *meets is set to its end where it last passed a
 * run of the other text, or to SIZE_MAX. Returns its end at the top.
 */
static size_t
slide_up_and_down(struct diff_seq *x, struct run *r, const struct diff_seq *y, struct run *other,
    size_t *meets, int64_t *budget)
{
	size_t size, top;

	do {
		size = r->to - r->from;
		*meets = SIZE_MAX;
		for (; slide_up(x, r); --*budget)
			previous_run(y, other);
		top = r->to;
		if (other->to > other->from)
			*meets = r->to;
		for (; slide_down(x, r); --*budget) {
			next_run(y, other);
			if (other->to > other->from)
				*meets = r->to;
		}
	/* After joining another run it is longer and may be able to move further up. */
	} while (size != r->to - r->from && *budget > 0);
	return top;
}

void
diff_slide(struct diff_seq *x, const struct diff_seq *y, int64_t *budget)
{
	struct run r = first_run(x), other = first_run(y);
	size_t top, meets;

	do {
		if (r.from == r.to || *budget <= 0)
			continue;
		top = slide_up_and_down(x, &r, y, &other, &meets, budget);
		if (r.to == top || meets == SIZE_MAX)
			continue;
		/* Move back up to the run of the other text, which exists if meets is set. */
		while (other.from == other.to && slide_up(x, &r))
			previous_run(y, &other);
	} while (next_run(x, &r) && next_run(y, &other));
}
