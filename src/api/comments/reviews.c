/*
 * Reviews of change requests, and requested reviewers. Tables review, requested_reviewer, comment
 * (the text of a review is a comment on the request).
 *
 * A review belongs to the revision that the reviewer read. It becomes outdated when the same
 * reviewer submits another review or is requested again, so a reviewer has at most one review that
 * is not outdated. Submitting a review removes the reviewer from the requested ones, and the review
 * records who requested it. Merged and archived change requests accept no reviews and no requests
 * for review.
 */
#include <cjson/cJSON.h>

#include "api/comments.h"
#include "api/document_shapes.h"
#include "api/examples.h"
#include "api/lists.h"
#include "api/request_row.h"
#include "api/reviews.h"
#include "api/rich_text.h"
#include "api/users.h"
#include "app/roles.h"
#include "base/secret.h"
#include "http/req.h"
#include "comment.h"

static const struct shape ReviewUrls = { "ChangeRequestReviewUrls", (const struct field[]){
	{ "location", T_TEXT, F_REQ, .url = "/v1/spaces/{:space}/change-requests/{:request}/reviews/{id}", .doc = "Address in this API",
	  .example = EXAMPLE_URL "/spaces/" EXAMPLE_SPACE "/change-requests/" EXAMPLE_REQUEST "/reviews/" EXAMPLE_REVIEW },
	{ 0 } } };

/* Writes the member only if the review has a text. */
static void
emit_comment(struct json *j, const struct field *f, const struct row *w)
{
	(void)j;
	review_comment(w->r, f->name, row_text(w, "id"));
}

const struct shape ChangeRequestReview = { "ChangeRequestReview", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "change-request-review", .doc = "Kind of object" },
	{ "id", T_TEXT, F_REQ, .doc = "Unique id", .example = EXAMPLE_REVIEW },
	{ "revision", T_TEXT, F_REQ, .doc = "Revision of the change request that was reviewed",
	  .example = EXAMPLE_REVISION },
	{ "reviewer", T_OBJECT, F_REQ, .of = &User, .join = "reviewer_", .doc = "Reviewer" },
	{ "requestedBy", T_OBJECT, .of = &User, .join = "asker_", .doc = "User who requested it" },
	{ "status", T_ENUM, F_REQ, .set = "approved,changes-requested", .doc = "The verdict" },
	{ "outdated", T_BOOL, F_REQ, .doc = "true: a newer review or review request has replaced it" },
	{ "comment", T_OBJECT, .of = &Comment, .emit = emit_comment,
	  .doc = "Comment of the review" },
	{ "createdAt", T_TIME, F_REQ, .col = "created_at", .doc = "When it was created" },
	{ "updatedAt", T_TIME, F_REQ, .col = "updated_at", .doc = "When it was last changed" },
	{ "urls", T_OBJECT, F_REQ, .of = &ReviewUrls, .join = "", .doc = "Its addresses" },
	{ 0 } } };
LIST_SHAPE(ReviewList, ChangeRequestReview);

const struct shape ReviewListQuery = { "ReviewListQuery", (const struct field[]){
	PAGING, COMMENT_FORMAT,
	{ "outdated", T_BOOL, .doc = "Absent: with any value" },
	{ 0 } } };
/* The comment is Markdown or a document, as in other comments. */
const struct shape ReviewSubmit = { "SubmitChangeRequestReview", (const struct field[]){
	{ "status", T_ENUM, F_REQ, .set = "approved,changes-requested", .doc = "The verdict" },
	{ "comment", T_OBJECT, .of = &RichText, .doc = "Comment to post with the review" },
	{ 0 } } };

/* A requested reviewer and who requested the review; deleted when the review is submitted. */
static const struct shape RequestedReviewer = { "ChangeRequestRequestedReviewer",
	(const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "change-request-requested-reviewer", .doc = "Kind of object" },
	{ "revision", T_TEXT, F_REQ, .doc = "Revision of the change request when the review was requested",
	  .example = EXAMPLE_REVISION },
	{ "requestedBy", T_OBJECT, F_REQ, .of = &User, .join = "asker_", .doc = "User who requested the review" },
	{ "createdAt", T_TIME, F_REQ, .col = "created_at", .doc = "When it was created" },
	{ "kind", T_CONST, F_REQ, .set = "user", .doc = "Kind of reviewer" },
	{ "user", T_OBJECT, F_REQ, .of = &User, .join = "reviewer_", .doc = "User who was asked" },
	{ 0 } } };
