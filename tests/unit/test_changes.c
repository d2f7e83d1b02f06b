/* Differences between two points of a space: which nodes, in which order, and which points are compared. */
#include "change_fixture.h"

#include "store/changes.h"

#define PAGE "{'operation':'update_page','page':'%s',%s}"
#define DELETE "{'operation':'delete_page','page':'%s'}"

/* Creates the pages "c" and "d" at the top, and "e" below c. */
static void
three_pages(struct fixture *f)
{
	struct point now;

	new_space(f);
	now = revision_begin(f, f->branch);
	main_page(f, &now, "c", "", "A");
	main_page(f, &now, "d", "", "B");
	main_page(f, &now, "e", "c", "A");
	db_commit(f->db);
}

/* The ids, in order: "+" for added, "-" for deleted, ">" for moved. */
static const char *
text(struct fixture *f, const struct change *list, size_t n)
{
	struct buf b;
	size_t i;

	buf_init(&b, f->arena, 1 << 20);
	for (i = 0; i < n; i++)
		buf_printf(&b, "%s%s%s%s", i == 0 ? "" : " ", list[i].before == NULL ? "+" : list[i].after == NULL ? "-" : "",
		    list[i].moved ? ">" : "", list[i].after != NULL ? list[i].after->id : list[i].before->id);
	return b.p == NULL ? "" : b.p;
}

static const char *
of_request(struct fixture *f, int64_t request)
{
	struct point p = head_of(f, request), from;
	size_t n;
	struct change *list = changes_of_request(f->db, f->arena, &p, &from, &n);

	assert_int_equal(from.branch, p.base);
	assert_int_equal(from.seq, p.base_seq);
	/* In these cases main has no revision after it. */
	if (p.base_seq == head_of(f, p.base).seq)
		assert_string_equal(from.revision, head_of(f, p.base).revision);
	return text(f, list, n);
}

static const char *
of_revision_at(struct fixture *f, const struct point *p)
{
	struct point from;
	size_t n;
	struct change *list = changes_of_revision(f->db, f->arena, p, &from, &n);

	return text(f, list, n);
}

static const char *
of_revision(struct fixture *f, int64_t branch)
{
	struct point p = head_of(f, branch);

	return of_revision_at(f, &p);
}

static void
put(struct fixture *f, const struct point *before, const struct point *now, struct node n)
{
	if (before != NULL)
		request_put(f->db, f->arena, before, now->seq, &n);
	else
		node_put(f->db, now->branch, now->seq, &n);
}

/* Pages by title, those with equal titles by id; then files, reusable contents, and the rest. */
static void
changes_are_sorted_by_kind_and_title(void **state)
{
	static const struct { const char *id, *title; enum node_kind kind; } made[] = {
		{ "s", "A", NODE_SETTING }, { "r", "A", NODE_REUSABLE }, { "f2", "B", NODE_FILE }, { "f1", "C", NODE_FILE },
		{ "p1", "Z", NODE_DOCUMENT }, { "p3", "Y", NODE_GROUP }, { "p2", "Y", NODE_LINK } };
	struct fixture *f = *state;
	struct point before, now;
	int64_t request;
	struct node n;
	size_t i;

	three_pages(f);
	request = request_open(f);
	before = head_of(f, request);
	now = revision_begin(f, request);
	for (i = 0; i < sizeof(made) / sizeof(made[0]); i++) {
		n = page_node(made[i].id, "", "V");
		n.title = made[i].title;
		n.kind = made[i].kind;
		put(f, &before, &now, n);
	}
	db_commit(f->db);
	assert_string_equal(of_request(f, request), "+p2 +p3 +p1 +f2 +f1 +r +s");
	/* A deleted page is listed by its last title. */
	assert_null(change(f, request, DELETE "," PAGE, "d", "c", "'title':'a'"));
	assert_string_equal(of_request(f, request), "+p2 +p3 +p1 c -d +f2 +f1 +r +s");
}

