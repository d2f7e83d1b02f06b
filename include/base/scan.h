/*
 * Strict scan of a JSON text (RFC 8259) before cJSON reads it: cJSON itself takes
 * more than JSON, and silently changes some of it (src/base/scan.c says what).
 */
#ifndef OCTAVO_SCAN_H
#define OCTAVO_SCAN_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/str.h"

/* NULL, or what is wrong, in the arena; *large: the text is over the limits (413). */
const char *json_scan(struct arena *a, struct str s, bool *large);

#endif