LIST_SHAPE(RequestedReviewerList, RequestedReviewer);
const struct shape RequestedReviewers = { "RequestedReviewers", (const struct field[]){
	{ "users", T_LIST, F_REQ, .of = &RequestedReviewer, .doc = "Users who are asked now" },
	{ 0 } } };
const struct shape RequestReviewers = { "RequestReviewers", (const struct field[]){
	{ "users", T_LIST, F_REQ, .max = 100, .item = &(const struct field){ "", T_TEXT, .max = 100 },
	  .doc = "Ids of users", .example = "[\"u3JpZ8nYqLk5WvTf6MxA\"]" },
	{ "subject", T_TEXT, .max = 100, .doc = "New subject of the change request",
	  .example = "Explain the first steps" },
	{ "description", T_OBJECT, .of = &JSONDocument, .doc = "New description of the change request" },
	{ 0 } } };

/* revision: the one that the reviewer reviewed. */
#define REVIEW_COLS \
	"v.id, v.revision, v.status, v.outdated, v.created_at, v.updated_at, " \
	USER_COLS("ru", "reviewer_") ", " USER_COLS("qu", "asker_")
/* requested_by is NULL for a review that nobody requested. */
#define REVIEW_FROM \
	"review v JOIN account ru ON ru.id = v.reviewer LEFT JOIN account qu ON qu.id = v.requested_by"
/* :outdated is unbound, and so NULL, if the query has no such filter. */
#define REVIEW_FILTER \
	"v.request = :request AND (CAST(:outdated AS BIGINT) IS NULL OR v.outdated = :outdated) "
#define ASKED_COLS \
	"a.revision, a.created_at, " USER_COLS("ru", "reviewer_") ", " USER_COLS("qu", "asker_")
/* Inner joins: accounts are never deleted, and both columns are always set. */
#define ASKED_FROM \
	"requested_reviewer a JOIN account ru ON ru.id = a.account JOIN account qu ON qu.id = a.requested_by"

SQL(q_review, "SELECT " REVIEW_COLS " FROM " REVIEW_FROM " WHERE v.id = :id AND v.request = :request");
/* The index review_request has this order. */
SQL(q_reviews,
    "SELECT " REVIEW_COLS ", v.created_at AS k1, v.id AS k2 FROM " REVIEW_FROM " WHERE "
    REVIEW_FILTER "AND (CAST(:k1 AS TEXT) IS NULL "
    "OR (v.created_at, v.id) < (CAST(:k1 AS BIGINT), :k2)) "
    "ORDER BY v.created_at DESC, v.id DESC LIMIT :limit");
SQL(q_review_count, "SELECT count(*) FROM review v WHERE " REVIEW_FILTER);
/* At most one row matches, which the partial index review_reviewer finds. */
SQL(q_outdate,
    "UPDATE review SET outdated = 1, updated_at = :now "
    "WHERE request = :request AND reviewer = :user AND outdated = 0");
/*
 * Reads requested_by before remove_reviewer() deletes the row; NULL if nobody requested the review.
 */
SQL(q_review_add,
    "INSERT INTO review (id, request, reviewer, requested_by, status, revision, created_at, "
    "updated_at) VALUES (:id, :request, :user, (SELECT a.requested_by FROM requested_reviewer a "
    "WHERE a.request = :request AND a.account = :user), :status, :revision, :now, :now)");
/*
 * Later than the newest review, so that lists keep the order of submission within one millisecond.
 */
SQL(q_next_time,
    "SELECT max(v.at) FROM (SELECT :now AS at UNION ALL "
    "SELECT max(created_at) + 1 FROM review WHERE request = :request) AS v");
/* A user who is requested again moves to the top of the list, with the present revision. */
SQL(q_ask,
    "INSERT INTO requested_reviewer (request, account, requested_by, revision, created_at) "
    "VALUES (:request, :user, :by, :revision, :now) ON CONFLICT (request, account) DO UPDATE SET "
    "requested_by = excluded.requested_by, revision = excluded.revision, "
    "created_at = excluded.created_at");
