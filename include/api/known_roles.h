/*
 * Caches of roles on places, and of counts of what a caller may read. Implemented in known_roles.c.
 */
#ifndef OCTAVO_API_KNOWN_ROLES_H
#define OCTAVO_API_KNOWN_ROLES_H

#include "http/req.h"

/*
 * Runs an access statement for the caller (:user) on :place, the id of a space or collection, and
 * returns its row; NULL: none. Binds a cached role as :known, so that the statement does not compute
 * it; the statement itself ignores :known once an access right has changed (:known_at).
 */
struct stmt *role_row(struct req *r, const struct sql *sql, const char *place);

/*
 * Runs a statement that counts something in an organization or a collection (`place`: its id), or
 * returns the cached count. bind() binds the statement's parameters. The count must depend only on
 * that id and on the caller: it is cached until an access right of any user changes.
 */
int64_t count_seen(struct req *r, const struct sql *q, const char *place,
    void (*bind)(struct stmt *q, struct req *r));

/* Limits a role to the cap of the caller's token. */
enum role cap_role(const struct req *r, int64_t role);

#endif
