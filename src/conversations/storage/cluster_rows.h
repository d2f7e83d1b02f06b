/*
 * Inside the room conversations: struct cluster_store in the database, for one organization. A
 * store lives for one write transaction. What it reads stays in memory; store_flush() writes what
 * it has changed, also before clusters are looked up by terms.
 */
#ifndef OCTAVO_CONVERSATIONS_STORE_H
#define OCTAVO_CONVERSATIONS_STORE_H

#include "base/str.h"
#include "conversations/cluster.h"
#include "db/db.h"

enum { POSTINGS = 24 };   /* terms by which a cluster is found */

/* A cluster in the cache of the transaction. */
struct cached {
	struct cluster c;
	int64_t        conversations, checked, face;  /* face: number of the representative issue; 0: none */
	bool           dirty, stale;      /* dirty: must be written; stale: its representative must be chosen again */
	bool           gone;
	struct cached *next;              /* in its bucket */
	struct cached *next_dirty;
};

struct store {
	struct db    *db;
	struct arena *a;
	const char   *org;
	int64_t       now;
	int64_t       issues, clock, clusters;   /* columns of conversation_state; store_flush() writes them */
	/* Hash table by number. A batch uses some hundreds of clusters. */
	struct cached *buckets[1024];
	struct cached *dirty;
	struct frequencies *df;           /* lives longer than the transaction */
};

/*
 * In a write transaction, or in a read transaction for store_corpus() alone. df: from
 * frequencies_new() for this organization, or NULL.
 */
void store_open(struct store *s, struct db *db, struct arena *a, const char *org, struct frequencies *df);
struct cluster_store store_view(struct store *s);
/* Frequencies of terms for an analyst; valid while the store is open. */
struct corpus store_corpus(struct store *s);
void store_flush(struct store *s);

/* Number of issues that have a term. The table lives in the arena, for several transactions. */
struct frequencies *frequencies_new(struct arena *a);
int64_t frequencies_at(struct store *s, uint64_t term);
/* Adds the terms of a new issue (sign 1) or subtracts those of one that is removed (-1). */
void    frequencies_count(struct store *s, const struct terms *t, int sign);
void    frequencies_write(struct store *s);

/*
 * Stores a new issue without a cluster, counts its terms, and returns its number. created_at: of
 * the conversation.
 */
struct issue_in {
	int64_t             conversation, created_at;
	struct str          title, summary;
	const char         *language;
	int                 clear;
	const struct terms *terms;            /* normalised */
};
int64_t store_add(struct store *s, const struct issue_in *in);
/* Replaces the text of an issue; the caller places it again. */
void store_change(struct store *s, int64_t issue, const struct issue_in *in);
/* Removes an issue, and its cluster if that has no other issue. */
void store_remove(struct store *s, int64_t issue);

/*
 * Computes all counts and sums of a cluster from its issues; deletes a cluster without issues.
 * scratch is reset.
 */
void store_recount(struct store *s, int64_t cluster, struct arena *scratch);

/* Chooses the representative issue (column face) of each cluster that has changed. */
void store_choose_representatives(struct store *s);

/* pack_terms.c: terms and centroids as bytes, little-endian on every machine. */
struct str   pack_terms(struct arena *a, const struct terms *t);
struct terms unpack_terms(struct arena *a, struct str bytes);
struct str   pack_centroid(struct arena *a, const struct cluster *c);
void         unpack_centroid(struct cluster *c, struct str bytes);

#endif
