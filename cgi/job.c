/* Runs one job in a process of its own. Contract: cgi/job.h. */
#include <errno.h>
#include <malloc.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/database.h"
#include "base/file.h"
#include "base/log.h"
#include "base/priority.h"
#include "base/secret.h"
#include "base/watch.h"
#include "job.h"

static jmp_buf escape;
static char failure[512];

int
job_complain(const char *why)
{
	log_line("%s", why);
	return 1;
}

/* Answer in the CGI format (RFC 3875 section 6), or the web server reports an error 500. */
bool
job_called_over_http(void)
{
	if (getenv("GATEWAY_INTERFACE") == NULL && getenv("REQUEST_METHOD") == NULL)
		return false;
	printf("Status: 404 Not Found\r\nContent-Type: application/json\r\nCache-Control: no-store\r\n\r\n"
	    "{\"error\":{\"code\":404,\"message\":\"there is nothing at this address\"}}");
	job_complain("started as a CGI program, which it is not: move it out of the web server's folder");
	return true;
}

/* After DB_LOST a retry would fail the same way, after DB_AGAIN it may succeed at once. */
static enum db_failure failed_as;

/*
 * The database calls this in the middle of a statement. longjmp() is safe: the code between here
 * and setjmp() owns nothing but arena memory.
 */
static void
on_failure(void *ctx, enum db_failure f, const char *message)
{
	(void)ctx;
	failed_as = f;
	snprintf(failure, sizeof(failure), "%s", message);
	longjmp(escape, 1);
}

/*
 * A failure while the first one is handled would be followed by a third: it ends the process, whose
 * job the runner puts off.
 */
static void
on_second_failure(void *ctx, enum db_failure f, const char *message)
{
	(void)ctx;
	(void)f;
	exit(job_complain(message));
}

/*
 * Checkpoints the WAL to keep it short. With OCTAVO_JOB_TIMES=1, prints the longest time for which
 * other writers were blocked (for `make bench`).
 */
static void
note_done(struct db *db, const char *kind)
{
	const char *wanted = getenv("OCTAVO_JOB_TIMES");

	db_checkpoint(db);
	if (wanted != NULL && strcmp(wanted, "1") == 0)
		fprintf(stderr, "octavo-jobs: %s: longest write transaction %lld us, %lld us of processor\n", kind,
		    (long long)db_longest(db, true), (long long)db_longest_work(db, true));
}

/*
 * Marks the job as failed. A statement that fails here ends the process; the runner treats that
 * like a killed job.
 */
static void
end_lost(struct db *db, const char *id)
{
	db_rollback(db);
	db_on_fail(db, NULL, NULL);
	db_begin(db, true);
	job_end(db, id, "failed", failure, NULL);
	db_commit(db);
}

/* Runs the work once; 1: it failed. */
static int
try_job(struct db *db, struct arena *a, const struct settings *set, const struct job_claim *claim, struct job *job, job_work *work)
{
	if (setjmp(escape) != 0)
		return 1;
	if (claim == NULL || (db_hold(db, claim->id) && job_claimed(db, a, claim->id, claim->number, job)))
		work(db, a, set, job);
	return 0;
}

/*
 * Returns 0 if the job ended or put itself off; otherwise the runner ends it or puts it off. A job
 * that met another transaction begins again at once, as it would after its process was killed.
 */
static int
run_job(struct db *db, const struct settings *set, const struct job_claim *claim, size_t size, job_work *work)
{
	enum { REPLAYS = 20 };
	struct arena *a = arena_new(size);
	struct job job = { 0 };
	int rc, replays = 0;

	db_on_fail(db, on_failure, NULL);
	while ((rc = try_job(db, a, set, claim, &job, work)) != 0 && failed_as == DB_AGAIN && replays++ < REPLAYS) {
		db_on_fail(db, on_second_failure, NULL);
		db_rollback(db);
		arena_reset(a);
		job = (struct job){ 0 };
		db_on_fail(db, on_failure, NULL);
	}
	/* There is nothing to jump to any more. */
	db_on_fail(db, on_second_failure, NULL);
	if (rc != 0) {
		job_complain(failure);
		if (failed_as == DB_LOST && claim != NULL)
			end_lost(db, claim->id);
	}
	/*
	 * Rolls back a transaction that a failed statement, or cancelled housekeeping, has left
	 * open.
	 */
	db_rollback(db);
	/* Also after a failure: the job may have written much before it. */
	note_done(db, claim == NULL ? "purge" : rc == 0 && job.kind != NULL ? job.kind : "job");
	arena_free(a);
	return rc;
}

/*
 * Keep freed memory in the process: a job allocates and frees the same memory for each of thousands
 * of pages, and the system clears memory each time it hands it out.
 */
static void
keep_memory(void)
{
	enum { SPARE = 32 << 20 };

	arena_spare(SPARE);
	mallopt(M_TRIM_THRESHOLD, SPARE);
	mallopt(M_MMAP_THRESHOLD, SPARE);
}

static const char *
open_data(struct arena *a, struct settings **set, struct db **db)
{
	const char *error;

	if ((*set = settings_env(a, &error)) == NULL || (error = secret_open(a, (*set)->dir)) != NULL)
		return error;
	*db = database_open(a, (*set)->dir, DB_READ_WRITE, &(struct db_options){ .job = true }, &error);
	return *db == NULL ? error : NULL;
}

int
job_process(const struct job_claim *claim, size_t arena, job_work *work)
{
	enum { NICE = 5 };
	struct arena *a = arena_new(1 << 20);
	struct settings *set;
	struct db *db = NULL;
	const char *error;
	int rc;

	log_id(claim == NULL ? NULL : claim->id);
	keep_memory();
	/* Lower the priority: on a busy machine, requests of waiting users go first. */
	if (!priority_lower(NICE) && nice(NICE) < 0)
		log_line("nice: %s", strerror(errno));
	error = open_data(a, &set, &db);
	if (error == NULL) {
		watch_open(set->dir);
		watch_join();
	}
	rc = error != NULL ? job_complain(error) : run_job(db, set, claim, arena, work);
	db_close(db);
	arena_free(a);
	return rc;
}

bool
job_claim_read(int argc, char **argv, struct job_claim *out)
{
	if (argc != 4 || strcmp(argv[1], "--job") != 0)
		return false;
	*out = (struct job_claim){ argv[2], strtoll(argv[3], NULL, 10) };
	return true;
}

int
job_main(int argc, char **argv, const char *name, job_work *work)
{
	struct job_claim claim;

	log_program(name);
	if (job_called_over_http())
		return 1;
	if (!job_claim_read(argc, argv, &claim))
		return job_complain("octavo-jobs starts this program, for each job of its kinds") + 1;
	umask(OWN_UMASK);
	signal(SIGPIPE, SIG_IGN);
	return job_process(&claim, JOB_ARENA, work);
}
