/*
 * Which pages a computed page expands to, and their places. Every look-up expands all computed
 * pages of one parent, in their order, so that slugs are the same whether a page is listed or found
 * by id or path.
 */
#include <assert.h>
#include <cjson/cJSON.h>

#include "base/json.h"
#include "base/map.h"
#include "base/secret.h"
#include "store/computed.h"

/* 64 bits: enough to tell the pages of one description apart. */
enum { HASH_CHARS = 16 };   /* of an id, after the computed page's own id and a hyphen */

/*
 * At any time a slug has at most one specification; version numbers rise with time. The
 * specification is joined first, so that SQLite reads its versions in the order of their index.
 */
SQL(q_version,
    "SELECT v.id FROM openapi_version v WHERE v.spec = (SELECT s.id FROM branch b "
    "JOIN space sp ON sp.id = b.space JOIN openapi_spec s ON s.org = sp.org AND s.slug = :slug "
    "LEFT JOIN revision r ON r.branch = b.id AND r.seq = :seq WHERE b.id = :branch "
    "AND (r.created_at IS NULL OR s.created_at <= r.created_at) "
    "AND (s.deleted_at IS NULL OR s.deleted_at > r.created_at) LIMIT 1) AND v.shown = 1 "
    "AND v.created_at <= COALESCE((SELECT r.created_at FROM revision r WHERE r.branch = :branch AND r.seq = :seq), "
    "v.created_at) ORDER BY v.no DESC LIMIT 1");
/*
 * Compares the begin and end of the specification with the time of the revision, so that an old
 * revision shows what it showed then. Without a revision row (while the first one is written) only
 * a live specification counts, because a comparison with NULL is not true.
 */
SQL(q_known,
    "SELECT 1 FROM branch b JOIN space sp ON sp.id = b.space JOIN openapi_spec s ON s.org = sp.org AND s.slug = :slug "
    "LEFT JOIN revision r ON r.branch = b.id AND r.seq = :seq WHERE b.id = :branch "
    "AND (r.created_at IS NULL OR s.created_at <= r.created_at) "
    "AND (s.deleted_at IS NULL OR s.deleted_at > r.created_at) LIMIT 1");
/* Finds nothing for an id of another organization. */
SQL(q_slug,
    "SELECT s.slug FROM openapi_spec s WHERE s.id = :name AND s.org = (SELECT org FROM space WHERE id = :space)");
SQL(q_shown,
    "SELECT 1 FROM space sp JOIN openapi_spec s ON s.org = sp.org AND (s.slug = :name OR s.id = :name) "
    "WHERE sp.id = :space AND s.deleted_at IS NULL AND EXISTS (SELECT 1 FROM openapi_version v WHERE v.spec = s.id "
    "AND v.shown = 1) LIMIT 1");
SQL(q_parents,
    "SELECT DISTINCT parent FROM node WHERE branch = :branch AND kind = 'computed' AND since <= :seq "
    "AND until > :seq ORDER BY parent");
/*
 * True if the parent had a computed page in any revision. Hardly any parent has one, and this query
 * is cheaper than reading the children. `until > 0` and the concatenation make SQLite choose the
 * index of computed pages, which is empty in most spaces; other indexes would read all files, or
 * all nodes.
 */
SQL(q_any_below,
    "SELECT 1 FROM node WHERE branch IN (:branch, :base) AND kind = 'computed' AND until > 0 AND parent || '' = :parent LIMIT 1");
SQL(q_any, "SELECT 1 FROM node WHERE branch IN (:branch, :base) AND kind = 'computed' AND until > 0 LIMIT 1");
SQL(q_slug_known, "SELECT 1 FROM openapi_page WHERE version = :version AND (slug = :slug OR slug = :wanted) LIMIT 1");
/*
 * The number orders the pages of a version; parts of the specification that have no page have no
 * row here.
 */
SQL(q_pages,
    "SELECT no, kind, name, title, slug, description, parent, weight, method, path FROM openapi_page "
    "WHERE version = :version ORDER BY no");

/*
 * Number of HTML elements beyond which operations or models get a page each. Browsers and readers
 * have trouble with more; the rest of a page needs up to a thousand.
 */
