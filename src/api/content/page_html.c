/*
 * Pages as HTML, for the application and for clients that show content without a renderer of their
 * own. The HTML is that of published sites (room render), but links are addresses of the
 * application, and addresses of files are signed. ?since=REVISION marks what differs from that
 * revision (render/compare.h).
 */
#include <cjson/cJSON.h>

#include "api/access.h"
#include "api/app_address.h"
#include "api/examples.h"
#include "api/page_html.h"
#include "api/revision_files.h"
#include "api/revisions.h"
#include "base/json.h"
#include "base/map.h"
#include "base/url.h"
#include "base/utf8.h"
#include "computed/computed.h"
#include "http/req.h"
#include "markdown/document.h"
#include "render/compare.h"
#include "render/render.h"
#include "store/changes.h"
#include "store/computed.h"
#include "store/content.h"
#include "store/include.h"
#include "store/overlay.h"
#include "typeset/typeset.h"

/*
 * SHOWN_MOST: maximum size in bytes of a document's JSON that is rendered here; COMPARED_MOST:
 * maximum of each of two documents that are compared. Their trees take about fifteen times as much
 * memory, and a worker has 1 GiB.
 */
enum { HTML_MOST = 256 << 20, SHOWN_MOST = 16 << 20, COMPARED_MOST = 4 << 20 };

static const struct shape RenderedHeading = { "RenderedHeading", (const struct field[]){
	{ "anchor", T_TEXT, F_REQ, .doc = "Id of the heading in the HTML", .example = "install" },
	{ "title", T_TEXT, F_REQ, .doc = "Text of the heading", .example = "Install" },
	{ "level", T_INT, F_REQ, .doc = "1 or 2", .example = "1" },
	{ 0 } } };
static const struct shape RenderedColumn = { "RenderedColumn", (const struct field[]){
	{ "id", T_TEXT, F_REQ, .doc = "`definition` of a comment on a cell", .example = "b2YmS8rT" },
	{ "title", T_TEXT, F_REQ, .doc = "Heading of the column", .example = "Price" },
	{ 0 } } };
static const struct shape RenderedLine = { "RenderedLine", (const struct field[]){
	{ "key", T_TEXT, F_REQ, .doc = "`node` of a comment on the line; the line's id in the HTML is `line-` followed by this key",
	  .example = EXAMPLE_BLOCK },
	{ "number", T_INT, F_REQ, .doc = "Number of the line in its code block, from 1", .example = "1" },
	{ "text", T_TEXT, F_REQ, .doc = "Beginning of the line", .example = "let a = 1;" },
	{ 0 } } };
static const struct shape RenderedBlock = { "RenderedBlock", (const struct field[]){
	{ "key", T_TEXT, .doc = "`node` of a comment on the block; absent if the block cannot have comments: a note, or a block that was "
	  "removed since", .example = EXAMPLE_BLOCK },
	{ "type", T_TEXT, F_REQ, .doc = "Type of block", .example = "paragraph" },
	{ "html", T_TEXT, F_REQ, .doc = "The block as HTML", .example = "<p>Welcome.</p>" },
	{ "inside", T_LIST, .item = &(const struct field){ "", T_TEXT }, .doc = "Keys of the blocks inside", .example = "[]" },
	{ "columns", T_LIST, .of = &RenderedColumn, .doc = "Of a table: its columns" },
	{ "records", T_LIST, .item = &(const struct field){ "", T_TEXT }, .doc = "Of a table: its rows in order, `record` of a comment on a cell",
	  .example = "[]" },
	{ "lines", T_LIST, .of = &RenderedLine, .doc = "Its lines of code that can have comments, at most 1000" },
	{ 0 } } };
const struct shape RenderedPage = { "RenderedPage", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "rendered-page", .doc = "Kind of object" },
	{ "id", T_TEXT, F_REQ, .doc = "Id of the page", .example = EXAMPLE_PAGE },
	{ "title", T_TEXT, F_REQ, .doc = "Title", .example = "First steps" },
	{ "html", T_TEXT, F_REQ, .doc = "The page's HTML, without <html> and <body>; empty if the page has no text or if `blocks` is true",
	  .example = "<p>Welcome.</p>" },
	{ "blocks", T_LIST, .of = &RenderedBlock, .doc = "With `blocks`: the blocks of the text" },
	{ "outline", T_LIST, F_REQ, .of = &RenderedHeading, .doc = "Headings in order" },
	{ "revision", T_TEXT, F_REQ, .doc = "Id of the revision that was read", .example = EXAMPLE_REVISION },
	{ "changes", T_INT, .doc = "With `since`: number of places that differ", .example = "2" },
	{ 0 } } };
