/*
 * A code that came back with the browser becomes the claims of a person: OpenID Connect Core 1.0,
 * section 3.1.3, with PKCE (RFC 7636). The provider's keys are fetched anew, once, where none of the
 * known ones has signed the token. Where the ID token has no email, the UserInfo endpoint is asked
 * (section 5.3), and its answer must be of the same subject.
 */
#ifndef OCTAVO_OIDC_EXCHANGE_H
#define OCTAVO_OIDC_EXCHANGE_H

#include "oidc/id_token.h"
#include "oidc/provider.h"

struct oidc_return {
	const char *code, *redirect, *verifier, *nonce;
};

/* False after oidc_fail(). */
bool oidc_exchange(struct oidc_run *run, const struct oidc_return *r, struct id_claims *out);

#endif
