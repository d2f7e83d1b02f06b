/*
 * Divides a text into words, for the full-text index and for queries. Pure functions without a
 * database; index and query use the same code, so a query finds what was indexed.
 *
 * A text is a sequence of *positions*. Each has a main word, and possibly variants of it:
 *
 *   - a run of letters and digits is a word, folded: lower case, without diacritics, full-width and
 *     other compatibility forms replaced. An apostrophe between letters is dropped ("don't": "dont");
 *   - pg_hba.conf, /etc/nginx and a:b@c have one word for each part. A part is `glued` to the one
 *     before if only connecting signs separate them; a query uses glued parts as a phrase, so it finds
 *     the whole name, and also names that contain it;
 *   - star-tree: "star" and "tree", with the variant "startree" of the second;
 *   - useEffect: "useeffect", with the variants "use" and "effect"; MyHttpServer2 has the variants
 *     "my", "http", "server", "myhttp" and "httpserver";
 *   - Ankara'da: "ankarada", with the variant "ankara";
 *   - --flag and @include: "flag" and "include", with the variants "--flag" and "@include"; C++ and
 *     C#: "c", with "c++" and "c#";
 *   - max_connections: "max" and "connections", with the variant "_connections" of the second, so that
 *     the phrase "max" "_connections" is the name as it is spelled; .env: "env", with ".env";
 *   - an inflected English word has its stem as a variant ("settings": "set"). Words of another
 *     language have the stem of its Snowball algorithm (libstemmer); words in Cyrillic and Arabic
 *     letters have a Russian and an Arabic stem in any text;
 *   - in languages that write compounds as one word, the ends of long words are variants, after the
 *     byte WORD_TAIL_SIGN: so a German compound is found by its last word;
 *   - scripts without blanks between words (Chinese, Japanese, Thai) and Hangul give overlapping pairs
 *     of characters, glued, and the last character of a run alone. So every character begins a word,
 *     and a single character is found as a prefix. Traditional Chinese characters are replaced by
 *     simplified ones (words_variants.inc).
 *
 * Any bytes are accepted; bytes that are not UTF-8 separate words. A word has at most WORD_MAX bytes;
 * longer ones are cut in the same way in index and query.
 */
#ifndef OCTAVO_WORDS_H
#define OCTAVO_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/str.h"
#include "text/stem.h"

enum { WORD_MAX = 56 };

enum word_kind {
	WORD_MAIN,     /* begins a position; all other words belong to the same position */
	WORD_STEM,     /* stem of the main word, or of a part of it */
	WORD_PART,     /* of a camel-case word */
	WORD_JOINED,   /* star-tree without its hyphen */
	WORD_SIGN,     /* the spelling with its signs: --flag, c++ */
	WORD_LINK,     /* the word with its leading connecting signs: _connections, .env */
	WORD_TAIL      /* the end of a long word, after WORD_TAIL_SIGN */
};
#define WORD_TAIL_SIGN '\6'

struct word {
	const char    *text;     /* valid during the call only */
	size_t         n;
	size_t         from, to; /* bytes of the source */
	enum word_kind kind;
	bool           glued;    /* of a main word: connected to the position before it */
	bool           joined;   /* glued by signs of code: _ . / : and the like, not by a hyphen */
	bool           pair;     /* characters of a script without blanks */
	bool           tail;     /* the last character of such a run, alone */
	bool           camel;    /* of a main word: it has several parts, as in camel case */
};

/* Calls fn for each word in order until it returns false. */
void words_each(struct str text, bool (*fn)(void *ctx, const struct word *w), void *ctx);
/* The same without variants: only the main word of each position. */
void words_main(struct str text, bool (*fn)(void *ctx, const struct word *w), void *ctx);

/* The same for a query in a language: with the parts of a camel-case name ("http"), but not several of them joined ("myhttp"). */
void words_of_query(struct str text, enum language lang, bool (*fn)(void *ctx, const struct word *w), void *ctx);

/*
 * Packs the words for the index, one after another: a byte with the length, plus 64 if the word
 * belongs to the same position as the one before, then the word. Returns the number of positions.
 * The language decides their stems, and whether the ends of long words are used.
 */
size_t words_pack(struct buf *out, struct str text, enum language lang);

/* The byte at which position n of a text begins; text.n if the text has fewer positions. */
size_t words_locate(struct str text, size_t position);

/*
 * Stores the English stem of a folded word in out (WORD_MAX bytes) and returns its length; 0: the word
 * is its own stem. Only words of ASCII letters have a stem.
 */
size_t word_stem(const char *word, size_t n, char *out);

/* True for a word that forms a question ("how", "the"). */
bool word_is_stop(const char *word, size_t n);

/* True for a word that says little about the subject ("make", "only"). No stop word is one. */
bool word_is_light(const char *word, size_t n);

/*
 * Number of bytes at the beginning of a text that only form a question, in a script without blanks
 * ("如何", "とは"); 0: there are none.
 */
size_t words_question(struct str text);

/* True for a character of a script without blanks between words, or of Hangul. */
bool char_is_dense(uint32_t cp);

#endif
