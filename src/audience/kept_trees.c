/*
 * Caches trees of pages between requests, because reading the tree is most of the cost of a page of
 * a site. A revision never changes, so its tree never becomes stale. Contract: audience/visit.h.
 *
 * If no page of a tree has a condition and none is computed, all visitors see the same pages:
 * requests share the tree and its index. If pages have conditions, there is a view for each set of
 * visible pages: the tree without the pages that are hidden. A view is cached once for all visitors
 * who see the same pages; a table from the claims of visitors to their views saves evaluating the
 * conditions. Both depend only on the revision and the claims, so they never become stale. Views of
 * a tree with computed pages are not cached, because they depend on more than the revision. Only
 * visit_trees_end() frees entries, so a request can use a tree until its end.
 */
#include <cjson/cJSON.h>

#include "base/map.h"
#include "base/secret.h"
#include "audience_parts.h"

/*
 * A process keeps at most TREES trees of TREE_BYTES each, and VIEWS views with VIEW_BYTES together.
 * BUILD_BYTES: largest tree that can be built. CLAIMS: entries of the table from claims to views.
 */
enum { TREES = 8, TREE_BYTES = 4 << 20, VIEWS = 16, VIEW_BYTES = 8 << 20, BUILD_BYTES = 1 << 30, CLAIMS = 256 };

struct cached_tree {
	struct arena       *arena;      /* NULL: the slot is free */
	const char         *revision;   /* NULL: the tree was not read completely */
	struct page        *tree;
	bool                computed;   /* the tree has computed pages */
	struct visit_pages *pages;      /* all pages, if all visitors see them; NULL: the view depends on the visitor */
	uint64_t            used;       /* value of use_count at the last use */
};

/* A view. Its texts are those of the cached tree of the revision, so both are dropped together. */
struct cached_view {
	struct arena       *arena;      /* NULL: the slot is free */
	const char         *revision;   /* NULL: the view is not complete */
	struct visit_pages *pages;
	uint64_t            used;       /* value of use_count at the last use */
};

/* The view of a revision for visitors with these claims. */
struct view_by_claims {
	unsigned char key[HASH_BYTES];  /* hash of claims and revision */
	unsigned char visible[HASH_BYTES]; /* hash of the ids of visible pages */
};

struct tree_cache {
	struct cached_tree    trees[TREES];
	struct cached_view    views[VIEWS];
	struct view_by_claims by_claims[CLAIMS];   /* indexed by the first byte of the key */
	bool                  in_request;
	uint64_t              use_count;           /* the entry with the smallest `used` is the least recently used */
};

static void
drop_view(struct cached_view *s)
{
	arena_free(s->arena);
	*s = (struct cached_view){ 0 };
}

/* Frees the tree, and the views that use its texts. */
static void
drop_tree(struct tree_cache *k, struct cached_tree *t)
{
	struct cached_view *s;

	for (s = k->views; s < k->views + VIEWS; s++)
		if (s->revision != NULL && t->revision != NULL && strcmp(s->revision, t->revision) == 0)
			drop_view(s);
	arena_free(t->arena);
	*t = (struct cached_tree){ 0 };
}

/*
 * False if no slot is free, or the views together take too much memory. *oldest: the view that was
 * not used for the longest time.
 */
static bool
views_fit(struct tree_cache *k, struct cached_view **oldest)
{
	struct cached_view *s;
	size_t bytes = 0;
	bool room = false;

	*oldest = NULL;
	for (s = k->views; s < k->views + VIEWS; s++) {
		room = room || s->arena == NULL;
		if (s->arena == NULL)
			continue;
		bytes += arena_used(s->arena);
		if (*oldest == NULL || s->used < (*oldest)->used)
			*oldest = s;
	}
	return room && bytes <= VIEW_BYTES;
}

static void
trim_views(struct tree_cache *k)
{
	struct cached_view *s;

	for (s = k->views; s < k->views + VIEWS; s++)
		if (s->arena != NULL && s->revision == NULL)
			drop_view(s);
	while (!views_fit(k, &s))
		drop_view(s);
}

static void
free_cache(void *p)
{
	struct tree_cache *k = p;
	size_t i;

	for (i = 0; i < VIEWS; i++)
		drop_view(&k->views[i]);
	for (i = 0; i < TREES; i++)
		drop_tree(k, &k->trees[i]);
}

static const struct db_keeper keeper = { sizeof(struct tree_cache), free_cache };

static struct tree_cache *
get_cache(const struct visit *v)
{
	return db_remember(v->db, &keeper);
}

void
visit_trees_begin(struct db *db)
{
	struct tree_cache *k = db_remember(db, &keeper);

	k->in_request = true;
}

/*
 * Drops trees that are too large or incomplete, and the least recently used one if no slot is free.
 */
