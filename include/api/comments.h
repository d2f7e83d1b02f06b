/* What the other files of the room use of comments.c. */
#ifndef OCTAVO_API_COMMENTS_H
#define OCTAVO_API_COMMENTS_H

#include "http/req.h"

extern const struct shape Comment, CommentList, CommentListQuery, CommentQuery, CommentPost, CommentEdit, ReplyEdit,
    RequestReplyEdit;

#endif
