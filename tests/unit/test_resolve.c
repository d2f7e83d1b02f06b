/*
 * Every conflict can be resolved as the manual describes (docs/content/change-requests.md), in
 * favour of either side, without losing anything that the chosen side wrote. Here one by one for
 * pages that one side deletes and the other writes below; in random histories: test_request.c.
 */
#include "change_fixture.h"

#define INSERT "{'operation':'insert_page','title':'%s','into':'%s','document':{'markdown':'of the request'}}"
#define WRITE  "{'operation':'update_page','page':'%s','document':{'markdown':'written'}}"
#define SAME   "{'operation':'update_page','page':'%s'}"
#define MOVE   "{'operation':'update_page','page':'%s','into':'%s'}"
#define TO_TOP "{'operation':'update_page','page':'%s','into':null}"
#define DELETE "{'operation':'delete_page','page':'%s'}"
#define REVERT "{'operation':'revert_page','page':'%s'}"

/* The pages of a branch in reading order, each as id(children). */
static const char *
tree_text(struct fixture *f, int64_t branch, const char *parent)
{
	struct point p = head_of(f, branch);
	size_t n, i;
	struct node *list = node_children(f->db, f->arena, &p, parent, &n);
	const char *text = "", *below;

	for (i = 0; i < n; i++) {
		below = tree_text(f, branch, list[i].id);
		text = arena_printf(f->arena, *below == '\0' ? "%s%s%s%s" : "%s%s%s(%s)", text,
		    i == 0 ? "" : " ", list[i].slug, below);
	}
	return text;
}

/* "page kind other" of each conflict, in their order. */
static const char *
named(struct fixture *f, const struct clash *c)
{
	const char *text = "";

	for (; c != NULL; c = c->next)
		text = arena_printf(f->arena, "%s%s%s %s %s", text, *text == '\0' ? "" : ", ", c->page, c->kind,
		    c->other != NULL ? c->other : "-");
	return text;
}

/* Main has g(p(c d)) and top; opens a request on it. */
static int64_t
shelf(struct fixture *f)
{
	struct point now;

	new_space(f);
	now = revision_begin(f, f->branch);
	main_page(f, &now, "g", "", "C");
	main_page(f, &now, "p", "g", "V");
	main_page(f, &now, "c", "p", "C");
	main_page(f, &now, "d", "p", "V");
	main_page(f, &now, "top", "", "V");
	db_commit(f->db);
	return request_open(f);
}

/* A change of main by someone else: a request that is merged at once. */
#define IN_MAIN(f, ...) do { \
		int64_t other_ = request_open(f); \
		assert_null(change(f, other_, __VA_ARGS__)); \
		assert_null(merge_request(f, other_).clashes); \
	} while (0)

static const char *
body_text(struct fixture *f, int64_t branch, const char *id)
{
	struct point p = head_of(f, branch);
	struct node n;
	struct str s;

	assert_true(node_get(f->db, f->arena, &p, id, &n));
	assert_true(blob_get(f->db, f->arena, n.body, &s));
	return arena_strndup(f->arena, s.p, s.n);
}

/* The request merges, and main then equals it. */
static void
merges(struct fixture *f, int64_t r, const char *tree)
{
	struct merge_outcome out;

	assert_string_equal(tree_text(f, r, ""), tree);
	out = merge_request(f, r);
	assert_string_equal(named(f, out.clashes), "");
	assert_string_equal(tree_text(f, f->branch, ""), tree);
}

/* ---- the request deletes a page, main adds one below it ---- */

static int64_t
deleted_here_added_there(struct fixture *f, const char **id)
{
	int64_t r = shelf(f);
	struct merge_outcome out;
	struct point p;
	struct node n;

	assert_null(change(f, r, DELETE, "p"));
	IN_MAIN(f, INSERT, "N", "p");
	p = head_of(f, f->branch);
	assert_true(page_at(f->db, f->arena, &p, "g/p/n", &n));
	*id = n.id;
	out = merge_request(f, r);
	assert_string_equal(named(f, out.clashes), arena_printf(f->arena, "%s parent p", n.id));
	out = update_request(f, r);
	assert_string_equal(named(f, out.clashes), arena_printf(f->arena, "%s parent p", n.id));
	assert_string_equal(tree_text(f, r, ""), "g top");
	return r;
}

