/*
 * Terms of full-text search, the same in every engine: words as text/words.h defines them, with a
 * scope before each. A text may begin with a scope: byte 2, the scope, and a control byte that
 * determines the form of the rest:
 *
 *   \2SCOPE\3text       ordinary text
 *   \2SCOPE\4word       a single word, used unchanged: this is the form of queries
 *   \2SCOPE\5packed     the form of words_pack(), so that words can be found before the write lock is taken
 *
 * The index then contains terms of the form "SCOPE word". Each list of rows in it belongs to one
 * scope, so the cost of a query, of a prefix search and of the counts for bm25() depends on the
 * size of one space and not of the whole index. Text that does not begin with byte 2 is ordinary
 * text without a scope.
 *
 * In a query, SCOPE may be a list of scopes separated by commas. Each word is then searched in all
 * of them, and still counts as one phrase.
 */
#ifndef OCTAVO_DB_TERMS_H
#define OCTAVO_DB_TERMS_H

#include "base/str.h"

/* The flag of a term that is at the position of the one before it: as FTS5_TOKEN_COLOCATED. */
enum { TERM_COLOCATED = 1 };

/*
 * Calls fn with each term of a text, until it returns another number than 0, which is returned then.
 * The parameters of fn are those that FTS5 has for tokens: flags, the term and its length, and the
 * bytes of the text that it was made from.
 */
int terms_each(struct str text, int (*fn)(void *ctx, int flags, const char *term, int n, int from, int to), void *ctx);

#endif
