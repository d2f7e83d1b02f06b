/*
 * Passkeys (WebAuthn): a person signs in by a key that a device keeps. Table passkey.
 *
 * The device answers a challenge, which is the state of a flow (signin/flow.h). The flow is sealed in a
 * cookie of this browser, is used once, and lasts ten minutes. The browser writes the kind of the request,
 * the challenge and its origin into the client data, which this module checks; the origin is that of OCTAVO_URL.
 * octavo-passkey (cgi/passkey.c) verifies what the device signed.
 *
 * A passkey belongs to a host, that of OCTAVO_URL. Browsers offer it at no other host, so after a
 * change of the host people sign in otherwise and add new ones.
 */
#ifndef OCTAVO_SIGNIN_PASSKEY_H
#define OCTAVO_SIGNIN_PASSKEY_H

#include "base/settings.h"
#include "db/db.h"
#include "signin/flow.h"

enum { PASSKEY_LABEL_MOST = 100 };

struct passkey {
	const char *id, *account;
	int         kind;          /* algorithm of COSE */
	const char *credential;    /* the device's id for it, in base64url */
	const char *key;           /* public key, in base64url */
	int64_t     count;         /* counter of the device; 0: it has none */
};

/* What the browser returned, each in base64url. signature: NULL for a new passkey. */
struct passkey_answer {
	const char *client, *authenticator, *signature;
};

/*
 * The host of OCTAVO_URL, if browsers can use passkeys there: a name, with https or localhost. NULL:
 * an IP address, or http.
 */
char *passkey_host(struct arena *a, const struct settings *set);

/* True if people are offered passkeys: there is such a host, and octavo-passkey is beside this program. */
bool passkey_can(struct arena *a, const struct settings *set);

/* A flow for a new passkey in the session, or for a sign-in (session ""). Its state is the challenge. */
struct flow passkey_begin(struct arena *a, const char *session, int64_t now);

/* True if the flow was made by passkey_begin() for this session. */
bool passkey_is_flow(const struct flow *f, const char *session);

/*
 * Checks the client data: they must be of this kind ("webauthn.create", "webauthn.get"), contain
 * the challenge, and come from a page of ours. NULL, or what is wrong.
 */
const char *passkey_client_fault(struct arena *a, const struct settings *set, const char *client, const char *kind,
    const char *challenge);

/*
 * Both run octavo-passkey, so never inside a transaction. NULL, or why the answer is refused.
 * *broken: the program could not answer, so it is not the device's fault. passkey_read_new() sets
 * credential, kind, key and count; passkey_check() the new count.
 */
const char *passkey_read_new(struct arena *a, const struct settings *set, const struct passkey_answer *in, struct passkey *out,
    bool *broken);
const char *passkey_check(struct arena *a, const struct settings *set, const struct passkey *k, const struct passkey_answer *in,
    int64_t *count, bool *broken);

/* The passkey of this host with the device's id, in base64url. False: there is none. */
bool passkey_find(struct db *db, struct arena *a, const char *host, const char *credential, struct passkey *out);

/* Stores a new passkey in the caller's write transaction, and sets its id. False: it is stored already. */
bool passkey_add(struct db *db, struct arena *a, const char *host, const char *label, struct passkey *k);

/*
 * Records a sign-in in the caller's write transaction. False, and nothing is changed, if the passkey was
 * deleted, or if its counter did not advance: there is a copy of it. Counters that stay 0 are accepted.
 */
bool passkey_use(struct db *db, const struct passkey *k, int64_t count);

#endif
