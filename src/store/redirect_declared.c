/* Redirects that the .gitbook.yaml of a repository declares. Contract: store/redirect.h. */
#include <cjson/cJSON.h>

#include "store/redirect.h"

/* The target that the setting "redirects" of the revision declares for a path; NULL: none. */
static const char *
spelled_target(struct arena *a, const struct node *setting, const char *path)
{
	const cJSON *all = cJSON_GetObjectItemCaseSensitive(cJSON_Parse(setting->props), "value"), *v;
	const char *const *key;

	for (key = page_spellings(a, path); *key != NULL; key++) {
		v = cJSON_GetObjectItemCaseSensitive(all, *key);
		if (cJSON_IsString(v))
			return v->valuestring;
	}
	return NULL;
}

/* Targets are spelled like links in a file of the root directory. */
static struct resolver
resolver_of_setting(struct db *db, struct arena *a, const struct point *p, const struct node *setting)
{
	struct resolver r;

	resolver_at(&r, a, db, p, setting);
	r.from = arena_printf(a, "%s%s.gitbook.yaml", r.root, *r.root == '\0' ? "" : "/");
	return r;
}

/*
 * Redirects that .gitbook.yaml declares (docs/design/import.md, "Redirects of a repository"),
 * stored as the setting "redirects" of the revision.
 */
bool
redirect_declared(struct db *db, struct arena *a, const struct point *p, const char *path, struct doc_ref *out)
{
	const char *target;
	struct resolver r;
	struct node n;

	if (!node_get(db, a, p, "redirects", &n) || (target = spelled_target(a, &n, path)) == NULL)
		return false;
	r = resolver_of_setting(db, a, p, &n);
	/* A target that is neither found nor a web address is no redirect. */
	return resolve_use(&r, a, str_of(target), USE_LINK, out) && (out->kind != REF_URL ||
	    (out->url != NULL && (strncmp(out->url, "https://", 8) == 0 || strncmp(out->url, "http://", 7) == 0)));
}

/* False for targets that are pages by the names of their files, as most are: these need no look-up. */
static bool
may_be_file(const cJSON *v)
{
	return cJSON_IsString(v) && strstr(v->valuestring, "://") == NULL && strstr(v->valuestring, ".md") == NULL;
}

const char *const *
redirects_to_files(struct db *db, struct arena *a, const struct point *p)
{
	const cJSON *all, *v;
	struct resolver r;
	const char **list;
	struct doc_ref ref;
	struct node n;
	size_t count = 0;

	if (!node_get(db, a, p, "redirects", &n))
		return arena_array(a, 1, sizeof(*list));
	all = cJSON_GetObjectItemCaseSensitive(cJSON_Parse(n.props), "value");
	list = arena_array(a, (size_t)cJSON_GetArraySize(all) + 1, sizeof(*list));
	r = resolver_of_setting(db, a, p, &n);
	cJSON_ArrayForEach(v, all)
		if (may_be_file(v) && resolve_use(&r, a, str_of(v->valuestring), USE_LINK, &ref) && ref.kind == REF_FILE)
			list[count++] = ref.id;
	return list;
}
