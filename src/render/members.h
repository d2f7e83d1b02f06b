/*
 * Members of JSON objects; NULL, false or the fallback if the member is missing or has another
 * type.
 */
#ifndef OCTAVO_RENDER_MEMBERS_H
#define OCTAVO_RENDER_MEMBERS_H

#include <stdbool.h>

struct cJSON;

const char *member_text(const struct cJSON *o, const char *name);
bool        member_flag(const struct cJSON *o, const char *name);
double      member_number(const struct cJSON *o, const char *name, double fallback);
const struct cJSON *member(const struct cJSON *o, const char *name);

#endif
