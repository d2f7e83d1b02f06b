#include <stdlib.h>

#include "upstream_parts.h"
#include "store/order.h"
#include "store/redirect.h"
#include "base/secret.h"
#include "base/sort.h"

SQL(q_outside, "SELECT id FROM branch WHERE space = :space AND kind = 'outside'");
SQL(q_main, "SELECT branch FROM space WHERE id = :space");
SQL(q_touch, "UPDATE space SET updated_at = :now WHERE id = :space");
/* What main changed after the point that the outside last saw: versions begun or ended. */
SQL(q_changed_ids,
    "SELECT DISTINCT id FROM (SELECT id FROM node WHERE branch = :b AND since > :seq UNION ALL "
    "SELECT id FROM node WHERE branch = :b AND until > :seq AND until < 9007199254740991) AS c");

int64_t
upstream_branch(struct db *db, const char *space)
{
	struct stmt *q = db_use(db, &q_outside);

	bind_text(q, ":space", space);
	return stmt_int(q, 0);
}

static bool
main_point(struct db *db, struct arena *a, const char *space, struct point *out)
{
	struct stmt *q = db_use(db, &q_main);

	bind_text(q, ":space", space);
	return point_head(db, a, stmt_int(q, 0), out);
}

bool
upstream_view(struct db *db, struct arena *a, const char *space, struct point *out)
{
	int64_t branch = upstream_branch(db, space);

	return branch != 0 ? point_head(db, a, branch, out) : main_point(db, a, space, out);
}

/* Everything that a reader, a merge or an export can see of it. */
static bool
same(const struct node *a, const struct node *b)
{
	return a->kind == b->kind && str_eq(a->body, b->body) && str_eq(a->refs, b->refs) &&
	    same_text(a->parent, b->parent) && same_text(a->ord, b->ord) &&
	    same_text(a->slug, b->slug) && same_text(a->path, b->path) &&
	    same_text(a->title, b->title) && same_text(a->props, b->props) &&
	    same_text(a->git_path, b->git_path) && same_text(a->git_oid, b->git_oid);
}

static struct str
hash_or_none(struct arena *a, struct str bytes)
{
	return bytes.n == 0 ? (struct str){ NULL, 0 } : hash_of(a, bytes);
}

static void
hash_wanted(struct arena *a, struct wanted *w)
{
	if (w->body.p != NULL)
		w->node.body = hash_of(a, w->body);
	w->node.refs = hash_or_none(a, w->refs);
}

static void
store_bytes(struct sides *s, const struct wanted *w)
{
	if (w->body.p != NULL)
		blob_put(s->db, s->arena, w->body);
	if (w->refs.n > 0)
		blob_put(s->db, s->arena, w->refs);
}

void
put_wanted(struct sides *s, struct wanted *w)
{
	store_bytes(s, w);
	w->node.origin = -1;
	node_put(s->db, s->main.branch, s->main_seq, &w->node);
	if (strlen(w->node.ord) > ORDER_KEY_LONG)
		map_add(s->crowded, str_of(w->node.parent), s);
}

struct point
sides_after(const struct sides *s)
{
	struct point p = s->main;

	p.seq = s->main_seq;
	return p;
}

/* The id is compared with main at the end, once. */
static void
look_again(struct sides *s, const char *id)
{
	if (!map_add(s->again_seen, str_of(id), s))
		return;
	s->again = arena_grow(s->arena, s->again, s->again_n, &s->again_cap, sizeof(*s->again));
	s->again[s->again_n++] = id;
}

/* The frontmatter is not loaded with lists, so it is compared only where all else is equal. */
static bool
same_front(struct sides *s, const struct node *before, const struct wanted *w)
{
	return str_eq(node_front(s->db, s->arena, before), w->node.front);
}

/* Did main leave this node as the outside last saw it? */
static bool
untouched(const struct node *before, const struct node *now, bool was, bool is)
{
	if (!was || !is)
		return was == is;
	return (before->branch == now->branch && before->since == now->since) || same(before, now);
}

