/*
 * Bindings: a space and a branch of a repository that are kept in step. What other files need of
 * spaces/git_bindings.c.
 */
#ifndef OCTAVO_API_GIT_BINDINGS_H
#define OCTAVO_API_GIT_BINDINGS_H

#include "http/req.h"

extern const struct shape GitBinding, GitBindingPut;

#endif
