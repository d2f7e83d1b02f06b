/*
 * Signing in, and what a person does with their own sessions, password and account. Implemented in
 * src/api/signin.
 */
#ifndef OCTAVO_API_SIGN_IN_H
#define OCTAVO_API_SIGN_IN_H

#include "http/req.h"

extern const struct shape SignInWays, SignIn, SignedIn, SessionList, SessionsQuery, LinkSecret, LinkShown, LinkUse,
	ResetAsk, PasswordChange, CodeCreate, Code, CodeExchange, AccountDelete, ProviderStart, ProviderReturn, OrganizationSignIn,
	SAMLMetadata, SAMLResponse, SAMLCode,
	Identity, IdentityList, IdentityEdit, Passkey, PasskeyList, PasskeyStart, PasskeyCreate, PasskeyEdit, PasskeyReturn;

/* How long a sign-in counts as recent. Some operations require a recent sign-in. */
enum { RECENT_MS = 10 * 60 * 1000 };

/*
 * Checks the caller of an operation that changes how an account signs in. Returns 0 if the caller
 * is a session younger than RECENT_MS, or a token (only if `tokens` is true); otherwise fail().
 */
int recent_or_fail(struct req *r, bool tokens);

/*
 * Creates a session for the account, writes the audit record, and replies with the session; no
 * other answer contains its secret. way, org, provider: as in struct session. Call it in the request's write
 * transaction.
 */
int reply_signed_in(struct req *r, const char *account, const char *way, const char *org, const char *provider);

#endif
