/*
 * Links with which a person sets a password, and so signs in: invitations and resets. Table
 * sign_in_link.
 *
 * The admin's command prints them, or they are sent by mail (signin/mail.h). A link works once, until
 * its end; an account has one at most, so that a new one replaces an older one. Its secret has 256
 * random bits, of which the database holds the hash. Setting a password by a link verifies the
 * account's address: whoever has the link got it from an admin of the machine, or by mail at that
 * address.
 */
#ifndef OCTAVO_SIGNIN_LINK_H
#define OCTAVO_SIGNIN_LINK_H

#include "base/settings.h"
#include "db/db.h"

enum { LINK_INVITE_DAYS = 7, LINK_RESET_HOURS = 2 };

struct sign_in_link {
	const char *account;
	const char *email, *name;   /* of the account */
	const char *kind;           /* "invite" or "reset" */
	int64_t     ends_at;        /* ms */
};

/* Makes a link of this kind in the caller's write transaction. Returns its address, the only place of its secret. */
char *link_make(struct db *db, struct arena *a, const struct settings *set, const char *account, const char *kind,
    int64_t *ends_at);

/* Finds a link that has not ended by its secret; false: there is none. */
bool link_find(struct db *db, struct arena *a, const char *secret, struct sign_in_link *out);

/* Ends the account's link and verifies its address, in the transaction that sets the password. */
void link_use(struct db *db, const char *account);

#endif
