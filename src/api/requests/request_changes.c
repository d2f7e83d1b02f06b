/*
 * Lists the changes of a revision or a change request: pages, files and reusable contents created,
 * edited, moved or deleted, and the space's variables (content: include/store/changes.h). With
 * ?diff=true pages have a unified diff of their Markdown.
 */
#include <cjson/cJSON.h>

#include "api/access.h"
#include "api/document_shapes.h"
#include "api/examples.h"
#include "api/request_changes.h"
#include "api/request_row.h"
#include "api/revision_files.h"
#include "api/revision_pages.h"
#include "api/revisions.h"
#include "api/visitor.h"
#include "app/download.h"
#include "audience/visit.h"
#include "base/secret.h"
#include "http/req.h"
#include "store/changes.h"
#include "store/content.h"
#include "text/merge_text.h"
#include "commented_lines.h"

/* The type of the values of a map. Values of maps have no member name. */
static const struct field text = { "", T_TEXT };
static const struct shape ChangedObject = { "ChangedObject", (const struct field[]){
	{ "id", T_TEXT, F_REQ, .doc = "Unique id", .example = EXAMPLE_PAGE },
	{ "type", T_TEXT, .doc = "Of a page: document, group, link or computed", .example = "document" },
	{ "title", T_TEXT, .doc = "Title", .example = "First steps" },
	{ "path", T_TEXT, .doc = "Path of a page", .example = "guides/first-steps" },
	{ "name", T_TEXT, .doc = "Name of a file", .example = "logo.png" },
	{ "contentType", T_TEXT, .doc = "Media type of a file", .example = "image/png" },
	{ "downloadURL", T_TEXT, .doc = "Address to download a file; it needs no token",
	  .example = "https://docs.example.com/~files/logo.png" },
	{ 0 } } };

/*
 * A pair of values: before and after. One of them is absent if the object was created or deleted.
 */
#define CHANGE(shape_, name_, ...) \
	static const struct shape shape_ = { name_, (const struct field[]){ \
		{ "before", __VA_ARGS__, .doc = "The value before; absent: none" }, \
		{ "after", __VA_ARGS__, .doc = "The value after; absent: none" }, { 0 } } }
CHANGE(TextChange, "ChangedText", T_TEXT, .example = "First steps");
CHANGE(FlagChange, "ChangedFlag", T_BOOL);
CHANGE(PlaceChange, "ChangedPlace", T_OBJECT, .of = &ChangedObject);
CHANGE(CoverChange, "ChangedCover", T_OBJECT, .of = &PageCover);
CHANGE(LayoutChange, "ChangedLayout", T_OBJECT, .of = &LayoutSettings);
CHANGE(MapChange, "ChangedVariables", T_MAP, .item = &text, .example = "{\"version\":\"2.4\"}");
CHANGE(TagsChange, "ChangedTags", T_LIST, .of = &PageTag);
CHANGE(TargetChange, "ChangedTarget", T_OBJECT, .of = &ContentRef);
CHANGE(ComputedChange, "ChangedComputation", T_OBJECT, .of = &PageComputation);
/* Members of Attributes, each with a pair of values. */
#define TEXT_CHANGE(name_, doc_) { name_, T_OBJECT, .of = &TextChange, .doc = doc_ }
#define FLAG_CHANGE(name_, doc_) { name_, T_OBJECT, .of = &FlagChange, .doc = doc_ }
static const struct shape Attributes = { "ChangedAttributes", (const struct field[]){
	TEXT_CHANGE("title", "Title"),
	TEXT_CHANGE("slug", "Last part of the path"),
	TEXT_CHANGE("name", "Name of a file"),
	TEXT_CHANGE("document", "Names of the texts, which differ where the texts do"),
	TEXT_CHANGE("downloadURL", "Names of the bytes of a file, which differ where the bytes do"),
	TEXT_CHANGE("description", "Short description"),
	TEXT_CHANGE("emoji", "Emoji beside the title"),
	TEXT_CHANGE("icon", "Name of an icon"),
	TEXT_CHANGE("linkTitle", "Title in the table of contents"),
	TEXT_CHANGE("condition", "Expression that says which visitors see it"),
	FLAG_CHANGE("hidden", "It is not shown in the table of contents"),
	FLAG_CHANGE("noIndex", "It is left out of search here"),
	FLAG_CHANGE("noRobotsIndex", "Search engines are asked to leave it out"),
	{ "cover", T_OBJECT, .of = &CoverChange, .doc = "Picture above the text" },
	{ "layout", T_OBJECT, .of = &LayoutChange, .doc = "Parts of the page that are shown around the text" },
	{ "variables", T_OBJECT, .of = &MapChange, .doc = "Variables of the page" },
	{ "tags", T_OBJECT, .of = &TagsChange, .doc = "Tags of the page" },
	{ "target", T_OBJECT, .of = &TargetChange, .doc = "Target of a link" },
	{ "computed", T_OBJECT, .of = &ComputedChange, .doc = "Source that the pages are generated from" },
	{ 0 } } };
