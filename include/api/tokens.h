/* The caller's bearer tokens. Implemented in people/tokens.c. */
#ifndef OCTAVO_API_TOKENS_H
#define OCTAVO_API_TOKENS_H

#include "http/req.h"

extern const struct shape Token, TokenList, TokenCreate, TokenRotate, TokenRevokeQuery;

#endif
