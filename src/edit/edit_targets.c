/*
 * The targets of a page's links while it is written: resolved before the transaction if there are
 * many, and again inside it only if a key on which a look-up depends has changed since
 * (store/places.h). The model is in edit_parts.h.
 */
#include <string.h>

#include "base/map.h"
#include "base/secret.h"
#include "edit_parts.h"
#include "store/places.h"

/*
 * Maximum number of look-ups of one batch inside the transaction, which take some tens of
 * microseconds each. Further spellings keep the target of the stored map, or get none; readers of
 * the page then resolve them.
 */
enum { LOOK_UPS = 2000 };

/* An entry in the list of look-ups that depend on one key. */
struct key_user {
	struct key_user *next;
	struct edit_lookup   *lookup;
};

/* ---- keys of look-ups ---- */

/* During preparation: registers the current look-up under each of its keys. */
static void
register_key(void *ctx, const char *key)
{
	struct edit_targets *t = ctx;
	struct key_user *first = map_get(t->keys, str_of(key)), *p;
	struct edit *e = t->edit;
	struct arena *a = e->arena;

	/* One look-up often uses the same key twice in succession, so the newest entry is compared. */
	if ((first != NULL && first->lookup == t->current) ||
	    ++e->keys > e->keys_most)
		return;
	p = arena_alloc(a, sizeof(*p));
	*p = (struct key_user){ first, t->current };
	/* The key's memory is used again after the call, so it is copied. */
	*map_at(t->keys, first != NULL ? str_of(key) : str_of(arena_strdup(a, key))) = p;
}

/* Marks the look-up as invalid in this turn: it must be made again. */
static void
mark_invalid(struct edit_targets *t, struct edit_lookup *r)
{
	if (r->invalid_in == t->turn)
		return;
	r->invalid_in = t->turn;
	r->next_invalid = t->invalid;
	t->invalid = r;
}

/* Marks the look-ups that depend on a changed key. */
static void
note_change(struct edit_targets *t, const char *key)
{
	struct key_user *p;

	for (p = map_get(t->keys, str_of(key)); p != NULL; p = p->next)
		mark_invalid(t, p->lookup);
}

/* ---- what changed since ---- */

static void
add_moved_key(void *ctx, const char *key)
{
	struct edit *e = ctx;

	e->moved = arena_grow(e->arena, e->moved, e->moved_n, &e->moved_room, sizeof(*e->moved));
	e->moved[e->moved_n++] = key;
}

void
edit_note_moved(struct edit *e, const char *id)
{
	if (e->ahead != NULL && !place_changed(e->db, e->arena, &e->ahead->at, &e->now, id, add_moved_key, e))
		e->ahead->changes_unknown = true;
}

void
edit_note_all_moved(struct edit *e)
{
	if (e->ahead != NULL && !places_changed(e->db, e->arena, &e->ahead->at, &e->now, add_moved_key, e))
		e->ahead->changes_unknown = true;
}

/* ---- targets of a page ---- */

/* Prepares to resolve the links of page n at e->now. */
static void
init_targets(struct edit_targets *t, struct edit *e, const struct node *n)
{
	struct str refs;

	if (e->scratch == NULL)
		e->scratch = arena_within(e->arena, (size_t)1 << 30);
	*t = (struct edit_targets){ .edit = e, .id = n->id, .by_spelling = map_new(e->arena) };
	resolver_at(&t->resolver, e->arena, e->db, &e->now, n);
	if (n->refs.n > 0 && blob_get(e->db, e->arena, n->refs, &refs))
		t->known = link_map_read(e->arena, refs);
}

struct edit_targets *
edit_targets_ahead(struct edit *e, const struct node *n)
{
	struct edit_targets *t = arena_alloc(e->arena, sizeof(*t));

	init_targets(t, e, n);
	t->keys = map_new(e->arena);
	resolver_watch(&t->resolver, register_key, t);
	return t;
}

/* True if both resolve a spelling relative to the same place. */
static bool
same_place(const struct edit_targets *x, const struct edit_targets *y)
{
	return strcmp(x->id, y->id) == 0 && same_text(x->resolver.from, y->resolver.from) &&
	    same_text(x->resolver.inside, y->resolver.inside) && strcmp(x->resolver.root, y->resolver.root) == 0;
}

/* Takes over the look-ups prepared for the same place; false: there are none. */
static bool
reuse_lookups(struct edit_targets *t, const struct edit_targets *ahead)
{
	struct edit *e = t->edit;
	struct edit_lookup *r;
	size_t i;

	if (ahead == NULL || !same_place(t, ahead) || (e->ahead->keys_incomplete && e->moved_n > 0))
		return false;
	t->keys = ahead->keys;
	t->by_spelling = ahead->by_spelling;
	for (i = 0; i < e->moved_n; i++)
		note_change(t, e->moved[i]);
	/* Their results are from an earlier transaction, which was rolled back. */
	for (r = ahead->earlier; r != NULL; r = r->next_earlier)
		mark_invalid(t, r);
	return true;
}