const struct shape RenderedPageQuery = { "RenderedPageQuery", (const struct field[]){
	{ "since", T_TEXT, .doc = "Marks changes since a revision: its id, or `base`: the primary content that the change request "
	  "started from, or `before`: the revision before this one. Added text is in <ins>, removed text in <del>; a page that did not "
	  "exist is added as a whole", .example = EXAMPLE_REVISION },
	{ "blocks", T_BOOL, .preset = "false", .doc = "true: the HTML is in `blocks`, with the keys that comments need" },
	{ "language", T_TEXT, .doc = "Language of labels such as \"Warning\"", .example = "en" },
	{ "computed", T_BOOL, .preset = "true", .doc = "false: computed pages are not found" },
	{ 0 } } };

const struct shape PagePreviewQuery = { "PagePreviewQuery", (const struct field[]){
	{ "language", T_TEXT, .doc = "Language of labels such as \"Warning\"", .example = "en" },
	{ 0 } } };
const struct shape PagePreview = { "PagePreview", (const struct field[]){
	{ "markdown", T_TEXT, F_REQ, .doc = "Markdown as you could write it to the page, with or without frontmatter and title",
	  .example = "# First steps\n\nWelcome.\n" },
	{ 0 } } };

/* Context of the renderer's callbacks. */
struct showing {
	struct req    *r;
	struct point   point;
	struct typeset typeset;
};

SQL(q_space_title, "SELECT title FROM space WHERE id = :id");

/* ---- links ---- */

/*
 * Resolves a link to a page of this space. A page of another space is shown by its address, where
 * access is checked again.
 */
static bool
link_page(struct showing *s, const struct doc_ref *ref, struct render_link *out)
{
	struct req *r = s->r;
	struct computed_page *c;
	struct node n;

	if (ref->kind == REF_ANCHOR && ref->id == NULL && ref->anchor != NULL) {
		out->href = arena_printf(r->arena, "#%s", url_segment(r->arena, str_of(ref->anchor)));
		return true;
	}
	if (ref->id == NULL)
		return false;
	if (ref->space != NULL && strcmp(ref->space, s->point.space) != 0) {
		out->href = app_page_address(r, ref->space, NULL, NULL, ref->id);
		out->title = out->href;
		return true;
	}
	if (!page_find(r, &s->point, ref->id, NODE_PAGES, &n, &c))
		return false;
	out->title = n.title;
	out->about = json_text_of(cJSON_Parse(n.props), "description");
	out->href = app_page_address(r, s->point.space, path_has(r, "revisionId") ? s->point.revision : NULL, r->request.id, n.id);
	if (ref->kind == REF_ANCHOR && ref->anchor != NULL)
		out->href = arena_printf(r->arena, "%s#%s", out->href, url_segment(r->arena, str_of(ref->anchor)));
	return true;
}

static bool
link_file(struct showing *s, const struct doc_ref *ref, struct render_link *out)
{
	const cJSON *props;
	struct node n;

	if (ref->id == NULL || (ref->space != NULL && strcmp(ref->space, s->point.space) != 0) ||
	    !node_get(s->r->db, s->r->arena, &s->point, ref->id, &n) || n.kind != NODE_FILE || n.body.n == 0)
		return false;
	props = cJSON_Parse(n.props);
	out->href = file_address(s->r, &s->point, &n);
	out->title = n.title;
	out->about = json_text_of(props, "description");
	out->bytes = (int64_t)json_number_of(props, "size", -1);
	out->width = (int)json_number_of(props, "width", 0);
	out->height = (int)json_number_of(props, "height", 0);
	return true;
}

