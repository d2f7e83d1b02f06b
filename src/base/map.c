/*
 * A hash table with open addressing and linear probing, at most half full. Entries are never
 * removed. Contract: base/map.h.
 */
#include <sodium.h>
#include <stdint.h>

#include "base/map.h"

struct slot {
	struct str key;
	void      *value;
	bool       used;
};

struct map {
	struct arena *arena;
	struct slot  *slots;
	size_t        size;   /* power of two, 0 while empty */
	size_t        count;
	/* Random per map: otherwise clients could choose keys that all hash to one slot. */
	unsigned char seed[crypto_shorthash_KEYBYTES];
};

struct map *
map_new(struct arena *a)
{
	struct map *m = arena_alloc(a, sizeof(*m));

	m->arena = a;
	return m;
}

/* The slot of the key, or the free slot in which it belongs. The table must have a free slot. */
static struct slot *
find_slot(const struct map *m, struct str key)
{
	unsigned char h[crypto_shorthash_BYTES];
	uint64_t n;
	size_t i;

	crypto_shorthash(h, (const unsigned char *)(key.n == 0 ? "" : key.p), key.n, m->seed);
	memcpy(&n, h, sizeof(n));
	/* size is a power of two, so masking replaces a division. */
	i = (size_t)n & (m->size - 1);
	while (m->slots[i].used && !str_eq(m->slots[i].key, key))
		i = (i + 1) & (m->size - 1);
	return &m->slots[i];
}

/* Keeps the table at most half full. Each table takes as much memory as all before it together. */
static void
grow_table(struct map *m)
{
	struct slot *old = m->slots;
	size_t n = m->size, i;

	if (m->count * 2 < m->size)
		return;
	/* The seed is drawn with the first key, since many maps stay empty. */
	if (n == 0)
		randombytes_buf(m->seed, sizeof(m->seed));
	m->size = n == 0 ? 8 : n * 2;
	/* arena_array() gives zeros: all slots are free. */
	m->slots = arena_array(m->arena, m->size, sizeof(*m->slots));
	for (i = 0; i < n; i++)
		if (old[i].used)
			/* The old slots stay in the arena until it ends. */
			*find_slot(m, old[i].key) = old[i];
}

/*
 * The pointer is valid until the next key is added. The key is not copied: its bytes must live as
 * long as the map.
 */
void **
map_at(struct map *m, struct str key)
{
	struct slot *s;

	grow_table(m);
	s = find_slot(m, key);
	if (!s->used) {
		s->used = true;
		s->key = key;
		m->count++;
	}
	return &s->value;
}

bool
map_add(struct map *m, struct str key, void *value)
{
	struct slot *s;

	grow_table(m);
	s = find_slot(m, key);
	if (s->used)
		return false;
	*s = (struct slot){ .used = true, .key = key, .value = value };
	m->count++;
	return true;
}

void *
map_get(const struct map *m, struct str key)
{
	return m->size == 0 ? NULL : find_slot(m, key)->value;
}

bool
map_has(const struct map *m, struct str key)
{
	return m->size != 0 && find_slot(m, key)->used;
}
