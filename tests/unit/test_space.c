/* Spaces and collections share one order among the siblings of a parent; their keys stay short. */
#include "db_fixture.h"

#include "store/order.h"
#include "seed_fixture.h"

SQL(q_told_of, "SELECT title, language FROM space WHERE id = :id");

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

/* "TITLE LANGUAGE" of a new space after it was told these; "-" for no language. */
static const char *
told(struct fixture *f, const char *was, const char *title, const char *language)
{
	int64_t branch;
	char *id = space_make(f->db, f->arena, &(struct space_new){ .org = f->org, .title = was }, &branch);
	struct stmt *q;

	space_told(f->db, id, title, language);
	q = db_use(f->db, &q_told_of);
	bind_text(q, ":id", id);
	assert_true(stmt_step(q));
	return arena_printf(f->arena, "%s %s", col_text(q, 0), col_null(q, 1) ? "-" : col_text(q, 1));
}

/* What a repository says of itself counts where nobody has said anything. */
static void
told_by_content(void **state)
{
	struct fixture *f = *state;
	char title[SPACE_TITLE_MAX + 2] = "";

	db_begin(f->db, true);
	assert_string_equal(told(f, "", "Book", "de"), "Book de");
	assert_string_equal(told(f, "Untitled", "Book", "pt-BR"), "Book pt-br");
	assert_string_equal(told(f, "Mine", "Book", "en_GB"), "Mine en");
	assert_string_equal(told(f, "", "Book", "fr-CA-x"), "Book fr");
	assert_string_equal(told(f, "", NULL, "xx"), " -");
	assert_string_equal(told(f, "", NULL, "xx-YY"), " -");
	assert_string_equal(told(f, "", NULL, "e"), " -");
	assert_string_equal(told(f, "", NULL, ""), " -");
	memset(title, 'x', SPACE_TITLE_MAX);
	assert_string_equal(told(f, "", title, NULL), arena_printf(f->arena, "%s -", title));
	title[SPACE_TITLE_MAX] = 'x';
	assert_string_equal(told(f, "", title, NULL), " -");
	db_rollback(f->db);
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(behind_one), cmocka_unit_test(told_by_content) };

	return cmocka_run_group_tests(tests, db_setup, db_teardown);
}
