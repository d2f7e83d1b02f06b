/*
 * Points and overlays: what is read at the head, at old revisions, and through a branch over main;
 * paths of pages; copies.
 */
#include "db_fixture.h"

#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

#include "store/content.h"
#include "store/redirect.h"
#include "base/json.h"

SQL(q_told,
    "SELECT r.branch = :branch, r.seq, r.base_seq, r.kind, r.merged, r.author, r.git, r.created_at, b.head, b.base_seq "
    "FROM revision r JOIN branch b ON b.id = r.branch WHERE r.id = :id");

static int64_t
revise(struct fixture *f, int64_t branch, int64_t base_seq, char **id)
{
	struct revision_info info = { .kind = "edits", .author = f->user, .base_seq = base_seq };

	return revision_add(f->db, f->arena, branch, &info, id);
}

static struct node
page(const char *id, const char *parent, const char *slug, const char *path)
{
	return (struct node){ .id = id, .kind = NODE_DOCUMENT, .parent = parent, .ord = slug, .slug = slug,
		.path = path, .title = id, .props = "{}", .origin = -1, .at = 1, .made = 1 };
}

/* Writes one revision that changes one page (title NULL: deletes it); returns the revision's id. */
static char *
edit(struct fixture *f, int64_t branch, int64_t base_seq, struct node n, const char *title)
{
	char *id;
	int64_t seq;

	db_begin(f->db, true);
	seq = revise(f, branch, base_seq, &id);
	if (title == NULL) {
		node_end(f->db, branch, n.id, seq);
	} else {
		n.title = title;
		node_put(f->db, branch, seq, &n);
	}
	db_commit(f->db);
	return id;
}

static const char *
title_at(struct fixture *f, const char *revision, const char *id)
{
	struct point p;
	struct node n;

	if (!point_revision(f->db, f->arena, f->space, revision, &p))
		return "no revision";
	return node_get(f->db, f->arena, &p, id, &n) ? n.title : "-";
}

static void
new_space(struct fixture *f)
{
	db_begin(f->db, true);
	f->space = space_make(f->db, f->arena, &(struct space_new){ .org = f->org, .title = "S",
	    .author = f->user }, &f->branch);
	db_commit(f->db);
}

static void
revisions_never_change(void **state)
{
	struct fixture *f = *state;
	char *one, *two, *three, *four;
	struct point p;

	new_space(f);
	one = edit(f, f->branch, 0, page("a", "", "a", NULL), "A1");
	two = edit(f, f->branch, 0, page("b", "", "b", NULL), "B1");
	three = edit(f, f->branch, 0, page("a", "", "a", NULL), "A2");
	four = edit(f, f->branch, 0, page("a", "", "a", NULL), NULL);
	assert_string_equal(title_at(f, one, "a"), "A1");
	assert_string_equal(title_at(f, one, "b"), "-");
	assert_string_equal(title_at(f, two, "a"), "A1");
	assert_string_equal(title_at(f, two, "b"), "B1");
	assert_string_equal(title_at(f, three, "a"), "A2");
	assert_string_equal(title_at(f, four, "a"), "-");
	assert_string_equal(title_at(f, four, "b"), "B1");
	/* The page may be restored with the same id. */
	two = edit(f, f->branch, 0, page("a", "", "a", NULL), "A3");
	assert_string_equal(title_at(f, two, "a"), "A3");
	assert_string_equal(title_at(f, four, "a"), "-");
	assert_true(point_head(f->db, f->arena, f->branch, &p));
	assert_string_equal(p.revision, two);
	/* A revision of another space is not found. */
	new_space(f);
	assert_string_equal(title_at(f, two, "a"), "no revision");
	assert_string_equal(title_at(f, "nope", "a"), "no revision");
	assert_string_equal(title_at(f, "", "a"), "no revision");
}

