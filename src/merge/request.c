/* Merges and updates change requests, row by row. Contract and model: merge/request.h. */
#include "base/json.h"
#include "propagate/propagate.h"
#include "store/space.h"
#include "store/order.h"
#include "store/redirect.h"
#include "text/merge_text.h"
#include "request_parts.h"

void
ids_add(struct ids *s, const char *id)
{
	s->list = arena_grow(s->arena, s->list, s->n, &s->cap, sizeof(*s->list));
	s->list[s->n++] = id;
}

/* The head of the main branch that a request overlays. */
static bool
main_head(struct db *db, struct arena *a, const struct point *request, struct point *out)
{
	return point_head(db, a, request->base, out);
}

/* ---- rows ---- */

void
rows_init(struct rows *w, struct db *db, struct arena *a, const struct point *request)
{
	*w = (struct rows){ .db = db, .arena = a, .request = request, .touched = { .arena = a },
		.crowded = { .arena = a }, .rescued = { .arena = a }, .misplaced = map_new(a) };
	w->last = &w->clashes;
	main_head(db, a, request, &w->main);
}

/* True if the clash says that a page has no valid place. */
static bool
is_about_place(const struct clash *c)
{
	return strcmp(c->kind, "text") != 0 && strcmp(c->kind, "title") != 0 &&
	    strcmp(c->kind, "properties") != 0;
}

/*
 * Appends a list of clashes. Records pages that have a clash about their place, since one such
 * clash is enough.
 */
static void
add_clashes(struct rows *w, struct clash *c)
{
	for (*w->last = c; *w->last != NULL; w->last = &(*w->last)->next)
		if (is_about_place(*w->last))
			map_add(w->misplaced, str_of((*w->last)->page), w);
}

/* Adds a clash of n. other: the page with which n clashes, or NULL. */
static void
add_node_clash(struct rows *w, const char *kind, const struct node *n, const char *other)
{
	struct clash *c;

	/* Skip it if the row itself, or another page with the same fault, has a clash already. */
	if (map_has(w->misplaced, str_of(n->id)))
		return;
	c = arena_alloc(w->arena, sizeof(*c));
	*c = (struct clash){ .page = n->id, .title = n->title, .kind = kind, .other = other };
	add_clashes(w, c);
}

/*
 * One side deleted the page that the other edited. If it also deleted the page's parent, the clash
 * names the parent: the page can only come back together with it.
 */
static void
add_deletion_clash(struct rows *w, const struct three_way *t)
{
	const struct point *side = t->ours->kind == NODE_GONE ? w->request : &w->main;
	const char *above = t->ours->kind == NODE_GONE ? t->theirs->parent : t->ours->parent;
	struct node n;

	if (*above != '\0' && !node_get(w->db, w->arena, side, above, &n))
		t->clash->other = above;
}

void
rows_decide(struct rows *w, const struct node *own, struct three_way *t)
{
	struct node *base = arena_alloc(w->arena, sizeof(*base));
	struct node *theirs = arena_alloc(w->arena, sizeof(*theirs));

	*t = (struct three_way){ .db = w->db, .arena = w->arena, .ours = own };
	t->base = overlay_origin(w->db, w->arena, w->request, own, base) ? base : NULL;
	/*
	 * The row is compared with main's head and not with the request's base, because a request
	 * that was not updated is merged with the present main.
	 */
	t->theirs = node_get(w->db, w->arena, &w->main, own->id, theirs) ? theirs : NULL;
	three_way(t);
	if (t->clash != NULL && strcmp(t->clash->kind, "deleted") == 0)
		add_deletion_clash(w, t);
}

void
rows_decide_all(struct rows *w)
{
	size_t i;

	w->own = overlay_rows_at(w->db, w->arena, w->request->branch, w->request->seq, &w->n);
	/* order_carry() needs all rows of the request together, since it computes keys of siblings. */
	w->carried = order_carry(w->db, w->arena, w->request, &w->main, w->own, w->n, &w->below);
	w->three = arena_array(w->arena, w->n, sizeof(*w->three));
	for (i = 0; i < w->n; i++)
		rows_decide(w, &w->own[i], &w->three[i]);
}

bool
rows_breathe(struct rows *w)
{
	return w->stage == NULL || stage_breathe(w->stage);
}

/* ---- the tree ---- */

/* Adds a clash for each page that is alive at the point although its parent is not. */
static void
add_orphan_clashes(struct rows *w, const struct point *p, const char *id)
{
	size_t n, i;
	struct node *list = node_children(w->db, w->arena, p, id, &n);

	for (i = 0; i < n; i++)
		add_node_clash(w, "parent", &list[i], id);
}

