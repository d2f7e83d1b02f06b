/*
 * Support conversations of an organization, the issues that their users state, and clusters of issues.
 *
 * Ingesting is fast: it stores the conversation and queues a job. The job (kind "conversations",
 * one at a time for an organization) reads waiting conversations, oldest first, a few in a
 * transaction, and puts their issues into clusters as conversations/cluster.h says. Derived rows
 * are changed in the transaction that changes their source, so they are always consistent.
 *
 * A conversation that is ingested again keeps its issues until it has been analysed again. Then the
 * issues get the new texts, in their order, and move to the clusters of these; surplus issues are
 * deleted. A cluster that loses its last issue is deleted: change requests that were started from it
 * refer to the cluster that the issue moved to, or to none if the issue was deleted. Of merged
 * clusters the older id stays.
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

/* A conversation to ingest. Strings are UTF-8; optional ones are NULL if absent. */
struct conversation_in {
	const char         *id;
	const char         *source;
	const char         *subject, *url;
	int64_t             created_at;     /* ms; 0: the time of the conversation that it replaces, or now */
	const struct cJSON *parts;          /* list of { type, role, body } */
	const struct cJSON *attributes;     /* object of strings, or NULL */
};

/* Stores a conversation, or replaces the one with that id. False, without changes, if that one has another source. */
bool conversation_put(struct db *db, struct arena *a, const char *org, const struct conversation_in *c);

/* Queues the analysis of waiting conversations, unless it is queued already. */
void conversations_wake(struct db *db, struct arena *a, const char *org, const char *user);

/*
 * Queues a job that computes all counts of clusters from their issues, and then analyses waiting
 * conversations. False if one is queued already. In a write transaction.
 */
bool conversations_recount(struct db *db, struct arena *a, const char *org, const char *user);

/* Deletes a conversation with all data derived from it. False if there is none. */
bool conversation_forget(struct db *db, struct arena *a, const char *org, const char *id);

/* Deletes up to max conversations with the attribute and returns their number. In a write transaction; call until 0. */
int64_t conversations_forget(struct db *db, struct arena *a, const char *org, const char *name,
    const char *value, int64_t max);

/* Runs the job: analyses waiting conversations. */
void conversations_run(struct db *db, struct arena *a, const struct settings *set, const struct job *job);

/* The number of an ISO week (Monday to Sunday, UTC); 0 is the week of 1 January 1970. */
int64_t week_of(int64_t ms);

#endif
