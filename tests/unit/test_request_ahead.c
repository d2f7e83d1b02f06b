/*
 * Merges and updates prepared before the transaction that publishes them (request_ahead() in
 * merge/request.h): the result equals that of a single transaction, whatever others write in
 * between and wherever the process dies; and the publishing transaction is short.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app/people.h"
#include "base/json.h"
#include "base/secret.h"
#include "history_fixture.h"
#include "invariant_fixture.h"
#include "jobs/purge.h"
#include "merge/upstream.h"
#include "search/search.h"
#include "seed_fixture.h"
#include "store/overlay.h"
#include "store/space.h"
#include "store/stage.h"

/* LINKED: so many pages that their links are written to a separate edition (LINKS_INLINE). */
enum { SEEDS = 25, STEPS = 30, MANY = 60, LINKED = 310 };

SQL(q_prepared,
    "SELECT (SELECT count(*) FROM branch WHERE staged IS NOT NULL) + (SELECT count(*) FROM search_place WHERE turn IS NOT NULL) "
    "+ (SELECT count(*) FROM link_edition WHERE shown = 0) /*scan*/");
SQL(q_rows, "SELECT count(*) FROM node /*scan*/");
SQL(q_later, "UPDATE branch SET staged_until = staged_until - 20000 WHERE staged IS NOT NULL");
SQL(q_editions, "SELECT count(*) FROM link_edition /*scan*/");
SQL(q_run, "UPDATE job SET state = 'running' WHERE kind = 'index'");

/* ---- helpers ---- */

static void
open_request(struct world *w, int i)
{
	struct point p = head(w, w->main);
	struct revision_info info = { .kind = "edits", .author = w->user, .base_seq = p.seq };
	char *id;

	w->request[i] = branch_create(w->db, w->space, "request", &p);
	revision_add(w->db, w->arena, w->request[i], &info, &id);
}

/* Leaves a write transaction open, which most tests continue. */
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
	w->db = db_open(w->arena, arena_printf(w->arena, "%s/octavo.db", w->dir), DB_CREATE,
	    &(struct db_options){ .relaxed = true }, &error);
	assert_non_null(w->db);
	db_begin(w->db, true);
	w->user = user_make(w->db, w->arena, "a@example.com", "A");
	s.org = org_make(w->db, w->arena, &o);
	member_set(w->db, s.org, w->user, 6);
	w->space = space_make(w->db, w->arena, &s, &w->main);
	for (i = 0; i < REQUESTS; i++)
		open_request(w, i);
}

static void
world_close(struct world *w)
{
	db_rollback(w->db);
	assert_string_equal(invariants_text(w->db, w->arena), "");
	db_close(w->db);
	json_arena(NULL);
	arena_free(w->arena);
}

/* ---- the result as text ---- */

static void
node_text(struct buf *b, struct world *w, const struct node *n)
{
	buf_printf(b, "%s %s %s %s %s %s %s %s %s %s\n", n->id, node_kind_name(n->kind), n->parent, n->ord, n->slug,
	    n->path != NULL ? n->path : "-", n->title, n->props, hex(w->arena, n->body), hex(w->arena, n->refs));
}

static int
by_id(const void *x, const void *y)
{
	return strcmp(((const struct node *)x)->id, ((const struct node *)y)->id);
}

/* Everything visible at the point, the request's own rows with their kind of origin, and the conflicts. */
static char *
text_of(struct world *w, const struct point *p, const struct merge_outcome *out)
{
	const struct clash *c;
	struct node *list, n0;
	struct point main;
	struct buf b;
	size_t n, i;

	buf_init(&b, w->arena, 8 << 20);
	list = node_list(w->db, w->arena, p, NODE_PAGES | NODE_SETTING | NODE_FILE, &n);
	qsort(list, n, sizeof(*list), by_id);
	for (i = 0; i < n; i++)
		node_text(&b, w, &list[i]);
	list = p->base == 0 ? NULL : overlay_rows(w->db, w->arena, p->branch, &n);
	for (i = 0; list != NULL && i < n; i++) {
		/*
		 * Sequence numbers differ between runs, so write only: no origin, main's current
		 * version, or an older one.
		 */
		main = overlay_base(p);
		buf_printf(&b, "own %d ", list[i].origin < 0 ? -1 :
		    node_get(w->db, w->arena, &main, list[i].id, &n0) && n0.since == list[i].origin);
		node_text(&b, w, &list[i]);
	}
	for (c = out->clashes; c != NULL; c = c->next)
		buf_printf(&b, "%s %s %s: %s %s %s %s\n", c->kind, c->page, c->title, c->base != NULL ? c->base : "-",
		    c->ours != NULL ? c->ours : "-", c->theirs != NULL ? c->theirs : "-", c->other != NULL ? c->other : "-");
	buf_printf(&b, "%s\n", out->changed ? "changed" : "as it was");
	return b.p;
}

