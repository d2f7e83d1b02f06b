/*
 * Change requests in seeded histories, each row of which was approved (approved_fixture.h): main
 * and two requests write pages, groups, links, files, reusable contents and settings in all their
 * fields; requests are updated, checked for conflicts and merged. After every step the content at
 * the heads of all branches, and at some earlier revision, is compared with a model
 * (node_model_fixture.h).
 */
#include "change_fixture.h"
#include "things_fixture.h"

#include "approved_rows_fixture.h"
#include "invariant_fixture.h"
#include "node_model_fixture.h"
#include "store/changes.h"

enum { THINGS = 7, STEPS = 18, HISTORIES = 24, TREES = 60, REQUESTS = 2 };

struct world {
	struct fixture  *f;
	struct writer    by;
	int64_t          request[REQUESTS];
	unsigned         number, next;     /* number of the history; number for the next id */
	int64_t          read;             /* number of revisions read */
	bool             places;           /* only moves and renames pages, and writes trees instead of rows */
	struct approved *approved, *changes;
	struct approved_space rows;
};

static const enum node_kind kinds[THINGS] = { NODE_DOCUMENT, NODE_DOCUMENT, NODE_DOCUMENT, NODE_GROUP, NODE_FILE,
	NODE_REUSABLE, NODE_SETTING };

static int
by_id(const void *x, const void *y)
{
	return strcmp(((const struct node *)x)->id, ((const struct node *)y)->id);
}

static struct node *
things_at(struct world *w, const struct point *p, unsigned of, size_t *n)
{
	struct node *list = node_list(w->f->db, w->f->arena, p, of, n);

	if (*n > 1)
		qsort(list, *n, sizeof(*list), by_id);
	return list;
}

static bool
is_below(struct world *w, const struct point *p, const char *id, const char *top)
{
	struct node n;

	if (*id == '\0' || strcmp(id, top) == 0)
		return *id != '\0';
	return node_get(w->f->db, w->f->arena, p, id, &n) && is_below(w, p, n.parent, top);
}

/* ---- one change ---- */

static void
put(struct world *w, const struct point *before, const struct point *now, struct wanted *x)
{
	struct node other, *n = &x->node;

	n->body = x->body.n == 0 ? x->body : blob_put(w->f->db, w->f->arena, x->body);
	n->refs = x->refs.n == 0 ? x->refs : blob_put(w->f->db, w->f->arena, x->refs);
	if (is_below(w, now, n->parent, n->id))
		return;
	if ((n->kind & NODE_PAGES) && (page_taken(w->f->db, w->f->arena, now, n, &other) ||
	    page_taken_below(w->f->db, w->f->arena, now, n, &other)))
		return;
	n->origin = -1;
	if (before->base == 0)
		node_put(w->f->db, before->branch, now->seq, n);
	else
		request_put(w->f->db, w->f->arena, before, now->seq, n);
}

static void
drop(struct world *w, const struct point *before, const struct point *now, const char *id)
{
	size_t n, i;
	struct node *list = node_children(w->f->db, w->f->arena, now, id, &n);

	for (i = 0; i < n; i++)
		drop(w, before, now, list[i].id);
	if (before->base == 0)
		node_end(w->f->db, before->branch, id, now->seq);
	else
		request_drop(w->f->db, w->f->arena, before, now->seq, id);
}

static void
add(struct world *w, const struct point *before, const struct point *now)
{
	size_t n;
	struct node *pages = things_at(w, now, NODE_PAGES, &n);
	struct wanted x = new_thing(&w->by, arena_printf(w->f->arena, "q%u", ++w->next), kinds[roll(&w->by, THINGS)]);

	if (x.node.kind == NODE_SETTING)
		return;
	/* From few slugs, so that pages sometimes get a path that another side uses. */
	if (x.node.kind & NODE_PAGES)
		x.node.slug = arena_printf(w->f->arena, "s%u", roll(&w->by, 5));
	if ((x.node.kind & NODE_PAGES) && n > 0 && roll(&w->by, 2) == 0)
		x.node.parent = pages[roll(&w->by, (uint32_t)n)].id;
	put(w, before, now, &x);
}

