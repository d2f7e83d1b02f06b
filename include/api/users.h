/* Users. Implemented in people/users.c. */
#ifndef OCTAVO_API_USERS_H
#define OCTAVO_API_USERS_H

#include "http/req.h"

extern const struct shape User, UserSelf, UserEdit;

/* Columns of the User shape from a joined account u, for a field with .join = prefix. */
#define USER_COLS(u, prefix) \
	u ".id AS " prefix "id, " "COALESCE(" u ".address, " u ".email) AS " prefix "email, " u ".name AS " prefix "name, " \
	u ".photo_url AS " prefix "photo_url"

/* The row of {userId}, if the caller may see the user; NULL after fail(). */
struct stmt *user_or_fail(struct req *r);

#endif
