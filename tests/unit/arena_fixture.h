/* Start of the tests of pure functions: cmocka, and an arena for each test. */
#ifndef OCTAVO_ARENA_FIXTURE_H
#define OCTAVO_ARENA_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/arena.h"

static struct arena *arena;

static inline int
set_up(void **state)
{
	(void)state;
	arena = arena_new((size_t)1 << 31);
	return 0;
}

static inline int
tear_down(void **state)
{
	(void)state;
	arena_free(arena);
	return 0;
}

#endif
