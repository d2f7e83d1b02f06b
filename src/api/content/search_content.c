/*
 * Search in one space, and in all spaces of an organization that the caller may read. SQL selects
 * these spaces before the search, so results need no access filter afterwards. search.h defines the
 * scores. A page token contains score and number of the last page shown, so that no page is
 * repeated or skipped while the content is unchanged.
 */
#include <stdio.h>
#include <stdlib.h>

#include <cjson/cJSON.h>

#include "api/app_address.h"
#include "api/examples.h"
#include "api/lists.h"
#include "api/meta.h"
#include "api/search_content.h"
#include "api/visitor.h"
#include "app/roles.h"
#include "audience/visit.h"
#include "base/map.h"
#include "base/sort.h"
#include "computed/computed.h"
#include "http/req.h"
#include "search/search.h"
#include "store/computed.h"
#include "store/content.h"

/*
 * PAGES_PER_SPACE limits how many pages of one space an answer over many spaces contains.
 * ANCESTORS_CACHED limits the number of cached ancestors, since the cache is searched linearly;
 * further ancestors are read again each time.
 */
enum { PAGES_PER_SPACE = 20, ANCESTORS_CACHED = 512 };

const struct shape SearchQuery = { "SearchQuery", (const struct field[]){
	{ "query", T_TEXT, F_REQ, .max = 512,
	  .doc = "Words to search for; of the last word, the beginning is enough", .example = "install" },
	PAGING,
	{ 0 } } };
static const struct shape SearchUrls = { "SearchUrls", (const struct field[]){
	{ "app", T_TEXT, F_REQ, .doc = "Page of the application; the address in this API where OCTAVO_APP=0",
	  .example = EXAMPLE_APP "/spaces/" EXAMPLE_SPACE "/pages/" EXAMPLE_PAGE },
	{ 0 } } };
static const struct shape SearchAncestor = { "SearchAncestor", (const struct field[]){
	{ "title", T_TEXT, F_REQ, .doc = "Title", .example = "Guides" },
	{ 0 } } };
static const struct shape SearchSection = { "SearchSectionResult", (const struct field[]){
	{ "id", T_TEXT, F_REQ, .doc = "Id that is unique in the answer: id of the page, then # and the anchor of the section",
	  .example = EXAMPLE_PAGE "#install" },
	{ "title", T_TEXT, F_REQ, .doc = "Title of the section", .example = "Install" },
	{ "path", T_TEXT, F_REQ, .doc = "Path of the page with the anchor of the section",
	  .example = "guides/first-steps#install" },
	{ "score", T_NUMBER, F_REQ, .doc = "How well it matches: higher is better",
	  .example = "0.8" },
	{ "body", T_TEXT, F_REQ, .doc = "Text around the words that were found",
	  .example = "To install it, run make install." },
	{ "urls", T_OBJECT, F_REQ, .of = &SearchUrls, .doc = "Its addresses" },
	{ 0 } } };
static const struct shape SearchPage = { "SearchPageResult", (const struct field[]){
	{ "id", T_TEXT, F_REQ, .doc = "Id of the page", .example = EXAMPLE_PAGE },
	{ "title", T_TEXT, F_REQ, .doc = "Title", .example = "First steps" },
	{ "description", T_TEXT, F_REQ, .doc = "Description of the page",
	  .example = "How to install and run it" },
	{ "path", T_TEXT, F_REQ, .doc = "Path in the space", .example = "guides/first-steps" },
	{ "score", T_NUMBER, F_REQ, .doc = "How well it matches: higher is better",
	  .example = "0.9" },
	{ "rank", T_INT, F_REQ, .doc = "Place in the whole list, from 1", .example = "1" },
	{ "sections", T_LIST, F_REQ, .of = &SearchSection, .doc = "Sections that match" },
	{ "ancestors", T_LIST, F_REQ, .of = &SearchAncestor, .doc = "Pages above it, from the top down" },
	{ "urls", T_OBJECT, F_REQ, .of = &SearchUrls, .doc = "Its addresses" },
	{ 0 } } };
/*
 * The renderer needs `type` to distinguish spaces from records (docs/design/renderer.md, "Search on
 * a site").
 */
static const struct shape SearchSpace = { "SearchSpaceResult", (const struct field[]){
	{ "type", T_CONST, F_REQ, .set = "space", .doc = "Kind of object" },
	{ "id", T_TEXT, F_REQ, .doc = "Id of the space", .example = EXAMPLE_SPACE },
	{ "title", T_TEXT, F_REQ, .doc = "Title", .example = "Handbook" },
	{ "score", T_NUMBER, F_REQ, .doc = "How well its best page matches", .example = "0.9" },
	{ "pages", T_LIST, F_REQ, .of = &SearchPage, .doc = "The 20 pages that match best" },
	{ 0 } } };
