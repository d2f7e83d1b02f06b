/*
 * What is known already: roles on places, and counts of what a caller may read. What other files need of
 * known_roles.c.
 */
#ifndef OCTAVO_API_KNOWN_ROLES_H
#define OCTAVO_API_KNOWN_ROLES_H

#include "http/req.h"

/*
 * The row of an access statement for the caller (:user) on :place, NULL if there is none: how roles are
 * looked up. A role that is still true is remembered (known_roles.c), not worked out again.
 */
struct stmt *role_row(struct req *r, const struct sql *sql, const char *place);

/*
 * The count that a statement about an organization or a collection (its id)
 * gives, when bind() has bound what it takes: nothing but what the ids of both
 * and of the caller decide. Remembered until anybody's access changes (known_roles.c).
 */
int64_t count_seen(struct req *r, const struct sql *q, const char *about,
    void (*bind)(struct stmt *q, struct req *r));

/* The caller's role under the cap of the token. */
enum role cap_role(const struct req *r, int64_t role);

#endif
