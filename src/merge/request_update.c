/* `update` of a change request: merges the changes of main into it. Contract: request.h. */
#include "store/order.h"
#include "request_parts.h"

SQL(q_base_changed,
    "SELECT DISTINCT id FROM (SELECT id FROM node WHERE branch = :b AND since > :from AND since <= :to "
    "UNION ALL SELECT id FROM node WHERE branch = :b AND until > :from AND until <= :to) AS c");

/*
 * Takes main's changes to the parts of the page that do not clash. The origin stays, so that the
 * clashes are reported until the page is written. So all of main's changes are visible, either
 * in the page or in the list of clashes.
 */
static void
take_unclashing_changes(struct rows *w, const struct node *own, const struct three_way *t, int64_t seq)
{
	struct node n = t->merged;

	/* Only a merge by fields can have other changes. Otherwise the row stays, and so does the clash. */
	if (!t->by_field || (node_same(own, &n) &&
	    str_eq(node_front(w->db, w->arena, own), n.front)))
		return;
	n.origin = own->origin;
	three_way_store(t);
	node_put(w->db, w->request->branch, seq, &n);
}

/*
 * Main deleted a page with everything below it, but the request has moved that page, and the pages
 * below it with it. So these become the request's own. They have no origin: only deleting the
 * page deletes them.
 */
static void
adopt_children(struct rows *w, const struct point *now, const char *id)
{
	size_t count, i;
	struct node *list = node_children(w->db, w->arena, w->request, id, &count), n;

	for (i = 0; i < count && rows_breathe(w); i++) {
		if (!node_get(w->db, w->arena, now, list[i].id, &n)) {
			n = list[i];
			n.front = node_front(w->db, w->arena, &n);
			n.origin = -1;
			order_restore_place(w->db, w->arena, w->request, now, &n);
			node_put(w->db, now->branch, now->seq, &n);
			ids_add(&w->touched, n.id);
		}
		/* A page that was moved has taken the pages below it along. */
		if (strcmp(n.parent, id) == 0)
			adopt_children(w, now, n.id);
	}
}

/*
 * Writes the row again, with its order key converted to main's current era: main has renumbered
 * the siblings since the base point (store/order.h).
 */
static void
write_converted_key(struct rows *w, const struct node *own, int64_t seq)
{
	struct node n = *own;

	n.front = node_front(w->db, w->arena, own);
	node_put(w->db, w->request->branch, seq, &n);
}

/*
 * Updates one row of the request for main's new head: it is merged, ended so that main's page
 * shows, or not changed.
 */
static void
refresh_row(struct rows *w, const struct three_way *t, int64_t seq)
{
	const struct node *own = t->ours;
	struct node n;

	ids_add(&w->touched, own->id);
	/*
	 * This comes before the cases below, some of which do not write the row: its order key must
	 * be valid beside main's renumbered siblings in any case.
	 */
	if (map_has(w->carried, str_of(own->id)))
		write_converted_key(w, own, seq);
	if (t->clash != NULL) {
		take_unclashing_changes(w, own, t, seq);
		if (t->theirs == NULL && t->base != NULL && strcmp(own->parent, t->base->parent) != 0)
			ids_add(&w->rescued, own->id);
		return;
	}
	/* Both sides deleted the page: the tombstone hides nothing any more. */
	if (!t->present && t->theirs == NULL) {
		node_end(w->db, w->request->branch, own->id, seq);
		return;
	}
	if (!t->present) {
		/* Main still has the version that the tombstone was made from. */
		if (t->base != NULL && t->base->since == t->theirs->since)
			return;
		n = *own;
		/*
		 * The tombstone stays. Main's current version becomes its origin, so that the next
		 * merge finds no later edit of main.
		 */
		n.origin = t->theirs->since;
		node_put(w->db, w->request->branch, seq, &n);
		return;
	}
	if (t->theirs == NULL || (t->base != NULL && t->base->since == t->theirs->since))
		return;
	/*
	 * A merge result equal to main's version needs no row: the request then shows main's page.
	 */
	if (node_same(t->theirs, &t->merged) &&
	    str_eq(t->merged.front, node_front(w->db, w->arena, t->theirs))) {
		node_end(w->db, w->request->branch, own->id, seq);
		return;
	}
	n = t->merged;
	n.origin = t->theirs->since;
	three_way_store(t);
	node_put(w->db, w->request->branch, seq, &n);
}

