/* Replies to comments, in either scope. Implemented in comments/replies.c. */
#ifndef OCTAVO_API_REPLIES_H
#define OCTAVO_API_REPLIES_H

#include "http/req.h"

extern const struct shape CommentReply, CommentReplyList, ReplyListQuery, ReplyPost;

#endif