SQL(q_unask, "DELETE FROM requested_reviewer WHERE request = :request AND account = :user");
/* Few rows, so they are sorted: no index has this order. */
SQL(q_asked,
    "SELECT " ASKED_COLS ", a.created_at AS k1, a.account AS k2 FROM " ASKED_FROM
    " WHERE a.request = :request AND (CAST(:k1 AS TEXT) IS NULL "
    "OR (a.created_at, a.account) < (CAST(:k1 AS BIGINT), :k2)) "
    "ORDER BY a.created_at DESC, a.account DESC LIMIT :limit /*scan*/");
SQL(q_asked_one,
    "SELECT " ASKED_COLS " FROM " ASKED_FROM " WHERE a.request = :request AND a.account = :user");
SQL(q_asked_count, "SELECT count(*) FROM requested_reviewer WHERE request = :request");
/* No row, and so no role, for non-members and disabled members. */
SQL(q_may_read,
    "SELECT " ROLE_FROM("space", ":space", ":reviewer") " FROM member m "
    "WHERE m.org = :org AND m.account = :reviewer AND m.disabled = 0");

static struct stmt *
bind_request(struct req *r, const struct sql *sql)
{
	struct stmt *q = db_use(r->db, sql);

	bind_text(q, ":request", r->request.id);
	return q;
}

/* The review stays in the list, but merge rules (merge_rules_unmet.c) no longer count it. */
static void
outdate_review(struct req *r, const char *reviewer)
{
	struct stmt *q = bind_request(r, &q_outdate);

	bind_text(q, ":user", reviewer);
	bind_int(q, ":now", time_now());
	stmt_run(q);
}

/*
 * No error if the user was not requested: DELETE is idempotent (docs/design/requests.md, "DELETE").
 */
static void
remove_reviewer(struct req *r, const char *reviewer)
{
	struct stmt *q = bind_request(r, &q_unask);

	bind_text(q, ":user", reviewer);
	stmt_run(q);
}

/* ---- reviews ---- */

/*
 * Looks up by request, too: the id of another request's review is 404 (docs/design/security.md,
 * "S1").
 */
static int
reply_review(struct req *r, const char *id)
{
	struct stmt *q = bind_request(r, &q_review);

	bind_text(q, ":id", id);
	if (!stmt_step(q))
		return fail(r, E_NOT_FOUND, "no review %s", id);
	return reply_current(r, q, &ChangeRequestReview);
}

/* The parameter is bound if it is present, since false is a filter, too. */
static struct stmt *
bind_filters(struct req *r, const struct sql *sql)
{
	struct stmt *q = bind_request(r, sql);

	if (cJSON_HasObjectItem(r->query, "outdated"))
		bind_int(q, ":outdated", query_bool(r, "outdated", false));
	return q;
}

/* GET …/reviews: newest first. */
HANDLER(getReviewsByChangeRequestId)
{
	struct stmt *q;
	struct list l;
	int64_t count;

	if (list_open(r, &l, 2) != 0)
		return -1;
	count = stmt_int(bind_filters(r, &q_review_count), 0);
	q = bind_filters(r, &q_reviews);
	list_bind(q, &l);
	return list_reply(r, &l, q, &ChangeRequestReview, count);
}

/*
 * Returns the review's id. Call outdate_review() before, or it would outdate the new review as
 * well.
 */
static char *
review_add(struct req *r)
{
	struct stmt *q = bind_request(r, &q_next_time);
	char *id = secret_id(r->arena);
	int64_t at;

	bind_int(q, ":now", time_now());
	at = stmt_int(q, 0);
	q = bind_request(r, &q_review_add);
	bind_text(q, ":id", id);
	bind_text(q, ":user", r->who.user);
	bind_text(q, ":status", body_text(r, "status"));
	bind_text(q, ":revision", r->request.revision);
	bind_int(q, ":now", at);
	stmt_run(q);
	return id;
}