/* Only fields that a reader can see make a change of a page. */
static void
every_visible_field_makes_a_change(void **state)
{
	static const char *const fields[] = { "same", "title", "slug", "props", "body", "kind", "front", "line" };
	struct fixture *f = *state;
	struct point now;
	struct node n;
	size_t i;

	three_pages(f);
	for (i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		now = head_of(f, f->branch);
		assert_true(node_get(f->db, f->arena, &now, "c", &n));
		n.front = node_front(f->db, f->arena, &n);
		now = revision_begin(f, f->branch);
		n.title = i == 1 ? "x" : n.title;
		n.slug = i == 2 ? "x" : n.slug;
		n.props = i == 3 ? "{\"x\":1}" : n.props;
		n.body = i == 4 ? blob_put(f->db, f->arena, STR("x\n")) : n.body;
		n.kind = i == 5 ? NODE_GROUP : n.kind;
		n.front = i == 6 ? STR("---\nx: 1\n---\n") : i == 7 ? STR("\n") : n.front;
		n.at++;
		put(f, NULL, &now, n);
		db_commit(f->db);
		if (strcmp(of_revision(f, f->branch), i == 0 ? "" : "c") != 0)
			fail_msg("%s: %s", fields[i], of_revision(f, f->branch));
	}
	/* No byte before the body is lost. */
	assert_true(node_get(f->db, f->arena, &now, "c", &n));
	assert_true(str_eq(node_front(f->db, f->arena, &n), STR("\n")));
}

/* A revision is compared with the one before it; the first revision of a space is compared with nothing. */
static void
a_revision_is_compared_to_the_one_before(void **state)
{
	struct fixture *f = *state;
	struct point p, from;
	struct change *list;
	size_t n;

	three_pages(f);
	p = head_of(f, f->branch);
	list = changes_of_revision(f->db, f->arena, &p, &from, &n);
	assert_string_equal(text(f, list, n), "+c +d +e");
	assert_int_equal(from.branch, p.branch);
	assert_true(from.seq < p.seq);
	assert_string_not_equal(from.revision, p.revision);
	p = from;
	list = changes_of_revision(f->db, f->arena, &p, &from, &n);
	assert_int_equal(n, 0);
	assert_int_equal(from.branch, 0);
}

/* Sequence numbers of a branch may have gaps: changes inside a gap belong to the next revision. */
static void
gaps_of_numbers_belong_to_the_next(void **state)
{
	struct fixture *f = *state;
	struct revision_info info = { .kind = "edits", .author = f->user };
	struct point now, from;
	struct change *list;
	char *id;
	size_t n;

	three_pages(f);
	now = head_of(f, f->branch);
	info.staged = now.seq + 5;
	db_begin(f->db, true);
	node_end(f->db, f->branch, "e", info.staged);
	put(f, NULL, &(struct point){ .branch = f->branch, .seq = info.staged }, page_node("n", "", "Z"));
	revision_add(f->db, f->arena, f->branch, &info, &id);
	db_commit(f->db);
	assert_int_equal(head_of(f, f->branch).seq, info.staged);
	assert_string_equal(of_revision(f, f->branch), "-e +n");
	now = head_of(f, f->branch);
	list = changes_of_revision(f->db, f->arena, &now, &from, &n);
	assert_non_null(list);
	assert_int_equal(from.seq, info.staged - 5);
}

static const char *
between(struct fixture *f, const struct point *from, const struct point *to)
{
	size_t n;
	struct change *list = changes_between(f->db, f->arena, from, to, &n);

	return text(f, list, n);
}

/* Any two points: of one branch in both directions, of main and a request, and of two requests. */
static void
any_two_points_are_compared(void **state)
{
	struct fixture *f = *state;
	struct point old, now, mine, theirs;
	int64_t request, other;

	three_pages(f);
	old = head_of(f, f->branch);
	request = request_open(f);
	assert_null(change(f, request, PAGE, "c", "'title':'Mine'"));
	mine = head_of(f, request);
	other = request_open(f);
	assert_null(change(f, other, PAGE "," DELETE, "d", "'title':'Of main'", "e"));
	theirs = head_of(f, other);
	assert_string_equal(between(f, &theirs, &mine), "c d +e");
	assert_null(merge_request(f, other).clashes);
	now = head_of(f, f->branch);
	assert_string_equal(between(f, &old, &now), "d -e");
	assert_string_equal(between(f, &now, &old), "d +e");
	assert_string_equal(between(f, &now, &now), "");
	assert_string_equal(between(f, &now, &mine), "c d +e");
	assert_string_equal(between(f, &mine, &now), "d c -e");
	assert_string_equal(between(f, &theirs, &now), "");
	assert_string_equal(between(f, &old, &mine), "c");
}

