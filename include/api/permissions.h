/*
 * Permissions on one space or collection: grants to users and teams, and the resulting roles.
 * Implemented in people/permissions.c.
 */
#ifndef OCTAVO_API_PERMISSIONS_H
#define OCTAVO_API_PERMISSIONS_H

#include "http/req.h"

extern const struct shape UserPermissionList, TeamPermissionList, AggregateQuery, PermissionInvite, PermissionEdit;

/*
 * Gives a user a role on a space or a collection (the other argument is NULL). Replaces an earlier
 * grant. Writes the audit record.
 */
void grant_set(struct req *r, const char *space, const char *collection, const char *user, enum role role);

#endif
