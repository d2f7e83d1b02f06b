/*
 * Merging content of a repository into main: single cases, and random orders of pages.
 * test_upstream_model.c changes both sides at random.
 */
#include "upstream_fixture.h"

#include "store/content.h"
#include "base/json.h"
#include "merge/upstream.h"
#include "store/order.h"
#include "store/stage.h"
#include "seed_fixture.h"

enum { SEEDS = 8 };

SQL(q_alone, "SELECT count(*) FROM branch WHERE space = :space AND kind = 'alone' /*scan*/");

static void
expect_main(struct fixture *f, const char *id, const char *title)
{
	struct point p = head(f);

	assert_string_equal(title_at(f, &p, id), title);
}

static void
count_clash(void *ctx, enum upstream_event what, const struct node *theirs)
{
	assert_non_null(theirs->id);
	*(int *)ctx += what == UPSTREAM_BOTH;
}

static void
the_same_import_changes_nothing(void **state)
{
	struct fixture *f = *state;
	struct arena *a = f->arena;
	struct wanted list[] = { page(a, "a", "", "A", "one\n"), page(a, "b", "a", "B", "two\n") };
	struct upstream_result out;
	struct point before, now;

	forget(f);
	out = take(f, list, 2, NULL, NULL);
	assert_true(out.changed);
	assert_int_equal(out.added, 2);
	expect_main(f, "b", "B");
	before = head(f);
	/* The same content again makes no revision. */
	out = take(f, list, 2, NULL, NULL);
	assert_false(out.changed);
	now = head(f);
	assert_int_equal(now.seq, before.seq);
	assert_string_equal(out.revision, before.revision);
	list[1] = page(a, "b", "a", "B", "three\n");
	out = take(f, list, 2, NULL, NULL);
	assert_int_equal(out.edited, 1);
	out = take(f, list, 1, NULL, NULL);
	assert_int_equal(out.removed, 1);
	expect_main(f, "b", "-");
	assert_string_equal(title_at(f, &before, "b"), "B");
	out = take(f, NULL, 0, NULL, NULL);
	expect_main(f, "a", "-");
}

/* A change of only the bytes before the body is a change of the page. */
static void
a_change_of_frontmatter_is_imported(void **state)
{
	struct fixture *f = *state;
	struct wanted w = page(f->arena, "a", "", "A", "one\n"), mine;
	struct upstream_result out;
	struct point now;
	struct node n;

	forget(f);
	w.node.front = str_of("---\nx: 1\n---\n");
	take(f, &w, 1, NULL, NULL);
	w.node.front = str_of("---\nx: 2\n---\n");
	out = take(f, &w, 1, NULL, NULL);
	assert_true(out.changed);
	assert_int_equal(out.edited, 1);
	now = head(f);
	assert_true(node_get(f->db, f->arena, &now, "a", &n));
	assert_true(str_eq(node_front(f->db, f->arena, &n), w.node.front));
	/* Both sides changed these bytes and nothing else: a conflict, and main keeps its own. */
	mine = w;
	mine.node.front = str_of("---\nx: 4\n---\n");
	mine.body = w.body = str_of("two\n");
	main_change(f, "a", &mine);
	w.node.front = str_of("---\nx: 3\n---\n");
	out = take(f, &w, 1, NULL, NULL);
	assert_int_equal(out.edited, 0);
	assert_string_equal(out.conflicts->id, "a");
	assert_true(str_eq(out.conflicts->wanted->node.front, w.node.front));
	assert_null(out.conflicts->next);
	now = head(f);
	assert_true(node_get(f->db, f->arena, &now, "a", &n));
	assert_true(str_eq(node_front(f->db, f->arena, &n), mine.node.front));
}