/*
 * A request's first revision is compared with its base in main; the revision of an update also
 * shows main's changes.
 */
static void
an_update_shows_what_main_changed(void **state)
{
	struct fixture *f = *state;
	int64_t request, other;
	struct point p, from;
	size_t n;

	three_pages(f);
	request = request_open(f);
	p = head_of(f, request);
	changes_of_revision(f->db, f->arena, &p, &from, &n);
	assert_int_equal(n, 0);
	assert_int_equal(from.branch, f->branch);
	assert_int_equal(from.seq, head_of(f, f->branch).seq);
	assert_null(change(f, request, PAGE, "c", "'title':'Of the request'"));
	assert_string_equal(of_revision(f, request), "c");
	other = request_open(f);
	assert_null(change(f, other, PAGE "," DELETE, "d", "'title':'Of main'", "e"));
	assert_null(merge_request(f, other).clashes);
	assert_string_equal(of_revision(f, f->branch), "d -e");
	assert_null(update_request(f, request).clashes);
	assert_string_equal(of_revision(f, request), "d -e");
	assert_string_equal(of_request(f, request), "c");
}

/*
 * A page that the request never showed, because its parent was deleted, is no change of the request
 * when main deletes it.
 */
static void
what_a_request_never_showed_is_no_change(void **state)
{
	struct fixture *f = *state;
	int64_t request, other;
	struct node n;
	struct point p;

	three_pages(f);
	request = request_open(f);
	assert_null(change(f, request, DELETE, "d"));
	other = request_open(f);
	assert_null(change(f, other, "{'operation':'insert_page','title':'new','into':'d','document':{'markdown':'x'}}"));
	assert_null(merge_request(f, other).clashes);
	p = head_of(f, f->branch);
	assert_true(page_by_path(f->db, f->arena, &p, "d/new", &n));
	update_request(f, request);
	p = head_of(f, request);
	assert_true(node_at(f->db, f->arena, &p, n.id, &n) && n.kind == NODE_GONE);
	other = request_open(f);
	assert_null(change(f, other, DELETE, n.id));
	assert_null(merge_request(f, other).clashes);
	assert_null(update_request(f, request).clashes);
	assert_string_equal(of_revision(f, request), "");
	assert_string_equal(of_request(f, request), "-d");
}

/* Finding one change takes the same number of steps however many pages and revisions there are. */
static void
cost_follows_the_size_of_the_change(void **state)
{
	enum { MANY = 2000, STEPS = 200 };
	struct fixture *f = *state;
	struct point now, p;
	int64_t request;
	int i;

	new_space(f);
	now = revision_begin(f, f->branch);
	for (i = 0; i < MANY; i++)
		main_page(f, &now, arena_printf(f->arena, "p%d", i), "", "V");
	db_commit(f->db);
	now = revision_begin(f, f->branch);
	for (i = 0; i < MANY / 2; i++)
		main_page(f, &now, arena_printf(f->arena, "p%d", i), "", "W");
	db_commit(f->db);
	now = revision_begin(f, f->branch);
	main_page(f, &now, "new", "", "W");
	db_commit(f->db);
	request = request_open(f);
	assert_null(change(f, request, DELETE, "p1999"));
	p = revision_begin(f, f->branch);
	for (i = 0; i < MANY / 4; i++)
		main_page(f, &p, arena_printf(f->arena, "q%d", i), "", "V");
	db_commit(f->db);
	/* Another step would end the program. */
	db_fault(f->db, STEPS, DB_ERROR);
	p = head_of(f, request);
	assert_string_equal(of_request(f, request), "-p1999");
	assert_string_equal(of_revision(f, request), "-p1999");
	assert_string_equal(of_revision_at(f, &now), "+new");
	db_fault(f->db, 0, DB_ERROR);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(changes_are_sorted_by_kind_and_title),
		cmocka_unit_test(every_visible_field_makes_a_change),
		cmocka_unit_test(a_revision_is_compared_to_the_one_before),
		cmocka_unit_test(gaps_of_numbers_belong_to_the_next),
		cmocka_unit_test(any_two_points_are_compared),
		cmocka_unit_test(an_update_shows_what_main_changed),
		cmocka_unit_test(what_a_request_never_showed_is_no_change),
		cmocka_unit_test(cost_follows_the_size_of_the_change),
	};

	return cmocka_run_group_tests(tests, db_setup, db_teardown);
}
