/* The access check of all routes. Implemented in access_rules.c. */
#ifndef OCTAVO_API_ACCESS_RULES_H
#define OCTAVO_API_ACCESS_RULES_H

#include "http/req.h"
#include "store/computed.h"
#include "store/content.h"

/*
 * Checks the route's access rule; a callback of struct app. It runs before the body is read, and
 * again in the handler's transaction, so that its result is valid there. 0 or fail().
 */
int check_access(struct req *r);

/*
 * Sets r->space as if the path named the space, for operations that get its id in another way.
 * Checks no role. 0, or fail() with 404 for a space that the caller does not see.
 */
int space_enter(struct req *r, const char *id);

#endif
