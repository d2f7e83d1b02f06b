/*
 * The alignment: E. W. Myers, An O(ND) Difference Algorithm and Its Variations (1986), the
 * linear-space refinement of section 4b.
 *
 * A path through the grid of x and y goes right (an item of x is deleted), down (an item of y is
 * inserted) or along a diagonal (both are equal). Two waves start from opposite corners of a box;
 * each round lets them reach as far on each diagonal as one more change allows. They meet at the
 * middle of a shortest path; the boxes before and after that point are searched in the same way.
 *
 * Ties are broken as in the paper, and diagonals are visited from the highest down: other
 * choices give as few changes, but at other places.
 */
#include "text/diff.h"

enum { ROUNDS_MIN = 256 };  /* rounds that always run, as in git */

/* Furthest points on the diagonals lo, lo + 2, .. hi; on diagonal d, x - y = d. */
struct wave {
	int32_t *v;
	int32_t  lo, hi;
};

struct box {
	int32_t x0, x1, y0, y1;
};

struct point {
	int32_t x, y;
};

struct search {
	struct diff_kept *x, *y;
	int32_t          *forward, *backward;  /* indexed by diagonal */
	int32_t           rounds;              /* limit, after which a box is cut at the best point found */
	int64_t          *budget;
};

/*
 * Add one diagonal on each side, or remove one where the box ends. Entries outside are set to
 * `edge`.
 */
static void
widen_wave(struct wave *w, const struct box *b, int32_t edge)
{
	/*
	 * Only diagonals of the box are visited. No maximum (or minimum) picks the entry `edge`
	 * outside them.
	 */
	if (w->lo > b->x0 - b->y1)
		w->v[--w->lo - 1] = edge;
	else
		w->lo++;
	if (w->hi < b->x1 - b->y0)
		w->v[++w->hi + 1] = edge;
	else
		w->hi--;
}

static bool
wave_covers(const struct wave *w, int32_t d)
{
	return w->lo <= d && d <= w->hi;
}

/* One round of the wave from the upper left; true if it meets the other wave. */
static bool
step_forward(struct search *s, const struct box *b, struct wave *w, const struct wave *other,
    bool meets, struct point *p)
{
	int32_t d, x, y, from;

	widen_wave(w, b, -1);
	for (d = w->hi; d >= w->lo; d -= 2) {
		/* Extend the neighbour that is further: right from d - 1, or down from d + 1. */
		x = w->v[d - 1] >= w->v[d + 1] ? w->v[d - 1] + 1 : w->v[d + 1];
		from = x;
		/* Follow the diagonal (a "snake" in the paper): equal items cost nothing. */
		for (y = x - d; x < b->x1 && y < b->y1 && s->x->id[x] == s->y->id[y]; y++)
			x++;
		/* Count comparisons, which bounds the time for any texts. */
		*s->budget -= x - from + 1;
		w->v[d] = x;
		/*
		 * The waves meet here only if this one completes the path: the forward one if the
		 * difference of lengths is odd (section 4b).
		 */
		if (meets && wave_covers(other, d) && other->v[d] <= x) {
			*p = (struct point){ x, x - d };
			return true;
		}
	}
	return false;
}

/* step_forward(), from the lower right. */
static bool
step_backward(struct search *s, const struct box *b, struct wave *w, const struct wave *other,
    bool meets, struct point *p)
{
	int32_t d, x, y, from;

	widen_wave(w, b, INT32_MAX);
	for (d = w->hi; d >= w->lo; d -= 2) {
		x = w->v[d - 1] < w->v[d + 1] ? w->v[d - 1] : w->v[d + 1] - 1;
		from = x;
		for (y = x - d; x > b->x0 && y > b->y0 && s->x->id[x - 1] == s->y->id[y - 1]; y--)
			x--;
		*s->budget -= from - x + 1;
		w->v[d] = x;
		if (meets && wave_covers(other, d) && x <= other->v[d]) {
			*p = (struct point){ x, x - d };
			return true;
		}
	}
	return false;
}

/* The point of the forward wave that is furthest from its corner (largest x + y). */
static struct point
furthest_point(const struct box *b, const struct wave *w)
{
	struct point best = { b->x0, b->y0 };
	int32_t d, x, y;

	for (d = w->hi; d >= w->lo; d -= 2) {
		x = w->v[d] < b->x1 ? w->v[d] : b->x1;
		y = x - d;
		/* The wave may have left the box on this diagonal: use its last point inside. */
		if (y > b->y1) {
			y = b->y1;
			x = y + d;
		}
		if ((int64_t)x + y > (int64_t)best.x + best.y)
			best = (struct point){ x, y };
	}
	return best;
}

