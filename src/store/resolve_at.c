/*
 * Finds the target of a link's spelling at a point of a space: first files of the repository, then
 * addresses of pages and of the pages to which computed pages expand. Contracts: struct resolver
 * (store/content.h) and store/places.h.
 */
#include <cjson/cJSON.h>

#include "base/json.h"
#include "base/map.h"
#include "store/computed.h"
#include "store/places.h"
#include "store/redirect.h"

struct resolve_context {
	struct db    *db;
	struct arena *arena;
	struct point  point;
	const char   *root;
	const char   *page;   /* id of the node that contains the spellings */
	int           pages;  /* whether it has child pages; -1: not known yet */
	void        (*watch)(void *ctx, const char *key);  /* gets the keys (places.h) on which the result depends; or NULL */
	void         *watch_ctx;
	struct lookup_cache *cache;   /* of look-ups at this point; or NULL */
};

/* Reports a key on which the result depends: kind and name, as defined in store/places.h. */
static void
note_lookup(const struct resolve_context *p, struct arena *a, const char *kind, const char *name)
{
	if (p->watch != NULL)
		p->watch(p->watch_ctx, arena_printf(a, "%s:%s", kind, name));
}

/* Counts the look-ups that read the database, for tests. */
static size_t lookups;

size_t
resolver_lookups(void)
{
	return lookups;
}

/* Finds the first existing file among those that the path may name (layout_candidates()). */
static bool
find_file(struct resolve_context *p, struct arena *a, const char *path, struct node *n)
{
	const char *const *c;

	for (c = layout_candidates(a, path); *c != NULL; c++) {
		note_lookup(p, a, "g", *c);
		if (node_by_git_path(p->db, a, &p->point, *c, n))
			return true;
	}
	return false;
}

/* Finds the file of the repository that the target names. Files that were not imported are not found. */
static bool
find_files(struct resolve_context *p, struct arena *a, const struct layout_target *t, struct node *n)
{
	const char *const *w;

	for (w = layout_target_paths(a, p->root, t); *w != NULL; w++)
		if (find_file(p, a, *w, n))
			return true;
	return t->literal != NULL && find_file(p, a, *p->root == '\0' ? t->literal :
	    arena_printf(a, "%s/%s", p->root, t->literal), n);
}

/* Finds the first page of the space: it is the target of links to the README.md in the root directory. */
static bool
find_first_page(struct resolve_context *p, struct arena *a, struct node *out)
{
	size_t n, i;
	struct node *list;

	note_lookup(p, a, "b", "");
	/* This nearly always finds the page, without reading all pages. */
	if (!node_end_child(p->db, a, &p->point, "", false, NULL, out))
		return false;
	if (out->kind == NODE_DOCUMENT)
		return true;
	list = node_children(p->db, a, &p->point, "", &n);
	for (i = 0; i < n && list[i].kind != NODE_DOCUMENT; i++)
		;
	if (i < n)
		*out = list[i];
	return i < n;
}

static bool
find_path(struct resolve_context *p, struct arena *a, const char *path, struct node *n)
{
	char *key;

	if (p->watch == NULL)
		return page_by_path(p->db, a, &p->point, path, n);
	/* As page_by_path(), but reports the keys of each step. */
	places_of_path(a, path, p->watch, p->watch_ctx);
	key = page_key(a, path);
	return page_at(p->db, a, &p->point, key, n) ||
	    redirect_find_keyed(p->db, a, &p->point, key, n, p->watch, p->watch_ctx);
}

/* Finds pages without a file by the name that their file would have: "a/b.md", "a/b/README.md". */
static bool
find_unfiled(struct resolve_context *p, struct arena *a, const char *path, struct node *n)
{
	size_t length = strlen(path);
	char *stem;

	/* Only Markdown files become pages. */
	if (length < 3 || strcasecmp(path + length - 3, ".md") != 0)
		return false;
	stem = arena_strndup(a, path, length - 3);
	length -= 3;
	if (length >= 6 && strcasecmp(stem + length - 6, "README") == 0 &&
	    (length == 6 || stem[length - 7] == '/')) {
		/* README.md is the page of its folder. */
		stem[length == 6 ? 0 : length - 7] = '\0';
		return (*stem == '\0' ? find_first_page(p, a, n) :
		    find_path(p, a, stem, n)) && n->git_path == NULL;
	}
	return find_path(p, a, stem, n) && n->git_path == NULL;
}

