/*
 * Content from outside against content of main: single cases, and a model that
 * plays both sides at random. After every step the outside branch is what the
 * outside holds, main's tree is whole, and every revision there ever was reads
 * as on its first day.
 */
#include "db_fixture.h"

#include "content.h"
#include "json.h"
#include "outside.h"
#include "seed_fixture.h"

enum { PAGES = 24, ROUNDS = 100, SEEDS = 8 };

static struct wanted
page(struct arena *a, const char *id, const char *parent, const char *title, const char *body)
{
	return (struct wanted){ .node = { .id = id, .kind = NODE_DOCUMENT, .parent = parent, .ord = "V",
		.slug = id, .title = title, .props = "{}", .git_path = arena_printf(a, "%s.md", id), .origin = -1,
		.at = 1, .made = 1 }, .body = str_of(body) };
}

static struct outside_result
take(struct fixture *f, struct wanted *list, size_t n, void (*clash)(void *, const struct node *),
    void *ctx)
{
	struct outside_result out;
	struct point view;

	db_begin(f->db, true);
	assert_true(outside_view(f->db, f->arena, f->space, &view));
	outside_take(f->db, f->arena, &view, list, n, f->user, NULL, clash, ctx, &out);
	db_commit(f->db);
	return out;
}

/* A change that main makes by itself; w NULL: the page goes. */
static void
main_change(struct fixture *f, const char *id, const struct wanted *w)
{
	struct revision_info info = { .kind = "edits", .author = f->user };
	struct node n;
	char *revision;
	int64_t seq;

	db_begin(f->db, true);
	seq = revision_add(f->db, f->arena, f->branch, &info, &revision);
	if (w == NULL) {
		node_end(f->db, f->branch, id, seq);
	} else {
		n = w->node;
		n.body = blob_put(f->db, f->arena, w->body);
		node_put(f->db, f->branch, seq, &n);
	}
	db_commit(f->db);
}

static struct point
head(struct fixture *f)
{
	struct point p;

	assert_true(point_head(f->db, f->arena, f->branch, &p));
	return p;
}

/* "-" where the page is not alive. */
static const char *
title_at(struct fixture *f, const struct point *p, const char *id)
{
	struct node n;

	return node_get(f->db, f->arena, p, id, &n) ? n.title : "-";
}

static void
expect_main(struct fixture *f, const char *id, const char *title)
{
	struct point p = head(f);

	assert_string_equal(title_at(f, &p, id), title);
}

static void
count_clash(void *ctx, const struct node *theirs)
{
	assert_non_null(theirs->id);
	++*(int *)ctx;
}

static void
forget(struct fixture *f)
{
	const char *error = NULL;

	/* A space of its own for each case. */
	db_begin(f->db, true);
	f->space = space_make(f->db, f->arena, &(struct space_new){ .org = f->org, .title = "S",
	    .author = f->user }, &f->branch);
	db_commit(f->db);
	assert_null(error);
}

static void
first_and_again(void **state)
{
	struct fixture *f = *state;
	struct arena *a = f->arena;
	struct wanted list[] = { page(a, "a", "", "A", "one\n"), page(a, "b", "a", "B", "two\n") };
	struct outside_result out;
	struct point before, now;

	forget(f);
	out = take(f, list, 2, NULL, NULL);
	assert_true(out.changed);
	assert_int_equal(out.added, 2);
	expect_main(f, "b", "B");
	before = head(f);
	/* The same again makes no revision. */
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

static void
main_changed_meanwhile(void **state)
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
	/* The outside changes another page: what main did stays. */
	list[1] = page(a, "b", "", "B2", "b\n");
	take(f, list, 3, count_clash, &clashes);
	assert_int_equal(clashes, 0);
	expect_main(f, "a", "A of main");
	expect_main(f, "b", "B2");
	expect_main(f, "c", "-");
	expect_main(f, "own", "Own");
	/* Both changed a: the outside wins, and it is told. */
	list[0] = page(a, "a", "", "A of outside", "a\n");
	take(f, list, 3, count_clash, &clashes);
	assert_int_equal(clashes, 1);
	expect_main(f, "a", "A of outside");
	/* The outside changed what main took away. */
	list[2] = page(a, "c", "", "C2", "c\n");
	take(f, list, 3, count_clash, &clashes);
	assert_int_equal(clashes, 2);
	expect_main(f, "c", "C2");
	/* Both came to the same: no clash. */
	mine = page(a, "b", "", "B3", "b\n");
	main_change(f, "b", &mine);
	list[1] = page(a, "b", "", "B3", "b\n");
	take(f, list, 3, count_clash, &clashes);
	assert_int_equal(clashes, 2);
	/* The outside drops a page that main has changed. */
	mine = page(a, "b", "", "B4", "b\n");
	main_change(f, "b", &mine);
	list[1] = list[2];
	take(f, list, 2, count_clash, &clashes);
	assert_int_equal(clashes, 3);
	expect_main(f, "b", "-");
	expect_main(f, "own", "Own");
}

