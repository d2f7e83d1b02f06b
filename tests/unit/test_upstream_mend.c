/*
 * Single cases of merging a repository's content into main: how main's tree is repaired if both
 * sides together make no valid tree, and concurrent writes.
 */
#include "upstream_fixture.h"

#include "invariant_fixture.h"
#include "store/order.h"
#include "store/overlay.h"

/* Number of visible links of a page. */
SQL(q_links_shown,
    "SELECT count(*) FROM link l JOIN link_edition e ON e.no = l.edition WHERE e.branch = :branch AND e.shown = 1 "
    "AND l.source = :page /*scan*/");

/* Number of events that an import reported, by kind. */
struct notes {
	int both, moved, address;
};

static void
count_notes(void *ctx, enum upstream_event what, const struct node *page)
{
	struct notes *n = ctx;

	assert_non_null(page->id);
	n->both += what == UPSTREAM_BOTH;
	n->moved += what == UPSTREAM_MOVED;
	n->address += what == UPSTREAM_ADDRESS;
}

static struct node
in_main(struct fixture *f, const char *id)
{
	struct point p = head(f);
	struct node n;

	assert_true(node_get(f->db, f->arena, &p, id, &n));
	return n;
}

/* ---- the tree ---- */

/* Main deleted a page below which the repository adds pages: it is restored, and that is reported once. */
static void
a_deleted_parent_comes_back(void **state)
{
	struct fixture *f = *state;
	struct arena *a = f->arena;
	struct wanted list[] = { page(a, "p", "", "P", "p\n"), page(a, "x", "p", "X", "x\n"), page(a, "y", "p", "Y", "y\n") };
	struct notes told = { 0, 0, 0 };

	forget(f);
	take(f, list, 1, NULL, NULL);
	main_change(f, "p", NULL);
	list[1].node.ord = "W";
	take(f, list, 3, count_notes, &told);
	assert_string_equal(in_main(f, "p").title, "P");
	assert_string_equal(in_main(f, "x").parent, "p");
	assert_string_equal(in_main(f, "y").parent, "p");
	assert_int_equal(told.both, 1);
	assert_int_equal(told.moved, 0);
}

/* If the repository deletes the parents of main's own page, it moves up to the nearest page that is left. */
static void
an_own_page_moves_up(void **state)
{
	struct fixture *f = *state;
	struct arena *a = f->arena;
	struct wanted list[] = { page(a, "p", "", "P", "p\n"), page(a, "q", "p", "Q", "q\n"), page(a, "r", "q", "R", "r\n") };
	struct wanted own = page(a, "own", "r", "Own", "o\n");
	struct notes told = { 0, 0, 0 };

	forget(f);
	take(f, list, 3, NULL, NULL);
	main_change(f, "own", &own);
	take(f, list, 1, count_notes, &told);
	assert_string_equal(in_main(f, "own").parent, "p");
	/* Main's own page is no version of a repository page. */
	assert_int_equal(in_main(f, "own").origin, -1);
	assert_int_equal(told.moved, 1);
	take(f, NULL, 0, count_notes, &told);
	assert_string_equal(in_main(f, "own").parent, "");
	assert_int_equal(told.moved, 2);
}

/* Of pages in a circle, one that is main's own moves to the top. */
static void
an_own_page_in_a_circle_goes_to_the_top(void **state)
{
	struct fixture *f = *state;
	struct arena *a = f->arena;
	struct wanted list[] = { page(a, "a", "", "A", "a\n"), page(a, "b", "", "B", "b\n") };
	struct wanted own = page(a, "0", "b", "Own", "o\n"), placed = page(a, "a", "0", "A", "a\n");
	struct notes told = { 0, 0, 0 };

	forget(f);
	take(f, list, 2, NULL, NULL);
	main_change(f, "0", &own);
	main_change(f, "a", &placed);
	list[1].node.parent = "a";
	take(f, list, 2, count_notes, &told);
	assert_string_equal(in_main(f, "0").parent, "");
	assert_string_equal(in_main(f, "a").parent, "0");
	assert_string_equal(in_main(f, "b").parent, "a");
	assert_int_equal(told.moved, 1);
}

