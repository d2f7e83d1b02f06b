/* Texts of the pages, in the languages of render/interface_texts.h. */
#include <stdlib.h>
#include <strings.h>

#include "view_parts.h"

#define TEXT(name, ...) { __VA_ARGS__ },
static const char *const texts[SAYS][TEXT_LANGUAGES] = {
#include "view_texts.def"
#include "space_texts.def"
};
#undef TEXT

const char *
view_say(const struct view *v, enum say text)
{
	/* In Norwegian there are only the texts of published sites; this application is then in English. */
	return texts[text][v->language] != NULL ? texts[text][v->language] : texts[text][LANG_EN];
}

/* True if the value contains characters that could change the order of the words around it (UAX #9). */
static bool
needs_isolation(const struct view *v, const char *value)
{
	for (; *value != '\0'; value++)
		if ((unsigned char)*value > '~')
			return true;
	return text_rtl(text_tag(v->language));
}

const char *
view_say_with(const struct view *v, enum say text, const char *value)
{
	const char *s = view_say(v, text), *at = strstr(s, "%s");
	bool isolated = needs_isolation(v, value);

	if (at == NULL)
		return s;
	/*
	 * FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE keep the value from changing the
	 * direction of its sentence.
	 */
	return arena_printf(v->arena, "%.*s%s%s%s%s", (int)(at - s), s, isolated ? "\u2068" : "", value, isolated ? "\u2069" : "", at + 2);
}

/* Weight of an entry of the header, such as "de-AT;q=0.8" (RFC 9110, section 12.4.2), in thousandths. */
static int
read_weight(const char *entry, size_t n)
{
	const char *q = memchr(entry, ';', n);
	double weight = 1;

	for (; q != NULL && q < entry + n; q++)
		if (strncasecmp(q, "q=", 2) == 0)
			weight = strtod(q + 2, NULL);
	return weight >= 0 && weight <= 1 ? (int)(weight * 1000 + 0.5) : 0;
}

/* True if the entry's language has texts. A language without texts would otherwise give English. */
static bool
has_texts(const char *entry, size_t n, enum text_language *language)
{
	char tag[12];
	size_t k = strcspn(entry, "-_;, \t");

	if (k > n || k >= sizeof(tag))
		return false;
	memcpy(tag, entry, k);
	tag[k] = '\0';
	*language = text_language(tag);
	return *language != LANG_EN || strcasecmp(tag, "en") == 0;
}

enum text_language
choose_language(const char *header)
{
	enum text_language best = LANG_EN, language;
	int most = 0, weight;
	size_t n;

	for (; header != NULL && *header != '\0'; header += n + (header[n] == ',')) {
		header += strspn(header, " \t");
		n = strcspn(header, ",");
		weight = read_weight(header, n);
		/* If two entries have equal weights, the first counts, because browsers list languages in order. */
		if (weight <= most || !has_texts(header, n, &language))
			continue;
		best = language;
		most = weight;
	}
	return best;
}