void
rows_check(struct rows *w, const struct point *p)
{
	const char *fault, *other;
	struct node n;
	size_t i;

	for (i = 0; i < w->touched.n; i++) {
		const char *id = w->touched.list[i];
		/* This merge deletes the page, so pages below it must be deleted or moved as well. */
		if (!node_get(w->db, w->arena, p, id, &n))
			add_orphan_clashes(w, p, id);
		else if ((n.kind & NODE_PAGES) &&
		    (fault = tree_fault(w->db, w->arena, &w->main, p, &n, &other)) != NULL)
			add_node_clash(w, fault, &n, other);
	}
}

/* ---- merge ---- */

/*
 * Makes a decided row main's version at seq: writes it or ends it. Does nothing if main has this
 * version already.
 */
static void
apply_row(struct rows *w, const struct three_way *t, int64_t seq)
{
	struct node n = t->merged;

	ids_add(&w->touched, t->ours->id);
	/* The parent is recorded even if the row is not written, because the long key exists in any case. */
	if (t->present && strlen(n.ord) > ORDER_KEY_LONG)
		ids_add(&w->crowded, n.parent);
	if (!t->present) {
		if (t->theirs != NULL)
			node_end(w->db, w->main.branch, t->ours->id, seq);
		return;
	}
	/* A row for a version that main already has would appear in the list of changes. */
	if (t->theirs != NULL && node_same(t->theirs, &n) &&
	    str_eq(n.front, node_front(w->db, w->arena, t->theirs)))
		return;
	/* Rows of main have no base. */
	n.origin = -1;
	node_put(w->db, w->main.branch, seq, &n);
}

/* An old address that becomes a redirect. */
struct redirects {
	struct redirects *next;
	const char       *from, *to, *page;
};

/* Compares the paths of pages before and after the merge. */
struct redirects *
rows_redirects(struct rows *w, int64_t seq)
{
	struct redirects *first = NULL, **last = &first;
	struct point after = w->main;
	struct node was, is;
	size_t i;

	after.seq = seq;
	for (i = 0; i < w->touched.n; i++) {
		const char *id = w->touched.list[i];
		char *from, *to;
		/* Only addresses of documents are kept for readers. New and deleted pages leave no redirect. */
		if (!node_get(w->db, w->arena, &w->main, id, &was) || was.kind != NODE_DOCUMENT ||
		    !node_get(w->db, w->arena, &after, id, &is))
			continue;
		from = page_path(w->db, w->arena, &w->main, &was);
		to = page_path(w->db, w->arena, &after, &is);
		if (strcmp(from, to) == 0)
			continue;
		*last = arena_alloc(w->arena, sizeof(**last));
		**last = (struct redirects){ NULL, from, to, id };
		last = &(*last)->next;
	}
	return first;
}

/* Renumbers siblings in main if their keys got too long: store/order.h. */
static void
renumber_crowded(struct rows *w, int64_t seq)
{
	struct map *done = map_new(w->arena);
	struct point after = w->main;
	size_t i;

	after.seq = seq;
	for (i = 0; i < w->crowded.n && rows_breathe(w); i++)
		/* Each parent once; crowded has one entry for each long key. */
		if (map_add(done, str_of(w->crowded.list[i]), w))
			order_renumber(w->db, w->arena, &after, w->crowded.list[i]);
}

/*
 * New keys belong to the revision that wrote the long ones (store/order.h), so they are written
 * with its number.
 */
void
rows_finish(struct rows *w, const struct redirects *list, int64_t seq)
{
	for (; list != NULL && rows_breathe(w); list = list->next)
		redirect_put(w->db, w->arena, w->main.branch, seq, list->from, list->to, list->page);
	renumber_crowded(w, seq);
}

/* True if main's version after this merge is the row as the request shows it. */
static bool
is_taken_unchanged(const struct three_way *t)
{
	return t->present == (t->ours->kind != NODE_GONE) && (!t->present || node_same(t->ours, &t->merged));
}

void
rows_record_clashes(struct rows *w)
{
	size_t i;

	/*
	 * If keys must be carried over to another era, all rows are written before the check,
	 * because clashes are reported in the order of pages.
	 */
	w->clean = w->below.n == 0;
	for (i = 0; i < w->n; i++) {
		struct three_way *t = &w->three[i];
		if (t->clash != NULL) {
			add_clashes(w, t->clash);
			t->present = w->own[i].kind != NODE_GONE;
			t->merged = w->own[i];
			t->body.p = NULL;
		}
		w->clean = w->clean && is_taken_unchanged(t);
	}
}

struct point
rows_view(const struct rows *w)
{
	struct point p = *w->request;

	p.base_seq = w->main.seq;
	return p;
}

