/*
 * Sessions of people in browsers. Table session.
 *
 * A session has the same rights as a token of the person with scope admin; but one that an
 * organization's provider made is valid for that organization alone (docs/design/security.md, "S21"). It ends if it was not
 * used for OCTAVO_SESSION_IDLE hours, after OCTAVO_SESSION_DAYS days, or on request. Its secret has
 * 256 random bits; the database has only the hash. Each sign-in makes a new secret, so that a
 * secret that an attacker put into the browser beforehand never becomes a session.
 *
 * Triggers of the database end sessions when the password changes, a membership is disabled or the
 * account is deleted (schema/0066_sign_in.sql), and those for one organization with the membership
 * (schema/0080_session_org.sql).
 */
#ifndef OCTAVO_SESSION_H
#define OCTAVO_SESSION_H

#include "base/settings.h"
#include "db/db.h"

enum { SESSION_DEVICE_MAX = 200 };

struct session {
	const char *account;
	const char *way;       /* "password", "link", "provider" or "passkey" */
	const char *org;       /* id of the organization whose provider signed the person in: the session is valid for it alone; NULL: for all */
	const char *provider;  /* id of that provider; NULL without org */
	const char *device;    /* User-Agent; NULL: unknown. Cut to SESSION_DEVICE_MAX bytes */
	/* set by session_make(): */
	const char *id;
	const char *secret;    /* value of the cookie; not stored anywhere */
	int64_t     ends_at;   /* ms */
};

/* Makes the session, in the caller's write transaction, and deletes expired sessions. */
void session_make(struct db *db, struct arena *a, const struct settings *set, struct session *s);

/*
 * Ends a session of the account. False if the account has no session with this id. org: only if the
 * session is valid for this organization alone; NULL: any.
 */
bool session_end(struct db *db, const char *account, const char *org, const char *id);

/* Ends the account's sessions, except the one with the id `except` (NULL: all). org as above. Returns how many. */
int64_t session_end_all(struct db *db, const char *account, const char *org, const char *except);

/* The first bytes of a User-Agent, cut between characters; NULL gives "". */
char *session_device(struct arena *a, const char *agent);

#endif
