/* Bump allocation in chunks, with a cap. Contract: base/arena.h. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/arena.h"
#include "base/mapped.h"
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
/*
 * Declared as in sanitizer/asan_interface.h, but without const: gcc takes a const argument for a
 * read of the bytes.
 */
void asan_poison(void volatile *p, size_t n) __asm__("__asan_poison_memory_region");
void asan_unpoison(void volatile *p, size_t n) __asm__("__asan_unpoison_memory_region");
#define POISON(p, n)   asan_poison((p), (n))
#define UNPOISON(p, n) asan_unpoison((p), (n))
#else
#define POISON(p, n)   ((void)(p), (void)(n))
#define UNPOISON(p, n) ((void)(p), (void)(n))
#endif

/*
 * ALIGN: as malloc() on 64-bit systems, enough for every C type. FIRST_CHUNK: enough for an
 * ordinary request; this chunk survives a reset. HUGE: size of a large page on x86-64 and ARM64.
 * MODEST: chunks above this size use large pages.
 */
enum { ALIGN = 16, FIRST_CHUNK = 64 * 1024, MODEST = 512 * 1024, HUGE = 2 << 20 };

/* TEXTS: more directives than any of our formats has. DIGITS: digits of the largest number. */
enum { TEXTS = 8, DIGITS = 20 };

struct chunk {
	struct chunk *next;  /* older */
	size_t        size;  /* bytes in data; the header is 16 bytes, so data stay aligned to 16 */
	char          data[];
};

struct cleanup {
	struct cleanup *next;
	void          (*fn)(void *);
	void           *arg;
};

struct arena {
	struct chunk   *chunks;    /* newest first */
	struct chunk   *apart;     /* of arena_apart(), newest first */
	struct cleanup *cleanups;  /* newest first */
	/* Limit of allocated bytes, for example of one request. Exceeding it is a panic (base/panic.h). */
	size_t          cap;
	/*
	 * Free range of the newest chunk, cut at the cap: one comparison is enough to see whether n
	 * bytes fit.
	 */
	char           *at, *end;
	/* Bytes allocated in older chunks, and apart, since the last reset; unused ends do not count. */
	size_t          before;
	/* Folder of the files of which large chunks are mapped (base/mapped.h); NULL: chunks are memory. */
	const char     *folder;
};

static size_t spare_most;

void
arena_spare(size_t most)
{
	spare_most = most;
}

/* Under AddressSanitizer no chunk is reused, so that a use after free is found. */
#ifndef POISONS
/* Free chunks of large pages, newest first. Only a process that called arena_spare() keeps them. */
static struct chunk *spare;
static size_t        spare_bytes;

/* A spare chunk of exactly that size; NULL: there is none. */
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
 * Maps memory in large pages, if the system has any. Page faults for large pages take a twentieth of
 * the time: with small pages, a large document would spend a third of its time on page faults.
 * malloc() is not used, since it would map up to HUGE more bytes to align each chunk. Under
 * AddressSanitizer, malloc() must be used: the leak check does not look for pointers in mapped
 * memory.
 */
static void *
map_pages(size_t size)
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
 * A chunk of at least size bytes; never NULL. Unallocated bytes are poisoned, so that
 * AddressSanitizer notices a write past an allocation; otherwise it would see one large allocation
 * per chunk.
 */
static struct chunk *
chunk_new(const struct arena *a, size_t size)
{
	size_t whole = sizeof(struct chunk) + size;
	struct chunk *c;

	/* A size near SIZE_MAX would overflow when it is rounded up: pass it to malloc(), which fails. */
	if (size > MODEST && size < SIZE_MAX / 2)
		whole = (whole + HUGE - 1) / HUGE * HUGE;
	c = size <= MODEST || size >= SIZE_MAX / 2 ? malloc(whole) : a->folder != NULL ? mapped_new(a->folder, whole) : map_pages(whole);
	if (c == NULL)
		panic("out of memory: %zu bytes", size);
	c->next = NULL;
	c->size = whole - sizeof(*c);
	POISON(c->data, c->size);
	return c;
}