/* One thing that the outside holds. before: in the view; NULL: it is new. */
static void
take_one(struct sides *s, struct wanted *w, const struct node *before)
{
	struct node now;
	bool is;

	if (before != NULL && same(before, &w->node) && same_front(s, before, w))
		return;
	is = node_get(s->db, s->arena, &s->main, w->node.id, &now);
	if (is && same(&now, &w->node) && same_front(s, &now, w)) {
		look_again(s, w->node.id);
		return;
	}
	if (!untouched(before, &now, before != NULL, is) && s->note != NULL)
		s->note(s->ctx, UPSTREAM_BOTH, is ? &now : &w->node);
	put_wanted(s, w);
	s->out->changed = true;
	if (before == NULL)
		s->out->added++;
	else
		s->out->edited++;
}

/* Something that the outside held and holds no more. */
static void
drop_one(struct sides *s, const struct node *before)
{
	struct node now;

	if (!node_get(s->db, s->arena, &s->main, before->id, &now)) {
		look_again(s, before->id);
		return;
	}
	if (!untouched(before, &now, true, true) && s->note != NULL)
		s->note(s->ctx, UPSTREAM_BOTH, &now);
	node_end(s->db, s->main.branch, before->id, s->main_seq);
	s->out->changed = true;
	s->out->removed++;
}

static int
by_id(const void *x, const void *y)
{
	return strcmp(((const struct node *)x)->id, ((const struct node *)y)->id);
}

static int
wanted_by_id(const void *x, const void *y)
{
	return strcmp((*(struct wanted *const *)x)->node.id, (*(struct wanted *const *)y)->node.id);
}

struct wanted *
wanted_of(const struct sides *s, const char *id)
{
	struct wanted key = { .node = { .id = id } }, *k = &key;
	struct wanted **hit = find_sorted(&k, s->sorted, s->n, sizeof(*s->sorted), wanted_by_id);

	return hit == NULL ? NULL : *hit;
}

/* What main's own work leaves behind, of which nobody outside knows. */
static bool
is_trace(const char *id)
{
	return order_is_mark(id) || redirect_is(id);
}

/* Only what has a place in the repository comes and goes with it. */
static bool
belongs_outside(const struct node *n)
{
	return n->git_path != NULL ||
	    !((n->kind & (NODE_FILE | NODE_REUSABLE)) || is_trace(n->id));
}

static void
sides_init(struct sides *s, struct wanted *list, size_t n)
{
	size_t i;

	s->n = n;
	s->sorted = arena_array(s->arena, n, sizeof(*s->sorted));
	for (i = 0; i < n; i++) {
		hash_wanted(s->arena, &list[i]);
		s->sorted[i] = &list[i];
	}
	sort_list(s->sorted, n, sizeof(*s->sorted), wanted_by_id);
	s->crowded = map_new(s->arena);
	s->again_seen = map_new(s->arena);
}

/* Walks both lists in the order of their ids. */
static void
take_all(struct sides *s, const struct node *old, size_t old_n)
{
	size_t i = 0, k = 0;
	int c;

	while (i < old_n || k < s->n) {
		c = i == old_n ? 1 : k == s->n ? -1 : strcmp(old[i].id, s->sorted[k]->node.id);
		if (c < 0 && belongs_outside(&old[i]))
			drop_one(s, &old[i]);
		if (c == 0)
			take_one(s, s->sorted[k], &old[i]);
		if (c > 0)
			take_one(s, s->sorted[k], NULL);
		i += c <= 0;
		k += c >= 0;
	}
}

/* ---- order keys: store/order.h ---- */

static int
by_place(const void *x, const void *y)
{
	const struct node *a = &(*(struct wanted *const *)x)->node, *b = &(*(struct wanted *const *)y)->node;
	int c = strcmp(a->parent, b->parent);

	if (c == 0)
		c = strcmp(a->ord, b->ord);
	return c != 0 ? c : strcmp(a->id, b->id);
}

/*
 * Carries the outside's pages below one parent over to main's keys. Those that it
 * did not place itself give the frame, and still seem not placed: before has the
 * new key as well. old NULL: all of them do.
 */
