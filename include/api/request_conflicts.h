/*
 * The conflicts of a change request with the primary content, and their resolution. Implemented in
 * requests/request_conflicts.c; conflicts are defined in merge/request.h.
 *
 * A write of a page resolves all its conflicts, so the choices for one page come together. They are made
 * for one revision of the request: if it was written since, the answer is 409 and nothing is changed. The
 * request must contain all changes of the primary content: otherwise a choice would be made between texts
 * of which one is older than what the person has read.
 */
#ifndef OCTAVO_API_REQUEST_CONFLICTS_H
#define OCTAVO_API_REQUEST_CONFLICTS_H

#include "http/req.h"

extern const struct shape MergeConflicts, ResolveConflicts;

#endif
