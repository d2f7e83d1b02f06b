/*
 * Links with which a person sets a password and signs in: invitations and resets. Table
 * sign_in_link.
 *
 * The admin's command prints links, or they are sent by mail (signin/mail.h). A link can be used
 * once, until it expires. It is also invalid as soon as the account's password is set in any way (a
 * trigger). A link of the command replaces all older links. A link that is requested by mail
 * does not, so that a stranger who knows an address cannot make a person's link invalid. The secret
 * of a link has 256 random bits; the database has only its hash. Setting a password by a link
 * verifies the account's address, because the link came from an admin of the machine, or by mail to
 * that address.
 */
#ifndef OCTAVO_SIGNIN_LINK_H
#define OCTAVO_SIGNIN_LINK_H

#include "base/settings.h"
#include "db/db.h"

enum { LINK_INVITE_DAYS = 7, LINK_RESET_HOURS = 2, LINK_MAILS_MOST = 20 };

struct sign_in_link {
	const char *account;
	const char *email, *name;   /* email and name of the account */
	const char *kind;           /* "invite" or "reset" */
	int64_t     ends_at;        /* ms */
};

/*
 * Makes a link of this kind, in the caller's write transaction, and deletes all other links of the
 * account. Returns its address, which contains the secret; the secret is stored nowhere else.
 */
char *link_make(struct db *db, struct arena *a, const struct settings *set, const char *account, const char *kind,
    int64_t *ends_at);

/*
 * Makes a link that is sent by mail, in the caller's write transaction, and returns its address.
 * NULL if no mail must be sent: the account does not exist (NULL), or it has LINK_MAILS_MOST links
 * that have not expired, so that nobody can fill a person's mailbox. Does the same work in each
 * case, so that the time does not reveal whether the account exists.
 */
char *link_ask(struct db *db, struct arena *a, const struct settings *set, const char *account);

/* Finds the link with this secret; false: there is none, or it has expired. */
bool link_find(struct db *db, struct arena *a, const char *secret, struct sign_in_link *out);

/* Ends the account's links and verifies its address, in the transaction that sets the password. */
void link_use(struct db *db, const char *account);

#endif
