/*
 * Comments and change requests as data: counters follow real changes only, and comments follow
 * their blocks, even if keys are swapped.
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

#include "../temp_dir.h"
#include "base/arena.h"
#include "propagate/comments.h"
#include "store/content.h"
#include "app/people.h"
#include "merge/request_record.h"
#include "base/secret.h"
#include "store/space.h"

struct world {
	char          dir[TEMP_MAX];
	struct arena *arena;
	struct db    *db;
	const char   *user, *space, *request;
	int64_t       main;
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
SQL(q_place,
    "SELECT COALESCE(node, '-') || COALESCE(' ' || record || definition, '') || ' ' || revision "
    "FROM comment WHERE id = :id");

static int
start(void **state)
{
	struct org_new o = { .title = "Org" };
	struct space_new s = { .title = "Space" };
	static struct world one;
	struct world *w = &one;
	const char *error;

	w->arena = arena_new(64 << 20);
	temp_dir(w->dir);
	w->db = db_open(w->arena, arena_printf(w->arena, "%s/o.db", w->dir), DB_CREATE, NULL, &error);
	assert_non_null(w->db);
	db_begin(w->db, true);
	w->user = user_make(w->db, w->arena, "ada@example.com", "Ada");
	s.org = org_make(w->db, w->arena, &o);
	s.author = w->user;
	w->space = space_make(w->db, w->arena, &s, &w->main);
	w->request = request_make(w->db, w->arena, w->space, w->main, w->user, "");
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
counters_follow_comments(void **state)
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
replies_and_reactions_are_counted(void **state)
{
	struct world *w = *state;
	char *one = add(w, w->space, NULL);
	char *reply = reply_add(w->db, w->arena, one, w->user, "y");

	reply_add(w->db, w->arena, one, w->user, "z");
	assert_int_equal(number(w, &q_replies, one), 2);
	reaction_set(w->db, w->arena, one, one, "👍", w->user, true);
	reaction_set(w->db, w->arena, one, one, "👍", w->user, true);
	reaction_set(w->db, w->arena, one, reply, "👍", w->user, true);
	assert_int_equal(number(w, &q_reactions, one), 2);
	reply_delete(w->db, one, reply);
	reply_delete(w->db, one, reply);
	assert_int_equal(number(w, &q_replies, one), 1);
	assert_int_equal(number(w, &q_reactions, one), 1);
	comment_delete(w->db, one);
	assert_int_equal(number(w, &q_reactions, one), 0);
}

/* ---- comments stay on their blocks ---- */

static void
assert_place(struct world *w, const char *comment, const char *node, const char *cell,
    const char *revision)
{
	struct stmt *q = db_use(w->db, &q_place);

	bind_text(q, ":id", comment);
	assert_true(stmt_step(q));
	assert_string_equal(col_text(q, 0), arena_printf(w->arena, "%s%s%s %s", node,
	    *cell != '\0' ? " " : "", cell, revision));
}

/* Writes a new revision of main with this body of the page, which comments follow; returns its id. */
static const char *
write_page(struct world *w, const char *body)
{
	struct revision_info info = { .kind = "edits", .author = w->user };
	struct node n = { .id = "page", .kind = NODE_DOCUMENT, .parent = "", .ord = "V", .slug = "page",
		.title = "Page", .props = "{}", .origin = -1, .at = 1, .made = 1 };
	struct point now;
	char *id;

	revision_add(w->db, w->arena, w->main, &info, &id);
	point_head(w->db, w->arena, w->main, &now);
	n.body = blob_put(w->db, w->arena, str_of(body));
	node_put(w->db, w->main, now.seq, &n);
	comments_follow(w->db, w->arena, &now, w->space, NULL);
	return id;
}

/* Key of the first block with this text. */
static const char *
key_of(struct world *w, const char *body, const char *type, const char *text)
{
	size_t n, i;
	struct doc_part *parts = doc_parts(w->arena, str_of(body), &n);

	for (i = 0; i < n; i++)
		if (strcmp(parts[i].type, type) == 0 &&
		    memmem(parts[i].source.p, parts[i].source.n, text, strlen(text)) != NULL)
			return parts[i].key;
	fail_msg("no %s with \"%s\"", type, text);
	return NULL;
}

