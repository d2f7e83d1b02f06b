/*
 * JSON that the program wrote itself, as a tree of cJSON's. Contract: json_tree() in base/json.h.
 *
 * cJSON asks for memory for each value and each string, and looks at each byte several times. Here
 * strings stay where they are in one copy of the text, and values are taken from lists of them.
 */
#include <cjson/cJSON.h>
#include <endian.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"

/* Values that are allocated at once, and the bytes of a word, in which strings are looked through. */
enum { MANY = 24, WORD = 8 };

struct tree {
	struct arena *arena;
	char         *p;       /* what is read next, in the copy of the text, which ends in a word of NULs */
	cJSON        *spare;   /* values that are not used yet */
	size_t        left;    /* how many of these */
	unsigned      depth;   /* objects and lists that are open */
};

static void
blanks(struct tree *t)
{
	while (*t->p == ' ' || *t->p == '\n' || *t->p == '\t' || *t->p == '\r')
		t->p++;
}

/* ---- strings ---- */

#define EACH(byte)  (UINT64_C(0x0101010101010101) * (byte))

/*
 * The first byte from p on that does not stand for itself in a string: a quote, a backslash, a control byte. The NULs
 * behind the text are such. Tests of bytes in a word: Warren, Hacker's Delight, 6-1. What a test says wrongly, by a
 * borrow, it says of a byte behind one of which it is right.
 */
static char *
plain_until(char *p)
{
	uint64_t w, quote, slash, found;

	for (;; p += WORD) {
		/* memcpy, since the text has no alignment; compilers make one load of it. */
		memcpy(&w, p, sizeof(w));
		w = le64toh(w);
		quote = w ^ EACH('"');
		slash = w ^ EACH('\\');
		found = (((w - EACH(0x20)) & ~w) | ((quote - EACH(1)) & ~quote) | ((slash - EACH(1)) & ~slash)) & EACH(0x80);
		if (found != 0)
			return p + __builtin_ctzll(found) / 8;
	}
}

/* -1: they are not there. */
static int
hex4(const char *p)
{
	int n = 0, k, d;

	for (k = 0; k < 4; k++) {
		d = (unsigned char)p[k];
		if (d >= '0' && d <= '9')
			n = n * 16 + d - '0';
		else if ((d | 32) >= 'a' && (d | 32) <= 'f')
			n = n * 16 + (d | 32) - 'a' + 10;
		else
			return -1;
	}
	return n;
}

/* At the "u"; the second half of a pair is read with the first. 0: it is no character. */
static uint32_t
code_point(struct tree *t)
{
	int n = hex4(t->p + 1), low;

	if (n <= 0 || (n >= 0xDC00 && n <= 0xDFFF))
		return 0;
	t->p += 5;
	if (n < 0xD800 || n > 0xDBFF)
		return (uint32_t)n;
	if (t->p[0] != '\\' || t->p[1] != 'u' || (low = hex4(t->p + 2)) < 0xDC00 || low > 0xDFFF)
		return 0;
	t->p += 6;
	return 0x10000 + (((uint32_t)n - 0xD800) << 10) + ((uint32_t)low - 0xDC00);
}

/* UTF-8 (RFC 3629, section 3) takes no more bytes than the escape that it is written over. */
static char *
put_utf8(char *to, uint32_t c)
{
	if (c < 0x80) {
		*to++ = (char)c;
		return to;
	}
	if (c < 0x800) {
		*to++ = (char)(0xC0 | c >> 6);
	} else {
		if (c < 0x10000) {
			*to++ = (char)(0xE0 | c >> 12);
		} else {
			*to++ = (char)(0xF0 | c >> 18);
			*to++ = (char)(0x80 | (c >> 12 & 0x3F));
		}
		*to++ = (char)(0x80 | (c >> 6 & 0x3F));
	}
	*to++ = (char)(0x80 | (c & 0x3F));
	return to;
}

/* At the backslash. NULL: it is no escape of JSON. */
static char *
escape(struct tree *t, char *to)
{
	static const char names[] = "\"\\/bfnrt", means[] = "\"\\/\b\f\n\r\t";
	const char *name;
	uint32_t c;

	if (*++t->p == 'u') {
		c = code_point(t);
		return c == 0 ? NULL : put_utf8(to, c);
	}
	name = *t->p == '\0' ? NULL : strchr(names, *t->p);
	if (name == NULL)
		return NULL;
	t->p++;
	*to = means[name - names];
	return to + 1;
}

