/* A range of bytes in memory of another owner: not NUL-terminated, may contain NULs. */
#ifndef OCTAVO_STR_H
#define OCTAVO_STR_H

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct str {
	const char *p;  /* may be NULL when n is 0 */
	size_t      n;  /* bytes */
};

#define STR(literal) ((struct str){ (literal), sizeof(literal) - 1 })

static inline struct str
str_of(const char *s)
{
	return (struct str){ s, s == NULL ? 0 : strlen(s) };
}

static inline struct str
str_slice(struct str s, size_t from, size_t to)
{
	/* p may be NULL in an empty range, and C forbids adding even zero to NULL (C11 6.5.6). */
	return (struct str){ s.p == NULL ? NULL : s.p + from, to - from };
}

static inline bool
str_eq(struct str a, struct str b)
{
	return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

static inline bool
str_is(struct str a, const char *s)
{
	return str_eq(a, str_of(s));
}

static inline bool
str_starts(struct str s, const char *prefix)
{
	size_t n = strlen(prefix);

	return s.n >= n && memcmp(s.p, prefix, n) == 0;
}

/* The range without the white space at its ends. */
static inline struct str
str_trim(struct str s)
{
	while (s.n > 0 && isspace((unsigned char)s.p[0]))
		s = str_slice(s, 1, s.n);
	while (s.n > 0 && isspace((unsigned char)s.p[s.n - 1]))
		s.n--;
	return s;
}

/* True if the texts are equal; NULL equals only NULL. */
static inline bool
same_text(const char *a, const char *b)
{
	return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

#endif
