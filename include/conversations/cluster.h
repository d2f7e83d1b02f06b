/*
 * Groups issues of one meaning into clusters, one issue at a time.
 *
 * The likeness of two issues is the cosine of their terms, each weighted by how rare it is among all
 * issues. The likeness of an issue and a cluster, or of two clusters, is the mean over all pairs of
 * their members. That mean is computed from the sums of each term that a cluster stores (its
 * centroid), without reading its members.
 *
 * An issue joins the cluster with the highest likeness, if that is above `join`. If there is none,
 * it joins the cluster whose centroid has the highest cosine with it, if that is above `near` and
 * the cluster has several members: an issue may be a little like each of many members. Otherwise it
 * gets a cluster of its own. Two clusters are merged if their likeness is above `merge`. A cluster
 * is split if a sample of its members falls into groups that are less than `split` alike. These are
 * the rules of average-linkage clustering, whose result depends on the set of issues alone, applied
 * step by step. A decision that was made with few issues may be wrong once there are more. So with
 * each new issue a few others are placed again (reviewed), those first that were placed longest
 * ago. Therefore the order in which issues arrive hardly affects the result.
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
	CLUSTERS_BY_TERM    = 24,   /* maximum number of clusters that are found by one term */
	SAMPLE_MAX     = 48    /* members that are compared for a split */
};

struct centroid_term {
	uint64_t id;
	int64_t  sum;          /* sum of the members' weights */
	int64_t  squares;      /* sum of the squares of these weights */
};

struct cluster {
	int64_t              id;
	int64_t              n;       /* number of members */
	size_t               terms;
	double               square;  /* mean square of the members' lengths, kept by cluster.c; 0: to be computed */
	double               sums_square; /* square of the length of the sums; 0: to be computed; not stored */
	struct centroid_term at[CENTROID_TERMS];   /* in the order of ids */
};

/* Adds an issue to a centroid, or removes it (sign 1 or -1): its terms and the number of members. */
void centroid_add(struct cluster *c, const struct terms *t, int sign);

/* Adds all members of another cluster: its sums and their number. */
void centroid_join(struct cluster *c, const struct cluster *other);

/* Scales the weights so that all issues have vectors of the same length; these weights are stored and summed. */
void terms_normalise(struct terms *t);

/* Access to stored issues and clusters; ctx is passed to each function. No function fails. */
struct cluster_store {
	void *ctx;
	/* Number of all issues, and of issues that have a term. */
	int64_t (*issues)(void *ctx);
	int64_t (*frequency)(void *ctx, uint64_t term);
	/*
	 * Writes the clusters with the largest sums of a term, largest first, then by id. Returns
	 * their number, at most max.
	 */
	size_t  (*clusters_of_term)(void *ctx, uint64_t term, int64_t *clusters, size_t max);
	/* A cluster; valid until the next move(). */
	struct cluster *(*cluster)(void *ctx, int64_t id);
	/* An issue's terms, normalised, in the arena. *cluster: the cluster that it is in; 0: none. */
	struct terms (*issue)(void *ctx, struct arena *a, int64_t id, int64_t *cluster);
	/* A sample of a cluster's members, spread evenly. Returns their number, at most max. */
	size_t  (*members)(void *ctx, int64_t cluster, int64_t *issues, size_t max);
	/*
	 * Moves an issue into a cluster (0: a new one), updates the counts of both, and deletes a
	 * cluster that has no members left. Returns the cluster.
	 */
	int64_t (*move)(void *ctx, int64_t issue, int64_t cluster);
	/* Merges two clusters; returns the id of the one that remains. */
	int64_t (*merge)(void *ctx, int64_t one, int64_t other);
	/* The issue whose last review is the longest ago; marks it as reviewed now. 0: there are no issues. */
	int64_t (*next_to_review)(void *ctx);
	/* True if the cluster has to be checked for a split: it has grown by half since this was last true. */
	bool    (*needs_check)(void *ctx, int64_t cluster);
};

/* Thresholds of likeness, from 0 to 1, and how many issues are placed again. */
struct cluster_rules {
	double join, near, merge, split;
	int    review;         /* number of issues that are placed again for each new one */
	double many_issues;    /* if there are more issues than this, */
	int    review_many;    /* this number instead, because most clusters are stable then */
};
extern const struct cluster_rules cluster_rules;

/* Chooses the cluster of a new issue, which is stored already, and reviews some others. */
void cluster_place(const struct cluster_store *s, const struct cluster_rules *r, struct arena *a, int64_t issue);

/*
 * Likeness of an issue and its cluster, which includes the issue itself. The issue with the highest
 * value represents the cluster.
 */
double cluster_likeness(const struct cluster_store *s, struct arena *a, int64_t issue);

/* Places `count` issues again; also called after an issue was deleted. */
void cluster_review(const struct cluster_store *s, const struct cluster_rules *r, struct arena *a, int count);

#endif
