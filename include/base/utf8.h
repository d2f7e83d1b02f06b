/*
 * UTF-8 (RFC 3629): validation and counting. Overlong forms, surrogates and
 * code points over U+10FFFF are invalid.
 */
#ifndef OCTAVO_UTF8_H
#define OCTAVO_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"

/*
 * Length of the valid sequence at the beginning of s, with its code point in *cp; 0: the sequence
 * is invalid, or s is empty.
 */
size_t utf8_next(struct str s, uint32_t *cp);

bool   utf8_valid(struct str s);

/* Number of code points; s must be valid UTF-8. */
size_t utf8_count(struct str s);

/*
 * True if the character is visible by itself: false for blanks, control characters, and characters
 * that fonts do not draw.
 */
bool   utf8_visible(uint32_t cp);

/* The text in lower case, for letters of any script, in the arena. Invalid bytes stay. */
char  *utf8_lower(struct arena *a, struct str s);

/*
 * Folds a character for searching: case folded, full-width and other compatibility forms made
 * plain, accents and characters without width removed, letters without a decomposition replaced by
 * their usual spelling. Writes up to UTF8_FOLDED code points into out and returns their number,
 * maybe 0.
 */
enum { UTF8_FOLDED = 24 };
size_t utf8_fold_char(uint32_t cp, uint32_t *out);

/*
 * Folds a text as utf8_fold_char() would, in the arena. Invalid bytes are kept. Migrations call it
 * as octavo_fold().
 */
char  *utf8_fold(struct arena *a, struct str s);

/*
 * Only full case folding (Unicode, section 3.13): accents and widths are kept. Makes the sort key
 * of lists that are ordered by title. Migrations call it as octavo_casefold().
 */
char  *utf8_casefold(struct arena *a, struct str s);

#endif
