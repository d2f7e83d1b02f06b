/*
 * Groups issues by likeness, one at a time, with the sums that are stored for each cluster. The
 * measure and the rules are in conversations/cluster.h.
 */
#include <math.h>
#include <string.h>

#include "base/sort.h"
#include "conversations/cluster.h"

/*
 * Limits that bound the cost of a step, whatever the number of issues: LOOK_TERMS: terms by which
 * clusters are found; CANDIDATES: clusters that are compared; OWN_TERMS: terms of a cluster that are
 * used to find one to merge with; MERGES: merges for one issue. PRIOR is added to the number of
 * issues, so that the terms of the first issues do not count as rare.
 */
enum { LOOK_TERMS = 8, CANDIDATES = 16, OWN_TERMS = 24, MERGES = 4, PRIOR = 50, NEAR_MEMBERS = 4 };

/* A share of all issues below which terms count as equally rare. */
static const double RAREST = 0.005;

const struct cluster_rules cluster_rules = { .join = 0.34, .near = 0.38, .merge = 0.37, .split = 0.34, .review = 4,
	.many_issues = 2000, .review_many = 1 };

/* Data of one step. */
struct cluster_context {
	const struct cluster_store *s;
	const struct cluster_rules *r;
	struct arena               *a;
	double                      total;    /* issues */
};

/*
 * Weight of a term: the rarer, the higher. It depends on the term's share of all issues and not on
 * their number, so the thresholds apply to hundreds and to millions of issues. A term that no other
 * issue has gets half the weight.
 */
static double
term_value(const struct cluster_context *t, uint64_t term)
{
	double df = (double)t->s->frequency(t->s->ctx, term);
	double v = sqrt(-log(df / (t->total + PRIOR) + RAREST));

	return df < 2 ? v / 2 : v;
}

/* The cosine; 0 if a vector has no length (an issue without terms). */
static double
compute_cosine(double product, double square_a, double square_b)
{
	return square_a <= 0 || square_b <= 0 ? 0 : product / sqrt(square_a * square_b);
}

/*
 * The mean square of the members' lengths. The stored value is used until the cluster is small or
 * has grown by half: single members and changed weights affect it little.
 */
static double
mean_square(const struct cluster_context *t, struct cluster *c)
{
	size_t i;

	if (c->square > 0 || c->n <= 0)
		return c->square;
	for (i = 0; i < c->terms; i++) {
		double v = term_value(t, c->at[i].id);
		c->square += (double)c->at[i].squares * v * v;
	}
	c->square /= (double)c->n;
	return c->square;
}

/*
 * The dot product of an issue's terms and a cluster's sums. values[]: weights of the issue's terms.
 * *square: squared length of the issue.
 */
static double
dot_product(const struct terms *x, const double *values, const struct cluster *c, double *square)
{
	double product = 0;
	size_t i, k = 0;

	*square = 0;
	for (i = 0; i < x->n; i++) {
		double w = x->at[i].weight * values[i];
		*square += w * w;
		/* Both lists are in the order of ids, so one pass is enough. */
		while (k < c->terms && c->at[k].id < x->at[i].id)
			k++;
		if (k < c->terms && c->at[k].id == x->at[i].id)
			product += w * (double)c->at[k].sum * values[i];
	}
	return product;
}

/* The mean cosine of an issue and the members of a cluster. */
static double
issue_likeness(const struct cluster_context *t, const struct terms *x, const double *values, struct cluster *c)
{
	double square, product = dot_product(x, values, c, &square);

	return compute_cosine(product / (double)c->n, square, mean_square(t, c));
}

/*
 * The cosine of an issue and the centroid of a cluster. The more the members differ, the more it
 * exceeds the mean cosine.
 */
static double
centroid_likeness(const struct cluster_context *t, const struct terms *x, const double *values, struct cluster *c)
{
	double square, product = dot_product(x, values, c, &square);
	/* The length is valid until the sums change. */
	bool known = c->sums_square > 0;
	size_t i;

	for (i = 0; !known && i < c->terms; i++) {
		double v = (double)c->at[i].sum * term_value(t, c->at[i].id);
		c->sums_square += v * v;
	}
	return compute_cosine(product, square, c->sums_square);
}

/*
 * The mean cosine over all pairs of members of two clusters. It needs only their sums: the product
 * of two sums is the sum of the products.
 */