/* The result of a single transaction, which is rolled back. */
static char *
inside(struct world *w, int64_t request, bool update)
{
	struct point p, now;
	struct merge_outcome out;
	char *text;

	db_begin(w->db, true);
	p = head(w, request);
	if (update)
		request_update(w->db, w->arena, &p, w->user, &out);
	else
		request_merge(w->db, w->arena, &p, w->user, NULL, &out);
	now = head(w, update ? request : w->main);
	text = text_of(w, &now, &out);
	db_rollback(w->db);
	return text;
}

static bool
turn(struct world *w, struct request_ahead *x, struct merge_outcome *out)
{
	bool turned;

	db_begin(w->db, true);
	turned = request_publish(w->db, x, out);
	if (turned)
		db_commit(w->db);
	db_rollback(w->db);
	if (turned)
		request_ahead_clean_up(w->db, x);
	return turned;
}

/* Prepares and publishes. */
static struct merge_outcome
ahead(struct world *w, int64_t request, bool update)
{
	struct request_ahead *x = request_ahead_new(w->arena, request, "scope", w->user, update);
	struct merge_outcome out;

	assert_true(request_ahead(w->db, x));
	assert_true(turn(w, x, &out));
	assert_int_equal(stmt_int(db_use(w->db, &q_prepared), -1), 0);
	return out;
}

static void
both_ways(struct world *w, int i, bool update, int *merged, int *clashed)
{
	struct merge_outcome out;
	struct point now;
	char *wanted;

	db_commit(w->db);
	wanted = inside(w, w->request[i], update);
	out = ahead(w, w->request[i], update);
	now = head(w, update ? w->request[i] : w->main);
	assert_string_equal(text_of(w, &now, &out), wanted);
	*clashed += out.clashes != NULL;
	*merged += out.changed;
	db_begin(w->db, true);
	if (!update && out.clashes == NULL)
		open_request(w, i);
}

static void
ahead_is_as_in_one_transaction(void **state)
{
	int merged[2] = { 0 }, clashed[2] = { 0 }, k, i;
	uint64_t seed, first, end = seeds(SEEDS, &first);
	struct world w;

	(void)state;
	for (seed = first; seed < end; seed++) {
		world_open(&w, (unsigned)seed);
		printf("OCTAVO_SEED=%u\r", (unsigned)seed);
		for (k = 0; k < STEPS; k++) {
			i = (int)roll(&w, REQUESTS);
			switch (roll(&w, 8)) {
			case 0:
			case 1:
			case 2:  edit(&w, w.main); break;
			case 3:  both_ways(&w, i, false, &merged[0], &clashed[0]); break;
			case 4:  both_ways(&w, i, true, &merged[1], &clashed[1]); break;
			default: edit(&w, w.request[i]);
			}
		}
		world_close(&w);
	}
	printf("merges: %d, with conflicts: %d; updates: %d, with conflicts: %d\n", merged[0], clashed[0], merged[1], clashed[1]);
	assert_true(end - first < SEEDS || (merged[0] > SEEDS && clashed[0] > SEEDS / 2 && merged[1] > SEEDS && clashed[1] > SEEDS / 2));
}

/* ---- many pages ---- */

