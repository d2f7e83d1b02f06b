/*
 * Strict scan of a JSON text (RFC 8259) before cJSON parses it: cJSON reads "x\u0000y" as "x", and
 * accepts raw control bytes, invalid UTF-8, [01, 1.] and text after the value. One pass, no
 * recursion, no allocation except for the message. Nesting and number of values are limited: ten
 * megabytes of "[0,0,…" would become a tree of 400 MB.
 */
#include <assert.h>
#include <cjson/cJSON.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/scan.h"
#include "base/utf8.h"

/* Limits of the bodies of requests; a larger body is answered with 413 (docs/design/requests.md, "Limits"). */
const struct json_limits json_limits_body = { 200000, 128 };

struct scan {
	struct arena *arena;
	const struct json_limits *limits;
	struct str    s;
	/* Index of the next byte. */
	size_t        i;
	const char   *error;
	/* The text is too large: the caller answers 413 instead of 400. */
	bool          large;
};

/* Records the first error. Returns false, so that callers can return its result. */
static bool
scan_fail(struct scan *c, const char *what)
{
	if (c->error == NULL)
		c->error = arena_printf(c->arena, "%s at byte %zu", what, c->i + 1);
	return false;
}

/* The next byte, or -1 at the end: no caller needs to compare with the length. */
static int
peek_char(const struct scan *c)
{
	return c->i < c->s.n ? (unsigned char)c->s.p[c->i] : -1;
}

/* Skip the four blanks of RFC 8259 section 2; JSON allows no other Unicode space. */
static void
skip_blanks(struct scan *c)
{
	while (peek_char(c) == ' ' || peek_char(c) == '\t' || peek_char(c) == '\n' || peek_char(c) == '\r')
		c->i++;
}

/* Reads four hexadecimal digits; -1 if there are fewer. */
static int
scan_hex4(struct scan *c)
{
	int n = 0, k, d;

	for (k = 0; k < 4; k++, c->i++) {
		d = peek_char(c);
		if (d >= '0' && d <= '9')
			n = n * 16 + d - '0';
		else if ((d | 32) >= 'a' && (d | 32) <= 'f')
			n = n * 16 + (d | 32) - 'a' + 10;
		else
			return -1;
	}
	return n;
}

/* Scan the digits after "\u", and the second half of a surrogate pair. */
static bool
unicode_escape(struct scan *c)
{
	int n = scan_hex4(c);

	if (n < 0)
		return scan_fail(c, "\\u without four hexadecimal digits");
	/* cJSON would end the string there, so the checked text and the stored one would differ. */
	if (n == 0)
		return scan_fail(c, "U+0000 is not allowed in strings");
	/*
	 * A lone surrogate has no UTF-8 (RFC 3629 section 3); cJSON would drop it or fail
	 * without saying where.
	 */
	if (n >= 0xDC00 && n <= 0xDFFF)
		return scan_fail(c, "half of a surrogate pair");
	if (n < 0xD800 || n > 0xDBFF)
		return true;
	if (peek_char(c) != '\\' || c->i + 1 >= c->s.n || c->s.p[c->i + 1] != 'u')
		return scan_fail(c, "half of a surrogate pair");
	c->i += 2;
	n = scan_hex4(c);
	return (n >= 0xDC00 && n <= 0xDFFF) || scan_fail(c, "half of a surrogate pair");
}

/* Begins at the opening quote and ends after the closing one. */
static bool
scan_string(struct scan *c)
{
	uint32_t cp;
	size_t n;

	for (c->i++; peek_char(c) != '"'; ) {
		if (peek_char(c) < 0)
			return scan_fail(c, "a string without its end");
		if (peek_char(c) < 0x20)
			return scan_fail(c, "a control character in a string");
		if (peek_char(c) != '\\') {
			if ((n = utf8_next(str_slice(c->s, c->i, c->s.n), &cp)) == 0)
				return scan_fail(c, "invalid UTF-8");
			c->i += n;
			continue;
		}
		c->i++;
		if (peek_char(c) == 'u') {
			c->i++;
			if (!unicode_escape(c))
				return false;
		} else if (peek_char(c) <= 0 || strchr("\"\\/bfnrt", peek_char(c)) == NULL) {
			return scan_fail(c, "an unknown escape");
		} else {
			c->i++;
		}
	}
	c->i++;
	return true;
}

/* Scans one digit or more. */
static bool
scan_digits(struct scan *c)
{
	size_t from = c->i;

	while (peek_char(c) >= '0' && peek_char(c) <= '9')
		c->i++;
	return c->i > from || scan_fail(c, "a digit is missing");
}

/* The grammar of RFC 8259 section 6: no plus sign, no leading zero, digits on both sides of the point. */
static bool
scan_number(struct scan *c)
{
	if (peek_char(c) == '-')
		c->i++;
	/*
	 * RFC 8259 section 6: nothing follows a leading zero. "01" fails at the 1, as text after
	 * a value.
	 */
	if (peek_char(c) == '0')
		c->i++;
	else if (!scan_digits(c))
		return false;
	if (peek_char(c) == '.') {
		c->i++;
		if (!scan_digits(c))
			return false;
	}
	if (peek_char(c) == 'e' || peek_char(c) == 'E') {
		c->i++;
		if (peek_char(c) == '+' || peek_char(c) == '-')
			c->i++;
		if (!scan_digits(c))
			return false;
	}
	return true;
}

