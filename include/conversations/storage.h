/*
 * Support conversations of an organization, what their users ask, and clusters of it.
 *
 * Ingesting is fast: it keeps the conversation and queues a job. The job (kind
 * "conversations", one at a time for an organization) reads what waits, oldest
 * first, a few conversations a transaction, and puts their issues into clusters as
 * conversations/cluster.h says. What is derived is changed in the transaction that
 * changes what it derives from, so that it is never half done.
 *
 * A conversation that is ingested again keeps its issues until it has been analysed
 * again; then they take the new texts, in their order, move to where these belong,
 * and those that are too many go. A cluster that loses its last issue vanishes: the
 * change requests that were started from it follow its last issue to where it
 * moved, and name no cluster where it was deleted. Of merged clusters the id that
 * was made first stays.
 */
#ifndef OCTAVO_CONVERSATIONS_STORAGE_H
#define OCTAVO_CONVERSATIONS_STORAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "app/queue.h"
#include "base/arena.h"
#include "base/settings.h"
#include "db/db.h"

struct cJSON;

/* A conversation as it comes. Strings are UTF-8; NULL where optional and absent. */
struct conversation_in {
	const char         *id;
	const char         *source;
	const char         *subject, *url;
	int64_t             created_at;     /* ms; 0: not said: now, or as it was */
	const struct cJSON *parts;          /* list of { type, role, body } */
	const struct cJSON *attributes;     /* object of strings, or NULL */
};

/* Keeps it, or replaces the one of that id. False, and nothing is changed: it is there from another source. */
bool conversation_put(struct db *db, struct arena *a, const char *org, const struct conversation_in *c);

/* Queues the analysis of what waits, unless that is queued already. */
void conversations_wake(struct db *db, struct arena *a, const char *org, const char *user);

/*
 * Queues a job that makes all that clusters count anew from their issues, and then
 * analyses what waits. False: one is queued already. In a write transaction.
 */
bool conversations_recount(struct db *db, struct arena *a, const char *org, const char *user);

/* Deletes one with all that was derived from it. False: there is none. */
bool conversation_forget(struct db *db, struct arena *a, const char *org, const char *id);

/* Up to max of those with the attribute; how many. In a write transaction; to be called until it gives 0. */
int64_t conversations_forget(struct db *db, struct arena *a, const char *org, const char *name,
    const char *value, int64_t max);

/* Analyses what waits: the job. */
void conversations_run(struct db *db, struct arena *a, const struct settings *set, const struct job *job);

/* The ISO week (Monday to Sunday, UTC) of a time, counted from the one that holds 1 January 1970. */
int64_t week_of(int64_t ms);

#endif
