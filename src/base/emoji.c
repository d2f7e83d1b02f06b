/* Emoji: the grammar of UTS 51 over code points; see emoji.h. */
#include <string.h>
#include <utf8proc.h>

#include "base/buf.h"
#include "base/emoji.h"
#include "base/utf8.h"

/* CODE_POINTS: far more than any emoji of Unicode has; what is longer is none. */
enum { CODE_POINTS = 50, SELECTOR = 0xFE0F, JOINER = 0x200D, KEYCAP = 0x20E3, TAG_END = 0xE007F };

/* The code points of one text. */
struct points {
	uint32_t list[CODE_POINTS];
	size_t   n;
};

/* Variation selectors change how an emoji is drawn, not which it is. */
static bool
add_point(struct points *p, uint32_t cp)
{
	if (cp == SELECTOR)
		return true;
	if (p->n == CODE_POINTS)
		return false;
	p->list[p->n++] = cp;
	return true;
}

/* -1: no hexadecimal digit. */
static int
hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 32;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* "1f468-200d-1f469": two to six digits each. */
static bool
read_hex(const char *s, struct points *p)
{
	uint32_t cp;
	size_t n;

	for (;; s++) {
		cp = 0;
		for (n = 0; hex_digit(s[n]) >= 0 && n < 7; n++)
			cp = cp * 16 + (uint32_t)hex_digit(s[n]);
		if (n < 2 || n > 6 || !add_point(p, cp))
			return false;
		s += n;
		if (*s != '-')
			return *s == '\0';
	}
}

/* False: no UTF-8, or more code points than an emoji has. */
static bool
read_characters(const char *s, struct points *p)
{
	struct str rest = str_of(s);
	uint32_t cp;
	size_t n;

	for (; rest.n > 0; rest = str_slice(rest, n, rest.n))
		if ((n = utf8_next(rest, &cp)) == 0 || !add_point(p, cp))
			return false;
	return true;
}

/* Emoji modifiers (UTS 51, emoji_modifier), after the Fitzpatrick scale. */
static bool
is_skin_tone(uint32_t cp)
{
	return cp >= 0x1F3FB && cp <= 0x1F3FF;
}

/*
 * By the classes that Unicode divides graphemes with (UAX 29): utf8proc has them, and no table
 * of emoji of its own.
 */
static bool
is_class(uint32_t cp, int class)
{
	return utf8proc_get_property((utf8proc_int32_t)cp)->boundclass == class;
}

/* These are emoji only before U+20E3: a digit alone is text. */
static bool
is_keycap_base(uint32_t cp)
{
	return cp == '#' || cp == '*' || (cp >= '0' && cp <= '9');
}

/* Tags after a pictograph (flags of regions), up to their end. Returns where they end; i: there are none. */
static size_t
tags_end(const struct points *p, size_t i)
{
	size_t end = i;

	while (end < p->n && p->list[end] >= 0xE0020 && p->list[end] < TAG_END)
		end++;
	return end > i && end < p->n && p->list[end] == TAG_END ? end + 1 : i;
}

/* One element of a sequence that begins at i: where it ends; 0: there is none. */
static size_t
element_end(const struct points *p, size_t i)
{
	uint32_t cp = p->list[i], next = i + 1 < p->n ? p->list[i + 1] : 0;

	if (is_class(cp, UTF8PROC_BOUNDCLASS_REGIONAL_INDICATOR))
		return is_class(next, UTF8PROC_BOUNDCLASS_REGIONAL_INDICATOR) ? i + 2 : 0;
	if (is_keycap_base(cp))
		return next == KEYCAP ? i + 2 : 0;
	if (is_skin_tone(cp))
		return i + 1;
	if (!is_class(cp, UTF8PROC_BOUNDCLASS_EXTENDED_PICTOGRAPHIC))
		return 0;
	return is_skin_tone(next) ? i + 2 : tags_end(p, i + 1);
}

/* Elements with a joiner between each two (UTS 51, emoji_zwj_sequence): one drawing. */
static bool
is_one(const struct points *p)
{
	size_t i = 0;

	while (i < p->n && (i = element_end(p, i)) > 0) {
		if (i == p->n)
			return true;
		if (p->list[i++] != JOINER)
			return false;
	}
	return false;
}

char *
emoji_key(struct arena *a, const char *s)
{
	struct points hex = { .n = 0 }, characters = { .n = 0 };
	const struct points *p;
	struct buf b;
	size_t i;

	/* Both spellings lead to one key, so that the same emoji is found however a client wrote it. */
	if (read_hex(s, &hex) && is_one(&hex))
		p = &hex;
	else if (read_characters(s, &characters) && is_one(&characters))
		p = &characters;
	else
		return NULL;
	buf_init(&b, a, 8 * CODE_POINTS + 1);
	for (i = 0; i < p->n; i++)
		buf_printf(&b, "%s%x", i > 0 ? "-" : "", (unsigned)p->list[i]);
	return arena_strndup(a, b.p, b.n);
}