static void
write_pages(struct world *w, int64_t branch, const char *text, int from, int to)
{
	struct point before = head(w, branch), now;
	struct revision_info info = { .kind = "edits", .author = w->user, .base_seq = before.base_seq };
	struct node n;
	char *id;
	int i;

	revision_add(w->db, w->arena, branch, &info, &id);
	now = head(w, branch);
	for (i = from; i < to; i++) {
		n = (struct node){ .id = arena_printf(w->arena, "page%d", i), .kind = NODE_DOCUMENT, .parent = "",
			.title = "t", .props = "{}", .at = 1, .made = 1, .origin = -1 };
		n.slug = n.id;
		n.ord = arena_printf(w->arena, "%04d1", i);
		n.body = blob_put(w->db, w->arena, str_of(arena_printf(w->arena, "Heron %d.\n\n%s.\n", i, text)));
		put(w, &before, now.seq, &n);
	}
	if (branch == w->main)
		propagate_revision(w->db, w->arena, w->space, branch, now.seq);
}

/* Main has MANY pages, all of which the first request edits; no transaction is open. */
static void
many_open(struct world *w)
{
	world_open(w, 1);
	write_pages(w, w->main, "First", 0, MANY);
	open_request(w, 0);
	open_request(w, 1);
	write_pages(w, w->request[0], "Second", 0, MANY);
	db_commit(w->db);
}

static void
expect_merged(struct world *w, int pages)
{
	struct search_found found;
	struct search_in in;
	struct point p = head(w, w->main);
	struct node n;
	struct str body;

	assert_true(node_get(w->db, w->arena, &p, "page7", &n));
	assert_true(blob_get(w->db, w->arena, n.body, &body));
	assert_non_null(memmem(body.p, body.n, "Second", 6));
	db_begin(w->db, false);
	assert_true(search_find(w->db, w->arena, w->space, &in));
	search(w->db, w->arena, STR("second"), &in, 1, 5, NULL, &found);
	assert_int_equal(found.count, pages);
	db_rollback(w->db);
	assert_string_equal(invariants_text(w->db, w->arena), "");
}

/* The publishing transaction writes a handful of rows, however many pages there are; those before it are short. */
static void
little_is_left_for_the_lock(void **state)
{
	struct request_ahead *x;
	struct merge_outcome out;
	struct world w;
	struct point p;
	int64_t before;

	(void)state;
	many_open(&w);
	p = head(&w, w.request[0]);
	assert_true(request_is_long(w.db, w.arena, &p, false));
	p = head(&w, w.request[1]);
	assert_false(request_is_long(w.db, w.arena, &p, false));
	x = request_ahead_new(w.arena, w.request[0], "scope", w.user, false);
	assert_true(request_ahead(w.db, x));
	before = db_changes(w.db);
	assert_true(turn(&w, x, &out));
	assert_true(out.changed);
	/* The clean-up afterwards is not part of it. */
	db_begin(w.db, true);
	db_rollback(w.db);
	expect_merged(&w, MANY);
	assert_true(before > MANY);
	world_close(&w);

	many_open(&w);
	x = request_ahead_new(w.arena, w.request[0], "scope", w.user, false);
	assert_true(request_ahead(w.db, x));
	before = db_changes(w.db);
	db_begin(w.db, true);
	assert_true(request_publish(w.db, x, &out));
	assert_in_range(db_changes(w.db) - before, 3, 20);
	db_commit(w.db);
	request_ahead_clean_up(w.db, x);
	world_close(&w);
}

/* Any number of conflicts is found without writing a row, and therefore without the lock. */
static void
conflicts_write_nothing(void **state)
{
	struct request_ahead *x;
	struct merge_outcome out;
	struct world w;
	int64_t before;

	(void)state;
	many_open(&w);
	db_begin(w.db, true);
	write_pages(&w, w.main, "Third", 0, MANY);
	db_commit(w.db);
	x = request_ahead_new(w.arena, w.request[0], "scope", w.user, false);
	before = db_changes(w.db);
	assert_true(request_ahead(w.db, x));
	assert_true(turn(&w, x, &out));
	assert_non_null(out.clashes);
	assert_false(out.changed);
	assert_int_equal(db_changes(w.db), before);
	world_close(&w);
}