static struct point
furthest_point_backward(const struct box *b, const struct wave *w)
{
	struct point best = { b->x1, b->y1 };
	int32_t d, x, y;

	for (d = w->hi; d >= w->lo; d -= 2) {
		x = w->v[d] > b->x0 ? w->v[d] : b->x0;
		y = x - d;
		if (y < b->y0) {
			y = b->y0;
			x = y + d;
		}
		if ((int64_t)x + y < (int64_t)best.x + best.y)
			best = (struct point){ x, y };
	}
	return best;
}

/*
 * If the waves did not meet within the limit of rounds: the furthest point of the wave that got
 * further.
 */
static struct point
best_point_so_far(const struct box *b, const struct wave *f, const struct wave *r)
{
	struct point near = furthest_point(b, f), far = furthest_point_backward(b, r);
	int64_t ahead = (int64_t)near.x + near.y - b->x0 - b->y0;
	int64_t behind = (int64_t)b->x1 + b->y1 - far.x - far.y;

	return behind < ahead ? near : far;
}

/*
 * Find a point that divides the box, whose corners contain no equal items; false if the budget is
 * used up.
 */
static bool
find_middle(struct search *s, const struct box *b, struct point *p)
{
	int32_t first = b->x0 - b->y0, last = b->x1 - b->y1, round;
	/*
	 * All boxes share the arrays: only entries lo - 1 to hi + 1, which widen_wave() sets, are
	 * read.
	 */
	struct wave f = { s->forward, first, first }, r = { s->backward, last, last };
	bool odd = ((first - last) & 1) != 0;

	f.v[first] = b->x0;
	r.v[last] = b->x1;
	for (round = 1; *s->budget > 0; round++) {
		if (step_forward(s, b, &f, &r, odd, p) || step_backward(s, b, &r, &f, !odd, p))
			return true;
		/*
		 * As in git, accept a nearly best point after so many rounds: that avoids quadratic
		 * time.
		 */
		if (round >= s->rounds) {
			*p = best_point_so_far(b, &f, &r);
			return true;
		}
	}
	return false;
}

/* Shortens the box by the lines that its sides have in common at the beginning and at the end. */
static void
shrink_box(struct search *s, struct box *b)
{
	while (b->x0 < b->x1 && b->y0 < b->y1 && s->x->id[b->x0] == s->y->id[b->y0]) {
		b->x0++;
		b->y0++;
	}
	while (b->x0 < b->x1 && b->y0 < b->y1 && s->x->id[b->x1 - 1] == s->y->id[b->y1 - 1]) {
		b->x1--;
		b->y1--;
	}
}

static void
mark_changed(struct search *s, const struct box *b)
{
	for (int32_t i = b->x0; i < b->x1; i++)
		s->x->changed[s->x->at[i]] = true;
	for (int32_t i = b->y0; i < b->y1; i++)
		s->y->changed[s->y->at[i]] = true;
}

static int64_t
box_extent(const struct box *b)
{
	return (int64_t)b->x1 - b->x0 + b->y1 - b->y0;
}

/*
 * Recurses into the smaller half and loops over the larger one, so that the depth is logarithmic.
 */
static void
compare_box(struct search *s, struct box b)
{
	struct box before, after;
	struct point p;

	for (;;) {
		shrink_box(s, &b);
		/*
		 * If one side is empty, all of the other is changed; if the budget is used up, all
		 * that remains is.
		 */
		if (b.x0 == b.x1 || b.y0 == b.y1 || !find_middle(s, &b, &p)) {
			mark_changed(s, &b);
			return;
		}
		before = (struct box){ b.x0, p.x, b.y0, p.y };
		after = (struct box){ p.x, b.x1, p.y, b.y1 };
		if (box_extent(&before) < box_extent(&after)) {
			compare_box(s, before);
			b = after;
		} else {
			compare_box(s, after);
			b = before;
		}
	}
}

void
diff_myers(struct arena *scratch, struct diff_kept *x, struct diff_kept *y, int64_t *budget)
{
	size_t diagonals = x->n + y->n + 3, rounds = diff_root(diagonals);
	struct search s = { .x = x, .y = y, .budget = budget };
	struct box all = { 0, (int32_t)x->n, 0, (int32_t)y->n };

	if (diagonals > INT32_MAX / 2) {
		/*
		 * This happens only with texts of gigabytes, which stored bodies never reach:
		 * everything counts as changed.
		 */
		mark_changed(&s, &all);
		return;
	}
	s.rounds = rounds < ROUNDS_MIN ? ROUNDS_MIN : (int32_t)rounds;
	/*
	 * Diagonals range from -yn - 1 to xn + 1: shift the pointers, so that negative indexes are
	 * valid.
	 */
	s.forward = (int32_t *)arena_array(scratch, diagonals, sizeof(int32_t)) + y->n + 1;
	s.backward = (int32_t *)arena_array(scratch, diagonals, sizeof(int32_t)) + y->n + 1;
	compare_box(&s, all);
}
