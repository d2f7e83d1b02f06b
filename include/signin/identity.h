/*
 * The account that belongs to a person of the provider. Table identity.
 *
 * 1. A person who has signed in before has a row with issuer and subject. The row decides, even if
 * the person's address has changed.
 * 2. Otherwise, if the provider has verified the address and an account has the same address, the
 * account is linked. Its address counts as verified from then on.
 * 3. Otherwise, if the provider has verified the address and an organization has its domain in
 * emailDomains, an account is made. It is not a member of any organization; the person joins in a
 * step of their own.
 *
 * Memberships are not changed, so a disabled member stays disabled.
 */
#ifndef OCTAVO_SIGNIN_IDENTITY_H
#define OCTAVO_SIGNIN_IDENTITY_H

#include "signin/provider.h"

enum identity_result {
	IDENTITY_KNOWN, IDENTITY_LINKED, IDENTITY_MADE,   /* The account that signs in: known before, linked now, or made now */
	IDENTITY_NO_EMAIL,      /* the provider sent no address, or an invalid one */
	IDENTITY_UNVERIFIED,    /* the provider has not verified the address; account: the one that has it, or NULL */
	IDENTITY_STRANGER       /* no account has the address, and no organization has its domain */
};

struct identity {
	enum identity_result result;
	char *account;          /* id; NULL: none */
	char *email;            /* in its normal form; NULL: none */
};

/*
 * Finds, links or makes the account, in the caller's write transaction. If the result is a refusal,
 * nothing was changed.
 */
struct identity identity_find(struct db *db, struct arena *a, const char *issuer, const struct provider_person *who);

#endif
