/* Parser of Rison by recursive descent. Contract: rison.h. */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "http/req.h"
#include "rison.h"

/* Maximum nesting. Each level is one call of read_value(), so the limit protects the stack from texts in addresses. */
enum { DEPTH = 32 };

struct reader {
	struct arena *arena;
	/*
	 * The rest of the text, which ends in NUL. All functions stop at NUL, since it is no
	 * character of the notation.
	 */
	const char   *p;
	int           depth;
};

static cJSON *read_value(struct reader *r);

/*
 * Skips the comma between two items of a list or object. False: after the item follows neither a
 * comma with another item nor the end.
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

/* Reads a text up to the closing quote. Inside it, ! escapes a quote and itself. */
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

/* Reads a list; r->p is after "!(". Ends at the end of the text, where read_value() returns NULL. */
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
 * Reads an object; r->p is after "(". A duplicate key is refused, as in JSON bodies, since it is
 * not clear which value is meant.
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
		/* read_bare() reads 1 as a number; as a key it is the text "1". */
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

/* Reads a value that begins with "!"; r->p is after it. NULL if the next character is not one of these. */
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

/* Reads one value. NULL on a syntax error or too many levels; values read until then stay in the arena. */
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
