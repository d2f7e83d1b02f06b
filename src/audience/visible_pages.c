/*
 * Pages as a visitor sees them: trees, single pages, addresses, references. Contract:
 * audience/visit.h.
 */
#include <cjson/cJSON.h>

#include "base/json.h"
#include "base/map.h"
#include "base/secret.h"
#include "base/url.h"
#include "audience_parts.h"
#include "store/redirect.h"

/* Number of look-ups of single pages in a space after which its whole tree is read. */
enum { MANY = 100 };

SQL(q_redirect, "SELECT id, destination, permanent, capture, source FROM site_redirect "
    "WHERE site = :site AND draft = 0 AND source = :source");
/* Uses the index of wildcard sources; a site has few. */
SQL(q_redirect_wild,
    "SELECT id, destination, permanent, capture, source FROM site_redirect WHERE site = :site AND substr(source, -1) = '*' AND draft = 0 "
    "AND substr(:source, 1, length(source) - 1) = substr(source, 1, length(source) - 1)");

/* ---- properties ---- */

/*
 * A property of a page; NULL: it has none of this name. Most pages have no such property, so the
 * text is searched before it is parsed.
 */
static const cJSON *
page_property(const char *props, const char *name)
{
	/* The name may also be part of another text; then parsing finds no such property. */
	return props == NULL || strstr(props, name) == NULL ? NULL :
	    cJSON_GetObjectItemCaseSensitive(cJSON_Parse(props), name);
}

bool
visit_page_hidden(const struct page *p)
{
	return cJSON_IsTrue(page_property(p->node.props, "hidden"));
}

bool
visit_page_indexed(const struct page *p)
{
	return !visit_page_hidden(p) && !cJSON_IsTrue(page_property(p->node.props, "noIndex")) &&
	    !cJSON_IsTrue(page_property(p->node.props, "noRobotsIndex"));
}

bool
visit_has_condition(const struct node *n)
{
	return page_property(n->props, "condition") != NULL;
}

static bool
condition_holds(const struct visit *v, const struct point *at, const struct node *n, const cJSON *condition)
{
	if (condition == NULL)
		return true;
	trace_pages(v, at);
	return visit_holds_at(v,
	    /* A condition that is no text cannot be evaluated, so the page is hidden. */
	    cJSON_IsString(condition) ? condition->valuestring : "false", at, n);
}

bool
visit_sees_node(const struct visit *v, const struct point *at, const struct node *n)
{
	return condition_holds(v, at, n, page_property(n->props, "condition"));
}

/* ---- trees ---- */

/* True if the condition of the page holds. The parsed properties are kept in p, for code that writes the tree. */
static bool
sees_page(const struct visit *v, const struct point *at, struct page *p)
{
	if (p->node.props == NULL || strstr(p->node.props, "\"condition\"") == NULL)
		return true;
	p->props = cJSON_Parse(p->node.props);
	return condition_holds(v, at, &p->node, cJSON_GetObjectItemCaseSensitive(p->props, "condition"));
}

/* Removes pages that the visitor does not see, with everything below them. */
void
visit_prune(const struct visit *v, const struct point *at, struct page **p)
{
	while (*p != NULL) {
		if (!sees_page(v, at, *p)) {
			*p = (*p)->next;
			continue;
		}
		visit_prune(v, at, &(*p)->first);
		p = &(*p)->next;
	}
}

struct page *
visit_find(struct page *tree, const char *id)
{
	struct page *found;

	for (; tree != NULL; tree = tree->next) {
		if (strcmp(tree->node.id, id) == 0)
			return tree;
		if ((found = visit_find(tree->first, id)) != NULL)
			return found;
	}
	return NULL;
}

/* ---- single pages ---- */

bool
sees_with_ancestors(const struct visit *v, const struct point *at, const struct node *n)
{
	struct node up = *n;
	int levels;

	/*
	 * A page is hidden if one of its ancestors is. The number of levels is limited in case of a
	 * cycle; its pages are hidden.
	 */
	for (levels = 0; levels <= PAGE_DEPTH; levels++) {
		if (!visit_sees_node(v, at, &up))
			return false;
		if (*up.parent == '\0')
			return true;
		if (!node_get(v->db, v->arena, at, up.parent, &up))
			return false;
	}
	return false;
}

/* Returns a page that a computed page expands to. False: the visitor does not see the computed page. */
static bool
get_computed(const struct visit *v, const struct visit_item *space, struct computed_page *c, struct page *out,
    struct computed_page **computed)
{
	struct node from;
	/* The id up to the last hyphen is that of the computed page (computed/computed.h). */
	const char *hyphen = c == NULL ? NULL : strrchr(c->page.node.id, '-');

