/*
 * Shared by the files of this folder (comments.c, comment_target.c, commenters.c, last_look.c,
 * reactions.c, replies.c, reviews.c). "Remark" means a comment or a reply. The scope of a comment is a space's
 * primary content, or one change request.
 */
#ifndef OCTAVO_API_COMMENT_H
#define OCTAVO_API_COMMENT_H

#include "api/comments.h"
#include "api/examples.h"
#include "api/rich_text.h"
#include "api/users.h"
#include "app/audit.h"
#include "http/req.h"
#include "propagate/comments.h"
#include "store/content.h"

extern const struct shape Comment, CommentPermissions, CommentTarget, TableCell;

/* Query parameter: the format of texts in the answer. */
#define COMMENT_FORMAT \
	{ "format", T_ENUM, .set = "document,markdown", .preset = "\"markdown\"", \
	  .doc = "How texts come" }

/* Members of both comments and replies, as fields of their shapes. */
#define REMARK_FIELDS \
	{ "id", T_TEXT, F_REQ, .doc = "Unique id", .example = EXAMPLE_COMMENT }, \
	{ "postedBy", T_OBJECT, F_REQ, .of = &User, .join = "poster_", .doc = "Who wrote it" }, \
	{ "postedAt", T_TIME, F_REQ, .col = "created_at", .doc = "When it was written" }, \
	{ "editedAt", T_TIME, .col = "edited_at", .doc = "When its text was last changed" }, \
	{ "reactions", T_LIST, F_REQ, .of = &EmojiReaction, .emit = emit_reactions, .doc = "Reactions, by emoji" }, \
	{ "body", T_OBJECT, F_REQ, .of = &RichText, .emit = emit_rich, .doc = "The text" }, \
	{ "permissions", T_OBJECT, F_REQ, .of = &CommentPermissions, .emit = emit_remark_permissions, \
	  .doc = "What you may do with it" }

extern const struct shape EmojiReaction;
void emit_reactions(struct json *j, const struct field *f, const struct row *w);
void emit_rich(struct json *j, const struct field *f, const struct row *w);
void emit_remark_permissions(struct json *j, const struct field *f, const struct row *w);

/*
 * Scope of the comments that the path names: the id of the change request if the path has one,
 * otherwise the id of the space.
 */
const char *comment_scope(const struct req *r);
/* The path of the scope below /v1. */
const char *comment_base(struct req *r, const char *scope);

/* The row of {commentId} in the scope. NULL, after fail() with 404, if there is none (a DELETE then answers 204). */
struct stmt *comment_or_fail(struct req *r);

/*
 * Reads page, node and cell of a new comment from the body, and sets the revision that they are in.
 * All of them must exist at the point. 0 or fail().
 */
int comment_target_or_fail(struct req *r, const struct point *p, struct comment_new *n);
void emit_comment_target(struct json *j, const struct field *f, const struct row *w);

/*
 * Writes true if other people wrote the comment, or a reply to it, after the caller last read the
 * conversation. Writes nothing for comments on primary content.
 */
void emit_unread(struct json *j, const struct field *f, const struct row *w);

/* Adds and removes the caller's reactions as the body requests. target: the id of the comment, or of the reply to it that gets them. */
void apply_reactions(struct req *r, const char *comment, const char *target);

/* Writes the comment of a review as the value of the open key. False: the review has no comment. */
bool review_comment(struct req *r, const char *key, const char *review);

/*
 * Checks that the caller may make the change in the body: the author, or a user with the role create,
 * may change the text; the role comment may resolve it and change reactions. 0 or fail().
 */
int remark_change_or_fail(struct req *r, const char *author);

/* The body's text as Markdown, not blank; NULL after fail(). */
const char *remark_body(struct req *r);

/*
 * Writes the audit record of the deletion of a comment, or of a reply (AUDIT_REPLY_DELETE): its
 * author and place, not its text. Call it before the deletion.
 */
void remark_deleted(struct req *r, enum audit_action action, const char *id);

#endif
