/*
 * Content of a change request: writing, merging, and updating from main. include/edit/edit.h and
 * include/merge/request.h define edits, merges and conflicts. A merged or archived request, and a
 * locked space, refuse writes.
 */
#include <assert.h>
#include <cjson/cJSON.h>
#include <stdio.h>

#include "api/access.h"
#include "api/document_shapes.h"
#include "api/examples.h"
#include "api/merge_rules_unmet.h"
#include "api/request_content.h"
#include "api/request_ref.h"
#include "api/request_row.h"
#include "api/revision_files.h"
#include "api/revision_pages.h"
#include "base/log.h"
#include "edit/edit.h"
#include "edit/template.h"
#include "http/req.h"
#include "propagate/start_translations.h"
#include "merge/request.h"
#include "merge/request_amend.h"
#include "merge/request_record.h"
#include "propagate/comments.h"
#include "search/search.h"
#include "store/content.h"

const struct shape CompatQuery = { "CompatQuery", (const struct field[]){
	{ "compat", T_BOOL, .preset = "true",
	  .doc = "false: the answer has the change request and the pages that were changed; true: only the change request" },
	{ 0 } } };
static const struct shape WrittenUrls = { "ChangeRequestContentPageUrls", (const struct field[]){
	{ "location", T_TEXT, F_REQ, .doc = "Address in this API", .example = EXAMPLE_URL "/spaces/"
	  EXAMPLE_SPACE "/change-requests/" EXAMPLE_REQUEST "/content/page/" EXAMPLE_PAGE },
	{ 0 } } };
static const struct shape WrittenPage = { "ChangeRequestContentPage", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "page", .doc = "Kind of object" },
	{ "id", T_TEXT, F_REQ, .doc = "Unique id", .example = EXAMPLE_PAGE },
	{ "urls", T_OBJECT, F_REQ, .of = &WrittenUrls, .doc = "Its addresses" },
	{ 0 } } };
static const struct shape Written = { "ChangeRequestContentWrittenPage", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "created_page,updated_page", .doc = "Kind of result" },
	{ "ref", T_TEXT, .doc = "`ref` of the change", .example = "intro" },
	{ "page", T_OBJECT, F_REQ, .of = &WrittenPage, .doc = "The page" },
	{ 0 } } };
static const struct shape Deleted = { "ChangeRequestContentDeletedPage", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "deleted_page", .doc = "Kind of result" },
	{ "page", T_TEXT, F_REQ, .doc = "Id of the page", .example = EXAMPLE_PAGE },
	{ 0 } } };
static const struct shape WrittenFile = { "ChangeRequestContentWrittenFile", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "updated_file", .doc = "Kind of result" },
	{ "file", T_OBJECT, F_REQ, .of = &RevisionFile, .doc = "The file" },
	{ 0 } } };
static const struct shape DeletedFile = { "ChangeRequestContentDeletedFile", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "deleted_file", .doc = "Kind of result" },
	{ "file", T_TEXT, F_REQ, .doc = "Id of the file", .example = EXAMPLE_FILE },
	{ 0 } } };
static const struct shape Effect = { "ChangeRequestContentEffect", NULL,
	(const struct shape *const[]){ &Written, &Deleted, &WrittenFile, &DeletedFile, NULL } };
static const struct shape Effects = { "ChangeRequestContentEffects", (const struct field[]){
	{ "changeRequest", T_OBJECT, F_REQ, .of = &ChangeRequest, .doc = "The change request" },
	{ "changes", T_LIST, F_REQ, .of = &Effect, .doc = "Results of changes to pages and to existing files" },
	{ "insertedFiles", T_LIST, .of = &RevisionFile, .doc = "Files that were inserted" },
	{ 0 } } };
/* The first shape is the answer with compat=true, the second the one without. */
const struct shape ContentUpdate = { "ChangeRequestContentUpdate", NULL,
	(const struct shape *const[]){ &ChangeRequest, &Effects, NULL } };

/*
 * By slug first, then by id. Slugs are unique only among specifications that are not deleted (index
 * openapi_spec_slug).
 */
