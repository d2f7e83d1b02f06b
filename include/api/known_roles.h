/*
 * Caches of roles on places, and of counts of what a caller may read. Implemented in known_roles.c.
 */
#ifndef OCTAVO_API_KNOWN_ROLES_H
#define OCTAVO_API_KNOWN_ROLES_H

#include "http/req.h"

/*
 * The row of an access statement for the caller (:user) on :place; NULL: none. Uses the cached role
 * as long as access is unchanged.
 */
struct stmt *role_row(struct req *r, const struct sql *sql, const char *place);

/*
 * The count of a statement about an organization or a collection (its id); bind() binds the
 * parameters. The result may depend only on that id and on the caller, since it is cached until
 * anybody's access changes.
 */
int64_t count_seen(struct req *r, const struct sql *q, const char *about,
    void (*bind)(struct stmt *q, struct req *r));

/* The role, limited by the cap of the caller's token. */
enum role cap_role(const struct req *r, int64_t role);

#endif
