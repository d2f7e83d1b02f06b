/* Reports the keys on which look-ups of links depend. Contract: store/places.h. */
#include <string.h>

#include "store/places.h"
#include "store/redirect.h"

/*
 * Ids of rows that began or ended after one revision, up to and including another. UNION, because a
 * new version does both.
 */
SQL(q_changed,
    "SELECT id FROM node WHERE branch = :b AND since > :from AND since <= :to "
    "UNION SELECT id FROM node WHERE branch = :b AND until > :from AND until <= :to");

/* Look-ups of a path ignore slashes at its ends and the case of letters. */
void
places_of_path(struct arena *a, const char *path, void (*each)(void *, const char *), void *ctx)
{
	char *key = page_key(a, path), *slash;

	each(ctx, arena_printf(a, "p:%s", key));
	while ((slash = strrchr(key, '/')) != NULL) {
		*slash = '\0';
		each(ctx, arena_printf(a, "s:%s", key));
	}
}

/*
 * True if all properties that a look-up uses are equal. The pages of a computed page depend on its
 * properties.
 */
static bool
same_place(const struct node *x, const struct node *y)
{
	return x->kind == y->kind && same_text(x->parent, y->parent) && same_text(x->slug, y->slug) &&
	    same_text(x->path, y->path) && same_text(x->git_path, y->git_path) && same_text(x->ord, y->ord) &&
	    (x->kind != NODE_COMPUTED || same_text(x->props, y->props));
}

/* The callback for keys. below: also report the keys of everything below a page, which moves with it. */
struct place_callback {
	struct arena *arena;
	void        (*each)(void *ctx, const char *key);
	void         *ctx;
	bool          below;
};

static void
report_path(const struct place_callback *t, const char *above, const char *path)
{
	const char *slash = *above == '\0' ? "" : "/";

	t->each(t->ctx, arena_printf(t->arena, "p:%s%s%s", above, slash, path));
	if (t->below)
		t->each(t->ctx, arena_printf(t->arena, "s:%s%s%s", above, slash, path));
}

/*
 * Reports all paths at which page_at() finds a page: below each ancestor with a path of its own,
 * and by slugs from the root.
 */
static void
report_paths(const struct place_callback *t, struct db *db, const struct point *p, const struct node *n)
{
	const char *below = n->slug;
	struct node up = *n;
	int depth;

	if (n->path != NULL)
		report_path(t, "", n->path);
	/* Cycles are refused only at the end of a batch; until then this limit ends the loop. */
	for (depth = 0; *up.parent != '\0' && depth < PAGE_DEPTH * 2; depth++) {
		if (!node_get(db, t->arena, p, up.parent, &up))
			return;
		if (up.path != NULL)
			report_path(t, up.path, below);
		below = arena_printf(t->arena, "%s/%s", up.slug, below);
	}
	report_path(t, "", below);
}

static void
report_places(const struct place_callback *t, struct db *db, const struct point *p, const struct node *n)
{
	if (n->git_path != NULL)
		t->each(t->ctx, arena_printf(t->arena, "g:%s", n->git_path));
	if (!(n->kind & NODE_PAGES))
		return;
	t->each(t->ctx, arena_printf(t->arena, "b:%s", n->parent));
	report_paths(t, db, p, n);
}

bool
place_changed(struct db *db, struct arena *a, const struct point *from, const struct point *to, const char *id,
    void (*each)(void *, const char *), void *ctx)
{
	struct place_callback t = { .arena = a, .each = each, .ctx = ctx };
	struct node was, is, below;
	bool before = node_get(db, a, from, id, &was), after = node_get(db, a, to, id, &is);

	/* These settings are always reported: same_place() does not compare what they contain. */
	if (before && after && same_place(&was, &is) && strcmp(id, SETTING_LAYOUT) != 0 && !redirect_is(id))
		return true;
	each(ctx, arena_printf(a, "i:%s", id));
	/*
	 * When a page is added or deleted, the pages below it are added or deleted by rows of their
	 * own. But if two pages have one slug, paths below it are searched below the first of them.
	 * When that page is added or deleted, these paths lead to other pages, although no row
	 * below the second page changes.
	 */
	t.below = (before && after && (node_end_child(db, a, from, id, false, NULL, &below) ||
	    node_end_child(db, a, to, id, false, NULL, &below))) ||
	    (before && page_shares_slug(db, a, from, &was)) || (after && page_shares_slug(db, a, to, &is));
	if (redirect_is(id)) {
		t.below = true;
		report_path(&t, "", id + strlen("redirect:"));
	}
	if (before)
		report_places(&t, db, from, &was);
	if (after)
		report_places(&t, db, to, &is);
	return strcmp(id, SETTING_LAYOUT) != 0;
}

bool
places_changed(struct db *db, struct arena *a, const struct point *from, const struct point *to,
    void (*each)(void *, const char *), void *ctx)
{
	struct { const char **list; size_t n, room; } ids = { NULL, 0, 0 };
	struct stmt *q = db_use(db, &q_changed);
	size_t i;

	/*
	 * If the base of the change request moved, it also shows main's changes between the two
	 * base points. These are not examined here: report that the keys are not known.
	 */
	if (from->branch != to->branch || from->base != to->base || from->base_seq != to->base_seq)
		return false;
	bind_int(q, ":b", to->branch);
	bind_int(q, ":from", from->seq);
	bind_int(q, ":to", to->seq);
	while (stmt_step(q)) {
		ids.list = arena_grow(a, ids.list, ids.n, &ids.room, sizeof(*ids.list));
		ids.list[ids.n++] = col_dup(q, 0, a);
	}
	/* The list was read completely before: the look-ups below use the same statements. */
	for (i = 0; i < ids.n; i++)
		if (!place_changed(db, a, from, to, ids.list[i], each, ctx))
			return false;
	return true;
}
