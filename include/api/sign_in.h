/*
 * Signing in, and what a person does with their own sessions, password and account. Implemented in
 * src/api/signin.
 */
#ifndef OCTAVO_API_SIGN_IN_H
#define OCTAVO_API_SIGN_IN_H

#include "http/req.h"

extern const struct shape SignInWays, SignIn, SignedIn, SessionList, SessionsQuery, LinkSecret, LinkShown, LinkUse,
	ResetAsk, PasswordChange, CodeCreate, Code, CodeExchange, AccountDelete, ProviderStart, ProviderReturn;

/* Actions that take a sign-in within this time. */
enum { RECENT_MS = 10 * 60 * 1000 };

/*
 * 0: the caller may do what changes how the account is signed in to: it is a session that is younger
 * than RECENT_MS. Else fail(). tokens: a token may do it as well.
 */
int recent_or_fail(struct req *r, bool tokens);

/*
 * 0: the request comes from no browser, or from a page of this installation; else fail(). For operations
 * that prove who somebody is: a page of another site must not try passwords from its readers' networks.
 */
int own_origin_or_fail(struct req *r);

/*
 * Makes a session for the account and replies with it: the only answer with its secret. way: as in
 * struct session. Records it. Inside the request's write transaction.
 */
int reply_signed_in(struct req *r, const char *account, const char *way);

#endif
