/*
 * The conflicts of a change request with the primary content, and their resolution. Implemented in
 * requests/request_conflicts.c; conflicts are defined in merge/request.h.
 *
 * A write of a page resolves all its conflicts, so a client sends the choices for one page
 * together, with the revision of the request for which they were made. If the request was written
 * since, the answer is 409 and nothing is changed. The request must be up to date with the primary
 * content: otherwise the person would choose between texts of which one is outdated.
 */
#ifndef OCTAVO_API_REQUEST_CONFLICTS_H
#define OCTAVO_API_REQUEST_CONFLICTS_H

#include "http/req.h"

extern const struct shape MergeConflicts, ResolveConflicts;

#endif
