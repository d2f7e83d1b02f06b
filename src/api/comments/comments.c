/*
 * Comments on a space's primary content (/spaces/{spaceId}/comments) and on a change request
 * (…/change-requests/{changeRequestId}/comments): the same code for two scopes. Tables:
 * include/propagate/comments.h. Targets: comment_target.c; replies: replies.c; reactions:
 * reactions.c; commenters: commenters.c.
 *
 * Users with the role comment may post, resolve and react; the author, or an admin of the space
 * (role create), may edit and delete. The page or block of a new comment must exist in the head of
 * the scope.
 */
#include <cjson/cJSON.h>

#include "api/app_address.h"
#include "api/access.h"
#include "api/audit_events.h"
#include "api/comments.h"
#include "api/examples.h"
#include "api/lists.h"
#include "api/request_row.h"
#include "api/rich_text.h"
#include "api/users.h"
#include "app/audit.h"
#include "http/req.h"
#include "store/content.h"
#include "comment.h"

const struct shape CommentPermissions = { "CommentPermissions", (const struct field[]){
	{ "view", T_BOOL, F_REQ, .doc = "You may read it" },
	{ "edit", T_BOOL, F_REQ, .doc = "You may change its text" },
	{ "reply", T_BOOL, F_REQ, .doc = "You may reply" },
	{ "delete", T_BOOL, F_REQ, .doc = "You may delete it" },
	{ 0 } } };

static void emit_location(struct json *j, const struct field *f, const struct row *w);
static void emit_app(struct json *j, const struct field *f, const struct row *w);
static const struct shape CommentUrls = { "CommentUrls", (const struct field[]){
	{ "location", T_TEXT, F_REQ, .emit = emit_location, .doc = "Address in this API",
	  .example = EXAMPLE_URL "/spaces/" EXAMPLE_SPACE "/comments/" EXAMPLE_COMMENT },
	{ "app", T_TEXT, F_REQ, .emit = emit_app, .doc = "Address of the page in the application that shows it",
	  .example = EXAMPLE_APP "/spaces/" EXAMPLE_SPACE "/pages/" EXAMPLE_PAGE "#comment-" EXAMPLE_COMMENT },
	{ 0 } } };

static void emit_repliers(struct json *j, const struct field *f, const struct row *w);

const struct shape Comment = { "Comment", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "comment", .doc = "Kind of object" },
	REMARK_FIELDS,
	{ "status", T_ENUM, F_REQ, .set = "open,resolved", .doc = "Whether the comment is resolved" },
	{ "resolvedAt", T_TIME, .col = "resolved_at", .doc = "When it was resolved" },
	{ "resolvedBy", T_OBJECT, .of = &User, .join = "resolver_", .doc = "User who resolved it" },
	{ "replies", T_INT, F_REQ, .doc = "Number of replies", .example = "0" },
	{ "repliers", T_LIST, F_REQ, .of = &UserContributor, .emit = emit_repliers,
	  .doc = "Users who replied, with the number of their replies" },
	{ "unread", T_BOOL, .emit = emit_unread,
	  .doc = "true: another user wrote the comment, or a reply to it, after you last read the comments, or last replied to it, "
	  "reacted to it or resolved it; absent: a comment on the "
	  "primary content" },
	{ "target", T_OBJECT, F_REQ, .of = &CommentTarget, .emit = emit_comment_target,
	  .doc = "Object that the comment is on" },
	{ "urls", T_OBJECT, F_REQ, .of = &CommentUrls, .join = "", .doc = "Its addresses" },
	{ 0 } } };
LIST_SHAPE(CommentList, Comment);

const struct shape CommentQuery = { "CommentQuery", (const struct field[]){
	COMMENT_FORMAT,
	{ 0 } } };
const struct shape CommentListQuery = { "CommentListQuery", (const struct field[]){
	PAGING,
	{ "order", T_ENUM, .set = "asc,desc", .preset = "\"desc\"", .doc = "desc: newest first; asc: oldest first" },
	{ "status", T_ENUM, .set = "all,open,resolved", .preset = "\"all\"",
	  .doc = "Only comments of this status" },
	{ "targetPage", T_TEXT, .max = 100, .doc = "Only comments on this page", .example = EXAMPLE_PAGE },
	{ "authors", T_LIST, F_MULTI, .max = 100, .item = &(const struct field){ "", T_TEXT, .max = 100 },
	  .doc = "Only comments of these users", .example = "[\"u3JpZ8nYqLk5WvTf6MxA\"]" },
	COMMENT_FORMAT,
	{ 0 } } };

