/*
 * Main's tree after imports, page by page, in approved histories from seeds (approved_fixture.h):
 * both sides move, name and delete pages with few slugs and paths, so that pages often lose their
 * parents, form circles and get equal paths. Then single cases that histories rarely reach.
 */
#include "upstream_fixture.h"

#include "approved_fixture.h"
#include "seed_fixture.h"

enum { PAGES = 10, ROUNDS = 5, HISTORIES = 60 };

struct world {
	struct fixture  *f;
	struct rnd       dice;
	struct wanted    out[PAGES];
	bool             held[PAGES];
	struct approved *approved;
};

static uint32_t
roll(struct world *w, uint32_t n)
{
	return rnd(&w->dice, n);
}

/* ---- the repository ---- */

static const struct wanted *
up_of(const struct world *w, const struct wanted *x)
{
	return *x->node.parent == '\0' ? NULL : &w->out[strtol(x->node.parent + 1, NULL, 10)];
}

static const char *
address(const struct world *w, const struct wanted *x)
{
	const struct wanted *up = up_of(w, x);

	return x->node.path != NULL ? x->node.path : up == NULL ? x->node.slug :
	    arena_printf(w->f->arena, "%s/%s", address(w, up), x->node.slug);
}

/* True if a page is below itself or below a missing one, or has the path of another page. */
static bool
stands_wrong(const struct world *w)
{
	const struct wanted *x;
	size_t i, k, steps;

	for (i = 0; i < PAGES; i++) {
		for (steps = 0, x = &w->out[i]; w->held[i] && x != NULL; x = up_of(w, x), steps++)
			if (steps > PAGES || !w->held[x - w->out])
				return true;
		for (k = 0; w->held[i] && k < i; k++)
			if (w->held[k] && w->out[i].node.kind != NODE_LINK && w->out[k].node.kind != NODE_LINK &&
			    strcmp(address(w, &w->out[i]), address(w, &w->out[k])) == 0)
				return true;
	}
	return false;
}

static void
place_somewhere(struct world *w, struct node *n)
{
	struct arena *a = w->f->arena;

	switch (roll(w, 4)) {
	case 0:
		n->slug = arena_printf(a, "s%u", roll(w, 4));
		break;
	case 1:
		n->path = roll(w, 3) == 0 ? arena_printf(a, "s%u", roll(w, 4)) :
		    roll(w, 2) == 0 ? arena_printf(a, "s%u/s%u", roll(w, 4), roll(w, 4)) : NULL;
		break;
	default:
		n->parent = roll(w, 3) == 0 ? "" : arena_printf(a, "p%u", roll(w, PAGES));
	}
}

static void
upstream_changes(struct world *w)
{
	size_t i = roll(w, PAGES);
	struct wanted was = w->out[i];
	bool held = w->held[i];

	if (!held) {
		w->out[i] = page(w->f->arena, arena_printf(w->f->arena, "p%zu", i), "", "T", "t\n");
		w->out[i].node.slug = arena_printf(w->f->arena, "s%u", roll(w, 4));
		w->out[i].node.kind = i == 1 ? NODE_GROUP : i == 2 ? NODE_LINK : NODE_DOCUMENT;
		w->held[i] = true;
	} else {
		w->held[i] = roll(w, 5) != 0;
	}
	place_somewhere(w, &w->out[i].node);
	if (stands_wrong(w)) {
		w->out[i] = was;
		w->held[i] = held;
	}
}

/* ---- main ---- */

static int
by_id(const void *x, const void *y)
{
	return strcmp(((const struct node *)x)->id, ((const struct node *)y)->id);
}

static struct node *
pages_of_main(struct world *w, const struct point *p, size_t *n)
{
	struct node *list = node_list(w->f->db, w->f->arena, p, NODE_PAGES, n);

	if (*n > 1)
		qsort(list, *n, sizeof(*list), by_id);
	return list;
}

static bool
fits(struct world *w, const struct point *p, const struct node *n)
{
	const char *id = n->parent;
	struct node up, other;

	for (; *id != '\0'; id = up.parent)
		if (strcmp(id, n->id) == 0 || !node_get(w->f->db, w->f->arena, p, id, &up))
			return false;
	return n->kind == NODE_LINK || (!page_taken(w->f->db, w->f->arena, p, n, &other) &&
	    !page_taken_below(w->f->db, w->f->arena, p, n, &other));
}

