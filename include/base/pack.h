/*
 * Compresses bytes for the database: frames of Zstandard (RFC 8878) with a checksum, which detects
 * damage. The caller also stores the original size. If both sizes are equal, the bytes were not
 * compressed, since that would not have made them shorter.
 */
#ifndef OCTAVO_PACK_H
#define OCTAVO_PACK_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/str.h"

/* The compressed bytes, in the arena; or `bytes` itself, if compression does not make them shorter. */
struct str pack(struct arena *a, struct str bytes);

/*
 * The inverse of pack(): a copy in the arena, followed by a NUL. size: the original size. False:
 * pack() did not make these bytes from so many.
 */
bool unpack(struct arena *a, struct str packed, size_t size, struct str *out);

/*
 * As unpack(), but stops after `most` bytes, or when `nuls` NULs have been read. The checksum
 * covers all bytes, so it is not verified.
 */
bool unpack_head(struct arena *a, struct str packed, size_t size, size_t most, size_t nuls, struct str *out);

#endif
