/* Only a write transaction may write (db/db.h); any other write ends the program. */
#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

#include "db_fixture.h"

SQL(q_write, "UPDATE org SET title = 'Other' WHERE id = :id");
SQL(q_read, "SELECT title FROM org WHERE id = :id");

enum begun { NOTHING, TO_READ, TO_WRITE };

static struct stmt *
bound(struct fixture *f, struct db *db, const struct sql *sql)
{
	struct stmt *q = db_use(db, sql);

	bind_text(q, ":id", f->org);
	return q;
}

/* Exit status of a process that writes in this way. */
static int
write_in(struct fixture *f, enum begun begun)
{
	const char *error = NULL;
	struct db *db;
	int status;
	pid_t child = fork();

	if (child == 0) {
		/* Hides the panic's message. */
		fclose(stderr);
		db = db_open(f->arena, arena_printf(f->arena, "%s/octavo.db", f->dir), DB_READ_WRITE, NULL, &error);
		if (begun != NOTHING)
			db_begin(db, begun == TO_WRITE);
		stmt_run(bound(f, db, &q_write));
		db_commit(db);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void
a_write_outside_a_transaction_ends(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(write_in(f, NOTHING), EX_SOFTWARE);
	assert_int_equal(write_in(f, TO_READ), EX_SOFTWARE);
	assert_string_equal(stmt_dup(bound(f, f->db, &q_read), f->arena), "Acme");
	assert_int_equal(write_in(f, TO_WRITE), 0);
	assert_string_equal(stmt_dup(bound(f, f->db, &q_read), f->arena), "Other");
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test_setup_teardown(a_write_outside_a_transaction_ends, db_setup, db_teardown) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