/* If each side moved a page below the other one's, main's move is undone, whichever page is processed first. */
static void
main_s_move_in_a_circle_goes_back(void **state)
{
	struct fixture *f = *state;
	struct arena *a = f->arena;
	struct wanted list[] = { page(a, "a", "", "A", "a\n"), page(a, "b", "", "B", "b\n") };
	struct wanted placed = page(a, "b", "a", "B", "b\n");

	forget(f);
	take(f, list, 2, NULL, NULL);
	main_change(f, "b", &placed);
	list[0].node.parent = "b";
	assert_null(take(f, list, 2, NULL, NULL).error);
	assert_string_equal(in_main(f, "a").parent, "b");
	assert_string_equal(in_main(f, "b").parent, "");
}

/* A link node has no path: it neither takes the path of a page nor has to free one. */
static void
links_have_no_address(void **state)
{
	struct fixture *f = *state;
	struct wanted list[] = { page(f->arena, "a", "", "A", "a\n"), page(f->arena, "x", "", "X", "x\n") };
	struct wanted own = page(f->arena, "0", "", "Link", "");
	struct notes told = { 0, 0, 0 };

	forget(f);
	take(f, list, 1, NULL, NULL);
	own.node.kind = NODE_LINK;
	own.node.slug = "x";
	main_change(f, "0", &own);
	take(f, list, 2, count_notes, &told);
	assert_string_equal(in_main(f, "x").slug, "x");
	assert_string_equal(in_main(f, "0").slug, "x");
	assert_int_equal(told.address, 0);
}

/* Of two pages with one path, the one that main gave it gets another, whichever is processed first. */
static void
a_page_named_by_main_gives_way(void **state)
{
	struct fixture *f = *state;
	struct wanted list[] = { page(f->arena, "a", "", "A", "a\n"), page(f->arena, "b", "", "B", "b\n"), page(f->arena, "z", "", "Z", "z\n") };
	struct wanted mine = page(f->arena, "a", "", "A", "a\n");
	struct notes told = { 0, 0, 0 };

	forget(f);
	list[0].node.path = "old";
	take(f, list, 2, NULL, NULL);
	mine.node.path = "new";
	main_change(f, "a", &mine);
	list[2].node.path = "new";
	take(f, list, 3, count_notes, &told);
	assert_int_equal(told.address, 1);
	assert_string_equal(in_main(f, "z").path, "new");
	assert_null(in_main(f, "a").path);
	assert_string_equal(in_main(f, "a").slug, "a-1");
	assert_int_equal(in_main(f, "a").origin, -1);
	/* The same for a page to which main gave a path of its own and the repository none. */
	mine = page(f->arena, "b", "", "B", "b\n");
	mine.node.path = "newer";
	main_change(f, "b", &mine);
	list[2].node.path = "newer";
	take(f, list, 3, count_notes, &told);
	assert_int_equal(told.address, 2);
	assert_string_equal(in_main(f, "z").path, "newer");
	assert_string_equal(in_main(f, "b").slug, "b-1");
}

/* ---- order ---- */

/* A revision of main that assigns new, short keys. */
static struct point
spread(struct fixture *f)
{
	struct revision_info info = { .kind = "edits", .author = f->user };
	struct point now;
	char *revision;

	db_begin(f->db, true);
	revision_add(f->db, f->arena, f->branch, &info, &revision);
	now = head(f);
	order_renumber(f->db, f->arena, &now, "");
	db_commit(f->db);
	return now;
}

