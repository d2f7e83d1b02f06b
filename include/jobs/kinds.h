/*
 * The table of kinds of job: name, limits, and the function or program that runs the kind. A new kind
 * needs a row here and that function.
 *
 * The function runs in a process with a database connection of its own (pool.h). It reads job->args,
 * reports progress with job_progress(), which returns false when the job was cancelled, and ends the
 * job in the transaction of its last write: job_end(), or job_retry() if another attempt may help. If
 * the process ends without that (killed, out of memory, a failed statement, out of time), the runner
 * puts the job off or, after `tries` attempts, fails it; so another attempt must cope with whatever
 * an attempt has written.
 */
#ifndef OCTAVO_KINDS_H
#define OCTAVO_KINDS_H

#include "app/queue.h"

struct job_kind {
	const char *name;
	void      (*run)(struct db *db, struct arena *a, const struct settings *set,
	                 const struct job *job);
	const char *program;       /* run NULL: the name of octavo-PROGRAM, beside this one */
	int64_t   (*seconds)(const struct settings *set);  /* wall clock; NULL: JOB_SECONDS */
	int64_t     memory;        /* bytes of address space; 0: JOB_MEMORY */
	int         tries;         /* 0: JOB_TRIES */
};

enum { JOB_SECONDS = 3600, JOB_TRIES = 5 };
#define JOB_MEMORY ((int64_t)2 << 30)

/* NULL: this version does not know the kind; a newer one may have queued it. */
const struct job_kind *job_kind_find(const char *name);

#endif