/* Unpoison first: malloc() keeps its own data in freed memory. */
static void
chunk_free(const struct arena *a, struct chunk *c)
{
	UNPOISON(c->data, c->size);
	if (a->folder != NULL && c->size > MODEST) {
		mapped_free(c);
		return;
	}
#ifndef POISONS
	if (c->size > MODEST) {
		if (!spare_keep(c))
			munmap(c, sizeof(*c) + c->size);
		return;
	}
#endif
	free(c);
}

size_t
arena_used(const struct arena *a)
{
	return a->before + (size_t)(a->at - a->chunks->data);
}

/* Make the chunk the newest; before: bytes allocated in the older ones. */
static void
chunk_begin(struct arena *a, struct chunk *c, size_t before)
{
	size_t left = a->cap - before;

	a->chunks = c;
	a->before = before;
	a->at = c->data;
	a->end = c->data + (c->size < left ? c->size : left);
}

struct arena *
arena_new(size_t cap)
{
	struct arena *a = calloc(1, sizeof(*a));

	if (a == NULL)
		panic("out of memory: arena");
	a->cap = cap;
	chunk_begin(a, chunk_new(a, FIRST_CHUNK), 0);
	return a;
}

/* Frees the first chunk of a list of arena_apart(). */
static void
drop_apart(const struct arena *a, struct chunk **at)
{
	struct chunk *c = *at;

	*at = c->next;
	if (a->folder != NULL && c->size > MODEST)
		mapped_free(c);
	else
		free(c);
}

void
arena_reset(struct arena *a)
{
	struct chunk *c;

	/*
	 * The newest cleanup runs first. Each is unlinked before it runs: it may use memory of the
	 * arena, which is freed later, and if it panics it must not run again.
	 */
	while (a->cleanups != NULL) {
		struct cleanup *k = a->cleanups;
		a->cleanups = k->next;
		k->fn(k->arg);
	}
	while (a->apart != NULL)
		drop_apart(a, &a->apart);
	/* Keep the oldest chunk, so that a worker with small requests never calls malloc(). */
	while ((c = a->chunks)->next != NULL) {
		a->chunks = c->next;
		chunk_free(a, c);
	}
	POISON(c->data, c->size);
	chunk_begin(a, c, 0);
}

void
arena_free(struct arena *a)
{
	if (a == NULL)
		return;
	arena_reset(a);
	chunk_free(a, a->chunks);
	free(a);
}

/* Add a chunk with room for n bytes; chunks grow, so that there are few. */
static void
chunk_for(struct arena *a, size_t n)
{
	size_t used = arena_used(a), size;
	struct chunk *c;

	/* Compares with the difference, since a sum could overflow; used never exceeds cap. */
	if (n > a->cap - used)
		panic("arena over its cap of %zu bytes", a->cap);
	/* Doubles the size, up to two large pages: this limits what a large arena wastes at its end. */
	size = used < FIRST_CHUNK ? FIRST_CHUNK : used;
	if (size > 2 * HUGE - sizeof(*c))
		size = 2 * HUGE - sizeof(*c);
	c = chunk_new(a, n > size ? n : size);
	/* The unused end of the older chunk is lost until the reset. It is smaller than n. */
	c->next = a->chunks;
	chunk_begin(a, c, used);
}

/* Fault injection: a test repeats a case, and each time a later allocation fails. */
static size_t fault;   /* number of allocations until one fails; 0: none */

void
arena_fault(size_t nth)
{
	fault = nth;
}

/*
 * A poisoned gap after each allocation: AddressSanitizer notices an overrun that would otherwise
 * hit the next allocation.
 */
#ifdef POISONS
enum { GAP = ALIGN };
#else
enum { GAP = 0 };
#endif

/* Bytes that an allocation of n takes. */
static size_t
round_size(size_t n)
{
	/*
	 * Even n = 0 takes some bytes, so that no two allocations have the same address. If n is
	 * near SIZE_MAX, the result wraps below n, which arena_bytes() checks.
	 */
	return n == 0 ? ALIGN : ((n + ALIGN - 1) & ~(size_t)(ALIGN - 1)) + GAP;
}

