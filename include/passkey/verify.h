/*
 * Verifies what a device answered: authenticator data, client data and signature (Web
 * Authentication Level 2, sections 7.1 and 7.2). The caller has checked the content of the client
 * data: type, challenge, origin. The device must have verified the person (by a PIN or a
 * fingerprint). Octavo requests no attestation, so the manufacturer of the device is unknown.
 */
#ifndef OCTAVO_PASSKEY_VERIFY_H
#define OCTAVO_PASSKEY_VERIFY_H

#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"

struct passkey_key {
	int        kind;         /* algorithm of COSE: -7 ES256, -8 EdDSA, -257 RS256 */
	struct str credential;   /* the device's id for the key */
	struct str key;          /* public key */
	uint32_t   count;        /* the device's counter; 0: it has none */
};

/*
 * Reads the key that a device made for the host. Returns NULL, or why it is refused: a clause such
 * as "the device …".
 */
const char *passkey_read(struct arena *a, const char *rp, struct str authenticator, struct passkey_key *out);

/*
 * Verifies a sign-in for the host by the key. Returns NULL and sets *count to the device's counter;
 * otherwise returns why the sign-in is refused. The caller, which has stored the last counter,
 * checks that the new one is larger.
 */
const char *passkey_verify(const char *rp, const struct passkey_key *key, struct str client, struct str authenticator,
    struct str signature, uint32_t *count);

#endif