LIST_SHAPE(SearchPageList, SearchPage);
LIST_SHAPE(SearchSpaceList, SearchSpace);

/*
 * The access check of the search: LISTED_ROLE (app/roles.h) must be at least read. x.pages > 0
 * skips spaces that have no indexed pages. The statement scans the spaces of one organization.
 */
SQL(q_search_places,
    WITH_PLACES "SELECT s.id, s.title, x.no, x.pages, s.branch, b.head, s.language FROM search_space x "
    "JOIN space s ON s.id = x.space JOIN branch b ON b.id = s.branch "
    "LEFT JOIN place p ON p.id = s.parent "
    "WHERE x.org = :org AND x.pages > 0 AND s.deleted_at IS NULL AND " LISTED_ROLE " >= " SQL_ROLE_READ " "
    "ORDER BY s.ord, s.id /*scan*/");

/* An ancestor page, read once per answer. */
struct ancestor {
	const char *id, *title, *path, *parent;
};
/* Cache of ancestors while the results of one space are written. */
struct ancestor_cache {
	struct req         *r;
	const struct point *point;
	struct ancestor     list[ANCESTORS_CACHED];
	size_t              count;
};

/* The ancestor with this id. NULL: the page does not exist, or depth exceeds every valid depth. */
static const struct ancestor *find_ancestor(struct ancestor_cache *t, const char *id, int depth);

/* Sets c->path as page_path() computes it, but uses cached ancestors: results of one space share most of them. */
static void
set_ancestor_path(struct ancestor_cache *t, const struct node *n, struct ancestor *c, int depth)
{
	const struct ancestor *up;

	if (n->path != NULL) {
		c->path = n->path;
		return;
	}
	up = *n->parent == '\0' ? NULL : find_ancestor(t, n->parent, depth + 1);
	c->path = up == NULL || *up->path == '\0' ? n->slug :
	    arena_printf(t->r->arena, "%s/%s", up->path, n->slug);
}

static const struct ancestor *
find_ancestor(struct ancestor_cache *t, const char *id, int depth)
{
	struct ancestor c = { .id = id };
	struct computed_page *made;
	struct ancestor *kept;
	struct node n;
	size_t i;

	/* Linear search: at most ANCESTORS_CACHED short ids. */
	for (i = 0; i < t->count; i++)
		if (strcmp(t->list[i].id, id) == 0)
			return &t->list[i];
	/*
	 * PAGE_DEPTH is 100. A database damaged by an earlier release may have a cycle of parents,
	 * which must end here.
	 */
	if (depth > 200)
		return NULL;
	/* A page without a row may have been expanded from a computed page. */
	if (!node_get(t->r->db, t->r->arena, t->point, id, &n)) {
		made = computed_by_id(t->r->db, t->r->arena, t->point, id);
		if (made == NULL)
			return NULL;
		n = made->page.node;
		n.path = made->page.path;
	}
	/* The same replacement as in page_json(). */
	c.title = *n.title != '\0' ? n.title : "Untitled";
	c.parent = n.parent;
	set_ancestor_path(t, &n, &c, depth);
	/* Take an entry of the cache only now: set_ancestor_path() may have added entries itself. */
	kept = t->count < ANCESTORS_CACHED ? &t->list[t->count++] : arena_alloc(t->r->arena, sizeof(*kept));
	*kept = c;
	return kept;
}

/* Writes the ancestors, the top page first: it writes after the recursive call. */
static void
write_ancestors(struct ancestor_cache *t, struct json *j, const char *parent, int depth)
{
	const struct ancestor *c;

	if (*parent == '\0' || depth > 200 || (c = find_ancestor(t, parent, 0)) == NULL)
		return;
	write_ancestors(t, j, c->parent, depth + 1);
	json_obj(j);
	json_kstr(j, "title", c->title);
	json_end(j);
}

/* Writes the address of a page by its id and not by its path, so that it remains valid when the page moves. */
static void
write_url(struct req *r, struct json *j, const struct point *p, const char *page, const char *anchor)
{
	json_kobj(j, "urls");
	json_kstr(j, "app", arena_printf(r->arena, "%s%s%s", app_page_address(r, p->space, NULL, NULL, page), *anchor != '\0' ? "#" : "", anchor));
	json_end(j);
}