/* Lines and fields that only one side changed are all kept. */
static void
changes_of_other_lines_are_merged(void **state)
{
	struct fixture *f = *state;
	struct wanted w = page(f->arena, "a", "", "A", "one\ntwo\nthree\nfour\nfive\n"), mine = w;
	struct upstream_result out;
	struct point now;
	struct node n;
	struct str body;

	forget(f);
	take(f, &w, 1, NULL, NULL);
	mine.body = str_of("one of main\ntwo\nthree\nfour\nfive\n");
	mine.node.title = "A of main";
	main_change(f, "a", &mine);
	w.body = str_of("one\ntwo\nthree\nfour\nfive of outside\n");
	w.node.front = str_of("---\nx: 1\n---\n");
	out = take(f, &w, 1, NULL, NULL);
	assert_null(out.conflicts);
	now = head(f);
	assert_true(node_get(f->db, f->arena, &now, "a", &n));
	assert_true(blob_get(f->db, f->arena, n.body, &body));
	assert_true(str_is(body, "one of main\ntwo\nthree\nfour\nfive of outside\n"));
	assert_string_equal(n.title, "A of main");
	assert_true(str_eq(node_front(f->db, f->arena, &n), w.node.front));
	/* The same state again changes nothing. */
	assert_false(take(f, &w, 1, NULL, NULL).changed);
}

static void
conflicts_with_main_are_named(void **state)
{
	struct fixture *f = *state;
	struct arena *a = f->arena;
	struct wanted list[] = { page(a, "a", "", "A", "a\n"), page(a, "b", "", "B", "b\n"),
		page(a, "c", "", "C", "c\n") };
	struct wanted mine = page(a, "a", "", "A of main", "a\n"), own = page(a, "own", "", "Own", "own\n");
	int clashes = 0;

	forget(f);
	take(f, list, 3, NULL, NULL);
	main_change(f, "a", &mine);
	main_change(f, "own", &own);
	main_change(f, "c", NULL);
	/* The repository changes another page: main's changes stay. */
	list[1] = page(a, "b", "", "B2", "b\n");
	take(f, list, 3, count_clash, &clashes);
	assert_int_equal(clashes, 0);
	expect_main(f, "a", "A of main");
	expect_main(f, "b", "B2");
	expect_main(f, "c", "-");
	expect_main(f, "own", "Own");
	/* Both changed the title of a: main keeps its own, and the conflict is reported. */
	list[0] = page(a, "a", "", "A of outside", "a\n");
	take(f, list, 3, count_clash, &clashes);
	assert_int_equal(clashes, 1);
	expect_main(f, "a", "A of main");
	/* The repository changed a page that main deleted. */
	list[2] = page(a, "c", "", "C2", "c\n");
	take(f, list, 3, count_clash, &clashes);
	assert_int_equal(clashes, 2);
	expect_main(f, "c", "-");
	/* Both made the same change: no conflict. */
	mine = page(a, "b", "", "B3", "b\n");
	main_change(f, "b", &mine);
	list[1] = page(a, "b", "", "B3", "b\n");
	take(f, list, 3, count_clash, &clashes);
	assert_int_equal(clashes, 2);
	/* The repository deletes a page that main has changed. */
	mine = page(a, "b", "", "B4", "b\n");
	main_change(f, "b", &mine);
	list[1] = list[2];
	take(f, list, 2, count_clash, &clashes);
	assert_int_equal(clashes, 3);
	expect_main(f, "b", "B4");
	expect_main(f, "own", "Own");
}

static void
a_standalone_import_stands_alone(void **state)
{
	struct fixture *f = *state;
	struct arena *a = f->arena;
	struct wanted list[] = { page(a, "a", "", "A", "a\n"), page(a, "b", "", "B", "b\n") };
	struct wanted other[] = { page(a, "a", "", "A elsewhere", "x\n") };
	struct upstream_result out;
	struct point p, before;

	forget(f);
	take(f, list, 2, NULL, NULL);
	before = head(f);
	assert_int_equal(upstream_standalone(f->db, a, f->space,
	    &(struct upstream_task){ .list = other, .n = 1, .author = f->user }, &out), UPSTREAM_DONE);
	assert_int_equal(head(f).seq, before.seq);
	assert_true(point_revision(f->db, a, f->space, out.revision, &p));
	assert_string_equal(title_at(f, &p, "a"), "A elsewhere");
	assert_string_equal(title_at(f, &p, "b"), "-");
	expect_main(f, "a", "A");
	/* It does not change when main does. */
	list[0] = page(a, "a", "", "A2", "a\n");
	take(f, list, 2, NULL, NULL);
	assert_string_equal(title_at(f, &p, "a"), "A elsewhere");
	assert_string_equal(title_at(f, &p, "b"), "-");
}

