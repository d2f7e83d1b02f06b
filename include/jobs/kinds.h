/*
 * Kinds of jobs: one row each, of what it is called, what it may take, and the
 * function that does it, or the program. A new kind is a row here and that function.
 *
 * The function runs in a process of its own with its own database connection
 * (pool.h). It reads job->args, tells its progress with job_progress(), whose
 * false means that somebody asked for its end, and ends the job itself, in the
 * transaction of its last write: job_end(), or job_retry() where another try may
 * help. A job whose process ends without that (killed, out of memory, a failed
 * statement, over its time) is put off or failed by the runner, after `tries`
 * attempts; so whatever it wrote before must make sense to another attempt.
 */
#ifndef OCTAVO_KINDS_H
#define OCTAVO_KINDS_H

#include "app/queue.h"

struct job_kind {
	const char *name;
	void      (*run)(struct db *db, struct arena *a, const struct settings *set,
	                 const struct job *job);
	const char *program;       /* where run is NULL: octavo-PROGRAM, beside this one, runs it */
	int64_t   (*seconds)(const struct settings *set);  /* wall clock; NULL: JOB_SECONDS */
	int64_t     memory;        /* bytes of address space; 0: JOB_MEMORY */
	int         tries;         /* 0: JOB_TRIES */
};

enum { JOB_SECONDS = 3600, JOB_TRIES = 5 };
#define JOB_MEMORY ((int64_t)2 << 30)

/* NULL: this program does not know it; a newer one queued it, perhaps. */
const struct job_kind *job_kind_find(const char *name);

#endif
