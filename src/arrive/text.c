/* Lines with their numbers in the source, and fenced code. Contract: arrival.h. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "arrival.h"

void
text_add(struct text *t, struct str s, size_t at)
{
	t->v = arena_grow(t->arena, t->v, t->n, &t->room, sizeof(*t->v));
	t->v[t->n++] = (struct line){ s, at };
}

void
text_printf(struct text *t, size_t at, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	text_add(t, str_of(arena_vprintf(t->arena, fmt, ap)), at);
	va_end(ap);
}

void
text_read(struct text *t, struct arena *a, struct str bytes, size_t at, bool fixed)
{
	*t = (struct text){ .arena = a };
	while (bytes.n > 0) {
		const char *end = memchr(bytes.p, '\n', bytes.n);
		struct str s = end == NULL ? bytes : str_slice(bytes, 0, (size_t)(end - bytes.p));

		bytes = str_slice(bytes, end == NULL ? bytes.n : s.n + 1, bytes.n);
		if (s.n > 0 && s.p[s.n - 1] == '\r')
			s.n--;
		text_add(t, s, at);
		at += fixed ? 0 : 1;
	}
}

struct str
text_bytes(struct arena *a, const struct text *t)
{
	size_t i, n = 0;
	char *p, *to;

	for (i = 0; i < t->n; i++)
		n += t->v[i].s.n + 1;
	p = to = arena_bytes(a, n + 1);
	for (i = 0; i < t->n; i++) {
		if (t->v[i].s.n > 0)
			memcpy(to, t->v[i].s.p, t->v[i].s.n);
		to += t->v[i].s.n;
		*to++ = '\n';
	}
	*to = '\0';
	return (struct str){ p, n };
}

size_t
text_indent(struct str s, size_t *n)
{
	size_t columns = 0, i;

	for (i = 0; i < s.n && (s.p[i] == ' ' || s.p[i] == '\t'); i++)
		columns = s.p[i] == '\t' ? columns / 4 * 4 + 4 : columns + 1;
	if (n != NULL)
		*n = i;
	return columns;
}

struct str
text_outdent(struct str s, size_t columns)
{
	size_t at = 0, i;

	for (i = 0; i < s.n && at < columns && (s.p[i] == ' ' || s.p[i] == '\t'); i++)
		at = s.p[i] == '\t' ? at / 4 * 4 + 4 : at + 1;
	return str_slice(s, i, s.n);
}

bool
text_blank(struct str s)
{
	return str_trim(s).n == 0;
}

struct str
text_until(struct str s, const char *set)
{
	size_t n = 0;

	while (n < s.n && (s.p[n] == '\0' || strchr(set, s.p[n]) == NULL))
		n++;
	return str_slice(s, 0, n);
}

bool
fence_step(struct fence *f, struct str s)
{
	size_t skip, n = 0, columns = text_indent(s, &skip);
	struct str rest = str_slice(s, skip, s.n);
	char c = rest.n > 0 ? rest.p[0] : '\0';

	while (n < rest.n && rest.p[n] == c)
		n++;
	if (f->mark == '\0') {
		if ((c != '`' && c != '~') || n < 3 || (c == '`' && memchr(rest.p + n, '`', rest.n - n) != NULL))
			return false;
		*f = (struct fence){ c, n, columns };
		return true;
	}
	/* A closing fence must have nothing after it. */
	if (c == f->mark && n >= f->n && text_blank(str_slice(rest, n, rest.n)))
		f->mark = '\0';
	return true;
}