static const struct shape SemanticChange = { "RevisionSemanticChange", (const struct field[]){
	{ "type", T_ENUM, F_REQ, .set = "page_created,page_edited,page_deleted,page_moved,file_created,"
	  "file_edited,file_deleted,reusable_content_created,reusable_content_edited,"
	  "reusable_content_deleted,variables_edited", .doc = "Kind of change" },
	{ "page", T_OBJECT, .of = &ChangedObject, .doc = "The page" },
	{ "file", T_OBJECT, .of = &ChangedObject, .doc = "The file" },
	{ "fileBefore", T_OBJECT, .of = &ChangedObject, .doc = "Of a file that was edited: the file before" },
	{ "reusableContent", T_OBJECT, .of = &ChangedObject, .doc = "The reusable content" },
	{ "parent", T_OBJECT, .of = &PlaceChange,
	  .doc = "Of a page that moved: its parents before and after; an absent member means the top level" },
	{ "attributes", T_OBJECT, .of = &Attributes, .doc = "Attributes that changed, by name, with the values before and after" },
	{ "variables", T_MAP, .of = &TextChange, .doc = "Variables that changed, with the values before and after" },
	{ "diff", T_TEXT, .doc = "Unified diff of the Markdown, with ?diff=true",
	  .example = "--- a.md\n+++ a.md\n@@ -1 +1 @@\n-Old\n+New\n" },
	{ "commented", T_LIST, .of = &CommentedLines, .doc = "Of a change request, with ?diff=true: lines of the page that have "
	  "comments; absent: none" },
	{ "lines", T_LIST, .of = &CommentedLines, .doc = "Of the page that ?lines names: blocks that comments on lines of its new "
	  "Markdown are on" },
	{ 0 } } };
const struct shape SemanticChanges = { "RevisionSemanticChanges", (const struct field[]){
	{ "changes", T_LIST, F_REQ, .of = &SemanticChange,
	  .doc = "Pages, files, reusable contents and variables that changed" },
	{ "mergedFrom", T_OBJECT, .of = &ChangeRequest, .doc = "The change request that a revision merged" },
	{ "more", T_INT, .doc = "Number of changes after those of the answer; absent: none", .example = "3" },
	{ 0 } } };
/* Ten by default, since the diff of a page may be large. `more` says how many changes come after them. */
#define PART_FIELDS \
	{ "limit", T_INT, .min = 0, .max = 1000, .preset = "10", .doc = "Maximum number of changes in the answer" }, \
	{ "offset", T_INT, .min = 0, .max = 1000000, .preset = "0", .doc = "Number of changes before the first one of the answer" }
const struct shape ChangesQuery = { "ChangesQuery", (const struct field[]){
	PART_FIELDS,
	{ "diff", T_BOOL, .preset = "false", .doc = "true: adds a unified diff of the Markdown" },
	{ "lines", T_TEXT, .max = 100, .doc = "With `diff`, the id of a page: adds the blocks and lines of code that comments can be on, with "
	  "their lines in its new Markdown", .example = EXAMPLE_PAGE },
	{ 0 } } };

const struct shape RevisionChangesQuery = { "RevisionChangesQuery", (const struct field[]){
	PART_FIELDS,
	{ "diff", T_BOOL, .preset = "false", .doc = "true: adds a unified diff of the Markdown" },
	{ "since", T_TEXT, .doc = "Id of another revision of the space, older or newer, to compare with; absent: the revision before",
	  .example = EXAMPLE_REVISION },
	{ 0 } } };

/* State while writing one answer. */
struct change_writer {
	struct req  *r;
	struct json *j;
	/* The two contents that are compared. */
	struct point from, to;
	int64_t      offset, limit;  /* changes before the answer, and most changes in it */
	int64_t      count;          /* changes so far, written or not */
	bool         diff;
	const char  *lines;          /* id of the page for which "lines" is written; NULL: none */
};

/*
 * Writes a reference to a page. n must have been read at p, since a path depends on the revision,
 * and a deleted page exists only at `from`. A link has no path.
 */