/* Writes of others in between are not overwritten: the merge is decided again for the new state. */
static void
who_writes_meanwhile_is_not_overtaken(void **state)
{
	struct request_ahead *x;
	struct merge_outcome out;
	struct world w;

	(void)state;
	many_open(&w);
	x = request_ahead_new(w.arena, w.request[0], "scope", w.user, false);
	assert_true(request_ahead(w.db, x));
	/* A write to the request, and then to main, each of which is a new page. */
	db_begin(w.db, true);
	write_pages(&w, w.request[0], "Second", MANY, MANY + 1);
	db_commit(w.db);
	assert_false(turn(&w, x, &out));
	assert_true(request_ahead(w.db, x));
	db_begin(w.db, true);
	write_pages(&w, w.main, "Second", MANY + 1, MANY + 2);
	db_commit(w.db);
	assert_false(turn(&w, x, &out));
	/* A write that now conflicts is reported. */
	assert_true(request_ahead(w.db, x));
	db_begin(w.db, true);
	write_pages(&w, w.main, "Third", 3, 4);
	db_commit(w.db);
	assert_false(turn(&w, x, &out));
	assert_true(request_ahead(w.db, x));
	assert_true(turn(&w, x, &out));
	assert_non_null(out.clashes);
	assert_string_equal(out.clashes->page, "page3");
	assert_null(out.clashes->next);
	assert_int_equal(stmt_int(db_use(w.db, &q_prepared), -1), 0);
	/* Main's page gets its old title back, so the conflict is resolved for the request. */
	db_begin(w.db, true);
	write_pages(&w, w.main, "First", 3, 4);
	db_commit(w.db);
	out = ahead(&w, w.request[0], true);
	assert_null(out.clashes);
	out = ahead(&w, w.request[0], false);
	assert_null(out.clashes);
	expect_merged(&w, MANY + 2);
	world_close(&w);
}

/* ---- death ---- */

struct death {
	jmp_buf at;
	int     left, count;
};

static void
count_down(void *ctx)
{
	struct death *d = ctx;

	d->count++;
	if (d->left > 0 && --d->left == 0)
		longjmp(d->at, 1);
}

/* False: the process "died" before the end. */
static bool
ahead_until(struct world *w, struct death *d, bool update)
{
	d->count = 0;
	db_watch(w->db, 0, count_down, d);
	if (setjmp(d->at) != 0) {
		db_watch(w->db, DB_STEP_REQUEST_MS * 1000, NULL, NULL);
		return false;
	}
	ahead(w, w->request[0], update);
	db_watch(w->db, DB_STEP_REQUEST_MS * 1000, NULL, NULL);
	return true;
}

/* Lets the reservations expire. */
static void
lapse(struct world *w)
{
	db_begin(w->db, true);
	stmt_run(db_use(w->db, &q_later));
	db_commit(w->db);
}

/*
 * After a kill at any step nothing is visible. Later another process completes the merge, or a
 * sweep deletes its rows.
 */
static void
a_kill_anywhere_leaves_nothing_that_is_seen(void **state)
{
	struct death d = { .left = 0 };
	const char *was;
	struct merge_outcome none = { NULL };
	struct point p;
	struct world w;
	int64_t rows;
	int n, steps;

	(void)state;
	many_open(&w);
	assert_true(ahead_until(&w, &d, false));
	/* In this test each row is a step. */
	assert_true((steps = d.count) > MANY);
	world_close(&w);
	for (n = 1; n < steps; n += n < 4 || n > steps - 8 ? 1 : 31) {
		many_open(&w);
		p = head(&w, w.main);
		was = text_of(&w, &p, &none);
		rows = stmt_int(db_use(w.db, &q_rows), -1);
		d.left = n;
		assert_false(ahead_until(&w, &d, false));
		p = head(&w, w.main);
		if (stage_left(w.db, w.space) == 0 && stmt_int(db_use(w.db, &q_prepared), -1) == 0)
			lapse(&w);
		assert_string_equal(invariants_text(w.db, w.arena), "");
		if (n % 2 == 0) {
			lapse(&w);
			/* It may have died after the publishing transaction. */
			if (strcmp(text_of(&w, &p, &none), was) == 0) {
				ahead(&w, w.request[0], false);
			} else {
				upstream_sweep(w.db, w.arena, w.space);
			}
			expect_merged(&w, MANY);
		} else if (strcmp(text_of(&w, &p, &none), was) == 0) {
			lapse(&w);
			upstream_sweep(w.db, w.arena, w.space);
			assert_int_equal(stmt_int(db_use(w.db, &q_rows), -1), rows);
		}
		world_close(&w);
	}
}

