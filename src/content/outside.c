#include <stdlib.h>

#include "outside.h"
#include "secret.h"
#include "sort.h"

SQL(q_outside, "SELECT id FROM branch WHERE space = :space AND kind = 'outside'");
SQL(q_main, "SELECT branch FROM space WHERE id = :space");
SQL(q_touch, "UPDATE space SET updated_at = :now WHERE id = :space");
/* What main changed after the point that the outside last saw: versions begun or ended. */
SQL(q_changed_ids,
    "SELECT DISTINCT id FROM (SELECT id FROM node WHERE branch = :b AND since > :seq UNION ALL "
    "SELECT id FROM node WHERE branch = :b AND until > :seq AND until < 9007199254740991) AS c");

struct sides {
	struct db          *db;
	struct arena       *arena;
	const struct point *view;      /* the outside before */
	struct point        main;      /* main now */
	int64_t             outside;   /* branch */
	int64_t             main_seq, outside_seq;
	void              (*clash)(void *, const struct node *);
	void               *ctx;
	struct outside_result *out;
	const char        **agreed;    /* ids where the outside came to what main has */
	size_t              agreed_n;
};

int64_t
outside_branch(struct db *db, const char *space)
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
outside_view(struct db *db, struct arena *a, const char *space, struct point *out)
{
	int64_t branch = outside_branch(db, space);

	return branch != 0 ? point_head(db, a, branch, out) : main_point(db, a, space, out);
}

static bool
same_text(const char *a, const char *b)
{
	return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
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
		s->agreed[s->agreed_n++] = w->node.id;
		return;
	}
	if (!untouched(before, &now, before != NULL, is) && s->clash != NULL)
		s->clash(s->ctx, is ? &now : &w->node);
	store_bytes(s, w);
	w->node.origin = -1;
	node_put(s->db, s->main.branch, s->main_seq, &w->node);
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
		s->agreed[s->agreed_n++] = before->id;
		return;
	}
	if (!untouched(before, &now, true, true) && s->clash != NULL)
		s->clash(s->ctx, &now);
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

/* Only what has a place in the repository comes and goes with it. */
static bool
belongs_outside(const struct node *n)
{
	return n->git_path != NULL || !(n->kind & (NODE_FILE | NODE_REUSABLE));
}

/* Walks both lists in the order of their ids. */
static void
take_all(struct sides *s, struct node *old, size_t old_n, struct wanted *list, size_t n)
{
	struct wanted **sorted = arena_array(s->arena, n, sizeof(*sorted));
	size_t i = 0, k = 0;
	int c;

	for (i = 0; i < n; i++) {
		hash_wanted(s->arena, &list[i]);
		sorted[i] = &list[i];
	}
	s->agreed = arena_array(s->arena, n + old_n, sizeof(*s->agreed));
	sort_list(sorted, n, sizeof(*sorted), wanted_by_id);
	sort_list(old, old_n, sizeof(*old), by_id);
	for (i = 0; i < old_n || k < n;) {
		c = i == old_n ? 1 : k == n ? -1 : strcmp(old[i].id, sorted[k]->node.id);
		if (c < 0 && belongs_outside(&old[i]))
			drop_one(s, &old[i]);
		if (c == 0)
			take_one(s, sorted[k], &old[i]);
		if (c > 0)
			take_one(s, sorted[k], NULL);
		i += c <= 0;
		k += c >= 0;
	}
}

/* ---- main's tree stays whole ---- */

/* The pages of main as they are in the revision that is being made, by id. */
struct pages {
	struct node  *list;
	size_t        n;
};

static struct pages
pages_now(struct sides *s)
{
	struct point p = s->main;
	struct pages t;

	p.seq = s->main_seq;
	t.list = node_list(s->db, s->arena, &p, NODE_PAGES, &t.n);
	sort_list(t.list, t.n, sizeof(*t.list), by_id);
	return t;
}

static struct node *
page_of(const struct pages *t, const char *id)
{
	struct node key = { .id = id };

	return find_sorted(&key, t->list, t->n, sizeof(*t->list), by_id);
}

static struct wanted *
wanted_of(struct wanted **sorted, size_t n, const char *id)
{
	struct wanted key = { .node = { .id = id } }, *k = &key;
	struct wanted **hit = find_sorted(&k, sorted, n, sizeof(*sorted), wanted_by_id);

	return hit == NULL ? NULL : *hit;
}

