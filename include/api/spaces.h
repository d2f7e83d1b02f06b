/* Spaces. What other files need of spaces/spaces.c. */
#ifndef OCTAVO_API_SPACES_H
#define OCTAVO_API_SPACES_H

#include "http/req.h"

extern const struct shape SpaceList, SpaceEdit, SpaceCreate, SpaceQuery;

/* The row of a collection or a space (as collection_row, space_row) that the caller just made or
 * brought here: with such a grant where the rules give less. */
struct stmt *space_kept(struct req *r, const char *id);

#endif
