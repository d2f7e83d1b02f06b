/*
 * Verifies an ID token: OpenID Connect Core 1.0, section 3.1.3.7, with what RFC 8725 advises.
 *
 *  - The algorithm is one of RS256, PS256 and ES256 that the provider announces. The header chooses
 *    among these alone: "none" and HS256 (with a public key as the secret) are refused before any key
 *    is looked at.
 *  - The key is one of the provider's with the header's "kid", of the kind that the algorithm takes; a
 *    header without it counts where a single key fits. RSA keys have 2048 bits or more. Keys inside of
 *    the token ("jwk", "jku", "x5c") are not read, headers with "crit" are refused.
 *  - iss is the issuer byte by byte; aud is or has the client, and azp is the client where there is one
 *    or several audiences; nonce is that of the flow; exp has not passed and iat and nbf have come, with
 *    ID_TOKEN_SKEW seconds for clocks that differ.
 *
 * Signatures are checked by cjose; the header, which chooses the key, and the claims are read strictly,
 * and no name may be in them twice.
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
	ID_TOKEN_NO_KEY,    /* none of the keys fits: fetch them again */
	ID_TOKEN_REFUSED
};

struct id_token_wanted {
	const char *issuer, *client, *nonce;
	unsigned    algorithms;   /* bits of oidc/provider.h */
	int64_t     now;          /* seconds since 1970 */
};

struct id_claims {
	const char *subject;
	const char *email;        /* NULL: not told */
	bool        verified;     /* the provider has verified the email */
	const char *name;         /* NULL: not told */
};

/* keys: a JSON Web Key Set (RFC 7517, section 5). *why: unless valid, a clause that says what is wrong. */
enum id_token_result id_token_verify(struct arena *a, const char *token, struct str keys, const struct id_token_wanted *w,
    struct id_claims *out, const char **why);

/* email, verified and name of an object with claims; what it does not tell is NULL and false. */
struct cJSON;
void id_claims_read(struct arena *a, const struct cJSON *v, struct id_claims *out);

#endif