/* Writes the score with four decimals; page tokens contain the exact number. */
static void
write_score(struct json *j, double score)
{
	json_key(j, "score");
	json_num(j, (double)(int64_t)(score * 10000) / 10000);
}

/* Writes a section of a page. Text before the first heading has no anchor: its section gets the page's id and title. */
static void
write_section(struct ancestor_cache *t, struct json *j, const struct search_hit *h,
    const struct search_section *s, const char *path)
{
	struct arena *a = t->r->arena;

	json_obj(j);
	/* Unique in the answer: anchors are only unique within a page. */
	json_kstr(j, "id", *s->anchor != '\0' ? arena_printf(a, "%s#%s", h->page, s->anchor) : h->page);
	json_kstr(j, "title", *s->heading != '\0' ? s->heading : h->title);
	json_kstr(j, "path", *s->anchor != '\0' ? arena_printf(a, "%s#%s", path, s->anchor) : path);
	write_score(j, h->score);
	json_kstr(j, "body", s->excerpt);
	write_url(t->r, j, t->point, h->page, s->anchor);
	json_end(j);
}

/*
 * Writes a page. search_shown() must have filled h. rank: position in the whole list, from 1, not
 * in this page of it.
 */
static void
write_page(struct ancestor_cache *t, struct json *j, const struct search_hit *h, int64_t rank)
{
	const struct ancestor *c = find_ancestor(t, h->page, 0);
	const char *path = c == NULL ? "" : c->path;
	size_t i;

	json_obj(j);
	json_kstr(j, "id", h->page);
	json_kstr(j, "title", *h->title != '\0' ? h->title : "Untitled");
	json_kstr(j, "description", h->about);
	json_kstr(j, "path", path);
	write_score(j, h->score);
	json_kint(j, "rank", rank);
	json_karr(j, "sections");
	for (i = 0; i < h->section_count; i++)
		write_section(t, j, h, &h->sections[i], path);
	json_end(j);
	json_karr(j, "ancestors");
	if (c != NULL)
		write_ancestors(t, j, c->parent, 0);
	json_end(j);
	write_url(t->r, j, t->point, h->page, "");
	json_end(j);
}

static const char *
page_of_hit(void *ctx, size_t i)
{
	return ((const struct search_hit *)ctx)[i].page;
}

/* Writes the hits up to `to` into the open array. */
static void
write_page_results(struct req *r, const struct point *p, struct search_found *f, size_t to, int64_t rank)
{
	/* In the arena: 16 KB are too much for a stack frame. */
	struct ancestor_cache *t = arena_alloc(r->arena, sizeof(*t));
	size_t i;

	t->r = r;
	t->point = p;
	search_shown(r->db, r->arena, f, 0, to);
	nodes_ahead(r->db, &(struct nodes_ahead){ p, page_of_hit, f->hits }, to < SEARCH_AHEAD ? to : SEARCH_AHEAD);
	for (i = 0; i < to; i++)
		write_page(t, &r->json, &f->hits[i], rank + (int64_t)i);
}

/* GET /spaces/{spaceId}/search */
HANDLER(searchSpaceContent)
{
	const char *next[3];
	/* The head of the main branch: nothing else is indexed (search/search.h). */
	struct point p = { .space = r->space.id, .revision = r->space.revision,
		.branch = r->space.branch, .seq = r->space.head };
	struct search_found f = { .count = 0 };
	struct search_after after;
	struct search_in in;
	struct list l;
	size_t shown;
	int64_t rank;
	bool more;

	if (list_open(r, &l, 3) != 0)
		return -1;
	if (l.key[0] != NULL)
		after = (struct search_after){ strtod(l.key[0], NULL), strtoll(l.key[1], NULL, 10) };
	/* The token contains the rank, so that no page has to count the earlier ones. */
	rank = l.key[0] != NULL ? strtoll(l.key[2], NULL, 10) : 1;
	if (search_find(r->db, r->arena, r->space.id, &in))
		search(r->db, r->arena, str_of(query_text(r, "query")), &in, 1,
		    /* One more than shown, to know whether a next page exists. */
		    l.limit == 0 ? 0 : (size_t)l.limit + 1, l.key[0] != NULL ? &after : NULL, &f);
	more = l.limit > 0 && f.hit_count > (size_t)l.limit;
	shown = more ? (size_t)l.limit : f.hit_count;
	list_begin(r, &l);
	write_page_results(r, &p, &f, shown, rank);
	if (more) {
		/*
		 * 17 digits restore a double exactly; with fewer, the comparison in search() would
		 * repeat or skip a page.
		 */
		next[0] = arena_printf(r->arena, "%.17g", f.hits[shown - 1].score);
		next[1] = arena_printf(r->arena, "%lld", (long long)f.hits[shown - 1].no);
		next[2] = arena_printf(r->arena, "%lld", (long long)rank + (long long)shown);
	}
	list_end(r, &l, f.count, more ? next : NULL);
	return 0;
}

