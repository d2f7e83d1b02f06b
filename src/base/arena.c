/* Bump allocation in chunks, with a cap. Contract: base/arena.h. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/arena.h"
#include "base/panic.h"
#include "base/str.h"

#if defined(__SANITIZE_ADDRESS__)
#define POISONS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define POISONS 1
#endif
#endif
#ifdef POISONS
/* As in sanitizer/asan_interface.h, but not const: gcc takes a const argument for a read of it. */
void asan_poison(void volatile *p, size_t n) __asm__("__asan_poison_memory_region");
void asan_unpoison(void volatile *p, size_t n) __asm__("__asan_unpoison_memory_region");
#define POISON(p, n)   asan_poison((p), (n))
#define UNPOISON(p, n) asan_unpoison((p), (n))
#else
#define POISON(p, n)   ((void)(p), (void)(n))
#define UNPOISON(p, n) ((void)(p), (void)(n))
#endif

/*
 * ALIGN is that of malloc() on 64-bit systems: enough for every type of C. The first chunk holds
 * what an ordinary request needs, and stays when the arena is reset. HUGE is a large page of
 * x86-64 and ARM64; what needs more than MODEST bytes gets its chunks in those.
 */
enum { ALIGN = 16, FIRST_CHUNK = 64 * 1024, MODEST = 512 * 1024, HUGE = 2 << 20 };

/* More of them in one format than anybody writes. */
enum { TEXTS = 8 };

struct chunk {
	struct chunk *next;  /* older */
	size_t        size;  /* bytes in data */
	size_t        used;
	size_t        pad;   /* keeps data aligned to 16 */
	char          data[];
};

struct cleanup {
	struct cleanup *next;
	void          (*fn)(void *);
	void           *arg;
};

struct arena {
	struct chunk   *chunks;    /* newest first */
	struct cleanup *cleanups;  /* newest first */
	/* Bytes that it may give out; past it the program ends, which bounds what one request can take. */
	size_t          cap;
	/* Bytes given out since the last reset, without the rests of chunks. */
	size_t          used;
};

static size_t spare_most;

void
arena_spare(size_t most)
{
	spare_most = most;
}

/* AddressSanitizer shall see what is used after it was given back: nothing is kept from it. */
#ifndef POISONS
/* Chunks of large pages that nobody uses, newest first, for a process that said that it will want them again. */
static struct chunk *spare;
static size_t        spare_bytes;

/* One of exactly that size, whole; NULL: there is none. */
static struct chunk *
spare_take(size_t whole)
{
	struct chunk **at, *c;

	for (at = &spare; (c = *at) != NULL; at = &c->next) {
		if (sizeof(*c) + c->size != whole)
			continue;
		*at = c->next;
		spare_bytes -= whole;
		return c;
	}
	return NULL;
}

static bool
spare_keep(struct chunk *c)
{
	size_t whole = sizeof(*c) + c->size;

	if (whole + spare_bytes > spare_most)
		return false;
	c->next = spare;
	spare = c;
	spare_bytes += whole;
	return true;
}
#endif

/*
 * Memory in large pages, which the system maps in a twentieth of the time that single ones take:
 * a large document would otherwise spend a third of its time there. They are mapped by hand, since
 * malloc() would map up to HUGE bytes more to align each; where the system has no large pages it
 * is ordinary memory. AddressSanitizer finds no pointers in what it did not allocate.
 */
