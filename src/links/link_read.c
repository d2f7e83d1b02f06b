/* Reads the links of one node at a point, and judges their targets there. */
#include <cjson/cJSON.h>
#include <stdlib.h>

#include "computed/computed.h"
#include "link_parts.h"
#include "base/map.h"
#include "base/secret.h"
#include "base/sort.h"
#include "base/utf8.h"

/* Keys are in an index of the database: longer ones would fill its pages. */
enum { KEY_MAX = 300 };

const char *const link_statuses[LINK_STATUSES] = {
	[LINK_OK] = "ok", [LINK_BROKEN] = "broken", [LINK_IN_APP] = "in-app"
};

struct entry {
	struct str     spelling;
	struct doc_ref ref;
};

/* The node whose links are being read. */
struct link_reader {
	struct db          *db;
	struct arena       *arena;
	const struct point *point;
	struct page_places *places;
	const struct node  *node;
	struct entry       *map;        /* sorted */
	size_t              entries;
	struct resolver     resolver;
	bool                resolving;  /* resolver is set */
	int64_t             front;      /* lines of the file before the body */
	bool                resolved_now; /* the current link was resolved at the point */
	struct map         *resolved;   /* spelling -> struct doc_ref: each spelling that was resolved */
	struct parsed_link   *list;
	size_t              count, room;
};

/*
 * Compares bytewise; memcmp() is not called for a length of 0, for which the pointer may be NULL.
 */
static int
compare_bytes(struct str a, struct str b)
{
	size_t n = a.n < b.n ? a.n : b.n;
	int c = n == 0 ? 0 : memcmp(a.p, b.p, n);

	return c != 0 ? c : (a.n > b.n) - (a.n < b.n);
}

static int
by_spelling(const void *x, const void *y)
{
	return compare_bytes(((const struct entry *)x)->spelling, ((const struct entry *)y)->spelling);
}

/* ref_read() returns texts of the JSON; they are copied here. */
static void
copy_ref(struct arena *a, struct doc_ref *ref)
{
	const char **all[] = { &ref->id, &ref->anchor, &ref->space, &ref->url };
	size_t i;

	for (i = 0; i < 4; i++)
		if (*all[i] != NULL)
			*all[i] = arena_strdup(a, *all[i]);
}

/* Reads the page's own link map, sorted for find_sorted(). An unreadable map counts as empty. */
static void
read_map(struct link_reader *r)
{
	struct str json;
	cJSON *root, *v;

	/* Without a map every spelling is resolved at the point. */
	if (r->node->refs.n == 0 || !blob_get(r->db, r->arena, r->node->refs, &json) ||
	    (root = cJSON_ParseWithLength(json.p, json.n)) == NULL)
		return;
	r->map = arena_array(r->arena, (size_t)cJSON_GetArraySize(root), sizeof(*r->map));
	cJSON_ArrayForEach(v, root) {
		struct entry *e = &r->map[r->entries];
		/* A target that cannot be read is ignored; its entry is used for the next one. */
		if (!ref_read(v, &e->ref))
			continue;
		copy_ref(r->arena, &e->ref);
		e->spelling = str_of(arena_strdup(r->arena, v->string));
		r->entries++;
	}
	/* The entries hold copies (copy_ref()). */
	cJSON_Delete(root);
	sort_list(r->map, r->entries, sizeof(*r->map), by_spelling);
}

/*
 * The resolver is initialised when it is first needed: this costs queries, and most pages have all
 * targets in their map.
 */
static const struct resolver *
get_resolver(struct link_reader *r)
{
	if (!r->resolving) {
		resolver_at(&r->resolver, r->arena, r->db, r->point, r->node);
		resolver_use_cache(&r->resolver, &r->places->answers);
	}
	r->resolving = true;
	return &r->resolver;
}

/* Resolves a spelling at the point, once: a page may contain it ten thousand times. */
static const struct doc_ref *
resolve_once(struct link_reader *r, const struct fact_link *l)
{
	struct doc_ref *ref;

	if (r->resolved == NULL)
		r->resolved = map_new(r->arena);
	if ((ref = map_get(r->resolved, l->spelling)) != NULL)
		return ref;
	ref = arena_alloc(r->arena, sizeof(*ref));
	if (!resolve_use(get_resolver(r), r->arena, l->spelling, l->use, ref))
		*ref = (struct doc_ref){ .kind = REF_NONE };
	/* The spelling belongs to the facts, which live as long. */
	map_add(r->resolved, l->spelling, ref);
	return ref;
}

/*
 * Uses the page's map; a lone fragment is in the page itself; any other spelling is resolved now.
 */
