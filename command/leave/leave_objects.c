/*
 * Writes objects/: the answers of the API. The table of routes determines which: each GET route
 * whose parameters other GET routes list is called for each listed object. Contract:
 * command/leave.h.
 */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

#include "../call.h"
#include "api/routes.h"
#include "base/url.h"
#include "command/leave.h"

enum { PARAMETERS = 8, CALL_BYTES = 1 << 30 };

/*
 * Page sizes to try, the largest first: a list may allow fewer, and a route that answers with no
 * list has no such parameter.
 */
static const char *const limits[] = { "limit=1000", "limit=100", NULL };

/* Routes that list the values of a parameter, if this is not the route with the path before the parameter. */
static const struct listed {
	const char *parameter, *path, *member;
} listed[] = {
	{ "spaceId", "/orgs/{organizationId}/spaces", "id" },
	{ "collectionId", "/orgs/{organizationId}/collections?nested=true", "id" },
	{ "specSlug", NULL, "slug" },
	{ "pageId", "/spaces/{spaceId}/content/pages", "id" },
	{ "fileId", "/spaces/{spaceId}/content/files", "id" },
	{ "siteSpaceId", "/orgs/{organizationId}/sites/{siteId}/site-spaces", "id" },
};

/*
 * Paths with these segments are left out: other parts of the export have their content, they need
 * input in the query, their answer depends on the time, or it has a token that opens something.
 */
static const char *const left_out[] = { "/content", "/revisions", "/links", "/search", "/embed", "/pdf", "/published",
	"/publishing/preview", "/publishing/auth", "/previews", "/expression-faults", "/insights", "/redirect", "/sso",
	"/download", NULL };

struct walker {
	const struct leave_walk *w;
	const struct route      *route;
	struct { const char *name, *value; } bound[PARAMETERS];
	size_t                   n;
	struct arena            *arena;   /* memory for paths and lists; each call has an arena of its own */
	bool                     ended;   /* line() has returned false */
};

static const char *
value_of(const struct walker *w, const char *name, size_t n)
{
	for (size_t i = 0; i < w->n; i++)
		if (strlen(w->bound[i].name) == n && strncmp(w->bound[i].name, name, n) == 0)
			return w->bound[i].value;
	return NULL;
}

/*
 * Replaces parameters of the path by the known values, up to the first unknown parameter. *open
 * points to it in the route's path; NULL: none.
 */
static const char *
fill_path(const struct walker *w, const char *path, const char **open)
{
	struct buf b;
	const char *value;
	size_t n;

	buf_init(&b, w->arena, 1 << 16);
	for (*open = NULL; *path != '\0'; path++) {
		if (*path != '{') {
			buf_char(&b, *path);
			continue;
		}
		n = strcspn(path + 1, "}");
		if ((value = value_of(w, path + 1, n)) == NULL) {
			*open = path + 1;
			break;
		}
		buf_str(&b, url_segment(w->arena, str_of(value)));
		path += n + 1;
	}
	return b.n == 0 ? "" : b.p;
}

/* ---- calls ---- */

/* Calls one address. The answer is valid until the arena of calls is reset. One that is no JSON counts as a failure. */
static bool
ask(const struct walker *w, struct arena *a, const char *path, struct call *call)
{
	struct cli c = *w->w->cli;

	c.arena = a;
	*call = (struct call){ .user = w->w->user, .method = "GET", .path = path, .quiet = true };
	if (!call_api(&c, w->w->db, call))
		return false;
	if (call->answer == NULL)
		call->status = 500;
	return call->answer != NULL;
}

static const char *
next_page(struct arena *a, const struct call *call)
{
	const cJSON *next = cJSON_GetObjectItemCaseSensitive(call->answer, "next");
	const char *page = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(next, "page"));

	return page == NULL ? NULL : arena_strdup(a, url_segment(a, str_of(page)));
}

struct values {
	struct arena *arena;
	const char   *member;
	const char  **list;
	size_t        n, room;
};

static void
take_values(struct values *v, const cJSON *object)
{
	const char *value = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, v->member));
	const cJSON *pages = cJSON_GetObjectItemCaseSensitive(object, "pages"), *one;

	if (value != NULL) {
		v->list = arena_grow(v->arena, v->list, v->n, &v->room, sizeof(*v->list));
		v->list[v->n++] = arena_strdup(v->arena, value);
	}
	/* Pages contain pages; PAGE_DEPTH bounds the recursion. */
	cJSON_ArrayForEach(one, pages)
		take_values(v, one);
}

static void
line_out(struct walker *w, const char *address, int status, const char *text)
{
	w->ended = w->ended || !w->w->line(w->w->ctx, w->route->operation, address, status, text);
}

/* Adds a value of the parameter (values), or writes the object. */
static void
take_object(struct walker *w, struct values *values, const char *address, int status, const cJSON *object, const char *text)
{
	if (values == NULL)
		line_out(w, address, status, text != NULL ? text : cJSON_PrintUnformatted(object));
	else if (status == 200)
		take_values(values, object);
	else if (status != 403 && status != 404)
		line_out(w, address, status, text);
}

/*
 * Takes each object at an address: all items of a list, page after page, or the one object. values:
 * for their values of a parameter; NULL: to write them.
 */
