/*
 * Hashes of terms, and arithmetic of centroids. It uses integers, so that subtracting an issue
 * restores exactly the sums before it was added.
 */
#include <math.h>
#include <string.h>

#include "base/sort.h"
#include "conversations/cluster.h"

/*
 * LENGTH: of a normalised vector, large enough that rounding to integers is an error of less than a
 * per cent.
 */
enum { LENGTH = 256, SMALL = 8 /* clusters of up to so many members: their mean length is computed again at each change */ };

/* FNV-1a without a key, because ids are stored. */
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
		/* A weight is at least 1, because a term with the weight 0 could not be subtracted again. */
		if (t->at[i].weight < 1)
			t->at[i].weight = 1;
	}
}

/* Compares by sum, largest first; equal sums by id, so that every machine keeps the same terms. */
static int
compare_sums(const void *x, const void *y)
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

/* Stores the largest sums of a merged list, which is in the order of ids. */
static void
keep_largest(struct cluster *c, struct centroid_term *merged, size_t n)
{
	if (n > CENTROID_TERMS) {
		sort_list(merged, n, sizeof(*merged), compare_sums);
		n = CENTROID_TERMS;
		sort_list(merged, n, sizeof(*merged), by_id);
	}
	memcpy(c->at, merged, n * sizeof(*merged));
	c->terms = n;
	c->sums_square = 0;
}

/* Adds a list of terms, in the order of ids, to the centroid. */
static void
add_terms(struct cluster *c, const struct centroid_term *at, size_t count)
{
	/* Large enough: an issue has at most TERMS_MAX terms, another cluster CENTROID_TERMS. */
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
		 * keep_largest() may have dropped a term that is subtracted here, so a sum may fall
		 * to zero or below: the term is removed.
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
	/* In a large cluster one member changes the mean little. */
	if (c->n <= SMALL)
		c->square = 0;
}

void
centroid_join(struct cluster *c, const struct cluster *other)
{
	add_terms(c, other->at, other->terms);
	/*
	 * The mean of a union is the weighted mean. If one of the two is unknown, mean_square()
	 * computes it later.
	 */
	c->square = c->square > 0 && other->square > 0 ?
	    (c->square * (double)c->n + other->square * (double)other->n) / (double)(c->n + other->n) : 0;
	c->n += other->n;
}
