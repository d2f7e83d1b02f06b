#include "json.h"
#include "redirect.h"
#include "three_way.h"

SQL(q_own_rows,
    "SELECT id FROM node WHERE branch = :b AND until = 9007199254740991 ORDER BY id");
SQL(q_base_changed,
    "SELECT DISTINCT id FROM (SELECT id FROM node WHERE branch = :b AND since > :from AND since <= :to "
    "UNION ALL SELECT id FROM node WHERE branch = :b AND until > :from AND until <= :to) AS c");

/* Ids in an arena; what a merge touches. */
struct ids {
	struct arena *arena;
	const char  **list;
	size_t        n, cap;
};

static void
ids_add(struct ids *s, const char *id)
{
	if (s->n == s->cap) {
		const char **more = arena_array(s->arena, s->cap * 2 + 16, sizeof(*more));
		if (s->n > 0)
			memcpy(more, s->list, s->n * sizeof(*more));
		s->list = more;
		s->cap = s->cap * 2 + 16;
	}
	s->list[s->n++] = id;
}

/* Main at its head, under a request. */
static bool
main_head(struct db *db, struct arena *a, const struct point *request, struct point *out)
{
	return point_head(db, a, request->base, out);
}

struct point
request_base(const struct point *request)
{
	return (struct point){ .space = request->space, .branch = request->base,
		.seq = request->base_seq };
}

struct node *
own_rows(struct db *db, struct arena *a, int64_t branch, size_t *count)
{
	struct ids ids = { .arena = a };
	struct point p = { .branch = branch };
	struct stmt *q = db_use(db, &q_own_rows);
	struct node *rows;
	size_t i;

	bind_int(q, ":b", branch);
	while (stmt_step(q))
		ids_add(&ids, col_dup(q, 0, a));
	rows = arena_array(a, ids.n, sizeof(*rows));
	p.seq = FOREVER - 1;
	for (i = 0, *count = 0; i < ids.n; i++)
		if (node_at(db, a, &p, ids.list[i], &rows[*count]))
			(*count)++;
	return rows;
}

bool
origin_of(struct db *db, struct arena *a, const struct point *request, const struct node *own,
    struct node *out)
{
	struct point p = request_base(request);

	p.seq = own->origin;
	return own->origin >= 0 && node_get(db, a, &p, own->id, out) && out->since == own->origin;
}

/* ---- rows ---- */

struct rows {
	struct db          *db;
	struct arena       *arena;
	const struct point *request;
	struct point        main;
	struct clash       *clashes, **last;
	struct ids          touched;
};

static void
rows_init(struct rows *w, struct db *db, struct arena *a, const struct point *request)
{
	*w = (struct rows){ .db = db, .arena = a, .request = request, .touched = { .arena = a } };
	w->last = &w->clashes;
	main_head(db, a, request, &w->main);
}

static void
add_clashes(struct rows *w, struct clash *c)
{
	for (*w->last = c; *w->last != NULL; w->last = &(*w->last)->next)
		;
}

/* Does the clash say already that a page is not well placed? */
static bool
about_place(const struct clash *c)
{
	return strcmp(c->kind, "text") != 0 && strcmp(c->kind, "title") != 0 &&
	    strcmp(c->kind, "properties") != 0;
}

/* other: the page that it clashes with, where it is one; NULL otherwise. */
static void
name_clash(struct rows *w, const char *kind, const struct node *n, const char *other)
{
	struct clash *c;

	for (c = w->clashes; c != NULL; c = c->next)
		if (strcmp(c->page, n->id) == 0 && about_place(c))
			return;
	c = arena_alloc(w->arena, sizeof(*c));
	*c = (struct clash){ .page = n->id, .title = n->title, .kind = kind, .other = other };
	add_clashes(w, c);
}

/* base, ours, theirs of one own row, and what becomes of them. */
static void
decide(struct rows *w, const struct node *own, struct three *t, bool store)
{
	struct node *base = arena_alloc(w->arena, sizeof(*base));
	struct node *theirs = arena_alloc(w->arena, sizeof(*theirs));

	*t = (struct three){ .db = w->db, .arena = w->arena, .ours = own };
	t->base = origin_of(w->db, w->arena, w->request, own, base) ? base : NULL;
	t->theirs = node_get(w->db, w->arena, &w->main, own->id, theirs) ? theirs : NULL;
	three_way(t, store);
}

/* ---- the tree ---- */