void
rows_apply(struct rows *w, int64_t seq)
{
	size_t i;

	for (i = 0; i < w->n && rows_breathe(w); i++) {
		three_way_store(&w->three[i]);
		apply_row(w, &w->three[i], seq);
	}
}

/* Decides the rows. True: the tree is checked as well, since no row must be written for that. */
static bool
decide_and_read(struct rows *w)
{
	struct point view;
	size_t i;

	rows_decide_all(w);
	rows_record_clashes(w);
	if (!w->clean)
		return false;
	for (i = 0; i < w->n; i++)
		ids_add(&w->touched, w->own[i].id);
	view = rows_view(w);
	rows_check(w, &view);
	return true;
}

/*
 * Decides the rows, and then checks the tree, since a page and its new parent may come in either
 * order. Rows that must be written for the check are written after a savepoint, which the caller
 * rolls back or releases. True: there is a savepoint.
 */
static bool
decide_and_check(struct rows *w, int64_t seq)
{
	struct point after = w->main;

	if (decide_and_read(w))
		return false;
	after.seq = seq;
	db_mark(w->db);
	rows_apply(w, seq);
	rows_check(w, &after);
	return true;
}

struct clash *
request_clashes(struct db *db, struct arena *a, const struct point *request)
{
	struct rows w;

	rows_init(&w, db, a, request);
	if (decide_and_check(&w, w.main.seq + 1))
		db_undo(db);
	return w.clashes;
}

struct clash *
request_clashes_read(struct db *db, struct arena *a, const struct point *request)
{
	struct rows w;

	rows_init(&w, db, a, request);
	decide_and_read(&w);
	return w.clashes;
}

bool
request_properties_of_main(struct db *db, struct arena *a, const struct point *request, const char *page,
    const char **props, struct str *front)
{
	struct point main = overlay_base(request);
	struct node own, base, theirs;
	struct text_conflict *places;
	const char *field;

	/* The request has no version of its own, a side lacks the page, or the request changed the kind, too. */
	if (!node_at(db, a, request, page, &own) || !overlay_origin(db, a, request, &own, &base) ||
	    !node_get(db, a, &main, page, &theirs) || (own.kind != theirs.kind && own.kind != base.kind))
		return false;
	merge_json(a, base.props, theirs.props, own.props, props, &field);
	merge_text(a, node_front(db, a, &base), node_front(db, a, &theirs), node_front(db, a, &own), front, &places);
	return true;
}

void
request_merge(struct db *db, struct arena *a, const struct point *request, const char *author,
    struct large *large, struct merge_outcome *out)
{
	struct revision_info info = { .kind = "merge", .merged = request->revision,
		.author = author };
	struct point now;
	struct rows w;
	char *revision;
	int64_t seq;
	bool marked;

	rows_init(&w, db, a, request);
	seq = w.main.seq + 1;
	*out = (struct merge_outcome){ .revision = w.main.revision, .seq = w.main.seq };
	marked = decide_and_check(&w, seq);
	/*
	 * A request without rows is merged without a revision (docs/design/merging.md, "Merge of a
	 * change request").
	 */
	if ((out->clashes = w.clashes) != NULL || w.n == 0) {
		if (marked)
			db_undo(db);
		return;
	}
	if (marked) {
		db_keep(db);
	} else {
		w.touched.n = 0;
		rows_apply(&w, seq);
	}
	rows_finish(&w, rows_redirects(&w, seq), seq);
	out->seq = revision_add(db, a, w.main.branch, &info, &revision);
	space_touch(db, request->space);
	point_head(db, a, w.main.branch, &now);
	/*
	 * Search, links and comments are updated in the same transaction: readers never see content
	 * without them.
	 */
	out->waits = !propagate_changed(db, a, &now, large);
	out->revision = revision;
	out->changed = true;
}

/* ---- writing in a request ---- */

/* Main at the request's base point and not at its head, since that is what the author has seen. */
static bool
node_in_base(struct db *db, struct arena *a, const struct point *request, const char *id,
    struct node *out)
{
	struct point p = overlay_base(request);

	return node_get(db, a, &p, id, out);
}

/*
 * A version equal to main's needs no row: a row that is equal to its origin would count as one that
 * an update restored.
 */
void
request_put(struct db *db, struct arena *a, const struct point *request, int64_t seq,
    struct node *n)
{
	struct node base;
	bool there = node_in_base(db, a, request, n->id, &base);

	n->origin = there ? base.since : -1;
	if (there)
		order_follow_main(db, a, request, seq, &base, n);
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

	if (!node_in_base(db, a, request, id, &base)) {
		/* The page exists only in the request: its row ends, and no tombstone is needed. */
		node_end(db, request->branch, id, seq);
		return;
	}
	gone.origin = base.since;
	node_put(db, request->branch, seq, &gone);
}