/* after_value() checks what follows the word, and so refuses "nullx". */
static bool
scan_word(struct scan *c, const char *w)
{
	if (!str_starts(str_slice(c->s, c->i, c->s.n), w))
		return scan_fail(c, "not a JSON value");
	c->i += strlen(w);
	return true;
}

static bool
scan_scalar(struct scan *c)
{
	int ch = peek_char(c);

	if (ch == '"')
		return scan_string(c);
	if (ch == '-' || (ch >= '0' && ch <= '9'))
		return scan_number(c);
	if (ch == 't')
		return scan_word(c, "true");
	if (ch == 'f')
		return scan_word(c, "false");
	if (ch == 'n')
		return scan_word(c, "null");
	return scan_fail(c, ch < 0 ? "the text ends too early" : "not a JSON value");
}

/* Scans the name of a member and the colon. Repeated names are not noticed here (json_repeats()). */
static bool
scan_key(struct scan *c)
{
	skip_blanks(c);
	if (peek_char(c) != '"')
		return scan_fail(c, "a member's name is missing");
	if (!scan_string(c))
		return false;
	skip_blanks(c);
	if (peek_char(c) != ':')
		return scan_fail(c, "a colon is missing");
	c->i++;
	return true;
}

/* Called after each value: closes the objects and lists that end here, and skips the comma before the next value. */
static bool
after_value(struct scan *c, char *open, unsigned *depth)
{
	while (*depth > 0) {
		skip_blanks(c);
		if (peek_char(c) == (open[*depth] == '{' ? '}' : ']')) {
			c->i++;
			--*depth;
			continue;
		}
		if (peek_char(c) != ',')
			return scan_fail(c, "a comma or a closing bracket is missing");
		c->i++;
		return open[*depth] == '[' || scan_key(c);
	}
	return true;
}

/* Open brackets are stored in an array instead of by recursion: a hostile nesting takes one byte per level. */
static bool
scan_value(struct scan *c)
{
	char open[JSON_SCAN_DEPTH + 1];
	unsigned depth = 0;
	size_t count = 0;

	do {
		skip_blanks(c);
		/* Counted before the value is read, so that the text is refused at the first value too many. */
		if (++count > c->limits->values) {
			c->large = true;
			return scan_fail(c, arena_printf(c->arena, "more than %zu values", c->limits->values));
		}
		if (peek_char(c) != '{' && peek_char(c) != '[') {
			if (!scan_scalar(c) || !after_value(c, open, &depth))
				return false;
			continue;
		}
		if (depth == c->limits->depth) {
			c->large = true;
			return scan_fail(c, arena_printf(c->arena, "nested deeper than %u levels", depth));
		}
		open[++depth] = (char)peek_char(c);
		c->i++;
		skip_blanks(c);
		if (peek_char(c) == (open[depth] == '{' ? '}' : ']')) {
			c->i++;
			depth--;
			if (!after_value(c, open, &depth))
				return false;
		} else if (open[depth] == '{' && !scan_key(c)) {
			return false;
		}
	} while (depth > 0);
	return true;
}

const char *
json_scan(struct arena *a, struct str s, const struct json_limits *limits, bool *large)
{
	struct scan c = { a, limits, s, 0, NULL, false };

	assert(limits->depth <= JSON_SCAN_DEPTH);
	if (scan_value(&c)) {
		skip_blanks(&c);
		if (c.i < s.n)
			scan_fail(&c, "text after the JSON value");
	}
	*large = c.large;
	return c.error;
}

/* The arena from which cJSON allocates while it is set: cJSON's hooks have no argument for it. */
static struct arena *json_memory;

/* Never NULL, since an arena that is full ends the process. The bytes are not zeroed, as with malloc(). */
static void *
json_malloc(size_t n)
{
	return arena_bytes(json_memory, n);
}

/* Does nothing: the arena frees all its memory at once. */
static void
json_free(void *p)
{
	(void)p;
}

struct arena *
json_arena(struct arena *a)
{
	cJSON_Hooks hooks = { json_malloc, json_free };
	struct arena *before = json_memory;

	json_memory = a;
	/*
	 * With hooks cJSON never calls realloc(), so printing large trees costs copies; answers
	 * are written by struct json instead.
	 */
	cJSON_InitHooks(a == NULL ? NULL : &hooks);
	return before;
}

bool
json_repeats(const struct cJSON *v)
{
	const struct cJSON *m, *other;

	for (m = v->child; m != NULL; m = m->next) {
		for (other = m->next; cJSON_IsObject(v) && other != NULL; other = other->next)
			if (strcmp(m->string, other->string) == 0)
				return true;
		if (json_repeats(m))
			return true;
	}
	return false;
}