const char *
tree_fault(struct db *db, struct arena *a, const struct point *p, const struct node *n,
    const char **other)
{
	struct node up, taken;
	const char *id = n->parent;
	int depth;

	*other = NULL;
	for (depth = 0; *id != '\0'; depth++) {
		if (strcmp(id, n->id) == 0 || depth > 200)
			return "cycle";
		if (!node_get(db, a, p, id, &up) || !(up.kind & NODE_PAGES)) {
			*other = depth == 0 ? id : NULL;
			return depth == 0 ? "parent" : NULL;
		}
		id = up.parent;
	}
	if (depth >= PAGE_DEPTH)
		return "depth";
	if (n->kind == NODE_LINK)
		return NULL;
	if (page_taken(db, a, p, n, &taken)) {
		*other = taken.id;
		return "path";
	}
	return NULL;
}

/* Pages that are alive at the point but lie below this one, which is not. */
static void
name_orphans(struct rows *w, const struct point *p, const char *id)
{
	size_t n, i;
	struct node *list = node_children(w->db, w->arena, p, id, &n);

	for (i = 0; i < n; i++)
		name_clash(w, "parent", &list[i], id);
}

/* Checks all that was touched; names what is wrong. */
static void
check_tree(struct rows *w, const struct point *p)
{
	const char *fault, *other;
	struct node n;
	size_t i;

	for (i = 0; i < w->touched.n; i++) {
		const char *id = w->touched.list[i];
		if (!node_get(w->db, w->arena, p, id, &n))
			name_orphans(w, p, id);
		else if ((n.kind & NODE_PAGES) &&
		    (fault = tree_fault(w->db, w->arena, p, &n, &other)) != NULL)
			name_clash(w, strcmp(fault, "depth") == 0 ? "position" : fault, &n, other);
	}
}

/* ---- merge ---- */

static void
apply(struct rows *w, const struct three *t, int64_t seq)
{
	struct node n = t->merged;

	ids_add(&w->touched, t->ours->id);
	if (!t->present) {
		if (t->theirs != NULL)
			node_end(w->db, w->main.branch, t->ours->id, seq);
		return;
	}
	if (t->theirs != NULL && node_same(t->theirs, &n) &&
	    str_eq(n.front, node_front(w->db, w->arena, t->theirs)))
		return;
	n.origin = -1;
	node_put(w->db, w->main.branch, seq, &n);
}

/* Old addresses live on. The pages are looked up before and after. */
static void
leave_redirects(struct rows *w, int64_t seq)
{
	struct point after = w->main;
	struct node was, is;
	size_t i;

	after.seq = seq;
	for (i = 0; i < w->touched.n; i++) {
		const char *id = w->touched.list[i];
		char *from, *to;
		if (!node_get(w->db, w->arena, &w->main, id, &was) || was.kind != NODE_DOCUMENT ||
		    !node_get(w->db, w->arena, &after, id, &is))
			continue;
		from = page_path(w->db, w->arena, &w->main, &was);
		to = page_path(w->db, w->arena, &after, &is);
		if (strcmp(from, to) != 0)
			redirect_put(w->db, w->arena, w->main.branch, seq, from, to, id);
	}
}

/* Applies all own rows to main at seq, under a mark, and checks rows and tree. */
static void
apply_all(struct rows *w, int64_t seq)
{
	struct point after = w->main;
	struct node *own;
	struct three t;
	size_t n, i;

	after.seq = seq;
	own = own_rows(w->db, w->arena, w->request->branch, &n);
	db_mark(w->db);
	for (i = 0; i < n; i++) {
		decide(w, &own[i], &t, true);
		if (t.clash != NULL) {
			/* For the look at the tree: as if it were resolved in favour of the request. */
			add_clashes(w, t.clash);
			t.present = own[i].kind != NODE_GONE;
			t.merged = own[i];
		}
		apply(w, &t, seq);
	}
	check_tree(w, &after);
}

struct clash *
request_clashes(struct db *db, struct arena *a, const struct point *request)
{
	struct rows w;

	rows_init(&w, db, a, request);
	apply_all(&w, w.main.seq + 1);
	db_undo(db);
	return w.clashes;
}

void
request_merge(struct db *db, struct arena *a, const struct point *request, const char *author,
    struct merge_outcome *out)
{
	struct revision_info info = { .kind = "merge", .merged = request->revision,
		.author = author };
	struct rows w;
	char *revision;

	rows_init(&w, db, a, request);
	*out = (struct merge_outcome){ .revision = w.main.revision, .seq = w.main.seq };
	apply_all(&w, w.main.seq + 1);
	if ((out->clashes = w.clashes) != NULL || w.touched.n == 0) {
		db_undo(db);
		return;
	}
	leave_redirects(&w, w.main.seq + 1);
	db_keep(db);
	out->seq = revision_add(db, a, w.main.branch, &info, &revision);
	content_changed(db, a, w.main.space, w.main.branch, out->seq);
	out->revision = revision;
	out->changed = true;
}

/* ---- update ---- */

