/*
 * Comments of a space's primary content (/spaces/{spaceId}/comments) and of a change request (…/change-
 * requests/{changeRequestId}/comments): one code, two scopes. What other files need of comments/comments.c.
 */
#ifndef OCTAVO_API_COMMENTS_H
#define OCTAVO_API_COMMENTS_H

#include "http/req.h"

extern const struct shape Comment, CommentList, CommentListQuery, CommentQuery, CommentPost, CommentEdit, ReplyEdit,
    RequestReplyEdit;

#endif
