/*
 * The processes of the job runner: one for each job, in slots by lane (app/queue.h):
 * OCTAVO_JOB_PROCESSES local ones, OCTAVO_JOB_REMOTE, OCTAVO_JOB_LONG, and one for housekeeping.
 *
 * The runner claims a job and starts its own program again as `octavo-jobs --job ID CLAIM`, or the program
 * of the job's kind in the same way: a process with a database connection of its own, not inherited
 * by a fork, and with the limits of its kind (kinds.h). It dies with the runner. The pool watches
 * time limits and cancellations: a job that does not end by itself within some seconds of being
 * cancelled is killed.
 *
 * No job stays claimed after its process has ended: either the process ended the job itself, or the
 * pool queues it again, fails it, or marks it as cancelled or timed out. One thread does all of this:
 * it calls pool_wait() in a loop.
 */
#ifndef OCTAVO_POOL_H
#define OCTAVO_POOL_H

#include "app/queue.h"

struct pool;

/* Makes a pool with as many slots as the settings say; its memory is in the arena. */
struct pool *pool_new(struct arena *a, struct db *db, const struct settings *set);

/* Identifies the pool among those of all machines (job_claim()). */
const char *pool_name(const struct pool *p);

/* Number of free slots of a lane. */
size_t pool_room(const struct pool *p, enum job_lane lane);

/* Number of running processes. */
size_t pool_count(const struct pool *p);

/* Starts the process of a claimed job in its lane; job NULL: of housekeeping (purge.h). */
void pool_start(struct pool *p, const struct job *job);

/*
 * Waits up to ms for the end of a process or a write to the database; then ends or queues again the
 * jobs whose processes ended without ending them.
 */
void pool_wait(struct pool *p, int ms);

#endif
