/* A file read whole. */
#ifndef OCTAVO_FILE_H
#define OCTAVO_FILE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/str.h"

/* The bytes of a file, NUL-terminated, in the arena; false where it cannot be read. */
bool file_read(struct arena *a, const char *path, struct str *out);

#endif
