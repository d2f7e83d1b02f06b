/*
 * octavo-jobs: runs the jobs of the queue (include/app/queue.h), each in a process of its own,
 * with a limit per lane (include/jobs/pool.h).
 *
 *   octavo-jobs           runs until SIGTERM
 *   octavo-jobs --once    runs all due jobs and exits: for cron
 *   octavo-jobs --job ID CLAIM, --purge   started by the runner for one job, or for housekeeping
 *                         (cgi/job.h); some kinds of jobs have a program of their own (jobs/kinds.h)
 *
 * There is one runner per data directory: it locks DIR/run/jobs.lock; a second one reports that
 * and exits 0. Several machines with the database of one server have a runner each (app/queue.h).
 * A runner waits until its data can be opened. SIGTERM and even SIGKILL may come at
 * any moment: a job writes its result in one transaction at its end, and the next runner queues an
 * interrupted job again. The program refuses to run over HTTP, since it may be installed in the
 * web server's folder of CGI programs. When the database was migrated (db.h), a runner takes no
 * more jobs and leaves its running jobs to its successor.
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
#include "app/outside.h"

/*
 * IDLE_MS: poll interval, and so the longest delay of a job while there is room, if the system does
 * not notify of new jobs (pool_wait()). CLOCK_MS: a larger step back of the clock is not mere
 * correction of drift. LOST_MS: a job's process holds the job within this time; LOOK_MS: interval of looking
 * for those that no process holds. MOST_FAILURES: after so many, a runner with --once ends; a permanent one goes
 * on, since the cause may end, such as a lack of memory.
 */
enum { IDLE_MS = 250, PURGE_MS = 600000, LOST_MS = 15000, LOOK_MS = 5000, MAX_TRIES = 20, WAIT_MS = 2000, LOCK_TRIES = 20,
       LOCK_MS = 10, MOST_FAILURES = 20, CLOCK_MS = 1000, PURGE_ARENA = 1 << 30 };

static const char program[] = "octavo-jobs";
static jmp_buf escape;
static char failure[512];
static enum db_failure failed_as;
static volatile sig_atomic_t ended;   /* SIGTERM has arrived */

static void
on_term(int sig)
{
	(void)sig;
	ended = 1;
}

/*
 * The database calls this in the middle of a statement. longjmp() is safe: the code between here
 * and setjmp() owns nothing but arena memory.
 */
static void
on_failure(void *ctx, enum db_failure f, const char *message)
{
	(void)ctx;
	snprintf(failure, sizeof(failure), "%s", message);
	failed_as = f;
	longjmp(escape, 1);
}

static void
pause_ms(long ms)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000 };

	nanosleep(&t, NULL);
}

static const char other_runner[] = "another runner works on this directory",
    passing_runner[] = "a runner that a command or a request started is still at work";

/*
 * The locked descriptor. It stays open until the process ends, since closing it would release the
 * lock.
 */
static int held = -1;

/*
 * Programs find out whether a runner works by taking its lock for a moment, so a permanent runner tries
 * several times.
 */
static bool
take_lock(int fd, bool once)
{
	for (int i = once ? LOCK_TRIES - 1 : 0; i < LOCK_TRIES; i++) {
		if (flock(fd, LOCK_EX | LOCK_NB) == 0)
			return true;
		pause_ms(LOCK_MS);
	}
	return false;
}

/* The reason why the lock is not free: a permanent runner, or one that ends with the jobs that are due. */
static const char *
name_holder(int fd)
{
	char word[8] = "";

	return pread(fd, word, sizeof(word) - 1, 0) > 0 && strncmp(word, "once", 4) == 0 ? passing_runner : other_runner;
}

/*
 * Takes the lock once. Returns NULL, or the reason for failure. Writes into the file whether cron
 * started this runner: `octavo doctor` reports a missing cron runner only after a while without
 * one.
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
	if (!take_lock(fd, once)) {
		const char *why = name_holder(fd);

		close(fd);
		return why;
	}
	held = fd;
	/* Read by doctor_jobs.c. A full disk must not stop the runner, so errors are ignored. */
	if (ftruncate(fd, 0) == 0)
		dprintf(fd, once ? "once\n" : "stays\n");
	return NULL;
}

/* ---- process of a single job ---- */

