/*
 * A cache of files below DIR/cache, each under a key that contains everything it was made from: an
 * entry is never wrong, only unused, and may be lost at any time. Each kind has 256 folders. A
 * folder with too many entries, or with more than KEPT_FOLDER_BYTES, is emptied: one write in
 * sixteen checks that, and each write of a large entry.
 */
#ifndef OCTAVO_KEPT_H
#define OCTAVO_KEPT_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/str.h"

enum {
	KEPT_MAX = 32 << 20,           /* bytes of an entry; larger ones are not kept */
	KEPT_FOLDER_BYTES = 4 << 20    /* so a kind takes about 1 GiB at most */
};

/*
 * What is kept under this key (hex digits, at least 16), NUL-terminated in the arena; false:
 * nothing, or what a power cut left of it.
 */
bool kept_get(struct arena *a, const char *dir, const char *kind, const char *key, struct str *out);

/* Keeps it, if it can: a full disk is no error. most: entries of a folder. */
void kept_put(struct arena *a, const char *dir, const char *kind, const char *key, struct str bytes, int most);

#endif
