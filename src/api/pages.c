/*
 * Pages as the API shows them: the four variants of RevisionPage, alone or in
 * trees. Properties without a column of their own are stored as one JSON
 * object in the API's own form (node.props) and copied from there, known names
 * only.
 */
#include <cjson/cJSON.h>

#include "api.h"

static const struct shape PageUrls = { "PageUrls", (const struct field[]){
	{ "app", T_TEXT, F_REQ },
	{ 0 } } };
static const struct shape GitBlob = { "GitSyncBlob", (const struct field[]){
	{ "oid", T_TEXT, F_REQ }, { "path", T_TEXT, F_REQ },
	{ 0 } } };
static const struct shape Layout = { "RevisionPageLayoutOptions", (const struct field[]){
	{ "width", T_ENUM, F_REQ, .set = "default,wide" },
	{ "cover", T_BOOL, F_REQ }, { "coverSize", T_TEXT, F_REQ },
	{ "coverMask", T_TEXT, F_REQ },
	{ "title", T_BOOL, F_REQ }, { "description", T_BOOL, F_REQ },
	{ "tableOfContents", T_BOOL, F_REQ }, { "outline", T_BOOL, F_REQ },
	{ "pagination", T_BOOL, F_REQ }, { "metadata", T_BOOL, F_REQ }, { "tags", T_BOOL, F_REQ },
	{ "actions", T_BOOL, F_REQ }, { "anchors", T_BOOL, F_REQ },
	{ 0 } } };

#define PAGE_BASE \
	{ "id", T_TEXT, F_REQ }, { "title", T_TEXT, F_REQ }, { "linkTitle", T_TEXT }, \
	{ "emoji", T_TEXT }, { "icon", T_TEXT }, { "createdAt", T_TIME }, { "updatedAt", T_TIME }, \
	{ "condition", T_TEXT }

static const struct shape PageDocument = { "RevisionPageDocument", (const struct field[]){
	PAGE_BASE,
	{ "kind", T_CONST, F_REQ, .set = "sheet" },
	{ "type", T_CONST, F_REQ, .set = "document" },
	{ "urls", T_OBJECT, F_REQ, .of = &PageUrls },
	{ "slug", T_TEXT, F_REQ }, { "path", T_TEXT, F_REQ }, { "description", T_TEXT },
	{ "pages", T_LIST, F_REQ, .of = &RevisionPage },
	{ "git", T_OBJECT, .of = &GitBlob },
	{ "layout", T_OBJECT, F_REQ, .of = &Layout },
	{ "cover", T_ANY }, { "variables", T_ANY },
	{ "tags", T_LIST, F_REQ, .item = &(const struct field){ "", T_ANY } },
	{ "hidden", T_BOOL }, { "noIndex", T_BOOL }, { "noRobotsIndex", T_BOOL },
	{ "document", T_ANY }, { "markdown", T_TEXT },
	{ 0 } } };
static const struct shape PageGroup = { "RevisionPageGroup", (const struct field[]){
	PAGE_BASE,
	{ "kind", T_CONST, F_REQ, .set = "group" },
	{ "type", T_CONST, F_REQ, .set = "group" },
	{ "slug", T_TEXT, F_REQ }, { "path", T_TEXT, F_REQ },
	{ "hidden", T_BOOL }, { "noIndex", T_BOOL }, { "noRobotsIndex", T_BOOL },
	{ "pages", T_LIST, F_REQ, .of = &RevisionPage },
	{ 0 } } };
static const struct shape PageLink = { "RevisionPageLink", (const struct field[]){
	PAGE_BASE,
	{ "kind", T_CONST, F_REQ, .set = "link" },
	{ "type", T_CONST, F_REQ, .set = "link" },
	{ "target", T_ANY, F_REQ }, { "href", T_TEXT }, { "hidden", T_BOOL },
	{ "pages", T_LIST, F_REQ, .of = &RevisionPage },
	{ 0 } } };
static const struct shape PageComputed = { "RevisionPageComputed", (const struct field[]){
	PAGE_BASE,
	{ "type", T_CONST, F_REQ, .set = "computed" },
	{ "computed", T_ANY, F_REQ }, { "computedSeed", T_TEXT, F_REQ }, { "hidden", T_BOOL },
	{ "pages", T_LIST, F_REQ, .of = &RevisionPage },
	{ 0 } } };
const struct shape RevisionPage = { "RevisionPage", NULL, (const struct shape *const[]){
	&PageDocument, &PageGroup, &PageLink, &PageComputed, NULL } };
const struct shape PageList = { "PageList", (const struct field[]){
	{ "pages", T_LIST, F_REQ, .of = &RevisionPage },
	{ 0 } } };

void
git_json(struct json *j, const struct node *n)
{
	if (n->git_path == NULL || n->git_oid == NULL)
		return;
	json_kobj(j, "git");
	json_kstr(j, "oid", n->git_oid);
	json_kstr(j, "path", n->git_path);
	json_end(j);
}

static void
copy(struct json *j, const cJSON *props, const char *name)
{
	const cJSON *v = cJSON_GetObjectItemCaseSensitive(props, name);

	if (v == NULL || cJSON_IsNull(v))
		return;
	if (cJSON_IsString(v)) {
		json_kstr(j, name, v->valuestring);
	} else if (cJSON_IsBool(v)) {
		json_kbool(j, name, cJSON_IsTrue(v));
	} else {
		json_key(j, name);
		json_raw(j, str_of(cJSON_PrintUnformatted(v)));
	}
}