/*
 * Where only parts of a page clash, the rest of what main did to it comes in.
 * The origin stays, so that the clashes are found until the page is written:
 * whoever writes it then has all of the other side before him, here or by name.
 */
static void
take_rest(struct rows *w, const struct node *own, const struct three *t, int64_t seq)
{
	struct node n = t->merged;

	if (!t->by_field || (node_same(own, &n) &&
	    str_eq(node_front(w->db, w->arena, own), n.front)))
		return;
	n.origin = own->origin;
	node_put(w->db, w->request->branch, seq, &n);
}

/* One own row under main's new head: merged, fallen through, or left as it is. */
static void
refresh(struct rows *w, const struct node *own, int64_t seq)
{
	struct three t;
	struct node n;

	decide(w, own, &t, true);
	ids_add(&w->touched, own->id);
	if (t.clash != NULL) {
		take_rest(w, own, &t, seq);
		return;
	}
	if (!t.present && t.theirs == NULL) {
		node_end(w->db, w->request->branch, own->id, seq);
		return;
	}
	if (!t.present) {
		if (t.base != NULL && t.base->since == t.theirs->since)
			return;
		n = *own;
		n.origin = t.theirs->since;
		node_put(w->db, w->request->branch, seq, &n);
		return;
	}
	if (t.theirs == NULL || (t.base != NULL && t.base->since == t.theirs->since))
		return;
	if (node_same(t.theirs, &t.merged) &&
	    str_eq(t.merged.front, node_front(w->db, w->arena, t.theirs))) {
		node_end(w->db, w->request->branch, own->id, seq);
		return;
	}
	n = t.merged;
	n.origin = t.theirs->since;
	node_put(w->db, w->request->branch, seq, &n);
}

/* The own row at the new revision; false where the page falls through to main. */
static bool
own_now(struct rows *w, const struct point *now, const char *id, struct node *out)
{
	struct point p = { .branch = now->branch, .seq = now->seq };

	return node_at(w->db, w->arena, &p, id, out);
}

/* Main's own new page, which has no place here: hidden, and never deleted by a merge. */
static void
hide(struct rows *w, const struct point *now, const char *id)
{
	struct node n = { .id = id, .kind = NODE_GONE, .origin = -1, .parent = "", .ord = "",
		.slug = "", .title = "", .props = "{}", .at = time_now(), .made = time_now() };

	node_put(w->db, now->branch, now->seq, &n);
}

/*
 * What the request showed before the update, where it stood then and with the
 * origin that it had. Only its place made trouble: the rest of what main did to
 * it stays, for whoever resolves the clash is shown the place alone.
 */
static struct node
placed_back(struct rows *w, const struct point *now, struct node before)
{
	struct node n;

	if (!node_get(w->db, w->arena, now, before.id, &n))
		n = before;
	n.front = node_front(w->db, w->arena, &n);
	place_as(&n, &before);
	n.origin = before.branch == now->branch ? before.origin : before.since;
	return n;
}

/* Puts it back. False where it is so already. */
static bool
put_back(struct rows *w, const struct point *now, const char *id)
{
	struct node before, own, n;
	bool is_own = own_now(w, now, id, &own);

	if (is_own && own.since < now->seq)
		return false;
	if (!node_get(w->db, w->arena, w->request, id, &before)) {
		if (is_own)
			return false;
		hide(w, now, id);
		return true;
	}
	n = placed_back(w, now, before);
	if (is_own && own.origin == n.origin && node_same(&own, &n))
		return false;
	node_put(w->db, now->branch, now->seq, &n);
	return true;
}

/* Main added a page where the request has one: it comes in under the next free slug. */
static bool
take_beside(struct rows *w, const struct point *now, const char *id)
{
	struct node n, taken;
	const char *slug;
	int i;

	if (own_now(w, now, id, &n) || node_get(w->db, w->arena, w->request, id, &n) ||
	    !node_get(w->db, w->arena, now, id, &n))
		return false;
	slug = n.slug;
	n.path = NULL;
	n.front = node_front(w->db, w->arena, &n);
	n.origin = -1;
	for (i = 1; i < 1000; i++) {
		n.slug = arena_printf(w->arena, "%s-%d", slug, i);
		if (!page_taken(w->db, w->arena, now, &n, &taken))
			break;
	}
	node_put(w->db, now->branch, now->seq, &n);
	return true;
}

static bool
mend_path(struct rows *w, const struct point *now, const struct node *n, const char *other)
{
	return take_beside(w, now, n->id) || take_beside(w, now, other) ||
	    put_back(w, now, n->id) || put_back(w, now, other);
}

