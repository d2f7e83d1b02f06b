/*
 * A sign-in at the provider that is under way: what binds the answer to the browser that began. The
 * browser keeps it, sealed, in a cookie of Octavo's pages; the provider sees the state, the nonce and
 * the hash of the verifier (RFC 7636). It ends after FLOW_SECONDS and counts once: table used_flow.
 */
#ifndef OCTAVO_SIGNIN_FLOW_H
#define OCTAVO_SIGNIN_FLOW_H

#include "db/db.h"

enum { FLOW_SECONDS = 600 };

struct flow {
	const char *issuer;        /* of the provider at which it began */
	const char *state, *nonce, *verifier;
	bool        names_itself;  /* the provider's answers name their issuer: one without is refused (RFC 9207) */
	int64_t     ends_at;       /* ms */
};

/* A new one, with random texts. now: ms. */
struct flow flow_make(struct arena *a, const char *issuer, bool names_itself, int64_t now);

/* As text of base64url, sealed under the installation's key; and back: false if it is none, or has ended. */
char *flow_seal(struct arena *a, const struct flow *f);
bool flow_unseal(struct arena *a, const char *text, int64_t now, struct flow *out);

/* Uses it up, in the caller's write transaction; false: it was used before. */
bool flow_use(struct db *db, struct arena *a, const struct flow *f, int64_t now);

#endif