/* A process delayed for so long that its reservation expired and another took the branch cannot publish. */
static void
who_was_held_up_has_lost_it(void **state)
{
	struct request_ahead *one, *other;
	struct merge_outcome out;
	struct world w;

	(void)state;
	many_open(&w);
	one = request_ahead_new(w.arena, w.request[0], "scope", w.user, false);
	other = request_ahead_new(w.arena, w.request[0], "scope", w.user, false);
	assert_true(request_ahead(w.db, one));
	/* Until it expires, no other process gets the branch, and a sweep does not touch it. */
	upstream_sweep(w.db, w.arena, w.space);
	lapse(&w);
	assert_true(request_ahead(w.db, other));
	assert_false(turn(&w, one, &out));
	request_ahead_leave(one);
	assert_true(turn(&w, other, &out));
	expect_merged(&w, MANY);
	world_close(&w);
}

/* Of two merges of a space, the first cleans up while the second is prepared: that one's links are not deleted. */
static void
a_merge_that_tidies_leaves_the_next_one_alone(void **state)
{
	struct request_ahead *one, *other;
	struct merge_outcome out;
	struct world w;

	(void)state;
	world_open(&w, 1);
	write_pages(&w, w.main, "First", 0, LINKED);
	open_request(&w, 0);
	open_request(&w, 1);
	write_pages(&w, w.request[0], "Second", 0, LINKED);
	write_pages(&w, w.request[1], "Third", LINKED, 2 * LINKED);
	db_commit(w.db);
	one = request_ahead_new(w.arena, w.request[0], "scope", w.user, false);
	other = request_ahead_new(w.arena, w.request[1], "scope", w.user, false);
	assert_true(request_ahead(w.db, one));
	db_begin(w.db, true);
	assert_true(request_publish(w.db, one, &out));
	db_commit(w.db);
	assert_true(request_ahead(w.db, other));
	assert_true(stmt_int(db_use(w.db, &q_editions), 0) > 1);
	request_ahead_clean_up(w.db, one);
	assert_true(turn(&w, other, &out));
	assert_int_equal(stmt_int(db_use(w.db, &q_editions), 0), 1);
	assert_int_equal(stmt_int(db_use(w.db, &q_prepared), -1), 0);
	assert_string_equal(invariants_text(w.db, w.arena), "");
	world_close(&w);
}

/* An expired reservation no longer counts, even if no other process has taken the branch. */
static void
a_lapsed_branch_is_not_owned(void **state)
{
	struct world w;
	struct stage s;

	(void)state;
	many_open(&w);
	stage_init(&s, w.db, w.arena, w.main);
	assert_true(stage_take(&s));
	db_begin(w.db, true);
	assert_true(stage_owned(&s) && stage_hold(&s));
	stmt_run(db_use(w.db, &q_later));
	s.until -= 20000;
	assert_false(stage_owned(&s) || stage_hold(&s));
	db_commit(w.db);
	world_close(&w);
}

/* Jobs of a space and its requests prepare one after the other. */
static void
jobs_and_requests_take_turns(void **state)
{
	struct request_ahead *x;
	struct merge_outcome out;
	struct world w;

	(void)state;
	many_open(&w);
	db_begin(w.db, true);
	search_queue(w.db, w.arena, w.space);
	stmt_run(db_use(w.db, &q_run));
	db_commit(w.db);
	x = request_ahead_new(w.arena, w.request[0], "scope", w.user, false);
	assert_false(request_ahead(w.db, x));
	assert_int_equal(stmt_int(db_use(w.db, &q_prepared), -1), 0);
	job_recover(w.db);
	assert_true(request_ahead(w.db, x));
	assert_false(job_due(w.db));
	assert_true(turn(&w, x, &out));
	assert_true(job_due(w.db));
	expect_merged(&w, MANY);
	world_close(&w);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ahead_is_as_in_one_transaction),
		cmocka_unit_test(little_is_left_for_the_lock),
		cmocka_unit_test(conflicts_write_nothing),
		cmocka_unit_test(who_writes_meanwhile_is_not_overtaken),
		cmocka_unit_test(a_kill_anywhere_leaves_nothing_that_is_seen),
		cmocka_unit_test(who_was_held_up_has_lost_it),
		cmocka_unit_test(a_merge_that_tidies_leaves_the_next_one_alone),
		cmocka_unit_test(a_lapsed_branch_is_not_owned),
		cmocka_unit_test(jobs_and_requests_take_turns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