static void
main_changes(struct world *w)
{
	struct point p = head(w->f);
	size_t n, i, k;
	struct node *list = pages_of_main(w, &p, &n);
	struct wanted x = page(w->f->arena, arena_printf(w->f->arena, "%c%u", "az"[roll(w, 2)], roll(w, 3)), "", "Own", "own\n");
	struct node other;

	if (n == 0 || roll(w, 3) == 0) {
		if (node_get(w->f->db, w->f->arena, &p, x.node.id, &other))
			return;
		x.node.git_path = NULL;
		x.node.slug = arena_printf(w->f->arena, "s%u", roll(w, 4));
		x.node.kind = roll(w, 8) == 0 ? NODE_LINK : NODE_DOCUMENT;
	} else {
		i = roll(w, (uint32_t)n);
		for (k = 0; k < n && strcmp(list[k].parent, list[i].id) != 0; k++)
			;
		if (k == n && roll(w, 4) == 0) {
			main_change(w->f, list[i].id, NULL);
			return;
		}
		x.node = list[i];
	}
	place_somewhere(w, &x.node);
	/* Sometimes below main's own pages. */
	if (n > 0 && roll(w, 3) == 0)
		x.node.parent = list[roll(w, (uint32_t)n)].id;
	if (fits(w, &p, &x.node))
		main_change(w->f, x.node.id, &x);
}

/* ---- results ---- */

static void
note(void *ctx, enum upstream_event what, const struct node *n)
{
	static const char *const names[] = { "both", "moved", "address" };
	struct world *w = ctx;

	buf_printf(&w->approved->out, " %s:%s", names[what], n->id);
}

static void
tree_told(struct world *w, const char *name)
{
	struct point p = head(w->f);
	size_t n, i;
	struct node *list = pages_of_main(w, &p, &n);

	buf_printf(&w->approved->out, " %s", name);
	for (i = 0; i < n; i++)
		buf_printf(&w->approved->out, " %s=%s%s%s%s%s", list[i].id, list[i].parent, *list[i].parent == '\0' ? "" : "/",
		    list[i].slug, list[i].path == NULL ? "" : "@", list[i].path == NULL ? "" : list[i].path);
	buf_str(&w->approved->out, "\n");
}

static void
round_of(struct world *w)
{
	struct wanted list[PAGES];
	struct upstream_result out;
	size_t n = 0, i;
	unsigned k;

	for (k = 2 + roll(w, 10); k > 0; k--)
		upstream_changes(w);
	for (k = 1 + roll(w, 8); k > 0; k--)
		main_changes(w);
	for (i = 0; i < PAGES; i++)
		if (w->held[i])
			list[n++] = w->out[i];
	tree_told(w, "main:");
	buf_str(&w->approved->out, " ");
	out = take(w->f, list, n, note, w);
	buf_str(&w->approved->out, "\n");
	assert_null(out.error);
	tree_told(w, "then:");
}

static void
trees_of_histories_are_as_approved(void **state)
{
	static const unsigned shown[] = { 1, 3, 8, 11, 24, 29, 30, 41, 45, 58, 0 };
	struct fixture *f = *state;
	struct arena *keep = f->arena;
	struct approved r;
	struct world *w;
	uint64_t seed;
	unsigned i;

	approved_begin(&r, keep, "Where does each page stand after an import (page=parent/slug@path), and is each page that had to give way "
	    "named (both, moved, address)?", shown);
	for (seed = 1; seed <= HISTORIES; seed++) {
		f->arena = arena_new(512 << 20);
		json_arena(f->arena);
		w = arena_alloc(f->arena, sizeof(*w));
		*w = (struct world){ .f = f, .dice = { seed }, .approved = &r };
		approved_history(&r, (unsigned)seed);
		forget(f);
		for (i = 0; i < ROUNDS; i++)
			round_of(w);
		arena_free(f->arena);
		f->arena = keep;
		json_arena(keep);
	}
	approved_end(&r, "upstream_tree.txt");
}

/* ---- single cases ---- */

static struct node
in_main(struct fixture *f, const char *id)
{
	struct point p = head(f);
	struct node n;

	assert_true(node_get(f->db, f->arena, &p, id, &n));
	return n;
}

