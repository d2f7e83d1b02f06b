/* db_ahead(): rows of statements that were run ahead, in one round trip. */
#include <time.h>

#include "../../src/db/postgres/db_pg.h"
#include "../unit/db_fixture.h"

/* When the server ran it, in microseconds. */
SQL_TWO(q_when, NULL, "SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS BIGINT), CAST(:n AS BIGINT), CAST(:t AS TEXT)");
SQL_TWO(q_fails, NULL, "SELECT 10 / CAST(:n AS BIGINT)");

static jmp_buf failed;

static void
on_failure(void *ctx, enum db_failure why, const char *message)
{
	(void)message;
	*(enum db_failure *)ctx = why;
	longjmp(failed, 1);
}

static int64_t
now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return t.tv_sec * 1000000LL + t.tv_nsec / 1000;
}

static const char *const texts[] = { "a", "", NULL, "ab" };

static void
bind_when(struct stmt *q, size_t i, void *ctx)
{
	(void)ctx;
	bind_int(q, ":n", (int64_t)i);
	bind_text(q, ":t", texts[i]);
}

static void
bind_fails(struct stmt *q, size_t i, void *ctx)
{
	(void)ctx;
	bind_int(q, ":n", 2 - (int64_t)i);
}

/* True if it was run before this time. */
static bool
ran_before(struct fixture *f, size_t i, int64_t us)
{
	struct stmt *q = db_use(f->db, &q_when);

	bind_when(q, i, NULL);
	assert_true(stmt_step(q));
	assert_int_equal(col_int(q, 1), i);
	if (texts[i] == NULL)
		assert_true(col_null(q, 2));
	else
		assert_string_equal(col_text(q, 2), texts[i]);
	return col_int(q, 0) < us;
}

static void
rows_are_there(void **state)
{
	struct fixture *f = *state;
	int64_t us;
	size_t i;

	db_begin(f->db, false);
	db_ahead(f->db, &q_when, 4, bind_when, NULL);
	us = now_us();
	for (i = 4; i-- > 0;)
		assert_true(ran_before(f, i, us));
	/* Each once; a statement is run then as usual. */
	assert_false(ran_before(f, 0, us));
	db_ahead(f->db, &q_when, 4, bind_when, NULL);
	db_rollback(f->db);
	us = now_us();
	db_begin(f->db, false);
	assert_false(ran_before(f, 1, us));
	db_rollback(f->db);
}

/* Its reads must see what it writes. */
static void
nothing_is_ahead_of_writes(void **state)
{
	struct fixture *f = *state;
	int64_t us;

	db_begin(f->db, true);
	db_ahead(f->db, &q_when, 4, bind_when, NULL);
	us = now_us();
	assert_false(ran_before(f, 1, us));
	db_commit(f->db);
}

static void
a_failure_is_that_of_a_statement(void **state)
{
	struct fixture *f = *state;
	enum db_failure why = DB_BUSY;

	db_on_fail(f->db, on_failure, &why);
	if (setjmp(failed) == 0) {
		db_begin(f->db, false);
		db_ahead(f->db, &q_fails, 4, bind_fails, NULL);
		fail();
	}
	assert_int_equal(why, DB_ERROR);
	db_rollback(f->db);
	db_begin(f->db, false);
	assert_false(ran_before(f, 1, now_us() - 1000000));
	db_rollback(f->db);
}

/* A value of any size is compared with them, and no memory is used up. */
static void
results_that_are_left_delay_nothing(void **state)
{
	enum { BYTES = 3 << 20, TIMES = 40 };
	struct fixture *f = *state;
	char *text = memset(arena_alloc(f->arena, BYTES), 'x', BYTES);
	struct stmt *q;
	int i;

	db_begin(f->db, false);
	db_ahead(f->db, &q_when, 4, bind_when, NULL);
	for (i = 0; i < TIMES; i++) {
		q = db_use(f->db, &q_when);
		bind_int(q, ":n", i);
		bind_str(q, ":t", (struct str){ text, BYTES });
		assert_true(stmt_step(q));
		assert_int_equal(col_bytes(q, 2).n, BYTES);
	}
	db_rollback(f->db);
}

static struct libpq faulty;
static const struct libpq *real;
static int sends;

static int
send_two(PGconn *c, const char *name, int n, const char *const *values, const int *lengths, const int *formats, int format)
{
	return sends++ < 2 ? real->send(c, name, n, values, lengths, formats, format) : 0;
}

static int
end_none(PGconn *c)
{
	(void)c;
	return 0;
}

/* Calls of libpq are those of `faulty`, which the test changes. */
static void
be_faulty(struct fixture *f)
{
	real = pg_of(f->db)->pq;
	faulty = *real;
	pg_of(f->db)->pq = &faulty;
}

static void
what_cannot_be_sent_is_run_as_usual(void **state)
{
	struct fixture *f = *state;
	int64_t us;

	be_faulty(f);
	faulty.send = send_two;
	db_begin(f->db, false);
	db_ahead(f->db, &q_when, 4, bind_when, NULL);
	us = now_us();
	assert_true(ran_before(f, 0, us));
	assert_true(ran_before(f, 1, us));
	assert_false(ran_before(f, 2, us));
	assert_false(ran_before(f, 3, us));
	db_rollback(f->db);
}

static void
a_pipeline_without_end_ends_the_session(void **state)
{
	struct fixture *f = *state;
	enum db_failure why = DB_BUSY;

	be_faulty(f);
	db_on_fail(f->db, on_failure, &why);
	if (setjmp(failed) == 0) {
		faulty.end_pipeline = end_none;
		db_begin(f->db, false);
		db_ahead(f->db, &q_when, 4, bind_when, NULL);
		fail();
	}
	assert_int_equal(why, DB_AWAY);
	faulty.end_pipeline = real->end_pipeline;
	db_rollback(f->db);
	db_begin(f->db, false);
	assert_false(ran_before(f, 1, now_us() - 1000000));
	db_rollback(f->db);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(rows_are_there, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(nothing_is_ahead_of_writes, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_failure_is_that_of_a_statement, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(results_that_are_left_delay_nothing, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(what_cannot_be_sent_is_run_as_usual, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_pipeline_without_end_ends_the_session, db_setup, db_teardown) };

	return cmocka_run_group_tests_name("ahead", tests, NULL, NULL);
}
