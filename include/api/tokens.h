/* What the other files of the room use of tokens.c. */
#ifndef OCTAVO_API_TOKENS_H
#define OCTAVO_API_TOKENS_H

#include "http/req.h"

extern const struct shape Token, TokenList, TokenCreate, TokenRotate, TokenRevokeQuery;

#endif
