/* A cluster_store in memory, for the tests and the measuring program: simple, not fast. */
#ifndef OCTAVO_MEMORY_STORE_H
#define OCTAVO_MEMORY_STORE_H

#include <stdlib.h>
#include <string.h>

#include "conversations/cluster.h"

enum { MEM_MAX = 16384, MEM_TERMS = 1 << 16 };

struct memory {
	struct arena  *arena;
	struct terms   terms[MEM_MAX];
	int64_t        cluster[MEM_MAX], seen[MEM_MAX];
	struct cluster clusters[MEM_MAX * 4];
	int64_t        checked[MEM_MAX * 4];
	int64_t        issues, made, clock;
	struct { uint64_t id; int64_t n; } df[MEM_TERMS];
};

static int64_t *
mem_df(struct memory *m, uint64_t term)
{
	size_t i = (term * 0x9E3779B97F4A7C15u) >> 48;

	while (m->df[i].id != 0 && m->df[i].id != term)
		i = (i + 1) % MEM_TERMS;
	m->df[i].id = term;
	return &m->df[i].n;
}

static int64_t
mem_issues(void *ctx)
{
	return ((struct memory *)ctx)->issues;
}

static int64_t
mem_frequency(void *ctx, uint64_t term)
{
	return *mem_df(ctx, term);
}

static int64_t
mem_sum(const struct cluster *c, uint64_t term)
{
	size_t i;

	for (i = 0; i < c->terms; i++)
		if (c->at[i].id == term)
			return c->at[i].sum;
	return 0;
}

static size_t
mem_holding(void *ctx, uint64_t term, int64_t *out, size_t max)
{
	struct memory *m = ctx;
	int64_t sums[CLUSTERS_BY_TERM], sum, i;
	size_t n = 0, k;

	for (i = 1; i <= m->made; i++) {
		if (m->clusters[i].n == 0 || (sum = mem_sum(&m->clusters[i], term)) == 0)
			continue;
		for (k = n; k > 0 && sums[k - 1] < sum; k--)
			if (k < max) {
				sums[k] = sums[k - 1];
				out[k] = out[k - 1];
			}
		if (k < max) {
			sums[k] = sum;
			out[k] = i;
			n += n < max;
		}
	}
	return n;
}

static struct cluster *
mem_cluster(void *ctx, int64_t id)
{
	return &((struct memory *)ctx)->clusters[id];
}

static struct terms
mem_issue(void *ctx, struct arena *a, int64_t id, int64_t *cluster)
{
	struct memory *m = ctx;

	(void)a;
	*cluster = m->cluster[id];
	return m->terms[id];
}

static size_t
mem_members(void *ctx, int64_t cluster, int64_t *out, size_t max)
{
	struct memory *m = ctx;
	int64_t i, n = 0, all = m->clusters[cluster].n;
	size_t k = 0;

	for (i = 1; i <= m->issues; i++)
		if (m->cluster[i] == cluster && n++ * (int64_t)max / all == (int64_t)k && k < max)
			out[k++] = i;
	return k;
}

static int64_t
mem_move(void *ctx, int64_t issue, int64_t to)
{
	struct memory *m = ctx;
	int64_t from = m->cluster[issue];

	if (from != 0)
		centroid_add(&m->clusters[from], &m->terms[issue], -1);
	if (to == 0) {
		to = ++m->made;
		m->clusters[to].id = to;
	}
	centroid_add(&m->clusters[to], &m->terms[issue], 1);
	m->cluster[issue] = to;
	return to;
}

static int64_t
mem_merge(void *ctx, int64_t one, int64_t other)
{
	struct memory *m = ctx;
	int64_t from = one > other ? one : other, into = one > other ? other : one, i;

	for (i = 1; i <= m->issues; i++)
		if (m->cluster[i] == from)
			mem_move(ctx, i, into);
	return into;
}

static int64_t
mem_oldest(void *ctx)
{
	struct memory *m = ctx;
	int64_t i, best = 0;

	for (i = 1; i <= m->issues; i++)
		if (best == 0 || m->seen[i] < m->seen[best])
			best = i;
	m->seen[best] = ++m->clock;
	return best;
}

static bool
mem_grown(void *ctx, int64_t id)
{
	struct memory *m = ctx;

	if (m->clusters[id].n < 4 || m->clusters[id].n * 2 < m->checked[id] * 3)
		return false;
	m->checked[id] = m->clusters[id].n;
	return true;
}

static struct memory *
mem_new(struct arena *a)
{
	struct memory *m = arena_alloc(a, sizeof(*m));

	m->arena = a;
	return m;
}

static struct cluster_store
mem_store(struct memory *m)
{
	return (struct cluster_store){ m, mem_issues, mem_frequency, mem_holding, mem_cluster, mem_issue, mem_members,
		mem_move, mem_merge, mem_oldest, mem_grown };
}

/* Adds an issue without a cluster; returns its number. */
static int64_t
mem_add(struct memory *m, const struct terms *t)
{
	int64_t id = ++m->issues;
	size_t i;

	m->terms[id].n = t->n;
	m->terms[id].at = arena_array(m->arena, t->n, sizeof(*t->at));
	if (t->n > 0)
		memcpy(m->terms[id].at, t->at, t->n * sizeof(*t->at));
	terms_normalise(&m->terms[id]);
	for (i = 0; i < t->n; i++)
		++*mem_df(m, t->at[i].id);
	m->seen[id] = ++m->clock;
	return id;
}

#endif