static void
put_below(struct sides *s, const struct node *n, const char *parent)
{
	struct node moved = *n;

	moved.parent = parent;
	moved.front = node_front(s->db, s->arena, n);
	moved.origin = -1;
	node_put(s->db, s->main.branch, s->main_seq, &moved);
}

/* The nearest page that is left above one that main had; "" for the top. */
static const char *
left_above(struct sides *s, const struct pages *t, const char *id)
{
	struct node was;
	int depth;

	for (depth = 0; depth < 200 && *id != '\0' && page_of(t, id) == NULL; depth++)
		id = node_get(s->db, s->arena, &s->main, id, &was) ? was.parent : "";
	return page_of(t, id) != NULL ? id : "";
}

/* Is the page below itself? */
static bool
in_circle(const struct pages *t, const struct node *n)
{
	const struct node *up = n;
	size_t steps;

	for (steps = 0; steps <= t->n && up != NULL && *up->parent != '\0'; steps++) {
		up = page_of(t, up->parent);
		if (up == n)
			return true;
	}
	return false;
}

/* Mends one page: true if something had to be done. */
static bool
mend_page(struct sides *s, const struct pages *t, const struct node *n, struct wanted **sorted,
    size_t count)
{
	struct wanted *w = wanted_of(sorted, count, n->parent), *self;

	if (*n->parent == '\0')
		return false;
	if (page_of(t, n->parent) == NULL && w != NULL && (w->node.kind & NODE_PAGES)) {
		/* Main took away what the outside still has something below: it comes back. */
		if (s->clash != NULL)
			s->clash(s->ctx, &w->node);
		store_bytes(s, w);
		w->node.origin = -1;
		node_put(s->db, s->main.branch, s->main_seq, &w->node);
		return true;
	}
	if (page_of(t, n->parent) == NULL) {
		put_below(s, n, left_above(s, t, n->parent));
		return true;
	}
	if (!in_circle(t, n))
		return false;
	/* The outside has a tree of its own, so one of the circle stands elsewhere there. */
	self = wanted_of(sorted, count, n->id);
	if (self != NULL && strcmp(self->node.parent, n->parent) == 0)
		return false;
	put_below(s, n, self != NULL ? self->node.parent : "");
	return true;
}

/*
 * What both sides did may not fit together: a page stays whose parent went, or
 * two pages went below each other. The outside's order of things wins; pages of
 * main's own move up to what is left. Each round mends at least one page, and
 * hardly ever is there more than one round.
 */
static void
mend_tree(struct sides *s, struct wanted *list, size_t n)
{
	struct wanted **sorted = arena_array(s->arena, n, sizeof(*sorted));
	bool mended = true;
	size_t i, rounds;

	for (i = 0; i < n; i++)
		sorted[i] = &list[i];
	sort_list(sorted, n, sizeof(*sorted), wanted_by_id);
	for (rounds = 0; mended && rounds < 1000; rounds++) {
		struct pages t = pages_now(s);
		mended = false;
		for (i = 0; i < t.n; i++) {
			if (!mend_page(s, &t, &t.list[i], sorted, n))
				continue;
			mended = true;
			/* A circle that was opened is none for the others in it. */
			if (in_circle(&t, &t.list[i]))
				break;
		}
	}
}

/*
 * The outside branch moves its base to main's new head. What main holds
 * differently from the outside stays as a row of its own there: another
 * version, or a tombstone for what the outside never held.
 */
