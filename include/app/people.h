/*
 * Users, organizations, members, tokens: the writes that the API and the octavo
 * command have in common. All run inside the caller's write transaction; new
 * ids and texts are in the arena.
 */
#ifndef OCTAVO_PEOPLE_H
#define OCTAVO_PEOPLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/role.h"
#include "db/db.h"

/* Addresses are compared in lower case (ASCII). NULL: not an address (one @, nothing quoted, no blanks). */
char *email_normal(struct arena *a, const char *email);

/* A new user with a verified address; the address must be free. Returns the id. */
char *user_make(struct db *db, struct arena *a, const char *email, const char *name);
/* A new user whom somebody else named by address: not verified, no way to sign in yet. */
char *user_invite(struct db *db, struct arena *a, const char *email);
/* A user for the audit record, as JSON; NULL: there is none. */
char *user_snapshot(struct db *db, struct arena *a, const char *user);
/* Id of the user with this id or address; NULL if there is none, or the user was forgotten. */
char *user_find(struct db *db, struct arena *a, const char *id_or_email);
/*
 * Forgets the person behind a user, whose memberships and tokens the caller has ended: name, address and
 * pictures go, and tokens for sites. The row stays as "Deleted user", since what the person wrote names it,
 * with its id for an address, so that the address is free for another user.
 */
void  user_forget(struct db *db, const char *user);

struct org_new {
	const char *title, *domains /* JSON array */, *type, *use_case, *community_type;
	const char *creator;     /* user id, NULL: unknown */
};
char *org_make(struct db *db, struct arena *a, const struct org_new *o);
/* Sets the domains whose verified users may join: a JSON array of text, kept in lower case, each once. */
void  org_domains(struct db *db, struct arena *a, const char *org, const char *json);
bool  org_exists(struct db *db, const char *org);

/* Adds a member or changes the role of one; ROLE_NONE: a guest. A disabled member is enabled. */
void member_set(struct db *db, const char *org, const char *user, enum role role);
/* The user founded the organization or joined it by themselves: it may see what they do to their account. */
void member_chose(struct db *db, const char *org, const char *user);
/* A membership for the audit record: role, disabled, sso, as JSON; NULL: there is none. */
char *member_snapshot(struct db *db, struct arena *a, const char *org, const char *user);
/* Is this member the only admin who can still act? */
bool member_last_admin(struct db *db, const char *org, const char *user);
/* Ends a membership with all teams, grants and invite links in the organization; false as below. */
bool member_remove(struct db *db, const char *org, const char *user, bool *last);
/* False if the user is no member, or the last admin (*last is then true). */
bool member_disable(struct db *db, const char *org, const char *user, bool *last);

/*
 * Tokens descend from the one that they were made with: a token has no wider
 * scope and no longer life than that, and ends with it. The caller sees to the first two.
 */
struct token_new {
	const char *user, *scope /* read, write, admin */, *label;
	int64_t     expires_at;  /* ms; 0: never */
	const char *made_by;     /* id of a token; NULL: the octavo command */
};
/* A new token; its text, which is stored nowhere. */
char *token_add(struct db *db, struct arena *a, const struct token_new *t);
/* The same with no other token. */
char *token_make(struct db *db, struct arena *a, const char *user, const char *scope,
    const char *label, int64_t expires_at);
/* Ids of the living tokens that descend from this one, over ended ones as well, itself first if it lives. */
struct token_ids {
	const char **list;
	size_t       n;
};
struct token_ids token_family(struct db *db, struct arena *a, const char *id);
/* What descends from one token descends from another, and lives no longer than that. */
void  token_adopt(struct db *db, const char *from, const char *to);
/* When the token of this id ends, ms; 0: never, or there is none. */
int64_t token_end(struct db *db, const char *id);
/* Id of the token with this text, and user of the one with this id; NULL if there is none. */
char *token_id(struct db *db, struct arena *a, const char *text);
char *token_user(struct db *db, struct arena *a, const char *id);
/* A token for the audit record, without its text, as JSON; NULL: there is none. */
char *token_snapshot(struct db *db, struct arena *a, const char *id);
/* False if there is no such living token. Its descendants live on. */
bool  token_revoke(struct db *db, const char *id);

#endif