static double
pair_likeness(const struct cluster_context *t, struct cluster *c, struct cluster *d)
{
	double product = 0, v;
	size_t i, k = 0;

	for (i = 0; i < c->terms; i++) {
		while (k < d->terms && d->at[k].id < c->at[i].id)
			k++;
		if (k == d->terms || d->at[k].id != c->at[i].id)
			continue;
		v = term_value(t, c->at[i].id);
		product += (double)c->at[i].sum * (double)d->at[k].sum * v * v;
	}
	return compute_cosine(product / (double)c->n / (double)d->n, mean_square(t, c), mean_square(t, d));
}

/* A term with its weight in a search for clusters. */
struct weighted_term {
	uint64_t id;
	double   weight;
};

/*
 * Compares by weight, largest first; equal weights by id: the same input must give the same
 * clusters on every machine.
 */
static int
compare_weights(const void *x, const void *y)
{
	const struct weighted_term *a = x, *b = y;

	if (a->weight != b->weight)
		return a->weight < b->weight ? 1 : -1;
	return a->id < b->id ? -1 : a->id > b->id;
}

struct cluster_hit {
	int64_t cluster;
	double  weight;      /* sum of the weights of the terms that found it */
};

static int
by_cluster(const void *x, const void *y)
{
	const struct cluster_hit *a = x, *b = y;

	return a->cluster < b->cluster ? -1 : a->cluster > b->cluster;
}

static int
compare_hits(const void *x, const void *y)
{
	const struct cluster_hit *a = x, *b = y;

	if (a->weight != b->weight)
		return a->weight < b->weight ? 1 : -1;
	return by_cluster(x, y);
}

/*
 * Finds clusters by the heaviest of n terms, without the cluster `except`. Writes the CANDIDATES
 * clusters that share most weight and returns their number.
 */
static size_t
find_candidates(const struct cluster_context *t, struct weighted_term *terms, size_t n, int64_t except, int64_t *out)
{
	/* About 200 elements, on the stack. */
	struct cluster_hit all[LOOK_TERMS * CLUSTERS_BY_TERM];
	int64_t held[CLUSTERS_BY_TERM];
	size_t count = 0, i, k, found, kept = 0;

	sort_list(terms, n, sizeof(*terms), compare_weights);
	for (i = 0; i < n && i < LOOK_TERMS; i++) {
		found = t->s->clusters_of_term(t->s->ctx, terms[i].id, held, CLUSTERS_BY_TERM);
		for (k = 0; k < found; k++)
			if (held[k] != except)
				all[count++] = (struct cluster_hit){ held[k], terms[i].weight };
	}
	sort_list(all, count, sizeof(*all), by_cluster);
	for (i = 0; i < count; i++)
		/* Several terms found the same cluster: their weights are added. */
		if (kept > 0 && all[kept - 1].cluster == all[i].cluster)
			all[kept - 1].weight += all[i].weight;
		else
			all[kept++] = all[i];
	sort_list(all, kept, sizeof(*all), compare_hits);
	for (i = 0; i < kept && i < CANDIDATES; i++)
		out[i] = all[i].cluster;
	return i;
}

/*
 * An issue, the weights of its terms, and the clusters to compare it with. own: the cluster that
 * the issue is in; 0: none.
 */
struct comparison {
	const struct terms *x;
	double              values[TERMS_MAX];
	int64_t             ids[CANDIDATES + 1], own;
	size_t              n;
};

/*
 * Likeness of the issue and a cluster. near: by the centroid, and 0 for clusters with few members;
 * otherwise the mean cosine.
 */
static double
likeness_to(const struct cluster_context *t, const struct comparison *m, int64_t id, bool near)
{
	struct cluster *c = t->s->cluster(t->s->ctx, id), rest;

	/*
	 * The issue is not compared with itself. A copy, because the store's cluster must not
	 * change.
	 */
	if (id == m->own) {
		rest = *c;
		centroid_add(&rest, m->x, -1);
		c = &rest;
	}
	if (c->n < (near ? NEAR_MEMBERS : 1))
		return 0;
	return near ? centroid_likeness(t, m->x, m->values, c) : issue_likeness(t, m->x, m->values, c);
}

