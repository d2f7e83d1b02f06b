/*
 * The processes of the job runner: one a job, some at a time, in places by lane (app/queue.h):
 * OCTAVO_JOB_PROCESSES local ones, OCTAVO_JOB_REMOTE, OCTAVO_JOB_LONG, and one for housekeeping.
 *
 * The runner claims a job and starts the program that it is itself again, as
 * `octavo-jobs --job ID`, or the program of the job's kind in the same way: a process with a database connection of its own, which
 * no fork carried over, and with the limits of its kind (kinds.h). It dies with
 * the runner. The pool watches time, and requests for a job's end: a job that
 * does not end by itself within some seconds of being cancelled is killed.
 *
 * However a process ends, its job is settled: ended by itself, or else put off,
 * failed, or told to have run out of time. All of this is in the hands of one
 * thread: pool_wait() is called over and over.
 */
#ifndef OCTAVO_POOL_H
#define OCTAVO_POOL_H

#include "app/queue.h"

struct pool;

/* With as many places as the settings say. The pool is in the arena. */
struct pool *pool_new(struct arena *a, struct db *db, const struct settings *set);

/* How many places of a lane are free. */
size_t pool_room(const struct pool *p, enum job_lane lane);

/* How many processes there are. */
size_t pool_count(const struct pool *p);

/* Starts the process of a claimed job, in its lane; of housekeeping (purge.h), where job is NULL. */
void pool_start(struct pool *p, const struct job *job);

/* Waits up to ms for a process to end, or for somebody to write to the database; settles what ended. */
void pool_wait(struct pool *p, int ms);

#endif
