/*
 * Change requests tested with random histories. A run makes a space of a few pages, then edits its
 * main content and two change requests at random: insert, edit, rename, move, reorder, delete,
 * update, merge; lines of pages are written, deleted and moved. Main often does what conflicts with
 * the requests: it deletes pages that they moved or wrote below, and adds pages below those that
 * they deleted. Pages of main may have their own paths, as imports give them. Invariants after each
 * step:
 *
 *  - the trees of main and of both requests are sound: each page has one parent, without circles,
 *    and a unique path (tree_fault on each page)
 *  - a merge that found conflicts left main unchanged
 *  - after a clean merge main shows what the request changed, and nothing else changed; if main
 *    had not changed, it equals the request
 *  - two requests with one base, merged in either order, end in the same content, or in conflict
 *  - a line that was written is in the result, or in a named conflict, or was deleted by a side
 *    that had seen it
 *  - an update shows everything that main did to the pages of a request, or names it as a conflict
 *  - if main deleted a page that the request moved, all pages below it are there after an update
 *  - every conflict of an updated request is resolved as documented, once for each side, and the
 *    request then merges with that side's text (resolve_fixture.h)
 *  - old revisions read the same as when they were made
 *
 * In the end every invariant of `octavo check` holds.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/arena.h"
#include "store/content.h"
#include "history_fixture.h"
#include "invariant_fixture.h"
#include "base/json.h"
#include "app/people.h"
#include "base/secret.h"
#include "resolve_fixture.h"
#include "seed_fixture.h"
#include "store/space.h"

enum { SEEDS = 80, STEPS = 40 };

/* Number of requests whose conflicts were resolved for main and for the request, in all runs. */
static int resolved[2];
/* Number of pages of main below a page that a request moved and main deleted. */
static int went_along;

/* The text of a whole tree, to compare revisions. */
static void
tree_text(struct world *w, struct buf *b, const struct page *page, int depth)
{
	struct str body;

	for (; page != NULL; page = page->next) {
		assert_true(depth < 50);
		assert_true(blob_get(w->db, w->arena, page->node.body, &body));
		buf_printf(b, "%*s%s %s %s [%.*s]\n", depth, "", page->node.id, page->path,
		    page->node.title, (int)body.n, body.p);
		tree_text(w, b, page->first, depth + 1);
	}
}

static char *
text_of(struct world *w, const struct point *p)
{
	struct buf b;
	size_t n;

	buf_init(&b, w->arena, 1 << 20);
	tree_text(w, &b, page_tree(w->db, w->arena, p, &n), 0);
	return b.p;
}

static void
check_tree(struct world *w, const struct point *p, const char *what)
{
	const char *other, *fault;
	size_t n, i;
	struct node *list = pages(w, p, &n);

	for (i = 0; i < n; i++) {
		fault = tree_fault(w->db, w->arena, NULL, p, &list[i], &other);
		if (fault != NULL)
			fail_msg("%s: page %s: %s", what, list[i].id, fault);
	}
}

static void
remember(struct world *w, int64_t branch)
{
	struct snapshot *s = &w->snapshots[roll(w, SNAPSHOTS)];

	s->point = head(w, branch);
	s->text = text_of(w, &s->point);
}

static void
check_snapshots(struct world *w)
{
	int i;

	for (i = 0; i < SNAPSHOTS; i++)
		if (w->snapshots[i].text != NULL)
			assert_string_equal(text_of(w, &w->snapshots[i].point), w->snapshots[i].text);
}

/* ---- requests ---- */

static void
open_request(struct world *w, int i)
{
	struct point p = head(w, w->main);
	struct revision_info info = { .kind = "edits", .author = w->user, .base_seq = p.seq };
	char *id;

	w->request[i] = branch_create(w->db, w->space, "request", &p);
	revision_add(w->db, w->arena, w->request[i], &info, &id);
}

