/*
 * Rison: a notation of JSON for the query of an address. The published client uses it for the
 * claims of previews: (name:value,list:!(1,2),yes:!t,no:!f,none:!n,text:'with blanks'). Inside
 * quotes, ! escapes the next character.
 */
#ifndef OCTAVO_API_RISON_H
#define OCTAVO_API_RISON_H

#include "base/arena.h"
#include "http/req.h"

struct cJSON;

/* Parses text; NULL on a syntax error. Allocates as cJSON does (json_arena). */
struct cJSON *rison_read(struct arena *a, const char *text);

#endif
