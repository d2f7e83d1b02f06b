/*
 * Issues of one meaning together, one issue at a time.
 *
 * Likeness of two issues: the cosine of their terms, each weighted by how rare it
 * is among all issues. Likeness of an issue and a cluster, and of two clusters: the
 * mean over all pairs of their members. That mean is computed from sums that a
 * cluster keeps for each of its terms (its centroid), without its members.
 *
 * An issue joins the cluster that it is most like, if their likeness is above `join`; otherwise it
 * gets a cluster of its own. Two clusters whose likeness is above `merge` become one. A cluster is
 * split if a sample of its members falls into groups that are less than `split` alike. These are
 * the rules of average-linkage clustering, whose result depends on the set of issues alone,
 * applied step by step. A decision that was made with few issues may be wrong once there are more,
 * so with each new issue a few others are placed again, those first that were placed longest ago.
 * So the order of arrival hardly matters.
 *
 * The cost of a step does not depend on the number of issues: each step reads a bounded number of
 * terms, clusters and members.
 */
#ifndef OCTAVO_CLUSTER_H
#define OCTAVO_CLUSTER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "conversations/analysis.h"

enum {
	CENTROID_TERMS = 96,   /* of a cluster: those with the largest sums */
	HOLDING_MAX    = 24,   /* clusters that are looked up by a term */
	SAMPLE_MAX     = 48    /* members that a split looks at */
};

struct centroid_term {
	uint64_t id;
	int64_t  sum;          /* of the members' weights */
	int64_t  squares;      /* of their squares */
};

struct cluster {
	int64_t              id;
	int64_t              n;       /* members */
	size_t               terms;
	double               square;  /* mean square of the members' lengths, kept by cluster.c; 0: to be computed */
	struct centroid_term at[CENTROID_TERMS];   /* in the order of ids */
};

/* Adds an issue's terms to a centroid, or takes them away (sign 1 or -1), with its count. */
void centroid_add(struct cluster *c, const struct terms *t, int sign);

/* All of another centroid, with its count. */
void centroid_join(struct cluster *c, const struct cluster *other);

/* Makes an issue's terms as long as any other's: the weights as they are kept and summed. */
void terms_normalise(struct terms *t);

/* Where issues and clusters are kept. No function fails. */
struct cluster_store {
	void *ctx;
	/* Issues altogether, and those with a term. */
	int64_t (*issues)(void *ctx);
	int64_t (*frequency)(void *ctx, uint64_t term);
	/* Clusters whose sums of a term are the largest, the largest first, and by id; how many, max at most. */
	size_t  (*holding)(void *ctx, uint64_t term, int64_t *clusters, size_t max);
	/* A cluster; valid until the next move(). */
	struct cluster *(*cluster)(void *ctx, int64_t id);
	/* An issue's terms, normalised, in the arena; its cluster, 0: none. */
	struct terms (*issue)(void *ctx, struct arena *a, int64_t id, int64_t *cluster);
	/* Members of a cluster, spread over all of them; how many, max at most. */
	size_t  (*members)(void *ctx, int64_t cluster, int64_t *issues, size_t max);
	/* Puts an issue into a cluster, 0: a new one, with all that is counted; a cluster without members vanishes. */
	int64_t (*move)(void *ctx, int64_t issue, int64_t cluster);
	/* Makes one of two clusters; which of both is left. */
	int64_t (*merge)(void *ctx, int64_t one, int64_t other);
	/* The issue that was looked at longest ago, of which that is now; 0: there is none. */
	int64_t (*oldest)(void *ctx);
	/* Has the cluster grown by half since this was last true of it? */
	bool    (*grown)(void *ctx, int64_t cluster);
};

/* Likeness that decides, 0..1. */
struct cluster_rules {
	double join, merge, split;
	int    review;         /* issues placed anew for one that comes, */
	double many_issues;        /* and once there are this many, */
	int    review_many; /* so few: most clusters stay as they are */
};
extern const struct cluster_rules cluster_rules;

/* Puts a new issue, which the store has already, into its cluster, and reviews some others. */
void cluster_place(const struct cluster_store *s, const struct cluster_rules *r, struct arena *a, int64_t issue);

/* How like an issue is to its cluster, itself included: its face is the issue that is most. */
double cluster_likeness(const struct cluster_store *s, struct arena *a, int64_t issue);

/* After an issue has gone: reviews some others. */
void cluster_review(const struct cluster_store *s, const struct cluster_rules *r, struct arena *a, int count);

#endif