static bool
link_space(struct showing *s, const struct doc_ref *ref, struct render_link *out)
{
	struct stmt *q = db_use(s->r->db, &q_space_title);

	/*
	 * The caller must not learn the title of a space that is closed to it. Without a title the
	 * renderer shows the text of the link.
	 */
	if (ref->id == NULL || space_role(s->r, ref->id, false) == NULL)
		return false;
	bind_text(q, ":id", ref->id);
	if (!stmt_step(q))
		return false;
	out->title = col_dup(q, 0, s->r->arena);
	out->href = app_space_address(s->r, ref->id);
	return true;
}

static bool
resolve_link(void *ctx, const struct cJSON *json, struct render_link *out)
{
	struct showing *s = ctx;
	struct doc_ref ref;

	out->bytes = -1;
	if (!ref_read(json, &ref))
		return false;
	switch (ref.kind) {
	case REF_URL:
		if (ref.url == NULL)
			return false;
		out->href = out->title = ref.url;
		out->external = strstr(ref.url, "://") != NULL;
		return ref.url[strcspn(ref.url, ":/?#")] == ':' || strchr("/#", *ref.url) != NULL;
	case REF_PAGE:
	case REF_ANCHOR:
		return link_page(ctx, &ref, out);
	case REF_FILE:
		return link_file(ctx, &ref, out);
	case REF_USER:
		/* Sets the name but no address, since users have no page. */
		out->title = ref.id == NULL ? NULL : space_user_name(s->r->db, s->r->arena, s->point.space, ref.id);
		return false;
	case REF_SPACE:
		return link_space(ctx, &ref, out);
	default:
		return false;
	}
}

/* ---- code, formulas, descriptions ---- */

static struct str
highlight_code(void *ctx, const char *syntax, struct str source)
{
	struct showing *s = ctx;

	return typeset_code(&s->typeset, s->r->arena, syntax, source);
}

static struct str
typeset_formula(void *ctx, const char *formula, bool display)
{
	struct showing *s = ctx;

	return typeset_math(&s->typeset, s->r->arena, formula, display);
}

/* Parses the Markdown of a description in an OpenAPI specification; its links have no targets in the space. */
static const struct cJSON *
parse_description(void *ctx, const char *text)
{
	struct showing *s = ctx;
	struct str json = doc_json_of(s->r->arena, str_of(text));

	return cJSON_ParseWithLength(json.p, json.n);
}

/* ---- the answer ---- */

/*
 * Reads the document of a page, with reusable contents inserted, as readers see it. *out is NULL if
 * the page has none. most: maximum size in bytes. 0 or fail().
 */
static int
document_or_fail(struct req *r, const struct point *p, const struct node *n, const struct computed_page *c, size_t most,
    const cJSON **out)
{
	struct str json;

	*out = NULL;
	if (c != NULL)
		json = computed_document(r->db, r->arena, c);
	else if (n->kind != NODE_DOCUMENT)
		return 0;
	else
		json = computed_fill(r->db, r->arena, p, document_dereferenced(r->db, r->arena, p, n->id, document_json(r, p, n)));
	if (json.n > most)
		return fail(r, E_CONFLICT, "page %s has %zu bytes as a document: too many to be %s (limit %zu); read its Markdown", n->id,
		    json.n, most == COMPARED_MOST ? "compared" : "shown as HTML here", most);
	*out = cJSON_ParseWithLength(json.p, json.n);
	return 0;
}

/* Reads the point that ?since names. The branch is 0 if the space had no content then. 0 or fail(). */
static int
since_or_fail(struct req *r, const struct point *p, const char *since, struct point *out)
{
	if (strcmp(since, "base") == 0) {
		if (r->request.id == NULL)
			return fail_field(r, "/since", "is \"base\", which is for change requests; name a revision");
		*out = overlay_base(p);
		return 0;
	}
	if (strcmp(since, "before") == 0) {
		*out = point_before(r->db, r->arena, p);
		return 0;
	}
	if (!point_revision(r->db, r->arena, r->space.id, since, out))
		return fail_field(r, "/since", "names no revision of this space: %s", since);
	return 0;
}

