/*
 * Exchanges the code that a browser brought back for the claims of a person: OpenID Connect Core
 * 1.0, section 3.1.3, with PKCE (RFC 7636). If none of the cached keys of the provider has signed
 * the token, the keys are fetched again, once. If the ID token has no email, the UserInfo endpoint
 * is requested (section 5.3); its answer must have the same subject.
 */
#ifndef OCTAVO_OIDC_EXCHANGE_H
#define OCTAVO_OIDC_EXCHANGE_H

#include "oidc/id_token.h"
#include "oidc/provider.h"

struct oidc_return {
	const char *code, *redirect, *verifier, *nonce;
};

/* False if it failed; oidc_fail() has then recorded the reason. */
bool oidc_exchange(struct oidc_run *run, const struct oidc_return *r, struct id_claims *out);

#endif
