/*
 * A cache of files below DIR/cache. The key of an entry contains everything that the entry was made
 * from, so an entry can be unused but never wrong. Any entry may be lost at any time. Each kind of
 * entries has 256 folders. A folder with too many entries, or with more than KEPT_FOLDER_BYTES, is
 * emptied; this is checked by one write in sixteen, and by each write of a large entry.
 */
#ifndef OCTAVO_KEPT_H
#define OCTAVO_KEPT_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/str.h"

enum {
	KEPT_MAX = 32 << 20,           /* largest entry; larger ones are not stored */
	KEPT_FOLDER_BYTES = 4 << 20    /* of 256 folders: a kind takes at most about 1 GiB */
};

/*
 * Reads the entry with this key (hex digits, at least 16) into the arena, NUL-terminated. False:
 * there is none, or a power cut has truncated it.
 */
bool kept_get(struct arena *a, const char *dir, const char *kind, const char *key, struct str *out);

/* Stores an entry, if possible: a full disk is no error. most: largest number of entries in a folder. */
void kept_put(struct arena *a, const char *dir, const char *kind, const char *key, struct str bytes, int most);

#endif
