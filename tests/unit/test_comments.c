/*
 * Comments and the records of change requests as data: counters follow what
 * was really changed, and comments follow their blocks, also where keys change
 * places.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "arena.h"
#include "comments.h"
#include "content.h"
#include "people.h"
#include "request_record.h"
#include "secret.h"
#include "space.h"

struct world {
	char          dir[64];
	struct arena *arena;
	struct db    *db;
	const char   *user, *space, *request;
};

static int64_t
number(struct world *w, const struct sql *sql, const char *id)
{
	struct stmt *q = db_use(w->db, sql);

	bind_text(q, ":id", id);
	return stmt_int(q, -1);
}

SQL(q_space_open, "SELECT comments FROM space WHERE id = :id");
SQL(q_request_open, "SELECT comments FROM change_request WHERE id = :id");
SQL(q_replies, "SELECT replies FROM comment WHERE id = :id");
SQL(q_numbers, "SELECT requests * 10000 + requests_open * 100 + requests_draft FROM space WHERE id = :id");
SQL(q_reactions, "SELECT count(*) FROM reaction WHERE comment = :id");
SQL(q_place, "SELECT COALESCE(node, '-') || ' ' || revision FROM comment WHERE id = :id");

static int
start(void **state)
{
	struct org_new o = { .title = "Org" };
	struct space_new s = { .title = "Space" };
	static struct world one;
	struct world *w = &one;
	const char *error;
	int64_t main;

	w->arena = arena_new(64 << 20);
	snprintf(w->dir, sizeof(w->dir), "/tmp/octavo-comments-XXXXXX");
	assert_non_null(mkdtemp(w->dir));
	w->db = db_open(w->arena, arena_printf(w->arena, "%s/o.db", w->dir), DB_CREATE, NULL, &error);
	assert_non_null(w->db);
	db_begin(w->db, true);
	w->user = user_make(w->db, w->arena, "ada@example.com", "Ada");
	s.org = org_make(w->db, w->arena, &o);
	s.author = w->user;
	w->space = space_make(w->db, w->arena, &s, &main);
	w->request = request_make(w->db, w->arena, w->space, main, w->user, "");
	*state = w;
	return 0;
}

static int
stop(void **state)
{
	struct world *w = *state;
	static const char *const files[] = { "o.db", "o.db-wal", "o.db-shm" };
	size_t i;

	db_rollback(w->db);
	db_close(w->db);
	for (i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		unlink(arena_printf(w->arena, "%s/%s", w->dir, files[i]));
	rmdir(w->dir);
	arena_free(w->arena);
	return 0;
}

static char *
add(struct world *w, const char *scope, const char *node)
{
	struct comment_new n = { .space = w->space, .scope = scope, .author = w->user, .body = "x",
		.page = node != NULL ? "page" : NULL, .node = node, .revision = "old" };

	return comment_add(w->db, w->arena, &n);
}

static void
test_counters(void **state)
{
	struct world *w = *state;
	char *one = add(w, w->space, NULL), *two = add(w, w->space, NULL);
	char *other = add(w, w->request, NULL);

	assert_int_equal(number(w, &q_space_open, w->space), 2);
	assert_int_equal(number(w, &q_request_open, w->request), 1);
	comment_resolve(w->db, one, w->user);
	comment_resolve(w->db, one, w->user);
	assert_int_equal(number(w, &q_space_open, w->space), 1);
	comment_resolve(w->db, two, NULL);
	assert_int_equal(number(w, &q_space_open, w->space), 1);
	comment_delete(w->db, one);
	assert_int_equal(number(w, &q_space_open, w->space), 1);
	comment_delete(w->db, two);
	comment_delete(w->db, two);
	assert_int_equal(number(w, &q_space_open, w->space), 0);
	assert_int_equal(number(w, &q_request_open, w->request), 1);
	comment_resolve(w->db, other, w->user);
	comment_resolve(w->db, other, NULL);
	assert_int_equal(number(w, &q_request_open, w->request), 1);
}

static void
test_replies(void **state)
{
	struct world *w = *state;
	char *one = add(w, w->space, NULL);
	char *reply = reply_add(w->db, w->arena, one, w->user, "y");

	reply_add(w->db, w->arena, one, w->user, "z");
	assert_int_equal(number(w, &q_replies, one), 2);
	reaction_set(w->db, one, one, "a", w->user, true);
	reaction_set(w->db, one, one, "a", w->user, true);
	reaction_set(w->db, one, reply, "a", w->user, true);
	assert_int_equal(number(w, &q_reactions, one), 2);
	reply_delete(w->db, one, reply);
	reply_delete(w->db, one, reply);
	assert_int_equal(number(w, &q_replies, one), 1);
	assert_int_equal(number(w, &q_reactions, one), 1);
	comment_delete(w->db, one);
	assert_int_equal(number(w, &q_reactions, one), 0);
}

static void
assert_place(struct world *w, const char *comment, const char *want)
{
	struct stmt *q = db_use(w->db, &q_place);

	bind_text(q, ":id", comment);
	assert_true(stmt_step(q));
	assert_string_equal(col_text(q, 0), want);
}

/* Equal blocks are numbered, so that keys move up when one of them goes. */
static void
test_follow(void **state)
{
	static const char *const from[] = { "d", "a", "b", "c" }, *const to[] = { NULL, "b", "a", "e" };
	struct world *w = *state;
	char *a = add(w, w->space, "a"), *b = add(w, w->space, "b"), *c = add(w, w->space, "c");
	char *d = add(w, w->space, "d"), *still = add(w, w->space, "f"), *nowhere = add(w, w->space, NULL);
	char *elsewhere = add(w, w->request, "a");

	comments_follow(w->db, w->arena, w->space, NULL, "page", from, to, 4, "new");
	assert_place(w, a, "b new");
	assert_place(w, b, "a new");
	assert_place(w, c, "e new");
	assert_place(w, d, "- new");
	assert_place(w, still, "f old");
	assert_place(w, nowhere, "- old");
	assert_place(w, elsewhere, "a old");
	comments_follow(w->db, w->arena, w->space, w->request, "other", from, to, 4, "new");
	assert_place(w, elsewhere, "a old");
	comments_follow(w->db, w->arena, w->space, w->request, "page", from, to, 4, "new");
	assert_place(w, elsewhere, "b new");
	assert_place(w, a, "b new");
	comments_follow(w->db, w->arena, w->space, NULL, "page", NULL, NULL, 0, "newer");
	assert_place(w, a, "b new");
}

/* requests * 10000 + open * 100 + draft */
static void
test_statuses(void **state)
{
	struct world *w = *state;

	assert_int_equal(number(w, &q_numbers, w->space), 10001);
	request_set_status(w->db, w->request, "open");
	assert_int_equal(number(w, &q_numbers, w->space), 10100);
	request_set_status(w->db, w->request, "open");
	assert_int_equal(number(w, &q_numbers, w->space), 10100);
	request_set_status(w->db, w->request, "archived");
	assert_int_equal(number(w, &q_numbers, w->space), 10000);
	request_set_status(w->db, w->request, "draft");
	assert_int_equal(number(w, &q_numbers, w->space), 10001);
	request_merged(w->db, w->request, "r", w->user);
	assert_int_equal(number(w, &q_numbers, w->space), 10000);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_counters, start, stop),
		cmocka_unit_test_setup_teardown(test_replies, start, stop),
		cmocka_unit_test_setup_teardown(test_follow, start, stop),
		cmocka_unit_test_setup_teardown(test_statuses, start, stop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