SQL(q_spec_slug,
    "SELECT slug FROM openapi_spec WHERE org = :org AND slug = :spec AND deleted_at IS NULL "
    "UNION ALL SELECT slug FROM openapi_spec WHERE id = :spec AND org = :org AND deleted_at IS NULL LIMIT 1");

static const struct shape TemplateParams = { "TemplateParams", (const struct field[]){
	{ "contentRefs", T_MAP, .of = &ContentRef, .doc = "Content for the template, by the names that it expects" },
	{ 0 } } };
const struct shape TemplateApply = { "ApplyTemplate", (const struct field[]){
	{ "id", T_TEXT, F_REQ, .min = 1, .max = 100, .doc = "Id of the template: blank, product-docs, changelog, "
	  "knowledge-base, api-reference", .example = "product-docs" },
	{ "params", T_OBJECT, .of = &TemplateParams, .doc = "Parameters of the template" },
	{ "changeRequestId", T_TEXT, .max = 100,
	  .doc = "Change request to write into, by its id or number; absent: the primary content",
	  .example = EXAMPLE_REQUEST },
	{ 0 } } };
const struct shape TemplateUse = { "ChangeRequestTemplate", (const struct field[]){
	{ "id", T_TEXT, F_REQ, .min = 1, .max = 100, .doc = "Id of the template", .example = "product-docs" },
	{ "params", T_OBJECT, .of = &TemplateParams, .doc = "Parameters of the template" },
	{ 0 } } };

const struct shape MergeConflict = { "MergeConflict", (const struct field[]){
	{ "page", T_TEXT, F_REQ, .doc = "Id of the page or file", .example = EXAMPLE_PAGE },
	{ "title", T_TEXT, .doc = "Its title", .example = "First steps" },
	{ "kind", T_ENUM, F_REQ, .set = CONFLICT_KINDS,
	  .doc = "What both sides changed" },
	{ "base", T_TEXT, .doc = "Common version before both changes", .example = "First steps" },
	{ "ours", T_TEXT, .doc = "Version of the change request", .example = "First day" },
	{ "theirs", T_TEXT, .doc = "Version of the primary content", .example = "Getting started" },
	{ "other", T_TEXT, .doc = "path: the other page with this path; parent: the page that is deleted; deleted: the page above it, if "
	  "it was deleted, too", .example = "p8ZkT5nWxVb3QrMd7LhC" },
	{ 0 } } };
/* { revision, result } of the published API, and `conflicts` (docs/design/merging.md, "Merge of a change request"). */
const struct shape MergeResult = { "MergeResult", (const struct field[]){
	{ "revision", T_TEXT, F_REQ, .doc = "Id of the newest revision of the target",
	  .example = EXAMPLE_REVISION },
	{ "result", T_ENUM, F_REQ, .set = "merge,update,conflicts",
	  .doc = "merge, update: the operation is done; conflicts: nothing was merged" },
	{ "conflicts", T_LIST, .of = &MergeConflict, .doc = "What both sides changed" },
	{ 0 } } };

/* ---- writing ---- */

/*
 * Writes one item of `changes`: how the whole batch changed a page. edit.h omits pages that the
 * batch inserted and deleted again.
 */
static void
write_page_effect(struct req *r, const struct edit_page *p)
{
	static const char *const names[] = { [EDIT_CREATED] = "created_page", [EDIT_UPDATED] = "updated_page",
		[EDIT_DELETED] = "deleted_page" };
	struct json *j = &r->json;

	json_obj(j);
	json_kstr(j, "object", names[p->effect]);
	if (p->effect == EDIT_DELETED) {
		json_kstr(j, "page", p->id);
		json_end(j);
		return;
	}
	if (p->ref != NULL)
		json_kstr(j, "ref", p->ref);
	json_kobj(j, "page");
	json_kstr(j, "object", "page");
	json_kstr(j, "id", p->id);
	json_kobj(j, "urls");
	json_kstr(j, "location", page_url(r, r->space.id, p->id));
	json_end(j);
	json_end(j);
	json_end(j);
}

