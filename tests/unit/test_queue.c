/* The job queue: order, one job per space at a time, retries, recovery, deletion of secrets. */
#include "db_fixture.h"

#include "base/json.h"
#include "app/queue.h"

SQL(q_state, "SELECT state FROM job WHERE id = :id");
SQL(q_secret, "SELECT count(*) FROM job WHERE id = :id AND secret IS NOT NULL");
SQL(q_warnings, "SELECT count(*) FROM job_warning WHERE job = :id");
SQL(q_ask, "UPDATE job SET cancel = 1 WHERE id = :id");
SQL(q_age, "UPDATE job SET created_at = created_at + :ms, run_at = run_at + :ms WHERE id = :id");

static char *
add(struct fixture *f, const char *space, int64_t age)
{
	struct job job = { .kind = "import", .space = space, .queue = space, .user = f->user, .args = "{}",
		.secret = STR("sealed") };
	struct stmt *q;
	char *id;

	db_begin(f->db, true);
	id = job_add(f->db, f->arena, &job, 0);
	/* Jobs queued in the same millisecond would be ordered by their random ids. */
	q = db_use(f->db, &q_age);
	bind_int(q, ":ms", age);
	bind_text(q, ":id", id);
	stmt_run(q);
	db_commit(f->db);
	return id;
}

static const char *
state_of(struct fixture *f, const char *id)
{
	struct stmt *q;
	char *text = NULL;

	db_begin(f->db, false);
	q = db_use(f->db, &q_state);
	bind_text(q, ":id", id);
	if (stmt_step(q))
		text = col_dup(q, 0, f->arena);
	db_rollback(f->db);
	return text;
}

static int64_t
count(struct fixture *f, const struct sql *sql, const char *id)
{
	struct stmt *q;
	int64_t n;

	db_begin(f->db, false);
	q = db_use(f->db, sql);
	bind_text(q, ":id", id);
	n = stmt_int(q, -1);
	db_rollback(f->db);
	return n;
}

static void
finish(struct fixture *f, const char *id, const char *end)
{
	db_begin(f->db, true);
	job_end(f->db, id, end, NULL, "{}");
	db_commit(f->db);
}

static void
jobs_are_claimed_in_order(void **state)
{
	struct fixture *f = *state;
	char *one = add(f, f->space, -300), *two = add(f, f->space, -200), *three = add(f, NULL, -100);
	struct job job;

	assert_true(claim_job(f->db, f->arena, &job));
	assert_string_equal(job.id, one);
	assert_int_equal(job.attempts, 1);
	assert_true(str_is(job.secret, "sealed"));
	/* The second job of the space waits for the first; a job without a space does not. */
	assert_true(claim_job(f->db, f->arena, &job));
	assert_string_equal(job.id, three);
	assert_false(claim_job(f->db, f->arena, &job));
	finish(f, one, "done");
	assert_string_equal(state_of(f, one), "done");
	assert_int_equal(count(f, &q_secret, one), 0);
	assert_int_equal(count(f, &q_secret, two), 1);
	assert_true(claim_job(f->db, f->arena, &job));
	assert_string_equal(job.id, two);
	finish(f, two, "failed");
	finish(f, three, "cancelled");
	assert_false(claim_job(f->db, f->arena, &job));
	assert_int_equal(job_next(f->db), -1);
}

/* One user queues JOBS_WAITING jobs, all of them before the single job of another user. */
static void
users_share_the_queue_fairly(void **state)
{
	struct fixture *f = *state;
	struct job job = { .kind = "import", .user = "many", .args = "{}" };
	const char *error = NULL;
	char *last;
	int i;

	assert_true(db_script(f->db, f->arena, "INSERT INTO account (id, email, name, created_at) VALUES "
	    "('many', 'many@example.com', 'Many', 0), ('one', 'one@example.com', 'One', 0)", &error));
	db_begin(f->db, true);
	for (i = 0; i < JOBS_WAITING; i++) {
		assert_false(job_many(f->db, "many"));
		job_add(f->db, f->arena, &job, 1 + i);
	}
	assert_true(job_many(f->db, "many"));
	assert_false(job_many(f->db, "one"));
	job.user = "one";
	last = job_add(f->db, f->arena, &job, 1000);
	db_commit(f->db);
	assert_true(claim_job(f->db, f->arena, &job));
	assert_string_equal(job.user, "many");
	finish(f, job.id, "done");
	assert_true(claim_job(f->db, f->arena, &job));
	assert_string_equal(job.user, "many");
	assert_true(claim_job(f->db, f->arena, &job));
	assert_string_equal(job.id, last);
	assert_true(claim_job(f->db, f->arena, &job));
	assert_string_equal(job.user, "many");
	assert_false(job_many(f->db, "many"));
}