/* From few slugs and paths, so that pages often get the same path. */
static void
place_somewhere(struct world *w, struct node *n, const struct node *up)
{
	struct arena *a = w->f->arena;

	switch (roll(&w->by, 4)) {
	case 0:
		n->slug = arena_printf(a, "s%u", roll(&w->by, 4));
		break;
	case 1:
		n->path = roll(&w->by, 3) == 0 ? arena_printf(a, "s%u", roll(&w->by, 4)) :
		    roll(&w->by, 2) == 0 ? arena_printf(a, "s%u/s%u", roll(&w->by, 4), roll(&w->by, 4)) : NULL;
		break;
	default:
		n->parent = roll(&w->by, 3) == 0 ? "" : up->id;
	}
}

static void
change_one(struct world *w, const struct point *before, const struct point *now)
{
	size_t n, page_n;
	struct node *all = things_at(w, now, w->places ? NODE_PAGES : UPSTREAM_KINDS, &n), *pages = things_at(w, now, NODE_PAGES, &page_n), *up;
	struct wanted x;

	if (page_n == 0 || roll(&w->by, 7) == 0) {
		add(w, before, now);
		return;
	}
	all += roll(&w->by, w->places || roll(&w->by, 3) == 0 || n < 2 ? (uint32_t)n : 2);
	up = &pages[roll(&w->by, (uint32_t)page_n)];
	if (roll(&w->by, 10) == 0) {
		drop(w, before, now, all->id);
		return;
	}
	x = thing_read(w->f->db, w->f->arena, all);
	if (w->places)
		place_somewhere(w, &x.node, up);
	else if ((all->kind & NODE_PAGES) && roll(&w->by, 5) == 0)
		x.node.parent = roll(&w->by, 3) == 0 || is_below(w, now, up->id, all->id) ? "" : up->id;
	else
		write_field(&w->by, &x);
	put(w, before, now, &x);
}

/* Writes a revision with some changes. */
static void
writes(struct world *w, int64_t branch)
{
	struct point before = head_of(w->f, branch), now = revision_begin(w->f, branch);
	unsigned k;

	for (k = 1 + roll(&w->by, 4); k > 0; k--)
		change_one(w, &before, &now);
	if (before.base == 0)
		propagate_revision(w->f->db, w->f->arena, w->f->space, branch, now.seq);
	else
		request_remove_repairs(w->f->db, w->f->arena, &before, &now);
	db_commit(w->f->db);
}

/* ---- text of requests ---- */

static int
by_page(const void *x, const void *y)
{
	const struct clash *a = *(const struct clash *const *)x, *b = *(const struct clash *const *)y;
	int c = strcmp(a->page, b->page);

	return c != 0 ? c : strcmp(a->kind, b->kind);
}

static void
clash_text(struct world *w, const char *name, const char *s)
{
	if (s != NULL)
		approved_text(w->approved, name, *s == '\0' ? str_of("\"\"") : str_of(s));
}

static void
clashes_told(struct world *w, const struct clash *c)
{
	const struct clash *list[100];
	size_t n = 0, i;

	for (; c != NULL; c = c->next) {
		assert_true(n < 100);
		list[n++] = c;
	}
	if (n > 1)
		qsort(list, n, sizeof(list[0]), by_page);
	for (i = 0; i < n; i++) {
		buf_printf(&w->approved->out, "  clash: %s \"%s\" %s", list[i]->page, list[i]->title, list[i]->kind);
		clash_text(w, "base", list[i]->base);
		clash_text(w, "ours", list[i]->ours);
		clash_text(w, "theirs", list[i]->theirs);
		clash_text(w, "other", list[i]->other);
		buf_str(&w->approved->out, "\n");
	}
}

static void
outcome_told(struct world *w, const struct merge_outcome *out)
{
	assert_false(out->waits);
	buf_str(&w->approved->out, out->changed ? "  changed\n" : "  unchanged\n");
	clashes_told(w, out->clashes);
}

static void
asks(struct world *w, int64_t request)
{
	struct point p = head_of(w->f, request);

	db_begin(w->f->db, true);
	clashes_told(w, request_clashes(w->f->db, w->f->arena, &p));
	db_rollback(w->f->db);
}