/* A separate function, so that arena_bytes() need not save registers. */
static __attribute__((noinline)) void *
bytes_of_new_chunk(struct arena *a, size_t n)
{
	size_t need = round_size(n);

	if (need < n)
		panic("arena over its cap of %zu bytes", a->cap);
	chunk_for(a, need);
	a->at += need;
	UNPOISON(a->at - need, n);
	return a->at - need;
}

void *
arena_bytes(struct arena *a, size_t n)
{
	size_t need = round_size(n), room = (size_t)(a->end - a->at);
	char *p = a->at;

	if (fault > 0 && --fault == 0)
		panic("injected failure of an allocation");
	/* The newest chunk nearly always has room. need < n if the rounding wrapped. */
	if (need > room || n > room)
		return bytes_of_new_chunk(a, n);
	a->at += need;
	/* Unpoison n bytes, not need: the padding stays poisoned. */
	UNPOISON(p, n);
	return p;
}

void *
arena_alloc(struct arena *a, size_t n)
{
	/* Bytes of a new file are zero: clearing them would bring all of them into memory. */
	if (a->folder != NULL && n > HUGE)
		return arena_apart(a, n, 1);
	return memset(arena_bytes(a, n), 0, n);
}

bool
arena_extend(struct arena *a, const void *p, size_t n, size_t more)
{
	size_t have = round_size(n), want = round_size(more), by = want - have;

	/* Only the newest allocation can grow in place, and only within its chunk. */
	if (want < have || (const char *)p + have != a->at || by > (size_t)(a->end - a->at))
		return false;
	a->at += by;
	UNPOISON(a->at - want, more);
	return true;
}

bool
arena_shrink(struct arena *a, const void *p, size_t n, size_t less)
{
	size_t by = round_size(n) - round_size(less);

	if ((const char *)p + round_size(n) != a->at)
		return false;
	a->at -= by;
	POISON((char *)(uintptr_t)p + less, n - less);
	return true;
}

void *
arena_array(struct arena *a, size_t n, size_t size)
{
	if (size != 0 && n > SIZE_MAX / size)
		panic("arena: %zu objects of %zu bytes", n, size);
	return arena_alloc(a, n * size);
}

void *
arena_apart(struct arena *a, size_t n, size_t size)
{
	size_t bytes = n * size;
	struct chunk *c;

	if ((size != 0 && n > SIZE_MAX / size) || bytes > a->cap - arena_used(a))
		panic("arena over its cap of %zu bytes", a->cap);
	if (fault > 0 && --fault == 0)
		panic("injected failure of an allocation");
	/* Not chunk_new(), which would round the size up to large pages. */
	c = a->folder != NULL && bytes > MODEST ? mapped_new(a->folder, sizeof(*c) + bytes) : calloc(1, sizeof(*c) + bytes);
	if (c == NULL)
		panic("out of memory: %zu bytes", bytes);
	c->size = bytes;
	c->next = a->apart;
	a->apart = c;
	a->before += bytes;
	return c->data;
}

