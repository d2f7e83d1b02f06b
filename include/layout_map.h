/*
 * A hash table from byte strings to pointers, in an arena. Keyed hashing
 * (SipHash), so that names chosen by somebody else cannot make it slow.
 */
#ifndef OCTAVO_LAYOUT_MAP_H
#define OCTAVO_LAYOUT_MAP_H

#include <stdbool.h>
#include <stddef.h>

#include "arena.h"
#include "str.h"

struct layout_map;

struct layout_map *layout_map_new(struct arena *a);

/* False, and nothing changed, if the key is there. The key's bytes must stay; value may be NULL. */
bool layout_map_add(struct layout_map *m, struct str key, void *value);

/* The place of a key's value, made if missing (NULL in it then). Valid until the next add. */
void **layout_map_at(struct layout_map *m, struct str key);

/* The value; NULL if there is no such key. */
void *layout_map_get(const struct layout_map *m, struct str key);

bool layout_map_has(const struct layout_map *m, struct str key);

#endif