/* ---- paths ---- */

/* Counts pages that got another path. */
static void
count_address(void *ctx, enum upstream_event what, const struct node *page)
{
	assert_non_null(page->id);
	*(int *)ctx += what == UPSTREAM_ADDRESS;
}

static void
expect_path(struct fixture *f, const char *id, const char *path)
{
	struct point p = head(f);
	struct node n, at;

	assert_true(node_get(f->db, f->arena, &p, id, &n));
	assert_string_equal(page_path(f->db, f->arena, &p, &n), path);
	assert_true(page_by_path(f->db, f->arena, &p, path, &at));
	assert_string_equal(at.id, id);
}

static void
of_two_pages_at_one_address_one_gives_way(void **state)
{
	struct fixture *f = *state;
	struct arena *a = f->arena;
	struct wanted list[] = { page(a, "guide", "", "Guide", "g\n"), page(a, "top", "", "Top", "t\n"),
		page(a, "sub", "", "Sub", "s\n") };
	struct wanted own = page(a, "own", "", "Own", "own\n"), below = page(a, "below", "own", "Below", "b\n");
	struct wanted renamed = page(a, "top", "", "Top", "t\n"), last = page(a, "last", "top", "Last", "l\n");
	int moved = 0;

	forget(f);
	take(f, list, 3, count_address, &moved);
	/* Main has its own pages with paths that the repository then uses; pages below them move along. */
	own.node.slug = "new";
	main_change(f, "own", &own);
	main_change(f, "below", &below);
	main_change(f, "last", &last);
	expect_path(f, "below", "new/below");
	list[0].node.slug = "new";
	list[2].node.path = "top/last";
	take(f, list, 3, count_address, &moved);
	assert_int_equal(moved, 2);
	expect_path(f, "guide", "new");
	expect_path(f, "own", "new-1");
	expect_path(f, "below", "new-1/below");
	expect_path(f, "sub", "top/last");
	expect_path(f, "last", "top/last-1");
	/* Main renamed a page of the repository, which then adds a page with that name. */
	renamed.node.slug = "later";
	main_change(f, "top", &renamed);
	list[0].node.slug = "later";
	take(f, list, 3, count_address, &moved);
	assert_int_equal(moved, 3);
	expect_path(f, "guide", "later");
	expect_path(f, "top", "later-1");
	expect_path(f, "last", "later-1/last-1");
	/* Another import of the same content changes no path. */
	take(f, list, 3, count_address, &moved);
	assert_int_equal(moved, 3);
}

/* ---- depth ---- */

static void
pages_too_deep_are_moved_up(void **state)
{
	enum { OUTSIDE = 50, OWN = 60 };
	struct fixture *f = *state;
	struct arena *a = f->arena;
	struct wanted list[OUTSIDE + 1], own;
	struct upstream_result out;
	const char *parent = "";
	struct point before;
	int i;

	forget(f);
	for (i = 0; i < OUTSIDE; i++) {
		list[i] = page(a, arena_printf(a, "d%d", i), parent, "D", "d\n");
		parent = list[i].node.id;
	}
	list[OUTSIDE] = page(a, "mover", "", "Mover", "m\n");
	take(f, list, OUTSIDE + 1, NULL, NULL);
	parent = "mover";
	for (i = 0; i < OWN; i++) {
		own = page(a, arena_printf(a, "o%d", i), parent, "O", "o\n");
		main_change(f, own.node.id, &own);
		parent = own.node.id;
	}
	/* Each side alone is valid; together they have 111 levels. */
	list[OUTSIDE].node.parent = list[OUTSIDE - 1].node.id;
	before = head(f);
	out = take(f, list, OUTSIDE + 1, NULL, NULL);
	assert_int_equal(head(f).seq, before.seq);
	assert_non_null(out.error);
	assert_non_null(strstr(out.error, "100 levels"));
	/* 101 levels, and 100. */
	list[OUTSIDE].node.parent = list[39].node.id;
	assert_non_null(take(f, list, OUTSIDE + 1, NULL, NULL).error);
	list[OUTSIDE].node.parent = list[38].node.id;
	assert_null(take(f, list, OUTSIDE + 1, NULL, NULL).error);
}

