/*
 * Writes a zip archive, entry by entry. Names are UTF-8. The caller has one entry in memory at a
 * time.
 */
#ifndef OCTAVO_JOBS_ZIP_FILE_H
#define OCTAVO_JOBS_ZIP_FILE_H

#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"

struct zip_file;

/* Creates the file; overwrites an existing one. NULL on failure, with the reason in *error. */
struct zip_file *zip_open(struct arena *a, const char *path, const char **error);

/* Adds an entry that was changed at `at` (ms since 1970). Does nothing after an error. */
void zip_add(struct zip_file *z, const char *name, struct str bytes, int64_t at);

/* Completes the file. NULL, or why it could not be written. */
const char *zip_close(struct zip_file *z);

#endif
