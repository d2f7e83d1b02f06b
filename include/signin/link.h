/*
 * Links with which a person sets a password, and so signs in: invitations and resets. Table
 * sign_in_link.
 *
 * The admin's command prints them, or they are sent by mail (signin/mail.h). A link works once, until
 * its end, and at most until the account's password is set, in whatever way (a trigger). One of the
 * command replaces all older ones. One that somebody asks for by mail stands beside the others: a
 * stranger who knows an address cannot take a link from anybody. Its secret has 256 random bits, of
 * which the database holds the hash. Setting a password by a link verifies the
 * account's address: whoever has the link got it from an admin of the machine, or by mail at that
 * address.
 */
#ifndef OCTAVO_SIGNIN_LINK_H
#define OCTAVO_SIGNIN_LINK_H

#include "base/settings.h"
#include "db/db.h"

enum { LINK_INVITE_DAYS = 7, LINK_RESET_HOURS = 2, LINK_MAILS_MOST = 20 };

struct sign_in_link {
	const char *account;
	const char *email, *name;   /* of the account */
	const char *kind;           /* "invite" or "reset" */
	int64_t     ends_at;        /* ms */
};

/*
 * Makes a link of this kind, the only one of the account then, in the caller's write transaction. Returns
 * its address, the only place of its secret.
 */
char *link_make(struct db *db, struct arena *a, const struct settings *set, const char *account, const char *kind,
    int64_t *ends_at);

/*
 * Makes a link for whoever asks by mail, in the caller's write transaction, and returns its address.
 * NULL: nobody is to get a mail, because there is no account (NULL), or LINK_MAILS_MOST links of it have
 * not ended, so that nobody's box is filled. The work is the same: its time must not tell which.
 */
char *link_ask(struct db *db, struct arena *a, const struct settings *set, const char *account);

/* Finds a link that has not ended by its secret; false: there is none. */
bool link_find(struct db *db, struct arena *a, const char *secret, struct sign_in_link *out);

/* Ends the account's links and verifies its address, in the transaction that sets the password. */
void link_use(struct db *db, const char *account);

#endif
