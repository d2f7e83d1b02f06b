/* Users. What other files need of people/users.c. */
#ifndef OCTAVO_API_USERS_H
#define OCTAVO_API_USERS_H

#include "http/req.h"

extern const struct shape User, UserSelf, UserEdit;

/* Columns of the User shape from a joined user u, for a field with .join = prefix. */
#define USER_COLS(u, prefix) \
	u ".id AS " prefix "id, " u ".email AS " prefix "email, " u ".name AS " prefix "name, " \
	u ".photo_url AS " prefix "photo_url"

/* The row of {userId}, as far as the caller may know of it; NULL after fail(). */
struct stmt *user_or_fail(struct req *r);

#endif
