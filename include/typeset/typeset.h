/*
 * Code and formulas as HTML.
 *
 * octavo-typeset stands beside the program that asks. It is started when something is
 * first asked of it, reads texts from a pipe and answers through another; it opens no
 * file and knows nothing of the data. It is not trusted: what comes back is HTML only as
 * far as it keeps to the few elements that are expected (typeset_clean.c).
 *
 * Each text is set once: the answer is kept below DIR/cache/typeset under a hash of the
 * text, its language and the build. Losing that folder loses nothing.
 *
 * A process has one such child, and asks it one thing at a time.
 */
#ifndef OCTAVO_TYPESET_H
#define OCTAVO_TYPESET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"

enum {
	TYPESET_SOURCE_MAX = 200 << 10,  /* bytes of a text; a longer one is not set */
	TYPESET_ONE_MS = 2000,           /* for one text */
	TYPESET_PAGE_MS = 500            /* for all that a page has not had set yet; a text that was begun is ended */
};

/* What the program writes first, once it can be asked. */
#define TYPESET_READY "ready\n"
enum { TYPESET_GREETING = sizeof(TYPESET_READY) - 1 };

/* What one page asks, or one document in print. Begin with zeros and `dir`, the data directory. */
struct typeset {
	const char *dir;
	int64_t     limit_ms;    /* for all that it has not had set yet; 0: TYPESET_PAGE_MS */
	int64_t     spent_us;
	bool        lacks;       /* something was left as plain text for want of time: ask again later */
};

/*
 * Code in a language (a name or alias of Prism's), its lines as in the source: text, and
 * <span class="x"> with x one of c k s n f t. p NULL: as plain text.
 */
struct str typeset_code(struct typeset *t, struct arena *a, const char *language, struct str source);

/* A formula in LaTeX as a <math> element; p NULL: it cannot be set. */
struct str typeset_math(struct typeset *t, struct arena *a, const char *formula, bool display);

/* What the child answers, held against what is expected; in the arena. p NULL: it is something else. */
struct str typeset_clean_code(struct arena *a, struct str html);
struct str typeset_clean_math(struct arena *a, struct str html);

/* Ends the child, if there is one. */
void typeset_end(void);

#endif
