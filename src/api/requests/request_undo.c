/*
 * Undoes, in a change request, what a revision changed in pages. A page without later changes
 * becomes what it was before the revision. In a page with later changes, title and text are merged,
 * so that the later changes stay. A check says before whether that is possible.
 */
#include <cjson/cJSON.h>

#include "api/access.h"
#include "api/examples.h"
#include "api/request_content.h"
#include "api/request_row.h"
#include "api/requests.h"
#include "api/revisions.h"
#include "http/req.h"
#include "store/changes.h"
#include "store/content.h"
#include "text/merge_text.h"

/* Maximum number of pages that one undo changes: they are written in one transaction. */
enum { UNDO_MOST = 500 };

const struct shape RevisionUndo = { "UndoRevision", (const struct field[]){
	{ "revision", T_TEXT, F_REQ, .min = 1, .max = 100, .doc = "Id of a revision of the primary content", .example = EXAMPLE_REVISION },
	{ 0 } } };

const struct shape UndoCheck = { "UndoCheck", (const struct field[]){
	{ "pages", T_INT, F_REQ, .doc = "Number of pages that would be changed", .example = "3" },
	{ 0 } } };

/* A revision that is undone twice in a request has one row. */
SQL(q_record,
    "INSERT INTO request_undo (request, revision) VALUES (:request, :revision) ON CONFLICT (request, revision) DO NOTHING");

struct undo {
	struct req  *r;
	struct point from, to, head; /* before the revision, after it, and the content in which it is undone */
	cJSON       *changes;        /* as in POST …/content */
};

static cJSON *
add_change(struct undo *u, const char *operation, const char *page)
{
	cJSON *one = cJSON_CreateObject();

	cJSON_AddStringToObject(one, "operation", operation);
	cJSON_AddStringToObject(one, "page", page);
	cJSON_AddItemToArray(u->changes, one);
	return one;
}

static bool
is_unchanged(const struct node *then, const struct node *now)
{
	return strcmp(then->title, now->title) == 0 && strcmp(then->slug, now->slug) == 0 && strcmp(then->parent, now->parent) == 0 &&
	    strcmp(then->props, now->props) == 0 && str_eq(then->body, now->body);
}

static struct str
markdown_at(struct undo *u, const struct point *p, const struct node *n)
{
	return markdown_of(u->r->db, u->r->arena, p, n, true);
}

/* Undoes the change of a page that was edited since. 0 or fail(). */
static int
merge_page(struct undo *u, const struct change *c, const struct node *now)
{
	struct text_conflict *conflicts;
	struct str text;
	cJSON *one;

	if (c->before == NULL || c->after->kind != NODE_DOCUMENT || now->kind != NODE_DOCUMENT ||
	    !merge_text(u->r->arena, markdown_at(u, &u->to, c->after), markdown_at(u, &u->head, now), markdown_at(u, &u->from, c->before), &text, &conflicts))
		return fail(u->r, E_CONFLICT, "page \"%s\" (%s) was changed at the same places since then: bring back an earlier state of it instead",
		    now->title, page_path(u->r->db, u->r->arena, &u->head, now));
	one = add_change(u, "update_page", now->id);
	if (strcmp(now->title, c->after->title) == 0)
		cJSON_AddStringToObject(one, "title", c->before->title);
	cJSON_AddStringToObject(cJSON_AddObjectToObject(one, "document"), "markdown", arena_strndup(u->r->arena, text.p, text.n));
	return 0;
}

/* Adds the change that undoes the revision's change of one page, if there is something left to undo. 0 or fail(). */
static int
undo_page(struct undo *u, const struct change *c)
{
	const char *id = c->after != NULL ? c->after->id : c->before->id;
	struct node now;
	bool there = node_get(u->r->db, u->r->arena, &u->head, id, &now);

	/*
	 * Nothing is left to undo: the page was deleted since, or the revision deleted it and it
	 * was restored since.
	 */
	if (there != (c->after != NULL))
		return 0;
	if (there && c->before != NULL && is_unchanged(c->before, &now))
		return 0;
	if (there && !is_unchanged(c->after, &now))
		return merge_page(u, c, &now);
	cJSON_AddStringToObject(add_change(u, "revert_page", id), "revision", u->from.revision);
	return 0;
}

/* Reads the revision and its changes. 0 or fail(). */
static int
begin_undo(struct undo *u, const char *revision, const struct change **list, size_t *n)
{
	struct req *r = u->r;

	if (!point_revision(r->db, r->arena, r->space.id, revision, &u->to) || u->to.branch != r->space.branch)
		return fail(r, E_NOT_FOUND, "no revision %s of the primary content", revision);
	*list = changes_of_revision(r->db, r->arena, &u->to, &u->from, n);
	if (u->from.branch == 0)
		return fail(r, E_CONFLICT, "this is the first revision: there is nothing to go back to");
	return 0;
}

/* Makes changes for this request that undo all changes of the revision to pages. 0 or fail(). */
static int
undo_pages(struct undo *u, const struct change *list, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct node *one = list[i].after != NULL ? list[i].after : list[i].before;

		if ((one->kind & NODE_PAGES) == 0)
			continue;
		if (cJSON_GetArraySize(u->changes) == UNDO_MOST)
			return fail(u->r, E_CONFLICT, "the revision changed more than %d pages: too many to take back at once", UNDO_MOST);
		if (undo_page(u, &list[i]) != 0)
			return -1;
	}
	if (cJSON_GetArraySize(u->changes) == 0)
		return fail(u->r, E_CONFLICT, "nothing of this revision is left in pages");
	return 0;
}

/* For the list of change requests that undo a revision (requests.c). */
static void
record_undo(struct undo *u)
{
	struct stmt *q = db_use(u->r->db, &q_record);

	bind_text(q, ":request", u->r->request.id);
	bind_text(q, ":revision", u->to.revision);
	stmt_run(q);
}

/* POST …/undo */
HANDLER(undoInChangeRequest)
{
	struct undo u = { .r = r, .changes = cJSON_CreateArray() };
	const struct change *list = NULL;
	size_t n = 0;

	if (request_open_or_fail(r) != 0 || point_or_fail(r, &u.head) != 0 || begin_undo(&u, body_text(r, "revision"), &list, &n) != 0 ||
	    undo_pages(&u, list, n) != 0 || request_write(r, u.changes, "/revision") != 0)
		return -1;
	record_undo(&u);
	return reply_request(r, r->request.id);
}

/* GET /spaces/{spaceId}/revisions/{revisionId}/undo */
HANDLER(checkUndoOfRevision)
{
	struct undo u = { .r = r, .changes = cJSON_CreateArray() };
	const struct change *list = NULL;
	size_t n = 0;

	if (!point_head(r->db, r->arena, r->space.branch, &u.head))
		return fail(r, E_INTERNAL, "space %s has no revision", r->space.id);
	if (space_unlocked_or_fail(r) != 0 || begin_undo(&u, path_id(r, "revisionId"), &list, &n) != 0 || undo_pages(&u, list, n) != 0)
		return -1;
	json_obj(&r->json);
	json_kint(&r->json, "pages", cJSON_GetArraySize(u.changes));
	json_end(&r->json);
	return 0;
}
