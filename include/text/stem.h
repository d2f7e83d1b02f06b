/*
 * Languages of a text, and stems of its words.
 *
 * The language of a text is determined by its most common words, or by its script. Stems are those
 * of the Snowball algorithms (libstemmer). One sentence is usually enough to choose an algorithm. A
 * text without a common word of any language has no language, and its words are not stemmed.
 *
 * Only programs that call stem_word() are linked with libstemmer, so the others start without it.
 */
#ifndef OCTAVO_STEM_H
#define OCTAVO_STEM_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/str.h"

enum language {
	LANG_NONE, LANG_EN, LANG_DE, LANG_FR, LANG_ES, LANG_PT, LANG_IT, LANG_NL, LANG_SV, LANG_DA,
	LANG_NO, LANG_FI, LANG_RU, LANG_TR, LANG_RO, LANG_HU, LANG_COUNT
};

struct stemmer;

/*
 * Reads the stop words. The algorithm of a language is loaded when it is first used. Everything is
 * freed with the arena.
 */
struct stemmer *stemmer_new(struct arena *a);

/* The language to which most of the text's common words belong; LANG_NONE if there is none. */
enum language language_of(const struct stemmer *s, struct str text);

/*
 * language_code() returns the code of ISO 639-1, "" for LANG_NONE. language_named() is the reverse;
 * it accepts codes with a region ("pt-br"), and returns LANG_NONE for an unknown code.
 */
const char *language_code(enum language lang);
enum language language_named(struct str code);

/*
 * True if a folded word (utf8_fold) is a stop word of the language: one of its most common words,
 * which say nothing about the subject.
 */
bool language_stop(const struct stemmer *s, enum language lang, struct str folded);

/*
 * The stem of a word in lower case with its accents. The stem is then folded (utf8_fold), so that
 * texts that were typed without accents match as well. In the arena. If the language has no
 * algorithm, the result is the folded word.
 */
struct str stem_word(struct stemmer *s, struct arena *a, enum language lang, struct str lower);

/*
 * Writes the folded stem of a word in lower case with its accents to out (WORD_MAX bytes) and
 * returns its length; 0: there is no stem. For LANG_NONE the script decides the language (Cyrillic:
 * Russian, Arabic: Arabic).
 */
size_t stem_in(enum language lang, const char *word, size_t n, char *out);

/* The language of a text, determined from a sample of its words. Needs no stemmer. */
enum language language_detect(struct str text);

/* True if the language writes compounds as one word. */
bool language_compounds(enum language lang);

#endif
