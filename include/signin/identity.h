/*
 * The account that belongs to an identity. Table identity. An identity is a person at an OpenID
 * provider, known by provider, issuer and subject. At the provider of the installation:
 *
 * 1. A person who has signed in before has a row with issuer and subject. The row decides, even if
 * the person's address has changed. If the account's owner has unlinked the identity, the person is
 * refused; the row stays, since its address would link the account again at the next sign-in.
 * 2. Otherwise, if the provider has verified the address and an account has the same address, the
 * account is linked. Its address counts as verified from then on.
 * 3. Otherwise, if the provider has verified the address and an organization has its domain in
 * emailDomains, an account is made. It is not a member of any organization; the person joins in a
 * step of their own.
 *
 * At a provider of an organization, which is trusted only for this organization
 * (docs/design/security.md, "S21"):
 *
 * 1. As above. A person who has signed in to an account links it to the provider by a flow that
 * names this session (signin/flow.h); the row is then changed.
 * 2. Otherwise, if a disabled member has the address, the person is refused.
 * 3. Otherwise, if the provider has verified the address and a member with `sso` has it, the
 * account is linked. No address is verified by it.
 * 4. Otherwise an account is made, beside one that has the same address. Its address
 * (account.address) cannot be used to sign in, and gives no access to an organization.
 *
 * Memberships are not changed here, so a disabled member stays disabled.
 */
#ifndef OCTAVO_SIGNIN_IDENTITY_H
#define OCTAVO_SIGNIN_IDENTITY_H

#include "signin/provider.h"

enum identity_result {
	IDENTITY_KNOWN, IDENTITY_LINKED, IDENTITY_MADE,   /* The account that signs in: known before, linked now, or made now */
	IDENTITY_UNLINKED,      /* the owner of the account has unlinked this identity from it */
	IDENTITY_NO_EMAIL,      /* the provider sent no address, or an invalid one */
	IDENTITY_UNVERIFIED,    /* the provider has not verified the address; account: the one that has it, or NULL */
	IDENTITY_DISABLED,      /* a disabled member of the organization has the address; account: that member's */
	IDENTITY_ENDED,         /* the session in which the person asked to link the account has ended */
	IDENTITY_STRANGER       /* no account has the address, and no organization has its domain */
};

struct identity {
	enum identity_result result;
	char *account;          /* id; NULL: none */
	char *email;            /* in its normal form; NULL: none */
};

/*
 * Finds, links or makes the account, in the caller's write transaction. If the result is a refusal,
 * nothing was changed. session: "", or the one in which the person asked to link an account.
 */
struct identity identity_find(struct db *db, struct arena *a, const struct provider *p, const struct provider_person *who,
    const char *session);

/*
 * True if the account's owner can sign in without the identity or passkey `without`: with a password, a passkey
 * made for `host` (passkey_host()), or an identity of the installation's provider (issuer: that of the settings).
 */
bool identity_is_spare(struct db *db, const char *account, const char *without, const char *host, const char *issuer);

/* Links or unlinks an identity of the account. False: no such identity, or nothing would change. */
bool identity_set_linked(struct db *db, const char *account, const char *id, bool linked);

#endif