/* ---- all spaces of an organization ---- */

/* A readable space with its results. */
struct place {
	struct point        point;
	const char         *title;
	struct search_found found;
};

/*
 * Lists the spaces that the caller may read, in two arrays of the same length and order: *places,
 * and the inputs of search(), which needs a contiguous array. Returns the latter.
 */
static struct search_in *
list_readable(struct req *r, struct place **places, size_t *count)
{
	struct stmt *q = db_use(r->db, &q_search_places);
	size_t in_room = 0, room = 0;
	struct search_in *in = NULL;
	struct place *list = NULL;

	bind_text(q, ":org", r->org.id);
	bind_text(q, ":user", r->who.user);
	/* The role without the token's cap, which limits what the caller may do, not what the caller may read. */
	bind_int(q, ":org_role", r->org.full);
	for (*count = 0; stmt_step(q); ++*count) {
		in = arena_grow(r->arena, in, *count, &in_room, sizeof(*in));
		list = arena_grow(r->arena, list, *count, &room, sizeof(*list));
		in[*count] = (struct search_in){ col_dup(q, 0, r->arena), col_int(q, 2), col_int(q, 3),
			col_int(q, 5), col_null(q, 6) ? NULL : col_dup(q, 6, r->arena) };
		list[*count].title = col_dup(q, 1, r->arena);
		list[*count].point = (struct point){ .space = in[*count].space,
			.branch = col_int(q, 4), .seq = col_int(q, 5) };
	}
	*places = list;
	return in;
}

/* Best first; equal scores by id, since page tokens need a total order. */
static int
compare_places(const void *x, const void *y)
{
	const struct place *a = *(struct place *const *)x, *b = *(struct place *const *)y;

	if (a->found.best != b->found.best)
		return a->found.best > b->found.best ? -1 : 1;
	return strcmp(a->point.space, b->point.space);
}

/* The spaces with results, best first. */
static struct place **
rank_places(struct req *r, size_t *count)
{
	struct search_found *found;
	struct search_in *in;
	struct place *list, **out;
	size_t n, i;

	in = list_readable(r, &list, &n);
	found = arena_array(r->arena, n, sizeof(*found));
	out = arena_array(r->arena, n, sizeof(*out));
	/* All spaces in one call, so that scores of different spaces are comparable. */
	search(r->db, r->arena, str_of(query_text(r, "query")), in, n, PAGES_PER_SPACE, NULL, found);
	for (i = *count = 0; i < n; i++) {
		/* search() fills found in the order of in, which is that of list. */
		list[i].found = found[i];
		if (found[i].hit_count > 0)
			/* Pointers are sorted, since the elements of list are large. */
			out[(*count)++] = &list[i];
	}
	sort_list(out, *count, sizeof(*out), compare_places);
	return out;
}

static void
write_space(struct req *r, struct place *p)
{
	struct json *j = &r->json;

	search_hits(&p->found);
	json_obj(j);
	json_kstr(j, "type", "space");
	json_kstr(j, "id", p->point.space);
	json_kstr(j, "title", p->title);
	write_score(j, p->found.best);
	json_karr(j, "pages");
	write_page_results(r, &p->point, &p->found, p->found.hit_count, 1);
	json_end(j);
	json_end(j);
}

/* True if the space comes after the last one of the previous page, which the page token contains. */
static bool
is_after_cursor(const struct list *l, const struct place *p)
{
	double score;

	if (l->key[0] == NULL)
		return true;
	score = strtod(l->key[0], NULL);
	return p->found.best < score ||
	    (p->found.best == score && strcmp(p->point.space, l->key[1]) > 0);
}