/* Writes items of `changes` for files that were there before the batch. */
static void
write_file_effects(struct req *r, const struct edit *e)
{
	const struct edit_file *f;
	struct node n;

	for (f = e->files; f != NULL; f = f->next) {
		bool is_there = f->effect == EDIT_UPDATED && node_get(r->db, r->arena, &e->now, f->id, &n);

		if (!is_there && f->effect != EDIT_DELETED)
			continue;
		json_obj(&r->json);
		json_kstr(&r->json, "object", is_there ? "updated_file" : "deleted_file");
		json_key(&r->json, "file");
		if (is_there)
			file_json(r, &r->json, &e->now, &n, true);
		else
			json_str(&r->json, f->id);
		json_end(&r->json);
	}
}

/* Writes insertedFiles, if there are some. A file that a later change of the same batch deleted is omitted. */
static void
write_inserted_files(struct req *r, const struct edit *e)
{
	const struct edit_file *f;
	bool has_list = false;
	struct node n;

	for (f = e->files; f != NULL; f = f->next) {
		if (f->effect != EDIT_CREATED || !node_get(r->db, r->arena, &e->now, f->id, &n))
			continue;
		if (!has_list)
			json_karr(&r->json, "insertedFiles");
		has_list = true;
		file_json(r, &r->json, &e->now, &n, true);
	}
	if (has_list)
		json_end(&r->json);
}

/*
 * The answer to POST .../content. With compat (the default) it has only the change request, as
 * older clients expect; without it, the changed pages and files follow. e->now must be the new
 * revision.
 */
static int
reply_update(struct req *r, const struct edit *e)
{
	const struct edit_page *p;

	if (query_bool(r, "compat", true))
		return reply_request(r, r->request.id);
	json_obj(&r->json);
	json_key(&r->json, "changeRequest");
	if (reply_request(r, r->request.id) != 0)
		return -1;
	json_karr(&r->json, "changes");
	for (p = e->pages; p != NULL; p = p->next)
		write_page_effect(r, p);
	write_file_effects(r, e);
	json_end(&r->json);
	write_inserted_files(r, e);
	json_end(&r->json);
	return 0;
}

/*
 * Fails with the error of edit_apply(). at: as in write_changes(). A full or broken disk is 503; its
 * reason is only logged, since it contains paths of the server.
 */
static int
fail_edit(struct req *r, const struct edit *e, const char *at)
{
	if (e->disk != NULL) {
		log_line("%s", e->disk);
		return fail(r, E_BUSY, "the files cannot be stored; nothing was changed");
	}
	if (at != NULL)
		return fail_field(r, at, "%s", e->why);
	/* where is a JSON pointer. The message omits its leading slash. */
	return e->unknown ? fail(r, E_NOT_FOUND, "%s %s", e->where + 1, e->why) :
	    fail_field(r, e->where, "%s", e->why);
}

/* Sets *head to the head of r->request, and fails if its content may not be written. 0 or fail(). */
static int
head_or_fail(struct req *r, struct point *head)
{
	return request_open_or_fail(r) != 0 || space_unlocked_or_fail(r) != 0 || point_or_fail(r, head) != 0 ? -1 : 0;
}

/*
 * A batch is prepared outside the transaction at most this often, since each preparation takes
 * memory. After that it is prepared inside, so that frequent writes of others cannot delay it
 * forever.
 */
enum { PREPARE_MAX = 2 };

/*
 * State of a large batch between the runs of its handler. First its documents are prepared, then
 * the documents that have comments.
 */
struct batch {
	/*
	 * Input of edit_prepare(): the changes, and the head before the first run. The write makes
	 * a struct edit of its own.
	 */
	struct edit        edit;
	/*
	 * Head of the request when the batch arrived; prepare_batch() uses its branch and reads the
	 * head again.
	 */
	struct point       head;
	/* NULL before prepare_batch(), and if the request's branch no longer exists */
	struct edit_ahead *ahead;
	int                prepared;    /* number of preparations */
	struct large      *large;
	const char        *amend;       /* id of the revision that may be replaced by this one; NULL: none */
};

