/*
 * Terms and centroids as bytes, for columns of the database. A term is 8 bytes of id and 2 of
 * weight. A term of a centroid is 8 bytes of id, 6 of sum and 6 of squares, enough for 2^40 issues.
 * A centroid ends with 8 bytes: the mean square times 1024.
 */
#include <string.h>

#include "cluster_rows.h"

enum { TERM = 10, CENTROID = 20 };

/* Writes the n lowest bytes, lowest first. */
static void
write_bytes(char *p, uint64_t v, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		p[i] = (char)(v >> 8 * i);
}

static uint64_t
read_bytes(const char *p, size_t n)
{
	uint64_t v = 0;

	while (n-- > 0)
		v = v << 8 | (unsigned char)p[n];
	return v;
}

/* In the order of ids, as in struct terms, so unpacking needs no sort. */
struct str
pack_terms(struct arena *a, const struct terms *t)
{
	char *p = arena_alloc(a, t->n * TERM + 1);
	size_t i;

	for (i = 0; i < t->n; i++) {
		write_bytes(p + i * TERM, t->at[i].id, 8);
		write_bytes(p + i * TERM + 8, (uint64_t)t->at[i].weight, 2);
	}
	return (struct str){ p, t->n * TERM };
}

/*
 * An incomplete term at the end and terms beyond TERMS_MAX are ignored, because arrays have that
 * size.
 */
struct terms
unpack_terms(struct arena *a, struct str s)
{
	struct terms t = { .n = s.n / TERM < TERMS_MAX ? s.n / TERM : TERMS_MAX };
	size_t i;

	t.at = arena_array(a, t.n, sizeof(*t.at));
	for (i = 0; i < t.n; i++)
		t.at[i] = (struct term){ read_bytes(s.p + i * TERM, 8), (int32_t)read_bytes(s.p + i * TERM + 8, 2) };
	return t;
}

/* Sums are positive (centroid.c), so no sign is stored. */
struct str
pack_centroid(struct arena *a, const struct cluster *c)
{
	char *p = arena_alloc(a, c->terms * CENTROID + 8);
	size_t i;

	for (i = 0; i < c->terms; i++) {
		write_bytes(p + i * CENTROID, c->at[i].id, 8);
		write_bytes(p + i * CENTROID + 8, (uint64_t)c->at[i].sum, 6);
		write_bytes(p + i * CENTROID + 14, (uint64_t)c->at[i].squares, 6);
	}
	/*
	 * The number is stored as fixed point, so that every machine reads the same value, and
	 * clusters do not depend on the machine.
	 */
	write_bytes(p + c->terms * CENTROID, (uint64_t)(c->square * 1024), 8);
	return (struct str){ p, c->terms * CENTROID + 8 };
}

void
unpack_centroid(struct cluster *c, struct str s)
{
	size_t i;

	c->terms = s.n / CENTROID < CENTROID_TERMS ? s.n / CENTROID : CENTROID_TERMS;
	/*
	 * An empty centroid, as a new row has it, has no mean square: it is computed when it is
	 * needed.
	 */
	c->square = s.n % CENTROID == 8 ? (double)read_bytes(s.p + s.n - 8, 8) / 1024 : 0;
	for (i = 0; i < c->terms; i++)
		c->at[i] = (struct centroid_term){ read_bytes(s.p + i * CENTROID, 8), (int64_t)read_bytes(s.p + i * CENTROID + 8, 6),
			(int64_t)read_bytes(s.p + i * CENTROID + 14, 6) };
}