static void
added_there_parent_comes_back(void **state)
{
	struct fixture *f = *state;
	const char *id;
	int64_t r = deleted_here_added_there(f, &id);

	assert_null(change(f, r, REVERT, "p"));
	merges(f, r, "g(p(n)) top");
	assert_string_equal(body_text(f, f->branch, id), "of the request");
}

static void
added_there_comes_back(void **state)
{
	struct fixture *f = *state;
	const char *id;
	int64_t r = deleted_here_added_there(f, &id);

	assert_null(change(f, r, REVERT, id));
	merges(f, r, "g(p(n)) top");
}

static void
added_there_is_moved(void **state)
{
	struct fixture *f = *state;
	const char *id;
	int64_t r = deleted_here_added_there(f, &id);

	assert_non_null(strstr(change(f, r, SAME, id), "without a parent"));
	assert_null(change(f, r, MOVE, id, "top"));
	merges(f, r, "g top(n)");
	assert_string_equal(body_text(f, f->branch, id), "of the request");
}

static void
added_there_is_deleted(void **state)
{
	struct fixture *f = *state;
	const char *id;
	int64_t r = deleted_here_added_there(f, &id);

	assert_null(change(f, r, DELETE, id));
	merges(f, r, "g top");
}

/* A page that main adds below a hidden page is hidden as well, and is restored with it. */
static void
what_main_adds_twice_comes_back(void **state)
{
	struct fixture *f = *state;
	const char *id;
	int64_t r = deleted_here_added_there(f, &id);

	IN_MAIN(f, INSERT, "M", id);
	assert_string_equal(named(f, update_request(f, r).clashes), arena_printf(f->arena, "%s parent p", id));
	assert_string_equal(tree_text(f, r, ""), "g top");
	assert_null(change(f, r, REVERT, "p"));
	merges(f, r, "g(p(n(m))) top");
}

/* ---- the request deletes a page and those below it, main edits one of them ---- */

static int64_t
deleted_here_edited_there(struct fixture *f)
{
	int64_t r = shelf(f);

	assert_null(change(f, r, DELETE, "g"));
	IN_MAIN(f, WRITE, "c");
	assert_string_equal(named(f, merge_request(f, r).clashes), "c deleted p");
	assert_string_equal(named(f, update_request(f, r).clashes), "c deleted p");
	return r;
}

static void
edited_there_comes_back(void **state)
{
	struct fixture *f = *state;
	int64_t r = deleted_here_edited_there(f);

	assert_null(change(f, r, REVERT, "c"));
	merges(f, r, "g(p(c)) top");
	assert_string_equal(body_text(f, f->branch, "c"), "written");
}

static void
edited_there_is_deleted(void **state)
{
	struct fixture *f = *state;
	int64_t r = deleted_here_edited_there(f);

	assert_null(change(f, r, DELETE, "c"));
	merges(f, r, "top");
}

/* ---- the request writes below a page that main deletes ---- */

static int64_t
added_here_deleted_there(struct fixture *f, const char **id)
{
	int64_t r = shelf(f);
	struct edit e;
	char json[] = "[{'operation':'insert_page','title':'N','into':'p','document':{'markdown':'of the request'}}]";
	const char *wanted;

	assert_true(apply_changes(f, r, json, &e));
	*id = e.pages->id;
	IN_MAIN(f, DELETE, "g");
	wanted = arena_printf(f->arena, "%s parent p", *id);
	assert_string_equal(named(f, merge_request(f, r).clashes), wanted);
	assert_string_equal(named(f, update_request(f, r).clashes), wanted);
	assert_string_equal(tree_text(f, r, ""), "g(p(n)) top");
	return r;
}