#define REACTIONS \
	{ "addedReactions", T_LIST, .max = 100, .item = &(const struct field){ "", T_EMOJI, \
	  .max = 50 }, .doc = "Emoji to react with", .example = "[\"1f44d\"]" }, \
	{ "removedReactions", T_LIST, .max = 100, .item = &(const struct field){ "", T_EMOJI, \
	  .max = 50 }, .doc = "Reactions of yours to take back", .example = "[]" }
const struct shape CommentPost = { "PostComment", (const struct field[]){
	{ "body", T_OBJECT, F_REQ, .of = &RichText, .doc = "The text" },
	{ "page", T_TEXT, .max = 100, .doc = "Id of the page that it is on; absent: the space or change request",
	  .example = EXAMPLE_PAGE },
	{ "node", T_TEXT, .max = 100, .doc = "Key of the block of the page that it is on, or of a line of code",
	  .example = EXAMPLE_BLOCK },
	{ "tableCell", T_OBJECT, .of = &TableCell, .doc = "Cell of the table; `node` is the table" },
	{ 0 } } };
const struct shape CommentEdit = { "UpdateComment", (const struct field[]){
	{ "resolved", T_BOOL, .doc = "true: resolves the comment; false: reopens it" },
	{ "body", T_OBJECT, .of = &RichText, .doc = "The new text" },
	REACTIONS,
	{ 0 } } };
const struct shape RequestReplyEdit = { "UpdateChangeRequestCommentReply", (const struct field[]){
	{ "resolved", T_BOOL, .doc = "true: resolves the comment that it replies to; false: reopens it" },
	{ "body", T_OBJECT, .of = &RichText, .doc = "The new text" },
	REACTIONS,
	{ 0 } } };
const struct shape ReplyEdit = { "UpdateCommentReply", (const struct field[]){
	{ "body", T_OBJECT, .of = &RichText, .doc = "The new text" },
	REACTIONS,
	{ 0 } } };

/* `comment` repeats the id: emit_reactions() reads it for comments and replies alike. */
#define COMMENT_COLS \
	"c.id, c.space, c.scope, c.review, c.author, c.created_at, c.edited_at, c.body, c.page, " \
	"c.node, c.record, c.definition, c.lost, c.revision, c.resolved_at, c.replies, c.id AS comment, " \
	"CASE WHEN c.resolved_at IS NULL THEN 'open' ELSE 'resolved' END AS status, " \
	USER_COLS("pu", "poster_") ", " USER_COLS("ru", "resolver_")
/* resolved_by is NULL for an open comment; accounts are never deleted. */
#define COMMENT_FROM \
	"comment c JOIN account pu ON pu.id = c.author LEFT JOIN account ru ON ru.id = c.resolved_by"
/* :authors is one text with all ids, ",id,id,". */
#define COMMENT_FILTERS \
	"c.scope = :scope AND (CAST(:page AS TEXT) IS NULL OR c.page = :page) " \
	"AND (CAST(:status AS TEXT) IS NULL OR CASE WHEN c.resolved_at IS NULL THEN 'open' " \
	"ELSE 'resolved' END = :status) AND (CAST(:authors AS TEXT) IS NULL " \
	"OR replace(:authors, ',' || c.author || ',', '') <> :authors) "

/*
 * Every look-up includes the scope: the id of a comment in another space or request is not found
 * (docs/design/security.md, "S1").
 */
SQL(q_comment, "SELECT " COMMENT_COLS " FROM " COMMENT_FROM " WHERE c.id = :id AND c.scope = :scope");
/* A review has at most one comment. */
SQL(q_of_review, "SELECT " COMMENT_COLS " FROM " COMMENT_FROM " WHERE c.review = :review");
/*
 * Two statements, since a direction cannot be bound. The comparison of (created_at, id) lets each
 * follow its index from the cursor :k1, :k2 on.
 */
SQL(q_newest,
    "SELECT " COMMENT_COLS ", c.created_at AS k1, c.id AS k2 FROM " COMMENT_FROM " WHERE "
    COMMENT_FILTERS "AND (CAST(:k1 AS TEXT) IS NULL "
    "OR (c.created_at, c.id) < (CAST(:k1 AS BIGINT), :k2)) "
    "ORDER BY c.created_at DESC, c.id DESC LIMIT :limit");