/* Replaces the document by one in which the changes since the point are marked. 0 or fail(). */
static int
mark_changes_or_fail(struct req *r, const struct point *old, const char *id, const cJSON **document, size_t *changes)
{
	const cJSON *before = NULL;
	struct computed_page *c;
	struct node n;

	if (old->branch != 0 && page_find(r, old, id, NODE_PAGES, &n, &c) &&
	    document_or_fail(r, old, &n, c, COMPARED_MOST, &before) != 0)
		return -1;
	*document = compare_documents(r->arena, before, *document, changes);
	return 0;
}

static void
write_outline(struct json *j, const struct rendering *made)
{
	json_karr(j, "outline");
	for (size_t i = 0; i < made->outline_count; i++) {
		json_obj(j);
		json_kstr(j, "anchor", made->outline[i].anchor);
		json_kstr(j, "title", made->outline[i].text);
		json_kint(j, "level", made->outline[i].level);
		json_end(j);
	}
	json_end(j);
}

/* ---- block by block ---- */

/*
 * Maximum number of rows, and of columns, of a table (CELLS_NAMED) and of lines of a code block
 * (LINES_NAMED) that the answer lists. A user who writes a comment chooses one of them from a menu,
 * so longer lists would not help. LINE_SHOWN: bytes of a line that the menu shows beside its
 * number.
 */
enum { CELLS_NAMED = 500, LINES_NAMED = 1000, LINE_SHOWN = 80 };

/* Writes the keys of all blocks below the node. */
static void
write_keys(struct json *j, const cJSON *node)
{
	const cJSON *list, *one;

	cJSON_ArrayForEach(list, node) {
		if (!cJSON_IsArray(list) || (strcmp(list->string, "nodes") != 0 && strcmp(list->string, "fragments") != 0))
			continue;
		cJSON_ArrayForEach(one, list) {
			const char *key = json_text_of(one, "key");

			if (key != NULL && strcmp(json_text_or_empty(one, "object"), "block") == 0)
				json_str(j, key);
			write_keys(j, one);
		}
	}
}

static void
write_cells(struct json *j, const cJSON *data)
{
	const cJSON *one;
	int n = 0;

	json_karr(j, "columns");
	cJSON_ArrayForEach(one, json_member(data, "definition")) {
		if (n++ == CELLS_NAMED)
			break;
		json_obj(j);
		json_kstr(j, "id", one->string);
		json_kstr(j, "title", json_text_or_empty(one, "title"));
		json_end(j);
	}
	json_end(j);
	json_karr(j, "records");
	n = 0;
	cJSON_ArrayForEach(one, json_member(data, "records")) {
		if (strcmp(json_text_or_empty(one, "compared"), "removed") == 0)
			continue;
		if (n++ == CELLS_NAMED)
			break;
		json_str(j, one->string);
	}
	json_end(j);
}

/* Appends whole characters of the text until the buffer has LINE_SHOWN bytes. */
static void
add_beginning(struct buf *b, const char *text)
{
	struct str s = str_of(text);
	uint32_t c;
	size_t n;

	while ((n = utf8_next(s, &c)) > 0 && b->n + n <= LINE_SHOWN) {
		buf_add(b, s.p, n);
		s = str_slice(s, n, s.n);
	}
}

/* Returns the beginning of a line of code, without the text that was removed since ?since. */
static const char *
line_text(struct arena *a, const cJSON *line)
{
	const cJSON *node, *leaf, *mark;
	struct buf b;

	buf_init(&b, a, LINE_SHOWN + 4);
	buf_str(&b, "");
	cJSON_ArrayForEach(node, json_member(line, "nodes"))
		cJSON_ArrayForEach(leaf, json_member(node, "leaves")) {
			bool removed = false;

			cJSON_ArrayForEach(mark, json_member(leaf, "marks"))
				removed = removed || strcmp(json_text_or_empty(mark, "type"), "removed") == 0;
			if (!removed)
				add_beginning(&b, json_text_or_empty(leaf, "text"));
		}
	return b.p;
}

static void
write_line(struct req *r, const cJSON *line, const char *key, int number)
{
	json_obj(&r->json);
	json_kstr(&r->json, "key", key);
	json_kint(&r->json, "number", number);
	json_kstr(&r->json, "text", line_text(r->arena, line));
	json_end(&r->json);
}