static void
run_job(struct db *db, struct arena *a, const struct settings *set, const struct job *job)
{
	const struct job_kind *kind = job_kind_find(job->kind);

	/* A job of another program's kind stays claimed: the runner puts it off. */
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

/* Starts a due job of the lane if there is room; false if none was started. */
static bool
start_in(struct db *db, struct arena *scratch, struct pool *pool, enum job_lane lane)
{
	struct job job;

	if (!job_claim(db, scratch, pool_name(pool), lane, pool_room(pool, lane), &job))
		return false;
	/*
	 * Claim the job even if its kind is unknown: otherwise it would stay first in the queue
	 * forever.
	 */
	if (job_kind_find(job.kind) == NULL)
		/* A newer program queued the job; a newer runner may start soon. */
		job_put_off(db, &job, MAX_TRIES, "this program does not know the kind of the job");
	else
		pool_start(pool, &job);
	return true;
}

/* Starts one job in each lane; false if no lane has a due job and room for it. */
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

/*
 * Uses the monotonic clock: setting the wall clock must neither stop housekeeping nor run it in a
 * loop.
 */
static void
purge_now_and_then(struct pool *pool, int64_t *last)
{
	int64_t now = time_steady();

	if (*last != 0 && now - *last < PURGE_MS)
		return;
	*last = now;
	pool_start(pool, NULL);
}

/* Jobs of runners that died: those of this data directory, or of any machine that uses the server. */
static void
recover_now_and_then(struct db *db, int64_t *last)
{
	int64_t now = time_steady();

	if (*last != 0 && (db_has_file(db) || now - *last < LOOK_MS))
		return;
	if (db_has_file(db))
		/* Only when the runner starts: later, a job marked as running really is running. */
		job_recover(db);
	else
		job_recover_lost(db, time_now() - LOST_MS);
	*last = now;
}

/*
 * The queue stores wall-clock times. If the clock was wrong when a job was queued, or is set back
 * now, the job may be due years from now: adjust such times.
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
 * Ends an idle runner. A job queued after its last check, but before it releases the lock, would be
 * orphaned: the process that queued it sees an active runner and starts none. So this releases the
 * lock and checks the queue again. Returns false if a job is due and the lock was taken again.
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
	 * const, like scratch: a local variable that is set before setjmp() and not changed since
	 * is still defined after longjmp().
	 */
	struct pool *const pool = pool_new(a, db, set);
	struct arena *const scratch = arena_within(a, 16 << 20);
	/* Static for the same reason, since these change after setjmp(). */
	static int64_t purged, clock_offset, recovered;
	static pid_t outside[OUTSIDE_KINDS];
	static int failures;

	db_on_fail(db, on_failure, NULL);
	if (setjmp(escape) != 0) {
		db_rollback(db);
		/*
		 * Leave the processes of running jobs alone: the next runner recovers their jobs.
		 */
		if (failed_as != DB_AGAIN || db_outdated(db)) {
			job_complain(failure);
			if (db_outdated(db) || (once && ++failures == MOST_FAILURES))
				return 1;
			pause_ms(IDLE_MS);
		}
	}
	watch_open(set->dir);
	watch_join();
	while (!ended) {
		watch_look(set->request_seconds * 1000, NULL);
		watch_clock(db, &clock_offset);
		recover_now_and_then(db, &recovered);
		if (!once)
			outside_keep(set, outside);
		purge_now_and_then(pool, &purged);
		if (start_next(db, scratch, pool))
			continue;
		/* Nothing is due, nothing runs, and nothing waits for a request that ends soon. */
		if (once && pool_count(pool) == 0 && !job_held(db)) {
			if (leave_if_idle(db))
				return 0;
			continue;
		}
		pool_wait(pool, IDLE_MS);
	}
	return 0;
}

/*
 * Takes the lock before opening the database: a second runner must not wait for the first one's
 * transactions.
 */
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
	/*
	 * Compile all statements now, so that one that does not match the schema fails at the start
	 * and not with the first job of its kind.
	 */
	db_compile_all(*db);
	return NULL;
}

/*
 * A permanent runner waits until the data can be opened, so that an admin who has fixed the problem
 * need not start the runner again; and until a runner ends that does not stay. Each reason is logged once.
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
	if (once && (error == other_runner || error == passing_runner))
		rc = 0;   /* stay silent: cron mails any output, each minute */
	else if (error != NULL)
		/* A second runner exits with 0: the first one does the work. */
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
	struct job_claim claim;
	bool job = job_claim_read(argc, argv, &claim);

	log_program(program);
	if (job_called_over_http())
		return 1;
	if (argc > 1 && !once && !purge && !job)
		return job_complain("usage: octavo-jobs [--once]") + 1;
	umask(OWN_UMASK);
	signal(SIGPIPE, SIG_IGN);
	if (purge)
		return job_process(NULL, PURGE_ARENA, run_purge);
	return job ? job_process(&claim, JOB_ARENA, run_job) : run_runner(once);
}
