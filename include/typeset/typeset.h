/*
 * Highlights code and converts formulas to MathML.
 *
 * octavo-typeset runs as a child process: it is started for the first text, reads texts from a pipe
 * and writes answers to another. It opens no file and has no access to the data. It is not trusted:
 * answers are accepted only if they consist of allowed elements (typeset_clean.c).
 *
 * Each answer is cached below DIR/cache/typeset; the key is a hash of the text, its language and
 * the build. The folder may be deleted at any time.
 *
 * A process has one such child and sends it one text at a time.
 */
#ifndef OCTAVO_TYPESET_H
#define OCTAVO_TYPESET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"

enum {
	TYPESET_SOURCE_MAX = 200 << 10,  /* bytes of a text; longer ones are shown as plain text */
	TYPESET_ONE_MS = 2000,           /* limit for one text */
	TYPESET_PAGE_MS = 500            /* limit for all uncached texts of a page; a text that was begun before the limit is finished */
};

/* The program writes this line when it is ready for texts. */
#define TYPESET_READY "ready\n"
enum { TYPESET_GREETING = sizeof(TYPESET_READY) - 1 };

/*
 * Time limit of one page, or of one printed document. Initialize to zeros and set `dir`, the data
 * directory; NULL: results are not cached.
 */
struct typeset {
	const char *dir;
	int64_t     limit_ms;    /* for all uncached texts; 0: TYPESET_PAGE_MS */
	int64_t     spent_us;
	bool        lacks;       /* output: a text stayed plain because the time was over or the child failed; the caller may try again later */
};

/*
 * Highlights code; language: a name or alias of Prism. Returns its lines as in the source, as text
 * and <span class="x"> with x one of c k s n f t. p NULL: show the source as plain text.
 */
struct str typeset_code(struct typeset *t, struct arena *a, const char *language, struct str source);

/* Converts a formula from LaTeX to a <math> element; p NULL: show the formula as plain text. */
struct str typeset_math(struct typeset *t, struct arena *a, const char *formula, bool display);

/*
 * Check an answer of the child against the allowed elements; the result is in the arena. p NULL: it
 * is not allowed.
 */
struct str typeset_clean_code(struct arena *a, struct str html);
struct str typeset_clean_math(struct arena *a, struct str html);

/* Ends the child if it is running. */
void typeset_end(void);

#endif
