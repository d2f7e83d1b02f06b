/*
 * Resolves spellings of links to their targets, and writes the link map of each page version
 * (spelling -> target). Fragments alone and absolute addresses are not in the map, since documents
 * resolve these without it.
 */
#include <cjson/cJSON.h>
#include <stdlib.h>

#include "base/json.h"
#include "store/content.h"
#include "base/panic.h"
#include "base/sort.h"

/* Kinds of references, with their names and the member of the id in the published client. */
static const struct { enum doc_ref_kind kind; const char *name, *id; } kinds[] = {
	{ REF_URL, "url", "url" }, { REF_FILE, "file", "file" }, { REF_PAGE, "page", "page" },
	{ REF_ANCHOR, "anchor", "page" }, { REF_SPACE, "space", "space" },
	{ REF_USER, "user", "user" }, { REF_COLLECTION, "collection", "collection" },
	{ REF_REUSABLE, "reusable-content", "reusableContent" }, { REF_TAG, "tag", "tag" },
	{ REF_OPENAPI, "openapi", "spec" },
};

enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

void
ref_json(struct json *j, const struct doc_ref *ref)
{
	size_t i;

	for (i = 0; i < KINDS && kinds[i].kind != ref->kind; i++)
		;
	if (i == KINDS) {
		json_null(j);
		return;
	}
	json_obj(j);
	json_kstr(j, "kind", kinds[i].name);
	if (ref->kind == REF_URL)
		json_kstr(j, "url", ref->url);
	else if (ref->id != NULL)
		/* Without an id, the target is the page that contains the link (a fragment alone). */
		json_kstr(j, kinds[i].id, ref->id);
	if (ref->kind == REF_ANCHOR)
		json_kstr(j, "anchor", ref->anchor);
	if (ref->space != NULL && ref->kind != REF_SPACE)
		json_kstr(j, "space", ref->space);
	json_end(j);
}

/* The texts of *out belong to the JSON value. False: the value is null, or of an unknown kind. */
bool
ref_read(const cJSON *v, struct doc_ref *out)
{
	const char *kind = json_text_of(v, "kind");
	size_t i;

	*out = (struct doc_ref){ REF_NONE, NULL, NULL, NULL, NULL };
	for (i = 0; kind != NULL && i < KINDS; i++) {
		if (strcmp(kinds[i].name, kind) != 0)
			continue;
		out->kind = kinds[i].kind;
		out->id = out->kind == REF_URL ? NULL : json_text_of(v, kinds[i].id);
		out->url = out->kind == REF_URL ? json_text_of(v, "url") : NULL;
		out->anchor = json_text_of(v, "anchor");
		out->space = out->kind == REF_SPACE ? NULL : json_text_of(v, "space");
		return true;
	}
	return false;
}

static void
read_prop_ref(const cJSON *object, const char *name, void (*each)(void *, const char *, const struct doc_ref *), void *ctx)
{
	const cJSON *v = cJSON_GetObjectItemCaseSensitive(object, name);
	struct doc_ref ref;

	if (cJSON_IsObject(v) && ref_read(v, &ref))
		each(ctx, name, &ref);
}

void
node_prop_refs(const struct node *n, void (*each)(void *ctx, const char *name, const struct doc_ref *ref), void *ctx)
{
	const cJSON *cover;
	cJSON *props;

	/* Most pages have no cover and are no link: their properties are not parsed. */
	if (n->props == NULL || (n->kind != NODE_LINK && strstr(n->props, "\"cover\"") == NULL))
		return;
	props = cJSON_Parse(n->props);
	cover = cJSON_GetObjectItemCaseSensitive(props, "cover");
	read_prop_ref(cover, "ref", each, ctx);
	read_prop_ref(cover, "refDark", each, ctx);
	if (n->kind == NODE_LINK)
		read_prop_ref(props, "target", each, ctx);
	cJSON_Delete(props);
}

/* Files and reusable contents have no anchors: a fragment is dropped. */
static void
set_node_ref(struct doc_ref *out, const char *id, enum node_kind kind, const char *fragment)
{
	out->id = id;
	if (kind == NODE_FILE) {
		out->kind = REF_FILE;
	} else if (kind == NODE_REUSABLE) {
		out->kind = REF_REUSABLE;
	} else if (fragment != NULL && *fragment != '\0') {
		out->kind = REF_ANCHOR;
		out->anchor = fragment;
	} else {
		out->kind = REF_PAGE;
	}
}

/* A file's path relative to the root, as layout_resolve() expects it. */
static const char *
below_root(const struct resolver *r, const char *file)
{
	size_t n = strlen(r->root);

	if (file == NULL)
		return "";
	if (n > 0 && strncmp(file, r->root, n) == 0 && file[n] == '/')
		return file + n + 1;
	return file;
}