enum { PAGE_WEIGHT = 4000 };

/* The properties of a computed page. */
struct source {
	const char *spec;      /* slug */
	bool        models;
	/* Which operations get a page of their own. */
	enum { PAGES_OF_LARGE, PAGES_OF_ALL, PAGES_OF_NONE } pages;
};

/*
 * False: the page is not computed from an OpenAPI specification, the only source that is supported.
 */
static bool
read_source(struct arena *a, const struct node *n, struct source *out)
{
	cJSON *props = cJSON_Parse(n->props);
	const cJSON *c = cJSON_GetObjectItemCaseSensitive(props, "computed");
	const cJSON *type = cJSON_GetObjectItemCaseSensitive(c, "type");
	const cJSON *spec = cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(c, "dependencies"), "spec");
	const cJSON *settings = cJSON_GetObjectItemCaseSensitive(c, "props");
	const cJSON *models = cJSON_GetObjectItemCaseSensitive(settings, "models");
	const char *pages;
	bool ok;

	spec = cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(spec, "ref"), "spec");
	ok = cJSON_IsString(type) && strcmp(type->valuestring, "builtin:openapi") == 0 && cJSON_IsString(spec);
	if (ok) {
		pages = json_text_of(settings, "pages");
		*out = (struct source){ arena_strdup(a, spec->valuestring), cJSON_IsTrue(models), pages == NULL ? PAGES_OF_LARGE :
			strcmp(pages, "operation") == 0 ? PAGES_OF_ALL : strcmp(pages, "tag") == 0 ? PAGES_OF_NONE : PAGES_OF_LARGE };
	}
	cJSON_Delete(props);
	return ok;
}

const char *
computed_spec(struct arena *a, const struct node *n)
{
	struct source s;

	return read_source(a, n, &s) ? s.spec : NULL;
}

/* ---- the pages of one computed page ---- */

/*
 * Made from kind and name, not from the number in the version, so that a page keeps its id when a
 * new version of the specification adds others before it.
 */
static char *
page_id(struct arena *a, const char *computed, const char *kind, const char *name)
{
	struct str h = hash_of(a, str_of(arena_printf(a, "%s\n%s", kind, name)));

	return arena_printf(a, "%s-%.*s", computed, HASH_CHARS, hex(a, h));
}

char *
computed_id_of(struct arena *a, const struct computed_page *c, const char *kind, const char *name)
{
	return page_id(a, computed_row(a, c->page.node.id), kind, name);
}

/* Returns a slug that no sibling has: `above` is the path of their parent. */
static char *
free_slug(struct arena *a, struct map *taken, const char *above, const char *wanted)
{
	char *slug = arena_strdup(a, wanted);
	int n;

	for (n = 2; !map_add(taken, str_of(*above == '\0' ? slug : arena_printf(a, "%s/%s", above, slug)), NULL); n++)
		slug = arena_printf(a, "%s-%d", wanted, n);
	return slug;
}

/* A row of openapi_page. */
struct row {
	struct row           *next;
	int64_t               no, parent;   /* parent -1: none */
	bool                  has_parts;    /* rows of its operations or models exist */
	bool                  heavy;        /* it has more HTML elements than PAGE_WEIGHT */
	const char           *kind, *name, *title, *slug, *description, *method, *path;
	struct computed_page *page;         /* made from the row; NULL: not yet, or the row is not shown */
};

/*
 * Returns properties in the format of stored pages, so that callers need not distinguish computed
 * pages.
 */