static const char *
add_cell(struct world *w, const char *table, const char *record, const char *definition)
{
	struct comment_new n = { .space = w->space, .scope = w->space, .author = w->user, .body = "x",
		.page = "page", .node = table, .record = record, .definition = definition,
		.revision = "old" };

	return comment_add(w->db, w->arena, &n);
}

#define OLD \
	"Intro.\n\nSame.\n\nSame.\n\n{% hint style=\"info\" %}\nA hint of it.\n{% endhint %}\n\n" \
	"* first item\n* second item\n  * deep item\n\n| H | K |\n| - | - |\n| a | b |\n| c | d |\n"
#define NEW \
	"Same.\n\n* item zero\n* first item, changed\n* second item\n  * deep item, changed\n\n" \
	"{% hint style=\"info\" %}\nA new hint of it.\n{% endhint %}\n\n" \
	"| New | H | K |\n| - | - | - |\n| x | y | z |\n| n | a | b changed |\n\nIntro.\n"

static void
a_comment_follows_its_block(void **state)
{
	struct world *w = *state;
	const char *intro = key_of(w, OLD, "paragraph", "Intro"), *hint = key_of(w, OLD, "hint", "hint");
	const char *inner = key_of(w, OLD, "list-item", "first"), *deep = key_of(w, OLD, "list-item", "deep");
	const char *said = key_of(w, OLD, "paragraph", "A hint"), *table = key_of(w, OLD, "table", "| H");
	const char *second, *same = key_of(w, OLD, "paragraph", "Same"), *grid = key_of(w, NEW, "table", "| H");
	char *on[7], *still, *elsewhere;
	const char *cell[3], *now;
	size_t i;

	write_page(w, OLD);
	second = arena_printf(w->arena, "%s-1", same);
	for (i = 0; i < 7; i++)
		on[i] = add(w, w->space, (const char *[]){ intro, hint, inner, deep, said, same, second }[i]);
	still = add(w, w->space, "of an included block");
	elsewhere = add(w, w->request, intro);
	cell[0] = add_cell(w, table, "r1", "c2");
	cell[1] = add_cell(w, table, "r2", "c1");
	cell[2] = add_cell(w, table, "r1", "c1");

	now = write_page(w, NEW);
	assert_place(w, on[0], intro, "", "old");
	assert_place(w, on[1], key_of(w, NEW, "hint", "hint"), "", now);
	assert_place(w, on[2], key_of(w, NEW, "list-item", "first"), "", now);
	assert_place(w, on[3], key_of(w, NEW, "list-item", "deep"), "", now);
	assert_place(w, on[4], key_of(w, NEW, "paragraph", "new hint"), "", now);
	assert_place(w, on[5], "-", "", now);
	assert_place(w, on[6], same, "", now);
	assert_place(w, still, "of an included block", "", "old");
	assert_place(w, elsewhere, intro, "", "old");
	assert_place(w, cell[0], grid, "r2c3", now);
	assert_place(w, cell[1], grid, "", now);
	assert_place(w, cell[2], grid, "r2c2", now);

	now = write_page(w, "Something else altogether.\n");
	assert_place(w, on[1], "-", "", now);
	assert_place(w, cell[0], "-", "", now);
	write_page(w, NEW);
	assert_place(w, on[1], "-", "", now);
}

/* requests * 10000 + open * 100 + draft */
static void
counters_follow_request_statuses(void **state)
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
		cmocka_unit_test_setup_teardown(counters_follow_comments, start, stop),
		cmocka_unit_test_setup_teardown(replies_and_reactions_are_counted, start, stop),
		cmocka_unit_test_setup_teardown(a_comment_follows_its_block, start, stop),
		cmocka_unit_test_setup_teardown(counters_follow_request_statuses, start, stop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
