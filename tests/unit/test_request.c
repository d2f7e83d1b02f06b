/*
 * Change requests against random histories. A run makes a space of a few pages,
 * then does random things to its main content and to two change requests:
 * insert, edit, rename, move, put among siblings, delete, update, merge. Pages of
 * main may have paths of their own, as imports give them. After each step:
 *
 *  - the trees of main and of both requests are whole: each page has one parent, on
 *    a way that ends, and an address to itself (tree_fault on each page)
 *  - a merge that answered conflicts left main as it was
 *  - a merge that was clean shows in main what the request changed, and nothing
 *    else changed; where main stood still, main is what the request was
 *  - two requests of one base, merged in either order, end in the same content, or
 *    in conflict
 *  - a line that somebody wrote is in the result, or in a named conflict, or was
 *    removed by somebody who had seen it
 *  - an update shows all that main did to the pages of a request, or names it
 *  - every conflict is resolved as documented, for either side, and the request then
 *    merges, with what that side wrote (resolve_fixture.h)
 *  - old revisions read as they did when they were made
 *
 * And in the end every invariant of `octavo check` holds.
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

#include "../temp_dir.h"
#include "base/arena.h"
#include "store/content.h"
#include "invariant_fixture.h"
#include "base/json.h"
#include "store/order.h"
#include "app/people.h"
#include "merge/request.h"
#include "base/secret.h"
#include "resolve_fixture.h"
#include "seed_fixture.h"
#include "store/space.h"

enum { SEEDS = 80, STEPS = 40, REQUESTS = 2, SNAPSHOTS = 12 };

struct snapshot {
	struct point point;
	char        *text;
};

struct world {
	struct db       *db;
	struct arena    *arena;
	char             dir[TEMP_MAX];
	const char      *space, *user;
	int64_t          main;
	int64_t          request[REQUESTS];
	unsigned         rng;
	int              pages;         /* ids that were given out: the same for a seed */
	int              line;          /* every line that is written is unique */
	struct snapshot  snapshots[SNAPSHOTS];
	int              snapshot_count;
};

/* Requests in conflict that were resolved for main and for themselves, in all runs. */
static int resolved[2];

static unsigned
roll(struct world *w, unsigned n)
{
	w->rng = w->rng * 1664525u + 1013904223u;
	return (w->rng >> 8) % n;
}

static struct point
head(struct world *w, int64_t branch)
{
	struct point p;

	assert_true(point_head(w->db, w->arena, branch, &p));
	return p;
}

static struct node *
pages(struct world *w, const struct point *p, size_t *n)
{
	return node_list(w->db, w->arena, p, NODE_PAGES, n);
}

static bool
any_page(struct world *w, const struct point *p, struct node *out)
{
	size_t n;
	struct node *list = pages(w, p, &n);

	if (n == 0)
		return false;
	*out = list[roll(w, (unsigned)n)];
	out->front = node_front(w->db, w->arena, out);
	return true;
}

/* The text of a whole tree, for comparing revisions. */
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

/* ---- random edits ---- */

static char *
new_lines(struct world *w, const char *old)
{
	struct buf b;
	const char *p = old, *end;

	buf_init(&b, w->arena, 1 << 16);
	for (; *p != '\0'; p = end) {
		end = strchr(p, '\n') + 1;
		if (roll(w, 6) == 0)
			buf_printf(&b, "line %d\n", ++w->line);
		if (roll(w, 8) != 0)
			buf_add(&b, p, (size_t)(end - p));
	}
	if (b.n == 0 || roll(w, 3) == 0)
		buf_printf(&b, "line %d\n", ++w->line);
	return b.p;
}

static void
set_body(struct world *w, struct node *n)
{
	struct str old;

	assert_true(blob_get(w->db, w->arena, n->body, &old));
	n->body = blob_put(w->db, w->arena, str_of(new_lines(w, arena_strndup(w->arena, old.p, old.n))));
}

