/* What the other files of the room use of space_translations.c. */
#ifndef OCTAVO_API_SPACE_TRANSLATIONS_H
#define OCTAVO_API_SPACE_TRANSLATIONS_H

#include "http/req.h"

extern const struct shape Translation, TranslationList, TranslationCreate, TranslationEdit;

#endif