static void
find_reference(struct link_reader *r, const struct fact_link *l, struct doc_ref *out)
{
	struct entry key = { .spelling = l->spelling }, *e;

	*out = (struct doc_ref){ .kind = REF_NONE };
	r->resolved_now = false;
	/*
	 * A block that shows an operation: body_facts_make() spells its specification in this way.
	 */
	if (l->use == USE_OPENAPI && str_starts(l->spelling, LINK_SPEC)) {
		out->kind = REF_OPENAPI;
		out->id = arena_strndup(r->arena, l->spelling.p + strlen(LINK_SPEC), l->spelling.n - strlen(LINK_SPEC));
		return;
	}
	if (l->spelling.n > 0 && l->spelling.p[0] == '#') {
		out->kind = REF_ANCHOR;
		out->anchor = arena_strndup(r->arena, l->spelling.p + 1, l->spelling.n - 1);
		return;
	}
	e = r->entries == 0 ? NULL :
	    find_sorted(&key, r->map, r->entries, sizeof(*r->map), by_spelling);
	/*
	 * The map was made when the version was written, and has the target that the author meant.
	 */
	if (e != NULL && e->ref.kind != REF_NONE)
		*out = e->ref;
	else
		*out = *resolve_once(r, l);
	/*
	 * A target outside of the space does not depend on its pages, so it need not be resolved
	 * again.
	 */
	if (e == NULL || e->ref.kind == REF_NONE)
		r->resolved_now = out->kind != REF_NONE && out->kind != REF_URL && out->kind != REF_SPACE &&
		    out->kind != REF_USER && out->kind != REF_COLLECTION;
}

/*
 * The key of a target. Addresses may have any length; the key of a long one contains its beginning
 * and a hash of all of it.
 */
static const char *
make_key(struct arena *a, const char *kind, const char *name)
{
	struct str s = str_of(name);

	if (s.n <= KEY_MAX)
		return arena_printf(a, "%s:%s", kind, name);
	return arena_printf(a, "%s:%.*s~%.16s", kind, 100, name, hex(a, hash_of(a, s)));
}

/* An external address is not requested, so its status is always ok. */
static void
set_url_target(struct link_reader *r, struct link_target *t, const char *url)
{
	t->kind = "url";
	t->url = url;
	t->key = make_key(r->arena, "url", url);
}

/* Each place in a page is a target of its own: one heading may be missing while another exists. */
static void
set_node_target(struct link_reader *r, struct link_target *t, const char *kind, const char *id,
    const char *anchor)
{
	t->kind = kind;
	t->node = id;
	if (anchor != NULL && *anchor != '\0')
		t->anchor = anchor;
	t->key = t->anchor == NULL ? arena_printf(r->arena, "%s:%s", kind, id) :
	    make_key(r->arena, kind, arena_printf(r->arena, "%s#%s", id, t->anchor));
}

/*
 * A missing target is identified by the path that it would have: one target, however it was
 * spelled.
 */
static void
set_missing_target(struct link_reader *r, struct link_target *t, const char *spelling)
{
	const struct resolver *v = get_resolver(r);
	size_t n = strlen(v->root);
	const char *from = v->from == NULL ? "" : v->from;
	struct layout_target at;

	/*
	 * The root directory of the repository is not part of the pages' paths (content.h, LAYOUT).
	 */
	if (n > 0 && strncmp(from, v->root, n) == 0 && from[n] == '/')
		from += n + 1;
	at = layout_resolve(r->arena, from, str_of(spelling));
	t->kind = "missing";
	t->url = spelling;
	t->key = make_key(r->arena, "missing", at.kind == TARGET_PATH ? at.path : spelling);
}

static void
set_target(struct link_reader *r, const struct doc_ref *ref, const char *spelling, struct link_target *t)
{
	*t = (struct link_target){ .status = LINK_OK };
	/* For a page of another space only the space is judged, not its content. */
	if (ref->space != NULL && ref->kind != REF_SPACE && strcmp(ref->space, r->point->space) != 0) {
		set_node_target(r, t, "space", ref->space, NULL);
		return;
	}
	switch (ref->kind) {
	case REF_NONE:     set_missing_target(r, t, spelling); break;
	case REF_URL:      set_url_target(r, t, ref->url); break;
	case REF_PAGE:     set_node_target(r, t, "page", ref->id, NULL); break;
	case REF_ANCHOR:   set_node_target(r, t, "page", ref->id != NULL ? ref->id : r->node->id, ref->anchor);
	                   break;
	case REF_FILE:     set_node_target(r, t, "file", ref->id, NULL); break;
	case REF_REUSABLE: set_node_target(r, t, "reusable", ref->id, NULL); break;
	case REF_SPACE:
		if (space_knows(r->db, r->point->space, REF_SPACE, ref->id))
			set_node_target(r, t, "space", ref->id, NULL);
		else
			set_url_target(r, t, spelling);
		break;
	case REF_OPENAPI:
		t->kind = "other";
		t->node = computed_slug(r->db, r->arena, r->point->space, ref->id);
		t->key = arena_printf(r->arena, LINK_SPEC "%s", t->node);
		break;
	default:
		t->kind = "other";
		t->key = make_key(r->arena, "other", ref->id != NULL ? ref->id : spelling);
	}
}