static bool
below(struct world *w, const struct point *p, const char *id, const char *top)
{
	struct node n;
	int depth;

	for (depth = 0; *id != '\0' && depth < 100; depth++) {
		if (strcmp(id, top) == 0)
			return true;
		if (!node_get(w->db, w->arena, p, id, &n))
			return false;
		id = n.parent;
	}
	return false;
}

static void
put(struct world *w, const struct point *before, int64_t seq, struct node *n)
{
	if (before->base == 0) {
		n->origin = -1;
		node_put(w->db, before->branch, seq, n);
	} else {
		request_put(w->db, w->arena, before, seq, n);
	}
}

static void
drop(struct world *w, const struct point *before, const struct point *now, const char *id)
{
	size_t n, i;
	struct node *list = node_children(w->db, w->arena, now, id, &n);

	for (i = 0; i < n; i++)
		drop(w, before, now, list[i].id);
	if (before->base == 0)
		node_end(w->db, before->branch, id, now->seq);
	else
		request_drop(w->db, w->arena, before, now->seq, id);
}

/* A key somewhere among the siblings. */
static const char *
order_among(struct world *w, const struct point *before, const struct point *now,
    const struct node *n)
{
	size_t count, at;
	struct node *list = node_children(w->db, w->arena, now, n->parent, &count);

	at = roll(w, (unsigned)count + 1);
	if (before->base != 0)
		return order_key(w->db, w->arena, before, now, n->parent, (int)at, n->id);
	/* Keys tie now and then, and then nothing fits between. */
	while (at > 0 && at < count && strcmp(list[at - 1].ord, list[at].ord) == 0)
		at++;
	return order_key_between(w->arena, at == 0 ? "" : list[at - 1].ord, at == count ? "" : list[at].ord);
}

/* May the page be put there? What lies below it goes to other addresses with it. */
static bool
fits(struct world *w, const struct point *now, struct node *n)
{
	struct node other;

	return !page_taken(w->db, w->arena, now, n, &other) &&
	    !page_taken_below(w->db, w->arena, now, n, &other);
}

static bool
change(struct world *w, const struct point *before, const struct point *now)
{
	struct node n, up;

	if (roll(w, 4) == 0 || !any_page(w, now, &n)) {
		n = (struct node){ .id = arena_printf(w->arena, "page%d", ++w->pages), .kind = NODE_DOCUMENT, .parent = "",
			.title = "t", .props = "{}", .at = 1, .made = 1 };
		n.slug = arena_printf(w->arena, "p%u", roll(w, 6));
		n.ord = order_key_between(w->arena, "", "");
		if (roll(w, 2) && any_page(w, now, &up))
			n.parent = up.id;
		if (before->base == 0 && roll(w, 5) == 0)
			n.path = arena_printf(w->arena, "p%u/p%u", roll(w, 6), roll(w, 6));
		n.body = blob_put(w->db, w->arena, str_of(new_lines(w, "")));
		if (!fits(w, now, &n))
			return false;
		put(w, before, now->seq, &n);
		return true;
	}
	switch (roll(w, 7)) {
	case 6:
		n.ord = order_among(w, before, now, &n);
		break;
	case 0:
		n.title = arena_printf(w->arena, "t%u", roll(w, 3));
		break;
	case 1:
		n.slug = arena_printf(w->arena, "p%u", roll(w, 6));
		if (!fits(w, now, &n))
			return false;
		break;
	case 2:
		if (!any_page(w, now, &up) || below(w, now, up.id, n.id))
			return false;
		n.parent = up.id;
		if (!fits(w, now, &n))
			return false;
		break;
	case 3:
		drop(w, before, now, n.id);
		return true;
	default:
		set_body(w, &n);
	}
	put(w, before, now->seq, &n);
	return true;
}