/*
 * Writes the code lines below the node that have a key; removed lines have none. left: how many may
 * still be written.
 */
static void
write_lines(struct req *r, const cJSON *node, int *left)
{
	const cJSON *list, *one;
	int number = 0;

	cJSON_ArrayForEach(list, node) {
		if (!cJSON_IsArray(list) || (strcmp(list->string, "nodes") != 0 && strcmp(list->string, "fragments") != 0))
			continue;
		cJSON_ArrayForEach(one, list) {
			const char *key = json_text_of(one, "key");

			if (strcmp(json_text_or_empty(one, "type"), "code-line") != 0)
				write_lines(r, one, left);
			else if (key != NULL && *left > 0) {
				write_line(r, one, key, ++number);
				--*left;
			}
		}
	}
}

static void
write_block(void *ctx, const cJSON *node, struct str html)
{
	struct showing *s = ctx;
	struct json *j = &s->r->json;
	const char *key = json_text_of(node, "key"), *type = json_text_of(node, "type");
	bool removed = strcmp(json_text_or_empty(node, "compared"), "removed") == 0;
	int lines = LINES_NAMED;

	json_obj(j);
	if (key != NULL && !removed)
		json_kstr(j, "key", key);
	json_kstr(j, "type", type != NULL ? type : "notes");
	json_kstrn(j, "html", html);
	if (key != NULL && !removed) {
		json_karr(j, "inside");
		write_keys(j, node);
		json_end(j);
		json_karr(j, "lines");
		write_lines(s->r, node, &lines);
		json_end(j);
		if (type != NULL && strcmp(type, "table") == 0)
			write_cells(j, json_member(node, "data"));
	}
	json_end(j);
}

static void
write_rendered(struct req *r, const struct point *p, const struct node *n, const cJSON *document)
{
	struct showing s = { .r = r, .point = *p, .typeset = { .dir = r->set->dir } };
	const char *language = query_text(r, "language");
	struct render_env env = { .link = resolve_link, .code = highlight_code, .math = typeset_formula, .markdown = parse_description, .ctx = &s,
		.language = text_language(language != NULL ? language : "en"), .frames = "" };
	bool by_block = query_bool(r, "blocks", false);
	struct rendering made = { 0 };
	struct json *j = &r->json;
	struct buf html;

	json_kstr(j, "object", "rendered-page");
	json_kstr(j, "id", n->id);
	json_kstr(j, "title", *n->title != '\0' ? n->title : "Untitled");
	json_kstr(j, "revision", p->revision);
	buf_init(&html, r->arena, HTML_MOST);
	buf_str(&html, "");
	if (by_block) {
		env.block = write_block;
		env.lines = true;
		json_karr(j, "blocks");
	}
	if (document != NULL)
		render_document(r->arena, &html, document, &env, &made);
	/*
	 * True if the highlighter was busy or failed. A later request may get coloured code, so
	 * this answer is not cached.
	 */
	r->unfinished = s.typeset.lacks;
	if (by_block)
		json_end(j);
	json_kstrn(j, "html", by_block ? (struct str){ "", 0 } : buf_view(&html));
	write_outline(j, &made);
}

static int
reply_rendered(struct req *r)
{
	const char *since = query_text(r, "since");
	struct computed_page *c;
	struct point p, old;
	const cJSON *document;
	struct node n;
	size_t changes = 0;

	if (page_or_fail(r, path_id(r, "pageId"), NODE_PAGES, &p, &n, &c) != 0)
		return -1;
	if (since != NULL && since_or_fail(r, &p, since, &old) != 0)
		return -1;
	if (document_or_fail(r, &p, &n, c, since != NULL ? COMPARED_MOST : SHOWN_MOST, &document) != 0)
		return -1;
	if (since != NULL && mark_changes_or_fail(r, &old, n.id, &document, &changes) != 0)
		return -1;
	json_obj(&r->json);
	write_rendered(r, &p, &n, document);
	if (since != NULL)
		json_kint(&r->json, "changes", (int64_t)changes);
	json_end(&r->json);
	return 0;
}

/* ---- texts that are not saved ---- */