/* Appends a link; r->resolved_now: its target was not found in the map. */
static void
add_link(struct link_reader *r, const struct doc_ref *ref, int64_t line, struct str spelling)
{
	struct parsed_link *s;

	r->list = arena_grow(r->arena, r->list, r->count, &r->room, sizeof(*r->list));
	s = &r->list[r->count++];
	s->line = line;
	s->resolved_now = r->resolved_now;
	s->spelling = arena_strndup(r->arena, spelling.p, spelling.n);
	set_target(r, ref, s->spelling, &s->target);
}

/* False for an empty spelling, and for an image in a data: address. */
static bool
is_link(struct str s)
{
	return s.n > 0 && !(s.n >= 5 && strncasecmp(s.p, "data:", 5) == 0) && !str_is(s, "#");
}

/* Reads the links of a body, with their lines in the file. */
static void
read_body(struct link_reader *r)
{
	struct doc_ref ref;
	struct body_facts f;
	struct str front;
	size_t i;

	body_facts_of(r->db, r->arena, r->node->body, &f);
	front = node_front(r->db, r->arena, r->node);
	for (i = 0; i < front.n; i++)
		/* Line numbers are those of the file: the frontmatter is before the body. */
		r->front += front.p[i] == '\n';
	read_map(r);
	for (i = 0; i < f.count; i++) {
		if (!is_link(f.links[i].spelling))
			continue;
		find_reference(r, &f.links[i], &ref);
		add_link(r, &ref, f.links[i].line == 0 ? 0 : (int64_t)f.links[i].line + r->front,
		    f.links[i].spelling);
	}
}

static void
read_prop(void *ctx, const char *name, const struct doc_ref *of)
{
	struct link_reader *r = ctx;
	struct doc_ref ref = *of;

	copy_ref(r->arena, &ref);
	/* Only an address is resolved again at the point. */
	r->resolved_now = ref.kind == REF_URL;
	/* A target that was missing when it was imported was stored as an address. */
	if (ref.kind == REF_URL &&
	    !resolve_use(get_resolver(r), r->arena, str_of(ref.url), USE_FILE, &ref))
		ref = (struct doc_ref){ .kind = REF_NONE, .url = ref.url };
	add_link(r, &ref, 0, str_of(ref.kind == REF_NONE || ref.kind == REF_URL ? ref.url : name));
}

/* The specification that a computed page shows. */
static void
read_spec(struct link_reader *r)
{
	struct doc_ref ref = { .kind = REF_OPENAPI, .id = computed_spec(r->arena, r->node) };

	r->resolved_now = false;
	if (ref.id != NULL)
		add_link(r, &ref, 0, str_of(ref.id));
}

struct parsed_link *
link_read(struct db *db, struct arena *a, const struct point *p, struct page_places *places, const struct node *n,
    size_t *count)
{
	struct link_reader r = { .db = db, .arena = a, .point = p, .places = places, .node = n };
	/* The arena of the job lives longer than one page. */
	struct arena *outer = json_arena(a);

	if (n->kind == NODE_COMPUTED)
		read_spec(&r);
	else if (n->kind != NODE_LINK)
		read_body(&r);
	node_prop_refs(n, read_prop, &r);
	json_arena(outer);
	*count = r.count;
	return r.list;
}

bool
link_resolves(struct db *db, struct arena *a, const struct point *p, struct page_places *places,
    const struct node *from, struct str spelling)
{
	struct resolver v;
	struct doc_ref ref;

	resolver_at(&v, a, db, p, from);
	resolver_use_cache(&v, &places->answers);
	return resolve_use(&v, a, spelling, USE_LINK, &ref);
}

/* ---- the status of a target ---- */

struct place_names {
	struct map *names;        /* doc_place_map() of the body */
	const char *h1, *h1_id;   /* of the file; NULL: none */
};

struct page_places
page_places_new(struct arena *a)
{
	return (struct page_places){ .arena = arena_within(a, (size_t)1 << 30), .pages = NULL, .answers = lookup_cache_new(a) };
}

/*
 * The places of a page, from the cache or read now. When the cache is full, it is emptied as a
 * whole before the page is read, so that there is room for a large page.
 */
