/* The links of one node at a point, and how their targets stand there. */
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

/* One node whose links are being read. */
struct reading {
	struct db          *db;
	struct arena       *arena;
	const struct point *point;
	struct page_places *places;
	const struct node  *node;
	struct entry       *map;        /* sorted */
	size_t              entries;
	struct resolver     resolver;
	bool                resolving;  /* resolver is set */
	int64_t             front;      /* lines before the body */
	bool                tried;      /* the link at hand was looked for */
	struct map         *looked;     /* spelling -> struct doc_ref: each that was looked for */
	struct link_seen   *list;
	size_t              count, room;
};

/* Bytewise; memcmp() is not called for lengths of 0, where the pointer may be NULL. */
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

/* ref_read() borrows from the JSON; what is kept is copied. */
static void
copy_ref(struct arena *a, struct doc_ref *ref)
{
	const char **all[] = { &ref->id, &ref->anchor, &ref->space, &ref->url };
	size_t i;

	for (i = 0; i < 4; i++)
		if (*all[i] != NULL)
			*all[i] = arena_strdup(a, *all[i]);
}

/* The page's own map of spellings, sorted for find_sorted(). An unreadable one counts as empty. */
static void
read_map(struct reading *r)
{
	struct str json;
	cJSON *root, *v;

	/* No map: every spelling is looked for at the point. */
	if (r->node->refs.n == 0 || !blob_get(r->db, r->arena, r->node->refs, &json) ||
	    (root = cJSON_ParseWithLength(json.p, json.n)) == NULL)
		return;
	r->map = arena_array(r->arena, (size_t)cJSON_GetArraySize(root), sizeof(*r->map));
	cJSON_ArrayForEach(v, root) {
		struct entry *e = &r->map[r->entries];
		/* A target that cannot be read is no target; its entry is used for the next one. */
		if (!ref_read(v, &e->ref))
			continue;
		copy_ref(r->arena, &e->ref);
		e->spelling = str_of(arena_strdup(r->arena, v->string));
		r->entries++;
	}
	/* copy_ref() has copied what the entries hold. */
	cJSON_Delete(root);
	sort_list(r->map, r->entries, sizeof(*r->map), by_spelling);
}

/* Made when first needed: it costs queries, and most pages have all their targets in the map. */
static const struct resolver *
resolver_of(struct reading *r)
{
	if (!r->resolving) {
		resolver_at(&r->resolver, r->arena, r->db, r->point, r->node);
		resolver_share(&r->resolver, &r->places->answers);
	}
	r->resolving = true;
	return &r->resolver;
}

/* Where a spelling leads at the point: the same one may stand in a page ten thousands of times. */
static const struct doc_ref *
look_for(struct reading *r, const struct fact_link *l)
{
	struct doc_ref *ref;

	if (r->looked == NULL)
		r->looked = map_new(r->arena);
	if ((ref = map_get(r->looked, l->spelling)) != NULL)
		return ref;
	ref = arena_alloc(r->arena, sizeof(*ref));
	if (!resolve_use(resolver_of(r), r->arena, l->spelling, l->use, ref))
		*ref = (struct doc_ref){ .kind = REF_NONE };
	/* The spelling is the facts', which are there as long. */
	map_add(r->looked, l->spelling, ref);
	return ref;
}

/* By the page's map; a lone fragment is in the page itself; the rest is tried now. */
static void
find_target(struct reading *r, const struct fact_link *l, struct doc_ref *out)
{
	struct entry key = { .spelling = l->spelling }, *e;

	*out = (struct doc_ref){ .kind = REF_NONE };
	r->tried = false;
	/* A block that shows an operation: body_facts_make() has spelled its specification so. */
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
	/* The map was made when the version was written, and holds what the author meant then. */
	if (e != NULL && e->ref.kind != REF_NONE)
		*out = e->ref;
	else
		*out = *look_for(r, l);
	/* What leads out of the space does not depend on its pages, so it need not be looked for again. */
	if (e == NULL || e->ref.kind == REF_NONE)
		r->tried = out->kind != REF_NONE && out->kind != REF_URL && out->kind != REF_SPACE &&
		    out->kind != REF_USER && out->kind != REF_COLLECTION;
}

/* Addresses may be of any length; a key holds the beginning and a hash of the rest. */
static const char *
key_of(struct arena *a, const char *kind, const char *name)
{
	struct str s = str_of(name);

	if (s.n <= KEY_MAX)
		return arena_printf(a, "%s:%s", kind, name);
	return arena_printf(a, "%s:%.*s~%.16s", kind, 100, name, hex(a, hash_of(a, s)));
}

/* An address elsewhere: it is not asked, so it always stands well. */
static void
to_url(struct reading *r, struct link_target *t, const char *url)
{
	t->kind = "url";
	t->url = url;
	t->key = key_of(r->arena, "url", url);
}

