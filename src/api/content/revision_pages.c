/*
 * Pages as the API shows them: the four variants of RevisionPage, alone or in trees. Properties
 * without a column of their own are stored as one JSON object in the API's form (node.props), from
 * which known members are copied.
 */
#include <cjson/cJSON.h>

#include "api/app_address.h"
#include "api/document_shapes.h"
#include "api/examples.h"
#include "api/revision_pages.h"
#include "base/json.h"
#include "base/map.h"
#include "http/req.h"
#include "store/content.h"

static const struct shape PageUrls = { "PageUrls", (const struct field[]){
	{ "app", T_TEXT, F_REQ, .doc = "Page of the application; the address in this API where OCTAVO_APP=0",
	  .example = EXAMPLE_APP "/spaces/" EXAMPLE_SPACE "/pages/" EXAMPLE_PAGE },
	{ 0 } } };
/* Options of a page's layout. flags: F_REQ in answers, which have all of them; 0 in changes. */
#define LAYOUT(flags) \
	{ "width", T_ENUM, flags, .set = "default,wide", .doc = "Width of the page" }, \
	{ "cover", T_BOOL, flags, .doc = "The cover is shown" }, \
	{ "coverSize", T_TEXT, flags, .doc = "How large the cover is: hero, full or background", \
	  .example = "hero" }, \
	{ "coverMask", T_TEXT, flags, .doc = "How the edge of the cover is drawn", .example = "none" }, \
	{ "title", T_BOOL, flags, .doc = "The title is shown" }, \
	{ "description", T_BOOL, flags, .doc = "The description is shown" }, \
	{ "tableOfContents", T_BOOL, flags, .doc = "The table of contents is shown" }, \
	{ "outline", T_BOOL, flags, .doc = "The outline of headings is shown" }, \
	{ "pagination", T_BOOL, flags, .doc = "Links to the pages before and after are shown" }, \
	{ "metadata", T_BOOL, flags, .doc = "The time of the last change is shown" }, \
	{ "tags", T_BOOL, flags, .doc = "Its tags are shown" }, \
	{ "actions", T_BOOL, flags, .doc = "Actions such as copying are shown" }, \
	{ "anchors", T_BOOL, flags, .doc = "Links to headings are shown" }

/* The options are required in answers and optional in changes, so there are two shapes of one list. */
static const struct shape Layout = { "RevisionPageLayoutOptions", (const struct field[]){
	LAYOUT(F_REQ),
	{ 0 } } };
const struct shape LayoutSettings = { "RevisionPageLayoutSettings", (const struct field[]){
	LAYOUT(0),
	{ 0 } } };

#define PAGES_BELOW \
	{ "pages", T_LIST, F_REQ, .of = &RevisionPage, .doc = "Pages below it, in order" }, \
	{ "folded", T_INT, .doc = "With `open`: number of pages below it, which are left out", .example = "12" }

/* Members of the four variants of a whole page; `type` selects the variant. */
#define PAGE_BASE \
	{ "id", T_TEXT, F_REQ, .doc = "Unique id in the space", .example = EXAMPLE_PAGE }, \
	{ "title", T_TEXT, F_REQ, .doc = "Title", .example = "First steps" }, \
	{ "linkTitle", T_TEXT, .doc = "Title in the table of contents; absent: the title", .example = "Start" }, \
	{ "emoji", T_TEXT, .doc = "Emoji beside the title, code points in hexadecimal", .example = "1f4d8" }, \
	{ "icon", T_TEXT, .doc = "Name of an icon", .example = "book" }, \
	{ "createdAt", T_TIME, .doc = "When it was created" }, \
	{ "updatedAt", T_TIME, .doc = "When it was last changed" }, \
	{ "condition", T_TEXT, .doc = "Condition for visitors to see it, as an expression", \
	  .example = "visitor.claims.beta == true" }

