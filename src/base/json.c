/*
 * The JSON writer (RFC 8259). Strings are copied in runs between the bytes that need an escape.
 * Contract: base/json.h.
 */
#ifdef __SSE2__
#include <emmintrin.h>
#endif
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/json.h"
#include "base/panic.h"
#include "base/utf8.h"

/* The top level is neither an object nor an array: open[0] is 0, so before_value() requires no key there. */
void
json_init(struct json *j, struct buf *out)
{
	j->out = out;
	j->depth = 0;
	j->keyed = false;
	j->some[0] = false;
	j->open[0] = 0;
}

/* Write what must precede a value: a comma, or nothing after a key. */
static void
before_value(struct json *j)
{
	if (j->open[j->depth] == '{') {
		/* This is a bug and no bad input: an invalid answer must not be sent. */
		if (!j->keyed)
			panic("json: value without a key");
		j->keyed = false;
		return;
	}
	if (j->some[j->depth])
		buf_char(j->out, ',');
	j->some[j->depth] = true;
}

/* j->some[] says for each level whether the next value needs a comma. */
static void
open_level(struct json *j, char kind)
{
	before_value(j);
	buf_char(j->out, kind);
	/* open[] and some[] have this many levels. */
	if (++j->depth >= JSON_MAX_DEPTH)
		panic("json: nested too deep");
	j->open[j->depth] = kind;
	j->some[j->depth] = false;
}

void
json_obj(struct json *j)
{
	open_level(j, '{');
}

void
json_arr(struct json *j)
{
	open_level(j, '[');
}

void
json_end(struct json *j)
{
	if (j->depth == 0 || j->keyed)
		panic("json: unbalanced end");
	buf_char(j->out, j->open[j->depth] == '{' ? '}' : ']');
	j->depth--;
}

/* Write a character that JSON strings must escape. */
static void
escape_char(struct buf *b, unsigned char c)
{
	switch (c) {
	/* NUL is replaced: readers that use C strings, such as Octavo itself, would end the text there. */
	case '\0': buf_str(b, "\\ufffd"); break;
	case '"':  buf_str(b, "\\\""); break;
	case '\\': buf_str(b, "\\\\"); break;
	case '\n': buf_str(b, "\\n");  break;
	case '\r': buf_str(b, "\\r");  break;
	case '\t': buf_str(b, "\\t");  break;
	default:   buf_printf(b, "\\u%04x", c);
	}
}

/* True for ASCII that needs no escape. */
static inline bool
is_plain(unsigned char c)
{
	return c >= 0x20 && c < 0x80 && c != '"' && c != '\\';
}

#define EACH(byte)  (UINT64_C(0x0101010101010101) * (byte))

/*
 * True if none of eight bytes needs an escape. How to test bytes in a word: Warren, Hacker's
 * Delight, section 6-1.
 */
static inline bool
plain_word(uint64_t w)
{
	uint64_t quote = w ^ EACH('"'), slash = w ^ EACH('\\');

	/*
	 * A subtraction borrows only from a byte that is itself below its bound, which sets the
	 * high bit of that byte: a borrow never hides a byte that needs an escape. Bytes from
	 * 0x80 on are not plain either: they are checked as UTF-8.
	 */
	return ((w | (w - EACH(0x20)) | (quote - EACH(1)) | (slash - EACH(1))) & EACH(0x80)) == 0;
}

/*
 * True if no byte of s needs an escape; false if some may. Tests sixteen bytes at a time; the last
 * block may overlap the one before.
 */
static inline bool
plain_at_once(struct str s)
{
#ifdef __SSE2__
	const __m128i least = _mm_set1_epi8(0x20), quote = _mm_set1_epi8('"'), slash = _mm_set1_epi8('\\');
	__m128i v, bad = _mm_setzero_si128();
	size_t i;

	if (s.n < 16 || s.n > 256)
		return false;
	for (i = 0; i < s.n; i += 16) {
		v = _mm_loadu_si128((const __m128i *)(const void *)(s.p + (s.n - i < 16 ? s.n - 16 : i)));
		/* The comparison is signed: bytes from 0x80 on are negative, and so below the bound, too. */
		bad = _mm_or_si128(bad, _mm_or_si128(_mm_cmplt_epi8(v, least),
		    _mm_or_si128(_mm_cmpeq_epi8(v, quote), _mm_cmpeq_epi8(v, slash))));
	}
	return _mm_movemask_epi8(bad) == 0;
#else
	(void)s;
	return false;
#endif
}

/* Position of the first byte from i on that needs an escape. */
static size_t
plain_until(struct str s, size_t i)
{
	uint64_t w;

	for (; s.n - i >= 8; i += 8) {
		/* memcpy(), since the text is unaligned; compilers make it a single load. */
		memcpy(&w, s.p + i, sizeof(w));
		if (!plain_word(w))
			break;
	}
	if (s.n - i < 8) {
		/*
		 * The rest is tested together with bytes that were tested already or, in a short
		 * string, with padding.
		 */
		w = EACH('a');
		if (s.n >= 8)
			memcpy(&w, s.p + s.n - 8, sizeof(w));
		else if (s.n > 0)
			memcpy(&w, s.p, s.n);
		if (plain_word(w))
			return s.n;
	}
	while (i < s.n && is_plain((unsigned char)s.p[i]))
		i++;
	return i;
}

