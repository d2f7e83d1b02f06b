/*
 * The queue of work that takes longer than a request; table job.
 *
 * queued -> running -> done | failed | timeout | cancelled, and back to queued
 * where another try may help. One runner works on a data directory at a time
 * (it holds DIR/run/jobs.lock), so a job that is `running` when a runner starts
 * belongs to one that died, and is queued again. Jobs of one space run in the
 * order in which they were queued.
 *
 * Secrets (git credentials) are sealed into a column of their own, which is
 * emptied when the job ends; nothing else of a job may hold one.
 */
#ifndef OCTAVO_QUEUE_H
#define OCTAVO_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "db/db.h"
#include "base/settings.h"
#include "base/str.h"

struct job {
	const char *id;
	const char *kind;        /* "import", "purge" */
	const char *space;       /* NULL: none */
	const char *user;        /* who asked; NULL: the system */
	const char *args;        /* JSON object */
	struct str  secret;      /* sealed */
	int64_t     attempts;    /* this one included */
	int64_t     created_at;
};

/* Queues a job; its id. In a write transaction. run_at: not before; 0: now. */
char *job_add(struct db *db, struct arena *a, const struct job *job, int64_t run_at);

/* Takes the next job that is due: false if there is none. Own transaction. */
bool job_claim(struct db *db, struct arena *a, struct job *out);

/* Notes what it is doing; false when somebody asked for its end. Own transaction. */
bool job_progress(struct db *db, const char *id, const char *stage, int64_t done, int64_t total);

/* Ends it (state: done, failed, timeout, cancelled) or queues it again. In a write transaction. */
void job_end(struct db *db, const char *id, const char *state, const char *error,
    const char *result);
void job_retry(struct db *db, const char *id, int64_t run_at, const char *error);

/* One thing to mend. In a write transaction. */
void job_warn(struct db *db, const char *id, int64_t n, const char *file, size_t line,
    const char *message);

/* What a runner that died left behind goes back into the queue; how many. Own transaction. */
int64_t job_recover(struct db *db);

/* Starts octavo-jobs --once, detached, if OCTAVO_JOBS names it and no runner is at work. */
void runner_wake(struct arena *a, const struct settings *set);

/* When the next job is due (ms); -1: the queue is empty. */
int64_t job_next(struct db *db);

#endif
