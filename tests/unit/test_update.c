/*
 * Single cases of updating a request from main: what stays, what is deleted, and which conflicts
 * remain. Random histories are in test_request.c.
 */
#include "change_fixture.h"

#include "merge/request_record.h"
#include "store/redirect.h"

SQL(q_request_times, "SELECT updated_at FROM change_request WHERE id = :id");
SQL(q_request_old, "UPDATE change_request SET updated_at = 1 WHERE id = :id");

#define PAGE "{'operation':'update_page','page':'%s',%s}"
#define DELETE "{'operation':'delete_page','page':'%s'}"

/* Creates the pages a and b side by side, p below a, and q. */
static void
four_pages(struct fixture *f)
{
	struct point now;

	new_space(f);
	now = revision_begin(f, f->branch);
	main_page(f, &now, "a", "", "A");
	main_page(f, &now, "b", "", "B");
	main_page(f, &now, "p", "a", "V");
	main_page(f, &now, "q", "", "Q");
	db_commit(f->db);
}

/* Changes main by another request, which is merged. */
static void __attribute__((format(printf, 2, 3)))
main_does(struct fixture *f, const char *fmt, ...)
{
	int64_t other = request_open(f);
	va_list ap;

	va_start(ap, fmt);
	assert_null(change(f, other, "%s", arena_vprintf(f->arena, fmt, ap)));
	va_end(ap);
	assert_null(merge_request(f, other).clashes);
}

static struct node
page_of(struct fixture *f, int64_t branch, const char *id)
{
	struct point p = head_of(f, branch);
	struct node n;

	assert_true(node_get(f->db, f->arena, &p, id, &n));
	return n;
}

static size_t
own_rows(struct fixture *f, int64_t request)
{
	size_t n;

	overlay_rows(f->db, f->arena, request, &n);
	return n;
}

/* A page that the request moved stays where it is, and the conflict remains, whatever else is edited later. */
static void
a_page_placed_by_both_conflicts(void **state)
{
	struct fixture *f = *state;
	int64_t request;

	four_pages(f);
	request = request_open(f);
	assert_null(change(f, request, PAGE, "p", "'into':'b'"));
	main_does(f, PAGE, "p", "'into':'q','title':'Of main'");
	assert_string_equal(clashes_text(f, update_request(f, request).clashes), "p position");
	assert_string_equal(page_of(f, request, "p").parent, "b");
	assert_string_equal(page_of(f, request, "p").title, "Of main");
	assert_null(change(f, request, PAGE, "a", "'title':'Another'"));
	assert_string_equal(page_of(f, request, "p").parent, "b");
	assert_string_equal(clashes_text(f, merge_request(f, request).clashes), "p position");
}

/* All conflicts of a page are named: one in its text does not hide one in its path. */
static void
all_conflicts_of_a_page_are_named(void **state)
{
	struct fixture *f = *state;
	struct point before, now;
	int64_t request;
	struct node n;

	four_pages(f);
	request = request_open(f);
	before = head_of(f, request);
	n = page_of(f, request, "q");
	now = revision_begin(f, request);
	n.body = blob_put(f->db, f->arena, STR("mine\n"));
	n.slug = "x";
	request_put(f->db, f->arena, &before, now.seq, &n);
	db_commit(f->db);
	n = page_of(f, f->branch, "q");
	now = revision_begin(f, f->branch);
	n.body = blob_put(f->db, f->arena, STR("theirs\n"));
	node_put(f->db, now.branch, now.seq, &n);
	main_page(f, &now, "x", "", "Y");
	db_commit(f->db);
	assert_string_equal(clashes_text(f, merge_request(f, request).clashes), "q path, q text");
}

/* A page that both sides deleted is no longer a change of the request. */
static void
what_both_deleted_is_no_change(void **state)
{
	struct fixture *f = *state;
	struct merge_outcome out;
	int64_t request, seq;

	four_pages(f);
	request = request_open(f);
	assert_null(change(f, request, DELETE, "p"));
	main_does(f, DELETE, "p");
	assert_null(update_request(f, request).clashes);
	assert_int_equal(own_rows(f, request), 0);
	seq = head_of(f, f->branch).seq;
	out = merge_request(f, request);
	assert_null(out.clashes);
	assert_false(out.changed);
	assert_int_equal(head_of(f, f->branch).seq, seq);
}

/*
 * A page that the request deleted, and that main changed and changed back, is no conflict, neither
 * now nor at the next update.
 */
