/*
 * The frame of a process that runs one job and exits: used by octavo-jobs, octavo-fetch and
 * octavo-pdf. The runner (cgi/jobs.c, jobs/pool.h) starts the process and settles a job that it
 * leaves unfinished.
 */
#ifndef OCTAVO_JOB_H
#define OCTAVO_JOB_H

#include "app/queue.h"

/* Limit of a job's arena: reserved address space; only the used part takes memory. */
enum { JOB_ARENA = 16 << 20 };

/* Same signature as job_kind.run (jobs/kinds.h). */
typedef void job_work(struct db *db, struct arena *a, const struct settings *set, const struct job *job);

/* What the runner tells the process of a job: its id, and the number of the claim (app/queue.h). */
struct job_claim {
	const char *id;
	int64_t     number;
};

/* Reads the arguments --job ID CLAIM. False: these are others. */
bool job_claim_read(int argc, char **argv, struct job_claim *out);

/*
 * Calls work with the claimed job, if it is still claimed, and no other process does it; with claim NULL,
 * calls it without a job. Opens a database of its own; `arena` is the size limit of the job's arena in
 * bytes. Returns the exit status: 0, or 1 if the data cannot be opened or a statement failed; the
 * reason is logged.
 */
int job_process(const struct job_claim *claim, size_t arena, job_work *work);

/*
 * The main() of a program that the runner starts for certain kinds of jobs, as `octavo-NAME --job
 * ID CLAIM`. Returns the exit status. If the job is of another kind, work must do nothing: the runner
 * then puts the job off.
 */
int job_main(int argc, char **argv, const char *name, job_work *work);

/* Logs the message; returns 1. */
int job_complain(const char *why);

/*
 * Refuses to run as a CGI program of a web server, since any client could then start it. Returns
 * true if it was started so; the client has then got an answer that nothing is found.
 */
bool job_called_over_http(void);

#endif