/* Queues a job of an owner that is due at this time. */
static void
queue_one(struct fixture *f, const char *kind, const char *user, const char *org, int64_t at)
{
	db_begin(f->db, true);
	job_add(f->db, f->arena, &(struct job){ .kind = kind, .user = user, .org = org, .args = "{}" }, at);
	db_commit(f->db);
}

static void
people(struct fixture *f)
{
	const char *error = NULL;

	assert_true(db_script(f->db, f->arena, "INSERT INTO account (id, email, name, created_at) VALUES "
	    "('a', 'a@x.example', 'A', 0), ('b', 'b@x.example', 'B', 0), ('c', 'c@x.example', 'C', 0);"
	    "INSERT INTO org (id, title, created_at) VALUES ('A', 'A', 0), ('B', 'B', 0), ('C', 'C', 0)",
	    &error));
}

/* Claims all jobs that a lane of this size takes; returns their owners: "a/A b/B ". */
static char *
taken(struct fixture *f, enum job_lane lane, size_t size, size_t *running)
{
	char *out = "";
	struct job job;

	while (job_claim(f->db, f->arena, "runner", lane, size - *running, &job)) {
		assert_int_equal(job.lane, lane);
		++*running;
		out = arena_printf(f->arena, "%s%s/%s ", out, job.user, job.org);
	}
	return out;
}

/*
 * Sixty imports of one person leave room for others, and jobs that wait for remote servers leave
 * room for all local ones.
 */
static void
nobody_holds_a_lane(void **state)
{
	struct fixture *f = *state;
	size_t remote = 0, local = 0;
	int i;

	people(f);
	for (i = 0; i < 60; i++)
		queue_one(f, i % 2 == 0 ? "import" : "openapi", "a", "A", 1 + i);
	assert_string_equal(taken(f, JOB_REMOTE, 4, &remote), "a/A a/A ");
	queue_one(f, "git", "b", "B", 1000);
	queue_one(f, "upload", "b", "B", 1001);
	assert_string_equal(taken(f, JOB_REMOTE, 4, &remote), "b/B ");
	queue_one(f, "export", "c", "C", 1002);
	assert_string_equal(taken(f, JOB_REMOTE, 4, &remote), "c/C ");
	queue_one(f, "pdf", "a", "A", 1003);
	queue_one(f, "index", "c", "C", 1004);
	assert_string_equal(taken(f, JOB_LOCAL, 3, &local), "a/A c/C ");
	/* With a lane of one place the job is still taken. */
	queue_one(f, "translate", "a", "A", 1005);
	remote = 0;
	assert_string_equal(taken(f, JOB_LONG, 1, &remote), "a/A ");
}

/* Members of one organization share its part of the lane, and so do all organizations of one person. */
static void
owners_are_people_and_organizations(void **state)
{
	struct fixture *f = *state;
	size_t running = 0;

	people(f);
	queue_one(f, "import", "a", "A", 1);
	queue_one(f, "import", "a", "B", 2);
	queue_one(f, "import", "a", "C", 3);
	queue_one(f, "import", "b", "A", 4);
	queue_one(f, "import", "b", "A", 5);
	/* b has no running job, but organization A already has one by a. */
	assert_string_equal(taken(f, JOB_REMOTE, 5, &running), "a/A a/B b/A ");
	/* Of two users with equally many jobs, the one whose organization has fewer comes first. */
	queue_one(f, "import", "c", "C", 6);
	queue_one(f, "import", "c", "A", 7);
	assert_string_equal(taken(f, JOB_REMOTE, 5, &running), "c/C ");
}

