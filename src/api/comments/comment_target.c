/*
 * The target of a comment: a page, a block of it, or a cell of a table. A new comment's target must
 * exist in the head of its scope; the room propagate updates it when pages are written
 * (include/propagate/comments.h).
 */
#include <cjson/cJSON.h>

#include "api/access.h"
#include "api/examples.h"
#include "api/revisions.h"
#include "computed/computed.h"
#include "http/req.h"
#include "propagate/large_bodies.h"
#include "store/blob.h"
#include "store/computed.h"
#include "store/content.h"
#include "comment.h"

static const struct shape TargetId = { "CommentTargetId", (const struct field[]){
	{ "id", T_TEXT, F_REQ, .doc = "Unique id", .example = EXAMPLE_PAGE },
	{ 0 } } };
const struct shape TableCell = { "TableCellTarget", (const struct field[]){
	{ "record", T_TEXT, F_REQ, .min = 1, .max = 200, .doc = "Key of the row",
	  .example = EXAMPLE_BLOCK },
	{ "definition", T_TEXT, F_REQ, .min = 1, .max = 200, .doc = "Key of the column",
	  .example = "b2YmS8rT" },
	{ 0 } } };
const struct shape CommentTarget = { "CommentTarget", (const struct field[]){
	{ "node", T_OBJECT, .of = &TargetId, .doc = "Key of a block or of a line of code; absent once the block is deleted" },
	{ "tableCell", T_OBJECT, .of = &TableCell, .doc = "Cell of the table; `node` is the table" },
	{ "lost", T_BOOL, .doc = "true: the block, line of code or cell that it was on was deleted since" },
	{ "changeRequest", T_TEXT, .doc = "Id of the change request; absent: the primary content",
	  .example = EXAMPLE_REQUEST },
	{ "review", T_TEXT, .doc = "Id of the review that it is part of", .example = EXAMPLE_REVIEW },
	{ "page", T_OBJECT, .of = &TargetId, .doc = "The page; absent: the comment is on the space or change request" },
	{ "space", T_TEXT, F_REQ, .doc = "Id of the space", .example = EXAMPLE_SPACE },
	{ "revision", T_TEXT, F_REQ, .doc = "Revision that contains the page and the node",
	  .example = EXAMPLE_REVISION },
	{ 0 } } };

/*
 * Clients expect an object that contains the id: node.id, page.id. The member is absent if the
 * column is NULL.
 */
static void
write_target_id(struct json *j, const char *key, const struct row *w, const char *column)
{
	if (row_null(w, column))
		return;
	json_kobj(j, key);
	json_kstr(j, "id", row_text(w, column));
	json_end(j);
}

/* record and definition are both NULL or both set (propagate/comments.h). */
void
emit_comment_target(struct json *j, const struct field *f, const struct row *w)
{
	json_kobj(j, f->name);
	write_target_id(j, "node", w, "node");
	if (!row_null(w, "record")) {
		json_kobj(j, "tableCell");
		json_kstr(j, "record", row_text(w, "record"));
		json_kstr(j, "definition", row_text(w, "definition"));
		json_end(j);
	}
	if (row_int(w, "lost") != 0)
		json_kbool(j, "lost", true);
	/*
	 * The scope is the id of the space for comments on primary content, else the id of a change
	 * request.
	 */
	if (strcmp(row_text(w, "scope"), row_text(w, "space")) != 0)
		json_kstr(j, "changeRequest", row_text(w, "scope"));
	if (!row_null(w, "review"))
		json_kstr(j, "review", row_text(w, "review"));
	write_target_id(j, "page", w, "page");
	json_kstr(j, "space", row_text(w, "space"));
	json_kstr(j, "revision", row_text(w, "revision"));
	json_end(j);
}

/*
 * A key consists of letters, digits, - and _. The search for "key":"…" cannot match text of the
 * page, since quotes are escaped there.
 */