/* One revision of random edits on a branch. */
static void
edit(struct world *w, int64_t branch)
{
	struct point before = head(w, branch), now;
	struct revision_info info = { .kind = "edits", .author = w->user,
		.base_seq = before.base_seq };
	unsigned k = 1 + roll(w, 3);
	char *id;

	revision_add(w->db, w->arena, branch, &info, &id);
	now = head(w, branch);
	while (k-- > 0)
		change(w, &before, &now);
	if (before.base == 0)
		publish_revision(w->db, w->arena, w->space, branch, now.seq);
	else
		request_settle(w->db, w->arena, &before, &now);
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

/* Is the version of this page at both points the same row? */
static bool
untouched(struct world *w, const struct point *was, const struct point *now, const char *id)
{
	struct node before, after;
	bool there = node_get(w->db, w->arena, was, id, &before);

	return there == node_get(w->db, w->arena, now, id, &after) &&
	    (!there || before.since == after.since);
}

/* What a clean merge must show: every page that the request has, and all others as they were. */
static void
shows(struct world *w, const struct point *was, const struct node *own, size_t n)
{
	struct point main = head(w, w->main);
	struct node now, *all;
	size_t i, k, count;

	for (i = 0; i < n; i++) {
		bool there = node_get(w->db, w->arena, &main, own[i].id, &now);
		if (own[i].kind == NODE_GONE && own[i].origin >= 0)
			assert_false(there);
		if (own[i].kind != NODE_GONE)
			assert_true(there);
	}
	all = pages(w, was, &count);
	for (k = 0; k < count; k++) {
		for (i = 0; i < n && strcmp(own[i].id, all[k].id) != 0; i++)
			;
		if (i == n)
			assert_true(untouched(w, was, &main, all[k].id));
	}
}

/* Each line of x is in one of the others. */
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

static void
merge(struct world *w, int i)
{
	struct point request = head(w, w->request[i]), was = head(w, w->main);
	char *before = text_of(w, &was);
	struct merge_outcome out;
	struct node *own;
	struct point now;
	size_t n;

	char *wanted = request.base_seq == was.seq ? text_of(w, &request) : NULL;

	own = overlay_rows(w->db, w->arena, w->request[i], &n);
	request_merge(w->db, w->arena, &request, w->user, NULL, &out);
	now = head(w, w->main);
	if (out.clashes != NULL) {
		assert_string_equal(text_of(w, &now), before);
		assert_int_equal(now.seq, was.seq);
		return;
	}
	assert_true(n == 0 || now.seq == was.seq + 1);
	/* A side merged with its base is that side. */
	if (wanted != NULL)
		assert_string_equal(text_of(w, &now), wanted);
	if (n == 0)
		assert_string_equal(text_of(w, &now), before);
	shows(w, &was, own, n);
	nothing_lost(w, &request, &was, own, n);
	open_request(w, i);
}

/* Main's text after both requests were merged in this order, and taken back; NULL: one is in conflict, *why. */
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

/* Both requests take main in first, so that they are two scripts of edits to one base. */
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

/* Is the line in a clash of the page, or does the page clash as a whole? */
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

/* own: the rows before the update, made from their origins. */
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
	assert_int_equal(now.base_seq, head(w, w->main).seq);
	check_tree(w, &now, "updated request");
	/* Without clashes it can be merged, and main then shows what the request showed. */
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

/* Every conflict, as documented, in favour of either side; the request then merges as it is. */
static void
resolve_all(struct world *w, int i)
{
	struct resolver_run r = { .db = w->db, .arena = w->arena, .user = w->user, .dir = w->dir,
		.request = w->request[i], .ours = roll(w, 2), .batch = "" };
	struct point was = head(w, w->main);

	if (head(w, w->request[i]).base_seq != was.seq || resolve_conflicts(&r) == 0)
		return;
	resolved[r.ours]++;
	merge(w, i);
	/* Merged: another request is open in its place. */
	assert_true(w->request[i] != r.request);
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

/* A row of main that is said to be made from another would be taken for a request's copy of it. */
SQL(q_main_origins, "SELECT count(*) FROM node n JOIN space s ON s.branch = n.branch WHERE n.origin IS NOT NULL /*scan*/");

static void
random_histories(void **state)
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
	printf("resolved for main: %d, for the request: %d\n", resolved[0], resolved[1]);
	assert_true(end - first < SEEDS || (resolved[0] > SEEDS / 20 && resolved[1] > SEEDS / 20));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_histories),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
