/*
 * Bump allocator. There is one arena for each request, each step of an import, each test.
 *
 * Allocation never fails: exceeding the cap, or having no memory, is a panic (see panic.h). Nothing
 * is freed alone. arena_reset() frees everything at once, and keeps the first chunk for the next
 * request. Under AddressSanitizer unused bytes are poisoned, so that the use of a pointer after its
 * arena was reset is noticed. Resources other than memory, such as file descriptors, are released
 * by cleanup functions that are added to the arena; these run in reverse order.
 */
#ifndef OCTAVO_ARENA_H
#define OCTAVO_ARENA_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct arena;

/* A new arena that may hold up to cap bytes. The caller owns it. */
struct arena *arena_new(size_t cap);

/*
 * A new arena that ends with its owner, for memory that is reset in between; a longjmp leaks
 * nothing. Its user must not free it.
 */
struct arena *arena_within(struct arena *owner, size_t cap);

/*
 * The same, for lists that grow with a job's input: large chunks are mapped from files in the folder,
 * so that memory does not grow with them (base/mapped.h). The name must live as long as the arena;
 * NULL: the folder of the owner, if that has one. Not for memory that is reset often. A child of fork()
 * must not allocate in it.
 */
struct arena *arena_on_disk(struct arena *owner, size_t cap, const char *folder);

/* Runs the cleanups and frees all allocations; the arena stays usable. */
void arena_reset(struct arena *a);

/* Resets and frees the arena itself. a may be NULL. */
void arena_free(struct arena *a);

/* n zeroed bytes, aligned to 16. n = 0 gives a valid, unique pointer. */
void *arena_alloc(struct arena *a, size_t n);

/* As arena_alloc(), but not zeroed: for bytes that are written at once. */
void *arena_bytes(struct arena *a, size_t n);

/*
 * Lets an allocation of n bytes grow in place to `more` bytes. False unless it is the newest
 * allocation and there is room.
 */
bool arena_extend(struct arena *a, const void *p, size_t n, size_t more);

/* Shrinks an allocation of n bytes to its first `less` bytes. False unless it is the newest allocation. */
bool arena_shrink(struct arena *a, const void *p, size_t n, size_t less);

/* n zeroed objects of the given size; an overflowing product is a panic. */
void *arena_array(struct arena *a, size_t n, size_t size);

/*
 * n zeroed objects apart from the others, for a large table that a larger one will replace. They count
 * towards the cap. arena_drop() frees them before the arena ends.
 */
void *arena_apart(struct arena *a, size_t n, size_t size);
void arena_drop(struct arena *a, const void *apart);

/*
 * Makes room for one more object in a list of n objects with the capacity *room (both NULL and 0 at
 * first). Returns the list itself, or a copy of it with at least twice the capacity.
 */
void *arena_grow(struct arena *a, void *list, size_t n, size_t *room, size_t size);

/* Copies of a C string, and of n bytes with a NUL appended. */
char *arena_strdup(struct arena *a, const char *s);
char *arena_strndup(struct arena *a, const char *p, size_t n);

/* Formats as sprintf() does, into new memory of the arena. */
char *arena_printf(struct arena *a, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
char *arena_vprintf(struct arena *a, const char *fmt, va_list ap)
	__attribute__((format(printf, 2, 0)));

/* Calls fn(arg) at the next reset. */
void arena_on_end(struct arena *a, void (*fn)(void *), void *arg);

/*
 * From now on this process keeps up to `most` bytes of large chunks that arenas free, for later
 * arenas: the system takes longer to clear such memory than a job to fill it. For processes that
 * read one document after another and then end; a worker must give the memory of a large request
 * back.
 */
void arena_spare(size_t most);

/* For tests: the nth allocation from now on, in any arena, panics; 0: none. */
void arena_fault(size_t nth);

/* Bytes allocated since the last reset, for the log and tests. */
size_t arena_used(const struct arena *a);

#endif