/* Reads the request's own row at the new revision. False: there is none, and the request shows main's page. */
static bool
read_own_row(struct rows *w, const struct point *now, const char *id, struct node *out)
{
	struct point p = { .branch = now->branch, .seq = now->seq };

	return node_at(w->db, w->arena, &p, id, out);
}

/* Hides a new page of main that has no valid place here. A merge never deletes it. */
static void
hide_page(struct rows *w, const struct point *now, const char *id)
{
	struct node n = { .id = id, .kind = NODE_GONE, .origin = -1, .parent = "", .ord = "",
		.slug = "", .title = "", .props = "{}", .at = time_now(), .made = time_now() };

	node_put(w->db, now->branch, now->seq, &n);
}

/*
 * The page as the request showed it before the update, with the place and the origin of that time.
 * Only the place was invalid, so main's other changes stay: who resolves the clash sees only the
 * place.
 */
static struct node
with_former_place(struct rows *w, const struct point *now, struct node before)
{
	struct node n;

	if (!node_get(w->db, w->arena, now, before.id, &n))
		n = before;
	n.front = node_front(w->db, w->arena, &n);
	copy_place(&n, &before);
	n.origin = before.branch == now->branch ? before.origin : before.since;
	return n;
}

/* Restores the page. False: it has that state already. */
static bool
restore_page(struct rows *w, const struct point *now, const char *id)
{
	struct node before, own, n;
	bool is_own = read_own_row(w, now, id, &own);
	const char *key;

	/* The row is older than this update, so the update did not write it. */
	if (is_own && own.since < now->seq)
		return false;
	if (!node_get(w->db, w->arena, w->request, id, &before)) {
		/*
		 * This also applies to a page that move_new_page_aside() has just given an address,
		 * because it has no valid place either.
		 */
		if (is_own && own.kind == NODE_GONE)
			return false;
		hide_page(w, now, id);
		return true;
	}
	if ((key = map_get(w->carried, str_of(id))) != NULL)
		before.ord = key;
	n = with_former_place(w, now, before);
	if (is_own && own.origin == n.origin && node_same(&own, &n))
		return false;
	node_put(w->db, now->branch, now->seq, &n);
	return true;
}

/*
 * Main added a page at the address of a page of the request: main's page gets the next free slug in
 * the request.
 */
static bool
move_new_page_aside(struct rows *w, const struct point *now, const char *id)
{
	struct node n;

	if (read_own_row(w, now, id, &n) || node_get(w->db, w->arena, w->request, id, &n) ||
	    !node_get(w->db, w->arena, now, id, &n))
		return false;
	n.path = NULL;
	n.front = node_front(w->db, w->arena, &n);
	n.origin = -1;
	/*
	 * The page keeps its address in main; in the request it has the next free one. Without an
	 * origin the next merge compares it with main's page as one that both sides added, so the
	 * clash is found again.
	 */
	page_free_slug(w->db, w->arena, now, &n);
	node_put(w->db, now->branch, now->seq, &n);
	return true;
}

static bool
mend_path(struct rows *w, const struct point *now, const struct node *n, const char *other)
{
	/*
	 * Main's new page is changed first, since it was not written in the request. Only then
	 * is a page moved back to its old place.
	 */
	return move_new_page_aside(w, now, n->id) || move_new_page_aside(w, now, other) ||
	    restore_page(w, now, n->id) || restore_page(w, now, other);
}

/* Corrects a page that has no valid place at the point. False: its place is valid, or cannot be corrected. */
static bool
correct_place(struct rows *w, const struct point *now, const char *id)
{
	const char *fault, *other;
	struct node n, *list;
	bool mended = false;
	size_t k, below;

	if (!node_get(w->db, w->arena, now, id, &n)) {
		list = node_children(w->db, w->arena, now, id, &below);
		for (k = 0; k < below; k++)
			mended |= restore_page(w, now, id) || restore_page(w, now, list[k].id);
		return mended;
	}
	if (!(n.kind & NODE_PAGES) ||
	    (fault = tree_fault(w->db, w->arena, w->request, now, &n, &other)) == NULL)
		return false;
	/*
	 * Two pages have one address. Every other fault (parent, cycle, depth) belongs to a page
	 * that main moved or deleted, and which is touched itself, wherever it is among the
	 * ancestors.
	 */
	return strcmp(fault, "path") == 0 ? mend_path(w, now, &n, other) : restore_page(w, now, id);
}