SQL(q_oldest,
    "SELECT " COMMENT_COLS ", c.created_at AS k1, c.id AS k2 FROM " COMMENT_FROM " WHERE "
    COMMENT_FILTERS "AND (CAST(:k1 AS TEXT) IS NULL "
    "OR (c.created_at, c.id) > (CAST(:k1 AS BIGINT), :k2)) "
    "ORDER BY c.created_at, c.id LIMIT :limit");
SQL(q_count, "SELECT count(*) FROM comment c WHERE " COMMENT_FILTERS);
/* The text is left out: deleted text must not remain in the audit log. */
SQL(q_snapshot,
    "SELECT space, scope, author AS \"postedBy\", created_at AS \"time_postedAt\" FROM comment "
    "WHERE id = :id");
SQL(q_reply_snapshot,
    "SELECT c.space, c.scope, c.id AS comment, y.author AS \"postedBy\", "
    "y.created_at AS \"time_postedAt\" FROM comment_reply y JOIN comment c ON c.id = y.comment "
    "WHERE y.id = :id");
/* The latest replier first. There is no limit, since few people take part in one conversation. */
SQL(q_repliers,
    "SELECT y.at, y.n, " USER_COLS("u", "u_") " FROM (SELECT author, max(created_at) AS at, "
    "count(*) AS n FROM comment_reply WHERE comment = :comment GROUP BY author) y "
    "JOIN account u ON u.id = y.author ORDER BY y.at DESC, u.id /*scan*/");
/* ---- parts of a comment ---- */

/* Ids of spaces and requests are random and never equal, so one column can contain either. */
const char *
comment_scope(const struct req *r)
{
	return r->request.id != NULL ? r->request.id : r->space.id;
}

/*
 * Uses the scope of the row instead of the path's, since the comment of a review is shown with its
 * own address.
 */
const char *
comment_base(struct req *r, const char *scope)
{
	if (strcmp(scope, r->space.id) == 0)
		return arena_printf(r->arena, "/spaces/%s", r->space.id);
	return arena_printf(r->arena, "/spaces/%s/change-requests/%s", r->space.id, scope);
}

static void
emit_repliers(struct json *j, const struct field *f, const struct row *w)
{
	struct stmt *q = db_use(w->r->db, &q_repliers);

	json_karr(j, f->name);
	bind_text(q, ":comment", row_text(w, "id"));
	/* The counter `replies` saves the query for the many comments without replies. */
	while (row_int(w, "replies") > 0 && stmt_step(q))
		shape_row(j, &UserContributor, w->r, q);
	json_end(j);
}

/* Bodies are stored as Markdown; rich_members() converts them as `format` says. */
void
emit_rich(struct json *j, const struct field *f, const struct row *w)
{
	json_kobj(j, f->name);
	rich_members(w->r, j, col_bytes(w->q, col(w->q, "body")));
	json_end(j);
}

/*
 * Computes the flag like author_or_fail(.., ROLE_CREATE): the role includes the token's cap, and
 * read_only covers the author's own comments, which need no role.
 */
static bool
may_edit(const struct req *r, const char *author)
{
	return r->space.role >= ROLE_CREATE || (strcmp(author, r->who.user) == 0 && !r->who.read_only);
}

/*
 * Flags of a comment (docs/design/permissions.md, "Flags"). The flag view is always true, since the
 * caller gets the comment.
 */
void
emit_remark_permissions(struct json *j, const struct field *f, const struct row *w)
{
	bool own = may_edit(w->r, row_text(w, "author"));

	json_kobj(j, f->name);
	json_kbool(j, "view", true);
	json_kbool(j, "edit", own);
	json_kbool(j, "reply", w->r->space.role >= ROLE_COMMENT);
	json_kbool(j, "delete", own);
	json_end(j);
}

static void
emit_location(struct json *j, const struct field *f, const struct row *w)
{
	json_kstr(j, f->name, url_for(w->r, "/v1%s/comments/%s",
	    comment_base(w->r, row_text(w, "scope")), row_text(w, "id")));
}

