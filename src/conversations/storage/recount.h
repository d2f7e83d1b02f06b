/*
 * Inside the room conversations: a job "conversations" that counts anew before it analyses what
 * waits. It is queued by conversations_recount().
 */
#ifndef OCTAVO_CONVERSATIONS_RECOUNT_H
#define OCTAVO_CONVERSATIONS_RECOUNT_H

#include "app/queue.h"

/* Is the job to count first? */
bool recount_wanted(const struct job *job);

/*
 * Counts all clusters of the job's organization anew, each in a transaction of its own.
 * Ends early where somebody asked for the end of the job.
 */
void recount_all(struct db *db, struct arena *a, const struct job *job);

#endif