static void
standalone(void **state)
{
	struct fixture *f = *state;
	struct arena *a = f->arena;
	struct wanted list[] = { page(a, "a", "", "A", "a\n"), page(a, "b", "", "B", "b\n") };
	struct wanted other[] = { page(a, "a", "", "A elsewhere", "x\n") };
	struct outside_result out;
	struct point p, before;

	forget(f);
	take(f, list, 2, NULL, NULL);
	before = head(f);
	db_begin(f->db, true);
	outside_standalone(f->db, a, f->space, other, 1, f->user, NULL, &out);
	db_commit(f->db);
	assert_int_equal(head(f).seq, before.seq);
	assert_true(point_revision(f->db, a, f->space, out.revision, &p));
	assert_string_equal(title_at(f, &p, "a"), "A elsewhere");
	assert_string_equal(title_at(f, &p, "b"), "-");
	expect_main(f, "a", "A");
	/* It stays what it was when main goes on. */
	list[0] = page(a, "a", "", "A2", "a\n");
	take(f, list, 2, NULL, NULL);
	assert_string_equal(title_at(f, &p, "a"), "A elsewhere");
	assert_string_equal(title_at(f, &p, "b"), "-");
}

/* ---- the model ---- */

struct model {
	struct rnd    dice;
	struct wanted out[PAGES];      /* what the outside holds; id NULL: not */
	bool          held[PAGES];
	struct { char *revision; char *text; } seen[ROUNDS * 4];
	size_t        seen_n;
};

static int
by_id(const void *x, const void *y)
{
	return strcmp(((const struct node *)x)->id, ((const struct node *)y)->id);
}

/* Everything that is alive at a point, as text. */
static char *
text_of(struct fixture *f, const struct point *p)
{
	size_t n, i;
	struct node *list = node_list(f->db, f->arena, p, NODE_PAGES, &n);
	struct buf b;

	qsort(list, n, sizeof(*list), by_id);
	buf_init(&b, f->arena, 1 << 20);
	for (i = 0; i < n; i++)
		buf_printf(&b, "%s<%s %s %s\n", list[i].id, list[i].parent, list[i].title, hex(f->arena, list[i].body));
	buf_char(&b, '.');
	return b.p;
}

static void
remember(struct fixture *f, struct model *m, int64_t branch)
{
	struct point p;

	if (branch == 0 || !point_head(f->db, f->arena, branch, &p))
		return;
	if (m->seen_n > 1 && strcmp(m->seen[m->seen_n - 2].revision, p.revision) == 0)
		return;
	m->seen[m->seen_n].revision = arena_strdup(f->arena, p.revision);
	m->seen[m->seen_n++].text = text_of(f, &p);
}

static void
tree_is_whole(struct fixture *f, unsigned round)
{
	struct point p = head(f);
	size_t n, i, depth;
	struct node *list = node_list(f->db, f->arena, &p, NODE_PAGES, &n), up;

	for (i = 0; i < n; i++) {
		up = list[i];
		for (depth = 0; *up.parent != '\0'; depth++) {
			const char *above = up.parent;
			if (depth > PAGES * 2)
				fail_msg("round %u: %s is below itself", round, list[i].id);
			if (!node_get(f->db, f->arena, &p, above, &up) || !(up.kind & NODE_PAGES))
				fail_msg("round %u: %s is below %s, which is not there", round, list[i].id, above);
		}
	}
}

static size_t
below(const char *parents[], size_t n, size_t i, size_t above)
{
	size_t steps = 0;

	(void)n;
	while (parents[i] != NULL && *parents[i] != '\0' && steps++ < PAGES) {
		i = (size_t)strtol(parents[i] + 1, NULL, 10);
		if (i == above)
			return true;
	}
	return false;
}