/* Prepares the batch outside the write transaction, since parsing a large document may take seconds. */
static void
prepare_batch(struct req *r, void *arg)
{
	struct batch *l = arg;

	db_begin(r->db, false);
	l->edit.request = &l->head;
	l->edit.ahead = l->ahead;
	l->prepared++;
	/* The request may be deleted by now; the handler then runs again and answers 404. */
	if (point_head(r->db, r->arena, l->head.branch, &l->edit.now))
		l->ahead = edit_prepare(&l->edit);
	db_rollback(r->db);
}

/*
 * Applies changes to r->request in order as one new revision, all or none. at: JSON pointer to the
 * member of the body that made the changes, to report any fault at; NULL: the client sent the changes
 * themselves, and e->where points to the faulty one. l: what was prepared outside the transaction; may
 * be NULL. 0 or fail().
 */
static int
write_changes(struct req *r, const cJSON *changes, const char *at, struct batch *l, struct edit *e)
{
	struct revision_info info = { .kind = "edits", .author = r->who.user };
	/* In the arena: *e keeps a pointer to it, which the caller uses after the return. */
	struct point *head = arena_alloc(r->arena, sizeof(*head));
	int64_t replaced = 0;
	char *revision;

	if (head_or_fail(r, head) != 0)
		return -1;
	*e = (struct edit){ .db = r->db, .arena = r->arena, .dir = r->set->dir, .changes = changes,
		.request = head, .ahead = l == NULL ? NULL : l->ahead,
		.can_prepare_again = l != NULL && l->prepared < PREPARE_MAX };
	/*
	 * Writing does not change the request's base, only an update does. So a request that is
	 * `outdated` remains outdated.
	 */
	info.base_seq = head->base_seq;
	if (l != NULL && l->amend != NULL)
		replaced = request_amendable(r->db, r->request.id, head, l->amend, r->who.user);
	/*
	 * The revision is added before the changes, whose rows have its number. If they are
	 * refused, the caller fails and the transaction rolls back the empty revision.
	 */
	revision_add(r->db, r->arena, head->branch, &info, &revision);
	point_head(r->db, r->arena, head->branch, &e->now);
	if (!edit_apply(e))
		return e->must_prepare ? go_ahead(r, prepare_batch, l) : fail_edit(r, e, at);
	/* In the same transaction as the write: a comment must never refer to a block that its page no longer has. */
	comments_follow(r->db, r->arena, &e->now, r->request.id, l == NULL ? NULL : l->large);
	if (replaced != 0)
		request_amend(r->db, r->arena, r->request.id, &e->now, l->amend, replaced);
	request_touch(r->db, r->request.id);
	return 0;
}

/* Runs between two runs of the handler: reads the large texts with comments that must be moved with their blocks. */
static void
read_followed(struct req *r, void *arg)
{
	large_read(r->db, ((struct batch *)arg)->large);
}

/*
 * Writes a batch of changes. A large batch is prepared outside the transaction, between runs of the
 * handler; struct batch keeps the state from run to run:
 *
 *   - the first run finds that the batch is large: prepare_batch(), and another run
 *   - a later run finds that the preparation is of no use, because the request was changed meanwhile, or
 *     because the batch moves pages to which its own texts link: the same again, at most PREPARE_MAX
 *     times in all
 *   - a run has written the batch, and finds comments in large bodies that must be moved:
 *     read_followed(), and another run, which writes everything again
 *
 * amend: as in struct batch. 0, or fail(), or -1 if the handler runs again.
 */
static int
write_batch(struct req *r, const cJSON *changes, const char *at, const char *amend, struct edit *e)
{
	struct batch *l = r->went_ahead ? r->ahead_arg : arena_alloc(r->arena, sizeof(*l));
	struct point head;

	/*
	 * Checked before the preparation, too, so that no time is spent on a request that refuses
	 * writes.
	 */
	if (!r->went_ahead) {
		if (head_or_fail(r, &l->head) != 0)
			return -1;
		l->large = large_new(r->arena, r->space.id);
		l->amend = amend;
		l->edit = (struct edit){ .db = r->db, .arena = r->arena, .changes = changes, .now = l->head };
		if (edit_is_large(&l->edit))
			return go_ahead(r, prepare_batch, l);
	} else if (l->prepared < PREPARE_MAX && point_or_fail(r, &head) == 0 && edit_is_old(l->ahead, &head)) {
		return go_ahead(r, prepare_batch, l);
	}
	if (write_changes(r, changes, at, l, e) != 0)
		return -1;
	/*
	 * go_ahead() rolls back what write_changes() wrote; the answer is written in the next run.
	 */
	return large_waits(l->large) ? go_ahead(r, read_followed, l) : 0;
}

