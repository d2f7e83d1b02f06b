/*
 * octavo-jobs: works off the queue (include/app/queue.h), each job in a process of
 * its own, so many of each lane at a time (include/jobs/pool.h).
 *
 *   octavo-jobs           runs until TERM
 *   octavo-jobs --once    does what is due and exits: for cron
 *   octavo-jobs --job ID, --purge   what the runner starts for a job, for housekeeping (cgi/job.h);
 *                         jobs of some kinds have a program of their own (jobs/kinds.h)
 *
 * One runner a data directory: it holds a lock on DIR/run/jobs.lock, a second
 * one says so and exits 0. Data that cannot be opened is waited for. TERM, and even KILL, may come at any moment: a job's
 * effect is one transaction at its end, and a job that was cut off is queued
 * again by the next runner. Beside the programs of a web server, in its folder for
 * CGI programs, say, it refuses to be called over HTTP. A runner whose database was migrated (db.h) takes no
 * job any more and leaves the one that it has to its successor.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "base/log.h"
#include "job.h"
#include "jobs/kinds.h"
#include "jobs/pool.h"
#include "jobs/purge.h"
#include "app/queue.h"
#include "app/ready.h"
#include "app/setup.h"
#include "base/secret.h"
#include "base/watch.h"

/*
 * IDLE_MS: how late a job starts at most while there is room, where the system does not tell of its
 * being queued (pool_wait()). CLOCK_MS: a step back of the clock that is no correction of drift.
 */
enum { IDLE_MS = 250, PURGE_MS = 600000, MAX_TRIES = 20, WAIT_MS = 2000,
       CLOCK_MS = 1000, PURGE_ARENA = 1 << 30 };

static const char program[] = "octavo-jobs";
static jmp_buf escape;
static char failure[512];
static volatile sig_atomic_t ended;   /* TERM came */

static void
on_term(int sig)
{
	(void)sig;
	ended = 1;
}

/*
 * The database calls it in the middle of a statement: nothing between there and setjmp() holds
 * anything but memory of arenas.
 */
static void
on_failure(void *ctx, enum db_failure f, const char *message)
{
	(void)ctx;
	(void)f;
	snprintf(failure, sizeof(failure), "%s", message);
	longjmp(escape, 1);
}

static void
pause_ms(long ms)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000 };

	nanosleep(&t, NULL);
}

static const char other_runner[] = "another runner works on this directory";

/* Kept open until the process ends: closing it would give the lock up. */
static int held = -1;

/*
 * Takes the lock, once. NULL, or why not. What it writes into the file is for `octavo doctor`: a runner of
 * cron's is missed only when none came for a while.
 */
static const char *
lock_runner(struct arena *a, const char *dir, bool once)
{
	char *run = arena_printf(a, "%s/run", dir), *path = arena_printf(a, "%s/jobs.lock", run);
	int fd;

	if (held >= 0)
		return NULL;
	folder_make(AT_FDCWD, run, DATA_FOLDER);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0)
		return arena_printf(a, "%s: %s", path, strerror(errno));
	if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
		close(fd);
		return other_runner;
	}
	held = fd;
	/* For doctor (doctor_jobs.c). A full disk does not stop the runner. */
	if (ftruncate(fd, 0) == 0)
		dprintf(fd, once ? "once\n" : "stays\n");
	return NULL;
}

/* ---- one job, in the process that was started for it ---- */

static void
run_job(struct db *db, struct arena *a, const struct settings *set, const struct job *job)
{
	const struct job_kind *kind = job_kind_find(job->kind);

	/* A kind of another program is left as it was claimed, and the runner puts it off. */
	if (kind != NULL && kind->run != NULL)
		kind->run(db, a, set, job);
}

static void
run_purge(struct db *db, struct arena *a, const struct settings *set, const struct job *job)
{
	(void)job;
	purge_run(db, a, set);
}

/* ---- the runner ---- */

/* Starts what is due in a lane, if there is room; false where nothing was. */
static bool
start_in(struct db *db, struct arena *scratch, struct pool *pool, enum job_lane lane)
{
	struct job job;

	if (!job_claim(db, scratch, lane, pool_room(pool, lane), &job))
		return false;
	/* Claimed first: a job that nobody here knows would else stay the next one for ever. */
	if (job_kind_find(job.kind) == NULL)
		/* A newer program queued it, whose runner may come soon. */
		job_put_off(db, &job, MAX_TRIES, "this program does not know the kind of the job");
	else
		pool_start(pool, &job);
	return true;
}

/* One of each lane; false where nothing is due that there is room for. */
static bool
start_next(struct db *db, struct arena *scratch, struct pool *pool)
{
	bool found = false;
	int lane;

	schedule_run(db, scratch);
	for (lane = 0; lane < JOB_LANES; lane++)
		found |= start_in(db, scratch, pool, (enum job_lane)lane);
	arena_reset(scratch);
	return found;
}

/* By the steady clock: a clock that is set must neither stop housekeeping nor start it in a loop. */
static void
purge_now_and_then(struct pool *pool, int64_t *last)
{
	int64_t now = time_steady();

	if (*last != 0 && now - *last < PURGE_MS)
		return;
	*last = now;
	pool_start(pool, NULL);
}

/*
 * Times in the queue are the clock's. What waits for a time that is years away, since the
 * clock was wrong when it was queued or is set back now, would wait for them.
 */