/*
 * Finds a page of a computed page by its path, with or without ".md". If the path is that of the
 * computed page itself and no other page has it, returns the first of its pages.
 */
static const struct computed_page *
find_computed(struct resolve_context *p, struct arena *a, const char *path, const struct node *row)
{
	char *key = page_key(a, path);
	size_t n = strlen(key);
	struct computed_page *c;

	if (n > 3 && strcmp(key + n - 3, ".md") == 0)
		key[n - 3] = '\0';
	if ((c = computed_by_path(p->db, a, &p->point, key)) == NULL && row != NULL)
		c = computed_first(p->db, a, &p->point, row);
	return c;
}

/* Files come before addresses, since a link in a repository names a file. */
static bool
find_row(struct resolve_context *p, struct arena *a, const struct layout_target *t, struct node *n)
{
	if (find_files(p, a, t, n))
		return true;
	/* Paths above the root directory can only be files. */
	return strncmp(t->path, "../", 3) != 0 && ((*t->path != '\0' && find_path(p, a, t->path, n)) ||
	    find_unfiled(p, a, *t->path == '\0' ? "README.md" : t->path, n));
}

/* ---- the shared cache ---- */

/* The target at a path or with an id. */
struct cached_target {
	bool           hit;
	const char    *id;
	enum node_kind kind;
};

enum { CACHE_BYTES = 16 << 20 };

struct lookup_cache
lookup_cache_new(struct arena *a)
{
	return (struct lookup_cache){ .arena = arena_within(a, (size_t)1 << 30), .found = NULL };
}

void
resolver_use_cache(struct resolver *r, struct lookup_cache *s)
{
	((struct resolve_context *)r->ctx)->cache = s;
}

/* The cache entry. A new one (*made) has both flags unset. NULL: there is no cache. */
static struct cached_target *
cache_entry(struct resolve_context *p, struct arena *a, const char *what, const char *name, const char *key_suffix, bool *made)
{
	struct lookup_cache *s = p->cache;
	struct cached_target **at;
	char *key;

	*made = false;
	if (s == NULL)
		return NULL;
	if (s->found == NULL || arena_used(s->arena) > CACHE_BYTES) {
		arena_reset(s->arena);
		s->found = map_new(s->arena);
	}
	key = arena_printf(a, "%s%s\n%s", what, name, key_suffix == NULL ? "" : key_suffix);
	if (map_has(s->found, str_of(key)))
		return map_get(s->found, str_of(key));
	*made = true;
	at = (struct cached_target **)map_at(s->found, str_of(arena_strdup(s->arena, key)));
	return *at = arena_alloc(s->arena, sizeof(**at));
}

/*
 * Looks for a file, first as spelled and then with %, # and ? as ordinary characters; then for the
 * address of a page.
 */
static struct cached_target
look_up_target(struct resolve_context *p, struct arena *a, const struct layout_target *t)
{
	const struct computed_page *c = NULL;
	struct node n;
	bool hit;

	lookups++;
	hit = find_row(p, a, t, &n);
	if (!hit || n.kind == NODE_COMPUTED)
		c = find_computed(p, a, t->path, hit ? &n : NULL);
	if (!hit && c == NULL)
		return (struct cached_target){ .hit = false };
	if (c != NULL) {
		n = c->page.node;
		/* The slug of a computed page depends on its siblings. */
		note_lookup(p, a, "b", n.parent);
	}
	note_lookup(p, a, "i", n.id);
	return (struct cached_target){ true, n.id, n.kind };
}

/*
 * Looks at the same point as all look-ups: the id of a node that the revision does not have is a
 * broken link.
 */
static struct cached_target
look_up_id(struct resolve_context *p, struct arena *a, const char *id)
{
	struct node n;

	lookups++;
	note_lookup(p, a, "i", id);
	if (node_get(p->db, a, &p->point, id, &n))
		return (struct cached_target){ true, id, n.kind };
	/* All pages of computed pages are documents. */
	return (struct cached_target){ computed_by_id(p->db, a, &p->point, id) != NULL, id, NODE_DOCUMENT };
}

