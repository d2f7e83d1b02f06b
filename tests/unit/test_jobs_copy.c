/*
 * Copies of spaces (propagate/copy_space.h) are written before they are shown, in short
 * transactions, after any of which the process may die. A copy is invisible until it is complete,
 * and purge deletes incomplete ones.
 */
#include <setjmp.h>

#include "page_fixture.h"

#include "invariant_fixture.h"
#include "jobs/purge.h"
#include "links/links.h"
#include "propagate/copy_space.h"
#include "search/search.h"

SQL(q_seen, "SELECT count(*) FROM space WHERE deleted_at IS NULL /*scan*/");
SQL(q_all, "SELECT (SELECT count(*) FROM space) + (SELECT count(*) FROM branch) + (SELECT count(*) FROM node) "
    "+ (SELECT count(*) FROM search_place) + (SELECT count(*) FROM link) + (SELECT count(*) FROM link_edition) /*scan*/");
SQL(q_older, "UPDATE space SET created_at = created_at - 3700000 WHERE deleted_at IS NOT NULL");
SQL(q_links, "SELECT count(*) FROM link l JOIN link_edition e ON e.no = l.edition AND e.shown = 1 WHERE e.branch = :branch");

enum { PAGES = 120 };

static void
pages_make(struct fixture *f)
{
	struct writing w = write_begin(f, f->space, f->branch);
	int i;

	for (i = 0; i < PAGES; i++)
		write_page(&w, arena_printf(f->arena, "p%d", i), "Page", "{}",
		    arena_printf(f->arena, "Heron %d, see [that](p%d.md).\n", i, i / 2));
	write_end(&w);
}

static int64_t
count(struct fixture *f, const struct sql *sql)
{
	return stmt_int(db_use(f->db, sql), -1);
}

struct death {
	jmp_buf at;
	int     left;      /* transactions left until the death */
	int     count;     /* transactions so far */
};

static void
count_down(void *ctx)
{
	struct death *d = ctx;

	d->count++;
	if (d->left > 0 && --d->left == 0)
		longjmp(d->at, 1);
}

/* Makes a copy; false: the process "died" on the way. */
static bool
copy_until(struct fixture *f, struct death *d, struct copy *c)
{
	const struct space_new n = { .org = f->org, .title = "Copy", .author = f->user };

	*c = (struct copy){ .space = NULL };
	d->count = 0;
	db_watch(f->db, 0, count_down, d);
	if (setjmp(d->at) != 0) {
		db_watch(f->db, DB_STEP_MS * 1000, NULL, NULL);
		return false;
	}
	copy_ahead(f->db, f->arena, c, f->branch, &n);
	db_begin(f->db, true);
	assert_true(copy_show(f->db, f->arena, c, f->branch, &n));
	db_commit(f->db);
	db_watch(f->db, DB_STEP_MS * 1000, NULL, NULL);
	return true;
}

static void
copy_is_whole(struct fixture *f, const struct copy *c)
{
	struct search_found found;
	struct search_in in;
	struct point p;
	struct stmt *q;
	size_t n;

	assert_int_equal(count(f, &q_seen), 2);
	assert_true(point_head(f->db, f->arena, c->branch, &p));
	node_list(f->db, f->arena, &p, NODE_PAGES, &n);
	assert_int_equal(n, PAGES);
	db_begin(f->db, false);
	assert_true(search_find(f->db, f->arena, c->space, &in));
	assert_int_equal(in.pages, PAGES);
	search(f->db, f->arena, STR("heron"), &in, 1, 5, NULL, &found);
	assert_int_equal(found.count, PAGES);
	q = db_use(f->db, &q_links);
	bind_int(q, ":branch", c->branch);
	assert_int_equal(stmt_int(q, -1), PAGES);
	/* Its search index is complete: no job is needed. */
	assert_false(search_is_behind(f->db, c->space));
	db_rollback(f->db);
	assert_string_equal(invariants_text(f->db, f->arena), "");
}

static void
purge(struct fixture *f)
{
	struct settings set = { .dir = f->dir, .purge_days = 7, .openapi_versions = 10 };

	purge_run(f->db, f->arena, &set);
}

static void
a_killed_copy_leaves_nothing_shown(void **state)
{
	struct fixture *f = *state;
	struct death d = { .left = 0 };
	struct copy c;
	int64_t before;
	int n;

	pages_make(f);
	before = count(f, &q_all);
	/*
	 * Die after each of the first transactions (rows and search); of the later ones, which
	 * write one link each, after some.
	 */
	for (n = 1;; n += n < 8 ? 1 : 17) {
		d.left = n;
		if (copy_until(f, &d, &c))
			break;
		/* The copy is shown by the last transaction, so a death after it leaves it visible. */
		if (count(f, &q_seen) == 2)
			break;
		assert_int_equal(count(f, &q_seen), 1);
		if (n % 4 == 1)
			assert_string_equal(invariants_text(f->db, f->arena), "");
		/* The first purge leaves it alone: it cannot know that its writer is dead. */
		assert_true(c.space == NULL || count(f, &q_all) > before);
		purge(f);
		assert_true(c.space == NULL || count(f, &q_all) > before);
		db_begin(f->db, true);
		stmt_run(db_use(f->db, &q_older));
		db_commit(f->db);
		purge(f);
		assert_int_equal(count(f, &q_all), before);
	}
	/* Rows, order keys and links are written in steps of some hundred. */
	assert_true(n > 5);
	copy_is_whole(f, &c);
}

/* If purge deleted the rows of a copy in progress, the copy is not shown. */
static void
a_purged_copy_shows_nothing(void **state)
{
	struct fixture *f = *state;
	const struct space_new n = { .org = f->org, .title = "Copy", .author = f->user };
	struct copy c = { .space = NULL };

	pages_make(f);
	copy_ahead(f->db, f->arena, &c, f->branch, &n);
	db_begin(f->db, true);
	stmt_run(db_use(f->db, &q_older));
	db_commit(f->db);
	purge(f);
	db_begin(f->db, true);
	assert_false(copy_show(f->db, f->arena, &c, f->branch, &n));
	db_rollback(f->db);
	assert_int_equal(count(f, &q_seen), 1);
}

/*
 * Edits of the source between two steps: the copy has the state at its beginning, and a job updates
 * its search index.
 */
static void
a_copy_has_the_state_it_began_with(void **state)
{
	struct fixture *f = *state;
	const struct space_new n = { .org = f->org, .title = "Copy", .author = f->user };
	struct copy c = { .space = NULL };
	struct writing w;
	struct point p;
	struct node now;

	pages_make(f);
	copy_ahead(f->db, f->arena, &c, f->branch, &n);
	w = write_begin(f, f->space, f->branch);
	write_page(&w, "p7", "Newer", "{}", "Swan.\n");
	write_end(&w);
	db_begin(f->db, true);
	assert_true(copy_show(f->db, f->arena, &c, f->branch, &n));
	assert_true(search_is_behind(f->db, c.space));
	db_commit(f->db);
	assert_true(point_head(f->db, f->arena, c.branch, &p));
	assert_true(node_get(f->db, f->arena, &p, "p7", &now));
	assert_string_equal(now.title, "Page");
	assert_string_equal(invariants_text(f->db, f->arena), "");
}

/* As in the programs, cJSON allocates from the arena. */
static int
setup(void **state)
{
	int rc = db_setup(state);
	struct fixture *f = *state;

	if (rc == 0)
		json_arena(f->arena);
	return rc;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_killed_copy_leaves_nothing_shown, setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_purged_copy_shows_nothing, setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_copy_has_the_state_it_began_with, setup, db_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