static void
watch_clock(struct db *db, int64_t *offset)
{
	int64_t now = time_now() - time_steady();

	if (*offset == 0 || now < *offset - CLOCK_MS)
		job_reclock(db);
	*offset = now;
}

/*
 * The end of a runner that has nothing to do. A job that is queued behind its last look, while the lock is
 * held still, would be nobody's: who queued it finds a runner at work, and starts none. So it looks once more
 * when the lock is free. False: there is something to do, and the lock is held again.
 */
static bool
leave_if_idle(struct db *db)
{
	flock(held, LOCK_UN);
	return !job_due(db) || flock(held, LOCK_EX | LOCK_NB) != 0;
}

static int
run_pool(struct db *db, const struct settings *set, struct arena *a, bool once)
{
	/*
	 * const, as is scratch: what was set before setjmp() and not changed since is defined
	 * after longjmp().
	 */
	struct pool *const pool = pool_new(a, db, set);
	struct arena *const scratch = arena_within(a, 16 << 20);
	/* Static for the same reason: they change after setjmp(). */
	static int64_t purged, clock_offset;

	db_on_fail(db, on_failure, NULL);
	if (setjmp(escape) != 0) {
		db_rollback(db);
		/*
		 * The processes of running jobs are not this one's to end: a successor recovers
		 * their jobs.
		 */
		if (db_outdated(db))
			return job_complain(failure);
		job_complain(failure);
		pause_ms(IDLE_MS);
	} else {
		/* Only once, when the runner starts: later, what is marked as running is running. */
		job_recover(db);
	}
	watch_open(set->dir);
	watch_join();
	while (!ended) {
		watch_look(set->request_seconds * 1000, NULL);
		watch_clock(db, &clock_offset);
		purge_now_and_then(pool, &purged);
		if (start_next(db, scratch, pool))
			continue;
		/* Nothing is due and nothing runs. */
		if (once && pool_count(pool) == 0) {
			if (leave_if_idle(db))
				return 0;
			continue;
		}
		pool_wait(pool, IDLE_MS);
	}
	return 0;
}

/* The lock before the database: a second runner must not wait for the first one's transactions. */
static const char *
open_data(struct arena *a, struct settings **set, struct db **db, bool once)
{
	bool older_schema = false;
	const char *error;

	if ((*set = settings_env(a, &error)) == NULL || (error = secret_open(a, (*set)->dir)) != NULL ||
	    (error = lock_runner(a, (*set)->dir, once)) != NULL)
		return error;
	*db = setup_open(a, (*set)->dir, &(struct db_options){ .job = true, .older_schema = &older_schema }, &error);
	if (*db == NULL) {
		if (older_schema)
			ready_note(a, (*set)->dir, program, true);
		return error;
	}
	ready_note(a, (*set)->dir, program, false);
	setup_modes(a, (*set)->dir);
	db_on_fail(*db, on_failure, NULL);
	if (setjmp(escape) != 0) {
		db_close(*db);
		*db = NULL;
		return arena_printf(a, "octavo.db: %s", failure);
	}
	/* A statement that does not fit the schema shows at the start, not with the first job of its kind. */
	db_prepare_all(*db);
	return NULL;
}

/*
 * A runner that is there to stay waits for data that it can open: it must not need an
 * admin's hand once more when what was in the way is gone. The log has each reason once.
 */
static const char *
open_patiently(struct arena *a, struct settings **set, struct db **db)
{
	char last[512] = "";
	const char *error;

	while ((error = open_data(a, set, db, false)) != NULL && error != other_runner && !ended) {
		if (strncmp(error, last, sizeof(last) - 1) != 0)
			log_line("waits, since it cannot open its data: %s", error);
		snprintf(last, sizeof(last), "%s", error);
		arena_reset(a);
		pause_ms(WAIT_MS);
	}
	return error;
}

static int
run_runner(bool once)
{
	struct arena *a = arena_new(1 << 20);
	struct settings *set;
	struct db *db = NULL;
	const char *error;
	int rc;

	signal(SIGTERM, on_term);
	error = once ? open_data(a, &set, &db, true) : open_patiently(a, &set, &db);
	if (error != NULL && once && error == other_runner)
		rc = 0;   /* cron starts one each minute, and mails what it says */
	else if (error != NULL)
		/* A second runner is no failure: the first one does the work. */
		rc = job_complain(error) - (error == other_runner);
	else
		rc = run_pool(db, set, a, once);
	db_close(db);
	arena_free(a);
	return rc;
}

int
main(int argc, char **argv)
{
	bool once = argc == 2 && strcmp(argv[1], "--once") == 0;
	bool purge = argc == 2 && strcmp(argv[1], "--purge") == 0;
	const char *job = argc == 3 && strcmp(argv[1], "--job") == 0 ? argv[2] : NULL;

	log_program(program);
	if (job_called_over_http())
		return 1;
	if (argc > 1 && !once && !purge && job == NULL)
		return job_complain("usage: octavo-jobs [--once]") + 1;
	umask(OWN_UMASK);
	signal(SIGPIPE, SIG_IGN);
	if (purge)
		return job_process(NULL, PURGE_ARENA, run_purge);
	return job != NULL ? job_process(job, JOB_ARENA, run_job) : run_runner(once);
}
