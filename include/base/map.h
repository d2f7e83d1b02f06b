/*
 * A hash table from byte strings to pointers, in an arena. Keyed hashing (SipHash), so that keys
 * chosen by an attacker cannot make it slow.
 */
#ifndef OCTAVO_LAYOUT_MAP_H
#define OCTAVO_LAYOUT_MAP_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/str.h"

struct map;

struct map *map_new(struct arena *a);

/* False, and nothing changed, if the key is there. The key's bytes must stay; value may be NULL. */
bool map_add(struct map *m, struct str key, void *value);

/* The place of a key's value, made if missing (NULL in it then). Valid until the next add. */
void **map_at(struct map *m, struct str key);

/* The value; NULL if there is no such key. */
void *map_get(const struct map *m, struct str key);

bool map_has(const struct map *m, struct str key);

#endif