/* The cluster with the highest likeness above `enough`; 0: there is none. */
static int64_t
most_similar_cluster(const struct cluster_context *t, const struct comparison *m, double enough, bool near)
{
	double best = enough, like;
	int64_t found = 0;
	size_t i;

	for (i = 0; i < m->n; i++) {
		like = likeness_to(t, m, m->ids[i], near);
		/*
		 * If two are equally similar, the older one is chosen, so that the order of
		 * candidates does not matter.
		 */
		if (like > best || (like == best && found != 0 && m->ids[i] < found)) {
			best = like;
			found = m->ids[i];
		}
	}
	return found;
}

/* The cluster that an issue should be in; 0: none. own: the cluster that it is in; 0: none. */
static int64_t
choose_cluster(const struct cluster_context *t, const struct terms *x, int64_t own)
{
	struct comparison m = { .x = x, .own = own };
	struct weighted_term weighted_term[TERMS_MAX];
	int64_t found;
	size_t i;

	for (i = 0; i < x->n; i++) {
		m.values[i] = term_value(t, x->at[i].id);
		weighted_term[i] = (struct weighted_term){ x->at[i].id, x->at[i].weight * m.values[i] };
	}
	m.n = find_candidates(t, weighted_term, x->n, own, m.ids);
	if (own != 0)
		m.ids[m.n++] = own;
	found = most_similar_cluster(t, &m, t->r->join, false);
	return found != 0 ? found : most_similar_cluster(t, &m, t->r->near, true);
}

/* The terms with the largest sums, with their weights in the cluster. Returns their number. */
static size_t
heaviest_terms(const struct cluster_context *t, const struct cluster *c, struct weighted_term *out)
{
	size_t n = c->terms < OWN_TERMS ? c->terms : OWN_TERMS, i;

	for (i = 0; i < c->terms; i++)
		out[i] = (struct weighted_term){ c->at[i].id, (double)c->at[i].sum };
	sort_list(out, c->terms, sizeof(*out), compare_weights);
	for (i = 0; i < n; i++)
		out[i].weight *= term_value(t, out[i].id);
	return n;
}

/*
 * Merges a cluster with the most similar one, if they are similar enough, and repeats this, MERGES
 * times at most. Returns the cluster that remains.
 */
static int64_t
merge_similar_clusters(const struct cluster_context *t, int64_t id)
{
	struct weighted_term weighted_term[CENTROID_TERMS];
	const struct cluster_store *s = t->s;
	int64_t ids[CANDIDATES], found;
	struct cluster own;
	double best, like;
	size_t i, n, count;
	int round;

	for (round = 0; round < MERGES; round++) {
		/* A copy, because a cluster of the store is valid only until the next move. */
		own = *s->cluster(s->ctx, id);
		count = heaviest_terms(t, &own, weighted_term);
		n = find_candidates(t, weighted_term, count, id, ids);
		for (best = t->r->merge, found = 0, i = 0; i < n; i++)
			if ((like = pair_likeness(t, &own, s->cluster(s->ctx, ids[i]))) > best) {
				best = like;
				found = ids[i];
			}
		if (found == 0)
			break;
		/*
		 * The merged cluster may be like another one. The number of rounds is small,
		 * because each costs a search.
		 */
		id = s->merge(s->ctx, found, id);
	}
	return id;
}

/* A sample of a cluster's members, for clustering from scratch by average linkage. */
struct sample {
	int64_t        issues[SAMPLE_MAX];
	struct cluster group[SAMPLE_MAX];
	int            of[SAMPLE_MAX];       /* index of the group of each issue */
	size_t         n;
};

/*
 * Joins the two groups that are most alike, until no two are more alike than `enough`. Only the
 * part of like[][] below the diagonal is used. At most SAMPLE_MAX rounds of SAMPLE_MAX squared
 * steps.
 */
static void
join_groups(const struct cluster_context *t, struct sample *m, double enough)
{
	double like[SAMPLE_MAX][SAMPLE_MAX], best;
	size_t i, k, x, y;

	for (i = 0; i < m->n; i++)
		for (k = 0; k < i; k++)
			like[i][k] = pair_likeness(t, &m->group[i], &m->group[k]);
	for (;;) {
		for (best = enough, x = y = i = 0; i < m->n; i++)
			for (k = 0; k < i; k++)
				if (m->group[i].n > 0 && m->group[k].n > 0 && like[i][k] > best) {
					best = like[i][k];
					x = i;
					y = k;
				}
		if (x == y)
			return;
		/* Lance and Williams (1967): the mean likeness to a union is the weighted mean. */
		for (i = 0; i < m->n; i++) {
			double p = i == x || i == y ? 0 : i > x ? like[i][x] : like[x][i];
			double q = i == x || i == y ? 0 : i > y ? like[i][y] : like[y][i];
			double mean = (p * (double)m->group[x].n + q * (double)m->group[y].n) /
			    (double)(m->group[x].n + m->group[y].n);
			if (i > y)
				like[i][y] = mean;
			else if (i < y)
				like[y][i] = mean;
		}
		/*
		 * Only the counts are updated, because from here on likeness comes from like[][]
		 * and not from the sums.
		 */
		m->group[y].n += m->group[x].n;
		m->group[x].n = 0;
		for (i = 0; i < m->n; i++)
			if (m->of[i] == (int)x)
				m->of[i] = (int)y;
	}
}

