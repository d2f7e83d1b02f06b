/*
 * Paragraphs, items and rows that one side of a merge moved and the other edited. Used by
 * merge_text.c.
 */
#ifndef OCTAVO_MERGE_MOVES_H
#define OCTAVO_MERGE_MOVES_H

#include "base/arena.h"
#include "base/str.h"

struct moved_texts {
	struct str base, ours, theirs;
};

/*
 * Finds each paragraph that one side left unchanged, possibly at another place, and the other side
 * edited. Writes the edited words into the base and into the side that did not edit it, so that only
 * the move remains to be merged. False if there is none; then nothing changes.
 */
bool merge_moves(struct arena *a, struct moved_texts *t);

#endif
