/* What the other files of the room use of git_bindings.c. */
#ifndef OCTAVO_API_GIT_BINDINGS_H
#define OCTAVO_API_GIT_BINDINGS_H

#include "http/req.h"

extern const struct shape GitBinding, GitBindingPut;

#endif
