/*
 * Replies to comments, in either scope. A reply has no status: `resolved` on it (change requests
 * only) resolves its comment.
 */
#include "api/access.h"
#include "api/examples.h"
#include "api/lists.h"
#include "api/replies.h"
#include "api/rich_text.h"
#include "api/users.h"
#include "app/audit.h"
#include "http/req.h"
#include "comment.h"


static void
emit_location(struct json *j, const struct field *f, const struct row *w)
{
	json_kstr(j, f->name, url_for(w->r, "/v1%s/comments/%s/replies/%s",
	    comment_base(w->r, comment_scope(w->r)), row_text(w, "comment"), row_text(w, "id")));
}

static const struct shape ReplyUrls = { "CommentReplyUrls", (const struct field[]){
	{ "location", T_TEXT, F_REQ, .emit = emit_location, .doc = "Address in this API",
	  .example = EXAMPLE_URL "/spaces/" EXAMPLE_SPACE "/comments/" EXAMPLE_COMMENT "/replies/" EXAMPLE_REPLY },
	{ 0 } } };

const struct shape CommentReply = { "CommentReply", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "comment-reply", .doc = "Kind of object" },
	REMARK_FIELDS,
	{ "urls", T_OBJECT, F_REQ, .of = &ReplyUrls, .join = "", .doc = "Its addresses" },
	{ 0 } } };
LIST_SHAPE(CommentReplyList, CommentReply);

const struct shape ReplyPost = { "PostCommentReply", (const struct field[]){
	{ "body", T_OBJECT, F_REQ, .of = &RichText, .doc = "The text" },
	{ 0 } } };
const struct shape ReplyListQuery = { "CommentReplyListQuery", (const struct field[]){
	PAGING, COMMENT_FORMAT,
	{ 0 } } };

#define REPLY_COLS \
	"y.id, y.comment, y.author, y.created_at, y.edited_at, y.body, " USER_COLS("pu", "poster_")
#define REPLY_FROM "comment_reply y JOIN account pu ON pu.id = y.author"

SQL(q_reply, "SELECT " REPLY_COLS " FROM " REPLY_FROM " WHERE y.id = :id AND y.comment = :comment");
SQL(q_replies,
    "SELECT " REPLY_COLS ", y.created_at AS k1, y.id AS k2 FROM " REPLY_FROM
    " WHERE y.comment = :comment AND (CAST(:k1 AS TEXT) IS NULL "
    "OR (y.created_at, y.id) > (CAST(:k1 AS BIGINT), :k2)) ORDER BY y.created_at, y.id LIMIT :limit");

static struct stmt *
read_reply_row(struct req *r, const char *comment, const char *id)
{
	struct stmt *q = db_use(r->db, &q_reply);

	bind_text(q, ":id", id);
	bind_text(q, ":comment", comment);
	return stmt_step(q) ? q : NULL;
}

/* The row of {commentReplyId}; NULL after fail(): 404, or 204 for a DELETE. */
static struct stmt *
reply_or_fail(struct req *r)
{
	const char *id = path_id(r, "commentReplyId");
	struct stmt *q;

	if (comment_or_fail(r) == NULL)
		return NULL;
	q = read_reply_row(r, path_id(r, "commentId"), id);
	if (q == NULL) {
		r->absent = true;
		fail(r, E_NOT_FOUND, "no reply %s", id);
	}
	return q;
}

/* ---- what each operation does, in either scope ---- */

/* Oldest first (docs/design/requests.md, "Order of lists"). */
static int
list_replies(struct req *r)
{
	struct stmt *q = comment_or_fail(r);
	struct list l;
	int64_t count;

	if (q == NULL || list_open(r, &l, 2) != 0)
		return -1;
	/* The comment's counter of replies is exact, so no query for the count is needed. */
	count = col_int(q, col(q, "replies"));
	q = db_use(r->db, &q_replies);
	bind_text(q, ":comment", path_id(r, "commentId"));
	list_bind(q, &l);
	return list_reply(r, &l, q, &CommentReply, count);
}