static void
an_edit_that_was_undone_is_no_conflict(void **state)
{
	struct fixture *f = *state;
	int64_t request;

	four_pages(f);
	request = request_open(f);
	assert_null(change(f, request, DELETE, "p"));
	main_does(f, PAGE, "p", "'title':'Other'");
	main_does(f, PAGE, "p", "'title':'p'");
	assert_null(update_request(f, request).clashes);
	assert_false(update_request(f, request).changed);
	assert_string_equal(children_text(f, request, "a"), "");
	assert_null(merge_request(f, request).clashes);
	assert_string_equal(children_text(f, f->branch, "a"), "");
}

/*
 * If the request uses the path that main gave a page, an update keeps the page at its old path. It
 * gets main's path as soon as that is free.
 */
static void
a_page_takes_its_address_when_it_is_free(void **state)
{
	struct fixture *f = *state;
	int64_t request;
	struct node mine;
	struct point p;

	four_pages(f);
	request = request_open(f);
	assert_null(change(f, request, "{'operation':'insert_page','title':'new','document':{'markdown':'mine'}}"));
	main_does(f, PAGE, "q", "'slug':'new'");
	assert_string_equal(clashes_text(f, update_request(f, request).clashes), "q path");
	p = head_of(f, request);
	assert_true(page_by_path(f->db, f->arena, &p, "new", &mine));
	assert_string_equal(page_of(f, request, "q").slug, "q");
	assert_int_equal(own_rows(f, request), 2);
	assert_null(change(f, request, PAGE, mine.id, "'slug':'newer'"));
	assert_string_equal(page_of(f, request, "q").slug, "new");
	assert_int_equal(own_rows(f, request), 1);
	assert_null(merge_request(f, request).clashes);
}

/* Pages that main adds below a page that the request deleted are hidden, however deep. */
static void
pages_below_a_deleted_one_are_hidden(void **state)
{
	static const char *const ids[] = { "z", "y", "m" };
	struct fixture *f = *state;
	struct point now, p;
	struct node n;
	int64_t request;
	size_t i;

	four_pages(f);
	request = request_open(f);
	assert_null(change(f, request, DELETE, "b"));
	now = revision_begin(f, f->branch);
	for (i = 0; i < 3; i++)
		main_page(f, &now, ids[i], i == 0 ? "b" : ids[i - 1], "V");
	db_commit(f->db);
	assert_non_null(update_request(f, request).clashes);
	p = head_of(f, request);
	for (i = 0; i < 3; i++)
		assert_false(node_get(f->db, f->arena, &p, ids[i], &n));
	assert_non_null(merge_request(f, request).clashes);
	/* In main they are still there. */
	assert_string_equal(page_of(f, f->branch, "m").parent, "y");
}

/* A conflict in a field does not hide a conflict of the page's position: both are named. */
static void
a_field_conflict_does_not_hide_the_position(void **state)
{
	static const char *const fields[] = { "'title':'%s'", "'description':'%s'", "'document':{'markdown':'%s'}" };
	static const char *const kinds[] = { "p parent, p title", "p parent, p properties", "p parent, p text" };
	struct fixture *f = *state;
	int64_t request;
	size_t i;

	for (i = 0; i < 3; i++) {
		four_pages(f);
		request = request_open(f);
		assert_null(change(f, request, PAGE, "p", "'into':'b'"));
		assert_null(change(f, request, PAGE, "p", filled(f, fields[i], "Mine")));
		main_does(f, PAGE, "p", filled(f, fields[i], "Of main"));
		main_does(f, DELETE, "b");
		assert_string_equal(clashes_text(f, merge_request(f, request).clashes), kinds[i]);
	}
}

/* If both sides add a page with one path, the request shows both, its own one unchanged. */
static void
pages_added_at_one_address_both_show(void **state)
{
	struct fixture *f = *state;
	int64_t request;
	struct node n, other;
	struct point p;

	four_pages(f);
	request = request_open(f);
	assert_null(change(f, request, "{'operation':'insert_page','title':'new','document':{'markdown':'mine'}}"));
	main_does(f, "{'operation':'insert_page','title':'new','document':{'markdown':'theirs'}}");
	p = head_of(f, f->branch);
	assert_true(page_by_path(f->db, f->arena, &p, "new", &other));
	assert_non_null(update_request(f, request).clashes);
	p = head_of(f, request);
	assert_true(page_by_path(f->db, f->arena, &p, "new", &n));
	assert_string_not_equal(n.id, other.id);
	/* Main's page gets another slug, since the request has not edited it. */
	assert_string_equal(page_of(f, request, other.id).slug, "new-1");
	assert_string_equal(page_of(f, f->branch, other.id).slug, "new");
}

