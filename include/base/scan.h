/*
 * Strict check of a JSON text (RFC 8259) before cJSON reads it: cJSON accepts texts that are not JSON,
 * and silently changes some values (src/base/scan.c has the list).
 */
#ifndef OCTAVO_SCAN_H
#define OCTAVO_SCAN_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/str.h"

/* Limits of a text: ten megabytes of "[0,0,…" would become 400 MB of cJSON's tree. */
struct json_limits {
	size_t   values;  /* scalars, lists and objects */
	unsigned depth;   /* levels; at most JSON_SCAN_DEPTH */
};
enum { JSON_SCAN_DEPTH = 200 };

/* Bodies of requests: 200,000 values, 128 levels. */
extern const struct json_limits json_limits_body;

/*
 * NULL: the text is valid. Else the error, as a text in the arena. *large: the text exceeds the
 * limits (answer 413).
 */
const char *json_scan(struct arena *a, struct str s, const struct json_limits *limits, bool *large);

/* True if an object of the tree has a name twice: parsers disagree which of the two counts. */
struct cJSON;
bool json_repeats(const struct cJSON *v);

#endif
