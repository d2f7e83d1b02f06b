/* Validation and counting of UTF-8 (RFC 3629), eight ASCII bytes at a time. Contract: base/utf8.h. */
#include <string.h>
#include <utf8proc.h>

#include "base/buf.h"
#include "base/utf8.h"

size_t
utf8_next(struct str s, uint32_t *cp)
{
	const unsigned char *p = (const unsigned char *)s.p;
	/*
	 * Smallest code point for each length. An overlong form is refused, since it could hide a
	 * "/" or a quote (RFC 3629 section 10).
	 */
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t n, i;
	uint32_t c;

	if (s.n == 0)
		return 0;
	if (p[0] < 0x80) {
		*cp = p[0];
		return 1;
	}
	n = p[0] >= 0xF0 && p[0] < 0xF8 ? 4 : p[0] >= 0xE0 ? 3 : p[0] >= 0xC0 ? 2 : 0;
	if (p[0] >= 0xF8 || n == 0 || s.n < n)
		return 0;
	c = p[0] & (0x7Fu >> n);
	for (i = 1; i < n; i++) {
		if ((p[i] & 0xC0) != 0x80)
			return 0;
		c = c << 6 | (p[i] & 0x3Fu);
	}
	/* Surrogates are halves of UTF-16 pairs, not characters (RFC 3629 section 3). */
	if (c < least[n] || c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF))
		return 0;
	*cp = c;
	return n;
}

/* True if eight bytes at p, at any alignment, are ASCII. */
static inline bool
ascii_word(const char *p)
{
	uint64_t w;

	memcpy(&w, p, sizeof(w));
	return (w & UINT64_C(0x8080808080808080)) == 0;
}

bool
utf8_valid(struct str s)
{
	uint32_t cp;
	size_t n;

	while (s.n > 0) {
		/* Most text is ASCII: test eight bytes at a time. */
		if (s.n >= 8 && ascii_word(s.p)) {
			s.p += 8;
			s.n -= 8;
			continue;
		}
		if ((n = utf8_next(s, &cp)) == 0)
			return false;
		s.p += n;
		s.n -= n;
	}
	return true;
}

/* Counts the bytes that begin a character; s must be valid UTF-8. */
size_t
utf8_count(struct str s)
{
	size_t count = 0, i;

	for (i = 0; i < s.n; i++)
		count += ((unsigned char)s.p[i] & 0xC0) != 0x80;
	return count;
}

bool
utf8_visible(uint32_t cp)
{
	const utf8proc_property_t *p = utf8proc_get_property((utf8proc_int32_t)cp);

	switch (p->category) {
	case UTF8PROC_CATEGORY_ZS: case UTF8PROC_CATEGORY_ZL: case UTF8PROC_CATEGORY_ZP:
	case UTF8PROC_CATEGORY_CC: return false;
	/* Braille blank and the marks of interlinear notes are invisible in fonts. */
	default: return !p->ignorable && cp != 0x2800 && (cp < 0xFFF9 || cp > 0xFFFB);
	}
}

char *
utf8_lower(struct arena *a, struct str s)
{
	struct buf b;
	uint32_t cp;
	size_t n;

	/* The lower case of a letter takes at most one more byte. */
	buf_init(&b, a, s.n * 2 + 1);
	for (; s.n > 0; s = str_slice(s, n, s.n)) {
		n = utf8_next(s, &cp);
		if (n == 0)
			buf_char(&b, s.p[0]);
		else if (cp < 0x80)
			buf_char(&b, cp >= 'A' && cp <= 'Z' ? (char)(cp + 'a' - 'A') : (char)cp);
		else
			buf_utf8(&b, (uint32_t)utf8proc_tolower((utf8proc_int32_t)cp));
		n += n == 0;
	}
	buf_fit(&b);
	return b.p;
}
