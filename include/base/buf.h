/*
 * A growing byte buffer in an arena. Its largest size is set at the beginning; exceeding it is a
 * panic, so callers that handle input compare sizes first. The bytes are always followed by a NUL,
 * which does not count.
 */
#ifndef OCTAVO_BUF_H
#define OCTAVO_BUF_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"

struct buf {
	struct arena *arena;
	char         *p;    /* the bytes; moves when the buffer grows */
	size_t        n;    /* bytes in use */
	size_t        cap;  /* bytes allocated, without the NUL */
	size_t        max;  /* ceiling for n */
};

void buf_init(struct buf *b, struct arena *a, size_t max);
void buf_add(struct buf *b, const void *p, size_t n);
void buf_int(struct buf *b, int64_t n);
void buf_printf(struct buf *b, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void buf_vprintf(struct buf *b, const char *fmt, va_list ap)
	__attribute__((format(printf, 2, 0)));

/* Appends one Unicode code point as UTF-8 (RFC 3629). */
void buf_utf8(struct buf *b, uint32_t cp);

/* Removes the last n bytes. */
void buf_cut(struct buf *b, size_t n);

/*
 * Gives unused room back to the arena, if nothing was allocated since. For many small results that
 * stay in memory.
 */
void buf_fit(struct buf *b);

/* Makes room for n more bytes and the NUL, at b->p + b->n. */
void buf_reserve(struct buf *b, size_t n);

static inline void
buf_str(struct buf *b, const char *s)
{
	buf_add(b, s, strlen(s));
}

static inline void
buf_put(struct buf *b, struct str s)
{
	/*
	 * If there is room, a text of the program, whose length the compiler knows, is copied by a
	 * few instructions.
	 */
	if (__builtin_constant_p(s.n) && s.n <= b->cap - b->n) {
		memcpy(b->p + b->n, s.p, s.n);
		b->n += s.n;
		b->p[b->n] = '\0';
		return;
	}
	buf_add(b, s.p, s.n);
}

static inline void
buf_char(struct buf *b, char c)
{
	if (b->n == b->cap)
		buf_reserve(b, 1);
	b->p[b->n++] = c;
	b->p[b->n] = '\0';
}

/* The present bytes; valid until the buffer grows or the arena is reset. */
static inline struct str
buf_view(const struct buf *b)
{
	return (struct str){ b->p, b->n };
}

#endif