/* True if the page has the same row at both points. */
static bool
untouched(struct world *w, const struct point *was, const struct point *now, const char *id)
{
	struct node before, after;
	bool there = node_get(w->db, w->arena, was, id, &before);

	return there == node_get(w->db, w->arena, now, id, &after) &&
	    (!there || before.since == after.since);
}

/* True if an update restored main's version unchanged: main may delete it. */
static bool
only_put_back(struct world *w, const struct point *request, const struct node *own)
{
	struct node origin;

	return overlay_origin(w->db, w->arena, request, own, &origin) && str_eq(own->body, origin.body) &&
	    strcmp(own->parent, origin.parent) == 0 && strcmp(own->slug, origin.slug) == 0 &&
	    strcmp(own->title, origin.title) == 0;
}

/* After a clean merge main shows every page that the request wrote, and all others unchanged. */
static void
shows(struct world *w, const struct point *request, const struct point *was, const struct node *own, size_t n)
{
	struct point main = head(w, w->main);
	struct node now, *all;
	size_t i, k, count;

	for (i = 0; i < n; i++) {
		bool there = node_get(w->db, w->arena, &main, own[i].id, &now);
		if (own[i].kind == NODE_GONE && own[i].origin >= 0)
			assert_false(there);
		if (own[i].kind != NODE_GONE)
			assert_true(there || only_put_back(w, request, &own[i]));
	}
	all = pages(w, was, &count);
	for (k = 0; k < count; k++) {
		for (i = 0; i < n && strcmp(own[i].id, all[k].id) != 0; i++)
			;
		if (i == n)
			assert_true(untouched(w, was, &main, all[k].id));
	}
}

/* Each line of x is in y or in the base. */
static void
lines_in(struct str x, struct str y, struct str base)
{
	const char *p = x.p, *end = x.p + x.n, *next;

	for (; p < end; p = next) {
		next = (char *)memchr(p, '\n', (size_t)(end - p)) + 1;
		if (memmem(base.p, base.n, p, (size_t)(next - p)) == NULL &&
		    memmem(y.p, y.n, p, (size_t)(next - p)) == NULL)
			fail_msg("a line was lost: %.*s", (int)(next - p - 1), p);
	}
}

static void
nothing_lost(struct world *w, const struct point *request, const struct point *was,
    const struct node *own, size_t n)
{
	struct point main = head(w, w->main);
	struct node base, theirs, now;
	struct str b, t, o, m;
	size_t i;

	for (i = 0; i < n; i++) {
		if (own[i].kind == NODE_GONE || !node_get(w->db, w->arena, &main, own[i].id, &now))
			continue;
		b = t = (struct str){ "", 0 };
		if (overlay_origin(w->db, w->arena, request, &own[i], &base))
			blob_get(w->db, w->arena, base.body, &b);
		if (node_get(w->db, w->arena, was, own[i].id, &theirs))
			blob_get(w->db, w->arena, theirs.body, &t);
		blob_get(w->db, w->arena, own[i].body, &o);
		blob_get(w->db, w->arena, now.body, &m);
		lines_in(o, m, b);
		lines_in(t, m, b);
	}
}

/*
 * The request's content after an update. A page that an earlier update restored takes main's
 * position only with the next update, after an edit has made room for it; a merge does that at
 * once.
 */
static char *
text_of_updated(struct world *w, const struct point *request)
{
	struct merge_outcome out;
	struct point now;
	char *text;

	db_mark(w->db);
	request_update(w->db, w->arena, request, w->user, &out);
	now = head(w, request->branch);
	text = text_of(w, &now);
	db_undo(w->db);
	return text;
}

static void
merge(struct world *w, int i)
{
	struct point request = head(w, w->request[i]), was = head(w, w->main);
	char *before = text_of(w, &was);
	struct merge_outcome out;
	struct node *own;
	struct point now;
	size_t n;

	char *wanted = request.base_seq == was.seq ? text_of_updated(w, &request) : NULL;

	own = overlay_rows(w->db, w->arena, w->request[i], &n);
	request_merge(w->db, w->arena, &request, w->user, NULL, &out);
	now = head(w, w->main);
	if (out.clashes != NULL) {
		assert_string_equal(text_of(w, &now), before);
		assert_int_equal(now.seq, was.seq);
		return;
	}
	assert_true(n == 0 || now.seq == was.seq + 1);
	/* If main had not changed, the result equals the request. */
	if (wanted != NULL)
		assert_string_equal(text_of(w, &now), wanted);
	if (n == 0)
		assert_string_equal(text_of(w, &now), before);
	shows(w, &request, &was, own, n);
	nothing_lost(w, &request, &was, own, n);
	open_request(w, i);
}

