/*
 * Compression of bytes that are stored in the database: frames of Zstandard (RFC 8878) with a
 * checksum, which detects damage. The caller stores the original size too: bytes with the same size
 * were not packed, because packing would not have shortened them.
 */
#ifndef OCTAVO_PACK_H
#define OCTAVO_PACK_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/str.h"

/* The packed bytes, in the arena, or `bytes` itself where packing does not make them shorter. */
struct str pack(struct arena *a, struct str bytes);

/*
 * Returns the bytes that were given to pack(), as a copy in the arena with a NUL after it. size:
 * their number. False: these are not bytes that pack() made from so many.
 */
bool unpack(struct arena *a, struct str packed, size_t size, struct str *out);

/*
 * The same, but may stop before the end: after `most` bytes, or when `nuls` NULs have been read.
 * The checksum, which covers everything, is not verified.
 */
bool unpack_head(struct arena *a, struct str packed, size_t size, size_t most, size_t nuls, struct str *out);

#endif
