/* Replies to comments, in either scope. What other files need of comments/replies.c. */
#ifndef OCTAVO_API_REPLIES_H
#define OCTAVO_API_REPLIES_H

#include "http/req.h"

extern const struct shape CommentReply, CommentReplyList, ReplyListQuery, ReplyPost;

#endif