/* ---- circles ---- */

static const char *
parent_at(struct fixture *f, const char *id)
{
	struct point p = head(f);
	struct node n;

	assert_true(node_get(f->db, f->arena, &p, id, &n));
	return n.parent;
}

/* Each side moves a page below one that the other side moved below it. */
static void
pages_in_a_circle_are_taken_apart(void **state)
{
	struct fixture *f = *state;
	struct arena *a = f->arena;
	struct wanted list[] = { page(a, "a", "", "A", "a\n"), page(a, "b", "", "B", "b\n"), page(a, "c", "b", "C", "c\n") };
	struct wanted own = page(a, "a", "c", "A", "a\n");

	forget(f);
	take(f, list, 3, NULL, NULL);
	/* Main: a below c, which is below b. The repository: b below a. */
	main_change(f, "a", &own);
	list[1].node.parent = "a";
	assert_null(take(f, list, 3, NULL, NULL).error);
	assert_string_equal(parent_at(f, "a"), "");
	assert_string_equal(parent_at(f, "b"), "a");
	assert_string_equal(parent_at(f, "c"), "b");
}

/* Of two pages with one path, the repository's page keeps it, even if both set it explicitly. */
static void
a_path_of_the_outside_is_kept(void **state)
{
	struct fixture *f = *state;
	struct arena *a = f->arena;
	struct wanted list[] = { page(a, "x", "", "X", "x\n") }, own = page(a, "own", "", "Own", "o\n");

	forget(f);
	own.node.path = "there/page";
	take(f, list, 1, NULL, NULL);
	main_change(f, "own", &own);
	list[0].node.path = "there/page";
	take(f, list, 1, NULL, NULL);
	expect_path(f, "x", "there/page");
	expect_path(f, "own", "own-1");
}

/* ---- order ---- */

enum { LINE = 400 };

/* The repository's pages in their order, with keys as an import gives them: old keys that ascend are kept. */
struct line {
	const char *id[LINE];
	size_t      n;
};

static struct wanted *
keyed(struct fixture *f, const struct line *l)
{
	struct wanted *list = arena_array(f->arena, l->n, sizeof(*list));
	const char **old = arena_array(f->arena, l->n, sizeof(*old)), *lo = "";
	bool *keep = arena_array(f->arena, l->n, sizeof(*keep));
	struct point view;
	struct node n;
	char **keys;
	size_t i, k, end;

	assert_true(upstream_view(f->db, f->arena, f->space, &view));
	for (i = 0; i < l->n; i++) {
		list[i] = page(f->arena, l->id[i], "", l->id[i], "x\n");
		old[i] = node_get(f->db, f->arena, &view, l->id[i], &n) ? n.ord : NULL;
	}
	order_key_rising(f->arena, old, l->n, keep);
	for (i = 0; i < l->n; i = end + 1) {
		for (end = i; end < l->n && !keep[end]; end++)
			;
		keys = order_key_fill(f->arena, lo, end < l->n ? old[end] : "", end - i);
		for (k = i; k < end; k++)
			list[k].node.ord = keys[k - i];
		if (end < l->n)
			lo = list[end].node.ord = old[end];
	}
	return list;
}

/* The first import, with keys that are almost too long, as after many imports. */
static void
take_long(struct fixture *f, const struct line *l)
{
	struct wanted *list = keyed(f, l);
	char low[ORDER_KEY_LONG - 3], high[ORDER_KEY_LONG - 3], **keys;
	size_t i;

	memset(low, 'V', sizeof(low));
	low[sizeof(low) - 1] = '\0';
	memcpy(high, low, sizeof(low));
	high[sizeof(low) - 2] = 'W';
	keys = order_key_fill(f->arena, low, high, l->n);
	for (i = 0; i < l->n; i++)
		list[i].node.ord = keys[i];
	take(f, list, l->n, NULL, NULL);
}