/* Resolves the links of a text that a client sent and that is not stored. */
struct sent_links {
	struct resolver resolver;
	struct link_map known;      /* targets from the stored text, for spellings that no longer resolve */
	struct arena   *arena;
	struct map     *found;      /* targets from this text: use and spelling -> struct found_target */
};

struct found_target {
	bool           exists;
	struct doc_ref ref;
};

/* Finds the target of a link, and looks up each spelling only once, since a text may repeat a link. */
static bool
find_target(void *ctx, struct arena *a, struct str spelling, enum doc_use use, struct doc_ref *out)
{
	struct sent_links *s = ctx;
	const char *key = arena_printf(s->arena, "%d %.*s", (int)use, (int)spelling.n, spelling.p);
	void **at = map_at(s->found, str_of(key));
	struct found_target *t = *at;

	(void)a;
	if (t == NULL) {
		*at = t = arena_alloc(s->arena, sizeof(*t));
		*t = (struct found_target){ 0 };
		t->exists = resolve_use(&s->resolver, s->arena, spelling, use, &t->ref) || link_map_find(&s->known, spelling, &t->ref);
	}
	if (t->exists)
		*out = t->ref;
	return t->exists;
}

/* Makes the document of a text as document_or_fail() would return it if the text were stored. 0 or fail(). */
static int
sent_document_or_fail(struct req *r, const struct point *p, const struct node *n, struct str body, const cJSON **out)
{
	struct sent_links links = { .arena = r->arena, .found = map_new(r->arena) };
	struct doc_refs refs = { .lookup = find_target, .ctx = &links, .self = n->id };
	struct str json;
	struct doc *d;
	struct json j;
	struct buf b;

	resolver_at(&links.resolver, r->arena, r->db, p, n);
	if (n->refs.n > 0 && blob_get(r->db, r->arena, n->refs, &json))
		links.known = link_map_read(r->arena, json);
	d = doc_parse(r->arena, body, &refs, NULL, NULL);
	if (doc_fault(d) != NULL)
		return fail_field(r, "/markdown", "as a document %s", doc_fault(d));
	buf_init(&b, r->arena, DOC_JSON_MAX);
	json_init(&j, &b);
	doc_json(&j, d);
	json = computed_fill(r->db, r->arena, p, document_dereferenced(r->db, r->arena, p, n->id, buf_view(&b)));
	if (json.n > SHOWN_MOST)
		return fail_field(r, "/markdown", "has %zu bytes as a document: too many to be shown as HTML here (limit %d)", json.n, SHOWN_MOST);
	*out = cJSON_ParseWithLength(json.p, json.n);
	return 0;
}

static int
reply_preview(struct req *r)
{
	struct computed_page *c;
	const cJSON *document = NULL;
	struct page_file f;
	struct point p;
	struct node n;

	if (page_or_fail(r, path_id(r, "pageId"), NODE_DOCUMENT, &p, &n, &c) != 0)
		return -1;
	page_file_split(r->arena, str_of(body_text(r, "markdown")), &f);
	if (sent_document_or_fail(r, &p, &n, f.body, &document) != 0)
		return -1;
	if (f.h1 != NULL && *f.h1 != '\0')
		n.title = f.h1;
	json_obj(&r->json);
	write_rendered(r, &p, &n, document);
	json_end(&r->json);
	return 0;
}

/* POST /spaces/{spaceId}/content/page/{pageId}/html */
HANDLER(previewPageInSpace)
{
	return reply_preview(r);
}

/* POST /spaces/{spaceId}/change-requests/{changeRequestId}/content/page/{pageId}/html */
HANDLER(previewPageInChangeRequest)
{
	return reply_preview(r);
}

/* ---- stored pages ---- */

/* GET /spaces/{spaceId}/content/page/{pageId}/html */
HANDLER(renderPageInSpace)
{
	return reply_rendered(r);
}

/* GET /spaces/{spaceId}/change-requests/{changeRequestId}/content/page/{pageId}/html */
HANDLER(renderPageInChangeRequest)
{
	return reply_rendered(r);
}

/* GET /spaces/{spaceId}/revisions/{revisionId}/page/{pageId}/html */
HANDLER(renderPageInRevision)
{
	return reply_rendered(r);
}
