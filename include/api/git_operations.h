/*
 * Git: asking for an import or an export, and what became of it. What other files need of spaces/git_operations.c.
 */
#ifndef OCTAVO_API_GIT_OPERATIONS_H
#define OCTAVO_API_GIT_OPERATIONS_H

#include "http/req.h"

extern const struct shape GitImport, GitExport, GitInfo;

/* What a body says of a repository: its address without credentials, and those, sealed. 0 or fail(). (git_operations.c) */
int git_source_or_fail(struct req *r, const char **clean, struct str *secret);

#endif