/* Resolves "/pages/ID#anchor" and "/files/ID". These spellings stay valid when the target moves. */
static bool
resolve_by_id(const struct resolver *r, struct arena *a, const struct layout_target *t,
    struct doc_ref *out)
{
	static const struct { const char *prefix; unsigned kinds; } forms[] = {
		{ "pages/", NODE_PAGES }, { "files/", NODE_FILE },
		/* An included page counts as a reusable content of the page that includes it. */
		{ "reusable-contents/", NODE_REUSABLE | NODE_DOCUMENT } };
	enum node_kind kind;
	size_t i;

	for (i = 0; r->find_id != NULL && i < sizeof(forms) / sizeof(forms[0]); i++) {
		const char *id = t->path + strlen(forms[i].prefix);
		if (strncmp(t->path, forms[i].prefix, strlen(forms[i].prefix)) != 0 ||
		    !r->find_id(r->ctx, a, id, &kind) || !(kind & forms[i].kinds))
			continue;
		set_node_ref(out, id, kind, t->fragment);
		return true;
	}
	return false;
}

/* The anchor is looked up in the page that find() found last. */
static bool
find_path(const struct resolver *r, struct arena *a, const struct layout_target *t, struct doc_ref *out)
{
	enum node_kind kind;
	const char *id;

	const char *place;

	if (t->kind != TARGET_PATH || !r->find(r->ctx, a, t, &id, &kind))
		return false;
	set_node_ref(out, id, kind, t->fragment);
	if (out->kind == REF_ANCHOR && r->find_place != NULL &&
	    (place = r->find_place(r->ctx, a, out->anchor)) != NULL)
		out->anchor = place;
	return true;
}

/* Resolves "/spaces/ID", "/users/ID" and "/collections/ID": targets outside of any space. */
static bool
resolve_other_by_id(const struct resolver *r, const struct layout_target *t, struct doc_ref *out)
{
	static const struct { const char *prefix; enum doc_ref_kind kind; } forms[] = {
		{ "spaces/", REF_SPACE }, { "users/", REF_USER }, { "collections/", REF_COLLECTION } };
	size_t i;

	for (i = 0; r->find_other != NULL && i < sizeof(forms) / sizeof(forms[0]); i++) {
		const char *id = t->path + strlen(forms[i].prefix);
		if (strncmp(t->path, forms[i].prefix, strlen(forms[i].prefix)) != 0 ||
		    !r->find_other(r->ctx, forms[i].kind, id))
			continue;
		*out = (struct doc_ref){ .kind = forms[i].kind, .id = id };
		return true;
	}
	return false;
}

/* Resolves spellings that begin with a slash: "/pages/ID", "/users/ID", "/guides/install", "/pages/guides/install". */
static bool
resolve_absolute(const struct resolver *r, struct arena *a, const struct layout_target *t,
    struct doc_ref *out)
{
	struct layout_target below = *t;

	if (resolve_by_id(r, a, t, out) || resolve_other_by_id(r, t, out) || find_path(r, a, t, out))
		return true;
	if (r->find_id == NULL || strncmp(t->path, "pages/", 6) != 0)
		return false;
	below.path = t->path + 6;
	/* `literal` is the undecoded form of the whole path including "pages/", so it must not be looked up here. */
	below.literal = NULL;
	return find_path(r, a, &below, out);
}

/*
 * Programs that write links spell a page without a file as "a/b.md" or, if it has children, as
 * "a/b/README.md". If only one of these readings finds a target, that one is used.
 */
static bool
resolve_relative(const struct resolver *r, struct arena *a, struct str spelling,
    const struct layout_target *t, struct doc_ref *out)
{
	struct layout_target t2;
	struct doc_ref inside = { .kind = REF_NONE };
	bool hit = find_path(r, a, t, out);

	if (r->inside == NULL)
		return hit;
	t2 = layout_resolve(a, below_root(r, r->inside), spelling);
	t2.shown = t->shown;
	t2.included = t->included;
	if (find_path(r, a, &t2, &inside) && (!hit || r->has_pages(r->ctx))) {
		*out = inside;
		return true;
	}
	return hit;
}

static bool
resolve_any(const struct resolver *r, struct arena *a, struct str spelling, enum doc_use use,
    struct doc_ref *out)
{
	struct layout_target t = layout_resolve(a, below_root(r, r->from), spelling);

