/*
 * Git import and export: starting them, and reading their status. Implemented in
 * spaces/git_operations.c.
 */
#ifndef OCTAVO_API_GIT_OPERATIONS_H
#define OCTAVO_API_GIT_OPERATIONS_H

#include "http/req.h"

extern const struct shape GitImport, GitExport, GitInfo;

/*
 * Checks the repository in a body. *clean: its address without credentials; *secret: these, sealed,
 * with n 0 if there are none. 0 or fail().
 */
int git_source_or_fail(struct req *r, const char **clean, struct str *secret);

#endif
