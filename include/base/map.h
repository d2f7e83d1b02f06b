/*
 * A hash table from byte strings to pointers, in an arena. The hash is keyed (SipHash), so that
 * keys which an attacker chose cannot make it slow.
 */
#ifndef OCTAVO_LAYOUT_MAP_H
#define OCTAVO_LAYOUT_MAP_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/str.h"

struct map;

struct map *map_new(struct arena *a);

/*
 * Adds a key. False, and nothing is changed, if the key exists. The bytes of the key must live as
 * long as the map; value may be NULL.
 */
bool map_add(struct map *m, struct str key, void *value);

/*
 * Where the value of a key is stored; a missing key is added, with the value NULL. Valid until the
 * next key is added.
 */
void **map_at(struct map *m, struct str key);

/* The value of a key; NULL if there is no such key. */
void *map_get(const struct map *m, struct str key);

bool map_has(const struct map *m, struct str key);

#endif
