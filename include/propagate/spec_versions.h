/* Revisions of type `computed`. */
#ifndef OCTAVO_SPEC_VERSIONS_H
#define OCTAVO_SPEC_VERSIONS_H

#include "db/db.h"

/*
 * Writes a revision of type `computed` in each living space of the organization that
 * shows this specification; how many. In the write transaction that changed what they
 * show, after that. cJSON must have an arena (json_arena).
 */
size_t computed_revise(struct db *db, struct arena *a, const char *org, const char *slug);

#endif
