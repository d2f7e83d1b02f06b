/* Spaces. Implemented in spaces/spaces.c. */
#ifndef OCTAVO_API_SPACES_H
#define OCTAVO_API_SPACES_H

#include "http/req.h"

extern const struct shape SpaceList, SpaceEdit, SpaceCreate, SpaceQuery;

/*
 * The row of a space that the caller just created or transferred here; grants the caller `create`
 * if the rules give less.
 */
struct stmt *space_kept(struct req *r, const char *id);

#endif