static void
write_page_ref(struct change_writer *t, const char *key, const struct point *p, const struct node *n)
{
	json_kobj(t->j, key);
	json_kstr(t->j, "id", n->id);
	json_kstr(t->j, "type", node_kind_name(n->kind));
	json_kstr(t->j, "title", n->title);
	if (n->kind != NODE_LINK)
		json_kstr(t->j, "path", page_path(t->r->db, t->r->arena, p, n));
	json_end(t->j);
}

/* Writes a reference to a file or a reusable content at p. */
static void
write_object_ref(struct change_writer *t, const char *key, const struct point *p, const struct node *n)
{
	json_kobj(t->j, key);
	json_kstr(t->j, "id", n->id);
	if (n->kind == NODE_FILE) {
		json_kstr(t->j, "name", n->title);
		json_kstr(t->j, "contentType", mime_type(n->title));
		json_kstr(t->j, "downloadURL", file_address(t->r, p, n));
	} else {
		json_kstr(t->j, "title", n->title);
	}
	json_end(t->j);
}

/* Opens one change; false if it is before or after those of the answer. */
static bool
open_change(struct change_writer *t, const char *type)
{
	int64_t at = t->count++ - t->offset;

	if (at < 0 || at >= t->limit)
		return false;
	json_obj(t->j);
	json_kstr(t->j, "type", type);
	return true;
}

/* Writes a text before and after; NULL: it had no value then. Writes nothing if both are equal. */
static void
write_attribute(struct change_writer *t, const char *name, const char *before, const char *after)
{
	if (before == after || (before != NULL && after != NULL && strcmp(before, after) == 0))
		return;
	json_kobj(t->j, name);
	if (before != NULL)
		json_kstr(t->j, "before", before);
	if (after != NULL)
		json_kstr(t->j, "after", after);
	json_end(t->j);
}

/*
 * Returns a name for the bytes of a body: its hash, so that equal names mean equal bytes. NULL for
 * a page without text.
 */
static const char *
name_of_body(struct change_writer *t, struct str hash)
{
	return hash.n == 0 ? NULL : base64url(t->r->arena, hash);
}

/* Writes a JSON value before and after; NULL: it had none then. Writes nothing if both are equal. */
static void
write_changed_value(struct change_writer *t, const char *name, const cJSON *before, const cJSON *after)
{
	/* true: compares member names case-sensitively */
	if (cJSON_Compare(before, after, true) || (before == NULL && after == NULL))
		return;
	json_kobj(t->j, name);
	if (before != NULL) {
		json_key(t->j, "before");
		/* The text is in the request's arena, like all that cJSON allocates. */
		json_raw(t->j, str_of(cJSON_PrintUnformatted(before)));
	}
	if (after != NULL) {
		json_key(t->j, "after");
		json_raw(t->j, str_of(cJSON_PrintUnformatted(after)));
	}
	json_end(t->j);
}

/* Writes changed properties under their own names; texts as texts, others as JSON. */
static void
write_properties(struct change_writer *t, const struct change *c)
{
	/* The properties that the shape Attributes has. Others are for internal use. */
	static const char *const names[] = { "description", "emoji", "icon", "linkTitle", "hidden",
		"noIndex", "noRobotsIndex", "condition", "cover", "layout", "variables", "tags", "target",
		"computed", NULL };
	/* "" and invalid JSON give NULL, which has no members */
	const cJSON *b = cJSON_Parse(c->before->props), *a = cJSON_Parse(c->after->props);
	size_t i;

	for (i = 0; names[i] != NULL; i++)
		/* Visitors do not get the condition, since it says which claims of a visitor open the page. */
		if (t->r->visit == NULL || strcmp(names[i], "condition") != 0)
			write_changed_value(t, names[i], cJSON_GetObjectItemCaseSensitive(b, names[i]),
			    cJSON_GetObjectItemCaseSensitive(a, names[i]));
}

/* Returns the page's Markdown as the caller may see it; "" if n is NULL. */
static struct str
readable_markdown(struct change_writer *t, const struct point *p, const struct node *n)
{
	struct req *r = t->r;
	struct str whole;

	if (n == NULL)
		return (struct str){ "", 0 };
	whole = markdown_of(r->db, r->arena, p, n, true);
	return r->visit == NULL ? whole : visit_markdown(r->visit, p, n, whole);
}

