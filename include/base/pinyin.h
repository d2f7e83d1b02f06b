/*
 * Writes Chinese in Latin letters, as the published service does in anchors and addresses: each
 * character becomes its syllable, without tones, with "v" for "ü".
 */
#ifndef OCTAVO_PINYIN_H
#define OCTAVO_PINYIN_H

#include "base/arena.h"
#include "base/str.h"

/*
 * The text with each of the 8,843 common characters replaced by its syllable, between blanks.
 * other: if a character has a second reading, that one. NULL: nothing was replaced, or, with other,
 * no character has a second reading.
 */
char *pinyin_spelled(struct arena *a, struct str text, bool other);

#endif
