/*
 * Imports in seeded histories, each row of which was approved (approved_fixture.h): pages, groups,
 * links, files, reusable contents and settings are added, deleted, moved and changed in all their
 * fields on both sides, and merged under each policy that a task can have.
 */
#include "upstream_fixture.h"

#include "approved_rows_fixture.h"
#include "invariant_fixture.h"
#include "things_fixture.h"

enum { THINGS = 9, ROUNDS = 5, HISTORIES = 24 };

struct world {
	struct fixture *f;
	struct writer   by;
	struct wanted   out[THINGS];      /* content of the repository; held: true if it exists */
	bool            held[THINGS];
	struct approved *approved;
	struct approved_space rows;
};

static const enum node_kind kinds[THINGS] = { NODE_DOCUMENT, NODE_DOCUMENT, NODE_DOCUMENT, NODE_DOCUMENT,
	NODE_GROUP, NODE_LINK, NODE_FILE, NODE_REUSABLE, NODE_SETTING };

/* ---- the repository ---- */

static bool
below(const struct world *w, const char *id, const char *top)
{
	size_t i;

	if (*id == '\0' || strcmp(id, top) == 0)
		return *id != '\0';
	i = (size_t)strtol(id + 1, NULL, 10);
	return below(w, w->out[i].node.parent, top);
}

static void
upstream_goes(struct world *w, size_t i)
{
	size_t k;

	for (k = 0; k < THINGS; k++)
		if (w->held[k] && k != i && (w->out[k].node.kind & NODE_PAGES) && below(w, w->out[k].node.parent, w->out[i].node.id))
			w->held[k] = false;
	w->held[i] = false;
}

static void
upstream_changes(struct world *w)
{
	size_t i = roll(&w->by, 2) == 0 ? roll(&w->by, 3) : roll(&w->by, THINGS), up = roll(&w->by, 5);
	struct node *n = &w->out[i].node;

	if (!w->held[i]) {
		w->out[i] = new_thing(&w->by, arena_printf(w->f->arena, "p%zu", i), kinds[i]);
		w->held[i] = true;
	} else if (roll(&w->by, 6) == 0) {
		upstream_goes(w, i);
		return;
	} else {
		write_field(&w->by, &w->out[i]);
	}
	if ((n->kind & NODE_PAGES) && roll(&w->by, 3) == 0)
		n->parent = w->held[up] && !below(w, w->out[up].node.id, n->id) ? w->out[up].node.id : "";
}

/* ---- main ---- */

/* As main_change(), with links; w NULL: deletes the page. */
static void
main_writes(struct world *w, const char *id, struct wanted *x)
{
	if (x != NULL) {
		db_begin(w->f->db, true);
		x->node.refs = x->refs.n == 0 ? x->refs : blob_put(w->f->db, w->f->arena, x->refs);
		db_commit(w->f->db);
		x->node.body = (struct str){ NULL, 0 };
	}
	main_change(w->f, id, x);
}

static void
main_adds(struct world *w, const struct point *p, const struct node *list, size_t n)
{
	struct wanted x = page(w->f->arena, arena_printf(w->f->arena, "m%u", roll(&w->by, 4)), "", "Own", "own\n");
	size_t i = roll(&w->by, 6);
	struct node other;

	if (node_get(w->f->db, w->f->arena, p, x.node.id, &other))
		return;
	if (n > 0 && roll(&w->by, 3) == 0)
		x.node.parent = list[roll(&w->by, (uint32_t)n)].id;
	/* Usually a path that the repository is about to use as well. */
	if (w->held[i] && roll(&w->by, 3) != 0) {
		x.node.parent = node_get(w->f->db, w->f->arena, p, w->out[i].node.parent, &other) ? other.id : "";
		x.node.slug = w->out[i].node.slug;
		x.node.path = w->out[i].node.path;
	}
	x.node.git_path = NULL;
	x.node.ord = some_key(&w->by);
	if (x.node.path == NULL)
		page_free_slug(w->f->db, w->f->arena, p, &x.node);
	else if (page_taken(w->f->db, w->f->arena, p, &x.node, &other))
		return;
	main_writes(w, x.node.id, &x);
}

