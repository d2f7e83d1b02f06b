/*
 * References between documents (RFC 3986, 5.2): "../pets.yaml#/Pet" as seen from
 * "https://example.com/api/openapi.yaml".
 */
#ifndef OCTAVO_OPENAPI_URI_H
#define OCTAVO_OPENAPI_URI_H

#include "base/arena.h"
#include "base/str.h"

/* The absolute form of a reference. A base without scheme is a path. */
char *uri_join(struct arena *a, const char *base, struct str reference);

/* Splits at "#": the document's address in the arena, and the percent-decoded fragment ("" for none). */
char *uri_split(struct arena *a, const char *uri, struct str *fragment);

#endif
