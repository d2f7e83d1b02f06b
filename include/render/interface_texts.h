/*
 * Texts of the interface for readers, in fourteen languages (texts.def beside this file). For a
 * language without texts English is used.
 */
#ifndef OCTAVO_INTERFACE_TEXTS_H
#define OCTAVO_INTERFACE_TEXTS_H

#include <stdbool.h>

enum text_language {
	LANG_EN, LANG_DE, LANG_FR, LANG_ES, LANG_PT, LANG_IT, LANG_NL, LANG_PL, LANG_RU, LANG_JA,
	LANG_ZH, LANG_KO, LANG_AR, LANG_NO, TEXT_LANGUAGES
};

#define TEXT(name, ...) TEXT_##name,
enum text {
#include "render/texts.def"
	TEXTS
};
#undef TEXT

/* The language for a tag of RFC 5646 ("pt-br"). English for NULL and for languages without texts. */
enum text_language text_language(const char *tag);
/* The tag of a language: "pt". */
const char *text_tag(enum text_language l);
/* True if the language of the tag is written from right to left. */
bool text_rtl(const char *tag);
const char *text_in(enum text_language l, enum text t);

#endif