/* An update writes only rows that it changes, because the list of changes is made from them. */
static void
an_update_writes_only_changes(void **state)
{
	struct fixture *f = *state;
	struct point before, now;
	int64_t request;
	struct node n;

	four_pages(f);
	request = request_open(f);
	assert_null(change(f, request, PAGE "," DELETE, "q", "'title':'Other'", "p"));
	before = head_of(f, request);
	main_does(f, PAGE, "b", "'title':'Other'");
	assert_true(update_request(f, request).changed);
	now = head_of(f, request);
	assert_true(now.seq > before.seq);
	assert_true(node_at(f->db, f->arena, &now, "q", &n) && n.since == before.seq);
	assert_true(node_at(f->db, f->arena, &now, "p", &n) && n.kind == NODE_GONE && n.since == before.seq);
}

/* An edit below a page with an open conflict does not resolve it. */
static void
an_edit_below_resolves_no_conflict(void **state)
{
	struct fixture *f = *state;
	int64_t request;

	four_pages(f);
	request = request_open(f);
	assert_null(change(f, request, PAGE, "a", "'title':'Of the request'"));
	main_does(f, PAGE, "a", "'title':'Of main','slug':'of-main'");
	assert_string_equal(clashes_text(f, update_request(f, request).clashes), "a title");
	assert_string_equal(page_of(f, request, "a").slug, "of-main");
	assert_null(change(f, request, PAGE, "p", "'title':'Below'"));
	assert_string_equal(page_of(f, request, "a").title, "Of the request");
	assert_string_equal(clashes_text(f, merge_request(f, request).clashes), "a title");
}

/* Nor does an edit below a page resolve a path conflict, in which the request uses main's new path of the page. */
static void
an_edit_below_resolves_no_path_conflict(void **state)
{
	struct fixture *f = *state;
	int64_t request;

	four_pages(f);
	request = request_open(f);
	assert_null(change(f, request, "{'operation':'insert_page','title':'new','document':{'markdown':'mine'}}"));
	main_does(f, PAGE, "q", "'slug':'new'");
	assert_string_equal(clashes_text(f, update_request(f, request).clashes), "q path");
	assert_null(change(f, request, "{'operation':'insert_page','title':'below','into':'q','document':{'markdown':'x'}}"));
	assert_string_equal(clashes_text(f, merge_request(f, request).clashes), "q path");
	assert_string_equal(page_of(f, f->branch, "q").slug, "new");
}

/*
 * A page that main deleted is restored for the request's pages below it: editing one of these
 * confirms it, editing another page does not.
 */
static void
an_edit_below_confirms_a_restored_page(void **state)
{
	struct fixture *f = *state;
	int64_t request;
	struct node mine;
	struct point p;

	four_pages(f);
	request = request_open(f);
	assert_null(change(f, request, "{'operation':'insert_page','title':'new','into':'a','document':{'markdown':'mine'}}"));
	p = head_of(f, request);
	assert_true(page_by_path(f->db, f->arena, &p, "a/new", &mine));
	main_does(f, DELETE, "a");
	assert_string_equal(clashes_text(f, update_request(f, request).clashes),
	    arena_printf(f->arena, "%s parent", mine.id));
	assert_string_equal(page_of(f, request, "a").title, "a");
	assert_null(change(f, request, PAGE, "q", "'title':'Elsewhere'"));
	assert_string_equal(clashes_text(f, merge_request(f, request).clashes),
	    arena_printf(f->arena, "%s parent", mine.id));
	assert_null(change(f, request, PAGE, mine.id, "'title':'Below'"));
	assert_null(merge_request(f, request).clashes);
	assert_string_equal(page_of(f, f->branch, mine.id).parent, "a");
	assert_string_equal(page_of(f, f->branch, "a").title, "a");
}

/*
 * An update restores deleted pages above a page of the request. If the request deletes that page, the
 * rows of all restored pages are removed.
 */
static void
unneeded_repair_rows_are_removed(void **state)
{
	static const char *const ids[] = { "z", "b", "c" };
	struct fixture *f = *state;
	struct point now, p;
	struct node mine;
	int64_t request;
	size_t i;

	new_space(f);
	now = revision_begin(f, f->branch);
	for (i = 0; i < 3; i++)
		main_page(f, &now, ids[i], i == 0 ? "" : ids[i - 1], "V");
	db_commit(f->db);
	request = request_open(f);
	assert_null(change(f, request, "{'operation':'insert_page','title':'new','into':'c','document':{'markdown':'mine'}}"));
	p = head_of(f, request);
	assert_true(page_by_path(f->db, f->arena, &p, "z/b/c/new", &mine));
	main_does(f, DELETE, "z");
	assert_non_null(update_request(f, request).clashes);
	assert_int_equal(own_rows(f, request), 4);
	assert_null(change(f, request, DELETE, mine.id));
	assert_int_equal(own_rows(f, request), 0);
	assert_false(merge_request(f, request).changed);
}