static void
a_request_overlays_main(void **state)
{
	struct fixture *f = *state;
	char *first, *second, *base, *later;
	struct node gone = { .id = "b", .kind = NODE_GONE, .origin = -1, .parent = "", .ord = "", .slug = "",
		.title = "", .props = "{}", .at = 1, .made = 1 };
	struct point main_head, p;
	struct node *list;
	int64_t branch, seq;
	size_t n;

	new_space(f);
	edit(f, f->branch, 0, page("a", "", "a", NULL), "A");
	edit(f, f->branch, 0, page("b", "", "b", NULL), "B");
	base = edit(f, f->branch, 0, page("c", "a", "c", NULL), "C");
	point_head(f->db, f->arena, f->branch, &main_head);
	db_begin(f->db, true);
	branch = branch_create(f->db, f->space, "request", &main_head);
	seq = revise(f, branch, main_head.seq, &first);
	node_put(f->db, branch, seq, &gone);
	db_commit(f->db);
	second = edit(f, branch, main_head.seq, page("a", "", "a", NULL), "A of the request");
	later = edit(f, f->branch, 0, page("c", "a", "c", NULL), "C2");
	/*
	 * The branch's own rows take precedence, tombstones hide main's, and all others are main's
	 * at the base point.
	 */
	assert_string_equal(title_at(f, first, "a"), "A");
	assert_string_equal(title_at(f, first, "b"), "-");
	assert_string_equal(title_at(f, second, "a"), "A of the request");
	assert_string_equal(title_at(f, second, "b"), "-");
	assert_string_equal(title_at(f, second, "c"), "C");
	assert_string_equal(title_at(f, base, "a"), "A");
	assert_string_equal(title_at(f, later, "c"), "C2");
	assert_true(point_revision(f->db, f->arena, f->space, second, &p));
	list = node_list(f->db, f->arena, &p, NODE_PAGES, &n);
	assert_int_equal(n, 2);
	list = node_children(f->db, f->arena, &p, "", &n);
	assert_int_equal(n, 1);
	assert_string_equal(list[0].title, "A of the request");
	/* The branch gets a newer base; its older revision keeps the old one. */
	point_head(f->db, f->arena, f->branch, &main_head);
	db_begin(f->db, true);
	revise(f, branch, main_head.seq, &later);
	db_commit(f->db);
	assert_string_equal(title_at(f, later, "c"), "C2");
	assert_string_equal(title_at(f, later, "a"), "A of the request");
	assert_string_equal(title_at(f, second, "c"), "C");
}

static const char *
listed(struct fixture *f, const char *revision, unsigned kinds)
{
	struct node *list;
	struct point p;
	struct buf b;
	size_t n, i;

	buf_init(&b, f->arena, 1000);
	assert_true(point_revision(f->db, f->arena, f->space, revision, &p));
	list = node_list(f->db, f->arena, &p, kinds, &n);
	for (i = 0; i < n; i++)
		buf_printf(&b, "%s%s", list[i].id, list[i].title);
	return b.n == 0 ? "" : b.p;
}

static void
note_plan(void *ctx, struct stmt *q)
{
	buf_printf(ctx, "%s; ", col_text(q, 3));
}

static void
plan_of(void *ctx, const struct sql *sql)
{
	struct fixture *f = ctx;
	const char *error = NULL;
	struct buf b;

	if (strcmp(sql->name, "q_list_beside") != 0)
		return;
	buf_init(&b, f->arena, 10000);
	assert_true(db_each(f->db, f->arena, arena_printf(f->arena, "EXPLAIN QUERY PLAN %s", sql->text), note_plan, &b, &error));
	/* The plan uses the index for both parts: the branch's own rows and those of the base. */
	assert_non_null(strstr(b.p, "node_beside"));
	assert_non_null(strstr(strstr(b.p, "node_beside") + 1, "node_beside"));
}

