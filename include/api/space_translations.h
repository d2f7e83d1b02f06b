/*
 * Translations: copies of a space in another language that jobs keep up to date (jobs/translate.h).
 * Implemented in spaces/space_translations.c.
 */
#ifndef OCTAVO_API_SPACE_TRANSLATIONS_H
#define OCTAVO_API_SPACE_TRANSLATIONS_H

#include "http/req.h"

extern const struct shape Translation, TranslationList, TranslationCreate, TranslationEdit;

#endif