/* Reusable contents have no position in the tree: one may have the same slug as a page. */
static void
reusable_content_has_no_place(void **state)
{
	struct fixture *f = *state;
	struct node n = page_node("r", "", "");
	struct point before, now;
	int64_t request;

	four_pages(f);
	n.kind = NODE_REUSABLE;
	n.slug = "q";
	request = request_open(f);
	before = head_of(f, request);
	now = revision_begin(f, request);
	n.body = blob_put(f->db, f->arena, str_of("text"));
	request_put(f->db, f->arena, &before, now.seq, &n);
	db_commit(f->db);
	main_does(f, PAGE, "b", "'title':'Other'");
	assert_null(update_request(f, request).clashes);
	assert_int_equal(own_rows(f, request), 1);
	assert_null(merge_request(f, request).clashes);
	assert_string_equal(page_of(f, f->branch, "r").slug, "q");
	assert_string_equal(page_of(f, f->branch, "q").slug, "q");
}

/* A page moved by a merge is found at its old path, whether it is the first or the last that the request changed. */
static void
a_moved_page_is_found_at_its_old_address(void **state)
{
	struct fixture *f = *state;
	struct point p;
	struct node n;

	four_pages(f);
	main_does(f, PAGE "," PAGE "," PAGE, "a", "'slug':'first'", "b", "'title':'Stays'", "q", "'slug':'last'");
	p = head_of(f, f->branch);
	assert_true(redirect_find(f->db, f->arena, &p, "a", &n));
	assert_string_equal(n.id, "a");
	assert_true(redirect_find(f->db, f->arena, &p, "q", &n));
	assert_string_equal(n.id, "q");
	/* A page that did not move leaves no redirect, nor does a new one. */
	assert_false(redirect_find(f->db, f->arena, &p, "b", &n));
	assert_false(node_get(f->db, f->arena, &p, "redirect:b", &n));
	assert_false(node_get(f->db, f->arena, &p, "redirect:p", &n));
}

/* The record of a request has the time of its last change. */
static void
the_record_has_the_time_of_the_last_change(void **state)
{
	struct fixture *f = *state;
	int64_t before = time_now();
	struct stmt *q;
	char *id;
	int step;

	four_pages(f);
	db_begin(f->db, true);
	id = request_make(f->db, f->arena, f->space, f->branch, f->user, "Subject");
	for (step = 0; step < 4; step++) {
		q = db_use(f->db, &q_request_old);
		bind_text(q, ":id", id);
		stmt_run(q);
		if (step == 0)
			request_touch(f->db, id);
		else if (step == 1)
			request_set_status(f->db, id, "open");
		else if (step == 2)
			request_updated(f->db, id, head_of(f, f->branch).revision);
		else
			request_merged(f->db, id, head_of(f, f->branch).revision, f->user);
		q = db_use(f->db, &q_request_times);
		bind_text(q, ":id", id);
		assert_true(stmt_int(q, 0) >= before);
	}
	db_rollback(f->db);
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(a_page_placed_by_both_conflicts),
	cmocka_unit_test(a_field_conflict_does_not_hide_the_position), cmocka_unit_test(all_conflicts_of_a_page_are_named),
		cmocka_unit_test(what_both_deleted_is_no_change), cmocka_unit_test(an_edit_that_was_undone_is_no_conflict),
		cmocka_unit_test(a_page_takes_its_address_when_it_is_free),
		cmocka_unit_test(pages_added_at_one_address_both_show), cmocka_unit_test(pages_below_a_deleted_one_are_hidden),
		cmocka_unit_test(an_update_writes_only_changes), cmocka_unit_test(an_edit_below_resolves_no_conflict),
		cmocka_unit_test(unneeded_repair_rows_are_removed), cmocka_unit_test(an_edit_below_resolves_no_path_conflict),
		cmocka_unit_test(an_edit_below_confirms_a_restored_page), cmocka_unit_test(reusable_content_has_no_place),
		cmocka_unit_test(a_moved_page_is_found_at_its_old_address),
		cmocka_unit_test(the_record_has_the_time_of_the_last_change) };

	return cmocka_run_group_tests(tests, db_setup, db_teardown);
}