/* All pages of the way up that main moved go back to where they were. */
static bool
mend_way_up(struct rows *w, const struct point *now, const struct node *n)
{
	const char *id = n->id, *parent = n->parent;
	bool done = put_back(w, now, id);
	struct node up;
	int depth;

	for (depth = 0; *parent != '\0' && depth < 200 && !done; depth++) {
		done = put_back(w, now, parent);
		if (!node_get(w->db, w->arena, now, parent, &up) || strcmp(up.id, n->id) == 0)
			break;
		parent = up.parent;
	}
	return done;
}

/* One round over what was touched; true if something was put back. */
static bool
mend_tree(struct rows *w, const struct point *now)
{
	const char *fault, *other;
	bool mended = false;
	struct node n;
	size_t i, k, below, count = w->touched.n;

	for (i = 0; i < count; i++) {
		const char *id = w->touched.list[i];
		if (!node_get(w->db, w->arena, now, id, &n)) {
			struct node *list = node_children(w->db, w->arena, now, id, &below);
			for (k = 0; k < below; k++)
				mended |= put_back(w, now, id) || put_back(w, now, list[k].id);
			continue;
		}
		if (!(n.kind & NODE_PAGES) ||
		    (fault = tree_fault(w->db, w->arena, now, &n, &other)) == NULL)
			continue;
		if (strcmp(fault, "path") == 0)
			mended |= mend_path(w, now, &n, other);
		else
			mended |= mend_way_up(w, now, &n);
	}
	return mended;
}

static void
touch_base(struct rows *w)
{
	struct stmt *q = db_use(w->db, &q_base_changed);

	bind_int(q, ":b", w->main.branch);
	bind_int(q, ":from", w->request->base_seq);
	bind_int(q, ":to", w->main.seq);
	while (stmt_step(q))
		ids_add(&w->touched, col_dup(q, 0, w->arena));
}

/*
 * Main did not move since the last update. A row that was put back then may
 * merge now, since what was in its way has gone: then there is something to do.
 */
static bool
up_to_date(struct rows *w)
{
	struct node *own;
	struct three t;
	size_t n, i;

	if (w->main.seq != w->request->base_seq)
		return false;
	own = own_rows(w->db, w->arena, w->request->branch, &n);
	for (i = 0; i < n; i++) {
		decide(w, &own[i], &t, false);
		if (t.clash == NULL && t.base != NULL && t.theirs != NULL &&
		    t.base->since != t.theirs->since)
			return false;
	}
	return true;
}

void
request_update(struct db *db, struct arena *a, const struct point *request, const char *author,
    struct merge_outcome *out)
{
	struct revision_info info = { .kind = "update", .author = author };
	struct point now;
	struct node *own;
	struct rows w;
	char *revision;
	size_t n, i, rounds = 0;

	rows_init(&w, db, a, request);
	*out = (struct merge_outcome){ .revision = request->revision, .seq = request->seq };
	if (up_to_date(&w)) {
		out->clashes = request_clashes(db, a, request);
		return;
	}
	info.merged = w.main.revision;
	info.base_seq = w.main.seq;
	out->seq = revision_add(db, a, request->branch, &info, &revision);
	out->revision = revision;
	out->changed = true;
	own = own_rows(db, a, request->branch, &n);
	for (i = 0; i < n; i++)
		refresh(&w, &own[i], out->seq);
	touch_base(&w);
	point_head(db, a, request->branch, &now);
	while (mend_tree(&w, &now) && rounds++ < w.touched.n + 10)
		;
	out->clashes = request_clashes(db, a, &now);
}

/* ---- writing ---- */

static bool
in_base(struct db *db, struct arena *a, const struct point *request, const char *id,
    struct node *out)
{
	struct point p = request_base(request);

	return node_get(db, a, &p, id, out);
}

/* What is as main has it needs no row: only what update puts back may be like its origin. */
void
request_put(struct db *db, struct arena *a, const struct point *request, int64_t seq,
    struct node *n)
{
	struct node base;
	bool there = in_base(db, a, request, n->id, &base);

	n->origin = there ? base.since : -1;
	if (there && node_same(&base, n) && str_eq(node_front(db, a, &base), n->front))
		node_end(db, request->branch, n->id, seq);
	else
		node_put(db, request->branch, seq, n);
}

void
request_drop(struct db *db, struct arena *a, const struct point *request, int64_t seq,
    const char *id)
{
	struct node gone = { .id = id, .kind = NODE_GONE, .parent = "", .ord = "", .slug = "",
		.title = "", .props = "{}", .at = time_now(), .made = time_now() };
	struct node base;

	if (!in_base(db, a, request, id, &base)) {
		node_end(db, request->branch, id, seq);
		return;
	}
	gone.origin = base.since;
	node_put(db, request->branch, seq, &gone);
}
