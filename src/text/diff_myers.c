/*
 * The alignment itself: E. W. Myers, An O(ND) Difference Algorithm and Its
 * Variations (1986), the linear-space refinement of section 4b.
 *
 * A path through the grid of x and y goes right (an item of x is gone), down
 * (an item of y is new) or along a diagonal (both are equal). Two waves, one
 * from each corner of a box, reach on each diagonal as far as they can with
 * one more change a round. Where they meet lies the middle of a shortest path;
 * the boxes before and after it are searched in the same way.
 *
 * Ties are broken as in the paper, and diagonals are visited from the highest
 * down: with other choices the changes are as few, but lie elsewhere.
 */
#include "text/diff.h"

enum { ROUNDS_MIN = 256 };  /* fewer than this are always made, as in git */

/* Furthest points on the diagonals lo, lo + 2, .. hi; diagonal d holds x - y = d. */
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
	int32_t           rounds;              /* after which a box is cut at the best point so far */
	int64_t          *budget;
};

/* One diagonal more on each side, or one less where the box ends; beyond lies `edge`. */
static void
widen_wave(struct wave *w, const struct box *b, int32_t edge)
{
	/*
	 * Diagonals of the box alone are visited. The entry beyond an end is `edge`, which no
	 * maximum (or minimum) chooses.
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

/* A round of the wave from the upper left; true where it meets the other. */
static bool
step_forward(struct search *s, const struct box *b, struct wave *w, const struct wave *other,
    bool meets, struct point *p)
{
	int32_t d, x, y, from;

	widen_wave(w, b, -1);
	for (d = w->hi; d >= w->lo; d -= 2) {
		/* From the neighbour that got further: right from d - 1, or down from d + 1. */
		x = w->v[d - 1] >= w->v[d + 1] ? w->v[d - 1] + 1 : w->v[d + 1];
		from = x;
		/* A snake in the paper's words: equal items cost nothing. */
		for (y = x - d; x < b->x1 && y < b->y1 && s->x->id[x] == s->y->id[y]; y++)
			x++;
		/* Counts comparisons, so that the time is bounded whatever the texts hold. */
		*s->budget -= x - from + 1;
		w->v[d] = x;
		/*
		 * The waves can meet here only if this one is the one to complete the path: for
		 * an odd difference of lengths the forward one (section 4b).
		 */
		if (meets && wave_covers(other, d) && other->v[d] <= x) {
			*p = (struct point){ x, x - d };
			return true;
		}
	}
	return false;
}

/* The same from the lower right. */
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

/* The point of the forward wave that has most behind it. */
static struct point
furthest_point(const struct box *b, const struct wave *w)
{
	struct point best = { b->x0, b->y0 };
	int32_t d, x, y;

	for (d = w->hi; d >= w->lo; d -= 2) {
		x = w->v[d] < b->x1 ? w->v[d] : b->x1;
		y = x - d;
		/* The wave can stand outside the box on this diagonal: its last point inside counts. */
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
furthest_back(const struct box *b, const struct wave *w)
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

/* Where neither wave met the other in time: the point of the one that got further. */
static struct point
give_up(const struct box *b, const struct wave *f, const struct wave *r)
{
	struct point near = furthest_point(b, f), far = furthest_back(b, r);
	int64_t ahead = (int64_t)near.x + near.y - b->x0 - b->y0;
	int64_t behind = (int64_t)b->x1 + b->y1 - far.x - far.y;

	return behind < ahead ? near : far;
}

/* A point at which to divide the box, whose corners hold no equal items. False: no budget left. */
static bool
find_middle(struct search *s, const struct box *b, struct point *p)
{
	int32_t first = b->x0 - b->y0, last = b->x1 - b->y1, round;
	/*
	 * Both waves share their arrays with all boxes: only entries between lo - 1 and hi + 1
	 * are read, which widen_wave() has set.
	 */
	struct wave f = { s->forward, first, first }, r = { s->backward, last, last };
	bool odd = ((first - last) & 1) != 0;

	f.v[first] = b->x0;
	r.v[last] = b->x1;
	for (round = 1; *s->budget > 0; round++) {
		if (step_forward(s, b, &f, &r, odd, p) || step_backward(s, b, &r, &f, !odd, p))
			return true;
		/*
		 * As in git: after so many rounds a near best point is taken instead of the
		 * best, which keeps the worst case from being quadratic.
		 */
		if (round >= s->rounds) {
			*p = give_up(b, &f, &r);
			return true;
		}
	}
	return false;
}

/* Leaves out what the box's sides share at their ends. */
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

/* Recurs into the smaller half and goes on with the larger, so that the depth is logarithmic. */
static void
compare_box(struct search *s, struct box b)
{
	struct box before, after;
	struct point p;

	for (;;) {
		shrink_box(s, &b);
		/*
		 * One side is empty, so all of the other is changed; or the budget is used up,
		 * and all that is left counts as changed.
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
		/* Texts of gigabytes: bodies are bounded far below, so replacing all is good enough. */
		mark_changed(&s, &all);
		return;
	}
	s.rounds = rounds < ROUNDS_MIN ? ROUNDS_MIN : (int32_t)rounds;
	/*
	 * Diagonals go from -yn - 1 to xn + 1: the pointers are moved so that negative indexes
	 * are in the array.
	 */
	s.forward = (int32_t *)arena_array(scratch, diagonals, sizeof(int32_t)) + y->n + 1;
	s.backward = (int32_t *)arena_array(scratch, diagonals, sizeof(int32_t)) + y->n + 1;
	compare_box(&s, all);
}