/* A job of hours lets one go first that waits and may have its place, once its turn is over. */
static void
a_long_job_gives_its_place_to_one_that_waits(void **state)
{
	struct fixture *f = *state;
	struct job one, two, next;

	people(f);
	queue_one(f, "translate", "a", "A", 1);
	queue_one(f, "conversations", "b", "B", 2);
	assert_true(job_claim(f->db, f->arena, "runner", JOB_LONG, 2, &one));
	assert_true(job_claim(f->db, f->arena, "runner", JOB_LONG, 1, &two));
	one.began = two.began = time_steady() - JOB_TURN_MS;
	assert_false(job_turn_over(f->db, &one));
	/* Jobs of other lanes, and those that have just become due, wait for no place of this lane. */
	queue_one(f, "pdf", "c", "C", 3);
	queue_one(f, "translate", "c", "C", time_now() - 1);
	assert_false(job_turn_over(f->db, &one));
	/* One of the same owner gets this job's place, but not that of another owner. */
	queue_one(f, "translate", "a", "A", 4);
	assert_true(job_turn_over(f->db, &one));
	assert_false(job_turn_over(f->db, &two));
	queue_one(f, "conversations", "c", "C", 5);
	assert_true(job_turn_over(f->db, &two));
	two.began = time_steady();
	assert_false(job_turn_over(f->db, &two));
	/* It goes on when all that waited have ended, and no attempt is counted. */
	job_give_turn(f->db, one.id);
	assert_string_equal(state_of(f, one.id), "queued");
	for (int i = 0; i < 3; i++) {
		assert_true(job_claim(f->db, f->arena, "runner", JOB_LONG, 1, &next));
		assert_string_not_equal(next.id, one.id);
		finish(f, next.id, "done");
	}
	assert_true(job_claim(f->db, f->arena, "runner", JOB_LONG, 1, &next));
	assert_string_equal(next.id, one.id);
	assert_int_equal(next.attempts, 1);
	/* A job that ended meanwhile is not queued again. */
	finish(f, next.id, "done");
	job_give_turn(f->db, next.id);
	assert_string_equal(state_of(f, next.id), "done");
}

static void
a_failed_job_is_tried_again(void **state)
{
	struct fixture *f = *state;
	char *one = add(f, f->space, -300), *two = add(f, f->space, -200);
	int64_t later = time_now() + 3600000;
	struct job job;

	assert_true(claim_job(f->db, f->arena, &job));
	db_begin(f->db, true);
	job_warn(f->db, one, 1, "a.md", 3, "of the first attempt");
	job_retry(f->db, one, later, "the host does not answer");
	db_commit(f->db);
	assert_string_equal(state_of(f, one), "queued");
	/* A job that waits for its next attempt does not block others. */
	assert_true(claim_job(f->db, f->arena, &job));
	assert_string_equal(job.id, two);
	assert_true(job_next(f->db) > 0);
	db_begin(f->db, true);
	job_retry(f->db, one, time_now(), "once more");
	db_commit(f->db);
	/* When it is due it must wait: a space has one job at a time. */
	assert_false(claim_job(f->db, f->arena, &job));
	finish(f, two, "done");
	assert_true(claim_job(f->db, f->arena, &job));
	assert_string_equal(job.id, one);
	assert_int_equal(job.attempts, 2);
	/* Warnings of an earlier attempt are deleted. */
	assert_int_equal(count(f, &q_warnings, one), 0);
	finish(f, one, "timeout");
	assert_false(claim_job(f->db, f->arena, &job));
}

