/* Fonts of an organization, for its sites. Implemented in sites/fonts.c. */
#ifndef OCTAVO_API_FONTS_H
#define OCTAVO_API_FONTS_H

#include "http/req.h"

struct cJSON;

extern const struct shape FontDefinition, FontFace, FontList, FontCreate, FontEdit;

/* The font as JSON, as a customization contains it, in the arena; NULL: no such font. */
struct cJSON *font_json(struct req *r, const char *id);

#endif
