/*
 * The queue of work that takes longer than a request; table job.
 *
 * queued -> running -> done | failed | timeout | cancelled, and back to queued
 * where another try may help. One runner works on a data directory at a time
 * (it holds DIR/run/jobs.lock), so a job that is `running` when a runner starts
 * belongs to one that died, and is queued again. The runner starts a process for
 * each job, several at a time (jobs/pool.h). Jobs of one queue run one after
 * another, oldest first; one that was put off lets the others pass.
 *
 * Lanes. A runner has so many places for each of three sorts of job (enum job_lane), and none of
 * one sort ever takes a place of another: what waits for a server that somebody else chose, or
 * works for hours, keeps nothing waiting that is done within this machine.
 *
 * Shares. An owner is a person, and an organization: a job counts for both, for who asked and for
 * whom it is (its own organization, or that of its space). Whoever has k running in a lane gets a
 * further place there only while more than k are free, so that nobody holds all of a lane of two
 * or more: of three places one owner has two at most, of four two, of six three, and the last one
 * is always for somebody who has none. It takes three owners to fill four. Of the jobs that may
 * run, one of whoever has fewest running there is next, counted for the person or the organization,
 * whichever has more, then for both; then the one that is due longest.
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

enum job_lane {
	JOB_LOCAL,               /* work of this machine: PDFs, indexes, what is left behind */
	JOB_REMOTE,              /* what waits for others' servers: git, API descriptions, uploads by address */
	JOB_LONG,                /* what may take hours: translations, the analysis of conversations */
	JOB_LANES
};

struct job {
	const char *id;
	const char *kind;        /* a name of jobs/kinds.h */
	const char *space;       /* NULL: none */
	const char *org;         /* whom it is for, where it is no single space; NULL: none */
	const char *queue;       /* what only one job at a time may work on: the id of a space whose
	                            content it changes, say; NULL: it runs beside all others */
	const char *user;        /* who asked; NULL: the system */
	const char *args;        /* JSON object */
	struct str  secret;      /* sealed */
	int64_t     attempts;    /* this one included */
	int64_t     created_at;
	enum job_lane lane;      /* follows from its kind; of a kind that is not known: local. Not read by job_add() */
};

/* Jobs that one person may have waiting and running. */
enum { JOBS_WAITING = 100 };

/* Does this person have as many? Asked before a job is queued that anybody may ask for, again and again. */
bool job_many(struct db *db, const char *user);

/* Queues a job; its id. In a write transaction. run_at: not before; 0: now. */
char *job_add(struct db *db, struct arena *a, const struct job *job, int64_t run_at);

/*
 * Takes the next job of a lane where so many places are free, all of whose running jobs are marked as
 * such: false if there is none that is due and whose owner may have one more. Own transaction.
 */
bool job_claim(struct db *db, struct arena *a, enum job_lane lane, size_t room, struct job *out);
/* Would a runner that runs nothing find one, of any lane? Takes none. */
bool job_due(struct db *db);

/* A job that was claimed, by its id; false where it does not run (any more). */
bool job_claimed(struct db *db, struct arena *a, const char *id, struct job *out);

/* Did somebody ask for its end? */
bool job_cancelled(struct db *db, const char *id);

/* Puts a job off that could not be done, for as long as its attempts grow; fails it after `tries`. Own transaction. */
void job_put_off(struct db *db, const struct job *job, int tries, const char *why);

/* Notes what it is doing; false when somebody asked for its end. Own transaction. */
bool job_progress(struct db *db, const char *id, const char *stage, int64_t done, int64_t total);

/* Ends it (state: done, failed, timeout, cancelled) or queues it again. In a write transaction. */
void job_end(struct db *db, const char *id, const char *state, const char *error,
    const char *result);
void job_retry(struct db *db, const char *id, int64_t run_at, const char *error);

/* One thing to mend. In a write transaction. */
void job_warn(struct db *db, const char *id, int64_t n, const char *file, size_t line,
    const char *message);
/* Forgets them. In a write transaction. */
void job_unwarn(struct db *db, const char *id);

/*
 * What waits longer than anything is put off for (an hour; a period of its schedule) was
 * queued by a clock that was set back since, and is due now. Own transaction.
 */
void job_reclock(struct db *db);

/* What a runner that died left behind goes back into the queue; how many. Own transaction. */
int64_t job_recover(struct db *db);

/* Starts octavo-jobs --once, detached, if OCTAVO_JOBS names it and no runner is at work. */
void runner_wake(struct arena *a, const struct settings *set);

/*
 * Schedules: work that comes again. A row of table schedule queues a job of its
 * kind every so often; while the last one has not ended, its turn is left out.
 * id: the owner's choice, unique ("purge", "openapi:<id>").
 */
struct schedule {
	const char *id;
	struct job  job;         /* kind, org, space, user, queue, args; no secret */
	int64_t     every;       /* ms, at least 1000 */
	int64_t     next_at;     /* of the first turn; 0: now */
};

/* Makes or replaces it; takes it away. In a write transaction. */
void schedule_put(struct db *db, const struct schedule *s);
void schedule_drop(struct db *db, const char *id);

/* The part of job_reclock() that is about schedules. In a write transaction. */
void schedule_reclock(struct db *db);

/* Its next turn is now, if there is such a schedule; true: there is. In a write transaction. */
bool schedule_soon(struct db *db, const char *id);

/* Queues the jobs of all schedules whose time has come; how many. Own transaction, where there are any. */
int64_t schedule_run(struct db *db, struct arena *a);

/* When the next job is due (ms); -1: the queue is empty. */
int64_t job_next(struct db *db);

#endif