/* Reverting the parent to main's side would lose the page: that is refused, with the reason. */
static void
added_here_is_never_dropped(void **state)
{
	struct fixture *f = *state;
	const char *id, *why;
	int64_t r = added_here_deleted_there(f, &id);

	why = change(f, r, REVERT, "p");
	assert_non_null(why);
	assert_non_null(strstr(why, "\"N\""));
	assert_string_equal(tree_text(f, r, ""), "g(p(n)) top");
	assert_null(change(f, r, REVERT "," MOVE, "p", id, "top"));
	merges(f, r, "top(n)");
	assert_string_equal(body_text(f, f->branch, id), "of the request");
}

static void
added_here_is_written_again(void **state)
{
	struct fixture *f = *state;
	const char *id;
	int64_t r = added_here_deleted_there(f, &id);

	assert_null(change(f, r, SAME, id));
	merges(f, r, "g(p(n)) top");
	assert_string_equal(body_text(f, f->branch, "p"), "text of p\n");
}

/* The deleted page can also be edited: it then belongs to the request. */
static void
deleted_there_is_written(void **state)
{
	struct fixture *f = *state;
	const char *id;
	int64_t r = added_here_deleted_there(f, &id);

	assert_null(change(f, r, SAME, "p"));
	merges(f, r, "g(p(n)) top");
}

static void
added_here_is_moved(void **state)
{
	struct fixture *f = *state;
	const char *id;
	int64_t r = added_here_deleted_there(f, &id);

	assert_null(change(f, r, MOVE, id, "top"));
	merges(f, r, "top(n)");
}

/* Moving the page away also removes its deleted parent: reverting that changes nothing. An unknown id is an error. */
static void
deleted_there_is_reverted_later(void **state)
{
	struct fixture *f = *state;
	const char *id;
	int64_t r = added_here_deleted_there(f, &id);

	assert_null(change(f, r, MOVE, id, "top"));
	assert_null(change(f, r, REVERT, "p"));
	assert_null(change(f, r, REVERT "," REVERT, "p", "g"));
	assert_non_null(strstr(change(f, r, REVERT, "nope"), "names no page"));
	assert_non_null(strstr(change(f, r, DELETE, "p"), "names no page"));
	merges(f, r, "top(n)");
}

static void
added_here_is_deleted(void **state)
{
	struct fixture *f = *state;
	const char *id;
	int64_t r = added_here_deleted_there(f, &id);

	assert_null(change(f, r, DELETE, id));
	merges(f, r, "top");
}

/*
 * A page of main that the request moved below the deleted page is not deleted from main when the
 * parent is reverted.
 */
static void
moved_here_deleted_there(void **state)
{
	struct fixture *f = *state;
	int64_t r = shelf(f);

	assert_null(change(f, r, MOVE, "top", "p"));
	IN_MAIN(f, DELETE, "g");
	assert_string_equal(named(f, update_request(f, r).clashes), "top parent p");
	assert_non_null(change(f, r, REVERT, "p"));
	assert_null(change(f, r, REVERT, "top"));
	merges(f, r, "top");
}

/* ---- the request moves a page that main deletes with those below it ---- */

static int64_t
moved_here_deleted_there_with_all(struct fixture *f)
{
	int64_t r = shelf(f);

	assert_null(change(f, r, MOVE, "p", "top"));
	IN_MAIN(f, DELETE, "g");
	assert_string_equal(named(f, merge_request(f, r).clashes), "p deleted -");
	assert_string_equal(named(f, update_request(f, r).clashes), "p deleted -");
	/* All pages that moved along are still there, whatever else is edited. */
	assert_string_equal(tree_text(f, r, ""), "top(p(c d))");
	assert_null(change(f, r, "{'operation':'update_page','page':'top','title':'Other'}"));
	assert_string_equal(tree_text(f, r, ""), "top(p(c d))");
	assert_false(update_request(f, r).changed);
	return r;
}