	t.shown = use == USE_FILE;
	t.included = use == USE_INCLUDE;
	*out = (struct doc_ref){ REF_NONE, NULL, NULL, NULL, NULL };
	/* Relative spellings are looked up only in the content of the space. */
	switch (t.kind) {
	case TARGET_URL:
		out->kind = REF_URL;
		out->url = t.url;
		return true;
	/*
	 * An address of the published application names a space here only if a space has that id.
	 * Otherwise the link stays an address of that application.
	 */
	case TARGET_SPACE:
		if (r->find_other != NULL && r->find_other(r->ctx, REF_SPACE, t.space)) {
			out->kind = REF_SPACE;
			out->id = t.space;
		} else {
			out->kind = REF_URL;
			out->url = t.url;
		}
		return true;
	case TARGET_PATH:
		if (spelling.n > 0 && spelling.p[0] == '/')
			return resolve_absolute(r, a, &t, out);
		return resolve_relative(r, a, spelling, &t, out);
	/*
	 * A link in NAME.md that climbs out of the root may stay inside when it is read as a link
	 * in NAME/README.md.
	 */
	case TARGET_BROKEN:
		return resolve_relative(r, a, spelling, &t, out);
	default:
		return false;
	}
}

/* An included page counts as a reusable content of the page that includes it. */
bool
resolve_use(const struct resolver *r, struct arena *a, struct str spelling, enum doc_use use,
    struct doc_ref *out)
{
	bool hit = resolve_any(r, a, spelling, use, out);

	if (hit && use == USE_INCLUDE && (out->kind == REF_PAGE || (out->kind == REF_ANCHOR && out->id != NULL))) {
		out->kind = REF_REUSABLE;
		out->anchor = NULL;
	}
	return hit;
}

/*
 * True for fragments and addresses, which are resolved without the map. A drive letter ("c:") is no
 * scheme: schemes have at least two characters here. Addresses of the published application do get
 * an entry, since they may name a space.
 */
static bool
needs_no_entry(struct str s)
{
	size_t i;

	/* "#fragment" and "scheme:" need no entry, nor does "//host", which is an address, too. */
	if (s.n == 0 || s.p[0] == '#')
		return true;
	for (i = 0; i < s.n; i++) {
		char c = s.p[i] | 32;
		if (s.p[i] == ':')
			return i > 1 && !str_starts(s, "https://app.gitbook.com/");
		if (!(c >= 'a' && c <= 'z') && !(i > 0 && strchr("0123456789+-.", s.p[i])))
			return false;
	}
	return false;
}

static int
use_rank(enum doc_use use)
{
	return use == USE_INCLUDE ? 2 : use == USE_FILE;
}

/*
 * Orders bytewise, the shorter spelling first: link_map_find() bisects in this order. Among equal
 * spellings includes come first, then pictures, because these are looked up in more places than a
 * link.
 */
static int
compare_links_by_spelling(const void *x, const void *y)
{
	const struct doc_link *a = *(struct doc_link *const *)x, *b = *(struct doc_link *const *)y;
	size_t n = a->spelling.n < b->spelling.n ? a->spelling.n : b->spelling.n;
	int c = memcmp(a->spelling.p, b->spelling.p, n);

	if (c == 0)
		c = (a->spelling.n > b->spelling.n) - (a->spelling.n < b->spelling.n);
	return c != 0 ? c : use_rank(b->use) - use_rank(a->use);
}

/* The links that belong into a map, sorted by spelling. */
static struct doc_link **
links_for_map(struct arena *a, struct doc_link *links, size_t *count)
{
	struct doc_link **list, *l;
	size_t n = 0;

	for (l = links; l != NULL; l = l->next)
		n += !needs_no_entry(l->spelling);
	list = arena_array(a, n, sizeof(*list));
	*count = 0;
	for (l = links; l != NULL; l = l->next)
		if (!needs_no_entry(l->spelling))
			list[(*count)++] = l;
	sort_list(list, *count, sizeof(*list), compare_links_by_spelling);
	return list;
}

static int
compare_links_by_position(const void *x, const void *y)
{
	const struct doc_link *a = *(struct doc_link *const *)x, *b = *(struct doc_link *const *)y;
	/* Links without a known position come last. */
	size_t i = a->to == 0 ? SIZE_MAX : a->from, k = b->to == 0 ? SIZE_MAX : b->from;

	return (i > k) - (i < k);
}

/* The look-up for link_map_make() that uses a resolver. */
static bool
look_up_by_resolver(void *ctx, struct arena *a, struct str spelling, enum doc_use use, struct doc_ref *out)
{
	return resolve_use(ctx, a, spelling, use, out);
}

struct str
link_map_make(struct arena *a, struct str body, const struct resolver *r,
    void (*unresolved)(void *, const struct doc_link *), void *ctx)
{
	return link_map_of_links(a, doc_links(a, body), r, unresolved, ctx);
}

struct str
link_map_of_links(struct arena *a, struct doc_link *links, const struct resolver *r,
    void (*unresolved)(void *, const struct doc_link *), void *ctx)
{
	struct resolver copy = *r;

	return link_map_of_targets(a, links, look_up_by_resolver, &copy, unresolved, ctx);
}