/* POST …/reviews */
HANDLER(submitChangeRequestReview)
{
	/* The comment has no page and no block: it is about the request as a whole. */
	struct comment_new words = { .space = r->space.id, .scope = r->request.id,
		.author = r->who.user, .revision = r->request.revision, .body = "" };
	char *id;

	/* Reviews of merged requests would falsify the record of how the merge was approved. */
	if (request_open_or_fail(r) != 0)
		return -1;
	if (body_has(r, "comment") &&
	    (words.body = rich_markdown(r, body_get(r, "comment"), "/comment")) == NULL)
		return -1;
	/* A text that renders to nothing counts as none: the review has no comment. */
	if (!doc_body_shows(str_of(words.body)))
		words.body = "";
	/*
	 * In this order: the old review is outdated, the new one copies requested_by, and only then
	 * is the requested reviewer deleted.
	 */
	outdate_review(r, r->who.user);
	/* comment_add() needs the id of an existing review. */
	words.review = id = review_add(r);
	remove_reviewer(r, r->who.user);
	if (*words.body != '\0')
		comment_add(r->db, r->arena, &words);
	reply_created(r, arena_printf(r->arena, "%s/reviews/%s", comment_base(r, r->request.id), id));
	return reply_review(r, id);
}

/* GET …/reviews/{reviewId} */
HANDLER(getChangeRequestReviewById)
{
	return reply_review(r, path_id(r, "reviewId"));
}

/* ---- requested reviewers ---- */

/* GET …/requested-reviewers: latest first. */
HANDLER(getRequestedReviewersByChangeRequestId)
{
	struct stmt *q;
	struct list l;
	int64_t count;

	if (list_open(r, &l, 2) != 0)
		return -1;
	count = stmt_int(bind_request(r, &q_asked_count), 0);
	q = bind_request(r, &q_asked);
	list_bind(q, &l);
	return list_reply(r, &l, q, &RequestedReviewer, count);
}

/* Checks that the user may read the space; otherwise 404. 0 or fail(). */
static int
reader_or_fail(struct req *r, const char *user)
{
	struct stmt *q = db_use(r->db, &q_may_read);

	bind_text(q, ":space", r->space.id);
	bind_text(q, ":org", r->space.org);
	bind_text(q, ":reviewer", user);
	if (stmt_int(q, 0) < 1)
		return fail(r, E_NOT_FOUND, "no user %s who can read this space", user);
	return 0;
}

static void
add_reviewer(struct req *r, const char *user)
{
	struct stmt *q = bind_request(r, &q_ask);

	bind_text(q, ":user", user);
	bind_text(q, ":by", r->who.user);
	bind_text(q, ":revision", r->request.revision);
	bind_int(q, ":now", time_now());
	stmt_run(q);
	/* An earlier review does not fulfil the new request. */
	outdate_review(r, user);
}

/* True if the list names the user before this element. */
static bool
is_named_before(const cJSON *users, const cJSON *user)
{
	const cJSON *v;

	for (v = users->child; v != user; v = v->next)
		if (strcmp(v->valuestring, user->valuestring) == 0)
			return true;
	return false;
}

/* POST …/requested-reviewers: requesting again renews the earlier request. */
HANDLER(requestReviewersForChangeRequest)
{
	const cJSON *user;
	struct stmt *q;

	if (request_open_or_fail(r) != 0 || request_describe(r) != 0)
		return -1;
	cJSON_ArrayForEach(user, body_get(r, "users")) {
		if (reader_or_fail(r, user->valuestring) != 0)
			return -1;
		add_reviewer(r, user->valuestring);
	}
	json_obj(&r->json);
	json_karr(&r->json, "users");
	cJSON_ArrayForEach(user, body_get(r, "users")) {
		/* Read after all writes, in the order of the body. */
		q = bind_request(r, &q_asked_one);
		bind_text(q, ":user", user->valuestring);
		if (!is_named_before(body_get(r, "users"), user) && stmt_step(q))
			shape_row(&r->json, &RequestedReviewer, r, q);
	}
	json_end(&r->json);
	json_end(&r->json);
	return 0;
}

/* DELETE …/requested-reviewers/{userId} */
HANDLER(removeRequestedReviewerFromChangeRequest)
{
	remove_reviewer(r, path_id(r, "userId"));
	return reply_empty(r);
}