/* Writes the diff of a document, with three lines of context, as diff -u. Other kinds of pages have no text. */
static void
write_diff(struct change_writer *t, const struct change *c)
{
	const struct node *n = c->after != NULL ? c->after : c->before;
	struct req *r = t->r;
	struct str now;
	struct buf b;

	if (!t->diff || n->kind != NODE_DOCUMENT)
		return;
	now = readable_markdown(t, &t->to, c->after);
	/*
	 * An upper bound, not an allocation: the diff of two bodies contains at most both of them
	 * and their marks.
	 */
	buf_init(&b, r->arena, 256 << 20);
	diff_unified(&b, r->arena, c->before == NULL ? "/dev/null" :
	    page_path(r->db, r->arena, &t->from, c->before), c->after == NULL ? "/dev/null" :
	    page_path(r->db, r->arena, &t->to, c->after),
	    readable_markdown(t, &t->from, c->before), now, 3);
	json_kstrn(t->j, "diff", buf_view(&b));
	/* Comments are for users only, not for visitors. */
	if (c->after != NULL && r->request.id != NULL && r->who.kind == BY_USERS)
		write_commented_lines(r, c->after, now);
	if (c->after != NULL && t->lines != NULL && strcmp(t->lines, c->after->id) == 0)
		write_all_lines(r, c->after, now);
}

/*
 * Writes the move of a page. The parent before and the parent after are read at their own points:
 * the old one may be deleted, and paths may differ.
 */
static void
write_move(struct change_writer *t, const struct change *c)
{
	struct node up;

	if (!open_change(t, "page_moved"))
		return;
	write_page_ref(t, "page", &t->to, c->after);
	json_kobj(t->j, "parent");
	/* A parent of "" is the top level, for which the member is omitted. */
	if (*c->before->parent != '\0' &&
	    node_get(t->r->db, t->r->arena, &t->from, c->before->parent, &up))
		write_page_ref(t, "before", &t->from, &up);
	if (*c->after->parent != '\0' &&
	    node_get(t->r->db, t->r->arena, &t->to, c->after->parent, &up))
		write_page_ref(t, "after", &t->to, &up);
	json_end(t->j);
	json_end(t->j);
}

/* True if the page was changed in another way than moved. */
static bool
is_edited(const struct change *c)
{
	const struct node *b = c->before, *a = c->after;

	return strcmp(b->title, a->title) != 0 || strcmp(b->slug, a->slug) != 0 ||
	    strcmp(b->props, a->props) != 0 || !str_eq(b->body, a->body);
}

/* Writes the changes of a page. A page that was moved and edited has two, each of which counts towards the limit. */
static void
write_page_change(struct change_writer *t, const struct change *c)
{
	const char *one = c->before == NULL ? "page_created" : c->after == NULL ? "page_deleted" :
	    NULL;

	/* The path is computed at a point at which the page exists. */
	if (one != NULL) {
		if (!open_change(t, one))
			return;
		write_page_ref(t, "page", c->after != NULL ? &t->to : &t->from,
		    c->after != NULL ? c->after : c->before);
		write_diff(t, c);
		json_end(t->j);
		return;
	}
	if (c->moved)
		write_move(t, c);
	/* Checked first, so that a page that was only moved does not count as edited. */
	if (!is_edited(c) || !open_change(t, "page_edited"))
		return;
	write_page_ref(t, "page", &t->to, c->after);
	json_kobj(t->j, "attributes");
	write_attribute(t, "title", c->before->title, c->after->title);
	write_attribute(t, "slug", c->before->slug, c->after->slug);
	write_attribute(t, "document", name_of_body(t, c->before->body), name_of_body(t, c->after->body));
	write_properties(t, c);
	json_end(t->j);
	write_diff(t, c);
	json_end(t->j);
}

/*
 * Writes the change of a file or reusable content. downloadURL in `attributes` is a hash of the
 * bytes: a signed address would change every day while the content stays the same.
 */
static void
write_object_change(struct change_writer *t, const struct change *c, const char *key, const char *type)
{
	const struct node *n = c->after != NULL ? c->after : c->before;
	const char *what = c->before == NULL ? "created" : c->after == NULL ? "deleted" : "edited";

	if (!open_change(t, arena_printf(t->r->arena, "%s_%s", type, what)))
		return;
	write_object_ref(t, key, c->after != NULL ? &t->to : &t->from, n);
	if (c->before != NULL && c->after != NULL) {
		if (n->kind == NODE_FILE)
			write_object_ref(t, "fileBefore", &t->from, c->before);
		json_kobj(t->j, "attributes");
		write_attribute(t, n->kind == NODE_FILE ? "name" : "title", c->before->title,
		    c->after->title);
		write_attribute(t, n->kind == NODE_FILE ? "downloadURL" : "document",
		    name_of_body(t, c->before->body), name_of_body(t, c->after->body));
		json_end(t->j);
	}
	json_end(t->j);
}

/* Returns the map of the space's variables; NULL if there is none. */
static const cJSON *
find_variables(const struct node *n)
{
	return n == NULL ? NULL : cJSON_GetObjectItemCaseSensitive(cJSON_Parse(n->props), "value");
}