static char *
write_props(struct arena *a, const struct source *s, const char *id, const struct row *r)
{
	struct json j;
	struct buf b;

	buf_init(&b, a, 1 << 20);
	json_init(&j, &b);
	json_obj(&j);
	if (*r->description != '\0')
		json_kstr(&j, "description", r->description);
	json_kobj(&j, "computed");
	json_kstr(&j, "type", "builtin:openapi");
	json_kobj(&j, "props");
	json_kstr(&j, "doc", r->kind);
	/* A specification has one page of all models, which needs no name. */
	if (strcmp(r->kind, "models") != 0)
		json_kstr(&j, "page", r->name);
	/* The page shows either its operations or links to their pages. */
	if (s->pages != PAGES_OF_LARGE)
		json_kstr(&j, "pages", s->pages == PAGES_OF_ALL ? "operation" : "tag");
	json_end(&j);
	json_kobj(&j, "dependencies");
	json_kobj(&j, "spec");
	json_kobj(&j, "ref");
	json_kstr(&j, "kind", "openapi");
	json_kstr(&j, "spec", s->spec);
	json_end(&j);
	json_end(&j);
	json_end(&j);
	json_end(&j);
	/* The table of contents shows the method. */
	if (r->method != NULL)
		json_kstr(&j, "method", r->method);
	json_kstr(&j, "computedSeed", id);
	json_end(&j);
	return b.p;
}

/* True if the operations or models of the row have a page each. */
static bool
is_split(const struct source *s, const struct row *r)
{
	if (!r->has_parts || s->pages == PAGES_OF_NONE)
		return false;
	return r->heavy || (s->pages == PAGES_OF_ALL && strcmp(r->kind, "operations") == 0);
}

/* State that all pages of one computed page share. */
struct expansion {
	struct arena        *arena;
	const struct node   *computed;
	const struct source *source;
	const char          *version;
	const char          *above;    /* path of the computed page's parent */
	struct map          *taken;    /* slugs of siblings, below the first level with the path before them */
	struct map          *rows;     /* number -> struct row */
	struct row          *first;
};

static struct row *
find_row(const struct expansion *x, int64_t no)
{
	return map_get(x->rows, (struct str){ (const char *)&no, sizeof(no) });
}

static void
read_rows(struct db *db, struct expansion *x)
{
	struct stmt *q = db_use(db, &q_pages);
	struct row *r, **last = &x->first;
	struct arena *a = x->arena;

	x->rows = map_new(a);
	bind_text(q, ":version", x->version);
	for (; stmt_step(q); last = &r->next) {
		r = arena_alloc(a, sizeof(*r));
		*r = (struct row){ .no = col_int(q, 0), .parent = col_null(q, 6) ? -1 : col_int(q, 6), .heavy = col_int(q, 7) > PAGE_WEIGHT,
			.kind = col_dup(q, 1, a), .name = col_dup(q, 2, a), .title = col_dup(q, 3, a), .slug = col_dup(q, 4, a),
			.description = col_dup(q, 5, a), .method = col_dup(q, 8, a), .path = col_dup(q, 9, a) };
		*last = r;
		map_add(x->rows, (struct str){ (const char *)&r->no, sizeof(r->no) }, r);
	}
	for (r = x->first; r != NULL; r = r->next)
		if (find_row(x, r->parent) != NULL && strcmp(r->kind, "operations") != 0)
			find_row(x, r->parent)->has_parts = true;
}

/*
 * True if the row gets no page: one of models if the source shows none, or a single operation or model
 * whose group is not divided into pages.
 */
static bool
has_no_page(const struct expansion *x, const struct row *r, const struct row *parent_row)
{
	if (strncmp(r->kind, "model", 5) == 0 && !x->source->models)
		return true;
	return (strcmp(r->kind, "operation") == 0 || strcmp(r->kind, "model") == 0) &&
	    (parent_row == NULL || !is_split(x->source, parent_row));
}