	if (hyphen == NULL)
		return false;
	if (!node_get(v->db, v->arena, &space->point, arena_strndup(v->arena, c->page.node.id,
	    (size_t)(hyphen - c->page.node.id)), &from) || !sees_with_ancestors(v, &space->point, &from))
		return false;
	*computed = c;
	*out = c->page;
	out->first = out->next = NULL;
	return true;
}

/*
 * Returns a stored page with its path. False: the visitor does not see it, or the node is a file, a
 * setting or a computed page, which have no address as a page.
 */
static bool
get_page(const struct visit *v, const struct visit_item *space, const struct node *n, struct page *out)
{
	if ((n->kind & (NODE_DOCUMENT | NODE_GROUP | NODE_LINK)) == 0 || !sees_with_ancestors(v, &space->point, n))
		return false;
	*out = (struct page){ .node = *n, .path = page_path(v->db, v->arena, &space->point, n) };
	return true;
}

bool
visit_page(const struct visit *v, const struct visit_item *space, const char *id, struct page *out,
    struct computed_page **computed)
{
	const struct visit_pages *known = find_cached_pages(v, &space->point);
	const struct page *p;
	struct node n;

	*computed = NULL;
	/* pages_hash NULL: the tree has computed pages, so the cached tree cannot be used. */
	if (known != NULL && known->pages_hash != NULL) {
		p = map_get(known->by_id, str_of(id));
		if (p != NULL)
			*out = (struct page){ .node = p->node, .path = p->path };
		return p != NULL;
	}
	if (node_get(v->db, v->arena, &space->point, id, &n))
		return get_page(v, space, &n, out);
	return get_computed(v, space, computed_by_id(v->db, v->arena, &space->point, id), out, computed);
}

/*
 * Finds the page that has this path now: a stored page or, if there is none, one that a computed
 * page expands to. *known: there is such a page, whether the visitor sees it or not.
 */
static bool
find_current_page(const struct visit *v, const struct visit_item *space, const char *path, struct page *out,
    struct computed_page **computed, bool *known)
{
	struct computed_page *c;
	struct node n;

	*computed = NULL;
	*known = page_at(v->db, v->arena, &space->point, path, &n) && n.kind != NODE_COMPUTED;
	if (*known)
		return get_page(v, space, &n, out);
	c = computed_by_path(v->db, v->arena, &space->point, path);
	*known = c != NULL;
	return *known && get_computed(v, space, c, out, computed);
}

static bool
find_page_at_key(const struct visit *v, const struct visit_item *space, const char *path, struct page *out,
    struct computed_page **computed)
{
	struct node n;
	bool known;

	if (find_current_page(v, space, path, out, computed, &known))
		return true;
	/* Former addresses come last, because a new page may have the former address of another one. */
	return !known && page_by_path(v->db, v->arena, &space->point, path, &n) && get_page(v, space, &n, out);
}

bool
page_is_at(const struct visit *v, const struct visit_item *space, const char *path)
{
	struct computed_page *computed;
	const char *const *key;
	struct page page;
	bool known;

	for (key = page_spellings(v->arena, path); *key != NULL; key++)
		if (find_current_page(v, space, *key, &page, &computed, &known))
			return true;
	return false;
}

/* Context of is_seen(). */
struct page_seen {
	const struct visit *v;
	const struct point *at;
};

static bool
is_seen(void *ctx, const struct node *n)
{
	const struct page_seen *s = ctx;

	return sees_with_ancestors(s->v, s->at, n);
}

bool
page_is_below(const struct visit *v, const struct visit_item *space, const char *path)
{
	struct page_seen seen = { v, &space->point };

	return page_any_below(v->db, v->arena, &space->point, path, is_seen, &seen);
}

bool
visit_page_at(const struct visit *v, const struct visit_item *space, const char *path, struct page *out,
    struct computed_page **computed)
{
	const char *const *key;

	for (key = page_spellings(v->arena, path); *key != NULL; key++)
		if (find_page_at_key(v, space, *key, out, computed))
			return true;
	return false;
}

bool
visit_sees_page(const struct visit *v, const struct visit_item *space, const char *id)
{
	struct computed_page *computed;
	struct page page;

	return visit_page(v, space, id, &page, &computed);
}