static const struct shape PageDocument = { "RevisionPageDocument", (const struct field[]){
	PAGE_BASE,
	{ "type", T_CONST, F_REQ, .set = "document", .doc = "A page with text" },
	{ "kind", T_CONST, F_REQ, .set = "sheet", .doc = "Always sheet" },
	{ "urls", T_OBJECT, F_REQ, .of = &PageUrls, .doc = "Its addresses" },
	{ "slug", T_TEXT, F_REQ, .doc = "Last part of the path", .example = "first-steps" },
	{ "path", T_TEXT, F_REQ, .doc = "Path in the space", .example = "guides/first-steps" },
	{ "description", T_TEXT, .doc = "Short description", .example = "How to install and run it" },
	PAGES_BELOW,
	{ "git", T_OBJECT, .of = &GitBlob, .doc = "Where it is stored in the git repository" },
	{ "layout", T_OBJECT, F_REQ, .of = &Layout, .doc = "Parts of the page that are shown around the text" },
	{ "cover", T_OBJECT, .of = &PageCover, .doc = "Picture above the text" },
	{ "variables", T_MAP, .item = &(const struct field){ "", T_TEXT }, .example = "{\"version\":\"2.4\"}",
	  .doc = "Variables of the page, by name" },
	{ "tags", T_LIST, F_REQ, .of = &PageTag, .doc = "Tags of the page" },
	{ "hidden", T_BOOL, .doc = "true: the table of contents does not show it", .example = "false" },
	{ "noIndex", T_BOOL, .doc = "true: the search of the space leaves it out", .example = "false" },
	{ "noRobotsIndex", T_BOOL, .doc = "true: search engines are asked to leave it out", .example = "false" },
	{ "document", T_OBJECT, .of = &JSONDocument, .doc = "The text, with format document" },
	{ "markdown", T_TEXT, F_ALTERNATIVE, .doc = "The text, with format markdown", .example = "# First steps" },
	{ "computed", T_OBJECT, F_ALTERNATIVE, .of = &PageComputation,
	  .doc = "Source that it was generated from; absent: a person wrote it" },
	{ "computedSeed", T_TEXT, F_ALTERNATIVE, .doc = "Identifies the computed content", .example = EXAMPLE_PAGE },
	{ 0 } } };
static const struct shape PageGroup = { "RevisionPageGroup", (const struct field[]){
	PAGE_BASE,
	{ "type", T_CONST, F_REQ, .set = "group", .doc = "A heading with pages below it" },
	{ "kind", T_CONST, F_REQ, .set = "group", .doc = "Always group" },
	{ "slug", T_TEXT, F_REQ, .doc = "Last part of the path", .example = "guides" },
	{ "path", T_TEXT, F_REQ, .doc = "Path in the space", .example = "guides" },
	{ "hidden", T_BOOL, .doc = "true: the table of contents does not show it", .example = "false" },
	{ "noIndex", T_BOOL, .doc = "true: the search of the space leaves it out", .example = "false" },
	{ "noRobotsIndex", T_BOOL, .doc = "true: search engines are asked to leave it out", .example = "false" },
	PAGES_BELOW,
	{ 0 } } };
static const struct shape PageLink = { "RevisionPageLink", (const struct field[]){
	PAGE_BASE,
	{ "type", T_CONST, F_REQ, .set = "link", .doc = "A link in the table of contents" },
	{ "kind", T_CONST, F_REQ, .set = "link", .doc = "Always link" },
	{ "target", T_OBJECT, F_REQ, .of = &ContentRef, .doc = "Target of the link" },
	{ "href", T_TEXT, .doc = "Address of the target, if it is outside of Octavo", .example = "https://example.org/" },
	{ "hidden", T_BOOL, .doc = "true: the table of contents does not show it", .example = "false" },
	PAGES_BELOW,
	{ 0 } } };
static const struct shape PageComputed = { "RevisionPageComputed", (const struct field[]){
	PAGE_BASE,
	{ "type", T_CONST, F_REQ, .set = "computed", .doc = "Computed pages: they are generated from a source" },
	{ "computed", T_OBJECT, F_REQ, .of = &PageComputation, .doc = "Source that the pages are generated from" },
	{ "computedSeed", T_TEXT, F_REQ, .doc = "Identifies the computed content", .example = EXAMPLE_PAGE },
	{ "hidden", T_BOOL, .doc = "true: the table of contents does not show it", .example = "false" },
	PAGES_BELOW,
	{ 0 } } };
/*
 * An entry of a table of contents. Its `type` differs from the four types of whole pages, so that
 * clients do not mistake it for one of them.
 */
static const struct shape PageEntry = { "RevisionPageEntry", (const struct field[]){
	{ "id", T_TEXT, F_REQ, .doc = "Unique id in the space", .example = EXAMPLE_PAGE },
	{ "title", T_TEXT, F_REQ, .doc = "Title", .example = "First steps" },
	{ "linkTitle", T_TEXT, .doc = "Title in the table of contents; absent: the title", .example = "Start" },
	{ "description", T_TEXT, .doc = "Short description", .example = "How to install and run it" },
	{ "kind", T_ENUM, F_REQ, .set = "document,group,link,computed", .doc = "Type of the page" },
	{ "type", T_CONST, F_REQ, .set = "entry", .doc = "With `brief`: what a table of contents shows" },
	{ "href", T_TEXT, .doc = "Address of the target, if it is outside of Octavo", .example = "https://example.org/" },
	{ "hidden", T_BOOL, .doc = "true: the table of contents does not show it", .example = "false" },
	PAGES_BELOW,
	{ 0 } } };
