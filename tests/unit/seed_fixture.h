/*
 * Random tests from seeds, so that each run is the same and a failure can be repeated:
 * OCTAVO_SEED=n runs seed n alone, OCTAVO_SEEDS=n runs 1 to n. Without either a test runs its usual
 * seeds, the same ones every time; a third of them under sanitizers, which are slow and find their
 * errors in few histories.
 */
#ifndef OCTAVO_SEED_FIXTURE_H
#define OCTAVO_SEED_FIXTURE_H

#include <stdint.h>
#include <stdlib.h>

struct rnd {
	uint64_t state;
};

static inline uint32_t
rnd(struct rnd *r, uint32_t below)
{
	uint64_t z = (r->state += 0x9E3779B97F4A7C15u);

	z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
	z = (z ^ z >> 27) * 0x94D049BB133111EBu;
	return (uint32_t)((z ^ z >> 31) >> 32) % below;
}

/* Seeds from *from up to, but not including, the result. */
static inline uint64_t
seeds(uint64_t usual, uint64_t *from)
{
	const char *one = getenv("OCTAVO_SEED"), *many = getenv("OCTAVO_SEEDS");

	*from = one != NULL ? strtoull(one, NULL, 10) : 1;
	if (one != NULL)
		return *from + 1;
#if defined(__SANITIZE_ADDRESS__)
	usual = usual / 3 + 1;
#endif
	return *from + (many != NULL ? strtoull(many, NULL, 10) : usual);
}

#endif
