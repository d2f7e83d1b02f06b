/*
 * Strict scan of a JSON text (RFC 8259) before cJSON reads it: cJSON itself takes
 * more than JSON, and silently changes some of it (src/base/scan.c says what).
 */
#ifndef OCTAVO_SCAN_H
#define OCTAVO_SCAN_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/str.h"

/* What one use takes in: ten megabytes of "[0,0,…" would be 400 MB of cJSON's tree. */
struct json_limits {
	size_t   values;  /* scalars, lists and objects */
	unsigned depth;   /* levels; at most JSON_SCAN_DEPTH */
};
enum { JSON_SCAN_DEPTH = 200 };

/* Bodies of requests: 200,000 values, 128 levels. */
extern const struct json_limits json_limits_body;

/* NULL, or what is wrong, allocated from a; *large: the text exceeds the limits (413). */
const char *json_scan(struct arena *a, struct str s, const struct json_limits *limits, bool *large);

/* Is a name there twice, in any object of the tree? Readers differ in which of the two counts. */
struct cJSON;
bool json_repeats(const struct cJSON *v);

#endif
