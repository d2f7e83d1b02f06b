/*
 * Previews of computed content: the pages and documents that a computed page with this source would
 * expand to at the head of the space (store/computed.h). Nothing is stored. The only source is an
 * OpenAPI specification of the space's organization; it takes the same role there as the
 * specification itself.
 */
#include <cjson/cJSON.h>

#include "api/access.h"
#include "api/computed_previews.h"
#include "api/document_shapes.h"
#include "api/examples.h"
#include "api/refusals.h"
#include "api/revision_files.h"
#include "api/revision_pages.h"
#include "api/revisions.h"
#include "computed/computed.h"
#include "http/req.h"
#include "store/computed.h"

static const struct shape SpecRef = { "ComputedSpecRef", (const struct field[]){
	{ "kind", T_CONST, F_REQ, .set = "openapi", .doc = "Kind of reference" },
	{ "spec", T_TEXT, F_REQ, .min = 1, .max = 100, .doc = "Slug or id of an OpenAPI specification", .example = "petstore" },
	{ 0 } } };
static const struct shape SpecDependency = { "ComputedSpecDependency", (const struct field[]){
	{ "ref", T_OBJECT, F_REQ, .of = &SpecRef, .doc = "The specification" },
	{ 0 } }, .flags = SHAPE_OPEN };
static const struct shape Dependencies = { "ComputedDependencies", (const struct field[]){
	{ "spec", T_OBJECT, F_REQ, .of = &SpecDependency, .doc = "Source that the pages are generated from" },
	{ 0 } } };
#define PAGES { "pages", T_ENUM, .set = "auto,operation,tag", \
	.doc = "Operations that get a page of their own: those of large tags (auto), all, or none" }
static const struct shape DocumentProps = { "ComputedDocumentProps", (const struct field[]){
	{ "doc", T_ENUM, F_REQ, .set = "info,operations,operation,models,model", .doc = "Kind of page" },
	{ "page", T_TEXT, .min = 1, .max = 1000, .doc = "Name of the page, as in `computed.props`; absent: models",
	  .example = "pets" },
	PAGES,
	{ 0 } } };
static const struct shape RevisionProps = { "ComputedRevisionProps", (const struct field[]){
	{ "models", T_BOOL, F_REQ, .doc = "true: adds a page of all schemas" },
	{ "downloadLink", T_BOOL, .doc = "Accepted and ignored" },
	{ "grouping", T_ENUM, .set = "by-tag", .doc = "Pages are always by tag" },
	PAGES,
	{ 0 } } };
#define SOURCE(name_, props_) \
	{ "type", T_CONST, F_REQ, .set = "builtin:openapi", .doc = "Kind of source" }, \
	{ "props", T_OBJECT, F_REQ, .of = &props_, .doc = "Settings of the source" }, \
	{ "dependencies", T_OBJECT, F_REQ, .of = &Dependencies, .doc = "Source that the pages are generated from" }
static const struct shape DocumentSource = { "ComputedDocumentSource", (const struct field[]){
	SOURCE(DocumentSource, DocumentProps),
	{ 0 } } };
static const struct shape RevisionSource = { "ComputedRevisionSource", (const struct field[]){
	SOURCE(RevisionSource, RevisionProps),
	{ 0 } } };
#define SEED { "seed", T_TEXT, F_REQ, .min = 1, .max = 100, .pattern = "^[A-Za-z0-9_-]+$", \
	.want = "letters, digits, - and _", .doc = "Prefix of the ids of the pages", .example = EXAMPLE_PAGE }
const struct shape ComputedDocumentAsk = { "GetComputedDocument", (const struct field[]){
	{ "source", T_OBJECT, F_REQ, .of = &DocumentSource, .doc = "Source that the document is generated from" },
	SEED,
	{ 0 } } };
const struct shape ComputedRevisionAsk = { "GetComputedRevision", (const struct field[]){
	{ "source", T_OBJECT, F_REQ, .of = &RevisionSource, .doc = "Source that the pages are generated from" },
	SEED,
	{ 0 } } };
const struct shape ComputedRevision = { "ComputedRevision", (const struct field[]){
	{ "pages", T_LIST, F_REQ, .of = &RevisionPage, .doc = "The pages" },
	{ "files", T_LIST, F_REQ, .of = &RevisionFile, .doc = "Always empty: a specification has no files" },
	{ "reusableContents", T_LIST, F_REQ, .of = &RevisionReusableContent, .doc = "Always empty: a specification has no reusable "
	  "contents" },
	{ 0 } } };

