/*
 * Shared by the fuzzers. Each fuzz_*.c has a LLVMFuzzerTestOneInput (libFuzzer, clang); seeds/NAME/
 * is its committed corpus. `make fuzz` runs them for long, tools/check.sh for a few seconds each without
 * libFuzzer (play.c). A
 * panic is a find like any crash.
 */
#ifndef OCTAVO_FUZZ_H
#define OCTAVO_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/panic.h"
#include "base/str.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
fuzz_panic(const char *message)
{
	(void)message;
	abort();
}

/* An arena for one input; a panic becomes a find. */
static inline struct arena *
fuzz_arena(void)
{
	panic_hook(fuzz_panic);
	return arena_new((size_t)1 << 30);
}

/* The input as a C string without NULs inside, in the arena. */
static inline char *
fuzz_text(struct arena *a, const uint8_t *data, size_t size)
{
	char *s = arena_strndup(a, (const char *)data, size);
	size_t i;

	for (i = 0; i < size; i++)
		if (s[i] == '\0')
			s[i] = ' ';
	return s;
}

#endif
