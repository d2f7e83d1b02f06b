/*
 * The shape of a change request, its columns and its row; and guards and edits that its operations
 * share. Contract: api/request_row.h.
 */
#include <cjson/cJSON.h>

#include "api/document_shapes.h"
#include "api/examples.h"
#include "api/request_row.h"
#include "api/rich_text.h"
#include "api/users.h"
#include "app/roles.h"
#include "http/req.h"
#include "merge/request_record.h"

static const struct shape RequestUrls = { "ChangeRequestUrls", (const struct field[]){
	{ "app", T_TEXT, F_REQ, .url = "/v1/spaces/{space}/change-requests/{id}", .app = "/app/spaces/{space}/requests/{id}",
	  .doc = "Page of the application; the address in this API where OCTAVO_APP=0", .example = EXAMPLE_APP "/spaces/" EXAMPLE_SPACE "/requests/" EXAMPLE_REQUEST },
	{ "location", T_TEXT, F_REQ, .url = "/v1/spaces/{space}/change-requests/{id}", .doc = "Address in this API",
	  .example = EXAMPLE_URL "/spaces/" EXAMPLE_SPACE "/change-requests/" EXAMPLE_REQUEST },
	{ 0 } } };

static const struct shape RequestStyleguide = { "ChangeRequestStyleguide", (const struct field[]){
	{ "site", T_TEXT, F_REQ, .doc = "Id of the site", .example = EXAMPLE_SITE },
	{ "run", T_TEXT, F_REQ, .doc = "Id of the check", .example = EXAMPLE_STYLEGUIDE_RUN },
	{ 0 } } };

static void
emit_styleguide(struct json *j, const struct field *f, const struct row *w)
{
	if (row_null(w, "guide_id"))
		return;
	json_kobj(j, f->name);
	json_kstr(j, "site", row_text(w, "guide_site"));
	json_kstr(j, "run", row_text(w, "guide_id"));
	json_end(j);
}

const struct shape ChangeRequest = { "ChangeRequest", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "change-request", .doc = "Kind of object" },
	{ "id", T_TEXT, F_REQ, .doc = "Unique id", .example = EXAMPLE_REQUEST },
	{ "number", T_INT, F_REQ, .doc = "Number in the space, from 1", .example = "7" },
	{ "status", T_ENUM, F_REQ, .set = "draft,open,archived,merged", .doc = "State of the change request" },
	{ "subject", T_TEXT, F_REQ, .doc = "Subject", .example = "Explain the first steps" },
	{ "description", T_OBJECT, .of = &JSONDocument, .doc = "Longer explanation" },
	{ "createdBy", T_OBJECT, F_REQ, .of = &User, .join = "by_", .doc = "Who opened it" },
	{ "createdAt", T_TIME, F_REQ, .col = "created_at", .doc = "When it was created" },
	{ "updatedAt", T_TIME, F_REQ, .col = "updated_at", .doc = "When it was last changed" },
	{ "mergedBy", T_OBJECT, .of = &User, .join = "merger_", .doc = "Who merged it" },
	{ "mergedAt", T_TIME, .col = "merged_at", .doc = "When it was merged" },
	{ "space", T_TEXT, F_REQ, .doc = "Id of its space", .example = EXAMPLE_SPACE },
	{ "revision", T_TEXT, F_REQ, .doc = "Id of its newest revision", .example = EXAMPLE_REVISION },
	{ "revisionInitial", T_TEXT, F_REQ, .col = "revision_initial",
	  .doc = "Id of the primary revision that it started from", .example = "r2NcX6bQmZk8TvLd5WhJ" },
	{ "revisionMergedAncestor", T_TEXT, .col = "merged_ancestor",
	  .doc = "Id of the primary revision that it was last updated from",
	  .example = "r2NcX6bQmZk8TvLd5WhJ" },
	{ "revisionMerged", T_TEXT, .col = "revision_merged",
	  .doc = "Id of the primary revision that merging made", .example = EXAMPLE_REVISION },
	{ "comments", T_INT, F_REQ, .doc = "Open comments", .example = "0" },
	{ "outdated", T_BOOL, F_REQ, .doc = "true: the primary content has changed since the last update" },
	{ "review", T_ENUM, .set = "approved,changes-requested", .doc = "Verdict of its reviews by members other than its author, "
	  "without outdated ones: changes-requested if one of them says so; absent: there is none. Merge rules may count fewer reviews" },
	{ "conversationsIssuesCluster", T_TEXT, .col = "cluster",
	  .doc = "Id of the cluster of issues that it is about", .example = "g5HwN8tKxLq3VzRb6McJ" },
	{ "styleguide", T_OBJECT, F_ALTERNATIVE, .of = &RequestStyleguide, .emit = emit_styleguide,
	  .doc = "Check against a style guide that opened it" },
	{ "urls", T_OBJECT, F_REQ, .of = &RequestUrls, .join = "", .doc = "Its addresses" },
	{ 0 } } };

SQL(q_request, "SELECT " REQUEST_COLS " FROM " REQUEST_FROM " WHERE cr.id = :id");

/* Sets updated_at even if the values stay the same, since it is the time of the last write by a user. */
SQL(q_edit,
    "UPDATE change_request SET subject = CASE WHEN :has_subject = 1 THEN :subject ELSE subject END, "
    "description = CASE WHEN :has_description = 1 THEN :description ELSE description END, "
    "updated_at = :now WHERE id = :id");

/* Returns NULL if there is no such request. The row is valid until the next use of q_request. */
struct stmt *
request_row(struct req *r, const char *id)
{
	struct stmt *q = db_use(r->db, &q_request);

	bind_text(q, ":id", id);
	return stmt_step(q) ? q : NULL;
}

/* Reads the row again, so that it contains the handler's writes. */
int
reply_request(struct req *r, const char *id)
{
	struct stmt *q = request_row(r, id);

	if (q == NULL)
		return fail(r, E_NOT_FOUND, "no change request %s", id);
	return reply_current(r, q, &ChangeRequest);
}

/* Fails for merged and for archived requests, of which PATCH can reopen the latter. The message contains the status. */
int
request_open_or_fail(struct req *r)
{
	if (strcmp(r->request.status, "merged") == 0 || strcmp(r->request.status, "archived") == 0)
		return fail(r, E_CONFLICT, "change request %lld is %s", (long long)r->request.number,
		    r->request.status);
	return 0;
}

/* Stores subject and description of the body, if present. 0 or fail(). */
int
request_describe(struct req *r)
{
	const char *description = NULL;
	struct stmt *q;

	/*
	 * The document is parsed and serialized again, so that only what docs/design/documents.md
	 * describes is stored.
	 */
	if (body_has(r, "description") &&
	    (description = document_text(r, body_get(r, "description"), "/description")) == NULL)
		return -1;
	if (!body_has(r, "subject") && description == NULL)
		return 0;
	q = db_use(r->db, &q_edit);
	bind_body(q, r, "subject");
	bind_int(q, ":has_description", description != NULL);
	bind_text(q, ":description", description);
	bind_int(q, ":now", time_now());
	bind_text(q, ":id", r->request.id);
	stmt_run(q);
	return 0;
}

/* Also used by comments.c, for the users who replied to a comment. */
const struct shape UserContributor = { "UserContributor", (const struct field[]){
	{ "updatedAt", T_TIME, F_REQ, .col = "at", .doc = "Time of the last such action" },
	{ "count", T_INT, F_REQ, .col = "n", .doc = "Number of such actions", .example = "3" },
	{ "user", T_OBJECT, F_REQ, .of = &User, .join = "u_", .doc = "The user" },
	{ 0 } } };