/* New keys of main's siblings do not affect nodes that have no position, such as reusable contents. */
static void
only_pages_have_places(void **state)
{
	struct fixture *f = *state;
	struct arena *a = f->arena;
	struct wanted list[] = { page(a, "a", "", "A", "a\n"), page(a, "b", "", "B", "b\n"), page(a, "r", "", "R", "r\n") };
	struct wanted own = page(a, "own", "", "Own", "o\n");
	struct upstream_result out;
	char key[ORDER_KEY_LONG + 2] = "";
	struct point now;
	int64_t era;

	forget(f);
	memset(key, 'X', sizeof(key) - 1);
	list[1].node.ord = "W";
	list[2].node.kind = NODE_REUSABLE;
	list[2].node.ord = "";
	take(f, list, 2, NULL, NULL);
	/* If no key is long, none is assigned, and no era begins. */
	now = spread(f);
	era = order_era(f->db, a, &now, "");
	assert_int_equal(era, order_era(f->db, a, &(struct point){ .space = f->space, .branch = f->branch, .seq = now.seq - 1 }, ""));
	own.node.ord = key;
	main_change(f, "own", &own);
	now = spread(f);
	assert_true(order_era(f->db, a, &now, "") > era);
	out = take(f, list, 3, NULL, NULL);
	assert_int_equal(out.added, 1);
	assert_string_equal(in_main(f, "r").ord, "");
}

/*
 * New keys that main assigned to siblings do not count as moves by the repository: pages that it
 * did not change may be changed and deleted in main.
 */
static void
dealt_is_not_moved(void **state)
{
	struct fixture *f = *state;
	struct arena *a = f->arena;
	struct wanted list[] = { page(a, "a", "", "A", "a\n"), page(a, "b", "", "B", "b\n"), page(a, "c", "", "C", "c\n") };
	struct wanted own = page(a, "own", "", "Own", "o\n"), mine = page(a, "b", "", "Mine", "b\n");
	struct upstream_task task = { .list = list, .n = 3, .author = f->user };
	struct upstream_result out;
	char key[ORDER_KEY_LONG + 2] = "";
	struct point now;
	int64_t era;
	size_t n;

	forget(f);
	mine.node.ord = list[1].node.ord = "W";
	list[2].node.ord = "X";
	take(f, list, 3, NULL, NULL);
	now = head(f);
	era = order_era(f->db, a, &now, "");
	memset(key, 'Z', sizeof(key) - 1);
	own.node.ord = key;
	main_change(f, "own", &own);
	main_change(f, "a", NULL);
	main_change(f, "b", &mine);
	now = spread(f);
	assert_true(order_era(f->db, a, &now, "") > era);
	out = take(f, list, 3, NULL, NULL);
	assert_null(out.conflicts);
	assert_false(out.changed);
	now = head(f);
	assert_string_equal(title_at(f, &now, "a"), "-");
	assert_string_equal(title_at(f, &now, "b"), "Mine");
	/*
	 * As a standalone import it has three rows: these two pages, and a tombstone for main's own
	 * page; c has main's position.
	 */
	assert_int_equal(upstream_standalone(f->db, a, f->space, &task, &out), UPSTREAM_DONE);
	assert_true(point_revision(f->db, a, f->space, out.revision, &now));
	overlay_rows(f->db, a, now.branch, &n);
	assert_int_equal(n, 3);
}

/* ---- changed by both ---- */

static struct wanted *
keep_main(void *ctx, const struct node *before, const struct node *now, struct wanted *w)
{
	assert_non_null(before);
	assert_non_null(now);
	assert_string_equal(w->node.id, "a");
	++*(int *)ctx;
	return NULL;
}

/* A policy may keep main's version; the next import calls it only if something has changed again. */
static void
a_policy_may_keep_main(void **state)
{
	struct fixture *f = *state;
	struct wanted list[] = { page(f->arena, "a", "", "A", "a\n") }, mine = page(f->arena, "a", "", "Mine", "a\n");
	int asked = 0;
	struct upstream_task task = { .list = list, .n = 1, .author = f->user, .both = keep_main, .ctx = &asked };
	struct upstream_result out;

	forget(f);
	take(f, list, 1, NULL, NULL);
	main_change(f, "a", &mine);
	list[0].node.title = "Theirs";
	assert_int_equal(take_task(f, &task, &out), UPSTREAM_DONE);
	assert_false(out.changed);
	assert_int_equal(asked, 1);
	assert_string_equal(in_main(f, "a").title, "Mine");
	assert_int_equal(take_task(f, &task, &out), UPSTREAM_DONE);
	assert_int_equal(asked, 1);
}