/* Resolved comments accept replies, too, and stay resolved. */
static int
post_reply(struct req *r)
{
	const char *comment = path_id(r, "commentId"), *body;

	if (comment_or_fail(r) == NULL ||
	    (body = remark_body(r)) == NULL)
		return -1;
	return reply_current(r, read_reply_row(r, comment,
	    reply_add(r->db, r->arena, comment, r->who.user, body)), &CommentReply);
}

static int
get_reply(struct req *r)
{
	struct stmt *q = reply_or_fail(r);

	return q == NULL ? -1 : reply_current(r, q, &CommentReply);
}

/*
 * Only the shape for change requests has `resolved` (docs/design/merging.md, "Reviews and
 * comments"); elsewhere the body check refuses it.
 */
static int
put_reply(struct req *r)
{
	const char *comment = path_id(r, "commentId"), *id = path_id(r, "commentReplyId"), *body;
	struct stmt *q = reply_or_fail(r);

	/* The author of the reply may change it, not the author of the comment. */
	if (q == NULL || remark_change_or_fail(r, col_dup(q, col(q, "author"), r->arena)) != 0)
		return -1;
	if (body_has(r, "body")) {
		if ((body = remark_body(r)) == NULL)
			return -1;
		reply_edit(r->db, id, body);
	}
	if (body_has(r, "resolved"))
		comment_resolve(r->db, comment, body_bool(r, "resolved", false) ? r->who.user : NULL);
	/*
	 * Reactions are stored under the comment, with the reply as target, so that deleting a
	 * comment finds them all.
	 */
	apply_reactions(r, comment, id);
	return reply_current(r, read_reply_row(r, comment, id), &CommentReply);
}

/* The audit record is written first: it reads the row. */
static int
delete_reply(struct req *r)
{
	struct stmt *q = reply_or_fail(r);

	if (q == NULL || author_or_fail(r, col_text(q, col(q, "author")), ROLE_CREATE) != 0)
		return -1;
	remark_deleted(r, AUDIT_REPLY_DELETE, path_id(r, "commentReplyId"));
	reply_delete(r->db, path_id(r, "commentId"), path_id(r, "commentReplyId"));
	return reply_empty(r);
}

/* ---- handlers ---- */

/* GET …/change-requests/{changeRequestId}/comments/{commentId}/replies */
HANDLER(listCommentRepliesInChangeRequest)
{
	return list_replies(r);
}

/* POST …/change-requests/{changeRequestId}/comments/{commentId}/replies */
HANDLER(postCommentReplyInChangeRequest)
{
	return post_reply(r);
}

/* GET …/change-requests/{changeRequestId}/comments/{commentId}/replies/{commentReplyId} */
HANDLER(getCommentReplyInChangeRequest)
{
	return get_reply(r);
}

/* PUT …/change-requests/{changeRequestId}/comments/{commentId}/replies/{commentReplyId} */
HANDLER(updateCommentReplyInChangeRequest)
{
	return put_reply(r);
}

/* DELETE …/change-requests/{changeRequestId}/comments/{commentId}/replies/{commentReplyId} */
HANDLER(deleteCommentReplyInChangeRequest)
{
	return delete_reply(r);
}

/* GET /spaces/{spaceId}/comments/{commentId}/replies */
HANDLER(listCommentRepliesInSpace)
{
	return list_replies(r);
}

/* POST /spaces/{spaceId}/comments/{commentId}/replies */
HANDLER(postCommentReplyInSpace)
{
	return post_reply(r);
}

/* GET /spaces/{spaceId}/comments/{commentId}/replies/{commentReplyId} */
HANDLER(getCommentReplyInSpace)
{
	return get_reply(r);
}

/* PUT /spaces/{spaceId}/comments/{commentId}/replies/{commentReplyId} */
HANDLER(updateCommentReplyInSpace)
{
	return put_reply(r);
}

/* DELETE /spaces/{spaceId}/comments/{commentId}/replies/{commentReplyId} */
HANDLER(deleteCommentReplyInSpace)
{
	return delete_reply(r);
}