/* Each place in a page is a target of its own: one heading may be missing where another is there. */
static void
to_node(struct reading *r, struct link_target *t, const char *kind, const char *id,
    const char *anchor)
{
	t->kind = kind;
	t->node = id;
	if (anchor != NULL && *anchor != '\0')
		t->anchor = anchor;
	t->key = t->anchor == NULL ? arena_printf(r->arena, "%s:%s", kind, id) :
	    key_of(r->arena, kind, arena_printf(r->arena, "%s#%s", id, t->anchor));
}

/* What is not there is named by where it would be: one item, however it was spelled. */
static void
to_missing(struct reading *r, struct link_target *t, const char *spelling)
{
	const struct resolver *v = resolver_of(r);
	size_t n = strlen(v->root);
	const char *from = v->from == NULL ? "" : v->from;
	struct layout_target at;

	/* The root directory of the repository is no part of the pages' paths (content.h, LAYOUT). */
	if (n > 0 && strncmp(from, v->root, n) == 0 && from[n] == '/')
		from += n + 1;
	at = layout_resolve(r->arena, from, str_of(spelling));
	t->kind = "missing";
	t->url = spelling;
	t->key = key_of(r->arena, "missing", at.kind == TARGET_PATH ? at.path : spelling);
}

static void
target_of(struct reading *r, const struct doc_ref *ref, const char *spelling, struct link_target *t)
{
	*t = (struct link_target){ .status = LINK_OK };
	/*
	 * A page of another space is judged as that space alone: its content is not looked into
	 * from here.
	 */
	if (ref->space != NULL && ref->kind != REF_SPACE && strcmp(ref->space, r->point->space) != 0) {
		to_node(r, t, "space", ref->space, NULL);
		return;
	}
	switch (ref->kind) {
	case REF_NONE:     to_missing(r, t, spelling); break;
	case REF_URL:      to_url(r, t, ref->url); break;
	case REF_PAGE:     to_node(r, t, "page", ref->id, NULL); break;
	case REF_ANCHOR:   to_node(r, t, "page", ref->id != NULL ? ref->id : r->node->id, ref->anchor);
	                   break;
	case REF_FILE:     to_node(r, t, "file", ref->id, NULL); break;
	case REF_REUSABLE: to_node(r, t, "reusable", ref->id, NULL); break;
	case REF_SPACE:
		if (space_knows(r->db, r->point->space, REF_SPACE, ref->id))
			to_node(r, t, "space", ref->id, NULL);
		else
			to_url(r, t, spelling);
		break;
	case REF_OPENAPI:
		t->kind = "other";
		t->node = computed_slug(r->db, r->arena, r->point->space, ref->id);
		t->key = arena_printf(r->arena, LINK_SPEC "%s", t->node);
		break;
	default:
		t->kind = "other";
		t->key = key_of(r->arena, "other", ref->id != NULL ? ref->id : spelling);
	}
}

/* Appends a link; r->tried says how its target was found. */
static void
add_link(struct reading *r, const struct doc_ref *ref, int64_t line, struct str spelling)
{
	struct link_seen *s;

	r->list = arena_grow(r->arena, r->list, r->count, &r->room, sizeof(*r->list));
	s = &r->list[r->count++];
	s->line = line;
	s->tried = r->tried;
	s->spelling = arena_strndup(r->arena, spelling.p, spelling.n);
	target_of(r, ref, s->spelling, &s->target);
}

/* Nothing is linked by nothing, and an image in its own address is at hand. */
static bool
is_link(struct str s)
{
	return s.n > 0 && !(s.n >= 5 && strncasecmp(s.p, "data:", 5) == 0) && !str_is(s, "#");
}

/* The links of a body, with their lines in the file. */
static void
read_body(struct reading *r)
{
	struct doc_ref ref;
	struct body_facts f;
	struct str front;
	size_t i;

	body_facts_of(r->db, r->arena, r->node->body, &f);
	front = node_front(r->db, r->arena, r->node);
	for (i = 0; i < front.n; i++)
		/* Lines are told as in the file: the frontmatter stands before the body. */
		r->front += front.p[i] == '\n';
	read_map(r);
	for (i = 0; i < f.count; i++) {
		if (!is_link(f.links[i].spelling))
			continue;
		find_target(r, &f.links[i], &ref);
		add_link(r, &ref, f.links[i].line == 0 ? 0 : (int64_t)f.links[i].line + r->front,
		    f.links[i].spelling);
	}
}

static void
read_prop(void *ctx, const char *name, const struct doc_ref *of)
{
	struct reading *r = ctx;
	struct doc_ref ref = *of;

	copy_ref(r->arena, &ref);
	/* Only an address is looked for again at the point. */
	r->tried = ref.kind == REF_URL;
	/* What had no target when it was imported was kept as an address. */
	if (ref.kind == REF_URL &&
	    !resolve_use(resolver_of(r), r->arena, str_of(ref.url), USE_FILE, &ref))
		ref = (struct doc_ref){ .kind = REF_NONE, .url = ref.url };
	add_link(r, &ref, 0, str_of(ref.kind == REF_NONE || ref.kind == REF_URL ? ref.url : name));
}

