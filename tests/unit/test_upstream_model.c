/*
 * A model that changes the repository and main at random. After every step the outside branch
 * equals the repository, main's tree is valid, and every old revision reads as when it was made;
 * also with concurrent writes during imports, and with imports that die.
 */
#include "upstream_fixture.h"

#include "invariant_fixture.h"
#include "seed_fixture.h"

/* Rows that no revision shows and that will never be published. */
SQL(q_staged_rows,
    "SELECT (SELECT count(*) FROM node n JOIN branch b ON b.id = n.branch WHERE n.since > b.head "
    "OR (n.until > b.head AND n.until < 9007199254740991)) + (SELECT count(*) FROM branch "
    "WHERE staged IS NOT NULL OR head < 0) + (SELECT count(*) FROM search_place WHERE turn IS NOT NULL) "
    "+ (SELECT count(*) FROM link_edition WHERE shown = 0) /*scan*/");

enum { PAGES = 24, ROUNDS = 100, SEEDS = 8 };

struct model {
	struct rnd    dice;
	struct wanted out[PAGES];      /* content of the repository; id NULL: none */
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
	struct node *list = node_list(f->db, f->arena, &p, NODE_PAGES, &n), up, other;

	for (i = 0; i < n; i++) {
		up = list[i];
		for (depth = 0; *up.parent != '\0'; depth++) {
			const char *above = up.parent;
			if (depth > PAGES * 2)
				fail_msg("round %u: %s is below itself", round, list[i].id);
			if (!node_get(f->db, f->arena, &p, above, &up) || !(up.kind & NODE_PAGES))
				fail_msg("round %u: %s is below %s, which is not there", round, list[i].id, above);
		}
		if (page_taken(f->db, f->arena, &p, &list[i], &other))
			fail_msg("round %u: %s and %s have one address", round, list[i].id, other.id);
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

/* One change of the repository: a page is added, deleted with all pages below it, moved, or edited. */
static void
upstream_moves(struct fixture *f, struct model *m)
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

/* One change of main, which keeps its tree valid. */
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
		/* A path that the repository may use as well. */
		w.node.slug = arena_printf(f->arena, "p%u", rnd(&m->dice, PAGES));
		page_free_slug(f->db, f->arena, &p, &w.node);
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
	w.node.slug = rnd(&m->dice, 3) == 0 ? arena_printf(f->arena, "p%u", rnd(&m->dice, PAGES)) :
	    list[i].slug;
	page_free_slug(f->db, f->arena, &p, &w.node);
	main_change(f, list[i].id, &w);
}

/* ---- concurrent writes during an import ---- */

/* Writes between two transactions of an import, through another connection. */
struct meanwhile {
	struct fixture *f;
	struct model   *m;
	struct db      *mine, *other;
	unsigned        chance;        /* a write occurs with the probability 1 / chance */
	int             until_death;   /* transactions until the import dies; 0: it does not die */
	jmp_buf         death;
	bool            busy;
	unsigned        written;
};

/* No staged row is visible, and all invariants hold. */
static void
looks_whole(struct meanwhile *w)
{
	struct point p = head(w->f);
	size_t i;

	for (i = w->m->seen_n; i > 0 && i + 2 > w->m->seen_n; i--)
		if (strcmp(w->m->seen[i - 1].revision, p.revision) == 0)
			assert_string_equal(text_of(w->f, &p), w->m->seen[i - 1].text);
	assert_string_equal(invariants_text(w->f->db, w->f->arena), "");
}

static void
meanwhile(void *ctx)
{
	struct meanwhile *w = ctx;

	if (w->busy)
		return;
	w->busy = true;
	w->f->db = w->other;
	if (rnd(&w->m->dice, w->chance) == 0) {
		looks_whole(w);
		main_moves(w->f, w->m);
		w->written++;
	}
	w->f->db = w->mine;
	w->busy = false;
	if (w->until_death > 0 && --w->until_death == 0)
		longjmp(w->death, 1);
}

/* Imports while others write; some imports die, and the next ones continue. */
static void
take_among_others(struct meanwhile *w, struct wanted *list, size_t n)
{
	struct wanted *copy = arena_array(w->f->arena, n, sizeof(*copy));
	volatile unsigned deaths = rnd(&w->m->dice, 3);

	for (;;) {
		if (n > 0)
			memcpy(copy, list, n * sizeof(*copy));
		w->until_death = deaths > 0 ? (int)rnd(&w->m->dice, 60) + 1 : 0;
		if (setjmp(w->death) == 0) {
			db_watch(w->mine, 0, meanwhile, w);
			assert_null(take(w->f, copy, n, NULL, NULL).error);
			break;
		}
		db_rollback(w->mine);
		db_watch(w->mine, 0, NULL, NULL);
		looks_whole(w);
		deaths--;
		if (rnd(&w->m->dice, 3) == 0)
			upstream_sweep(w->mine, w->f->arena, w->f->space);
	}
	db_watch(w->mine, 0, NULL, NULL);
	assert_string_equal(invariants_text(w->mine, w->f->arena), "");
	assert_int_equal(stmt_int(db_use(w->mine, &q_staged_rows), -1), 0);
}

static void
play(struct fixture *f, struct model *m, struct meanwhile *w, unsigned rounds)
{
	struct wanted list[PAGES];
	struct point p;
	size_t n, i, k;
	unsigned round;

	for (round = 0; round < rounds; round++) {
		for (k = rnd(&m->dice, 4); k > 0; k--)
			upstream_moves(f, m);
		for (k = rnd(&m->dice, 3); k > 0; k--)
			main_moves(f, m);
		tree_is_whole(f, round);
		for (i = 0, n = 0; i < PAGES; i++)
			if (m->held[i])
				list[n++] = m->out[i];
		if (w != NULL)
			take_among_others(w, list, n);
		else
			take(f, list, n, NULL, NULL);
		tree_is_whole(f, round);
		/* The view equals the repository. */
		assert_true(upstream_view(f->db, f->arena, f->space, &p));
		node_list(f->db, f->arena, &p, NODE_PAGES, &k);
		assert_int_equal(k, n);
		for (i = 0; i < n; i++)
			assert_string_equal(title_at(f, &p, list[i].node.id), list[i].node.title);
		remember(f, m, f->branch);
		remember(f, m, upstream_branch(f->db, f->space));
	}
	for (i = 0; i < m->seen_n; i++) {
		assert_true(point_revision(f->db, f->arena, f->space, m->seen[i].revision, &p));
		assert_string_equal(text_of(f, &p), m->seen[i].text);
	}
	assert_true(m->seen_n > rounds / 2);
}

static void
random_changes_of_both_sides_follow_the_model(void **state)
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
		play(f, m, NULL, ROUNDS);
		arena_free(f->arena);
		f->arena = keep;
	}
}