/* The address in the application: of the page with the comment, or of the change request. Without OCTAVO_APP: in the API. */
static void
emit_app(struct json *j, const struct field *f, const struct row *w)
{
	const char *space = row_text(w, "space"), *request = row_text(w, "scope"), *id = row_text(w, "id");
	struct req *r = w->r;

	if (!r->set->app) {
		emit_location(j, f, w);
		return;
	}
	if (strcmp(request, space) == 0)
		request = NULL;
	if (!row_null(w, "page"))
		json_kstr(j, f->name, arena_printf(r->arena, "%s#comment-%s", app_page_address(r, space, NULL, request, row_text(w, "page")), id));
	else if (request != NULL)
		json_kstr(j, f->name, url_for(r, "/app/spaces/%s/requests/%s#comment-%s", space, request, id));
	else
		json_kstr(j, f->name, app_space_address(r, space));
}

/*
 * May be called while a list of reviews is written: it uses another statement, so the row of the
 * list stays valid.
 */
bool
review_comment(struct req *r, const char *key, const char *review)
{
	struct stmt *q = db_use(r->db, &q_of_review);

	bind_text(q, ":review", review);
	if (!stmt_step(q))
		return false;
	json_key(&r->json, key);
	shape_row(&r->json, &Comment, r, q);
	return true;
}

/* ---- guards ---- */

/*
 * The row is valid until the next use of q_comment: callers copy the columns that they need longer.
 */
static struct stmt *
comment_row(struct req *r, const char *id)
{
	struct stmt *q = db_use(r->db, &q_comment);

	bind_text(q, ":id", id);
	bind_text(q, ":scope", comment_scope(r));
	return stmt_step(q) ? q : NULL;
}

/*
 * Finds the comment of the path; NULL after fail(). r->absent makes a DELETE answer 204
 * (docs/design/requests.md, "DELETE").
 */
struct stmt *
comment_or_fail(struct req *r)
{
	const char *id = path_id(r, "commentId");
	struct stmt *q = comment_row(r, id);

	if (q == NULL) {
		r->absent = true;
		fail(r, E_NOT_FOUND, "no comment %s", id);
	}
	return q;
}

/*
 * The route only requires the role read (routes.def), because the required role depends on the
 * body: an author whose role fell to read may still correct their own text, and resolving and
 * reacting takes the role comment.
 */
int
remark_change_or_fail(struct req *r, const char *author)
{
	if (body_has(r, "body") && author_or_fail(r, author, ROLE_CREATE) != 0)
		return -1;
	if (body_has(r, "resolved") || body_has(r, "addedReactions") || body_has(r, "removedReactions"))
		return role_or_fail(r, ROLE_COMMENT);
	return 0;
}

/*
 * The text of a comment or reply as Markdown. NULL after fail(): the body has no text, or one that
 * shows nothing.
 */
const char *
remark_body(struct req *r)
{
	const char *body = rich_markdown(r, body_get(r, "body"), "/body");

	if (body == NULL || doc_body_shows(str_of(body)))
		return body;
	fail_field(r, "/body", "is empty: say something");
	return NULL;
}

/* Must be called before the deletion, since the snapshot reads the row. */
void
remark_deleted(struct req *r, enum audit_action action, const char *id)
{
	bool reply = action == AUDIT_REPLY_DELETE;
	struct stmt *q = db_use(r->db, reply ? &q_reply_snapshot : &q_snapshot);

	bind_text(q, ":id", id);
	audit(r, &(struct audit_event){ .action = action, .org = r->space.org, .target = id,
	    .type = reply ? "comment-reply" : "comment", .before = audit_snapshot(r->arena, q) });
}

/* Replies with a comment that this transaction has just written, so it exists. */
static int
reply_comment(struct req *r, const char *id)
{
	return reply_current(r, comment_row(r, id), &Comment);
}

/* ---- what each operation does, in either scope ---- */

/* The authors of the query as ",id,id,"; NULL: no filter by author. */
static const char *
authors_text(struct req *r)
{
	const cJSON *list = query_list(r, "authors"), *v;
	struct buf b;

	if (list == NULL)
		return NULL;
	buf_init(&b, r->arena, 64 << 10);
	cJSON_ArrayForEach(v, list)
		buf_printf(&b, ",%s,", v->valuestring);
	return b.p;
}

/*
 * The same filters for the page and the count. `all`, the default of status
 * (docs/design/requests.md, "Order of lists"), is no filter.
 */
static struct stmt *
bind_filters(struct req *r, const struct sql *sql)
{
	struct stmt *q = db_use(r->db, sql);
	const char *status = query_text(r, "status");

	bind_text(q, ":scope", comment_scope(r));
	bind_text(q, ":page", query_text(r, "targetPage"));
	bind_text(q, ":authors", authors_text(r));
	bind_text(q, ":status", status == NULL || strcmp(status, "all") == 0 ? NULL : status);
	return q;
}