/* Files and other kinds are found without reading pages, at any revision and through a change request. */
static void
files_are_found_without_pages(void **state)
{
	struct fixture *f = *state;
	struct node file = page("f", "", "", NULL), other = page("g", "", "", NULL), block = page("r", "", "", NULL);
	char *one, *two, *three, *asked;
	struct point p;
	int64_t branch;

	file.kind = other.kind = NODE_FILE;
	block.kind = NODE_REUSABLE;
	new_space(f);
	edit(f, f->branch, 0, page("a", "", "a", NULL), "A");
	one = edit(f, f->branch, 0, file, "1");
	edit(f, f->branch, 0, block, "2");
	two = edit(f, f->branch, 0, other, "3");
	three = edit(f, f->branch, 0, file, NULL);
	assert_string_equal(listed(f, one, NODE_FILE), "f1");
	assert_string_equal(listed(f, one, NODE_REUSABLE | NODE_SETTING), "");
	assert_string_equal(listed(f, two, NODE_REUSABLE), "r2");
	assert_int_equal(strlen(listed(f, two, NODE_FILE | NODE_REUSABLE)), 6);
	assert_string_equal(listed(f, three, NODE_FILE), "g3");
	assert_int_equal(strlen(listed(f, three, NODE_FILE | NODE_REUSABLE | NODE_DOCUMENT)), 6);
	point_head(f->db, f->arena, f->branch, &p);
	db_begin(f->db, true);
	branch = branch_create(f->db, f->space, "request", &p);
	db_commit(f->db);
	asked = edit(f, branch, p.seq, other, "4");
	edit(f, f->branch, 0, block, NULL);
	assert_string_equal(listed(f, asked, NODE_FILE), "g4");
	assert_string_equal(listed(f, asked, NODE_REUSABLE), "r2");
	db_statements(plan_of, f);
}

/*
 * A page is found by its own path, by the path of its nearest ancestor that has one and the slugs
 * below it, or by slugs alone.
 */
static void
a_path_finds_its_page(void **state)
{
	static const struct { const char *path, *id; } table[] = {
		{ "guide", "guide" }, { "guide/set-up", "setup" }, { "guide/set-up/deep", "deep" }, { "elsewhere/x", "x" },
		{ "elsewhere/x/y", "y" }, { "GUIDE/Set-Up", "setup" }, { "/guide/", "guide" },
		{ "learn", "group" }, { "learn/readme", "guide" }, { "learn/readme/set-up", "setup" },
		{ "set-up", NULL }, { "guide/deep", NULL }, { "guide/set-up/nope", NULL }, { "", NULL }, { "/", NULL }, { "//", NULL },
		{ "guide//set-up", NULL }, { "learn/x/y", "y" }, { "nope", NULL }, { "%", NULL }, { "guide/set-up/deep/deep", NULL },
	};
	struct fixture *f = *state;
	struct node group = page("group", "", "learn", NULL), n;
	struct point p;
	size_t i;

	new_space(f);
	group.kind = NODE_GROUP;
	edit(f, f->branch, 0, group, "Learn");
	edit(f, f->branch, 0, page("guide", "group", "readme", "guide"), "Guide");
	edit(f, f->branch, 0, page("setup", "guide", "set-up", NULL), "Set-up");
	edit(f, f->branch, 0, page("deep", "setup", "deep", NULL), "Deep");
	edit(f, f->branch, 0, page("x", "group", "x", "elsewhere/x"), "X");
	edit(f, f->branch, 0, page("y", "x", "y", NULL), "Y");
	point_head(f->db, f->arena, f->branch, &p);
	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		bool found = page_by_path(f->db, f->arena, &p, table[i].path, &n);
		if (found != (table[i].id != NULL) || (found && strcmp(n.id, table[i].id) != 0))
			fail_msg("\"%s\": %s instead of %s", table[i].path, found ? n.id : "nothing",
			    table[i].id != NULL ? table[i].id : "nothing");
	}
	/* The path computed for a page finds that page. */
	for (i = 0; i < 3; i++) {
		assert_true(node_get(f->db, f->arena, &p, i == 0 ? "deep" : i == 1 ? "y" : "guide", &n));
		assert_true(page_by_path(f->db, f->arena, &p, page_path(f->db, f->arena, &p, &n), &n));
		assert_string_equal(n.id, i == 0 ? "deep" : i == 1 ? "y" : "guide");
	}
}