/* Expands the body's source at one point. models: with a page of models. 0 or fail(). */
static int
expand_or_fail(struct req *r, bool models, struct point *p, struct page **out)
{
	const cJSON *source = body_get(r, "source");
	const cJSON *dependency = cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(source, "dependencies"), "spec");
	const char *name = json_text_of(cJSON_GetObjectItemCaseSensitive(dependency, "ref"), "spec");
	struct page *computed = arena_alloc(r->arena, sizeof(*computed));
	const char *pages;
	cJSON *props = cJSON_CreateObject(), *copy = cJSON_Duplicate(source, true);

	if (point_or_fail(r, p) != 0)
		return -1;
	/*
	 * The point of the next revision, so that the specification is the present one and not the
	 * one of the head (store/computed.h).
	 */
	p->seq++;
	/* A guest who reads the space may not read the organization's specifications. */
	if (org_role_full(r, r->space.org) < ROLE_READ || computed_version(r->db, r->arena, p, name) == NULL)
		return not_found(r, "OpenAPI specification", name);
	pages = json_text_of(cJSON_GetObjectItemCaseSensitive(source, "props"), "pages");
	cJSON_DeleteItemFromObjectCaseSensitive(copy, "props");
	cJSON_AddItemToObject(copy, "props", cJSON_CreateObject());
	cJSON_AddBoolToObject(cJSON_GetObjectItemCaseSensitive(copy, "props"), "models", models);
	if (pages != NULL)
		cJSON_AddStringToObject(cJSON_GetObjectItemCaseSensitive(copy, "props"), "pages", pages);
	cJSON_AddItemToObject(props, "computed", copy);
	/* branch -1: the page is no row of the database. */
	*computed = (struct page){ .node = { .id = body_text(r, "seed"), .kind = NODE_COMPUTED, .branch = -1, .parent = "",
		.ord = "", .title = "", .slug = "", .props = cJSON_PrintUnformatted(props), .at = time_now(), .made = time_now() },
		.path = "" };
	*out = computed_expand(r->db, r->arena, p, computed, "");
	return 0;
}

/* POST /spaces/{spaceId}/content/computed/revision */
HANDLER(getComputedRevision)
{
	const cJSON *props = cJSON_GetObjectItemCaseSensitive(body_get(r, "source"), "props");
	struct page_style style = { false };
	struct page *pages;
	struct point p;

	if (expand_or_fail(r, cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(props, "models")), &p, &pages) != 0)
		return -1;
	json_obj(&r->json);
	json_key(&r->json, "pages");
	pages_json(r, &r->json, &p, pages, &style);
	json_karr(&r->json, "files");
	json_end(&r->json);
	json_karr(&r->json, "reusableContents");
	json_end(&r->json);
	json_end(&r->json);
	return 0;
}

/* True if `page` is the expanded page that props describe. */
static bool
is_named(const struct page *page, const cJSON *props)
{
	const cJSON *all = cJSON_Parse(page->node.props);
	const cJSON *own = cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(all, "computed"), "props");
	const char *name = json_text_of(own, "page"), *wanted = json_text_of(props, "page");

	return strcmp(json_text_of(own, "doc"), json_text_of(props, "doc")) == 0 &&
	    (name == NULL || wanted == NULL ? name == wanted : strcmp(name, wanted) == 0);
}

/* On large specifications, operations and models have pages of their own below these. */
static struct page *
find_named(struct page *list, const cJSON *props)
{
	struct page *found;

	for (; list != NULL; list = list->next) {
		if (is_named(list, props))
			return list;
		if ((found = find_named(list->first, props)) != NULL)
			return found;
	}
	return NULL;
}

/* POST /spaces/{spaceId}/content/computed/document */
HANDLER(getComputedDocument)
{
	const cJSON *props = cJSON_GetObjectItemCaseSensitive(body_get(r, "source"), "props");
	struct page *page;
	struct point p;

	if (expand_or_fail(r, true, &p, &page) != 0)
		return -1;
	page = find_named(page, props);
	if (page == NULL)
		return fail(r, E_NOT_FOUND, "the specification has no such page");
	/* `page` is the first member (store/computed.h). */
	json_raw(&r->json, computed_document(r->db, r->arena, (struct computed_page *)page));
	return 0;
}