/* Other merges occur during imports, and imports die: no intermediate state is visible, and the result is correct. */
static void
random_merges_among_imports_follow_the_model(void **state)
{
	/* Of 60 histories the quietest had 13 concurrent writes; with hardly any the test would be useless. */
	enum { OTHERS_SEEDS = 6, OTHERS_ROUNDS = 12, OTHERS_LEAST = 5 };
	struct fixture *f = *state;
	struct arena *keep = f->arena;
	uint64_t seed, end = seeds(OTHERS_SEEDS, &seed);
	const char *error = NULL;
	struct meanwhile *w;

	for (; seed < end; seed++) {
		printf("OCTAVO_SEED=%u\r", (unsigned)seed);
		f->arena = arena_new((size_t)4 << 30);
		w = arena_alloc(f->arena, sizeof(*w));
		w->f = f;
		w->m = arena_alloc(f->arena, sizeof(*w->m));
		w->m->dice.state = seed;
		w->mine = f->db;
		w->other = db_open(f->arena, arena_printf(f->arena, "%s/octavo.db", f->dir), DB_READ_WRITE,
		    &(struct db_options){ .relaxed = true }, &error);
		assert_non_null(w->other);
		w->chance = 12;
		forget(f);
		play(f, w->m, w, OTHERS_ROUNDS);
		assert_true(w->written >= OTHERS_LEAST);
		db_close(w->other);
		arena_free(f->arena);
		f->arena = keep;
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(random_changes_of_both_sides_follow_the_model),
		cmocka_unit_test_setup_teardown(random_merges_among_imports_follow_the_model, db_setup, db_teardown) };

	return cmocka_run_group_tests(tests, db_setup, db_teardown);
}
