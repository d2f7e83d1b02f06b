/*
 * YAML as a tree in the arena, made from libyaml's events. Limits protect against hostile input: bytes,
 * nodes and text (each use of an alias counts), depth, anchors.
 *
 * Scalars keep their text: a version "3.10" becomes a number only when a caller reads it as one. Types
 * are those of YAML 1.2's core schema: null, true and false, numbers; yes, no and dates are strings.
 * If a stream has several documents, the first one counts, unless the limits allow only one. If a key
 * is repeated, the first one counts. U+0000 is read as U+FFFD.
 */
#ifndef OCTAVO_YAML_H
#define OCTAVO_YAML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/json.h"
#include "base/str.h"

/* Limits of one stream. */
struct yaml_limits {
	size_t   bytes;     /* of source */
	size_t   text;      /* bytes of keys and scalars; each use of an alias counts */
	size_t   nodes;
	size_t   anchors;   /* looked up by a linear search */
	unsigned depth;     /* levels, which are levels of recursion */
	bool     single;    /* a second document in the stream is an error; false: the first one counts */
};

/* Settings and frontmatter: 1 MiB, 2 MiB of text, 100,000 nodes, 100 anchors, 64 levels. */
extern const struct yaml_limits yaml_limits_settings;

enum yaml_kind { YAML_SCALAR, YAML_LIST, YAML_MAP };

struct yaml {
	enum yaml_kind kind;
	struct yaml   *next;      /* next member of the same list or map */
	struct yaml   *first;     /* first member of a list or map */
	struct str     key;       /* name in the map that contains it */
	struct str     text;      /* value of a scalar, NUL-terminated */
	bool           plain;     /* a scalar without quotes, which may be null, a boolean or a number */
	size_t         line;      /* line from 1; of the key, if it has one */
};

/*
 * Parses one document. An empty stream gives true and *root NULL. On failure:
 * false, *error says why, *line is 1-based. *repeated (may be NULL) is the line
 * of the first key that occurs twice in its map, or 0.
 */
bool yaml_parse(struct arena *a, struct str text, const struct yaml_limits *limits, struct yaml **root,
    size_t *repeated, const char **error, size_t *line);

/* A member of a map; NULL: there is none, or m is no map, or m is NULL. */
struct yaml *yaml_get(const struct yaml *m, const char *key);

bool yaml_is_null(const struct yaml *y);

/* The text of a scalar that is not null; otherwise NULL. */
const char *yaml_text(const struct yaml *y);

/* True, and *value is set, if y is true or false, also in quotes. */
bool yaml_bool(const struct yaml *y, bool *value);

/* True, and *value is set, if y is a finite number, also in quotes. */
bool yaml_number(const struct yaml *y, double *value);

/* Writes a tree as one JSON value. */
void yaml_json(struct json *j, const struct yaml *y);

/*
 * Converts YAML, within the limits of settings, to JSON. An empty document becomes null. False:
 * nothing was written; *error and *line as in yaml_parse().
 */
bool yaml_to_json(struct arena *a, struct str yaml, struct buf *out, const char **error,
    size_t *line);

/* libyaml's header has the same name; only src/base/yaml.c includes it. */
#ifdef YAML_WITH_LIBRARY
#include_next <yaml.h>
#endif

#endif
