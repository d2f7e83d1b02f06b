/* The caller's bearer tokens. What other files need of people/tokens.c. */
#ifndef OCTAVO_API_TOKENS_H
#define OCTAVO_API_TOKENS_H

#include "http/req.h"

extern const struct shape Token, TokenList, TokenCreate, TokenRotate, TokenRevokeQuery;

#endif
