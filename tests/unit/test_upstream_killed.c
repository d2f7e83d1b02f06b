/*
 * Imports that are interrupted: cancelled, killed, or overtaken by others who write to main.
 * Nothing of them is visible, and the next import continues with what they left.
 */
#include "upstream_fixture.h"

#include "invariant_fixture.h"
#include "store/stage.h"

/* Number of rows that an import prepared besides nodes and that are not visible yet. */
SQL(q_prepared,
    "SELECT (SELECT count(*) FROM search_place WHERE turn IS NOT NULL) "
    "+ (SELECT count(*) FROM link_edition WHERE shown = 0) /*scan*/");
/* The branch that an import created and did not publish. */
SQL(q_unpublished, "SELECT min(id) FROM branch WHERE space = :space AND kind = 'outside' AND head < 0 /*scan*/");

static void
die(void *ctx)
{
	longjmp(*(jmp_buf *)ctx, 1);
}

/* An import that dies when everything is ready to be published. */
static void
take_and_die(struct fixture *f, struct wanted *list, size_t n)
{
	jmp_buf death;
	struct upstream_task task = { .list = list, .n = n, .author = f->user, .ready = die, .ctx = &death };
	struct upstream_result out;

	if (setjmp(death) == 0) {
		take_task(f, &task, &out);
		fail();
	}
	assert_true(stmt_int(db_use(f->db, &q_prepared), -1) > 0);
	assert_true(stage_left(f->db, f->space) != 0);
}

static void
expect_nothing_left(struct fixture *f)
{
	assert_int_equal(stmt_int(db_use(f->db, &q_prepared), -1), 0);
	assert_int_equal(stage_left(f->db, f->space), 0);
	assert_string_equal(invariants_text(f->db, f->arena), "");
}

/* ---- cancelled and killed ---- */

static bool
no_more(void *ctx, const char *stage, size_t done, size_t total)
{
	assert_string_equal(stage, "writing");
	/* Before the plan is made, the amount of work is unknown. */
	assert_int_equal(done, 0);
	assert_int_equal(total, 0);
	++*(int *)ctx;
	return false;
}

/* alive() is called even if nothing has changed; a cancelled import still deletes what an earlier one left. */
static void
an_import_given_up_at_once_cleans_up(void **state)
{
	struct fixture *f = *state;
	struct wanted list[] = { page(f->arena, "a", "", "A", "a\n") };
	int asked = 0;
	struct upstream_task task = { .list = list, .n = 1, .author = f->user, .alive = no_more, .ctx = &asked };
	struct upstream_result out;

	forget(f);
	take(f, list, 1, NULL, NULL);
	assert_int_equal(take_task(f, &task, &out), UPSTREAM_REFUSED);
	assert_int_equal(asked, 1);
	list[0].node.title = "Other words";
	take_and_die(f, list, 1);
	assert_int_equal(take_task(f, &task, &out), UPSTREAM_REFUSED);
	assert_int_equal(asked, 2);
	expect_nothing_left(f);
}

/* A sweep deletes everything that a killed import wrote, and so does an import that does not need it. */
static void
a_killed_import_leaves_nothing(void **state)
{
	struct fixture *f = *state;
	struct wanted list[] = { page(f->arena, "a", "", "A", "a\n") };
	struct point now;

	forget(f);
	take(f, list, 1, NULL, NULL);
	list[0].node.title = "Other words";
	take_and_die(f, list, 1);
	upstream_sweep(f->db, f->arena, f->space);
	expect_nothing_left(f);
	take_and_die(f, list, 1);
	list[0].node.title = "A";
	assert_false(take(f, list, 1, NULL, NULL).changed);
	expect_nothing_left(f);
	now = head(f);
	assert_string_equal(title_at(f, &now, "a"), "A");
}

/*
 * Rows of a killed import that the next one does not need are undone on both branches, while that
 * one makes other changes.
 */
static void
a_killed_import_is_taken_back(void **state)
{
	struct fixture *f = *state;
	struct wanted list[] = { page(f->arena, "a", "", "A", "a\n"), page(f->arena, "b", "", "B", "b\n"),
		page(f->arena, "c", "", "C", "c\n"), page(f->arena, "d", "", "D", "d\n") };
	struct wanted mine = page(f->arena, "a", "", "Mine", "a\n");
	struct point view, now;

	forget(f);
	take(f, list, 3, NULL, NULL);
	main_change(f, "a", &mine);
	list[0].node.title = "Theirs";
	list[1].node.title = "B2";
	list[2].node.title = "C2";
	take_and_die(f, list, 4);
	list[0].node.title = "Mine";
	list[2].node.title = "C";
	take(f, list, 3, NULL, NULL);
	assert_true(upstream_view(f->db, f->arena, f->space, &view));
	now = head(f);
	assert_string_equal(title_at(f, &view, "a"), "Mine");
	assert_string_equal(title_at(f, &now, "b"), "B2");
	assert_string_equal(title_at(f, &now, "c"), "C");
	assert_string_equal(title_at(f, &now, "d"), "-");
	expect_nothing_left(f);
}