/* Returns { NULL, 0 } if no link needs an entry: the version then has no refs. */
struct str
link_map_of_targets(struct arena *a, struct doc_link *links,
    bool (*lookup)(void *, struct arena *, struct str, enum doc_use, struct doc_ref *), void *lookup_ctx,
    void (*unresolved)(void *, const struct doc_link *), void *ctx)
{
	struct doc_link **list, **unresolved_links;
	struct doc_ref ref;
	struct json j;
	struct buf b;
	size_t n, i, unresolved_n = 0;
	bool again, resolved = false;

	list = links_for_map(a, links, &n);
	if (n == 0)
		return (struct str){ NULL, 0 };
	buf_init(&b, a, 64 << 20);
	json_init(&j, &b);
	json_obj(&j);
	/* A second list, since the map is sorted by spelling, while warnings come in the order of the text. */
	unresolved_links = arena_array(a, n, sizeof(*unresolved_links));
	for (i = 0; i < n; i++) {
		/*
		 * A spelling that occurs twice is resolved once and has one member in the map; if
		 * it has no target, both occurrences get a warning.
		 */
		again = i > 0 && str_eq(list[i]->spelling, list[i - 1]->spelling);
		if (!again)
			resolved = lookup(lookup_ctx, a, list[i]->spelling, list[i]->use, &ref);
		if (!resolved)
			unresolved_links[unresolved_n++] = list[i];
		if (again)
			continue;
		json_keyn(&j, list[i]->spelling);
		ref_json(&j, &ref);
	}
	json_end(&j);
	sort_list(unresolved_links, unresolved_n, sizeof(*unresolved_links), compare_links_by_position);
	for (i = 0; i < unresolved_n && unresolved != NULL; i++)
		unresolved(ctx, unresolved_links[i]);
	return buf_view(&b);
}

/* ---- reading a map ---- */

/* The order of compare_links_by_spelling(). */
static int
compare_spelling(const void *key, const void *item)
{
	const struct str *s = key;
	const struct link_map_entry *e = item;
	size_t n = s->n < e->spelling.n ? s->n : e->spelling.n;
	int c = memcmp(s->p, e->spelling.p, n);

	return c != 0 ? c : (s->n > e->spelling.n) - (s->n < e->spelling.n);
}

static int
compare_with_entry(const void *x, const void *y)
{
	return compare_spelling(&((const struct link_map_entry *)x)->spelling, y);
}

struct link_map
link_map_read(struct arena *a, struct str json)
{
	struct link_map m = { NULL, 0, false };
	/* In the arena: the entries point to the texts of the tree. */
	struct arena *outer = json_arena(a);
	cJSON *root = json.n == 0 ? NULL : cJSON_ParseWithLength(json.p, json.n), *v;
	bool sorted = true;

	json_arena(outer);
	if (root == NULL)
		return m;
	m.list = arena_array(a, (size_t)cJSON_GetArraySize(root), sizeof(*m.list));
	cJSON_ArrayForEach(v, root) {
		struct link_map_entry *e = &m.list[m.n++];
		e->spelling = str_of(v->string);
		if (!ref_read(v, &e->ref))
			m.holes = true;
		/*
		 * Check in one pass whether the map is sorted: sorting each map again would take
		 * longer than reading it.
		 */
		sorted &= m.n == 1 || compare_with_entry(e - 1, e) < 0;
	}
	/*
	 * Only maps that merges of earlier releases wrote are unsorted: they appended the links of
	 * main to those of the request.
	 */
	if (!sorted)
		sort_list(m.list, m.n, sizeof(*m.list), compare_with_entry);
	return m;
}

bool
link_map_find(const struct link_map *m, struct str spelling, struct doc_ref *out)
{
	const struct link_map_entry *e = find_sorted(&spelling, m->list, m->n, sizeof(*m->list),
	    compare_spelling);

	if (e == NULL || e->ref.kind == REF_NONE)
		return false;
	*out = e->ref;
	return true;
}

bool
ref_same(const struct doc_ref *x, const struct doc_ref *y)
{
	return x->kind == y->kind && same_text(x->id, y->id) && same_text(x->anchor, y->anchor) &&
	    same_text(x->space, y->space) && same_text(x->url, y->url);
}

/* The map in the format that link_map_read() reads, with null for links without a target. */
struct str
link_map_json(struct arena *a, const struct link_map *m)
{
	struct json j;
	struct buf b;
	size_t i;

	buf_init(&b, a, 64 << 20);
	json_init(&j, &b);
	json_obj(&j);
	for (i = 0; i < m->n; i++) {
		json_keyn(&j, m->list[i].spelling);
		ref_json(&j, &m->list[i].ref);
	}
	json_end(&j);
	return buf_view(&b);
}
