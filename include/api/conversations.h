/*
 * Support conversations, the issues found in them, and their clusters. Implemented in
 * conversations/conversations.c.
 */
#ifndef OCTAVO_API_CONVERSATIONS_H
#define OCTAVO_API_CONVERSATIONS_H

#include "http/req.h"

extern const struct shape ConversationQuery, ConversationList, ConversationIngest, ConversationWhole,
    ConversationIssueQuery, ConversationIssueList, ConversationIssueWhole;

#endif