bool
rows_tree_is_valid(struct rows *w, const struct point *now)
{
	const char *other;
	struct node n;
	size_t i, below;

	for (i = 0; i < w->touched.n; i++) {
		if (!node_get(w->db, w->arena, now, w->touched.list[i], &n)) {
			node_children(w->db, w->arena, now, w->touched.list[i], &below);
			if (below > 0)
				return false;
		} else if ((n.kind & NODE_PAGES) != 0 &&
		    tree_fault(w->db, w->arena, w->request, now, &n, &other) != NULL) {
			return false;
		}
	}
	return true;
}

/* One round over all touched pages; true if one was changed. */
static bool
mend_tree(struct rows *w, const struct point *now)
{
	size_t i, count = w->touched.n;
	bool mended = false;

	for (i = 0; i < count && rows_breathe(w); i++)
		mended |= correct_place(w, now, w->touched.list[i]);
	return mended;
}

/*
 * Restoring a page may leave another page without a valid place. Each page is restored at most
 * once, so the loop ends.
 */
void
rows_mend_tree(struct rows *w, const struct point *now)
{
	size_t rounds = 0;

	while (mend_tree(w, now) && rounds++ < w->touched.n + 10)
		;
}

/*
 * Main's changes since the last update must be checked, too: a new page of main can be at the
 * address of a page of the request.
 */
static void
add_pages_changed_by_main(struct rows *w)
{
	struct stmt *q = db_use(w->db, &q_base_changed);

	bind_int(q, ":b", w->main.branch);
	bind_int(q, ":from", w->request->base_seq);
	bind_int(q, ":to", w->main.seq);
	while (stmt_step(q))
		ids_add(&w->touched, col_dup(q, 0, w->arena));
}

/*
 * Main may be unchanged since the last update, but what prevented the merge of a restored row may
 * be gone. The row can be merged now, so the request is not up to date.
 */
bool
rows_up_to_date(struct rows *w)
{
	struct node *own;
	struct three_way t;
	size_t n, i;

	if (w->main.seq != w->request->base_seq)
		return false;
	own = overlay_rows_at(w->db, w->arena, w->request->branch, w->request->seq, &n);
	for (i = 0; i < n; i++) {
		rows_decide(w, &own[i], &t);
		/* No clash any more, but the row still has its old origin, as restored rows do. */
		if (t.clash == NULL && t.base != NULL && t.theirs != NULL &&
		    t.base->since != t.theirs->since)
			return false;
	}
	return true;
}

/*
 * `now` reads the request with the new base, w->request with the old one: restore_page() compares
 * both. All merges were decided before the first row is written (rows_decide_all()).
 */
void
rows_refresh(struct rows *w, const struct point *now)
{
	size_t i;

	order_write_marks(w->db, w->arena, now, &w->below);
	for (i = 0; i < w->n && rows_breathe(w); i++)
		refresh_row(w, &w->three[i], now->seq);
	for (i = 0; i < w->rescued.n; i++)
		adopt_children(w, now, w->rescued.list[i]);
	add_pages_changed_by_main(w);
}

void
request_update(struct db *db, struct arena *a, const struct point *request, const char *author,
    struct merge_outcome *out)
{
	struct revision_info info = { .kind = "update", .author = author };
	struct point now;
	struct rows w;
	char *revision;

	rows_init(&w, db, a, request);
	*out = (struct merge_outcome){ .revision = request->revision, .seq = request->seq };
	if (rows_up_to_date(&w)) {
		out->clashes = request_clashes(db, a, request);
		return;
	}
	rows_decide_all(&w);
	/* merged: the revision of main that is merged; base_seq: moves the base point of the request to it. */
	info.merged = w.main.revision;
	info.base_seq = w.main.seq;
	out->seq = revision_add(db, a, request->branch, &info, &revision);
	out->revision = revision;
	out->changed = true;
	point_head(db, a, request->branch, &now);
	rows_refresh(&w, &now);
	rows_mend_tree(&w, &now);
	/*
	 * The clashes are computed again from the finished tree, so that the answer equals what a
	 * merge would report.
	 */
	out->clashes = request_clashes(db, a, &now);
}
