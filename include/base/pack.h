/*
 * Bytes made smaller, for what is kept in the database: frames of Zstandard (RFC 8878) with a
 * checksum, which tells damaged bytes. Who keeps them keeps their size before as well: what is
 * as long as that was not packed, since it would not have become shorter.
 */
#ifndef OCTAVO_PACK_H
#define OCTAVO_PACK_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/str.h"

/* The packed bytes, in the arena, or `bytes` itself where packing does not make them shorter. */
struct str pack(struct arena *a, struct str bytes);

/*
 * What pack() was given, a copy in the arena with a NUL behind it. size: its bytes. False: these
 * are no bytes that pack() made of so many.
 */
bool unpack(struct arena *a, struct str packed, size_t size, struct str *out);

/*
 * Likewise, but it may end before the end: behind `most` bytes, or as soon as `nuls` NULs are among
 * them. The checksum, which is of all, is not looked at.
 */
bool unpack_head(struct arena *a, struct str packed, size_t size, size_t most, size_t nuls, struct str *out);

#endif