/* One change of the outside: a page comes, goes with all below it, moves, or is written anew. */
static void
outside_moves(struct fixture *f, struct model *m)
{
	size_t i = rnd(&m->dice, PAGES), up = rnd(&m->dice, PAGES), k;
	const char *parents[PAGES], *parent;

	for (k = 0; k < PAGES; k++)
		parents[k] = m->held[k] ? m->out[k].node.parent : NULL;
	if (m->held[i] && rnd(&m->dice, 4) == 0) {
		for (k = 0; k < PAGES; k++)
			if (m->held[k] && k != i && below(parents, PAGES, k, i))
				m->held[k] = false;
		m->held[i] = false;
		return;
	}
	parent = m->held[up] && up != i && !below(parents, PAGES, up, i) ?
	    arena_printf(f->arena, "p%zu", up) : "";
	m->out[i] = page(f->arena, arena_printf(f->arena, "p%zu", i), parent,
	    arena_printf(f->arena, "T%u", rnd(&m->dice, 5)), arena_printf(f->arena, "body %u\n", rnd(&m->dice, 5)));
	m->held[i] = true;
}

/* One change of main, which keeps its own tree whole. */
static void
main_moves(struct fixture *f, struct model *m)
{
	struct point p = head(f);
	size_t n, i, k;
	struct node *list = node_list(f->db, f->arena, &p, NODE_PAGES, &n);
	struct wanted w;
	bool leaf = true;

	if (n == 0 || rnd(&m->dice, 3) == 0) {
		w = page(f->arena, arena_printf(f->arena, "m%u", rnd(&m->dice, 6)),
		    "", arena_printf(f->arena, "M%u", rnd(&m->dice, 5)), "own\n");
		w.node.git_path = NULL;
		for (i = 0; i < n; i++)
			if (strcmp(list[i].id, w.node.id) == 0)
				return;
		if (n > 0)
			w.node.parent = list[rnd(&m->dice, (uint32_t)n)].id;
		main_change(f, w.node.id, &w);
		return;
	}
	i = rnd(&m->dice, (uint32_t)n);
	for (k = 0; k < n; k++)
		leaf &= strcmp(list[k].parent, list[i].id) != 0;
	if (leaf && rnd(&m->dice, 3) == 0) {
		main_change(f, list[i].id, NULL);
		return;
	}
	w = page(f->arena, list[i].id, list[i].parent, arena_printf(f->arena, "E%u", rnd(&m->dice, 5)), "edited\n");
	w.node.git_path = list[i].git_path;
	main_change(f, list[i].id, &w);
}

static void
play(struct fixture *f, struct model *m)
{
	struct wanted list[PAGES];
	struct point p;
	size_t n, i, k;
	unsigned round;

	for (round = 0; round < ROUNDS; round++) {
		for (k = rnd(&m->dice, 4); k > 0; k--)
			outside_moves(f, m);
		for (k = rnd(&m->dice, 3); k > 0; k--)
			main_moves(f, m);
		tree_is_whole(f, round);
		for (i = 0, n = 0; i < PAGES; i++)
			if (m->held[i])
				list[n++] = m->out[i];
		take(f, list, n, NULL, NULL);
		tree_is_whole(f, round);
		/* The view is what the outside holds, neither more nor less. */
		assert_true(outside_view(f->db, f->arena, f->space, &p));
		node_list(f->db, f->arena, &p, NODE_PAGES, &k);
		assert_int_equal(k, n);
		for (i = 0; i < n; i++)
			assert_string_equal(title_at(f, &p, list[i].node.id), list[i].node.title);
		remember(f, m, f->branch);
		remember(f, m, outside_branch(f->db, f->space));
	}
	for (i = 0; i < m->seen_n; i++) {
		assert_true(point_revision(f->db, f->arena, f->space, m->seen[i].revision, &p));
		assert_string_equal(text_of(f, &p), m->seen[i].text);
	}
	assert_true(m->seen_n > 50);
}

static void
both_sides_at_random(void **state)
{
	struct fixture *f = *state;
	struct arena *keep = f->arena;
	uint64_t seed, end = seeds(SEEDS, &seed);
	struct model *m;

	for (; seed < end; seed++) {
		printf("OCTAVO_SEED=%u\r", (unsigned)seed);
		f->arena = arena_new(512 << 20);
		m = arena_alloc(f->arena, sizeof(*m));
		m->dice.state = seed;
		forget(f);
		play(f, m);
		arena_free(f->arena);
		f->arena = keep;
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(first_and_again), cmocka_unit_test(main_changed_meanwhile),
		cmocka_unit_test(standalone), cmocka_unit_test(both_sides_at_random) };

	return cmocka_run_group_tests(tests, db_setup, db_teardown);
}
