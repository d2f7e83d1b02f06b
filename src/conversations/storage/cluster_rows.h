/*
 * Inside the room conversations: issues and clusters of one organization in the database,
 * as struct cluster_store wants them. A store lives for one write transaction: what
 * it has read stays in memory, what it has changed is written by store_flush(),
 * which also happens before clusters are looked up by their terms.
 */
#ifndef OCTAVO_CONVERSATIONS_STORE_H
#define OCTAVO_CONVERSATIONS_STORE_H

#include "base/str.h"
#include "conversations/cluster.h"
#include "db/db.h"

enum { POSTINGS = 24 };   /* terms that a cluster is found by */

/* A cluster as the open transaction has it. */
struct cached {
	struct cluster c;
	int64_t        conversations, checked, face;
	bool           dirty, stale;      /* counts or centroid changed; its face is to be found anew */
	bool           gone;
	struct cached *next;              /* of its bucket */
	struct cached *next_dirty;
};

struct store {
	struct db    *db;
	struct arena *a;
	const char   *org;
	int64_t       now;
	int64_t       issues, clock, clusters;   /* of conversation_state; written by store_flush() */
	/* By number. A batch touches some hundreds of clusters. */
	struct cached *buckets[1024];
	struct cached *dirty;
	struct frequencies *df;           /* outlives the transaction: NULL until made */
};

/* In a write transaction. df may be NULL, or what store_frequencies() made for this organization. */
void store_open(struct store *s, struct db *db, struct arena *a, const char *org, struct frequencies *df);
struct cluster_store store_view(struct store *s);
/* How many issues have a term, for an analyst: valid while the store is open. */
struct corpus store_corpus(struct store *s);
void store_flush(struct store *s);

/* How many issues have a term, remembered over several transactions; lives in the arena. */
struct frequencies *frequencies_new(struct arena *a);
int64_t frequencies_at(struct store *s, uint64_t term);
/* The terms of an issue that comes (1) or goes (-1). */
void    frequencies_count(struct store *s, const struct terms *t, int sign);
void    frequencies_write(struct store *s);

/* A new issue without a cluster, and its terms counted; its number. created_at: of the conversation. */
struct issue_in {
	int64_t             conversation, created_at;
	struct str          title, summary;
	const char         *language;
	int                 clear;
	const struct terms *terms;            /* normalised */
};
int64_t store_add(struct store *s, const struct issue_in *in);
/* Another text in an issue's place; it is to be placed anew. */
void store_change(struct store *s, int64_t issue, const struct issue_in *in);
/* Takes an issue away, with its cluster where it was the last. */
void store_remove(struct store *s, int64_t issue);

/*
 * All that a cluster counts and sums, anew from its issues; without issues it vanishes.
 * scratch is reset on the way.
 */
void store_recount(struct store *s, int64_t cluster, struct arena *scratch);

/* Faces of clusters that need one. */
void store_faces(struct store *s);

/* pack_terms.c: terms and centroids as bytes, little-endian, the same on every machine. */
struct str   pack_terms(struct arena *a, const struct terms *t);
struct terms unpack_terms(struct arena *a, struct str bytes);
struct str   pack_centroid(struct arena *a, const struct cluster *c);
void         unpack_centroid(struct cluster *c, struct str bytes);

#endif