int
request_write(struct req *r, const cJSON *changes, const char *at)
{
	struct edit e;

	return write_batch(r, changes, at, NULL, &e);
}

/* POST …/content */
HANDLER(updateChangeRequestContent)
{
	struct edit e;

	return write_batch(r, body_get(r, "changes"), NULL, body_text(r, "amend"), &e) != 0 ? -1 : reply_update(r, &e);
}

/* ---- merge and update ---- */

void
conflicts_json(struct req *r, const struct clash *c)
{
	struct json *j = &r->json;

	json_karr(j, "conflicts");
	for (; c != NULL; c = c->next) {
		json_obj(j);
		json_kstr(j, "page", c->page);
		if (c->title != NULL)
			json_kstr(j, "title", c->title);
		json_kstr(j, "kind", c->kind);
		if (c->base != NULL)
			json_kstr(j, "base", c->base);
		if (c->ours != NULL)
			json_kstr(j, "ours", c->ours);
		if (c->theirs != NULL)
			json_kstr(j, "theirs", c->theirs);
		if (c->other != NULL)
			json_kstr(j, "other", c->other);
		json_end(j);
	}
	json_end(j);
}

/*
 * The answer to merge and update (docs/design/merging.md, "Merge of a change request"). The status
 * is 200 even with conflicts, since everything that does not conflict was done. The text of a side
 * is omitted if that side has none.
 */
int
reply_outcome(struct req *r, const struct merge_outcome *m, const char *done)
{
	struct json *j = &r->json;

	json_obj(j);
	json_kstr(j, "revision", m->revision);
	json_kstr(j, "result", m->clashes == NULL ? done : "conflicts");
	if (m->clashes != NULL)
		conflicts_json(r, m->clashes);
	json_end(j);
	return 0;
}

/*
 * A long merge or update is prepared outside the transaction at most this often, if others keep
 * writing; after that it runs inside.
 */
enum { AHEAD_MAX = 3 };

/* State of a merge or an update between the runs of its handler. */
struct merge_state {
	struct request_ahead *ahead;   /* NULL: the merge is short */
	int                   tries;
	bool                  inside;  /* run in the transaction: it could not be prepared */
	struct large         *large;   /* bodies to read ahead of a short merge */
};

/* Reads large bodies outside the transaction, so that the merge finds them in memory. */
static void
read_large(struct req *r, void *arg)
{
	large_read(r->db, ((struct merge_state *)arg)->large);
}

static void
merge_ahead(struct req *r, void *arg)
{
	struct merge_state *x = arg;

	if (x->tries++ < AHEAD_MAX && request_ahead(r->db, x->ahead))
		return;
	request_ahead_leave(x->ahead);
	x->inside = true;
}

/*
 * The merge failed: its rules, the caller's role or the request changed meanwhile. Abandons the
 * prepared merge, so that others need not wait until its reservation ends.
 */
static void
abandon_prepared(struct req *r, void *arg)
{
	(void)r;
	request_ahead_leave(((struct merge_state *)arg)->ahead);
}

static void
clean_up_merge(struct req *r, void *arg)
{
	request_ahead_clean_up(r->db, arg);
}

static struct merge_state *
begin_merge(struct req *r, const struct point *head, bool update)
{
	struct merge_state *x = arena_alloc(r->arena, sizeof(*x));

	*x = (struct merge_state){ .large = large_new(r->arena, r->space.id) };
	if (request_is_long(r->db, r->arena, head, update))
		x->ahead = request_ahead_new(r->arena, head->branch, r->request.id, r->who.user, update);
	return x;
}