/* At the opening quote; ends behind the closing one, in whose place the string ends. NULL: it is none. */
static char *
string(struct tree *t)
{
	char *from = t->p + 1, *to, *end;

	if (*t->p != '"')
		return NULL;
	for (to = t->p = plain_until(from); *t->p != '"'; t->p = end) {
		if (*t->p != '\\' || (to = escape(t, to)) == NULL)
			return NULL;
		end = plain_until(t->p);
		memmove(to, t->p, (size_t)(end - t->p));
		to += end - t->p;
	}
	*to = '\0';
	t->p++;
	return from;
}

/* ---- values ---- */

/* As cJSON does it. */
static void
set_number(cJSON *v, double n)
{
	v->type = cJSON_Number;
	v->valuedouble = n;
	v->valueint = n >= INT_MAX ? INT_MAX : n <= (double)INT_MIN ? INT_MIN : (int)n;
}

/* Whole numbers that a double holds exactly; else what strtod() makes of no more than a number's own bytes. */
static bool
number(struct tree *t, cJSON *v)
{
	char *from = t->p + (*t->p == '-'), *p, *end;
	int64_t whole = 0;

	for (p = from; p < from + 15 && *p >= '0' && *p <= '9'; p++)
		whole = whole * 10 + *p - '0';
	if (p == from)
		return false;
	if ((*p >= '0' && *p <= '9') || *p == '.' || *p == 'e' || *p == 'E') {
		p = t->p + strspn(t->p, "+-0123456789.eE");
		set_number(v, strtod(t->p, &end));
		/* "1e", or the "x" of a number that JSON does not have. */
		if (end != p)
			return false;
	} else {
		set_number(v, from > t->p ? -(double)whole : (double)whole);
	}
	t->p = p;
	return true;
}

static bool
word(struct tree *t, cJSON *v, const char *name, int type)
{
	size_t n = strlen(name);

	if (strncmp(t->p, name, n) != 0)
		return false;
	t->p += n;
	v->type = type;
	v->valueint = type == cJSON_True;
	return true;
}

/* Zeroed. */
static cJSON *
value_new(struct tree *t)
{
	if (t->left == 0) {
		t->spare = arena_array(t->arena, MANY, sizeof(*t->spare));
		t->left = MANY;
	}
	t->left--;
	return t->spare++;
}

/* Behind the last one; the first one leads back to it, as cJSON has it. */
static void
append(cJSON *of, cJSON *v)
{
	if (of->child == NULL) {
		of->child = v->prev = v;
		return;
	}
	v->prev = of->child->prev;
	v->prev->next = v;
	of->child->prev = v;
}

static bool
name(struct tree *t, cJSON *v)
{
	if ((v->string = string(t)) == NULL)
		return false;
	blanks(t);
	if (*t->p++ != ':')
		return false;
	blanks(t);
	return true;
}

static bool value(struct tree *t, cJSON *v);

/* At the opening bracket of an object or a list that ends with this one. */
static bool
members(struct tree *t, cJSON *of, char end)
{
	cJSON *v;

	if (++t->depth >= JSON_MAX_DEPTH)
		return false;
	do {
		t->p++;
		blanks(t);
		/* Of none; a comma needs something behind it. */
		if (of->child == NULL && *t->p == end)
			break;
		v = value_new(t);
		append(of, v);
		if ((end == '}' && !name(t, v)) || !value(t, v))
			return false;
		blanks(t);
	} while (*t->p == ',');
	t->depth--;
	return *t->p++ == end;
}

static bool
value(struct tree *t, cJSON *v)
{
	switch (*t->p) {
	case '"':
		v->type = cJSON_String;
		return (v->valuestring = string(t)) != NULL;
	case '{':
		v->type = cJSON_Object;
		return members(t, v, '}');
	case '[':
		v->type = cJSON_Array;
		return members(t, v, ']');
	case 't':
		return word(t, v, "true", cJSON_True);
	case 'f':
		return word(t, v, "false", cJSON_False);
	case 'n':
		return word(t, v, "null", cJSON_NULL);
	default:
		return number(t, v);
	}
}

cJSON *
json_tree(struct arena *a, struct str s)
{
	struct tree t = { .arena = a, .p = arena_bytes(a, s.n + WORD) };
	const char *from = t.p;
	cJSON *v = value_new(&t);

	if (s.n > 0)
		memcpy(t.p, s.p, s.n);
	memset(t.p + s.n, 0, WORD);
	blanks(&t);
	if (!value(&t, v))
		return NULL;
	blanks(&t);
	return t.p == from + s.n ? v : NULL;
}
