/*
 * Translations: a space in another language, kept up to date by jobs (jobs/translate.h). What other files need of
 * spaces/space_translations.c.
 */
#ifndef OCTAVO_API_SPACE_TRANSLATIONS_H
#define OCTAVO_API_SPACE_TRANSLATIONS_H

#include "http/req.h"

extern const struct shape Translation, TranslationList, TranslationCreate, TranslationEdit;

#endif