void
edit_targets_now(struct edit_targets *t, struct edit *e, int change, const struct node *n)
{
	const struct edit_prepared *first = e->ahead == NULL || e->ahead->changes_unknown ? NULL : e->ahead->made, *m;

	init_targets(t, e, n);
	t->turn = e->ahead != NULL ? ++e->ahead->turns : 1;
	for (m = first; m != NULL; m = m->next)
		if (m->change == change && reuse_lookups(t, m->targets))
			return;
	for (m = first; m != NULL; m = m->next)
		if (reuse_lookups(t, m->map) || reuse_lookups(t, m->targets))
			return;
}

/* ---- the target of a spelling ---- */

static bool
is_out_of_lookups(const struct edit *e)
{
	return e->lookups_inside >= LOOK_UPS;
}

static struct edit_lookup *
lookup_new(struct edit_targets *t, struct str spelling)
{
	struct arena *a = t->edit->arena;
	struct edit_lookup *r = arena_alloc(a, sizeof(*r));

	r->spelling = (struct str){ arena_strndup(a, spelling.p, spelling.n), spelling.n };
	map_add(t->by_spelling, r->spelling, r);
	r->next = t->lookups;
	t->lookups = r;
	/* A result found inside the transaction is valid until something else is written. */
	r->inside = t->turn > 0;
	r->invalid_in = t->turn;
	r->found = -1;
	return r;
}

/* Uses a scratch arena that is reset: look-ups allocate many times what they return. */
static void
look_up(struct edit_targets *t, struct str spelling, struct doc_ref *out)
{
	struct arena *a = t->edit->arena;
	const char **texts[] = { &out->id, &out->anchor, &out->space, &out->url };
	size_t i;

	if (!resolve_use(&t->resolver, t->edit->scratch, spelling, USE_LINK, out))
		*out = (struct doc_ref){ .kind = REF_NONE };
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (*texts[i] != NULL)
			*texts[i] = arena_strdup(a, *texts[i]);
	arena_reset(t->edit->scratch);
}

/*
 * During a second preparation: takes the target that the spelling had when the batch was applied,
 * which the batch itself may have created.
 */
static void
take_earlier(struct edit_targets *t, struct edit_lookup *r)
{
	const struct edit_lookup *before = t->before == NULL ? NULL : map_get(t->before, r->spelling);

	if (before != NULL && before->found > 0) {
		r->now = before->now;
		r->next_earlier = t->earlier;
		t->earlier = r;
	}
	r->was = r->now;
}

/* The target in this turn: the prepared one, unless a key on which it depends has changed. */
static const struct doc_ref *
current_target(struct edit_targets *t, struct str spelling)
{
	static const struct doc_ref nowhere = { .kind = REF_NONE };
	struct edit_lookup *r = map_get(t->by_spelling, spelling);
	struct edit *e = t->edit;

	if (r != NULL && !r->inside && r->invalid_in != t->turn)
		return &r->was;
	if (r != NULL && r->found == t->turn)
		return &r->now;
	if (t->turn > 0 && is_out_of_lookups(e))
		return &nowhere;
	e->lookups_inside += t->turn > 0;
	if (r == NULL)
		r = lookup_new(t, spelling);
	t->current = r;
	look_up(t, spelling, &r->now);
	r->found = t->turn;
	if (t->turn == 0)
		take_earlier(t, r);
	return &r->now;
}

/* Each spelling is resolved once: a page may contain the same link many times. */
static bool
resolve_now(struct edit_targets *t, struct str spelling, struct doc_ref *out)
{
	*out = *current_target(t, spelling);
	return out->kind != REF_NONE;
}

void
edit_targets_for_body(struct edit_targets *t)
{
	struct edit_lookup *r;

	for (r = t->lookups; r != NULL; r = r->next)
		r->body = true;
}

bool
edit_targets_unchanged(struct edit_targets *t, const struct edit_targets *ahead, bool body)
{
	const struct doc_ref *now;
	struct edit_lookup *r;
	bool same = true;

	/* Without look-ups nothing can have changed. */
	if (ahead->lookups != NULL && t->by_spelling != ahead->by_spelling)
		return false;
	for (r = t->invalid; r != NULL; r = r->next_invalid) {
		/*
		 * Skip look-ups that the body does not use. If there are too many to resolve again,
		 * the body keeps the targets that were right when it was prepared.
		 */
		if (body && (!r->body || is_out_of_lookups(t->edit)))
			continue;
		now = current_target(t, r->spelling);
		/* The loop does not end early: if the body is made again, each target is needed. */
		same &= now->kind == r->was.kind && (now->kind == REF_NONE || ref_same(now, &r->was));
	}
	return same;
}

