/*
 * Support conversations, the issues that their users state, and clusters of them. What other files need of
 * conversations/conversations.c.
 */
#ifndef OCTAVO_API_CONVERSATIONS_H
#define OCTAVO_API_CONVERSATIONS_H

#include "http/req.h"

extern const struct shape ConversationQuery, ConversationList, ConversationIngest, ConversationWhole,
    ConversationIssueQuery, ConversationIssueList, ConversationIssueWhole;

#endif