/* Writes the space's variables whose values differ. */
static void
write_variables_change(struct change_writer *t, const struct change *c)
{
	const cJSON *before = find_variables(c->before), *after = find_variables(c->after), *v;

	if (cJSON_Compare(before, after, true) || !open_change(t, "variables_edited"))
		return;
	json_kobj(t->j, "variables");
	cJSON_ArrayForEach(v, before)
		write_changed_value(t, v->string, v, cJSON_GetObjectItemCaseSensitive(after, v->string));
	/* The loop above writes changed and deleted variables, this one writes new ones. */
	cJSON_ArrayForEach(v, after)
		if (cJSON_GetObjectItemCaseSensitive(before, v->string) == NULL)
			write_changed_value(t, v->string, NULL, v);
	json_end(t->j);
	json_end(t->j);
}

/*
 * Returns the change as the caller may see it: for the visitor of a preview, hidden pages and files
 * do not exist, before and after.
 */
static struct change
visible_change(struct change_writer *t, struct change c)
{
	if (c.before != NULL && !visited_node(t->r, &t->from, c.before))
		c.before = NULL;
	if (c.after != NULL && !visited_node(t->r, &t->to, c.after))
		c.after = NULL;
	return c;
}

static void
write_changes(struct change_writer *t, const struct change *list, size_t n)
{
	size_t i;

	json_karr(t->j, "changes");
	for (i = 0; i < n; i++) {
		const struct change c = visible_change(t, list[i]);
		const struct node *x = c.after != NULL ? c.after : c.before;
		if (x == NULL)
			continue;
		if (x->kind & NODE_PAGES)
			write_page_change(t, &c);
		else if (x->kind == NODE_FILE)
			write_object_change(t, &c, "file", "file");
		else if (x->kind == NODE_REUSABLE)
			write_object_change(t, &c, "reusableContent", "reusable_content");
		/* The other settings, such as the order of siblings, are internal and not written. */
		else if (strcmp(x->id, "vars") == 0)
			write_variables_change(t, &c);
	}
	json_end(t->j);
	if (t->count > t->offset + t->limit)
		json_kint(t->j, "more", t->count - t->offset - t->limit);
}

/* Reads the revision that ?since names. 0 or fail(). */
static int
since_or_fail(struct req *r, const char *since, struct point *from)
{
	/* A preview of a site shows one revision and must not reveal others. */
	if (r->who.kind != BY_USERS)
		return fail_field(r, "/since", "is for members");
	if (!point_revision(r->db, r->arena, r->space.id, since, from))
		return fail_field(r, "/since", "names no revision of this space: %s", since);
	return 0;
}

static void
write_answer(struct change_writer *t, const char *merged, const struct change *list, size_t n)
{
	json_obj(t->j);
	if (*merged != '\0') {
		json_key(t->j, "mergedFrom");
		json_raw(t->j, str_of(merged));
	}
	write_changes(t, list, n);
	json_end(t->j);
}

static struct change_writer
begin_changes(struct req *r)
{
	return (struct change_writer){ .r = r, .j = &r->json, .offset = query_int(r, "offset", 0), .limit = query_int(r, "limit", 10),
		.diff = query_bool(r, "diff", false) };
}

/* GET /spaces/{spaceId}/change-requests/{changeRequestId}/changes */
HANDLER(getChangeRequestChanges)
{
	struct change_writer t = begin_changes(r);
	struct change *list;
	size_t n;

	/* Comments are for users only, not for visitors. */
	t.lines = r->who.kind == BY_USERS ? query_text(r, "lines") : NULL;
	if (point_or_fail(r, &t.to) != 0)
		return -1;
	list = changes_of_request(r->db, r->arena, &t.to, &t.from, &n);
	write_answer(&t, "", list, n);
	return 0;
}

/* GET /spaces/{spaceId}/revisions/{revisionId}/changes */
HANDLER(getRevisionSemanticChanges)
{
	struct change_writer t = begin_changes(r);
	const char *since = query_text(r, "since"), *merged = "";
	struct change *list;
	size_t n;

	if (point_or_fail(r, &t.to) != 0)
		return -1;
	if (since != NULL) {
		if (since_or_fail(r, since, &t.from) != 0)
			return -1;
		list = changes_between(r->db, r->arena, &t.from, &t.to, &n);
	} else {
		list = changes_of_revision(r->db, r->arena, &t.to, &t.from, &n);
		merged = merged_from(r, &t.to);
	}
	write_answer(&t, merged, list, n);
	return 0;
}
