/* The caller's bearer tokens. Implemented in people/tokens.c. */
#ifndef OCTAVO_API_TOKENS_H
#define OCTAVO_API_TOKENS_H

#include "app/people.h"
#include "http/req.h"

extern const struct shape Token, TokenList, TokenCreate, TokenRotate, TokenRevokeQuery;

/*
 * Creates the token, writes the audit record, and replies with the token; no other answer contains
 * its text. Returns 0.
 */
int reply_new_token(struct req *r, const struct token_new *t);

#endif