static void *
pages(size_t size)
{
#ifdef POISONS
	return malloc(size);
#else
	char *p = (char *)spare_take(size);
	size_t before;

	if (p != NULL)
		return p;
	p = mmap(NULL, size + HUGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		return NULL;
	before = (HUGE - (uintptr_t)p % HUGE) % HUGE;
	if (before > 0)
		munmap(p, before);
	munmap(p + before + size, HUGE - before);
	madvise(p + before, size, MADV_HUGEPAGE);
	return p + before;
#endif
}

/*
 * Never NULL; at least size bytes. What is not given out is poisoned, so that AddressSanitizer
 * sees a write past an allocation, which malloc() of whole chunks would hide.
 */
static struct chunk *
chunk_new(size_t size)
{
	size_t whole = sizeof(struct chunk) + size;
	struct chunk *c;

	/* A size near SIZE_MAX is left to malloc(), which refuses it. */
	if (size > MODEST && size < SIZE_MAX / 2)
		whole = (whole + HUGE - 1) / HUGE * HUGE;
	c = size > MODEST && size < SIZE_MAX / 2 ? pages(whole) : malloc(whole);
	if (c == NULL)
		panic("out of memory: %zu bytes", size);
	c->next = NULL;
	c->size = whole - sizeof(*c);
	c->used = 0;
	POISON(c->data, c->size);
	return c;
}

/* Unpoisoned first: malloc() keeps notes of its own in freed memory. */
static void
chunk_free(struct chunk *c)
{
	UNPOISON(c->data, c->size);
#ifndef POISONS
	if (c->size > MODEST) {
		if (!spare_keep(c))
			munmap(c, sizeof(*c) + c->size);
		return;
	}
#endif
	free(c);
}

struct arena *
arena_new(size_t cap)
{
	struct arena *a = calloc(1, sizeof(*a));

	if (a == NULL)
		panic("out of memory: arena");
	a->cap = cap;
	a->chunks = chunk_new(FIRST_CHUNK);
	return a;
}

void
arena_reset(struct arena *a)
{
	struct chunk *c;

	/*
	 * Newest first, and each is unlinked before it runs: it may use memory of the arena,
	 * which is freed only afterwards, and may panic without being run again.
	 */
	while (a->cleanups != NULL) {
		struct cleanup *k = a->cleanups;
		a->cleanups = k->next;
		k->fn(k->arg);
	}
	/* The oldest chunk is kept, so a worker that serves small requests never calls malloc(). */
	while ((c = a->chunks)->next != NULL) {
		a->chunks = c->next;
		chunk_free(c);
	}
	c->used = 0;
	POISON(c->data, c->size);
	a->used = 0;
}

void
arena_free(struct arena *a)
{
	if (a == NULL)
		return;
	arena_reset(a);
	chunk_free(a->chunks);
	free(a);
}

/* The newest chunk with room for n bytes; chunks grow so that their number stays small. */
static struct chunk *
chunk_for(struct arena *a, size_t n)
{
	struct chunk *c = a->chunks;
	size_t size;

	if (c->size - c->used >= n)
		return c;
	/* As much as is used already: doubling. Two large pages bound what a large arena wastes at its end. */
	size = a->used < FIRST_CHUNK ? FIRST_CHUNK : a->used;
	if (size > 2 * HUGE - sizeof(*c))
		size = 2 * HUGE - sizeof(*c);
	c = chunk_new(n > size ? n : size);
	/* The rest of the older chunk is lost until the reset; it is less than what did not fit. */
	c->next = a->chunks;
	a->chunks = c;
	return c;
}

/* For tests that run a case once for each allocation, and let that one fail. */
static size_t fault;   /* allocations until one fails; 0: none does */

void
arena_fault(size_t nth)
{
	fault = nth;
}

/*
 * Poisoned bytes behind each allocation, so that AddressSanitizer sees what goes past its end and
 * would meet the next one.
 */
#ifdef POISONS
enum { GAP = ALIGN };
#else
enum { GAP = 0 };
#endif

/* What n bytes take up. */
static size_t
rounded(size_t n)
{
	/*
	 * Nothing takes something too, so that two allocations never have one address. An n near
	 * SIZE_MAX wraps to less than n, which arena_bytes() checks.
	 */
	return n == 0 ? ALIGN : ((n + ALIGN - 1) & ~(size_t)(ALIGN - 1)) + GAP;
}

void *
arena_bytes(struct arena *a, size_t n)
{
	size_t need = rounded(n);
	struct chunk *c;
	char *p;

	if (fault > 0 && --fault == 0)
		panic("injected failure of an allocation");
	/* Written as a difference: a sum could overflow. used never exceeds cap. */
	if (need < n || need > a->cap - a->used)
		panic("arena over its cap of %zu bytes", a->cap);
	c = chunk_for(a, need);
	p = c->data + c->used;
	c->used += need;
	a->used += need;
	/* n, not need: the rounding stays poisoned. */
	UNPOISON(p, n);
	return p;
}

void *
arena_alloc(struct arena *a, size_t n)
{
	return memset(arena_bytes(a, n), 0, n);
}

bool
arena_extend(struct arena *a, const void *p, size_t n, size_t more)
{
	struct chunk *c = a->chunks;
	size_t have = rounded(n), want = rounded(more), by = want - have;

	/* Only what was given out last can grow in its place, and only within its chunk. */
	if (want < have || (const char *)p + have != c->data + c->used || by > c->size - c->used ||
	    by > a->cap - a->used)
		return false;
	c->used += by;
	a->used += by;
	UNPOISON((char *)c->data + c->used - want, more);
	return true;
}

void *
arena_array(struct arena *a, size_t n, size_t size)
{
	if (size != 0 && n > SIZE_MAX / size)
		panic("arena: %zu objects of %zu bytes", n, size);
	return arena_alloc(a, n * size);
}

char *
arena_strndup(struct arena *a, const char *p, size_t n)
{
	char *s = arena_bytes(a, n + 1);

	if (n != 0)
		memcpy(s, p, n);
	s[n] = '\0';
	return s;
}

void *
arena_grow(struct arena *a, void *list, size_t n, size_t *room, size_t size)
{
	enum { FIRST = 16 };
	void *more;

	if (n < *room)
		return list;
	more = arena_array(a, *room * 2 + FIRST, size);
	if (n > 0)
		memcpy(more, list, n * size);
	*room = *room * 2 + FIRST;
	return more;
}

char *
arena_strdup(struct arena *a, const char *s)
{
	return arena_strndup(a, s, strlen(s));
}

/* Has the format no directive but a few %s? */
static bool
texts_alone(const char *fmt)
{
	size_t n = 0;

	for (; (fmt = strchr(fmt, '%')) != NULL; fmt += 2)
		if (fmt[1] != 's' || ++n > TEXTS)
			return false;
	return true;
}

/* vsnprintf() for these, which are most of what is put together, in a sixth of its time. */
static char *
texts(struct arena *a, const char *fmt, va_list ap)
{
	struct str part[2 * TEXTS + 1];
	size_t parts = 0, n = 0;
	const char *next;
	char *s, *to;

	for (;; fmt = next + 2) {
		next = strchrnul(fmt, '%');
		part[parts++] = (struct str){ fmt, (size_t)(next - fmt) };
		if (*next == '\0')
			break;
		part[parts++] = str_of(va_arg(ap, const char *));
	}
	for (size_t i = 0; i < parts; i++)
		n += part[i].n;
	s = to = arena_bytes(a, n + 1);
	for (size_t i = 0; i < parts; to += part[i++].n)
		if (part[i].n > 0)
			memcpy(to, part[i].p, part[i].n);
	*to = '\0';
	return s;
}

char *
arena_vprintf(struct arena *a, const char *fmt, va_list ap)
{
	va_list again;
	char shorter[256], *s;
	int n;

	if (texts_alone(fmt))
		return texts(a, fmt, ap);

	/* Most results are short, and formatting is what costs. */
	va_copy(again, ap);
	n = vsnprintf(shorter, sizeof(shorter), fmt, again);
	va_end(again);
	if (n < 0)
		panic("arena_vprintf: bad format");
	if ((size_t)n < sizeof(shorter))
		return arena_strndup(a, shorter, (size_t)n);
	s = arena_bytes(a, (size_t)n + 1);
	vsnprintf(s, (size_t)n + 1, fmt, ap);
	return s;
}

char *
arena_printf(struct arena *a, const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	s = arena_vprintf(a, fmt, ap);
	va_end(ap);
	return s;
}

void
arena_on_end(struct arena *a, void (*fn)(void *), void *arg)
{
	struct cleanup *k = arena_alloc(a, sizeof(*k));

	k->fn = fn;
	k->arg = arg;
	k->next = a->cleanups;
	a->cleanups = k;
}

/* The inner arena goes with its owner, so callers need not free it on each way out. */
static void
end_within(void *a)
{
	arena_free(a);
}

struct arena *
arena_within(struct arena *owner, size_t cap)
{
	struct arena *a = arena_new(cap);

	arena_on_end(owner, end_within, a);
	return a;
}

size_t
arena_used(const struct arena *a)
{
	return a->used;
}
