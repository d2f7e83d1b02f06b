/* Spaces and collections share one order among the siblings of a parent; their keys stay short. */
#include "db_fixture.h"

#include "store/order.h"
#include "seed_fixture.h"

enum { MANY = 3000 };

struct shelf {
	char  *id[MANY + 2], *ord[MANY + 2];
	size_t n;
};

static void
look(void *ctx, struct stmt *q)
{
	struct shelf *s = ctx;

	assert_true(s->n < MANY + 2);
	assert_true(strlen(col_text(q, 1)) <= ORDER_KEY_LONG);
	snprintf(s->id[s->n], 32, "%s", col_text(q, 0));
	snprintf(s->ord[s->n++], ORDER_KEY_LONG + 1, "%s", col_text(q, 1));
}

static void
read_shelf(struct fixture *f, struct shelf *s)
{
	const char *error = NULL;

	s->n = 0;
	db_each(f->db, f->arena, "SELECT id, ord FROM space WHERE deleted_at IS NULL ORDER BY ord, id", look,
	    s, &error);
	assert_null(error);
}

/* Duplicates stand right behind what they were made of, again and again. */
static void
behind_one(void **state)
{
	struct fixture *f = *state;
	struct shelf *now = arena_alloc(f->arena, sizeof(*now));
	struct rnd dice = { 1 };
	const char *last, *before;
	int64_t branch;
	size_t i, at;

	for (i = 0; i < MANY + 2; i++) {
		now->id[i] = arena_alloc(f->arena, 32);
		now->ord[i] = arena_alloc(f->arena, ORDER_KEY_LONG + 1);
	}
	db_begin(f->db, true);
	last = f->space;
	for (i = 0; i < MANY; i++) {
		read_shelf(f, now);
		for (at = 0; strcmp(now->id[at], last) != 0; at++)
			;
		/* Behind the newest, or before it. */
		at = rnd(&dice, 2) == 0 || at == 0 ? at : at - 1;
		before = arena_strdup(f->arena, now->id[at]);
		last = space_make(f->db, f->arena, &(struct space_new){ .org = f->org, .title = "S",
		    .after = arena_strdup(f->arena, now->ord[at]) }, &branch);
		if (i % 100 != 0 && i < MANY - 1)
			continue;
		read_shelf(f, now);
		assert_int_equal(now->n, i + 2);
		for (at = 0; strcmp(now->id[at], last) != 0; at++)
			;
		assert_string_equal(now->id[at - 1], before);
	}
	/* At either end. */
	last = space_make(f->db, f->arena, &(struct space_new){ .org = f->org, .title = "S" }, &branch);
	read_shelf(f, now);
	assert_string_equal(now->id[now->n - 1], last);
	db_rollback(f->db);
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(behind_one) };

	return cmocka_run_group_tests(tests, db_setup, db_teardown);
}
