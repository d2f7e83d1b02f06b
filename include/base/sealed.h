/*
 * A file of lines that only a passphrase opens. Argon2id (RFC 9106) makes the key from the passphrase
 * and a random salt; XChaCha20-Poly1305 in libsodium's secretstream seals each line, and the last one
 * as the last, so that a file that was cut, reordered or changed anywhere is refused.
 *
 *   "octavo sealed 1\n", 16 bytes of salt, 24 of the stream's header, then for each line 4 bytes of its
 *   sealed length (big-endian) and the sealed bytes.
 */
#ifndef OCTAVO_SEALED_H
#define OCTAVO_SEALED_H

#include <stdbool.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/str.h"

struct sealed;

/* The least length of a passphrase, in bytes. */
enum { SEALED_LEAST = 12 };

/* Begins a file; NULL: no memory for the key, or the file cannot be written. */
struct sealed *sealed_write(struct arena *a, FILE *f, struct str passphrase);
/* False: the file cannot be written. */
bool sealed_put(struct sealed *s, struct str line);
bool sealed_end(struct sealed *s);

/* Begins to read one; NULL: no sealed file, or no memory. */
struct sealed *sealed_read(struct arena *a, FILE *f, struct str passphrase);
/*
 * The next line, in memory that the following call reuses: 1. 0: that was the last one. -1: another
 * passphrase, or the file was changed or cut.
 */
int sealed_next(struct sealed *s, struct str *line);

#endif
