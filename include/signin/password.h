/*
 * Passwords. Table password.
 *
 * Hashed with Argon2id (RFC 9106) by libsodium, with the cost that it calls "interactive": 64 MiB and
 * about 0.1 s. Since memory and time would be multiplied by workers and CGI programs, hashing takes a
 * place first (app/place.h). There are as many as OCTAVO_PASSWORD_MEMORY has room for, and no more
 * than half of the processors and of the workers.
 *
 * A new password is refused if it has fewer than 10 or more than 1,000 characters; if it is one of
 * the 10,000 most common ones, in upper or lower case (a table made at build time from the
 * frequency list of the zxcvbn package); if it only repeats one to three bytes or counts
 * (abababababab, abcdefghijkl); or if it consists of the person's address or name and fewer than
 * six other characters.
 */
#ifndef OCTAVO_PASSWORD_H
#define OCTAVO_PASSWORD_H

#include "base/settings.h"
#include "db/db.h"

enum { PASSWORD_LEAST = 10, PASSWORD_MOST = 1000 };   /* minimum and maximum number of characters */

enum password_result { PASSWORD_OK, PASSWORD_WRONG, PASSWORD_BUSY };

/*
 * NULL if the person with this address and name may choose the password. Otherwise the reason,
 * "must …", for the message about the field.
 */
const char *password_fault(struct arena *a, const char *password, const char *email, const char *name);

/*
 * Hashes a new password of a person who is signed in or has a link: into *hash, in the arena.
 * PASSWORD_BUSY: there is no place. Takes 0.1 s: never inside a transaction.
 */
enum password_result password_hash(struct arena *a, const struct settings *set, const char *password, char **hash);

/*
 * Compares a password with a stored hash. hash NULL (no account, or no password): PASSWORD_WRONG
 * after the same time, so that the time does not reveal which addresses have an account. known: the
 * browser has signed in to the account before.
 */
enum password_result password_check(struct arena *a, const struct settings *set, const char *hash, const char *password,
    bool known);

/* The stored hash of the account; NULL: it has no password. */
char *password_of(struct db *db, struct arena *a, const char *account);

/* Stores the hash, and the time. A trigger ends all sessions of the account. */
void password_set(struct db *db, const char *account, const char *hash);

#endif
