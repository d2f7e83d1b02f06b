/*
 * Languages of a text, and stems of its words.
 *
 * The language of a text is told by its commonest words, or by its script; the
 * stems are those of the Snowball algorithms (libstemmer). Texts as short as a
 * sentence are told apart well enough to choose an algorithm; a text without a
 * common word has no language, and its words keep their endings.
 *
 * libstemmer is linked into the programs that call stem_word(): the web server's
 * programs do not pay for it unless they do.
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

/* Stop words are read now, algorithms when a language is first met; all end with the arena. */
struct stemmer *stemmer_new(struct arena *a);

/* The language that most of the text's words speak for; LANG_NONE where none does. */
enum language language_of(const struct stemmer *s, struct str text);

/* ISO 639-1, "" for LANG_NONE; and back, with or without a region ("pt-br"), LANG_NONE for any other code. */
const char *language_code(enum language lang);
enum language language_named(struct str code);

/* Is a folded word (utf8_fold) one of the commonest of the language, which tell nothing about the subject? */
bool language_stop(const struct stemmer *s, enum language lang, struct str folded);

/*
 * The stem of a word in lower case, accents kept, then folded (utf8_fold): what
 * texts that were typed without accents are found by as well. In the arena; the
 * word itself, folded, where the language has no algorithm.
 */
struct str stem_word(struct stemmer *s, struct arena *a, enum language lang, struct str lower);

/*
 * The stem, folded, of a word in lower case, accents kept, into out (WORD_MAX bytes); its
 * length, 0: there is none. LANG_NONE: the script tells the language (Cyrillic: Russian,
 * Arabic: Arabic).
 */
size_t stem_in(enum language lang, const char *word, size_t n, char *out);

/* The language of a text, determined from some of its words, without a stemmer of the caller. */
enum language language_told(struct str text);

/* True if the language writes compounds as one word. */
bool language_compounds(enum language lang);

#endif
