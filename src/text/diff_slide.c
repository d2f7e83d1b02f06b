/*
 * Where a change lies is often a matter of choice: of two equal paragraphs in
 * a row either may be the new one. Two sides of a merge must choose alike, or
 * the same edit looks like two. So every run of changed items moves up as far
 * as equal items allow (uniting with runs that it meets), then down as far as
 * it can; and if on its way it passed a run of the other text, it goes back to
 * the last one, so that a replacement shows as such.
 */
#include "text/diff.h"

/* A run of changed items, maybe empty, and the items right around it unchanged. */
struct run {
	size_t from, to;
};

/* The run before the first unchanged item, empty in most texts. */
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
run_next(const struct diff_seq *s, struct run *r)
{
	if (r->to == s->n)
		return false;
	r->from = ++r->to;
	while (s->changed[r->to])
		r->to++;
	return true;
}

/*
 * The run before. There is one: x and y have equally many runs, empty ones included, and each
 * move in x is followed in y.
 */
static void
run_previous(const struct diff_seq *s, struct run *r)
{
	r->to = --r->from;
	while (s->changed[(ptrdiff_t)r->from - 1])
		r->from--;
}

/*
 * Moves the run up by one item, and unites it with a run that it then touches. False: the item
 * above is not the run's last, so the text would differ.
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

/* The same downwards. The item below has to equal the run's first. */
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
 * Up and down until the run grows no more; *meets is its end where it last
 * passed a run of the other text, and SIZE_MAX if it did not. Returns the end
 * that it had at the top.
 */
static size_t
to_bottom(struct diff_seq *x, struct run *r, const struct diff_seq *y, struct run *other,
    size_t *meets, int64_t *budget)
{
	size_t size, top;

	do {
		size = r->to - r->from;
		*meets = SIZE_MAX;
		for (; slide_up(x, r); --*budget)
			run_previous(y, other);
		top = r->to;
		if (other->to > other->from)
			*meets = r->to;
		for (; slide_down(x, r); --*budget) {
			run_next(y, other);
			if (other->to > other->from)
				*meets = r->to;
		}
	/* A run that united with another is longer, and can perhaps move further up than before. */
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
		top = to_bottom(x, &r, y, &other, &meets, budget);
		if (r.to == top || meets == SIZE_MAX)
			continue;
		/* Back up to where the other text has a run, which `meets` says exists. */
		while (other.from == other.to && slide_up(x, &r))
			run_previous(y, &other);
	} while (run_next(x, &r) && run_next(y, &other));
}
