/*
 * Append-only JSON writer (RFC 8259). It writes commas and checks the nesting: closing more than was
 * opened, two keys in a row, or a value without a key in an object, are bugs in the caller and cause
 * a panic. Strings should be valid UTF-8; an invalid byte is written as U+FFFD, so the output is
 * always valid.
 */
#ifndef OCTAVO_JSON_H
#define OCTAVO_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

#define JSON_MAX_DEPTH 256

struct json {
	struct buf *out;
	unsigned    depth;
	char        open[JSON_MAX_DEPTH];  /* '{' or '[' per level */
	bool        some[JSON_MAX_DEPTH];  /* a member was written at this level */
	bool        keyed;                 /* a key was written, and its value was not yet */
};

void json_init(struct json *j, struct buf *out);

void json_obj(struct json *j);                  /* { */
void json_arr(struct json *j);                  /* [ */
void json_end(struct json *j);                  /* closes the innermost open object or list */
void json_keyn(struct json *j, struct str key);
/* A key from the program's own text, never from data: it is written without escaping. */
void json_name(struct json *j, const char *name, size_t n);
/* Any key. For a literal this calls json_name(). */
static inline void
json_key(struct json *j, const char *key)
{
	if (__builtin_constant_p(strlen(key)))
		json_name(j, key, strlen(key));
	else
		json_keyn(j, str_of(key));
}


void json_str(struct json *j, const char *s);   /* NULL writes null */
void json_strn(struct json *j, struct str s);
void json_int(struct json *j, int64_t n);
void json_num(struct json *j, double n);        /* the shortest text that reads back as the same number */
void json_bool(struct json *j, bool b);
void json_null(struct json *j);
void json_raw(struct json *j, struct str s);    /* s is one complete JSON value; it is not checked */
/*
 * Faster functions, for documents with tens of thousands of equal elements.
 *
 * json_begin(): begins an object with literal text of the program: "{" and complete members.
 * json_open(): in an object that has a member already, begins the next member, a list or an object;
 * text is everything before its first value, such as ,"nodes":[.
 * json_by_hand(): returns the buffer. The caller appends the next value itself, complete and valid:
 * strings with json_quote(), everything else from literal text.
 */
void json_begin(struct json *j, struct str text);
void json_open(struct json *j, struct str text);
struct buf *json_by_hand(struct json *j);
void json_quote(struct buf *b, struct str s);
void json_time(struct json *j, int64_t ms);     /* RFC 3339, UTC, milliseconds */

/* Key and value in one call. */
static inline void
json_kstr(struct json *j, const char *key, const char *s)
{
	json_key(j, key);
	json_str(j, s);
}

static inline void
json_kstrn(struct json *j, const char *key, struct str s)
{
	json_key(j, key);
	json_strn(j, s);
}

static inline void
json_kint(struct json *j, const char *key, int64_t n)
{
	json_key(j, key);
	json_int(j, n);
}

static inline void
json_kbool(struct json *j, const char *key, bool b)
{
	json_key(j, key);
	json_bool(j, b);
}

static inline void
json_kobj(struct json *j, const char *key)
{
	json_key(j, key);
	json_obj(j);
}

static inline void
json_karr(struct json *j, const char *key)
{
	json_key(j, key);
	json_arr(j);
}


struct cJSON;

/*
 * Read a member of a parsed object. v may be NULL or no object: it then has no member. Results live
 * as long as v.
 */
const struct cJSON *json_member(const struct cJSON *v, const char *name);        /* NULL: none */
const char *json_text_of(const struct cJSON *v, const char *name);               /* NULL: none, or no text */
const char *json_text_or_empty(const struct cJSON *v, const char *name);         /* "": none, or no text */
double      json_number_of(const struct cJSON *v, const char *name, double fallback); /* fallback: none, or no number */
bool        json_flag_of(const struct cJSON *v, const char *name);               /* false unless it is true */

/* A value as people write it: indented by two blanks for each level, without tabs. */
const char *json_pretty(struct arena *a, const struct cJSON *v);

/*
 * Makes cJSON allocate from the arena; NULL: from malloc(). Returns the previous arena, or NULL. A
 * function that is called by others must set the previous arena again: otherwise a tree of the
 * caller would be freed by other means than it was allocated. For the same reason, call
 * cJSON_Delete() only under the setting under which the tree was parsed.
 */
struct arena *json_arena(struct arena *a);

/*
 * Formats UTC milliseconds since 1970 as "2026-01-31T09:30:00.000Z". A time outside of the years 0
 * to 9999 is replaced by the nearest one inside.
 */
void time_format(int64_t ms, char out[25]);

/*
 * Parses an RFC 3339 date-time, with any offset and fraction, to UTC milliseconds. False: the text
 * has another form, or the date does not exist. A leap second (60) is read as 59.
 */
bool time_parse(const char *s, int64_t *ms);

/* Milliseconds of a day. */
#define DAY_MS INT64_C(86400000)

/* Milliseconds since 1970 now. */
int64_t time_now(void);

/* Milliseconds of the monotonic clock, for measuring durations. */
int64_t time_steady(void);

#endif
