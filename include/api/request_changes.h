/* What the other files of the room use of request_changes.c. */
#ifndef OCTAVO_API_REQUEST_CHANGES_H
#define OCTAVO_API_REQUEST_CHANGES_H

#include "http/req.h"

extern const struct shape SemanticChanges, ChangesQuery;

#endif
