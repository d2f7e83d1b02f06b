/*
 * Variants of pictures: smaller WebP versions, which pages of published sites offer browsers (srcset).
 * A job makes them (jobs/variants.h).
 *
 * The file DIR/cache/variants/ab/cdef… contains the variants of the picture whose hash is abcdef…:
 * a line "octavo-variants 1 WIDTH BYTES WIDTH BYTES…", then their bytes in the same order, the
 * narrowest first. A file without variants means that none are needed. Any file may be lost at any
 * time: pages then offer only the original, until a job has made the variants again.
 */
#ifndef OCTAVO_VARIANTS_H
#define OCTAVO_VARIANTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"
#include "db/db.h"

enum { VARIANTS_MAX = 6 };

struct variant {
	int        width;       /* pixels */
	size_t     size;        /* bytes */
	struct str bytes;       /* p NULL: not read */
};

struct variants {
	size_t         count;
	struct variant list[VARIANTS_MAX];
};

/* Reads which variants a picture has, without their bytes. False: they have not been made. */
bool variants_look(struct arena *a, const char *dir, struct str hash, struct variants *out);

/* Reads the bytes of the variant of this width. False: there is none. */
bool variant_read(struct arena *a, const char *dir, struct str hash, int width, struct str *out);

/* Stores the variants of a picture, or that it needs none. False with errno. */
bool variants_store(struct arena *a, const char *dir, struct str hash, const struct variants *v);

/*
 * Deletes variants of pictures to which no row refers, and temporary files of killed writers.
 * Returns the number of deleted files.
 */
size_t variants_sweep(struct db *db, struct arena *a, const char *dir);

#endif