/* Makes the row's page, after those above it; NULL: it is not shown. */
static struct computed_page *
make_page(struct expansion *x, struct row *r)
{
	struct row *parent_row = find_row(x, r->parent);
	struct computed_page *above = NULL, *c;
	const char *path = x->above;
	struct node *n;

	if (r->page != NULL || has_no_page(x, r, parent_row))
		return r->page;
	/* Parents form no cycle: openapi/parts.c checks that. */
	if (parent_row != NULL && (above = make_page(x, parent_row)) != NULL)
		path = above->page.path;
	c = r->page = arena_alloc(x->arena, sizeof(*c));
	c->spec = x->source->spec;
	c->version = x->version;
	c->no = r->no;
	c->kind = r->kind;
	c->name = r->name;
	c->split = is_split(x->source, r);
	c->method = r->method;
	n = &c->page.node;
	*n = (struct node){ .id = page_id(x->arena, x->computed->id, r->kind, r->name), .kind = NODE_DOCUMENT, .branch = -1,
		/*
		 * The pages have the parent and the order key of the computed page, because they
		 * replace it among its siblings. branch -1: the node is no row of the database.
		 */
		.parent = above != NULL ? above->page.node.id : x->computed->parent, .ord = x->computed->ord, .title = r->title,
		.slug = free_slug(x->arena, x->taken, above != NULL ? path : "", r->slug), .at = x->computed->at, .made = x->computed->made };
	n->props = write_props(x->arena, x->source, n->id, r);
	c->page.path = *path == '\0' ? n->slug : arena_printf(x->arena, "%s/%s", path, n->slug);
	return c;
}

const char *
computed_slug(struct db *db, struct arena *a, const char *space, const char *name)
{
	struct stmt *q = db_use(db, &q_slug);
	const char *slug;

	bind_text(q, ":name", name);
	bind_text(q, ":space", space);
	slug = stmt_dup(q, a);
	return slug != NULL ? slug : name;
}

bool
computed_shown(struct db *db, const char *space, const char *name)
{
	struct stmt *q = db_use(db, &q_shown);

	bind_text(q, ":name", name);
	bind_text(q, ":space", space);
	return stmt_int(q, 0) == 1;
}

bool
computed_known(struct db *db, struct arena *a, const struct point *p, const char *name)
{
	const char *slug = computed_slug(db, a, p->space, name);
	struct stmt *q = db_use(db, &q_known);

	bind_text(q, ":slug", slug);
	bind_int(q, ":branch", p->branch);
	bind_int(q, ":seq", p->seq);
	return stmt_int(q, 0) != 0;
}

const char *
computed_version(struct db *db, struct arena *a, const struct point *p, const char *name)
{
	const char *slug = computed_slug(db, a, p->space, name);
	struct stmt *q = db_use(db, &q_version);

	bind_text(q, ":slug", slug);
	bind_int(q, ":branch", p->branch);
	bind_int(q, ":seq", p->seq);
	return stmt_dup(q, a);
}

/*
 * Returns the pages that one computed page expands to, chained by page.next; NULL: none. Pages
 * below others are in the same chain, after them. above: the path of the parent. taken: slugs of
 * the siblings; those of the new pages are added.
 */
static struct page *
expand_one(struct db *db, struct arena *a, const struct point *p, const struct node *computed,
    const char *above, struct map *taken)
{
	struct expansion x = { .arena = a, .computed = computed, .above = above, .taken = taken };
	struct page *first = NULL, **last = &first;
	struct computed_page *c;
	struct source s;
	struct row *r;

	/* The specification has no version until it was first read. */
	if (!read_source(a, computed, &s) || (x.version = computed_version(db, a, p, s.spec)) == NULL)
		return NULL;
	/* The pages name the specification by its slug, as clients do. */
	s.spec = computed_slug(db, a, p->space, s.spec);
	x.source = &s;
	read_rows(db, &x);
	for (r = x.first; r != NULL; r = r->next) {
		if ((c = make_page(&x, r)) == NULL)
			continue;
		*last = &c->page;
		last = &c->page.next;
	}
	return first;
}

/* Puts the pages of a chain below those that are above them; returns the others. */
static struct page *
nest_pages(struct arena *a, struct page *chain)
{
	struct page *first = NULL, **last = &first, *page, *next, *parent_row, **at;
	struct map *by_id = map_new(a), *ends = map_new(a);
	void **end;

	for (page = chain; page != NULL; page = page->next)
		map_add(by_id, str_of(page->node.id), page);
	for (page = chain; page != NULL; page = next) {
		next = page->next;
		page->next = NULL;
		if ((parent_row = map_get(by_id, str_of(page->node.parent))) == NULL) {
			*last = page;
			last = &page->next;
			continue;
		}
		/* The end of each list is remembered: a tag may have thousands of pages. */
		end = map_at(ends, str_of(parent_row->node.id));
		at = *end != NULL ? *end : &parent_row->first;
		*at = page;
		*end = &page->next;
	}
	return first;
}