static void
layout_text(struct json *j, const cJSON *layout, const char *name, const char *preset)
{
	const cJSON *v = cJSON_GetObjectItemCaseSensitive(layout, name);

	json_kstr(j, name, cJSON_IsString(v) ? v->valuestring : preset);
}

/* All options are always there; what the frontmatter does not say has the service's default. */
static void
layout_json(struct json *j, const cJSON *props)
{
	static const char *const shown[] = { "title", "description", "tableOfContents", "outline",
		"pagination", "metadata", "tags", "actions", "anchors" };
	const cJSON *layout = cJSON_GetObjectItemCaseSensitive(props, "layout"), *v;
	size_t i;

	json_kobj(j, "layout");
	layout_text(j, layout, "width", "default");
	v = cJSON_GetObjectItemCaseSensitive(layout, "cover");
	json_kbool(j, "cover", v == NULL || cJSON_IsTrue(v));
	layout_text(j, layout, "coverSize", "hero");
	layout_text(j, layout, "coverMask", "none");
	for (i = 0; i < sizeof(shown) / sizeof(shown[0]); i++) {
		v = cJSON_GetObjectItemCaseSensitive(layout, shown[i]);
		json_kbool(j, shown[i], v == NULL || cJSON_IsTrue(v));
	}
	json_end(j);
}

static void
base_json(struct json *j, const struct node *n, const cJSON *props)
{
	json_kstr(j, "id", n->id);
	json_kstr(j, "title", *n->title != '\0' ? n->title : "Untitled");
	copy(j, props, "linkTitle");
	copy(j, props, "emoji");
	copy(j, props, "icon");
	json_key(j, "createdAt");
	json_time(j, n->made);
	json_key(j, "updatedAt");
	json_time(j, n->at);
	copy(j, props, "condition");
	copy(j, props, "hidden");
}

char *
page_url(struct req *r, const char *space, const char *page)
{
	if (r->request.id != NULL && strcmp(space, r->space.id) == 0)
		return url_for(r, "/v1/spaces/%s/change-requests/%s/content/page/%s", space,
		    r->request.id, page);
	return url_for(r, "/v1/spaces/%s/content/page/%s", space, page);
}

static void
document_members(struct req *r, struct json *j, const struct point *p, const struct page *page,
    const struct page_style *s, const cJSON *props)
{
	const cJSON *tags = cJSON_GetObjectItemCaseSensitive(props, "tags");

	json_kstr(j, "kind", "sheet");
	json_kstr(j, "type", "document");
	json_kobj(j, "urls");
	json_kstr(j, "app", page_url(r, p->space, page->node.id));
	json_end(j);
	json_kstr(j, "slug", page->node.slug);
	json_kstr(j, "path", page->path);
	copy(j, props, "description");
	if (s->git)
		git_json(j, &page->node);
	layout_json(j, props);
	copy(j, props, "cover");
	copy(j, props, "variables");
	json_key(j, "tags");
	json_raw(j, cJSON_IsArray(tags) ? str_of(cJSON_PrintUnformatted(tags)) : STR("[]"));
	copy(j, props, "noIndex");
	copy(j, props, "noRobotsIndex");
}

static void
link_members(struct json *j, const cJSON *props)
{
	const cJSON *target = cJSON_GetObjectItemCaseSensitive(props, "target");
	const cJSON *url = cJSON_GetObjectItemCaseSensitive(target, "url");

	json_kstr(j, "kind", "link");
	json_kstr(j, "type", "link");
	copy(j, props, "target");
	if (cJSON_IsString(url))
		json_kstr(j, "href", url->valuestring);
}

static void
variant_members(struct req *r, struct json *j, const struct point *p, const struct page *page,
    const struct page_style *s, const cJSON *props)
{
	switch (page->node.kind) {
	case NODE_GROUP:
		json_kstr(j, "kind", "group");
		json_kstr(j, "type", "group");
		json_kstr(j, "slug", page->node.slug);
		json_kstr(j, "path", page->path);
		copy(j, props, "noIndex");
		copy(j, props, "noRobotsIndex");
		break;
	case NODE_LINK:
		link_members(j, props);
		break;
	case NODE_COMPUTED:
		json_kstr(j, "type", "computed");
		copy(j, props, "computed");
		json_kstr(j, "computedSeed", page->node.id);
		break;
	default:
		document_members(r, j, p, page, s, props);
	}
}

void
page_json(struct req *r, struct json *j, const struct point *p, const struct page *page,
    const struct page_style *s, const char *body_key, struct str body)
{
	const cJSON *props = cJSON_Parse(page->node.props);

	json_obj(j);
	base_json(j, &page->node, props);
	variant_members(r, j, p, page, s, props);
	json_key(j, "pages");
	pages_json(r, j, p, page->first, s);
	if (body_key != NULL && page->node.kind == NODE_DOCUMENT) {
		json_key(j, body_key);
		json_raw(j, body);
	}
	json_end(j);
}

void
pages_json(struct req *r, struct json *j, const struct point *p, const struct page *first,
    const struct page_style *s)
{
	const struct page *page;

	json_arr(j);
	for (page = first; page != NULL; page = page->next)
		page_json(r, j, p, page, s, NULL, (struct str){ NULL, 0 });
	json_end(j);
}
