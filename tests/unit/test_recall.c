/* Answers that are kept: for the same question alone, and until anybody commits. */
#include "db_fixture.h"

#include "base/json.h"
#include "db/recall.h"

SQL(q_rename, "UPDATE org SET title = :title WHERE id = :id");

static void
rename_org(struct fixture *f, struct db *db, const char *title)
{
	struct stmt *q;

	db_begin(db, true);
	q = db_use(db, &q_rename);
	bind_text(q, ":title", title);
	bind_text(q, ":id", f->org);
	stmt_run(q);
	db_commit(db);
}

static void
put(struct fixture *f, const char *question, const char *body, int64_t until)
{
	db_begin(f->db, false);
	recall_put(f->db, question, &(struct recalled){ STR("tag"), str_of(body), until });
	db_rollback(f->db);
}

/* What the question finds; NULL: nothing. */
static const char *
body_of(struct fixture *f, const char *question)
{
	const struct recalled *k;

	db_begin(f->db, false);
	k = recall_find(f->db, question);
	db_rollback(f->db);
	if (k != NULL)
		assert_true(str_is(k->head, "tag"));
	return k == NULL ? NULL : k->body.p;
}

static void
test_question(void **state)
{
	struct fixture *f = *state;

	put(f, "ada /a", "for Ada", 0);
	put(f, "bob /a", "for Bob", 0);
	assert_string_equal(body_of(f, "ada /a"), "for Ada");
	assert_string_equal(body_of(f, "bob /a"), "for Bob");
	assert_null(body_of(f, "eve /a"));
	assert_null(body_of(f, "ada /"));
}

static void
test_commit(void **state)
{
	struct fixture *f = *state;
	const char *error = NULL;
	struct db *other = db_open(f->arena, arena_printf(f->arena, "%s/octavo.db", f->dir), DB_READ_WRITE,
	    &(struct db_options){ .relaxed = true }, &error);

	assert_null(error);
	put(f, "own", "before", 0);
	assert_string_equal(body_of(f, "own"), "before");
	rename_org(f, f->db, "By this connection");
	assert_null(body_of(f, "own"));
	put(f, "other", "before", 0);
	assert_string_equal(body_of(f, "other"), "before");
	rename_org(f, other, "By another one");
	assert_null(body_of(f, "other"));
	/* What was kept last is not brought back by what is kept now. */
	put(f, "third", "after", 0);
	assert_null(body_of(f, "own"));
	db_close(other);
}

static void
test_until(void **state)
{
	struct fixture *f = *state;

	put(f, "over", "x", time_now() - 1);
	put(f, "not yet", "x", time_now() + 60000);
	assert_null(body_of(f, "over"));
	assert_non_null(body_of(f, "not yet"));
}

/* More than is kept at a time: the newest is there, memory does not grow, and a large one is left out. */
static void
test_bounds(void **state)
{
	struct fixture *f = *state;
	char *large = arena_alloc(f->arena, (300 << 10) + 1), question[32];
	int i;

	memset(large, 'x', 300 << 10);
	put(f, "large", large, 0);
	assert_null(body_of(f, "large"));
	large[200 << 10] = '\0';
	for (i = 0; i < 200; i++) {
		snprintf(question, sizeof(question), "%d", i);
		put(f, question, large, 0);
		assert_non_null(body_of(f, question));
	}
	assert_null(body_of(f, "0"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_question, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(test_commit, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(test_until, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(test_bounds, db_setup, db_teardown) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