static bool
is_leaf(const struct node *list, size_t n, const char *id)
{
	size_t i;

	for (i = 0; i < n && strcmp(list[i].parent, id) != 0; i++)
		;
	return i == n;
}

static bool
lies_below(struct world *w, const struct point *p, const struct node *n, const char *top)
{
	struct node up;

	if (strcmp(n->id, top) == 0)
		return true;
	return *n->parent != '\0' && node_get(w->f->db, w->f->arena, p, n->parent, &up) && lies_below(w, p, &up, top);
}

/*
 * Main makes the change that the repository is about to bring, or another one; up: also moves the
 * page below it, unless NULL.
 */
static void
main_edits(struct world *w, const struct point *p, struct node *n, const struct node *up)
{
	struct wanted x = thing_read(w->f->db, w->f->arena, n);
	size_t i = (size_t)strtol(n->id + 1, NULL, 10);

	if (*n->id == 'p' && w->held[i] && roll(&w->by, 5) == 0)
		x = w->out[i];
	else
		write_field(&w->by, &x);
	x.node.parent = n->parent;
	if (roll(&w->by, 3) == 0 && up != NULL)
		x.node.parent = up->id;
	if ((x.node.kind & NODE_PAGES) && x.node.path == NULL)
		page_free_slug(w->f->db, w->f->arena, p, &x.node);
	main_writes(w, x.node.id, &x);
}

static int
by_id(const void *x, const void *y)
{
	return strcmp(((const struct node *)x)->id, ((const struct node *)y)->id);
}

static void
main_changes(struct world *w)
{
	struct point p = head(w->f);
	size_t n, pages;
	struct node *list = node_list(w->f->db, w->f->arena, &p, NODE_PAGES, &pages), *all, *up;

	all = node_list(w->f->db, w->f->arena, &p, NODE_PAGES | NODE_FILE | NODE_REUSABLE, &n);
	if (pages > 1)
		qsort(list, pages, sizeof(*list), by_id);
	if (n > 1)
		qsort(all, n, sizeof(*all), by_id);
	if (pages == 0 || roll(&w->by, 3) == 0) {
		main_adds(w, &p, list, pages);
		return;
	}
	all += roll(&w->by, roll(&w->by, 3) == 0 || n < 3 ? (uint32_t)n : 3);
	up = &list[roll(&w->by, (uint32_t)pages)];
	if (roll(&w->by, 5) == 0 && is_leaf(list, pages, all->id))
		main_writes(w, all->id, NULL);
	else
		main_edits(w, &p, all, (all->kind & NODE_PAGES) && !lies_below(w, &p, up, all->id) ? up : NULL);
}

/* ---- imports ---- */

static void
note(void *ctx, enum upstream_event what, const struct node *n)
{
	static const char *const names[] = { "both", "moved", "address" };
	struct world *w = ctx;

	buf_printf(&w->approved->out, "  %s: %s\n", names[what], n->id);
}

static struct wanted *
main_stays(void *ctx, const struct node *before, const struct node *now, struct wanted *x)
{
	struct world *w = ctx;

	buf_printf(&w->approved->out, "  asked: %s%s%s\n", x->node.id, before == NULL ? ", new" : "", now == NULL ? ", gone" : "");
	return NULL;
}

static struct wanted *
upstream_wins(void *ctx, const struct node *before, const struct node *now, struct wanted *x)
{
	main_stays(ctx, before, now, x);
	return x;
}

/* Returns main's version with the repository's title. */
static struct wanted *
third_one(void *ctx, const struct node *before, const struct node *now, struct wanted *x)
{
	struct world *w = ctx;
	struct wanted *third = arena_alloc(w->f->arena, sizeof(*third));

	main_stays(ctx, before, now, x);
	if (now == NULL)
		return x;
	*third = thing_read(w->f->db, w->f->arena, now);
	third->node.title = x->node.title;
	return third;
}