void
arena_drop(struct arena *a, const void *apart)
{
	struct chunk **at = &a->apart;

	/* An arena has few of them. */
	while ((*at)->data != apart)
		at = &(*at)->next;
	a->before -= (*at)->size;
	drop_apart(a, at);
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

/* Copies a list of an arena on disk: not all of it at once, since both lists would be in memory. */
static void *
copy_in_pieces(char *to, const char *from, size_t n)
{
	enum { PIECE = 16 << 10 };
	size_t i;

	for (i = 0; i < n; i += PIECE, mapped_trim())
		memcpy(to + i, from + i, n - i < PIECE ? n - i : PIECE);
	return to;
}

void *
arena_grow(struct arena *a, void *list, size_t n, size_t *room, size_t size)
{
	enum { FIRST = 16 };
	char *more;

	if (n < *room)
		return list;
	if (*room > SIZE_MAX / 4 / size)
		panic("arena: a list of %zu objects of %zu bytes grows", n, size);
	*room = *room * 2 + FIRST;
	if (a->folder != NULL && *room * size > HUGE)
		return copy_in_pieces(arena_apart(a, *room, size), list, n * size);
	more = arena_bytes(a, *room * size);
	if (n > 0)
		memcpy(more, list, n * size);
	/* The old elements were copied, so only the new room is zeroed. */
	memset(more + n * size, 0, (*room - n) * size);
	return more;
}

char *
arena_strdup(struct arena *a, const char *s)
{
	return arena_strndup(a, s, strlen(s));
}

/* Length of the directive at p if it is %s, %c, %zu or %.*s; otherwise 0. */
static size_t
directive_length(const char *p)
{
	return p[1] == 's' || p[1] == 'c' ? 2 : p[1] == 'z' && p[2] == 'u' ? 3 :
	    p[1] == '.' && p[2] == '*' && p[3] == 's' ? 4 : 0;
}

/*
 * True if directive_length() knows all directives of the format, and there are at most TEXTS of
 * them.
 */
static bool
is_simple_format(const char *fmt)
{
	size_t n = 0, bytes;

	for (; (fmt = strchr(fmt, '%')) != NULL; fmt += bytes)
		if ((bytes = directive_length(fmt)) == 0 || ++n > TEXTS)
			return false;
	return true;
}

/* The text of a directive. `made` has room for a number or a character. */
static struct str
directive_text(const char *p, va_list *ap, char made[DIGITS])
{
	size_t n = DIGITS, number;
	const char *s;
	int most;

	if (p[1] == 's')
		return str_of(va_arg(*ap, const char *));
	if (p[1] == '.') {
		most = va_arg(*ap, int);
		s = va_arg(*ap, const char *);
		/*
		 * A negative precision counts as none (C11 7.21.6.1). An empty view may have a NULL
		 * pointer.
		 */
		if (most == 0)
			return (struct str){ NULL, 0 };
		return (struct str){ s, most < 0 ? strlen(s) : strnlen(s, (size_t)most) };
	}
	if (p[1] == 'c') {
		made[--n] = (char)va_arg(*ap, int);
		return (struct str){ made + n, 1 };
	}
	number = va_arg(*ap, size_t);
	do
		made[--n] = (char)('0' + number % 10);
	while ((number /= 10) > 0);
	return (struct str){ made + n, DIGITS - n };
}

/*
 * As vsnprintf(), for formats that have only these directives. Most calls do, and this takes a
 * sixth of the time.
 */
static char *
format_texts(struct arena *a, const char *fmt, va_list list)
{
	struct str part[2 * TEXTS + 1];
	char made[TEXTS][DIGITS], *s, *to;
	size_t parts = 0, n = 0;
	const char *next;
	va_list ap;

	/* A va_list parameter cannot be passed by address (it decays): copy it. */
	va_copy(ap, list);
	for (;; fmt = next + directive_length(next)) {
		next = strchrnul(fmt, '%');
		part[parts++] = (struct str){ fmt, (size_t)(next - fmt) };
		if (*next == '\0')
			break;
		part[parts] = directive_text(next, &ap, made[parts / 2]);
		parts++;
	}
	va_end(ap);
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

	if (is_simple_format(fmt))
		return format_texts(a, fmt, ap);

	/*
	 * Format into a local buffer first: most results are short, and formatting is the expensive
	 * part.
	 */
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

/* Runs when the owner ends, so that callers need not free the inner arena on each path. */
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

struct arena *
arena_on_disk(struct arena *owner, size_t cap, const char *folder)
{
	struct arena *a = arena_within(owner, cap);

#ifndef POISONS
	a->folder = folder != NULL ? folder : owner->folder;
#else
	/* AddressSanitizer does not look for pointers in mapped memory, as above. */
	(void)folder;
#endif
	return a;
}
