/*
 * Inside the room conversations: a job "conversations" that counts again before it analyses waiting
 * conversations. conversations_recount() queues it.
 */
#ifndef OCTAVO_CONVERSATIONS_RECOUNT_H
#define OCTAVO_CONVERSATIONS_RECOUNT_H

#include "app/queue.h"

/* True if the job must count first. */
bool recount_wanted(const struct job *job);

/*
 * Counts all clusters of the job's organization again, each in its own transaction. Ends early if
 * the job is cancelled.
 */
void recount_all(struct db *db, struct arena *a, const struct job *job);

#endif