static void
keep_difference(struct sides *s, const char *id, const struct wanted *w)
{
	struct node now, own;

	if (!node_get(s->db, s->arena, &s->main, id, &now))
		now.id = NULL;
	if ((w == NULL) == (now.id == NULL) &&
	    (w == NULL || (same(&now, &w->node) && same_front(s, &now, w)))) {
		node_end(s->db, s->outside, id, s->outside_seq);
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
	node_put(s->db, s->outside, s->outside_seq, &own);
}

static void
keep_differences(struct sides *s, struct wanted **sorted, size_t n, int64_t seen)
{
	struct stmt *q = db_use(s->db, &q_changed_ids);
	const char **ids;
	size_t count = 0, cap = 64, i;

	ids = arena_array(s->arena, cap, sizeof(*ids));
	bind_int(q, ":b", s->main.branch);
	bind_int(q, ":seq", seen);
	while (stmt_step(q)) {
		if (count == cap) {
			const char **more = arena_array(s->arena, cap * 2, sizeof(*ids));
			memcpy(more, ids, cap * sizeof(*ids));
			ids = more;
			cap *= 2;
		}
		ids[count++] = col_dup(q, 0, s->arena);
	}
	for (i = 0; i < count; i++)
		keep_difference(s, ids[i], wanted_of(sorted, n, ids[i]));
	/* Main shows no change there, but the outside has rows of its own that are over. */
	for (i = 0; i < s->agreed_n; i++)
		keep_difference(s, s->agreed[i], wanted_of(sorted, n, s->agreed[i]));
}

static void
follow_main(struct sides *s, struct wanted *list, size_t n, const char *author)
{
	struct revision_info info = { .kind = "update", .author = author };
	struct wanted **sorted = arena_array(s->arena, n, sizeof(*sorted));
	int64_t seen = s->view->base != 0 ? s->view->base_seq : s->view->seq;
	char *id;
	size_t i;

	for (i = 0; i < n; i++)
		sorted[i] = &list[i];
	sort_list(sorted, n, sizeof(*sorted), wanted_by_id);
	point_head(s->db, s->arena, s->main.branch, &s->main);
	if (s->outside == 0) {
		s->outside = branch_create(s->db, s->main.space, "outside", &s->main);
		info.kind = "edits";
	}
	info.base_seq = s->main.seq;
	s->outside_seq = revision_add(s->db, s->arena, s->outside, &info, &id);
	keep_differences(s, sorted, n, seen);
}

static void
touch(struct db *db, const char *space)
{
	struct stmt *q = db_use(db, &q_touch);

	bind_int(q, ":now", time_now());
	bind_text(q, ":space", space);
	stmt_run(q);
}

void
outside_take(struct db *db, struct arena *a, const struct point *view, struct wanted *list, size_t n,
    const char *author, const char *git, void (*clash)(void *, const struct node *), void *ctx,
    struct outside_result *out)
{
	struct sides s = { .db = db, .arena = a, .view = view, .clash = clash, .ctx = ctx, .out = out,
		.outside = outside_branch(db, view->space) };
	struct revision_info info = { .kind = "merge", .author = author, .git = git };
	struct node *old;
	size_t old_n;

	*out = (struct outside_result){ 0 };
	old = node_list(db, a, view, NODE_PAGES | NODE_FILE | NODE_REUSABLE | NODE_SETTING, &old_n);
	main_point(db, a, view->space, &s.main);
	s.main_seq = s.main.seq + 1;
	take_all(&s, old, old_n, list, n);
	if (out->changed)
		mend_tree(&s, list, n);
	out->revision = (char *)s.main.revision;
	if (out->changed) {
		revision_add(db, a, s.main.branch, &info, &out->revision);
		content_changed(db, a, view->space, s.main.branch, s.main_seq);
		touch(db, view->space);
	}
	if (out->changed || s.agreed_n > 0 || s.outside == 0)
		follow_main(&s, list, n, author);
}

void
outside_standalone(struct db *db, struct arena *a, const char *space, struct wanted *list, size_t n,
    const char *author, const char *git, struct outside_result *out)
{
	struct sides s = { .db = db, .arena = a, .out = out };
	struct revision_info info = { .kind = "edits", .author = author, .git = git };
	struct wanted **sorted = arena_array(a, n, sizeof(*sorted));
	struct node *old;
	size_t old_n, i;

	*out = (struct outside_result){ .changed = true };
	main_point(db, a, space, &s.main);
	s.outside = branch_create(db, space, "alone", &s.main);
	info.base_seq = s.main.seq;
	s.outside_seq = revision_add(db, a, s.outside, &info, &out->revision);
	for (i = 0; i < n; i++) {
		hash_wanted(a, &list[i]);
		keep_difference(&s, list[i].node.id, &list[i]);
		sorted[i] = &list[i];
	}
	sort_list(sorted, n, sizeof(*sorted), wanted_by_id);
	old = node_list(db, a, &s.main, NODE_PAGES | NODE_FILE | NODE_REUSABLE | NODE_SETTING, &old_n);
	for (i = 0; i < old_n; i++) {
		struct wanted key = { .node = old[i] }, *k = &key;
		if (belongs_outside(&old[i]) &&
		    find_sorted(&k, sorted, n, sizeof(*sorted), wanted_by_id) == NULL)
			keep_difference(&s, old[i].id, NULL);
	}
}