/* The specification that a computed page shows. */
static void
read_spec(struct reading *r)
{
	struct doc_ref ref = { .kind = REF_OPENAPI, .id = computed_spec(r->arena, r->node) };

	r->tried = false;
	if (ref.id != NULL)
		add_link(r, &ref, 0, str_of(ref.id));
}

struct link_seen *
link_read(struct db *db, struct arena *a, const struct point *p, struct page_places *places, const struct node *n,
    size_t *count)
{
	struct reading r = { .db = db, .arena = a, .point = p, .places = places, .node = n };

	if (n->kind == NODE_COMPUTED)
		read_spec(&r);
	else if (n->kind != NODE_LINK)
		read_body(&r);
	node_prop_refs(n, read_prop, &r);
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
	resolver_share(&v, &places->answers);
	return resolve_use(&v, a, spelling, USE_LINK, &ref);
}

/* ---- standing ---- */

struct places_of {
	struct map *names;        /* doc_place_map() of the body */
	const char *h1, *h1_id;   /* of the file; NULL: there is none */
};

struct page_places
page_places_new(struct arena *a)
{
	return (struct page_places){ .arena = arena_within(a, (size_t)1 << 30), .pages = NULL, .answers = answers_new(a) };
}

/* What is in the arena is forgotten as a whole, so that the last page asked for may be a large one. */
static const struct places_of *
places_of(struct db *db, struct page_places *places, const struct node *n)
{
	enum { PLACES_BYTES = 16 << 20 };
	struct arena *a = places->arena;
	struct places_of *of;
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

/* Has the page a place of that name? By its title, its body, then the heading in its file. */
static bool
page_has(struct db *db, struct arena *a, struct page_places *places, const struct node *n, const char *anchor)
{
	const struct places_of *of;

	/* Other kinds of pages have no headings to look for. */
	if (anchor == NULL || n->kind != NODE_DOCUMENT)
		return true;
	/* The title stands above the body, and links to it lead to the top. */
	if (doc_names_title(a, n->title, anchor))
		return true;
	of = places_of(db, places, n);
	/* The heading of the file may be another than the title. */
	return doc_place_in(a, of->names, anchor) != NULL || (of->h1_id != NULL && strcasecmp(of->h1_id, anchor) == 0) ||
	    (of->h1 != NULL && doc_names_title(a, of->h1, anchor));
}

/* A page that a computed page expands to: its places are its operations and the headings of its text. */
static bool
computed_has(struct db *db, struct arena *a, const struct point *p, const struct link_target *t)
{
	struct computed_page *c = computed_by_id(db, a, p, t->node);

	return c != NULL && (t->anchor == NULL || doc_names_title(a, c->page.node.title, t->anchor) ||
	    doc_place(a, body_places(a, computed_text(db, a, c), NULL), t->anchor) != NULL);
}

/* Does the segment behind this one name something of the organization that the space is of? */
static bool
names_ours(struct db *db, const char *space, struct str kind, const char *id)
{
	if (str_is(kind, "s") || str_is(kind, "spaces"))
		return space_knows(db, space, REF_SPACE, id);
	if (str_is(kind, "collections"))
		return space_knows(db, space, REF_COLLECTION, id);
	return (str_is(kind, "o") || str_is(kind, "orgs")) && space_in_org(db, space, id);
}

/*
 * Addresses in the application and the API of this installation, which work for those alone who have a role there. They
 * are known by the ids in them, since an installation moves, has several names, and is written about under the name of
 * the published service.
 */
static bool
in_app(struct db *db, struct arena *a, const char *space, const char *url)
{
	const char *at = strncasecmp(url, "http", 4) == 0 ? strstr(url, "://") : NULL;
	struct str kind = { NULL, 0 };
	size_t n;

	at = at == NULL ? NULL : at + 3 + strcspn(at + 3, "/?#");
	for (; at != NULL && *at == '/'; at += n + 1) {
		n = strcspn(at + 1, "/?#");
		if (kind.n > 0 && n > 0 && names_ours(db, space, kind, arena_strndup(a, at + 1, n)))
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

	/* Pages that a computed page expands to have no row: they are asked of the specification. */
	if (kinds == NODE_PAGES && computed_id(t->node))
		return computed_has(db, a, p, t) ? LINK_OK : LINK_BROKEN;
	if (kinds != 0)
		return node_get(db, a, p, t->node, &n) && (n.kind & kinds) != 0 &&
		    page_has(db, a, places, &n, t->anchor) ? LINK_OK : LINK_BROKEN;
	if (strcmp(t->kind, "missing") == 0 || (str_starts(str_of(t->key), LINK_SPEC) &&
	    !computed_known(db, a, p, t->node)))
		return LINK_BROKEN;
	return t->url != NULL && in_app(db, a, p->space, t->url) ? LINK_IN_APP : LINK_OK;
}