/* Takes the anchor from the stored map, if it is in the same page. */
static void
use_stored_anchor(const struct edit_targets *t, struct str spelling, struct doc_ref *ref)
{
	struct doc_ref old;

	/*
	 * resolve_use() returns the fragment as spelled; the map has the place that it was found to
	 * name.
	 */
	if (ref->kind == REF_ANCHOR && ref->id != NULL && link_map_find(&t->known, spelling, &old) &&
	    old.kind == REF_ANCHOR && old.id != NULL && strcmp(old.id, ref->id) == 0)
		ref->anchor = old.anchor;
}

bool
edit_resolve_link(void *ctx, struct arena *a, struct str spelling, enum doc_use use, struct doc_ref *out)
{
	struct edit_targets *t = ctx;

	(void)a;
	(void)use;
	if (!resolve_now(t, spelling, out))
		return link_map_find(&t->known, spelling, out);
	use_stored_anchor(t, spelling, out);
	return true;
}

bool
edit_resolve_stored_link(void *ctx, struct arena *a, struct str spelling, enum doc_use use, struct doc_ref *out)
{
	struct edit_targets *t = ctx;
	struct doc_ref now;

	(void)a;
	(void)use;
	if (!link_map_find(&t->known, spelling, out))
		return resolve_now(t, spelling, out);
	/* It has no target now, so the stored one counts; the spelling may stay. */
	if (!resolve_now(t, spelling, &now))
		return true;
	use_stored_anchor(t, spelling, &now);
	return ref_same(&now, out);
}

/* ---- link maps ---- */

/*
 * Finds the result made ahead by its body: it is valid only if that body was stored. Prefers the
 * one of the page itself, otherwise takes any other: their links are the same.
 */
static const struct edit_prepared *
find_prepared(const struct edit *e, const struct node *n, const struct edit_targets *t)
{
	const struct edit_prepared *m = e->ahead == NULL ? NULL : e->ahead->made, *any = NULL;

	for (; m != NULL; m = m->next) {
		if (!str_eq(m->stored.hash, n->body))
			continue;
		if (m->map != NULL && t->by_spelling == m->map->by_spelling && str_eq(m->old_refs, n->refs))
			return m;
		any = m;
	}
	return any;
}

/* Makes the page's link map. A link without a current target keeps the target of the stored map. */
static struct str
make_link_map(struct edit *e, const struct node *n)
{
	const struct edit_prepared *m;
	struct doc_link *links = NULL;
	struct edit_targets t;
	struct str body;

	edit_targets_now(&t, e, -1, n);
	m = find_prepared(e, n, &t);
	if (m != NULL && m->map != NULL && t.by_spelling == m->map->by_spelling && str_eq(m->old_refs, n->refs) &&
	    edit_targets_unchanged(&t, m->map, false))
		return m->refs;
	if (m != NULL)
		links = m->links;
	else if (blob_get(e->db, e->arena, n->body, &body))
		links = doc_links(e->arena, body);
	return link_map_of_targets(e->arena, links, edit_resolve_link, &t, NULL, NULL);
}

void
edit_links_ahead(struct edit *e, struct edit_prepared *m, const struct node *placed)
{
	/* A body with a fault is never stored. */
	if (m->fault != NULL)
		return;
	if (!m->linked)
		m->links = doc_links(e->arena, m->body);
	m->map = edit_targets_ahead(e, placed);
	/* Usually the page is not moved, and its links were resolved at the same place. */
	if (m->targets != NULL && same_place(m->map, m->targets))
		m->map = m->targets;
	m->refs = link_map_of_targets(e->arena, m->links, edit_resolve_link, m->map, NULL, NULL);
}

/*
 * Resolves the links of the batch. This follows all changes, so that a link to a page that a later
 * change inserts is resolved, too.
 */
bool
edit_links(struct edit *e)
{
	struct edit_page *p;
	struct str refs;
	struct node n;

	/* request_remove_repairs() may have written rows as well. */
	edit_note_all_moved(e);
	for (p = e->pages; p != NULL; p = p->next) {
		/* A reverted page may have no row in the branch: main's map is used for it. */
		if (!p->body_changed || !node_get(e->db, e->arena, &e->now, p->id, &n) ||
		    n.branch != e->now.branch || n.kind != NODE_DOCUMENT)
			continue;
		refs = make_link_map(e, &n);
		refs = refs.n > 0 ? blob_put(e->db, e->arena, refs) : (struct str){ NULL, 0 };
		if (str_eq(refs, n.refs))
			continue;
		if (n.since == e->now.seq && n.origin < 0) {
			node_set_refs(e->db, &n, refs);
			continue;
		}
		/*
		 * Main has this page, and the row may now equal main's. So the whole row is written
		 * again, with its link map. node_get() does not load the front matter.
		 */
		n.front = node_front(e->db, e->arena, &n);
		n.refs = refs;
		edit_put(e, &n);
	}
	return true;
}
