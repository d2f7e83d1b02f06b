/*
 * Whom a person of the provider is here. Table identity.
 *
 *  1. Who came before has a row: issuer and subject, whatever the address has become since.
 *  2. Else an address that the provider has verified finds the account that has it, which is linked and
 *     whose address is verified from then on.
 *  3. Else an account is made for a verified address whose domain an organization has in emailDomains.
 *     It is no member of anything: joining is the person's own step.
 *
 * A disabled member stays disabled: memberships are not touched.
 */
#ifndef OCTAVO_SIGNIN_IDENTITY_H
#define OCTAVO_SIGNIN_IDENTITY_H

#include "signin/provider.h"

enum identity_result {
	IDENTITY_KNOWN, IDENTITY_LINKED, IDENTITY_MADE,   /* the account signs in */
	IDENTITY_NO_EMAIL,      /* the provider tells no address, or one that is none */
	IDENTITY_UNVERIFIED,    /* the provider has not verified the address; account: who has it, or NULL */
	IDENTITY_STRANGER       /* nobody has the address, and no organization its domain */
};

struct identity {
	enum identity_result result;
	char *account;          /* id; NULL: none */
	char *email;            /* in its normal form; NULL: none */
};

/* In the caller's write transaction, which a refusal leaves as it was. */
struct identity identity_find(struct db *db, struct arena *a, const char *issuer, const struct provider_person *who);

#endif