static int64_t
unpublished(struct fixture *f)
{
	struct stmt *q = db_use(f->db, &q_unpublished);

	bind_text(q, ":space", f->space);
	return stmt_int(q, 0);
}

/* The branch of a killed first import is used by the next import of the same space, and by nothing else. */
static void
a_killed_first_import_is_continued(void **state)
{
	struct fixture *f = *state;
	struct wanted list[] = { page(f->arena, "a", "", "A", "a\n") };
	struct upstream_task task = { .list = list, .n = 1, .author = f->user };
	struct upstream_result out;
	char *first;
	int64_t left, main;

	forget(f);
	first = f->space;
	main = f->branch;
	take_and_die(f, list, 1);
	left = unpublished(f);
	assert_true(left != 0);
	assert_int_equal(upstream_branch(f->db, first), 0);
	assert_int_equal(upstream_standalone(f->db, f->arena, first, &task, &out), UPSTREAM_DONE);
	assert_int_equal(unpublished(f), left);
	forget(f);
	take(f, list, 1, NULL, NULL);
	assert_true(upstream_branch(f->db, f->space) > left);
	f->space = first;
	f->branch = main;
	assert_int_equal(unpublished(f), left);
	take(f, list, 1, NULL, NULL);
	assert_int_equal(upstream_branch(f->db, first), left);
	expect_nothing_left(f);
}

/* ---- overtaken ---- */

enum { LINE = PAGE_DEPTH / 2, OWN = LINE + 10 };

struct mover {
	struct fixture *f;
	bool            moved;
};

/* Between two writes of an import main puts a chain of pages below "m", and "m" below "x", in one revision. */
static bool
move_meanwhile(void *ctx, const char *stage, size_t done, size_t total)
{
	struct mover *m = ctx;
	struct fixture *f = m->f;
	struct revision_info info = { .kind = "edits", .author = f->user };
	struct node n = page(f->arena, "m", "x", "M", "").node;
	char *revision;
	int64_t seq;
	int i;

	if (total == 0 || m->moved)
		return true;
	assert_string_equal(stage, "writing");
	assert_int_equal(done, 1);
	m->moved = true;
	db_begin(f->db, true);
	seq = revision_add(f->db, f->arena, f->branch, &info, &revision);
	node_put(f->db, f->branch, seq, &n);
	for (i = 0; i < OWN; i++) {
		n = page(f->arena, arena_printf(f->arena, "o%d", i), i == 0 ? "m" : arena_printf(f->arena, "o%d", i - 1), "O", "").node;
		node_put(f->db, f->branch, seq, &n);
	}
	propagate_revision(f->db, f->arena, f->space, f->branch, seq);
	db_commit(f->db);
	return true;
}

/*
 * The staged rows together with main's new ones would make a tree that is too deep, which neither
 * side wanted. The import is planned again, and the page keeps main's position.
 */
static void
a_tree_changed_meanwhile_is_planned_anew(void **state)
{
	struct fixture *f = *state;
	struct wanted list[LINE + 2];
	struct mover m = { f, false };
	struct upstream_task task = { .list = list, .n = LINE + 2, .author = f->user, .alive = move_meanwhile, .ctx = &m };
	struct upstream_result out;
	struct point now;
	struct node n;
	int i;

	forget(f);
	for (i = 0; i < LINE; i++)
		list[i] = page(f->arena, arena_printf(f->arena, "d%d", i), i == 0 ? "" : list[i - 1].node.id, "D", "");
	list[LINE] = page(f->arena, "m", "", "M", "");
	list[LINE + 1] = page(f->arena, "x", "", "X", "");
	take(f, list, LINE + 2, NULL, NULL);
	list[LINE].node.parent = list[LINE - 1].node.id;
	/* Each write is a separate transaction. */
	db_watch(f->db, 0, NULL, NULL);
	assert_int_equal(take_task(f, &task, &out), UPSTREAM_DONE);
	db_watch(f->db, DB_STEP_MS * 1000, NULL, NULL);
	assert_true(m.moved);
	assert_string_equal(out.conflicts->id, "m");
	now = head(f);
	assert_true(node_get(f->db, f->arena, &now, "m", &n));
	assert_string_equal(n.parent, "x");
	assert_string_equal(title_at(f, &now, arena_printf(f->arena, "o%d", OWN - 1)), "O");
	expect_nothing_left(f);
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(an_import_given_up_at_once_cleans_up),
	cmocka_unit_test(a_killed_import_leaves_nothing), cmocka_unit_test(a_killed_first_import_is_continued),
		cmocka_unit_test(a_killed_import_is_taken_back),
		cmocka_unit_test(a_tree_changed_meanwhile_is_planned_anew) };

	return cmocka_run_group_tests(tests, db_setup, db_teardown);
}