/* The pages of the line at a point, in order; own: the other pages instead. */
static const char *
line_text(struct fixture *f, const struct point *p, bool own)
{
	struct buf b;
	size_t n, i;
	struct node *list = node_children(f->db, f->arena, p, "", &n);

	buf_init(&b, f->arena, 1 << 20);
	for (i = 0; i < n; i++) {
		assert_true(strlen(list[i].ord) <= ORDER_KEY_LONG);
		if ((list[i].id[0] == 'o') == own)
			buf_printf(&b, "%s ", list[i].id);
	}
	return b.p == NULL ? "" : b.p;
}

static void
insert_id(struct line *l, size_t at, const char *id)
{
	memmove(l->id + at + 1, l->id + at, (l->n - at) * sizeof(l->id[0]));
	l->id[at] = id;
	l->n++;
}

static void
line_moves(struct fixture *f, struct line *l, struct rnd *dice, unsigned *made)
{
	size_t at = l->n / 2, i, k;
	const char *id;

	for (k = 1 + rnd(dice, 30); k > 0 && l->n < LINE; k--)
		insert_id(l, at, arena_printf(f->arena, "g%u", (*made)++));
	for (k = rnd(dice, 3); k > 0; k--) {
		i = rnd(dice, (uint32_t)l->n);
		id = l->id[i];
		memmove(l->id + i, l->id + i + 1, (l->n - i - 1) * sizeof(l->id[0]));
		l->n--;
		if (rnd(dice, 3) > 0)
			insert_id(l, rnd(dice, (uint32_t)l->n + 1), id);
	}
}

/* Main inserts its own pages at one place, directly after the first page. */
static void
own_pages(struct fixture *f, struct rnd *dice, unsigned most, unsigned *made)
{
	struct revision_info info = { .kind = "edits", .author = f->user };
	struct point p;
	struct node n, *list;
	size_t count;
	char *revision;
	unsigned k;

	db_begin(f->db, true);
	revision_add(f->db, f->arena, f->branch, &info, &revision);
	p = head(f);
	for (k = rnd(dice, most); k > 0; k--) {
		list = node_children(f->db, f->arena, &p, "", &count);
		n = page(f->arena, arena_printf(f->arena, "o%05u", (*made)++), "", "Own", "").node;
		n.git_path = NULL;
		n.ord = order_key_between(f->arena, list[0].ord, list[1].ord);
		node_put(f->db, f->branch, p.seq, &n);
	}
	order_renumber(f->db, f->arena, &p, "");
	db_commit(f->db);
}

/*
 * Whatever keys are needed, main shows the repository's pages in the repository's order, and its
 * own pages in its own order; the view equals the repository; the same import again changes
 * nothing.
 */
static void
random_orders_are_imported(void **state)
{
	struct fixture *f = *state;
	struct arena *keep = f->arena;
	uint64_t seed, end = seeds(SEEDS, &seed);
	struct rnd dice;
	struct line l;
	struct point p;
	const char *own;
	unsigned made, round, k;
	size_t i;

	for (; seed < end; seed++) {
		printf("OCTAVO_SEED=%u\r", (unsigned)seed);
		f->arena = arena_new((size_t)2 << 30);
		dice = (struct rnd){ seed };
		made = 0;
		forget(f);
		for (l.n = 0; l.n < 10;)
			insert_id(&l, l.n, arena_printf(f->arena, "g%u", made++));
		take_long(f, &l);
		for (round = 0; round < 40; round++) {
			struct wanted *list = keyed(f, &l);
			struct buf b;
			p = head(f);
			own = line_text(f, &p, true);
			take(f, list, l.n, NULL, NULL);
			buf_init(&b, f->arena, 1 << 20);
			for (i = 0; i < l.n; i++)
				buf_printf(&b, "%s ", l.id[i]);
			p = head(f);
			assert_string_equal(line_text(f, &p, false), b.p);
			assert_string_equal(line_text(f, &p, true), own);
			assert_true(upstream_view(f->db, f->arena, f->space, &p));
			assert_string_equal(line_text(f, &p, false), b.p);
			assert_string_equal(line_text(f, &p, true), "");
			assert_false(take(f, keyed(f, &l), l.n, NULL, NULL).changed);
			for (k = rnd(&dice, 3); k > 0; k--)
				own_pages(f, &dice, round < 3 ? 60 : 5, &made);
			line_moves(f, &l, &dice, &made);
			if (l.n > LINE / 2)
				l.n = LINE / 4;
		}
		p = head(f);
		assert_true(order_era(f->db, f->arena, &p, "") >= 0);
		arena_free(f->arena);
		f->arena = keep;
	}
}

