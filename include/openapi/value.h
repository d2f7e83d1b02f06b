/*
 * An API description as a tree of values, read from JSON or YAML. Made for large and hostile input:
 * a value takes 48 bytes, texts without escapes stay in the source, and members of a large map are
 * found through an index.
 *
 * Numbers keep their spelling, so that 9007199254740993 and 1.10 are written as they were read. The
 * tree belongs to the arena, and points into the source text. It does not change after it was read.
 */
#ifndef OCTAVO_OPENAPI_VALUE_H
#define OCTAVO_OPENAPI_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/json.h"
#include "base/map.h"
#include "base/str.h"

enum value_kind { VALUE_NULL, VALUE_FALSE, VALUE_TRUE, VALUE_NUMBER, VALUE_STRING, VALUE_LIST, VALUE_MAP };

struct value {
	struct value *next;         /* next member of the same list or map */
	struct value *first;        /* first member of a list or map */
	const char   *key_p;        /* its name in the map that contains it */
	union {
		const char        *text_p;  /* string: its text; number: its spelling */
		struct map *index;   /* map with many members: name -> struct value; otherwise NULL */
	};
	uint32_t      key_n;        /* bytes of the name */
	uint32_t      n;            /* bytes of the text; members of a list or map */
	uint8_t       kind;         /* enum value_kind */
};

/* Limits for reading one document. */
struct value_limits {
	size_t   bytes;     /* of source */
	size_t   values;    /* scalars, lists and maps; an alias counts what it repeats */
	unsigned depth;     /* levels, at most VALUE_MAX_DEPTH */
};
enum { VALUE_MAX_DEPTH = 200 };

/*
 * Reads JSON if the first character that is not blank is "{" or "[", otherwise YAML. A YAML stream
 * may contain one document only, because others would be ignored silently. The byte after the text
 * must be NUL. NULL on failure; *error says what is wrong and where. If a text can be read but has
 * a name twice in one map, *error describes this fault. The last member counts in JSON, as in most
 * parsers (RFC 8259, 4), and the first in YAML. Otherwise *error is NULL.
 */
struct value *value_read(struct arena *a, struct str text, const struct value_limits *limits,
    const char **error);

static inline struct str
value_key(const struct value *v)
{
	return (struct str){ v->key_p, v->key_n };
}

/* The text of a string, or the spelling of a number; empty for any other value and for NULL. */
static inline struct str
value_text(const struct value *v)
{
	return v != NULL && (v->kind == VALUE_STRING || v->kind == VALUE_NUMBER)
	    ? (struct str){ v->text_p, v->n } : (struct str){ "", 0 };
}

static inline bool
value_is(const struct value *v, enum value_kind kind)
{
	return v != NULL && v->kind == kind;
}

/* The first member of a list or map; NULL for any other value. */
static inline struct value *
value_first(const struct value *v)
{
	return v != NULL && v->kind >= VALUE_LIST ? v->first : NULL;
}

/* Member of a map; NULL if there is none, or m is no map, or NULL. */
struct value *value_get(const struct value *m, const char *key);
struct value *value_getn(const struct value *m, struct str key);

/* A member that is a string, copied as a C string; NULL if it is missing or not a string. */
char *value_dup(struct arena *a, const struct value *m, const char *key);

/*
 * The value below v that a JSON pointer (RFC 6901, percent-decoded, without "#") names; NULL: there
 * is none.
 */
struct value *value_at(const struct value *v, struct str pointer, struct arena *a);

/* A position while walking a tree: a member, and its parents up to the root (up is NULL). */
struct value_place {
	const struct value_place *up;
	const struct value       *v;
	size_t                    index;    /* in a list */
	bool                      in_list;
};

/* Appends the JSON pointer of a place. */
void value_pointer(struct buf *b, const struct value_place *at);

/* The value of a number, as a double; integers beyond 2^53 lose digits. */
double value_number(const struct value *v);

/* True for a number that is written without fraction and exponent. */
bool value_is_integer(const struct value *v);

/* True for equal JSON values; the order of members does not matter. */
bool value_same(const struct value *x, const struct value *y);

/* Equal values have equal hashes. */
uint64_t value_hash(const struct value *v);

/*
 * The number of scalars, lists and maps in the tree. References are texts: their targets are not
 * counted.
 */
size_t value_count(const struct value *v);

/* Writes the value as JSON. */
void value_write(struct json *j, const struct value *v);

/* New values, for trees that are made, not read. Texts must stay valid. */
struct value *value_new(struct arena *a, enum value_kind kind);
struct value *value_string(struct arena *a, struct str text);

/* Appends a member in constant time. key is ignored in lists. *tail starts as &parent->first. */
void value_append(struct value *parent, struct value ***tail, struct str key, struct value *v);

/*
 * Makes the index of a map if it has many members. False if a name occurs twice: *twice is that
 * name, and only the last member with a repeated name is kept.
 */
bool value_index(struct arena *a, struct value *map, struct str *twice);

/* The first member of a map; NULL for any other value, since members of a list have no names. */
static inline struct value *
value_members(const struct value *v)
{
	return value_is(v, VALUE_MAP) ? v->first : NULL;
}

#endif