static void
a_tree_is_sorted_at_each_revision(void **state)
{
	struct fixture *f = *state;
	struct page *top, *sub;
	struct point p;
	struct node n;
	size_t count;

	new_space(f);
	edit(f, f->branch, 0, page("b", "", "b", NULL), "B");
	edit(f, f->branch, 0, page("a", "", "a", NULL), "A");
	edit(f, f->branch, 0, page("b2", "b", "z", NULL), "B2");
	edit(f, f->branch, 0, page("b1", "b", "y", NULL), "B1");
	point_head(f->db, f->arena, f->branch, &p);
	top = page_tree(f->db, f->arena, &p, &count);
	assert_int_equal(count, 4);
	assert_string_equal(top->node.id, "a");
	assert_string_equal(top->next->node.id, "b");
	assert_null(top->next->next);
	assert_string_equal(top->next->first->node.id, "b1");
	assert_string_equal(top->next->first->path, "b/y");
	assert_string_equal(top->next->first->next->node.id, "b2");
	node_get(f->db, f->arena, &p, "b", &n);
	sub = page_subtree(f->db, f->arena, &p, &n);
	assert_string_equal(sub->first->path, "b/y");
	assert_null(sub->next);
	/* A damaged database with two pages below each other: only these are left out. */
	edit(f, f->branch, 0, page("b", "b2", "b", NULL), "B");
	point_head(f->db, f->arena, f->branch, &p);
	top = page_tree(f->db, f->arena, &p, &count);
	assert_string_equal(top->node.id, "a");
	assert_null(top->next);
}

/*
 * A damaged database with a tree deeper than PAGE_DEPTH: levels below it are left out, so that
 * every response can hold the tree.
 */
static void
a_tree_of_too_many_levels_is_cut(void **state)
{
	struct fixture *f = *state;
	const char *parent = "";
	struct page *sub, *top;
	struct point p;
	struct node n;
	size_t count;
	int i;

	new_space(f);
	for (i = 0; i < PAGE_DEPTH + 3; i++) {
		n = page(arena_printf(f->arena, "l%d", i), parent, arena_printf(f->arena, "s%d", i), NULL);
		edit(f, f->branch, 0, n, "L");
		parent = n.id;
	}
	point_head(f->db, f->arena, f->branch, &p);
	node_get(f->db, f->arena, &p, "l0", &n);
	sub = page_subtree(f->db, f->arena, &p, &n);
	top = page_tree(f->db, f->arena, &p, &count);
	assert_int_equal(count, PAGE_DEPTH + 3);
	for (i = 1; i < PAGE_DEPTH; i++) {
		sub = sub->first;
		top = top->first;
		assert_non_null(sub);
		assert_string_equal(sub->path, top->path);
	}
	assert_null(sub->first);
	assert_null(top->first);
}

/*
 * Two points are equal if they read the same content: in main only the sequence number counts, in a
 * change request the base's too.
 */
static void
two_points_are_compared_by_what_they_read(void **state)
{
	struct point x = { .branch = 1, .seq = 2 }, y = x;

	(void)state;
	y.base_seq = 9;
	assert_true(point_same(&x, &y));
	y.seq = 3;
	assert_false(point_same(&x, &y));
	y.seq = 2, y.branch = 2;
	assert_false(point_same(&x, &y));
	y.branch = 1, y.base = 7;
	assert_false(point_same(&x, &y));
	x.base = 7;
	assert_false(point_same(&x, &y));
	x.base_seq = 9;
	assert_true(point_same(&x, &y));
	y.seq = 3;
	assert_false(point_same(&x, &y));
}