/* ---- cancelled imports ---- */

struct patience {
	int  left;      /* number of calls that return true */
	bool linking;   /* called while links were written */
};

static bool
patient(void *ctx, const char *stage, size_t done, size_t total)
{
	struct patience *p = ctx;

	assert_true(done <= total);
	p->linking |= strcmp(stage, "linking") == 0;
	/* Returns false once; after that it must not be called again. */
	return p->left-- != 0;
}

/* An import cancelled at any call: nothing is visible, nothing is staged, and the next import is complete. */
static void
an_import_may_be_given_up_anywhere(void **state)
{
	struct fixture *f = *state;
	struct upstream_result out;
	struct patience p = { 0, false };
	struct upstream_task task = { .author = f->user, .alive = patient, .ctx = &p };
	enum upstream_end end = UPSTREAM_REFUSED;
	struct point view, was;
	struct wanted list[3];
	struct buf b;
	int n, k;

	forget(f);
	was = head(f);
	buf_init(&b, f->arena, 1 << 20);
	for (k = 0; k < 1200; k++)
		buf_printf(&b, "[x](none%d.md) ", k);
	db_watch(f->db, 0, NULL, NULL);
	for (n = 0; end == UPSTREAM_REFUSED; n++) {
		list[0] = page(f->arena, "a", "", "A", b.p);
		list[1] = page(f->arena, "b", "", "B", b.p);
		list[2] = page(f->arena, "c", "", "C", "Words.");
		list[1].node.ord = "W";
		list[2].node.ord = "X";
		p.left = n;
		db_begin(f->db, false);
		assert_true(upstream_view(f->db, f->arena, f->space, &view));
		db_rollback(f->db);
		task.list = list;
		task.n = 3;
		end = upstream_take(f->db, f->arena, &view, &task, &out);
		if (end == UPSTREAM_REFUSED) {
			assert_int_equal(head(f).seq, was.seq);
			assert_int_equal(stage_left(f->db, f->space), 0);
		}
	}
	db_watch(f->db, DB_STEP_MS * 1000, NULL, NULL);
	assert_int_equal(end, UPSTREAM_DONE);
	/* It was not called again after false: no import continued or started over. */
	assert_true(p.left >= 0);
	assert_true(n > 4 && p.linking);
	was = head(f);
	assert_string_equal(title_at(f, &was, "c"), "C");
}

static struct upstream_result
take_so(struct fixture *f, struct wanted *list, size_t n, bool exported, bool aside)
{
	struct upstream_task task = { .list = list, .n = n, .author = f->user, .exported = exported, .as_request = aside };
	struct upstream_result out;
	struct point view;

	db_begin(f->db, false);
	assert_true(upstream_view(f->db, f->arena, f->space, &view));
	db_rollback(f->db);
	assert_int_equal(upstream_take(f->db, f->arena, &view, &task, &out), UPSTREAM_DONE);
	return out;
}

static const char *
props_at(struct fixture *f, const char *id)
{
	struct point p = head(f);
	struct node n;

	assert_true(node_get(f->db, f->arena, &p, id, &n));
	return n.props;
}

/*
 * Settings follow the repository: an import of Octavo's own commit overwrites main's. An import
 * into a change request does not.
 */
