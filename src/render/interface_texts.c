/* Texts of the interface. Contract: render/interface_texts.h. */
#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "render/interface_texts.h"

static const char *const tags[TEXT_LANGUAGES] = {
	[LANG_EN] = "en", [LANG_DE] = "de", [LANG_FR] = "fr", [LANG_ES] = "es", [LANG_PT] = "pt", [LANG_IT] = "it",
	[LANG_NL] = "nl", [LANG_PL] = "pl", [LANG_RU] = "ru", [LANG_JA] = "ja", [LANG_ZH] = "zh", [LANG_KO] = "ko",
	[LANG_AR] = "ar", [LANG_NO] = "no"
};

#define TEXT(name, ...) { __VA_ARGS__ },
static const char *const texts[TEXTS][TEXT_LANGUAGES] = {
#include "render/texts.def"
};
#undef TEXT

/* True if the tag has this primary language. */
static bool
is_language(const char *tag, const char *language)
{
	size_t n = strlen(language);

	return tag != NULL && strncasecmp(tag, language, n) == 0 &&
	    /* Accept "pt_BR", the form of system locales, which RFC 5646 does not allow. */
	    (tag[n] == '\0' || tag[n] == '-' || tag[n] == '_');
}

/*
 * Uses only the primary language: "pt-br" and "pt" have the same texts. "nb" and "nn" are the two
 * written forms of "no" (ISO 639).
 */
enum text_language
text_language(const char *tag)
{
	if (is_language(tag, "nb") || is_language(tag, "nn"))
		return LANG_NO;
	for (int l = 0; l < TEXT_LANGUAGES; l++)
		if (is_language(tag, tags[l]))
			return l;
	return LANG_EN;
}

const char *
text_tag(enum text_language l)
{
	return tags[l];
}

bool
text_rtl(const char *tag)
{
	static const char *const rtl[] = { "ar", "he", "fa", "ur", "ps", "yi", "dv", "ug", "ckb" };

	for (size_t i = 0; i < sizeof(rtl) / sizeof(rtl[0]); i++)
		if (is_language(tag, rtl[i]))
			return true;
	return false;
}

const char *
text_in(enum text_language l, enum text t)
{
	return texts[t][l] != NULL ? texts[t][l] : texts[t][LANG_EN];
}