void
visit_trees_end(struct db *db)
{
	struct tree_cache *k = db_remember(db, &keeper);
	struct cached_tree *t, *oldest = NULL;
	bool room = false;

	for (t = k->trees; t < k->trees + TREES; t++) {
		if (t->arena != NULL && (t->revision == NULL || arena_used(t->arena) > TREE_BYTES))
			drop_tree(k, t);
		room = room || t->arena == NULL;
		if (oldest == NULL || t->used < oldest->used)
			oldest = t;
	}
	if (!room)
		drop_tree(k, oldest);
	trim_views(k);
	k->in_request = false;
}

/* Copies the pages, since visit_prune() changes the tree; the texts are shared. */
static struct page *
copy_pages(struct arena *a, const struct page *p)
{
	struct page *first = NULL, **last = &first;

	for (; p != NULL; p = p->next) {
		*last = arena_alloc(a, sizeof(**last));
		**last = *p;
		/* Parsed properties end with the request. */
		(*last)->props = NULL;
		(*last)->first = copy_pages(a, p->first);
		last = &(*last)->next;
	}
	*last = NULL;
	return first;
}

/* ---- index of a tree ---- */

static void
index_pages(struct arena *a, struct visit_pages *in, struct page *p, bool listed, size_t *room)
{
	for (; p != NULL; p = p->next) {
		/* Pages below a hidden page are not listed either. */
		bool here = listed && !visit_page_hidden(p);
		map_add(in->by_id, str_of(p->node.id), p);
		if (here && p->node.kind == NODE_DOCUMENT) {
			in->order = arena_grow(a, in->order, in->count, room, sizeof(*in->order));
			in->order[in->count++] = p;
		}
		index_pages(a, in, p->first, here, room);
	}
}

static struct visit_pages *
index_tree(struct arena *a, struct page *tree)
{
	struct visit_pages *in = arena_alloc(a, sizeof(*in));
	size_t room = 0;

	in->tree = tree;
	in->by_id = map_new(a);
	index_pages(a, in, tree, true, &room);
	return in;
}

static bool
has_condition(const struct page *p)
{
	for (; p != NULL; p = p->next)
		if (visit_has_condition(&p->node) || has_condition(p->first))
			return true;
	return false;
}

static bool
has_computed(const struct page *p)
{
	for (; p != NULL; p = p->next)
		if (p->node.kind == NODE_COMPUTED || has_computed(p->first))
			return true;
	return false;
}

/* ---- by revision ---- */

/* The cached tree of a point's revision; NULL: it is not cached. */
static struct cached_tree *
find_tree(struct tree_cache *k, const struct point *at)
{
	struct cached_tree *t;

	for (t = k->trees; k->in_request && t < k->trees + TREES; t++)
		if (t->revision != NULL && strcmp(t->revision, at->revision) == 0)
			return t;
	return NULL;
}

/* The cached tree of a point's revision, which is read if necessary. NULL: it is not cached, and no slot is free. */
static struct cached_tree *
get_tree(const struct visit *v, const struct point *at)
{
	struct tree_cache *k = get_cache(v);
	struct cached_tree *t = find_tree(k, at), *place = NULL;
	size_t count;

	if (t != NULL) {
		t->used = ++k->use_count;
		return t;
	}
	for (t = k->trees; k->in_request && t < k->trees + TREES; t++)
		place = t->arena == NULL ? t : place;
	if (place == NULL)
		return NULL;
	place->arena = arena_new(BUILD_BYTES);
	place->tree = page_tree(v->db, place->arena, at, &count);
	place->computed = has_computed(place->tree);
	if (!place->computed && !has_condition(place->tree)) {
		place->pages = index_tree(place->arena, place->tree);
		place->pages->pages_hash = "";
	}
	/*
	 * Set last: if reading is interrupted, visit_trees_end() recognises the incomplete tree by
	 * the missing revision.
	 */
	place->revision = arena_strdup(place->arena, at->revision);
	place->used = ++k->use_count;
	return place;
}

const struct page *
read_tree_at(const struct visit *v, const struct point *at)
{
	const struct cached_tree *t = get_tree(v, at);
	size_t count;

	return t != NULL ? t->tree : page_tree(v->db, v->arena, at, &count);
}

static struct page *
make_view_tree(const struct visit *v, const struct point *at, const struct cached_tree *t)
{
	size_t count;
	struct page *tree = t != NULL ? copy_pages(v->arena, t->tree) : page_tree(v->db, v->arena, at, &count);

	visit_prune(v, at, &tree);
	/* Computed pages are expanded after conditions were applied, so that hidden ones are not expanded. */
	return computed_expand(v->db, v->arena, at, tree, "");
}

/* ---- by claims ---- */

static void
add_ids(struct buf *b, const struct page *p)
{
	for (; p != NULL; p = p->next) {
		buf_printf(b, "%s\n", p->node.id);
		add_ids(b, p->first);
	}
}

static struct str
hash_visible(struct arena *a, const struct page *tree)
{
	struct buf b;

	buf_init(&b, a, BUILD_BYTES);
	add_ids(&b, tree);
	return hash_of(a, buf_view(&b));
}

/*
 * The slot for a visitor's claims in `by_claims`. *key: the key of these claims; the slot may be in
 * use for another key.
 */
