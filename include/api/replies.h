/* What the other files of the room use of replies.c. */
#ifndef OCTAVO_API_REPLIES_H
#define OCTAVO_API_REPLIES_H

#include "http/req.h"

extern const struct shape CommentReply, CommentReplyList, ReplyListQuery, ReplyPost;

#endif
