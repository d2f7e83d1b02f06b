/*
 * Emoji in the input and in the database. Clients send one as its characters
 * ("👍") or as the code points of these in hexadecimal, joined by "-"
 * ("1f44d"), with variation selectors (U+FE0F) or without. The key is the same
 * for all of these spellings: code points in lower-case hexadecimal, joined by
 * "-", without variation selectors.
 *
 * What an emoji is follows the grammar of Unicode Technical Standard 51,
 * section 1.4.9: a pictograph with or without a skin tone or tags, a flag of two
 * regional indicators, a keycap; or a sequence of these joined by U+200D.
 */
#ifndef OCTAVO_EMOJI_H
#define OCTAVO_EMOJI_H

#include "base/arena.h"

/* The key of exactly one emoji, in the arena; NULL: s is none. */
char *emoji_key(struct arena *a, const char *s);

#endif