bool
visit_sees_part(void *ctx, const char *page, const char *conditions)
{
	const struct visit_place *p = ctx;
	struct computed_page *computed;
	struct page at;
	bool holds = true;
	size_t n;

	/* Each look-up of a single page reads all its ancestors, so after many look-ups the whole tree is read. */
	if (count_searches(p->visit, &p->space->point) == MANY)
		visit_pages(p->visit, p->space);
	if (!visit_page(p->visit, p->space, page, &at, &computed))
		return false;
	if (conditions == NULL)
		return true;
	trace_claims(p->visit);
	for (; holds; conditions += n + 1) {
		/* The part may be in nested blocks: it is visible if all their conditions hold. */
		n = strcspn(conditions, DOC_AND);
		/* A condition that could not be parsed is empty here, and does not hold. */
		holds = n > 0 && visit_holds_at(p->visit, arena_strndup(p->visit->arena, conditions, n), &p->space->point,
		    computed == NULL ? &at.node : NULL);
		if (conditions[n] == '\0')
			break;
	}
	return holds;
}

/* ---- the first page ---- */

static bool
find_first_document(const struct page *p, bool hidden, struct page *out)
{
	for (; p != NULL; p = p->next) {
		/* A page with "hidden" is skipped; it is the home page only if there is no other (find_home()). */
		if (!hidden && visit_page_hidden(p))
			continue;
		if (p->node.kind == NODE_DOCUMENT) {
			*out = *p;
			out->first = out->next = NULL;
			return true;
		}
		if (p->node.kind == NODE_GROUP && find_first_document(p->first, hidden, out))
			return true;
	}
	return false;
}

/*
 * Fast path: the first page at the top level is nearly always the home page. False: it is not, so
 * the caller must read the tree.
 */
static bool
find_plain_home(const struct visit *v, const struct visit_item *space, struct page *out)
{
	struct page first = { .path = NULL };

	return node_end_child(v->db, v->arena, &space->point, "", false, NULL, &first.node) &&
	    first.node.kind == NODE_DOCUMENT && !visit_page_hidden(&first) && get_page(v, space, &first.node, out);
}

static bool
find_home(const struct visit *v, const struct visit_item *space, struct page *out)
{
	const struct visit_pages *known = find_cached_pages(v, &space->point);
	struct page *tree;

	/* A tree that is cached already is used; otherwise the fast path is cheaper. */
	if (known == NULL && find_plain_home(v, space, out))
		return true;
	tree = visit_tree(v, space);
	return find_first_document(tree, false, out) || find_first_document(tree, true, out);
}

/* The result is cached, because this is called for the address of each page. */
bool
visit_home(const struct visit *v, const struct visit_item *space, struct page *out)
{
	struct page *home = map_get(v->homes, str_of(space->id));

	if (home == NULL) {
		home = arena_alloc(v->arena, sizeof(*home));
		/* If there is no home page, the id stays NULL, which is cached as well. */
		find_home(v, space, home);
		map_add(v->homes, str_of(space->id), home);
	}
	if (home->node.id == NULL)
		return false;
	*out = *home;
	return true;
}

/* ---- addresses ---- */

char *
visit_below(const struct visit *v, const struct visit_item *space, const char *path)
{
	return arena_printf(v->arena, "%s%s", space->address, url_path(v->arena, path));
}

char *
visit_page_address(const struct visit *v, const struct visit_item *space, const struct page *p)
{
	struct page home;

	if (visit_home(v, space, &home) && strcmp(home.node.id, p->node.id) == 0)
		return arena_strdup(v->arena, space->address);
	return visit_below(v, space, p->path);
}

/*
 * The address of a page or anchor. Without an id, the target is the site space itself, or an anchor
 * in its home page.
 */
static char *
page_ref_address(const struct visit *v, const struct visit_item *in, const struct doc_ref *ref)
{
	struct computed_page *computed;
	struct page page;
	char *at;

	if (ref->id == NULL)
		at = arena_strdup(v->arena, in->address);
	else if (visit_page(v, in, ref->id, &page, &computed))
		at = visit_page_address(v, in, &page);
	else
		return NULL;
	return ref->anchor == NULL ? at :
	    arena_printf(v->arena, "%s#%s", at, url_segment(v->arena, str_of(ref->anchor)));
}

char *
visit_file_address(const struct visit *v, const struct visit_item *space, const struct node *file)
{
	/* The address contains a hash of the bytes, so that caches may keep the file forever. */
	return arena_printf(v->arena, "%s~file/%s/%s/%.16s/%s", v->site.address, space->id, file->id,
	    hex(v->arena, file->body), url_segment(v->arena, str_of(*file->title != '\0' ? file->title : "file")));
}