static void
a_copy_has_the_newest_content(void **state)
{
	struct fixture *f = *state;
	char *from = f->space, *revision;
	int64_t source, branch;
	struct point p;
	struct node n;
	size_t count;

	new_space(f);
	from = f->space;
	source = f->branch;
	edit(f, source, 0, page("a", "", "a", NULL), "old");
	edit(f, source, 0, page("a", "", "a", NULL), "new");
	edit(f, source, 0, page("b", "a", "b", NULL), "B");
	edit(f, source, 0, page("b", "a", "b", NULL), NULL);
	edit(f, source, 0, page("c", "a", "c", NULL), "C");
	edit(f, source, 0, page("d", "a", "d", NULL), "D");
	point_head(f->db, f->arena, source, &p);
	/* Changes after the copied point are not copied. */
	edit(f, source, 0, page("c", "a", "c", NULL), NULL);
	edit(f, source, 0, page("later", "a", "later", NULL), "Later");
	new_space(f);
	branch = f->branch;
	db_begin(f->db, true);
	node_copy_all(f->db, f->arena, &p, branch, revise(f, branch, 0, &revision), false);
	db_commit(f->db);
	assert_string_equal(title_at(f, revision, "a"), "new");
	assert_string_equal(title_at(f, revision, "b"), "-");
	assert_string_equal(title_at(f, revision, "c"), "C");
	assert_string_equal(title_at(f, revision, "d"), "D");
	assert_string_equal(title_at(f, revision, "later"), "-");
	/* Changes to the copy do not change the original. */
	edit(f, branch, 0, page("a", "", "a", NULL), "of the copy");
	f->space = from;
	point_head(f->db, f->arena, source, &p);
	assert_true(node_get(f->db, f->arena, &p, "a", &n));
	assert_string_equal(n.title, "new");
	node_list(f->db, f->arena, &p, NODE_PAGES, &count);
	assert_int_equal(count, 3);
}

/* Records in a revision that the page moved from one path to another. */
static void
move(struct fixture *f, const char *from, const char *to, const char *id)
{
	char *revision;

	db_begin(f->db, true);
	redirect_put(f->db, f->arena, f->branch, revise(f, f->branch, 0, &revision), from, to, id);
	db_commit(f->db);
}

/* The id of the page that a redirect finds for the path, or "-". */
static const char *
redirected(struct fixture *f, const char *path)
{
	struct point p;
	struct node n;

	assert_true(point_head(f->db, f->arena, f->branch, &p));
	return redirect_find(f->db, f->arena, &p, path, &n) ? n.id : "-";
}

/* A page at a path ends the redirect of that path permanently: it does not return when the page is moved away. */
static void
a_redirect_ends_when_a_page_takes_its_path(void **state)
{
	struct fixture *f = *state;
	struct node reusable = page("a", "", "a", NULL);

	new_space(f);
	edit(f, f->branch, 0, page("a", "", "a", NULL), "A");
	edit(f, f->branch, 0, page("b", "a", "b", NULL), "B");
	edit(f, f->branch, 0, page("c", "", "c", NULL), "C");
	move(f, "old", "a", "a");
	assert_string_equal(redirected(f, "old"), "a");
	assert_string_equal(redirected(f, "old/b"), "b");
	assert_string_equal(redirected(f, "old/c"), "-");
	assert_string_equal(redirected(f, "other"), "-");
	move(f, "before", "old", "c");
	assert_string_equal(redirected(f, "before"), "c");
	assert_string_equal(redirected(f, "old"), "-");
	move(f, "before", "old", "a");
	assert_string_equal(redirected(f, "before"), "a");
	/* Nor to a node that is no longer a page. */
	reusable.kind = NODE_REUSABLE;
	edit(f, f->branch, 0, reusable, "A");
	assert_string_equal(redirected(f, "before"), "-");
	edit(f, f->branch, 0, page("a", "", "a", NULL), "A");
	assert_string_equal(redirected(f, "before"), "a");
	edit(f, f->branch, 0, page("a", "", "a", NULL), NULL);
	assert_string_equal(redirected(f, "before"), "-");
}

static void
equal_bytes_share_one_blob(void **state)
{
	struct fixture *f = *state;
	struct str one, again, out;

	db_begin(f->db, true);
	one = blob_put(f->db, f->arena, STR("a\0b"));
	again = blob_put(f->db, f->arena, STR("a\0b"));
	assert_true(str_eq(one, again));
	assert_true(blob_get(f->db, f->arena, one, &out));
	assert_int_equal(out.n, 3);
	assert_memory_equal(out.p, "a\0b", 3);
	one = blob_put(f->db, f->arena, STR(""));
	assert_true(blob_get(f->db, f->arena, one, &out));
	assert_int_equal(out.n, 0);
	assert_false(blob_get(f->db, f->arena, STR("no such hash of thirty-two bytes"), &out));
	db_commit(f->db);
}

