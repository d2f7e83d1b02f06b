/*
 * Processes of jobs. The pool starts this test program again, which then exits with 1: the job is
 * postponed. If the database fails at that moment, the job is settled later.
 */
#include "db_fixture.h"

#include "app/queue.h"
#include "base/json.h"
#include "jobs/pool.h"

static jmp_buf failed;

static void
on_failure(void *ctx, enum db_failure why, const char *message)
{
	(void)ctx;
	(void)why;
	(void)message;
	longjmp(failed, 1);
}

static void
take_text(void *ctx, struct stmt *q)
{
	snprintf(ctx, 16, "%s", col_text(q, 0));
}

static void
has_state(struct fixture *f, const char *want)
{
	const char *error = NULL;
	char state[16] = "";

	assert_true(db_each(f->db, f->arena, "SELECT state FROM job", take_text, state, &error));
	assert_string_equal(state, want);
}

static struct pool *
begin(struct fixture *f, const struct settings *set, const char *kind)
{
	struct pool *p = pool_new(f->arena, f->db, set);
	struct job job = { .kind = kind, .space = f->space, .queue = f->space, .user = f->user, .args = "{}" };

	db_begin(f->db, true);
	job_add(f->db, f->arena, &job, 0);
	db_commit(f->db);
	assert_true(claim_job(f->db, f->arena, &job));
	pool_start(p, &job);
	return p;
}

static struct pool *
start(struct fixture *f, const struct settings *set)
{
	struct pool *p = begin(f, set, "import");

	assert_int_equal(pool_count(p), 1);
	assert_int_equal(pool_room(p, JOB_REMOTE), set->job_remote - 1);
	assert_int_equal(pool_room(p, JOB_LOCAL), set->job_processes);
	return p;
}

static void
puts_off_what_ended_early(void **state)
{
	struct fixture *f = *state;
	struct settings set = db_settings(f);
	struct pool *p = start(f, &set);

	while (pool_count(p) > 0)
		pool_wait(p, 1000);
	assert_int_equal(pool_room(p, JOB_REMOTE), set.job_remote);
	has_state(f, "queued");
}

/* Queueing a job writes to the database, which wakes the runner before its next poll. */
static void
a_queued_job_wakes_the_runner(void **state)
{
	struct fixture *f = *state;
	struct settings set = db_settings(f);
	struct pool *p = pool_new(f->arena, f->db, &set);
	struct job job = { .kind = "import", .space = f->space, .queue = f->space, .user = f->user, .args = "{}" };
	int64_t before = time_steady();

	/* If no job is due, the write lock is not taken. */
	assert_false(claim_job(f->db, f->arena, &(struct job){ 0 }));
	db_begin(f->db, true);
	job_add(f->db, f->arena, &job, 0);
	db_commit(f->db);
	pool_wait(p, 20000);
	assert_true(time_steady() - before < 10000);
	assert_true(claim_job(f->db, f->arena, &job));
}

/* PDF jobs run a separate program, which is missing in the folder of the tests. */
static void
tells_of_a_program_that_is_missing(void **state)
{
	struct fixture *f = *state;
	struct settings set = db_settings(f);
	struct pool *p = begin(f, &set, "pdf");
	const char *error = NULL;
	char said[16] = "";

	assert_int_equal(pool_count(p), 0);
	assert_int_equal(pool_room(p, JOB_LOCAL), set.job_processes);
	has_state(f, "queued");
	assert_true(db_each(f->db, f->arena, "SELECT substr(error, 1, 15) FROM job", take_text, said, &error));
	assert_string_equal(said, "octavo-pdf is n");
}

/* Each step of settling fails once: the process is still settled. */
static void
settles_again_after_a_failure(void **state)
{
	struct fixture *f = *state;
	struct settings set = db_settings(f);
	struct pool *volatile p = start(f, &set);
	volatile int64_t nth = 1;
	volatile int failures = 0;

	db_on_fail(f->db, on_failure, NULL);
	if (setjmp(failed) != 0) {
		db_rollback(f->db);
		failures++;
		nth++;
	}
	db_fault(f->db, nth, DB_BUSY);
	while (pool_count(p) > 0)
		pool_wait(p, 1000);
	db_fault(f->db, 0, DB_BUSY);
	assert_true(failures >= 2);
	has_state(f, "queued");
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(puts_off_what_ended_early, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_queued_job_wakes_the_runner, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(tells_of_a_program_that_is_missing, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(settles_again_after_a_failure, db_setup, db_teardown) };

	if (argc == 4 && strcmp(argv[1], "--job") == 0)
		return 1;
	return cmocka_run_group_tests_name("pool", tests, NULL, NULL);
}