static void
moved_here_stays(void **state)
{
	struct fixture *f = *state;
	int64_t r = moved_here_deleted_there_with_all(f);

	assert_null(change(f, r, SAME, "p"));
	merges(f, r, "top(p(c d))");
	assert_string_equal(body_text(f, f->branch, "c"), "text of c\n");
}

static void
moved_here_is_deleted(void **state)
{
	struct fixture *f = *state;
	int64_t r = moved_here_deleted_there_with_all(f);

	assert_null(change(f, r, DELETE, "p"));
	merges(f, r, "top");
}

/* Reverting the page alone to main's side would lose the pages below it: that is refused, with the reason. */
static void
moved_here_is_reverted(void **state)
{
	struct fixture *f = *state;
	int64_t r = moved_here_deleted_there_with_all(f);

	assert_non_null(strstr(change(f, r, REVERT, "p"), "without a parent"));
	assert_null(change(f, r, REVERT "," REVERT "," REVERT, "p", "c", "d"));
	merges(f, r, "top");
}

/* A page that main moved away before it deleted its parent has main's position. */
static void
a_page_moved_by_main_stands_there(void **state)
{
	struct fixture *f = *state;
	int64_t r = shelf(f);

	assert_null(change(f, r, MOVE, "p", "top"));
	IN_MAIN(f, MOVE "," DELETE, "c", "top", "g");
	assert_string_equal(named(f, update_request(f, r).clashes), "p deleted -");
	assert_string_equal(tree_text(f, r, ""), "top(c p(d))");
	assert_null(change(f, r, SAME, "p"));
	merges(f, r, "top(c p(d))");
}

/* The request edits a page below one that main deletes: it is restored with its parents, or deleted. */
static int64_t
edited_here_deleted_there(struct fixture *f)
{
	int64_t r = shelf(f);

	assert_null(change(f, r, WRITE, "c"));
	IN_MAIN(f, DELETE, "p");
	assert_string_equal(named(f, merge_request(f, r).clashes), "c deleted p");
	assert_string_equal(named(f, update_request(f, r).clashes), "c deleted p");
	assert_string_equal(tree_text(f, r, ""), "g(p(c)) top");
	return r;
}

static void
edited_here_stays(void **state)
{
	struct fixture *f = *state;
	int64_t r = edited_here_deleted_there(f);

	assert_null(change(f, r, SAME, "c"));
	merges(f, r, "g(p(c)) top");
	assert_string_equal(body_text(f, f->branch, "c"), "written");
}

static void
edited_here_goes(void **state)
{
	struct fixture *f = *state;
	int64_t r = edited_here_deleted_there(f);

	assert_non_null(change(f, r, REVERT, "p"));
	assert_null(change(f, r, REVERT, "c"));
	merges(f, r, "g top");
}

/* A page added by the request is reverted alone: this is refused if other pages were moved below it. */
static void
added_page_with_pages_below(void **state)
{
	struct fixture *f = *state;
	int64_t r = shelf(f);
	char json[] = "[{'operation':'insert_page','title':'New','document':{'markdown':'x'}}]";
	struct edit e;

	assert_true(apply_changes(f, r, json, &e));
	assert_null(change(f, r, MOVE, "top", e.pages->id));
	assert_non_null(change(f, r, REVERT, e.pages->id));
	assert_null(change(f, r, REVERT "," REVERT, e.pages->id, "top"));
	merges(f, r, "g(p(c d)) top");
}

/*
 * When the path that a page needs becomes free, the next update moves the page to main's position,
 * even if main has not changed.
 */
