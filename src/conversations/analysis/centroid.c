/* Names of terms, and the arithmetic of centroids: whole numbers, so that adding and taking away leave nothing behind. */
#include <math.h>
#include <string.h>

#include "base/sort.h"
#include "conversations/cluster.h"

/* LENGTH: of a normalised vector. Large enough that rounding to whole numbers is below a per cent of it. */
enum { LENGTH = 256, SMALL = 8 /* a cluster whose mean length is computed anew each time */ };

/* FNV-1a, without a key, since it is kept. */
uint64_t
text_id(struct str s)
{
	uint64_t h = 0xCBF29CE484222325u;
	size_t i;

	for (i = 0; i < s.n; i++)
		h = (h ^ (unsigned char)s.p[i]) * 0x100000001B3u;
	return h >> 1;   /* fits a signed column */
}

void
terms_normalise(struct terms *t)
{
	double square = 0;
	size_t i;

	for (i = 0; i < t->n; i++)
		square += (double)t->at[i].weight * t->at[i].weight;
	for (i = 0; i < t->n; i++) {
		t->at[i].weight = (int32_t)lround(t->at[i].weight * LENGTH / sqrt(square));
		/* A term that is there keeps a weight: with 0 its sum could not be taken away again. */
		if (t->at[i].weight < 1)
			t->at[i].weight = 1;
	}
}

/* Equal sums go by id, so that every machine keeps the same terms. */
static int
larger_first(const void *x, const void *y)
{
	const struct centroid_term *a = x, *b = y;

	if (a->sum != b->sum)
		return a->sum < b->sum ? 1 : -1;
	return a->id < b->id ? -1 : a->id > b->id;
}

static int
by_id(const void *x, const void *y)
{
	const struct centroid_term *a = x, *b = y;

	return a->id < b->id ? -1 : a->id > b->id;
}

/* Keeps the largest sums of what was merged, which is in the order of ids. */
static void
keep_largest(struct cluster *c, struct centroid_term *merged, size_t n)
{
	if (n > CENTROID_TERMS) {
		sort_list(merged, n, sizeof(*merged), larger_first);
		n = CENTROID_TERMS;
		sort_list(merged, n, sizeof(*merged), by_id);
	}
	memcpy(c->at, merged, n * sizeof(*merged));
	c->terms = n;
	c->sums_square = 0;
}

/* Adds a list in the order of ids to the centroid. */
static void
add_terms(struct cluster *c, const struct centroid_term *at, size_t count)
{
	/* Enough: an issue has TERMS_MAX terms, another cluster CENTROID_TERMS. */
	struct centroid_term merged[CENTROID_TERMS * 2];
	size_t i = 0, k = 0, n = 0;

	while (i < c->terms || k < count) {
		struct centroid_term m = { 0 };
		uint64_t id = i == c->terms || (k < count && at[k].id < c->at[i].id) ? at[k].id : c->at[i].id;
		if (i < c->terms && c->at[i].id == id)
			m = c->at[i++];
		m.id = id;
		if (k < count && at[k].id == id) {
			m.sum += at[k].sum;
			m.squares += at[k++].squares;
		}
		/*
		 * A term that was cut off by keep_largest() may be taken away nevertheless: what falls
		 * to zero or below is gone.
		 */
		if (m.sum > 0 && m.squares > 0)
			merged[n++] = m;
	}
	keep_largest(c, merged, n);
}

void
centroid_add(struct cluster *c, const struct terms *t, int sign)
{
	struct centroid_term at[TERMS_MAX];
	size_t i;

	for (i = 0; i < t->n && i < TERMS_MAX; i++)
		at[i] = (struct centroid_term){ t->at[i].id, sign * (int64_t)t->at[i].weight,
			sign * (int64_t)t->at[i].weight * t->at[i].weight };
	add_terms(c, at, i);
	c->n += sign;
	/* One of many members changes their mean by little. */
	if (c->n <= SMALL)
		c->square = 0;
}

void
centroid_join(struct cluster *c, const struct cluster *other)
{
	add_terms(c, other->at, other->terms);
	/*
	 * The mean of two unions is the weighted mean; where one of them is not known, it is
	 * computed when it is asked for.
	 */
	c->square = c->square > 0 && other->square > 0 ?
	    (c->square * (double)c->n + other->square * (double)other->n) / (double)(c->n + other->n) : 0;
	c->n += other->n;
}