/* True if one of these siblings is computed; their children are not searched. */
static bool
any_computed(const struct page *first)
{
	for (; first != NULL; first = first->next)
		if (first->node.kind == NODE_COMPUTED)
			return true;
	return false;
}

/* Returns the end of the chain, where the next page is linked. */
static struct page **
chain_end(struct page **at)
{
	while (*at != NULL)
		at = &(*at)->next;
	return at;
}

struct page *
computed_expand(struct db *db, struct arena *a, const struct point *p, struct page *first, const char *above)
{
	struct page **at, *page;
	struct map *taken;

	for (page = first; page != NULL; page = page->next)
		page->first = computed_expand(db, a, p, page->first, page->path);
	if (!any_computed(first))
		return first;
	taken = map_new(a);
	for (page = first; page != NULL; page = page->next)
		if (page->node.kind != NODE_COMPUTED)
			map_add(taken, str_of(page->node.slug), NULL);
	for (at = &first; *at != NULL; ) {
		if ((*at)->node.kind != NODE_COMPUTED) {
			at = &(*at)->next;
			continue;
		}
		page = *at;
		*at = nest_pages(a, expand_one(db, a, p, &page->node, above, taken));
		at = chain_end(at);
		*at = page->first;
		at = chain_end(at);
		*at = page->next;
	}
	return first;
}

/* ---- one page ---- */

/*
 * False if no computed page can expand to a page with this slug: the specification has neither the
 * slug nor the slug without the number that free_slug() may have appended. This test is quick;
 * expanding thousands of pages takes milliseconds.
 */
static bool
may_have_slug(struct db *db, struct arena *a, const struct point *p, const struct node *list, size_t n, const char *slug)
{
	size_t end = strlen(slug), i;
	const char *version;
	struct source s;
	struct stmt *q;

	while (end > 0 && slug[end - 1] >= '0' && slug[end - 1] <= '9')
		end--;
	end = end > 0 && slug[end - 1] == '-' ? end - 1 : strlen(slug);
	for (i = 0; i < n; i++) {
		if (list[i].kind != NODE_COMPUTED || !read_source(a, &list[i], &s) || (version = computed_version(db, a, p, s.spec)) == NULL)
			continue;
		q = db_use(db, &q_slug_known);
		bind_text(q, ":version", version);
		bind_text(q, ":slug", slug);
		bind_text(q, ":wanted", arena_strndup(a, slug, end));
		if (stmt_int(q, 0) == 1)
			return true;
	}
	return false;
}

/*
 * Expands all computed pages below this parent. Returns NULL without expanding if slug is not NULL
 * and none of their pages can have it.
 */
static struct page *
expand_below(struct db *db, struct arena *a, const struct point *p, const char *parent, const char *above, const char *slug)
{
	size_t n, i;
	struct node *list;
	struct page *first = NULL, **last = &first;
	struct map *taken;
	struct stmt *q = db_use(db, &q_any_below);

	bind_int(q, ":branch", p->branch);
	bind_int(q, ":base", p->base);
	bind_text(q, ":parent", parent);
	if (stmt_int(q, 0) == 0)
		return NULL;
	list = node_children(db, a, p, parent, &n);
	if (slug != NULL && !may_have_slug(db, a, p, list, n, slug))
		return NULL;
	taken = map_new(a);
	for (i = 0; i < n; i++)
		if (list[i].kind != NODE_COMPUTED)
			map_add(taken, str_of(list[i].slug), NULL);
	for (i = 0; i < n; i++) {
		if (list[i].kind != NODE_COMPUTED)
			continue;
		*last = expand_one(db, a, p, &list[i], above, taken);
		/* expand_one() gives a chain, or NULL. */
		while (*last != NULL)
			last = &(*last)->next;
	}
	return first;
}

/* Returns the path of a parent page, "" for the root; NULL if there is no such page. */
static const char *
parent_path(struct db *db, struct arena *a, const struct point *p, const char *id)
{
	struct node n;

	if (*id == '\0')
		return "";
	return node_get(db, a, p, id, &n) ? page_path(db, a, p, &n) : NULL;
}