/*
 * Main's text after both requests are merged in this order, which is then rolled back; NULL: one
 * has a conflict, *why.
 */
static char *
both(struct world *w, int first, const struct clash **why)
{
	struct point p;
	struct merge_outcome out;
	char *text = NULL;
	int k;

	db_mark(w->db);
	for (k = 0; k < 2; k++) {
		p = head(w, w->request[k == 0 ? first : 1 - first]);
		request_merge(w->db, w->arena, &p, w->user, NULL, &out);
		if ((*why = out.clashes) != NULL)
			break;
	}
	p = head(w, w->main);
	if (k == 2)
		text = text_of(w, &p);
	db_undo(w->db);
	return text;
}

/* Updates both requests first, so that both edit the same base. */
static void
either_order(struct world *w)
{
	const struct clash *x, *y, *c;
	struct merge_outcome out[2];
	char *one, *other;
	struct point p;
	int k;

	db_mark(w->db);
	for (k = 0; k < 2; k++) {
		p = head(w, w->request[k]);
		request_update(w->db, w->arena, &p, w->user, &out[k]);
	}
	if (out[0].clashes == NULL && out[1].clashes == NULL) {
		one = both(w, 0, &x);
		other = both(w, 1, &y);
		c = one == NULL ? x : y;
		if ((one == NULL) != (other == NULL))
			fail_msg("in conflict only if %d comes first: %s (%s)", one != NULL, c->page, c->kind);
		if (one != NULL)
			assert_string_equal(one, other);
	}
	db_undo(w->db);
}

/* True if a conflict of the page contains the line, or concerns the whole page. */
static bool
named(const struct clash *c, const char *page, const char *line, size_t n)
{
	for (; c != NULL; c = c->next)
		if (strcmp(c->page, page) == 0 && (strcmp(c->kind, "deleted") == 0 ||
		    strcmp(c->kind, "added") == 0 || (strcmp(c->kind, "text") == 0 &&
		    memmem(c->theirs, strlen(c->theirs), line, n) != NULL)))
			return true;
	return false;
}

static void
shown_or_named(const struct clash *c, const char *page, struct str theirs, struct str now,
    struct str base)
{
	const char *p = theirs.p, *end = theirs.p + theirs.n, *next;

	for (; p < end; p = next) {
		next = (char *)memchr(p, '\n', (size_t)(end - p)) + 1;
		if (memmem(base.p, base.n, p, (size_t)(next - p)) == NULL &&
		    memmem(now.p, now.n, p, (size_t)(next - p)) == NULL &&
		    !named(c, page, p, (size_t)(next - p)))
			fail_msg("an update neither shows nor names: %.*s", (int)(next - p - 1), p);
	}
}

/* own: the rows before the update, compared with their origins. */
static void
nothing_hidden(struct world *w, const struct point *request, const struct node *own, size_t n,
    const struct clash *clashes)
{
	struct point main = head(w, w->main), now = head(w, request->branch);
	struct node base, theirs, is;
	struct str b, t, m;
	size_t i;

	for (i = 0; i < n; i++) {
		if (!overlay_origin(w->db, w->arena, request, &own[i], &base) ||
		    !node_get(w->db, w->arena, &main, own[i].id, &theirs) ||
		    !node_get(w->db, w->arena, &now, own[i].id, &is))
			continue;
		blob_get(w->db, w->arena, base.body, &b);
		blob_get(w->db, w->arena, theirs.body, &t);
		blob_get(w->db, w->arena, is.body, &m);
		shown_or_named(clashes, own[i].id, t, m, b);
		if (strcmp(theirs.title, base.title) != 0 && strcmp(theirs.title, is.title) != 0 &&
		    strcmp(own[i].title, base.title) == 0 && !named(clashes, own[i].id, "", 0))
			fail_msg("an update hides a title: %s", theirs.title);
	}
}

