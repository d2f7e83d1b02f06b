/*
 * Strict scan of a JSON text (RFC 8259) before cJSON reads it, for cJSON takes
 * "x\u0000y" for "x", and accepts raw control bytes, invalid UTF-8, [01, 1.]
 * and text after the value. One pass, no recursion, nothing allocated but the
 * message. Depth and number of values are limited: ten megabytes of "[0,0,…"
 * would be 400 MB of tree.
 */
#include <assert.h>
#include <cjson/cJSON.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/scan.h"
#include "base/utf8.h"

/* gaps.md names both for bodies of requests; more answers 413. */
const struct json_limits json_limits_body = { 200000, 128 };

struct scan {
	struct arena *arena;
	const struct json_limits *limits;
	struct str    s;
	/* Byte that is looked at next. */
	size_t        i;
	const char   *error;
	/* The failure is one of size: the caller answers 413, not 400. */
	bool          large;
};

/* The first failure is the one that is told; always false, for the caller to return. */
static bool
bad(struct scan *c, const char *what)
{
	if (c->error == NULL)
		c->error = arena_printf(c->arena, "%s at byte %zu", what, c->i + 1);
	return false;
}

/* -1 at the end: no byte, so that no test of a character needs one of the length. */
static int
at(const struct scan *c)
{
	return c->i < c->s.n ? (unsigned char)c->s.p[c->i] : -1;
}

/* The four of RFC 8259 section 2; other spaces of Unicode are no JSON. */
static void
blanks(struct scan *c)
{
	while (at(c) == ' ' || at(c) == '\t' || at(c) == '\n' || at(c) == '\r')
		c->i++;
}

/* -1: they are not all there. */
static int
hex4(struct scan *c)
{
	int n = 0, k, d;

	for (k = 0; k < 4; k++, c->i++) {
		d = at(c);
		if (d >= '0' && d <= '9')
			n = n * 16 + d - '0';
		else if ((d | 32) >= 'a' && (d | 32) <= 'f')
			n = n * 16 + (d | 32) - 'a' + 10;
		else
			return -1;
	}
	return n;
}

/* After "\u": four digits, and the second half of a surrogate pair. */
static bool
unicode_escape(struct scan *c)
{
	int n = hex4(c);

	if (n < 0)
		return bad(c, "\\u without four hexadecimal digits");
	/* cJSON ends the string there: what was checked and what is stored would differ. */
	if (n == 0)
		return bad(c, "U+0000 is not allowed in strings");
	/*
	 * A lone surrogate has no UTF-8 (RFC 3629 section 3); cJSON would drop it or fail
	 * without saying where.
	 */
	if (n >= 0xDC00 && n <= 0xDFFF)
		return bad(c, "half of a surrogate pair");
	if (n < 0xD800 || n > 0xDBFF)
		return true;
	if (at(c) != '\\' || c->i + 1 >= c->s.n || c->s.p[c->i + 1] != 'u')
		return bad(c, "half of a surrogate pair");
	c->i += 2;
	n = hex4(c);
	return (n >= 0xDC00 && n <= 0xDFFF) || bad(c, "half of a surrogate pair");
}

/* At the opening quote; ends behind the closing one. */
static bool
string(struct scan *c)
{
	uint32_t cp;
	size_t n;

	for (c->i++; at(c) != '"'; ) {
		if (at(c) < 0)
			return bad(c, "a string without its end");
		if (at(c) < 0x20)
			return bad(c, "a control character in a string");
		if (at(c) != '\\') {
			if ((n = utf8_next(str_slice(c->s, c->i, c->s.n), &cp)) == 0)
				return bad(c, "invalid UTF-8");
			c->i += n;
			continue;
		}
		c->i++;
		if (at(c) == 'u') {
			c->i++;
			if (!unicode_escape(c))
				return false;
		} else if (at(c) < 0 || strchr("\"\\/bfnrt", at(c)) == NULL) {
			return bad(c, "an unknown escape");
		} else {
			c->i++;
		}
	}
	c->i++;
	return true;
}

/* At least one. */
static bool
digits(struct scan *c)
{
	size_t from = c->i;

	while (at(c) >= '0' && at(c) <= '9')
		c->i++;
	return c->i > from || bad(c, "a digit is missing");
}

