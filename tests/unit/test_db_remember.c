/* Values that modules cache for the life of a connection (db_remember() of db/db.h). */
#include "db_fixture.h"

enum { SMALL = 100, LARGE = 1 << 20 };

static int dropped;

static void
count_drop(void *kept)
{
	dropped += *(char *)kept;
}

static const struct db_keeper small = { SMALL, count_drop }, other = { SMALL, NULL }, large = { LARGE, count_drop };

static bool
is_zero(const char *p, size_t n)
{
	while (n > 0 && p[n - 1] == 0)
		n--;
	return n == 0;
}

static void
a_piece_is_zeros_at_first_and_the_same_ever_after(void **state)
{
	struct fixture *f = *state;
	char *first = db_remember(f->db, &small), *second = db_remember(f->db, &other), *third = db_remember(f->db, &large);

	assert_true(is_zero(first, SMALL));
	assert_true(is_zero(second, SMALL));
	assert_true(is_zero(third, LARGE));
	memset(first, 1, SMALL);
	memset(third, 1, LARGE);
	assert_ptr_equal(db_remember(f->db, &small), first);
	assert_ptr_equal(db_remember(f->db, &large), third);
	assert_true(is_zero(db_remember(f->db, &other), SMALL));
}

static void
a_connection_has_pieces_of_its_own_and_drops_them(void **state)
{
	struct fixture *f = *state;
	const char *error = NULL;
	struct db *db = db_open(f->arena, arena_printf(f->arena, "%s/octavo.db", f->dir), DB_READ_WRITE, NULL, &error);

	assert_null(error);
	*(char *)db_remember(f->db, &small) = 100;
	assert_true(is_zero(db_remember(db, &small), SMALL));
	*(char *)db_remember(db, &small) = 1;
	*(char *)db_remember(db, &large) = 2;
	dropped = 0;
	db_close(db);
	assert_int_equal(dropped, 3);
	assert_int_equal(*(char *)db_remember(f->db, &small), 100);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_piece_is_zeros_at_first_and_the_same_ever_after, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_connection_has_pieces_of_its_own_and_drops_them, db_setup, db_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