/* A schedule queues a job when it is due, and skips a turn while its last job is running. */
static void
a_schedule_queues_its_job(void **state)
{
	struct fixture *f = *state;
	struct schedule s = { .id = "test:1", .job = { .kind = "purge", .org = f->org, .args = "{\"a\":1}" },
		.every = 3600000 };
	struct job job;

	db_begin(f->db, true);
	schedule_put(f->db, &s);
	db_commit(f->db);
	assert_int_equal(schedule_run(f->db, f->arena), 1);
	assert_int_equal(schedule_run(f->db, f->arena), 0);
	assert_true(claim_job(f->db, f->arena, &job));
	assert_string_equal(job.kind, "purge");
	assert_string_equal(job.org, f->org);
	assert_string_equal(job.args, "{\"a\":1}");
	assert_true(job_claimed(f->db, f->arena, job.id, job.claims, &job));
	assert_int_equal(job.attempts, 1);
	/* It is due again, but its job has not ended. */
	s.next_at = 1;
	db_begin(f->db, true);
	schedule_put(f->db, &s);
	db_commit(f->db);
	assert_int_equal(schedule_run(f->db, f->arena), 0);
	finish(f, job.id, "done");
	assert_false(job_claimed(f->db, f->arena, job.id, job.claims, &job));
	db_begin(f->db, true);
	schedule_put(f->db, &s);
	db_commit(f->db);
	assert_int_equal(schedule_run(f->db, f->arena), 1);
	assert_true(claim_job(f->db, f->arena, &job));
	finish(f, job.id, "done");
	db_begin(f->db, true);
	schedule_put(f->db, &s);
	schedule_drop(f->db, s.id);
	db_commit(f->db);
	assert_int_equal(schedule_run(f->db, f->arena), 0);
}

/* A change that comes while the schedule's job runs gets a job when that one has ended. */
static void
a_change_during_the_job_has_its_own(void **state)
{
	struct fixture *f = *state;
	struct schedule s = { .id = "test:3", .job = { .kind = "purge", .args = "{}" }, .every = 3600000 };
	struct job job;

	db_begin(f->db, true);
	schedule_put(f->db, &s);
	db_commit(f->db);
	assert_int_equal(schedule_run(f->db, f->arena), 1);
	assert_true(claim_job(f->db, f->arena, &job));
	db_begin(f->db, true);
	assert_true(schedule_soon(f->db, s.id));
	db_commit(f->db);
	assert_int_equal(schedule_run(f->db, f->arena), 0);
	finish(f, job.id, "done");
	assert_int_equal(schedule_run(f->db, f->arena), 1);
	assert_int_equal(schedule_run(f->db, f->arena), 0);
	assert_true(claim_job(f->db, f->arena, &job));
	finish(f, job.id, "done");
	db_begin(f->db, true);
	schedule_drop(f->db, s.id);
	db_commit(f->db);
}

/* A job was queued while the clock was years ahead; now the clock is right again. */
static void
a_clock_that_was_set_back_does_no_harm(void **state)
{
	struct fixture *f = *state;
	struct schedule s = { .id = "test:2", .job = { .kind = "purge", .args = "{}" }, .every = 60000 };
	struct job job = { .kind = "purge", .args = "{}" };
	int64_t soon = time_now() + 600000;

	db_begin(f->db, true);
	job_add(f->db, f->arena, &job, soon + INT64_C(31536000000));
	job_add(f->db, f->arena, &job, soon);
	s.next_at = soon + INT64_C(31536000000);
	schedule_put(f->db, &s);
	db_commit(f->db);
	assert_false(claim_job(f->db, f->arena, &job));
	job_reclock(f->db);
	/* The first is due now; the second was postponed and still waits. */
	assert_true(claim_job(f->db, f->arena, &job));
	finish(f, job.id, "done");
	assert_false(claim_job(f->db, f->arena, &job));
	assert_int_equal(schedule_run(f->db, f->arena), 1);
	assert_true(claim_job(f->db, f->arena, &job));
	finish(f, job.id, "done");
	job_reclock(f->db);
	assert_false(claim_job(f->db, f->arena, &job));
	assert_int_equal(schedule_run(f->db, f->arena), 0);
	assert_int_equal(job_next(f->db), soon);
	db_begin(f->db, true);
	schedule_drop(f->db, s.id);
	db_commit(f->db);
}

static void
a_job_waits_for_its_time(void **state)
{
	struct fixture *f = *state;
	struct job job = { .kind = "purge", .args = "{}" };
	int64_t later = time_now() + 3600000;
	char *id;

	db_begin(f->db, true);
	id = job_add(f->db, f->arena, &job, later);
	db_commit(f->db);
	assert_false(claim_job(f->db, f->arena, &job));
	assert_int_equal(job_next(f->db), later);
	finish(f, id, "cancelled");
}