/* The request still has all pages that were below the page; counts those that main deleted. */
static void
all_below(struct world *w, const struct point *was, const struct point *now, const char *id)
{
	struct point main = head(w, w->main);
	size_t count, i;
	struct node *list = node_children(w->db, w->arena, was, id, &count), n;

	for (i = 0; i < count; i++) {
		if (!node_get(w->db, w->arena, now, list[i].id, &n))
			fail_msg("an update drops %s below %s", list[i].id, id);
		went_along += list[i].branch == w->main && !node_get(w->db, w->arena, &main, list[i].id, &n);
		all_below(w, was, now, list[i].id);
	}
}

/* own: the rows before the update. If main deleted a page that the request moved, no page below it is lost. */
static void
goes_along(struct world *w, const struct point *request, const struct point *now, const struct node *own, size_t n)
{
	struct point main = head(w, w->main);
	struct node base, theirs;
	size_t i;

	for (i = 0; i < n; i++)
		if (own[i].kind != NODE_GONE && overlay_origin(w->db, w->arena, request, &own[i], &base) &&
		    strcmp(own[i].parent, base.parent) != 0 &&
		    !node_get(w->db, w->arena, &main, own[i].id, &theirs))
			all_below(w, request, now, own[i].id);
}

static void
update(struct world *w, int i)
{
	struct point request = head(w, w->request[i]), now;
	struct merge_outcome out;
	struct node *rows;
	size_t count;

	rows = overlay_rows(w->db, w->arena, w->request[i], &count);
	request_update(w->db, w->arena, &request, w->user, &out);
	nothing_hidden(w, &request, rows, count, out.clashes);
	now = head(w, w->request[i]);
	goes_along(w, &request, &now, rows, count);
	assert_int_equal(now.base_seq, head(w, w->main).seq);
	check_tree(w, &now, "updated request");
	/* Without conflicts it can be merged, and main then equals the request. */
	if (out.clashes == NULL) {
		char *text = text_of(w, &now);
		struct merge_outcome m;
		struct point main;
		request_merge(w->db, w->arena, &now, w->user, NULL, &m);
		if (getenv("OCTAVO_TRACE") != NULL) {
			size_t k, n;
			struct node *own = overlay_rows(w->db, w->arena, now.branch, &n);
			printf("updated:\n%s", text);
			for (k = 0; k < n; k++)
				printf("own %s kind %s since %d origin %d parent %s slug %s\n", own[k].id,
				    node_kind_name(own[k].kind), (int)own[k].since, (int)own[k].origin,
				    own[k].parent, own[k].slug);
		}
		if (m.clashes != NULL)
			fail_msg("updated and yet in conflict: %s (%s)", m.clashes->page, m.clashes->kind);
		main = head(w, w->main);
		assert_string_equal(text_of(w, &main), text);
		open_request(w, i);
	}
}

/* Resolves every conflict as documented, in favour of one side; then the request can be merged. */
static void
resolve_for(struct world *w, int i, bool ours)
{
	struct resolver_run r = { .db = w->db, .arena = w->arena, .user = w->user, .dir = w->dir,
		.request = w->request[i], .ours = ours, .batch = "" };

	if (resolve_conflicts(&r) == 0)
		return;
	resolved[r.ours]++;
	merge(w, i);
	/* The merge opened another request in its place. */
	assert_true(w->request[i] != r.request);
}

/* As documented: update, then resolve. Done for each side from the same state; the second result is kept. */
static void
resolve_all(struct world *w, int i)
{
	bool ours = roll(w, 2);
	int64_t request;

	update(w, i);
	request = w->request[i];
	db_mark(w->db);
	resolve_for(w, i, ours);
	db_undo(w->db);
	w->request[i] = request;
	resolve_for(w, i, !ours);
}

