/*
 * One-time codes: a program (a script, an editor) opens the browser, the person confirms there, and
 * the program exchanges the code for a token (POST /sso/token). Table sign_in_code.
 *
 * A code can be used once, within CODE_SECONDS, and only with the verifier whose SHA-256 the
 * program sent at the beginning (PKCE, RFC 7636 section 4.6). So an intercepted code is useless.
 * The code expires with the session of the person who confirmed it. A wrong verifier makes the code
 * invalid.
 */
#ifndef OCTAVO_SIGNIN_CODE_H
#define OCTAVO_SIGNIN_CODE_H

#include "db/db.h"

enum { CODE_SECONDS = 60, CODE_CHALLENGE = 43, CODE_VERIFIER_LEAST = 43, CODE_VERIFIER_MOST = 128 };

struct sign_in_code {
	const char *session;     /* id of the session of the person who confirmed */
	const char *client;      /* name of the program */
	const char *scope;       /* scope of the token */
	const char *challenge;   /* base64url of SHA-256 of the verifier, CODE_CHALLENGE characters */
	int64_t     token_end;   /* ms; 0: the token does not end */
	const char *account;     /* set by code_take() */
};

/* True if the text can be a challenge: 43 characters of base64url (RFC 7636, section 4.2). */
bool code_challenge_ok(const char *challenge);

/* The challenge of a verifier, by the method S256. */
char *code_challenge(struct arena *a, const char *verifier);

/* Makes a code in the caller's write transaction and returns it. *ends_at: ms. */
char *code_make(struct db *db, struct arena *a, const struct sign_in_code *c, int64_t *ends_at);

/* Makes the code invalid. True if it was valid and the verifier is correct; then *c is filled. */
bool code_take(struct db *db, struct arena *a, const char *code, const char *verifier, struct sign_in_code *c);

#endif