static void
interrupted_jobs_are_queued_again(void **state)
{
	struct fixture *f = *state;
	char *one = add(f, f->space, -300);
	struct job job;

	assert_true(claim_job(f->db, f->arena, &job));
	assert_string_equal(state_of(f, one), "running");
	assert_int_equal(job_recover(f->db), 1);
	assert_string_equal(state_of(f, one), "queued");
	assert_int_equal(job_recover(f->db), 0);
	assert_true(claim_job(f->db, f->arena, &job));
	assert_int_equal(job.attempts, 2);
	assert_true(str_is(job.secret, "sealed"));
	finish(f, one, "done");
	assert_int_equal(job_recover(f->db), 0);
	assert_string_equal(state_of(f, one), "done");
}

static void
a_job_has_progress_and_may_be_cancelled(void **state)
{
	struct fixture *f = *state;
	char *one = add(f, f->space, 0);
	struct stmt *q;
	struct job job;

	assert_true(claim_job(f->db, f->arena, &job));
	assert_true(job_progress(f->db, one, "reading", 1, 10));
	db_begin(f->db, true);
	q = db_use(f->db, &q_ask);
	bind_text(q, ":id", one);
	stmt_run(q);
	db_commit(f->db);
	assert_false(job_progress(f->db, one, "reading", 2, 10));
	finish(f, one, "cancelled");
}

static jmp_buf failed;

static void
on_failure(void *ctx, enum db_failure why, const char *message)
{
	(void)message;
	*(enum db_failure *)ctx = why;
	longjmp(failed, 1);
}

/* A job queued by a newer program may have a form that this one does not know. */
static void
takes_no_job_of_another_schema(void **state)
{
	struct fixture *f = *state;
	char *id = add(f, NULL, 0);
	enum db_failure why = DB_BUSY;
	const char *error = NULL;
	struct job job;
	struct db *other = db_open(f->arena, arena_printf(f->arena, "%s/octavo.db", f->dir),
	    DB_ANY_VERSION, NULL, &error);

	assert_true(db_script(other, f->arena, arena_printf(f->arena, "PRAGMA user_version = %d",
	    db_latest() + 1), &error));
	db_on_fail(f->db, on_failure, &why);
	if (setjmp(failed) == 0)
		assert_false(claim_job(f->db, f->arena, &job));
	assert_int_equal(why, DB_SCHEMA);
	db_rollback(f->db);
	assert_true(db_script(other, f->arena, arena_printf(f->arena, "PRAGMA user_version = %d",
	    db_latest()), &error));
	db_close(f->db);
	f->db = other;
	assert_string_equal(state_of(f, id), "queued");
}

/*
 * A statement left open outside of a transaction keeps a snapshot while others write: a transaction
 * begun afterwards must not fail with "database is locked".
 */
static void
writes_after_a_row_left_open(void **state)
{
	struct fixture *f = *state;
	char *id = add(f, NULL, 0);
	const char *error = NULL;
	struct job job;
	struct db *other = db_open(f->arena, arena_printf(f->arena, "%s/octavo.db", f->dir),
	    DB_READ_WRITE, NULL, &error);

	assert_true(claim_job(f->db, f->arena, &job));
	assert_true(job_claimed(f->db, f->arena, id, job.claims, &job));
	assert_true(job_progress(other, id, "elsewhere", 1, 2));
	assert_true(job_progress(f->db, id, "here", 2, 2));
	db_close(other);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_long_job_gives_its_place_to_one_that_waits, db_setup, db_teardown),
		cmocka_unit_test(jobs_are_claimed_in_order), cmocka_unit_test(a_failed_job_is_tried_again),
		cmocka_unit_test(a_job_waits_for_its_time),
		cmocka_unit_test(a_schedule_queues_its_job),
		cmocka_unit_test(a_change_during_the_job_has_its_own),
		cmocka_unit_test_setup_teardown(users_share_the_queue_fairly, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(nobody_holds_a_lane, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(owners_are_people_and_organizations, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_clock_that_was_set_back_does_no_harm, db_setup, db_teardown),
		cmocka_unit_test(interrupted_jobs_are_queued_again), cmocka_unit_test(a_job_has_progress_and_may_be_cancelled),
		cmocka_unit_test_setup_teardown(writes_after_a_row_left_open, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(takes_no_job_of_another_schema, db_setup, db_teardown) };

	return cmocka_run_group_tests(tests, db_setup, db_teardown);
}