static struct wanted *
take_main(void *ctx, const struct node *before, const struct node *now, struct wanted *w)
{
	struct wanted *same = ctx;

	assert_non_null(before);
	assert_true(now != NULL && w != same);
	return same;
}

/* Or return a version that equals main's: that is no change either. */
static void
a_policy_may_answer_the_same(void **state)
{
	struct fixture *f = *state;
	struct wanted list[] = { page(f->arena, "a", "", "A", "a\n") }, mine = page(f->arena, "a", "", "Mine", "a\n"), other = mine;
	struct upstream_task task = { .list = list, .n = 1, .author = f->user, .both = take_main, .ctx = &other };
	struct upstream_result out;

	forget(f);
	take(f, list, 1, NULL, NULL);
	main_change(f, "a", &mine);
	list[0].node.title = "Theirs";
	assert_int_equal(take_task(f, &task, &out), UPSTREAM_DONE);
	assert_false(out.changed);
	assert_string_equal(in_main(f, "a").title, "Mine");
}

/* Or make a third version from both, which main then gets. */
static void
a_policy_may_make_a_third(void **state)
{
	struct fixture *f = *state;
	struct wanted list[] = { page(f->arena, "a", "", "A", "a\n") }, mine = page(f->arena, "a", "", "Mine", "a\n"), other = mine;
	struct upstream_task task = { .list = list, .n = 1, .author = f->user, .both = take_main, .ctx = &other };
	struct upstream_result out;

	forget(f);
	take(f, list, 1, NULL, NULL);
	main_change(f, "a", &mine);
	list[0].node.title = "Theirs";
	other.node.title = "Mine and theirs";
	assert_int_equal(take_task(f, &task, &out), UPSTREAM_DONE);
	assert_int_equal(out.edited, 1);
	assert_string_equal(in_main(f, "a").title, "Mine and theirs");
}

/* Lines that an export respelled are merged with lines that main changed since. */
static void
exported_lines_meet_new_ones(void **state)
{
	struct fixture *f = *state;
	struct wanted list[] = { page(f->arena, "a", "", "A", "one\n\ntwo\n\nthree\n") };
	struct wanted mine = page(f->arena, "a", "", "Mine", "zero\n\none\n\ntwo\n\nthree\n");
	struct upstream_task task = { .list = list, .n = 1, .author = f->user, .exported = true };
	struct upstream_result out;
	struct str body;

	json_arena(f->arena);
	forget(f);
	take(f, list, 1, NULL, NULL);
	main_change(f, "a", &mine);
	list[0].body = STR("one\n\ntwo\n\nthree, spelled anew\n");
	list[0].node.git_path = "moved.md";
	assert_int_equal(take_task(f, &task, &out), UPSTREAM_DONE);
	assert_int_equal(out.edited, 1);
	assert_true(blob_get(f->db, f->arena, in_main(f, "a").body, &body));
	assert_string_equal(arena_strndup(f->arena, body.p, body.n), "zero\n\none\n\ntwo\n\nthree, spelled anew\n");
	assert_string_equal(in_main(f, "a").title, "Mine");
	assert_string_equal(in_main(f, "a").git_path, "moved.md");
}

/*
 * The commit of an export lacks whatever files cannot express: that stays in main. Settings can be
 * expressed completely, so missing ones are deleted.
 */
