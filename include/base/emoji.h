/*
 * Emoji in input and in the database. Clients send an emoji as characters ("👍") or as hexadecimal
 * code points joined by "-" ("1f44d"), with or without variation selectors (U+FE0F). The key is the
 * same for all these spellings: code points in lower-case hexadecimal, joined by "-", without
 * variation selectors.
 *
 * What counts as an emoji is defined by Unicode Technical Standard 51, section 1.4.9: a pictograph
 * with or without a skin tone or tags, a flag of two regional indicators, a keycap; or a sequence
 * of these joined by U+200D.
 */
#ifndef OCTAVO_EMOJI_H
#define OCTAVO_EMOJI_H

#include "base/arena.h"

/* The key of s, in the arena; NULL: s is not exactly one emoji. */
char *emoji_key(struct arena *a, const char *s);

#endif