/* The grammar of RFC 8259 section 6: no plus sign, no leading zero, digits on both sides of the point. */
static bool
number(struct scan *c)
{
	if (at(c) == '-')
		c->i++;
	/*
	 * RFC 8259 section 6: nothing follows a leading zero. "01" fails at the 1, as text after
	 * a value.
	 */
	if (at(c) == '0')
		c->i++;
	else if (!digits(c))
		return false;
	if (at(c) == '.') {
		c->i++;
		if (!digits(c))
			return false;
	}
	if (at(c) == 'e' || at(c) == 'E') {
		c->i++;
		if (at(c) == '+' || at(c) == '-')
			c->i++;
		if (!digits(c))
			return false;
	}
	return true;
}

/* Whatever follows the word is for after_value() to judge: "nullx" fails there. */
static bool
word(struct scan *c, const char *w)
{
	if (!str_starts(str_slice(c->s, c->i, c->s.n), w))
		return bad(c, "not a JSON value");
	c->i += strlen(w);
	return true;
}

static bool
scalar(struct scan *c)
{
	int ch = at(c);

	if (ch == '"')
		return string(c);
	if (ch == '-' || (ch >= '0' && ch <= '9'))
		return number(c);
	if (ch == 't')
		return word(c, "true");
	if (ch == 'f')
		return word(c, "false");
	if (ch == 'n')
		return word(c, "null");
	return bad(c, ch < 0 ? "the text ends too early" : "not a JSON value");
}

/* A member's name and its colon. Names that come twice are for the reader of the tree to refuse. */
static bool
key(struct scan *c)
{
	blanks(c);
	if (at(c) != '"')
		return bad(c, "a member's name is missing");
	if (!string(c))
		return false;
	blanks(c);
	if (at(c) != ':')
		return bad(c, "a colon is missing");
	c->i++;
	return true;
}

/* After a value: closes what ends here, and steps over the comma before the next value. */
static bool
after_value(struct scan *c, char *open, unsigned *depth)
{
	while (*depth > 0) {
		blanks(c);
		if (at(c) == (open[*depth] == '{' ? '}' : ']')) {
			c->i++;
			--*depth;
			continue;
		}
		if (at(c) != ',')
			return bad(c, "a comma or a closing bracket is missing");
		c->i++;
		return open[*depth] == '[' || key(c);
	}
	return true;
}

/*
 * The stack of open brackets is an array, not the stack of the process: hostile nesting costs a
 * byte a level.
 */
static bool
value(struct scan *c)
{
	char open[JSON_SCAN_DEPTH + 1];
	unsigned depth = 0;
	size_t count = 0;

	do {
		blanks(c);
		/* Counted before the value is read: the text is refused at the first value too many. */
		if (++count > c->limits->values) {
			c->large = true;
			return bad(c, arena_printf(c->arena, "more than %zu values", c->limits->values));
		}
		if (at(c) != '{' && at(c) != '[') {
			if (!scalar(c) || !after_value(c, open, &depth))
				return false;
			continue;
		}
		if (depth == c->limits->depth) {
			c->large = true;
			return bad(c, arena_printf(c->arena, "nested deeper than %u levels", depth));
		}
		open[++depth] = (char)at(c);
		c->i++;
		blanks(c);
		if (at(c) == (open[depth] == '{' ? '}' : ']')) {
			c->i++;
			depth--;
			if (!after_value(c, open, &depth))
				return false;
		} else if (open[depth] == '{' && !key(c)) {
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
	if (value(&c)) {
		blanks(&c);
		if (c.i < s.n)
			bad(&c, "text after the JSON value");
	}
	*large = c.large;
	return c.error;
}

/* Where cJSON allocates while it is set; its hooks have no argument of the caller's. */
static struct arena *json_memory;

/* Never NULL: the arena's ceiling is a panic. Without zeros, as from malloc(): cJSON writes what it asks for. */
static void *
json_malloc(size_t n)
{
	return arena_bytes(json_memory, n);
}

/* The arena frees it all at once. */
static void
json_free(void *p)
{
	(void)p;
}

void
json_arena(struct arena *a)
{
	cJSON_Hooks hooks = { json_malloc, json_free };

	json_memory = a;
	/*
	 * With hooks cJSON never calls realloc(), so printing large trees costs copies; answers
	 * are written by struct json instead.
	 */
	cJSON_InitHooks(a == NULL ? NULL : &hooks);
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