static void
merges(struct world *w, unsigned i)
{
	struct merge_outcome out = merge_request(w->f, w->request[i]);

	outcome_told(w, &out);
	if (out.clashes == NULL)
		w->request[i] = request_open(w->f);
}

/* The pages that a branch shows; for a merge those of main. */
static void
trees_told(struct world *w, int64_t branch, unsigned what)
{
	struct point p = head_of(w->f, what == 5 ? w->f->branch : branch);
	const char *other;
	size_t n, i;
	struct node *list = things_at(w, &p, NODE_PAGES, &n);

	for (i = 0; i < n; i++)
		if (tree_fault(w->f->db, w->f->arena, NULL, &p, &list[i], &other) != NULL)
			fail_msg("history %u: %s stands wrong", w->number, list[i].id);
	buf_str(&w->approved->out, " ");
	for (i = 0; i < n; i++)
		buf_printf(&w->approved->out, " %s=%s%s%s%s%s", list[i].id, list[i].parent, *list[i].parent == '\0' ? "" : "/",
		    list[i].slug, list[i].path == NULL ? "" : "@", list[i].path == NULL ? "" : list[i].path);
	buf_str(&w->approved->out, "\n");
}

/* ---- reads ---- */

SQL(q_any_revision,
    "SELECT r.id FROM revision r JOIN branch b ON b.id = r.branch WHERE b.space = :space ORDER BY r.branch, r.seq "
    "LIMIT 1 OFFSET :at % (SELECT count(*) FROM revision r JOIN branch b ON b.id = r.branch WHERE b.space = :space) /*scan*/");

/* A revision of any branch, another one each time. */
static struct point
some_revision(struct world *w)
{
	struct stmt *q = db_use(w->f->db, &q_any_revision);
	struct point p;

	bind_text(q, ":space", w->f->space);
	bind_int(q, ":at", w->read += 7);
	assert_true(point_revision(w->f->db, w->f->arena, w->f->space, stmt_dup(q, w->f->arena), &p));
	return p;
}

static void
reads(struct world *w)
{
	struct arena *keep = w->f->arena, *a = arena_new(256 << 20);
	struct point p;
	struct model m;

	w->f->arena = a;
	model_read(&m, w->f);
	p = head_of(w->f, w->f->branch);
	model_compare(&m, &p);
	for (size_t i = 0; i < REQUESTS; i++) {
		p = head_of(w->f, w->request[i]);
		model_compare(&m, &p);
		model_compare_overlay(&m, w->request[i]);
	}
	p = some_revision(w);
	model_compare(&m, &p);
	w->f->arena = keep;
	arena_free(a);
}

/* ---- lists of changes ---- */

static void
change_told(struct world *w, const struct change *c)
{
	struct buf *out = &w->changes->out;

	buf_str(out, c->before == NULL ? " +" : c->after == NULL ? " -" : " ");
	buf_str(out, c->before != NULL ? c->before->id : c->after->id);
	if (c->moved)
		buf_str(out, "(moved)");
}

static void
changes_told(struct world *w, const char *name, const struct point *from, const struct change *list, size_t n)
{
	struct point then;
	size_t i;

	/* The compared point can be found by its revision. */
	if (from->branch != 0)
		assert_true(point_revision(w->f->db, w->f->arena, w->f->space, from->revision, &then) && point_same(&then, from));
	buf_printf(&w->changes->out, "  %s since", name);
	if (from->branch != 0)
		buf_printf(&w->changes->out, " %s%d", from->base == 0 ? "main " : "", (int)from->seq);
	if (from->base != 0)
		buf_printf(&w->changes->out, " over %d", (int)from->base_seq);
	buf_char(&w->changes->out, ':');
	for (i = 0; i < n; i++)
		change_told(w, &list[i]);
	buf_char(&w->changes->out, '\n');
}

/* Of the branch that was written: main, or otherwise the request. */
static void
tells_changes(struct world *w, int64_t branch)
{
	struct point p = head_of(w->f, branch), from;
	struct change *list;
	size_t n;

	list = changes_of_revision(w->f->db, w->f->arena, &p, &from, &n);
	changes_told(w, p.base == 0 ? "main" : "revision", &from, list, n);
	if (p.base == 0)
		return;
	list = changes_of_request(w->f->db, w->f->arena, &p, &from, &n);
	changes_told(w, "request", &from, list, n);
}

