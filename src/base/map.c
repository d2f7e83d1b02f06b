/*
 * A hash table with open addressing and linear probing, at most three quarters full. Entries are never
 * removed. Contract: base/map.h.
 */
#include <assert.h>
#include <sodium.h>
#include <stdint.h>

#include "base/map.h"
#include "base/mapped.h"
#include "base/panic.h"

/*
 * FIRST, DOUBLED: number of slots of the first table, and up to which a table doubles; a larger one grows
 * by half, so that fewer slots are free. OWN: a table of more slots is freed when a larger one replaces
 * it. Smaller ones stay in the arena.
 */
enum { FIRST = 8, DOUBLED = 1024, OWN = 512 };

struct slot {
	const char *p;      /* the key's bytes; NULL: the slot is free */
	void       *value;
	uint32_t    n;      /* the key's length */
	uint32_t    hash;   /* compared first, and used when the table grows */
};

struct map {
	struct arena *arena;
	struct slot  *slots;
	size_t        size;   /* 0 while empty */
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

static uint32_t
hash_key(const struct map *m, struct str key)
{
	unsigned char h[crypto_shorthash_BYTES];
	uint32_t n;

	assert(key.n <= UINT32_MAX);
	crypto_shorthash(h, (const unsigned char *)(key.n == 0 ? "" : key.p), key.n, m->seed);
	memcpy(&n, h, sizeof(n));
	return n;
}

/* The slot at which the search for a hash begins. A product instead of a remainder: it takes less time. */
static size_t
first_slot(const struct map *m, uint32_t hash)
{
	return (size_t)(((uint64_t)hash * m->size) >> 32);
}

static bool
slot_is(const struct slot *s, uint32_t hash, struct str key)
{
	return s->hash == hash && s->n == key.n && (key.n == 0 || memcmp(s->p, key.p, key.n) == 0);
}

/* The slot of the key, or the free slot in which it belongs. The table must have a free slot. */
static struct slot *
find_slot(const struct map *m, uint32_t hash, struct str key)
{
	size_t i = first_slot(m, hash);

	mapped_trim();
	while (m->slots[i].p != NULL && !slot_is(&m->slots[i], hash, key))
		i = i + 1 == m->size ? 0 : i + 1;
	return &m->slots[i];
}

static struct slot *
new_table(struct map *m, size_t size)
{
	if (size > UINT32_MAX)
		panic("a map of %zu slots", size);
	return size > OWN ? arena_apart(m->arena, size, sizeof(*m->slots)) : arena_array(m->arena, size, sizeof(*m->slots));
}

static void
move_slots(struct map *m, const struct slot *old, size_t n)
{
	size_t i, at;

	for (i = 0; i < n; i++) {
		mapped_trim();
		if (old[i].p == NULL)
			continue;
		for (at = first_slot(m, old[i].hash); m->slots[at].p != NULL;)
			at = at + 1 == m->size ? 0 : at + 1;
		m->slots[at] = old[i];
	}
}

/* Makes room for one more key. */
static void
grow_table(struct map *m)
{
	struct slot *old = m->slots;
	size_t n = m->size, size = n == 0 ? FIRST : n < DOUBLED ? n * 2 : n + n / 2;

	if (m->count < n / 4 * 3)
		return;
	m->slots = new_table(m, size);
	/* The seed is drawn with the first key, since many maps stay empty. */
	if (n == 0)
		randombytes_buf(m->seed, sizeof(m->seed));
	m->size = size;
	move_slots(m, old, n);
	if (n > OWN)
		arena_drop(m->arena, old);
}

/*
 * The slot of the key, which is added if it is missing; *added tells which. The key is not copied: its
 * bytes must live as long as the map.
 */
static struct slot *
take_slot(struct map *m, struct str key, bool *added)
{
	struct slot *s;
	uint32_t hash;

	grow_table(m);
	hash = hash_key(m, key);
	s = find_slot(m, hash, key);
	if ((*added = s->p == NULL)) {
		*s = (struct slot){ .p = key.p != NULL ? key.p : "", .n = (uint32_t)key.n, .hash = hash };
		m->count++;
	}
	return s;
}

void **
map_at(struct map *m, struct str key)
{
	bool added;

	return &take_slot(m, key, &added)->value;
}

bool
map_add(struct map *m, struct str key, void *value)
{
	bool added;
	struct slot *s = take_slot(m, key, &added);

	if (added)
		s->value = value;
	return added;
}

void *
map_get(const struct map *m, struct str key)
{
	return m->size == 0 ? NULL : find_slot(m, hash_key(m, key), key)->value;
}

bool
map_has(const struct map *m, struct str key)
{
	return m->size != 0 && find_slot(m, hash_key(m, key), key)->p != NULL;
}
