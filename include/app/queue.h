/*
 * The queue of work that takes longer than a request; table job.
 *
 * queued -> running -> done | failed | timeout | cancelled, and back to queued if another attempt
 * may help. One runner works on a data directory at a time (it holds DIR/run/jobs.lock), so a job
 * that is `running` when a runner starts belonged to a runner that died, and is queued again. The
 * runner starts a process for each job, several at a time (jobs/pool.h). Jobs of one queue run one
 * after another, oldest first; a postponed job lets the others pass.
 *
 * Several nodes. The database of a server may have a runner on each of several machines. The process of a
 * job holds the job's id (db_hold()) as long as its connection lives, and does nothing without it. A job
 * that is `running` and held by no connection has lost its process, or its machine: any runner queues it
 * again (job_recover_lost()). Each claim has a number, by which a process that comes too late sees that the
 * job is another's.
 *
 * Lanes. A runner has a fixed number of places for each of three kinds of work (enum job_lane),
 * and a job never takes a place of another lane: jobs that wait for other servers, or that run for
 * hours, do not delay work on this machine.
 *
 * Shares. A job counts for two owners: the user who requested it, and the organization that it is
 * for (its own, or that of its space). An owner with k running jobs in a lane gets another place
 * there only while more than k places are free. So no owner can hold all places of a lane that has
 * at least two: of three places one owner gets at most two, of four two, of six three, and the
 * last place is always kept for an owner without a running job. Among the jobs that may run, the
 * next one is that whose owners have the fewest running jobs (the larger of both numbers, then
 * their sum), then the one that has been due longest.
 *
 * Turns. A job of hours would block others until its end. So a job that stores the result of each
 * step (translations, conversations) checks between two steps whether its turn is over. If it is, the
 * job gives up its place, and continues with the next step when it is claimed again. Other kinds are
 * bounded by their time limit and begin again after an interruption, so they have no turns.
 *
 * Secrets (git credentials) are sealed in a column of their own, which is emptied when the job
 * ends; no other column of a job may contain one.
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
	JOB_LOCAL,               /* work on this machine: PDFs, indexes, deleting */
	JOB_REMOTE,              /* work with other servers: git, API descriptions, uploads by address */
	JOB_LONG,                /* work that may take hours: translations, analysis of conversations */
	JOB_LANES
};

struct job {
	const char *id;
	const char *kind;        /* a name of jobs/kinds.h */
	const char *space;       /* NULL: none */
	const char *org;         /* the organization, if it is for no single space; NULL: none */
	const char *queue;       /* id of the object that the job changes; jobs with the same queue run one after another; NULL: no queue */
	const char *user;        /* who requested it; NULL: the system */
	const char *args;        /* JSON object */
	struct str  secret;      /* sealed */
	int64_t     attempts;    /* this one included */
	int64_t     created_at;
	enum job_lane lane;      /* determined by the kind; JOB_LOCAL for an unknown kind. job_add() ignores it */
	const char *runner;      /* that took it */
	int64_t     claims;      /* number of this claim */
	int64_t     began;       /* ms of time_steady() when this was read; a job's process reads it at its start */
};

/* Maximum number of waiting and running jobs of one user. */
enum { JOBS_WAITING = 100 };

/*
 * True if the user has JOBS_WAITING jobs. Checked before a job is queued that any user may request
 * repeatedly.
 */
bool job_many(struct db *db, const char *user);

/* Queues a job and returns its id. Inside a write transaction. run_at: the earliest start; 0: now. */
char *job_add(struct db *db, struct arena *a, const struct job *job, int64_t run_at);

/*
 * Takes the next job of a lane with `room` free places; all running jobs of the lane must be marked
 * as running. runner: identifies the caller; shares are those of its places. False: no job is due whose
 * owners may run another one. In a transaction of its own.
 */
bool job_claim(struct db *db, struct arena *a, const char *runner, enum job_lane lane, size_t room, struct job *out);
/* True if an idle runner would find a job in any lane. Takes none. */
bool job_due(struct db *db);