/* ---- the run ---- */

static void
world_open(struct world *w, unsigned seed)
{
	struct space_new s = { .title = "S" };
	struct org_new o = { .title = "Org" };
	const char *error;
	int i;

	memset(w, 0, sizeof(*w));
	w->rng = seed * 2654435761u + 1;
	w->arena = arena_new((size_t)1 << 30);
	json_arena(w->arena);
	temp_dir(w->dir);
	w->db = db_open(w->arena, arena_printf(w->arena, "%s/o.db", w->dir), DB_CREATE,
	    &(struct db_options){ .relaxed = true }, &error);
	assert_non_null(w->db);
	db_begin(w->db, true);
	w->user = user_make(w->db, w->arena, "a@example.com", "A");
	s.org = org_make(w->db, w->arena, &o);
	member_set(w->db, s.org, w->user, 6);
	w->space = space_make(w->db, w->arena, &s, &w->main);
	for (i = 0; i < 4; i++)
		edit(w, w->main);
	for (i = 0; i < REQUESTS; i++)
		open_request(w, i);
}

static void
world_close(struct world *w)
{
	static const char *const files[] = { "o.db", "o.db-wal", "o.db-shm" };
	size_t i;

	db_rollback(w->db);
	db_close(w->db);
	for (i = 0; i < 3; i++)
		unlink(arena_printf(w->arena, "%s/%s", w->dir, files[i]));
	rmdir(w->dir);
	arena_free(w->arena);
}

static void
step(struct world *w)
{
	int i = (int)roll(w, REQUESTS);
	unsigned what = roll(w, 9);
	struct point p;

	if (getenv("OCTAVO_TRACE") != NULL)
		printf("\nstep %u on request %d\nmain:\n%srequest:\n%s", what, i,
		    text_of(w, &(struct point){ .space = w->space, .branch = w->main,
		        .seq = head(w, w->main).seq }), text_of(w, &(struct point){
		        .space = w->space, .branch = w->request[i],
		        .seq = head(w, w->request[i]).seq, .base = w->main,
		        .base_seq = head(w, w->request[i]).base_seq }));
	switch (what) {
	case 0:
	case 1:  edit(w, w->main); break;
	case 2:  merge(w, i); break;
	case 3:  update(w, i); break;
	case 4:  resolve_all(w, i); break;
	case 5:  either_order(w); break;
	default: edit(w, w->request[i]);
	}
	p = head(w, w->main);
	check_tree(w, &p, "main");
	for (i = 0; i < REQUESTS; i++) {
		p = head(w, w->request[i]);
		check_tree(w, &p, "request");
	}
	remember(w, roll(w, 2) ? w->main : w->request[roll(w, REQUESTS)]);
}

/* A row of main with an origin would be taken for a request's copy of that origin. */
SQL(q_main_origins, "SELECT count(*) FROM node n JOIN space s ON s.branch = n.branch WHERE n.origin IS NOT NULL /*scan*/");

static void
merges_of_random_histories_follow_the_model(void **state)
{
	uint64_t seed, first, end = seeds(SEEDS, &first);
	struct world w;
	int k;

	(void)state;
	for (seed = first; seed < end; seed++) {
		world_open(&w, (unsigned)seed);
		printf("OCTAVO_SEED=%u\r", (unsigned)seed);
		for (k = 0; k < STEPS; k++)
			step(&w);
		check_snapshots(&w);
		assert_string_equal(invariants_text(w.db, w.arena), "");
		assert_int_equal(stmt_int(db_use(w.db, &q_main_origins), -1), 0);
		world_close(&w);
	}
	printf("resolved for main: %d, for the request: %d; moved and deleted: %d\n", resolved[0], resolved[1], went_along);
	assert_true(end - first < SEEDS || (resolved[0] > SEEDS / 2 && resolved[1] > SEEDS / 2 && went_along > 0));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(merges_of_random_histories_follow_the_model),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