static void
step(struct world *w)
{
	static const char *const names[] = { "main writes", "request writes", "request writes", "update", "clashes", "merge" };
	unsigned what = roll(&w->by, 6), i = roll(&w->by, REQUESTS);
	struct merge_outcome out;

	buf_printf(&w->approved->out, " %s %u\n", names[what], i);
	buf_printf(&w->changes->out, " %s %u\n", names[what], i);
	switch (what) {
	case 0:
		writes(w, w->f->branch);
		break;
	case 1:
	case 2:
		writes(w, w->request[i]);
		break;
	case 3:
		out = update_request(w->f, w->request[i]);
		outcome_told(w, &out);
		break;
	case 4:
		asks(w, w->request[i]);
		break;
	default:
		merges(w, i);
	}
	reads(w);
	if (what != 4)
		tells_changes(w, what == 0 || what == 5 ? w->f->branch : w->request[i]);
	if (!w->places)
		approved_rows(&w->rows);
	else
		trees_told(w, what == 0 ? w->f->branch : w->request[i], what);
}

static void
history(struct world *w)
{
	struct point before, now;
	struct wanted x;
	unsigned i;

	/* The first history uses the first space, whose branches are numbered from 1. */
	if (w->by.dice.state > 1)
		new_space(w->f);
	else
		json_arena(w->f->arena);
	approved_space(&w->rows, w->approved, w->f);
	before = head_of(w->f, w->f->branch);
	now = revision_begin(w->f, w->f->branch);
	for (i = 0; i < THINGS; i++) {
		x = new_thing(&w->by, arena_printf(w->f->arena, "p%u", i), kinds[i]);
		if ((x.node.kind & NODE_PAGES) && i > 0 && roll(&w->by, 2) == 0)
			x.node.parent = "p0";
		put(w, &before, &now, &x);
	}
	propagate_revision(w->f->db, w->f->arena, w->f->space, w->f->branch, now.seq);
	db_commit(w->f->db);
	for (i = 0; i < REQUESTS; i++)
		w->request[i] = request_open(w->f);
	for (i = 0; i < STEPS; i++)
		step(w);
	assert_string_equal(invariants_text(w->f->db, w->f->arena), "");
}

static void
play(struct fixture *f, bool places, unsigned count, const char *name, const char *question, const unsigned *shown)
{
	struct arena *keep = f->arena;
	struct approved r, changes;
	struct world *w;
	uint64_t seed;

	approved_begin(&r, keep, question, shown);
	approved_begin(&changes, keep, arena_printf(keep, "Do the changes name every page that %s.txt shows as changed, and no other?", name), shown);
	for (seed = 1; seed <= count; seed++) {
		f->arena = arena_new(512 << 20);
		w = arena_alloc(f->arena, sizeof(*w));
		*w = (struct world){ .f = f, .by = { f->arena, { seed }, 0 }, .number = (unsigned)seed, .places = places, .approved = &r,
			.changes = &changes };
		approved_history(&changes, (unsigned)seed);
		approved_history(&r, (unsigned)seed);
		history(w);
		arena_free(f->arena);
		f->arena = keep;
		json_arena(keep);
	}
	approved_end(&r, arena_printf(keep, "%s.txt", name));
	approved_end(&changes, arena_printf(keep, "%s_changes.txt", name));
}

static void
merges_of_histories_are_as_approved(void **state)
{
	static const unsigned shown[] = { 7, 13, 20, 0 };

	play(*state, false, HISTORIES, "requests", "Which rows do main and the requests have after each write, merge and update? Look for rows "
	    "that nobody wrote, and for what one side alone wrote and the other lost.", shown);
}

static void
places_after_merges_are_as_approved(void **state)
{
	static const unsigned shown[] = { 15, 24, 40, 47, 0 };

	play(*state, true, TREES, "request_trees", "Where does each page stand after each write, merge and update (page=parent/slug@path)? Look for "
	    "pages without their parent, and for two pages at one address.", shown);
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(merges_of_histories_are_as_approved),
		cmocka_unit_test_setup_teardown(places_after_merges_are_as_approved, db_setup, db_teardown) };

	return cmocka_run_group_tests(tests, db_setup, db_teardown);
}