static char *
file_ref_address(const struct visit *v, const struct visit_item *in, const struct doc_ref *ref)
{
	struct node n;

	/* Visibility is checked when the file is fetched (visit_sees_file). */
	return ref->id != NULL && node_get(v->db, v->arena, &in->point, ref->id, &n) && n.kind == NODE_FILE &&
	    n.body.n > 0 ? visit_file_address(v, in, &n) : NULL;
}

char *
visit_ref(const struct visit *v, const struct visit_item *from, const struct doc_ref *ref)
{
	const char *space = ref->kind == REF_SPACE ? ref->id : ref->space;
	const struct visit_item *in = from;

	if (ref->kind == REF_URL)
		return ref->url == NULL ? NULL : arena_strdup(v->arena, ref->url);
	/* A link to another space works only if the site shows it to this visitor. */
	if (space != NULL && (from == NULL || strcmp(space, from->space) != 0))
		in = visit_space(v, space);
	if (in == NULL)
		return NULL;
	switch (ref->kind) {
	case REF_SPACE:  return arena_strdup(v->arena, in->address);
	case REF_PAGE:
	case REF_ANCHOR: return page_ref_address(v, in, ref);
	case REF_FILE:   return file_ref_address(v, in, ref);
	default:         return NULL;
	}
}

/* ---- redirects ---- */

/* The address to which a redirect (SiteRedirectDestination of the API) leads this visitor; NULL: none. */
static char *
redirect_target(const struct visit *v, const cJSON *to)
{
	const char *kind = json_text_of(to, "kind"), *id;
	struct visit_item *it;

	if (kind == NULL)
		return NULL;
	if (strcmp(kind, "external") == 0)
		return (id = json_text_of(to, "url")) == NULL ? NULL : arena_strdup(v->arena, id);
	/* "site-page" names its site space too. */
	id = json_text_of(to, strcmp(kind, "site-section") == 0 ? "siteSectionId" : "siteSpaceId");
	it = id == NULL ? NULL : visit_item(v, id);
	/* The target does not exist, or the visitor does not see it: there is no redirect, and the answer is 404. */
	if (it == NULL || it->kind == VISIT_GROUP || it->kind == VISIT_LINK)
		return NULL;
	if (strcmp(kind, "site-page") != 0)
		return arena_strdup(v->arena, it->address);
	return it->kind != VISIT_SPACE ? NULL :
	    page_ref_address(v, it, &(struct doc_ref){ .kind = REF_PAGE, .id = json_text_of(to, "pageId") });
}

/* Appends `more` to the path of the address, before query and fragment. whole: `more` begins with a new segment. */
static char *
append_path(struct arena *a, const char *address, bool whole, const char *more)
{
	size_t n = strcspn(address, "?#"), end = n;
	const char *host = strstr(address, "://");

	/* If the address has no path, the appended text would become part of the host name. */
	whole = whole || host == NULL || strcspn(host + 3, "/") >= n - (size_t)(host + 3 - address);
	if (whole)
		for (; end > 0 && address[end - 1] == '/'; end--)
			;
	return arena_printf(a, "%.*s%s%s%s", (int)end, address, whole ? "/" : "", more, address + n);
}

bool
visit_redirect(const struct visit *v, const char *source, enum visit_source kind, struct visit_redirect *out)
{
	bool wild = kind == VISIT_WILDCARD;
	struct stmt *q = db_use(v->db, wild ? &q_redirect_wild : &q_redirect);
	const char *to = NULL, *best = NULL;
	bool capture = false;
	size_t n;

	bind_text(q, ":site", v->site.id);
	bind_text(q, ":source", source);
	while (stmt_step(q)) {
		if (best != NULL && strlen(col_text(q, 4)) <= strlen(best))
			continue;
		*out = (struct visit_redirect){ .id = col_dup(q, 0, v->arena),
			.permanent = col_int(q, 2) != 0 && v->site.indexed };
		to = col_dup(q, 1, v->arena);
		capture = wild && col_int(q, 3) != 0;
		best = col_dup(q, 4, v->arena);
	}
	if (best == NULL || (out->target = redirect_target(v, cJSON_Parse(to))) == NULL)
		return false;
	n = strlen(best);
	if (capture)
		/*
		 * If a slash precedes the wildcard of the source, the rest consists of whole segments;
		 * otherwise it may begin within a segment.
		 */
		out->target = append_path(v->arena, out->target, n > 1 && best[n - 2] == '/', source + n - 1);
	return true;
}