static void
carry_siblings(struct sides *s, struct wanted **list, size_t n, const struct point *main,
    struct node *old, size_t old_n)
{
	struct order_item *items = arena_array(s->arena, n, sizeof(*items)), *to;
	struct node **before = arena_array(s->arena, n, sizeof(*before)), *there;
	size_t m, k;

	for (k = 0; k < n; k++) {
		items[k] = (struct order_item){ .id = list[k]->node.id, .ord = list[k]->node.ord,
			.fixed = old == NULL };
		before[k] = find_sorted(&list[k]->node, old, old_n, sizeof(*old), by_id);
		if (before[k] != NULL)
			items[k].fixed = same_text(before[k]->parent, list[k]->node.parent) &&
			    same_text(before[k]->ord, list[k]->node.ord);
	}
	there = node_children(s->db, s->arena, main, list[0]->node.parent, &m);
	to = arena_array(s->arena, m, sizeof(*to));
	for (k = 0; k < m; k++)
		to[k] = (struct order_item){ .id = there[k].id, .ord = there[k].ord };
	order_key_carry(s->arena, items, n, to, m);
	for (k = 0; k < n; k++) {
		list[k]->node.ord = items[k].ord;
		if (before[k] != NULL && items[k].fixed)
			before[k]->ord = items[k].ord;
		look_again(s, items[k].id);
	}
}

/* The same below all parents whose keys are of another era at one point than at the other. */
static void
carry_all(struct sides *s, const struct point *from, const struct point *main, struct node *old,
    size_t old_n)
{
	struct wanted **pages = arena_array(s->arena, s->n, sizeof(*pages));
	size_t n = 0, k, end;

	/* Mostly main did not change since. */
	if ((from->base != 0 ? from->base_seq : from->seq) == main->seq)
		return;
	for (k = 0; k < s->n; k++)
		if (s->sorted[k]->node.kind & NODE_PAGES)
			pages[n++] = s->sorted[k];
	sort_list(pages, n, sizeof(*pages), by_place);
	for (k = 0; k < n; k = end) {
		const char *parent = pages[k]->node.parent;
		for (end = k; end < n && strcmp(pages[end]->node.parent, parent) == 0; end++)
			;
		if (order_era(s->db, s->arena, from, parent) != order_era(s->db, s->arena, main, parent))
			carry_siblings(s, pages + k, end - k, main, old, old_n);
	}
}

/* Main's siblings get short keys where these got long, and the outside's follow. */
static void
make_room(struct sides *s)
{
	struct map *done = map_new(s->arena);
	struct point after = sides_after(s);
	bool any = false;
	size_t k;

	for (k = 0; k < s->n; k++) {
		const char *parent = s->sorted[k]->node.parent;
		if (!map_has(s->crowded, str_of(parent)) || !map_add(done, str_of(parent), s))
			continue;
		order_spread(s->db, s->arena, &after, parent);
		any = true;
	}
	if (any)
		carry_all(s, &s->main, &after, NULL, 0);
}

/*
 * The outside branch moves its base to main's new head. What main holds
 * differently from the outside stays as a row of its own there: another
 * version, or a tombstone for what the outside never held.
 */
static void
keep_difference(struct sides *s, const char *id)
{
	const struct wanted *w = wanted_of(s, id);
	struct node now, own;

	if (is_trace(id))
		return;
	if (!node_get(s->db, s->arena, &s->main, id, &now))
		now.id = NULL;
	if ((w == NULL) == (now.id == NULL) &&
	    (w == NULL || (same(&now, &w->node) && same_front(s, &now, w)))) {
		node_end(s->db, s->outside, id, s->upstream_seq);
		return;
	}
	if (w != NULL)
		own = w->node;
	else
		own = (struct node){ .id = id, .kind = NODE_GONE, .parent = "", .ord = "", .slug = "",
			.title = "", .props = "{}", .at = time_now(), .made = time_now() };
	own.origin = w != NULL && now.id != NULL ? now.since : -1;
	if (w != NULL)
		store_bytes(s, w);
	node_put(s->db, s->outside, s->upstream_seq, &own);
}

