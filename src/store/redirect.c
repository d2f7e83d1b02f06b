/* Redirects of pages that moved, as nodes of the space. Contract: store/redirect.h. */
#include <cjson/cJSON.h>

#include "base/json.h"
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
 * The page now stands at `to`: a redirect that was left there by another move would be asked
 * only where there is no page, and would come back when the page goes.
 */
void
redirect_put(struct db *db, struct arena *a, int64_t branch, int64_t seq, const char *from,
    const char *to, const char *page)
{
	struct node n = { .id = redirect_id(a, from), .kind = NODE_SETTING, .origin = -1,
		.parent = "", .ord = "", .slug = "", .title = "", .at = time_now(), .made = time_now() };

	/*
	 * By id, so that one redirect is enough however often the page moves on. Ids need no
	 * escape in JSON.
	 */
	n.props = arena_printf(a, "{\"page\":\"%s\"}", page);
	node_end(db, branch, redirect_id(a, to), seq);
	node_put(db, branch, seq, &n);
}

/* False also where the page is gone: the redirect then leads nowhere. */
static bool
target(struct db *db, struct arena *a, const struct point *p, const char *path, struct node *out)
{
	struct node n;
	const cJSON *v;

	if (!node_get(db, a, p, redirect_id(a, path), &n))
		return false;
	v = cJSON_GetObjectItemCaseSensitive(cJSON_Parse(n.props), "page");
	return cJSON_IsString(v) && node_get(db, a, p, v->valuestring, out) &&
	    (out->kind & NODE_PAGES) != 0;
}

bool
redirect_find(struct db *db, struct arena *a, const struct point *p, const char *path,
    struct node *out)
{
	char *head = arena_strdup(a, path), *slash;
	const char *rest;

	if (target(db, a, p, head, out))
		return true;
	/* The longest section that moved: the page is looked for below where it is now. */
	while ((slash = strrchr(head, '/')) != NULL) {
		*slash = '\0';
		rest = path + strlen(head) + 1;
		if (target(db, a, p, head, out))
			return page_at(db, a, p, arena_printf(a, "%s/%s",
			    page_path(db, a, p, out), rest), out);
	}
	return false;
}

/* Redirects that .gitbook.yaml asks for (import.md), as the setting "redirects" of the revision. */
bool
redirect_asked(struct db *db, struct arena *a, const struct point *p, const char *path,
    struct node *out)
{
	struct doc_ref ref;
	struct resolver r;
	struct node n;
	const cJSON *v;

	if (!node_get(db, a, p, "redirects", &n))
		return false;
	v = cJSON_GetObjectItemCaseSensitive(cJSON_Parse(n.props), "value");
	v = cJSON_GetObjectItemCaseSensitive(v, page_key(a, path));
	if (!cJSON_IsString(v))
		return false;
	resolver_at(&r, a, db, p, &n);
	/* Spelled like a link of a file in the root. */
	r.from = arena_printf(a, "%s%s.gitbook.yaml", r.root, *r.root == '\0' ? "" : "/");
	return resolve(&r, a, str_of(v->valuestring), USE_LINK, &ref) &&
	    (ref.kind == REF_PAGE || ref.kind == REF_ANCHOR) && ref.space == NULL && ref.id != NULL &&
	    node_get(db, a, p, ref.id, out) && (out->kind & NODE_PAGES) != 0;
}