static bool
has_block(struct str document, const char *key, struct arena *a)
{
	struct str member = str_of(arena_printf(a, "\"key\":\"%s\"", key));

	return strspn(key, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_") ==
	    strlen(key) && memmem(document.p, document.n, member.p, member.n) != NULL;
}

/* Finds the block with this key anywhere in the document. */
static const cJSON *
find_block(const cJSON *v, const char *key)
{
	const cJSON *name = cJSON_GetObjectItemCaseSensitive(v, "key"), *m, *found;

	if (cJSON_IsString(name) && strcmp(name->valuestring, key) == 0)
		return v;
	cJSON_ArrayForEach(m, v)
		if ((cJSON_IsObject(m) || cJSON_IsArray(m)) && (found = find_block(m, key)) != NULL)
			return found;
	return NULL;
}

/*
 * has_block() has found n->node in the document. The data of a block that is no table have neither
 * records nor definition.
 */
static bool
has_cell(struct str document, const struct comment_new *n)
{
	const cJSON *block = find_block(cJSON_ParseWithLength(document.p, document.n), n->node);
	const cJSON *data = cJSON_GetObjectItemCaseSensitive(block, "data");

	return cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(data, "records"), n->record) != NULL &&
	    cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(data, "definition"), n->definition) != NULL;
}

/* Sets n's cell. Its strings belong to the body, which exists until the end of the request. */
static int
cell_or_fail(struct req *r, struct comment_new *n, struct str document)
{
	const cJSON *cell = body_get(r, "tableCell");

	if (cell == NULL)
		return 0;
	n->record = cJSON_GetObjectItemCaseSensitive(cell, "record")->valuestring;
	n->definition = cJSON_GetObjectItemCaseSensitive(cell, "definition")->valuestring;
	if (!has_cell(document, n))
		return fail(r, E_NOT_FOUND, "no cell of record %s and definition %s in node %s", n->record,
		    n->definition, n->node);
	return 0;
}

/* A page whose document go_ahead() prepares outside the write transaction. */
struct page_ahead {
	/* Copied from the handler's frame, which no longer exists when the work runs. */
	struct point point;
	struct node  page;
};

/*
 * Work for go_ahead(): renders in a read transaction and caches in a short write transaction; if
 * another worker has cached the document meanwhile, nothing is written.
 */
static void
prepare_document(struct req *r, void *arg)
{
	const struct page_ahead *u = arg;
	struct rendered d;

	db_begin(r->db, false);
	d = document_of(r->db, r->arena, &u->point, &u->page);
	db_rollback(r->db);
	if (d.cached || d.lost)
		return;
	db_begin(r->db, true);
	document_keep(r->db, &d);
	db_commit(r->db);
}

/*
 * The document of a large page is prepared outside the write transaction, in which other writers
 * would wait. Inside the transaction it is then taken from the cache.
 */
static int
prepare_ahead(struct req *r, const struct point *p, const struct node *page)
{
	struct page_ahead *u = arena_alloc(r->arena, sizeof(*u));

	/*
	 * The document is prepared only once: if the page has changed meanwhile, it is rendered
	 * inside the transaction.
	 */
	if (r->went_ahead || blob_size(r->db, page->body) < LARGE_MIN)
		return 0;
	*u = (struct page_ahead){ *p, *page };
	return go_ahead(r, prepare_document, u);
}

/* Cheapest checks first: absent members, then the page's row, then its document. */
int
comment_target_or_fail(struct req *r, const struct point *p, struct comment_new *n)
{
	struct computed_page *c;
	struct str document;
	struct node page;

	n->page = body_text(r, "page");
	n->node = body_text(r, "node");
	n->revision = p->revision;
	if (n->node == NULL && body_has(r, "tableCell"))
		return fail_field(r, "/tableCell", "needs the node of its table");
	if (n->page == NULL && n->node != NULL)
		return fail_field(r, "/node", "needs the page that the block is on");
	if (n->page == NULL)
		return 0;
	if (!page_find(r, p, n->page, NODE_PAGES, &page, &c))
		return fail(r, E_NOT_FOUND, "no page %s", n->page);
	if (n->node == NULL)
		return 0;
	/* Groups and links have no text, and so no blocks. */
	if (page.kind != NODE_DOCUMENT)
		return fail(r, E_NOT_FOUND, "no node %s in page %s", n->node, n->page);
	if (c == NULL && prepare_ahead(r, p, &page) != 0)
		return -1;
	/* The document as clients get it, since the keys they send are from that document. */
	document = c != NULL ? computed_document(r->db, r->arena, c) : document_json(r, p, &page);
	if (!has_block(document, n->node, r->arena))
		return fail(r, E_NOT_FOUND, "no node %s in page %s", n->node, n->page);
	return cell_or_fail(r, n, document);
}
