/*
 * octavo-jobs: works off the queue (include/app/queue.h), one job at a time.
 *
 *   octavo-jobs           runs until TERM
 *   octavo-jobs --once    does what is due and exits: for cron
 *
 * One runner a data directory: it holds a lock on DIR/run/jobs.lock, a second
 * one says so and exits 0. TERM, and even KILL, may come at any moment: a job's
 * effect is one transaction at its end, and a job that was cut off is queued
 * again by the next runner. A runner whose database was migrated (db.h) takes no
 * job any more and leaves the one that it has to its successor.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "jobs/import.h"
#include "base/json.h"
#include "jobs/purge.h"
#include "app/queue.h"
#include "search/search.h"
#include "base/secret.h"

enum { IDLE_MS = 250, PURGE_MS = 600000, MAX_TRIES = 5, RETRY_MS = 5000,
	UNKNOWN_MS = 60000 };

static jmp_buf escape;
static char failure[512];

static void
on_failure(void *ctx, enum db_failure f, const char *message)
{
	(void)ctx;
	(void)f;
	snprintf(failure, sizeof(failure), "%s", message);
	longjmp(escape, 1);
}

static int
complain(const char *why)
{
	fprintf(stderr, "octavo-jobs: %s\n", why);
	return 1;
}

static void
pause_ms(long ms)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000 };

	nanosleep(&t, NULL);
}

/* The lock, or -1 where another runner has it. */
static int
lock(struct arena *a, const char *dir)
{
	char *run = arena_printf(a, "%s/run", dir);
	int fd;

	mkdir(run, 0750);
	fd = open(arena_printf(a, "%s/jobs.lock", run), O_RDWR | O_CREAT | O_CLOEXEC, 0640);
	if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Another try, but not for ever. */
static void
put_off(struct db *db, const struct job *job, int64_t ms, const char *why)
{
	fprintf(stderr, "octavo-jobs: %s %s: %s\n", job->kind, job->id, why);
	db_begin(db, true);
	if (job->attempts < MAX_TRIES)
		job_retry(db, job->id, time_now() + ms, why);
	else
		job_end(db, job->id, "failed", why, NULL);
	db_commit(db);
}

/* A kind that is not known was queued by a newer program, whose runner may come soon. */
static void
run_job(struct db *db, struct arena *a, const struct settings *set, const struct job *job)
{
	if (strcmp(job->kind, "import") == 0) {
		import_run(db, a, set, job);
		return;
	}
	if (strcmp(job->kind, "index") == 0) {
		search_job(db, a, job);
		return;
	}
	put_off(db, job, UNKNOWN_MS, "this program does not know the kind of the job");
}


/* One job if one is due. */
static bool
work(struct db *db, const struct settings *set)
{
	struct arena *a = arena_new(16 << 20);
	struct job job = { .id = NULL };
	volatile bool found = false;

	if (setjmp(escape) == 0) {
		if ((found = job_claim(db, a, &job)))
			run_job(db, a, set, &job);
	} else {
		db_rollback(db);
		if (setjmp(escape) == 0 && job.id != NULL && !db_outdated(db))
			put_off(db, &job, RETRY_MS, failure);
		db_rollback(db);
	}
	arena_free(a);
	return found;
}

static void
purge_now_and_then(struct db *db, const struct settings *set, int64_t *last)
{
	struct arena *a;

	if (time_now() - *last < PURGE_MS)
		return;
	*last = time_now();
	a = arena_new(1 << 30);
	if (setjmp(escape) == 0)
		purge_run(db, a, set);
	else
		fprintf(stderr, "octavo-jobs: purge: %s\n", failure);
	db_rollback(db);
	arena_free(a);
}

static int
run(struct db *db, const struct settings *set, bool once)
{
	int64_t purged = 0;

	db_on_fail(db, on_failure, NULL);
	if (setjmp(escape) == 0)
		job_recover(db);
	for (;;) {
		purge_now_and_then(db, set, &purged);
		if (work(db, set) && !db_outdated(db))
			continue;
		if (db_outdated(db))
			return complain(failure);
		if (once)
			return 0;
		pause_ms(IDLE_MS);
	}
}

static const char *
open_data(struct arena *a, struct settings **set, struct db **db)
{
	const char *error;

	if ((*set = settings_env(a, &error)) == NULL || (error = secret_open(a, (*set)->dir)) != NULL)
		return error;
	if (lock(a, (*set)->dir) < 0)
		return "another runner works on this directory";
	*db = db_open(a, settings_db(a, *set), DB_READ_WRITE, NULL, &error);
	if (*db == NULL)
		return error;
	db_prepare_all(*db);
	return NULL;
}

int
main(int argc, char **argv)
{
	bool once = argc == 2 && strcmp(argv[1], "--once") == 0;
	struct arena *a;
	struct settings *set;
	struct db *db = NULL;
	const char *error;
	int rc;

	if (argc > 1 && !once)
		return complain("usage: octavo-jobs [--once]") + 1;
	umask(027);
	signal(SIGPIPE, SIG_IGN);
	a = arena_new(1 << 20);
	if ((error = open_data(a, &set, &db)) != NULL)
		/* A second runner is no failure: the first one does the work. */
		rc = complain(error) - (strncmp(error, "another runner", 14) == 0);
	else
		rc = run(db, set, once);
	db_close(db);
	arena_free(a);
	return rc;
}
