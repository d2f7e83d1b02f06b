/* A byte buffer that grows in an arena. Contract: base/buf.h. */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/panic.h"

void
buf_init(struct buf *b, struct arena *a, size_t max)
{
	b->arena = a;
	b->n = 0;
	b->max = max;
	/* One byte more than cap is allocated for the NUL, so 255 makes an allocation of 256 bytes. */
	b->cap = max < 255 ? max : 255;
	b->p = arena_bytes(a, b->cap + 1);
	b->p[0] = '\0';
}

void
buf_reserve(struct buf *b, size_t n)
{
	size_t cap;
	char *p;

	if (n <= b->cap - b->n)
		return;
	/* Exceeding the ceiling is a bug: callers measure input before they copy it. */
	if (n > b->max - b->n)
		panic("buffer over its ceiling of %zu bytes", b->max);
	cap = b->cap * 2 + 1;
	if (cap < b->n + n)
		cap = b->n + n;
	if (cap > b->max)
		cap = b->max;
	/*
	 * If nothing else was allocated since, the buffer grows in place without a copy. Otherwise
	 * it doubles, so that all copying together stays linear.
	 */
	if (!arena_extend(b->arena, b->p, b->cap + 1, cap + 1)) {
		p = arena_bytes(b->arena, cap + 1);
		memcpy(p, b->p, b->n + 1);
		b->p = p;
	}
	b->cap = cap;
}

void
buf_add(struct buf *b, const void *p, size_t n)
{
	if (n == 0)
		return;
	/* Avoid the call: there is nearly always room. */
	if (n > b->cap - b->n)
		buf_reserve(b, n);
	memcpy(b->p + b->n, p, n);
	b->n += n;
	b->p[b->n] = '\0';
}

void
buf_int(struct buf *b, int64_t n)
{
	char digits[24], *p = digits + sizeof(digits);
	/* Negate as unsigned: -INT64_MIN does not fit int64_t. */
	uint64_t rest = n < 0 ? -(uint64_t)n : (uint64_t)n;

	do
		*--p = (char)('0' + rest % 10);
	while ((rest /= 10) > 0);
	if (n < 0)
		*--p = '-';
	buf_add(b, p, (size_t)(digits + sizeof(digits) - p));
}

void
buf_vprintf(struct buf *b, const char *fmt, va_list ap)
{
	va_list again;
	int n;

	va_copy(again, ap);
	n = vsnprintf(b->p + b->n, b->cap - b->n + 1, fmt, again);
	va_end(again);
	if (n < 0)
		panic("buf_printf: bad format");
	/* The first call wrote what fitted: restore the NUL before the bytes move. */
	if ((size_t)n > b->cap - b->n) {
		b->p[b->n] = '\0';
		buf_reserve(b, (size_t)n);
		vsnprintf(b->p + b->n, (size_t)n + 1, fmt, ap);
	}
	b->n += (size_t)n;
}

void
buf_printf(struct buf *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(b, fmt, ap);
	va_end(ap);
}

void
buf_utf8(struct buf *b, uint32_t cp)
{
	if (cp < 0x80) {
		buf_char(b, (char)cp);
	} else if (cp < 0x800) {
		buf_char(b, (char)(0xC0 | cp >> 6));
		buf_char(b, (char)(0x80 | (cp & 0x3F)));
	} else if (cp < 0x10000) {
		buf_char(b, (char)(0xE0 | cp >> 12));
		buf_char(b, (char)(0x80 | (cp >> 6 & 0x3F)));
		buf_char(b, (char)(0x80 | (cp & 0x3F)));
	} else {
		buf_char(b, (char)(0xF0 | cp >> 18));
		buf_char(b, (char)(0x80 | (cp >> 12 & 0x3F)));
		buf_char(b, (char)(0x80 | (cp >> 6 & 0x3F)));
		buf_char(b, (char)(0x80 | (cp & 0x3F)));
	}
}

void
buf_cut(struct buf *b, size_t n)
{
	b->n -= n <= b->n ? n : b->n;
	b->p[b->n] = '\0';
}

void
buf_fit(struct buf *b)
{
	if (arena_shrink(b->arena, b->p, b->cap + 1, b->n + 1))
		b->cap = b->n;
}
