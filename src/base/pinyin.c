/*
 * Syllables of Chinese characters. Contract: base/pinyin.h.
 *
 * The table contains the characters of GB 2312 and of the first level of Big5, with the readings of
 * ICU's transform "Han-Latin". Eight characters have the reading that the published service uses in
 * anchors instead. The table is parsed when the first character is looked up, since most programs
 * never need it.
 */
#include "base/buf.h"
#include "base/pinyin.h"
#include "base/utf8.h"

/* A line is a syllable followed by its characters. After an empty line, second readings follow. */
static const char lines[] =
#include "pinyin.inc"
;

enum { FIRST = 0x4E00, LAST = 0x9FFF };

/* Offset of a character's line, plus 1; 0: no reading. */
static uint16_t readings[2][LAST - FIRST + 1];

_Static_assert(sizeof(lines) < UINT16_MAX, "places in the table are of 16 bits");

static void
read_lines(void)
{
	const char *line, *end;
	struct str rest;
	uint32_t cp;
	size_t n;
	int other = 0;

	for (line = lines; *line != '\0'; line = end + 1) {
		end = strchr(line, '\n');
		other |= end == line;
		n = strcspn(line, " \n");
		for (rest = (struct str){ line + n, (size_t)(end - line) - n }; (n = utf8_next(rest, &cp)) > 0;
		    rest = str_slice(rest, n, rest.n))
			if (cp >= FIRST && cp <= LAST)
				readings[other][cp - FIRST] = (uint16_t)(line - lines + 1);
	}
}

/* The syllable of a character, not NUL-terminated; n 0: it has none. other: its second reading. */
static struct str
pinyin_syllable(uint32_t cp, int other)
{
	uint16_t at;

	if (cp < FIRST || cp > LAST)
		return (struct str){ NULL, 0 };
	/*
	 * The first character of the range has a reading, so 0 means that the table was not read
	 * yet.
	 */
	if (readings[0][0] == 0)
		read_lines();
	at = readings[other][cp - FIRST];
	return at == 0 ? (struct str){ NULL, 0 } : (struct str){ lines + at - 1, strcspn(lines + at - 1, " ") };
}

char *
pinyin_spelled(struct arena *a, struct str text, bool other)
{
	struct str s, rest = text;
	bool some = false;
	struct buf b;
	uint32_t cp;
	size_t n;

	buf_init(&b, a, text.n * 4 + 16);
	for (; rest.n > 0 && (n = utf8_next(rest, &cp)) > 0; rest = str_slice(rest, n, rest.n)) {
		s = other ? pinyin_syllable(cp, 1) : pinyin_syllable(cp, 0);
		some |= s.n > 0;
		if (s.n == 0)
			s = pinyin_syllable(cp, 0);
		if (s.n == 0) {
			buf_put(&b, str_slice(rest, 0, n));
			continue;
		}
		buf_char(&b, ' ');
		buf_put(&b, s);
		buf_char(&b, ' ');
	}
	return some ? b.p : NULL;
}
