/* Redirects of pages that moved, stored as nodes of the space. Contract: store/redirect.h. */
#include <cjson/cJSON.h>

#include "base/json.h"
#include "store/places.h"
#include "store/redirect.h"

#define PREFIX "redirect:"

bool
redirect_is(const char *id)
{
	return strncmp(id, PREFIX, strlen(PREFIX)) == 0;
}

static char *
redirect_id(struct arena *a, const char *path)
{
	return arena_printf(a, PREFIX "%s", path);
}

/*
 * The page is at `to` now. An older redirect from `to` has no effect while the page is there, but
 * would have one again after the page is deleted, so it ends.
 */
void
redirect_put(struct db *db, struct arena *a, int64_t branch, int64_t seq, const char *from,
    const char *to, const char *page)
{
	struct node n = { .id = redirect_id(a, from), .kind = NODE_SETTING, .origin = -1,
		.parent = "", .ord = "", .slug = "", .title = "", .at = time_now(), .made = time_now() };

	/*
	 * A redirect contains the id of the page, so one redirect is enough however often the page
	 * moves. Ids need no escaping in JSON.
	 */
	n.props = arena_printf(a, "{\"page\":\"%s\"}", page);
	node_end(db, branch, redirect_id(a, to), seq);
	node_put(db, branch, seq, &n);
}

/* The callback that gets the keys. */
struct key_callback {
	void (*each)(void *ctx, const char *key);
	void  *ctx;
};

/* Finds the page of the redirect at this path. False: there is no redirect, or its page was deleted. */
static bool
redirect_target(struct db *db, struct arena *a, const struct point *p, const char *path, const struct key_callback *t, struct node *out)
{
	struct node n;
	const cJSON *v;

	if (!node_get(db, a, p, redirect_id(a, path), &n))
		return false;
	v = cJSON_GetObjectItemCaseSensitive(cJSON_Parse(n.props), "page");
	if (cJSON_IsString(v) && t->each != NULL)
		t->each(t->ctx, arena_printf(a, "i:%s", v->valuestring));
	return cJSON_IsString(v) && node_get(db, a, p, v->valuestring, out) &&
	    (out->kind & NODE_PAGES) != 0;
}

bool
redirect_find_keyed(struct db *db, struct arena *a, const struct point *p, const char *path, struct node *out,
    void (*each)(void *, const char *), void *ctx)
{
	char *head = arena_strdup(a, path), *slash;
	const struct key_callback t = { each, ctx };
	const char *now;

	if (redirect_target(db, a, p, head, &t, out))
		return true;
	/*
	 * Tries the longest prefix with a redirect, and looks for the rest of the path below the
	 * section's current place.
	 */
	while ((slash = strrchr(head, '/')) != NULL) {
		*slash = '\0';
		if (!redirect_target(db, a, p, head, &t, out))
			continue;
		now = arena_printf(a, "%s/%s", page_path(db, a, p, out), path + strlen(head) + 1);
		if (each != NULL)
			places_of_path(a, now, each, ctx);
		return page_at(db, a, p, now, out);
	}
	return false;
}

bool
redirect_find(struct db *db, struct arena *a, const struct point *p, const char *path,
    struct node *out)
{
	return redirect_find_keyed(db, a, p, path, out, NULL, NULL);
}