static void
put_back_until_there_is_room(void **state)
{
	struct fixture *f = *state;
	int64_t r = shelf(f);
	char json[] = "[{'operation':'insert_page','title':'C','slug':'c','document':{'markdown':'x'}},"
	    "{'operation':'insert_page','title':'Mine','document':{'markdown':'x'}}]";
	struct merge_outcome out;
	struct edit e;

	assert_null(change(f, r, WRITE, "c"));
	assert_true(apply_changes(f, r, json, &e));
	IN_MAIN(f, TO_TOP, "c");
	out = update_request(f, r);
	assert_true(out.changed);
	assert_non_null(strstr(named(f, out.clashes), "c path"));
	assert_non_null(strstr(tree_text(f, r, ""), "g(p(c d))"));
	assert_null(change(f, r, DELETE, e.pages->id));
	out = update_request(f, r);
	assert_true(out.changed);
	assert_string_equal(named(f, out.clashes), "");
	assert_non_null(strstr(tree_text(f, r, ""), "g(p(d))"));
	assert_non_null(strstr(tree_text(f, r, ""), " c"));
	assert_string_equal(body_text(f, r, "c"), "written");
	assert_false(update_request(f, r).changed);
	assert_null(merge_request(f, r).clashes);
}

/*
 * Main moves a page to where the request's deepest page below it would be too deep: the page stays,
 * although the fault is below it.
 */
static void
a_page_goes_back_from_where_it_is_too_deep(void **state)
{
	enum { ABOVE = 60, BELOW = 50 };
	struct fixture *f = *state;
	int64_t r;
	struct merge_outcome out;
	struct point now;
	struct edit e;
	struct buf b;
	int i;

	new_space(f);
	now = revision_begin(f, f->branch);
	for (i = 0; i < ABOVE; i++)
		main_page(f, &now, arena_printf(f->arena, "a%d", i), i == 0 ? "" : arena_printf(f->arena, "a%d", i - 1), "C");
	main_page(f, &now, "g", "", "V");
	db_commit(f->db);
	r = request_open(f);
	buf_init(&b, f->arena, 1 << 20);
	for (i = 0; i < BELOW; i++)
		buf_printf(&b, "%s{'operation':'insert_page','title':'B%d','ref':'b%d','into':'%s','document':{'markdown':'x'}}",
		    i == 0 ? "[" : ",", i, i, i == 0 ? "g" : arena_printf(f->arena, "b%d", i - 1));
	buf_str(&b, "]");
	assert_true(apply_changes(f, r, b.p, &e));
	IN_MAIN(f, MOVE, "g", "a59");
	out = update_request(f, r);
	assert_non_null(strstr(named(f, out.clashes), "g position"));
	assert_non_null(strstr(tree_text(f, r, ""), " g(b0(b1("));
	assert_null(change(f, r, TO_TOP, "g"));
	assert_null(merge_request(f, r).clashes);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(added_there_parent_comes_back),
		cmocka_unit_test(added_there_comes_back),
		cmocka_unit_test(added_there_is_moved),
		cmocka_unit_test(added_there_is_deleted),
		cmocka_unit_test(what_main_adds_twice_comes_back),
		cmocka_unit_test(put_back_until_there_is_room),
		cmocka_unit_test(a_page_goes_back_from_where_it_is_too_deep),
		cmocka_unit_test(edited_there_comes_back),
		cmocka_unit_test(edited_there_is_deleted),
		cmocka_unit_test(added_here_is_never_dropped),
		cmocka_unit_test(added_here_is_written_again),
		cmocka_unit_test(deleted_there_is_written),
		cmocka_unit_test(added_here_is_moved),
		cmocka_unit_test(deleted_there_is_reverted_later),
		cmocka_unit_test(added_here_is_deleted),
		cmocka_unit_test(moved_here_deleted_there),
		cmocka_unit_test(moved_here_stays),
		cmocka_unit_test(moved_here_is_deleted),
		cmocka_unit_test(moved_here_is_reverted),
		cmocka_unit_test(a_page_moved_by_main_stands_there),
		cmocka_unit_test(edited_here_stays),
		cmocka_unit_test(edited_here_goes),
		cmocka_unit_test(added_page_with_pages_below),
	};

	return cmocka_run_group_tests(tests, db_setup, db_teardown);
}