/* Write a string whose first i bytes need no escape, and the next one does. */
static void
quoted_slowly(struct buf *b, struct str s, size_t i)
{
	size_t from = 0, n;
	unsigned char c;
	uint32_t cp;

	buf_reserve(b, s.n + 2);
	buf_char(b, '"');
	for (; i < s.n; i = plain_until(s, i)) {
		c = (unsigned char)s.p[i];
		n = utf8_next(str_slice(s, i, s.n), &cp);
		if (n > 1) {
			i += n;
			continue;
		}
		buf_put(b, str_slice(s, from, i));
		if (n == 0)
			buf_str(b, "\xEF\xBF\xBD");
		else
			escape_char(b, c);
		from = ++i;
	}
	if (s.n > from)
		buf_put(b, str_slice(s, from, s.n));
	buf_char(b, '"');
}

/* Fast path: most strings have nothing to escape. */
void
json_quote(struct buf *b, struct str s)
{
	size_t i = plain_at_once(s) ? s.n : plain_until(s, 0);
	char *p;

	if (i < s.n) {
		quoted_slowly(b, s, i);
		return;
	}
	if (s.n + 2 > b->cap - b->n)
		buf_reserve(b, s.n + 2);
	p = b->p + b->n;
	p[0] = '"';
	if (s.n > 0)
		memcpy(p + 1, s.p, s.n);
	p[s.n + 1] = '"';
	p[s.n + 2] = '\0';
	b->n += s.n + 2;
}

/* Two keys in a row, or a key in a list, is a bug. */
static void
before_key(struct json *j)
{
	if (j->open[j->depth] != '{' || j->keyed)
		panic("json: key outside an object");
	if (j->some[j->depth])
		buf_char(j->out, ',');
	j->some[j->depth] = true;
	j->keyed = true;
}

void
json_keyn(struct json *j, struct str key)
{
	before_key(j);
	json_quote(j->out, key);
	buf_char(j->out, ':');
}

/* Writes a name that is part of the program. Such names need no escape, so they are not tested. */
void
json_name(struct json *j, const char *name, size_t n)
{
	char *p;

	before_key(j);
	if (n + 3 > j->out->cap - j->out->n)
		buf_reserve(j->out, n + 3);
	p = j->out->p + j->out->n;
	p[0] = '"';
	memcpy(p + 1, name, n);
	memcpy(p + 1 + n, "\":", 3);
	j->out->n += n + 3;
}

void
json_strn(struct json *j, struct str s)
{
	before_value(j);
	json_quote(j->out, s);
}

/* NULL writes null, so that callers need no test for an optional column. */
void
json_str(struct json *j, const char *s)
{
	if (s == NULL)
		json_null(j);
	else
		json_strn(j, str_of(s));
}

void
json_int(struct json *j, int64_t n)
{
	before_value(j);
	buf_int(j->out, n);
}

void
json_num(struct json *j, double n)
{
	char text[32];

	/* JSON has no NaN and no infinity (RFC 8259 section 6). */
	if (!isfinite(n)) {
		json_null(j);
		return;
	}
	before_value(j);
	/*
	 * Fifteen digits print 0.1 as it was written; use seventeen, which always suffice, only if
	 * these do not read back exactly.
	 */
	snprintf(text, sizeof(text), "%.15g", n);
	if (strtod(text, NULL) != n)
		snprintf(text, sizeof(text), "%.17g", n);
	buf_str(j->out, text);
}

void
json_bool(struct json *j, bool b)
{
	before_value(j);
	buf_str(j->out, b ? "true" : "false");
}

void
json_null(struct json *j)
{
	before_value(j);
	buf_str(j->out, "null");
}

/* The text is not parsed. It contains at least one member, so the next one needs a comma. */
void
json_begin(struct json *j, struct str text)
{
	open_level(j, '{');
	j->some[j->depth] = true;
	buf_put(j->out, str_slice(text, 1, text.n));
}

void
json_open(struct json *j, struct str text)
{
	buf_put(j->out, text);
	if (++j->depth >= JSON_MAX_DEPTH)
		panic("json: nested too deep");
	j->open[j->depth] = text.p[text.n - 1];
	j->some[j->depth] = false;
}

struct buf *
json_by_hand(struct json *j)
{
	before_value(j);
	return j->out;
}

/* s must be one whole JSON value: it is not checked. */
void
json_raw(struct json *j, struct str s)
{
	before_value(j);
	buf_put(j->out, s);
}

void
json_time(struct json *j, int64_t ms)
{
	char text[25];

	time_format(ms, text);
	json_str(j, text);
}
