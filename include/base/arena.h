/*
 * Bump allocator: one per request, per import step, per test.
 *
 * Allocation never fails towards the caller: running over the cap, or out of
 * memory, is a panic (see panic.h). Nothing is freed singly; arena_reset()
 * drops everything at once and keeps the first chunk for the next request.
 * Under AddressSanitizer unused bytes are poisoned, so that a pointer that
 * outlives its arena is caught. What is not memory (a file descriptor, say)
 * hangs a cleanup on the arena; cleanups run in reverse order.
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
 * A new arena that ends with another, for scratch that is reset on the way: what
 * leaves by a longjmp leaks nothing. Not to be freed by its user.
 */
struct arena *arena_within(struct arena *owner, size_t cap);

/* Runs the cleanups and forgets all allocations; the arena stays usable. */
void arena_reset(struct arena *a);

/* Resets and releases the arena itself. NULL is allowed. */
void arena_free(struct arena *a);

/* n zeroed bytes, aligned to 16. n = 0 gives a valid, unique pointer. */
void *arena_alloc(struct arena *a, size_t n);

/* The same without the zeros, for bytes that are written at once. */
void *arena_bytes(struct arena *a, size_t n);

/* Lets p, of n bytes, grow to more where it stands; false unless it is the newest allocation and there is room. */
bool arena_extend(struct arena *a, const void *p, size_t n, size_t more);

/*
 * Shrinks p, an allocation of n bytes, to its first `less` bytes; false unless it is the newest
 * allocation.
 */
bool arena_shrink(struct arena *a, const void *p, size_t n, size_t less);

/* n zeroed objects of the given size; an overflowing product is a panic. */
void *arena_array(struct arena *a, size_t n, size_t size);

/*
 * Makes room for one more object after the n of a list with the capacity *room (NULL and 0 at
 * first); returns the list itself, or its copy with at least twice the capacity.
 */
void *arena_grow(struct arena *a, void *list, size_t n, size_t *room, size_t size);

/* Copies of a C string, and of n bytes with a NUL appended. */
char *arena_strdup(struct arena *a, const char *s);
char *arena_strndup(struct arena *a, const char *p, size_t n);

/* Like sprintf into fresh memory. */
char *arena_printf(struct arena *a, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
char *arena_vprintf(struct arena *a, const char *fmt, va_list ap)
	__attribute__((format(printf, 2, 0)));

/* Calls fn(arg) at the next reset. */
void arena_on_end(struct arena *a, void (*fn)(void *), void *arg);

/*
 * From now on this process keeps up to so many bytes of large chunks that arenas gave back, for the
 * next ones: the system takes longer to clear such memory than a job to fill it. For processes that
 * read document after document and end; a worker gives back what a large request took.
 */
void arena_spare(size_t most);

/* For tests: the nth allocation from now, of any arena, panics; 0: none does. */
void arena_fault(size_t nth);

/* Bytes handed out since the last reset, for the log and the tests. */
size_t arena_used(const struct arena *a);

#endif