/* A hundred levels, of which the lowest is processed first, with a page next to each: each level is counted once. */
static void
levels_are_known(void **state)
{
	struct fixture *f = *state;
	struct wanted list[PAGE_DEPTH * 2];
	const char *parent = "";
	int i;

	forget(f);
	for (i = 0; i < PAGE_DEPTH; i++) {
		list[i * 2] = page(f->arena, arena_printf(f->arena, "p%03d", PAGE_DEPTH - i), parent, "P", "p\n");
		list[i * 2 + 1] = page(f->arena, arena_printf(f->arena, "q%03d", i), parent, "Q", "q\n");
		parent = list[i * 2].node.id;
	}
	assert_null(take(f, list, PAGE_DEPTH * 2, NULL, NULL).error);
	list[0].node.parent = "q000";
	assert_non_null(strstr(take(f, list, PAGE_DEPTH * 2, NULL, NULL).error, "100 levels"));
}

/*
 * Of two pages of main that get one path, the one without its own path gets another slug, whichever
 * is processed first.
 */
static void
paths_come_first(void **state)
{
	struct fixture *f = *state;
	struct wanted list[] = { page(f->arena, "p", "", "P", "p\n"), page(f->arena, "r", "", "R", "r\n") };
	struct wanted first = page(f->arena, "a", "r", "A", "a\n"), second = page(f->arena, "b", "", "B", "b\n");

	forget(f);
	take(f, list, 2, NULL, NULL);
	first.node.slug = "s";
	second.node.path = "s";
	main_change(f, "a", &first);
	main_change(f, "b", &second);
	take(f, list, 1, NULL, NULL);
	assert_string_equal(in_main(f, "a").slug, "s-1");
	assert_string_equal(in_main(f, "b").path, "s");
	forget(f);
	take(f, list, 2, NULL, NULL);
	first.node.id = "c";
	main_change(f, "c", &first);
	main_change(f, "b", &second);
	take(f, list, 1, NULL, NULL);
	assert_string_equal(in_main(f, "c").slug, "s-1");
	assert_string_equal(in_main(f, "b").path, "s");
}

/* A free slug is searched among the siblings of the page, even below the first page of all. */
static void
a_free_slug_is_found_below_the_first_page(void **state)
{
	struct fixture *f = *state;
	struct wanted list[] = { page(f->arena, "a", "", "A", "a\n"), page(f->arena, "x-1", "", "X", "x\n"), page(f->arena, "y", "a", "Y", "y\n") };
	struct wanted own = page(f->arena, "own", "a", "Own", "o\n");

	forget(f);
	take(f, list, 2, NULL, NULL);
	own.node.slug = list[2].node.slug = "x";
	main_change(f, "own", &own);
	take(f, list, 3, NULL, NULL);
	assert_string_equal(in_main(f, "y").slug, "x");
	assert_string_equal(in_main(f, "own").slug, "x-1");
}

/* A page below one that gets another slug has another path, but keeps its own slug. */
static void
pages_below_a_renamed_one_keep_their_slug(void **state)
{
	struct fixture *f = *state;
	struct wanted list[] = { page(f->arena, "z", "", "Z", "z\n"), page(f->arena, "u", "", "U", "u\n"), page(f->arena, "v", "", "V", "v\n") };
	struct wanted own = page(f->arena, "0", "", "Own", "o\n"), below = page(f->arena, "1", "0", "Below", "b\n");

	forget(f);
	take(f, list, 1, NULL, NULL);
	own.node.slug = list[1].node.slug = "s";
	below.node.slug = "c";
	list[2].node.path = "s/c";
	main_change(f, "0", &own);
	main_change(f, "1", &below);
	take(f, list, 3, NULL, NULL);
	assert_string_equal(in_main(f, "u").slug, "s");
	assert_string_equal(in_main(f, "0").slug, "s-1");
	assert_string_equal(in_main(f, "1").slug, "c");
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(trees_of_histories_are_as_approved),
	cmocka_unit_test(levels_are_known),
		cmocka_unit_test(paths_come_first), cmocka_unit_test(a_free_slug_is_found_below_the_first_page),
		cmocka_unit_test(pages_below_a_renamed_one_keep_their_slug) };

	return cmocka_run_group_tests(tests, db_setup, db_teardown);
}
