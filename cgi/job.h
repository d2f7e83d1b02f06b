/*
 * A process that does one job and ends: what octavo-jobs, octavo-fetch and octavo-pdf start as, and
 * what they say of themselves. The runner (cgi/jobs.c, jobs/pool.h) has started it and settles what it leaves.
 */
#ifndef OCTAVO_JOB_H
#define OCTAVO_JOB_H

#include "app/queue.h"

/* Of address space, of which what is used counts. */
enum { JOB_ARENA = 16 << 20 };

/* As job_kind.run (jobs/kinds.h). */
typedef void job_work(struct db *db, struct arena *a, const struct settings *set, const struct job *job);

/*
 * Runs work with the claimed job of this id, where it is claimed still; for id NULL with no job.
 * In an arena of that size, with a database of its own. The exit status: 0, or 1 where the data
 * cannot be opened or a statement failed; the log has the reason.
 */
int job_process(const char *id, size_t arena, job_work *work);

/*
 * The main() of a program that the runner starts for jobs of some kinds, as `octavo-NAME --job ID`;
 * its exit status. Of another kind, work does nothing: the runner puts the job off.
 */
int job_main(int argc, char **argv, const char *name, job_work *work);

/* Writes why into the log; 1. */
int job_complain(const char *why);

/*
 * A web server that was given this program as a CGI program must not run it: anybody could
 * start it. True: it was, and is told that there is nothing here.
 */
bool job_called_over_http(void);

#endif