const struct shape RevisionPage = { "RevisionPage", NULL, (const struct shape *const[]){
	&PageEntry, &PageDocument, &PageGroup, &PageLink, &PageComputed, NULL } };
const struct shape PageList = { "PageList", (const struct field[]){
	{ "pages", T_LIST, F_REQ, .of = &RevisionPage, .doc = "Pages at the top, in order" },
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

/*
 * Copies a stored member. A member without a value is omitted and never null
 * (docs/design/requests.md, "Unset members").
 */
static void
copy_member(struct json *j, const cJSON *props, const char *name)
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

/* layout may be NULL: cJSON then finds no member, and the preset is written. */
static void
write_layout_text(struct json *j, const cJSON *layout, const char *name, const char *preset)
{
	const cJSON *v = cJSON_GetObjectItemCaseSensitive(layout, name);

	json_kstr(j, name, cJSON_IsString(v) ? v->valuestring : preset);
}

/* Writes all options; those absent in the frontmatter get the service's defaults. */
static void
write_layout(struct json *j, const cJSON *props)
{
	/* Parts of a page that are shown unless its frontmatter says false */
	static const char *const shown[] = { "title", "description", "tableOfContents", "outline",
		"pagination", "metadata", "tags", "actions", "anchors" };
	const cJSON *layout = cJSON_GetObjectItemCaseSensitive(props, "layout"), *v;
	size_t i;

	json_kobj(j, "layout");
	write_layout_text(j, layout, "width", "default");
	v = cJSON_GetObjectItemCaseSensitive(layout, "cover");
	/* Absent means true here, too: a cover is shown if the page has one. */
	json_kbool(j, "cover", v == NULL || cJSON_IsTrue(v));
	write_layout_text(j, layout, "coverSize", "hero");
	write_layout_text(j, layout, "coverMask", "none");
	for (i = 0; i < sizeof(shown) / sizeof(shown[0]); i++) {
		v = cJSON_GetObjectItemCaseSensitive(layout, shown[i]);
		json_kbool(j, shown[i], v == NULL || cJSON_IsTrue(v));
	}
	json_end(j);
}

/*
 * Writes the members of all four variants, without `type`. The title is never empty, since clients
 * use it as the text of a link.
 */
static void
write_base(struct json *j, const struct node *n, const cJSON *props)
{
	json_kstr(j, "id", n->id);
	json_kstr(j, "title", *n->title != '\0' ? n->title : "Untitled");
	copy_member(j, props, "linkTitle");
	copy_member(j, props, "emoji");
	copy_member(j, props, "icon");
	json_key(j, "createdAt");
	json_time(j, n->made);
	json_key(j, "updatedAt");
	json_time(j, n->at);
	copy_member(j, props, "hidden");
}

/*
 * A page of another space is not in the change request of the path, so its address is that of
 * primary content.
 */
char *
page_url(struct req *r, const char *space, const char *page)
{
	if (r->request.id != NULL && strcmp(space, r->space.id) == 0)
		return url_for(r, "/v1/spaces/%s/change-requests/%s/content/page/%s", space,
		    r->request.id, page);
	return url_for(r, "/v1/spaces/%s/content/page/%s", space, page);
}

/* Like page_url(), but the address of the page in the application. */
static const char *
page_app_url(struct req *r, const char *space, const char *page)
{
	return app_page_address(r, space, NULL, r->request.id != NULL && strcmp(space, r->space.id) == 0 ? r->request.id : NULL, page);
}

/*
 * Writes the members of a document. `kind` is written as well as `type`: answers have each member
 * that either API description has (docs/design/requests.md, "Two descriptions"). `layout` and
 * `tags` are always present: without them the renderer answers 500 (docs/design/renderer.md, "The
 * revision").
 */
static void
write_document_members(struct req *r, struct json *j, const struct point *p, const struct page *page,
    const struct page_style *s, const cJSON *props)
{
	const cJSON *tags = cJSON_GetObjectItemCaseSensitive(props, "tags");

	json_kstr(j, "kind", "sheet");
	json_kstr(j, "type", "document");
	json_kobj(j, "urls");
	json_kstr(j, "app", page_app_url(r, p->space, page->node.id));
	json_end(j);
	json_kstr(j, "slug", page->node.slug);
	json_kstr(j, "path", page->path);
	copy_member(j, props, "description");
	if (s->git)
		git_json(j, &page->node);
	write_layout(j, props);
	copy_member(j, props, "cover");
	copy_member(j, props, "variables");
	json_key(j, "tags");
	/* Always a list, since the renderer needs the member. */
	json_raw(j, cJSON_IsArray(tags) ? str_of(cJSON_PrintUnformatted(tags)) : STR("[]"));
	copy_member(j, props, "noIndex");
	copy_member(j, props, "noRobotsIndex");
	copy_member(j, props, "computed");
	copy_member(j, props, "computedSeed");
}

/*
 * Writes the members of a link. It has neither slug nor path, since it has no address of its own.
 * `href` is present for external targets only.
 */
static void
write_link_members(struct json *j, const cJSON *props)
{
	const cJSON *target = cJSON_GetObjectItemCaseSensitive(props, "target");
	const cJSON *url = cJSON_GetObjectItemCaseSensitive(target, "url");

	json_kstr(j, "kind", "link");
	json_kstr(j, "type", "link");
	copy_member(j, props, "target");
	if (cJSON_IsString(url))
		json_kstr(j, "href", url->valuestring);
}

/*
 * Writes only members of the variant: the four shapes are closed, and tests check every answer
 * against them.
 */
static void
write_variant_members(struct req *r, struct json *j, const struct point *p, const struct page *page,
    const struct page_style *s, const cJSON *props)
{
	switch (page->node.kind) {
	case NODE_GROUP:
		json_kstr(j, "kind", "group");
		json_kstr(j, "type", "group");
		json_kstr(j, "slug", page->node.slug);
		json_kstr(j, "path", page->path);
		copy_member(j, props, "noIndex");
		copy_member(j, props, "noRobotsIndex");
		break;
	case NODE_LINK:
		write_link_members(j, props);
		break;
	case NODE_COMPUTED:
		json_kstr(j, "type", "computed");
		copy_member(j, props, "computed");
		/*
		 * The published client requires computedSeed. The page's id stays the same across
		 * versions of the specification.
		 */
		json_kstr(j, "computedSeed", page->node.id);
		break;
	default:
		write_document_members(r, j, p, page, s, props);
	}
}

static int
count_pages(const struct page *list)
{
	int n = 0;

	for (; list != NULL; list = list->next)
		n++;
	return n;
}

/*
 * Writes the child pages. Clients iterate over the list without a check, so it is always there
 * (docs/design/renderer.md, "The revision").
 */
static void
write_pages_below(struct req *r, struct json *j, const struct point *p, const struct page *page, const struct page_style *s)
{
	bool folded = s->open != NULL && page->node.kind != NODE_GROUP && page->first != NULL && !map_has(s->open, str_of(page->node.id));

	json_key(j, "pages");
	pages_json(r, j, p, folded ? NULL : page->first, s);
	if (folded)
		json_kint(j, "folded", count_pages(page->first));
}

/*
 * Writes an entry of a table of contents. It omits layout and addresses, which are most of a page's
 * JSON: the tree must not cost more than the page beside it.
 */
static void
write_entry(struct req *r, struct json *j, const struct point *p, const struct page *page, const struct page_style *s, const cJSON *props)
{
	const struct node *n = &page->node;
	const char *url = json_text_of(json_member(props, "target"), "url");

	json_obj(j);
	json_kstr(j, "id", n->id);
	json_kstr(j, "title", *n->title != '\0' ? n->title : "Untitled");
	copy_member(j, props, "linkTitle");
	if (n->kind == NODE_DOCUMENT)
		copy_member(j, props, "description");
	json_kstr(j, "type", "entry");
	json_kstr(j, "kind", n->kind == NODE_GROUP ? "group" : n->kind == NODE_LINK ? "link" : n->kind == NODE_COMPUTED ? "computed" : "document");
	if (n->kind == NODE_LINK && url != NULL)
		json_kstr(j, "href", url);
	copy_member(j, props, "hidden");
	write_pages_below(r, j, p, page, s);
	json_end(j);
}

void
page_json(struct req *r, struct json *j, const struct point *p, const struct page *page,
    const struct page_style *s, const char *body_key, struct str body)
{
	/* cJSON allocates in the request's arena here (json_arena()), so nothing is freed. */
	const cJSON *props = page->props != NULL ? page->props : cJSON_Parse(page->node.props);

	if (s->brief) {
		write_entry(r, j, p, page, s, props);
		return;
	}
	json_obj(j);
	write_base(j, &page->node, props);
	/* Visitors do not get the condition, since it says which claims of a visitor open the page. */
	if (r->visit == NULL)
		copy_member(j, props, "condition");
	write_variant_members(r, j, p, page, s, props);
	write_pages_below(r, j, p, page, s);
	/*
	 * body is JSON: a document, or Markdown as a JSON string. Lists and trees have neither
	 * (docs/design/content.md, "Answers about content").
	 */
	if (body_key != NULL && page->node.kind == NODE_DOCUMENT) {
		json_key(j, body_key);
		json_raw(j, body);
	}
	json_end(j);
}

/*
 * Recurses with page_json(), at most PAGE_DEPTH pages deep, which json.h's nesting limit allows
 * (store/content.h).
 */
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
