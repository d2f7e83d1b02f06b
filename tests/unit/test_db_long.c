/* Long work beside other writers (db/db.h, "Long work"): who waits gets the lock before the step is over. */
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "db_fixture.h"

SQL(q_write, "UPDATE account SET name = name || 'x'");
SQL(q_length, "SELECT max(length(name)) FROM account");

/* Longer than a test may take: without a waiting writer, no step ends. */
#define LONG_STEP_US INT64_C(3600000000)

static struct db *
connect_to(struct fixture *f)
{
	const char *error = NULL;
	struct db *db = db_open(f->arena, arena_printf(f->arena, "%s/octavo.db", f->dir), DB_READ_WRITE,
	    &(struct db_options){ .relaxed = true, .busy_ms = 60000 }, &error);

	assert_null(error);
	return db;
}

/* The connection whose work is long. */
static struct db *
connect_long(struct fixture *f)
{
	struct db *db;

	mkdir(arena_printf(f->arena, "%s/run", f->dir), 0700);
	db = connect_to(f);
	db_watch(db, LONG_STEP_US, NULL, NULL);
	return db;
}

static void
write_once(struct db *db)
{
	db_begin(db, true);
	stmt_run(db_use(db, &q_write));
	db_commit(db);
}

/*
 * Another process that writes once begin_writing() was called, as soon as it gets the lock. It is forked
 * while no lock is held, since SQLite would take the parent's locks for its own.
 */
struct writer { pid_t pid; int start; };

static struct writer
other_writer(struct fixture *f)
{
	int ends[2];
	pid_t pid;
	char c;

	assert_int_equal(pipe(ends), 0);
	if ((pid = fork()) == 0) {
		/* Ends the process even if the test fails. */
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (read(ends[0], &c, 1) == 1)
			write_once(connect_to(f));
		_exit(0);
	}
	close(ends[0]);
	return (struct writer){ pid, ends[1] };
}

static void
begin_writing(struct writer w)
{
	assert_int_equal(write(w.start, "x", 1), 1);
	close(w.start);
}

/* False after a minute. */
static bool
is_due_in_time(struct db *db)
{
	for (int i = 0; i < 60000 && !db_due(db); i++)
		usleep(1000);
	return db_due(db);
}

static void
a_waiting_writer_gets_the_lock_before_the_step_is_over(void **state)
{
	struct fixture *f = *state;
	struct writer other = other_writer(f);
	struct db *db = connect_long(f);
	int64_t before;

	db_begin(db, true);
	before = stmt_int(db_use(db, &q_length), 0);
	assert_false(db_due(db));
	begin_writing(other);
	assert_true(is_due_in_time(db));
	/* The other process writes while this call has released the lock, or soon after a machine that is very busy. */
	do
		db_breathe(db);
	while (stmt_int(db_use(db, &q_length), 0) == before && is_due_in_time(db));
	assert_int_equal(stmt_int(db_use(db, &q_length), 0), before + 1);
	db_commit(db);
	waitpid(other.pid, NULL, 0);
	db_close(db);
}

static void
nothing_is_committed_while_nobody_waits(void **state)
{
	struct fixture *f = *state;
	struct db *db = connect_long(f);
	int64_t before;

	db_begin(f->db, false);
	before = stmt_int(db_use(f->db, &q_length), 0);
	db_rollback(f->db);
	db_begin(db, true);
	stmt_run(db_use(db, &q_write));
	usleep(20000);
	db_breathe(db);
	db_begin(f->db, false);
	assert_int_equal(stmt_int(db_use(f->db, &q_length), 0), before);
	db_rollback(f->db);
	db_commit(db);
	db_close(db);
}

static void
a_writer_that_died_while_it_waited_is_forgotten(void **state)
{
	struct fixture *f = *state;
	struct writer other = other_writer(f);
	struct db *db = connect_long(f);

	db_begin(db, true);
	begin_writing(other);
	assert_true(is_due_in_time(db));
	kill(other.pid, SIGKILL);
	waitpid(other.pid, NULL, 0);
	usleep(50000);
	assert_false(db_due(db));
	db_commit(db);
	db_close(db);
}

static void
fail_busy(void *ctx, enum db_failure f, const char *message)
{
	(void)message;
	assert_int_equal(f, DB_BUSY);
	longjmp(*(jmp_buf *)ctx, 1);
}

/* The usual wait of this connection is longer than a test may take. */
static void
a_wait_may_be_made_brief(void **state)
{
	struct fixture *f = *state;
	struct db *db = connect_to(f);
	jmp_buf escape;

	db_begin(f->db, true);
	db_on_fail(db, fail_busy, &escape);
	db_patience(db, 5);
	if (setjmp(escape) == 0) {
		db_begin(db, true);
		fail();
	}
	db_rollback(f->db);
	write_once(db);
	db_close(db);
}

/* A copy of the database, say, has no folder "run". */
static void
without_the_shared_file_steps_end_by_time(void **state)
{
	struct fixture *f = *state;
	struct db *db = connect_to(f);

	db_begin(db, true);
	usleep(DB_STEP_REQUEST_MS * 1000);
	assert_true(db_due(db));
	db_breathe(db);
	assert_true(db_writing(db));
	db_commit(db);
	db_close(db);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_waiting_writer_gets_the_lock_before_the_step_is_over, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(nothing_is_committed_while_nobody_waits, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_writer_that_died_while_it_waited_is_forgotten, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_wait_may_be_made_brief, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(without_the_shared_file_steps_end_by_time, db_setup, db_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