static void
each_object(struct walker *w, const char *path, struct values *values)
{
	struct arena *a = arena_new(CALL_BYTES), *keep = arena_new(1 << 26);
	const char *mark = strchr(path, '?') != NULL ? "&" : "?", *page = "", *address = path;
	const cJSON *items, *one;
	struct call call;
	size_t limit = 0;

	do {
		arena_reset(a);
		while (!ask(w, a, limits[limit] == NULL ? path : arena_printf(a, "%s%s%s%s%s", path, mark, limits[limit],
		    *page != '\0' ? "&page=" : "", page), &call) && call.status == 400 && limits[limit] != NULL)
			limit++;
		items = cJSON_GetObjectItemCaseSensitive(call.answer, "items");
		if (call.status != 200 || !cJSON_IsArray(items))
			take_object(w, values, address, call.status, call.answer, call.text);
		else
			cJSON_ArrayForEach(one, items)
				take_object(w, values, address, call.status, one, NULL);
	} while (!w->ended && call.status == 200 && cJSON_IsArray(items) && limits[limit] != NULL &&
	    (page = next_page(keep, &call)) != NULL);
	json_arena(w->w->cli->arena);
	arena_free(a);
	arena_free(keep);
}

/* ---- parameters ---- */

/* The GET route with this path; NULL: none. */
static const struct route *
route_with(const char *path)
{
	size_t n = strcspn(path, "?");

	for (size_t i = 0; i < octavo_app.count; i++)
		if (octavo_app.routes[i].method == M_GET && strlen(octavo_app.routes[i].path) == n &&
		    strncmp(octavo_app.routes[i].path, path, n) == 0)
			return &octavo_app.routes[i];
	return NULL;
}

/* The route that lists the values of the parameter at `open`; NULL: none does. */
static const char *
find_list_route(struct arena *a, const char *path, const char *open, const char **member)
{
	size_t n = strcspn(open, "}");

	*member = "id";
	for (size_t i = 0; i < sizeof(listed) / sizeof(*listed); i++)
		if (strlen(listed[i].parameter) == n && strncmp(listed[i].parameter, open, n) == 0) {
			*member = listed[i].member;
			if (listed[i].path != NULL)
				return listed[i].path;
		}
	path = arena_strndup(a, path, (size_t)(open - path) - 2);
	return route_with(path) != NULL ? path : NULL;
}

/*
 * Calls the route for each value of its first unknown parameter, recursively for the next
 * parameters, of which there are at most PARAMETERS.
 */
static void
walk_route(struct walker *w)
{
	const char *open, *member, *from, *path = fill_path(w, w->route->path, &open), *unknown;
	struct values v = { .arena = w->arena };

	if (open == NULL) {
		each_object(w, path, NULL);
		return;
	}
	if ((from = find_list_route(w->arena, w->route->path, open, &member)) == NULL || w->n == PARAMETERS)
		return;
	from = fill_path(w, from, &unknown);
	if (unknown != NULL)
		return;
	v.member = member;
	each_object(w, from, &v);
	w->bound[w->n].name = arena_strndup(w->arena, open, strcspn(open, "}"));
	w->n++;
	for (size_t i = 0; i < v.n && !w->ended; i++) {
		w->bound[w->n - 1].value = v.list[i];
		walk_route(w);
	}
	w->n--;
}

/* True if the path has these segments. */
static bool
has_part(const char *path, const char *part)
{
	size_t n = strlen(part);

	for (path = strstr(path, part); path != NULL; path = strstr(path + 1, part))
		if (path[n] == '/' || path[n] == '\0')
			return true;
	return false;
}

/* The shape of the objects of a list; NULL: it is no list. */
static const struct shape *
listed_shape(const struct route *r)
{
	for (const struct field *f = r == NULL || r->reply == NULL ? NULL : r->reply->fields; f != NULL && f->name != NULL; f++)
		if (strcmp(f->name, "items") == 0 && f->type == T_LIST)
			return f->of;
	return NULL;
}

/* True for paths of one organization. */
static bool
is_own(const char *path)
{
	return strncmp(path, "/orgs/{", 7) == 0 || strncmp(path, "/spaces/{", 9) == 0 || strncmp(path, "/collections/{", 14) == 0;
}

/* True for a route of a single object that a list contains with all its members. */
static bool
is_listed(struct arena *a, const struct route *r)
{
	const char *open = strrchr(r->path, '{'), *from, *member;
	size_t n = strlen(r->path);

	if (open == NULL || r->path[n - 1] != '}' || (from = find_list_route(a, r->path, open + 1, &member)) == NULL)
		return false;
	return is_own(from) && listed_shape(route_with(from)) == r->reply;
}

static bool
is_walked(struct arena *a, const struct route *r)
{
	const char *path = r->path;

	if (!is_own(path))
		return false;
	for (size_t i = 0; left_out[i] != NULL; i++)
		if (has_part(path, left_out[i]))
			return false;
	return r->method == M_GET && strstr(path, "...}") == NULL && !is_listed(a, r);
}

void
leave_walk(const struct leave_walk *w)
{
	bool ended = false;

	for (size_t i = 0; i < octavo_app.count && !ended; i++) {
		struct walker one = { .w = w, .route = &octavo_app.routes[i], .n = 1, .arena = arena_new(CALL_BYTES) };

		one.bound[0].name = "organizationId";
		one.bound[0].value = w->org;
		if (is_walked(one.arena, one.route))
			walk_route(&one);
		ended = one.ended;
		arena_free(one.arena);
	}
}