static void
result_text(struct world *w, const struct upstream_result *out)
{
	struct buf *b = &w->approved->out;
	const struct upstream_conflict *c;

	buf_printf(b, "  added %zu, edited %zu, removed %zu%s\n", out->added, out->edited, out->removed, out->changed ? "" : ", unchanged");
	for (c = out->conflicts; c != NULL; c = c->next)
		buf_printf(b, "  conflict: %s \"%s\", %s, %s\n", c->id, c->title, c->wanted == NULL ? "deleted" : c->wanted->node.title,
		    c->before == NULL ? "new" : c->before->title);
}

static void
take_in(struct world *w)
{
	static const char *const names[] = { "plainly", "plainly", "main stays", "upstream wins", "a third one", "aside", "whole", "held",
		"exported", "alone" };
	unsigned policy = roll(&w->by, sizeof(names) / sizeof(names[0]));
	struct wanted list[THINGS];
	struct upstream_task task = { .list = list, .author = w->f->user, .git = "{}", .note = note, .ctx = w,
		.both = policy == 2 ? main_stays : policy == 3 ? upstream_wins : policy == 4 ? third_one : NULL,
		.as_request = policy == 5, .whole = policy == 6, .exported = policy == 8 };
	struct upstream_result out;
	enum upstream_end end;
	struct point view;
	size_t i;

	for (i = 0; i < THINGS; i++)
		if (w->held[i])
			list[task.n++] = w->out[i];
	buf_printf(&w->approved->out, " import, %s\n", names[policy]);
	db_begin(w->f->db, false);
	assert_true(upstream_view(w->f->db, w->f->arena, w->f->space, &view));
	if (policy == 7)
		task.held = node_list(w->f->db, w->f->arena, &view, UPSTREAM_KINDS, &task.held_n);
	db_rollback(w->f->db);
	end = policy == 9 ? upstream_standalone(w->f->db, w->f->arena, w->f->space, &task, &out) :
	    upstream_take(w->f->db, w->f->arena, &view, &task, &out);
	assert_int_equal(end, UPSTREAM_DONE);
	result_text(w, &out);
	approved_rows(&w->rows);
	assert_string_equal(invariants_text(w->f->db, w->f->arena), "");
}

static void
history(struct world *w)
{
	unsigned round, k;

	/* The first history uses the first space, whose branches are numbered from 1. */
	if (w->by.dice.state > 1)
		forget(w->f);
	approved_space(&w->rows, w->approved, w->f);
	for (round = 0; round < ROUNDS; round++) {
		for (k = round == 0 ? 6 : 1 + roll(&w->by, 6); k > 0; k--)
			upstream_changes(w);
		for (k = round == 0 ? 0 : roll(&w->by, 6); k > 0; k--)
			main_changes(w);
		buf_str(&w->approved->out, " main\n");
		approved_rows(&w->rows);
		take_in(w);
	}
}

static void
imports_of_histories_are_as_approved(void **state)
{
	static const unsigned shown[] = { 7, 9, 17, 0 };
	struct fixture *f = *state;
	struct arena *keep = f->arena;
	struct approved r;
	struct world *w;
	uint64_t seed;

	approved_begin(&r, keep, "Which rows does an import write, and which conflicts does it name? Look for what either side wrote and "
	    "the import lost.", shown);
	for (seed = 1; seed <= HISTORIES; seed++) {
		f->arena = arena_new(512 << 20);
		json_arena(f->arena);
		w = arena_alloc(f->arena, sizeof(*w));
		*w = (struct world){ .f = f, .by = { f->arena, { seed }, 0 }, .approved = &r };
		approved_history(&r, (unsigned)seed);
		history(w);
		arena_free(f->arena);
		f->arena = keep;
		json_arena(keep);
	}
	approved_end(&r, "upstream.txt");
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(imports_of_histories_are_as_approved) };

	return cmocka_run_group_tests(tests, db_setup, db_teardown);
}
