/*
 * Chinese in Latin letters, as the published service spelled anchors and addresses: each character its syllable,
 * without tones, "ü" as "v".
 */
#ifndef OCTAVO_PINYIN_H
#define OCTAVO_PINYIN_H

#include "base/arena.h"
#include "base/str.h"

/*
 * The text with a syllable between blanks for each of the 8,843 common characters. other: where a character has
 * another reading, that one. NULL: it has none of them, or none with another reading.
 */
char *pinyin_spelled(struct arena *a, struct str text, bool other);

#endif