enum publish_result {
	PUBLISHED,          /* the merge is done */
	MERGE_INSIDE,       /* the merge is short or could not be prepared: the caller runs it in this transaction */
	PUBLISH_NEXT_RUN    /* go_ahead() was called: the handler returns -1, and runs again when the merge is prepared */
};

/* Publishes the merge or update if it was prepared. */
static enum publish_result
publish_prepared(struct req *r, struct merge_state *x, struct merge_outcome *m)
{
	if (x->ahead == NULL || x->inside)
		return MERGE_INSIDE;
	if (!request_publish(r->db, x->ahead, m)) {
		r->undo = abandon_prepared;
		go_ahead(r, merge_ahead, x);
		return PUBLISH_NEXT_RUN;
	}
	r->after = clean_up_merge;
	r->after_arg = x->ahead;
	return PUBLISHED;
}

/*
 * Merges r->request if rules and main allow it. *m: the outcome. whole: write everything in this
 * transaction, since it has also created the request. 0 or fail().
 */
static int
merge_now(struct req *r, bool whole, struct merge_outcome *m)
{
	struct merge_state *x = r->went_ahead ? r->ahead_arg : NULL;
	enum publish_result result;
	struct point head;
	const char *rule;

	if (request_open_or_fail(r) != 0 || space_unlocked_or_fail(r) != 0 || point_or_fail(r, &head) != 0)
		return -1;
	/*
	 * Checked in the transaction of the merge, so that an approval or a role that was withdrawn
	 * before it no longer counts.
	 */
	if ((rule = merge_rule_unmet(r)) != NULL)
		return fail(r, E_PRECONDITION, "the merge rule %s", rule);
	if (x == NULL)
		x = begin_merge(r, &head, false);
	if (whole)
		x->ahead = NULL;
	if ((result = publish_prepared(r, x, m)) == PUBLISH_NEXT_RUN)
		return -1;
	if (result == MERGE_INSIDE) {
		request_merge(r->db, r->arena, &head, r->who.user, x->large, m);
		/*
		 * The merge is not done: m->clashes and the status of the request are not valid
		 * yet.
		 */
		if (m->waits)
			return go_ahead(r, read_large, x);
	}
	/* With conflicts, main and the request stay unchanged. */
	if (m->clashes == NULL) {
		request_merged(r->db, r->request.id, m->revision, r->who.user);
		translation_resume(r->db, r->arena, r->request.id);
	}
	return 0;
}

/* POST …/merge */
HANDLER(mergeChangeRequest)
{
	struct merge_outcome m;

	return merge_now(r, false, &m) != 0 ? -1 : reply_outcome(r, &m, "merge");
}

/* Updates the request in one transaction. 0 or fail(). */
static int
update_now(struct req *r, struct merge_state *x, struct point head, struct merge_outcome *m)
{
	request_update(r->db, r->arena, &head, r->who.user, m);
	if (!m->changed)
		return 0;
	/* The update made a revision, to which comments must be moved, so the head is read again. */
	point_head(r->db, r->arena, head.branch, &head);
	comments_follow(r->db, r->arena, &head, r->request.id, x->large);
	return large_waits(x->large) ? go_ahead(r, read_large, x) : 0;
}

/* POST …/update */
HANDLER(updateChangeRequest)
{
	struct merge_state *x = r->went_ahead ? r->ahead_arg : NULL;
	enum publish_result result;
	struct merge_outcome m;
	struct point head;

	if (request_open_or_fail(r) != 0 || space_unlocked_or_fail(r) != 0 || point_or_fail(r, &head) != 0)
		return -1;
	if (x == NULL)
		x = begin_merge(r, &head, true);
	result = publish_prepared(r, x, &m);
	if (result == PUBLISH_NEXT_RUN || (result == MERGE_INSIDE && update_now(r, x, head, &m) != 0))
		return -1;
	/*
	 * r->space.revision is the head of the main branch, which the access check has read in this
	 * write transaction.
	 */
	if (m.changed)
		request_updated(r->db, r->request.id, r->space.revision);
	return reply_outcome(r, &m, "update");
}

/* ---- templates ---- */

