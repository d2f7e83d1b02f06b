/*
 * Writes users, organizations, members and tokens, for the API and the octavo command. All functions
 * run inside the caller's write transaction; returned ids and texts are in the arena.
 */
#ifndef OCTAVO_PEOPLE_H
#define OCTAVO_PEOPLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/role.h"
#include "db/db.h"

/*
 * The form in which email addresses are compared: lower case (ASCII). NULL if the text is not an
 * address (it needs one @, and must not contain quotes or blanks).
 */
char *email_normal(struct arena *a, const char *email);

/* Adds a user with a verified address, which must be free. Returns the id. */
char *user_make(struct db *db, struct arena *a, const char *email, const char *name);
/*
 * Adds a user whom an organization's provider signs in. The address is only displayed: it need not
 * be unique, is not verified, is not used for look-ups, and gets no mail. "": none.
 */
char *user_make_apart(struct db *db, struct arena *a, const char *address, const char *name);
/*
 * Adds a user for an address that another user entered. The address is not verified, and the
 * account has no way to sign in yet.
 */
char *user_invite(struct db *db, struct arena *a, const char *email);
/* A user for the audit record, as JSON; NULL: there is none. */
char *user_snapshot(struct db *db, struct arena *a, const char *user);
/* Id of the user with this id or address; NULL: there is none, or the user was deleted. */
char *user_find(struct db *db, struct arena *a, const char *id_or_email);
/*
 * Deletes the personal data of a user, whose memberships and tokens the caller has ended: name,
 * address, pictures and site tokens. The row stays as "Deleted user", because content refers to it
 * as its author, with its id as its address, so that the address can be used again.
 */
void  user_forget(struct db *db, const char *user);

/*
 * Disables an account, or enables it again. A disabled account cannot sign in. Only commands call
 * this: `octavo user disable`; `user invite` and `member add` enable the account.
 */
void user_disable(struct db *db, const char *user, bool disabled);
/* NULL: false. */
bool user_disabled(struct db *db, const char *user);

struct org_new {
	const char *title, *domains /* JSON array */, *type, *use_case, *community_type;
	const char *creator;     /* user id, NULL: unknown */
};
/*
 * Makes an organization and returns its id. Its name in addresses of sites is made from the title.
 */
char *org_make(struct db *db, struct arena *a, const struct org_new *o);
/*
 * Sets the email domains whose users may join with a verified address. json: an array of strings;
 * stored in lower case, without repetitions.
 */
void  org_domains(struct db *db, struct arena *a, const char *org, const char *json);
bool  org_exists(struct db *db, const char *org);

/* Adds a member or changes its role; ROLE_NONE: a guest. Enables a disabled member. */
void member_set(struct db *db, const char *org, const char *user, enum role role);
/*
 * Records that the user founded the organization or joined it by choice: the organization may see
 * events of the account.
 */
void member_chose(struct db *db, const char *org, const char *user);
/* A membership for the audit record: role, disabled, sso, as JSON; NULL: there is none. */
char *member_snapshot(struct db *db, struct arena *a, const char *org, const char *user);
/* True if this member is the only admin who is not disabled. */
bool member_last_admin(struct db *db, const char *org, const char *user);
/* Ends a membership, with the member's teams, grants and invite links. False as for member_disable(). */
bool member_remove(struct db *db, const char *org, const char *user, bool *last);
/* False if the user is not a member, or is the last admin (then *last is true). */
bool member_disable(struct db *db, const char *org, const char *user, bool *last);

/* Ids of tokens or organizations. */
struct id_list {
	const char **list;
	size_t       n;
};
/*
 * A new token. It is a descendant of the token with which it was created (made_by), and is revoked
 * with it. Its scope must not be wider and its end not later than those of made_by: the caller checks
 * both.
 */
struct token_new {
	const char *user, *scope /* read, write, admin */, *label;
	int64_t     expires_at;  /* ms; 0: never */
	const char *made_by;     /* id of a token; NULL: the octavo command, or a person in a browser */
};
/* Ids of the organizations that the user is a member of; enabled: without disabled memberships. */
struct id_list user_orgs(struct db *db, struct arena *a, const char *user, bool enabled);
/* Ids of the user's tokens that are not revoked, oldest first. */
struct id_list user_tokens(struct db *db, struct arena *a, const char *user);
/* Adds a token and returns its text, which is not stored. */
char *token_add(struct db *db, struct arena *a, const struct token_new *t);
/* The same without a parent token. */
char *token_make(struct db *db, struct arena *a, const char *user, const char *scope,
    const char *label, int64_t expires_at);
/*
 * Ids of the valid tokens that descend from this one, also through revoked ones. The list begins
 * with the token itself if it is valid.
 */
struct id_list token_family(struct db *db, struct arena *a, const char *id);
/* Makes the descendants of `from` descendants of `to`, and shortens their lifetime to that of `to`. */
void  token_adopt(struct db *db, const char *from, const char *to);
/* When the token with this id expires, in ms; 0: never, or there is no such token. */
int64_t token_end(struct db *db, const char *id);
/* Id of the token with this text; user of the token with this id; NULL: there is none. */
char *token_id(struct db *db, struct arena *a, const char *text);
char *token_user(struct db *db, struct arena *a, const char *id);
/* A token for the audit record, without its text, as JSON; NULL: there is none. */
char *token_snapshot(struct db *db, struct arena *a, const char *id);
/* False if there is no such valid token. Its descendants stay valid. */
bool  token_revoke(struct db *db, const char *id);

#endif
