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
 * Paths with these parts are left out, because other parts of the export have their content, or
 * because they need further input.
 */
static const char *const left_out[] = { "/content", "/revisions", "/links", "/search", "/embed", "/pdf", "/files",
	"/published", "/publishing/preview", "/publishing/auth", "/backlinks", "/expression-faults", "/insights", "/redirect?",
	"/sso", NULL };
/* Paths with these parts need input in the query, or their answer depends on the time. */
static const char *const unasked[] = { "/search", "/embed", "/published", "/publishing/preview", "/sites/{siteId}/redirect",
	"/pdf", "/redirects?", NULL };

struct walker {
	const struct leave_walk *w;
	const struct route      *route;
	struct { const char *name, *value; } bound[PARAMETERS];
	size_t                   n;
	struct arena            *arena;   /* memory for paths and lists; each call has an arena of its own */
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

/* Calls one address. The answer is valid until the arena of calls is reset. */
static bool
ask(const struct walker *w, struct arena *a, const char *path, struct call *call)
{
	struct cli c = *w->w->cli;

	c.arena = a;
	*call = (struct call){ .user = w->w->user, .method = "GET", .path = path, .quiet = true };
	return call_api(&c, w->w->db, call);
}

static const char *
next_page(struct arena *a, const struct call *call)
{
	const cJSON *next = cJSON_GetObjectItemCaseSensitive(call->answer, "next");
	const char *page = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(next, "page"));

	return page == NULL ? NULL : arena_strdup(a, url_segment(a, str_of(page)));
}

/* Calls item() for each object at an address: all items of a list, page after page, or the one object. */
static void
each_object(const struct walker *w, const char *path,
    void (*item)(void *ctx, const char *address, int status, const cJSON *object, const char *text), void *ctx)
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
			item(ctx, address, call.status, call.answer, call.text);
		else
			cJSON_ArrayForEach(one, items)
				item(ctx, address, call.status, one, cJSON_PrintUnformatted(one));
	} while (call.status == 200 && cJSON_IsArray(items) && limits[limit] != NULL &&
	    (page = next_page(keep, &call)) != NULL);
	json_arena(w->w->cli->arena);
	arena_free(a);
	arena_free(keep);
}

/* ---- parameters ---- */

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
take_value(void *ctx, const char *address, int status, const cJSON *object, const char *text)
{
	(void)address;
	(void)text;
	if (status == 200)
		take_values(ctx, object);
}

static bool
is_route(const char *path)
{
	size_t n = strcspn(path, "?");

	for (size_t i = 0; i < octavo_app.count; i++)
		if (octavo_app.routes[i].method == M_GET && strlen(octavo_app.routes[i].path) == n &&
		    strncmp(octavo_app.routes[i].path, path, n) == 0)
			return true;
	return false;
}

/* The route that lists the values of the parameter at `open`; NULL: none does. */
static const char *
lister(const struct walker *w, const char *open, const char **member)
{
	const char *path = w->route->path;
	size_t n = strcspn(open, "}");

	*member = "id";
	for (size_t i = 0; i < sizeof(listed) / sizeof(*listed); i++)
		if (strlen(listed[i].parameter) == n && strncmp(listed[i].parameter, open, n) == 0) {
			*member = listed[i].member;
			if (listed[i].path != NULL)
				return listed[i].path;
		}
	path = arena_strndup(w->arena, path, (size_t)(open - path) - 2);
	return is_route(path) ? path : NULL;
}

static void
line_out(void *ctx, const char *address, int status, const cJSON *object, const char *text)
{
	struct walker *w = ctx;

	(void)object;
	w->w->line(w->w->ctx, w->route->operation, address, status, text);
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
		each_object(w, path, line_out, w);
		return;
	}
	if ((from = lister(w, open, &member)) == NULL || w->n == PARAMETERS)
		return;
	from = fill_path(w, from, &unknown);
	if (unknown != NULL)
		return;
	v.member = member;
	each_object(w, from, take_value, &v);
	w->bound[w->n].name = arena_strndup(w->arena, open, strcspn(open, "}"));
	w->n++;
	for (size_t i = 0; i < v.n; i++) {
		w->bound[w->n - 1].value = v.list[i];
		walk_route(w);
	}
	w->n--;
}

static bool
has_part(const char *path, const char *const *parts)
{
	for (; *parts != NULL; parts++)
		if (strstr(path, *parts) != NULL)
			return true;
	return false;
}

/* True for a path of a single object, which a list already contains. */
static bool
is_single(const char *path)
{
	size_t n = strlen(path);

	return n > 0 && path[n - 1] == '}' && strcmp(path, "/orgs/{organizationId}") != 0;
}

static bool
is_walked(const struct leave_walk *w, const char *path)
{
	if (strncmp(path, "/orgs/{", 7) != 0 && strncmp(path, "/spaces/{", 9) != 0 && strncmp(path, "/collections/{", 14) != 0)
		return false;
	if (strstr(path, "...}") != NULL)
		return false;
	return w->every ? !has_part(path, unasked) : !has_part(path, left_out) && !has_part(path, unasked) && !is_single(path);
}

void
leave_walk(const struct leave_walk *w)
{
	for (size_t i = 0; i < octavo_app.count; i++) {
		struct walker one = { .w = w, .route = &octavo_app.routes[i], .n = 1 };

		if (one.route->method != M_GET || !is_walked(w, one.route->path))
			continue;
		one.arena = arena_new(CALL_BYTES);
		one.bound[0].name = "organizationId";
		one.bound[0].value = w->org;
		walk_route(&one);
		arena_free(one.arena);
	}
}
