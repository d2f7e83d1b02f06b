/*
 * What a revision or a change request changes: pages created, edited, moved, deleted, files and reusable contents
 * likewise, and the space's variables (content: include/store/changes.h). What other files need of
 * requests/request_changes.c.
 */
#ifndef OCTAVO_API_REQUEST_CHANGES_H
#define OCTAVO_API_REQUEST_CHANGES_H

#include "http/req.h"

extern const struct shape SemanticChanges, ChangesQuery;

#endif