static struct view_by_claims *
find_claims_slot(const struct visit *v, const struct point *at, struct str *key)
{
	*key = hash_of(v->arena, str_of(arena_printf(v->arena, "%s\n%s", at->revision, cJSON_PrintUnformatted(v->claims))));
	return &get_cache(v)->by_claims[(unsigned char)key->p[0] % CLAIMS];
}

static struct cached_view *
find_view(const struct visit *v, const struct point *at, struct str seen)
{
	struct tree_cache *k = get_cache(v);
	const char *text = hex(v->arena, seen);
	struct cached_view *s;

	for (s = k->views; s < k->views + VIEWS; s++)
		if (s->revision != NULL && strcmp(s->revision, at->revision) == 0 && strcmp(s->pages->pages_hash, text) == 0) {
			s->used = ++k->use_count;
			return s;
		}
	return NULL;
}

/* The cached view for the visitor's claims; NULL: it is not known, or no longer cached. */
static struct visit_pages *
find_view_by_claims(const struct visit *v, const struct point *at)
{
	const struct view_by_claims *c;
	const struct cached_view *s;
	struct str key;

	c = find_claims_slot(v, at, &key);
	if (memcmp(c->key, key.p, key.n) != 0)
		return NULL;
	s = find_view(v, at, (struct str){ (const char *)c->visible, sizeof(c->visible) });
	return s == NULL ? NULL : s->pages;
}

/* Makes a view, in a free slot of the cache, or in the memory of the request if no slot is free. */
static struct visit_pages *
add_view(const struct visit *v, const struct point *at, const struct page *tree, struct str seen)
{
	struct tree_cache *k = get_cache(v);
	struct arena *a = v->arena;
	struct visit_pages *pages;
	struct cached_view *s;

	for (s = k->views; s < k->views + VIEWS && s->arena != NULL; s++)
		;
	if (s < k->views + VIEWS)
		a = s->arena = arena_new(BUILD_BYTES);
	pages = index_tree(a, copy_pages(a, tree));
	pages->pages_hash = hex(a, seen);
	if (s < k->views + VIEWS) {
		s->pages = pages;
		s->used = ++k->use_count;
		/* Set last, as for a tree. */
		s->revision = arena_strdup(a, at->revision);
	}
	return pages;
}

/*
 * The view of this visitor, from the cache or made now. t: the tree of this point, with conditions
 * and without computed pages.
 */
static struct visit_pages *
get_view(const struct visit *v, const struct point *at, const struct cached_tree *t)
{
	struct visit_pages *known = find_view_by_claims(v, at);
	const struct cached_view *s;
	struct view_by_claims *c;
	struct page *tree;
	struct str key, seen;

	if (known != NULL)
		return known;
	tree = make_view_tree(v, at, t);
	seen = hash_visible(v->arena, tree);
	c = find_claims_slot(v, at, &key);
	memcpy(c->key, key.p, sizeof(c->key));
	memcpy(c->visible, seen.p, sizeof(c->visible));
	/* Another visitor with other claims may have the same view. */
	s = find_view(v, at, seen);
	return s != NULL ? s->pages : add_view(v, at, tree, seen);
}

/* ---- lookups ---- */

/* The visible pages from the cache; NULL: the tree cannot be cached. */
static struct visit_pages *
cached_pages(const struct visit *v, const struct point *at, const struct cached_tree *t)
{
	if (t == NULL || t->computed)
		return NULL;
	if (t->pages != NULL)
		return t->pages;
	trace_pages(v, at);
	return get_view(v, at, t);
}

struct page *
visit_tree(const struct visit *v, const struct visit_item *space)
{
	const struct cached_tree *t = get_tree(v, &space->point);
	const struct visit_pages *pages = cached_pages(v, &space->point, t);

	return pages != NULL ? pages->tree : make_view_tree(v, &space->point, t);
}

const struct visit_pages *
visit_pages(const struct visit *v, const struct visit_item *space)
{
	const struct point *at = &space->point;
	struct visit_pages *pages = map_get(v->trees, str_of(at->revision));
	const struct cached_tree *t;

	if (pages != NULL)
		return pages;
	t = get_tree(v, at);
	pages = cached_pages(v, at, t);
	if (pages == NULL)
		pages = index_tree(v->arena, make_view_tree(v, at, t));
	map_add(v->trees, str_of(at->revision), pages);
	return pages;
}

const struct visit_pages *
find_cached_pages(const struct visit *v, const struct point *at)
{
	struct visit_pages *pages = map_get(v->trees, str_of(at->revision));
	const struct cached_tree *t = pages == NULL ? find_tree(get_cache(v), at) : NULL;

	if (t == NULL || t->computed || t->pages != NULL)
		return t == NULL || t->computed ? pages : t->pages;
	trace_pages(v, at);
	pages = find_view_by_claims(v, at);
	/* Stored in the visit, so that a search looks up the claims only once. */
	if (pages != NULL)
		map_add(v->trees, str_of(at->revision), pages);
	return pages;
}
