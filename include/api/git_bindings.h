/*
 * Bindings: a space that jobs keep in sync with a branch of a git repository. Implemented in
 * spaces/git_bindings.c.
 */
#ifndef OCTAVO_API_GIT_BINDINGS_H
#define OCTAVO_API_GIT_BINDINGS_H

#include "http/req.h"

extern const struct shape GitBinding, GitBindingPut;

#endif
