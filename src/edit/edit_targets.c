/*
 * The targets of a page's links while it is written: resolved ahead of the transaction if there are
 * many, and again inside it only if something that an answer depends on changed since
 * (store/places.h).
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

/* An answer that depends on a key. */
struct part {
	struct part       *next;
	struct edit_lookup *asked;
};

/* ---- keys of answers ---- */

/* For a look-up ahead: registers the answer under each of its keys. */
static void
note_part(void *ctx, const char *key)
{
	struct edit_targets *t = ctx;
	struct part *first = map_get(t->keys, str_of(key)), *p;
	struct edit *e = t->edit;
	struct arena *a = e->arena;

	/* Both readings of a spelling usually have the same key, one right after the other. */
	if ((first != NULL && first->asked == t->asking) ||
	    ++e->keys > e->keys_most)
		return;
	p = arena_alloc(a, sizeof(*p));
	*p = (struct part){ first, t->asking };
	/* The key's memory is used again after the call, so it is copied. */
	*map_at(t->keys, first != NULL ? str_of(key) : str_of(arena_strdup(a, key))) = p;
}

/* Marks the answer as invalid: it must be found again. */
static void
mark_stale(struct edit_targets *t, struct edit_lookup *r)
{
	if (r->stale == t->turn)
		return;
	r->stale = t->turn;
	r->next_stale = t->stale;
	t->stale = r;
}

/* Marks the answers that depend on a changed key. */
static void
note_change(struct edit_targets *t, const char *key)
{
	struct part *p;

	for (p = map_get(t->keys, str_of(key)); p != NULL; p = p->next)
		mark_stale(t, p->asked);
}

/* ---- what changed since ---- */

static void
add_key(void *ctx, const char *key)
{
	struct edit *e = ctx;

	e->moved = arena_grow(e->arena, e->moved, e->moved_n, &e->moved_room, sizeof(*e->moved));
	e->moved[e->moved_n++] = key;
}

void
edit_moved(struct edit *e, const char *id)
{
	if (e->ahead != NULL && !place_changed(e->db, e->arena, &e->ahead->at, &e->now, id, add_key, e))
		e->ahead->lost = true;
}

void
edit_moved_all(struct edit *e)
{
	if (e->ahead != NULL && !places_changed(e->db, e->arena, &e->ahead->at, &e->now, add_key, e))
		e->ahead->lost = true;
}

/* ---- targets of a page ---- */

/* Links are resolved at e->now, relative to n. */
static void
targets_of(struct edit_targets *t, struct edit *e, const struct node *n)
{
	struct str refs;

	if (e->scratch == NULL)
		e->scratch = arena_within(e->arena, (size_t)1 << 30);
	*t = (struct edit_targets){ .edit = e, .id = n->id, .tried = map_new(e->arena) };
	resolver_at(&t->resolver, e->arena, e->db, &e->now, n);
	if (n->refs.n > 0 && blob_get(e->db, e->arena, n->refs, &refs))
		t->known = link_map_read(e->arena, refs);
}

struct edit_targets *
edit_targets_ahead(struct edit *e, const struct node *n)
{
	struct edit_targets *t = arena_alloc(e->arena, sizeof(*t));

	targets_of(t, e, n);
	t->keys = map_new(e->arena);
	resolver_watch(&t->resolver, note_part, t);
	return t;
}

/* True if both resolve a spelling relative to the same place. */
static bool
same_place(const struct edit_targets *x, const struct edit_targets *y)
{
	return strcmp(x->id, y->id) == 0 && same_text(x->resolver.from, y->resolver.from) &&
	    same_text(x->resolver.inside, y->resolver.inside) && strcmp(x->resolver.root, y->resolver.root) == 0;
}

