/*
 * Verifies an ID token: OpenID Connect Core 1.0, section 3.1.3.7, with the advice of RFC 8725.
 *
 * - The algorithm must be one of RS256, PS256 and ES256 that the provider announces. The token's
 *   header can only choose among these: "none" and HS256 (with a public key as the secret) are
 *   refused before any key is looked at.
 * - The key must be one of the provider's keys with the header's "kid", of the kind that the
 *   algorithm needs. A header without "kid" is accepted if exactly one key is of that kind. RSA
 *   keys need 2048 bits or more. Keys inside the token ("jwk", "jku", "x5c") are not read, and
 *   headers with "crit" are refused.
 * - iss must equal the issuer byte by byte. aud must be or contain the client. azp, if present or
 *   if there are several audiences, must be the client. nonce must be that of the flow. exp must
 *   not have passed, and iat and nbf must have come; ID_TOKEN_SKEW seconds are allowed for clocks
 *   that differ.
 *
 * cjose checks the signatures. The header, which chooses the key, and the claims are parsed
 * strictly: no name may occur twice in them.
 */
#ifndef OCTAVO_OIDC_ID_TOKEN_H
#define OCTAVO_OIDC_ID_TOKEN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"

enum { ID_TOKEN_SKEW = 300, ID_TOKEN_MOST = 64 << 10 };

enum id_token_result {
	ID_TOKEN_VALID,
	ID_TOKEN_NO_KEY,    /* none of the keys fits: fetch the keys again */
	ID_TOKEN_REFUSED
};

struct id_token_wanted {
	const char *issuer, *client, *nonce;
	unsigned    algorithms;   /* bits of oidc/provider.h */
	int64_t     now;          /* seconds since 1970 */
};

struct id_claims {
	const char *subject;
	const char *email;        /* NULL: not sent */
	bool        verified;     /* the provider has verified the email */
	const char *name;         /* NULL: not sent */
};

/*
 * keys: a JSON Web Key Set (RFC 7517, section 5). *why: unless the token is valid, a clause that
 * says what is wrong.
 */
enum id_token_result id_token_verify(struct arena *a, const char *token, struct str keys, const struct id_token_wanted *w,
    struct id_claims *out, const char **why);

/* Reads email, verified and name from an object with claims. A missing claim is NULL or false. */
struct cJSON;
void id_claims_read(struct arena *a, const struct cJSON *v, struct id_claims *out);

#endif
