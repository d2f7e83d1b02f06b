/*
 * Lists the changes of a revision or a change request (content: include/store/changes.h).
 * Implemented in requests/request_changes.c.
 */
#ifndef OCTAVO_API_REQUEST_CHANGES_H
#define OCTAVO_API_REQUEST_CHANGES_H

#include "http/req.h"

extern const struct shape SemanticChanges, ChangesQuery, RevisionChangesQuery;

#endif
