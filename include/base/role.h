/*
 * Roles: what a user may do in an organization, or on a space or collection. Each role includes the
 * smaller ones, so that rights are compared as numbers; the database stores the same numbers.
 *
 * The level of a space or collection applies to everybody without a grant there: a role, ROLE_NONE
 * (no access), or LEVEL_INHERIT (the level of its parent). A value is either a role or a level, so -1
 * can have two names.
 */
#ifndef OCTAVO_ROLE_H
#define OCTAVO_ROLE_H

#include <stdint.h>

enum role {
	ROLE_STRANGER = -1,  /* no member of the organization */
	LEVEL_INHERIT = -1,
	ROLE_NONE = 0,       /* a guest of the organization; on a place: no access */
	ROLE_READ,
	ROLE_COMMENT,        /* reads, and writes comments */
	ROLE_EDIT,           /* edits live content; if the space accepts only change requests, only these */
	ROLE_REVIEW,         /* reviews and merges change requests */
	ROLE_CREATE,         /* creates and deletes spaces, and grants roles on them */
	ROLE_ADMIN           /* admin of the organization: may do everything in it */
};

/* The same numbers for SQL: "m.role >= " SQL_ROLE_CREATE " AND …". */
#define SQL_ROLE_STRANGER "-1"
#define SQL_ROLE_READ     "1"
#define SQL_ROLE_REVIEW   "4"
#define SQL_ROLE_CREATE   "5"
#define SQL_ROLE_ADMIN    "6"
#define SQL_LEVEL_INHERIT "-1"

/* The name in the API, from "read" to "admin"; NULL for any other number. */
const char *role_name(int64_t role);

/* The role with that name; ROLE_NONE if there is none, or if name is NULL. */
enum role role_number(const char *name);

#endif