/*
 * True if a due job waits because a request stages a long merge in its space. That ends within
 * seconds (store/stage.h), so octavo-jobs --once waits for it.
 */
bool job_held(struct db *db);

/* Reads a claimed job by its id and the number of the claim. False if it is not running, or not by this claim any more. */
bool job_claimed(struct db *db, struct arena *a, const char *id, int64_t claims, struct job *out);

/* True if the job is still running by this claim. */
bool job_is_claimed(struct db *db, const struct job *job);

/* True if a user has cancelled the job. */
bool job_cancelled(struct db *db, const char *id);

/*
 * Postpones a job that could not be done, longer after each attempt; fails it after `tries`. In a
 * transaction of its own.
 */
void job_put_off(struct db *db, const struct job *job, int tries, const char *why);

/*
 * True if the job has run for JOB_TURN_MS, and another one of its lane has been due for JOB_WAIT_MS
 * and would get this job's place.
 */
enum { JOB_TURN_MS = 60000, JOB_WAIT_MS = 5000 };
bool job_turn_over(struct db *db, const struct job *job);

/* Queues the running job again, behind the ones that wait; no attempt is counted. In a transaction of its own. */
void job_give_turn(struct db *db, const char *id);

/* Records the job's progress. False if the job was cancelled. In a transaction of its own. */
bool job_progress(struct db *db, const char *id, const char *stage, int64_t done, int64_t total);

/* Ends the job (state: done, failed, timeout, cancelled) or queues it again. Inside a write transaction. */
void job_end(struct db *db, const char *id, const char *state, const char *error,
    const char *result);
void job_retry(struct db *db, const char *id, int64_t run_at, const char *error);

/* Adds a warning about something that the user can correct. Inside a write transaction. */
void job_warn(struct db *db, const char *id, int64_t n, const char *file, size_t line,
    const char *message);
/* Deletes the warnings. Inside a write transaction. */
void job_unwarn(struct db *db, const char *id);

/*
 * A job that waits longer than any delay (an hour; a period of its schedule) was queued before the
 * clock was set back, and becomes due now. In a transaction of its own.
 */
void job_reclock(struct db *db);

/*
 * Queues the jobs of a runner that died without ending them, and returns their number. In a
 * transaction of its own.
 */
int64_t job_recover(struct db *db);

/*
 * The same on a server for jobs that no process does, of any runner, that were taken, or showed progress,
 * before that time (ms). On SQLite it does nothing.
 */
int64_t job_recover_lost(struct db *db, int64_t before);

/* Starts octavo-jobs --once, detached, if OCTAVO_JOBS names it and no runner is running. */
void runner_wake(struct arena *a, const struct settings *set);

/*
 * Schedules: recurring work. A row of table schedule queues a job of its kind periodically; while
 * its last job has not ended, none is queued. id: the owner's choice, unique ("purge",
 * "openapi:<id>").
 */
struct schedule {
	const char *id;
	struct job  job;         /* kind, org, space, user, queue, args; no secret */
	int64_t     every;       /* ms, at least 1000 */
	int64_t     next_at;     /* when the first job is queued; 0: now */
};

/* schedule_put() makes or replaces a schedule; schedule_drop() deletes one. Inside a write transaction. */
void schedule_put(struct db *db, const struct schedule *s);
void schedule_drop(struct db *db, const char *id);

/* Does for schedules what job_reclock() does for jobs, which calls it. Inside a write transaction. */
void schedule_reclock(struct db *db);

/* Sets the args of the schedule's next job. Inside a write transaction. */
void schedule_note(struct db *db, const char *id, const char *args);

/*
 * Makes the schedule due now or, if its last job has not ended, at the end of that job. False: there
 * is no such schedule. Inside a write transaction.
 */
bool schedule_soon(struct db *db, const char *id);

/*
 * Queues the jobs of all schedules that are due, and returns their number. In a transaction of its
 * own if there are any.
 */
int64_t schedule_run(struct db *db, struct arena *a);

/* When the next job is due (ms); -1: the queue is empty. */
int64_t job_next(struct db *db);

#endif
