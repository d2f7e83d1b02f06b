/* Parser of Rison by recursive descent. Contract: rison.h. */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "http/req.h"
#include "rison.h"

/*
 * Each level is one call of read_value(). The limit protects the stack: the text comes from an
 * address.
 */
enum { DEPTH = 32 };

struct reader {
	struct arena *arena;
	/*
	 * The rest of the text, which ends in NUL. NUL is no mark of the notation, so no function
	 * reads past it.
	 */
	const char   *p;
	int           depth;
};

static cJSON *read_value(struct reader *r);

/*
 * After an item of a list or object: skips the comma before the next item. False: neither a comma
 * nor the end follows.
 */
static bool
next_item(struct reader *r)
{
	if (*r->p == ',' && r->p[1] != ')')
		r->p++;
	else if (*r->p != ')')
		return false;
	return true;
}

/* Reads up to the closing quote. ! escapes a quote and itself. */
static cJSON *
read_quoted(struct reader *r)
{
	char *out = arena_alloc(r->arena, strlen(r->p) + 1);
	size_t k = 0;

	while (*r->p != '\0' && *r->p != '\'') {
		if (*r->p == '!' && *++r->p == '\0')
			return NULL;
		out[k++] = *r->p++;
	}
	if (*r->p != '\'')
		return NULL;
	r->p++;
	return cJSON_CreateString(out);
}

/* Reads an unquoted id or number: all characters up to the next mark. */
static cJSON *
read_bare(struct reader *r)
{
	size_t n = strcspn(r->p, " '!:(),*@$");
	char *text = arena_strndup(r->arena, r->p, n), *end;
	double d = strtod(text, &end);

	if (n == 0)
		return NULL;
	r->p += n;
	/* strtod() also accepts "0x10", "-inf" and "1e999", which are not JSON numbers. */
	return *end == '\0' && strchr("-0123456789", text[0]) != NULL && strspn(text, "+-.eE0123456789") == n &&
	    isfinite(d) ? cJSON_CreateNumber(d) : cJSON_CreateString(text);
}

/* p is after "!(". Stops at the end of the text, where read_value() returns NULL. */
static cJSON *
read_list(struct reader *r)
{
	cJSON *all = cJSON_CreateArray(), *v;

	while (*r->p != ')') {
		if ((v = read_value(r)) == NULL)
			return NULL;
		cJSON_AddItemToArray(all, v);
		if (!next_item(r))
			return NULL;
	}
	r->p++;
	return all;
}

/*
 * p is after "(". A duplicate key is refused, as in JSON bodies: it is not clear which value is
 * meant.
 */
static cJSON *
read_object(struct reader *r)
{
	cJSON *all = cJSON_CreateObject(), *key, *v;
	char number[32];
	const char *name;

	while (*r->p != ')') {
		key = *r->p == '\'' ? (r->p++, read_quoted(r)) : read_bare(r);
		if (key == NULL || *r->p++ != ':' || (v = read_value(r)) == NULL)
			return NULL;
		name = key->valuestring;
		/* A bare 1 was read as a number. As a key it is the text "1". */
		if (cJSON_IsNumber(key)) {
			cJSON_PrintPreallocated(key, number, sizeof(number), false);
			name = number;
		}
		if (cJSON_GetObjectItemCaseSensitive(all, name) != NULL)
			return NULL;
		cJSON_AddItemToObject(all, name, v);
		if (!next_item(r))
			return NULL;
	}
	r->p++;
	return all;
}

/* p is after "!". NULL for any unknown mark. */
static cJSON *
read_marked(struct reader *r)
{
	switch (*r->p++) {
	case 't': return cJSON_CreateTrue();
	case 'f': return cJSON_CreateFalse();
	case 'n': return cJSON_CreateNull();
	case '(': return read_list(r);
	/*
	 * Step back to the unknown character: it may be the NUL, after which nothing may be read.
	 */
	default:  r->p--; return NULL;
	}
}

/* NULL: a syntax error, or too many levels. What was read until then stays in the arena. */
static cJSON *
read_value(struct reader *r)
{
	cJSON *v;

	if (++r->depth > DEPTH)
		return NULL;
	if (*r->p == '!')
		v = (r->p++, read_marked(r));
	else if (*r->p == '(')
		v = (r->p++, read_object(r));
	else if (*r->p == '\'')
		v = (r->p++, read_quoted(r));
	else
		v = read_bare(r);
	r->depth--;
	return v;
}

/* The whole text must be exactly one value. */
cJSON *
rison_read(struct arena *a, const char *text)
{
	struct reader r = { a, text, 0 };
	cJSON *v = read_value(&r);

	return v != NULL && *r.p == '\0' ? v : NULL;
}