static void
what_an_export_lacks_stays(void **state)
{
	struct fixture *f = *state;
	struct wanted list[] = { page(f->arena, "a", "", "A", "a\n"), page(f->arena, "b", "", "B", "b\n"),
		page(f->arena, "redirects", "", "", "") };
	struct upstream_task task = { .list = list, .n = 1, .author = f->user, .exported = true };
	struct upstream_result out;
	struct point now;

	forget(f);
	list[2].node.kind = NODE_SETTING;
	list[2].body = (struct str){ NULL, 0 };
	take(f, list, 3, NULL, NULL);
	now = head(f);
	assert_string_equal(title_at(f, &now, "redirects"), "");
	assert_int_equal(take_task(f, &task, &out), UPSTREAM_DONE);
	now = head(f);
	assert_string_equal(title_at(f, &now, "b"), "B");
	assert_string_equal(title_at(f, &now, "redirects"), "-");
	assert_int_equal(out.removed, 1);
}

/* Main's own page is recorded by one tombstone in the view: later imports do not write it again. */
static void
own_pages_are_noted_once(void **state)
{
	struct fixture *f = *state;
	struct wanted list[] = { page(f->arena, "a", "", "A", "a\n") }, own = page(f->arena, "own", "", "Own", "o\n");
	struct node first, then;
	struct point view;

	forget(f);
	take(f, list, 1, NULL, NULL);
	main_change(f, "own", &own);
	list[0].node.title = "New";
	take(f, list, 1, NULL, NULL);
	assert_true(upstream_view(f->db, f->arena, f->space, &view));
	assert_true(node_at(f->db, f->arena, &view, "own", &first));
	assert_int_equal(first.kind, NODE_GONE);
	list[0].node.title = "Newer";
	take(f, list, 1, NULL, NULL);
	assert_true(upstream_view(f->db, f->arena, f->space, &view));
	assert_true(node_at(f->db, f->arena, &view, "own", &then));
	assert_true(then.since == first.since && view.seq > first.since);
}

/* An import of unchanged content changes neither side, however often. */
static void
a_known_import_changes_nothing(void **state)
{
	struct fixture *f = *state;
	struct wanted list[] = { page(f->arena, "a", "", "A", "a\n") };
	struct point before, after;

	forget(f);
	take(f, list, 1, NULL, NULL);
	assert_true(upstream_view(f->db, f->arena, f->space, &before));
	assert_true(before.base != 0);
	assert_false(take(f, list, 1, NULL, NULL).changed);
	assert_true(upstream_view(f->db, f->arena, f->space, &after));
	assert_string_equal(after.revision, before.revision);
}

/* After an export to another repository, pages that only the repository before had are no longer in the view. */
static void
pages_of_another_repository_are_released(void **state)
{
	struct fixture *f = *state;
	struct wanted list[] = { page(f->arena, "a", "", "A", "a\n"), page(f->arena, "x", "", "X", "x\n") };
	struct upstream_task task = { .list = list, .n = 1, .author = f->user, .exported = true, .held_n = 1 };
	struct upstream_result out;
	struct point view;
	struct node held;

	forget(f);
	take(f, list, 2, NULL, NULL);
	main_change(f, "x", NULL);
	list[1].node.title = "Edited";
	assert_non_null(take(f, list, 2, NULL, NULL).conflicts);
	assert_true(upstream_view(f->db, f->arena, f->space, &view));
	assert_string_equal(title_at(f, &view, "x"), "Edited");
	assert_true(node_get(f->db, f->arena, &view, "a", &held));
	task.held = &held;
	assert_int_equal(take_task(f, &task, &out), UPSTREAM_DONE);
	assert_true(upstream_view(f->db, f->arena, f->space, &view));
	assert_string_equal(title_at(f, &view, "a"), "A");
	assert_string_equal(title_at(f, &view, "x"), "-");
	/* The same if that was its first import, of which nothing was merged into main. */
	forget(f);
	task = (struct upstream_task){ .list = list, .n = 2, .author = f->user, .as_request = true };
	assert_int_equal(take_task(f, &task, &out), UPSTREAM_DONE);
	assert_true(upstream_view(f->db, f->arena, f->space, &view));
	assert_string_equal(title_at(f, &view, "x"), "Edited");
	assert_int_equal(view.seq, 0);
	assert_true(node_get(f->db, f->arena, &view, "a", &held));
	task = (struct upstream_task){ .list = list, .n = 1, .author = f->user, .exported = true, .held = &held, .held_n = 1 };
	assert_int_equal(take_task(f, &task, &out), UPSTREAM_DONE);
	assert_true(upstream_view(f->db, f->arena, f->space, &view));
	assert_string_equal(title_at(f, &view, "x"), "-");
}