/* Takes over the answers found ahead for the same place; false: there are none. */
static bool
take_over(struct edit_targets *t, const struct edit_targets *ahead)
{
	struct edit *e = t->edit;
	struct edit_lookup *r;
	size_t i;

	if (ahead == NULL || !same_place(t, ahead) || (e->ahead->crowded && e->moved_n > 0))
		return false;
	t->keys = ahead->keys;
	t->tried = ahead->tried;
	for (i = 0; i < e->moved_n; i++)
		note_change(t, e->moved[i]);
	/* They are from an earlier transaction. */
	for (r = ahead->given; r != NULL; r = r->next_given)
		mark_stale(t, r);
	return true;
}

void
edit_targets_now(struct edit_targets *t, struct edit *e, int change, const struct node *n)
{
	const struct edit_made *first = e->ahead == NULL || e->ahead->lost ? NULL : e->ahead->made, *m;

	targets_of(t, e, n);
	t->turn = e->ahead != NULL ? ++e->ahead->turns : 1;
	for (m = first; m != NULL; m = m->next)
		if (m->change == change && take_over(t, m->targets))
			return;
	for (m = first; m != NULL; m = m->next)
		if (take_over(t, m->map) || take_over(t, m->targets))
			return;
}

/* ---- where a spelling leads ---- */

static bool
is_out_of_lookups(const struct edit *e)
{
	return e->looked >= LOOK_UPS;
}