struct page *
computed_all(struct db *db, struct arena *a, const struct point *p)
{
	struct parent { struct parent *next; const char *id; } *first = NULL, **last = &first, *k;
	struct stmt *q = db_use(db, &q_parents);
	struct page *pages = NULL, **tail = &pages;
	const char *above;

	bind_int(q, ":branch", p->branch);
	bind_int(q, ":seq", p->seq);
	while (stmt_step(q)) {
		*last = arena_alloc(a, sizeof(**last));
		(*last)->id = col_dup(q, 0, a);
		last = &(*last)->next;
	}
	for (k = first; k != NULL; k = k->next) {
		if ((above = parent_path(db, a, p, k->id)) == NULL)
			continue;
		*tail = expand_below(db, a, p, k->id, above, NULL);
		while (*tail != NULL)
			tail = &(*tail)->next;
	}
	return pages;
}

/*
 * Checks only the form of the id; the page need not exist. Ids of stored nodes have 22 letters and
 * digits, and no hyphen.
 */
bool
computed_is_id(const char *id)
{
	size_t n = strlen(id);

	return n > HASH_CHARS + 1 && id[n - HASH_CHARS - 1] == '-';
}

const char *
computed_row(struct arena *a, const char *id)
{
	assert(computed_is_id(id));
	return arena_strndup(a, id, strlen(id) - HASH_CHARS - 1);
}

struct page *
computed_siblings(struct db *db, struct arena *a, const struct point *p, const char *id)
{
	struct node computed;
	const char *above;

	if (!computed_is_id(id) || !node_get(db, a, p, computed_row(a, id), &computed) || computed.kind != NODE_COMPUTED)
		return NULL;
	if ((above = parent_path(db, a, p, computed.parent)) == NULL)
		return NULL;
	return expand_below(db, a, p, computed.parent, above, NULL);
}

struct computed_page *
computed_by_id(struct db *db, struct arena *a, const struct point *p, const char *id)
{
	struct page *page = computed_siblings(db, a, p, id);

	while (page != NULL && strcmp(page->node.id, id) != 0)
		page = page->next;
	/* The struct page is the first member of struct computed_page. */
	return (struct computed_page *)page;
}

/*
 * Splits the path: it ends with slugs of expanded pages (several, for pages below that of a tag),
 * so each shorter path may be that of the computed page's parent.
 */
struct computed_page *
computed_by_path(struct db *db, struct arena *a, const struct point *p, const char *path)
{
	char *above = arena_strdup(a, path);
	const char *slash, *slug;
	struct stmt *q = db_use(db, &q_any);
	struct node parent;
	struct page *page;

	bind_int(q, ":branch", p->branch);
	bind_int(q, ":base", p->base);
	/* Most spaces have no computed pages, and no page has a path with so many levels. */
	if (stmt_int(q, 0) == 0 || path_levels(path) > PAGE_DEPTH)
		return NULL;
	slash = strrchr(path, '/');
	slug = slash != NULL ? slash + 1 : path;
	do {
		slash = strrchr(above, '/');
		above[slash != NULL ? slash - above : 0] = '\0';
		parent = (struct node){ .id = "" };
		if (*above != '\0' && !page_at(db, a, p, above, &parent))
			continue;
		for (page = expand_below(db, a, p, parent.id, above, slug); page != NULL; page = page->next)
			if (strcmp(page->path, path) == 0)
				/* The struct page is the first member of struct computed_page. */
				return (struct computed_page *)page;
	} while (*above != '\0');
	return NULL;
}

struct computed_page *
computed_first(struct db *db, struct arena *a, const struct point *p, const struct node *computed)
{
	const char *above = parent_path(db, a, p, computed->parent);
	struct page *page = above == NULL ? NULL : expand_below(db, a, p, computed->parent, above, NULL);
	size_t n = strlen(computed->id);

	while (page != NULL && (strncmp(page->node.id, computed->id, n) != 0 || page->node.id[n] != '-'))
		page = page->next;
	return (struct computed_page *)page;
}