/* GET /orgs/{organizationId}/search */
HANDLER(searchOrganizationContent)
{
	const char *next[2] = { NULL, NULL };
	struct place **list;
	size_t n, i;
	int64_t shown = 0;
	bool more = false;
	struct list l;

	if (list_open(r, &l, 2) != 0)
		return -1;
	list = rank_places(r, &n);
	list_begin(r, &l);
	for (i = 0; i < n && l.limit > 0; i++) {
		if (!is_after_cursor(&l, list[i]))
			continue;
		if ((more = shown == l.limit))
			break;
		write_space(r, list[i]);
		shown++;
		next[0] = arena_printf(r->arena, "%.17g", list[i]->found.best);
		next[1] = list[i]->point.space;
	}
	/* The items of this list are spaces, so the count is that of the spaces with results. */
	list_end(r, &l, (int64_t)n, more ? next : NULL);
	return 0;
}

/* ---- a site ---- */

/*
 * SITE_HITS: number of hits fetched per space to get 20 visible ones. If too few are visible, the
 * search is repeated with SITE_HITS_TIMES as many, until there are 20 or no more hits.
 */
enum { SITE_HITS = 60, SITE_HITS_TIMES = 8 };

const struct shape SiteSearch = { "SearchSiteContent", (const struct field[]){
	{ "query", T_TEXT, F_REQ, .max = 512, .doc = "Words to search for; of the last word, the beginning is enough",
	  .example = "install" },
	{ "mode", T_ENUM, .set = "all,current,specific", .doc = "Where to search; absent: everywhere" },
	{ "siteSpaceId", T_TEXT, .max = 100, .example = EXAMPLE_SITE_SPACE,
	  .doc = "With mode current: the site space that the reader is in; it is searched together with the default site spaces of other "
	  "sections" },
	{ "siteSpaceIds", T_LIST, .item = &(const struct field){ "", T_TEXT, .max = 100 }, .max = 1000, .example = "[]",
	  .doc = "With mode specific: the site spaces to search" },
	/*
	 * This member is not validated: clients of several releases send different members, and
	 * unknown ones must not fail.
	 */
	{ "scope", T_OBJECT, F_TYPE_ONLY, .of = &AnyObject, .example = "{\"mode\":\"all\"}",
	  .doc = "The same, as newer clients send it: mode (all, default, specific), currentSiteSpace, siteSpaceIds, restrictTo" },
	{ 0 } }, .flags = SHAPE_OPEN };

/* The text member of v with this name; NULL if there is none. v may be NULL. */
static const char *
read_text(const cJSON *v, const char *name)
{
	const cJSON *m = cJSON_GetObjectItemCaseSensitive(v, name);

	return cJSON_IsString(m) ? m->valuestring : NULL;
}

/* True if the list contains the id. Items that are not text are skipped, since `scope` is not validated. */
static bool
is_in_list(const cJSON *list, const char *id)
{
	const cJSON *v;

	cJSON_ArrayForEach(v, list)
		if (cJSON_IsString(v) && strcmp(v->valuestring, id) == 0)
			return true;
	return false;
}

/*
 * True for the one site space of a section that the default scope searches: the first in the
 * language of `read`, or the default one if it has this language; if none has it, the default one.
 */
static bool
is_chosen_of_section(const struct visit_item *it, const struct visit_item *read)
{
	const struct visit_item *one, *chosen = NULL;

	for (one = it->up->first; one != NULL; one = one->next)
		if (one->kind == VISIT_SPACE && read->language != NULL && same_text(one->language, read->language) &&
		    (chosen == NULL || one->is_default))
			chosen = one;
	return chosen == NULL ? it->is_default : it == chosen;
}

/*
 * True for the site spaces of the default scope: the one that is read (id `one`), and one of each
 * other section. one NULL: all defaults. only: "currentSiteSpace" or "otherSiteSpaces", since newer
 * renderers request the two parts one after the other; NULL: both.
 */
static bool
is_in_default_scope(struct req *r, const struct visit_item *it, const char *one, const char *only)
{
	const struct visit_item *read = one == NULL ? NULL : visit_item(r->visit, one);

	if (read == NULL)
		return it->is_default && !same_text(only, "currentSiteSpace");
	if (it == read)
		return !same_text(only, "otherSiteSpaces");
	return !same_text(only, "currentSiteSpace") && it->up != read->up &&
	    (it->up == NULL ? it->is_default : is_chosen_of_section(it, read));
}

