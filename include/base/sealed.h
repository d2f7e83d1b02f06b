/*
 * A file of lines that can be read only with a passphrase. Argon2id (RFC 9106) makes the key from
 * the passphrase and a random salt. XChaCha20-Poly1305 in libsodium's secretstream seals each line
 * and marks the last one, so that a file that was cut, reordered or changed is refused.
 *
 *   "octavo sealed 1\n", 16 bytes of salt, 24 bytes of the stream's header, then for each line 4
 *     bytes with the length of the sealed line (big-endian) and the sealed bytes.
 */
#ifndef OCTAVO_SEALED_H
#define OCTAVO_SEALED_H

#include <stdbool.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/str.h"

struct sealed;

/* Minimum length of a passphrase, in bytes. */
enum { SEALED_LEAST = 12 };

/* Begins to write a file; NULL: there is no memory for the key, or the file cannot be written. */
struct sealed *sealed_write(struct arena *a, FILE *f, struct str passphrase);
/* False: the file cannot be written. */
bool sealed_put(struct sealed *s, struct str line);
bool sealed_end(struct sealed *s);

/* Begins to read a file; NULL: it is not a sealed file, or there is no memory. */
struct sealed *sealed_read(struct arena *a, FILE *f, struct str passphrase);
/*
 * Reads the next line, into memory that the next call uses again. 1: a line was read. 0: there are
 * no more lines. -1: the passphrase is wrong, or the file was changed or cut.
 */
int sealed_next(struct sealed *s, struct str *line);

#endif