static struct edit_lookup *
asked_new(struct edit_targets *t, struct str spelling)
{
	struct arena *a = t->edit->arena;
	struct edit_lookup *r = arena_alloc(a, sizeof(*r));

	r->spelling = (struct str){ arena_strndup(a, spelling.p, spelling.n), spelling.n };
	map_add(t->tried, r->spelling, r);
	r->next = t->asked;
	t->asked = r;
	/* An answer found inside the transaction is valid until something else is written. */
	r->inside = t->turn > 0;
	r->stale = t->turn;
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

/* Ahead: takes the target that the batch itself gave the spelling when it was applied before. */
static void
take_given(struct edit_targets *t, struct edit_lookup *r)
{
	const struct edit_lookup *before = t->before == NULL ? NULL : map_get(t->before, r->spelling);

	if (before != NULL && before->found > 0) {
		r->now = before->now;
		r->next_given = t->given;
		t->given = r;
	}
	r->was = r->now;
}

/* The answer of this turn: an earlier one, unless something that it depends on has changed. */
static const struct doc_ref *
get_answer(struct edit_targets *t, struct str spelling)
{
	static const struct doc_ref nowhere = { .kind = REF_NONE };
	struct edit_lookup *r = map_get(t->tried, spelling);
	struct edit *e = t->edit;

	if (r != NULL && !r->inside && r->stale != t->turn)
		return &r->was;
	if (r != NULL && r->found == t->turn)
		return &r->now;
	if (t->turn > 0 && is_out_of_lookups(e))
		return &nowhere;
	e->looked += t->turn > 0;
	if (r == NULL)
		r = asked_new(t, spelling);
	t->asking = r;
	look_up(t, spelling, &r->now);
	r->found = t->turn;
	if (t->turn == 0)
		take_given(t, r);
	return &r->now;
}

/* Each spelling is resolved once: a page may contain the same link many times. */
static bool
leads_now(struct edit_targets *t, struct str spelling, struct doc_ref *out)
{
	*out = *get_answer(t, spelling);
	return out->kind != REF_NONE;
}

void
edit_targets_for_body(struct edit_targets *t)
{
	struct edit_lookup *r;

	for (r = t->asked; r != NULL; r = r->next)
		r->body = true;
}

bool
edit_leads_as_before(struct edit_targets *t, const struct edit_targets *ahead, bool body)
{
	const struct doc_ref *now;
	struct edit_lookup *r;
	bool same = true;

	/* Without answers nothing can have changed. */
	if (ahead->asked != NULL && t->tried != ahead->tried)
		return false;
	for (r = t->stale; r != NULL; r = r->next_stale) {
		/*
		 * There are too many to resolve again: the body stays as it was right when it was
		 * read.
		 */
		if (body && (!r->body || is_out_of_lookups(t->edit)))
			continue;
		now = get_answer(t, r->spelling);
		/* All are resolved: if the body is made again, each answer is needed. */
		same &= now->kind == r->was.kind && (now->kind == REF_NONE || ref_same(now, &r->was));
	}
	return same;
}

/* The stored map has the place in the page that a fragment names. */
static void
place_known(const struct edit_targets *t, struct str spelling, struct doc_ref *ref)
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
edit_leads_to(void *ctx, struct arena *a, struct str spelling, enum doc_use use, struct doc_ref *out)
{
	struct edit_targets *t = ctx;

	(void)a;
	(void)use;
	if (!leads_now(t, spelling, out))
		return link_map_find(&t->known, spelling, out);
	place_known(t, spelling, out);
	return true;
}

bool
edit_led_to(void *ctx, struct arena *a, struct str spelling, enum doc_use use, struct doc_ref *out)
{
	struct edit_targets *t = ctx;
	struct doc_ref now;

	(void)a;
	(void)use;
	if (!link_map_find(&t->known, spelling, out))
		return leads_now(t, spelling, out);
	/* It has no target now, so the stored one counts; the spelling may stay. */
	if (!leads_now(t, spelling, &now))
		return true;
	place_known(t, spelling, &now);
	return ref_same(&now, out);
}

/* ---- link maps ---- */

/*
 * Finds the result made ahead by its body: it is valid only if that body was stored. Prefers the
 * one of the page itself, otherwise takes any other: their links are the same.
 */
static const struct edit_made *
made_of(const struct edit *e, const struct node *n, const struct edit_targets *t)
{
	const struct edit_made *m = e->ahead == NULL ? NULL : e->ahead->made, *any = NULL;

	for (; m != NULL; m = m->next) {
		if (!str_eq(m->stored.hash, n->body))
			continue;
		if (m->map != NULL && t->tried == m->map->tried && str_eq(m->old_refs, n->refs))
			return m;
		any = m;
	}
	return any;
}

/* A link without a current target keeps the target of the page's stored map. */
static struct str
links_of(struct edit *e, const struct node *n)
{
	const struct edit_made *m;
	struct doc_link *links = NULL;
	struct edit_targets t;
	struct str body;

	edit_targets_now(&t, e, -1, n);
	m = made_of(e, n, &t);
	if (m != NULL && m->map != NULL && t.tried == m->map->tried && str_eq(m->old_refs, n->refs) &&
	    edit_leads_as_before(&t, m->map, false))
		return m->refs;
	if (m != NULL)
		links = m->links;
	else if (blob_get(e->db, e->arena, n->body, &body))
		links = doc_links(e->arena, body);
	return link_map_of_targets(e->arena, links, edit_leads_to, &t, NULL, NULL);
}

void
edit_links_ahead(struct edit *e, struct edit_made *m, const struct node *placed)
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
	m->refs = link_map_of_targets(e->arena, m->links, edit_leads_to, m->map, NULL, NULL);
}

/* After all changes, so that a link to a page that a later change inserts is resolved too. */
bool
edit_links(struct edit *e)
{
	struct edit_page *p;
	struct str refs;
	struct node n;

	/* request_remove_repairs() may have written rows as well. */
	edit_moved_all(e);
	for (p = e->pages; p != NULL; p = p->next) {
		/* A reverted page may have no row in the branch: main's map is used for it. */
		if (!p->body_changed || !node_get(e->db, e->arena, &e->now, p->id, &n) ||
		    n.branch != e->now.branch || n.kind != NODE_DOCUMENT)
			continue;
		refs = links_of(e, &n);
		refs = refs.n > 0 ? blob_put(e->db, e->arena, refs) : (struct str){ NULL, 0 };
		if (str_eq(refs, n.refs))
			continue;
		if (n.since == e->now.seq && n.origin < 0) {
			node_set_refs(e->db, &n, refs);
			continue;
		}
		/*
		 * Main has the page, so the row may be equal to main's now: the whole row is written
		 * again, with its map. node_get() does not load the front matter.
		 */
		n.front = node_front(e->db, e->arena, &n);
		n.refs = refs;
		edit_put(e, &n);
	}
	return true;
}