/* All columns of a revision's row, and of the branch whose head it is. */
static const char *
told_of(struct fixture *f, int64_t branch, const char *id)
{
	struct stmt *q = db_use(f->db, &q_told);
	struct buf b;
	int i;

	buf_init(&b, f->arena, 1 << 10);
	bind_int(q, ":branch", branch);
	bind_text(q, ":id", id);
	assert_true(stmt_step(q));
	assert_in_range(time_now() - col_int(q, 7), 0, 600 * 1000);
	for (i = 0; i < 10; i++)
		if (i != 7)
			buf_printf(&b, "%s%s", i == 0 ? "" : " ", col_null(q, i) ? "-" : col_text(q, i));
	return b.p;
}

static void
a_revision_keeps_what_was_recorded(void **state)
{
	struct fixture *f = *state;
	struct revision_info bare = { .kind = "edits", .base_seq = 7 };
	struct point main;
	int64_t request;
	char *id;

	new_space(f);
	db_begin(f->db, true);
	assert_int_equal(revision_add(f->db, f->arena, f->branch, &bare, &id), 1);
	assert_string_equal(told_of(f, f->branch, id), "1 1 - edits - - - 1 -");
	assert_true(point_head(f->db, f->arena, f->branch, &main));
	assert_string_equal(main.revision, id);
	request = branch_create(f->db, f->space, "request", &main);
	revision_add(f->db, f->arena, request, &(struct revision_info){ .kind = "update", .author = f->user, .merged = id,
	    .git = "{\"oid\":\"1\"}", .base_seq = 1 }, &id);
	assert_string_equal(told_of(f, request, id), arena_printf(f->arena, "1 0 1 update %s %s {\"oid\":\"1\"} 0 1",
	    main.revision, f->user));
	db_rollback(f->db);
}

/* A branch over main cannot be copied: the part of its content that is main's would be missing. */
static void
main_alone_is_copied(void **state)
{
	struct fixture *f = *state;
	struct point main = { .branch = f->branch, .seq = 1 };
	const char *error = NULL;
	int request, status;
	pid_t pid;

	for (request = 0; request < 2; request++) {
		if ((pid = fork()) == 0) {
			/* Hides the panic's message. */
			fclose(stderr);
			f->db = db_open(f->arena, arena_printf(f->arena, "%s/octavo.db", f->dir), DB_READ_WRITE, NULL, &error);
			db_begin(f->db, true);
			main.base = request == 1 ? f->branch : 0;
			node_copy_all(f->db, f->arena, &main, f->branch, 9, false);
			db_rollback(f->db);
			_exit(0);
		}
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_true(WIFEXITED(status));
		assert_int_equal(WEXITSTATUS(status), request == 1 ? EX_SOFTWARE : 0);
	}
}

/* As in the programs, cJSON allocates from the arena. */
static int
setup(void **state)
{
	int rc = db_setup(state);

	json_arena(((struct fixture *)*state)->arena);
	return rc;
}

static int
teardown(void **state)
{
	json_arena(NULL);
	return db_teardown(state);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(revisions_never_change), cmocka_unit_test(a_request_overlays_main),
		cmocka_unit_test(files_are_found_without_pages),
		cmocka_unit_test(a_path_finds_its_page),
		cmocka_unit_test(a_tree_is_sorted_at_each_revision), cmocka_unit_test(a_tree_of_too_many_levels_is_cut),
		cmocka_unit_test(two_points_are_compared_by_what_they_read), cmocka_unit_test(a_copy_has_the_newest_content),
		cmocka_unit_test(a_redirect_ends_when_a_page_takes_its_path),
		cmocka_unit_test(a_revision_keeps_what_was_recorded), cmocka_unit_test(main_alone_is_copied),
		cmocka_unit_test(equal_bytes_share_one_blob) };

	return cmocka_run_group_tests(tests, setup, teardown);
}
