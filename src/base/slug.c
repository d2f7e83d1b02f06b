/*
 * Slugs of page titles, by the rules of include/layout/rules.md, section 4.3: lower case; marks,
 * quotes, emoji and symbols removed; a few signs written as words; every run of other characters
 * becomes one dash. A slug consists of a-z 0-9 . + _ - and is never empty, "." or "..", or longer
 * than 100.
 */
#include <stdint.h>
#include <string.h>
#include <utf8proc.h>

#include "base/buf.h"
#include "base/slug.h"
#include "base/utf8.h"

enum { SLUG_MAX = 100 };

/* Letters that Unicode does not decompose, and the words for a few symbols. */
static const struct { uint32_t cp; const char *text; } words[] = {
	{ '&', "and" }, { '<', "less-than" }, { '>', "greater-than" }, { '|', "or" },
	{ 0x2026, "..." },
	{ 0xDF, "ss" }, { 0xE6, "ae" }, { 0xF0, "d" }, { 0xF8, "o" }, { 0xFE, "th" },
	{ 0x111, "d" }, { 0x127, "h" }, { 0x131, "i" }, { 0x142, "l" }, { 0x153, "oe" },
	{ 0x167, "t" }, { 0x138, "k" }, { 0x14B, "ng" }, { 0x19A, "l" }, { 0x180, "b" },
};

/* The word for a symbol; NULL: none. The list is short, and most characters are ASCII letters. */
static const char *
word_for(uint32_t cp)
{
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (words[i].cp == cp)
			return words[i].text;
	return NULL;
}

/*
 * True for characters that are removed: quotes, marks, emoji and other symbols. Any other character
 * that is not part of a word separates words.
 */
static bool
is_dropped(uint32_t cp)
{
	switch (utf8proc_category((utf8proc_int32_t)cp)) {
	case UTF8PROC_CATEGORY_MN: case UTF8PROC_CATEGORY_MC: case UTF8PROC_CATEGORY_ME:
	case UTF8PROC_CATEGORY_CF: case UTF8PROC_CATEGORY_SO: case UTF8PROC_CATEGORY_SK:
		return true;
	default:
		return cp == '\'' || cp == '"' || cp == '`' || (cp >= 0x2018 && cp <= 0x201F);
	}
}

static bool
is_kept(uint32_t cp)
{
	return (cp >= 'a' && cp <= 'z') || (cp >= '0' && cp <= '9') || cp == '.' || cp == '+'
	    || cp == '_';
}

/* Append one code point, lower-cased and decomposed. */
static void
slug_char(struct buf *b, uint32_t cp, bool *dash)
{
	const char *word = word_for(cp);

	if (word == NULL && is_dropped(cp))
		return;
	if (word == NULL && !is_kept(cp)) {
		*dash = true;
		return;
	}
	if (*dash && b->n > 0)
		buf_char(b, '-');
	*dash = false;
	if (word != NULL)
		buf_str(b, word);
	else
		buf_char(b, (char)cp);
}

/* Such a slug is replaced: "." and ".." are names of directories, and a slug of dots only describes nothing. */
static bool
only_dots(struct str s)
{
	size_t i;

	for (i = 0; i < s.n; i++)
		if (s.p[i] != '.')
			return false;
	return true;
}

char *
slug_from_title(struct arena *a, struct str title)
{
	utf8proc_int32_t parts[8];
	bool dash = false;
	struct buf b;
	uint32_t cp;
	size_t n;

	buf_init(&b, a, SLUG_MAX + 64);
	for (; title.n > 0 && b.n < SLUG_MAX; title = str_slice(title, n, title.n)) {
		utf8proc_ssize_t count, i;
		int last = 0;

		if ((n = utf8_next(title, &cp)) == 0) {
			n = 1;
			dash = true;
			continue;
		}
		cp = (uint32_t)utf8proc_tolower((utf8proc_int32_t)cp);
		count = utf8proc_decompose_char((utf8proc_int32_t)cp, parts, 8, UTF8PROC_DECOMPOSE, &last);
		for (i = 0; i < count && i < 8; i++)
			slug_char(&b, (uint32_t)parts[i], &dash);
	}
	/* The slug is ASCII, so a cut never splits a character. */
	if (b.n > SLUG_MAX)
		buf_cut(&b, b.n - SLUG_MAX);
	while (b.n > 0 && b.p[b.n - 1] == '-')
		buf_cut(&b, 1);
	return only_dots(buf_view(&b)) ? arena_strdup(a, "page") : b.p;
}