static void
settings_are_the_repository_s(void **state)
{
	struct fixture *f = *state;
	struct arena *a = f->arena;
	struct wanted list[] = { page(a, "a", "", "A", "one\n"), page(a, "set", "", "", "") };
	struct upstream_result out;
	struct point now;

	/* As in the job runner, cJSON allocates from the arena. */
	json_arena(a);
	forget(f);
	list[1].node.kind = NODE_SETTING;
	list[1].node.git_path = NULL;
	list[1].node.props = "{\"v\":1}";
	take(f, list, 2, NULL, NULL);
	assert_string_equal(props_at(f, "set"), "{\"v\":1}");
	list[0].node.title = "Other";
	list[1].node.props = "{\"v\":2}";
	list[1].node.kind = NODE_SETTING;
	take_so(f, list, 2, true, false);
	now = head(f);
	assert_string_equal(title_at(f, &now, "a"), "A");
	assert_string_equal(props_at(f, "set"), "{\"v\":2}");
	list[0].node.title = "Third";
	list[1].node.props = "{\"v\":3}";
	out = take_so(f, list, 2, false, true);
	assert_string_equal(out.conflicts->id, "a");
	assert_string_equal(out.conflicts->next->id, "set");
	assert_null(out.conflicts->next->next);
	assert_string_equal(props_at(f, "set"), "{\"v\":2}");
	/* Both sides changed the setting: the repository's replaces main's. */
	list[1].node.props = "{\"v\":9}";
	main_change(f, "set", &list[1]);
	list[1].node.props = "{\"v\":4}";
	out = take(f, list, 2, NULL, NULL);
	assert_null(out.conflicts);
	assert_string_equal(props_at(f, "set"), "{\"v\":4}");
	json_arena(NULL);
}

static bool
refuse(void *ctx, const struct upstream_result *out)
{
	assert_non_null(out);
	++*(int *)ctx;
	return false;
}

/* A standalone import that is refused at its end leaves nothing. */
static void
a_refused_standalone_import_leaves_nothing(void **state)
{
	struct fixture *f = *state;
	struct wanted list[] = { page(f->arena, "a", "", "A", "a\n") };
	int asked = 0;
	struct upstream_task task = { .list = list, .n = 1, .author = f->user, .commit = refuse, .ctx = &asked };
	struct upstream_result out;
	struct stmt *q;

	forget(f);
	assert_int_equal(upstream_standalone(f->db, f->arena, f->space, &task, &out), UPSTREAM_REFUSED);
	assert_int_equal(asked, 1);
	assert_int_equal(stage_left(f->db, f->space), 0);
	q = db_use(f->db, &q_alone);
	bind_text(q, ":space", f->space);
	assert_int_equal(stmt_int(q, -1), 0);
}

/* For an unknown space the database's first branch must not be returned by mistake. */
static void
an_unknown_space_has_no_main(void **state)
{
	struct fixture *f = *state;
	struct point p;

	assert_false(upstream_main(f->db, f->arena, "nowhere", &p));
	assert_false(upstream_view(f->db, f->arena, "nowhere", &p));
	assert_int_equal(upstream_branch(f->db, "nowhere"), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_unknown_space_has_no_main), cmocka_unit_test(a_refused_standalone_import_leaves_nothing),
		cmocka_unit_test(the_same_import_changes_nothing),
		cmocka_unit_test(a_change_of_frontmatter_is_imported), cmocka_unit_test(changes_of_other_lines_are_merged),
		cmocka_unit_test(conflicts_with_main_are_named),
		cmocka_unit_test(a_standalone_import_stands_alone), cmocka_unit_test(of_two_pages_at_one_address_one_gives_way),
		cmocka_unit_test(pages_too_deep_are_moved_up),
		cmocka_unit_test(pages_in_a_circle_are_taken_apart), cmocka_unit_test(an_import_may_be_given_up_anywhere),
		cmocka_unit_test(settings_are_the_repository_s), cmocka_unit_test(a_path_of_the_outside_is_kept),
		cmocka_unit_test(random_orders_are_imported) };

	return cmocka_run_group_tests(tests, db_setup, db_teardown);
}