static void
set_entry(struct resolve_context *p, struct cached_target *at, const struct cached_target *f)
{
	*at = *f;
	if (f->hit)
		at->id = arena_strdup(p->cache->arena, f->id);
}

static bool
find_at_point(void *ctx, struct arena *a, const struct layout_target *t, const char **id,
    enum node_kind *kind)
{
	struct resolve_context *p = ctx;
	bool made;
	/* Includes are resolved relative to the file that contains them. */
	const char *key_suffix = !t->included && !t->shown ? t->literal : arena_printf(a, "%s\n%d%d %s %s",
	    t->literal == NULL ? "" : t->literal, t->shown, t->included, t->from == NULL ? "" : t->from,
	    t->spelled == NULL ? "" : t->spelled);
	struct cached_target *at = cache_entry(p, a, "p:", t->path, key_suffix, &made), f;

	f = at == NULL || made ? look_up_target(p, a, t) : *at;
	if (made)
		set_entry(p, at, &f);
	if (!f.hit)
		return false;
	/* Copied, because the cache may be emptied. */
	*id = arena_strdup(a, f.id);
	*kind = f.kind;
	return true;
}

static bool
find_id_at_point(void *ctx, struct arena *a, const char *id, enum node_kind *kind)
{
	struct resolve_context *p = ctx;
	bool made;
	struct cached_target *at = cache_entry(p, a, "i:", id, NULL, &made), f;

	f = at == NULL || made ? look_up_id(p, a, id) : *at;
	if (made)
		set_entry(p, at, &f);
	*kind = f.kind;
	return f.hit;
}

static bool
find_other_at_point(void *ctx, enum doc_ref_kind kind, const char *id)
{
	struct resolve_context *p = ctx;

	lookups++;
	return space_knows(p->db, p->point.space, kind, id);
}

/* True if the page has children. Reads one row instead of all, and only once for all spellings of the page. */
static bool
has_pages(void *ctx)
{
	struct resolve_context *p = ctx;
	struct node n;

	note_lookup(p, p->arena, "b", p->page);
	if (p->pages < 0)
		p->pages = node_end_child(p->db, p->arena, &p->point, p->page, false, NULL, &n);
	return p->pages;
}

/*
 * Sets the path that an export would give to a page without a file. Relative spellings in the page
 * begin there.
 */
static void
set_relative_base(struct resolver *r, struct arena *a, struct db *db, const struct point *p,
    const struct node *n)
{
	const char *path, *slash = *r->root != '\0' ? "/" : "";

	/* Also NULL for a node that is not a page: its spellings are relative to the root. */
	r->from = n->git_path;
	if (n->git_path != NULL || !(n->kind & NODE_PAGES))
		return;
	path = page_path(db, a, p, n);
	r->from = arena_printf(a, "%s%s%s.md", r->root, slash, path);
	r->inside = arena_printf(a, "%s%s%s/README.md", r->root, slash, path);
	r->has_pages = has_pages;
}

void
resolver_at(struct resolver *r, struct arena *a, struct db *db, const struct point *p,
    const struct node *n)
{
	struct resolve_context *ctx = arena_alloc(a, sizeof(*ctx));
	const char *root = NULL;
	struct node layout;
	cJSON *props;
	const cJSON *v;

	ctx->db = db;
	ctx->arena = a;
	ctx->point = *p;
	if (node_get(db, a, p, SETTING_LAYOUT, &layout) &&
	    (props = cJSON_Parse(layout.props)) != NULL) {
		v = cJSON_GetObjectItemCaseSensitive(props, "root");
		root = cJSON_IsString(v) ? arena_strdup(a, v->valuestring) : NULL;
		cJSON_Delete(props);
	}
	/* The root belongs to the revision, so the setting is read at the same point as the pages. */
	ctx->root = root == NULL ? "" : root;
	ctx->page = n->id;
	ctx->pages = -1;
	*r = (struct resolver){ .root = ctx->root, .find = find_at_point,
		.find_id = find_id_at_point, .find_other = find_other_at_point, .ctx = ctx };
	set_relative_base(r, a, db, p, n);
}

void
resolver_watch(struct resolver *r, void (*each)(void *, const char *), void *ctx)
{
	struct resolve_context *p = r->ctx;

	p->watch = each;
	p->watch_ctx = ctx;
}
