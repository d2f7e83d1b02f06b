/* Folds text for comparison. Search and the filters of lists use it. */
#include <utf8proc.h>

#include "base/buf.h"
#include "base/utf8.h"

/*
 * True for marks that people leave out when they type (Latin, Greek, Cyrillic, Hebrew, Arabic), and
 * for characters without width.
 */
static bool
is_dropped(uint32_t c)
{
	return (c >= 0x300 && c <= 0x36F) || (c >= 0x1AB0 && c <= 0x1AFF) ||
	    (c >= 0x1DC0 && c <= 0x1DFF) || (c >= 0x20D0 && c <= 0x20FF) ||
	    (c >= 0xFE00 && c <= 0xFE2F) || (c >= 0x591 && c <= 0x5C7) ||
	    (c >= 0x64B && c <= 0x65F) || c == 0x670 || c == 0xAD || c == 0xFEFF ||
	    (c >= 0x200B && c <= 0x200D) || c == 0x2060;
}

/* The plain letter that people type in place of a letter that Unicode does not decompose. */
static const char *
plain_letter(uint32_t c)
{
	switch (c) {
	case 0x142: return "l";
	case 0xF8:  return "o";
	case 0x111: case 0xF0: return "d";
	case 0xE6:  return "ae";
	case 0x153: return "oe";
	case 0xFE:  return "th";
	case 0x131: return "i";
	default:    return NULL;
	}
}

/* The longest case-folded compatibility decomposition in Unicode has 18 characters. */
size_t
utf8_fold_char(uint32_t cp, uint32_t *out)
{
	utf8proc_int32_t parts[UTF8_FOLDED];
	utf8proc_ssize_t k, i;
	const char *plain;
	size_t n = 0;

	/* Fast path for ASCII, without the tables. */
	if (cp < 0x80) {
		out[0] = cp >= 'A' && cp <= 'Z' ? cp + 32 : cp;
		return 1;
	}
	k = utf8proc_decompose_char((utf8proc_int32_t)cp, parts, UTF8_FOLDED,
	    UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT | UTF8PROC_CASEFOLD, NULL);
	for (i = 0; i < k && i < UTF8_FOLDED && n < UTF8_FOLDED; i++) {
		if (is_dropped((uint32_t)parts[i]))
			continue;
		if ((plain = plain_letter((uint32_t)parts[i])) == NULL)
			out[n++] = (uint32_t)parts[i];
		else
			for (; *plain != '\0' && n < UTF8_FOLDED; plain++)
				out[n++] = (unsigned char)*plain;
	}
	return n;
}

static size_t
casefold_char(uint32_t cp, uint32_t *out)
{
	utf8proc_int32_t parts[UTF8_FOLDED];
	utf8proc_ssize_t k = utf8proc_decompose_char((utf8proc_int32_t)cp, parts, UTF8_FOLDED, UTF8PROC_CASEFOLD, NULL), i;

	for (i = 0; i < k && i < UTF8_FOLDED; i++)
		out[i] = (uint32_t)parts[i];
	return (size_t)i;
}

static char *
map_chars(struct arena *a, struct str s, size_t (*map)(uint32_t cp, uint32_t *out))
{
	uint32_t folded[UTF8_FOLDED], cp;
	struct buf b;
	size_t n, k, i;

	/* The longest sequence: three bytes that become 18 characters of two. */
	buf_init(&b, a, s.n * 12 + 64);
	for (; s.n > 0; s = str_slice(s, n, s.n)) {
		n = utf8_next(s, &cp);
		if (n == 0) {
			/*
			 * Keep bytes that are not UTF-8: SQL calls this for any value of a column.
			 */
			buf_char(&b, s.p[0]);
			n = 1;
			continue;
		}
		k = map(cp, folded);
		for (i = 0; i < k; i++)
			buf_utf8(&b, folded[i]);
	}
	return b.p;
}

char *
utf8_fold(struct arena *a, struct str s)
{
	return map_chars(a, s, utf8_fold_char);
}

char *
utf8_casefold(struct arena *a, struct str s)
{
	return map_chars(a, s, casefold_char);
}
