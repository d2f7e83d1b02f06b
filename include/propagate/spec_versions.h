/* Revisions of type `computed`, for spaces whose pages are made from an API specification that changed. */
#ifndef OCTAVO_SPEC_VERSIONS_H
#define OCTAVO_SPEC_VERSIONS_H

#include "db/db.h"

/*
 * Adds a revision of type `computed` to each space of the organization that shows this
 * specification and is not deleted; returns their number. Call it in the write transaction that
 * changed the specification, after the change. cJSON must have an arena (json_arena).
 */
size_t revise_showing_spaces(struct db *db, struct arena *a, const char *org, const char *slug);

#endif
