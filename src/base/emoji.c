/* Emoji: the grammar of Unicode Technical Standard 51 over code points. Contract: base/emoji.h. */
#include <string.h>
#include <utf8proc.h>

#include "base/buf.h"
#include "base/emoji.h"
#include "base/utf8.h"

/* CODE_POINTS: more than any emoji of Unicode has. */
enum { CODE_POINTS = 50, SELECTOR = 0xFE0F, JOINER = 0x200D, KEYCAP = 0x20E3, TAG_END = 0xE007F };

/* The code points of one text. */
struct points {
	uint32_t list[CODE_POINTS];
	size_t   n;
};

/*
 * Adds a code point. Variation selectors are skipped: they change how an emoji is drawn, not which
 * one it is.
 */
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

/* Value of a hexadecimal digit; -1 for any other character. */
static int
hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 32;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Parse "1f468-200d-1f469": two to six digits each. */
static bool
read_hex(const char *s, struct points *p)
{
	uint32_t cp;
	size_t n;

	for (;; s++) {
		cp = 0;
		for (n = 0; n < 7 && hex_digit(s[n]) >= 0; n++)
			cp = cp * 16 + (uint32_t)hex_digit(s[n]);
		if (n < 2 || n > 6 || !add_point(p, cp))
			return false;
		s += n;
		if (*s != '-')
			return *s == '\0';
	}
}

/* False if s is not UTF-8 or has more code points than an emoji. */
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
 * Uses the classes of grapheme segmentation (UAX 29), which utf8proc has; it has no table of emoji.
 */
static bool
is_class(uint32_t cp, int class)
{
	return utf8proc_get_property((utf8proc_int32_t)cp)->boundclass == class;
}

/* True for characters that are emoji only before U+20E3. */
static bool
is_keycap_base(uint32_t cp)
{
	return cp == '#' || cp == '*' || (cp >= '0' && cp <= '9');
}

/* End of the tags after a pictograph (flags of regions); i if there are none. */
static size_t
tags_end(const struct points *p, size_t i)
{
	size_t end = i;

	while (end < p->n && p->list[end] >= 0xE0020 && p->list[end] < TAG_END)
		end++;
	return end > i && end < p->n && p->list[end] == TAG_END ? end + 1 : i;
}

/* End of the element of a sequence that begins at i; 0 if there is none. */
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

/* True if the text is one emoji: elements with a joiner between each two (UTS 51, emoji_zwj_sequence). */
static bool
is_one_emoji(const struct points *p)
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

	/* Both spellings give the same key, so that an emoji is found however a client wrote it. */
	if (read_hex(s, &hex) && is_one_emoji(&hex))
		p = &hex;
	else if (read_characters(s, &characters) && is_one_emoji(&characters))
		p = &characters;
	else
		return NULL;
	buf_init(&b, a, 8 * CODE_POINTS + 1);
	for (i = 0; i < p->n; i++)
		buf_printf(&b, "%s%x", i > 0 ? "-" : "", (unsigned)p->list[i]);
	return arena_strndup(a, b.p, b.n);
}
