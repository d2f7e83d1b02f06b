/*
 * A sign-in at the provider that has begun and not ended. It ties the provider's answer to the
 * browser that began: the browser keeps the flow, sealed, in a cookie of Octavo's pages, and the
 * provider gets the state, the nonce and the hash of the verifier (RFC 7636). A flow expires after
 * FLOW_SECONDS and can be used once (table used_flow). At a SAML provider, state is the RelayState, and nonce the id
 * of the request.
 */
#ifndef OCTAVO_SIGNIN_FLOW_H
#define OCTAVO_SIGNIN_FLOW_H

#include "db/db.h"

enum { FLOW_SECONDS = 600 };

struct flow {
	const char *provider;      /* id of the organization's provider at which the flow began; "": that of the installation */
	const char *issuer;        /* its issuer */
	const char *state, *nonce, *verifier;
	bool        sends_issuer;  /* the provider announced that its answers contain their issuer, so an answer without it is refused (RFC 9207) */
	int64_t     ends_at;       /* ms */
	/*
	 * "", or id of the session in which the person asked to link the organization's provider to
	 * the account. The account is the one of that session, as long as it lasts.
	 */
	const char *session;
	const char *from;          /* network address from which the sign-in was begun; "": unknown */
};

/* Makes a flow with random texts. sends_issuer is false. now: ms. */
struct flow flow_make(struct arena *a, const char *provider, const char *issuer, int64_t now);

/*
 * flow_seal() returns the flow as text in base64url, sealed with the installation's key.
 * flow_unseal() reads such a text; false if the text was not made by flow_seal(), or the flow has expired.
 */
char *flow_seal(struct arena *a, const struct flow *f);
bool flow_unseal(struct arena *a, const char *text, int64_t now, struct flow *out);

/* Marks the flow as used, in the caller's write transaction. False if it was used before. */
bool flow_use(struct db *db, struct arena *a, const struct flow *f, int64_t now);

/*
 * Marks the flow as not used, in the caller's write transaction: the provider gave no answer, so
 * the browser may try again with the same flow and code.
 */
void flow_undo(struct db *db, struct arena *a, const struct flow *f);

#endif