/*
 * Splits a cluster whose members fall into groups. Members that are not in the sample are placed
 * again later, by reviews.
 */
static void
split_cluster(const struct cluster_context *t, int64_t id)
{
	const struct cluster_store *s = t->s;
	struct sample *m = arena_alloc(t->a, sizeof(*m));
	int64_t made[SAMPLE_MAX] = { 0 }, cluster;
	size_t i, largest = 0;

	m->n = s->members(s->ctx, id, m->issues, SAMPLE_MAX);
	for (i = 0; i < m->n; i++) {
		struct terms x = s->issue(s->ctx, t->a, m->issues[i], &cluster);
		centroid_add(&m->group[i], &x, 1);
		m->of[i] = (int)i;
	}
	join_groups(t, m, t->r->split);
	for (i = 1; i < m->n; i++)
		if (m->group[i].n > m->group[largest].n)
			largest = i;
	for (i = 0; i < m->n; i++) {
		int g = m->of[i];
		if (g == (int)largest)
			continue;
		/*
		 * The first issue of a group creates a cluster (0: a new one), the others follow.
		 * The largest group stays in the old cluster.
		 */
		made[g] = s->move(s->ctx, m->issues[i], made[g]);
	}
}

/*
 * Moves a new or reviewed issue into the cluster that choose_cluster() finds, or into a new one;
 * then merges and splits that cluster.
 */
static void
place_issue(const struct cluster_context *t, int64_t issue)
{
	int64_t before, now;
	struct terms x = t->s->issue(t->s->ctx, t->a, issue, &before);

	now = choose_cluster(t, &x, before);
	/*
	 * An issue that is alone in its cluster stays there, otherwise each review would create a
	 * new cluster.
	 */
	if (now == 0 && before != 0 && t->s->cluster(t->s->ctx, before)->n == 1)
		now = before;
	if (now == 0 || now != before)
		now = merge_similar_clusters(t, t->s->move(t->s->ctx, issue, now));
	if (t->s->needs_check(t->s->ctx, now)) {
		/*
		 * The cluster has grown by half since the last check, so the stored mean is
		 * outdated.
		 */
		t->s->cluster(t->s->ctx, now)->square = 0;
		split_cluster(t, now);
	}
	/* The mean is computed before the cluster is written, so that it is stored. */
	mean_square(t, t->s->cluster(t->s->ctx, now));
}

double
cluster_likeness(const struct cluster_store *s, struct arena *a, int64_t issue)
{
	struct cluster_context t = { s, &cluster_rules, a, (double)s->issues(s->ctx) };
	double values[TERMS_MAX];
	int64_t cluster;
	struct terms x = s->issue(s->ctx, a, issue, &cluster);
	size_t i;

	for (i = 0; i < x.n; i++)
		values[i] = term_value(&t, x.at[i].id);
	return cluster == 0 ? 0 : issue_likeness(&t, &x, values, s->cluster(s->ctx, cluster));
}

void
cluster_review(const struct cluster_store *s, const struct cluster_rules *r, struct arena *a, int count)
{
	struct cluster_context t = { s, r, a, (double)s->issues(s->ctx) };
	int64_t issue;

	/*
	 * next_to_review() marks the issue as reviewed, so each call returns another one, until all
	 * were reviewed.
	 */
	while (count-- > 0 && (issue = s->next_to_review(s->ctx)) != 0)
		place_issue(&t, issue);
}

void
cluster_place(const struct cluster_store *s, const struct cluster_rules *r, struct arena *a, int64_t issue)
{
	struct cluster_context t = { s, r, a, (double)s->issues(s->ctx) };

	place_issue(&t, issue);
	cluster_review(s, r, a, t.total > r->many_issues ? r->review_many : r->review);
}