static const struct place_names *
get_place_names(struct db *db, struct page_places *places, const struct node *n)
{
	enum { PLACES_BYTES = 16 << 20 };
	struct arena *a = places->arena;
	struct place_names *of;
	struct page_file file;

	if (places->pages != NULL && (of = map_get(places->pages, str_of(n->id))) != NULL)
		return of;
	if (places->pages == NULL || arena_used(a) > PLACES_BYTES) {
		arena_reset(a);
		places->pages = map_new(a);
	}
	of = arena_alloc(a, sizeof(*of));
	of->names = doc_place_map(a, body_anchors_of(db, a, n->body));
	page_file_split(a, node_front(db, a, n), &file);
	of->h1 = file.h1;
	of->h1_id = file.h1_id;
	map_add(places->pages, str_of(arena_strdup(a, n->id)), of);
	return of;
}

/*
 * True if the page has a place of that name: its title, a place in its body, or the heading in its
 * file.
 */
static bool
page_has_place(struct db *db, struct arena *a, struct page_places *places, const struct node *n, const char *anchor)
{
	const struct place_names *of;

	/* Pages of other kinds have no headings. */
	if (anchor == NULL || n->kind != NODE_DOCUMENT)
		return true;
	/* The title is above the body; links to it lead to the top of the page. */
	if (doc_names_title(a, n->title, anchor))
		return true;
	of = get_place_names(db, places, n);
	/* The heading of the file may differ from the title. */
	return doc_place_in(a, of->names, anchor) != NULL || (of->h1_id != NULL && strcasecmp(of->h1_id, anchor) == 0) ||
	    (of->h1 != NULL && doc_names_title(a, of->h1, anchor));
}

/*
 * The places of a page that a computed page expands to are its operations and the headings of its
 * text.
 */
static bool
computed_page_has_place(struct db *db, struct arena *a, const struct point *p, const struct link_target *t)
{
	struct computed_page *c = computed_by_id(db, a, p, t->node);

	return c != NULL && (t->anchor == NULL || doc_names_title(a, c->page.node.title, t->anchor) ||
	    doc_place(a, body_places(a, computed_text(db, a, c), NULL), t->anchor) != NULL);
}

/* True if the segment after this one names an object of the space's organization. */
static bool
names_own_object(struct db *db, const char *space, struct str kind, const char *id)
{
	if (str_is(kind, "s") || str_is(kind, "spaces"))
		return space_knows(db, space, REF_SPACE, id);
	if (str_is(kind, "collections"))
		return space_knows(db, space, REF_COLLECTION, id);
	return (str_is(kind, "o") || str_is(kind, "orgs")) && space_in_org(db, space, id);
}

/*
 * True for addresses of the application and the API of this installation, which only work for
 * readers with a role there. They are recognised by the ids in them, since an installation may
 * move, may have several names, and may be written about under the name of the published service.
 */
static bool
is_in_app(struct db *db, struct arena *a, const char *space, const char *url)
{
	const char *at = strncasecmp(url, "http", 4) == 0 ? strstr(url, "://") : NULL;
	struct str kind = { NULL, 0 };
	size_t n;

	at = at == NULL ? NULL : at + 3 + strcspn(at + 3, "/?#");
	for (; at != NULL && *at == '/'; at += n + 1) {
		n = strcspn(at + 1, "/?#");
		if (kind.n > 0 && n > 0 && names_own_object(db, space, kind, arena_strndup(a, at + 1, n)))
			return true;
		kind = (struct str){ at + 1, n };
	}
	return false;
}

enum link_status
link_judge(struct db *db, struct arena *a, const struct point *p, struct page_places *places,
    const struct link_target *t)
{
	unsigned kinds = strcmp(t->kind, "page") == 0 ? NODE_PAGES :
	    strcmp(t->kind, "file") == 0 ? NODE_FILE : strcmp(t->kind, "reusable") == 0 ?
	    NODE_REUSABLE | NODE_DOCUMENT : 0;
	struct node n;

	/* Pages that a computed page expands to have no row: their specification is read. */
	if (kinds == NODE_PAGES && computed_is_id(t->node))
		return computed_page_has_place(db, a, p, t) ? LINK_OK : LINK_BROKEN;
	if (kinds != 0)
		return node_get(db, a, p, t->node, &n) && (n.kind & kinds) != 0 &&
		    page_has_place(db, a, places, &n, t->anchor) ? LINK_OK : LINK_BROKEN;
	if (strcmp(t->kind, "missing") == 0 || (str_starts(str_of(t->key), LINK_SPEC) &&
	    !computed_known(db, a, p, t->node)))
		return LINK_BROKEN;
	return t->url != NULL && is_in_app(db, a, p->space, t->url) ? LINK_IN_APP : LINK_OK;
}
