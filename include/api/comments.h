/*
 * Shapes of comments on a space's primary content and on change requests. Implemented in
 * comments/comments.c and comments/last_look.c.
 */
#ifndef OCTAVO_API_COMMENTS_H
#define OCTAVO_API_COMMENTS_H

#include "http/req.h"

extern const struct shape Comment, CommentList, CommentListQuery, CommentQuery, CommentPost, CommentEdit, ReplyEdit,
    RequestReplyEdit,
    LastLook;

#endif