/* Ids of templates are public, so the message may say that the template does not exist. */
int
template_or_fail(struct req *r, const char *id)
{
	return template_known(id) ? 0 : fail(r, E_NOT_FOUND, "no template %s", id);
}

/*
 * Finds the specification that a template needs. *spec: its slug, from params; NULL: the template
 * needs none. 0 or fail().
 */
static int
find_template_spec(struct req *r, const char *id, const cJSON *params, const char **spec)
{
	const cJSON *ref = cJSON_GetObjectItemCaseSensitive(
	    cJSON_GetObjectItemCaseSensitive(params, "contentRefs"), "openapi");
	const char *kind = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(ref, "kind")), *name;
	struct stmt *q;

	/* If the template needs no specification, one in params is ignored. */
	*spec = NULL;
	if (!template_wants_spec(id))
		return 0;
	*spec = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(ref, "spec"));
	if (*spec == NULL || kind == NULL || strcmp(kind, "openapi") != 0)
		return fail_field(r, "/params/contentRefs/openapi",
		    "must be a reference of the kind openapi: this template shows a specification");
	q = db_use(r->db, &q_spec_slug);
	bind_text(q, ":org", r->space.org);
	/*
	 * By slug or id (docs/design/documents.md, "References"), within the space's organization:
	 * an id of another organization's specification is not found.
	 */
	bind_text(q, ":spec", *spec);
	name = stmt_dup(q, r->arena);
	if (name == NULL)
		return fail(r, E_NOT_FOUND, "no OpenAPI specification %s", *spec);
	*spec = name;
	return 0;
}

/*
 * r->request must be loaded. Nothing is prepared outside the transaction (NULL): the pages of
 * templates are small, new and without comments.
 */
int
request_from_template(struct req *r, const char *id, const cJSON *params)
{
	const char *spec;
	struct edit e;

	if (find_template_spec(r, id, params, &spec) != 0)
		return -1;
	return write_changes(r, template_changes(r->arena, id, spec), NULL, NULL, &e);
}

/*
 * Writes a template into a change request. If request is NULL, a request is made and merged at
 * once, so that merge rules and history apply. *revision becomes the new revision. 0 or fail().
 */
static int
write_template(struct req *r, const char *id, const char *spec, const char *request, const char **revision)
{
	bool own = request == NULL;
	struct merge_outcome m = { 0 };
	struct edit e;

	if (own)
		request = request_make(r->db, r->arena, r->space.id, r->space.branch, r->who.user,
		    arena_printf(r->arena, "Template %s", id));
	/*
	 * The path contains no request, so the access check has not loaded it. An id of another
	 * space is 404.
	 */
	if (request_load(r, request) != 0 || write_changes(r, template_changes(r->arena, id, spec), NULL, NULL, &e) != 0)
		return -1;
	*revision = e.now.revision;
	if (!own)
		return 0;
	/* Loaded again, since the write changed its head, which dismissStaleApprovals and the merge use. */
	if (request_load(r, request) != 0 || merge_now(r, true, &m) != 0)
		return -1;
	/*
	 * No conflicts: the pages are new, have free slugs, and are based on main of this
	 * transaction.
	 */
	assert(m.clashes == NULL);
	*revision = m.revision;
	return 0;
}

int
space_from_template(struct req *r, const char *id, const cJSON *params)
{
	const char *spec, *revision;

	return find_template_spec(r, id, params, &spec) != 0 ? -1 : write_template(r, id, spec, NULL, &revision);
}

/* POST /spaces/{spaceId}/content/template: into a change request, or into primary content. */
HANDLER(applyTemplateToSpace)
{
	const char *id = body_text(r, "id"), *spec, *revision;

	/* The access rule SPACE_WRITE has checked the role: review for primary content, edit for a change request. */
	if (template_or_fail(r, id) != 0 || find_template_spec(r, id, body_get(r, "params"), &spec) != 0 ||
	    space_unlocked_or_fail(r) != 0 || write_template(r, id, spec, body_text(r, "changeRequestId"), &revision) != 0)
		return -1;
	reply_created(r, arena_printf(r->arena, "/spaces/%s/revisions/%s", r->space.id, revision));
	return reply_empty(r);
}
