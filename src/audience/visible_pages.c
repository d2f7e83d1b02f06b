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

/* Single lookups in a space after which its tree is read. */
enum { MANY = 100 };

SQL(q_redirect, "SELECT id, destination, permanent, capture, source FROM site_redirect "
    "WHERE site = :site AND draft = 0 AND source = :source");
/* Uses the index of wildcard sources; a site has few. */
SQL(q_redirect_wild,
    "SELECT id, destination, permanent, capture, source FROM site_redirect WHERE site = :site AND substr(source, -1) = '*' AND draft = 0 "
    "AND substr(:source, 1, length(source) - 1) = substr(source, 1, length(source) - 1)");

/* ---- properties ---- */

/* Most pages have none of these: test the text before parsing. */
static const cJSON *
page_property(const char *props, const char *name)
{
	/* If the property exists, its name is in the text; a false match only costs a parse. */
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
	    /* A condition of another type cannot be evaluated, so it hides. */
	    cJSON_IsString(condition) ? condition->valuestring : "false", at, n);
}

/* Evaluates only the node's own condition. */
bool
visit_sees_node(const struct visit *v, const struct point *at, const struct node *n)
{
	return condition_holds(v, at, n, page_property(n->props, "condition"));
}

/* ---- trees ---- */

/* Keep parsed properties with the page, for the code that writes the tree. */
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
seen_from_top(const struct visit *v, const struct point *at, const struct node *n)
{
	struct node up = *n;
	int levels;

	/* A page is hidden with its ancestors. The bound stops at a cycle, which hides. */
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

/* A computed page is visible if the page that it was expanded from is. */
static bool
take_computed(const struct visit *v, const struct visit_item *space, struct computed_page *c, struct page *out,
    struct computed_page **computed)
{
	struct node from;
	/*
	 * Its id begins with that of the computed page, up to the last hyphen
	 * (computed/computed.h).
	 */
	const char *hyphen = c == NULL ? NULL : strrchr(c->page.node.id, '-');

	if (hyphen == NULL)
		return false;
	if (!node_get(v->db, v->arena, &space->point, arena_strndup(v->arena, c->page.node.id,
	    (size_t)(hyphen - c->page.node.id)), &from) || !seen_from_top(v, &space->point, &from))
		return false;
	*computed = c;
	*out = c->page;
	out->first = out->next = NULL;
	return true;
}

/* False for files, settings and computed pages, which have no address as a page. */
static bool
take_page(const struct visit *v, const struct visit_item *space, const struct node *n, struct page *out)
{
	if ((n->kind & (NODE_DOCUMENT | NODE_GROUP | NODE_LINK)) == 0 || !seen_from_top(v, &space->point, n))
		return false;
	*out = (struct page){ .node = *n, .path = page_path(v->db, v->arena, &space->point, n) };
	return true;
}

bool
visit_page(const struct visit *v, const struct visit_item *space, const char *id, struct page *out,
    struct computed_page **computed)
{
	const struct visit_pages *known = pages_at_hand(v, &space->point);
	const struct page *p;
	struct node n;

	*computed = NULL;
	/* With computed pages the view is unknown, and the tree lacks their expansion. */
	if (known != NULL && known->pages_hash != NULL) {
		p = map_get(known->by_id, str_of(id));
		if (p != NULL)
			*out = (struct page){ .node = p->node, .path = p->path };
		return p != NULL;
	}
	if (node_get(v->db, v->arena, &space->point, id, &n))
		return take_page(v, space, &n, out);
	return take_computed(v, space, computed_by_id(v->db, v->arena, &space->point, id), out, computed);
}

/*
 * Written pages come first, then expansions of computed ones. *known: a written page has the path,
 * visible or not.
 */
static bool
page_now_at(const struct visit *v, const struct visit_item *space, const char *path, struct page *out,
    struct computed_page **computed, bool *known)
{
	struct computed_page *c;
	struct node n;

	*computed = NULL;
	*known = page_at(v->db, v->arena, &space->point, path, &n) && n.kind != NODE_COMPUTED;
	if (*known)
		return take_page(v, space, &n, out);
	c = computed_by_path(v->db, v->arena, &space->point, path);
	*known = c != NULL;
	return *known && take_computed(v, space, c, out, computed);
}

static bool
page_at_key(const struct visit *v, const struct visit_item *space, const char *path, struct page *out,
    struct computed_page **computed)
{
	struct node n;
	bool known;

	if (page_now_at(v, space, path, out, computed, &known))
		return true;
	/* Former addresses last: a new page may take over the address of another. */
	return !known && page_by_path(v->db, v->arena, &space->point, path, &n) && take_page(v, space, &n, out);
}

bool
page_is_at(const struct visit *v, const struct visit_item *space, const char *path)
{
	struct computed_page *computed;
	const char *const *key;
	struct page page;
	bool known;

	for (key = page_spellings(v->arena, path); *key != NULL; key++)
		if (page_now_at(v, space, *key, &page, &computed, &known))
			return true;
	return false;
}

/* For struct page_seen: true if the visitor sees the page. */
struct page_seen {
	const struct visit *v;
	const struct point *at;
};

static bool
is_seen(void *ctx, const struct node *n)
{
	const struct page_seen *s = ctx;

	return seen_from_top(s->v, s->at, n);
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
		if (page_at_key(v, space, *key, out, computed))
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

	/* Each single lookup reads all ancestors: after many, read the tree. */
	if (count_searches(p->visit, &p->space->point) == MANY)
		visit_pages(p->visit, p->space);
	if (!visit_page(p->visit, p->space, page, &at, &computed))
		return false;
	if (conditions == NULL)
		return true;
	trace_claims(p->visit);
	for (; holds; conditions += n + 1) {
		/* Nested blocks: the part is visible if all conditions hold. */
		n = strcspn(conditions, DOC_AND);
		/* An empty condition is one that could not be parsed. */
		holds = n > 0 && visit_holds_at(p->visit, arena_strndup(p->visit->arena, conditions, n), &p->space->point,
		    computed == NULL ? &at.node : NULL);
		if (conditions[n] == '\0')
			break;
	}
	return holds;
}

/* ---- the first page ---- */

static bool
first_in(const struct page *p, bool hidden, struct page *out)
{
	for (; p != NULL; p = p->next) {
		/* A hidden page is the home page only if there is no other. */
		if (!hidden && visit_page_hidden(p))
			continue;
		if (p->node.kind == NODE_DOCUMENT) {
			*out = *p;
			out->first = out->next = NULL;
			return true;
		}
		if (p->node.kind == NODE_GROUP && first_in(p->first, hidden, out))
			return true;
	}
	return false;
}

/* Fast path: the first top-level page is nearly always the home page. False: read the tree. */
static bool
plain_home(const struct visit *v, const struct visit_item *space, struct page *out)
{
	struct page first = { .path = NULL };

	return node_end_child(v->db, v->arena, &space->point, "", false, NULL, &first.node) &&
	    first.node.kind == NODE_DOCUMENT && !visit_page_hidden(&first) && take_page(v, space, &first.node, out);
}

static bool
find_home(const struct visit *v, const struct visit_item *space, struct page *out)
{
	const struct visit_pages *known = pages_at_hand(v, &space->point);
	struct page *tree;

	/* Use a cached tree, but do not read one for this. */
	if (known == NULL && plain_home(v, space, out))
		return true;
	tree = visit_tree(v, space);
	return first_in(tree, false, out) || first_in(tree, true, out);
}

/* Called for the address of each page. */
bool
visit_home(const struct visit *v, const struct visit_item *space, struct page *out)
{
	struct page *home = map_get(v->homes, str_of(space->id));

	if (home == NULL) {
		home = arena_alloc(v->arena, sizeof(*home));
		/* Cache the absence too: the id stays NULL. */
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

/* Without an id it means the site space itself, or an anchor in its home page. */
static char *
page_ref(const struct visit *v, const struct visit_item *in, const struct doc_ref *ref)
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
file_ref(const struct visit *v, const struct visit_item *in, const struct doc_ref *ref)
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
	case REF_ANCHOR: return page_ref(v, in, ref);
	case REF_FILE:   return file_ref(v, in, ref);
	default:         return NULL;
	}
}

/* ---- redirects ---- */

/* Target of a redirect (SiteRedirectDestination of the API) for this visitor. */
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
	/* Missing or hidden from the visitor: no redirect, hence a 404. */
	if (it == NULL || it->kind == VISIT_GROUP || it->kind == VISIT_LINK)
		return NULL;
	if (strcmp(kind, "site-page") != 0)
		return arena_strdup(v->arena, it->address);
	return it->kind != VISIT_SPACE ? NULL :
	    page_ref(v, it, &(struct doc_ref){ .kind = REF_PAGE, .id = json_text_of(to, "pageId") });
}

/* Append more path to the address, before its query and fragment. */
static char *
append_path(struct arena *a, const char *address, bool whole, const char *more)
{
	size_t n = strcspn(address, "?#"), end = n;
	const char *host = strstr(address, "://");

	/* Without a path, the appended text would extend the host name. */
	whole = whole || host == NULL || strcspn(host + 3, "/") >= n - (size_t)(host + 3 - address);
	if (whole)
		for (; end > 0 && address[end - 1] == '/'; end--)
			;
	return arena_printf(a, "%.*s%s%s%s", (int)end, address, whole ? "/" : "", more, address + n);
}

bool
visit_redirect(const struct visit *v, const char *source, bool wild, struct visit_redirect *out)
{
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
		 * Behind "/old/" the rest consists of whole segments; after "/old" it may begin
		 * within one.
		 */
		out->target = append_path(v->arena, out->target, n > 1 && best[n - 2] == '/', source + n - 1);
	return true;
}