/* Sorted by creation, newest first unless the query has asc; comments of the same millisecond are sorted by id. */
static int
list_comments(struct req *r)
{
	const char *order = query_text(r, "order");
	bool oldest = order != NULL && strcmp(order, "asc") == 0;
	struct stmt *q;
	struct list l;
	int64_t count;

	if (list_open(r, &l, 2) != 0)
		return -1;
	count = stmt_int(bind_filters(r, &q_count), 0);
	q = bind_filters(r, oldest ? &q_oldest : &q_newest);
	list_bind(q, &l);
	return list_reply(r, &l, q, &Comment, count);
}

/* Checks the body first: it is cheap, while the target may need a document to be rendered. */
static int
post_comment(struct req *r)
{
	struct comment_new n = { .space = r->space.id, .scope = comment_scope(r), .author = r->who.user };
	struct point p;

	n.body = remark_body(r);
	/* The point is the head of the scope: the request's branch, else main. */
	if (n.body == NULL || point_or_fail(r, &p) != 0 || comment_target_or_fail(r, &p, &n) != 0)
		return -1;
	return reply_comment(r, comment_add(r->db, r->arena, &n));
}

static int
get_comment(struct req *r)
{
	struct stmt *q = comment_or_fail(r);

	return q == NULL ? -1 : reply_current(r, q, &Comment);
}

/* Applies all parts of the body in one transaction; absent members change nothing. */
static int
put_comment(struct req *r)
{
	struct stmt *q = comment_or_fail(r);
	const char *body, *id = path_id(r, "commentId");

	/* Copied: the check may run statements, which invalidate the row. */
	if (q == NULL || remark_change_or_fail(r, col_dup(q, col(q, "author"), r->arena)) != 0)
		return -1;
	if (body_has(r, "body")) {
		if ((body = remark_body(r)) == NULL)
			return -1;
		comment_edit(r->db, id, body);
	}
	if (body_has(r, "resolved"))
		comment_resolve(r->db, id, body_bool(r, "resolved", false) ? r->who.user : NULL);
	apply_reactions(r, id, id);
	return reply_comment(r, id);
}

/*
 * The author may delete a comment, and users with the role create on the space
 * (docs/design/permissions.md, "Flags"). Its replies are deleted with it.
 */
static int
delete_comment(struct req *r)
{
	struct stmt *q = comment_or_fail(r);

	if (q == NULL || author_or_fail(r, col_text(q, col(q, "author")), ROLE_CREATE) != 0)
		return -1;
	remark_deleted(r, AUDIT_COMMENT_DELETE, path_id(r, "commentId"));
	comment_delete(r->db, path_id(r, "commentId"));
	return reply_empty(r);
}

/* ---- handlers ---- */

/* GET …/change-requests/{changeRequestId}/comments */
HANDLER(listCommentsInChangeRequest)
{
	return list_comments(r);
}

/* POST …/change-requests/{changeRequestId}/comments */
HANDLER(postCommentInChangeRequest)
{
	return post_comment(r);
}

/* GET …/change-requests/{changeRequestId}/comments/{commentId} */
HANDLER(getCommentInChangeRequest)
{
	return get_comment(r);
}

/* PUT …/change-requests/{changeRequestId}/comments/{commentId} */
HANDLER(updateCommentInChangeRequest)
{
	return put_comment(r);
}

/* DELETE …/change-requests/{changeRequestId}/comments/{commentId} */
HANDLER(deleteCommentInChangeRequest)
{
	return delete_comment(r);
}

/* GET /spaces/{spaceId}/comments */
HANDLER(listCommentsInSpace)
{
	return list_comments(r);
}

/* POST /spaces/{spaceId}/comments */
HANDLER(postCommentInSpace)
{
	return post_comment(r);
}

/* GET /spaces/{spaceId}/comments/{commentId} */
HANDLER(getCommentInSpace)
{
	return get_comment(r);
}

/* PUT /spaces/{spaceId}/comments/{commentId} */
HANDLER(updateCommentInSpace)
{
	return put_comment(r);
}

/* DELETE /spaces/{spaceId}/comments/{commentId} */
HANDLER(deleteCommentInSpace)
{
	return delete_comment(r);
}
