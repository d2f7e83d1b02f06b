/* Spaces. Implemented in spaces/spaces.c. */
#ifndef OCTAVO_API_SPACES_H
#define OCTAVO_API_SPACES_H

#include "http/req.h"
#include "store/space.h"

extern const struct shape SpaceList, SpaceEdit, SpaceCreate, SpaceQuery;

/*
 * The row of a space that the caller has just created or transferred here. If the caller's role on
 * it would be lower than create, grants the role create.
 */
struct stmt *space_kept(struct req *r, const char *id);

/*
 * Copies the content and the default access level of r->space into a new space beside it. *id: the id of
 * the copy. Returns as a handler: a large copy is written in go_ahead(), after which the handler
 * runs again.
 */
int space_duplicate(struct req *r, const char **id);

/* Makes an empty space of the organization of the path at its top level, and writes the audit record. */
char *space_add(struct req *r, const struct space_new *n);

#endif