static void
keep_differences(struct sides *s, int64_t seen)
{
	struct stmt *q = db_use(s->db, &q_changed_ids);
	size_t i;

	bind_int(q, ":b", s->main.branch);
	bind_int(q, ":seq", seen);
	/* Besides: main shows no change there, but the outside has rows of its own that are over. */
	while (stmt_step(q))
		look_again(s, col_dup(q, 0, s->arena));
	for (i = 0; i < s->again_n; i++)
		keep_difference(s, s->again[i]);
}

static void
follow_main(struct sides *s, const char *author)
{
	struct revision_info info = { .kind = "update", .author = author };
	int64_t seen = s->view->base != 0 ? s->view->base_seq : s->view->seq;
	char *id;

	point_head(s->db, s->arena, s->main.branch, &s->main);
	if (s->outside == 0) {
		s->outside = branch_create(s->db, s->main.space, "outside", &s->main);
		info.kind = "edits";
	}
	info.base_seq = s->main.seq;
	s->upstream_seq = revision_add(s->db, s->arena, s->outside, &info, &id);
	keep_differences(s, seen);
}

static void
touch(struct db *db, const char *space)
{
	struct stmt *q = db_use(db, &q_touch);

	bind_int(q, ":now", time_now());
	bind_text(q, ":space", space);
	stmt_run(q);
}

/* What the view holds, by id. */
static struct node *
held_before(struct sides *s, const struct point *view, size_t *n)
{
	struct node *old = node_list(s->db, s->arena, view,
	    NODE_PAGES | NODE_FILE | NODE_REUSABLE | NODE_SETTING, n);

	sort_list(old, *n, sizeof(*old), by_id);
	return old;
}

void
upstream_take(struct db *db, struct arena *a, const struct point *view, struct wanted *list, size_t n,
    const char *author, const char *git,
    void (*note)(void *, enum upstream_event, const struct node *), void *ctx,
    struct upstream_result *out)
{
	struct sides s = { .db = db, .arena = a, .view = view, .note = note, .ctx = ctx, .out = out,
		.outside = upstream_branch(db, view->space) };
	struct revision_info info = { .kind = "merge", .author = author, .git = git };
	struct node *old;
	size_t old_n;

	*out = (struct upstream_result){ 0 };
	main_point(db, a, view->space, &s.main);
	s.main_seq = s.main.seq + 1;
	sides_init(&s, list, n);
	old = held_before(&s, view, &old_n);
	carry_all(&s, view, &s.main, old, old_n);
	take_all(&s, old, old_n);
	if (out->changed && !upstream_mend(&s))
		return;
	if (out->changed)
		make_room(&s);
	out->revision = (char *)s.main.revision;
	if (out->changed) {
		revision_add(db, a, s.main.branch, &info, &out->revision);
		publish_revision(db, a, view->space, s.main.branch, s.main_seq);
		touch(db, view->space);
	}
	if (out->changed || s.again_n > 0 || s.outside == 0)
		follow_main(&s, author);
}

void
upstream_standalone(struct db *db, struct arena *a, const char *space, struct wanted *list, size_t n,
    const char *author, const char *git, struct upstream_result *out)
{
	struct sides s = { .db = db, .arena = a, .out = out };
	struct revision_info info = { .kind = "edits", .author = author, .git = git };
	struct point view;
	struct node *old;
	size_t old_n, i;

	*out = (struct upstream_result){ .changed = true };
	main_point(db, a, space, &s.main);
	sides_init(&s, list, n);
	upstream_view(db, a, space, &view);
	old = held_before(&s, &view, &old_n);
	carry_all(&s, &view, &s.main, old, old_n);
	s.outside = branch_create(db, space, "alone", &s.main);
	info.base_seq = s.main.seq;
	s.upstream_seq = revision_add(db, a, s.outside, &info, &out->revision);
	for (i = 0; i < n; i++)
		keep_difference(&s, list[i].node.id);
	old = held_before(&s, &s.main, &old_n);
	for (i = 0; i < old_n; i++)
		if (belongs_outside(&old[i]) && wanted_of(&s, old[i].id) == NULL)
			keep_difference(&s, old[i].id);
}