/* From the commit of an export only the line in the table of contents is taken; everything else is as in main. */
static void
a_line_of_an_export_comes_back(void **state)
{
	struct fixture *f = *state;
	struct wanted list[] = { page(f->arena, "a", "", "A", "a\n") };
	struct upstream_task task = { .list = list, .n = 1, .author = f->user, .exported = true };
	struct upstream_result out;

	json_arena(f->arena);
	forget(f);
	list[0].node.props = "{\"summary\":{\"title\":\"Old\"},\"x\":1}";
	take(f, list, 1, NULL, NULL);
	list[0].node.props = "{\"summary\":{\"title\":\"New\"},\"x\":2}";
	assert_int_equal(take_task(f, &task, &out), UPSTREAM_DONE);
	assert_string_equal(in_main(f, "a").props, "{\"x\":1,\"summary\":{\"title\":\"New\"}}");
	list[0].node.props = "{\"x\":3}";
	assert_int_equal(take_task(f, &task, &out), UPSTREAM_DONE);
	assert_string_equal(in_main(f, "a").props, "{\"x\":1,\"summary\":{\"title\":\"New\"}}");
	json_arena(NULL);
}

/* ---- nodes that a repository does not contain ---- */

static void
expect_pages_gone(struct fixture *f, const struct point *p)
{
	assert_string_equal(title_at(f, p, "file"), "f.png");
	assert_string_equal(title_at(f, p, "words"), "Words");
	assert_string_equal(title_at(f, p, "gone"), "-");
}

/*
 * Files and reusable contents of main without a path in a repository stay; pages that the
 * repository lacks are deleted.
 */
static void
files_that_the_repository_lacks_stay(void **state)
{
	struct fixture *f = *state;
	struct wanted list[] = { page(f->arena, "a", "", "A", "a\n") };
	struct wanted file = page(f->arena, "file", "", "f.png", "bytes"), words = page(f->arena, "words", "", "Words", "w\n");
	struct wanted gone = page(f->arena, "gone", "", "Gone", "g\n");
	struct upstream_task task = { .list = list, .n = 1, .author = f->user };
	struct upstream_result out;
	struct point now;

	forget(f);
	file.node.kind = NODE_FILE;
	words.node.kind = NODE_REUSABLE;
	file.node.git_path = words.node.git_path = gone.node.git_path = NULL;
	main_change(f, "file", &file);
	main_change(f, "words", &words);
	main_change(f, "gone", &gone);
	/* In a standalone revision, and then in main. */
	assert_int_equal(upstream_standalone(f->db, f->arena, f->space, &task, &out), UPSTREAM_DONE);
	assert_true(point_revision(f->db, f->arena, f->space, out.revision, &now));
	expect_pages_gone(f, &now);
	take(f, list, 1, NULL, NULL);
	now = head(f);
	expect_pages_gone(f, &now);
}

/* ---- concurrent writes ---- */

struct meanwhile {
	struct fixture *f;
	struct wanted   page;
	int             passes;
	bool            gone;
};

static void
write_once(void *ctx)
{
	struct meanwhile *m = ctx;

	if (m->passes++ == 0)
		main_change(m->f, m->page.node.id, m->gone ? NULL : &m->page);
}