/* True if the body selects this site space. */
static bool
is_wanted(struct req *r, const struct visit_item *it)
{
	/*
	 * Older clients select site spaces by members of the body, newer ones by `scope`
	 * (docs/design/renderer.md, "Search on a site").
	 */
	const cJSON *scope = body_get(r, "scope"), *only = cJSON_GetObjectItemCaseSensitive(scope, "restrictTo");
	const cJSON *ids = scope != NULL ? cJSON_GetObjectItemCaseSensitive(scope, "siteSpaceIds") : body_get(r, "siteSpaceIds");
	const char *mode = scope != NULL ? read_text(scope, "mode") : body_text(r, "mode");
	const char *one = scope != NULL ? read_text(scope, "currentSiteSpace") : body_text(r, "siteSpaceId");

	/* A list of site spaces limits the search in every mode. */
	if (cJSON_IsArray(only))
		return is_in_list(only, it->id);
	/* The published client may omit the mode when it sends ids. */
	if (same_text(mode, "specific") || (mode == NULL && cJSON_IsArray(ids)))
		return is_in_list(ids, it->id);
	return same_text(mode, "default") || same_text(mode, "current") ? is_in_default_scope(r, it, one, cJSON_IsString(only) ? only->valuestring : NULL) : true;
}

/* A page that is marked "hidden" has an address, but no search lists it. */
static bool
is_listed(struct req *r, const struct visit_item *it, const char *id)
{
	struct computed_page *computed;
	struct page page;

	return visit_page(r->visit, it, id, &page, &computed) && !visit_page_hidden(&page);
}

/* Removes hits that the visitor may not see. */
static void
remove_hidden(struct req *r, const struct visit_item *it, struct search_found *f)
{
	size_t i, n = 0;

	search_shown(r->db, r->arena, f, 0, f->hit_count);
	for (i = 0; i < f->hit_count && n < PAGES_PER_SPACE; i++)
		if (is_listed(r, it, f->hits[i].page))
			f->hits[n++] = f->hits[i];
	f->hit_count = n;
	f->best = n > 0 ? f->hits[0].score : 0;
}

/* Finds the best pages that the visitor may see, however many better ones are hidden. */
static void
search_visible(struct req *r, const struct visit_item *it, struct search_in *in, struct search_found *f)
{
	size_t want = SITE_HITS, all;

	do {
		search(r->db, r->arena, str_of(body_text(r, "query")), in, 1, want, NULL, f);
		all = f->hit_count;
		remove_hidden(r, it, f);
		want *= SITE_HITS_TIMES;
		/* Fewer than requested: there are no more. */
	} while (f->hit_count < PAGES_PER_SPACE && all == want / SITE_HITS_TIMES);
}

static void
write_site_space(struct req *r, const struct visit_item *it, struct search_found *f)
{
	struct ancestor_cache *t = arena_alloc(r->arena, sizeof(*t));
	struct json *j = &r->json;
	size_t i;

	t->r = r;
	t->point = &it->point;
	json_obj(j);
	json_kstr(j, "type", "space");
	json_kstr(j, "id", it->space);
	json_kstr(j, "title", it->title);
	write_score(j, f->best);
	json_karr(j, "pages");
	for (i = 0; i < f->hit_count; i++)
		write_page(t, j, &f->hits[i], (int64_t)i + 1);
	json_end(j);
	json_end(j);
}

/*
 * POST /orgs/{organizationId}/sites/{siteId}/search: in the order of the site, only what its
 * visitor sees.
 */
HANDLER(searchSiteContent)
{
	/* NULL starts the iteration of visit_next_space() */
	const struct visit_item *it = NULL;
	/* search() passes these to visit_sees_part(), so both must outlive the call. */
	struct visit_place place;
	struct search_viewer viewer = { visit_sees_part, &place };
	struct map *listed_spaces = map_new(r->arena);
	struct search_found found;
	struct search_in in;
	int64_t count = 0;

	if (visit_or_fail(r, NULL) != 0)
		return -1;
	json_obj(&r->json);
	json_karr(&r->json, "items");
	while ((it = visit_next_space(r->visit, it)) != NULL) {
		/*
		 * is_wanted() first, since it is cheap; a space without an index entry has no
		 * results.
		 */
		if (!is_wanted(r, it) || !search_find(r->db, r->arena, it->space, &in))
			continue;
		/* Two site spaces may show the same space; its pages are listed once. */
		if (!map_add(listed_spaces, str_of(it->space), NULL))
			continue;
		place = (struct visit_place){ r->visit, it };
		in.viewer = &viewer;
		search_visible(r, it, &in, &found);
		/* No result visible to this visitor: the space is omitted. */
		if (found.hit_count == 0)
			continue;
		write_site_space(r, it, &found);
		count++;
	}
	json_end(&r->json);
	json_kint(&r->json, "count", count);
	json_end(&r->json);
	return 0;
}
