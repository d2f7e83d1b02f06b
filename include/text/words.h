/*
 * Words of a text, for the full-text index and for queries: pure, without a
 * database. Both sides use the same function, so what was indexed is found.
 *
 * A text is a row of *positions*, each with one word and maybe more beside it:
 *
 *   - letters and digits of a run are a word, folded: lower case, diacritics
 *     removed, full-width and other compatibility forms made plain. An
 *     apostrophe between letters vanishes ("don't" is "dont");
 *   - pg_hba.conf, /etc/nginx, a:b@c are a word a part. A part that follows its
 *     neighbour with nothing but connecting signs between is `glued` to it: a
 *     query asks for glued parts as a phrase, and so finds the whole, or any part;
 *   - star-tree is "star" and "tree" with "startree" beside the second;
 *   - useEffect is the word "useeffect" with "use" and "effect" beside it, and
 *     MyHttpServer2 with "my", "http", "server" and "myhttp", "httpserver";
 *   - Ankara'da is "ankarada" with "ankara" beside it;
 *   - --flag and @include are "flag" and "include" with the whole beside them; C++
 *     and C# are "c" with "c++" and "c#";
 *   - max_connections is "max" and "connections" with "_connections" beside the second, so that a phrase
 *     of "max" and "_connections" is the name as it is spelled; .env is "env" with ".env";
 *   - English inflections have their stem beside them ("settings": "set"), words of
 *     another language that of its Snowball algorithm (libstemmer), words in Cyrillic and
 *     Arabic letters those of Russian and Arabic in any text;
 *   - in languages that write compounds as one word, the ends of long words stand beside them, behind the
 *     byte WORD_TAIL_SIGN: compounds of German are found by their last word;
 *   - scripts written without blanks (Chinese, Japanese, Thai) and Hangul give
 *     overlapping pairs of characters, glued, and at the end of a run the last
 *     character alone: every character begins some word, so that one
 *     character is found as a prefix. Traditional Chinese characters read as the
 *     simplified ones (words_variants.inc).
 *
 * Any bytes are accepted; what is no UTF-8 separates words. A word is at most
 * WORD_MAX bytes; longer runs are cut, the same way on both sides.
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
	WORD_LINK,     /* the word after its leading connecting signs: _connections, .env */
	WORD_TAIL      /* the end of a long word, after WORD_TAIL_SIGN */
};
#define WORD_TAIL_SIGN '\6'

struct word {
	const char    *text;     /* valid during the call only */
	size_t         n;
	size_t         from, to; /* bytes of the source */
	enum word_kind kind;
	bool           glued;    /* main: to the position before */
	bool           joined;   /* glued by signs of code: _ . / : and the like, not by a hyphen */
	bool           pair;     /* characters of a script without blanks */
	bool           tail;     /* the last character of such a run, alone */
	bool           camel;    /* main: of several parts */
};

/* Calls fn for each word in order until it returns false. */
void words_each(struct str text, bool (*fn)(void *ctx, const struct word *w), void *ctx);
/* The words that begin a position alone. */
void words_main(struct str text, bool (*fn)(void *ctx, const struct word *w), void *ctx);

/* The same for a query, in a language: parts of a name, but not what some of them make together. */
void words_of_query(struct str text, enum language lang, bool (*fn)(void *ctx, const struct word *w), void *ctx);

/*
 * Packs the words for the index, one after another: a byte with the length, plus 64 if the word
 * belongs to the same position as the one before, then the word. Returns the number of positions.
 * The language decides their stems, and whether the ends of long words are used.
 */
size_t words_pack(struct buf *out, struct str text, enum language lang);

/* Where position n of a text begins, in bytes; text.n if there are fewer. */
size_t words_locate(struct str text, size_t position);

/*
 * The stem of a folded word into out (WORD_MAX bytes); its length, 0 where the
 * word is its own stem. Only words of ASCII letters have one.
 */
size_t word_stem(const char *word, size_t n, char *out);

/* True for a word that forms a question ("how", "the"). */
bool word_is_stop(const char *word, size_t n);

/* True for a word that says little about the subject ("make", "only"). No stop word is one. */
bool word_is_light(const char *word, size_t n);

/*
 * Bytes at the beginning of a text that only make a question, in a script
 * without blanks ("如何", "とは"); 0 where it begins otherwise.
 */
size_t words_question(struct str text);

/* Characters of scripts that are written without blanks, and Hangul. */
bool char_is_dense(uint32_t cp);

#endif