static int64_t
links_shown_of(struct fixture *f, const char *page)
{
	struct stmt *q = db_use(f->db, &q_links_shown);

	bind_int(q, ":branch", f->branch);
	bind_text(q, ":page", page);
	return stmt_int(q, -1);
}

/* Imports a page with so many links that they are written ahead, while another connection writes. */
static void
take_links(struct fixture *f, struct meanwhile *m)
{
	struct wanted list[] = { page(f->arena, "a", "", "A", "") };
	struct upstream_task task = { .list = list, .n = 1, .author = f->user, .ready = write_once, .ctx = m };
	struct upstream_result out;
	struct buf b;
	int k;

	buf_init(&b, f->arena, 1 << 20);
	for (k = 0; k < 3000; k++)
		buf_printf(&b, "[x](none%d.md) ", k);
	list[0].body = buf_view(&b);
	assert_int_equal(take_task(f, &task, &out), UPSTREAM_DONE);
	assert_int_equal(m->passes, 2);
	assert_int_equal(links_shown_of(f, "a"), 3000);
	assert_string_equal(invariants_text(f->db, f->arena), "");
}

/* Links that another connection adds before they are shown are included. */
static void
links_follow_what_others_write(void **state)
{
	struct fixture *f = *state;
	struct meanwhile m = { f, page(f->arena, "own", "", "Own", "[x](elsewhere.md)\n"), 0, false };
	struct wanted z = page(f->arena, "z", "", "Z", "z\n");

	forget(f);
	take(f, &z, 1, NULL, NULL);
	take_links(f, &m);
	assert_string_equal(in_main(f, "own").title, "Own");
	assert_int_equal(links_shown_of(f, "own"), 1);
}

/* The same if the edition of the links is the first of the database, number 1. */
static void
first_links_follow(void **state)
{
	struct fixture *f = *state;
	struct meanwhile m = { f, page(f->arena, "own", "", "Own", "[x](elsewhere.md)\n"), 0, false };

	take_links(f, &m);
	assert_int_equal(links_shown_of(f, "own"), 1);
}

/* Links of pages that another connection deletes are not shown. */
static void
links_go_with_their_pages(void **state)
{
	struct fixture *f = *state;
	struct meanwhile m = { f, page(f->arena, "own", "", "Own", "[x](elsewhere.md)\n"), 0, true };
	struct wanted z = page(f->arena, "z", "", "Z", "z\n");
	struct point now;

	forget(f);
	take(f, &z, 1, NULL, NULL);
	main_change(f, "own", &m.page);
	take_links(f, &m);
	now = head(f);
	assert_string_equal(title_at(f, &now, "own"), "-");
	assert_int_equal(links_shown_of(f, "own"), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(a_deleted_parent_comes_back),
	cmocka_unit_test(an_own_page_moves_up),
		cmocka_unit_test(a_line_of_an_export_comes_back), cmocka_unit_test(an_own_page_in_a_circle_goes_to_the_top),
		cmocka_unit_test(main_s_move_in_a_circle_goes_back),
		cmocka_unit_test(links_have_no_address), cmocka_unit_test(a_page_named_by_main_gives_way),
		cmocka_unit_test(only_pages_have_places), cmocka_unit_test(dealt_is_not_moved),
		cmocka_unit_test(a_policy_may_keep_main), cmocka_unit_test(a_policy_may_answer_the_same),
		cmocka_unit_test(a_policy_may_make_a_third),
		cmocka_unit_test(what_an_export_lacks_stays), cmocka_unit_test(exported_lines_meet_new_ones),
		cmocka_unit_test(own_pages_are_noted_once),
		cmocka_unit_test(a_known_import_changes_nothing), cmocka_unit_test(pages_of_another_repository_are_released),
		cmocka_unit_test(links_go_with_their_pages),
		cmocka_unit_test(files_that_the_repository_lacks_stay),
		cmocka_unit_test_setup_teardown(links_follow_what_others_write, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(first_links_follow, db_setup, db_teardown) };

	return cmocka_run_group_tests(tests, db_setup, db_teardown);
}
